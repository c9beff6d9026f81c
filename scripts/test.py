#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test.py --jobs N --junit FILE --shared "TARGETS" TARGET...: makes each target as one test.

What several tests share is made first. Says how each test went, shows the end of what a failed one printed, writes
JUnit XML, and ends with the line `N passed, N failed`.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import threading
import time
from xml.sax.saxutils import escape, quoteattr

LOCK = threading.Lock()
SHOWN = 40  # lines of a failed test


def make(target, seconds):
    """Passed, seconds, output."""
    began = time.time()
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    p = subprocess.Popen(["make", "--no-print-directory", *target.split()], stdout=subprocess.PIPE, env=env,
                         stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        out, _ = p.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, 9)
        out, _ = p.communicate()
        return False, time.time() - began, (out or "") + f"\ntime-out after {seconds} s"
    return p.returncode == 0, time.time() - began, out


def one(target, seconds):
    ok, spent, out = make(target, seconds)
    with LOCK:
        print(f"{'ok  ' if ok else 'FAIL'} {spent:6.1f}s {target}", flush=True)
        if not ok:
            lines = out.splitlines()
            cut = [f"... {len(lines) - SHOWN} lines before"] if len(lines) > SHOWN else []
            print("\n".join("     | " + x for x in cut + lines[-SHOWN:]) + f"\n     repeat: make {target}", flush=True)
    return target, ok, spent, out


def junit(path, results, spent):
    bad = sum(not r[1] for r in results)
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="tocsin" tests="{len(results)}" '
                f'failures="{bad}" time="{spent:.1f}">\n')
        for name, ok, seconds, out in results:
            group = name.split("-")[0]
            text = escape(re.sub(r"[^\t\n\x20-\uFFFD]", "?", out[-20000:]))
            f.write(f'<testcase classname="tocsin.{group}" name={quoteattr(name)} time="{seconds:.1f}">'
                    + ("" if ok else f'<failure message="make {escape(name)} failed">{text}</failure>')
                    + "</testcase>\n")
        f.write("</testsuite>\n")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--junit", required=True)
    ap.add_argument("--shared", default="")
    ap.add_argument("--seconds", type=int, default=600, help="time-out of one test")
    ap.add_argument("tests", nargs="+")
    args = ap.parse_args()
    began = time.time()
    if args.shared.strip():
        ok, spent, out = make(f"-k -j{args.jobs} {args.shared}", args.seconds)
        print(f"{'ok  ' if ok else 'FAIL'} {spent:6.1f}s what the tests share", flush=True)
        if not ok:
            print(out)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda t: one(t, args.seconds), args.tests))
    junit(args.junit, results, time.time() - began)
    failed = [r[0] for r in results if not r[1]]
    if failed:
        print("failed: " + " ".join(failed))
    print(f"{time.time() - began:.0f} s; {args.junit}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
