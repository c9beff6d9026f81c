// SPDX-License-Identifier: Apache-2.0
// Theorems of px_tags: the life of one tag, f_tag.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_tag, TagW)
  `FV_SEES(f_free, 1, free_o)
  `FV_SEES(f_hit, 1, hit_o)

  logic             f_live_q, f_wait_q, f_mine;
  logic [7:0]       f_tag_q;
  logic [ItemW-1:0] f_item_q;
  assign f_mine = look_tag_i == 8'(f_tag);

  always_ff @(posedge clk_i) begin
    f_wait_q <= rst_ni && free_o && !take_i;
    f_tag_q  <= tag_o;
    if (!rst_ni) f_live_q <= 1'b0;
    else f_live_q <= (f_live_q && !(end_i && f_mine)) || (take_i && tag_o == 8'(f_tag));
    if (take_i && tag_o == 8'(f_tag)) f_item_q <= item_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_take: assume (!take_i || f_free);
    env_end: assume (!end_i || f_hit);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_free: assert (!(free_o && tag_o == 8'(f_tag) && f_live_q));
    if (f_rst_q && !f_live_q) p1_some: assert (free_o);
    if (f_wait_q) p1_stays: assert (free_o && tag_o == f_tag_q);
    if (f_mine) p2_hit: assert (hit_o == f_live_q);
    if (f_mine && f_live_q) p2_item: assert (item_o == f_item_q);
    if (32'(look_tag_i) >= Tags) p2_none: assert (!hit_o);
    c_full: cover (f_rst_q && !free_o);
    c_again: cover (take_i && end_i && f_mine && f_item_q != item_i);
  end
  `FV_COMB if (f_past_q) begin
    p2_live: assert (live_q[f_tag] == f_live_q);
    if (f_live_q) p2_kept: assert (items_q[f_tag] == f_item_q);
    p1_some_in: assert (!f_rst_q || free_q || f_live_q);
    p1_offer_in: assert (!free_q || !live_q[tag_q]);
  end
