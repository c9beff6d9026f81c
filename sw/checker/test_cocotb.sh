#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_cocotb.sh DIR BIN [icarus]: sw/checker/example_cocotb, against DIR/prefix, with the Python of BIN: all agrees;
# PLANT=1 is found. icarus: by Icarus Verilog instead of Verilator, where golden.py goes through VPI as well.
set -u
dir=$1 bin=$2 sim=${3:-verilator} bad=0
[ -x "$bin/cocotb-config" ] || {
  echo "skipped: cocotb could not be installed from PyPI"
  exit 0
}
work=$dir/example_$([ "$sim" = verilator ] && echo cocotb || echo "$sim") # targets run side by side
for tool in $([ "$sim" != icarus ] || echo iverilog vvp yosys); do
  command -v "$tool" > /dev/null || {
    echo "skipped: there is no $tool"
    exit 0
  }
done
rm -rf "$work.new" && cp -rp sw/checker/example_cocotb "$work.new"
mkdir -p "$work" && cp -p "$work".new/* "$work" && rm -r "$work.new"

# run DUT TESTS PLANT: so many tests pass and none fails
run() {
  log=$work/$1-$sim$3.log
  rm -f "$work/results.xml"
  # Verilator's C++ in one unit: that reads its headers once
  PATH="$bin:$PATH" PLANT="$3" make --no-print-directory -C "$work" DUT="$1" SIM="$sim" \
    VM_PARALLEL_BUILDS=0 > "$log" 2>&1
  if grep -q "TESTS=[0-9]* PASS=$2 FAIL=0" "$log"; then
    echo "$1 by $sim${3:+, with a plant}: $2 passed"
    return
  fi
  bad=1
  echo "FAILED $1 by $sim with PLANT=$3: want $2 tests passed"
  tail -40 "$log"
}
# The structs of golden_nic.py, which the model reads, are as long as those of its headers.
sizes() {
  printf '%s\n' '#include <stdio.h>' '#include <tocsin/nic.h>' '#include <tocsin/nic_frame.h>' \
    'int main(void) { printf("%zu %zu %zu %zu\n",' \
    'sizeof(nic_config), sizeof(nic_self), sizeof(nic_head), sizeof(nic_ops)); }' > "$work/sizes.c"
  # shellcheck disable=SC2046
  cc -o "$work/sizes" $(pkg-config --cflags tocsin) "$work/sizes.c" && "$work/sizes"
}
has=$(cd "$work" &&
  "$bin/python" -c 'import ctypes, golden_nic as g; print(*map(ctypes.sizeof, (g.Config, g.Self, g.Head, g.Ops)))')
[ "$has" = "$(sizes)" ] || {
  bad=1
  echo "FAILED: structs of golden_nic.py have $has bytes, those of the model $(sizes)"
}
# A name that is no parameter would else be nobody's.
(cd "$work" && "$bin/python" -c 'import golden; golden.Checker(None, None, Walker=2)' 2>&1) |
  grep -q '^TypeError: no parameter of the IOMMU: Walker;' ||
  { bad=1; echo "FAILED: golden.Checker takes a parameter that there is not"; }
duts="iommu axi nic"
if [ "$sim" = icarus ]; then
  duts=iommu
  run iommu 1 ""
else
  run iommu 2 ""
  run nic 2 ""
  [ -z "${TOCSIN_GUIDE_WRITE:-}" ] || exit "$bad"
  run axi 2 ""
fi
for dut in $duts; do
  run $dut 1 1
  grep -q 'the plant was found' "$work/$dut-${sim}1.log" || { bad=1; echo "FAILED: the plant was not found"; }
done
[ "$bad" = 0 ]
