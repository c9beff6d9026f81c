#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# checkpoint.sh TOCSIN COMPILER LIBRARIES: checkpoints are the same in every way in which the CPU's writes
# can be seen here, and in the naive version; the pages of puts are told apart from those of the CPU;
# and a program with a bug in it is found out.
tocsin=$1 compiler=$2 libraries=$3
apps=sw/apps
. scripts/tally.sh

number() { sed -n "s/^  $1  *\([0-9.]*\) .*/\1/p" "$tmp/out"; }
digest() { sed -n 's/.*: passed, digest //p' "$tmp/out"; }

for run in '--n 400 --nodes 2' '--n 900 --nodes 5 --loss 20'; do
  # shellcheck disable=SC2086
  "$tocsin" run checkpoint $run --seed 5 --variant naive >"$tmp/out" 2>&1 && want=$(digest) && [ -n "$want" ] &&
    pass || fail "naive $run"
  pages='' ways=''
  for way in userfaultfd soft-dirty faults everything; do
    # shellcheck disable=SC2086
    TOCSIN_CPU_WRITES=$way "$tocsin" run checkpoint $run --seed 5 >"$tmp/out" 2>&1
    if grep -q 'this kernel has it not' "$tmp/out"; then
      [ $way = userfaultfd ] || [ $way = soft-dirty ] && pass || fail "$way works everywhere"
      continue
    fi
    [ "$(digest)" = "$want" ] && pass || fail "$way $run: not what the naive version saves"
    [ $way = everything ] && continue
    ways+=" $way"
    saved=$(number 'pages saved') puts=$(number 'pages with puts') cpu=$(number 'pages that the CPU wrote')
    [ "${pages:=$saved $puts $cpu}" = "$saved $puts $cpu" ] && pass ||
      fail "$way $run: other pages: $saved $puts $cpu, not $pages"
    # both wrote; neither alone, nor both together, is what is saved
    [ "$puts" -gt 0 ] && [ "$cpu" -gt 0 ] && [ "$saved" -gt "$puts" ] && [ "$saved" -gt "$cpu" ] &&
      [ "$saved" -lt $((puts + cpu)) ] &&
      pass || fail "$way $run: $saved pages saved, $puts of puts, $cpu of the CPU"
    [ "$saved" -lt 2048 ] && pass || fail "$way $run: all pages saved"
  done
  [ -n "$ways" ] && pass || fail "no way to see the CPU's writes"
done
TOCSIN_CPU_WRITES=moon "$tocsin" run checkpoint --n 40 >"$tmp/out" 2>&1
[ $? = 2 ] && grep -q 'TOCSIN_CPU_WRITES=moon: no such way' "$tmp/out" && pass || fail 'a way that there is not'

# bugs that have to be found: each is a patch, and says by which program, and which way the kernel has to have
for f in "$apps"/*.c; do $compiler -c -o "$tmp/$(basename "$f" .c).o" "$f" || exit 1; done
$compiler -c -o "$tmp/run_checkpoint.main" "$apps/test/run_checkpoint.c" &&
  $compiler -c -o "$tmp/test_cpu_writes.main" \
  "$apps/test/test_cpu_writes.c" || exit 1
run_planted() {  # run_planted PROGRAM WORD...: linked with what was compiled last
  local program=$1
  shift
  # shellcheck disable=SC2086
  $compiler -o "$tmp/planted" -x none "$tmp"/*.o "$tmp/$program.main" $libraries -lpthread \
    -lm >"$tmp/out" 2>&1 || return 9
  "$tmp/planted" "$@" >"$tmp/out" 2>&1
}
run_planted run_checkpoint 400 2 5 && pass || fail 'no bug is planted, and one is found'
for patch in "$apps"/test/plants/*.patch; do
  way=$(sed -n 's/^needs: //p' "$patch")
  [[ -z $way || " $ways " = *" $way "* ]] || { echo "skipped in part: $patch: this kernel has no $way"; continue; }
  file=$(sed -n 's/^+++ b\/sw\/apps\/\(.*\)\.c$/\1/p' "$patch")
  cp "$tmp/$file.o" "$tmp/right" && cp "$apps/$file.c" "$tmp/planted.c"
  if ! patch -s "$tmp/planted.c" <"$patch" || ! $compiler -c -o "$tmp/$file.o" "$tmp/planted.c" 2>"$tmp/out"; then
    fail "$patch does not apply, or does not compile"
  else
    # shellcheck disable=SC2046
    eval "$(sed -n 's/^run: \(.*=[^ ]* \)*\(.*\)/\1 run_planted \2/p' "$patch")"
    case $? in 0) fail "$patch is not found" ;; 9) fail "$patch does not link" ;; *) pass ;; esac
  fi
  mv "$tmp/right" "$tmp/$file.o"
done

tally checkpoint
