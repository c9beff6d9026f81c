// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rd_tags: the life of one tag, f_tag, and of one slot; the queue of free tags holds each of them once,
// and no other.
`include "fv.svh"
// Rules of README.md: MEM-5, TIM-7.
  `FV_INIT
  `FV_ANYCONST(f_tag, TagW)
  `FV_SEES(f_tag_valid, 1, tag_valid_o)

  logic             f_granted, f_sent, f_ended, f_expired, f_taken_q, f_live_q, f_dead_q, f_back_q, f_wait_q;
  logic [ReadTags-1:0] f_all_taken_q, f_all_live_q, f_free;  // of all tags: for what others promise, and for the queue
  logic [TagW:0]    f_num;
  logic             f_strange, f_twice;  // in the queue: one that is not free, one twice
  logic [TagW-1:0]  f_offer_q;
  logic [SlotW-1:0] f_slot_q;
  logic [W+1:0]     f_age_q;    // cycles since it was sent; it stops at all ones
  logic [W-1:0]     f_tmo_q, f_was_q;  // cfg_tmo_i as it was sent, and a cycle ago
  logic             f_same_q;   // it has been that since
  logic [TagW:0]    f_idle_q;   // cycles in which it might have come back and none ended well
  logic [TagW-1:0]  f_off;      // how far it is from its turn to come back

  assign f_granted = grant_i && tag_o == f_tag;
  assign f_sent    = sent_i && sent_tag_i == f_tag;
  assign f_ended   = end_i && end_tag_i == f_tag;
  assign f_expired = expire_o && expire_tag_o == f_tag;
  assign f_off     = f_tag - back_at_q;

  always_ff @(posedge clk_i) begin
    f_wait_q  <= rst_ni && tag_valid_o && !grant_i;
    f_offer_q <= tag_o;
    if (!rst_ni) begin
      f_taken_q <= 1'b0;
      f_live_q  <= 1'b0;
      f_dead_q  <= 1'b0;
      f_back_q  <= 1'b1;
      f_all_taken_q <= '0;
      f_all_live_q  <= '0;
    end else begin
      for (int unsigned t = 0; t < ReadTags; t++) begin
        if (grant_i && tag_o == TagW'(t)) f_all_taken_q[t] <= 1'b1;
        if (sent_i && sent_tag_i == TagW'(t)) f_all_live_q[t] <= 1'b1;
        if ((end_i && end_tag_i == TagW'(t)) || (expire_o && expire_tag_o == TagW'(t))) begin
          f_all_taken_q[t] <= 1'b0;
          f_all_live_q[t]  <= 1'b0;
        end
      end
      if (free_i) f_dead_q <= 1'b0;
      if (free_i && f_dead_q) f_back_q <= 1'b1;
      else if (put && !(end_i && !end_bad_i) && put_tag == f_tag) f_back_q <= 1'b0;
      if (f_granted) f_taken_q <= 1'b1;
      if (f_sent) f_live_q <= 1'b1;
      if (f_ended || f_expired) begin
        f_taken_q <= 1'b0;
        f_live_q  <= 1'b0;
        f_dead_q  <= f_expired || end_bad_i;
      end
    end
    if (!rst_ni || !f_back_q) f_idle_q <= '0;
    else if (!end_i || end_bad_i) f_idle_q <= f_idle_q + (TagW + 1)'(1);
    if (f_granted) f_slot_q <= grant_slot_i;
    f_was_q  <= cfg_tmo_i;
    f_same_q <= f_sent || (f_same_q && cfg_tmo_i == f_tmo_q);
    if (f_sent) f_tmo_q <= cfg_tmo_i;
    if (f_sent) f_age_q <= (W + 2)'(1);
    else if (f_age_q != '1) f_age_q <= f_age_q + (W + 2)'(1);
  end

  assign f_free = ~used_q & ~dead_q & ~back_q;
  always_comb begin
    {f_strange, f_twice} = 2'b00;
    for (int unsigned i = 0; i < ReadTags; i++) begin
      if (i < 32'(level_q) && !f_free[free_q[head_q + TagW'(i)]]) f_strange = 1'b1;
      for (int unsigned j = 0; j < ReadTags; j++)
        if (i < j && j < 32'(level_q) && free_q[head_q + TagW'(i)] == free_q[head_q + TagW'(j)]) f_twice = 1'b1;
    end
    f_num = '0;
    for (int unsigned t = 0; t < ReadTags; t++) f_num = f_num + (TagW + 1)'(f_free[t]);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_grant: assume (!grant_i || f_tag_valid);
    env_sent: assume (!sent_i || (f_all_taken_q[sent_tag_i] && !f_all_live_q[sent_tag_i]));
    env_end: assume (!end_i || f_all_live_q[end_tag_i]);
  end

  `FV_COMB if (f_past_q) begin
    p2_state: assert (used_q[f_tag] == f_taken_q && live_q[f_tag] == f_live_q && dead_q[f_tag] == f_dead_q);
    if (look_live_q) p3_look: assert (live_q[look_q] && look_q == scan_q - TagW'(1));
    if (late_q) p3_late: assert (live_q[late_tag_q] && late_tag_q == look_q - TagW'(1));
    p2_all: assert (used_q == f_all_taken_q && live_q == f_all_live_q && back_q[f_tag] == f_back_q);
    p2_one: assert ((used_q & (dead_q | back_q)) == '0 && (dead_q & back_q) == '0 && (live_q & ~used_q) == '0);
    p1_level: assert (level_q == f_num && tail_q == head_q + level_q[TagW-1:0]);
    p1_queue: assert (!f_strange && !f_twice);
    if (f_back_q) p1_back: assert (32'(f_idle_q) + 32'(f_off) < ReadTags);
    if (f_taken_q)
      p5_slot: assert (slot_q[f_tag] == f_slot_q && look_slot_q[f_tag] == f_slot_q && late_slot_q[f_tag] == f_slot_q);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    if (tag_valid_o && tag_o == f_tag) p1_free: assert (!f_taken_q && !f_dead_q);
    if (f_wait_q && f_offer_q == f_tag) p1_stays: assert (tag_valid_o && tag_o == f_tag);
    if (!f_taken_q && !f_dead_q && !f_back_q) p1_some: assert (tag_valid_o);
    p2_live: assert (live_o[f_tag] == f_live_q);
    if (f_expired) p3_expire: assert (f_live_q && cfg_tmo_i != '0 && !f_ended);
    if (f_expired) p3_least: assert (f_age_q >= (W + 2)'(f_was_q));
    if (f_live_q && f_same_q && cfg_tmo_i == f_tmo_q && cfg_tmo_i != '0)
      p3_most: assert (f_age_q <= (W + 2)'(cfg_tmo_i) + (W + 2)'(ReadTags + 1));
    if (f_granted) p4_dead: assert (!f_dead_q);
    if (f_taken_q && f_slot_q == slot_i) p5_busy: assert (busy_o);
    if (over_o && expire_tag_o == f_tag) p3_over: assert (f_live_q && cfg_tmo_i != '0 && (f_expired || f_ended));
    c_expire: cover (f_expired && cfg_tmo_i == W'(3));
    c_longest: cover (f_expired && cfg_tmo_i == '1);
    c_again: cover (f_granted && f_slot_q != grant_slot_i);
    c_freed: cover (free_i && f_dead_q);
    c_back: cover (f_wait_q && back && put_tag == f_tag && ReadTags[TagW:0] == level_q + (TagW + 1)'(1));
  end
