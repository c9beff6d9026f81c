# SPDX-License-Identifier: Apache-2.0
"""One program against one mutant: does it notice?"""
import os
import re
import resource
import subprocess
import time

from mutate import tree

WHY = re.compile(r"^(?:FAIL|%Error|.*(?:mismatch|differs|Assertion failed|did not converge|[Ee]rror:|FAIL|want )).*",
                 re.M)


class Broken(Exception):
    """Something could not be built, or fails without any mutant."""


def limits(cpu):
    def apply():
        tree.cpu_limit(cpu)()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def run(cmd, cwd, env=None, cpu=600):
    """(exit code, output, seconds); tree.Cut if it was ended from outside. cpu: a backstop in seconds of processor
    time; what a hang is, is counted in cycles."""
    began = time.time()
    p = subprocess.run(cmd, cwd=cwd, env=tree.environment(env), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, preexec_fn=limits(cpu), check=False)
    out = p.stdout.decode("utf-8", "replace")
    tree.whole(cmd, p.returncode, out)
    return p.returncode, out, time.time() - began


def why(code, out):
    """What a check that failed said."""
    said = WHY.search(out)
    return said.group().strip()[:160] if said else f"ends with {code}"


class Program:
    """A check that can be run with a mutant chosen: its name, and the command below a tree.
    It has to pass without one."""

    def __init__(self, name, target, args, where, make=(), env=None):
        self.name, self.target, self.args, self.where, self.more, self.env = name, target, args, where, make, env or {}
        self.cycles, self.cpu, self.ready = 0, 600, False

    def prepare(self, say):
        if self.ready:
            return
        if not os.path.exists(os.path.join(self.where.dir, self.target)):
            say(f"  building {self.target} ...")
        code, out, _ = run(["make", "--no-print-directory", "JOBS=1", *self.more, self.target],
                           self.where.dir, self.env, 36000)
        if code:
            raise Broken(f"{self.target} is not built:\n" + "\n".join(out.rstrip().split("\n")[-12:]))
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        code, out, _ = self.trial(0)
        if code:
            raise Broken(f"{self.name} fails without a mutant:\n" + "\n".join(out.rstrip().split("\n")[-12:]))
        self.cpu = 30 + int(20 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used))
        told = re.search(r"^(\d+) cycles$", out, flags=re.M)
        self.cycles = 4 * int(told.group(1)) + 1000 if told else 0
        self.ready = True

    def trial(self, number):
        env = dict(self.env, TOCSIN_MUTANT=str(number), TOCSIN_CYCLES=str(self.cycles))
        return run([os.path.join(".", self.target), *self.args], self.where.dir, env, self.cpu)

    def kills(self, number):
        """Why the program fails with this mutant, or None."""
        code, out, _ = self.trial(number)
        if code == 0:
            return None
        if code == -24:  # SIGXCPU
            return f"{self.name}: no end in {self.cpu} s of processor time (backstop)"
        return f"{self.name}: {why(code, out)}"
