// SPDX-License-Identifier: Apache-2.0
// nic_rx_head: reads the headers of a frame, and judges it.
//
//   IP beats --> | words 0 to 17, checks, lengths | --(+ ICRC)--> verdict, head
//
// P1  In the cycle after the last IP beat (icrc_done_i) verdict_o is the first rule of README.md that the frame breaks.
// P2  head_o is what it says, valid with the verdict RxGood.
// P3  words_o (of all headers from IP on) and bytes_o (of the payload; fits_o: it is no negative number nor over 4096) are those of the
//     frame in the cycles after its IP beats, from that with word 7 on. words_o is 10 to 18 from reset on.
//
// A field is read where it is in a good frame, whatever the frame is; one that is too short to have it is RxShort anyway.
// Cost: about 800 flip-flops, 600 LUT4, 7 levels; no cycle but the register.
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

  // IP beats, and what nic_rx_eth knows
  input  wire logic              ip_valid_i,
  input  wire logic [2:0]        ip_beat_i,
  input  wire logic [DataW-1:0]  ip_data_i,
  input  wire logic [LenW-1:0]   len_i,
  input  wire logic              err_i,
  input  wire logic              ours_i,
  input  wire logic [47:0]       src_i,

  // For payload and ICRC, one cycle after the IP beat
  output logic      [4:0]        words_o,     // of headers: 10 and those of the extension
  output logic                   fits_o,
  output logic      [12:0]       bytes_o,
  output logic      [DwsW-1:0]   ip_dws_o,    // IP's length in words, low bits

  // The verdict
  input  wire logic              icrc_good_i,
  output nic_pkg::rx_e           verdict_o,
  output nic_pkg::head_t         head_o
);

  // ---- words of the headers: now (in this beat) and kept; as numbers, the first byte of the wire on top ----
  logic [18*32-1:0] now, word_q;
  logic [17:0]      here;
  for (genvar i = 0; i < 18; i++) begin : gen_word
    localparam int unsigned At = 32 * (i % BeatDw);
    assign here[i] = ip_valid_i && ip_beat_i == 3'(i / BeatDw);
    assign now[32*i+:32] = {ip_data_i[At+:8], ip_data_i[At+8+:8], ip_data_i[At+16+:8], ip_data_i[At+24+:8]};
    always_ff @(posedge clk_i) if (here[i]) word_q[32*i+:32] <= now[32*i+:32];
  end

  // ---- lengths ----
  logic [15:0] ip_len, udp_len;
  logic [17:0] rest;  // payload: what headers, ICRC and pad leave
  logic [3:0]  dws;
  logic        known, reth, aeth, atomic, ack, imm, xtq;
  assign ip_len  = here[0] ? now[15:0] : word_q[15:0];
  assign udp_len = here[6] ? now[32*6+16+:16] : word_q[32*6+16+:16];
  assign rest    = {2'b00, ip_len} - 18'd44 - {12'd0, dws, 2'b00} - {16'd0, now[32*7+20+:2]};

  nic_ext u_ext (
    .opcode_i(now[32*7+24+:8]),
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
    if (here[7]) begin
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
    end else if (here[7]) begin
      fits_q  <= rest <= 18'd4096;  // a negative one is large
      words_q <= 5'd10 + {1'b0, dws};
    end
    // Meant for the last beat. 44 bytes of IP are 58 of Ethernet, and may be filled up to 60.
    if (ip_valid_i)
      short_q <= err_i || len_i < LenW'(58) || udp_len != ip_len - 16'd20 || ip_len[1:0] != 2'b00 ||
                 !({1'b0, ip_len} + 17'd14 == 17'(len_i) || (ip_len == 16'd44 && len_i <= LenW'(60)));
  end
  assign words_o  = words_q;
  assign fits_o   = fits_q;
  assign bytes_o  = bytes_q;
  assign ip_dws_o = word_q[2+:DwsW];

  // ---- is it for us? ----
  logic ours_q, ver_q, whole_q, udp_q, ip_q, port_q;
  logic [47:0] src_q;
  always_ff @(posedge clk_i) begin
    if (here[0]) begin
      ours_q <= ours_i;
      src_q  <= src_i;
      ver_q  <= now[31:24] == 8'h45;
    end
    if (here[1]) whole_q <= now[32+:14] == 14'd0;
    if (here[2]) udp_q <= now[32*2+16+:8] == 8'd17;
    if (here[4]) ip_q <= now[32*4+:32] == cfg_ip_i;
    if (here[5]) port_q <= now[32*5+:16] == 16'd4791;
  end

  // ---- the sum of IP's ten half-words is a multiple of FFFFh (and not 0): both halves together are FFFFh ----
  logic [19:0] sum03, sum4, sum_q;
  logic        sum_good;
  assign sum03 = 20'(now[31:16]) + 20'(now[15:0]) + 20'(now[63:48]) + 20'(now[47:32]) + 20'(now[95:80]) + 20'(now[79:64]) +
                 20'(now[127:112]) + 20'(now[111:96]);
  assign sum4  = 20'(now[159:144]) + 20'(now[143:128]);
  if (BeatDw > 4) begin : gen_sum
    always_ff @(posedge clk_i) if (here[0]) sum_q <= sum03 + sum4;
  end else begin : gen_sum_narrow
    always_ff @(posedge clk_i) begin
      if (here[0]) sum_q <= sum03;
      if (here[4]) sum_q <= sum_q + sum4;
    end
  end
  assign sum_good = sum_q[15:4] == 12'hFFF && sum_q[3:0] == ~sum_q[19:16];

  // ---- the verdict, in the order of rx_e ----
  always_comb begin
    verdict_o = nic_pkg::RxGood;
    if (word_q[32*7+16+:4] != 4'd0 || !known_q) verdict_o = nic_pkg::RxBth;
    if (!icrc_good_i) verdict_o = nic_pkg::RxIcrc;
    if (!sum_good) verdict_o = nic_pkg::RxSum;
    if (!(ours_q && ver_q && whole_q && udp_q && ip_q && port_q)) verdict_o = nic_pkg::RxForeign;
    if (short_q || !fits_q) verdict_o = nic_pkg::RxShort;
  end

  // ---- the head ----
  logic [63:0] va, swap;
  logic [31:0] w10, w11, w12, w14;
  assign w10  = word_q[32*10+:32];
  assign w11  = word_q[32*11+:32];
  assign w12  = word_q[32*12+:32];
  assign w14  = word_q[32*14+:32];
  assign va   = reth_q || atomic_q ? {w10, w11} : '0;
  assign swap = ack_q ? {w11, w12} : atomic_q ? {word_q[32*13+:32], w14} : '0;
  assign head_o = {
    src_q,
    word_q[32*3+:32],
    word_q[32*5+16+:16],
    word_q[32*7+24+:8],
    word_q[32*7+23],
    word_q[32*9+31],
    word_q[32*7+:16],
    word_q[32*8+:24],
    word_q[32*9+:24],
    va,
    reth_q || atomic_q ? w12 : 32'd0,
    reth_q ? word_q[32*13+:32] : 32'd0,
    imm_q ? (reth_q ? w14 : w10) : 32'd0,
    swap,
    atomic_q ? {word_q[32*15+:32], word_q[32*16+:32]} : 64'd0,
    aeth_q ? w10 : 32'd0,
    xtq_q ? {w14[31:24], w14[15:0], word_q[32*15+:32], word_q[32*16+:32]} : 88'd0,
    bytes_q
  };

`ifdef FORMAL
`include "nic_rx_head_props.svh"
`endif

endmodule

`default_nettype wire
