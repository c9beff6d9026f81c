// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_cut (REQ-4), for every good request and every packet of it.
  logic [31:0] f_mtu, f_begin, f_bytes;
  logic        f_read, f_atomic;
  assign f_mtu    = 32'd128 << mtu_i;
  assign f_begin  = {8'd0, idx_i} << (4'd7 + {1'b0, mtu_i});
  assign f_bytes  = 32'(len1_o) + 32'(len2_o);
  assign f_read   = send_i.op == nic_pkg::SqRead;
  assign f_atomic = send_i.op == nic_pkg::SqAdd || send_i.op == nic_pkg::SqSwap;

  // The fields of the extension, where the wire has them.
  logic        f_imm, f_inv, f_send, f_reth;
  logic [31:0] f_w [7];
  logic [63:0] f_va, f_swap, f_compare;
  logic [31:0] f_rkey, f_length, f_idt;
  for (genvar i = 0; i < 7; i++) begin : gen_f_w
    assign f_w[i] = head_o.ext[32*i+:32];
  end
  assign f_va      = {f_w[0], f_w[1]};
  assign f_rkey    = f_w[2];
  assign f_length  = f_w[3];
  assign f_swap    = {f_w[3], f_w[4]};
  assign f_compare = {f_w[5], f_w[6]};
  assign f_reth    = f_read || f_atomic || (idx_i == '0 && !f_send);
  assign f_idt     = f_reth ? f_w[4] : f_w[0];
  assign f_send = send_i.op == nic_pkg::SqSend || send_i.op == nic_pkg::SqSendImm;
  assign f_imm  = (send_i.op == nic_pkg::SqWriteImm || send_i.op == nic_pkg::SqSendImm) && last_o;
  assign f_inv  = send_i.inv && last_o;

  // A good request and one of its packets; others are never sent, and nothing is said of them.
  logic        f_good;
  assign f_good = mtu_i >= 3'd1 && mtu_i <= 3'd5 && (!send_i.inv || send_i.op == nic_pkg::SqSend) &&
                  send_i.total <= 32'h8000_0000 &&
                  send_i.len1 <= send_i.total && idx_i < send_i.packets &&
                  32'(send_i.packets) == (f_atomic || send_i.total == 32'd0 ? 32'd1 :
                                          (send_i.total + f_mtu - 32'd1) >> (5'd7 + {2'd0, mtu_i}));

  always_comb if (f_good) begin
    if (f_read || f_atomic) p1_none: assert (f_bytes == 32'd0 && head_o.bytes == 13'd0);
    if (!f_read && !f_atomic)
      p1_bytes: assert (f_bytes == 32'(head_o.bytes) && f_bytes == (last_o ? send_i.total - f_begin : f_mtu));
    p1_limit: assert (f_bytes <= f_mtu);
    if (!f_read && !f_atomic)
      p2_exactly: assert (32'(len1_o) == (f_begin >= send_i.len1 ? 32'd0 :
                                          send_i.len1 - f_begin < f_bytes ? send_i.len1 - f_begin : f_bytes));
    p3_se: assert (head_o.se == (send_i.solicited && last_o));
    if (f_imm || f_inv) p3_imm: assert (f_idt == send_i.imm);
    // Words that the opcode does not have are 0 (nic_tx_head, env_ext).
    if (!f_reth) p3_none: assert (head_o.ext[223:32] == '0 && (f_imm || f_inv || f_w[0] == '0));
    if (f_reth && !f_atomic && send_i.op != nic_pkg::SqXtq)
      p3_short: assert (f_compare == '0 && (f_imm || f_w[4] == '0));
    if (f_send) p3_send: assert (head_o.opcode == {nic_pkg::TransRc,
        !last_o ? (idx_i == '0 ? 5'h00 : 5'h01) : f_imm ? (idx_i == '0 ? 5'h05 : 5'h03) :
        f_inv ? (idx_i == '0 ? 5'h17 : 5'h16) :
        idx_i == '0 ? 5'h04 : 5'h02});
    if (!f_read && !f_atomic && !f_send) p3_place: assert (head_o.opcode[4:0] ==
        (last_o ? (idx_i == '0 ? (f_imm ? nic_pkg::OpWriteOnlyImm : nic_pkg::OpWriteOnly) :
                                 (f_imm ? nic_pkg::OpWriteLastImm : nic_pkg::OpWriteLast)) :
                  (idx_i == '0 ? nic_pkg::OpWriteFirst : nic_pkg::OpWriteMiddle)));
    if (f_atomic)
      p3_atomic: assert (head_o.opcode == {nic_pkg::TransRc, send_i.op == nic_pkg::SqAdd ? nic_pkg::OpFetchAdd :
                                          nic_pkg::OpCmpSwap} &&
        f_va == send_i.rva && f_rkey == send_i.rkey && f_swap == send_i.swap &&
        f_compare == (send_i.op == nic_pkg::SqSwap ? send_i.compare : 64'd0));
    if (len1_o != '0) p2_first: assert (va1_o == send_i.va1 + 64'(f_begin) && f_begin + 32'(len1_o) <= send_i.len1);
    if (len2_o != '0) p2_second: assert (f_begin + 32'(len1_o) >= send_i.len1 &&
        va2_o == send_i.va2 + 64'(f_begin + 32'(len1_o) - send_i.len1));
    if (len1_o != '0 && len2_o != '0) p2_joint: assert (f_begin + 32'(len1_o) == send_i.len1);
    p3_last: assert (last_o == (idx_i + count_o == send_i.packets));
    p3_ack: assert (head_o.ack_req == (last_o || psn_i[3:0] == 4'hF));
    if (!f_read && !f_atomic && !f_send)
      p3_op: assert ((head_o.opcode[4:0] == nic_pkg::OpWriteFirst) == (idx_i == '0 && !last_o) &&
        (head_o.opcode[4:0] == nic_pkg::OpWriteMiddle) == (idx_i != '0 && !last_o) &&
        (head_o.opcode[7:5] == nic_pkg::TransXtq) == (send_i.op == nic_pkg::SqXtq));
    if (f_read) p4_read: assert (last_o && head_o.ack_req && f_va == send_i.rva + 64'(f_begin) &&
        f_length == send_i.total - f_begin && head_o.opcode == {nic_pkg::TransRc, nic_pkg::OpReadReq});
    if (!f_read) p4_one: assert (count_o == 24'd1);
    c_joint: cover (len1_o != '0 && len2_o != '0 && last_o && idx_i == 24'd2);
    c_second: cover (len1_o == '0 && len2_o != '0 && !last_o);
    c_again: cover (f_read && idx_i == 24'd5 && count_o == 24'd3);
    c_empty: cover (!f_read && !f_atomic && f_bytes == 32'd0);
  end
