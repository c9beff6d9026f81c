// SPDX-License-Identifier: Apache-2.0
// nic_sched: which queue pair's turn it is.
//
//   wake_i --> [ want: a bit a QP ] --> round robin --> | turn | --> turn_qp_o
//
// P1  Every wake is followed by a turn of its QP that is taken after it: none is lost, however many come at once.
// P2  A turn has a wake: between two turns of a QP it was woken.
// P3  Turns go round: a QP that wants one gets it before any other has got NumQps.
// P4  A turn that waits does not change.
//
// Whether the QP has anything to do is the taker's business: window, waits and errors are its state, a turn for nothing
// costs it little, and what makes the answer change wakes the QP again.
// Latency 2, rate 1. Cost: 2 flip-flops a QP and the arbiter.
`default_nettype none

module nic_sched #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [NumQps-1:0]  wake_i,

  output logic                    turn_valid_o,
  input  wire logic               turn_ready_i,
  output logic      [7:0]         turn_qp_o
);

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_sched: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);

  logic [NumQps-1:0] want_q, gnt, waits;
  logic [IdxW-1:0]   idx, turn_q;
  logic              any, load, valid_q;

  cm_rr_arb #(
    .N(NumQps)
  ) u_round (
    .clk_i,
    .rst_ni,
    .req_i(want_q),
    .advance_i(load),
    .valid_o(any),
    .gnt_o(gnt),
    .idx_o(idx)
  );

  // A wake of the QP whose turn waits, or comes now, is served by that turn.
  assign waits        = valid_q && !turn_ready_i ? NumQps'(1) << turn_q : '0;
  assign load         = any && (!valid_q || turn_ready_i);
  assign turn_valid_o = valid_q;
  assign turn_qp_o    = 8'(turn_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      want_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      want_q <= (want_q | (wake_i & ~waits)) & ~(load ? gnt : '0);
      if (load) valid_q <= 1'b1;
      else if (turn_ready_i) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) if (load) turn_q <= idx;

`ifdef FORMAL
`include "nic_sched_props.svh"
`endif

endmodule

`default_nettype wire
