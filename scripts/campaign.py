#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""campaign.py --top TOP --n N --seeds FIRST-LAST --record FILE [--jobs J] NAME=COMMAND...: many seeds of many runs.

Each NAME is a configuration, its COMMAND a lockstep program with options, which gets --n, --seed, --json. A run counts once its
report says 0 mismatches; it is written down with a digest of the sources of hardware and model, so that a campaign that was
stopped goes on where it was, and a run of other hardware does not count. A run that fails does not end the others: its whole
output is kept in LOGS, and all that failed are named before the last line, `N runs passed, N failed, N left`.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
import time

from sources import digest

LOCK = threading.Lock()
HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Campaigns

Long lockstep runs, written by `make campaign` (verif/README.md): what ran without a mismatch. `digest` is that of the sources of
hardware and model without their comments; `make campaign` runs again what has another one.

| top | configuration | requests a run | seeds | cycles | digest |
|---|---|---|---|---|---|
"""


def ranges(seeds):
    """[1, 2, 3, 7] -> 1-3, 7"""
    out = []
    for s in sorted(seeds):
        if out and s == out[-1][1] + 1:
            out[-1][1] = s
        else:
            out.append([s, s])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def read(path):
    """{(top, name, n, digest): (seeds, cycles)}"""
    rows = {}
    if os.path.exists(path):
        for line in open(path, encoding="utf-8"):
            c = [x.strip() for x in line.strip().strip("|").split("|")]
            if len(c) != 6 or not c[2].isdigit():
                continue
            seeds = set()
            for part in c[3].split(","):
                a, _, b = part.strip().partition("-")
                seeds |= set(range(int(a), int(b or a) + 1))
            rows[c[0], c[1], int(c[2]), c[5]] = seeds, int(c[4])
    return rows


def write(path, rows, now):
    """Rows of other sources go when the present ones have all their seeds."""
    have = {(top, name, n): seeds for (top, name, n, d), (seeds, _) in rows.items() if d == now.get((top, name))}
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(HEAD)
        for (top, name, n, d), (seeds, cycles) in sorted(rows.items()):
            if d == now.get((top, name), d) or seeds - have.get((top, name, n), set()):
                f.write(f"| {top} | {name} | {n} | {ranges(seeds)} | {cycles} | {d} |\n")
    os.replace(path + ".new", path)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--top", required=True)
    p.add_argument("--n", type=int, required=True)
    p.add_argument("--seeds", required=True)
    p.add_argument("--record", required=True)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--logs", default="build/report/campaign", help="where the output of a run that failed is kept")
    p.add_argument("--minutes", type=float, default=0, help="begin no run later than this")
    p.add_argument("--sources", nargs="+", required=True)
    p.add_argument("--run", nargs="+", required=True, metavar="NAME=COMMAND")
    a = p.parse_args()
    first, _, last = a.seeds.partition("-")
    d = digest(a.sources)
    runs = dict(r.split("=", 1) for r in a.run)
    now = {(a.top, name): d for name in runs}
    rows = read(a.record)
    todo = [(name, s) for s in range(int(first), int(last or first) + 1) for name in runs
            if s not in rows.get((a.top, name, a.n, d), (set(), 0))[0]]
    began, passed, failed = time.time(), [], []
    print(f"{len(todo)} runs of {a.n} requests, sources {d}", flush=True)

    def one(job):
        name, seed = job
        if a.minutes and time.time() - began > 60 * a.minutes:
            return
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            cmd = shlex.split(runs[name]) + ["--n", str(a.n), "--seed", str(seed), "--json", f.name]
            r = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            try:
                got = json.load(open(f.name, encoding="utf-8"))
            except ValueError:
                got = {}
        ok = r.returncode == 0 and got.get("mismatches") == 0 and got.get("requests", 0) >= a.n and got.get("seed") == seed
        with LOCK:
            (passed if ok else failed).append(job)
            if ok:
                seeds, cycles = rows.get((a.top, name, a.n, d), (set(), 0))
                rows[a.top, name, a.n, d] = seeds | {seed}, cycles + got["cycles"]
                write(a.record, rows, now)
            else:
                log = os.path.join(a.logs, f"{a.top} {name} {seed}.log".replace(",", "").replace(" ", "-"))
                os.makedirs(a.logs, exist_ok=True)
                with open(log, "w", encoding="utf-8") as f:
                    f.write(shlex.join(cmd) + "\n" + r.stdout)
            print(f"{'ok  ' if ok else 'FAIL'} {len(passed) + len(failed)}/{len(todo)} {a.top} {name} seed {seed}, "
                  f"{got.get('cycles', 0)} cycles, {time.time() - began:.0f} s" + ("" if ok else f", {log}"), flush=True)

    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        list(pool.map(one, todo))
    left = len(todo) - len(passed) - len(failed)
    for name, seed in failed:
        print(f"failed: {a.top} {name} seed {seed}")
    print(f"{len(passed)} runs passed, {len(failed)} failed, {left} left")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
