// SPDX-License-Identifier: Apache-2.0
// aa_decide: takes the decisions. Two stages behind aa_pick:
//
//   pick --> D1 [what is wanted: fields, table, CAM, filter] --> D2 [tag live? resources? commit or give back]
//                                                                  --> move, log, tag, flush, fault, error, retire
//
// P1  A decision takes all of its resources in one cycle, or none.
// P2  A request that lacks a resource of its own (tag entry, flush waiter, log space, host room, UR slot) goes back to
//     its lane and rests until something is freed; nobody else waits for it, except younger requests of its port. What
//     is picked of its port in that cycle is dropped: aa_pick starts again. Only for tag_i.hold, which is short, it
//     stays in D2: who is given back for that may come again just when the next stray does.
// P3  A live tag is refused; what is forwarded or held has its tag entry from the same cycle on. tag_act_o.may, for
//     which a completion of that tag waits, is high only for a non-posted request that takes an entry unless it is
//     refused or of before a reset.
// P4  A record has its space when its request is decided; if not, it is counted as dropped in that cycle. The watchdog
//     drops it only if this very request has waited for space for 3 ticks, of which there is one every half AA_WDOG;
//     and then nothing but another resource that it lacks keeps it.
// P5  Under hold_i nothing is picked, and idle_o comes within 2 cycles, whatever the host does.
// P6  A non-posted request of a requester that was reset is dropped: it leaves its record, OutBlock, and nothing else,
//     and waits for nothing.
//
// D2 moves on when aa_mover has room and no stray bars its tag, whatever becomes of its request: so neither the space
// in a log nor the tags that are free, which are known late, take part in whether D1 and aa_pick move. The tag is
// looked up beside D1: that D2 has its answer in a register.
//
// Latency 2, rate 1 a cycle. Cost: two pipeline registers (req_t + xlate_t, wanted_t), one age of 2 bits a lane.
// One file: P1, all resources in one cycle or none, is one expression over all of them.
// Rules of README.md: STR-3, DEC-4, DEC-14, DEC-15, DEC-16, DEC-17, DEC-18, RST-2, TAG-11, TMO-1.
`default_nettype none

module aa_decide #(
  parameter int unsigned NumPorts = 1,
  localparam int unsigned NumLanes = 2 * NumPorts
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,
  input  wire logic                            hold_i,
  output logic                                 idle_o,
  input  wire logic [NumPorts*33-1:0]          filter_i,
  input  wire logic [31:0]                     wdog_i,
  input  wire logic [NumPorts-1:0]             old_i,     // aa_reset: what D2 has of the NP lane of a port is dropped,
  input  wire logic [NumPorts-1:0]             old_fn_i,  // if its requester id is fn_rid_i (which changes under hold)
  input  wire logic [15:0]                     fn_rid_i,

  // aa_pick
  input  wire logic                            pick_valid_i,
  output logic                                 pick_ready_o,
  input  wire logic [3:0]                      pick_lane_i,
  input  wire aa_pkg::req_t                    pick_req_i,
  input  wire aa_pkg::xlate_t                  pick_res_i,
  output logic                                 done_valid_o,
  output logic      [3:0]                      done_lane_o,
  output logic                                 back_o,
  output logic                                 rest_o,
  output logic      [3:0]                      back_lane_o,
  output logic                                 wake_o,
  input  wire logic                            freed_i,  // something was freed that a resting lane may want

  // Access-log table and flush pages, for the request in D1
  output logic      [9:0]                      cam_iuid_o,
  input  wire logic                            cam_hit_i,
  input  wire logic [4:0]                      cam_log_i,
  output logic      [63:12]                    page_o,
  input  wire logic                            page_hit_i,

  // Reservation, for the request in D2; never and space are not both high (env_never), and failed means drop
  // (env_failed). It is taken, if there is space: which aa_log_ptr knows first.
  output aa_pkg::rsv_ask_t                     rsv_ask_o,
  input  wire aa_pkg::rsv_t                    rsv_i,
  output aa_pkg::rsv_act_t                     rsv_act_o,

  // Tag buffer; hold means not ready (env_hold_tag)
  output aa_pkg::tag_ask_t                     tag_ask_o,
  input  wire aa_pkg::tag_t                    tag_i,
  output aa_pkg::tag_act_t                     tag_act_o,

  // Flush buffer, UR completions: of the request of asker_o
  input  wire logic                            flush_ready_i,
  input  wire logic [7:0]                      flush_idx_i,
  output logic                                 flush_valid_o,
  output logic                                 ur_valid_o,
  input  wire logic                            ur_ready_i,
  output aa_pkg::asker_t                       asker_o,

  // Payload and header to aa_mover
  output logic                                 move_valid_o,
  input  wire logic                            move_ready_i,
  output aa_pkg::move_t                        move_o,
  input  wire logic                            host_np_ready_i,

  // Records
  output logic                                 fault_valid_o,
  output aa_pkg::fault_t                       fault_o,
  output logic                                 err_valid_o,
  output aa_pkg::err_t                         err_o,
  output logic                                 ret_valid_o,
  output aa_pkg::retire_t                      ret_o,
  output aa_pkg::decide_event_t                event_o,
  output logic      [3:0]                      wait_o    // D2 gave back for: log space, tag entry, flush waiter, host
);

  // ---- D1 ----
  logic                 d1_valid_q, d2_valid_q, advance, kill;
  logic [3:0]           d1_lane_q, d2_lane_q;
  aa_pkg::req_t         d1_req_q;
  aa_pkg::xlate_t       d1_res_q;
  aa_pkg::wanted_t     d1_wanted, d2_q;
  logic [cm_pkg::SeqW-1:0] d2_seq_q;
  cm_pkg::tlp_req_t     d1_hdr, d2_hdr_q;
  logic [1:0]           d2_at_q;
  logic                 d2_fn_q;
  aa_pkg::req_kind_e    d2_kind_q;
  logic [63:0]          d1_iova, d2_iova_q;

  assign pick_ready_o = !d1_valid_q || advance;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d1_valid_q <= 1'b0;
      d2_valid_q <= 1'b0;
    end else begin
      if (pick_ready_o) d1_valid_q <= pick_valid_i && !(blocked && pick_lane_i[3:1] == d2_lane_q[3:1]);
      if (advance) d2_valid_q <= d1_valid_q && !kill;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pick_ready_o) begin
      d1_lane_q <= pick_lane_i;
      d1_req_q <= pick_req_i;
      d1_res_q <= pick_res_i;
    end
    if (advance) begin
      d2_lane_q <= d1_lane_q;
      d2_q <= d1_wanted;
      d2_seq_q <= d1_req_q.seq;
      d2_hdr_q <= d1_req_q.hdr;
      d2_at_q <= d1_hdr.at;
      d2_fn_q <= d1_hdr.rid == fn_rid_i;
      d2_kind_q <= d1_req_q.kind;
      d2_iova_q <= d1_iova;
    end
  end

  logic unused;
  assign d1_hdr = d1_req_q.hdr;
  assign unused = &{1'b0, d1_hdr};
  assign cam_iuid_o = d1_res_q.iuid;
  assign page_o = d1_iova[63:12];

  aa_wanted #(
    .NumPorts(NumPorts)
  ) u_wanted (
    .lane_i(d1_lane_q),
    .req_i(d1_req_q),
    .res_i(d1_res_q),
    .filter_i,
    .cam_hit_i,
    .cam_log_i,
    .page_hit_i,
    .iova_o(d1_iova),
    .wanted_o(d1_wanted)
  );

  // ---- D2: what is wanted ----
  logic live, old, cut, fwd, ur, hold_flush, want, keep, drop, starve, stall, expired, fault, lost, may, easy;
  logic go, may_tag, need_tag, barred, need_move, ok_shared, ok_flush, ok_rest, ok_own, commit, blocked;

  assign tag_ask_o.look = advance;
  assign tag_ask_o.key = {d1_hdr.rid, d1_hdr.t9, d1_hdr.t8, d1_hdr.tag};
  assign live = d2_q.np && !d2_q.pre && tag_i.live;
  always_comb begin
    old = 1'b0;
    for (int unsigned p = 0; p < NumPorts; p++)
      if (d2_q.np && d2_lane_q[2:1] == 2'(p)) old = old_i[p] || (old_fn_i[p] && d2_fn_q);
  end
  assign cut = live || old;
  assign fwd = d2_q.fwd && !cut;
  assign ur = (d2_q.ur || live) && !old;
  assign hold_flush = d2_q.flush && !cut;
  assign fault = d2_q.fault && !cut;

  // ---- the record: kept, dropped, or a reason to wait ----
  assign rsv_act_o.next = advance;
  assign rsv_ask_o.log = d2_q.log;
  assign rsv_ask_o.units = d2_q.units;
  assign want = (d2_q.put || d2_q.get) && !cut;
  assign easy = !want || rsv_i.drop || expired;  // decided whether there is space or not
  assign go = easy || rsv_i.space || rsv_i.never;
  assign stall = !go;
  // Also when something else is what it waits for now.
  assign starve = want && !rsv_i.drop && !rsv_i.never && !rsv_i.space;
  assign keep = want && rsv_i.space;
  assign drop = want && !rsv_i.space && (rsv_i.never || easy);

  // ---- resources: its own first, then the one that all share ----
  assign may_tag = d2_q.flush || (d2_q.fwd && d2_q.tag);  // early, of registers alone
  assign need_tag = hold_flush || (fwd && d2_q.tag);
  assign need_move = fwd || (d2_q.beats != '0) || (keep && d2_q.put);
  assign ok_shared = !(need_tag && !tag_i.ready) && !(ur && !ur_ready_i) && !(fwd && d2_q.np && !host_np_ready_i);
  assign barred = need_tag && tag_i.hold;
  assign ok_flush = !hold_flush || flush_ready_i;
  assign ok_rest = ok_shared && ok_flush;
  assign ok_own = ok_rest && !stall;
  // The space is known last: one step from there to what is decided.
  assign may = d2_valid_q && !hold_i && ok_rest && move_ready_i;
  assign commit = may && go;
  assign blocked = d2_valid_q && (hold_i || (!ok_own && !barred && move_ready_i));  // goes back
  assign advance = !d2_valid_q || hold_i || (move_ready_i && !barred);
  assign kill = blocked && d1_lane_q[3:1] == d2_lane_q[3:1];

  // Under hold a request in D1 moves on, and is given back from D2.
  assign idle_o = !d1_valid_q && !d2_valid_q;
  assign done_valid_o = commit;
  assign done_lane_o = d2_lane_q;
  assign back_o = blocked;
  assign rest_o = !hold_i;
  assign back_lane_o = d2_lane_q;

  // ---- watchdog and wake ----
  logic [31:0] tick_q;
  logic        tick;
  logic [2*NumLanes-1:0] age_q;
  logic [NumLanes-1:0] starving_q;
  logic [3:0]  wake_q;
  logic        freed_q;  // told late, and nobody rests before it knows what was freed now

  assign tick = wdog_i != '0 && tick_q >= {1'b0, wdog_i[31:1]};
  always_comb begin
    expired = 1'b0;
    for (int unsigned l = 0; l < NumLanes; l++)
      if (d2_lane_q == 4'(l)) expired = wdog_i != '0 && starving_q[l] && age_q[2*l+:2] == 2'd3;
  end

  // An age counts ticks while its lane waits for log space: 3 ticks are between 2 and 3 half periods. A decision ends
  // the wait; the age follows a cycle later, and means nothing in between.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tick_q <= '0;
      age_q <= '0;
      starving_q <= '0;
      wake_q <= '0;
      freed_q <= 1'b0;
    end else begin
      freed_q <= freed_i;
      tick_q <= wdog_i == '0 || tick ? 32'd1 : tick_q + 32'd1;
      wake_q <= wake_q + 4'd1;
      for (int unsigned l = 0; l < NumLanes; l++) begin
        if (commit && d2_lane_q == 4'(l)) starving_q[l] <= 1'b0;
        else if (blocked && !hold_i && d2_lane_q == 4'(l)) starving_q[l] <= starve;
        if (!starving_q[l]) age_q[2*l+:2] <= 2'd0;
        else if (tick && age_q[2*l+:2] != 2'd3) age_q[2*l+:2] <= age_q[2*l+:2] + 2'd1;
      end
    end
  end
  assign wake_o = freed_q || tick || wake_q == 4'd0;  // the last bounds the wait for what nobody announces

  // ---- outputs ----
  aa_pkg::tag_alloc_t tag;
  // What is held for a flush has no record (aa_wanted), so neither waits for the other's resource.
  assign rsv_act_o.take = d2_valid_q && !hold_i && ok_shared && move_ready_i && want;
  assign rsv_act_o.lost = commit && drop;
  assign lost = drop;
  assign tag_act_o.may = d2_valid_q && may_tag && move_ready_i;
  assign tag_act_o.valid = (may && need_tag) && go;
  assign flush_valid_o = may && hold_flush;
  assign ur_valid_o = commit && ur;
  assign asker_o.port = d2_lane_q[2:1];
  assign asker_o.seq = d2_seq_q;
  assign asker_o.hdr = d2_hdr_q;
  assign tag_act_o.alloc = tag;
  assign move_valid_o = d2_valid_q && !hold_i && ok_own && need_move;

  always_comb begin
    tag = '0;
    tag.rid = d2_hdr_q.rid;
    tag.tag = {d2_hdr_q.t9, d2_hdr_q.t8, d2_hdr_q.tag};
    tag.port = d2_lane_q[2:1];
    tag.flush = hold_flush;
    tag.start = d2_q.start;
    tag.bytes = d2_q.count;
    tag.logged = keep && d2_q.get;
    tag.pad = rsv_i.pad;
    tag.pad_addr = rsv_i.pad_addr;
    tag.pad_bytes = rsv_i.pad_bytes;
    tag.id = rsv_i.id;
    tag.addr = rsv_i.addr;
    tag.hdr = d2_q.entry;

    move_o = '0;
    move_o.lane = d2_lane_q;
    move_o.beats = d2_q.beats;
    move_o.fwd = fwd;
    move_o.put = keep && d2_q.put;
    move_o.seq = d2_seq_q;
    move_o.hdr = d2_q.hdr;
    move_o.log.id = rsv_i.id;
    move_o.log.addr = rsv_i.addr;
    move_o.log.pad = rsv_i.pad;
    move_o.log.pad_addr = rsv_i.pad_addr;
    move_o.log.pad_bytes = rsv_i.pad_bytes;
    move_o.log.total = d2_q.units + 9'd1;
    move_o.log.hdr = d2_q.entry;

    fault_valid_o = commit && fault;
    fault_o.reason = d2_q.reason;
    fault_o.read = d2_q.read;
    fault_o.at = d2_at_q;
    fault_o.sid = d2_hdr_q.rid;
    fault_o.page = d2_iova_q[63:12];

    err_o.code = live ? aa_pkg::ErrTagLive : d2_q.err != aa_pkg::ErrNone ? d2_q.err :
                 rsv_i.failed ? aa_pkg::ErrLogFailed : rsv_i.never ? aa_pkg::ErrLogFit :
                 rsv_i.drop ? aa_pkg::ErrLogDrop : aa_pkg::ErrLogWdog;
    err_valid_o = commit && !old && (live || d2_q.err != aa_pkg::ErrNone || drop);
    err_o.sid = d2_hdr_q.rid;
    err_o.iuid = d2_q.pre || live ? 10'd0 : d2_q.entry.iuid;
    err_o.addr = d2_iova_q;

    ret_valid_o = commit;
    ret_o = '0;
    ret_o.kind = aa_pkg::RetDecide;
    ret_o.lane = d2_lane_q;
    ret_o.flag = drop && !rsv_i.never && !rsv_i.drop;
    ret_o.idx = hold_flush ? flush_idx_i : need_tag ? tag_i.idx : 8'hFF;
    ret_o.a = fwd ? d2_q.pa : 64'd0;
    if (keep) begin
      ret_o.slot = {3'b0, d2_q.log};
      ret_o.b = 64'(rsv_i.addr);
    end
    if (hold_flush) ret_o.code = aa_pkg::OutFlush;
    else if (fwd) ret_o.code = keep ? aa_pkg::OutLog : drop ? aa_pkg::OutLost : aa_pkg::OutPass;
    else ret_o.code = keep ? aa_pkg::OutRedirect : drop ? aa_pkg::OutBlockLost : aa_pkg::OutBlock;
  end

  // ---- events, one cycle each ----
  always_comb begin
    event_o.request   = commit;
    event_o.write     = commit && d2_kind_q == aa_pkg::ReqWrite;
    event_o.read      = commit && d2_kind_q == aa_pkg::ReqRead;
    event_o.atomic    = commit && d2_kind_q == aa_pkg::ReqAtomic;
    event_o.passed    = commit && d2_q.pre && d2_q.fwd;
    event_o.ur        = commit && ur;
    event_o.denied    = commit && d2_q.denied && !cut;
    event_o.reserved  = commit && keep;
    event_o.dropped   = commit && lost;
    event_o.flush     = commit && hold_flush;
    event_o.malformed = commit && d2_q.pre && d2_q.err != aa_pkg::ErrNone && d2_q.err != aa_pkg::ErrPortId && !old;
    event_o.tag_live  = commit && live && !old;
    event_o.no_log    = commit && d2_q.err == aa_pkg::ErrNoLog && !cut;
    event_o.pad       = commit && keep && rsv_i.pad;
    event_o.poisoned  = commit && d2_q.poisoned && !cut;
    event_o.filter    = commit && d2_q.pre && d2_q.err == aa_pkg::ErrPortId && !old;
    event_o.old       = commit && old;
  end
  assign wait_o = {4{d2_valid_q && !hold_i}} & {
      fwd && d2_q.np && !host_np_ready_i,
      hold_flush && !flush_ready_i,
      need_tag && !tag_i.ready,
      stall
    };

`ifdef FORMAL
`include "aa_decide_props.svh"
`endif

endmodule

`default_nettype wire
