# SPDX-License-Identifier: Apache-2.0
"""Mutants of a block's netlist (Yosys: mutate), all in one build: block test, miter, theorems; these for some steps
from reset and by induction."""
import os
import re
import threading
import time

import formal_run
from mutate import judges, miter, tree, trial
from mutate.trial import Broken, Program

BOUND, CPU = 8, 25  # steps from reset and seconds of processor time that theorems get; a time-out is no answer
LATE = 3  # proofs in a row without an answer; no more are asked then


class Runner:
    """times: how much more time than usual proofs get."""

    def __init__(self, test, n, say, workers=1, name="netlist", times=1):
        self.test, self.n, self.say, self.where = test, n, say, tree.Tree(name)
        self.module, self.config = judges.tests()[test][0], judges.netlist_config(test)
        self.dir = f"build/sim/{test}/{self.config}-netlist"
        self.program = Program(f"netlist-{test}-{self.config}", f"{self.dir}/test",
                               ["--config", self.config, "--seed", "1"],
                               self.where, ("NETLIST=1", "VOPT=-Og"), {"MUTANTS": str(n), "TOCSIN_NETLIST": "1"})
        self.miter, self.cpu, self.most = miter.Miter(self.where.dir, test, times=times), CPU * times, LATE * times
        self.holds = {}  # what was found of the block without a mutant: whether its theorems hold, its environment
        self.lock = threading.Lock()
        self.theorems, self.late = {}, {}  # late: proofs in a row without an answer
        self.cells = {}  # of each mutant

    def mutants(self):
        """Number, identity, file, line and text of each."""
        self.where.sync()
        stamp = self.where.path(f"{self.dir}/mutants.n")
        # another number: make does not see it
        if not os.path.exists(stamp) or tree.content(stamp) != str(self.n).encode():
            for leaf in ("test", "mutants.n"):
                if os.path.exists(self.where.path(f"{self.dir}/{leaf}")):
                    os.remove(self.where.path(f"{self.dir}/{leaf}"))
        self.program.prepare(self.say)
        self.where.write(f"{self.dir}/mutants.n", str(self.n).encode())
        found = []
        for line in tree.content(self.where.path(f"{self.dir}/mutants.ys")).decode().split("\n"):
            m = re.match(r"mutate -ctrl mut_sel 16 (\d+) (.*)", line)
            if not m:
                continue
            words = m.group(2).split()
            opts = dict(zip(words[::2], words[1::2]))
            places = [s for s in re.findall(r"-src (\S+)", line) if s.startswith("rtl/")]
            place = next((s for s in places[::-1]), judges.rtl.index()[self.module] + ":0").split("-")[0]
            what = (f"{opts['-mode']} of bit {opts['-portbit']} of {opts['-port']}"
                    + (f", wire {opts['-wire']}[{opts['-wirebit']}]" if "-wire" in opts else "")
                    + f", cell {opts['-cell']}")
            cell = self.cells[int(m.group(1))] = opts["-cell"].replace("\\", "")
            ident = "-".join([opts["-mode"], cell, opts["-port"], opts["-portbit"], opts.get("-ctrlbit", "")])
            at = place.split(":")[0], int(place.split(":")[1].split(".")[0])
            if at[1]:
                what += ": " + judges.read(at[0]).split("\n")[at[1] - 1].strip()
            found.append((int(m.group(1)), ident, *at, what))
        return found

    def sound(self, worker):
        """The environment leaves the block something to do: a mutant that the test kills is not proved equivalent."""
        if "miter" not in self.holds:
            killed = next((k for k in range(1, self.n + 1) if self.program.kills(k)), None)
            self.holds["miter"] = killed is not None and not self.proved(killed, worker)
        return self.holds["miter"]

    def equivalent(self, number, worker):
        return self.proved(number, worker) and self.sound(worker)

    def proved(self, number, worker):
        read = f"read_rtlil {self.dir}/{{0}}.il; {{1}}opt_clean"
        gold = read.format("whole", "chformal -assert -cover -remove; rename -top gold; add -input mut_sel 16; ")
        return self.miter.same_as(gold, read.format("mutants", "rename -top gate; "), number, worker)

    def smt2(self, part=None):
        """The theorems on the netlist with all mutants; or those of one instance ("": the top), in the environment that
        they assume, with the theorems of what it holds. None if it cannot be made."""
        with self.lock:
            if part not in self.theorems:
                path, only = f"{self.dir}/mutants{'' if part is None else f'-{part or self.module}'}.smt2", ""
                if part is not None:
                    its = "c:" + re.sub(r"[][]", "?", part and part + ".")
                    only = ((f"chformal -assert2assume {its}env_*; " if part else "") +
                            f"chformal -assert2assume {its}*.p*; "
                            f"chformal -assert -remove c:* {its}p* %d {its}*.env_* %d; ")
                script = (f"read_rtlil {self.dir}/whole.il; script {self.dir}/mutants.ys; {only}memory -nordff -nomap; "
                          "async2sync; dffunmap; opt_clean; setundef -undriven -anyseq; "
                          f"techmap -map verif/formal/wide_sum.v; opt_clean; write_smt2 -wires {path}")
                code, _, _ = trial.run(["yosys", "-q", "-p", script], self.where.dir, cpu=20 * self.cpu)
                self.theorems[part] = "" if code else path
        return self.theorems[part] or None

    def parts(self, number):
        """The instances around a mutant that have theorems, from within; the last is the top."""
        if not self.smt2():
            return []
        inner = re.sub(r"^\$flatten", "", self.cells[number]).split(".$")
        levels = inner[0].split(".") if len(inner) > 1 else []
        labels = re.findall(r"^; yosys-smt2-assert \d+ (\S+)$",
                            tree.content(self.where.path(self.smt2())).decode(), flags=re.M)
        around = [".".join(levels[:n]) for n in range(len(levels), -1, -1)]
        return [p for p in around if any(re.match(re.escape(p and p + ".") + r"p\w+$", label) for label in labels)]

    def theorem(self, number, worker, part, *steps):
        """The first theorem that fails in these steps, "" if none does, None without an answer."""
        if not self.smt2(part):
            return None
        chosen = f"{self.dir}/mutant{worker}.smtc"
        self.where.write(chosen, f"always\nassume (= [mut_sel] #x{number:04x})\n".encode())
        cmd = formal_run.asked(formal_run.solvers("bitwuzla")[0], "--smtc", chosen, *steps, self.smt2(part))
        code, out, _ = trial.run(cmd, self.where.dir, cpu=self.cpu)
        lost = re.search(r"Assert failed in \S+: (\S+)", out)
        return lost.group(1) if lost else "" if code == 0 else None

    def proof(self, number, worker):
        """Which theorem the mutant breaks: seen from reset, or by the induction that holds without it, which also sees
        what takes 2^30 cycles: of the whole block, or, which asks less, of the instances that it is in alone."""
        depth = judges.depth(self.module)
        ways = {f"within {BOUND} steps": (None, "-t", str(BOUND))}
        if depth:
            ways[f"not inductive at {depth}"] = (None, "-i", "-t", str(depth))
            ways.update({f"of {part or self.module} not inductive at {depth}": (part, "-i", "-t", str(depth))
                         for part in self.parts(number)})
        for how, asked in ways.items():
            if how not in self.holds:
                self.holds[how], self.late[how] = self.theorem(0, worker, *asked) == "", 0
            if not self.holds[how] or self.late[how] >= self.most:
                continue
            lost = self.theorem(number, worker, *asked)
            if lost:
                return f"theorem {lost} {how}"
            self.late[how] = self.late[how] + 1 if lost is None else 0
        return None

    def proofs(self, number, worker):
        """Status and killer of a mutant that the block test does not find."""
        if self.equivalent(number, worker):
            return "equivalent", None
        lost = self.proof(number, worker)
        return "killed" if lost else "survived", lost

    def entry(self, mutant, worker=0):
        number, ident, file, line, what = mutant
        began = time.time()
        why = self.program.kills(number)
        status, why = ("killed", why) if why else self.proofs(number, worker)
        return {"block": self.module, "mutant": ident, "kind": "netlist", "killed_by": why, "status": status,
                "file": file, "line": line, "what": what, "seconds": round(time.time() - began, 1)}
