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
// Rules of README.md: DEC-19, FLU-3.
`default_nettype none

module aa_cpl_gen (
  input  wire logic             data_i,
  input  wire cm_pkg::tlp_req_t req_i,
  output cm_pkg::tlp_cpl_t      cpl_o
);

  logic        quad, is_read, is_atomic;
  logic [7:0]  op;
  logic [10:0] len;
  logic [3:0]  fbe;
  logic [3:1]  lbe;
  logic [4:0]  line;  // address 6:2
  logic [1:0]  lead, trail;
  logic [11:0] count;
  logic [6:0]  low;
  logic        unused;

  // Address 6:2 lies in DW 3 of a 4 DW header, in DW 2 of a short one.
  assign quad      = req_i.op[cm_pkg::OpFour];
  assign op        = req_i.op & cm_pkg::AnyFour;
  assign is_read   = op == cm_pkg::OpRead;
  assign is_atomic = op == cm_pkg::OpFetchAdd || op == cm_pkg::OpSwap || op == cm_pkg::OpCas;
  assign len       = {req_i.len == '0, req_i.len};
  assign lbe       = req_i.lbe[3:1];
  assign fbe       = req_i.fbe;
  assign line      = quad ? req_i.addr[6:2] : req_i.addr[38:34];

  assign unused = &{1'b0, req_i.ln, req_i.th, req_i.td, req_i.ep, req_i.at, req_i.lbe[0], req_i.addr};

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
      count = op == cm_pkg::OpCas ? {len, 1'b0} : {len[9:0], 2'b00};
    end
  end

  always_comb begin
    cpl_o        = '0;
    cpl_o.op     = data_i ? cm_pkg::OpCplData : cm_pkg::OpCpl;
    cpl_o.t9     = req_i.t9;
    cpl_o.tc     = req_i.tc;
    cpl_o.t8     = req_i.t8;
    cpl_o.ido    = req_i.ido;
    cpl_o.ro     = req_i.ro;
    cpl_o.ns     = req_i.ns;
    cpl_o.len    = data_i ? req_i.len : 10'd0;
    cpl_o.status = data_i ? 3'd0 : 3'd1;
    cpl_o.count  = count;
    cpl_o.rid    = req_i.rid;
    cpl_o.tag    = req_i.tag;
    cpl_o.lower  = low;
  end

`ifdef FORMAL
`include "aa_cpl_gen_props.svh"
`endif

endmodule

`default_nettype wire
