#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test.py --jobs N --junit FILE --shared "TARGETS" TARGET...: makes each target as one test.

What several tests share is made first, and what make says of it is passed on. Says how each test went and about how long the rest
will take, shows the end of what a failed one printed, writes JUnit XML, and ends with the line `N passed, N failed`. Beside the XML
stands seconds.txt: what each test has used of the processor, the most first.

A slow machine fails nothing: a process may use --cpu seconds of processor time, and a test ends as hung when none of its processes
has run for --idle seconds. Building has no limit.
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

LOCK = threading.Lock()
SHOWN = 40  # lines of a failed test
TICK = os.sysconf("SC_CLK_TCK")


def command(target, limit="unlimited"):
    """make TARGET..., each of whose processes may use so many seconds of processor time."""
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    make = ["make", "--no-print-directory", *target.split()]
    return {"args": ["sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", *make], "stdout": subprocess.PIPE, "env": env,
            "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}


def used(session):
    """What the processes of a session have used: changes as long as any of them runs, begins or ends."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as f:
                field = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(field[3]) == session:
            found.append((pid, field[11], field[12]))
    return found


class Test:
    """One target: passed, seconds, seconds of the processor, output."""

    def __init__(self, target, args):
        self.target, self.out = target, ""
        began = time.time()
        p = subprocess.Popen(**command(target, args.cpu), start_new_session=True)
        reader = threading.Thread(target=lambda: setattr(self, "out", p.stdout.read()))
        reader.start()
        hung = self.wait(reader, p.pid, args.idle)
        _, code, usage = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(code)
        reader.join()
        self.ok = p.returncode == 0 and not hung
        self.seconds, self.cpu = time.time() - began, usage.ru_utime + usage.ru_stime
        self.bounded = bool(re.search(r"^bound ", self.out, flags=re.M))  # a proof of the first steps alone
        skipped = re.search(r"^skipped( in part)?: (.*)", self.out, flags=re.M)
        self.skipped = skipped[2] if skipped else None  # why; what a machine lacks
        self.part = bool(skipped and skipped[1])
        if hung:
            self.out += f"\nhung: nothing of it has run for {args.idle} s"

    @staticmethod
    def wait(reader, session, idle):
        """Until the output ends. True: it was killed, since nothing moved."""
        seen, since = None, time.time()
        while True:
            reader.join(5)
            if not reader.is_alive():
                return False
            now = used(session)
            if now != seen:
                seen, since = now, time.time()
            elif time.time() - since > idle:
                os.killpg(session, 9)
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


def one(target, args, progress):
    t = Test(target, args)
    word = "FAIL" if not t.ok else "bound" if t.bounded else "ok" if not t.skipped else "part" if t.part else "skip"
    with LOCK:
        print(f"{word:5} {t.cpu:6.1f}s {target}  ({progress.after(target)})", flush=True)
        if not t.ok:
            lines = t.out.splitlines()
            cut = [f"... {len(lines) - SHOWN} lines before"] if len(lines) > SHOWN else []
            print("\n".join("     | " + x for x in cut + lines[-SHOWN:]) + f"\n     repeat: make {target}", flush=True)
    return t


def share(targets, jobs):
    """Makes what the tests share. A failure fails nothing by itself: the tests that need it will say so."""
    print("building what the tests share; from nothing that takes some minutes", flush=True)
    began, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(**command(f"-k -j{jobs} {targets}")) as p:
        for line in p.stdout:
            print("     | " + line, end="", flush=True)
    print(f"{'built' if p.returncode == 0 else 'BUILT IN PART'} {time.time() - began:.0f} s", flush=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds(path, results, shared):
    """Where the time of the processor goes; the sum of it is said."""
    used_by = sorted([(r.cpu, r.target) for r in results] + [(shared, "what the tests share")], reverse=True)
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{cpu:7.1f} {target}\n" for cpu, target in used_by)
    print(f"{sum(cpu for cpu, _ in used_by):.0f} s of processor time, {shared:.0f} of them for what the tests share; {path}")


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
                    + (f"<skipped message={quoteattr(r.skipped)}/>" if r.ok and r.skipped and not r.part else "") + "</testcase>\n")
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
    progress = Progress(args.junit, args.tests)
    print(f"{len(args.tests)} tests; seconds are the processor's", flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda t: one(t, args, progress), args.tests))
    junit(args.junit, results, time.time() - began)
    seconds(os.path.join(os.path.dirname(args.junit), "seconds.txt"), results, shared)
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
