#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""flood_table.py <LINES of `cosim --flood`: what node 0 sends more in each flood, of the bytes of
the flood, as a table."""
import re
import sys

LINE = re.compile(r"ok +(.*?) +fast +(\d+) frames +(\d+) bytes in +\d+ cycles; of ours +(\d+) and +(\d+) more")
rows = [m.groups() for m in map(LINE.match, sys.stdin) if m]
if len(rows) < 20:
    sys.exit(f"flood_table: {len(rows)} floods")
print("| flood | frames | frames more | bytes more, in percent of the flood's |\n|---|---|---|---|")
for name, frames, size, more, bytes_more in rows:
    print(f"| {name} | {frames} | {more} | {100 * int(bytes_more) // int(size)} |")
