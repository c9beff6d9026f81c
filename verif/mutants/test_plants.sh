#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of scripts/plants.sh: what a test has to do with a planted bug to find it. Here `run:` is the test's name; each
# reads a file that the bugs change from `good` to something else.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export stuck="$root/scripts/stuck.py"
mkdir plants && echo good >what
cat >plants/how.sh <<'E2'
sources=(what)
plant_builds() { true; }
plant_passes() {
  case ${run[0]} in
    sees) grep -qx good "$tmp/what" ;;
    blind) true ;;
    hangs) grep -qx good "$tmp/what" || "$stuck" --idle 1 sleep 1000 ;;
    spins) grep -qx good "$tmp/what" || "$stuck" --cpu 0.2 sh -c 'while :; do :; done' ;;
    stuck) "$stuck" --idle 1 sleep 1000 ;;
    lacks) "$stuck" "$tmp/no-such-program" ;;
    crashes) grep -qx good "$tmp/what" || sh -c 'kill -SEGV $$' ;;
    killed) sh -c 'kill -KILL $$' ;;
  esac
}
E2
bad=0
# expect CODE WORDS TEST: how plants.sh ends with a bug for this test, and what it says
expect() {
  printf 'run: %s\n--- a/what\n+++ b/what\n@@ -1 +1 @@\n-good\n+bad\n' "$3" >plants/bug.patch
  code=0
  out=$(PLANTS=all "$root/scripts/plants.sh" plants 2>&1) || code=$?
  case $code:$out in
    "$1:"*"$2"*) ;;
    *) echo "FAIL: $3: $code for $1, and no \"$2\" in: $out"; bad=1 ;;
  esac
}
expect 0 '1 found, 0 not' sees
expect 1 'is not found by blind' blind
expect 0 'plants/bug.patch: stuck: nothing of sleep has run for 1 s' hangs
expect 0 '1 found, 0 not' crashes
expect 0 'plants/bug.patch: spins: sh has used 0.2 s of processor time' spins
expect 1 'stuck does not pass without it; stuck.py: stuck: nothing of sleep has run' stuck
expect 1 'lacks does not pass without it' lacks
expect 1 'killed does not pass without it' killed
[ $bad = 0 ] && echo "plants.sh: 8 cases"
exit $bad
