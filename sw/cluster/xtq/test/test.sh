#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh XTQ COMPILER MODEL: what is launched, accumulated and reduced, in every way, is right and the same;
# twice the same bytes; costs follow the table and what the models did; options that cannot be are refused;
# a program with a bug in it is found out.
xtq=$1 compiler=$2 model=$3
here=sw/cluster
. scripts/tally.sh
. $here/test/figure.sh

shown() { grep -v '^Execution\|--cfg' "$tmp/err" | head -5; }
run() {  # run COSTS PROCS WORD...: its line is in $tmp/out
  local costs=$1 procs=$2
  shift 2
  CLUSTER_ALONE=1 "$here/run.sh" "${program:-$xtq}" "$here/platform/star.xml" "$procs" \
    "$@" costs="$costs" >"$tmp/out" 2>"$tmp/err"
}
same() {  # same WHAT A B
  if awk "BEGIN { d = ($2) - ($3); exit !(d < 0.01 && d > -0.01) }"; then pass; else fail "$1: $2 is not $3"; fi
}

# a launch in its phases: they are the whole; XTQ's has no processor in it, HSA's has
for size in 64 4096; do
  for costs in paper rtl; do
    digest=''
    for v in cpu hsa xtq; do
      run $here/costs/$costs.txt 2 launch variant=$v bytes=$size seed=7 && right && pass ||
        fail "launch $v $size $costs"
      [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass || fail "launch $v: other bytes in the vector"
      phases="$(field post) + $(field wire) + $(field store) + $(field handle)"
      same "phases of $v" "$(field ns)" "$phases + $(field read) + $(field kernel) + $(field seen)"
      case $v in
        cpu) is 'tasks of the processor' "$(field tasks)" '==' 0 ;;
        hsa) is 'the processor between message and doorbell' "$(field handle)" '>' 150 && hsa=$(field ns) ;;
        xtq) is 'the processor between message and doorbell' "$(field handle)" '==' 0 &&
          is 'a launch' "$(field ns)" '<' "$hsa" ;;
      esac
    done
  done
done
[ "$(field node_in_2_mib)" = true ] && pass || fail 'a node takes more than 2 MiB'

# what does not fit whole lines, packets or pieces; chunks; several cores
for size in 8 24 4096 4104 40000; do
  for p in accumulate reduce 'reduce parts=4'; do
    digest=''
    for v in cpu hsa xtq 'cpu cores=8'; do
      # shellcheck disable=SC2086
      run $here/costs/rtl.txt 2 $p variant=$v bytes=$size && right && pass || fail "$p $v $size"
      [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass || fail "$p $v $size: other bytes in the vector"
    done
  done
done

# allreduces, also of numbers of processes that are no power of two
for n in 2 3 5 8 16; do
  digest=''
  for a in ring 'ring parts=4' halving 'halving parts=4'; do
    case $a-$n in halving*-[35]) continue ;; esac
    for v in cpu hsa xtq; do
      # shellcheck disable=SC2086
      run $here/costs/rtl.txt $n allreduce algorithm=$a variant=$v bytes=100008 rounds=2 && right && pass ||
        fail "allreduce $a $v of $n"
      [ "${digest:=$(field digest)}" = "$(field digest)" ] && pass ||
        fail "allreduce $a $v of $n: other bytes in the vectors"
    done
  done
done

for v in cpu hsa xtq; do
  run $here/costs/rtl.txt 3 allreduce variant=$v bytes=24 && right && pass ||
    fail "allreduce $v of an element a process"
done

run $here/costs/rtl.txt 2 allreduce variant=xtq bytes=4096 && right && ! grep -q '"handle"' "$tmp/out" && pass ||
  fail 'phases of an allreduce, of which two messages are under way at once'

# a target that says each time that it is ready: the same, and later by the way there
run $here/costs/rtl.txt 2 reduce variant=xtq bytes=4096 && ready=$(field ns) && digest=$(field digest)
run $here/costs/rtl.txt 2 reduce variant=xtq bytes=4096 sync=1 && right && [ "$digest" = "$(field digest)" ] && pass ||
  fail 'reduce with sync'
is 'a reduction that asks first' "$(field ns)" '>' "$ready + 500"
run $here/costs/rtl.txt 8 allreduce algorithm=halving variant=xtq bytes=100008 sync=1 && right && pass ||
  fail 'allreduce with sync'

# work of the application beside an allreduce: the result stays, and it costs the processor that adds itself the most
for v in cpu xtq; do
  run $here/costs/rtl.txt 4 allreduce variant=$v bytes=400000 && alone=$(field ns) && digest=$(field digest)
  run $here/costs/rtl.txt 4 allreduce variant=$v bytes=400000 compute="$alone" && right && pass ||
    fail "allreduce $v beside work"
  [ "$digest" = "$(field digest)" ] && pass || fail "allreduce $v beside work: other bytes in the vectors"
  is "$v beside as much work" "$(field ns)" '>' "$alone"
  over[${#over[@]}]=$(awk "BEGIN { print $(field ns) / $alone }")
done
is 'an allreduce by tasks beside work' "${over[1]}" '<' "${over[0]} - 0.1"

# a node takes its vector, half as much for what comes, and 2 MiB: what has been added is not kept
for v in cpu hsa xtq; do
  CLUSTER_ALONE=1 python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$here/run.sh" "$xtq" $here/platform/star.xml \
    32 allreduce algorithm=halving variant=$v bytes=4194304 rounds=1 warm=0 costs=$here/costs/rtl.txt \
    >"$tmp/peak" 2>"$tmp/err"
  is "KiB of 32 nodes with vectors of 4 MiB ($v)" "$(cat "$tmp/peak")" '<' '1024 * (32 * (4 + 2 + 2) + 40)'
done

# the same again is the same bytes, also with addresses that lie elsewhere
for v in cpu hsa xtq; do
  run $here/costs/rtl.txt 5 allreduce variant=$v bytes=100008 && cp "$tmp/out" "$tmp/first"
  run $here/costs/rtl.txt 5 allreduce variant=$v bytes=100008 && cmp -s "$tmp/out" "$tmp/first" && pass ||
    fail "$v again: other bytes"
  if setarch -R true 2>/dev/null; then
    CLUSTER_ALONE=1 setarch -R "$here/run.sh" "$xtq" $here/platform/star.xml 5 allreduce variant=$v bytes=100008 \
      costs=$here/costs/rtl.txt >"$tmp/out" 2>"$tmp/err"
    cmp -s "$tmp/out" "$tmp/first" && pass || fail "$v with fixed addresses: other bytes"
  fi
done

# a cost that is changed shows where it is used, and nowhere else; a page that is met for the first time is walked to
slow() {  # slow NAME VARIANT: how much longer a launch takes with a cost of 200 ns
  run $here/costs/paper.txt 2 launch variant="$2" && local before && before=$(field ns)
  sed -E "s/^$1 +[0-9.]+ +ns/$1 200 ns/" $here/costs/paper.txt >"$tmp/slow.txt"
  run "$tmp/slow.txt" 2 launch variant="$2"
  awk "BEGIN { print $(field ns) - $before }"
}
same 'packets that take 130 ns more' "$(slow packet xtq)" 130
same 'packets that nobody reads' "$(slow packet cpu)" 0
same 'two doorbells of 130 ns more (HSA)' "$(slow doorbell hsa)" 260
same 'one doorbell of 130 ns more (XTQ)' "$(slow doorbell xtq)" 130
run $here/costs/rtl.txt 2 reduce variant=xtq bytes=409600 rounds=1 warm=0
is 'walks to 100 pages, read and written' "$(field walks)" '>=' 200
run $here/costs/rtl.txt 2 reduce variant=hsa bytes=409600 rounds=4
is 'walks to the same pages four times' "$(field walks)" '<' 300

# what cannot be is refused, by name
refused() {  # refused PATTERN PROCS WORD...
  local pattern=$1 procs=$2
  shift 2
  run $here/costs/rtl.txt "$procs" "$@"
  grep -q -e "$pattern" "$tmp/err" && ! right && pass || fail "$*: wanted \"$pattern\""
}
refused 'no such variant' 2 launch variant=gpu
refused 'no such program' 2 scatter variant=cpu
refused 'of 2 processes' 3 reduce variant=cpu
refused 'allreduce alone' 2 reduce algorithm=ring variant=cpu
refused 'a power of two' 6 allreduce algorithm=halving variant=cpu
refused 'whole elements' 8 allreduce variant=cpu bytes=32
refused 'whole elements' 3 allreduce variant=xtq bytes=16
refused 'whole elements' 2 allreduce variant=xtq algorithm=halving bytes=8
refused 'rounds: fewer, or fewer parts' 2 accumulate variant=cpu bytes=262144 parts=64 rounds=500
refused 'rounds: fewer, or fewer bytes' 2 reduce variant=xtq bytes=268435456 rounds=16
refused 'no such option' 2 launch variant=cpu speed=9
refused 'no such algorithm' 2 allreduce variant=cpu algorithm=tree

# bugs that have to be found: each is a patch of one file, and all else is compiled once
mkdir "$tmp/obj"
for file in $here/cost.c $here/choice.c $here/xtq/*.c; do
  $compiler -c -o "$tmp/obj/$(basename "$file" .c).o" "$file" || exit 1
done
for patch in $here/xtq/test/plants/*.patch; do
  rm -rf "$tmp/src" && mkdir -p "$tmp/src/xtq" && cp $here/cost.[ch] $here/choice.[ch] "$tmp/src/" &&
    cp $here/xtq/*.[ch] "$tmp/src/xtq/"
  if ! patch -s -d "$tmp/src" -p3 <"$patch"; then
    fail "$patch does not apply"
    continue
  fi
  if put_off; then
    pass
    continue
  fi
  file=$(basename "$(sed -n 's,^+++ b/,,p' "$patch")" .c)
  if ! $compiler -I"$tmp/src" -c -o "$tmp/planted.o" "$tmp/src/xtq/$file.c" 2>"$tmp/err" ||
    ! $compiler -o "$tmp/planted.so" $(find "$tmp/obj" -name '*.o' ! -name "$file.o") "$tmp/planted.o" "$model" \
    -lsimgrid -lm 2>"$tmp/err"; then
    fail "$patch does not compile"
    continue
  fi
  what=$(sed -n 's/^run: //p' "$patch")
  # shellcheck disable=SC2086
  program=$tmp/planted.so run $here/costs/rtl.txt $what
  if right; then fail "$patch is not found"; else pass; fi
done

tally xtq
