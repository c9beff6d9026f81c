#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_example.sh DIR: the examples built in DIR/example, against DIR/prefix. Everything agrees without a plant;
# with one, each checker that can see it reports it once, in the cycle in which the bent wire was first taken,
# with the stream named here.
set -u
dir=$1 bad=0 n=0
fail() {
  bad=$((bad + 1))
  echo "FAILED $1"
  echo "$2" | sed 's/^/  /'
}

# check WHAT OUTPUT PATTERN...: every pattern (a basic regular expression) is found
check() {
  what=$1 text=$2
  shift 2
  for p in "$@"; do
    n=$((n + 1))
    echo "$text" | grep -q -e "$p" || fail "$what: no line with: $p" "$text"
  done
}

# report CHECKER OUTPUT: its report alone
report() { echo "$2" | awk -v who="$1" '/first difference/ { on = index($0, who) > 0 } /^planted/ { next } on'; }

out=$("$dir/example/model" 2>&1) || fail "model: exit $?" "$out"
check model "$out" "to the host: MWr32 to 40008, 2 DW" "in the log: 32 bytes, the put's data 12345678"

tb=$dir/example/obj_dir/tb
out=$(scripts/stuck.py "$tb" 2>&1) || fail "no plant: exit $?" "$out"
check "no plant" "$out" "^8 TLPs to the host, 8 completions: all as the model says"
echo "$out" | grep -q difference && fail "no plant: a difference" "$out"

# plant | stream that u_check must name | stream that u_ports must name, or - if it cannot see it | a line
# of either's report
while IFS='|' read -r plant full ports line; do
  # (the inner shell keeps its word about the abort to itself)
  out=$(sh -c 'scripts/stuck.py "$0" "+plant=$1" 2>&1' "$tb" "$plant" 2>/dev/null) && fail "$plant: exit 0" "$out"
  cycle=$(echo "$out" | sed -n 's/^planted in cycle //p')
  [ -n "$cycle" ] || fail "$plant: nothing planted" "$out"
  check "$plant, u_check" "$(report u_check "$out")" "^cycle  $cycle\$" "^stream $full\$" "$line" "^got  " "^want "
  if [ "$ports" = - ]; then
    n=$((n + 1))
    [ -z "$(report u_ports "$out")" ] || fail "$plant: u_ports sees what it cannot" "$out"
  else
    check "$plant, u_ports" "$(report u_ports "$out")" "^cycle  $cycle\$" "^stream $ports\$" "$line" "^got  " "^want "
  fi
done <<EOT
addr|host_req|host_req of port 1, non-posted|header word 2 differs, field address: got 21100 want 20100
cpl|dev_cpl 1|dev_cpl 1|header word 1 differs, field ByteCount: got
log|m_axi id 0|-|^entry at 8000, log 0, field data, byte 0, in memory at 8010
EOT

echo "cosim-example: $n checks, $bad failed"
[ "$bad" = 0 ]
