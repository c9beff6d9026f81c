#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slurm.sh TOCSIN: ranks started by srun, on a cluster of this one machine, whose daemons run in the foreground with files, ports and a key of
# their own and end with this test.
tocsin=$(realpath "$1")
for program in munged slurmctld slurmd srun sinfo; do
  command -v $program >/dev/null || PATH=$PATH:/usr/sbin
  command -v $program >/dev/null || { echo "skipped: this machine has no $program"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd starts tasks as root alone"; exit 0; }
tmp=$(mktemp -d) || exit 3
chmod 755 "$tmp"
daemons=
ended() {
  [ -z "$daemons" ] || kill $daemons 2>/dev/null
  wait 2>/dev/null
  rm -rf "$tmp"
}
trap ended EXIT
unset "${!OMPI_@}" "${!PMI_@}" "${!SLURM_@}" MPI_LOCALNRANKS
read -r one two <<<"$(python3 -c '
import socket
s = [socket.socket() for _ in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))')"
host=$(hostname -s)
mkdir "$tmp/state" "$tmp/spool"
(umask 077 && head -c 1024 /dev/urandom >"$tmp/key")
cat >"$tmp/slurm.conf" <<EOS
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$tmp/munge
SlurmctldPort=$one
SlurmdPort=$two
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
EOS
export SLURM_CONF=$tmp/slurm.conf
munged --foreground --force --socket="$tmp/munge" --key-file="$tmp/key" --log-file="$tmp/munged.log" --pid-file="$tmp/munged.pid" \
  --seed-file="$tmp/seed" >"$tmp/munged.out" 2>&1 &
daemons=$!
for ((i = 0; i < 100; i++)); do [ -S "$tmp/munge" ] && break || sleep 0.1; done
slurmctld -D >"$tmp/slurmctld.out" 2>&1 &
daemons+=" $!"
slurmd -D >"$tmp/slurmd.out" 2>&1 &
daemons+=" $!"
for ((i = 0; i < 600; i++)); do
  timeout 10 sinfo -h -o %T 2>/dev/null | grep -qx idle && break
  sleep 0.2
done
timeout 100 srun -n 1 true >"$tmp/out" 2>&1 || { echo "skipped: this machine runs no srun: $(tail -n 1 "$tmp/out" "$tmp/slurmd.out" | tr '\n' ' ')"; exit 0; }

good=0 bad=0
for p in "dht --n 100" "sort --n 600" "accumulate --n 40 --loss 10" "allreduce --n 2000 --variant both"; do
  right=$("$tocsin" run $p --nodes 4 --seed 3 | sed -n 's/^tocsin: passed, digest //p')
  timeout 300 srun -n 4 --overcommit "$tocsin" run $p --ranks 4 --seed 3 >"$tmp/out" 2>&1 </dev/null
  code=$?
  if [ $code = 0 ] && grep -q "4 ranks by srun" "$tmp/out" && grep -q "^tocsin: passed, digest ${right:-none}$" "$tmp/out"; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    echo "failed: $p under srun, exit code $code, want digest $right; got"
    head -20 "$tmp/out"
  fi
done
echo "$good passed, $bad failed"
[ $bad = 0 ]
