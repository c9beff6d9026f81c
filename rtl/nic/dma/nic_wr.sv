// SPDX-License-Identifier: Apache-2.0
// nic_wr: DMA writes: jobs and their bytes become MWr TLPs.
//
//   job --> | stop | --> nic_split --chunk--> | beats left | --+
//                                                 | take       v
//   pay --> | stop | --> nic_take --window--------v-----> | register | --> | stop | --> req
//
// P1  A job's bytes leave as the payload of its TLPs: byte n of the item at va + n, bytes that are not enabled 0; jobs
//     in order.
// P2  TLPs are well-formed: sop and eop at the ends, ceil(Length / BeatDw) beats, strb all ones but in the last, seq =
//     src.
// P3  Headers and sizes: nic_split P1 to P3, size MPS. A job without bytes makes no TLP and takes no item.
// P4  A waiting beat never changes, and req_valid_o falls only when it has left.
// P5  done_o in the cycle in which the last beat of a job leaves: what is sent after it cannot overtake the write.
// P6  Rate: a beat a cycle, with no gap between TLPs nor jobs, as long as jobs and their bytes come in time.
//
// The item of a job has exactly its `len` bytes (env_length); err of it is not looked at: who asks decides what a bad
// item means. Latency 3 from the job, 2 from the bytes; job_ready_o and pay_ready_o are registers, and so is what says
// that there is room for another beat: req_ready_i is known late, since it goes by what else nic_tlp_mux is given.
// Cost at 256 bits: 2685 LUT4, 1925 flip-flops, 9 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
// Rules of README.md: MEM-1.
`default_nettype none

module nic_wr (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic [2:0]      cfg_mps_i,  // 128 << n, 6 and 7 as 5; goes with the job

  // Jobs
  input  wire logic            job_valid_i,
  output logic                 job_ready_o,
  input  wire nic_pkg::dma_t   job_i,

  // Their bytes
  input  wire logic            pay_valid_i,
  output logic                 pay_ready_o,
  input  wire nic_pkg::bytes_t pay_i,

  // TLPs
  output logic                 req_valid_o,
  input  wire logic            req_ready_i,
  output cm_pkg::tlp_t         req_o,
  output logic                 done_o
);

  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned BeatDw = nic_pkg::BeatDw;
  localparam int unsigned ByteW = $clog2(BeatBytes);

  // ---- chunks ----
  logic          ch_valid, ch_ready, ch_last, ch_empty, ch_one;
  logic [1:0]    ch_lead;
  logic [11:0]   ch_span;
  logic [127:0]  ch_hdr;
  nic_pkg::dma_t ch_job;

  // Whether nic_split takes a job, and nic_take a beat, is known late; who gives them need not wait for that.
  logic          job_valid, job_ready;
  nic_pkg::dma_t job;
  cm_stop #(
    .Width(nic_pkg::DmaW)
  ) u_job (
    .clk_i,
    .rst_ni,
    .in_valid_i(job_valid_i),
    .in_ready_o(job_ready_o),
    .in_data_i(job_i),
    .out_valid_o(job_valid),
    .out_ready_i(job_ready),
    .out_data_o(job)
  );

  nic_split #(
    .Write(1'b1)
  ) u_split (
    .clk_i,
    .rst_ni,
    .size_i(cfg_mps_i),
    .job_valid_i(job_valid),
    .job_ready_o(job_ready),
    .job_i(job),
    .valid_o(ch_valid),
    .ready_i(ch_ready),
    .first_o(),
    .last_o(ch_last),
    .empty_o(ch_empty),
    .lead_o(ch_lead),
    .span_o(ch_span),
    .one_o(ch_one),
    .hdr_o(ch_hdr),
    .job_o(ch_job)
  );

  // ---- bytes ----
  logic                       win_valid, win_last, step;
  logic [nic_pkg::DataW-1:0]  win_data;
  logic [6:0]                 win_count, take;
  logic [1:0]                 lead;

  logic            in_valid, in_ready;
  nic_pkg::bytes_t in;
  cm_stop #(
    .Width(nic_pkg::BytesW)
  ) u_stop (
    .clk_i,
    .rst_ni,
    .in_valid_i(pay_valid_i),
    .in_ready_o(pay_ready_o),
    .in_data_i(pay_i),
    .out_valid_o(in_valid),
    .out_ready_i(in_ready),
    .out_data_o(in)
  );

  nic_take u_take (
    .clk_i,
    .rst_ni,
    .in_valid_i(in_valid),
    .in_ready_o(in_ready),
    .in_beat_i(in),
    .valid_o(win_valid),
    .data_o(win_data),
    .count_o(win_count),
    .last_o(win_last),
    .err_o(),
    .lead_i(lead),
    .step_i(step),
    .take_i(take),
    .end_i(ch_last && last)
  );

  // ---- beats ----
  logic                first_q, last_q, last, load, room, req_valid_q, job_end_q, job_end;
  logic [11-ByteW:0]   left_q, left;  // beats of the TLP after this one
  logic [ByteW-1:0]    top;           // last byte of this beat
  logic [BeatDw-1:0]   strb;
  cm_pkg::tlp_t        req_q;

  assign left = first_q ? ch_span[11:ByteW] : left_q;
  assign last = first_q ? ch_one : last_q;
  assign lead = first_q ? ch_lead : 2'd0;
  assign top  = last ? ch_span[ByteW-1:0] : '1;
  assign take = 7'(top) + 7'd1 - 7'(lead);
  always_comb for (int unsigned i = 0; i < BeatDw; i++) strb[i] = i <= 32'(top[ByteW-1:2]);

  assign load     = !req_valid_q || room;
  assign step     = ch_valid && !ch_empty && win_valid && load;
  assign ch_ready = ch_empty || (step && last);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q     <= 1'b1;
      req_valid_q <= 1'b0;
    end else begin
      if (step) first_q <= last;
      if (load) req_valid_q <= step;
    end
  end
  always_ff @(posedge clk_i) begin
    if (step) begin
      left_q <= left - (12 - ByteW)'(1);
      last_q <= left == (12 - ByteW)'(1);
    end
    if (load) begin
      req_q     <= {first_q, last, 1'b0, ch_job.src, strb, ch_hdr, win_data};
      job_end_q <= ch_last && last;
    end
  end

  cm_stop #(
    .Width(1 + cm_pkg::TlpW)
  ) u_req (
    .clk_i,
    .rst_ni,
    .in_valid_i(req_valid_q),
    .in_ready_o(room),
    .in_data_i({job_end_q, req_q}),
    .out_valid_o(req_valid_o),
    .out_ready_i(req_ready_i),
    .out_data_o({job_end, req_o})
  );

  assign done_o = req_valid_o && req_ready_i && job_end;

`ifdef FORMAL
`include "nic_wr_props.svh"
`endif

endmodule

`default_nettype wire
