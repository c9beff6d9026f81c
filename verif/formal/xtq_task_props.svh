// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_task: one log, chosen freely, stands for all. f_pend_q and f_out_q are what an outsider knows of it:
// a notice that came and has not been enqueued; a task that was enqueued and is not done.
`include "fv.svh"
// Rules of README.md: TSK-1, TSK-3.
  `FV_INIT
  `FV_ANYCONST(f_log, 5)
  `FV_BELOW(def_log, f_log, NumLogs)
  `FV_SEES(f_idle, 1, idle_o)

  logic           f_pend_q, f_out_q, f_mine, f_notice, f_won, f_done, f_task_wait_q, f_event_wait_q, f_tell_q;
  logic [63:0]    f_news_q;
  logic [511:0]   f_packet_q;
  logic [4:0]     f_task_log_q;
  logic [19:0]    f_task_of_q;  // whose it is
  nic_pkg::event_t f_ev_q;
  logic           f_p, f_o, f_t, f_e, f_on, f_held_q;  // of the log: what the design says; f_held_q: idle and held

  assign f_mine   = task_log_o == f_log;
  assign f_notice = notice_valid_i && notice_ready_o && notice_log_i == f_log;
  assign f_won    = task_valid_o && task_ans_i && task_ok_i && f_mine;
  assign f_done   = done_o && done_log_o == f_log;
  always_comb begin
    f_p = 1'b0;
    f_o = 1'b0;
    f_t = 1'b0;
    f_e = 1'b0;
    f_on = 1'b0;
    for (int unsigned i = 0; i < NumLogs; i++) begin
      if (f_log == 5'(i)) begin
        f_p = pend_q[i];
        f_o = out_q[i];
        f_t = tell_q[i];
        f_e = event_q[i];
        f_on = en_q[i];
      end
    end
  end

  // What software wrote: one word of the template, and the log's process, queue and EN. And who got the task.
  `FV_ANYCONST(f_w, 3)
  logic [63:0] f_tpl_q, f_conf_q, f_seen, f_sent;
  nic_reg_pkg::xt_log_t f_conf;
  logic [19:0] f_to;  // process and queue
  assign f_conf = f_conf_q;
  assign f_to   = {f_conf.PROC, f_conf.QUEUE};
  logic [3:0]  f_proc_q;
  logic        f_plain, f_known, f_tpl_known;
  assign f_plain = f_w < 3'd2 || f_w > 3'd4;
  assign f_seen  = 64'(packet_q >> {4'd8 - word_q + {1'b0, f_w}, 6'd0});
  assign f_sent  = 64'(task_packet_o >> {f_w, 6'd0});
  assign f_known     = log_known_q[f_log[LogW-1:0]];
  assign f_tpl_known = tpl_known_q[{f_log[LogW-1:0], f_w}];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_tpl_q  <= '0;
      f_conf_q <= '0;
    end else if (rb_i.we) begin
      for (int unsigned i = 0; i < 8; i++) if (rb_i.wstrb[i]) begin
        if (rb_i.addr == {9'(nic_reg_pkg::RegXT_TPL >> 11), f_log, f_w}) f_tpl_q[8*i+:8] <= rb_i.wdata[8*i+:8];
        if (rb_i.addr == {12'(nic_reg_pkg::RegXT_LOG >> 8), f_log}) f_conf_q[8*i+:8] <= rb_i.wdata[8*i+:8];
      end
    end
    if (f_won) f_proc_q <= task_proc_o;
  end

  logic [16:0] f_addr_q;
  always_ff @(posedge clk_i) f_addr_q <= rb_i.addr;

  logic f_bank;  // of a log's register, or its template
  assign f_bank = (rb_i.addr[16:5] == 12'(nic_reg_pkg::RegXT_LOG >> 8) && 32'(rb_i.addr[4:0]) < NumLogs) ||
                  (rb_i.addr[16:8] == 9'(nic_reg_pkg::RegXT_TPL >> 11) && 32'(rb_i.addr[7:3]) < NumLogs);

  always_ff @(posedge clk_i) begin
    f_task_wait_q  <= rst_ni && task_valid_o && !task_ans_i;
    f_held_q       <= rst_ni && hold_i && idle_o;
    f_event_wait_q <= rst_ni && event_valid_o && !event_ready_i;
    f_packet_q     <= task_packet_o;
    f_task_log_q   <= task_log_o;
    f_task_of_q    <= {task_proc_o, task_queue_o};
    f_ev_q         <= event_o;
    if (!rst_ni) begin
      f_pend_q <= 1'b0;
      f_out_q  <= 1'b0;
    end else begin
      if (f_notice) f_pend_q <= 1'b1;
      else if (f_won) f_pend_q <= 1'b0;
      if (f_won) f_out_q <= 1'b1;
      else if (f_done) f_out_q <= 1'b0;
    end
    if (f_won) f_tell_q <= task_event_i;
    if (f_notice) f_news_q <= {notice_cons_i, notice_prod_i};
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // The IOMMU: no notice of a log before the last one's task is done.
    if (notice_valid_i) env_range: assume (32'(notice_log_i) < NumLogs);
    if (f_notice) env_one: assume (!f_pend_q && !f_out_q);

    if (rb_i.we && f_bank) env_hold: assume (hold_i && f_idle);
    if (rb_i.we) env_setup: assume (rb_i.addr == f_addr_q);

    p2_decoded: assert (rb_l_q == f_addr_q[LogW-1:0] && rb_t_q == f_addr_q[LogW+2:0] &&
        rb_log_q == (f_addr_q[16:5] == 12'(nic_reg_pkg::RegXT_LOG >> 8) && 32'(f_addr_q[4:0]) < NumLogs) &&
        rb_tpl_q == (f_addr_q[16:8] == 9'(nic_reg_pkg::RegXT_TPL >> 11) && 32'(f_addr_q[7:3]) < NumLogs) &&
        rb_done_q == (f_addr_q == 17'(nic_reg_pkg::RegXT_TASK_DONE >> 3)));

    p1_kept: assert (f_p == f_pend_q);
    if (task_valid_o && f_mine) p1_once: assert (f_pend_q);
    p3_out: assert (f_o == f_out_q && !(f_pend_q && f_out_q));
    p3_done: assert (!f_done || f_out_q);
    if (rb_i.we && rb_i.addr == 17'(nic_reg_pkg::RegXT_TASK_DONE >> 3) && rb_i.wstrb[0] && rb_i.wdata[4:0] == f_log &&
        f_out_q)
      p3_armed: assert (f_done);
    if (f_out_q) p3_quiet: assert (!f_e && !(event_valid_o && event_o.word == 32'(f_log)));
    if (f_out_q) p3_tell: assert (f_t == f_tell_q);
    if (task_valid_o) p2_log: assert (task_packet_o[xtq_pkg::CmdArg0+:64] == 64'(task_log_o));
    if (task_valid_o && f_mine) p2_news: assert (task_packet_o[xtq_pkg::CmdArg1+:64] == {32'd0, f_news_q[31:0]} &&
                                                 task_packet_o[xtq_pkg::CmdArg2+:64] == {32'd0, f_news_q[63:32]});
    if (task_valid_o && f_mine && f_plain) p2_template: assert (f_sent == f_tpl_q);
    if (task_valid_o && f_mine) p2_target: assert ({task_proc_o, task_queue_o} == f_to);
    if (f_addr_q == {9'(nic_reg_pkg::RegXT_TPL >> 11), f_log, f_w}) p2_read: assert (rb_rdata_o == f_tpl_q);
    if (f_addr_q == {12'(nic_reg_pkg::RegXT_LOG >> 8), f_log})
      p2_read_log: assert (rb_rdata_o == {f_conf.EN, 43'd0, f_to});
    if (event_valid_o && event_o.word == 32'(f_log)) p3_event: assert (event_o.proc == f_proc_q && event_o.kept &&
                                                                       event_o.kind == nic_pkg::EvTaskDone);
    if (f_task_wait_q) p5_task: assert (task_valid_o && task_packet_o == f_packet_q && task_log_o == f_task_log_q);
    if (f_task_wait_q) p5_task_of: assert ({task_proc_o, task_queue_o} == f_task_of_q);
    if (f_event_wait_q) p5_event: assert (event_valid_o && event_o == f_ev_q);
    p1_ready: assert (notice_ready_o);
    if (event_valid_o || f_e) p3_first: assert (!(f_mine && task_valid_o && (f_e || event_o.word == 32'(f_log))));
    if (f_held_q) p6_held: assert (idle_o);
    if (task_valid_o && f_mine) p6_on: assert (f_on);

    // What keeps the proof together.
    if (f_pend_q) p1_news: assert (news_q[f_log[LogW-1:0]] == f_news_q);
    if (busy_q && 5'(now_q) == f_log)
      p1_busy: assert (f_pend_q && f_on && !f_e && !(event_valid_o && event_o.word == 32'(f_log)));
    p2_kept: assert (f_tpl_known ? tpl_q[{f_log[LogW-1:0], f_w}] == f_tpl_q : f_tpl_q == '0);
    p2_conf: assert (f_on == f_conf.EN && (f_known ? log_q[f_log[LogW-1:0]] == f_to :
                                              f_to == '0 && !f_on));
    if (busy_q && 5'(now_q) == f_log)
      p2_begun: assert (conf_q == f_to && (!f_plain || word_q <= {1'b0, f_w} || f_seen == f_tpl_q));
    if (f_out_q || f_e) p3_proc: assert (out_proc_q[f_log[LogW-1:0]] == f_proc_q);
    p1_now: assert (!busy_q || 32'(now_q) < NumLogs);
    p1_turn: assert (!turn_valid_q || 32'(turn_q) < NumLogs);
    p1_offer: assert (!offer_q || (busy_q && word_q[3]));
    p1_word: assert (!busy_q || word_q <= 4'd8);
    if (busy_q && word_q == 4'd8) p2_arg0: assert (packet_q[xtq_pkg::CmdArg0+:64] == 64'(now_q));
    if (busy_q && word_q == 4'd7) p2_arg0_7: assert (packet_q[xtq_pkg::CmdArg0+64+:64] == 64'(now_q));
    if (busy_q && word_q == 4'd6) p2_arg0_6: assert (packet_q[xtq_pkg::CmdArg0+128+:64] == 64'(now_q));
    if (busy_q && word_q == 4'd5) p2_arg0_5: assert (packet_q[xtq_pkg::CmdArg0+192+:64] == 64'(now_q));
    if (busy_q && word_q == 4'd4) p2_arg0_4: assert (packet_q[xtq_pkg::CmdArg0+256+:64] == 64'(now_q));
    if (busy_q && word_q == 4'd3) p2_arg0_3: assert (packet_q[xtq_pkg::CmdArg0+320+:64] == 64'(now_q));
    if (busy_q && 5'(now_q) == f_log) begin
      if (word_q == 4'd8) p2_arg1: assert (packet_q[xtq_pkg::CmdArg1+:64] == {32'd0, f_news_q[31:0]});
      if (word_q == 4'd7) p2_arg1_7: assert (packet_q[xtq_pkg::CmdArg1+64+:64] == {32'd0, f_news_q[31:0]});
      if (word_q == 4'd6) p2_arg1_6: assert (packet_q[xtq_pkg::CmdArg1+128+:64] == {32'd0, f_news_q[31:0]});
      if (word_q == 4'd5) p2_arg1_5: assert (packet_q[xtq_pkg::CmdArg1+192+:64] == {32'd0, f_news_q[31:0]});
      if (word_q == 4'd4) p2_arg1_4: assert (packet_q[xtq_pkg::CmdArg1+256+:64] == {32'd0, f_news_q[31:0]});
      if (word_q == 4'd8) p2_arg2: assert (packet_q[xtq_pkg::CmdArg2+:64] == {32'd0, f_news_q[63:32]});
      if (word_q == 4'd7) p2_arg2_7: assert (packet_q[xtq_pkg::CmdArg2+64+:64] == {32'd0, f_news_q[63:32]});
      if (word_q == 4'd6) p2_arg2_6: assert (packet_q[xtq_pkg::CmdArg2+128+:64] == {32'd0, f_news_q[63:32]});
      if (word_q == 4'd5) p2_arg2_5: assert (packet_q[xtq_pkg::CmdArg2+192+:64] == {32'd0, f_news_q[63:32]});
    end
    c_again: cover (f_pend_q && f_retried_q && idle_o);
    c_rearmed: cover (f_notice && f_twice_q);
    c_event: cover (event_valid_o && event_ready_i && event_o.word == 32'(f_log));
  end

  logic f_retried_q, f_twice_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_retried_q <= 1'b0;
      f_twice_q   <= 1'b0;
    end else begin
      if (task_valid_o && task_ans_i && !task_ok_i && f_mine) f_retried_q <= 1'b1;
      if (f_done) f_twice_q <= 1'b1;
    end
  end
