#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_nic_table.py [contexts] <ROWS: what bench_nic says, as tables: the part of the limit that is reached
by the latency of memory and by the number of queue pairs, what frames that are lost and reads that are refused cost,
what other parameters would bring, and how long a write takes from its first beat on; or what contexts in memory cost,
in cycles. A row that no table has is an error."""
import json
import re
import sys

MEMORY = ("1", "18", "70", "200")
PAIRS = ("1", "16", "64", "256")
LOSS = ("64 B, memory 1", "64 B, memory 200", "4096 B, memory 1", "4096 B, memory 200")
TURNS = ("1 in 4", "3 in 4", "4 in 4", "8 in 4", "64 in 4", "4096 in 16")
BYTES = 64  # of a message whose context takes turns


def table(title, columns, cells):
    """cells: {row: {column: text}}, complete or refused."""
    if not cells or any(set(row) != set(columns) for row in cells.values()):
        sys.exit(f"bench_nic_table: {title}: a row has not all of {', '.join(columns)}")
    print(f"| {title} | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for what, row in cells.items():
        print(f"| {what} | " + " | ".join(row[c] for c in columns) + " |")


def unknown(row):
    sys.exit(f"bench_nic_table: {row['name']}: a row that nobody knows")


def part(row, form=".2f"):
    return format(row["value"] / row["limit"], form)


def rates(rows):
    by_memory, by_pairs, loss, crowd, tried = {}, {}, {}, {}, {}
    first = {"frame, beats": {}, "first beat in to first MWr, cycles": {}, "more than the beats": {}}
    for row in rows:
        if m := re.fullmatch(r"NIC: (.*), (\d+) of 256 QPs, memory (\d+): payload", row["name"]):
            by_pairs.setdefault(f"{m[1]}, memory {m[3]}", {})[m[2]] = part(row)
        elif m := re.fullmatch(r"NIC: tried, (.*), memory (\d+): payload( \w+)?", row["name"]):
            tried.setdefault(m[1] + (":" + m[3] if m[3] else ""), {})[m[2]] = part(row, ".3f")
        elif m := re.fullmatch(r"NIC: 1 % of frames lost, WRITE, (\d+ B, memory \d+): (.*)", row["name"]):
            what, text = {"payload": ("payload, of that without loss", lambda: part(row)),
                          "sent for each needed": ("frames sent for each needed (1.010 at least)",
                                                   lambda: f"{row['value']:.3f}"),
                          "sent too early": ("of these behind a lost one, so not taken", lambda: f"{row['value']:.3f}"),
                          "sent though taken": ("of these taken before", lambda: f"{row['value']:.3f}")}[m[2]]
            loss.setdefault(what, {})[m[1]] = text()
        elif m := re.fullmatch(r"NIC: \d+ QPs read 4 KiB, \d+ write 64 B, memory (\d+): (.*)", row["name"]):
            what = m[2] + (", of what the wire can carry" if row["unit"] == "beats/cycle" else "")
            crowd.setdefault(what, {})[m[1]] = part(row) if row["unit"] == "beats/cycle" else f"{row['value']:.0f}"
        elif m := re.fullmatch(r"NIC: (.*), memory (\d+): payload( \w+)?", row["name"]):
            by_memory.setdefault(m[1] + (":" + m[3] if m[3] else ""), {})[m[2]] = part(row)
        elif m := re.fullmatch(r"NIC: WRITE, (\d+) B, first beat in to first MWr", row["name"]):
            for what, n in zip(first, (row["limit"], row["value"], row["value"] - row["limit"])):
                first[what][m[1] + " B"] = f"{n:.0f}"
        else:
            unknown(row)
    table("payload, of what the wire can carry, by cycles of memory", MEMORY, by_memory)
    print()
    table("the same, by queue pairs at work (of 256)", PAIRS, by_pairs)
    print()
    table("the same with other parameters, by cycles of memory", MEMORY, tried)
    print()
    table("1 % of frames lost in either direction, WRITE, 16 QPs", LOSS, loss)
    print()
    table("128 queue pairs read 4 KiB each, 128 write 64 B four times, by cycles of memory", ("1", "200"), crowd)
    print()
    table("a WRITE of", ("64 B", "256 B", "1024 B", "4096 B"), first)


def contexts(rows):
    """The least: what a queue pair in registers takes, by hardware without contexts, and a read of memory."""
    rows = list(rows)
    least, one, streams = {}, {}, {}
    for row in rows:
        if m := re.fullmatch(r"NIC: context, (.*), in registers, memory (\d+)", row["name"]):
            least[m[1], m[2]] = row["value"]
    for row in rows:
        if m := re.fullmatch(r"NIC: context, (.*), (in registers|in a place|into .*), memory (\d+)", row["name"]):
            if m[2] != "in registers":
                floor = least[m[1], m[3]] + (int(m[3]) if m[2] != "in a place" else 0)
                one.setdefault(f"{m[1]}, {m[2]}", {})[m[3]] = f"{row['value']:.0f} / {floor:.0f}"
        elif m := re.fullmatch(r"NIC: contexts, (.*), (\d+) QPs in (\d+) places, memory (\d+): payload", row["name"]):
            beats = BYTES / 32
            cell = f"{beats / row['value']:.1f} / {beats / row['limit']:.1f}"
            streams.setdefault(f"{m[1]}, memory {m[4]}", {})[f"{m[2]} in {m[3]}"] = cell
        elif not re.fullmatch(r"NIC: contexts, .*: loads", row["name"]):
            unknown(row)
    table("cycles / the least, by cycles of memory", MEMORY, one)
    print()
    table("cycles a message / those of its frame, by queue pairs that take turns in places", TURNS, dict(sorted(
        streams.items(), key=lambda s: (s[0].split(",")[0] != "responder", int(s[0].split()[-1])))))


(contexts if sys.argv[1:] == ["contexts"] else rates)([json.loads(line) for line in sys.stdin])
