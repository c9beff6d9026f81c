// SPDX-License-Identifier: Apache-2.0
// Words for property files, so that one text is proved by Yosys and checked in simulation by Verilator.
//
//   `FV_INIT                 declares f_past_q (low in the first cycle only), f_rst_q (rst_ni one cycle ago), and the
//                            assumption env_reset: the first cycle is a reset cycle.
//   `FV_INIT_NO_RESET        declares f_past_q only, for cells without rst_ni.
//   `FV_COMB                 head of a block of properties over the present cycle. Yosys: combinational, which proves
//                            with one step less. Simulation: sampled at the clock edge, when the inputs are settled.
//   `FV_ANYCONST(name, W)    W-bit value that never changes. Yosys: for all values. Simulation: a random one.
//   `FV_BELOW(def_x, name, N) after it: the value is below N. Yosys: the assumption def_x. Simulation: made so.
//   `FV_SEES(f_x, W, x_o)    f_x: what the environment sees of an output in the same cycle. For an env_ that says what
//                            an input may answer to it; scripts/formal_env.py proves that the input
//                            may always be silent.
//   `FV_ANYSEQ(name, W)      W-bit value, free in every cycle. Simulation: random.
//
// `$past` is for clocked blocks only; in `FV_COMB keep your own copy (`f_x_q <= x`).
`ifndef TOCSIN_FV_SVH
`define TOCSIN_FV_SVH
`ifdef YOSYS
`define FV_COMB always_comb
`define FV_ANYCONST(name, W) (* anyconst *) logic [(W)-1:0] name;
`define FV_BELOW(label, name, N) always_comb label: assume (32'(name) < 32'(N));
`define FV_ANYSEQ(name, W) (* anyseq *) logic [(W)-1:0] name;
`else
`define FV_COMB always_ff @(posedge clk_i)
`define FV_ANYCONST(name, W) logic [(W)-1:0] name; initial name = (W)'({$urandom, $urandom});
`define FV_BELOW(label, name, N) initial name = $bits(name)'(32'(name) % 32'(N));
`define FV_ANYSEQ(name, W) logic [(W)-1:0] name; always_ff @(posedge clk_i) name <= (W)'({$urandom, $urandom});
`endif
`define FV_SEES(name, W, out) logic [(W)-1:0] name; assign name = out;
`define FV_INIT_NO_RESET \
  logic f_past_q; \
  initial f_past_q = 1'b0; \
  always_ff @(posedge clk_i) f_past_q <= 1'b1;
`define FV_INIT \
  `FV_INIT_NO_RESET \
  logic f_rst_q; \
  always_ff @(posedge clk_i) f_rst_q <= rst_ni; \
  `FV_COMB if (!f_past_q) env_reset: assume (!rst_ni);
`endif
