// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_xlt: one record in a cycle, nothing under hold, sweeps end. What a record says is proved in the parts and
// compared with the golden model in simulation (test_aa_xlt).
`include "fv.svh"

  `FV_INIT

  logic f_inv_q;
  always_ff @(posedge clk_i) f_inv_q <= rst_ni && inv_valid_i && !sweep_q;

  `FV_COMB if (f_past_q && rst_ni) begin
    env_inv: assume (!inv_valid_i || hold_i);
    env_forget: assume (!forget_i || hold_i);

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
  end
