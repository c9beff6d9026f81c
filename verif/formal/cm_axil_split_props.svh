// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_axil_split: the slaves are counted as the master would count them.
`include "fv.svh"

  `FV_INIT

  logic [1:0]       f_wr_q, f_rd_q;  // a slave owes a response
  logic             f_bwait_q, f_rwait_q, f_aw_q, f_ar_q;
  logic [AddrW-1:0] f_awaddr_q, f_araddr_q;
  logic [DataW-1:0] f_rdata_q;
  logic [1:0]       f_mb_q, f_mr_q;
  logic [2*DataW-1:0] f_mrdata_q;

  always_ff @(posedge clk_i) begin
    f_bwait_q  <= rst_ni && s_bvalid_o && !s_bready_i;
    f_rwait_q  <= rst_ni && s_rvalid_o && !s_rready_i;
    f_aw_q     <= rst_ni && s_awvalid_i && !s_awready_o;
    f_ar_q     <= rst_ni && s_arvalid_i && !s_arready_o;
    f_awaddr_q <= s_awaddr_i;
    f_araddr_q <= s_araddr_i;
    f_rdata_q  <= s_rdata_o;
    f_mb_q     <= rst_ni ? m_bvalid_i & ~m_bready_o : 2'b00;
    f_mr_q     <= rst_ni ? m_rvalid_i & ~m_rready_o : 2'b00;
    f_mrdata_q <= m_rdata_i;
    if (!rst_ni) begin
      f_wr_q <= 2'b00;
      f_rd_q <= 2'b00;
    end else begin
      f_wr_q <= (f_wr_q & ~(m_bvalid_i & m_bready_o)) | (m_awvalid_o & m_awready_i & m_wready_i);
      f_rd_q <= (f_rd_q & ~(m_rvalid_i & m_rready_o)) | (m_arvalid_o & m_arready_i);
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_aw_q) env_aw: assume (s_awvalid_i && s_awaddr_i == f_awaddr_q);
    if (f_ar_q) env_ar: assume (s_arvalid_i && s_araddr_i == f_araddr_q);
    env_together: assume (m_awready_i == m_wready_i);
    env_b: assume ((m_bvalid_i & ~f_wr_q) == 2'b00);
    env_r: assume ((m_rvalid_i & ~f_rd_q) == 2'b00);
    env_b_stays: assume ((f_mb_q & ~m_bvalid_i) == 2'b00);
    env_r_stays: assume ((f_mr_q & ~m_rvalid_i) == 2'b00);
    // What the other slave shows meanwhile is no response.
    if (f_mr_q[0]) env_r_data0: assume (m_rdata_i[DataW-1:0] == f_mrdata_q[DataW-1:0]);
    if (f_mr_q[1]) env_r_data1: assume (m_rdata_i[2*DataW-1:DataW] == f_mrdata_q[2*DataW-1:DataW]);
    p1_aw: assert (m_awvalid_o == m_wvalid_o && (m_awvalid_o & {!s_awaddr_i[AddrW-1], s_awaddr_i[AddrW-1]}) == 2'b00);
    p1_ar: assert ((m_arvalid_o & {!s_araddr_i[AddrW-1], s_araddr_i[AddrW-1]}) == 2'b00);
    p1_taken: assert (s_awready_o == |(m_awvalid_o & m_awready_i) && s_arready_o == |(m_arvalid_o & m_arready_i));
    p1_both: assert (s_awready_o == s_wready_o && (!s_awready_o || (s_awvalid_i && s_wvalid_i)));
    p2_one: assert (f_wr_q != 2'b11 && f_rd_q != 2'b11 && wr_q == |f_wr_q && rd_q == |f_rd_q);
    if (wr_q) p2_write: assert (f_wr_q[wr_sel_q]);
    if (rd_q) p2_read: assert (f_rd_q[rd_sel_q]);
    p2_b: assert (s_bvalid_o == |m_bvalid_i && (s_bvalid_o && s_bready_i) == |(m_bvalid_i & m_bready_o));
    p2_r: assert (s_rvalid_o == |m_rvalid_i && (s_rvalid_o && s_rready_i) == |(m_rvalid_i & m_rready_o));
    if (m_rvalid_i[1]) p2_data: assert (s_rdata_o == m_rdata_i[2*DataW-1:DataW]);
    if (m_rvalid_i[0]) p2_data0: assert (s_rdata_o == m_rdata_i[DataW-1:0]);
    p3_write: assert (!(s_awready_o && wr_q) && !(s_arready_o && rd_q));
    if (f_bwait_q) p3_b: assert (s_bvalid_o);
    if (f_rwait_q) p3_r: assert (s_rvalid_o && s_rdata_o == f_rdata_q);
    c_both: cover (s_bvalid_o && s_rvalid_o && wr_sel_q && !rd_sel_q);
    c_wait: cover (f_rwait_q && s_arvalid_i && s_rready_i && rd_sel_q);
  end
