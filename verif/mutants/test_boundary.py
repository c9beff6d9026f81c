#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_boundary.py: a block is the same only as one that uses its large memory and fills its streams the same."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import miter  # noqa: E402

BLOCK = """module top (input clk, input we, input re, input [9:0] wa, input [9:0] ra, input [15:0] wd, output [15:0] q);
  reg [15:0] mem [0:{words}-1];
  reg [9:0] ra_q;
  always @(posedge clk) begin
    if ({we}) mem[{wa}] <= {wd};
    if (re) ra_q <= ra;
  end
  assign q = mem[{ra}];
endmodule
"""
PLAIN = {"words": "1024", "we": "we", "wa": "wa", "wd": "wd", "ra": "ra_q"}
STREAMS = """module top (input clk, input v, input [7:0] d, output q_valid_o, output [7:0] q_o, output [7:0] r_o,
            output m_awvalid_o, output [7:0] m_awaddr_o, output m_awready_o);
  reg v_q;
  reg [7:0] d_q;
  always @(posedge clk) {{v_q, d_q}} <= {{v, d}};
  assign q_valid_o = v_q, m_awvalid_o = !v_q;
  assign q_o = {q}, r_o = {r}, m_awaddr_o = {aw}, m_awready_o = {ready};
endmodule
"""
RESET = """module top (input clk, input rst_ni, input d, output q_o);
  reg d_q;
  always @(posedge clk) d_q <= rst_ni ? d : {cleared};
  assign q_o = {shown};
endmodule
"""
CLEARED = {"cleared": "1'b0", "shown": "d_q"}
FULL = {"q": "d_q", "r": "d_q", "aw": "d_q", "ready": "d_q[0]"}


class Boundary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.miter = miter.Miter(folder.name, "block")

    def read(self, side, changes):
        path = self.miter.path(f"{side}.v")
        text, plain = next(k for k in ((BLOCK, PLAIN), (STREAMS, FULL), (RESET, CLEARED))
                           if k[1].keys() >= changes.keys())
        with open(path, "w", encoding="utf-8") as f:
            f.write(text.format(**(plain | changes)))
        return f"read_verilog -sv {path}; proc; rename top {side}"

    def same(self, gold=None, **gate):
        aig = self.miter.path("all.aig")
        self.built = self.miter.build_cut(self.read("gold", gold or {}), self.read("gate", gate), aig, 60)
        with open(self.miter.path("gold.json"), encoding="utf-8") as f:
            self.gone = "mem0_said" in json.load(f)["modules"]["gold"]["ports"]
        return self.built and self.miter.prove(aig)

    def test_itself(self):
        self.assertTrue(self.same())
        self.assertTrue(self.gone)

    def test_what_no_write_carries(self):
        self.assertTrue(self.same(wd="we ? wd : ~wd", wa="we ? wa : 10'd0"))

    def test_each_pin(self):
        zeros = {"we": "we || wa == '0", "wd": "we ? wd : '0"}  # more writes, of nothing but 0
        for change in (zeros, {"wa": "wa ^ 10'd512"}, {"wd": "{wd[15:1], 1'b0}"}, {"ra": "ra"}):
            with self.subTest(change):
                self.assertFalse(self.same(**change))

    def test_other_size(self):
        self.assertFalse(self.same(words="512"))
        self.assertFalse(self.built)

    def test_small_stays(self):
        small = {"words": "8"}
        self.assertTrue(self.same(small, **small))
        self.assertFalse(self.gone)

    def test_what_is_not_valid(self):
        for change in ({"q": "v_q ? d_q : ~d_q"}, {"aw": "v_q ? ~d_q : d_q"}):
            with self.subTest(change):
                self.assertTrue(self.same(FULL, **change))

    def test_what_is_valid(self):
        for change in ({"q": "v_q ? ~d_q : d_q"}, {"aw": "v_q ? d_q : 8'd0"}, {"r": "v_q ? d_q : 8'd0"},
                       {"ready": "!v_q && d_q[0]"}):
            with self.subTest(change):
                self.assertFalse(self.same(FULL, **change))

    def test_reset(self):
        self.assertTrue(self.same(CLEARED, shown="rst_ni ? d_q : d"))
        for change in ({"cleared": "1'b1"}, {"cleared": "d_q"}, {"shown": "rst_ni && !d_q"}):
            with self.subTest(change):
                self.assertFalse(self.same(CLEARED, **change))


if __name__ == "__main__":
    unittest.main()
