// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_cpl_mux. Since there is one register, "unchanged and in order" means: what was taken is offered
// next, on its
// port, and nothing else is. f_lost_q[s] counts TLPs of others that began while source s was waiting.
`include "fv.svh"

  `FV_INIT

  logic [2:0]          f_in, f_take, f_head;
  logic                f_took_q, f_wait_q, f_mid_q, f_load_q;
  logic [TlpW-1:0]     f_want_q, f_out_q;
  logic [1:0]          f_port_q;
  logic [NumPorts-1:0] f_valid_q;
  logic [5:0]          f_lost_q;
  assign f_in   = {flush_valid_i, gen_valid_i, fwd_valid_i};
  assign f_take = f_in & {flush_ready_o, gen_ready_o, fwd_ready_o};
  assign f_head = f_take & {2'b11, !f_mid_q};

  // The streams that come in keep the rules.
  logic            f_hold0_q, f_hold1_q, f_hold2_q;
  logic [TlpW+1:0] f_beat0_q, f_beat1_q, f_beat2_q;
  always_ff @(posedge clk_i) begin
    f_hold0_q <= rst_ni && fwd_valid_i && !fwd_ready_o;
    f_hold1_q <= rst_ni && gen_valid_i && !gen_ready_o;
    f_hold2_q <= rst_ni && flush_valid_i && !flush_ready_o;
    f_beat0_q <= {fwd_port_i, fwd_beat_i};
    f_beat1_q <= {gen_port_i, gen_beat_i};
    f_beat2_q <= {flush_port_i, flush_beat_i};
  end

  always_ff @(posedge clk_i) begin
    f_took_q  <= rst_ni && f_take != '0;
    f_want_q  <= f_take[0] ? fwd_beat_i : f_take[1] ? gen_beat_i : flush_beat_i;
    f_port_q  <= f_take[0] ? fwd_port_i : f_take[1] ? gen_port_i : flush_port_i;
    f_wait_q  <= rst_ni && (dev_cpl_valid_o & ~dev_cpl_ready_i) != '0;
    f_load_q  <= rst_ni && (dev_cpl_valid_o & ~dev_cpl_ready_i) == '0;
    f_valid_q <= dev_cpl_valid_o;
    f_out_q   <= dev_cpl_beat_o[TlpW-1:0];
    if (!rst_ni) begin
      f_mid_q  <= 1'b0;
      f_lost_q <= '0;
    end else begin
      if (f_take[0]) f_mid_q <= !fwd_beat_i.eop;
      for (int unsigned s = 0; s < 3; s++) begin
        if (!f_in[s] || f_take[s] || (s == 0 && f_mid_q)) f_lost_q[2*s+:2] <= 2'd0;
        else if (f_head != '0 && f_lost_q[2*s+:2] != 2'd3) f_lost_q[2*s+:2] <= f_lost_q[2*s+:2] + 2'd1;
      end
    end
  end

  `FV_COMB begin
    if (f_past_q)
      env_port: assume ((!fwd_valid_i || 32'(fwd_port_i) < NumPorts) && (!gen_valid_i || 32'(gen_port_i) < NumPorts) &&
                        (!flush_valid_i || 32'(flush_port_i) < NumPorts));
    env_single: assume (!(gen_valid_i && !(gen_beat_i.sop && gen_beat_i.eop)) && !(flush_valid_i &&
        !(flush_beat_i.sop && flush_beat_i.eop)));
    env_sop: assume (!fwd_valid_i || fwd_beat_i.sop == !f_mid_q);
    if (f_past_q && f_hold0_q) env_hold0: assume (fwd_valid_i && {fwd_port_i, fwd_beat_i} == f_beat0_q);
    if (f_past_q && f_hold1_q) env_hold1: assume (gen_valid_i && {gen_port_i, gen_beat_i} == f_beat1_q);
    if (f_past_q && f_hold2_q) env_hold2: assume (flush_valid_i && {flush_port_i, flush_beat_i} == f_beat2_q);
    if (f_past_q) begin
      p1_one: assert ((f_take & (f_take - 3'd1)) == '0 && (dev_cpl_valid_o & (dev_cpl_valid_o - NumPorts'(1))) == '0);
      if (f_took_q) p1_offered: assert (dev_cpl_valid_o == NumPorts'(1) << f_port_q &&
          dev_cpl_beat_o == {NumPorts{f_want_q}});
      if (f_load_q && !f_took_q) p1_nothing_else: assert (dev_cpl_valid_o == '0);
      p1_lock: assert (lock_q == f_mid_q);
      if (f_mid_q) p1_whole: assert (!f_take[1] && !f_take[2]);
      if (f_in != '0 && !(f_mid_q && !f_in[0]) && (dev_cpl_valid_o & ~dev_cpl_ready_i) == '0) p2_work:
          assert (f_take != '0);
      p2_fair: assert (f_lost_q[1:0] != 2'd3 && f_lost_q[3:2] != 2'd3 && f_lost_q[5:4] != 2'd3);
      if (f_wait_q) p3_hold: assert (dev_cpl_valid_o == f_valid_q && dev_cpl_beat_o == {NumPorts{f_out_q}});
      c_turns: cover (f_lost_q[1:0] == 2'd2 && f_take[0]);
      c_long: cover (f_mid_q && f_take[0] && !fwd_beat_i.eop && gen_valid_i && flush_valid_i);
      c_wait: cover (f_wait_q && f_in == 3'b111);
    end
  end
