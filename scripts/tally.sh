# SPDX-License-Identifier: Apache-2.0
# tally.sh: to be sourced by a test that makes many checks. What it runs writes to $tmp/out; the folder $tmp
# goes when the test ends.
#   pass                        a check that held
#   fail WORD...                one that did not; what `shown` prints follows: the first lines of $tmp/out,
#                               unless a test has its own
#   judge WHAT CODE PATTERN     it holds if $got, the exit code, is CODE, and $tmp/out has a line like PATTERN
#   json EXPRESSION COMMAND...  it holds if EXPRESSION of Python is true of `v`, what COMMAND --json prints
#   tally [NAME]                the last line of the test; false if anything failed
# shellcheck shell=bash
good=0 bad=0
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT

shown() { head -20 "$tmp/out"; }
pass() { good=$((good + 1)); }
fail() {
  bad=$((bad + 1))
  printf 'failed: %s\n' "$*"
  shown
}

judge() {
  if [ "$got" = "$2" ] && grep -qE -e "$3" "$tmp/out"; then
    pass
  else
    fail "$1: exit code $got, want $2; want a line like $3; got"
  fi
}

json() {
  local test=$1
  shift
  "$@" --json >"$tmp/out" 2>&1
  if python3 -c "import json, sys; v = json.load(sys.stdin); sys.exit(not ($test))" <"$tmp/out" 2>>"$tmp/out"; then
    pass
  else
    fail "$* --json: not $test"
  fi
}

tally() {
  echo "${1:+$1: }$good passed, $bad failed"
  [ $bad = 0 ]
}
