# SPDX-License-Identifier: Apache-2.0
# figure.sh: to be sourced by the tests of cluster.so and xtq.so, behind scripts/tally.sh: what the line of JSON
# in $tmp/out says. Errors are in $tmp/err.
# shellcheck shell=bash disable=SC2154
shown() { head -5 "$tmp/err"; }
field() { sed -E "s/.*\"$1\": \"?([^\",}]*).*/\1/" "$tmp/out"; }
right() { grep -q "^{.*\"right\": true}$" "$tmp/out"; }
# every third bug is planted, and all by PLANTS=all (make plants); of the others it is seen that they apply
planted=0
put_off() { planted=$((planted + 1)) && [ "${PLANTS:-}" != all ] && [ $((planted % 3)) != 1 ]; }
is() {  # is WHAT A OP B
  if awk "BEGIN { exit !($2 $3 $4) }"; then pass; else fail "$1: $2 is not $3 $4"; fi
}
