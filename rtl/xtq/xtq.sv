// SPDX-License-Identifier: Apache-2.0
// xtq: all of task queuing behind one face. Wires xtq_target and xtq_task together.
//
//   ask, payload (nic_decide) --> xtq_target --> writers: 0 tasks, 1 tables         (nic_dma)
//   task port (IOMMU) -> xtq_task --^  |  `--> readers: 0 queue indices, 1 tables (nic_dma)
//          ^-- task done --'  |        |
//                             `--------+-----> events (nic_event): 0 task enqueued or message received,
//                                               1 buffer used up, 2 task done
//
// P1  idle_o: no task of a log is under way. While hold_i is high none is begun, so idle_o comes; asks are taken all
//     the same (xtq_task P6). Registers change only while hold_i and idle_o are high and nic_decide has no ask without
//     its answer.
// P2  left_o once for each packet that was not refused and has bytes, in order: all that it wrote has left (xtq_target
//     P3).
// What else is promised stands in the parts. Rules of README.md: ENQ-6.
//
// Measured at 256 bits, on-chip tables, a queue whose indices are known, memory that takes everything at once
// (test_xtq.c prints it): last beat of a message to its doorbell's TLP 12 cycles, a log's notice to its doorbell's 24;
// 64-byte payloads one every 8. Cost: its parts.
`default_nettype none

module xtq #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned NumQps = 16,
  parameter int unsigned RecvDepth = 8,
  parameter int unsigned TableBits = 6,
  parameter int unsigned TableCache = 0,
  parameter int unsigned NumLogs = 8,
  localparam int unsigned DmaW = nic_pkg::DmaW,
  localparam int unsigned BytesW = nic_pkg::BytesW,
  localparam int unsigned EventW = nic_pkg::EventW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [15:0]                cfg_rid_i,
  input  wire logic [31:0]                cfg_tick_i,

  // Before a register write: hold_i until idle_o, and in the cycle of the write
  input  wire logic                       hold_i,
  output logic                            idle_o,

  // Packets of XtqPuts and SENDs (nic_decide), and those that come to nothing
  input  wire logic                       ask_valid_i,
  output logic                            ask_ready_o,
  input  wire nic_pkg::xtq_ask_t          ask_i,
  input  wire logic                       pay_valid_i,
  output logic                            pay_ready_o,
  input  wire nic_pkg::bytes_t            pay_i,
  output logic                            ans_valid_o,
  output logic      [3:0]                 ans_why_o,
  input  wire logic                       gave_up_i,
  input  wire logic [7:0]                 gave_up_qp_i,
  input  wire logic                       stop_i,
  input  wire logic [7:0]                 stop_qp_i,
  output logic                            left_o,

  // The IOMMU's task port
  input  wire logic                       task_valid_i,
  output logic                            task_ready_o,
  input  wire logic [4:0]                 task_log_i,
  input  wire logic [31:0]                task_prod_i,
  input  wire logic [31:0]                task_cons_i,
  output logic                            task_done_valid_o,
  output logic      [4:0]                 task_done_log_o,

  // Event rings: a place, taken in the cycle of both; places given back; events
  output logic                            rsv_valid_o,
  output logic      [nic_pkg::ProcW-1:0]  rsv_proc_o,
  input  wire logic                       rsv_ok_i,
  output logic                            back_valid_o,
  output logic      [nic_pkg::ProcW-1:0]  back_proc_o,
  output logic      [5:0]                 back_num_o,
  output logic      [2:0]                 ev_valid_o,
  input  wire logic [2:0]                 ev_ready_i,
  output logic      [3*EventW-1:0]        ev_o,

  // Writers
  output logic      [1:0]                 wr_job_valid_o,
  input  wire logic [1:0]                 wr_job_ready_i,
  output logic      [2*DmaW-1:0]          wr_job_o,
  output logic      [1:0]                 wr_pay_valid_o,
  input  wire logic [1:0]                 wr_pay_ready_i,
  output logic      [2*BytesW-1:0]        wr_pay_o,
  input  wire logic [1:0]                 wr_done_i,

  // Readers
  output logic      [1:0]                 rd_job_valid_o,
  input  wire logic [1:0]                 rd_job_ready_i,
  output logic      [2*DmaW-1:0]          rd_job_o,
  input  wire logic [1:0]                 rd_valid_i,
  output logic      [1:0]                 rd_ready_o,
  input  wire nic_pkg::bytes_t            rd_beat_i,     // of both: valid says whose it is

  // Counters: look-ups in the tables' caches
  output logic      [1:0]                 hits_o,
  output logic      [1:0]                 misses_o,

  // Records
  output logic                            ret_task_valid_o,
  output nic_pkg::retire_t                ret_task_o,
  output logic                            ret_table_valid_o,
  output nic_pkg::retire_t                ret_table_o,

  // Registers
  input  wire cm_pkg::reg_bus_t           rb_i,
  output logic      [63:0]                rb_rdata_o
);

  logic            task_valid, task_ans, task_ok, task_event;
  logic [4:0]      task_log;
  logic [3:0]      task_proc;
  logic [15:0]     task_queue;
  logic [511:0]    task_packet;
  logic [63:0]     rd_target, rd_task;
  nic_pkg::dma_t   wr_task, wr_table, rd_index, rd_table;
  nic_pkg::bytes_t pay_task, pay_table;
  nic_pkg::event_t ev_done;

  assign wr_job_o   = {wr_table, wr_task};
  assign wr_pay_o   = {pay_table, pay_task};
  assign rd_job_o   = {rd_table, rd_index};
  assign rb_rdata_o = rd_target | rd_task;

  xtq_target #(
    .NumProcs(NumProcs),
    .NumQps(NumQps),
    .RecvDepth(RecvDepth),
    .TableBits(TableBits),
    .TableCache(TableCache)
  ) u_target (
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
    .task_valid_i(task_valid),
    .task_log_i(task_log),
    .task_proc_i(task_proc),
    .task_queue_i(task_queue),
    .task_packet_i(task_packet),
    .task_ans_o(task_ans),
    .task_ok_o(task_ok),
    .task_event_o(task_event),
    .rsv_valid_o,
    .rsv_proc_o,
    .rsv_ok_i,
    .back_valid_o,
    .back_proc_o,
    .back_num_o,
    .event_valid_o(ev_valid_o[1:0]),
    .event_ready_i(ev_ready_i[1:0]),
    .event_o(ev_o[2*EventW-1:0]),
    .wr_valid_o(wr_job_valid_o[0]),
    .wr_ready_i(wr_job_ready_i[0]),
    .wr_o(wr_task),
    .wdata_valid_o(wr_pay_valid_o[0]),
    .wdata_ready_i(wr_pay_ready_i[0]),
    .wdata_o(pay_task),
    .wr_done_i(wr_done_i[0]),
    .left_o,
    .qrd_valid_o(rd_job_valid_o[0]),
    .qrd_ready_i(rd_job_ready_i[0]),
    .qrd_o(rd_index),
    .qdata_valid_i(rd_valid_i[0]),
    .qdata_ready_o(rd_ready_o[0]),
    .qdata_i(rd_beat_i),
    .trd_valid_o(rd_job_valid_o[1]),
    .trd_ready_i(rd_job_ready_i[1]),
    .trd_o(rd_table),
    .tdata_valid_i(rd_valid_i[1]),
    .tdata_ready_o(rd_ready_o[1]),
    .tdata_i(rd_beat_i),
    .twr_valid_o(wr_job_valid_o[1]),
    .twr_ready_i(wr_job_ready_i[1]),
    .twr_o(wr_table),
    .twdata_valid_o(wr_pay_valid_o[1]),
    .twdata_ready_i(wr_pay_ready_i[1]),
    .twdata_o(pay_table),
    .twr_done_i(wr_done_i[1]),
    .hits_o,
    .misses_o,
    .ret_valid_o({ret_table_valid_o, ret_task_valid_o}),
    .ret_o({ret_table_o, ret_task_o}),
    .rb_i,
    .rb_rdata_o(rd_target)
  );

  xtq_task #(
    .NumLogs(NumLogs),
    .NumProcs(NumProcs)
  ) u_task (
    .clk_i,
    .rst_ni,
    .cfg_tick_i,
    .hold_i,
    .idle_o,
    .notice_valid_i(task_valid_i),
    .notice_ready_o(task_ready_o),
    .notice_log_i(task_log_i),
    .notice_prod_i(task_prod_i),
    .notice_cons_i(task_cons_i),
    .done_o(task_done_valid_o),
    .done_log_o(task_done_log_o),
    .task_valid_o(task_valid),
    .task_log_o(task_log),
    .task_proc_o(task_proc),
    .task_queue_o(task_queue),
    .task_packet_o(task_packet),
    .task_ans_i(task_ans),
    .task_ok_i(task_ok),
    .task_event_i(task_event),
    .event_valid_o(ev_valid_o[2]),
    .event_ready_i(ev_ready_i[2]),
    .event_o(ev_done),
    .rb_i,
    .rb_rdata_o(rd_task)
  );
  assign ev_o[2*EventW+:EventW] = ev_done;

endmodule

`default_nettype wire
