#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_fanout.py FOLDER: what scripts/fanout.py copies, in the netlist of fanout.v: that it does so, that the copies do
in every cycle what was there before, and that a copy which does not is found."""
import json
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../scripts"))
import fanout  # noqa: E402

CYCLES = 200


class Run:
    """A netlist of LUTs and registers from cycle to cycle; registers begin at 0."""

    def __init__(self, module):
        self.ports, self.cells = module["ports"], module["cells"].values()
        self.luts = [(c["connections"], int(c["parameters"]["INIT"], 2)) for c in self.cells if c["type"] == "LUT4"]
        self.regs = [(c["connections"], c["parameters"]["REGSET"]) for c in self.cells if c["type"] == "TRELLIS_FF"]
        if len(self.luts) + len(self.regs) != len(self.cells):
            raise SystemExit("test_fanout.py: fanout.v has other cells than LUTs and registers")
        self.state = {pins["Q"][0]: 0 for pins, _ in self.regs}
        self.drive = {pins["Z"][0]: (pins, init) for pins, init in self.luts}

    def outputs(self, given):
        """What the outputs are with these inputs, and a clock edge behind it."""
        now = dict(self.state)
        for name, word in given.items():
            now.update({bit: word >> i & 1 for i, bit in enumerate(self.ports[name]["bits"])})

        def value(bit):
            if not isinstance(bit, int):
                return int(bit == "1")
            if bit not in now:
                pins, init = self.drive[bit]
                now[bit] = init >> sum(value(pins[p][0]) << i for i, p in enumerate("ABCD")) & 1
            return now[bit]

        seen = {name: [value(b) for b in port["bits"]] for name, port in self.ports.items()
                if port["direction"] == "output"}
        self.state = {pins["Q"][0]: int(kind == "SET") if value(pins["LSR"][0]) else value(pins["DI"][0])
                      if value(pins.get("CE", ["1"])[0]) else now[pins["Q"][0]] for pins, kind in self.regs}
        return seen


def differ(one, other):
    """The first cycle in which they do, if there is one."""
    a, b, rnd = Run(one), Run(other), random.Random(1)
    for cycle in range(CYCLES):
        given = {"valid_i": rnd.random() < .7, "ready_i": rnd.random() < .5, "turn_i": rnd.random() < .3,
                 "data_i": rnd.getrandbits(80)}
        if a.outputs(given) != b.outputs(given):
            return cycle
    return None


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    before, after = f"{folder}/in.json", f"{folder}/out.json"
    subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv {HERE}/fanout.v; synth_ecp5 -nowidelut -abc9 -top fanout; "
                    f"write_json {before}"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([f"{HERE}/../../scripts/fanout.py", before, after], check=True, stdout=subprocess.DEVNULL)
    with open(before, encoding="utf-8") as f:
        one = fanout.top_of(json.load(f))
    with open(after, encoding="utf-8") as f:
        text = f.read()
    other = fanout.top_of(json.loads(text))
    copies = sorted(set(other["cells"]) - set(one["cells"]))
    kinds = {other["cells"][c]["type"] for c in copies}
    longest = [fanout.Netlist(json.loads(json.dumps(m))).longest() for m in (one, other)]
    faults = []
    if kinds != {"LUT4", "TRELLIS_FF"}:
        faults.append(f"copies of {sorted(kinds)} only")
    if longest[1] > 0.7 * longest[0]:
        faults.append(f"the longest way is {longest[1]:.1f} ns, it was {longest[0]:.1f}")
    if differ(one, other) is not None:
        faults.append(f"another value in cycle {differ(one, other)}")
    for name in (copies[0], next(c for c in copies if other["cells"][c]["type"] == "TRELLIS_FF")):
        broken = fanout.top_of(json.loads(text))
        cell = broken["cells"][name]
        if cell["type"] == "LUT4":
            cell["parameters"]["INIT"] = cell["parameters"]["INIT"].translate({48: "1", 49: "0"})
        else:
            cell["connections"]["DI"] = ["0"]
        if differ(one, broken) is None:
            faults.append(f"{name}, broken, is not seen in {CYCLES} cycles")
        try:
            fanout.joined(broken["cells"])
            faults.append(f"fanout.py takes {name}, broken")
        except SystemExit:
            pass
    print("\n".join(faults) or f"{len(copies)} copies, the same in {CYCLES} cycles; longest way {longest[0]:.1f} ns, "
          f"now {longest[1]:.1f}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
