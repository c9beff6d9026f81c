#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# decision_table.sh write|check PROGRAM FILE: puts what PROGRAM prints between the markers of FILE, or fails if
# something else is there.
set -eu
new=$(mktemp)
trap 'rm -f "$new"' EXIT
"$2" >"$new.table"
trap 'rm -f "$new" "$new.table"' EXIT
awk -v table="$new.table" '
  /<!-- decision table: end -->/ { inside = 0; ends++ }
  !inside { print }
  /<!-- decision table: begin -->/ { inside = 1; while ((getline line < table) > 0) print line }
  END { exit ends != 1 || inside }' "$3" >"$new" || { echo "$3: no pair of markers for the decision table"; exit 1; }
case $1 in
  write) cmp -s "$new" "$3" || cat "$new" >"$3" ;;
  *) cmp -s "$new" "$3" || { echo "$3: the decision table is stale: make decision-table"; exit 1; } ;;
esac
