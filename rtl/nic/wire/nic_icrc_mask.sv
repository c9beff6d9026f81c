// SPDX-License-Identifier: Apache-2.0
// nic_icrc_mask: a beat as the ICRC sees it: what routers may change is FFh.
//
//   data_i (IP beat beat_i) --> IPv4: TOS, TTL, both checksums, byte 4 of BTH --> data_o
//                               IPv6: traffic class, flow label, hop limit, UDP's checksum, byte 4 of BTH
//
// P1  Those bytes are FFh (of byte 0 of IPv6 the low half, the version stays), all others as they are.
//
// Combinational. Cost: a LUT4 for each bit of those bytes.
// Rules of README.md: FRM-3.
`default_nettype none

module nic_icrc_mask #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes
) (
  input  wire logic [DataW-1:0] data_i,
  input  wire logic [2:0]       beat_i,  // number of the beat from IP on, 7 and more: 7
  input  wire logic             v6_i,
  output logic      [DataW-1:0] data_o
);

  // The bytes of IP, UDP and BTH that count as ones, a bit each.
  localparam logic [63:0] Mask4 = 64'h0000_0001_0C00_0D02;
  localparam logic [63:0] Mask6 = 64'h0010_C000_0000_008F;

  localparam logic [8*BeatBytes-1:0] Ones4 = (8 * BeatBytes)'(Mask4);
  localparam logic [8*BeatBytes-1:0] Ones6 = (8 * BeatBytes)'(Mask6);

  for (genvar i = 0; i < BeatBytes; i++) begin : gen_byte
    // Whether byte i counts as ones, by the number of its beat.
    logic [7:0] ones4, ones6;
    for (genvar b = 0; b < 8; b++) begin : gen_beat
      assign ones4[b] = Ones4[BeatBytes*b+i];
      assign ones6[b] = Ones6[BeatBytes*b+i];
    end
    logic one, version;
    assign one     = v6_i ? ones6[beat_i] : ones4[beat_i];
    assign version = i == 0 && v6_i && beat_i == 3'd0;
    assign data_o[8*i+:8] = data_i[8*i+:8] | {{4{one && !version}}, {4{one}}};
  end

`ifdef FORMAL
`include "nic_icrc_mask_props.svh"
`endif

endmodule

`default_nettype wire
