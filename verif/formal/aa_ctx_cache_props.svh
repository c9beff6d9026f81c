// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_ctx_cache: one source id and one index, chosen freely, stand for all. The proof looks at one index
// only: an index goes nowhere but to the addresses of the RAMs, and what a RAM holds elsewhere does not change
// (cm_lutram, P2).
`include "fv.svh"
// Rules of README.md: XLT-1, XLT-22.
  `FV_INIT_NO_RESET
  `FV_ANYCONST(f_sid, 16)
`ifdef YOSYS
  `FV_ANYCONST(f_idx, IdxW)
`else
  logic [IdxW-1:0] f_idx;
  assign f_idx = Entries > 1 ? f_sid[0+:IdxW] ^ f_sid[8+:IdxW] : '0;
`endif

  logic              f_known_q, f_valid_q, f_here, f_gone;
  aa_pkg::ctx_entry_t f_entry_q;
  logic [15:0]       f_mask, f_next_q;
  always_ff @(posedge clk_i) f_next_q <= next_did_o;
  initial f_known_q = 1'b0;

  assign f_here = idx_i == f_idx;
  assign f_mask = {13'h1fff, ~inv_fm_i};
  // What README.md says an invalidation takes.
  assign f_gone = inv_all_i ||
      (f_entry_q.did == inv_did_i && (!inv_dev_i || (f_sid & f_mask) == (sid_i & f_mask)));

  always_ff @(posedge clk_i) begin
    if (f_here && fill_i) begin
      f_known_q <= 1'b1;
      f_valid_q <= sid_i == f_sid;
      f_entry_q <= entry_i;
    end else if (f_here && inv_i && inv_all_i) begin
      f_known_q <= 1'b1;
      f_valid_q <= 1'b0;
    end else if (f_here && inv_i && f_gone) begin
      f_valid_q <= 1'b0;
    end
  end

  `FV_COMB begin
    if (f_past_q) env_one_job: assume (!(fill_i && inv_i));
    env_index: assume (32'(idx_i) < Entries);
`ifdef YOSYS
    slice_index: assume (f_here && next_idx_i == f_idx);
    if (f_known_q && f_valid_q) p3_next: assert (f_next_q == entry_o.did && next_did == entry_o.did);
    if (f_known_q) p1_kept: assert (f_valid_q == (valid && sid == f_sid));
    if (f_known_q && f_valid_q) p1_same: assert (entry_o == f_entry_q);
`endif
    if (f_past_q && f_known_q && f_here && !inv_i && sid_i == f_sid) begin
      p1_hit: assert (hit_o == f_valid_q);
      if (hit_o) p1_entry: assert (entry_o == f_entry_q);
    end
    if (f_past_q && f_known_q && f_here && f_valid_q && inv_i) p2_match: assert (valid && match == f_gone);
    c_hit: cover (f_past_q && hit_o && f_known_q && f_here && !inv_i && sid_i == f_sid);
    c_fm: cover (f_past_q && f_valid_q && f_known_q && inv_i && f_here && inv_dev_i && !inv_all_i && f_gone &&
                 sid_i != f_sid);
  end
