#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slurm_one.sh: to be sourced. slurm_begin FOLDER CPUS makes a Slurm cluster of this one machine, whose daemons run
# in the foreground with files, ports and a key of their own in FOLDER, and sets SLURM_CONF; slurm_end ends them.
# slurm_begin returns 1, and $slurm_why says why, where that cannot be. CPUS may be more than the machine has: so
# many tasks at once, each a CPU of its own to Slurm, which else gives a task the whole machine and looks for
# the next after seconds.
slurm_daemons=
slurm_why=

slurm_end() {
  # shellcheck disable=SC2086
  [ -z "$slurm_daemons" ] || kill $slurm_daemons 2>/dev/null
  wait 2>/dev/null
}

slurm_ports() {
  python3 -c '
import socket
s = [socket.socket() for _ in range(2)]
for x in s: x.bind(("127.0.0.1", 0))
print(*(x.getsockname()[1] for x in s))'
}

slurm_begin() {
  local folder=$1 cpus=$2 one two host program i
  for program in munged slurmctld slurmd srun sinfo; do
    command -v $program >/dev/null || PATH=$PATH:/usr/sbin
    command -v $program >/dev/null || { slurm_why="this machine has no $program"; return 1; }
  done
  [ "$(id -u)" = 0 ] || { slurm_why='slurmd starts tasks as root alone'; return 1; }
  chmod 755 "$folder"
  unset "${!SLURM_@}"
  read -r one two <<<"$(slurm_ports)"
  host=$(hostname -s)
  mkdir "$folder/state" "$folder/spool"
  (umask 077 && head -c 1024 /dev/urandom >"$folder/key")
  cat >"$folder/slurm.conf" <<EOS
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge
SlurmctldPort=$one
SlurmdPort=$two
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
EOS
  export SLURM_CONF=$folder/slurm.conf
  munged --foreground --force --socket="$folder/munge" --key-file="$folder/key" --log-file="$folder/munged.log" \
    --pid-file="$folder/munged.pid" --seed-file="$folder/seed" >"$folder/munged.out" 2>&1 &
  slurm_daemons=$!
  for ((i = 0; i < 100; i++)); do [ -S "$folder/munge" ] && break || sleep 0.1; done
  slurmctld -D >"$folder/slurmctld.out" 2>&1 &
  slurm_daemons+=" $!"
  slurmd -D >"$folder/slurmd.out" 2>&1 &
  slurm_daemons+=" $!"
  for ((i = 0; i < 600; i++)); do
    timeout 10 sinfo -h -o %T 2>/dev/null | grep -qx idle && break
    kill -0 "${slurm_daemons##* }" 2>/dev/null || {
      slurm_why="slurmd ended: $(tail -n 1 "$folder/slurmd.out")"
      return 1
    }
    sleep 0.2
  done
  timeout 100 srun -n 1 true >"$folder/out" 2>&1 && return 0
  slurm_why="this machine runs no srun: $(tail -n 1 "$folder/out" "$folder/slurmd.out" | tr '\n' ' ')"
  return 1
}
