// SPDX-License-Identifier: Apache-2.0
// tocsin: NIC, XTQ and IOMMU as one design. Wires the two tops together.
//
//   s_axis, m_axis <--> xtq_nic <--- port 0 ---> aa_iommu <--> host_req, host_cpl, m_axi
//                          ^                        ^  ^------ ports 1 and up: dev_req, dev_cpl
//                          `------ task port -------'
//   s_axil --> cm_axil_split --> registers of the IOMMU (below 1 MiB); cm_axil_post --> those of the NIC (from 1 MiB on)
//
// Whatever the NIC reads or writes is translated, and may be logged, redirected and wake a handler like that of any device; a log with
// a task starts one through the NIC with no CPU in between. Two retire ports, as the two tops have them.
//
// A put of the NIC that waits for room in a log (policy stall) holds up what the NIC reads and writes behind it, and with that the
// NIC's registers, which are written when it is at rest. So that LP_CONS, which makes the room, is not behind them at the common port,
// writes to the NIC are posted (cm_axil_post, 16 of them): answered at once, done in order, a read of the NIC waits for them. What is
// left: the packet of a log's own task is a write of the NIC too, and whoever reads a register of the NIC waits with it. Logs that are
// emptied so must not fill: they drop (LOG_CFG.DROP), or have a watchdog (AA_WDOG), or whoever puts there leaves room, as with any queue.
`default_nettype none

module tocsin #(
  // IOMMU
  parameter int unsigned NumPorts = 2,       // port 0 is the NIC; 2 to 4
  parameter int unsigned AaWindow = 8,
  parameter int unsigned PayDw = 2048,
  parameter int unsigned Walkers = 4,
  parameter int unsigned IotlbEntries = 64,
  parameter int unsigned IotlbWays = 4,
  parameter bit          IotlbRandom = 0,
  parameter int unsigned SpEntries = 4,
  parameter int unsigned CtxEntries = 16,
  parameter int unsigned PscEntries = 8,
  parameter int unsigned NumLogs = 8,        // of both
  parameter int unsigned LogDepth = 16,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  parameter int unsigned ScratchWords = 16,
  // NIC
  parameter int unsigned NumProcs = 4,
  parameter int unsigned NumQps = 16,
  parameter int unsigned NumMrs = 32,
  parameter int unsigned RespDepth = 32,
  parameter int unsigned Replay = 16,
  parameter int unsigned Window = 64,
  parameter int unsigned Requests = 16,
  parameter int unsigned TableBits = 6,
  parameter int unsigned TableCache = 0,
  parameter int unsigned RecvDepth = 8,
  parameter int unsigned RxBeats = 512,
  parameter int unsigned RxFrames = 16,
  parameter int unsigned ReadTags = 16,
  parameter int unsigned MaxRead = 512,
  localparam int unsigned Ext = NumPorts - 1,
  localparam int unsigned DataW = nic_pkg::DataW
) (
  input  wire logic                                         clk_i,
  input  wire logic                                         rst_ni,

  // Frames from the MAC
  input  wire logic                                         s_axis_valid_i,
  output logic                                              s_axis_ready_o,
  input  wire logic  [DataW-1:0]                            s_axis_data_i,
  input  wire logic  [DataW/8-1:0]                          s_axis_keep_i,
  input  wire logic                                         s_axis_last_i,
  input  wire logic                                         s_axis_error_i,

  // Frames to the MAC
  output logic                                              m_axis_valid_o,
  input  wire logic                                         m_axis_ready_i,
  output logic       [DataW-1:0]                            m_axis_data_o,
  output logic       [DataW/8-1:0]                          m_axis_keep_o,
  output logic                                              m_axis_last_o,

  // Requests of the other devices, one stream a port
  input  wire logic  [Ext-1:0]                              dev_req_valid_i,
  output logic       [Ext-1:0]                              dev_req_ready_o,
  input  wire logic  [Ext*128-1:0]                          dev_req_hdr_i,
  input  wire logic  [Ext*aa_pkg::DataW-1:0]                dev_req_data_i,
  input  wire logic  [Ext*aa_pkg::StrbW-1:0]                dev_req_strb_i,
  input  wire logic  [Ext*aa_pkg::SeqW-1:0]                 dev_req_seq_i,
  input  wire logic  [Ext-1:0]                              dev_req_sop_i,
  input  wire logic  [Ext-1:0]                              dev_req_eop_i,

  // Completions to the devices
  output logic       [Ext-1:0]                              dev_cpl_valid_o,
  input  wire logic  [Ext-1:0]                              dev_cpl_ready_i,
  output logic       [Ext*128-1:0]                          dev_cpl_hdr_o,
  output logic       [Ext*aa_pkg::DataW-1:0]                dev_cpl_data_o,
  output logic       [Ext*aa_pkg::StrbW-1:0]                dev_cpl_strb_o,
  output logic       [Ext*aa_pkg::SeqW-1:0]                 dev_cpl_seq_o,
  output logic       [Ext-1:0]                              dev_cpl_error_o,
  output logic       [Ext-1:0]                              dev_cpl_sop_o,
  output logic       [Ext-1:0]                              dev_cpl_eop_o,

  // Host requests
  output logic                                              host_req_valid_o,
  input  wire logic                                         host_req_ready_i,
  output logic       [128-1:0]                              host_req_hdr_o,
  output logic       [aa_pkg::DataW-1:0]                    host_req_data_o,
  output logic       [aa_pkg::StrbW-1:0]                    host_req_strb_o,
  output logic       [aa_pkg::SeqW-1:0]                     host_req_seq_o,
  output logic                                              host_req_sop_o,
  output logic                                              host_req_eop_o,
  input  wire logic                                         host_np_ready_i,

  // Host completions
  input  wire logic                                         host_cpl_valid_i,
  output logic                                              host_cpl_ready_o,
  input  wire logic  [128-1:0]                              host_cpl_hdr_i,
  input  wire logic  [aa_pkg::DataW-1:0]                    host_cpl_data_i,
  input  wire logic  [aa_pkg::StrbW-1:0]                    host_cpl_strb_i,
  input  wire logic  [aa_pkg::SeqW-1:0]                     host_cpl_seq_i,
  input  wire logic                                         host_cpl_error_i,
  input  wire logic                                         host_cpl_sop_i,
  input  wire logic                                         host_cpl_eop_i,

  // Reset of a port's device; flow-control credits (cumulative limits)
  input  wire logic  [Ext-1:0]                              dev_reset_i,
  output logic       [Ext*8-1:0]                            crd_ph_o,
  output logic       [Ext*12-1:0]                           crd_pd_o,
  output logic       [Ext*8-1:0]                            crd_nph_o,
  output logic       [Ext*12-1:0]                           crd_npd_o,

  // AXI4 master: walks, logs, pointers, messages
  output logic       [7:0]                                  m_axi_awid,
  output logic       [63:0]                                 m_axi_awaddr,
  output logic       [7:0]                                  m_axi_awlen,
  output logic       [2:0]                                  m_axi_awsize,
  output logic       [1:0]                                  m_axi_awburst,
  output logic                                              m_axi_awvalid,
  input  wire logic                                         m_axi_awready,
  output logic       [aa_pkg::DataW-1:0]                    m_axi_wdata,
  output logic       [aa_pkg::DataW/8-1:0]                  m_axi_wstrb,
  output logic                                              m_axi_wlast,
  output logic                                              m_axi_wvalid,
  input  wire logic                                         m_axi_wready,
  input  wire logic  [7:0]                                  m_axi_bid,
  input  wire logic  [1:0]                                  m_axi_bresp,
  input  wire logic                                         m_axi_bvalid,
  output logic                                              m_axi_bready,
  output logic       [7:0]                                  m_axi_arid,
  output logic       [63:0]                                 m_axi_araddr,
  output logic       [7:0]                                  m_axi_arlen,
  output logic       [2:0]                                  m_axi_arsize,
  output logic       [1:0]                                  m_axi_arburst,
  output logic                                              m_axi_arvalid,
  input  wire logic                                         m_axi_arready,
  input  wire logic  [7:0]                                  m_axi_rid,
  input  wire logic  [aa_pkg::DataW-1:0]                    m_axi_rdata,
  input  wire logic  [1:0]                                  m_axi_rresp,
  input  wire logic                                         m_axi_rlast,
  input  wire logic                                         m_axi_rvalid,
  output logic                                              m_axi_rready,

  // AXI4-Lite slave: registers
  input  wire logic  [20:0]                                 s_axil_awaddr,
  input  wire logic                                         s_axil_awvalid,
  output logic                                              s_axil_awready,
  input  wire logic  [63:0]                                 s_axil_wdata,
  input  wire logic  [7:0]                                  s_axil_wstrb,
  input  wire logic                                         s_axil_wvalid,
  output logic                                              s_axil_wready,
  output logic       [1:0]                                  s_axil_bresp,
  output logic                                              s_axil_bvalid,
  input  wire logic                                         s_axil_bready,
  input  wire logic  [20:0]                                 s_axil_araddr,
  input  wire logic                                         s_axil_arvalid,
  output logic                                              s_axil_arready,
  output logic       [63:0]                                 s_axil_rdata,
  output logic       [1:0]                                  s_axil_rresp,
  output logic                                              s_axil_rvalid,
  input  wire logic                                         s_axil_rready,

  // Retire, of the IOMMU and of the NIC
  output logic       [aa_pkg::RetireSlots-1:0]              aa_retire_valid_o,
  output logic       [aa_pkg::RetireSlots*aa_pkg::RetireW-1:0] aa_retire_o,
  output logic       [nic_pkg::RetireSlots-1:0]             nic_retire_valid_o,
  output logic       [nic_pkg::RetireSlots*nic_pkg::RetireW-1:0] nic_retire_o,

  // What passes between the two (take), or is shown and has to wait, for co-simulation; a user leaves it open
  output logic                                              link_req_take_o,
  output logic                                              link_req_wait_o,
  output aa_pkg::tlp_t                                      link_req_o,
  output logic                                              link_cpl_take_o,
  output logic                                              link_cpl_wait_o,
  output aa_pkg::tlp_t                                      link_cpl_o,
  output logic                                              link_task_take_o,
  output logic       [4:0]                                  link_task_log_o,
  output logic       [31:0]                                 link_task_prod_o,
  output logic       [31:0]                                 link_task_cons_o,
  output logic                                              link_done_o,
  output logic       [4:0]                                  link_done_log_o
);

  if (NumPorts < 2 || NumPorts > 4) begin : gen_bad_num_ports $error("tocsin: NumPorts must be 2 to 4"); end

  localparam int unsigned StrbW = aa_pkg::StrbW;
  localparam int unsigned SeqW = aa_pkg::SeqW;

  // ---- registers --------------------------------------------------------------------------------------------------
  // 0 the IOMMU, 1 the NIC
  logic [1:0]   awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [3:0]   bresp, rresp;
  logic [127:0] rdata;

  cm_axil_split u_axil (
    .clk_i, .rst_ni,
    .s_awvalid_i(s_axil_awvalid), .s_awready_o(s_axil_awready), .s_awaddr_i(s_axil_awaddr),
    .s_wvalid_i(s_axil_wvalid), .s_wready_o(s_axil_wready),
    .s_bvalid_o(s_axil_bvalid), .s_bready_i(s_axil_bready), .s_bresp_o(s_axil_bresp),
    .s_arvalid_i(s_axil_arvalid), .s_arready_o(s_axil_arready), .s_araddr_i(s_axil_araddr),
    .s_rvalid_o(s_axil_rvalid), .s_rready_i(s_axil_rready), .s_rdata_o(s_axil_rdata), .s_rresp_o(s_axil_rresp),
    .m_awvalid_o(awvalid), .m_awready_i(awready), .m_wvalid_o(wvalid), .m_wready_i(wready),
    .m_bvalid_i(bvalid), .m_bready_o(bready), .m_bresp_i(bresp), .m_arvalid_o(arvalid), .m_arready_i(arready),
    .m_rvalid_i(rvalid), .m_rready_o(rready), .m_rdata_i(rdata), .m_rresp_i(rresp)
  );

  // Writes to the NIC, posted
  logic        nic_awvalid, nic_awready, nic_wvalid, nic_wready, nic_bvalid, nic_bready, nic_arvalid, nic_arready, nic_rvalid, nic_rready;
  logic [19:0] nic_awaddr;
  logic [63:0] nic_wdata;
  logic [7:0]  nic_wstrb;
  logic [1:0]  unused_bresp;

  cm_axil_post u_post (
    .clk_i, .rst_ni, .s_awvalid_i(awvalid[1]), .s_awready_o(awready[1]), .s_awaddr_i(s_axil_awaddr[19:0]), .s_wvalid_i(wvalid[1]),
    .s_wready_o(wready[1]), .s_wdata_i(s_axil_wdata), .s_wstrb_i(s_axil_wstrb), .s_bvalid_o(bvalid[1]), .s_bready_i(bready[1]),
    .s_arvalid_i(arvalid[1]), .s_arready_o(arready[1]), .s_rvalid_o(rvalid[1]), .s_rready_i(rready[1]), .m_awvalid_o(nic_awvalid),
    .m_awready_i(nic_awready), .m_awaddr_o(nic_awaddr), .m_wvalid_o(nic_wvalid), .m_wready_i(nic_wready), .m_wdata_o(nic_wdata),
    .m_wstrb_o(nic_wstrb), .m_bvalid_i(nic_bvalid), .m_bready_o(nic_bready), .m_arvalid_o(nic_arvalid), .m_arready_i(nic_arready),
    .m_rvalid_i(nic_rvalid), .m_rready_o(nic_rready)
  );
  assign bresp[3:2] = 2'b00;

  // ---- the link: requests of the NIC, completions to it, tasks ------------------------------------------------------
  logic             req_valid, req_ready, cpl_valid, cpl_ready, task_valid, task_ready, done;
  logic [127:0]     req_hdr, cpl_hdr;
  logic [DataW-1:0] req_data, cpl_data;
  logic [StrbW-1:0] req_strb, cpl_strb;
  logic [SeqW-1:0]  req_seq, cpl_seq;
  logic             req_sop, req_eop, cpl_sop, cpl_eop, cpl_error;
  logic [4:0]       task_log, done_log;
  logic [31:0]      task_prod, task_cons;
  logic [27:0]      unused_crd;
  logic [11:0]      unused_npd;

  assign link_req_take_o  = req_valid && req_ready;
  assign link_req_wait_o  = req_valid && !req_ready;
  assign link_req_o       = {req_sop, req_eop, 1'b0, req_seq, req_strb, req_hdr, req_data};
  assign link_cpl_take_o  = cpl_valid && cpl_ready;
  assign link_cpl_wait_o  = cpl_valid && !cpl_ready;
  assign link_cpl_o       = {cpl_sop, cpl_eop, cpl_error, cpl_seq, cpl_strb, cpl_hdr, cpl_data};
  assign link_task_take_o = task_valid && task_ready;
  assign link_task_log_o  = task_log;
  assign link_task_prod_o = task_prod;
  assign link_task_cons_o = task_cons;
  assign link_done_o      = done;
  assign link_done_log_o  = done_log;

  xtq_nic #(
    .NumProcs(NumProcs), .NumQps(NumQps), .NumMrs(NumMrs), .RespDepth(RespDepth), .Replay(Replay), .Window(Window), .Requests(Requests),
    .TableBits(TableBits), .TableCache(TableCache), .RecvDepth(RecvDepth), .NumLogs(NumLogs), .RxBeats(RxBeats), .RxFrames(RxFrames),
    .ReadTags(ReadTags), .MaxRead(MaxRead)
  ) u_nic (
    .clk_i, .rst_ni, .s_axis_valid_i, .s_axis_ready_o, .s_axis_data_i, .s_axis_keep_i, .s_axis_last_i, .s_axis_error_i, .m_axis_valid_o,
    .m_axis_ready_i, .m_axis_data_o, .m_axis_keep_o, .m_axis_last_o, .dev_req_valid_o(req_valid), .dev_req_ready_i(req_ready),
    .dev_req_hdr_o(req_hdr), .dev_req_data_o(req_data), .dev_req_strb_o(req_strb), .dev_req_seq_o(req_seq), .dev_req_sop_o(req_sop),
    .dev_req_eop_o(req_eop), .dev_cpl_valid_i(cpl_valid), .dev_cpl_ready_o(cpl_ready), .dev_cpl_hdr_i(cpl_hdr),
    .dev_cpl_data_i(cpl_data), .dev_cpl_strb_i(cpl_strb), .dev_cpl_seq_i(cpl_seq), .dev_cpl_error_i(cpl_error), .dev_cpl_sop_i(cpl_sop),
    .dev_cpl_eop_i(cpl_eop), .s_axil_awaddr(nic_awaddr), .s_axil_awvalid(nic_awvalid), .s_axil_awready(nic_awready),
    .s_axil_wdata(nic_wdata), .s_axil_wstrb(nic_wstrb), .s_axil_wvalid(nic_wvalid), .s_axil_wready(nic_wready),
    .s_axil_bresp(unused_bresp), .s_axil_bvalid(nic_bvalid), .s_axil_bready(nic_bready), .s_axil_araddr(s_axil_araddr[19:0]),
    .s_axil_arvalid(nic_arvalid), .s_axil_arready(nic_arready), .s_axil_rdata(rdata[127:64]), .s_axil_rresp(rresp[3:2]),
    .s_axil_rvalid(nic_rvalid),
    .s_axil_rready(nic_rready), .task_valid_i(task_valid), .task_ready_o(task_ready), .task_log_i(task_log), .task_prod_i(task_prod),
    .task_cons_i(task_cons), .task_done_valid_o(done), .task_done_log_o(done_log), .retire_valid_o(nic_retire_valid_o),
    .retire_o(nic_retire_o)
  );

  aa_iommu #(
    .NumPorts(NumPorts), .PayDw(PayDw), .Walkers(Walkers), .IotlbEntries(IotlbEntries), .IotlbWays(IotlbWays),
    .IotlbRandom(IotlbRandom), .SpEntries(SpEntries), .CtxEntries(CtxEntries), .PscEntries(PscEntries), .NumLogs(NumLogs),
    .LogDepth(LogDepth), .TagEntries(TagEntries), .FlushPages(FlushPages), .FlushWaiters(FlushWaiters), .ScratchWords(ScratchWords),
    .Window(AaWindow)
  ) u_iommu (
    .clk_i, .rst_ni, .dev_req_valid_i({dev_req_valid_i, req_valid}), .dev_req_ready_o({dev_req_ready_o, req_ready}),
    .dev_req_hdr_i({dev_req_hdr_i, req_hdr}), .dev_req_data_i({dev_req_data_i, req_data}), .dev_req_strb_i({dev_req_strb_i, req_strb}),
    .dev_req_seq_i({dev_req_seq_i, req_seq}), .dev_req_sop_i({dev_req_sop_i, req_sop}), .dev_req_eop_i({dev_req_eop_i, req_eop}),
    .dev_cpl_valid_o({dev_cpl_valid_o, cpl_valid}), .dev_cpl_ready_i({dev_cpl_ready_i, cpl_ready}),
    .dev_cpl_hdr_o({dev_cpl_hdr_o, cpl_hdr}), .dev_cpl_data_o({dev_cpl_data_o, cpl_data}), .dev_cpl_strb_o({dev_cpl_strb_o, cpl_strb}),
    .dev_cpl_seq_o({dev_cpl_seq_o, cpl_seq}), .dev_cpl_error_o({dev_cpl_error_o, cpl_error}), .dev_cpl_sop_o({dev_cpl_sop_o, cpl_sop}),
    .dev_cpl_eop_o({dev_cpl_eop_o, cpl_eop}), .host_req_valid_o, .host_req_ready_i, .host_req_hdr_o, .host_req_data_o, .host_req_strb_o,
    .host_req_seq_o, .host_req_sop_o, .host_req_eop_o, .host_np_ready_i, .host_cpl_valid_i, .host_cpl_ready_o, .host_cpl_hdr_i,
    .host_cpl_data_i, .host_cpl_strb_i, .host_cpl_seq_i, .host_cpl_error_i, .host_cpl_sop_i, .host_cpl_eop_i,
    .dev_reset_i({dev_reset_i, 1'b0}), .crd_ph_o({crd_ph_o, unused_crd[7:0]}), .crd_pd_o({crd_pd_o, unused_crd[19:8]}),
    .crd_nph_o({crd_nph_o, unused_crd[27:20]}), .crd_npd_o({crd_npd_o, unused_npd}), .m_axi_awid, .m_axi_awaddr, .m_axi_awlen,
    .m_axi_awsize, .m_axi_awburst, .m_axi_awvalid, .m_axi_awready, .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid,
    .m_axi_wready, .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready, .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arsize,
    .m_axi_arburst, .m_axi_arvalid, .m_axi_arready, .m_axi_rid, .m_axi_rdata, .m_axi_rresp, .m_axi_rlast, .m_axi_rvalid, .m_axi_rready,
    .s_axil_awaddr(s_axil_awaddr[19:0]), .s_axil_awvalid(awvalid[0]), .s_axil_awready(awready[0]), .s_axil_wdata, .s_axil_wstrb,
    .s_axil_wvalid(wvalid[0]), .s_axil_wready(wready[0]), .s_axil_bresp(bresp[1:0]), .s_axil_bvalid(bvalid[0]),
    .s_axil_bready(bready[0]), .s_axil_araddr(s_axil_araddr[19:0]), .s_axil_arvalid(arvalid[0]), .s_axil_arready(arready[0]),
    .s_axil_rdata(rdata[63:0]), .s_axil_rresp(rresp[1:0]), .s_axil_rvalid(rvalid[0]), .s_axil_rready(rready[0]),
    .task_valid_o(task_valid), .task_ready_i(task_ready), .task_log_o(task_log), .task_prod_o(task_prod), .task_cons_o(task_cons),
    .task_done_valid_i(done), .task_done_log_i(done_log), .retire_valid_o(aa_retire_valid_o), .retire_o(aa_retire_o)
  );

endmodule

`default_nettype wire
