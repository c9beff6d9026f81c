// SPDX-License-Identifier: Apache-2.0
// px_asks: requests that want an answer, held back until the writes that came before them are on the link.
//
//   in, with the writes ahead --> [ Depth x item ], each with what is still ahead --> out
//   write left ------------------------------------------^ one less
//
// P1  Items leave unchanged, in order, none lost, none twice.
// P2  An item is offered when as many writes have left, from the cycle in which it came on, as were ahead of it then.
// P3  A waiting item never changes, and out_valid_o falls only when it has left.
// P4  room_o: while it is high five more items have room: one that comes in this cycle, and four after it that are on
//     their way.
//
// Cost: Depth x ItemW bits of LUT RAM, Depth counters.
`default_nettype none

module px_asks #(
  parameter int unsigned Depth = 8,
  parameter int unsigned ItemW = 384,
  parameter int unsigned CountW = 8,
  localparam int unsigned PtrW = $clog2(Depth)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // In
  input  wire logic              in_valid_i,
  output logic                   in_ready_o,
  input  wire logic [ItemW-1:0]  in_item_i,
  input  wire logic [CountW-1:0] in_ahead_i,  // writes ahead, without those that leave in this cycle

  input  wire logic [1:0]        left_i,      // writes that leave in this cycle

  // Out
  output logic                   out_valid_o,
  input  wire logic              out_ready_i,
  output logic      [ItemW-1:0]  out_item_o,

  output logic                   room_o
);

  if (Depth < 8 || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    $error("px_asks: Depth must be a power of two and at least 8");
  end

  logic [CountW-1:0] ahead_q [Depth];
  logic [PtrW:0]     in_q, out_q, level;
  logic              push, pop;
  assign level       = in_q - out_q;
  assign in_ready_o  = !level[PtrW];
  assign out_valid_o = level != '0 && ahead_q[out_q[PtrW-1:0]] == '0;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;
  assign room_o      = 32'(level) + 5 <= Depth;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      in_q  <= in_q + (PtrW + 1)'(push);
      out_q <= out_q + (PtrW + 1)'(pop);
    end
  end

  // The words of those that have left count down to nothing, unseen.
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Depth; i++) begin
      ahead_q[i] <= ahead_q[i] > CountW'(left_i) ? ahead_q[i] - CountW'(left_i) : '0;
      if (push && in_q[PtrW-1:0] == PtrW'(i)) ahead_q[i] <= in_ahead_i;
    end
  end

  logic [ItemW-1:0] item_q [Depth];
  always_ff @(posedge clk_i) if (push) item_q[in_q[PtrW-1:0]] <= in_item_i;
  assign out_item_o = item_q[out_q[PtrW-1:0]];

`ifdef FORMAL
`include "px_asks_props.svh"
`endif

endmodule

`default_nettype wire
