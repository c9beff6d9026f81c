// SPDX-License-Identifier: Apache-2.0
// nic_rx_icrc: is the ICRC of a frame right?
//
//   in --> nic_crc --> state == constant [ words of the frame mod BeatDw ]
//
// P1  Two cycles after the last beat done_o is high, and good_o says so, if dws_i is the frame's words from IP to ICRC,
//     and tag_i whether it had a tag: then, if all headers may be in the last beat, else in the cycle before.
//
// A CRC behind what it was made of leaves a constant state, and zeros behind that another constant for each number of
// them; it is not necessary to know where the ICRC is. Behind a frame there are 4 to BeatDw + 3 words of zeros
// (nic_rx_eth), with a tag one more, or three fewer where its first beat makes no IP beat; so the low bits of its
// length tell how many. Cost: nic_crc and 100 LUT4, 4 levels.
// Rules of README.md: FRM-3.
`default_nettype none

module nic_rx_icrc #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned DwsW = $clog2(BeatDw)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // In: nic_rx_eth's early beats
  input  wire logic              in_valid_i,
  input  wire logic              in_last_i,
  input  wire logic [DataW-1:0]  in_data_i,

  // Out
  input  wire logic [DwsW-1:0]   dws_i,
  input  wire logic              tag_i,
  output logic                   done_o,
  output logic                   good_o
);

  logic [31:0]          state;
  localparam int unsigned Least = 4;                         // words of zeros behind a frame
  localparam int unsigned LeastTag = DataW < 144 ? 1 : 5;

  logic [32*BeatDw-1:0] rest, rest_tag;  // state of a good frame, by dws_i

  nic_crc u_crc (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_last_i,
    .in_data_i,
    .done_o,
    .state_o(state)
  );

  // FFFFFFFFh goes into one word (the ICRC itself has just gone in) and the zeros; nic_crc leaves out one of them.
  for (genvar i = 0; i < BeatDw; i++) begin : gen_rest
    localparam int unsigned Z = Least + i;
    localparam int unsigned ZTag = LeastTag + i;
    nic_crc_mul #(
      .Dws(Z)
    ) u_rest (
      .x_i(32'hFFFF_FFFF),
      .y_o(rest[32*((2*BeatDw-Z)%BeatDw)+:32])
    );
    localparam int unsigned At = 32 * ((2 * BeatDw - ZTag) % BeatDw);
    if (ZTag >= Least && ZTag < Least + BeatDw) begin : gen_same
      assign rest_tag[At+:32] = rest[At+:32];
    end else begin : gen_other
      nic_crc_mul #(
        .Dws(ZTag)
      ) u_rest_tag (
        .x_i(32'hFFFF_FFFF),
        .y_o(rest_tag[At+:32])
      );
    end
  end
  logic [31:0] want;
  assign want = tag_i ? rest_tag[32*dws_i+:32] : rest[32*dws_i+:32];
  if (BeatDw < 16) begin : gen_want
    logic [31:0] want_q;
    always_ff @(posedge clk_i) want_q <= want;
    assign good_o = state == want_q;
  end else begin : gen_want_wide
    assign good_o = state == want;
  end

`ifdef FORMAL
`include "nic_rx_icrc_props.svh"
`endif

endmodule

`default_nettype wire
