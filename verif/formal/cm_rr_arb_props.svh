// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_rr_arb. f_lost_q[j] counts the advances that went to others while request j was waiting.
`include "fv.svh"

  `FV_INIT

  logic         f_kept_q;
  logic [N-1:0] f_gnt_q, f_mask_bad;
  always_ff @(posedge clk_i) begin
    f_kept_q <= rst_ni && valid_o && !advance_i;
    f_gnt_q  <= gnt_o;
  end

  assign f_mask_bad = ~mask_q & (mask_q << 1);  // the mask is a run of ones that ends at the top

  `FV_COMB if (f_past_q) begin
    p1_onehot: assert ((gnt_o & (gnt_o - N'(1))) == '0);
    p1_subset: assert ((gnt_o & ~req_i) == '0);
    if (valid_o) p1_idx: assert (gnt_o == N'(1) << idx_o);
    p1_valid: assert (valid_o == (gnt_o != '0));
    p2_conserving: assert (valid_o == (req_i != '0));
    if (f_kept_q && (f_gnt_q & req_i) != '0) p3_kept: assert (gnt_o == f_gnt_q);
    p4_mask_shape: assert (f_mask_bad == '0);
    c_last: cover (gnt_o[N-1] && advance_i);
    c_all_kept: cover (f_kept_q && req_i == '1 && gnt_o == f_gnt_q);
    c_wrap: cover (mask_q != '0 && valid_o && (req_i & mask_q) == '0);
  end

  // One counter a request. Labels may not stand in a generate loop (Yosys 0.23), so the loop makes vectors.
  logic [N-1:0] f_fair, f_bound, f_due;
  for (genvar j = 0; j < N; j++) begin : gen_f_fair
    logic [31:0] f_lost_q, f_place;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || !req_i[j] || (gnt_o[j] && advance_i)) f_lost_q <= 32'd0;
      else if (advance_i) f_lost_q <= f_lost_q + 32'd1;
    end
    // Requests that are to be served before j.
    always_comb begin
      f_place = 32'd0;
      for (int i = 0; i < N; i++)
        if (i < j ? mask_q[i] || !mask_q[j] : mask_q[i] && !mask_q[j]) f_place = f_place + 32'd1;
    end
    assign f_fair[j]  = f_lost_q < N;
    assign f_bound[j] = f_lost_q + f_place < N;
    assign f_due[j]   = !(f_lost_q == N - 1 && req_i[j]) || gnt_o[j];
  end

  `FV_COMB if (f_past_q) begin
    p4_fair: assert (f_fair == '1);
    p4_bound: assert (f_bound == '1);
    p4_due: assert (f_due == '1);
    c_last_place: cover (gen_f_fair[0].f_lost_q == N - 1);
  end
