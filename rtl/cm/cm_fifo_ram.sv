// SPDX-License-Identifier: Apache-2.0
// cm_fifo_ram: first-word-fall-through FIFO in block RAM. The RAM's own read register is the output stage.
//
//   in --> [ Depth x Width ] --> | read register | --> out        level_o: items inside, the offered one included
//
// P1  Items leave unchanged, in order, none lost, none twice.
// P2  level_o counts what is inside; in_ready_o = fewer than Depth inside; out_valid_o only when not empty.
// P3  A waiting item never changes, and out_valid_o falls only when an item has left or clr_i was high.
// P4  After a cycle with clr_i the FIFO is empty; an item taken in that cycle is dropped with the others.
// P5  An item taken in cycle n is offered in cycle n+2 at the latest, if nothing is before it (latency 2, rate 1).
// P6  The RAM never reads and writes one address in one cycle, so its collision behaviour does not matter.
//
// No output depends on an input of the same cycle, and both handshakes are registers. Cost: block RAM of Depth x Width
// bits, 2 pointers, 2 counters.
`default_nettype none

module cm_fifo_ram #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 512,
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

  if (Width < 1 || Depth < 3) begin : gen_bad_width
    $error("cm_fifo_ram: Width must be at least 1, Depth at least 3 (rate 1 needs 3)");
  end

  localparam int unsigned PtrW = $clog2(Depth);

  logic [Width-1:0]  mem_q [Depth];
  logic [Width-1:0]  rdata_q;
  logic [PtrW-1:0]   wptr_q, rptr_q;
  logic [LevelW-1:0] level_q, unread_q;
  logic              full_q, some_q, out_valid_q, push, pop, fetch;

  assign in_ready_o  = !full_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = rdata_q;
  assign level_o     = level_q;

  assign push  = in_valid_i && in_ready_o;
  assign pop   = out_valid_o && out_ready_i;
  assign fetch = some_q && (!out_valid_q || out_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clr_i) begin
      wptr_q      <= '0;
      rptr_q      <= '0;
      level_q     <= '0;
      unread_q    <= '0;
      full_q      <= 1'b0;
      some_q      <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      if (push) wptr_q <= wptr_q == PtrW'(Depth - 1) ? '0 : wptr_q + PtrW'(1);
      if (fetch) rptr_q <= rptr_q == PtrW'(Depth - 1) ? '0 : rptr_q + PtrW'(1);
      if (push != pop) begin
        level_q <= push ? level_q + LevelW'(1) : level_q - LevelW'(1);
        full_q  <= push && level_q == LevelW'(Depth - 1);
      end
      if (push != fetch) begin
        unread_q <= push ? unread_q + LevelW'(1) : unread_q - LevelW'(1);
        some_q   <= push || unread_q != LevelW'(1);
      end
      if (fetch) out_valid_q <= 1'b1;
      else if (pop) out_valid_q <= 1'b0;
    end
  end

  // A free word may be written at any time, so the late in_valid_i takes no part in the write.
  always_ff @(posedge clk_i) if (in_ready_o) mem_q[wptr_q] <= in_data_i;

  // The 'x tells synthesis that a collision does not matter (P6: there is none).
  always_ff @(posedge clk_i) if (fetch) rdata_q <= in_ready_o && wptr_q == rptr_q ? 'x : mem_q[rptr_q];

`ifdef FORMAL
`include "cm_fifo_ram_props.svh"
`endif

endmodule

`default_nettype wire
