#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_genblock.py: the rule about unnamed generate blocks finds each of their forms, and nothing
that is procedural."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
import genblock  # noqa: E402

CLEAN = """
`define TWICE(x) \\
  if (x) y = 1
module m #(parameter int N = 4) (input wire logic [(N > 1 ? N : 1)-1:0] a_i);
  // if (N) comment
  if (N < 1) begin : gen_bad_n $error("m: if (N) $error(1)"); end
  else if (N > 9) begin : gen_big
    assign z = a_i;
  end else begin : gen_small
    for (genvar g = 0; g < N; g++) begin : gen_each
      always_comb if (a_i[g]) begin x = 1; end else if (y) x = 2; else begin x = 3; end
    end
  end
  case (N) 2: begin : gen_two end default: begin : gen_other end endcase
  function automatic logic f(input logic a); begin if (a) f = 1; else f = 0; end endfunction
  initial begin for (int i = 0; i < N; i++) if (i != 0) m[i] = 0; end
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) q <= 0; else for (int i = 0; i < 4; i++) begin q[i] <= d; end
  always @* unique case (a) 1: begin x = 1; end default: if (b) x = 2; endcase
  always_ff @(posedge clk_i) begin : named if (a) begin q <= 1; end end : named
endmodule
"""


class GenBlock(unittest.TestCase):
    def lines(self, text):
        return [n for n, _ in genblock.unnamed(text)]

    def test_clean(self):
        self.assertEqual(genblock.unnamed(CLEAN), [])

    def test_every_form(self):
        for text in ('if (N < 1) $error("m: N");',
                     'if (N < 1 ||\n N > (4)) $error("m: N");',
                     "if (N) begin assign a = b; end",
                     "if (N) begin : gen_a end else begin assign a = b; end",
                     "if (N) begin : gen_a end else assign a = b;",
                     "if (N) begin : gen_a end else if (M) assign a = b;",
                     "for (genvar g = 0; g < 4; g++) assign a[g] = b[g];",
                     "for (genvar g = 0; g < 4; g++) begin assign a[g] = b[g]; end",
                     "if (N) begin : gen_a if (M) $error(1); end",
                     "case (N) 1: begin assign a = b; end endcase",
                     "always_comb a = b; if (N) $error(1);",
                     "always_comb begin if (a) b = 1; end if (N) $error(1);"):
            with self.subTest(text):
                self.assertEqual(len(self.lines(f"module m;\n{text}\nendmodule\n")), 1)

    def test_line(self):
        self.assertEqual(self.lines("module m;\n\n  /* a\n */ if (N) $error(1);\nendmodule\n"), [4])


if __name__ == "__main__":
    unittest.main()
