#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_nic_table.py <ROWS: what bench_nic says, as tables: the part of the limit that is reached by the latency of memory and by the
number of queue pairs, and how long a write takes from its first beat on."""
import json
import re
import sys

MEMORY = ("1", "18", "70", "200")
PAIRS = ("1", "16", "64", "256")


def table(title, columns, cells):
    """cells: {row: {column: text}}, complete or refused."""
    if not cells or any(set(row) != set(columns) for row in cells.values()):
        sys.exit(f"bench_nic_table: {title}: a row has not all of {', '.join(columns)}")
    print(f"| {title} | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for what, row in cells.items():
        print(f"| {what} | " + " | ".join(row[c] for c in columns) + " |")


by_memory, by_pairs, first = {}, {}, {"frame, beats": {}, "first beat in to first MWr, cycles": {}, "more than the beats": {}}
for line in sys.stdin:
    row = json.loads(line)
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
