// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_decide. What the verdict was made of (f_*) is judged a second time, from head, state and software's
// words of the QP.
`include "fv.svh"
// Rules of README.md: RSP-8, RSP-9, RSP-18, RSP-19.
  `FV_INIT
  `FV_SEES(f_idle, 1, idle_o)
  `FV_SEES(f_asking, 1, asking_o)

  logic                      f_stays_q, f_pstays_q, f_asking_q, f_asked_q, f_err_q, f_fail_q, f_free_q;
  logic                      f_mine, f_answer, f_judged, f_pkey, f_cnp, f_send, f_other;  // other: no operation of ours
  logic [1:0]                f_mr_q;
  logic [nic_pkg::HeadW-1:0] f_head_q;
  nic_pkg::bytes_t           f_pay_q;
  logic [31:0]               f_cfg_q;
  nic_pkg::resp_state_t            f_now, f_far, f_back_q;
  logic                      f_went_q;        // a queue pair has gone back
  logic [IdxW-1:0]           f_back_at_q;
  logic [25:0]               f_ends;          // how far behind ePSN a request ends
  logic                      f_next_q;        // the head has gone, and behind it there was one, of this QP number
  logic [23:0]               f_next_qp_q;
  logic [7:0]                f_cfg_of_q;      // whose words were last asked for when a head was about to be shown

  always_ff @(posedge clk_i) begin
    f_stays_q  <= rst_ni && head_valid_i && !head_ready_o;
    f_pstays_q <= rst_ni && pay_valid_i && !pay_ready_o;
    f_asking_q <= asking_o;
    f_asked_q  <= rst_ni && ((ask_valid_o && ask_ready_i) || (f_asked_q && !ans_valid_i));
    f_fail_q   <= fail_i;
    f_err_q    <= reply_err_i;
    f_mr_q     <= rst_ni ? {f_mr_q[0], mr_valid_o} : 2'b00;
    f_head_q   <= head_i;
    f_pay_q    <= pay_i;
    f_cfg_q    <= {cfg_qpn_i, cfg_rid_i};
    f_free_q   <= !rst_ni || (hold_i && idle_o);
    f_next_q    <= rst_ni && head_valid_i && head_ready_o && next_valid_i;
    f_next_qp_q <= next_qp_i;
    if (state_q == StIdle || head_ready_o) f_cfg_of_q <= cfg_qp_o;
    f_went_q    <= rst_ni && back_valid_i;
    f_back_at_q <= back_qp_i[IdxW-1:0];
    f_back_q    <= f_far;
    f_back_q.epsn  <= back_psn_i;
    f_back_q.msn   <= back_msn_i;
    f_back_q.told  <= 1'b1;
    f_back_q.again <= f_far.epsn + f_far.again - back_psn_i;
  end

  assign f_now    = mem_q[qp_o[IdxW-1:0]];
  assign f_far    = mem_q[back_qp_i[IdxW-1:0]];
  assign f_ends   = {{2{diff_q[23]}}, diff_q} + 26'(packets_q);
  assign f_mine   = head_i.qp[23:8] == cfg_qpn_i && 32'(qp_o) < NumQps;
  assign f_answer = head_i.opcode[4:0] >= 5'h0D && head_i.opcode[4:0] <= 5'h12;
  assign f_cnp    = head_i.opcode == 8'h81;
  assign f_send   = head_i.opcode <= 8'h05 || head_i.opcode == 8'h16 || head_i.opcode == 8'h17;
  assign f_other  = head_i.opcode == 8'h1C || head_i.opcode == 8'h1D;
  assign f_pkey   = (head_i.pkey ^ cfg_q.pkey) << 1 == 16'd0 && (head_i.pkey | cfg_q.pkey) >= 16'h8000;
  assign f_judged = state_q != StIdle && state_q != StLook;

  // What a frame's job, event and next state must be, from the head and the state alone.
  nic_pkg::dma_t   f_job_q;
  nic_pkg::event_t f_ev_q;
  logic            f_done, f_first, f_last;
  logic [63:0]     f_va;
  logic [31:0]     f_left;
  assign f_done  = ret_o.code == nic_pkg::FrDone;
  assign f_first = f_send ? head_i.opcode == 8'h00 || head_i.opcode == 8'h04 || head_i.opcode == 8'h05 ||
                   head_i.opcode == 8'h17 :
                            head_i.opcode[3:0] == 4'h6 || head_i.opcode[3:0] == 4'hA || head_i.opcode[3:0] == 4'hB;
  assign f_last  = f_send ? head_i.opcode != 8'h00 && head_i.opcode != 8'h01 : head_i.opcode[3:0] != 4'h6 &&
                   head_i.opcode[3:0] != 4'h7;
  assign f_va    = f_first ? head_i.va : f_now.va;
  assign f_left  = f_first ? head_i.length : f_now.left;
  always_ff @(posedge clk_i) if (ret_valid_o) begin
    f_job_q      <= '0;
    f_job_q.rid  <= cfg_rid_i + 16'(cfg_q.proc);
    f_job_q.src  <= nic_pkg::SrcResp;
    f_job_q.va   <= f_va;
    f_job_q.len  <= head_i.bytes;
    f_ev_q       <= '0;
    f_ev_q.proc  <= cfg_q.proc;
    f_ev_q.qp    <= cfg_q.name;
    if (f_done) begin
      f_ev_q.kept <= 1'b1;
      f_ev_q.kind <= nic_pkg::EvImm;
      f_ev_q.len  <= head_i.imm;
    end else begin
      f_ev_q.kind   <= nic_pkg::EvRefused;
      f_ev_q.status <= ack_o.syndrome;
      f_ev_q.word   <= ret_o.b[31:0];
      f_ev_q.addr   <= {40'd0, f_now.epsn};
    end
  end

  `FV_COMB begin
    if (f_past_q && f_stays_q) env_head: assume (head_valid_i && head_i == f_head_q);
    if (f_past_q && f_next_q) env_next: assume (head_valid_i && head_i.qp == f_next_qp_q);
    if (head_valid_i) env_opcode: assume (head_i.opcode <= 8'h14 || f_send || f_other || head_i.opcode == 8'hC6 ||
        head_i.opcode == 8'hC7 || head_i.opcode == 8'hC8 || head_i.opcode == 8'hCA || f_cnp);
    if (f_past_q && f_pstays_q) env_pay: assume (pay_valid_i && pay_i == f_pay_q);
    if (f_past_q) env_region: assume (mr_done_i == (f_rst_q && f_mr_q[1]));
    if (f_past_q && !f_asked_q) env_answer: assume (!ans_valid_i);
    if (f_past_q && !f_free_q) env_cfg: assume ({cfg_qpn_i, cfg_rid_i} == f_cfg_q);
    // Registers wait for idle_o, nic_reply for the end of an ask.
    if (start_valid_i) env_hold: assume (hold_i && f_idle && 32'(start_qp_i) < NumQps);
    // What goes back has a head that nobody is asked beside, and that waits for no register.
    if (f_past_q && away_i) env_away: assume (fail_i);
    if (f_past_q && back_valid_i) env_back: assume (away_i && !f_asking && !start_valid_i && 32'(back_qp_i) < NumQps);
    // From the cycle in which it is decided to ask: nothing is decided then, and nothing fails.
    if (f_past_q && f_asking && (f_asking_q || !f_fail_q)) env_still: assume (reply_err_i == f_err_q);

    if (f_past_q) begin
      p6_asked: assert (f_asked_q == (state_q == StAnswer));
      // What was judged is still so.
      p3_head: assert (state_q == StIdle || head_valid_i);
      if (state_q != StIdle) p10_whose: assert (f_cfg_of_q == head_i.qp[7:0]);
      if (state_q != StIdle && state_q != StPass) p3_state: assert (ours_q == f_mine && (!f_mine || st_q == f_now));
      if (f_judged) p1_answer: assert (answer_q == f_answer && ahead_q == (!diff_q[23] && diff_q != 24'd0) &&
          dup_q == (diff_q[23] || (diff_q == 24'd0 && st_q.again != 24'd0 && write_q)) &&
          diff_q == head_i.psn - st_q.epsn && foreign_q == !(ours_q && cfg_q.en && head_i.ip == cfg_q.ip && f_pkey &&
                                                             head_i.tci[11:0] == cfg_q.tci[11:0]));
      if (f_judged) p1_heard: assert (heard_q == (!answer_q && !ahead_q && !dup_q && (xtq_q || send_q)));
      if (f_judged)
        p1_which: assert (xtq_q == (head_i.opcode >= 8'hC0) &&
                          inv_q == (head_i.opcode == 8'h16 || head_i.opcode == 8'h17));
      if (f_judged)
        p1_imm: assert (imm_q == (head_i.opcode == 8'h03 || head_i.opcode == 8'h05 || head_i.opcode == 8'h09 ||
                                  head_i.opcode == 8'h0B));
      if (f_judged)
        p1_kind: assert (cnp_q == f_cnp && write_q == !(read_q || atomic_q || f_other || f_cnp) &&
                         !(read_q && atomic_q) &&
          (!imm_q || (write_q && last_q)) && send_q == f_send && (!inv_q || send_q) &&
          (!xtq_q || (write_q && !imm_q && !answer_q)));

      // What nothing here takes is refused, and a duplicate of it answered by an ACK of its own PSN at most.
      if (f_judged) p1_unfit: assert (unfit_q == (f_other || (f_send && !cfg_q.recv)) && (!unfit_q || bad_q));
      if (ret_valid_o && unfit_q) p1_unfit_not: assert (ret_o.code != nic_pkg::FrDone &&
          (ret_o.code != nic_pkg::FrInvalid ||
           (ret_o.b[3:0] == nic_pkg::WhyOpcode && ack_valid_o &&
            ack_o.syndrome == {nic_pkg::SynNak, nic_pkg::NakInvalid})) &&
          !reply_valid_o && (ret_o.code != nic_pkg::FrDup || ack_valid_o == f_send) && !asking_o);

      // Once, to one place.
      p1_once: assert (head_ready_o == ((ret_valid_o && !req_head_valid_o) || (req_head_valid_o && req_head_ready_i)));
      p1_own: assert (!(ret_valid_o && req_head_valid_o) && (!req_head_valid_o || (f_answer && !foreign_q)));
      if (ret_valid_o)
        p1_record: assert (ret_o.kind == nic_pkg::RetFrame && ret_o.a == {32'd0, head_i.opcode, head_i.psn} &&
          ret_o.idx == head_i.qp[7:0] && (ret_o.code <= nic_pkg::FrDone || f_cnp));
      // The order of the steps.
      if (ret_valid_o && foreign_q)
        p1_step1: assert (ret_o.code == nic_pkg::FrForeign && !reply_valid_o && !ack_valid_o);
      if (ret_valid_o && !foreign_q) p1_cnp: assert ((ret_o.code == nic_pkg::FrCnp) == f_cnp);
      if (ret_valid_o && ret_o.code == nic_pkg::FrCnp)
        p1_silent: assert (!reply_valid_o && !ack_valid_o && !writes && st_d == st_q);
      p1_tells: assert (cnp_o == (ret_valid_o && ret_o.code == nic_pkg::FrCnp));
      p1_mark: assert (mark_o == (ret_valid_o && head_i.ce && ret_o.code != nic_pkg::FrCnp &&
                                  ret_o.code != nic_pkg::FrForeign));
      if (ret_valid_o && !foreign_q && !f_cnp && !reply_err_i && ahead_q)
        p1_step3: assert (ret_o.code == nic_pkg::FrAhead && !reply_valid_o && ack_valid_o == !st_q.told);
      if (ret_valid_o && ret_o.code == nic_pkg::FrDone)
        p1_done: assert (head_i.psn == st_q.epsn && !bad_q && (!look_q || mr_ok) && !foreign_q && !reply_err_i);
      if (ret_valid_o && ret_o.code == nic_pkg::FrDone && imm_q && !send_q) p1_place: assert (rsv_valid_o && rsv_ok_i);
      if (ret_valid_o && ret_o.code == nic_pkg::FrNoRoom) p1_room: assert (!reply_room_i && !write_q && !ack_valid_o);
      if (rsv_valid_o) p4_wait: assert (!rsv_wait_i);
      if (rsv_valid_o && rsv_ok_i) p4_place: assert (ret_valid_o && ret_o.code == nic_pkg::FrDone && imm_q && !send_q);

      p2_one: assert ({2'd0, wr_pay_valid_o} + {2'd0, xtq_pay_valid_o} + {2'd0, req_pay_valid_o} <= 3'd1);
      if (begins) p2_begins: assert (!move_q || moved);
      if (pay_valid_i && pay_ready_o && !move_q)
        p2_beside: assert (xtq_pay_valid_o && ask_valid_o && ask_ready_i && begins);
      if (xtq_pay_valid_o && !move_q) p2_ask: assert (ask_valid_o);
      if (fire) p2_begun: assert (begins || move_q || state_q == StAnswer);
      if (begins && to == ToWrite)
        p2_write: assert (ret_valid_o && ret_o.code == nic_pkg::FrDone && head_i.bytes != 13'd0 && !theirs);
      if (state_q == StAsk) p2_free: assert (!move_q && !job_q && !ev_q);
      if (writes) p2_job: assert ((!job_q || job_ready_i) && begins && to == ToWrite);
      if (state_q == StPass && move_q) p2_req: assert (to_q == ToReq);
      if (state_q == StAnswer && move_q) p2_task: assert (to_q == ToTask);

      if (job_valid_o) p2_job_is: assert (job_o == f_job_q);
      if (ev_valid_o) p4_event_is: assert (ev_o == f_ev_q);
      if (ev_q) p4_event_data: assert (ev_data_q == f_ev_q);
      if (state_q == StAnswer) p2_alone: assert (!job_q && !ev_q);
      if (f_judged && write_q && !answer_q) p1_place_in: assert (first_q == f_first && last_q == f_last);
      if (f_judged)
        p1_opcode: assert (read_q == (head_i.opcode == 8'h0C) &&
                           atomic_q == (head_i.opcode == 8'h13 || head_i.opcode == 8'h14));
      if (f_judged && !write_q) p1_whole: assert (last_q);
      if (ret_valid_o && f_done)
        p3_moves: assert (st_d.epsn == f_now.epsn + packets_q[23:0] && st_d.msn == f_now.msn + 24'(f_last) &&
          (!write_q || (st_d.va == f_va + 64'(head_i.bytes) && st_d.left == f_left - 32'(head_i.bytes) &&
                        st_d.msg == !f_last &&
                        st_d.xtq == xtq_q && st_d.send == f_send &&
                        st_d.rkey == (f_first ? head_i.rkey : f_now.rkey))));
      if (ret_valid_o && !f_done && ours_q) p3_stays: assert ({st_d.va, st_d.left, st_d.rkey, st_d.xtq, st_d.send} ==
          {f_now.va, f_now.left, f_now.rkey, f_now.xtq, f_now.send});
      if (f_judged && !read_q) p1_packet: assert (packets_q == 25'd1);
      if ((state_q == StDecide || state_q == StKeep) && read_q)
        p1_ends: assert (across_q == (!f_ends[25] && f_ends <= {2'd0, st_q.again}) &&
                         (!diff_q[23] || behind_q == (f_ends[25] || f_ends == 26'd0)));
      // ePSN and MSN move with what is done, with a write that was done before, and with a read that
      // ends among what was.
      if (ret_valid_o && ours_q) p3_epsn: assert (moves_on == (f_done || (ret_o.code == nic_pkg::FrDup &&
          (write_q ? head_i.psn == f_now.epsn : reply_valid_o && read_q && !f_ends[25] && f_ends != 26'd0))));
      if (ret_valid_o && ours_q && !moves_on) p3_same: assert ({st_d.epsn, st_d.msn} == {f_now.epsn, f_now.msn} &&
          (st_d.again == f_now.again || (st_d.again == 24'd0 && gave_up_o)));
      if (ret_valid_o && ours_q && moves_on && !f_done) p3_again: assert (st_d.epsn == head_i.psn + packets_q[23:0] &&
          f_now.again != 24'd0 && st_d.msn == f_now.msn + 24'(!write_q || f_last) && st_d.msg == f_now.msg &&
          st_d.again == f_now.again - f_ends[23:0]);
      if (gave_up_o) p3_new: assert (st_d.again == 24'd0);
      if (reply_valid_o)
        p7_fresh: assert (reply_o.fresh == moves_on && reply_o.from == f_now.epsn && (!reply_o.paged || look_q));
      if (ret_valid_o && f_done)
        p9_done: assert (st_d.again == (f_now.again > 24'(packets_q) ? f_now.again - 24'(packets_q) : 24'd0));
      if (f_went_q) p9_back: assert (mem_q[f_back_at_q] == f_back_q);
      if (back_valid_i && sts_qp_i == back_qp_i && known)
        p9_seen: assert (sts_o.epsn == back_psn_i && sts_o.msn == back_msn_i && sts_o.told &&
          sts_o.again == f_far.epsn + f_far.again - back_psn_i && {sts_o.va, sts_o.left, sts_o.rkey, sts_o.msg} ==
          {f_far.va, f_far.left, f_far.rkey, f_far.msg});
      if (away_i && state_q != StAsk && state_q != StAnswer) p9_away: assert (!ret_valid_o && !begins);
      if (f_went_q && f_rst_q) p9_anew: assert (state_q == StIdle || state_q == StPass);
      c_back: cover (ret_valid_o && moves_on && !f_done && f_now.again != 24'd0 && write_q);
      if (reply_valid_o)
        p7_to: assert (reply_o.qp == head_i.qp[7:0] && reply_o.proc == cfg_q.proc && reply_o.msn == st_d.msn &&
          reply_o.psn == head_i.psn && !write_q);
      if (ack_valid_o)
        p7_ack: assert (ret_valid_o && !reply_valid_o && ack_o.qp == head_i.qp[7:0] && ack_o.msn == st_d.msn &&
          ack_o.psn == (refused || ahead_q ? f_now.epsn : head_i.psn) &&
          (ack_o.syndrome == {nic_pkg::SynAck, nic_pkg::AckNoCredits}) == (f_done || ret_o.code == nic_pkg::FrDup));
      if (ret_valid_o) p7_met: assert (ret_o.flag == (ack_valid_o && ack_met_i));
      if (ret_valid_o && (refused || (f_done && write_q && head_i.ack_req) ||
                          (ret_o.code == nic_pkg::FrDup && write_q)))
        p7_answered: assert (ack_valid_o);
      if (reply_valid_o && (read_q || atomic_q))
        p7_from: assert (reply_o.va == head_i.va && reply_o.len == head_i.length &&
          reply_o.compare == head_i.compare && reply_o.packets == packets_q[23:0] &&
          reply_o.swap == (dup_q ? replay_value_i : head_i.swap));
      if (!ret_valid_o) p3_quiet: assert (!reply_valid_o && !ack_valid_o && !writes && !(rsv_valid_o && rsv_ok_i));
      if (ask_valid_o) p1_asks: assert (ask_o.send == f_send && ask_o.first == f_first && ask_o.last == f_last &&
          ask_o.imm_on == (head_i.opcode == 8'h03 || head_i.opcode == 8'h05) &&
          ask_o.inv == (head_i.opcode == 8'h16 || head_i.opcode == 8'h17) &&
          ask_o.imm == head_i.imm && ask_o.bytes == head_i.bytes && ask_o.proc == cfg_q.proc &&
          ask_o.qp == head_i.qp[7:0] &&
          ask_o.name == cfg_q.name);
      p8_gave_up: assert (gave_up_o ==
                          (ret_valid_o && (ret_o.code == nic_pkg::FrInvalid || ret_o.code == nic_pkg::FrAccess)));
      p8_off: assert (mr_off_o == (ret_valid_o && f_done && (head_i.opcode == 8'h16 || head_i.opcode == 8'h17)));
      if (mr_off_o) p8_which: assert (mr_off_idx_o == head_i.imm[7:0]);
      if (ev_valid_o) p4_after: assert (!move_q && !job_q && job_ready_i);
      if (ask_valid_o && !asking_o) p4_ask: assert (!move_q && !job_q && job_ready_i);
      if (hold_i && idle_o) p5_held: assert (!ret_valid_o && !begins);
      // The region's answer comes two cycles after it was looked at, in StDecide where it matters: none comes while
      // somebody is asked.
      if (state_q == StLook) p6_look: assert (!f_mr_q[0]);
      if (state_q == StWait) p6_wait: assert (f_mr_q == 2'b01);
      if (state_q == StKeep) p6_keep: assert (Keeps && f_mr_q == 2'b10);
      if (state_q == StDecide && look_q && !answer_q) p6_decide: assert (!f_mr_q[0] && !(Keeps && f_mr_q[1]));
      if ((state_q == StAsk || state_q == StAnswer) && look_q) p6_region: assert (f_mr_q == 2'b00);
      if (asking_o)
        p6_good: assert (!reply_err_i && (xtq_q || f_send) && mr_ok && !foreign_q && !dup_q && !ahead_q && !bad_q);
      if (asking_o && fail_i && f_fail_q && f_rst_q) p6_fail: assert (f_asking_q);
      if (ask_valid_o && (hold_i || fail_i)) p6_begins: assert (asking_o);
      if (f_asked_q) p6_asks: assert (asking_o && !idle_o);
      if (reply_valid_o) p7_room: assert (reply_room_i && ret_valid_o);
      if (reply_valid_o && atomic_q)
        p7_now: assert (dup_q ? replay_hit_i && !replay_old_i && reply_o.kind == nic_pkg::ReplyReplay :
                                !replay_wait_i && reply_o.kind == nic_pkg::ReplyAtomic);
      if (ret_valid_o && ret_o.code == nic_pkg::FrDone && !write_q) p7_always: assert (reply_valid_o);

      c_next: cover (f_next_q && state_q == StLook && st_q.epsn != 24'd0 && ours_q);
      c_write: cover (writes);
      c_answer: cover (req_head_valid_o && req_head_ready_i && to_q == ToReq);
      c_task: cover (ret_valid_o && state_q == StAnswer && ack_valid_o && ret_o.code == nic_pkg::FrDone);
      c_event: cover (ev_valid_o && ev_ready_i && ev_o.kind == nic_pkg::EvImm);
      c_send: cover (ret_valid_o && f_done && inv_q);
      c_again: cover (ret_valid_o && reply_valid_o && reply_o.kind == nic_pkg::ReplyReplay);
    end
  end
