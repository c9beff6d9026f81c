// SPDX-License-Identifier: Apache-2.0
// nic_crc: the CRC-32 of InfiniBand's ICRC over beats, a beat a cycle.
//
//   in_data --[ XOR trees ]--> | d | --(+)--> | state | --> state_o, with done_o
//                                       ^---[ x BeatDw words ]--+
//
// P1  Two cycles after the last beat of an item done_o is high and state_o its state, as if the last word had not gone
//     in.
// P2  The next item may begin in the cycle after, or later; every item starts from the state after 8 bytes of FFh.
//
// "The last word": users end an item in a beat that is not full, its rest zero, and so take one word too many anyway;
// one less costs nothing here and saves them a step. Item words in front of the beat's end are as the wire has them.
// Cost: DataW 256: about 1100 LUT4, 66 flip-flops; the loop is 3 levels.
`default_nettype none

module nic_crc #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // In
  input  wire logic              in_valid_i,
  input  wire logic              in_last_i,
  input  wire logic [DataW-1:0]  in_data_i,

  // Out: valid with done_o
  output logic                   done_o,
  output logic      [31:0]       state_o
);

  logic              v_q, last_q, first_q, done_q;
  logic [31:0]       d, d_q, s_q, seed, loop;
  logic [DataW-1:0]  part;   // what each word adds
  logic [DataW-1:0]  row;    // bit r of all of them, row by row

  for (genvar i = 0; i < BeatDw; i++) begin : gen_word
    nic_crc_mul #(
      .Dws(BeatDw - 1 - i)
    ) u_part (
      .x_i(in_data_i[32*i+:32]),
      .y_o(part[32*i+:32])
    );
    for (genvar r = 0; r < 32; r++) begin : gen_turn
      assign row[BeatDw*r+i] = part[32*i+r];
    end
  end
  for (genvar r = 0; r < 32; r++) begin : gen_sum
    assign d[r] = ^row[BeatDw*r+:BeatDw];
  end

  // FFFFFFFFh and one word more is the state after 8 bytes of FFh; that word is the one that is not counted.
  nic_crc_mul #(
    .Dws(BeatDw)
  ) u_seed (
    .x_i(32'hFFFF_FFFF),
    .y_o(seed)
  );
  nic_crc_mul #(
    .Dws(BeatDw)
  ) u_loop (
    .x_i(s_q),
    .y_o(loop)
  );

  assign done_o  = done_q;
  assign state_o = s_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      v_q     <= 1'b0;
      done_q  <= 1'b0;
      first_q <= 1'b1;
    end else begin
      v_q    <= in_valid_i;
      done_q <= v_q && last_q;
      if (v_q) first_q <= last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    last_q <= in_last_i;
    d_q    <= d;
    if (v_q) s_q <= (first_q ? seed : loop) ^ d_q;
  end

`ifdef FORMAL
`include "nic_crc_props.svh"
`endif

endmodule

`default_nettype wire
