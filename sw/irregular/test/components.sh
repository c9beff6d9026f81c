#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# components.sh PROGRAM SEED: the example finds the same components on one rank, on threads and on processes.
set -eu
program=$1 seed=$2
fail() { echo "components: $*"; exit 1; }
found() {
  sed -n "s/^\([0-9]*\) components of 2000 vertices and 1500 edges, on $1 ranks: as found without a network\$/\1/p"
}
said=$(TOCSIN_RANKS=1 "$program" 2000 1500 "$seed") || fail "$said"
want=$(echo "$said" | found 1)
[ "$want" -gt 100 ] || fail "$said"
for ranks in 2 5 4,processes; do
  said=$(TOCSIN_RANKS=$ranks "$program" 2000 1500 "$seed") || fail "$ranks: $said"
  [ "$(echo "$said" | found "${ranks%%,*}")" = "$want" ] || fail "$ranks: $said, and not $want"
  echo "$said"
done
for wrong in 0 x -1 1x; do if "$program" $wrong 2>/dev/null; then fail "takes $wrong for a number of vertices"; fi; done
