// SPDX-License-Identifier: Apache-2.0
// nic_rate: how fast each queue pair may send, after what its peers' CNPs say (ECN-5, ECN-6, ECN-7, ECN-8, ECN-10).
//
//   cnp --> [ had: a bit a QP ] -------------------------------v
//   state [NumQps] --look--> | as it is | --> | steps | --> | if cut, if not | --visit--> state, bucket [NumQps],
//                                                                                |        RetRate
//   sent (bytes) ------------------------------------------------> bucket --------+--> held_o, slow_o, wake_o (nic_req)
//
// P1  Every 1024 cycles each QP is visited once, in order. What a visit makes of RATE, TARGET, ALPHA, stage, counts and
//     SLOW is what ECN-7 says; nothing else changes them but forget_i and clear_i, after which the QP is not slow.
// P2  A CNP is followed by a cut at the QP's next visit, which may be in its cycle, unless it is forgotten; there is no
//     cut without one.
// P3  held_o: the bucket of a slow QP holds less than nothing. wake_o in the first cycle in which it does not any more.
//     What a packet takes, kept first since it is told late, counts from the second cycle behind sent_valid_i on, if
//     its QP is slow in both before.
// P4  ret_o is given with each visit that cuts, calms or raises, in its cycle; what the bus reads is the state before
//     it, of the QP that was addressed in the cycle before.
//
// QPs are looked at three cycles before they are visited, one a cycle; what a cut would make of one and what none
// would, both are there when it is known whether it has had a CNP. A visit waits for a packet that takes from a bucket
// in its cycle; forget_i and clear_i let all that were looked at be looked at again.
// Packets come every other cycle at most: a sweep takes 2 x NumQps of the 1024 cycles at most, and a few.
// Cost: 653 LUT4, 365 flip-flops, 28 LUT RAMs of 16 x 4, one multiplier; 9 levels (Yosys 0.23, synth_ecp5 -nowidelut
// -abc9, 16 QPs).
// Rules of README.md: TIM-9.
`default_nettype none

module nic_rate #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire nic_pkg::rate_cfg_t  cfg_i,
  input  wire logic                forget_i,       // cfg_i is being written

  // Register bus: QP_RATE
  input  wire cm_pkg::reg_bus_t    rb_i,
  output logic      [63:0]         rb_rdata_o,

  input  wire logic                cnp_valid_i,    // RetFrame with FrCnp
  input  wire logic [7:0]          cnp_qp_i,
  input  wire logic                clear_valid_i,  // a QP is turned on or off
  input  wire logic [7:0]          clear_qp_i,

  // Requester: a packet has been decided on; which QPs may have none
  input  wire logic                sent_valid_i,
  input  wire logic [7:0]          sent_qp_i,
  input  wire logic [12:0]         sent_bytes_i,
  output logic      [NumQps-1:0]   slow_o,
  output logic      [NumQps-1:0]   held_o,
  output logic      [NumQps-1:0]   wake_o,

  output logic                     ret_valid_o,
  output nic_pkg::retire_t         ret_o
);

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_rate: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);
  localparam int unsigned BeatW = $clog2(nic_pkg::BeatBytes);
  // bytes in a bucket, signed: 1024 beats of 64, or a packet less than nothing
  localparam int unsigned RoomW = 18;
  localparam logic [12:0] Headers = 13'd64;      // what a packet takes beside its payload
  localparam logic [9:0]  AlphaFull = 10'd1023;

  typedef struct packed {
    logic [10:0] rate;
    logic [10:0] target;
    logic [9:0]  alpha;
    logic [4:0]  stage;
    logic [7:0]  calm;   // visits since ALPHA fell
    logic [7:0]  raise;  // visits since the last raise
  } state_t;
  localparam int unsigned StateW = 2 * 11 + 10 + 5 + 2 * 8;

  logic [StateW-1:0]   mem_q [NumQps];  // of state_t; Yosys drops an array of structs without a word
  logic [RoomW-1:0]    room_q [NumQps];
  logic [NumQps-1:0]   slow_q, held_q, was_held_q, had_q;

  // One bit a QP.
  function automatic logic [NumQps-1:0] bit_of(input logic valid, input logic [7:0] qp);
    for (int unsigned i = 0; i < NumQps; i++) bit_of[i] = valid && qp == 8'(i);
  endfunction

  // ---- the walk ----
  logic [9:0]      cycle_q;
  logic            active_q, v1_q, v2_q, v3_q, moves, go, again;
  logic [IdxW:0]   look_q;  // who is looked at; NumQps: all have been
  logic [IdxW-1:0] walk_q;  // who is visited next
  logic [IdxW-1:0] sent_at_q;
  logic            takes, sent_q;  // takes: from a bucket
  logic [12:0]     sent_cost_q;

  always_ff @(posedge clk_i) begin
    sent_q       <= rst_ni && sent_valid_i && slow_q[sent_qp_i[IdxW-1:0]];
    sent_at_q    <= sent_qp_i[IdxW-1:0];
    sent_cost_q  <= sent_bytes_i + Headers;
  end
  assign takes = sent_q;  // what is in the bucket of one that is not slow any more means nothing
  assign again   = forget_i || clear_valid_i;
  assign go      = v3_q && !again && !takes;
  assign moves   = !v3_q || go;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q  <= '0;
      active_q <= 1'b0;
      walk_q   <= '0;
      look_q   <= '0;
      {v1_q, v2_q, v3_q} <= '0;
    end else begin
      cycle_q <= cycle_q + 10'd1;
      if (cycle_q == '0) active_q <= 1'b1;
      else if (go && 32'(walk_q) == NumQps - 1) active_q <= 1'b0;
      if (go) walk_q <= 32'(walk_q) == NumQps - 1 ? '0 : walk_q + IdxW'(1);
      if (again || !active_q || (go && 32'(walk_q) == NumQps - 1)) begin
        {v1_q, v2_q, v3_q} <= '0;
        look_q             <= go ? '0 : (IdxW+1)'(walk_q);
      end else if (moves) begin
        {v1_q, v2_q, v3_q} <= {32'(look_q) < NumQps, v1_q, v2_q};
        if (32'(look_q) < NumQps) look_q <= look_q + (IdxW+1)'(1);
      end
    end
  end

  // ---- look ----
  state_t was, st1_q, st2_q, cut3_q, on3_q;
  logic   slow0, slow1_q, slow2_q, slow3_q;
  assign slow0 = slow_q[look_q[IdxW-1:0]];
  always_comb begin
    was = mem_q[look_q[IdxW-1:0]];
    if (!slow0) begin
      was        = '0;
      was.rate   = cfg_i.full;
      was.target = cfg_i.full;
      was.alpha  = AlphaFull;
    end
  end
  always_ff @(posedge clk_i) begin
    if (moves) begin
      st1_q   <= was;
      slow1_q <= slow0;
    end
  end

  // ---- steps: what a cut takes, where a raise aims, how far ALPHA goes ----
  logic [9:0]  less2_q, more2_q, fall2_q;
  logic [10:0] step, target2_q;
  logic [11:0] sum, over2_q;  // how far RATE is above MIN
  logic        calms2_q, raises2_q;

  assign step = 6'(st1_q.stage) < 6'(cfg_i.fast) ? 11'd0 : 6'(st1_q.stage) < {1'b0, cfg_i.fast, 1'b0} ? cfg_i.add :
                cfg_i.hyper;
  assign sum  = 12'(st1_q.target) + 12'(step);
  always_ff @(posedge clk_i) begin
    if (moves) begin
      st2_q     <= st1_q;
      slow2_q   <= slow1_q;
      less2_q   <= 10'((21'(st1_q.rate) * 21'(st1_q.alpha)) >> 11);
      over2_q   <= 12'(st1_q.rate) - 12'(cfg_i.least);
      more2_q   <= (AlphaFull - st1_q.alpha) >> cfg_i.g;
      fall2_q   <= st1_q.alpha >> cfg_i.g;
      target2_q <= sum > 12'(cfg_i.full) ? cfg_i.full : sum[10:0];
      calms2_q  <= slow1_q && 9'(st1_q.calm) + 9'd1 >= 9'(cfg_i.calm);
      raises2_q <= slow1_q && 9'(st1_q.raise) + 9'd1 >= 9'(cfg_i.raise);
    end
  end

  // ---- both outcomes ----
  logic [10:0] cut;
  state_t      if_cut, if_not;
  logic        calms3_q, raises3_q;
  assign cut = st2_q.rate - {1'b0, less2_q};
  always_comb begin
    if_cut        = '0;
    if_cut.target = st2_q.rate;
    if_cut.rate   = over2_q[11] || 11'(less2_q) > over2_q[10:0] ? cfg_i.least : cut;
    if_cut.alpha  = st2_q.alpha + more2_q;
    if_not        = st2_q;
    if_not.calm   = calms2_q ? '0 : st2_q.calm + 8'd1;
    if_not.raise  = raises2_q ? '0 : st2_q.raise + 8'd1;
    if (calms2_q) if_not.alpha = st2_q.alpha - fall2_q;
    if (raises2_q) begin
      if_not.target = target2_q;
      if_not.rate   = 11'((12'(st2_q.rate) + 12'(target2_q) + 12'd1) >> 1);
      if_not.stage  = st2_q.stage == '1 ? '1 : st2_q.stage + 5'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (moves) begin
      cut3_q    <= if_cut;
      on3_q     <= if_not;
      slow3_q   <= slow2_q;
      calms3_q  <= calms2_q;
      raises3_q <= raises2_q;
    end
  end

  // ---- visit ----
  state_t st_d;
  logic   had, calms, raises, slow_d;
  assign had    = had_q[walk_q] || (cnp_valid_i && cfg_i.full != '0 && cnp_qp_i == 8'(walk_q));
  assign calms  = !had && calms3_q;
  assign raises = !had && raises3_q;
  assign st_d   = had ? cut3_q : on3_q;
  assign slow_d = had ? cut3_q.rate < cfg_i.full : slow3_q && on3_q.rate < cfg_i.full;

  always_ff @(posedge clk_i) if (go) mem_q[walk_q] <= st_d;

  // ---- buckets: a packet takes, a visit puts ----
  // The bucket after either outcome; which it is, is known last.
  logic [RoomW-1:0] room, taken, put_cut, put_on, put, left;
  function automatic logic [RoomW-1:0] filled(input logic [RoomW-1:0] old, input logic [10:0] rate);
    filled = (RoomW'(rate) << BeatW) + (old[RoomW-1] ? old : '0);
  endfunction
  assign room    = room_q[walk_q];
  assign put_cut = filled(room, cut3_q.rate);
  assign put_on  = filled(room, on3_q.rate);
  assign put     = !slow3_q ? '0 : had ? put_cut : put_on;
  assign taken = room_q[sent_at_q] - RoomW'(sent_cost_q);
  assign left  = takes ? taken : put;
  always_ff @(posedge clk_i) if (takes || go) room_q[takes ? sent_at_q : walk_q] <= left;

  // ---- a bit a QP ----
  logic [NumQps-1:0] clear, visit, some;
  logic              holds;
  assign clear = bit_of(clear_valid_i, clear_qp_i) | {NumQps{forget_i}};
  assign visit = bit_of(go, 8'(walk_q));
  assign some  = bit_of(takes, 8'(sent_at_q)) & slow_q;
  assign holds = left[RoomW-1];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slow_q <= '0;
      held_q <= '0;
      was_held_q <= '0;
      had_q  <= '0;
    end else begin
      slow_q <= ((slow_q & ~visit) | (visit & {NumQps{slow_d}})) & ~clear;
      held_q <= ((held_q & ~visit & ~some) | (visit & {NumQps{slow_d && holds}}) | (some & {NumQps{holds}})) & ~clear;
      was_held_q <= held_q;
      had_q  <= (had_q | bit_of(cnp_valid_i && cfg_i.full != '0, cnp_qp_i)) & ~visit & ~clear;
    end
  end
  assign slow_o = slow_q;
  assign held_o = held_q;
  assign wake_o = was_held_q & ~held_q;

  // ---- what is told of it ----
  // QP_RATE of the queue pair that is visited, of the one that is on the bus, and of any that is not slow.
  nic_reg_pkg::qp_rate_t at_visit, at_bus, at_full;
  state_t                bus_st;
  always_comb begin
    {at_visit, at_bus, at_full} = '0;
    at_full.ALPHA   = AlphaFull;
    at_full.TARGET  = cfg_i.full;
    at_full.RATE    = cfg_i.full;
    at_visit.SLOW   = 1'b1;
    at_visit.ALPHA  = st_d.alpha;
    at_visit.TARGET = st_d.target;
    at_visit.RATE   = st_d.rate;
    at_bus.SLOW     = 1'b1;
    at_bus.ALPHA    = bus_st.alpha;
    at_bus.TARGET   = bus_st.target;
    at_bus.RATE     = bus_st.rate;
  end

  assign ret_valid_o = go && (had || calms3_q || raises3_q);
  always_comb begin
    ret_o      = '0;
    ret_o.kind = nic_pkg::RetRate;
    ret_o.flag = !slow_d;
    ret_o.code = had ? nic_pkg::RtCut : !raises ? nic_pkg::RtCalm : !calms ? nic_pkg::RtRaised : nic_pkg::RtBoth;
    ret_o.idx  = 8'(walk_q);
    ret_o.a    = slow_d ? at_visit : at_full;
  end

  // The address is decoded a cycle before.
  logic            mine_q;
  logic [7:0]      rb_qp;
  logic [IdxW-1:0] rb_at_q;
  logic            unused;  // stage and counts are not shown
  assign rb_qp = nic_reg_pkg::idx_QP_RATE(rb_i.addr);
  always_ff @(posedge clk_i) begin
    mine_q  <= nic_reg_pkg::at_QP_RATE(rb_i.addr) && 32'(rb_qp) < NumQps;
    rb_at_q <= rb_qp[IdxW-1:0];
  end
  assign bus_st     = mem_q[rb_at_q];
  assign unused     = ^{bus_st, rb_i.we, rb_i.wdata, rb_i.wstrb};
  assign rb_rdata_o = !mine_q ? '0 : slow_q[rb_at_q] ? at_bus : at_full;

`ifdef FORMAL
`include "nic_rate_props.svh"
`endif

endmodule

`default_nettype wire
