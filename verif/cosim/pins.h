// SPDX-License-Identifier: Apache-2.0
// Pins of aa_iommu, or those that DUT_PINS lists, and how values of any width are put on them. Include with PIN(name) defined
// to list them.
//
// Verilator keeps a pin of any width as little-endian bytes (up to 8 in one word, more in an array of words), so one
// pointer to bytes serves all; bits 8k+7:8k of a pin are byte k.
#if defined(PIN) && defined(DUT_PINS)
#include DUT_PINS
#elif defined(PIN)
// clang-format off
PIN(clk_i) PIN(rst_ni)
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
PIN(crd_ph_o) PIN(crd_pd_o) PIN(crd_nph_o) PIN(crd_npd_o)
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
PIN(task_valid_o) PIN(task_ready_i) PIN(task_log_o) PIN(task_prod_o) PIN(task_cons_o) PIN(task_done_valid_i)
PIN(task_done_log_i)
PIN(retire_valid_o) PIN(retire_o)
// clang-format on
#else
#ifndef TOCSIN_COSIM_PINS_H
#define TOCSIN_COSIM_PINS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pins {
#define PIN(name) uint8_t *name;
#include "pins.h"
#undef PIN
} pins;

// The Verilated hardware. One instance a process at a time is all that is needed.
typedef struct dut dut;
dut *dut_new(uint64_t seed, const char *wave, pins *p);  // wave: name of an FST file or null
void dut_eval(dut *d);
void dut_dump(dut *d, uint64_t time);
void dut_check(dut *d, int on);  // assertions are off until told (registers are random before reset)
unsigned dut_errors(dut *d);     // assertions that failed so far
void dut_free(dut *d);

#ifdef __cplusplus
}
#endif
#endif
#endif
