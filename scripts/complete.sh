#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# complete.sh: one concept, one name, found everywhere. Every rtl/*/X.sv needs verif/formal/X_props.svh, a line in
# verif/formal/table.txt and verif/sim/test_X.c; one of the IOMMU model/src/X.c and model/include/tocsin/X.h too, of XTQ and NIC the
# former. What stands elsewhere has a row in scripts/blocks.txt, which says where.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0 checked=0 rows=scripts/blocks.txt table=verif/formal/table.txt

wrong() { echo "$1"; bad=$((bad + 1)); }
there() { checked=$((checked + 1)); [ -e "$1" ] || wrong "${2:-}missing: $1"; }
# elsewhere WORD FILE...: WORD of the row of $m, a point if it has none. True: it names another place, so that no FILE may be there.
elsewhere() {
  [ "$1" != . ] || return 1
  for own in "${@:2}"; do [ ! -e "$own" ] || wrong "$rows: $m: $own exists"; done
}
# places FORMAT LIST: each name of the list, put into FORMAT, is there.
places() { for name in ${2//,/ }; do there "${1//@/$name}" "$rows: $m: "; done; }

model() {
  case $1 in
    beats | time | axi) ;;
    *) places "model/src/@.c" "$1" ;;
  esac
}
block() { # BLOCK FILE [MODEL THEOREMS TEST], words of its row
  m=$1
  props=verif/formal/${m}_props.svh test=verif/sim/test_$m.c src=model/src/$m.c
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

for f in rtl/cm/*.sv rtl/aa/*.sv rtl/xtq/*.sv rtl/nic/*.sv rtl/axi/*.sv rtl/pcie/*.sv; do
  name=$(basename "$f" .sv)
  case $name in *_pkg) continue ;; esac
  read -r -a row <<<"$(awk -v b="$name" '$1 == b { print $2, $3, $4 }' "$rows")"
  block "$name" "$f" "${row[@]}"
done
while read -r name model theorems test _; do
  case $name in '' | '#'*) continue ;; esac
  ls rtl/*/"$name.sv" >/dev/null 2>&1 || wrong "$rows: there is no block $name"
  [ -n "$test" ] || wrong "$rows: $name: not BLOCK MODEL THEOREMS TEST"
  [ "$model $theorems $test" != ". . ." ] || wrong "$rows: $name: all is under its own name: drop the row"
done <"$rows"
[ "$(grep -v '^#' "$rows" | awk 'NF { print $1 }' | sort | uniq -d)" = "" ] || wrong "$rows: a block has two rows"
echo "complete: $checked files asked for, $bad problems"
[ "$bad" = 0 ]
