// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_wr_mux, seen by one source f_s: what it was owed, and that it gets it. No register holds data, so
// what is offered stays if it stays at its source (the promise of all sources) and the choice of the source does: p4.
// f_level: jobs whose item is still to come.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_s, IdxW)
  `FV_BELOW(def_source, f_s, Sources)

  logic                       f_hold_job_q, f_hold_pay_q, f_take, f_item, f_any_item;
  logic [Sources-1:0]         f_in_job_q, f_in_pay_q;
  logic [IdxW-1:0]            f_pick_q;
  logic [Sources-1:0]         f_whose_q;
  logic                       f_done_q, f_own_q;  // in the cycle before: an end, one of f_s
  // of f_s: items, ends to come; of all: ends whose item has gone
  logic [LevelW-1:0]          f_pays_q, f_ends_q, f_open_q, f_level;
  logic [3:0]                 f_lost_q;                      // jobs of others that left while f_s waited

  assign f_level    = level + LevelW'(whose_q != '0);
  assign f_take     = job_valid_i[f_s] && job_ready_o[f_s];
  assign f_item     = pay_valid_i[f_s] && pay_ready_o[f_s] && pay_i[32'(f_s)*BytesW+BytesW-1];
  assign f_any_item = pay_valid_o && pay_ready_i && pay_o.last;

  nic_pkg::dma_t f_job;
  logic          f_empty;  // a job without bytes
  always_comb begin
    f_empty = 1'b0;
    f_job   = '0;
    for (int i = 0; i < Sources; i++) begin
      f_job = job_i[i*JobW+:JobW];
      if (job_valid_i[i] && f_job.len == 13'd0) f_empty = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    f_hold_job_q <= rst_ni && job_valid_o && !job_ready_i;
    f_hold_pay_q <= rst_ni && pay_valid_o && !pay_ready_i;
    f_in_job_q   <= rst_ni ? job_valid_i & ~job_ready_o : '0;
    f_in_pay_q   <= rst_ni ? pay_valid_i & ~pay_ready_o : '0;
    f_pick_q     <= pick;
    f_whose_q    <= whose_q;
    f_done_q     <= rst_ni && done_i;
    f_own_q      <= rst_ni && done[f_s];
    if (!rst_ni) begin
      f_pays_q <= '0;
      f_ends_q <= '0;
      f_open_q <= '0;
      f_lost_q <= '0;
    end else begin
      f_pays_q <= f_pays_q + LevelW'(f_take) - LevelW'(f_item);
      f_ends_q <= f_ends_q + LevelW'(f_take) - LevelW'(done[f_s]);
      f_open_q <= f_open_q + LevelW'(f_any_item) - LevelW'(done_i);
      f_lost_q <= !job_valid_i[f_s] || f_take ? 4'd0 : go && f_lost_q != 4'd15 ? f_lost_q + 4'd1 : f_lost_q;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_jobs: assume ((f_in_job_q & ~job_valid_i) == '0);
    env_pays: assume ((f_in_pay_q & ~pay_valid_i) == '0);
    if (f_open_q == '0) env_done: assume (!done_i);
    env_bytes: assume (!f_empty);
    p1_one: assert ((job_ready_o & (job_ready_o - Sources'(1))) == '0 && (|(job_valid_i & job_ready_o)) == go);
    if (f_take) p1_job: assert (job_o == job_i[32'(f_s)*JobW+:JobW]);
    p1_fair: assert (32'(f_lost_q) < Sources);
    if (pay_valid_i[f_s] && pay_ready_o[f_s]) p2_item: assert (pay_valid_o && pay_o == pay_i[32'(f_s)*BytesW+:BytesW]);
    p2_owed: assert (f_pays_q <= f_level && f_ends_q <= ends_level && f_pays_q <= f_ends_q);
    if (f_item) p2_after_job: assert (f_pays_q != '0);
    p2_one: assert ((whose_q & (whose_q - Sources'(1))) == '0 && (whose_q != '0 || level == '0));
    if (go && !over) p2_room: assert (32'(level) < Ahead);
    p3_open: assert (32'(f_level) + 32'(f_open_q) == 32'(ends_level) && 32'(ends_level) <= Ahead);
    p3_one: assert ((done_o & (done_o - Sources'(1))) == '0 && (|done_o) == f_done_q);
    p3_later: assert (done_o[f_s] == f_own_q);
    if (done[f_s]) p3_own: assert (f_ends_q > f_pays_q);
    if (f_hold_job_q) p4_job: assert (job_valid_o && pick == f_pick_q);
    if (f_hold_pay_q) p4_pay: assert (pay_valid_o && whose_q == f_whose_q);
    c_turn: cover (f_take && 32'(f_lost_q) == Sources - 1);
    c_full: cover (32'(ends_level) == Ahead && f_ends_q != '0 && f_pays_q == '0);
  end
