#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slurm.sh TOCSIN: ranks started by srun, on a cluster of this one machine, whose daemons run in the foreground
# with files, ports and a key of their own and end with this test.
tocsin=$(realpath "$1")
. scripts/tally.sh
. scripts/slurm_one.sh
ended() {
  slurm_end
  rm -rf "$tmp"
}
trap ended EXIT
unset "${!OMPI_@}" "${!PMI_@}" MPI_LOCALNRANKS
slurm_begin "$tmp" 1 || { echo "skipped: $slurm_why"; exit 0; }

for p in "dht --n 100" "sort --n 600" "accumulate --n 40 --loss 10" "allreduce --n 2000 --variant both"; do
  right=$("$tocsin" run $p --nodes 4 --seed 3 | sed -n 's/^tocsin: passed, digest //p')
  scripts/stuck.py srun -n 4 --overcommit "$tocsin" run $p --ranks 4 --seed 3 >"$tmp/out" 2>&1 </dev/null
  code=$?
  if [ $code = 0 ] && grep -q "4 ranks by srun" "$tmp/out" &&
    grep -q "^tocsin: passed, digest ${right:-none}$" "$tmp/out"; then
    pass
  else
    fail "$p under srun, exit code $code, want digest $right; got"
  fi
done
tally
