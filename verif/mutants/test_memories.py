#!/ usr / bin / env python3
#SPDX - License - Identifier : Apache - 2.0
""
    "test_memories.py: a block whose large memory is taken out is proved the same only as one that uses it the same."
    "" import json import os import sys import tempfile import unittest

        sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                        "scripts")) from mutate import miter #noqa : E402

                                                                                     BLOCK =
    ""
    "module top (input clk, input we, input re, input [9:0] wa, input [9:0] ra, input [15:0] wd, output [15:0] q);
reg [15:0] mem [0:{words} - 1];
reg [9:0] ra_q;
always @(posedge clk) begin if ({we}) mem[{wa}] <= {wd};
if (re) ra_q <= ra;
end assign q = mem[{ra}];
endmodule
"""
PLAIN = {"words": "1024", "we": "we", "wa": "wa", "wd": "wd", "ra": "ra_q"}


class Memories(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.miter = miter.Miter(folder.name, "block")

    def read(self, side, changes):
        path = self.miter.path(f"{side}.v")
        with open(path, "w", encoding="utf-8") as f:
            f.write(BLOCK.format(**(PLAIN | changes)))
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


if __name__ == "__main__":
    unittest.main()
