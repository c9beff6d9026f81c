// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_cnp: one queue pair, chosen freely; how long ago its last CNP was (f_age_q), and that or the last
// write of the time (f_any_q), both from 1 in the cycle after.
`include "fv.svh"
// Rules of README.md: ECN-2, ECN-3, ECN-4, TIM-8.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)

  logic              f_mark_q, f_owes_q, f_once_q, f_same_q, f_we_q, f_sent, f_mark, f_clear, f_fresh, f_stale, f_due;
  logic [33:0]       f_age_q, f_any_q, f_time;
  logic [31:0]       f_time_q;
  logic [NumQps-1:0] f_bit;

  assign f_bit   = NumQps'(1) << f_qp;
  assign f_sent  = sent_valid_i && sent_qp_i == f_qp;
  assign f_mark  = mark_valid_i && mark_qp_i == f_qp && cfg_time_i != '0;
  assign f_clear = clear_valid_i && clear_qp_i == f_qp;
  assign f_fresh = |(fresh_q & f_bit);
  assign f_stale = |(stale_q & f_bit);
  assign f_due   = |(due_o & f_bit);
  assign f_time  = cfg_time_i == '0 ? 34'd1 : 34'(cfg_time_i);

  always_ff @(posedge clk_i) begin
    f_we_q   <= cfg_we_i;
    f_time_q <= cfg_time_i;
    if (!rst_ni) begin
      f_owes_q <= 1'b0;
      f_mark_q <= 1'b0;
      f_once_q <= 1'b0;
      f_same_q <= 1'b0;
      f_age_q  <= 34'd1;
      f_any_q  <= 34'd1;
    end else begin
      f_mark_q <= f_mark && !f_sent && !f_clear;
      f_owes_q <= (f_owes_q || f_mark_q) && !f_sent && !f_clear;
      f_once_q <= f_once_q || f_sent;
      f_same_q <= (f_same_q || f_sent) && !cfg_we_i;
      f_age_q  <= f_sent ? 34'd1 : f_age_q[33] ? f_age_q : f_age_q + 34'd1;
      f_any_q  <= f_sent || cfg_we_i ? 34'd1 : f_any_q[33] ? f_any_q : f_any_q + 34'd1;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_time: assume (!f_rst_q || f_we_q || cfg_time_i == f_time_q);

    p1_mark: assert (|(mark & f_bit) == f_mark_q);
    p1_owes: assert (|(owes_q & f_bit) == f_owes_q && (!f_due || f_owes_q));
    if (f_due && f_same_q) p2_least: assert (f_age_q >= f_time);
    if (f_owes_q && !f_due) p3_most: assert (f_any_q <= f_time + f_time + 34'd1);
    // How far the period is, and what that says of a QP's two bits.
    p2_age: assert (f_age_q != '0 && f_any_q != '0);
    p3_count: assert (34'(count_q) < f_time);
    if (f_fresh) p3_fresh: assert (f_once_q && f_any_q <= 34'(count_q) + 34'd1);
    if (f_stale && !f_fresh) p3_stale: assert (f_once_q && f_any_q <= 34'(count_q) + f_time + 34'd1);
    if (f_stale && !f_fresh && f_same_q) p2_stale: assert (f_age_q >= 34'(count_q) + 34'd2);
    if (f_same_q) p2_once: assert (f_once_q);
    if (f_same_q && !f_fresh && !f_stale) p2_none: assert (f_age_q >= f_time + 34'd2);
    c_again: cover (f_due && f_same_q && cfg_time_i == 32'd3);
    c_waits: cover (f_owes_q && !f_due);
  end
