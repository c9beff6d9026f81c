// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rx_eth. One byte of IP beats, chosen freely (f_byte), is fetched from the frame as it came: f_was_q is the last
// frame beat taken, with what keep excludes made zero.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_byte, LowW)

  logic [7:0]           f_taken_q, f_shown_q;  // beats, modulo 256
  logic [DataW-1:0]     f_was_q, f_now;
  logic [BeatBytes-1:0] f_keep;
  logic                 f_first_q, f_was_last_q, f_was_first_q, f_emit_q, f_last_q, f_fill;
  logic [9:0]           f_number_q;  // of the next beat in its frame; does not wrap
  logic [7:0]           f_want, f_want_q, f_ip;
  logic [31:0]          f_from, f_start, f_count;

  assign f_start = 32'(f_number_q) * BeatBytes;  // where this beat is in the frame
  assign f_fill  = in_last_i && f_start + f_count <= 60;
  always_comb begin
    f_count = 32'd0;
    for (int i = 0; i < BeatBytes; i++) if (in_keep_i[i]) f_count = f_count + 32'd1;
    for (int i = 0; i < BeatBytes; i++) begin
      f_keep[i] = in_keep_i[i];
      if (f_fill && f_start + 32'(i) >= 58) f_keep[i] = 1'b0;
      f_now[8*i+:8] = f_keep[i] ? in_data_i[8*i+:8] : 8'h00;
    end
  end
  assign f_from = 32'(f_byte) + 14;
  assign f_want = f_from < BeatBytes ? f_was_q[8*(f_from%BeatBytes)+:8] : f_was_last_q ? 8'h00 : f_now[8*(f_from%BeatBytes)+:8];
  assign f_ip   = ip_data_o[8*f_byte+:8];

  always_ff @(posedge clk_i) begin
    f_emit_q <= rst_ni && early_valid_o;
    f_last_q <= f_was_last_q;
    f_want_q <= f_want;
    if (!rst_ni) begin
      f_taken_q  <= 8'd0;
      f_shown_q  <= 8'd0;
      f_first_q  <= 1'b1;
      f_number_q <= 10'd0;
    end else begin
      f_taken_q <= f_taken_q + 8'(in_valid_i);
      f_shown_q <= f_shown_q + 8'(early_valid_o);
      if (in_valid_i) begin
        f_was_q       <= f_now;
        f_was_last_q  <= in_last_i;
        f_was_first_q <= f_first_q;
        f_first_q     <= in_last_i;
        f_number_q    <= in_last_i ? 10'd0 : f_number_q == 10'd600 ? f_number_q : f_number_q + 10'd1;
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (in_valid_i && !in_last_i) env_full: assume (&in_keep_i);
    if (in_valid_i) env_run: assume ((in_keep_i & (in_keep_i + BeatBytes'(1))) == '0);

    p1_all: assert (8'(f_taken_q - f_shown_q) == 8'(cur_valid_q));
    if (cur_valid_q) p1_state: assert (cur_last_q == f_was_last_q && cur_q == f_was_q && (cur_beat_q == 9'd0) == f_was_first_q);
    if (!cur_valid_q || cur_last_q) p1_first: assert (f_first_q && f_number_q == 10'd0);
    if (cur_valid_q && !cur_last_q)
      p1_inside: assert (!f_first_q && f_number_q != 10'd0 && f_number_q <= 10'd600 &&
                         (f_number_q < 10'd512 ? cur_beat_q == 9'(f_number_q - 10'd1) : &cur_beat_q));
    p2_early: assert (early_valid_o == (cur_valid_q && (f_was_last_q || in_valid_i)));
    p2_next: assert (ip_valid_o == f_emit_q);
    if (ip_valid_o) p2_last: assert (ip_last_o == f_last_q);
    if (ip_valid_o) p3_byte: assert (f_ip == f_want_q);
    c_back_to_back: cover (ip_valid_o && ip_last_o && early_valid_o && early_last_o && in_valid_i);
    c_long: cover (ip_valid_o && ip_last_o && ip_beat_o == 3'd4);
    c_fill: cover (in_valid_i && in_fill);
  end
