// SPDX-License-Identifier: Apache-2.0
// nic_crc_mul: what a CRC-32 state becomes when Dws zero words of 32 bits go in; Back: what it was before they did.
//
//   x_i --[ 32 x 32 constant bits, an XOR tree a row ]--> y_o
//
// P1  y_o is x_i after 32 x Dws steps of the reflected CRC-32 register (EDB88320h) without input, or before them.
//
// Since the CRC is linear, this is all that it is made of: a word w takes state s to mul(1, s ^ w), and what a longer
// item does is the XOR of what its words do. Bit b of a state is bit 31 after 31 - b steps, so the columns of the
// matrix are 32 successive states of one register. Proofs about its users define NIC_CRC_FREE: y_o may then be
// anything, since parities are what solvers are worst at. Cost: about 160 LUT4, 3 levels; no cycle.
`default_nettype none

module nic_crc_mul #(
  parameter int unsigned Dws = 1,
  parameter bit          Back = 1'b0
) (
  input  wire logic [31:0] x_i,
  output logic      [31:0] y_o
);

`ifdef NIC_CRC_FREE

  (* anyseq *) logic [31:0] any;
  assign y_o = any;

`else

  localparam int Steps = 32 * Dws;

  // Column b in bits 32 b and up.
  function automatic logic [1023:0] columns(input logic back);
    logic [31:0] s;
    s = 32'h8000_0000;
    for (int k = 0; k < Steps; k++) begin
      if (back) s = {s[30:0] ^ (s[31] ? 31'h6DB8_8320 : 31'h0), s[31]};
      else s = {1'b0, s[31:1]} ^ (s[0] ? 32'hEDB8_8320 : 32'h0);
    end
    for (int b = 0; b < 32; b++) begin
      columns[32*(31-b)+:32] = s;
      s = {1'b0, s[31:1]} ^ (s[0] ? 32'hEDB8_8320 : 32'h0);
    end
  endfunction

  localparam logic [1023:0] Columns = columns(Back);

  logic [1023:0] pick;  // row r in bits 32 r and up
  for (genvar r = 0; r < 32; r++) begin : gen_row
    for (genvar b = 0; b < 32; b++) begin : gen_bit
      assign pick[32*r+b] = Columns[32*b+r] && x_i[b];
    end
    assign y_o[r] = ^pick[32*r+:32];
  end

`ifdef FORMAL
`include "nic_crc_mul_props.svh"
`endif
`endif

endmodule

`default_nettype wire
