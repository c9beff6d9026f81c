#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plants.sh FOLDER ARG...: bugs planted on purpose, which tests must find. Each patch of FOLDER (PLANT=NAME: one of them alone) is applied
# to a copy of the sources, the copy is built, and its test must then fail, or not end. FOLDER/how.sh sees ARG... and says how:
#   sources       an array: the files that are copied, to $tmp/ and their paths here
#   plant_fits    whether this machine can have the bug; any can unless it says otherwise
#   plant_builds  makes $tmp/test
#   plant_passes  runs it, with a time limit
# They may look at $patch, ${run[@]}, the words of the patch's line `run:`, and $changed, the paths that it changes.
set -u
folder=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
found=0 bad=0
plant_fits() { true; }
# shellcheck source=/dev/null
. "$folder/how.sh"

for patch in "$folder"/${PLANT:-*}.patch; do
  read -ra run <<<"$(sed -n 's/^run: //p' "$patch")"
  changed=$(sed -n 's#^+++ b/\([^[:blank:]]*\).*#\1#p' "$patch")
  plant_fits || continue
  rm -rf "$tmp/sw" && cp --parents "${sources[@]}" "$tmp"
  if ! patch -s -d "$tmp" -p1 <"$patch" || ! plant_builds; then
    echo "$patch does not apply, or does not compile"
    bad=$((bad + 1))
  elif plant_passes >"$tmp/said" 2>&1 </dev/null; then
    echo "$patch is not found by ${run[*]}"
    bad=$((bad + 1))
  else
    found=$((found + 1))
  fi
done
echo "$folder: $found found, $bad not"
[ $bad = 0 ]
