// SPDX-License-Identifier: Apache-2.0
// aa_request as a whole: what aa_xlt and aa_pick take each other and aa_port to be (their env_*) holds where they are
// wired together. The environment is that of aa_request: aa_inval, memory, aa_decide; devices send whatever they like.
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_pick, 5, {pick_valid_o, pick_lane_o})

  // What is picked and not decided, oldest first: aa_decide has two places.
  logic               f_v0_q, f_v1_q, f_keep0, f_keep1, f_push, f_hold_q;
  logic [3:0]         f_l0_q, f_l1_q;
  logic [Walkers-1:0] f_bus_q, f_id;  // reads on the bus, and which is answered
  always_comb for (int unsigned s = 0; s < Walkers; s++) f_id[s] = r_id_i == 8'(s);
  assign f_keep0 = f_v0_q && !done_valid_i && !(back_i && f_l0_q[3:1] == back_lane_i[3:1]);
  assign f_keep1 = f_v1_q && !(back_i && f_l1_q[3:1] == back_lane_i[3:1]);
  assign f_push = f_pick[4] && pick_ready_i && !(back_i && f_pick[3:1] == back_lane_i[3:1]);
  always_ff @(posedge clk_i) begin
    f_hold_q <= rst_ni && hold_i;
    f_v0_q   <= rst_ni && (f_keep0 || f_keep1 || f_push);
    f_l0_q   <= f_keep0 ? f_l0_q : f_keep1 ? f_l1_q : f_pick[3:0];
    f_v1_q   <= rst_ni && ((f_keep0 && f_keep1) || ((f_keep0 || f_keep1) && f_push));
    f_l1_q   <= f_keep0 && f_keep1 ? f_l1_q : f_pick[3:0];
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (!rst_ni) f_bus_q[s] <= 1'b0;
      else if (ar_valid_o && ar_ready_i && ar_id_o == 8'(s)) f_bus_q[s] <= 1'b1;
      else if (r_valid_i && r_id_i == 8'(s)) f_bus_q[s] <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_inv: assume (!inv_valid_i || hold_i);
    env_forget: assume (!forget_i || (hold_i && f_hold_q && !f_v0_q));
    env_answer: assume (!r_valid_i || (f_bus_q & f_id) != '0);
    if (done_valid_i) env_done: assume (f_v0_q && done_lane_i == f_l0_q);
    if (back_i) env_back: assume (f_v0_q && back_lane_i == f_l0_q);
    if (f_v1_q && !done_valid_i && !back_i) env_places: assume (!pick_ready_i);

    p1_lanes: assert (!pick_valid_o || 32'(pick_lane_o) < NumLanes);
    c_two: cover (f_v1_q && f_l0_q == 4'd0 && f_l1_q == 4'd1);
    c_forget: cover (forget_i && f_rst_q && wait_o);
  end
