// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_hold.
`include "fv.svh"
// Rules of README.md: INV-12.
  `FV_INIT

  logic [N-1:0] f_req_q, f_gnt_q;
  logic         f_hold_q, f_still_q;  // under hold in the cycle before; and nothing was under way
  logic [7:0]   f_wait_q;
  always_ff @(posedge clk_i) begin
    f_req_q <= rst_ni ? req_i : '0;
    f_gnt_q <= rst_ni ? gnt_o : '0;
    f_hold_q <= rst_ni && hold_o;
    f_still_q <= rst_ni && hold_o && idle_i;
    f_wait_q <= !rst_ni || !req_i[0] || gnt_o[0] || !idle_i || |(req_i >> 1) ? '0 : f_wait_q + 8'd1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // What stands still under hold stays so until the hold ends.
    if (f_still_q) env_still: assume (idle_i);

    p1_one: assert ((gnt_o & (gnt_o - N'(1))) == '0 && (owner_q & (owner_q - N'(1))) == '0);
    if (gnt_o != '0) p1_still: assert (hold_o && idle_i && f_hold_q);
    p1_calm: assert (calm_q == f_still_q);
    if ((f_gnt_q & req_i) != '0) p2_stays: assert (gnt_o == f_gnt_q);
    if (f_gnt_q != '0 && (f_gnt_q & req_i) == '0) p2_gap: assert (gnt_o == '0);
    p3_soon: assert (f_wait_q <= 8'd4);
    if (f_wait_q >= 8'd2) p3_owner: assert (owner_q[0]);
    if (f_wait_q >= 8'd3) p3_still: assert (still_q != '0);
    if (f_wait_q >= 8'd4) p3_granted: assert (gnt_o[0] || !req_i[0]);
    if (f_gnt_q != '0) p4_after: assert (hold_o);
    c_turns: cover (gnt_o[N-1] && f_req_q[0]);
  end
