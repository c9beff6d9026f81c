// SPDX-License-Identifier: Apache-2.0
// nic_tx_mux: acknowledgements, responses and requests onto nic_tx, a frame at a time.
//
//   ack:  head -----------+                   +--> head_o
//   resp: head, payload --+--> round robin ---+
//   req:  head, payload --+     | whose turn  +--> pay_o (the item of each head, in the order of the heads;
//                               v                   ack: one without bytes)
//                           [ order ]
//
// P1  Heads leave unchanged, those of one source in order, each with its queue pair and whether it is a request (for
//     nic_peer); RetTx is given with each, in the cycle in which it leaves.
// P2  The payload items leave whole, unchanged, in the order of their heads; no beat of one leaves before its head has.
// P3  Sources that wait take turns, a frame each.
// P4  What is offered stays: a waiting head or beat never changes and is never withdrawn.
//
// Heads run ahead of payloads by up to Ahead frames, so that frames follow each other without a gap. Whose turn it is
// stands in a register, so that no ready waits for a valid: it stays with the last one until another waits, so a source
// that is alone has no cycle of latency, and rate 1; the first head of another has one.
// Cost: two multiplexers, 2 x Ahead bits and a counter.
// Rules of README.md: RSP-14.
`default_nettype none

module nic_tx_mux #(
  parameter int unsigned Ahead = 4
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Acknowledgements: what RetTx says of them comes along
  input  wire logic             ack_head_valid_i,
  output logic                  ack_head_ready_o,
  input  wire nic_pkg::tx_head_t ack_head_i,
  input  wire logic [7:0]       ack_qp_i,
  input  wire logic [3:0]       ack_code_i,

  // Responses
  input  wire logic             resp_head_valid_i,
  output logic                  resp_head_ready_o,
  input  wire nic_pkg::tx_head_t resp_head_i,
  input  wire logic [7:0]       resp_qp_i,
  input  wire logic [3:0]       resp_code_i,
  input  wire logic [23:0]      resp_nth_i,
  input  wire logic             resp_pay_valid_i,
  output logic                  resp_pay_ready_o,
  input  wire nic_pkg::bytes_t  resp_pay_i,

  // Requests
  input  wire logic             req_head_valid_i,
  output logic                  req_head_ready_o,
  input  wire nic_pkg::tx_head_t req_head_i,
  input  wire logic [7:0]       req_qp_i,
  input  wire logic [23:0]      req_nth_i,
  input  wire logic [7:0]       req_epoch_i,  // how often its QP had gone back when it was decided on
  input  wire logic             req_lost_i,   // its bytes could not be read: RetTx with flag, no frame, no item
  input  wire logic             req_pay_valid_i,
  output logic                  req_pay_ready_o,
  input  wire nic_pkg::bytes_t  req_pay_i,

  // To nic_tx
  output logic                  head_valid_o,
  input  wire logic             head_ready_i,
  output nic_pkg::tx_head_t     head_o,
  output logic      [7:0]       head_qp_o,   // whose it is,
  output logic                  head_req_o,  // and whether it is a request
  output logic                  pay_valid_o,
  input  wire logic             pay_ready_i,
  output nic_pkg::bytes_t       pay_o,

  output logic                  ret_valid_o,
  output nic_pkg::retire_t      ret_o
);

  if (Ahead < 1) begin : gen_bad_ahead $error("nic_tx_mux: Ahead must be at least 1"); end

  localparam int unsigned LevelW = $clog2(Ahead + 1);

  localparam logic [1:0] Resp = 2'd0;  // whose: the number of a source
  localparam logic [1:0] Req = 2'd1;
  localparam logic [1:0] Ack = 2'd2;

  logic [LevelW-1:0] level;  // frames whose item has not left: for the theorems
  logic [3:0] heads;  // by number
  logic [1:0] turn_q, second, third, whose;
  logic       any, go, room, lost, whose_valid, pop;

  // The two behind it are looked at in their order.
  assign heads  = {1'b0, ack_head_valid_i, req_head_valid_i, resp_head_valid_i};
  assign any    = heads[turn_q];
  assign second = turn_q == Resp ? Req : turn_q == Req ? Ack : Resp;
  assign third  = turn_q == Resp ? Ack : turn_q == Req ? Resp : Req;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= Resp;
    else if (!any || go) turn_q <= heads[second] ? second : heads[third] ? third : turn_q;
  end

  cm_fifo #(
    .Width(2),
    .Depth(Ahead)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(any && !lost && head_ready_i),
    .in_ready_o(room),
    .in_data_i(turn_q),
    .out_valid_o(whose_valid),
    .out_ready_i(pop),
    .out_data_o(whose),
    .level_o(level)
  );

  assign lost              = turn_q == Req && req_head_valid_i && req_lost_i;
  assign go                = lost || (head_valid_o && head_ready_i);
  assign head_valid_o      = any && room && !lost;
  assign head_o            = turn_q == Req ? req_head_i : turn_q == Ack ? ack_head_i : resp_head_i;
  assign head_qp_o         = turn_q == Req ? req_qp_i : turn_q == Ack ? ack_qp_i : resp_qp_i;
  assign head_req_o        = turn_q == Req;
  assign ack_head_ready_o  = turn_q == Ack && room && head_ready_i;
  assign resp_head_ready_o = turn_q == Resp && room && head_ready_i;
  assign req_head_ready_o  = lost || (turn_q == Req && room && head_ready_i);

  assign pay_valid_o      = whose_valid && (whose == Req ? req_pay_valid_i : whose == Ack || resp_pay_valid_i);
  assign pop              = pay_valid_o && pay_ready_i && pay_o.last;
  assign resp_pay_ready_o = whose_valid && whose == Resp && pay_ready_i;
  assign req_pay_ready_o  = whose_valid && whose == Req && pay_ready_i;
  always_comb begin
    pay_o = whose == Req ? req_pay_i : whose == Resp ? resp_pay_i : '0;
    if (whose == Ack) pay_o.last = 1'b1;
  end

  assign ret_valid_o = go;
  always_comb begin
    ret_o      = '0;
    ret_o.kind = nic_pkg::RetTx;
    ret_o.flag = lost;
    ret_o.a    = {32'd0, head_o.opcode, head_o.psn};
    ret_o.code = turn_q == Ack ? ack_code_i : resp_code_i;
    ret_o.idx  = head_qp_o;
    ret_o.b    = turn_q == Ack ? '0 : 64'(resp_nth_i);
    if (turn_q == Req) begin
      ret_o.code = nic_pkg::TxRequest;
      ret_o.b    = {24'd0, req_epoch_i, 8'd0, req_nth_i};
    end
  end

`ifdef FORMAL
`include "nic_tx_mux_props.svh"
`endif

endmodule

`default_nettype wire
