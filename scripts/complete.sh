#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# complete.sh: one concept, one name, found everywhere. Every rtl/*/X.sv needs verif/formal/X_props.svh and
# verif/sim/test_X.c; one of the IOMMU, model/include/tocsin/X.h and model/src/X.c too, of XTQ and NIC the latter; every one a line in
# verif/formal/table.txt. What is excepted stands, with a reason, in scripts/complete.except: `<path> <reason>`.
set -u
cd "$(dirname "$0")/.." || exit 2
bad=0 checked=0 except=scripts/complete.except table=verif/formal/table.txt

need() {
  checked=$((checked + 1))
  excepted=$(awk -v p="$1" '$1 == p && NF > 3 { print "yes" }' "$except")
  if [ -e "$1" ]; then
    [ -z "$excepted" ] || { echo "$except: $1 exists, drop its exception"; bad=$((bad + 1)); }
  elif [ -z "$excepted" ]; then
    echo "missing: $1"
    bad=$((bad + 1))
  fi
}

for f in rtl/cm/*.sv rtl/aa/*.sv rtl/xtq/*.sv rtl/nic/*.sv rtl/axi/*.sv rtl/pcie/*.sv; do
  m=$(basename "$f" .sv)
  case $m in *_pkg) continue ;; esac
  need "verif/formal/${m}_props.svh"
  need "verif/sim/test_$m.c"
  case $m in aa_*) need "model/include/tocsin/$m.h"; need "model/src/$m.c" ;; esac
  case $m in xtq_* | nic_*) need "model/src/$m.c" ;; esac
  if [ -e "verif/formal/${m}_props.svh" ]; then
    grep -q "\"${m}_props.svh\"" "$f" || { echo "$f does not include ${m}_props.svh"; bad=$((bad + 1)); }
    grep -q "^$m[[:space:]]" "$table" || { echo "no row in $table: $m"; bad=$((bad + 1)); }
  fi
done
echo "complete: $checked files asked for, $bad problems"
[ "$bad" = 0 ]
