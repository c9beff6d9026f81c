#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh CLUSTER PLATFORM PROCS PROGRAM NAME=VALUE...: one simulated run; the line of JSON goes to stdout.
# Every rank's time is charged, so nothing of SimGrid's own guesses about hosts and MPI libraries is wanted: factors 1,
# overheads 0, no injected computation. A node has 32 processes and two ranks for its devices; with CLUSTER_ALONE=1 one
# process, and all devices together are one rank.
set -eu
cluster=$1 platform=$2 procs=$3
shift 3
hosts=$(mktemp) && trap 'rm -f "$hosts"' EXIT
awk -v p="$procs" -v alone="${CLUSTER_ALONE:-0}" 'BEGIN {
  each = alone ? 1 : 32
  for (i = 0; i < p; i++) print "node" int(i / each)
  if (alone) print "node0"
  else for (i = 0; i * each < p; i++) print "node" i "\nnode" i
}' >"$hosts"
smpirun ${CLUSTER_WRAP:+-wrapper "$CLUSTER_WRAP"} -np "$(wc -l <"$hosts")" -hostfile "$hosts" -platform "$platform" \
  --cfg=smpi/simulate-computation:no --cfg=smpi/privatization:no --cfg=smpi/async-small-thresh:65536 \
  --cfg=smpi/coll-selector:ompi --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=surf/precision:1e-12 \
  --cfg=smpi/wtime:0 --cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=network/weight-S:0 \
  --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:0 --cfg=contexts/stack-size:512 \
  --log=root.thres:error "$cluster" "$@" procs="$procs"
