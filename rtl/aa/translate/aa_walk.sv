// SPDX-License-Identifier: Apache-2.0
// aa_walk: Walkers page walks at once, one pipe for all of them.
//
//   start --> [ slots: request, context, pointers, leaf ] --> ended --> fill (two cycles: F1 index, F2 contents)
//     |               ^                |
//     +--> first --+  |                +--> aa_walk_step --> next --+
//                  v  R beat ---------------^                       v
//                  AR <---------------------------------------------+        R in cycle n: next AR in cycle n+1
//
// P1  A slot is free, or walks with exactly one read under way or in a queue, or has ended and waits for its fill.
// P2  forget_i frees all slots but those with a read under way: these take its answer, do nothing with it, and are free
//     then.
// P3  An AR that waits does not change; R is always taken.
// P4  conf_o: a live slot has the hash of this (sid, page). No two live slots have the same hash, so no two walk for
//     the same (sid, page). Bit b of the address falls on bit b mod 10 of the hash, SID bits 5:0 on 9:4, 13:6
//     on 7:0 and 15:14 on 1:0.
// P5  own: the request of the slot is still untranslated. It falls when the request is translated by a hit.
// P6  A beat may come in any cycle, with a start for a free slot or with a fill; a start and a fill do not meet
//     (env_one).
//
// Whether a walk starts is known late: what it needs is written into the free slot in any case, in each cycle.
//
// An address with bits above 47 whose context is known ends without a read. AXI id = slot. Rate: one start, one R beat,
// one AR a cycle, a fill in every second one. Cost: Walkers x (28 flip-flops + 400 bits of LUT RAM), two AR queues.
// One file: P1 and P4 are one invariant over the slots, which starts, beats, reads and fills all change.
// Rules of README.md: XLT-9, XLT-10.
`default_nettype none

module aa_walk #(
  parameter int unsigned Walkers = 4,
  parameter int unsigned Window = 8,
  localparam int unsigned SlotW = Walkers > 1 ? $clog2(Walkers) : 1,
  localparam int unsigned IdxW = Window > 1 ? $clog2(Window) : 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic              aae_i,
  input  wire logic              forget_i,

  // Slots
  output logic                   free_o,       // a slot is free
  output logic                   free_more_o,  // two are
  output logic      [SlotW-1:0]  free_slot_o,

  // Is there a walk for it? Its hash is made a cycle ahead.
  input  wire logic              next_i,       // in the next cycle st_sid_i, st_iova_i are these, else as now
  input  wire logic [15:0]       next_sid_i,
  input  wire logic [63:12]      next_iova_i,
  output logic                   conf_o,
  output logic      [SlotW-1:0]  conf_slot_o,

  // Start, in free_slot_o
  input  wire logic              start_i,
  input  wire logic [3:0]        st_lane_i,
  input  wire logic [7:0]        st_num_i,
  input  wire logic [15:0]       st_sid_i,
  input  wire logic [63:12]      st_iova_i,
  input  wire logic              st_write_i,
  input  wire logic              st_intr_i,
  input  wire logic              st_at_i,
  input  wire logic [2:0]        st_level_i,   // 6 with a context miss, else 4, 2 or 1
  input  wire logic [47:3]       st_addr_i,
  input  wire logic [15:0]       st_did_i,
  input  wire logic              st_aa_i,
  input  wire logic              st_fpd_i,
  input  wire logic              st_r_i,
  input  wire logic              st_w_i,

  // A request was translated by a hit
  input  wire logic              pass_i,
  input  wire logic [3:0]        pass_lane_i,
  input  wire logic [IdxW-1:0]   pass_idx_i,

  // F1: an ended walk
  output logic                   f1_valid_o,
  input  wire logic              f1_take_i,
  output logic      [3:0]        f1_lane_o,
  output logic      [7:0]        f1_num_o,
  output logic      [15:0]       f1_sid_o,
  output logic      [63:12]      f1_iova_o,
  output logic      [15:0]       f1_did_o,

  // F2: the one taken in the cycle before; f2_done_i frees it, without it the walk stays ended
  input  wire logic              f2_done_i,
  output logic                   f2_valid_o,
  output logic      [SlotW-1:0]  f2_slot_o,
  output logic                   f2_own_o,
  input  wire logic [3:0]        f2_lane_i,    // its lane and number, back from the pipe
  input  wire logic [IdxW-1:0]   f2_idx_i,
  output logic                   heir_o,       // the request after it has a walk too
  output logic      [SlotW-1:0]  heir_slot_o,
  output logic      [3:0]        f2_fault_o,
  output logic                   f2_fpd_o,
  output logic                   f2_bypass_o,
  output logic                   f2_nointr_o,
  output logic                   f2_aa_o,
  output logic                   f2_ctx_fill_o,
  output logic                   f2_psc3_fill_o,
  output logic                   f2_psc2_fill_o,
  output logic                   f2_leaf_o,
  output logic      [1:0]        f2_size_o,    // level of the leaf: 1 4K, 2 2M, 3 1G
  output aa_pkg::leaf_t          f2_data_o,
  output aa_pkg::known_t         f2_ctx_o,     // its DID is f1_did_o
  output aa_pkg::psc_t           f2_psc3_o,
  output aa_pkg::psc_t           f2_psc2_o,

  // AXI4 reads
  output logic                   ar_valid_o,
  input  wire logic              ar_ready_i,
  output logic      [63:0]       ar_addr_o,
  output logic      [7:0]        ar_id_o,
  output logic                   ar_wide_o,    // 16 bytes, else 8
  input  wire logic              r_valid_i,
  output logic                   r_ready_o,
  input  wire logic [7:0]        r_id_i,
  input  wire logic [127:0]      r_data_i,     // the aligned 16 bytes around the address
  input  wire logic              r_err_i
);

  if (Walkers < 1 || Walkers > 16) begin : gen_bad_walkers $error("aa_walk: Walkers must be 1 to 16"); end

  localparam int unsigned HashW = 10;
  localparam int unsigned ReqW = 52 + 8 + 3;   // iova, devfn, write, intr, at

  // ---- slots ------------------------------------------------------------------------------------------------------
  logic [Walkers-1:0]       out_q, end_q, dead_q, own_q, aa_q, r_q, w_q, half_q;
  logic [Walkers-1:0]       free, live, same, st_gnt, r_gnt, f2_gnt, f1_gnt, root_q, heir;
  logic [Walkers*3-1:0]     level_q;
  logic [Walkers*HashW-1:0] hash_q;
  logic [HashW-1:0]         hash_d, st_hash_q;
  logic                     st_root, st_none, ctx_we;
  logic [1:0]               st_began;

  assign free        = ~(out_q | end_q);
  assign live        = (out_q & ~dead_q) | end_q;
  assign free_o      = |free;
  assign free_more_o = (free & ~st_gnt) != '0;
  assign conf_o      = |same;
  assign st_root     = st_level_i == 3'd6;
  assign st_none     = !st_root && st_iova_i[63:48] != '0;

  // 52 bits fold into 10; equal requests have equal hashes, which is all that P4 needs.
  always_comb begin
    hash_d = {8'd0, next_sid_i[15:14]} ^ HashW'(next_sid_i[13:6]) ^ {next_sid_i[5:0], 4'd0};
    for (int unsigned b = 12; b < 48; b++) hash_d[b%HashW] = hash_d[b%HashW] ^ next_iova_i[b];
  end
  always_ff @(posedge clk_i) if (next_i) st_hash_q <= hash_d;

  always_comb begin
    free_slot_o = '0;
    conf_slot_o = '0;
    st_gnt = free;
    for (int unsigned s = 1; s < Walkers; s++)
      for (int unsigned k = 0; k < s; k++) if (free[k]) st_gnt[s] = 1'b0;
    for (int unsigned s = 0; s < Walkers; s++) begin
      same[s] = live[s] && hash_q[s*HashW+:HashW] == st_hash_q;
      if (st_gnt[s]) free_slot_o = free_slot_o | SlotW'(s);
      if (same[s]) conf_slot_o = conf_slot_o | SlotW'(s);
    end
  end

  // ---- one beat ---------------------------------------------------------------------------------------------------
  logic [SlotW-1:0] r_slot;
  logic [ReqW-1:0]  r_req;
  logic [63:12]     r_iova;
  logic [7:0]       r_devfn;
  logic             r_write, r_intr, r_at, r_aa, r_r, r_w, r_half, r_fire, r_use;
  logic [2:0]       r_level, n_level;
  logic [47:3]      n_addr;
  logic             n_next, n_r, n_w, n_bypass, n_ctx_ok, n_leaf, push_next;
  logic [3:0]       n_fault;
  aa_pkg::page_t    n_entry;
  aa_pkg::ctx_t     as_ctx;  // what was read, where it is a context entry

  assign r_ready_o = 1'b1;
  assign r_slot    = r_id_i[SlotW-1:0];

  always_comb begin
    r_level = '0;
    r_aa    = 1'b0;
    r_r     = 1'b0;
    r_w     = 1'b0;
    r_half  = 1'b0;
    for (int unsigned s = 0; s < Walkers; s++) begin
      r_gnt[s] = r_slot == SlotW'(s);
      if (r_gnt[s]) begin
        r_level = r_level | level_q[s*3+:3];
        r_aa    = r_aa | aa_q[s];
        r_r     = r_r | r_q[s];
        r_w     = r_w | w_q[s];
        r_half  = r_half | half_q[s];
      end
    end
  end
  assign r_fire    = r_valid_i && r_id_i < 8'(Walkers) && |(r_gnt & out_q);
  assign r_use     = r_fire && !forget_i && (r_gnt & dead_q) == '0;
  assign push_next = r_use && n_next;
  assign ctx_we    = r_use && r_level == 3'd5;

  cm_lutram #(
    .Width(ReqW),
    .Depth(Walkers)
  ) u_req_r (
    .clk_i,
    .we_i(free_o),
    .waddr_i(free_slot_o),
    .wdata_i({st_iova_i, st_sid_i[7:0], st_write_i, st_intr_i, st_at_i}),
    .raddr_i(r_slot),
    .rdata_o(r_req)
  );
  assign {r_iova, r_devfn, r_write, r_intr, r_at} = r_req;

  assign as_ctx = r_data_i;

  aa_walk_step u_step (
    .level_i(r_level),
    .aa_i(r_aa && aae_i),
    .r_i(r_r),
    .w_i(r_w),
    .devfn_i(r_devfn),
    .iova_i(r_iova[47:12]),
    .big_i(r_iova[63:48] != '0),
    .write_i(r_write),
    .intr_i(r_intr),
    .at_i(r_at),
    .half_i(r_half),
    .err_i(r_err_i),
    .data_i(r_data_i),
    .next_o(n_next),
    .level_o(n_level),
    .addr_o(n_addr),
    .r_o(n_r),
    .w_o(n_w),
    .fault_o(n_fault),
    .bypass_o(n_bypass),
    .ctx_ok_o(n_ctx_ok),
    .leaf_o(n_leaf),
    .entry_o(n_entry)
  );

  // ---- life of a slot ---------------------------------------------------------------------------------------------
  for (genvar s = 0; s < Walkers; s++) begin : gen_slot
    logic             begins, beat, passed, open;  // open: no walk, and the next one begins here
    logic [3:0]       lane_q;
    logic [IdxW-1:0]  idx_q;

    assign open   = st_gnt[s];
    assign begins = start_i && open;
    assign beat   = r_fire && r_gnt[s];
    assign passed = pass_i && lane_q == pass_lane_i && idx_q == pass_idx_i;
    assign heir[s] = live[s] && own_q[s] && lane_q == f2_lane_i && idx_q == IdxW'(f2_idx_i + IdxW'(1));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        out_q[s]  <= 1'b0;
        end_q[s]  <= 1'b0;
        dead_q[s] <= 1'b0;
      end else begin
        if (forget_i) end_q[s] <= 1'b0;
        else if (begins) end_q[s] <= st_none;
        else if (beat && r_use && !n_next) end_q[s] <= 1'b1;
        else if (f2_done_i && f2_gnt[s]) end_q[s] <= 1'b0;

        if (begins) out_q[s] <= !st_none;
        else if (beat && !push_next) out_q[s] <= 1'b0;

        if (beat) dead_q[s] <= 1'b0;
        else if (forget_i) dead_q[s] <= out_q[s];
      end
    end

    always_ff @(posedge clk_i) begin
      if (open) begin
        hash_q[s*HashW+:HashW] <= st_hash_q;
        lane_q                 <= st_lane_i;
        idx_q                  <= st_num_i[IdxW-1:0];
      end
      if (open) root_q[s] <= st_root;
      if (open) own_q[s] <= 1'b1;
      else if (passed) own_q[s] <= 1'b0;
      if (open) level_q[s*3+:3] <= st_level_i;
      else if (beat && n_next) level_q[s*3+:3] <= n_level;
      if (open) aa_q[s] <= st_aa_i;
      else if (beat && r_level == 3'd5) aa_q[s] <= as_ctx.aa;
      if (open) begin
        r_q[s] <= st_r_i;
        w_q[s] <= st_w_i;
        half_q[s] <= st_addr_i[3];
      end else if (beat) begin
        r_q[s] <= n_r;
        w_q[s] <= n_w;
        half_q[s] <= n_addr[3];
      end
    end
  end

  // ---- reads: what the beats ask for goes first -------------------------------------------------------------------
  logic                st_valid, next_valid, pick_next, lock_q, lock_next_q;
  logic [45+SlotW:0]   st_ar, next_ar, ar;

  // First reads in the order of their starts, one a walk at most, so there is room while a slot is free. That one is
  // asked for is known last: it only moves the write pointer, and no level has to be counted.
  logic [SlotW:0] st_wptr_q, st_rptr_q;
  assign st_valid = st_wptr_q != st_rptr_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      st_wptr_q <= '0;
      st_rptr_q <= '0;
    end else begin
      if (start_i && !st_none) st_wptr_q <= st_wptr_q + (SlotW + 1)'(1);
      if (st_valid && ar_ready_i && !pick_next) st_rptr_q <= st_rptr_q + (SlotW + 1)'(1);
    end
  end

  cm_lutram #(
    .Width(46 + SlotW),
    .Depth(1 << SlotW)
  ) u_st_ar (
    .clk_i,
    .we_i(free_o),
    .waddr_i(st_wptr_q[SlotW-1:0]),
    .wdata_i({st_root, free_slot_o, st_addr_i}),
    .raddr_i(st_rptr_q[SlotW-1:0]),
    .rdata_o(st_ar)
  );

  cm_fifo #(
    .Width(46 + SlotW),
    .Depth(Walkers)
  ) u_next_ar (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(push_next),
    .in_ready_o(),
    .in_data_i({r_level == 3'd6, r_slot, n_addr}),
    .out_valid_o(next_valid),
    .out_ready_i(ar_ready_i && pick_next),
    .out_data_o(next_ar),
    .level_o()
  );

  assign pick_next  = lock_q ? lock_next_q : next_valid;
  assign ar         = pick_next ? next_ar : st_ar;
  assign ar_valid_o = st_valid || next_valid;
  assign ar_addr_o  = {16'd0, ar[44:0], 3'd0};
  assign ar_id_o    = 8'(ar[45+:SlotW]);
  assign ar_wide_o  = ar[45+SlotW];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) lock_q <= 1'b0;
    else lock_q <= ar_valid_o && !ar_ready_i;
    lock_next_q <= pick_next;
  end

  // ---- F1: choose an ended walk -----------------------------------------------------------------------------------
  localparam int unsigned WhoW = 4 + 8 + 16 + 52 + 16;

  logic             f2_valid_q;
  logic [SlotW-1:0] f1_slot, f2_slot_q;
  logic [15:0]      f1_known_did, f1_read_did;
  logic             f1_root;

  always_comb begin
    f1_root = 1'b0;
    for (int unsigned s = 0; s < Walkers; s++) begin
      f2_gnt[s] = f2_slot_q == SlotW'(s);
    end
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (f1_gnt[s]) f1_root = f1_root | root_q[s];
    end
  end
  // Never two in succession: a burst of fills would keep the slots that it frees from walking again.
  assign f1_valid_o = |end_q && !f2_valid_q;

  // In turns: with a fixed order the oldest walk, whose lane waits for it, could stand behind many.
  cm_rr_arb #(
    .N(Walkers)
  ) u_f1 (
    .clk_i,
    .rst_ni,
    .req_i(end_q),
    .advance_i(f1_take_i),
    .valid_o(),
    .gnt_o(f1_gnt),
    .idx_o(f1_slot)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) f2_valid_q <= 1'b0;
    else f2_valid_q <= f1_take_i;
    f2_slot_q <= f1_slot;
  end

  cm_lutram #(
    .Width(WhoW),
    .Depth(Walkers)
  ) u_who (
    .clk_i,
    .we_i(free_o),
    .waddr_i(free_slot_o),
    .wdata_i({st_lane_i, st_num_i, st_sid_i, st_iova_i, st_did_i}),
    .raddr_i(f1_slot),
    .rdata_o({f1_lane_o, f1_num_o, f1_sid_o, f1_iova_o, f1_known_did})
  );

  cm_lutram #(
    .Width(16),
    .Depth(Walkers)
  ) u_did (
    .clk_i,
    .we_i(ctx_we),
    .waddr_i(r_slot),
    .wdata_i(as_ctx.did),
    .raddr_i(f1_slot),
    .rdata_o(f1_read_did)
  );
  assign f1_did_o = f1_root ? f1_read_did : f1_known_did;

  // ---- F2: what it found ------------------------------------------------------------------------------------------
  logic [1:0] f2_began;
  logic       f2_known_aa, f2_known_fpd, f2_none, f2_intr;
  aa_pkg::known_t    n_known;
  aa_pkg::psc_t      n_psc;
  aa_pkg::walk_end_t n_end, f2_end;

  // Where it began: 0 root, 1 level 4, 2 level 2, 3 level 1.
  assign st_began = st_root ? 2'd0 : st_level_i == 3'd4 ? 2'd1 : st_level_i == 3'd2 ? 2'd2 : 2'd3;

  cm_lutram #(
    .Width(6),
    .Depth(Walkers)
  ) u_began (
    .clk_i,
    .we_i(free_o),
    .waddr_i(free_slot_o),
    .wdata_i({st_began, st_aa_i, st_fpd_i, st_none, st_intr_i}),
    .raddr_i(f2_slot_q),
    .rdata_o({f2_began, f2_known_aa, f2_known_fpd, f2_none, f2_intr})
  );

  always_comb begin
    n_known.frame          = as_ctx.frame;
    n_known.aa             = as_ctx.aa;
    n_known.nointr         = as_ctx.nointr;
    n_known.fpd            = as_ctx.fpd && !r_err_i;
    n_known.pass           = as_ctx.tt[1];
    n_psc.frame            = n_entry.frame;
    n_psc.r                = n_r;
    n_psc.w                = n_w;
    n_end.fault            = n_fault;
    n_end.bypass           = n_bypass;
    n_end.ctx_ok           = n_ctx_ok;
    n_end.leaf             = n_leaf;
    n_end.level            = r_level;
    n_end.data.frame       = n_entry.frame;
    n_end.data.rights.r    = n_r;
    n_end.data.rights.w    = n_w;
    n_end.data.rights.wl   = r_level == 3'd1 ? n_entry.ps : n_entry.wl;
    n_end.data.rights.rld  = n_entry.rld;
    n_end.data.rights.rl   = n_entry.rl;
    n_end.data.rights.wld  = n_entry.wld;
    n_end.data.rights.e    = n_entry.e;
    n_end.data.rights.iuid = n_entry.iuid;
  end

  cm_lutram #(
    .Width(aa_pkg::KnownW),
    .Depth(Walkers)
  ) u_ctx (
    .clk_i,
    .we_i(ctx_we),
    .waddr_i(r_slot),
    .wdata_i(n_known),
    .raddr_i(f2_slot_q),
    .rdata_o(f2_ctx_o)
  );

  cm_lutram #(
    .Width(aa_pkg::PscW),
    .Depth(Walkers)
  ) u_psc3 (
    .clk_i,
    .we_i(push_next && r_level == 3'd3),
    .waddr_i(r_slot),
    .wdata_i(n_psc),
    .raddr_i(f2_slot_q),
    .rdata_o(f2_psc3_o)
  );

  cm_lutram #(
    .Width(aa_pkg::PscW),
    .Depth(Walkers)
  ) u_psc2 (
    .clk_i,
    .we_i(push_next && r_level == 3'd2),
    .waddr_i(r_slot),
    .wdata_i(n_psc),
    .raddr_i(f2_slot_q),
    .rdata_o(f2_psc2_o)
  );

  cm_lutram #(
    .Width(aa_pkg::WalkEndW),
    .Depth(Walkers)
  ) u_end (
    .clk_i,
    .we_i(r_use && !n_next),
    .waddr_i(r_slot),
    .wdata_i(n_end),
    .raddr_i(f2_slot_q),
    .rdata_o(f2_end)
  );

  always_comb begin
    heir_slot_o = '0;
    for (int unsigned s = 0; s < Walkers; s++) if (heir[s]) heir_slot_o = heir_slot_o | SlotW'(s);
  end
  assign heir_o = Window > 1 && heir != '0;

  assign f2_valid_o     = f2_valid_q;
  assign f2_slot_o      = f2_slot_q;
  assign f2_own_o       = |(f2_gnt & own_q);
  assign f2_aa_o        = (f2_began == 2'd0 ? f2_ctx_o.aa : f2_known_aa) && aae_i;
  assign f2_fpd_o       = f2_began == 2'd0 ? f2_end.level != 3'd6 && f2_ctx_o.fpd : f2_known_fpd;
  assign f2_fault_o     = f2_none ? aa_pkg::FltWide : f2_end.fault;
  assign f2_bypass_o    = !f2_none && f2_end.bypass;
  assign f2_nointr_o    = f2_bypass_o && f2_intr && f2_end.ctx_ok && f2_ctx_o.nointr;
  assign f2_leaf_o      = !f2_none && f2_end.leaf;
  assign f2_data_o      = f2_end.data;
  assign f2_size_o      = f2_end.level[1:0];
  assign f2_ctx_fill_o  = f2_began == 2'd0 && (f2_end.ctx_ok || f2_end.level < 3'd5);
  assign f2_psc3_fill_o = !f2_none && !f2_began[1] && f2_end.level < 3'd3;
  assign f2_psc2_fill_o = !f2_none && f2_began != 2'd3 && f2_end.level == 3'd1;

`ifdef FORMAL
`include "aa_walk_props.svh"
`endif

endmodule

`default_nettype wire
