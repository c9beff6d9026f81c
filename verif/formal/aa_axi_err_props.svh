// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_axi_err, for one id chosen freely.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_id, 2)
  `FV_BELOW(env_f_id, f_id, 3)

  logic f_owed_q, f_told;
  assign f_told = note_valid_o && note_ready_i && note_o.idx == 8'(f_id);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_owed_q <= 1'b0;
    else f_owed_q <= (f_owed_q && !f_told) || (axi_err_valid_i && axi_err_id_i == 8'(f_id));
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (axi_err_valid_i) env_id: assume (axi_err_id_i < 8'd3);
    p1_owed: assert (f_owed_q == wait_q[f_id]);
    if (f_owed_q) p1_tells: assert (note_valid_o);
    if (note_valid_o && note_o.idx == 8'(f_id)) p2_owed: assert (f_owed_q);
    p1_error: assert (err_valid_o == (note_valid_o && note_ready_i));
    c_all: cover (f_told && f_id == 2'd2);
  end
