// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_axil_post: one write, chosen freely (f_pick), is followed through; f_ahead_q counts
// the writes before it.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)

  localparam int unsigned LevelW = $clog2(Depth + 1);
  logic              f_pop, f_was_q, f_owes_q, f_live_q, f_aw_q, f_ar_q, f_bwait_q, f_mar_q, f_maw_q;
  logic [LevelW-1:0] f_level_q, f_ahead_q;
  logic [WriteW-1:0] f_data_q, f_in_q, f_out_q;
  assign f_pop = m_awvalid_o && m_awready_i && m_wready_i;

  always_ff @(posedge clk_i) begin
    f_aw_q    <= rst_ni && s_awvalid_i && s_wvalid_i && !push;
    f_in_q    <= {s_awaddr_i, s_wdata_i, s_wstrb_i};
    f_ar_q    <= rst_ni && s_arvalid_i && !s_arready_o;
    f_bwait_q <= rst_ni && s_bvalid_o && !s_bready_i;
    f_mar_q   <= rst_ni && m_arvalid_o && !m_arready_i;
    f_maw_q   <= rst_ni && m_awvalid_o && !f_pop;
    f_out_q   <= {m_awaddr_o, m_wdata_o, m_wstrb_o};
    if (!rst_ni) begin
      f_level_q <= '0;
      f_live_q  <= 1'b0;
      f_was_q   <= 1'b0;
      f_owes_q  <= 1'b0;
    end else begin
      f_level_q <= f_level_q + LevelW'(push) - LevelW'(f_pop);
      f_was_q   <= f_was_q || f_live_q;
      f_owes_q  <= f_owes_q ? !(m_bvalid_i && m_bready_o) : f_pop;
      if (f_live_q) begin
        if (f_pop) f_ahead_q <= f_ahead_q - LevelW'(1);
        if (f_pop && f_ahead_q == '0) f_live_q <= 1'b0;
      end else if (push && f_pick) begin
        f_live_q  <= 1'b1;
        f_ahead_q <= f_level_q - LevelW'(f_pop);
        f_data_q  <= {s_awaddr_i, s_wdata_i, s_wstrb_i};
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_aw_q) env_aw: assume (s_awvalid_i && s_wvalid_i && {s_awaddr_i, s_wdata_i, s_wstrb_i} == f_in_q);
    if (f_ar_q) env_ar: assume (s_arvalid_i);
    env_together: assume (m_awready_i == m_wready_i);
    env_b: assume (!m_bvalid_i || f_owes_q);
    p1_count: assert (f_level_q <= LevelW'(Depth) && some == (f_level_q != '0));
    if (f_live_q) p1_inside: assert (f_ahead_q < f_level_q);
    if (f_live_q && f_ahead_q == '0) p1_data: assert ({m_awaddr_o, m_wdata_o, m_wstrb_o} == f_data_q);
    if (f_maw_q) p1_stays: assert (m_awvalid_o && m_wvalid_o && {m_awaddr_o, m_wdata_o, m_wstrb_o} == f_out_q);
    p1_one: assert (!(f_owes_q && m_awvalid_o) && (!f_owes_q || m_bready_o));
    p2_taken: assert (push == (s_awvalid_i && s_wvalid_i && f_level_q < LevelW'(Depth) && !s_bvalid_o));
    if (f_bwait_q) p2_answer: assert (s_bvalid_o);
    if (m_arvalid_o && !f_mar_q) p3_read: assert (f_level_q == '0 && !f_owes_q);
    if (f_mar_q) p3_stays: assert (m_arvalid_o);
    c_full: cover (f_level_q == LevelW'(Depth) && s_awvalid_i);
    c_read: cover (s_arready_o && f_was_q);
    c_third: cover (f_live_q && f_ahead_q == LevelW'(2));
  end
