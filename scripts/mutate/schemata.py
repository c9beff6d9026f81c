# SPDX-License-Identifier: Apache-2.0
"""Mutants in the source: each place becomes `mut_sel == n ? mutated : original`, so one build serves them all.

mut_sel is read once from the environment (TOCSIN_MUTANT) in simulation, and from verif/formal/mutant.svh,
a constant, by Yosys. Wiring: connections of instances. Logic: operators, constants, conditions, names,
and assignments that are left out.
"""
import functools
import glob
import hashlib
import os
import re

from mutate import judges, sv, tree

SELECT = """
`ifdef YOSYS
`include "mutant.svh"
`else
  logic [31:0] mut_sel;
  initial mut_sel = $c32("({ static const char *const m = getenv(\\"TOCSIN_MUTANT\\"); m ? atoi(m) : 0; })");
`endif
"""
SWAPS = {"&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<"], ">": [">=", "<="],
         ">=": [">"], "+": ["-"], "-": ["+"], "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"],
         "!": [""], "~": [""]}
DIRS = ("rtl/cm", "rtl/aa", "rtl/aa/*", "rtl/xtq", "rtl/nic", "rtl/nic/*", "rtl/axi", "rtl/pcie", "rtl/top")
SKIPPED = ("tocsin_fpga",)  # needs a board's clocks around it; no test Verilates it


class Mutant:
    """One change: edits are (site, new text of its expression). swaps: (name, what stands for it now),
    if it is no more than that."""

    def __init__(self, module, path, line, kind, what, edits, swaps=()):
        self.module, self.path, self.line, self.kind, self.what = module, path, line, kind, what
        self.edits, self.swaps = edits, swaps
        self.number = 0
        self.id = hashlib.sha256(f"{module}\0{what}".encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=None)
def file(path):
    return sv.File(judges.read(path))


@functools.lru_cache(maxsize=None)
def paths():
    """Module to its file."""
    found = {}
    for d in DIRS:
        for p in sorted(glob.glob(os.path.join(tree.ROOT, d, "*.sv"))):
            name = os.path.splitext(os.path.basename(p))[0]
            if not name.endswith("_pkg") and name not in SKIPPED:
                found[name] = os.path.relpath(p, tree.ROOT)
    return found


def fixed(f, site):
    """Tokens of the site that elaboration or a width depends on: indices, replications, casts, sizes."""
    held, i = set(), site.first
    while i <= site.last:
        t = f.t(i)
        if t == "[":
            held.update(range(i, f.close(i) + 1))
        elif t == "{" and i + 1 <= site.last:
            end, k = f.close(i), i + 1
            while k < end and f.t(k) not in ("{", ","):
                k = f.close(k) + 1 if f.t(k) in sv.OPEN else k + 1
            if k < end and f.t(k) == "{" and k > i + 1:
                held.update(range(i, k))
        elif t in ("'(", "'{"):
            k = i - 1
            if f.t(k) == ")":
                depth = 0
                while True:
                    depth += (f.t(k) == ")") - (f.t(k) in ("(", "'("))
                    if not depth:
                        break
                    k -= 1
                if f.toks[k - 1].kind == "id":
                    k -= 1
            held.update(range(k, i))
        elif t.startswith("$"):
            held.update(range(i, f.close(i + 1) + 1) if f.t(i + 1) == "(" else [i])
        i += 1
    return held


def number(text):
    """The literals that differ from this one by as little as possible."""
    m = re.fullmatch(r"(\d*)'([bdhBDH])([0-9a-fA-F_]+)", text)
    if text in ("'0", "'1"):
        return ["'1" if text == "'0" else "'0"]
    if not m:
        return [str(int(text) + 1)] if re.fullmatch(r"\d+", text) else []
    base = {"b": 2, "d": 10, "h": 16}[m.group(2).lower()]
    value, width = int(m.group(3).replace("_", ""), base), int(m.group(1) or 32)
    other = value ^ 1
    return [f"{width}'d{other}"] if value or width == 1 else [f"{width}'d1"]


def alike(a, b):
    """How alike two names are: the length of what they begin and end with in common."""
    head = len(os.path.commonprefix([a, b]))
    return head + len(os.path.commonprefix([a[::-1], b[::-1]]))


def others(f, name, at, wires):
    """Names of the same type as `name`, visible at `at`, the most similar first; without `wires`,
    only such as close no loop."""
    kind = f.names[name][0]
    same = [n for n, (k, where) in f.names.items()
            if k == kind and n != name and where < at and n not in ("clk_i", "rst_ni") and
            (f.ports.get(n, ("input",))[0] == "input" if wires else n.endswith(("_q", "_i")))]
    return sorted(same, key=lambda n: (-alike(n, name), n))[:2]


def logic(f, path):
    found = []

    def add(site, what, new, swaps=()):
        line = f.text.count("\n", 0, f.toks[site.first].start) + 1
        head = f"{site.lhs} = " if site.kind == "rhs" else "if "
        old = f.between(site.first, site.last)
        found.append(Mutant(f.name, path, line, "logic", f"{what}: {head}{squeeze(old)}  becomes  {head}{squeeze(new)}",
                            [(site, new)], swaps))

    for s in f.sites:
        if s.kind == "conn" or not s.style or (s.lhs or "").startswith("unused"):
            continue
        old, base = f.between(s.first, s.last), f.toks[s.first].start
        if "signed" in old or any("signed" in f.names[x.text][0] and "unsigned" not in f.names[x.text][0]
                                  for x in f.toks[s.first:s.last + 1] if x.text in f.names):
            continue
        held = fixed(f, s)

        def put(i, new, before=None):
            x = f.toks[i]
            return old[:(before if before is not None else x.start) - base] + new + old[x.end - base:]
        if s.kind == "cond":
            for what, new in (("negated", f"!({old})"), ("always", "1'b1"), ("never", "1'b0")):
                add(s, what, new)
        bit = s.lhs and f.names.get(s.lhs, ("",))[0] == "logic"
        if bit and old not in ("1'b0", "1'b1", "'0", "'1"):
            add(s, "constant", "1'b0")
            add(s, "constant", "1'b1")
        if s.kind == "rhs" and s.style == "ff" and "{" not in s.lhs:
            add(s, "left out", s.lhs)
        for i in range(s.first, s.last + 1):
            x = f.toks[i]
            if i in held:
                continue
            if x.kind == "op" and x.text in SWAPS:
                binary = i > s.first and (f.toks[i - 1].kind != "op" or f.t(i - 1) in sv.CLOSE)
                if (x.text in "!~") == binary or (x.text in ("-", "&", "|", "^") and not binary):
                    continue
                for new in SWAPS[x.text]:
                    add(s, "operator", put(i, new))
            elif x.kind == "num" and f.t(i + 1) not in ("'(", "'{", "{", "'"):
                for new in number(x.text):
                    add(s, "number", put(i, new))
            elif (x.kind == "id" and x.text in f.names and f.t(i - 1) not in (".", "::")
                  and f.t(i + 1) not in ("[", "'(")):
                for new in others(f, x.text, x.start, s.kind == "rhs" and s.style == "ff")[:1]:
                    add(s, "name", put(i, new), [(x.text, new)])
    return found


def wiring(f, path):
    found, given = [], {}

    def add(site, what, pairs):
        line = f.text.count("\n", 0, f.toks[site.first].start) + 1
        found.append(Mutant(f.name, path, line, "wiring", f"{site.inst}: {what}", pairs,
                            [(f.between(s.first, s.last), new) for s, new in pairs]))

    for s in f.sites:
        if s.kind != "conn" or s.module not in paths():
            continue
        way, kind = file(paths()[s.module]).ports.get(s.port, ("", ""))
        if way != "input" or s.port == "clk_i":
            continue
        old = f.between(s.first, s.last)
        shown = squeeze(old)
        if kind.endswith("_e") or ("signed" in kind and "unsigned" not in kind):
            continue
        if s.port == "rst_ni":
            add(s, "never reset", [(s, "1'b1")])
            continue
        if not re.fullmatch(r"\d*'[bdh]?0+", old):
            add(s, f".{s.port}({shown})  becomes  .{s.port}('0)", [(s, "'0")])
        if kind == "logic" and old != "1'b1":
            add(s, f".{s.port}({shown})  becomes  .{s.port}(1'b1)", [(s, "1'b1")])
        if s.first == s.last and old in f.names:
            for new in others(f, old, f.toks[s.first].start, True):
                add(s, f".{s.port}({old})  becomes  .{s.port}({new})", [(s, new)])
        for i in range(s.first, s.last + 1):  # x[1] becomes x[0]
            if f.t(i) == "[" and f.close(i) == i + 2 and f.toks[i + 1].kind == "num" and f.t(i + 1).isdigit():
                x = f.toks[i + 1]
                base = f.toks[s.first].start
                new = old[:x.start - base] + ("0" if x.text != "0" else "1") + old[x.end - base:]
                kind_of = f.names.get(f.t(i - 1), ("",))[0]
                if x.text != "0" or kind_of not in ("", "logic"):
                    add(s, f".{s.port}({shown})  becomes  .{s.port}({new})", [(s, new)])
        # exchanged with the input of the same type that came last, and with the most similar one
        peers = given.setdefault((s.inst, s.module, kind), [])
        chosen = peers[-1:] + sorted(peers, key=lambda p: -alike(p.port, s.port))[:1]
        for p in {id(p): p for p in chosen}.values():
            theirs = f.between(p.first, p.last)
            if theirs != old:
                add(s, f".{p.port}({squeeze(theirs)}), .{s.port}({shown}) exchanged", [(p, old), (s, theirs)])
        peers.append(s)
    return found


def outputs(f, path):
    """Outputs of instances that are outputs of the module: nobody inside looks at them."""
    found = []
    for s in f.sites:
        if s.kind != "conn" or s.first != s.last or s.module not in paths() or s.depth:
            continue
        name, way = f.t(s.first), file(paths()[s.module]).ports.get(s.port, ("",))[0]
        if way == "output" and f.ports.get(name, ("",))[0] == "output" and not f.names[name][0].endswith("_e"):
            line = f.text.count("\n", 0, f.toks[s.first].start) + 1
            for new in ["'0"] + (["'1"] if f.names[name][0] == "logic" else []):
                found.append(Mutant(f.name, path, line, "wiring", f"{s.inst}: output {name}  becomes  {new}",
                                    [(s, new)]))
    return found


def squeeze(text):
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def candidates(module):
    f, path = file(paths()[module]), paths()[module]
    return wiring(f, path) + outputs(f, path), logic(f, path)


def choose(module, n):
    """Up to n mutants of a module, half of them wiring where there is any; the same ones as long as
    the lines are the same."""
    wires, rest = ({m.id: m for m in c} for c in candidates(module))
    order = lambda d: [d[k] for k in sorted(d)]  # noqa: E731
    wires, rest = order(wires), order(rest)
    # ten an instance: a leaf with one small block inside is more than its connections
    first = min(len(wires), max(n - len(rest), min(n * 2 // 3, 10 * len(file(paths()[module]).instances))))
    return wires[:first] + rest[:n - first]


def render(f, mutants):
    """The text of the file with its mutants in."""
    at = {}
    for m in mutants:
        for site, new in m.edits:
            at.setdefault(id(site), (site, []))[1].append((m.number, new))
    text, more = f.text, ""
    for site, choices in sorted(at.values(), key=lambda a: -f.toks[a[0].first].start):
        start, end = f.toks[site.first].start, f.toks[site.last].end
        old = text[start:end]
        if site.kind == "conn" and file(paths()[site.module]).ports[site.port][0] == "output":
            wire = f"mut_{site.inst}_{site.port}"
            more += f"  {declared(f, old)} {wire};\n"
            new = "".join(f"mut_sel == 32'd{n} ? {x} : " for n, x in choices)
            more += f"  assign {old} = {new}{wire};\n"
            new = wire
        else:
            new = "(" + "".join(f"(mut_sel == 32'd{n}) ? ({x}) : " for n, x in choices) + f"({old}))"
        if site.kind == "conn" and site.bare:
            new = f"{site.port}({new})"
        text = text[:start] + new + text[end:]
    return text[:f.body] + SELECT + more + text[f.body:]


def declared(f, name):
    """The type of a port as it is written."""
    m = re.search(r"\boutput\s+((?:logic|[\w:]+)\s*(?:\[[^\n]*?\])?)\s*" + name + r"\b", f.text)
    return m.group(1).strip()


def plan(modules, n):
    """Mutants of all modules, numbered from 1."""
    every = [m for x in sorted(modules) for m in choose(x, n)]
    for i, m in enumerate(every, 1):
        m.number = i
    return every


def sources(mutants):
    """File to its mutated text."""
    by = {}
    for m in mutants:
        by.setdefault(m.path, []).append(m)
    return {p: render(file(p), ms).encode() for p, ms in by.items()}
