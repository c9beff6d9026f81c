// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_load: one word of the page or the answers, chosen freely.
`include "fv.svh"
// Rules of README.md: CTX-2, CTX-5.
  `FV_INIT
  `FV_SEES(f_answers, 7, answers_o)
  `FV_SEES(f_done, 1, done_o)
  `FV_ANYCONST(f_at, AtW)
  `FV_BELOW(def_at, f_at, Words)

  logic        f_asked_q, f_busy_q, f_more_q, f_err_q, f_known_q, f_look_q, f_job_q, f_wait_q, f_last_q;
  logic [63:0] f_word_q;
  logic [8:0]  f_n_q;      // words of the item that have come
  logic [9:0]  f_want_q;   // as many as it has
  logic [3:0]  f_idle_q;
  logic [8:0]  f_index;    // of the word within the item
  logic        f_mine;
  assign f_index = f_more_q ? 9'(f_at) - 9'd32 : 9'(f_at);
  assign f_mine  = f_busy_q && (f_more_q ? 32'(f_at) >= 32 : 32'(f_at) < 32) && take && f_index >= f_n_q &&
                   f_index < f_n_q + 9'(BeatWords) && f_index < f_n_q + 9'(in_beat_i.bytes[6:3]);
  always_ff @(posedge clk_i) begin
    f_look_q <= rst_ni && at_i == f_at && !we && f_known_q;
    f_job_q  <= rst_ni && job_valid_o && !job_ready_i;
    // its read has been taken, and not all of it has come
    f_asked_q <= rst_ni && ((job_valid_o && job_ready_i) || (f_asked_q && !(take && in_beat_i.last)));
    f_wait_q <= rst_ni && in_valid_i && !in_ready_o;
    if (!rst_ni) {f_busy_q, f_known_q, f_idle_q} <= '0;
    else begin
      if (start_i) {f_busy_q, f_more_q, f_err_q, f_n_q} <= {1'b1, more_i, 1'b0, 9'd0};
      else if (done_o) f_busy_q <= 1'b0;
      if (start_i) f_want_q <= more_i ? {2'd0, answers_o, 1'b0} : 10'd32;
      if (take) f_n_q <= f_n_q + 9'(in_beat_i.bytes[6:3]);
      if (take && in_beat_i.err) f_err_q <= 1'b1;
      if (f_mine) {f_known_q, f_word_q} <= {1'b1, in_beat_i.data[64*f_index[$clog2(BeatWords)-1:0]+:64]};
      f_idle_q <= in_valid_i && !in_ready_o ? f_idle_q + 4'd1 : '0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_start: assume (!start_i || !f_busy_q || f_done);
    env_more: assume (!(start_i && more_i) || f_answers != '0);
    env_item: assume (!in_valid_i || f_asked_q);
    if (in_valid_i) env_beat: assume (in_beat_i.bytes != '0 && in_beat_i.bytes[2:0] == '0 &&
        32'(in_beat_i.bytes[6:3]) <= BeatWords && (in_beat_i.last || 32'(in_beat_i.bytes[6:3]) == BeatWords));
    if (in_valid_i) env_length: assume (in_beat_i.last == (10'(f_n_q) + 10'(in_beat_i.bytes[6:3]) == f_want_q) &&
        10'(f_n_q) + 10'(in_beat_i.bytes[6:3]) <= f_want_q);
    if (job_valid_o) p1_job: assert (job_o.len == 13'({f_want_q, 3'd0}) && job_o.op == nic_pkg::DmaRead);
    if (done_o) p2_err: assert (f_busy_q && err_o == f_err_q && 10'(f_n_q) == f_want_q);
    if (f_look_q && !(f_busy_q && left_q != '0)) p3_word: assert (word_o == f_word_q || f_fresh_q);
    if (f_known_q && f_at == AtW'(6) && !(f_busy_q && !f_more_q)) p4_prod: assert (prod_o == f_word_q[15:0]);
    if (f_known_q && f_at == AtW'(16) && !(f_busy_q && !f_more_q)) p4_open: assert (open_o == f_word_q[0]);
    p4_answers: assert (!f_known_q || f_busy_q || f_at != AtW'(13) || (32'(answers_o) <= Replay &&
        (answers_o == f_word_q[62:56] || 32'(f_word_q[62:56]) > Replay)));
    p5_soon: assert (f_idle_q < 4'(BeatWords));
    c_page: cover (we && to_q == AtW'(5) && f_known_q);
  end
  logic f_fresh_q;  // a word has come since it was asked for
  always_ff @(posedge clk_i) f_fresh_q <= f_mine || f_busy_q;
