// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_mover. The streams in and out are watched as an outsider would; the only inside view is the head.
//
// P5 has a count of its own, of decisions that went in and have not ended (f_dec_q), and of those that were there at
// the last snap (f_old_q). A decision that is forwarded ends where its TLP does: when the host takes its last beat, not
// when the head says so. The first to go in ends first: P1 of cm_fifo.
`include "fv.svh"
// Rules of README.md: INV-5, LOG-4.
  `FV_INIT

  logic                f_host_wait_q, f_in_tlp_q;

  cm_pkg::tlp_t        f_host_q;
  logic [8:0]          f_sent_q, f_popped_q;
  logic [7:0]          f_want_put_q, f_got_put_q;
  logic [NumLanes-1:0] f_pay_wait_q;
  logic [NumLanes*cm_pkg::DataW-1:0] f_pay_q;
  logic [CountW-1:0]   f_inside;
  logic [CountW-1:0]   f_left;

  assign f_inside = in_q - out_q;
  assign f_left = mark_q - out_q;

  localparam int unsigned DecW = $clog2(Depth + 1) + 1;
  logic [DecW-1:0] f_dec_q, f_old_q;
  logic            f_end, f_empty_q;
  assign f_end = head_valid && (head.fwd ? host_valid_o && host_ready_i && host_beat_o.eop : head_done);

  always_ff @(posedge clk_i) begin
    f_host_wait_q <= rst_ni && host_valid_o && !host_ready_i;
    f_host_q <= host_beat_o;
    f_pay_wait_q <= {NumLanes{rst_ni}} & pay_valid_i & ~pay_ready_o;
    f_pay_q <= pay_data_i;
    f_empty_q <= rst_ni && f_dec_q == '0 && !snap_i;
    if (!rst_ni) begin
      f_dec_q <= '0;
      f_old_q <= '0;
      f_in_tlp_q <= 1'b0;
      f_sent_q <= '0;
      f_popped_q <= '0;
      f_want_put_q <= '0;
      f_got_put_q <= '0;
    end else begin
      f_dec_q <= f_dec_q + DecW'(move_valid_i && move_ready_o) - DecW'(f_end);
      if (snap_i) f_old_q <= f_dec_q - DecW'(f_end);
      else f_old_q <= f_old_q - DecW'(f_end && f_old_q != '0);
      if (host_valid_o && host_ready_i) f_in_tlp_q <= !host_beat_o.eop;
      if (head_done) f_sent_q <= '0;
      else if (host_valid_o && host_ready_i) f_sent_q <= f_sent_q + 9'd1;
      if (head_done) f_popped_q <= '0;
      else if (|pay_ready_o) f_popped_q <= f_popped_q + 9'd1;
      f_want_put_q <= f_want_put_q + 8'(head_done && head.put);
      f_got_put_q <= f_got_put_q + 8'(step && put_here);
    end
  end

  logic f_pay_bad;
  always_comb begin
    f_pay_bad = 1'b0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (f_pay_wait_q[l] && (!pay_valid_i[l] || pay_data_i[cm_pkg::DataW*l+:cm_pkg::DataW] !=
                                                  f_pay_q[cm_pkg::DataW*l+:cm_pkg::DataW])) f_pay_bad = 1'b1;
    end
  end

  // The payload of the decision's lane; words of its last beat.
  logic [cm_pkg::DataW-1:0]    f_data;
  logic [cm_pkg::BeatDw-1:0]   f_strb;
  logic [NumLanes-1:0]         f_lane;
  logic [9:0]                  f_words;
  logic                        f_room;   // of the log's two queues, as far as they are needed
  assign f_words = head_hdr.len - 10'd1;  // and one
  assign f_room  = !head.put || ((beat_q != '0 || put_room) && (!pay || !head.log.hdr.data || data_room));
  always_comb begin
    f_data = '0;
    f_strb = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      f_lane[l] = head.lane == 4'(l);
      if (f_lane[l]) f_data = pay_data_i[cm_pkg::DataW*l+:cm_pkg::DataW];
    end
    for (int unsigned i = 0; i < cm_pkg::BeatDw; i++)
      f_strb[i] = !host_beat_o.eop || i <= 32'(f_words) % cm_pkg::BeatDw;
  end

  // What goes to a log that had nothing waiting is there in the next cycle, and nothing else is. Behind
  // others: P1 of cm_fifo.
  logic                     f_put_new_q, f_put_none_q, f_data_new_q, f_data_none_q, f_puts, f_datas;
  aa_pkg::put_log_t         f_log_q;
  logic [cm_pkg::DataW-1:0] f_word_q;
  assign f_puts  = step && head.put && beat_q == '0;
  assign f_datas = step && head.put && head.log.hdr.data && pay;
  always_ff @(posedge clk_i) begin
    f_put_new_q   <= rst_ni && !put_valid_o && f_puts;
    f_put_none_q  <= rst_ni && !put_valid_o && !f_puts;
    f_data_new_q  <= rst_ni && !data_valid_o && f_datas;
    f_data_none_q <= rst_ni && !data_valid_o && !f_datas;
    f_log_q       <= head.log;
    f_word_q      <= f_data;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (host_valid_o)
      p1_beat: assert (head_valid && head.fwd && host_beat_o.hdr == head.hdr && host_beat_o.seq == head.seq &&
      !host_beat_o.err && (pay ? host_beat_o.data == f_data && host_beat_o.strb == f_strb && |(f_lane & pay_valid_i) :
                 host_beat_o.strb == '0));
    p1_offered: assert (host_valid_o == (head_valid && head.fwd && f_room && (!pay || |(f_lane & pay_valid_i))));
    if (f_put_new_q) p3_put: assert (put_valid_o && put_o == f_log_q);
    if (f_data_new_q) p3_data: assert (data_valid_o && data_o == f_word_q);
    if (f_put_none_q) p3_no_put: assert (!put_valid_o);
    if (f_data_none_q) p3_no_data: assert (!data_valid_o);
    if (pay_ready_o != '0) p4_lane: assert (pay_ready_o == f_lane && head_valid && pay && |(f_lane & pay_valid_i));
    if (head_valid && !head.fwd && pay && |(f_lane & pay_valid_i) && f_room) p4_taken: assert (pay_ready_o == f_lane);
    // Payload waits as a stream does; a decision names a lane that exists.
    env_pay: assume (!f_pay_bad);
    if (move_valid_i) env_lane: assume (32'(move_i.lane) < NumLanes);

    p1_sop: assert (!host_valid_o || host_beat_o.sop == !f_in_tlp_q);
    p1_count: assert (f_sent_q == (head.fwd ? beat_q : 9'd0) || (beat_q == '0 && f_sent_q == '0));
    if (host_valid_o && host_beat_o.eop) p1_whole: assert (!pay || f_sent_q == head.beats - 9'd1);
    if (f_host_wait_q) p2_stays: assert (host_valid_o && host_beat_o == f_host_q);
    p3_once: assert (f_got_put_q - f_want_put_q == 8'(beat_q != '0 && head.put));
    p4_pops: assert (f_popped_q == beat_q);
    p4_one: assert (pay_ready_o == '0 || (pay_ready_o & (pay_ready_o - NumLanes'(1))) == '0);
    p4_beat: assert (beat_q == '0 || (head_valid && pay && beat_q < head.beats));
    p1_state: assert (f_in_tlp_q == (beat_q != '0 && head.fwd));
    p5_inside: assert (f_inside == CountW'(level));
    p5_mark: assert (!pending_q || f_left <= f_inside);
    // Over only when no older decision is inside, its TLP whole; and over a cycle after nothing is inside, if nothing
    // is asked anew.
    p5_drained: assert (!drained_o || f_old_q == '0);
    if (f_empty_q) p5_only: assert (drained_o || snap_i);
    p5_count: assert (32'(f_dec_q) == 32'(level) && f_old_q <= f_dec_q);
    p5_old: assert (f_old_q == (pending_q ? DecW'(f_left) : DecW'(0)));
    c_two: cover (host_valid_o && host_ready_i && host_beat_o.eop && head.put && head.beats == 9'd3);
    c_drop: cover (head_done && !head.fwd && head.beats == 9'd2);
    c_drain: cover (pending_q && f_left == CountW'(2));
    c_old: cover (f_old_q == DecW'(1) && head.fwd && pay && beat_q != '0 && f_dec_q == DecW'(2));
    c_drained: cover (drained_o && f_dec_q == DecW'(2));
  end
