# SPDX-License-Identifier: Apache-2.0
"""What figures x8 and x10 are made of: sw/cluster/xtq/inputs."""
import os
import sys


def lines(name, names, numbers):
    """The words of an input file's lines: so many names, so many numbers above 0."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xtq", "inputs", name)
    out = []
    with open(path, encoding="utf-8") as f:
        for n, line in enumerate(f, 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            if len(words) != names + numbers or not all(w.isdigit() and int(w) for w in words[names:]):
                sys.exit(f"{path}:{n}: {names} names and {numbers} numbers above 0 are wanted, not: {' '.join(words)}")
            out.append(words[:names] + [int(w) for w in words[names:]])
    return out


def vector(elements):
    """Bytes: whole words of 8, and one a node."""
    return max(64, (4 * elements + 7) // 8 * 8)


ACCUMULATES = lines("accumulates.txt", 0, 2)
MATRICES = lines("gradients.txt", 1, 3)
WORKLOADS = list(dict.fromkeys(m[0] for m in MATRICES))
GRADIENTS = {w: [(times, vector(rows * columns)) for name, rows, columns, times in MATRICES if name == w]
             for w in WORKLOADS}
