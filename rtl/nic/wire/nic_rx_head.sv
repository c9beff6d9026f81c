// SPDX-License-Identifier: Apache-2.0
// nic_rx_head: reads the headers of a frame, and judges it.
//
//   IP beats --> | words of IP, and 13 behind it: checks, lengths | --(+ ICRC)--> verdict, head
//
// P1  In the cycle after the last IP beat (icrc_done_i) verdict_o is the first rule of README.md that the frame breaks.
// P2  head_o is what it says, valid with the verdict RxGood.
// P3  words_o (of all headers from IP on) and bytes_o (of the payload; fits_o: it is no negative number nor over 4096)
//     are those of the frame in the cycles after its IP beats, from that with the first word of BTH on; from its first
//     beat up to there fits_o is 0. words_o is 10 to 23 from reset on.
//
// A field is read where it is in a good frame, whatever the frame is; one that is too short to have it is RxShort
// anyway.
// Cost: about 950 flip-flops, 1300 LUT4, 8 levels; no cycle but the register.
// Rules of README.md: FRM-2, FRM-5, FRM-7, FRM-8, FRM-9, FRM-10.
`default_nettype none

module nic_rx_head #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned LenW = 9 + $clog2(DataW / 8),
  localparam int unsigned DwsW = $clog2(BeatDw)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [31:0]       cfg_ip_i,
  input  wire logic [127:0]      cfg_ip6_i,   // 0: none

  // IP beats, and what nic_rx_eth knows
  input  wire logic              ip_valid_i,
  input  wire logic [2:0]        ip_beat_i,
  input  wire logic [DataW-1:0]  ip_data_i,
  input  wire logic [LenW-1:0]   len_i,
  input  wire logic              err_i,
  input  wire logic              ours_i,
  input  wire logic              v6_i,        // IPv6, else read as IPv4
  input  wire logic              tag_i,
  input  wire logic [15:0]       tci_i,
  input  wire logic [47:0]       src_i,

  // For payload and ICRC, one cycle after the IP beat
  output logic      [4:0]        words_o,     // of headers: 10 (IPv6: 15) and those of the extension
  output logic                   fits_o,
  output logic      [12:0]       bytes_o,
  output logic      [DwsW-1:0]   ip_dws_o,    // words from IP to the ICRC, low bits
  output logic                   tag_o,

  // The verdict
  input  wire logic              icrc_good_i,
  output nic_pkg::rx_e           verdict_o,
  output nic_pkg::head_t         head_o
);

  // ---- words ----
  // Of IP (raw, 10 of them for IPv6), and the 13 from UDP on (UDP 0, BTH 2, extension 5), which stand behind either.
  // now: in this beat; _q: kept; as numbers, the first byte of the wire on top
  localparam int unsigned Words = 23;
  logic [Words*32-1:0] raw;
  logic [Words-1:0]    in_beat;
  for (genvar i = 0; i < Words; i++) begin : gen_raw
    localparam int unsigned At = 32 * (i % BeatDw);
    assign in_beat[i] = ip_valid_i && ip_beat_i == 3'(i / BeatDw);
    assign raw[32*i+:32] = {ip_data_i[At+:8], ip_data_i[At+8+:8], ip_data_i[At+16+:8], ip_data_i[At+24+:8]};
  end
  logic [13*32-1:0] now, word_q;
  logic [12:0]      here;
  assign now  = v6_i ? raw[10*32+:13*32] : raw[5*32+:13*32];
  assign here = v6_i ? in_beat[22:10] : in_beat[17:5];
  for (genvar i = 0; i < 13; i++) begin : gen_word
    always_ff @(posedge clk_i) if (here[i]) word_q[32*i+:32] <= now[32*i+:32];
  end

  // As headers; the words of the extension.
  nic_pkg::udp_t now_udp, udp;
  nic_pkg::bth_t now_bth, bth;
  logic [31:0]   x0, x1, x2, x3, x4, x5, x6;
  assign now_udp = {now[32*0+:32], now[32*1+:32]};
  assign now_bth = {now[32*2+:32], now[32*3+:32], now[32*4+:32]};
  assign udp     = {word_q[32*0+:32], word_q[32*1+:32]};
  assign bth     = {word_q[32*2+:32], word_q[32*3+:32], word_q[32*4+:32]};
  assign {x6, x5, x4, x3, x2, x1, x0} = word_q[32*5+:7*32];

  // ---- lengths: behind IP (len), and what headers, ICRC and pad leave for the payload (rest) ----
  logic [15:0] len_now, len_q, len, udp_len;
  logic [17:0] rest;
  logic [6:0]  beside;  // headers behind IP, ICRC, pad
  logic [3:0]  dws;
  logic        len_here, known, reth, aeth, atomic, ack, imm, xtq;
  assign len_here = v6_i ? in_beat[1] : in_beat[0];
  assign len_now  = v6_i ? raw[32+16+:16] : raw[15:0] - 16'd20;
  assign len      = len_here ? len_now : len_q;
  assign udp_len  = here[1] ? now_udp.bytes : udp.bytes;
  assign beside   = 7'd24 + {1'b0, dws, 2'b00} + 7'(now_bth.pad);
  assign rest     = {2'b00, len} - 18'(beside);

  nic_ext u_ext (
    .opcode_i(now_bth.opcode),
    .known_o(known),
    .reth_o(reth),
    .aeth_o(aeth),
    .atomic_o(atomic),
    .ack_o(ack),
    .imm_o(imm),
    .xtq_o(xtq),
    .dws_o(dws)
  );

  logic        known_q, reth_q, aeth_q, atomic_q, ack_q, imm_q, xtq_q, fits_q, short_q;
  logic [4:0]  words_q;
  logic [12:0] bytes_q;
  always_ff @(posedge clk_i) begin
    if (len_here) len_q <= len_now;
    if (here[2]) begin
      known_q  <= known;
      reth_q   <= reth;
      aeth_q   <= aeth;
      atomic_q <= atomic;
      ack_q    <= ack;
      imm_q    <= imm;
      xtq_q    <= xtq;
      bytes_q  <= rest[12:0];
    end
    if (!rst_ni) begin
      fits_q  <= 1'b0;
      words_q <= 5'd10;  // a smaller one would let the first payload begin with its headers
    end else if (here[2]) begin
      fits_q  <= rest[17:12] == '0 || rest == 18'd4096;  // a negative one is large
      words_q <= (v6_i ? 5'd15 : 5'd10) + {1'b0, dws};
    end else if (in_beat[0]) fits_q <= 1'b0;  // what is known of the frame before is not taken for this one's
    // Meant for the last beat. Without a tag 24 bytes behind IPv4 are 58 of Ethernet, and may be filled up to 60.
    if (ip_valid_i)
      short_q <= err_i || len_i < LenW'(v6_i ? 78 : 58) || udp_len != len || len[1:0] != 2'b00 ||
                 !({1'b0, len} + (v6_i ? 17'd54 : 17'd34) == 17'(len_i) ||
                   (!v6_i && len == 16'd24 && len_i <= LenW'(60)));
  end
  assign words_o  = words_q;
  assign fits_o   = fits_q;
  assign bytes_o  = bytes_q;
  assign ip_dws_o = len_q[2+:DwsW] + DwsW'(v6_q ? 10 : 5);
  assign tag_o    = tag_q;

  // ---- is it for us, and from whom? ----
  logic         v6_q, tag_q, ours_q, ver_q, whole_q, udp_q, port_q, ce_q;
  logic [3:0]   ip_q;   // our address, by words
  logic [2:0]   map_q;  // the words of from_q that are as in an address of IPv4
  logic [15:0]  tci_q;
  logic [47:0]  src_q;
  logic [127:0] from_q;
  always_ff @(posedge clk_i) begin
    if (in_beat[0]) begin
      v6_q   <= v6_i;
      tag_q  <= tag_i;
      tci_q  <= tci_i;
      ours_q <= ours_i;
      src_q  <= src_i;
      ver_q  <= v6_i ? raw[31:28] == 4'd6 : raw[31:24] == 8'h45;
      ce_q   <= v6_i ? raw[21:20] == 2'b11 : raw[17:16] == 2'b11;
    end
    if (in_beat[1]) whole_q <= v6_i || raw[32+:14] == 14'd0;
    if (v6_i ? in_beat[1] : in_beat[2]) udp_q <= (v6_i ? raw[32+8+:8] : raw[32*2+16+:8]) == nic_pkg::ProtoUdp;
    if (here[0]) port_q <= now_udp.to == nic_pkg::PortRoce;
    if (v6_i) begin
      for (int unsigned k = 0; k < 4; k++) begin
        if (in_beat[2+k]) from_q[32*(3-k)+:32] <= raw[32*(2+k)+:32];
        if (k < 3 && in_beat[2+k]) map_q[k] <= raw[32*(2+k)+:32] == (k == 2 ? 32'h0000_FFFF : 32'd0);
        if (in_beat[6+k]) ip_q[k] <= raw[32*(6+k)+:32] == cfg_ip6_i[32*(3-k)+:32] && cfg_ip6_i != '0;
      end
    end else begin
      if (in_beat[3]) {from_q, map_q} <= {nic_pkg::ip4(raw[32*3+:32]), 3'b111};
      if (in_beat[4]) ip_q <= {4{raw[32*4+:32] == cfg_ip_i}};
    end
  end

  // ---- the sum of IP's ten half-words is a multiple of FFFFh (and not 0): both halves together are FFFFh ----
  logic [19:0] sum03, sum4, sum_q;
  logic        sum_good;
  assign sum03 = 20'(raw[31:16]) + 20'(raw[15:0]) + 20'(raw[63:48]) + 20'(raw[47:32]) + 20'(raw[95:80]) +
                 20'(raw[79:64]) +
                 20'(raw[127:112]) + 20'(raw[111:96]);
  assign sum4  = 20'(raw[159:144]) + 20'(raw[143:128]);
  if (BeatDw > 4) begin : gen_sum
    always_ff @(posedge clk_i) if (in_beat[0]) sum_q <= sum03 + sum4;
  end else begin : gen_sum_narrow
    always_ff @(posedge clk_i) begin
      if (in_beat[0]) sum_q <= sum03;
      if (in_beat[4]) sum_q <= sum_q + sum4;
    end
  end
  // The sum is there a beat before the last one, unless that has all headers.
  logic sum_all;
  assign sum_all = sum_q[15:4] == 12'hFFF && sum_q[3:0] == ~sum_q[19:16];
  if (BeatDw < 16) begin : gen_good
    logic sum_all_q;
    always_ff @(posedge clk_i) sum_all_q <= sum_all;
    assign sum_good = sum_all_q;
  end else begin : gen_good_wide
    assign sum_good = sum_all;
  end

  // An address of IPv4's among ours is no address of an IPv6 frame: a peer of one kind is never taken for one of the
  // other.
  logic mapped;
  assign mapped = v6_q && &map_q;

  // ---- the verdict, in the order of rx_e ----
  always_comb begin
    verdict_o = nic_pkg::RxGood;
    if (bth.version != 4'd0 || !known_q) verdict_o = nic_pkg::RxBth;
    if (!icrc_good_i) verdict_o = nic_pkg::RxIcrc;
    if (!v6_q && !sum_good) verdict_o = nic_pkg::RxSum;
    if (!(ours_q && ver_q && whole_q && udp_q && &ip_q && port_q) || mapped) verdict_o = nic_pkg::RxForeign;
    if (short_q || !fits_q) verdict_o = nic_pkg::RxShort;
  end

  // ---- the head ----
  always_comb begin
    head_o.mac     = src_q;
    head_o.ip      = from_q;
    head_o.tag     = tag_q;
    head_o.tci     = tci_q;
    head_o.ce      = ce_q;
    head_o.port    = udp.from;
    head_o.opcode  = bth.opcode;
    head_o.se      = bth.se;
    head_o.ack_req = bth.ack_req;
    head_o.pkey    = bth.pkey;
    head_o.qp      = bth.qp;
    head_o.psn     = bth.psn;
    head_o.va      = reth_q || atomic_q ? {x0, x1} : '0;
    head_o.rkey    = reth_q || atomic_q ? x2 : '0;
    head_o.length  = reth_q ? x3 : '0;
    head_o.imm     = !imm_q ? '0 : reth_q ? x4 : x0;
    head_o.swap    = ack_q ? {x1, x2} : atomic_q ? {x3, x4} : '0;
    head_o.compare = atomic_q ? {x5, x6} : '0;
    {head_o.syndrome, head_o.msn} = aeth_q ? x0 : '0;
    head_o.xtq_kind = xtq_q ? x4[31:24] : '0;  // XtqETH stands behind RETH
    head_o.xtq_proc = xtq_q ? x4[15:0] : '0;
    head_o.xtq_args = xtq_q ? x5 : '0;
    head_o.xtq_pay  = xtq_q ? x6 : '0;
    head_o.bytes    = bytes_q;
  end

`ifdef FORMAL
`include "nic_rx_head_props.svh"
`endif

endmodule

`default_nettype wire
