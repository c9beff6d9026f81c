// SPDX-License-Identifier: Apache-2.0
// xtq_queue: gives a message its index in a queue, or says that there is none to be had.
//
//   place --> [ known | write index | read index ] --> space? --yes--> index, write index + 1         NIC-owned queue
//                       ^                                |no, or not known
//                       +-- read index, write index <----+  memory (SrcQueue)
//   MULTI: read index, write index from memory --> space? --> CAS(write_index, w, w + 1)
//                                                     ^--- lost: w is what came back ---'
//
// P1  An index is given (WhyNone) only if index - read_index < 2^size, with a read_index that memory has had: slots
//     that the agent has not yet consumed are never given again.
// P2  NIC-owned: what is given is the write index, which then is one more. Refused: it stays. MULTI: what is given is
//     the value that a CAS found and replaced; a refused one has replaced nothing.
// P3  forget: the place's indices are read from memory before they are used again, write index only when all is quiet.
// P4  Every request is answered once; reads come one at a time. A read that fails: WhyTable.
// P5  Answer 2 cycles after the request, when the indices are known and there is space; 2 cycles after what memory says
//     last, since it comes late in its cycle and is compared from registers.
//
// A request may follow in the cycle after the answer, whose own is that of the write: that an index is given is known
// late, and is the business of no bit of the RAM. Cost: Places x 129 bits of block RAM, 3 x 64 + 100 flip-flops.
// Rules of README.md: ENQ-2, ENQ-3, ENQ-4.
`default_nettype none

module xtq_queue #(
  parameter int unsigned Places = 64,
  localparam int unsigned PlaceW = Places > 1 ? $clog2(Places) : 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // The table has put something else there
  input  wire logic              forget_i,
  input  wire logic [PlaceW-1:0] forget_place_i,

  // Request
  input  wire logic              req_valid_i,
  output logic                   req_ready_o,
  input  wire logic [PlaceW-1:0] req_place_i,
  input  wire logic [15:0]       req_rid_i,
  input  wire logic [63:0]       req_block_i,
  input  wire logic [4:0]        req_size_i,
  input  wire logic              req_multi_i,

  // Answer, for one cycle
  output logic                   rsp_valid_o,
  output logic      [3:0]        rsp_why_o,   // WhyNone, WhyQueueFull, WhyTable
  output logic      [63:0]       rsp_index_o,

  // Memory
  input  wire logic              quiet_i,     // all that was written for earlier tasks has left
  output logic                   rd_valid_o,
  input  wire logic              rd_ready_i,
  output nic_pkg::dma_t          rd_o,
  input  wire logic              rdata_valid_i,
  output logic                   rdata_ready_o,
  input  wire nic_pkg::bytes_t   rdata_i
);

  if (Places < 1) begin : gen_bad_places $error("xtq_queue: Places must be at least 1"); end

  localparam logic [4:0] Tries = 5'd16;

  typedef enum logic [2:0] {
    StIdle  = 3'd0,
    StKnown = 3'd1,  // the RAM's word is there
    StAsk   = 3'd2,  // a read or CAS is offered
    StWait  = 3'd3,  // its answer is awaited
    StCheck = 3'd4   // what was asked for last is there
  } state_e;
  typedef enum logic [1:0] {
    AskRead  = 2'd0,
    AskWrite = 2'd1,
    AskCas   = 2'd2
  } ask_e;

  state_e            state_q;
  ask_e              ask_q;
  logic [PlaceW-1:0] place_q;
  logic [15:0]       rid_q;
  logic [63:0]       block_q, write_q, read_q, beyond_q, used, found;  // beyond: bits of 2^size and more
  logic [4:0]        tries_q;
  logic              multi_q, both_q, rsp_q, take, got, space, give, full, done, unused;
  logic [3:0]        why_q;

  assign req_ready_o = state_q == StIdle && !rsp_q;
  assign take        = req_valid_i && req_ready_o;

  // ---- indices as last seen ----
  logic        ram_known, ram_we_q, give_q;
  logic [63:0] ram_write, ram_read, now_write, now_read;

  logic [128:0] mem_q [Places];
  logic [128:0] word_q;

  // Never the word that is read in the same cycle (env_forget).
  always_ff @(posedge clk_i) begin
    if (forget_i) mem_q[forget_place_i] <= '0;
    else if (ram_we_q) mem_q[place_q] <= {1'b1, write_q + 64'(give_q), read_q};
  end
  always_ff @(posedge clk_i) if (take) word_q <= mem_q[req_place_i];
  assign {ram_known, ram_write, ram_read} = word_q;

  // ---- is there space? In StKnown by the RAM's indices, later by those at hand ----
  assign now_write = state_q == StKnown ? ram_write : write_q;
  assign now_read  = state_q == StKnown ? ram_read : read_q;
  assign used      = now_write - now_read;
  assign space     = (used & beyond_q) == 64'd0;

  // ---- memory ----
  assign got           = rdata_valid_i && rdata_ready_o;
  assign found         = rdata_i.data[63:0];
  assign unused        = &{1'b0, rdata_i};
  assign rdata_ready_o = state_q == StWait;
  assign rd_valid_o    = state_q == StAsk && (ask_q != AskWrite || quiet_i);
  always_comb begin
    rd_o     = '0;
    rd_o.rid = rid_q;
    rd_o.src = nic_pkg::SrcQueue;
    rd_o.va  = block_q + (ask_q == AskRead ? xtq_pkg::ReadIndexAt : xtq_pkg::WriteIndexAt);
    rd_o.len = 13'd8;
    rd_o.op  = ask_q == AskCas ? nic_pkg::DmaCas : nic_pkg::DmaRead;
    if (ask_q == AskCas) begin
      rd_o.compare = write_q;
      rd_o.swap    = write_q + 64'd1;
    end
  end

  // ---- outcome: a CAS decides itself ----
  logic won, failed, own, won_q, fail_q;
  assign failed = state_q == StCheck && fail_q;
  assign won    = state_q == StCheck && won_q;
  assign own    = !multi_q && ((state_q == StKnown && ram_known) || (state_q == StCheck && !fail_q));
  assign give   = (own && space) || won;
  assign full   = state_q == StCheck && !fail_q && !won_q && (!space || (multi_q && tries_q == Tries));
  assign done   = give || full || failed;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle: if (take) state_q <= StKnown;
        StKnown: state_q <= done ? StIdle : StAsk;
        StAsk: if (rd_valid_o && rd_ready_i) state_q <= StWait;
        StWait: if (got) state_q <= ask_q == AskRead && !both_q && !rdata_i.err ? StAsk : StCheck;
        default: state_q <= done ? StIdle : StAsk;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      place_q  <= req_place_i;
      rid_q    <= req_rid_i;
      block_q  <= req_block_i;
      beyond_q <= ~64'd0 << req_size_i;
      multi_q  <= req_multi_i;
      tries_q  <= '0;
    end
    if (state_q == StKnown) begin
      write_q <= ram_write;
      read_q  <= ram_read;
      both_q  <= ram_known && !multi_q;
      ask_q   <= AskRead;
    end
    if (got) begin
      fail_q <= rdata_i.err;
      won_q  <= !rdata_i.err && ask_q == AskCas && found == write_q;
    end
    if (got && !rdata_i.err) begin
      if (ask_q == AskRead) read_q <= found;
      else write_q <= found;
      if (ask_q == AskRead) ask_q <= AskWrite;
      if (ask_q == AskCas) tries_q <= tries_q + 5'd1;
    end
    if (state_q == StCheck) ask_q <= AskCas;
    give_q  <= give;
    why_q   <= failed ? nic_pkg::WhyTable : full ? nic_pkg::WhyQueueFull : nic_pkg::WhyNone;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {rsp_q, ram_we_q} <= '0;
    else {rsp_q, ram_we_q} <= {done, own && done};
  end
  assign rsp_valid_o = rsp_q;
  assign rsp_why_o   = why_q;
  assign rsp_index_o = write_q;

`ifdef FORMAL
`include "xtq_queue_props.svh"
`endif

endmodule

`default_nettype wire
