# SPDX-License-Identifier: Apache-2.0
"""What may be assumed. Yosys elaborates the rows of a block, and the cells before each assumption are looked at.

An env_ speaks of inputs, of constants and of f_ names. Followed back through logic to inputs and registers:
1  It depends on no register of the module and on nothing that an instance puts out; registers f_ have seen ports alone.
2  Where it depends on what an output says in the same cycle, it is about what an input may answer, and that input may
   always be silent: there is a set of inputs that, at rest (0, or what a register f_ says), make every env_ true that
   depends on one of them, whatever the rest is. So no output is excluded: only answers to it are.
A def_ ties an anyconst or anyseq of the proof, and is forgotten in the proof of a parent.
"""
import json
import os
import re

import rtl
from formal_run import ROOT, Failed, run

FORMS = {"$assert": r"p\d+\w*", "$cover": r"c_\w+", "$assume": r"(?:env|slice|def)_\w+"}
REGISTERS = re.compile(r"\$(a|s|al)?dff\w*|\$_?d?latch\w*|\$mem\w*")
NUMBERS = {"$add": lambda a, b: a + b, "$lt": lambda a, b: a < b, "$le": lambda a, b: a <= b, "$gt": lambda a, b: a > b,
           "$ge": lambda a, b: a >= b}  # of what is known and not negative
# Memory answers with what was committed, and that is what the command registers of the module held: no port says it.
TOLD = {("xtq_table", "env_memory")}
FREE = ("$anyconst", "$anyseq")


def instance(cell):
    return not cell["type"].startswith("$") or cell["type"].startswith("$paramod")


def holder(cell):
    """What puts out in this cycle what it does not have from its inputs alone."""
    return instance(cell) or bool(REGISTERS.fullmatch(cell["type"]))


def netlists(block, defines, rows, folder):
    """One Yosys run for rows of one block that differ in parameters alone: row to the JSON of its top module.
    It is async2sync that makes $assert and its like of newer Yosys' $check; there is nothing else here for it to do."""
    flags = " ".join(f"-D{d}" for d in defines)
    script = [f"read_verilog -sv -formal -DFORMAL {flags} -Iverif/formal {' '.join(rtl.files(block))}",
              "design -save src"]
    for n, row in enumerate(rows):
        script += ["design -load src" if n else "", row.chparam, f"hierarchy -check -top {block}",
                   f"rename -top {block}", f"select {block}", "proc -noopt", "opt_clean", "check -assert", "async2sync",
                   f"json -o {folder}/{n}.json", "select -clear"]
    os.makedirs(os.path.join(ROOT, folder), exist_ok=True)
    code, out, _ = run(["yosys", "-e", "implicitly declared", "-p", "; ".join(filter(None, script))],
                       f"{folder}/yosys.log", 600)
    if code:
        raise Failed("yosys: " + (re.findall(r".*ERROR.*", out) or ["failed"])[-1])
    for n, row in enumerate(rows):
        with open(os.path.join(ROOT, folder, f"{n}.json"), encoding="utf-8") as f:
            yield row, json.load(f)["modules"][block]


class Cones:
    """The top module of a row, seen from its assumptions."""

    def __init__(self, block, module):
        self.block = block
        self.cells = module["cells"]
        self.driver, self.input, self.output, self.names = {}, {}, {}, {}
        for name, c in self.cells.items():
            for port, way in c["port_directions"].items():
                if way == "output":
                    for i, b in enumerate(c["connections"][port]):
                        self.driver[b] = (name, port, i)
        for name, p in module["ports"].items():
            for b in p["bits"]:
                (self.input if p["direction"] == "input" else self.output)[b] = name
        for name, w in sorted(module["netnames"].items(), key=lambda kv: kv[1].get("hide_name", 0), reverse=True):
            for b in w["bits"]:
                self.names[b] = name

    def ghost(self, name):
        """Whether this cell is a register of the proof."""
        return (bool(REGISTERS.fullmatch(self.cells[name]["type"]))
                and "_props.svh" in self.cells[name]["attributes"].get("src", ""))

    def labels(self, kind):
        return [n for n, c in self.cells.items() if c["type"] == kind]

    def roots(self, label):
        return [b for port in ("A", "EN") for b in self.cells[label]["connections"][port]]

    def sources(self, bits, ports_end=False):
        """Inputs, outputs, f_ registers (cells), free values and forbidden things that the bits
        depend on in this cycle."""
        found = {"in": set(), "out": set(), "f": set(), "free": set(), "bad": set()}
        seen, todo = set(), list(bits)
        while todo:
            b = todo.pop()
            if isinstance(b, str) or b in seen:
                continue
            seen.add(b)
            if b in self.input:
                found["in"].add(self.input[b])
                continue
            name, _, _ = self.driver.get(b, (None, None, None))
            cell = self.cells.get(name, {"type": "undriven"})
            mine = (("_props.svh" in cell.get("attributes", {}).get("src", "")
                     or "fv.svh" in cell.get("attributes", {}).get("src", ""))
                    and "fv_see" not in cell["type"])  # what that shows is the module's own
            state = holder(cell)
            if state and mine:
                found["f"].add(name)
            elif cell["type"] in FREE:
                found["free"].add(name)
            elif b in self.output:
                found["out"].add(self.output[b])
            elif state:
                found["bad"].add(self.names.get(b, name))
            else:
                todo += [x for port, way in cell["port_directions"].items() if way == "input"
                         for x in cell["connections"][port]]
        return found

    def rests(self, labels):
        """Two ways for inputs to be silent, by bit: all are 0; or those that an env_ compares with a register
        f_ are what that is."""
        same = {}
        seen, todo = set(), [b for n in labels for b in self.roots(n)]
        while todo:
            b = todo.pop()
            if isinstance(b, str) or b in seen or b in self.input or b not in self.driver:
                continue
            seen.add(b)
            c = self.cells[self.driver[b][0]]
            if holder(c):
                continue
            sides = [c["connections"][port] for port, way in c["port_directions"].items() if way == "input"]
            todo += sum(sides, [])
            if c["type"] in ("$eq", "$ge", "$le"):
                for left, right in (sides, sides[::-1]):
                    if (all(x in self.input for x in left)
                        and all(isinstance(x, str) or x in self.driver for x in right)):
                        plain = all(x in self.driver and self.ghost(self.driver[x][0]) for x in right)
                        for x, r in zip(left, right):
                            if plain or x not in same:
                                same[x] = r
        return {}, same

    def holds(self, label, silent, rest, known=None):
        """Whether the assumption is true, whatever else happens, while the inputs `silent` rest. Bits are 0,
        1 or a net's number."""
        known = dict(known or {})

        def bit(b):
            if isinstance(b, str):
                return {"0": 0, "1": 1}.get(b, -1)
            if b in known:
                return known[b]
            known[b] = b
            if b in self.input:
                if self.input[b] in silent:
                    known[b] = bit(rest[b]) if b in rest else 0
            elif b in self.driver:
                name, _, i = self.driver[b]
                c = self.cells[name]
                if not holder(c) and c["type"] not in FREE:
                    v = value(c, i)
                    known[b] = b if v is None else v
            return known[b]

        def side(c, port):
            return [bit(b) for b in c["connections"][port]]

        def truth(v):
            return 1 if 1 in v else 0 if all(x == 0 for x in v) else None

        def flip(x):
            return 1 - x if x in (0, 1) else None

        def value(c, i):
            t = c["type"]
            if t in ("$logic_not", "$logic_and", "$logic_or", "$reduce_or", "$reduce_bool", "$reduce_and"):
                if i:
                    return 0
                a = side(c, "A")
                if t == "$reduce_and":
                    return 0 if 0 in a else 1 if all(x == 1 for x in a) else None
                a = truth(a)
                if t in ("$reduce_or", "$reduce_bool"):
                    return a
                if t == "$logic_not":
                    return flip(a)
                b = truth(side(c, "B"))
                least = 0 if t == "$logic_and" else 1
                return least if least in (a, b) else flip(least) if a == b == 1 - least else None
            if t in ("$not", "$and", "$or", "$xor", "$pos", "$mux"):
                a = one(c, "A", i)
                if t in ("$not", "$pos"):
                    return flip(a) if t == "$not" else a
                b = one(c, "B", i)
                if t in ("$and", "$or"):
                    least = 0 if t == "$and" else 1
                    return least if least in (a, b) else a if b in (1 - least, a) else b if a == 1 - least else None
                if t == "$xor":
                    return 0 if a == b else a ^ b if {a, b} <= {0, 1} else None
                s = bit(c["connections"]["S"][0])
                # -1: not asked there
                return (a, b)[s] if s in (0, 1) else a if a == b or b == -1 else b if a == -1 else None
            if t in ("$eq", "$ne"):
                if i:
                    return 0
                n = max(len(c["connections"]["A"]), len(c["connections"]["B"]))
                pairs = [(one(c, "A", k), one(c, "B", k)) for k in range(n)]
                if any({x, y} == {0, 1} for x, y in pairs):
                    return int(t == "$ne")
                return int(t == "$eq") if all(x == y for x, y in pairs) else None
            if t in NUMBERS:
                a, b = side(c, "A"), side(c, "B")
                if i == 0 and ((t in ("$le", "$ge") and a == b) or (t == "$le" and set(a) == {0})
                               or (t == "$ge" and set(b) == {0})):
                    return 1
                if set(a + b) <= {0, 1}:
                    a, b = (sum(x << k for k, x in enumerate(v)) for v in (a, b))
                    return int(NUMBERS[t](a, b)) >> i & 1
            return None

        def one(c, port, i):
            w = c["connections"][port]
            signed = int(str(c["parameters"].get(port + "_SIGNED", "0")), 2)
            return bit(w[i]) if i < len(w) else bit(w[-1]) if signed else 0

        c = self.cells[label]["connections"]
        return bit(c["EN"][0]) == 0 or bit(c["A"][0]) in (1, -1)

    def may_rest(self, envs):
        """Inputs that may be silent, all of them at once: every env_ of one of them is then true.
        One set for each way to rest."""
        for rest in self.rests(envs):
            yield self.silent(envs, rest)

    def silent(self, envs, rest, split=None):
        found = {i for s in envs.values() for i in s["in"]} - {"clk_i", "rst_ni"}
        while True:
            broken = [n for n, s in envs.items() if s["in"] & found and
                      not all(self.holds(n, found, rest, {split: v} if split else {})
                              for v in ((0, 1) if split else (0,)))]
            if not broken:
                return found
            found -= set().union(*(envs[n]["in"] for n in broken))

    def follows(self, envs, label):
        """Whether an input of one bit may rest at a register f_ of one bit that the env_ looks at."""
        same = self.rests(envs)[1]
        single = {n: b for b, n in self.input.items() if list(self.input.values()).count(n) == 1}
        for cell in sorted(envs[label]["f"]):
            q = self.cells[cell]["connections"].get("Q", [])
            for name in sorted(envs[label]["in"] & set(single) - {"clk_i", "rst_ni"}):
                if len(q) == 1 and name in self.silent(envs, {**same, single[name]: q[0]}, q[0]):
                    return True
        return False

    def env_faults(self):
        """Lines about assumptions that are none."""
        envs = {n: self.sources(self.roots(n)) for n in self.labels("$assume") if n.startswith("env_")}
        ways = list(self.may_rest(envs))

        for label, s in sorted(envs.items()):
            for name in sorted(s["bad"]):
                yield f"{label} depends on {name}, which is neither an input nor a register f_"
            if s["out"] and not any(s["in"] & silent for silent in ways) and not self.follows(envs, label):
                yield f"{label} depends on {', '.join(sorted(s['out']))}, and on no input that may always be silent"
            todo, seen = [] if (self.block, label) in TOLD else list(s["f"]), set()
            while todo:
                cell = todo.pop()
                if cell in seen:
                    continue
                seen.add(cell)
                c = self.cells[cell]
                t = self.sources([b for port, way in c["port_directions"].items() if way == "input"
                                  for b in c["connections"][port]])
                todo += t["f"]
                for name in sorted(t["bad"]):
                    at = c["attributes"].get("src", cell).split("|")[0]
                    yield f"{label} depends on the register f_ of {at}, and that on {name}, which is no port"
        for label in self.labels("$assume"):
            if label.startswith("def_") and not self.sources(self.roots(label))["free"]:
                yield f"{label} ties no anyconst and no anyseq"


def names_fault(path):
    """env_ statements of a property file that name an output or a register of the module, by their text."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        bare = re.sub(r"//[^\n]*", "", f.read())
    for m in re.finditer(r"\b(env_\w+)\s*:\s*assume\s*\((.*?)\)\s*;", bare, flags=re.S):
        text = re.split(r"[;:]|\bbegin\b|\bend\b", bare[:m.start()])[-1] + " " + m.group(2)
        text = re.sub(r"\d*'s?[bdh][0-9a-fA-F_x]+|\w+\s*::\s*\w+|\.\s*\w+|\w+\s*'\s*(?=\()|'[01]|"
                      r"\bbegin\b|\bend\b|`\w+", " ", text)
        for name in sorted(set(re.findall(r"\b[a-z_]\w*", text))):
            if not re.fullmatch(r"f_\w+|\w+_n?i|always_comb|if|else|for|int|unsigned|[ijkns]", name):
                yield f"{path}: {m.group(1)} names {name}; it may name inputs, constants and f_ alone"


def faults(row, module):
    """Everything that Yosys lets pass but a row must not have."""
    c = Cones(row.block, module)
    for kind, form in FORMS.items():
        for label in c.labels(kind):
            if not re.fullmatch(form, label):
                yield f"{kind[1:]} {label} without a proper label (p<N>_*, c_*, env_*, slice_*, def_*)"
    if not c.labels("$cover"):
        yield "no cover: a proof that nothing shows to be about something"
    if row.engine != "cover" and not c.labels("$assert"):
        yield "no theorem of its own"
    yield from c.env_faults()
    for label in sorted(row.unreachable - set(c.labels("$cover"))):
        yield f"the table calls {label} unreachable, but there is no such cover"
