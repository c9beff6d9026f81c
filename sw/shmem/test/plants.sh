#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plants.sh BUILD COMPILER...: bugs that the tests must find. Each patch of plants/ names a test and a number of PEs in its line `run:`
# (PLANT=NAME: one of them alone). What it changes is compiled anew and linked in the place of the file; the test must then fail, or
# not end within a minute.
set -u
build=$1
shift
here=sw/shmem
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
found=0 bad=0

for patch in $here/test/plants/${PLANT:-*}.patch; do
  read -r name pes <<<"$(sed -n 's/^run: //p' "$patch")"
  rm -rf "$tmp/src" && mkdir -p "$tmp/src" && cp $here/*.[ch] "$tmp/src/"
  compiled=true
  patch -s -d "$tmp/src" -p3 <"$patch" || compiled=false
  source=$(sed -n 's#^+++ b/sw/shmem/\([^ ]*\).*#\1#p' "$patch")
  objects=$(find "$build/shmem/plain" -name '*.o' ! -name all.o ! -name "${source%.c}.o")
  $compiled && "$@" -I"$tmp/src" -c -o "$tmp/changed.o" "$tmp/src/$source" &&
    { [ -f "$tmp/$name.o" ] || "$@" -c -o "$tmp/$name.o" "$here/test/test_$name.c"; } &&
    # shellcheck disable=SC2086
    "$@" -o "$tmp/test" "$tmp/$name.o" "$tmp/changed.o" $objects "$build"/lib/libtocsin-driver.a "$build"/lib/libtocsin.a -pthread -lm ||
    compiled=false
  if ! $compiled; then
    echo "$patch does not apply, or does not compile"
    bad=$((bad + 1))
  elif timeout 60 "$build/bin/oshrun" --here -n "$pes" "$tmp/test" >"$tmp/said" 2>&1 </dev/null; then
    echo "$patch is not found by test_$name with $pes PEs"
    bad=$((bad + 1))
  else
    found=$((found + 1))
  fi
done
echo "plants: $found found, $bad not"
[ $bad = 0 ]
