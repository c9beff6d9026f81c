// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rx_eth. One byte of IP beats, chosen freely (f_byte), is fetched from the frame as it came: f_was_q
// is the last frame beat taken, with what keep excludes made zero.
`include "fv.svh"
// Rules of README.md: FRM-8.
  `FV_INIT
  `FV_ANYCONST(f_byte, LowW)

  logic [7:0]           f_taken_q, f_shown_q;  // beats, modulo 256; shown: those that make no IP beat count as well
  logic [DataW-1:0]     f_was_q, f_now;
  logic [BeatBytes-1:0] f_keep;
  logic                 f_first_q, f_was_last_q, f_was_first_q, f_emit_q, f_last_q, f_fill, f_tag, f_was_tag_q, f_none;
  logic [9:0]           f_number_q;  // of the next beat in its frame; does not wrap
  logic [7:0]           f_want, f_want_q, f_ip;
  logic [31:0]          f_from, f_start, f_count, f_more, f_beats;

  assign f_start = 32'(f_number_q) * BeatBytes;  // where this beat is in the frame
  // A frame has a tag if its bytes 12 and 13 say so; they are in its first beat.
  assign f_tag   = f_first_q ? f_count >= 14 && in_data_i[103:96] == 8'h81 && in_data_i[111:104] == 8'h00 : f_was_tag_q;
  assign f_more  = f_tag ? 32'd4 : 32'd0;
  assign f_fill  = in_last_i && f_start + f_count <= 60 + f_more;
  always_comb begin
    f_count = 32'd0;
    for (int i = 0; i < BeatBytes; i++) if (in_keep_i[i]) f_count = f_count + 32'd1;
    for (int i = 0; i < BeatBytes; i++) begin
      f_keep[i] = in_keep_i[i];
      if (f_fill && f_start + 32'(i) >= 58 + f_more) f_keep[i] = 1'b0;
      f_now[8*i+:8] = f_keep[i] ? in_data_i[8*i+:8] : 8'h00;
    end
  end
  // Where byte f_byte of an IP beat comes from: of the frame beat that waits (f_was_q), or of the one that comes. With
  // a tag in front of beats of 16 bytes the first beat makes no IP beat, and the next ones are two bytes behind.
  assign f_from = 32'(f_byte) + (f_was_tag_q ? 18 % BeatBytes : 14);
  assign f_want = f_from < BeatBytes ? f_was_q[8*(f_from%BeatBytes)+:8] : f_was_last_q ? 8'h00 :
                  f_now[8*(f_from%BeatBytes)+:8];
  assign f_none = BeatBytes < 18 && f_was_tag_q && f_was_first_q && !f_was_last_q;
  assign f_beats = f_none ? 32'd0 : 32'(cur_beat_q) - (BeatBytes < 18 && f_was_tag_q && !f_was_first_q ? 32'd1 : 32'd0);
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
      f_shown_q <= f_shown_q + 8'(early_valid_o || (emit && f_none));
      if (in_valid_i) begin
        f_was_q       <= f_now;
        f_was_last_q  <= in_last_i;
        f_was_tag_q   <= f_tag;
        f_was_first_q <= f_first_q;
        f_first_q     <= in_last_i;
        f_number_q    <= in_last_i ? 10'd0 : f_number_q == 10'd600 ? f_number_q : f_number_q + 10'd1;
      end
    end
  end

  // What the first 18 bytes of the frame that waits say: kept when its first beat has been followed by the next, or was
  // its last.
  logic [143:0] f_eth;
  logic [15:0]  f_type;
  logic [66:0]  f_said, f_kept_q, f_said_q;
  logic [2:0]   f_beat_q;
  logic [31:0]  f_len, f_len_q;
  logic [8:0]   f_was_n_q;  // bytes of the beat that waits
  if (BeatBytes < 18) begin : gen_f_narrow
    assign f_eth = {f_was_last_q ? 16'd0 : f_now[15:0], f_was_q[127:0]};
  end else begin : gen_f_wide
    assign f_eth = f_was_q[143:0];
  end
  assign f_type = f_was_tag_q ? {f_eth[135:128], f_eth[143:136]} : {f_eth[103:96], f_eth[111:104]};
  assign f_said = !f_was_first_q ? f_kept_q :
                  {f_was_tag_q, f_was_tag_q ? {f_eth[119:112], f_eth[127:120]} : 16'd0,
                   {f_eth[7:0], f_eth[15:8], f_eth[23:16], f_eth[31:24], f_eth[39:32], f_eth[47:40]} == cfg_mac_i &&
                   (f_type == 16'h0800 || f_type == 16'h86DD), f_type == 16'h86DD,
                   f_eth[55:48], f_eth[63:56], f_eth[71:64], f_eth[79:72], f_eth[87:80], f_eth[95:88]};
  assign f_len = 32'(cur_beat_q) * BeatBytes + 32'(f_was_n_q) - (f_was_tag_q ? 32'd4 : 32'd0);
  always_ff @(posedge clk_i) begin
    if (in_valid_i) f_was_n_q <= 9'(f_count);
    if (emit && f_was_first_q) f_kept_q <= f_said;
    f_said_q <= f_said;
    f_beat_q <= f_beats > 7 ? 3'd7 : f_beats[2:0];
    f_len_q  <= f_len & (32'd1 << (9 + LowW)) - 32'd1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (in_valid_i && !in_last_i) env_full: assume (&in_keep_i);
    if (in_valid_i) env_run: assume ((in_keep_i & (in_keep_i + BeatBytes'(1))) == '0);

    p1_all: assert (8'(f_taken_q - f_shown_q) == 8'(cur_valid_q));
    if (cur_valid_q)
      p1_state: assert (cur_last_q == f_was_last_q && cur_q == f_was_q && (cur_beat_q == 9'd0) == f_was_first_q);
    if (cur_valid_q) p1_tag: assert (tag_q == f_was_tag_q && 9'(cur_bytes_q) == f_was_n_q);
    if (cur_valid_q && !f_was_first_q) p5_kept: assert ({tag_out_q, tci_q, ours_q, v6_q, src_q} == f_kept_q);
    if (!cur_valid_q || cur_last_q) p1_first: assert (f_first_q && f_number_q == 10'd0);
    if (cur_valid_q && !cur_last_q)
      p1_inside: assert (!f_first_q && f_number_q != 10'd0 && f_number_q <= 10'd600 &&
                         (f_number_q < 10'd512 ? cur_beat_q == 9'(f_number_q - 10'd1) : &cur_beat_q));
    p2_early: assert (early_valid_o == (cur_valid_q && (f_was_last_q || in_valid_i) && !f_none));
    p2_next: assert (ip_valid_o == f_emit_q);
    if (ip_valid_o) p2_last: assert (ip_last_o == f_last_q);
    if (ip_valid_o) p3_byte: assert (f_ip == f_want_q);
    if (ip_valid_o) p4_len: assert (32'(len_o) == f_len_q);
    if (ip_valid_o) p5_frame: assert ({tag_o, tci_o, ours_o, v6_o, src_o} == f_said_q && ip_beat_o == f_beat_q);
    c_back_to_back: cover (ip_valid_o && ip_last_o && early_valid_o && early_last_o && in_valid_i);
    c_long: cover (ip_valid_o && ip_last_o && ip_beat_o == 3'd4);
    c_fill: cover (in_valid_i && in_fill);
    c_tag_fill: cover (in_valid_i && tag_fill);
    c_tag: cover (ip_valid_o && ip_last_o && ours_o && v6_o && tag_o);
  end
