// SPDX-License-Identifier: Apache-2.0
// xtq_target: takes the packets of XtqPuts and SENDs and the tasks of access logs, and makes tasks in queues, or
// messages in buffers, of them. Wires its parts together.
//
//   ask, payload --> xtq_check --order, beats--> xtq_write --> jobs, bytes (nic_wr)
//   task ----------->  |  |  |                        +------> events 3, 8
//            xtq_table |  |  | xtq_queue <-- reads (nic_rd)
//                         xtq_rbuf --> event 6
//
// P1  A refused packet writes nothing. An accepted one writes its bytes; the last of a message then body, header,
//     write_index (MIRROR) and doorbell, in this order (xtq_check P1 to P3, xtq_write P1).
// P2  quiet_q: xtq_queue reads a write index only when all that was enqueued before has left (wr_done_i: a job of this
//     block has), which it hears of a cycle late.
// P3  left_o once for each packet that has bytes and was not refused, in order, with the wr_done_i of its last job.
// P4  The beats of a packet wait in a FIFO until its checks have been made; it is empty when the next packet is
//     answered, or its order is with xtq_write.
//
// On-chip tables, a NIC-owned queue whose indices are known: doorbell handed over at most 20 cycles after the last beat
// of a message came; a message of 144 bytes (command, 16 of arguments, 64 of payload) every 8 cycles at DataW 256.
// Cost: its parts, FIFOs of 8 and 2 beats.
// One file: it only wires, and each pin has a line.
// Rules of README.md: ENQ-5, XTM-4, RCV-5, RCV-6, RCV-7, RCV-8, RCV-9.
`default_nettype none

module xtq_target #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned NumQps = 16,
  parameter int unsigned RecvDepth = 8,
  parameter int unsigned TableBits = 6,
  parameter int unsigned TableCache = 0
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [15:0]         cfg_rid_i,

  // Packets
  input  wire logic                ask_valid_i,
  output logic                     ask_ready_o,
  input  wire nic_pkg::xtq_ask_t   ask_i,
  input  wire logic                pay_valid_i,
  output logic                     pay_ready_o,
  input  wire nic_pkg::bytes_t     pay_i,
  output logic                     ans_valid_o,
  output logic      [3:0]          ans_why_o,
  input  wire logic                gave_up_i,       // the message of this queue pair comes to nothing
  input  wire logic [7:0]          gave_up_qp_i,
  input  wire logic                stop_i,
  input  wire logic [7:0]          stop_qp_i,

  // Tasks of access logs
  input  wire logic                task_valid_i,
  input  wire logic [4:0]          task_log_i,
  input  wire logic [3:0]          task_proc_i,
  input  wire logic [15:0]         task_queue_i,
  input  wire logic [511:0]        task_packet_i,
  output logic                     task_ans_o,
  output logic                     task_ok_o,
  output logic                     task_event_o,

  // Places in the event rings
  output logic                     rsv_valid_o,
  output logic      [3:0]          rsv_proc_o,
  input  wire logic                rsv_ok_i,
  output logic                     back_valid_o,
  output logic      [3:0]          back_proc_o,
  output logic      [5:0]          back_num_o,

  // Events: 0 task enqueued or message received, 1 receive buffer used up
  output logic      [1:0]          event_valid_o,
  input  wire logic [1:0]          event_ready_i,
  output logic      [2*nic_pkg::EventW-1:0] event_o,

  // Writes of tasks
  output logic                     wr_valid_o,
  input  wire logic                wr_ready_i,
  output nic_pkg::dma_t            wr_o,
  output logic                     wdata_valid_o,
  input  wire logic                wdata_ready_i,
  output nic_pkg::bytes_t          wdata_o,
  input  wire logic                wr_done_i,
  output logic                     left_o,          // all that a packet wrote has left

  // Queue indices
  output logic                     qrd_valid_o,
  input  wire logic                qrd_ready_i,
  output nic_pkg::dma_t            qrd_o,
  input  wire logic                qdata_valid_i,
  output logic                     qdata_ready_o,
  input  wire nic_pkg::bytes_t     qdata_i,

  // Tables in memory
  output logic                     trd_valid_o,
  input  wire logic                trd_ready_i,
  output nic_pkg::dma_t            trd_o,
  input  wire logic                tdata_valid_i,
  output logic                     tdata_ready_o,
  input  wire nic_pkg::bytes_t     tdata_i,
  output logic                     twr_valid_o,
  input  wire logic                twr_ready_i,
  output nic_pkg::dma_t            twr_o,
  output logic                     twdata_valid_o,
  input  wire logic                twdata_ready_i,
  output nic_pkg::bytes_t          twdata_o,
  input  wire logic                twr_done_i,

  // Counters, records: 0 RetTask, 1 RetTable
  output logic      [1:0]          hits_o,
  output logic      [1:0]          misses_o,
  output logic      [1:0]          ret_valid_o,
  output logic      [2*nic_pkg::RetireW-1:0] ret_o,

  // Registers
  input  wire cm_pkg::reg_bus_t    rb_i,
  output logic      [63:0]         rb_rdata_o
);

  localparam int unsigned ProcW  = NumProcs > 1 ? $clog2(NumProcs) : 1;
  localparam int unsigned PlaceW = TableCache != 0 ? $clog2(TableCache) : ProcW + TableBits;

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("xtq_target: NumQps must be 1 to 256"); end

  // ---- tables ----
  logic                       look_valid, look_ready, look_ker, look_func, look_que, soon, hold, found, ker_ok, ker_err,
                              que_ok, que_err, forget;
  logic [3:0]                 look_proc;
  logic [TableBits-1:0]       look_kidx, look_qidx;
  logic [xtq_pkg::EntryW-1:0] ker, que;
  logic [PlaceW-1:0]          que_place, forget_place, req_place;
  logic [63:0]                rb_table, rb_rbuf;
  nic_pkg::retire_t           ret_task, ret_table;

  xtq_table #(
    .NumProcs(NumProcs),
    .TableBits(TableBits),
    .TableCache(TableCache)
  ) u_table (
    .clk_i,
    .rst_ni,
    .cfg_rid_i,
    .look_valid_i(look_valid),
    .look_ready_o(look_ready),
    .look_proc_i(look_proc),
    .look_ker_i(look_ker),
    .look_func_i(look_func),
    .look_kidx_i(look_kidx),
    .look_que_i(look_que),
    .look_qidx_i(look_qidx),
    .soon_i(soon),
    .hold_i(hold),
    .found_o(found),
    .ker_ok_o(ker_ok),
    .ker_err_o(ker_err),
    .ker_o(ker),
    .que_ok_o(que_ok),
    .que_err_o(que_err),
    .que_o(que),
    .que_place_o(que_place),
    .forget_o(forget),
    .forget_place_o(forget_place),
    .rd_valid_o(trd_valid_o),
    .rd_ready_i(trd_ready_i),
    .rd_o(trd_o),
    .rdata_valid_i(tdata_valid_i),
    .rdata_ready_o(tdata_ready_o),
    .rdata_i(tdata_i),
    .wr_valid_o(twr_valid_o),
    .wr_ready_i(twr_ready_i),
    .wr_o(twr_o),
    .wdata_valid_o(twdata_valid_o),
    .wdata_ready_i(twdata_ready_i),
    .wdata_o(twdata_o),
    .wr_done_i(twr_done_i),
    .hits_o,
    .misses_o,
    .ret_valid_o(ret_valid_o[1]),
    .ret_o(ret_table),
    .rb_i,
    .rb_rdata_o(rb_table)
  );

  // ---- receive buffers ----
  logic             find, find_all, fit, none, take;
  logic [3:0]       find_proc;
  logic [31:0]      find_bytes, number, room;
  logic [63:0]      va;
  nic_pkg::event_t  ev_buffer, ev_task;

  xtq_rbuf #(
    .NumProcs(NumProcs),
    .RecvDepth(RecvDepth)
  ) u_rbuf (
    .clk_i,
    .rst_ni,
    .find_i(find),
    .proc_i(find_proc),
    .bytes_i(find_bytes),
    .all_i(find_all),
    .fit_o(fit),
    .none_o(none),
    .va_o(va),
    .number_o(number),
    .room_o(room),
    .take_i(take),
    .event_valid_o(event_valid_o[1]),
    .event_ready_i(event_ready_i[1]),
    .event_o(ev_buffer),
    .rb_i,
    .rb_rdata_o(rb_rbuf)
  );

  // ---- queues ----
  logic        req_valid, req_ready, req_multi, rsp_valid, quiet_q, idle;
  logic [15:0] req_rid;
  logic [63:0] req_block, rsp_index;
  logic [4:0]  req_size;
  logic [3:0]  rsp_why;

  xtq_queue #(
    .Places(1 << PlaceW)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .forget_i(forget),
    .forget_place_i(forget_place),
    .req_valid_i(req_valid),
    .req_ready_o(req_ready),
    .req_place_i(req_place),
    .req_rid_i(req_rid),
    .req_block_i(req_block),
    .req_size_i(req_size),
    .req_multi_i(req_multi),
    .rsp_valid_o(rsp_valid),
    .rsp_why_o(rsp_why),
    .rsp_index_o(rsp_index),
    .quiet_i(quiet_q),
    .rd_valid_o(qrd_valid_o),
    .rd_ready_i(qrd_ready_i),
    .rd_o(qrd_o),
    .rdata_valid_i(qdata_valid_i),
    .rdata_ready_o(qdata_ready_o),
    .rdata_i(qdata_i)
  );

  // ---- checks ----
  logic            order_valid, order_ready, beat_valid, beat_ready, head_valid, head_ready;
  xtq_pkg::order_t order;
  nic_pkg::bytes_t beat, head;
  logic [nic_pkg::BytesW-1:0] head_bits;

  xtq_check #(
    .NumProcs(NumProcs),
    .NumQps(NumQps),
    .TableBits(TableBits),
    .PlaceW(PlaceW)
  ) u_check (
    .clk_i,
    .rst_ni,
    .cfg_rid_i,
    .ask_valid_i,
    .ask_ready_o,
    .ask_i,
    .pay_valid_i,
    .pay_ready_o,
    .pay_i,
    .ans_valid_o,
    .ans_why_o,
    .gave_up_i,
    .gave_up_qp_i,
    .stop_i,
    .stop_qp_i,
    .task_valid_i,
    .task_log_i,
    .task_proc_i,
    .task_queue_i,
    .task_packet_i,
    .task_ans_o,
    .task_ok_o,
    .task_event_o,
    .look_valid_o(look_valid),
    .look_ready_i(look_ready),
    .look_proc_o(look_proc),
    .look_ker_o(look_ker),
    .look_func_o(look_func),
    .look_kidx_o(look_kidx),
    .look_que_o(look_que),
    .look_qidx_o(look_qidx),
    .soon_o(soon),
    .hold_o(hold),
    .found_i(found),
    .ker_ok_i(ker_ok),
    .ker_err_i(ker_err),
    .ker_i(ker),
    .que_ok_i(que_ok),
    .que_err_i(que_err),
    .que_i(que),
    .que_place_i(que_place),
    .find_o(find),
    .find_proc_o(find_proc),
    .find_bytes_o(find_bytes),
    .find_all_o(find_all),
    .fit_i(fit),
    .none_i(none),
    .va_i(va),
    .number_i(number),
    .room_i(room),
    .take_o(take),
    .rsv_valid_o,
    .rsv_proc_o,
    .rsv_ok_i,
    .back_valid_o,
    .back_proc_o,
    .back_num_o,
    .req_valid_o(req_valid),
    .req_ready_i(req_ready),
    .req_place_o(req_place),
    .req_rid_o(req_rid),
    .req_block_o(req_block),
    .req_size_o(req_size),
    .req_multi_o(req_multi),
    .rsp_valid_i(rsp_valid),
    .rsp_why_i(rsp_why),
    .rsp_index_i(rsp_index),
    .order_valid_o(order_valid),
    .order_ready_i(order_ready),
    .order_o(order),
    .beat_valid_o(beat_valid),
    .beat_ready_i(beat_ready),
    .beat_o(beat),
    .ret_valid_o(ret_valid_o[0]),
    .ret_o(ret_task)
  );

  cm_fifo #(
    .Width(nic_pkg::BytesW),
    .Depth(8)
  ) u_beats (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(beat_valid),
    .in_ready_o(beat_ready),
    .in_data_i(beat),
    .out_valid_o(head_valid),
    .out_ready_i(head_ready),
    .out_data_o(head_bits),
    .level_o()
  );
  assign head = head_bits;

  // ---- writes ----
  // Jobs handed over that have not left: the last one of a packet is marked.
  logic            job_valid, job_last, away_room, away_valid, away_last, pay_valid, pay_ready;
  logic [4:0]      away;
  nic_pkg::bytes_t pay;
  logic [nic_pkg::BytesW-1:0] wdata_bits;

  xtq_write u_write (
    .clk_i,
    .rst_ni,
    .order_valid_i(order_valid),
    .order_ready_o(order_ready),
    .order_i(order),
    .beat_valid_i(head_valid),
    .beat_ready_o(head_ready),
    .beat_i(head),
    .job_valid_o(job_valid),
    .job_ready_i(wr_ready_i && away_room),
    .job_o(wr_o),
    .job_last_o(job_last),
    .pay_valid_o(pay_valid),
    .pay_ready_i(pay_ready),
    .pay_o(pay),
    .event_valid_o(event_valid_o[0]),
    .event_ready_i(event_ready_i[0]),
    .event_o(ev_task),
    .idle_o(idle)
  );

  cm_fifo #(
    .Width(1),
    .Depth(16)
  ) u_away (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(job_valid && wr_ready_i),
    .in_ready_o(away_room),
    .in_data_i(job_last),
    .out_valid_o(away_valid),
    .out_ready_i(wr_done_i),
    .out_data_o(away_last),
    .level_o(away)
  );
  assign wr_valid_o = job_valid && away_room;

  // nic_wr_mux takes the bytes of a job in the cycle after the job: here they wait for that, so that the next job need
  // not.
  cm_fifo #(
    .Width(nic_pkg::BytesW),
    .Depth(2)
  ) u_pay (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(pay_valid),
    .in_ready_o(pay_ready),
    .in_data_i(pay),
    .out_valid_o(wdata_valid_o),
    .out_ready_i(wdata_ready_i),
    .out_data_o(wdata_bits),
    .level_o()
  );
  assign wdata_o = wdata_bits;

  assign left_o     = away_valid && away_last && wr_done_i;
  // An order that is taken now is seen in the next cycle only: it counts while it is offered.
  always_ff @(posedge clk_i) quiet_q <= rst_ni && idle && away == '0 && !order_valid;

  assign event_o    = {ev_buffer, ev_task};
  assign ret_o      = {ret_table, ret_task};
  assign rb_rdata_o = rb_table | rb_rbuf;

endmodule

`default_nettype wire
