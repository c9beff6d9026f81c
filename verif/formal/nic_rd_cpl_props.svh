// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rd_cpl: verdicts are exclusive and of live tags only. With NIC_RD_CPL_ROOM (a bounded row, since it
// follows the two tables through time): no word is written outside the room of the tag that it is of.
`include "fv.svh"
// Rules of README.md: MEM-4, MEM-5, MEM-7.
  `FV_INIT
  `FV_ANYCONST(f_tag, TagW)

  logic f_given_q, f_live;
  logic [ReadTags-1:0] f_stays_d, f_stays_q;  // live, has not ended and has not been given up
  logic [ReadTags-1:0] f_may_q;    // was granted, and has not been live since; or is live
  assign f_live = live_i[f_tag];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_given_q <= 1'b0;
    else if (grant_i && grant_tag_i == f_tag) f_given_q <= 1'b1;
    for (int unsigned t = 0; t < ReadTags; t++)
      f_may_q[t] <= rst_ni && (f_stays_d[t] || (grant_i && grant_tag_i == TagW'(t)) || (f_may_q[t] && !live_i[t]));
    for (int unsigned t = 0; t < ReadTags; t++)
      f_stays_q[t] <= rst_ni && f_stays_d[t];
  end
  always_comb
    for (int unsigned t = 0; t < ReadTags; t++)
      f_stays_d[t] = live_i[t] && !(end_o && end_tag_o == TagW'(t)) && !(expire_i && expire_tag_i == TagW'(t));

  `FV_COMB if (f_past_q && rst_ni) begin
    env_room: assume (!grant_i || (grant_bytes_i != '0 && 32'(grant_bytes_i) + 32'(grant_lead_i) <= 32'd4096));
    env_again: assume (!(grant_i && live_i[grant_tag_i]));
    env_live: assume (!f_live || f_given_q);
    env_stays: assume ((f_stays_q & ~live_i) == '0);
    env_granted: assume ((live_i & ~f_may_q) == '0);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_one: assert (32'(stray_o) + 32'(malformed_o) + 32'(end_o && !end_bad_o) <= 32'd1);
    p1_done: assert (!(stray_o || malformed_o || end_o || mark_o) || done);
    p2_mine: assert (!mine3_q || live_i[tag3_q] || !(v3_q || open_q));
    p2_live: assert (we_o == '0 || live_i[tag3_q]);
    p3_live: assert (!(end_o || mark_o) || live_i[end_tag_o]);
    p3_bad: assert (!(end_o && end_bad_o) || (malformed_o && mark_o));
    if (mark_o && mark_ur_o) p4_ur: assert (good_form && ur3_q && !wrong3_q && end_o && !end_bad_o);
    c_ur: cover (mark_o && mark_ur_o);
    p4_stray: assert (!stray_o || !(end_o || mark_o));
    c_more: cover (goes_on && lives && sc2_q && !wrong && !last && lead2_q == 2'd0 && same);
    c_end: cover (end_o && !mark_o);
    c_cut: cover (cut && end_o);
    c_stray: cover (stray_o && v3_q);
  end

`ifdef NIC_RD_CPL_ROOM
  logic [DwW-1:0]           f_from_q;   // the room: its first word and how many
  logic [10:0]              f_room_q;
  `FV_ANYCONST(f_lane, LaneW)
  logic [DwW-1:0]           f_place;
  assign f_place = {waddr_o[WordW*32'(f_lane)+:WordW], f_lane} - f_from_q;
  always_ff @(posedge clk_i) if (grant_i && grant_tag_i == f_tag) begin
    f_from_q <= grant_dw_i;
    f_room_q <= 11'((32'(grant_bytes_i) + 32'(grant_lead_i) + 32'd3) / 32'd4);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    env_small: assume (!grant_i || 32'(grant_bytes_i) + 32'(grant_lead_i) <= Words * 4 * BeatDw);
    if (we_o[f_lane] && tag3_q == f_tag) p2_room: assert (11'(f_place) < f_room_q);
    if (v3_q && tag3_q == f_tag && mine3_q && write3_q && rst_ni)
      c_second: cover (dw3_q != f_from_q && eop3_q && last3_q);
  end
`endif
