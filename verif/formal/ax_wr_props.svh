// SPDX-License-Identifier: Apache-2.0
// Theorems of ax_wr: what a run is, byte by byte (f_lane: any lane), and that a burst is answered once. Packing is
// nic_pack's P1; what all of it comes to is the test's, of ax_dev.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_lane, ByteW)

  logic             f_b_wait_q;
  logic [IdW+1:0]   f_b_q;
  logic [4:0]       f_given_q;  // jobs given and not done
  logic [4:0]       f_listed_q; // jobs in `order`
  logic [63:0]      f_at;
  logic [RunW:0]    f_run_end;
  assign f_at = {addr[63:ByteW], f_lane};
  assign f_run_end = (RunW + 1)'(va_q[RunW-1:0]) + (RunW + 1)'(len_q);

  always_ff @(posedge clk_i) begin
    f_b_wait_q   <= rst_ni && bvalid_o && !bready_i;
    f_b_q        <= {bid_o, bresp_o};
    if (!rst_ni) begin
      f_given_q  <= '0;
      f_listed_q <= '0;
    end else begin
      f_given_q  <= f_given_q + 5'(job_valid_o && job_ready_i) - 5'(done_i);
      f_listed_q <= f_listed_q + 5'(step_run && closes) - 5'(o_pop && o_job);
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_done: assume (!done_i || f_given_q[3:0] != '0);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // the lanes of this step
    if (!none) begin
      p1_run: assert (run[f_lane] == (32'(f_lane) >= 32'(low) && 32'(f_lane) < 32'(top)));
      p1_first: assert (todo[low] && (32'(f_lane) >= 32'(low) || !todo[f_lane]) && top > {1'b0, low});
      p2_long: assert (32'(top) == BeatBytes || !todo[top[ByteW-1:0]]);
      if (run[f_lane]) p1_strobe: assert (w_strb[f_lane] && !gone_q[f_lane]);
      if (run[f_lane] && !ends)
        p1_byte: assert (cut.data[8*(f_lane-low)+:8] == w_data[8*f_lane+:8] && 7'(f_lane - low) < cut.bytes);
    end
    if (gone_q[f_lane] && w_valid) p1_gone: assert (w_strb[f_lane]);
    if (!aw_incr && aw_valid) p3_refused: assert (!open_q && (!step_run || !closes));
    // a byte that is put into a run is put where the run goes on
    if (step_run && !none && !ends && run[f_lane])
      p1_place: assert (f_at == (open_q ? va_q + 64'(len_q) : va) + 64'(f_lane - low));
    if (beat_done && aw_incr) p1_all: assert (!w_strb[f_lane] || gone_q[f_lane] || run[f_lane]);
    // runs
    if (open_q) p2_open: assert (len_q != '0 && 32'(f_run_end) < MaxWrite && aw_valid);
    if (step_run && closes)
      p2_job: assert (job.len != '0 && 32'(job.va[RunW-1:0]) + 32'(job.len) <= MaxWrite && job.rid == aw_rid);
    if (step_run && closes)
      p2_why: assert (w_last || more != '0 || border || !joins);
    // answers
    if (beat_done && w_last) p3_end: assert (closes || marks);
    if (step_run && (closes || marks) && !(beat_done && w_last)) p3_more: assert (closes);
    p3_jobs: assert (f_listed_q[3:0] == 4'(unused_jobs) + f_given_q[3:0] + done_q);
    if (f_b_wait_q) p3_hold: assert (bvalid_o && {bid_o, bresp_o} == f_b_q);
    if (aw_valid && w_valid && room && (w_strb == '1) && gone_q == '0 && (!open_q || joins))
      p5_rate: assert (beat_done);
    c_hole: cover (step_run && ends && !none);
    c_two: cover (step_run && more != '0 && open_q && joins);
    c_bad: cover (bvalid_o && bresp_o == 2'd2);
    c_done: cover (bvalid_o && bresp_o == 2'd0 && bready_i);
  end
