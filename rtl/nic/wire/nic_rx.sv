// SPDX-License-Identifier: Apache-2.0
// nic_rx: RoCEv2 frames in. A frame is stored until its last beat and then shown whole, or forgotten.
//
//   s_axis --> nic_rx_eth --+--> nic_rx_head --> verdict, head --> nic_rx_store --> head
//       (14 or 18 bytes off)|--> nic_rx_icrc ------^           |
//                           +--> nic_rx_pay -------------------+---------------> pay
//
// P1  Every frame is judged once, in order: three cycles after its last beat was taken. judged_o is README.md's
//     verdict.
// P2  Every good frame, and no other, gives one head_o and one item of payload, in the order of arrival.
// P3  s_axis_ready_o is low only when nearly Beats beats of payload or Frames heads are inside; else a beat a cycle
//     goes in, whatever the frames, with no gap between them.
// P4  A waiting head or beat never changes. The payload of a head is shown not before the head is.
//
// After the last beat: +1 its IP beat, +2 the end of the IP beats, +3 the verdict; the head is shown in +4, payload in
// +5. cfg_*_i are those of the cycles in which the headers pass. A frame that goes on for ever takes no room: payload
// is not stored beyond 4096 bytes. Cost: DataW 256: see README.md.
// Rules of README.md: FRM-6.
`default_nettype none

module nic_rx #(
  parameter int unsigned Beats = 512,  // payload, power of two: more than 4096 bytes
  parameter int unsigned Frames = 16,  // heads
  localparam int unsigned DataW = nic_pkg::DataW
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  // Who we are
  input  wire logic [47:0]        cfg_mac_i,
  input  wire logic [31:0]        cfg_ip_i,
  input  wire logic [127:0]       cfg_ip6_i,  // 0: none

  // From the MAC
  input  wire logic               s_axis_valid_i,
  output logic                    s_axis_ready_o,
  input  wire logic [DataW-1:0]   s_axis_data_i,
  input  wire logic [DataW/8-1:0] s_axis_keep_i,
  input  wire logic               s_axis_last_i,
  input  wire logic               s_axis_error_i,  // with last: FCS wrong

  // Heads of good frames
  output logic                    head_valid_o,
  input  wire logic               head_ready_i,
  output nic_pkg::head_t          head_o,
  output logic                    next_valid_o,  // there is one behind it, of this QP number
  output logic      [23:0]        next_qp_o,

  // Their payload, an item each
  output logic                    pay_valid_o,
  input  wire logic               pay_ready_i,
  output nic_pkg::bytes_t         pay_o,

  // A frame is judged
  output logic                    judged_valid_o,
  output nic_pkg::rx_e            judged_o
);

  localparam int unsigned LenW = 9 + $clog2(DataW / 8);
  localparam int unsigned DwsW = $clog2(DataW / 32);
  localparam int unsigned Slack = 5;  // two before nic_rx_store's ready shows, three in the pipeline

  if (Beats < 32768 / DataW + Slack) begin : gen_bad_beats $error("nic_rx: Beats must hold more than 4096 bytes"); end

  logic             early_valid, early_last, ip_valid, ip_last, err, ours, v6, tag, tag_then, fits, icrc_good,
                    pay_valid, ready;
  logic [15:0]      tci;
  logic [DataW-1:0] early_data, ip_data;
  logic [2:0]       ip_beat;
  logic [LenW-1:0]  len;
  logic [47:0]      src;
  logic [4:0]       words;
  logic [12:0]      bytes;
  logic [DwsW-1:0]  ip_dws;
  nic_pkg::head_t   head;
  nic_pkg::bytes_t  pay;

  assign s_axis_ready_o = ready;

  nic_rx_eth u_eth (
    .clk_i,
    .rst_ni,
    .cfg_mac_i,
    .in_valid_i(s_axis_valid_i && ready),
    .in_data_i(s_axis_data_i),
    .in_keep_i(s_axis_keep_i),
    .in_last_i(s_axis_last_i),
    .in_error_i(s_axis_error_i),
    .early_valid_o(early_valid),
    .early_last_o(early_last),
    .early_data_o(early_data),
    .ip_valid_o(ip_valid),
    .ip_last_o(ip_last),
    .ip_beat_o(ip_beat),
    .ip_data_o(ip_data),
    .len_o(len),
    .err_o(err),
    .ours_o(ours),
    .v6_o(v6),
    .tag_o(tag),
    .tci_o(tci),
    .src_o(src)
  );

  nic_rx_icrc u_icrc (
    .clk_i,
    .rst_ni,
    .in_valid_i(early_valid),
    .in_last_i(early_last),
    .in_data_i(early_data),
    .dws_i(ip_dws),
    .tag_i(tag_then),
    .done_o(judged_valid_o),
    .good_o(icrc_good)
  );

  nic_rx_head u_head (
    .clk_i,
    .rst_ni,
    .cfg_ip_i,
    .cfg_ip6_i,
    .ip_valid_i(ip_valid),
    .ip_beat_i(ip_beat),
    .ip_data_i(ip_data),
    .len_i(len),
    .err_i(err),
    .ours_i(ours),
    .v6_i(v6),
    .tag_i(tag),
    .tci_i(tci),
    .src_i(src),
    .words_o(words),
    .fits_o(fits),
    .bytes_o(bytes),
    .ip_dws_o(ip_dws),
    .tag_o(tag_then),
    .icrc_good_i(icrc_good),
    .verdict_o(judged_o),
    .head_o(head)
  );

  nic_rx_pay u_pay (
    .clk_i,
    .rst_ni,
    .ip_valid_i(ip_valid),
    .ip_last_i(ip_last),
    .ip_beat_i(ip_beat),
    .ip_data_i(ip_data),
    .words_i(words),
    .fits_i(fits),
    .bytes_i(bytes),
    .pay_valid_o(pay_valid),
    .pay_o(pay)
  );

  nic_rx_store #(
    .Beats(Beats),
    .Frames(Frames),
    .Slack(Slack)
  ) u_store (
    .clk_i,
    .rst_ni,
    .ready_o(ready),
    .pay_valid_i(pay_valid),
    .pay_i(pay),
    .judged_valid_i(judged_valid_o),
    .judged_i(judged_o),
    .head_i(head),
    .head_valid_o,
    .head_ready_i,
    .head_o,
    .next_valid_o,
    .next_qp_o,
    .pay_valid_o,
    .pay_ready_i,
    .pay_o
  );

endmodule

`default_nettype wire
