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
  logic [1:0]      f_caig_q, f_iaig_q;
  logic [ErrW-1:0] f_err_q, f_first;
  logic [31:0]     f_n;
  logic            f_sel_q, f_gcmd, f_wccmd, f_wiotlb, f_wiva, f_fin;
  logic [19:0]     f_addr;

  assign f_addr = {rb_i.addr, 3'd0};

  // Plain read-write bits, by word.
  localparam logic [63:0] FCap = {4'd0, 4'(NumPorts), 8'(ScratchWords), 8'(FlushWaiters), 8'(FlushPages),
                                  16'(TagEntries),
                                  8'(LogDepth), 8'(NumLogs)};
  always_comb begin
    f_rw    = 64'd0;
    f_reset = 64'd0;
    if (f_word == 17'(20'h00020 >> 3)) f_rw = 64'hFFFF_FFFF_FFFF_F000;
    if (f_word == 17'(20'h01010 >> 3)) f_rw = 64'h0000_0000_0000_0771;
    if (f_word == 17'(20'h01010 >> 3)) f_reset = 64'h0000_0000_0000_0550;
    if (f_word == 17'(20'h01018 >> 3)) f_reset = 64'd4000000;
    if (f_word == 17'(20'h01020 >> 3)) f_reset = 64'd1600000;
    if (f_word == 17'(20'h01028 >> 3)) f_reset = 64'd3200000;
    if (f_word == 17'(20'h01018 >> 3) || f_word == 17'(20'h01020 >> 3) || f_word == 17'(20'h01028 >> 3)) f_rw =
        64'h0000_0000_FFFF_FFFF;
    if (f_word >= 17'(20'h01080 >> 3) && 32'(f_word) < 32'h00000210 + NumPorts) f_rw = 64'h8000_0000_FFFF_FFFF;
    if (f_word == 17'(20'h00008 >> 3)) f_reset = 64'h00D2_078C_226F_0406;
    if (f_word == 17'(20'h00010 >> 3)) f_reset = 64'h0000_0000_0000_0F43;
    if (f_word == 17'(20'h00000 >> 3)) f_reset = 64'h0000_0000_0000_0010;
    if (f_word == 17'(20'h01000 >> 3)) f_reset = 64'h0001_434F_5343_4F54;
    if (f_word == 17'(20'h01008 >> 3)) f_reset = FCap;
  end
  // Words with a life of their own
  assign f_hit = f_word == 17'(20'h00018 >> 3) || f_word == 17'(20'h00028 >> 3) || f_word == 17'(20'h000F8 >> 3) ||
                 f_word == 17'(20'h01030 >> 3) || f_word == 17'(20'h01038 >> 3);

  assign f_gcmd   = rb_i.we && f_addr == 20'h00018 && rb_i.wstrb[3];
  assign f_fin    = r_fin_valid_o && r_fin_ready_i;
  assign f_wccmd  = rb_i.we && f_addr == 20'h00028 && (!f_icc_q || (f_fin && !r_sel_o));
  assign f_wiotlb = rb_i.we && f_addr == 20'h000F8 && (!f_ivt_q || (f_fin && r_sel_o));
  assign f_wiva   = rb_i.we && f_addr == 20'h000F0 && (!f_ivt_q || (f_fin && r_sel_o));

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
        f_te_q  <= rb_i.wdata[31];
        f_qie_q <= rb_i.wdata[26];
        if (rb_i.wdata[30]) begin
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
        if (!r_sel_o) f_caig_q <= f_ccmd_q[62:61];
        if (r_sel_o) f_iaig_q <= f_iotlb_q[61:60] == 2'd3 && f_iva_q[5:0] > 6'd18 ? 2'd1 : f_iotlb_q[61:60];
      end
      for (int unsigned k = 0; k < 64; k++) begin
        if (f_wccmd && rb_i.wstrb[k / 8]) f_ccmd_q[k] <= rb_i.wdata[k];
        if (f_wiotlb && rb_i.wstrb[k / 8]) f_iotlb_q[k] <= rb_i.wdata[k];
        if (f_wiva && rb_i.wstrb[k / 8]) f_iva_q[k] <= rb_i.wdata[k];
      end
      if (f_wccmd && rb_i.wstrb[7] && rb_i.wdata[63]) begin
        f_icc_q <= rb_i.wdata[62:61] != 2'd0;
        if (rb_i.wdata[62:61] == 2'd0) f_caig_q <= 2'd0;
      end
      if (f_wiotlb && rb_i.wstrb[7] && rb_i.wdata[63]) begin
        f_ivt_q <= rb_i.wdata[61:60] != 2'd0;
        if (rb_i.wdata[61:60] == 2'd0) f_iaig_q <= 2'd0;
      end
      // The first error
      if (f_n != 32'd0) begin
        f_valid_q <= 1'b1;
        if (f_valid_q || f_n > 32'd1) f_more_q <= 1'b1;
        if (!f_valid_q) f_err_q <= f_first;
      end
      if (err_valid_i[3]) f_werr_q <= 1'b1;
      if (rb_i.we && f_addr == 20'h01030 && rb_i.wstrb[0] && rb_i.wdata[0]) begin
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
    if (f_word == 17'(20'h00020 >> 3) && f_rw[f_bit]) p1_root: assert (rtaddr_q[f_bit] == f_mine_q);
    if (f_word == 17'(20'h01018 >> 3) && f_rw[f_bit]) p1_cpl: assert (cpl_tmo_o[f_bit[4:0]] == f_mine_q);
    if (f_word == 17'(20'h01020 >> 3) && f_rw[f_bit]) p1_wdog: assert (wdog_o[f_bit[4:0]] == f_mine_q);
    if (f_word == 17'(20'h01028 >> 3) && f_rw[f_bit]) p1_flush: assert (flush_tmo_o[f_bit[4:0]] == f_mine_q);
    p1_flush_on: assert (flush_tmo_on_o == (flush_tmo_o != '0));
    if (f_word == 17'(20'h01010 >> 3) && f_rw[f_bit])
      p1_set: assert (f_mine_q == (f_bit == 6'd0 ? aae_o : f_bit < 6'd7 ? mps_q[f_bit[1:0]] : mrrs_q[f_bit[1:0]]));
    if (f_word >= 17'(20'h01080 >> 3) && 32'(f_word) < 32'h00000210 + NumPorts && f_rw[f_bit])
      p1_port: assert (f_mine_q == port_filter_o[33 * 32'(f_word[1:0]) + (f_bit[5] ? 32 : 32'(f_bit[4:0]))]);
    if (!f_rw[f_bit] && !f_hit) p1_fixed: assert (f_mine_q == f_reset[f_bit]);

    p2_gcmd: assert (te_o == f_te_q && qie_o == f_qie_q && rtps_q == f_rtps_q && root_o == f_root_q);
    p2_clear: assert (te_clr_o == (f_gcmd && f_te_q && !rb_i.wdata[31]));
    if (f_addr == 20'h00018) p2_read: assert (rb_rdata_o == {f_te_q, f_rtps_q, 3'd0, f_qie_q, 58'd0});

    p3_busy: assert (icc_q == f_icc_q && ivt_q == f_ivt_q && (state_q == StDrain) == f_inv_q && state_q <= StDrain);
    if (state_q != StIdle) p3_owner: assert (r_sel_o ? f_ivt_q : f_icc_q);
    if (r_valid_o) p3_ask: assert (!f_inv_q && (r_sel_o ? f_ivt_q : f_icc_q));
    if (f_idle_q && r_valid_o) p3_first: assert (r_sel_o == !f_iccp_q);
    if (f_rwait_q) p3_wait: assert (r_valid_o && r_sel_o == f_sel_q && r_a_o == f_ra_q && r_b_o == f_rb_q);
    p3_fin: assert (r_fin_valid_o == (f_inv_q && f_inv_was_q && f_drained_q));
    if (f_finwait_q && f_drained_q) p3_fin_wait: assert (r_fin_valid_o && r_sel_o == f_sel_q && r_a_o == f_ra_q);
    p3_ccmd: assert (at_ccmd == {f_icc_q, f_ccmd_q[62:61], f_caig_q, 25'd0, f_ccmd_q[33:0]});
    p3_iotlb: assert (at_iotlb == {f_ivt_q, 1'b0, f_iotlb_q[61:60], 1'b0, f_iaig_q, 7'd0, f_iotlb_q[49:32], 32'd0});
    if (r_valid_o || r_fin_valid_o) p3_words: assert (r_sel_o ? r_a_o == at_iotlb &&
        r_b_o == {f_iva_q[63:12], 5'd0, f_iva_q[6:0]} :
                                                                r_a_o == at_ccmd && r_b_o == 64'd0);
    p3_iva: assert ({iva_q, ih_q, am_q} == {f_iva_q[63:12], f_iva_q[6:0]});
    if (f_addr == 20'h00028) p3_read: assert (rb_rdata_o == at_ccmd);
    if (f_addr == 20'h000F8) p3_read_iotlb: assert (rb_rdata_o == at_iotlb);

    if (!f_valid_q) p4_none: assert (!f_more_q && f_err_q == '0);
    p4_first: assert (valid == f_valid_q && more == f_more_q && err == f_err_q);
    if (!valid_q) p4_kept: assert (!more_q);
    if (f_addr == 20'h01030) p4_read: assert (rb_rdata_o == {22'd0, f_err_q[73:64], f_err_q[89:74], 3'd0,
        f_err_q[94:90], 5'd0, f_werr_q, f_more_q, f_valid_q});
    p4_werr: assert (werr_q == f_werr_q && werr_set_o == (err_valid_i[3] && !f_werr_q) &&
                     werr_clr_o == (rb_i.we && f_addr == 20'h01030 && rb_i.wstrb[0] && rb_i.wdata[0]));
    if (f_addr == 20'h01038) p4_addr: assert (rb_rdata_o == f_err_q[63:0]);

    c_ccmd: cover (f_fin && !r_sel_o && f_ivt_q);
    c_iotlb: cover (f_fin && r_sel_o && f_iva_q[5:0] == 6'd19);
    c_again: cover (f_fin && f_wccmd && rb_i.wstrb[7] && rb_i.wdata[63:61] == 3'b111);
    c_more: cover (f_more_q && f_err_q != '0 && te_clr_o);
    c_werr: cover (f_werr_q && f_err_q[94:90] != aa_pkg::ErrAxiWrite);
    c_root: cover (root_o != '0 && rtps_q);
  end
