#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# says.sh COSIM MAKE: what lockstep says of a difference that it is made to find (--slip): block, seed, field, got and
# want; and the line of make that it prints repeats it, in the same cycle, with waves.
set -u
cosim=$1
make=$2
dir=$(dirname "$cosim")
log=$dir/says.log

fail() {
  echo "FAIL $*"
  sed 's/^/  | /' "$log"
  exit 1
}

# says SLIP BLOCK TEXT: the run fails so.
says() {
  "$cosim" --n 300 --seed 3 --quiet --once --slip "$1" >"$log" 2>&1 && fail "--slip $1: nothing is found"
  grep -q "^block$2\$" "$log" || fail "--slip $1: want block$2"
  grep -qE "^$3\$" "$log" || fail "--slip $1: want $3"
}

says event ' (a guess):  nic_event (SrcEvent)' \
  'event of process [0-9]+ at [0-9a-f]+, field status: got [0-9a-f]+, want [0-9a-f]+'
says task ' (a guess):  xtq_write (SrcTask)' \
  'task of process [0-9]+ at [0-9a-f]+, field (kernarg_address|arg\[3\]): got [0-9a-f]+, want [0-9a-f]+'
says data ' (a guess):  nic_decide (SrcResp)' \
  'data of QP [0-9]+, process [0-9]+, byte 0 of [0-9]+ at [0-9a-f]+: got [0-9a-f]+, want [0-9a-f]+'
says frame ' (a guess):  nic_tx' 'frame of [0-9]+ bytes, opcode [0-9a-f]+, field PSN: got [0-9a-f]+, want [0-9a-f]+'
says register ' (a guess):  nic_regs' 'NIC_DMA, field MPS: .*got [0-9a-f]+ want [0-9a-f]+'
says memory '  memory' \
  'memory of process 0 at 1, event at place 0, field status: got 55, want [0-9a-f]+; the first of 1 bytes that differ'

# A case by its number, of a list that fails.
"$cosim" --hostile 29,30 --seed 2 --slip frame >"$log" 2>&1 && fail "--hostile 29,30: nothing is found"
grep -q '^again  make cosim TOP=xtq CONFIG=default SEED=2 ARGS="--hostile 29 --slip frame" WAVES=1$' "$log" ||
  fail 'want the line of make that repeats case 29'

says event ' (a guess):  nic_event (SrcEvent)' '.*'
first=$(sed -n '/^cycle/,/want/p' "$log" | head -3)
line=$(sed -n 's/^again  make //p' "$log")
[ -n "$line" ] || fail 'want a line of make'
rm -f "$dir/wave.fst"
eval "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS $make $line REPORT=$dir" >"$log" 2>&1 && fail "make $line: passes"
[ "$(sed -n '/^cycle/,/want/p' "$log" | head -3)" == "$first" ] || fail "make $line: is not the same: $first"
grep -q "^waves  $dir/wave.fst\$" "$log" && [ -s "$dir/wave.fst" ] || fail "make $line: want waves in $dir/wave.fst"
rm -f "$dir/wave.fst"
echo "7 differences told by field; make $line repeats the last"
