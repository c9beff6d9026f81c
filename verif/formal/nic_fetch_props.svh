// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_fetch: what is begun, and what is forgotten.
`include "fv.svh"

  `FV_INIT

  `FV_COMB if (f_past_q) begin
    if (place_valid_o) p1_room: assert (fetched - cons < 16'(Requests) && fetched != prod && on_q[t_idx]);
    if (job_valid_o) p2_place: assert (go_q && job_o.len == 13'd64 && job_o.src == nic_pkg::SrcReq);
    p3_have: assert (slot_we_o == (wake_o != '0) && slot_we_o == ret_valid_o);
    if (stuck_q[t_idx]) p4_stuck: assert (!place_valid_o);
    if (hold_i) p5_hold: assert (!place_valid_o);
    if (job_valid_o || f_valid) p5_busy: assert (busy_o);
    c_job: cover (job_valid_o && job_ready_i);
    c_slot: cover (slot_we_o && slot_o.bad == nic_pkg::StDone);
    c_bad: cover (slot_we_o && slot_o.bad == nic_pkg::StBadEntry);
  end
