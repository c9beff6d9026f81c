// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rd: room and order are counted right, and what waits does not change. The bytes are the test's.
`include "fv.svh"
// Rules of README.md: MEM-2, MEM-7, TIM-7.
  `FV_INIT

  logic         f_req_wait_q, f_out_wait_q, f_job_hold_q;
  cm_pkg::tlp_t f_req_q;
  cm_pkg::tlp_req_t f_hdr;
  assign f_hdr = req_o.hdr;
  nic_pkg::dma_t f_job_q;
  logic [SlotW:0] f_taken_q;  // jobs taken

  always_ff @(posedge clk_i) begin
    f_req_wait_q <= rst_ni && req_valid_o && !req_ready_i;
    f_out_wait_q <= rst_ni && out_valid_o && !out_ready_i;
    f_job_hold_q <= rst_ni && job_valid_i && !job_ready_o;
    f_req_q      <= req_o;
    f_job_q      <= job_i;
    if (!rst_ni) f_taken_q <= '0;
    else if (j_go) f_taken_q <= f_taken_q + (SlotW + 1)'(1);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_len: assume (!job_valid_i || job_i.len <= 13'd4096);
    env_job: assume (!f_job_hold_q || (job_valid_i && job_i == f_job_q));
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_slot: assert (in_slot_q == f_taken_q[SlotW-1:0]);
    p1_order: assert (32'(unused_level) == 32'((SlotW + 1)'(f_taken_q - head_q)));
    p1_whole: assert ((SlotW + 1)'(whole_q - head_q) <= (SlotW + 1)'(issued_q - head_q));
    p3_beat: assert (!req_valid_o || (req_o.sop && req_o.eop && !req_o.err));
    if (f_req_wait_q) p4_req: assert (req_valid_o && req_o == f_req_q);
    if (f_out_wait_q) p4_out: assert (out_valid_o);
    if (s_valid_q && s_ur_q) p2_ur: assert (s_err_q);
    p7_sent: assert (sent == (req_valid_o && req_ready_i));
    if (sent) p7_tag: assert (sent_tag == f_hdr.tag[TagW-1:0]);
    p5_ready: assert (cpl_ready_o);
    p5_level: assert (32'(free_q) <= Words);
    c_req: cover (req_valid_o && f_hdr.op == cm_pkg::OpRead);
    c_item: cover (out_valid_o && out_o.bytes == '0);
  end
