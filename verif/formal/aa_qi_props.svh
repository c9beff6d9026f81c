// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_qi. The queue's registers and the one descriptor under way are restated (f_*).
`include "fv.svh"
// Rules of README.md: INV-2, INV-3, INV-4, INV-7, ERR-6.
  `FV_INIT
  `FV_SEES(f_wait, 1, wr_wait_o)
  `FV_SEES(f_q_valid, 1, q_valid_o)

  logic         f_reached_q, f_read_q, f_asked_q, f_drained_q, f_answered_q;
  logic         f_mwait_q, f_nwait_q, f_qie_q, f_evnote_q, f_qwait_q, f_arwait_q, f_lost_q, f_sending_q,
                f_failed_q, f_wait_over, f_held_q;
  logic [127:0] f_desc_q, f_qab_q;
  logic [14:0]  f_iqh_q;
  logic         f_iwc_q, f_ip_q;
  logic [95:0]  f_msg_q, f_msg, f_evmsg_q;
  logic [54:0]  f_iqa_q;
  logic         f_start_q, f_err_q;
  logic [63:0]  f_araddr_q;
  logic [15:0]  f_size;
  // flight: a message that is not yet answered
  logic         f_good_inv, f_good_wait, f_set_iwc, f_clr_iwc, f_flight_q;

  assign f_msg  = {msg_addr_o, msg_data_o[31:0]};
  assign f_size = 16'd256 << qs_q;

  // Well-formed, from the tables of docs/formats.md 1.6.
  aa_pkg::desc_ctx_t  f_as_ctx;
  aa_pkg::desc_wait_t f_as_wait;
  assign f_as_ctx       = f_desc_q;
  assign f_as_wait      = f_desc_q;
  assign f_good_inv  = f_read_q && f_as_ctx.gran != 2'd0 &&
                       ((f_as_wait.op == aa_pkg::DescCtx && (f_desc_q & {64'hFFFF_FFFF_FFFF_FFFF,
                           64'hFFFC_0000_0000_FFC0}) == 128'd0) ||
                        (f_as_wait.op == aa_pkg::DescIotlb && (f_desc_q & {64'h0000_0000_0000_0F80,
                            64'hFFFF_FFFF_0000_FF00}) == 128'd0));
  assign f_good_wait = f_read_q && f_as_wait.op == aa_pkg::DescWait && {f_as_wait.sw, f_as_wait.intf} != 2'd0 &&
                       (f_desc_q & {64'd3, 64'h0000_0000_FFFF_FF80}) == 128'd0;
  assign f_wait_over = note_valid_o && note_ready_i && note_o.code == aa_pkg::NoteWait;
  assign f_set_iwc   = f_wait_over && !f_failed_q && f_as_wait.intf;
  // The word of the bus in bytes, and what software writes to it.
  logic [19:0]          f_at;
  aa_reg_pkg::ics_t     f_w_ics;
  aa_reg_pkg::iectl_t   f_w_iectl;
  assign f_at        = {rb_i.addr, 3'd0};
  assign f_w_ics     = rb_i.wdata[63:32];
  assign f_w_iectl   = rb_i.wdata[31:0];
  assign f_clr_iwc   = rb_i.we && f_at == (aa_reg_pkg::RegICS & 20'hFFFF8) && rb_i.wstrb[4] && f_w_ics.IWC;

  logic [19:3] f_addr_q;
  always_ff @(posedge clk_i) f_addr_q <= rb_i.addr;

  always_ff @(posedge clk_i) begin
    f_qie_q    <= rst_ni && qie_i;
    f_msg_q    <= f_msg;
    f_mwait_q  <= rst_ni && msg_valid_o && !msg_ready_i;
    f_nwait_q  <= rst_ni && note_valid_o && !note_ready_i && (note_o.code == aa_pkg::NoteWait || state_q == StIdle);
    f_evnote_q <= rst_ni && note_valid_o && note_ready_i && note_o.code == aa_pkg::NoteInvDone;
    f_qab_q    <= {q_b_o, q_a_o};
    f_qwait_q  <= rst_ni && q_valid_o && !q_done_i;
    f_held_q   <= inv_wait_i;
    f_arwait_q <= rst_ni && ar_valid_o && !ar_ready_i;
    f_araddr_q <= ar_addr_o;
    if (!rst_ni) begin
      f_read_q    <= 1'b0;
      f_err_q     <= 1'b0;
      f_asked_q   <= 1'b0;
      f_reached_q <= 1'b0;
      f_iqh_q     <= '0;
      f_iwc_q     <= 1'b0;
      f_ip_q      <= 1'b0;
      f_lost_q    <= 1'b0;
      f_sending_q <= 1'b0;
      f_answered_q <= 1'b0;
      f_failed_q  <= 1'b0;
      f_drained_q <= 1'b0;
      f_flight_q  <= 1'b0;
    end else begin
      f_flight_q <= (f_flight_q || (msg_valid_o && msg_ready_i)) && !msg_done_i;
      // Asked for, read; dropped when the queue is off.
      if (ar_valid_o && ar_ready_i) f_asked_q <= 1'b1;
      if (r_valid_i) f_asked_q <= 1'b0;
      if (r_valid_i) f_desc_q <= r_err_i ? '0 : r_data_i;
      if (r_valid_i) f_read_q <= !r_err_i;
      if (state_q == StIdle) f_read_q <= 1'b0;
      if (r_valid_i) f_err_q <= r_err_i;
      if (state_q == StIdle) f_err_q <= 1'b0;
      if (q_rec_valid_o && !q_rec_flag_o && q_rec_ready_i) f_reached_q <= 1'b1;
      if (note_valid_o && note_ready_i && note_o.code == aa_pkg::NoteWait) f_reached_q <= 1'b0;
      // since the wait was reached: drained, and its status write answered
      if (!f_reached_q) f_drained_q <= 1'b0;
      else if (drained_i) f_drained_q <= 1'b1;
      if (!f_reached_q) f_answered_q <= 1'b0;
      else if (f_sending_q && msg_done_i) f_answered_q <= 1'b1;
      // and with an error
      if (!f_reached_q) f_failed_q <= 1'b0;
      else if (f_sending_q && msg_done_i) f_failed_q <= msg_fail_i;
      if (msg_valid_o && msg_ready_i && state_q == StSend) f_sending_q <= 1'b1;
      if (msg_done_i) f_sending_q <= 1'b0;
      f_lost_q <= f_reached_q && (f_lost_q || !qie_i);
      if (!qie_i) f_iqh_q <= '0;
      else if (q_done_i || (f_wait_over && !f_lost_q && !f_failed_q))
        f_iqh_q <= 16'(f_iqh_q) + 16'd1 == f_size ? '0 : f_iqh_q + 15'd1;
      f_iwc_q <= (f_iwc_q || f_set_iwc) && !f_clr_iwc;
      f_ip_q  <= ((f_ip_q && !(note_valid_o && note_ready_i && note_o.code == aa_pkg::NoteInvDone)) || (f_set_iwc &&
          !f_iwc_q)) &&
                 (f_iwc_q || f_set_iwc) && !f_clr_iwc;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_wait) env_wait: assume (!rb_i.we);
    if (rb_i.we) env_setup: assume (rb_i.addr == f_addr_q);
    if (r_valid_i) env_answer: assume (f_asked_q);
    if (q_done_i) env_done: assume (f_q_valid);
    // A write to GCMD is never under an invalidation's hold.
    if (f_qwait_q && q_done_i) env_hold: assume (qie_i);
    if (msg_done_i) env_msg: assume (f_flight_q);
    if (inv_wait_i) env_held: assume (!q_done_i);
  end

  // IEDATA, IEADDR, IM, IQT and IQA as software wrote them.
  logic [31:0] f_iedata_q;
  logic [63:0] f_ieaddr_q, f_iqt_q, f_qa_q, f_iqt_bits, f_qa_bits;
  logic        f_im_q;
  assign f_iqt_bits = 64'h7FFF0;
  assign f_qa_bits  = 64'hFFFF_FFFF_FFFF_F007;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_iedata_q <= '0;
      f_ieaddr_q <= '0;
      f_iqt_q    <= '0;
      f_qa_q     <= '0;
      f_im_q     <= 1'b1;
    end else if (rb_i.we) begin
      for (int unsigned k = 0; k < 8; k++) if (rb_i.wstrb[k]) begin
        if (f_at == aa_reg_pkg::RegIECTL && k >= 4) f_iedata_q[8*(k%4)+:8] <= rb_i.wdata[8*k+:8];
        if (f_at == aa_reg_pkg::RegIECTL && k == 3) f_im_q <= f_w_iectl.IM;
        if (f_at == aa_reg_pkg::RegIEADDR) f_ieaddr_q[8*k+:8] <= rb_i.wdata[8*k+:8] & (k == 0 ? 8'hFC : 8'hFF);
        if (f_at == aa_reg_pkg::RegIQT) f_iqt_q[8*k+:8] <= rb_i.wdata[8*k+:8] & f_iqt_bits[8*k+:8];
        if (f_at == aa_reg_pkg::RegIQA && !qie_i) f_qa_q[8*k+:8] <= rb_i.wdata[8*k+:8] & f_qa_bits[8*k+:8];
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_regs: assert ({45'd0, iqt_q, 4'd0} == f_iqt_q && {iqa_q, 9'd0, qs_q} == f_qa_q);
    p6_regs: assert (data_q == f_iedata_q && {addr_q, 2'd0} == f_ieaddr_q && im_q == f_im_q);
    if (state_q == StEvSend) p6_quoted: assert (f_msg == {f_ieaddr_q, f_iedata_q} && msg_bytes_o == 4'd4);
    if (note_valid_o) p6_value: assert (note_o.a == {32'd0, note_o.code == aa_pkg::NoteInvDone ? f_iedata_q :
                                                     f_as_wait.sw ? f_as_wait.data : 32'd0});
    if (f_ip_q && !f_im_q && (state_q == StIdle || state_q == StDrain))
      p6_due: assert (note_valid_o && note_o.code == aa_pkg::NoteInvDone);
    if (f_at == aa_reg_pkg::RegIQT) p7_iqt: assert (rb_rdata_o == f_iqt_q);
    if (f_at == aa_reg_pkg::RegIQA) p7_read: assert (rb_rdata_o == f_qa_q);
    if (f_at == aa_reg_pkg::RegIECTL) p6_iectl: assert (rb_rdata_o == {f_iedata_q, f_im_q, f_ip_q, 30'd0});
    if (f_at == aa_reg_pkg::RegIEADDR) p6_ieaddr: assert (rb_rdata_o == f_ieaddr_q);
    p3_flight: assert (f_flight_q == (state_q == StSent || state_q == StEvSent));
    p1_known: assert (is_iqt_q == ({f_addr_q, 3'd0} == aa_reg_pkg::RegIQT));
    p1_inv: assert (state_q <= StEvSent && f_asked_q == (state_q == StData));
    if (ar_valid_o && !f_arwait_q)
      p1_addr: assert (ar_addr_o == (({iqa_q, 12'd0} + {45'd0, iqh_q, 4'd0}) & 64'h0000_FFFF_FFFF_FFFF));
    if (ar_valid_o && !f_arwait_q) p1_fetch: assert (f_start_q);
    if (f_arwait_q) p1_hold: assert (ar_valid_o && ar_addr_o == f_araddr_q);
    // Legal at its record: the head is due, and stopped for the tail only if the tail is beyond now.
    if (q_valid_o || q_rec_valid_o) p1_due: assert (iqh_q != iqt_q && qie_i && (16'(iqt_q) < f_size || q_rec_flag_o));
    if (q_rec_valid_o && q_rec_flag_o && !f_read_q && 16'(iqt_q) < f_size) p1_err: assert (f_err_q);
    if (q_rec_valid_o && q_rec_flag_o && 16'(iqt_q) >= f_size) p1_beyond: assert (!f_read_q && !f_err_q);
    if (state_q != StIdle && !f_reached_q && state_q != StEvSend && state_q != StEvSent) p1_cause:
        assert (state_q == StStop ? beyond_q == (!f_read_q && !f_err_q) : !beyond_q);
    p1_inside: assert (16'(iqh_q) < f_size);
    if (q_valid_o) p2_good: assert (f_good_inv && qie_i && {q_b_o, q_a_o} == f_desc_q);
    if (f_qwait_q && qie_i && f_qie_q && !f_held_q) p2_stay: assert (q_valid_o);
    if (f_qwait_q && q_valid_o) p2_same: assert ({q_b_o, q_a_o} == f_qab_q);
    p2_head: assert (iqh_q == f_iqh_q);
    if (q_rec_valid_o && !q_rec_flag_o) p3_reach: assert (f_good_wait && qie_i && {q_b_o, q_a_o} == f_desc_q);
    if (note_valid_o && note_o.code == aa_pkg::NoteWait)
      p3_note: assert (f_reached_q && f_drained_q && (f_answered_q ||
          !f_as_wait.sw) && note_o.kind == aa_pkg::RetNotify && note_o.flag == f_failed_q);
    if (note_valid_o && note_o.code != aa_pkg::NoteWait) p3_no_flag: assert (!note_o.flag);
    if (state_q == StNote) p3_failed: assert (fail_q == f_failed_q);
    if (state_q != StNote) p3_not_yet: assert ((state_q == StSent || !fail_q) && (!f_failed_q || !f_reached_q));
    if (msg_valid_o && state_q == StSend)
      p3_send: assert (f_reached_q && f_drained_q && f_as_wait.sw && !f_answered_q &&
        f_msg == {f_as_wait.addr, 2'd0, f_as_wait.data} && msg_bytes_o == 4'd4);
    if (state_q == StDrain || (drain_q && (state_q == StEvSend || state_q == StEvSent)))
      p3_over: assert (over_q == f_drained_q);
    if (state_q == StDrain && f_drained_q && !event_now) p3_once: assert (state_d != StDrain);
    p3_reached: assert (f_reached_q == (state_q == StDrain || state_q == StSend || state_q == StSent ||
        state_q == StNote ||
                                        ((state_q == StEvSend || state_q == StEvSent) && drain_q)));
    if (f_reached_q) p3_inv: assert (f_good_wait && (state_q == StSent) == f_sending_q &&
        (state_q != StNote || f_drained_q));
    if (state_q == StSend || state_q == StSent || (state_q == StNote && f_as_wait.sw))
      p3_drained: assert (f_drained_q && f_as_wait.sw && f_answered_q == (state_q == StNote));
    if (!f_reached_q || state_q == StDrain || state_q == StEvSend || state_q == StEvSent)
      p3_idle: assert (!f_sending_q && (!f_answered_q || !f_reached_q));
    if (state_q == StCheck || state_q == StInval || state_q == StStop || state_q == StReach || f_reached_q)
      p3_desc: assert (desc_q == (f_read_q ? f_desc_q : 128'd0));
    if (state_q == StCheck) p3_check: assert (f_read_q);
    if (q_rec_valid_o && q_rec_flag_o) p4_stop: assert (qie_i &&
        (f_read_q ? !f_good_inv && !f_good_wait && {q_b_o, q_a_o} == f_desc_q :
                                                                            {q_b_o, q_a_o} == 128'd0));
    p4_iqe: assert (iqe_set_o == ((q_rec_valid_o && q_rec_flag_o && q_rec_ready_i) ||
                                  (f_wait_over && f_failed_q && !f_lost_q && qie_i)));
    if (!f_qie_q) p5_head: assert (iqh_q == '0);
    if (!qie_i) p5_off: assert (!q_valid_o && !q_rec_valid_o);
    if (f_reached_q) p5_stale: assert (stale_q == f_lost_q);
    if (q_valid_o || q_rec_valid_o) p5_live: assert (!stale_q);
    p6_iwc: assert (iwc_q == f_iwc_q && ip_q == f_ip_q && (!ip_q || iwc_q));
    if (note_valid_o && note_o.code == aa_pkg::NoteInvDone) p6_note:
        assert (ip_q && !im_q && note_o.kind == aa_pkg::RetNotify);
    if (f_evnote_q) p6_msg: assert (msg_valid_o && f_msg == {addr_q, 2'd0, data_q} && f_msg == f_evmsg_q);
    if (f_mwait_q) p6_same: assert (msg_valid_o && f_msg == f_msg_q);
    if (f_nwait_q) p6_stay: assert (note_valid_o);
    if (qie_i && f_qie_q) p7_iqa: assert ({iqa_q, qs_q} == f_iqa_q);

    c_inval: cover (q_done_i && f_as_wait.op == aa_pkg::DescIotlb);
    c_wait: cover (note_valid_o && note_ready_i && note_o.code == aa_pkg::NoteWait && f_as_wait.sw);
    c_failed: cover (f_wait_over && iqe_set_o);
    c_event: cover (state_q == StEvSend && msg_ready_i);
    c_event_drain: cover (state_q == StEvSend && drain_q);
    c_stop: cover (iqe_set_o && f_read_q);
    c_error: cover (iqe_set_o && !f_read_q && iqt_q == 15'd1);
    c_beyond: cover (iqe_set_o && !f_read_q && iqt_q == 15'd256);
    c_lost: cover (note_valid_o && note_ready_i && f_lost_q && qie_i);
  end

  always_ff @(posedge clk_i) begin
    f_start_q <= rst_ni && qie_i && !iqe_i && iqh_q != iqt_q && 16'(iqt_q) < f_size;
    f_evmsg_q <= {addr_q, 2'd0, data_q};
    f_iqa_q   <= {iqa_q, qs_q};
  end
