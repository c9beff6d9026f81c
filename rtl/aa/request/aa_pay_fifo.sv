// SPDX-License-Identifier: Apache-2.0
// aa_pay_fifo: payload of a lane. Beats that were written are offered only once their TLP is committed; a rewind takes
// those that are not back.
//
//   in --> [ read .. committed .. written ] --> out (first word falls through)
//            rptr      cptr        wptr
//
// P1  Committed beats leave unchanged, in order, none lost, none twice; others never leave.
// P2  commit_i and rewind_i include the beat of the same cycle.
// P3  room_o = fewer than Depth beats wait in the memory. It is a register.
// P4  A waiting beat never changes, and out_valid_o falls only when a beat has left.
// P5  The RAM never reads and writes one address in one cycle.
// P6  A committed beat is offered one (LUT RAM) or two (block RAM) cycles after its commit, if nothing is before it.
//
// Rate 1. Cost: the memory and three pointers; block RAM: its read register is the output.
`default_nettype none

module aa_pay_fifo #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,  // power of two
  parameter bit          Ram = 1'b1   // block RAM, else LUT RAM
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // In
  output logic                  room_o,
  input  wire logic             in_valid_i,  // only with room_o
  input  wire logic [Width-1:0] in_data_i,
  input  wire logic             commit_i,
  input  wire logic             rewind_i,

  // Out
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [Width-1:0] out_data_o
);

  if (Depth < 2 || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    $error("aa_pay_fifo: Depth must be a power of two, at least 2");
  end

  localparam int unsigned PtrW = $clog2(Depth);

  logic [PtrW:0] wptr_q, cptr_q, rptr_q, wptr_up, end_ptr;
  logic          any, take, full_q;

  // in_valid_i, commit_i and rewind_i are late: they choose between what is counted before, and room_o is a register.
  assign wptr_up = wptr_q + (PtrW + 1)'(1);
  assign end_ptr = {~rptr_q[PtrW], rptr_q[PtrW-1:0]};  // where a full FIFO is written next
  assign room_o  = !full_q;
  assign any     = cptr_q != rptr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q <= '0;
      cptr_q <= '0;
      rptr_q <= '0;
      full_q <= 1'b0;
    end else begin
      if (rewind_i) wptr_q <= cptr_q;
      else if (in_valid_i) wptr_q <= wptr_up;
      if (commit_i) cptr_q <= in_valid_i ? wptr_up : wptr_q;
      if (take) rptr_q <= rptr_q + (PtrW + 1)'(1);
      // A beat that comes in found room, so one that leaves with it leaves that room.
      if (take) full_q <= 1'b0;
      else if (rewind_i) full_q <= cptr_q == end_ptr;
      else if (in_valid_i) full_q <= wptr_up == end_ptr;
    end
  end

  if (Ram) begin : gen_ram
    logic valid_q;
    assign take = any && (!valid_q || out_ready_i);
    assign out_valid_o = valid_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else if (take) valid_q <= 1'b1;
      else if (out_ready_i) valid_q <= 1'b0;
    end
    cm_ram #(
      .Width(Width),
      .Depth(Depth)
    ) u_mem (
      .clk_i,
      .we_i(in_valid_i),
      .waddr_i(wptr_q[PtrW-1:0]),
      .wdata_i(in_data_i),
      .re_i(take && rst_ni),
      .raddr_i(rptr_q[PtrW-1:0]),
      .rdata_o(out_data_o)
    );
  end else begin : gen_lut
    assign take = any && out_ready_i;
    assign out_valid_o = any;
    cm_lutram #(
      .Width(Width),
      .Depth(Depth)
    ) u_mem (
      .clk_i,
      .we_i(in_valid_i),
      .waddr_i(wptr_q[PtrW-1:0]),
      .wdata_i(in_data_i),
      .raddr_i(rptr_q[PtrW-1:0]),
      .rdata_o(out_data_o)
    );
  end

`ifdef FORMAL
`include "aa_pay_fifo_props.svh"
`endif

endmodule

`default_nettype wire
