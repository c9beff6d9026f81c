// SPDX-License-Identifier: Apache-2.0
// nic_judge: what a frame is to its queue pair: RSP-1 to RSP-4, the region to ask for, the PSNs it takes.
//
//   head, cfg, state --> foreign | answer | ahead, dup, now --> in sequence? --> region
//
// P1  foreign_o: the QP is not ours, off, or the peer is another. cnp_o: a CNP. answer_o: 0D to 12. Otherwise it is a
//     request: ahead_o, dup_o, or neither. A write with PSN ePSN that was done before the responder went back
//     (st.again) is a dup_o too.
// P2  unfit_o: nothing here takes the operation. bad_o says that, or that the sequence rules of RSP-4 are broken. Both
//     mean something for a request that is neither ahead nor a duplicate. A read or atomic that comes again may be in a
//     message that came behind it.
// P3  packets_o = max(1, ceil(length / MTU)) for a read, whatever its length, else 1.
// P4  The region is looked up for all that is left of the message; look_o: it has to be (not for length 0, SEND and
//     XtqPut). A SEND with invalidate has its key looked up, without address and right.
//
// Combinational. Cost: LUTs only.
// Rules of README.md: RSP-1, RSP-2, RSP-3, RSP-4, RSP-19.
`default_nettype none

module nic_judge (
  input  wire nic_pkg::head_t   head_i,
  input  wire nic_pkg::qp_cfg_t cfg_i,
  input  wire nic_pkg::resp_state_t   st_i,
  input  wire logic             ours_i,     // the QP's number is one of ours

  output logic                  foreign_o,
  output logic                  cnp_o,
  output logic                  answer_o,
  output logic                  ahead_o,
  output logic                  dup_o,
  output logic      [23:0]      diff_o,     // PSN - ePSN
  output logic                  bad_o,
  output logic                  unfit_o,

  // What it is
  output logic                  write_o,    // SEND and XtqPut too
  output logic                  xtq_o,
  output logic                  send_o,
  output logic                  inv_o,      // with invalidate
  output logic                  read_o,
  output logic                  atomic_o,
  output logic                  first_o,
  output logic                  last_o,
  output logic                  imm_o,
  output logic      [24:0]      packets_o,  // more than 2^23: longer than a message may be

  // The region
  output logic                  look_o,
  output logic      [31:0]      key_o,
  output logic      [63:0]      va_o,
  output logic      [31:0]      len_o,
  output logic      [2:0]       right_o
);

  logic [4:0]  op;
  logic [31:0] mtu;
  logic        full, some, fits, only, long, other, pkey_ok, again, later;

  assign op        = head_i.opcode[4:0];
  // A limited member (bit 15 is 0) talks with full ones only.
  assign pkey_ok   = head_i.pkey[14:0] == cfg_i.pkey[14:0] && (head_i.pkey[15] || cfg_i.pkey[15]);
  assign foreign_o = !ours_i || !cfg_i.en || head_i.ip != cfg_i.ip || !pkey_ok ||
                     head_i.tci[11:0] != cfg_i.tci[11:0];  // VLAN 0: none, or a tag for its priority alone
  assign cnp_o     = head_i.opcode == {nic_pkg::TransCnp, nic_pkg::OpCnp};
  assign answer_o  = op >= nic_pkg::OpReadFirst && op <= nic_pkg::OpAtomicAck;
  assign xtq_o     = head_i.opcode[7:5] == nic_pkg::TransXtq;
  assign read_o    = op == nic_pkg::OpReadReq;
  assign atomic_o  = op == nic_pkg::OpCmpSwap || op == nic_pkg::OpFetchAdd;
  assign inv_o     = op == nic_pkg::OpSendLastInv || op == nic_pkg::OpSendOnlyInv;
  assign send_o    = !cnp_o && (op <= nic_pkg::OpSendOnlyImm || inv_o);
  assign other     = op == nic_pkg::OpFlush || op == nic_pkg::OpAtomicWrite;
  assign write_o   = !read_o && !atomic_o && !other && !cnp_o;
  assign unfit_o   = other || (send_o && !cfg_i.recv);
  assign only      = op == nic_pkg::OpWriteOnly || op == nic_pkg::OpWriteOnlyImm || op == nic_pkg::OpSendOnly ||
                     op == nic_pkg::OpSendOnlyImm || op == nic_pkg::OpSendOnlyInv;
  assign first_o   = op == nic_pkg::OpWriteFirst || op == nic_pkg::OpSendFirst || only || !write_o;
  assign last_o    = op == nic_pkg::OpWriteLast || op == nic_pkg::OpWriteLastImm || op == nic_pkg::OpSendLast ||
                     op == nic_pkg::OpSendLastImm || op == nic_pkg::OpSendLastInv || only || !write_o;
  assign imm_o     = op == nic_pkg::OpWriteLastImm || op == nic_pkg::OpWriteOnlyImm || op == nic_pkg::OpSendLastImm ||
                     op == nic_pkg::OpSendOnlyImm;

  assign diff_o  = head_i.psn - st_i.epsn;
  // What is asked for again since a page was absent: of this, writes have been done.
  assign again   = diff_o == 24'd0 && st_i.again != 24'd0;
  assign dup_o   = diff_o[23] || (again && write_o);
  assign ahead_o = !diff_o[23] && diff_o != 24'd0;

  // ---- sizes ----
  assign mtu    = 32'd128 << cfg_i.mtu;
  assign long   = head_i.length > 32'h8000_0000;
  assign full   = 32'(head_i.bytes) == mtu;
  assign some   = head_i.bytes != 13'd0;
  assign fits   = 32'(head_i.bytes) <= mtu;
  assign packets_o = !read_o || head_i.length == 32'd0 ? 25'd1 :
                     25'(({1'b0, head_i.length} + {1'b0, mtu - 32'd1}) >> (5'd7 + 5'(cfg_i.mtu)));

  always_comb begin
    bad_o = unfit_o || ((!again || write_o) && (st_i.msg != !first_o ||
            (st_i.msg && {st_i.xtq, st_i.send} != {xtq_o, send_o})));
    if (read_o) bad_o = bad_o || long || some;
    else if (atomic_o) bad_o = bad_o || head_i.va[2:0] != 3'd0 || some;
    else if (first_o && last_o) bad_o = bad_o || !fits || (!send_o && head_i.length != 32'(head_i.bytes));
    else if (first_o) bad_o = bad_o || !full || (!send_o && (long || head_i.length <= mtu));
    else if (last_o) bad_o = bad_o || !some || !fits || (!send_o && st_i.left != 32'(head_i.bytes));
    else bad_o = bad_o || !full || (!send_o && st_i.left <= 32'(head_i.bytes));
  end

  // ---- the region ----
  // The key is wanted early: what is no SEND has the message's key when it is a Middle or a Last.
  assign later   = op == nic_pkg::OpWriteMiddle || op == nic_pkg::OpWriteLast || op == nic_pkg::OpWriteLastImm;
  assign key_o   = send_o ? head_i.imm : later ? st_i.rkey : head_i.rkey;
  assign va_o    = first_o ? head_i.va : st_i.va;
  assign len_o   = atomic_o ? 32'd8 : first_o ? head_i.length : st_i.left;
  assign right_o = {atomic_o, write_o && !send_o, read_o};
  assign look_o  = send_o ? inv_o : len_o != 32'd0 && !xtq_o;

`ifdef FORMAL
`include "nic_judge_props.svh"
`endif

endmodule

`default_nettype wire
