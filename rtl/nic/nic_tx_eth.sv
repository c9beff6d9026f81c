// SPDX-License-Identifier: Apache-2.0
// nic_tx_eth: puts the ICRC into its place and Ethernet's 14 bytes in front.
//
//   IP    |IIIIIIIIIIIIIIIIIIII| |IIIIIIII...|          frame beat n = the last 14 bytes of IP beat n - 1 (n = 0: Ethernet's)
//   frame |eeeeeeIIIIIIIIIIIIII| |IIIIIIIIII| ...       and the first bytes of IP beat n
//
// P1  A frame is Ethernet's header, IP's bytes and the ICRC; keep is exact; nothing else leaves.
// P2  A beat that waits does not change.
// P3  A beat a cycle leaves while IP beats are there: only the beat that a frame needs more than IP does is not an IP beat's.
//
// mac_* and crc_* are one item for each frame, taken with its first and its last IP beat; an IP beat waits for them.
// Cost: DataW + 190 flip-flops, 1.5 LUT4 a bit of data, 5 levels; 1 cycle.
`default_nettype none

module nic_tx_eth #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes,
  localparam int unsigned DwsW = $clog2(BeatDw)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [47:0]           cfg_mac_i,

  // IP
  input  wire logic                  in_valid_i,
  output logic                       in_ready_o,
  input  wire logic                  in_first_i,
  input  wire logic                  in_last_i,
  input  wire logic [DwsW-1:0]       in_dws_i,   // last: words before the ICRC's
  input  wire logic [DataW-1:0]      in_data_i,

  // Where frames go to
  input  wire logic                  mac_valid_i,
  output logic                       mac_ready_o,
  input  wire logic [47:0]           mac_i,

  // ICRCs
  input  wire logic                  crc_valid_i,
  output logic                       crc_ready_o,
  input  wire logic [31:0]           crc_i,

  // To the MAC
  output logic                       m_axis_valid_o,
  input  wire logic                  m_axis_ready_i,
  output logic      [DataW-1:0]      m_axis_data_o,
  output logic      [BeatBytes-1:0]  m_axis_keep_o,
  output logic                       m_axis_last_o
);

  localparam int unsigned TailBits = 112;

  logic                 tail_q;    // a frame's end is still in rest_q: it goes next
  logic [111:0]         rest_q;    // the last 14 bytes of the IP beat before
  logic [BeatBytes-1:0] keep_q, tail_keep_q, keep, used;
  logic                 valid_q, last_q, free, go, more;
  logic [DataW-1:0]     data_q, ip;
  logic [111:0]         eth;
  logic [DwsW:0]        dws;  // last: words, the ICRC's included

  assign free = !valid_q || m_axis_ready_i;
  assign go   = in_valid_i && free && !tail_q && (!in_first_i || mac_valid_i) && (!in_last_i || crc_valid_i);
  assign in_ready_o  = go;
  assign mac_ready_o = go && in_first_i;
  assign crc_ready_o = go && in_last_i;

  assign dws = {1'b0, in_dws_i} + (DwsW + 1)'(1);
  for (genvar i = 0; i < BeatDw; i++) begin : gen_word
    assign ip[32*i+:32] = in_last_i && in_dws_i == DwsW'(i) ? crc_i : in_data_i[32*i+:32];
    assign used[4*i+:4] = {4{!in_last_i || (DwsW + 1)'(i) < dws}};
  end
  for (genvar i = 0; i < 6; i++) begin : gen_mac
    assign eth[8*i+:8]    = mac_i[8*(5-i)+:8];
    assign eth[48+8*i+:8] = cfg_mac_i[8*(5-i)+:8];
  end
  assign eth[111:96] = 16'h0008;
  assign keep = {used[BeatBytes-15:0], 14'h3FFF};
  assign more = used[BeatBytes-14];  // IP's bytes go on behind this frame beat

  assign m_axis_valid_o = valid_q;
  assign m_axis_data_o  = data_q;
  assign m_axis_keep_o  = keep_q;
  assign m_axis_last_o  = last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      tail_q  <= 1'b0;
    end else if (free) begin
      valid_q <= go || tail_q;
      tail_q  <= go && in_last_i && more;
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      data_q <= {ip[DataW-TailBits-1:0], in_first_i && !tail_q ? eth : rest_q};
      keep_q <= tail_q ? tail_keep_q : keep;
      last_q <= tail_q || (in_last_i && !more);
    end
    if (go) begin
      rest_q      <= ip[DataW-1:DataW-TailBits];
      tail_keep_q <= BeatBytes'(used[BeatBytes-1:BeatBytes-14]);
    end
  end

`ifdef FORMAL
`include "nic_tx_eth_props.svh"
`endif

endmodule

`default_nettype wire
