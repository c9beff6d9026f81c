// SPDX-License-Identifier: Apache-2.0
// nic_ack: what an answer means for the oldest unfinished request of its queue pair. One step; nic_req repeats it while
// more_o.
//
//   first        una           first + packets            sent
//   |------------|-------------|---- next request --------|
//    acknowledged   under way
//
// PSNs: una is the oldest that is not acknowledged, the oldest request has first up to first + packets - 1, under_i
// says that the answer is of one that has left.
//
// P1  An answer of a PSN that is not under way changes nothing: FrStale.
// P2  una never goes back, and never beyond the answer's PSN (an ACK, read response, AtomicAck: beyond it by one).
// P3  A step finishes the oldest request exactly when una reaches its end.
// P4  A read or atomic is passed by its own answer only: take_o, PSN = una, the size that is due.
// P5  What is neither stale nor good for its PSN sends back (back_o), waits (rnr_o) or ends the request (end_o): one of
//     them, rnr_o and end_o only when all before the PSN is acknowledged.
// P6  What was asked for again (asked_i) is not sent back for once more.
//
// Known deviation: a read response or AtomicAck that is found stale (kind, size) only after steps that acknowledged
// requests before it leaves these acknowledged, where README.md says that FrStale changes nothing. A correct peer sends
// no such answer.
//
// Combinational: one comparison deep, since nic_req adds a cycle before. Cost: LUTs only.
// Rules of README.md: REQ-7, REQ-8, REQ-9, REQ-10, REQ-11, REQ-12.
`default_nettype none

module nic_ack (
  // The answer
  input  wire logic [23:0] upto_i,       // what it acknowledges ends before: its PSN, of an ACK the one behind
  input  wire logic [4:0]  op_i,         // 0D to 12
  input  wire logic [7:0]  syndrome_i,
  input  wire logic [12:0] bytes_i,

  // The queue pair
  input  wire logic        on_i,         // runs and has not stopped
  input  wire logic        wait_i,       // for the end of an RNR time
  input  wire logic        asked_i,      // una has been asked for again, and neither moved nor met its time-out since
  input  wire logic        again_i,      // a further step of the same answer
  input  wire logic [23:0] una_i,
  input  wire logic [23:0] first_i,

  // What nic_req has made of these a cycle before
  input  wire logic        under_i,      // the answer's PSN is from una_i on and has been sent
  input  wire logic        there_i,      // upto_i is una_i
  input  wire logic [23:0] span_i,       // upto_i - first_i
  input  wire logic [23:0] nth_i,        // una_i - first_i + 1: of the packets of its request
  input  wire logic        full_i,       // bytes_i are those of a full packet
  input  wire logic [31:0] ends_i,       // where bytes_i end in the bytes of its request
  input  wire logic [31:0] whole_i,      // and where those of a full packet would

  // Its oldest request
  input  wire logic        read_i,
  input  wire logic        atomic_i,
  input  wire logic [23:0] packets_i,
  input  wire logic [31:0] total_i,

  output logic             more_o,       // una moved or a request is finished: another step; else the verdict holds
  output logic      [23:0] una_o,
  output logic             moved_o,      // beyond una_i
  output logic             done_o,       // the oldest request is finished
  output logic             take_o,       // its answer: bytes_i bytes of its first buffer, up to ends_i
  output logic             back_o,
  output logic             rnr_o,
  output logic             end_o,
  output logic      [7:0]  status_o,
  output logic      [3:0]  code_o        // nic_pkg::Fr*
);

  logic is_read, is_atomic, is_ack, nak, rnr, bad, there, reach, fits;

  assign is_read   = op_i >= nic_pkg::OpReadFirst && op_i <= nic_pkg::OpReadOnly;
  assign is_atomic = op_i == nic_pkg::OpAtomicAck;
  assign is_ack    = op_i == nic_pkg::OpAck && syndrome_i[7:5] == nic_pkg::SynAck;
  assign rnr       = op_i == nic_pkg::OpAck && syndrome_i[7:5] == nic_pkg::SynRnr;
  assign nak       = op_i == nic_pkg::OpAck && syndrome_i[7:5] == nic_pkg::SynNak;

  assign there = there_i;
  assign reach = span_i >= packets_i;  // to its end
  assign bad   = !on_i || !(is_read || is_atomic || is_ack || rnr || nak) ||
                 (!again_i && !under_i);

  // A full packet, or what is left.
  assign fits  = is_atomic ? atomic_i && bytes_i == 13'd0 : read_i && (total_i < whole_i ? ends_i == total_i : full_i);

  always_comb begin
    more_o   = 1'b0;
    una_o    = una_i;
    moved_o  = 1'b0;
    done_o   = 1'b0;
    take_o   = 1'b0;
    back_o   = 1'b0;
    rnr_o    = 1'b0;
    end_o    = 1'b0;
    status_o = syndrome_i[4:0] < 5'd4 ? nic_pkg::StRemInvalid + 8'(syndrome_i[4:0]) - 8'd1 : nic_pkg::StRemOther;
    code_o   = nic_pkg::FrStale;
    if (bad) begin
    end else if (!there) begin
      if (read_i || atomic_i) begin  // not answered: it is asked again, once
        back_o = !asked_i;
        code_o = asked_i ? nic_pkg::FrStale : nic_pkg::FrBack;
      end else begin
        una_o   = reach ? first_i + packets_i : upto_i;
        moved_o = 1'b1;
        done_o  = reach;
        more_o  = !(is_ack && (!reach || span_i == packets_i));  // una_o is not upto_i
        code_o  = nic_pkg::FrAnswer;
      end
    end else if (is_read || is_atomic) begin
      if (fits) begin
        take_o  = 1'b1;
        una_o   = una_i + 24'd1;
        moved_o = 1'b1;
        done_o  = nth_i == packets_i;
        code_o  = nic_pkg::FrAnswer;
      end
    end else if (is_ack) code_o = nic_pkg::FrAnswer;
    else if (wait_i && (rnr || syndrome_i[4:0] == nic_pkg::NakSequence)) begin
      code_o = nic_pkg::FrStale;  // this PSN's time runs
    end else if (rnr) begin
      rnr_o  = 1'b1;
      code_o = nic_pkg::FrBack;
    end else if (syndrome_i[4:0] == nic_pkg::NakSequence) begin
      back_o = !asked_i;
      code_o = asked_i ? nic_pkg::FrStale : nic_pkg::FrBack;
    end else begin
      end_o  = 1'b1;
      code_o = nic_pkg::FrEnd;
    end
  end

`ifdef FORMAL
`include "nic_ack_props.svh"
`endif

endmodule

`default_nettype wire
