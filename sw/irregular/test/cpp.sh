#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cpp.sh PROGRAM: the test of irregular.hpp on one rank, on threads and on processes; and each way
# to fail says what it was.
set -u
program=$1 bad=0 n=0
unset TOCSIN_RANKS TOCSIN_LINK

# want RANKS RC TEXT WORD: ends so, and says that
want() {
  local said rc
  said=$(TOCSIN_RANKS=$1 "$program" "$4" 2>&1)
  rc=$?
  n=$((n + 1))
  [ $rc = "$2" ] && grep -qF -- "$3" <<<"$said" && return
  bad=$((bad + 1))
  echo "FAILED TOCSIN_RANKS=$1 $program $4: ends with $rc, and not with $2 and: $3"
  head -30 <<<"$said"
}

for ranks in 1 2 5 4,processes; do want $ranks 0 "all parts passed on ${ranks%%,*} ranks" all; done
for ranks in 1 3 2,processes; do want $ranks 0 "all parts passed on ${ranks%%,*} ranks" paged; done
for ranks in 3 3,processes; do
  want $ranks 1 "rank 2: a task that nobody waits for" task-throws
  want $ranks 1 "rank 2: a delegate that nobody waits for" told-throws
  want $ranks 1 "1 tasks are blocked, and nothing is left that could wake them" stuck
  want $ranks 1 "thrown by main" main-throws
  want $ranks 1 "an exception of an unknown type" main-throws-3
  want $ranks 1 "the program runs on 2 ranks, and 3 are started" two-ranks
done
want 2,processes 0 "" two-ranks
want 3 0 "" twice
want 3,processes 1 "gone" dies
want 3,processes 1 "gone" too-deep
want 3,processes 1 "stack overflow: a task has used more than the" too-deep
for wrong in 0 65 4x 4,rank=1 4,root=h:1 4,rank=4,root=h:1 x; do
  want $wrong 1 "TOCSIN_RANKS is '$wrong'; it can be 4" all
done
echo "cpp: $n runs, $bad failed"
[ $bad = 0 ]
