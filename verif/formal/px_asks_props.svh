// SPDX-License-Identifier: Apache-2.0
// Theorems of px_asks. One item, chosen freely when it comes, is followed with the writes that are ahead of it.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)
  `FV_ANYSEQ(f_bit, $clog2(ItemW))

  logic              f_live_q, f_wait_q, f_mine;
  logic [PtrW:0]     f_before_q, f_level_q;
  logic [PtrW-1:0]   f_slot;
  logic [CountW-1:0] f_ahead_q;
  logic [ItemW-1:0]  f_item_q, f_out_q;
  assign f_slot = out_q[PtrW-1:0] + f_before_q[PtrW-1:0];
  assign f_mine = f_live_q && f_before_q == '0;

  always_ff @(posedge clk_i) begin
    f_wait_q <= rst_ni && out_valid_o && !out_ready_i;
    f_out_q  <= out_item_o;
    if (!rst_ni) begin
      f_live_q  <= 1'b0;
      f_level_q <= '0;
    end else begin
      f_level_q <= f_level_q + (PtrW + 1)'(push) - (PtrW + 1)'(pop);
      if (f_live_q) begin
        f_ahead_q <= f_ahead_q > CountW'(left_i) ? f_ahead_q - CountW'(left_i) : '0;
        if (pop && f_before_q == '0) f_live_q <= 1'b0;
        else if (pop) f_before_q <= f_before_q - (PtrW + 1)'(1);
      end else if (push && f_pick) begin
        f_live_q   <= 1'b1;
        f_ahead_q  <= in_ahead_i;
        f_item_q   <= in_item_i;
        f_before_q <= level - (PtrW + 1)'(pop);
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_live_q) p1_inside: assert (f_before_q < level && ahead_q[f_slot] == f_ahead_q && item_q[f_slot] == f_item_q);
    p1_level: assert (level == f_level_q && 32'(level) <= Depth);
    if (f_mine && out_valid_o) p1_item: assert (out_item_o == f_item_q);
    if (f_mine) p2_offer: assert (out_valid_o == (f_ahead_q == '0));
    if (f_wait_q) p3_hold: assert (out_valid_o && out_item_o == f_out_q);
    if (room_o) p4_room: assert (32'(f_level_q) + 5 <= Depth);
    if (32'(f_level_q) < Depth) p4_ready: assert (in_ready_o);
    c_waits: cover (f_mine && f_item_q[f_bit] && out_valid_o && f_level_q == (PtrW + 1)'(3));
    c_full: cover (!in_ready_o && pop);
  end
