#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sta.py SDF [--ns LIMIT] [--most N] [--of REGEX]: the longest paths of a design that nextpnr has
placed (`--sdf FILE`).

One line for each pair of blocks that a late path leads from and to: its delay, how many ends are later than LIMIT,
LUTs on the way, and the nets on the way by the names that they have in the source, each with its time.
At least six are told, in time or not. --of: only paths that begin or end in what the expression matches.
"""
import argparse
import collections
import re
import sys

IO = re.compile(r"\(IOPATH (\S+) (\S+) \((\d+):(\d+):(\d+)\)")
WIRE = re.compile(r"\(INTERCONNECT (\S+) (\S+) \((\d+):(\d+):(\d+)\)")
SETUP = re.compile(r"\(SETUPHOLD \(posedge (\S+)\) \(posedge (\S+)\) \((-?\d+):(-?\d+):(-?\d+)\)")
LEAST = 6  # rows, if nothing is late
CLOCKS = {"CLK", "CLKA", "CLKB", "WCK", "CLK0", "WCLK"}
MADE = re.compile(r"(.*?)(?:_TRELLIS|_LUT4|_CCU2C|_DP16|_PDPW|\.\d+\.\d+|\$)")


class Netlist:
    """Pins with their delays in ps, and when the last of each is settled after a clock edge."""

    def __init__(self, path):
        self.before = collections.defaultdict(list)  # pin: (pin, delay) that it depends on
        self.launch, self.setup, self.when = {}, {}, {}
        cell = ""
        with open(path, encoding="utf-8") as f:
            for line in f:
                line = line.strip().replace("\\", "")
                if line.startswith("(INSTANCE"):
                    cell = line[10:-1].strip() + "/"
                elif m := WIRE.match(line):
                    self.before[m[2]].append((m[1], int(m[5])))
                elif m := IO.match(line):
                    if m[1] in CLOCKS:
                        self.launch[cell + m[2]] = int(m[5])
                    else:
                        self.before[cell + m[2]].append((cell + m[1], int(m[5])))
                elif m := SETUP.match(line):
                    self.setup[cell + m[1]] = max(int(m[5]), 0)

    def arrival(self, pin):
        """(ps, the pin before it); None if no register leads there. Deep, so by a stack of our own."""
        todo = [pin]
        while todo:
            p = todo[-1]
            if p in self.when:
                todo.pop()
            elif p in self.launch:
                self.when[p] = (self.launch[p], None)
            else:
                late = [b for b, _ in self.before.get(p, ()) if b not in self.when]
                if late:
                    todo += late
                else:
                    known = [(self.when[b][0] + d, b) for b, d in self.before.get(p, ()) if self.when[b]]
                    self.when[p] = max(known, default=None)
        return self.when[pin]

    def ends(self):
        """(ps with setup, pin), the latest first."""
        found = [(at[0] + s, p) for p, s in self.setup.items() if not p.endswith("/CLK") and (at := self.arrival(p))]
        return sorted(found, reverse=True)

    def way(self, pin):
        pins = [pin]
        while before := self.when[pins[-1]][1]:
            pins.append(before)
        return pins[::-1]


def name(pin):
    """The net's name in the source: cells that synthesis has made are called after one."""
    cell = pin.rsplit("/", 1)[0].replace("u_dut.", "")
    m = MADE.match(cell)
    return re.sub(r"\[\d+\]", "", m[1] if m else cell)


def block(pin):
    parts = name(pin).split(".")
    return ".".join(p for p in parts if p.startswith("u_")).replace("u_", "") or parts[0]


def paths(path, limit, most=20, of=None):
    """What is later than limit (ns): number of ends, of late ones, and rows of the longest for each pair of blocks."""
    net = Netlist(path)
    ends, rows = net.ends(), {}
    for ps, end in ends:
        if ps < 1000 * limit and len(rows) >= (most if of else LEAST):
            break
        way = net.way(end)
        if of and not (re.search(of, name(way[0])) or re.search(of, name(end))):
            continue
        key = (block(way[0]), block(end))
        if key in rows:
            rows[key]["ends"] += ps > 1000 * limit
        elif len(rows) < most:
            nets = []
            for p in way:
                pin = p.rsplit("/", 1)[1]
                short = name(p).replace("u_", "").replace("gen_", "")
                if (short and (p == end or pin in ("Q", "F", "FCO") or "DO" in pin)
                    and (not nets or nets[-1][0] != short)):
                    nets.append((short, net.when[p][0] / 1000))
            rows[key] = {"ns": round(ps / 1000, 2), "ends": int(ps > 1000 * limit),
                         "luts": sum(p.endswith("/F") for p in way), "from": key[0], "to": key[1],
                         "nets": [f"{n} {t:.1f}" for n, t in nets]}
    return len(ends), sum(ps > 1000 * limit for ps, _ in ends), list(rows.values())


def show(found, limit):
    total, late, rows = found
    print(f"{late} of {total} ends are later than {limit} ns")
    for r in rows:
        print(f"{r['ns']:6.2f} ns, {r['ends']} ends, {r['luts']} LUTs, {r['from']} to {r['to']}: "
              + " > ".join(r["nets"]))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("sdf")
    p.add_argument("--ns", type=float, default=12.5)
    p.add_argument("--most", type=int, default=20)
    p.add_argument("--of")
    a = p.parse_args()
    show(paths(a.sdf, a.ns, a.most, a.of), a.ns)


if __name__ == "__main__":
    sys.exit(main())
