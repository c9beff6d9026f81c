#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# complete.sh: one concept, one name, found everywhere. Every X.sv of rtl needs verif/formal/X_props.svh, a line
# in verif/formal/table.txt and verif/sim/test_X.c; one of the IOMMU model/src/aa/X.c and model/include/tocsin/X.h too,
# of XTQ and NIC the former. What stands elsewhere has a row in scripts/blocks.txt, which says where. Each test also
# runs on the netlist, or says why not (`// no netlist: WHY`).
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0 checked=0 rows=scripts/blocks.txt table=verif/formal/table.txt

wrong() { echo "$1"; bad=$((bad + 1)); }
there() { checked=$((checked + 1)); [ -e "$1" ] || wrong "${2:-}missing: $1"; }
# elsewhere WORD FILE...: WORD of the row of $m, a point if it has none. True: it names another place,
# so that no FILE may be there.
elsewhere() {
  [ "$1" != . ] || return 1
  for own in "${@:2}"; do [ ! -e "$own" ] || wrong "$rows: $m: $own exists"; done
}
# places FORMAT LIST: each name of the list, put into FORMAT, is there.
places() { for name in ${2//,/ }; do there "${1//@/$name}" "$rows: $m: "; done; }

# c_of NAME: its file of the model, on the shelf of its engine.
c_of() { echo "model/src/${1%%_*}/$1.c"; }

model() {
  case $1 in
    beats | time | axi) ;;
    *) for name in ${1//,/ }; do there "$(c_of "$name")" "$rows: $m: "; done ;;
  esac
}
block() { # BLOCK FILE [MODEL THEOREMS TEST], words of its row
  m=$1
  props=verif/formal/${m}_props.svh test=verif/sim/test_$m.c src=$(c_of "$m")
  case ${4:-.} in . | wires) ;; *) wrong "$rows: $m: theorems are wires, or a point: $4" ;; esac
  if ! elsewhere "${4:-.}" "$props"; then
    there "$props"
    grep -qs "\"${m}_props.svh\"" "$2" || wrong "$2 does not include ${m}_props.svh"
    grep -q "^$m[[:space:]]" "$table" || wrong "no row in $table: $m"
  fi
  case ${5:-.} in
    .) there "$test" ;;
    */*) elsewhere "$5" "$test" && places @ "$5" ;;
    *) elsewhere "$5" "$test" && places verif/sim/test_@.c "$5" ;;
  esac
  if elsewhere "${3:-.}" "$src"; then
    model "$3"
  else
    case $m in aa_*) there "$src"; there "model/include/tocsin/$m.h" ;; xtq* | nic_*) there "$src" ;; esac
  fi
}

for f in rtl/{cm,aa,xtq,nic,axi,pcie}/*.sv rtl/{aa,nic}/*/*.sv; do
  name=$(basename "$f" .sv)
  case $name in *_pkg) continue ;; esac
  read -r -a row <<<"$(awk -v b="$name" '$1 == b { print $2, $3, $4 }' "$rows")"
  block "$name" "$f" "${row[@]}"
done
while read -r name model theorems test _; do
  case $name in '' | '#'*) continue ;; esac
  [ -n "$(compgen -G "rtl/*/$name.sv")$(compgen -G "rtl/*/*/$name.sv")" ] || wrong "$rows: there is no block $name"
  [ -n "$test" ] || wrong "$rows: $name: not BLOCK MODEL THEOREMS TEST"
  [ "$model $theorems $test" != ". . ." ] || wrong "$rows: $name: all is under its own name: drop the row"
done <"$rows"
for t in verif/sim/test_*.c; do
  checked=$((checked + 1))
  grep -qE '^// (no )?netlist: ' "$t" ||
    wrong "$t: no line \`// netlist: CONFIG\`: tools may differ in what they read"
done
[ "$(grep -v '^#' "$rows" | awk 'NF { print $1 }' | sort | uniq -d)" = "" ] || wrong "$rows: a block has two rows"
echo "complete: $checked files asked for, $bad problems"
[ "$bad" = 0 ]
