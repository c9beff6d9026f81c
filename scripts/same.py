#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is a module of the working tree still what it was?

scripts/same.py MODULE [--rev REV] [--params DataW=128,A=1,B=2] [--moved OLD=NEW,...] [--old DIR --new DIR]

Both are elaborated flat, with all that is below them. Registers are matched by name, memories too;
what they hold is taken to be the same in both, and any value. Then every output, every register's next value and every
pin of a memory has to be the same function (combinational equivalence, by ABC). That is an induction: equal once,
equal for ever, and a reset that differs is a difference. If it fails, or a register has no partner,
the two are compared from reset on (all registers 0, memories matched) by ABC's pdr. 'x counts as 0 in both.
--moved says what stands elsewhere now: instances (u_a.u_b=u_b), and registers of the top. Exit code: 0 the same,
1 they differ (the first port or register is named), 2 not decided.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import asked

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORGET = {"$assert", "$assume", "$cover", "$live", "$fair", "$print", "$check", "$scopeinfo"}
STATE = re.compile(r"dff|latch|mem|fsm|any|all|^\$s?r$|^\$ff$")
SECONDS = 60


class Differ(Exception):
    """They differ; says where."""


class Undecided(Exception):
    """Neither equal nor different, so far as one could see."""


def yosys(script, where):
    p = subprocess.run(["yosys", "-q", "-p", script], cwd=where, capture_output=True, text=True, check=False)
    if p.returncode:
        raise Undecided(f"yosys: {(p.stderr or p.stdout).strip()[-400:]}")


def old_tree(rev, into, more=()):
    """The sources of a revision, and what else is asked for: a folder of its own, made once."""
    p = subprocess.run(["git", "rev-parse", "--verify", rev + "^{commit}"], cwd=ROOT, capture_output=True, text=True,
                       check=False)
    if p.returncode:
        raise SystemExit(f"same.py: no revision {rev}")
    tree = os.path.join(into, p.stdout.strip()[:12] + "+" * bool(more))
    if not os.path.exists(tree):
        with tempfile.TemporaryDirectory(dir=into) as part:
            kept = [d for d in ("rtl", "scripts", "verif/formal", "verif/sim", "fpga", *more)]
            tar = subprocess.run(["git", "archive", rev, *kept], cwd=ROOT, capture_output=True, check=True).stdout
            subprocess.run(["tar", "x", "-C", part], input=tar, check=True)
            shutil.copytree(part, tree)
    return tree


class Side:
    """One of the two, elaborated: outputs, registers and memories by name, down to bits."""

    def __init__(self, tree, module, params, path, moved=()):
        p = subprocess.run([sys.executable, "scripts/rtl.py", module], cwd=tree, capture_output=True, text=True,
                           check=False)
        if p.returncode:
            raise SystemExit(f"same.py: {tree}: {p.stderr.strip()}")
        sets = " ".join(f"-set {k} {v}" for k, v in params if k != "DataW")
        chparam, width = f"chparam {sets} {module}; " if sets else "", dict(params).get("DataW")
        define = f"-DTOCSIN_DATA_W={width} " if width else ""
        yosys(f"read_verilog -sv {define}{p.stdout.strip()}; {chparam}hierarchy -check -top {module}; "
              f"proc -noopt -norom; flatten; opt_clean; write_json {path}", tree)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for was, now in moved:
            text = re.sub(rf"(?<![\w.]){re.escape(was)}(?!\w)", now, text)
        self.design = json.loads(text)
        self.module = next(m for m in self.design["modules"].values() if "top" in m["attributes"])
        self.cells = {n: c for n, c in self.module["cells"].items() if c["type"] not in FORGET}
        self.names = {}  # bit: its names
        for name, net in self.module["netnames"].items():
            if not net.get("hide_name"):
                for i, bit in enumerate(net["bits"]):
                    self.names.setdefault(bit, []).append(f"{name}[{i}]" if len(net["bits"]) > 1 else name)
        self.regs, self.mems, self.logic = {}, {}, {}  # regs: the bit of Q: (bit of D, clock and its edge)
        for name, cell in self.cells.items():
            at = cell["connections"]
            if cell["type"] == "$dff":
                for d, q in zip(at["D"], at["Q"]):
                    self.regs[q] = (d, at["CLK"][0], cell["parameters"]["CLK_POLARITY"])
            elif cell["type"] in ("$memrd", "$memrd_v2", "$memwr", "$memwr_v2"):
                ports = self.mems.setdefault(cell["parameters"]["MEMID"].lstrip("\\"), [])
                ports.append((self.place(name, cell), cell))
            elif STATE.search(cell["type"]) or not cell["type"].startswith("$"):
                raise Undecided(f"{module}: {cell['type']} {name}: not a cell that this comparison knows")
            else:
                self.logic[name] = cell

    @staticmethod
    def place(name, cell):
        """Writes in their order, then reads as the source has them; a reading of a generate loop by its number."""
        order = cell["parameters"].get("PORTID", cell["parameters"].get("PRIORITY"))
        if order:
            return ["", int(order, 2)]
        words = name.rpartition("$memrd")[0], cell["attributes"].get("src", ""), name
        return ["rd"] + [int(w) if w.isdigit() else w for text in words for w in re.split(r"(\d+)", text)]

    def pins(self, memory):
        """(what it is of, parameters, pins) of each of its ports, in their order."""
        cells = [c for _, c in sorted(self.mems[memory], key=lambda at: [(isinstance(x, str), x) for x in at[0]])]
        count = {}
        for c in cells:
            keys = {k: v for k, v in c["parameters"].items() if k not in ("MEMID", "PORTID", "PRIORITY")}
            way = c["type"][4:6]
            yield f"{way}{count.get(way, 0)}", keys, c["connections"]
            count[way] = count.get(way, 0) + 1

    def ports(self, way):
        return {n: p["bits"] for n, p in self.module["ports"].items() if p["direction"] == way}

    def best(self, q):
        """The name of a register's bit: the one that ends in _q, the shortest."""
        known = self.names.get(q, [])
        return min(known, key=lambda n: (not re.search(r"_q(\[\d+\])?$", n), len(n), n)) if known else None

    def write(self, path, inputs, outputs, keep):
        """One module `top` of two ports, bit by bit; keep: registers that stay, with 0 at first."""
        logic = dict(self.logic)
        for i, q in enumerate(keep):
            d, clk, edge = self.regs[q]
            logic[f"$kept${i}"] = {"type": "$dff", "parameters": {"WIDTH": f"{1:032b}", "CLK_POLARITY": edge},
                                   "attributes": {}, "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
                                   "connections": {"CLK": [clk], "D": [d], "Q": [q]}}
        bits = {b for c in logic.values() for bs in c["connections"].values() for b in bs if isinstance(b, int)}
        bits |= {b for b in [*inputs, *outputs] if isinstance(b, int)}
        spare = max(bits, default=1)
        # An input that this side does not have, or has twice, still has its place.
        seen, pins, zero = set(), [], lambda b: "0" if b in ("x", "z") else b
        for b in inputs:
            if not isinstance(b, int) or b in seen:
                spare += 1
                b = spare
            seen.add(b)
            pins.append(b)
        for c in logic.values():
            c["connections"] = {p: [zero(b) for b in bs] for p, bs in c["connections"].items()}
        # ABC puts inputs and outputs beside each other by their names.
        top = {"attributes": {"top": f"{1:032b}"}, "cells": logic, "netnames": {},
               "ports": {**{f"i{n:06d}": {"direction": "input", "bits": [b]} for n, b in enumerate(pins)},
                         **{f"o{n:06d}": {"direction": "output", "bits": [zero(b)]} for n, b in enumerate(outputs)}}}
        with open(path + ".json", "w", encoding="utf-8") as f:
            json.dump({"modules": {"top": top}}, f)
        init = "setundef -undriven -init -zero; " if keep else ""
        yosys(f"read_json {path}.json; opt_expr; opt_clean; simplemap; techmap; setundef -zero; setundef -undriven "
              f"-zero; {init}simplemap; opt_expr; opt_clean; {'dffunmap; async2sync; ' if keep else ''}aigmap; "
              f"opt_clean; write_blif {path}.blif", "/")


class Pair:
    """Both sides' bits beside each other."""

    def __init__(self, old, new):
        self.old, self.new, self.lost, self.kept = old, new, [], ([], [])
        self.ins, self.outs = [], []  # (name, bit of the old, bit of the new)
        for way, into in (("input", self.ins), ("output", self.outs)):
            a, b = old.ports(way), new.ports(way)
            for name in sorted({*a, *b}):
                if len(a.get(name, ())) != len(b.get(name, ())):
                    raise Differ(f"port {name}: {len(a.get(name, ()))} bits were, {len(b.get(name, ()))} are")
                into += [(f"{name}[{i}]", x, y) for i, (x, y) in enumerate(zip(a[name], b[name]))]
        self.base = len(self.ins), len(self.outs)
        self.memories()
        self.fixed = len(self.ins), len(self.outs)
        self.registers()

    def memories(self):
        for name in sorted({*self.old.mems, *self.new.mems}):
            a, b = (list(s.pins(name)) if name in s.mems else None for s in (self.old, self.new))
            sizes = [s.module.get("memories", {}).get(name, {}).get("size") for s in (self.old, self.new)]
            if not a or not b or sizes[0] != sizes[1] or [p[:2] for p in a] != [p[:2] for p in b]:
                raise Undecided(f"memory {name}: not in both, or not of the same size with the same ports")
            for (port, _, was), (_, _, now) in zip(a, b):
                for pin in sorted(was):
                    into = self.ins if port.startswith("rd") and pin == "DATA" else self.outs
                    known = enumerate(zip(was[pin], now[pin]))
                    into += [(f"memory {name} {port} {pin}[{i}]", x, y) for i, (x, y) in known if (x, y) != ("x", "x")]

    def registers(self):
        """The old one's names decide, first those that a register is written by; a name that moved with it
        to another net will do."""
        names = {n: q for q in self.new.regs for n in self.new.names.get(q, [])}
        taken, order = set(), sorted(self.old.regs, key=lambda q: (self.old.best(q) or "~", str(q)))
        for q in order:
            mine = sorted(self.old.names.get(q, []), key=lambda n: (n != self.old.best(q), n))
            other = next((names[n] for n in mine if n in names and names[n] not in taken), None)
            if other is None:
                self.lost.append(f"- {self.old.best(q)}")
                self.kept[0].append(q)
                continue
            taken.add(other)
            x, y, name = self.old.regs[q], self.new.regs[other], self.old.best(q)
            self.ins.append((f"register {name}", q, other))
            self.outs.append((f"register {name}", x[0], y[0]))
            self.outs.append((f"clock of {name}", x[1], y[1]))
            if x[2] != y[2]:
                raise Differ(f"register {name}: another edge of its clock")
        for q in self.new.regs:
            if q not in taken:
                self.lost.append(f"+ {self.new.best(q)}")
                self.kept[1].append(q)

    def step(self, where):
        """The first name that is another function of what the registers hold; None when there is none."""
        paths = [os.path.join(where, leaf) for leaf in ("old", "new")]
        for i, (side, path) in enumerate(zip((self.old, self.new), paths), 1):
            side.write(path, [p[i] for p in self.ins], [p[i] for p in self.outs], [])
        said = abc(f"cec -T {SECONDS} -C 1000000 {paths[0]}.blif {paths[1]}.blif")
        if "Networks are equivalent" in said:
            return None
        places = [int(n) for n in re.findall(r"\bo(\d{6})\b", said)]
        if "NOT EQUIVALENT" not in said or not places:
            raise Undecided(f"abc: {said.strip()[-300:]}")
        return self.outs[min(places)][0]

    @staticmethod
    def first(side, bit):
        return next((n for n, bits in sorted(side.ports("input").items()) if bit in bits), f"?{bit}")

    def run(self, where):
        """From reset on, all registers 0, ports and memories alone: True, False, or None without an answer."""
        clocks = [{(self.first(side, clk), edge) for _, clk, edge in side.regs.values()}
                  for side in (self.old, self.new)]
        if clocks[0] != clocks[1] or len(clocks[0]) > 1:
            return None
        paths = [os.path.join(where, leaf) for leaf in ("old_run", "new_run")]
        for i, (side, path) in enumerate(zip((self.old, self.new), paths), 1):
            ins, outs = self.ins[:self.fixed[0]], self.outs[:self.fixed[1]]
            side.write(path, [p[i] for p in ins], [p[i] for p in outs], sorted(side.regs, key=str))
        said = abc(f"read_blif {paths[0]}.blif; miter {paths[0]}.blif {paths[1]}.blif; orpos; fold; strash; "
                   f"scorr; pdr -T {SECONDS}")
        if "Property proved" in said or "Networks are equivalent" in said:
            return True
        return False if "was asserted" in said else None


def abc(commands):
    program = "yosys-abc" if shutil.which("yosys-abc") else "berkeley-abc"
    p = subprocess.run([program, "-c", commands], capture_output=True, text=True, check=False)
    return p.stdout + p.stderr


def compare(module, trees, params, where, moved=()):
    os.makedirs(where, exist_ok=True)
    old, new = (Side(t, module, params, os.path.join(where, f"{i}.json"), () if i else moved)
                for i, t in enumerate(trees))
    pair = Pair(old, new)
    count = f"{len(pair.old.regs)} bits of registers, {len(pair.old.mems)} memories"
    first = "a register without a partner: " + ", ".join(pair.lost[:8]) if pair.lost else pair.step(where)
    if first is None:
        return f"the same: {count}"
    answer = pair.run(where)
    if answer is True:
        return f"the same from reset on, all registers 0 at first ({first}): {count}"
    if answer is False:
        raise Differ(f"differs: {first}")
    raise Undecided(f"not decided: {first}")


def main(argv):
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("module", nargs="+")
    ask.add_argument("--rev", default="HEAD", help="what it was")
    ask.add_argument("--params", default="", help="A=1,B=2")
    ask.add_argument("--moved", default="",
                     help="u_a.u_b=u_b,...: the old names of instances and registers, the longest first")
    ask.add_argument("--old", help="a tree in the place of REV")
    ask.add_argument("--new", default=ROOT, help="a tree in the place of the working one")
    ask.add_argument("--work", help="where intermediate files go")
    args = ask.parse_args(argv)
    params, moved = asked.parameters(args.params), asked.moves(args.moved)
    base = os.path.join(ROOT, "build", "same")
    work = os.path.abspath(args.work or os.path.join(base, "work"))
    os.makedirs(base, exist_ok=True)
    old, worst = args.old or old_tree(args.rev, base), 0
    for module in args.module:
        try:
            print(f"{module}: {compare(module, (old, args.new), params, os.path.join(base, 'work', module), moved)}")
        except Differ as e:
            print(f"FAILED: {module}: {e}")
            worst = worst or 1
        except Undecided as e:
            print(f"FAILED: {module}: {e}")
            worst = worst or 2
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
