# SPDX-License-Identifier: Apache-2.0
"""Mutants of the golden model: `mut_sel == n ? mutated : original` in C, one build for all; its tests judge them.

A tokenizer finds conditions, returned and assigned expressions, and statements in function bodies. What gcc refuses
is left out again. A mutant whose object code at -O2, by gcc or by clang, equals that without it is equivalent; nothing
else is called so.
"""
import functools
import hashlib
import os
import re
import shutil
import tempfile
import threading
import time

from mutate import judges, source, tree, trial
from mutate.trial import Broken, Program

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<str>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
  | (?P<num>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)
  | (?P<id>[A-Za-z_]\w*)
  | (?P<op><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.()\[\]{}])
""", re.X | re.S | re.M)
SWAPS = {"&&": "||", "||": "&&", "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-",
         "-": "+", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<", "!": "", "~": ""}
OPEN = {"(": ")", "[": "]", "{": "}"}
ASSIGN = {"=", "+=", "-=", "|=", "&=", "^="}


def lockstep(*names):
    """Runs that are asked of bugs in the sources, too: name, program, arguments."""
    found = {name: (name, program, args) for _, name, program, args, *_ in source.LOCKSTEP}
    return [found[n] for n in names]


# The model alone, which is soon asked, then beside hardware.
IOMMU = [("model hostile", "build/cosim/model/cosim", "--backend model --hostile all --quiet"),
         ("model random", "build/cosim/model/cosim", "--backend model --n 5000 --seed 1 --quiet"),
         *lockstep("cosim default", "wiring default", "hostile default")]
NIC = [("nic hostile", "build/cosim_nic/model-san/cosim", "--backend model --hostile all"),
       ("nic random", "build/cosim_nic/model-san/cosim", "--backend model --n 300 --seed 1"),
       ("cosim xtq short", "build/cosim_nic/default/cosim", "--n 300 --seed 1"),
       *lockstep("wiring xtq", "cosim xtq", "hostile xtq")]
CONTEXTS = lockstep("cosim xtq many")
HEADER = "model/include/mutant.h"
STEP = 1000


class Mutant:
    def __init__(self, path, line, what, start, end, new, whole):
        self.path, self.line, self.what = path, line, what
        self.start, self.end, self.new, self.whole = start, end, new, whole
        self.number, self.id = 0, hashlib.sha256(f"{path}\0{what}".encode()).hexdigest()[:12]


class Source:
    def __init__(self, path):
        self.path, self.text, self.toks, self.found = path, judges.read(path), [], []
        at = 0
        while at < len(self.text):
            m = TOKEN.match(self.text, at)
            if m and m.lastgroup != "skip":
                self.toks.append((m.lastgroup, m.group(), m.start(), m.end()))
            at = m.end() if m else at + 1
        i = 0
        while i < len(self.toks):
            if self.t(i) == "{" and self.t(i - 1) == ")":
                i = self.block(i)
            i += 1

    def t(self, i):
        return self.toks[i][1] if 0 <= i < len(self.toks) else ""

    def close(self, i):
        depth = 0
        while True:
            depth += (self.t(i) in OPEN) - (self.t(i) in (")", "]", "}"))
            if not depth:
                return i
            i += 1

    def find(self, i, *wanted):
        while self.t(i) not in wanted:
            i = self.close(i) + 1 if self.t(i) in OPEN else i + 1
        return i

    def block(self, i):
        """The statements of { ... }; the index of its end."""
        end = self.close(i)
        i += 1
        while i < end:
            i = self.stmt(i)
        return end

    def stmt(self, i):
        t = self.t(i)
        if t == "{":
            return self.block(i) + 1
        if t in ("if", "while", "switch", "for"):
            stop = self.close(i + 1)
            if t == "if":
                self.condition(i + 2, stop - 1)
            elif t == "for":
                first = self.find(i + 2, ";") + 1
                last = self.find(first, ";") - 1
                if last >= first:
                    self.expression(first, last, "for ")
            elif t == "while":
                self.expression(i + 2, stop - 1, "while ")
            return stop + 1
        if t in ("else", "do", ";", "}"):
            return i + 1
        if t in ("case", "default"):
            return self.find(i, ":") + 1
        stop = self.find(i, ";")
        if t == "return" and stop > i + 1:
            self.expression(i + 1, stop - 1, "return ")
        elif t not in ("static", "goto", "break", "continue", "return", "typedef", "const"):
            self.statement(i, stop)
        return stop + 1

    def statement(self, i, stop):
        eq = i
        while eq < stop and self.t(eq) not in ASSIGN:
            eq = self.close(eq) + 1 if self.t(eq) in OPEN else eq + 1
        declares = self.toks[i][0] == "id" and (self.toks[i + 1][0] == "id"
                                                or (self.t(i + 1) == "*" and self.toks[i + 2][0] == "id"
                                                                            and self.t(i + 3) in ("=", ";", ",")))
        while declares and eq < stop:  # TYPE a = E, b = E;
            last = self.find(eq + 1, ",", ";") - 1
            self.expression(eq + 1, last, f"{self.t(eq - 1)} = ")
            eq = last + 1
            while eq < stop and self.t(eq) != "=":
                eq = self.close(eq) + 1 if self.t(eq) in OPEN else eq + 1
        if declares:
            return
        if eq < stop:
            self.expression(eq + 1, self.find(eq + 1, ",", ";") - 1, self.between(i, eq) + " ")
        if eq < stop or self.t(stop - 1) == ")":
            self.add(i, stop, "left out", self.between(i, stop), "", True)

    def between(self, i, j):
        return self.text[self.toks[i][2]:self.toks[j][3]]

    def add(self, i, j, what, old, new, whole=False, head=""):
        line = self.text.count("\n", 0, self.toks[i][2]) + 1
        squeeze = lambda s: " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", "", s).split())  # noqa: E731
        text = f"{what}: {head}{squeeze(old)}" + ("" if whole else f"  becomes  {head}{squeeze(new)}")
        self.found.append(Mutant(self.path, line, text, self.toks[i][2], self.toks[j][3], new, whole))

    def condition(self, i, j):
        old = self.between(i, j)
        for what, new in (("negated", f"!({old})"), ("always", "1"), ("never", "0")):
            self.add(i, j, what, old, new, head="if ")
        self.expression(i, j, "if ")

    def expression(self, i, j, head):
        old, base = self.between(i, j), self.toks[i][2]
        if "{" in old or '"' in old:
            return
        for k in range(i, j + 1):
            kind, text, start, end = self.toks[k]
            if kind == "op" and text in SWAPS:
                before = self.t(k - 1)
                binary = k > i and (self.toks[k - 1][0] != "op" or before in (")", "]"))
                if before == ")" and text in "&-+*" and re.fullmatch(r"\(\s*(?:const )?\w+[\s*]*\)", self.cast(k - 1)):
                    continue  # behind a cast
                if (text in "!~") == binary or (text in ("-", "+", "&") and not binary):
                    continue
                new = SWAPS[text]
            elif kind == "num":
                value = int(re.sub(r"[uUlL]", "", text), 0)
                new = str(value ^ 1 if value else 1) + re.sub(r"[^uUlL]", "",
                                                              text if not text.lower().startswith("0x") else text[2:])
            else:
                continue
            self.add(i, j, "operator" if kind == "op" else "number", old,
                     old[:start - base] + new + old[end - base:], head=head)

    def cast(self, k):
        end, depth = k, 0
        while k >= 0:
            depth += (self.t(k) == ")") - (self.t(k) == "(")
            if not depth:
                break
            k -= 1
        return self.between(k, end) if not depth else ""


@functools.lru_cache(maxsize=None)
def mutants(path):
    every = {m.id: m for m in Source(path).found}
    return [every[k] for k in sorted(every)]


def render(path, chosen):
    """The text with its mutants in, line for line. A statement that is left out may hold an expression
    that is mutated."""
    text = judges.read(path)
    places = {}
    for m in chosen:
        places.setdefault((m.start, m.end, m.whole), []).append(m)

    def piece(start, end, skip):
        out, at = "", start
        for place in sorted((p for p in places if start <= p[0] and p[1] <= end and p not in skip),
                            key=lambda p: (p[0], -p[1], not p[2])):
            if place[0] < at:
                continue  # inside one that is done
            inner = piece(place[0], place[1], skip | {place})
            ms = places[place]
            if place[2]:
                new = "{ if (" + " && ".join(f"mut_sel != {m.number}u" for m in ms) + f") {inner} }}"
            else:
                flat = [(m.number, " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", "", m.new, flags=re.S).split())) for m in ms]
                new = "(" + "".join(f"mut_sel == {n}u ? ({x}) : " for n, x in flat) + f"({inner}))"
            out += text[at:place[0]] + new
            at = place[1]
        return out + text[at:end]
    return piece(0, len(text), frozenset())


class Runner:
    """Mutants of the model, number(file) of each file of the name without .c, in one tree: build/mutate/model."""

    def __init__(self, number, say):
        self.say, self.where, self.programs, self.broken, self.plain = say, tree.Tree("model"), {}, set(), {}
        self.lock, self.compilers = threading.Lock(), [c for c in ("gcc", "clang") if shutil.which(c)]
        self.files = sorted(n for n in tree.sources() if re.match(r"model/src/.*\.c$", n))
        self.mutants, refused = {}, set()
        for i, path in enumerate(self.files):
            self.mutants[path] = mutants(path)[:number(os.path.splitext(os.path.basename(path))[0])]
            for k, m in enumerate(self.mutants[path]):
                m.number = i * STEP + k + 1
        while True:  # until gcc takes every file
            self.sync()
            more = {p: self.refused(p) for p in self.files}
            if not any(more.values()):
                break
            for p, lines in more.items():
                if lines and not any(m.line in lines for m in self.mutants[p]):
                    raise Broken(f"{p} does not compile, and no mutant is to blame")
                refused |= {m.id for m in self.mutants[p] if m.line in lines}
                self.mutants[p] = [m for m in self.mutants[p] if m.id not in refused]
        for p in self.files:  # the tool's own test
            if self.code(p, 0) is None or self.code(p, 0) != self.code(p, 0, tree.ROOT):
                raise Broken(f"{p} is not itself when no mutant is chosen")

    def sync(self):
        texts = {p: render(p, ms).encode() for p, ms in self.mutants.items()}
        texts[HEADER] = b"#ifndef MUTANT\nextern unsigned mut_sel;\n#else\n#define mut_sel MUTANT\n#endif\n"
        texts["model/src/mutant.c"] = (b"#include <stdlib.h>\n"
                                       b"unsigned mut_sel;\n__attribute__((constructor)) static void choose(void) {\n"
                                       b"  const char *m = getenv(\"TOCSIN_MUTANT\");\n"
                                       b"  if (m) mut_sel = (unsigned)atoi(m);\n}\n")
        self.where.sync(texts)

    def compile(self, path, *more, where=None, compiler="gcc"):
        cmd = [compiler, "-std=c11", "-w", "-include", self.where.path(HEADER), "-Imodel/include", *more, path]
        return trial.run(cmd, where or self.where.dir)

    def refused(self, path):
        code, out, _ = self.compile(path, "-fsyntax-only")
        return ({int(n) for n in re.findall(rf"^{re.escape(path)}:(\d+):\d+: error:", out, flags=re.M)} if code
                else set())

    def code(self, path, number, where=None, compiler="gcc"):
        """The object code with one mutant and no others; None if the compiler makes none."""
        with tempfile.TemporaryDirectory() as own:  # several are asked for at the same time
            out = os.path.join(own, "same.s")
            code, _, _ = self.compile(path, "-O2", "-S", f"-DMUTANT={number}u", "-o", out, where=where,
                                      compiler=compiler)
            return None if code else tree.content(out)

    def equivalent(self, m):
        for compiler in self.compilers:
            with self.lock:
                if (compiler, m.path) not in self.plain:
                    self.plain[compiler, m.path] = self.code(m.path, 0, compiler=compiler)
            mine = self.code(m.path, m.number, compiler=compiler)
            if mine is not None and mine == self.plain[compiler, m.path]:
                return True
        return False

    def checks(self, path):
        """Unit tests, the one of the file's name first, then whole runs."""
        stem = os.path.splitext(os.path.basename(path))[0]
        units = [os.path.splitext(f)[0] for f in sorted(os.listdir(os.path.join(tree.ROOT, "model/test")))
                 if re.match(r"test_\w+\.c", f)]
        # tests of the other half never call it
        other = {"aa": "nic|xtq|pcapng", "nic": "aa", "xtq": "aa"}.get(path.split("/")[2])
        units = [u for u in units if not other or not re.match(f"test_({other})(_|$)", u)]
        units.sort(key=lambda u: (-len(os.path.commonprefix([u[5:], stem])), u))
        flags = ("COSIM_OPT=-O1", "WARN=-w", f"CFLAGS=-O1 -g -include {HEADER}")
        for u in units:  # what is not freed, or lies behind an array, they see as `make test` does
            yield u, f"build/model/san/test/{u}", [], flags
        nic = stem.startswith(("nic", "xtq"))
        for name, program, args in (NIC if nic else IOMMU) + (CONTEXTS if stem.startswith("nic_ctx") else []):
            yield name, program, args.split(), flags

    def judge(self, m):
        asked = False
        if self.equivalent(m):
            return "equivalent", None
        for name, target, args, flags in self.checks(m.path):
            p = self.programs.setdefault(name, Program(name, target, args, self.where, flags))
            with self.lock:  # one make at a time in the tree
                if name in self.broken:
                    continue
                try:
                    p.prepare(self.say)
                except Broken as e:
                    self.broken.add(name)
                    self.say(f"  {name} cannot be asked: {e}")
                    continue
            asked, why = True, p.kills(m.number)
            if why:
                return "killed", why
        return ("survived" if asked else "error"), None

    def entry(self, m, worker=0):
        del worker
        began = time.time()
        status, why = self.judge(m)
        return {"block": os.path.splitext(os.path.basename(m.path))[0], "mutant": m.id, "kind": "c", "killed_by": why,
                "status": status, "file": m.path, "line": m.line, "what": m.what, "needs": judges.needs(m.path, why),
                "seconds": round(time.time() - began, 1)}
