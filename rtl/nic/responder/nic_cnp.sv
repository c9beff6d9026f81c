// SPDX-License-Identifier: Apache-2.0
// nic_cnp: which queue pairs owe their peers a CNP, and when it may go (ECN-1, ECN-2, ECN-3, ECN-4).
//
//   mark --> | mark | --> [ owes: a bit a QP ] --+--> due_o (nic_acks)
//   sent ---------------> [ fresh | stale ] -----+
//              '--tick--^ '--tick--> forgotten       tick: every cfg_time_i cycles
//
// P1  due_o only of a QP with a mark after its last CNP (one of the same cycle is told of by that CNP) and since it was
//     cleared last.
// P2  Not before cfg_time_i cycles after its last CNP, if cfg_time_i has not changed since.
// P3  A QP that owes is due at the latest 2 x cfg_time_i cycles after its last CNP and the last write of cfg_time_i,
//     the later of them.
// P4  With cfg_time_i 0 a mark is not noted; what is owed goes as with 1.
//
// Whose a mark is comes late, and is looked at in the next cycle.
// A QP that has sent one is fresh until the next tick and stale until the one after: a counter for all of them.
// Cost: 172 LUT4, 105 flip-flops, 7 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9, 16 QPs).
// Rules of README.md: TIM-8.
`default_nettype none

module nic_cnp #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic [31:0]        cfg_time_i,
  input  wire logic               cfg_we_i,       // cfg_time_i is being written

  input  wire logic               mark_valid_i,   // a marked frame of this QP
  input  wire logic [7:0]         mark_qp_i,
  input  wire logic               clear_valid_i,  // it is turned on or off
  input  wire logic [7:0]         clear_qp_i,
  input  wire logic               sent_valid_i,   // its CNP has left
  input  wire logic [7:0]         sent_qp_i,

  output logic      [NumQps-1:0]  due_o
);

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("nic_cnp: NumQps must be 1 to 256"); end

  // One bit a QP.
  function automatic logic [NumQps-1:0] bit_of(input logic valid, input logic [7:0] qp);
    for (int unsigned i = 0; i < NumQps; i++) bit_of[i] = valid && qp == 8'(i);
  endfunction

  logic [NumQps-1:0] owes_q, fresh_q, stale_q, mark, clear, sent, told_q;  // told: sent or cleared a cycle ago
  logic              mark_q;
  logic [7:0]        mark_qp_q;
  logic [31:0]       count_q, count;
  logic              tick;

  assign mark  = bit_of(mark_q, mark_qp_q) & ~told_q;
  assign clear = bit_of(clear_valid_i, clear_qp_i);
  assign sent  = bit_of(sent_valid_i, sent_qp_i);
  assign count = count_q + 32'd1;
  assign tick  = count >= cfg_time_i;
  assign due_o = owes_q & ~fresh_q & ~stale_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owes_q  <= '0;
      fresh_q <= '0;
      stale_q <= '0;
      count_q <= '0;
      mark_q  <= 1'b0;
    end else begin
      mark_q  <= mark_valid_i && cfg_time_i != '0;
      count_q <= tick || cfg_we_i ? '0 : count;
      owes_q  <= (owes_q | mark) & ~sent & ~clear;
      fresh_q <= (tick ? '0 : fresh_q) | sent;
      stale_q <= tick ? fresh_q : stale_q;
    end
  end
  always_ff @(posedge clk_i) begin
    mark_qp_q <= mark_qp_i;
    told_q    <= sent | clear;
  end

`ifdef FORMAL
`include "nic_cnp_props.svh"
`endif

endmodule

`default_nettype wire
