#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""levels.py JSON TOP [--most N] [--of REGEX]: the deepest ways of a netlist of ECP5 cells (Yosys' write_json, flat).

One line for each pair of blocks that a way leads from and to: LUTs on it, how many ends the pair has, and the nets on
it by their names in the source, each with its level. A carry chain counts as the LUT that enters it, and its sum as
another. No wires and no placement: sta.py has those. --of: only ways through what the expression matches.
"""
import argparse
import collections
import json
import re
import sys

LOGIC = ("LUT4", "CCU2C")
MADE = re.compile(r"\$|_(?:TRELLIS|LUT4|CCU2C|DP16|PDPW)")  # a name that synthesis made


class Netlist:
    """What feeds each bit, through how many LUTs, and which bits a register, a memory or a port of the top takes."""

    def __init__(self, path, top):
        with open(path, encoding="utf-8") as f:
            module = json.load(f)["modules"][top]
        self.feeds, self.ends, self.names, self.deep = {}, collections.defaultdict(list), {}, {}
        for name, net in module["netnames"].items():
            for bit in net["bits"]:
                rank = (bool(MADE.search(name)), name.count("."), len(name))
                if isinstance(bit, int) and (bit not in self.names or rank < self.names[bit][0]):
                    self.names[bit] = (rank, name)
        for cell in module["cells"].values():
            self.add(cell)
        self.inner = set(self.ends)  # what a register or a memory takes
        for name, port in module["ports"].items():
            if port["direction"] == "output":
                for bit in (b for b in port["bits"] if isinstance(b, int)):
                    self.ends[bit].append(name)

    def add(self, cell):
        pins, way = cell["connections"], cell["port_directions"]
        bits = {p: [b for b in pins[p] if isinstance(b, int)] for p in pins}
        ins = {p: bits[p] for p in pins if way[p] == "input"}
        outs = [b for p in pins if way[p] == "output" for b in bits[p]]
        if cell["type"] in LOGIC:
            for p in (p for p in pins if way[p] == "output"):
                for bit in bits[p]:
                    self.feeds[bit] = [(b, int(q != "CIN" or p != "COUT")) for q in ins for b in ins[q]]
            return
        if cell["type"] == "TRELLIS_DPR16X4":
            for bit in outs:
                self.feeds[bit] = [(b, 1) for b in ins["RAD"]]
            ins = {p: ins[p] for p in ("DI", "WAD", "WRE")}
        end = self.name(outs[0]) if outs else "?"
        for b in {b for p in ins for b in ins[p]}:
            self.ends[b].append(end)

    def name(self, bit):
        name = self.names[bit][1] if bit in self.names else ""
        return MADE.split(name)[0]

    def depth(self, bit):
        """(LUTs, the bit before it). Deep, so by a stack of our own; loops, of which there are none, end."""
        todo, opened = [bit], set()
        while todo:
            b = todo[-1]
            late = [x for x, _ in self.feeds.get(b, ()) if x not in self.deep]
            if late and b not in opened and b not in self.deep:
                opened.add(b)
                todo += late
            else:
                todo.pop()
                self.deep.setdefault(b, max(((self.deep.get(x, (0, None))[0] + n, x) for x, n in self.feeds.get(b, ())),
                                            default=(0, None)))
        return self.deep[bit]

    def levels(self):
        """From registers or inputs to registers: the outputs' are somebody else's."""
        return max((self.depth(b)[0] for b in self.inner), default=0)

    def way(self, bit):
        bits = [bit]
        while (before := self.depth(bits[-1])[1]) is not None:
            bits.append(before)
        return bits[::-1]

    def rows(self, most, of=None):
        """The deepest way for each pair of blocks, deepest first: (levels, ends, from, to, nets)."""
        rows = {}
        for bit in sorted(self.ends, key=lambda b: -self.depth(b)[0]):
            way = self.way(bit)
            end = self.ends[bit][0]
            if of and not any(re.search(of, self.name(b)) for b in way) and not re.search(of, end):
                continue
            key = (block(self.name(way[0])), block(end))
            if key in rows:
                rows[key]["ends"] += len(self.ends[bit])
                continue
            if len(rows) == most:
                continue
            nets = []
            for b in way:
                short = self.name(b).replace("u_", "").replace("gen_", "")
                if short and (not nets or nets[-1][0] != short):
                    nets.append((short, self.depth(b)[0]))
            rows[key] = {"levels": self.depth(bit)[0], "ends": len(self.ends[bit]), "from": key[0], "to": key[1],
                         "nets": [f"{n} {d}" for n, d in nets] + [end.replace("u_", "").replace("gen_", "")]}
        return list(rows.values())


def block(name):
    return ".".join(p[2:] for p in name.split(".") if p.startswith("u_")) or "top"


def show(net, most, of=None):
    at = collections.Counter(net.depth(b)[0] for b in net.ends)
    print("levels: ends  " + "  ".join(f"{n}: {at[n]}" for n in sorted(at, reverse=True)))
    for r in net.rows(most, of):
        print(f"{r['levels']:3} levels, {r['ends']} ends, {r['from']} to {r['to']}: " + " > ".join(r["nets"]))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("netlist")
    p.add_argument("top")
    p.add_argument("--most", type=int, default=20)
    p.add_argument("--of")
    a = p.parse_args()
    show(Netlist(a.netlist, a.top), a.most, a.of)


if __name__ == "__main__":
    sys.exit(main())
