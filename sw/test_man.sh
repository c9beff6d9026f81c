#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_man.sh PREFIX: manual pages below PREFIX, beside the headers and libraries there. groff has nothing to say about
# them; every function that a library has and a header declares has its own, with what it returns, and with its errors
# if it returns a status, by their full names.
set -u
man3=$1/share/man/man3 bad=0 n=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# want TEXT COMMAND...: the command succeeds
want() {
  text=$1
  shift
  n=$((n + 1))
  out=$("$@" 2>&1) || { bad=$((bad + 1)); printf 'FAILED %s\n%s\n' "$text" "$out" | head -20; }
}

mapfile -t pages < <(find "$1"/share/man/man[13] -name '*.[13]')
want "groff of all pages" [ -z "$(groff -ww -man -Tascii -P-cbou "${pages[@]}" 2>&1 >/dev/null)" ]
cat "$1"/include/tocsin/*.h "$1"/include/tocsin/irregular/*.h >"$tmp/headers"

# Of libraries, and of irregular/*.h also what is inline.
nm -g --defined-only "$1"/lib/libtocsin*.a 2>/dev/null | sed -n 's/.* T //p' | sort -u |
  grep -wFf <(grep -v ^typedef "$tmp/headers" | grep -oE '[a-z0-9_]+\(' | tr -d '(' | sort -u) >"$tmp/libraries"
cat "$1"/include/tocsin/irregular/*.h | sed -nE '/^ \*|^\/\*|typedef/!s/^[a-z].*\b(irr_[a-z0-9_]+)\(.*/\1/p' |
  sort -u >"$tmp/irregular"
want "there are functions" [ "$(wc -l <"$tmp/libraries")" -gt 280 ]
want "and those of irregular/*.h" [ "$(wc -l <"$tmp/irregular")" -gt 90 ]
while read -r f; do
  want "man $f" grep -qE "^.fB.*\b$f\(.*;.fR$" "$man3/$f.3"
  want "man $f says what it returns" grep -A1 -x '.SH RETURN VALUE' "$man3/$f.3"
  grep -qE "^.fB\w+_status $f\(" "$man3/$f.3" || continue
  want "man $f names its errors" grep -A2 -xE '\.SH ERRORS' "$man3/$f.3"
  errors=$(sed -n 's/^\\fB\([A-Z_]*_E_[A-Z_]*\)\\fR$/\1/p' "$man3/$f.3")
  want "man $f has errors that exist" [ "$errors" ]
  for e in $errors; do want "$e of $f" grep -qwe "$e" "$tmp/headers"; done
done < <(sort -u "$tmp/libraries" "$tmp/irregular")
want "no short names of errors" \
  sh -c "! grep -lE '(^|[^A-Z_])E_[A-Z]{2}' $(printf "'%s' " "$man3"/{toc,xtq,irr}_*.3 "$man3"/irregular*.3)"
want "toc_wait says how a request can end" grep -qx '.fBTOC_E_PEER_GONE.fR' "$man3/toc_wait.3"
want "toc_log_run says when the ring is bad" grep -A1 -x '.fBTOC_E_DEVICE.fR' "$man3/toc_log_run.3"
for f in aa_flush_buf aa_tag_buf nic_mr; do
  want "nothing of $f, which is internal" sh -c "[ ! -e '$1/include/tocsin/$f.h' ] && ! ls '$man3' | grep -q '^$f'"
done

# Pages of the runtime for irregular programs: where its headers are, what its comments name as errors and no more,
# a sentence each that says what the function does, and a page that lists them all.
while read -r f; do
  want "man $f says where it is" grep -qE '^.fB#include <tocsin/irregular/[a-z]+\.h>' "$man3/$f.3"
  want "man $f says what it is linked with" grep -qE '^cc .*tocsin\\-irregular\)$' "$man3/$f.3"
  want "man $f says what it does" grep -qE "^$f .- [A-Z]" "$man3/$f.3"
  want "$f is in the overview" grep -qx "\\\\fB$f\\\\fR(3)" "$man3/irregular.3"
done <"$tmp/irregular"
for h in "$1"/include/tocsin/irregular/*.h; do want "man irregular_${h##*/}" [ -s "$man3/irregular_${h##*/}.3" ]; done
want "irr_net_send may be busy" grep -qx '.fBIRR_BUSY.fR' "$man3/irr_net_send.3"
want "irr_read waits for room" sh -c "! grep -q 'IRR_BUSY' '$man3/irr_read.3'"
want "irr_spawn fails for lack of memory alone" [ "$(grep -c '^.fBTOC_E_' "$man3/irr_spawn.3")" = 1 ]
want "irr_wait says what a counter is" grep -q 'whose tasks alone may wait' "$man3/irr_wait.3"
echo "manual pages: $n checks, $bad failed"
[ "$bad" = 0 ]
