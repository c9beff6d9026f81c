// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_flush_buf. One waiter (f_w) and one page register (f_p), chosen freely, stand for all. f_age_q: cycles
// since the waiter was taken (stops at 2^33); f_torn_q: its log was seen closing or closed since then; f_late_q: it had
// waited too long when the scanner came by; f_cut_q: its port was reset since then.
`include "fv.svh"
// Rules of README.md: FLU-2, FLU-3, FLU-4, TAG-8.
  `FV_INIT
  `FV_ANYCONST(f_w_any, IdxW)
  `FV_SEES(f_ready, 1, alloc_ready_o)
  logic [IdxW-1:0] f_w;
  assign f_w = IdxW'(32'(f_w_any) % FlushWaiters);
  `FV_BELOW(def_w, f_w, FlushWaiters)
  `FV_ANYCONST(f_p, 3)

  logic                    f_live_q, f_torn_q, f_mine, f_take, f_wait_q, f_ans_q, f_flag_q, f_torn, f_sat, f_may,
                           f_late_q, f_may_q, f_calm, f_cut_q, f_cut, f_end, f_none_q, f_was_q;
  logic [3:0]              f_resets;
  logic                    f_fn_q, f_pass_q;
  logic [15:0]             f_fn_rid_q;
  logic [31:0]             f_tmo_q;
  logic [33:0]             f_age_q;
  logic [31:0]             f_snap_q, f_cons_q, f_stay_q, f_dist, f_dw;
  logic [LogW-1:0]         f_log_q;
  logic [7:0]              f_tag_q;
  logic [1:0]              f_port_q;
  logic [cm_pkg::SeqW-1:0] f_seq_q;
  cm_pkg::tlp_req_t        f_ask, f_hdr_q;
  cm_pkg::tlp_cpl_t        f_cpl;
  logic [9:0]              f_iuid_q;
  logic [63:0]             f_reg_q, f_iova;
  logic                    f_flp;                         // page register f_p is on the bus
  cm_pkg::tlp_t            f_beat_q;

  assign f_flp  = {rb_i.addr, 3'd0} == aa_reg_pkg::RegAA_FLP + 20'(f_p) * aa_reg_pkg::RegAA_FLPStride;
  assign f_take = alloc_valid_i && alloc_ready_o && pick == f_w;
  assign f_mine = s1_valid_q && valid_q[f_w] && s1_idx_q == f_w;
  assign f_iova = cm_pkg::tlp_addr(f_hdr_q) & ~64'd3;
  assign f_ask  = alloc_hdr_i;
  assign f_cpl  = gen_beat_o.hdr;

  always_comb begin
    f_torn = f_torn_q;
    for (int unsigned l = 0; l < NumLogs; l++) if (f_log_q == LogW'(l) && (!open_i[l] || closing_i[l])) f_torn = 1'b1;
  end
  // Waiters that are another port's own; who holds which, and how many alloc_port_i holds.
  logic [FlushWaiters-1:0]   f_barred;
  logic [2*FlushWaiters-1:0] f_by_q;
  logic [5:0]                f_has;
  logic                      f_own;
  always_comb begin
    f_has = '0;
    f_own = 1'b1;
    for (int unsigned i = 0; i < FlushWaiters; i++) begin
      f_barred[i] = i < NumPorts * Share && i / (Share == 0 ? 1 : Share) != 32'(alloc_port_i);
      if (valid_q[i] && f_by_q[2*i+:2] == alloc_port_i) f_has = f_has + 6'd1;
      if (valid_q[i] && i < NumPorts * Share && i / (Share == 0 ? 1 : Share) != 32'(f_by_q[2*i+:2])) f_own = 1'b0;
    end
  end
  always_ff @(posedge clk_i)
    for (int unsigned i = 0; i < FlushWaiters; i++) if (alloc_valid_i && first[i]) f_by_q[2*i+:2] <= alloc_port_i;
  assign f_resets = 4'(dev_reset_i);
  assign f_end = f_cut_q || f_resets[NumPorts == 1 ? 2'd0 : f_port_q];
  assign f_cut = f_end || (fn_i && fn_left_q != '0 && f_hdr_q.rid == fn_rid_i);
  assign f_sat = !(qry_cons_i - f_snap_q >= 32'h8000_0000);

  // Cycles until f_w is answered, at most: two for each waiter that S1 still has to look at, f_w among them, and what
  // it has left to do for the one that it looks at.
  logic [31:0] f_rest;
  assign f_dist = f_mine ? 32'd0 : 32'd1 + (f_w >= scan_q ? 32'(f_w) - 32'(scan_q) :
                                                          32'(f_w) + FlushWaiters - 32'(scan_q));
  assign f_calm = flush_tmo_i == f_tmo_q && fn_i == f_fn_q;
  assign f_rest = 32'd2 * f_dist + (!live ? 32'd1 : sure_q ? 32'd1 + 32'(gen_q) : !slow_q ? 32'd2 :
                                    gen_q && !dead ? 32'd3 : 32'd1 + 32'(flush_tmo_i == '0));
`ifdef YOSYS
  `FV_ANYSEQ(f_cons, 32)
  always_comb if (qry_log_o == f_log_q) def_cons: assume (qry_cons_i == f_cons);
  assign f_may = f_torn || f_end || f_cons - f_snap_q < 32'h8000_0000;
  // A consumer moves forward only, by less than a ring, and a ring is at most 2^30 bytes (aa_log_ptr).
  always_comb if (f_past_q && f_live_q && f_may_q) env_forward: assume (f_may);
`else
  assign f_may = f_torn || f_end;
`endif

  always_ff @(posedge clk_i) begin
    f_beat_q <= gen_beat_o;
    f_none_q <= rst_ni && answer && dead;
    f_was_q  <= gen_q && !gen_ready_i;
    f_wait_q <= rst_ni && gen_valid_o && !gen_ready_i;
    f_ans_q  <= rst_ni && answer && !f_cut && s1_idx_q == f_w;
    f_tmo_q  <= flush_tmo_i;
    f_fn_q   <= rst_ni && fn_i;
    f_pass_q <= fn_pass_o;
    f_fn_rid_q <= fn_rid_i;
    f_may_q  <= rst_ni && f_live_q && f_may;
    if (!hold && scan_q == f_w) f_late_q <= flush_tmo_i != '0 && f_age_q >= 34'(flush_tmo_i);
    f_flag_q <= note_o.flag;
    f_cons_q <= qry_cons_i;
    if (!rst_ni) f_reg_q <= '0;
    else if (rb_i.we && f_flp && 32'(f_p) < FlushPages) begin
      for (int unsigned i = 0; i < 8; i++)
        if (rb_i.wstrb[i]) f_reg_q[8*i+:8] <= rb_i.wdata[8*i+:8] & (i == 0 ? 8'hFD : 8'hFF);
    end
    if (!rst_ni) begin
      f_live_q <= 1'b0;
      f_age_q  <= '0;
      f_torn_q <= 1'b0;
      f_cut_q  <= 1'b0;
      f_stay_q <= '0;
    end else begin
      if (f_live_q && f_may && valid_q[f_w] && note_ready_i && gen_ready_i && f_calm) f_stay_q <= f_stay_q + 32'd1;
      else f_stay_q <= '0;
      if (answer && s1_idx_q == f_w) begin
        f_live_q <= 1'b0;
        f_stay_q <= '0;
      end
      if (!f_age_q[33]) f_age_q <= f_age_q + 34'd1;
      f_torn_q <= f_torn;
      f_cut_q <= f_end && f_live_q;
      if (f_take) begin
        f_cut_q <= 1'b0;
        f_live_q <= 1'b1;
        f_age_q  <= 34'd1;
        f_torn_q <= 1'b0;
        f_stay_q <= '0;
      end
    end
    if (f_take) begin
      f_snap_q <= alloc_snap_i;
      f_tag_q  <= alloc_tag_idx_i;
      f_log_q  <= alloc_log_i;
      f_port_q <= alloc_port_i;
      f_seq_q  <= alloc_seq_i;
      f_hdr_q  <= alloc_hdr_i;
      f_iuid_q <= alloc_iuid_i;
    end
  end

  // Some page register, each of which is what was written to it (p1_reg), holds page and IUID.
  logic f_match;
  always_comb begin
    f_match = 1'b0;
    for (int unsigned i = 0; i < FlushPages; i++)
      if (page_q[63*i] && page_q[63*i+1+:10] == m_iuid_i && page_q[63*i+11+:52] == m_page_i) f_match = 1'b1;
  end

  always_comb begin
    f_dw = f_hdr_q.len == 10'd0 ? 32'd1024 : 32'(f_hdr_q.len);
  end

  `FV_COMB if (f_past_q) begin
    env_length: assume (!alloc_valid_i || (f_ask.len >= 10'd1 && f_ask.len <= 10'd4));
    env_read: assume (!alloc_valid_i || (f_ask.op & cm_pkg::AnyFour) == cm_pkg::OpRead);
    env_log: assume (!alloc_valid_i || 32'(alloc_log_i) < NumLogs);
    env_on: assume (flush_tmo_on_i == (flush_tmo_i != '0));
    env_ready: assume (!alloc_valid_i || f_ready);
    env_port: assume (!alloc_valid_i || 32'(alloc_port_i) < NumPorts);
    if (f_rst_q && fn_i && f_fn_q) env_fn: assume (fn_rid_i == f_fn_rid_q);
    if (f_rst_q && f_fn_q && !fn_i) env_pass: assume (f_pass_q);

    if (32'(f_p) < FlushPages && f_flp) p1_read: assert (rb_rdata_o == f_reg_q);
    if ({rb_i.addr, 3'd0} < aa_reg_pkg::RegAA_FLP ||
        {rb_i.addr, 3'd0} >= aa_reg_pkg::RegAA_FLP + 20'd8 * aa_reg_pkg::RegAA_FLPStride)
      p1_other: assert (rb_rdata_o == '0);
    if (32'(f_p) < FlushPages) p1_reg: assert (page_q[63*f_p+:63] == {f_reg_q[63:2], f_reg_q[0]} && !f_reg_q[1]);
    if (32'(f_p) < FlushPages && f_reg_q == {m_page_i, m_iuid_i, 2'b01}) p1_hit: assert (m_hit_o);
    p1_only: assert (m_hit_o == f_match);

    p2_live: assert (f_live_q == valid_q[f_w]);
    if (answer && s1_idx_q == f_w) p2_once: assert (f_live_q);
    if (answer && s1_idx_q == f_w) p2_reason: assert (f_torn || f_cut || f_sat || (flush_tmo_i != '0 && f_late_q));
    if (answer && s1_idx_q == f_w) p2_log: assert (qry_log_o == f_log_q);
    if (answer && s1_idx_q == f_w)
      p3_flag: assert (note_o.flag == !(f_sat && !f_torn && !f_cut) && note_o.slot == 8'(f_cut) &&
                       note_o.a == {32'd0, qry_cons_i} && note_o.idx == 8'(f_w) &&
                       note_o.code == aa_pkg::NoteFlush && note_o.kind == aa_pkg::RetNotify);
    if (answer && s1_idx_q == f_w)
      p3_err: assert (err_valid_o == (note_o.flag && !f_torn && !f_cut) && ev_late_o == note_o.flag &&
                      err_o == {aa_pkg::ErrFlushTimeout, f_hdr_q.rid, f_iuid_q, f_iova});
    if (!answer) p3_quiet: assert (!err_valid_o && !ev_late_o && !flush_free_valid_o);
    if (answer && s1_idx_q == f_w) p4_free: assert (flush_free_valid_o && flush_free_idx_o == f_tag_q);
    if (f_none_q) p4_none: assert (gen_valid_o == f_was_q);
    if (f_ans_q) begin
      p4_gen: assert (gen_valid_o && gen_port_o == f_port_q && gen_beat_o.seq == f_seq_q && gen_beat_o.sop &&
                      gen_beat_o.eop && !gen_beat_o.err);
      p4_hdr: assert (f_cpl.op == cm_pkg::OpCplData && f_cpl.len == f_hdr_q.len && f_cpl.rid == f_hdr_q.rid &&
                      f_cpl.tag == f_hdr_q.tag && f_cpl.status == 3'd0 &&
                      {f_cpl.t9, f_cpl.tc, f_cpl.t8, f_cpl.ido, f_cpl.ro, f_cpl.ns} ==
                      {f_hdr_q.t9, f_hdr_q.tc, f_hdr_q.t8, f_hdr_q.ido, f_hdr_q.ro, f_hdr_q.ns} &&
                      f_cpl.lower[6:2] == f_iova[6:2]);
      p4_strb: assert (32'(gen_beat_o.strb) == (32'd1 << f_dw) - 32'd1);
      p4_first: assert (gen_beat_o.data[31:0] == (f_iova[2] ? {f_flag_q, 31'd0} : f_cons_q));
      p4_second: assert (gen_beat_o.data[63:32] == (f_dw < 32'd2 ? 32'd0 : f_iova[2] ? f_cons_q : {f_flag_q, 31'd0}));
      p4_third: assert (gen_beat_o.data[95:64] == (f_dw < 32'd3 ? 32'd0 : f_iova[2] ? {f_flag_q, 31'd0} : f_cons_q));
      p4_fourth: assert (gen_beat_o.data[127:96] == (f_dw < 32'd4 ? 32'd0 : f_iova[2] ? f_cons_q : {f_flag_q, 31'd0}));
    end
    if (f_wait_q) p4_hold: assert (gen_valid_o && gen_beat_o == f_beat_q);
    p5_ready: assert (alloc_ready_o == ((valid_q | f_barred) != '1));
    if (alloc_ready_o) p5_lowest: assert (!valid_q[pick] && !f_barred[pick] &&
                                         ((valid_q | f_barred) & ((FlushWaiters'(1) << pick) - FlushWaiters'(1))) ==
                                         (FlushWaiters'(1) << pick) - FlushWaiters'(1));
    if (f_live_q && 32'(f_w) < NumPorts * Share) p5_own: assert (f_port_q == 2'(32'(f_w) / (Share == 0 ? 1 : Share)));
    p5_all: assert (f_own);
    if (32'(alloc_port_i) < NumPorts && 32'(f_has) < Share) p5_share: assert (alloc_ready_o);
    if (f_live_q && NumPorts > 1) p5_port: assert (port_q[2*32'(f_w)+:2] == f_port_q);
    if (f_live_q)
      p5_kept: assert (log_q[LogW*f_w+:LogW] == f_log_q && torn_q[f_w] == f_torn_q && kill_q[f_w] == f_cut_q &&
                       32'(f_log_q) < NumLogs &&
                       held_q[f_w] == {f_snap_q, f_tag_q, f_port_q, f_seq_q, f_iuid_q, f_hdr_q.rid, f_hdr_q.t9,
                                       f_hdr_q.t8, f_hdr_q.tag, f_hdr_q.tc, f_hdr_q.ido, f_hdr_q.ro, f_hdr_q.ns,
                                       f_hdr_q.len[1:0], f_hdr_q.lbe, f_hdr_q.fbe, f_iova[63:2]} &&
                       (f_hdr_q.op & cm_pkg::AnyFour) == cm_pkg::OpRead && f_hdr_q.len >= 10'd1 &&
                       f_hdr_q.len <= 10'd4);
    if (f_live_q && !f_age_q[33]) p5_age: assert (now_q - birth_q[f_w] == f_age_q[32:0]);
    if (f_mine) p5_s1: assert (s1_log_q == f_log_q && (!s1_late_q || f_late_q));
    if (sure_q || slow_q) p5_due: assert (live);
    if (f_mine && sure_q) p5_sure: assert (f_torn || f_cut || f_sat);
    if (f_mine && slow_q) p5_slow: assert (s1_late_q);
    p6_scan: assert (32'(scan_q) < FlushWaiters && (!s1_valid_q || (32'(s1_idx_q) < FlushWaiters &&
      scan_q == (32'(s1_idx_q) == FlushWaiters - 1 ? '0 : s1_idx_q + IdxW'(1)))));
    p6_rest: assert (f_rest <= 2 * FlushWaiters + 1);
    if (f_live_q && f_calm)
      p6_bound: assert (f_stay_q <= 2 * FlushWaiters + 1 && f_stay_q + f_rest <= 2 * FlushWaiters + 1);
    c_full: cover (valid_q == '1 && answer);
    c_done: cover (f_ans_q && !f_flag_q && f_dw == 32'd4 && f_iova[2]);
    c_torn: cover (f_ans_q && f_flag_q && f_torn_q);
    c_cut: cover (answer && dead && gen_q);
    c_late: cover (err_valid_o && flush_tmo_i == 32'd4);
    c_hit: cover (m_hit_o && f_past_q);
  end
