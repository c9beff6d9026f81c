#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_fig.py TOCSIN FIGURE DIR BACKEND SEED: draws a figure, and checks it.

Its CSV and JSON say the same; each value is what `tocsin run` says by itself; the picture is XML without scripts,
and each value stands where a scale that is the same for all of them puts it. Silent if all is well.
"""
import csv
import json
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
COLUMNS = ["nodes", "n", "size", "loss", "variant", "name", "unit", "value"]
TITLE_MOST = 73  # letters that fit


def tocsin(*args):
    p = subprocess.run([sys.argv[1], *args, "--json"], stdout=subprocess.PIPE)
    need(p.returncode == 0, f"{' '.join(args)} ends with {p.returncode}")
    return json.loads(p.stdout)


def need(good, what):
    if not good:
        sys.exit(f"{sys.argv[2]}: {what}")


def by_itself(program, backend, seed, row, known={}):
    """The same number, from a run that knows nothing of figures."""
    args = ["run", program, "--variant", "both", "--backend", backend, "--seed", seed, "--nodes", row["nodes"],
            "--n", row["n"]]
    args += ["--loss", row["loss"]] + (["--size", row["size"]] if row["size"] != "0" else [])
    key = tuple(args)
    if key not in known:
        known[key] = tocsin(*args)
    run = next(r for r in known[key]["runs"] if r["variant"] == row["variant"])
    return next(n for n in run["numbers"] if n["name"] == row["name"])


def on_scale(at, values):
    """Do places rise with values, or with their logarithms?"""
    for f in (float, lambda v: math.log10(v) if v > 0 else 0.0):
        v = [f(x) for x in values]
        lo, hi = v.index(min(v)), v.index(max(v))
        per = (at[hi] - at[lo]) / (v[hi] - v[lo]) if v[hi] > v[lo] else 0
        if per > 0 and all(abs(at[lo] + per * (x - v[lo]) - a) < 0.2 for x, a in zip(v, at)):
            return True
    return False


def told(point, rows):
    """What a reader who points there is told: variant, part, x, value."""
    head, value = point.find(SVG + "title").text.rsplit(": ", 1)
    part = next((r["name"] for r in rows if f", {r['name']}, " in head), rows[0]["name"])
    return head.split(",")[0].lower(), part, head.split()[-1], float(value.split()[0])


def number(element, name):
    return float(element.get(name))


def check_lines(points, said):
    need(on_scale([-number(p, "cy") for p in points], [v for *_, v in said]), "a value does not stand where it should")
    need(on_scale([number(p, "cx") for p in points], [float(x) for _, _, x, _ in said]), "a point is not at its x")


def check_bars(points, said):
    need(on_scale([number(p, "height") for p in points], [v for *_, v in said]), "a bar is not as high as its value")
    middle = {float(x): number(p, "x") for p, (_, _, x, _) in zip(points, said)}
    need(sorted(middle) == sorted(middle, key=middle.get), "bars are not in order")
    top = {}  # of the bar so far, by its place
    for p in points:
        foot = number(p, "y") + number(p, "height")
        need(abs(top.setdefault(p.get("x"), foot) - foot) < 0.2, "parts of a bar do not stand on each other")
        top[p.get("x")] = number(p, "y")


def check_texts(root):
    """No text lies on another, or outside; a letter of 13 points is taken to be 6.5 wide."""
    boxes = []
    for t in root.iter(SVG + "text"):
        width, at = 6.5 * len("".join(t.itertext())) * (1.45 if t.get("class") == "title" else 1), number(t, "x")
        left = at - {"start": 0, "middle": width / 2, "end": width}[t.get("text-anchor")]
        if t.get("y") == "0.0":  # that one is turned
            continue
        need(left >= 0 and left + width <= 760, f"{t.text} leaves the picture")
        for other, y, l, r in boxes:
            need(abs(y - number(t, "y")) >= 11 or left >= r or left + width <= l, f"{t.text} lies on {other}")
        boxes.append((t.text, number(t, "y"), left, left + width))


def check_units(root):
    """Numbers that people read: of at most four digits, or a power of ten; a time with its unit, and what the naive
    side had under way."""
    texts = {k: [t for t in root.iter(SVG + "text") if t.get("class") == k] for k in ("tick", "label", "about")}
    time = any(t.text.startswith("time") for t in texts["label"])
    for t in texts["tick"]:
        power = t.find(SVG + "tspan")
        need(power is None or t.text == "10" and power.text.isdigit(), f"the tick {''.join(t.itertext())}")
        need(power is not None or not re.search(r"\d{5}", t.text), f"the tick {t.text} is long")
    upright = [t for t in texts["tick"] if t.get("text-anchor") == "end"]
    need(len(upright) > 2, "the ticks of the values")
    need(not time or all(re.fullmatch(r"0|[\d.]+ (ns|us|ms|s)", t.text) for t in upright),
         f"times {[t.text for t in upright]}")
    need(not time or any("; naive: " in t.text for t in texts["about"]),
         "the subtitle does not say what the naive side has under way")


def share_of(rows, by):
    """The least and the most that Tocsin has of the naive version's, over the points."""
    total = {}
    for r in rows:
        key = r[by], r["variant"]
        total[key] = total.get(key, 0) + float(r["value"])
    shares = [total[x, "tocsin"] / total[x, "naive"] for x in {x for x, _ in total}]
    return min(shares), max(shares)


def check_picture(path, fig, rows):
    root = xml.parse(path).getroot()
    need(root.tag == SVG + "svg" and not list(root.iter(SVG + "script")), "no plain SVG")
    need(root.find(SVG + "title").text == fig["title"] and len(fig["title"]) <= TITLE_MOST, "the title")
    need("prefers-color-scheme:dark" in root.find(SVG + "style").text, "nothing for dark screens")
    texts = [t.text for t in root.iter(SVG + "text")]
    need(fig["title"] in texts and any(f"backend {fig['backend']}, seed {fig['seed']}" in t for t in texts),
         "the texts")
    check_texts(root)
    check_units(root)
    ahead = share_of(rows, fig["by"])
    need(all(any(abs(float(w) - a) <= max(0.006, 0.06 * a) for w in fig["title"].split() if w[0].isdigit())
             for a in ahead),
         f"the title does not say {ahead}")
    points = [e for e in root.iter() if "point" in e.get("class", "").split()]
    said = [told(p, rows) for p in points]
    value = {(v, part, x): y for v, part, x, y in said}
    need(len(points) == len(value) == len(rows), f"{len(points)} points, want {len(rows)}")
    for r in rows:
        got, want = value.get((r["variant"], r["name"], r[fig["by"]]), math.nan), float(r["value"])
        need(abs(got - want) <= max(0.5, 6e-4 * want) if want >= 1000 else abs(got - want) <= 6e-4 * want,
             f"{got} for {r}")
    need(len({y for *_, y in said}) > 1, "all values are the same")
    (check_bars if points[0].tag == SVG + "rect" else check_lines)(points, said)


def main():
    _, _, name, folder, backend, seed = sys.argv
    fig = tocsin("fig", name, "--out", folder, "--backend", backend, "--seed", seed)
    need(fig["csv"] == f"{folder}/{name}.csv" and fig["svg"] == f"{folder}/{name}.svg", "the names of the files")
    with open(fig["csv"], encoding="utf-8") as f:
        table = csv.DictReader(f)
        rows = list(table)
        need(table.fieldnames == COLUMNS, f"columns {table.fieldnames}")
    listed = next(f for f in tocsin("fig", "--list") if f["name"] == name)
    need(len({r[listed["by"]] for r in rows}) == listed["points"], "the sweep")
    need(len(rows) == len(fig["points"]) and rows, "not as many values in CSV as in JSON")
    for r, p in zip(rows, fig["points"]):
        need(all(str(p[k]) == r[k] for k in COLUMNS[:-1]) and float(r["value"]) == p["value"], f"CSV {r}, JSON {p}")
        n = by_itself(fig["program"], backend, seed, r)
        need(n["value"] == p["value"] and n["unit"] == p["unit"], f"{p}, but by itself {n}")
    check_picture(fig["svg"], fig, rows)


main()
