#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""formal.py [--block X]... [--quick] [--jobs N] [--force]: runs the rows of verif/formal/table.txt.

A row is proved when its base case, its induction (or pdr) and all its covers succeed. A row without assertions, or
without covers, has failed. Results go to build/report/formal.json, one object a property; traces and logs stand in
build/formal/<row>. A row whose netlist, engine and depth are the same as at its last success is not run again.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rtl  # noqa: E402

ROOT = rtl.ROOT
TABLE = "verif/formal/table.txt"
OUT = "build/formal"
REPORT = "build/report/formal.json"
SMTBMC = ["yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress"]
PRINT = threading.Lock()


class Failed(Exception):
    """The row cannot be decided; the text says why."""


class Row:
    def __init__(self, line, number):
        fields = line.split()
        if len(fields) < 4:
            raise SystemExit(f"{TABLE}:{number}: want BLOCK PARAMETERS ENGINE DEPTH [OPTION...]")
        self.block, self.params, self.engine, depth = fields[:4]
        self.depth = int(depth) if depth != "-" else 0
        if self.engine not in ("smtbmc", "pdr", "bmc", "cover"):
            raise SystemExit(f"{TABLE}:{number}: unknown engine {self.engine}")
        opts = dict(o.partition("=")[::2] for o in fields[4:])
        known = {"quick", "map", "strip", "cover", "timeout", "unreachable", "define", "base"}
        if set(opts) - known:
            raise SystemExit(f"{TABLE}:{number}: unknown option {', '.join(set(opts) - known)}")
        self.quick, self.map, self.strip = "quick" in opts, "map" in opts, "strip" in opts
        self.cover = int(opts.get("cover", 20))
        self.base = int(opts.get("base", self.depth + 1))
        self.timeout = int(opts.get("timeout", 400 if self.quick else 1800))
        self.unreachable = set(filter(None, opts.get("unreachable", "").split(",")))
        self.defines = list(filter(None, opts.get("define", "").split(",")))
        self.name = re.sub(r"[^\w=-]+", "_", "-".join([self.block, self.params, self.engine] + self.defines))
        self.dir = os.path.join(OUT, self.name)


def rows():
    with open(os.path.join(ROOT, TABLE), encoding="utf-8") as f:
        lines = [(n, line.split("#")[0]) for n, line in enumerate(f, 1)]
    found = [Row(line, n) for n, line in lines if line.strip()]
    twice = {r.name for r in found if [q.name for q in found].count(r.name) > 1}
    if twice:
        raise SystemExit(f"{TABLE}: twice the same row: {', '.join(sorted(twice))}")
    return found


def run(cmd, row, log, seconds):
    """Runs cmd, keeps its output in the row's folder; a time-out ends the whole process group."""
    with open(os.path.join(ROOT, row.dir, log), "w", encoding="utf-8") as f:
        p = subprocess.Popen(cmd, cwd=ROOT, stdout=f, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = p.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, 9)
            p.wait()
            raise Failed(f"time-out after {seconds} s ({log})") from None
    with open(os.path.join(ROOT, row.dir, log), encoding="utf-8", errors="replace") as f:
        return code, f.read()


def netlist(row):
    """Yosys' half: the formal netlist of the row, with what is left to ask of it."""
    top = row.block
    # Not `hierarchy -chparam`: Yosys 0.23 stumbles over an instance whose parameters equal those of the top.
    params = "" if row.params == "-" else "chparam " + " ".join(
        "-set {} {}".format(*p.split("=")) for p in row.params.split(",")) + f" {top}"
    defines = " ".join(f"-D{d}" for d in row.defines)
    subs = f"* {top} %d"
    script = [
        f"read_verilog -sv -formal -DFORMAL {defines} -Iverif/formal {' '.join(rtl.files(top))}",
        params, f"hierarchy -check -top {top}", f"rename -top {top}", "proc", "opt_clean", "check -assert",
        # What an instance assumes of its inputs must be proved here. Its covers are its own business, and so is the slice
        # of its state that its proof looks at.
        f"chformal -cover -remove {subs}",
        f"chformal -assume -remove */slice_* {top} %d",
        f"chformal -assert -remove {subs}" if row.strip else "",
        f"chformal -assume2assert {subs}",
        "flatten", "memory -nordff -nomap", "memory_map" if row.map or row.engine == "pdr" else "",
        "async2sync", "dffunmap", "opt_clean", "setundef -undriven -anyseq",
        f"write_smt2 -wires {row.dir}/net.smt2"]
    if row.engine == "pdr":
        script += ["delete -output", "opt_clean", "chformal -cover -remove", "opt -full", "dffunmap", "techmap",
                   "opt_clean", "abc -g AND -fast", "opt_clean",
                   f"write_aiger -zinit -map {row.dir}/net.map {row.dir}/net.aig"]
    code, out = run(["yosys", "-e", "implicitly declared", "-p", "; ".join(filter(None, script))], row, "yosys.log",
                    row.timeout)
    if code:
        raise Failed("yosys: " + (re.findall(r".*ERROR.*", out) or ["failed"])[-1])
    with open(os.path.join(ROOT, row.dir, "net.smt2"), encoding="utf-8") as f:
        text = f.read()
    asked = {"assert": [], "cover": [], "assume": []}
    for kind, name in re.findall(r"^; yosys-smt2-(assert|cover|assume) \d+ (\S+)", text, flags=re.M):
        asked[kind].append(name)
    forms = {"assert": r"(?:.*\.)?(?:p\d+\w*|env_\w+)", "cover": r"c_\w+", "assume": r"(?:env|slice)_\w+"}
    for kind, form in forms.items():
        bad = [n for n in asked[kind] if not re.fullmatch(form, n)]
        if bad:
            raise Failed(f"{kind} without a proper label (p<N>_*, c_*, env_*, slice_*): {', '.join(bad[:5])}")
    return asked, text


def kind_of(label):
    return "environment" if label.split(".")[-1].startswith("env_") else "assert"


def smtbmc(row, log, *args):
    began = time.time()
    code, out = run(SMTBMC + list(args) + [f"{row.dir}/net.smt2"], row, log, row.timeout)
    return code == 0, out, round(time.time() - began, 2)


def failed_labels(out):
    return re.findall(r"Assert failed in \S+: (\S+)", out)


def prove(row, asked):
    """Status, bound and seconds of each assertion of the row."""
    trace = ["--dump-vcd", f"{row.dir}/trace.vcd"]
    result = {}

    def give(labels, status, bound, seconds):
        for n in labels:
            result[n] = (status, bound, seconds)

    if not any(kind_of(n) == "assert" and "." not in n for n in asked["assert"]):
        raise Failed("no theorem of its own")
    if row.engine in ("smtbmc", "bmc"):
        steps = row.base if row.engine == "smtbmc" else row.depth
        ok, out, spent = smtbmc(row, "base.log", "--presat", "-t", str(steps), *trace)
        if not ok:
            if not failed_labels(out):
                raise Failed("base case: " + (re.findall(r"Status:.*|.*[Uu]nsat.*|.*rror.*", out) or ["failed"])[0])
            give(asked["assert"], "unknown", steps, spent)
            give(failed_labels(out), "failed", steps, spent)
            return result
        if row.engine == "bmc":
            give(asked["assert"], f"bounded {steps}", steps, spent)
            return result
        ok, out, more = smtbmc(row, "induction.log", "-i", "-t", str(row.depth), *trace)
        give(asked["assert"], "proved" if ok else "unknown", row.depth, round(spent + more, 2))
        if not ok:
            give(failed_labels(out), f"not inductive at {row.depth}", row.depth, round(spent + more, 2))
            try:  # a real failure shows itself within a few steps more often than not
                code, out = run(SMTBMC + ["-t", "15", "--dump-vcd", f"{row.dir}/trace.vcd", f"{row.dir}/net.smt2"],
                                row, "search.log", 60)
                steps = re.findall(r"Checking assertions in step (\d+)", out)
                give(failed_labels(out) if code else [], "failed", int(steps[-1]) if steps else None, spent)
            except Failed:
                pass
    elif row.engine == "pdr":
        began = time.time()
        abc = shutil.which("berkeley-abc") or shutil.which("yosys-abc") or "abc"
        _, out = run([abc, "-c", f"read_aiger {row.dir}/net.aig; fold; strash; pdr -T {row.timeout}"], row, "pdr.log",
                     row.timeout + 30)
        spent = round(time.time() - began, 2)
        if "Property proved" in out:
            give(asked["assert"], "proved", None, spent)
        elif "was asserted in frame" in out:
            give(asked["assert"], "unknown", None, spent)
            frame = int(re.findall(r"was asserted in frame (\d+)", out)[0])
            _, out, _ = smtbmc(row, "base.log", "-t", str(frame + 2), *trace)
            give(failed_labels(out) or asked["assert"], "failed", frame, spent)
        else:
            give(asked["assert"], "unknown", None, spent)
    return result


def covers(row, asked):
    result = {}
    if not asked["cover"]:
        raise Failed("no cover: a proof that nothing shows to be about something")
    _, out, spent = smtbmc(row, "cover.log", "-c", "-t", str(row.cover))
    reached = dict(re.findall(r"Reached cover statement at (\S+) in step (\d+)", out))
    for name in asked["cover"]:
        if name in row.unreachable:
            result[name] = ("failed" if name in reached else "unreachable, as the table says", row.cover, spent)
        elif name in reached:
            result[name] = ("covered", int(reached[name]), spent)
        else:
            result[name] = ("failed", row.cover, spent)
    for name in row.unreachable - set(asked["cover"]):
        raise Failed(f"the table calls {name} unreachable, but there is no such cover")
    return result


def do_row(row, force, tools):
    os.makedirs(os.path.join(ROOT, row.dir), exist_ok=True)
    began, props, why = time.time(), [], ""
    memo = os.path.join(ROOT, row.dir, "result.json")

    def add(kind, label, status, bound, seconds):
        props.append({"block": row.block, "parameters": row.params, "property": label, "kind": kind, "status": status,
                      "bound": bound, "engine": {"pdr": "abc pdr", "bmc": "smtbmc z3 bmc"}.get(row.engine, "smtbmc z3")
                      if kind != "cover" else "smtbmc z3", "seconds": seconds})

    try:
        asked, text = netlist(row)
        key = hashlib.sha256("\0".join([text, tools, repr(sorted(vars(row).items(), key=str))]).encode()).hexdigest()
        if not force and os.path.exists(memo):
            with open(memo, encoding="utf-8") as f:
                old = json.load(f)
            if old["key"] == key and old["ok"]:
                say(row, True, "unchanged since it was last proved", old["properties"], time.time() - began)
                return True
        if row.engine != "cover":
            for label, (status, bound, seconds) in sorted(prove(row, asked).items()):
                add(kind_of(label), label, status, bound, seconds)
        for label, (status, bound, seconds) in sorted(covers(row, asked).items()):
            add("cover", label, status, bound, seconds)
    except Failed as e:
        key, why = "", str(e)
        add("row", "-", f"failed: {why}", None, round(time.time() - began, 2))
    good = ("proved", "covered", "bounded", "unreachable")
    ok = not why and all(p["status"].startswith(good) for p in props)
    with open(memo + ".new", "w", encoding="utf-8") as f:
        json.dump({"key": key, "ok": ok, "properties": props}, f, indent=1)
    os.replace(memo + ".new", memo)
    say(row, ok, why, props, time.time() - began)
    return ok


def say(row, ok, why, props, seconds):
    good = ("proved", "covered", "bounded", "unreachable")
    count = {k: sum(p["kind"] == k for p in props) for k in ("assert", "environment", "cover")}
    with PRINT:
        print(f"{'ok  ' if ok else 'FAIL'} {seconds:6.1f}s {row.block} {row.params} {row.engine} {row.depth}: "
              f"{count['assert']} theorems, {count['environment']} environments, {count['cover']} covers"
              f"{'; ' + why if why else ''}", flush=True)
        if not ok:
            for p in props:
                if not p["status"].startswith(good):
                    print(f"       {p['property']}: {p['status']} (bound {p['bound']})")
            print(f"       logs: {row.dir}/*.log" + (f", waves: {row.dir}/trace.vcd" if os.path.exists(
                os.path.join(ROOT, row.dir, "trace.vcd")) else ""))
            print(f"       repeat: make formal BLOCK={row.block}", flush=True)


def report():
    """formal.json holds the last result of every row of the table."""
    props = []
    for row in rows():
        try:
            with open(os.path.join(ROOT, row.dir, "result.json"), encoding="utf-8") as f:
                props += json.load(f)["properties"]
        except FileNotFoundError:
            continue
    os.makedirs(os.path.join(ROOT, os.path.dirname(REPORT)), exist_ok=True)
    new = os.path.join(ROOT, f"{REPORT}.{os.getpid()}")
    with open(new, "w", encoding="utf-8") as f:
        json.dump(props, f, indent=1)
        f.write("\n")
    os.replace(new, os.path.join(ROOT, REPORT))
    return props


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--block", action="append", default=[])
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--force", action="store_true")
    args = ap.parse_args()
    chosen = [r for r in rows() if (not args.block or r.block in args.block) and (r.quick or not args.quick)]
    if not chosen:
        print("formal: no row of the table matches")
        return 1
    tools = "".join(subprocess.run(c, stdout=subprocess.PIPE, text=True).stdout
                    for c in (["yosys", "-V"], ["z3", "--version"]))
    for row in chosen:
        old = os.path.join(ROOT, row.dir, "trace.vcd")
        if os.path.exists(old):
            os.remove(old)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        oks = list(pool.map(lambda r: do_row(r, args.force, tools), chosen))
    report()
    print(f"formal: {len(oks)} rows, {oks.count(False)} failed; {REPORT}")
    return 0 if all(oks) else 1


if __name__ == "__main__":
    sys.exit(main())
