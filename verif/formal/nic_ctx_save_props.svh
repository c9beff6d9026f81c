// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_save: one word, the one that goes to an address chosen freely.
`include "fv.svh"
// Rules of README.md: CTX-7, MEM-6.
  `FV_INIT
  `FV_SEES(f_idle, 1, idle_o)
  `FV_ANYCONST(f_word, 61)
  logic [63:0] f_va;
  assign f_va = {f_word, 3'd0};

  logic        f_has_q, f_job_q, f_pay_q;
  logic [63:0] f_next_q, f_word_q;  // where the next word goes; the one of f_va
  logic [4:0]  f_under_q;
  always_ff @(posedge clk_i) begin
    f_job_q <= rst_ni && job_valid_o && !job_ready_i;
    f_pay_q <= rst_ni && pay_valid_o && !pay_ready_i;
    if (!rst_ni) {f_has_q, f_under_q} <= '0;
    else begin
      if (take) f_next_q <= (begin_i ? va_i : f_next_q) + 64'd8;
      else if (begin_i) f_next_q <= va_i;
      if (take && (begin_i ? va_i : f_next_q) == f_va) {f_has_q, f_word_q} <= {1'b1, word_i};
      else if (goes) f_has_q <= 1'b0;
      f_under_q <= f_under_q + 5'(job_valid_o && job_ready_i) - 5'(done_i);
    end
  end
  logic [63:0] f_off;
  assign f_off = f_va - job_o.va;
  logic f_began_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_began_q <= 1'b0;
    else if (begin_i) f_began_q <= 1'b1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_begin: assume (!begin_i || f_idle);
    env_began: assume (!valid_i || f_began_q || begin_i);
    env_aligned: assume (!begin_i || va_i[2:0] == '0);
    env_done: assume (!done_i || f_under_q != '0);
    env_few: assume (!job_ready_i || f_under_q < 5'd9);
    p1_under: assert (5'(left_q) == f_under_q && f_under_q <= 5'd9);
    if (f_began_q) p1_at: assert (f_next_q == va_q + {53'd0, 7'(words_q), 3'd0});
    if (f_has_q)
      p1_held: assert (f_off < {54'd0, 7'(words_q), 3'd0} &&
                       beat_q[{f_off[$clog2(BeatWords)+2:0], 3'd0}+:64] == f_word_q);
    if (pay_valid_o && f_has_q)
      p1_word: assert (f_off < 64'(job_o.len) && pay_o.data[{f_off[5:0], 3'd0}+:64] == f_word_q);
    if (job_valid_o || pay_valid_o) p1_job: assert (full_q && job_o.len != '0 && 32'(job_o.len) <= nic_pkg::BeatBytes);
    if (pay_valid_o) p1_pay: assert (13'(pay_o.bytes) == job_o.len && pay_o.last);
    if (f_job_q) p1_job_stays: assert (job_valid_o);
    if (f_pay_q) p1_pay_stays: assert (pay_valid_o);
    if (drained_o) p2_drained: assert (idle_o && f_under_q == '0);
    if (idle_o) p2_idle: assert (!job_valid_o && !pay_valid_o);
    p2_full: assert (!full_q || words_q != '0);
    p2_room: assert (32'(words_q) < BeatWords || full_q);
    c_two: cover (f_under_q == 5'd2);
    c_part: cover (pay_valid_o && pay_o.bytes == 7'd8);
  end
