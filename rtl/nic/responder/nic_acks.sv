// SPDX-License-Identifier: Apache-2.0
// nic_acks: acknowledgements (ACK, NAK, RNR NAK), a place for one a queue pair, so that none waits for another's reads;
// and CNPs.
//
//   ack (nic_decide) --> | ack | --merge--> [ NumQps places ] --round robin--> | next | --+--> | head | --> head_o
//   queue of nic_reply: put, gone --> waits ---^                                          |
//   nic_cnp: due [NumQps] ------------------------------------> round robin --> | next | -+
//
// P1  Of two that meet in a place the one with the later PSN stays, the newer one if they are equal. met_o: put_i meets
//     one. It comes to its place a cycle later; what it met does not leave before.
// P2  One that was put while responses of its QP were in nic_reply's queue is not offered before the last of these is
//     gone.
// P3  first_o: a cycle before, an acknowledgement of what look_qp_i was then, put before what was at the head of
//     nic_reply's queue, had not left. A response asks from its second cycle at the head on: what makes it true, a put
//     or the response before it that goes, lies before its first; the put, as nic_decide takes three cycles from one
//     answer to the next, two cycles before.
// P4  Those of a QP that is turned off, or whose responder stops, are forgotten; every other one leaves, or is merged.
// P5  A head that is offered stays; hold_i stops the next one, and idle_o says that none is offered.
// P6  An acknowledgement that waits for no response has its head offered before those of NumQps others; and before as
//     many CNPs, since the two take turns. One that is met just now goes a cycle later.
// P7  A CNP's head is offered of a QP that is due, for one that is due before those of NumQps others; cnp_sent_o says
//     that it has left.
//
// A place knows by its number the last response before it (put_id_i): two ids are never the same while both are in the
// queue. Whose head is next stands in a register: that one leaves as it is in the cycle in which it is loaded, or not
// yet, if it was merged and waits. Two cycles a head; one that meets nothing is offered four cycles after put.
// Cost: 566 LUT4, 252 flip-flops, 28 LUT RAMs of 16 x 4, 11 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9, 16 QPs,
// RespDepth 64).
// Rules of README.md: RSP-12, RSP-13, RSP-14, TIM-6, TIM-13.
`default_nettype none

module nic_acks #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned RespDepth = 64,
  localparam int unsigned PtrW = $clog2(RespDepth)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Before a register write: hold_i until idle_o, and in the cycle of the write
  input  wire logic              hold_i,
  output logic                   idle_o,

  // Acknowledgements
  input  wire logic              put_valid_i,
  input  wire nic_pkg::ack_t     put_i,
  output logic                   met_o,

  // The queue of nic_reply: an entry comes, goes; whose is next
  input  wire logic              reply_valid_i,
  input  wire logic [7:0]        reply_qp_i,
  input  wire logic [PtrW-1:0]   reply_id_i,
  input  wire logic              gone_valid_i,
  input  wire logic [7:0]        gone_qp_i,
  input  wire logic [PtrW-1:0]   gone_id_i,
  input  wire logic [7:0]        look_qp_i,
  output logic                   first_o,       // of look_qp_i a cycle before

  // CNPs (nic_cnp)
  input  wire logic [NumQps-1:0] cnp_due_i,
  output logic                   cnp_sent_o,    // that of head_qp_o

  // Queue pairs
  input  wire logic              stop_valid_i,
  input  wire logic [7:0]        stop_qp_i,
  input  wire logic              fail_valid_i,
  input  wire logic [7:0]        fail_qp_i,

  // Heads (nic_tx_mux): no payload
  output logic                   head_valid_o,
  input  wire logic              head_ready_i,
  output nic_pkg::tx_head_t      head_o,
  output logic      [7:0]        head_qp_o,
  output logic      [3:0]        head_code_o,

  // Of each QP (nic_ctx_seek): one waits here; it has responses in nic_reply's queue
  output logic      [NumQps-1:0] pend_o,
  output logic      [NumQps-1:0] behind_o
);

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("nic_acks: NumQps must be 1 to 256"); end
  if (RespDepth < 2 || RespDepth > 256) begin : gen_bad_resp_depth $error("nic_acks: RespDepth must be 2 to 256"); end

  localparam int unsigned IdxW = NumQps > 1 ? $clog2(NumQps) : 1;
  localparam int unsigned AckW = nic_pkg::AckW;

  // One bit a QP.
  function automatic logic [NumQps-1:0] bit_of(input logic valid, input logic [7:0] qp);
    for (int unsigned i = 0; i < NumQps; i++) bit_of[i] = valid && qp == 8'(i);
  endfunction

  logic [IdxW-1:0] put_at, reply_at, gone_at, turn, turn_q;
  // That there is one is known late: it is compared with what waits in the next cycle.
  logic          put_q;
  nic_pkg::ack_t came_q;
  always_ff @(posedge clk_i) put_q <= rst_ni && put_valid_i && !(fail_valid_i && fail_qp_i == put_i.qp);
  always_ff @(posedge clk_i) came_q <= put_i;

  assign put_at  = came_q.qp[IdxW-1:0];
  assign reply_at  = reply_qp_i[IdxW-1:0];
  assign gone_at = gone_qp_i[IdxW-1:0];

  // ---- places ----
  // pend: one waits; waits: for the response `until`; behind: there is one in the queue, the last of them `last`.
  logic [NumQps-1:0] pend_q, waits_q, behind_q, put_bit, reply_bit, over, clear, load_bit, until_gone, last_gone;
  nic_pkg::ack_t     next;
  logic [23:0]       old_psn;
  logic [PtrW-1:0]   last, last_of_gone, until_of_gone;
  logic              newer, keeps, load;

  cm_lutram #(
    .Width(24),
    .Depth(NumQps)
  ) u_psn (
    .clk_i,
    .we_i(keeps),
    .waddr_i(put_at),
    .wdata_i(came_q.psn),
    .raddr_i(put_at),
    .rdata_o(old_psn)
  );
  cm_lutram #(
    .Width(AckW),
    .Depth(NumQps)
  ) u_next (
    .clk_i,
    .we_i(keeps),
    .waddr_i(put_at),
    .wdata_i(came_q),
    .raddr_i(turn_q),
    .rdata_o(next)
  );
  cm_lutram #(
    .Width(PtrW),
    .Depth(NumQps)
  ) u_last (
    .clk_i,
    .we_i(reply_valid_i),
    .waddr_i(reply_at),
    .wdata_i(reply_id_i),
    .raddr_i(put_at),
    .rdata_o(last)
  );
  cm_lutram #(
    .Width(PtrW),
    .Depth(NumQps)
  ) u_last_of_gone (
    .clk_i,
    .we_i(reply_valid_i),
    .waddr_i(reply_at),
    .wdata_i(reply_id_i),
    .raddr_i(gone_at),
    .rdata_o(last_of_gone)
  );
  cm_lutram #(
    .Width(PtrW),
    .Depth(NumQps)
  ) u_until_of_gone (
    .clk_i,
    .we_i(keeps),
    .waddr_i(put_at),
    .wdata_i(last),
    .raddr_i(gone_at),
    .rdata_o(until_of_gone)
  );

  // Whose it is is known before whether one comes or goes.
  assign put_bit    = bit_of(put_q, came_q.qp);
  assign reply_bit  = reply_valid_i ? bit_of(1'b1, reply_qp_i) : '0;
  assign last_gone  = gone_valid_i ? bit_of(last_of_gone == gone_id_i, gone_qp_i) : '0;
  assign until_gone = gone_valid_i ? bit_of(until_of_gone == gone_id_i, gone_qp_i) : '0;
  assign clear      = bit_of(stop_valid_i, stop_qp_i);
  assign over       = bit_of(fail_valid_i, fail_qp_i);

  assign met_o = put_valid_i && |(bit_of(1'b1, put_i.qp) & (put_bit | (pend_q & ~load_bit)));
  assign newer = came_q.psn - old_psn < 24'h80_0000;
  assign keeps = put_q && ((put_bit & pend_q) == '0 || newer);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pend_q   <= '0;
      waits_q  <= '0;
      behind_q <= '0;
    end else begin
      pend_q   <= ((pend_q & ~load_bit) | put_bit) & ~clear & ~over;
      waits_q  <= (keeps ? (waits_q & ~until_gone & ~put_bit) | (put_bit & behind_q & ~last_gone) :
                  waits_q & ~until_gone) & ~clear;
      behind_q <= ((behind_q & ~last_gone) | reply_bit) & ~clear;
    end
  end

  // ---- whose turn, and its head ----
  logic [NumQps-1:0] ready, gnt, cnp_gnt, gnt_q, cnp_gnt_q;  // *_q: who is next
  logic [IdxW-1:0]   cnp_turn, cnp_turn_q;
  logic              any, any_cnp, cnp, cnp_load, valid_q, cnp_q, mine, first_q;
  nic_pkg::ack_t     ack_q;
  logic [7:0]        qp;

  assign ready    = pend_q & ~waits_q;
  assign any      = |(gnt_q & ready);
  assign any_cnp  = |(cnp_gnt_q & cnp_due_i);
  assign cnp      = any_cnp && (!any || !cnp_q);  // after a CNP an acknowledgement
  assign load     = any && !cnp && !valid_q && !hold_i && (gnt_q & put_bit) == '0;  // what is met stays
  assign cnp_load = cnp && !valid_q && !hold_i;
  cm_rr_arb #(
    .N(NumQps)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .req_i(ready),
    .advance_i(load),
    .valid_o(),
    .gnt_o(gnt),
    .idx_o(turn)
  );
  cm_rr_arb #(
    .N(NumQps)
  ) u_cnp_turn (
    .clk_i,
    .rst_ni,
    .req_i(cnp_due_i),
    .advance_i(cnp_load),
    .valid_o(),
    .gnt_o(cnp_gnt),
    .idx_o(cnp_turn)
  );
  // A choice stays while its QP asks (P3 of cm_rr_arb), so the present one is that of the cycle before, if that still
  // asks and nothing was loaded then; and what was loaded then is still offered.
  always_ff @(posedge clk_i) begin
    gnt_q      <= rst_ni ? gnt : '0;
    cnp_gnt_q  <= rst_ni ? cnp_gnt : '0;
    turn_q     <= turn;
    cnp_turn_q <= cnp_turn;
  end
  assign qp       = cnp ? 8'(cnp_turn_q) : 8'(turn_q);
  assign load_bit = load ? gnt_q : '0;

  always_comb begin
    mine = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (look_qp_i == 8'(i)) mine = ready[i];
  end
  always_ff @(posedge clk_i) first_q <= mine || (valid_q && !cnp_q && ack_q.qp == look_qp_i);
  assign first_o = first_q;
  assign idle_o  = !valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      cnp_q   <= 1'b0;
    end else if (load || cnp_load) begin
      valid_q <= 1'b1;
      cnp_q   <= cnp;
    end else if (head_ready_i) valid_q <= 1'b0;
  end
  always_ff @(posedge clk_i) if (load || cnp_load) ack_q <= cnp ? {qp, 56'd0} : next;

  always_comb begin
    head_o        = '0;
    head_o.opcode = cnp_q ? {nic_pkg::TransCnp, nic_pkg::OpCnp} : {nic_pkg::TransRc, nic_pkg::OpAck};
    head_o.psn    = ack_q.psn;
    head_o.ext    = nic_pkg::TxExtW'({ack_q.syndrome, ack_q.msn});  // of a CNP 0
  end
  assign head_valid_o = valid_q;
  assign head_qp_o    = ack_q.qp;
  assign head_code_o  = cnp_q ? nic_pkg::TxCnp : ack_q.syndrome[7:5] == nic_pkg::SynAck ? nic_pkg::TxAck :
                        nic_pkg::TxNak;
  assign pend_o       = pend_q | put_bit;
  assign behind_o     = behind_q;
  assign cnp_sent_o   = valid_q && cnp_q && head_ready_i;

`ifdef FORMAL
`include "nic_acks_props.svh"
`endif

endmodule

`default_nettype wire
