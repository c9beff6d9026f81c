// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rx_pay. f_sent_q bytes of the frame's payload have left; a byte of a beat, chosen freely, is looked
// for where the headers' length says.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_byte, $clog2(BeatBytes))

  logic [13:0]      f_sent_q;
  logic             f_begun_q, f_done_q, f_first_q;
  logic [31:0]      f_at;
  logic [DataW-1:0] f_cur_q;
  logic [4:0]       f_words_q;
  logic             f_fits_q;
  logic [12:0]      f_bytes_q;
  assign f_at = 32'(f_byte) + 4 * (32'(words_i) % BeatDw);

  // The beat that waits, and the one in which the payload begins, as the ports tell.
  logic       f_full_q, f_last_q, f_emit, f_start;
  logic [2:0] f_beat_q;
  assign f_emit  = f_full_q && (f_last_q || ip_valid_i);
  assign f_start = fits_i && {1'b0, f_beat_q} == 4'(words_i >> DwsW);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_full_q <= 1'b0;
    else f_full_q <= ip_valid_i || (f_full_q && !f_emit);
    if (ip_valid_i) {f_last_q, f_beat_q} <= {ip_last_i, ip_beat_i};
    if (ip_valid_i) f_cur_q <= ip_data_i;
    f_words_q <= words_i;
    f_fits_q  <= fits_i;
    f_bytes_q <= bytes_i;
    if (!rst_ni) begin
      f_begun_q <= 1'b0;
      f_done_q  <= 1'b0;
      f_sent_q  <= '0;
    end else if (f_emit) begin
      f_begun_q <= !f_last_q && (f_begun_q || f_start);
      f_done_q  <= !f_last_q && (f_done_q || (pay_valid_o && pay_o.last));
      f_sent_q  <= f_last_q ? '0 : pay_valid_o ? f_sent_q + 14'(pay_o.bytes) : f_sent_q;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // What nic_rx_head promises: from the beat with BTH's first word on, nothing changes until the frame has gone.
    if (f_begun_q) env_kept: assume (words_i == f_words_q && fits_i == f_fits_q && bytes_i == f_bytes_q);
    if (fits_i) env_words: assume (words_i >= 5'd10 && words_i <= 5'd23);
    if (fits_i) env_bytes: assume (bytes_i <= 13'd4096);
    // Beats are numbered in order, so that a frame begins its payload once.
    if (f_begun_q && f_full_q) env_once: assume (!f_start);

    p1_waits: assert (full_q == f_full_q && (!full_q || {last_q, beat_q} == {f_last_q, f_beat_q}));
    if (pay_valid_o && !start) p1_sent: assert (f_begun_q && !f_done_q);
    if (pay_valid_o) p1_last: assert (pay_o.last == (14'(bytes_i) - (start ? 14'd0 : f_sent_q) <= 14'(BeatBytes)));
    if (pay_valid_o && pay_o.last) p1_all: assert ((start ? 14'd0 : f_sent_q) + 14'(pay_o.bytes) == 14'(bytes_i));
    if (pay_valid_o && !pay_o.last) p1_full: assert (pay_o.bytes == 7'(BeatBytes));
    if (f_begun_q && f_fits_q && fits_i)
      p1_left: assert (f_done_q ? left_q == '0 : 14'(left_q) + f_sent_q == 14'(bytes_i));
    if (f_begun_q && f_fits_q && !f_done_q) p1_some: assert (left_q != '0);
    if (!f_begun_q) p1_none: assert (!f_done_q && f_sent_q == '0 && left_q == '0);
    if (pay_valid_o) p2_when: assert (full_q && (last_q || ip_valid_i));
    if (full_q) p2_cur: assert (data_q == f_cur_q);
    if (pay_valid_o && f_at < BeatBytes) p2_low: assert (pay_o.data[8*f_byte+:8] == f_cur_q[8*(f_at%BeatBytes)+:8]);
    if (pay_valid_o && f_at >= BeatBytes) p2_high: assert (pay_o.data[8*f_byte+:8] == ip_data_i[8*(f_at%BeatBytes)+:8]);
    c_turned: cover (pay_valid_o && !start && words_i[DwsW-1:0] == '0 && pay_o.last);
    c_empty: cover (pay_valid_o && pay_o.last && pay_o.bytes == 7'd0);
    c_three: cover (pay_valid_o && pay_o.last && f_sent_q == 14'(2 * BeatBytes) && last_q);
    c_cut: cover (pay_valid_o && !pay_o.last && last_q);
  end
