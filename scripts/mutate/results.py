# SPDX-License-Identifier: Apache-2.0
"""What is known of each mutant: kept a block, while the sources stay the same; the report of it all."""
import json
import os
import threading
import time

from mutate import record, tree

REPORT = os.path.join(tree.ROOT, "build/report/mutate")
ARGUED = os.path.join(tree.ROOT, "verif/mutants/argued.txt")
GOAL = 98.0
KINDS = ("wiring", "logic", "netlist", "c", "patch")


class Store:
    """The results of one block, in build/mutate/results. Of other sources those stay that `keeps` says."""

    def __init__(self, block, key, keeps=lambda entry: False):
        self.path, self.key, self.known = os.path.join(tree.OUT, "results", f"{block}.json"), key, {}
        self.lock = threading.Lock()
        try:
            with open(self.path, encoding="utf-8") as f:
                old = json.load(f)
            self.known = {i: e for i, e in old["mutants"].items() if old["key"] == key or keeps(e)}
        except (FileNotFoundError, ValueError):
            pass

    def put(self, ident, entry):
        with self.lock:
            self.known[ident] = entry
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            with open(self.path + ".new", "w", encoding="utf-8") as f:
                json.dump({"key": self.key, "mutants": self.known}, f, indent=0)
            os.replace(self.path + ".new", self.path)


class Progress:
    """How far it is, and how long it takes: what is left costs as much as what is done, kind by kind."""

    def __init__(self, say):
        self.say, self.began, self.left, self.spent, self.lock = say, time.time(), {}, {}, threading.Lock()

    def expect(self, kind, n):
        self.left[kind] = self.left.get(kind, 0) + n

    def done(self, kind, seconds, text):
        with self.lock:
            n, t = self.spent.get(kind, (0, 0.0))
            self.spent[kind] = (n + 1, t + seconds)
            self.left[kind] -= 1
            some = [t / n for n, t in self.spent.values()]
            rest = sum(left * (self.spent[k][1] / self.spent[k][0] if k in self.spent else sum(some) / len(some))
                       for k, left in self.left.items())
            todo = sum(self.left.values())
            self.say(f"{text}  [{sum(n for n, _ in self.spent.values())} done, {todo} left: {self.pretty(rest)}]")

    @staticmethod
    def pretty(seconds):
        return (f"{seconds / 3600:.1f} h" if seconds > 5400 else f"{seconds / 60:.0f} min" if seconds > 90
                else f"{seconds:.0f} s")


def score(entries):
    """(killed, what is not equivalent, per cent; -1 where nothing was judged)"""
    killed = sum(e["status"] == "killed" for e in entries)
    base = sum(e["status"] in ("killed", "survived") for e in entries)
    return killed, base, 100.0 * killed / base if base else -1.0


def argued():
    """{mutant: why no test can tell it}, by words and not by proof."""
    with open(ARGUED, encoding="utf-8") as f:
        rows = [line.split(None, 2) for line in f if line.strip() and line[0] != "#"]
    return {mutant: why.strip() for mutant, _, why in rows}


def row(name, entries):
    killed, base, percent = score(entries)
    shown = "none" if percent < 0 else f"{percent:.1f} %"
    same = sum(e["status"] == "equivalent" for e in entries)
    return f"{name:24} {len(entries):7} {killed:7} {base - killed:9} {same:11} {shown:>9}"


def write(entries, say, lacks=()):
    """mutate.json and mutate.txt; the summary is also said. True if the score is reached in all and in every folder,
    and nothing is left to judge. Bugs planted by hand are shown, and are no part of a score: each is there because it
    dies; one that lives is a failure."""
    os.makedirs(os.path.dirname(REPORT), exist_ok=True)
    entries = sorted(entries, key=lambda e: (e["block"], e["kind"], e["line"], e["mutant"]))
    with open(REPORT + ".json", "w", encoding="utf-8") as f:
        json.dump([e for e in entries if e["mutant"]], f, indent=1)  # others are known by number (record.py)
        f.write("\n")
    chance, by_hand = ([e for e in entries if (e["kind"] == "patch") == hand] for hand in (False, True))
    out, good = [], bool(entries)
    head = f"{'':24} {'mutants':>7} {'killed':>7} {'survived':>9} {'equivalent':>11} {'score':>9}"

    def group(title, of):
        names = sorted({of(e) for e in chance})
        out.extend(["", title + head[len(title):]] + [row(n, [e for e in chance if of(e) == n]) for n in names])
        return names
    group("by block", lambda e: e["block"])
    group("by kind", lambda e: e["kind"])
    group("by what kills", record.killer)
    for name in group("by folder", lambda e: os.path.dirname(e["file"])):
        good = good and not 0 <= score([e for e in chance if os.path.dirname(e["file"]) == name])[2] < GOAL
    out += ["", row("in all", chance)] + ([row("planted by hand", by_hand)] if by_hand else [])
    lived = [e for e in entries if e["status"] == "survived"]
    if lived:
        words = argued()
        out += ["", f"Survivors, {sum(e['mutant'] in words for e in lived)} of {len(lived)} equivalent by words:"]
        for e in lived:
            out.append(f"{e['file']}:{e['line']}: {e['what']}  ({e['kind']}, {e['mutant']})")
            if e["mutant"] in words:
                out.append(f"    {words[e['mutant']]}")
    failed = [e for e in entries if e["status"] == "error"]
    if failed or lacks:
        out += ["", "Not judged:"] + [f"{e['block']} {e['mutant']}: {e['what']}" for e in failed] + list(lacks)
    with open(REPORT + ".txt", "w", encoding="utf-8") as f:
        f.write("\n".join(out[1:]) + "\n")
    say("\n".join(out))
    say(f"\n{REPORT}.json, {REPORT}.txt")
    return (good and not failed and not lacks and not 0 <= score(chance)[2] < GOAL
            and not any(e["status"] == "survived" for e in by_hand))
