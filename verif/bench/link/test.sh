#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PROGRAM COMPILER LINKER OBJECTS: points of each way are right, take the cycles that aa_iommu promises,
# and are the same bytes when they are run again; a bench with a bug in it is found out, by itself or by these cycles.
prog=$1 compiler=$2 linker=$3 objects=$4
here=verif/bench/link
. scripts/tally.sh

shown() { :; }  # each check names what it has seen
point() { "${run:-$prog}" dir="$1" mode="$2" way="$3" bytes="$4" >"$tmp/out" 2>"$tmp/err"; }
field() { sed -E "s/.*\"$1\": ([^,}]*).*/\1/" "$tmp/out"; }
late() { echo $((($(field cycles) - $(field bare)) / $(field packets))); }  # cycles a packet
is() {  # is WHAT A OP B
  if [ "$2" "$3" "$4" ]; then pass; else fail "$1: $2 is not $3 $4"; fi
}

# All that is promised of cycles; what fails is said, and counted in `bad`.
cycles() {
  local d
  for d in put get; do
    for way in off hit ring page deep meta data; do
      point $d stream $way 256 && pass || fail "$d $way: $(cat "$tmp/out" "$tmp/err")"
    done
    point $d stream hit 64 && is "$d: a stream of hits" "$(field cycles)" -eq "$(field bare)"
    point $d stream data 64 && is "$d: a stream that is logged, 16 bytes more each 64" \
      $((4 * $(field cycles))) -eq $((5 * $(field bare)))
    point $d alone hit 8 && hit=$(late) || fail "$d alone: $(cat "$tmp/err")"
    is "$d alone" "$hit" -eq $([ $d = put ] && echo 5 || echo 10)
    point $d alone page 8 && is "$d: a miss of one load of 18 cycles" $(($(late) - hit)) -ge 19 &&
      is "$d: a miss" $(($(late) - hit)) -le 23
    point $d alone deep 8 && is "$d: four loads" $(($(late) - hit)) -ge 76 &&
      is "$d: four loads" $(($(late) - hit)) -le 80
  done
}
cycles
for words in 'put stream ring 1514' 'get alone page 64'; do
  # shellcheck disable=SC2086
  point $words && cp "$tmp/out" "$tmp/first" && point $words && cmp -s "$tmp/out" "$tmp/first" && pass ||
    fail "$words: other bytes"
done
for words in 'put stream hit 3' 'put stream hit 5000' 'put stream none 64' 'up stream hit 64'; do
  # shellcheck disable=SC2086
  point $words
  is "an option that cannot be ($words)" $? -eq 2
done
if [ $bad -gt 0 ]; then
  tally bench-link
  exit 1
fi

# Bugs: each is seen by what stands above.
plant() {  # plant WHAT SED
  sed -E "$2" $here/bench_link.c >"$tmp/planted.c"
  cmp -s "$tmp/planted.c" $here/bench_link.c && fail "$1: nothing was changed" && return
  # shellcheck disable=SC2086
  if ! { $compiler -c -o "$tmp/planted.o" "$tmp/planted.c" &&
    $linker -o "$tmp/planted" "$tmp/planted.o" $objects; }; then
    fail "$1: does not build"
    return
  fi
  local seen
  seen=$(bad=0 run="$tmp/planted" && cycles | grep -c failed)
  is "$1: found" "$seen" -gt 0
}
plant 'pages lie elsewhere' 's/(leaf.pa = DRIVER_DATA \+ PAGE \* )\(uint64_t\)i;/\1(uint64_t)(i ^ 1);/'
plant 'pages share their tables' 's/FAR_STEP \(1ULL << 33\)/FAR_STEP (1ULL << 12)/'
plant 'the ring fits into the IOTLB' 's/RING_PAGES = 512/RING_PAGES = 16/'
plant 'nothing is logged' 's/bool log = [^,]*, data/bool log = false, data/'
plant 'a cycle too few is counted' 's/r.cycles \+= f->b->cycle - in;/r.cycles += f->b->cycle - in - 1;/'
tally bench-link
