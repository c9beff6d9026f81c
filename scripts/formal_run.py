# SPDX-License-Identifier: Apache-2.0
"""Runs the tools of a proof: limits of processor time, and a race of the solvers that this machine has."""
import os
import re
import resource
import shutil
import signal
import subprocess
import time

import rtl

ROOT = rtl.ROOT
LEADS = (15, 60)  # seconds of processor time of a race's first solver when the second starts, and the third
SOLVERS = {"yices": "yices-smt2", "bitwuzla": "bitwuzla", "z3": "z3"}  # their programs, in the order of their starts


class Failed(Exception):
    """The row cannot be decided; the text says why."""


class Process:
    """One tool in a process group of its own. Time is processor time: a loaded machine ends nothing early."""

    def __init__(self, cmd, log, seconds):
        self.log, self.seconds, self.code, self.spent = log, seconds, None, 0.0
        most = resource.getrlimit(resource.RLIMIT_CPU)[1]
        limit = seconds if most == resource.RLIM_INFINITY else min(seconds, most)

        def begin():
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, most))

        with open(os.path.join(ROOT, log), "w", encoding="utf-8") as f:
            self.p = subprocess.Popen(cmd, cwd=ROOT, stdout=f, stderr=subprocess.STDOUT, preexec_fn=begin)

    def _reaped(self, pid, status, usage):
        if pid:
            self.code, self.spent = os.waitstatus_to_exitcode(status), round(usage.ru_utime + usage.ru_stime, 2)
            self.p.returncode = self.code
        return self.code is not None

    def ended(self):
        return self.code is not None or self._reaped(*os.wait4(self.p.pid, os.WNOHANG))

    def wait(self):
        if self.code is None:
            self._reaped(*os.wait4(self.p.pid, 0))
        return self

    def kill(self):
        if self.code is None:
            try:
                os.killpg(self.p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.wait()

    def busy(self):
        """Processor time of the process group so far; 0 where /proc does not tell."""
        ticks = 0
        for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
            try:
                with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
                    field = f.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(field[2]) == self.p.pid:  # its process group
                ticks += sum(map(int, field[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def output(self):
        with open(os.path.join(ROOT, self.log), encoding="utf-8", errors="replace") as f:
            return f.read()

    def over(self):
        return self.code != 0 and self.spent >= self.seconds - 1


def run(cmd, log, seconds):
    """Exit code, output and seconds of one command."""
    p = Process(cmd, log, seconds).wait()
    if p.over():
        raise Failed(f"time-out after {seconds} s of processor time ({os.path.basename(log)})")
    return p.code, p.output(), p.spent


def tool(*names):
    """Path of the first of these programs that there is, in the project's .venv or on the path."""
    for n in names:
        own = os.path.join(ROOT, ".venv/bin", n)
        found = own if os.access(own, os.X_OK) else shutil.which(n)
        if found:
            return found
    return None


def solvers(first=None):
    """The solvers that this machine has, in the order in which they start."""
    return sorted((s for s, program in SOLVERS.items() if tool(program)), key=lambda s: s != first)


def versions():
    cmds = [["yosys", "-V"], ["yosys-abc", "-c", "version; quit"],
            *([tool(program) or f"no-{s}", "--version"] for s, program in SOLVERS.items())]
    out = []
    for c in cmds:
        try:
            out.append(subprocess.run(c, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      check=False).stdout)
        except OSError:
            out.append(f"{c[0]}\n")
    return re.sub(r"cpu time.*|elapse.*|Elapsed.*", "", "".join(out))


def answered(out):
    """Whether yosys-smtbmc came to an end by itself; a solver that gave up is no answer."""
    return bool(re.search(r"Status: (PASSED|FAILED)", out)) and not re.search(
        r"Solver terminated|unexpected EOF|Unexpected EOF|Timeout|\bunknown\b", out)


def reached(out):
    """Step in which each cover of a run was reached; Yosys has changed the sentence."""
    old = re.findall(r"Reached cover statement at (\S+) in step (\d+)", out)
    new = re.findall(r"Reached cover statement in step (\d+) at \S+: (\S+)", out)
    return {n: int(s) for n, s in old + [(n, s) for s, n in new]}


def asked(solver, *args):
    """The words that start yosys-smtbmc with a solver, of the project's .venv if it is there."""
    path = f"PATH={os.path.join(ROOT, '.venv/bin')}:{os.environ['PATH']}"
    return ["env", path, "yosys-smtbmc", "-s", solver, "--unroll", "--noprogress", *args]


def smtbmc(folder, log, first, seconds, *args, net="net"):
    """Verdict, output, seconds and solver of a yosys-smtbmc run: the first solver has some seconds
    for itself, then the second, then all (LEADS)."""
    waiting, racing, ended = solvers(first), [], []

    def start():
        s = waiting.pop(0)
        cmd = asked(s, *(a.replace("@", s) for a in args), f"{folder}/{net}.smt2")
        racing.append((s, Process(cmd, f"{folder}/{log}-{s}.log", seconds)))

    start()
    try:
        pause = 0.01
        while racing:
            for s, p in list(racing):
                if not p.ended():
                    continue
                racing.remove((s, p))
                out = p.output()
                if answered(out):
                    return p.code == 0, out, p.spent, s
                ended.append(f"{s}: " + (f"time-out after {seconds} s of processor time" if p.over() else
                                         (re.findall(r".*(?:rror|terminated|EOF|unknown).*", out)
                                          or ["no answer"])[-1]))
            late = LEADS[len(racing) + len(ended) - 1] if waiting else None
            if waiting and (not racing or (pause >= 0.5 and racing[0][1].busy() > late)):
                start()
            elif racing:
                time.sleep(pause)
                pause = min(2 * pause, 0.5)
    finally:
        for _, p in racing:
            p.kill()
    raise Failed(f"{log}: " + "; ".join(ended))
