#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fanout.py IN OUT: copies of what drives many, in a flat netlist of ECP5 cells (Yosys' write_json), before placement.

A handshake enables hundreds of registers and goes on to the next block: one LUT drives both, the placer sets it in the
middle of the registers, and each such block on its way costs 4 or 5 ns of wire. nextpnr copies nothing. So a LUT or a
register with many sinks on a long way is copied here: one copy for the sinks whose ways go on furthest, of which
there are few, one for those next, and of what ends in registers each sixty or so have one of their own.

Ways are long by an estimate, since there are no wires yet: a wire takes the longer the more sinks it has. The logic
stays what it is: a copy has its original's inputs, and `joined` shows that with copies taken for their originals the
netlist is that of before.
"""
import collections
import json
import math
import sys

LUT, FF, CARRY, RAM = "LUT4", "TRELLIS_FF", "CCU2C", "TRELLIS_DPR16X4"
CLOCKS = ("CLK", "WCK", "CLKA", "CLKB")
# ns, grade 8: from the clock; through a cell; of a wire with one sink, and more each time that it has twice as many.
LAUNCH = collections.defaultdict(float, {FF: 0.5, "DP16KD": 4.0})
THROUGH, SUM, NEXT = 0.24, 0.45, 0.06
NEAR, DOUBLE = 0.2, 0.42
LEAST = 4    # sinks of what may be copied
LONG = 10.0  # ns of the longest way through it
GAIN = 0.5   # ns that a copy has to be worth
SOME = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)  # sinks of a copy for what goes on
CROWD = 64   # registers with a copy of their own, about


def wire(sinks):
    return NEAR + DOUBLE * math.log2(sinks or 1)


class Netlist:
    """Who drives each bit, which pins take it, and how long its ways are."""

    def __init__(self, module):
        self.module, self.cells = module, module["cells"]
        self.driver, self.sinks, self.names = {}, collections.defaultdict(list), {}
        for name, net in module["netnames"].items():
            for bit in net["bits"]:
                self.names.setdefault(bit, name)
        self.next_bit = 1 + max(b for b in self.names if isinstance(b, int))
        for name, cell in self.cells.items():
            self.connect(name, cell)
        self.order = self.sorted()
        self.come, self.go = {}, {}
        for bit in self.order:
            self.come[bit] = max(self.come.get(bit, 0), LAUNCH[self.kind(bit)])
            for sink in self.sinks[bit]:
                for out, delay in self.passes(sink):
                    self.come[out] = max(self.come.get(out, 0), self.come[bit] + self.wire(bit) + delay)
        for bit in reversed(self.order):
            self.settle(bit)

    def connect(self, name, cell):
        for pin, bits in cell["connections"].items():
            for i, bit in enumerate(bits):
                if isinstance(bit, int):
                    if cell["port_directions"][pin] == "output":
                        self.driver[bit] = (name, pin)
                    else:
                        self.sinks[bit].append((name, pin, i))

    def kind(self, bit):
        """What drives it; an input of the top, nothing."""
        return self.cells[self.driver[bit][0]]["type"] if bit in self.driver else ""

    def passes(self, sink):
        """[(bit, delay)]: where this input leads in the same cycle."""
        name, pin, _ = sink
        pins, kind = self.cells[name]["connections"], self.cells[name]["type"]
        if kind == LUT:
            outs = [(pins["Z"][0], THROUGH)]
        elif kind == CARRY:
            outs = [(b, NEXT if (pin, out) == ("CIN", "COUT") else SUM) for out in ("S0", "S1", "COUT")
                    if not (out == "S0" and pin.endswith("1")) for b in pins.get(out, ())]
        elif kind == RAM and pin == "RAD":
            outs = [(b, THROUGH) for b in pins["DO"]]
        else:
            outs = []
        return [(b, delay) for b, delay in outs if isinstance(b, int)]

    def sorted(self):
        """Bits, each behind those that it depends on."""
        leads = {bit: [out for s in sinks for out, _ in self.passes(s)] for bit, sinks in list(self.sinks.items())}
        waits = collections.Counter(out for outs in leads.values() for out in outs)
        bits = {*self.driver, *self.sinks}
        todo, order = [b for b in bits if not waits[b]], []
        while todo:
            order.append(todo.pop())
            for out in leads.get(order[-1], ()):
                waits[out] -= 1
                if not waits[out]:
                    todo.append(out)
        if len(order) != len(bits):
            raise SystemExit("fanout.py: a loop without a register")
        return order

    def wire(self, bit):
        sinks = self.sinks[bit]
        return 0.0 if len(sinks) == 1 and sinks[0][1] == "CIN" else wire(len(sinks))

    def beyond(self, sink):
        """ns from this input to the end of the longest way through it; 0 is an end."""
        return max((self.go.get(out, 0) + delay for out, delay in self.passes(sink)), default=0.0)

    def settle(self, bit):
        self.go[bit] = self.wire(bit) + max((self.beyond(s) for s in self.sinks[bit]), default=0.0)

    def longest(self):
        return max((self.come[b] + self.go[b] for b in self.order), default=0.0)

    def groups(self, bit):
        """The sinks of a bit: those that go on furthest first, in as many groups as are worth a copy."""
        rest, groups = sorted(self.sinks[bit], key=self.beyond, reverse=True), []
        while len(rest) >= LEAST and len(groups) < 3:
            far = [self.beyond(s) for s in rest]

            def takes(n, far=far):
                return max(wire(n) + far[0], wire(len(far) - n) + far[n])
            first = min((n for n in SOME if n < len(rest)), key=takes)
            if takes(first) > wire(len(rest)) + far[0] - GAIN:
                break
            groups, rest = [*groups, rest[:first]], rest[first:]
        ends = [s for s in rest if not self.passes(s)]
        if len(ends) > 1.5 * CROWD and self.come[bit] + wire(len(rest)) > LONG:
            rest = [s for s in rest if self.passes(s)]
            ends.sort(key=self.neighbour)
            size = math.ceil(len(ends) / round(len(ends) / CROWD))
            groups += [ends[n:n + size] for n in range(0, len(ends), size)]
        return groups + [rest] * bool(rest)

    def neighbour(self, sink):
        """What this sink's cell drives, by name: bits of one register come together."""
        cell = self.cells[sink[0]]
        outs = [b for pin, bits in cell["connections"].items() if cell["port_directions"][pin] == "output"
                for b in bits if isinstance(b, int)]
        return self.names.get(outs[0], "") if outs else "", outs[0] if outs else 0

    def copy(self, bit, sinks):
        """A copy of what drives `bit`, for these sinks."""
        name, pin = self.driver[bit]
        cell, new = json.loads(json.dumps(self.cells[name])), self.next_bit
        self.next_bit += 1
        cell["connections"][pin] = [new]
        self.cells[f"{name}_copy{new}"] = cell
        self.module["netnames"][f"{self.names.get(bit, name)}_copy{new}"] = \
            {"hide_name": 1, "bits": [new], "attributes": {}}
        self.connect(f"{name}_copy{new}", cell)
        self.take(new, sinks)
        self.come[new] = self.come[bit]
        self.settle(new)

    def take(self, bit, sinks):
        self.sinks[bit] = sinks
        for name, pin, i in sinks:
            self.cells[name]["connections"][pin][i] = bit

    def split(self):
        """Copies what is worth it, from the ends of ways to their beginnings; how many of which kind."""
        made = collections.Counter()
        for bit in reversed(self.order):
            kind = self.kind(bit)
            self.settle(bit)
            if kind not in (LUT, FF) or len(self.sinks[bit]) < LEAST or self.come[bit] + self.go[bit] < LONG \
                    or any(pin in CLOCKS for _, pin, _ in self.sinks[bit]):
                continue
            *others, own = self.groups(bit)
            self.take(bit, own)
            self.settle(bit)
            for sinks in others:
                self.copy(bit, sinks)
            made[kind] += len(others)
        return made


def joined(cells):
    """The cells of a netlist in which each copy is its original again."""
    of, left = {}, {}
    for name, cell in cells.items():
        original, copy, new = name.rpartition("_copy")
        if copy and new.isdigit() and original in cells:
            pin = next(p for p, way in cell["port_directions"].items() if way == "output")
            of[cell["connections"][pin][0]] = cells[original]["connections"][pin][0]
    for name, cell in cells.items():
        original, copy, new = name.rpartition("_copy")
        whose = original if copy and new.isdigit() and original in cells else name
        pins = {pin: [of.get(b, b) for b in bits] for pin, bits in cell["connections"].items()}
        if left.setdefault(whose, {**cell, "connections": pins}) != {**cell, "connections": pins}:
            raise SystemExit(f"fanout.py: {name} is not what {whose} is")
    return left


def top_of(data):
    return next(m for m in data["modules"].values() if "top" in m["attributes"])


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        text = f.read()
    data = json.loads(text)
    before = Netlist(top_of(data)).longest()
    net = Netlist(top_of(data))
    made = net.split()
    if joined(net.cells) != top_of(json.loads(text))["cells"]:
        raise SystemExit("fanout.py: the copies are not what they are of")
    after = Netlist(top_of(data)).longest()
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        json.dump(data, f)
    print(f"copies for signals with many sinks: {made[LUT]} LUTs, {made[FF]} registers; longest way by the estimate "
          f"{before:.1f} ns, now {after:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
