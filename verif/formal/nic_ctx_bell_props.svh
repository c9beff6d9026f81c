// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_bell: one context, chosen freely: whether it rings and with what, and how often it
// is in the queue.
`include "fv.svh"
// Rules of README.md: CTX-4.
  `FV_INIT
  `FV_SEES(f_busy, 1, busy_o)
  `FV_ANYCONST(f_ctx, CtxW)

  logic        f_rings_q, f_was_q, f_swept_q, f_asked_q, f_mine_q, f_take_q, f_first_q;
  logic [15:0] f_prod_q, f_then_q;
  logic [1:0]  f_since_q;  // cycles since a bell
  logic [2:0]  f_ask_q;
  logic [CtxW-1:0] f_ctx_q;
  logic [1:0]  f_in_q;     // how often it is in the queue
  logic        f_bell, f_begins, f_push, f_pop;
  assign f_bell   = bell_valid_i && bell_ctx_i == f_ctx;
  assign f_begins = begun_o && start_ctx == f_ctx;
  assign f_push   = push_q && at_q == f_ctx;
  assign f_pop    = pop && first_o == f_ctx;
  always_ff @(posedge clk_i) begin
    f_asked_q <= rst_ni && asked && !done_o && !sweep_i;
    {f_ask_q, f_ctx_q} <= {take_i, peek_i, pop_i, ctx_i};
    f_mine_q  <= rst_ni && f_begins;
    f_take_q  <= take_i;
    f_first_q <= rst_ni && first_valid_o && !pop_i && !sweep_i;
    if (f_begins) {f_was_q, f_then_q} <= {f_rings_q, f_prod_q};
    if (!rst_ni) f_since_q <= '0;
    else if (bell_valid_i) f_since_q <= 2'd2;
    else if (f_since_q != '0) f_since_q <= f_since_q - 2'd1;
    if (!rst_ni || sweep_i) {f_rings_q, f_in_q} <= '0;
    else begin
      if (f_bell) {f_rings_q, f_prod_q} <= {1'b1, bell_prod_i};
      else if (f_begins && take_i) f_rings_q <= 1'b0;
      f_in_q <= f_in_q + 2'(f_push) - 2'(f_pop);
    end
    if (!rst_ni) f_swept_q <= 1'b0;
    else if (sweep_i) f_swept_q <= 1'b1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_apart: assume (!bell_valid_i || (f_since_q == '0 && !sweep_i && !f_busy));
    env_swept: assume (f_swept_q || !bell_valid_i);
    env_quiet: assume (f_swept_q || !(take_i || peek_i || pop_i));
    env_one: assume ({1'b0, take_i} + {1'b0, peek_i} + {1'b0, pop_i} <= 2'd1);
    env_first: assume (!pop_i || f_first_q || (f_asked_q && f_ask_q[0]));
    if (f_asked_q) env_stays: assume ({take_i, peek_i, pop_i} == f_ask_q && (pop_i || ctx_i == f_ctx_q));
    if (f_mine_q && done_o) p1_rings: assert (rings_o == f_was_q && (!rings_o || prod_o == f_then_q));
    p2_once: assert (f_in_q <= 2'd1 && !(f_push && f_in_q != '0 && !f_pop));
    if (f_rings_q && !step_q && !push_q && !wait_q && !busy_o && !bell_q0) p2_queued: assert (f_in_q == 2'd1);
    p3_done: assert (!done_o || asked || sweep_q);
    c_pop: cover (done_o && pop_q && !rings);
    c_back: cover (done_o && pop_q && rings && first_o == f_ctx);
    c_take: cover (f_mine_q && done_o && f_take_q && rings_o && prod_o == 16'd7);
  end
  logic bell_q0;
  assign bell_q0 = bell_valid_i;
