// SPDX-License-Identifier: Apache-2.0
// cm_fifo: first-word-fall-through FIFO in registers or LUT RAM.
//
//   in --> [ Depth x Width ] --> out        level_o: items inside
//
// P1  Items leave unchanged, in order, none lost, none twice.
// P2  level_o counts what is inside; out_valid_o = not empty; in_ready_o = not full (at Depth 1: or being emptied).
// P3  A waiting item never changes, and out_valid_o falls only when an item has left or clr_i was high.
// P4  After a cycle with clr_i the FIFO is empty; an item taken in that cycle is dropped with the others.
// P5  An item taken in cycle n is inside, and offered if it is alone, in cycle n+1 (latency 1, rate 1).
//
// No output depends on an input of the same cycle, but for Depth 1, where in_ready_o follows out_ready_i for rate 1.
// Both ends' handshakes are registers, since each of them often goes far.
// Cost: Depth x Width bits of LUT RAM, 2 pointers and a counter.
`default_nettype none

module cm_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 4,
  localparam int unsigned LevelW = $clog2(Depth + 1)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              clr_i,

  // In
  input  wire logic              in_valid_i,
  output logic                   in_ready_o,
  input  wire logic [Width-1:0]  in_data_i,

  // Out
  output logic                   out_valid_o,
  input  wire logic              out_ready_i,
  output logic      [Width-1:0]  out_data_o,

  output logic      [LevelW-1:0] level_o
);

  if (Width < 1 || Depth < 1) begin : gen_bad_width $error("cm_fifo: Width and Depth must be at least 1"); end

  localparam int unsigned PtrW = Depth > 1 ? $clog2(Depth) : 1;

  logic [Width-1:0]  mem_q [Depth];
  logic [PtrW-1:0]   wptr_q, rptr_q;
  logic [LevelW-1:0] level_q;
  logic              full_q, some_q, push, pop;

  assign in_ready_o  = !full_q || (Depth == 1 && out_ready_i);
  assign out_valid_o = some_q;
  assign out_data_o  = mem_q[rptr_q];
  assign level_o     = level_q;

  assign push = in_valid_i && in_ready_o;
  assign pop  = out_valid_o && out_ready_i;

  // One more and one less, bit by bit: a few bits are faster without a carry chain. push and pop are late, so they only
  // choose.
  logic [PtrW-1:0]   wptr_up, rptr_up;
  logic [LevelW-1:0] level_up, level_down;
  logic              wptr_c, rptr_c, up_c, down_c;  // all bits below are 1 (down: 0)
  always_comb begin
    {wptr_c, rptr_c, up_c, down_c} = '1;
    for (int unsigned b = 0; b < PtrW; b++) begin
      wptr_up[b] = wptr_q != PtrW'(Depth - 1) && (wptr_q[b] ^ wptr_c);
      rptr_up[b] = rptr_q != PtrW'(Depth - 1) && (rptr_q[b] ^ rptr_c);
      wptr_c = wptr_c && wptr_q[b];
      rptr_c = rptr_c && rptr_q[b];
    end
    for (int unsigned b = 0; b < LevelW; b++) begin
      level_up[b]   = level_q[b] ^ up_c;
      level_down[b] = level_q[b] ^ down_c;
      up_c   = up_c && level_q[b];
      down_c = down_c && !level_q[b];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clr_i) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      level_q <= '0;
      full_q  <= 1'b0;
      some_q  <= 1'b0;
    end else begin
      if (push) wptr_q <= wptr_up;
      if (pop) rptr_q <= rptr_up;
      if (push != pop) begin
        level_q <= push ? level_up : level_down;
        full_q  <= push && level_q == LevelW'(Depth - 1);
        some_q  <= push || level_q != LevelW'(1);
      end
    end
  end

  // A free word may be written at any time, so the late in_valid_i takes no part in the write; Depth 1 has none to
  // spare.
  always_ff @(posedge clk_i) if (Depth == 1 ? push : !full_q) mem_q[wptr_q] <= in_data_i;

`ifdef FORMAL
`include "cm_fifo_props.svh"
`endif

endmodule

`default_nettype wire
