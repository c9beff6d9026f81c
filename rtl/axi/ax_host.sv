// SPDX-License-Identifier: Apache-2.0
// ax_host: what leaves the IOMMU becomes an AXI4 master: writes and reads of memory, and the completions of these
// reads.
//
//   req --> kind --+--MWr--> ax_host_wr --> aw, w     b
//                  +--the rest that wants an answer--> | 4 | --> ax_host_rd --> ar     r --> cpl
//                  `--messages, completions: dropped
//
// P1  TLPs go whole to where their kind says. What is neither a memory write nor wants an answer is taken and dropped
//     (drop_o).
// P2  A read is looked at when memory has answered all writes that came before it: it does not pass them. Nor does an
//     interrupt, a write to FEEx_xxxxh (docs/formats.md 2.9): who is interrupted finds what was written before. Writes
//     do pass reads.
// P3  AxCACHE is AxiCache, of interrupts 0: they are neither merged nor answered on their way.
// The rest stands in the blocks. AtomicOps are answered UR: AXI4 has none.
`default_nettype none

module ax_host #(
  parameter int unsigned Writes = 16,
  parameter int unsigned MaxCpl = 256,
  parameter int unsigned Words = 64,
  parameter int unsigned Chunks = 8,
  parameter logic [3:0]  AxiCache = 4'b0011,
  parameter logic [2:0]  AxiProt = 3'b010,
  localparam int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [2:0]          cfg_mps_i,  // 128 << n

  // TLPs
  input  wire logic                req_valid_i,
  output logic                     req_ready_o,
  input  wire cm_pkg::tlp_t        req_i,
  output logic                     cpl_valid_o,
  input  wire logic                cpl_ready_i,
  output cm_pkg::tlp_t             cpl_o,

  // AXI4, with one id; AxUSER is the requester id
  output logic      [7:0]          m_axi_awid,
  output logic      [63:0]         m_axi_awaddr,
  output logic      [7:0]          m_axi_awlen,
  output logic      [2:0]          m_axi_awsize,
  output logic      [1:0]          m_axi_awburst,
  output logic      [3:0]          m_axi_awcache,
  output logic      [2:0]          m_axi_awprot,
  output logic      [15:0]         m_axi_awuser,
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
  output logic      [15:0]         m_axi_aruser,
  output logic                     m_axi_arvalid,
  input  wire logic                m_axi_arready,
  input  wire logic [7:0]          m_axi_rid,
  input  wire logic [DataW-1:0]    m_axi_rdata,
  input  wire logic [1:0]          m_axi_rresp,
  input  wire logic                m_axi_rlast,
  input  wire logic                m_axi_rvalid,
  output logic                     m_axi_rready,

  // Pulses: memory refused a write; a TLP was dropped
  output logic                     err_write_o,
  output logic                     drop_o
);

  typedef enum logic [1:0] {
    KindWrite = 2'd0,
    KindAsk = 2'd1,
    KindDrop = 2'd2
  } kind_e;

  cm_pkg::tlp_req_t hdr;
  logic         mid_q, write, msg, cpl, intr, idle, wr_go, wr_ready, ask_ready, np_valid, np_ready;
  kind_e        kind_q, kind;
  logic [127:0] np_hdr;
  logic [63:0]  addr;
  logic [2:0]   unused_level;
  logic         unused;
  assign unused = &{1'b0, m_axi_bid, m_axi_rid, addr};
  assign hdr   = req_i.hdr;
  assign write = (hdr.op & cm_pkg::AnyFour) == cm_pkg::OpWrite;
  assign msg   = (hdr.op & cm_pkg::AnyPrefix & cm_pkg::AnyData & cm_pkg::AnyRoute) == cm_pkg::OpMsg;
  assign cpl   = (hdr.op & cm_pkg::AnyPrefix & cm_pkg::AnyData & cm_pkg::AnyKind) == cm_pkg::OpCpl;
  always_comb begin
    kind = kind_q;
    if (!mid_q) begin
      kind = KindAsk;
      if (write) kind = KindWrite;
      if (msg || cpl) kind = KindDrop;
    end
  end

  assign addr  = cm_pkg::tlp_addr(req_i.hdr);
  assign intr  = !mid_q && addr[63:20] == aa_pkg::MsiRange;
  assign wr_go = kind == KindWrite && (!intr || idle);

  // Of what wants an answer the header is enough; the operands of an AtomicOp are taken with it.
  assign req_ready_o = kind == KindWrite ? wr_ready && wr_go : kind == KindAsk ? mid_q || (idle && ask_ready) : 1'b1;
  assign drop_o      = req_valid_i && !mid_q && kind == KindDrop;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) mid_q <= 1'b0;
    else if (req_valid_i && req_ready_o) mid_q <= !req_i.eop;
  end
  always_ff @(posedge clk_i) if (req_valid_i && req_ready_o) kind_q <= kind;

  cm_fifo #(
    .Width(128),
    .Depth(4)
  ) u_asked (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(req_valid_i && kind == KindAsk && !mid_q && idle),
    .in_ready_o(ask_ready),
    .in_data_i(req_i.hdr),
    .out_valid_o(np_valid),
    .out_ready_i(np_ready),
    .out_data_o(np_hdr),
    .level_o(unused_level)
  );

  ax_host_wr #(
    .Writes(Writes)
  ) u_wr (
    .clk_i,
    .rst_ni,
    .in_valid_i(req_valid_i && wr_go),
    .in_ready_o(wr_ready),
    .in_i(req_i),
    .awaddr_o(m_axi_awaddr),
    .awlen_o(m_axi_awlen),
    .awuser_o(m_axi_awuser),
    .awvalid_o(m_axi_awvalid),
    .awready_i(m_axi_awready),
    .wdata_o(m_axi_wdata),
    .wstrb_o(m_axi_wstrb),
    .wlast_o(m_axi_wlast),
    .wvalid_o(m_axi_wvalid),
    .wready_i(m_axi_wready),
    .bresp_i(m_axi_bresp),
    .bvalid_i(m_axi_bvalid),
    .idle_o(idle),
    .err_o(err_write_o)
  );
  assign m_axi_awid    = '0;
  assign m_axi_awsize  = 3'($clog2(DataW / 8));
  assign m_axi_awburst = 2'd1;
  assign m_axi_awcache = m_axi_awaddr[63:20] == aa_pkg::MsiRange ? 4'b0000 : AxiCache;
  assign m_axi_awprot  = AxiProt;
  assign m_axi_bready  = 1'b1;

  ax_host_rd #(
    .MaxCpl(MaxCpl),
    .Words(Words),
    .Chunks(Chunks)
  ) u_rd (
    .clk_i,
    .rst_ni,
    .cfg_mps_i,
    .req_valid_i(np_valid),
    .req_ready_o(np_ready),
    .req_hdr_i(np_hdr),
    .araddr_o(m_axi_araddr),
    .arlen_o(m_axi_arlen),
    .aruser_o(m_axi_aruser),
    .arvalid_o(m_axi_arvalid),
    .arready_i(m_axi_arready),
    .rdata_i(m_axi_rdata),
    .rresp_i(m_axi_rresp),
    .rlast_i(m_axi_rlast),
    .rvalid_i(m_axi_rvalid),
    .rready_o(m_axi_rready),
    .cpl_valid_o,
    .cpl_ready_i,
    .cpl_o
  );
  assign m_axi_arid    = '0;
  assign m_axi_arsize  = 3'($clog2(DataW / 8));
  assign m_axi_arburst = 2'd1;
  assign m_axi_arcache = AxiCache;
  assign m_axi_arprot  = AxiProt;

endmodule

`default_nettype wire
