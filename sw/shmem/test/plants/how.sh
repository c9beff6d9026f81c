# SPDX-License-Identifier: Apache-2.0
# For scripts/plants.sh BUILD COMPILER...: `run:` is a test and a number of PEs. What is changed is compiled anew
# and linked in the place of its file.
# shellcheck shell=bash disable=SC2034,SC2154
sources=(sw/shmem/*.[ch])
build=$1
compiler=("${@:2}")

plant_builds() {
  local name=${run[0]} file=${changed##*/} objects
  mapfile -t objects < <(find "$build/shmem/plain" -name '*.o' ! -name all.o ! -name own.o ! -name "${file%.c}.o")
  "${compiler[@]}" -I"$tmp/sw/shmem" -c -o "$tmp/changed.o" "$tmp/$changed" &&
    { [ -f "$tmp/$name.o" ] || "${compiler[@]}" -c -o "$tmp/$name.o" "sw/shmem/test/test_$name.c"; } &&
    "${compiler[@]}" -o "$tmp/test" "$tmp/$name.o" "$tmp/changed.o" "${objects[@]}" "$build"/lib/libtocsin-driver.a \
      "$build"/lib/libtocsin.a -pthread -lm
}

# The longest of these tests takes three seconds of the processor; what waits for ever here asks again and again.
plant_passes() { scripts/stuck.py --cpu 12 --idle 20 "$build/bin/oshrun" --here -n "${run[1]}" "$tmp/test"; }
