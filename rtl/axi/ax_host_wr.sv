// SPDX-License-Identifier: Apache-2.0
// ax_host_wr: memory writes that leave the IOMMU become AXI4 bursts.
//
//   MWr --+--header--> | 2 | --> aw
//         `--beats--> ax_align --> | 1 | --> w        b --> writes under way
//
// P1  A write is one INCR burst of whole words: its bytes in the lanes of their addresses, strobes as Length and byte
//     enables say; AWLEN is what is needed. Bursts and their data in order, with id 0.
// P2  AW is shown, or waits behind older ones, when the first word of its data is shown; a waiting AW or W never
//     changes.
// P3  At most Writes bursts are under way. idle_o: none is, and no part of a TLP is here. So memory has all that came
//     before.
// P4  err_o: a response was an error. A posted write has no other answer.
// P5  Rate: a word a cycle.
//
// A write without a byte enabled (Length 1, byte enables 0) is a burst without strobes. Cost: ax_align, a word, two of
// AW.
`default_nettype none

module ax_host_wr #(
  parameter int unsigned Writes = 16,
  localparam int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  // MWr
  input  wire logic                in_valid_i,
  output logic                     in_ready_o,
  input  wire cm_pkg::tlp_t        in_i,

  // AXI4
  output logic      [63:0]         awaddr_o,
  output logic      [7:0]          awlen_o,
  output logic      [15:0]         awuser_o,  // requester id
  output logic                     awvalid_o,
  input  wire logic                awready_i,
  output logic      [DataW-1:0]    wdata_o,
  output logic      [DataW/8-1:0]  wstrb_o,
  output logic                     wlast_o,
  output logic                     wvalid_o,
  input  wire logic                wready_i,
  input  wire logic [1:0]          bresp_i,
  input  wire logic                bvalid_i,

  output logic                     idle_o,
  output logic                     err_o
);

  if (Writes < 1 || Writes > 255) begin : gen_bad_writes $error("ax_host_wr: Writes must be 1 to 255"); end

  localparam int unsigned BeatDw = cm_pkg::BeatDw;
  localparam int unsigned LaneW = $clog2(BeatDw);

  // ---- the header: of the beat with sop while nothing of the TLP has gone ----
  logic         mid_q, begin_ok, item, item_end, al_in_ready, al_in_valid;
  logic [127:0] hdr_q;
  cm_pkg::tlp_req_t hdr;
  logic [63:0]  addr;
  logic [10:0]  dws;
  logic [11:0]  sum;
  logic [3:0]   fbe, lbe;
  logic [15:0]  rid;
  assign hdr  = mid_q ? hdr_q : in_i.hdr;
  assign addr = cm_pkg::tlp_addr(hdr) & ~64'd3;
  assign dws  = {hdr.len == '0, hdr.len};
  assign fbe  = hdr.fbe;
  assign lbe  = dws == 11'd1 ? hdr.fbe : hdr.lbe;
  assign rid  = hdr.rid;
  assign sum  = 12'(addr[LaneW+1:2]) + 12'(dws) - 12'd1;

  // ---- AW ----
  logic        start, aw_ready;
  logic [7:0]  count_q, words;
  logic [1:0]  unused_aw;
  logic [63:0] line;
  assign line  = {addr[63:LaneW+2], (LaneW + 2)'(0)};
  assign words = 8'(sum[11:LaneW]);
  assign begin_ok    = aw_ready && 32'(count_q) < Writes;
  assign item        = mid_q || (in_valid_i && begin_ok);
  // sop in the middle: the next one, while the end of this one leaves
  assign al_in_valid = in_valid_i && in_i.sop != mid_q && item;
  assign in_ready_o  = al_in_ready;
  assign start       = !mid_q && al_in_valid && al_in_ready;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mid_q   <= 1'b0;
      count_q <= '0;
    end else begin
      if (item_end) mid_q <= 1'b0;
      else if (start) mid_q <= 1'b1;
      count_q <= count_q + 8'(start) - 8'(bvalid_i);
    end
  end
  always_ff @(posedge clk_i) if (start) hdr_q <= in_i.hdr;

  cm_fifo #(
    .Width(64 + 8 + 16),
    .Depth(2)
  ) u_aw (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .level_o(unused_aw),
    .in_valid_i(start),
    .in_ready_o(aw_ready),
    .in_data_i({line, words, rid}),
    .out_valid_o(awvalid_o),
    .out_ready_i(awready_i),
    .out_data_o({awaddr_o, awlen_o, awuser_o})
  );

  // ---- W ----
  logic                al_valid, al_first, al_last, load, w_valid_q, w_last_q;
  logic [DataW-1:0]    al_data, w_data_q;
  logic [BeatDw-1:0]   al_strb;
  logic [DataW/8-1:0]  strb, w_strb_q;
  ax_align u_align (
    .clk_i,
    .rst_ni,
    .item_valid_i(item),
    .item_ready_o(item_end),
    .in_at_i(LaneW'(0)),
    .out_at_i(addr[LaneW+1:2]),
    .dws_i(dws),
    .in_valid_i(al_in_valid),
    .in_ready_o(al_in_ready),
    .in_data_i(in_i.data),
    .out_valid_o(al_valid),
    .out_ready_i(load),
    .out_data_o(al_data),
    .strb_o(al_strb),
    .first_o(al_first),
    .last_o(al_last)
  );
  always_comb begin
    for (int unsigned l = 0; l < BeatDw; l++) begin
      strb[4*l+:4] = {4{al_strb[l]}} & (al_first && LaneW'(l) == addr[LaneW+1:2] ? fbe : 4'hF)
                                     & (al_last && LaneW'(l) == sum[LaneW-1:0] ? lbe : 4'hF);
    end
  end
  assign load = !w_valid_q || wready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) w_valid_q <= 1'b0;
    else if (load) w_valid_q <= al_valid;
  end
  always_ff @(posedge clk_i) if (load) {w_last_q, w_strb_q, w_data_q} <= {al_last, strb, al_data};

  assign wdata_o  = w_data_q;
  assign wstrb_o  = w_strb_q;
  assign wlast_o  = w_last_q;
  assign wvalid_o = w_valid_q;
  assign idle_o   = count_q == '0 && !mid_q;
  assign err_o    = bvalid_i && bresp_i[1];

`ifdef FORMAL
`include "ax_host_wr_props.svh"
`endif

endmodule

`default_nettype wire
