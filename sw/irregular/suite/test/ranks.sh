#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ranks.sh TOCSIN: the published trees, the updates and the searches at scale 16 on many ranks: the counts and levels that are known.
tocsin=$1
good=0 bad=0

json() {
  local test=$1
  shift
  if "$tocsin" graph "$@" --json 2>&1 | python3 -c "import json, sys; v = json.load(sys.stdin); sys.exit(not (v['valid'] and $test))"; then
    good=$((good + 1))
  else
    bad=$((bad + 1))
    printf 'failed: graph %s --json: not %s\n' "$*" "$test"
  fi
}
digest() { "$tocsin" graph "$@" --json | sed -n 's/^  "digest": "\(.*\)",/\1/p'; }

bfs=$(digest bfs)
for ranks in 1 4 64; do
  json "v['levels'] == [1, 9599, 35658, 1539, 6] and v['digest'] == '$bfs' and v['ranks'] == $ranks" bfs --variant aa --ranks $ranks
done
json "v['levels'] == [1, 9599, 35658, 1539, 6] and v['digest'] == '$bfs'" bfs --variant am --ranks 16
json 'v["levels"] == [1, 29, 10678, 34798, 1290, 7]' bfs --root 0 --ranks 16
json 'v["count"] == 4130071 and v["leaves"] == 3305118 and v["depth"] == 10 and v["asked"] > 0' uts --ranks 4
json 'v["count"] == 4112897 and v["leaves"] == 3599034 and v["depth"] == 1572' uts --tree T3 --ranks 20
json "v['errors'] == 0 and v['digest'] == '$(digest gups --scale 16)'" gups --scale 16 --ranks 64
json "v['digest'] == '$(digest sssp --scale 14)'" sssp --scale 14 --ranks 8
json "v['digest'] == '$(digest cc --scale 14)'" cc --scale 14 --ranks 8
json "v['digest'] == '$(digest triangles --scale 12)'" triangles --scale 12 --ranks 8
json "v['digest'] == '$(digest pagerank --scale 10)'" pagerank --scale 10 --ranks 8

echo "$good passed, $bad failed"
[ $bad = 0 ]
