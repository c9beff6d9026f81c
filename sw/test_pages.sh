#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_pages.sh NAME BLOCKS PAGE...: does what the pages say, in their order, in a home of its own: saves their
# programs, runs their commands, and wants each line of their `text` blocks among what the commands before have printed
# (`...` stands for anything). At least so many blocks of commands. The first is done in the tree, the others at home;
# a file whose name has a folder lands in the copy ~/tocsin-copy.
set -u
title=$1 least=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
exec 3>&1
doing=''
ended() {
  [ -z "$doing" ] || { echo "failed: $doing"; cat "$out"; } >&3
  rm -rf "$home"
}
home=$(mktemp -d) && trap ended EXIT
# not that of the new home, which is empty
command -v ccache >/dev/null && CCACHE_DIR=$(ccache -k cache_dir) && export CCACHE_DIR
export HOME=$home
unset TOCSIN_RTL MAKEFLAGS MAKELEVEL
cd "$home" || exit 3
steps=0 kind='' block='' name='' words='' out="$home/.out"
: >"$out"

run() {  # the first block is for the clone
  steps=$((steps + 1))
  [ $steps = 1 ] && cd "$root"
  doing=$1
  set -e  # and nothing of the shell's that would hide a failure: each command of a block has to succeed
  eval "$1" >"$out" 2>&1 </dev/null  # or it could read the page, whose rest nobody would look at
  set +e
  doing=''
  cd "$home" || exit 3
}

while IFS= read -r line; do
  if [[ $kind && $line == '```' ]]; then
    case $kind in
      sh) run "$block" ;;
      c | cpp | py | sv)
        case $name in */*) name=tocsin-copy/$name ;; esac
        printf '%s' "$block" >"$name"
        ;;
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
    # a reader sees no names of blocks: a file of the tree is named in the words before
    [[ $name != */* || $words == *"\`$name\`"* ]] || { echo "the words before $name do not name it"; exit 1; }
    words=''
  else
    words+=$line$'\n'
  fi
done < <(cd "$root" && cat "$@")
echo "$title: $steps blocks of commands as written"
[ $steps -ge "$least" ]
