// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_seek: one place, chosen freely.
`include "fv.svh"
// Rules of README.md: CTX-6.
  `FV_INIT
  `FV_SEES(f_try, 1, try_valid_o)
  `FV_ANYCONST(f_at, 8)
  `FV_BELOW(def_at, f_at, NumQps)

  logic       f_busy_q, f_try_q, f_off_q, f_rests_q, f_quiet_q, f_works_q;
  logic [7:0] f_place_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_busy_q <= 1'b0;
    else if (start_i) f_busy_q <= 1'b1;
    else if (done_o) f_busy_q <= 1'b0;
    f_try_q   <= rst_ni && try_valid_o && !try_done_i;
    f_place_q <= place_o;
    f_off_q   <= !on_i[place_o[IdxW-1:0]];
    f_rests_q <= !works_i[place_o[IdxW-1:0]] && !responses_i[place_o[IdxW-1:0]];
    f_quiet_q <= !acks_i[place_o[IdxW-1:0]] && !slow_i[place_o[IdxW-1:0]] && !met_q[place_o[IdxW-1:0]];
    f_works_q <= (on_i & works_i) == '1;
  end
  logic f_tried_q, f_on_q, f_free_was_q, f_again_q;
  always_ff @(posedge clk_i) begin
    f_tried_q    <= rst_ni && try_valid_o;
    f_on_q       <= on_i[f_at[IdxW-1:0]];
    f_free_was_q <= state_q == StFree;
    f_again_q    <= again_i;
  end
  // Whether the first walk, and the second, have come by a place, and how far it is to it.
  logic        f_step_q, f_all_q, f_first_q, f_second_q;
  logic [31:0] f_far;
  assign f_far = 32'(f_at) + (32'(f_at) < 32'(at_q) ? NumQps : 0) - 32'(at_q);
  always_ff @(posedge clk_i) begin
    f_step_q <= rst_ni && state_q == StStep;
    f_all_q  <= all_q;
    if (state_q == StFree) {f_first_q, f_second_q} <= 2'b00;
    else if (next && f_far == 32'd0) begin
      if (!all_q) f_first_q <= 1'b1;
      else f_second_q <= 1'b1;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_start: assume (!start_i || !f_busy_q);
    env_done: assume (!try_done_i || f_try);
    p1_state: assert (state_q <= StDone);
    p1_idle: assert (f_busy_q == (state_q != StIdle));
    if (state_q == StStep || state_q == StTry || state_q == StOver) p1_none_yet: assert (!found_q && !free_q);
    p1_range: assert (32'(at_q) < NumQps);
    if (state_q == StStep || state_q == StTry) p1_left: assert (left_q != '0 && 32'(left_q) <= NumQps);
    if (done_o && !found_o && f_again_q) p1_none: assert (f_works_q);
    if (done_o && found_o && !free_o) p1_tried: assert (f_tried_q);
    if (done_o && free_o) p1_free: assert (f_free_was_q && found_o);
    if (done_o && free_o && place_o == f_at) p1_off: assert (!f_on_q);
    if (try_valid_o && !f_tried_q) p2_rests: assert (f_rests_q);
    if (try_valid_o && !f_tried_q && !all_q) p3_quiet: assert (f_quiet_q);
    if (f_step_q && f_rests_q && (f_all_q || f_quiet_q)) p3_taken: assert (try_valid_o && place_o == f_place_q);
    if (state_q == StStep || state_q == StTry) begin
      p3_ahead: assert ((all_q ? f_second_q : f_first_q) || f_far < 32'(left_q));
      if (all_q) p3_first: assert (f_first_q);
    end
    if (state_q == StOver) p3_second: assert (f_first_q && f_second_q);
    if (f_try_q) p2_stays: assert (try_valid_o && place_o == f_place_q);
    c_free: cover (done_o && free_o);
    c_second: cover (done_o && found_o && all_q);
    c_none: cover (done_o && !found_o && f_again_q);
  end
