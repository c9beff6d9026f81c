// SPDX-License-Identifier: Apache-2.0
// aa_reg_hold: which registers may be written, or read, only while nothing is decided, and which writes forget
// translations.
//
// P1  held_w_o: a write to GCMD, AA_CTL, AA_RESET, AA_PORT, AA_FLP or the logs' page needs a hold; so does any access
//     (held_r_o) to FSTS, FECTL, FRCD or the counters, since what a decision records gets there late: under hold it
//     has. No other needs one.
// P2  forget_o marks the write of GCMD and of AA_CTL. A write to these is one with any of the strobes 3:0. Address and
//     strobes count as they were in the cycle before, when they are on the bus already.
//
// Latency: held_w_o and held_r_o none; forget_o is settled a cycle ahead. Cost: 1 flip-flop.
// Rules of README.md: INV-11, INV-12.
`default_nettype none

module aa_reg_hold (
  input  wire logic        clk_i,

  // Register bus
  input  wire logic [19:3] rb_addr_i,
  input  wire logic        rb_we_i,
  input  wire logic [3:0]  rb_wstrb_i,  // of the low half

  output logic             held_w_o,
  output logic             held_r_o,
  output logic             forget_o
);

  logic forgets, forgets_q;
  assign forgets = (aa_reg_pkg::at_GCMD(rb_addr_i) || aa_reg_pkg::at_AA_CTL(rb_addr_i)) && rb_wstrb_i != 4'd0;

  assign held_r_o = aa_reg_pkg::at_FSTS(rb_addr_i) || aa_reg_pkg::at_FECTL(rb_addr_i) ||
                    aa_reg_pkg::at_FRCDL(rb_addr_i) || aa_reg_pkg::at_FRCDH(rb_addr_i) || aa_reg_pkg::at_CNT(rb_addr_i);
  assign held_w_o = held_r_o || forgets || aa_reg_pkg::at_AA_RESET(rb_addr_i) || aa_reg_pkg::at_AA_PORT(rb_addr_i) ||
                    aa_reg_pkg::at_AA_FLP(rb_addr_i) || rb_addr_i[19:12] == aa_reg_pkg::RegLOG_BASE[19:12];

  always_ff @(posedge clk_i) forgets_q <= forgets;
  assign forget_o = rb_we_i && forgets_q;

`ifdef FORMAL
`include "aa_reg_hold_props.svh"
`endif

endmodule

`default_nettype wire
