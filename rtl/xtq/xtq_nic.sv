// SPDX-License-Identifier: Apache-2.0
// xtq_nic: the NIC with XTQ. Wires blocks together; nothing is decided here.
//
//   s_axis --> nic_rx --(nic_ctx)------> nic_responder --ask--> xtq <-- notices of the IOMMU's task port
//                                          | answers            |
//                                          v                    |  nic_qp, nic_regs, nic_event, cm_axil_regs: registers
//   m_axis <-- nic_tx <-- nic_tx_mux <-- nic_req                |
//                                          |                    |
//   dev_req <-- nic_tlp_mux <-- nic_wr, nic_rd <-- nic_wr_mux, nic_rd_mux <-- jobs of all of them
//   dev_cpl ---------------------> nic_rd
//
// What all frames of a queue pair have in common nic_tx has of nic_peer, where nic_qp puts it at a start.
// Slots of the retire port: kind - 1. A register write, and a read of QP_ANSWER, waits until no decision is half made
// (hold, idle_q); one that changes who we are (FRM-13) then waits for the frames in nic_tx, too. Blocks decode an
// address in the cycle before its access, and what waits for a hold has been on the bus for two; what is read ends in a
// register where it comes from.
// One file: it only wires, and each pin has a line.
`default_nettype none

module xtq_nic #(
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
  parameter int unsigned NumLogs = 8,
  parameter int unsigned RxBeats = 512,
  parameter int unsigned RxFrames = 16,
  parameter int unsigned Ahead = 64,
  parameter int unsigned ReadTags = 128,
  parameter int unsigned MaxRead = 512,
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned Slots = nic_pkg::RetireSlots
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,

  // Frames from the MAC
  input  wire logic                                s_axis_valid_i,
  output logic                                     s_axis_ready_o,
  input  wire logic [DataW-1:0]                    s_axis_data_i,
  input  wire logic [DataW/8-1:0]                  s_axis_keep_i,
  input  wire logic                                s_axis_last_i,
  input  wire logic                                s_axis_error_i,

  // Frames to the MAC
  output logic                                     m_axis_valid_o,
  input  wire logic                                m_axis_ready_i,
  output logic      [DataW-1:0]                    m_axis_data_o,
  output logic      [DataW/8-1:0]                  m_axis_keep_o,
  output logic                                     m_axis_last_o,

  // Requests towards the IOMMU
  output logic                                     dev_req_valid_o,
  input  wire logic                                dev_req_ready_i,
  output logic      [127:0]                        dev_req_hdr_o,
  output logic      [DataW-1:0]                    dev_req_data_o,
  output logic      [cm_pkg::StrbW-1:0]            dev_req_strb_o,
  output logic      [cm_pkg::SeqW-1:0]             dev_req_seq_o,
  output logic                                     dev_req_sop_o,
  output logic                                     dev_req_eop_o,

  // Completions
  input  wire logic                                dev_cpl_valid_i,
  output logic                                     dev_cpl_ready_o,
  input  wire logic [127:0]                        dev_cpl_hdr_i,
  input  wire logic [DataW-1:0]                    dev_cpl_data_i,
  input  wire logic [cm_pkg::StrbW-1:0]            dev_cpl_strb_i,
  input  wire logic [cm_pkg::SeqW-1:0]             dev_cpl_seq_i,
  input  wire logic                                dev_cpl_error_i,
  input  wire logic                                dev_cpl_sop_i,
  input  wire logic                                dev_cpl_eop_i,

  // AXI4-Lite slave: registers
  input  wire logic [19:0]                         s_axil_awaddr,
  input  wire logic                                s_axil_awvalid,
  output logic                                     s_axil_awready,
  input  wire logic [63:0]                         s_axil_wdata,
  input  wire logic [7:0]                          s_axil_wstrb,
  input  wire logic                                s_axil_wvalid,
  output logic                                     s_axil_wready,
  output logic      [1:0]                          s_axil_bresp,
  output logic                                     s_axil_bvalid,
  input  wire logic                                s_axil_bready,
  input  wire logic [19:0]                         s_axil_araddr,
  input  wire logic                                s_axil_arvalid,
  output logic                                     s_axil_arready,
  output logic      [63:0]                         s_axil_rdata,
  output logic      [1:0]                          s_axil_rresp,
  output logic                                     s_axil_rvalid,
  input  wire logic                                s_axil_rready,

  // The IOMMU's task port
  input  wire logic                                task_valid_i,
  output logic                                     task_ready_o,
  input  wire logic [4:0]                          task_log_i,
  input  wire logic [31:0]                         task_prod_i,
  input  wire logic [31:0]                         task_cons_i,
  output logic                                     task_done_valid_o,
  output logic      [4:0]                          task_done_log_o,

  // Retire
  output logic      [Slots-1:0]                    retire_valid_o,
  output logic      [Slots*nic_pkg::RetireW-1:0]   retire_o
);

  // ranges of parameters, by scripts/params.py: begin
  localparam bit BadNumProcs = NumProcs < 1 || NumProcs > 16;
  if (BadNumProcs) begin : gen_bad_num_procs
    $error("xtq_nic: NumProcs must be 1 to 16");
  end
  localparam bit BadNumQps = NumQps < 2 || NumQps > 256;
  if (BadNumQps) begin : gen_bad_num_qps
    $error("xtq_nic: NumQps must be 2 to 256");
  end
  localparam bit BadContexts = Contexts != 0 && (Contexts < 16 || Contexts > 4096 || (Contexts & (Contexts - 1)) != 0);
  if (BadContexts) begin : gen_bad_contexts
    $error("xtq_nic: Contexts must be 0 or a power of two, 16 to 4096");
  end
  localparam bit BadNumMrs = NumMrs < 1 || NumMrs > 256;
  if (BadNumMrs) begin : gen_bad_num_mrs
    $error("xtq_nic: NumMrs must be 1 to 256");
  end
  localparam bit BadRespDepth = RespDepth < 2 || RespDepth > 256;
  if (BadRespDepth) begin : gen_bad_resp_depth
    $error("xtq_nic: RespDepth must be 2 to 256");
  end
  localparam bit BadReplay = Replay < 1 || Replay > 64;
  if (BadReplay) begin : gen_bad_replay
    $error("xtq_nic: Replay must be 1 to 64");
  end
  localparam bit BadWindow = Window < 16 || Window > 65536;
  if (BadWindow) begin : gen_bad_window
    $error("xtq_nic: Window must be 16 to 65536");
  end
  localparam bit BadRequests = Requests < 2 || Requests > 64 || (Requests & (Requests - 1)) != 0;
  if (BadRequests) begin : gen_bad_requests
    $error("xtq_nic: Requests must be a power of two, 2 to 64");
  end
  localparam bit BadTableBits = TableBits < 1 || TableBits > 12;
  if (BadTableBits) begin : gen_bad_table_bits
    $error("xtq_nic: TableBits must be 1 to 12");
  end
  localparam bit BadTableCache = TableCache != 0 && (TableCache < 2 || TableCache > 65536 ||
    (TableCache & (TableCache - 1)) != 0);
  if (BadTableCache) begin : gen_bad_table_cache
    $error("xtq_nic: TableCache must be 0 or a power of two, 2 to 65536");
  end
  localparam bit BadRecvDepth = RecvDepth < 2 || RecvDepth > 64 || (RecvDepth & (RecvDepth - 1)) != 0;
  if (BadRecvDepth) begin : gen_bad_recv_depth
    $error("xtq_nic: RecvDepth must be a power of two, 2 to 64");
  end
  localparam bit BadNumLogs = NumLogs < 1 || NumLogs > 32;
  if (BadNumLogs) begin : gen_bad_num_logs
    $error("xtq_nic: NumLogs must be 1 to 32");
  end
  localparam bit BadRxBeats = RxBeats < 128 || RxBeats > 65536 || (RxBeats & (RxBeats - 1)) != 0;
  if (BadRxBeats) begin : gen_bad_rx_beats
    $error("xtq_nic: RxBeats must be a power of two, 128 to 65536");
  end
  localparam bit BadRxFrames = RxFrames < 6 || RxFrames > 4096;
  if (BadRxFrames) begin : gen_bad_rx_frames
    $error("xtq_nic: RxFrames must be 6 to 4096");
  end
  localparam bit BadAhead = Ahead < 4 || Ahead > 64;
  if (BadAhead) begin : gen_bad_ahead
    $error("xtq_nic: Ahead must be 4 to 64");
  end
  localparam bit BadReadTags = ReadTags < 2 || ReadTags > 256 || (ReadTags & (ReadTags - 1)) != 0;
  if (BadReadTags) begin : gen_bad_read_tags
    $error("xtq_nic: ReadTags must be a power of two, 2 to 256");
  end
  localparam bit BadMaxRead = MaxRead < 128 || MaxRead > 4096 || (MaxRead & (MaxRead - 1)) != 0;
  if (BadMaxRead) begin : gen_bad_max_read
    $error("xtq_nic: MaxRead must be a power of two, 128 to 4096");
  end
  localparam bit BadRule0 = !(cm_pkg::AskedDataW == 128 || cm_pkg::AskedDataW == 256 || cm_pkg::AskedDataW == 512);
  if (BadRule0) begin : gen_bad_rule_0
    $error("xtq_nic: DataW must be 128, 256 or 512");
  end
  localparam bit BadRule1 = !(TableCache <= NumProcs << TableBits);
  if (BadRule1) begin : gen_bad_rule_1
    $error("xtq_nic: TableCache must be at most NumProcs x 2^TableBits");
  end
  localparam bit BadRule2 = !(RxBeats >= 32768 / cm_pkg::DataW + 5);
  if (BadRule2) begin : gen_bad_rule_2
    $error("xtq_nic: RxBeats must hold a frame of 4096 bytes and five beats: at least 32768 / DataW + 5");
  end
  localparam bit BadRule3 = !(ReadTags * MaxRead >= 8192);
  if (BadRule3) begin : gen_bad_rule_3
    $error("xtq_nic: ReadTags x MaxRead must be at least 8192, for a job of 4096 bytes at any address");
  end
  localparam bit Bad = BadNumProcs || BadNumQps || BadContexts || BadNumMrs || BadRespDepth || BadReplay || BadWindow ||
    BadRequests || BadTableBits || BadTableCache || BadRecvDepth || BadNumLogs || BadRxBeats ||
    BadRxFrames || BadAhead || BadReadTags || BadMaxRead || BadRule0 || BadRule1 || BadRule2 || BadRule3;
  // What the blocks are given: defaults if anything is wrong.
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
  localparam int unsigned SafeNumLogs = Bad ? 8 : NumLogs;
  localparam int unsigned SafeRxBeats = Bad ? 512 : RxBeats;
  localparam int unsigned SafeRxFrames = Bad ? 16 : RxFrames;
  localparam int unsigned SafeAhead = Bad ? 64 : Ahead;
  localparam int unsigned SafeReadTags = Bad ? 128 : ReadTags;
  localparam int unsigned SafeMaxRead = Bad ? 512 : MaxRead;
  // ranges of parameters, by scripts/params.py: end
  if (nic_pkg::DataW != cm_pkg::DataW) begin : gen_bad_data_w $error("xtq_nic: DataW of nic_pkg and cm_pkg differ"); end

  localparam int unsigned RetireW = nic_pkg::RetireW;
  localparam int unsigned BytesW = nic_pkg::BytesW;
  localparam int unsigned EventW = nic_pkg::EventW;
  localparam int unsigned DmaW = nic_pkg::DmaW;
  localparam int unsigned CfgW = nic_pkg::QpCfgW;
  localparam int unsigned ProcW = nic_pkg::ProcW;

  // ---- streams: plain ports to beats ------------------------------------------------------------------------------
  cm_pkg::tlp_t req, cpl;
  logic         unused_req_err;

  assign {dev_req_sop_o, dev_req_eop_o, unused_req_err, dev_req_seq_o, dev_req_strb_o, dev_req_hdr_o,
    dev_req_data_o} = req;
  assign cpl = {dev_cpl_sop_i, dev_cpl_eop_i, dev_cpl_error_i, dev_cpl_seq_i, dev_cpl_strb_i, dev_cpl_hdr_i,
               dev_cpl_data_i};

  // ---- registers --------------------------------------------------------------------------------------------------
  cm_pkg::reg_bus_t rb, qp_rb;  // qp_rb: with no write that contexts refuse
  logic             hold, idle_q, qp_ready, who_q, tx_idle, tx_idle_q;
  logic [63:0]      rd_regs, rd_qp, rd_event, rd_resp, rd_xtq, rd_rate;

  logic [47:0] mac;
  logic [31:0] ip, cpl_tmo, tick;
  logic [127:0] ip6;
  logic [7:0]  tos;
  logic [15:0] qpn, rid;
  logic [2:0]  mps, mrrs;
  logic        tag_free, stray, bad_item, marked, cnp_we, rate_we;
  logic [31:0] cnp_time;
  nic_pkg::rate_cfg_t rate_cfg;
  logic [1:0]  hits, misses;
  logic        held_r;  // what is looked up where frames are
  assign held_r = nic_reg_pkg::at_QP_ANSWER_PSN(rb.addr) || nic_reg_pkg::at_QP_ANSWER_VALUE(rb.addr);

  logic [Slots-1:0]         ret_valid;
  logic [Slots*RetireW-1:0] ret;
  logic [63:0]              rb_read;
  nic_pkg::retire_t         ret_frame_resp, ret_frame_req, ret_task, ret_table, ret_read, ret_write, ret_rx;
  logic                     ret_frame_resp_valid, ret_frame_req_valid, ret_frame_req_ce, judged;
  nic_pkg::rx_e             judged_code;

  // What cm_axil_regs gets of software's accesses: with contexts in memory the NIC has some of its own.
  logic        bus_awvalid, bus_awready, bus_wvalid, bus_wready, bus_bvalid, bus_bready, bus_arvalid, bus_arready,
               bus_rvalid, bus_rready;
  logic [19:0] bus_awaddr, bus_araddr;
  logic [63:0] bus_wdata, rd_ctx;
  logic [7:0]  bus_wstrb;
  logic        ctx_own, ctx_refuse, ctx_held, ctx_wait;
  assign qp_rb = {rb.addr, rb.we && !ctx_refuse, rb.wdata, rb.wstrb};

  // What nic_tx puts into frames: a write of it waits for those that are inside.
  always_ff @(posedge clk_i)
    who_q <= nic_reg_pkg::at_NIC_MAC(rb.addr) || nic_reg_pkg::at_NIC_IP(rb.addr) ||
             nic_reg_pkg::at_NIC_IP6_HI(rb.addr) || nic_reg_pkg::at_NIC_IP6_LO(rb.addr);
  // While nic_tx is held it stays idle (its P4), so the grant may come a cycle later: no way from its beats to the bus.
  always_ff @(posedge clk_i) tx_idle_q <= rst_ni && idle_q && who_q && tx_idle;

  // What is read, where it comes from; cm_axil_regs gets it a cycle later, its record at once.
  logic [63:0] late_regs, late_qp_q, late_event_q, late_resp_q, late_xtq_q, late_rate_q, late_ctx_q;
  always_ff @(posedge clk_i) begin
    late_qp_q    <= rd_qp;
    late_event_q <= rd_event;
    late_resp_q  <= rd_resp;
    late_xtq_q   <= rd_xtq;
    late_rate_q  <= rd_rate;
    late_ctx_q   <= rd_ctx;
  end
  assign rb_read = rd_regs | rd_qp | rd_event | rd_resp | rd_xtq | rd_rate | rd_ctx;

  cm_axil_regs u_axil (
    .clk_i,
    .rst_ni,
    .s_awvalid_i(bus_awvalid),
    .s_awready_o(bus_awready),
    .s_awaddr_i(bus_awaddr),
    .s_wvalid_i(bus_wvalid),
    .s_wready_o(bus_wready),
    .s_wdata_i(bus_wdata),
    .s_wstrb_i(bus_wstrb),
    .s_bvalid_o(bus_bvalid),
    .s_bready_i(bus_bready),
    .s_bresp_o(s_axil_bresp),
    .s_arvalid_i(bus_arvalid),
    .s_arready_o(bus_arready),
    .s_araddr_i(bus_araddr),
    .s_rvalid_o(bus_rvalid),
    .s_rready_i(bus_rready),
    .s_rdata_o(s_axil_rdata),
    .s_rresp_o(s_axil_rresp),
    .rb_o(rb),
    .rb_rdata_i(64'd0),
    .rb_far_i(64'd0),
    .rb_late_i(late_regs | late_qp_q | late_event_q | late_resp_q | late_xtq_q | late_rate_q | late_ctx_q),
    .rb_re_o(ret_valid[nic_pkg::RetRegRead-1]),
    .rb_rdata_o(),
    .held_w_i(ctx_held),
    .held_r_i(held_r),
    .hold_req_o(hold),
    .hold_gnt_i(idle_q && qp_ready && (!who_q || tx_idle_q)),
    .wr_wait_i(ctx_wait)
  );

  nic_regs #(
    .NumQps(SafeNumQps),
    .NumProcs(SafeNumProcs),
    .Contexts(SafeContexts),
    .NumMrs(SafeNumMrs),
    .TableBits(SafeTableBits),
    .RecvDepth(SafeRecvDepth),
    .NumLogs(SafeNumLogs)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .rb_i(rb),
    .rb_rdata_o(rd_regs),
    .rb_late_o(late_regs),
    .ret_valid_i(ret_valid),
    .ret_i(ret),
    .hit_i(hits),
    .miss_i(misses),
    .stray_i(stray),
    .bad_item_i(bad_item),
    .marked_i(marked),
    .cfg_mac_o(mac),
    .cfg_ip_o(ip),
    .cfg_ip6_o(ip6),
    .cfg_tos_o(tos),
    .cfg_qpn_o(qpn),
    .cfg_rid_o(rid),
    .cfg_mps_o(mps),
    .cfg_mrrs_o(mrrs),
    .cfg_tmo_o(cpl_tmo),
    .cfg_tick_o(tick),
    .tag_free_o(tag_free),
    .cfg_cnp_o(cnp_time),
    .cnp_we_o(cnp_we),
    .cfg_rate_o(rate_cfg),
    .rate_we_o(rate_we)
  );

  // ---- queue pairs ------------------------------------------------------------------------------------------------
  logic [7:0]       rb_qp, start_qp, stop_qp, bell_qp, resume_qp, sts_code;
  logic [15:0]      sts_cons, bell_prod, req_idx, resp_idx;
  logic             sts_send_err, sts_resp_err, start, stop, bell, resume;
  logic [23:0]      sts_una, start_epsn, start_spsn;
  nic_pkg::resp_state_t sts_resp;
  logic [6:0]       sts_answers;
  nic_pkg::qp_go_t  start_go;
  logic [4*CfgW-1:0] cfg;
  nic_pkg::peer_t   start_peer, peer;
  logic             through;
  logic [7:0]       through_qp;

  nic_qp #(
    .NumQps(SafeNumQps)
  ) u_qp (
    .clk_i,
    .rst_ni,
    .rb_i(qp_rb),
    .rb_rdata_o(rd_qp),
    .hold_i(hold),
    .ready_o(qp_ready),
    .rb_qp_o(rb_qp),
    .cons_i(sts_cons),
    .send_err_i(sts_send_err),
    .code_i(sts_code),
    .resp_err_i(sts_resp_err),
    .resp_i(sts_resp),
    .answers_i(sts_answers),
    .una_i(sts_una),
    .idx_i({req_idx, resp_idx}),
    .cfg_o(cfg),
    .start_valid_o(start),
    .start_qp_o(start_qp),
    .start_epsn_o(start_epsn),
    .start_spsn_o(start_spsn),
    .start_go_o(start_go),
    .start_peer_o(start_peer),
    .stop_valid_o(stop),
    .stop_qp_o(stop_qp),
    .bell_valid_o(bell),
    .bell_qp_o(bell_qp),
    .bell_prod_o(bell_prod),
    .resume_valid_o(resume),
    .resume_qp_o(resume_qp)
  );

  // ---- wire -------------------------------------------------------------------------------------------------------
  logic            rx_head_valid, rx_head_ready, rx_pay_valid, rx_pay_ready, tx_head_valid, tx_head_ready, tx_pay_valid,
                   tx_pay_ready,
                   out_head_valid, out_head_ready, out_pay_valid, out_pay_ready, ask_head_valid, ask_head_ready,
                     ask_pay_valid,
                   ask_pay_ready, ack_head_valid, ack_head_ready, lost;
  // tx: to nic_tx; out: responses; ask: requests
  nic_pkg::head_t  rx_head, in_head;
  nic_pkg::tx_head_t tx_head, out_head, ask_head, ack_head;
  logic [7:0]      tx_qp;
  logic            tx_req;
  nic_pkg::bytes_t rx_pay, tx_pay, out_pay, ask_pay;
  logic [7:0]      out_qp, ask_qp, ack_qp;
  logic [3:0]      out_code, ack_code;
  logic [23:0]     out_nth, ask_nth;
  logic [7:0]      ask_epoch;
  logic            rx_next_valid, in_head_valid, in_next_valid;  // in: with places where contexts were
  logic [23:0]     rx_next_qp, in_next_qp, in_head_qp;
  always_comb begin
    in_head    = rx_head;
    in_head.qp = in_head_qp;
  end

  nic_rx #(
    .Beats(SafeRxBeats),
    .Frames(SafeRxFrames)
  ) u_rx (
    .clk_i,
    .rst_ni,
    .cfg_mac_i(mac),
    .cfg_ip_i(ip),
    .cfg_ip6_i(ip6),
    .s_axis_valid_i,
    .s_axis_ready_o,
    .s_axis_data_i,
    .s_axis_keep_i,
    .s_axis_last_i,
    .s_axis_error_i,
    .head_valid_o(rx_head_valid),
    .head_ready_i(rx_head_ready && in_head_valid),
    .head_o(rx_head),
    .next_valid_o(rx_next_valid),
    .next_qp_o(rx_next_qp),
    .pay_valid_o(rx_pay_valid),
    .pay_ready_i(rx_pay_ready),
    .pay_o(rx_pay),
    .judged_valid_o(judged),
    .judged_o(judged_code)
  );

  nic_tx_mux u_tx_mux (
    .clk_i,
    .rst_ni,
    .ack_head_valid_i(ack_head_valid),
    .ack_head_ready_o(ack_head_ready),
    .ack_head_i(ack_head),
    .ack_qp_i(ack_qp),
    .ack_code_i(ack_code),
    .resp_head_valid_i(out_head_valid),
    .resp_head_ready_o(out_head_ready),
    .resp_head_i(out_head),
    .resp_qp_i(out_qp),
    .resp_code_i(out_code),
    .resp_nth_i(out_nth),
    .resp_pay_valid_i(out_pay_valid),
    .resp_pay_ready_o(out_pay_ready),
    .resp_pay_i(out_pay),
    .req_head_valid_i(ask_head_valid),
    .req_head_ready_o(ask_head_ready),
    .req_head_i(ask_head),
    .req_qp_i(ask_qp),
    .req_nth_i(ask_nth),
    .req_epoch_i(ask_epoch),
    .req_lost_i(lost),
    .req_pay_valid_i(ask_pay_valid),
    .req_pay_ready_o(ask_pay_ready),
    .req_pay_i(ask_pay),
    .head_valid_o(tx_head_valid),
    .head_ready_i(tx_head_ready),
    .head_o(tx_head),
    .head_qp_o(tx_qp),
    .head_req_o(tx_req),
    .pay_valid_o(tx_pay_valid),
    .pay_ready_i(tx_pay_ready),
    .pay_o(tx_pay),
    .ret_valid_o(ret_valid[nic_pkg::RetTx-1]),
    .ret_o(ret[(32'(nic_pkg::RetTx)-1)*RetireW+:RetireW])
  );

  nic_peer #(
    .NumQps(SafeNumQps)
  ) u_peer (
    .clk_i,
    .rst_ni,
    .start_valid_i(start),
    .start_qp_i(start_qp),
    .start_peer_i(start_peer),
    .through_valid_i(through),
    .through_qp_i(through_qp),
    .look_i(tx_head_valid && tx_head_ready),
    .look_qp_i(tx_qp),
    .look_req_i(tx_req),
    .peer_o(peer)
  );

  nic_tx u_tx (
    .clk_i,
    .rst_ni,
    .cfg_mac_i(mac),
    .cfg_ip_i(ip),
    .cfg_ip6_i(ip6),
    .cfg_tos_i(tos),
    .hold_i(idle_q && who_q),
    .idle_o(tx_idle),
    .head_valid_i(tx_head_valid),
    .head_ready_o(tx_head_ready),
    .head_i(tx_head),
    .peer_i(peer),
    .pay_valid_i(tx_pay_valid),
    .pay_ready_o(tx_pay_ready),
    .pay_i(tx_pay),
    .m_axis_valid_o,
    .m_axis_ready_i,
    .m_axis_data_o,
    .m_axis_keep_o,
    .m_axis_last_o
  );

  // ---- memory -----------------------------------------------------------------------------------------------------
  // Writers: 0 responder, 1 tasks, 2 events, 3 requester, 4 tables, 5 contexts. Readers: 0 requester, 1 responder, 2
  // queue indices, 3 tables, 4 contexts.
  localparam int unsigned Writers = SafeContexts != 0 ? 6 : 5;
  localparam int unsigned Readers = SafeContexts != 0 ? 5 : 4;
  logic [Writers-1:0]        wj_valid, wj_ready, wp_valid, wp_ready, w_done;
  logic [Writers*DmaW-1:0]   wj;
  logic [Writers*BytesW-1:0] wp;
  logic [Readers-1:0]        rj_valid, rj_ready, item_valid, item_ready;
  logic [Readers*DmaW-1:0]   rj;
  nic_pkg::bytes_t     item;

  nic_dma #(
    .Writers(Writers),
    .Readers(Readers),
    .ReadTags(SafeReadTags),
    .MaxRead(SafeMaxRead)
  ) u_dma (
    .clk_i,
    .rst_ni,
    .cfg_mps_i(mps),
    .cfg_mrrs_i(mrrs),
    .cfg_tmo_i(cpl_tmo),
    .tag_free_i(tag_free),
    .wr_job_valid_i(wj_valid),
    .wr_job_ready_o(wj_ready),
    .wr_job_i(wj),
    .wr_pay_valid_i(wp_valid),
    .wr_pay_ready_o(wp_ready),
    .wr_pay_i(wp),
    .wr_done_o(w_done),
    .rd_job_valid_i(rj_valid),
    .rd_job_ready_o(rj_ready),
    .rd_job_i(rj),
    .rd_valid_o(item_valid),
    .rd_ready_i(item_ready),
    .rd_beat_o(item),
    .req_valid_o(dev_req_valid_o),
    .req_ready_i(dev_req_ready_i),
    .req_o(req),
    .cpl_valid_i(dev_cpl_valid_i),
    .cpl_ready_o(dev_cpl_ready_o),
    .cpl_i(cpl),
    .stray_o(stray),
    .bad_item_o(bad_item)
  );

  // ---- events -----------------------------------------------------------------------------------------------------
  // Sources: 0 and 1 responder, 2 requester, 3 task enqueued, 4 receive buffer used up, 5 task done.
  logic [2:0]          rsv_valid, rsv_ok, back_valid;
  logic                rsv_wait;
  logic [3*ProcW-1:0]  rsv_proc, back_proc;
  logic [17:0]         back_num;
  logic [5:0]          ev_valid, ev_ready;
  logic [6*EventW-1:0] ev;

  nic_event #(
    .NumProcs(SafeNumProcs),
    .Sources(6)
  ) u_event (
    .clk_i,
    .rst_ni,
    .cfg_rid_i(rid),
    .rb_i(rb),
    .rb_rdata_o(rd_event),
    .rsv_valid_i(rsv_valid),
    .rsv_proc_i(rsv_proc),
    .rsv_ok_o(rsv_ok),
    .rsv_wait_o(rsv_wait),
    .back_valid_i(back_valid),
    .back_proc_i(back_proc),
    .back_num_i(back_num),
    .ev_valid_i(ev_valid),
    .ev_ready_o(ev_ready),
    .ev_i(ev),
    .job_valid_o(wj_valid[2]),
    .job_ready_i(wj_ready[2]),
    .job_o(wj[2*DmaW+:DmaW]),
    .pay_valid_o(wp_valid[2]),
    .pay_ready_i(wp_ready[2]),
    .pay_o(wp[2*BytesW+:BytesW]),
    .ret_valid_o(ret_valid[nic_pkg::RetEvent-1]),
    .ret_o(ret[(32'(nic_pkg::RetEvent)-1)*RetireW+:RetireW])
  );

  // ---- congestion -------------------------------------------------------------------------------------------------
  // What a frame says of it counts when its fate is decided, which RetFrame tells; the head is at hand until then, or
  // nic_req has it.
  logic                   cnp_came, cnp_sent, resp_mark, sent;
  logic [SafeNumQps-1:0]  cnp_due, slow, held, rate_wake;
  logic [7:0]             sent_qp;
  logic [12:0]            sent_bytes;
  nic_pkg::retire_t       ret_frame;

  assign ret_frame = ret_frame_resp_valid ? ret_frame_resp : ret_frame_req;
  assign marked    = resp_mark || (ret_frame_req_valid && ret_frame_req_ce);

  nic_cnp #(
    .NumQps(SafeNumQps)
  ) u_cnp (
    .clk_i,
    .rst_ni,
    .cfg_time_i(cnp_time),
    .cfg_we_i(cnp_we),
    .mark_valid_i(marked),
    .mark_qp_i(ret_frame.idx),
    .clear_valid_i(start || stop),
    .clear_qp_i(start ? start_qp : stop_qp),
    .sent_valid_i(cnp_sent),
    .sent_qp_i(ack_qp),
    .due_o(cnp_due)
  );

  nic_rate #(
    .NumQps(SafeNumQps)
  ) u_rate (
    .clk_i,
    .rst_ni,
    .cfg_i(rate_cfg),
    .forget_i(rate_we),
    .rb_i(rb),
    .rb_rdata_o(rd_rate),
    .cnp_valid_i(cnp_came),
    .cnp_qp_i(ret_frame_resp.idx),
    .clear_valid_i(start || stop),
    .clear_qp_i(start ? start_qp : stop_qp),
    .sent_valid_i(sent),
    .sent_qp_i(sent_qp),
    .sent_bytes_i(sent_bytes),
    .slow_o(slow),
    .held_o(held),
    .wake_o(rate_wake),
    .ret_valid_o(ret_valid[nic_pkg::RetRate-1]),
    .ret_o(ret[(32'(nic_pkg::RetRate)-1)*RetireW+:RetireW])
  );

  logic                   req_now, req_now_err, resp_now, resp_now_task;  // for contexts in memory
  logic [7:0]             req_now_qp;
  logic [15:0]            req_now_cons;
  logic [SafeNumQps-1:0]  pend, behind;

  // ---- requester --------------------------------------------------------------------------------------------------
  logic            ans_head_valid, ans_head_ready, ans_pay_valid, ans_pay_ready, req_idle;
  nic_pkg::bytes_t resp_pay;  // of the frame at hand, for all who may get it

  nic_req #(
    .NumQps(SafeNumQps),
    .Requests(SafeRequests),
    .Window(SafeWindow),
    .Ahead(SafeAhead)
  ) u_req (
    .clk_i,
    .rst_ni,
    .cfg_rid_i(rid),
    .cfg_tick_i(tick),
    .start_valid_i(start),
    .start_qp_i(start_qp),
    .start_spsn_i(start_spsn),
    .start_go_i(start_go),
    .stop_valid_i(stop),
    .stop_qp_i(stop_qp),
    .bell_valid_i(bell),
    .bell_qp_i(bell_qp),
    .bell_prod_i(bell_prod),
    .resume_valid_i(resume),
    .resume_qp_i(resume_qp),
    .cfg_idx_o(req_idx),
    .cfg_i(cfg[4*CfgW-1:2*CfgW]),
    .rb_qp_i(rb_qp),
    .rb_cons_o(sts_cons),
    .rb_err_o(sts_send_err),
    .rb_code_o(sts_code),
    .rb_una_o(sts_una),
    .slow_i(slow),
    .held_i(held),
    .rate_wake_i(rate_wake),
    .sent_valid_o(sent),
    .sent_qp_o(sent_qp),
    .sent_bytes_o(sent_bytes),
    .ans_head_valid_i(ans_head_valid),
    .ans_head_ready_o(ans_head_ready),
    .ans_head_i(in_head),
    .ans_pay_valid_i(ans_pay_valid),
    .ans_pay_ready_o(ans_pay_ready),
    .ans_pay_i(resp_pay),
    .head_valid_o(ask_head_valid),
    .head_ready_i(ask_head_ready),
    .head_o(ask_head),
    .head_qp_o(ask_qp),
    .head_nth_o(ask_nth),
    .head_epoch_o(ask_epoch),
    .head_lost_o(lost),
    .pay_valid_o(ask_pay_valid),
    .pay_ready_i(ask_pay_ready),
    .pay_o(ask_pay),
    .rd_job_valid_o(rj_valid[0]),
    .rd_job_ready_i(rj_ready[0]),
    .rd_job_o(rj[0+:DmaW]),
    .rd_valid_i(item_valid[0]),
    .rd_ready_o(item_ready[0]),
    .rd_beat_i(item),
    .wr_job_valid_o(wj_valid[3]),
    .wr_job_ready_i(wj_ready[3]),
    .wr_job_o(wj[3*DmaW+:DmaW]),
    .wr_pay_valid_o(wp_valid[3]),
    .wr_pay_ready_i(wp_ready[3]),
    .wr_pay_o(wp[3*BytesW+:BytesW]),
    .place_valid_o(rsv_valid[1]),
    .place_proc_o(rsv_proc[ProcW+:ProcW]),
    .place_ok_i(rsv_ok[1]),
    .back_valid_o(back_valid[1]),
    .back_proc_o(back_proc[ProcW+:ProcW]),
    .event_valid_o(ev_valid[2]),
    .event_ready_i(ev_ready[2]),
    .event_o(ev[2*EventW+:EventW]),
    .ret_send_valid_o(ret_valid[nic_pkg::RetSend-1]),
    .ret_send_o(ret[(32'(nic_pkg::RetSend)-1)*RetireW+:RetireW]),
    .ret_frame_valid_o(ret_frame_req_valid),
    .ret_frame_o(ret_frame_req),
    .ret_frame_ce_o(ret_frame_req_ce),
    .idle_o(req_idle),
    .now_valid_o(req_now),
    .now_qp_o(req_now_qp),
    .now_cons_o(req_now_cons),
    .now_err_o(req_now_err),
    .through_valid_o(through),
    .through_qp_o(through_qp),
    .ret_timer_valid_o(ret_valid[nic_pkg::RetTimer-1]),
    .ret_timer_o(ret[(32'(nic_pkg::RetTimer)-1)*RetireW+:RetireW])
  );


  // ---- responder --------------------------------------------------------------------------------------------------
  logic [7:0]        gave_up_qp;
  logic              ask_valid, ask_ready, answered, gave_up, xtq_pay_valid, xtq_pay_ready, left, resp_idle, task_idle;
  nic_pkg::xtq_ask_t ask;
  logic [3:0]        why;

  // What is idle while it is held stays so: the grant may come a cycle later, and does not make a register write late.
  always_ff @(posedge clk_i) idle_q <= rst_ni && hold && resp_idle && task_idle && req_idle;

  nic_responder #(
    .NumQps(SafeNumQps),
    .NumMrs(SafeNumMrs),
    .RespDepth(SafeRespDepth),
    .Replay(SafeReplay)
  ) u_responder (
    .clk_i,
    .rst_ni,
    .cfg_qpn_i(qpn),
    .cfg_rid_i(rid),
    .rb_i(qp_rb),
    .rb_rdata_o(rd_resp),
    .hold_i(hold),
    .idle_o(resp_idle),
    .cfg_idx_o(resp_idx),
    .cfg_i(cfg[2*CfgW-1:0]),
    .start_valid_i(start),
    .start_qp_i(start_qp),
    .start_epsn_i(start_epsn),
    .start_go_i(start_go),
    .stop_valid_i(stop),
    .stop_qp_i(stop_qp),
    .rb_qp_i(rb_qp),
    .rb_resp_o(sts_resp),
    .rb_err_o(sts_resp_err),
    .rb_answers_o(sts_answers),
    .head_valid_i(in_head_valid),
    .head_ready_o(rx_head_ready),
    .head_i(in_head),
    .next_valid_i(in_next_valid),
    .next_qp_i(in_next_qp),
    .pay_valid_i(rx_pay_valid),
    .pay_ready_o(rx_pay_ready),
    .pay_i(rx_pay),
    .pay_o(resp_pay),
    .wr_job_valid_o(wj_valid[0]),
    .wr_job_ready_i(wj_ready[0]),
    .wr_job_o(wj[0+:DmaW]),
    .wr_pay_valid_o(wp_valid[0]),
    .wr_pay_ready_i(wp_ready[0]),
    .wr_pay_o(wp[0+:BytesW]),
    .wr_done_i(w_done[0]),
    .ask_valid_o(ask_valid),
    .ask_ready_i(ask_ready),
    .ask_o(ask),
    .ans_valid_i(answered),
    .ans_why_i(why),
    .xtq_pay_valid_o(xtq_pay_valid),
    .xtq_pay_ready_i(xtq_pay_ready),
    .xtq_done_i(left),
    .gave_up_o(gave_up),
    .gave_up_qp_o(gave_up_qp),
    .req_head_valid_o(ans_head_valid),
    .req_head_ready_i(ans_head_ready),
    .req_pay_valid_o(ans_pay_valid),
    .req_pay_ready_i(ans_pay_ready),
    .rd_job_valid_o(rj_valid[1]),
    .rd_job_ready_i(rj_ready[1]),
    .rd_job_o(rj[DmaW+:DmaW]),
    .rd_valid_i(item_valid[1]),
    .rd_ready_o(item_ready[1]),
    .rd_beat_i(item),
    .tx_head_valid_o(out_head_valid),
    .tx_head_ready_i(out_head_ready),
    .tx_head_o(out_head),
    .tx_qp_o(out_qp),
    .tx_code_o(out_code),
    .tx_nth_o(out_nth),
    .tx_pay_valid_o(out_pay_valid),
    .tx_pay_ready_i(out_pay_ready),
    .tx_pay_o(out_pay),
    .ack_head_valid_o(ack_head_valid),
    .ack_head_ready_i(ack_head_ready),
    .ack_head_o(ack_head),
    .ack_qp_o(ack_qp),
    .ack_code_o(ack_code),
    .cnp_due_i(cnp_due),
    .cnp_sent_o(cnp_sent),
    .rsv_valid_o(rsv_valid[0]),
    .rsv_proc_o(rsv_proc[0+:ProcW]),
    .rsv_ok_i(rsv_ok[0]),
    .rsv_wait_i(rsv_wait),
    .ev_valid_o(ev_valid[1:0]),
    .ev_ready_i(ev_ready[1:0]),
    .ev_o(ev[0+:2*EventW]),
    .now_valid_o(resp_now),
    .now_task_o(resp_now_task),
    .pend_o(pend),
    .behind_o(behind),
    .ret_valid_o(ret_frame_resp_valid),
    .ret_o(ret_frame_resp),
    .mark_o(resp_mark),
    .cnp_o(cnp_came)
  );

  // ---- tasks ------------------------------------------------------------------------------------------------------
  xtq #(
    .NumProcs(SafeNumProcs),
    .NumQps(SafeNumQps),
    .RecvDepth(SafeRecvDepth),
    .TableBits(SafeTableBits),
    .TableCache(SafeTableCache),
    .NumLogs(SafeNumLogs)
  ) u_xtq (
    .clk_i,
    .rst_ni,
    .cfg_rid_i(rid),
    .cfg_tick_i(tick),
    .hold_i(hold),
    .idle_o(task_idle),
    .ask_valid_i(ask_valid),
    .ask_ready_o(ask_ready),
    .ask_i(ask),
    .pay_valid_i(xtq_pay_valid),
    .pay_ready_o(xtq_pay_ready),
    .pay_i(resp_pay),
    .ans_valid_o(answered),
    .ans_why_o(why),
    .left_o(left),
    .gave_up_i(gave_up),
    .gave_up_qp_i(gave_up_qp),
    .stop_i(stop),
    .stop_qp_i(stop_qp),
    .task_valid_i,
    .task_ready_o,
    .task_log_i,
    .task_prod_i,
    .task_cons_i,
    .task_done_valid_o,
    .task_done_log_o,
    .rsv_valid_o(rsv_valid[2]),
    .rsv_proc_o(rsv_proc[2*ProcW+:ProcW]),
    .rsv_ok_i(rsv_ok[2]),
    .back_valid_o(back_valid[2]),
    .back_proc_o(back_proc[2*ProcW+:ProcW]),
    .back_num_o(back_num[17:12]),
    .ev_valid_o(ev_valid[5:3]),
    .ev_ready_i(ev_ready[5:3]),
    .ev_o(ev[3*EventW+:3*EventW]),
    .wr_job_valid_o({wj_valid[4], wj_valid[1]}),
    .wr_job_ready_i({wj_ready[4], wj_ready[1]}),
    .wr_job_o({wj[4*DmaW+:DmaW], wj[DmaW+:DmaW]}),
    .wr_pay_valid_o({wp_valid[4], wp_valid[1]}),
    .wr_pay_ready_i({wp_ready[4], wp_ready[1]}),
    .wr_pay_o({wp[4*BytesW+:BytesW], wp[BytesW+:BytesW]}),
    .wr_done_i({w_done[4], w_done[1]}),
    .rd_job_valid_o(rj_valid[3:2]),
    .rd_job_ready_i(rj_ready[3:2]),
    .rd_job_o(rj[2*DmaW+:2*DmaW]),
    .rd_valid_i(item_valid[3:2]),
    .rd_ready_o(item_ready[3:2]),
    .rd_beat_i(item),
    .hits_o(hits),
    .misses_o(misses),
    .ret_task_valid_o(ret_valid[nic_pkg::RetTask-1]),
    .ret_task_o(ret_task),
    .ret_table_valid_o(ret_valid[nic_pkg::RetTable-1]),
    .ret_table_o(ret_table),
    .rb_i(rb),
    .rb_rdata_o(rd_xtq)
  );
  assign {back_valid[0], back_proc[ProcW-1:0]} = '0;
  assign back_num[11:0] = {6'd1, 6'd0};

  // ---- contexts in memory -----------------------------------------------------------------------------------------
  if (SafeContexts != 0) begin : gen_ctx
    nic_ctx #(
      .NumQps(SafeNumQps),
      .Contexts(SafeContexts),
      .Replay(SafeReplay)
    ) u_ctx (
      .clk_i,
      .rst_ni,
      .cfg_qpn_i(qpn),
      .cfg_rid_i(rid),
      .s_awvalid_i(s_axil_awvalid),
      .s_awready_o(s_axil_awready),
      .s_awaddr_i(s_axil_awaddr),
      .s_wvalid_i(s_axil_wvalid),
      .s_wready_o(s_axil_wready),
      .s_wdata_i(s_axil_wdata),
      .s_wstrb_i(s_axil_wstrb),
      .s_bvalid_o(s_axil_bvalid),
      .s_bready_i(s_axil_bready),
      .s_arvalid_i(s_axil_arvalid),
      .s_arready_o(s_axil_arready),
      .s_araddr_i(s_axil_araddr),
      .s_rvalid_o(s_axil_rvalid),
      .s_rready_i(s_axil_rready),
      .m_awvalid_o(bus_awvalid),
      .m_awready_i(bus_awready),
      .m_awaddr_o(bus_awaddr),
      .m_wvalid_o(bus_wvalid),
      .m_wready_i(bus_wready),
      .m_wdata_o(bus_wdata),
      .m_wstrb_o(bus_wstrb),
      .m_bvalid_i(bus_bvalid),
      .m_bready_o(bus_bready),
      .m_arvalid_o(bus_arvalid),
      .m_arready_i(bus_arready),
      .m_araddr_o(bus_araddr),
      .m_rvalid_i(bus_rvalid),
      .m_rready_o(bus_rready),
      .m_rdata_i(s_axil_rdata),
      .rb_i(rb),
      .rb_rdata_o(rd_ctx),
      .own_o(ctx_own),
      .refuse_o(ctx_refuse),
      .held_o(ctx_held),
      .wait_o(ctx_wait),
      .head_valid_i(rx_head_valid),
      .head_qp_i(rx_head.qp),
      .next_valid_i(rx_next_valid),
      .next_qp_i(rx_next_qp),
      .head_valid_o(in_head_valid),
      .head_ready_i(rx_head_ready),
      .head_qp_o(in_head_qp),
      .next_valid_o(in_next_valid),
      .next_qp_o(in_next_qp),
      .start_valid_i(start),
      .start_qp_i(start_qp),
      .start_go_i(start_go),
      .stop_valid_i(stop),
      .stop_qp_i(stop_qp),
      .bell_valid_i(bell),
      .bell_qp_i(bell_qp),
      .bell_prod_i(bell_prod),
      .req_valid_i(req_now),
      .req_qp_i(req_now_qp),
      .req_cons_i(req_now_cons),
      .req_err_i(req_now_err),
      .resp_valid_i(resp_now),
      .resp_qp_i(gave_up_qp),
      .resp_task_i(resp_now_task),
      .timer_valid_i(ret_valid[nic_pkg::RetTimer-1]),
      .timer_i(ret[(32'(nic_pkg::RetTimer)-1)*RetireW+:RetireW]),
      .acks_i(pend),
      .responses_i(behind),
      .slow_i(slow),
      .rd_job_valid_o(rj_valid[Readers-1]),
      .rd_job_ready_i(rj_ready[Readers-1]),
      .rd_job_o(rj[(Readers-1)*DmaW+:DmaW]),
      .rd_valid_i(item_valid[Readers-1]),
      .rd_ready_o(item_ready[Readers-1]),
      .rd_beat_i(item),
      .wr_job_valid_o(wj_valid[Writers-1]),
      .wr_job_ready_i(wj_ready[Writers-1]),
      .wr_job_o(wj[(Writers-1)*DmaW+:DmaW]),
      .wr_pay_valid_o(wp_valid[Writers-1]),
      .wr_pay_ready_i(wp_ready[Writers-1]),
      .wr_pay_o(wp[(Writers-1)*BytesW+:BytesW]),
      .wr_done_i(w_done[Writers-1]),
      .ret_valid_o(ret_valid[nic_pkg::RetCtx-1]),
      .ret_o(ret[(32'(nic_pkg::RetCtx)-1)*RetireW+:RetireW])
    );
  end else begin : gen_no_ctx
    assign {bus_awvalid, bus_awaddr, bus_wvalid, bus_wdata, bus_wstrb, bus_bready, bus_arvalid, bus_araddr,
            bus_rready} =
      {s_axil_awvalid, s_axil_awaddr, s_axil_wvalid, s_axil_wdata, s_axil_wstrb, s_axil_bready, s_axil_arvalid,
       s_axil_araddr, s_axil_rready};
    assign {s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid} =
      {bus_awready, bus_wready, bus_bvalid, bus_arready, bus_rvalid};
    assign {in_head_valid, in_head_qp}          = {rx_head_valid, rx_head.qp};
    assign {in_next_valid, in_next_qp}          = {rx_next_valid, rx_next_qp};
    assign {rd_ctx, ctx_own, ctx_refuse, ctx_held, ctx_wait} = {64'd0, 1'b0, 1'b0, 1'b1, 1'b0};
    assign {ret_valid[nic_pkg::RetCtx-1], ret[(32'(nic_pkg::RetCtx)-1)*RetireW+:RetireW]} = '0;
    logic unused_ctx;
    assign unused_ctx = ^{req_now, req_now_err, resp_now, resp_now_task, req_now_qp, req_now_cons, pend, behind};
  end

  // ---- retire -----------------------------------------------------------------------------------------------------
  assign ret_valid[nic_pkg::RetRegWrite-1] = rb.we;
  assign ret_valid[nic_pkg::RetRx-1]    = judged;
  assign ret_valid[nic_pkg::RetFrame-1] = ret_frame_resp_valid || ret_frame_req_valid;
  always_comb begin
    ret_read       = '0;
    ret_read.kind  = nic_pkg::RetRegRead;
    ret_read.a     = 64'({rb.addr, 3'd0});
    ret_read.b     = rb_read;
    ret_read.flag  = ctx_own;
    ret_write      = '0;
    ret_write.kind = nic_pkg::RetRegWrite;
    ret_write.idx  = rb.wstrb;
    ret_write.a    = 64'({rb.addr, 3'd0});
    ret_write.b    = rb.wdata;
    ret_write.flag = ctx_own;
    ret_rx         = '0;
    ret_rx.kind    = nic_pkg::RetRx;
    ret_rx.code    = judged_code;
  end
  assign ret[(32'(nic_pkg::RetRegRead)-1)*RetireW+:RetireW]  = ret_read;
  assign ret[(32'(nic_pkg::RetRegWrite)-1)*RetireW+:RetireW] = ret_write;
  assign ret[(32'(nic_pkg::RetRx)-1)*RetireW+:RetireW]       = ret_rx;
  assign ret[(32'(nic_pkg::RetFrame)-1)*RetireW+:RetireW]    = ret_frame;
  assign ret[(32'(nic_pkg::RetTask)-1)*RetireW+:RetireW]     = ret_task;
  assign ret[(32'(nic_pkg::RetTable)-1)*RetireW+:RetireW]    = ret_table;
  logic unused;  // events and answers need no end of their writes
  assign unused = ^w_done[3:2];
  assign retire_valid_o = ret_valid;
  assign retire_o       = ret;

endmodule

`default_nettype wire
