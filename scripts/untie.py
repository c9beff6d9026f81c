#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""untie.py IN OUT: leaves open the address bits that a LUT RAM does not need, in a netlist of ECP5 cells (Yosys'
write_json), before placement.

A TRELLIS_DPR16X4 has 16 words. Of a memory of fewer, Yosys ties the upper bits of both addresses to 0, and nextpnr
brings that 0 from one LUT, over wires that all others want, to each RAM: to some 11,000 pins of the small NIC. An
input without a wire is 1 by the device, in all slices: a bit that is constant, and the same for writes and reads, is
left open for both. The words stand elsewhere in the RAM then, so of a RAM that begins with something nothing is
changed.
"""
import json
import sys

RAM = "TRELLIS_DPR16X4"


def untie(cells):
    """How many bits of an address are open now."""
    count = 0
    for cell in cells.values():
        if cell["type"] != RAM or cell["parameters"]["INITVAL"].strip("x"):
            continue
        read, write = cell["connections"]["RAD"], cell["connections"]["WAD"]
        for i, bit in enumerate(read):
            if bit in ("0", "1") and bit == write[i]:
                read[i] = write[i] = "x"
                count += 1
    return count


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        data = json.load(f)
    count = sum(untie(module["cells"]) for module in data["modules"].values())
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        json.dump(data, f)
    print(f"address bits of LUT RAMs that are the same for all words, left open: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
