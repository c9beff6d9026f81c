// SPDX-License-Identifier: Apache-2.0
// cm_skid: two-entry register slice. Cuts every path, ready included, at full rate.
//
//   in ---+-------------> | out | ---> out
//         +--> | skid | -----^         in_ready_o = skid is empty (a register)
//
// P1  Beats leave unchanged, in order, none lost, none twice.
// P2  A waiting beat never changes, and out_valid_o falls only when a beat has left.
// P3  in_ready_o is low only when two beats are inside.
// P4  A beat taken in cycle n is offered in cycle n+1 if the slice was empty or is emptied in n (latency 1, rate 1).
//
// No output depends on an input of the same cycle. Cost: 2 x Width + 2 flip-flops.
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
  output logic      [Width-1:0] out_data_o
);

  if (Width < 1) begin : gen_bad_width $error("cm_skid: Width must be at least 1"); end

  logic             out_valid_q, skid_valid_q;
  logic [Width-1:0] out_q, skid_q;
  logic             load_out, load_skid;

  assign in_ready_o  = !skid_valid_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;

  assign load_out  = !out_valid_q || out_ready_i;
  assign load_skid = in_valid_i && in_ready_o && !load_out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q  <= 1'b0;
      skid_valid_q <= 1'b0;
    end else begin
      if (load_out) out_valid_q <= skid_valid_q || in_valid_i;
      if (load_skid) skid_valid_q <= 1'b1;
      else if (load_out) skid_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_out) out_q <= skid_valid_q ? skid_q : in_data_i;
    if (load_skid) skid_q <= in_data_i;
  end

`ifdef FORMAL
`include "cm_skid_props.svh"
`endif

endmodule

`default_nettype wire
