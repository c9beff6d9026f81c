// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_crc_mul. Nothing but XOR is between x_i and y_o, so the matrix is right if each of its columns is:
// one bit, chosen freely, is stepped through the register of the text book, one bit at a time.
`include "fv.svh"

  `FV_ANYCONST(f_bit, 5)

  logic [31:0] f_column, f_sum, f_serial;
  always_comb begin
    f_column = 32'h0;
    for (int b = 0; b < 32; b++) if (b == 32'(f_bit)) f_column = Columns[32*b+:32];
    f_serial = 32'h1 << f_bit;
    if (Back) f_serial = f_column;
    for (int k = 0; k < Steps; k++)
      f_serial = f_serial[0] ? {1'b0, f_serial[31:1]} ^ 32'hEDB8_8320 : {1'b0, f_serial[31:1]};
    f_sum = 32'h0;
    for (int b = 0; b < 32; b++) if (x_i[b]) f_sum = f_sum ^ Columns[32*b+:32];
  end

  always_comb begin
    p1_column: assert (f_serial == (Back ? 32'h1 << f_bit : f_column));
    if ((x_i & (x_i - 32'h1)) == 32'h0) p1_sum: assert (y_o == f_sum);
    c_top: cover (x_i == 32'h8000_0000 && y_o != 32'h0 && f_bit == 5'd31);
  end
