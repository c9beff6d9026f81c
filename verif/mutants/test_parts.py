#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_parts.py: where the theorems of a whole block have no answer, those of the instance that a mutant is in do, in
their environment; and none is broken by a mutant that they hold with. Of which netlist they are."""
import os
import subprocess
import sys
import tempfile
import threading
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from mutate import judges, netlist, tree  # noqa: E402

# A counter whose upper bits need 2^30 cycles; a block that holds two, whose own theorem stands on theirs, and what is
# true and no induction.
BLOCK = """module count (input clk, input up, output reg [31:0] n, output reg [31:0] twin);
  initial n = 0;
  initial twin = 0;
  always @(posedge clk) begin
    n <= n + up;
    twin <= twin + up;
  end
  always @* begin
    env_up: assert (!up || n != 32'hFFFFFFFF);
    p1_same: assert (n == twin);
  end
endmodule
module hard (input clk);
  reg [3:0] far = 0;
  always @(posedge clk) far <= far == 9 ? 0 : far + 1;
  always @* p1_far: assert (far != 14);
endmodule
module block (input clk, input [1:0] up, output reg [31:0] sum);
  wire [63:0] n, twin;
  hard u_hard (.clk(clk));
  genvar i;
  generate for (i = 0; i < 2; i = i + 1) begin : gen_count
    count u_count (.clk(clk), .up(up[i] && n[32*i+:32] != 32'hFFFFFFFF), .n(n[32*i+:32]), .twin(twin[32*i+:32]));
  end endgenerate
  reg [31:0] was = 0;
  initial sum = 0;
  always @(posedge clk) begin
    sum <= n[31:0];
    was <= twin[31:0];
  end
  always @* p1_sum: assert (sum == was);
endmodule
"""


class Runner(netlist.Runner):
    def __init__(self, folder, whole, mutants):
        self.module, self.dir, self.cpu, self.most = "block", ".", 60, 3
        self.where = types.SimpleNamespace(dir=folder, path=lambda leaf: os.path.join(folder, leaf), write=self.write)
        self.holds, self.lock, self.theorems, self.late = {}, threading.Lock(), {}, {}
        self.cells = dict(enumerate((m[0].replace("\\", "") for m in mutants), 1))
        self.write("whole.il", whole)
        lines = [f"mutate -ctrl mut_sel 16 {k} -mode {(*mode, 'const0')[0]} -module block -cell {cell} -port {port} "
                 f"-portbit {bit}" for k, (cell, port, bit, *mode) in enumerate(mutants, 1)]
        self.write("mutants.ys", "\n".join(lines).encode() + b"\n")

    def write(self, leaf, text):
        with open(self.where.path(leaf), "wb") as f:
            f.write(text)


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.symlink(os.path.join(tree.ROOT, "verif"), os.path.join(folder.name, "verif"))
        at = os.path.join(folder.name, "block")
        with open(f"{at}.v", "w", encoding="utf-8") as f:
            f.write(BLOCK)
        script = (f"read_verilog -sv -formal {at}.v; hierarchy -top block; proc; flatten; opt_clean; "
                  f"write_rtlil {at}.il; select -write {at}.cells t:$add t:$ne; "
                  f"select -write {at}.flops w:sum %ci t:$dff %i")
        subprocess.run(["yosys", "-q", "-p", script], check=True)
        cells, (self.sum,) = (tree.content(f"{at}.{which}").decode().replace("block/", "").split()
                             for which in ("cells", "flops"))
        self.of = lambda part: next(c for c in cells if c.startswith(f"$flatten\\{part}"))
        self.gate = next(c for c in cells if c.startswith("$ne"))
        self.runner = lambda *mutants: Runner(folder.name, tree.content(f"{at}.il"), mutants)
        self.addCleanup(setattr, judges, "depth", judges.depth)
        judges.depth = lambda block: 1

    def test_part(self):
        runner = self.runner((self.of("gen_count[1]"), "Y", 30))
        self.assertEqual(runner.parts(1), ["gen_count[1].u_count", ""])
        self.assertEqual(runner.proof(1, 0), "theorem gen_count[1].u_count.p1_same of gen_count[1].u_count "
                                             "not inductive at 1")
        self.assertIs(runner.holds["not inductive at 1"], False)  # of the whole there is none

    def test_top(self):
        runner = self.runner((self.sum, "D", 30))
        self.assertEqual(runner.parts(1), [""])
        self.assertEqual(runner.proof(1, 0), "theorem p1_sum of block not inductive at 1")

    def test_environment(self):  # what an instance assumes is asked of what is around it
        runner = self.runner((self.gate, "Y", 0, "const1"))
        self.assertEqual(runner.parts(1), [""])
        self.assertRegex(runner.proof(1, 0), r"^theorem gen_count\[.\]\.u_count\.env_up of block not inductive at 1$")

    def test_none(self):
        runner = self.runner((self.of("u_hard"), "Y", 0))
        self.assertEqual(runner.parts(1), ["u_hard", ""])
        self.assertIsNone(runner.proof(1, 0))  # what is no induction without the bug says nothing of it
        self.assertEqual(runner.holds, {"within 8 steps": True, "not inductive at 1": False,
                                        "of u_hard not inductive at 1": False, "of block not inductive at 1": True})


class Netlists(unittest.TestCase):
    def test_which_configuration(self):
        said = {"plain": "", "chosen": "// netlist: narrow", "slow": "// no netlist: 25 s; CONFIG=small NETLIST=1",
                "wires": "// no netlist: it only wires"}
        for name in ("read", "tests"):
            self.addCleanup(setattr, judges, name, getattr(judges, name))
        judges.read = lambda path: "// a test\n" + said[path.removeprefix("verif/sim/test_").removesuffix(".c")] + "\n"
        judges.tests = lambda: {t: ("block", ["default", "wide"]) for t in said}
        judges.netlist_config.cache_clear()
        self.addCleanup(judges.netlist_config.cache_clear)
        self.assertEqual([judges.netlist_config(t) for t in said], ["default", "narrow", "small", None])
        self.assertEqual(judges.netlists("block"), ["plain", "chosen", "slow"])


if __name__ == "__main__":
    unittest.main()
