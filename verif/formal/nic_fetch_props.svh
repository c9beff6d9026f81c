// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_fetch: what is begun, and what is forgotten.
`include "fv.svh"
// Rules of README.md: REQ-2, REQ-5.
  `FV_INIT

  // A bad entry was laid down in the cycle before, and none is given up or forgotten with it.
  logic            f_bad_q;
  logic [IdxW-1:0] f_bad_qp_q;
  always_ff @(posedge clk_i) begin
    f_bad_q    <= rst_ni && slot_we_o && slot_o.bad != nic_pkg::StDone &&
                  !(init_valid_i && (init_stuck_i || init_all_i));
    f_bad_qp_q <= f_qp[IdxW-1:0];
  end

  logic           f_job_q;
  nic_pkg::dma_t  f_job_was_q;
  always_ff @(posedge clk_i) begin
    f_job_q     <= rst_ni && job_valid_o && !job_ready_i;
    f_job_was_q <= job_o;
  end

  `FV_COMB if (f_past_q) begin
    if (place_valid_o) p1_room: assert (fetched - cons < 16'(Requests) && fetched != prod && on_q[t_idx]);
    if (go_q || full_q) p2_turn: assert (turn_valid && !(go_q && full_q));
    if (looked_q) p1_looked: assert (turn_valid && work_q == (fetched != prod && fetched - cons < 16'(Requests)));
    if (job_valid_o) p2_place: assert (go_q && job_o.len == 13'd64 && job_o.src == nic_pkg::SrcReq);
    if (f_job_q) p6_stays: assert (job_valid_o && job_o == f_job_was_q);
    p3_have: assert (slot_we_o == (wake_o != '0) && slot_we_o == ret_valid_o);
    if (stuck_q[t_idx] || bad_q[t_idx]) p4_stuck: assert (!place_valid_o);
    if (f_bad_q) p4_bad: assert (bad_q[f_bad_qp_q]);
    if (hold_i) p5_hold: assert (!place_valid_o);
    if (job_valid_o || f_valid) p5_busy: assert (busy_o);
    c_job: cover (job_valid_o && job_ready_i);
    c_slot: cover (slot_we_o && slot_o.bad == nic_pkg::StDone);
    c_bad: cover (slot_we_o && slot_o.bad == nic_pkg::StBadEntry);
  end
