// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_strip. Byte f_at of the f_item-th item is followed, counted from the first word's byte 0.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_item, 2)
  `FV_ANYCONST(f_at, 13)

  logic [1:0]  f_in_item_q, f_out_item_q;
  // bytes of the words that came; of the item that left (lead included once any has)
  logic [12:0] f_in_q, f_out_q;
  logic        f_hold_q, f_wait_q, f_inwait_q, f_open_q, f_err_q, f_ur_q, f_here;
  logic [1:0]  f_lead_q;
  logic [7:0]  f_byte_q;
  logic [nic_pkg::DataW+12:0] f_word_q, f_word;
  nic_pkg::bytes_t f_beat_q;
  logic [12:0] f_rel, f_from, f_orel;

  assign f_word = {in_data_i, in_last_i, in_empty_i, in_err_i, in_ur_i, in_lead_i, in_stop_i};
  assign f_rel  = f_at - f_in_q;
  assign f_here = take && f_in_item_q == f_item && f_at >= f_in_q &&
                  32'(f_rel) < (in_last_i ? 32'(in_stop_i) : BeatBytes);
  assign f_from = f_out_q + 13'(lead_q);  // place of the first byte shown
  assign f_orel = f_at - f_from;

  always_ff @(posedge clk_i) begin
    f_hold_q   <= rst_ni && in_valid_i && !in_ready_o;
    f_wait_q   <= rst_ni && out_valid_o && !out_ready_i;
    f_inwait_q <= in_valid_i;
    f_word_q   <= f_word;
    f_beat_q   <= out_beat_o;
    if (!rst_ni) begin
      f_in_item_q  <= '0;
      f_out_item_q <= '0;
      f_in_q       <= '0;
      f_out_q      <= '0;
      f_open_q     <= 1'b0;
    end else begin
      if (take) begin
        f_in_q      <= in_last_i ? '0 : f_in_q + 13'(BeatBytes);
        f_in_item_q <= f_in_item_q + 2'(in_last_i);
        f_open_q    <= !in_last_i;
      end
      if (give) begin
        f_out_q      <= out_beat_o.last ? '0 : f_out_q + 13'(out_beat_o.bytes);
        f_out_item_q <= f_out_item_q + 2'(out_beat_o.last);
      end
    end
    if (take) f_lead_q <= in_lead_i;
    if (take && !f_open_q) {f_err_q, f_ur_q} <= {in_err_i, in_ur_i};
    if (f_here) f_byte_q <= in_data_i[8*(32'(f_rel)&(BeatBytes-1))+:8];
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_stop: assume (!in_valid_i || (in_stop_i != '0 && 32'(in_stop_i) <= BeatBytes));
    env_first: assume (!(in_valid_i && !f_open_q && in_last_i && !in_empty_i) || in_stop_i > 7'(in_lead_i));
    env_empty: assume (!(in_valid_i && in_empty_i) || (in_last_i && !f_open_q));
    env_lead: assume (!(in_valid_i && f_open_q) || in_lead_i == f_lead_q);
    env_long: assume (!(in_valid_i && !in_last_i) || 32'(f_in_q) + 2 * BeatBytes < 32'd8192);
    env_hold: assume (!f_hold_q || (in_valid_i && f_word == f_word_q));
  end

  `FV_COMB if (f_past_q) begin
    p1_item: assert (f_in_item_q == 2'(f_out_item_q + 2'(valid_q && last_q)));
    if (valid_q && !last_q)
      p1_here: assert (f_open_q && f_in_q == f_out_q + 13'(BeatBytes) && f_lead_q == lead_q && !empty_q);
    if (valid_q && last_q)
      p1_end: assert (!f_open_q && f_in_q == '0 && (empty_q ? f_out_q == '0 : stop_q > 7'(lead_q)) &&
                      32'(stop_q) <= BeatBytes);
    if (!valid_q) p1_none: assert (!f_open_q && f_in_q == '0 && f_out_q == '0);
    p1_in: assert (32'(f_in_q) + BeatBytes < 32'd8192);
    p1_long: assert (32'(f_out_q) + BeatBytes < 32'd8192 && (f_out_q & 13'(BeatBytes - 1)) == '0);
    if (valid_q) p2_kept: assert ({err_q, ur_q} == {f_err_q, f_ur_q});
    if (valid_q && f_out_item_q == f_item && f_at >= f_out_q &&
        32'(f_at - f_out_q) < (last_q ? 32'(stop_q) : BeatBytes))
      p1_data: assert (data_q[8*(32'(f_at)&(BeatBytes-1))+:8] == f_byte_q);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    if (out_valid_o) begin
      if (f_out_item_q == f_item && f_at >= f_from && 32'(f_orel) < 32'(out_beat_o.bytes) &&
          32'(f_at - f_out_q) < BeatBytes)
        p1_byte: assert (out_beat_o.data[8*(32'(f_orel)&(BeatBytes-1))+:8] == f_byte_q);
      if (f_out_item_q == f_item && 32'(f_at - f_out_q) >= BeatBytes && f_here && f_at >= f_from &&
          32'(f_orel) < 32'(out_beat_o.bytes))
        p1_next: assert (out_beat_o.data[8*(32'(f_orel)&(BeatBytes-1))+:8] ==
                         in_data_i[8*(32'(f_rel)&(BeatBytes-1))+:8]);
      p1_full: assert (out_beat_o.last ? 32'(out_beat_o.bytes) <= BeatBytes : 32'(out_beat_o.bytes) == BeatBytes);
      p1_some: assert (out_beat_o.bytes != '0 || (out_beat_o.last && empty_q));
      p2_err: assert ({out_beat_o.err, out_beat_o.ur} == {f_err_q, f_ur_q});
    end
    if (f_wait_q) p3_hold: assert (out_valid_o && out_beat_o == f_beat_q);
    if (!valid_q || out_ready_i) p4_rate: assert (in_ready_o);
    c_absorb: cover (give && absorb && valid_q && f_out_q != '0);
    c_rest: cover (give && last_q && valid_q && lead_q == 2'd3 && f_out_q != '0);
    c_empty: cover (give && empty_q && in_valid_i);
  end
