// SPDX-License-Identifier: Apache-2.0
// Theorems of px_tags: the life of one tag, f_tag.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_tag, TagW)
  `FV_SEES(f_free, 1, free_o)
  `FV_SEES(f_hit, 1, hit_o)

  // f_kept_q: it has ended with hold_i, and was not taken since; f_age_q: how long ago, as far as it matters.
  logic             f_live_q, f_wait_q, f_mine, f_kept_q, f_held;
  logic [Hold+1:0]  f_age_q;
  logic [7:0]       f_tag_q;
  logic [ItemW-1:0] f_item_q;
  assign f_mine = look_tag_i == 8'(f_tag);
  assign f_held = f_kept_q && f_age_q <= (Hold + 2)'(1 << Hold);

  always_ff @(posedge clk_i) begin
    f_wait_q <= rst_ni && free_o && !take_i;
    f_tag_q  <= tag_o;
    if (!rst_ni) f_live_q <= 1'b0;
    else f_live_q <= (f_live_q && !(end_i && f_mine)) || (take_i && tag_o == 8'(f_tag));
    if (take_i && tag_o == 8'(f_tag)) f_item_q <= item_i;
    if (!rst_ni) f_kept_q <= 1'b0;
    else f_kept_q <= (f_kept_q && !(take_i && tag_o == 8'(f_tag))) || (end_i && hold_i && f_mine);
    if (end_i && hold_i && f_mine) f_age_q <= '0;
    else if (f_age_q != '1) f_age_q <= f_age_q + (Hold + 2)'(1);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_take: assume (!take_i || f_free);
    env_end: assume (!end_i || f_hit);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_free: assert (!(free_o && tag_o == 8'(f_tag) && (f_live_q || f_held)));
    if (f_rst_q && !f_live_q && !(f_kept_q && held_q[f_tag])) p1_some: assert (free_o);
    if (f_wait_q) p1_stays: assert (free_o && tag_o == f_tag_q);
    if (f_mine) p2_hit: assert (hit_o == f_live_q);
    if (f_mine && f_live_q) p2_item: assert (item_o == f_item_q);
    if (32'(look_tag_i) >= Tags) p2_none: assert (!hit_o);
    c_full: cover (f_rst_q && !free_o);
    c_late: cover (f_kept_q && f_mine && !hit_o && free_o && tag_o == 8'(f_tag));
    c_again: cover (take_i && end_i && f_mine && f_item_q != item_i);
  end
  `FV_COMB if (f_past_q) begin
    p2_live: assert ((live_q[f_tag] && !held_q[f_tag]) == f_live_q);
    if (f_held) p3_least: assert (live_q[f_tag] && held_q[f_tag]);
    if (f_kept_q && f_age_q >= (Hold + 2)'(2 << Hold)) p3_most: assert (!held_q[f_tag]);
    p3_used: assert (!held_q[f_tag] || (live_q[f_tag] && f_kept_q));
    p3_old: assert (!old_q[f_tag] || held_q[f_tag]);
    if (held_q[f_tag] && !old_q[f_tag]) p3_young: assert (f_age_q <= (Hold + 2)'(time_q));
    if (old_q[f_tag])
      p3_age: assert (f_age_q > (Hold + 2)'(time_q) && f_age_q <= (Hold + 2)'(time_q) + (Hold + 2)'(1 << Hold));
    if (f_live_q) p2_kept: assert (items_q[f_tag] == f_item_q);
    p1_some_in: assert (!f_rst_q || free_q || live_q[f_tag]);
    p1_offer_in: assert (!free_q || !live_q[tag_q]);
  end
