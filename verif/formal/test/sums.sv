// SPDX-License-Identifier: Apache-2.0
// What yices 2.6.5 does not reach unless wide_sum.v is applied: all bytes of a beat of 64 are there, and so x & (x + 1)
// is 0.
`default_nettype none

module sums (
  input wire logic       clk_i,
  input wire logic [6:0] n_i
);

  logic [63:0] keep;
  always_comb for (int unsigned i = 0; i < 64; i++) keep[i] = 7'(i) < n_i;
  always @(posedge clk_i) cover (n_i == 7'd64 && (keep & (keep + 64'd1)) == '0);

endmodule

`default_nettype wire
