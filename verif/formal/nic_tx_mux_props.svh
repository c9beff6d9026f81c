// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_tx_mux. f_owe counts a source's heads that have left and whose items have not.
`include "fv.svh"
// Rules of README.md: RSP-14.
  `FV_INIT

  localparam int unsigned OutW = nic_pkg::TxHeadW;

  logic            f_hold_head_q, f_hold_pay_q, f_in0_q, f_in1_q, f_p0_q, f_p1_q;
  logic [OutW-1:0] f_head_q, f_head0_q;
  logic [OutW:0]   f_head1_q;
  nic_pkg::bytes_t f_pay_q, f_pay0_q, f_pay1_q;
  logic [2:0]      f_owe0_q, f_owe1_q;   // frames of a source under way
  logic [1:0]      f_lost0_q, f_lost1_q; // heads of the other one that left while this one waited
  logic            f_take0, f_take1, f_take2, f_end0, f_end1, f_end2, f_in2_q;
  logic [OutW-1:0] f_head2_q;
  logic [2:0]      f_owe2_q;
  logic [1:0]      f_lost2_q;

  assign f_take0 = resp_head_valid_i && resp_head_ready_o;
  assign f_take1 = req_head_valid_i && req_head_ready_o && !req_lost_i;
  assign f_take2 = ack_head_valid_i && ack_head_ready_o;
  assign f_end2  = pop && !resp_pay_ready_o && !req_pay_ready_o;
  assign f_end0  = resp_pay_valid_i && resp_pay_ready_o && resp_pay_i.last;
  assign f_end1  = req_pay_valid_i && req_pay_ready_o && req_pay_i.last;

  always_ff @(posedge clk_i) begin
    f_hold_head_q <= rst_ni && head_valid_o && !head_ready_i;
    f_hold_pay_q  <= rst_ni && pay_valid_o && !pay_ready_i;
    f_in0_q       <= rst_ni && resp_head_valid_i && !resp_head_ready_o;
    f_in1_q       <= rst_ni && req_head_valid_i && !req_head_ready_o;
    f_in2_q       <= rst_ni && ack_head_valid_i && !ack_head_ready_o;
    f_head2_q     <= ack_head_i;
    f_p0_q        <= rst_ni && resp_pay_valid_i && !resp_pay_ready_o;
    f_p1_q        <= rst_ni && req_pay_valid_i && !req_pay_ready_o;
    f_head_q      <= head_o;
    f_head0_q     <= resp_head_i;
    f_head1_q     <= {req_lost_i, req_head_i};
    f_pay_q       <= pay_o;
    f_pay0_q      <= resp_pay_i;
    f_pay1_q      <= req_pay_i;
    if (!rst_ni) begin
      f_owe0_q  <= '0;
      f_owe1_q  <= '0;
      f_owe2_q  <= '0;
      f_lost2_q <= '0;
      f_lost0_q <= '0;
      f_lost1_q <= '0;
    end else begin
      f_owe0_q  <= f_owe0_q + 3'(f_take0) - 3'(f_end0);
      f_owe1_q  <= f_owe1_q + 3'(f_take1) - 3'(f_end1);
      f_owe2_q  <= f_owe2_q + 3'(f_take2) - 3'(f_end2);
      f_lost0_q <= !resp_head_valid_i || f_take0 ? 2'd0 : f_lost0_q + 2'(ret_valid_o && f_lost0_q != 2'd3);
      f_lost1_q <= !req_head_valid_i || req_head_ready_o ? 2'd0 : f_lost1_q + 2'(ret_valid_o && f_lost1_q != 2'd3);
      f_lost2_q <= !ack_head_valid_i || f_take2 ? 2'd0 : f_lost2_q + 2'(ret_valid_o && f_lost2_q != 2'd3);
    end
  end

  `FV_COMB begin
    if (f_past_q && f_in0_q) env_head0: assume (resp_head_valid_i && resp_head_i == f_head0_q);
    if (f_past_q && f_in1_q) env_head1: assume (req_head_valid_i && {req_lost_i, req_head_i} == f_head1_q);
    if (f_past_q && f_in2_q) env_head2: assume (ack_head_valid_i && ack_head_i == f_head2_q);
    if (f_past_q && f_p0_q) env_pay0: assume (resp_pay_valid_i && resp_pay_i == f_pay0_q);
    if (f_past_q && f_p1_q) env_pay1: assume (req_pay_valid_i && req_pay_i == f_pay1_q);
    if (f_past_q) begin
      p1_turn: assert (turn_q != 2'd3);
      p1_one: assert (2'(f_take0) + 2'(f_take1) + 2'(f_take2) == 2'(head_valid_o && head_ready_i));
      if (f_take2) p1_ack: assert (head_o == ack_head_i && head_qp_o == ack_qp_i && !head_req_o);
      if (f_take0) p1_resp: assert (head_o == resp_head_i && head_qp_o == resp_qp_i && !head_req_o);
      if (f_take1) p1_req: assert (head_o == req_head_i && head_qp_o == req_qp_i && head_req_o);
      p1_retire: assert (ret_valid_o == (f_take0 || f_take2 || (req_head_valid_i && req_head_ready_o)));
      if (ret_valid_o) p1_lost: assert (ret_o.flag == (!f_take0 && !f_take1 && !f_take2));
      if (f_take2)
        p1_record_ack: assert (ret_o.a == {32'd0, head_o.opcode, head_o.psn} && ret_o.kind == nic_pkg::RetTx &&
          ret_o.idx == ack_qp_i && ret_o.code == ack_code_i && ret_o.b == '0);
      if (f_take0 || f_take1)
        p1_record: assert (ret_o.a == {32'd0, head_o.opcode, head_o.psn} && ret_o.kind == nic_pkg::RetTx &&
          ret_o.idx == (f_take1 ? req_qp_i : resp_qp_i) && ret_o.code == (f_take1 ? nic_pkg::TxRequest : resp_code_i));
      p2_owed: assert (32'(f_owe0_q) + 32'(f_owe1_q) + 32'(f_owe2_q) == 32'(level) &&
           32'(f_owe0_q) <= Ahead && 32'(f_owe1_q) <= Ahead && 32'(f_owe2_q) <= Ahead);
      if (pay_valid_o && pay_ready_i && !resp_pay_ready_o && !req_pay_ready_o)
        p2_ack: assert (pay_o.last && pay_o.bytes == '0 && !pay_o.err && f_owe2_q != '0);
      if (pay_valid_o && resp_pay_ready_o) p2_resp: assert (pay_o == resp_pay_i && resp_pay_valid_i);
      if (pay_valid_o && req_pay_ready_o) p2_req: assert (pay_o == req_pay_i && req_pay_valid_i);
      p2_after_head: assert (!(f_end0 && f_owe0_q == '0) && !(f_end1 && f_owe1_q == '0));
      p3_fair: assert (f_lost0_q < 2'd3 && f_lost1_q < 2'd3 && f_lost2_q < 2'd3);
      if (f_hold_head_q) p4_head: assert (head_valid_o && head_o == f_head_q);
      if (f_hold_pay_q) p4_pay: assert (pay_valid_o && pay_o == f_pay_q);
      c_lost: cover (ret_valid_o && ret_o.flag && resp_head_valid_i);
      c_turns: cover (f_take0 && f_lost0_q == 2'd2);
      c_ahead: cover (32'(f_owe0_q) + 32'(f_owe1_q) == Ahead && f_owe0_q != '0 && f_owe1_q != '0);
      c_long: cover (f_end1 && f_hold_pay_q && f_owe0_q != '0);
    end
  end
