#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cover.py: what the runs of `make cover` reached, of the RTL (Verilator's points) and of the model (gcov).

Reads build/**/coverage.dat and build/model/cov, writes build/report/cover.json and build/report/cover.html. What may
stay unreached stands in verif/cover/waivers.txt: `<file> | <text of the line> | <reason>`. A waiver that nothing needs
fails.
"""
import glob
import html
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAIVERS = "verif/cover/waivers.txt"
TARGET = {"rtl": {"lines": 100.0, "branches": 100.0}, "model": {"lines": 98.0, "branches": 98.0}}


def rtl_points():
    """{(file, line, kind, point): count} over all runs, configurations and instances; kind: line or branch."""
    points = {}
    for path in glob.glob("build/**/*coverage*.dat", recursive=True):
        with open(path, encoding="utf-8", errors="replace") as f:
            for line in f:
                m = re.match(r"C '(.*)' (\d+)$", line)
                if not m:
                    continue
                keys = dict(k.split("\x02", 1) for k in m.group(1).split("\x01") if "\x02" in k)
                if not keys.get("page", "").startswith(("v_line", "v_branch")) or not keys["f"].startswith("rtl/"):
                    continue
                count = int(m.group(2))
                if keys["page"].startswith("v_branch"):
                    where = (keys["f"], int(keys["l"]), "branch", f"{keys['o']} (point {keys.get('n', '')})")
                    points[where] = points.get(where, 0) + count
                for span in filter(None, keys.get("S", "").split(",")):  # the lines that this point runs
                    first, _, last = span.partition("-")
                    for n in range(int(first), int(last or first) + 1):
                        where = (keys["f"], n, "line", "")
                        points[where] = points.get(where, 0) + count
    return points


def model_points():
    """The same of the model; what was compiled and never ran counts as well."""
    points = {}
    for path in sorted(glob.glob("build/model/cov/**/*.gcno", recursive=True)):
        out = subprocess.run(["gcov", "-b", "-j", "-t", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        for doc in filter(str.strip, out.splitlines()):
            for unit in json.loads(doc)["files"]:
                if not unit["file"].startswith("model/") or not os.path.exists(unit["file"]):
                    continue
                for line in unit["lines"]:
                    where = (unit["file"], line["line_number"], "line", "")
                    points[where] = points.get(where, 0) + line["count"]
                    for n, b in enumerate(line["branches"]):
                        where = (unit["file"], line["line_number"], "branch", str(n))
                        points[where] = points.get(where, 0) + b["count"]
    return points


def waivers():
    out = []
    if os.path.exists(WAIVERS):
        with open(WAIVERS, encoding="utf-8") as f:
            for n, line in enumerate(f, 1):
                if line.strip() and not line.startswith("#"):
                    parts = [p.strip() for p in line.split(" | ")]
                    if len(parts) != 3 or len(parts[2].split()) < 3:
                        raise SystemExit(f"{WAIVERS}:{n}: want `<file> | <text of the line> | <reason>`")
                    out.append([*parts, 0])
    return out


def source(path, cache={}):
    if path not in cache:
        with open(path, encoding="utf-8") as f:
            cache[path] = f.read().split("\n")
    return cache[path]


def main():
    os.chdir(ROOT)
    allowed, report, missing = waivers(), {"files": []}, []
    for name, points in (("rtl", rtl_points()), ("model", model_points())):
        tally, files = {}, {}
        for (path, line, kind, what), count in sorted(points.items()):
            text = source(path)[line - 1]
            waived = [w for w in allowed if not count and w[0] == path and w[1] in text]
            for w in waived:
                w[3] += 1
            for t in (tally, files.setdefault(path, {})):
                row = t.setdefault(kind, [0, 0, 0])
                row[0] += 1
                row[1] += bool(count)
                row[2] += bool(waived)
            if not count and not waived:
                missing.append((path, line, kind, what.strip(), text.strip()))
        sums = {}
        for kind, key in (("line", "lines"), ("branch", "branches")):
            total, hit, waived = tally.get(kind, [0, 0, 0])
            percent = 10000 * (hit + waived) // total / 100 if total else 0.0  # 100 are all
            target = TARGET[name][key]
            sums[key] = {"total": total, "hit": hit, "waived": waived, "percent": percent, "target": target,
                         "met": percent >= target}
            print(f"{name:5} {key:8} {hit} of {total} reached, {waived} waived: {percent} % (target {target})")
        report[name] = sums
        report["files"] += [{"file": p, **{f"{k}_{n}": v for k, r in t.items()
                                           for n, v in zip(("total", "hit", "waived"), r)}}
                            for p, t in sorted(files.items())]
    stale = [w for w in allowed if not w[3]]
    report["missing"] = [dict(zip(("file", "line", "kind", "what", "text"), m)) for m in missing]
    os.makedirs("build/report", exist_ok=True)
    with open("build/report/cover.json", "w", encoding="utf-8") as f:
        json.dump(report, f, indent=1)
        f.write("\n")
    with open("build/report/cover.html", "w", encoding="utf-8") as f:
        f.write("<!doctype html><meta charset=utf-8><title>Tocsin coverage</title><h1>Not reached</h1><table>")
        for path, line, kind, what, text in missing:
            f.write(f"<tr><td>{path}:{line}<td>{kind} {html.escape(what)}<td><code>{html.escape(text)}</code>")
        f.write("</table>\n")
    for path, line, kind, what, text in missing[:40]:
        print(f"  {path}:{line}: {kind} {what}: {text}")
    if len(missing) > 40:
        print(f"  ... {len(missing) - 40} more in build/report/cover.html")
    for w in stale:
        print(f"{WAIVERS}: nothing needs: {w[0]} | {w[1]}")
    met = all(s["met"] for n in ("rtl", "model") for s in report[n].values())
    return 0 if met and not stale else 1


if __name__ == "__main__":
    sys.exit(main())
