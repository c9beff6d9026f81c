#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# planted.sh DIR CONFIG SEED: the block test DIR/test on Yosys' netlist, in which DIR/mutants.ys lists planted bugs
# (build.sh, MUTANTS). With none of them chosen it passes, and it notices one: they are tried one after the other, since
# some change nothing. `make mutate` judges hundreds of a block; this says that the test has not gone blind.
set -u
dir=$1
shift
run() { TOCSIN_NETLIST=1 TOCSIN_MUTANT=$1 TOCSIN_CYCLES=$2 "$dir/test" --config "$3" --seed "$4" 2>&1; }

out=$(run 0 0 "$@")
bad=$?
printf '%s\n' "$out" | sed '/^[0-9]* cycles$/d'
[ $bad = 0 ] || exit $bad
cycles=$(printf '%s\n' "$out" | sed -n 's/^\([0-9]*\) cycles$/\1/p')
tried=0
for n in $(sed -n 's/^mutate -ctrl mut_sel 16 \([0-9]*\) .*/\1/p' "$dir/mutants.ys"); do
  # One that would not end is ended, which is noticed as well.
  if ! run "$n" $((10 * cycles + 1000)) "$@" >/dev/null; then
    echo "planted bug $n is noticed"
    exit 0
  fi
  tried=$((tried + 1))
done
echo "FAIL: none of $tried planted bugs is noticed (TOCSIN_MUTANT=1 ... of $dir/test; $dir/mutants.ys lists them)"
exit 1
