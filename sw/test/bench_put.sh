#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_put.sh PROGRAM: instructions of a put by callgrind, one and 16 under way: what 2000 more puts take,
# so that opening does not count.
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 | sed -n 's/.*refs: *//p' | tr -d ,
}
for under_way in 1 16; do
  few=$(count "$1" 500 $under_way) many=$(count "$1" 2500 $under_way)
  [ "$few" ] && [ "$many" ] || { echo "bench_put: callgrind has counted nothing" >&2; exit 1; }
  echo "a put of 8 bytes, $under_way under way: $(((many - few) / 2000)) instructions, both nodes and the library"
done
