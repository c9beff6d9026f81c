// SPDX-License-Identifier: Apache-2.0
// Pins that several tops have, group by group, for lists of PIN(name). A stream that a top gives is FROM,
// one that it takes INTO.
#ifndef TOCSIN_PIN_GROUPS_H
#define TOCSIN_PIN_GROUPS_H
// clang-format off
#define PINS_CLOCK PIN(clk_i) PIN(rst_ni)

// TLPs: s is the stream's name, v and r the ends of valid's and ready's names
#define PINS_TLP(s, v, r) \
  PIN(s##_valid_##v) PIN(s##_ready_##r) PIN(s##_hdr_##v) PIN(s##_data_##v) PIN(s##_strb_##v) \
  PIN(s##_seq_##v) PIN(s##_sop_##v) PIN(s##_eop_##v)
#define PINS_INTO(s) PINS_TLP(s, i, o)
#define PINS_FROM(s) PINS_TLP(s, o, i)
#define PINS_HOST PINS_FROM(host_req) PIN(host_np_ready_i) PINS_INTO(host_cpl) PIN(host_cpl_error_i)
// A device's port: of who serves devices, and of who is one
#define PINS_SERVE PINS_INTO(dev_req) PINS_FROM(dev_cpl) PIN(dev_cpl_error_o)
#define PINS_DEVICE PINS_FROM(dev_req) PINS_INTO(dev_cpl) PIN(dev_cpl_error_i)

#define PINS_WIRE \
  PIN(s_axis_valid_i) PIN(s_axis_ready_o) PIN(s_axis_data_i) PIN(s_axis_keep_i) PIN(s_axis_last_i) PIN(s_axis_error_i) \
  PIN(m_axis_valid_o) PIN(m_axis_ready_i) PIN(m_axis_data_o) PIN(m_axis_keep_o) PIN(m_axis_last_o)

#define PINS_AXI \
  PIN(m_axi_awid) PIN(m_axi_awaddr) PIN(m_axi_awlen) PIN(m_axi_awsize) PIN(m_axi_awburst) PIN(m_axi_awcache) \
  PIN(m_axi_awprot) PIN(m_axi_awvalid) PIN(m_axi_awready) \
  PIN(m_axi_wdata) PIN(m_axi_wstrb) PIN(m_axi_wlast) PIN(m_axi_wvalid) PIN(m_axi_wready) \
  PIN(m_axi_bid) PIN(m_axi_bresp) PIN(m_axi_bvalid) PIN(m_axi_bready) \
  PIN(m_axi_arid) PIN(m_axi_araddr) PIN(m_axi_arlen) PIN(m_axi_arsize) PIN(m_axi_arburst) PIN(m_axi_arcache) \
  PIN(m_axi_arprot) PIN(m_axi_arvalid) PIN(m_axi_arready) \
  PIN(m_axi_rid) PIN(m_axi_rdata) PIN(m_axi_rresp) PIN(m_axi_rlast) PIN(m_axi_rvalid) PIN(m_axi_rready)

#define PINS_AXIL \
  PIN(s_axil_awaddr) PIN(s_axil_awvalid) PIN(s_axil_awready) \
  PIN(s_axil_wdata) PIN(s_axil_wstrb) PIN(s_axil_wvalid) PIN(s_axil_wready) \
  PIN(s_axil_bresp) PIN(s_axil_bvalid) PIN(s_axil_bready) \
  PIN(s_axil_araddr) PIN(s_axil_arvalid) PIN(s_axil_arready) \
  PIN(s_axil_rdata) PIN(s_axil_rresp) PIN(s_axil_rvalid) PIN(s_axil_rready)

// An access log's task: of who gives notice, and of who takes it
#define PINS_TASK_FROM \
  PIN(task_valid_o) PIN(task_ready_i) PIN(task_log_o) PIN(task_prod_o) PIN(task_cons_o) \
  PIN(task_done_valid_i) PIN(task_done_log_i)
#define PINS_TASK_INTO \
  PIN(task_valid_i) PIN(task_ready_o) PIN(task_log_i) PIN(task_prod_i) PIN(task_cons_i) \
  PIN(task_done_valid_o) PIN(task_done_log_o)
#define PINS_RETIRE PIN(retire_valid_o) PIN(retire_o)
// Between the halves of tocsin
#define PINS_LINK \
  PIN(link_req_take_o) PIN(link_req_wait_o) PIN(link_req_o) PIN(link_cpl_take_o) PIN(link_cpl_wait_o) PIN(link_cpl_o)
// clang-format on
#endif
