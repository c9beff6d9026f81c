#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""campaign.py --top TOP --n N --seeds FIRST-LAST --record FILE [--jobs J] NAME=COMMAND...: many seeds of many runs.

Each NAME is a configuration, its COMMAND a lockstep program with options, which gets --n, --seed, --json. A run counts
once its report says 0 mismatches; it is written down with a digest of the sources of hardware and model, and of the
parameters of its configuration (--config), so that a campaign that was stopped goes on where it was, and a run of other
hardware does not count. A run that fails does not
end the others: its whole output is kept in LOGS, and all that failed are named before the last line, `N runs passed,
N failed, N left`. --engine: where runs take place (engine.py); one of which nothing was heard is left, and named too.
"""
import argparse
import contextlib
import fcntl
import json
import os
import re
import shlex
import signal
import sys
import time

import engine
from sources import digest

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Campaigns

Long lockstep runs, written by `make campaign` (verif/README.md): what ran without a mismatch. `digest` is that of the
sources of hardware and model without their comments, and of the configuration's parameters; `make campaign` runs again
what has another one (before 2026-12 parameters and the model's inner headers were not part of it). A row that was
carried (`make campaign-carry`) ran on hardware that was written differently: with the parameters of its configuration
the present one was proved to be the same, bit by bit, and the model is the same word for word.

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


def configuration(name):
    """Of a row: `small, loss` is one of `small`."""
    return name.partition(",")[0]


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


def locked(path):
    """The file that takes the place of `path`, empty; whoever has it open is alone."""
    while True:
        f = open(path + ".new", "a", encoding="utf-8")
        fcntl.flock(f, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(f.fileno()), os.stat(path + ".new")):
                f.truncate(0)
                return f
        except FileNotFoundError:
            pass
        f.close()  # another has put it in its place meanwhile


@contextlib.contextmanager
def updated(path, now):
    """The rows as they are now, which may be changed: several campaigns write into one record.
    Rows of other sources go when the present ones have all their seeds."""
    with locked(path) as f:
        rows = read(path)
        yield rows
        have = {(top, name, n): seeds for (top, name, n, d), (seeds, _) in rows.items() if d == now.get((top, name))}
        f.write(HEAD)
        for (top, name, n, d), (seeds, cycles) in sorted(rows.items()):
            if d == now.get((top, name), d) or seeds - have.get((top, name, n), set()):
                f.write(f"| {top} | {name} | {n} | {ranges(seeds)} | {cycles} | {d} |\n")
        f.flush()
        os.replace(path + ".new", path)


def seeds_of(text):
    """1-20 or 3: which are asked for."""
    first, _, last = text.partition("-")
    seeds = range(int(first), int(last or first) + 1) if re.fullmatch(r"\d+(-\d+)?", text) else ()
    if not seeds:
        raise argparse.ArgumentTypeError(f"{text}: a seed, as 3, or several, as 1-20, is wanted")
    return seeds


def count(text):
    if not re.fullmatch(r"0*[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"{text}: a number of at least 1 is wanted")
    return int(text)


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--top", required=True)
    p.add_argument("--n", type=count, required=True)
    p.add_argument("--seeds", type=seeds_of, required=True)
    p.add_argument("--record", required=True)
    p.add_argument("--jobs", type=count, default=os.cpu_count(), help="runs at once on this machine")
    p.add_argument("--logs", default="build/report/campaign", help="where the output of a run that failed is kept")
    p.add_argument("--minutes", type=float, default=0, help="begin no run later than this")
    p.add_argument("--engine", choices=engine.ENGINES, default="local")
    p.add_argument("--hosts", default=":", help="parallel: machines, as in 8/one,user@two,:")
    p.add_argument("--workdir", default=".",
                   help="parallel: folder on other machines; `.`: as this one, below the home")
    p.add_argument("--sbatch", default="", help="slurm: more options of sbatch")
    p.add_argument("--every", type=float, default=5, help="slurm: seconds between two looks at what has ended")
    p.add_argument("--work", default="build/campaign/work", help="parallel, slurm: folder of this campaign's job.sh")
    p.add_argument("--look", action="store_true", help="say how many runs are left to do, and do none")
    p.add_argument("--sources", nargs="+", required=True)
    p.add_argument("--config", nargs="*", default=[], metavar="NAME=A=1 B=2", help="parameters of configurations")
    p.add_argument("--run", nargs="+", required=True, metavar="NAME=COMMAND")
    return p.parse_args()


def right(a, seed, code, got):
    return code == 0 and got.get("mismatches") == 0 and got.get("requests", 0) >= a.n and got.get("seed") == seed


def parsed(text):
    try:
        got = json.loads(text)
        return got if isinstance(got, dict) else {}
    except ValueError:
        return {}


def keep(a, name, seed, command, output):
    log = os.path.join(a.logs, f"{a.top} {name} {seed}.log".replace(",", "").replace(" ", "-"))
    os.makedirs(a.logs, exist_ok=True)
    with open(log, "w", encoding="utf-8") as f:
        f.write(shlex.join(command) + "\n" + output)
    return log


def main():
    a = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("campaign: stopped"))  # engines end what they began
    runs, words = (dict(r.split("=", 1) for r in given) for given in (a.run, a.config))
    d = {name: digest(a.sources, more=words.get(configuration(name), "")) for name in runs}
    now = {(a.top, name): d[name] for name in runs}
    rows = read(a.record)
    todo = [(name, s) for s in a.seeds for name in runs
            if s not in rows.get((a.top, name, a.n, d[name]), (set(), 0))[0]]
    print(f"{len(todo)} runs of {a.n} requests, sources {', '.join(sorted(set(d.values())))}", flush=True)
    if a.look:
        return False
    commands = [[*shlex.split(runs[name]), "--n", str(a.n), "--seed", str(s)] for name, s in todo]
    began, passed, failed, heard = time.time(), 0, [], set()
    for i, code, text, output in engine.run(a.engine, commands, began + 60 * a.minutes if a.minutes else 0, a):
        if i in heard:
            continue
        heard.add(i)
        (name, seed), got, log = todo[i], parsed(text), ""
        if right(a, seed, code, got):
            passed += 1
            with updated(a.record, now) as rows:
                seeds, cycles = rows.get((a.top, name, a.n, d[name]), (set(), 0))
                if seed not in seeds:
                    rows[a.top, name, a.n, d[name]] = seeds | {seed}, cycles + got["cycles"]
        else:
            failed.append((name, seed))
            log = ", " + keep(a, name, seed, commands[i], output)
        print(f"{'FAIL' if log else 'ok  '} {len(heard)}/{len(todo)} {a.top} {name} seed {seed}, "
              f"{got.get('cycles', 0)} cycles, {time.time() - began:.0f} s{log}", flush=True)
    late = a.minutes and time.time() >= began + 60 * a.minutes
    lost = [todo[i] for i in range(len(todo)) if i not in heard] if not late else []
    for what, jobs in (("failed", sorted(failed)), ("nothing heard of", lost)):
        for name, seed in jobs:
            print(f"{what}: {a.top} {name} seed {seed}")
    print(f"{passed} runs passed, {len(failed)} failed, {len(todo) - len(heard)} left")
    return bool(failed or lost)


if __name__ == "__main__":
    sys.exit(main())
