// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_tlp_mux. There is one register, so order and wholeness are: what was taken is shown next, and nothing
// else is.
`include "fv.svh"
// Rules of README.md: MEM-6.
  `FV_INIT

  logic         f_took_q, f_wait_q, f_load_q, f_p_hold_q, f_np_hold_q, f_p_mid_q, f_np_mid_q;
  cm_pkg::tlp_t f_want_q, f_out_q, f_p_q, f_np_q;
  // A posted TLP that was there when, or before, the non-posted one that waits was first offered, and has not gone:
  // before_q. TLPs of the one that began while the other waited: p_lost_q (posted while non-posted waited), np_lost_q.
  logic         f_before_q, f_before, f_np_new;
  logic [1:0]   f_p_lost_q, f_np_lost_q;

  assign f_np_new = np_valid_i && !f_np_hold_q && !f_np_mid_q;
  assign f_before = f_np_new ? p_valid_i || f_p_mid_q : f_before_q;

  always_ff @(posedge clk_i) begin
    f_took_q    <= rst_ni && (p_take || np_take);
    f_want_q    <= p_take ? p_i : np_i;
    f_wait_q    <= rst_ni && req_valid_o && !req_ready_i;
    f_load_q    <= rst_ni && load;
    f_out_q     <= req_o;
    f_p_hold_q  <= rst_ni && p_valid_i && !p_ready_o;
    f_np_hold_q <= rst_ni && np_valid_i && !np_ready_o;
    f_p_q       <= p_i;
    f_np_q      <= np_i;
    if (!rst_ni) begin
      f_p_mid_q   <= 1'b0;
      f_np_mid_q  <= 1'b0;
      f_before_q  <= 1'b0;
      f_p_lost_q  <= '0;
      f_np_lost_q <= '0;
    end else begin
      if (p_take) f_p_mid_q <= !p_i.eop;
      if (np_take) f_np_mid_q <= !np_i.eop;
      f_before_q <= f_before && !(p_take && p_i.eop) && !np_take;
      if (!np_valid_i || np_take || f_np_mid_q) f_p_lost_q <= '0;
      else if (p_take && p_i.sop && f_p_lost_q != 2'd3) f_p_lost_q <= f_p_lost_q + 2'd1;
      if (!p_valid_i || p_take || f_p_mid_q) f_np_lost_q <= '0;
      else if (np_take && np_i.sop && f_np_lost_q != 2'd3) f_np_lost_q <= f_np_lost_q + 2'd1;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_p_sop: assume (!p_valid_i || p_i.sop == !f_p_mid_q);
    env_np_sop: assume (!np_valid_i || np_i.sop == !f_np_mid_q);
    env_p_hold: assume (!f_p_hold_q || (p_valid_i && p_i == f_p_q));
    env_np_hold: assume (!f_np_hold_q || (np_valid_i && np_i == f_np_q));
  end

  `FV_COMB if (f_past_q) begin
    p1_mid: assert (in_p_q == f_p_mid_q && in_np_q == f_np_mid_q && !(in_p_q && in_np_q));
    if (f_before_q) p2_before: assert (f_p_hold_q || f_p_mid_q);
    if (np_old_q) p2_old: assert (f_np_hold_q && !f_before_q && !in_np_q);
    if (f_np_hold_q && !in_np_q && !np_old_q) p2_new: assert (f_before_q || f_p_lost_q == '0);
    if (f_np_hold_q && !in_np_q && !f_before_q) p3_turn: assert (np_old_q);
    if (f_p_lost_q != '0) p3_lost: assert (f_np_hold_q && !in_np_q && f_p_lost_q == 2'd1 && (np_old_q || in_p_q));
    if (f_np_lost_q != '0) p3_lost_p: assert (f_p_hold_q && f_np_lost_q == 2'd1 && !np_old_q);
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    p1_one: assert (!(p_take && np_take));
    if (f_took_q) p1_next: assert (req_valid_o && req_o == f_want_q);
    if (f_load_q && !f_took_q) p1_nothing: assert (!req_valid_o);
    if (f_p_mid_q) p1_whole: assert (!np_take);
    if (f_np_mid_q) p1_whole_np: assert (!p_take);
    if (np_take && np_i.sop) p2_order: assert (!f_before);
    p3_fair: assert (f_p_lost_q <= 2'd1 && f_np_lost_q <= 2'd1);
    if ((np_valid_i || p_valid_i) && load && !(in_p_q && !p_valid_i) && !(in_np_q && !np_valid_i))
      p3_work: assert (p_take || np_take);
    if (f_wait_q) p4_hold: assert (req_valid_o && req_o == f_out_q);
    c_old: cover (np_take && np_old_q && p_valid_i);
    c_after: cover (f_before && p_take && !p_i.sop && np_valid_i);
    c_lost: cover (p_take && f_np_lost_q == 2'd1);
  end
