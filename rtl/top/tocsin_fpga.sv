// SPDX-License-Identifier: Apache-2.0
// tocsin_fpga: the whole device with its registers on a serial line, for a board whose network and memory are not
// connected yet.
//
//   uart_rx_i --> cm_uart_rx --> cm_axil_serial --> tocsin --> AXI: cm_axi_none (walks and logs end in errors)
//   uart_tx_o <-- cm_uart_tx <------'                   `--> host TLPs: taken, nothing answers; frames: thrown away
//
// What a driver can do is probe, read and write registers, and see errors arrive. A board with memory replaces
// cm_axi_none, one with a MAC connects the frames. rst_ni may be a button: it rises and falls at any time, and two
// registers make of it what the blocks want, a reset that all of them see in one cycle.
`default_nettype none

module tocsin_fpga #(
  parameter int unsigned Div = 434,       // cycles of a bit: 50 MHz / 115200
  parameter int unsigned Gap = 10 * Div * 16
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic uart_rx_i,
  output logic      uart_tx_o
);

  localparam int unsigned DataW = cm_pkg::DataW;

  logic [1:0] rst_q;
  always_ff @(posedge clk_i) rst_q <= {rst_q[0], rst_ni};

  logic       rx_valid, tx_valid, tx_ready;
  logic [7:0] rx_data, tx_data;

  cm_uart_rx #(
    .Div(Div)
  ) u_rx (
    .clk_i,
    .rst_ni(rst_q[1]),
    .rx_i(uart_rx_i),
    .out_valid_o(rx_valid),
    .out_data_o(rx_data),
    .bad_o()
  );
  cm_uart_tx #(
    .Div(Div)
  ) u_tx (
    .clk_i,
    .rst_ni(rst_q[1]),
    .in_valid_i(tx_valid),
    .in_ready_o(tx_ready),
    .in_data_i(tx_data),
    .tx_o(uart_tx_o)
  );

  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [20:0] awaddr, araddr;
  logic [63:0] wdata, rdata;
  logic [7:0]  wstrb;
  logic [1:0]  bresp, rresp;

  cm_axil_serial #(
    .AddrW(21),
    .Gap(Gap)
  ) u_serial (
    .clk_i,
    .rst_ni(rst_q[1]),
    .in_valid_i(rx_valid),
    .in_data_i(rx_data),
    .out_valid_o(tx_valid),
    .out_ready_i(tx_ready),
    .out_data_o(tx_data),
    .m_awvalid_o(awvalid),
    .m_awready_i(awready),
    .m_awaddr_o(awaddr),
    .m_wvalid_o(wvalid),
    .m_wready_i(wready),
    .m_wdata_o(wdata),
    .m_wstrb_o(wstrb),
    .m_bvalid_i(bvalid),
    .m_bready_o(bready),
    .m_bresp_i(bresp),
    .m_arvalid_o(arvalid),
    .m_arready_i(arready),
    .m_araddr_o(araddr),
    .m_rvalid_i(rvalid),
    .m_rready_o(rready),
    .m_rdata_i(rdata),
    .m_rresp_i(rresp)
  );

  logic       m_awvalid, m_awready, m_wvalid, m_wready, m_wlast, m_bvalid, m_bready, m_arvalid, m_arready, m_rvalid,
              m_rready, m_rlast;
  logic [7:0] m_awid, m_bid, m_arid, m_rid, m_arlen;
  logic [1:0] m_bresp, m_rresp;

  cm_axi_none u_none (
    .clk_i,
    .rst_ni(rst_q[1]),
    .awvalid_i(m_awvalid),
    .awready_o(m_awready),
    .awid_i(m_awid),
    .wvalid_i(m_wvalid),
    .wready_o(m_wready),
    .wlast_i(m_wlast),
    .bvalid_o(m_bvalid),
    .bready_i(m_bready),
    .bid_o(m_bid),
    .bresp_o(m_bresp),
    .arvalid_i(m_arvalid),
    .arready_o(m_arready),
    .arid_i(m_arid),
    .arlen_i(m_arlen),
    .rvalid_o(m_rvalid),
    .rready_i(m_rready),
    .rid_o(m_rid),
    .rresp_o(m_rresp),
    .rlast_o(m_rlast)
  );

  tocsin u_tocsin (
    .clk_i,
    .rst_ni(rst_q[1]),
    .s_axis_valid_i(1'b0),
    .s_axis_ready_o(),
    .s_axis_data_i('0),
    .s_axis_keep_i('0),
    .s_axis_last_i(1'b0),
    .s_axis_error_i(1'b0),
    .m_axis_valid_o(),
    .m_axis_ready_i(1'b1),
    .m_axis_data_o(),
    .m_axis_keep_o(),
    .m_axis_last_o(),
    .dev_req_valid_i(1'b0),
    .dev_req_ready_o(),
    .dev_req_hdr_i('0),
    .dev_req_data_i('0),
    .dev_req_strb_i('0),
    .dev_req_seq_i('0),
    .dev_req_sop_i(1'b0),
    .dev_req_eop_i(1'b0),
    .dev_cpl_valid_o(),
    .dev_cpl_ready_i(1'b1),
    .dev_cpl_hdr_o(),
    .dev_cpl_data_o(),
    .dev_cpl_strb_o(),
    .dev_cpl_seq_o(),
    .dev_cpl_error_o(),
    .dev_cpl_sop_o(),
    .dev_cpl_eop_o(),
    .host_req_valid_o(),
    .host_req_ready_i(1'b1),
    .host_req_hdr_o(),
    .host_req_data_o(),
    .host_req_strb_o(),
    .host_req_seq_o(),
    .host_req_sop_o(),
    .host_req_eop_o(),
    .host_np_ready_i(1'b1),
    .host_cpl_valid_i(1'b0),
    .host_cpl_ready_o(),
    .host_cpl_hdr_i('0),
    .host_cpl_data_i('0),
    .host_cpl_strb_i('0),
    .host_cpl_seq_i('0),
    .host_cpl_error_i(1'b0),
    .host_cpl_sop_i(1'b0),
    .host_cpl_eop_i(1'b0),
    .dev_reset_i(1'b0),
    .crd_ph_o(),
    .crd_pd_o(),
    .crd_nph_o(),
    .crd_npd_o(),
    .m_axi_awid(m_awid),
    .m_axi_awaddr(),
    .m_axi_awlen(),
    .m_axi_awsize(),
    .m_axi_awburst(),
    .m_axi_awcache(),
    .m_axi_awprot(),
    .m_axi_awvalid(m_awvalid),
    .m_axi_awready(m_awready),
    .m_axi_wdata(),
    .m_axi_wstrb(),
    .m_axi_wlast(m_wlast),
    .m_axi_wvalid(m_wvalid),
    .m_axi_wready(m_wready),
    .m_axi_bid(m_bid),
    .m_axi_bresp(m_bresp),
    .m_axi_bvalid(m_bvalid),
    .m_axi_bready(m_bready),
    .m_axi_arid(m_arid),
    .m_axi_araddr(),
    .m_axi_arlen(m_arlen),
    .m_axi_arsize(),
    .m_axi_arburst(),
    .m_axi_arcache(),
    .m_axi_arprot(),
    .m_axi_arvalid(m_arvalid),
    .m_axi_arready(m_arready),
    .m_axi_rid(m_rid),
    .m_axi_rdata({DataW{1'b0}}),
    .m_axi_rresp(m_rresp),
    .m_axi_rlast(m_rlast),
    .m_axi_rvalid(m_rvalid),
    .m_axi_rready(m_rready),
    .s_axil_awaddr(awaddr),
    .s_axil_awvalid(awvalid),
    .s_axil_awready(awready),
    .s_axil_wdata(wdata),
    .s_axil_wstrb(wstrb),
    .s_axil_wvalid(wvalid),
    .s_axil_wready(wready),
    .s_axil_bresp(bresp),
    .s_axil_bvalid(bvalid),
    .s_axil_bready(bready),
    .s_axil_araddr(araddr),
    .s_axil_arvalid(arvalid),
    .s_axil_arready(arready),
    .s_axil_rdata(rdata),
    .s_axil_rresp(rresp),
    .s_axil_rvalid(rvalid),
    .s_axil_rready(rready),
    .aa_retire_valid_o(),
    .aa_retire_o(),
    .nic_retire_valid_o(),
    .nic_retire_o(),
    .link_req_take_o(),
    .link_req_wait_o(),
    .link_req_o(),
    .link_cpl_take_o(),
    .link_cpl_wait_o(),
    .link_cpl_o(),
    .link_task_take_o(),
    .link_task_log_o(),
    .link_task_prod_o(),
    .link_task_cons_o(),
    .link_done_o(),
    .link_done_log_o()
  );

endmodule

`default_nettype wire
