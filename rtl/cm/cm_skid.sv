// SPDX-License-Identifier: Apache-2.0
// cm_skid: two-entry register slice. Cuts every path, ready included, at full rate.
//
//   in --+--> | 0 | --+-- turn --> out
//        '--> | 1 | --'                   in_ready_o = one of both is free, level_o: beats inside
//
// P1  Beats leave unchanged, in order, none lost, none twice.
// P2  A waiting beat never changes, and out_valid_o falls only when a beat has left.
// P3  level_o counts what is inside; in_ready_o is low only at 2.
// P4  A beat taken in cycle n is offered in cycle n+1 if the slice was empty or is emptied in n (latency 1, rate 1).
//
// No output depends on an input of the same cycle. What is free takes whatever comes in, so that in_valid_i and
// out_ready_i, which are late where this stands, enable three flip-flops and none of a beat's.
// Cost: 2 x Width + 3 flip-flops, a multiplexer.
`default_nettype none

module cm_skid #(
  parameter int unsigned Width = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // In
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [Width-1:0] in_data_i,

  // Out
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [Width-1:0] out_data_o,

  output logic      [1:0]       level_o
);

  if (Width < 1) begin : gen_bad_width $error("cm_skid: Width must be at least 1"); end

  logic [1:0]       full_q;
  logic             turn_q, free;  // whose beat leaves next, and who takes the next one
  logic [Width-1:0] data0_q, data1_q;

  assign in_ready_o  = full_q != 2'b11;
  assign out_valid_o = full_q != 2'b00;
  assign out_data_o  = turn_q ? data1_q : data0_q;
  assign level_o     = 2'(full_q[0]) + 2'(full_q[1]);
  assign free        = turn_q ^ full_q[turn_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= 2'b00;
      turn_q <= 1'b0;
    end else begin
      if (in_valid_i && in_ready_o) full_q[free] <= 1'b1;
      if (out_valid_o && out_ready_i) begin
        full_q[turn_q] <= 1'b0;
        turn_q         <= !turn_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!full_q[0]) data0_q <= in_data_i;
    if (!full_q[1]) data1_q <= in_data_i;
  end

`ifdef FORMAL
`include "cm_skid_props.svh"
`endif

endmodule

`default_nettype wire
