// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_retire_arb. The fairness of the arbiter is proved in cm_rr_arb; here for one source, chosen freely.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_src, 3)
  `FV_BELOW(def_src, f_src, N)

  logic f_asks, f_served, f_some_q;
  logic [aa_pkg::RetireW-1:0] f_rec;
  logic [3:0] f_wait_q;
  always_comb begin
    f_asks = 1'b0;
    f_served = 1'b0;
    f_rec = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (f_src == 3'(i)) begin
        f_asks = note_valid_i[i];
        f_served = note_ready_o[i];
        f_rec = note_i[aa_pkg::RetireW*i+:aa_pkg::RetireW];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    f_some_q <= rst_ni && (note_valid_i & ~turn_q) != '0;
    f_wait_q <= !rst_ni || !f_asks || f_served ? '0 : f_wait_q + 4'd1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_one: assert ((note_ready_o & (note_ready_o - N'(1))) == '0 && (note_ready_o & ~note_valid_i) == '0);
    if (f_served) p1_record: assert (ret_o == f_rec);
    p1_retires: assert (ret_valid_o == |note_ready_o);
    p2_works: assert (f_some_q == |turn_q);
    p3_served: assert (32'(f_wait_q) <= N);
    c_last: cover (f_served && 32'(f_wait_q) == N);
    c_wasted: cover (turn_q != '0 && !ret_valid_o);
  end
