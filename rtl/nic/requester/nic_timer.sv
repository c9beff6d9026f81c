// SPDX-License-Identifier: Apache-2.0
// nic_timer: one alarm for each queue pair: no progress (cycles), or the end of an RNR wait (units of 10 us).
//
//   set {qp, kind, code} --> [ NumQps x {rnr, when} ] --one a cycle, round and round--> due? --> fire {qp, rnr}
//                                                              now: cycles, units of NIC_TICK
//
// P1  An alarm set in cycle n for 2^code cycles fires not before n + 2^code and, if nothing holds fire_ready_i, at most
//     2 x NumQps + 4 cycles later.
// P2  An RNR alarm fires not before as many whole units have passed as its code says (docs/formats.md 4.5) and, as in
//     P1, at most a unit and 2 x NumQps + 4 cycles later.
// P3  Setting again replaces the alarm, SetOff and SetCycles with code 0 forget it; an alarm that waits at fire_o is
//     withdrawn by that too, and an alarm fires once.
// P4  fire_o does not change while it waits, but for P3.
//
// The walk stands still at an alarm that is due while another waits, so that none is passed over. set is always taken.
// Cost: RAM of NumQps x 49 bits, 3 x NumQps LUT (armed), two counters.
// Rules of README.md: REQ-12, REQ-13, TIM-1, TIM-2, TIM-10, TIM-12.
`default_nettype none

module nic_timer #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  input  wire logic [31:0] cfg_tick_i,   // cycles of a unit; 0 and 1: each cycle is one

  // Set: kind 0 off, 1 cycles: 2^code (0: never), 2 RNR: AETH timer code
  input  wire logic        set_valid_i,
  input  wire logic [7:0]  set_qp_i,
  input  wire logic [1:0]  set_kind_i,
  input  wire logic [4:0]  set_code_i,

  // Fire
  output logic             fire_valid_o,
  input  wire logic        fire_ready_i,
  output logic      [7:0]  fire_qp_o,
  output logic             fire_rnr_o
);

  localparam logic [1:0] SetCycles = 2'd1;
  localparam logic [1:0] SetRnr = 2'd2;

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_timer: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);
  // Alarms are at most 2^31 cycles ahead. While one waits at fire_o for what is not known to come, a link that is down,
  // others fall behind: by less than 2^47 cycles or units.
  localparam int unsigned WhenW = 48;

  logic [WhenW:0]    mem_q [NumQps];
  logic [WhenW:0]    rdata_q;
  logic [NumQps-1:0] armed_q;
  logic [WhenW-1:0]  cycle_q, unit_q, when, due, word_when;
  logic [31:0]       sub_q;
  logic [16:0]       units;
  logic [IdxW-1:0]   walk_q, seen_q, set_idx;
  logic              seen_valid_q, re, word_rnr, arm, fire_q, fire_rnr_q, lapse, ripe, hit, hold;
  logic [IdxW-1:0]   fire_idx_q;

  assign set_idx = set_qp_i[IdxW-1:0];
  assign arm     = set_valid_i && ((set_kind_i == SetCycles && set_code_i != '0) || set_kind_i == SetRnr);

  // formats 4.5: code 0 is 65536 units, 2k is 2^k, 2k+1 is 3 * 2^(k-1), 1 is 1. One more, since a unit has begun
  // already.
  always_comb begin
    if (set_code_i == 5'd0) units = 17'd65536;
    else if (set_code_i == 5'd1) units = 17'd1;
    else if (set_code_i[0]) units = 17'd3 << (set_code_i[4:1] - 4'd1);
    else units = 17'd1 << set_code_i[4:1];
  end
  assign when = set_kind_i == SetRnr ? unit_q + WhenW'(units) + WhenW'(1) : cycle_q + (WhenW'(1) << set_code_i);

  // The walk: address, then the word and whether its time has come. What is set under way is looked at in the next
  // round.
  assign hit  = set_valid_i && set_idx == seen_q;
  assign hold = seen_valid_q && !hit && ripe && fire_q;
  assign re   = !hold && !(set_valid_i && set_idx == walk_q);
  assign {word_rnr, word_when} = rdata_q;
  assign due   = (word_rnr ? unit_q : cycle_q) - word_when;
  assign ripe  = armed_q[seen_q] && !due[WhenW-1];
  assign lapse = seen_valid_q && !hit && ripe && !fire_q;

  assign fire_valid_o = fire_q;
  assign fire_qp_o    = 8'(fire_idx_q);
  assign fire_rnr_o   = fire_rnr_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q      <= '0;
      sub_q        <= '0;
      unit_q       <= '0;
      walk_q       <= '0;
      seen_valid_q <= 1'b0;
      fire_q       <= 1'b0;
      armed_q      <= '0;
    end else begin
      cycle_q      <= cycle_q + WhenW'(1);
      sub_q        <= sub_q + 32'd1 >= cfg_tick_i ? 32'd0 : sub_q + 32'd1;
      if (sub_q + 32'd1 >= cfg_tick_i) unit_q <= unit_q + WhenW'(1);
      if (!hold) begin
        walk_q       <= 32'(walk_q) == NumQps - 1 ? '0 : walk_q + IdxW'(1);
        seen_valid_q <= re;
      end
      if (lapse) begin
        fire_q          <= 1'b1;
        armed_q[seen_q] <= 1'b0;
      end else if (fire_q && (fire_ready_i || (set_valid_i && set_idx == fire_idx_q))) fire_q <= 1'b0;
      if (set_valid_i) armed_q[set_idx] <= arm;
    end
  end

  always_ff @(posedge clk_i) if (arm) mem_q[set_idx] <= {set_kind_i == SetRnr, when};

  // re excludes a collision.
  always_ff @(posedge clk_i) if (re) rdata_q <= mem_q[walk_q];

  always_ff @(posedge clk_i) begin
    if (re) seen_q <= walk_q;
    if (lapse) begin
      fire_idx_q <= seen_q;
      fire_rnr_q <= word_rnr;
    end
  end

`ifdef FORMAL
`include "nic_timer_props.svh"
`endif

endmodule

`default_nettype wire
