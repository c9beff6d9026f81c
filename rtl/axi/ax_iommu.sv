// SPDX-License-Identifier: Apache-2.0
// ax_iommu: the IOMMU in a system of AXI alone.
//
//   s_axi (an accelerator) --> ax_dev --dev_req--> aa_iommu --host_req--> ax_host --> d_axi (memory, translated)
//                                     <--dev_cpl--          <--host_cpl--
//   s_axil (CPU) --------------------------------> aa_iommu --> m_axi (tables, access logs, pointers, MSIs)
//
// P1  A burst of s_axi is translated, allowed, refused, redirected or logged as the tables say of its requester id,
//     AxUSER.
// P2  Errors: a read that is refused is SLVERR; a write is answered OKAY when it has left ax_dev; what is blocked of it
//     is told by the fault log. Memory that refuses a write of d_axi is told by the pulse err_write_o.
// The rest stands in the blocks. cfg_mps_i and cfg_mrrs_i must say what AA_CTL says. It only wires. DataW wide
// everywhere.
// One file: it only wires, and each pin has a line.
`default_nettype none

module ax_iommu #(
  parameter int unsigned Window = 8,
  parameter int unsigned PayDw = 2048,
  parameter int unsigned Walkers = 4,
  parameter int unsigned IotlbEntries = 64,
  parameter int unsigned IotlbWays = 4,
  parameter bit          IotlbRandom = 0,
  parameter int unsigned SpEntries = 4,
  parameter int unsigned CtxEntries = 16,
  parameter int unsigned PscEntries = 8,
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  parameter int unsigned ScratchWords = 16,
  parameter bit          ActiveAccess = 1'b1,
  parameter logic [3:0]  AxiCache = 4'b0011,
  parameter logic [2:0]  AxiProt = 3'b010,
  parameter int unsigned IdW = 4,
  parameter int unsigned MaxWrite = 512,
  parameter int unsigned Bursts = 8,
  parameter int unsigned ReadTags = 16,
  parameter int unsigned MaxRead = 512,
  parameter int unsigned Writes = 16,
  parameter int unsigned MaxCpl = 256,
  parameter int unsigned Words = 64,
  parameter int unsigned Chunks = 8,
  localparam int unsigned DataW = cm_pkg::DataW
) (
  // Clock and reset; sizes of TLPs, 128 << n; a read's time, 0: for ever
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [2:0]          cfg_mps_i,
  input  wire logic [2:0]          cfg_mrrs_i,
  input  wire logic [31:0]         cfg_tmo_i,
  input  wire logic                tag_free_i,

  // Accelerator: AxUSER is its requester id
  input  wire logic [IdW-1:0]      s_axi_awid,
  input  wire logic [63:0]         s_axi_awaddr,
  input  wire logic [7:0]          s_axi_awlen,
  input  wire logic [2:0]          s_axi_awsize,
  input  wire logic [1:0]          s_axi_awburst,
  input  wire logic [15:0]         s_axi_awuser,
  input  wire logic                s_axi_awvalid,
  output logic                     s_axi_awready,
  input  wire logic [DataW-1:0]    s_axi_wdata,
  input  wire logic [DataW/8-1:0]  s_axi_wstrb,
  input  wire logic                s_axi_wlast,
  input  wire logic                s_axi_wvalid,
  output logic                     s_axi_wready,
  output logic      [IdW-1:0]      s_axi_bid,
  output logic      [1:0]          s_axi_bresp,
  output logic                     s_axi_bvalid,
  input  wire logic                s_axi_bready,
  input  wire logic [IdW-1:0]      s_axi_arid,
  input  wire logic [63:0]         s_axi_araddr,
  input  wire logic [7:0]          s_axi_arlen,
  input  wire logic [2:0]          s_axi_arsize,
  input  wire logic [1:0]          s_axi_arburst,
  input  wire logic [15:0]         s_axi_aruser,
  input  wire logic                s_axi_arvalid,
  output logic                     s_axi_arready,
  output logic      [IdW-1:0]      s_axi_rid,
  output logic      [DataW-1:0]    s_axi_rdata,
  output logic      [1:0]          s_axi_rresp,
  output logic                     s_axi_rlast,
  output logic                     s_axi_rvalid,
  input  wire logic                s_axi_rready,

  // Memory: what is allowed, translated; AxUSER is the requester id
  output logic      [7:0]          d_axi_awid,
  output logic      [63:0]         d_axi_awaddr,
  output logic      [7:0]          d_axi_awlen,
  output logic      [2:0]          d_axi_awsize,
  output logic      [1:0]          d_axi_awburst,
  output logic      [3:0]          d_axi_awcache,
  output logic      [2:0]          d_axi_awprot,
  output logic      [15:0]         d_axi_awuser,
  output logic                     d_axi_awvalid,
  input  wire logic                d_axi_awready,
  output logic      [DataW-1:0]    d_axi_wdata,
  output logic      [DataW/8-1:0]  d_axi_wstrb,
  output logic                     d_axi_wlast,
  output logic                     d_axi_wvalid,
  input  wire logic                d_axi_wready,
  input  wire logic [7:0]          d_axi_bid,
  input  wire logic [1:0]          d_axi_bresp,
  input  wire logic                d_axi_bvalid,
  output logic                     d_axi_bready,
  output logic      [7:0]          d_axi_arid,
  output logic      [63:0]         d_axi_araddr,
  output logic      [7:0]          d_axi_arlen,
  output logic      [2:0]          d_axi_arsize,
  output logic      [1:0]          d_axi_arburst,
  output logic      [3:0]          d_axi_arcache,
  output logic      [2:0]          d_axi_arprot,
  output logic      [15:0]         d_axi_aruser,
  output logic                     d_axi_arvalid,
  input  wire logic                d_axi_arready,
  input  wire logic [7:0]          d_axi_rid,
  input  wire logic [DataW-1:0]    d_axi_rdata,
  input  wire logic [1:0]          d_axi_rresp,
  input  wire logic                d_axi_rlast,
  input  wire logic                d_axi_rvalid,
  output logic                     d_axi_rready,

  // Memory: the IOMMU's own
  output logic      [7:0]          m_axi_awid,
  output logic      [63:0]         m_axi_awaddr,
  output logic      [7:0]          m_axi_awlen,
  output logic      [2:0]          m_axi_awsize,
  output logic      [1:0]          m_axi_awburst,
  output logic      [3:0]          m_axi_awcache,
  output logic      [2:0]          m_axi_awprot,
  output logic                     m_axi_awvalid,
  input  wire logic                m_axi_awready,
  output logic      [DataW-1:0]    m_axi_wdata,
  output logic      [DataW/8-1:0]  m_axi_wstrb,
  output logic                     m_axi_wlast,
  output logic                     m_axi_wvalid,
  input  wire logic                m_axi_wready,
  input  wire logic [7:0]          m_axi_bid,
  input  wire logic [1:0]          m_axi_bresp,
  input  wire logic                m_axi_bvalid,
  output logic                     m_axi_bready,
  output logic      [7:0]          m_axi_arid,
  output logic      [63:0]         m_axi_araddr,
  output logic      [7:0]          m_axi_arlen,
  output logic      [2:0]          m_axi_arsize,
  output logic      [1:0]          m_axi_arburst,
  output logic      [3:0]          m_axi_arcache,
  output logic      [2:0]          m_axi_arprot,
  output logic                     m_axi_arvalid,
  input  wire logic                m_axi_arready,
  input  wire logic [7:0]          m_axi_rid,
  input  wire logic [DataW-1:0]    m_axi_rdata,
  input  wire logic [1:0]          m_axi_rresp,
  input  wire logic                m_axi_rlast,
  input  wire logic                m_axi_rvalid,
  output logic                     m_axi_rready,

  // Registers
  input  wire logic [19:0]         s_axil_awaddr,
  input  wire logic                s_axil_awvalid,
  output logic                     s_axil_awready,
  input  wire logic [63:0]         s_axil_wdata,
  input  wire logic [7:0]          s_axil_wstrb,
  input  wire logic                s_axil_wvalid,
  output logic                     s_axil_wready,
  output logic      [1:0]          s_axil_bresp,
  output logic                     s_axil_bvalid,
  input  wire logic                s_axil_bready,
  input  wire logic [19:0]         s_axil_araddr,
  input  wire logic                s_axil_arvalid,
  output logic                     s_axil_arready,
  output logic      [63:0]         s_axil_rdata,
  output logic      [1:0]          s_axil_rresp,
  output logic                     s_axil_rvalid,
  input  wire logic                s_axil_rready,

  // Pulses
  output logic                     err_stray_o,
  output logic                     err_malformed_o,
  output logic                     err_timeout_o,
  output logic                     err_write_o,
  output logic                     drop_o
);

  // ranges of parameters, by scripts/params.py: begin
  localparam bit BadWindow = Window < 2 || Window > 64 || (Window & (Window - 1)) != 0;
  if (BadWindow) begin : gen_bad_window
    $error("ax_iommu: Window must be a power of two, 2 to 64");
  end
  localparam bit BadPayDw = PayDw < 1024 || PayDw > 4096 || (PayDw & (PayDw - 1)) != 0;
  if (BadPayDw) begin : gen_bad_pay_dw
    $error("ax_iommu: PayDw must be a power of two, 1024 to 4096");
  end
  localparam bit BadWalkers = Walkers < 1 || Walkers > 16;
  if (BadWalkers) begin : gen_bad_walkers
    $error("ax_iommu: Walkers must be 1 to 16");
  end
  localparam bit BadIotlbEntries = IotlbEntries < 1 || IotlbEntries > 65536 || (IotlbEntries & (IotlbEntries - 1)) != 0;
  if (BadIotlbEntries) begin : gen_bad_iotlb_entries
    $error("ax_iommu: IotlbEntries must be a power of two, 1 to 65536");
  end
  localparam bit BadIotlbWays = IotlbWays < 1 || IotlbWays > 256 || (IotlbWays & (IotlbWays - 1)) != 0;
  if (BadIotlbWays) begin : gen_bad_iotlb_ways
    $error("ax_iommu: IotlbWays must be a power of two, 1 to 256");
  end
  localparam bit BadSpEntries = SpEntries < 1 || SpEntries > 256;
  if (BadSpEntries) begin : gen_bad_sp_entries
    $error("ax_iommu: SpEntries must be 1 to 256");
  end
  localparam bit BadCtxEntries = CtxEntries < 1 || CtxEntries > 256 || (CtxEntries & (CtxEntries - 1)) != 0;
  if (BadCtxEntries) begin : gen_bad_ctx_entries
    $error("ax_iommu: CtxEntries must be a power of two, 1 to 256");
  end
  localparam bit BadPscEntries = PscEntries != 0 && (PscEntries < 1 || PscEntries > 512 ||
    (PscEntries & (PscEntries - 1)) != 0);
  if (BadPscEntries) begin : gen_bad_psc_entries
    $error("ax_iommu: PscEntries must be 0 or a power of two, 1 to 512");
  end
  localparam bit BadNumLogs = ActiveAccess && (NumLogs < 1 || NumLogs > 32);
  if (BadNumLogs) begin : gen_bad_num_logs
    $error("ax_iommu: NumLogs must be 1 to 32");
  end
  localparam bit BadLogDepth = ActiveAccess && (LogDepth < 1 || LogDepth > 32 || (LogDepth & (LogDepth - 1)) != 0);
  if (BadLogDepth) begin : gen_bad_log_depth
    $error("ax_iommu: LogDepth must be a power of two, 1 to 32");
  end
  localparam bit BadTagEntries = TagEntries < 2 || TagEntries > 255;
  if (BadTagEntries) begin : gen_bad_tag_entries
    $error("ax_iommu: TagEntries must be 2 to 255");
  end
  localparam bit BadFlushPages = ActiveAccess && (FlushPages < 1 || FlushPages > 8);
  if (BadFlushPages) begin : gen_bad_flush_pages
    $error("ax_iommu: FlushPages must be 1 to 8");
  end
  localparam bit BadFlushWaiters = ActiveAccess && (FlushWaiters < 1 || FlushWaiters > 32);
  if (BadFlushWaiters) begin : gen_bad_flush_waiters
    $error("ax_iommu: FlushWaiters must be 1 to 32");
  end
  localparam bit BadScratchWords = ActiveAccess && (ScratchWords < 1 || ScratchWords > 64);
  if (BadScratchWords) begin : gen_bad_scratch_words
    $error("ax_iommu: ScratchWords must be 1 to 64");
  end
  localparam bit BadIdW = IdW < 1 || IdW > 16;
  if (BadIdW) begin : gen_bad_id_w
    $error("ax_iommu: IdW must be 1 to 16");
  end
  localparam bit BadMaxWrite = MaxWrite < 128 || MaxWrite > 4096 || (MaxWrite & (MaxWrite - 1)) != 0;
  if (BadMaxWrite) begin : gen_bad_max_write
    $error("ax_iommu: MaxWrite must be a power of two, 128 to 4096");
  end
  localparam bit BadBursts = Bursts < 1 || Bursts > 64;
  if (BadBursts) begin : gen_bad_bursts
    $error("ax_iommu: Bursts must be 1 to 64");
  end
  localparam bit BadReadTags = ReadTags < 2 || ReadTags > 256 || (ReadTags & (ReadTags - 1)) != 0;
  if (BadReadTags) begin : gen_bad_read_tags
    $error("ax_iommu: ReadTags must be a power of two, 2 to 256");
  end
  localparam bit BadMaxRead = MaxRead < 128 || MaxRead > 4096 || (MaxRead & (MaxRead - 1)) != 0;
  if (BadMaxRead) begin : gen_bad_max_read
    $error("ax_iommu: MaxRead must be a power of two, 128 to 4096");
  end
  localparam bit BadWrites = Writes < 1 || Writes > 255;
  if (BadWrites) begin : gen_bad_writes
    $error("ax_iommu: Writes must be 1 to 255");
  end
  localparam bit BadMaxCpl = MaxCpl < 128 || MaxCpl > 4096 || (MaxCpl & (MaxCpl - 1)) != 0;
  if (BadMaxCpl) begin : gen_bad_max_cpl
    $error("ax_iommu: MaxCpl must be a power of two, 128 to 4096");
  end
  localparam bit BadWords = Words < 3 || Words > 4096;
  if (BadWords) begin : gen_bad_words
    $error("ax_iommu: Words must be 3 to 4096");
  end
  localparam bit BadChunks = Chunks < 1 || Chunks > 64;
  if (BadChunks) begin : gen_bad_chunks
    $error("ax_iommu: Chunks must be 1 to 64");
  end
  localparam bit BadRule0 = !(cm_pkg::AskedDataW == 128 || cm_pkg::AskedDataW == 256 || cm_pkg::AskedDataW == 512);
  if (BadRule0) begin : gen_bad_rule_0
    $error("ax_iommu: DataW must be 128, 256 or 512");
  end
  localparam bit BadRule1 = !(IotlbWays <= IotlbEntries);
  if (BadRule1) begin : gen_bad_rule_1
    $error("ax_iommu: IotlbWays must be at most IotlbEntries");
  end
  localparam bit BadRule2 = !(IotlbEntries <= 512 * IotlbWays);
  if (BadRule2) begin : gen_bad_rule_2
    $error("ax_iommu: IotlbEntries must be at most 512 for each of IotlbWays");
  end
  localparam bit BadRule3 = !(!IotlbRandom || (SpEntries & (SpEntries - 1)) == 0);
  if (BadRule3) begin : gen_bad_rule_3
    $error("ax_iommu: SpEntries must be a power of two where IotlbRandom is set");
  end
  localparam bit BadRule4 = !(PayDw >= 1024 + 8 * Window * (cm_pkg::DataW / 128 - 1));
  if (BadRule4) begin : gen_bad_rule_4
    $error("ax_iommu: PayDw must be at least 1024 + 8 x Window x (DataW / 128 - 1)");
  end
  localparam bit BadRule5 = !(ReadTags * MaxRead >= 8192);
  if (BadRule5) begin : gen_bad_rule_5
    $error("ax_iommu: ReadTags x MaxRead must be at least 8192, for a job of 4096 bytes at any address");
  end
  localparam bit BadRule6 = !(Words * cm_pkg::DataW >= 8 * MaxCpl);
  if (BadRule6) begin : gen_bad_rule_6
    $error("ax_iommu: Words must hold a completion of MaxCpl bytes");
  end
  localparam bit Bad = BadWindow || BadPayDw || BadWalkers || BadIotlbEntries || BadIotlbWays || BadSpEntries ||
    BadCtxEntries || BadPscEntries || BadNumLogs || BadLogDepth || BadTagEntries || BadFlushPages ||
    BadFlushWaiters || BadScratchWords || BadIdW || BadMaxWrite || BadBursts || BadReadTags ||
    BadMaxRead || BadWrites || BadMaxCpl || BadWords || BadChunks || BadRule0 || BadRule1 || BadRule2 ||
    BadRule3 || BadRule4 || BadRule5 || BadRule6;
  // What the blocks are given: defaults if anything is wrong.
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
  localparam int unsigned SafeIdW = Bad ? 4 : IdW;
  localparam int unsigned SafeMaxWrite = Bad ? 512 : MaxWrite;
  localparam int unsigned SafeBursts = Bad ? 8 : Bursts;
  localparam int unsigned SafeReadTags = Bad ? 16 : ReadTags;
  localparam int unsigned SafeMaxRead = Bad ? 512 : MaxRead;
  localparam int unsigned SafeWrites = Bad ? 16 : Writes;
  localparam int unsigned SafeMaxCpl = Bad ? 256 : MaxCpl;
  localparam int unsigned SafeWords = Bad ? 64 : Words;
  localparam int unsigned SafeChunks = Bad ? 8 : Chunks;
  // ranges of parameters, by scripts/params.py: end

  logic         req_valid, req_ready, cpl_valid, cpl_ready, out_valid, out_ready, in_valid, in_ready;
  cm_pkg::tlp_t req, cpl, out, back;
  assign out.err = 1'b0;

  ax_dev #(
    .IdW(SafeIdW),
    .MaxWrite(SafeMaxWrite),
    .Bursts(SafeBursts),
    .ReadTags(SafeReadTags),
    .MaxRead(SafeMaxRead)
  ) u_dev (
    .clk_i,
    .rst_ni,
    .cfg_mps_i,
    .cfg_mrrs_i,
    .cfg_tmo_i,
    .tag_free_i,
    .s_axi_awid,
    .s_axi_awaddr,
    .s_axi_awlen,
    .s_axi_awsize,
    .s_axi_awburst,
    .s_axi_awuser,
    .s_axi_awvalid,
    .s_axi_awready,
    .s_axi_wdata,
    .s_axi_wstrb,
    .s_axi_wlast,
    .s_axi_wvalid,
    .s_axi_wready,
    .s_axi_bid,
    .s_axi_bresp,
    .s_axi_bvalid,
    .s_axi_bready,
    .s_axi_arid,
    .s_axi_araddr,
    .s_axi_arlen,
    .s_axi_arsize,
    .s_axi_arburst,
    .s_axi_aruser,
    .s_axi_arvalid,
    .s_axi_arready,
    .s_axi_rid,
    .s_axi_rdata,
    .s_axi_rresp,
    .s_axi_rlast,
    .s_axi_rvalid,
    .s_axi_rready,
    .req_valid_o(req_valid),
    .req_ready_i(req_ready),
    .req_o(req),
    .cpl_valid_i(cpl_valid),
    .cpl_ready_o(cpl_ready),
    .cpl_i(cpl),
    .err_stray_o,
    .err_malformed_o,
    .err_timeout_o
  );

  aa_iommu #(
    .NumPorts(1),
    .Window(SafeWindow),
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
    .ActiveAccess(ActiveAccess),
    .AxiCache(AxiCache),
    .AxiProt(AxiProt)
  ) u_iommu (
    .clk_i,
    .rst_ni,
    .dev_req_valid_i(req_valid),
    .dev_req_ready_o(req_ready),
    .dev_req_hdr_i(req.hdr),
    .dev_req_data_i(req.data),
    .dev_req_strb_i(req.strb),
    .dev_req_seq_i(req.seq),
    .dev_req_sop_i(req.sop),
    .dev_req_eop_i(req.eop),
    .dev_cpl_valid_o(cpl_valid),
    .dev_cpl_ready_i(cpl_ready),
    .dev_cpl_hdr_o(cpl.hdr),
    .dev_cpl_data_o(cpl.data),
    .dev_cpl_strb_o(cpl.strb),
    .dev_cpl_seq_o(cpl.seq),
    .dev_cpl_error_o(cpl.err),
    .dev_cpl_sop_o(cpl.sop),
    .dev_cpl_eop_o(cpl.eop),
    .host_req_valid_o(out_valid),
    .host_req_ready_i(out_ready),
    .host_req_hdr_o(out.hdr),
    .host_req_data_o(out.data),
    .host_req_strb_o(out.strb),
    .host_req_seq_o(out.seq),
    .host_req_sop_o(out.sop),
    .host_req_eop_o(out.eop),
    .host_np_ready_i(1'b1),
    .host_cpl_valid_i(in_valid),
    .host_cpl_ready_o(in_ready),
    .host_cpl_hdr_i(back.hdr),
    .host_cpl_data_i(back.data),
    .host_cpl_strb_i(back.strb),
    .host_cpl_seq_i(back.seq),
    .host_cpl_error_i(back.err),
    .host_cpl_sop_i(back.sop),
    .host_cpl_eop_i(back.eop),
    .dev_reset_i(1'b0),
    .crd_ph_o(),
    .crd_pd_o(),
    .crd_nph_o(),
    .crd_npd_o(),
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
    .s_axil_awaddr,
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_bresp,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_araddr,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_rdata,
    .s_axil_rresp,
    .s_axil_rvalid,
    .s_axil_rready,
    .task_valid_o(),
    .task_ready_i(1'b1),
    .task_log_o(),
    .task_prod_o(),
    .task_cons_o(),
    .task_done_valid_i(1'b0),
    .task_done_log_i(5'd0),
    .retire_valid_o(),
    .retire_o()
  );

  ax_host #(
    .Writes(SafeWrites),
    .MaxCpl(SafeMaxCpl),
    .Words(SafeWords),
    .Chunks(SafeChunks),
    .AxiCache(AxiCache),
    .AxiProt(AxiProt)
  ) u_host (
    .clk_i,
    .rst_ni,
    .cfg_mps_i,
    .req_valid_i(out_valid),
    .req_ready_o(out_ready),
    .req_i(out),
    .cpl_valid_o(in_valid),
    .cpl_ready_i(in_ready),
    .cpl_o(back),
    .m_axi_awid(d_axi_awid),
    .m_axi_awaddr(d_axi_awaddr),
    .m_axi_awlen(d_axi_awlen),
    .m_axi_awsize(d_axi_awsize),
    .m_axi_awburst(d_axi_awburst),
    .m_axi_awcache(d_axi_awcache),
    .m_axi_awprot(d_axi_awprot),
    .m_axi_awuser(d_axi_awuser),
    .m_axi_awvalid(d_axi_awvalid),
    .m_axi_awready(d_axi_awready),
    .m_axi_wdata(d_axi_wdata),
    .m_axi_wstrb(d_axi_wstrb),
    .m_axi_wlast(d_axi_wlast),
    .m_axi_wvalid(d_axi_wvalid),
    .m_axi_wready(d_axi_wready),
    .m_axi_bid(d_axi_bid),
    .m_axi_bresp(d_axi_bresp),
    .m_axi_bvalid(d_axi_bvalid),
    .m_axi_bready(d_axi_bready),
    .m_axi_arid(d_axi_arid),
    .m_axi_araddr(d_axi_araddr),
    .m_axi_arlen(d_axi_arlen),
    .m_axi_arsize(d_axi_arsize),
    .m_axi_arburst(d_axi_arburst),
    .m_axi_arcache(d_axi_arcache),
    .m_axi_arprot(d_axi_arprot),
    .m_axi_aruser(d_axi_aruser),
    .m_axi_arvalid(d_axi_arvalid),
    .m_axi_arready(d_axi_arready),
    .m_axi_rid(d_axi_rid),
    .m_axi_rdata(d_axi_rdata),
    .m_axi_rresp(d_axi_rresp),
    .m_axi_rlast(d_axi_rlast),
    .m_axi_rvalid(d_axi_rvalid),
    .m_axi_rready(d_axi_rready),
    .err_write_o,
    .drop_o
  );

endmodule

`default_nettype wire
