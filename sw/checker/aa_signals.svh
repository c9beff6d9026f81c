// SPDX-License-Identifier: Apache-2.0
// A signal for each port of aa_iommu, under the port's name, so that `.*` connects aa_iommu and aa_checker. Include it
// inside a module that has a NumPorts parameter. Inputs of aa_iommu are `logic` with initial value 0: a test bench
// drives what it needs.

// Clock and reset
logic clk_i = 0;
logic rst_ni = 0;
// Device requests, one stream a port
logic [NumPorts-1:0] dev_req_valid_i = 0;
logic [NumPorts-1:0] dev_req_ready_o;
logic [NumPorts*128-1:0] dev_req_hdr_i = 0;
logic [NumPorts*cm_pkg::DataW-1:0] dev_req_data_i = 0;
logic [NumPorts*cm_pkg::StrbW-1:0] dev_req_strb_i = 0;
logic [NumPorts*cm_pkg::SeqW-1:0] dev_req_seq_i = 0;
logic [NumPorts-1:0] dev_req_sop_i = 0;
logic [NumPorts-1:0] dev_req_eop_i = 0;
// Completions to the devices
logic [NumPorts-1:0] dev_cpl_valid_o;
logic [NumPorts-1:0] dev_cpl_ready_i = 0;
logic [NumPorts*128-1:0] dev_cpl_hdr_o;
logic [NumPorts*cm_pkg::DataW-1:0] dev_cpl_data_o;
logic [NumPorts*cm_pkg::StrbW-1:0] dev_cpl_strb_o;
logic [NumPorts*cm_pkg::SeqW-1:0] dev_cpl_seq_o;
logic [NumPorts-1:0] dev_cpl_error_o;
logic [NumPorts-1:0] dev_cpl_sop_o;
logic [NumPorts-1:0] dev_cpl_eop_o;
// Host requests
logic host_req_valid_o;
logic host_req_ready_i = 0;
logic [128-1:0] host_req_hdr_o;
logic [cm_pkg::DataW-1:0] host_req_data_o;
logic [cm_pkg::StrbW-1:0] host_req_strb_o;
logic [cm_pkg::SeqW-1:0] host_req_seq_o;
logic host_req_sop_o;
logic host_req_eop_o;
logic host_np_ready_i = 0;
// Host completions
logic host_cpl_valid_i = 0;
logic host_cpl_ready_o;
logic [128-1:0] host_cpl_hdr_i = 0;
logic [cm_pkg::DataW-1:0] host_cpl_data_i = 0;
logic [cm_pkg::StrbW-1:0] host_cpl_strb_i = 0;
logic [cm_pkg::SeqW-1:0] host_cpl_seq_i = 0;
logic host_cpl_error_i = 0;
logic host_cpl_sop_i = 0;
logic host_cpl_eop_i = 0;
// Reset of a port's device; flow-control credits (cumulative limits)
logic [NumPorts-1:0] dev_reset_i = 0;
logic [NumPorts*8-1:0] crd_ph_o;
logic [NumPorts*12-1:0] crd_pd_o;
logic [NumPorts*8-1:0] crd_nph_o;
logic [NumPorts*12-1:0] crd_npd_o;
// AXI4 master: walks, logs, pointers, messages
logic [7:0] m_axi_awid;
logic [63:0] m_axi_awaddr;
logic [7:0] m_axi_awlen;
logic [2:0] m_axi_awsize;
logic [1:0] m_axi_awburst;
logic [3:0] m_axi_awcache;
logic [2:0] m_axi_awprot;
logic m_axi_awvalid;
logic m_axi_awready = 0;
logic [cm_pkg::DataW-1:0] m_axi_wdata;
logic [cm_pkg::DataW/8-1:0] m_axi_wstrb;
logic m_axi_wlast;
logic m_axi_wvalid;
logic m_axi_wready = 0;
logic [7:0] m_axi_bid = 0;
logic [1:0] m_axi_bresp = 0;
logic m_axi_bvalid = 0;
logic m_axi_bready;
logic [7:0] m_axi_arid;
logic [63:0] m_axi_araddr;
logic [7:0] m_axi_arlen;
logic [2:0] m_axi_arsize;
logic [1:0] m_axi_arburst;
logic [3:0] m_axi_arcache;
logic [2:0] m_axi_arprot;
logic m_axi_arvalid;
logic m_axi_arready = 0;
logic [7:0] m_axi_rid = 0;
logic [cm_pkg::DataW-1:0] m_axi_rdata = 0;
logic [1:0] m_axi_rresp = 0;
logic m_axi_rlast = 0;
logic m_axi_rvalid = 0;
logic m_axi_rready;
// AXI4-Lite slave: registers
logic [19:0] s_axil_awaddr = 0;
logic s_axil_awvalid = 0;
logic s_axil_awready;
logic [63:0] s_axil_wdata = 0;
logic [7:0] s_axil_wstrb = 0;
logic s_axil_wvalid = 0;
logic s_axil_wready;
logic [1:0] s_axil_bresp;
logic s_axil_bvalid;
logic s_axil_bready = 0;
logic [19:0] s_axil_araddr = 0;
logic s_axil_arvalid = 0;
logic s_axil_arready;
logic [63:0] s_axil_rdata;
logic [1:0] s_axil_rresp;
logic s_axil_rvalid;
logic s_axil_rready = 0;
// Tasks for XTQ
logic task_valid_o;
logic task_ready_i = 0;
logic [4:0] task_log_o;
logic [31:0] task_prod_o;
logic [31:0] task_cons_o;
logic task_done_valid_i = 0;
logic [4:0] task_done_log_i = 0;
// Retire records, slot 0 lowest
logic [aa_pkg::RetireSlots-1:0] retire_valid_o;
logic [aa_pkg::RetireSlots*aa_pkg::RetireW-1:0] retire_o;
