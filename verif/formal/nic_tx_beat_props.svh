// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_tx_beat. A byte of a beat, chosen freely (f_byte), is looked for where the headers' length says: in
// the headers, in the payload beat of now, or in that of before.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_byte, $clog2(BeatBytes))

  logic [31:0]      f_at, f_rot, f_sent_q, f_made_q;
  logic [DataW-1:0] f_was_q;    // payload beat before, cut
  logic             f_took_q, f_wait_q, f_hdr_wait_q, f_open_q;
  logic [7:0]       f_want, f_want_q;
  logic             f_go_q, f_first_q, f_last_q;
  logic [DataW-1:0] f_data_q;
  logic [10:0]      f_dws_q;
  logic [4:0]       f_words_q;
  logic [DataW-1:0] f_cut;
  assign f_rot = 4 * (32'(hdr_words_i) % BeatDw);
  assign f_at  = f_made_q * BeatBytes + 32'(f_byte);  // of the frame
  always_comb begin
    for (int i = 0; i < BeatBytes; i++)
      f_cut[8*i+:8] = pay_ready_o && 32'(i) < 32'(pay_i.bytes) ? pay_i.data[8*i+:8] : 8'h00;
    if (f_at < 4 * 32'(hdr_words_i)) f_want = 8'(hdr_i >> (8 * f_at));
    else if (32'(f_byte) >= f_rot) f_want = f_cut[8*((32'(f_byte)-f_rot)%BeatBytes)+:8];
    else f_want = f_took_q ? f_was_q[8*((32'(f_byte)+BeatBytes-f_rot)%BeatBytes)+:8] : 8'h00;
  end

  always_ff @(posedge clk_i) begin
    f_go_q    <= rst_ni && go;
    f_want_q  <= f_want;
    f_first_q <= f_made_q == 32'd0;
    f_last_q  <= (f_made_q + 1) * BeatDw >= 32'(hdr_dws_i);
    f_wait_q  <= rst_ni && out_valid_o && !out_ready_i;
    f_data_q  <= out_data_o;
    f_dws_q   <= hdr_dws_i;
    f_words_q <= hdr_words_i;
    f_hdr_wait_q <= rst_ni && hdr_valid_i && !hdr_ready_o;
    if (!rst_ni) begin
      f_made_q <= 32'd0;
      f_took_q <= 1'b0;
    end else if (go) begin
      f_made_q <= hdr_ready_o ? 32'd0 : f_made_q + 32'd1;
      f_took_q <= pay_ready_o && !hdr_ready_o;
      f_was_q  <= f_cut;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (hdr_valid_i) env_words: assume (hdr_words_i >= 5'd10 && hdr_words_i <= 5'd23 &&
                                        hdr_dws_i > 11'(hdr_words_i) && hdr_dws_i <= 11'd1048);
    if (f_hdr_wait_q) env_hdr: assume (hdr_valid_i && hdr_dws_i == f_dws_q && hdr_words_i == f_words_q);

    if (f_go_q) p1_byte: assert (out_data_o[8*f_byte+:8] == f_want_q);
    if (f_go_q) p1_ends: assert (out_valid_o && out_first_o == f_first_q && out_last_o == f_last_q);
    if (hdr_ready_o) p1_used: assert (f_made_q * BeatDw + 32'(DwsW'(left - 11'd1)) + 1 == 32'(hdr_dws_i));
    if (pay_ready_o) p2_from: assert (f_made_q >= 32'(hdr_words_i) / BeatDw && !ended_q);
    if (f_wait_q) p3_wait: assert (out_valid_o && out_data_o == f_data_q);

    p1_beat: assert (32'(beat_q) == (f_made_q > 7 ? 7 : f_made_q) && f_made_q < 32'd262);
    if (f_made_q != 0)
      p1_left: assert (f_hdr_wait_q && 32'(left_q) + f_made_q * BeatDw == 32'(f_dws_q) && left_q != '0);
    if (f_made_q == 0) p2_fresh: assert (!ended_q && !f_took_q);
    if (f_took_q || (f_made_q != 0 && ended_q)) p2_begun: assert (f_made_q > 32'(f_words_q) / BeatDw);
    c_last: cover (go && last && pay_ready_o && !first);
    c_back_to_back: cover (f_go_q && out_last_o && go && first);
    c_narrow_end: cover (f_go_q && out_last_o && ended_q == 1'b0 && out_dws_o == '0);
  end
  // Between the beats of the payload and behind them: what was turned is what was cut.
  logic [7:0] f_rest, f_rest_was;
  logic [31:0] f_place;
  assign f_place = (32'(f_byte) + BeatBytes - 4 * (32'(f_words_q) % BeatDw)) % BeatBytes;
  assign f_rest     = rest_q[8*f_byte+:8];
  assign f_rest_was = f_was_q[8*f_place+:8];
  `FV_COMB if (f_past_q && rst_ni && f_made_q != 0) p1_rest: assert (f_rest == f_rest_was);
  `FV_COMB if (f_past_q && rst_ni && f_made_q != 0 && !f_took_q) p1_zero: assert (f_rest == 8'h00);
