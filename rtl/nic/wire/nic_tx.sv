// SPDX-License-Identifier: Apache-2.0
// nic_tx: RoCEv2 frames out.
//
//   head --> nic_tx_head --+--> nic_tx_beat --+--> [ beats ] ----+--> nic_tx_eth --> m_axis
//   pay  ------------------|------^           +--> nic_icrc --> [ ICRCs ]-^
//                          +--------------------> [ MAC addresses, tags ]-^
//
// P1  One frame for each head and its item of payload (head.bytes of them: env), in order, as README.md says, ICRC
//     included.
// P2  A beat that is offered stays until it is taken.
// P3  While heads and payload are there, a beat leaves in every cycle in which the MAC takes one: no gap in frames or
//     between.
// P4  From the cycle after hold_i on no head is taken, and idle_o says that no frame inside needs cfg_*_i any more:
//     behind a cycle of both they may change. It comes while the MAC takes beats and the payload of those heads is
//     there.
//
// A beat leaves nine cycles after the head (and its payload) was taken: two of header, one to make the beat, five until
// an ICRC would be there, one to put both together.
// Cost: DataW 256: see README.md.
// Rules of README.md: FRM-13.
`default_nettype none

module nic_tx #(
  localparam int unsigned DataW = nic_pkg::DataW
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  // Who we are
  input  wire logic [47:0]        cfg_mac_i,
  input  wire logic [31:0]        cfg_ip_i,
  input  wire logic [127:0]       cfg_ip6_i,
  input  wire logic [7:0]         cfg_tos_i,
  input  wire logic               hold_i,   // before that changes, until idle_o, and in the cycle of the write
  output logic                    idle_o,

  // What to send
  input  wire logic               head_valid_i,
  output logic                    head_ready_o,
  input  wire nic_pkg::tx_head_t  head_i,
  input  wire nic_pkg::peer_t     peer_i,      // from the cycle after it until the next head: of the last head

  input  wire logic               pay_valid_i,
  output logic                    pay_ready_o,
  input  wire nic_pkg::bytes_t    pay_i,

  // To the MAC
  output logic                    m_axis_valid_o,
  input  wire logic               m_axis_ready_i,
  output logic      [DataW-1:0]   m_axis_data_o,
  output logic      [DataW/8-1:0] m_axis_keep_o,
  output logic                    m_axis_last_o
);

  localparam int unsigned DwsW = $clog2(DataW / 32);
  localparam int unsigned Depth = 16;  // beats between, and so frames: a row of LUT RAM

  logic              hdr_valid, hdr_ready, hdr_begin;
  logic [47:0]       hdr_mac, mac;
  logic [16:0]       hdr_tag, tag;
  logic [4:0]        hdr_words;
  logic [10:0]       hdr_dws;
  logic [23*32-1:0]  hdr;
  logic              beat_valid, beat_ready, beat_first, beat_last, ip_valid, ip_ready, ip_first, ip_last;
  logic [DwsW-1:0]   beat_dws, ip_dws;
  logic [DataW-1:0]  beat_data, ip_data;
  logic              head_idle, mac_room, mac_valid, mac_ready, crc_made, crc_room, crc_valid, crc_ready;
  logic [31:0]       made, crc;

  nic_tx_head u_head (
    .clk_i,
    .rst_ni,
    .cfg_ip_i,
    .cfg_ip6_i,
    .cfg_tos_i,
    .hold_i,
    .idle_o(head_idle),
    .in_valid_i(head_valid_i),
    .in_ready_o(head_ready_o),
    .in_head_i(head_i),
    .in_peer_i(peer_i),
    .out_valid_o(hdr_valid),
    .out_ready_i(hdr_ready),
    .out_mac_o(hdr_mac),
    .out_tag_o(hdr_tag),
    .out_words_o(hdr_words),
    .out_dws_o(hdr_dws),
    .out_hdr_o(hdr)
  );

  nic_tx_beat u_beat (
    .clk_i,
    .rst_ni,
    .hdr_valid_i(hdr_valid),
    .hdr_ready_o(hdr_ready),
    .hdr_words_i(hdr_words),
    .hdr_dws_i(hdr_dws),
    .hdr_i(hdr),
    .begin_o(hdr_begin),
    .pay_valid_i,
    .pay_ready_o,
    .pay_i,
    .out_valid_o(beat_valid),
    .out_ready_i(beat_ready),
    .out_first_o(beat_first),
    .out_last_o(beat_last),
    .out_dws_o(beat_dws),
    .out_data_o(beat_data)
  );

  cm_fifo #(
    .Width(DataW + DwsW + 2),
    .Depth(Depth)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(beat_valid),
    .in_ready_o(beat_ready),
    .in_data_i({beat_first, beat_last, beat_dws, beat_data}),
    .out_valid_o(),
    .out_ready_i(ip_valid && ip_ready),
    .out_data_o({ip_first, ip_last, ip_dws, ip_data}),
    .level_o()
  );

  // Fields that change on the way go into the ICRC as FFh. IP's version is in the first byte.
  logic [2:0]       number_q;  // of the beat in its frame, 7 and more: 7
  logic             v6, v6_q;
  logic [DataW-1:0] crc_data;
  assign v6 = number_q == 3'd0 ? beat_data[7:4] == 4'd6 : v6_q;
  nic_icrc_mask u_mask (
    .data_i(beat_data),
    .beat_i(number_q),
    .v6_i(v6),
    .data_o(crc_data)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) number_q <= 3'd0;
    else if (beat_valid && beat_ready) number_q <= beat_last ? 3'd0 : number_q == 3'd7 ? 3'd7 : number_q + 3'd1;
    if (beat_valid && beat_ready) v6_q <= v6;
  end

  nic_icrc u_icrc (
    .clk_i,
    .rst_ni,
    .in_valid_i(beat_valid && beat_ready),
    .in_last_i(beat_last),
    .in_dws_i(beat_dws),
    .in_data_i(crc_data),
    .valid_o(crc_made),
    .crc_o(made)
  );

  // A frame's last beat waits in u_beats for its ICRC, so there are never more of them than beats.
  cm_fifo #(
    .Width(32),
    .Depth(Depth)
  ) u_crcs (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(crc_made),
    .in_ready_o(crc_room),
    .in_data_i(made),
    .out_valid_o(crc_valid),
    .out_ready_i(crc_ready),
    .out_data_o(crc),
    .level_o()
  );

  // A beat is shown when the ICRC would be there if it were the last: a MAC cannot wait in the middle of a frame.
  localparam int unsigned CrcCycles = 4;
  logic [CrcCycles-1:0] push_q;
  logic [4:0]           shown_q;  // beats inside that have waited long enough
  assign ip_valid = shown_q != 5'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      push_q  <= '0;
      shown_q <= 5'd0;
    end else begin
      push_q <= {push_q[CrcCycles-2:0], beat_valid && beat_ready};
      if (push_q[CrcCycles-1] && !(ip_valid && ip_ready)) shown_q <= shown_q + 5'd1;
      if (!push_q[CrcCycles-1] && ip_valid && ip_ready) shown_q <= shown_q - 5'd1;
    end
  end

  // Address and tag go ahead when the first beat is made, which is then in nic_tx_beat or in u_beats.
  cm_fifo #(
    .Width(48 + 17),
    .Depth(Depth + 1)
  ) u_macs (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(hdr_begin),
    .in_ready_o(mac_room),
    .in_data_i({hdr_tag, hdr_mac}),
    .out_valid_o(mac_valid),
    .out_ready_i(mac_ready),
    .out_data_o({tag, mac}),
    .level_o()
  );

  // Our own address goes in beside the other one.
  assign idle_o = head_idle && !mac_valid;

  nic_tx_eth u_eth (
    .clk_i,
    .rst_ni,
    .cfg_mac_i,
    .in_valid_i(ip_valid),
    .in_ready_o(ip_ready),
    .in_first_i(ip_first),
    .in_last_i(ip_last),
    .in_dws_i(ip_dws),
    .in_data_i(ip_data),
    .mac_valid_i(mac_valid),
    .mac_ready_o(mac_ready),
    .mac_i(mac),
    .tag_i(tag),
    .crc_valid_i(crc_valid),
    .crc_ready_o(crc_ready),
    .crc_i(crc),
    .m_axis_valid_o,
    .m_axis_ready_i,
    .m_axis_data_o,
    .m_axis_keep_o,
    .m_axis_last_o
  );

  logic unused;
  assign unused = mac_room ^ crc_room;

endmodule

`default_nettype wire
