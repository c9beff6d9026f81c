// SPDX-License-Identifier: Apache-2.0
// nic_tx_head: makes the headers of frames, from IP to the extension, as words.
//
//   head --> | head | --> form, length --> | head, form, sum | --> headers (10 to 23 words), length of the frame
//
// P1  Headers leave in order, one for each head, as README.md says; out_words_o of the 23 words are header, the others
//     0: who makes a head gives its extension as the wire has it, and behind it 0 (env_ext).
// P2  What waits does not change. One a cycle where a frame may be of one beat; else no beat of a frame waits for its
//     head, though a head is taken only when the first rank was empty before: in_ready_o is a register.
// P3  From the cycle after hold_i on no head is taken, and idle_o says that none is inside nor will be: behind a cycle
//     of both cfg_*_i may change (env_steady). So a frame has them as they were when its head was taken.
//
// Nobody keeps cfg_*_i for a head: they pass with it, their part of the checksum in the cycle before. A head has been
// chosen in the cycle in which it comes, so nothing is asked of it before it is in a register.
// Cost: 837 flip-flops, 820 LUT4, 9 levels, 2 from in_* (Yosys 0.23, synth_ecp5 -nowidelut -abc9); 2 cycles.
// Rules of README.md: FRM-11, FRM-12, FRM-13.
`default_nettype none

module nic_tx_head (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [31:0]      cfg_ip_i,
  input  wire logic [127:0]     cfg_ip6_i,
  input  wire logic [7:0]       cfg_tos_i,

  // Before who we are changes: hold_i until idle_o, and in the cycle of the write
  input  wire logic             hold_i,
  output logic                  idle_o,

  // In
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire nic_pkg::tx_head_t in_head_i,
  input  wire nic_pkg::peer_t   in_peer_i,    // from the cycle after it until the next head: of the last head

  // Out
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic      [47:0]      out_mac_o,
  output logic      [16:0]      out_tag_o,    // whether it has an 802.1Q tag, and its TCI
  output logic      [4:0]       out_words_o,  // of headers
  output logic      [10:0]      out_dws_o,    // of the frame, from IP to the ICRC
  output logic      [23*32-1:0] out_hdr_o     // byte 0 of IP in 7:0
);

  localparam logic [7:0] HopLimit = 8'd64;
  localparam logic [7:0] Version4 = 8'h45;  // and 5 words of header
  localparam logic [15:0] DontFragment = 16'h4000;

  // ---- two ranks ----
  nic_pkg::tx_head_t a_q, b_q;
  nic_pkg::peer_t    to_q;
  logic        a_valid_q, b_valid_q, a_go, b_go;
  logic        b_v6_q;
  logic [4:0]  b_words_q;
  logic [10:0] b_dws_q;
  logic [18:0] own_q;   // what the checksum has of constants and of us
  logic [18:0] b_sum_q;

  // ---- the form of a head: what it has, how long it is ----
  logic       known;
  logic [3:0] ext;
  nic_ext u_ext (
    .opcode_i(a_q.opcode),
    .known_o(known),
    .reth_o(),
    .aeth_o(),
    .atomic_o(),
    .ack_o(),
    .imm_o(),
    .xtq_o(),
    .dws_o(ext)
  );

  logic        v6;
  logic [13:0] padded;
  logic [10:0] dws;
  logic [4:0]  words;
  assign padded = 14'(a_q.bytes) + 14'd3;
  assign v6     = in_peer_i.v6;
  assign dws    = padded[12:2] + (v6 ? 11'd16 : 11'd11) + {7'd0, ext};  // 4096 bytes are 1024 words
  assign words  = (v6 ? 5'd15 : 5'd10) + {1'b0, ext};

  // The shortest frame has an ACK's words: IPv4, UDP, BTH, ICRC. Two beats give an empty rank the time to fill.
  localparam bit OneBeat = nic_pkg::BeatDw >= 11;
  assign b_go = !b_valid_q || out_ready_i;
  assign a_go = !a_valid_q || b_go;
  // A head is taken from afar: that one may come has been known a cycle before.
  logic a_valid_d, held_q, ready_q;
  assign a_valid_d   = a_go ? in_valid_i && in_ready_o : a_valid_q;
  assign in_ready_o  = OneBeat ? !held_q && a_go : ready_q;
  assign out_valid_o = b_valid_q;
  assign idle_o      = held_q && !a_valid_q && !b_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      a_valid_q <= 1'b0;
      b_valid_q <= 1'b0;
      held_q    <= 1'b1;
      ready_q   <= 1'b0;
    end else begin
      a_valid_q <= a_valid_d;
      if (b_go) b_valid_q <= a_valid_q;
      held_q    <= hold_i;
      ready_q   <= !hold_i && !a_valid_d;
    end
  end

  always_ff @(posedge clk_i) begin
    own_q <= 19'({Version4, cfg_tos_i}) + 19'(DontFragment) + 19'({HopLimit, nic_pkg::ProtoUdp}) +
             19'(cfg_ip_i[31:16]) + 19'(cfg_ip_i[15:0]);
    if (in_ready_o) a_q <= in_head_i;
    if (b_go) begin
      b_q        <= a_q;
      to_q       <= in_peer_i;
      b_v6_q     <= v6;
      b_words_q  <= words;
      b_dws_q    <= dws;
      b_sum_q    <= own_q + 19'({dws, 2'b00}) + 19'(in_peer_i.ip[31:16]) + 19'(in_peer_i.ip[15:0]);
    end
  end

  // ---- the checksum: carries are added at the other end, twice ----
  logic [16:0] fold;
  logic [15:0] check, ip_len;
  assign fold   = 17'(b_sum_q[15:0]) + 17'(b_sum_q[18:16]);
  assign check  = ~(fold[15:0] + 16'(fold[16]));
  assign ip_len = {3'd0, b_dws_q, 2'b00};

  // ---- the words, as numbers ----
  logic [5*32-1:0]  w4;
  logic [10*32-1:0] w6;
  logic [13*32-1:0] w;  // from UDP on
  logic [23*32-1:0] all;
  logic [15:0]      udp_len;
  assign udp_len = ip_len - (b_v6_q ? 16'd40 : 16'd20);
  assign w4 = {to_q.ip[31:0], cfg_ip_i, {HopLimit, nic_pkg::ProtoUdp, check}, {16'd0, DontFragment},
              {Version4, cfg_tos_i, ip_len}};
  // IPv6: the flow label is the UDP source port, which stands for the flow.
  assign w6[32*0+:32] = {4'd6, cfg_tos_i, 4'd0, to_q.port};
  assign w6[32*1+:32] = {udp_len, nic_pkg::ProtoUdp, HopLimit};
  for (genvar i = 0; i < 4; i++) begin : gen_ip6
    assign w6[32*(2+i)+:32] = cfg_ip6_i[32*(3-i)+:32];
    assign w6[32*(6+i)+:32] = to_q.ip[32*(3-i)+:32];
  end
  nic_pkg::udp_t udp;
  nic_pkg::bth_t bth;
  always_comb begin
    udp         = '0;
    udp.from    = to_q.port;
    udp.to      = nic_pkg::PortRoce;
    udp.bytes   = udp_len;
    bth         = '0;
    bth.opcode  = b_q.opcode;
    bth.se      = b_q.se;
    bth.mig     = 1'b1;
    bth.pad     = 2'(-b_q.bytes[1:0]);
    bth.pkey    = to_q.pkey;
    bth.becn    = b_q.opcode[7:5] == nic_pkg::TransCnp;
    bth.qp      = to_q.qp;
    bth.ack_req = b_q.ack_req;
    bth.psn     = b_q.psn;
  end
  assign {w[32*0+:32], w[32*1+:32]} = udp;
  assign {w[32*2+:32], w[32*3+:32], w[32*4+:32]} = bth;
  assign w[32*5+:8*32] = {32'd0, b_q.ext};

  assign all         = b_v6_q ? {w, w6} : {160'd0, w, w4};
  assign out_mac_o   = to_q.mac;
  assign out_tag_o   = {to_q.tag, to_q.tci};
  assign out_words_o = b_words_q;
  assign out_dws_o   = b_dws_q;
  for (genvar i = 0; i < 23; i++) begin : gen_word
    assign out_hdr_o[32*i+:32] = {all[32*i+:8], all[32*i+8+:8], all[32*i+16+:8], all[32*i+24+:8]};
  end

  logic unused;
  assign unused = ^{known, padded[13], padded[1:0]};  // nobody sends an opcode without a form

`ifdef FORMAL
`include "nic_tx_head_props.svh"
`endif

endmodule

`default_nettype wire
