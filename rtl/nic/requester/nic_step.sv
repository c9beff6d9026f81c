// SPDX-License-Identifier: Apache-2.0
// nic_step: what one step of the requester makes of its queue pair's state, and what else is to be done.
//
//   a turn, an answer (nic_ack), an alarm, resume, a lost packet --+
//   state, what is known of it, its entry (nic_fetch, nic_cut) ----+--> state, packet, end, going back, time, wake
//
// P1  Without any of them the state stays and nothing is to be done.
// P2  A packet goes (send_o) only in the turn of a queue pair that runs, is not held back and does not wait, whose
//     entry is there and good: psn moves behind it, max never back, all else stays but cur and cfirst after the last.
// P3  una moves by an answer alone. cons moves by one where an entry ends: finish_o, or badly, fail_o.
// P4  With fail_o, and only then, the queue pair stops: nothing of it is on its way, what is next is behind the entry.
//     It goes on by resume alone, and not where what the peer has seen is not known.
// P5  Going back (go_back): psn = una, cur = cons. epoch is another only where PSNs are forgotten: here, with fail_o,
//     and with power_i.
// P6  A time without progress (times_o) counts once, and at RETRY it fails; so does an RNR NAK, at RNR_RETRY. An answer
//     that moves una begins both counts anew.
// P7  Off (power_i) leaves all but epoch; on (power_i, begins_i) is as begin_i says, with nothing on its way.
// P8  wakes_o where a turn may find something that it did not find before.
//
// When a step carries this out is nic_req's business: room, records, what must be quiet before.
// Combinational. Cost: LUTs only.
// Rules of README.md: REQ-3, REQ-7, REQ-13, REQ-14, REQ-15, REQ-16, REQ-17, ECN-9, ECN-11.
`default_nettype none

module nic_step (
  // What it is about: one of these at most
  input  wire logic                turn_i,
  input  wire logic                answer_i,
  input  wire logic                timer_i,
  input  wire logic                resume_i,
  input  wire logic                lost_i,
  input  wire logic                power_i,
  input  wire logic                begins_i,     // with power_i: it is turned on afresh
  input  wire nic_pkg::req_begin_t begin_i,

  // The queue pair
  input  wire nic_pkg::req_state_t st_i,
  input  wire logic                on_i,
  input  wire logic                anew_i,       // software has turned it off or on since
  input  wire logic                slow_i,
  input  wire logic                held_i,
  input  wire logic [3:0]          proc_i,
  input  wire logic [2:0]          retry_i,
  input  wire logic [2:0]          rnr_retry_i,
  input  wire logic [15:0]         have_i,       // its entries that have been read end before this one
  input  wire logic                unsent_i,     // one of them has not been sent whole
  input  wire logic                behind_i,     // and there is one behind it

  // What nic_req has made of the state a cycle before
  input  wire logic                open_i,       // psn - una is in the window
  input  wire logic                idle_i,       // una = max
  input  wire logic                oldest_i,     // cur = cons
  input  wire logic                here_i,       // psn = lpsn
  input  wire logic                due_i,        // una = lpsn
  input  wire logic                past_i,       // una is behind lpsn

  // A turn: the entry cur, its next packet (nic_cut)
  input  wire logic                entry_i,      // it is there
  input  wire logic [7:0]          bad_i,
  input  wire logic [23:0]         count_i,      // PSNs of the packet
  input  wire logic                newest_i,     // they end behind max
  input  wire logic                last_i,

  // An answer (nic_ack)
  input  wire logic                moved_i,      // an earlier step of it has moved una
  input  wire logic                ack_more_i,
  input  wire logic [23:0]         ack_una_i,
  input  wire logic                ack_moved_i,
  input  wire logic                ack_done_i,
  input  wire logic                ack_back_i,
  input  wire logic                ack_rnr_i,
  input  wire logic                ack_end_i,
  input  wire logic [7:0]          ack_status_i,

  // An alarm: an RNR time is over; else it is one without progress
  input  wire logic                fire_rnr_i,

  // A packet that could not be read: when it was decided on; the PSN behind the newest that has left
  input  wire logic [7:0]          lost_epoch_i,
  input  wire logic [23:0]         lost_psn_i,
  input  wire logic [15:0]         lost_cur_i,
  input  wire logic [23:0]         lost_cfirst_i,
  input  wire logic [23:0]         sent_i,

  output nic_pkg::req_state_t      st_o,
  output logic                     send_o,
  output logic                     finish_o,
  output logic                     fail_o,
  output logic      [7:0]          status_o,     // with which it fails
  output logic                     moved_o,      // the answer has moved una, in this step or before
  output logic                     retime_o,     // its time begins anew
  output logic                     use_rnr_o,    // and is an RNR time
  output logic                     wakes_o,      // a turn may find something
  output logic                     turn_wakes_o, // and this is one, by itself
  output logic                     rewinds_o,    // entries are forgotten from rewind_o on
  output logic      [15:0]         rewind_o,
  output logic                     times_o,      // an alarm without progress counts
  output logic                     waited_o,     // an RNR time is over
  output logic                     exact_o       // the lost packet is of what goes now: on from it alone
);

  logic live, skips, go_back;
  assign live    = on_i && !anew_i && !st_i.err;
  // Packets of an older epoch may still be in nic_gather: of no more epochs than it has places, 64, since each has had
  // a packet.
  assign exact_o = on_i && !st_i.err && lost_epoch_i == st_i.epoch && lost_psn_i - st_i.una < 24'h80_0000;

  assign turn_wakes_o = turn_i && (send_o ? !last_i || behind_i : live && st_i.lost && past_i);

  always_comb begin
    st_o      = st_i;
    go_back   = 1'b0;
    skips     = 1'b0;
    finish_o  = 1'b0;
    fail_o    = 1'b0;
    status_o  = nic_pkg::StDone;
    send_o    = 1'b0;
    moved_o   = moved_i;
    retime_o  = 1'b0;
    use_rnr_o = 1'b0;
    wakes_o   = 1'b0;
    rewinds_o = 1'b0;
    rewind_o  = have_i;
    times_o   = 1'b0;
    waited_o  = 1'b0;

    if (turn_i && live && st_i.lost && past_i) begin
      // Sent again in vain, and then acknowledged after all: what is behind it goes on.
      st_o.lost = 1'b0;
      rewinds_o = 1'b1;
      wakes_o   = 1'b1;
    end else if (turn_i && live && !st_i.rnr && entry_i) begin
      if (bad_i != nic_pkg::StDone) begin
        fail_o   = oldest_i;
        status_o = bad_i;
      end else if (st_i.lost && here_i) begin
        fail_o   = due_i;
        status_o = nic_pkg::StLocalRead;
      end else if (!held_i && open_i) begin
        send_o   = 1'b1;
        st_o.psn = st_i.psn + count_i;
        if (newest_i) st_o.max = st_o.psn;
        if (last_i) begin
          st_o.cur    = st_i.cur + 16'd1;
          st_o.cfirst = st_o.psn;
        end
        retime_o = idle_i || slow_i;
      end
    end

    if (answer_i) begin
      st_o.una = ack_una_i;
      if (ack_moved_i) begin
        moved_o     = 1'b1;
        st_o.tries  = '0;
        st_o.rtries = '0;
        st_o.rnr    = 1'b0;
        st_o.asked  = 1'b0;
      end
      if (ack_done_i) begin
        finish_o   = 1'b1;
        st_o.first = ack_una_i;
        st_o.cons  = st_i.cons + 16'd1;
      end
      // The next packet was sent again already, and its PSN is behind.
      if (ack_una_i - st_i.psn - 24'd1 < 24'h7F_FFFF) begin
        skips       = 1'b1;
        st_o.psn    = ack_una_i;
        st_o.cur    = st_o.cons;
        st_o.cfirst = st_o.first;
      end
      if (ack_back_i) begin
        go_back    = 1'b1;
        st_o.asked = 1'b1;
      end
      if (ack_rnr_i) begin
        if (rnr_retry_i != 3'd7 && st_i.rtries == rnr_retry_i) begin
          fail_o   = 1'b1;
          status_o = nic_pkg::StRnr;
        end else begin
          if (rnr_retry_i != 3'd7) st_o.rtries = st_i.rtries + 3'd1;
          st_o.rnr  = 1'b1;
          use_rnr_o = 1'b1;
        end
      end
      if (ack_end_i) begin
        fail_o   = 1'b1;
        status_o = ack_status_i;
      end
      retime_o = moved_o && !ack_more_i;
    end

    if (timer_i && live && fire_rnr_i) begin
      if (st_i.rnr) begin
        waited_o   = 1'b1;
        go_back    = 1'b1;
        st_o.rnr   = 1'b0;
        st_o.asked = 1'b0;
        retime_o   = 1'b1;
      end
    end else if (timer_i && live && !st_i.rnr && st_i.una != st_i.max) begin
      times_o  = !held_i;
      retime_o = 1'b1;
      if (held_i) begin
        // not for lack of progress
      end else if (st_i.tries == retry_i) begin
        fail_o   = 1'b1;
        status_o = nic_pkg::StTimeout;
      end else begin
        st_o.tries = st_i.tries + 3'd1;
        st_o.asked = 1'b0;
        go_back    = 1'b1;
      end
    end

    // Not after these: what the peer has seen is not known.
    if (resume_i && st_i.err && st_i.code != nic_pkg::StTimeout && st_i.code != nic_pkg::StLocalRead) begin
      st_o.err  = 1'b0;
      wakes_o   = on_i;
      rewinds_o = on_i;
    end

    if (lost_i) begin
      // What vanished behind it has not left, and is new when it is sent again.
      if (on_i && !st_i.err) st_o.max = sent_i;
      if (exact_o) begin
        st_o.psn    = lost_psn_i;
        st_o.cur    = lost_cur_i;
        st_o.cfirst = lost_cfirst_i;
        st_o.lost   = 1'b1;
        st_o.lpsn   = lost_psn_i;
        retime_o    = sent_i == st_i.una;
      end else begin
        go_back   = on_i && !st_i.err;
        rewinds_o = !st_i.lost;  // behind an earlier one that is still to end nothing is read
      end
      wakes_o = 1'b1;
    end

    if (go_back) begin
      st_o.psn    = st_o.una;
      st_o.cur    = st_o.cons;
      st_o.cfirst = st_o.first;
      st_o.epoch  = st_i.epoch + 8'(st_i.psn != st_i.una);
    end
    if (fail_o) begin
      st_o.err    = 1'b1;
      st_o.code   = status_o;
      st_o.cons   = st_i.cons + 16'd1;
      st_o.cur    = st_i.cons + 16'd1;
      st_o.first  = st_i.una;
      st_o.cfirst = st_i.una;
      st_o.psn    = st_i.una;
      st_o.max    = st_i.una;
      st_o.rnr    = 1'b0;
      st_o.lost   = 1'b0;
      st_o.asked  = 1'b0;
      st_o.tries  = '0;
      st_o.rtries = '0;
      st_o.epoch  = st_i.epoch + 8'(st_i.psn != st_i.una);
      retime_o    = 1'b1;
      rewinds_o   = 1'b1;
      rewind_o    = st_i.cons + 16'd1;
    end
    // Only where a turn may find something: an entry that has come since has its own wake.
    if (go_back || (send_o ? !last_i || behind_i : (finish_o || moved_o) &&
        (unsent_i || st_i.lost || skips || fail_o)))
      wakes_o = 1'b1;

    // What QP_STS and QP_NOW say stays when it is turned off.
    if (power_i) st_o.epoch = st_i.epoch + 8'd1;
    if (power_i && begins_i) begin
      st_o        = '0;
      st_o.epoch  = st_i.epoch + 8'd1;
      st_o.proc   = proc_i;
      {st_o.err, st_o.code} = {begin_i.err, begin_i.code};
      st_o.cons   = begin_i.cons;
      st_o.cur    = begin_i.cons;
      st_o.first  = begin_i.psn;
      st_o.cfirst = begin_i.psn;
      st_o.una    = begin_i.psn;
      st_o.psn    = begin_i.psn;
      st_o.max    = begin_i.psn;
    end
  end

`ifdef FORMAL
`include "nic_step_props.svh"
`endif

endmodule

`default_nettype wire
