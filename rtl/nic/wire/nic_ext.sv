// SPDX-License-Identifier: Apache-2.0
// nic_ext: which extension headers an opcode has, and how long they are.
//
//   opcode_i --[ table of README.md ]--> form, words
//
// P1  known_o: the opcode has a form here. All other outputs are 0 for one that has not.
// P2  dws_o is the sum of what is there: RETH 4, AETH 1, AtomicETH 7, AtomicAckETH 2, ImmDt 1, XtqETH 4, a CNP's bytes
//     4.
//
// Cost: about 25 LUT4, 3 levels; no cycle.
// Rules of README.md: FRM-5.
`default_nettype none

module nic_ext (
  input  wire logic [7:0] opcode_i,
  output logic            known_o,
  output logic            reth_o,
  output logic            aeth_o,
  output logic            atomic_o,
  output logic            ack_o,    // AtomicAckETH
  output logic            imm_o,    // ImmDt; IETH, which stands in its place
  output logic            xtq_o,    // XtqETH
  output logic      [3:0] dws_o     // words of all of them, 0 to 8
);

  logic rc, xtq, cnp;
  assign rc  = opcode_i[7:5] == nic_pkg::TransRc;
  assign xtq = opcode_i[7:5] == nic_pkg::TransXtq;
  assign cnp = opcode_i[7:5] == nic_pkg::TransCnp;

  always_comb begin
    known_o  = 1'b0;
    reth_o   = 1'b0;
    aeth_o   = 1'b0;
    atomic_o = 1'b0;
    ack_o    = 1'b0;
    imm_o    = 1'b0;
    xtq_o    = 1'b0;
    dws_o    = 4'd0;
    unique case (opcode_i[4:0])
      nic_pkg::OpWriteFirst, nic_pkg::OpWriteOnly: begin
        known_o = rc || xtq;
        reth_o  = rc || xtq;
        xtq_o   = xtq;
        dws_o   = {xtq, rc, 2'b00};
      end
      nic_pkg::OpWriteMiddle, nic_pkg::OpWriteLast: known_o = rc || xtq;
      nic_pkg::OpSendMiddle: begin  // OpCnp
        known_o = rc || cnp;
        dws_o   = {1'b0, cnp, 2'b00};
      end
      nic_pkg::OpSendFirst, nic_pkg::OpSendLast, nic_pkg::OpSendOnly, nic_pkg::OpFlush,
        nic_pkg::OpAtomicWrite: known_o = rc;
      nic_pkg::OpWriteLastImm, nic_pkg::OpSendLastImm, nic_pkg::OpSendOnlyImm, nic_pkg::OpSendLastInv,
        nic_pkg::OpSendOnlyInv: begin
        known_o = rc;
        imm_o   = rc;
        dws_o   = {3'b000, rc};
      end
      nic_pkg::OpWriteOnlyImm: begin
        known_o = rc;
        reth_o  = rc;
        imm_o   = rc;
        dws_o   = {1'b0, rc, 1'b0, rc};
      end
      nic_pkg::OpReadReq: begin
        known_o = rc;
        reth_o  = rc;
        dws_o   = {1'b0, rc, 2'b00};
      end
      nic_pkg::OpReadMiddle: known_o = rc;
      nic_pkg::OpReadFirst, nic_pkg::OpReadLast, nic_pkg::OpReadOnly, nic_pkg::OpAck: begin
        known_o = rc;
        aeth_o  = rc;
        dws_o   = {3'b000, rc};
      end
      nic_pkg::OpAtomicAck: begin
        known_o = rc;
        aeth_o  = rc;
        ack_o   = rc;
        dws_o   = {2'b00, rc, rc};
      end
      nic_pkg::OpCmpSwap, nic_pkg::OpFetchAdd: begin
        known_o  = rc;
        atomic_o = rc;
        dws_o    = {1'b0, rc, rc, rc};
      end
      default: known_o = 1'b0;
    endcase
  end

`ifdef FORMAL
`include "nic_ext_props.svh"
`endif

endmodule

`default_nettype wire
