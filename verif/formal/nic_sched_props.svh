// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_sched: one queue pair, chosen freely, and what it is owed.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)

  logic            f_mine, f_owed_q, f_hold_q, f_took;
  logic [IdxW-1:0] f_idx;
  logic [7:0]      f_turn_q;

  assign f_mine = 32'(f_qp) < NumQps;
  assign f_idx  = f_qp[IdxW-1:0];
  assign f_took = turn_valid_o && turn_ready_i && turn_qp_o == f_qp;

  always_ff @(posedge clk_i) begin
    f_hold_q <= rst_ni && turn_valid_o && !turn_ready_i;
    f_turn_q <= turn_qp_o;
    // Owed: woken since its last turn was taken.
    if (!rst_ni) f_owed_q <= 1'b0;
    else if (f_mine && wake_i[f_idx]) f_owed_q <= 1'b1;
    else if (f_took) f_owed_q <= 1'b0;
  end

  `FV_COMB if (f_past_q) begin
    if (f_mine) p1_owed: assert (!f_owed_q || want_q[f_idx] || (turn_valid_o && turn_qp_o == f_qp));
    if (turn_valid_o) p1_range: assert (32'(turn_qp_o) < NumQps);
    if (f_mine && want_q[f_idx]) p2_want: assert (f_owed_q);
    if (turn_valid_o && turn_qp_o == f_qp) p2_turn: assert (f_owed_q);
    if (f_mine && want_q[f_idx]) p2_once: assert (!(turn_valid_o && turn_qp_o == f_qp));
    if (want_q != '0 && !turn_valid_o) p3_work: assert (load);
    if (f_hold_q) p4_hold: assert (turn_valid_o && turn_qp_o == f_turn_q);
    c_turn: cover (f_took && want_q != '0);
    c_again: cover (f_took && f_mine && wake_i[f_idx]);
  end
