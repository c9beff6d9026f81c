// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_swap: which context is where, of one context and one place, chosen freely, and what comes before
// a place is turned off.
`include "fv.svh"
// Rules of README.md: CTX-8, CTX-9, CTX-10.
  `FV_INIT

  logic       f_seek_q, f_try_q;  // a search is under way, and a try
  logic       f_judged_q, f_claimed_q, f_read_q, f_was_off_q;
  logic       f_ok_q;      // the try has ended well
  logic       f_walk_q;    // the search has tried places: none was off, and none is turned off but by this module
  logic       f_gone_q, f_gone2_q;  // NIC_CTX has been written since the search began: all places are off
  logic [7:0] f_tried_q;   // the place of the last try
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {f_judged_q, f_claimed_q, f_read_q, f_ok_q} <= '0;
    else begin
      // since this place was taken: all that was decided of it is over; then it was seen to be at rest
      if (set_valid_o) f_claimed_q <= 1'b0;
      else if (claim_valid_o && claim_clear_i) f_claimed_q <= 1'b1;
      if (state_q == StTake || state_q == StGive) f_judged_q <= 1'b0;
      else if (state_q == StJudge) f_judged_q <= rests_i;
      f_ok_q <= (try_valid_i && try_done_o && try_ok_o) || (f_ok_q && !seek_done_i);
      if (state_q == StIdle) f_read_q <= 1'b0;
      else if (read_done_i && !err_i) f_read_q <= 1'b1;
    end
    if (try_valid_i) f_tried_q <= seek_place_i;
    f_seek_q <= rst_ni && (seek_o || (f_seek_q && !seek_done_i));
    f_try_q  <= rst_ni && try_valid_i && !try_done_o;
    f_walk_q <= rst_ni && (try_valid_i || (f_walk_q && !seek_done_i));
    f_gone_q <= rst_ni && ((cfg_we_i && (seek_o || f_seek_q)) || f_gone_q) && !seek_done_i;
    f_gone2_q <= f_gone_q;
    f_was_off_q <= rst_ni && off_o;
  end

  logic f_trying, f_seeking;
  assign f_trying  = job_q != JobClose && (state_q == StTake || state_q == StClear || state_q == StLook ||
                                           state_q == StJudge ||
                     state_q == StGive);
  assign f_seeking = f_trying || state_q == StSeek;
  `FV_COMB if (f_past_q && rst_ni) begin
    env_close: assume (!cfg_we_i || !close_valid_i);
    if (seek_done_i && found_i && !free_i) env_seek: assume (f_ok_q && seek_place_i == f_tried_q);
    env_try: assume (!(try_valid_i && (f_ok_q || seek_done_i || !f_seek_q)));
    env_over: assume (!seek_done_i || f_seek_q);
    if (f_try_q) env_same: assume (try_valid_i && seek_place_i == f_tried_q);
    if (f_ok_q) env_found: assume (!seek_done_i || (found_i && !free_i));
    // NIC_CTX is written while no place is on (nic_ctx_regs P1): a search that is under way then finds a
    // free one at once.
    env_cfg: assume (!cfg_we_i || !(f_walk_q || try_valid_i));
    if (f_gone_q)
      env_gone: assume (!try_valid_i && (seek_done_i || !f_gone2_q) && (!seek_done_i || (found_i && free_i)));
    // A search is this job's, but for one that NIC_CTX has ended; a try is of this place.
    if (f_seek_q) p3_search: assert (f_gone_q ? (f_gone2_q ? state_q == StIdle : state_q == StSeek && gone_q) :
                                                   f_seeking && !gone_q);
    if (f_gone_q) p3_ends: assert (f_seek_q);
    if (f_gone2_q && !f_gone_q) p3_ended: assert (!f_seek_q);
    if (f_walk_q) p3_walk: assert (f_seek_q && !f_gone_q && f_seeking && !gone_q);
    if (f_try_q) p3_trying: assert (f_walk_q && !f_ok_q && f_trying && place_q == f_tried_q);
    if (f_trying) p3_under: assert (f_try_q);
    if (f_ok_q) p3_ok_walk: assert (f_walk_q && state_q == StSeek);
    if (f_ok_q) p3_tried: assert (state_q != StSeek || place_q == f_tried_q);
    if (f_ok_q) p3_ok: assert (state_q == StSeek ? f_judged_q && f_claimed_q && claim_q && job_q != JobClose : 1'b1);
    if (state_q == StRead || state_q == StPage || state_q == StMore || state_q == StSeek || state_q == StLook ||
        state_q == StJudge || state_q == StGive || state_q == StFree || state_q == StLoad || state_q == StHere)
      p1_states: assert (job_q != JobClose);
    if (state_q == StPeek || state_q == StAllow || state_q == StRing || state_q == StPop)
      p1_bell: assert (job_q == JobBell);
    if (state_q == StQuiet || state_q == StShut || state_q == StLeft) p1_close: assert (job_q == JobClose);
    if (state_q == StLook || state_q == StJudge || state_q == StGive) p3_claim: assert (claim_q && f_claimed_q);
    if (state_q == StClear) p3_claims: assert (claim_q);
    if (off_o && !f_was_off_q && job_q != JobClose) p3_rests: assert (f_judged_q && f_claimed_q && claim_valid_o);
    if (off_o && !f_was_off_q && job_q == JobClose) p3_clear: assert (f_claimed_q && claim_valid_o);
    if (job_q != JobClose && (state_q == StMore || state_q == StSeek || state_q == StTake || state_q == StClear ||
        state_q == StLook || state_q == StJudge || state_q == StGive || state_q == StFree || state_q == StOff ||
        state_q == StSave || state_q == StSaved || state_q == StLoad || state_q == StHere)) p4_has: assert (f_read_q);
    if (load_o) p4_read: assert (f_read_q || job_q == JobClose);
    if (read_o && !read_more_o) p4_drained: assert (drained_i);
    if (drop_o) p4_drop: assert (ret_valid_o && ret_o.code >= nic_pkg::CtxClosed && ret_o.a == 64'(miss_ctx_i));
    if (ret_valid_o && ret_o.code == nic_pkg::CtxLoaded)
      p2_here: assert (set_valid_o && set_here_o && ret_o.a == 64'(set_ctx_o));
    if (close_done_o) p4_closed: assert (ret_valid_o && ret_o.flag && ret_o.code == nic_pkg::CtxClosed);
    p1_job: assert (job_q == JobFrame || job_q == JobClose || job_q == JobBell || state_q == StIdle);
    if (load_o || ring_o) p1_not_close: assert (job_q != JobClose);
    c_load: cover (ret_valid_o && ret_o.code == nic_pkg::CtxLoaded);
    c_saved: cover (ret_valid_o && ret_o.code == nic_pkg::CtxSaved);
    c_closed: cover (close_done_o);
  end
