#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh TOCSIN: `tocsin graph` as a user and a program see it: known answers, files, what goes wrong.
tocsin=$1
. scripts/tally.sh

# want CODE PATTERN ARGS...: that exit code, and a line like PATTERN on stdout or stderr
want() {
  local code=$1 pattern=$2 got
  shift 2
  "$tocsin" graph "$@" >"$tmp/out" 2>&1
  got=$?
  judge "graph $*" "$code" "$pattern"
}
graph() { json "$1" "$tocsin" graph "${@:2}"; }  # graph EXPRESSION ARGS...

# published and known answers
graph 'v["count"] == 4130071 and v["valid"] and v["leaves"] == 3305118 and v["depth"] == 10 and v["tree"] == "T1"' uts
graph 'v["count"] == 4112897 and v["valid"] and v["leaves"] == 3599034 and v["depth"] == 1572' uts --tree T3
graph 'v["count"] == 6123 and "valid" not in v and v["leaves"] == 5358' uts \
  --tree-args '-t 0 -b 10 -q 0.124875 -m 8 -r 42'
graph 'v["count"] == 4096 and v["valid"] and v["errors"] == 0' gups --scale 10
graph 'v["count"] == 1000 and v["operations"] == 1000 and v["valid"]' gups --scale 4 --updates 1000
graph 'v["levels"] == [1, 9599, 35658, 1539, 6] and v["valid"] and v["count"] == 46803
  and v["component_edges"] == 1048570 and v["root"] == 16463' bfs --scale 16
graph 'v["levels"] == [1, 29, 10678, 34798, 1290, 7] and v["valid"]' bfs --root 0
graph 'v["levels"] == [1, 12, 178, 50] and v["valid"] and v["edges"] == 4096' bfs --scale 8 --root 0
graph 'v["count"] == 18728 and v["valid"]' cc # 18721 vertices without edges, 46803 in one component, the rest in pairs
graph 'v["valid"] and v["count"] == 46803' sssp
graph 'v["valid"] and v["top"] == 16463' pagerank
graph 'v["valid"] and v["merged_edges"] < 16384' triangles --scale 10
graph 'v["vertices"] == 32 and v["edges"] == 96 and v["valid"]' cc --scale 5 --degree 3 --seed 9

# what is the same has the same digest, and what is not has not
digest() { "$tocsin" graph "$@" --json | sed -n 's/^  "digest": "\(.*\)",/\1/p'; }
same() {
  if [ "$1" ] && [ "$1" "$3" "$2" ]; then pass; else fail "digest $1 $3 $2"; fi
}
printf '# two triangles, a tail and a pair\n0 1\n1 2\n2 0\n2 3\n3 4\n4 2\n4 5\n6 7\n' >"$tmp/text"
printf '%s\r\n' '%%MatrixMarket matrix coordinate pattern symmetric' '% the same' '8 8 8' \
  '8 7' '2 1' '3 2' '3 1' '4 3' '5 4' '5 3' '6 5' >"$tmp/mm"
for p in bfs pagerank cc sssp triangles; do
  same "$(digest $p --input "$tmp/text")" "$(digest $p --input "$tmp/mm")" =
  same "$(digest $p --input "$tmp/text")" "$(digest $p --input - <"$tmp/mm")" =
  same "$(digest $p --scale 8)" "$(digest $p --scale 8 --seed 2)" !=
done
graph 'v["count"] == 2 and v["vertices"] == 8' cc --input "$tmp/text"
graph 'v["count"] == 2' triangles --input "$tmp/mm"
graph 'v["levels"] == [1, 2, 1] and v["root"] == 0' bfs --input <(printf '0 1\n0 2\n2 3\n')
graph 'v["levels"] == [1, 1] and v["count"] == 2 and v["component_edges"] == 1' bfs --input "$tmp/text" --root 7
graph 'v["furthest"] == 5.5 and v["count"] == 3' sssp --root 0 --input <(printf '0 1 2\n1 2 3.5\n0 2 9\n')
graph 'v["count"] == 1 and v["directed"]' sssp --root 2 --directed --input <(printf '0 1 2\n1 2 3.5\n0 2 9\n')
graph 'v["count"] == 2 and v["directed"]' sssp --root 1 \
  --input <(printf '%%%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 7\n2 3 4\n')
same "$(digest pagerank --input "$tmp/text")" "$(digest pagerank --directed --input "$tmp/text")" !=
want 0 '^bfs, serial, 1 rank, 8 vertices, 8 edges, from 2:$' bfs --input "$tmp/text"
want 0 '^6 vertices reached, valid, digest 0x[0-9a-f]+$' bfs --input "$tmp/text"
want 0 '^3987 nodes, not checked, digest' uts --tree-args '-d 5'
want 0 'vertices on each level +1( 1){19} \.\.\.$' bfs --root 0 \
  --input <(for i in {0..40}; do echo "$i $((i + 1))"; done)

# what happened to a rank's node, played again on the model; and not if a byte of it is another
replays() { # CODE PATTERN
  local got
  "$tocsin" replay "$tmp/trace" >"$tmp/out" 2>&1
  got=$?
  judge "replay of graph" "$1" "$2"
}
while read -r program; do
  for of in iommu node; do
    # shellcheck disable=SC2086
    want 0 ', valid, digest' $program --ranks 2 --record "$tmp/trace" --record-of $of --record-node 1
    replays 0 'all as expected'
  done
done <<EOT
gups --scale 6
gups --scale 6 --variant xtq
gups --scale 6 --updates 40 --variant rma
bfs --scale 5 --degree 4
cc --scale 5 --degree 4 --variant am
EOT
# a name of two lines is one line of the trace
want 0 'digest' uts --ranks 2 --record "$tmp/trace" --tree-args $'-t 1 -a 3\n-d 4'
replays 0 'all as expected'
want 2 'go with --record' gups --record-node 0
want 0 ', valid, digest' gups --scale 6 --ranks 2 --record "$tmp/trace" --record-of node --record-node 1
awk '$1 == "E" && !done { sub(/..$/, "5a", $3); done = 1 } { print }' "$tmp/trace" >"$tmp/slip" &&
  mv "$tmp/slip" "$tmp/trace"
replays 1 'trace:[0-9]+: '

# by delegates
graph 'v["variant"] == "aa" and v["ranks"] == 4 and v["valid"] and v["errors"] == 0 and v["aggregation"] > 50
  and v["messages"] < v["delegates"] / 20' gups --scale 12 --ranks 4
graph 'v["variant"] == "xtq" and v["valid"] and v["errors"] == 0 and v["by_kernel"] > v["delegates"] / 2
  and v["aggregation"] > 50' gups --scale 12 --ranks 4 --variant xtq
for program in 'bfs --scale 9' 'cc --scale 9' 'sssp --scale 9' 'pagerank --scale 6' 'triangles --scale 8'; do
  # shellcheck disable=SC2086
  graph "v['variant'] == 'xtq' and v['valid'] and v['by_kernel'] > v['delegates'] / 4
    and v['digest'] == '$(digest $program)'" $program --ranks 4 --variant xtq
done
want 2 'uts has no variant xtq' uts --variant xtq
graph 'v["variant"] == "naive" and v["valid"] and v["aggregation"] == 1 and v["messages"] > v["delegates"]' gups \
  --scale 6 --ranks 3 --variant naive
same "$(digest bfs --scale 8)" "$(digest bfs --scale 8 --ranks 3)" =
same "$(digest bfs --scale 6)" "$(digest bfs --scale 6 --ranks 3 --variant rma)" =
graph 'v["variant"] == "rma" and v["valid"] and v["remote"] > v["edges"]' cc --scale 5 --ranks 4 --variant rma
want 2 'uts has no variant rma' uts --variant rma
same "$(digest pagerank --scale 6)" "$(digest pagerank --scale 6 --ranks 18)" =
want 0 '^bfs, aa, 2 ranks, 256 vertices' bfs --scale 8 --ranks 2

# files that are wrong, by line and reason
printf '0 1\n1 x\n' >"$tmp/bad"
want 3 'bad:2: .x. is no vertex' cc --input "$tmp/bad"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 -1\n' >"$tmp/bad"
want 3 'bad:3: the weight -1 is negative' sssp --input "$tmp/bad"
printf '0 1 1\n1 2 1e308\n2 3 1e308\n' >"$tmp/large"
want 3 'large:2: the weight 1e308 is above 1e\+299' sssp --input "$tmp/large"
want 0 'valid' bfs --input "$tmp/large"
want 3 'bad:4: the file ends after 1 of the 2 entries' cc --input "$tmp/bad" # where weights do not matter
want 3 ': the file is empty$' bfs --input /dev/null
want 3 '/dev/zero:1: a zero byte' bfs --input /dev/zero
want 3 'cannot be read: Is a directory' bfs --input "$tmp"
want 3 'no-such-file. cannot be opened: No such file' bfs --input "$tmp/no-such-file"

# a table eight times its memory: the same digest
want=$("$tocsin" graph gups --scale 14 --updates 3000 --json | sed -n 's/.*"digest": *"\([^"]*\)".*/\1/p')
for how in "" "--ranks 2" "--ranks 3 --variant naive --updates 300"; do
  # shellcheck disable=SC2086
  of=$("$tocsin" graph gups --scale 14 --updates 3000 $how --json | sed -n 's/.*"digest": *"\([^"]*\)".*/\1/p')
  # shellcheck disable=SC2086
  graph "v['valid'] and v['errors'] == 0 and v['digest'] == '$of' and v['memory'] == 16384 and v['pages_read'] > 0" \
    gups --scale 14 --updates 3000 --variant aa $how --memory 16384 --store "$tmp"
done
graph 'v["valid"] and v["count"] == 8' gups --scale 1 --ranks 4 --memory 8192 # two ranks have no words
if compgen -G "$tmp/*gups*" >"$tmp/out"; then fail "a store's file is left"; else pass; fi
want 2 "'4096' is not a number from 8192" gups --memory 4096
want 2 '--memory is a multiple of 4096' gups --variant aa --memory 10000
want 2 '--memory is of variants aa and naive' gups --memory 8192
want 2 '--memory is of variants aa and naive' gups --ranks 2 --variant xtq --memory 8192
want 2 '--store goes with --memory' gups --store "$tmp"
want 2 '.--memory is not understood' uts --memory 8192
want 3 "--store $tmp/none: No such file" gups --variant aa --memory 8192 --store "$tmp/none"

# command lines that make no sense
want 2 'bfs has no variant bark; see tocsin help graph bfs' bfs --variant bark
want 2 'variant aa of gups runs on 64 ranks at most' gups --ranks 65
want 2 'variant serial of gups runs on 1 rank at most' gups --ranks 4 --variant serial
want 2 "'0' is not a number from 1 to 1024" uts --ranks 0
want 2 '--record-of and --record-node go with --record' gups --ranks 2 --record-node 1
want 2 '--record-of moon: it is iommu or node' gups --ranks 2 --record "$tmp/trace" --record-of moon
want 2 '--record-node 2: there are 2 ranks' gups --ranks 2 --record "$tmp/trace" --record-node 2
want 2 '--record: variant serial has no nodes' gups --record "$tmp/trace"
want 2 '--record is of ranks that are in one process' gups --ranks 2 --processes --record "$tmp/trace"
want 3 "cannot be written" gups --scale 4 --ranks 2 --record "$tmp/none/trace"
want 2 'no tree T9' uts --tree T9
want 2 'may never end' uts --tree-args '-t 0 -q 0.5 -m 2'
want 2 'only -t, -a' uts --tree-args 'T1'
want 2 'either --scale or --input' cc --scale 4 --input "$tmp/text"
want 2 '.--directed is said of an --input' pagerank --directed
want 2 '.--degree is of a graph that is made' cc --degree 4 --input "$tmp/text"
want 2 '.--seed is of a graph that is made, and of weights; bfs' bfs --input "$tmp/text" --seed 1
graph 'v["seed"] == 7 and v["valid"]' sssp --seed 7 --input "$tmp/text"
want 2 'one --tree, or one --tree-args' uts --tree T1 --tree-args '-d 5'
graph 'v["scale"] == 10' cc --scale 010 # decimal, or 0x
graph 'v["scale"] == 8' cc --scale 0x8
want 2 "'0x' is not a number" cc --scale 0x
want 2 "'1f' is not a number" cc --scale 1f
want 2 '8 vertices are numbered from 0' sssp --root 8 --input "$tmp/text"
want 2 "'27' is not a number from 1 to 26" triangles --scale 27
want 2 "'0' is not a number" triangles --degree 0
want 2 'needs a value' cc --input
want 2 '.--root is not understood' cc --root 1
want 2 '.--tree is not understood' gups --tree T1
want 2 'bark is not understood' uts bark
want 2 'there is no bark; see tocsin help graph' bark
want 2 'which one.; see tocsin help graph' # nothing more is said
want 0 '--variant serial ' bfs --help
want 0 '--tree T2XXL +10612052303 nodes' uts -h

tally
