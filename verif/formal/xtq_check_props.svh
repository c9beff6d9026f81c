// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_check. The checks of the frame are written out once more, from README.md, over the ask and the
// command as they were given; what the parts answer (table, buffers, event rings, queue) is remembered as an outsider
// sees it.
`include "fv.svh"
// Rules of README.md: XTM-3, XTM-4, XTM-5, RCV-3, RCV-7.
  `FV_INIT
  `FV_SEES(f_hold, 1, hold_o)
  `FV_SEES(f_find, 1, find_o)

  logic        f_open_q, f_task_open_q, f_pending_q, f_won_q, f_fit_q, f_look_q, f_found_q, f_held_q,
               f_fits_q, f_flow_q;
  logic [1:0]  f_kept_q, f_places;
  logic [2:0]  f_at_q;  // beats of the packet that have come, up to 7
  logic        f_gave_q, f_stop_q, f_given_up_q;  // a cycle ago; of a message that was open
  logic [7:0]  f_gave_qp_q, f_stop_qp_q, f_given_up_qp_q;
  logic [xtq_pkg::EntryW-1:0] f_que_q, f_ker_q;
  logic [63:0] f_index_q, f_off;
  logic [3:0]  f_frame;
  logic [63:0] f_code;
  // at hand: an XtqPut, a SEND, a message that is given up
  logic        f_stay_q, f_task_q, f_cmd_q, f_put, f_send, f_gone;
  logic [3:0]  f_task_proc_q;
  nic_pkg::xtq_ask_t f_asked_q, f_given_q;

  // Checks 1 to 5 (its range), of the ask that was taken and the command that has come.
  assign f_code = f_given_q.kind == 8'd0 ? cmd_q[xtq_pkg::CmdKernel+:64] : cmd_q[xtq_pkg::CmdReturn+:64];
  always_comb begin
    f_frame = nic_pkg::WhyNone;
    if (f_code >> TableBits != '0) f_frame = nic_pkg::WhyBadIndex;
    if (cmd_q[7:0] != (f_given_q.kind == 8'd0 ? 8'd2 : 8'd4) || cmd_q[15:13] != '0) f_frame = nic_pkg::WhyBadType;
    if ({2'd0, f_given_q.length} != 34'd64 + {2'd0, f_given_q.args} + {2'd0, f_given_q.pay} ||
        f_given_q.args % 16 != 0 ||
        f_given_q.args > 4096 || f_given_q.bytes < 13'd64) f_frame = nic_pkg::WhyBadLength;
    if (f_given_q.kind != 8'd0 && f_given_q.kind != 8'd1) f_frame = nic_pkg::WhyBadKind;
    if (f_given_q.target != {12'd0, f_given_q.proc} || f_given_q.proc > 4'(NumProcs - 1))
      f_frame = nic_pkg::WhyBadProcess;
  end

  assign f_put    = f_open_q && !f_given_q.send;
  assign f_send   = f_open_q && f_given_q.send;
  assign f_gone   = state_q != StIdle && gone_q;
  assign f_places = !que_i[xtq_pkg::QueEvents] ? 2'd0 : task_q ? 2'd2 : 2'd1;
  assign f_off    = order_o.slot - que_i[xtq_pkg::QueBase+:64];

  always_ff @(posedge clk_i) begin
    f_stay_q  <= rst_ni && ask_valid_i && !ask_ready_o;
    f_asked_q <= ask_i;
    f_held_q  <= rst_ni && hold_o && (found_i || f_held_q);
    f_fits_q  <= rst_ni && find_o && (fit_i || f_fits_q);
    f_que_q   <= que_i;
    f_ker_q   <= ker_i;
    f_task_q  <= rst_ni && task_valid_i && !task_ans_o;
    f_task_proc_q <= task_proc_i;
    {f_gave_qp_q, f_stop_qp_q} <= {gave_up_qp_i, stop_qp_i};
    f_given_up_qp_q <= f_gave_q ? f_gave_qp_q : f_stop_qp_q;
    if (!rst_ni) begin
      f_open_q      <= 1'b0;
      f_task_open_q <= 1'b0;
      f_pending_q   <= 1'b0;
      f_look_q      <= 1'b0;
      f_cmd_q       <= 1'b0;
      f_flow_q      <= 1'b0;
      f_gave_q      <= 1'b0;
      f_stop_q      <= 1'b0;
      f_given_up_q  <= 1'b0;
    end else begin
      f_gave_q     <= gave_up_i;
      f_stop_q     <= stop_i;
      f_given_up_q <= f_gave_q ? open_q[f_gave_qp_q[QpAddrW-1:0]] : f_stop_q && open_q[f_stop_qp_q[QpAddrW-1:0]];
      if (ask_valid_i && ask_ready_o) f_at_q <= 3'(pay_valid_i && pay_ready_o);
      else if (pay_valid_i && pay_ready_o && f_at_q != 3'd7) f_at_q <= f_at_q + 3'd1;
      if (ask_valid_i && ask_ready_o) f_flow_q <= 1'b1;
      else if (pay_valid_i && pay_ready_o && pay_i.last) f_flow_q <= 1'b0;
      if (ask_valid_i && ask_ready_o) f_open_q <= 1'b1;
      else if (ans_valid_o) f_open_q <= 1'b0;
      if (start_task) f_task_open_q <= 1'b1;
      else if (task_ans_o) f_task_open_q <= 1'b0;
      if (req_valid_o && req_ready_i) f_pending_q <= 1'b1;
      else if (rsp_valid_i) f_pending_q <= 1'b0;
      if (look_valid_o && look_ready_i) f_look_q <= 1'b1;
      else if (found_i) f_look_q <= 1'b0;
      if (ask_valid_i && ask_ready_o) f_cmd_q <= 1'b0;
      else if (cmd_full) f_cmd_q <= 1'b1;
    end
    if (start_ask || start_task || start_gone) begin
      f_kept_q  <= '0;
      f_won_q   <= 1'b0;
      f_fit_q   <= 1'b0;
      f_found_q <= 1'b0;
    end else begin
      if (rsv_valid_o && rsv_ok_i) f_kept_q <= f_kept_q + 2'd1;
      if (rsp_valid_i) f_won_q <= rsp_why_i == nic_pkg::WhyNone;
      if (find_o && fit_i) f_fit_q <= 1'b1;
      if (found_i) f_found_q <= 1'b1;
    end
    if (rsp_valid_i) f_index_q <= rsp_index_i;
    if (start_ask) f_given_q <= ask_i;
  end
  // Whose turn it is: asks taken while a task waits, and whether one was since the last task.
  logic [1:0] f_asks_q;
  logic       f_asked_since_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {f_asks_q, f_asked_since_q} <= '0;
    else begin
      if (!task_valid_i || start_task) f_asks_q <= 2'd0;
      else if (start_ask && f_asks_q != 2'd3) f_asks_q <= f_asks_q + 2'd1;
      if (start_ask || start_task) f_asked_since_q <= start_ask;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_stay_q) env_ask: assume (ask_valid_i && ask_i == f_asked_q);
    if (ask_valid_i)
      env_qp: assume (32'(ask_i.qp) < NumQps && (ask_i.first || ask_i.bytes != '0));
    env_pay: assume (!pay_valid_i || f_flow_q || ask_valid_i);  // nic_decide P2
    if (f_flow_q && f_given_q.first && !f_given_q.send && pay_valid_i && pay_i.last && 32'(f_at_q) < CmdBeats - 1)
      env_short: assume (f_given_q.bytes < 13'd64);
    if (gave_up_i) env_gave_up: assume (32'(gave_up_qp_i) < NumQps);
    if (stop_i) env_stop: assume (32'(stop_qp_i) < NumQps);
    if (f_task_q) env_task: assume (task_valid_i && task_proc_i == f_task_proc_q);  // xtq_task P5
    env_rsp: assume (!rsp_valid_i || f_pending_q);
    env_found: assume (!found_i || f_look_q);
    env_search: assume (!(fit_i && none_i));
    // The entries stay while they are held (xtq_table).
    if (f_held_q && f_hold && !found_i) env_entries: assume (que_i == f_que_q && ker_i == f_ker_q);
    if (f_fits_q && f_find) env_fit: assume (fit_i);

    // One answer each.
    if (f_fit_q && find_o) p3_still: assert (f_fits_q);
    p1_open: assert (f_open_q == (state_q != StIdle && !task_q && !gone_q) &&
                     f_task_open_q == (state_q != StIdle && task_q) &&
                     !(state_q != StIdle && task_q && gone_q));
    if (ans_valid_o) p1_once: assert (f_open_q && !task_ans_o);
    if (task_ans_o) p1_task: assert (f_task_open_q);
    // The first check that fails; the frame's before the others'.
    if (ans_valid_o && f_put && f_given_q.first && f_frame != nic_pkg::WhyNone) p1_frame: assert (ans_why_o == f_frame);
    if (ans_valid_o && f_put && f_given_q.first && f_frame == nic_pkg::WhyNone) p1_passed: assert (f_found_q);
    if (ans_valid_o && ans_why_o == nic_pkg::WhyNone) begin
      if (f_given_q.first && find_bytes_o != '0) p3_room: assert (f_fit_q && fit_i && take_o);
      if (f_put && f_given_q.last)
        p3_slot_given: assert (order_valid_o && order_o.enq && (f_won_q || (!Keeps && rsp_valid_i)));
      if (!f_given_q.last || f_send) p3_not_yet: assert (!order_o.enq);
      if (f_send) p6_event: assert (order_valid_o && order_o.beats && order_o.recv == f_given_q.last);
      if (f_send && f_given_q.first) p6_place: assert (f_kept_q == 2'd1);
      if (f_send && !f_given_q.first) p6_room: assert ({19'd0, f_given_q.bytes} <= mine_left && f_kept_q == 2'd0);
    end
    // A kernel is told where its payload is, or refused.
    if (ans_valid_o && ans_why_o == nic_pkg::WhyNone && f_put && f_given_q.first && f_given_q.kind == 8'd0 &&
        (f_given_q.pay != '0 || ker_i[xtq_pkg::KerHasTarget]))
      p1_told: assert (f_given_q.args >= 32'd16);
    if (order_valid_o && !order_o.drop && order_o.beats)
      p3_swap: assert (order_o.swap == (task_q || f_send || !f_given_q.first ||
      f_given_q.kind != 8'd0 || f_given_q.args == '0 ? 2'b00 : {1'b1, ker_i[xtq_pkg::KerHasTarget]}));
    if (order_valid_o && order_o.swap[1] && !order_o.drop)
      p3_payload: assert (order_o.arg[127:64] == (f_given_q.pay == '0 ? 64'd0 :
      order_o.va + 64'(f_given_q.args)));
    // Refused: nothing.
    if ((ans_valid_o && ans_why_o != nic_pkg::WhyNone) || (task_ans_o && !task_ok_o)) begin
      p2_nothing: assert (!take_o && !save && !save_va && !order_o.enq && !order_o.recv &&
                          (!order_valid_o || order_o.drop));
      if (ret_valid_o) p2_record: assert (task_q && ret_o.code != nic_pkg::WhyNone);
      p2_back: assert (back_valid_o == (f_kept_q != '0) && back_num_o == 6'(f_kept_q));
      p2_slot: assert (!f_won_q);
    end else begin
      p2_keep: assert (!back_valid_o);
    end
    if (!ans_valid_o && !task_ans_o) p2_early: assert (!take_o && !save && !save_va && !ret_valid_o &&
      (f_gone || !(order_valid_o && order_ready_i)));
    // A message that is received, or given up.
    if (order_valid_o && order_o.recv) begin
      p6_none: assert (!order_o.enq && (f_send || f_gone) && order_o.qp == (f_gone ? mine_name : f_given_q.name));
      p6_status: assert (order_o.packet[xtq_pkg::RcvStatus+:8] == (f_gone ? nic_pkg::RcvLost :
                                                                   f_given_q.imm_on ? nic_pkg::RcvImm :
                                                     f_given_q.inv ? nic_pkg::RcvInv : nic_pkg::RcvPlain));
      p6_value: assert (order_o.packet[xtq_pkg::RcvLen+:32] == (!f_gone && (f_given_q.imm_on || f_given_q.inv) ?
                                                   f_given_q.imm : 32'd0));
      p6_bytes: assert (order_o.packet[xtq_pkg::RcvBytes+:32] == (f_gone ? mine_got :
                                                  (f_given_q.first ? 32'd0 : mine_got) + 32'(f_given_q.bytes)));
      p6_buffer: assert (order_o.packet[xtq_pkg::RcvWord+:32] == (!f_gone && f_given_q.first ? number_i : mine_number));
      p6_where: assert (order_o.packet[xtq_pkg::RcvAddr+:64] == (!f_gone && f_given_q.first ? va_i :
                                                                 mine_va - 64'(mine_got)));
    end
    if (f_gone)
      p6_gone: assert (lost_q[gone_at_q[QpAddrW-1:0]] && !order_o.beats && !order_o.frame && state_q == StEnd);
    if (f_gone) p6_gone_takes: assert (why_q == nic_pkg::WhyNone && kept_q == '0);
    if (order_valid_o && f_send && ok && f_given_q.bytes == '0) p6_empty: assert (order_o.drop && !order_o.frame);
    if (order_valid_o && f_send && ok && f_given_q.bytes != '0)
      p6_bytes_go: assert (!order_o.drop && order_o.frame && !order_o.swap);
    if (ans_valid_o && f_send && f_given_q.first && f_given_q.proc > 4'(NumProcs - 1))
      p6_nobody: assert (ans_why_o == nic_pkg::WhyNoBuffer);
    if (look_valid_o) p4_look_proc: assert (32'(look_proc_o) < NumProcs);
    if (find_o) p4_find_proc: assert (32'(find_proc_o) < NumProcs);
    if (lost) p6_first: assert (!ask_ready_o);
    // What is given up is seen a cycle later, and nothing begins before that.
    p6_heard: assert ({gave_up_q, stop_q} == {f_gave_q, f_stop_q} && news_q == (f_gave_q || f_stop_q || lost) &&
                      (!f_gave_q || (gave_up_qp_q == f_gave_qp_q && 32'(f_gave_qp_q) < NumQps)) &&
                      (!f_stop_q || (stop_qp_q == f_stop_qp_q && 32'(f_stop_qp_q) < NumQps)));
    p7_turn: assert (task_turn_q == f_asked_since_q && (!task_first_q || task_turn_q ||
                     (state_q == StLook && task_q)) &&
                     (f_asks_q == 2'd0 || (task_turn_q && (task_first_q || state_q != StIdle))));
    p7_asks: assert (f_asks_q <= 2'd1);
    if (start_task && ask_valid_i && !flow_q) p7_task: assert (f_asked_since_q);
    if (pick_q) p6_pick: assert (lost_q[pick_at_q] && !(state_q != StIdle && gone_q));
    if (f_gave_q || f_stop_q) p6_before: assert (!start_ask && !start_task);
    if (f_given_up_q) p6_lost: assert (lost_q[f_given_up_qp_q[QpAddrW-1:0]]);
    // What is enqueued.
    if (order_valid_o && order_o.enq) begin
      p3_ring: assert (f_off[5:0] == '0 && (f_off >> que_i[xtq_pkg::QueSize+:5]) >> 6 == '0);
      p3_index: assert (order_o.index == (!Keeps && rsp_valid_i ? rsp_index_i : f_index_q));
      p3_places: assert (f_kept_q == f_places && !f_send);
      p3_mirror: assert (order_o.mirror == ({que_i[xtq_pkg::QueMirror], que_i[xtq_pkg::QueMulti]} == 2'b10) &&
                         order_o.block == que_i[xtq_pkg::QueBlock+:64]);
      p3_bell: assert (order_o.doorbell == que_i[xtq_pkg::QueDoorbell+:64]);
      if (!task_q && f_given_q.first)
        p3_kernel: assert (order_o.packet[xtq_pkg::CmdSignal+:64] == ker_i[xtq_pkg::KerSignal+:64] &&
                           order_o.packet[xtq_pkg::CmdQueue+:64] == '0);
      if (task_q) p3_task: assert (order_o.packet == task_packet_i && !order_o.beats);
    end
    // Where the bytes go: into the buffer at First, behind those before otherwise (cm_ram, P2); and what the next
    // packet will find.
    if (order_valid_o && order_o.frame && order_o.beats)
      p3_va: assert (order_o.va == (f_given_q.first ? va_i : mine_va) &&
      order_o.len == (f_given_q.first && f_put ? f_given_q.bytes - 13'd64 : f_given_q.bytes));
    if (order_valid_o) p3_whose: assert (order_o.proc == (task_q ? task_proc_i : f_gone ? mine_proc : f_given_q.proc) &&
      order_o.rid == cfg_rid_i + 16'(order_o.proc) && (task_q || f_gone || order_o.qp == f_given_q.name));
    if (order_valid_o && order_o.enq) p3_queue: assert (order_o.qidx == (task_q ? task_queue_i : f_given_q.first ?
      cmd_q[xtq_pkg::CmdQueue+:16] : mine_queue));
    if (save_va) p3_next: assert (next_va == order_o.va + 64'(order_o.len) && ask_q.qp == f_given_q.qp);
    if (save_va && f_send) p6_saved: assert (next_got == (f_given_q.first ? 32'd0 : mine_got) + 32'(f_given_q.bytes) &&
      next_left == (!f_given_q.first ? mine_left : room_i[31] ? 32'h8000_0000 : room_i) - 32'(f_given_q.bytes) &&
      number == (f_given_q.first ? number_i : mine_number) && proc == f_given_q.proc && ask_q.name == f_given_q.name);
    if (save) p3_saved: assert (packet == rewritten);
    if (ans_valid_o && ok)
      p3_state: assert (save_va == !f_given_q.last && save == (f_put && f_given_q.first && !f_given_q.last));
    if (order_valid_o && order_o.enq && !task_q && !f_given_q.first) p3_packet: assert (order_o.packet == mine_packet);
    if (state_q != StIdle)
      p3_need: assert (need_q == (first && find_bytes_o != '0) && (!asked || find_bytes_o == (!ask_q.send ?
        ask_q.args + ask_q.pay : !ask_q.last ? 32'(ask_q.bytes) + 32'd1 : ask_q.bytes == '0 ? 32'd1 :
        32'(ask_q.bytes))));
    if (find_o) p3_find: assert (find_proc_o == f_given_q.proc && (f_send ? find_all_o == !f_given_q.last &&
      find_bytes_o == (!f_given_q.last ? 32'(f_given_q.bytes) + 32'd1 : f_given_q.bytes == '0 ? 32'd1 :
                       32'(f_given_q.bytes)) :
      !find_all_o && find_bytes_o == f_given_q.args + f_given_q.pay));
    if (req_valid_o)
      p3_asked: assert (req_rid_o == cfg_rid_i + 16'(proc) && req_block_o == que_i[xtq_pkg::QueBlock+:64] &&
      req_size_o == que_i[xtq_pkg::QueSize+:5] && req_multi_o == que_i[xtq_pkg::QueMulti] &&
      req_place_o == que_place_i);
    if (state_q != StIdle && task_q) p3_turn: assert (f_task_q);
    if (rsv_valid_o || back_valid_o) p3_places_of: assert (rsv_proc_o == proc && back_proc_o == proc);
    if (take_o) p3_take: assert (ok && f_open_q && f_given_q.first);
    if (req_valid_o || rsv_valid_o || take_o) p4_hold: assert (hold_o);
    p4_soon: assert (!(look_valid_o && !soon_o) && !(soon_o && hold_o));
    if (order_valid_o) p5_held: assert (hold_o);
    if (ans_valid_o || task_ans_o) p5_room: assert (order_ready_i);

    // What keeps the proof together.
    p1_ask: assert (!f_open_q || ask_q == f_given_q);
    p1_flows: assert (flow_q == f_flow_q);
    if (flow_q && cmd_on_q) p1_at: assert (cmd_at_q == f_at_q && 32'(f_at_q) < CmdBeats);
    if (f_open_q) p4_nobody: assert (nobody_q == (32'(f_given_q.proc) >= NumProcs));
    if (f_send && first && nobody_q)
      p6_nobody_ends: assert (state_q == StRoom || (state_q == StEnd && why_q == nic_pkg::WhyNoBuffer));
    p1_kept: assert (state_q == StIdle || kept_q == f_kept_q);
    p1_pending: assert (f_pending_q == (state_q == StQueue && sent_q));
    p1_won: assert (!f_won_q || state_q == StEnd || state_q == StIdle);
    p1_won_ok: assert (!f_won_q || state_q != StEnd || (ok && index_q == f_index_q));

    p1_look: assert (!f_look_q || state_q == StFound);
    p1_why_q: assert (state_q == StEnd || state_q == StIdle || why_q == nic_pkg::WhyNone);
    if (state_q == StCmd) p1_cmd: assert (first && !f_found_q && !f_cmd_q && flow_q && cmd_on_q);
    if (f_put && first && state_q != StCmd) p1_full: assert (f_cmd_q && !cmd_on_q);
    if (f_open_q && (!first || f_send)) p1_later: assert (!cmd_on_q);
    if (!f_open_q && state_q != StIdle) p1_other: assert (!flow_q || !cmd_on_q);
    if (flow_q && cmd_on_q) p1_flow: assert (state_q == StCmd);
    if (f_put && first && (state_q == StLook || state_q == StFound || state_q == StRoom || state_q == StKeep ||
                           state_q == StQueue))
      p1_good: assert (f_frame == nic_pkg::WhyNone);
    if (f_put && first && state_q == StEnd)
      p1_end: assert (f_found_q || (f_frame != nic_pkg::WhyNone && why_q == f_frame));
    if (f_put && first && state_q == StEnd && f_found_q) p1_end_good: assert (f_frame == nic_pkg::WhyNone);
    if ((state_q == StRoom || state_q == StKeep || state_q == StQueue) && !f_send) p1_found: assert (f_found_q);
    if (f_send) p6_beats: assert (beat_any_q);
    if (f_send) p6_states: assert (state_q == StRoom || (first && state_q == StKeep) || state_q == StEnd);
    if (f_send && first && state_q == StEnd && why_q == nic_pkg::WhyNone) p6_kept: assert (f_kept_q == 2'd1 && f_fit_q);
    if (f_send && !first) p6_later: assert (f_kept_q == 2'd0 &&
      why_q == (state_q == StEnd && 32'(f_given_q.bytes) > mine_left ? nic_pkg::WhyTooLong : nic_pkg::WhyNone));
    if (f_send && state_q == StEnd && why_q != nic_pkg::WhyNone) p6_not_kept: assert (f_kept_q == 2'd0);
    if (f_send || f_gone) p6_not_won: assert (!f_won_q);
    if ((state_q == StKeep || state_q == StQueue || (state_q == StEnd && ok)) && need_q)
      p3_fits: assert (f_fit_q && (f_found_q || f_send));
    if (f_put && first && !func && (state_q == StRoom || state_q == StKeep || state_q == StQueue ||
        (state_q == StEnd && f_found_q && why_q == nic_pkg::WhyNone)))
      p1_args: assert (ask_q.args[31:4] != '0 || (ask_q.pay == '0 && !ker_i[xtq_pkg::KerHasTarget]));
    if ((state_q == StRoom || state_q == StKeep || state_q == StQueue || (state_q == StEnd && f_found_q)) && !f_send)
      p4_held: assert (f_held_q);
    if (state_q == StLook || state_q == StFound) p1_not_found: assert (!f_found_q);
    if ((state_q == StKeep && !f_send) || state_q == StQueue) p1_last: assert (last && !f_send);
    if (state_q == StKeep && !f_send) p3_keep: assert (events);
    if (state_q == StQueue || (state_q == StEnd && ok && last && !f_send)) p3_kept: assert (f_kept_q == f_places);
    if (state_q == StEnd && ok && last && !f_send) p3_won: assert (f_won_q);
    if (state_q == StEnd && ok && (first || last) && !f_send) p3_found: assert (f_found_q);
    if (state_q == StCmd || state_q == StLook || state_q == StFound || state_q == StRoom)
      p1_none_kept: assert (kept_q == '0 && !sent_q);
    if (state_q == StKeep) p1_keeping: assert (!sent_q && kept_q == 2'd0 || (task_q && kept_q == 2'd1 && !sent_q));
    c_send: cover (ans_valid_o && ok && f_send && !f_given_q.first && f_given_q.last);
    c_long: cover (ans_valid_o && ans_why_o == nic_pkg::WhyTooLong);
    c_gone: cover (order_valid_o && order_ready_i && f_gone);
    c_only: cover (ans_valid_o && ans_why_o == nic_pkg::WhyNone && ask_q.first && ask_q.last && order_o.beats);
    c_full: cover (ans_valid_o && ans_why_o == nic_pkg::WhyQueueFull && kept_q == 2'd1);
    c_turn: cover (start_task && ask_valid_i && !flow_q);
    c_passed: cover (f_asks_q == 2'd1 && state_q == StIdle);
    c_task: cover (task_ans_o && task_ok_o && kept_q == 2'd2);
  end
