// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_icrc: four cycles, one result an item, and that the steps taken are those of its own last beat.
`include "fv.svh"

  `FV_INIT

  logic [4:1] f_last_q;
  logic [DwsW-1:0] f_dws1_q, f_dws2_q, f_dws3_q;
  always_ff @(posedge clk_i) begin
    f_last_q  <= rst_ni ? {f_last_q[3:1], in_valid_i && in_last_i} : 4'd0;
    f_dws1_q  <= in_dws_i;
    f_dws2_q  <= f_dws1_q;
    f_dws3_q  <= f_dws2_q;
  end

  logic f_behind;  // something behind the item
  always_comb begin
    f_behind = 1'b0;
    for (int i = 0; i < BeatDw; i++) if (i >= 32'(in_dws_i) && in_data_i[32*i+:32] != 32'h0) f_behind = 1'b1;
  end

  `FV_COMB if (f_past_q) begin
    if (rst_ni && in_valid_i && in_last_i) env_zero: assume (!f_behind);
    p1_latency: assert (valid_o == f_last_q[4]);
    p1_pipe: assert (done == f_last_q[2] && back_valid_q == f_last_q[3]);
    c_back_to_back: cover (&f_last_q);
    c_alone: cover (f_last_q == 4'b1000);
  end
  logic [2:0] f_age_q;  // cycles since the first, up to 4: before, the pipe holds anything
  initial f_age_q = 3'd0;
  always_ff @(posedge clk_i) if (f_age_q != 3'd4) f_age_q <= f_age_q + 3'd1;
  `FV_COMB begin
    if (f_age_q >= 3'd1) p1_skip1: assert (skip1_q == (4'(f_dws1_q) | Never));
    if (f_age_q >= 3'd2) p1_skip2: assert (skip2_q == (4'(f_dws2_q) | Never));
    if (f_age_q >= 3'd3) p1_skip3: assert (skip3_q == 2'((4'(f_dws3_q) | Never) >> 2));
  end
