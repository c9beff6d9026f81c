// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_pick: pointers in order, posted before non-posted, nothing under hold, a taken-back port starts at rd.
`include "fv.svh"
// Rules of README.md: STR-5.
  `FV_INIT
  `FV_ANYCONST(f_lane, 4)
  `FV_BELOW(def_lane, f_lane, NumLanes)

  logic [7:0] f_pk, f_rd, f_xl, f_ahead, f_room;
  logic       f_mine, f_back_q, f_gone;

  always_comb begin
    f_pk = '0;
    f_rd = '0;
    f_xl = '0;
    f_ahead = '0;
    f_gone = 1'b0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (f_lane == 4'(l)) begin
        f_pk = pk_q[8*l+:8];
        f_rd = rd_q[8*l+:8];
        f_xl = xl_ptr_i[8*l+:8];
        f_gone = done[l];
        if (l[0]) f_ahead = pk_q[8*(l&~1)+:8] - after_i[8*(l/2)+:8];
      end
    end
  end
  assign f_mine = pick_valid_o && pick_lane_o == f_lane;
  assign f_room = f_xl - f_pk;

  logic       f_hold_q, f_idle_q;
  logic [7:0] f_xl_next_q, f_rd_q;
  always_ff @(posedge clk_i) begin
    f_hold_q <= hold_i;
    f_xl_next_q <= rst_ni ? f_xl + 8'(res_valid_i && res_lane_i == f_lane) : 8'd0;
    f_rd_q   <= rst_ni ? f_rd : 8'd0;
    f_idle_q <= f_pk == f_rd;
    f_back_q <= rst_ni && back_i && back_lane_i[3:1] == f_lane[3:1];
  end

  logic [7:0] f_used, f_open;
  assign f_used = f_pk - f_rd;
  assign f_open = f_xl - f_rd;

  `FV_COMB if (f_past_q && rst_ni) begin
    // The translation engine keeps rd <= xl <= rd + Window, moves xl by one with each result, and does
    // both only in order.
    env_moves: assume (f_xl == f_xl_next_q || (f_xl == f_rd_q && f_idle_q && f_hold_q));
    if (res_valid_i) env_write: assume (res_write_i);
    if (res_write_i && res_lane_i == f_lane) env_next: assume (res_idx_i == f_xl && 32'(f_open) < Window);
    // aa_decide ends only what it was given.
    if (f_gone) env_done: assume (f_used != '0);

    p1_inside: assert (f_used <= f_open && 32'(f_open) <= Window);
    if (f_mine && !(bypass && !any)) p1_translated: assert (f_room != '0);
    if (f_mine && bypass && !any) p1_bypass: assert (res_valid_i && res_idx_i == f_pk);
    if (f_mine && f_lane[0]) p2_posted_first: assert (!f_ahead[7]);
    if (f_back_q) p3_again: assert (f_used == '0);
    if (hold_i) p5_hold: assert (!pick_valid_o);
    if (any && !hold_i) p4_works: assert (pick_valid_o);
    c_bypass: cover (f_mine && bypass && !any && f_pk == 8'd2);
    c_back: cover (f_back_q && f_rd == 8'd2);
    c_np: cover (f_mine && f_lane[0] && after_i[7:0] == 8'd1);
  end
