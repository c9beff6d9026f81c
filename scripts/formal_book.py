# SPDX-License-Identifier: Apache-2.0
"""verif/PROOFS.md: which rows of the table were proved, and of which sources. It is committed, so another machine
proves what is left (formal.py --left). What one machine found out itself stands in build/report/formal.json."""
import contextlib
import os

import rtl
from sources import digest

PATH = os.path.join(rtl.ROOT, "verif/PROOFS.md")
HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Proofs

What was proved of each row of [the table](formal/table.txt), written by `make formal` (verif/README.md). `digest` is
that of the row, of the sources and of the theorems, without comments; `make formal LEFT=1` proves what has another one.
A row whose result is a number of steps was looked at for so many from reset, which is no proof. Seconds are of the
processor.

| row | theorems | environments | covers | result | seconds | digest |
|---|---|---|---|---|---|---|
"""


def title(row):
    return " ".join([row.block, row.params, row.engine, *row.defines])


def of(row):
    """The digest of what a row is made of; not of how long it may take, nor of the tools."""
    said = ("depth", "base", "cover", "map", "strip", "own", "parts", "only", "but", "unreachable")
    return digest([os.path.join(rtl.ROOT, f) for f in row.files()],
                  more=title(row) + repr([(n, sorted(v) if isinstance(v, set) else v)
                                          for n, v in ((n, getattr(row, n)) for n in said)]))


def read():
    """{title: the other cells, the digest last}"""
    found = {}
    with contextlib.suppress(FileNotFoundError), open(PATH, encoding="utf-8") as f:
        for line in f:
            cell = [c.strip() for c in line.strip().strip("|").split("|")]
            if len(cell) == 7 and cell[1].isdigit():
                found[cell[0]] = cell[1:]
    return found


def has(row, found):
    return found.get(title(row), [None])[-1] == of(row)


def put(row, props, table):
    """props: what was found of each property of a row that holds; table: all rows there are. What the book has of the
    present sources stays as it is."""
    found = read()
    if has(row, found):
        return
    count = [str(sum(p["kind"] == k for p in props)) for k in ("assert", "environment", "cover")]
    bounded = any(p["status"].startswith("bounded") for p in props)
    result = f"{row.depth} steps" if bounded else "covered" if row.engine == "cover" else "proved"
    runs = {(p["kind"] == "cover", p["engine"], p["seconds"]) for p in props}  # one for many properties
    found[title(row)] = [*count, result, f"{sum(s for _, _, s in runs):.0f}", of(row)]
    with open(PATH + ".new", "w", encoding="utf-8") as f:
        f.write(HEAD)
        f.writelines(f"| {' | '.join([t, *found[t]])} |\n" for t in map(title, table) if t in found)
    os.replace(PATH + ".new", PATH)
