// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_xlt: one record in a cycle, nothing under hold, sweeps end. What a record says is proved in the parts
// and compared with the golden model in simulation (test_aa_xlt).
`include "fv.svh"

  `FV_INIT

  logic f_inv_q, f_hold_q;
  logic [Walkers-1:0] f_bus_q;  // reads on the bus
  logic [NumLanes-1:0] f_in, f_fwd;
  logic [NumLanes*8-1:0] f_wr_q, f_rd_q, f_xl_q;  // xl: results, counted
  // What a lane has shown of its open requests, by their place: it stays (aa_lane P1).
  logic [NumLanes*Window-1:0] f_seen_q, f_seen, f_shown;
  logic [NumLanes-1:0] f_again, f_kept;
  logic [NumLanes*LookupW-1:0] f_was;
  logic [NumLanes*Window*LookupW-1:0] f_lk_q;
  logic [NumLanes-1:0] f_behind;
  always_ff @(posedge clk_i) begin
    f_inv_q  <= rst_ni && inv_valid_i && !sweep_q;
    f_hold_q <= rst_ni && hold_i;
    f_wr_q   <= rst_ni ? wr_ptr_i : '0;
    f_rd_q   <= rst_ni ? rd_ptr_i : '0;
    f_seen_q <= rst_ni ? f_seen | f_shown : '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      f_xl_q[l*8+:8] <= !rst_ni ? 8'd0 : forget_i ? rd_ptr_i[l*8+:8] :
                        f_xl_q[l*8+:8] + 8'(res_valid_o && res_lane_o == 4'(l));
      for (int unsigned w = 0; w < Window; w++)
        if (f_shown[l*Window+w] && !f_seen[l*Window+w])
          f_lk_q[(l*Window+w)*LookupW+:LookupW] <= lk_i[l*LookupW+:LookupW];
    end
    for (int unsigned s = 0; s < Walkers; s++) begin
      if (!rst_ni) f_bus_q[s] <= 1'b0;
      else if (ar_valid_o && ar_ready_i && ar_id_o == 8'(s)) f_bus_q[s] <= 1'b1;
      else if (r_valid_i && r_id_i == 8'(s)) f_bus_q[s] <= 1'b0;
    end
  end

  // Of a lane, read and written pointers are at most Window apart and only move on, read ones not
  // beyond what is translated.
  always_comb begin
    for (int unsigned l = 0; l < NumLanes; l++) begin
      f_in[l] = 32'(8'(wr_ptr_i[l*8+:8] - rd_ptr_i[l*8+:8])) <= Window &&
                32'(8'(f_xl_q[l*8+:8] - rd_ptr_i[l*8+:8])) <= Window;
      f_fwd[l] = 32'(8'(wr_ptr_i[l*8+:8] - f_wr_q[l*8+:8])) <= Window &&
                 32'(8'(rd_ptr_i[l*8+:8] - f_rd_q[l*8+:8])) <= Window;
      f_behind[l] = 8'(xl_ptr_o[l*8+:8] - rd_ptr_i[l*8+:8]) <= 8'(wr_ptr_i[l*8+:8] - rd_ptr_i[l*8+:8]);
      for (int unsigned w = 0; w < Window; w++) begin
        // still the request that was seen: the read pointer has not passed it; and the one that is looked at
        f_seen[l*Window+w]  = f_seen_q[l*Window+w] &&
            32'((8'(w) - f_rd_q[l*8+:8]) & 8'(Window - 1)) >= 32'(8'(rd_ptr_i[l*8+:8] - f_rd_q[l*8+:8]));
        f_shown[l*Window+w] = (lk_idx_o[l*8+:8] & 8'(Window - 1)) == 8'(w) &&
            8'(lk_idx_o[l*8+:8] - rd_ptr_i[l*8+:8]) < 8'(wr_ptr_i[l*8+:8] - rd_ptr_i[l*8+:8]);
      end
      f_was[l*LookupW+:LookupW] = f_lk_q[(l*Window)*LookupW+:LookupW];
      for (int unsigned w = 1; w < Window; w++)
        if (f_shown[l*Window+w]) f_was[l*LookupW+:LookupW] = f_lk_q[(l*Window+w)*LookupW+:LookupW];
      f_again[l] = (f_seen[l*Window+:Window] & f_shown[l*Window+:Window]) != '0;
      f_kept[l]  = !f_again[l] || lk_i[l*LookupW+:LookupW] == f_was[l*LookupW+:LookupW];
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_inv: assume (!inv_valid_i || hold_i);
    env_forget: assume (!forget_i || (hold_i && f_hold_q));
    env_lanes: assume (f_in == '1);
    env_forward: assume (f_fwd == '1);
    env_look: assume (f_kept == '1);
    env_answer: assume (!r_valid_i || (r_id_i < 8'(Walkers) && (f_bus_q & (Walkers'(1) << r_id_i[SlotW-1:0])) != '0));

    p2_count: assert (xl_ptr_o == f_xl_q);
    p2_there: assert (f_behind == '1);
    p3_one_record: assert (!(start && pass) && !(start && fill) && !(pass && fill));
    if (hold_i) p4_quiet: assert (!ret_walk_valid_o && !ret_xlate_valid_o && !res_valid_o);
    if (sweep_q) p4_swept: assert (!f1_take && issue_lane == '0);
    if (f_inv_q) p4_taken: assert (sweep_q && cnt_q == '0);
    p4_count: assert (32'(cnt_q) < Steps && (sweep_q || cnt_q == '0) && (sweep_q || !init_q));
    if (inv_done_o) p4_done: assert (sweep_q && sweep_end);
    if ((pass || start) && ctx_hit) p1_did: assert (did_q == unused_ctx_did);
    if (res_valid_o) p2_write: assert (res_write_o);
    if (res_valid_o) p2_recorded: assert (ret_xlate_valid_o);
    c_taken: cover (f_inv_q);
    c_fill: cover (fill);
    c_hit: cover (pass && !plain);
  end
