// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_tx_eth. A byte of a frame beat, chosen freely (f_byte), is Ethernet's, or one of the IP stream 14 bytes behind.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_byte, $clog2(BeatBytes))

  logic [DataW-1:0]     f_ip, f_was_q;  // IP beat with its ICRC; the one before
  logic [7:0]           f_eth, f_want, f_want_q, f_out;
  logic [31:0]          f_used, f_rest_q, f_len_q;  // bytes of IP: in this beat, still to go, of the beat that leaves
  logic                 f_go_q, f_wait_q, f_end_q;
  logic [DataW-1:0]     f_data_q;
  logic [BeatBytes-1:0] f_keep_q;
  logic [111:0]         f_head;
  assign f_head = {16'h0008, cfg_mac_i[7:0], cfg_mac_i[15:8], cfg_mac_i[23:16], cfg_mac_i[31:24], cfg_mac_i[39:32],
                   cfg_mac_i[47:40], mac_i[7:0], mac_i[15:8], mac_i[23:16], mac_i[31:24], mac_i[39:32], mac_i[47:40]};
  assign f_used = in_last_i ? 4 * (32'(in_dws_i) + 1) : BeatBytes;
  always_comb begin
    f_ip = in_data_i;
    if (in_last_i) f_ip[32*in_dws_i+:32] = crc_i;
    f_eth = 8'(f_head >> (8 * (32'(f_byte) % 14)));
    if (32'(f_byte) >= 14) f_want = f_ip[8*((32'(f_byte)-14)%BeatBytes)+:8];
    else if (in_first_i && in_ready_o) f_want = f_eth;
    else f_want = f_was_q[8*((32'(f_byte)+BeatBytes-14)%BeatBytes)+:8];
  end
  assign f_out = m_axis_data_o[8*f_byte+:8];

  always_ff @(posedge clk_i) begin
    f_go_q   <= rst_ni && (in_ready_o || (tail_q && free));
    f_want_q <= f_want;
    f_wait_q <= rst_ni && m_axis_valid_o && !m_axis_ready_i;
    f_data_q <= m_axis_data_o;
    f_keep_q <= m_axis_keep_o;
    if (in_ready_o) f_was_q <= f_ip;
    if (!rst_ni) f_rest_q <= 32'd0;
    else if (in_ready_o) f_rest_q <= in_last_i && f_used + 14 > BeatBytes ? f_used + 14 - BeatBytes : 32'd0;
    else if (free) f_rest_q <= 32'd0;
    if (in_ready_o) begin
      f_len_q <= f_used + 14 > BeatBytes ? BeatBytes : f_used + 14;
      f_end_q <= in_last_i && f_used + 14 <= BeatBytes;
    end else if (free) begin
      f_len_q <= f_rest_q;
      f_end_q <= 1'b1;
    end
  end

  logic f_any_q;  // some IP beat has been taken
  logic f_idle_q;  // between frames
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_idle_q <= 1'b1;
    else if (in_ready_o) f_idle_q <= in_last_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (in_valid_i) env_first: assume (in_first_i == f_idle_q);
    if (!f_idle_q || tail_q) p1_begun: assert (f_any_q);
    if (f_go_q) p1_valid: assert (m_axis_valid_o && m_axis_last_o == f_end_q);
    if (f_go_q && 32'(f_byte) < f_len_q) p1_byte: assert (f_out == f_want_q);
    if (f_go_q) p1_keep: assert (m_axis_keep_o[f_byte] == (32'(f_byte) < f_len_q));
    if (f_go_q && !m_axis_last_o) p1_full: assert (&m_axis_keep_o);
    p1_tail: assert (tail_q == (f_rest_q != 32'd0) && f_rest_q <= 14);
    if (tail_q) p1_tail_keep: assert (tail_keep_q[f_byte] == (32'(f_byte) < f_rest_q));
    if (in_ready_o && in_first_i) p1_mac: assert (mac_ready_o && mac_valid_i);
    if (in_ready_o && in_last_i) p1_crc: assert (crc_ready_o && crc_valid_i);
    if (f_wait_q) p2_wait: assert (m_axis_valid_o && m_axis_data_o == f_data_q && m_axis_keep_o == f_keep_q);
    if (in_valid_i && mac_valid_i && crc_valid_i && m_axis_ready_i) p3_rate: assert (in_ready_o || tail_q);
    c_tail: cover (f_go_q && m_axis_last_o && f_rest_q == 32'd0 && f_len_q == 32'd14);
    c_one: cover (f_go_q && m_axis_last_o && f_len_q == BeatBytes - 2 && in_ready_o && in_first_i);
  end
  logic [7:0] f_held;
  assign f_held = rest_q[8*(32'(f_byte)%14)+:8];
  `FV_COMB if (f_past_q && rst_ni && 32'(f_byte) < 14)
    p1_rest: assert (f_held == f_was_q[8*((32'(f_byte)+BeatBytes-14)%BeatBytes)+:8] || !f_any_q);
  always_ff @(posedge clk_i) f_any_q <= rst_ni && (f_any_q || in_ready_o);
