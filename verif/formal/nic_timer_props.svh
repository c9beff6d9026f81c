// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_timer. One queue pair, chosen freely (f_qp), has a clock of its own that counts its alarm down.
`include "fv.svh"
// Rules of README.md: TIM-1, TIM-2.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)

  logic [IdxW-1:0]  f_idx;
  logic             f_mine, f_set, f_unit, f_on_q, f_rnr_q, f_wait_q;
  logic [31:0]      f_left_q;  // cycles or units that must still pass
  logic [9:0]       f_fire_q;  // fire_o one cycle ago
  logic [31:0]      f_sub_q;   // cycles of the present unit

  assign f_mine = 32'(f_qp) < NumQps;
  assign f_idx  = f_qp[IdxW-1:0];
  assign f_set  = f_mine && set_valid_i && set_qp_i == f_qp;
  assign f_unit = f_sub_q + 32'd1 >= cfg_tick_i;

  always_ff @(posedge clk_i) begin
    f_wait_q <= rst_ni && fire_valid_o && !fire_ready_i && !(set_valid_i && set_qp_i == fire_qp_o);
    f_fire_q <= {fire_valid_o, fire_rnr_o, fire_qp_o};
    f_sub_q  <= !rst_ni || f_unit ? '0 : f_sub_q + 32'd1;
    if (!rst_ni) f_on_q <= 1'b0;
    else if (f_set) f_on_q <= set_kind_i == 2'd2 || (set_kind_i == 2'd1 && set_code_i != '0);
    else if (fire_valid_o && fire_ready_i && fire_qp_o == f_qp) f_on_q <= 1'b0;
    if (f_set) begin
      f_rnr_q  <= set_kind_i == 2'd2;
      // A unit that ends in this very cycle had begun before.
      f_left_q <= set_kind_i == 2'd2 ? 32'(units) + 32'd1 - 32'(f_unit) : (32'd1 << set_code_i) - 32'd1;
    end else if (f_left_q != '0 && (f_rnr_q ? f_unit : 1'b1)) f_left_q <= f_left_q - 32'd1;
  end

  `FV_COMB begin
    if (f_past_q) env_qp: assume (!set_valid_i || 32'(set_qp_i) < NumQps);
    if (f_past_q) begin
      if (fire_valid_o && fire_qp_o == f_qp && f_mine)
        p1_not_before: assert (f_on_q && f_left_q == '0 && fire_rnr_o == f_rnr_q);
      if (f_mine && f_on_q && f_left_q != '0 && !f_rnr_q) p1_when: assert (mem_q[f_idx] ==
          {1'b0, WhenW'(cycle_q + WhenW'(f_left_q))});
      if (f_mine && f_on_q) p1_bound: assert (f_rnr_q ? f_left_q <= 32'd65537 : f_left_q < 32'h8000_0000);
      if (f_mine && f_on_q && f_left_q != '0 && f_rnr_q) p2_when: assert (mem_q[f_idx] ==
          {1'b1, WhenW'(unit_q + WhenW'(f_left_q))});
      p2_unit: assert (sub_q == f_sub_q);
      if (f_mine && f_on_q) p2_kind: assert (mem_q[f_idx][WhenW] == f_rnr_q);
      if (f_mine && f_on_q && seen_valid_q && seen_q == f_idx) p2_seen: assert ({word_rnr, word_when} == mem_q[f_idx]);
      if (f_mine) p3_once: assert (f_on_q == (armed_q[f_idx] || (fire_valid_o && fire_qp_o == f_qp)) &&
          !(armed_q[f_idx] && fire_valid_o && fire_qp_o == f_qp));
      p3_range: assert (32'(walk_q) < NumQps && (!fire_q || 32'(fire_idx_q) < NumQps) &&
                        (!seen_valid_q || 32'(seen_q) < NumQps));
      if (f_wait_q) p4_hold: assert ({fire_valid_o, fire_rnr_o, fire_qp_o} == f_fire_q);
      c_cycles: cover (fire_valid_o && fire_qp_o == f_qp && !fire_rnr_o && fire_ready_i);
      c_rnr: cover (fire_valid_o && fire_qp_o == f_qp && fire_rnr_o && f_wait_q);
      c_withdrawn: cover (f_set && fire_valid_o && fire_qp_o == f_qp && !fire_ready_i && set_kind_i == 2'd0);
    end
  end
