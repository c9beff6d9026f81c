// SPDX-License-Identifier: Apache-2.0
// card: the IOMMU on a PCIe card with a hard core of UltraScale+, by verilog-pcie's shim. Its pins are those of the core's user side, of
// one device, and of the memory that has tables and logs.
//
//   device <--dev_*--> aa_iommu <--host_*--> px_host <--TLPs--> shim <--RQ, RC, CQ, CC--> hard core
//                         ^  `--m_axi--> memory on the card           |
//                         `--------- registers, 32 to 64 bits --------'  BAR 0
module card (
  input  wire logic         clk,
  input  wire logic         rst,

  // Hard core
  input  wire logic [255:0] s_axis_rc_tdata,
  input  wire logic [7:0]   s_axis_rc_tkeep,
  input  wire logic         s_axis_rc_tvalid,
  output logic              s_axis_rc_tready,
  input  wire logic         s_axis_rc_tlast,
  input  wire logic [74:0]  s_axis_rc_tuser,
  output logic [255:0]      m_axis_rq_tdata,
  output logic [7:0]        m_axis_rq_tkeep,
  output logic              m_axis_rq_tvalid,
  input  wire logic         m_axis_rq_tready,
  output logic              m_axis_rq_tlast,
  output logic [61:0]       m_axis_rq_tuser,
  input  wire logic [255:0] s_axis_cq_tdata,
  input  wire logic [7:0]   s_axis_cq_tkeep,
  input  wire logic         s_axis_cq_tvalid,
  output logic              s_axis_cq_tready,
  input  wire logic         s_axis_cq_tlast,
  input  wire logic [87:0]  s_axis_cq_tuser,
  output logic [255:0]      m_axis_cc_tdata,
  output logic [7:0]        m_axis_cc_tkeep,
  output logic              m_axis_cc_tvalid,
  input  wire logic         m_axis_cc_tready,
  output logic              m_axis_cc_tlast,
  output logic [32:0]       m_axis_cc_tuser,
  input  wire logic [5:0]   s_axis_rq_seq_num_0,
  input  wire logic         s_axis_rq_seq_num_valid_0,
  input  wire logic [5:0]   s_axis_rq_seq_num_1,
  input  wire logic         s_axis_rq_seq_num_valid_1,
  input  wire logic [2:0]   cfg_max_payload,
  input  wire logic [2:0]   cfg_max_read_req,
  input  wire logic [7:0]   cfg_fc_ph,
  input  wire logic [11:0]  cfg_fc_pd,
  input  wire logic [7:0]   cfg_fc_nph,
  input  wire logic [11:0]  cfg_fc_npd,
  input  wire logic [7:0]   cfg_fc_cplh,
  input  wire logic [11:0]  cfg_fc_cpld,
  output logic [2:0]        cfg_fc_sel,

  // Device
  input  wire logic         dev_req_valid_i,
  output logic              dev_req_ready_o,
  input  wire logic [127:0] dev_req_hdr_i,
  input  wire logic [255:0] dev_req_data_i,
  input  wire logic [7:0]   dev_req_strb_i,
  input  wire logic [7:0]   dev_req_seq_i,
  input  wire logic         dev_req_sop_i,
  input  wire logic         dev_req_eop_i,
  output logic              dev_cpl_valid_o,
  input  wire logic         dev_cpl_ready_i,
  output logic [127:0]      dev_cpl_hdr_o,
  output logic [255:0]      dev_cpl_data_o,
  output logic [7:0]        dev_cpl_strb_o,
  output logic [7:0]        dev_cpl_seq_o,
  output logic              dev_cpl_sop_o,
  output logic              dev_cpl_eop_o,

  // Memory
  output logic [7:0]        m_axi_awid,
  output logic [63:0]       m_axi_awaddr,
  output logic [7:0]        m_axi_awlen,
  output logic [2:0]        m_axi_awsize,
  output logic [1:0]        m_axi_awburst,
  output logic              m_axi_awvalid,
  input  wire logic         m_axi_awready,
  output logic [255:0]      m_axi_wdata,
  output logic [31:0]       m_axi_wstrb,
  output logic              m_axi_wlast,
  output logic              m_axi_wvalid,
  input  wire logic         m_axi_wready,
  input  wire logic [7:0]   m_axi_bid,
  input  wire logic [1:0]   m_axi_bresp,
  input  wire logic         m_axi_bvalid,
  output logic              m_axi_bready,
  output logic [7:0]        m_axi_arid,
  output logic [63:0]       m_axi_araddr,
  output logic [7:0]        m_axi_arlen,
  output logic [2:0]        m_axi_arsize,
  output logic [1:0]        m_axi_arburst,
  output logic              m_axi_arvalid,
  input  wire logic         m_axi_arready,
  input  wire logic [7:0]   m_axi_rid,
  input  wire logic [255:0] m_axi_rdata,
  input  wire logic [1:0]   m_axi_rresp,
  input  wire logic         m_axi_rlast,
  input  wire logic         m_axi_rvalid,
  output logic              m_axi_rready,

  input  wire logic         plant,    // a bug, for the test to find: addresses below 4 GiB in a header of three DWs
  output logic              dropped,  // px_host threw something away
  output logic              stray
);

  logic rst_ni;
  assign rst_ni = !rst;

  // ---- the IOMMU ----
  logic         req_valid, req_ready, req_sop, req_eop, np_ready, cpl_valid, cpl_ready;
  logic [127:0] req_hdr;
  logic [255:0] req_data;
  logic [7:0]   req_strb, req_seq;
  cm_pkg::tlp_t req, cpl;
  assign req = '{sop: req_sop, eop: req_eop, err: 1'b0, seq: req_seq, strb: req_strb, hdr: req_hdr, data: req_data};
  logic [63:0]  awaddr, araddr, rdata;
  logic [31:0]  wdata;
  logic [3:0]   wstrb;
  logic [1:0]   bresp, rresp;
  logic         awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic         aw_high, aw_high_q, ar_high_q, reading_q;
  aa_iommu u_iommu (
    .clk_i(clk), .rst_ni,
    .dev_req_valid_i,
    .dev_req_ready_o,
    .dev_req_hdr_i,
    .dev_req_data_i,
    .dev_req_strb_i,
    .dev_req_seq_i,
    .dev_req_sop_i,
    .dev_req_eop_i,
    .dev_cpl_valid_o,
    .dev_cpl_ready_i,
    .dev_cpl_hdr_o,
    .dev_cpl_data_o,
    .dev_cpl_strb_o,
    .dev_cpl_seq_o,
    .dev_cpl_sop_o,
    .dev_cpl_eop_o,
    .dev_cpl_error_o(), .dev_reset_i(1'b0), .crd_ph_o(), .crd_pd_o(), .crd_nph_o(), .crd_npd_o(),
    .host_req_valid_o(req_valid), .host_req_ready_i(req_ready), .host_req_hdr_o(req_hdr), .host_req_data_o(req_data),
    .host_req_strb_o(req_strb), .host_req_seq_o(req_seq), .host_req_sop_o(req_sop), .host_req_eop_o(req_eop),
    .host_np_ready_i(np_ready),
    .host_cpl_valid_i(cpl_valid), .host_cpl_ready_o(cpl_ready), .host_cpl_hdr_i(cpl.hdr), .host_cpl_data_i(cpl.data),
    .host_cpl_strb_i(cpl.strb), .host_cpl_seq_i(cpl.seq), .host_cpl_error_i(cpl.err), .host_cpl_sop_i(cpl.sop),
    .host_cpl_eop_i(cpl.eop),
    .m_axi_awid,
    .m_axi_awaddr,
    .m_axi_awlen,
    .m_axi_awsize,
    .m_axi_awburst,
    .m_axi_awvalid,
    .m_axi_awready,
    .m_axi_wdata,
    .m_axi_wstrb,
    .m_axi_wlast,
    .m_axi_wvalid,
    .m_axi_wready,
    .m_axi_bid,
    .m_axi_bresp,
    .m_axi_bvalid,
    .m_axi_bready,
    .m_axi_arid,
    .m_axi_araddr,
    .m_axi_arlen,
    .m_axi_arsize,
    .m_axi_arburst,
    .m_axi_arvalid,
    .m_axi_arready,
    .m_axi_rid,
    .m_axi_rdata,
    .m_axi_rresp,
    .m_axi_rlast,
    .m_axi_rvalid,
    .m_axi_rready,
    .m_axi_awcache(), .m_axi_awprot(), .m_axi_arcache(), .m_axi_arprot(),
    .s_axil_awaddr(awaddr[19:0]), .s_axil_awvalid(awvalid), .s_axil_awready(awready),
    .s_axil_wdata({2{wdata}}), .s_axil_wstrb(aw_high ? {wstrb, 4'd0} : {4'd0, wstrb}), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr[19:0]), .s_axil_arvalid(arvalid && !reading_q), .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .task_valid_o(), .task_ready_i(1'b1), .task_log_o(), .task_prod_o(), .task_cons_o(),
    .task_done_valid_i(1'b0), .task_done_log_i('0),
    .retire_valid_o(), .retire_o()
  );

  // Registers: 32 bits of the master are the half of 64 that the address says, one read at a time.
  assign aw_high = awvalid ? awaddr[2] : aw_high_q;
  always_ff @(posedge clk) begin
    if (awvalid) aw_high_q <= awaddr[2];
    if (arvalid && !reading_q) ar_high_q <= araddr[2];
    if (rst) reading_q <= 1'b0;
    else if (arvalid && arready && !reading_q) reading_q <= 1'b1;
    else if (rvalid && rready) reading_q <= 1'b0;
  end

  // ---- the adapter ----
  logic [127:0] rd_hdr, wr_hdr, tx_hdr, rx_hdr;
  logic [255:0] wr_data, tx_data, rx_data;
  logic [7:0]   wr_strb, tx_strb, rx_strb;
  logic [4:0]   rd_seq, wr_seq, wr_num;
  logic [3:0]   rx_error;
  logic         rd_valid, rd_sop, rd_eop, rd_ready, wr_valid, wr_sop, wr_eop, wr_ready, tx_valid, tx_sop, tx_eop, tx_ready,
                rx_valid, rx_sop, rx_eop, rx_ready, rd_gone, wr_gone;
  logic [7:0]   nph;
  logic [11:0]  npd;
  px_host #(.SeqW(5), .SeqCount(1), .Force64(1'b1)) u_host (
    .clk_i(clk), .rst_ni, .cfg_rid_i(16'h0000),  // function 0; the core knows its bus
    .fc_nph_i(nph), .fc_npd_i(npd),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_i(req), .host_np_ready_o(np_ready),
    .cpl_valid_o(cpl_valid), .cpl_ready_i(cpl_ready), .cpl_o(cpl),
    .tx_rd_req_tlp_hdr(rd_hdr), .tx_rd_req_tlp_seq(rd_seq), .tx_rd_req_tlp_valid(rd_valid), .tx_rd_req_tlp_sop(rd_sop),
    .tx_rd_req_tlp_eop(rd_eop), .tx_rd_req_tlp_ready(rd_ready), .rd_req_tx_seq_num_valid(rd_gone),
    .tx_wr_req_tlp_data(wr_data), .tx_wr_req_tlp_strb(wr_strb), .tx_wr_req_tlp_hdr(wr_hdr), .tx_wr_req_tlp_seq(wr_seq),
    .tx_wr_req_tlp_valid(wr_valid), .tx_wr_req_tlp_sop(wr_sop), .tx_wr_req_tlp_eop(wr_eop), .tx_wr_req_tlp_ready(wr_ready),
    .wr_req_tx_seq_num(wr_num), .wr_req_tx_seq_num_valid(wr_gone),
    .tx_cpl_tlp_data(tx_data), .tx_cpl_tlp_strb(tx_strb), .tx_cpl_tlp_hdr(tx_hdr), .tx_cpl_tlp_valid(tx_valid),
    .tx_cpl_tlp_sop(tx_sop), .tx_cpl_tlp_eop(tx_eop), .tx_cpl_tlp_ready(tx_ready),
    .rx_cpl_tlp_data(rx_data), .rx_cpl_tlp_strb(rx_strb), .rx_cpl_tlp_hdr(rx_hdr), .rx_cpl_tlp_error(rx_error),
    .rx_cpl_tlp_valid(rx_valid), .rx_cpl_tlp_sop(rx_sop), .rx_cpl_tlp_eop(rx_eop), .rx_cpl_tlp_ready(rx_ready),
    .drop_o(dropped), .stray_o(stray)
  );

  // ---- what is of verilog-pcie ----
  shim u_shim (
    .clk, .rst,
    .s_axis_rc_tdata,
    .s_axis_rc_tkeep,
    .s_axis_rc_tvalid,
    .s_axis_rc_tready,
    .s_axis_rc_tlast,
    .s_axis_rc_tuser,
    .m_axis_rq_tdata,
    .m_axis_rq_tkeep,
    .m_axis_rq_tvalid,
    .m_axis_rq_tready,
    .m_axis_rq_tlast,
    .m_axis_rq_tuser,
    .s_axis_cq_tdata,
    .s_axis_cq_tkeep,
    .s_axis_cq_tvalid,
    .s_axis_cq_tready,
    .s_axis_cq_tlast,
    .s_axis_cq_tuser,
    .m_axis_cc_tdata,
    .m_axis_cc_tkeep,
    .m_axis_cc_tvalid,
    .m_axis_cc_tready,
    .m_axis_cc_tlast,
    .m_axis_cc_tuser,
    .s_axis_rq_seq_num_0,
    .s_axis_rq_seq_num_valid_0,
    .s_axis_rq_seq_num_1,
    .s_axis_rq_seq_num_valid_1,
    .cfg_max_payload,
    .cfg_max_read_req,
    .cfg_fc_ph,
    .cfg_fc_pd,
    .cfg_fc_nph,
    .cfg_fc_npd,
    .cfg_fc_cplh,
    .cfg_fc_cpld,
    .cfg_fc_sel,
    .rd_hdr, .rd_seq, .rd_valid, .rd_sop, .rd_eop, .rd_ready, .rd_gone,
    .wr_data, .wr_strb, .wr_hdr(plant && wr_hdr[63:32] == '0 ? {wr_hdr[127:64], wr_hdr[31:0], 32'd0} : wr_hdr),
    .wr_seq, .wr_valid, .wr_sop, .wr_eop, .wr_ready, .wr_num, .wr_gone,
    .tx_data, .tx_strb, .tx_hdr, .tx_valid, .tx_sop, .tx_eop, .tx_ready,
    .rx_data, .rx_strb, .rx_hdr, .rx_error, .rx_valid, .rx_sop, .rx_eop, .rx_ready, .nph, .npd,
    .awaddr, .awvalid, .awready, .wdata, .wstrb, .wvalid, .wready, .bresp, .bvalid, .bready,
    .araddr, .arvalid, .arready(arready && !reading_q), .rdata(ar_high_q ? rdata[63:32] : rdata[31:0]), .rresp, .rvalid, .rready
  );

endmodule
