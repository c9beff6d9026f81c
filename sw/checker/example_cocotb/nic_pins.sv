// SPDX-License-Identifier: Apache-2.0
// nic_pins: xtq_nic with the frames' pins under AXI4-Stream's own names, as cocotbext-eth's MAC looks for them; no task port.
module nic_pins (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  input  wire logic [nic_pkg::DataW-1:0]   rx_tdata,
  input  wire logic [nic_pkg::DataW/8-1:0] rx_tkeep,
  input  wire logic                        rx_tvalid,
  output logic                             rx_tready,
  input  wire logic                        rx_tlast,
  input  wire logic                        rx_tuser,
  output logic [nic_pkg::DataW-1:0]        tx_tdata,
  output logic [nic_pkg::DataW/8-1:0]      tx_tkeep,
  output logic                             tx_tvalid,
  input  wire logic                        tx_tready,
  output logic                             tx_tlast,

  output logic                             dev_req_valid_o,
  input  wire logic                        dev_req_ready_i,
  output logic [127:0]                     dev_req_hdr_o,
  output logic [nic_pkg::DataW-1:0]        dev_req_data_o,
  output logic [cm_pkg::StrbW-1:0]         dev_req_strb_o,
  output logic [cm_pkg::SeqW-1:0]          dev_req_seq_o,
  output logic                             dev_req_sop_o,
  output logic                             dev_req_eop_o,
  input  wire logic                        dev_cpl_valid_i,
  output logic                             dev_cpl_ready_o,
  input  wire logic [127:0]                dev_cpl_hdr_i,
  input  wire logic [nic_pkg::DataW-1:0]   dev_cpl_data_i,
  input  wire logic [cm_pkg::StrbW-1:0]    dev_cpl_strb_i,
  input  wire logic [cm_pkg::SeqW-1:0]     dev_cpl_seq_i,
  input  wire logic                        dev_cpl_sop_i,
  input  wire logic                        dev_cpl_eop_i,

  input  wire logic [19:0]                 s_axil_awaddr,
  input  wire logic                        s_axil_awvalid,
  output logic                             s_axil_awready,
  input  wire logic [63:0]                 s_axil_wdata,
  input  wire logic [7:0]                  s_axil_wstrb,
  input  wire logic                        s_axil_wvalid,
  output logic                             s_axil_wready,
  output logic [1:0]                       s_axil_bresp,
  output logic                             s_axil_bvalid,
  input  wire logic                        s_axil_bready,
  input  wire logic [19:0]                 s_axil_araddr,
  input  wire logic                        s_axil_arvalid,
  output logic                             s_axil_arready,
  output logic [63:0]                      s_axil_rdata,
  output logic [1:0]                       s_axil_rresp,
  output logic                             s_axil_rvalid,
  input  wire logic                        s_axil_rready
);

  xtq_nic u_nic (
    .s_axis_valid_i(rx_tvalid), .s_axis_ready_o(rx_tready), .s_axis_data_i(rx_tdata), .s_axis_keep_i(rx_tkeep),
    .s_axis_last_i(rx_tlast), .s_axis_error_i(rx_tuser),
    .m_axis_valid_o(tx_tvalid), .m_axis_ready_i(tx_tready), .m_axis_data_o(tx_tdata), .m_axis_keep_o(tx_tkeep),
    .m_axis_last_o(tx_tlast), .dev_cpl_error_i(1'b0),
    .task_valid_i(1'b0), .task_ready_o(), .task_log_i('0), .task_prod_i('0), .task_cons_i('0), .task_done_valid_o(),
    .task_done_log_o(), .retire_valid_o(), .retire_o(), .*
  );

endmodule
