// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_axil_serial: accesses and answers are counted against the requests that were judged.
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_awvalid, 1, m_awvalid_o)

  logic             f_aw_q, f_w_q, f_ar_q, f_out_q;  // offered and not taken
  logic [AddrW-1:0] f_addr_q;
  logic [63:0]      f_data_q;
  logic [7:0]       f_strb_q, f_byte_q;
  logic             f_owed_b_q, f_owed_r_q;  // the bus owes a response
  logic             f_open_q;                // a judged request has not been answered whole
  logic             f_new_q, f_did_q;        // it is new; its access has ended

  always_ff @(posedge clk_i) begin
    f_aw_q   <= rst_ni && m_awvalid_o && !m_awready_i;
    f_w_q    <= rst_ni && m_wvalid_o && !m_wready_i;
    f_ar_q   <= rst_ni && m_arvalid_o && !m_arready_i;
    f_out_q  <= rst_ni && out_valid_o && !out_ready_i;
    f_addr_q <= m_awaddr_o;
    f_data_q <= m_wdata_o;
    f_strb_q <= m_wstrb_o;
    f_byte_q <= out_data_o;
    if (!rst_ni) begin
      f_owed_b_q <= 1'b0;
      f_owed_r_q <= 1'b0;
      f_open_q   <= 1'b0;
      f_new_q    <= 1'b0;
      f_did_q    <= 1'b0;
    end else begin
      if (state_q == StJudge) begin
        f_open_q <= 1'b1;
        f_new_q  <= ok && !repeated;
        f_did_q  <= 1'b0;
      end
      if (taken && cnt_q == answer) f_open_q <= 1'b0;
      if (ends) f_did_q <= 1'b1;
      if (m_bvalid_i && m_bready_o) f_owed_b_q <= 1'b0;
      else if (m_wvalid_o && m_wready_i) f_owed_b_q <= 1'b1;
      if (m_rvalid_i && m_rready_o) f_owed_r_q <= 1'b0;
      else if (m_arvalid_o && m_arready_i) f_owed_r_q <= 1'b1;
    end
  end

  `FV_COMB if (f_past_q) begin
    // The bus answers what it has taken; a write when it has both address and data.
    env_b: assume (!m_bvalid_i || (f_owed_b_q && !f_awvalid));
    env_r: assume (!m_rvalid_i || f_owed_r_q);
    p1_state: assert (state_q <= StAnswer && cnt_q <= 4'd13);
    if (state_q == StBody) p1_body: assert (cnt_q == 4'd0 || cnt_q <= body);
    p1_open: assert (f_open_q == (state_q == StAccess || state_q == StAnswer));
    p1_new: assert (!(m_awvalid_o || m_wvalid_o || m_arvalid_o || f_owed_b_q || f_owed_r_q) ||
                    (state_q == StAccess && f_new_q));
    p1_one: assert (!(f_owed_b_q && f_owed_r_q) && !(m_wvalid_o && f_owed_b_q) && !(m_arvalid_o && f_owed_r_q));
    if (state_q == StAccess) begin
      p1_kind: assert (write ? !m_arvalid_o && !f_owed_r_q && (m_wvalid_o || f_owed_b_q)
                             : !m_awvalid_o && !m_wvalid_o && !f_owed_b_q && (m_arvalid_o || f_owed_r_q));
      p1_count: assert (cnt_q == 4'd0);
      p1_form: assert (form && !bad_addr && f_new_q && !f_did_q);
      p1_strb: assert (m_wstrb_o == (wide ? 8'hFF : 8'h0F << {29'd0, addr_q[2], 2'd0}));
    end
    if (state_q == StAnswer) p2_after: assert (!f_new_q || f_did_q);
    if (state_q == StAnswer && !sts_q[1]) p2_form: assert (form);
    if (state_q == StAnswer)
      p2_length: assert (cnt_q <= answer && (answer == 4'd2 || answer == 4'd6 || answer == 4'd10));
    if (state_q == StAnswer && f_new_q)
      p2_mine: assert (last_q && last_op_q == op_q && last_addr_q == addr_q && sts_q == last_sts_q);
    if (state_q == StAnswer && bytes != 4'd0) p2_data: assert (last_q && last_op_q == op_q && last_addr_q == addr_q);
    if (last_q) p2_last: assert (!last_sts_q[1] && (last_op_q[3:0] == 4'd4 || last_op_q[3:0] == 4'd8));
    if (f_aw_q) p3_aw: assert (m_awvalid_o && m_awaddr_o == f_addr_q);
    if (f_w_q) p3_w: assert (m_wvalid_o && m_wdata_o == f_data_q && m_wstrb_o == f_strb_q);
    if (f_ar_q) p3_ar: assert (m_arvalid_o && m_araddr_o == f_addr_q);
    if (f_out_q) p3_out: assert (out_valid_o && out_data_o == f_byte_q);
    c_write: cover (state_q == StAnswer && write && f_did_q && cnt_q == answer);
    c_again: cover (state_q == StAnswer && !f_new_q && sts_q == StsDone && last_q && cnt_q == 4'd2);
    c_crc: cover (state_q == StAnswer && sts_q == StsCrc && cnt_q == answer);
  end
