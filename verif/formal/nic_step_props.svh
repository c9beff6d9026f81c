// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_step (REQ-13, REQ-15, REQ-16, REQ-17, ECN-9), about one step of any kind in any state that nic_req
// can hand it.
  logic [5:0] f_kinds;
  logic       f_on, f_ends, f_still;
  assign f_kinds = {turn_i, answer_i, timer_i, resume_i, lost_i, power_i};
  assign f_on    = power_i && begins_i;
  assign f_ends  = finish_o || fail_o;
  assign f_still = !send_o && !f_ends && !go_back && !retime_o && !use_rnr_o && !rewinds_o && !times_o && !waited_o;

  // What nic_req hands it: one kind of step; what it knows of the state; verdicts as nic_ack gives them (its P1, P3,
  // P5).
  logic f_known, f_ack, f_good;
  logic [23:0] f_end, f_span;  // where the packet ends, and max, from una on
  assign f_end   = st_i.psn - st_i.una + count_i;
  assign f_span  = st_i.max - st_i.una;
  assign f_known = newest_i == (f_end > f_span) && idle_i == (f_span == '0) &&
                   oldest_i == (st_i.cur == st_i.cons) && here_i == (st_i.psn == st_i.lpsn) &&
                   due_i == (st_i.una == st_i.lpsn);
  assign f_ack   = (ack_moved_i || ack_una_i == st_i.una) && (!ack_done_i || ack_moved_i) &&
                   (!(ack_rnr_i || ack_end_i) || (ack_una_i == st_i.una && !ack_moved_i && !st_i.err && on_i)) &&
                   !(ack_rnr_i && ack_end_i) && !(ack_back_i && (ack_rnr_i || ack_end_i)) &&
                   (st_i.err || !on_i ? !ack_back_i && !ack_moved_i : 1'b1);
  assign f_good  = (f_kinds & (f_kinds - 6'd1)) == '0 && (!turn_i || f_known) && (!answer_i || f_ack);

  // It has no clock: a prover knows the first cycle, in which nic_req has not been reset; in simulation nic_req looks
  // at f_good.
`ifdef YOSYS
  logic f_first;
  assign f_first = $initstate;
  always_comb if (!f_first) env_good: assume (f_good);
`endif

  nic_pkg::req_state_t f_epoch;  // as it was, with the epoch of now
  always_comb begin
    f_epoch       = st_i;
    f_epoch.epoch = st_o.epoch;
  end

  always_comb if (f_good) begin
    if (f_kinds == '0) p1_stays: assert (st_o == st_i && f_still);
    if (send_o) p2_may: assert (turn_i && on_i && !anew_i && !st_i.err && !st_i.rnr && !held_i && open_i && entry_i &&
        bad_i == nic_pkg::StDone && !(st_i.lost && here_i));
    if (send_o) p2_psn: assert (st_o.psn == st_i.psn + count_i && st_o.una == st_i.una && st_o.cons == st_i.cons &&
        st_o.epoch == st_i.epoch && st_o.first == st_i.first);
    if (send_o) p2_max: assert (st_o.max == (f_end > f_span ? st_o.psn : st_i.max));
    if (send_o)
      p2_next: assert (st_o.cur == st_i.cur + 16'(last_i) && st_o.cfirst == (last_i ? st_o.psn : st_i.cfirst));
    if (send_o) p2_time: assert (retime_o == (idle_i || slow_i));
    if (turn_i && on_i && !anew_i && !st_i.err && !st_i.lost && !st_i.rnr && entry_i && bad_i == nic_pkg::StDone &&
        open_i)
      p2_goes: assert (send_o == !held_i);
    if (!answer_i && !f_on) p3_una: assert (st_o.una == st_i.una);
    if (answer_i) p3_answer: assert (st_o.una == ack_una_i);
    if (!f_on) p3_cons: assert (st_o.cons == st_i.cons + 16'(f_ends));
    if (f_ends && !fail_o) p3_done: assert (answer_i && ack_done_i && st_o.first == ack_una_i);
    if (answer_i) p3_all: assert (f_ends == (ack_done_i || fail_o));
    if (fail_o) p4_stops: assert (st_o.err && st_o.code == status_o && st_o.psn == st_o.una && st_o.max == st_o.una &&
        st_o.cur == st_o.cons && st_o.first == st_o.una && st_o.cfirst == st_o.una && !st_o.rnr && !st_o.lost &&
        !st_o.asked);
    if (fail_o) p4_after: assert (rewinds_o && rewind_o == st_o.cons && retime_o);
    if (!f_on && st_o.err && !st_i.err) p4_only: assert (fail_o);
    if (!f_on && st_i.err && !st_o.err)
      p4_resumes: assert (resume_i && st_i.code != nic_pkg::StTimeout && st_i.code != nic_pkg::StLocalRead);
    if (turn_i && fail_o)
      p4_turn: assert (st_i.cur == st_i.cons ? status_o == bad_i || status_o == nic_pkg::StLocalRead :
        st_i.lost && st_i.una == st_i.lpsn && status_o == nic_pkg::StLocalRead);
    if (go_back && !fail_o)
      p5_back: assert (st_o.psn == st_o.una && st_o.cur == st_o.cons && st_o.cfirst == st_o.first);
    if (st_o.epoch != st_i.epoch) p5_epoch: assert (st_o.epoch == st_i.epoch + 8'd1 && (go_back || fail_o || power_i));
    if ((go_back || fail_o) && st_i.psn != st_i.una) p5_forgets: assert (st_o.epoch != st_i.epoch);
    if (go_back && lost_i) p5_lost: assert (!exact_o && on_i && !st_i.err);
    if (lost_i && exact_o)
      p5_again: assert (st_o.psn == lost_psn_i && st_o.lost && st_o.lpsn == lost_psn_i && st_o.max == sent_i);
    if (lost_i) p8_lost: assert (wakes_o && rewinds_o == (!exact_o && !st_i.lost));
    if (times_o) p6_counts: assert (timer_i && !fire_rnr_i && !held_i && !st_i.rnr && st_i.una != st_i.max &&
        (fail_o ? st_i.tries == retry_i && status_o == nic_pkg::StTimeout : st_o.tries == st_i.tries + 3'd1 &&
         go_back));
    if (timer_i && !times_o && !waited_o) p6_nothing: assert (st_o == st_i && !fail_o && !go_back);
    if (waited_o) p6_waited: assert (timer_i && fire_rnr_i && st_i.rnr && !st_o.rnr && go_back && !fail_o);
    if (answer_i && ack_moved_i) p6_anew: assert (st_o.tries == '0 && st_o.rtries == '0 && !st_o.rnr);
    if (answer_i && ack_rnr_i && !fail_o) p6_rnr: assert (st_o.rnr && use_rnr_o &&
        st_o.rtries == st_i.rtries + 3'(rnr_retry_i != 3'd7) && (rnr_retry_i == 3'd7 || st_i.rtries != rnr_retry_i));
    if (answer_i && ack_back_i && !fail_o) p5_asked: assert (st_o.asked && go_back);
    if (power_i) p7_epoch: assert (st_o.epoch == st_i.epoch + 8'd1);
    if (power_i && !begins_i) p7_off: assert (st_o == f_epoch);
    if (f_on) p7_on: assert (st_o.psn == begin_i.psn && st_o.una == begin_i.psn && st_o.max == begin_i.psn &&
        st_o.first == begin_i.psn && st_o.cfirst == begin_i.psn && st_o.cons == begin_i.cons &&
        st_o.cur == begin_i.cons &&
        st_o.err == begin_i.err && st_o.code == begin_i.code && st_o.proc == proc_i && !st_o.rnr && !st_o.lost &&
        !st_o.asked);
    if (go_back || (finish_o && unsent_i) || (send_o && (!last_i || behind_i))) p8_wakes: assert (wakes_o);
    p8_turn: assert (turn_i && !moved_i ? turn_wakes_o == wakes_o : !turn_wakes_o || turn_i);
    c_send: cover (send_o && last_i && st_i.epoch == 8'd3);
    c_ends: cover (finish_o && !fail_o && answer_i);
    c_fails: cover (fail_o && timer_i);
    c_skips: cover (answer_i && skips && ack_done_i);
    c_exact: cover (lost_i && exact_o && st_i.cons == 16'd2);
    c_resumes: cover (resume_i && st_i.err && !st_o.err);
  end
