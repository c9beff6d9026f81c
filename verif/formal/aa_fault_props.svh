// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_fault. One record, chosen freely (f_idx), is followed; f_* restate FSTS by the order of P6.
`include "fv.svh"
// Rules of README.md: INV-1, INV-2, ERR-7.
  `FV_INIT
  `FV_ANYCONST(f_idx, IdxW)
  `FV_SEES(f_wait, 1, wr_wait_o)

  aa_pkg::fault_t  f_rec_q;
  logic            f_f_q, f_pfo_q, f_iqe_q, f_ip_q, f_im_q, f_sent_q, f_mwait_q, f_te_q, f_note_q, f_wip_q;
  logic [IdxW-1:0] f_next_q, f_fri_q;
  logic [95:0]     f_msg_q, f_msg;
  logic            f_wclr, f_w1c, f_same, f_old, f_new, f_any_hw, f_nwait_q;
  logic [31:0]     f_count;
  logic [63:0]     f_want;

  // The words of the bus, and what software writes to them.
  localparam logic [16:0] FFsts = 17'(aa_reg_pkg::RegFSTS >> 3);
  localparam logic [16:0] FFectl = 17'(aa_reg_pkg::RegFECTL >> 3);
  localparam logic [16:0] FFeaddr = 17'(aa_reg_pkg::RegFEADDR >> 3);
  localparam logic [16:0] FFrcdl = 17'(aa_reg_pkg::RegFRCDL >> 3);
  localparam logic [16:0] FFrcdh = 17'(aa_reg_pkg::RegFRCDH >> 3);
  localparam logic [16:0] FStride = 17'(aa_reg_pkg::RegFRCDLStride >> 3);
  aa_reg_pkg::fsts_t  f_w_fsts, f_fsts;
  aa_reg_pkg::fectl_t f_w_fectl;
  aa_reg_pkg::frcdl_t f_low;
  aa_reg_pkg::frcdh_t f_w_high, f_high;
  logic               f_frcd;  // a word of some record
  assign f_w_fsts  = rb_i.wdata[63:32];
  assign f_w_fectl = rb_i.wdata[31:0];
  assign f_w_high  = rb_i.wdata;
  assign f_frcd    = rb_i.addr >= FFrcdl && rb_i.addr < FFrcdl + 17'(Records) * FStride;

  assign f_wclr = rb_i.we && rb_i.wstrb[7] && f_w_high.F && rb_i.addr == FFrcdh + 17'(f_idx) * FStride;
  assign f_w1c = rb_i.we && rb_i.addr == FFsts && rb_i.wstrb[4];
  assign f_msg = {msg_addr_o, msg_data_o[31:0]};
  assign f_old = f_q != '0 || pfo_q || iqe_q;
  assign f_any_hw = stored_o || (lost_o && !f_pfo_q && !f_same) || iqe_set_i;
  assign f_new = f_d != '0 || pfo_d || iqe_d;
  always_comb begin
    f_same = 1'b0;
    for (int unsigned k = 0; k < Records; k++) if (f_q[k] && sid_q[16*k +: 16] == fault_i.sid) f_same = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    f_mwait_q <= rst_ni && msg_valid_o && !msg_ready_i;
    f_nwait_q <= rst_ni && note_valid_o && !note_ready_i;
    f_msg_q   <= f_msg;
    f_note_q  <= rst_ni && note;
    if (!rst_ni) begin
      f_f_q    <= 1'b0;
      f_pfo_q  <= 1'b0;
      f_iqe_q  <= 1'b0;
      f_ip_q   <= 1'b0;
      f_wip_q  <= 1'b0;
      f_next_q <= '0;
      f_fri_q  <= '0;
    end else begin
      f_f_q <= (f_f_q || (stored_o && f_next_q == f_idx)) && !f_wclr;
      if (stored_o && f_next_q == f_idx) f_rec_q <= fault_i;
      if (stored_o) f_next_q <= f_next_q + IdxW'(1);
      if (te_clr_i) f_next_q <= '0;
      if (stored_o && f_q == '0) f_fri_q <= f_next_q;
      f_pfo_q <= (f_pfo_q || (fault_valid_i && !f_same && f_q[f_next_q])) && !(f_w1c && f_w_fsts.PFO);
      f_iqe_q <= (f_iqe_q || iqe_set_i) && !(f_w1c && f_w_fsts.IQE);
      f_ip_q  <= (((f_ip_q && !(note && !note_o.flag)) || (f_any_hw && !f_old))) && f_new;
      f_wip_q <= ((f_wip_q && !(note && note_o.flag)) || werr_set_i) && !werr_clr_i;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_wait) env_wait: assume (!rb_i.we && !werr_clr_i);
  end

  // FEDATA, FEADDR and IM as software wrote them.
  logic [31:0] f_fedata_q;
  logic [63:0] f_feaddr_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_fedata_q <= '0;
      f_feaddr_q <= '0;
      f_im_q     <= 1'b1;
    end else if (rb_i.we) begin
      for (int unsigned k = 0; k < 8; k++) if (rb_i.wstrb[k]) begin
        if (rb_i.addr == FFectl && k >= 4) f_fedata_q[8*(k%4)+:8] <= rb_i.wdata[8*k+:8];
        if (rb_i.addr == FFectl && k == 3) f_im_q <= f_w_fectl.IM;
        if (rb_i.addr == FFeaddr) f_feaddr_q[8*k+:8] <= rb_i.wdata[8*k+:8] & (k == 0 ? 8'hFC : 8'hFF);
      end
    end
  end

  always_comb begin
    f_low      = '0;
    f_low.FI   = f_rec_q.page;
    f_high     = '0;
    f_high.F   = 1'b1;
    f_high.T   = f_rec_q.read;
    f_high.AT  = f_rec_q.at;
    f_high.FR  = f_rec_q.reason;
    f_high.SID = f_rec_q.sid;
    f_fsts     = '0;
    f_fsts.FRI = 8'(f_fri_q);
    f_fsts.IQE = f_iqe_q;
    f_fsts.PPF = f_q != '0;
    f_fsts.PFO = f_pfo_q;
    f_want     = rb_i.addr == FFrcdh + 17'(f_idx) * FStride ? f_high : f_low;
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    p1_one: assert ((stored_o || lost_o) == fault_valid_i && !(stored_o && lost_o));
    if (fault_valid_i) p1_lost: assert (lost_o == (f_pfo_q || f_same || f_q[f_next_q]));
    p1_next: assert (next_q == f_next_q);
    p1_pfo: assert (pfo_q == f_pfo_q);
    p2_f: assert (f_q[f_idx] == f_f_q);
    if (f_f_q) p2_kept: assert (sid_q[16*f_idx +: 16] == f_rec_q.sid && rec_q[f_idx] == f_rec_q);
    if (f_frcd && rd_idx == f_idx) p2_read: assert (rb_rdata_o == (f_f_q ? f_want : 64'd0));
    if (rb_i.addr == FFrcdl + 17'(f_idx) * FStride || rb_i.addr == FFrcdh + 17'(f_idx) * FStride)
      p2_index: assert (rd_idx == f_idx && is_frcd);
    if (rb_i.addr == FFsts) p3_fsts: assert (rb_rdata_o[63:32] == f_fsts);
    if (!f_frcd && rb_i.addr != FFsts && rb_i.addr != FFectl && rb_i.addr != FFeaddr)
      p3_other: assert (rb_rdata_o == 64'd0);
    p3_fri: assert (fri_q == f_fri_q && iqe_o == f_iqe_q);
    p4_ip: assert (ip_q == f_ip_q);
    if (ip_q) p4_any: assert (f_old);
    p5_due: assert (note_valid_o == ((f_ip_q || f_wip_q) && !im_q && !msg_valid_o));
    p5_wip: assert (wip_q == f_wip_q);
    if (note_valid_o) p5_note: assert (note_o.flag == !f_ip_q && !im_q && note_o.kind == aa_pkg::RetNotify &&
        note_o.code == aa_pkg::NoteFault);
    if (msg_valid_o) p5_quoted: assert (f_msg == {f_feaddr_q, f_fedata_q});
    if (note_valid_o) p5_value: assert (note_o.a == {32'd0, f_fedata_q});
    if (rb_i.addr == FFectl) p5_fectl: assert (rb_rdata_o == {f_fedata_q, f_im_q, f_ip_q, 30'd0});
    if (rb_i.addr == FFeaddr) p5_feaddr: assert (rb_rdata_o == f_feaddr_q);
    p5_regs: assert (data_q == f_fedata_q && {addr_q, 2'd0} == f_feaddr_q && im_q == f_im_q);
    p5_free: assert (!(note_valid_o && msg_valid_o));
    if (f_note_q) p5_msg: assert (msg_valid_o && f_msg == f_msg_q);
    if (f_mwait_q) p5_same: assert (msg_valid_o && f_msg == f_msg_q);
    if (f_nwait_q) p5_stay: assert (note_valid_o);
    p5_from: assert (msg_valid_o == (f_note_q || f_mwait_q) && msg_bytes_o == 4'd4 && msg_data_o[63:32] == 32'd0);
    p6_wait: assert (wr_wait_o == (note_valid_o || msg_valid_o));

    c_full: cover (f_q == '1 && lost_o && !f_same && !f_pfo_q);
    c_collapse: cover (lost_o && f_same && !f_pfo_q);
    c_wrap: cover (f_f_q && f_idx == '0 && next_q != '0 && fri_q != '0);
    c_event: cover (msg_valid_o && msg_ready_i && msg_data_o != 64'd0);
    c_failed: cover (note && note_o.flag && !f_old);
    c_silent: cover (ip_q && f_w1c && !f_new);
  end
