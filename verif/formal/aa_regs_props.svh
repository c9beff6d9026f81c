// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_regs. One bit of one word, chosen freely, is followed through its writes; the rest is restated (f_*).
`include "fv.svh"
// Rules of README.md: INV-9, INV-10.
  `FV_INIT
  `FV_ANYCONST(f_word, 17)
  `FV_ANYCONST(f_bit, 6)
  `FV_SEES(f_r_valid, 1, r_valid_o)

  logic [63:0]     f_rw, f_reset;
  logic            f_mine_q, f_hit;
  logic            f_te_q, f_qie_q, f_rtps_q, f_icc_q, f_ivt_q, f_inv_q, f_rwait_q, f_finwait_q, f_valid_q,
      f_more_q, f_werr_q, f_idle_q, f_iccp_q, f_drained_q, f_inv_was_q;
  logic [63:12]    f_root_q;
  logic [63:0]     f_ra_q, f_rb_q, f_ccmd_q, f_iotlb_q, f_iva_q;
  aa_reg_pkg::gcmd_t       f_w_gcmd;           // what software writes, and last wrote
  aa_reg_pkg::ccmd_t       f_w_ccmd, f_ccmd;
  aa_reg_pkg::iotlb_t      f_w_iotlb, f_iotlb;
  aa_reg_pkg::iva_t        f_iva;
  aa_reg_pkg::aa_err_sts_t f_w_sts, f_sts;
  logic [1:0]      f_caig_q, f_iaig_q;
  logic [ErrW-1:0] f_first;
  aa_pkg::err_t    f_err_q;
  logic [31:0]     f_n;
  logic            f_sel_q, f_gcmd, f_wccmd, f_wiotlb, f_wiva, f_fin;
  logic [19:0]     f_addr, f_at;  // of the word on the bus, of the one that is followed
  logic            f_port;        // which is some AA_PORT

  assign f_addr = {rb_i.addr, 3'd0};
  assign f_w_gcmd  = rb_i.wdata[31:0];
  assign f_w_ccmd  = rb_i.wdata;
  assign f_w_iotlb = rb_i.wdata;
  assign f_w_sts   = rb_i.wdata;
  assign f_ccmd    = f_ccmd_q;
  assign f_iotlb   = f_iotlb_q;
  assign f_iva     = f_iva_q;
  always_comb begin
    f_sts       = '0;
    f_sts.IUID  = f_err_q.iuid;
    f_sts.SID   = f_err_q.sid;
    f_sts.CODE  = f_err_q.code;
    f_sts.WERR  = f_werr_q;
    f_sts.MORE  = f_more_q;
    f_sts.VALID = f_valid_q;
  end
  assign f_at   = {f_word, 3'd0};
  assign f_port = f_at >= aa_reg_pkg::RegAA_PORT &&
                  f_at < aa_reg_pkg::RegAA_PORT + 20'(NumPorts) * aa_reg_pkg::RegAA_PORTStride;

  localparam logic [5:0] FMamv = 6'(aa_reg_pkg::ResetCAP >> aa_reg_pkg::CAP_MAMV_Lsb);

  // Plain read-write bits, by word.
  localparam logic [63:0] FCap = {4'd0, 4'(NumPorts), 8'(ScratchWords), 8'(FlushWaiters), 8'(FlushPages),
                                  16'(TagEntries),
                                  8'(LogDepth), 8'(NumLogs)};
  always_comb begin
    f_rw    = 64'd0;
    f_reset = 64'd0;
    if (f_at == aa_reg_pkg::RegRTADDR) f_rw = 64'hFFFF_FFFF_FFFF_F000;
    if (f_at == aa_reg_pkg::RegAA_CTL) f_rw = 64'h0000_0000_0000_0771;
    if (f_at == aa_reg_pkg::RegAA_CTL) f_reset = 64'(aa_reg_pkg::ResetAA_CTL);
    if (f_at == aa_reg_pkg::RegAA_CPL_TMO) f_reset = 64'(aa_reg_pkg::ResetAA_CPL_TMO);
    if (f_at == aa_reg_pkg::RegAA_WDOG) f_reset = 64'(aa_reg_pkg::ResetAA_WDOG);
    if (f_at == aa_reg_pkg::RegAA_FLUSH_TMO) f_reset = 64'(aa_reg_pkg::ResetAA_FLUSH_TMO);
    if (f_at == aa_reg_pkg::RegAA_CPL_TMO || f_at == aa_reg_pkg::RegAA_WDOG || f_at == aa_reg_pkg::RegAA_FLUSH_TMO)
      f_rw = 64'h0000_0000_FFFF_FFFF;
    if (f_port) f_rw = 64'h8000_0000_FFFF_FFFF;
    if (f_at == aa_reg_pkg::RegCAP) f_reset = aa_reg_pkg::ResetCAP;
    if (f_at == aa_reg_pkg::RegECAP) f_reset = aa_reg_pkg::ResetECAP;
    if (f_at == aa_reg_pkg::RegVER) f_reset = 64'(aa_reg_pkg::ResetVER);
    if (f_at == aa_reg_pkg::RegAA_ID) f_reset = aa_reg_pkg::ResetAA_ID;
    if (f_at == aa_reg_pkg::RegAA_CAP) f_reset = FCap;
  end
  // Words with a life of their own
  assign f_hit = f_at == aa_reg_pkg::RegGCMD || f_at == aa_reg_pkg::RegCCMD || f_at == aa_reg_pkg::RegIOTLB ||
                 f_at == aa_reg_pkg::RegAA_ERR_STS || f_at == aa_reg_pkg::RegAA_ERR_ADDR;

  assign f_gcmd   = rb_i.we && f_addr == aa_reg_pkg::RegGCMD && rb_i.wstrb[3];
  assign f_fin    = r_fin_valid_o && r_fin_ready_i;
  assign f_wccmd  = rb_i.we && f_addr == aa_reg_pkg::RegCCMD && (!f_icc_q || (f_fin && !r_sel_o));
  assign f_wiotlb = rb_i.we && f_addr == aa_reg_pkg::RegIOTLB && (!f_ivt_q || (f_fin && r_sel_o));
  assign f_wiva   = rb_i.we && f_addr == aa_reg_pkg::RegIVA && (!f_ivt_q || (f_fin && r_sel_o));

  always_comb begin
    f_first = '0;
    f_n     = 32'd0;
    for (int unsigned k = 0; k < 6; k++) begin
      if (err_valid_i[k] && f_n == 32'd0) f_first = err_i[ErrW*k +: ErrW];
      f_n = f_n + 32'(err_valid_i[k]);
    end
  end

  always_ff @(posedge clk_i) begin
    f_rwait_q   <= rst_ni && r_valid_o && !r_done_i;
    f_finwait_q <= rst_ni && r_fin_valid_o && !r_fin_ready_i;
    f_idle_q    <= rst_ni && state_q == StIdle;
    f_iccp_q    <= f_icc_q;
    f_drained_q <= rst_ni && drained_i;
    f_inv_was_q <= rst_ni && f_inv_q && !f_fin;
    f_ra_q      <= r_a_o;
    f_rb_q      <= r_b_o;
    f_sel_q     <= r_sel_o;
    if (!rst_ni) begin
      f_mine_q  <= f_reset[f_bit];
      f_te_q    <= 1'b0;
      f_qie_q   <= 1'b0;
      f_rtps_q  <= 1'b0;
      f_root_q  <= '0;
      f_icc_q   <= 1'b0;
      f_ivt_q   <= 1'b0;
      f_inv_q   <= 1'b0;
      f_ccmd_q  <= '0;
      f_iotlb_q <= '0;
      f_iva_q   <= '0;
      f_caig_q  <= '0;
      f_iaig_q  <= '0;
      f_valid_q <= 1'b0;
      f_more_q  <= 1'b0;
      f_werr_q  <= 1'b0;
      f_err_q   <= '0;
    end else begin
      if (rb_i.we && rb_i.addr == f_word && rb_i.wstrb[f_bit[5:3]] && f_rw[f_bit]) f_mine_q <= rb_i.wdata[f_bit];
      if (f_gcmd) begin
        f_te_q  <= f_w_gcmd.TE;
        f_qie_q <= f_w_gcmd.QIE;
        if (f_w_gcmd.SRTP) begin
          f_rtps_q <= 1'b1;
          f_root_q <= rtaddr_q;
        end
      end
      // Invalidation by register: handed over, then drained.
      if (r_valid_o && r_done_i) f_inv_q <= 1'b1;
      if (f_fin) begin
        f_inv_q <= 1'b0;
        if (!r_sel_o) f_icc_q <= 1'b0;
        if (r_sel_o) f_ivt_q <= 1'b0;
        if (!r_sel_o) f_caig_q <= f_ccmd.CIRG;
        if (r_sel_o) f_iaig_q <= f_iotlb.IIRG == 2'd3 && f_iva.AM > FMamv ? 2'd1 : f_iotlb.IIRG;
      end
      for (int unsigned k = 0; k < 64; k++) begin
        if (f_wccmd && rb_i.wstrb[k / 8]) f_ccmd_q[k] <= rb_i.wdata[k];
        if (f_wiotlb && rb_i.wstrb[k / 8]) f_iotlb_q[k] <= rb_i.wdata[k];
        if (f_wiva && rb_i.wstrb[k / 8]) f_iva_q[k] <= rb_i.wdata[k];
      end
      if (f_wccmd && rb_i.wstrb[7] && f_w_ccmd.ICC) begin
        f_icc_q <= f_w_ccmd.CIRG != 2'd0;
        if (f_w_ccmd.CIRG == 2'd0) f_caig_q <= 2'd0;
      end
      if (f_wiotlb && rb_i.wstrb[7] && f_w_iotlb.IVT) begin
        f_ivt_q <= f_w_iotlb.IIRG != 2'd0;
        if (f_w_iotlb.IIRG == 2'd0) f_iaig_q <= 2'd0;
      end
      // The first error
      if (f_n != 32'd0) begin
        f_valid_q <= 1'b1;
        if (f_valid_q || f_n > 32'd1) f_more_q <= 1'b1;
        if (!f_valid_q) f_err_q <= f_first;
      end
      if (err_valid_i[3]) f_werr_q <= 1'b1;
      if (rb_i.we && f_addr == aa_reg_pkg::RegAA_ERR_STS && rb_i.wstrb[0] && f_w_sts.VALID) begin
        f_valid_q <= 1'b0;
        f_more_q  <= 1'b0;
        f_werr_q  <= 1'b0;
        f_err_q   <= '0;
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (r_done_i) env_done: assume (f_r_valid);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (rb_i.addr == f_word && !f_hit) p1_bit: assert (rb_rdata_o[f_bit] == f_mine_q);
    p1_ctl: assert (mps_o == (mps_q >= 3'd5 ? 3'd5 : mps_q) && mrrs_o == (mrrs_q >= 3'd5 ? 3'd5 : mrrs_q));
    // Invariants of the followed bit
    if (f_at == aa_reg_pkg::RegRTADDR && f_rw[f_bit]) p1_root: assert (rtaddr_q[f_bit] == f_mine_q);
    if (f_at == aa_reg_pkg::RegAA_CPL_TMO && f_rw[f_bit]) p1_cpl: assert (cpl_tmo_o[f_bit[4:0]] == f_mine_q);
    if (f_at == aa_reg_pkg::RegAA_WDOG && f_rw[f_bit]) p1_wdog: assert (wdog_o[f_bit[4:0]] == f_mine_q);
    if (f_at == aa_reg_pkg::RegAA_FLUSH_TMO && f_rw[f_bit]) p1_flush: assert (flush_tmo_o[f_bit[4:0]] == f_mine_q);
    p1_flush_on: assert (flush_tmo_on_o == (flush_tmo_o != '0));
    if (f_at == aa_reg_pkg::RegAA_CTL && f_rw[f_bit])
      p1_set: assert (f_mine_q == (f_bit == 6'd0 ? aae_o : f_bit < 6'd7 ? mps_q[f_bit[1:0]] : mrrs_q[f_bit[1:0]]));
    if (f_port && f_rw[f_bit])
      p1_port: assert (f_mine_q == port_filter_o[33 * 32'(f_word[1:0]) + (f_bit[5] ? 32 : 32'(f_bit[4:0]))]);
    if (!f_rw[f_bit] && !f_hit) p1_fixed: assert (f_mine_q == f_reset[f_bit]);

    p2_gcmd: assert (te_o == f_te_q && qie_o == f_qie_q && rtps_q == f_rtps_q && root_o == f_root_q);
    p2_clear: assert (te_clr_o == (f_gcmd && f_te_q && !f_w_gcmd.TE));
    if (f_addr == aa_reg_pkg::RegGCMD) p2_read: assert (rb_rdata_o == {f_te_q, f_rtps_q, 3'd0, f_qie_q, 58'd0});

    p3_busy: assert (icc_q == f_icc_q && ivt_q == f_ivt_q && (state_q == StDrain) == f_inv_q && state_q <= StDrain);
    if (state_q != StIdle) p3_owner: assert (r_sel_o ? f_ivt_q : f_icc_q);
    if (r_valid_o) p3_ask: assert (!f_inv_q && (r_sel_o ? f_ivt_q : f_icc_q));
    if (f_idle_q && r_valid_o) p3_first: assert (r_sel_o == !f_iccp_q);
    if (f_rwait_q) p3_wait: assert (r_valid_o && r_sel_o == f_sel_q && r_a_o == f_ra_q && r_b_o == f_rb_q);
    p3_fin: assert (r_fin_valid_o == (f_inv_q && f_inv_was_q && f_drained_q));
    if (f_finwait_q && f_drained_q) p3_fin_wait: assert (r_fin_valid_o && r_sel_o == f_sel_q && r_a_o == f_ra_q);
    p3_ccmd: assert (at_ccmd == {f_icc_q, f_ccmd.CIRG, f_caig_q, 25'd0, f_ccmd.FM, f_ccmd.SID, f_ccmd.DID});
    p3_iotlb: assert (at_iotlb == {f_ivt_q, 1'b0, f_iotlb.IIRG, 1'b0, f_iaig_q, 7'd0, f_iotlb.DR, f_iotlb.DW,
                                   f_iotlb.DID, 32'd0});
    if (r_valid_o || r_fin_valid_o)
      p3_words: assert (r_sel_o ? r_a_o == at_iotlb && r_b_o == {f_iva.ADDR, 5'd0, f_iva.IH, f_iva.AM} :
                                  r_a_o == at_ccmd && r_b_o == 64'd0);
    p3_iva: assert ({iva_q, ih_q, am_q} == {f_iva.ADDR, f_iva.IH, f_iva.AM});
    if (f_addr == aa_reg_pkg::RegCCMD) p3_read: assert (rb_rdata_o == at_ccmd);
    if (f_addr == aa_reg_pkg::RegIOTLB) p3_read_iotlb: assert (rb_rdata_o == at_iotlb);

    if (!f_valid_q) p4_none: assert (!f_more_q && f_err_q == '0);
    p4_first: assert (valid == f_valid_q && more == f_more_q && err == f_err_q);
    if (!valid_q) p4_kept: assert (!more_q);
    if (f_addr == aa_reg_pkg::RegAA_ERR_STS) p4_read: assert (rb_rdata_o == f_sts);
    p4_werr: assert (werr_q == f_werr_q && werr_set_o == (err_valid_i[3] && !f_werr_q) &&
                     werr_clr_o == (rb_i.we && f_addr == aa_reg_pkg::RegAA_ERR_STS && rb_i.wstrb[0] && f_w_sts.VALID));
    if (f_addr == aa_reg_pkg::RegAA_ERR_ADDR) p4_addr: assert (rb_rdata_o == f_err_q.addr);

    c_ccmd: cover (f_fin && !r_sel_o && f_ivt_q);
    c_iotlb: cover (f_fin && r_sel_o && f_iva.AM == 6'd19);
    c_again: cover (f_fin && f_wccmd && rb_i.wstrb[7] && f_w_ccmd.ICC && f_w_ccmd.CIRG == 2'b11);
    c_more: cover (f_more_q && f_err_q != '0 && te_clr_o);
    c_werr: cover (f_werr_q && f_err_q.code != aa_pkg::ErrAxiWrite);
    c_root: cover (root_o != '0 && rtps_q);
  end
