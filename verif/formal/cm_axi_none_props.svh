// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_axi_none: bursts and responses are counted as the master would count them.
`include "fv.svh"

  `FV_INIT

  logic           f_aw_q, f_w_q, f_b_q, f_r_q, f_last_q;
  logic [8:0]     f_beats_q;  // of a read, still to come
  logic [IdW-1:0] f_awid_q, f_arid_q, f_bid_q, f_rid_q;

  always_ff @(posedge clk_i) begin
    f_b_q    <= rst_ni && bvalid_o && !bready_i;
    f_r_q    <= rst_ni && rvalid_o && !rready_i;
    f_bid_q  <= bid_o;
    f_rid_q  <= rid_o;
    f_last_q <= rlast_o;
    if (awvalid_i && awready_o) f_awid_q <= awid_i;
    if (arvalid_i && arready_o) f_arid_q <= arid_i;
    if (!rst_ni) begin
      f_aw_q    <= 1'b0;
      f_w_q     <= 1'b0;
      f_beats_q <= 9'd0;
    end else begin
      if (awvalid_i && awready_o) f_aw_q <= 1'b1;
      else if (bvalid_o && bready_i) f_aw_q <= 1'b0;
      if (wvalid_i && wready_o && wlast_i) f_w_q <= 1'b1;
      else if (bvalid_o && bready_i) f_w_q <= 1'b0;
      if (arvalid_i && arready_o) f_beats_q <= 9'(arlen_i) + 9'd1;
      else if (rvalid_o && rready_i) f_beats_q <= f_beats_q - 9'd1;
    end
  end

  `FV_COMB if (f_past_q) begin
    p1_write: assert (bvalid_o == (f_aw_q && f_w_q) && f_aw_q == aw_q && f_w_q == w_q);
    p1_read: assert (rvalid_o == (f_beats_q != 9'd0) && r_q == rvalid_o);
    if (r_q) p1_last: assert (9'(left_q) + 9'd1 == f_beats_q && rlast_o == (f_beats_q == 9'd1) && rid_o == f_arid_q);
    if (f_aw_q) p1_id: assert (bid_o == f_awid_q);
    p1_error: assert (bresp_o == 2'b10 && rresp_o == 2'b10);
    if (f_b_q) p2_b: assert (bvalid_o && bid_o == f_bid_q);
    if (f_r_q) p2_r: assert (rvalid_o && rid_o == f_rid_q && rlast_o == f_last_q);
    c_both: cover (bvalid_o && rvalid_o && rlast_o && f_beats_q == 9'd1 && f_r_q);
  end
