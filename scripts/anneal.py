#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""anneal.py PLACED SDF OUT SEED MOVES [--by PROGRAM]: a placement by nextpnr (`--write PLACED --sdf SDF`) whose cells
have been moved about by fpga/anneal, MOVES thousand times each, until its ways are short and its wires few.

nextpnr takes OUT with `--no-pack --no-place`, and then says itself what is late.
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sta  # noqa: E402

PROGRAM = "build/fpga/anneal"
# As anneal.h has them: kinds of cells, of what they are a part, what drives a net, where a wire ends.
KINDS = {"TRELLIS_COMB": 0, "TRELLIS_FF": 1, "TRELLIS_RAMW": 3}
FIXED_LUT, OTHER, RAMW = 2, 9, 8
MODES = {"DPRAM": 1, "RAMW_BLOCK": 1, "CCU2": 2}
OUTS = {"F": 0, "Q": 1, "FCO": 2}
PINS = {"A": 0, "B": 1, "C": 2, "D": 3, "DI": 4}
BEL = re.compile(r"X(\d+)/Y(\d+)/(?:SLICE([A-D])\.(K|FF|RAMW)([01]?))?")


class Keys(dict):
    """What has to be the same, by number."""

    def __missing__(self, key):
        self[key] = len(self)
        return self[key]


def module_of(design):
    """The one that nextpnr has placed: it has its settings."""
    found = [m for m in design["modules"].values() if "settings" in m]
    if len(found) != 1:
        raise SystemExit("anneal.py: this is no placement that nextpnr has written")
    return found[0]


def cell_row(cell, keys):
    """kind, x, y, half, what a tile's registers have in common, what a slice's have, of what it is a part."""
    at = BEL.match(cell["attributes"].get("NEXTPNR_BEL", ""))
    par, pins, kind = cell["parameters"], cell["connections"], KINDS.get(cell["type"], OTHER)
    x, y = (int(at[1]), int(at[2])) if at else (0, 0)
    half = tile = part = -1
    mode = 1 if cell["type"] == "TRELLIS_RAMW" else MODES.get(par.get("MODE"), 0) if kind == 0 else 0
    if kind in (0, 1):
        half = 2 * "ABCD".index(at[3]) + int(at[5])
    elif kind != OTHER:
        half = RAMW
    if kind == 0 and par.get("MODE"):
        kind = FIXED_LUT
    if kind == 1:
        reset = tuple(pins.get("LSR", ()))
        tile = keys["tile", par.get("LSRMUX"), reset, par.get("SRMODE") if reset else None,
                    tuple(pins.get("CLK", ())), par.get("CLKMUX")]
        part = keys["slice", tile, par.get("CEMUX"), tuple(pins.get("CE", ())), par.get("GSR"), par.get("SRMODE")]
    return kind, x, y, half, tile, part, mode


def text_of(module, timing):
    """What fpga/anneal reads. Pins have in an SDF the names of their cells without backslashes."""
    cells, keys, drivers, sinks = module["cells"], Keys(), {}, {}
    names = [name.replace("\\", "") for name in cells]
    rows = [cell_row(cell, keys) for cell in cells.values()]
    for i, cell in enumerate(cells.values()):
        for port, bits in cell["connections"].items():
            for k, bit in enumerate(bits):
                if not isinstance(bit, int):
                    continue
                pin = port if len(bits) == 1 else f"{port}{k}"
                if cell["port_directions"][port] == "output":
                    drivers[bit] = (i, pin)
                else:
                    sinks.setdefault(bit, []).append((i, pin))
    kinds = [cell["type"] for cell in cells.values()]
    nets = [bit for bit in drivers if bit in sinks and kinds[drivers[bit][0]] != "DCCA"]  # a clock's is everywhere
    wires, at = [], {}
    for n, bit in enumerate(nets):
        for i, pin in sinks[bit]:
            name = f"{names[i]}/{pin}"
            at[name] = len(wires)
            wires.append((n, i, PINS.get(pin, 9), timing.setup.get(name, -1)))
    net_rows, ways, links = [], 0, []
    for bit in nets:
        i, pin = drivers[bit]
        name = f"{names[i]}/{pin}"
        through = [(at[p], delay) for p, delay in timing.before.get(name, ()) if p in at]
        ways += len(through)
        net_rows.append((i, OUTS.get(pin, 3), timing.launch.get(name, -1), len(through),
                         *(value for way in through for value in way)))
        if pin == "FCO":
            links += [rows[i][1:3] for j, p in sinks[bit] if p == "FCI" and rows[j][1:3] != rows[i][1:3]]
    everything = [(len(rows), len(nets), len(wires), ways), *rows, *net_rows, *wires, (len(links),), *links]
    return "".join(" ".join(map(str, row)) + "\n" for row in everything)


def move(module, text):
    """Where the cells are now; how many are elsewhere."""
    count = 0
    for cell, line in zip(module["cells"].values(), text.splitlines(), strict=True):
        if cell["type"] not in KINDS:
            continue
        x, y, half = map(int, line.split())
        part = "SLICEC.RAMW" if half == RAMW else \
            f"SLICE{'ABCD'[half // 2]}.{'K' if cell['type'] == 'TRELLIS_COMB' else 'FF'}{half % 2}"
        bel = f"X{x}/Y{y}/{part}"
        count += bel != cell["attributes"]["NEXTPNR_BEL"]
        cell["attributes"]["NEXTPNR_BEL"] = bel
    return count


def anneal(placed, sdf, out, seed, moves, program=PROGRAM, log=None):
    with open(placed, encoding="utf-8") as f:
        design = json.load(f)
    module = module_of(design)
    given, got = f"{out}.in", f"{out}.out"
    with open(given, "w", encoding="utf-8") as f:
        f.write(text_of(module, sta.Netlist(sdf)))
    if subprocess.run([program, given, got, str(seed), str(moves)], stdout=log).returncode:
        raise SystemExit("anneal.py: the placement could not be annealed")
    with open(got, encoding="utf-8") as f:
        count = move(module, f.read())
    for path in (given, got):
        os.remove(path)
    with open(out, "w", encoding="utf-8") as f:
        json.dump(design, f)
    return count


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("placed")
    args.add_argument("sdf")
    args.add_argument("out")
    args.add_argument("seed", type=int)
    args.add_argument("moves", type=int)
    args.add_argument("--by", default=PROGRAM)
    args = args.parse_args()
    print(f"{anneal(args.placed, args.sdf, args.out, args.seed, args.moves, args.by)} cells moved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
