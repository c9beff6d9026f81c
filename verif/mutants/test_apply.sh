#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make mutants-apply in a tree that is a folder of another repository: a patch of a file that is there, and of one that
# is not.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
git init -q "$dir"
mkdir -p "$dir/tree/verif/mutants" "$dir/tree/rtl"
cd "$dir/tree"
printf 'SHELL := /bin/bash\nQ := @\nB := build\nneed-mutants:\n' | cat - "$root/verif/mutate.mk" >Makefile
printf '%s\n' 'What.' 'Kill: sim-x' '' 'diff --git a/rtl/x.sv b/rtl/x.sv' '--- a/rtl/x.sv' '+++ b/rtl/x.sv' \
  '@@ -1 +1 @@' '-x' '+y' >verif/mutants/x.patch

# expect CODE WORDS: how it ends, and what it says
expect() {
  code=0
  out=$(env -u MAKEFLAGS -u MFLAGS make --no-print-directory mutants-apply 2>&1) || code=$?
  case $code:$out in
    "$1:"*"$2"*) ;;
    *) echo "FAIL: $code for $1, and no \"$2\" in: $out"; bad=1 ;;
  esac
}
echo x >rtl/x.sv
expect 0 '1 patches looked at'
echo z >rtl/x.sv
expect 2 'x.patch does not apply any more'
rm rtl/x.sv
expect 2 'x.patch does not apply any more'
[ $bad = 0 ] && echo "mutants-apply: 3 cases"
exit $bad
