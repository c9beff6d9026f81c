// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_take. One byte of one item is followed: the f_item-th item after reset, its byte f_at. What it was
// when it came in (f_byte_q) it must be in the window, at the place that the number of bytes taken so far says.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_item, 3)
  `FV_ANYCONST(f_at, 13)
  `FV_SEES(f_last, 1, last_o)
  `FV_SEES(f_count, $bits(count_o), count_o)
  `FV_SEES(f_valid, 1, valid_o)

  // Items and bytes of the current item, at both ends. They wrap; at most two items and 2 x BeatBytes bytes are inside.
  logic [2:0] f_in_item_q, f_out_item_q;
  logic [12:0] f_in_q, f_out_q;
  logic       f_seen_q, f_in_open_q, f_err_in_q, f_hold_q, f_stall_q;
  logic [7:0] f_byte_q;
  logic [nic_pkg::BytesW-1:0] f_beat_q;
  logic [nic_pkg::DataW+8:0]  f_window_q;
  logic [1:0] f_lead_q;
  logic       f_here;
  logic [12:0] f_rel, f_first;

  assign f_first = first_q ? 13'(lead_i) : 13'd0;
  assign f_rel   = 13'(f_at) - f_in_q;
  assign f_here  = push && f_in_item_q == f_item && f_rel < 13'(in_beat_i.bytes) && f_in_q <= 13'(f_at);

  always_ff @(posedge clk_i) begin
    f_hold_q   <= rst_ni && in_valid_i && !in_ready_o;
    f_beat_q   <= in_beat_i;
    f_stall_q  <= rst_ni && valid_o && !step_i;
    f_window_q <= {last_o, err_o, count_o, data_o};
    f_lead_q   <= lead_i;
    if (!rst_ni) begin
      f_in_item_q  <= '0;
      f_out_item_q <= '0;
      f_in_q       <= '0;
      f_out_q      <= '0;
      f_in_open_q  <= 1'b0;
    end else begin
      if (push) begin
        f_in_q      <= in_beat_i.last ? '0 : f_in_q + 13'(in_beat_i.bytes);
        f_in_item_q <= f_in_item_q + 3'(in_beat_i.last);
        f_in_open_q <= !in_beat_i.last;
        f_err_in_q  <= in_beat_i.err;
      end
      if (step_i) begin
        f_out_q      <= end_i ? '0 : f_out_q + 13'(take_i);
        f_out_item_q <= f_out_item_q + 3'(end_i);
      end
    end
    if (f_here) f_byte_q <= in_beat_i.data[(8 * (32'(f_rel) & (BeatBytes - 1)))+:8];
  end

  // ---- environment: full beats, items that end; only what is there is taken, and not all of a window without its end
  `FV_COMB if (f_past_q && rst_ni) begin
    env_full: assume (!in_valid_i ||
                      (32'(in_beat_i.bytes) <= BeatBytes && (in_beat_i.last || 32'(in_beat_i.bytes) == BeatBytes)));
    env_empty: assume (!(in_valid_i && f_in_open_q) || in_beat_i.bytes != '0);
    env_long: assume (!in_valid_i || 32'(f_in_q) + 32'(in_beat_i.bytes) < 32'd8192);
    env_err: assume (!(in_valid_i && f_in_open_q) || in_beat_i.err == f_err_in_q);
    env_hold: assume (!f_hold_q || (in_valid_i && in_beat_i == f_beat_q));
    env_step: assume (!step_i || (f_valid && take_i <= f_count && (take_i != '0 || (f_last && f_count == '0))));
    env_end: assume (!step_i || end_i == (f_last && take_i == f_count));
  end

  // ---- the state says what the counts say ----
  logic [12:0] f_inside;  // bytes of the item at the head that are here
  assign f_inside = 13'(cur_bytes) - 13'(off_q) + (nxt_valid && !cur_last ? 13'(nxt_bytes) : 13'd0);
  `FV_COMB if (f_past_q) begin
    p1_level: assert (level_q <= 2'd2);
    if (level_q != 2'd0) begin
      p1_cur: assert (32'(cur_bytes) <= BeatBytes && (cur_last || 32'(cur_bytes) == BeatBytes) &&
                      (7'(off_q) <= cur_bytes));
      p1_off: assert (off_q == '0 || 7'(off_q) < cur_bytes);
      p1_bound: assert (32'(f_out_q) + 32'(f_inside) < 32'd8192);
      if (first_q) p1_start: assert (off_q == '0 && f_out_q == '0);
      if (!first_q) p1_rest: assert (cur_bytes != '0 && f_out_q != '0);
      if (!cur_last && nxt_valid) p1_next: assert (nxt_bytes != '0 && err_q[0] == err_q[1]);
    end
    if (nxt_valid) p1_nxt: assert (32'(nxt_bytes) <= BeatBytes && (nxt_last || 32'(nxt_bytes) == BeatBytes));
    if (level_q == 2'd0)
      p1_none: assert (off_q == '0 && (first_q == (f_out_q == '0)) && f_in_q == f_out_q &&
                       f_in_item_q == f_out_item_q &&
                       f_in_open_q == !first_q);
    if (level_q != 2'd0) begin
      // What came in of the item that goes out, and of the one after it.
      p1_items: assert (f_in_item_q - f_out_item_q == 3'(cur_last) + 3'(nxt_valid && nxt_last));
      if (!cur_last && !(nxt_valid && nxt_last)) p1_same: assert (f_in_q == f_out_q + f_inside && f_in_open_q);
      if (cur_last && nxt_valid && !nxt_last) p1_new: assert (32'(f_in_q) == BeatBytes && f_in_open_q);
      if (nxt_valid ? nxt_last : cur_last) p1_closed: assert (f_in_q == '0 && !f_in_open_q);
      if (f_in_open_q) p1_err: assert (f_err_in_q == (nxt_valid ? err_q[!head_q] : err_q[head_q]));
    end
    p1_out: assert (f_out_q[ByteW-1:0] == off_q);
  end

  // ---- the followed byte, in the slots and in the window ----
  logic       f_due;      // the byte is not yet taken, and is one of the head item's that are here
  logic [12:0] f_place;    // its distance from what has been taken
  logic [12:0] f_pos;      // its place, counted from the head slot's byte 0
  logic [7:0] f_slot, f_slot2;
  assign f_place = 13'(f_at) - f_out_q;
  assign f_due   = level_q != 2'd0 && f_out_item_q == f_item && 13'(f_at) >= f_out_q && f_place < f_inside;
  assign f_pos   = f_place + 13'(off_q);
  assign f_slot  = (32'(f_pos) >= BeatBytes) != head_q ? data1_q[8*(32'(f_pos)&(BeatBytes-1))+:8] :
                   data0_q[8*(32'(f_pos)&(BeatBytes-1))+:8];
  assign f_slot2 = head_q ? data0_q[8*(32'(f_at)&(BeatBytes-1))+:8] : data1_q[8*(32'(f_at)&(BeatBytes-1))+:8];
  // The item behind it, when its first beat is here already.
  logic       f_later;
  assign f_later = level_q != 2'd0 && cur_last && nxt_valid && 3'(f_out_item_q + 3'd1) == f_item &&
                   32'(f_at) < 32'(nxt_bytes);

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_due) p1_kept: assert (f_slot == f_byte_q);
    if (f_later) p1_kept2: assert (f_slot2 == f_byte_q);
    if (valid_o) begin
      if (f_due && f_place < 13'(count_o)) p1_byte:
          assert (data_o[8*((32'(f_place) + 32'(f_first)) & (BeatBytes - 1))+:8] == f_byte_q &&
                  32'(f_place) + 32'(f_first) < BeatBytes);
      p2_full: assert (last_o ? 32'(count_o) + 32'(f_first) <= BeatBytes : 32'(count_o) + 32'(f_first) == BeatBytes);
      if (last_o) p2_last: assert (13'(count_o) == f_inside);
      if (32'(f_at[ByteW-1:0]) < 32'(f_first) || 32'(f_at[ByteW-1:0]) >= 32'(f_first) + 32'(count_o)) p2_zero:
          assert (data_o[8*32'(f_at[ByteW-1:0])+:8] == 8'd0);
    end
    if (f_stall_q && !(first_q && lead_i != f_lead_q))
      p4_stays: assert (valid_o && {last_o, err_o, count_o, data_o} == f_window_q);
    if (step_i && end_i) p3_ends: assert (cur_last ? sum == 8'(cur_bytes) :
                                          nxt_valid && nxt_last && sum == 8'(nxt_bytes) + 8'(BeatBytes));
    if (level_q == 2'd2) p5_window: assert (valid_o);
    if (level_q != 2'd2 || (step_i && take_i == count_o && 32'(count_o) == BeatBytes)) p5_room: assert (in_ready_o);
    c_two: cover (step_i && end_i && drop == 2'd2 && f_due);
    c_lead: cover (step_i && lead == 2'd3 && !last_o);
    c_full: cover (f_out_q > 13'(BeatBytes) && step_i && 32'(take_i) == BeatBytes && off_q == ByteW'(1));
    c_empty: cover (step_i && count_o == '0);
  end
