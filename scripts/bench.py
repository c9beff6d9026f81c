#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark programs of verif/bench, compares each number with its limit and its target, prints the table and
writes bench.json: a list of name, value, unit, limit, ratio, target, met.

limit: what the ports and the specification allow at best, computed; ratio: value / limit. target: "op number" or null
where nothing was promised; met: true, false, or null without a target.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_kept  # noqa: E402
import measured as book  # noqa: E402

MODES = (  # mode, function counted, what it is, target
    ("hit-put", "aa_submit", "IOTLB hit, put", 150),
    ("hit-get", "aa_submit", "IOTLB hit, get", 150),
    ("walk", "aa_submit", "walk of 4 levels, put", 450),
    ("walk", "on_read", "callbacks of a walk of 4 levels", None),
    ("active-put", "aa_submit", "active put of 64 B", None),
    ("logged-get", "aa_submit", "logged get of 64 B", None),
    ("hit-get", "aa_complete", "completion of a get", None),
    ("logged-get", "aa_complete", "completion of a logged get of 64 B", None),
)
PEER = {"hit-put": 525, "hit-get": 525, "walk": 1442}  # riscv-iommu reference model, lean callbacks
CALLS = 10000


def row(name, value, unit, limit=None, target=None):
    met = None
    if target:
        met = value is not None and (value >= target[1] if target[0] == ">=" else value <= target[1])
    ratio = value / limit if limit and value is not None else None
    return {"name": name, "value": rounded(value), "unit": unit, "limit": rounded(limit), "ratio": rounded(ratio),
            "target": f"{target[0]} {target[1]:.4g}" if target else None, "met": met}


def rounded(v):
    return None if v is None else float(f"{v:.5g}")


def hardware(a):
    """All parts on the configuration in the middle, translation alone on the others."""
    rows, points = [], []
    for w in a.walkers:
        parts = ["all"] if w == a.main else ["xlate"]
        for part in parts:
            for r in measured(f"{a.dir}/w{w}/bench_aa", part):
                if r.get("xlate"):
                    points.append(r)
                else:
                    rows.append(told(r))
    return rows + streams(points) + [told(r) for n in a.nic for r in measured(f"{a.dir}/nic{n}/bench_nic")]


def measured(*cmd):
    out = subprocess.run(cmd, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def told(r):
    return row(r["name"], r["value"], r["unit"], r["limit"], (r["op"], r["target"]) if r["op"] else None)


def streams(points):
    """Streams of misses. The limit: one look-up a cycle, of which a miss takes one more for its fill; one load a cycle;
    walkers that always wait for memory, and no more of them than the window holds misses."""
    one = {(p["cycles"], p["loads"]): p["value"] for p in points if p["walkers"] == 1 and p["miss"] == 100}
    rows = []
    for p in sorted(points, key=lambda p: (p["miss"], p["loads"], p["cycles"], p["walkers"])):
        m, loads, n, w = p["miss"] / 100, p["loads"], p["cycles"], p["walkers"]
        if not m and (w != 4 or n != 1):
            continue  # memory and walkers do not matter
        limit, target = 1, (">=", 0.99)
        if m:
            at_once = min(w, math.ceil(p["window"] * m))
            limit = min(1 / (1 + m), 1 / (m * loads), at_once / (m * loads * (n + 1)))
            # Walkers times the rate of one walker, up to the memory port's limit
            target = (">=", 0.8 * min(w * one[n, loads], 1 / loads)) if m == 1 and w > 1 and (n, loads) in one else None
        name = f"translations, {p['miss']} % misses"
        if m:
            name += f" of {loads} load{'s' * (loads > 1)}, memory {n}, {w} walker{'s' * (w > 1)}"
        rows.append(row(name, p["value"], "per cycle", limit, target))
        if abs(p["seen_miss"] - p["miss"]) > 2 or (m and abs(p["seen_loads"] - loads) > 0.1 * loads):
            sys.exit(f"bench: {name}: saw {p['seen_miss']} % misses of {p['seen_loads']} loads")
    return rows


def model(a):
    rows = []
    for mode, function, text, target in MODES:
        r = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                            f"--toggle-collect={function}", f"{a.dir}/bench_model", mode, str(CALLS)],
                           stderr=subprocess.PIPE, text=True)
        m = re.search(r"Collected : (\d+)", r.stderr)
        if r.returncode or not m:
            sys.exit(f"bench: bench_model {mode}: {r.stderr}")
        rows.append(row(f"model: {text}", int(m.group(1)) / CALLS, "instructions",
                        PEER.get(mode) if function == "aa_submit" else None, ("<=", target) if target else None))
    return rows


def lockstep(a):
    """What the model costs beside the hardware: seconds with it over seconds without, the median of three runs,
    since on a busy machine one may take less with the model than without."""
    out, ratios = f"{a.dir}/cosim.json", []
    for _ in range(3):
        r = subprocess.run([a.cosim, "--n", "20000", "--config", "default", "--quiet", "--json", out],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if r.returncode:
            print("bench: lockstep found a mismatch, so its cost is not known: make cosim", file=sys.stderr)
            ratios = []
            break
        with open(out, encoding="utf-8") as f:
            j = json.load(f)
        if j["seconds_rtl_only"]:
            ratios.append(j["seconds"] / j["seconds_rtl_only"])
    ratio = statistics.median(ratios) if ratios else None
    return [row("lockstep: time with the model", ratio, "x hardware alone", 1, ("<=", 2))]


def recorded(a):
    """Recorded workloads as fast as they go. The limit: a beat a cycle of the busiest stream."""
    return [told(r) for t in a.traces for r in measured(a.cosim, "--full-rate", t)]


def shown(v):
    return "-" if v is None else f"{v:.4g}"


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    p.add_argument("--json", required=True)
    p.add_argument("--dir", default="build/bench")
    p.add_argument("--cosim", help="lockstep program, to measure its cost")
    p.add_argument("--traces", nargs="*", default=[], help="recorded workloads, for the lockstep program")
    p.add_argument("--walkers", type=int, nargs="+", default=[1, 4, 8])
    p.add_argument("--nic", nargs="*", default=["0", "8", "0-256", "0-4-64"],
                   help="entries of the NIC's table cache, behind a dash its queue pairs, behind another its contexts")
    p.add_argument("--main", type=int, default=4, help="walkers of the configuration that everything is measured on")
    p.add_argument("--model-only", action="store_true", help="instructions of the model, and nothing else")
    a = p.parse_args()
    start = time.time()
    kept = book.Book()
    names = [n for n in ("model", "bench") if n == "model" or (a.cosim and not a.model_only)]
    of = {n: kept.digest(n) for n in names}  # before anything is measured: what changes meanwhile makes it stale
    rows = model(a) if a.model_only else hardware(a) + model(a) + (recorded(a) + lockstep(a) if a.cosim else [])
    with open(a.json, "w", encoding="utf-8") as f:
        json.dump(rows, f, indent=1)
        f.write("\n")
    width = max(len(r["name"]) for r in rows)
    print(f"{'':{width}}  {'value':>8} {'unit':<16} {'limit':>7} {'ratio':>6}  {'target':<10} met")
    for r in rows:
        met = {True: "yes", False: "NO", None: ""}[r["met"]]
        print(f"{r['name']:{width}}  {shown(r['value']):>8} {r['unit']:<16} {shown(r['limit']):>7} "
              f"{shown(r['ratio']):>6}  {r['target'] or '-':<10} {met}".rstrip())
    missed = [r["name"] for r in rows if r["met"] is False]
    promised = sum(r["met"] is not None for r in rows)
    print(f"\n{promised - len(missed)} of {promised} targets met, {time.time() - start:.0f} s; {a.json}")
    for name in missed:
        print(f"  not met: {name}")
    book.keep(kept, "model", of["model"], bench_kept.model(rows))
    if "bench" in of:
        book.keep(kept, "bench", of["bench"], bench_kept.values(rows))


if __name__ == "__main__":
    main()
