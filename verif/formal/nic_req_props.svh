// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_req: the order of the PSNs of whatever queue pair a step is about, the window, one end for one entry.
`include "fv.svh"

  `FV_INIT

  logic [23:0] f_way, f_next;
  logic        f_step;
  assign f_step = step_q == StDo || step_q == StEnd;
  assign f_way  = st_d.max - st_d.una;
  assign f_next = st_d.psn - st_d.una;

  `FV_COMB if (f_past_q) begin
    if (pkt_valid && pkt_ready) p1_window: assert (on_q[idx] && !st_q.err && !st_q.rnr && st_q.psn - st_q.una < 24'(Window) &&
        st_d.psn == st_q.psn + cut_count);
    if (pkt_valid) p1_behind: assert (e.bad == nic_pkg::StDone && !(st_q.lost && st_q.psn == st_q.lpsn));
    if (final_step && fail) p1_stops: assert (st_d.err && f_way == '0 && f_next == '0 && st_d.cons == st_q.cons + 16'd1);
    if (final_step && !fail && !finish) p2_stays: assert (st_d.cons == st_q.cons && !ev_push);
    if (final_step && (fail || finish)) p2_ends: assert (ev_push && ev_room && done_valid && st_d.cons == st_q.cons + 16'd1);
    if (final_step && fail) p2_event: assert (ev.kind == nic_pkg::EvSend && ev.kept && ev.word[15:0] == st_q.cons);
    if (final_step && finish) p2_asks: assert (ev.kind == (fail || e.asks ? nic_pkg::EvSend : 8'd0) && (fail || ev.status == '0));
    if (ev_push && step_q == StDo) p3_after: assert (!takes);
    p4_record: assert (!ret_frame_valid_o || (f_step && do_q == DoAnswer && final_step));
    p4_timer: assert (!ret_timer_valid_o || (step_q == StDo && (do_q == DoTimer || do_q == DoLost || (do_q == DoTurn && fail))) ||
                      (init_valid && do_q == DoPower));
    if (st_we && st_d.epoch != st_q.epoch) p4_epoch: assert (ret_timer_valid_o || ret_frame_valid_o);
    p4_said: assert (!(final_step && fail) || ret_timer_valid_o || ret_frame_valid_o);
    if (init_valid && do_q == DoPower && begins_q) p5_quiet: assert (st_we && f_way == '0 && f_next == '0 && st_d.una == spsn);
    if (init_valid && do_q == DoPower && !begins_q)
      p5_stays: assert (st_d.cons == st_q.cons && st_d.una == st_q.una && st_d.err == st_q.err && st_d.code == st_q.code);
    if (f_step && power_q[idx] && do_q != DoAnswer) p5_leaves: assert (!pkt_valid && !times && !fail);
    c_send: cover (pkt_valid && pkt_ready);
    c_power: cover (init_valid && do_q == DoPower && on_q[idx]);
    c_stale: cover (ret_frame_valid_o);
  end
