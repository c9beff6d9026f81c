// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_replay. The answers of one QP (f_qp) are kept as a list, the oldest first, beside what software has
// written there without its counting yet. f_set: both of an index are known (LUT RAM holds anything at first). f_lost:
// what was dropped is not known, since what counted was not; until the next start.
`include "fv.svh"
// Rules of README.md: RSP-11, QPR-11.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)
  `FV_SEES(f_ready, 1, ready_o)

  logic [23:0]       f_psn_q [Replay];
  logic [63:0]       f_val_q [Replay];
  logic [Replay-1:0] f_psn_set_q, f_val_set_q;
  logic [6:0]        f_num_q;
  logic              f_on_q, f_begun_q, f_done_q, f_turn_q, f_mine, f_word, f_value, f_write, f_this, f_start, f_drop;
  logic [13:0]       f_idx;
  logic [7:0]        f_look_q, f_look2_q;
  logic [23:0]       f_want_q;
  logic [19:3]       f_addr_q;
  logic [63:0]       f_old, f_new;

  assign f_this  = put_valid_i && put_qp_i == f_qp;
  assign f_start = start_valid_i && qp_i == f_qp;
  assign f_drop  = drop_i && f_look2_q == f_qp;
  assign f_mine  = rb_i.addr[16:15] == 2'(nic_reg_pkg::RegQP_ANSWER_PSN >> 18);
  assign f_value = rb_i.addr[0];
  assign f_idx   = rb_i.addr[14:1];
  assign f_word  = f_mine && f_idx[13:6] == f_qp && 32'(f_idx[5:0]) < Replay;
  assign f_write = f_word && rb_i.we && !f_on_q;
  always_comb begin
    f_old = '0;
    for (int unsigned i = 0; i < Replay; i++)
      if (32'(f_idx[5:0]) == i) f_old = f_value ? f_val_q[i] : {40'd0, f_psn_q[i]};
    for (int unsigned k = 0; k < 8; k++) f_new[8*k+:8] = rb_i.wstrb[k] ? rb_i.wdata[8*k+:8] : f_old[8*k+:8];
  end

  // With what a look-up of two cycles ago meets, in the cycle between.
  logic              f_found, f_all, f_found_q, f_all_q, f_fit_q, f_new_q, f_turn2_q, f_lost_q;
  logic [6:0]        f_upto, f_upto_q;  // answers up to the newest with this PSN
  logic [Replay-1:0] f_at_q;
  always_comb begin
    f_found = 1'b0;
    f_all   = 1'b1;
    f_upto  = '0;
    for (int unsigned i = 0; i < Replay; i++) if (i < 32'(f_num_q)) begin
      if (!f_psn_set_q[i]) f_all = 1'b0;
      else if (f_psn_q[i] == f_want_q) {f_found, f_upto} = {1'b1, 7'(i + 1)};
    end
  end

  always_ff @(posedge clk_i) begin
    f_done_q  <= held_i && rb_i.we && f_mine;
    f_turn_q  <= held_i && f_mine;
    f_addr_q  <= rb_i.addr;
    f_look_q  <= look_qp_i;
    f_look2_q <= f_look_q;
    f_upto_q  <= f_upto;
    f_turn2_q <= f_turn_q;
    f_new_q   <= put_valid_i || start_valid_i || drop_i;
    f_want_q  <= look_psn_i;
    f_found_q <= f_found;
    f_all_q   <= f_all;
    f_fit_q   <= rst_ni && f_rst_q && f_begun_q && f_look_q == f_qp && !f_turn_q && !f_lost_q;
    for (int unsigned i = 0; i < Replay; i++)
      f_at_q[i] <= i < 32'(f_num_q) && (!f_psn_set_q[i] || (f_psn_q[i] == f_want_q && !f_val_set_q[i]));
    if (!rst_ni) begin
      {f_on_q, f_begun_q, f_num_q, f_lost_q} <= '0;
      {f_psn_set_q, f_val_set_q}   <= '0;
    end else begin
      if (f_start) {f_on_q, f_begun_q} <= '1;
      else if (stop_valid_i && qp_i == f_qp) f_on_q <= 1'b0;
      if (f_start) f_lost_q <= 1'b0;
      else if (f_drop && !(f_fit_q && f_all_q)) f_lost_q <= 1'b1;
      if (f_start) f_num_q <= 32'(start_num_i) > Replay ? 7'(Replay) : start_num_i;
      else if (f_this && 32'(f_num_q) < Replay) f_num_q <= f_num_q + 7'd1;
      else if (f_drop) f_num_q <= f_num_q - f_upto_q;
      for (int unsigned i = 0; i < Replay; i++) begin
        if (f_this && i == (32'(f_num_q) < Replay ? 32'(f_num_q) : Replay - 1)) begin
          {f_psn_q[i], f_val_q[i]} <= {put_psn_i, put_value_i};
          {f_psn_set_q[i], f_val_set_q[i]} <= '1;
        end else if (f_this && 32'(f_num_q) >= Replay && i + 1 < Replay) begin
          {f_psn_q[i], f_val_q[i]} <= {f_psn_q[(i+1)%Replay], f_val_q[(i+1)%Replay]};
          {f_psn_set_q[i], f_val_set_q[i]} <= {f_psn_set_q[(i+1)%Replay], f_val_set_q[(i+1)%Replay]};
        end
        if (f_drop) begin
          {f_psn_q[i], f_val_q[i]} <= {f_psn_q[(i+32'(f_upto_q))%Replay], f_val_q[(i+32'(f_upto_q))%Replay]};
          {f_psn_set_q[i], f_val_set_q[i]} <=
              {f_psn_set_q[(i+32'(f_upto_q))%Replay], f_val_set_q[(i+32'(f_upto_q))%Replay]};
        end
        if (f_write && 32'(f_idx[5:0]) == i && f_value) begin
          f_val_q[i] <= f_new;
          if (rb_i.wstrb == '1) f_val_set_q[i] <= 1'b1;
        end
        if (f_write && 32'(f_idx[5:0]) == i && !f_value) begin
          f_psn_q[i] <= f_new[23:0];
          if (rb_i.wstrb[2:0] == '1) f_psn_set_q[i] <= 1'b1;
        end
      end
      if (f_lost_q || (f_drop && !(f_fit_q && f_all_q))) {f_psn_set_q, f_val_set_q} <= '0;
    end
  end

  // The value of the newest of those that fit: of all that have this PSN, if their values are known.
  logic [Replay-1:0] f_fits_q;
  logic [63:0]       f_is_q [Replay];
  logic              f_one;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Replay; i++) begin
      f_fits_q[i] <= i < 32'(f_num_q) && f_psn_set_q[i] && f_psn_q[i] == f_want_q;
      f_is_q[i]   <= f_val_q[i];
    end
  end
  always_comb begin
    f_one = 1'b0;
    for (int unsigned i = 0; i < Replay; i++) if (f_fits_q[i]) f_one = value_o == f_is_q[i];
  end

  // What the bus reads: known, counting.
  logic f_known, f_counts;
  always_comb begin
    f_known = 1'b0;
    for (int unsigned i = 0; i < Replay; i++)
      if (32'(f_idx[5:0]) == i) f_known = f_value ? f_val_set_q[i] : f_psn_set_q[i];
    f_counts = f_word && 32'(f_idx[5:0]) < 32'(f_num_q);
  end

  `FV_COMB if (f_past_q) begin
    env_alone: assume (!(start_valid_i && put_valid_i) && !(start_valid_i && stop_valid_i));
    if (start_valid_i || stop_valid_i) env_qp: assume (32'(qp_i) < NumQps);
    if (put_valid_i) env_put: assume (32'(put_qp_i) < NumQps && !held_i && (put_qp_i != f_qp || f_on_q));
    // Of a look-up whose answer is of now, and was not the bus'.
    if (drop_i)
      env_drop: assume (32'(f_look2_q) < NumQps && !f_turn2_q && !f_new_q && !put_valid_i && !start_valid_i && !held_i);
    if (f_drop && f_fit_q && f_all_q) env_found: assume (f_found_q);
    if (held_i && (f_mine || f_addr_q[19:18] == 2'(nic_reg_pkg::RegQP_ANSWER_PSN >> 18)))
      env_setup: assume (rb_i.addr == f_addr_q);
    if (held_i) env_falls: assume (!f_done_q);
    if (held_i && f_mine) env_bus: assume (!start_valid_i && !stop_valid_i);
    if (rb_i.we && f_mine) env_write: assume (held_i && f_ready);

    if (f_fit_q && f_found_q) p1_found: assert (hit_o);
    if (f_fit_q && f_all_q && !f_found_q) p1_none: assert (!hit_o);
    if (f_fit_q && f_all_q && f_found_q && f_at_q == '0) p1_value: assert (f_one);
    if (rst_ni && f_rst_q && qp_i == f_qp && !f_lost_q) p3_num: assert (num_o == f_num_q);
    if (rst_ni && f_rst_q && held_i && ready_o && f_mine && !f_lost_q) begin
      if (f_counts && f_known) p4_read: assert (rb_rdata_o == f_old);
      if (f_idx[13:6] == f_qp && !f_counts) p4_none: assert (rb_rdata_o == '0);
      if (32'(f_idx[13:6]) >= NumQps || 32'(f_idx[5:0]) >= Replay) p4_nowhere: assert (rb_rdata_o == '0);
      c_read: cover (f_counts && f_known && f_on_q);
    end
    c_hit: cover (f_fit_q && f_found_q && f_at_q == '0 && f_num_q == 7'(Replay));
    c_two: cover (f_fit_q && f_all_q && f_at_q == '0 && f_fits_q == '1 && f_is_q[0] != f_is_q[Replay-1] &&
                  around);
    c_drop: cover (f_drop && f_fit_q && f_all_q && f_upto_q < f_num_q);
    c_kept: cover (f_start && start_num_i == 7'd1 && f_num_q == 7'(Replay));
  end
