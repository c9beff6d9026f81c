// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rd_tags: the life of one tag, f_tag, and of one slot.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_tag, TagW)
  `FV_SEES(f_tag_valid, 1, tag_valid_o)

  logic             f_granted, f_sent, f_ended, f_expired, f_taken_q, f_live_q, f_dead_q, f_wait_q;
  logic [TagW-1:0]  f_offer_q;
  logic [SlotW-1:0] f_slot_q, f_next_q;
  logic             f_mine_q;
  logic [31:0]      f_since_q;  // when it was sent

  assign f_granted = grant_i && tag_o == f_tag;
  assign f_sent    = sent_i && sent_tag_i == f_tag;
  assign f_ended   = end_i && end_tag_i == f_tag;
  assign f_expired = expire_o && expire_tag_o == f_tag;

  always_ff @(posedge clk_i) begin
    f_wait_q  <= rst_ni && tag_valid_o && !grant_i;
    f_offer_q <= tag_o;
    f_next_q  <= next_slot_i;
    f_mine_q  <= f_taken_q && f_slot_q == next_slot_i;
    if (!rst_ni) begin
      f_taken_q <= 1'b0;
      f_live_q  <= 1'b0;
      f_dead_q  <= 1'b0;
    end else begin
      if (free_i) f_dead_q <= 1'b0;
      if (f_granted) f_taken_q <= 1'b1;
      if (f_sent) f_live_q <= 1'b1;
      if (f_ended || f_expired) begin
        f_taken_q <= 1'b0;
        f_live_q  <= 1'b0;
        f_dead_q  <= f_expired || end_bad_i;
      end
    end
    if (f_granted) f_slot_q <= grant_slot_i;
    if (f_sent) f_since_q <= now_q;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_grant: assume (!grant_i || f_tag_valid);
    env_sent: assume (!f_sent || (f_taken_q && !f_live_q));
    env_end: assume (!f_ended || f_live_q);
  end

  `FV_COMB if (f_past_q) begin
    p2_state: assert (used_q[f_tag] == f_taken_q && live_q[f_tag] == f_live_q && dead_q[f_tag] == f_dead_q);
    p2_one: assert (!(f_taken_q && f_dead_q) && (!f_live_q || f_taken_q));
    if (f_taken_q) p5_slot: assert (slot_q[f_tag] == f_slot_q);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    if (tag_valid_o && tag_o == f_tag) p1_free: assert (!f_taken_q && !f_dead_q);
    if (f_wait_q && f_offer_q == f_tag) p1_stays: assert (tag_valid_o && tag_o == f_tag);
    if (!f_taken_q && !f_dead_q) p1_some: assert (tag_valid_o);
    p2_live: assert (live_o[f_tag] == f_live_q);
    if (f_expired) p3_expire: assert (f_live_q && cfg_tmo_i != '0 && !f_ended);
    if (f_granted) p4_dead: assert (!f_dead_q);
    if (f_rst_q && f_mine_q) p5_busy: assert (busy_o);
    c_expire: cover (f_expired && age_q == 32'd3);
    c_again: cover (f_granted && f_slot_q != grant_slot_i);
    c_freed: cover (free_i && f_dead_q);
  end
