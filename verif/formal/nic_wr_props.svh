// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_wr: the form of what leaves. That the bytes are the right ones is nic_take's P1 and nic_split's P1,
// and the test's.
`include "fv.svh"

  `FV_INIT

  logic          f_job_hold_q, f_pay_hold_q, f_wait_q, f_mid_q;
  nic_pkg::dma_t f_job_q;
  nic_pkg::bytes_t f_pay_q;
  cm_pkg::tlp_t  f_req_q;
  logic [12:0]   f_in_q;            // bytes of the item that comes in
  logic          f_err_q;
  logic [10:0]   f_left_q, f_left;  // words of the TLP at the output from this beat on
  logic [10:0]   f_made_q, f_made;  // and of the one that is being made
  logic [1:0]    f_inside_q;        // beats that have been made and have not left

  cm_pkg::tlp_req_t f_out_hdr, f_ch_hdr;  // of the TLP at the output; of the chunk
  assign f_out_hdr = req_o.hdr;
  assign f_ch_hdr  = ch_hdr;
  assign f_left = req_o.sop ? {f_out_hdr.len == '0, f_out_hdr.len} : f_left_q;

  always_ff @(posedge clk_i) begin
    f_job_hold_q <= rst_ni && job_valid_i && !job_ready_o;
    f_pay_hold_q <= rst_ni && pay_valid_i && !pay_ready_o;
    f_wait_q     <= rst_ni && req_valid_o && !req_ready_i;
    f_job_q      <= job_i;
    f_pay_q      <= pay_i;
    f_req_q      <= req_o;
    if (!rst_ni) f_in_q <= '0;
    else if (pay_valid_i && pay_ready_o) f_in_q <= pay_i.last ? '0 : f_in_q + 13'(pay_i.bytes);
    if (pay_valid_i && pay_ready_o) f_err_q <= pay_i.err;
    if (!rst_ni) f_mid_q <= 1'b0;
    else if (req_valid_o && req_ready_i) f_mid_q <= !req_o.eop;
    if (req_valid_o && req_ready_i) f_left_q <= f_left - 11'(BeatDw);
    if (step) f_made_q <= f_made - 11'(BeatDw);
    if (!rst_ni) f_inside_q <= '0;
    else f_inside_q <= f_inside_q + 2'(step) - 2'(req_valid_o && req_ready_i);
  end

  // Jobs with bytes and items, counted; one is ahead of the other by three at most.
  logic [2:0]    f_jobs_q, f_items_q, f_ahead;
  logic [4*13-1:0] f_lens_q, f_totals_q;
  logic          f_job, f_known, f_items_ahead;
  logic [12:0]   f_len;
  logic [13:0]   f_now;
  assign f_job   = job_valid_i && job_i.len != '0;
  assign f_ahead = f_jobs_q - f_items_q;
  assign f_items_ahead = f_ahead[2];
  assign f_known = (f_ahead != '0 && !f_ahead[2]) || (f_ahead == '0 && f_job);
  assign f_len   = f_ahead == '0 ? job_i.len : f_lens_q[13*f_items_q[1:0]+:13];
  assign f_now   = 14'(f_in_q) + 14'(pay_i.bytes);
  always_ff @(posedge clk_i) begin
    if (f_job && job_ready_o) f_lens_q[13*f_jobs_q[1:0]+:13] <= job_i.len;
    if (pay_valid_i && pay_ready_o && pay_i.last) f_totals_q[13*f_items_q[1:0]+:13] <= f_now[12:0];
    if (!rst_ni) begin
      f_jobs_q  <= '0;
      f_items_q <= '0;
    end else begin
      if (f_job && job_ready_o) f_jobs_q <= f_jobs_q + 3'd1;
      if (pay_valid_i && pay_ready_o && pay_i.last) f_items_q <= f_items_q + 3'd1;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_len: assume (!job_valid_i || job_i.len <= 13'd4096);
    env_job: assume (!f_job_hold_q || (job_valid_i && job_i == f_job_q));
    env_pay: assume (!f_pay_hold_q || (pay_valid_i && pay_i == f_pay_q));
    env_full: assume (!pay_valid_i || (32'(pay_i.bytes) <= BeatBytes && (pay_i.last || 32'(pay_i.bytes) == BeatBytes)));
    env_empty: assume (!pay_valid_i || pay_i.bytes != '0);
    env_long: assume (!pay_valid_i || 32'(f_in_q) + 32'(pay_i.bytes) <= 32'd4096);
    env_err: assume (!(pay_valid_i && f_in_q != '0) || pay_i.err == f_err_q);
    // The n-th item is as long as the n-th job that has bytes, whichever comes first.
    env_length: assume (!(pay_valid_i && f_known) || (f_now <= 14'(f_len) && pay_i.last == (f_now == 14'(f_len))));
    env_late: assume (!(f_job && f_items_ahead) || job_i.len == f_totals_q[13*f_jobs_q[1:0]+:13]);
    env_open: assume (!(f_job && f_jobs_q == f_items_q) || job_i.len > f_in_q);
  end

  logic [10:0]       f_words;
  logic [BeatDw-1:0] f_strb;
  always_comb for (int unsigned i = 0; i < BeatDw; i++) f_strb[i] = i < 32'(f_left);
  assign f_words = {f_ch_hdr.len == '0, f_ch_hdr.len};
  assign f_made  = first_q ? f_words : f_made_q;
  `FV_COMB if (f_past_q && rst_ni) begin
    // what is shown
    if (req_valid_o) begin
      p2_sop: assert (req_o.sop == !f_mid_q && !req_o.err);
      p2_eop: assert (req_o.eop == (f_left <= 11'(BeatDw)) && f_left != '0);
      p2_strb: assert (req_o.strb == f_strb);
    end
    // and what will be
    if (f_inside_q == 2'd0) p2_idle: assert (first_q == !f_mid_q);
    if (f_inside_q == 2'd1) p2_one: assert (first_q == req_o.eop && (first_q || ch_hdr == req_o.hdr));
    p2_last: assert (!ch_valid || ch_empty || last == (left == '0));
    if (!first_q)
      p2_next: assert (ch_valid && !ch_empty && f_made_q != '0 && 32'(left_q) == (32'(f_made_q) - 32'd1) / BeatDw &&
                       (32'(f_made_q) & (BeatDw - 1)) == (32'(f_words) & (BeatDw - 1)));
    if (f_wait_q) p4_hold: assert (req_valid_o && req_o == f_req_q);
    p5_done: assert (!done_o || (req_valid_o && req_ready_i && req_o.eop));
    // a beat is made whenever fewer than two are inside, and is shown in the next cycle if it is the first of them
    p6_beat: assert (req_valid_o == (f_inside_q != 2'd0) && f_inside_q <= 2'd2);
    if (ch_valid && !ch_empty && win_valid && f_inside_q != 2'd2) p6_rate: assert (step);
    c_two: cover (req_valid_o && req_o.sop && !req_o.eop && req_ready_i);
    c_done: cover (done_o && !req_o.sop);
    c_full: cover (f_inside_q == 2'd2);
  end
