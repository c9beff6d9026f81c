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
  input  wire logic             clk_i,

  // Register bus
  input  wire cm_pkg::reg_bus_t rb_i,

  output logic                  held_w_o,
  output logic                  held_r_o,
  output logic                  forget_o
);

  logic forgets, forgets_q;
  assign forgets = (aa_reg_pkg::at_GCMD(rb_i.addr) || aa_reg_pkg::at_AA_CTL(rb_i.addr)) && rb_i.wstrb[3:0] != 4'd0;

  assign held_r_o = aa_reg_pkg::at_FSTS(rb_i.addr) || aa_reg_pkg::at_FECTL(rb_i.addr) ||
                    aa_reg_pkg::at_FRCDL(rb_i.addr) || aa_reg_pkg::at_FRCDH(rb_i.addr) || aa_reg_pkg::at_CNT(rb_i.addr);
  assign held_w_o = held_r_o || forgets || aa_reg_pkg::at_AA_RESET(rb_i.addr) || aa_reg_pkg::at_AA_PORT(rb_i.addr) ||
                    aa_reg_pkg::at_AA_FLP(rb_i.addr) || rb_i.addr[16:9] == aa_reg_pkg::RegLOG_BASE[19:12];

  logic unused_bits;
  assign unused_bits = &{1'b0, rb_i.wdata, rb_i.wstrb[7:4]};

  always_ff @(posedge clk_i) forgets_q <= forgets;
  assign forget_o = rb_i.we && forgets_q;

`ifdef FORMAL
`include "aa_reg_hold_props.svh"
`endif

endmodule

`default_nettype wire
