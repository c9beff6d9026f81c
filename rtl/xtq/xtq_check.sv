// SPDX-License-Identifier: Apache-2.0
// xtq_check: the checks that a packet of an XtqPut or a SEND, or a task of an access log, must pass, and the order that
// comes of it.
//
//   ask, payload --> | command 64 bytes | -> 1 to 4-> xtq_table: 5, 6, 7 -> xtq_rbuf: 8 -> 9 -> xtq_queue: 10 -> answer
//                    +------------- other beats ---------------------------------------------> beats     |     order
//   task --------------------------------------------> xtq_table: 6 ---------------------> 9 -> xtq_queue: 10 -> answer
//   SEND: ask, payload --> xtq_rbuf, a place for its event --> answer, order
//   state of a message between its packets, by QP: [ packet, queue ]
//                                                  [ next address; SEND: room left, buffer, bytes, process ]
//
// P1  Every ask is answered once, with the first of README.md's checks that fails, or WhyNone. The beats of its payload
//     behind the command go to `beat`, up to the last; an order says what becomes of them.
// P2  A refused packet or task changes nothing: no order but to drop its beats, no room, no slot, no place for an event
//     taken.
// P3  WhyNone: the order has the packet's bytes at the message's next address, and at Last the packet, rewritten, with
//     slot = base + 64 * (index mod size) of the queue as it is then. What lies in the receive buffer was given to this
//     message (xtq_rbuf P2).
// P4  What was found in the tables is used before hold_o ends, what xtq_rbuf found before it is taken. Both are asked
//     about processes that there are alone, whatever number a queue pair or a log has.
// P5  Only with room for an order is an answer given, also where none comes of it.
// P6  SEND: First and Only take room (First: the whole rest of a buffer) and a place for an event, or change nothing;
//     Last and Only order the event. A message whose First was taken and that is given up (gave_up_i, stop_i) before
//     its Last has its event ordered too, with status RcvLost, before anything else is asked about: each First makes
//     one.
// P7  Where both wait, one ask at most is taken before a task, and a task before an ask that could be taken only if an
//     ask was taken since the task before it.
//
// nic_decide asks in the order of frames, one at a time, and asks for Middle and Last only of a message whose First was
// answered WhyNone. Latency, on-chip tables and a known NIC-owned queue: answer 3 cycles after the last beat of the
// command, 4 at 128 bits; of a SEND behind its First, 2 after the ask. Cost: NumQps x 692 bits of block RAM, about 900
// flip-flops and 2 a queue pair.
// One file: P2, that a refused packet changes nothing, is proved over one machine that takes all that is taken.
// Rules of README.md: XTM-1, XTM-2, XTM-3, XTM-4, XTM-5, XTM-6, RCV-3, RCV-4.
`default_nettype none

module xtq_check #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned NumQps = 16,
  parameter int unsigned TableBits = 6,
  parameter int unsigned PlaceW = 8
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic [15:0]                 cfg_rid_i,

  // Packets
  input  wire logic                        ask_valid_i,
  output logic                             ask_ready_o,
  input  wire nic_pkg::xtq_ask_t           ask_i,
  input  wire logic                        pay_valid_i,
  output logic                             pay_ready_o,
  input  wire nic_pkg::bytes_t             pay_i,
  output logic                             ans_valid_o,
  output logic      [3:0]                  ans_why_o,

  // Messages that come to nothing: refused, or their queue pair goes off
  input  wire logic                        gave_up_i,
  input  wire logic [7:0]                  gave_up_qp_i,
  input  wire logic                        stop_i,
  input  wire logic [7:0]                  stop_qp_i,

  // Tasks of access logs: stay until they are answered
  input  wire logic                        task_valid_i,
  input  wire logic [4:0]                  task_log_i,
  input  wire logic [3:0]                  task_proc_i,
  input  wire logic [15:0]                 task_queue_i,
  input  wire logic [511:0]                task_packet_i,
  output logic                             task_ans_o,
  output logic                             task_ok_o,
  output logic                             task_event_o,  // a place for its end has been kept

  // xtq_table
  output logic                             look_valid_o,
  input  wire logic                        look_ready_i,
  output logic      [3:0]                  look_proc_o,
  output logic                             look_ker_o,
  output logic                             look_func_o,
  output logic      [TableBits-1:0]        look_kidx_o,
  output logic                             look_que_o,
  output logic      [TableBits-1:0]        look_qidx_o,
  output logic                             soon_o,        // one may be asked for in this cycle
  output logic                             hold_o,
  input  wire logic                        found_i,
  input  wire logic                        ker_ok_i,
  input  wire logic                        ker_err_i,
  input  wire logic [xtq_pkg::EntryW-1:0]  ker_i,
  input  wire logic                        que_ok_i,
  input  wire logic                        que_err_i,
  input  wire logic [xtq_pkg::EntryW-1:0]  que_i,
  input  wire logic [PlaceW-1:0]           que_place_i,

  // xtq_rbuf
  output logic                             find_o,
  output logic      [3:0]                  find_proc_o,
  output logic      [31:0]                 find_bytes_o,
  output logic                             find_all_o,
  input  wire logic                        fit_i,
  input  wire logic                        none_i,
  input  wire logic [63:0]                 va_i,
  input  wire logic [31:0]                 number_i,
  input  wire logic [31:0]                 room_i,
  output logic                             take_o,

  // Places in the event rings: taken in the cycle of both; given back
  output logic                             rsv_valid_o,
  output logic      [3:0]                  rsv_proc_o,
  input  wire logic                        rsv_ok_i,
  output logic                             back_valid_o,
  output logic      [3:0]                  back_proc_o,
  output logic      [5:0]                  back_num_o,

  // xtq_queue
  output logic                             req_valid_o,
  input  wire logic                        req_ready_i,
  output logic      [PlaceW-1:0]           req_place_o,
  output logic      [15:0]                 req_rid_o,
  output logic      [63:0]                 req_block_o,
  output logic      [4:0]                  req_size_o,
  output logic                             req_multi_o,
  input  wire logic                        rsp_valid_i,
  input  wire logic [3:0]                  rsp_why_i,
  input  wire logic [63:0]                 rsp_index_i,

  // xtq_write
  output logic                             order_valid_o,
  input  wire logic                        order_ready_i,
  output xtq_pkg::order_t                  order_o,
  output logic                             beat_valid_o,
  input  wire logic                        beat_ready_i,
  output nic_pkg::bytes_t                  beat_o,

  // Record
  output logic                             ret_valid_o,
  output nic_pkg::retire_t                 ret_o
);

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned CmdBeats = 64 / BeatBytes;
  localparam int unsigned QpAddrW = NumQps > 1 ? $clog2(NumQps) : 1;

  typedef enum logic [2:0] {
    StIdle  = 3'd0,
    StCmd   = 3'd1,  // the command comes in; checks 1 to 4
    StLook  = 3'd2,  // the table is asked
    StFound = 3'd3,  // 5, 6, 7
    StRoom  = 3'd4,  // 8; of a SEND behind its First, what is left of its buffer
    StKeep  = 3'd5,  // 9, twice for a task
    StQueue = 3'd6,  // 10
    StEnd   = 3'd7   // answer and order
  } state_e;

  state_e            state_q;
  nic_pkg::xtq_ask_t ask_q;
  // gone: of a message that is given up
  logic              task_q, gone_q, task_turn_q, task_first_q, start_ask, start_task, start_gone;
  logic [511:0]      cmd_q, cmd_now;
  logic [3:0]        why_q;
  logic              asked, first, last, func, send;
  logic [3:0]        proc, mine_proc;

  assign asked = !task_q && !gone_q;
  assign first = asked && ask_q.first;
  assign last  = task_q || (asked && ask_q.last);
  assign send  = asked && ask_q.send;
  assign func  = ask_q.kind[0];
  assign proc  = task_q ? task_proc_i : gone_q ? mine_proc : ask_q.proc;
  logic nobody_q;  // the queue pair's process is none
  always_ff @(posedge clk_i) if (ask_ready_o) nobody_q <= 32'(ask_i.proc) >= NumProcs;

  // ---- payload: the command stays here, other beats go on ----
  logic       flow_q, cmd_on_q, cmd_beat, cmd_last, cmd_full, beat_any_q, early;
  logic [2:0] cmd_at_q, cmd_at;
  assign cmd_at = flow_q ? cmd_at_q : '0;
  // The first beat may come with the ask, if the command needs another. Whether there is an ask does not count: no beat
  // comes without one (env_pay), and ready need not wait for it.
  assign early       = CmdBeats > 1 && ask_ready_o && ask_i.first && !ask_i.send && !pay_i.last;
  assign cmd_beat    = ((early && ask_valid_i) || (flow_q && cmd_on_q)) && pay_valid_i;
  assign pay_ready_o = early || (flow_q && (cmd_on_q || beat_ready_i));
  assign beat_o      = pay_i;
  assign beat_valid_o = flow_q && !cmd_on_q && pay_valid_i;
  // What an ask brings is kept in any case while one may come: that there is one is known late, and only starts.
  // A beat that comes with the ask is never the last of its command.
  assign cmd_last    = 32'(cmd_at_q) == CmdBeats - 1 || pay_i.last;
  assign cmd_full    = flow_q && cmd_on_q && pay_valid_i && cmd_last;

  // The command as it is with its last beat, which comes in or has come. A packet that ends before that has less than
  // 64 bytes (env_short), and is refused for it whatever they are.
  logic unused;  // most of it is not checked
  assign unused = ^cmd_now;
  always_comb begin
    cmd_now = cmd_q;
    if (cmd_on_q) cmd_now[DataW*(CmdBeats-1)+:DataW] = pay_i.data;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flow_q <= 1'b0;
    end else if (start_ask) begin
      flow_q <= 1'b1;
    end else if (flow_q && pay_valid_i && pay_ready_o && pay_i.last) begin
      flow_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ask_ready_o) begin
      cmd_on_q   <= ask_i.first && !ask_i.send;
      cmd_at_q   <= 3'(early && pay_valid_i);
      beat_any_q <= !ask_i.first || ask_i.send;  // Middle and Last have bytes; of a SEND even none is an item
    end else if (cmd_beat) begin
      cmd_on_q   <= !cmd_last;
      cmd_at_q   <= cmd_at_q + 3'd1;
      beat_any_q <= cmd_last && !pay_i.last;
    end
  end

  // ---- message state, by QP ----
  logic                 save, save_va;
  logic [63:0]          next_va, mine_va;
  logic [31:0]          next_left, mine_left, number, mine_number, next_got, mine_got;
  logic [QpAddrW-1:0]   gone_qp, pick_at_q;
  logic [nic_pkg::NameW-1:0] mine_name;
  logic [15:0]          mine_queue;
  logic [511:0]         mine_packet, packet;
  cm_ram #(
    .Width(16 + 512),
    .Depth(NumQps)
  ) u_packet (
    .clk_i,
    .we_i(rst_ni && save),
    .waddr_i(ask_q.qp[QpAddrW-1:0]),
    .wdata_i({cmd_q[xtq_pkg::CmdQueue+:16], packet}),
    .re_i(rst_ni && ask_ready_o),
    .raddr_i(ask_i.qp[QpAddrW-1:0]),
    .rdata_o({mine_queue, mine_packet})
  );
  cm_ram #(
    .Width(nic_pkg::NameW + 4 + 3 * 32 + 64),
    .Depth(NumQps)
  ) u_va (
    .clk_i,
    .we_i(rst_ni && save_va),
    .waddr_i(ask_q.qp[QpAddrW-1:0]),
    .wdata_i({ask_q.name, proc, next_got, number, next_left, next_va}),
    .re_i(rst_ni && (ask_ready_o || start_gone)),
    .raddr_i(pick_q ? pick_at_q : ask_i.qp[QpAddrW-1:0]),
    .rdata_o({mine_name, mine_proc, mine_got, mine_number, mine_left, mine_va})
  );

  // ---- SENDs that are in their message, and those of them that are given up ----
  // Whose message comes to nothing is known late, and looked at a cycle later. Both come through registers, so their
  // order stays, and nothing begins in that cycle.
  logic [NumQps-1:0] open_q, lost_q, lost_d;
  logic              lost, gave_up_q, stop_q, news_q;  // news: something has come that may be lost, or is
  logic              pick_q;                           // one of those lost is chosen
  logic [7:0]        gone_at_q, gave_up_qp_q, stop_qp_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {gave_up_q, stop_q, news_q} <= '0;
    else {gave_up_q, stop_q, news_q} <= {gave_up_i, stop_i, gave_up_i || stop_i || lost_d != '0};
  end
  always_ff @(posedge clk_i) {gave_up_qp_q, stop_qp_q} <= {gave_up_qp_i, stop_qp_i};
  always_comb begin
    gone_qp = '0;
    for (int unsigned i = 0; i < NumQps; i++) if (lost_q[NumQps-1-i]) gone_qp = QpAddrW'(NumQps - 1 - i);
  end
  assign lost = lost_q != '0;
  always_ff @(posedge clk_i) begin
    pick_q    <= rst_ni && lost && !start_gone && (state_q == StIdle || !gone_q);
    pick_at_q <= gone_qp;
  end

  // ---- checks 1 to 4 and the ranges of 5 and 6, while the last beat of the command comes in ----
  logic [3:0]  why_frame;
  logic [63:0] code_index;
  logic [15:0] queue_index, queue;
  logic [2:0]  cmd_top;
  logic [7:0]  cmd_type;
  logic        code_range, queue_range, look_now;
  logic [33:0] sum;
  assign sum        = 34'd64 + {2'd0, ask_q.args} + {2'd0, ask_q.pay};
  assign cmd_type   = cmd_now[xtq_pkg::CmdType+:8];
  assign cmd_top    = cmd_now[xtq_pkg::CmdTop+:3];
  assign code_index = func ? cmd_now[xtq_pkg::CmdReturn+:64] : cmd_now[xtq_pkg::CmdKernel+:64];
  always_comb begin
    why_frame = nic_pkg::WhyNone;
    if (ask_q.target != 16'(ask_q.proc) || nobody_q) why_frame = nic_pkg::WhyBadProcess;
    else if (ask_q.kind > 8'd1) why_frame = nic_pkg::WhyBadKind;
    else if (sum != {2'd0, ask_q.length} || ask_q.args[3:0] != '0 || ask_q.args > 32'd4096 || ask_q.bytes < 13'd64)
      why_frame = nic_pkg::WhyBadLength;
    else if (cmd_type != (func ? xtq_pkg::TypeAgent : xtq_pkg::TypeKernel) || cmd_top != '0)
      why_frame = nic_pkg::WhyBadType;
    else if (!code_range) why_frame = nic_pkg::WhyBadIndex;
  end
  assign queue_index = cmd_now[xtq_pkg::CmdQueue+:16];
  assign code_range  = (code_index >> TableBits) == '0;
  assign queue       = task_q ? task_queue_i : first ? cmd_q[xtq_pkg::CmdQueue+:16] : mine_queue;
  assign queue_range = ((first ? queue_index : queue) >> TableBits) == '0;

  logic later_range;
  assign later_range = queue_range && 32'(proc) < NumProcs;

  // A First asks the table with the last beat of its command, others from StLook.
  assign look_now     = state_q == StCmd && cmd_full && why_frame == nic_pkg::WhyNone;
  assign look_valid_o = look_now || (state_q == StLook && (first || later_range));
  assign look_proc_o  = proc;
  assign look_ker_o   = first;
  assign look_func_o  = func;
  assign look_kidx_o  = code_index[TableBits-1:0];
  assign look_que_o   = first ? queue_range : 1'b1;
  assign look_qidx_o  = first ? queue_index[TableBits-1:0] : queue[TableBits-1:0];
  assign soon_o       = state_q == StCmd || state_q == StLook;
  assign hold_o       = state_q == StFound || state_q == StRoom || state_q == StKeep || state_q == StQueue ||
                        state_q == StEnd;

  // ---- checks 5 to 7, from the tables ----
  logic [3:0] why_found;
  logic       need_args, events;
  logic       need_q;  // room in a buffer
  assign need_args  = !func && (ker_i[xtq_pkg::KerHasTarget] || ask_q.pay != '0);  // for what they are told
  assign events     = que_i[xtq_pkg::QueEvents];
  always_comb begin
    why_found = nic_pkg::WhyNone;
    if (first && ker_err_i) why_found = nic_pkg::WhyTable;
    else if (first && !ker_ok_i) why_found = nic_pkg::WhyBadIndex;
    else if (!queue_range) why_found = nic_pkg::WhyBadQueue;
    else if (que_err_i) why_found = nic_pkg::WhyTable;
    else if (!que_ok_i) why_found = nic_pkg::WhyBadQueue;
    else if (first && need_args && ask_q.args[31:4] == '0) why_found = nic_pkg::WhyBadLength;
  end

  // ---- check 8: for how many bytes, from the ask on ----
  logic        none_in;  // the sum of both is 0, without its carries
  logic [31:0] bytes_q;
  assign none_in = (ask_i.args ^ ask_i.pay) == {ask_i.args[30:0] | ask_i.pay[30:0], 1'b0};
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) need_q <= start_ask && ask_i.first && (ask_i.send || !none_in);
    if (ask_ready_o)
      bytes_q <= !ask_i.send ? ask_i.args + ask_i.pay :
                 !ask_i.last ? 32'(ask_i.bytes) + 32'd1 : ask_i.bytes == '0 ? 32'd1 : 32'(ask_i.bytes);
  end
  assign find_o       = need_q && state_q != StIdle && !nobody_q;
  assign find_proc_o  = ask_q.proc;
  assign find_bytes_o = bytes_q;
  assign find_all_o   = ask_q.send && !ask_q.last;

  // ---- check 9 ----
  logic [1:0] kept_q;
  logic [nic_pkg::ProcW-1:0] rsv_proc_q;
  assign rsv_valid_o = state_q == StKeep;
  assign rsv_proc_o  = rsv_proc_q;  // known since the state before
  always_ff @(posedge clk_i) rsv_proc_q <= task_q ? task_proc_i : ask_q.proc;  // one that is given up asks for none
  assign back_proc_o = proc;
  assign back_num_o  = 6'(kept_q);

  // ---- check 10 ----
  logic        sent_q;
  logic [63:0] index_q;
  assign req_valid_o = state_q == StQueue && !sent_q;
  assign req_place_o = que_place_i;
  assign req_rid_o   = cfg_rid_i + 16'(proc);
  assign req_block_o = que_i[xtq_pkg::QueBlock+:64];
  assign req_size_o  = que_i[xtq_pkg::QueSize+:5];
  assign req_multi_o = que_i[xtq_pkg::QueMulti];

  // ---- rewriting, in StEnd ----
  logic [1:0]   swap;
  logic [127:0] arg;
  logic [511:0] rewritten;
  logic [63:0]  pay_va;
  assign pay_va = va_i + 64'(ask_q.args);
  xtq_rewrite u_rewrite (
    .func_i(func),
    .cmd_i(cmd_q),
    .entry_i(ker_i),
    .has_args_i(ask_q.args != '0),
    .has_pay_i(ask_q.pay != '0),
    .args_va_i(va_i),
    .pay_va_i(pay_va),
    .cmd_o(rewritten),
    .swap_o(swap),
    .arg_o(arg)
  );
  assign packet  = task_q ? task_packet_i : first ? rewritten : mine_packet;

  // ---- answer and order ----
  // The queue's answer is acted upon when it comes; at 128 bits, where a packet has the time, from a register, since
  // what comes of it goes far.
  localparam bit Keeps = DataW == 128;
  logic        done, ok, order_due, ending, now, later, long, recv, none;
  logic [3:0]  why;
  logic [63:0] index;
  assign now       = !Keeps && state_q == StQueue;
  assign ending    = state_q == StEnd || (now && rsp_valid_i);
  assign later     = send && !first;
  assign long      = 32'(ask_q.bytes) > mine_left;
  logic [12:0] len;
  logic [63:0] here_va, mask;
  assign why       = now ? rsp_why_i : why_q;
  assign index     = now ? rsp_index_i : index_q;
  assign ok        = why == nic_pkg::WhyNone;
  assign len       = first && !send ? ask_q.bytes - 13'd64 : ask_q.bytes;
  assign here_va   = first ? va_i : mine_va;
  assign next_va   = here_va + 64'(len);
  assign number    = first ? number_i : mine_number;
  assign next_left = (first ? (room_i[31] ? 32'h8000_0000 : room_i) : mine_left) - 32'(len);
  assign next_got  = (first ? 32'd0 : mine_got) + 32'(len);
  assign none      = send && ask_q.bytes == '0;  // its item is empty, and writes nothing
  assign recv      = gone_q || (ok && send && last);
  assign order_due = task_q || gone_q ? ok : beat_any_q || (ok && last);
  assign done      = ending && order_ready_i;
  assign mask      = ~(~64'd0 << que_i[xtq_pkg::QueSize+:5]);

  assign ans_valid_o   = done && asked;
  assign ans_why_o     = why;
  assign task_ans_o    = done && task_q;
  assign task_ok_o     = ok;
  assign task_event_o  = kept_q != '0;
  assign take_o        = done && ok && need_q;
  assign save          = done && ok && first && !last && !send;
  assign save_va       = done && ok && asked && !last;
  assign back_valid_o  = done && !ok && kept_q != '0;
  assign order_valid_o = ending && order_due;

  always_comb begin
    order_o          = '0;
    order_o.rid      = cfg_rid_i + 16'(proc);
    order_o.frame    = asked && ok && !none;
    order_o.beats    = asked && beat_any_q;
    order_o.drop     = !ok || none;
    order_o.va       = here_va;
    order_o.len      = len;
    order_o.swap     = {2{first && !send}} & swap;
    order_o.arg      = arg;
    order_o.enq      = ok && last && !send;
    order_o.recv     = recv;
    order_o.packet   = packet;
    if (recv) begin
      order_o.packet[xtq_pkg::RcvStatus+:8] = gone_q ? nic_pkg::RcvLost : ask_q.imm_on ? nic_pkg::RcvImm :
                                              ask_q.inv ? nic_pkg::RcvInv : nic_pkg::RcvPlain;
      order_o.packet[xtq_pkg::RcvWord+:32]  = gone_q ? mine_number : number;
      order_o.packet[xtq_pkg::RcvLen+:32]   = !gone_q && (ask_q.imm_on || ask_q.inv) ? ask_q.imm : '0;
      order_o.packet[xtq_pkg::RcvBytes+:32] = gone_q ? mine_got : next_got;
      order_o.packet[xtq_pkg::RcvAddr+:64]  = here_va - (first ? 64'd0 : 64'(mine_got));
    end
    order_o.slot     = que_i[xtq_pkg::QueBase+:64] + ((index & mask) << 6);
    order_o.doorbell = que_i[xtq_pkg::QueDoorbell+:64];
    order_o.index    = index;
    order_o.mirror   = que_i[xtq_pkg::QueMirror] && !que_i[xtq_pkg::QueMulti];
    order_o.block    = que_i[xtq_pkg::QueBlock+:64];
    order_o.event_on = events;
    order_o.proc     = proc;
    order_o.qidx     = queue;
    order_o.qp       = task_q ? '0 : gone_q ? mine_name : ask_q.name;
  end

  assign ret_valid_o = done && (task_q || (ok && last && !send));
  always_comb begin
    ret_o         = '0;
    ret_o.kind    = nic_pkg::RetTask;
    ret_o.flag    = task_q;
    ret_o.code    = why;
    ret_o.idx     = queue[7:0];
    ret_o.a       = ok ? index : '0;
    ret_o.b[3:0]  = proc;
    ret_o.b[12:8] = task_q ? task_log_i : '0;
  end

  // ---- states ----
  // Of registers alone: nic_decide hears of it late enough. A task whose turn has come while this one is idle waits for
  // one ask more.
  assign ask_ready_o = state_q == StIdle && !flow_q && !news_q && !task_first_q;
  assign start_ask   = ask_valid_i && ask_ready_o;
  assign start_gone  = state_q == StIdle && pick_q;
  assign start_task  = state_q == StIdle && task_valid_i && !start_ask && !news_q;

  state_e after_room;
  assign after_room = !last ? StEnd : events ? StKeep : StQueue;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:
          if (start_ask && ask_i.send) state_q <= StRoom;
          else if (start_ask) state_q <= ask_i.first ? StCmd : ask_i.last ? StLook : StEnd;
          else if (start_gone) state_q <= StEnd;
          else if (start_task) state_q <= StLook;
        StCmd: if (cmd_full) state_q <= !look_now ? StEnd : look_ready_i ? StFound : StLook;
        StLook: if (!look_valid_o) state_q <= StEnd;
                else if (look_ready_i) state_q <= StFound;
        StFound:
          if (found_i) state_q <= why_found != nic_pkg::WhyNone ? StEnd : need_q && !fit_i ? StRoom : after_room;
        StRoom:
          if (later || none_i || nobody_q) state_q <= StEnd;
          else if (fit_i) state_q <= send ? StKeep : after_room;
        StKeep:
          if (!rsv_ok_i || send) state_q <= StEnd;
          else if (!task_q || kept_q == 2'd1) state_q <= StQueue;
        StQueue: if (rsp_valid_i) state_q <= done ? StIdle : StEnd;
        default: if (done) state_q <= StIdle;
      endcase
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < NumQps; i++)
      lost_d[i] = (lost_q[i] && !(done && gone_q && gone_at_q == 8'(i))) ||
                  (open_q[i] && ((gave_up_q && gave_up_qp_q == 8'(i)) || (stop_q && stop_qp_q == 8'(i))));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= '0;
      lost_q <= '0;
    end else begin
      lost_q <= lost_d;
      for (int unsigned i = 0; i < NumQps; i++) begin
        if (done && ok && send && ask_q.qp == 8'(i)) open_q[i] <= !last;
        if (lost_d[i]) open_q[i] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {task_turn_q, task_first_q} <= '0;
    else begin
      if (start_ask) task_turn_q <= 1'b1;
      else if (start_task) task_turn_q <= 1'b0;
      task_first_q <= task_valid_i && task_turn_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ask_ready_o) ask_q <= ask_i;
    if (start_gone) gone_at_q <= 8'(pick_at_q);
    if (state_q == StIdle) begin
      task_q <= !start_ask && !start_gone;
      gone_q <= start_gone;
      why_q  <= nic_pkg::WhyNone;
      kept_q <= '0;
      sent_q <= 1'b0;
    end
    for (int unsigned i = 0; i < CmdBeats; i++)
      if ((early || (flow_q && cmd_on_q)) && cmd_at == 3'(i)) cmd_q[DataW*i+:DataW] <= pay_i.data;
    if (state_q == StCmd && cmd_full && !look_now) why_q <= why_frame;
    if (state_q == StLook && !look_valid_o) why_q <= nic_pkg::WhyBadQueue;
    if (state_q == StFound && found_i) why_q <= why_found;
    if (state_q == StRoom && later && long) why_q <= nic_pkg::WhyTooLong;
    if (state_q == StRoom && !later && (none_i || nobody_q)) why_q <= nic_pkg::WhyNoBuffer;
    if (rsv_valid_o && rsv_ok_i) kept_q <= kept_q + 2'd1;
    if (rsv_valid_o && !rsv_ok_i) why_q <= nic_pkg::WhyNoEvent;
    if (req_valid_o && req_ready_i) sent_q <= 1'b1;
    if (state_q == StQueue && rsp_valid_i) begin
      why_q   <= rsp_why_i;
      index_q <= rsp_index_i;
    end
  end

`ifdef FORMAL
`include "xtq_check_props.svh"
`endif

endmodule

`default_nettype wire
