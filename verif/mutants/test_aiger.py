#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_aiger.py: an input that gets a constant has it wherever it stood, inverted or not, and nothing else changes."""
import itertools
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import aiger  # noqa: E402

# Inputs a (2), b (4) and s (6), a latch (8) that follows s, output (s ? b : a) and a constraint, not s.
PLAIN = ((3, 1, 1), [[6, 0]], [[15], [7]], [(7, 2), (6, 4), (13, 11)], {"a": 2, "b": 4, "s": 6})


def values(aig, inputs, latch):
    """What outputs, constraints and the latch's next state are."""
    v = [0, *inputs, latch]
    def of(x):  # noqa: E306
        return v[x >> 1] ^ (x & 1)
    for a, b in aig[3]:
        v.append(of(a) & of(b))
    return [of(e[0]) for e in aig[2]], of(aig[1][0][0])


class Aiger(unittest.TestCase):
    def setUp(self):
        fd, self.path = tempfile.mkstemp()
        os.close(fd)
        self.addCleanup(os.remove, self.path)

    def test_each_choice(self):
        for given in ({}, {"s": 0}, {"s": 1}, {"a": 1, "b": 0}, {"none": 1}):
            aiger.write(self.path, PLAIN, given)
            back = aiger.read(self.path)
            self.assertEqual((back[0], len(back[1]), len(back[3])), (PLAIN[0], 1, 3))
            for bits in itertools.product((0, 1), repeat=4):
                chosen = [given.get(n, bits[i]) for i, n in enumerate("abs")]
                with self.subTest(given=given, bits=bits):
                    self.assertEqual(values(back, bits[:3], bits[3]), values(PLAIN, chosen, bits[3]))

    def test_long_numbers(self):
        for n in (0, 127, 128, 300, 1 << 20):
            data = bytes(aiger.groups(n))
            self.assertEqual(aiger.number(data, 0), (n, len(data)))


if __name__ == "__main__":
    unittest.main()
