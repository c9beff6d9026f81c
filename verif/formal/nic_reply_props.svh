// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_reply: the order of the pointers, who may be offered, what is forgotten, what is read no more.
`include "fv.svh"
// Rules of README.md: RSP-7, RSP-10, RSP-11, RSP-15, RSP-17, RSP-18.
  `FV_INIT
  `FV_SEES(f_idle, 1, idle_o)
  `FV_SEES(f_room, 1, room_o)
  `FV_SEES(f_look_wait, 1, look_wait_o)

  logic f_wait_q, f_ev_wait_q;
  logic f_goes_q;                     // a head was taken with which a queue pair goes back; it, and its head's words
  logic [7:0]  f_goes_qp_q;
  logic [23:0] f_goes_psn_q, f_goes_msn_q, f_from_q;
  logic f_cut_q, f_cut2_q, f_cut3_q;  // the oldest has been cut short: since one cycle, two, three
  logic f_stays_q;                    // the entry at read_q was there a cycle ago
  logic [nic_pkg::EventW-1:0] f_ev_q;
  logic [31:0] f_beats_q, f_jobs_q;  // that nic_rd owes
  logic [NumQps-1:0] f_on_q;
  logic [31:0] f_look_q, f_look2_q;
  logic        f_turn_q, f_turn2_q;
  logic [19:3] f_addr_q;
  logic        f_answers, f_done_q;  // QP_ANSWER is addressed; it has been written
  logic        f_on;                 // the queue pair of a response is
  assign f_answers = rb_i.addr[16:15] == 2'(nic_reg_pkg::RegQP_ANSWER_PSN >> 18);
  always_comb begin
    f_on = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (reply_i.qp == 8'(i)) f_on = f_on_q[i];
  end

  always_ff @(posedge clk_i) begin
    f_wait_q    <= rst_ni && head_valid_o && !head_ready_i;
    f_ev_wait_q <= rst_ni && ev_valid_o && !ev_ready_i;
    f_goes_q    <= rst_ni && taken && bad && absent && r_q.fresh;
    {f_goes_qp_q, f_goes_psn_q, f_goes_msn_q, f_from_q} <= {head_qp_o, head_o.psn, head_o.ext[23:0], r_q.from};
    f_ev_q      <= ev_o;
    f_cut_q     <= rst_ni && !pop && ((taken && bad) || f_cut_q);
    f_cut2_q    <= rst_ni && !pop && f_cut_q;
    f_cut3_q    <= rst_ni && !pop && f_cut2_q;
    f_stays_q   <= rst_ni && read_num_q != fence_num_q && !read_next;
    f_addr_q    <= rb_i.addr;
    f_look_q    <= {look_qp_i, look_psn_i};
    f_look2_q   <= f_look_q;
    f_turn_q    <= hold_i && f_answers;
    f_turn2_q   <= f_turn_q;
    f_done_q    <= rb_i.we && f_answers;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (!rst_ni || (stop_valid_i && stop_qp_i == 8'(i))) f_on_q[i] <= 1'b0;
      else if (start_valid_i && start_qp_i == 8'(i)) f_on_q[i] <= 1'b1;
    end
    if (!rst_ni) begin
      f_beats_q <= '0;
      f_jobs_q  <= '0;
    end else begin
      f_beats_q <= f_beats_q - 32'(rd_valid_i) + (rd_job_valid_o && rd_job_ready_i ?
                   (32'(rd_job_o.len) + nic_pkg::BeatBytes - 32'd1) / nic_pkg::BeatBytes : 32'd0);
      f_jobs_q  <= f_jobs_q - 32'(rd_valid_i && rd_beat_i.last) + 32'(rd_job_valid_o && rd_job_ready_i);
    end
  end

  `FV_COMB begin
    if (reply_valid_i)
      env_room: assume (f_room && reply_i.mtu >= 3'd1 && reply_i.mtu <= 3'd5 && 32'(reply_i.qp) < NumQps &&
                        reply_i.packets != '0);
    if (f_past_q && rd_valid_i) env_item: assume (f_beats_q != 32'd0 && (!rd_beat_i.last || f_jobs_q != 32'd0));
    if (start_valid_i || stop_valid_i) env_hold: assume (hold_i && f_idle);
    if (start_valid_i) env_start: assume (!stop_valid_i && 32'(start_qp_i) < NumQps && sts_qp_i == start_qp_i);
    if (stop_valid_i) env_stop: assume (32'(stop_qp_i) < NumQps && sts_qp_i == stop_qp_i);
    if (reply_valid_i) env_on: assume (f_on);
    // A new atomic has been looked up.
    if (reply_valid_i && reply_i.kind == nic_pkg::ReplyAtomic)
      env_look: assume (f_past_q && !f_look_wait && !hold_i && !f_turn2_q && f_look2_q == {reply_i.qp, reply_i.psn});
    if (rb_i.we && f_answers) env_write: assume (hold_i && f_idle);
    if (hold_i && (f_answers || f_addr_q[19:18] == 2'(nic_reg_pkg::RegQP_ANSWER_PSN >> 18)))
      env_setup: assume (rb_i.addr == f_addr_q);
    if (hold_i && f_answers) env_alone: assume (!start_valid_i && !stop_valid_i && !f_done_q);

    if (f_past_q) begin
      p1_order: assert (read_num_q <= fence_num_q && fence_num_q <= level_q && 32'(level_q) <= RespDepth);
      if (read_next) p1_read: assert (read_num_q != fence_num_q);
      if (pop) p1_pop: assert (read_num_q != '0 && !taken);
      if (head_valid_o) p1_head: assert (state_q == StHead && (!needs_q || item_valid));
      if (state_q != StLoad) p1_some: assert (level_q != '0);
      if (fails) p1_nak: assert (head_code_o == nic_pkg::TxNak &&
          head_o.ext[31:24] == {nic_pkg::SynNak, nic_pkg::NakOperation} &&
          head_o.opcode == {nic_pkg::TransRc, nic_pkg::OpAck});
      if (pay_valid_o && flows_q) p1_good: assert (!pay_o.err);
      if (state_q != StLoad) p2_copy: assert (dead == (dead_q[head_q] || fails_q));
      if (head_valid_o) p2_dead: assert (!dead);
      if (state_q == StDrop && drained_q) p2_drained: assert (!drain && read_num_q != '0);
      if (state_q == StPay) p1_last: assert (last_q == last);
      p2_room: assert (room_o == (32'(level_q) != RespDepth));
      if (fence_next && memory) p3_fence: assert (wr_q - fence.wr < 16'h8000 && task_q - fence.task_wr < 16'h8000);
      if (hold_i && idle_o) p5_held: assert (!head_valid_o);
      if (fails) p5_fail: assert (fail_o && (!asking_i || offered_q) && !ev_valid_o);
      p5_idle: assert (idle_o == (!f_wait_q && !f_goes_q && at_hand) || !f_rst_q);
      if (hold_i && idle_o) p4_held: assert (!puts);
      if (drops) p4_drops: assert (!puts && !look_old_o);
      if (f_ev_wait_q) p5_event: assert (ev_valid_o && ev_o == f_ev_q);
      p6_ready: assert (rd_ready_o);
      if (taken && bad && absent) p8_absent: assert (head_code_o == nic_pkg::TxAbsent && away_o && !fails &&
          head_o.opcode == {nic_pkg::TransRc, nic_pkg::OpAck} && head_o.ext[31:24] == {nic_pkg::SynRnr, rnr_q} &&
          forgets == r_q.fresh && (!asking_i || offered_q));
      if (goes) p8_goes: assert (taken && away_o && r_q.fresh && r_q.paged && item.err && item.ur);
      p8_then: assert (back_valid_o == f_goes_q);
      if (back_valid_o)
        p8_back: assert (away_o && !idle_o && back_qp_o == f_goes_qp_q && back_msn_o == f_goes_msn_q &&
          back_psn_o - f_from_q < 24'h80_0000 && (back_psn_o == f_goes_psn_q || back_psn_o == f_from_q));
      if (fails) p8_only: assert (!back_valid_o && !(item.ur && r_q.paged));
      if (away_o) p8_away: assert (fail_o);
      c_back: cover (back_valid_o);
      c_dup: cover (taken && bad && absent && !r_q.fresh);
      c_fail: cover (fails);
      if (f_stays_q) p9_dead: assert (read_dead_q == (dead_q[read_q] || (oldest && f_cut2_q)));
      if (f_cut3_q && reads) p9_left: assert (!oldest);
      c_cut: cover (f_cut2_q && oldest && reads && !dead_q[head_q]);
      if (head_valid_o && nth_q == '0 && !f_wait_q) p7_first: assert (!first_i);
      c_first: cover (state_q == StHead && nth_q == '0 && first_i && head_ready_i);
      c_forgotten: cover (state_q == StDrop && pop && !drain);
    end
  end
