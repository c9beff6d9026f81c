// SPDX-License-Identifier: Apache-2.0
// px_tags: the tags under which requests are on the link, and for each what comes back with its completion.
//
//   take --> [ Tags x item ], live --look--> hit, item
//                                  --end---> free
//                                  --end, hold--> held --time--> free
//
// Devices behind the IOMMU bear requester ids and tags of their own; on the link all are one requester, so tags are
// given anew.
//
// P1  A tag that is offered is free; if one is free one is offered, and the offer stays until it is taken.
// P2  From take_i to end_i a tag is found (hit_o), with the item that was taken; before and after it is not.
// P3  A tag that ends with hold_i, as its completions may still come, is free again 2^Hold to 2^(Hold+1) cycles later:
//     what comes late in that time is nobody's, and not the answer to the next request.
//
// Cost: Tags x ItemW bits of LUT RAM, 3 x Tags + Hold flip-flops, no cycle.
`default_nettype none

module px_tags #(
  parameter int unsigned Tags = 32,
  parameter int unsigned ItemW = 32,
  parameter int unsigned Hold = 20,
  localparam int unsigned TagW = $clog2(Tags)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Requests
  output logic                  free_o,
  output logic      [7:0]       tag_o,
  input  wire logic             take_i,
  input  wire logic [ItemW-1:0] item_i,

  // Completions
  input  wire logic [7:0]       look_tag_i,
  output logic                  hit_o,
  output logic      [ItemW-1:0] item_o,
  input  wire logic             end_i,     // of look_tag_i, which is found
  input  wire logic             hold_i     // with end_i: it ends early
);

  if (Tags < 2 || Tags > 256 || (Tags & (Tags - 1)) != 0) begin : gen_bad_tags
    $error("px_tags: Tags must be a power of two, 2 to 256");
  end

  if (Hold < 1 || Hold > 31) begin : gen_bad_hold $error("px_tags: Hold must be 1 to 31"); end

  // live: not free. held: ended early; old: before the time last ran over, so that it is free when it does so again.
  logic [Tags-1:0] live_q, live_d, held_q, held_d, old_q, rest;
  logic [Hold-1:0] time_q;
  logic            over;
  logic [TagW-1:0] tag_q, tag_d, look;
  logic            free_q, free_d;
  assign look = look_tag_i[TagW-1:0];
  assign over = &time_q;
  assign rest = held_q & ~old_q;  // what is held when the time has run over once more

  always_comb begin
    live_d = live_q & ~(old_q & {Tags{over}});
    held_d = over ? rest : held_q;
    if (end_i && !hold_i) live_d[look] = 1'b0;
    if (end_i && hold_i) held_d[look] = 1'b1;
    if (take_i) live_d[tag_q] = 1'b1;
    {free_d, tag_d} = {free_q && !take_i, tag_q};
    if (!free_d) begin
      for (int unsigned t = 0; t < Tags; t++) if (!live_d[t]) {free_d, tag_d} = {1'b1, TagW'(t)};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      free_q <= 1'b0;
      held_q <= '0;
      old_q  <= '0;
      time_q <= '0;
    end else begin
      live_q <= live_d;
      free_q <= free_d;
      held_q <= held_d;
      if (over) old_q <= rest;
      time_q <= time_q + Hold'(1);
    end
  end
  always_ff @(posedge clk_i) tag_q <= tag_d;

  logic [ItemW-1:0] items_q [Tags];
  always_ff @(posedge clk_i) if (take_i) items_q[tag_q] <= item_i;
  assign item_o = items_q[look];
  assign free_o = free_q;
  assign tag_o  = 8'(tag_q);
  assign hit_o  = 32'(look_tag_i) < Tags && live_q[look] && !held_q[look];

`ifdef FORMAL
`include "px_tags_props.svh"
`endif

endmodule

`default_nettype wire
