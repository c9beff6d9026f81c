// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_head: heads that come in any order, a map that may answer anything.
`include "fv.svh"
// Rules of README.md: CTX-1, CTX-8.
  `FV_INIT

  logic        f_head_q, f_next_q, f_pop_q, f_shown_q, f_claim_q, f_clear_q, f_free_q, f_here_q;
  logic [23:0] f_head_qp_q, f_next_qp_q, f_shown_qp_q;
  logic [7:0]  f_claim_place_q;
  logic [16:0] f_cfg_q;
  logic        f_miss_q;
  `FV_SEES(f_waits, 1, waits_o)
  always_ff @(posedge clk_i) begin
    f_head_q  <= rst_ni && head_valid_i && !pop;
    f_next_q  <= rst_ni && next_valid_i && !pop;
    f_pop_q   <= rst_ni && pop && next_valid_i;
    {f_head_qp_q, f_next_qp_q} <= {head_qp_i, next_qp_i};
    f_shown_q    <= rst_ni && head_valid_o && !pop && !flush_i;
    f_shown_qp_q <= head_qp_o;
    f_here_q     <= rst_ni && en_i && n_here_q && !pop && !flush_i;
    f_claim_q    <= rst_ni && claim_valid_i;
    f_clear_q    <= rst_ni && claim_valid_i && claim_clear_o && !flush_i;
    f_claim_place_q <= claim_place_i;
    f_free_q     <= rst_ni && !flush_i;
    f_cfg_q      <= {en_i, cfg_qpn_i};
    f_miss_q     <= rst_ni && miss_o && !flush_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_head_q) env_head: assume (head_valid_i && head_qp_i == f_head_qp_q);
    if (f_next_q) env_next: assume (next_valid_i && next_qp_i == f_next_qp_q);
    if (f_pop_q) env_becomes: assume (head_valid_i && head_qp_i == f_next_qp_q);
    if (f_free_q) env_cfg: assume ({en_i, cfg_qpn_i} == f_cfg_q);
    env_order: assume (head_valid_i || !next_valid_i);
    env_drop: assume (!drop_i || f_waits);
    if (f_claim_q && claim_valid_i) env_claim: assume (claim_place_i == f_claim_place_q);

    if (!en_i)
      p1_plain: assert (head_valid_o == head_valid_i && head_qp_o == head_qp_i && next_valid_o == next_valid_i &&
        next_qp_o == next_qp_i);
    if (en_i && head_valid_o && head_qp_o[23:8] == cfg_qpn_i) p1_ours: assert (ours(head_qp_i, cfg_qpn_i[15:4]));
    if (en_i && next_valid_o && next_qp_o[23:8] == cfg_qpn_i) p1_next: assert (ours(next_qp_i, cfg_qpn_i[15:4]));
    if (en_i && head_valid_o && head_qp_o[23:8] != cfg_qpn_i) p1_theirs: assert (head_qp_o[7:0] == head_qp_i[7:0]);
    if (f_shown_q) p2_stays: assert (head_valid_o && head_qp_o == f_shown_qp_q);
    if (miss_o) p3_miss: assert (en_i && head_valid_i && !head_valid_o && waits_o);
    // What is clear of a place stays so as long as it is claimed.
    if (f_clear_q && claim_valid_i) p4_clear: assert (claim_clear_o);
    if (claim_valid_i && claim_clear_o && en_i && head_valid_o && head_qp_o[23:8] == cfg_qpn_i)
      p4_head: assert (head_qp_o[7:0] != claim_place_i);
    p5_met: assert (met_valid_o == (pop && en_i && head_qp_o[23:8] == cfg_qpn_i) && (!met_valid_o ||
        met_place_o == head_qp_o[7:0]));
    p6_both: assert (!(h_here_q && h_theirs_q) && !(n_here_q && n_theirs_q));
    if (look_q) p6_fresh: assert (look_head_q ? !h_here_q : !(n_here_q || n_theirs_q));
    if (look_q) p6_ours: assert (look_theirs_q == !ours(look_head_q ? head_qp_i : next_qp_i, cfg_qpn_i[15:4]));
    if (h_here_q) p6_head: assert (ours(head_qp_i, cfg_qpn_i[15:4]));
    if (n_here_q) p6_next: assert (ours(next_qp_i, cfg_qpn_i[15:4]));
    if (look_q) p6_look: assert (look_head_q ? head_valid_i : next_valid_i);
    p6_none: assert (head_valid_i || !(h_here_q || h_theirs_q));
    p6_behind: assert (next_valid_i || !(n_here_q || n_theirs_q));
    c_here: cover (pop && h_here_q && n_here_q);
    c_drop: cover (f_miss_q && drop_i);
    c_claim: cover (claim_valid_i && !claim_clear_o && pop);
  end
