// SPDX-License-Identifier: Apache-2.0
// nic_rx_eth: takes Ethernet's 14 bytes, or 18 with an 802.1Q tag, away, so that IP begins in byte 0 of a beat.
//
//   frame   |..............IIIIII| |IIIIIIIIIIIIIIIIIIII| |III|         IP beat n = the end of frame beat n,
//   IP           |IIIIIIIIIIIIIIIIIIII| |IIIIIIIII00000| |000|          and the beginning of frame beat n + 1
//
// P1  Every frame beat makes one IP beat, so a frame may be followed by the next at once; the last one may be empty.
//     Where a beat is shorter than 18 bytes, the first of several of a tagged frame makes none.
// P2  An IP beat is shown in the cycle after the next frame beat was taken; the last of a frame, after one cycle more.
// P3  What is behind the frame is zero, and so are, without its tag, bytes 58 and 59 of a frame of at most 60 bytes:
//     only a frame of 58 bytes is followed by filling that Ethernet needs, and this is it.
// P4  With the last IP beat, len_o is the frame's length without its tag (8156 and more may be anything from 8156 on),
//     err_o its error.
// P5  ours_o, v6_o, tag_o, tci_o and src_o are those of the frame, with all of its IP beats.
//
// Cost: DataW 256: 2 x 256 + 190 flip-flops, 900 LUT4, 4 levels; wires for the most part.
// Rules of README.md: FRM-1, FRM-8.
`default_nettype none

module nic_rx_eth #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes,
  localparam int unsigned LowW = $clog2(BeatBytes)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [47:0]           cfg_mac_i,

  // In: a beat that is taken in this cycle
  input  wire logic                  in_valid_i,
  input  wire logic [DataW-1:0]      in_data_i,
  input  wire logic [BeatBytes-1:0]  in_keep_i,
  input  wire logic                  in_last_i,
  input  wire logic                  in_error_i,

  // IP beats, one cycle early, for the ICRC: fields that change on the way are FFh
  output logic                       early_valid_o,
  output logic                       early_last_o,
  output logic      [DataW-1:0]      early_data_o,

  // IP beats
  output logic                       ip_valid_o,
  output logic                       ip_last_o,
  output logic      [2:0]            ip_beat_o,  // number in the frame, 7 and more: 7
  output logic      [DataW-1:0]      ip_data_o,
  output logic      [8+LowW:0]       len_o,
  output logic                       err_o,

  // Of Ethernet's header, from the first IP beat on
  output logic                       ours_o,     // for our address, and IP behind one tag at most
  output logic                       v6_o,       // IPv6; else read as IPv4
  output logic                       tag_o,
  output logic      [15:0]           tci_o,      // without a tag 0
  output logic      [47:0]           src_o
);

  localparam int unsigned CutBits = 112;
  localparam int unsigned TagBits = 144 % DataW;     // with a tag, behind the beats that have none of IP
  localparam bit          Skip = DataW < 144;
  localparam int unsigned MostBits = Skip ? CutBits : TagBits;
  localparam logic [15:0] TypeIp4 = 16'h0008;        // as they come: the first byte below
  localparam logic [15:0] TypeIp6 = 16'hDD86;
  localparam logic [15:0] TypeTag = 16'h0081;
  localparam int unsigned FillBeat = 58 / BeatBytes;
  localparam int unsigned FillByte = 58 % BeatBytes;
  localparam int unsigned TagFillBeat = 62 / BeatBytes;
  localparam int unsigned TagFillByte = 62 % BeatBytes;  // and the next: the last two of a beat

  // ---- the beat that arrives ----
  logic                 cur_valid_q, cur_last_q, cur_err_q;
  logic [8:0]           cur_beat_q, in_beat;  // number in the frame; does not wrap
  logic [LowW:0]        cur_bytes_q, in_bytes;
  logic [DataW-1:0]     cur_q, in_data;
  logic                 tag_q, in_tag;  // the frame has a tag
  logic                 going, in_fill, tag_fill;  // going: in_data_i goes on with the frame of cur_q

  assign going    = cur_valid_q && !cur_last_q;
  assign in_tag   = going ? tag_q : (&in_keep_i[13:12]) && in_data_i[111:96] == TypeTag;
  assign in_fill  = !in_tag && !in_keep_i[FillByte+2] && in_beat == 9'(FillBeat);
  assign tag_fill = in_tag && in_last_i && in_beat == 9'(TagFillBeat);

  always_comb begin
    in_beat = 9'd0;
    if (going) in_beat = &cur_beat_q ? cur_beat_q : cur_beat_q + 9'd1;
    in_bytes = '0;
    for (int unsigned i = 0; i < BeatBytes; i++) begin
      in_data[8*i+:8] = in_keep_i[i] && !(in_fill && (i == FillByte || i == FillByte + 1)) &&
                        !(tag_fill && (i == TagFillByte || i == TagFillByte + 1)) ? in_data_i[8*i+:8] : 8'h00;
      if (in_keep_i[i] && (i == BeatBytes - 1 || !in_keep_i[(i+1)%BeatBytes])) in_bytes = in_bytes | (LowW + 1)'(i + 1);
    end
  end

  // ---- IP ----
  logic [DataW-1:0] ip;
  logic [MostBits-1:0] next;
  logic             emit, none, v6_q, v6;
  logic [8:0]       beat;   // number of the IP beat
  logic [15:0]      kind;   // what Ethernet carries, behind a tag; known while its first beat is the current one
  assign emit = cur_valid_q && (cur_last_q || in_valid_i);
  assign none = Skip && tag_q && cur_beat_q == 9'd0 && !cur_last_q;
  assign beat = Skip && tag_q && cur_beat_q != 9'd0 ? cur_beat_q - 9'd1 : cur_beat_q;
  assign next = cur_last_q ? '0 : in_data[MostBits-1:0];
  assign ip   = tag_q ? {next[TagBits-1:0], cur_q[DataW-1:TagBits]} : {next[CutBits-1:0], cur_q[DataW-1:CutBits]};
  if (Skip) begin : gen_kind_narrow
    assign kind = tag_q ? next[15:0] : cur_q[111:96];
  end else begin : gen_kind
    assign kind = tag_q ? cur_q[143:128] : cur_q[111:96];
  end
  assign v6   = cur_beat_q == 9'd0 ? kind == TypeIp6 : v6_q;

  assign early_valid_o = emit && !none;
  assign early_last_o  = cur_last_q;
  nic_icrc_mask u_mask (
    .data_i(ip),
    .beat_i(beat > 9'd7 ? 3'd7 : beat[2:0]),
    .v6_i(v6),
    .data_o(early_data_o)
  );

  // ---- registers ----
  logic             ip_valid_q, ip_last_q, err_q, ours_q, tag_out_q;
  logic [2:0]       ip_beat_q;
  logic [DataW-1:0] ip_q;
  logic [8+LowW:0]  len_q;
  logic [47:0]      src_q;
  logic [15:0]      tci_q;
  assign ip_valid_o = ip_valid_q;
  assign ip_last_o  = ip_last_q;
  assign ip_beat_o  = ip_beat_q;
  assign ip_data_o  = ip_q;
  assign len_o      = len_q;
  assign err_o      = err_q;
  assign ours_o     = ours_q;
  assign v6_o       = v6_q;
  assign tag_o      = tag_out_q;
  assign tci_o      = tci_q;
  assign src_o      = src_q;

  logic [47:0] dst, src;  // the first byte of the wire on top
  for (genvar i = 0; i < 6; i++) begin : gen_mac
    assign dst[8*i+:8] = cur_q[8*(5-i)+:8];
    assign src[8*i+:8] = cur_q[8*(11-i)+:8];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cur_valid_q <= 1'b0;
      ip_valid_q  <= 1'b0;
    end else begin
      if (in_valid_i) cur_valid_q <= 1'b1;
      else if (emit) cur_valid_q <= 1'b0;
      ip_valid_q <= early_valid_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      cur_q       <= in_data;
      cur_last_q  <= in_last_i;
      cur_err_q   <= in_error_i;
      cur_beat_q  <= in_beat;
      cur_bytes_q <= in_bytes;
      tag_q       <= in_tag;
    end
    if (early_valid_o) begin
      ip_q      <= ip;
      ip_last_q <= cur_last_q;
      ip_beat_q <= |beat[8:3] ? 3'd7 : beat[2:0];
      len_q     <= {cur_beat_q, {LowW{1'b0}}} + (9 + LowW)'(cur_bytes_q) - (tag_q ? (9 + LowW)'(4) : '0);
      err_q     <= cur_err_q;
    end
    if (emit && cur_beat_q == 9'd0) begin
      ours_q    <= dst == cfg_mac_i && (kind == TypeIp4 || kind == TypeIp6);
      v6_q      <= v6;
      tag_out_q <= tag_q;
      tci_q     <= tag_q ? {cur_q[119:112], cur_q[127:120]} : 16'd0;
      src_q     <= src;
    end
  end

`ifdef FORMAL
`include "nic_rx_eth_props.svh"
`endif

endmodule

`default_nettype wire
