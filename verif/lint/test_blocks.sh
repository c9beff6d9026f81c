#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A block that there is not is refused by what checks blocks: none of them has checked it. Nor does `make test` take
# what would have its tests look at less.
set -u
bad=0 n=0
# refused WORDS COMMAND...: it fails, and says so
refused() {
  words=$1 n=$((n + 1))
  shift
  out=$("$@" 2>&1) && { echo "FAILED: it ends well: $*"; bad=1; }
  case $out in
    *"$words"*) ;;
    *) echo "FAILED: $* says no \"$words\": $out"; bad=1 ;;
  esac
}
refused 'there is no verif/sim/test_cm_nothing.c' make --no-print-directory sim BLOCK=cm_nothing
refused 'no row of: cm_nothing' make --no-print-directory formal BLOCK='cm_skid cm_nothing'
refused 'no row of: cm_nothing' make --no-print-directory formal-rows BLOCK='cm_skid cm_nothing'
refused 'there is no module cm_nothing' scripts/lint.py cm_skid cm_nothing
refused 'there is no block cm_nothing' scripts/mutate.py --smoke --block cm_skid --block cm_nothing
refused 'there is no block cm_nothing' scripts/mutate.py --quick --block cm_nothing
refused 'there is no block test of nic_dma' scripts/mutate.py --quick --block nic_dma
for v in BLOCK=cm_skid CYCLES=1 PLANT=addr; do
  refused "it takes no $v" make --no-print-directory -o need-sim -o need-lint -o need-formal test "$v"
  refused "it takes no $v" env "$v" make --no-print-directory -o need-sim -o need-lint -o need-formal test
done
[ $bad = 0 ] && echo "names of blocks: $n cases"
exit $bad
