#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_same.py: scripts/same.py passes what was only written differently, and finds bugs that are planted, by name."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SMALL = """
module same_part #(parameter int unsigned W = 4) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         go_i,
  input  wire logic [W-1:0] word_i,
  output logic      [W-1:0] sum_o
);
  logic [W-1:0] sum_q, mask;
  always_comb for (int unsigned i = 0; i < W; i++) mask[i] = go_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sum_q <= '0;
    else sum_q <= sum_q + (word_i & mask);
  end
  assign sum_o = sum_q;
endmodule
"""
TOP = """
module same_top (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       go_i,
  input  wire logic       we_i,
  input  wire logic [2:0] at_i,
  input  wire logic [3:0] word_i,
  output logic      [3:0] sum_o,
  output logic      [3:0] read_o,
  output logic            two_o
);
  logic [3:0] mem_q [8];
  logic [1:0] turn_q;
  logic [3:0] read_q;
  always_ff @(posedge clk_i) if (we_i) mem_q[at_i] <= word_i;
  always_ff @(posedge clk_i) read_q <= we_i ? 'x : mem_q[at_i];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 2'd0;
    else if (go_i) turn_q <= turn_q == 2'd2 ? 2'd0 : turn_q + 2'd1;
  end
  assign read_o = read_q;
  assign two_o  = turn_q == 2'd2;
  same_part #(.W(4)) u_part (.clk_i, .rst_ni, .go_i, .word_i, .sum_o);
endmodule
"""


class Same(unittest.TestCase):
    def ask(self, part=(), top=(), more=()):
        """Exit code and words, with some text of the one or the other file put in another's place."""
        with tempfile.TemporaryDirectory() as folder:
            for side, edits in (("old", ((), ())), ("new", (part, top))):
                os.makedirs(os.path.join(folder, side, "rtl", "cm"))
                os.makedirs(os.path.join(folder, side, "scripts"))
                shutil.copy(os.path.join(ROOT, "scripts", "rtl.py"), os.path.join(folder, side, "scripts"))
                for name, text, edit in (("same_part", SMALL, edits[0]), ("same_top", TOP, edits[1])):
                    for a, b in zip(edit[::2], edit[1::2]):
                        self.assertIn(a, text)
                        text = text.replace(a, b)
                    with open(os.path.join(folder, side, "rtl", "cm", name + ".sv"), "w", encoding="utf-8") as f:
                        f.write(text)
            where = [w for side in ("old", "new", "work") for w in ("--" + side, os.path.join(folder, side))]
            program = os.path.join(ROOT, "scripts", "same.py")
            p = subprocess.run([program, "same_top", *where, *more], capture_output=True, text=True, check=False)
            return p.returncode, p.stdout + p.stderr

    def same(self, how, *edits):
        code, said = self.ask(*edits)
        self.assertEqual(code, 0, said)
        self.assertIn(how, said)

    def differs(self, code, what, *edits):
        got, said = self.ask(*edits)
        self.assertEqual(got, code, said)
        self.assertIn(what, said)

    def test_itself(self):
        self.same("the same: 10 bits of registers, 1 memories")

    def test_written_differently(self):
        self.same("the same: ", ("sum_q + (word_i & mask)", "go_i ? sum_q + word_i : sum_q", "mask[i] = go_i",
                                 "mask[i] = 1'b0"))

    def test_renamed(self):
        self.same("the same from reset on", (), ("turn_q", "state_q"))

    def test_moved(self):
        elsewhere = ("turn_q", "state_q", "u_part (", "u_other (")
        moved = ("--moved", "u_part=u_other,turn_q=state_q")
        self.same("the same: 10 bits of registers, 1 memories", (), elsewhere, moved)
        self.differs(1, "register u_other.sum_q", ("word_i & mask", "word_i | ~mask"), elsewhere, moved)

    def test_unreachable(self):
        self.same("the same from reset on", (), ("two_o  = turn_q == 2'd2", "two_o  = turn_q[1]"))

    def test_register(self):
        self.differs(1, "register u_part.sum_q", ("word_i & mask", "word_i | ~mask"))

    def test_reset(self):
        self.differs(1, "register turn_q", (), ("turn_q <= 2'd0", "turn_q <= 2'd1"))

    def test_another_input(self):
        self.differs(1, "memory mem_q wr0 EN", (), ("if (we_i) mem_q", "if (go_i) mem_q", "we_i ? 'x", "go_i ? 'x"))
        self.differs(1, "register u_part.sum_q", (),
                     ("u_part (.clk_i, .rst_ni, .go_i", "u_part (.clk_i, .rst_ni, .go_i(we_i)"))

    def test_output(self):
        self.differs(1, "two_o[0]", (), ("two_o  = turn_q == 2'd2", "two_o  = turn_q == 2'd1"))

    def test_memory(self):
        self.differs(1, "memory mem_q wr0 EN", (), ("if (we_i) mem_q", "if (we_i && go_i) mem_q"))

    def test_memory_of_another_size(self):
        self.differs(2, "memory mem_q", (), ("mem_q [8]", "mem_q [16]"))

    def test_port(self):
        self.differs(1, "port extra_i: 0 bits were, 1 are", (), ("we_i,", "we_i, input wire logic extra_i,"))

    def test_not_known(self):
        self.differs(2, "not a cell that this comparison knows", (),
                     ("assign read_o = read_q", "always_latch if (go_i) read_o = read_q"))

    def test_clock(self):
        self.differs(1, "another edge of its clock", (), ("@(posedge clk_i) read_q", "@(negedge clk_i) read_q"))

    def test_words_that_say_nothing(self):
        for more, said in (("--params", "W"), "PARAMS=W: W: NAME=VALUE"), (("--moved", "u_a"), "MOVED=u_a: OLD=NEW"):
            code, text = self.ask(more=more)
            self.assertEqual((code, text.startswith(said)), (1, True), text)


if __name__ == "__main__":
    sys.exit(unittest.main())
