// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_gather: what is offered stays; a lost packet has no item and stops those of its queue pair.
`include "fv.svh"

  `FV_INIT

  logic        f_head_q, f_pay_q, f_lost_q;
  logic [31:0] f_was_q;
  always_ff @(posedge clk_i) begin
    f_head_q <= rst_ni && head_valid_o && !head_ready_i && !clear_valid_i;
    f_pay_q  <= rst_ni && pay_valid_o && !pay_ready_i;
    f_was_q  <= {head_o.psn, qp_o};
    f_lost_q <= lost_o;
  end

  `FV_COMB if (f_past_q) begin
    if (job_valid_o) p1_job: assert (job_o.len != 13'd0 && job_o.rid == rid_q);
    if (front && lost_o) p2_no_item: assert (!pay_valid_o);
    if (head_valid_o && !head_sent_q) p2_vanish: assert (!drop_q[qp_o[IdxW-1:0]]);
    if (f_head_q) p3_head: assert (head_valid_o && {head_o.psn, qp_o} == f_was_q && lost_o == f_lost_q);
    if (f_pay_q) p3_pay: assert (pay_valid_o);
    if (front_valid) p3_busy: assert (busy_o);
    c_head: cover (head_valid_o && !lost_o);
    c_lost: cover (head_valid_o && lost_o);
    c_empty: cover (pay_valid_o && pay_o.bytes == '0);
  end
