// SPDX-License-Identifier: Apache-2.0
// cm_axi_none: an AXI4 slave with nothing behind it: every burst is taken and answered with SLVERR, reads with zeros.
//
//   AR --> RLEN + 1 beats of R, SLVERR        AW, W .. WLAST --> B, SLVERR        one burst of each at a time
//
// P1  Each burst gets its responses, with its id, once: reads one beat each with RLAST on the last, writes one after
//     WLAST.
// P2  A response that waits does not change.
//
// Cost: 23 LUT4, 4 CCU2C, 27 flip-flops (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module cm_axi_none #(
  parameter int unsigned IdW = 8
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic            awvalid_i,
  output logic                 awready_o,
  input  wire logic [IdW-1:0]  awid_i,
  input  wire logic            wvalid_i,
  output logic                 wready_o,
  input  wire logic            wlast_i,
  output logic                 bvalid_o,
  input  wire logic            bready_i,
  output logic      [IdW-1:0]  bid_o,
  output logic      [1:0]      bresp_o,
  input  wire logic            arvalid_i,
  output logic                 arready_o,
  input  wire logic [IdW-1:0]  arid_i,
  input  wire logic [7:0]      arlen_i,
  output logic                 rvalid_o,
  input  wire logic            rready_i,
  output logic      [IdW-1:0]  rid_o,
  output logic      [1:0]      rresp_o,
  output logic                 rlast_o
);

  logic           aw_q, w_q, r_q;  // address taken, last beat taken, read under way
  logic [IdW-1:0] bid_q, rid_q;
  logic [7:0]     left_q;

  assign awready_o = !aw_q;
  assign wready_o  = !w_q;
  assign bvalid_o  = aw_q && w_q;
  assign bid_o     = bid_q;
  assign bresp_o   = 2'b10;
  assign arready_o = !r_q;
  assign rvalid_o  = r_q;
  assign rid_o     = rid_q;
  assign rresp_o   = 2'b10;
  assign rlast_o   = left_q == 8'd0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q  <= 1'b0;
      r_q  <= 1'b0;
    end else begin
      if (bvalid_o && bready_i) {aw_q, w_q} <= 2'b00;
      else begin
        if (awvalid_i) aw_q <= 1'b1;
        if (wvalid_i && wlast_i) w_q <= 1'b1;
      end
      if (arvalid_i && arready_o) r_q <= 1'b1;
      else if (rready_i && rlast_o) r_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (awvalid_i && awready_o) bid_q <= awid_i;
    if (arvalid_i && arready_o) {rid_q, left_q} <= {arid_i, arlen_i};
    else if (rvalid_o && rready_i) left_q <= left_q - 8'd1;
  end

`ifdef FORMAL
`include "cm_axi_none_props.svh"
`endif

endmodule

`default_nettype wire
