# SPDX-License-Identifier: Apache-2.0
"""Proves mutants equivalent: both sides from reset (all registers 0), every output equal in every cycle, by ABC's pdr.
One that puts a name for another is also equivalent where both are one net, or one constant, after Yosys has cleaned up;
that has no limit of size."""
import json
import os

from mutate import trial

PDR, YOSYS = 10, 30  # seconds of processor time; what takes longer is not proved, and so not counted


class Miter:
    """Attempts for one block; after a few in a row without an answer the block is too big for it, and is left alone."""

    def __init__(self, where, name):
        self.where, self.name, self.misses = where, name, 0
        os.makedirs(self.path(""), exist_ok=True)

    def path(self, leaf):
        return os.path.join(self.where, "build", "miter", self.name, leaf)

    def same(self, gold, gate, tag=""):
        """gold, gate: Yosys commands that leave one flat module called gold, gate. True when they are proved equal."""
        if self.misses >= 3:
            return False
        aig = self.path(f"m{tag}.aig")
        finish = ("memory -nordff -nomap; memory_map; opt -full; async2sync; dffunmap; setundef -undriven -init -zero; "
                  f"opt -full; dffunmap; techmap; opt_clean; abc -g AND -fast; opt_clean; write_aiger -zinit {aig}")
        script = (f"{gold}; design -stash gold; {gate}; design -stash gate; design -copy-from gold -as gold gold; "
                  "design -copy-from gate -as gate gate; miter -equiv -flatten gold gate miter; hierarchy -top miter; "
                  f"proc; opt_clean; {finish}")
        code, _, _ = trial.run(["yosys", "-q", "-p", script], self.where, cpu=YOSYS)
        if code:
            self.misses += 1
            return False
        _, out, _ = trial.run(["yosys-abc", "-c", f"read_aiger {aig}; fold; strash; scorr; pdr -T {PDR}"], self.where,
                              cpu=PDR + 20)
        if "Property proved" in out or "Networks are equivalent" in out:
            self.misses = 0
            return True
        self.misses = 0 if "was asserted" in out else self.misses + 1
        return False


class Nets:
    """The nets of a module by name, flat and cleaned up."""

    def __init__(self, where, module, read):
        path = os.path.join(where, "build", "miter", module, "nets.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        clean = "proc; flatten; opt_expr; opt_merge; opt_clean"
        code, _, _ = trial.run(["yosys", "-q", "-p", f"{read}; {clean}; write_json {path}"], where, cpu=300)
        self.bits = {}
        if not code:
            with open(path, encoding="utf-8") as f:
                top = next(m for m in json.load(f)["modules"].values() if "top" in m["attributes"])
            self.bits = {n: v["bits"] for n, v in top["netnames"].items()}

    def same(self, old, new):
        bits = self.bits.get(old)
        if not bits:
            return False
        if new in ("'0", "1'b0", "1'b1"):
            return all(b == new[-1] for b in bits)
        return bits == self.bits.get(new)
