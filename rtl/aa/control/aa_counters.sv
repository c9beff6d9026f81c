// SPDX-License-Identifier: Apache-2.0
// aa_counters: which events the counters CNT[0] to CNT[40] count (README.md lists them). Wiring only, and what delays.
//
// What a decision or a look-up leaves for software to read comes a cycle later, so that nothing waits for all that
// decides it; a fault is counted another cycle later. Software reads it under hold (aa_reg_hold), when none is on its
// way.
// Rules of README.md: CNT-1.
`default_nettype none

module aa_counters (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t       rb_i,
  output logic [63:0]                 rb_rdata_o,

  // Events, one cycle each
  input  wire aa_pkg::decide_event_t  decide_i,
  input  wire logic [8:0]             units_i,        // of the record, with decide_i.reserved: aa_pkg::rsv_ask_t
  input  wire aa_pkg::xlt_event_t     xlt_i,
  input  wire logic                   fault_stored_i,
  input  wire logic                   fault_lost_i,
  input  wire logic                   pub_valid_i,
  input  wire logic [13:0]            pub_bytes_i,
  input  wire logic                   abort_i,
  input  wire aa_pkg::return_event_t  return_i,
  input  wire logic                   inv_done_i,
  input  wire logic                   msi_i,

  // Levels: a request waits for log space, tag, flush, host, translation
  input  wire logic [4:0]             wait_i
);

  aa_pkg::decide_event_t decide_q;
  aa_pkg::xlt_event_t    xlt_q;
  logic                  fault_stored_q, fault_lost_q;
  logic [12:0]           rsv_bytes_q;
  localparam int unsigned NumCnt = aa_reg_pkg::CntCut + 1;  // it is the last
  localparam int unsigned BytesW = 14;  // of a record, or of what is published, in one cycle
  logic [NumCnt-1:0]     events;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_stored_q <= 1'b0;
      fault_lost_q   <= 1'b0;
      decide_q       <= '0;
      xlt_q          <= '0;
    end else begin
      fault_stored_q <= fault_stored_i;
      fault_lost_q   <= fault_lost_i;
      decide_q       <= decide_i;
      xlt_q          <= xlt_i;
    end
  end
  always_ff @(posedge clk_i) rsv_bytes_q <= {units_i + 9'd1, 4'd0};

  always_comb begin
    events = '0;
    events[aa_reg_pkg::CntRequests]      = decide_q.request;
    events[aa_reg_pkg::CntWrites]        = decide_q.write;
    events[aa_reg_pkg::CntReads]         = decide_q.read;
    events[aa_reg_pkg::CntAtomics]       = decide_q.atomic;
    events[aa_reg_pkg::CntPassed]        = decide_q.passed;
    events[aa_reg_pkg::CntHits]          = xlt_q.hit;
    events[aa_reg_pkg::CntWalksEnded]    = xlt_q.walk_ended;
    events[aa_reg_pkg::CntWalkFaults]    = xlt_q.walk_fault;
    events[aa_reg_pkg::CntTlbFills]      = xlt_q.tlb_fill;
    events[aa_reg_pkg::CntCtxFills]      = xlt_q.ctx_fill;
    events[aa_reg_pkg::CntWalksBegun]    = xlt_q.walk_begun;
    events[aa_reg_pkg::CntDenied]        = decide_q.denied;
    events[aa_reg_pkg::CntReserved]      = decide_q.reserved;
    events[aa_reg_pkg::CntReservedBytes] = decide_q.reserved;
    events[aa_reg_pkg::CntPublished]     = pub_valid_i;
    events[aa_reg_pkg::CntPublishedBytes] = pub_valid_i;
    events[aa_reg_pkg::CntDropped]       = decide_q.dropped;
    events[aa_reg_pkg::CntAborted]       = abort_i;
    events[aa_reg_pkg::CntBadCpl]        = return_i.bad_cpl;
    events[aa_reg_pkg::CntFlushes]       = decide_q.flush;
    events[aa_reg_pkg::CntFlushesUndone] = return_i.flush_late;
    events[aa_reg_pkg::CntMalformed]     = decide_q.malformed;
    events[aa_reg_pkg::CntTagLive]       = decide_q.tag_live;
    events[aa_reg_pkg::CntNoLog]         = decide_q.no_log;
    events[aa_reg_pkg::CntStock]         = fault_stored_q;
    events[aa_reg_pkg::CntStockLost]     = fault_lost_q;
    events[aa_reg_pkg::CntInvalidations] = inv_done_i;
    events[aa_reg_pkg::CntMsis]          = msi_i;
    events[aa_reg_pkg::CntPads]          = decide_q.pad;
    events[aa_reg_pkg::CntPoisoned]      = decide_q.poisoned;
    events[aa_reg_pkg::CntPortFilter]    = decide_q.filter;
    events[aa_reg_pkg::CntCplTimeouts]   = return_i.timeout;
    events[aa_reg_pkg::CntWaitLog]       = wait_i[0];
    events[aa_reg_pkg::CntWaitTag]       = wait_i[1];
    events[aa_reg_pkg::CntWaitFlush]     = wait_i[2];
    events[aa_reg_pkg::CntWaitHost]      = wait_i[3];
    events[aa_reg_pkg::CntWaitXlate]     = wait_i[4];
    events[aa_reg_pkg::CntLate]          = return_i.late;
    events[aa_reg_pkg::CntOver]          = return_i.over;
    events[aa_reg_pkg::CntCut]           = decide_q.old;
  end

  cm_count #(
    .NumCnt(NumCnt),
    .CycleCnt(aa_reg_pkg::CntCycles),
    .BytesACnt(aa_reg_pkg::CntReservedBytes),
    .BytesBCnt(aa_reg_pkg::CntPublishedBytes),
    .BytesW(BytesW)
  ) u_count (
    .clk_i,
    .rst_ni,
    .rb_sel_i(aa_reg_pkg::at_CNT(rb_i.addr)),
    .rb_idx_i(aa_reg_pkg::idx_CNT(rb_i.addr)),
    .rb_we_i(rb_i.we),
    .rb_rdata_o,
    .inc_i(events),
    .more_i('0),
    .bytes_a_i(BytesW'(rsv_bytes_q)),
    .bytes_b_i(pub_bytes_i)
  );

  logic unused_bits;
  assign unused_bits = &{1'b0, decide_q.ur, rb_i.wdata, rb_i.wstrb};

endmodule

`default_nettype wire
