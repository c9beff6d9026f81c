// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_bus: whose access is where. cm_axil_regs is idle when nothing is under way, and answers what it
// has taken.
`include "fv.svh"

  `FV_INIT

  logic f_under_q, f_write_q, f_acc_q, f_mine_q;  // an access under way: a write, the NIC's
  logic [145:0] f_acc, f_acc_was_q;
  assign f_acc = {57'd0, acc_write_i, acc_addr_i, acc_wdata_i[62:0], acc_wstrb_i};
  always_ff @(posedge clk_i) begin
    f_acc_q     <= rst_ni && acc_valid_i && !acc_done_o;
    f_acc_was_q <= f_acc;
    if (!rst_ni) f_under_q <= 1'b0;
    else if (begins) {f_under_q, f_write_q, f_mine_q} <= {1'b1, m_awvalid_o, own_o};
    else if (ends) f_under_q <= 1'b0;
  end
  logic f_last_w_q;  // the last access of software was a write
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_last_w_q <= 1'b0;
    else if (s_awready_o || s_arready_o) f_last_w_q <= s_awready_o;
  end
  logic f_own_q, f_want_q;
  always_ff @(posedge clk_i) begin
    f_own_q  <= rst_ni && own_o;
    f_want_q <= rst_ni && want_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_idle: assume (!(m_awready_i && (f_under_q || !f_sees_w)) && m_wready_i == m_awready_i &&
        !(m_arready_i && (f_under_q || !f_sees_r)));
    env_answer: assume (!(m_bvalid_i && !(f_under_q && f_write_q)) && !(m_rvalid_i && !(f_under_q && !f_write_q)));
    env_access: assume (!acc_valid_i || (f_own_q && want_i));
    if (f_acc_q) env_stays: assume (acc_valid_i && f_acc == f_acc_was_q);
    if (f_own_q && f_under_q && f_mine_q) env_want: assume (want_i);
    p1_mine: assert (!f_under_q || f_mine_q == own_o);
    p1_busy: assert (f_under_q == busy_q);
    if (own_o) p1_none: assert (!s_awready_o && !s_wready_o && !s_arready_o && !s_bvalid_o && !s_rvalid_o);
    if (!own_o && m_awvalid_o) p1_write: assert (s_awvalid_i && s_wvalid_i && m_awaddr_o == s_awaddr_i &&
        m_wdata_o == s_wdata_i && m_wstrb_o == s_wstrb_i);
    if (!own_o && m_arvalid_o) p1_read: assert (s_arvalid_i && m_araddr_o == s_araddr_i);
    p1_both: assert (s_awready_o == s_wready_o && !(m_awvalid_o && m_arvalid_o));
    if (own_o && !f_own_q) p2_rises: assert (f_want_q && !busy_q);
    if (own_o && m_awvalid_o) p3_write: assert (acc_valid_i && acc_write_i && m_awaddr_o == {acc_addr_i, 3'd0} &&
        m_wdata_o == acc_wdata_i && m_wstrb_o == acc_wstrb_i);
    if (own_o && m_arvalid_o) p3_read: assert (acc_valid_i && !acc_write_i && m_araddr_o == {acc_addr_i, 3'd0});
    if (acc_done_o) p3_done: assert (f_under_q && f_mine_q);
    if (!own_o && !want_i && !busy_q && ((s_awvalid_i && s_wvalid_i) || s_arvalid_i))
      p4_soon: assert (f_sees_w || f_sees_r);
    p4_turn: assert (f_last_w_q == turn_q);
    if (s_awvalid_i && s_wvalid_i && s_arvalid_i)
      p4_turns: assert (!(f_last_w_q ? s_awready_o : s_arready_o));
    if (want_i && !own_o) p4_waits: assert (!s_awready_o && !s_arready_o);
    c_own: cover (acc_done_o && s_awvalid_i);
    c_turns: cover (s_arready_o && s_awvalid_i && s_wvalid_i);
  end
  `FV_SEES(f_sees_w, 1, m_awvalid_o && m_wvalid_o)
  `FV_SEES(f_sees_r, 1, m_arvalid_o)
