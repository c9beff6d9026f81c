// SPDX-License-Identifier: Apache-2.0
// nic_ctx_save: writes a context into memory: words become beats, a job each.
//
//   begin {address}     word, last --> | beat | --> job, bytes (nic_wr)      done --> drained
//
// P1  The words that come after begin_i are written, one behind the other, from its address on; last_i ends a beat.
// P2  idle_o: all of them have been handed to nic_wr. drained_o: all have left, too.
//
// A job is one beat: nic_wr waits for nobody who is slow. Cost: a beat, an address, a counter.
// Rules of README.md: CTX-7, CTX-13, MEM-6.
`default_nettype none

module nic_ctx_save (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             begin_i,   // with idle_o
  input  wire logic [63:0]      va_i,
  input  wire logic [15:0]      rid_i,
  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire logic [63:0]      word_i,
  input  wire logic             last_i,
  output logic                  idle_o,
  output logic                  drained_o,

  // Memory (nic_wr)
  output logic                  job_valid_o,
  input  wire logic             job_ready_i,
  output nic_pkg::dma_t         job_o,
  output logic                  pay_valid_o,
  input  wire logic             pay_ready_i,
  output nic_pkg::bytes_t       pay_o,
  input  wire logic             done_i
);

  localparam int unsigned BeatWords = nic_pkg::BeatBytes / 8;
  localparam int unsigned CntW = $clog2(BeatWords + 1);

  logic [nic_pkg::DataW-1:0] beat_q;
  logic [CntW-1:0]           words_q;  // in the beat
  logic                      full_q, job_q, pay_q, take, goes;
  logic [63:0]               va_q;
  logic [15:0]               rid_q;
  logic [3:0]                left_q;   // jobs that have not left: nic_wr_mux holds fewer
  logic [6:0]                bytes;

  assign ready_o = !full_q;
  assign take    = valid_i && ready_o;
  assign bytes   = {7'(words_q)} << 3;
  // Both have been handed over.
  assign goes    = full_q && (!job_q || job_ready_i) && (!pay_q || pay_ready_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q  <= 1'b0;
      job_q   <= 1'b0;
      pay_q   <= 1'b0;
      words_q <= '0;
      left_q  <= '0;
    end else begin
      if (take) begin
        words_q <= words_q + CntW'(1);
        if (last_i || words_q == CntW'(BeatWords - 1)) {full_q, job_q, pay_q} <= 3'b111;
      end
      if (full_q) begin
        if (job_ready_i) job_q <= 1'b0;
        if (pay_ready_i) pay_q <= 1'b0;
      end
      if (goes) begin
        full_q  <= 1'b0;
        words_q <= '0;
      end
      if (job_q && job_ready_i && !done_i) left_q <= left_q + 4'd1;
      if (!(job_q && job_ready_i) && done_i) left_q <= left_q - 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) {va_q, rid_q} <= {va_i, rid_i};
    else if (goes) va_q <= va_q + 64'(bytes);
    for (int unsigned i = 0; i < BeatWords; i++) if (take && words_q == CntW'(i)) beat_q[64*i+:64] <= word_i;
  end

  always_comb begin
    job_o       = '0;
    job_o.rid   = rid_q;
    job_o.src   = nic_pkg::SrcCtx;
    job_o.va    = va_q;
    job_o.len   = 13'(bytes);
    pay_o       = '0;
    pay_o.last  = 1'b1;
    pay_o.bytes = bytes;
    pay_o.data  = beat_q;
    // bytes beyond the last word: of no job
    for (int unsigned i = 0; i < BeatWords; i++) if (32'(words_q) <= i) pay_o.data[64*i+:64] = '0;
  end
  assign job_valid_o = job_q;
  assign pay_valid_o = pay_q;
  assign idle_o      = !full_q && words_q == '0;
  assign drained_o   = idle_o && left_q == '0;

`ifdef FORMAL
`include "nic_ctx_save_props.svh"
`endif

endmodule

`default_nettype wire
