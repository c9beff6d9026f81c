#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# plants.sh COMPILER...: bugs that the test of irregular.hpp must find. Each patch of plants/ names the part that finds it (PLANT=NAME: one of them
# alone). The part is compiled with the changed headers; on three ranks it must then fail, or not end.
set -u
here=sw/irregular/test/cpp
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
found=0 bad=0
for patch in $here/plants/${PLANT:-*}.patch; do
  part=$(sed -n 's/^part: //p' "$patch")
  rm -rf "$tmp/sw" && mkdir -p "$tmp/sw" && cp -r sw/include "$tmp/sw/"
  if ! patch -s -d "$tmp" -p1 <"$patch" ||
    ! "$@" "-DPART=test_$part" -I"$tmp/sw/include" -Isw/include -Imodel/include -o "$tmp/test" $here/main.cpp "$here/$part.cpp" \
      build/lib/libtocsin-irregular.a build/lib/libtocsin-driver.a build/lib/libtocsin.a -lpthread -lm; then
    echo "$patch does not apply, or does not compile"
    bad=$((bad + 1))
  elif TOCSIN_RANKS=3 timeout 60 "$tmp/test" all >"$tmp/said" 2>&1; then
    echo "$patch is not found by $part"
    bad=$((bad + 1))
  else
    found=$((found + 1))
  fi
done
echo "cpp plants: $found found, $bad not"
[ $bad = 0 ]
