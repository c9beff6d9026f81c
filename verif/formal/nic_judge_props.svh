// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_judge: the specification's sentences, restated opcode by opcode.
`include "fv.svh"
// Rules of README.md: RSP-1, RSP-2, RSP-3, RSP-4.
  logic [31:0] f_mtu, f_bytes;
  // begins: a message's first or only packet
  logic        f_w, f_x, f_s, f_real, f_begins, f_send, f_other, f_inv, f_pkey;
  always_comb begin
    f_mtu = cfg_i.mtu == 3'd1 ? 32'd256 : cfg_i.mtu == 3'd2 ? 32'd512 : cfg_i.mtu == 3'd3 ? 32'd1024 :
            cfg_i.mtu == 3'd4 ? 32'd2048 : 32'd4096;
    f_bytes = 32'(head_i.bytes);
    f_w = st_i.msg && !st_i.xtq && !st_i.send;  // in a message of writes, of an XtqPut, of a SEND
    f_x = st_i.msg && st_i.xtq && !st_i.send;
    f_s = st_i.msg && !st_i.xtq && st_i.send;
  end

  assign f_begins = head_i.opcode[4:0] == 5'h06 || (head_i.opcode[4:0] >= 5'h0A && head_i.opcode[4:0] <= 5'h0C) ||
                    head_i.opcode == 8'h13 || head_i.opcode == 8'h14;

  logic f_again;
  assign f_again = head_i.psn == st_i.epsn && st_i.again != 24'd0;  // it has been taken before
  assign f_inv   = head_i.opcode == 8'h16 || head_i.opcode == 8'h17;
  assign f_send  = head_i.opcode <= 8'h05 || f_inv;
  assign f_other = head_i.opcode == 8'h1C || head_i.opcode == 8'h1D;  // no operation of ours
  // The same but for bit 15, which one of both has.
  assign f_pkey = head_i.pkey == cfg_i.pkey ? cfg_i.pkey[15] : head_i.pkey == (cfg_i.pkey ^ 16'h8000);

  // Only a frame that nic_rx lets through, and a QP that is on, mean something.
  assign f_real = cfg_i.mtu >= 3'd1 && cfg_i.mtu <= 3'd5 && head_i.bytes <= 13'd4096 &&
                  (head_i.opcode <= 8'h14 || f_send || f_other || head_i.opcode == 8'hC6 || head_i.opcode == 8'hC7 ||
                   head_i.opcode == 8'hC8 || head_i.opcode == 8'hCA);
  always_comb begin
    p1_cnp: assert (cnp_o == (head_i.opcode == 8'h81));
    if (cnp_o)
      p1_nothing: assert (!send_o && !write_o && !read_o && !atomic_o && !xtq_o && !answer_o && !imm_o && !inv_o);
  end
  always_comb if (f_real) begin
    p1_foreign: assert (foreign_o == !(cfg_i.en && ours_i && head_i.ip == cfg_i.ip && f_pkey &&
                                       head_i.tci[11:0] == cfg_i.tci[11:0]));
    p1_answer: assert (answer_o == (head_i.opcode >= 8'h0D && head_i.opcode <= 8'h12));
    p1_diff: assert (!(ahead_o && dup_o) && (ahead_o || dup_o) == (head_i.psn != st_i.epsn || (f_again && write_o)));
    if (head_i.psn == st_i.epsn + 24'd1) p1_ahead: assert (ahead_o);
    if (head_i.psn == st_i.epsn - 24'd1) p1_behind: assert (dup_o);

    p2_unfit: assert (unfit_o == (f_other || (f_send && !cfg_i.recv)) && (!unfit_o || bad_o));
    p2_send: assert (send_o == f_send && inv_o == f_inv && xtq_o == (head_i.opcode >= 8'hC0));
    // A SEND: sizes of packets alone, and its place in the message.
    if (f_send && cfg_i.recv) begin
      if (head_i.opcode == 8'h00) p2_sfirst: assert (bad_o == !(!st_i.msg && f_bytes == f_mtu));
      if (head_i.opcode == 8'h01) p2_smiddle: assert (bad_o == !(f_s && f_bytes == f_mtu));
      if (head_i.opcode == 8'h02 || head_i.opcode == 8'h03 || head_i.opcode == 8'h16)
        p2_slast: assert (bad_o == !(f_s && f_bytes >= 32'd1 && f_bytes <= f_mtu));
      if (head_i.opcode == 8'h04 || head_i.opcode == 8'h05 || head_i.opcode == 8'h17)
        p2_sonly: assert (bad_o == !(!st_i.msg && f_bytes <= f_mtu));
    end
    if (f_send) p4_name: assert (look_o == f_inv && right_o == 3'd0 && key_o == head_i.imm && write_o);
    p2_imm: assert (imm_o == (head_i.opcode == 8'h03 || head_i.opcode == 8'h05 || head_i.opcode == 8'h09 ||
                              head_i.opcode == 8'h0B));
    if (head_i.opcode == 8'h06)
      p2_first: assert (bad_o == !(!st_i.msg && f_bytes == f_mtu && head_i.length > f_mtu &&
                                   head_i.length <= 32'h8000_0000));
    if (head_i.opcode == 8'h07) p2_middle: assert (bad_o == !(f_w && f_bytes == f_mtu && st_i.left > f_bytes));
    if (head_i.opcode == 8'h08 || head_i.opcode == 8'h09)
      p2_last: assert (bad_o == !(f_w && f_bytes >= 32'd1 && f_bytes <= f_mtu && st_i.left == f_bytes));
    if (head_i.opcode == 8'h0A || head_i.opcode == 8'h0B || head_i.opcode == 8'hCA)
      p2_only: assert (bad_o == !(!st_i.msg && f_bytes <= f_mtu && head_i.length == f_bytes));
    if (head_i.opcode == 8'h0C)
      p2_read: assert (bad_o == !((!st_i.msg || f_again) && head_i.length <= 32'h8000_0000 && f_bytes == 32'd0));
    if (head_i.opcode == 8'h13 || head_i.opcode == 8'h14)
      p2_atomic: assert (bad_o == !((!st_i.msg || f_again) && head_i.va[2:0] == 3'd0 && f_bytes == 32'd0));
    if (head_i.opcode == 8'hC6)
      p2_xfirst: assert (bad_o == !(!st_i.msg && f_bytes == f_mtu && head_i.length > f_mtu &&
                                    head_i.length <= 32'h8000_0000));
    if (head_i.opcode == 8'hC7) p2_xmiddle: assert (bad_o == !(f_x && f_bytes == f_mtu && st_i.left > f_bytes));
    if (head_i.opcode == 8'hC8)
      p2_xlast: assert (bad_o == !(f_x && f_bytes >= 32'd1 && f_bytes <= f_mtu && st_i.left == f_bytes));

    if (read_o && head_i.length != 32'd0)
      p3_ceil: assert (({31'd0, packets_o} << (4'd7 + 4'(cfg_i.mtu))) >= {24'd0, head_i.length} &&
                       (({31'd0, packets_o} - 56'd1) << (4'd7 + 4'(cfg_i.mtu))) < {24'd0, head_i.length});
    if (!read_o || head_i.length == 32'd0) p3_one: assert (packets_o == 25'd1);
    p1_ahead_only: assert (ahead_o == (diff_o >= 24'd1 && diff_o < 24'h80_0000) &&
                           diff_o == 24'(head_i.psn - st_i.epsn));
    p2_write: assert (write_o == !(answer_o || read_o || atomic_o || head_i.opcode == 8'h1C ||
                                   head_i.opcode == 8'h1D) || answer_o);
    if (!f_send && !f_other) p4_look: assert (look_o == (!xtq_o && len_o != 32'd0));
    if (!answer_o && !f_send && !f_other) begin
      p4_right: assert (right_o == (head_i.opcode == 8'h0C ? 3'd1 : head_i.opcode == 8'h13 ||
                                    head_i.opcode == 8'h14 ? 3'd4 : 3'd2));
      p4_region: assert (f_begins ? key_o == head_i.rkey && va_o == head_i.va : key_o == st_i.rkey && va_o == st_i.va);
      p4_left: assert (len_o == (right_o == 3'd4 ? 32'd8 : f_begins ? head_i.length : st_i.left));
    end

    c_middle: cover (!bad_o && head_i.opcode == 8'h07 && !foreign_o);
    c_again: cover (!bad_o && f_again && st_i.msg && read_o && !foreign_o && !dup_o);
    c_send: cover (!bad_o && head_i.opcode == 8'h16 && !foreign_o);
    c_read: cover (read_o && packets_o == 25'h080_0000 && !bad_o);
  end
