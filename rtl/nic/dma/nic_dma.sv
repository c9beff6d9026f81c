// SPDX-License-Identifier: Apache-2.0
// nic_dma: memory, for all who read and write it. Wires blocks together.
//
//   wr jobs, bytes --> nic_wr_mux --> nic_wr --+--> nic_tlp_mux --> req
//   rd jobs        --> nic_rd_mux --> nic_rd --^
//   rd items       <-- nic_rd_mux <-- | item | <-- nic_rd <--------- cpl
//
// P1  Jobs of one source happen in order. wr_done_o: the last beat of this source's oldest job left in the cycle
//     before; a read whose job is given after that sees what was written.
// The rest stands in the blocks. Cost: theirs.
// Rules of README.md: QPR-1.
`default_nettype none

module nic_dma #(
  parameter int unsigned Writers = 5,
  parameter int unsigned Readers = 4,
  parameter int unsigned ReadTags = 128,
  parameter int unsigned MaxRead = 512,
  localparam int unsigned JobW = nic_pkg::DmaW,
  localparam int unsigned BytesW = nic_pkg::BytesW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [2:0]                 cfg_mps_i,
  input  wire logic [2:0]                 cfg_mrrs_i,
  input  wire logic [31:0]                cfg_tmo_i,
  input  wire logic                       tag_free_i,

  // Writes
  input  wire logic [Writers-1:0]         wr_job_valid_i,
  output logic      [Writers-1:0]         wr_job_ready_o,
  input  wire logic [Writers*JobW-1:0]    wr_job_i,
  input  wire logic [Writers-1:0]         wr_pay_valid_i,
  output logic      [Writers-1:0]         wr_pay_ready_o,
  input  wire logic [Writers*BytesW-1:0]  wr_pay_i,
  output logic      [Writers-1:0]         wr_done_o,

  // Reads and atomics
  input  wire logic [Readers-1:0]         rd_job_valid_i,
  output logic      [Readers-1:0]         rd_job_ready_o,
  input  wire logic [Readers*JobW-1:0]    rd_job_i,
  output logic      [Readers-1:0]         rd_valid_o,
  input  wire logic [Readers-1:0]         rd_ready_i,
  output nic_pkg::bytes_t                 rd_beat_o,

  // TLPs
  output logic                            req_valid_o,
  input  wire logic                       req_ready_i,
  output cm_pkg::tlp_t                    req_o,
  input  wire logic                       cpl_valid_i,
  output logic                            cpl_ready_o,
  input  wire cm_pkg::tlp_t               cpl_i,

  // For the counters: a completion dropped, an item with err gone
  output logic                            stray_o,
  output logic                            bad_item_o
);

  logic            wj_valid, wj_ready, wp_valid, wp_ready, wr_done, rj_valid, rj_ready, item_valid, item_ready, p_valid,
                   p_ready, out_valid, out_ready,
                   np_valid, np_ready, err_stray, err_malformed, unused_timeout;
  logic [7:0]      unused_tag;
  nic_pkg::dma_t   wj, rj;
  nic_pkg::bytes_t wp, item, out;
  cm_pkg::tlp_t    p, np;

  nic_wr_mux #(
    .Sources(Writers),
    .Ahead(8)
  ) u_wr_mux (
    .clk_i,
    .rst_ni,
    .job_valid_i(wr_job_valid_i),
    .job_ready_o(wr_job_ready_o),
    .job_i(wr_job_i),
    .pay_valid_i(wr_pay_valid_i),
    .pay_ready_o(wr_pay_ready_o),
    .pay_i(wr_pay_i),
    .done_o(wr_done_o),
    .job_valid_o(wj_valid),
    .job_ready_i(wj_ready),
    .job_o(wj),
    .pay_valid_o(wp_valid),
    .pay_ready_i(wp_ready),
    .pay_o(wp),
    .done_i(wr_done)
  );

  nic_wr u_wr (
    .clk_i,
    .rst_ni,
    .cfg_mps_i,
    .job_valid_i(wj_valid),
    .job_ready_o(wj_ready),
    .job_i(wj),
    .pay_valid_i(wp_valid),
    .pay_ready_o(wp_ready),
    .pay_i(wp),
    .req_valid_o(p_valid),
    .req_ready_i(p_ready),
    .req_o(p),
    .done_o(wr_done)
  );

  nic_rd_mux #(
    .Sources(Readers),
    .Jobs(2 * ReadTags)
  ) u_rd_mux (
    .clk_i,
    .rst_ni,
    .job_valid_i(rd_job_valid_i),
    .job_ready_o(rd_job_ready_o),
    .job_i(rd_job_i),
    .item_valid_o(rd_valid_o),
    .item_ready_i(rd_ready_i),
    .item_o(rd_beat_o),
    .job_valid_o(rj_valid),
    .job_ready_i(rj_ready),
    .job_o(rj),
    .item_valid_i(item_valid),
    .item_ready_o(item_ready),
    .item_i(item)
  );

  nic_rd #(
    .ReadTags(ReadTags),
    .MaxRead(MaxRead)
  ) u_rd (
    .clk_i,
    .rst_ni,
    .cfg_mrrs_i,
    .cfg_tmo_i,
    .tag_free_i,
    .job_valid_i(rj_valid),
    .job_ready_o(rj_ready),
    .job_i(rj),
    .req_valid_o(np_valid),
    .req_ready_i(np_ready),
    .req_o(np),
    .cpl_valid_i,
    .cpl_ready_o,
    .cpl_i,
    .out_valid_o(out_valid),
    .out_ready_i(out_ready),
    .out_o(out),
    .err_stray_o(err_stray),
    .err_malformed_o(err_malformed),
    .err_timeout_o(unused_timeout),
    .err_tag_o(unused_tag)
  );

  // Who takes an item knows late that it does; memory's jobs and tags do not wait for that.
  cm_skid #(
    .Width(BytesW)
  ) u_item (
    .clk_i,
    .rst_ni,
    .in_valid_i(out_valid),
    .in_ready_o(out_ready),
    .in_data_i(out),
    .out_valid_o(item_valid),
    .out_ready_i(item_ready),
    .out_data_o(item),
    .level_o()
  );

  nic_tlp_mux u_req_mux (
    .clk_i,
    .rst_ni,
    .p_valid_i(p_valid),
    .p_ready_o(p_ready),
    .p_i(p),
    .np_valid_i(np_valid),
    .np_ready_o(np_ready),
    .np_i(np),
    .req_valid_o,
    .req_ready_i,
    .req_o
  );

  assign stray_o    = err_stray || err_malformed;
  assign bad_item_o = item_valid && item_ready && item.last && item.err;

endmodule

`default_nettype wire
