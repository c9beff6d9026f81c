// SPDX-License-Identifier: Apache-2.0
// aa_iommu: the Active Access IOMMU. Plain ports outside, packed structs inside; it only wires.
//
//   dev_req[p] --> aa_request (ports, translation) --> aa_decide --> aa_mover --> host_req
//                                                        | | |          |
//   dev_cpl[p] <-- aa_return (reads, flushes) <----------+ | |          |  <----- host_cpl
//                  aa_logs (access logs) <-----------------+ |  <-------+
//                     +--> aa_axi_writer --> AXI4 writes     |
//   AXI4-Lite ---> aa_control (registers, faults) <----------+      AXI4 reads <-- walks, invalidation queue
//
// Streams follow verilog-pcie: hdr big-endian and valid at sop, data byte 0 at 7:0, strb one bit a DW. README.md is the
// specification. Hit latency 5 cycles from the last beat in to the first beat out, one beat and one look-up a cycle.
// One file: it only wires, and each pin has a line.
// Rules of README.md: STR-1, STR-2, STR-11, RET-1.
`default_nettype none

module aa_iommu #(
  parameter int unsigned NumPorts = 1,       // device ports, 1 to 4
  parameter int unsigned Window = 8,         // requests a lane holds and looks ahead over, power of two, 2 to 64
  parameter int unsigned PayDw = 2048,       // posted payload a port holds, in DW: at least one of the largest TLP
  parameter int unsigned Walkers = 4,        // walks at once, 1 to 16
  parameter int unsigned IotlbEntries = 64,  // powers of two
  parameter int unsigned IotlbWays = 4,      // 1 to IotlbEntries (full)
  parameter bit          IotlbRandom = 0,    // 0 LRU, 1 random
  parameter int unsigned SpEntries = 4,      // superpage TLB
  parameter int unsigned CtxEntries = 16,    // context cache
  parameter int unsigned PscEntries = 8,     // paging-structure cache, a level
  parameter int unsigned NumLogs = 8,        // access logs, 1 to 32
  parameter int unsigned LogDepth = 16,      // entries of a log that are reserved and not yet published
  parameter int unsigned TagEntries = 32,    // reads and atomics under way
  parameter int unsigned FlushPages = 4,     // 1 to 8
  parameter int unsigned FlushWaiters = 8,   // flushes that wait
  parameter int unsigned ScratchWords = 16,  // 1 to 64
  parameter bit          ActiveAccess = 1'b1, // 0: a stock IOMMU; logs, flushes and counters read as zero
  parameter logic [3:0]  AxiCache = 4'b0011, // AxCACHE of memory: 0011 not cached, 1111 through a coherent port
  parameter logic [2:0]  AxiProt = 3'b010    // AxPROT: data, non-secure, unprivileged
) (
  // Clock and reset
  input  wire logic                                                clk_i,
  input  wire logic                                                rst_ni,

  // Device requests, one stream a port
  input  wire logic [NumPorts-1:0]                                 dev_req_valid_i,
  output logic      [NumPorts-1:0]                                 dev_req_ready_o,
  input  wire logic [NumPorts*128-1:0]                             dev_req_hdr_i,
  input  wire logic [NumPorts*cm_pkg::DataW-1:0]                   dev_req_data_i,
  input  wire logic [NumPorts*cm_pkg::StrbW-1:0]                   dev_req_strb_i,
  input  wire logic [NumPorts*cm_pkg::SeqW-1:0]                    dev_req_seq_i,
  input  wire logic [NumPorts-1:0]                                 dev_req_sop_i,
  input  wire logic [NumPorts-1:0]                                 dev_req_eop_i,

  // Completions to the devices
  output logic      [NumPorts-1:0]                                 dev_cpl_valid_o,
  input  wire logic [NumPorts-1:0]                                 dev_cpl_ready_i,
  output logic      [NumPorts*128-1:0]                             dev_cpl_hdr_o,
  output logic      [NumPorts*cm_pkg::DataW-1:0]                   dev_cpl_data_o,
  output logic      [NumPorts*cm_pkg::StrbW-1:0]                   dev_cpl_strb_o,
  output logic      [NumPorts*cm_pkg::SeqW-1:0]                    dev_cpl_seq_o,
  output logic      [NumPorts-1:0]                                 dev_cpl_error_o,
  output logic      [NumPorts-1:0]                                 dev_cpl_sop_o,
  output logic      [NumPorts-1:0]                                 dev_cpl_eop_o,

  // Host requests
  output logic                                                     host_req_valid_o,
  input  wire logic                                                host_req_ready_i,
  output logic      [128-1:0]                                      host_req_hdr_o,
  output logic      [cm_pkg::DataW-1:0]                            host_req_data_o,
  output logic      [cm_pkg::StrbW-1:0]                            host_req_strb_o,
  output logic      [cm_pkg::SeqW-1:0]                             host_req_seq_o,
  output logic                                                     host_req_sop_o,
  output logic                                                     host_req_eop_o,
  input  wire logic                                                host_np_ready_i,

  // Host completions
  input  wire logic                                                host_cpl_valid_i,
  output logic                                                     host_cpl_ready_o,
  input  wire logic [128-1:0]                                      host_cpl_hdr_i,
  input  wire logic [cm_pkg::DataW-1:0]                            host_cpl_data_i,
  input  wire logic [cm_pkg::StrbW-1:0]                            host_cpl_strb_i,
  input  wire logic [cm_pkg::SeqW-1:0]                             host_cpl_seq_i,
  input  wire logic                                                host_cpl_error_i,
  input  wire logic                                                host_cpl_sop_i,
  input  wire logic                                                host_cpl_eop_i,

  // Reset of a port's device; flow-control credits (cumulative limits)
  input  wire logic [NumPorts-1:0]                                 dev_reset_i,
  output logic      [NumPorts*8-1:0]                               crd_ph_o,
  output logic      [NumPorts*12-1:0]                              crd_pd_o,
  output logic      [NumPorts*8-1:0]                               crd_nph_o,
  output logic      [NumPorts*12-1:0]                              crd_npd_o,

  // AXI4 master: walks, logs, pointers, messages
  output logic      [7:0]                                          m_axi_awid,
  output logic      [63:0]                                         m_axi_awaddr,
  output logic      [7:0]                                          m_axi_awlen,
  output logic      [2:0]                                          m_axi_awsize,
  output logic      [1:0]                                          m_axi_awburst,
  output logic      [3:0]                                          m_axi_awcache,
  output logic      [2:0]                                          m_axi_awprot,
  output logic                                                     m_axi_awvalid,
  input  wire logic                                                m_axi_awready,
  output logic      [cm_pkg::DataW-1:0]                            m_axi_wdata,
  output logic      [cm_pkg::DataW/8-1:0]                          m_axi_wstrb,
  output logic                                                     m_axi_wlast,
  output logic                                                     m_axi_wvalid,
  input  wire logic                                                m_axi_wready,
  input  wire logic [7:0]                                          m_axi_bid,
  input  wire logic [1:0]                                          m_axi_bresp,
  input  wire logic                                                m_axi_bvalid,
  output logic                                                     m_axi_bready,
  output logic      [7:0]                                          m_axi_arid,
  output logic      [63:0]                                         m_axi_araddr,
  output logic      [7:0]                                          m_axi_arlen,
  output logic      [2:0]                                          m_axi_arsize,
  output logic      [1:0]                                          m_axi_arburst,
  output logic      [3:0]                                          m_axi_arcache,
  output logic      [2:0]                                          m_axi_arprot,
  output logic                                                     m_axi_arvalid,
  input  wire logic                                                m_axi_arready,
  input  wire logic [7:0]                                          m_axi_rid,
  input  wire logic [cm_pkg::DataW-1:0]                            m_axi_rdata,
  input  wire logic [1:0]                                          m_axi_rresp,
  input  wire logic                                                m_axi_rlast,
  input  wire logic                                                m_axi_rvalid,
  output logic                                                     m_axi_rready,

  // AXI4-Lite slave: registers
  input  wire logic [19:0]                                         s_axil_awaddr,
  input  wire logic                                                s_axil_awvalid,
  output logic                                                     s_axil_awready,
  input  wire logic [63:0]                                         s_axil_wdata,
  input  wire logic [7:0]                                          s_axil_wstrb,
  input  wire logic                                                s_axil_wvalid,
  output logic                                                     s_axil_wready,
  output logic      [1:0]                                          s_axil_bresp,
  output logic                                                     s_axil_bvalid,
  input  wire logic                                                s_axil_bready,
  input  wire logic [19:0]                                         s_axil_araddr,
  input  wire logic                                                s_axil_arvalid,
  output logic                                                     s_axil_arready,
  output logic      [63:0]                                         s_axil_rdata,
  output logic      [1:0]                                          s_axil_rresp,
  output logic                                                     s_axil_rvalid,
  input  wire logic                                                s_axil_rready,

  // Tasks for XTQ
  output logic                                                     task_valid_o,
  input  wire logic                                                task_ready_i,
  output logic      [4:0]                                          task_log_o,
  output logic      [31:0]                                         task_prod_o,
  output logic      [31:0]                                         task_cons_o,
  input  wire logic                                                task_done_valid_i,
  input  wire logic [4:0]                                          task_done_log_i,

  // Retire records, slot 0 lowest
  output logic      [aa_pkg::RetireSlots-1:0]                      retire_valid_o,
  output logic      [aa_pkg::RetireSlots*aa_pkg::RetireW-1:0]      retire_o
);

  // ranges of parameters, by scripts/params.py: begin
  localparam bit BadNumPorts = NumPorts < 1 || NumPorts > 4;
  if (BadNumPorts) begin : gen_bad_num_ports
    $error("aa_iommu: NumPorts must be 1 to 4");
  end
  localparam bit BadWindow = Window < 2 || Window > 64 || (Window & (Window - 1)) != 0;
  if (BadWindow) begin : gen_bad_window
    $error("aa_iommu: Window must be a power of two, 2 to 64");
  end
  localparam bit BadPayDw = PayDw < 1024 || PayDw > 4096 || (PayDw & (PayDw - 1)) != 0;
  if (BadPayDw) begin : gen_bad_pay_dw
    $error("aa_iommu: PayDw must be a power of two, 1024 to 4096");
  end
  localparam bit BadWalkers = Walkers < 1 || Walkers > 16;
  if (BadWalkers) begin : gen_bad_walkers
    $error("aa_iommu: Walkers must be 1 to 16");
  end
  localparam bit BadIotlbEntries = IotlbEntries < 1 || IotlbEntries > 65536 || (IotlbEntries & (IotlbEntries - 1)) != 0;
  if (BadIotlbEntries) begin : gen_bad_iotlb_entries
    $error("aa_iommu: IotlbEntries must be a power of two, 1 to 65536");
  end
  localparam bit BadIotlbWays = IotlbWays < 1 || IotlbWays > 256 || (IotlbWays & (IotlbWays - 1)) != 0;
  if (BadIotlbWays) begin : gen_bad_iotlb_ways
    $error("aa_iommu: IotlbWays must be a power of two, 1 to 256");
  end
  localparam bit BadSpEntries = SpEntries < 1 || SpEntries > 256;
  if (BadSpEntries) begin : gen_bad_sp_entries
    $error("aa_iommu: SpEntries must be 1 to 256");
  end
  localparam bit BadCtxEntries = CtxEntries < 1 || CtxEntries > 256 || (CtxEntries & (CtxEntries - 1)) != 0;
  if (BadCtxEntries) begin : gen_bad_ctx_entries
    $error("aa_iommu: CtxEntries must be a power of two, 1 to 256");
  end
  localparam bit BadPscEntries = PscEntries != 0 && (PscEntries < 1 || PscEntries > 512 ||
    (PscEntries & (PscEntries - 1)) != 0);
  if (BadPscEntries) begin : gen_bad_psc_entries
    $error("aa_iommu: PscEntries must be 0 or a power of two, 1 to 512");
  end
  localparam bit BadNumLogs = ActiveAccess && (NumLogs < 1 || NumLogs > 32);
  if (BadNumLogs) begin : gen_bad_num_logs
    $error("aa_iommu: NumLogs must be 1 to 32");
  end
  localparam bit BadLogDepth = ActiveAccess && (LogDepth < 1 || LogDepth > 32 || (LogDepth & (LogDepth - 1)) != 0);
  if (BadLogDepth) begin : gen_bad_log_depth
    $error("aa_iommu: LogDepth must be a power of two, 1 to 32");
  end
  localparam bit BadTagEntries = TagEntries < 2 || TagEntries > 255;
  if (BadTagEntries) begin : gen_bad_tag_entries
    $error("aa_iommu: TagEntries must be 2 to 255");
  end
  localparam bit BadFlushPages = ActiveAccess && (FlushPages < 1 || FlushPages > 8);
  if (BadFlushPages) begin : gen_bad_flush_pages
    $error("aa_iommu: FlushPages must be 1 to 8");
  end
  localparam bit BadFlushWaiters = ActiveAccess && (FlushWaiters < 1 || FlushWaiters > 32);
  if (BadFlushWaiters) begin : gen_bad_flush_waiters
    $error("aa_iommu: FlushWaiters must be 1 to 32");
  end
  localparam bit BadScratchWords = ActiveAccess && (ScratchWords < 1 || ScratchWords > 64);
  if (BadScratchWords) begin : gen_bad_scratch_words
    $error("aa_iommu: ScratchWords must be 1 to 64");
  end
  localparam bit BadRule0 = !(cm_pkg::AskedDataW == 128 || cm_pkg::AskedDataW == 256 || cm_pkg::AskedDataW == 512);
  if (BadRule0) begin : gen_bad_rule_0
    $error("aa_iommu: DataW must be 128, 256 or 512");
  end
  localparam bit BadRule1 = !(IotlbWays <= IotlbEntries);
  if (BadRule1) begin : gen_bad_rule_1
    $error("aa_iommu: IotlbWays must be at most IotlbEntries");
  end
  localparam bit BadRule2 = !(IotlbEntries <= 512 * IotlbWays);
  if (BadRule2) begin : gen_bad_rule_2
    $error("aa_iommu: IotlbEntries must be at most 512 for each of IotlbWays");
  end
  localparam bit BadRule3 = !(!IotlbRandom || (SpEntries & (SpEntries - 1)) == 0);
  if (BadRule3) begin : gen_bad_rule_3
    $error("aa_iommu: SpEntries must be a power of two where IotlbRandom is set");
  end
  localparam bit BadRule4 = !(TagEntries >= NumPorts);
  if (BadRule4) begin : gen_bad_rule_4
    $error("aa_iommu: TagEntries must be at least NumPorts");
  end
  localparam bit BadRule5 = ActiveAccess && (!(FlushWaiters >= NumPorts));
  if (BadRule5) begin : gen_bad_rule_5
    $error("aa_iommu: FlushWaiters must be at least NumPorts");
  end
  localparam bit BadRule6 = !(PayDw >= 1024 + 8 * Window * (cm_pkg::DataW / 128 - 1));
  if (BadRule6) begin : gen_bad_rule_6
    $error("aa_iommu: PayDw must be at least 1024 + 8 x Window x (DataW / 128 - 1)");
  end
  localparam bit Bad = BadNumPorts || BadWindow || BadPayDw || BadWalkers || BadIotlbEntries || BadIotlbWays ||
    BadSpEntries || BadCtxEntries || BadPscEntries || BadNumLogs || BadLogDepth || BadTagEntries ||
    BadFlushPages || BadFlushWaiters || BadScratchWords || BadRule0 || BadRule1 || BadRule2 || BadRule3
    || BadRule4 || BadRule5 || BadRule6;
  // What the blocks are given: defaults if anything is wrong.
  localparam int unsigned SafeNumPorts = Bad ? 1 : NumPorts;
  localparam int unsigned SafeWindow = Bad ? 8 : Window;
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
  // ranges of parameters, by scripts/params.py: end
  if (aa_pkg::SeqW != cm_pkg::SeqW) begin : gen_bad_seq_w $error("aa_iommu: SeqW of aa_pkg and cm_pkg differ"); end

  localparam int unsigned TlpW = cm_pkg::TlpW;
  localparam int unsigned RetireW = aa_pkg::RetireW;

  // ---- streams: plain ports to beats ------------------------------------------------------------------------------
  logic [NumPorts*TlpW-1:0] dev_beat, dev_cpl_beat;
  cm_pkg::tlp_t host_beat, host_cpl_beat;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign dev_beat[TlpW*p+:TlpW] = {dev_req_sop_i[p], dev_req_eop_i[p], 1'b0,
      dev_req_seq_i[cm_pkg::SeqW*p+:cm_pkg::SeqW], dev_req_strb_i[cm_pkg::StrbW*p+:cm_pkg::StrbW],
      dev_req_hdr_i[128*p+:128], dev_req_data_i[cm_pkg::DataW*p+:cm_pkg::DataW]};
    assign {dev_cpl_sop_o[p], dev_cpl_eop_o[p], dev_cpl_error_o[p],
      dev_cpl_seq_o[cm_pkg::SeqW*p+:cm_pkg::SeqW], dev_cpl_strb_o[cm_pkg::StrbW*p+:cm_pkg::StrbW],
      dev_cpl_hdr_o[128*p+:128], dev_cpl_data_o[cm_pkg::DataW*p+:cm_pkg::DataW]} = dev_cpl_beat[TlpW*p+:TlpW];
  end

  assign host_req_hdr_o = host_beat.hdr;
  assign host_req_data_o = host_beat.data;
  assign host_req_strb_o = host_beat.strb;
  assign host_req_seq_o = host_beat.seq;
  assign host_req_sop_o = host_beat.sop;
  assign host_req_eop_o = host_beat.eop;

  always_comb begin
    host_cpl_beat.sop = host_cpl_sop_i;
    host_cpl_beat.eop = host_cpl_eop_i;
    host_cpl_beat.err = host_cpl_error_i;
    host_cpl_beat.seq = host_cpl_seq_i;
    host_cpl_beat.strb = host_cpl_strb_i;
    host_cpl_beat.hdr = host_cpl_hdr_i;
    host_cpl_beat.data = host_cpl_data_i;
  end

  // ---- wires between the parts ------------------------------------------------------------------------------------
  cm_pkg::reg_bus_t rb;
  logic [63:0] rd_logs, rd_return, rd_reset, rd_count;
  logic        rb_busy;
  logic        te, aae, hold, idle, forget, inv_valid, inv_done, inv_wait, snap, drained_mover, drained_return;
  logic [63:12] root, page;
  logic [2:0]  mps, mrrs;
  logic [31:0] cpl_tmo, wdog, flush_tmo, rsv_ptr, qry_cons;
  logic [NumPorts*33-1:0] port_filter;
  aa_pkg::inval_t inv;

  logic        freed_logs, freed_return, cam_hit, page_hit, put_valid, put_ready, put_data_valid, put_data_ready,
               get_valid, get_ready, get_data_valid, get_data_ready, flush_ready, flush_valid, ur_valid, ur_ready;
  logic        abort_valid;
  logic [9:0]  cam_iuid;
  logic [4:0]  cam_log, qry_log, abort_log;
  logic [13:0] pub_bytes;
  aa_pkg::rsv_ask_t rsv_ask;
  aa_pkg::rsv_t     rsv;
  aa_pkg::rsv_act_t rsv_act;
  aa_pkg::tag_ask_t tag_ask;
  aa_pkg::tag_t     tag;
  aa_pkg::tag_act_t tag_act;
  aa_pkg::asker_t   asker;
  aa_pkg::put_log_t put;
  aa_pkg::get_log_t get;
  logic [cm_pkg::DataW-1:0] put_data, get_data;
  logic        flush_tmo_on;
  logic [7:0]  flush_idx;
  logic [NumLogs-1:0] log_open, log_closing;

  logic        fault_valid, fault_stored, fault_lost, err_decide_valid, err_cpl_valid, err_flush_valid, err_cons_valid;
  aa_pkg::fault_t fault, fault_q;
  aa_pkg::err_t err_decide, err_cpl, err_flush, err_cons, err_axi;
  aa_pkg::retire_t ret_read, ret_walk, ret_xlate, ret_decide, ret_cpl, ret_pub, ret_note, ret_inval, ret_write;
  aa_pkg::retire_t note_axi;
  logic [5:0]  note_valid, note_ready;
  logic [2*RetireW-1:0] note_control;
  aa_pkg::retire_t note_logs, note_return, note_reset;
  logic [NumPorts-1:0] reset_q, old, old_fn, np_done;
  logic [NumPorts*8-1:0] np_wr, np_rd;
  logic        fn;
  logic [15:0] fn_rid;
  logic [1:0]  fn_pass;

  logic        axi_busy, axi_note_err, walk_r_ready, walk_ar_valid, walk_ar_ready, walk_ar_wide, walk_r_valid;
  logic        walk_r_err, q_ar_valid, q_ar_ready, q_r_valid, q_r_err;
  logic [63:0] walk_ar_addr, q_ar_addr;
  logic [7:0]  walk_ar_id;
  logic [127:0] walk_r_data, q_r_data;
  logic [$clog2(Walkers+1)-1:0] walk_r_id;
  logic [2:0]  msg_valid, msg_ready, msg_done;  // 0, 1 of aa_control, 2 of aa_logs
  logic        msg_fail;
  logic [3*64-1:0] msg_addr, msg_data;
  logic [3*4-1:0] msg_bytes;
  aa_pkg::owner_t msg_owner;

  logic [1:0]  aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid;  // of aa_logs
  logic [2*64-1:0] aw_addr;
  logic [2*8-1:0] aw_len;
  logic [2*aa_pkg::OwnerW-1:0] aw_owner;
  logic [2*cm_pkg::DataW-1:0] w_data;
  logic [2*(cm_pkg::DataW/8)-1:0] w_strb;
  aa_pkg::axi_fail_t axi_fail;
  logic [9:0]  fail_iuid;

  logic [2*SafeNumPorts-1:0] pay_valid, pay_ready;
  logic [2*SafeNumPorts*cm_pkg::DataW-1:0] pay_data;
  logic        pick_valid, pick_ready, done_valid, back, rest, wake, move_valid, move_ready;
  logic [3:0]  pick_lane, done_lane, back_lane;
  aa_pkg::req_t   pick_req;
  aa_pkg::xlate_t pick_res;
  aa_pkg::move_t  move;

  aa_pkg::decide_event_t event_decide;
  aa_pkg::xlt_event_t    event_xlt;
  logic        fault_valid_q, wait_host;
  logic [4:0]  waits;
  aa_pkg::return_event_t event_return;
  logic        ev_msi;

  aa_request #(
    .NumPorts(SafeNumPorts),
    .Window(SafeWindow),
    .PayDw(SafePayDw),
    .Walkers(SafeWalkers),
    .IotlbEntries(SafeIotlbEntries),
    .IotlbWays(SafeIotlbWays),
    .IotlbRandom(IotlbRandom),
    .SpEntries(SafeSpEntries),
    .CtxEntries(SafeCtxEntries),
    .PscEntries(SafePscEntries),
    .ActiveAccess(ActiveAccess)
  ) u_request (
    .clk_i,
    .rst_ni,
    .te_i(te),
    .aae_i(aae),
    .root_i(root),
    .mps_i(mps),
    .mrrs_i(mrrs),
    .np_wr_o(np_wr),
    .np_rd_o(np_rd),
    .np_done_o(np_done),
    .hold_i(hold),
    .forget_i(forget),
    .inv_valid_i(inv_valid),
    .inv_i(inv),
    .inv_done_o(inv_done),
    .inv_wait_o(inv_wait),
    .dev_valid_i(dev_req_valid_i),
    .dev_ready_o(dev_req_ready_o),
    .dev_beat_i(dev_beat),
    .crd_ph_o,
    .crd_pd_o,
    .crd_nph_o,
    .crd_npd_o,
    .ar_valid_o(walk_ar_valid),
    .ar_ready_i(walk_ar_ready),
    .ar_addr_o(walk_ar_addr),
    .ar_id_o(walk_ar_id),
    .ar_wide_o(walk_ar_wide),
    .r_valid_i(walk_r_valid),
    .r_ready_o(walk_r_ready),
    .r_id_i(8'(walk_r_id)),
    .r_data_i(walk_r_data),
    .r_err_i(walk_r_err),
    .pick_valid_o(pick_valid),
    .pick_ready_i(pick_ready),
    .pick_lane_o(pick_lane),
    .pick_req_o(pick_req),
    .pick_res_o(pick_res),
    .done_valid_i(done_valid),
    .done_lane_i(done_lane),
    .back_i(back),
    .rest_i(rest),
    .back_lane_i(back_lane),
    .wake_i(wake),
    .pay_valid_o(pay_valid),
    .pay_ready_i(pay_ready),
    .pay_data_o(pay_data),
    .ret_walk_valid_o(retire_valid_o[1]),
    .ret_walk_o(ret_walk),
    .ret_xlate_valid_o(retire_valid_o[2]),
    .ret_xlate_o(ret_xlate),
    .xlt_event_o(event_xlt),
    .wait_o(waits[4])
  );

  aa_decide #(
    .NumPorts(SafeNumPorts)
  ) u_decide (
    .clk_i,
    .rst_ni,
    .hold_i(hold),
    .idle_o(idle),
    .filter_i(port_filter),
    .wdog_i(wdog),
    .old_i(old),
    .old_fn_i(old_fn),
    .fn_rid_i(fn_rid),
    .pick_valid_i(pick_valid),
    .pick_ready_o(pick_ready),
    .pick_lane_i(pick_lane),
    .pick_req_i(pick_req),
    .pick_res_i(pick_res),
    .done_valid_o(done_valid),
    .done_lane_o(done_lane),
    .back_o(back),
    .rest_o(rest),
    .back_lane_o(back_lane),
    .wake_o(wake),
    .freed_i(freed_logs || freed_return),
    .cam_iuid_o(cam_iuid),
    .cam_hit_i(cam_hit),
    .cam_log_i(cam_log),
    .page_o(page),
    .page_hit_i(page_hit),
    .rsv_ask_o(rsv_ask),
    .rsv_i(rsv),
    .rsv_act_o(rsv_act),
    .tag_ask_o(tag_ask),
    .tag_i(tag),
    .tag_act_o(tag_act),
    .flush_ready_i(flush_ready),
    .flush_idx_i(flush_idx),
    .flush_valid_o(flush_valid),
    .ur_valid_o(ur_valid),
    .ur_ready_i(ur_ready),
    .asker_o(asker),
    .move_valid_o(move_valid),
    .move_ready_i(move_ready),
    .move_o(move),
    .host_np_ready_i,
    .fault_valid_o(fault_valid),
    .fault_o(fault),
    .err_valid_o(err_decide_valid),
    .err_o(err_decide),
    .ret_valid_o(retire_valid_o[3]),
    .ret_o(ret_decide),
    .event_o(event_decide),
    .wait_o(waits[3:0])
  );

  aa_mover #(
    .NumPorts(SafeNumPorts)
  ) u_mover (
    .clk_i,
    .rst_ni,
    .move_valid_i(move_valid),
    .move_ready_o(move_ready),
    .move_i(move),
    .pay_valid_i(pay_valid),
    .pay_ready_o(pay_ready),
    .pay_data_i(pay_data),
    .host_valid_o(host_req_valid_o),
    .host_ready_i(host_req_ready_i),
    .host_beat_o(host_beat),
    .put_valid_o(put_valid),
    .put_ready_i(put_ready),
    .put_o(put),
    .data_valid_o(put_data_valid),
    .data_ready_i(put_data_ready),
    .data_o(put_data),
    .snap_i(snap),
    .drained_o(drained_mover)
  );

  aa_return #(
    .NumPorts(SafeNumPorts),
    .NumLogs(SafeNumLogs),
    .TagEntries(SafeTagEntries),
    .FlushPages(SafeFlushPages),
    .FlushWaiters(SafeFlushWaiters),
    .PayDw(SafePayDw),
    .ActiveAccess(ActiveAccess)
  ) u_return (
    .clk_i,
    .rst_ni,
    .rb_i(rb),
    .rb_rdata_o(rd_return),
    .cpl_tmo_i(cpl_tmo),
    .flush_tmo_i(flush_tmo),
    .flush_tmo_on_i(flush_tmo_on),
    .dev_reset_i(reset_q),
    .fn_i(fn),
    .fn_rid_i(fn_rid),
    .fn_pass_o(fn_pass),
    .tag_ask_i(tag_ask),
    .tag_o(tag),
    .tag_act_i(tag_act),
    .flush_ready_o(flush_ready),
    .flush_idx_o(flush_idx),
    .flush_valid_i(flush_valid),
    .flush_log_i(rsv_ask.log),
    .flush_snap_i(rsv_ptr),
    .ur_valid_i(ur_valid),
    .ur_ready_o(ur_ready),
    .asker_i(asker),
    .page_i(page),
    .iuid_i(cam_iuid),
    .page_hit_o(page_hit),
    .freed_o(freed_return),
    .snap_i(snap),
    .drained_o(drained_return),
    .host_cpl_valid_i,
    .host_cpl_ready_o,
    .host_cpl_beat_i(host_cpl_beat),
    .dev_cpl_valid_o,
    .dev_cpl_ready_i,
    .dev_cpl_beat_o(dev_cpl_beat),
    .open_i(log_open),
    .closing_i(log_closing),
    .qry_log_o(qry_log),
    .qry_cons_i(qry_cons),
    .get_valid_o(get_valid),
    .get_ready_i(get_ready),
    .get_o(get),
    .get_data_valid_o(get_data_valid),
    .get_data_ready_i(get_data_ready),
    .get_data_o(get_data),
    .abort_valid_o(abort_valid),
    .abort_log_o(abort_log),
    .note_valid_o(note_valid[3]),
    .note_o(note_return),
    .note_ready_i(note_ready[3]),
    .ret_valid_o(retire_valid_o[4]),
    .ret_o(ret_cpl),
    .err_valid_o(err_cpl_valid),
    .err_o(err_cpl),
    .flush_err_valid_o(err_flush_valid),
    .flush_err_o(err_flush),
    .event_o(event_return)
  );

  if (ActiveAccess) begin : gen_logs
    aa_logs #(
      .NumLogs(SafeNumLogs),
      .LogDepth(SafeLogDepth),
      .ScratchWords(SafeScratchWords)
    ) u_logs (
      .clk_i,
      .rst_ni,
      .rb_i(rb),
      .rb_busy_i(rb_busy),
      .rb_rdata_o(rd_logs),
      .cam_iuid_i(cam_iuid),
      .cam_hit_o(cam_hit),
      .cam_log_o(cam_log),
      .rsv_ask_i(rsv_ask),
      .rsv_o(rsv),
      .rsv_act_i(rsv_act),
      .rsv_ptr_o(rsv_ptr),
      .freed_o(freed_logs),
      .put_valid_i(put_valid),
      .put_ready_o(put_ready),
      .put_i(put),
      .put_data_valid_i(put_data_valid),
      .put_data_ready_o(put_data_ready),
      .put_data_i(put_data),
      .get_valid_i(get_valid),
      .get_ready_o(get_ready),
      .get_i(get),
      .get_data_valid_i(get_data_valid),
      .get_data_ready_o(get_data_ready),
      .get_data_i(get_data),
      .abort_valid_i(abort_valid),
      .abort_log_i(abort_log),
      .open_o(log_open),
      .closing_o(log_closing),
      .qry_log_i(qry_log),
      .qry_cons_o(qry_cons),
      .aw_valid_o(aw_valid),
      .aw_ready_i(aw_ready),
      .aw_addr_o(aw_addr),
      .aw_len_o(aw_len),
      .aw_owner_o(aw_owner),
      .w_valid_o(w_valid),
      .w_ready_i(w_ready),
      .w_data_o(w_data),
      .w_strb_o(w_strb),
      .w_last_o(w_last),
      .b_valid_i(b_valid),
      .axi_busy_i(axi_busy),
      .fail_i(axi_fail),
      .fail_iuid_o(fail_iuid),
      .msg_valid_o(msg_valid[2]),
      .msg_ready_i(msg_ready[2]),
      .msg_addr_o(msg_addr[64*2+:64]),
      .msg_data_o(msg_data[64*2+:64]),
      .msg_bytes_o(msg_bytes[4*2+:4]),
      .msg_owner_o(msg_owner),
      .msg_done_i(msg_done[2]),
      .task_valid_o,
      .task_ready_i,
      .task_log_o,
      .task_prod_o,
      .task_cons_o,
      .task_done_valid_i,
      .task_done_log_i,
      .note_valid_o(note_valid[2]),
      .note_o(note_logs),
      .note_ready_i(note_ready[2]),
      .pub_valid_o(retire_valid_o[5]),
      .pub_retire_o(ret_pub),
      .pub_bytes_o(pub_bytes),
      .err_valid_o(err_cons_valid),
      .err_o(err_cons),
      .ev_msi_o(ev_msi)
    );
  end else begin : gen_no_logs
    assign {rd_logs, cam_hit, cam_log, rsv, rsv_ptr, freed_logs} = '0;
    assign {put_ready, put_data_ready, get_ready, get_data_ready, log_open, log_closing, qry_cons} = '0;
    assign {aw_valid, aw_addr, aw_len, aw_owner, w_valid, w_data, w_strb, w_last, fail_iuid} = '0;
    assign {msg_valid[2], msg_addr[64*2+:64], msg_data[64*2+:64], msg_bytes[4*2+:4], msg_owner} = '0;
    assign {task_valid_o, task_log_o, task_prod_o, task_cons_o, note_valid[2], note_logs} = '0;
    assign {retire_valid_o[5], ret_pub, pub_bytes, err_cons_valid, err_cons, ev_msi} = '0;
    logic unused_logs;
    assign unused_logs = &{1'b0, rb_busy, rsv_act, put_valid, put, put_data_valid, put_data, get_valid, get,
                           get_data_valid, get_data, abort_valid, abort_log, qry_log, aw_ready, w_ready, b_valid,
                           axi_busy, axi_fail, msg_ready[2], msg_done[2], task_ready_i, task_done_valid_i,
                           task_done_log_i, note_ready[2]};
  end

  aa_axi_writer u_axi_writer (
    .clk_i,
    .rst_ni,
    .aw_valid_i(aw_valid),
    .aw_ready_o(aw_ready),
    .aw_addr_i(aw_addr),
    .aw_len_i(aw_len),
    .aw_owner_i(aw_owner),
    .w_valid_i(w_valid),
    .w_ready_o(w_ready),
    .w_data_i(w_data),
    .w_strb_i(w_strb),
    .w_last_i(w_last),
    .b_valid_o(b_valid),
    .msg_valid_i(msg_valid),
    .msg_ready_o(msg_ready),
    .msg_addr_i(msg_addr),
    .msg_data_i(msg_data),
    .msg_bytes_i(msg_bytes),
    .msg_owner_i(msg_owner),
    .msg_done_o(msg_done),
    .msg_fail_o(msg_fail),
    .m_aw_valid_o(m_axi_awvalid),
    .m_aw_ready_i(m_axi_awready),
    .m_aw_id_o(m_axi_awid),
    .m_aw_addr_o(m_axi_awaddr),
    .m_aw_len_o(m_axi_awlen),
    .m_w_valid_o(m_axi_wvalid),
    .m_w_ready_i(m_axi_wready),
    .m_w_data_o(m_axi_wdata),
    .m_w_strb_o(m_axi_wstrb),
    .m_w_last_o(m_axi_wlast),
    .m_b_valid_i(m_axi_bvalid),
    .m_b_ready_o(m_axi_bready),
    .m_b_id_i(m_axi_bid),
    .m_b_resp_i(m_axi_bresp),
    .axi_busy_o(axi_busy),
    .fail_o(axi_fail),
    .fail_iuid_i(fail_iuid),
    .note_valid_o(note_valid[4]),
    .note_o(note_axi),
    .note_ready_i(note_ready[4]),
    .err_valid_o(axi_note_err),
    .err_o(err_axi)
  );
  assign m_axi_awsize = 3'($clog2(cm_pkg::DataW / 8));
  assign m_axi_awburst = 2'b01;
  // An MSI is for a device: neither merged nor answered on its way.
  assign m_axi_awcache = m_axi_awaddr[63:20] == aa_pkg::MsiRange ? 4'b0000 : AxiCache;
  assign m_axi_awprot  = AxiProt;
  assign m_axi_arcache = AxiCache;
  assign m_axi_arprot  = AxiProt;

  aa_control #(
    .NumPorts(SafeNumPorts),
    .NumLogs(ActiveAccess ? SafeNumLogs : 0),
    .LogDepth(ActiveAccess ? SafeLogDepth : 0),
    .TagEntries(SafeTagEntries),
    .FlushPages(ActiveAccess ? SafeFlushPages : 0),
    .FlushWaiters(ActiveAccess ? SafeFlushWaiters : 0),
    .ScratchWords(ActiveAccess ? SafeScratchWords : 0)
  ) u_control (
    .clk_i,
    .rst_ni,
    .s_awvalid_i(s_axil_awvalid),
    .s_awready_o(s_axil_awready),
    .s_awaddr_i(s_axil_awaddr),
    .s_wvalid_i(s_axil_wvalid),
    .s_wready_o(s_axil_wready),
    .s_wdata_i(s_axil_wdata),
    .s_wstrb_i(s_axil_wstrb),
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
    .rb_o(rb),
    .rb_busy_o(rb_busy),
    .rb_ext_i(rd_logs | rd_return | rd_reset | rd_count),
    .wr_wait_i(1'b0),
    .te_o(te),
    .aae_o(aae),
    .root_o(root),
    .mps_o(mps),
    .mrrs_o(mrrs),
    .cpl_tmo_o(cpl_tmo),
    .wdog_o(wdog),
    .flush_tmo_o(flush_tmo),
    .flush_tmo_on_o(flush_tmo_on),
    .port_filter_o(port_filter),
    .hold_o(hold),
    .idle_i(idle),
    .forget_o(forget),
    .inv_valid_o(inv_valid),
    .inv_o(inv),
    .inv_done_i(inv_done),
    .inv_wait_i(inv_wait),
    .snap_o(snap),
    .drained_i(drained_mover && drained_return),
    .fault_valid_i(fault_valid_q),
    .fault_i(fault_q),
    .fault_stored_o(fault_stored),
    .fault_lost_o(fault_lost),
    .err_valid_i({1'b0, err_cons_valid, axi_note_err, err_flush_valid, err_cpl_valid, err_decide_valid}),
    .err_i({aa_pkg::ErrW'(0), err_cons, err_axi, err_flush, err_cpl, err_decide}),
    .ar_valid_o(q_ar_valid),
    .ar_ready_i(q_ar_ready),
    .ar_addr_o(q_ar_addr),
    .r_valid_i(q_r_valid),
    .r_data_i(q_r_data),
    .r_err_i(q_r_err),
    .msg_valid_o(msg_valid[1:0]),
    .msg_ready_i(msg_ready[1:0]),
    .msg_addr_o(msg_addr[127:0]),
    .msg_data_o(msg_data[127:0]),
    .msg_bytes_o(msg_bytes[7:0]),
    .msg_done_i(msg_done[1:0]),
    .msg_fail_i(msg_fail),
    .note_valid_o(note_valid[1:0]),
    .note_o(note_control),
    .note_ready_i(note_ready[1:0]),
    .ret_read_valid_o(retire_valid_o[0]),
    .ret_read_o(ret_read),
    .ret_write_valid_o(retire_valid_o[8]),
    .ret_write_o(ret_write),
    .ret_inval_valid_o(retire_valid_o[7]),
    .ret_inval_o(ret_inval)
  );

  // ---- AXI4 reads: walker n is id n, the invalidation queue is id 80h ----------------------------------------------
  localparam int unsigned IdW = $clog2(Walkers + 1);
  logic [IdW-1:0] arid;

  aa_axi_r #(
    .Walkers(SafeWalkers)
  ) u_axi_r (
    .clk_i,
    .rst_ni,
    .w_ar_valid_i(walk_ar_valid),
    .w_ar_ready_o(walk_ar_ready),
    .w_ar_addr_i(walk_ar_addr),
    .w_ar_id_i(IdW'(walk_ar_id)),
    .w_ar_wide_i(walk_ar_wide),
    .w_r_valid_o(walk_r_valid),
    .w_r_id_o(walk_r_id),
    .w_r_data_o(walk_r_data),
    .w_r_err_o(walk_r_err),
    .q_ar_valid_i(q_ar_valid),
    .q_ar_ready_o(q_ar_ready),
    .q_ar_addr_i(q_ar_addr),
    .q_r_valid_o(q_r_valid),
    .q_r_data_o(q_r_data),
    .q_r_err_o(q_r_err),
    .m_arvalid_o(m_axi_arvalid),
    .m_arready_i(m_axi_arready),
    .m_arid_o(arid),
    .m_araddr_o(m_axi_araddr),
    .m_arlen_o(m_axi_arlen),
    .m_arsize_o(m_axi_arsize),
    .m_arburst_o(m_axi_arburst),
    .m_rvalid_i(m_axi_rvalid),
    .m_rready_o(m_axi_rready),
    .m_rid_i(m_axi_rid[7] ? IdW'(Walkers) : m_axi_rid[IdW-1:0]),
    .m_rdata_i(m_axi_rdata),
    .m_rresp_i(m_axi_rresp)
  );
  assign m_axi_arid = arid == IdW'(Walkers) ? 8'h80 : 8'(arid);

  // ---- resets of requesters: what comes from outside acts in the next cycle ----------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) reset_q <= '0;
    else reset_q <= dev_reset_i;
  end

  aa_reset #(
    .NumPorts(SafeNumPorts)
  ) u_reset (
    .clk_i,
    .rst_ni,
    .rb_i(rb),
    .rb_rdata_o(rd_reset),
    .dev_reset_i(reset_q),
    .wr_ptr_i(np_wr),
    .rd_ptr_i(np_rd),
    .done_i(np_done),
    .old_o(old),
    .old_fn_o(old_fn),
    .fn_o(fn),
    .fn_rid_o(fn_rid),
    .pass_i(fn_pass),
    .note_valid_o(note_valid[5]),
    .note_ready_i(note_ready[5]),
    .note_o(note_reset)
  );

  // ---- notes, retire -----------------------------------------------------------------------------------------------

  aa_retire_arb #(
    .N(6)
  ) u_retire_arb (
    .clk_i,
    .rst_ni,
    .note_valid_i(note_valid),
    .note_ready_o(note_ready),
    .note_i({note_reset, note_axi, note_return, note_logs, note_control}),
    .ret_valid_o(retire_valid_o[6]),
    .ret_o(ret_note)
  );

  assign retire_o = {ret_write, ret_inval, ret_note, ret_pub, ret_cpl, ret_decide, ret_xlate, ret_walk, ret_read};

  // ---- counters ----------------------------------------------------------------------------------------------------
  // A fault comes to software a cycle after its decision.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fault_valid_q <= 1'b0;
    else fault_valid_q <= fault_valid;
    fault_q <= fault;
  end

  assign wait_host = waits[3] || (host_req_valid_o && !host_req_ready_i);

  if (ActiveAccess) begin : gen_counters
    aa_counters u_counters (
      .clk_i,
      .rst_ni,
      .rb_i(rb),
      .rb_rdata_o(rd_count),
      .decide_i(event_decide),
      .units_i(rsv_ask.units),
      .xlt_i(event_xlt),
      .fault_stored_i(fault_stored),
      .fault_lost_i(fault_lost),
      .pub_valid_i(retire_valid_o[5]),
      .pub_bytes_i(pub_bytes),
      .abort_i(abort_valid),
      .return_i(event_return),
      .inv_done_i(inv_done),
      .msi_i(ev_msi),
      .wait_i({waits[4], wait_host, waits[2:0]})
    );
  end else begin : gen_no_counters
    assign rd_count = '0;
    logic unused_events;
    assign unused_events = &{1'b0, event_decide, event_xlt, event_return, fault_stored, fault_lost, pub_bytes, ev_msi,
                             waits, wait_host};
  end

  logic unused_bits;
  assign unused_bits = &{walk_r_ready, m_axi_rlast, walk_ar_id};

endmodule

`default_nettype wire
