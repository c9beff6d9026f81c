#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bounds.sh COSIM CONFIG: every excuse has an upper bound, which fails a run that counts more, and some points have a
# least, which fails a run that reaches none of them.
set -u
file=$(dirname "$1")/bounds.points
log=$(dirname "$1")/bounds.log
run=("$1" --config "$2" --n 1 --once --quiet --bounds)

"${run[@]}" >"$log" 2>&1 && { echo "FAIL a run of one request is within all bounds"; exit 1; }
least=$(grep -c '^FAIL points: .* or more$' "$log")
[ "$least" -gt 0 ] || { echo "FAIL no point has a least"; cat "$log"; exit 1; }

rm -f "$file"
"${run[@]}" --points "$file" >/dev/null 2>&1
sed -i 's/^[0-9]* /1000000000 /' "$file"
"${run[@]}" --points "$file" >"$log" 2>&1 && { echo "FAIL 10^9 of each point are within bounds"; exit 1; }
bad=0 excuses=0
while read -r _ name; do
  [[ $name =~ ^(IOMMU: )?excuse ]] || continue
  excuses=$((excuses + 1))
  grep -qF "FAIL points: \"$name\": got 10000000" "$log" || { echo "FAIL $name has no upper bound"; bad=1; }
done <"$file"
rm -f "$file"
[ $excuses -gt 0 ] || bad=1
echo "bounds of $2: $excuses excuses, each with a most; $least points with a least"
exit $bad
