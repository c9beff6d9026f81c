#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# report.sh TB PLANT: what u_check of the example says of a planted difference, as README.md shows it, without what
# Verilator says of the end.
set -eu
# The program ends with an abort, as it should.
out=$(sh -c '"$0" "+plant=$1" 2>&1' "$1" "$2" 2>/dev/null) || true
echo "$out" | awk '/first difference/ { on = index($0, "u_check") > 0 } /%Error/ { on = 0 } /^planted/ { next } on' |
  grep . | sed 's/^/    /'
