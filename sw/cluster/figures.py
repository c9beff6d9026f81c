#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""figures.py: runs what the figures of claims.py need under SimGrid, writes a table and a picture of each (CSV,
and SVG by gnuplot), and compares what the papers say with what came out.

A point is one simulated run. It is kept in DIR/points under a digest of program, platforms, cost tables and its
options, so that a run that was stopped goes on where it was. --page writes docs/figures.md from the tables alone: those
of DIR, and of figures that have none there those that the page has; --check says whether it is what the tables give.
--only: these figures and no others; --series: of them these curves and no others, beside those that the page has.
"""
import argparse
import concurrent.futures
import contextlib
import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import textwrap
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DOCS = os.path.join(HERE, "..", "..", "docs")
KEPT = os.path.join(DOCS, "figures")
sys.path.insert(0, HERE)
from claims import CLAIMS, FIGURES  # noqa: E402


class Runner:
    def __init__(self, a):
        self.a = a
        common = (os.path.join(HERE, "run.sh"), *sorted(tree("costs")), *sorted(tree("platform")))
        self.seed = {}
        for lib in {PROGRAMS.get(FIGURES[k]["program"], "cluster") for k in a.only}:
            self.seed[lib] = hashlib.sha256()
            for path in (getattr(a, lib), *common):
                with open(path, "rb") as f:
                    self.seed[lib].update(f.read())
        self.done = {}
        self.large = threading.Lock()

    def run(self, point):
        lib = PROGRAMS.get(point["program"], "cluster")
        key = self.seed[lib].copy()
        key.update(json.dumps(point, sort_keys=True).encode())
        kept = os.path.join(self.a.dir, "points", key.hexdigest()[:24] + ".json")
        if not os.path.exists(kept):
            with self.large if point["procs"] * point.get("bytes", 0) > LARGE else contextlib.nullcontext():
                p = subprocess.run(["nice", "-n", "5", *self.command(lib, point)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE,
                                   text=True, env={**os.environ, "CLUSTER_ALONE": str(int(lib == "xtq"))})
            line = p.stdout.strip()
            if not line.startswith("{") or not json.loads(line)["right"]:
                sys.exit(f"figures: {point}: {p.stderr.strip()[-600:] or 'no result'}")
            os.makedirs(os.path.dirname(kept), exist_ok=True)
            with open(kept + ".part", "w", encoding="utf-8") as f:
                f.write(line + "\n")
            os.replace(kept + ".part", kept)
        with open(kept, encoding="utf-8") as f:
            return json.load(f)

    def command(self, lib, point):
        words = [f"{k}={v}" for k, v in sorted(point.items()) if k not in ("procs", "platform", "program", "costs")]
        if lib in ("link", "paging"):
            return [getattr(self.a, lib), *words]
        return [f"{HERE}/run.sh", getattr(self.a, lib), f"{HERE}/platform/{point['platform']}.xml", str(point["procs"]),
                point["program"], *words, f"costs={HERE}/costs/{point['costs']}.txt"]

    def all(self, points):
        """Every point once, with progress and time left."""
        begin, done, all_of_it = time.time(), 0, sum(work(p) for p in points)
        timed = [p for p in points if p["program"] in TIMED]
        for jobs, some in ((self.a.jobs, [p for p in points if p not in timed]), (1, timed)):
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                under = {pool.submit(self.run, p): p for p in some}
                for f in concurrent.futures.as_completed(under):
                    self.done[name(under[f])] = f.result()
                    done += work(under[f])
                    left = (time.time() - begin) / done * (all_of_it - done)
                    print(f"\rfigures: {len(self.done)} of {len(points)} runs, {left:.0f} s left  ", end="",
                          file=sys.stderr, flush=True)
        print(file=sys.stderr)


def tree(folder):
    return [os.path.join(HERE, folder, f) for f in os.listdir(os.path.join(HERE, folder))]


def name(point):
    return json.dumps(point, sort_keys=True)


# Microseconds of a core for one of what `work` counts, as seen once: for the time left their proportions are enough.
# OTHER is that of one process of a search.
UNIT = {"dht": 100, "counter": 100, "getlog": 80, "gups": 20, "sort": 0.33, "allreduce": 1.6, "accumulate": 2.2,
        "reduce": 1.7, "link": 116, "launch": 56, "paging": 20000}
OTHER = 20000


def work(point):
    """Of a run, in microseconds. It counts inserts or gets, and what it takes to begin; a packet of a vector
    is some 30 of them."""
    if point["program"] not in UNIT:
        return point["procs"] * OTHER
    frames = point.get("bytes", 0) / 4096 * point.get("rounds", 4) * 2 * point["procs"]
    return UNIT[point["program"]] * (point["procs"] * point.get("per", 1) + 30 * frames + 500)


# Programs that are not of cluster.so: those of xtq.so, a process a node, the Verilated IOMMU alone, and what is timed
# by the clock, which runs last, one at a time
PROGRAMS = {"launch": "xtq", "accumulate": "xtq", "reduce": "xtq", "allreduce": "xtq", "link": "link",
            "paging": "paging"}
TIMED = ("paging",)
LARGE = 2 << 30  # bytes of all processes' vectors: one such run at a time, which may take twice that
COLUMNS = ("inserts", "collisions", "hits", "walks", "loads")


def RATE(result):
    return result["per_second"] / 1e6


def rows(figure, done):
    """One row for each series, cost table and x; among points that are alternatives (a searched option) the best.
    A figure's `mix` says of how many of which points an x is made: their numbers are added."""
    out = []
    for costs in figure["costs"]:
        for series, options in figure["series"]:
            for x in figure["x"]:
                value = options.get("value", figure.get("value", RATE))
                sum_of, best, point = 0, None, None
                for times, points in alternatives(figure, costs, options, x):
                    best, point = max(((done[name(p)], p) for p in points), key=lambda f: f[0].get("per_second", 0))
                    sum_of += times * value(best)
                if best:
                    out.append({"costs": costs, "series": series, "x": x, "value": f"{sum_of:.4f}",
                                "searched": point.get(figure.get("search", ""), "") if "mix" not in figure else "",
                                **{c: best[c] for c in figure.get("columns", COLUMNS)}})
    return out


def alternatives(figure, costs, options, x):
    """How often, and the points of which the best one counts."""
    if "mix" in figure:
        parts = [(times, points_of(figure, costs, {**options, **part}, x)) for times, part in figure["mix"](x)]
    else:
        parts = [(1, points_of(figure, costs, options, x))]
    return [(times, points) for times, points in parts if points]


def points_of(figure, costs, options, x):
    point = {"program": figure["program"], "platform": figure["platform"], "costs": costs,
             **figure["options"], **options}
    point[figure["x_is"]] = x
    point.pop("value", None)
    if callable(point.get("per")):
        point["per"] = point["per"](point["procs"])
    if "shape" in figure:
        point = figure["shape"](point)
        if not point:
            return []
    many = point.pop("search", None)
    if not many:
        return [point]
    return [{**point, **(v if isinstance(v, dict) else {figure["search"]: v})} for v in many(point)]


def table(rows_of):
    text = io.StringIO()
    w = csv.DictWriter(text, list(rows_of[0]), lineterminator="\n")
    w.writeheader()
    w.writerows(rows_of)
    return text.getvalue()


def read_table(path):
    with open(path, encoding="utf-8", newline="") as f:
        return [{**r, "x": float(r["x"]), "value": float(r["value"])} for r in csv.DictReader(f)]


def draw(figure, costs, rows_of, path):
    """The same bytes from the same table: no date, no machine's fonts measured."""
    if "bars" in figure:
        draw_bars(figure, costs, rows_of, path)
        return
    marks = []
    data = []
    for i, (series, _) in enumerate(figure["series"]):
        at = [(r["x"], r["value"]) for r in rows_of if r["series"] == series and r["costs"] == costs]
        data.append(f"$d{i} << EOD\n" + "".join(f"{x} {y}\n" for x, y in at) + "EOD\n")
        marks.append(f"$d{i} using 1:2 with {figure.get('with', 'linespoints')} pt {i + 1} title '{series}'")
    script = ("set terminal svg size 720,440 dynamic font 'sans-serif,13' name 'tocsin'\n"
              f"set output '{path}'\nset title \"{figure['title']} ({costs})\"\nset xlabel '{figure['x_text']}'\n"
              f"set ylabel '{figure['y_text']}'\nset key outside right\nset grid\nset yrange [0:*]\n{figure['axis']}\n"
              + "".join(data) + "plot " + ", ".join(marks) + "\n")
    subprocess.run(["gnuplot", "-"], input=script, text=True, check=True)


def draw_bars(figure, costs, rows_of, path):
    """A bar for each x, the series on top of one another; figure["bars"]: what each bar is called."""
    at = {(r["series"], r["x"]): r["value"] for r in rows_of if r["costs"] == costs}
    series = [s for s, _ in figure["series"] if s not in figure.get("apart", ())]
    lines = "".join(f"\"{text}\" " + " ".join(str(at[s, x]) for s in series) + "\n"
                    for x, text in zip(figure["x"], figure["bars"]))
    marks = [f"$d using {i}{':xtic(1)' if i == 2 else ''} title '{s}'" for i, s in enumerate(series, 2)]
    script = ("set terminal svg size 720,440 dynamic font 'sans-serif,13' name 'tocsin'\n"
              f"set output '{path}'\nset title \"{figure['title']} ({costs})\"\nset ylabel '{figure['y_text']}'\n"
              "set key outside right\nset grid y\nset style data histograms\nset style histogram rowstacked\n"
              f"set style fill solid 0.7 border -1\nset boxwidth 0.7\nset yrange [0:*]\n$d << EOD\n{lines}EOD\nplot "
              + ", ".join(marks) + "\n")
    subprocess.run(["gnuplot", "-"], input=script, text=True, check=True)


def judged(tables):
    """What the papers say, beside ours, for each cost table."""
    out = []
    for c in [c for c in CLAIMS if c["figure"] in tables]:
        for costs in FIGURES[c["figure"]]["costs"]:
            at = {(r["series"], r["x"]): float(r[c["field"]]) for r in tables[c["figure"]] if r["costs"] == costs}
            ours = c["value"](at)
            agrees = c["least"] <= ours <= c["most"]
            out.append({"figure": c["figure"], "costs": costs, "says": c["says"], "paper": c["paper"],
                        "ours": round(ours, 3), "agrees": agrees,
                        "cause": (c["note"] if agrees else c["cause"]).get(costs, "")})
    return out


def compared(verdicts):
    """A table of what the paper says and what came out; causes stand below it, each once."""
    if not verdicts:
        return ""
    text = ["\n| the paper says | paper | costs | ours | |\n|---|---|---|---|---|\n"]
    causes = []
    for v in verdicts:
        if v["cause"] and v["cause"] not in causes:
            causes.append(v["cause"])
        word = "agrees" if v["agrees"] else "**differs**"
        where = f" ({causes.index(v['cause']) + 1})" if v["cause"] else ""
        text.append(f"| {v['says']} | {v['paper']} | {v['costs']} | {v['ours']:g} | {word}{where} |\n")
    for n, cause in enumerate(causes, 1):
        text.append("\n" + textwrap.fill(f"({n}) {cause[0].upper()}{cause[1:]}.", 118) + "\n")
    return "".join(text)


def values(figure, costs, rows_of):
    xs = figure["x"]
    heads = figure.get("bars", figure.get("heads", [f"{x:g}" for x in xs]))
    text = [f"\n{figure['y_text'].capitalize()}, costs `{costs}`, by {figure['x_text']}:\n\n| |"
            + "".join(f" {h} |" for h in heads)
            + "\n|---|" + "---|" * len(xs) + "\n"]
    for series, _ in figure["series"]:
        at = {r["x"]: r for r in rows_of if r["series"] == series and r["costs"] == costs}
        cells = [f"{at[x]['value']:.2f}" + (f" ({at[x]['searched']})" if at[x]["searched"] else "") if x in at else ""
                 for x in xs]
        text.append(f"| {series} | " + " | ".join(cells) + " |\n")
    return "".join(text)


def page(tables, verdicts):
    with open(os.path.join(HERE, "page.txt"), encoding="utf-8") as f:
        text = [f.read().rstrip() + "\n"]
    for key, figure in FIGURES.items():
        text.append(f"\n## {figure['title']}\n\n" + textwrap.fill(figure["text"], 118) + "\n")
        for costs in figure["costs"]:
            text.append(f"\n![{figure['title']}, costs: {costs}](figures/{key}-{costs}.svg)\n")
        text.append(compared([v for v in verdicts if v["figure"] == key]))
        text += [values(figure, costs, tables[key]) for costs in figure["costs"]]
    return "".join(text)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def picture(figure, costs, rows_of, like, tmp):
    """Whether the table gives the picture that is there; None: another release of gnuplot has drawn that,
    and each draws otherwise."""
    draw(figure, costs, rows_of, tmp)
    with open(tmp, "rb") as new, open(like, "rb") as old:
        new, old = new.read(), old.read()
    release = [re.search(b"<desc>(.*?)</desc>", text)[1] for text in (new, old)]
    return new == old if release[0] == release[1] else None


def check(a):
    tables = {k: read_table(f"{KEPT}/{k}.csv") for k in FIGURES}
    verdicts = judged(tables)
    with open(os.path.join(DOCS, "figures.md"), encoding="utf-8") as f:
        if f.read() != page(tables, verdicts):
            sys.exit("docs/figures.md is not what its tables give: make figures-page")
    for v in verdicts:
        if not v["agrees"] and not v["cause"]:
            sys.exit(f"figures: {v['figure']}, {v['costs']}: \"{v['says']}\" differs, and no cause is named")
    drawn = [(k, costs, picture(FIGURES[k], costs, tables[k], f"{KEPT}/{k}-{costs}.svg", f"{a.dir}/check.svg"))
             for k, f in FIGURES.items() for costs in f["costs"]]
    for k, costs, same in drawn:
        if same is False:
            sys.exit(f"docs/figures/{k}-{costs}.svg is not what its table gives: make figures-page")
    other = sum(same is None for _, _, same in drawn)
    print(f"figures: the page, {len(drawn) - other} pictures and {len(verdicts)} comparisons are those of the tables"
          + (f"; {other} pictures are of another release of gnuplot, and not compared" if other else ""))


def beside(key, new):
    """The page's table of a figure, with new rows instead of those of their series."""
    figure, series = FIGURES[key], {r["series"] for r in new}
    names, xs = [s for s, _ in figure["series"]], [float(x) for x in figure["x"]]
    with open(f"{KEPT}/{key}.csv", encoding="utf-8", newline="") as f:
        rows_of = new + [r for r in csv.DictReader(f) if r["series"] not in series]
    return sorted(rows_of, key=lambda r: (figure["costs"].index(r["costs"]), names.index(r["series"]),
                                          xs.index(float(r["x"]))))


def simulate(a):
    r = Runner(a)
    chosen = [(k, {**FIGURES[k], "series": [s for s in FIGURES[k]["series"] if not a.series or s[0] in a.series]})
              for k in a.only]
    for k in [k for k, f in chosen if not f["series"]]:
        sys.exit(f"figures: {k} has none of {', '.join(a.series)}; it has "
                 f"{', '.join(s for s, _ in FIGURES[k]['series'])}")
    todo = [p for _, f in chosen for c in f["costs"] for _, o in f["series"] for x in f["x"]
            for _, points in alternatives(f, c, o, x) for p in points]
    r.all(sorted({name(p): p for p in todo}.values(), key=lambda p: -p["procs"]))
    for k, f in chosen:
        new = rows(f, r.done)
        write(f"{a.dir}/{k}.csv", table(beside(k, new) if a.series else new))


def write_page(a, fresh):
    """The figures of DIR, and the others as the page has them."""
    for k in fresh:
        with open(f"{a.dir}/{k}.csv", encoding="utf-8") as f:
            write(f"{KEPT}/{k}.csv", f.read())
    tables = {k: read_table(f"{KEPT}/{k}.csv") for k in FIGURES}
    write(os.path.join(DOCS, "figures.md"), page(tables, judged(tables)))


def report(a, tables):
    verdicts = judged(tables)
    write(a.json, json.dumps({"points": tables, "claims": verdicts}, indent=1) + "\n")
    for v in verdicts:
        print(f"{v['figure']:4} {v['costs']:6} {v['says']}: paper {v['paper']}, ours {v['ours']:g}: "
              + ("agrees" if v["agrees"] else "differs"))
    print(f"figures: {sum(v['agrees'] for v in verdicts)} of {len(verdicts)} comparisons agree; {a.json}")


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    p.add_argument("--cluster", help="the program, as it was built")
    p.add_argument("--xtq", help="that of XTQ's figures")
    p.add_argument("--link", help="that of 6a and 6b, verif/bench/link")
    p.add_argument("--paging", help="data larger than memory, sw/irregular/test/bench_paging")
    p.add_argument("--dir", default="build/figures")
    p.add_argument("--json", default="build/report/figures.json")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--only", nargs="*", choices=list(FIGURES), default=list(FIGURES))
    p.add_argument("--series", nargs="*", help="curves that are run; the others are as the page has them")
    p.add_argument("--page", action="store_true",
                   help="writes docs/figures.md, its tables and pictures, from the tables of DIR")
    p.add_argument("--check", action="store_true",
                   help="whether docs/figures.md and its pictures are what its tables give")
    a = p.parse_args()
    if a.check:
        check(a)
        return
    if not a.page:
        simulate(a)
    tables = {k: read_table(f"{a.dir}/{k}.csv") for k in a.only if os.path.exists(f"{a.dir}/{k}.csv")}
    to = KEPT if a.page else a.dir
    os.makedirs(to, exist_ok=True)
    for k, of in tables.items():
        for costs in FIGURES[k]["costs"]:
            draw(FIGURES[k], costs, of, f"{to}/{k}-{costs}.svg")
    if a.page:
        write_page(a, tables)
    report(a, tables)


if __name__ == "__main__":
    main()
