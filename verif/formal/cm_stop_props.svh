// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_stop. One beat, chosen freely (f_pick), is followed through.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)

  logic             f_push, f_pop, f_live_q, f_wait_q, f_inside_q;
  logic [Width-1:0] f_data_q, f_out_q;
  assign f_push = in_valid_i && in_ready_o;
  assign f_pop  = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    f_out_q  <= out_data_o;
    f_wait_q <= rst_ni && out_valid_o && !out_ready_i;
    if (!rst_ni) begin
      f_inside_q <= 1'b0;
      f_live_q   <= 1'b0;
    end else begin
      f_inside_q <= (f_inside_q != f_push) != f_pop;
      if (f_live_q) f_live_q <= !f_pop;
      else if (f_push && f_pick && !f_pop) {f_live_q, f_data_q} <= {1'b1, in_data_i};
    end
  end

  `FV_COMB if (f_past_q) begin
    if (f_live_q) p1_waits: assert (f_inside_q && out_valid_o && out_data_o == f_data_q);
    if (f_push) p1_through: assert (!f_inside_q && out_valid_o && out_data_o == in_data_i);
    p1_count: assert (f_inside_q == wait_q && (!f_pop || f_inside_q || f_push));
    if (f_wait_q) p2_hold: assert (out_valid_o && out_data_o == f_out_q);
    p3_ready: assert (in_ready_o == !f_inside_q);
    p4_latency: assert (out_valid_o == (f_inside_q || in_valid_i));
    c_waits: cover (f_live_q && f_pop && f_data_q != '0 && in_valid_i);
    c_stream: cover (f_push && f_pop);
  end
