// SPDX-License-Identifier: Apache-2.0
// nic_decide: the responder: decides what becomes of the oldest stored frame, and where its payload goes.
//
//   head --> look --> judge --> wait --> decide --+--> RetFrame, state [NumQps], acknowledgement (nic_acks),
//             |         |                         |    response (nic_reply), event
//             |         '--> region (nic_mr) --^  +--> ask, answer (xtq_target)
//             '--> cfg, state                     '--> head (nic_req), for opcodes 0D to 12
//   payload -----------------------> mover -------+--> nic_wr | xtq_target | nic_req | nowhere
//
// P1  Each frame is decided once, in order, as RSP-1 to RSP-8 say; one RetFrame each, except those that go to nic_req.
// P2  Each payload item goes whole to one place: nic_wr with its job (FrDone, a write with bytes), xtq_target from its
//     ask on (XtqPut, SEND), nic_req beside its head, otherwise nowhere.
// P3  State changes in the cycle of RetFrame only, and with start_valid_i. What was decided is never looked at again.
// P4  An event is offered after the frame's job and payload have been taken, an ask after those before it; job_ready_i
//     stays low as long as the one that was taken has not left. A place, for an immediate, is taken with RetFrame.
// P5  idle_o: nothing that a register says has been used for a decision to come, so it may change. While hold_i is high
//     nothing is decided but what xtq_target or nic_req has begun with.
// P6  Between an ask and its answer neither registers nor nic_reply change what the verdict depends on (P5, asking_o,
//     fail_i): asking_o is up from the cycle after its first one on, and none begins with hold_i or fail_i.
// P7  An acknowledgement is handed to nic_acks, and a response to nic_reply, with room for it only and with the number
//     of writes before it: one of both at most, in the cycle of RetFrame. An atomic is decided on by what nic_reply's
//     store says in that cycle.
// P9  While away_i is high nothing is decided; from back_valid_i on the queue pair's ePSN and MSN are what that says
//     (sts_o at once), and what is taken from there on until the old ePSN is not taken twice (RSP-18, RSP-19). What was
//     looked at for a decision is looked at anew.
// P10 What was looked up for a frame is of its own queue pair, with all that was decided before it, also when it comes
//     right behind another (env: the head behind next_valid_i is of next_qp_i).
// P8  Of a message that is given up xtq_target is told (gave_up_o), and nic_mr of a region that a SEND invalidates,
//     with RetFrame.
//
// A frame takes 3 cycles, 4 at 128 bits, or its beats of payload if these are more (one more where they are no
// write's), so 8-byte writes (3 beats of 32 on the wire, 6 of 16) go at its rate: its queue pair is looked up while the
// frame before is decided on (next_qp_i). One that comes alone takes a cycle more. What goes to nic_req takes 2 until
// it is offered. An XtqPut or a SEND takes 2 to its ask, one that invalidates a region 4 (5), and then as many as its
// answer. xtq_target needs 5, so an XtqPut of 64 bytes of payload (8 beats of 32) waits for the wire:
//
//   cycle       0     1     2     3      4      5      6       7 = 0
//   nic_decide    look  ask   wait  wait   wait   wait   answer  look
//   payload           cmd   cmd   args   pay    pay
//   xtq_target        idle  cmd   found  queue  queue  queue   idle
//
// Cost: 2361 LUT4, 694 flip-flops, 147 LUT RAMs of 16 x 4, 9 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9, 16 QPs,
// 128 bits).
// One file: P3 ties a frame's state, answer and payload to the cycle of its RetFrame.
// Rules of README.md: RSP-5, RSP-6, RSP-7, RSP-8, RSP-9, RSP-14, RSP-18,
// RSP-19, RSP-20, RSP-21.
`default_nettype none

module nic_decide #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [15:0]       cfg_qpn_i,
  input  wire logic [15:0]       cfg_rid_i,

  // Before a register write: hold_i until idle_o, and in the cycle of the write
  input  wire logic              hold_i,
  output logic                   idle_o,

  // Frames
  input  wire logic              head_valid_i,
  output logic                   head_ready_o,
  input  wire nic_pkg::head_t    head_i,
  input  wire logic              next_valid_i,  // there is one behind it, of this QP number
  input  wire logic [23:0]       next_qp_i,
  input  wire logic              pay_valid_i,
  output logic                   pay_ready_o,
  input  wire nic_pkg::bytes_t   pay_i,

  // Queue pairs
  output logic      [7:0]        qp_o,       // of the head
  output logic      [7:0]        cfg_qp_o,   // of cfg_i: of the head, or of the one behind it
  input  wire nic_pkg::qp_cfg_t  cfg_i,
  input  wire logic              start_valid_i,
  input  wire logic [7:0]        start_qp_i,
  input  wire logic [23:0]       start_epsn_i,
  input  wire nic_pkg::qp_go_t   start_go_i,
  input  wire logic [7:0]        sts_qp_i,
  output nic_pkg::resp_state_t   sts_o,

  // Regions: the answer comes two cycles later
  output logic                   mr_valid_o,
  output logic      [31:0]       mr_key_o,
  output logic      [nic_pkg::ProcW-1:0] mr_proc_o,
  output logic      [63:0]       mr_va_o,
  output logic      [31:0]       mr_len_o,
  output logic      [2:0]        mr_right_o,
  input  wire logic              mr_done_i,
  input  wire logic              mr_ok_i,
  input  wire logic              mr_paged_i,
  output logic                   mr_off_o,      // mr_off_idx_o has been invalidated
  output logic      [7:0]        mr_off_idx_o,

  // Acknowledgements: one of the QP waits, with which this one is merged
  output logic                   ack_valid_o,
  output nic_pkg::ack_t          ack_o,
  input  wire logic              ack_met_i,

  // Responses; what nic_reply knows of qp_o
  input  wire logic              reply_room_i,
  output logic                   reply_valid_o,
  output nic_pkg::reply_t        reply_o,
  input  wire logic              reply_err_i,
  input  wire logic              fail_i,     // a responder is about to be stopped: ask nothing now
  output logic                   asking_o,   // stop none now
  // a response meets an absent page: decide nothing until its RNR NAK has left,
  input  wire logic              away_i,
  input  wire logic              back_valid_i,  // now: this QP goes back to this PSN and MSN
  input  wire logic [7:0]        back_qp_i,
  input  wire logic [23:0]       back_psn_i,
  input  wire logic [23:0]       back_msn_i,
  input  wire logic              replay_hit_i,
  input  wire logic [63:0]       replay_value_i,
  input  wire logic              replay_old_i,   // these two are not of now,
  input  wire logic              replay_wait_i,  // nor can what they say be dropped now: decide on no new atomic

  // Writes
  output logic                   job_valid_o,
  input  wire logic              job_ready_i,
  output nic_pkg::dma_t          job_o,
  output logic                   wr_pay_valid_o,
  input  wire logic              wr_pay_ready_i,

  // Tasks
  output logic                   ask_valid_o,
  input  wire logic              ask_ready_i,
  output nic_pkg::xtq_ask_t      ask_o,
  input  wire logic              ans_valid_i,
  input  wire logic [3:0]        ans_why_i,
  output logic                   xtq_pay_valid_o,
  input  wire logic              xtq_pay_ready_i,
  output logic                   gave_up_o,     // the message of qp_o

  // Answers for the requester
  output logic                   req_head_valid_o,
  input  wire logic              req_head_ready_i,
  output logic                   req_pay_valid_o,
  input  wire logic              req_pay_ready_i,

  // What all of these see of the payload; the head stays head_i
  output nic_pkg::bytes_t        pay_o,

  // Places and events
  output logic                   rsv_valid_o,
  output logic      [nic_pkg::ProcW-1:0] rsv_proc_o,
  input  wire logic              rsv_ok_i,
  input  wire logic              rsv_wait_i,  // ask for none now
  output logic                   ev_valid_o,
  input  wire logic              ev_ready_i,
  output nic_pkg::event_t        ev_o,

  output logic                   now_valid_o,  // after this frame qp_o is in an XtqPut or a SEND, or in none
  output logic                   now_task_o,
  output logic                   ret_valid_o,
  output nic_pkg::retire_t       ret_o,
  output logic                   mark_o,  // of a marked frame that counts
  output logic                   cnp_o    // of a CNP
);

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("nic_decide: NumQps must be 1 to 256"); end

  localparam int unsigned IdxW = NumQps > 1 ? $clog2(NumQps) : 1;
  localparam int unsigned RespStateW = nic_pkg::RespStateW;

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StLook = 3'd1;
  localparam logic [2:0] StWait = 3'd2;
  localparam logic [2:0] StDecide = 3'd3;
  localparam logic [2:0] StAsk = 3'd4;
  localparam logic [2:0] StAnswer = 3'd5;
  localparam logic [2:0] StPass = 3'd6;
  localparam logic [2:0] StKeep = 3'd7;  // at 128 bits: the region's answer is kept first, since much hangs on it
  localparam bit         Keeps = nic_pkg::DataW == 128;
  logic [2:0] state_q;

  // ---- state of the queue pairs ----
  logic [RespStateW-1:0]  mem_q [NumQps];
  logic [NumQps-1:0] known_q;  // started once
  nic_pkg::resp_state_t st_q, st_d, sts, fresh, far, back;
  nic_pkg::qp_cfg_t  cfg_q;
  logic              ours_q, fire, passes, known;

  assign qp_o = head_i.qp[7:0];
  always_comb begin
    fresh      = '0;
    fresh.epsn = start_epsn_i;
    {fresh.msn, fresh.again}  = {start_go_i.msn, start_go_i.again};
    {fresh.told, fresh.msg}   = {start_go_i.told, start_go_i.msg};
    {fresh.va, fresh.left, fresh.rkey} = {start_go_i.va, start_go_i.left, start_go_i.rkey};
    known      = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (sts_qp_i == 8'(i)) known = known_q[i];
  end
  logic unused_go;  // the rest is the requester's
  assign unused_go  = ^start_go_i;
  // Who reads it in the cycle in which it goes back sees that.
  always_comb begin
    sts = mem_q[sts_qp_i[IdxW-1:0]];
    if (back_valid_i && back_qp_i == sts_qp_i)
      {sts.epsn, sts.msn, sts.again, sts.told} = {back.epsn, back.msn, back.again, back.told};
  end
  assign sts_o      = known ? sts : '0;

  // Back to a PSN: what has been taken from there on is not taken twice.
  assign far = mem_q[back_qp_i[IdxW-1:0]];
  always_comb begin
    back       = far;
    back.epsn  = back_psn_i;
    back.msn   = back_msn_i;
    back.again = far.again + (far.epsn - back_psn_i);
    back.told  = 1'b1;
  end

  logic [IdxW-1:0] put_at;
  assign put_at = start_valid_i ? start_qp_i[IdxW-1:0] : back_valid_i ? back_qp_i[IdxW-1:0] : qp_o[IdxW-1:0];
  always_ff @(posedge clk_i)
    if (start_valid_i || back_valid_i || (fire && ours_q))
      mem_q[put_at] <= start_valid_i ? fresh : back_valid_i ? back : st_d;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else for (int unsigned i = 0; i < NumQps; i++) if (start_valid_i && start_qp_i == 8'(i)) known_q[i] <= 1'b1;
  end

  // Looked up for the head, or, when that goes, for the one behind it: with what the head has just made of the same
  // queue pair.
  logic [23:0] look_qp;
  logic        follows;  // whether the head goes is known late: it says only when
  assign look_qp  = state_q == StIdle ? head_i.qp : next_qp_i;
  assign cfg_qp_o = look_qp[7:0];
  assign follows  = state_q != StIdle && !passes && ours_q && look_qp[7:0] == qp_o;
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle || head_ready_o) begin
      cfg_q  <= cfg_i;
      st_q   <= follows ? st_d : mem_q[look_qp[IdxW-1:0]];
      ours_q <= look_qp[23:8] == cfg_qpn_i && 32'(look_qp[7:0]) < NumQps;
    end
  end

  // ---- judge: in StLook ----
  logic        j_foreign, j_cnp, j_answer, j_ahead, j_dup, j_bad, j_unfit;
  logic        j_write, j_xtq, j_send, j_inv, j_read, j_atomic, j_first, j_last, j_imm, j_look;
  logic [23:0] j_diff;
  logic [24:0] j_packets;
  logic [2:0]  j_right;

  nic_judge u_judge (
    .head_i,
    .cfg_i(cfg_q),
    .st_i(st_q),
    .ours_i(ours_q),
    .foreign_o(j_foreign),
    .cnp_o(j_cnp),
    .answer_o(j_answer),
    .ahead_o(j_ahead),
    .dup_o(j_dup),
    .diff_o(j_diff),
    .bad_o(j_bad),
    .unfit_o(j_unfit),
    .write_o(j_write),
    .xtq_o(j_xtq),
    .send_o(j_send),
    .inv_o(j_inv),
    .read_o(j_read),
    .atomic_o(j_atomic),
    .first_o(j_first),
    .last_o(j_last),
    .imm_o(j_imm),
    .packets_o(j_packets),
    .look_o(j_look),
    .key_o(mr_key_o),
    .va_o(mr_va_o),
    .len_o(mr_len_o),
    .right_o(j_right)
  );
  assign mr_valid_o = state_q == StLook;
  assign mr_proc_o  = cfg_q.proc;
  assign mr_right_o = j_right;

  logic        foreign_q, cnp_q, answer_q, ahead_q, dup_q, bad_q, unfit_q;
  logic        write_q, xtq_q, send_q, inv_q, read_q, atomic_q, first_q, last_q, imm_q, look_q;
  logic        behind_q, across_q, mr_ok_q, mr_ok, mr_now, mr_paged_q, theirs;
  logic        heard_q;  // xtq_target's, unless it is bad or foreign, which is known last
  logic [25:0] ends;  // how far behind ePSN a read ends
  logic [23:0] diff_q;
  logic [24:0] packets_q;
  always_ff @(posedge clk_i) begin
    if (state_q == StLook) begin
      foreign_q <= j_foreign;
      cnp_q     <= j_cnp;
      answer_q  <= j_answer;
      ahead_q   <= j_ahead;
      dup_q     <= j_dup;
      bad_q     <= j_bad;
      unfit_q   <= j_unfit;
      write_q   <= j_write;
      xtq_q     <= j_xtq;
      send_q    <= j_send;
      inv_q     <= j_inv;
      read_q    <= j_read;
      atomic_q  <= j_atomic;
      first_q   <= j_first;
      last_q    <= j_last;
      imm_q     <= j_imm;
      look_q    <= j_look;
      diff_q    <= j_diff;
      packets_q <= j_packets;
      heard_q   <= !j_answer && !j_ahead && !j_dup && (j_xtq || j_send);
    end
    // A duplicate read's PSNs are all before ePSN, or end among those that are asked for again.
    if (state_q == StWait) behind_q <= packets_q <= {1'b0, 24'd0 - diff_q};
    if (state_q == StWait) across_q <= !ends[25] && ends <= {2'd0, st_q.again};
    if (mr_done_i) {mr_ok_q, mr_paged_q} <= {mr_ok_i, mr_paged_i};
  end
  assign ends   = {{2{diff_q[23]}}, diff_q} + {1'b0, packets_q};
  assign mr_now = !Keeps && mr_done_i;
  assign mr_ok  = !look_q || (mr_now ? mr_ok_i : mr_ok_q);
  assign theirs = xtq_q || send_q;  // xtq_target's

  // ---- decide ----
  logic       move_q, job_q, ev_q, job_gone;  // the mover has a payload, a job, an event at hand
  logic       free, heard, asks, ask_now, acks, responds, done, refused, deciding, decided, place, no_place;
  logic [3:0] code, settled, why;  // settled: but for the place
  logic [7:0] syndrome;

  assign deciding = state_q == StDecide && !hold_i && !away_i && free && !(asks && (fail_i || !job_gone)) &&
                    !(atomic_q && (dup_q ? replay_old_i : replay_wait_i)) &&
                    !(imm_q && write_q && !theirs && rsv_wait_i);
  assign passes   = !foreign_q && answer_q;
  assign heard    = heard_q && !foreign_q && !reply_err_i && !bad_q;
  assign asks     = heard && mr_ok;

  // An ask goes at once if nothing is on its way, or from StAsk: what readies the way may look at the ask. One with a
  // region to look up goes from StAsk too: whether that is a good one is known late.
  assign ask_now = state_q == StDecide && !hold_i && heard && !look_q && !fail_i && !move_q && job_gone && !ev_q;

  // The place for an event is asked for when all else is well.
  assign place        = !foreign_q && !answer_q && !reply_err_i && !ahead_q && !dup_q && !bad_q && mr_ok && imm_q &&
                        write_q && !theirs;
  assign rsv_valid_o  = deciding && place;
  assign rsv_proc_o   = cfg_q.proc;
  assign no_place     = place && !rsv_ok_i;

  always_comb begin
    code     = nic_pkg::FrDone;
    why      = nic_pkg::WhyNone;
    syndrome = {nic_pkg::SynAck, nic_pkg::AckNoCredits};
    acks     = 1'b0;  // an acknowledgement
    responds = 1'b0;  // a response with data, if there is room
    if (foreign_q) code = nic_pkg::FrForeign;
    else if (cnp_q) code = nic_pkg::FrCnp;
    else if (reply_err_i) code = nic_pkg::FrForeign;
    else if (ahead_q) begin
      code     = nic_pkg::FrAhead;
      acks     = !st_q.told;
      syndrome = {nic_pkg::SynNak, nic_pkg::NakSequence};
    end else if (dup_q) begin
      code     = nic_pkg::FrDup;
      acks     = write_q;
      responds = (atomic_q && replay_hit_i) || (read_q && (behind_q || across_q) && mr_ok);
    end else if (bad_q) begin
      code     = nic_pkg::FrInvalid;
      why      = unfit_q ? nic_pkg::WhyOpcode : nic_pkg::WhySequence;
      acks     = 1'b1;
      syndrome = {nic_pkg::SynNak, nic_pkg::NakInvalid};
    end else if (!mr_ok) begin
      code     = nic_pkg::FrAccess;
      why      = nic_pkg::WhyRegion;
      acks     = 1'b1;
      syndrome = {nic_pkg::SynNak, nic_pkg::NakAccess};
    end else begin
      acks     = write_q && head_i.ack_req;
      responds = read_q || atomic_q;
    end
    if (responds && !reply_room_i) code = nic_pkg::FrNoRoom;
    // Somebody has been asked, so all above is well: that comes last, since it comes from far.
    if (state_q == StAnswer) begin
      code     = nic_pkg::FrDone;
      why      = ans_why_i;
      responds = 1'b0;
      acks     = ans_why_i != nic_pkg::WhyNone || head_i.ack_req;
      syndrome = {nic_pkg::SynAck, nic_pkg::AckNoCredits};
      if (ans_why_i == nic_pkg::WhyNoBuffer || ans_why_i == nic_pkg::WhyQueueFull ||
          ans_why_i == nic_pkg::WhyNoEvent) begin
        code     = nic_pkg::FrNotReady;
        syndrome = {nic_pkg::SynRnr, cfg_q.rnr};
      end else if (ans_why_i != nic_pkg::WhyNone) begin
        code     = nic_pkg::FrInvalid;
        syndrome = {nic_pkg::SynNak, ans_why_i == nic_pkg::WhyTable ? nic_pkg::NakOperation : nic_pkg::NakInvalid};
      end
    end
    settled = code;
    // Whether there is a place is known last of all. It is asked for a write alone, so no response waits for it.
    if (no_place) begin
      code     = nic_pkg::FrNotReady;
      why      = nic_pkg::WhyNoEvent;
      acks     = 1'b1;
      syndrome = {nic_pkg::SynRnr, cfg_q.rnr};
    end
  end

  assign now_valid_o = fire && ours_q;
  assign now_task_o  = st_d.msg && (st_d.xtq || st_d.send);
  // What is decided at once does not wait for xtq_target's answer: a response, a CNP, a place. That comes late.
  assign decided = deciding && !passes && !asks;
  assign fire    = decided || (state_q == StAnswer && ans_valid_i);
  assign done    = !no_place && settled == nic_pkg::FrDone;
  assign refused = no_place || settled == nic_pkg::FrInvalid || settled == nic_pkg::FrAccess ||
                   settled == nic_pkg::FrNotReady;

  assign head_ready_o     = fire || (req_head_valid_o && req_head_ready_i);
  assign req_head_valid_o = state_q == StPass || (deciding && passes);
  assign ask_valid_o      = state_q == StAsk || ask_now;
  always_comb begin
    ask_o.qp     = qp_o;
    ask_o.name   = cfg_q.name;
    ask_o.proc   = cfg_q.proc;
    ask_o.first  = first_q;
    ask_o.last   = last_q;
    ask_o.length = head_i.length;
    ask_o.kind   = head_i.xtq_kind;
    ask_o.target = head_i.xtq_proc;
    ask_o.args   = head_i.xtq_args;
    ask_o.pay    = head_i.xtq_pay;
    ask_o.bytes  = head_i.bytes;
    ask_o.send   = send_q;
    ask_o.imm_on = imm_q && send_q;
    ask_o.inv    = inv_q;
    ask_o.imm    = head_i.imm;
  end
  // Of registers alone: an ask that begins now meets neither hold_i nor fail_i, and nobody else looks at these two.
  assign asking_o         = state_q == StAsk || state_q == StAnswer;
  assign idle_o           = !asking_o && state_q != StPass;

  // this frame: the next one has been looked up if there is one and its queue pair does not go back just now
  logic [2:0] after;
  assign after = next_valid_i && !back_valid_i ? StLook : StIdle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:   if (head_valid_i) state_q <= StLook;
        // these have no region to wait for
        StLook:   state_q <= j_xtq || j_answer || (j_send && !j_inv) ? StDecide : StWait;
        StWait:   state_q <= Keeps ? StKeep : StDecide;
        StKeep:   state_q <= StDecide;
        StDecide: if (deciding) state_q <= passes && !req_head_ready_i ? StPass : !asks ? after :
                                           ask_now && ask_ready_i ? StAnswer : StAsk;
        StAsk:    if (ask_ready_i) state_q <= StAnswer;
        StAnswer: if (ans_valid_i) state_q <= after;
        default:  if (req_head_ready_i) state_q <= after;
      endcase
      if (idle_o && (hold_i || back_valid_i)) state_q <= StIdle;
    end
  end

  // ---- effects on the queue pair ----
  logic        moves_on;  // ePSN
  logic [31:0] left;
  // Beside what is done: a write that was done before, the rest of a read that was.
  assign moves_on = done || (settled == nic_pkg::FrDup &&
                             (write_q ? !diff_q[23] : responds && reply_room_i && !atomic_q && !behind_q));
  assign left = first_q ? head_i.length : st_q.left;
  always_comb begin
    st_d = st_q;
    if (moves_on) begin
      st_d.epsn  = head_i.psn + packets_q[23:0];
      st_d.again = st_q.again > st_d.epsn - st_q.epsn ? st_q.again - (st_d.epsn - st_q.epsn) : 24'd0;
      st_d.msn   = st_q.msn + 24'(last_q);
      st_d.told  = 1'b0;
      if (settled == nic_pkg::FrDone && write_q) begin
        st_d.msg  = !last_q;
        st_d.xtq  = xtq_q;
        st_d.send = send_q;
        st_d.va   = (first_q ? head_i.va : st_q.va) + 64'(head_i.bytes);
        st_d.left = left - 32'(head_i.bytes);
        st_d.rkey = first_q ? head_i.rkey : st_q.rkey;
      end
    end
    if (refused || (settled == nic_pkg::FrAhead && acks)) st_d.told = 1'b1;
    // the peer goes on with something else
    if (settled == nic_pkg::FrInvalid || settled == nic_pkg::FrAccess) {st_d.msg, st_d.again} = '0;
  end

  assign gave_up_o    = fire && (settled == nic_pkg::FrInvalid || settled == nic_pkg::FrAccess);
  // What has been asked about is done if xtq_target says so: nothing else is looked at any more.
  assign mr_off_o     = state_q == StAnswer && ans_valid_i && ans_why_i == nic_pkg::WhyNone && inv_q;
  assign mr_off_idx_o = head_i.imm[7:0];

  // ---- the response ----
  logic [15:0] wr_q, task_q;
  assign ack_valid_o   = fire && acks;
  assign reply_valid_o = decided && responds && reply_room_i;
  always_comb begin
    ack_o.qp       = qp_o;
    ack_o.psn      = refused || ahead_q ? st_q.epsn : head_i.psn;
    ack_o.msn      = st_d.msn;
    ack_o.syndrome = syndrome;
    reply_o          = '0;
    reply_o.kind     = read_q ? nic_pkg::ReplyRead : dup_q ? nic_pkg::ReplyReplay : nic_pkg::ReplyAtomic;
    reply_o.qp       = qp_o;
    reply_o.proc     = cfg_q.proc;
    reply_o.mtu      = cfg_q.mtu;
    reply_o.psn      = head_i.psn;
    reply_o.msn      = st_d.msn;
    reply_o.cas      = head_i.opcode[4:0] == nic_pkg::OpCmpSwap;
    reply_o.va       = head_i.va;
    reply_o.len      = head_i.length;
    reply_o.packets  = packets_q[23:0];
    reply_o.swap     = dup_q ? replay_value_i : head_i.swap;
    reply_o.compare  = head_i.compare;
    reply_o.paged    = look_q && (mr_now ? mr_paged_i : mr_paged_q);
    reply_o.fresh    = moves_on;
    reply_o.from     = st_q.epsn;
    reply_o.wr       = wr_q;
    reply_o.task_wr  = task_q;
  end

  // What nic_cnp and nic_rate hear of a frame: as its code says, from what is known before.
  assign mark_o = fire && head_i.ce && !foreign_q && !cnp_q && !reply_err_i;
  assign cnp_o  = decided && !foreign_q && cnp_q;

  assign ret_valid_o = fire;
  always_comb begin
    ret_o      = '0;
    ret_o.kind = nic_pkg::RetFrame;
    ret_o.flag = ack_valid_o && ack_met_i;
    ret_o.code = code;
    ret_o.idx  = qp_o;
    ret_o.a    = {32'd0, head_i.opcode, head_i.psn};
    ret_o.b    = refused ? 64'(why) : '0;
  end

  // ---- the mover: one payload item, its job, then its event ----
  localparam logic [1:0] ToNone = 2'd0;
  localparam logic [1:0] ToWrite = 2'd1;
  localparam logic [1:0] ToTask = 2'd2;
  localparam logic [1:0] ToReq = 2'd3;
  logic            moves, moved, beside, begins, writes;
  logic [1:0]      to_q, to;
  nic_pkg::dma_t   job_d, job_data_q;
  nic_pkg::event_t ev_d, ev_data_q;

  assign writes = fire && done && write_q && !theirs && head_i.bytes != 13'd0;
  // A frame that was asked about has begun to move with its ask.
  assign begins = (deciding && !asks) || (ask_valid_o && ask_ready_i);
  assign to     = ask_valid_o ? ToTask : passes ? ToReq : writes ? ToWrite : ToNone;

  // The first beat of what is asked about goes with the ask: nothing else is on its way then.
  assign beside          = ask_valid_o && ask_ready_i && xtq_pay_ready_i;
  assign moves           = move_q && (to_q == ToNone || (to_q == ToWrite && wr_pay_ready_i) ||
                           (to_q == ToTask && xtq_pay_ready_i) ||
                                      (to_q == ToReq && req_pay_ready_i));
  assign pay_ready_o     = moves || beside;
  assign wr_pay_valid_o  = move_q && to_q == ToWrite && pay_valid_i;
  assign xtq_pay_valid_o = ((move_q && to_q == ToTask) || ask_valid_o) && pay_valid_i;
  assign req_pay_valid_o = move_q && to_q == ToReq && pay_valid_i;
  assign pay_o           = pay_i;
  assign moved           = pay_valid_i && moves && pay_i.last;
  assign job_valid_o     = job_q;
  assign job_o           = job_data_q;
  assign ev_valid_o      = ev_q && !move_q && job_gone;
  assign ev_o            = ev_data_q;
  // With nic_wr, so nothing that comes of this frame or a later one overtakes it.
  assign job_gone        = !job_q && job_ready_i;
  // The end of what goes to memory is known early enough, that of what goes elsewhere is not.
  assign free            = (!move_q || (to_q == ToWrite && wr_pay_ready_i && pay_valid_i && pay_i.last)) &&
                           (!job_q || job_ready_i) && !ev_q;

  always_comb begin
    job_d     = '0;
    job_d.rid = cfg_rid_i + 16'(cfg_q.proc);
    job_d.src = nic_pkg::SrcResp;
    job_d.va  = first_q ? head_i.va : st_q.va;
    job_d.len = head_i.bytes;
    ev_d        = '0;
    ev_d.proc   = cfg_q.proc;
    ev_d.kept   = done;
    ev_d.kind   = done ? nic_pkg::EvImm : nic_pkg::EvRefused;
    ev_d.status = done ? 8'd0 : syndrome;
    ev_d.qp     = cfg_q.name;
    ev_d.word   = done ? 32'd0 : 32'(why);
    ev_d.len    = done ? head_i.imm : 32'd0;
    ev_d.addr   = done ? 64'd0 : 64'(st_q.epsn);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      move_q <= 1'b0;
      job_q  <= 1'b0;
      ev_q   <= 1'b0;
      wr_q   <= '0;
      task_q <= '0;
    end else begin
      if (begins) move_q <= !(beside && pay_valid_i && pay_i.last);
      else if (moved) move_q <= 1'b0;
      if (writes) job_q <= 1'b1;
      else if (job_ready_i) job_q <= 1'b0;
      if (fire && (refused || (done && imm_q && !theirs && write_q))) ev_q <= 1'b1;
      else if (ev_valid_o && ev_ready_i) ev_q <= 1'b0;
      if (writes) wr_q <= wr_q + 16'd1;
      if (fire && done && theirs && write_q && head_i.bytes != 13'd0) task_q <= task_q + 16'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begins) to_q <= to;
    // Kept in any cycle in which none waits: that there is one is known late.
    if (!job_q || job_ready_i) job_data_q <= job_d;
    if (!ev_q) ev_data_q <= ev_d;
  end

`ifdef FORMAL
`include "nic_decide_props.svh"
`endif

endmodule

`default_nettype wire
