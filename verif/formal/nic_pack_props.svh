// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_pack. One byte of one item is followed: byte f_at of the f_item-th item, from the piece that brings
// it to the beat that shows it, whose place is found by counting alone.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_item, 3)
  `FV_ANYCONST(f_at, 14)

  logic [2:0]  f_in_item_q, f_out_item_q;   // items begun at the input, at the output (that of the beat shown)
  logic [13:0] f_in_q, f_out_q;             // bytes of them before the next piece, before the beat shown
  logic        f_hold_q, f_wait_q, f_some_q, f_err_q, f_here, f_open_q;
  logic [7:0]  f_byte_q;
  logic [13:0] f_rel, f_outrel;
  logic [nic_pkg::BytesW-1:0] f_beat_q;
  nic_pkg::bytes_t f_piece_q;
  // the piece's bytes are those of a cycle ago; what is behind them may be anything
  logic        f_same;

  always_comb begin
    f_same = 1'b1;
    for (int unsigned p = 0; p < BeatBytes; p++)
      if (p < 32'(in_beat_i.bytes)) f_same &= in_beat_i.data[8*p+:8] == f_piece_q.data[8*p+:8];
  end
  assign f_rel    = f_at - f_in_q;
  assign f_here   = take && f_in_item_q == f_item && f_at >= f_in_q && f_rel < 14'(in_beat_i.bytes);
  assign f_outrel = f_at - f_out_q;

  always_ff @(posedge clk_i) begin
    f_hold_q  <= rst_ni && in_valid_i && !in_ready_o;
    f_wait_q  <= rst_ni && out_valid_o && !out_ready_i;
    f_piece_q <= in_beat_i;
    f_beat_q  <= out_beat_o;
    if (!rst_ni) begin
      f_in_item_q  <= '0;
      f_out_item_q <= '0;
      f_in_q       <= '0;
      f_out_q      <= '0;
      f_some_q     <= 1'b0;
      f_open_q     <= 1'b0;
    end else begin
      if (take) begin
        f_in_q      <= in_beat_i.last ? '0 : f_in_q + 14'(in_beat_i.bytes);
        f_in_item_q <= f_in_item_q + 3'(in_beat_i.last);
        f_open_q    <= !in_beat_i.last;
        f_err_q     <= in_beat_i.err || (f_open_q && f_err_q);
      end
      if (out_valid_o && out_ready_i) begin
        f_out_q      <= out_beat_o.last ? '0 : f_out_q + 14'(out_beat_o.bytes);
        f_out_item_q <= f_out_item_q + 3'(out_beat_o.last);
      end
    end
    if (f_here) f_byte_q <= in_beat_i.data[(8 * (32'(f_rel) & (BeatBytes - 1)))+:8];
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_bytes: assume (!in_valid_i || 32'(in_beat_i.bytes) <= BeatBytes);
    env_long: assume (!in_valid_i || 32'(f_in_q) + 32'(in_beat_i.bytes) < 32'd8192);
    env_hold: assume (!f_hold_q || (in_valid_i && in_beat_i.last == f_piece_q.last && in_beat_i.err == f_piece_q.err &&
                                    in_beat_i.bytes == f_piece_q.bytes && f_same));
  end

  // ---- counts: what came in of the item that the rest belongs to = what was shown + the beat + the rest ----
  logic [13:0] f_rest_at;     // the rest's first byte in its item
  logic [2:0]  f_rest_item;
  assign f_rest_at   = !out_valid_q ? f_out_q : out_last_q ? 14'd0 : f_out_q + 14'(out_bytes_q);
  assign f_rest_item = f_out_item_q + 3'(out_valid_q && out_last_q);
  logic [13:0] f_rrel;
  assign f_rrel = f_at - f_rest_at;

  `FV_COMB if (f_past_q) begin
    p1_fill: assert (32'(fill_q) <= BeatBytes);
    if (over_q) p1_over: assert (f_in_item_q == 3'(f_rest_item + 3'd1) && f_in_q == '0 && !f_open_q);
    if (!over_q) p1_count: assert (f_in_item_q == f_rest_item && f_in_q == f_rest_at + 14'(fill_q));
    if (!over_q) p1_open: assert (f_open_q || (fill_q == '0 && f_rest_at == '0));
    p1_bound: assert (32'(f_rest_at) + 32'(fill_q) < 32'd8192);
    if (f_rest_at != '0) p1_needed: assert (fill_q != '0);
    if (out_valid_q && !out_last_q) p1_more: assert (fill_q != '0 && 32'(out_bytes_q) == BeatBytes);
    if (out_valid_q) p1_out: assert (32'(out_bytes_q) <= BeatBytes && (out_bytes_q != '0 || f_out_q == '0));
    if (32'(f_rrel) < 32'(fill_q) && f_at >= f_rest_at && f_rest_item == f_item) p1_rest:
        assert (rest_q[8*(32'(f_rrel)&(BeatBytes-1))+:8] == f_byte_q);
    if (f_open_q && !over_q) p4_err: assert (err_q == f_err_q);
    if (!f_open_q && !over_q) p4_none: assert (!err_q);
    if (over_q) p4_over: assert (err_q == f_err_q);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    if (out_valid_o && f_out_item_q == f_item && f_at >= f_out_q && f_outrel < 14'(out_beat_o.bytes)) p1_byte:
        assert (out_beat_o.data[8*(32'(f_outrel)&(BeatBytes-1))+:8] == f_byte_q);
    if (out_valid_o && !out_beat_o.last) p1_full: assert (32'(out_beat_o.bytes) == BeatBytes);
    if (out_valid_o && out_beat_o.last && f_out_q != '0) p2_some: assert (out_beat_o.bytes != '0);
    if (f_wait_q) p3_hold: assert (out_valid_o && out_beat_o == f_beat_q);
    if (!out_valid_o || out_ready_i) p5_rate: assert (in_ready_o);
    c_empty: cover (out_valid_o && out_beat_o.last && out_beat_o.bytes == '0);
    c_follow: cover (out_valid_o && f_out_item_q == f_item && f_outrel < 14'(out_beat_o.bytes) && f_out_q != '0 &&
                     f_at >= f_out_q);
    c_both: cover (over_q && take && in_beat_i.last && out_valid_o && out_ready_i);
  end
