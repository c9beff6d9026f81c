// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_req: the order of the PSNs of whatever queue pair a step is about, the window, one end for one entry.
`include "fv.svh"
// Rules of README.md: REQ-3, REQ-7, REQ-17, REQ-18, REQ-20, ECN-8, ECN-9.
  `FV_INIT

  logic [23:0] f_way, f_next;
  logic        f_step;
  assign f_step = at_do || step_q == StEnd;
  assign f_way  = st_d.max - st_d.una;
  assign f_next = st_d.psn - st_d.una;

  // nic_rd, and who names queue pairs: those that there are.
  logic            f_rd_wait_q;
  logic [31:0]     f_owed_q, f_ends_q;  // beats, items to come
  nic_pkg::bytes_t f_rd_q;
  always_ff @(posedge clk_i) begin
    f_rd_wait_q <= rst_ni && rd_valid_i && !rd_ready_o;
    f_rd_q      <= rd_beat_i;
    if (!rst_ni) begin
      f_owed_q <= '0;
      f_ends_q <= '0;
    end else begin
      f_owed_q <= f_owed_q - 32'(rd_valid_i && rd_ready_o) + (rd_job_valid_o && rd_job_ready_i ?
                  (32'(rd_job_o.len) + nic_pkg::BeatBytes - 32'd1) / nic_pkg::BeatBytes : 32'd0);
      f_ends_q <= f_ends_q - 32'(rd_valid_i && rd_ready_o && rd_beat_i.last) + 32'(rd_job_valid_o && rd_job_ready_i);
    end
  end
  // An answer's head waits as a stream does.
  logic           f_ans_wait_q, f_ans_step, f_ans_carried;
  nic_pkg::head_t f_ans_q;
  always_ff @(posedge clk_i) begin
    f_ans_wait_q <= rst_ni && ans_head_valid_i && !ans_head_ready_o;
    f_ans_q      <= ans_head_i;
  end
  assign f_ans_carried = step_q == StJob || step_q == StPay || step_q == StEnd;
  assign f_ans_step    = f_ans_carried || step_q == StAck ||
                         ((step_q == StRead || step_q == StKeep || step_q == StDo) && do_q == DoAnswer);

  // What an answer's offset was made with: a QP that is off may be given another MTU, and its answers do nothing.
  logic [2:0] f_mtu_q;
  always_ff @(posedge clk_i) if (step_q == StRead) f_mtu_q <= cfg.mtu;

  // Room that nic_gather has said there is, for a packet that has not come (its P5: it takes that).
  logic f_may_q;
  always_ff @(posedge clk_i) f_may_q <= rst_ni && (pkt_room || (f_may_q && !(pkt_valid && pkt_ready)));

  // Its RetFrame has come.
  logic f_said_q, f_frees_q;
  always_ff @(posedge clk_i) begin
    f_frees_q <= rst_ni && frees;
    if (!rst_ni || ans_load) f_said_q <= 1'b0;
    else if (ret_frame_valid_o) f_said_q <= 1'b1;
  end

  nic_pkg::qp_cfg_t f_cfg0, f_cfg1;
  assign f_cfg0 = cfg_i[CfgW-1:0];
  assign f_cfg1 = cfg_i[CfgW+:CfgW];
  // A queue pair that was ever turned on has an MTU of 1 to 5; what is said of another means nothing.
  logic [NumQps-1:0] f_known_q;
  logic [15:0]       f_whose;
  logic              f_fit;
  assign f_whose = cfg_idx_o;
  assign f_fit   = (f_cfg0.mtu <= 3'd5 || 32'(f_whose[7:0]) >= NumQps || !f_known_q[f_whose[IdxW-1:0]]) &&
                   (f_cfg1.mtu <= 3'd5 || 32'(f_whose[15:8]) >= NumQps || !f_known_q[f_whose[8+:IdxW]]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_known_q <= '0;
    else if (start_valid_i) f_known_q[start_qp_i[IdxW-1:0]] <= 1'b1;
  end

  logic [NumQps-1:0] f_held_q, f_sent_q, f_sent2_q;
  logic              f_looks;  // a step that asks whether it is held back
  always_ff @(posedge clk_i) begin
    f_held_q  <= rst_ni ? held_i : '0;
    f_sent_q  <= rst_ni && sent_valid_o ? NumQps'(1) << qp_q : '0;
    f_sent2_q <= rst_ni ? f_sent_q : '0;
  end
  assign f_looks = (do_q == DoTurn || do_q == DoTimer) && (step_q == StRead || step_q == StKeep || step_q == StDo);

  // What a step has said a cycle ago: a slow QP's packet, with nothing under way; that another may find something.
  logic       f_anew_q, f_none_q, f_late_q, f_quits_q;
  logic [7:0] f_qp_q;
  always_ff @(posedge clk_i) begin
    f_quits_q <= rst_ni && quits;
    f_anew_q <= rst_ni && sent_valid_o && slow_q;
    f_none_q <= f_way == '0;
    f_late_q <= rst_ni && final_step && !is_turn && wakes;
    f_qp_q   <= qp_q;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_head: assume (!f_ans_wait_q || (ans_head_valid_i && ans_head_i == f_ans_q));
    env_bytes: assume (!rd_valid_i || (32'(rd_beat_i.bytes) <= nic_pkg::BeatBytes && rd_beat_i.bytes != '0 &&
                                       (rd_beat_i.last || 32'(rd_beat_i.bytes) == nic_pkg::BeatBytes)));
    env_hold: assume (!f_rd_wait_q || (rd_valid_i && rd_beat_i == f_rd_q));
    env_owed: assume (!rd_valid_i || (f_owed_q != '0 && (!rd_beat_i.last || f_ends_q != '0)));
    env_power: assume ((!start_valid_i || 32'(start_qp_i) < NumQps) && (!stop_valid_i || 32'(stop_qp_i) < NumQps));
    env_bell: assume ((!bell_valid_i || 32'(bell_qp_i) < NumQps) && (!resume_valid_i || 32'(resume_qp_i) < NumQps));
    env_answer: assume (!ans_head_valid_i || 32'(ans_head_i.qp[7:0]) < NumQps);
    env_mtu: assume (f_fit);  // nic_qp P2
    // nic_rate holds a QP back in the second cycle after a packet of it.
    env_held: assume ((held_i & ~f_held_q & ~f_sent2_q) == '0);
  end

  `FV_COMB if (f_past_q) begin
    p1_qp: assert (step_q == StIdle || 32'(qp_q) < NumQps);  // of which a step is
    if (ans_full_q) p1_answer: assert (32'(ans_qp_q) < NumQps);
    // The answer that a step is about is here; its bytes are carried to memory only if it can have some.
    if (f_ans_step) p4_here: assert (do_q == DoAnswer && ans_full_q && !ans_wait_q && !ans_drain_q);
    if (step_q == StDo && do_q != DoAnswer) p4_others: assert (!takes);
    if (ans_wait_q) p4_waits: assert (ans_full_q && !ans_drain_q);
    if (ans_full_q) p4_kind: assert (ans_ack_q == (ans_op_q[4:0] == nic_pkg::OpAck));
    if (f_ans_carried)
      p4_carried: assert (ans_op_q[4:0] >= nic_pkg::OpReadFirst && ans_op_q[4:0] <= nic_pkg::OpAtomicAck &&
                          !ans_ack_q && a_there_q);
    if (again_q || moved_q) p8_again: assert (f_ans_step);
    // What is known of sets before the cycle.
    p5_hold: assert (!rst_ni || hold_set_q || (power_q | lost_set_q) == '0);
    if (rst_ni && step_q != StRead && step_q != StIdle)
      p5_here: assert (on_here_q == on_q[idx] && power_here_q == power_q[idx]);
    if (!Keeps) p1_keeps: assert (step_q != StKeep && step_q != StAck);
    // What a turn knows of its state since a cycle.
    if ((step_q == StKeep || step_q == StDo) && do_q == DoTurn)
      p1_known: assert (nth_q == st_q.psn - st_q.cfirst && base_q == st_q.cfirst - st_q.una &&
                        span_q == st_q.max - st_q.una && tip_q == (st_q.psn - st_q.una + 24'd1 > span_q) &&
                        open_q == (st_q.psn - st_q.una < 24'(Window)) && idle_q == (span_q == '0) &&
                        oldest_q == (st_q.cur == st_q.cons) &&
                        here_q == (st_q.psn == st_q.lpsn) && due_q == (st_q.una == st_q.lpsn) &&
                        past_q == (st_q.una - st_q.lpsn - 24'd1 < 24'h40_0000));
    // And an answer; of PSNs that leave since, RetFrame comes first.
    if (f_ans_step && step_q != StRead)
      p7_known: assert (upto_q == ans_upto && a_there_q == (ans_upto == st_q.una) &&
                        a_span_q == ans_upto - st_q.first && a_nth_q == st_q.una - st_q.first + 24'd1);
    if (f_ans_step && step_q != StRead && !ans_ack_q)
      p7_offset: assert (offset_q == {8'd0, st_q.una - st_q.first} << (4'd7 + {1'b0, f_mtu_q}) &&
                         a_ends_q == offset_q + 32'(ans_bytes_q) && a_whole_q == offset_q + (32'd128 << f_mtu_q) &&
                         a_full_q == (32'(ans_bytes_q) == 32'd128 << f_mtu_q));
    // What nic_ack says of that.
    if (f_ans_step && (step_q == StDo || f_ans_carried))
      p7_said: assert ({a_more, a_moved, a_done, takes, a_back, a_rnr, a_end, a_una, a_status, a_code} ==
                       {n_more, n_moved, n_done, n_takes, n_back, n_rnr, n_end, n_una, n_status, n_code});
    // Its first step: in a further one nic_ack does not look at it.
    if ((at_do || ((step_q == StKeep || step_q == StAck) && !again_read_q)) && do_q == DoAnswer && !again_q)
      p7_under: assert (under_q == (ans_psn_q - st_q.una < sent - st_q.una));
    p5_turns: assert (turns_q == (step_q == StFree && do_q == DoPower));
    // Its record comes once, before what is left of its item, and before idle_o.
    p4_drain: assert (ans_drain_q == (ans_full_q && f_said_q));
    if (ans_pay_ready_o && step_q != StPay) p4_behind: assert (f_said_q);
    p4_idle: assert (idle_o == (!ans_full_q || f_said_q));
    if (ret_frame_valid_o)
      p4_once: assert (ans_full_q && !f_said_q && ret_frame_o.a[23:0] == ans_psn_q && ret_frame_ce_o == ans_ce_q);
    if (ans_head_ready_o && ans_head_valid_i) p4_gone: assert (ans_load || f_said_q || ret_frame_valid_o);
    if (pkt_valid && pkt_ready)
      p1_window: assert (on_q[idx] && !st_q.err && !st_q.rnr && st_q.psn - st_q.una < 24'(Window) &&
        st_d.psn == st_q.psn + cut_count);
    if (pkt_valid) p1_behind: assert (e.bad == nic_pkg::StDone && !(st_q.lost && st_q.psn == st_q.lpsn));
    if (final_step && fail)
      p1_stops: assert (st_d.err && f_way == '0 && f_next == '0 && st_d.cons == st_q.cons + 16'd1);
    if (final_step && !fail && !finish) p2_stays: assert (st_d.cons == st_q.cons && !ev_push && !frees);
    if (rst_ni && final_step && (fail || finish))
      p2_ends: assert (ev_push != frees && ev_room && done_valid && st_d.cons == st_q.cons + 16'd1);
    if (ev_push)
      p2_event: assert (ev.kind == nic_pkg::EvSend && ev.kept && ev.word[15:0] == st_q.cons && ev.proc == st_q.proc);
    if (final_step && fail) p2_bad: assert (ev_push);
    if (final_step && finish) p2_asks: assert (ev_push == (fail || e.asks) && (fail || ev.status == '0));
    p2_back: assert (back_valid_o == f_frees_q);
    if (ev_push && step_q == StDo) p3_after: assert (!takes);
    p4_record: assert (!ret_frame_valid_o || (f_step && do_q == DoAnswer && final_step));
    p4_timer: assert (!ret_timer_valid_o ||
                      (step_q == StDo && (do_q == DoTimer || do_q == DoLost || (do_q == DoTurn && fail))) ||
                      (init_valid && do_q == DoPower));
    if (st_we && st_d.epoch != st_q.epoch) p4_epoch: assert (ret_timer_valid_o || ret_frame_valid_o);
    p4_said: assert (!(final_step && fail) || ret_timer_valid_o || ret_frame_valid_o);
    if (init_valid && do_q == DoPower && begins_q) p5_quiet: assert (st_we && f_way == '0 && f_next == '0 &&
        st_d.una == begins.psn && st_d.cons == begins.cons && st_d.cur == begins.cons && st_d.err == begins.err);
    if (init_valid && do_q == DoPower && !begins_q)
      p5_stays: assert (st_d.cons == st_q.cons && st_d.una == st_q.una && st_d.err == st_q.err &&
                        st_d.code == st_q.code);
    // A step has seen it held back, or nothing holds it back before the step has sent.
    if (rst_ni && f_looks) p6_apart: assert (!f_sent_q[idx]);
    if (rst_ni && f_looks && step_q != StRead) p6_seen: assert (held_q || !held_i[idx]);
    if (rst_ni && sent_valid_o) p6_held: assert (!held_i[idx] && sent_qp_o == qp_q && sent_bytes_o == cut_head.bytes);
    if (pkt_valid && pkt_ready) p6_told: assert (sent_valid_o);
    if (pick_turn) p8_room: assert (pkt_room);
    if (do_q == DoTurn && (step_q == StRead || step_q == StKeep || step_q == StDo)) p8_waits: assert (f_may_q);
`ifndef YOSYS
    if (pkt_valid) p8_ready: assert (pkt_ready);
    if (pkt_valid) p1_near: assert (st_q.psn - st_q.una + cut_count <= 24'h80_0000);
    p2_done: assert (!(init_valid && u_fetch.done_q));
    p2_good: assert (u_step.f_good);  // what nic_step assumes (u_step.env_good)
    // And nic_ack of an answer that is not stale; of an ACK, the bytes are nobody's.
    if (at_do && do_q == DoAnswer && on_here_q && !st_q.err && (again_q || under_q))
      p2_answer: assert (u_ack.f_good || (ans_ack_q && again_q));
`endif
    if (fire_valid && fire_ready) p6_alarm: assert (!(tm_q && tm_qp_q == fire_qp));  // not one that another replaces
    // Something is under way then: a packet has at least one PSN (nic_fetch).
    if (f_anew_q) p6_anew: assert (tm_q && tm_qp_q == f_qp_q && tm_kind == (f_none_q ? 2'd0 : 2'd1));
    if (final_step && is_turn) p8_turn: assert (turn_wakes == wakes);
    if (f_late_q) p8_late: assert (late_wake_q && wake[late_idx_q] && 8'(late_idx_q) == f_qp_q);
    if (final_step && do_q == DoTimer && held_q && !fire_rnr_q)
      p6_nothing: assert (st_d == st_q && !fail && !ret_timer_valid_o);
    if (f_step && power_q[idx] && do_q != DoAnswer) p5_leaves: assert (!pkt_valid && !times && !fail);
    if (quits) p5_quits: assert (!gat_busy && !fetch_busy && !pkt_valid && do_q == DoPower);
    p5_through: assert (through_valid_o == f_quits_q);
    if (through_valid_o) p5_whose: assert (through_qp_o == f_qp_q && turns_q && !pkt_valid);
    c_send: cover (pkt_valid && pkt_ready);
    c_power: cover (init_valid && do_q == DoPower && on_q[idx]);
    c_stale: cover (ret_frame_valid_o);
    c_drain: cover (ans_drain_q && ans_pay_valid_i);
  end
