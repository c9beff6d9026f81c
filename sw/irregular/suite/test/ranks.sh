#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ranks.sh TOCSIN: the published trees, the updates and the searches at scale 16 on many ranks: the counts
# and levels that are known.
tocsin=$1
. scripts/tally.sh

graph() { json "v['valid'] and $1" "$tocsin" graph "${@:2}"; }  # graph EXPRESSION ARGS...
digest() { "$tocsin" graph "$@" --json | sed -n 's/^  "digest": "\(.*\)",/\1/p'; }

bfs=$(digest bfs)
for ranks in 1 4 64; do
  graph "v['levels'] == [1, 9599, 35658, 1539, 6] and v['digest'] == '$bfs' and v['ranks'] == $ranks" bfs --variant aa \
    --ranks $ranks
done
graph "v['levels'] == [1, 9599, 35658, 1539, 6] and v['digest'] == '$bfs'" bfs --variant am --ranks 16
graph 'v["levels"] == [1, 29, 10678, 34798, 1290, 7]' bfs --root 0 --ranks 16
graph 'v["count"] == 4130071 and v["leaves"] == 3305118 and v["depth"] == 10 and v["asked"] > 0' uts --ranks 4
graph 'v["count"] == 4112897 and v["leaves"] == 3599034 and v["depth"] == 1572' uts --tree T3 --ranks 20
graph "v['errors'] == 0 and v['digest'] == '$(digest gups --scale 16)'" gups --scale 16 --ranks 64
graph "v['digest'] == '$(digest sssp --scale 14)'" sssp --scale 14 --ranks 8
graph "v['digest'] == '$(digest cc --scale 14)'" cc --scale 14 --ranks 8
graph "v['digest'] == '$(digest triangles --scale 12)'" triangles --scale 12 --ranks 8
graph "v['digest'] == '$(digest pagerank --scale 10)'" pagerank --scale 10 --ranks 8

tally
