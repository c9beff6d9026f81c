// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_decide: all or nothing, what is given back leaves no trace, holds end.
`include "fv.svh"
// Rules of README.md: STR-3, DEC-4, DEC-14, DEC-15, DEC-16, DEC-17, DEC-18, RST-2, TAG-11.
  `FV_INIT

  logic       f_reserved;  // as aa_log_ptr has it
  logic [1:0] f_hold_q;
  assign f_reserved = rsv_act_o.take && rsv_i.space;
  logic [25:0] f_key_q;
  always_ff @(posedge clk_i) if (tag_ask_o.look) f_key_q <= tag_ask_o.key;
  logic       f_back_q, f_stayed_q;
  logic [2:0] f_port_q;
  always_ff @(posedge clk_i) begin
    f_back_q <= rst_ni && back_o;
    f_port_q <= back_lane_o[3:1];
    f_stayed_q <= rst_ni && d2_valid_q && !advance && tag_i.hold;
  end
  always_ff @(posedge clk_i) begin
    f_hold_q <= !rst_ni || !hold_i ? 2'd0 : f_hold_q == 2'd3 ? 2'd3 : f_hold_q + 2'd1;
  end

  // One lane's wait for log space: from the first time it was given back for that to its decision,
  // or to another reason.
  `FV_ANYCONST(f_lane, 4)
  `FV_BELOW(def_lane, f_lane, NumLanes)
  logic       f_mine, f_waiting_q, f_starving;
  logic [1:0] f_ticks_q, f_age;
  assign f_mine = d2_lane_q == f_lane;
  always_comb begin
    f_starving = 1'b0;
    f_age = 2'd0;
    for (int unsigned l = 0; l < NumLanes; l++)
      if (f_lane == 4'(l)) {f_starving, f_age} = {starving_q[l], age_q[2*l+:2]};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (commit && f_mine)) f_waiting_q <= 1'b0;
    else if (back_o && rest_o && f_mine) f_waiting_q <= want && !rsv_i.drop && !rsv_i.never && !rsv_i.space;
    if (!rst_ni || (commit && f_mine) || !f_waiting_q) f_ticks_q <= 2'd0;
    else if (tick && f_ticks_q != 2'd3) f_ticks_q <= f_ticks_q + 2'd1;
  end

  // What aa_rx makes, as aa_wanted needs it: a kind fits its lane and type, what is refused has its reason.
  function automatic logic f_legal(input logic np, input logic [2:0] kind, input logic bad, input logic data,
                                   input logic [9:0] len);
    f_legal = kind <= 3'(aa_pkg::ReqRefuse) &&
              (bad || (kind != 3'(aa_pkg::ReqRefuse) &&
                       np == (kind == 3'(aa_pkg::ReqRead) || kind == 3'(aa_pkg::ReqAtomic)) &&
                       (kind != 3'(aa_pkg::ReqAtomic) || (len != '0 && len <= 10'd8)))) &&
              (kind != 3'(aa_pkg::ReqRead) || !data) &&
              ((kind != 3'(aa_pkg::ReqWrite) && kind != 3'(aa_pkg::ReqAtomic)) || data);
  endfunction

  // What was decided of the request in D2, and by which log it was found: kept beside the module's own registers.
  aa_pkg::wanted_t f_v_q;
  aa_pkg::req_t     f_req_q;
  logic [3:0]       f_lane_q;
  logic [63:0]      f_iova_q;
  cm_pkg::tlp_req_t f_hdr, f_d1_hdr, f_pick_hdr;  // of D2, of D1, of what is picked
  assign f_hdr      = f_req_q.hdr;
  assign f_d1_hdr   = d1_req_q.hdr;
  assign f_pick_hdr = pick_req_i.hdr;
  always_ff @(posedge clk_i) if (advance) begin
    f_v_q    <= d1_wanted;
    f_req_q  <= d1_req_q;
    f_lane_q <= d1_lane_q;
    f_iova_q <= d1_iova;
  end

  // Of before a reset, by what is seen of it: its port's, or of AA_RESET's requester, which changes only where nothing
  // is decided.
  logic [3:0]  f_cut, f_cut_fn;
  logic [15:0] f_rid_q;
  logic        f_old;
  assign f_cut    = 4'(old_i);
  assign f_cut_fn = 4'(old_fn_i);
  assign f_old    = f_lane_q[0] &&
                    (f_cut[f_lane_q[2:1]] || (f_cut_fn[f_lane_q[2:1]] && f_hdr.rid == fn_rid_i));
  always_ff @(posedge clk_i) f_rid_q <= fn_rid_i;

  // What becomes of the request in D2, by what was decided of it and what its tag, its port's reset and
  // its log say now.
  logic f_live, f_cuts, f_fwd, f_ur, f_flush, f_keep, f_drop;
  assign f_live  = f_lane_q[0] && !f_v_q.pre && tag_i.live;
  assign f_cuts  = f_live || f_old;
  assign f_fwd   = f_v_q.fwd && !f_cuts;
  assign f_ur    = (f_v_q.ur || f_live) && !f_old;
  assign f_flush = f_v_q.flush && !f_cuts;
  assign f_keep  = (f_v_q.put || f_v_q.get) && !f_cuts && rsv_i.space;
  assign f_drop  = (f_v_q.put || f_v_q.get) && !f_cuts && !rsv_i.space;

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_rst_q && f_hold_q != 2'd3) env_rid: assume (fn_rid_i == f_rid_q);
    if (pick_valid_i) env_legal: assume (f_legal(pick_lane_i[0], 3'(pick_req_i.kind), pick_req_i.bad != aa_pkg::ErrNone,
                                                 f_pick_hdr.op[cm_pkg::OpData], f_pick_hdr.len));
    if (d1_valid_q) p1_legal: assert (f_legal(d1_lane_q[0], 3'(d1_req_q.kind), d1_req_q.bad != aa_pkg::ErrNone,
                                              f_d1_hdr.op[cm_pkg::OpData], f_d1_hdr.len));
    env_failed: assume (!rsv_i.failed || (rsv_i.drop && !rsv_i.space));
    env_hold_tag: assume (!(tag_i.hold && tag_i.ready));  // aa_tag_buf, P2
    env_never: assume (!(rsv_i.never && rsv_i.space));
    if (hold_i) env_hold: assume (!pick_valid_i);  // P5 of aa_pick

    if (tag_act_o.valid) p1_may: assert (tag_act_o.may);
    if (tag_act_o.may) p3_may: assert (d2_valid_q && f_lane_q[0] && !f_v_q.pre &&
                                       (f_v_q.flush || (f_v_q.fwd && f_v_q.tag)));
    if (commit) p1_tag: assert (tag_act_o.valid == need_tag && (!need_tag || tag_i.ready));
    if (commit) p1_flush: assert (!flush_valid_o || (flush_ready_i && tag_act_o.valid && !move_o.fwd));
    if (commit) p1_ur: assert (!ur_valid_o || (ur_ready_i && !fwd));
    p1_move: assert ((move_valid_o && move_ready_i) == (commit && need_move));
    if (commit && fwd && d2_q.np) p1_host: assert (host_np_ready_i);
    if (commit && move_o.fwd && d2_q.tag) p3_tracked: assert (tag_act_o.valid);
    if (!commit)
      p2_nothing: assert (!tag_act_o.valid && !flush_valid_o && !ur_valid_o && !f_reserved && !rsv_act_o.lost &&
                          !fault_valid_o && !err_valid_o && !ret_valid_o && !done_valid_o && event_o == '0);
    p2_once: assert (!(commit && back_o));
    p2_moves: assert (advance == (!d2_valid_q || commit || back_o));
    if (d2_valid_q && !hold_i && tag_i.hold && (f_flush || (f_fwd && f_v_q.tag)))
      p2_stays: assert (!commit && !back_o && !advance);
    if (d2_valid_q && !tag_i.hold && move_ready_i) p2_leaves: assert (advance);
    if (f_back_q && d1_valid_q) p2_dropped_d1: assert (d1_lane_q[3:1] != f_port_q);
    if (f_back_q && d2_valid_q) p2_dropped_d2: assert (d2_lane_q[3:1] != f_port_q);
    if (d2_valid_q && !hold_i && need_move && ok_own && !move_ready_i) p2_waits: assert (!back_o && !advance);
    if (d2_valid_q) p3_looked_up: assert (f_key_q == {tag.rid, tag.tag});
    if (d2_valid_q) p6_fn: assert (d2_q.np == f_lane_q[0] && d2_fn_q == (f_hdr.rid == fn_rid_i));
    if (d2_valid_q) p6_old: assert (old == f_old);
    if (d2_valid_q && old)
      p6_dropped: assert (!tag_act_o.valid && !flush_valid_o && !ur_valid_o && !f_reserved && !rsv_act_o.lost &&
                          !fault_valid_o && !err_valid_o && !move_o.fwd && !move_o.put && d2_q.np);
    if (d2_valid_q && old && !hold_i && move_ready_i) p6_waits: assert (commit && ret_o.code == aa_pkg::OutBlock &&
                                                                        event_o >> 4 == 17'h1000);
    if (live && !old) p3_refused: assert (!tag_act_o.valid && !move_o.fwd && !f_reserved && (!commit || ur_valid_o));
    if (commit && want) p4_record: assert (f_reserved ^ rsv_act_o.lost);
    if (f_reserved) p4_committed: assert (commit && want);
    if (f_reserved) p4_space: assert (rsv_i.space && !rsv_i.never);
    if (rsv_act_o.lost) p4_counted: assert (event_o.dropped && err_valid_o);
    if (rsv_act_o.lost && d2_q.err == aa_pkg::ErrNone)
      p4_why: assert (err_o.code == (rsv_i.failed ? aa_pkg::ErrLogFailed :
        rsv_i.never ? aa_pkg::ErrLogFit : rsv_i.drop ? aa_pkg::ErrLogDrop : aa_pkg::ErrLogWdog));
    if (rsv_act_o.lost && !rsv_i.never && !rsv_i.drop) p4_watchdog: assert (wdog_i != '0 && ret_o.flag);
    if (32'(f_lane) < NumLanes) p4_waiting: assert (f_starving == f_waiting_q && (!f_starving || f_age == f_ticks_q));
    if (rsv_act_o.lost && !rsv_i.never && !rsv_i.drop && f_mine && 32'(f_lane) < NumLanes)
      p4_patience: assert (f_waiting_q && f_ticks_q == 2'd3);
    if (32'(f_lane) < NumLanes && d2_valid_q && f_mine && f_waiting_q && f_ticks_q == 2'd3 && wdog_i != '0)
      p4_enough: assert (!stall);
    // All that a decision does, and no more than that: who is answered, held, tracked, recorded, told and counted.
    if (commit) begin
      p1_flushed: assert (flush_valid_o == f_flush);
      p1_answered: assert (ur_valid_o == f_ur);
      p1_tracked: assert (tag_act_o.valid == (f_flush || (f_fwd && f_v_q.tag)));
      p1_moved: assert (move_valid_o == (f_fwd || f_v_q.beats != '0 || (f_keep && f_v_q.put)));
      p4_kept: assert (f_reserved == f_keep && rsv_act_o.lost == f_drop);
      p4_told: assert (err_valid_o == (!f_old && (f_live || f_v_q.err != aa_pkg::ErrNone || f_drop)));
      p3_live: assert (!f_live || f_old || err_o.code == aa_pkg::ErrTagLive);
      p4_first: assert (!err_valid_o || f_live || f_v_q.err == aa_pkg::ErrNone || err_o.code == f_v_q.err);
      p4_whose: assert (!err_valid_o || (err_o.sid == f_hdr.rid && err_o.addr == f_iova_q &&
                                         err_o.iuid == (f_v_q.pre || f_live ? 10'd0 : f_v_q.entry.iuid)));
      p1_done: assert (done_valid_o && ret_valid_o && done_lane_o == f_lane_q && ret_o.lane == f_lane_q &&
                       ret_o.kind == aa_pkg::RetDecide);
      p1_code: assert (ret_o.code == (f_flush ? aa_pkg::OutFlush :
                                      f_fwd ? (f_keep ? aa_pkg::OutLog : f_drop ? aa_pkg::OutLost : aa_pkg::OutPass) :
                                      f_keep ? aa_pkg::OutRedirect : f_drop ? aa_pkg::OutBlockLost : aa_pkg::OutBlock));
      p1_where: assert (ret_o.a == (f_fwd ? f_v_q.pa : 64'd0) && ret_o.b == (f_keep ? 64'(rsv_i.addr) : 64'd0) &&
                        ret_o.slot == (f_keep ? 8'(f_v_q.log) : 8'd0));
      p3_index: assert (ret_o.idx == (f_flush ? flush_idx_i : tag_act_o.valid ? tag_i.idx : 8'hFF));
      p1_counted: assert (event_o.request && event_o.passed == (f_v_q.pre && f_v_q.fwd) && event_o.ur == f_ur &&
                          event_o.denied == (f_v_q.denied && !f_cuts) && event_o.reserved == f_keep &&
                          event_o.dropped == f_drop &&
                          event_o.flush == f_flush && event_o.tag_live == (f_live && !f_old) && event_o.old == f_old &&
                          event_o.no_log == (f_v_q.err == aa_pkg::ErrNoLog && !f_cuts) &&
                          event_o.pad == (f_keep && rsv_i.pad) &&
                          event_o.poisoned == (f_v_q.poisoned && !f_cuts));
      p1_refused: assert (event_o.filter == (f_v_q.pre && f_v_q.err == aa_pkg::ErrPortId && !f_old) &&
                          event_o.malformed == (f_v_q.pre && f_v_q.err != aa_pkg::ErrNone &&
                                                f_v_q.err != aa_pkg::ErrPortId &&
                                                !f_old));
      p1_kinds: assert (event_o.write == (f_req_q.kind == aa_pkg::ReqWrite) &&
                        event_o.read == (f_req_q.kind == aa_pkg::ReqRead) &&
                        event_o.atomic == (f_req_q.kind == aa_pkg::ReqAtomic));
    end
    // Given back only for what it lacks, or under hold; and then its lane is told.
    if (back_o) p2_lacks: assert (d2_valid_q && back_lane_o == f_lane_q && rest_o == !hold_i &&
                                  (hold_i || wait_o != '0 || (f_ur && !ur_ready_i)));
    p2_for: assert (wait_o == ({4{d2_valid_q && !hold_i}} & {f_fwd && f_lane_q[0] && !host_np_ready_i,
                                                             f_flush && !flush_ready_i,
        (f_flush || (f_fwd && f_v_q.tag)) && !tag_i.ready, f_drop && !rsv_i.drop && !rsv_i.never && stall}));
    // What leaves is what was decided: header, payload, record, tag entry, answer.
    if (d2_valid_q) p1_kept: assert (d2_q == f_v_q && d2_lane_q == f_lane_q && d2_hdr_q == f_req_q.hdr &&
                                    d2_seq_q == f_req_q.seq && d2_at_q == f_hdr.at &&
                                    d2_iova_q == f_iova_q &&
                                    d2_kind_q == f_req_q.kind);
    if (move_valid_o) begin
      p1_lane: assert (move_o.lane == f_lane_q && move_o.beats == f_v_q.beats && move_o.seq == f_req_q.seq);
      p1_forward: assert (move_o.fwd == (f_v_q.fwd && !live && !f_old) && (!move_o.fwd || move_o.hdr == f_v_q.hdr));
      p1_put: assert (move_o.put == (f_v_q.put && !live && !f_old && rsv_i.space));
      if (move_o.put)
        p4_put: assert (move_o.log.hdr == f_v_q.entry && move_o.log.id == rsv_i.id && move_o.log.addr == rsv_i.addr &&
        move_o.log.pad == rsv_i.pad && (!rsv_i.pad || (move_o.log.pad_addr == rsv_i.pad_addr &&
        move_o.log.pad_bytes == rsv_i.pad_bytes)) && move_o.log.total == f_v_q.units + 9'd1);
    end
    if (tag_act_o.valid) begin
      p3_entry: assert (tag.rid == f_hdr.rid && tag.tag == {f_hdr.t9, f_hdr.t8, f_hdr.tag} &&
        tag.port == f_lane_q[2:1] && tag.flush == f_v_q.flush && tag.start == f_v_q.start &&
        tag.bytes == f_v_q.count && tag.logged == (f_v_q.get && rsv_i.space));
      if (tag.logged) p3_logged: assert (tag.id == rsv_i.id && tag.addr == rsv_i.addr && tag.hdr == f_v_q.entry &&
        tag.pad == rsv_i.pad && (!rsv_i.pad || (tag.pad_addr == rsv_i.pad_addr && tag.pad_bytes == rsv_i.pad_bytes)));
    end
    if (flush_valid_o || ur_valid_o) p3_answer: assert (asker_o.hdr == f_req_q.hdr && asker_o.seq == f_req_q.seq &&
                                                        asker_o.port == f_lane_q[2:1]);
    if (fault_valid_o) p1_fault: assert (fault_o.reason == f_v_q.reason && fault_o.read == f_v_q.read &&
      fault_o.at == f_hdr.at && fault_o.sid == f_hdr.rid && fault_o.page == f_iova_q[63:12]);
    if (commit) p1_faulty: assert (fault_valid_o == (f_v_q.fault && !live && !f_old));
    if (rsv_act_o.take) p4_log: assert (rsv_ask_o.log == f_v_q.log && rsv_ask_o.units == f_v_q.units);
    if (f_hold_q == 2'd3) p5_idle: assert (idle_o);
    if (hold_i) p5_still: assert (!commit);
    if (f_hold_q == 2'd2) p5_step2: assert (!d1_valid_q);
    // What aa_wanted promises of D1, kept for the stage that waits.
    if (d2_valid_q)
      p1_wanted: assert (!(d2_q.fwd && d2_q.flush) && (!d2_q.ur || (d2_q.np && !d2_q.fwd && !d2_q.flush)) &&
                          !(d2_q.put && d2_q.get) && (!d2_q.pre || !(d2_q.put || d2_q.get)) &&
                          (!d2_q.flush || !(d2_q.put || d2_q.get || d2_q.pre)) &&
                          !(d2_q.np && d2_q.pre && d2_q.fwd) &&
                          (!(d2_q.flush || (d2_q.fwd && d2_q.tag)) || (d2_q.np && !d2_q.pre)));
    c_flush: cover (flush_valid_o);
    c_old: cover (commit && old && d2_q.flush);
    c_live: cover (commit && live);
    c_back: cover (back_o && stall);
    c_stays: cover (f_stayed_q && commit && need_tag);
    c_lost: cover (rsv_act_o.lost);
    c_watchdog: cover (rsv_act_o.lost && ret_o.flag);
    c_log: cover (f_reserved && d2_q.get);
  end
