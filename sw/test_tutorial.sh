#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_tutorial.sh: does what TUTORIAL.md and then HOWTO.md say, in their order, in a home of its own: saves its programs, runs its commands, and wants each
# line of its `text` blocks among what the commands before have printed (`...` stands for anything).
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
home=$(mktemp -d) && trap 'rm -rf "$home"' EXIT
export HOME=$home
unset TOCSIN_RTL MAKEFLAGS MAKELEVEL
cd "$home" || exit 3
steps=0 kind='' block='' name='' out="$home/.out"
: >"$out"

run() {  # the first block is for the clone
  steps=$((steps + 1))
  [ $steps = 1 ] && cd "$root"
  set -e
  eval "$1" >"$out" 2>&1 || { echo "failed: $1"; cat "$out"; exit 1; }
  set +e
  cd "$home" || exit 3
}

while IFS= read -r line; do
  if [[ $kind && $line == '```' ]]; then
    case $kind in
      sh) run "$block" ;;
      c | cpp | py) printf '%s' "$block" >"$name" ;;
      text)
        while IFS= read -r want; do
          pattern=$(sed 's/[][\\.*^$]/\\&/g; s/\\\.\\\.\\\./.*/g' <<<"$want")
          [ -z "$want" ] || grep -qx -- "$pattern" "$out" || { printf 'no line %s in\n' "$want"; cat "$out"; exit 1; }
        done <<<"$block"
        ;;
    esac
    kind=''
  elif [[ $kind ]]; then
    block+=$line$'\n'
  elif [[ $line == '```'?* ]]; then
    read -r kind name <<<"${line#'```'}"
    block=''
  fi
done < <(cat "$root/sw/TUTORIAL.md" "$root/sw/HOWTO.md")
echo "tutorial: $steps blocks of commands as written"
[ $steps -ge 10 ]
