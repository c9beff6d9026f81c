// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_psc: one tag, chosen freely, stands for all. The proof looks at one index only: an index goes nowhere
// but to the addresses of the RAMs, and what a RAM holds elsewhere does not change (cm_lutram, P2).
`include "fv.svh"
// Rules of README.md: XLT-4.
  `FV_INIT_NO_RESET
  `FV_ANYCONST(f_did, 16)
  `FV_ANYCONST(f_page, 48 - Lsb)

  logic            f_known_q, f_valid_q, f_here, f_mine, f_same_q, f_stored;
  logic [IdxW-1:0] f_idx;
  aa_pkg::psc_t    f_data_q;
  initial f_known_q = 1'b0;

  assign f_idx  = Entries > 1 ? f_page[0+:IdxW] : '0;
  assign f_here = Entries <= 1 || idx_i == f_idx;
  assign f_mine = did_i == f_did && iova_i == f_page;

  // f_same_q: what stands at the index has the chosen DID, be it the chosen page or not.
  always_ff @(posedge clk_i) begin
    if (!f_past_q) begin
      f_known_q <= 1'b0;
    end else if (f_here && fill_i) begin
      f_known_q <= 1'b1;
      f_valid_q <= f_mine;
      f_data_q  <= data_i;
    end else if (f_here && inv_i && (inv_all_i || (f_valid_q && did_i == f_did))) begin
      f_known_q <= f_known_q || inv_all_i;
      f_valid_q <= 1'b0;
    end
  end
  assign f_same_q = f_valid_q && f_known_q;

  assign f_stored = valid && did == f_did && tag == f_page[47-Lsb-:48-TagLsb];

  `FV_COMB begin
    env_index: assume (Entries == 0 || 32'(idx_i) < Entries);
    if (f_past_q) env_one_job: assume (!(fill_i && inv_i));
    if (f_past_q) env_own_index: assume (!fill_i || Entries <= 1 || idx_i == iova_i[Lsb+:IdxW]);
`ifdef YOSYS
    slice_index: assume (f_here);
`endif
    if (f_known_q && f_here && Entries != 0) p1_kept: assert (f_valid_q == f_stored);
    if (f_known_q && f_here && f_valid_q && Entries != 0) p1_same: assert (data_o == f_data_q);
    if (f_past_q && f_known_q && f_here && !inv_i && f_mine && Entries != 0) begin
      p1_hit: assert (hit_o == f_valid_q);
      if (hit_o) p1_data: assert (data_o == f_data_q);
    end
    if (f_past_q && Entries == 0) p1_none: assert (!hit_o);
    c_hit: cover (f_past_q && hit_o && f_same_q && f_mine && f_here && !inv_i);
  end
