// SPDX-License-Identifier: Apache-2.0
// nic_tx_eth: puts the ICRC into its place and Ethernet's 14 bytes, with an 802.1Q tag 18, in front.
//
//   IP    |IIIIIIIIIIIIIIIIIIII| |IIIIIIII...|     frame beat n = the last 14 bytes of IP beat n - 1
//   frame |eeeeeeIIIIIIIIIIIIII| |IIIIIIIIII| ...  (n = 0: Ethernet's) and the first bytes of IP beat n
//
// P1  A frame is Ethernet's header, IP's bytes and the ICRC; keep is exact; nothing else leaves. The type is that of
//     IP's version.
// P2  A beat that waits does not change.
// P3  A beat a cycle leaves while IP beats are there: only the beat that a frame needs more than IP does is not an IP
//     beat's. Where 18 bytes are more than a beat it is the first of a tagged frame.
//
// mac_*, tag_i and crc_* are one item for each frame, taken with its first and its last IP beat; an IP beat waits for
// them.
// Cost: DataW + 230 flip-flops, 2.5 LUT4 a bit of data, 6 levels; 1 cycle.
// Rules of README.md: FRM-12.
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
  input  wire logic [16:0]           tag_i,      // whether there is a tag, and its TCI

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

  localparam int unsigned CutBits = 112;
  localparam int unsigned TagBits = 144 % DataW;  // with a tag, behind the beats that have none of IP
  localparam bit          Skip = DataW < 144;
  localparam int unsigned RestBits = Skip ? CutBits : TagBits;

  logic                 tail_q;    // a frame's end is still in rest_q: it goes next
  logic                 tag_q, tag, ahead, ahead_q;  // of the frame that leaves; a beat without IP goes, has gone first
  logic [RestBits-1:0]  rest_q;    // the last bytes of the IP beat before
  logic [BeatBytes-1:0] keep_q, tail_keep_q, keep, used;
  logic                 valid_q, last_q, free, go, more;
  logic [DataW-1:0]     data_q, ip;
  logic [143:0]         eth;
  logic [15:0]          kind;
  logic                 begins;
  logic [DwsW:0]        dws;  // last: words, the ICRC's included

  assign free = !valid_q || m_axis_ready_i;
  assign begins = in_first_i && !tail_q;
  assign tag    = begins ? tag_i[16] : tag_q;
  assign ahead  = Skip && in_valid_i && begins && mac_valid_i && tag && !ahead_q;
  assign go     = in_valid_i && free && !tail_q && !ahead && (!in_first_i || mac_valid_i) &&
                  (!in_last_i || crc_valid_i);
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
  assign kind = in_data_i[7:4] == 4'd6 ? 16'hDD86 : 16'h0008;  // first byte below
  assign eth[143:96] = tag ? {kind, tag_i[7:0], tag_i[15:8], 16'h0081} : {32'd0, kind};
  assign keep = tag ? {used[BeatBytes-TagBits/8-1:0], {TagBits / 8{1'b1}}} : {used[BeatBytes-15:0], 14'h3FFF};
  assign more = tag ? used[BeatBytes-TagBits/8] : used[BeatBytes-14];  // IP's bytes go on behind this frame beat

  assign m_axis_valid_o = valid_q;
  assign m_axis_data_o  = data_q;
  assign m_axis_keep_o  = keep_q;
  assign m_axis_last_o  = last_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      tail_q  <= 1'b0;
      ahead_q <= 1'b0;
    end else if (free) begin
      valid_q <= go || ahead || tail_q;
      tail_q  <= go && in_last_i && more;
      ahead_q <= ahead || (ahead_q && !go);
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) begin
      if (ahead) data_q <= DataW'(eth);
      else if (tag) data_q <= {ip[DataW-TagBits-1:0], begins ? eth[143-:TagBits] : rest_q[TagBits-1:0]};
      else data_q <= {ip[DataW-CutBits-1:0], begins ? eth[CutBits-1:0] : rest_q[CutBits-1:0]};
      keep_q <= tail_q ? tail_keep_q : ahead ? '1 : keep;
      last_q <= tail_q || (!ahead && in_last_i && !more);
    end
    if (go) begin
      tag_q       <= tag;
      rest_q      <= tag ? RestBits'(ip[DataW-1-:TagBits]) : RestBits'(ip[DataW-1-:CutBits]);
      tail_keep_q <= tag ? BeatBytes'(used[BeatBytes-1-:TagBits/8]) : BeatBytes'(used[BeatBytes-1-:14]);
    end
  end

`ifdef FORMAL
`include "nic_tx_eth_props.svh"
`endif

endmodule

`default_nettype wire
