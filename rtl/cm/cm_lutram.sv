// SPDX-License-Identifier: Apache-2.0
// cm_lutram: small memory, one write port, one asynchronous read port.
//
//   waddr/wdata --we--> [ Depth x Width ] --raddr--> rdata (same cycle)
//
// P1  rdata_o is the word last written to raddr_i; a write is visible from the next cycle on.
// P2  A word is changed by a write to its own address only.
//
// Contents are not reset. Cost: Depth x Width bits of LUT RAM, no cycle.
`default_nettype none

module cm_lutram #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 16,
  localparam int unsigned AddrW = Depth > 1 ? $clog2(Depth) : 1
) (
  input  wire logic             clk_i,

  // Write
  input  wire logic             we_i,
  input  wire logic [AddrW-1:0] waddr_i,
  input  wire logic [Width-1:0] wdata_i,

  // Read
  input  wire logic [AddrW-1:0] raddr_i,
  output logic      [Width-1:0] rdata_o
);

  if (Width < 1 || Depth < 1) begin : gen_bad_width $error("cm_lutram: Width and Depth must be at least 1"); end

  logic [Width-1:0] mem_q [Depth];

  always_ff @(posedge clk_i) if (we_i) mem_q[waddr_i] <= wdata_i;

  assign rdata_o = mem_q[raddr_i];

`ifdef FORMAL
`include "cm_lutram_props.svh"
`endif

endmodule

`default_nettype wire
