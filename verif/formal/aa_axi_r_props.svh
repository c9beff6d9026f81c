// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_axi_r. One id, chosen freely (f_id), is followed: where in its beat the data of its read lies.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_id, IdW)

  logic           f_ar_q, f_wwait_q, f_qwait_q, f_live_q, f_wlost_q, f_qlost_q;
  logic [63:0]    f_addr_q, f_waddr_q, f_qaddr_q, f_read_q;
  logic [IdW-1:0] f_arid_q, f_wid_q;
  logic           f_wwide_q;
  logic [2:0]     f_size_q;
  logic [127:0]   f_want;
  logic           f_take, f_back;
  logic [31:0]    f_shift;

  assign f_take  = m_arvalid_o && m_arready_i;
  assign f_back  = m_rvalid_i && m_rready_o;
  assign f_shift = 128 * ((32'(f_read_q[5:4])) % (DataW / 128));
  assign f_want  = 128'(m_rdata_i >> f_shift);

  always_ff @(posedge clk_i) begin
    f_ar_q    <= rst_ni && m_arvalid_o && !m_arready_i;
    f_addr_q  <= m_araddr_o;
    f_arid_q  <= m_arid_o;
    f_size_q  <= m_arsize_o;
    f_wwait_q <= rst_ni && w_ar_valid_i && !w_ar_ready_o;
    f_qwait_q <= rst_ni && q_ar_valid_i && !q_ar_ready_o;
    f_waddr_q <= w_ar_addr_i;
    f_wid_q   <= w_ar_id_i;
    f_wwide_q <= w_ar_wide_i;
    f_qaddr_q <= q_ar_addr_i;
    f_wlost_q <= rst_ni && w_ar_valid_i && !w_ar_ready_o && (f_wlost_q || (q_ar_valid_i && q_ar_ready_o));
    f_qlost_q <= rst_ni && q_ar_valid_i && !q_ar_ready_o && (f_qlost_q || (w_ar_valid_i && w_ar_ready_o));
    if (!rst_ni) f_live_q <= 1'b0;
    else if (f_take && m_arid_o == f_id) begin
      f_live_q <= 1'b1;
      f_read_q <= m_araddr_o;
    end else if (f_back && m_rid_i == f_id) f_live_q <= 1'b0;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_wwait_q) env_walker: assume (w_ar_valid_i && w_ar_addr_i == f_waddr_q && w_ar_id_i == f_wid_q &&
                                       w_ar_wide_i == f_wwide_q);
    if (f_qwait_q) env_queue: assume (q_ar_valid_i && q_ar_addr_i == f_qaddr_q);
    if (w_ar_valid_i) env_id: assume (32'(w_ar_id_i) < Walkers);
    // Nobody answers what was not asked; one read an id.
    if (m_rvalid_i && m_rid_i == f_id) env_answer: assume (f_live_q);
    if (w_ar_valid_i && w_ar_id_i == f_id) env_single: assume (!f_live_q);
    if (q_ar_valid_i && 32'(f_id) == Walkers) env_single_q: assume (!f_live_q);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_ar_q) p1_hold: assert (m_arvalid_o && m_araddr_o == f_addr_q && m_arid_o == f_arid_q &&
        m_arsize_o == f_size_q);
    p1_shape: assert (m_arlen_o == 8'd0 && m_arburst_o == 2'b01 && (m_arsize_o == 3'd3 || m_arsize_o == 3'd4));
    if (locked_q) p1_inv: assert (lock_queue_q ? q_ar_valid_i && f_qwait_q : w_ar_valid_i && f_wwait_q);
    p1_locked: assert (locked_q == f_ar_q);
    if (w_ar_valid_i && w_ar_ready_o) p2_w: assert (f_take && m_arid_o == w_ar_id_i && m_araddr_o == w_ar_addr_i &&
                                                    m_arsize_o == (w_ar_wide_i ? 3'd4 : 3'd3));
    if (q_ar_valid_i && q_ar_ready_o) p2_q: assert (f_take && 32'(m_arid_o) == Walkers && m_araddr_o == q_ar_addr_i &&
                                                    m_arsize_o == 3'd4);
    if (f_take) p2_one: assert ((w_ar_valid_i && w_ar_ready_o) != (q_ar_valid_i && q_ar_ready_o));
    p2_route: assert (m_rready_o && (w_r_valid_o || q_r_valid_o) == m_rvalid_i && !(w_r_valid_o && q_r_valid_o));
    if (m_rvalid_i && m_rid_i == f_id) p2_data: assert ((32'(f_id) == Walkers ? q_r_valid_o : w_r_valid_o &&
        w_r_id_o == f_id) &&
        w_r_data_o == f_want && q_r_data_o == f_want && w_r_err_o == m_rresp_i[1] && q_r_err_o == m_rresp_i[1]);
    if (f_wlost_q && q_ar_valid_i) p3_w: assert (!q_ar_ready_o);
    if (f_qlost_q && w_ar_valid_i) p3_q: assert (!w_ar_ready_o);
    if (f_wlost_q) p3_w_inv: assert (locked_q ? !lock_queue_q : last_q);
    if (f_qlost_q) p3_q_inv: assert (locked_q ? lock_queue_q : !last_q);
    if (f_live_q) p2_inv: assert (32'(place_q[f_id]) == 32'(f_read_q[5:4]) % Chunks && 32'(f_id) <= Walkers);
    p3_rate: assert (m_arvalid_o == (w_ar_valid_i || q_ar_valid_i));

    c_turn: cover (f_wlost_q && w_ar_ready_o);
    c_queue: cover (q_r_valid_o && m_rid_i == f_id && (f_shift != 0 || Chunks == 1));
    c_error: cover (w_r_valid_o && m_rid_i == f_id && w_r_err_o);
  end
