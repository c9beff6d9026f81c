#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_members.py: the rule about parts of a struct's members finds those whose range does not end at 0, and no
others."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import members  # noqa: E402

TYPES = members.structs(["""
package p;
  typedef struct packed {
    logic [W-1:12] pfn;   // pages
    logic [63:0]   addr;
    logic          one;
  } low_t;
  typedef struct packed { p::low_t low; logic [3:0] n; } high_t;
endpackage
"""])


class Members(unittest.TestCase):
    def lines(self, text):
        return [n for n, _ in members.parts(text, TYPES)]

    def test_clean(self):
        self.assertEqual(self.lines("""p::low_t a;
assign x = a.pfn;
assign y = a.addr[63:12];
assign z = pfn[47:20];
p::high_t b;
assign w = b.n[2:1]; // a.pfn[3]
assign v = other.pfn[47:20];
"""), [])

    def test_found(self):
        for text in ("input wire p::low_t a_i,\nassign x = a_i.pfn[47:20];",
                     "p::low_t c, a;\nassign x = a.pfn[20];",
                     "p::high_t b;\nassign x = b.low.pfn[W-1:20];"):
            with self.subTest(text):
                self.assertEqual(self.lines(text), [2])


if __name__ == "__main__":
    unittest.main()
