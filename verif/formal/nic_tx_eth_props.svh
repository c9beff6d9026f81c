// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_tx_eth. A byte of a frame beat, chosen freely (f_byte), is Ethernet's, or one of the IP stream
// f_front bytes behind: 14, with a tag 18, of which a beat of its own is taken off where beats are shorter.
`include "fv.svh"
// Rules of README.md: FRM-12.
  `FV_INIT
  `FV_ANYCONST(f_byte, $clog2(BeatBytes))

  localparam int unsigned FTag = 18 % BeatBytes;

  logic [DataW-1:0]     f_ip, f_was_q;  // IP beat with its ICRC; the one before
  logic [7:0]           f_eth, f_want, f_want_q, f_out;
  // bytes of IP: in this beat, still to go, of the beat that leaves
  logic [31:0]          f_used, f_rest_q, f_len_q, f_front;
  logic                 f_go_q, f_wait_q, f_end_q, f_tag, f_tag_q, f_alone;
  logic                 f_went_q;       // Ethernet's beat of its own has gone ahead of the IP beat that waits
  logic [DataW-1:0]     f_data_q;
  logic [BeatBytes-1:0] f_keep_q;
  logic [143:0]         f_head;
  logic                 f_any_q;   // some IP beat has been taken
  logic                 f_idle_q;  // between frames
  assign f_tag   = f_idle_q ? tag_i[16] : f_tag_q;
  assign f_front = f_tag ? FTag : 14;
  assign f_alone = BeatBytes < 18 && in_valid_i && f_idle_q && mac_valid_i && tag_i[16] && !f_went_q &&
                   f_rest_q == 32'd0;
  assign f_head[95:0]   = {cfg_mac_i[7:0], cfg_mac_i[15:8], cfg_mac_i[23:16], cfg_mac_i[31:24], cfg_mac_i[39:32],
                           cfg_mac_i[47:40],
                           mac_i[7:0], mac_i[15:8], mac_i[23:16], mac_i[31:24], mac_i[39:32], mac_i[47:40]};
  assign f_head[143:96] = tag_i[16] ? {in_data_i[7:4] == 4'd6 ? 16'hDD86 : 16'h0008, tag_i[7:0],
                                       tag_i[15:8], 16'h0081} :
                                      {32'd0, in_data_i[7:4] == 4'd6 ? 16'hDD86 : 16'h0008};
  assign f_used = in_last_i ? 4 * (32'(in_dws_i) + 1) : BeatBytes;
  always_comb begin
    f_ip = in_data_i;
    if (in_last_i) f_ip[32*in_dws_i+:32] = crc_i;
    f_eth = 8'(f_head >> (8 * (32'(f_byte) + (f_went_q && tag_i[16] ? BeatBytes : 0))));
    if (f_alone) f_want = f_eth;
    else if (32'(f_byte) >= f_front) f_want = f_ip[8*((32'(f_byte)+BeatBytes-f_front)%BeatBytes)+:8];
    else if (in_first_i && in_ready_o) f_want = f_eth;
    else f_want = f_was_q[8*((32'(f_byte)+BeatBytes-f_front)%BeatBytes)+:8];
    // what is left of the frame before leaves with the tag that it had
    if (f_rest_q != 32'd0) f_want = f_was_q[8*((32'(f_byte)+BeatBytes-(f_tag_q?FTag:14))%BeatBytes)+:8];
  end
  assign f_out = m_axis_data_o[8*f_byte+:8];

  always_ff @(posedge clk_i) begin
    f_go_q   <= rst_ni && (in_ready_o || (tail_q && free) || (f_alone && free));
    f_want_q <= f_want;
    f_wait_q <= rst_ni && m_axis_valid_o && !m_axis_ready_i;
    f_data_q <= m_axis_data_o;
    f_keep_q <= m_axis_keep_o;
    if (in_ready_o) f_was_q <= f_ip;
    if (in_ready_o) f_tag_q <= f_tag;
    if (!rst_ni) f_went_q <= 1'b0;
    else if (in_ready_o) f_went_q <= 1'b0;
    else if (f_alone && free) f_went_q <= 1'b1;
    if (!rst_ni) f_rest_q <= 32'd0;
    else if (in_ready_o) f_rest_q <= in_last_i && f_used + f_front > BeatBytes ? f_used + f_front - BeatBytes : 32'd0;
    else if (free) f_rest_q <= 32'd0;
    if (in_ready_o) begin
      f_len_q <= f_used + f_front > BeatBytes ? BeatBytes : f_used + f_front;
      f_end_q <= in_last_i && f_used + f_front <= BeatBytes;
    end else if (free) begin
      f_len_q <= f_rest_q != 32'd0 ? f_rest_q : BeatBytes;
      f_end_q <= f_rest_q != 32'd0;
    end
    if (!rst_ni) f_idle_q <= 1'b1;
    else if (in_ready_o) f_idle_q <= in_last_i;
    f_any_q <= rst_ni && (f_any_q || in_ready_o);
  end

  logic f_offered_q;
  logic [64:0] f_item, f_item_q;
  assign f_item = {tag_i, mac_i};
  always_ff @(posedge clk_i) begin
    f_offered_q <= rst_ni && in_valid_i && mac_valid_i && !mac_ready_o && f_idle_q;
    f_item_q    <= f_item;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (in_valid_i) env_first: assume (in_first_i == f_idle_q);
    // What waits stays: a beat of Ethernet's may have gone ahead of it.
    if (f_offered_q) env_waits: assume (in_valid_i && mac_valid_i && f_item == f_item_q);

    if (!f_idle_q || tail_q) p1_begun: assert (f_any_q);
    if (!f_idle_q || tail_q) p1_tag: assert (tag_q == f_tag_q);
    p1_ahead: assert (ahead_q == f_went_q &&
                      (!f_went_q || (f_idle_q && f_offered_q && f_item_q[64] && BeatBytes < 18)));
    if (f_went_q) p1_ahead_once: assert (!tail_q);
    if (f_go_q) p1_valid: assert (m_axis_valid_o && m_axis_last_o == f_end_q);
    if (f_go_q && 32'(f_byte) < f_len_q) p1_byte: assert (f_out == f_want_q);
    if (f_go_q) p1_keep: assert (m_axis_keep_o[f_byte] == (32'(f_byte) < f_len_q));
    if (f_go_q && !m_axis_last_o) p1_full: assert (&m_axis_keep_o);
    p1_tail: assert (tail_q == (f_rest_q != 32'd0) && f_rest_q <= (f_tag_q ? FTag : 14));
    if (tail_q) p1_tail_keep: assert (tail_keep_q[f_byte] == (32'(f_byte) < f_rest_q));
    if (in_ready_o && in_first_i) p1_mac: assert (mac_ready_o && mac_valid_i);
    if (in_ready_o && in_last_i) p1_crc: assert (crc_ready_o && crc_valid_i);
    if (f_wait_q) p2_wait: assert (m_axis_valid_o && m_axis_data_o == f_data_q && m_axis_keep_o == f_keep_q);
    if (in_valid_i && mac_valid_i && crc_valid_i && m_axis_ready_i) p3_rate: assert (in_ready_o || tail_q || f_alone);
    c_tail: cover (f_go_q && m_axis_last_o && f_rest_q == 32'd0 && f_len_q == 32'd14);
    c_one: cover (f_go_q && m_axis_last_o && f_len_q == BeatBytes - 2 && in_ready_o && in_first_i);
    c_tag: cover (f_go_q && m_axis_last_o && f_tag_q);
  end
  // What is held back of an IP beat are its last bytes.
  logic [7:0]  f_held;
  logic [31:0] f_tail;
  assign f_tail = f_tag_q ? FTag : 14;
  assign f_held = 8'(rest_q >> (8 * 32'(f_byte)));
  `FV_COMB if (f_past_q && rst_ni && 32'(f_byte) < f_tail && f_any_q)
    p1_rest: assert (f_held == f_was_q[8*((32'(f_byte)+BeatBytes-f_tail)%BeatBytes)+:8] && tag_q == f_tag_q);
