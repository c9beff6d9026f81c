// SPDX-License-Identifier: Apache-2.0
// What yices 2.6.5 does not reach unless wide_sum.v is applied: all bytes of a beat of 64 are there, and so x & (x + 1) is 0.
module sums(input logic clk, input logic [6:0] n);
  logic [63:0] keep;
  always_comb for (int unsigned i = 0; i < 64; i++) keep[i] = 7'(i) < n;
  always @(posedge clk) cover (n == 7'd64 && (keep & (keep + 64'd1)) == '0);
endmodule
