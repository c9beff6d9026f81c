# SPDX-License-Identifier: Apache-2.0
# For scripts/plants.sh BUILD COMPILER...: `run:` is the part of the test of irregular.hpp that finds it. The part
# is compiled with the changed headers and has three ranks. A second word, `paged`: on a heap larger than its memory.
# shellcheck shell=bash disable=SC2034,SC2154
mapfile -t sources < <(find sw/include -type f)
build=$1
compiler=("${@:2}")
here=sw/irregular/test/cpp

plant_builds() {
  "${compiler[@]}" "-DPART=test_${run[0]}" -I"$tmp/sw/include" -Isw/include \
    -Imodel/include -o "$tmp/test" $here/main.cpp \
    "$here/${run[0]}.cpp" "$build"/lib/libtocsin-{irregular,driver}.a "$build"/lib/libtocsin.a -lpthread -lm
}

plant_passes() { TOCSIN_RANKS=3 scripts/stuck.py --cpu 60 --idle 20 "$tmp/test" "${run[1]:-all}"; }
