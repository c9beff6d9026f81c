// SPDX-License-Identifier: Apache-2.0
// nic_strip: words from memory whose first 0 to 3 bytes do not belong to the item become a byte stream.
//
//   in (words) --> | word | --+--> shift by lead --> out
//              `--------------^ the next word's first bytes
//
// P1  An item is the bytes of its words from `lead` on up to `stop` of the last, in order, none lost, none twice; full
//     beats but the last.
// P2  err is that of the first word. A word with `empty` is an item without bytes.
// P3  A waiting beat never changes while in_valid_i and in_i do not, and out_valid_o falls only when it has left.
// P4  Rate: a word a cycle.
//
// Latency 1 for the last word, else with the next; out_beat_o follows in_i. Cost at 256 bits:
// 811 LUT4, 269 flip-flops, 3 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module nic_strip (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Words
  input  wire logic                      in_valid_i,
  output logic                           in_ready_o,
  input  wire logic [nic_pkg::DataW-1:0] in_data_i,
  input  wire logic                      in_last_i,   // last word of its item
  input  wire logic                      in_empty_i,  // with last: the item has no bytes
  input  wire logic                      in_err_i,
  input  wire logic                      in_ur_i,
  input  wire logic [1:0]                in_lead_i,   // the same in all words of an item
  // last word: bytes of it, 1 to BeatBytes (first word: more than lead)
  input  wire logic [6:0]                in_stop_i,

  // Item
  output logic                           out_valid_o,
  input  wire logic                      out_ready_i,
  output nic_pkg::bytes_t                out_beat_o
);

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;

  logic             valid_q, last_q, empty_q, err_q, ur_q, take, give, absorb;
  logic [1:0]       lead_q;
  logic [6:0]       stop_q;
  logic [DataW-1:0] data_q;
  logic [23:0]      more;

  // What is left of the item in the next word fits behind what is here.
  assign absorb      = !last_q && in_last_i && in_stop_i <= 7'(lead_q);
  assign out_valid_o = valid_q && (last_q || in_valid_i);
  assign give        = out_valid_o && out_ready_i;
  assign in_ready_o  = !valid_q || out_ready_i;
  assign take        = in_valid_i && in_ready_o;

  assign more        = last_q ? 24'd0 : in_data_i[23:0];

  always_comb begin
    out_beat_o.last  = last_q || absorb;
    out_beat_o.err   = err_q;
    out_beat_o.ur    = ur_q;
    out_beat_o.bytes = empty_q ? 7'd0 : last_q ? stop_q - 7'(lead_q) : absorb ? 7'(BeatBytes) - 7'(lead_q) + in_stop_i :
                       7'(BeatBytes);
    case (lead_q)
      2'd0: out_beat_o.data = data_q;
      2'd1: out_beat_o.data = {more[7:0], data_q[DataW-1:8]};
      2'd2: out_beat_o.data = {more[15:0], data_q[DataW-1:16]};
      2'd3: out_beat_o.data = {more[23:0], data_q[DataW-1:24]};
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (take) valid_q <= !(valid_q && absorb);
    else if (give) valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      data_q  <= in_data_i;
      last_q  <= in_last_i;
      empty_q <= in_empty_i;
      lead_q  <= in_lead_i;
      stop_q  <= in_stop_i;
      if (!valid_q || last_q) {err_q, ur_q} <= {in_err_i, in_ur_i};
    end
  end

`ifdef FORMAL
`include "nic_strip_props.svh"
`endif

endmodule

`default_nettype wire
