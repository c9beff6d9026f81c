// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_pick: pointers in order, posted before non-posted and nothing else, nothing under hold, a taken-back
// port starts at rd.
`include "fv.svh"
// Rules of README.md: STR-5, STR-12.
  `FV_INIT

  // What is picked and not decided, oldest first: aa_decide has two places.
  logic       f_v0_q, f_v1_q, f_keep0, f_keep1, f_push, f_hold_q;
  logic [3:0] f_l0_q, f_l1_q;
  assign f_keep0 = f_v0_q && !done_valid_i && !(back_i && f_l0_q[3:1] == back_lane_i[3:1]);
  assign f_keep1 = f_v1_q && !(back_i && f_l1_q[3:1] == back_lane_i[3:1]);
  assign f_push = pick_valid_o && pick_ready_i && !(back_i && pick_lane_o[3:1] == back_lane_i[3:1]);
  always_ff @(posedge clk_i) begin
    f_hold_q <= hold_i;
    f_v0_q   <= rst_ni && (f_keep0 || f_keep1 || f_push);
    f_l0_q   <= f_keep0 ? f_l0_q : f_keep1 ? f_l1_q : pick_lane_o;
    f_v1_q   <= rst_ni && ((f_keep0 && f_keep1) || ((f_keep0 || f_keep1) && f_push));
    f_l1_q   <= f_keep0 && f_keep1 ? f_l1_q : pick_lane_o;
  end

  logic [NumLanes-1:0] f_arrives, f_moves, f_there, f_next, f_inside, f_picked, f_translated, f_bypass, f_again,
                       f_other, f_kept, f_after_q;
  for (genvar i = 0; i < NumLanes; i++) begin : gen_f_lane
    logic [7:0] f_wr, f_pk, f_rd, f_xl, f_used, f_open, f_in, f_wr_q, f_xl_next_q, f_rd_q;
    logic       f_mine, f_full_q, f_idle_q, f_back_q;
    assign f_wr = wr_ptr_i[8*i+:8];
    assign f_xl = xl_ptr_i[8*i+:8];
    assign f_pk = pk_q[8*i+:8];
    assign f_rd = rd_q[8*i+:8];
    assign f_used = f_pk - f_rd;
    assign f_open = f_xl - f_rd;
    assign f_in = f_wr - f_rd;
    assign f_mine = pick_valid_o && pick_lane_o == 4'(i);
    always_ff @(posedge clk_i) begin
      f_wr_q      <= rst_ni ? f_wr : 8'd0;
      f_full_q    <= !rst_ni || f_in == 8'(Window);
      f_xl_next_q <= rst_ni ? f_xl + 8'(res_valid_i && res_lane_i == 4'(i)) : 8'd0;
      f_rd_q      <= rst_ni ? f_rd : 8'd0;
      f_idle_q    <= f_pk == f_rd;
      f_back_q    <= rst_ni && back_i && back_lane_i[3:1] == 3'(i / 2);
    end
    assign f_arrives[i] = f_wr == f_wr_q || (f_wr == f_wr_q + 8'd1 && !f_full_q);
    assign f_moves[i] = f_xl == f_xl_next_q || (f_xl == f_rd_q && f_idle_q && f_hold_q);
    assign f_there[i] = !(res_valid_i && res_lane_i == 4'(i)) || f_xl != f_wr;
    assign f_next[i] = !(res_write_i && res_lane_i == 4'(i)) || (res_idx_i == f_xl && 32'(f_open) < Window);
    assign f_inside[i] = f_used <= f_open && f_open <= f_in && 32'(f_in) <= Window;
    assign f_picked[i] = f_used == 8'(f_v0_q && f_l0_q == 4'(i)) + 8'(f_v1_q && f_l1_q == 4'(i));
    assign f_translated[i] = !f_mine || (bypass && !any) || f_xl != f_pk;
    assign f_bypass[i] = !(f_mine && bypass && !any) || (res_valid_i && res_idx_i == f_pk);
    assign f_again[i] = !f_back_q || f_used == '0;
    // Came back, and the other lane of its port has not been picked since.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) f_after_q[i] <= 1'b0;
      else if (back_i && rest_i && back_lane_i == 4'(i)) f_after_q[i] <= 1'b1;
      else if (f_push && pick_lane_o == 4'(i ^ 1)) f_after_q[i] <= 1'b0;
    end
    assign f_kept[i] = !f_after_q[i] || pk_q[8*(i^1)+:8] == rd_q[8*(i^1)+:8];
    assign f_other[i] = !(f_mine && f_after_q[i] && can[i^1]);
  end

  // left: how many of the posted requests that arrived before a non-posted one are not decided yet. It is counted down
  // to 0 and no further, so it means the same however many come later.
  // order: with what the RAM holds (f_seen_q, a copy that mapping makes the same) it tells of one order of arrival: of
  // those that are not decided a posted one is among what a non-posted one has left if, and only if, that has not seen
  // it. behind: what is picked goes by that order.
  logic [NumPorts-1:0] f_one, f_waits, f_passed, f_first, f_free, f_order, f_behind;
  for (genvar i = 0; i < NumPorts; i++) begin : gen_f_port
    logic [7:0] f_wr_p, f_wr_np, f_rd_p, f_pk_np, f_in_p, f_in_np, f_ahead, f_left, f_wr_p_q, f_wr_np_q;
    logic [7:0] f_rd_np, f_used_np, f_left_b;
    logic [IdxW:0] f_seen;
    logic       f_done, f_mine;
    logic [8*Window-1:0] f_left_q;
    logic [IdxW:0] f_seen_q [Window];
    assign f_wr_p = wr_ptr_i[16*i+:8];
    assign f_wr_np = wr_ptr_i[16*i+8+:8];
    assign f_rd_p = rd_q[16*i+:8];
    assign f_pk_np = pk_q[16*i+8+:8];
    assign f_rd_np = rd_q[16*i+8+:8];
    assign f_used_np = f_pk_np - f_rd_np;
    assign f_in_p = f_wr_p - f_rd_p;
    assign f_in_np = f_wr_np - f_rd_np;
    assign f_ahead = pk_q[16*i+:8] - f_rd_p;
    assign f_done = done_valid_i && done_lane_i == 4'(2 * i);
    assign f_mine = pick_valid_o && pick_lane_o == 4'(2 * i + 1);
    always_ff @(posedge clk_i) begin
      f_wr_p_q  <= rst_ni ? f_wr_p : 8'd0;
      f_wr_np_q <= rst_ni ? f_wr_np : 8'd0;
      if (f_in_p[IdxW:0] != (IdxW + 1)'(Window)) f_seen_q[f_wr_p[IdxW-1:0]] <= f_wr_np[IdxW:0];
      for (int unsigned k = 0; k < Window; k++) begin
        if (f_wr_np[IdxW-1:0] == IdxW'(k) && f_in_np != 8'(Window)) f_left_q[8*k+:8] <= f_in_p - 8'(f_done);
        else if (f_done && f_left_q[8*k+:8] != '0) f_left_q[8*k+:8] <= f_left_q[8*k+:8] - 8'd1;
      end
    end
    always_comb begin
      f_left = '0;
      for (int unsigned k = 0; k < Window; k++) if (f_pk_np[IdxW-1:0] == IdxW'(k)) f_left = f_left_q[8*k+:8];
    end
    always_comb begin
      f_order[i] = 1'b1;
      f_behind[i] = 1'b1;
      f_seen = '0;
      f_left_b = '0;
      for (int unsigned a = 0; a < Window; a++) if (a < 32'(f_in_p)) begin
        f_seen = f_seen_q[IdxW'(f_rd_p + 8'(a))] - f_rd_np[IdxW:0];
        if (8'(f_seen) > f_in_np) f_order[i] = 1'b0;
        for (int unsigned b = 0; b < Window; b++) if (b < 32'(f_in_np)) begin
          f_left_b = f_left_q[8*IdxW'(f_rd_np + 8'(b))+:8];
          if ((f_left_b > 8'(a)) != (32'(f_seen) <= b)) f_order[i] = 1'b0;
        end
        if (8'(a) >= f_ahead && 8'(f_seen) < f_used_np) f_behind[i] = 1'b0;
      end
      for (int unsigned b = 0; b < Window; b++) begin
        if (b < 32'(f_in_np) && f_left_q[8*IdxW'(f_rd_np + 8'(b))+:8] > f_in_p) f_order[i] = 1'b0;
      end
      if (f_v0_q && f_l0_q == 4'(2 * i + 1) && f_left_q[8*f_rd_np[IdxW-1:0]+:8] != '0) f_behind[i] = 1'b0;
      if (f_v1_q && f_l1_q == 4'(2 * i + 1) &&
          f_left_q[8*IdxW'(f_pk_np - 8'd1)+:8] > 8'(f_v0_q && f_l0_q == 4'(2 * i))) f_behind[i] = 1'b0;
    end
    assign f_one[i] = f_wr_p == f_wr_p_q || f_wr_np == f_wr_np_q;
    assign f_waits[i] = f_pk_np != f_wr_np && f_left > f_ahead && f_pk_np == 8'd1;
    assign f_passed[i] = f_mine && f_pk_np == 8'd0 && f_rd_p == 8'd2;
    assign f_first[i] = !f_mine || f_left <= f_ahead;
    assign f_free[i] = f_pk_np == xl_ptr_i[16*i+8+:8] || f_left > f_ahead || rest_q[2*i+1] || hold_i || can[2*i+1];
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // A lane holds Window requests; none is there in the first cycle. Those of a port arrive one after another (P2 of
    // aa_port).
    env_arrives: assume (f_arrives == '1);
    env_one: assume (f_one == '1);
    // The translation engine keeps rd <= xl <= wr, moves xl by one with each result, and does both only in order.
    env_moves: assume (f_moves == '1);
    env_there: assume (f_there == '1);
    env_next: assume (f_next == '1);
    if (res_valid_i) env_write: assume (res_write_i);
    // aa_decide decides or gives back the older of what it was given, and takes no more than it has places for.
    if (done_valid_i) env_done: assume (f_v0_q && done_lane_i == f_l0_q);
    if (back_i) env_back: assume (f_v0_q && back_lane_i == f_l0_q);
    if (f_v1_q && !done_valid_i && !back_i) env_places: assume (!pick_ready_i);

    p1_inside: assert (f_inside == '1);
    p1_picked: assert (f_picked == '1 && (f_v0_q || !f_v1_q));
    p1_translated: assert (f_translated == '1);
    p1_bypass: assert (f_bypass == '1);
    p2_posted_first: assert (f_first == '1);
    p2_no_other: assert (f_free == '1);
    p2_order: assert (f_order == '1);
    p2_behind: assert (f_behind == '1);
    p3_again: assert (f_again == '1);
    p6_other: assert (f_other == '1);
    p6_one: assert (f_after_q == after_q && (f_after_q & (f_after_q >> 1) & {NumPorts{2'b01}}) == '0 && f_kept == '1);
    if (can != '0) p6_works: assert (any);
    if (any && !hold_i) p4_works: assert (pick_valid_o);
    if (hold_i) p5_hold: assert (!pick_valid_o);
    c_after: cover (|(can & after_q & ~go));
    c_bypass: cover (pick_valid_o && bypass && !any && pk_q[7:0] == 8'd2);
    c_back: cover (back_i && rd_q[7:0] == 8'd2);
    c_waits: cover (f_waits != '0);
    c_passed: cover (f_passed != '0);
  end
