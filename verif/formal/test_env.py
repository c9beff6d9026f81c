#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_env.py: scripts/formal_env.py finds what an environment must not assume, and lets pass what it may."""
import os
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import formal_env  # noqa: E402
import rtl  # noqa: E402

MODULE = """
module env_part #(parameter int unsigned W = 1) (input wire [W-1:0] a_i, output wire [W-1:0] y_o);
  assign y_o = ~a_i;
endmodule
module env_hold #(parameter int unsigned W = 1) (input wire clk_i, input wire [W-1:0] a_i, output reg [W-1:0] y_o);
  always @(posedge clk_i) y_o <= a_i;
endmodule
module env_top (
  input wire clk_i, input wire rst_ni, input wire [3:0] a_i, input wire go_i, input wire ack_i, output wire [3:0] y_o,
  output wire req_o
);
  reg [3:0] q;
  wire [3:0] part, held;
  env_hold #(.W(4)) u_hold (.clk_i, .a_i, .y_o(held));
  env_part #(.W(4)) u_part (.a_i(q), .y_o(part));
  always @(posedge clk_i) q <= rst_ni ? a_i : 0;
  assign y_o = part;
  assign req_o = q[0];
`include "env_top_props.svh"
endmodule
"""
# What is declared, the assumption, and a word of each fault that has to be found.
CASES = [
    ("", "go_i || a_i == 4'd0", []),
    ("reg f_was; always @(posedge clk_i) f_was <= go_i && req_o;", "!f_was || a_i != 4'd3", []),
    ("", "!ack_i || req_o", []),
    ("wire f_q = q[1];", "!f_q || go_i", ["depends on"]),
    ("wire f_part; env_part u_f_part (.a_i(q[1]), .y_o(f_part));", "!f_part || go_i", ["and that on q"]),
    ("wire [1:0] f_part; env_part #(.W(2)) u_f_part (.a_i(a_i[1:0]), .y_o(f_part));", "!f_part[1] || go_i", []),
    ("wire f_held = held[2];", "!f_held || go_i", ["depends on"]),
    ("wire f_inside = part[2];", "!f_inside || go_i", ["depends on"]),
    ("(* hierconn *) wire [3:0] \\\\u_part.a_i ; wire [3:0] f_seen; fv_see #(.W(4)) u_f_see "
     "(.inside_io(\\\\u_part.a_i ), .seen_o(f_seen));", "f_seen[0] || go_i", ["depends on f_seen"]),
    ("reg f_was; always @(posedge clk_i) f_was <= q[3];", "!f_was || go_i", ["and that on q"]),
    ("", "y_o == 4'd3", ["no input that may always be silent"]),
]


class Row:
    block, params, chparam = "env_top", "", ""


def faults(folder, declared, assumed):
    with open(os.path.join(folder, "env_top_props.svh"), "w", encoding="utf-8") as f:
        f.write(f"{declared}\nalways @* begin\n  env_it: assume ({assumed});\n  p1_y: assert (y_o == ~q);\nend\n")
    with open(os.path.join(folder, "env_top.sv"), "w", encoding="utf-8") as f:
        f.write(MODULE.replace('"env_top', f'"{folder}/env_top'))
    (_, module), = formal_env.netlists("env_top", [], [Row], f"{folder}/net")
    return list(formal_env.Cones("env_top", module).env_faults())


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        rtl.files = lambda block: [f"{folder}/env_top.sv", "verif/sim/fv_see.sv"]
        for declared, assumed, wanted in CASES:
            found = faults(folder, declared.replace("\\\\", "\\"), assumed)
            if len(found) != len(wanted) or not all(w in f for w, f in zip(wanted, found)):
                print(f"FAILED: {declared} env_it: {assumed}:\n"
                      f"  wanted {wanted or 'nothing'}, found {found or 'nothing'}")
                wrong += 1
    print(f"formal-env: {len(CASES)} environments, {wrong} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
