// SPDX-License-Identifier: Apache-2.0
// ax_rd: read bursts of an AXI master become jobs of nic_rd, whose items become beats of R.
//
//   ar --+--------------------------------------------> job
//        `--> | order | --lane, size, beats--v
//   r  <-- | 1 | <-- rotate to the lane <-- nic_take <-- item
//
// P1  The bytes of a burst, which are those of its item, leave in the lanes that AXI gives their addresses, in order;
//     other lanes are 0.
// P2  A burst of ARLEN has ARLEN + 1 beats, with its id, RLAST in the last; bursts are answered in order.
// P3  A job has the bytes that the burst asks for, from ARADDR on, and no others, and the requester id of the burst.
// P4  RRESP is OKAY, or SLVERR in every beat if the item has err. A burst that is not INCR, crosses 4 KiB or has beats
//     wider than the bus is a job without bytes, and SLVERR.
// P5  A waiting beat never changes, and rvalid_o falls only when it has left. Rate: a beat a cycle.
//
// Latency 2 from the item. Cost: nic_take, a rotator, a beat.
`default_nettype none

module ax_rd #(
  parameter int unsigned IdW = 4,
  parameter int unsigned Bursts = 8  // under way
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  // AXI4
  input  wire logic [IdW-1:0]             arid_i,
  input  wire logic [63:0]                araddr_i,
  input  wire logic [7:0]                 arlen_i,
  input  wire logic [2:0]                 arsize_i,
  input  wire logic [1:0]                 arburst_i,
  input  wire logic [15:0]                aruser_i,  // requester id
  input  wire logic                       arvalid_i,
  output logic                            arready_o,
  output logic      [IdW-1:0]             rid_o,
  output logic      [nic_pkg::DataW-1:0]  rdata_o,
  output logic      [1:0]                 rresp_o,
  output logic                            rlast_o,
  output logic                            rvalid_o,
  input  wire logic                       rready_i,

  // To nic_rd, and its items
  output logic                            job_valid_o,
  input  wire logic                       job_ready_i,
  output nic_pkg::dma_t                   job_o,
  input  wire logic                       item_valid_i,
  output logic                            item_ready_o,
  input  wire nic_pkg::bytes_t            item_i
);

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned ByteW = $clog2(BeatBytes);

  // ---- jobs ----
  logic [14:0] span, size_1;  // bytes from the first beat's border on; bytes of a beat less one
  logic [14:0] start, lead;   // page offset of that border, bytes from there to ARADDR
  logic        bad, order_ready;
  assign size_1 = (15'd1 << arsize_i) - 15'd1;
  assign span   = (15'(arlen_i) + 15'd1) << arsize_i;
  assign lead   = {3'd0, araddr_i[11:0]} & size_1;
  assign start  = {3'd0, araddr_i[11:0]} & (size_1 ^ 15'h7FFF);
  assign bad    = arburst_i != 2'd1 || 32'(arsize_i) > ByteW || 32'(start) + 32'(span) > 32'd4096;

  always_comb begin
    job_o     = '0;
    job_o.rid = aruser_i;
    job_o.src = 8'd1;
    job_o.va  = araddr_i;
    job_o.len = bad ? 13'd0 : 13'(span - lead);
  end
  assign job_valid_o = arvalid_i && order_ready;
  assign arready_o   = job_ready_i && order_ready;

  // ---- the burst that is answered ----
  logic             o_valid, o_bad, first_q, step, load, last;
  logic [IdW-1:0]   o_id;
  logic [ByteW-1:0] o_lane, lane_q, lane;
  logic [2:0]       o_size;
  logic [7:0]       o_len, beat_q;
  logic [ByteW:0]   bytes, take;
  logic [$clog2(Bursts+1)-1:0] unused_level;
  cm_fifo #(
    .Width(IdW + 1 + ByteW + 3 + 8),
    .Depth(Bursts)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(arvalid_i && job_ready_i),
    .in_ready_o(order_ready),
    .in_data_i({arid_i, bad, araddr_i[ByteW-1:0], arsize_i, arlen_i}),
    .out_valid_o(o_valid),
    .out_ready_i(step && last),
    .out_data_o({o_id, o_bad, o_lane, o_size, o_len}),
    .level_o(unused_level)
  );

  logic             win_valid, win_err;
  logic [DataW-1:0] win_data;
  nic_take u_take (
    .clk_i,
    .rst_ni,
    .in_valid_i(item_valid_i),
    .in_ready_o(item_ready_o),
    .in_beat_i(item_i),
    .valid_o(win_valid),
    .data_o(win_data),
    .count_o(),
    .last_o(),
    .err_o(win_err),
    .lead_i(2'd0),
    .step_i(step && (!o_bad || last)),
    .take_i(7'(take)),
    .end_i(last)
  );

  assign first_q = beat_q == '0;
  assign last    = beat_q == o_len;
  assign lane    = first_q ? o_lane : lane_q;
  assign bytes   = (ByteW + 1)'(1) << o_size;
  assign take    = o_bad ? '0 : bytes - ((ByteW + 1)'(lane) & (bytes - (ByteW + 1)'(1)));
  assign step    = o_valid && win_valid && load;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) beat_q <= '0;
    else if (step) beat_q <= last ? '0 : beat_q + 8'd1;
  end
  always_ff @(posedge clk_i) if (step) lane_q <= lane + take[ByteW-1:0];

  // ---- its beat ----
  logic [DataW-1:0]     turned, r_data_q;
  logic [BeatBytes-1:0] mask;
  logic                 r_valid_q, r_last_q, r_bad_q;
  logic [IdW-1:0]       r_id_q;
  assign load = !r_valid_q || rready_i;
  always_comb begin
    turned = win_data << {lane, 3'd0};
    for (int unsigned i = 0; i < BeatBytes; i++) mask[i] = i >= 32'(lane) && i < 32'(lane) + 32'(take);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) r_valid_q <= 1'b0;
    else if (load) r_valid_q <= step;
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      r_id_q   <= o_id;
      r_last_q <= last;
      r_bad_q  <= o_bad || win_err;
      for (int unsigned i = 0; i < BeatBytes; i++) r_data_q[8*i+:8] <= mask[i] ? turned[8*i+:8] : 8'd0;
    end
  end
  assign rvalid_o = r_valid_q;
  assign rid_o    = r_id_q;
  assign rdata_o  = r_data_q;
  assign rlast_o  = r_last_q;
  assign rresp_o  = {r_bad_q, 1'b0};

`ifdef FORMAL
`include "ax_rd_props.svh"
`endif

endmodule

`default_nettype wire
