#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh CLUSTER COMPILER MODEL SOURCE...: every variant of every program under SimGrid with few ranks gives
# the result of one process without any of it, and the same bytes when it is run again; costs follow the table,
# options that cannot be are refused, and a program with a bug in it is found out. SOURCE: what is not in this folder
# (graph/test has tests of its own).
cluster=$1 compiler=$2 model=$3
shift 3
others=$*
here=sw/cluster
. scripts/tally.sh
. $here/test/figure.sh

run() {  # run COSTS PROCS WORD...: its line is in $tmp/out
  local costs=$1 procs=$2
  shift 2
  "$here/run.sh" "${program:-$cluster}" "$here/platform/${platform:-torus}.xml" "$procs" \
    "$@" costs="$costs" >"$tmp/out" 2>"$tmp/err"
}

# every variant, both cost tables, two nodes
digest=''
for v in aa-int aa-poll aa-sp aa-page aa-task rma rma-blocking am am-exp am-ints 'am-onload servers=1'; do
  for costs in paper rtl; do
    # shellcheck disable=SC2086
    if run $here/costs/$costs.txt 34 dht variant=$v per=40 collide=0.25 seed=7 && right; then
      pass
    else
      fail "dht $v $costs"
    fi
    is "collisions of $v" "$(field collisions)" '>' 200
    case $v in
      am-onload*) ;;
      *) [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass ||
        fail "$v has digest $(field digest), others $digest" ;;
    esac
  done
done

# one inserts, one owns; frequent keys; one core and any
for v in aa-poll aa-task rma; do
  if run $here/costs/rtl.txt 33 dht variant=$v per=300 pair=1 collide=0.5 && right; then
    pass
  else
    fail "dht $v of a pair"
  fi
  is "elements of a pair's one inserter" "$(field inserts)" '==' 300
done
run $here/costs/rtl.txt 4 dht variant=aa-poll per=400 cells=13 iotlb=16 ways=16 && even=$(field hits)
run $here/costs/rtl.txt 4 dht variant=aa-poll per=400 cells=13 iotlb=16 ways=16 skew=3 && right && pass ||
  fail 'frequent keys'
is 'hits with frequent keys' "$(field hits)" '>' "1.5 * $even"
cp "$tmp/out" "$tmp/first"
if command -v taskset >/dev/null && taskset -c 0 true 2>/dev/null; then
  taskset -c 0 "$here/run.sh" "$cluster" $here/platform/torus.xml 4 dht variant=aa-poll per=400 cells=13 iotlb=16 \
    ways=16 skew=3 \
    costs=$here/costs/rtl.txt >"$tmp/out" 2>"$tmp/err"
  cmp -s "$tmp/out" "$tmp/first" && pass || fail 'on one core: other bytes'
fi

# the way is longer in a fat tree than in a star, and longer still on a torus; the result is the same
digest='' before=0
for t in star fattree torus; do
  platform=$t run $here/costs/paper.txt 320 dht variant=rma-blocking per=4 && right &&
    [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass ||
    fail "$t has digest $(field digest), others $digest"
  is "time on $t" "$(field ns)" '>' "$before"
  before=$(field ns)
done

# one IOMMU of 32 logs for a node instead of two of 16: the same result; walks wait for its walkers,
# of which there may be more
digest=''
for v in aa-poll aa-sp aa-int aa-task rma; do
  for how in iommus=2 iommus=1 'iommus=1 walkers=16'; do
    # shellcheck disable=SC2086
    if run $here/costs/rtl.txt 34 dht variant=$v per=40 collide=0.25 seed=7 $how && right; then
      pass
    else
      fail "dht $v $how"
    fi
    [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass ||
      fail "$v $how has digest $(field digest), others $digest"
    case $v-$how in
      aa-poll-iommus=2) two=$(field ns) ;;
      aa-poll-iommus=1) one=$(field ns) ;;
      aa-poll-*) more=$(field ns) ;;
    esac
  done
done
is 'one IOMMU for all of a node' "$one" '>' "1.3 * $two"
is 'four times as many walkers' "$more" '<' "$one / 1.3"
run $here/costs/paper.txt 34 getlog variant=aa per=100 iommus=1 && right && pass || fail 'getlog with one IOMMU'

# gets that are logged, in every way: archives end up the same
digest=''
for v in no-ft aa rma am; do
  for costs in paper rtl; do
    if run $here/costs/$costs.txt 34 getlog variant=$v per=300 seed=7 && right; then
      pass
    else
      fail "getlog $v $costs"
    fi
    [ $v = no-ft ] || [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass ||
      fail "getlog $v has digest $(field digest)"
  done
done
run $here/costs/rtl.txt 4 getlog variant=aa per=2000 window=64
is 'gets whose logs were emptied while others waited' "$(field pointers)" '==' 8000

# accesses that are counted, in every way: by pages the counts are the same
digest=''
for v in no-cnt aa a-kv rma allreduce; do
  for costs in paper rtl; do
    if run $here/costs/$costs.txt 64 counter variant=$v per=60 seed=7 && right; then
      pass
    else
      fail "counter $v $costs"
    fi
    [ $v = no-cnt ] || [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass ||
      fail "counter $v has digest $(field digest)"
  done
done
run $here/costs/rtl.txt 4 counter variant=aa per=3000
is 'accesses whose logs were read while others came' "$(field records)" '==' 12000
run $here/costs/rtl.txt 4 counter variant=rma per=100
is 'atomics that count' "$(field atomics)" '==' 400

# a sort, whose last process loses everything and has its keys again: sorted, and all are there
digest=''
for v in no-ft aa rma am; do
  for costs in paper rtl; do
    if run $here/costs/$costs.txt 34 sort variant=$v per=3000 block=512 seed=7 && right; then
      pass
    else
      fail "sort $v $costs"
    fi
    [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass || fail "sort $v has digest $(field digest)"
    [ $v = no-ft ] && is 'recovery without a crash' "$(field recovery_ns)" '==' 0 ||
      is "recovery of $v" "$(field recovery_ns)" '>' 1000
  done
done
run $here/costs/paper.txt 16 sort variant=aa per=8192 && right && pass ||
  fail 'a log that is just as long as what it keeps'
run $here/costs/rtl.txt 2 sort variant=aa per=20000 block=8 && right && pass || fail 'sort with gets of 8 bytes'
is 'gets of 8 bytes that are logged' "$(field pointers)" '>' 15000
for v in no-ft aa rma am; do
  run $here/costs/rtl.txt 5 sort variant=$v per=1 && right && pass || fail "sort $v of fewer keys than processes"
done

# the same again is the same bytes, also with addresses that lie elsewhere
for v in aa-int aa-task rma am-exp; do
  run $here/costs/rtl.txt 34 dht variant=$v per=40 collide=0.25 && cp "$tmp/out" "$tmp/first"
  run $here/costs/rtl.txt 34 dht variant=$v per=40 collide=0.25 && cmp -s "$tmp/out" "$tmp/first" && pass ||
    fail "$v again: other bytes"
  if setarch -R true 2>/dev/null; then
    setarch -R "$here/run.sh" "$cluster" $here/platform/torus.xml 34 dht variant=$v per=40 collide=0.25 \
      costs=$here/costs/rtl.txt >"$tmp/out" 2>"$tmp/err"
    cmp -s "$tmp/out" "$tmp/first" && pass || fail "$v with fixed addresses: other bytes"
  fi
done

# what the IOMMU did is what was asked of it: an interrupt for each ten unread records at most,
# walks where pages are many
run $here/costs/rtl.txt 4 dht variant=aa-page per=100
pages=$(field walks)
is 'walks of one page a process' "$pages" '==' 4
run $here/costs/rtl.txt 4 dht variant=aa-int per=100
is 'walks of random pages' "$(field walks)" '>' "20 * $pages"
is 'interrupts' "$(field intrs)" '>' 4
is 'interrupts' "10 * $(field intrs)" '<=' "$(field inserts)"
run $here/costs/rtl.txt 4 dht variant=aa-poll per=400 iotlb=4 ways=4
few=$(field walks)
run $here/costs/rtl.txt 4 dht variant=aa-poll per=400 iotlb=65536 ways=128
is 'walks with a large IOTLB' "$(field walks)" '<' "$few"

[ "$(field node_in_2_mib)" = false ] && pass || fail 'IOTLBs of 65536 entries take more than 2 MiB'
run $here/costs/rtl.txt 34 dht variant=aa-poll per=10
[ "$(field node_in_2_mib)" = true ] && pass || fail 'a node takes more than 2 MiB'

# a cost that is doubled shows, one that is not used does not
run $here/costs/paper.txt 4 dht variant=aa-poll per=100
one=$(field ns)
sed -E 's/^mem( +)70 /mem\1140 /' $here/costs/paper.txt >"$tmp/slow.txt"
run "$tmp/slow.txt" 4 dht variant=aa-poll per=100
is 'memory of 140 ns' "$(field ns)" '>' "1.3 * $one"
sed -E 's/^intr( +)3000 /intr\19000 /' $here/costs/paper.txt >"$tmp/intr.txt"
run "$tmp/intr.txt" 4 dht variant=aa-poll per=100
is 'interrupts of 9 us that nobody takes' "$(field ns)" '==' "$one"

# tasks: one takes all that has come since the last; a packet that takes longer shows, or fills logs,
# and nothing is lost
run $here/costs/rtl.txt 4 dht variant=aa-task per=400 window=64
is 'tasks' "$(field tasks)" '>' 40
is 'tasks of several records' "2 * $(field tasks)" '<' "$(field records)"
is 'records of all inserts' "$(field records)" '==' 1600
is 'interrupts beside tasks' "$(field intrs) + $(field pointers)" '==' 0
run $here/costs/rtl.txt 4 dht variant=aa-task per=1
one=$(field ns)
sed -E "s/^packet( +)70 /packet\11070 /" $here/costs/rtl.txt >"$tmp/late.txt"
run "$tmp/late.txt" 4 dht variant=aa-task per=1
is 'the last task behind packets of 1 us more' "$(field ns)" '>' "$one + 990"
sed -E "s/^packet( +)70 /packet\1200000 /" $here/costs/rtl.txt >"$tmp/late.txt"
run "$tmp/late.txt" 4 dht variant=aa-task per=2000 window=64 && right && pass || fail 'tasks of full logs'
is 'the time of tasks of full logs' "$(field ns)" '>' '1000 * 1000'
run "$tmp/late.txt" 4 dht variant=aa-poll per=100
late=$(field ns)
run $here/costs/rtl.txt 4 dht variant=aa-poll per=100
is 'packets that nobody reads' "$(field ns)" '==' "$late"

# what cannot be is refused, by name
refused() {  # refused PATTERN WORD...
  local pattern=$1 costs=$2
  shift 2
  ! run "$costs" "${procs:-4}" "${what:-dht}" "$@" && grep -q -e "$pattern" "$tmp/err" && ! right && pass ||
    fail "$*: wanted \"$pattern\""
}
refused 'no such variant' $here/costs/rtl.txt variant=none
refused 'at least one server' $here/costs/rtl.txt variant=am-onload servers=4
refused 'pair: 33 processes' $here/costs/rtl.txt variant=am pair=1
refused 'no such option' $here/costs/rtl.txt variant=am speed=9
refused 'block=64: this program has no such option' $here/costs/rtl.txt variant=am block=64
what=sort refused 'collide=0.5: this program has no such option' $here/costs/rtl.txt variant=aa collide=0.5
what=getlog refused 'pair=0: this program has no such option' $here/costs/rtl.txt variant=aa pair=0
refused 'per=2.5: wanted is a whole number from 1' $here/costs/rtl.txt variant=am per=2.5
refused 'random=0.5: wanted is a whole number from 0' $here/costs/rtl.txt variant=am random=0.5
refused 'window=: wanted' $here/costs/rtl.txt variant=am window=
refused 'collide=nan: wanted is a number from 0' $here/costs/rtl.txt variant=am collide=nan
what=sort refused '2^n bytes' $here/costs/rtl.txt variant=aa block=24
what=dht refused 'so many elements' $here/costs/rtl.txt variant=am per=300000
what=counter procs=6 refused '2^n processes' $here/costs/rtl.txt variant=allreduce
what=counter refused 'window: 1 to 32' $here/costs/rtl.txt variant=aa window=33
refused 'walkers: with these costs' $here/costs/paper.txt variant=aa-poll walkers=8
refused 'iommus=3' $here/costs/rtl.txt variant=aa-poll iommus=3
what=getlog procs=12 refused 'room for 44044288: fewer' $here/costs/rtl.txt variant=rma per=262144
procs=0 refused "'0' processes" $here/costs/rtl.txt variant=am
procs=3x refused "'3x' processes" $here/costs/rtl.txt variant=am
grep -v '^scratch' $here/costs/rtl.txt >"$tmp/lacks.txt"
refused 'it lacks scratch' "$tmp/lacks.txt" variant=am
sed 's/^walkers .*/walkers 4 miles/' $here/costs/rtl.txt >"$tmp/miles.txt"
refused 'no such unit' "$tmp/miles.txt" variant=am
wrong_cost() {  # wrong_cost PATTERN LINE: a table that has this line instead of its own is refused
  sed "s/^${2%% *} .*/$2/" $here/costs/rtl.txt >"$tmp/wrong.txt"
  refused "$1" "$tmp/wrong.txt" variant=aa-poll
}
wrong_cost 'walkers: 0 to 16' 'walkers 40 1'
wrong_cost 'walkers: 0 to 16' 'walkers 0.5 1'
wrong_cost 'no such unit' 'walkers 4 ns'
wrong_cost 'no such unit' 'mem 70 1'
wrong_cost 'not a time' 'mem nan ns'
wrong_cost 'not a time' 'mem inf ns'
wrong_cost 'not name, value, unit' 'mem 70 ns 80'
wrong_cost 'so many MHz' 'clock 250 GHz'

# who is told to end takes what it has started with it
mkdir "$tmp/left"
TMPDIR=$tmp/left $here/run.sh "$cluster" $here/platform/torus.xml 64 dht variant=rma per=200000 \
  costs=$here/costs/rtl.txt >/dev/null 2>&1 &
for _ in {1..6000}; do pgrep -f "smpimain.*$tmp/left" >/dev/null && break || sleep 0.1; done
kill $! && wait $!
code=$?
for _ in {1..6000}; do pgrep -f "$tmp/left" >/dev/null && sleep 0.1 || break; done
[ $code = 143 ] && [ -z "$(ls -A "$tmp/left")" ] && ! pgrep -f "$tmp/left" >/dev/null && pass ||
  fail "a run that was ended has left $(ls -A "$tmp/left") $(pgrep -fa "$tmp/left")"

# bugs that have to be found: each is a patch of one file or more, and all else is compiled once
mkdir "$tmp/obj"
for file in $here/*.c $others; do
  # shellcheck disable=SC2086
  $compiler -c -o "$tmp/obj/$(basename "$file" .c).o" "$file" || exit 1
done
for patch in $here/test/plants/*.patch; do
  rm -rf "$tmp/src" && mkdir "$tmp/src" && cp $here/*.[ch] "$tmp/src/"
  if ! patch -s -d "$tmp/src" -p3 <"$patch"; then
    fail "$patch does not apply"
    continue
  fi
  if put_off; then
    pass
    continue
  fi
  rm -rf "$tmp/all" && cp -r "$tmp/obj" "$tmp/all"
  for file in $(sed -n 's,^+++ b/,,p' "$patch"); do
    # shellcheck disable=SC2086
    $compiler -I"$tmp/src" -c -o "$tmp/all/$(basename "$file" .c).o" "$tmp/src/$(basename "$file")" 2>"$tmp/err" ||
      fail "$patch does not compile"
  done
  # shellcheck disable=SC2086
  $compiler -o "$tmp/planted.so" "$tmp"/all/*.o "$model" -lsimgrid -lm 2>"$tmp/err" || fail "$patch does not link"
  what=$(sed -n 's/^run: //p' "$patch") procs=$(sed -n 's/^procs: //p' "$patch")
  # shellcheck disable=SC2086
  program=$tmp/planted.so run $here/costs/rtl.txt "${procs:-4}" $what
  if right; then fail "$patch is not found"; else pass; fi
done

tally cluster
