// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_skid. One beat, chosen freely (f_pick), is followed through: f_ahead_q counts the beats before it.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)

  logic             f_push, f_pop, f_live_q, f_ahead_q, f_wait_q, f_alone_q;
  logic [Width-1:0] f_data_q, f_out_q;
  logic [1:0]       f_level_q;
  assign f_push = in_valid_i && in_ready_o;
  assign f_pop  = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    f_out_q   <= out_data_o;
    f_wait_q  <= rst_ni && out_valid_o && !out_ready_i;
    f_alone_q <= rst_ni && f_push && (f_level_q == 2'd0 || (f_level_q == 2'd1 && f_pop));
    if (!rst_ni) begin
      f_level_q <= 2'd0;
      f_live_q  <= 1'b0;
    end else begin
      f_level_q <= f_level_q + 2'(f_push) - 2'(f_pop);
      if (f_live_q) begin
        if (f_pop && !f_ahead_q) f_live_q <= 1'b0;
        if (f_pop) f_ahead_q <= 1'b0;
      end else if (f_push && f_pick) begin
        f_live_q  <= 1'b1;
        f_data_q  <= in_data_i;
        f_ahead_q <= f_level_q > 2'(f_pop);
      end
    end
  end

  `FV_COMB if (f_past_q) begin
    if (f_live_q && !f_ahead_q) p1_first: assert (out_valid_o && out_data_o == f_data_q);
    if (f_live_q && f_ahead_q) p1_second: assert (full_q == 2'b11 && (turn_q ? data0_q : data1_q) == f_data_q);
    p3_level: assert (level_o == f_level_q);
    if (f_level_q == 2'd1) p1_turn: assert (full_q[turn_q]);
    if (f_wait_q) p2_hold: assert (out_valid_o && out_data_o == f_out_q);
    p3_ready: assert (in_ready_o == (f_level_q < 2'd2));
    if (f_alone_q) p4_latency: assert (out_valid_o);
    c_full: cover (f_level_q == 2'd2 && f_pop);
    c_second: cover (f_live_q && f_ahead_q && f_pop && f_data_q != out_data_o);
    c_stream: cover (f_push && f_pop && f_level_q == 2'd1);
  end
