// SPDX-License-Identifier: Apache-2.0
// cm_ram: block memory, one write port, one synchronous read port.
//
//   waddr/wdata --we--> [ Depth x Width ] --raddr, re--> |reg|--> rdata
//
// P1  One cycle after re_i, rdata_o is the word that raddr_i held.
// P2  Without re_i, rdata_o keeps its value.
// P3  A word is changed by a write to its own address only.
//
// The user must not read and write one address in one cycle (env_collision): the word read is then undefined. Defining
// it would cost a comparator, a bypass and Width flip-flops on RAMs that define nothing. Who does not look at such a
// word may do so with Collides = 1, and need not compare addresses before it reads.
// Contents and rdata_o are not reset. Cost: block RAM of Depth x Width bits, one cycle.
`default_nettype none

module cm_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 512,
  parameter bit          Collides = 1'b0,  // for the theorems alone
  localparam int unsigned AddrW = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic             clk_i,

  // Write
  input  wire logic             we_i,
  input  wire logic [AddrW-1:0] waddr_i,
  input  wire logic [Width-1:0] wdata_i,

  // Read
  input  wire logic             re_i,
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  if (Width < 1 || Depth < 1) begin : gen_bad_width $error("cm_ram: Width and Depth must be at least 1"); end

  logic [Width-1:0] mem_q [Depth];
  logic [Width-1:0] rdata_q;

  always_ff @(posedge clk_i) if (we_i) mem_q[waddr_i] <= wdata_i;

  // The 'x tells synthesis that the collision does not matter.
  always_ff @(posedge clk_i) if (re_i) rdata_q <= we_i && waddr_i == raddr_i ? 'x : mem_q[raddr_i];

  assign rdata_o = rdata_q;

`ifdef FORMAL
`include "cm_ram_props.svh"
`endif

endmodule

`default_nettype wire
