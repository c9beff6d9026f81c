#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_report.py [--files] REPORT.html [PATTERN]: its plots have round ticks that rise evenly, a key for each line,
the phases of the workload where the lines show them; what stands beside it is named and, with --files, is there;
somewhere in it is PATTERN."""
import html.parser
import math
import os
import re
import sys


class Page(html.parser.HTMLParser):
    """The plots, each a list of (tag, attributes, text), and all links."""

    def __init__(self):
        super().__init__()
        self.plots, self.links, self.inside = [], [], False

    def handle_starttag(self, tag, attrs):
        if tag == "svg":
            self.plots.append([])
        if tag == "a":
            self.links.append(dict(attrs)["href"])
        self.inside = bool(self.plots) and tag in ("text", "rect", "path", "line", "polyline")
        if self.inside:
            self.plots[-1].append([tag, dict(attrs), ""])

    def handle_data(self, data):
        if self.inside:
            self.plots[-1][-1][2] += data.strip()


def ticks(plot, axis):
    values = [float(t) for tag, a, t in plot if tag == "text" and a.get("class") == axis]
    steps = {round(b - a, 6) for a, b in zip(values, values[1:])}
    assert len(values) > 2 and len(steps) == 1, f"ticks {values}"
    digit = steps.pop()
    digit /= 10 ** math.floor(math.log10(digit))
    assert round(digit, 6) in (1, 2, 5), f"ticks {values} are not round"


files = sys.argv[1:2] == ["--files"]
if files:
    del sys.argv[1]
page = Page()
with open(sys.argv[1], encoding="utf-8") as f:
    page.text = f.read()
page.feed(page.text)
assert len(page.plots) == 3, f"{len(page.plots)} plots"
for plot in page.plots:
    ticks(plot, "x")
    ticks(plot, "y")
    lines = [a["class"] for tag, a, _ in plot if tag == "polyline"]
    keys = [a["class"] for tag, a, _ in plot if tag == "path" and a["class"] in "ab"]
    assert lines == keys, f"lines {lines}, keys {keys}"
words = [t for _, _, t in page.plots[0]]
assert "consumer slow" in words and "look-ups" in words and any("full" in w for w in words), words
full = next(float(re.match(r"M\d+ ([\d.]+)H", a["d"]).group(1)) for _, a, _ in page.plots[0] if a.get("class") == "l")
slow = next(a for tag, a, _ in page.plots[0] if tag == "rect" and a["class"] == "s")
log0 = next(a["points"] for tag, a, _ in page.plots[0] if tag == "polyline" and a["class"] == "a")
inside = outside = 0
for x, y in (map(float, p.split(",")) for p in log0.split()):
    within = 0 <= x - float(slow["x"]) <= float(slow["width"])
    inside += within and abs(y - full) < 1
    outside += not within and abs(y - full) < 1
assert inside > 20 and outside < 5, f"log 0 is full in {inside} samples of the slow phase, in {outside} others"
if len(sys.argv) > 2:  # the half of the NIC, of a run whose numbers are known
    assert re.search(sys.argv[2], page.text), f"no {sys.argv[2]} in the page"
assert {"wave.gtkw", "xtq.gtkw", "wire.pcapng"} <= set(page.links), page.links
gone = [link for link in page.links if files
        and not os.path.exists(os.path.join(os.path.dirname(sys.argv[1]), link.split("#")[0]))]
assert not gone, f"the page links to {gone}, which are not there"
print(f"report: {len(page.plots)} plots, log 0 full in {inside} samples of the slow phase")
