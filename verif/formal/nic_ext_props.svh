// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ext. The table is written out once more, as sets of opcodes: a bit for each of the 32 operations.
`include "fv.svh"
// Rules of README.md: FRM-5.
  localparam logic [31:0] FRcKnown = 32'h30DF_FFFF, FRcReth = 32'h0000_1C40, FRcAeth = 32'h0007_A000,
                          FRcAtomic = 32'h0018_0000, FRcAck = 32'h0004_0000, FRcImm = 32'h00C0_0A28,
                          FXtqKnown = 32'h0000_05C0, FXtqReth = 32'h0000_0440;
  logic [4:0] f_op;
  assign f_op = opcode_i[4:0];
  always_comb begin
    p1_known: assert (known_o == (rc && FRcKnown[f_op] || xtq && FXtqKnown[f_op] || opcode_i == 8'h81));
    p1_reth: assert (reth_o == (rc && FRcReth[f_op] || xtq && FXtqReth[f_op]));
    p1_aeth: assert (aeth_o == (rc && FRcAeth[f_op]));
    p1_atomic: assert (atomic_o == (rc && FRcAtomic[f_op]));
    p1_ack: assert (ack_o == (rc && FRcAck[f_op]));
    p1_imm: assert (imm_o == (rc && FRcImm[f_op]));
    p1_xtq: assert (xtq_o == (xtq && FXtqReth[f_op]));
    p2_dws: assert (dws_o == (reth_o ? 4'd4 : 4'd0) + (aeth_o ? 4'd1 : 4'd0) + (atomic_o ? 4'd7 : 4'd0) +
                             (ack_o ? 4'd2 : 4'd0) + (imm_o ? 4'd1 : 4'd0) + (xtq_o ? 4'd4 : 4'd0) +
                             (opcode_i == 8'h81 ? 4'd4 : 4'd0));
    c_longest: cover (dws_o == 4'd8);
    c_unknown: cover (rc && !known_o);
  end
