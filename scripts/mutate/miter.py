# SPDX-License-Identifier: Apache-2.0
"""Proves mutants equivalent: both sides from reset (all registers 0), every output equal in every cycle, by ABC's pdr;
those of a netlist, and of sources where that is no answer, in the environment that the block's theorems assume, at the
boundary that counts (boundary.py).
One that puts a name for another is also equivalent where both are one net, or one constant, after Yosys has cleaned up;
that has no limit of size."""
import json
import os
import threading

from mutate import aiger, boundary, trial

PDR, YOSYS = 10, 30  # seconds of processor time; what takes longer is not proved, and so not counted
PATIENCE = 12  # attempts in a row without an answer; those of counters' upper bits have none, and stand beside others
SHORT = 4      # likewise, where both sides are built for each attempt, and the next question takes less
FINISH = ("miter -equiv -flatten gold gate miter; hierarchy -top miter; proc; opt_clean; memory -nordff -nomap; "
          "memory_map; opt -full; async2sync; dffunmap; setundef -undriven -init -zero; opt -full; dffunmap; techmap; "
          "opt_clean; abc -g AND -fast; opt_clean; write_aiger -zinit -symbols ")


class Miter:
    """Attempts for one block; after a few in a row without an answer the block is too big for it, and is left alone."""

    def __init__(self, where, name, patience=PATIENCE, times=1):
        self.where, self.name, self.misses, self.all, self.plain = where, name, 0, None, None
        self.patience, self.pdr = patience * times, PDR * times
        self.lock = threading.Lock()
        os.makedirs(self.path(""), exist_ok=True)

    def path(self, leaf):
        return os.path.join(self.where, "build", "miter", self.name, leaf)

    def build(self, gold, gate, aig, cpu):
        """gold, gate: Yosys commands that leave one flat module called gold, gate."""
        script = (f"{gold}; design -stash gold; {gate}; design -stash gate; design -copy-from gold -as gold gold; "
                  f"design -copy-from gate -as gate gate; {FINISH} {aig}")
        return trial.run(["yosys", "-q", "-p", script], self.where, cpu=cpu)[0] == 0

    def build_cut(self, gold, gate, aig, cpu, tag=""):
        """The same at the boundary that counts (boundary.py)."""
        sides = self.path(f"gold{tag}.json"), self.path(f"gate{tag}.json")
        for read, side in zip((gold, gate), sides):
            script = f"{read}; proc; memory_collect; opt_clean; write_json {side}"
            if trial.run(["yosys", "-q", "-p", script], self.where, cpu=cpu)[0]:
                return False
        return boundary.cut(*sides) and self.build(*(f"read_json {side}" for side in sides), aig, cpu)

    def prove(self, aig):
        script = f"read_aiger {aig}; fold; strash; lcorr; scorr; pdr -T {self.pdr}"
        _, out, _ = trial.run(["yosys-abc", "-c", script], self.where, cpu=self.pdr + 30)
        if "Property proved" in out or "Networks are equivalent" in out:
            self.misses = 0
            return True
        self.misses = 0 if "was asserted" in out else self.misses + 1
        return False

    def same(self, gold, gate, tag=""):
        """True when both are proved equal."""
        if self.misses >= self.patience:
            return False
        aig = self.path(f"m{tag}.aig")
        if not self.build(gold, gate, aig, YOSYS):
            self.misses += 1
            return False
        return self.prove(aig)

    def same_placed(self, gold, gate, tag=""):
        """The same of two sides of which gold has assumptions, at the boundary that counts."""
        if self.misses >= self.patience:
            return False
        aig = self.path(f"p{tag}.aig")
        if not self.build_cut(gold, gate, aig, YOSYS, tag):
            self.misses += 1
            return False
        return self.prove(aig)

    def same_as(self, gold, gate, number, tag=""):
        """The same of a gate that has all mutants, of which its input mut_sel chooses: built once."""
        with self.lock:
            if self.all is None:
                aig = self.path("all.aig")
                self.all = aiger.read(aig) if self.build_cut(gold, gate, aig, 20 * YOSYS) else False
            if self.all and self.plain is None:
                self.plain = self.hashed(self.choose(0, tag))
        if not self.all:
            return False
        aig = self.choose(number, tag)
        shape = self.hashed(aig)
        return (shape is not None and shape == self.plain) or (self.misses < self.patience and self.prove(aig))

    def choose(self, number, tag):
        aig = self.path(f"m{tag}.aig")
        aiger.write(aig, self.all, {f"in_mut_sel[{i}]": number >> i & 1 for i in range(16)})
        return aig

    def hashed(self, aig):
        """Its gates after structural hashing. Of a mutant that puts a constant for the same one, or touches what is
        masked, they are those without a mutant, and no proof is wanted. None if there is no answer."""
        out = f"{aig}.hashed"
        script = f"read_aiger {aig}; strash; scleanup; write_aiger {out}"
        if os.path.exists(out):
            os.remove(out)
        trial.run(["yosys-abc", "-c", script], self.where, cpu=60)
        return aiger.read(out)[:4] if os.path.exists(out) else None


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
