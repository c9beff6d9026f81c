// SPDX-License-Identifier: Apache-2.0
// nic_rd_tags: which tags are free, whose they are, and which of them have waited too long.
//
//   [ queue of free tags ] --grant--> taken --sent--> live --end--> queue
//                                                      |
//       end with bad, or time-out --> dead --free_i--> back --one a cycle--> queue
//
// P1  tag_o is free, and while tag_valid_o waits it stays. A free tag is offered when those that were free before it
//     have gone. After a reset and after free_i a tag comes back in one of the next ReadTags cycles in which none ends
//     well.
// P2  A tag is live from the cycle after its request has left to the cycle in which it ends.
// P3  expire_o (a pulse) names a tag that is live and has been for cfg_tmo_i cycles at least and cfg_tmo_i + ReadTags +
//     1 at most (if that stays as it is); not in the cycle in which it ends; never with cfg_tmo_i = 0. over_o: the
//     same, perhaps in the cycle in which it ends as well, for who knows that by himself.
// P4  A dead tag is not given out before free_i.
// P5  busy_o: a tag of slot slot_i has been granted and not ended.
//
// One comparator goes round: the time of the request is in LUT RAM. Ages have a bit more than cfg_tmo_i, so that the
// longest time is not over before the comparator comes by again. Cost: README.md, as that of nic_rd.
// Rules of README.md: MEM-5, TIM-7.
`default_nettype none

module nic_rd_tags #(
  parameter int unsigned ReadTags = 16,
  parameter int unsigned Slots = 16,
  parameter int unsigned W = 32,  // of cfg_tmo_i; less only for proof and test
  localparam int unsigned TagW = $clog2(ReadTags),
  localparam int unsigned SlotW = $clog2(Slots)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [W-1:0]        cfg_tmo_i,
  input  wire logic                free_i,

  // Grant
  output logic                     tag_valid_o,
  output logic      [TagW-1:0]     tag_o,
  input  wire logic                grant_i,
  input  wire logic [SlotW-1:0]    grant_slot_i,

  // The request has left
  input  wire logic                sent_i,
  input  wire logic [TagW-1:0]     sent_tag_i,

  // The tag ends
  input  wire logic                end_i,
  input  wire logic                end_bad_i,  // given up: not to be used before free_i
  input  wire logic [TagW-1:0]     end_tag_i,
  output logic                     expire_o,
  output logic      [TagW-1:0]     expire_tag_o,
  output logic                     over_o,

  // Whose
  output logic      [ReadTags-1:0] live_o,
  input  wire logic [TagW-1:0]     look_tag_i,
  output logic      [SlotW-1:0]    look_slot_o,
  output logic      [SlotW-1:0]    expire_slot_o,
  input  wire logic [SlotW-1:0]    slot_i,
  output logic                     busy_o
);

  if (ReadTags < 2 || ReadTags > 256 || (ReadTags & (ReadTags - 1)) != 0) begin : gen_bad_read_tags
    $error("nic_rd_tags: ReadTags must be 2, 4 ... 256");
  end
  if (W <= TagW) begin : gen_bad_w $error("nic_rd_tags: 2^W must be more than ReadTags"); end

  logic [ReadTags-1:0] used_q, live_q, dead_q, back_q, mine;  // back: it was given up, and may be used again
  logic [SlotW-1:0]    slot_q [ReadTags];

  // ---- free tags: what has ended goes first, what comes back when nothing has ----
  logic [TagW-1:0] free_q [ReadTags];
  logic [TagW-1:0] head_q, tail_q, back_at_q, put_tag;
  logic [TagW:0]   level_q;
  logic            ended, back, put;
  assign ended       = end_i && !end_bad_i;
  assign back        = back_q[back_at_q] && !ended;
  assign put         = ended || back;
  assign put_tag     = ended ? end_tag_i : back_at_q;
  assign tag_valid_o = level_q != '0;
  assign tag_o       = free_q[head_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      level_q   <= '0;
      back_at_q <= '0;
    end else begin
      if (grant_i) head_q <= head_q + TagW'(1);
      if (put) tail_q <= tail_q + TagW'(1);
      if (put != grant_i) level_q <= put ? level_q + (TagW + 1)'(1) : level_q - (TagW + 1)'(1);
      if (back || !back_q[back_at_q]) back_at_q <= back_at_q + TagW'(1);
    end
  end
  always_ff @(posedge clk_i) if (put) free_q[tail_q] <= put_tag;

  // ---- time: a tag a cycle; compared in the next, given up in the one after, if it is live still ----
  // That is followed: to look for it among all tags takes too long.
  logic [W:0]      now_q, start, age_q;
  logic [TagW-1:0] scan_q, look_q, late_tag_q;
  logic            look_live_q, late_q, scan_over, look_over;  // over: its tag ends in this cycle

  cm_lutram #(
    .Width(W + 1),
    .Depth(ReadTags)
  ) u_start (
    .clk_i,
    .we_i(sent_i),
    .waddr_i(sent_tag_i),
    .wdata_i(now_q),
    .raddr_i(scan_q),
    .rdata_o(start)
  );

  assign expire_tag_o = late_tag_q;
  assign over_o       = late_q && cfg_tmo_i != '0;
  assign expire_o     = over_o && !(end_i && end_tag_i == late_tag_q);
  assign scan_over    = (end_i && end_tag_i == scan_q) || (expire_o && late_tag_q == scan_q);
  assign look_over    = end_i && end_tag_i == look_q;  // not late_tag_q, the one before

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q       <= '0;
      scan_q      <= '0;
      look_live_q <= 1'b0;
      late_q      <= 1'b0;
    end else begin
      now_q       <= now_q + (W + 1)'(1);
      scan_q      <= scan_q + TagW'(1);
      look_live_q <= live_q[scan_q] && !scan_over;
      late_q      <= look_live_q && !look_over && age_q >= {1'b0, cfg_tmo_i};
    end
  end
  always_ff @(posedge clk_i) begin
    age_q      <= now_q - start;
    look_q     <= scan_q;
    late_tag_q <= look_q;
  end

  // ---- states ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      live_q <= '0;
      dead_q <= '0;
      back_q <= '1;
    end else begin
      for (int unsigned t = 0; t < ReadTags; t++) begin
        if (free_i) dead_q[t] <= 1'b0;
        if (free_i && dead_q[t]) back_q[t] <= 1'b1;
        else if (back && back_at_q == TagW'(t)) back_q[t] <= 1'b0;
        if (grant_i && tag_o == TagW'(t)) used_q[t] <= 1'b1;
        if (sent_i && sent_tag_i == TagW'(t)) live_q[t] <= 1'b1;
        if (end_i && end_tag_i == TagW'(t)) begin
          used_q[t] <= 1'b0;
          live_q[t] <= 1'b0;
          if (end_bad_i) dead_q[t] <= 1'b1;
        end
        if (expire_o && late_tag_q == TagW'(t)) begin
          used_q[t] <= 1'b0;
          live_q[t] <= 1'b0;
          dead_q[t] <= 1'b1;
        end
      end
    end
  end
  // Whose a tag is, three times: for all at once, and for one each in LUT RAM.
  logic [SlotW-1:0] look_slot_q [ReadTags];
  logic [SlotW-1:0] late_slot_q [ReadTags];
  always_ff @(posedge clk_i) if (grant_i) slot_q[tag_o] <= grant_slot_i;
  always_ff @(posedge clk_i) if (grant_i) look_slot_q[tag_o] <= grant_slot_i;
  always_ff @(posedge clk_i) if (grant_i) late_slot_q[tag_o] <= grant_slot_i;

  always_comb for (int unsigned t = 0; t < ReadTags; t++) mine[t] = used_q[t] && slot_q[t] == slot_i;
  assign busy_o = |mine;

  assign live_o        = live_q;
  assign look_slot_o   = look_slot_q[look_tag_i];
  assign expire_slot_o = late_slot_q[late_tag_q];

`ifdef FORMAL
`include "nic_rd_tags_props.svh"
`endif

endmodule

`default_nettype wire
