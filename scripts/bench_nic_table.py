#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_nic_table.py <ROWS: what bench_nic says of rates by memory, as a table: the part of the limit that is reached."""
import json
import re
import sys

MEMORY = ("1", "18", "70", "200")
table = {}
for line in sys.stdin:
    row = json.loads(line)
    m = re.fullmatch(r"NIC: (.*), memory (\d+): payload( \w+)?", row["name"])
    if m:
        table.setdefault(m[1] + (":" + m[3] if m[3] else ""), {})[m[2]] = row["value"] / row["limit"]
if not table or any(set(cells) != set(MEMORY) for cells in table.values()):
    sys.exit("bench_nic_table: a row has not all of memory " + ", ".join(MEMORY))
print("| payload, of what the wire can carry | " + " | ".join(MEMORY) + " |\n|---|" + "---|" * len(MEMORY))
for what, cells in table.items():
    print(f"| {what} | " + " | ".join(f"{cells[m]:.2f}" for m in MEMORY) + " |")
