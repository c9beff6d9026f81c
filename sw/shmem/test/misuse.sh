#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# misuse.sh BIN MISUSE: what is wrong is said, by name, and ends all PEs; programs end as they say;
# what is not there does not link.
bin=$1 misuse=$2
. scripts/tally.sh

want() {  # want CODE PATTERN COMMAND...
  local code=$1 pattern=$2
  shift 2
  scripts/stuck.py "$@" >"$tmp/out" 2>&1 </dev/null
  local got=$?
  if [ $got = "$code" ] && { [ -z "$pattern" ] || grep -qE -e "$pattern" "$tmp/out"; }; then
    pass
  else
    fail "$*: exit code $got, want $code; want a line like $pattern; got"
  fi
}
two() {  # two CODE PATTERN WHAT
  want "$1" "$2" "$bin/oshrun" --here -n 2 "$misuse" "$3"
}

# A PE that is gone is noticed after half a minute, during which all else is tried.
gone=(vanish-{message,answer,room,word,lock,test,test-lock,signal})
for what in "${gone[@]}"; do
  { scripts/stuck.py "$bin/oshrun" --here -n 2 "$misuse" "$what"; echo "exit code $?"; } >"$tmp/$what" 2>&1 </dev/null &
done

two 1 'shmem_p: there is no PE 99; there are 2' pe
two 1 'shmem_p: there is no PE -1' negative
two 1 'a put of 4 bytes at .*: that is neither in the symmetric heap nor static data' stack
two 1 'a put of 1099511627776 bytes at .*neither' past
two 1 'an atomic of 4 bytes at .*neither' private
two 1 'an atomic of 8 bytes at .*not aligned' unaligned
two 1 'shmem_iput: a stride of 0' stride
two 1 'shmem_put: .* elements of 1 bytes' many
two 1 'shmem_put: 2305843009213693953 elements of 8 bytes' wraps
two 1 'shmem_iput: 2305843009213693952 elements of 8 bytes' stride-wraps
two 1 'shmem_malloc or shmem_align: PE . calls it with other arguments' sizes
two 1 'shmem_free: .* was not given out by shmem_malloc' free
two 1 'shmem_free: .* or is free already' twice-free
two 1 'shmem_align: an alignment of 24; it is a power of two' align
two 1 'shmem_wait_until: there is no comparison 17' comparison
two 1 'PE . is in another collective.* of a (barrier|broadcast) came .* of a (broadcast|barrier)' other
two 1 'PE . is in another collective.* of a reduction by (sum|max) .* of a reduction by (max|sum)' operation
two 1 'PE . is in another collective.* of a barrier of another team came' teams
two 1 'shmem_broadcast: PE_root is 2; there are 2 PEs' root
two 1 'shmem_barrier: this PE is not in the active set' set
two 1 'shmem_team_sync: the team is SHMEM_TEAM_INVALID' team
two 1 'two threads of this PE are in collectives of one team at once' threads
two 1 'shmem_set_lock: this PE has the lock already' lock
two 1 'shmem_clear_lock: this PE does not have the lock' clear
two 1 'PE 1: shmem_clear_lock: this PE does not have the lock' clear-others
two 1 'PE 0: shmem_set_lock: this PE has the lock already' lock-waited
two 1 'shmem_put_signal: there is no sig_op 9' signal
two 1 'shmem_my_pe is called before shmem_init' early
two 1 'shmem_init is called twice' twice
two 1 'shmem_p is called after shmem_finalize' late
two 7 '' exit
two 0 '' exit-well
# At once: this takes half a second of the processor, and waiting for those that are gone takes minutes.
want 0 '' scripts/stuck.py --cpu 10 "$bin/oshrun" --here -n 8 "$misuse" exit-all
two 3 '' leave
two 6 '' exit-busy
two 6 '' leave-busy
two 137 'a PE has died by signal 9' killed
two 134 'a PE has died by signal 6' stubborn
# Children that oshrun had before it was oshrun are no PEs; a caller that ignores how children end changes nothing.
want 0 '' sh -c "sh -c 'sleep 0.1; exit 9' & exec '$bin/oshrun' --here -n 2 sleep 1"
want 5 '' env --ignore-signal=CHLD "$bin/oshrun" --here -n 2 sh -c 'exit 5'
two 0 '' unfinished
two 0 '' finished
two 0 '' forked
for size in lots 64X 64MX 1.5.2M M -1M nan ''; do
  SHMEM_SYMMETRIC_SIZE=$size two 1 "SHMEM_SYMMETRIC_SIZE is '$size', which is no size" finished
done
SHMEM_SYMMETRIC_SIZE=1T two 1 "SHMEM_SYMMETRIC_SIZE is '1T', more than 1e12 bytes" finished
SMA_SYMMETRIC_SIZE=lots two 1 "SMA_SYMMETRIC_SIZE is 'lots', which is no size" finished
for size in 4194304 4096k 4M 4MB 0.004G; do SHMEM_SYMMETRIC_SIZE=$size two 0 '' finished; done
want 1 'TOCSIN_SHMEM_RANK is 3, of 1 PEs' env TOCSIN_SHMEM_RANKS=1 TOCSIN_SHMEM_RANK=3 "$misuse" finished
want 1 "TOCSIN_SHMEM_RANKS is '4294967297', which is no number" \
  env TOCSIN_SHMEM_RANKS=4294967297 TOCSIN_SHMEM_RANK=0 "$misuse" finished
SHMEM_VERSION=1 two 0 'Tocsin .*, OpenSHMEM 1.5' finished
want 2 'how many PEs' "$bin/oshrun" "$misuse"
want 2 'not 65' "$bin/oshrun" -n 65 "$misuse"
want 2 'there is no option --fast' "$bin/oshrun" --fast "$misuse"
printf '#!/bin/sh\necho "mpirun (Open MPI) 4.1.4"\nexit 1\n' >"$tmp/mpirun" && chmod +x "$tmp/mpirun"
if [ "$(id -u)" = 0 ]; then
  want 0 'does not run for root' env -u OSHRUN_MPIRUN PATH="$tmp:$PATH" "$bin/oshrun" -n 1 true
  want 1 'mpirun .Open MPI' env -u OSHRUN_MPIRUN PATH="$tmp:$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 \
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$bin/oshrun" -n 1 true
fi
want 127 'no-such-program: No such file' "$bin/oshrun" --here -n 1 ./no-such-program
want 2 'oshcc: no input' "$bin/oshcc"
printf 'void *shmem_team_ptr(void *, const void *, int);\nint main(void) { return shmem_team_ptr(0, 0, 0) != 0; }\n' \
  >"$tmp/new.c"
want 1 'undefined reference to .shmem_team_ptr' "$bin/oshcc" -o "$tmp/new" "$tmp/new.c"

wait
for what in "${gone[@]}"; do
  cp "$tmp/$what" "$tmp/out"
  grep -q '^exit code 1$' "$tmp/out" && grep -qE 'PE 0: .*, PE 1: TOC_E_(PEER_GONE|STOPPED)' "$tmp/out" && pass ||
    fail "$what: PE 0 does not say that PE 1 is gone"
done

tally misuse
