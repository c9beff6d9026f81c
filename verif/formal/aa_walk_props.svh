// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_walk: the life of the slots. f_bus_q follows the reads on the bus; an answer comes only for a read.
`include "fv.svh"
// Rules of README.md: XLT-10.
  `FV_INIT
  `FV_SEES(f_f2_valid, 1, f2_valid_o)
  `FV_SEES(f_f1_valid, 1, f1_valid_o)
  `FV_SEES(f_conf, 1, conf_o)
  `FV_SEES(f_free, 1, free_o)

  logic [Walkers-1:0] f_bus_q, f_out_q, f_live_q;
  logic               f_forget_q, f_wait_q, f_ended_q, f_same;
  logic [54:0]        f_ar_q;

  always_ff @(posedge clk_i) begin
    f_forget_q <= rst_ni && forget_i;
    f_out_q    <= out_q;
    f_live_q   <= live;
    f_wait_q   <= rst_ni && ar_valid_o && !ar_ready_i;
    f_ar_q     <= {ar_wide_o, ar_id_o, ar_addr_o[47:3], 1'b0};
    f_ended_q  <= rst_ni && !forget_i && |end_q && !f2_done_i;
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (!rst_ni) f_bus_q[s] <= 1'b0;
      else if (ar_valid_o && ar_ready_i && ar_id_o == 8'(s)) f_bus_q[s] <= 1'b1;
      else if (r_valid_i && r_id_i == 8'(s)) f_bus_q[s] <= 1'b0;
    end
  end

  always_comb begin
    f_same = 1'b0;
    for (int unsigned a = 0; a < Walkers; a++)
      for (int unsigned b = 0; b < a; b++)
        if (live[a] && live[b] && hash_q[a*HashW+:HashW] == hash_q[b*HashW+:HashW]) f_same = 1'b1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_start: assume (!start_i || (f_free && !f_conf && !forget_i));
    env_take: assume (!f1_take_i || (f_f1_valid && !forget_i));
    env_done: assume (!f2_done_i || (f_f2_valid && !forget_i));
    env_answer: assume (!r_valid_i || (r_id_i < 8'(Walkers) && (f_bus_q & (Walkers'(1) << r_id_i[SlotW-1:0])) != '0));
    env_one: assume (!(start_i && f_f2_valid));

    p1_states: assert ((out_q & end_q) == '0 && (dead_q & ~out_q) == '0);
    p1_fill: assert (!f2_valid_q || (f2_gnt & end_q) != '0);
    if (f_forget_q)
      p2_forgotten: assert (end_q == '0 && (out_q & ~dead_q) == '0 && (out_q & ~f_out_q) == '0 && !f2_valid_q);
    p2_dead: assert ((live & dead_q) == '0);
    p3_taken: assert (r_ready_o);
    p4_distinct: assert (!f_same);
    if (start_i)
      p4_free: assert ((st_gnt & (out_q | end_q)) == '0 && (st_gnt & (st_gnt - Walkers'(1))) == '0 && st_gnt != '0);
    if (f_ended_q) p1_kept: assert (end_q != '0);
    c_dead: cover (dead_q != '0 && r_valid_i);
    c_all: cover (&live);
    c_busy: cover (start_i && r_use && n_next);
    c_wide: cover (start_i && st_none);
    c_fill: cover (f2_done_i && f2_leaf_o && f2_size_o == 2'd3);
`ifndef YOSYS
    // Simulation only: the queues of reads need more invariants than their place is worth.
    if (f_wait_q) p3_stable: assert (ar_valid_o && f_ar_q == {ar_wide_o, ar_id_o, ar_addr_o[47:3], 1'b0});
    if (ar_valid_o) p1_owned: assert ((out_q & ~f_bus_q & (Walkers'(1) << ar_id_o[SlotW-1:0])) != '0);
`endif
  end
