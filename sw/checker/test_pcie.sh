#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_pcie.sh DIR BIN [VERILOG_PCIE]: sw/checker/example_pcie, against DIR/prefix, with the Python of BIN and the shim
# of the clone VERILOG_PCIE. A card that gives the shim headers of three DWs, as pcie_us_if does not take them,
# must be found out.
set -u
dir=$1 bin=$2 shim=${3:-} work=$1/example_pcie bad=0
skip() { echo "skipped: $1"; exit 0; }
[ -n "$shim" ] ||
  skip "git clone https://github.com/alexforencich/verilog-pcie DIR; make verilog-pcie-test VERILOG_PCIE=DIR"
[ -x "$bin/cocotb-config" ] || skip "cocotb could not be installed from PyPI"
[ -r "$shim/rtl/pcie_us_if.v" ] || {
  echo "FAILED: there is no $shim/rtl/pcie_us_if.v: VERILOG_PCIE is a clone of verilog-pcie"
  exit 1
}
rm -rf "$work.new" && cp -rp sw/checker/example_pcie "$work.new"
cp -p sw/checker/example_cocotb/golden.py sw/checker/example_cocotb/tlp_stream.py "$work.new"
mkdir -p "$work" && cp -p "$work".new/* "$work" && rm -r "$work.new"

# run PLANT PATTERN: the summary says so
run() {
  PATH="$bin:$PATH" make --no-print-directory -C "$work" VERILOG_PCIE="$shim" PLANT="$1" > "$work/card$1.log" 2>&1
  grep -q "$2" "$work/card$1.log" && return
  bad=1
  echo "FAILED with PLANT=$1: the log has no '$2'"
  tail -40 "$work/card$1.log"
}
run '' 'TESTS=2 PASS=2 FAIL=0'
run 1 'TESTS=2 PASS=0 FAIL=2'
[ "$bad" = 0 ] && echo "verilog-pcie-test: 2 passed; with headers of three DWs both fail"
