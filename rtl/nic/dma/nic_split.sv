// SPDX-License-Identifier: Apache-2.0
// nic_split: cuts DMA jobs into what one TLP may carry, and makes the TLPs' headers.
//
//   job --> | job, what is left | --min--> | chunk | --> header, lead, span
//                 ^-- up to the next multiple of the size
//
// P1  The chunks of a job are its bytes, in order: each begins where the one before ended, first_o and last_o at the
//     ends.
// P2  No chunk crosses a multiple of the size (128 << size_i, at most MaxSize, at most 4096); all but the last end at
//     one.
// P3  Headers: 3DW below 4 GiB, else 4DW; Length, first and last byte enables exact; requester id of the job; TC,
//     attributes, tag 0.
// P4  A job without bytes is one chunk with empty_o. An atomic is one chunk.
// P5  A waiting chunk never changes, and valid_o falls only when it has left. Rate: a chunk a cycle, over jobs as well.
//
// All in terms of whole DWs, so that nothing is added up: lead = bytes before the chunk in its first DW, span = index
// of its last byte, counted from that DW. The size's mask without the address is the span up to the next multiple.
// Latency 2, rate 1. Cost: 234 LUT4, 637 flip-flops, 5 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
// Rules of README.md: MEM-1, MEM-2.
`default_nettype none

module nic_split #(
  parameter bit          Write = 1'b1,
  parameter int unsigned MaxSize = 4096
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [2:0]    size_i,  // goes with the job

  // Jobs
  input  wire logic          job_valid_i,
  output logic               job_ready_o,
  input  wire nic_pkg::dma_t job_i,

  // Chunks
  output logic               valid_o,
  input  wire logic          ready_i,
  output logic               first_o,
  output logic               last_o,
  output logic               empty_o,
  output logic      [1:0]    lead_o,
  output logic      [11:0]   span_o,
  output logic               one_o,    // the chunk ends in its first beat
  output logic      [127:0]  hdr_o,
  output nic_pkg::dma_t      job_o
);

  localparam int unsigned ByteW = $clog2(nic_pkg::BeatBytes);

  if (MaxSize < 128 || MaxSize > 4096 || (MaxSize & (MaxSize - 1)) != 0) begin : gen_bad_max_size
    $error("nic_split: MaxSize must be 128, 256 ... 4096");
  end

  logic [11:0] mask;  // size - 1
  assign mask = {size_i >= 3'd5, size_i >= 3'd4, size_i >= 3'd3, size_i >= 3'd2, size_i >= 3'd1, 7'h7F} &
                12'(MaxSize - 1);

  // ---- the job: where it goes on, span of all that is left, span up to the border ----
  nic_pkg::dma_t a_job_q;
  logic          a_valid_q, a_first_q, a_last, a_step, b_load;
  logic [63:0]   a_va_q;
  logic [12:0]   a_left_q;
  logic [11:0]   a_room_q, a_mask_q;
  logic          atomic, empty, a_one_q;

  assign atomic = !Write && job_i.op != nic_pkg::DmaRead;
  assign empty  = !atomic && job_i.len == '0;
  assign a_last = a_one_q || a_left_q <= {1'b0, a_room_q};

  assign a_step      = a_valid_q && b_load;
  assign job_ready_o = !a_valid_q || (a_step && a_last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) a_valid_q <= 1'b0;
    else if (job_ready_o) a_valid_q <= job_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (job_ready_o) begin
      a_job_q   <= job_i;
      a_mask_q  <= mask;
      a_first_q <= 1'b1;
      a_one_q   <= atomic || empty;
      a_va_q    <= atomic ? {job_i.va[63:3], 3'd0} : job_i.va;
      a_left_q  <= atomic ? 13'd7 : job_i.len + {11'd0, job_i.va[1:0]} - 13'd1;
      a_room_q  <= atomic ? '1 : (~job_i.va[11:0] & mask) | 12'd3;
    end else if (a_step) begin
      a_first_q <= 1'b0;
      a_va_q    <= (a_va_q | 64'(a_mask_q)) + 64'd1;
      a_left_q  <= a_left_q - {1'b0, a_room_q} - 13'd1;
      a_room_q  <= a_mask_q;
    end
  end

  // ---- the chunk ----
  nic_pkg::dma_t b_job_q;
  logic          b_valid_q, b_first_q, b_last_q, b_empty_q, b_one_q;
  logic [63:0]   b_va_q;
  logic [11:0]   b_span_q;

  assign b_load = !b_valid_q || ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) b_valid_q <= 1'b0;
    else if (b_load) b_valid_q <= a_valid_q;
  end

  always_ff @(posedge clk_i) begin
    if (b_load) begin
      b_job_q   <= a_job_q;
      b_first_q <= a_first_q;
      b_last_q  <= a_last;
      b_empty_q <= (Write || a_job_q.op == nic_pkg::DmaRead) && a_job_q.len == '0;
      b_va_q    <= a_va_q;
      b_span_q  <= a_last ? a_left_q[11:0] : a_room_q;
      b_one_q   <= a_last ? a_left_q[11:ByteW] == '0 : a_room_q[11:ByteW] == '0;
    end
  end

  // ---- the header ----
  logic        is_atomic, cas, wide;
  logic [9:0]  length;
  logic [3:0]  first_be, last_be, low_be;
  logic [7:0]  kind;
  cm_pkg::tlp_req_t hdr;

  assign is_atomic = !Write && b_job_q.op != nic_pkg::DmaRead;
  assign cas       = b_job_q.op != nic_pkg::DmaFetchAdd;
  assign wide      = b_va_q[63:32] != '0;
  assign length    = is_atomic ? (cas ? 10'd4 : 10'd2) : b_span_q[11:2] + 10'd1;
  assign low_be    = 4'hF >> (2'd3 - b_span_q[1:0]);  // up to the last byte
  assign first_be  = (4'hF << b_va_q[1:0]) & (b_span_q[11:2] == '0 ? low_be : 4'hF);
  assign last_be   = b_span_q[11:2] == '0 ? 4'h0 : low_be;

  always_comb begin
    if (is_atomic) kind = cas ? cm_pkg::OpCas : cm_pkg::OpFetchAdd;
    else kind = Write ? cm_pkg::OpWrite : cm_pkg::OpRead;
    kind[cm_pkg::OpFour] = wide;
    hdr      = '0;
    hdr.op   = kind;
    hdr.len  = length;
    hdr.rid  = b_job_q.rid;
    hdr.lbe  = last_be;
    hdr.fbe  = first_be;
    hdr.addr = wide ? {b_va_q[63:2], 2'd0} : {b_va_q[31:2], 34'd0};
  end

  assign valid_o = b_valid_q;
  assign first_o = b_first_q;
  assign last_o  = b_last_q;
  assign empty_o = b_empty_q;
  assign lead_o  = b_va_q[1:0];
  assign span_o  = b_span_q;
  assign one_o   = b_one_q;
  assign job_o   = b_job_q;
  assign hdr_o   = hdr;

`ifdef FORMAL
`include "nic_split_props.svh"
`endif

endmodule

`default_nettype wire
