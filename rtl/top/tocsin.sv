// SPDX-License-Identifier: Apache-2.0
// tocsin: NIC, XTQ and IOMMU as one design. Wires the two tops together.
//
//   s_axis, m_axis <--> xtq_nic <--- port 0 ---> aa_iommu <--> host_req, host_cpl, m_axi
//                          ^                        ^  ^------ ports 1 and up: dev_req, dev_cpl
//                          `------ task port -------'
//   s_axil --> cm_axil_split --> registers of the IOMMU (below 1 MiB)
//                           '--> cm_axil_post --> those of the NIC (from 1 MiB on)
//
// Whatever the NIC reads or writes is translated, and may be logged, redirected and wake a handler like that of any
// device; a log with a task starts one through the NIC with no CPU in between. Two retire ports, as the two tops have
// them.
//
// A put of the NIC that waits for room in a log (policy stall) holds up what the NIC reads and writes behind it, and
// with that the NIC's registers, which are written when it is at rest. So that LP_CONS, which makes the room, is not
// behind them at the common port, writes to the NIC are posted (cm_axil_post, 16 of them): answered at once, done in
// order, a read of the NIC waits for them. What is left: the packet of a log's own task is a write of the NIC too, and
// whoever reads a register of the NIC waits with it. Logs that are emptied so must not fill: they drop (LOG_CFG.DROP),
// or have a watchdog (AA_WDOG), or whoever puts there leaves room, as with any queue.
// One file: it only wires, and each pin has a line.
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
  parameter logic [3:0]  AxiCache = 4'b0011,
  parameter logic [2:0]  AxiProt = 3'b010,
  // NIC
  parameter int unsigned NumProcs = 4,
  parameter int unsigned NumQps = 16,
  parameter int unsigned Contexts = 0,
  parameter int unsigned NumMrs = 32,
  parameter int unsigned RespDepth = 64,
  parameter int unsigned Replay = 16,
  parameter int unsigned Window = 64,
  parameter int unsigned Requests = 16,
  parameter int unsigned TableBits = 6,
  parameter int unsigned TableCache = 0,
  parameter int unsigned RecvDepth = 8,
  parameter int unsigned RxBeats = 512,
  parameter int unsigned RxFrames = 16,
  parameter int unsigned Ahead = 64,
  parameter int unsigned ReadTags = 128,
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
  input  wire logic  [Ext*cm_pkg::DataW-1:0]                dev_req_data_i,
  input  wire logic  [Ext*cm_pkg::StrbW-1:0]                dev_req_strb_i,
  input  wire logic  [Ext*cm_pkg::SeqW-1:0]                 dev_req_seq_i,
  input  wire logic  [Ext-1:0]                              dev_req_sop_i,
  input  wire logic  [Ext-1:0]                              dev_req_eop_i,

  // Completions to the devices
  output logic       [Ext-1:0]                              dev_cpl_valid_o,
  input  wire logic  [Ext-1:0]                              dev_cpl_ready_i,
  output logic       [Ext*128-1:0]                          dev_cpl_hdr_o,
  output logic       [Ext*cm_pkg::DataW-1:0]                dev_cpl_data_o,
  output logic       [Ext*cm_pkg::StrbW-1:0]                dev_cpl_strb_o,
  output logic       [Ext*cm_pkg::SeqW-1:0]                 dev_cpl_seq_o,
  output logic       [Ext-1:0]                              dev_cpl_error_o,
  output logic       [Ext-1:0]                              dev_cpl_sop_o,
  output logic       [Ext-1:0]                              dev_cpl_eop_o,

  // Host requests
  output logic                                              host_req_valid_o,
  input  wire logic                                         host_req_ready_i,
  output logic       [128-1:0]                              host_req_hdr_o,
  output logic       [cm_pkg::DataW-1:0]                    host_req_data_o,
  output logic       [cm_pkg::StrbW-1:0]                    host_req_strb_o,
  output logic       [cm_pkg::SeqW-1:0]                     host_req_seq_o,
  output logic                                              host_req_sop_o,
  output logic                                              host_req_eop_o,
  input  wire logic                                         host_np_ready_i,

  // Host completions
  input  wire logic                                         host_cpl_valid_i,
  output logic                                              host_cpl_ready_o,
  input  wire logic  [128-1:0]                              host_cpl_hdr_i,
  input  wire logic  [cm_pkg::DataW-1:0]                    host_cpl_data_i,
  input  wire logic  [cm_pkg::StrbW-1:0]                    host_cpl_strb_i,
  input  wire logic  [cm_pkg::SeqW-1:0]                     host_cpl_seq_i,
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
  output logic       [3:0]                                  m_axi_awcache,
  output logic       [2:0]                                  m_axi_awprot,
  output logic                                              m_axi_awvalid,
  input  wire logic                                         m_axi_awready,
  output logic       [cm_pkg::DataW-1:0]                    m_axi_wdata,
  output logic       [cm_pkg::DataW/8-1:0]                  m_axi_wstrb,
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
  output logic       [3:0]                                  m_axi_arcache,
  output logic       [2:0]                                  m_axi_arprot,
  output logic                                              m_axi_arvalid,
  input  wire logic                                         m_axi_arready,
  input  wire logic  [7:0]                                  m_axi_rid,
  input  wire logic  [cm_pkg::DataW-1:0]                    m_axi_rdata,
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
  output cm_pkg::tlp_t                                      link_req_o,
  output logic                                              link_cpl_take_o,
  output logic                                              link_cpl_wait_o,
  output cm_pkg::tlp_t                                      link_cpl_o,
  output logic                                              link_task_take_o,
  output logic       [4:0]                                  link_task_log_o,
  output logic       [31:0]                                 link_task_prod_o,
  output logic       [31:0]                                 link_task_cons_o,
  output logic                                              link_done_o,
  output logic       [4:0]                                  link_done_log_o
);

  // ranges of parameters, by scripts/params.py: begin
  localparam bit BadNumPorts = NumPorts < 2 || NumPorts > 4;
  if (BadNumPorts) begin : gen_bad_num_ports
    $error("tocsin: NumPorts must be 2 to 4");
  end
  localparam bit BadAaWindow = AaWindow < 2 || AaWindow > 64 || (AaWindow & (AaWindow - 1)) != 0;
  if (BadAaWindow) begin : gen_bad_aa_window
    $error("tocsin: AaWindow must be a power of two, 2 to 64");
  end
  localparam bit BadPayDw = PayDw < 1024 || PayDw > 4096 || (PayDw & (PayDw - 1)) != 0;
  if (BadPayDw) begin : gen_bad_pay_dw
    $error("tocsin: PayDw must be a power of two, 1024 to 4096");
  end
  localparam bit BadWalkers = Walkers < 1 || Walkers > 16;
  if (BadWalkers) begin : gen_bad_walkers
    $error("tocsin: Walkers must be 1 to 16");
  end
  localparam bit BadIotlbEntries = IotlbEntries < 1 || IotlbEntries > 65536 || (IotlbEntries & (IotlbEntries - 1)) != 0;
  if (BadIotlbEntries) begin : gen_bad_iotlb_entries
    $error("tocsin: IotlbEntries must be a power of two, 1 to 65536");
  end
  localparam bit BadIotlbWays = IotlbWays < 1 || IotlbWays > 256 || (IotlbWays & (IotlbWays - 1)) != 0;
  if (BadIotlbWays) begin : gen_bad_iotlb_ways
    $error("tocsin: IotlbWays must be a power of two, 1 to 256");
  end
  localparam bit BadSpEntries = SpEntries < 1 || SpEntries > 256;
  if (BadSpEntries) begin : gen_bad_sp_entries
    $error("tocsin: SpEntries must be 1 to 256");
  end
  localparam bit BadCtxEntries = CtxEntries < 1 || CtxEntries > 256 || (CtxEntries & (CtxEntries - 1)) != 0;
  if (BadCtxEntries) begin : gen_bad_ctx_entries
    $error("tocsin: CtxEntries must be a power of two, 1 to 256");
  end
  localparam bit BadPscEntries = PscEntries != 0 && (PscEntries < 1 || PscEntries > 512 ||
    (PscEntries & (PscEntries - 1)) != 0);
  if (BadPscEntries) begin : gen_bad_psc_entries
    $error("tocsin: PscEntries must be 0 or a power of two, 1 to 512");
  end
  localparam bit BadNumLogs = NumLogs < 1 || NumLogs > 32;
  if (BadNumLogs) begin : gen_bad_num_logs
    $error("tocsin: NumLogs must be 1 to 32");
  end
  localparam bit BadLogDepth = LogDepth < 1 || LogDepth > 32 || (LogDepth & (LogDepth - 1)) != 0;
  if (BadLogDepth) begin : gen_bad_log_depth
    $error("tocsin: LogDepth must be a power of two, 1 to 32");
  end
  localparam bit BadTagEntries = TagEntries < 2 || TagEntries > 255;
  if (BadTagEntries) begin : gen_bad_tag_entries
    $error("tocsin: TagEntries must be 2 to 255");
  end
  localparam bit BadFlushPages = FlushPages < 1 || FlushPages > 8;
  if (BadFlushPages) begin : gen_bad_flush_pages
    $error("tocsin: FlushPages must be 1 to 8");
  end
  localparam bit BadFlushWaiters = FlushWaiters < 1 || FlushWaiters > 32;
  if (BadFlushWaiters) begin : gen_bad_flush_waiters
    $error("tocsin: FlushWaiters must be 1 to 32");
  end
  localparam bit BadScratchWords = ScratchWords < 1 || ScratchWords > 64;
  if (BadScratchWords) begin : gen_bad_scratch_words
    $error("tocsin: ScratchWords must be 1 to 64");
  end
  localparam bit BadNumProcs = NumProcs < 1 || NumProcs > 16;
  if (BadNumProcs) begin : gen_bad_num_procs
    $error("tocsin: NumProcs must be 1 to 16");
  end
  localparam bit BadNumQps = NumQps < 2 || NumQps > 256;
  if (BadNumQps) begin : gen_bad_num_qps
    $error("tocsin: NumQps must be 2 to 256");
  end
  localparam bit BadContexts = Contexts != 0 && (Contexts < 16 || Contexts > 4096 || (Contexts & (Contexts - 1)) != 0);
  if (BadContexts) begin : gen_bad_contexts
    $error("tocsin: Contexts must be 0 or a power of two, 16 to 4096");
  end
  localparam bit BadNumMrs = NumMrs < 1 || NumMrs > 256;
  if (BadNumMrs) begin : gen_bad_num_mrs
    $error("tocsin: NumMrs must be 1 to 256");
  end
  localparam bit BadRespDepth = RespDepth < 2 || RespDepth > 256;
  if (BadRespDepth) begin : gen_bad_resp_depth
    $error("tocsin: RespDepth must be 2 to 256");
  end
  localparam bit BadReplay = Replay < 1 || Replay > 64;
  if (BadReplay) begin : gen_bad_replay
    $error("tocsin: Replay must be 1 to 64");
  end
  localparam bit BadWindow = Window < 16 || Window > 65536;
  if (BadWindow) begin : gen_bad_window
    $error("tocsin: Window must be 16 to 65536");
  end
  localparam bit BadRequests = Requests < 2 || Requests > 64 || (Requests & (Requests - 1)) != 0;
  if (BadRequests) begin : gen_bad_requests
    $error("tocsin: Requests must be a power of two, 2 to 64");
  end
  localparam bit BadTableBits = TableBits < 1 || TableBits > 12;
  if (BadTableBits) begin : gen_bad_table_bits
    $error("tocsin: TableBits must be 1 to 12");
  end
  localparam bit BadTableCache = TableCache != 0 && (TableCache < 2 || TableCache > 65536 ||
    (TableCache & (TableCache - 1)) != 0);
  if (BadTableCache) begin : gen_bad_table_cache
    $error("tocsin: TableCache must be 0 or a power of two, 2 to 65536");
  end
  localparam bit BadRecvDepth = RecvDepth < 2 || RecvDepth > 64 || (RecvDepth & (RecvDepth - 1)) != 0;
  if (BadRecvDepth) begin : gen_bad_recv_depth
    $error("tocsin: RecvDepth must be a power of two, 2 to 64");
  end
  localparam bit BadRxBeats = RxBeats < 128 || RxBeats > 65536 || (RxBeats & (RxBeats - 1)) != 0;
  if (BadRxBeats) begin : gen_bad_rx_beats
    $error("tocsin: RxBeats must be a power of two, 128 to 65536");
  end
  localparam bit BadRxFrames = RxFrames < 6 || RxFrames > 4096;
  if (BadRxFrames) begin : gen_bad_rx_frames
    $error("tocsin: RxFrames must be 6 to 4096");
  end
  localparam bit BadAhead = Ahead < 4 || Ahead > 64;
  if (BadAhead) begin : gen_bad_ahead
    $error("tocsin: Ahead must be 4 to 64");
  end
  localparam bit BadReadTags = ReadTags < 2 || ReadTags > 256 || (ReadTags & (ReadTags - 1)) != 0;
  if (BadReadTags) begin : gen_bad_read_tags
    $error("tocsin: ReadTags must be a power of two, 2 to 256");
  end
  localparam bit BadMaxRead = MaxRead < 128 || MaxRead > 4096 || (MaxRead & (MaxRead - 1)) != 0;
  if (BadMaxRead) begin : gen_bad_max_read
    $error("tocsin: MaxRead must be a power of two, 128 to 4096");
  end
  localparam bit BadRule0 = !(cm_pkg::AskedDataW == 128 || cm_pkg::AskedDataW == 256 || cm_pkg::AskedDataW == 512);
  if (BadRule0) begin : gen_bad_rule_0
    $error("tocsin: DataW must be 128, 256 or 512");
  end
  localparam bit BadRule1 = !(IotlbWays <= IotlbEntries);
  if (BadRule1) begin : gen_bad_rule_1
    $error("tocsin: IotlbWays must be at most IotlbEntries");
  end
  localparam bit BadRule2 = !(IotlbEntries <= 512 * IotlbWays);
  if (BadRule2) begin : gen_bad_rule_2
    $error("tocsin: IotlbEntries must be at most 512 for each of IotlbWays");
  end
  localparam bit BadRule3 = !(!IotlbRandom || (SpEntries & (SpEntries - 1)) == 0);
  if (BadRule3) begin : gen_bad_rule_3
    $error("tocsin: SpEntries must be a power of two where IotlbRandom is set");
  end
  localparam bit BadRule4 = !(TagEntries >= NumPorts);
  if (BadRule4) begin : gen_bad_rule_4
    $error("tocsin: TagEntries must be at least NumPorts");
  end
  localparam bit BadRule5 = !(FlushWaiters >= NumPorts);
  if (BadRule5) begin : gen_bad_rule_5
    $error("tocsin: FlushWaiters must be at least NumPorts");
  end
  localparam bit BadRule6 = !(PayDw >= 1024 + 8 * AaWindow * (cm_pkg::DataW / 128 - 1));
  if (BadRule6) begin : gen_bad_rule_6
    $error("tocsin: PayDw must be at least 1024 + 8 x AaWindow x (DataW / 128 - 1)");
  end
  localparam bit BadRule7 = !(TableCache <= NumProcs << TableBits);
  if (BadRule7) begin : gen_bad_rule_7
    $error("tocsin: TableCache must be at most NumProcs x 2^TableBits");
  end
  localparam bit BadRule8 = !(RxBeats >= 32768 / cm_pkg::DataW + 5);
  if (BadRule8) begin : gen_bad_rule_8
    $error("tocsin: RxBeats must hold a frame of 4096 bytes and five beats: at least 32768 / DataW + 5");
  end
  localparam bit BadRule9 = !(ReadTags * MaxRead >= 8192);
  if (BadRule9) begin : gen_bad_rule_9
    $error("tocsin: ReadTags x MaxRead must be at least 8192, for a job of 4096 bytes at any address");
  end
  localparam bit Bad = BadNumPorts || BadAaWindow || BadPayDw || BadWalkers || BadIotlbEntries || BadIotlbWays ||
    BadSpEntries || BadCtxEntries || BadPscEntries || BadNumLogs || BadLogDepth || BadTagEntries ||
    BadFlushPages || BadFlushWaiters || BadScratchWords || BadNumProcs || BadNumQps || BadContexts ||
    BadNumMrs || BadRespDepth || BadReplay || BadWindow || BadRequests || BadTableBits || BadTableCache
    || BadRecvDepth || BadRxBeats || BadRxFrames || BadAhead || BadReadTags || BadMaxRead || BadRule0 ||
    BadRule1 || BadRule2 || BadRule3 || BadRule4 || BadRule5 || BadRule6 || BadRule7 || BadRule8 ||
    BadRule9;
  // What the blocks are given: defaults if anything is wrong.
  localparam int unsigned SafeNumPorts = Bad ? 2 : NumPorts;
  localparam int unsigned SafeAaWindow = Bad ? 8 : AaWindow;
  localparam int unsigned SafePayDw = Bad ? 2048 : PayDw;
  localparam int unsigned SafeWalkers = Bad ? 4 : Walkers;
  localparam int unsigned SafeIotlbEntries = Bad ? 64 : IotlbEntries;
  localparam int unsigned SafeIotlbWays = Bad ? 4 : IotlbWays;
  localparam int unsigned SafeSpEntries = Bad ? 4 : SpEntries;
  localparam int unsigned SafeCtxEntries = Bad ? 16 : CtxEntries;
  localparam int unsigned SafePscEntries = Bad ? 8 : PscEntries;
  localparam int unsigned SafeNumLogs = Bad ? 8 : NumLogs;
  localparam int unsigned SafeLogDepth = Bad ? 16 : LogDepth;
  localparam int unsigned SafeTagEntries = Bad ? 32 : TagEntries;
  localparam int unsigned SafeFlushPages = Bad ? 4 : FlushPages;
  localparam int unsigned SafeFlushWaiters = Bad ? 8 : FlushWaiters;
  localparam int unsigned SafeScratchWords = Bad ? 16 : ScratchWords;
  localparam int unsigned SafeNumProcs = Bad ? 4 : NumProcs;
  localparam int unsigned SafeNumQps = Bad ? 16 : NumQps;
  localparam int unsigned SafeContexts = Bad ? 0 : Contexts;
  localparam int unsigned SafeNumMrs = Bad ? 32 : NumMrs;
  localparam int unsigned SafeRespDepth = Bad ? 64 : RespDepth;
  localparam int unsigned SafeReplay = Bad ? 16 : Replay;
  localparam int unsigned SafeWindow = Bad ? 64 : Window;
  localparam int unsigned SafeRequests = Bad ? 16 : Requests;
  localparam int unsigned SafeTableBits = Bad ? 6 : TableBits;
  localparam int unsigned SafeTableCache = Bad ? 0 : TableCache;
  localparam int unsigned SafeRecvDepth = Bad ? 8 : RecvDepth;
  localparam int unsigned SafeRxBeats = Bad ? 512 : RxBeats;
  localparam int unsigned SafeRxFrames = Bad ? 16 : RxFrames;
  localparam int unsigned SafeAhead = Bad ? 64 : Ahead;
  localparam int unsigned SafeReadTags = Bad ? 128 : ReadTags;
  localparam int unsigned SafeMaxRead = Bad ? 512 : MaxRead;
  // ranges of parameters, by scripts/params.py: end

  localparam int unsigned StrbW = cm_pkg::StrbW;
  localparam int unsigned SeqW = cm_pkg::SeqW;

  // ---- registers --------------------------------------------------------------------------------------------------
  // 0 the IOMMU, 1 the NIC
  logic [1:0]   awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [3:0]   bresp, rresp;
  logic [127:0] rdata;

  cm_axil_split u_axil (
    .clk_i,
    .rst_ni,
    .s_awvalid_i(s_axil_awvalid),
    .s_awready_o(s_axil_awready),
    .s_awaddr_i(s_axil_awaddr),
    .s_wvalid_i(s_axil_wvalid),
    .s_wready_o(s_axil_wready),
    .s_bvalid_o(s_axil_bvalid),
    .s_bready_i(s_axil_bready),
    .s_bresp_o(s_axil_bresp),
    .s_arvalid_i(s_axil_arvalid),
    .s_arready_o(s_axil_arready),
    .s_araddr_i(s_axil_araddr),
    .s_rvalid_o(s_axil_rvalid),
    .s_rready_i(s_axil_rready),
    .s_rdata_o(s_axil_rdata),
    .s_rresp_o(s_axil_rresp),
    .m_awvalid_o(awvalid),
    .m_awready_i(awready),
    .m_wvalid_o(wvalid),
    .m_wready_i(wready),
    .m_bvalid_i(bvalid),
    .m_bready_o(bready),
    .m_bresp_i(bresp),
    .m_arvalid_o(arvalid),
    .m_arready_i(arready),
    .m_rvalid_i(rvalid),
    .m_rready_o(rready),
    .m_rdata_i(rdata),
    .m_rresp_i(rresp)
  );

  // Writes to the NIC, posted
  logic        nic_awvalid, nic_awready, nic_wvalid, nic_wready, nic_bvalid, nic_bready, nic_arvalid, nic_arready,
               nic_rvalid, nic_rready;
  logic [19:0] nic_awaddr;
  logic [63:0] nic_wdata;
  logic [7:0]  nic_wstrb;
  logic [1:0]  unused_bresp;

  cm_axil_post u_post (
    .clk_i,
    .rst_ni,
    .s_awvalid_i(awvalid[1]),
    .s_awready_o(awready[1]),
    .s_awaddr_i(s_axil_awaddr[19:0]),
    .s_wvalid_i(wvalid[1]),
    .s_wready_o(wready[1]),
    .s_wdata_i(s_axil_wdata),
    .s_wstrb_i(s_axil_wstrb),
    .s_bvalid_o(bvalid[1]),
    .s_bready_i(bready[1]),
    .s_arvalid_i(arvalid[1]),
    .s_arready_o(arready[1]),
    .s_rvalid_o(rvalid[1]),
    .s_rready_i(rready[1]),
    .m_awvalid_o(nic_awvalid),
    .m_awready_i(nic_awready),
    .m_awaddr_o(nic_awaddr),
    .m_wvalid_o(nic_wvalid),
    .m_wready_i(nic_wready),
    .m_wdata_o(nic_wdata),
    .m_wstrb_o(nic_wstrb),
    .m_bvalid_i(nic_bvalid),
    .m_bready_o(nic_bready),
    .m_arvalid_o(nic_arvalid),
    .m_arready_i(nic_arready),
    .m_rvalid_i(nic_rvalid),
    .m_rready_o(nic_rready)
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
    .NumProcs(SafeNumProcs),
    .NumQps(SafeNumQps),
    .Contexts(SafeContexts),
    .NumMrs(SafeNumMrs),
    .RespDepth(SafeRespDepth),
    .Replay(SafeReplay),
    .Window(SafeWindow),
    .Requests(SafeRequests),
    .TableBits(SafeTableBits),
    .TableCache(SafeTableCache),
    .RecvDepth(SafeRecvDepth),
    .NumLogs(SafeNumLogs),
    .RxBeats(SafeRxBeats),
    .RxFrames(SafeRxFrames),
    .Ahead(SafeAhead),
    .ReadTags(SafeReadTags),
    .MaxRead(SafeMaxRead)
  ) u_nic (
    .clk_i,
    .rst_ni,
    .s_axis_valid_i,
    .s_axis_ready_o,
    .s_axis_data_i,
    .s_axis_keep_i,
    .s_axis_last_i,
    .s_axis_error_i,
    .m_axis_valid_o,
    .m_axis_ready_i,
    .m_axis_data_o,
    .m_axis_keep_o,
    .m_axis_last_o,
    .dev_req_valid_o(req_valid),
    .dev_req_ready_i(req_ready),
    .dev_req_hdr_o(req_hdr),
    .dev_req_data_o(req_data),
    .dev_req_strb_o(req_strb),
    .dev_req_seq_o(req_seq),
    .dev_req_sop_o(req_sop),
    .dev_req_eop_o(req_eop),
    .dev_cpl_valid_i(cpl_valid),
    .dev_cpl_ready_o(cpl_ready),
    .dev_cpl_hdr_i(cpl_hdr),
    .dev_cpl_data_i(cpl_data),
    .dev_cpl_strb_i(cpl_strb),
    .dev_cpl_seq_i(cpl_seq),
    .dev_cpl_error_i(cpl_error),
    .dev_cpl_sop_i(cpl_sop),
    .dev_cpl_eop_i(cpl_eop),
    .s_axil_awaddr(nic_awaddr),
    .s_axil_awvalid(nic_awvalid),
    .s_axil_awready(nic_awready),
    .s_axil_wdata(nic_wdata),
    .s_axil_wstrb(nic_wstrb),
    .s_axil_wvalid(nic_wvalid),
    .s_axil_wready(nic_wready),
    .s_axil_bresp(unused_bresp),
    .s_axil_bvalid(nic_bvalid),
    .s_axil_bready(nic_bready),
    .s_axil_araddr(s_axil_araddr[19:0]),
    .s_axil_arvalid(nic_arvalid),
    .s_axil_arready(nic_arready),
    .s_axil_rdata(rdata[127:64]),
    .s_axil_rresp(rresp[3:2]),
    .s_axil_rvalid(nic_rvalid),
    .s_axil_rready(nic_rready),
    .task_valid_i(task_valid),
    .task_ready_o(task_ready),
    .task_log_i(task_log),
    .task_prod_i(task_prod),
    .task_cons_i(task_cons),
    .task_done_valid_o(done),
    .task_done_log_o(done_log),
    .retire_valid_o(nic_retire_valid_o),
    .retire_o(nic_retire_o)
  );

  aa_iommu #(
    .NumPorts(SafeNumPorts),
    .PayDw(SafePayDw),
    .Walkers(SafeWalkers),
    .IotlbEntries(SafeIotlbEntries),
    .IotlbWays(SafeIotlbWays),
    .IotlbRandom(IotlbRandom),
    .SpEntries(SafeSpEntries),
    .CtxEntries(SafeCtxEntries),
    .PscEntries(SafePscEntries),
    .NumLogs(SafeNumLogs),
    .LogDepth(SafeLogDepth),
    .TagEntries(SafeTagEntries),
    .FlushPages(SafeFlushPages),
    .FlushWaiters(SafeFlushWaiters),
    .ScratchWords(SafeScratchWords),
    .Window(SafeAaWindow),
    .AxiCache(AxiCache),
    .AxiProt(AxiProt)
  ) u_iommu (
    .clk_i,
    .rst_ni,
    .dev_req_valid_i({dev_req_valid_i, req_valid}),
    .dev_req_ready_o({dev_req_ready_o, req_ready}),
    .dev_req_hdr_i({dev_req_hdr_i, req_hdr}),
    .dev_req_data_i({dev_req_data_i, req_data}),
    .dev_req_strb_i({dev_req_strb_i, req_strb}),
    .dev_req_seq_i({dev_req_seq_i, req_seq}),
    .dev_req_sop_i({dev_req_sop_i, req_sop}),
    .dev_req_eop_i({dev_req_eop_i, req_eop}),
    .dev_cpl_valid_o({dev_cpl_valid_o, cpl_valid}),
    .dev_cpl_ready_i({dev_cpl_ready_i, cpl_ready}),
    .dev_cpl_hdr_o({dev_cpl_hdr_o, cpl_hdr}),
    .dev_cpl_data_o({dev_cpl_data_o, cpl_data}),
    .dev_cpl_strb_o({dev_cpl_strb_o, cpl_strb}),
    .dev_cpl_seq_o({dev_cpl_seq_o, cpl_seq}),
    .dev_cpl_error_o({dev_cpl_error_o, cpl_error}),
    .dev_cpl_sop_o({dev_cpl_sop_o, cpl_sop}),
    .dev_cpl_eop_o({dev_cpl_eop_o, cpl_eop}),
    .host_req_valid_o,
    .host_req_ready_i,
    .host_req_hdr_o,
    .host_req_data_o,
    .host_req_strb_o,
    .host_req_seq_o,
    .host_req_sop_o,
    .host_req_eop_o,
    .host_np_ready_i,
    .host_cpl_valid_i,
    .host_cpl_ready_o,
    .host_cpl_hdr_i,
    .host_cpl_data_i,
    .host_cpl_strb_i,
    .host_cpl_seq_i,
    .host_cpl_error_i,
    .host_cpl_sop_i,
    .host_cpl_eop_i,
    .dev_reset_i({dev_reset_i, 1'b0}),
    .crd_ph_o({crd_ph_o, unused_crd[7:0]}),
    .crd_pd_o({crd_pd_o, unused_crd[19:8]}),
    .crd_nph_o({crd_nph_o, unused_crd[27:20]}),
    .crd_npd_o({crd_npd_o, unused_npd}),
    .m_axi_awid,
    .m_axi_awaddr,
    .m_axi_awlen,
    .m_axi_awsize,
    .m_axi_awburst,
    .m_axi_awcache,
    .m_axi_awprot,
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
    .m_axi_arcache,
    .m_axi_arprot,
    .m_axi_arvalid,
    .m_axi_arready,
    .m_axi_rid,
    .m_axi_rdata,
    .m_axi_rresp,
    .m_axi_rlast,
    .m_axi_rvalid,
    .m_axi_rready,
    .s_axil_awaddr(s_axil_awaddr[19:0]),
    .s_axil_awvalid(awvalid[0]),
    .s_axil_awready(awready[0]),
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_wvalid(wvalid[0]),
    .s_axil_wready(wready[0]),
    .s_axil_bresp(bresp[1:0]),
    .s_axil_bvalid(bvalid[0]),
    .s_axil_bready(bready[0]),
    .s_axil_araddr(s_axil_araddr[19:0]),
    .s_axil_arvalid(arvalid[0]),
    .s_axil_arready(arready[0]),
    .s_axil_rdata(rdata[63:0]),
    .s_axil_rresp(rresp[1:0]),
    .s_axil_rvalid(rvalid[0]),
    .s_axil_rready(rready[0]),
    .task_valid_o(task_valid),
    .task_ready_i(task_ready),
    .task_log_o(task_log),
    .task_prod_o(task_prod),
    .task_cons_o(task_cons),
    .task_done_valid_i(done),
    .task_done_log_i(done_log),
    .retire_valid_o(aa_retire_valid_o),
    .retire_o(aa_retire_o)
  );

endmodule

`default_nettype wire
