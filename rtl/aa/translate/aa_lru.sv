// SPDX-License-Identifier: Apache-2.0
// aa_lru: true LRU by age. Combinational: the user keeps the ages, and the victim is the way of age Ways-1.
//
//   ages, touched way --> ages after it
//
// P1  Ages that are a permutation of 0 .. Ways-1 stay one: there is always exactly one victim.
// P2  After a touch the way has age 0; younger ones than it have aged by one, older ones have not moved.
//
// start_o is the state after reset: each way's age is its number. Cost: Ways x log2 Ways compares.
// Rules of README.md: XLT-5.
`default_nettype none

module aa_lru #(
  parameter int unsigned Ways = 4,
  localparam int unsigned AgeW = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire logic [Ways*AgeW-1:0] age_i,
  input  wire logic [Ways-1:0]      way_i,     // one-hot: the way touched
  output logic      [Ways*AgeW-1:0] age_o,
  output logic      [Ways*AgeW-1:0] start_o
);

  if (Ways < 1) begin : gen_bad_ways $error("aa_lru: Ways must be at least 1"); end

  logic [AgeW-1:0] age;

  always_comb begin
    age = '0;
    for (int unsigned w = 0; w < Ways; w++) if (way_i[w]) age = age | age_i[w*AgeW+:AgeW];
    for (int unsigned w = 0; w < Ways; w++) begin
      start_o[w*AgeW+:AgeW] = AgeW'(w);
      age_o[w*AgeW+:AgeW]   = way_i[w] ? '0 : age_i[w*AgeW+:AgeW] + AgeW'(age_i[w*AgeW+:AgeW] < age);
    end
  end

`ifdef FORMAL
`include "aa_lru_props.svh"
`endif

endmodule

`default_nettype wire
