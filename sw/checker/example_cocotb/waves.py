# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams as text: a row a pin, a column a cycle; `#` high, `.` low, values in hexadecimal while
their valid is high.

TOCSIN_GUIDE names a page in which each diagram stands between `<!-- wave NAME: begin -->` and `<!-- wave NAME: end
-->`: what was seen must be what stands there. With TOCSIN_GUIDE_WRITE=1 it is written instead.
"""
import os
import re

from cocotb.triggers import RisingEdge


class Recorder:
    """rows: a pin's name, or (label, pin) for another name of it, or (label, pin, lsb, bits, valid) for a value that
    is shown while the pin `valid` is high, None for always."""

    def __init__(self, dut, *rows):
        self.dut, self.rows, self.seen, self.on = dut, rows, [], True

    def cell(self, row):
        if isinstance(row, str) or len(row) == 2:
            return "#" if int(getattr(self.dut, row if isinstance(row, str) else row[1]).value) & 1 else "."
        _, pin, lsb, bits, valid = row
        if valid and not int(getattr(self.dut, valid).value) & 1:
            return ""
        return f"{int(getattr(self.dut, pin).value) >> lsb & (1 << bits) - 1:x}"

    async def run(self):
        while self.on:
            await RisingEdge(self.dut.clk_i)
            self.seen.append([self.cell(r) for r in self.rows])

    def text(self, quiet=2):
        """What was recorded, from the first cycle in which a bit row changes; of cycles without a change,
        `quiet` are kept."""
        self.on = False
        first = next(i for i, s in enumerate(self.seen) if s != self.seen[0])
        kept, same = [], 0
        for i in range(first, len(self.seen)):
            same = same + 1 if self.seen[i] == self.seen[i - 1] else 0
            if same < quiet:
                kept.append((str(i - first), self.seen[i]))
            elif kept[-1][0] != "~":
                kept.append(("~", ["~"] * len(self.rows)))
        if kept[-1][0] == "~":
            kept.pop()
        labels = ["cycle"] + [r if isinstance(r, str) else r[0] for r in self.rows]
        columns = [[number, *cells] for number, cells in kept]
        width = [max(map(len, c)) for c in columns]
        return "".join(f"{label:18}" + " ".join(c[i].rjust(w) for c, w in zip(columns, width)).rstrip() + "\n"
                       for i, label in enumerate(labels))


def compare(name, text):
    """Against the page that TOCSIN_GUIDE names, if any."""
    path = os.environ.get("TOCSIN_GUIDE")
    if not path:
        return
    with open(path, encoding="utf-8") as f:
        page = f.read()
    marks = re.compile(rf"(<!-- wave {name}: begin -->\n```text\n)(.*?)(```\n<!-- wave {name}: end -->)", flags=re.S)
    found = marks.search(page)
    assert found, f"{path} has no place for wave {name}"
    if os.environ.get("TOCSIN_GUIDE_WRITE"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(page[:found.start(2)] + text + page[found.end(2):])
    else:
        assert found[2] == text, f"{path} shows of wave {name}\n{found[2]}seen\n{text}"
