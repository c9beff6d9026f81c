#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make formal in a tree with the theorems of one block alone: it passes as it is, and not without its covers or without
# its theorems; what is proved is in the book, for as long as the theorems are these.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p rtl verif/formal .venv
cp -r "$root/scripts" . && cp -r "$root/rtl/cm" rtl/ && cp -r "$root/verif/sim" verif/
cp "$root"/verif/formal/*.svh "$root"/verif/formal/*.v "$root/verif/formal/requirements.txt" verif/formal/
touch .venv/formal.stamp
[ ! -d "$root/.venv/bin" ] || ln -s "$root/.venv/bin" .venv/bin
echo 'cm_skid Width=8 smtbmc 1 quick' >verif/formal/table.txt
printf 'SHELL := /bin/bash\nQ := @\nB := build\nJOBS := 1\nPY := python3\nneed-formal:\n' |
  cat - "$root/verif/formal/formal.mk" >Makefile
bad=0
# expect CODE WORDS SED: how make formal ends when SED has changed the theorems, and what it says
expect() {
  sed "$3" "$root/verif/formal/cm_skid_props.svh" >verif/formal/cm_skid_props.svh
  code=0
  out=$(env -u MAKEFLAGS -u MFLAGS make --no-print-directory formal BLOCK=cm_skid ${4:-} 2>&1) || code=$?
  case $code:$out in
    "$1:"*"$2"*) ;;
    *) echo "FAIL: $3: $code for $1, and no \"$2\" in: $out"; bad=1 ;;
  esac
}
expect 0 '1 proved' ''
grep -Eq '^\| cm_skid Width=8 smtbmc \| [1-9][0-9]* \| [0-9]+ \| [1-9][0-9]* \| proved \| [0-9]+ \| [0-9a-f]{12} \|$' \
  verif/PROOFS.md || { echo 'FAIL: no row of what is proved'; cat verif/PROOFS.md; bad=1; }
expect 0 '0 rows: 0 proved' '1s|$| // as it was|' LEFT=1
expect 2 'has 0 of 1 rows' "s/< 2'd2/< 2'd1/" LEFT=1
expect 0 'has 1 of 1 rows' 's/c_stream: cover (/&f_ready \&\& /; s/f_ready/in_ready_o/' LEFT=1
expect 2 'no cover' '/: cover *(/d'
expect 2 'no theorem of its own' '/ p[0-9]*_[a-z_]*: assert/d'
[ $bad = 0 ] && echo "formal-vacuous: 6 cases"
exit $bad
