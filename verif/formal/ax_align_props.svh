// SPDX-License-Identifier: Apache-2.0
// Theorems of ax_align. One DW of the item is followed (f_k): where it comes in, in the rest, where it leaves.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_k, 10)
  `FV_ANYCONST(f_l, LaneW)

  logic                       f_item_q, f_in_hold_q, f_wait_q, f_due, f_now;
  logic [2*LaneW+10:0]        f_ask_q;
  logic [DataW-1:0]           f_in_q, f_data_q;
  logic [BeatDw-1:0]          f_strb_q;
  logic [31:0]                f_dw_q, f_dw, f_in_pos, f_out_pos, f_lane_pos;
  logic [LaneW-1:0]           f_in_lane, f_out_lane;
  logic [10:0]                f_took_q;   // words of the item so far; when all are here the input is not looked at
  logic [31:0]                f_words;
  assign f_words = (32'(in_at_i) + 32'(dws_i) + BeatDw - 1) / BeatDw;
  assign f_in_pos   = 32'(in_at_i) + 32'(f_k);
  assign f_out_pos  = 32'(out_at_i) + 32'(f_k);
  assign f_in_lane  = f_in_pos[LaneW-1:0];
  assign f_out_lane = f_out_pos[LaneW-1:0];
  assign f_due      = 32'(f_k) < 32'(dws_i);
  assign f_now      = take && 32'(in_q) == f_in_pos / BeatDw;
  assign f_dw       = f_now ? in_data_i[32*f_in_lane+:32] : f_dw_q;
  assign f_lane_pos = 32'(out_q) * BeatDw + 32'(f_l);  // of the lane f_l of the word that is shown

  always_ff @(posedge clk_i) begin
    f_item_q    <= rst_ni && item_valid_i && !item_ready_o;
    f_in_hold_q <= rst_ni && in_valid_i && item_valid_i && !in_ready_o && 32'(f_took_q) != f_words;
    if (!rst_ni || item_ready_o) f_took_q <= '0;
    else if (in_valid_i && in_ready_o) f_took_q <= f_took_q + 11'd1;
    f_wait_q    <= rst_ni && out_valid_o && !out_ready_i;
    f_ask_q     <= {in_at_i, out_at_i, dws_i};
    f_in_q      <= in_data_i;
    f_data_q    <= out_data_o;
    f_strb_q    <= strb_o;
    if (f_now) f_dw_q <= f_dw;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_item: assume (!f_item_q || (item_valid_i && {in_at_i, out_at_i, dws_i} == f_ask_q));
    env_dws: assume (!item_valid_i || (dws_i != '0 && dws_i <= 11'd1024));
    env_in: assume (!f_in_hold_q || (in_valid_i && in_data_i == f_in_q));
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (!f_item_q) p3_start: assert (in_q == '0 && out_q == '0);
    p3_took_all: assert (f_took_q == 11'(in_q));
    if (item_valid_i) begin
      p3_counts: assert (out_q == (in_at_i > out_at_i && in_q != '0 ? in_q - CountW'(1) : in_q));
      p3_in: assert (32'(in_q) <= 32'(in_end) + 1 && out_q <= out_end);
      if (all_in) p3_all: assert (last_o && out_valid_o);
      if (item_ready_o) p3_took: assert (32'(in_q) + 32'(take) == 32'(in_end) + 1);
      // taken and not given: in the rest
      if (f_due && 32'(in_q) > f_in_pos / BeatDw && 32'(out_q) <= f_out_pos / BeatDw)
        p1_rest: assert (rest_q[32*f_out_lane+:32] == f_dw_q && f_out_lane < rot && 32'(out_q) == f_out_pos / BeatDw);
      if (f_due && 32'(in_q) <= f_in_pos / BeatDw) p1_later: assert (32'(out_q) <= f_out_pos / BeatDw);
      if (f_due && give && 32'(out_q) == f_out_pos / BeatDw)
        p1_dw: assert (out_data_o[32*f_out_lane+:32] == f_dw && strb_o[f_out_lane] &&
                       (f_now || 32'(in_q) > f_in_pos / BeatDw));
      p2_strb: assert (strb_o[f_l] == (f_lane_pos >= 32'(out_at_i) && f_lane_pos < 32'(out_at_i) + 32'(dws_i)));
      p2_last: assert (last_o == ((32'(out_q) + 1) * BeatDw >= 32'(out_at_i) + 32'(dws_i)));
      if (in_valid_i && !all_in && out_ready_i) p5_rate: assert (take && (give || (in_q == '0 && in_at_i > out_at_i)));
    end
    if (f_wait_q) p4_hold: assert (out_valid_o && out_data_o == f_data_q && strb_o == f_strb_q);
    c_down: cover (item_ready_o && all_in && in_at_i > out_at_i && 32'(out_q) == 2);
    c_up: cover (item_ready_o && all_in && in_at_i < out_at_i && 32'(out_q) == 2);
    c_plain: cover (item_ready_o && !all_in && 32'(out_q) == 2 && f_due && 32'(f_k) > 6 && f_dw_q != '0);
  end
