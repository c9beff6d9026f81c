// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rate: one queue pair, chosen freely. How far a cut goes (a product) and that a sweep ends in its 1024
// cycles are tested in every cycle by test_nic_rate.c; all else of a visit is here.
`include "fv.svh"
// Rules of README.md: ECN-5, ECN-7, ECN-8, ECN-10, TIM-9.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)
  `FV_SEES(f_holds, NumQps, held_o)

  logic              f_slow, f_held, f_had, f_had_q, f_visit, f_clear, f_room, f_sent_q, f_fell_q, f_held_q;
  logic [IdxW-1:0]   f_idx;
  logic [StateW-1:0] f_word;
  state_t            f_st;
  assign f_idx   = f_qp[IdxW-1:0];
  assign f_word  = mem_q[f_idx];
  assign f_st    = f_word;
  assign f_slow  = slow_q[f_idx];
  assign f_held  = held_q[f_idx];
  assign f_room  = room_q[f_idx][RoomW-1];
  assign f_had   = f_had_q || (cnp_valid_i && cnp_qp_i == f_qp && cfg_i.full != '0);  // one of this cycle too
  assign f_visit = go && 8'(walk_q) == f_qp;
  assign f_clear = forget_i || (clear_valid_i && clear_qp_i == f_qp);

  // Where the QP is on its way to a visit, what it holds, and what a visit without a CNP would do.
  logic   f_at1, f_at2, f_at3, f_calms, f_raises;
  state_t f_now;
  assign f_at3    = v3_q && 8'(walk_q) == f_qp;
  assign f_at2    = v2_q && 8'(walk_q) + 8'(v3_q) == f_qp;
  assign f_at1    = v1_q && 8'(walk_q) + 8'(v3_q) + 8'(v2_q) == f_qp;
  assign f_calms  = f_slow && 9'(f_st.calm) + 9'd1 >= 9'(cfg_i.calm);
  assign f_raises = f_slow && 9'(f_st.raise) + 9'd1 >= 9'(cfg_i.raise);
  always_comb begin
    f_now = f_word;
    if (!f_slow) begin
      f_now        = '0;
      f_now.rate   = cfg_i.full;
      f_now.target = cfg_i.full;
      f_now.alpha  = AlphaFull;
    end
  end

  // QP_RATE, as the bus has addressed it in the cycle before.
  logic [16:0]           f_addr_q;
  logic                  f_here;
  nic_reg_pkg::qp_rate_t f_shown;
  always_ff @(posedge clk_i) f_addr_q <= rb_i.addr;
  assign f_here = f_addr_q[16:13] == 4'(nic_reg_pkg::RegQP_CTL >> 16) &&
                  f_addr_q[4:0] == 5'(nic_reg_pkg::RegQP_RATE >> 3);
  always_comb begin
    f_shown        = '0;
    f_shown.SLOW   = f_slow;
    f_shown.ALPHA  = f_now.alpha;
    f_shown.TARGET = f_now.target;
    f_shown.RATE   = f_now.rate;
  end

  nic_pkg::rate_cfg_t f_cfg_q;
  logic               f_forget_q;
  always_ff @(posedge clk_i) begin
    f_cfg_q    <= cfg_i;
    f_forget_q <= forget_i;
    f_sent_q   <= sent_valid_i;
    f_held_q   <= rst_ni && f_held;
    if (!rst_ni) f_had_q <= 1'b0;
    else f_had_q <= f_had && !f_visit && !f_clear;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_cfg: assume (!f_rst_q || f_forget_q || cfg_i == f_cfg_q);
    env_range: assume (cfg_i.full <= 11'd1024 && cfg_i.least != '0);
    env_qps: assume ((!cnp_valid_i || 32'(cnp_qp_i) < NumQps) && (!clear_valid_i || 32'(clear_qp_i) < NumQps) &&
                     (!sent_valid_i || 32'(sent_qp_i) < NumQps));
    env_sent: assume (!sent_valid_i ||
                      ((!f_rst_q || !f_sent_q) && sent_bytes_i <= 13'd4096 && !f_holds[sent_qp_i[IdxW-1:0]]));

    p1_walk: assert (32'(walk_q) < NumQps && 32'(look_q) <= NumQps && (active_q || !(v1_q || v2_q || v3_q)));
    p1_look: assert (32'(look_q) == 32'(walk_q) + 32'(v1_q) + 32'(v2_q) + 32'(v3_q));
    if (f_slow) p1_range: assert (f_st.rate < cfg_i.full && f_st.target <= cfg_i.full && f_st.rate <= f_st.target &&
        f_st.rate >= cfg_i.least);
    // What a visit does is about the state that it finds, which was looked at before.
    if (v2_q) p1_slow2: assert (slow2_q || !(calms2_q || raises2_q));
    if (v3_q) p1_slow3: assert (slow3_q || !(calms3_q || raises3_q));
    if (f_at1) p1_at1: assert (slow1_q == f_slow && st1_q == f_now);
    if (f_at2) p1_at2: assert (slow2_q == f_slow && st2_q == f_now && calms2_q == f_calms && raises2_q == f_raises &&
        11'(less2_q) <= st2_q.rate && over2_q == 12'(st2_q.rate) - 12'(cfg_i.least) &&
        more2_q <= AlphaFull - st2_q.alpha && fall2_q <= st2_q.alpha);
    if (f_at2 && f_slow) p1_aim: assert (target2_q >= f_st.target && target2_q <= cfg_i.full &&
        (6'(f_st.stage) >= 6'(cfg_i.fast) || target2_q == f_st.target));
    if (f_at3) p1_at3: assert (slow3_q == f_slow && calms3_q == f_calms && raises3_q == f_raises);
    if (f_at3) p1_cut: assert (cut3_q.target == f_now.rate && cut3_q.rate >= cfg_i.least &&
        {cut3_q.stage, cut3_q.calm, cut3_q.raise} == '0 &&
        (cut3_q.rate <= f_now.rate || cut3_q.rate == cfg_i.least) && cut3_q.alpha >= f_now.alpha);
    if (f_at3 && f_slow && !f_raises) p1_still: assert (on3_q.rate == f_st.rate && on3_q.target == f_st.target &&
        on3_q.stage == f_st.stage && on3_q.raise == f_st.raise + 8'd1);
    if (f_at3 && f_slow && !f_calms) p1_as_was: assert (on3_q.alpha == f_st.alpha && on3_q.calm == f_st.calm + 8'd1);
    if (f_at3 && f_raises) p1_raised: assert (on3_q.rate >= f_st.rate && on3_q.target >= f_st.target &&
        on3_q.target <= cfg_i.full &&
        on3_q.rate <= on3_q.target && on3_q.raise == '0);
    if (f_at3 && f_raises && 6'(f_st.stage) < 6'(cfg_i.fast)) p1_fast: assert (on3_q.target == f_st.target);
    if (f_at3 && f_calms) p1_calm: assert (on3_q.alpha <= f_st.alpha && on3_q.calm == '0);
    if (f_visit) p1_which: assert (st_d == (f_had ? cut3_q : on3_q) && calms == (f_calms && !f_had) &&
        raises == (f_raises && !f_had));
    if (f_visit && (had || f_slow)) p1_slow: assert (slow_d == (st_d.rate < cfg_i.full));
    if (f_visit && !had && !f_slow) p1_nothing: assert (!slow_d && !ret_valid_o);
    p2_had: assert (had_q[f_idx] == f_had_q);
    if (f_visit) p2_cut: assert (had == f_had && (!f_had || (ret_valid_o && ret_o.code == nic_pkg::RtCut)));
    if (ret_valid_o && ret_o.idx == f_qp && ret_o.code == nic_pkg::RtCut) p2_only: assert (f_had);
    if (f_slow) p3_depth: assert (room_q[f_idx] <= RoomW'(1024 * nic_pkg::BeatBytes) || room_q[f_idx] >= RoomW'(-4160));
    p3_held: assert (f_held == (f_slow && f_room));
    if (sent_q && 8'(sent_at_q) == f_qp) p3_takes: assert (f_rst_q && f_sent_q && !f_held && sent_cost_q <= 13'd4160);
    p3_woken: assert (wake_o[f_idx] == (f_held_q && !f_held));
    if (go) p4_alone: assert (!takes && !forget_i && !clear_valid_i);
    if (ret_valid_o)
      p4_record: assert (go && ret_o.kind == nic_pkg::RetRate && ret_o.idx == 8'(walk_q) && ret_o.flag == !slow_d &&
        ret_o.a[63] == slow_d && ret_o.a[10:0] == (slow_d ? st_d.rate : cfg_i.full) && (had || slow3_q));
    p4_decoded: assert (mine_q == (f_here && 32'(f_addr_q[12:5]) < NumQps) &&
        rb_at_q == f_addr_q[5+:IdxW]);
    if (f_here && f_addr_q[12:5] == f_qp) p4_read: assert (rb_rdata_o == f_shown);
    if (!f_here || 32'(f_addr_q[12:5]) >= NumQps) p4_other: assert (rb_rdata_o == '0);
    c_cut: cover (f_visit && had && slow_d);
    c_held: cover (f_held && takes);
    c_woken: cover (f_forget_q && wake_o[f_idx]);
  end
