// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_replay. One answer (f_pick), put at any time for a QP chosen freely, is followed: how many have been put since.
// f_fair_q: the QP was started, and its PSNs have been rising, so that none comes twice while the store remembers it.
`include "fv.svh"

  `FV_INIT_NO_RESET
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)
  `FV_ANYSEQ(f_pick, 1)

  logic        f_live_q, f_this, f_start, f_fair_q, f_none_q;
  logic [31:0] f_since_q;  // answers of f_qp put after it
  logic [23:0] f_psn_q, f_last_q;
  logic [63:0] f_value_q;

  assign f_this  = put_valid_i && put_qp_i == f_qp;
  assign f_start = start_valid_i && start_qp_i == f_qp;
  initial {f_live_q, f_fair_q} = 2'b00;
  always_ff @(posedge clk_i) begin
    if (f_start) {f_live_q, f_fair_q, f_none_q} <= {2'b01 & {2{32'(f_qp) < NumQps}}, 1'b1};
    else if (f_this) begin
      f_live_q  <= f_fair_q && (f_pick || (f_live_q && f_since_q + 32'd1 < Replay));
      f_since_q <= f_pick ? '0 : f_since_q + 32'd1;
      f_none_q  <= 1'b0;
      f_last_q  <= put_psn_i;
      if (!f_none_q && put_psn_i - f_last_q - 24'd1 >= 24'h1_0000) {f_live_q, f_fair_q} <= 2'b00;
      if (f_pick) {f_psn_q, f_value_q} <= {put_psn_i, put_value_i};
    end
  end

  // In simulation a look-up is made outside the clock as well; what counts is the edge.
  `FV_COMB if (f_past_q) begin
    env_alone: assume (!(start_valid_i && put_valid_i));
    if (start_valid_i) env_start: assume (32'(start_qp_i) < NumQps);
    if (put_valid_i) env_put: assume (32'(put_qp_i) < NumQps);
    if (f_live_q && f_fair_q && look_qp_i == f_qp && look_psn_i == f_psn_q) p1_found: assert (hit_o && value_o == f_value_q);
    if (f_fair_q && f_none_q && look_qp_i == f_qp) p3_none: assert (!hit_o);
    c_hit: cover (f_live_q && hit_o && f_since_q == Replay - 1 && look_qp_i == f_qp);
  end
