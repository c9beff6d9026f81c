// SPDX-License-Identifier: Apache-2.0
// A techmap for proofs: sums of 64 bits are taken of 65.
//
// Yices 2.6.5 is wrong of them: with x put together from single bits, x & (x + 1) has bit 63 where x is all ones, and so has any
// sum or difference of exactly 64 bits with a constant whose bits are looked at one by one. `make formal-sums` asks it.
(* techmap_celltype = "$add $sub" *)
module _tech_wide_sum (A, B, Y);
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter _TECHMAP_CELLTYPE_ = "";
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  // As write_smt2 does: all are made as wide as the widest.
  localparam WIDEST = A_WIDTH > B_WIDTH ? (A_WIDTH > Y_WIDTH ? A_WIDTH : Y_WIDTH) : (B_WIDTH > Y_WIDTH ? B_WIDTH : Y_WIDTH);
  wire _TECHMAP_FAIL_ = WIDEST != 64;
  wire [64:0] y;
  assign Y = y[Y_WIDTH-1:0];
  generate
    if (_TECHMAP_CELLTYPE_ == "$add") begin
      \$add #(.A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(65), .A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED)) sum (.A(A), .B(B), .Y(y));
    end else begin
      \$sub #(.A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(65), .A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED)) sum (.A(A), .B(B), .Y(y));
    end
  endgenerate
endmodule
