#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""report.py WIRE.pcapng REPORT.html: adds what went over the wire to the page of `make run`: frames by kind,
tasks, what was sent again.

A frame is sent again if one of the same opcode, sequence number, queue pair and pair of addresses
has left before it."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import CNP, blocks  # noqa: E402

BEGIN, END = "<!-- wire: begin -->", "<!-- wire: end -->"
KINDS = [("XtqPut", {0xC6, 0xC7, 0xC8, 0xCA}), ("write", set(range(0x06, 0x0C))), ("read request", {0x0C}),
         ("read response", set(range(0x0D, 0x11))), ("acknowledgement", {0x11}), ("atomic", {0x13, 0x14}),
         ("atomic's answer", {0x12}), ("congestion notification", {CNP})]
LAST_OF_TASK = {0xC8, 0xCA}
NAK = 0x60  # of an AETH's syndrome; 0x20: not ready


def count(data):
    """{kind: [frames, bytes, sent again]}, tasks, refusals."""
    kinds, seen, tasks, refused = {name: [0, 0, 0] for name, _ in KINDS}, set(), 0, [0, 0]
    for at, n in blocks(data):
        f = data[at:at + n]
        opcode, (qp, psn) = f[42], (w & 0xFFFFFF for w in struct.unpack(">II", f[46:54]))
        name = next((name for name, codes in KINDS if opcode in codes), "other")
        kinds.setdefault(name, [0, 0, 0])
        who = (f[26:34], opcode, qp, psn)
        kinds[name][0] += 1
        kinds[name][1] += n
        if opcode == 0x11:
            refused[0] += f[54] & 0x60 == NAK
            refused[1] += f[54] & 0x60 == 0x20
        elif opcode != CNP:
            kinds[name][2] += who in seen
            tasks += opcode in LAST_OF_TASK and who not in seen
            seen.add(who)
    return kinds, tasks, refused


def section(kinds, tasks, refused):
    rows = "".join(f"<tr><td>{name}</td><td>{f}</td><td>{b}</td><td>{again}</td></tr>\n"
                   for name, (f, b, again) in kinds.items() if f)
    return f"""{BEGIN}<h2>NIC and XTQ: messages that become tasks</h2>
<p>Several NICs over a link that loses, doubles, overtakes and damages frames, in lockstep with their models.
{tasks} messages of the kind XtqPut were sent whole, each a task of an accelerator;
{refused[0]} answers refused a request or said that one before it is missing,
{refused[1]} that the peer was not ready.</p>
<table><tr><td>frames</td><td>number</td><td>bytes</td><td>of them sent again</td></tr>
{rows}</table>{END}"""


def main():
    with open(sys.argv[1], "rb") as f:
        text = section(*count(f.read()))
    with open(sys.argv[2], encoding="utf-8") as f:
        page = f.read()
    begin, end = page.find(BEGIN), page.find(END)
    if begin < 0 or end < 0:
        sys.exit(f"report.py: {sys.argv[2]} has no place for this: make run writes it anew")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(page[:begin] + text + page[end + len(END):])


main()
