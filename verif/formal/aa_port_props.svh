// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_port: that its parts are used as they ask for it, and the credits' arithmetic. What aa_rx, aa_lane and
// aa_pay_fifo prove about themselves is not repeated.
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_wr, 16, wr_ptr_o)

  logic [7:0]  f_rd0_q, f_rd1_q, f_wr0_q, f_wr1_q;
  logic [11:0] f_pd_q, f_npd_q;
  // drop: one that ended in bad, a cycle before
  logic        f_done_q, f_np_q, f_bad_q, f_pop_q, f_drop_q, f_drop_np_q;
  always_ff @(posedge clk_i) begin
    f_rd0_q  <= rst_ni ? rd_ptr_i[7:0] : 8'd0;
    f_rd1_q  <= rst_ni ? rd_ptr_i[15:8] : 8'd0;
    f_wr0_q  <= rst_ni ? wr_ptr_o[7:0] : 8'd0;
    f_wr1_q  <= rst_ni ? wr_ptr_o[15:8] : 8'd0;
    f_pd_q   <= crd_pd_o;
    f_npd_q  <= crd_npd_o;
    f_done_q <= rst_ni && done;
    f_np_q   <= np;
    f_bad_q  <= bad != aa_pkg::ErrNone;
    f_drop_q    <= rst_ni && f_done_q && f_bad_q;
    f_drop_np_q <= f_np_q;
    f_pop_q  <= rst_ni && (pay_valid_o & pay_ready_i) != '0;
  end

  `FV_COMB begin
    if (f_past_q && rst_ni) begin
      env_rd0: assume (rd_ptr_i[7:0] == f_rd0_q || (rd_ptr_i[7:0] == f_rd0_q + 8'd1 && f_rd0_q != f_wr[7:0]));
      env_rd1: assume (rd_ptr_i[15:8] == f_rd1_q || (rd_ptr_i[15:8] == f_rd1_q + 8'd1 && f_rd1_q != f_wr[15:8]));
    end
    if (f_past_q && rst_ni && f_rst_q) begin
      p1_visible: assert (wr_ptr_o[7:0] == f_wr0_q + 8'(f_done_q && !f_np_q));
      p1_visible_np: assert (wr_ptr_o[15:8] == f_wr1_q + 8'(f_done_q && f_np_q));
      p2_one: assert (wr_ptr_o[7:0] == f_wr0_q || wr_ptr_o[15:8] == f_wr1_q);
      p3_headers: assert (crd_ph_o - wr_ptr_o[7:0] <= 8'(Window) || wr_ptr_o[7:0] - rd_ptr_i[7:0] > 8'(Window));
      if (!f_pop_q && !f_drop_q) p3_still: assert (crd_pd_o == f_pd_q && crd_npd_o == f_npd_q);
      if (!f_pop_q && f_drop_q) p3_dropped: assert (f_drop_np_q ? crd_pd_o == f_pd_q : crd_npd_o == f_npd_q);
    end
    c_both: cover (f_past_q && rst_ni && wr_ptr_o[7:0] == 8'd2 && wr_ptr_o[15:8] == 8'd1);
  end
