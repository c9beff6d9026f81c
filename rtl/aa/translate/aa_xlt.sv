// SPDX-License-Identifier: Apache-2.0
// aa_xlt: the translation engine. Looks ahead over the queued requests of all lanes, walks several pages at once, and
// translates the requests of each lane in order.
//
//   lanes --lk--> | C1  choose: sweep, ended walk, look-up |--> sid, iova, did, indices
//                 | C2  ctx cache, PSC, IOTLB, superpages: read, compare, select; all changes of state happen here
//                 |     hit: result     miss: start a walk     ended walk: fill, result
//                 +--> aa_walk --> AXI4 reads
//
// P1  A request that arrives in cycle 0 and hits has its result in cycle 2; rate one look-up a cycle. A miss of L loads
//     of N cycles has it in cycle 4 + L(N+1).
// P2  Results of a lane come in order, one for each request, at xl_ptr_o.
// P3  At most one of: walk started, request translated by a hit, walk ended, in a cycle; each is one retire record, and
//     the caches change as README.md says for that record.
// P4  Under hold_i nothing retires. inv_i is taken when inv_valid_i is high (a level or a pulse), and is done in the
//     cycle of inv_done_o, which comes after max(sets, entries) + 1 cycles; inv_valid_i must then fall.
// P5  forget_i (under hold_i): all requests not yet decided are translated again, and no walk under way is used.
// P6  te_i, aae_i, root_i change only under hold_i, at the beginning of the cycle of forget_i.
//
// For max(sets, entries) cycles after reset the caches are cleared and no request is looked up. Retire: RetWalk,
// RetXlate and RetFill carry lane and idx = number of the request; RetWalk and RetFill the slot.
// One file: what C2 finds decides in the same cycle what C1 looks up next, and P2 and P3 are proved of both at once.
// Rules of README.md: XLT-6, XLT-7, XLT-8, XLT-9, XLT-20, XLT-21, TMO-6.
`default_nettype none

module aa_xlt #(
  parameter int unsigned NumLanes = 4,
  parameter int unsigned Window = 8,
  parameter int unsigned Walkers = 4,
  parameter int unsigned IotlbEntries = 64,
  parameter int unsigned IotlbWays = 4,
  parameter bit          IotlbRandom = 1'b0,
  parameter int unsigned SpEntries = 4,
  parameter int unsigned CtxEntries = 16,
  parameter int unsigned PscEntries = 8
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_ni,

  // Control
  input  wire logic                             te_i,
  input  wire logic                             aae_i,
  input  wire logic [63:12]                     root_i,
  input  wire logic                             hold_i,
  input  wire logic                             forget_i,
  input  wire logic                             inv_valid_i,
  input  wire aa_pkg::inval_t                   inv_i,
  output logic                                  inv_done_o,

  // Lanes
  input  wire logic [NumLanes*8-1:0]            wr_ptr_i,
  input  wire logic [NumLanes*8-1:0]            rd_ptr_i,
  output logic      [NumLanes*8-1:0]            lk_idx_o,
  input  wire logic [NumLanes*aa_pkg::LookupW-1:0] lk_i,
  output logic      [NumLanes*8-1:0]            xl_ptr_o,

  // Results
  output logic                                  res_valid_o,
  output logic                                  res_write_o,    // there may be one, for request xl_ptr_o of the lane
  output logic      [3:0]                       res_lane_o,
  output logic      [7:0]                       res_idx_o,
  output aa_pkg::xlate_t                        res_o,

  // AXI4 reads
  output logic                                  ar_valid_o,
  input  wire logic                             ar_ready_i,
  output logic      [63:0]                      ar_addr_o,
  output logic      [7:0]                       ar_id_o,
  output logic                                  ar_wide_o,
  input  wire logic                             r_valid_i,
  output logic                                  r_ready_o,
  input  wire logic [7:0]                       r_id_i,
  input  wire logic [127:0]                     r_data_i,
  input  wire logic                             r_err_i,

  // Retire
  output logic                                  ret_walk_valid_o,
  output aa_pkg::retire_t                       ret_walk_o,
  output logic                                  ret_xlate_valid_o,
  output aa_pkg::retire_t                       ret_xlate_o,

  // Events
  output logic                                  ev_hit_o,       // counter 5
  output logic                                  ev_fill_o,      // 6
  output logic                                  ev_fault_o,     // 7
  output logic                                  ev_tlb_fill_o,  // 8
  output logic                                  ev_ctx_fill_o,  // 9
  output logic                                  ev_walk_o       // 10
);

  localparam int unsigned LaneW = NumLanes > 1 ? $clog2(NumLanes) : 1;
  localparam int unsigned IdxW = Window > 1 ? $clog2(Window) : 1;
  localparam int unsigned SlotW = Walkers > 1 ? $clog2(Walkers) : 1;
  localparam int unsigned LookupW = aa_pkg::LookupW;
  localparam int unsigned Sets = IotlbEntries / IotlbWays;
  localparam int unsigned TlbIdxW = Sets > 1 ? $clog2(Sets) : 1;
  localparam int unsigned CtxIdxW = CtxEntries > 1 ? $clog2(CtxEntries) : 1;
  localparam int unsigned PscIdxW = PscEntries > 1 ? $clog2(PscEntries) : 1;
  localparam int unsigned MaxA = Sets > CtxEntries ? Sets : CtxEntries;
  localparam int unsigned Steps = MaxA > PscEntries ? MaxA : PscEntries;
  localparam int unsigned CntW = Steps > 1 ? $clog2(Steps) : 1;

  // ---- sweep: after reset and for an invalidation -----------------------------------------------------------------
  logic            sweep_q, init_q, owed_q, inv_take, sweep_end;
  logic [CntW-1:0] cnt_q, cnt_d;
  logic            inv_ctx_q, inv_psc_q, inv_all_q, inv_dom_q;
  logic [2:0]      inv_fm_q;
  logic [17:0]     inv_mask_q;

  assign sweep_end  = cnt_q == CntW'(Steps - 1);
  assign inv_take   = inv_valid_i && !sweep_q;
  assign inv_done_o = sweep_q && sweep_end && (!init_q || owed_q || inv_valid_i);
  assign cnt_d      = sweep_q && !sweep_end ? cnt_q + CntW'(1) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sweep_q <= 1'b1;
      init_q  <= 1'b1;
      owed_q  <= 1'b0;
      cnt_q   <= '0;
    end else begin
      if (inv_take) sweep_q <= 1'b1;
      else if (sweep_q && sweep_end) sweep_q <= 1'b0;
      if (sweep_end) init_q <= 1'b0;
      owed_q <= init_q && !sweep_end && (owed_q || inv_valid_i);  // a pulse that came too early: all is cleared anyway
      cnt_q <= cnt_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (inv_take) begin
      inv_ctx_q  <= inv_i.ctx;
      inv_psc_q  <= !inv_i.ctx && !(inv_i.gran == 2'd3 && inv_i.ih);
      inv_all_q  <= inv_i.gran == 2'd1;
      inv_dom_q  <= inv_i.gran == 2'd2;
      inv_fm_q   <= {inv_i.fm != 2'd0, inv_i.fm[1], inv_i.fm == 2'd3};
      for (int unsigned b = 0; b < 18; b++) inv_mask_q[b] <= inv_i.am > 6'(b);
    end
    if (!rst_ni || (sweep_q && sweep_end)) inv_mask_q <= '0;  // look-ups compare all bits, and have no time to choose
  end

  // ---- C1 ---------------------------------------------------------------------------------------------------------
  logic                      f1_valid, f1_take, f2_valid;
  logic [NumLanes-1:0]       issue_lane;
  logic [3:0]                f1_lane;
  logic [7:0]                f1_num;
  logic [15:0]               f1_sid, f1_did, c1_sid, c1_did, look_did;
  logic [63:12]              f1_iova, c1_iova;
  logic [LookupW-1:0]          lk;
  aa_pkg::lookup_t             look;

  assign f1_take = f1_valid && !hold_i && !sweep_q;

  // One or none of these.
  always_comb begin
    lk      = '0;
    c1_sid  = (inv_i.sid & {16{inv_valid_i}}) | (f1_sid & {16{f1_valid && !inv_valid_i}});
    c1_iova = (inv_i.addr & {52{inv_valid_i}}) | (f1_iova & {52{f1_valid && !inv_valid_i}});
    for (int unsigned l = 0; l < NumLanes; l++) if (issue_lane[l]) lk = lk | lk_i[l*LookupW+:LookupW];
    c1_sid  = c1_sid | look.sid;
    c1_iova = c1_iova | look.iova;
    c1_did  = inv_valid_i ? inv_i.did : f1_valid ? f1_did : look_did;
  end
  assign look = lk;

  // ---- registers between C1 and C2 --------------------------------------------------------------------------------
  logic               skip_q, intr_q, write_q, at_q;
  logic [3:0]         fill_lane_q;
  logic [7:0]         fill_num_q;
  logic [15:0]        sid_q, did_q;
  logic [63:12]       iova_q;
  logic [TlbIdxW-1:0] tlb_idx_q, tlb_idx_d;
  logic [CtxIdxW-1:0] ctx_idx_q, ctx_idx_d, look_idx;
  logic [PscIdxW-1:0] psc2_idx_q, psc3_idx_q, psc2_idx_d, psc3_idx_d;

  if (Sets > 1) begin : gen_tlb_idx
    assign tlb_idx_d = sweep_q || inv_take ? TlbIdxW'(cnt_d) : c1_iova[12+:TlbIdxW];
  end else begin : gen_no_tlb_idx
    assign tlb_idx_d = '0;
  end
  if (CtxEntries > 1) begin : gen_ctx_idx
    assign ctx_idx_d = sweep_q || inv_take ? CtxIdxW'(cnt_d) : c1_sid[0+:CtxIdxW] ^ c1_sid[8+:CtxIdxW];
    assign look_idx  = look.sid[0+:CtxIdxW] ^ look.sid[8+:CtxIdxW];
  end else begin : gen_no_ctx_idx
    assign ctx_idx_d = '0;
    assign look_idx  = '0;
  end
  if (PscEntries > 1) begin : gen_psc_idx
    assign psc2_idx_d = sweep_q || inv_take ? PscIdxW'(cnt_d) : c1_iova[21+:PscIdxW];
    assign psc3_idx_d = sweep_q || inv_take ? PscIdxW'(cnt_d) : c1_iova[30+:PscIdxW];
  end else begin : gen_no_psc_idx
    assign psc2_idx_d = '0;
    assign psc3_idx_d = '0;
  end

  always_ff @(posedge clk_i) begin
    if (!sweep_q) begin
      skip_q      <= look.skip;
      intr_q      <= look.intr;
      write_q     <= look.write;
      at_q        <= look.at;
      fill_lane_q <= f1_lane;
      fill_num_q  <= f1_num;
      sid_q       <= c1_sid;
      iova_q      <= c1_iova;
      did_q       <= c1_did;
    end
    tlb_idx_q  <= rst_ni ? tlb_idx_d : '0;
    ctx_idx_q  <= rst_ni ? ctx_idx_d : '0;
    psc2_idx_q <= rst_ni ? psc2_idx_d : '0;
    psc3_idx_q <= rst_ni ? psc3_idx_d : '0;
  end

  // ---- C2: the caches ---------------------------------------------------------------------------------------------
  logic        pass, start, flag, may_pass, may_flag, conf, free, free_more, fill, sure, may, hit_need, miss_ctx;
  logic [LaneW-1:0] look_lane;
  logic [7:0]  look_num;
  logic        heir;
  logic [SlotW-1:0] free_slot, conf_slot, f2_slot, heir_slot;
  logic        ctx_hit, tlb_hit, sp_hit, giant, psc2_hit, psc3_hit;
  logic [15:0] unused_ctx_did;  // the one of the request was read a cycle before
  aa_pkg::ctx_entry_t ctx, f2_entry;
  aa_pkg::known_t known, f2_ctx;
  aa_pkg::leaf_t tlb_data, f2_data;
  aa_pkg::big_leaf_t sp_data, f2_big;
  aa_pkg::psc_t psc2_data, psc3_data, f2_psc3, f2_psc2;
  logic [17:0] mask;
  logic        big, inv_tlb, inv_ctx, inv_psc, inv_all;

  logic        f2_own, f2_fpd, f2_bypass, f2_nointr, f2_aa, f2_ctx_fill, f2_psc3_fill, f2_psc2_fill, f2_leaf;
  logic [3:0]  f2_fault;
  logic [1:0]  f2_size;

  assign big     = iova_q[63:48] != '0;
  assign inv_tlb = sweep_q && !inv_ctx_q && (inv_all_q || inv_dom_q || !big);  // no page is above 2^48
  assign inv_psc = sweep_q && (init_q || inv_psc_q);
  assign inv_ctx = sweep_q && (init_q || inv_ctx_q);
  assign inv_all = init_q || inv_all_q;
  assign mask    = inv_mask_q;
  assign fill    = f2_valid && !hold_i;

  assign known          = ctx.known;
  assign unused_ctx_did = ctx.did;
  always_comb begin
    f2_entry.did   = did_q;
    f2_entry.known = f2_ctx;
    f2_big.frame   = f2_data.frame[35:9];
    f2_big.rights  = f2_data.rights;
  end

  aa_ctx_cache #(
    .Entries(CtxEntries)
  ) u_ctx (
    .clk_i,
    .idx_i(CtxEntries > 1 ? ctx_idx_q : '0),
    .sid_i(sid_q),
    .hit_o(ctx_hit),
    .entry_o(ctx),
    .next_idx_i(look_idx),
    .next_did_o(look_did),
    .fill_i(fill && f2_ctx_fill),
    .entry_i(f2_entry),
    .inv_i(inv_ctx),
    .inv_all_i(inv_all),
    .inv_dev_i(!inv_dom_q),
    .inv_fm_i(inv_fm_q),
    .inv_did_i(did_q)
  );

  aa_psc #(
    .Entries(PscEntries),
    .Lsb(21)
  ) u_psc2 (
    .clk_i,
    .idx_i(PscEntries > 1 ? psc2_idx_q : '0),
    .did_i(did_q),
    .iova_i(iova_q[47:21]),
    .hit_o(psc2_hit),
    .data_o(psc2_data),
    .fill_i(fill && f2_psc2_fill),
    .data_i(f2_psc2),
    .inv_i(inv_psc),
    .inv_all_i(inv_all)
  );

  aa_psc #(
    .Entries(PscEntries),
    .Lsb(30)
  ) u_psc3 (
    .clk_i,
    .idx_i(PscEntries > 1 ? psc3_idx_q : '0),
    .did_i(did_q),
    .iova_i(iova_q[47:30]),
    .hit_o(psc3_hit),
    .data_o(psc3_data),
    .fill_i(fill && f2_psc3_fill),
    .data_i(f2_psc3),
    .inv_i(inv_psc),
    .inv_all_i(inv_all)
  );

  aa_iotlb #(
    .Entries(IotlbEntries),
    .Ways(IotlbWays),
    .Random(IotlbRandom),
    .Lsb(12),
    .DataW(aa_pkg::LeafW)
  ) u_tlb (
    .clk_i,
    .rst_ni,
    .idx_i(Sets > 1 ? tlb_idx_q : '0),
    .did_i(did_q),
    .iova_i(iova_q[47:12]),
    .hit_o(tlb_hit),
    .giant_o(),
    .data_o(tlb_data),
    .touch_i(pass && hit_need && tlb_hit),
    .fill_i(fill && f2_leaf && f2_size == 2'd1),
    .giant_i(1'b0),
    .data_i(f2_data),
    .init_i(init_q),
    .inv_i(inv_tlb),
    .inv_all_i(inv_all),
    .inv_dom_i(inv_dom_q),
    .mask_i(mask)
  );

  aa_iotlb #(
    .Entries(SpEntries),
    .Ways(SpEntries),
    .Random(1'b0),
    .Lsb(21),
    .DataW(aa_pkg::BigLeafW)
  ) u_sp (
    .clk_i,
    .rst_ni,
    .idx_i(1'b0),
    .did_i(did_q),
    .iova_i(iova_q[47:12]),
    .hit_o(sp_hit),
    .giant_o(giant),
    .data_o(sp_data),
    .touch_i(pass && hit_need && !tlb_hit),
    .fill_i(fill && f2_leaf && f2_size != 2'd1),
    .giant_i(f2_size[0]),
    .data_i(f2_big),
    .init_i(init_q),
    .inv_i(inv_tlb),
    .inv_all_i(inv_all),
    .inv_dom_i(inv_dom_q),
    .mask_i(mask)
  );

  // ---- C2: hit or miss, and the result ----------------------------------------------------------------------------
  logic plain, ends;

  assign plain    = skip_q || !te_i;                    // needs no look-up
  assign ends     = at_q || intr_q || known.pass;           // ends at the context
  assign hit_need = !plain && !ends;                    // needs the TLBs
  assign sure     = plain || (ctx_hit && ends);
  assign may      = !plain && ctx_hit && !ends && !big;

  aa_pkg::leaf_t leaf, sp_leaf;
  logic          aa;
  assign aa = f2_valid ? f2_aa : known.aa && aae_i;

  always_comb begin
    sp_leaf.frame  = {sp_data.frame[26:9], giant ? iova_q[29:21] : sp_data.frame[8:0], iova_q[20:12]};
    sp_leaf.rights = sp_data.rights;
    leaf           = f2_valid ? f2_data : tlb_hit ? tlb_data : sp_leaf;
    if (f2_valid && f2_size != 2'd1) leaf.frame[8:0] = iova_q[20:12];
    if (f2_valid && f2_size == 2'd3) leaf.frame[17:9] = iova_q[29:21];

    res_o.fault  = '0;
    res_o.fpd    = f2_valid ? f2_fpd : !plain && known.fpd;
    res_o.bypass = f2_valid ? f2_bypass : plain ? skip_q || !at_q : ends && !at_q;
    res_o.nointr = f2_valid ? f2_nointr : !plain && intr_q && !at_q && known.nointr;
    if (f2_valid) res_o.fault[3:0] = f2_fault;
    else if (at_q && !skip_q) res_o.fault[3:0] = aa_pkg::FltAt;
    res_o.r    = leaf.rights.r;
    res_o.w    = leaf.rights.w;
    res_o.wl   = leaf.rights.wl && aa;
    res_o.wld  = leaf.rights.wld && aa;
    res_o.rl   = leaf.rights.rl && aa;
    res_o.rld  = leaf.rights.rld && aa;
    res_o.e    = leaf.rights.e && aa;
    res_o.iuid = leaf.rights.iuid & {10{aa}};
    res_o.pfn  = leaf.frame;
  end

  // ---- schedule and walks -----------------------------------------------------------------------------------------
  aa_xlt_sched #(
    .NumLanes(NumLanes),
    .Window(Window),
    .Walkers(Walkers)
  ) u_sched (
    .clk_i,
    .rst_ni,
    .hold_i,
    .forget_i,
    .wr_ptr_i,
    .rd_ptr_i,
    .lk_idx_o,
    .xl_ptr_o,
    .stall_i(f1_valid || sweep_q),
    .issue_lane_o(issue_lane),
    .lane_o(look_lane),
    .num_o(look_num),
    .hit_sure_i(sure),
    .hit_may_i(may),
    .hit_tlb_i(tlb_hit || sp_hit),
    .conf_i(conf),
    .conf_slot_i(conf_slot),
    .free_i(free),
    .free_more_i(free_more),
    .free_slot_i(free_slot),
    .may_pass_o(may_pass),
    .pass_o(pass),
    .start_o(start),
    .fill_coming_i(f1_valid || f2_valid),
    .fill_i(fill),
    .fill_slot_i(f2_slot),
    .fill_lane_i(fill_lane_q),
    .fill_idx_i(fill_num_q[IdxW-1:0]),
    .fill_own_i(f2_own),
    .heir_i(heir),
    .heir_slot_i(heir_slot),
    .may_flag_o(may_flag),
    .flag_o(flag)
  );

  logic [2:0]  st_level;
  logic [47:3] st_addr;
  logic        st_r, st_w;

  assign miss_ctx = !ctx_hit;
  always_comb begin
    st_level = 3'd4;
    st_addr  = {known.frame, iova_q[47:39]};
    st_r     = 1'b1;
    st_w     = 1'b1;
    if (miss_ctx) begin
      st_level = 3'd6;
      st_addr  = {root_i[47:12], sid_q[15:8], 1'b0};
    end else if (psc2_hit) begin
      st_level = 3'd1;
      st_addr  = {psc2_data.frame, iova_q[20:12]};
      st_r     = psc2_data.r;
      st_w     = psc2_data.w;
    end else if (psc3_hit) begin
      st_level = 3'd2;
      st_addr  = {psc3_data.frame, iova_q[29:21]};
      st_r     = psc3_data.r;
      st_w     = psc3_data.w;
    end
  end

  aa_walk #(
    .Walkers(Walkers),
    .Window(Window)
  ) u_walk (
    .clk_i,
    .rst_ni,
    .aae_i,
    .forget_i,
    .free_o(free),
    .free_more_o(free_more),
    .free_slot_o(free_slot),
    .next_i(!sweep_q),
    .next_sid_i(c1_sid),
    .next_iova_i(c1_iova),
    .conf_o(conf),
    .conf_slot_o(conf_slot),
    .start_i(start),
    .st_lane_i(4'(look_lane)),
    .st_num_i(look_num),
    .st_sid_i(sid_q),
    .st_iova_i(iova_q),
    .st_write_i(write_q),
    .st_intr_i(intr_q),
    .st_at_i(at_q),
    .st_level_i(st_level),
    .st_addr_i(st_addr),
    .st_did_i(did_q),
    .st_aa_i(known.aa),
    .st_fpd_i(known.fpd),
    .st_r_i(st_r),
    .st_w_i(st_w),
    .pass_i(pass),
    .pass_lane_i(4'(look_lane)),
    .pass_idx_i(look_num[IdxW-1:0]),
    .f1_valid_o(f1_valid),
    .f1_take_i(f1_take),
    .f1_lane_o(f1_lane),
    .f1_num_o(f1_num),
    .f1_sid_o(f1_sid),
    .f1_iova_o(f1_iova),
    .f1_did_o(f1_did),
    .f2_done_i(fill),
    .f2_valid_o(f2_valid),
    .f2_slot_o(f2_slot),
    .f2_own_o(f2_own),
    .f2_lane_i(fill_lane_q),
    .f2_idx_i(fill_num_q[IdxW-1:0]),
    .heir_o(heir),
    .heir_slot_o(heir_slot),
    .f2_fault_o(f2_fault),
    .f2_fpd_o(f2_fpd),
    .f2_bypass_o(f2_bypass),
    .f2_nointr_o(f2_nointr),
    .f2_aa_o(f2_aa),
    .f2_ctx_fill_o(f2_ctx_fill),
    .f2_psc3_fill_o(f2_psc3_fill),
    .f2_psc2_fill_o(f2_psc2_fill),
    .f2_leaf_o(f2_leaf),
    .f2_size_o(f2_size),
    .f2_data_o(f2_data),
    .f2_ctx_o(f2_ctx),
    .f2_psc3_o(f2_psc3),
    .f2_psc2_o(f2_psc2),
    .ar_valid_o,
    .ar_ready_i,
    .ar_addr_o,
    .ar_id_o,
    .ar_wide_o,
    .r_valid_i,
    .r_ready_o,
    .r_id_i,
    .r_data_i,
    .r_err_i
  );

  // ---- out --------------------------------------------------------------------------------------------------------
  assign res_valid_o = pass || flag;
  assign res_write_o = f2_valid ? may_flag : may_pass;
  assign res_lane_o  = f2_valid ? fill_lane_q : 4'(look_lane);
  assign res_idx_o   = f2_valid ? fill_num_q : look_num;

  assign ret_walk_valid_o  = start;
  assign ret_xlate_valid_o = pass || fill;
  always_comb begin
    ret_walk_o        = '0;
    ret_walk_o.kind   = aa_pkg::RetWalk;
    ret_walk_o.lane   = 4'(look_lane);
    ret_walk_o.slot   = 8'(free_slot);
    ret_walk_o.idx    = look_num;
    ret_xlate_o       = '0;
    ret_xlate_o.kind  = f2_valid ? aa_pkg::RetFill : aa_pkg::RetXlate;
    ret_xlate_o.flag  = flag;
    ret_xlate_o.lane  = res_lane_o;
    ret_xlate_o.slot  = f2_valid ? 8'(f2_slot) : 8'd0;
    ret_xlate_o.idx   = res_idx_o;
  end

  assign ev_hit_o      = pass && !res_o.bypass;
  assign ev_fill_o     = fill;
  assign ev_fault_o    = fill && f2_fault != '0;
  assign ev_tlb_fill_o = fill && f2_leaf;
  assign ev_ctx_fill_o = fill && f2_ctx_fill;
  assign ev_walk_o     = start;

`ifdef FORMAL
`include "aa_xlt_props.svh"
`endif

endmodule

`default_nettype wire
