// SPDX-License-Identifier: Apache-2.0
// Pins of xtq_nic, for verif/cosim/pins.h (DUT_PINS).
#ifndef PIN
#define PIN(name)  // this file alone: nothing
#endif
// clang-format off
PIN(clk_i) PIN(rst_ni)
PIN(s_axis_valid_i) PIN(s_axis_ready_o) PIN(s_axis_data_i) PIN(s_axis_keep_i) PIN(s_axis_last_i) PIN(s_axis_error_i)
PIN(m_axis_valid_o) PIN(m_axis_ready_i) PIN(m_axis_data_o) PIN(m_axis_keep_o) PIN(m_axis_last_o)
PIN(dev_req_valid_o) PIN(dev_req_ready_i) PIN(dev_req_hdr_o) PIN(dev_req_data_o) PIN(dev_req_strb_o)
PIN(dev_req_seq_o) PIN(dev_req_sop_o) PIN(dev_req_eop_o)
PIN(dev_cpl_valid_i) PIN(dev_cpl_ready_o) PIN(dev_cpl_hdr_i) PIN(dev_cpl_data_i) PIN(dev_cpl_strb_i)
PIN(dev_cpl_seq_i) PIN(dev_cpl_error_i) PIN(dev_cpl_sop_i) PIN(dev_cpl_eop_i)
PIN(s_axil_awaddr) PIN(s_axil_awvalid) PIN(s_axil_awready)
PIN(s_axil_wdata) PIN(s_axil_wstrb) PIN(s_axil_wvalid) PIN(s_axil_wready)
PIN(s_axil_bresp) PIN(s_axil_bvalid) PIN(s_axil_bready)
PIN(s_axil_araddr) PIN(s_axil_arvalid) PIN(s_axil_arready)
PIN(s_axil_rdata) PIN(s_axil_rresp) PIN(s_axil_rvalid) PIN(s_axil_rready)
PIN(task_valid_i) PIN(task_ready_o) PIN(task_log_i) PIN(task_prod_i) PIN(task_cons_i)
PIN(task_done_valid_o) PIN(task_done_log_o)
PIN(retire_valid_o) PIN(retire_o)
    // clang-format on
