// SPDX-License-Identifier: Apache-2.0
// Pins of tocsin, for verif/cosim/pins.h (DUT_PINS); behind them those that the two halves of a node look at as if they had a
// top of their own (tocsin_node.c lays them upon the taps of the link; DUT_REAL leaves them out).
#ifndef PIN
#define PIN(name)  // this file alone: nothing
#endif
// clang-format off
PIN(clk_i) PIN(rst_ni)
PIN(s_axis_valid_i) PIN(s_axis_ready_o) PIN(s_axis_data_i) PIN(s_axis_keep_i) PIN(s_axis_last_i) PIN(s_axis_error_i)
PIN(m_axis_valid_o) PIN(m_axis_ready_i) PIN(m_axis_data_o) PIN(m_axis_keep_o) PIN(m_axis_last_o)
PIN(dev_req_valid_i) PIN(dev_req_ready_o) PIN(dev_req_hdr_i) PIN(dev_req_data_i) PIN(dev_req_strb_i)
PIN(dev_req_seq_i) PIN(dev_req_sop_i) PIN(dev_req_eop_i)
PIN(dev_cpl_valid_o) PIN(dev_cpl_ready_i) PIN(dev_cpl_hdr_o) PIN(dev_cpl_data_o) PIN(dev_cpl_strb_o)
PIN(dev_cpl_seq_o) PIN(dev_cpl_error_o) PIN(dev_cpl_sop_o) PIN(dev_cpl_eop_o)
PIN(host_req_valid_o) PIN(host_req_ready_i) PIN(host_req_hdr_o) PIN(host_req_data_o) PIN(host_req_strb_o)
PIN(host_req_seq_o) PIN(host_req_sop_o) PIN(host_req_eop_o)
PIN(host_np_ready_i)
PIN(host_cpl_valid_i) PIN(host_cpl_ready_o) PIN(host_cpl_hdr_i) PIN(host_cpl_data_i) PIN(host_cpl_strb_i)
PIN(host_cpl_seq_i) PIN(host_cpl_error_i) PIN(host_cpl_sop_i) PIN(host_cpl_eop_i)
PIN(dev_reset_i)
PIN(m_axi_awid) PIN(m_axi_awaddr) PIN(m_axi_awlen) PIN(m_axi_awsize) PIN(m_axi_awburst) PIN(m_axi_awvalid)
PIN(m_axi_awready)
PIN(m_axi_wdata) PIN(m_axi_wstrb) PIN(m_axi_wlast) PIN(m_axi_wvalid) PIN(m_axi_wready)
PIN(m_axi_bid) PIN(m_axi_bresp) PIN(m_axi_bvalid) PIN(m_axi_bready)
PIN(m_axi_arid) PIN(m_axi_araddr) PIN(m_axi_arlen) PIN(m_axi_arsize) PIN(m_axi_arburst) PIN(m_axi_arvalid)
PIN(m_axi_arready)
PIN(m_axi_rid) PIN(m_axi_rdata) PIN(m_axi_rresp) PIN(m_axi_rlast) PIN(m_axi_rvalid) PIN(m_axi_rready)
PIN(s_axil_awaddr) PIN(s_axil_awvalid) PIN(s_axil_awready)
PIN(s_axil_wdata) PIN(s_axil_wstrb) PIN(s_axil_wvalid) PIN(s_axil_wready)
PIN(s_axil_bresp) PIN(s_axil_bvalid) PIN(s_axil_bready)
PIN(s_axil_araddr) PIN(s_axil_arvalid) PIN(s_axil_arready)
PIN(s_axil_rdata) PIN(s_axil_rresp) PIN(s_axil_rvalid) PIN(s_axil_rready)
PIN(aa_retire_valid_o) PIN(aa_retire_o) PIN(nic_retire_valid_o) PIN(nic_retire_o)
PIN(link_req_take_o) PIN(link_req_o) PIN(link_cpl_take_o) PIN(link_cpl_o)
PIN(link_task_take_o) PIN(link_task_log_o) PIN(link_task_prod_o) PIN(link_task_cons_o) PIN(link_done_o) PIN(link_done_log_o)
#ifndef DUT_REAL
// as xtq_nic has them
PIN(dev_req_valid_o) PIN(dev_req_ready_i) PIN(dev_req_hdr_o) PIN(dev_req_data_o) PIN(dev_req_strb_o)
PIN(dev_req_seq_o) PIN(dev_req_sop_o) PIN(dev_req_eop_o)
PIN(dev_cpl_valid_i) PIN(dev_cpl_ready_o) PIN(dev_cpl_hdr_i) PIN(dev_cpl_data_i) PIN(dev_cpl_strb_i)
PIN(dev_cpl_seq_i) PIN(dev_cpl_error_i) PIN(dev_cpl_sop_i) PIN(dev_cpl_eop_i)
PIN(task_valid_i) PIN(task_ready_o) PIN(task_log_i) PIN(task_prod_i) PIN(task_cons_i)
PIN(task_done_valid_o) PIN(task_done_log_o)
// as aa_iommu has them
PIN(task_valid_o) PIN(task_ready_i) PIN(task_log_o) PIN(task_prod_o) PIN(task_done_valid_i) PIN(task_done_log_i)
// both
PIN(retire_valid_o) PIN(retire_o)
#endif
    // clang-format on
