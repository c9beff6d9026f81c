// SPDX-License-Identifier: Apache-2.0
// px_host: what leaves the IOMMU goes to a PCIe core, through the TLP interface of verilog-pcie's shims, and its
// completions come back.
//
//   req --> kind --+--writes, messages-----------------------+--> tx_wr
//                  +--the rest that wants an answer--> asks --+--> AtomicOps
//                  |                                   `--------> tx_rd
//                  +--completions of devices----------------> tx_cpl
//                  `--messages, where the core has none: dropped
//   cpl <-- px_cpl <----------- px_tags <----------------------- rx_cpl
//
// P1  Writes leave in order and unchanged but for what P3 says. What is dropped is told (drop_o).
// P2  A request that wants an answer, and a completion of a device, leave when the core has said (tx_*_seq) that all
//     writes that came before them are on the link: they do not pass them. Writes do pass requests that wait.
// P3  On the link all requests have the requester id cfg_rid_i, completions this completer id; those that want an
//     answer have a tag of px_tags. With Force64 every address has 64 bits: of shims that know no other form
//     (pcie_us_if).
// P4  An AtomicOp goes the way of writes, one at a time, when no other request waits in the core and the host has room
//     for it (fc_nph_i, fc_npd_i): it never stands in the way of the writes behind it. Number 0 is a write's, 1 an
//     AtomicOp's, 0 a read's.
// P5  host_np_ready_o is low in time: four requests that want an answer and are already decided have room.
// P6  A waiting beat never changes. Writes leave a beat a cycle, a cycle after they came.
//
// Cost: Asks x 384 and Tags x 33 bits of LUT RAM, three two-entry slices, DataW flip-flops.
// One file: P2 lets a request leave by the count of writes before it, which the same states move.
`default_nettype none

module px_host #(
  parameter int unsigned Tags = 32,      // requests on the link; at least aa_iommu's TagEntries for full rate
  parameter int unsigned Asks = 8,       // requests that wait here
  parameter int unsigned SeqW = 5,       // TX_SEQ_NUM_WIDTH of the shim
  parameter int unsigned SeqCount = 1,   // its TX_SEQ_NUM_COUNT
  parameter bit          Force64 = 1'b1,
  parameter bit          Messages = 1'b0,  // the core sends messages that come as TLPs
  parameter int unsigned Hold = 20,        // log2 of the cycles for which the tag of a read that the core ended is kept
  localparam int unsigned DataW = cm_pkg::DataW,
  localparam int unsigned StrbW = cm_pkg::StrbW
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,
  input  wire logic [15:0]              cfg_rid_i,
  input  wire logic [7:0]               fc_nph_i,   // tx_fc_nph_av
  input  wire logic [11:0]              fc_npd_i,   // tx_fc_npd_av

  // IOMMU
  input  wire logic                     req_valid_i,
  output logic                          req_ready_o,
  input  wire cm_pkg::tlp_t             req_i,
  output logic                          host_np_ready_o,
  output logic                          cpl_valid_o,
  input  wire logic                     cpl_ready_i,
  output cm_pkg::tlp_t                  cpl_o,

  // Shim
  output logic      [127:0]             tx_rd_req_tlp_hdr,
  output logic      [SeqW-1:0]          tx_rd_req_tlp_seq,
  output logic                          tx_rd_req_tlp_valid,
  output logic                          tx_rd_req_tlp_sop,
  output logic                          tx_rd_req_tlp_eop,
  input  wire logic                     tx_rd_req_tlp_ready,
  input  wire logic [SeqCount-1:0]      rd_req_tx_seq_num_valid,
  output logic      [DataW-1:0]         tx_wr_req_tlp_data,
  output logic      [StrbW-1:0]         tx_wr_req_tlp_strb,
  output logic      [127:0]             tx_wr_req_tlp_hdr,
  output logic      [SeqW-1:0]          tx_wr_req_tlp_seq,
  output logic                          tx_wr_req_tlp_valid,
  output logic                          tx_wr_req_tlp_sop,
  output logic                          tx_wr_req_tlp_eop,
  input  wire logic                     tx_wr_req_tlp_ready,
  input  wire logic [SeqCount*SeqW-1:0] wr_req_tx_seq_num,
  input  wire logic [SeqCount-1:0]      wr_req_tx_seq_num_valid,
  output logic      [DataW-1:0]         tx_cpl_tlp_data,
  output logic      [StrbW-1:0]         tx_cpl_tlp_strb,
  output logic      [127:0]             tx_cpl_tlp_hdr,
  output logic                          tx_cpl_tlp_valid,
  output logic                          tx_cpl_tlp_sop,
  output logic                          tx_cpl_tlp_eop,
  input  wire logic                     tx_cpl_tlp_ready,
  input  wire logic [DataW-1:0]         rx_cpl_tlp_data,
  input  wire logic [StrbW-1:0]         rx_cpl_tlp_strb,
  input  wire logic [127:0]             rx_cpl_tlp_hdr,
  input  wire logic [3:0]               rx_cpl_tlp_error,
  input  wire logic                     rx_cpl_tlp_valid,
  input  wire logic                     rx_cpl_tlp_sop,
  input  wire logic                     rx_cpl_tlp_eop,
  output logic                          rx_cpl_tlp_ready,

  // Pulses: a TLP was dropped; a completion that nobody waits for was
  output logic                          drop_o,
  output logic                          stray_o
);

  // ranges of parameters, by scripts/params.py: begin
  localparam bit BadTags = Tags < 2 || Tags > 256 || (Tags & (Tags - 1)) != 0;
  if (BadTags) begin : gen_bad_tags
    $error("px_host: Tags must be a power of two, 2 to 256");
  end
  localparam bit BadAsks = Asks < 8 || Asks > 64 || (Asks & (Asks - 1)) != 0;
  if (BadAsks) begin : gen_bad_asks
    $error("px_host: Asks must be a power of two, 8 to 64");
  end
  localparam bit BadSeqW = SeqW < 1 || SeqW > 8;
  if (BadSeqW) begin : gen_bad_seq_w
    $error("px_host: SeqW must be 1 to 8");
  end
  localparam bit BadSeqCount = SeqCount < 1 || SeqCount > 2;
  if (BadSeqCount) begin : gen_bad_seq_count
    $error("px_host: SeqCount must be 1 to 2");
  end
  localparam bit BadHold = Hold < 1 || Hold > 31;
  if (BadHold) begin : gen_bad_hold
    $error("px_host: Hold must be 1 to 31");
  end
  localparam bit Bad = BadTags || BadAsks || BadSeqW || BadSeqCount || BadHold;
  // What the blocks are given: defaults if anything is wrong.
  localparam int unsigned SafeTags = Bad ? 32 : Tags;
  localparam int unsigned SafeAsks = Bad ? 8 : Asks;
  localparam int unsigned SafeSeqW = Bad ? 5 : SeqW;
  localparam int unsigned SafeSeqCount = Bad ? 1 : SeqCount;
  localparam int unsigned SafeHold = Bad ? 20 : Hold;
  // ranges of parameters, by scripts/params.py: end

  localparam int unsigned CountW = 8;      // writes that have not left yet
  localparam int unsigned SliceW = 2 + StrbW + 128 + DataW;
  localparam logic [7:0]  NphMore = 8'd8;  // of headers the shims keep as many back

  typedef enum logic [1:0] {
    KindWrite = 2'd0,
    KindAsk = 2'd1,
    KindCpl = 2'd2,
    KindDrop = 2'd3
  } kind_e;

  // ---- what it is ----
  logic             mid_q, message;
  kind_e            kind_q, kind;
  cm_pkg::tlp_req_t come, first_q, first, wide, sent;  // of a completion rid is the completer's id
  assign come    = req_i.hdr;
  assign message = (come.op & cm_pkg::AnyPrefix & cm_pkg::AnyData & cm_pkg::AnyRoute) == cm_pkg::OpMsg;
  assign first   = mid_q ? first_q : come;
  always_comb begin
    kind = kind_q;
    if (!mid_q) begin
      kind = KindAsk;
      if ((come.op & cm_pkg::AnyFour) == cm_pkg::OpWrite) kind = KindWrite;
      if (message) kind = Messages ? KindWrite : KindDrop;
      if ((come.op & cm_pkg::AnyData & cm_pkg::AnyKind) == cm_pkg::OpCpl) kind = KindCpl;  // locked or not
    end
  end
  always_comb begin
    wide = first;
    if (Force64 && kind != KindCpl) begin
      wide.op[cm_pkg::OpFour] = 1'b1;
      wide.addr               = cm_pkg::tlp_addr(first);
    end
    sent     = wide;
    sent.rid = cfg_rid_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) mid_q <= 1'b0;
    else if (req_valid_i && req_ready_o) mid_q <= !req_i.eop;
  end
  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) {kind_q, first_q} <= {kind, first};
  end
  assign drop_o = req_valid_i && !mid_q && kind == KindDrop;

  // ---- what has left ----
  logic [CountW-1:0] writes_q, ahead;
  logic [8:0]        reads_q;
  logic [1:0]        wr_left, rd_left;
  logic              at_left, at_out_q, wr_begin, rd_begin, at_begin;
  always_comb begin
    wr_left = '0;
    rd_left = '0;
    at_left = 1'b0;
    for (int unsigned i = 0; i < SafeSeqCount; i++) begin
      wr_left = wr_left + 2'(wr_req_tx_seq_num_valid[i] && !wr_req_tx_seq_num[SafeSeqW*i]);
      rd_left = rd_left + 2'(rd_req_tx_seq_num_valid[i]);
      at_left = at_left || (wr_req_tx_seq_num_valid[i] && wr_req_tx_seq_num[SafeSeqW*i]);
    end
  end
  assign ahead = writes_q - CountW'(wr_left);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      writes_q <= '0;
      reads_q  <= '0;
      at_out_q <= 1'b0;
    end else begin
      writes_q <= ahead + CountW'(wr_begin);
      reads_q  <= reads_q + 9'(rd_begin) - 9'(rd_left);
      at_out_q <= at_begin || (at_out_q && !at_left);
    end
  end

  // ---- requests that want an answer, whole ----
  logic         ask_in, ask_ready, ask_valid, ask_pop, ask_data, free, rd_ready, rd_in;
  cm_pkg::tlp_req_t ask_hdr, ask_sent;
  logic [255:0] ops, ask_ops;
  logic [7:0]   tag;
  if (DataW == 128) begin : gen_narrow
    logic [127:0] low_q;
    always_ff @(posedge clk_i) if (req_valid_i && !mid_q) low_q <= req_i.data;
    assign ops = mid_q ? {req_i.data, low_q} : {req_i.data, req_i.data};
  end else begin : gen_wide
    assign ops = req_i.data[255:0];
  end
  assign ask_in = req_valid_i && kind == KindAsk && req_i.eop;
  px_asks #(
    .Depth(SafeAsks),
    .ItemW(128 + 256),
    .CountW(CountW)
  ) u_asks (
    .clk_i,
    .rst_ni,
    .in_valid_i(ask_in),
    .in_ready_o(ask_ready),
    .in_item_i({ops, wide}),
    .in_ahead_i(ahead),
    .left_i(wr_left),
    .out_valid_o(ask_valid),
    .out_ready_i(ask_pop),
    .out_item_o({ask_ops, ask_hdr}),
    .room_o(host_np_ready_o)
  );
  assign ask_data = ask_hdr.op[cm_pkg::OpData];
  assign ask_pop  = rd_begin || at_begin;
  always_comb begin
    ask_sent = ask_hdr;
    {ask_sent.t9, ask_sent.t8, ask_sent.rid, ask_sent.tag} = {2'b00, cfg_rid_i, tag};
  end

  assign rd_in    = ask_valid && !ask_data && free && !at_out_q;
  assign rd_begin = rd_in && rd_ready;
  cm_skid #(
    .Width(128)
  ) u_rd (
    .clk_i,
    .rst_ni,
    .in_valid_i(rd_in),
    .in_ready_o(rd_ready),
    .in_data_i(ask_sent),
    .out_valid_o(tx_rd_req_tlp_valid),
    .out_ready_i(tx_rd_req_tlp_ready),
    .out_data_o(tx_rd_req_tlp_hdr),
    .level_o()
  );
  assign {tx_rd_req_tlp_sop, tx_rd_req_tlp_eop, tx_rd_req_tlp_seq} = {2'b11, SeqW'(0)};

  // ---- writes, and AtomicOps between them ----
  logic              at_go, at_pick, at_two, wr_mid_q, wr_ready, wr_in, wr_full, at_second;
  logic [StrbW-1:0]  at_strb;
  logic [SliceW:0]   wr_slice, at_slice;
  logic [DataW-1:0]  at_words;
  assign at_go   = ask_valid && ask_data && free && !at_out_q && reads_q == '0 && fc_nph_i > NphMore &&
                   fc_npd_i >= 12'd2;
  assign at_pick = at_second || (at_go && !wr_mid_q);
  assign wr_full = writes_q == '1;
  assign wr_in   = req_valid_i && kind == KindWrite && (wr_mid_q || !wr_full);
  if (DataW == 128) begin : gen_at_narrow
    logic second_q;
    assign at_two    = ask_hdr.len[3:0] > 4'd4;
    assign at_second = second_q;
    assign at_words  = second_q ? ask_ops[255:128] : ask_ops[127:0];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) second_q <= 1'b0;
      else if (at_pick && wr_ready) second_q <= !second_q && at_two;
    end
  end else begin : gen_at_wide
    assign at_two    = 1'b0;
    assign at_second = 1'b0;
    assign at_words  = DataW'(ask_ops);
  end
  assign at_strb  = at_two && !at_second ? '1 :
                    StrbW'((32'd1 << (at_two ? ask_hdr.len[3:0] - 4'd4 : ask_hdr.len[3:0])) - 32'd1);
  assign at_slice = {1'b1, !at_second, !at_two || at_second, at_strb, ask_sent, at_words};
  assign wr_slice = {1'b0, req_i.sop, req_i.eop, req_i.strb, sent, req_i.data};
  assign at_begin = at_pick && wr_ready && (!at_two || at_second);  // its last beat: then it may leave px_asks
  assign wr_begin = wr_in && wr_ready && !at_pick && !wr_mid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_mid_q <= 1'b0;
    else if (wr_in && wr_ready && !at_pick) wr_mid_q <= !req_i.eop;
  end

  logic at_number;
  cm_skid #(
    .Width(1 + SliceW)
  ) u_wr (
    .clk_i,
    .rst_ni,
    .in_valid_i(at_pick || wr_in),
    .in_ready_o(wr_ready),
    .in_data_i(at_pick ? at_slice : wr_slice),
    .out_valid_o(tx_wr_req_tlp_valid),
    .out_ready_i(tx_wr_req_tlp_ready),
    .out_data_o({at_number, tx_wr_req_tlp_sop, tx_wr_req_tlp_eop, tx_wr_req_tlp_strb, tx_wr_req_tlp_hdr,
      tx_wr_req_tlp_data}),
    .level_o()
  );
  assign tx_wr_req_tlp_seq = SeqW'(at_number);

  // ---- completions of devices ----
  logic cpl_in, tx_cpl_ready;
  assign cpl_in = req_valid_i && kind == KindCpl && (mid_q || writes_q == '0);
  cm_skid #(
    .Width(SliceW)
  ) u_cpl (
    .clk_i,
    .rst_ni,
    .in_valid_i(cpl_in),
    .in_ready_o(tx_cpl_ready),
    .in_data_i({req_i.sop, req_i.eop, req_i.strb, sent, req_i.data}),
    .out_valid_o(tx_cpl_tlp_valid),
    .out_ready_i(tx_cpl_tlp_ready),
    .out_data_o({tx_cpl_tlp_sop, tx_cpl_tlp_eop, tx_cpl_tlp_strb, tx_cpl_tlp_hdr, tx_cpl_tlp_data}),
    .level_o()
  );

  always_comb begin
    unique case (kind)
      KindWrite: req_ready_o = wr_ready && !at_pick && (wr_mid_q || !wr_full);
      KindAsk: req_ready_o = ask_ready;
      KindCpl: req_ready_o = tx_cpl_ready && (mid_q || writes_q == '0);
      default: req_ready_o = 1'b1;
    endcase
  end

  // ---- completions of the host ----
  logic        hit, ended, hold;
  logic [7:0]  look_tag;
  px_pkg::asked_t item, ask_item;
  always_comb begin
    ask_item.atomic = ask_data;
    ask_item.tc     = ask_hdr.tc;
    ask_item.attr   = {ask_hdr.ido, ask_hdr.ro, ask_hdr.ns};
    {ask_item.rid, ask_item.t9, ask_item.t8, ask_item.tag} = {ask_hdr.rid, ask_hdr.t9, ask_hdr.t8, ask_hdr.tag};
  end
  px_tags #(
    .Tags(SafeTags),
    .ItemW(px_pkg::AskedW),
    .Hold(SafeHold)
  ) u_tags (
    .clk_i,
    .rst_ni,
    .free_o(free),
    .tag_o(tag),
    .take_i(ask_pop),
    .item_i(ask_item),
    .look_tag_i(look_tag),
    .hit_o(hit),
    .item_o(item),
    .end_i(ended),
    .hold_i(hold)
  );
  px_cpl u_cpl_in (
    .clk_i,
    .rst_ni,
    .rx_valid_i(rx_cpl_tlp_valid),
    .rx_ready_o(rx_cpl_tlp_ready),
    .rx_hdr_i(rx_cpl_tlp_hdr),
    .rx_data_i(rx_cpl_tlp_data),
    .rx_strb_i(rx_cpl_tlp_strb),
    .rx_sop_i(rx_cpl_tlp_sop),
    .rx_eop_i(rx_cpl_tlp_eop),
    .rx_error_i(rx_cpl_tlp_error),
    .look_tag_o(look_tag),
    .hit_i(hit),
    .item_i(item),
    .end_o(ended),
    .hold_o(hold),
    .cpl_valid_o,
    .cpl_ready_i,
    .cpl_o,
    .stray_o
  );

`ifdef FORMAL
`include "px_host_props.svh"
`endif

endmodule

`default_nettype wire
