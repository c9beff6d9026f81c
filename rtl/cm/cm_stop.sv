// SPDX-License-Identifier: Apache-2.0
// cm_stop: a register slice for ready alone: a beat that could not be stopped in time waits here. Cuts the way back,
// costs no cycle.
//
//   in --+------------> out        in_ready_o = nothing waits (a register)
//        '--> | wait | --^
//
// P1  Beats leave unchanged, in order, none lost, none twice.
// P2  A beat that is offered stays until it has left.
// P3  in_ready_o is low only when a beat is inside.
// P4  A beat is offered in the cycle in which it comes, if none is inside: no cycle of latency, rate 1.
//
// in_ready_o depends on no input of the same cycle; out_valid_o and out_data_o do. Cost: Width + 1 flip-flops, a
// multiplexer.
`default_nettype none

module cm_stop #(
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
  output logic      [Width-1:0] out_data_o
);

  if (Width < 1) begin : gen_bad_width $error("cm_stop: Width must be at least 1"); end

  logic             wait_q;
  logic [Width-1:0] data_q;

  assign in_ready_o  = !wait_q;
  assign out_valid_o = wait_q || in_valid_i;
  assign out_data_o  = wait_q ? data_q : in_data_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wait_q <= 1'b0;
    else wait_q <= out_valid_o && !out_ready_i;
  end
  always_ff @(posedge clk_i) if (!wait_q) data_q <= in_data_i;

`ifdef FORMAL
`include "cm_stop_props.svh"
`endif

endmodule

`default_nettype wire
