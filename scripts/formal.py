#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""formal.py [--block X]... [--quick] [--jobs N] [--force] [--book] [--left] [--elaborate]: runs the rows of
verif/formal/table.txt.

A row is proved when its base case, its induction (or pdr) and all its covers succeed; bounded, which is less,
when only its first steps were looked at, and all covers lie within them. A row without assertions, or without covers,
has failed. Results go to build/report/formal.json, one object a property; traces and logs stand in build/formal/<row>.
A row whose netlist, engine, depth, runner and tools are the same as at its last success is not run again.
--book writes rows that hold into verif/PROOFS.md (formal_book.py); --left runs those alone that it does not have.
--elaborate proves nothing: every row is elaborated, and its labels and environments are checked (formal_env.py).
"""
import argparse
import concurrent.futures
import contextlib
import fcntl
import glob
import hashlib
import json
import os
import re
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import formal_book  # noqa: E402
import formal_env  # noqa: E402
import formal_parts  # noqa: E402
import rtl  # noqa: E402
from formal_run import Failed, reached, run, smtbmc, tool, versions  # noqa: E402

ROOT = rtl.ROOT
TABLE = "verif/formal/table.txt"
WIDE_SUM = "verif/formal/wide_sum.v"  # what a solver is wrong of, made otherwise
OUT = "build/formal"
REPORT = "build/report/formal.json"
PRINT = threading.Lock()
GOOD = ("proved", "covered", "unreachable")
ABC = ("pdr", "bmc3")  # engines that want memories as flip-flops and the netlist as an AIG


class Row:
    def __init__(self, line, number):
        fields = line.split()
        if len(fields) < 4:
            raise SystemExit(f"{TABLE}:{number}: want BLOCK PARAMETERS ENGINE DEPTH [OPTION...]")
        self.block, self.params, self.engine, depth = fields[:4]
        self.depth = int(depth) if depth != "-" else 0
        if self.engine not in ("smtbmc", "pdr", "bmc", "bmc3", "cover"):
            raise SystemExit(f"{TABLE}:{number}: unknown engine {self.engine}")
        opts = dict(o.partition("=")[::2] for o in fields[4:])
        known = {"quick", "map", "strip", "cover", "timeout", "unreachable", "define", "base", "first", "own", "parts",
                 "only", "but"}
        if set(opts) - known:
            raise SystemExit(f"{TABLE}:{number}: unknown option {', '.join(set(opts) - known)}")
        self.quick, self.map, self.own = "quick" in opts, "map" in opts, "own" in opts
        self.parts = "parts" in opts
        self.only, self.but = (sorted(filter(None, opts.get(o, "").split(","))) for o in ("only", "but"))
        self.strip = self.own or "strip" in opts
        self.cover = int(opts.get("cover", 20))
        self.base = int(opts.get("base", self.depth + 1))
        self.timeout = int(opts.get("timeout", 400 if self.quick else 1800))
        self.first = opts.get("first", "yices")
        self.unreachable = set(filter(None, opts.get("unreachable", "").split(",")))
        self.defines = list(filter(None, opts.get("define", "").split(",")))
        # The packages take another width for the default one, which only the tops refuse: such a row would
        # prove something else.
        for width in (d.partition("=")[2] for d in self.defines if d.startswith("TOCSIN_DATA_W=")):
            if width not in ("128", "256", "512"):
                raise SystemExit(f"{TABLE}:{number}: TOCSIN_DATA_W={width}: want 128, 256 or 512")
        self.name = re.sub(r"[^\w=-]+", "_", "-".join([self.block, self.params, self.engine] + self.defines))
        self.dir = os.path.join(OUT, self.name)
        # Not `hierarchy -chparam`: Yosys 0.23 stumbles over an instance whose parameters equal those of the top.
        self.chparam = "" if self.params == "-" else "chparam " + " ".join(
            "-set {} {}".format(*p.split("=")) for p in self.params.split(",")) + f" {self.block}"

    def key(self, *texts):
        mine = {n: sorted(v) if isinstance(v, set) else v for n, v in vars(self).items()}
        return hashlib.sha256("\0".join([*texts, repr(sorted(mine.items()))]).encode()).hexdigest()

    def files(self):
        """What the row is made of: modules and their theorems."""
        files = rtl.files(self.block)
        props = filter(None, (rtl.props_of(os.path.splitext(os.path.basename(f))[0]) for f in files))
        return files + sorted(props) + ["verif/formal/fv.svh", WIDE_SUM]

    def sources(self, tools):
        """Key of that, before any tool has seen it."""
        return self.key(tools, *(f"{f}\0{rtl.text(f)}" for f in self.files()))


def rows():
    with open(os.path.join(ROOT, TABLE), encoding="utf-8") as f:
        lines = [(n, line.split("#")[0]) for n, line in enumerate(f, 1)]
    found = [Row(line, n) for n, line in lines if line.strip()]
    twice = {r.name for r in found if [q.name for q in found].count(r.name) > 1}
    if twice:
        raise SystemExit(f"{TABLE}: twice the same row: {', '.join(sorted(twice))}")
    alone = {r.block for r in found if r.own} - {r.block for r in found if not r.own}
    if alone:
        raise SystemExit(f"{TABLE}: what the parts assume is looked at in no row: {', '.join(sorted(alone))}")
    for r in found:
        if set(r.but) - {n for q in found if (q.block, q.params) == (r.block, r.params) for n in q.only}:
            raise SystemExit(f"{TABLE}: what {r.block} leaves out by but= is in no row with only=")
    return found


def select(top, labels, less="", of=""):
    """Yosys' words to remove these theorems, or with `less` those of `of` but these."""
    if not labels:
        return ""
    return f"chformal -assert -remove {of} {' '.join(f'{top}/{n}' for n in labels)} {'%u ' * (len(labels) - 1)}{less}"


def netlist(row):
    """Yosys' half: the formal netlist of the row, with what is left to ask of it."""
    top = row.block
    defines = " ".join(f"-D{d}" for d in row.defines)
    subs = f"* {top} %d"
    script = [
        f"read_verilog -sv -formal -DFORMAL {defines} -Iverif/formal {' '.join(rtl.files(top))}",
        row.chparam, f"hierarchy -check -top {top}", f"rename -top {top}", "proc", "opt_clean", "check -assert",
        # What an instance assumes of its inputs must be proved here. Its covers are its own business, and so are
        # the slice of its state that its proof looks at, and what its proof's own values are.
        f"chformal -cover -remove {subs}",
        f"chformal -assume -remove */slice_* */def_* %u {top} %d",
        f"chformal -assert -remove {subs}" if row.strip else "",
        f"chformal -assume -remove {subs}" if row.own else f"chformal -assume2assert {subs}",
        "flatten", select(top, row.only, "%d", f"{top}/t:$assert"), select(top, row.but),
        "memory -nordff -nomap", "memory_map" if row.map or row.engine == "pdr" else "",
        "async2sync", "dffunmap", "opt_clean", "setundef -undriven -anyseq",
        f"techmap -map {WIDE_SUM}", "opt_clean", f"write_smt2 -wires {row.dir}/net.smt2"]
    if row.engine in ABC:
        script += ["delete -output", "opt_clean", "chformal -cover -remove", "memory_map", "opt -full",
                   "dffunmap", "techmap", "opt_clean", "abc -g AND -fast", "opt_clean",
                   f"write_aiger -zinit -map {row.dir}/net.map {row.dir}/net.aig"]
    code, out, _ = run(["yosys", "-e", "implicitly declared", "-p", "; ".join(filter(None, script))],
                       f"{row.dir}/yosys.log", row.timeout)
    if code:
        raise Failed("yosys: " + (re.findall(r".*ERROR.*", out) or ["failed"])[-1])
    with open(os.path.join(ROOT, row.dir, "net.smt2"), encoding="utf-8") as f:
        text = f.read()
    asked = {"assert": [], "cover": [], "assume": []}
    for kind, name in re.findall(r"^; yosys-smt2-(assert|cover|assume) \d+ (\S+)", text, flags=re.M):
        asked[kind].append(name)
    if row.only and set(row.only) != set(asked["assert"]) or set(row.but) & set(asked["assert"]):
        raise Failed(f"only= or but= names {' '.join(row.only + row.but)}, and these are asked: "
                     f"{' '.join(asked['assert'])}")
    return asked, text


def kind_of(label):
    return "environment" if label.split(".")[-1].startswith("env_") else "assert"


def failed_labels(out):
    return re.findall(r"Assert failed in \S+: (\S+)", out)


def abc_verdict(out, depth):
    """What ABC found: the status of all theorems together, and the frame in which one of them fails, if one does."""
    failed = re.search(r"was asserted in frame (\d+)", out)
    if failed:
        return "unknown", int(failed.group(1))
    if "Property proved" in out:
        return "proved", None
    looked = re.search(r"No output asserted in (\d+) frames", out)
    return (f"bounded {depth}" if looked and depth and int(looked.group(1)) >= depth else "unknown"), None


def prove(row, asked):
    """Status, bound, engine and seconds of each assertion of the row."""
    trace = ["--dump-vcd", f"{row.dir}/trace-@.vcd"]
    result = {}

    def give(labels, status, bound, engine, seconds):
        for n in labels:
            result[n] = (status, bound, engine, seconds)

    def bmc(log, *args):
        return smtbmc(row.dir, log, row.first, row.timeout, *args)

    if row.engine in ABC:
        ask = "pdr" if row.engine == "pdr" else f"bmc3 -F {row.depth}"
        cmd = [tool("yosys-abc") or "yosys-abc", "-c", f"read_aiger {row.dir}/net.aig; fold; strash; {ask}"]
        _, out, spent = run(cmd, f"{row.dir}/{row.engine}.log", row.timeout)
        status, frame = abc_verdict(out, row.depth)
        give(asked["assert"], status, row.depth or None, f"abc {row.engine}", spent)
        if frame is not None:
            _, out, _, _ = bmc("base", "-t", str(frame + 2), *trace)
            give(failed_labels(out) or asked["assert"], "failed", frame, f"abc {row.engine}", spent)
        return result
    steps = row.base if row.engine == "smtbmc" else row.depth
    ok, out, spent, who = bmc("base", "--presat", "-t", str(steps), *trace)
    if not ok:
        if not failed_labels(out):
            raise Failed("base case: " + (re.findall(r".*[Uu]nsat.*|.*rror.*|Status:.*", out) or ["failed"])[0])
        give(asked["assert"], "unknown", steps, f"smtbmc {who}", spent)
        give(failed_labels(out), "failed", steps, f"smtbmc {who}", spent)
        return result
    if row.engine == "bmc":
        give(asked["assert"], f"bounded {steps}", steps, f"smtbmc {who} bmc", spent)
        return result
    if row.parts:
        for label, (word, more, who) in formal_parts.induction(row, sorted(asked["assert"])).items():
            give([label], word, row.depth, f"smtbmc {who}", round(spent + more, 2))
        return result
    ok, out, more, who = bmc("induction", "-i", "-t", str(row.depth), *trace)
    give(asked["assert"], "proved" if ok else "unknown", row.depth, f"smtbmc {who}", round(spent + more, 2))
    if not ok:
        give(failed_labels(out), f"not inductive at {row.depth}", row.depth, f"smtbmc {who}", round(spent + more, 2))
        try:  # a real failure shows itself within a few steps more often than not
            ok, out, _, who = smtbmc(row.dir, "search", row.first, 60, "-t", "15", *trace)
            deep = re.findall(r"Checking assertions in step (\d+)", out)
            give([] if ok else failed_labels(out), "failed", int(deep[-1]) if deep else None, f"smtbmc {who}", spent)
        except Failed:
            pass
    return result


def covers(row, asked):
    """The same of each cover; those of a bounded row must lie within the steps that its theorems were looked at in."""
    _, out, spent, who = smtbmc(row.dir, "cover", row.first, row.timeout, "-c", "-t", str(row.cover))
    result, steps = {}, reached(out)
    for name in asked["cover"]:
        status, bound = "failed", row.cover
        if name in row.unreachable:
            status = "failed: reached, against the table" if name in steps else "unreachable, as the table says"
        elif name in steps:
            status, bound = "covered", steps[name]
            if row.engine in ("bmc", "bmc3") and bound >= row.depth:
                status = f"failed: reached in step {bound} only, beyond the {row.depth} steps that were looked at"
        result[name] = (status, bound, f"smtbmc {who}", spent)
    return result


def remembered(row):
    try:
        with open(os.path.join(ROOT, row.dir, "result.json"), encoding="utf-8") as f:
            old = json.load(f)
            return old if {"key", "sources", "ok", "properties"} <= old.keys() else None
    except (OSError, ValueError):
        return None


def remember(row, **what):
    memo = os.path.join(ROOT, row.dir, "result.json")
    with open(memo + ".new", "w", encoding="utf-8") as f:
        json.dump(what, f, indent=1)
    os.replace(memo + ".new", memo)


@contextlib.contextmanager
def alone(folder):
    """Nobody else writes into the folder meanwhile."""
    os.makedirs(os.path.join(ROOT, folder), exist_ok=True)
    with open(os.path.join(ROOT, folder, "lock"), "w", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def do_row(row, force, tools):
    """`ok`, `bound` or `FAIL`. Of two makes that ask for one row the second waits, and finds it proved."""
    with alone(row.dir):
        return do_row_alone(row, force, tools)


def do_row_alone(row, force, tools):
    began, props, why = time.time(), [], ""
    key, sources, old = "", row.sources(tools), remembered(row)

    def add(kind, label, status, bound, engine, seconds):
        props.append({"block": row.block, "parameters": row.params, "property": label, "kind": kind, "status": status,
                      "bound": bound, "engine": engine, "seconds": seconds})

    try:
        asked, text = netlist(row)
        key = row.key(re.sub(r"^(; yosys-smt2-\w+ \d+ \S+) .*", r"\1", text, flags=re.M), tools)
        if not force and old and old["key"] == key and old["ok"]:
            remember(row, key=key, sources=sources, ok=True, properties=old["properties"])
            return say(row, True, "unchanged since it was last run", old["properties"], time.time() - began)
        if row.engine != "cover":
            for label, result in sorted(prove(row, asked).items()):
                add(kind_of(label), label, *result)
        if all(p["status"].startswith(GOOD + ("bounded",)) for p in props):
            for label, result in sorted(covers(row, asked).items()):
                add("cover", label, *result)
    except Failed as e:
        key, why = "", str(e)
        add("row", "-", f"failed: {why}", None, row.engine, round(time.time() - began, 2))
    ok = not why and all(p["status"].startswith(GOOD + ("bounded",)) for p in props)
    remember(row, key=key, sources=sources, ok=ok, properties=props)
    return say(row, ok, why, props, time.time() - began)


def say(row, ok, why, props, seconds):
    """Prints how it went; a row that was looked at for some steps only is never called ok."""
    count = {k: sum(p["kind"] == k for p in props) for k in ("assert", "environment", "cover")}
    bounded = any(p["status"].startswith("bounded") for p in props)
    word = "FAIL" if not ok else "bound" if bounded else "ok"
    with PRINT:
        print(f"{word:5} {seconds:6.1f}s {row.block} {row.params} {row.engine} {row.depth}: "
              f"{count['assert']} theorems, {count['environment']} environments, {count['cover']} covers"
              f"{f', {row.depth} steps only' if bounded else ''}{'; ' + why if why else ''}", flush=True)
        if not ok:
            for p in props:
                if not p["status"].startswith(GOOD + ("bounded",)) and p["kind"] != "row":
                    print(f"       {p['property']}: {p['status']} (bound {p['bound']})")
            waves = [f for f in sorted(os.listdir(os.path.join(ROOT, row.dir))) if f.endswith(".vcd")]
            print(f"       logs: {row.dir}/*.log" + (f", waves: {row.dir}/{waves[0]}" if waves else ""))
            print(f"       repeat: make formal BLOCK={row.block}", flush=True)
    return word


def report(tools):
    """formal.json holds what was found out of the present sources, by the present runner and tools;
    the rest is `not run`."""
    props = []
    for row in rows():
        old = remembered(row)
        if old and old["sources"] == row.sources(tools):
            props += old["properties"]
        else:
            props.append({"block": row.block, "parameters": row.params, "property": "-", "kind": "row",
                          "status": "not run", "bound": None, "engine": row.engine, "seconds": 0})
    os.makedirs(os.path.join(ROOT, os.path.dirname(REPORT)), exist_ok=True)
    new = os.path.join(ROOT, f"{REPORT}.{os.getpid()}")
    with open(new, "w", encoding="utf-8") as f:
        json.dump(props, f, indent=1)
        f.write("\n")
    os.replace(new, os.path.join(ROOT, REPORT))
    return props


def elaborate(chosen):
    """Every row through Yosys' front end, one run for rows that differ in parameters alone. 0 when none is at fault."""
    began, bad, groups = time.time(), {}, {}
    for row in chosen:
        groups.setdefault((row.block, tuple(row.defines)), []).append(row)
    for block in sorted({r.block for r in chosen}):
        bad[block] = list(formal_env.names_fault(rtl.props_of(block)))
    for n, ((block, defines), some) in enumerate(groups.items()):
        try:
            for row, module in formal_env.netlists(block, defines, some, f"{OUT}/elaborate/{n}"):
                bad[block] += [f"{row.block} {row.params}: {f}" for f in formal_env.faults(row, module)]
        except Failed as e:
            bad[block].append(f"{block}: {e}")
    faults = sum(bad.values(), [])
    print("".join(f"{f}\n" for f in dict.fromkeys(faults)), end="")
    print(f"formal: {len(chosen)} rows elaborated in {time.time() - began:.0f} s, {len(faults)} faults")
    return 1 if faults else 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--block", action="append", default=[])
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--force", action="store_true")
    ap.add_argument("--book", action="store_true")
    ap.add_argument("--left", action="store_true")
    ap.add_argument("--elaborate", action="store_true")
    args = ap.parse_args()
    chosen = [r for r in rows() if (not args.block or r.block in args.block) and (r.quick or not args.quick)]
    if not chosen:
        print("formal: no row of the table matches")
        return 1
    if args.elaborate:
        with alone(f"{OUT}/elaborate"):
            return elaborate(chosen)
    if args.left:
        found = formal_book.read()
        chosen = [r for r in chosen if not formal_book.has(r, found)]
    own = [f"scripts/{f}.py" for f in ("formal", "formal_run", "formal_parts", "formal_env", "bitwuzla", "rtl")]
    tools = versions() + "".join(rtl.text(f) for f in own)
    for row in chosen:
        for old in glob.glob(os.path.join(ROOT, row.dir, "*.vcd")):
            os.remove(old)

    def one(row):
        word = do_row(row, args.force, tools)
        if args.book and word != "FAIL":
            with alone(OUT):
                formal_book.put(row, remembered(row)["properties"], rows())
        return word
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        words = list(pool.map(one, chosen))
    report(tools)
    if args.book:
        found = formal_book.read()
        print(f"formal: {os.path.relpath(formal_book.PATH)} has {sum(formal_book.has(r, found) for r in rows())} of "
              f"{len(rows())} rows as the present sources are")
    print(f"formal: {len(words)} rows: {words.count('ok')} proved, {words.count('bound')} bounded, "
          f"{words.count('FAIL')} failed; {REPORT}")
    return 1 if "FAIL" in words else 0


if __name__ == "__main__":
    sys.exit(main())
