#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of verif/sim/planted.sh on programs that stand for a block test: one that notices a bug, one that notices none,
# one that fails by itself, one in which a bug has no end.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
for n in 1 2 3; do echo "mutate -ctrl mut_sel 16 $n -mode inv"; done >"$dir/mutants.ys"

# expect CODE WORDS: how planted.sh ends with the test of standard input, and what it says.
expect() {
  { echo '#!/bin/sh'; echo '[ "$TOCSIN_CYCLES" != 0 ] || echo 70 cycles >&2'; cat; } >"$dir/test"
  chmod +x "$dir/test"
  code=0
  out=$(verif/sim/planted.sh "$dir" odd 1 2>&1) || code=$?
  case $code:$out in
    "$1:"*"$2"*) ;;
    *) echo "FAIL: $code for $1, and no \"$2\" in: $out"; bad=1 ;;
  esac
}
expect 0 'planted bug 2 is noticed' <<'EOT'
[ "$TOCSIN_MUTANT" != 2 ]
EOT
expect 1 'FAIL: none of 3 planted bugs' </dev/null
expect 1 'differs' <<'EOT'
echo differs; exit 1
EOT
expect 0 'planted bug 3 is noticed' <<'EOT'
[ "$TOCSIN_MUTANT" != 3 ] || [ "$TOCSIN_CYCLES" != 1700 ]
EOT
rm "$dir/mutants.ys"
expect 1 'none of 0' </dev/null
[ $bad = 0 ] && echo "planted.sh: 5 cases"
exit $bad
