# SPDX-License-Identifier: Apache-2.0
"""Runs the mutants of the sources (schemata.py): block tests, miter, quick theorems, lockstep, hostile cases."""
import os
import re
import threading
import time

from mutate import judges, miter, schemata, tree, trial
from mutate.trial import Broken, Program

STEP = 1000  # numbers of a module's mutants begin at a multiple of it, so that a change of one leaves the others alone
WIDE = 12    # modules and packages below one that a miter is tried for
# What has a test of its own, theorems on, is asked of fewer: more of them found next to nothing. Contexts in memory are
# hardware in `many` alone.
NONE, PLAIN, XTQ, CONTEXT = "$", "(?!nic_ctx)", "xtq", "nic_ctx"
LOCKSTEP = [  # of which top, name, program, arguments; of which modules, if these have a test of their own (all)
    ("aa_iommu", "cosim small", "build/cosim/small/cosim", "--n 2000 --seed 1 --config small --quiet"),
    ("aa_iommu", "hostile small", "build/cosim/small/cosim", "--hostile all --seed 1 --config small --quiet"),
    ("aa_iommu", "wiring small", "build/cosim/small/cosim", "--wiring all --seed 1 --config small --quiet", NONE),
    ("aa_iommu", "cosim default", "build/cosim/default/cosim", "--n 6000 --seed 1 --config default --quiet", NONE),
    ("aa_iommu", "hostile default", "build/cosim/default/cosim", "--hostile all --seed 1 --config default --quiet",
     NONE),
    ("aa_iommu", "wiring default", "build/cosim/default/cosim", "--wiring all --seed 1 --config default --quiet"),
    ("aa_iommu", "cosim stock", "build/cosim/stock/cosim", "--n 3000 --seed 1 --config stock --quiet", NONE),
    ("xtq_nic", "cosim xtq", "build/cosim_nic/default/cosim", "--n 1000 --seed 2 --fail 40 --quiet --once", PLAIN),
    ("xtq_nic", "wiring xtq", "build/cosim_nic/default/cosim", "--wiring all --seed 1", PLAIN),
    ("xtq_nic", "hostile xtq", "build/cosim_nic/default/cosim", "--hostile all --seed 1", PLAIN),
    ("xtq_nic", "wiring xtq wide", "build/cosim_nic/wide/cosim", "--wiring all --seed 1 --config wide", XTQ),
    ("xtq_nic", "cosim xtq many", "build/cosim_nic/many/cosim",
     "--n 1000 --seed 6 --config many --move 20 --quiet --once", CONTEXT),
    ("xtq_nic", "hostile xtq many", "build/cosim_nic/many/cosim", "--hostile 54,57,59 --seed 1 --config many", CONTEXT),
    ("tocsin", "cosim tocsin", "build/cosim_tocsin/default/cosim", "--n 1000 --seed 1 --bad 40 --quiet --once"),
    ("tocsin", "wiring tocsin", "build/cosim_tocsin/default/cosim", "--wiring all --seed 1"),
    ("tocsin", "wiring tocsin ports", "build/cosim_tocsin/ports/cosim", "--wiring all --seed 1 --config ports"),
    ("tocsin", "cosim tocsin many", "build/cosim_tocsin/many/cosim",
     "--n 500 --config many --seed 4 --reconnect 40 --move 20 --quiet --once"),
]
THEOREMS = {  # the smallest lockstep of each top, with the theorems of all blocks
    "aa_iommu": ("cosim small", "build/cosim/small/cosim", "--n 2000 --seed 1 --config small --quiet".split()),
    "xtq_nic": ("cosim xtq small", "build/cosim_nic/small/cosim",
                "--n 1000 --seed 1 --config small --fail 40 --quiet --once".split()),
}


def flags(test, config):
    """Parameters and defines of a block test's configuration."""
    words = re.search(rf"^// config: *{config}\b *(.*)", judges.read(f"verif/sim/test_{test}.c"), flags=re.M)
    words = words.group(1).split() if words else []
    params = [w[2:].split("=") for w in words if w.startswith("-G")]
    return " ".join(f"-set {n} {v}" for n, v in params), " ".join(
        "-D" + w[len("+define+"):] for w in words if w.startswith("+define+"))


class Runner:
    """The mutants that pick(module) gives of every module, in one tree: build/mutate/schemata. without: files that
    nothing stands in there."""

    def __init__(self, pick, say, workers=1, name="schemata", opt="-Og", without=()):
        # Theorems of a whole top are asked alone: where all mutants together seem to close loops, Verilator looks at
        # them before signals have settled.
        # Verilator 5.006 gathers a tree of gates wrongly where one of them is either (a mutant of nic_crc_mul).
        self.make = f"COSIM_OPT={opt}", f"VOPT={opt}", "cosim-formal=", "VMORE=-fno-const-bit-op-tree"
        self.lock = threading.Lock()
        self.say, self.where, self.programs = say, tree.Tree(name), {}
        self.mutants = {}
        for i, m in enumerate(sorted(schemata.paths())):
            self.mutants[m] = pick(m)[:STEP - 1]
            for k, x in enumerate(self.mutants[m]):
                x.number = i * STEP + k + 1
        self.texts = schemata.sources([x for ms in self.mutants.values() for x in ms])
        # Loops that no mutant closes by itself, but that all of them together seem to.
        self.texts["verif/lint/waivers.vlt"] = (judges.read("verif/lint/waivers.vlt").encode()
                                                + b"lint_off -rule UNOPTFLAT\n")
        self.texts.update({n: b"" for n in without})
        # What no hardware is in: the model, and the benches' C.
        self.built = "model/plain", "lib/libtocsin.a", "sim/rt", "sim/tb.o", "cosim*/all", "cosim*/hw-*"
        self.where.take(*self.built)
        self.where.sync(dict(self.texts, **self.selected(0)))
        self.proofs = [tree.Tree(f"{name}-proof{w}") for w in range(workers)]
        self.synced, self.proves, self.miters, self.nets, self.broken, self.holds = set(), {}, {}, {}, {}, {}

    @staticmethod
    def selected(number):
        return {"verif/formal/mutant.svh": f"  localparam logic [31:0] mut_sel = 32'd{number};\n".encode()}

    def program(self, *args):
        """One that is built and passes without a mutant, or None; the reason is said once."""
        p = self.programs.setdefault(args[0], Program(*args, self.where, self.make))
        if args[0] in self.broken:
            return None
        try:
            with self.lock:
                p.prepare(self.say)
        except Broken as e:
            self.broken[args[0]] = str(e)
            self.say(f"  {args[0]} cannot be asked: {e}")
            return None
        return p

    def tests(self, module):
        for t in judges.tests_of(module):
            for c in judges.tests()[t][1]:
                yield f"sim-{t}-{c}", f"build/sim/{t}/{c}/test", ["--config", c, "--seed", "1"]

    def lockstep(self, module):
        tested = judges.tests_of(module)
        for top, name, target, args, *only in LOCKSTEP:
            if top == judges.top_of(module) and (not tested or re.match("".join(only), module)):
                yield name, target, args.split()

    def equivalent(self, m, worker):
        if m.swaps and self.one_net(m, self.read(m.module)):
            return True
        if len(judges.closure(m.module)) > WIDE:
            return False
        assumes = os.path.exists(os.path.join(tree.ROOT, f"verif/formal/{m.module}_props.svh"))
        return self.same(m, worker) or (assumes and self.same(m, worker, True) and self.sound(m.module, worker))

    @staticmethod
    def read(module, more=""):
        """Yosys commands: the module, with the parameters of its test's first configuration."""
        test = next((t for t in judges.tests_of(module) if judges.tests()[t][0] == module), None)
        params, defines = flags(test, "default") if test else ("", "")
        chparam = f"chparam {params} {module}; " if params else ""
        return (f"read_verilog -sv {more} {defines} {' '.join(judges.rtl.files(module))}; "
                f"{chparam}hierarchy -check -top {module}")

    def same(self, m, worker, placed=False):
        """Whether the module does the same with the mutant as without; placed: in the environment that its theorems
        assume, at the boundary that counts (boundary.py)."""
        mit = self.miters.setdefault((m.module, placed), miter.Miter(self.where.dir, m.module, miter.SHORT))

        def side(name, number, more="", keep=""):
            d = os.path.relpath(mit.path(f"{name}{worker}"), self.where.dir)
            self.where.write(f"{d}/mutant.svh", self.selected(number)["verif/formal/mutant.svh"])
            return (f"{self.read(m.module, f'-I{d} {more}')}; rename -top {name}; proc; {keep}flatten; opt_clean")
        if not placed:
            return mit.same(side("gold", 0), side("gate", m.number), worker)
        gold = side("gold", 0, "-formal -DFORMAL -Iverif/formal",
                    "chformal -assert -cover -remove; chformal -assume -remove */slice_* * gold %d; ")
        return mit.same_placed(gold, side("gate", m.number), worker)

    def sound(self, module, worker):
        """The environment leaves the module something to do: a mutant that its test kills is not proved equivalent."""
        if module not in self.holds:
            tests = [p for p in (self.program(*t) for t in self.tests(module)) if p]
            killed = next((x for x in self.mutants[module] if any(p.kills(x.number) for p in tests)), None)
            self.holds[module] = killed is not None and not self.same(killed, worker, True)
        return self.holds[module]

    def one_net(self, m, read):
        """Whether each name of the original, which is read from the sources themselves, is the same net
        as what stands for it."""
        with self.lock:
            if m.module not in self.nets:
                self.nets[m.module] = miter.Nets(tree.ROOT, m.module, read)
        return all(self.nets[m.module].same(*s) for s in m.swaps)

    def theorem(self, module, number, worker):
        """The first quick theorem of the module that is lost. A time-out is no answer."""
        where = self.proofs[worker]
        if worker not in self.synced:
            where.sync(dict(self.texts, **self.selected(0)))
            self.synced.add(worker)
        where.write("verif/formal/mutant.svh", self.selected(number)["verif/formal/mutant.svh"])
        _, out, _ = trial.run(["scripts/formal.py", "--quick", "--block", module, "--jobs", "1"], where.dir, cpu=60)
        lost = re.search(r"^ +(\w\S*): (failed|not inductive at \d+)\b[^(\n]*\(bound", out, flags=re.M)
        return f"formal-{module}: {lost.group(1)} {lost.group(2)}" if lost else None

    def proof(self, m, worker):
        if m.module not in judges.proved():
            return None
        if m.module not in self.proves:
            self.proves[m.module] = self.theorem(m.module, 0, worker) is None
            if not self.proves[m.module]:
                self.say(f"  formal-{m.module} is red without a mutant: not asked")
        return self.theorem(m.module, m.number, worker) if self.proves[m.module] else None

    def alone(self, m, name, target, args, *make):
        """A check of hardware with this mutant alone: one that cannot be asked where all are together. It has to pass
        without one."""
        def lost(number):
            where = tree.Tree("alone")
            where.take(*self.built)
            where.sync({n: text.replace(schemata.SELECT.encode(), b'\n`include "mutant.svh"\n')
                        for n, text in dict(self.texts, **self.selected(number)).items()})
            code, out = where.make(*make, target)
            if code:
                raise Broken(f"{target} is not built with mutant {number} alone:\n{out[-600:]}")
            code, out, _ = trial.run([os.path.join(".", target), *args], where.dir)
            return f"{name} alone: {trial.why(code, out)}" if code else None
        with self.lock:
            try:
                if (name, "alone") not in self.broken:
                    self.broken[name, "alone"] = lost(0)
                    if self.broken[name, "alone"]:
                        self.say(f"  {name} fails alone without a mutant: not asked")
                return lost(m.number) if not self.broken[name, "alone"] else None
            except Broken as e:
                self.say(f"  {e}")
                return None

    def judge(self, m, worker=0):
        """(status, killed by) of one mutant, cheapest question first."""
        asked, lockstep = [], list(self.lockstep(m.module))
        tests = [t for t in self.tests(m.module) if self.program(*t)]
        apart = [t for t in self.tests(m.module) if t not in tests]
        tested = bool(tests or apart)

        def lost(programs):
            for args in programs:
                p = self.program(*args)
                (asked if p else apart).append(args)
                why = p and p.kills(m.number)
                if why:
                    return why
            return None

        def lost_alone():
            whole = THEOREMS.get(judges.top_of(m.module)) if not tested else None
            return next(filter(None, (self.alone(m, *t) for t in apart)), None) or (
                self.alone(m, *whole, "cosim-formal=-DFORMAL") if whole else None)
        first = lost(tests or lockstep[:1])
        if first:
            return "killed", first
        if self.equivalent(m, worker):
            return "equivalent", None
        why = (lost(lockstep[:1]) if tests else None) or self.proof(m, worker) or lost(lockstep[1:]) or lost_alone()
        return ("killed", why) if why else ("survived" if asked else "error", None)

    def entry(self, m, worker=0):
        began = time.time()
        status, why = self.judge(m, worker)
        return {"block": m.module, "mutant": m.id, "kind": m.kind, "killed_by": why, "status": status, "file": m.path,
                "line": m.line, "what": m.what, "seconds": round(time.time() - began, 1)}
