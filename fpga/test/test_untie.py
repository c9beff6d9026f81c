#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_untie.py FOLDER: what scripts/untie.py leaves open of the memories of untie.v: that it does so, that they read
what they read before, and that a bit which is open on one side alone is found."""
import json
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../scripts"))
import untie  # noqa: E402

CYCLES = 500


class Run:
    """A netlist of LUT RAMs alone, from cycle to cycle; what is open is 1, what nobody wrote is None."""

    def __init__(self, module):
        self.ports = module["ports"]
        self.rams = [(c["connections"], self.begin(c["parameters"]["INITVAL"])) for c in module["cells"].values()]
        if {c["type"] for c in module["cells"].values()} != {untie.RAM}:
            raise SystemExit("test_untie.py: untie.v has other cells than LUT RAMs")

    @staticmethod
    def begin(init):
        bits = [None if b == "x" else int(b) for b in reversed(init)]
        return [bits[4 * word:4 * word + 4] for word in range(16)]

    def outputs(self, given):
        now = {"0": 0, "1": 1, "x": 1}
        for name, word in given.items():
            now.update({bit: word >> i & 1 for i, bit in enumerate(self.ports[name]["bits"])})
        seen = {}
        for pins, words in self.rams:
            read, write = (sum(now[b] << i for i, b in enumerate(pins[p])) for p in ("RAD", "WAD"))
            seen.update(zip(pins["DO"], words[read]))
            if now[pins["WRE"][0]]:
                words[write] = [now[b] for b in pins["DI"]]
        return [seen[bit] for bit in self.ports["data_o"]["bits"]]


def differ(one, other):
    """The first cycle in which they do, if there is one."""
    a, b, rnd = Run(one), Run(other), random.Random(1)
    for cycle in range(CYCLES):
        given = {"we_i": rnd.random() < .5, "waddr_i": rnd.getrandbits(4), "raddr_i": rnd.getrandbits(4),
                 "data_i": rnd.getrandbits(5)}
        if a.outputs(given) != b.outputs(given):
            return cycle
    return None


def module_of(text):
    return json.loads(text)["modules"]["untie"]


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    before, after = f"{folder}/in.json", f"{folder}/out.json"
    subprocess.run(["yosys", "-q", "-p", f"read_verilog -sv {HERE}/untie.v; synth_ecp5 -nowidelut -abc9 -top untie; "
                    f"write_json {before}"], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([f"{HERE}/../../scripts/untie.py", before, after], check=True, stdout=subprocess.DEVNULL)
    texts = []
    for path in (before, after):
        with open(path, encoding="utf-8") as f:
            texts.append(f.read())
    one, other = map(module_of, texts)
    opened = [c["connections"] for c in other["cells"].values() if "x" in c["connections"]["RAD"]]
    faults = []
    # Of few_q alone, which is two LUT RAMs for five bits: two bits of each.
    if len(opened) != 2 or any(pins[p].count("x") != 2 for pins in opened for p in ("RAD", "WAD")):
        faults.append(f"open are address bits of {len(opened)} LUT RAMs")
    if differ(one, other) is not None:
        faults.append(f"another word in cycle {differ(one, other)}")
    for side in ("RAD", "WAD"):
        broken = module_of(texts[1])
        for cell in broken["cells"].values():
            cell["connections"][side] = ["0" if b == "x" else b for b in cell["connections"][side]]
        if differ(one, broken) is None:
            faults.append(f"open for the other than {side} alone, and that is not seen in {CYCLES} cycles")
    print("\n".join(faults) or f"{len(opened)} LUT RAMs with open bits, the same in {CYCLES} cycles")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
