#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_nic_table.py [contexts] <ROWS: what bench_nic says, as tables: the part of the limit that is reached
by the latency of memory and by the number of queue pairs, and how long a write takes from its first beat on;
or what contexts in memory cost, in cycles."""
import json
import re
import sys

MEMORY = ("1", "18", "70", "200")
PAIRS = ("1", "16", "64", "256")
BYTES = 64  # of a message whose context takes turns


def table(title, columns, cells):
    """cells: {row: {column: text}}, complete or refused."""
    if not cells or any(set(row) != set(columns) for row in cells.values()):
        sys.exit(f"bench_nic_table: {title}: a row has not all of {', '.join(columns)}")
    print(f"| {title} | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for what, row in cells.items():
        print(f"| {what} | " + " | ".join(row[c] for c in columns) + " |")


def rates(rows):
    by_memory, by_pairs = {}, {}
    first = {"frame, beats": {}, "first beat in to first MWr, cycles": {}, "more than the beats": {}}
    for row in rows:
        part = f"{row['value'] / row['limit']:.2f}" if row["limit"] else ""
        if m := re.fullmatch(r"NIC: (.*), (\d+) of 256 QPs, memory (\d+): payload", row["name"]):
            by_pairs.setdefault(f"{m[1]}, memory {m[3]}", {})[m[2]] = part
        elif m := re.fullmatch(r"NIC: (.*), memory (\d+): payload( \w+)?", row["name"]):
            by_memory.setdefault(m[1] + (":" + m[3] if m[3] else ""), {})[m[2]] = part
        elif m := re.fullmatch(r"NIC: WRITE, (\d+) B, first beat in to first MWr", row["name"]):
            for what, n in zip(first, (row["limit"], row["value"], row["value"] - row["limit"])):
                first[what][m[1] + " B"] = f"{n:.0f}"
    table("payload, of what the wire can carry, by cycles of memory", MEMORY, by_memory)
    print()
    table("the same, by queue pairs at work (of 256)", PAIRS, by_pairs)
    print()
    table("a WRITE of", ("64 B", "256 B", "1024 B", "4096 B"), first)


def contexts(rows):
    one, streams = {}, {}
    for row in rows:
        if m := re.fullmatch(r"NIC: context, (.*), memory (\d+)", row["name"]):
            one.setdefault(m[1], {})[m[2]] = f"{row['value']:.0f} / {row['limit']:.0f}"
        elif m := re.fullmatch(r"NIC: contexts, (.*), (\d+) QPs in 4 places, memory (\d+): payload", row["name"]):
            beats = BYTES / 32
            streams.setdefault(f"{m[1]}, memory {m[3]}",
                               {})[m[2]] = f"{beats / row['value']:.1f} / {beats / row['limit']:.1f}"
        elif not re.fullmatch(r"NIC: contexts, .*: loads", row["name"]):
            sys.exit(f"bench_nic_table: {row['name']}: a row that nobody knows")
    table("cycles / the least, by cycles of memory", MEMORY, one)
    print()
    table("cycles a message / those of its frame, by queue pairs that take turns in 4 places", ("1", "4", "8", "64"),
          dict(sorted(
        streams.items(), key=lambda s: (s[0].split(",")[0] != "responder", int(s[0].split()[-1])))))


(contexts if sys.argv[1:] == ["contexts"] else rates)([json.loads(line) for line in sys.stdin])
