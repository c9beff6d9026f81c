// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_map: one context and one place, chosen freely, and what was last said of them.
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_busy, 1, busy_o)
  `FV_ANYCONST(f_ctx, CtxW)
  `FV_ANYCONST(f_at, 8)
  `FV_BELOW(def_at, f_at, NumQps)

  logic            f_here_q, f_swept_q, f_asks_q, f_told_q;  // asks: it was looked for in the last cycle
  logic [7:0]      f_place_q;
  logic [CtxW-1:0] f_then_q;
  logic [CtxW:0]   f_busy_q;
  always_ff @(posedge clk_i) begin
    f_asks_q <= rst_ni && f_swept_q && ((find_valid_i && find_ctx_i == f_ctx) ||
                (!find_valid_i && look_valid_i && look_ready_o && look_ctx_i == f_ctx));
    if (!rst_ni) {f_here_q, f_swept_q, f_told_q, f_busy_q} <= '0;
    else begin
      if (sweep_i) f_busy_q <= '0;
      else if (busy_o) f_busy_q <= f_busy_q + 1'b1;
      if (sweep_i) {f_here_q, f_swept_q} <= 2'b01;
      else if (set_valid_i && set_ctx_i == f_ctx) {f_here_q, f_place_q} <= {set_here_i, set_place_i};
      if (set_valid_i && set_here_i && set_place_i == f_at) {f_told_q, f_then_q} <= {1'b1, set_ctx_i};
    end
  end

  `FV_COMB if (f_past_q) begin
    if (rst_ni) begin
      env_one: assume (!(set_valid_i && find_valid_i));
      env_sweep: assume (!(f_busy && (set_valid_i || find_valid_i)));
      env_place: assume (!set_valid_i || 32'(set_place_i) < NumQps);
      env_swept: assume (f_swept_q || !(set_valid_i || find_valid_i || look_valid_i));
      if (f_asks_q) p1_here: assert (hit_o == f_here_q || f_changed_q);
      if (f_asks_q && hit_o && !f_changed_q) p1_place: assert (place_o == f_place_q);
      if (find_valid_i || set_valid_i || busy_o) p2_ready: assert (!look_ready_o);
      if (f_told_q && at_place_i == f_at) p3_context: assert (at_ctx_o == f_then_q);
      if (busy_o) p4_ends: assert (32'(f_busy_q) < Contexts && f_busy_q == {1'b0, sweep_q});
      c_hit: cover (f_asks_q && hit_o && f_here_q);
      c_gone: cover (f_asks_q && !hit_o && f_told_q && f_swept_q);
    end
  end
  // It is answered as it was when it was asked.
  logic f_changed_q;
  always_ff @(posedge clk_i) f_changed_q <= sweep_i || (set_valid_i && set_ctx_i == f_ctx);
