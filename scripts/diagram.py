#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""diagram.py [--check]: draws docs/diagrams/NAME.svg of the pictures of each engine, which are text: at the heads of
the tops, and in the specification of the IOMMU; with --check: says which drawing is not that of its picture.

A picture is the first run of lines of a head that begin with three spaces, or of a page's section "Picture" that begin
with four. -, |, +, ` and ' are lines, <, >, ^ and v at their ends are heads of arrows, names of modules are boxes, and
all else is text. A name that looks like a module's and is none is refused.
"""
import argparse
import glob
import os
import re
import sys
from xml.sax.saxutils import escape

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
FOLDER = "docs/diagrams"
PICTURES = {"aa_iommu": "rtl/aa/aa_iommu.sv", "aa_blocks": "rtl/aa/README.md", "xtq_nic": "rtl/xtq/xtq_nic.sv",
            "nic_responder": "rtl/nic/responder/nic_responder.sv", "xtq": "rtl/xtq/xtq.sv",
            "tocsin": "rtl/top/tocsin.sv"}
W, H = 8, 20  # of a character
ACROSS, DOWN = "-+`'<>", "|+`'v^"
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">
<title>{2}</title>
<style>
  rect {{ fill: #eef3fa; stroke: #33567f }} .page {{ fill: #fff; stroke: none }}
  path {{ fill: none; stroke: #444; stroke-width: 1.3 }} polygon {{ fill: #444 }}
  text {{ font: 12px monospace; fill: #111; white-space: pre }}
</style>
<rect class="page" width="{0}" height="{1}"/>
"""


def picture(path):
    """The rows of a file's picture."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        text = f.read()
    if path.endswith(".md"):
        text, begin = text.partition("\n## Picture\n")[2], "    "
    else:
        begin = "//   "
    found = re.search(rf"(?:^{begin}.*\n)+", text, flags=re.M)
    if not found:
        sys.exit(f"{path}: no picture")
    return [line[len(begin):].rstrip() for line in found.group().splitlines()]


class Grid:
    def __init__(self, rows):
        self.rows = rows

    def at(self, x, y):
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else " "

    def joins(self, x, y):
        """The sides of a character to which a line leads from its middle; None: it is text."""
        c, left, right = self.at(x, y), self.at(x - 1, y), self.at(x + 1, y)
        up, down = self.at(x, y - 1), self.at(x, y + 1)
        if c == "-":
            return "lr" if left in ACROSS or right in ACROSS else None
        if c == "|":
            return "ud"
        if c in "+`'":
            around = (("l", left, ACROSS), ("r", right, ACROSS), ("u", up, DOWN), ("d", down, DOWN))
            sides = "".join(s for s, n, of in around if n in of and not (n in "<>" and (s == "l") == (n == ">")))
            if len(sides) == 1 and sides in "lr":  # it leads to a name above or below
                sides += "u" if up.strip() else "d" if down.strip() else ""
            return sides if len(sides) > 1 else None
        if c == ">" and left in ACROSS or c == "<" and right in ACROSS:
            return c
        if c in "v^" and (left == "-" or right == "-"):
            return c + ("l" if left == "-" else "r")
        if c == "v" and up in "|+" or c == "^" and down in "|+`'":
            return c if not (left + right).strip() else None
        return None

    def words(self, y):
        """(x, text) of what is no line, single spaces included."""
        row = "".join(" " if self.joins(x, y) else c for x, c in enumerate(self.rows[y]))
        return [(m.start(), m.group()) for m in re.finditer(r"\S+(?: \S+)*", row)]


def line(x, y, sides):
    cx, cy = x * W + W / 2, y * H + H / 2
    ends = {"l": (x * W, cy), "r": (x * W + W, cy), "u": (cx, y * H), "d": (cx, y * H + H)}
    return "".join(f"M{cx:g} {cy:g}L{ends[s][0]:g} {ends[s][1]:g}" for s in sides)


def arrow(x, y, c):
    cx, cy = x * W + W / 2, y * H + H / 2
    tip, tail = {">": ((cx + 4, cy), ((cx - 4, cy - 4), (cx - 4, cy + 4))),
                 "<": ((cx - 4, cy), ((cx + 4, cy - 4), (cx + 4, cy + 4))),
                 "v": ((cx, cy + 8), ((cx - 4, cy), (cx + 4, cy))),
                 "^": ((cx, cy - 8), ((cx - 4, cy), (cx + 4, cy)))}[c]
    rest = {"v": f"M{cx:g} {cy - H / 2:g}L{cx:g} {cy:g}", "^": f"M{cx:g} {cy + H / 2:g}L{cx:g} {cy:g}"}.get(c, "")
    return rest, '<polygon points="' + " ".join(f"{a:g},{b:g}" for a, b in (tip, *tail)) + '"/>\n'


def draw(path, modules):
    grid = Grid(picture(path))
    paths, heads, boxes, texts = "", "", "", ""
    for y, row in enumerate(grid.rows):
        for x in range(len(row)):
            sides = grid.joins(x, y)
            if sides and sides[0] in "<>v^":
                rest, head = arrow(x, y, sides[0])
                paths, heads = paths + (line(x, y, sides[1]) if sides[1:] else rest), heads + head
            elif sides:
                paths += line(x, y, sides)
        for x, text in grid.words(y):
            for m in re.finditer(r"\w+|[^\w\s]+", text):
                left, wide = (x + m.start()) * W, len(m.group()) * W
                if re.fullmatch(r"(?:aa|ax|cm|nic|px|xtq)_\w+|xtq", m.group()):
                    if m.group() not in modules:
                        sys.exit(f"{path}: its picture has {m.group()}, which is no module")
                    boxes += f'<rect x="{left - 3}" y="{y * H + 2}" width="{wide + 6}" height="{H - 4}" rx="3"/>\n'
                texts += f'<text x="{left}" y="{y * H + 14}" textLength="{wide}">{escape(m.group())}</text>\n'
    width = max(map(len, grid.rows)) * W + 8
    return (HEAD.format(width, len(grid.rows) * H + 8, path) + f'<g transform="translate(4 4)">\n<path d="{paths}"/>\n'
            + heads + boxes + texts + "</g>\n</svg>\n")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--check", action="store_true")
    check = ap.parse_args().check
    sources = glob.glob(os.path.join(ROOT, "rtl", "**", "*.sv"), recursive=True)
    modules = {os.path.basename(p)[:-len(".sv")] for p in sources}
    stale = 0
    for name, path in PICTURES.items():
        name = f"{FOLDER}/{name}.svg"
        want, full = draw(path, modules), os.path.join(ROOT, name)
        if not check:
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(want)
            continue
        with open(full, encoding="utf-8") as f:
            if f.read() != want:
                print(f"{name} is not the picture of {path}: make diagrams")
                stale += 1
    print(f"diagrams: {len(PICTURES)} {'looked at, ' + str(stale) + ' stale' if check else 'drawn'}")
    return stale != 0


if __name__ == "__main__":
    sys.exit(main())
