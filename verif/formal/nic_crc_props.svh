// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_crc: when something comes out, and that each item begins with the seed. What it is a sum of is
// in nic_crc_mul's theorems, and tested bit by bit in test_nic_icrc.c.
`include "fv.svh"

  `FV_INIT

  logic f_last1_q, f_last2_q, f_open_q;
  always_ff @(posedge clk_i) begin
    f_last1_q <= rst_ni && in_valid_i && in_last_i;
    f_last2_q <= rst_ni && f_last1_q;
    f_open_q  <= rst_ni && (in_valid_i ? !in_last_i : f_open_q);  // between the first beat of an item and its last
  end

  `FV_COMB if (f_past_q) begin
    p1_latency: assert (done_o == f_last2_q);
    p1_pipe: assert ((v_q && last_q) == f_last1_q);
    p2_open: assert (f_open_q == (v_q ? !last_q : !first_q));
    c_back_to_back: cover (done_o && f_last1_q);
    c_pause: cover (done_o && !f_last1_q && first_q);
  end
