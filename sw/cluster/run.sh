#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh CLUSTER PLATFORM PROCS PROGRAM NAME=VALUE...: one simulated run; the line of JSON goes to stdout. 0: it says
# that the result is right; else 1, or 2 if there cannot be so many processes. Who is told to end leaves nothing behind.
# Every rank's time is charged, so nothing of SimGrid's own guesses about hosts and MPI libraries is wanted: factors 1,
# overheads 0, no injected computation. A node has 32 processes and two ranks for its devices; with CLUSTER_ALONE=1 one
# process, and all devices together are one rank.
set -eu
cluster=$1 platform=$2 procs=$3
shift 3
case $procs in
  '' | 0* | *[!0-9]*) echo "run.sh: '$procs' processes: wanted is a whole number from 1" >&2 && exit 2 ;;
esac
tmp=$(mktemp -d) pid=''
trap 'rm -rf "$tmp"' EXIT
ended() {  # ended STATUS: by a signal
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  wait
  exit "$1"
}
trap 'ended 129' HUP
trap 'ended 130' INT
trap 'ended 143' TERM
awk -v p="$procs" -v alone="${CLUSTER_ALONE:-0}" 'BEGIN {
  each = alone ? 1 : 32
  for (i = 0; i < p; i++) print "node" int(i / each)
  if (alone) print "node0"
  else for (i = 0; i * each < p; i++) print "node" i "\nnode" i
}' >"$tmp/hosts"
# behind, and waited for: a shell looks for signals only then. SimGrid ends well also where all ranks wait for ever.
smpirun ${CLUSTER_WRAP:+-wrapper "$CLUSTER_WRAP"} -np "$(wc -l <"$tmp/hosts")" -hostfile "$tmp/hosts" \
  -platform "$platform" \
  --cfg=smpi/simulate-computation:no --cfg=smpi/privatization:no --cfg=smpi/async-small-thresh:65536 \
  --cfg=smpi/coll-selector:ompi --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=surf/precision:1e-12 \
  --cfg=smpi/wtime:0 --cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=network/weight-S:0 \
  --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:0 --cfg=contexts/stack-size:512 \
  --log=root.thres:error "$cluster" "$@" procs="$procs" >"$tmp/out" &
pid=$!
wait "$pid" || true
pid=''
cat "$tmp/out"
grep -q '^{.*"right": true}$' "$tmp/out"
