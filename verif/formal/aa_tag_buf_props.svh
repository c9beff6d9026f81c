// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_tag_buf. f_e is any entry: what holds for it holds for all. b_idx_i and qf_idx_i are read addresses
// and nothing else, so the proof looks at f_e. AA_TAG_LOG: so does g_idx_i, which also says what is released: what the
// other entries do is no matter there, since the words of f_e are written only while it is the next one, which P3
// excludes whatever is released.
`include "fv.svh"
// Rules of README.md: TAG-7, TAG-9.
  `FV_INIT
  `FV_ANYCONST(f_e, IdxW)
  `FV_SEES(f_look_live, 1, look_live_o)
  `FV_SEES(f_ready, 1, alloc_ready_o)

  logic [25:0] f_key_e;
  logic        f_twice, f_is_live, f_is_dead, f_whose, f_odd;
  logic [25:0] f_look_q;
  always_ff @(posedge clk_i) if (look_i) f_look_q <= look_key_i;
  // What is live, and what is busy because it was allocated, without the cycle that a late free takes.
  logic [N-1:0] f_live, f_taken_q, f_rel, f_alloc_at;
  // allocated and not freed, as the ports tell; of them flushes, and those that ended early
  logic [N-1:0] f_all_q, f_flushes_q, f_deads_q;
  assign f_live = live & ~flush_at;
  always_comb for (int unsigned i = 0; i < N; i++) f_alloc_at[i] = fire && alloc_idx_o == 8'(i);
  always_comb for (int unsigned i = 0; i < N; i++)
    f_rel[i] = (c_release_i && c_idx_i == IdxW'(i)) || (g_release_i && g_idx_i == IdxW'(i)) ||
               (flush_free_valid_i && flush_free_idx_i == 8'(i));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_taken_q <= '0;
    else f_taken_q <= (f_taken_q | f_alloc_at) & ~f_rel;
    for (int unsigned i = 0; i < N; i++) begin
      if (!rst_ni) f_all_q[i] <= 1'b0;
      else if (alloc_valid_i && alloc_ready_o && alloc_idx_o == 8'(i)) f_all_q[i] <= 1'b1;
      else if ((c_free_i && c_idx_i == IdxW'(i)) || (flush_free_valid_i && flush_free_idx_i == 8'(i)))
        f_all_q[i] <= 1'b0;
      if (alloc_valid_i && alloc_ready_o && alloc_idx_o == 8'(i)) f_flushes_q[i] <= alloc_i.flush;
      if (alloc_valid_i && alloc_ready_o && alloc_idx_o == 8'(i)) f_deads_q[i] <= 1'b0;
      else if (c_kill_i && c_idx_i == IdxW'(i)) f_deads_q[i] <= 1'b1;
    end
  end
  // Who has taken which entry, and how many the port f_p has.
  `FV_ANYCONST(f_any_p, 2)
  logic [1:0]     f_p;
  logic [2*N-1:0] f_by_q;
  logic [N-1:0]   f_use;
  logic [IdxW:0]  f_has;
  logic           f_own, f_few_q;
  assign f_p = 2'(32'(f_any_p) % NumPorts);
  assign f_use = busy_q & ~held_at;
  always_comb begin
    f_has = '0;
    f_own = 1'b1;
    for (int unsigned i = 0; i < N; i++) begin
      if (f_use[i] && f_by_q[2*i+:2] == f_p) f_has = f_has + (IdxW+1)'(1);
      if (f_use[i] && i < NumPorts * Share && i / (Share == 0 ? 1 : Share) == 32'(f_p) && f_by_q[2*i+:2] != f_p)
        f_own = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < N; i++) if (f_alloc_at[i]) f_by_q[2*i+:2] <= alloc_i.port;
    f_few_q <= rst_ni && 32'(f_has) < Share && !(fire && alloc_i.port == f_p);
  end

  logic        f_alloc_e, f_free_e, f_kill_e, f_mark_q, f_dead_q, f_reset_q, f_live_q;
  logic [1:0]  f_port_q;
  logic [3:0]  f_resets;
  assign f_resets = 4'(dev_reset_i);
  logic [25:0] f_want_q;
  // What was put in, and what the last completion left of it.
  aa_pkg::tag_alloc_t f_in_q;
  logic               f_new_q;
  logic [25:0]        f_moved_q;
  assign f_key_e = keys_q[26*32'(f_e)+:26];
  always_comb begin
    f_twice = 1'b0;
    f_is_live = 1'b0;
    f_is_dead = 1'b0;
    f_whose = 1'b0;
    f_odd = 1'b0;
    for (int unsigned i = 0; i < N; i++)
      if ((f_live[i] && !f_taken_q[i]) || (dead_q[i] && (!f_live[i] || flush_q[i])) ||
          (f_taken_q[i] && !busy_q[i]) || (live[i] && !busy_q[i]) ||
          (flush_at[i] && (f_taken_q[i] || !live[i] || !flush_q[i])) ||
          (gr_q && gr_idx_q == IdxW'(i) && (f_taken_q[i] || live[i])) ||
          (held_at[i] && (f_taken_q[i] || live[i] || release_at[i]))) f_odd = 1'b1;
    for (int unsigned k = 0; k <= NumPorts; k++)
      if (pool_valid_q[k] && (32'(pool_idx_q[IdxW*k+:IdxW]) < k * Share || 32'(pool_idx_q[IdxW*k+:IdxW]) >= N ||
                              (k != NumPorts && 32'(pool_idx_q[IdxW*k+:IdxW]) >= (k + 1) * Share))) f_odd = 1'b1;
    for (int unsigned i = 0; i < N; i++) if (f_live[i] && keys_q[26*i+:26] == f_look_q) begin
      f_is_live = f_is_live || !dead_q[i];
      f_is_dead = f_is_dead || dead_q[i];
      if (look_idx_q == IdxW'(i)) f_whose = 1'b1;
    end
    for (int unsigned i = 0; i < N; i++)
      for (int unsigned j = 0; j < i; j++)
        if (live[i] && live[j] && keys_q[26*i+:26] == keys_q[26*j+:26]) f_twice = 1'b1;
  end
  assign f_alloc_e = alloc_valid_i && alloc_ready_o && alloc_idx_o == 8'(f_e);
  assign f_kill_e = c_kill_i && c_idx_i == f_e;
  assign f_free_e = (c_free_i && c_idx_i == f_e) || (flush_free_valid_i && flush_free_idx_i == 8'(f_e));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_live_q <= 1'b0;
      f_mark_q <= 1'b0;
      f_dead_q <= 1'b0;
      f_reset_q <= 1'b0;
    end else begin
      if (f_alloc_e) begin
        f_live_q <= 1'b1;
        f_want_q <= {alloc_i.rid, alloc_i.tag};
        f_in_q   <= alloc_i;
      end else if (f_free_e) f_live_q <= 1'b0;
      if (f_alloc_e) f_new_q <= 1'b1;
      else if (c_write_i && c_idx_i == f_e) begin
        f_new_q   <= 1'b0;
        f_moved_q <= {c_rem_i, c_pos_i, c_dw_i, c_unlog_i};
      end
      if (snap_i) f_mark_q <= f_live_q && !flush_q[f_e] && !f_dead_q && !f_free_e && !f_kill_e;
      else if (f_free_e || f_kill_e) f_mark_q <= 1'b0;
      f_dead_q <= (f_dead_q || f_kill_e) && !f_free_e;
      f_reset_q <= !f_alloc_e && (f_reset_q || (f_live_q && f_resets[NumPorts == 1 ? 2'd0 : f_port_q]));
    end
    if (f_alloc_e) f_port_q <= alloc_i.port;
  end

  `FV_COMB begin
`ifdef YOSYS
    def_index: assume (32'(f_e) < N);
    slice_read: assume (b_idx_i == f_e && qf_idx_i == 8'(f_e));
`ifdef AA_TAG_LOG
    slice_log: assume (g_idx_i == f_e);
`endif
`endif
    if (f_past_q)
      env_index_c: assume ((!(c_free_i || c_write_i) || 32'(c_idx_i) < N) && (!g_release_i || 32'(g_idx_i) < N));
    // Nobody allocates a live key; nobody frees what is not live; what was live or busy is released once.
    if (f_past_q && rst_ni) begin
      env_look: assume (!alloc_valid_i || f_look_q == {alloc_i.rid, alloc_i.tag});
      env_unique: assume (!alloc_valid_i || !f_look_live);
      env_may: assume (!alloc_valid_i || alloc_may_i);
      env_ready: assume (!alloc_valid_i || f_ready);
      env_free: assume (!c_free_i || f_all_q[c_idx_i]);
      env_kill: assume (!c_kill_i || (f_all_q[c_idx_i] && !f_flushes_q[c_idx_i] && !f_deads_q[c_idx_i] && !c_free_i));
      env_port: assume (!alloc_valid_i || 32'(alloc_i.port) < NumPorts);
      env_release: assume (!c_release_i || c_free_i);
      env_g_release: assume (!g_release_i || (f_taken_q[g_idx_i] && !f_all_q[g_idx_i]) ||
                             (c_free_i && c_idx_i == g_idx_i));
      env_flush: assume (!flush_free_valid_i || (32'(flush_free_idx_i) < N && f_all_q[flush_free_idx_i[IdxW-1:0]] &&
                         f_flushes_q[flush_free_idx_i[IdxW-1:0]] && !(c_free_i && 8'(c_idx_i) == flush_free_idx_i)));
    end
    if (f_past_q && rst_ni && 32'(f_e) < N) begin
      p1_unique: assert (!f_twice);
      p2_look: assert (look_live_o == f_is_live);
      if (look_live_o || look_dead_q) p2_whose: assert (f_whose);
      p2_hold: assert (!(alloc_hold_i && alloc_ready_o));
      p2_dead: assert (look_dead_q == f_is_dead && !(look_dead_q && alloc_ready_o));
      p3_all: assert (!f_odd && (!free_valid || 32'(free_idx) < N));
      if (live[f_e] && !flush_q[f_e] && f_key_e == a_key_i) p2_hit: assert (a_hit_o);
      if (a_hit_o) p2_same: assert (a_same_o == (a_idx_o == c_idx_i));
      if (a_hit_o && a_idx_o == f_e)
        p2_right: assert (live[f_e] && !flush_q[f_e] && f_key_e == a_key_i);
      if (f_alloc_e && alloc_key == a_key_i) p2_wait: assert (a_wait_o);
      if (look_live_o || look_dead_q) p2_free: assert (!a_wait_o);
      if (f_alloc_e) p3_free: assert (!live[f_e] && !f_taken_q[f_e]);
      if (live[f_e]) p3_busy: assert (busy_q[f_e]);
      p3_dead: assert (dead_q[f_e] == f_dead_q && (!f_dead_q || (live[f_e] && !flush_q[f_e])));
      p3_chosen: assert (!held_at[f_e] || !(f_taken_q[f_e] || live[f_e] || release_at[f_e]));
      p8_own: assert (f_own);
      if (f_few_q && alloc_i.port == f_p && !alloc_hold_i && !look_dead_q) p8_share: assert (alloc_ready_o);
      p4_all: assert (f_all_q == f_live && (f_all_q & (f_flushes_q ^ flush_q)) == '0);
      p4_deads: assert ((f_all_q & (f_deads_q ^ dead_q)) == '0);
      p4_live: assert (f_live[f_e] == f_live_q);
      if (f_live_q) p4_key: assert (f_key_e == f_want_q);
      if (f_live_q && b_idx_i == f_e)
        p4_static: assert (b_rid_o == f_in_q.rid && b_port_o == f_in_q.port && b_log0_o == (Logs && f_in_q.logged) &&
                                       (!Logs || !f_in_q.logged || b_log_o == f_in_q.id.log));
      if (f_live_q && f_new_q && b_idx_i == f_e)
        p4_first: assert (b_rem_o == f_in_q.bytes && b_pos_o == f_in_q.start[1:0] && b_dw_o == '0 &&
                                                 b_logged_o == b_log0_o);
      if (f_live_q && b_idx_i == f_e) p4_start: assert (b_start_o == f_in_q.start[6:2]);
      if (f_live_q && !f_new_q && b_idx_i == f_e) p4_moved: assert ({b_rem_o, b_pos_o, b_dw_o} == f_moved_q[25:1] &&
                                                  b_logged_o == (b_log0_o && !f_moved_q[0]));
      if (f_live_q) p4_fresh: assert (fresh_q[f_e] == f_new_q && flush_q[f_e] == f_in_q.flush);
      if (f_live_q && f_in_q.flush && qf_idx_i == 8'(f_e))
        p4_flush: assert (qf_o == {f_in_q.rid, f_in_q.tag, f_in_q.port});
      if (Logs && f_taken_q[f_e] && g_idx_i == f_e)
        p4_log: assert ({g_o.id, g_o.addr, g_o.pad, g_o.pad_addr, g_o.pad_bytes, g_o.hdr} ==
        {f_in_q.id, f_in_q.addr, f_in_q.pad, f_in_q.pad_addr, f_in_q.pad_bytes, f_in_q.hdr});
      p5_mark: assert (mark_q[f_e] == f_mark_q);
      if (f_mark_q) p5_wait: assert (!drained_o && f_live_q && !flush_q[f_e] && !f_dead_q);
      if (cl_valid_o && cl_idx_o == f_e) p6_close: assert (f_live_q && !flush_q[f_e]);
      if (cl_valid_o && cl_idx_o == f_e && cl_why_o == aa_pkg::ClOver) p6_over: assert (f_dead_q);
      if (f_live_q && NumPorts > 1) p7_port: assert (port_q[2*32'(f_e)+:2] == f_port_q);
      if (f_live_q) p7_kill: assert (kill_q[f_e] == f_reset_q);
      if (f_live_q && b_idx_i == f_e)
        p7_ended: assert (b_ended_o == (f_dead_q || f_reset_q || f_resets[NumPorts == 1 ? 2'd0 : f_port_q]) &&
                          b_dead_o == f_dead_q);
      // A look of the scanner that has not been judged: the entry is still that one, or its free is known.
      if (s2_valid_q && s2_idx_q == f_e && !(l_free_q && l_idx_q == f_e))
        p6_scan: assert (f_live_q && !flush_q[f_e] && (!s2_dead_q || f_dead_q));
      c_close: cover (cl_valid_o && cl_why_o == aa_pkg::ClEnd);
      c_over: cover (cl_valid_o && cl_why_o == aa_pkg::ClOver);
      c_wait: cover (look_dead_q && alloc_may_i);
      c_full: cover (live == '1);
      c_reuse: cover (f_alloc_e && f_want_q != alloc_key && f_want_q != '0);
      c_drain: cover (!drained_o && c_free_i);
    end
  end
