// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_fifo_ram. One item, chosen freely (f_pick), is followed through: f_ahead_q counts the items before it.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)

  logic              f_live_q, f_wait_q, f_clr_q, f_push_q, f_push2_q;
  logic [LevelW-1:0] f_ahead_q, f_count_q;
  logic [Width-1:0]  f_data_q, f_out_q;
  logic [31:0]       f_base, f_slot, f_wslot;

  always_ff @(posedge clk_i) begin
    f_out_q   <= out_data_o;
    f_wait_q  <= rst_ni && !clr_i && out_valid_o && !out_ready_i;
    f_push_q  <= rst_ni && !clr_i && push;
    f_push2_q <= rst_ni && !clr_i && f_push_q;
    f_clr_q   <= clr_i;
    if (!rst_ni || clr_i) begin
      f_live_q  <= 1'b0;
      f_count_q <= '0;
    end else begin
      f_count_q <= f_count_q + LevelW'(push) - LevelW'(pop);
      if (f_live_q) begin
        if (pop && f_ahead_q == '0) f_live_q <= 1'b0;
        if (pop && f_ahead_q != '0) f_ahead_q <= f_ahead_q - LevelW'(1);
      end else if (push && f_pick) begin
        f_live_q  <= 1'b1;
        f_data_q  <= in_data_i;
        f_ahead_q <= level_q - LevelW'(pop);
      end
    end
  end

  // Slots of the followed item while it is in the RAM, and of the next write, from the read pointer.
  assign f_base  = 32'(rptr_q) + 32'(f_ahead_q) - 32'(out_valid_q);
  assign f_slot  = f_base >= Depth ? f_base - Depth : f_base;
  assign f_wslot = 32'(rptr_q) + 32'(unread_q) >= Depth ? 32'(rptr_q) + 32'(unread_q) - Depth :
                                                         32'(rptr_q) + 32'(unread_q);

  `FV_COMB if (f_past_q) begin
    if (f_live_q && f_ahead_q == '0 && out_valid_o) p1_order: assert (out_data_o == f_data_q);
    if (f_live_q) p1_inside: assert (f_ahead_q < level_q);
    if (f_live_q && (f_ahead_q != '0 || !out_valid_o)) p1_stored: assert (mem_q[PtrW'(f_slot)] == f_data_q);
    p1_pointers: assert (32'(rptr_q) < Depth && 32'(wptr_q) == f_wslot);
    p2_count: assert (level_o == f_count_q && 32'(level_o) <= Depth);
    p2_full: assert (full_q == (32'(level_q) == Depth) && some_q == (unread_q != '0));
    p2_split: assert (32'(level_q) == 32'(unread_q) + 32'(out_valid_q));
    p2_ready: assert (in_ready_o == (32'(level_o) != Depth));
    if (f_wait_q) p3_hold: assert (out_valid_o && out_data_o == f_out_q);
    if (f_clr_q) p4_clear: assert (level_o == '0 && !out_valid_o);
    if (f_push2_q) p5_latency: assert (out_valid_o);
    if (f_push_q) p5_unread: assert (unread_q != '0);
    if (!out_valid_o && level_o != '0) p5_young: assert (f_push_q && level_o == LevelW'(1));
    p6_no_collision: assert (!(in_ready_o && fetch && wptr_q == rptr_q));
    c_full: cover (32'(level_o) == Depth && in_valid_i && out_ready_i);
    c_through: cover (f_live_q && f_ahead_q == '0 && pop && f_data_q != '0);
    c_clear: cover (f_clr_q && push);
    c_stream: cover (push && pop && fetch);
  end
