// SPDX-License-Identifier: Apache-2.0
// nic_reply: responses with data, in the order in which nic_decide decided on them.
//
//   reply --> [ queue, RespDepth ] ---- the oldest ----> | entry | ---> head, payload (nic_tx_mux), event if it fails
//              | fence: writes before it have left         ^  `---> [ answers of atomics ] --> look-up (nic_decide)
//              '--> nic_reply_read ------ items --------------'
//
// P1  Responses leave in order: of a read, n packets of MTU; in the place of a packet whose bytes could not be read NAK
//     3, and nothing of its queue pair behind it: its responder has stopped.
// P2  What is forgotten (its QP was turned off, or has stopped) leaves no head, and keeps its room until its turn.
// P3  Memory is read only after the writes that were counted in wr and task_wr have left, an atomic only when it is the
//     oldest.
// P4  An atomic's answer is in the store from the cycle after its head has left until Replay others of its QP, a new
//     atomic with its PSN or that of a later one (env: look_wait_o is low), or its QP's start with others (nic_replay
//     P3, P6). The register bus has the store while hold_i is high and no head is offered:
//     what it addresses there is at hand before idle_o is high.
// P5  A head that is offered stays; hold_i stops the next one, and idle_o says that none is offered. A head that stops
//     a responder is offered only while nic_decide asks nobody (asking_i), and fail_o is up from the cycle before that
//     on until it has left, and with back_o: then nobody may be asked, and no register be written.
// P8  Of a region with pages that may be absent, data that memory has refused make an RNR NAK in the place of that
//     packet, and the rest of that response is left out. If its request was new (fresh) back_o says so in the cycle
//     behind this head, and all responses behind it of its queue pair are forgotten. away_o as long as fail_o for such
//     a head, and with back_o: nothing may be decided then.
// P6  rd_ready_o is always 1: who shares nic_rd never waits for the wire.
// P7  The first head of a response is offered only while no acknowledgement has to leave before it (first_i of its
//     queue pair).
// P9  A response that is cut short (P1, P8) has no new job from the third cycle after its last head on: its turn is
//     over when what was read ahead for it has come. What waits behind it is read all the same, unless it is
//     forgotten (P2).
//
// An answer without bytes takes 3 cycles, a read's packet its beats and one more. Cost, store included: 5260 LUT4, 2354
// flip-flops, 116 LUT RAMs of 16 x 4, 31 block RAMs, 12 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9, 16 QPs,
// RespDepth 64, Replay 16).
// One file: P2 and P7 to P9 are about the oldest response and all behind it; reads and answers have their blocks.
// Rules of README.md: QPR-10, QPR-11, RSP-7, RSP-10, RSP-11, RSP-15, RSP-17, RSP-18.
`default_nettype none

module nic_reply #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned RespDepth = 64,
  parameter int unsigned Replay = 16,
  localparam int unsigned PtrW = $clog2(RespDepth)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [15:0]       cfg_rid_i,

  // Before a register write, or a read of QP_ANSWER: hold_i until idle_o, and in the cycle of the access
  input  wire logic              hold_i,
  output logic                   idle_o,

  // Register bus: QP_ANSWER
  input  wire cm_pkg::reg_bus_t  rb_i,
  output logic      [63:0]       rb_rdata_o,

  // Responses, and what nic_decide must know
  output logic                   room_o,
  input  wire logic              reply_valid_i,
  input  wire nic_pkg::reply_t   reply_i,
  output logic                   fail_o,
  input  wire logic              asking_i,
  output logic                   away_o,        // a page is absent: nothing may be decided until the RNR NAK has left,
  output logic                   back_valid_o,  // then: this QP goes back
  output logic      [7:0]        back_qp_o,
  output logic      [23:0]       back_psn_o,
  output logic      [23:0]       back_msn_o,
  input  wire logic [7:0]        look_qp_i,
  input  wire logic [23:0]       look_psn_i,
  output logic                   look_err_o,    // a cycle later: its responder has stopped
  // Two cycles later: the answer of this atomic is in store; another has come there since
  output logic                   look_hit_o,
  output logic      [63:0]       look_value_o,
  output logic                   look_old_o,
  output logic                   look_wait_o,  // for a new atomic these are not of now, or may not be in this cycle

  // Queue pairs
  output logic      [7:0]        qp_o,
  input  wire nic_pkg::qp_cfg_t  cfg_i,
  input  wire logic              start_valid_i,
  input  wire logic [7:0]        start_qp_i,
  input  wire logic              start_err_i,   // with a responder that has stopped
  input  wire logic [6:0]        start_num_i,   // with so many answers in store
  input  wire logic              stop_valid_i,
  input  wire logic [7:0]        stop_qp_i,
  input  wire logic [7:0]        sts_qp_i,      // whose page is on the bus
  output logic                   sts_err_o,
  output logic      [6:0]        sts_num_o,     // answers in store

  // Acknowledgements (nic_acks): one has to go before the oldest response; an entry is here, is gone
  input  wire logic              first_i,
  output logic      [PtrW-1:0]   put_id_o,
  output logic                   gone_valid_o,
  output logic      [7:0]        gone_qp_o,
  output logic      [PtrW-1:0]   gone_id_o,
  output logic                   fail_valid_o,  // a responder has stopped: what waits for it is forgotten
  output logic      [7:0]        fail_qp_o,

  // A write of nic_decide, a packet of an XtqPut has left (nic_wr)
  input  wire logic              wr_done_i,
  input  wire logic              task_done_i,

  // Memory (nic_rd)
  output logic                   rd_job_valid_o,
  input  wire logic              rd_job_ready_i,
  output nic_pkg::dma_t          rd_job_o,
  input  wire logic              rd_valid_i,
  output logic                   rd_ready_o,
  input  wire nic_pkg::bytes_t   rd_beat_i,

  // Frames (nic_tx_mux)
  output logic                   head_valid_o,
  input  wire logic              head_ready_i,
  output nic_pkg::tx_head_t      head_o,
  output logic      [7:0]        head_qp_o,
  output logic      [3:0]        head_code_o,
  output logic      [23:0]       head_nth_o,
  output logic                   pay_valid_o,
  input  wire logic              pay_ready_i,
  output nic_pkg::bytes_t        pay_o,

  // Events
  output logic                   ev_valid_o,
  input  wire logic              ev_ready_i,
  output nic_pkg::event_t        ev_o
);

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("nic_reply: NumQps must be 1 to 256"); end
  if (RespDepth < 2 || RespDepth > 256) begin : gen_bad_resp_depth $error("nic_reply: RespDepth must be 2 to 256"); end

  localparam int unsigned NumW = $clog2(RespDepth + 1);
  localparam int unsigned ReplyW = nic_pkg::ReplyW;

  // ---- the queue: head <= read <= fence <= tail ----
  logic [PtrW-1:0]      head_q, read_q, fence_q, tail_q;
  logic [NumW-1:0]      level_q, read_num_q, fence_num_q;  // entries; those behind which read, fence are
  logic [RespDepth-1:0] dead_q;
  logic [7:0]           owner_q [RespDepth];
  logic                 pop, read_next, fence_next;
  nic_pkg::reply_t      first, ahead, fence;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] p);
    after = 32'(p) == RespDepth - 1 ? '0 : p + PtrW'(1);
  endfunction

  cm_lutram #(
    .Width(ReplyW),
    .Depth(RespDepth)
  ) u_first (
    .clk_i,
    .we_i(reply_valid_i),
    .waddr_i(tail_q),
    .wdata_i(reply_i),
    .raddr_i(head_q),
    .rdata_o(first)
  );
  cm_lutram #(
    .Width(ReplyW),
    .Depth(RespDepth)
  ) u_ahead (
    .clk_i,
    .we_i(reply_valid_i),
    .waddr_i(tail_q),
    .wdata_i(reply_i),
    .raddr_i(read_q),
    .rdata_o(ahead)
  );
  cm_lutram #(
    .Width(ReplyW),
    .Depth(RespDepth)
  ) u_fence (
    .clk_i,
    .we_i(reply_valid_i),
    .waddr_i(tail_q),
    .wdata_i(reply_i),
    .raddr_i(fence_q),
    .rdata_o(fence)
  );

  // From a register, since nic_decide's verdict hangs on it.
  logic fills;
  assign fills = 32'(level_q) == RespDepth - 1 && reply_valid_i && !pop;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) room_o <= 1'b1;
    else room_o <= room_o ? !fills : pop;
  end

  // ---- the fence: it goes on as soon as it may, so 16 bits are enough to compare ----
  logic [15:0] wr_q, task_q;
  logic        memory;
  assign memory     = fence.kind != nic_pkg::ReplyReplay;
  assign fence_next = fence_num_q != level_q && (!memory ||
                      (wr_q - fence.wr < 16'h8000 && task_q - fence.task_wr < 16'h8000));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q      <= '0;
      read_q      <= '0;
      fence_q     <= '0;
      tail_q      <= '0;
      level_q     <= '0;
      read_num_q  <= '0;
      fence_num_q <= '0;
      wr_q        <= '0;
      task_q      <= '0;
    end else begin
      if (pop) head_q <= after(head_q);
      if (read_next) read_q <= after(read_q);
      if (fence_next) fence_q <= after(fence_q);
      if (reply_valid_i) tail_q <= after(tail_q);
      level_q     <= level_q + NumW'(reply_valid_i) - NumW'(pop);
      read_num_q  <= read_num_q + NumW'(read_next) - NumW'(pop);
      fence_num_q <= fence_num_q + NumW'(fence_next) - NumW'(pop);
      wr_q        <= wr_q + 16'(wr_done_i);
      task_q      <= task_q + 16'(task_done_i);
    end
  end

  // ---- what is forgotten: at once when a QP is turned off, a cycle later when its responder stops ----
  // So what is decided in the cycle of the failure is forgotten as well, and after it nothing is decided for this QP.
  logic       fails, forgets, fails_q;
  logic [7:0] fail_qp, fail_qp_q;
  always_ff @(posedge clk_i) fails_q <= rst_ni && forgets;
  always_ff @(posedge clk_i) fail_qp_q <= fail_qp;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < RespDepth; i++) begin
      if ((stop_valid_i && owner_q[i] == stop_qp_i) || (fails_q && owner_q[i] == fail_qp_q)) dead_q[i] <= 1'b1;
      if (reply_valid_i && 32'(tail_q) == i) dead_q[i] <= stop_valid_i && reply_i.qp == stop_qp_i;
    end
  end
  always_ff @(posedge clk_i) if (reply_valid_i) owner_q[tail_q] <= reply_i.qp;

  // Copies for the entries at read_q, right from the second cycle in which it stays, and at head_q, from StLoad on.
  // The oldest is read no more once it is cut short, also when nothing is forgotten with it.
  logic       read_dead_q, first_dead_q, loads, oldest, cut;
  logic [7:0] read_owner;
  assign read_owner = owner_q[read_q];
  assign oldest     = read_num_q == '0;
  always_ff @(posedge clk_i) begin
    read_dead_q <= dead_q[read_q] || (stop_valid_i && read_owner == stop_qp_i) ||
                   (fails_q && read_owner == fail_qp_q) || (cut && oldest);
    if (loads) first_dead_q <= dead_q[head_q] || (stop_valid_i && qp_o == stop_qp_i);
    else if (forgets || (stop_valid_i && fail_qp == stop_qp_i)) first_dead_q <= 1'b1;
  end

  // ---- memory ----
  logic            owed, item_valid, item_ready;
  logic [PtrW-1:0] item_id;
  nic_pkg::bytes_t item;
  nic_reply_read #(
    .IdW(PtrW),
    .Ahead(RespDepth > 16 ? RespDepth : 16)
  ) u_read (
    .clk_i,
    .rst_ni,
    .cfg_rid_i,
    .e_valid_i(read_num_q != fence_num_q),
    .e_i(ahead),
    .e_id_i(read_q),
    .e_dead_i(read_dead_q),
    .e_oldest_i(oldest),
    .e_next_o(read_next),
    .rd_job_valid_o,
    .rd_job_ready_i,
    .rd_job_o,
    .rd_valid_i,
    .rd_ready_o,
    .rd_beat_i,
    .owed_o(owed),
    .id_o(item_id),
    .item_valid_o(item_valid),
    .item_ready_i(item_ready),
    .item_o(item)
  );

  // ---- the oldest: its head, its payload, what is left of it ----
  typedef enum logic [1:0] {StLoad, StHead, StPay, StDrop} state_e;
  state_e           state_q;
  nic_pkg::reply_t  r_q;
  logic [4:0]       rnr_q;
  logic [nic_pkg::NameW-1:0] name_q;
  logic             unused_cfg;
  logic [23:0]      nth_q;
  logic [31:0]      left_q, mtu;
  logic [12:0]      bytes;
  logic             dead, needs_q, reads, bad, absent, last, last_q, broken, offered_q, taken, paid, flows_q, failed_q,
                    drain, drained_q, at_hand, goes;

  assign qp_o  = owner_q[head_q];
  assign unused_cfg = ^cfg_i;  // the rest is nic_decide's
  assign dead  = first_dead_q;
  assign loads = state_q == StLoad;
  assign mtu   = 32'd128 << r_q.mtu;
  assign reads = r_q.kind == nic_pkg::ReplyRead;
  assign bad   = needs_q && item.err;
  assign absent = item.ur && r_q.paged;
  assign bytes = left_q < mtu ? left_q[12:0] : mtu[12:0];
  assign last  = nth_q + 24'd1 == r_q.packets || !reads;
  always_ff @(posedge clk_i) last_q <= last;  // as it is from StHead on

  // From registers: a cycle later than it is known, and before such a head is offered.
  assign broken = state_q == StHead && !dead && item_valid && bad && !taken;
  always_ff @(posedge clk_i) begin
    fail_o <= rst_ni && (broken || goes);
    away_o <= rst_ni && ((broken && absent) || goes);
  end
  assign head_valid_o = state_q == StHead && !dead && (!needs_q || item_valid) &&
                        (offered_q || (!hold_i && !(nth_q == '0 && first_i) &&
                          !(bad && (!fail_o || asking_i || (ev_valid_o && !absent)))));
  assign taken        = head_valid_o && head_ready_i;
  assign idle_o       = !offered_q && !back_valid_o && at_hand;
  assign fails        = taken && bad && !absent;
  assign forgets      = taken && bad && (!absent || r_q.fresh);
  assign fail_qp      = r_q.qp;

  // Back to this packet, or to where ePSN was when it was decided on: from registers, since whether a head is taken is
  // known late, and everything about a decision depends on this.
  logic [23:0] msn;
  logic        early;
  assign early = head_o.psn - r_q.from >= 24'h80_0000;
  assign msn   = r_q.msn - 24'd1;
  assign goes  = taken && bad && absent && r_q.fresh;
  always_ff @(posedge clk_i) back_valid_o <= rst_ni && goes;
  always_ff @(posedge clk_i) begin
    back_psn_o <= early ? r_q.from : head_o.psn;
    back_msn_o <= msn;
  end
  assign back_qp_o = fail_qp_q;

  assign put_id_o     = tail_q;
  assign gone_valid_o = pop;
  assign gone_qp_o    = r_q.qp;
  assign gone_id_o    = head_q;
  assign fail_valid_o = fails_q;
  assign fail_qp_o    = fail_qp_q;

  // An atomic's item is the head's; a read's is the payload, unless it is bad.
  assign pay_valid_o = state_q == StPay && (!flows_q || item_valid);
  assign paid        = pay_valid_o && pay_ready_i && pay_o.last;
  assign cut         = failed_q && (state_q == StPay || state_q == StDrop);
  assign drain       = owed && item_id == head_q;
  // Once reading has left it behind no further item comes to be owed, so this is so in the next cycle, too.
  always_ff @(posedge clk_i) drained_q <= !drain && read_num_q != '0;
  assign item_ready  = (taken && needs_q && !reads && !bad) || (state_q == StPay && flows_q && pay_ready_i) ||
                       (state_q == StDrop && drain);
  assign pop         = (state_q == StPay && paid && !failed_q && last_q && read_num_q != '0) ||
                       (state_q == StDrop && drained_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StLoad;
      offered_q <= 1'b0;
    end else begin
      offered_q <= head_valid_o && !head_ready_i;
      unique case (state_q)
        StLoad: if (level_q != '0) state_q <= StHead;
        StHead: if (dead) state_q <= StDrop;
                else if (taken) state_q <= StPay;
        StPay:  if (paid) state_q <= pop ? StLoad : failed_q || last_q ? StDrop : StHead;
        default: if (pop) state_q <= StLoad;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StLoad) begin
      r_q     <= first;
      rnr_q   <= cfg_i.rnr;
      name_q  <= cfg_i.name;
      nth_q   <= '0;
      left_q  <= first.len;
      needs_q <= (first.kind == nic_pkg::ReplyRead && first.len != 32'd0) || first.kind == nic_pkg::ReplyAtomic;
    end else if (paid) begin
      nth_q  <= nth_q + 24'd1;
      left_q <= left_q - mtu;
    end
    if (state_q == StHead) begin
      flows_q  <= reads && needs_q && !bad;
      failed_q <= bad;
    end
  end

  logic [7:0]  syndrome;
  logic [23:0] aeth_msn;
  logic [63:0] orig;  // what an atomic found
  always_comb begin
    aeth_msn      = bad && absent && r_q.fresh ? msn : r_q.msn;
    syndrome      = !bad ? {nic_pkg::SynAck, nic_pkg::AckNoCredits} : absent ? {nic_pkg::SynRnr, rnr_q} :
                    {nic_pkg::SynNak, nic_pkg::NakOperation};
    orig          = 64'd0;
    head_o        = '0;
    head_o.psn    = r_q.psn + nth_q;
    head_o.opcode = {nic_pkg::TransRc, nic_pkg::OpAck};
    if (reads && !bad) begin
      head_o.opcode[4:0] = r_q.packets == 24'd1 ? nic_pkg::OpReadOnly : nth_q == 24'd0 ? nic_pkg::OpReadFirst :
                           last ? nic_pkg::OpReadLast : nic_pkg::OpReadMiddle;
      head_o.bytes       = bytes;
      if (head_o.opcode[4:0] == nic_pkg::OpReadMiddle) {syndrome, aeth_msn} = '0;
    end else if (!bad) begin
      head_o.opcode[4:0] = nic_pkg::OpAtomicAck;
      orig               = needs_q ? item.data[63:0] : r_q.swap;
    end
    // AETH, then AtomicAckETH.
    head_o.ext = nic_pkg::TxExtW'({orig[31:0], orig[63:32], syndrome, aeth_msn});
    pay_o      = item;
    pay_o.err  = 1'b0;
    if (!flows_q) begin
      pay_o      = '0;
      pay_o.last = 1'b1;
    end
  end
  assign head_qp_o   = r_q.qp;
  assign head_nth_o  = nth_q;
  assign head_code_o = bad && absent ? nic_pkg::TxAbsent : bad ? nic_pkg::TxNak : reads ? nic_pkg::TxRead :
                       nic_pkg::TxAtomic;

  // ---- atomics that are asked again ----
  // What is in store of a new atomic's PSN is 2^24 PSNs old.
  logic puts, drops;
  assign puts  = taken && r_q.kind == nic_pkg::ReplyAtomic && !bad;
  assign drops = reply_valid_i && reply_i.kind == nic_pkg::ReplyAtomic && look_hit_o;
  assign look_wait_o = look_old_o || (look_hit_o && state_q == StHead && r_q.kind == nic_pkg::ReplyAtomic);
  always_ff @(posedge clk_i) look_old_o <= rst_ni && (puts || drops || start_valid_i);
  nic_replay #(
    .NumQps(NumQps),
    .Replay(Replay)
  ) u_replay (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_rdata_o,
    .held_i(hold_i && !offered_q),
    .ready_o(at_hand),
    .qp_i(sts_qp_i),
    .start_valid_i,
    .start_num_i,
    .stop_valid_i,
    .num_o(sts_num_o),
    .put_valid_i(puts),
    .put_qp_i(r_q.qp),
    .put_psn_i(r_q.psn),
    .put_value_i(item.data[63:0]),
    .look_qp_i,
    .look_psn_i,
    .hit_o(look_hit_o),
    .value_o(look_value_o),
    .drop_i(drops)
  );

  // ---- responders that have stopped, and the event that says so ----
  logic [NumQps-1:0] err_q;
  logic              look_err;
  logic              ev_q;
  nic_pkg::event_t   ev_d, ev_data_q;
  always_comb begin
    look_err  = 1'b0;
    sts_err_o = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (look_qp_i == 8'(i)) look_err = err_q[i];
      if (sts_qp_i == 8'(i)) sts_err_o = err_q[i];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      err_q <= '0;
      look_err_o <= 1'b0;
      ev_q  <= 1'b0;
    end else begin
      look_err_o <= start_valid_i && start_qp_i == look_qp_i ? start_err_i :
                    look_err || (fails && fail_qp == look_qp_i);
      for (int unsigned i = 0; i < NumQps; i++) begin
        if (fails && fail_qp == 8'(i)) err_q[i] <= 1'b1;
        if (start_valid_i && start_qp_i == 8'(i)) err_q[i] <= start_err_i;
      end
      if (fails) ev_q <= 1'b1;
      else if (ev_ready_i) ev_q <= 1'b0;
    end
  end
  always_comb begin
    ev_d        = '0;
    ev_d.proc   = r_q.proc;
    ev_d.kind   = nic_pkg::EvRespFailed;
    ev_d.status = {nic_pkg::SynNak, nic_pkg::NakOperation};
    ev_d.qp     = name_q;
    ev_d.addr   = 64'(head_o.psn);
  end
  always_ff @(posedge clk_i) if (fails) ev_data_q <= ev_d;
  assign ev_valid_o = ev_q;
  assign ev_o       = ev_data_q;

`ifdef FORMAL
`include "nic_reply_props.svh"
`endif

endmodule

`default_nettype wire
