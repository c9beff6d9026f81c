// SPDX-License-Identifier: Apache-2.0
// nic_ring: the counters of one event ring: what is written, consumed, reserved, and what is left.
//
//   0 ....... cons ======= prod ------- reserved ....... cons + 2^size        left = 2^size - (prod - cons) - reserved
//
// P1  While the ring is on, left = 2^size - (prod - cons) - reserved, negative if it began anew with more places
//     reserved than it has; spare_o = left, between 0 and 3; off: 0. In the cycle after a start or a consumer it is
//     perhaps less: what that brought is not in it yet. No more is given back than was taken (env_back).
// P2  prod - cons never exceeds 2^size while the ring is on: full_o says so before, when moved_o is low (env_settled):
//     it and ring_o are compared a cycle late.
// P3  A consumer value between the old one and the producer is taken and arms the ring; any other sets bad_o. No event
//     comes in the cycle of a register (env_apart).
// P4  What happens in one cycle happens in the order of the retire records: places taken, then the event or registers.
//     An event that is written has its place, taken in that cycle at the latest; the place of one that is not is given
//     back in the cycle after (free_i).
//
// Whether places are taken is known late: it goes into the last sum only; spare_o comes from a register, made beside
// that sum from what is known early of it. What becomes of an event is known later still, and neither hangs on it: one
// that is written leaves the same number of places. No ring begins in the cycle after one.
// Cost: about 190 flip-flops.
// Rules of README.md: EVT-3, EVT-5.
`default_nettype none

module nic_ring #(
  parameter int unsigned W = 32  // of the counters; less only for the proof
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Registers
  input  wire logic         start_i,     // EN 0 to 1, with size_we_i
  input  wire logic         stop_i,
  input  wire logic         size_we_i,   // while it is off
  input  wire logic [4:0]   size_i,
  input  wire logic         cons_we_i,
  input  wire logic [W-1:0] cons_i,
  input  wire logic         lost_clr_i,
  input  wire logic         bad_clr_i,

  // Places: taken (at most spare_o), given back
  input  wire logic [1:0]   take_i,
  input  wire logic [7:0]   back_i,
  input  wire logic         free_i,      // of an event that was not written

  // An event is decided, or the MSI sent
  input  wire logic         event_i,
  input  wire logic         drop_i,      // it is not written
  input  wire logic         msi_i,

  output logic              en_o,
  output logic      [4:0]   size_o,
  output logic      [W-1:0] prod_o,
  output logic      [W-1:0] cons_o,
  output logic      [1:0]   spare_o,
  output logic              full_o,
  output logic              moved_o,     // in the cycle before: full_o and ring_o are of then
  output logic              ring_o,      // on, armed, and an event is not consumed
  output logic              lost_o,
  output logic              bad_o
);

  if (W < 4 || W > 32) begin : gen_bad_w $error("nic_ring: W must be 4 to 32"); end

  logic         en_q, armed_q, lost_q, bad_q, full_q, some_q, moved_q, written, written_q, cons_ok;
  logic [1:0]   spare_q, spare_d;
  logic [4:0]   size_q;
  logic [W-1:0] prod_q, cons_q, used, consumed;
  logic [W+1:0] resv_q, left_q, from, plus, same;  // resv: what was written in the cycle before is in it still
  logic [2:0]   upto;   // what is left up to 7
  logic [3:0]   few;    // signed

  assign used     = prod_q - cons_q;
  assign written  = event_i && !drop_i;
  assign consumed = cons_i - cons_q;
  assign cons_ok  = consumed <= used;

  // A register chooses between sums that are there already.
  always_comb begin
    from = left_q;
    if (cons_we_i && cons_ok) from = left_q + (W+2)'(consumed);
    if (start_i) from = ((W+2)'(1) << size_i) - resv_q;
  end
  assign plus  = from + (W+2)'(back_i) + (W+2)'(free_i);

  // Beside that: without the register, whose places are seen a cycle later.
  assign same = left_q + (W+2)'(back_i) + (W+2)'(free_i);
  assign upto = same[W+1] ? 3'd0 : same[W:3] != '0 ? 3'd7 : same[2:0];
  assign few  = {1'b0, upto} - {2'b00, take_i};
  always_comb begin
    if (start_i || same[W+1] || few[3]) spare_d = 2'd0;
    else spare_d = few[2] ? 2'd3 : few[1:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      en_q    <= 1'b0;
      size_q  <= '0;
      prod_q  <= '0;
      cons_q  <= '0;
      resv_q  <= '0;
      left_q  <= '0;
      spare_q <= '0;
      moved_q <= 1'b0;
      written_q <= 1'b0;
      armed_q <= 1'b0;
      lost_q  <= 1'b0;
      bad_q   <= 1'b0;
    end else begin
      en_q    <= (en_q || start_i) && !stop_i;
      if (size_we_i) size_q <= size_i;
      resv_q  <= resv_q + (W+2)'(take_i) - (W+2)'(back_i) - (W+2)'(free_i) - (W+2)'(written_q);
      left_q  <= plus - (W+2)'(take_i);
      spare_q <= spare_d;
      written_q <= written;
      moved_q <= written || start_i || stop_i || size_we_i || cons_we_i;
      if (start_i) prod_q <= '0;
      else prod_q <= prod_q + W'(written);
      if (start_i) cons_q <= '0;
      else if (cons_we_i && cons_ok) cons_q <= cons_i;
      if (cons_we_i && cons_ok) armed_q <= 1'b1;
      else if (msi_i || start_i) armed_q <= 1'b0;
      if (lost_clr_i) lost_q <= 1'b0;
      else if (event_i && drop_i) lost_q <= 1'b1;
      if (bad_clr_i) bad_q <= 1'b0;
      else if (cons_we_i && !cons_ok) bad_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    full_q <= used >> size_q != '0;
    some_q <= used != '0;
  end

  assign en_o    = en_q;
  assign size_o  = size_q;
  assign prod_o  = prod_q;
  assign cons_o  = cons_q;
  assign spare_o = en_q ? spare_q : 2'd0;
  assign full_o  = !en_q || full_q;
  assign moved_o = moved_q;
  assign ring_o  = en_q && armed_q && some_q;
  assign lost_o  = lost_q;
  assign bad_o   = bad_q;

`ifdef FORMAL
`include "nic_ring_props.svh"
`endif

endmodule

`default_nettype wire
