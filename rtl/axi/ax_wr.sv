// SPDX-License-Identifier: Apache-2.0
// ax_wr: write bursts of an AXI master become jobs of nic_wr: runs of bytes that lie side by side.
//
//   aw --> | 2 | --address--+--> run: where, how many --> | jobs | -----------> job
//   w  --> | 2 | --strobes--+--> bytes of a run -- nic_pack --> | bytes | ----> pay
//   b  <-- | 1 | <--end of a burst-- | order | <------------------------------- done
//
// P1  Each byte with its strobe set is in exactly one run, at its address; no other byte is. Runs are in the order of
//     addresses of a burst and of bursts, and bear the requester id of their burst.
// P2  A run ends at a hole, at a multiple of MaxWrite and at the end of its burst, and nowhere else.
// P3  A burst has one response, in order, with its id: OKAY, when the last TLP of its last run has left (done_i), so
//     that what is sent after it cannot overtake it; SLVERR if it was not INCR, of which nothing is written.
// P4  A job is given when all of its bytes are here or on their way to `pay`: no run waits for a master that is slow.
// P5  Rate: a beat without holes a cycle. A run that begins or ends within a beat costs a cycle for each one more.
//
// AWLEN is not looked at, WLAST ends a burst. AWSIZE only says how far the address moves. Cost: MaxWrite x 2 bytes of
// block RAM, nic_pack, a shifter.
`default_nettype none

module ax_wr #(
  parameter int unsigned IdW = 4,
  parameter int unsigned MaxWrite = 512,
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  // AXI4
  input  wire logic [IdW-1:0]             awid_i,
  input  wire logic [63:0]                awaddr_i,
  input  wire logic [2:0]                 awsize_i,
  input  wire logic [1:0]                 awburst_i,
  input  wire logic [15:0]                awuser_i,  // requester id
  input  wire logic                       awvalid_i,
  output logic                            awready_o,
  input  wire logic [nic_pkg::DataW-1:0]  wdata_i,
  input  wire logic [BeatBytes-1:0]       wstrb_i,
  input  wire logic                       wlast_i,
  input  wire logic                       wvalid_i,
  output logic                            wready_o,
  output logic      [IdW-1:0]             bid_o,
  output logic      [1:0]                 bresp_o,
  output logic                            bvalid_o,
  input  wire logic                       bready_i,

  // To nic_wr
  output logic                            job_valid_o,
  input  wire logic                       job_ready_i,
  output nic_pkg::dma_t                   job_o,
  output logic                            pay_valid_o,
  input  wire logic                       pay_ready_i,
  output nic_pkg::bytes_t                 pay_o,
  input  wire logic                       done_i
);

  if (MaxWrite < 128 || MaxWrite > 4096 || (MaxWrite & (MaxWrite - 1)) != 0) begin : gen_bad_max_write
    $error("ax_wr: MaxWrite must be 128, 256 ... 4096");
  end

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned ByteW = $clog2(BeatBytes);
  localparam int unsigned RunW = $clog2(MaxWrite);
  localparam int unsigned Jobs = 4;
  localparam int unsigned Order = 8;

  // ---- the burst and its beat ----
  logic                 aw_valid, aw_incr, w_valid, w_last, beat_done;
  logic [IdW-1:0]       aw_id;
  logic [63:0]          aw_addr;
  logic [2:0]           aw_size;
  logic [15:0]          aw_rid;
  logic [DataW-1:0]     w_data;
  logic [BeatBytes-1:0] w_strb;

  cm_skid #(
    .Width(IdW + 64 + 3 + 1 + 16)
  ) u_aw (
    .clk_i,
    .rst_ni,
    .in_valid_i(awvalid_i),
    .in_ready_o(awready_o),
    .in_data_i({awid_i, awaddr_i, awsize_i, awburst_i == 2'd1, awuser_i}),
    .out_valid_o(aw_valid),
    .out_ready_i(beat_done && w_last),
    .out_data_o({aw_id, aw_addr, aw_size, aw_incr, aw_rid}),
    .level_o()
  );
  cm_skid #(
    .Width(1 + BeatBytes + DataW)
  ) u_w (
    .clk_i,
    .rst_ni,
    .in_valid_i(wvalid_i),
    .in_ready_o(wready_o),
    .in_data_i({wlast_i, wstrb_i, wdata_i}),
    .out_valid_o(w_valid),
    .out_ready_i(beat_done),
    .out_data_o({w_last, w_strb, w_data}),
    .level_o()
  );

  logic        first_q;  // first beat of its burst
  logic [63:0] addr_q, addr, step;
  assign addr = first_q ? aw_addr : addr_q;
  assign step = 64'd1 << aw_size;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) first_q <= 1'b1;
    else if (beat_done) first_q <= w_last;
  end
  always_ff @(posedge clk_i) if (beat_done) addr_q <= (addr & (64'd0 - step)) + step;

  // ---- the first run of what is left of the beat: lanes from `low` on, before `top` ----
  logic [BeatBytes-1:0] gone_q, todo, below, run, more;
  logic [ByteW-1:0]     low;
  logic [ByteW:0]       top;
  assign todo = aw_incr ? w_strb & ~gone_q : '0;
  always_comb begin
    below = '0;  // lanes below the first
    run   = '0;
    low   = '0;
    top   = '0;
    for (int unsigned i = 0; i < BeatBytes; i++) begin
      below[i] = !todo[i] && (i == 0 ? 1'b1 : below[i > 0 ? i - 1 : 0]);
      run[i]   = todo[i] && (i == 0 ? 1'b1 : below[i > 0 ? i - 1 : 0] || run[i > 0 ? i - 1 : 0]);
      if (run[i]) top = (ByteW + 1)'(i + 1);
      if (below[i]) low = ByteW'(i + 1);
    end
  end
  assign more = todo & ~run;

  // ---- runs ----
  logic            open_q, none, joins, border, ends, over, closes, marks, step_run, piece, room, jobs_ready,
                   order_ready,
                   pack_ready;
  logic [63:0]     va_q, va;
  logic [12:0]     len_q, len;
  logic [ByteW:0]  bytes;
  logic [63:0]     next;  // of an open run: the address behind it
  assign va     = {addr[63:ByteW], low};
  assign bytes  = top - {1'b0, low};
  assign next   = va_q + 64'(len_q);
  assign none   = todo == '0;
  assign joins  = open_q && next == va;
  assign border = top[ByteW] && addr[RunW-1:ByteW] == '1;
  // Of what is open before this run: ends; with this run: over, marks (a burst that ends without a byte of its own
  // left).
  assign ends   = open_q && (none ? w_last : !joins);
  assign over   = !none && !ends && (border || more != '0 || w_last);
  assign marks  = none && w_last && !open_q;
  assign closes = ends || over;
  assign len    = (open_q ? len_q : 13'd0) + (ends ? 13'd0 : 13'(bytes));

  assign room      = jobs_ready && order_ready && pack_ready;
  assign step_run  = aw_valid && w_valid && room;
  assign piece     = step_run && (!none || ends);
  assign beat_done = step_run && (none || (!ends && more == '0));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= 1'b0;
      gone_q <= '0;
    end else if (step_run) begin
      if (closes) open_q <= 1'b0;
      else if (!none) open_q <= 1'b1;
      if (beat_done) gone_q <= '0;
      else if (!ends) gone_q <= gone_q | run;
    end
  end
  always_ff @(posedge clk_i) begin
    if (step_run && !none && !ends) begin
      if (!open_q) va_q <= va;
      len_q <= len;
    end
  end

  // ---- bytes ----
  logic            pk_valid, pk_ready;
  nic_pkg::bytes_t cut, pk;
  always_comb begin
    cut.last  = closes;
    cut.err   = 1'b0;
    cut.ur    = 1'b0;
    cut.bytes = ends ? 7'd0 : 7'(bytes);
    cut.data  = w_data >> {low, 3'd0};
  end
  nic_pack u_pack (
    .clk_i,
    .rst_ni,
    .in_valid_i(piece),
    .in_ready_o(pack_ready),
    .in_beat_i(cut),
    .out_valid_o(pk_valid),
    .out_ready_i(pk_ready),
    .out_beat_o(pk)
  );
  logic [$clog2(2*MaxWrite/BeatBytes+1)-1:0] unused_pay;
  cm_fifo_ram #(
    .Width(nic_pkg::BytesW),
    .Depth(2 * MaxWrite / BeatBytes)
  ) u_pay (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(pk_valid),
    .in_ready_o(pk_ready),
    .in_data_i(pk),
    .out_valid_o(pay_valid_o),
    .out_ready_i(pay_ready_i),
    .out_data_o(pay_o),
    .level_o(unused_pay)
  );

  // ---- jobs, and what a burst is told when they are done ----
  nic_pkg::dma_t           job;
  logic                    o_valid, o_pop, o_job, o_end, o_bad;
  logic [IdW-1:0]          o_id;
  logic [$clog2(Jobs+1)-1:0]  unused_jobs;
  logic [$clog2(Order+1)-1:0] unused_order;
  always_comb begin
    job     = '0;
    job.rid = aw_rid;
    job.va  = open_q ? va_q : va;
    job.len = len;
  end
  cm_fifo #(
    .Width(nic_pkg::DmaW),
    .Depth(Jobs)
  ) u_jobs (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(step_run && closes),
    .in_ready_o(jobs_ready),
    .in_data_i(job),
    .out_valid_o(job_valid_o),
    .out_ready_i(job_ready_i),
    .out_data_o(job_o),
    .level_o(unused_jobs)
  );
  cm_fifo #(
    .Width(IdW + 3),
    .Depth(Order)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(step_run && (closes || marks)),
    .in_ready_o(order_ready),
    .in_data_i({aw_id, closes, beat_done && w_last, !aw_incr}),
    .out_valid_o(o_valid),
    .out_ready_i(o_pop),
    .out_data_o({o_id, o_job, o_end, o_bad}),
    .level_o(unused_order)
  );

  logic [$clog2(Order+1)-1:0] done_q;  // jobs done that are not yet taken from `order`
  logic                       b_valid_q, b_bad_q, b_load;
  logic [IdW-1:0]             b_id_q;
  assign b_load = !b_valid_q || bready_i;
  assign o_pop  = o_valid && (!o_job || done_q != '0) && (!o_end || b_load);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q    <= '0;
      b_valid_q <= 1'b0;
    end else begin
      done_q <= done_q + $bits(done_q)'(done_i) - $bits(done_q)'(o_pop && o_job);
      if (b_load) b_valid_q <= o_pop && o_end;
    end
  end
  always_ff @(posedge clk_i) if (b_load) {b_id_q, b_bad_q} <= {o_id, o_bad};
  assign bvalid_o = b_valid_q;
  assign bid_o    = b_id_q;
  assign bresp_o  = {b_bad_q, 1'b0};

`ifdef FORMAL
`include "ax_wr_props.svh"
`endif

endmodule

`default_nettype wire
