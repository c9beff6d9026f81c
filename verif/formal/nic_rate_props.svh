// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rate: one queue pair, chosen freely. How far a cut goes (a product) and that a sweep ends in its 1024 cycles are
// tested in every cycle by test_nic_rate.c; all else of a visit is here.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)
  `FV_SEES(f_holds, NumQps, held_o)

  logic              f_slow, f_held, f_had_q, f_visit, f_clear, f_room, f_sent_q, f_fell_q, f_woke_q, f_held_q;
  logic [IdxW-1:0]   f_idx;
  logic [StateW-1:0] f_word;
  state_t            f_st;
  assign f_idx   = f_qp[IdxW-1:0];
  assign f_word  = mem_q[f_idx];
  assign f_st    = f_word;
  assign f_slow  = slow_q[f_idx];
  assign f_held  = held_q[f_idx];
  assign f_room  = room_q[f_idx][RoomW-1];
  assign f_visit = go && 8'(walk_q) == f_qp;
  assign f_clear = forget_i || (clear_valid_i && clear_qp_i == f_qp);

  nic_pkg::rate_cfg_t f_cfg_q;
  logic               f_forget_q;
  always_ff @(posedge clk_i) begin
    f_cfg_q    <= cfg_i;
    f_forget_q <= forget_i;
    f_sent_q   <= sent_valid_i;
    f_woke_q   <= wake_o[f_idx];
    f_held_q   <= rst_ni && f_held;
    if (!rst_ni) f_had_q <= 1'b0;
    else f_had_q <= ((f_had_q && !f_visit) || (cnp_valid_i && cnp_qp_i == f_qp && cfg_i.full != '0)) && !f_clear;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_cfg: assume (!f_rst_q || f_forget_q || cfg_i == f_cfg_q);
    env_range: assume (cfg_i.full <= 11'd1024 && cfg_i.least != '0);
    env_qps: assume ((!cnp_valid_i || 32'(cnp_qp_i) < NumQps) && (!clear_valid_i || 32'(clear_qp_i) < NumQps) &&
                     (!sent_valid_i || 32'(sent_qp_i) < NumQps));
    env_sent: assume (!sent_valid_i || ((!f_rst_q || !f_sent_q) && sent_bytes_i <= 13'd4096 && !f_holds[sent_qp_i[IdxW-1:0]]));

    p1_walk: assert (32'(walk_q) < NumQps);
    if (f_slow) p1_range: assert (f_st.rate < cfg_i.full && f_st.target <= cfg_i.full && f_st.rate <= f_st.target &&
        f_st.rate >= cfg_i.least);
    // What a visit does is about the state that it finds, which it has looked at.
    if (looked_q && 8'(walk_q) == f_qp && f_slow) p1_looked: assert (st_q == f_st);
    if (looked_q && 8'(walk_q) == f_qp && !f_slow) p1_fresh: assert (st_q.rate == cfg_i.full && st_q.alpha == AlphaFull);
    if (f_visit && had) p1_cut: assert (st_d.target == st_q.rate && st_d.rate >= cfg_i.least && {st_d.stage, st_d.calm, st_d.raise} == '0 &&
        (st_d.rate <= st_q.rate || st_d.rate == cfg_i.least) && st_d.alpha >= st_q.alpha);
    if (f_visit && !had && f_slow && !raises) p1_still: assert (st_d.rate == f_st.rate && st_d.target == f_st.target &&
        st_d.stage == f_st.stage && st_d.raise == f_st.raise + 8'd1 && slow_d);
    if (f_visit && !had && f_slow && !calms) p1_as_was: assert (st_d.alpha == f_st.alpha && st_d.calm == f_st.calm + 8'd1);
    if (f_visit && raises) p1_raised: assert (f_slow && st_d.rate >= f_st.rate && st_d.target >= f_st.target && st_d.target <= cfg_i.full &&
        st_d.rate <= st_d.target && st_d.raise == '0);
    if (f_visit && raises && 6'(f_st.stage) < 6'(cfg_i.fast)) p1_fast: assert (st_d.target == f_st.target);
    if (f_visit && calms) p1_calm: assert (st_d.alpha <= f_st.alpha && st_d.calm == '0);
    if (f_visit && (had || f_slow)) p1_slow: assert (slow_d == (st_d.rate < cfg_i.full));
    if (f_visit && !had && !f_slow) p1_nothing: assert (!slow_d && !ret_valid_o);
    p2_had: assert (had_q[f_idx] == f_had_q);
    if (f_visit) p2_cut: assert (had == f_had_q && (!f_had_q || (ret_valid_o && ret_o.code == nic_pkg::RtCut)));
    if (ret_valid_o && ret_o.idx == f_qp && ret_o.code == nic_pkg::RtCut) p2_only: assert (f_had_q);
    if (f_slow) p3_depth: assert (room_q[f_idx] <= RoomW'(1024 * nic_pkg::BeatBytes) || room_q[f_idx] >= RoomW'(-4160));
    p3_held: assert (f_held == (f_slow && f_room));
    if (f_held_q && !f_held) p3_woken: assert (f_woke_q || !f_rst_q);
    if (!f_held) p3_once: assert (!wake_o[f_idx]);
    if (go) p4_alone: assert (!takes && !forget_i && !clear_valid_i);
    if (ret_valid_o) p4_record: assert (go && ret_o.kind == nic_pkg::RetRate && ret_o.idx == 8'(walk_q) && ret_o.flag == !slow_d &&
        ret_o.a[63] == slow_d && ret_o.a[10:0] == (slow_d ? st_d.rate : cfg_i.full) && (had || slow));
    c_cut: cover (f_visit && had && slow_d);
    c_held: cover (f_held && takes);
    c_woken: cover (forget_i && wake_o[f_idx]);
  end
