// SPDX-License-Identifier: Apache-2.0
// nic_responder: all that a peer's request meets: decision, regions, answers. Wires blocks together.
//
//   head, payload --> nic_decide -+- responses --> nic_reply --> head, payload (nic_tx_mux)
//                      |   |  |  |                 | `--> reads (nic_rd)
//                      |   |  |  '- ACKs, NAKs -> nic_acks --> head (nic_tx_mux)
//                      |   |  `--- nic_mr
//                      |   `------ asks (xtq_target), answers of peers (nic_req)
//                      `---------- writes (nic_wr), events
//
// The contract stands in the blocks: nic_decide P1 to P10, nic_reply P1 to P9, nic_acks P1 to P7, nic_mr P1 to P3. What
// its parts assume of each other is checked wherever it runs. Cost: theirs.
// One file: it only wires, and each pin has a line.
`default_nettype none

module nic_responder #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned NumMrs = 16,
  parameter int unsigned RespDepth = 64,
  parameter int unsigned Replay = 16,
  localparam int unsigned CfgW = nic_pkg::QpCfgW
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [15:0]       cfg_qpn_i,
  input  wire logic [15:0]       cfg_rid_i,

  // Register bus: regions, QP_ANSWER. A write of any register, and a read of QP_ANSWER, waits for idle_o with hold_i,
  // which stays in the cycle of the access
  input  wire cm_pkg::reg_bus_t  rb_i,
  output logic      [63:0]       rb_rdata_o,
  input  wire logic              hold_i,
  output logic                   idle_o,

  // Queue pairs (nic_qp): what software says of two of them, 0 decision, 1 responses; on, off; state of the one that is
  // read
  output logic      [15:0]       cfg_idx_o,
  input  wire logic [2*CfgW-1:0] cfg_i,
  input  wire logic              start_valid_i,
  input  wire logic [7:0]        start_qp_i,
  input  wire logic [23:0]       start_epsn_i,
  input  wire nic_pkg::qp_go_t   start_go_i,
  input  wire logic              stop_valid_i,
  input  wire logic [7:0]        stop_qp_i,
  input  wire logic [7:0]        rb_qp_i,
  output nic_pkg::resp_state_t   rb_resp_o,
  output logic                   rb_err_o,
  output logic      [6:0]        rb_answers_o,

  // Frames (nic_rx). A head stays until its answers or its ask, if there are any, have been seen to
  input  wire logic              head_valid_i,
  output logic                   head_ready_o,
  input  wire nic_pkg::head_t    head_i,
  input  wire logic              next_valid_i,  // there is one behind it, of this QP number
  input  wire logic [23:0]       next_qp_i,
  input  wire logic              pay_valid_i,
  output logic                   pay_ready_o,
  input  wire nic_pkg::bytes_t   pay_i,

  // Payload for those below but nic_wr: each has its valid and ready
  output nic_pkg::bytes_t        pay_o,

  // Writes (nic_wr); done: the last beat of one has left
  output logic                   wr_job_valid_o,
  input  wire logic              wr_job_ready_i,
  output nic_pkg::dma_t          wr_job_o,
  output logic                   wr_pay_valid_o,
  input  wire logic              wr_pay_ready_i,
  output nic_pkg::bytes_t        wr_pay_o,
  input  wire logic              wr_done_i,

  // Tasks (xtq_target); done: all that one packet wrote has left
  output logic                   ask_valid_o,
  input  wire logic              ask_ready_i,
  output nic_pkg::xtq_ask_t      ask_o,
  input  wire logic              ans_valid_i,
  input  wire logic [3:0]        ans_why_i,
  output logic                   xtq_pay_valid_o,
  input  wire logic              xtq_pay_ready_i,
  input  wire logic              xtq_done_i,
  output logic                   gave_up_o,
  output logic      [7:0]        gave_up_qp_o,

  // Answers of peers (nic_req): the head is head_i
  output logic                   req_head_valid_o,
  input  wire logic              req_head_ready_i,
  output logic                   req_pay_valid_o,
  input  wire logic              req_pay_ready_i,

  // Reads and atomics (nic_rd)
  output logic                   rd_job_valid_o,
  input  wire logic              rd_job_ready_i,
  output nic_pkg::dma_t          rd_job_o,
  input  wire logic              rd_valid_i,
  output logic                   rd_ready_o,
  input  wire nic_pkg::bytes_t   rd_beat_i,

  // Responses (nic_tx_mux)
  output logic                   tx_head_valid_o,
  input  wire logic              tx_head_ready_i,
  output nic_pkg::tx_head_t      tx_head_o,
  output logic      [7:0]        tx_qp_o,
  output logic      [3:0]        tx_code_o,
  output logic      [23:0]       tx_nth_o,
  output logic                   tx_pay_valid_o,
  input  wire logic              tx_pay_ready_i,
  output nic_pkg::bytes_t        tx_pay_o,

  // CNPs (nic_cnp)
  input  wire logic [NumQps-1:0] cnp_due_i,
  output logic                   cnp_sent_o,    // that of ack_qp_o

  // Acknowledgements and CNPs (nic_tx_mux)
  output logic                   ack_head_valid_o,
  input  wire logic              ack_head_ready_i,
  output nic_pkg::tx_head_t      ack_head_o,
  output logic      [7:0]        ack_qp_o,
  output logic      [3:0]        ack_code_o,

  // Places and events (nic_event): 0 of requests, 1 of a responder that has stopped
  output logic                   rsv_valid_o,
  output logic      [nic_pkg::ProcW-1:0] rsv_proc_o,
  input  wire logic              rsv_ok_i,
  input  wire logic              rsv_wait_i,
  output logic      [1:0]        ev_valid_o,
  input  wire logic [1:0]        ev_ready_i,
  output logic      [2*nic_pkg::EventW-1:0] ev_o,

  // For contexts in memory: after this frame gave_up_qp_o is in an XtqPut or a SEND, or in none; who owes an
  // acknowledgement, who has responses in the queue
  output logic                   now_valid_o,
  output logic                   now_task_o,
  output logic      [NumQps-1:0] pend_o,
  output logic      [NumQps-1:0] behind_o,

  // RetFrame, but of answers (RetTx is nic_tx_mux's)
  output logic                   ret_valid_o,
  output nic_pkg::retire_t       ret_o,
  output logic                   mark_o,        // of a marked frame that counts
  output logic                   cnp_o          // of a CNP
);

  // ---- regions ----
  logic [63:0] rd_mr, rd_answer;
  logic        mr_valid, mr_done, mr_ok, mr_paged, mr_off;
  logic [7:0]  mr_off_idx;
  logic [31:0] mr_key, mr_len;
  logic [63:0] mr_va;
  logic [2:0]  mr_right;
  logic [nic_pkg::ProcW-1:0] mr_proc;

  nic_mr #(
    .NumMrs(NumMrs)
  ) u_mr (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_rdata_o(rd_mr),
    .valid_i(mr_valid),
    .key_i(mr_key),
    .proc_i(mr_proc),
    .va_i(mr_va),
    .len_i(mr_len),
    .right_i(mr_right),
    .done_o(mr_done),
    .ok_o(mr_ok),
    .paged_o(mr_paged),
    .off_valid_i(mr_off),
    .off_idx_i(mr_off_idx)
  );

  // ---- decision ----
  localparam int unsigned IdW = $clog2(RespDepth);
  logic            decide_idle, reply_idle, acks_idle, room, reply_valid, err, fail, asking, hit, old, ack_valid, met,
                   first, gone, failed, look_wait;
  logic [7:0]      decide_qp, decide_cfg_qp, reply_qp, gone_qp, fail_qp;
  logic [IdW-1:0]  put_id, gone_id;
  logic            away, back;  // a page is absent: a queue pair goes back
  logic [7:0]      back_qp;
  logic [23:0]     back_psn, back_msn;
  nic_pkg::ack_t   ack;
  logic [63:0]     value;
  nic_pkg::reply_t reply;
  nic_pkg::event_t decide_ev, reply_ev;

  // Whether memory takes a job or a beat is known late; the next frame is decided on without that. What would have to
  // come behind a job waits until it has left u_job: its beat in u_wr_pay leaves after it.
  logic          job_valid, job_ready, wr_pay_valid, wr_pay_ready;
  nic_pkg::dma_t job;
  cm_stop #(
    .Width(nic_pkg::DmaW)
  ) u_job (
    .clk_i,
    .rst_ni,
    .in_valid_i(job_valid),
    .in_ready_o(job_ready),
    .in_data_i(job),
    .out_valid_o(wr_job_valid_o),
    .out_ready_i(wr_job_ready_i),
    .out_data_o(wr_job_o)
  );
  cm_stop #(
    .Width(nic_pkg::BytesW)
  ) u_wr_pay (
    .clk_i,
    .rst_ni,
    .in_valid_i(wr_pay_valid),
    .in_ready_o(wr_pay_ready),
    .in_data_i(pay_o),
    .out_valid_o(wr_pay_valid_o),
    .out_ready_i(wr_pay_ready_i),
    .out_data_o(wr_pay_o)
  );

  nic_decide #(
    .NumQps(NumQps)
  ) u_decide (
    .clk_i,
    .rst_ni,
    .cfg_qpn_i,
    .cfg_rid_i,
    .hold_i,
    .idle_o(decide_idle),
    .head_valid_i,
    .head_ready_o,
    .head_i,
    .next_valid_i,
    .next_qp_i,
    .pay_valid_i,
    .pay_ready_o,
    .pay_i,
    .qp_o(decide_qp),
    .cfg_qp_o(decide_cfg_qp),
    .cfg_i(cfg_i[0+:CfgW]),
    .start_valid_i,
    .start_qp_i,
    .start_epsn_i,
    .start_go_i,
    .sts_qp_i(rb_qp_i),
    .sts_o(rb_resp_o),
    .mr_valid_o(mr_valid),
    .mr_key_o(mr_key),
    .mr_proc_o(mr_proc),
    .mr_va_o(mr_va),
    .mr_len_o(mr_len),
    .mr_right_o(mr_right),
    .mr_done_i(mr_done),
    .mr_ok_i(mr_ok),
    .mr_paged_i(mr_paged),
    .mr_off_o(mr_off),
    .mr_off_idx_o(mr_off_idx),
    .gave_up_o,
    .ack_valid_o(ack_valid),
    .ack_o(ack),
    .ack_met_i(met),
    .reply_room_i(room),
    .reply_valid_o(reply_valid),
    .reply_o(reply),
    .reply_err_i(err),
    .fail_i(fail),
    .asking_o(asking),
    .away_i(away),
    .back_valid_i(back),
    .back_qp_i(back_qp),
    .back_psn_i(back_psn),
    .back_msn_i(back_msn),
    .replay_hit_i(hit),
    .replay_value_i(value),
    .replay_old_i(old),
    .replay_wait_i(look_wait),
    .job_valid_o(job_valid),
    .job_ready_i(job_ready),
    .job_o(job),
    .wr_pay_valid_o(wr_pay_valid),
    .wr_pay_ready_i(wr_pay_ready),
    .ask_valid_o,
    .ask_ready_i,
    .ask_o,
    .ans_valid_i,
    .ans_why_i,
    .xtq_pay_valid_o,
    .xtq_pay_ready_i,
    .req_head_valid_o,
    .req_head_ready_i,
    .req_pay_valid_o,
    .req_pay_ready_i,
    .pay_o,
    .rsv_valid_o,
    .rsv_proc_o,
    .rsv_ok_i,
    .rsv_wait_i,
    .ev_valid_o(ev_valid_o[0]),
    .ev_ready_i(ev_ready_i[0]),
    .ev_o(decide_ev),
    .now_valid_o,
    .now_task_o,
    .ret_valid_o,
    .ret_o,
    .mark_o,
    .cnp_o
  );

  // ---- answers ----
  logic            pay_valid, pay_ready;
  nic_pkg::bytes_t pay;

  nic_reply #(
    .NumQps(NumQps),
    .RespDepth(RespDepth),
    .Replay(Replay)
  ) u_reply (
    .clk_i,
    .rst_ni,
    .cfg_rid_i,
    .hold_i,
    .idle_o(reply_idle),
    .rb_i,
    .rb_rdata_o(rd_answer),
    .room_o(room),
    .reply_valid_i(reply_valid),
    .reply_i(reply),
    .fail_o(fail),
    .asking_i(asking),
    .away_o(away),
    .back_valid_o(back),
    .back_qp_o(back_qp),
    .back_psn_o(back_psn),
    .back_msn_o(back_msn),
    .first_i(first),
    .put_id_o(put_id),
    .gone_valid_o(gone),
    .gone_qp_o(gone_qp),
    .gone_id_o(gone_id),
    .fail_valid_o(failed),
    .fail_qp_o(fail_qp),
    .look_qp_i(decide_qp),
    .look_psn_i(head_i.psn),
    .look_err_o(err),
    .look_hit_o(hit),
    .look_value_o(value),
    .look_old_o(old),
    .look_wait_o(look_wait),
    .qp_o(reply_qp),
    .cfg_i(cfg_i[CfgW+:CfgW]),
    .start_valid_i,
    .start_qp_i,
    .start_err_i(start_go_i.resp_err),
    .start_num_i(start_go_i.answers),
    .stop_valid_i,
    .stop_qp_i,
    .sts_qp_i(rb_qp_i),
    .sts_err_o(rb_err_o),
    .sts_num_o(rb_answers_o),
    .wr_done_i,
    .task_done_i(xtq_done_i),
    .rd_job_valid_o,
    .rd_job_ready_i,
    .rd_job_o,
    .rd_valid_i,
    .rd_ready_o,
    .rd_beat_i,
    .head_valid_o(tx_head_valid_o),
    .head_ready_i(tx_head_ready_i),
    .head_o(tx_head_o),
    .head_qp_o(tx_qp_o),
    .head_code_o(tx_code_o),
    .head_nth_o(tx_nth_o),
    .pay_valid_o(pay_valid),
    .pay_ready_i(pay_ready),
    .pay_o(pay),
    .ev_valid_o(ev_valid_o[1]),
    .ev_ready_i(ev_ready_i[1]),
    .ev_o(reply_ev)
  );

  // reply_qp is that of the head of nic_reply's queue, a cycle before nic_reply asks for it.
  nic_acks #(
    .NumQps(NumQps),
    .RespDepth(RespDepth)
  ) u_acks (
    .clk_i,
    .rst_ni,
    .hold_i,
    .idle_o(acks_idle),
    .put_valid_i(ack_valid),
    .put_i(ack),
    .met_o(met),
    .reply_valid_i(reply_valid),
    .reply_qp_i(reply.qp),
    .reply_id_i(put_id),
    .gone_valid_i(gone),
    .gone_qp_i(gone_qp),
    .gone_id_i(gone_id),
    .look_qp_i(reply_qp),
    .first_o(first),
    .cnp_due_i,
    .cnp_sent_o,
    .stop_valid_i,
    .stop_qp_i,
    .fail_valid_i(failed),
    .fail_qp_i(fail_qp),
    .head_valid_o(ack_head_valid_o),
    .head_ready_i(ack_head_ready_i),
    .head_o(ack_head_o),
    .head_qp_o(ack_qp_o),
    .head_code_o(ack_code_o),
    .pend_o,
    .behind_o
  );

  // nic_tx has headers to send before it wants payload: meanwhile nic_reply goes on to the next answer, so none waits
  // for it.
  cm_fifo #(
    .Width(nic_pkg::BytesW),
    .Depth(8)
  ) u_pay (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(pay_valid),
    .in_ready_o(pay_ready),
    .in_data_i(pay),
    .out_valid_o(tx_pay_valid_o),
    .out_ready_i(tx_pay_ready_i),
    .out_data_o(tx_pay_o),
    .level_o()
  );

  assign cfg_idx_o = {reply_qp, decide_cfg_qp};
  assign gave_up_qp_o = decide_qp;
  assign rb_rdata_o = rd_mr | rd_answer;
  assign idle_o    = decide_idle && reply_idle && acks_idle;
  assign ev_o      = {reply_ev, decide_ev};

endmodule

`default_nettype wire
