// SPDX-License-Identifier: Apache-2.0
// aa_xlt_sched: which request of which lane is looked up next, and what becomes of a look-up.
//
//   lane:  rd ..... xl ..... la ..... pa ..... wr     xl: the oldest not translated     la: looked up next
//                                                     pa: not yet looked up for the first time
//   C1: choose a lane, issue la  -->  C2: {lane, number} + hit, conflict  -->  pass, start a walk, or again later
//
// A look-up of request xl is a demand; one behind it is a probe, which only starts walks early. A demand that misses
// makes its lane wait for the slot that walks for its page (wait); without a free slot, or while another lane comes
// first, the lane needs a slot (need). Lanes in need take turns, and while one is in need nobody else starts a walk: so
// even one walker and one TLB entry bring every lane forward. A lane woken by another's walk that misses again (lost)
// counts as one in need. When a walk ends that translates request xl and the next one walks too (heir), the lane goes
// on waiting.
//
// P1  rd <= xl <= la <= pa <= wr; xl moves by one, when its request passes (hit) or its own walk ends (flag).
// P2  A lane that neither waits nor is in need has its demand in flight or to be issued next.
// P3  A lane waits only for a walk under way.
// P4  Under hold_i nothing is issued, passes or starts; after it every lane begins again at xl, after forget_i at rd.
// P5  A walk starts only in a free slot, and only for the lane whose turn it is if a lane is in need.
//
// Rate: one look-up a cycle, for one lane or many. Cost: 18 flip-flops and about 60 LUTs a lane.
// Rules of README.md: XLT-7, XLT-10, XLT-11, XLT-12, XLT-13.
`default_nettype none

module aa_xlt_sched #(
  parameter int unsigned NumLanes = 4,
  parameter int unsigned Window = 8,
  parameter int unsigned Walkers = 4,
  localparam int unsigned LaneW = NumLanes > 1 ? $clog2(NumLanes) : 1,
  localparam int unsigned IdxW = Window > 1 ? $clog2(Window) : 1,
  localparam int unsigned SlotW = Walkers > 1 ? $clog2(Walkers) : 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  hold_i,
  input  wire logic                  forget_i,

  // Lanes
  input  wire logic [NumLanes*8-1:0] wr_ptr_i,
  input  wire logic [NumLanes*8-1:0] rd_ptr_i,
  output logic      [NumLanes*8-1:0] lk_idx_o,
  output logic      [NumLanes*8-1:0] xl_ptr_o,

  // C1
  input  wire logic                  stall_i,       // the cycle belongs to somebody else
  output logic      [NumLanes-1:0]   issue_lane_o,  // one-hot or zero

  // C2: a look-up
  output logic      [LaneW-1:0]      lane_o,
  output logic      [7:0]            num_o,
  input  wire logic                  hit_sure_i,    // it hits without the TLBs,
  input  wire logic                  hit_may_i,     // or with them,
  input  wire logic                  hit_tlb_i,     // and one of them has it: known late, so it comes last below
  input  wire logic                  conf_i,
  input  wire logic [SlotW-1:0]      conf_slot_i,
  input  wire logic                  free_i,
  input  wire logic                  free_more_i,
  input  wire logic [SlotW-1:0]      free_slot_i,
  output logic                       may_pass_o,    // pass_o but for the hit: the look-up is of request xl
  output logic                       pass_o,        // request xl is translated by a hit
  output logic                       start_o,       // a walk begins, in free_slot_i

  // C2: a fill
  input  wire logic                  fill_coming_i, // a fill is in C1 or C2: a slot gets free
  input  wire logic                  fill_i,
  input  wire logic [SlotW-1:0]      fill_slot_i,
  input  wire logic [3:0]            fill_lane_i,
  input  wire logic [IdxW-1:0]       fill_idx_i,
  input  wire logic                  fill_own_i,
  input  wire logic                  heir_i,        // the request after it has a walk of its own under way,
  input  wire logic [SlotW-1:0]      heir_slot_i,   // here
  output logic                       may_flag_o,    // flag_o but for fill_i
  output logic                       flag_o         // it also translates request xl of its lane
);

  if (Window < 1 || Window > 128 || (Window & (Window - 1)) != 0) begin : gen_bad_window
    $error("aa_xlt_sched: Window must be 1, 2, 4 ... 128");
  end
  if (NumLanes < 1 || NumLanes > 16) begin : gen_bad_num_lanes $error("aa_xlt_sched: NumLanes must be 1 to 16"); end

  localparam int unsigned PtrW = $clog2(Window) + 1;

  logic [NumLanes*8-1:0]    xl_q;
  logic [NumLanes*PtrW-1:0] la_q, pa_q;
  logic [NumLanes*SlotW-1:0] wslot_q;
  logic [NumLanes-1:0]      wait_q, need_q, lost_q, can, gnt, issue, turn, turn_d, turn_q, fill_at, flag, c2_lane_q;
  logic                     c2_q, any_need, fresh_q, avail_q, any_can, issue_any, look, demand;
  logic [PtrW-1:0]          num_q, c2_la;
  logic [7:0]               c2_xl;
  logic                     walk_ok, fail, waits;
  logic [1:0]               hits, misses;  // the look-up does; [1]: as hit_tlb_i says
  logic [NumLanes-1:0]      o_fail_q, o_wait_q;
  logic                     o_demand_q, o_conf_q;
  logic [PtrW-1:0]          o_num_q;
  logic [SlotW-1:0]         o_slot_q;
  logic [LaneW-1:0]         issue_idx, lane_q;

  // ---- C1 ---------------------------------------------------------------------------------------------------------
  assign any_need = |need_q;
  // A probe is worth a cycle only if it can start a walk: two free slots, or one that no look-up in C2 can take. What
  // was true a cycle ago is good enough, since a look-up that finds no slot is only done again.
  always_ff @(posedge clk_i) begin
    avail_q <= free_i || fill_coming_i;
    fresh_q <= (free_more_i || (free_i && (fill_coming_i || !c2_q)) || (fill_coming_i && !c2_q)) && !any_need;
    turn_q  <= turn_d;
  end
  assign turn = turn_q & need_q;

  cm_rr_arb #(
    .N(NumLanes)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .req_i(can),
    .advance_i(issue_any),
    .valid_o(any_can),
    .gnt_o(gnt),
    .idx_o(issue_idx)
  );
  assign issue_any = any_can && !stall_i && !hold_i;
  assign issue        = gnt & {NumLanes{!stall_i && !hold_i}};
  assign issue_lane_o = issue;

  // A turn ends when its lane is no more in need; the next one goes on from there.
  cm_rr_arb #(
    .N(NumLanes)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .req_i(need_q),
    .advance_i(1'b0),
    .valid_o(),
    .gnt_o(turn_d),
    .idx_o()
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) c2_q <= 1'b0;
    else c2_q <= issue_any;
    c2_lane_q <= issue_lane_o;
    lane_q    <= issue_idx;
  end

  // ---- C2 ---------------------------------------------------------------------------------------------------------
  always_comb begin
    c2_la = '0;
    c2_xl = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (c2_lane_q[l]) begin
        c2_la = c2_la | la_q[l*PtrW+:PtrW];
        c2_xl = c2_xl | xl_q[l*8+:8];
      end
    end
  end

  // la has moved elsewhere since, or is about to: the look-up is of no use. la = xl: a fill has translated its request.
  assign look    = c2_q && !hold_i && c2_la == num_q + PtrW'(1) && c2_la != c2_xl[PtrW-1:0] &&
                   (c2_lane_q & o_fail_q) == '0;
  assign demand  = num_q == c2_xl[PtrW-1:0];
  assign lane_o  = lane_q;
  assign num_o   = c2_xl + 8'(PtrW'(num_q - c2_xl[PtrW-1:0]));
  assign walk_ok = free_i && (!any_need || (demand && (turn & c2_lane_q) != '0));
  assign hits    = {2{look}} & {hit_may_i, hit_sure_i};
  assign misses  = {2{look && !hit_sure_i}} & {hit_may_i, !hit_may_i};
  assign pass_o  = (hits[0] && demand) || (hits[1] && demand && hit_tlb_i);
  assign start_o = (misses[0] && !conf_i && walk_ok) || (misses[1] && !conf_i && walk_ok && !hit_tlb_i);
  assign fail    = (misses[0] && !conf_i && !walk_ok) || (misses[1] && !conf_i && !walk_ok && !hit_tlb_i);
  assign waits   = (misses[0] && demand && (conf_i || walk_ok)) ||
                   (misses[1] && demand && (conf_i || walk_ok) && !hit_tlb_i);
  assign flag_o  = |flag;
  assign may_pass_o = c2_q && demand;
  assign may_flag_o = fill_own_i && |fill_at;

  // What a miss does to its lane is done one cycle later (C3), which keeps the compare of the TLBs out of the lanes.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      o_fail_q <= '0;
      o_wait_q <= '0;
    end else begin
      o_fail_q <= c2_lane_q & {NumLanes{fail}};
      o_wait_q <= c2_lane_q & {NumLanes{waits}};
    end
    o_demand_q <= demand;
    o_conf_q   <= conf_i;
    o_num_q    <= num_q;
    o_slot_q   <= conf_i ? conf_slot_i : free_slot_i;
  end

  // ---- lanes ------------------------------------------------------------------------------------------------------
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    logic [7:0]       xl, xl_next;
    logic [PtrW-1:0]  la, la_next, pa, la_d, pa_d;
    logic [SlotW-1:0] wslot;
    logic             passes, wakes;

    assign xl = xl_q[l*8+:8];
    assign la = la_q[l*PtrW+:PtrW];
    assign pa = pa_q[l*PtrW+:PtrW];
    assign wslot = wslot_q[l*SlotW+:SlotW];
    assign xl_next = xl + 8'd1;
    assign la_next = la + PtrW'(1);
    assign xl_ptr_o[l*8+:8] = xl;
    assign lk_idx_o[l*8+:8] = xl + 8'(PtrW'(la - xl[PtrW-1:0]));

    assign can[l] = la != wr_ptr_i[l*8+:PtrW] &&
        (wait_q[l] ? fresh_q : !need_q[l] || (turn_q[l] && avail_q));

    assign passes     = c2_lane_q[l] && pass_o;
    assign fill_at[l] = fill_lane_i == 4'(l) && fill_idx_i == xl[IdxW-1:0];
    assign flag[l]    = fill_i && fill_own_i && fill_at[l];
    assign wakes      = fill_i && ((wait_q[l] && wslot == fill_slot_i) || (o_wait_q[l] && o_slot_q == fill_slot_i));

    always_comb begin
      la_d = issue[l] ? la_next : la;
      pa_d = issue[l] && la == pa ? la_next : pa;
      if (flag[l]) begin
        la_d = !heir_i || la == xl[PtrW-1:0] ? xl_next[PtrW-1:0] : issue[l] ? la_next : la;
        pa_d = pa == xl[PtrW-1:0] ? xl_next[PtrW-1:0] : heir_i && issue[l] && la == pa ? la_next : pa;
      end else if (hold_i || wakes) begin
        la_d = xl[PtrW-1:0];
        pa_d = pa;
      end else if (o_fail_q[l]) begin
        la_d = o_num_q;
        pa_d = o_demand_q ? pa : o_num_q;
      end else if (o_wait_q[l] && la != pa) begin
        la_d = pa;
        pa_d = pa;
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        xl_q[l*8+:8]       <= '0;
        la_q[l*PtrW+:PtrW] <= '0;
        pa_q[l*PtrW+:PtrW] <= '0;
        wait_q[l]          <= 1'b0;
        need_q[l]          <= 1'b0;
        lost_q[l]          <= 1'b0;
      end else begin
        if (forget_i) xl_q[l*8+:8] <= rd_ptr_i[l*8+:8];
        else if (passes || flag[l]) xl_q[l*8+:8] <= xl_next;
        la_q[l*PtrW+:PtrW] <= forget_i ? rd_ptr_i[l*8+:PtrW] : la_d;
        pa_q[l*PtrW+:PtrW] <= forget_i ? rd_ptr_i[l*8+:PtrW] : pa_d;

        if (flag[l]) wait_q[l] <= heir_i;
        else if (hold_i || wakes) wait_q[l] <= 1'b0;
        else if (o_wait_q[l]) wait_q[l] <= 1'b1;

        if (hold_i || passes || flag[l]) need_q[l] <= 1'b0;
        else if (o_wait_q[l]) need_q[l] <= o_conf_q && (need_q[l] || lost_q[l]);
        else if (o_fail_q[l] && o_demand_q) need_q[l] <= 1'b1;

        if (hold_i || passes || flag[l]) lost_q[l] <= 1'b0;
        else if (wakes) lost_q[l] <= 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (flag[l]) wslot_q[l*SlotW+:SlotW] <= heir_slot_i;
      else if (o_wait_q[l]) wslot_q[l*SlotW+:SlotW] <= o_slot_q;
    end
  end

  always_ff @(posedge clk_i) begin
    num_q <= '0;
    for (int unsigned l = 0; l < NumLanes; l++) if (issue_lane_o[l]) num_q <= la_q[l*PtrW+:PtrW];
  end

`ifdef FORMAL
`include "aa_xlt_sched_props.svh"
`endif

endmodule

`default_nettype wire
