// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rd_mux, seen by one source f_s: what it was owed, and that it gets it. No register holds data, so
// what is offered stays if it stays at its source (the promise of all sources) and the choice of the source does: p3.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_s, IdxW)
  `FV_BELOW(def_source, f_s, Sources)

  logic                     f_hold_job_q, f_item_q, f_alone_q, f_take, f_end;
  logic [Sources-1:0]       f_in_job_q, f_valid_q;
  logic [IdxW-1:0]          f_pick_q;
  logic [LevelW:0]          f_owe_q;   // items of f_s to come
  logic [3:0]               f_lost_q;  // jobs of others that left while f_s waited

  assign f_take = job_valid_i[f_s] && job_ready_o[f_s];
  assign f_end  = item_valid_o[f_s] && item_ready_i[f_s] && item_o.last;

  always_ff @(posedge clk_i) begin
    f_hold_job_q <= rst_ni && job_valid_o && !job_ready_i;
    f_in_job_q   <= rst_ni ? job_valid_i & ~job_ready_o : '0;
    f_item_q     <= rst_ni && item_valid_i && !item_ready_o;
    f_valid_q    <= rst_ni && !(|(item_valid_o & item_ready_i)) ? item_valid_o : '0;
    f_pick_q     <= turn_q;
    f_alone_q    <= rst_ni && job_valid_i == Sources'(1) << f_s && !f_take;
    if (!rst_ni) begin
      f_owe_q  <= '0;
      f_lost_q <= '0;
    end else begin
      f_owe_q  <= f_owe_q + (LevelW+1)'(f_take) - (LevelW+1)'(f_end);
      f_lost_q <= !job_valid_i[f_s] || f_take ? 4'd0 : go && f_lost_q != 4'd15 ? f_lost_q + 4'd1 : f_lost_q;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_jobs: assume ((f_in_job_q & ~job_valid_i) == '0);
    if (f_item_q) env_item: assume (item_valid_i);
    p1_one: assert ((job_ready_o & (job_ready_o - Sources'(1))) == '0 && (|(job_valid_i & job_ready_o)) == go);
    if (f_take) p1_job: assert (job_o == job_i[32'(f_s)*JobW+:JobW]);
    p1_fair: assert (32'(f_lost_q) < Sources);
    p2_one: assert ((item_valid_o & (item_valid_o - Sources'(1))) == '0);
    p2_taken: assert ((|(item_valid_o & item_ready_i)) == (item_valid_i && item_ready_o));
    p2_whole: assert (item_o == item_i);
    p2_owed: assert (32'(f_owe_q) <= 32'(level) + 32'(whose_valid_q) && 32'(level) <= Jobs);
    if (whose_valid_q) p2_whose: assert (32'(whose_q) < Sources);
    if (item_valid_o[f_s]) p2_own: assert (f_owe_q != '0);
    if (f_hold_job_q) p3_job: assert (job_valid_o && turn_q == f_pick_q);
    p1_turn: assert (32'(turn_q) < Sources);
    if (f_alone_q) p4_next: assert (turn_q == f_s);
    p3_item: assert ((f_valid_q & ~item_valid_o) == '0);
    c_turn: cover (f_take && 32'(f_lost_q) == Sources - 1);
    c_full: cover (32'(level) == Jobs && 32'(f_owe_q) == Jobs);
  end
