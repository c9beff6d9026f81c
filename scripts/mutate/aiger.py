# SPDX-License-Identifier: Apache-2.0
"""Binary AIGER files, as Yosys writes them: some of their inputs get a constant value."""
import re


def number(data, at):
    """(a number in groups of seven bits, lowest first; where it ends)"""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def groups(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return out


def read(path):
    """(numbers of inputs, outputs and constraints, lines of the latches, of outputs and constraints, gates as pairs of
    literals, {name of an input: its literal})"""
    with open(path, "rb") as f:
        data = f.read()
    end = data.index(b"\n")
    _, inputs, latches, outputs, gates, bad, constraints = map(int, [*data[:end].split()[1:], 0, 0][:7])
    outputs += bad  # ABC calls them so where there are constraints
    lines, at = [], end + 1
    for _ in range(latches + outputs + constraints):
        end = data.index(b"\n", at)
        lines.append([int(w) for w in data[at:end].split()])
        at = end + 1
    pairs = []
    for k in range(gates):
        a, at = number(data, at)
        b, at = number(data, at)
        first = 2 * (inputs + latches + k + 1) - a
        pairs.append((first, first - b))
    names = {}
    for line in data[at:].decode().split("\n"):
        m = re.match(r"i(\d+) (.*)", line)
        if m:
            names.update((word, 2 * (int(m[1]) + 1)) for word in m[2].split())
    return (inputs, outputs, constraints), lines[:latches], lines[latches:], pairs, names


def write(path, aig, values):
    """The same with {name of an input: 0 or 1}, without names. The inputs stay, without a reader."""
    (inputs, outputs, constraints), latches, ends, pairs, names = aig
    chosen = {}
    for name, value in values.items():
        if name in names:
            chosen[names[name]], chosen[names[name] + 1] = value, 1 - value

    def now(literal):
        return chosen.get(literal, literal)
    top = inputs + len(latches)
    out = bytearray(f"aig {top + len(pairs)} {inputs} {len(latches)} {outputs} {len(pairs)} 0 {constraints}\n".encode())
    for first, *start in latches:  # the next state, then the first one
        out += " ".join(map(str, [now(first), *start])).encode() + b"\n"
    for line in ends:
        out += f"{now(line[0])}\n".encode()
    for k, (a, b) in enumerate(pairs):
        a, b = sorted((now(a), now(b)), reverse=True)
        out += groups(2 * (top + k + 1) - a) + groups(a - b)
    with open(path, "wb") as f:
        f.write(out)
