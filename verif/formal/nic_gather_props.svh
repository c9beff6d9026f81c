// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_gather: what is offered stays; a lost packet has no item and stops those of its queue pair.
`include "fv.svh"

  `FV_INIT

  logic        f_head_q, f_pay_q, f_lost_q, f_may_q;
  logic [31:0] f_due_q;  // items to come of heads that have left
  logic [31:0] f_was_q;
  always_ff @(posedge clk_i) begin
    f_head_q <= rst_ni && head_valid_o && !head_ready_i && !clear_valid_i;
    f_pay_q  <= rst_ni && pay_valid_o && !pay_ready_i;
    f_was_q  <= {head_o.psn, qp_o};
    f_lost_q <= lost_o;
    f_may_q  <= rst_ni && (pkt_room_o || (f_may_q && !take));
    f_due_q  <= rst_ni ? f_due_q + 32'(head_valid_o && head_ready_i && !lost_o) -
                         32'(pay_valid_o && pay_ready_i && pay_o.last) : '0;
  end

  // What is inside, counted without the block's own sums: in beats, each packet with 8 more; packets leave in the order
  // in which they came.
  logic [15:0] f_weight_q [128];
  logic [15:0] f_load_q, f_in_w, f_out_w;
  logic [6:0]  f_came_q, f_went_q;
  assign f_in_w  = 16'((32'(pkt_len1_i) + 32'(pkt_len2_i) + nic_pkg::BeatBytes - 32'd1) / nic_pkg::BeatBytes) + 16'd8;
  assign f_out_w = f_weight_q[f_went_q];
  always_ff @(posedge clk_i) begin
    if (pkt_valid_i && pkt_ready_o) f_weight_q[f_came_q] <= f_in_w;
    f_came_q <= rst_ni ? f_came_q + 7'(pkt_valid_i && pkt_ready_o) : '0;
    f_went_q <= rst_ni ? f_went_q + 7'(gone) : '0;
    f_load_q <= rst_ni ? f_load_q + (pkt_valid_i && pkt_ready_o ? f_in_w : '0) - (gone ? f_out_w : '0) : '0;
  end

  // nic_rd: beats are full but the last, stay until they are taken, and come only for a job, no more of
  // them than its bytes.
  logic            f_in_wait_q;
  logic [31:0]     f_owed_q, f_ends_q;  // beats, items to come
  nic_pkg::bytes_t f_in_q;
  always_ff @(posedge clk_i) begin
    f_in_wait_q <= rst_ni && in_valid_i && !in_ready_o;
    f_in_q      <= in_beat_i;
    if (!rst_ni) begin
      f_owed_q <= '0;
      f_ends_q <= '0;
    end else begin
      f_owed_q <= f_owed_q - 32'(in_valid_i && in_ready_o) + (job_valid_o && job_ready_i ?
                  (32'(job_o.len) + nic_pkg::BeatBytes - 32'd1) / nic_pkg::BeatBytes : 32'd0);
      f_ends_q <= f_ends_q - 32'(in_valid_i && in_ready_o && in_beat_i.last) + 32'(job_valid_o && job_ready_i);
    end
  end
  `FV_COMB if (f_past_q && rst_ni) begin
    env_bytes: assume (!in_valid_i || (32'(in_beat_i.bytes) <= nic_pkg::BeatBytes && in_beat_i.bytes != '0 &&
                                       (in_beat_i.last || 32'(in_beat_i.bytes) == nic_pkg::BeatBytes)));
    env_hold: assume (!f_in_wait_q || (in_valid_i && in_beat_i == f_in_q));
    env_owed: assume (!in_valid_i || (f_owed_q != '0 && (!in_beat_i.last || f_ends_q != '0)));
    env_qp: assume (!pkt_valid_i || 32'(pkt_qp_i) < NumQps);
    env_len: assume (!pkt_valid_i ||
                     (14'(pkt_len1_i) + 14'(pkt_len2_i) <= 14'd4096 && pkt_head_i.bytes == pkt_len1_i + pkt_len2_i));
    env_clear: assume (!clear_valid_i || 32'(clear_qp_i) < NumQps);
  end

  `FV_COMB if (f_past_q) begin
    if (job_valid_o) p1_job: assert (job_o.len != 13'd0 && job_o.rid == rid);
    if (pay_valid_o) p2_item: assert (f_due_q != '0);
    if (head_valid_o) p2_vanish: assert (!drop_q[qp_o[IdxW-1:0]]);
    if (f_head_q) p3_head: assert (head_valid_o && {head_o.psn, qp_o} == f_was_q && lost_o == f_lost_q);
    if (f_pay_q) p3_pay: assert (pay_valid_o);
    if (front_valid || f_due_q != '0) p3_busy: assert (busy_o);
    p4_load: assert (32'(f_load_q) <= 8 * Longest);
    if (pay_valid_o && pay_ready_i && pay_o.last) p4_gone: assert (gone);
    if (item_valid && item.last) p5_verdict: assert (unused_room);
    if (f_may_q) p5_room: assert (pkt_ready_o);
    if (!f_rst_q) p5_begins: assert (!rst_ni || (pkt_ready_o && pkt_room_o));
    c_head: cover (head_valid_o && !lost_o);
    c_lost: cover (head_valid_o && lost_o);
    c_ahead: cover (head_valid_o && f_due_q != '0);
    c_empty: cover (pay_valid_o && pay_o.bytes == '0);
  end
