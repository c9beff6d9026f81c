#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_miter.py: a mutant that changes no gate is the same without a proof, and no other one is."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import miter  # noqa: E402

BLOCK = """module {side} (input clk, input [15:0] mut_sel, input [7:0] d, output reg [7:0] q);
  wire [7:0] mask = {mask};
  always @(posedge clk) q <= {d} & mask;
endmodule
"""
PLAIN = {"side": "gold", "d": "d", "mask": "8'h0F"}
MUTANTS = {"side": "gate", "d": "(mut_sel == 3 ? d ^ 8'h80 : mut_sel == 4 ? d ^ 8'h01 : d)",
           "mask": "(mut_sel == 1 ? 8'h0F : mut_sel == 2 ? 8'h1F : 8'h0F)"}


class Same(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.miter = miter.Miter(folder.name, "block")
        self.sides = []
        for what in (PLAIN, MUTANTS):
            path = self.miter.path(f"{what['side']}.v")
            with open(path, "w", encoding="utf-8") as f:
                f.write(BLOCK.format(**what))
            self.sides.append(f"read_verilog {path}; proc; opt_clean")

    def verdicts(self):
        return [self.miter.same_as(*self.sides, n) for n in range(5)]

    def test_with_proofs(self):
        self.assertEqual(self.verdicts(), [True, True, False, True, False])

    def test_without(self):
        self.miter.prove = lambda aig: False
        self.assertEqual(self.verdicts(), [True, True, False, True, False])

    def test_without_an_answer(self):
        self.miter.prove, self.miter.hashed = lambda aig: False, lambda aig: None
        self.assertEqual(self.verdicts(), [False] * 5)


if __name__ == "__main__":
    unittest.main()
