// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rx_icrc: when, and that the constants belong to the words they are chosen by: four words of zeros and
// what is missing from a beat. The constants themselves are bits of matrices (nic_crc_mul), tested by
// every frame in test_nic_rx.c.
`include "fv.svh"

  `FV_INIT

  logic [2:1]  f_last_q;
  logic [31:0] f_want, f_want_q;
  assign f_want = tag_i ? rest_tag[32*dws_i+:32] : rest[32*dws_i+:32];
  always_ff @(posedge clk_i) f_want_q <= f_want;
  always_ff @(posedge clk_i) f_last_q <= rst_ni ? {f_last_q[1], in_valid_i && in_last_i} : 2'd0;

  `FV_COMB if (f_past_q) begin
    p1_good: assert (good_o == (state == (BeatDw < 16 ? f_want_q : f_want)));
    p1_when: assert (done_o == f_last_q[2]);
    c_good: cover (done_o && good_o);
    c_bad: cover (done_o && !good_o && f_last_q[1]);
  end
