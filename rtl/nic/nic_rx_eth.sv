// SPDX-License-Identifier: Apache-2.0
// nic_rx_eth: takes the 14 bytes of Ethernet away, so that IP begins in byte 0 of a beat.
//
//   frame   |..............IIIIII| |IIIIIIIIIIIIIIIIIIII| |III|         IP beat n = the end of frame beat n,
//   IP           |IIIIIIIIIIIIIIIIIIII| |IIIIIIIII00000| |000|          and the beginning of frame beat n + 1
//
// P1  Every frame beat makes one IP beat, so a frame may be followed by the next at once; the last one may be empty.
// P2  An IP beat is shown in the cycle after the next frame beat was taken; the last of a frame, after one cycle more.
// P3  What is behind the frame is zero, and so are bytes 58 and 59 of a frame of at most 60 bytes: only a frame of 58 bytes
//     is followed by filling that Ethernet needs, and this is it.
// P4  With the last IP beat, len_o is the frame's length (8160 and more may be anything from 8160 on), err_o is its error.
//
// Cost: DataW 256: 2 x 256 + 150 flip-flops, 620 LUT4, 3 levels; wires for the most part.
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
  output logic                       ours_o,     // for our address, and IP
  output logic      [47:0]           src_o
);

  localparam int unsigned CutBits = 112;
  localparam int unsigned FillBeat = 58 / BeatBytes;
  localparam int unsigned FillByte = 58 % BeatBytes;

  // ---- the beat that arrives ----
  logic                 cur_valid_q, cur_last_q, cur_err_q;
  logic [8:0]           cur_beat_q, in_beat;  // number in the frame; does not wrap
  logic [LowW:0]        cur_bytes_q, in_bytes;
  logic [DataW-1:0]     cur_q, in_data;
  logic                 going, in_fill;  // going: in_data_i goes on with the frame of cur_q

  assign going  = cur_valid_q && !cur_last_q;
  assign in_fill = !in_keep_i[FillByte+2] &&
                   (FillBeat == 0 ? !going : going && cur_beat_q == 9'(FillBeat == 0 ? 0 : FillBeat - 1));

  always_comb begin
    in_beat = 9'd0;
    if (going) in_beat = &cur_beat_q ? cur_beat_q : cur_beat_q + 9'd1;
    in_bytes = '0;
    for (int unsigned i = 0; i < BeatBytes; i++) begin
      in_data[8*i+:8] = in_keep_i[i] && !(in_fill && (i == FillByte || i == FillByte + 1)) ? in_data_i[8*i+:8] : 8'h00;
      if (in_keep_i[i] && (i == BeatBytes - 1 || !in_keep_i[(i+1)%BeatBytes])) in_bytes = in_bytes | (LowW + 1)'(i + 1);
    end
  end

  // ---- IP ----
  logic [DataW-1:0] ip;
  logic             emit;
  assign emit = cur_valid_q && (cur_last_q || in_valid_i);
  assign ip   = {cur_last_q ? {CutBits{1'b0}} : in_data[CutBits-1:0], cur_q[DataW-1:CutBits]};

  assign early_valid_o = emit;
  assign early_last_o  = cur_last_q;
  for (genvar i = 0; i < BeatBytes; i++) begin : gen_byte
    // TOS, TTL and checksum of IP, checksum of UDP, byte 4 of BTH: where they are, if they are in byte i of a beat.
    localparam bit At0 = i == 1 || i == 8 || i == 10 || i == 11 || i == 26 || i == 27 || i == 32;
    localparam bit At1 = i + BeatBytes == 26 || i + BeatBytes == 27 || i + BeatBytes == 32;
    localparam bit At2 = i + 2 * BeatBytes == 32;
    assign early_data_o[8*i+:8] = (At0 && cur_beat_q == 9'd0) || (At1 && cur_beat_q == 9'd1) || (At2 && cur_beat_q == 9'd2) ?
                                  8'hFF : ip[8*i+:8];
  end

  // ---- registers ----
  logic             ip_valid_q, ip_last_q, err_q, ours_q;
  logic [2:0]       ip_beat_q;
  logic [DataW-1:0] ip_q;
  logic [8+LowW:0]  len_q;
  logic [47:0]      src_q;
  assign ip_valid_o = ip_valid_q;
  assign ip_last_o  = ip_last_q;
  assign ip_beat_o  = ip_beat_q;
  assign ip_data_o  = ip_q;
  assign len_o      = len_q;
  assign err_o      = err_q;
  assign ours_o     = ours_q;
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
      ip_valid_q <= emit;
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i) begin
      cur_q       <= in_data;
      cur_last_q  <= in_last_i;
      cur_err_q   <= in_error_i;
      cur_beat_q  <= in_beat;
      cur_bytes_q <= in_bytes;
    end
    if (emit) begin
      ip_q      <= ip;
      ip_last_q <= cur_last_q;
      ip_beat_q <= |cur_beat_q[8:3] ? 3'd7 : cur_beat_q[2:0];
      len_q     <= {cur_beat_q, {LowW{1'b0}}} + (9 + LowW)'(cur_bytes_q);
      err_q     <= cur_err_q;
      if (cur_beat_q == 9'd0) begin
        ours_q <= dst == cfg_mac_i && cur_q[111:96] == 16'h0008;
        src_q  <= src;
      end
    end
  end

`ifdef FORMAL
`include "nic_rx_eth_props.svh"
`endif

endmodule

`default_nettype wire
