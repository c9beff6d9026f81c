// SPDX-License-Identifier: Apache-2.0
// ax_dev: an AXI4 master as a device of the IOMMU: its bursts become TLPs, their completions its responses.
//
//   aw, w --> ax_wr --runs--> nic_wr --+--> nic_tlp_mux --> req
//   ar    --> ax_rd --jobs--> nic_rd --^
//   r     <-- ax_rd <--items- nic_rd <-------------------- cpl
//
// P1  A write burst is answered when it has left, in order with all that is sent later; a read that is asked for after
//     the answer is sent after it. What the IOMMU then blocks is answered OKAY all the same (a posted write has no
//     other answer).
// P2  A read that the IOMMU refuses, or that comes back damaged or not in time, is SLVERR in all of its beats.
// P3  TLPs have at most MPS bytes, reads at most MRRS, none crosses 4 KiB; the requester id is AxUSER of the burst.
// The rest stands in the blocks. It only wires.
`default_nettype none

module ax_dev #(
  parameter int unsigned IdW = 4,
  parameter int unsigned MaxWrite = 512,  // bytes of a write's TLP, at most (MPS may say less)
  parameter int unsigned Bursts = 8,      // read bursts under way
  parameter int unsigned ReadTags = 16,   // reads under way; ReadTags x MaxRead must be at least 8192
  parameter int unsigned MaxRead = 512,   // bytes of a read's TLP, at most (MRRS may say less)
  localparam int unsigned DataW = nic_pkg::DataW
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [2:0]          cfg_mps_i,   // 128 << n
  input  wire logic [2:0]          cfg_mrrs_i,  // 128 << n
  input  wire logic [31:0]         cfg_tmo_i,   // cycles from a read's TLP on; 0: never
  input  wire logic                tag_free_i,  // pulse: the tags of reads that came not in time may be used again

  // AXI4
  input  wire logic [IdW-1:0]      s_axi_awid,
  input  wire logic [63:0]         s_axi_awaddr,
  input  wire logic [7:0]          s_axi_awlen,
  input  wire logic [2:0]          s_axi_awsize,
  input  wire logic [1:0]          s_axi_awburst,
  input  wire logic [15:0]         s_axi_awuser,
  input  wire logic                s_axi_awvalid,
  output logic                     s_axi_awready,
  input  wire logic [DataW-1:0]    s_axi_wdata,
  input  wire logic [DataW/8-1:0]  s_axi_wstrb,
  input  wire logic                s_axi_wlast,
  input  wire logic                s_axi_wvalid,
  output logic                     s_axi_wready,
  output logic      [IdW-1:0]      s_axi_bid,
  output logic      [1:0]          s_axi_bresp,
  output logic                     s_axi_bvalid,
  input  wire logic                s_axi_bready,
  input  wire logic [IdW-1:0]      s_axi_arid,
  input  wire logic [63:0]         s_axi_araddr,
  input  wire logic [7:0]          s_axi_arlen,
  input  wire logic [2:0]          s_axi_arsize,
  input  wire logic [1:0]          s_axi_arburst,
  input  wire logic [15:0]         s_axi_aruser,
  input  wire logic                s_axi_arvalid,
  output logic                     s_axi_arready,
  output logic      [IdW-1:0]      s_axi_rid,
  output logic      [DataW-1:0]    s_axi_rdata,
  output logic      [1:0]          s_axi_rresp,
  output logic                     s_axi_rlast,
  output logic                     s_axi_rvalid,
  input  wire logic                s_axi_rready,

  // TLPs
  output logic                     req_valid_o,
  input  wire logic                req_ready_i,
  output cm_pkg::tlp_t             req_o,
  input  wire logic                cpl_valid_i,
  output logic                     cpl_ready_o,
  input  wire cm_pkg::tlp_t        cpl_i,

  // Pulses: a completion that nobody waits for, one that is malformed, a read whose completion came not in time
  output logic                     err_stray_o,
  output logic                     err_malformed_o,
  output logic                     err_timeout_o
);

  logic            wj_valid, wj_ready, wp_valid, wp_ready, rj_valid, rj_ready, item_valid, item_ready, p_valid, p_ready,
                   np_valid, np_ready, taken, taken_q, done, unused;
  logic [7:0]      unused_tag;
  nic_pkg::dma_t   wj, rj;
  nic_pkg::bytes_t wp, item;
  cm_pkg::tlp_t    p, np;
  assign unused = &{1'b0, s_axi_awlen, unused_tag};

  ax_wr #(
    .IdW(IdW),
    .MaxWrite(MaxWrite)
  ) u_awr (
    .clk_i,
    .rst_ni,
    .awid_i(s_axi_awid),
    .awaddr_i(s_axi_awaddr),
    .awsize_i(s_axi_awsize),
    .awburst_i(s_axi_awburst),
    .awuser_i(s_axi_awuser),
    .awvalid_i(s_axi_awvalid),
    .awready_o(s_axi_awready),
    .wdata_i(s_axi_wdata),
    .wstrb_i(s_axi_wstrb),
    .wlast_i(s_axi_wlast),
    .wvalid_i(s_axi_wvalid),
    .wready_o(s_axi_wready),
    .bid_o(s_axi_bid),
    .bresp_o(s_axi_bresp),
    .bvalid_o(s_axi_bvalid),
    .bready_i(s_axi_bready),
    .job_valid_o(wj_valid),
    .job_ready_i(wj_ready),
    .job_o(wj),
    .pay_valid_o(wp_valid),
    .pay_ready_i(wp_ready),
    .pay_o(wp),
    .done_i(done)
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
    .done_o(taken)
  );

  ax_rd #(
    .IdW(IdW),
    .Bursts(Bursts)
  ) u_ard (
    .clk_i,
    .rst_ni,
    .arid_i(s_axi_arid),
    .araddr_i(s_axi_araddr),
    .arlen_i(s_axi_arlen),
    .arsize_i(s_axi_arsize),
    .arburst_i(s_axi_arburst),
    .aruser_i(s_axi_aruser),
    .arvalid_i(s_axi_arvalid),
    .arready_o(s_axi_arready),
    .rid_o(s_axi_rid),
    .rdata_o(s_axi_rdata),
    .rresp_o(s_axi_rresp),
    .rlast_o(s_axi_rlast),
    .rvalid_o(s_axi_rvalid),
    .rready_i(s_axi_rready),
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
    .out_valid_o(item_valid),
    .out_ready_i(item_ready),
    .out_o(item),
    .err_stray_o,
    .err_malformed_o,
    .err_timeout_o,
    .err_tag_o(unused_tag)
  );

  nic_tlp_mux u_mux (
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

  // What nic_wr has given is in the multiplexer's register a cycle later.
  assign done = taken_q && req_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) taken_q <= 1'b0;
    else taken_q <= taken || (taken_q && !req_ready_i);
  end

endmodule

`default_nettype wire
