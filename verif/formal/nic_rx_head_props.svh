// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rx_head: the order of the rules, the checksum by folding, and that what a frame says lasts until the
// next one.
`include "fv.svh"
// Rules of README.md: FRM-7, FRM-9, FRM-10.
  `FV_INIT_NO_RESET

  logic [16:0] f_fold;
  logic        f_kept_q, f_reset_q, f_sum_q;
  logic [2:0]  f_from_q;   // words of the peer's address that have come
  logic        f_first_q;  // the beat before was a frame's first, and BTH begins behind it
  logic [4:0]  f_words_q;
  logic [12:0] f_bytes_q;
  assign f_fold = 17'(sum_q[15:0]) + 17'(sum_q[19:16]);
  always_ff @(posedge clk_i) begin
    f_kept_q  <= rst_ni && !here[2];
    f_reset_q <= f_past_q && (f_reset_q || !rst_ni);
    f_first_q <= rst_ni && in_beat[0] && !here[2];
    f_sum_q   <= sum_all;
    for (int unsigned k = 0; k < 3; k++)
      f_from_q[k] <= f_past_q && (f_from_q[k] || (v6_i ? in_beat[2+k] : in_beat[3]));
    f_words_q <= words_o;
    f_bytes_q <= bytes_o;
  end

  `FV_COMB if (f_past_q) begin
    p1_sum: assert (sum_all == (f_fold == 17'h0FFFF) && sum_good == (BeatDw < 16 ? f_sum_q : sum_all));
    p1_map: assert (((map_q ^ {from_q[63:32] == 32'hFFFF, from_q[95:64] == '0, from_q[127:96] == '0}) & f_from_q) ==
                    '0);
    if (short_q || !fits_q) p1_short: assert (verdict_o == nic_pkg::RxShort);
    if (!short_q && fits_q && !(ours_q && &ip_q && port_q && udp_q && whole_q && ver_q &&
                                !(v6_q && &f_from_q && from_q[127:32] == 96'hFFFF)))
      p1_foreign: assert (verdict_o == nic_pkg::RxForeign);
    if (verdict_o == nic_pkg::RxGood)
      p1_good: assert (icrc_good_i && (v6_q || sum_good) && known_q && ours_q && &ip_q && !short_q);
    if (verdict_o == nic_pkg::RxIcrc) p1_icrc: assert (!icrc_good_i && (v6_q || sum_good));
    if (verdict_o == nic_pkg::RxGood)
      p2_opcode: assert (head_o.opcode == bth.opcode && head_o.bytes == bytes_o);
    if (verdict_o == nic_pkg::RxGood && v6_q && &f_from_q) p2_peer: assert (head_o.ip[127:32] != 96'hFFFF);
    p2_tag: assert (tag_o == head_o.tag);
    if (verdict_o == nic_pkg::RxGood && !reth_q && !atomic_q) p2_none: assert (head_o.va == '0 && head_o.rkey == '0);
    if (f_kept_q) p3_kept: assert (words_o == f_words_q && bytes_o == f_bytes_q);
    if (f_reset_q) p3_words: assert (words_o >= 5'd10 && words_o <= 5'd23);
    if (f_first_q) p3_fits: assert (!fits_o);
    c_good: cover (verdict_o == nic_pkg::RxGood && head_o.bytes == 13'd4096 && xtq_q);
    c_mapped: cover (!short_q && fits_q && f_reset_q && v6_q && &f_from_q && from_q[127:32] == 96'hFFFF);
    c_bth: cover (verdict_o == nic_pkg::RxBth);
    c_v6: cover (verdict_o == nic_pkg::RxGood && v6_q && f_reset_q && words_o == 5'd23);
  end
