// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_xlt_sched. The environment of a walk: slots that are free, walk, or end; a fill comes for an ended or
// walking slot and frees it. f_busy follows the starts and the fills, f_lane, f_num and f_own what each slot walks for.
// The environment of the lanes: read and written pointers move on, and read ones not beyond what has been translated
// (f_xl counts it).
`include "fv.svh"
// Rules of README.md: XLT-7.
  `FV_INIT

  localparam int unsigned Mod = 2 * Window;
  logic [Walkers-1:0]  f_busy_q;
  logic [NumLanes-1:0] f_order, f_in, f_lone, f_slot, f_out, f_fail, f_wide, f_fwd, f_there, f_behind;
  logic [NumLanes*8-1:0] f_wr_q, f_rd_q;
  logic [NumLanes*8-1:0] f_xl_q;
  logic [Walkers-1:0]  f_own_q, f_inside, f_apart, f_at_look;
  logic [Walkers*4-1:0] f_lane_q;
  logic [Walkers*8-1:0] f_num_q;
  logic                f_c2_q;
  logic [3:0]          f_look_lane_q;
  logic [7:0]          f_look_num_q;
  logic                f_hold_q, f_forget_q, f_pass_q, f_hit;

  assign f_hit = hit_sure_i || (hit_may_i && hit_tlb_i);

  always_ff @(posedge clk_i) begin
    f_hold_q   <= rst_ni && hold_i;
    f_forget_q <= rst_ni && forget_i;
    f_pass_q   <= pass_o;
    f_wr_q     <= rst_ni ? wr_ptr_i : '0;
    f_rd_q     <= rst_ni ? rd_ptr_i : '0;
    f_c2_q     <= rst_ni && issue_lane_o != '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (issue_lane_o[l]) f_look_lane_q <= 4'(l);
      if (issue_lane_o[l]) f_look_num_q <= lk_idx_o[l*8+:8];
    end
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (start_o && free_slot_i == SlotW'(s)) begin
        f_lane_q[4*s+:4] <= 4'(lane_o);
        f_num_q[8*s+:8]  <= num_o;
        f_own_q[s]       <= 1'b1;
      end else if (pass_o && f_lane_q[4*s+:4] == 4'(lane_o) && f_num_q[8*s+:8] == num_o) f_own_q[s] <= 1'b0;
    end
    if (!rst_ni || forget_i) begin
      f_busy_q <= '0;
    end else begin
      for (int unsigned s = 0; s < Walkers; s++) begin
        if (start_o && free_slot_i == SlotW'(s)) f_busy_q[s] <= 1'b1;
        else if (fill_i && fill_slot_i == SlotW'(s)) f_busy_q[s] <= 1'b0;
      end
    end
    for (int unsigned l = 0; l < NumLanes; l++)
      f_xl_q[l*8+:8] <= !rst_ni ? 8'd0 : forget_i ? rd_ptr_i[l*8+:8] :
          f_xl_q[l*8+:8] + 8'((pass_o && 32'(lane_o) == l) || (flag_o && fill_lane_i == 4'(l)));
  end

  // Distances from xl, modulo twice the window.
  for (genvar l = 0; l < NumLanes; l++) begin : gen_f_lane
    logic [PtrW-1:0] f_la, f_pa;
    logic [7:0]      f_wr, f_rd;
    assign f_la = la_q[l*PtrW+:PtrW] - xl_q[l*8+:PtrW];
    assign f_pa = pa_q[l*PtrW+:PtrW] - xl_q[l*8+:PtrW];
    assign f_wr = wr_ptr_i[l*8+:8] - xl_q[l*8+:8];
    assign f_rd = xl_q[l*8+:8] - rd_ptr_i[l*8+:8];
    // The lanes: rd <= xl, at most Window requests between rd and wr.
    assign f_in[l]    = 32'(8'(wr_ptr_i[l*8+:8] - rd_ptr_i[l*8+:8])) <= Window &&
                        32'(8'(f_xl_q[l*8+:8] - rd_ptr_i[l*8+:8])) <= Window;
    assign f_fwd[l]   = 32'(8'(wr_ptr_i[l*8+:8] - f_wr_q[l*8+:8])) <= Window &&
                        32'(8'(rd_ptr_i[l*8+:8] - f_rd_q[l*8+:8])) <= Window;
    assign f_behind[l] = 32'(f_wr) <= Window && 32'(f_rd) <= Window && 32'(f_wr) + 32'(f_rd) <= Window;
    assign f_order[l] = f_la <= f_pa && 32'(f_pa) <= 32'(f_wr);
    // Neither waiting nor in need, and no outcome on its way: the demand is next, or in C2.
    assign f_lone[l]  = wait_q[l] || need_q[l] || o_wait_q[l] || o_fail_q[l] || f_la == '0 ||
        (c2_q && c2_lane_q[l] && num_q == xl_q[l*8+:PtrW] && f_la == PtrW'(1));
    assign f_slot[l]  = !wait_q[l] || f_busy_q[wslot_q[l*SlotW+:SlotW]];
    assign f_out[l]   = !o_wait_q[l] || (f_busy_q[o_slot_q] && o_num_q == xl_q[l*8+:PtrW] && f_la != '0);
    assign f_fail[l]  = !o_fail_q[l] ||
        ((o_demand_q || wait_q[l] || need_q[l]) && o_demand_q == (o_num_q == xl_q[l*8+:PtrW]) &&
         PtrW'(o_num_q - xl_q[l*8+:PtrW]) < f_la);
    assign f_there[l] = !(pass_o && c2_lane_q[l]) || f_wr != 8'd0;
    assign f_wide[l]  = 32'(f_pa) <= Window;
  end

  // Walks: for requests that are there, and not two for one.
  always_comb begin
    for (int unsigned s = 0; s < Walkers; s++) begin
      f_inside[s]  = 1'b0;
      f_apart[s]   = 1'b1;
      f_at_look[s] = f_busy_q[s] && f_own_q[s] && f_c2_q && f_lane_q[4*s+:4] == f_look_lane_q &&
                     f_num_q[8*s+:8] == f_look_num_q;
      for (int unsigned l = 0; l < NumLanes; l++)
        if (f_lane_q[4*s+:4] == 4'(l) && 8'(f_num_q[8*s+:8] - xl_q[l*8+:8]) < 8'(wr_ptr_i[l*8+:8] - xl_q[l*8+:8]))
          f_inside[s] = 1'b1;
      if (!f_busy_q[s] || !f_own_q[s]) f_inside[s] = 1'b1;
      for (int unsigned u = 0; u < s; u++)
        if (f_busy_q[s] && f_own_q[s] && f_busy_q[u] && f_own_q[u] && f_lane_q[4*s+:4] == f_lane_q[4*u+:4] &&
            f_num_q[8*s+:8] == f_num_q[8*u+:8]) f_apart[s] = 1'b0;
    end
  end
  logic [3:0]  f_fill_lane;
  logic [7:0]  f_fill_num;
  logic        f_fill_own;
  always_comb begin
    f_fill_lane = '0;
    f_fill_num  = '0;
    f_fill_own  = 1'b0;
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (fill_slot_i == SlotW'(s)) begin
        f_fill_lane = f_lane_q[4*s+:4];
        f_fill_num  = f_num_q[8*s+:8];
        f_fill_own  = f_own_q[s];
      end
    end
  end

  `FV_COMB begin
    if (f_past_q && rst_ni) begin
      env_lanes: assume (f_in == '1);
      env_forward: assume (f_fwd == '1);
      env_fill: assume (!fill_i || (fill_coming_i && !hold_i && !f_c2_q && 32'(fill_slot_i) < Walkers));
      env_what: assume (!fill_i || (fill_lane_i == f_fill_lane && fill_idx_i == f_fill_num[IdxW-1:0] &&
                                    fill_own_i == f_fill_own));
      // A request of which a walk is under way is not found to be of no walk: its address stays what it was.
      env_same: assume (f_at_look == '0 || conf_i);
      env_free: assume (!free_i || (32'(free_slot_i) < Walkers && (f_busy_q & (Walkers'(1) << free_slot_i)) == '0));
      env_conf: assume (!conf_i || (32'(conf_slot_i) < Walkers && (f_busy_q & (Walkers'(1) << conf_slot_i)) != '0));
      env_fill_busy: assume (!fill_i || (f_busy_q & (Walkers'(1) << fill_slot_i)) != '0);
      env_heir: assume (!heir_i || !fill_i ||
          (heir_slot_i != fill_slot_i && 32'(heir_slot_i) < Walkers &&
           (f_busy_q & (Walkers'(1) << heir_slot_i)) != '0));
      env_forget: assume (!forget_i || (hold_i && f_hold_q));

      p1_order: assert (f_order == '1);
      p1_xl: assert (xl_q == f_xl_q);
      p1_behind: assert (f_behind == '1);
      p3_walks: assert (f_inside == '1 && f_apart == '1);
      p3_look: assert (c2_q == f_c2_q &&
                       (!c2_q || (c2_lane_q == NumLanes'(1) << lane_q && 4'(lane_q) == f_look_lane_q)));
      if (look) p3_number: assert (num_o == f_look_num_q);
      p1_there: assert (f_there == '1);
      p2_demand: assert (f_lone == '1);
      p3_slot: assert (f_slot == '1);
      p3_out: assert (f_out == '1 && f_fail == '1 && f_wide == '1);
      p3_one: assert (((o_wait_q | o_fail_q) & ((o_wait_q | o_fail_q) - NumLanes'(1))) == '0 &&
                      (o_wait_q & o_fail_q) == '0);
      if (c2_q) p3_c2: assert ((c2_lane_q & (c2_lane_q - NumLanes'(1))) == '0 && c2_lane_q != '0);
      if (hold_i) p4_quiet: assert (!pass_o && !start_o && issue_lane_o == '0);
      p5_hit: assert ((!pass_o || f_hit) && !((start_o || fail || waits) && f_hit) &&
                      (!look || f_hit || conf_i || start_o || fail) && !(look && f_hit && demand && !pass_o));
      if (start_o) p5_free: assert (free_i && !f_hit && !conf_i);
      if (start_o && any_need) p5_turn: assert ((c2_lane_q & turn_q & need_q) != '0);
      c_heir: cover (flag_o && heir_i);
      c_stream: cover (pass_o && f_pass_q);
      c_turn: cover (start_o && any_need);
      c_lost: cover (|(wait_q & need_q));
      c_wake: cover (fill_i && !flag_o && |(wait_q & ~need_q));
      c_jump: cover (|o_wait_q && la_q != pa_q);
      p4_onehot: assert ((issue_lane_o & (issue_lane_o - NumLanes'(1))) == '0);
    end
  end
