#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh CLUSTER COMPILER MODEL TOCSIN SUITE...: the simulated programs of the suite of irregular programs,
# in every way: they end with what `tocsin graph` ends with natively, and with the same bytes when they are run again;
# aggregates are as large as they may be; a program with a bug in it is found out.
cluster=$1 compiler=$2 model=$3 tocsin=$4
shift 4
suite=$*
here=sw/cluster
. scripts/tally.sh
. $here/test/figure.sh

run() {  # run COSTS PROCS WORD...: its line is in $tmp/out
  local costs=$here/costs/$1.txt procs=$2
  shift 2
  "$here/run.sh" "${program:-$cluster}" "$here/platform/torus.xml" "$procs" "$@" costs="$costs" >"$tmp/out" 2>"$tmp/err"
}
native() {
  "$tocsin" graph "$@" --json >"$tmp/native" &&
    printf %016x "$(sed -nE 's/.*"digest": "(0x[0-9a-f]*)".*/\1/p' "$tmp/native")"
}

ways='naive aa-one mp am aa rma'
two_levels='am aa'

# every way, one or two levels, both tables of costs, on one node and on two, of which the second is not full
every() {  # every PROGRAM DIGEST WORD...
  local digest=$2 p=$1 v
  shift 2
  for v in $ways; do
    run rtl 11 "$p" variant="$v" "$@" && right && pass || fail "$p $v"
    [ "$digest" ] && [ "$(field digest)" = "$digest" ] && pass || fail "$p $v: digest $(field digest), natively $digest"
    run paper 40 "$p" variant="$v" ${other:-"$@"} && right && pass || fail "$p $v, 40 processes"
  done
  for v in $two_levels; do
    run rtl 40 "$p" variant="$v" levels=2 ${other:-"$@"} && right && pass || fail "$p $v, two levels"
    is "delegates of $p that went by another process" "$(field parts)" '>' "$(field delegates)"
  done
}
again() {  # again PROCS WORD...: the same bytes
  run rtl "$@" && right && cp "$tmp/out" "$tmp/first" && run rtl "$@" && cmp -s "$tmp/out" "$tmp/first" && pass ||
    fail "$*, again: other bytes"
}

other='per=60 scale=14 seed=1000000000' every gups "$(native gups --scale 12 --updates 3300)" per=300 scale=12
other='scale=7 seed=3' every bfs "$(native bfs --scale 8)" scale=8
# a tree, by all that walk it; T1 and T3 have the sizes that are published
ways='naive aa-one mp am aa rma' two_levels='' other='scale=5 compute=50' \
  every uts "$(native uts --tree-args '-t 1 -a 3 -d 6 -b 4 -r 19')" scale=6 compute=100
run rtl 11 uts variant=rma compute=100 && right && pass || fail 'T1 by rma'
is 'nodes of T1' "$(field inserts)" '==' 4130071
[ "$(field digest)" = "$(native uts)" ] && pass || fail "T1: digest $(field digest)"
run paper 40 uts variant=aa-one tree=T3 compute=100 && right && pass || fail 'T3 by active puts'
is 'nodes of T3' "$(field inserts)" '==' 4112897
[ "$(field digest)" = "$(native uts --tree T3)" ] && pass || fail "T3: digest $(field digest)"
run rtl 1 uts variant=aa scale=4 && right && pass || fail 'uts of one process'
run rtl 32 uts variant=aa scale=7 compute=100
is 'nodes of an answer in one active put' "$(field parts)" '>' "$(field messages) + 1000"
is 'speed of 32 processes that walk nodes of 100 ns' "$(field per_second)" '>' 32e7/4
again 11 uts variant=aa scale=5 compute=50

# the other programs of graphs
two_levels='am aa'
for p in cc sssp triangles; do
  other='scale=7 seed=3' every $p "$(native $p --scale 7)" scale=7
  again 11 $p variant=rma scale=6
done
other='scale=6 seed=3 tolerance=0.01' every pagerank "$(native pagerank --scale 6)" scale=6
run rtl 4 sssp variant=rma scale=9 && right && pass || fail 'sssp by rma, larger'
run rtl 3 triangles variant=rma scale=9 && right && pass || fail 'rows of more than one process by rma'
[ "$(field digest)" = "$(native triangles --scale 9)" ] && pass || fail "triangles of scale 9: digest $(field digest)"

again 40 gups variant=aa levels=2 per=60
again 11 bfs variant=aa scale=7
again 11 gups variant=rma per=60 seed=1000000000

# words that many are after at once: swaps that come too late are tried again
run rtl 11 gups variant=rma per=300 scale=4 seed=1000000000 && right && pass || fail 'gups of 16 words by rma'
is 'swaps that came too late' "$(field atomics)" '>' 4000

# aggregates have what they may have, and what does not wait is alone
run rtl 4 gups variant=aa per=4000 seed=1000000000
is 'delegates of an aggregate of 4096 bytes' "$(field parts) / $(field messages)" '>' 200
is 'records' "$(field records)" '==' "$(field messages)"
run rtl 4 gups variant=aa per=4000 seed=1000000000 most=40
is 'delegates of an aggregate of 40 bytes' "2 * $(field messages) - $(field parts)" '<' 13
run rtl 4 gups variant=am per=4000 seed=1000000000 && right && pass || fail 'buffers that come round'
run rtl 4 gups variant=mp per=4000 seed=1000000000
is 'delegates of a message' "$(field parts)" '==' "$(field messages)"
run rtl 1 gups variant=aa per=100 && right && pass || fail 'gups of one process'
is 'messages of one process' "$(field messages)" '==' 0

refused() {  # refused PATTERN WORD...
  run rtl 4 "${@:2}"
  grep -q -e "$1" "$tmp/err" && ! right && pass || fail "${*:2}: wanted \"$1\""
}
refused 'variants are' gups variant=none
refused 'levels=2' gups variant=mp levels=2
refused 'Graph500' bfs variant=aa seed=0
refused 'first update' gups variant=aa seed=0
refused 'Graph500' cc variant=aa seed=0
refused 'scale: 21' triangles variant=aa scale=22
refused 'tolerance' pagerank variant=aa tolerance=0
refused 'tree: T1' uts variant=aa tree=T9
refused 'geometric' uts variant=aa tree=T3 scale=5
refused 'levels' uts variant=aa levels=2
refused 'most: an aggregate' uts variant=am most=32
refused 'seed=3: this program has no such option' uts variant=aa seed=3
refused 'tolerance=0.1: this program has no such option' cc variant=aa tolerance=0.1
refused 'tree=T3: this program has no such option' bfs variant=aa tree=T3
refused 'most=16: wanted' gups variant=aa most=16

# bugs that have to be found: each is a patch of one file
mkdir "$tmp/obj"
for f in $here/*.c $here/graph/*.c $suite; do
  # shellcheck disable=SC2086
  $compiler -c -o "$tmp/obj/$(echo "$f" | tr / _).o" "$f" || exit 1
done
for patch in $here/graph/test/plants/*.patch; do
  file=$(sed -n 's,^+++ b/,,p' "$patch")
  object=$(echo "$file" | tr / _).o
  rm -rf "$tmp/src" && mkdir "$tmp/src" && cp "$file" "$tmp/src/"
  # shellcheck disable=SC2086
  if ! patch -s "$tmp/src/$(basename "$file")" "$patch"; then
    fail "$patch does not apply"
    continue
  fi
  if put_off; then
    pass
    continue
  fi
  # shellcheck disable=SC2086
  if ! $compiler -I"$(dirname "$file")" -c -o "$tmp/src/$object" "$tmp/src/$(basename "$file")" 2>"$tmp/err" ||
    ! $compiler -o "$tmp/planted.so" $(find "$tmp/obj" -name '*.o' ! -name "$object") "$tmp/src/$object" "$model" \
    -lsimgrid -lm 2>"$tmp/err"; then
    fail "$patch does not compile"
    continue
  fi
  # shellcheck disable=SC2046
  program=$tmp/planted.so run rtl $(sed -n 's/^run: //p' "$patch")
  if right; then fail "$patch is not found"; else pass; fi
done

tally cluster/graph
