# SPDX-License-Identifier: Apache-2.0
# For scripts/plants.sh BUILD COMPILER...: `run:` is a test of sw/test and its arguments. What is changed is compiled
# anew and linked in the place of its file.
# shellcheck shell=bash disable=SC2034,SC2154
sources=(sw/lib/*.[ch])
build=$1
compiler=("${@:2}")

plant_builds() {
  local file=${changed##*/} objects
  mapfile -t objects < <(find "$build/sw/plain" -maxdepth 1 -name '*.o' ! -name "${file%.c}.o")
  "${compiler[@]}" -I"$tmp/sw/lib" -c -o "$tmp/changed.o" "$tmp/$changed" &&
    "${compiler[@]}" -c -o "$tmp/test.o" "sw/test/test_${run[0]}.c" &&
    "${compiler[@]}" -o "$tmp/test" "$tmp/test.o" "$tmp/changed.o" "${objects[@]}" "$build/lib/libtocsin.a" -pthread -lm
}

plant_passes() { scripts/stuck.py --cpu 60 --idle 20 "$tmp/test" "${run[@]:1}"; }
