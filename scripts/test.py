#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test.py --jobs N --junit FILE --shared "TARGETS" TARGET...: makes each target as one test, N + 1 at a time.

What several tests share is made first, and what make says of it is passed on. Says how each test went and about how
long the rest will take, shows the end of what a failed one printed, writes JUnit XML, and ends with the line `N passed,
N failed`. Beside the XML stands seconds.txt: what each test has used of the processor, the most first.

Several tests are made by one make, one after the other, since make reads its rules for as long as a small test runs.
Each stands between marks, which make prints: `passed` only when the target was made. What one make did not
come to, another does.

A slow machine fails nothing: a process may use --cpu seconds of processor time, and a test ends as hung when, for
--idle seconds, all of its processes were asleep and none had run (scripts/stuck.py). Building has no limit: what
the tests share is built without one, and a compiler (BUILDS) has none anywhere.
"""
import argparse
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

import stuck

LOCK = threading.Lock()
SHOWN = 40  # lines of a failed test
AT_ONCE = 12  # tests of one make, at most
TICK = stuck.TICK
BUILDS = re.compile(r"cc1(plus)?|lto1|lto-wrapper|collect2|as|ld(\..*)?|clang(\+\+)?(-\d+)?|verilator_bin|yosys")


def environment():
    """What this program was started with, without what concerns the make that did it. A `python3` that only looks for
    a Python (as that of pyenv does) would do so hundreds of times: what it has found comes first."""
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    folders, own = os.get_exec_path(env), os.path.dirname(sys.executable)
    if own not in folders:
        env["PATH"] = os.pathsep.join([own, *folders])
    return env


def command(targets, mark=""):
    return {"args": ["make", "--no-print-directory", *targets], "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT,
            "env": {**environment(), "TOCSIN_MARK": mark}, "text": True, "errors": "replace"}


class Test:
    """One target: passed, seconds, seconds of the processor, output."""

    def __init__(self, target, ok, seconds, cpu, out, end=""):
        self.target, self.ok, self.seconds, self.cpu = target, ok, seconds, cpu
        self.out = f"{out}\n{end}" if end else out
        self.bounded = bool(re.search(r"^bound ", out, flags=re.M))  # a proof of the first steps alone
        skipped = re.search(r"^skipped( in part)?: ?(.*)", out, flags=re.M)
        self.skipped = skipped and (skipped[2] or "it does not say why")  # what a machine lacks
        self.part = bool(skipped and skipped[1])


class Batch:
    """Tests that one make makes, in their order. done(Test) is called for each that ended; `left` are those that make
    did not come to, and `overhead` is what make itself has used, reading rules. scripts/marks.mk has targets that say
    `MARK passed TEST`, which needs TEST, and `MARK ended TEST TICKS`: the ticks of the processor that make and all that
    it started have used so far."""

    def __init__(self, targets, args, done):
        self.targets, self.done, self.at, self.overhead = targets, done, 0, 0.0
        self.lines, self.passed, self.since, self.ticks = [], False, time.time(), 0.0
        mark = f"test.py {os.getpid()} {threading.get_ident()}"
        self.mark = re.compile(rf"{mark} (passed|ended) (\S+)(?: (\d+))?\n")
        goals = ["ended-nothing"] + [g for t in targets for g in (f"passed-{t}", f"ended-{t}")]
        p = subprocess.Popen(**command(["-k", *goals], mark), start_new_session=True)
        reader = threading.Thread(target=lambda: [self.read(line) for line in p.stdout])
        reader.start()
        hung = self.wait(reader, p.pid, args)
        _, _, usage = os.wait4(p.pid, 0)
        p.returncode = 0  # and nobody waits for it again
        reader.join()
        if self.at < len(targets):  # make has ended within a test, or before the first
            why = f"hung: nothing of it has run for {args.idle} s" if hung else "make has ended here"
            self.end(False, usage.ru_utime + usage.ru_stime, why)
        self.left = targets[self.at:]

    def read(self, line):
        """A line of what make and the tests print; what stands before a mark is a test's that ended its last
        line with no newline."""
        found = self.mark.search(line)
        self.lines.append(line[:found.start()] if found else line)
        if not found:
            return
        kind, test, ticks = found.groups()
        if kind == "passed":
            self.passed = test == self.targets[self.at]
        elif test == "nothing":
            self.overhead = self.ticks = int(ticks) / TICK
            self.lines, self.since = [], time.time()
        else:
            self.end(self.passed, int(ticks) / TICK)

    def end(self, ok, ticks, why=""):
        now = time.time()
        t = Test(self.targets[self.at], ok, now - self.since, ticks - self.ticks, "".join(self.lines), why)
        self.at, self.lines, self.passed, self.since, self.ticks = self.at + 1, [], False, now, ticks
        self.done(t)

    def wait(self, reader, session, args):
        """Until the output ends. What spins is killed; True: all was, since nothing moved."""
        watch, look = stuck.Watch(), min(5, args.cpu, args.idle)
        while True:
            reader.join(look)
            if not reader.is_alive():
                return False
            group = stuck.of_session(session)
            for p in group:
                if p.ticks > args.cpu * TICK and not BUILDS.fullmatch(p.name):
                    self.lines.append(f"{p.name} spins: it has used {args.cpu} s of processor time, and is ended\n")
                    stuck.kill(lambda pid=p.pid: [q for q in stuck.of_session(session) if q.pid == pid])
            if watch.looks(group) * look >= args.idle:
                stuck.kill(lambda: stuck.of_session(session))
                return True


class Progress:
    """How much of the work is done, by what each test took the last time."""

    def __init__(self, path, tests):
        took = {}
        try:
            took = {c.get("name"): float(c.get("time")) for c in ET.parse(path).getroot().iter("testcase")}
        except (OSError, ET.ParseError):
            pass
        usual = sum(took.values()) / len(took) if took else 1
        self.weight = {t: took.get(t, usual) for t in tests}
        self.count, self.done, self.whole, self.began = 0, 0.0, sum(self.weight.values()), time.time()

    def after(self, target):
        self.count += 1
        self.done += self.weight[target]
        left = (time.time() - self.began) * (self.whole / max(self.done, 1e-9) - 1)
        return f"{self.count} of {len(self.weight)}, {left / 60:.0f} min left"


def say(t, progress):
    word = "FAIL" if not t.ok else "bound" if t.bounded else "ok" if not t.skipped else "part" if t.part else "skip"
    with LOCK:
        print(f"{word:5} {t.cpu:6.1f}s {t.target}  ({progress.after(t.target)})", flush=True)
        if not t.ok:
            lines = t.out.splitlines()
            cut = [f"... {len(lines) - SHOWN} lines before"] if len(lines) > SHOWN else []
            print("\n".join("     | " + x for x in cut + lines[-SHOWN:])
                  + f"\n     repeat: make {t.target}", flush=True)


class Queue:
    """The tests that are still to be made. Batches become shorter as fewer are left, so that all workers end
    at about the same time."""

    def __init__(self, args):
        self.args, self.left, self.results, self.overhead = args, list(args.tests), [], 0.0
        self.progress = Progress(args.junit, args.tests)

    def take(self):
        with LOCK:
            n = max(1, min(AT_ONCE, len(self.left) // (3 * self.args.jobs)))
            batch, self.left = self.left[:n], self.left[n:]
        return batch

    def done(self, test):
        self.results.append(test)
        say(test, self.progress)

    def work(self):
        while batch := self.take():
            b = Batch(batch, self.args, self.done)
            with LOCK:
                self.left = b.left + self.left
                self.overhead += b.overhead

    def run(self):
        workers = self.args.jobs + 1  # some tests wait for a clock, or for each other's processes
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for worker in [pool.submit(self.work) for _ in range(workers)]:
                worker.result()
        place = {t: n for n, t in enumerate(self.args.tests)}
        return sorted(self.results, key=lambda t: place[t.target])


def share(targets, jobs):
    """Makes what the tests share. A failure fails nothing by itself: the tests that need it will say so."""
    print("building what the tests share; from nothing that takes some minutes", flush=True)
    began, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(**command(["-k", f"-j{jobs}", *targets.split()])) as p:
        for line in p.stdout:
            print("     | " + line, end="", flush=True)
    print(f"{'built' if p.returncode == 0 else 'BUILT IN PART'} {time.time() - began:.0f} s", flush=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds(path, results, shared, overhead):
    """Where the time of the processor goes; the sum of it is said."""
    used_by = [(r.cpu, r.target) for r in results] + [(shared, "what the tests share"),
                                                      (overhead, "make itself, reading its rules")]
    used_by.sort(reverse=True)
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{cpu:7.1f} {target}\n" for cpu, target in used_by)
    print(f"{sum(cpu for cpu, _ in used_by):.0f} s of processor time, {shared:.0f} of them for what "
          f"the tests share; {path}")


def junit(path, results, spent):
    bad = sum(not r.ok for r in results)
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="tocsin" tests="{len(results)}" '
                f'failures="{bad}" time="{spent:.1f}">\n')
        for r in results:
            group = r.target.split("-")[0]
            text = escape(re.sub(r"[^\t\n\x20-\uFFFD]", "?", r.out[-20000:]))
            f.write(f'<testcase classname="tocsin.{group}" name={quoteattr(r.target)} time="{r.seconds:.1f}">'
                    + ("" if r.ok else f'<failure message="make {escape(r.target)} failed">{text}</failure>')
                    + (f"<skipped message={quoteattr(r.skipped)}/>" if r.ok and r.skipped and not r.part else "")
                    + "</testcase>\n")
        f.write("</testsuite>\n")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--junit", required=True)
    ap.add_argument("--shared", default="")
    ap.add_argument("--cpu", type=int, default=1200)
    ap.add_argument("--idle", type=int, default=600)
    ap.add_argument("tests", nargs="+")
    args = ap.parse_args()
    began = time.time()
    shared = share(args.shared, args.jobs) if args.shared.strip() else 0.0
    print(f"{len(args.tests)} tests; seconds are the processor's", flush=True)
    queue = Queue(args)
    results = queue.run()
    junit(args.junit, results, time.time() - began)
    seconds(os.path.join(os.path.dirname(args.junit), "seconds.txt"), results, shared, queue.overhead)
    failed = [r.target for r in results if not r.ok]
    if failed:
        print("failed: " + " ".join(failed))
    bounded = [r.target for r in results if r.ok and r.bounded]
    if bounded:
        print("passed, but proved for their first steps alone: " + " ".join(bounded))
    skipped = [r for r in results if r.ok and r.skipped]
    for r in skipped:
        print(f"{'passed, but skipped in part' if r.part else 'skipped, so not passed'}: {r.target}: {r.skipped}")
    whole = sum(not r.part for r in skipped)
    print(f"{time.time() - began:.0f} s; {args.junit}")
    print(f"{len(results) - len(failed) - whole} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
