#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plants.sh FOLDER ARG...: bugs planted on purpose, which tests must find. A patch of FOLDER is applied to a copy
# of the sources, the copy is built, and its test must then fail, or not end. PLANTS=all: each of them (make plants);
# PLANT=NAME: one; else the first of each way to be found (what stands on its line `run:` behind the test),
# and of the others only that they apply. FOLDER/how.sh sees ARG... and says how:
#   sources       an array: the files that are copied, to $tmp/ and their paths here
#   plant_fits    whether this machine can have the bug; any can unless it says otherwise
#   plant_builds  makes $tmp/test
#   plant_passes  runs it by stuck.py, which ends what spins and what is stuck, and not what is slow
# They may look at $patch, ${run[@]}, the words of the patch's line `run:`, and $changed, the paths that it changes.
# Each bug has a process and a $tmp of its own. What a bug stops just waits for its end,
# so several are tried at once. A test that was ended, or did not begin, has found a bug only if it passes without.
set -u
at_once=6
folder=$1
shift
all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
plant_fits() { true; }
# shellcheck source=/dev/null
. "$folder/how.sh"

# A line that says how it went: found, or what is wrong.
try() {
  patch=$1 tmp=$all/$(basename "$1" .patch)
  read -ra run <<<"$(sed -n 's/^run: //p' "$patch")"
  changed=$(sed -n 's#^+++ b/\([^[:blank:]]*\).*#\1#p' "$patch")
  plant_fits || return
  mkdir "$tmp" && cp --parents "${sources[@]}" "$tmp"
  if [ "$2" = applies ]; then
    patch -s --dry-run -d "$tmp" -p1 <"$patch" >&2 && echo applies >"$tmp.how" ||
      echo "$patch does not apply" >"$tmp.how"
    return
  fi
  if ! patch -s -d "$tmp" -p1 <"$patch" >&2 || ! plant_builds; then
    echo "$patch does not apply, or does not compile"
  else
    plant_passes >"$tmp/said" 2>&1 </dev/null
    case $? in
      0) echo "$patch is not found by ${run[*]}" ;;
      124 | 125 | 126 | 127 | 137)
        sed -n "s#^stuck.py: #$patch: #p" "$tmp/said" >"$tmp.end"
        if patch -s -R -d "$tmp" -p1 <"$patch" >&2 && plant_builds && plant_passes >>"$tmp/said" 2>&1 </dev/null; then
          echo found
        else
          echo "$patch: ${run[*]} does not pass without it; $(tail -n 1 "$tmp/said")"
        fi ;;
      *) echo found ;;
    esac
  fi >"$tmp.how"
}

declare -A seen
for patch in "$folder"/${PLANT:-*}.patch; do
  what=applies
  way=$(sed -n 's/^run: *[^ ]* *//p' "$patch")
  [ "${PLANTS:-}" != all ] && [ -z "${PLANT:-}" ] && [ "${seen[way $way]:-}" ] || what=found
  seen[way $way]=1
  while [ "$(jobs -pr | wc -l)" -ge $at_once ]; do wait -n; done
  try "$patch" $what &
done
wait
cat "$all"/*.how | grep -vxE 'found|applies'
cat "$all"/*.end 2>/dev/null # what was found since it spins or is stuck
found=$(cat "$all"/*.how | grep -cx found)
applies=$(cat "$all"/*.how | grep -cx applies)
bad=$(cat "$all"/*.how | grep -cvxE 'found|applies')
others=
[ "$applies" = 0 ] || others="; $applies apply, and are planted by \`make plants\`"
echo "$folder: $found found, $bad not$others"
[ "$bad" = 0 ] && [ "$found" -gt 0 ]
