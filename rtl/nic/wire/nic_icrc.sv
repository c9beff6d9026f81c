// SPDX-License-Identifier: Apache-2.0
// nic_icrc: the ICRC of items of any number of words, to be sent.
//
//   in --> nic_crc --> | zeros undone: 1, 2 words | --> | 4, 8 words | --> crc_o
//
// P1  Four cycles after the last beat of an item valid_o is high and crc_o its ICRC, byte 0 of the wire in 7:0.
// P2  One valid_o for each item; an item may begin in the cycle after the last beat of another, with any pauses inside.
//
// All beats of an item are full but the last, which holds in_dws_i words of it, 0 to BeatDw - 1: the ICRC's own place
// is in the same beat, behind them. What is behind the item is zero (env_zero). A beat with zeros at its end is taken
// as a whole, and the zeros are taken back by matrices: two words are one step of two, not two of one. Fields that
// change on the way are FFh already.
// Cost: nic_crc and, at DataW 256, 400 LUT4 in two ranks of at most 6 levels, 80 flip-flops.
`default_nettype none

module nic_icrc #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned DwsW = $clog2(BeatDw)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // In
  input  wire logic              in_valid_i,
  input  wire logic              in_last_i,
  input  wire logic [DwsW-1:0]   in_dws_i,   // words of the item in the last beat
  input  wire logic [DataW-1:0]  in_data_i,

  // Out
  output logic                   valid_o,
  output logic      [31:0]       crc_o
);

  localparam logic [3:0] Never = 4'hF ^ 4'(BeatDw - 1);

  logic        done, back_valid_q, valid_q;
  logic [3:0]  skip1_q, skip2_q;  // steps not to take; those of wider beats never are
  logic [3:2]  skip3_q;
  logic [31:0] state, back1, back2, back4, back8, s1, s2, s2_q, s4, crc_q;

  nic_crc u_crc (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_last_i,
    .in_data_i,
    .done_o(done),
    .state_o(state)
  );

  // BeatDw - dws words are zero; one of them nic_crc left out, and BeatDw - 1 - dws is the complement of dws.
  nic_crc_mul #(
    .Dws(1),
    .Back(1'b1)
  ) u_back1 (
    .x_i(state),
    .y_o(back1)
  );
  assign s1 = skip2_q[0] ? state : back1;
  nic_crc_mul #(
    .Dws(2),
    .Back(1'b1)
  ) u_back2 (
    .x_i(s1),
    .y_o(back2)
  );
  assign s2 = skip2_q[1] ? s1 : back2;
  nic_crc_mul #(
    .Dws(4),
    .Back(1'b1)
  ) u_back4 (
    .x_i(s2_q),
    .y_o(back4)
  );
  assign s4 = skip3_q[2] ? s2_q : back4;
  nic_crc_mul #(
    .Dws(8),
    .Back(1'b1)
  ) u_back8 (
    .x_i(s4),
    .y_o(back8)
  );

  assign valid_o = valid_q;
  assign crc_o   = crc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      back_valid_q <= 1'b0;
      valid_q      <= 1'b0;
    end else begin
      back_valid_q <= done;
      valid_q      <= back_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    skip1_q <= 4'(in_dws_i) | Never;
    skip2_q <= skip1_q;
    skip3_q <= skip2_q[3:2];
    s2_q    <= s2;
    crc_q   <= ~(skip3_q[3] ? s4 : back8);
  end

`ifdef FORMAL
`include "nic_icrc_props.svh"
`endif

endmodule

`default_nettype wire
