// SPDX-License-Identifier: Apache-2.0
// aa_cpl_gen: the header of a completion that the IOMMU itself gives: UR, or the data of a flush.
//
//   request header --> first byte, bytes, kind --> completion header
//
// P1  Cpl (0A, status UR, Length 0) or, with data_i, CplD (4A, status SC, Length of the request). Completer id 0.
// P2  Requester id, tag (T9 and T8 too), TC and attributes are the request's; TH, TD, EP, AT, LN and BCM are 0.
// P3  A memory read gets ByteCount and LowerAddress of a first completion (docs/formats.md 2.5): bytes from the first
//     enabled to the last enabled one, 1 if none is; address 6:0 of the first enabled byte.
// P4  An AtomicOp gets its operand size and 0, a compare-and-swap's being half of its Length; all others get 4 and 0.
//
// 4096 bytes are written as 0. Combinational; cost about 40 LUTs.
`default_nettype none

module aa_cpl_gen (
  input  wire logic         data_i,
  input  wire logic [127:0] req_i,
  output logic      [127:0] cpl_o
);

  logic        quad, is_read, is_atomic;
  logic [10:0] len;
  logic [3:0]  fbe;
  logic [3:1]  lbe;
  logic [4:0]  line;  // address 6:2
  logic [1:0]  lead, trail;
  logic [11:0] count;
  logic [6:0]  low;
  logic        unused;

  // Address 6:2 lies in DW 3 of a 4 DW header, in DW 2 of a short one.
  assign quad      = req_i[125];
  assign is_read   = {req_i[127:126], req_i[124:120]} == 7'b00_00000;
  assign is_atomic = req_i[127:126] == 2'b01 && req_i[124:122] == 3'b011 && req_i[121:120] != 2'b11;
  assign len       = {req_i[105:96] == '0, req_i[105:96]};
  assign lbe       = req_i[71:69];
  assign fbe       = req_i[67:64];
  assign line      = quad ? req_i[6:2] : req_i[38:34];

  assign unused = &{1'b0, req_i[113:110], req_i[107:106], req_i[68], req_i[63:39], req_i[33:7], req_i[1:0]};

  // Disabled bytes before the first enabled one, and after the last. None enabled counts as the first byte alone.
  logic [3:1] last;
  assign last  = len == 11'd1 ? fbe[3:1] : lbe;
  assign lead  = fbe[0] || fbe == 4'h0 ? 2'd0 : fbe[1] ? 2'd1 : fbe[2] ? 2'd2 : 2'd3;
  assign trail = last[3] ? 2'd0 : last[2] ? 2'd1 : last[1] ? 2'd2 : 2'd3;

  always_comb begin
    count = 12'd4;
    low   = '0;
    if (is_read) begin
      count = {len[9:0], 2'b00} - 12'(lead) - 12'(trail);
      low   = {line, lead};
    end else if (is_atomic) begin
      count = req_i[121] ? {len, 1'b0} : {len[9:0], 2'b00};
    end
  end

  assign cpl_o[127:96] = {
    data_i ? 8'h4A : 8'h0A, req_i[119:114], 4'h0, req_i[109:108], 2'b00, data_i ? req_i[105:96] : 10'd0
  };
  assign cpl_o[95:64]  = {16'h0000, data_i ? 3'd0 : 3'd1, 1'b0, count};
  assign cpl_o[63:32]  = {req_i[95:80], req_i[79:72], 1'b0, low};
  assign cpl_o[31:0]   = '0;

`ifdef FORMAL
`include "aa_cpl_gen_props.svh"
`endif

endmodule

`default_nettype wire
