// SPDX-License-Identifier: Apache-2.0
// nic_cut: the packet of a request that begins at its idx_i-th PSN.
//
//   message:  | first buffer     | second buffer  |      a packet: bytes from one buffer or from both (two pieces)
//             |  idx  |  idx+1  |  idx+2  | ...   |      a read: one packet asks for all PSNs from idx on
//
// P1  The pieces together are the bytes of the packet: MTU, and what is left in the last; reads and atomics have none.
// P2  Piece one lies in the first buffer, piece two in the second, and is empty unless piece one ends the first buffer.
// P3  Opcode: First, Middle, Last, Only by place; the last packet asks for an ACK, and every 16th PSN.
// P4  A read asks for all that has not come: one packet, as many PSNs as it has packets left.
//
// Combinational. Cost: LUTs only.
// Rules of README.md: REQ-4.
`default_nettype none

module nic_cut (
  input  wire nic_pkg::send_t   send_i,
  input  wire logic [2:0]       mtu_i,    // 1 to 5
  input  wire logic [23:0]      idx_i,
  input  wire logic [23:0]      psn_i,

  output logic      [23:0]      count_o,  // PSNs
  output logic                  last_o,   // the request's last
  output nic_pkg::tx_head_t     head_o,
  output logic      [63:0]      va1_o,
  output logic      [12:0]      len1_o,
  output logic      [63:0]      va2_o,
  output logic      [12:0]      len2_o
);

  logic        is_read, is_atomic, is_write, is_xtq, is_send, first, imm, inv, ends1;
  logic [31:0] off, rest, in1;
  logic [23:0] left;
  logic [12:0] bytes, mtu;
  logic [4:0]  op;

  assign is_read   = send_i.op == nic_pkg::SqRead;
  assign is_atomic = send_i.op == nic_pkg::SqAdd || send_i.op == nic_pkg::SqSwap;
  assign is_xtq    = send_i.op == nic_pkg::SqXtq;
  assign is_send   = send_i.op == nic_pkg::SqSend || send_i.op == nic_pkg::SqSendImm;
  assign is_write  = !is_read && !is_atomic;

  assign left    = send_i.packets - idx_i;
  assign count_o = is_read ? left : 24'd1;
  assign last_o  = is_read || left == 24'd1;
  assign first   = idx_i == 24'd0;

  assign mtu   = 13'd128 << mtu_i;
  assign off   = 32'(idx_i) << (4'd7 + {1'b0, mtu_i});
  assign rest  = send_i.total - off;
  assign bytes = is_write ? (last_o ? rest[12:0] : mtu) : 13'd0;

  assign in1    = off < send_i.len1 ? send_i.len1 - off : 32'd0;
  assign ends1  = in1 < {19'd0, bytes};  // the first buffer ends in it, or before it
  assign len1_o = ends1 ? in1[12:0] : bytes;
  assign len2_o = ends1 ? bytes - in1[12:0] : 13'd0;
  assign va1_o  = send_i.va1 + {32'd0, off};
  assign va2_o  = send_i.va2 + {32'd0, off < send_i.len1 ? 32'd0 : off - send_i.len1};

  assign imm = (send_i.op == nic_pkg::SqWriteImm || send_i.op == nic_pkg::SqSendImm) && last_o;
  assign inv = send_i.inv && last_o;  // of a SEND only
  always_comb begin
    if (is_read) op = nic_pkg::OpReadReq;
    else if (send_i.op == nic_pkg::SqAdd) op = nic_pkg::OpFetchAdd;
    else if (is_atomic) op = nic_pkg::OpCmpSwap;
    else if (is_send && first && last_o)
      op = imm ? nic_pkg::OpSendOnlyImm : inv ? nic_pkg::OpSendOnlyInv : nic_pkg::OpSendOnly;
    else if (is_send && first) op = nic_pkg::OpSendFirst;
    else if (is_send && last_o) op = imm ? nic_pkg::OpSendLastImm : inv ? nic_pkg::OpSendLastInv : nic_pkg::OpSendLast;
    else if (is_send) op = nic_pkg::OpSendMiddle;
    else if (first && last_o) op = imm ? nic_pkg::OpWriteOnlyImm : nic_pkg::OpWriteOnly;
    else if (first) op = nic_pkg::OpWriteFirst;
    else if (last_o) op = imm ? nic_pkg::OpWriteLastImm : nic_pkg::OpWriteLast;
    else op = nic_pkg::OpWriteMiddle;
  end

  // The extension, as its words are on the wire.
  logic        reth, far;  // RETH or AtomicETH; RETH of the first packet of a write
  logic [63:0] va;
  logic [31:0] e0, e1, e2, e3, e4, e5, e6;
  assign reth = (first || !is_write) && !is_send;
  assign far  = first && is_write && !is_send;
  assign va   = send_i.rva + (is_read ? {32'd0, off} : 64'd0);
  assign e0   = reth ? va[63:32] : imm || inv ? send_i.imm : 32'd0;
  assign e1   = reth ? va[31:0] : 32'd0;
  assign e2   = reth ? send_i.rkey : 32'd0;
  assign e3   = is_read ? rest : is_atomic ? send_i.swap[63:32] : far ? send_i.total : 32'd0;
  always_comb begin
    {e4, e5, e6} = '0;
    if (is_atomic) e4 = send_i.swap[31:0];
    if (send_i.op == nic_pkg::SqSwap) {e5, e6} = send_i.compare;
    if (reth && imm) e4 = send_i.imm;
    if (is_xtq && first)
      {e4, e5, e6} = {send_i.imm[7:0], 8'h00, send_i.target, send_i.len1 - 32'd64, send_i.total - send_i.len1};
  end

  always_comb begin
    head_o.opcode  = {is_xtq ? nic_pkg::TransXtq : nic_pkg::TransRc, op};
    head_o.se      = send_i.solicited && last_o;
    head_o.ack_req = last_o || psn_i[3:0] == 4'hF;
    head_o.psn     = psn_i;
    head_o.ext     = {e6, e5, e4, e3, e2, e1, e0};
    head_o.bytes   = bytes;
  end

`ifdef FORMAL
`include "nic_cut_props.svh"
`endif

endmodule

`default_nettype wire
