// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ack (REQ-8, REQ-9, REQ-11, REQ-12), about one step of any answer in any state that
// nic_req can hand it.
  logic [23:0] f_ahead;  // PSNs that the step acknowledges
  logic        f_live;   // the PSN is under way
  logic [23:0] f_psn;
  assign f_ahead = una_o - una_i;
  assign f_live  = under_i;
  assign f_psn   = upto_i - 24'(is_ack);

  // A state that can be: the oldest request has una in it, a further step is of an answer that was under way and has
  // not been passed.
  logic        f_good;
  logic [23:0] f_past, f_left;            // of the oldest request, in PSNs: acknowledged, left
  logic [31:0] f_mtu, f_offset, f_rest;   // in bytes: a full packet, acknowledged, left
  assign f_past   = una_i - first_i;
  assign f_left   = packets_i - f_past;
  assign f_mtu    = whole_i - f_offset;
  assign f_offset = ends_i - 32'(bytes_i);
  assign f_rest   = total_i - f_offset;
  assign f_good = packets_i != 24'd0 && packets_i <= 24'h80_0000 && f_past < packets_i &&
                  (f_mtu == 32'd256 || f_mtu == 32'd512 || f_mtu == 32'd1024 || f_mtu == 32'd2048 ||
                   f_mtu == 32'd4096) && total_i <= 32'h8000_0000 && (!read_i || f_offset <= total_i) &&
                  (!under_i || f_psn - una_i < 24'h80_0000) && there_i == (upto_i == una_i) &&
                  span_i == upto_i - first_i && nth_i == f_past + 24'd1 && full_i == (32'(bytes_i) == f_mtu) &&
                  !(read_i && atomic_i) &&
                  (!atomic_i || packets_i == 24'd1) &&
                  (!again_i || f_psn - una_i < 24'h80_0000);

  // What is neither stale nor behind: its PSN is the oldest that is not acknowledged. Each verdict exactly where
  // README.md has it.
  logic        f_heard, f_here;
  assign f_heard = on_i && (again_i || f_live) && (is_read || is_atomic || is_ack || rnr || nak);
  assign f_here  = f_heard && f_psn + 24'(is_ack) == una_i;

  always_comb if (f_good) begin
    p4_exactly:
      assert (take_o == (f_here && ((is_read && read_i && 32'(bytes_i) == (f_rest < f_mtu ? f_rest : f_mtu)) ||
                                    (is_atomic && atomic_i && bytes_i == 13'd0))));
    p5_rnr: assert (rnr_o == (f_here && rnr && !wait_i));
    p5_ends: assert (end_o == (f_here && nak && syndrome_i[4:0] != nic_pkg::NakSequence));
    if (!f_here) p5_back: assert (back_o == (f_heard && (read_i || atomic_i) && !asked_i));
    if (f_here) p5_gap: assert (back_o == (nak && syndrome_i[4:0] == nic_pkg::NakSequence && !wait_i && !asked_i));
    if (asked_i) p6_once: assert (!back_o);
    if (f_heard && !f_here && !read_i && !atomic_i)
      p2_passes: assert (una_o == (f_ahead == f_left ? first_i + packets_i : f_psn + 24'(is_ack)) && f_ahead != 24'd0);
    if (!f_heard) p1_nothing: assert (code_o == nic_pkg::FrStale && f_ahead == 24'd0 && !more_o);
    if (!on_i || (!again_i && !f_live))
      p1_stale: assert (code_o == nic_pkg::FrStale && f_ahead == 24'd0 && !done_o && !take_o &&
        !more_o && !back_o && !rnr_o && !end_o);
    p2_forward: assert (f_ahead == 24'd0 || f_ahead <= f_psn - una_i + 24'(is_ack || take_o));
    p2_moved: assert (moved_o || f_ahead == 24'd0);
    p3_done: assert (done_o == (f_ahead != 24'd0 && una_o == first_i + packets_i));
    p3_inside: assert (f_ahead <= f_left);
    if ((read_i || atomic_i) && f_ahead != 24'd0) p4_own: assert (take_o && f_psn == una_i && f_ahead == 24'd1);
    if (take_o) p4_kind: assert (is_read ? read_i : is_atomic && atomic_i);
    if (take_o && is_read)
      p4_size: assert (32'(bytes_i) <= f_mtu && (32'(bytes_i) == f_mtu || 32'(bytes_i) == f_rest));
    p5_one: assert (32'(back_o) + 32'(rnr_o) + 32'(end_o) <= 32'd1);
    if (rnr_o || end_o) p5_before: assert (f_psn == una_i && f_ahead == 24'd0);
    if (rnr_o || back_o) p5_code: assert (code_o == nic_pkg::FrBack);
    if (end_o)
      p5_end: assert (code_o == nic_pkg::FrEnd && status_o >= nic_pkg::StRemInvalid && status_o <= nic_pkg::StRemOther);
    p5_more: assert (!more_o || (f_ahead != 24'd0 && !back_o && !rnr_o && !end_o && !take_o));
    c_ack: cover (is_ack && done_o && !more_o && f_ahead == 24'd3);
    c_past: cover (is_ack && done_o && more_o);
    c_passed_by: cover (is_ack && back_o && read_i);
    c_asked: cover (asked_i && f_heard && !f_here && read_i && code_o == nic_pkg::FrStale);
    c_read: cover (take_o && !done_o && is_read);
    c_atomic: cover (take_o && done_o && is_atomic);
    c_wait: cover (rnr_o);
    c_end: cover (end_o && status_o == nic_pkg::StRemOther);
  end
