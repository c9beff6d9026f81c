// SPDX-License-Identifier: Apache-2.0
// xtq_sim: xtq with the NIC's memory side behind it, so that a test sees TLPs: test_xtq.c. Wires only; no
// part of the product.
`default_nettype none

module xtq_sim #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned NumQps = 16,
  parameter int unsigned RecvDepth = 8,
  parameter int unsigned TableBits = 6,
  parameter int unsigned TableCache = 0,
  parameter int unsigned NumLogs = 8
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,
  input  wire logic [31:0]                    cfg_tick_i,
  input  wire logic                           hold_i,
  output logic                                idle_o,
  input  wire logic                           ask_valid_i,
  output logic                                ask_ready_o,
  input  wire nic_pkg::xtq_ask_t              ask_i,
  input  wire logic                           pay_valid_i,
  output logic                                pay_ready_o,
  input  wire nic_pkg::bytes_t                pay_i,
  output logic                                ans_valid_o,
  output logic      [3:0]                     ans_why_o,
  output logic                                left_o,
  input  wire logic                           task_valid_i,
  output logic                                task_ready_o,
  input  wire logic [4:0]                     task_log_i,
  input  wire logic [31:0]                    task_prod_i,
  input  wire logic [31:0]                    task_cons_i,
  output logic                                task_done_valid_o,
  output logic      [4:0]                     task_done_log_o,
  output logic                                rsv_valid_o,
  input  wire logic                           rsv_ok_i,
  output logic                                back_valid_o,
  output logic      [5:0]                     back_num_o,
  output logic      [2:0]                     ev_valid_o,
  input  wire logic [2:0]                     ev_ready_i,
  output logic      [3*nic_pkg::EventW-1:0]   ev_o,
  output logic                                req_valid_o,
  input  wire logic                           req_ready_i,
  output cm_pkg::tlp_t                        req_o,
  input  wire logic                           cpl_valid_i,
  output logic                                cpl_ready_o,
  input  wire cm_pkg::tlp_t                   cpl_i,
  output logic                                ret_task_valid_o,
  output logic                                ret_table_valid_o,
  input  wire cm_pkg::reg_bus_t               rb_i,
  output logic      [63:0]                    rb_rdata_o
);

  logic [1:0]                    wj_valid, wj_ready, wp_valid, wp_ready, w_done, rj_valid, rj_ready, r_valid,
                                 r_ready, hits, misses;
  logic [2*nic_pkg::DmaW-1:0]    wj, rj;
  logic [2*nic_pkg::BytesW-1:0]  wp;
  nic_pkg::bytes_t               item;
  nic_pkg::retire_t              ret_task, ret_table;
  logic [3:0]                    rsv_proc, back_proc;
  logic                          stray, bad_item, unused;
  assign unused = &{1'b0, hits, misses, ret_task, ret_table, rsv_proc, back_proc, stray, bad_item};

  xtq #(
    .NumProcs(NumProcs),
    .NumQps(NumQps),
    .RecvDepth(RecvDepth),
    .TableBits(TableBits),
    .TableCache(TableCache),
    .NumLogs(NumLogs)
  ) u_xtq (
    .clk_i,
    .rst_ni,
    .cfg_rid_i(16'h0700),
    .cfg_tick_i,
    .hold_i,
    .idle_o,
    .ask_valid_i,
    .ask_ready_o,
    .ask_i,
    .pay_valid_i,
    .pay_ready_o,
    .pay_i,
    .ans_valid_o,
    .ans_why_o,
    .left_o,
    .gave_up_i(1'b0),
    .gave_up_qp_i('0),
    .stop_i(1'b0),
    .stop_qp_i('0),
    .task_valid_i,
    .task_ready_o,
    .task_log_i,
    .task_prod_i,
    .task_cons_i,
    .task_done_valid_o,
    .task_done_log_o,
    .rsv_valid_o,
    .rsv_proc_o(rsv_proc),
    .rsv_ok_i,
    .back_valid_o,
    .back_proc_o(back_proc),
    .back_num_o,
    .ev_valid_o,
    .ev_ready_i,
    .ev_o,
    .wr_job_valid_o(wj_valid),
    .wr_job_ready_i(wj_ready),
    .wr_job_o(wj),
    .wr_pay_valid_o(wp_valid),
    .wr_pay_ready_i(wp_ready),
    .wr_pay_o(wp),
    .wr_done_i(w_done),
    .rd_job_valid_o(rj_valid),
    .rd_job_ready_i(rj_ready),
    .rd_job_o(rj),
    .rd_valid_i(r_valid),
    .rd_ready_o(r_ready),
    .rd_beat_i(item),
    .hits_o(hits),
    .misses_o(misses),
    .ret_task_valid_o,
    .ret_task_o(ret_task),
    .ret_table_valid_o,
    .ret_table_o(ret_table),
    .rb_i,
    .rb_rdata_o
  );

  nic_dma #(
    .Writers(2),
    .Readers(2)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .cfg_mps_i(3'd1),
    .cfg_mrrs_i(3'd2),
    .cfg_tmo_i(32'd0),
    .tag_free_i(1'b0),
    .wr_job_valid_i(wj_valid),
    .wr_job_ready_o(wj_ready),
    .wr_job_i(wj),
    .wr_pay_valid_i(wp_valid),
    .wr_pay_ready_o(wp_ready),
    .wr_pay_i(wp),
    .wr_done_o(w_done),
    .rd_job_valid_i(rj_valid),
    .rd_job_ready_o(rj_ready),
    .rd_job_i(rj),
    .rd_valid_o(r_valid),
    .rd_ready_i(r_ready),
    .rd_beat_o(item),
    .req_valid_o,
    .req_ready_i,
    .req_o,
    .cpl_valid_i,
    .cpl_ready_o,
    .cpl_i,
    .stray_o(stray),
    .bad_item_o(bad_item)
  );

endmodule

`default_nettype wire
