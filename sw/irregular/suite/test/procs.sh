#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# procs.sh TOCSIN: ranks that are processes come to the results of ranks in one process; what cannot
# be is refused by name.
tocsin=$1
. scripts/tally.sh
unset TOCSIN_RANKS TOCSIN_LINK

shown() { :; }  # each check names what it has seen
check() {
  text=$1
  shift
  if "$@"; then pass; else fail "$text"; fi
}
# What is the same: all but times, traffic, and who asked whom how often.
result() { "$@" --json 2>&1 | sed -n '/"digest"\|"count"\|"valid"\|"levels"\|"errors"\|"leaves"/p'; }

small_tree='-t 1 -a 3 -d 6 -b 4 -r 19'
while read -r ranks program; do
  # shellcheck disable=SC2086
  set -- $program
  [ "$1" = uts ] && set -- uts --tree-args "$small_tree"
  want=$(result "$tocsin" graph "$@" --ranks "$ranks")
  got=$(result "$tocsin" graph "$@" --ranks "$ranks" --processes)
  check "$program on $ranks processes: $got, want $want" test "$want" -a "$got" = "$want"
done <<EOT
4 gups --scale 12
4 uts
4 bfs --scale 8
4 bfs --scale 8 --root 0
3 cc --scale 8
3 sssp --scale 8
2 pagerank --scale 6
3 triangles --scale 8
2 gups --scale 6 --variant naive
2 gups --scale 12 --memory 8192
2 gups --scale 10 --variant xtq
4 gups --scale 12 --variant xtq
4 bfs --scale 8 --variant xtq
3 cc --scale 8 --variant xtq
2 sssp --scale 8 --variant xtq
2 pagerank --scale 6 --variant xtq
3 triangles --scale 8 --variant xtq
EOT

# by a launcher, which says how many
if command -v mpirun >/dev/null; then
  want=$(result "$tocsin" graph bfs --scale 8 --ranks 3)
  got=$(result mpirun --allow-run-as-root --oversubscribe -n 3 "$tocsin" graph bfs --scale 8)
  check "by mpirun: $got, want $want" test "$got" = "$want"
else
  echo "skipped in part: no mpirun"
fi

refused() { ! said=$("$tocsin" graph "$@" 2>&1) && grep -qF -- "$text" <<<"$said"; }
check "--processes takes 2 to 64 --ranks" refused gups --processes
check "variant am of gups runs in one process" refused gups --processes --ranks 2 --variant am
check "variant serial of gups runs on 1 rank at most" refused gups --processes --ranks 2 --variant serial
tally
