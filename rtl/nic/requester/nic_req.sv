// SPDX-License-Identifier: Apache-2.0
// nic_req: the requester: send rings become packets, answers become completions.
//
//   bell --> nic_fetch --> slots [NumQps x Requests] --+                  +--> nic_cut --> nic_gather --> head, payload
//                              turns (nic_sched) ------+-> one step a time-+
//   answers (head, payload) ---------------------------+   state [NumQps] +--> nic_ack --> local memory (wr), events
//   nic_timer, on / off, resume -----------------------+   (nic_step makes the next one)
//
//   cons: oldest unfinished entry, its first PSN `first`      una <= psn <= max: acknowledged before una,
//   cur: entry of the next packet, its first PSN `cfirst`     next packet psn, nothing decided on from max on.
//                                                             Going back: psn = una, cur = cons.
//
// P1  Packets of a QP have the PSNs psn, psn + 1 ...; one goes only if it is less than Window after una, and none while
//     the QP is stopped, waits for RNR, or behind an entry or a packet that could not be read.
// P2  Entries end in order, each once: with an event if it asks for one or ended badly, else its place is given back.
// P3  An event goes after the bytes of the answer that it tells of have been taken by wr.
// P4  Each answer is taken whole and makes one RetFrame; what it does by itself (nic_pkg::Tm*) makes one RetTimer:
//     time-outs, an entry that ends without an answer, going back after an RNR time or since bytes could not be read,
//     on and off once that is done.
// P5  After on or off nothing of what was before is under way: the step waits until reads and packets are through. From
//     the cycle after the pulse no packet, time-out or bad entry of that QP is decided any more.
// P6  No packet of a QP that is held back is decided on; a time-out that comes then begins anew, and so does the time
//     with each packet of a slow QP. sent_o tells of each packet, in the cycle in which it is decided on; held_i may
//     know of it in the second cycle behind that, so no turn of that QP begins with its end. held_i ends in the cycle
//     before rate_wake_i.
// P7  An answer of a packet that has not left is stale, also where it has been decided on; one of a packet that has
//     left is not, also where others behind it could not be read. What stopped goes on when all packets of before have
//     left.
// P8  A turn begins only with room for its packet, so what waits for memory or the wire keeps no answer waiting.
// P9  now_valid_o: the consumer of now_qp_o, and whether it has stopped, become these; after a start the first of them
//     is what that says, whatever is still made of the state before.
//
// A step takes 2 cycles (state, then slot), an ACK one more for each further request that it finishes, another answer
// as many cycles as it has beats. At 128 bits a turn is one more, since what the RAM says, late in its cycle, is kept
// first, and an answer two, since what nic_ack says is kept as well; a frame of 64 bytes takes 9 cycles there. The head
// of an ACK goes at once, so that the next frame is judged beside its step: a message of one packet with an ACK of its
// own is 4 cycles of this block, or 7. Its item goes behind its RetFrame, so that the next frame's record comes after
// it.
// Cost: LUT RAM of NumQps x 230 bits, RAM of NumQps x Requests slots of 501 bits, and the blocks above.
// One file: turns, answers, alarms and power are steps of one machine over one word of state a queue pair (P1, P2).
// What a step makes of that word is nic_step's; here is who comes next, what is waited for, and what is told of it.
// Rules of README.md: REQ-2, REQ-3, REQ-5, REQ-6, REQ-7, REQ-13, REQ-14, REQ-15, REQ-16, REQ-17, REQ-18, REQ-19,
// REQ-20, ECN-8, ECN-9, ECN-11, TIM-4, TIM-6.
`default_nettype none

module nic_req #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Requests = 8,
  parameter int unsigned Window = 64,
  parameter int unsigned Ahead = 64,      // reads of the rings, and packets, under way
  localparam int unsigned CfgW = nic_pkg::QpCfgW
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [15:0]      cfg_rid_i,
  input  wire logic [31:0]      cfg_tick_i,

  // nic_qp: pulses, what software says (0: for nic_fetch, 1: here), status of rb_qp_i
  input  wire logic             start_valid_i,
  input  wire logic [7:0]       start_qp_i,
  input  wire logic [23:0]      start_spsn_i,
  input  wire nic_pkg::qp_go_t  start_go_i,
  input  wire logic             stop_valid_i,
  input  wire logic [7:0]       stop_qp_i,
  input  wire logic             bell_valid_i,
  input  wire logic [7:0]       bell_qp_i,
  input  wire logic [15:0]      bell_prod_i,
  input  wire logic             resume_valid_i,
  input  wire logic [7:0]       resume_qp_i,
  output logic      [15:0]      cfg_idx_o,
  input  wire logic [2*CfgW-1:0] cfg_i,
  input  wire logic [7:0]       rb_qp_i,
  output logic      [15:0]      rb_cons_o,
  output logic                  rb_err_o,
  output logic      [7:0]       rb_code_o,
  output logic      [23:0]      rb_una_o,

  // Rates (nic_rate)
  input  wire logic [NumQps-1:0] slow_i,
  input  wire logic [NumQps-1:0] held_i,
  input  wire logic [NumQps-1:0] rate_wake_i,
  output logic                  sent_valid_o,
  output logic      [7:0]       sent_qp_o,
  output logic      [12:0]      sent_bytes_o,   // of payload

  // Answers
  input  wire logic             ans_head_valid_i,
  output logic                  ans_head_ready_o,
  input  wire nic_pkg::head_t   ans_head_i,
  input  wire logic             ans_pay_valid_i,
  output logic                  ans_pay_ready_o,
  input  wire nic_pkg::bytes_t  ans_pay_i,

  // Packets, to nic_tx_mux
  output logic                  head_valid_o,
  input  wire logic             head_ready_i,
  output nic_pkg::tx_head_t     head_o,
  output logic      [7:0]       head_qp_o,
  output logic      [23:0]      head_nth_o,
  output logic      [7:0]       head_epoch_o,
  output logic                  head_lost_o,
  output logic                  pay_valid_o,
  input  wire logic             pay_ready_i,
  output nic_pkg::bytes_t       pay_o,

  // Memory: reads (nic_rd, an item a job in order), writes (nic_wr)
  output logic                  rd_job_valid_o,
  input  wire logic             rd_job_ready_i,
  output nic_pkg::dma_t         rd_job_o,
  input  wire logic             rd_valid_i,
  output logic                  rd_ready_o,
  input  wire nic_pkg::bytes_t  rd_beat_i,
  output logic                  wr_job_valid_o,
  input  wire logic             wr_job_ready_i,
  output nic_pkg::dma_t         wr_job_o,
  output logic                  wr_pay_valid_o,
  input  wire logic             wr_pay_ready_i,
  output nic_pkg::bytes_t       wr_pay_o,

  // Events: a place asked for and answered at once; one given back; an event
  output logic                  place_valid_o,
  output logic      [nic_pkg::ProcW-1:0] place_proc_o,
  input  wire logic             place_ok_i,
  output logic                  back_valid_o,
  output logic      [nic_pkg::ProcW-1:0] back_proc_o,
  output logic                  event_valid_o,
  input  wire logic             event_ready_i,
  output nic_pkg::event_t       event_o,

  // RetSend, RetFrame, RetTimer (RetTx is nic_tx_mux's)
  output logic                  ret_send_valid_o,
  output nic_pkg::retire_t      ret_send_o,
  output logic                  ret_frame_valid_o,
  output nic_pkg::retire_t      ret_frame_o,
  output logic                  ret_frame_ce_o,  // it was marked
  output logic                  idle_o,          // no answer is half decided on
  // What the registers say of a QP becomes this (nic_ctx_work)
  output logic                  now_valid_o,
  output logic      [7:0]       now_qp_o,
  output logic      [15:0]      now_cons_o,
  output logic                  now_err_o,

  // Turned on or off, and no packet of before is under way any more (nic_peer)
  output logic                  through_valid_o,
  output logic      [7:0]       through_qp_o,

  output logic                  ret_timer_valid_o,
  output nic_pkg::retire_t      ret_timer_o
);

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_req: NumQps must be 2 to 256"); end
  if (Ahead < 4 || Ahead > 64) begin : gen_bad_ahead $error("nic_req: Ahead must be 4 to 64"); end
  if (Window < 16 || Window > 32'h40_0000) begin : gen_bad_window $error("nic_req: Window must be 16 to 2^22"); end

  localparam int unsigned IdxW = $clog2(NumQps);
  localparam int unsigned ReqW = $clog2(Requests);

  localparam int unsigned StateW = nic_pkg::ReqStateW;
  localparam int unsigned BeginW = nic_pkg::ReqBeginW;
  localparam bit Keeps = nic_pkg::DataW == 128;

  typedef enum logic [3:0] {StIdle, StRead, StKeep, StAck, StDo, StJob, StPay, StEnd, StQuiet, StFree} step_e;
  typedef enum logic [2:0] {DoTurn, DoAnswer, DoTimer, DoResume, DoLost, DoPower} do_e;

  // What comes back of a packet that could not be read.
  localparam int unsigned LostW = 8 + 16 + 24;
  // And of one that leaves: the PSN behind it, and whether it is sent for the first time.
  localparam int unsigned NoteW = 24 + 1 + LostW;

  nic_pkg::req_state_t ram_st, st_q, st_d;
  step_e             step_q, step_d;
  do_e               do_q;
  logic [7:0]        qp_q;
  logic [IdxW-1:0]   idx;
  logic              rewinds_q, failed_q;  // entries are forgotten at the end; and none is read until resume
  logic [15:0]       rewind_q, free_q;
  logic              st_we, again_q, moved_q, at_do;
  logic [NumQps-1:0] on_d, power_d, lost_set_d;
  logic              on_here_q, power_here_q;              // on_q, power_q of the QP at hand, from its second cycle on
  logic              hold_set_q;                            // in power_q or lost_set_q something is, or was a cycle ago
  logic [NumQps-1:0] on_q, power_q, want_q, resume_q, known_q, fresh_q;  // fresh: to begin anew
  logic              begins_q, slow_q, held_q;  // of the QP at hand
  logic              turns_q;                   // in StFree of off or on, which is late in registers
  logic              unsent_q, behind_q;        // slots hold an entry that has not been sent whole, and one behind it
  // What a turn asks of the state, a cycle before: how far from una its entry and max are, which of its PSNs are equal,
  // and whether one PSN more is behind max.
  logic [23:0]       nth_q, base_q, span_q;
  logic              open_q, idle_q, oldest_q, here_q, due_q, past_q, tip_q, newest_d;

  assign idx = qp_q[IdxW-1:0];
  assign at_do = step_q == StDo && !again_read_q;

  // ---- state; a copy for the registers ----
  cm_lutram #(
    .Width(StateW),
    .Depth(NumQps)
  ) u_state (
    .clk_i,
    .we_i(st_we),
    .waddr_i(idx),
    .wdata_i(st_d),
    .raddr_i(idx),
    .rdata_o(ram_st)
  );
  logic [15:0] rb_cons;
  logic [7:0]  rb_code;
  logic        rb_err;
  logic [23:0] rb_una;
  cm_lutram #(
    .Width(49),
    .Depth(NumQps)
  ) u_shown (
    .clk_i,
    .we_i(st_we),
    .waddr_i(idx),
    .wdata_i({st_d.cons, st_d.err, st_d.code, st_d.una}),
    .raddr_i(rb_qp_i[IdxW-1:0]),
    .rdata_o({rb_cons, rb_err, rb_code, rb_una})
  );
  // Of what has been turned on nothing is told until its state is as it begins (P9).
  assign now_valid_o = st_we && !fresh_q[idx];
  assign now_qp_o    = qp_q;
  assign now_cons_o  = st_d.cons;
  assign now_err_o   = st_d.err;

  // Turned on a moment ago: what the registers will say of it.
  nic_pkg::req_begin_t rb_begin;
  logic                rb_new, rb_fresh;
  assign rb_new    = fresh_q[rb_qp_i[IdxW-1:0]] || (turns_q && begins_q && rb_qp_i == qp_q);
  assign rb_fresh  = !known_q[rb_qp_i[IdxW-1:0]] || rb_new;
  assign rb_cons_o = rb_new ? rb_begin.cons : rb_fresh ? 16'd0 : rb_cons;
  assign rb_code_o = rb_new ? rb_begin.code : rb_fresh ? 8'd0 : rb_code;
  assign rb_err_o  = (rb_new ? rb_begin.err : !rb_fresh && rb_err) && !(resume_q[rb_qp_i[IdxW-1:0]] &&
                     rb_code_o != nic_pkg::StTimeout && rb_code_o != nic_pkg::StLocalRead);
  assign rb_una_o  = rb_new ? rb_begin.psn : rb_fresh ? 24'd0 : rb_una;

  nic_pkg::req_begin_t start, begins;
  logic                unused_go;
  assign start     = {start_spsn_i, start_go_i.cons, start_go_i.send_err, start_go_i.code};
  assign unused_go = ^start_go_i;  // the rest is the responder's
  cm_lutram #(
    .Width(BeginW),
    .Depth(NumQps)
  ) u_begin (
    .clk_i,
    .we_i(start_valid_i),
    .waddr_i(start_qp_i[IdxW-1:0]),
    .wdata_i(start),
    .raddr_i(idx),
    .rdata_o(begins)
  );

  cm_lutram #(
    .Width(BeginW),
    .Depth(NumQps)
  ) u_shown_begin (
    .clk_i,
    .we_i(start_valid_i),
    .waddr_i(start_qp_i[IdxW-1:0]),
    .wdata_i(start),
    .raddr_i(rb_qp_i[IdxW-1:0]),
    .rdata_o(rb_begin)
  );

  // ---- slots ----
  logic             ev_push, ev_room, ends, frees, ans_ack_q, ans_atomic_q;
  nic_pkg::qp_cfg_t cfg, cfg_q;
  logic             unused_cfg;
  nic_pkg::send_t   slot, slot_now, e;
  logic             slot_we, slot_re, e_valid_q, is_turn;
  logic [IdxW+ReqW-1:0] slot_waddr;
  logic [15:0]      have, fetched, look;
  assign cfg     = cfg_i[CfgW+:CfgW];
  always_ff @(posedge clk_i) cfg_q <= cfg;  // of the step, from its second cycle on
  assign unused_cfg = ^cfg_q;  // the rest is nic_fetch's and the responder's
  assign is_turn = do_q == DoTurn;
  assign look    = is_turn ? ram_st.cur : ram_st.cons;
  // An ACK goes on with the next request in the next cycle, so its slot is read while what it means for this one is
  // decided. That it is there is known since it has left; at 128 bits that is looked at a cycle before, and the slot
  // is read while there is no room for an event, too: what is at hand is kept.
  logic [15:0]      cons_up;
  logic             slot_next, next_there;
  assign cons_up   = st_q.cons + 16'd1;
  assign slot_next = at_do && do_q == DoAnswer && ans_ack_q && (Keeps || ev_room) && next_there;
  // A step begins with a slot that is read whether there is an entry in it or not: that is known late (e_valid_q), and
  // a slot has hundreds of bits.
  assign slot_re   = slot_next || step_q == StRead;
  cm_ram #(
    .Width(nic_pkg::SendW),
    .Depth(NumQps * Requests),
    .Collides(1'b1)
  ) u_slots (
    .clk_i,
    .we_i(slot_we),
    .waddr_i(slot_waddr),
    .wdata_i(slot),
    .re_i(slot_re),
    .raddr_i({idx, slot_next ? cons_up[ReqW-1:0] : look[ReqW-1:0]}),
    .rdata_o(slot_now)
  );
  if (Keeps) begin : gen_keep
    nic_pkg::send_t slot_q;
    logic           next_there_q;
    always_ff @(posedge clk_i) if (step_q == StKeep || step_q == StQuiet) slot_q <= slot_now;
    always_ff @(posedge clk_i) next_there_q <= have != cons_up;
    assign e          = slot_q;
    assign next_there = next_there_q;
  end else begin : gen_no_keep
    assign e          = slot_now;
    assign next_there = have != cons_up;
  end

  // ---- reads: ring and gather share nic_rd ----
  logic            ring_valid, ring_ready, ring_in_valid, gat_valid, gat_ready, gat_in_valid, gat_in_ready, fetch_busy,
                   gat_busy;
  nic_pkg::dma_t   ring_job, gat_job;
  nic_pkg::bytes_t rd_beat;
  nic_rd_mux #(
    .Sources(2),
    .Jobs(2 * Ahead)
  ) u_rd_mux (
    .clk_i,
    .rst_ni,
    .job_valid_i({gat_valid, ring_valid}),
    .job_ready_o({gat_ready, ring_ready}),
    .job_i({gat_job, ring_job}),
    .item_valid_o({gat_in_valid, ring_in_valid}),
    .item_ready_i({gat_in_ready, 1'b1}),
    .item_o(rd_beat),
    .job_valid_o(rd_job_valid_o),
    .job_ready_i(rd_job_ready_i),
    .job_o(rd_job_o),
    .item_valid_i(rd_valid_i),
    .item_ready_o(rd_ready_o),
    .item_i(rd_beat_i)
  );

  // ---- entries ----
  logic [NumQps-1:0] fetch_wake;
  logic              hold, init_valid, done_valid, lost_valid;
  nic_fetch #(
    .NumQps(NumQps),
    .Requests(Requests),
    .InFlight(Ahead)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .cfg_rid_i,
    .bell_valid_i(bell_valid_i || start_valid_i),
    .bell_qp_i(start_valid_i ? start_qp_i : bell_qp_i),
    .bell_prod_i(start_valid_i ? start_go_i.cons : bell_prod_i),
    .hold_i(hold),
    .busy_o(fetch_busy),
    .init_valid_i(init_valid),
    .init_all_i(do_q == DoPower),
    .init_on_i(on_q[idx]),
    .init_stuck_i(failed_q || (do_q == DoPower && begins_q && begins.err)),
    .init_cons_i(do_q == DoPower && begins_q ? begins.cons : rewind_q),
    .done_valid_i(done_valid),
    .qp_i(qp_q),
    .cons_i(st_d.cons),
    .have_o(have),
    .fetched_o(fetched),
    .wake_o(fetch_wake),
    .stuck_valid_i(lost_valid),
    .stuck_qp_i(head_qp_o),
    .cfg_idx_o(cfg_idx_o[7:0]),
    .cfg_i(cfg_i[CfgW-1:0]),
    .place_valid_o,
    .place_proc_o,
    .place_ok_i,
    .job_valid_o(ring_valid),
    .job_ready_i(ring_ready),
    .job_o(ring_job),
    .in_valid_i(ring_in_valid),
    .in_beat_i(rd_beat),
    .slot_we_o(slot_we),
    .slot_addr_o(slot_waddr),
    .slot_o(slot),
    .ret_valid_o(ret_send_valid_o),
    .ret_o(ret_send_o)
  );
  assign cfg_idx_o[15:8] = qp_q;

  // ---- packets ----
  logic              pkt_valid, pkt_ready, pkt_room, clear_valid, cut_last;
  logic [23:0]       cut_count, nth;
  nic_pkg::tx_head_t cut_head;
  logic [63:0]       va1, va2;
  logic [12:0]       len1, len2;
  logic [LostW-1:0]  note;
  logic [23:0]       behind;
  logic              newest;
  assign nth = nth_q;
  // A packet is one PSN, a read all that are left, so it ends where its entry does. (REQ-3: no read has more than 2^22,
  // nor has the window, so that its last one is less than 2^23 after una.)
  assign newest_d = e.op == nic_pkg::SqRead ? base_q + e.packets > span_q : tip_q;
  nic_cut u_cut (
    .send_i(e),
    .mtu_i(cfg_q.mtu),
    .idx_i(nth),
    .psn_i(st_q.psn),
    .count_o(cut_count),
    .last_o(cut_last),
    .head_o(cut_head),
    .va1_o(va1),
    .len1_o(len1),
    .va2_o(va2),
    .len2_o(len2)
  );
  nic_gather #(
    .NumQps(NumQps),
    .Ahead(Ahead),
    .NoteW(NoteW)
  ) u_gather (
    .clk_i,
    .rst_ni,
    .pkt_valid_i(pkt_valid),
    .pkt_ready_o(pkt_ready),
    .pkt_room_o(pkt_room),
    .pkt_head_i(cut_head),
    .pkt_qp_i(qp_q),
    .pkt_nth_i(nth),
    .pkt_note_i({st_d.psn, st_q.psn == st_q.max, st_q.epoch, st_q.cur, st_q.cfirst}),
    .pkt_rid_i(cfg_rid_i + 16'(st_q.proc)),
    .pkt_va1_i(va1),
    .pkt_len1_i(len1),
    .pkt_va2_i(va2),
    .pkt_len2_i(len2),
    .job_valid_o(gat_valid),
    .job_ready_i(gat_ready),
    .job_o(gat_job),
    .in_valid_i(gat_in_valid),
    .in_ready_o(gat_in_ready),
    .in_beat_i(rd_beat),
    .head_valid_o,
    .head_ready_i,
    .head_o,
    .qp_o(head_qp_o),
    .nth_o(head_nth_o),
    .lost_o(head_lost_o),
    .note_o({behind, newest, note}),
    .pay_valid_o,
    .pay_ready_i,
    .pay_o,
    .clear_valid_i(clear_valid),
    .clear_qp_i(qp_q),
    .busy_o(gat_busy)
  );
  assign lost_valid   = head_valid_o && head_ready_i && head_lost_o;
  assign head_epoch_o = note[LostW-1-:8];

  // QPs with a lost packet; nic_gather lets none of a QP leave behind it, so one place each is enough.
  logic [NumQps-1:0] lost_set_q;
  logic [23:0]       lost_psn;
  logic [LostW-1:0]  lost_note;
  cm_lutram #(
    .Width(24 + LostW),
    .Depth(NumQps)
  ) u_lost (
    .clk_i,
    .we_i(lost_valid),
    .waddr_i(head_qp_o[IdxW-1:0]),
    .wdata_i({head_o.psn, note}),
    .raddr_i(idx),
    .rdata_o({lost_psn, lost_note})
  );

  // Of each QP the PSN behind the newest packet that has left, from una on where nothing is on its way.
  logic        anew;
  logic [23:0] sent;
  assign anew = init_valid && (do_q == DoPower || do_q == DoResume);
  cm_lutram #(
    .Width(24),
    .Depth(NumQps)
  ) u_sent (
    .clk_i,
    .we_i(anew || (head_valid_o && head_ready_i && !head_lost_o && newest)),
    .waddr_i(anew ? idx : head_qp_o[IdxW-1:0]),
    .wdata_i(anew ? st_d.una : behind),
    .raddr_i(idx),
    .rdata_o(sent)
  );

  // ---- turns, time ----
  logic [NumQps-1:0] wake;
  logic              turn_valid, taken_q, fire_valid, fire_ready, fire_rnr, self_wake, late_wake_q, tm_valid;
  logic [IdxW-1:0]   late_idx_q;
  logic [7:0]        turn_qp, fire_qp;
  logic [1:0]        tm_kind;
  logic              tm_off_q, tm_rnr_q;
  logic [23:0]       tm_una_q, tm_max_q;
  logic [4:0]        tm_code, tm_code_q;
  logic              tm_q;  // set a cycle after its step has ended
  logic [7:0]        tm_qp_q;
  always_comb begin
    wake = fetch_wake | rate_wake_i;
    if (self_wake) wake[idx] = 1'b1;
    if (late_wake_q) wake[late_idx_q] = 1'b1;
  end
  // That a turn begins is known late too: nic_sched hears of it a cycle later. A wake that came in between is served by
  // the turn, which reads its state then: what wakes can be seen in the next cycle.
  always_ff @(posedge clk_i) taken_q <= rst_ni && pick_turn;
  // What an answer or an alarm wakes is known late; a turn's own next packet goes on at once.
  always_ff @(posedge clk_i) begin
    late_wake_q <= rst_ni && final_step && wakes && !is_turn;
    late_idx_q  <= idx;
  end
  nic_sched #(
    .NumQps(NumQps)
  ) u_sched (
    .clk_i,
    .rst_ni,
    .wake_i(wake),
    .turn_valid_o(turn_valid),
    .turn_ready_i(taken_q),
    .turn_qp_o(turn_qp)
  );
  nic_timer #(
    .NumQps(NumQps)
  ) u_timer (
    .clk_i,
    .rst_ni,
    .cfg_tick_i,
    .set_valid_i(tm_q),
    .set_qp_i(tm_qp_q),
    .set_kind_i(tm_kind),
    .set_code_i(tm_code_q),
    .fire_valid_o(fire_valid),
    .fire_ready_i(fire_ready),
    .fire_qp_o(fire_qp),
    .fire_rnr_o(fire_rnr)
  );

  // ---- events ----
  nic_pkg::event_t ev;
  cm_fifo #(
    .Width(nic_pkg::EventW),
    .Depth(4)
  ) u_events (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(ev_push),
    .in_ready_o(ev_room),
    .in_data_i(ev),
    .out_valid_o(event_valid_o),
    .out_ready_i(event_ready_i),
    .out_data_o(event_o),
    .level_o()
  );

  // ---- answers ----
  // full: one is here, of which the head (unless it is an ACK) or the item is still to be taken; wait: its step has not
  // begun; drain: it has been decided on, and what is left of its item is dropped.
  logic        ans_full_q, ans_wait_q, ans_drain_q, ans_ce_q, ans_load, ans_over;
  logic [7:0]  ans_qp_q, ans_op_q, ans_syndrome_q;
  logic [23:0] ans_psn_q;
  logic [12:0] ans_bytes_q;
  logic [63:0] ans_swap_q;
  assign ans_load = ans_head_valid_i && !ans_full_q;
  always_ff @(posedge clk_i) begin
    if (ans_load) begin
      ans_qp_q       <= ans_head_i.qp[7:0];
      ans_op_q       <= ans_head_i.opcode;
      ans_psn_q      <= ans_head_i.psn;
      ans_syndrome_q <= ans_head_i.syndrome;
      ans_bytes_q    <= ans_head_i.bytes;
      ans_swap_q     <= ans_head_i.swap;
      ans_ce_q       <= ans_head_i.ce;
      ans_ack_q      <= ans_head_i.opcode[4:0] == nic_pkg::OpAck;
      ans_atomic_q   <= ans_head_i.opcode[4:0] == nic_pkg::OpAtomicAck;
    end
  end

  // What an answer asks of the state, a cycle before; anew if a packet of its QP left then, or leaves while room for an
  // event is waited for, so that all that have left before its RetFrame are under way for it (P7). Whether one leaves
  // is known late, so the decision is put off after it.
  // n_: what nic_ack says, a_: what is acted upon, at 128 bits a cycle later.
  logic        n_more, n_moved, n_done, n_take, n_takes, n_back, n_rnr, n_end;
  logic [23:0] n_una;
  logic [7:0]  n_status;
  logic [3:0]  n_code;
  logic        a_more, a_done, takes, a_back, a_rnr, a_end, a_moved, under_q, again_read_q, follows;
  logic [23:0] a_una, ans_upto, ans_past, upto_q, a_span_q, a_nth_q;
  logic [31:0] ans_mtu, offset, offset_q, a_ends_q, a_whole_q;
  logic        a_there_q, a_full_q;
  logic [7:0]  a_status;
  logic [3:0]  a_code;
  assign ans_upto = ans_psn_q + 24'(ans_ack_q && ans_syndrome_q[7:5] == nic_pkg::SynAck);
  assign ans_past = ram_st.una - ram_st.first;
  assign ans_mtu  = 32'd128 << cfg.mtu;  // 256 << (mtu - 1) bytes a packet
  assign offset   = {8'd0, ans_past} << (4'd7 + {1'b0, cfg.mtu});
  assign follows  = do_q == DoAnswer && a_more && a_done && ans_ack_q;  // it goes on with the next request at once
  always_ff @(posedge clk_i) begin
    again_read_q <= rst_ni && (step_q == StRead || step_q == StKeep || step_q == StAck || step_q == StDo) &&
                    do_q == DoAnswer && head_valid_o && head_ready_i && head_qp_o[IdxW-1:0] == idx;
    if (step_q == StRead) begin
      upto_q    <= ans_upto;
      under_q   <= ans_psn_q - ram_st.una < sent - ram_st.una;
      a_there_q <= ans_upto == ram_st.una;
      a_span_q  <= ans_upto - ram_st.first;
      a_nth_q   <= ans_past + 24'd1;
      offset_q  <= offset;
      a_ends_q  <= offset + 32'(ans_bytes_q);
      a_whole_q <= offset + ans_mtu;
      a_full_q  <= 32'(ans_bytes_q) == ans_mtu;
    end else if (final_step && follows) begin  // an ACK, which has no bytes
      a_there_q <= a_span_q == e.packets;
      a_span_q  <= a_span_q - e.packets;
      a_nth_q   <= 24'd1;
    end
  end
  nic_ack u_ack (
    .upto_i(upto_q),
    .op_i(ans_op_q[4:0]),
    .syndrome_i(ans_syndrome_q),
    .bytes_i(ans_bytes_q),
    .on_i(on_here_q && !st_q.err),
    .wait_i(st_q.rnr),
    .asked_i(st_q.asked),
    .again_i(again_q),
    .una_i(st_q.una),
    .first_i(st_q.first),
    .under_i(under_q),
    .there_i(a_there_q),
    .span_i(a_span_q),
    .nth_i(a_nth_q),
    .full_i(a_full_q),
    .ends_i(a_ends_q),
    .whole_i(a_whole_q),
    .read_i(e.op == nic_pkg::SqRead),
    .atomic_i(e.op == nic_pkg::SqAdd || e.op == nic_pkg::SqSwap),
    .packets_i(e.packets),
    .total_i(e.total),
    .more_o(n_more),
    .una_o(n_una),
    .moved_o(n_moved),
    .done_o(n_done),
    .take_o(n_take),
    .back_o(n_back),
    .rnr_o(n_rnr),
    .end_o(n_end),
    .status_o(n_status),
    .code_o(n_code)
  );
  assign n_takes = do_q == DoAnswer && n_take && (ans_atomic_q || ans_bytes_q != 13'd0);  // bytes for memory
  if (Keeps) begin : gen_keep_ack
    always_ff @(posedge clk_i)
      {a_more, a_moved, a_done, takes, a_back, a_rnr, a_end, a_una, a_status, a_code} <=
          {n_more, n_moved, n_done, n_takes, n_back, n_rnr, n_end, n_una, n_status, n_code};
  end else begin : gen_no_keep_ack
    assign {a_more, a_moved, a_done, takes, a_back, a_rnr, a_end, a_una, a_status, a_code} =
           {n_more, n_moved, n_done, n_takes, n_back, n_rnr, n_end, n_una, n_status, n_code};
  end

  // ---- which step next: what is rare first, answers and turns one after the other ----
  logic       ending, pick, pick_turn, pick_ans, pick_fire, ans_turn_q, fire_rnr_q, any_rare, turn_may, ans_may,
              begin_d;
  logic [7:0] rare_qp, qp_d;
  do_e        rare_do, do_d;
  always_comb begin
    rare_qp  = '0;
    rare_do  = DoResume;
    for (int i = NumQps - 1; i >= 0; i--) if (resume_q[i]) rare_qp = 8'(i);
    if (power_q != '0) begin
      rare_do = DoPower;
      for (int i = NumQps - 1; i >= 0; i--) if (power_q[i]) rare_qp = 8'(i);
    end
    if (lost_set_q != '0) begin
      rare_do = DoLost;
      for (int i = NumQps - 1; i >= 0; i--) if (lost_set_q[i]) rare_qp = 8'(i);
    end
  end
  // A step that ends is followed by the next; what it changes (these sets, the timer) is looked at in StIdle, an alarm
  // when it is not being set.
  assign any_rare  = (resume_q | power_q | lost_set_q) != '0;
  assign pick      = (step_q == StIdle || ending) && !any_rare && !fire_valid;
  assign pick_fire = step_q == StIdle && !any_rare && fire_valid && !tm_q;
  // Not that of the QP whose turn ends: its packet may hold it back, which is told two cycles later (P6).
  assign turn_may  = turn_valid && !taken_q && pkt_room && !(step_q == StDo && is_turn && turn_qp == qp_q);
  assign ans_may   = (ans_load || ans_wait_q) && (ans_turn_q || !turn_may);
  assign pick_ans  = pick && ans_may;
  assign pick_turn = pick && !pick_ans && turn_may;
  // What it is does not wait for the end of the step before, only whether it begins.
  assign begin_d = (step_q == StIdle && any_rare) || pick_fire || pick_ans || pick_turn;
  always_comb begin
    if (step_q == StIdle && any_rare) {do_d, qp_d} = {rare_do, rare_qp};
    else if (step_q == StIdle && fire_valid) {do_d, qp_d} = {DoTimer, fire_qp};
    else if (ans_may) {do_d, qp_d} = {DoAnswer, ans_wait_q ? ans_qp_q : ans_head_i.qp[7:0]};
    else {do_d, qp_d} = {DoTurn, turn_qp};
  end
  assign fire_ready = pick_fire;

  // ---- what it does (nic_step) ----
  logic        deciding, finish, fail, send, moved_d, retime, use_rnr, wakes, turn_wakes, rewinds, exact;
  logic        final_step, item_over, times, waited;
  logic [7:0]  fail_status;
  logic [15:0] rewind;

  assign deciding = at_do || step_q == StEnd;
  nic_step u_step (
    .turn_i(deciding && is_turn),
    .answer_i(deciding && do_q == DoAnswer),
    .timer_i(deciding && do_q == DoTimer),
    .resume_i(deciding && do_q == DoResume),
    .lost_i(deciding && do_q == DoLost),
    .power_i(turns_q),
    .begins_i(begins_q),
    .begin_i(begins),
    .st_i(st_q),
    .on_i(on_here_q),
    .anew_i(power_here_q),
    .slow_i(slow_q),
    .held_i(held_q),
    .proc_i(cfg_q.proc),
    .retry_i(cfg_q.retry),
    .rnr_retry_i(cfg_q.rnr_retry),
    .have_i(have),
    .unsent_i(unsent_q),
    .behind_i(behind_q),
    .open_i(open_q),
    .idle_i(idle_q),
    .oldest_i(oldest_q),
    .here_i(here_q),
    .due_i(due_q),
    .past_i(past_q),
    .entry_i(e_valid_q),
    .bad_i(e.bad),
    .count_i(cut_count),
    .newest_i(newest_d),
    .last_i(cut_last),
    .moved_i(moved_q),
    .ack_more_i(a_more),
    .ack_una_i(a_una),
    .ack_moved_i(a_moved),
    .ack_done_i(a_done),
    .ack_back_i(a_back),
    .ack_rnr_i(a_rnr),
    .ack_end_i(a_end),
    .ack_status_i(a_status),
    .fire_rnr_i(fire_rnr_q),
    .lost_epoch_i(lost_note[LostW-1-:8]),
    .lost_psn_i(lost_psn),
    .lost_cur_i(lost_note[39:24]),
    .lost_cfirst_i(lost_note[23:0]),
    .sent_i(sent),
    .st_o(st_d),
    .send_o(send),
    .finish_o(finish),
    .fail_o(fail),
    .status_o(fail_status),
    .moved_o(moved_d),
    .retime_o(retime),
    .use_rnr_o(use_rnr),
    .wakes_o(wakes),
    .turn_wakes_o(turn_wakes),
    .rewinds_o(rewinds),
    .rewind_o(rewind),
    .times_o(times),
    .waited_o(waited),
    .exact_o(exact)
  );

  // ---- steps ----
  // StRead state, StKeep slot, StAck what nic_ack says, StDo decision; an answer with bytes for memory: StJob, StPay,
  // StEnd (the same decision, now carried out). Where entries are forgotten: StQuiet until nothing is on its way,
  // StFree places.
  assign item_over  = ans_pay_valid_i && ans_pay_i.last;
  // A packet has its room since its turn began (P8). Room for an event is waited for whether there is one or not:
  // that is known last.
  assign final_step = ((at_do && !takes) || step_q == StEnd) && ev_room;
  assign pkt_valid  = at_do && send && ev_room;
  assign sent_valid_o = pkt_valid && pkt_ready;
  assign sent_qp_o    = qp_q;
  assign sent_bytes_o = cut_head.bytes;
  assign st_we      = final_step || (turns_q && free_q == 16'd0);
  assign done_valid = final_step && (finish || fail);
  assign self_wake  = final_step && turn_wakes;
  assign init_valid = step_q == StFree && free_q == 16'd0;
  assign clear_valid = (final_step && do_q == DoLost) || (init_valid && do_q == DoPower);
  assign hold       = hold_set_q || step_q == StQuiet || step_q == StFree;

  logic over;  // the answer has been decided on
  assign over    = final_step && do_q == DoAnswer && !a_more;
  logic quiet, frees_next;  // in StQuiet: what was under way is through; and places are given back
  assign quiet      = !fetch_busy && (!gat_busy || !(do_q == DoPower || do_q == DoLost || do_q == DoResume));
  assign frees_next = do_q != DoLost || rewinds_q;
  always_comb begin
    step_d = step_q;
    unique case (step_q)
      StIdle: if (any_rare || pick_fire || pick_ans || pick_turn) step_d = StRead;
      StRead: step_d = do_q == DoPower || do_q == DoLost ? StQuiet : Keeps ? StKeep : StDo;
      StKeep: step_d = again_read_q ? StRead : do_q == DoAnswer ? StAck : StDo;
      StAck: step_d = again_read_q ? StRead : StDo;
      StDo: begin
        if (again_read_q) step_d = StRead;
        else if (takes) step_d = StJob;
        else if (final_step) begin
          if (rewinds) step_d = StQuiet;
          else if (do_q == DoAnswer && a_more) step_d = !follows ? StRead : Keeps ? StKeep : StDo;
          else step_d = pick_ans || pick_turn ? StRead : StIdle;
        end
      end
      StJob: if (wr_job_ready_i) step_d = StPay;
      StPay: if (item_over && ans_pay_ready_o) step_d = StEnd;
      StEnd: if (final_step) step_d = pick_ans || pick_turn ? StRead : StIdle;
      StQuiet: if (quiet) step_d = frees_next ? StFree : StDo;
      StFree: if (free_q == 16'd0) step_d = StIdle;
      default: step_d = StIdle;
    endcase
  end
  assign ending = (step_q == StDo && final_step && !rewinds && !(do_q == DoAnswer && a_more)) ||
                  (step_q == StEnd && final_step);

  // ---- answers: the head of an ACK goes at once, another's when all is done ----
  assign ans_over         = (step_q == StEnd && ev_room) || (ans_drain_q && item_over);
  assign ans_head_ready_o = ans_full_q ? !ans_ack_q && ans_over : ans_head_i.opcode[4:0] == nic_pkg::OpAck;
  assign ans_pay_ready_o  = ans_drain_q || (step_q == StPay && wr_pay_ready_i);
  assign idle_o           = !ans_full_q || ans_drain_q;
  assign wr_job_valid_o   = step_q == StJob;
  assign wr_pay_valid_o   = step_q == StPay && ans_pay_valid_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ans_full_q  <= 1'b0;
      ans_wait_q  <= 1'b0;
      ans_drain_q <= 1'b0;
    end else begin
      if (ans_load) ans_full_q <= 1'b1;
      else if (ans_over) ans_full_q <= 1'b0;
      if (pick_ans) ans_wait_q <= 1'b0;
      else if (ans_load) ans_wait_q <= 1'b1;
      if (over && step_q == StDo) ans_drain_q <= 1'b1;
      else if (item_over) ans_drain_q <= 1'b0;
    end
  end
  always_comb begin
    wr_job_o     = '0;
    wr_job_o.rid = cfg_rid_i + 16'(st_q.proc);
    wr_job_o.src = nic_pkg::SrcReq;
    wr_job_o.va  = e.va1 + {32'd0, ans_atomic_q ? 32'd0 : offset_q};
    wr_job_o.len = ans_atomic_q ? 13'd8 : ans_bytes_q;
    wr_pay_o     = ans_pay_i;
    if (ans_atomic_q) begin
      wr_pay_o.bytes = 7'd8;
      wr_pay_o.data  = nic_pkg::DataW'(ans_swap_q);
    end
  end

  // ---- events, timer, records ----
  always_comb begin
    ev        = '0;
    ev.proc   = st_q.proc;
    ev.kept   = 1'b1;
    ev.qp     = cfg_q.name;
    ev.word   = {16'd0, st_q.cons};
    ev.len    = e.total;
    ev.status = fail_status;
    ev.kind   = nic_pkg::EvSend;
  end
  assign ends    = final_step && (finish || fail);
  assign ev_push = ends && (fail || e.asks);
  assign frees   = (ends && !ev_push) || (step_q == StFree && free_q != 16'd0);
  always_ff @(posedge clk_i) begin
    back_valid_o <= rst_ni && frees;
    back_proc_o  <= st_q.proc;
  end

  assign tm_valid = (final_step && (retime || use_rnr)) || (init_valid && do_q == DoPower);
  assign tm_kind  = tm_off_q || (!tm_rnr_q && tm_una_q == tm_max_q) ? 2'd0 : tm_rnr_q ? 2'd2 : 2'd1;
  assign tm_code  = use_rnr ? ans_syndrome_q[4:0] : cfg_q.timeout;
  always_ff @(posedge clk_i) begin
    tm_q      <= rst_ni && tm_valid;
    tm_qp_q   <= qp_q;
    tm_off_q  <= init_valid || fail;
    tm_rnr_q  <= use_rnr;
    tm_una_q  <= st_d.una;
    tm_max_q  <= st_d.max;
    tm_code_q <= tm_code;
  end

  assign ret_frame_valid_o = over;
  assign ret_frame_ce_o    = ans_ce_q;
  always_comb begin
    ret_frame_o      = '0;
    ret_frame_o.kind = nic_pkg::RetFrame;
    ret_frame_o.code = fail ? nic_pkg::FrEnd : a_code;
    ret_frame_o.idx  = qp_q;
    ret_frame_o.a    = {32'd0, ans_op_q, ans_psn_q};
    ret_frame_o.b    = 64'(st_d.epoch);
  end
  logic       lets, itself;
  logic [3:0] tm;
  assign lets   = final_step && do_q == DoLost;
  assign itself = final_step && is_turn && fail;
  assign tm = init_valid ? nic_pkg::TmQuiet : lets ? nic_pkg::TmLost : waited ? nic_pkg::TmRnr :
              times ? nic_pkg::TmNoProgress :
              fail_status[3:0];
  assign ret_timer_valid_o = (init_valid && do_q == DoPower) || lets || itself || (final_step && (times || waited));
  always_comb begin
    ret_timer_o      = '0;
    ret_timer_o.kind = nic_pkg::RetTimer;
    ret_timer_o.flag = fail || (lets && !exact);
    ret_timer_o.code = tm;
    ret_timer_o.idx  = qp_q;
    ret_timer_o.a    = lets ? 64'(lost_psn) : '0;
    ret_timer_o.b    = 64'(st_d.epoch);
  end

  // ---- registers ----
  logic [23:0] gap;
  assign gap = ram_st.psn - ram_st.una;
  logic quits;  // what was before on or off is through
  assign quits = step_q == StQuiet && quiet && do_q == DoPower;
  // Told a cycle later: a start that comes in between is one that none of its requests has left of.
  always_ff @(posedge clk_i) begin
    through_valid_o <= rst_ni && quits;
    through_qp_o    <= qp_q;
  end
  always_ff @(posedge clk_i) turns_q <= rst_ni && (quits || (turns_q && free_q != 16'd0));
  always_comb begin
    on_d       = on_q;
    power_d    = power_q;
    lost_set_d = lost_set_q;
    if (final_step && do_q == DoLost) lost_set_d[idx] = 1'b0;
    if (quits) begin
      on_d[idx]       = want_q[idx];
      power_d[idx]    = 1'b0;
      lost_set_d[idx] = 1'b0;
    end
    if (start_valid_i) power_d[start_qp_i[IdxW-1:0]] = 1'b1;
    if (stop_valid_i) power_d[stop_qp_i[IdxW-1:0]] = 1'b1;
    if (lost_valid) lost_set_d[head_qp_o[IdxW-1:0]] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q     <= StIdle;
      again_q    <= 1'b0;
      moved_q    <= 1'b0;
      ans_turn_q <= 1'b0;
      on_q       <= '0;
      known_q    <= '0;
      power_q    <= '0;
      fresh_q    <= '0;
      resume_q   <= '0;
      lost_set_q <= '0;
      hold_set_q  <= 1'b0;
      rewinds_q  <= 1'b0;
    end else begin
      step_q <= step_d;
      if (step_q == StDo && final_step) begin
        again_q <= do_q == DoAnswer && a_more;
        moved_q <= do_q == DoAnswer && a_more && moved_d;
      end else if (step_q == StEnd && final_step) begin
        again_q <= 1'b0;
        moved_q <= 1'b0;
      end
      if (pick_ans || pick_turn) ans_turn_q <= pick_turn;
      if (final_step) rewinds_q <= rewinds;
      else if (step_q == StRead) rewinds_q <= do_q == DoPower;
      if (final_step && do_q == DoResume) resume_q[idx] <= 1'b0;
      on_q       <= on_d;
      power_q    <= power_d;
      lost_set_q <= lost_set_d;
      hold_set_q  <= (power_q | lost_set_q) != '0 || start_valid_i || stop_valid_i || lost_valid;
      if (quits) fresh_q[idx] <= 1'b0;
      if (init_valid) known_q[idx] <= 1'b1;
      if (start_valid_i) fresh_q[start_qp_i[IdxW-1:0]] <= 1'b1;
      if (start_valid_i) resume_q[start_qp_i[IdxW-1:0]] <= 1'b0;
      if (resume_valid_i) resume_q[resume_qp_i[IdxW-1:0]] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_valid_i) want_q[start_qp_i[IdxW-1:0]] <= 1'b1;
    if (stop_valid_i) want_q[stop_qp_i[IdxW-1:0]] <= 1'b0;
    on_here_q    <= quits ? want_q[idx] : on_q[idx];
    power_here_q <= (power_q[idx] && !quits) || (start_valid_i && start_qp_i[IdxW-1:0] == idx) ||
                    (stop_valid_i && stop_qp_i[IdxW-1:0] == idx);
    if (begin_d) begin
      do_q <= do_d;
      qp_q <= qp_d;
    end
    if (pick_fire) fire_rnr_q <= fire_rnr;
    if (step_q == StRead) begin
      st_q      <= ram_st;
      e_valid_q <= have != look && on_q[idx];
      slow_q    <= slow_i[idx];
      held_q    <= held_i[idx];
      unsent_q  <= have != ram_st.cur;
      behind_q  <= have != ram_st.cur + 16'd1;
      nth_q     <= ram_st.psn - ram_st.cfirst;
      base_q    <= ram_st.cfirst - ram_st.una;
      tip_q     <= gap + 24'd1 > ram_st.max - ram_st.una;
      span_q    <= ram_st.max - ram_st.una;
      open_q    <= gap < 24'(Window);
      idle_q    <= ram_st.max == ram_st.una;
      oldest_q  <= ram_st.cur == ram_st.cons;
      here_q    <= ram_st.psn == ram_st.lpsn;
      due_q     <= ram_st.una == ram_st.lpsn;
      past_q    <= ram_st.una - ram_st.lpsn - 24'd1 < 24'h40_0000;
    end
    if (step_q == StDo && final_step && follows) st_q <= st_d;
    if (final_step) begin
      rewind_q <= rewind;
      failed_q <= fail || (do_q == DoLost && st_q.err);
    end else if (step_q == StRead) begin
      rewind_q <= '0;
      failed_q <= 1'b0;
    end
    if (step_q == StQuiet) begins_q <= fresh_q[idx];
    if (step_q == StQuiet) free_q <= do_q != DoPower ? fetched - rewind_q : on_q[idx] ? fetched - st_q.cons : 16'd0;
    else if (step_q == StFree && free_q != 16'd0) free_q <= free_q - 16'd1;
  end

`ifdef FORMAL
`include "nic_req_props.svh"
`endif

endmodule

`default_nettype wire
