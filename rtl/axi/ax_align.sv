// SPDX-License-Identifier: Apache-2.0
// ax_align: moves the DWs of an item from where they lie in bus words to where they shall lie.
//
//   in --> rotate --+--> select --> out
//                   +--> | rest | --^
//
// P1  DW k of the item, which comes in lane (in_at_i + k) of its words, leaves in lane (out_at_i + k) of its words, in
//     order.
// P2  strb_o has a bit for each lane that holds a DW of the item; first_o and last_o mark its first and last word.
// P3  An item takes the words in which it lies, no more and no fewer; item_ready_o is high when its last word leaves.
// P4  A waiting word never changes while the item and in_* do not, and out_valid_o falls only when it has left.
// P5  Rate: a word a cycle. An item costs one cycle more if it lies in one word more on one side than on the other, or
//     if it comes in higher lanes than those to which it goes.
//
// The item stays at its inputs until item_ready_o. Combinational from in_* to out_*; ready follows out_ready_i. Lanes
// without a DW of the item hold anything. Cost: a rotator of DWs and a word.
`default_nettype none

module ax_align #(
  localparam int unsigned DataW = cm_pkg::DataW,
  localparam int unsigned BeatDw = cm_pkg::BeatDw,
  localparam int unsigned LaneW = $clog2(BeatDw)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Item
  input  wire logic              item_valid_i,
  output logic                   item_ready_o,
  input  wire logic [LaneW-1:0]  in_at_i,
  input  wire logic [LaneW-1:0]  out_at_i,
  input  wire logic [10:0]       dws_i,       // 1 to 1024

  // Words in
  input  wire logic              in_valid_i,
  output logic                   in_ready_o,
  input  wire logic [DataW-1:0]  in_data_i,

  // Words out
  output logic                   out_valid_o,
  input  wire logic              out_ready_i,
  output logic      [DataW-1:0]  out_data_o,
  output logic      [BeatDw-1:0] strb_o,
  output logic                   first_o,
  output logic                   last_o
);

  localparam int unsigned CountW = 12 - LaneW;

  logic [DataW-1:0]  rest_q, turned;
  logic [CountW-1:0] in_q, out_q, in_end, out_end;  // words so far; index of the last one
  logic [11:0]       in_sum, out_sum;
  logic [LaneW-1:0]  rot;
  logic              all_in, absorb, take, give;

  assign in_sum  = 12'(in_at_i) + 12'(dws_i) - 12'd1;
  assign out_sum = 12'(out_at_i) + 12'(dws_i) - 12'd1;
  assign in_end  = in_sum[11:LaneW];
  assign out_end = out_sum[11:LaneW];
  assign rot     = out_at_i - in_at_i;

  assign all_in       = in_q == in_end + CountW'(1);
  assign absorb       = in_q == '0 && in_at_i > out_at_i;  // nothing of it fills a word
  assign out_valid_o  = item_valid_i && (all_in || (in_valid_i && !absorb));
  assign in_ready_o   = item_valid_i && !all_in && (absorb || out_ready_i);
  assign take         = in_valid_i && in_ready_o;
  assign give         = out_valid_o && out_ready_i;
  assign first_o      = out_q == '0;
  assign last_o       = out_q == out_end;
  assign item_ready_o = give && last_o;

  always_comb begin
    turned = in_data_i;
    for (int l = LaneW - 1; l >= 0; l--) begin
      if (rot[l]) turned = (turned << (32 << l)) | (turned >> (DataW - (32 << l)));
    end
    for (int unsigned l = 0; l < BeatDw; l++) begin
      out_data_o[32*l+:32] = all_in || LaneW'(l) < rot ? rest_q[32*l+:32] : turned[32*l+:32];
      strb_o[l] = (!first_o || LaneW'(l) >= out_at_i) && (!last_o || LaneW'(l) <= out_sum[LaneW-1:0]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || item_ready_o) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      if (take) in_q <= in_q + CountW'(1);
      if (give) out_q <= out_q + CountW'(1);
    end
  end
  always_ff @(posedge clk_i) if (take) rest_q <= turned;

`ifdef FORMAL
`include "ax_align_props.svh"
`endif

endmodule

`default_nettype wire
