#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_cocotb.sh DIR BIN: sw/cosim/example_cocotb, against DIR/prefix, with the Python of BIN: all agrees; PLANT=1 is found.
set -u
dir=$1 bin=$2 bad=0
[ -x "$bin/cocotb-config" ] || {
  echo "skipped: cocotb could not be installed from PyPI"
  exit 0
}
rm -rf "$dir/example_cocotb.new" && cp -rp sw/cosim/example_cocotb "$dir/example_cocotb.new"
mkdir -p "$dir/example_cocotb" && cp -p "$dir"/example_cocotb.new/* "$dir/example_cocotb" && rm -r "$dir/example_cocotb.new"

# run DUT TESTS PLANT: so many tests pass and none fails
run() {
  log=$dir/example_cocotb/$1$3.log
  rm -f "$dir/example_cocotb/results.xml"
  PATH="$bin:$PATH" PLANT="$3" make --no-print-directory -C "$dir/example_cocotb" DUT="$1" > "$log" 2>&1
  if grep -q "TESTS=[0-9]* PASS=$2 FAIL=0" "$log"; then
    echo "$1${3:+, with a plant}: $2 passed"
    return
  fi
  bad=1
  echo "FAILED $1 with PLANT=$3: want $2 tests passed"
  tail -40 "$log"
}
run iommu 2 ""
[ -z "${TOCSIN_GUIDE_WRITE:-}" ] || exit "$bad"
run axi 2 ""
run nic 1 ""
for dut in iommu axi nic; do
  run $dut 1 1
  grep -q 'the plant was found' "$dir/example_cocotb/${dut}1.log" || { bad=1; echo "FAILED: the plant was not found"; }
done
[ "$bad" = 0 ]
