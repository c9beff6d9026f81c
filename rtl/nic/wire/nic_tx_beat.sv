// SPDX-License-Identifier: Apache-2.0
// nic_tx_beat: headers and payload become beats from IP on, with room for the ICRC behind them.
//
//   headers -----------------------+
//   pay --> [ turned by rot words ]-+--> | beat | --> out         rot = words of headers mod BeatDw
//                     | c |---------+
//
// P1  Beats of a frame: headers, payload, and zeros (pad to a word, the ICRC's place, and what is behind): ceil(dws /
//     BeatDw) of them; the last says how many words are used, the ICRC's included.
// P2  One payload beat is taken with each beat from the one on in which the headers end, until its last one.
// P3  What waits does not change; a beat a cycle, without a gap between frames.
//
// Unless rot is 0 the payload's end may need a beat more than it had itself, and that has no payload beat to wait for.
// Cost: DataW 256: 700 flip-flops, 2200 LUT4, 8 levels; 1 cycle.
`default_nettype none

module nic_tx_beat #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes,
  localparam int unsigned DwsW = $clog2(BeatDw)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Headers
  input  wire logic              hdr_valid_i,
  output logic                   hdr_ready_o,
  input  wire logic [4:0]        hdr_words_i,
  input  wire logic [10:0]       hdr_dws_i,
  input  wire logic [23*32-1:0]  hdr_i,

  output logic                   begin_o,     // a frame's first beat is made in this cycle

  // Payload
  input  wire logic              pay_valid_i,
  output logic                   pay_ready_o,
  input  wire nic_pkg::bytes_t   pay_i,

  // Out
  output logic                   out_valid_o,
  input  wire logic              out_ready_i,
  output logic                   out_first_o,
  output logic                   out_last_o,
  output logic      [DwsW-1:0]   out_dws_o,   // last: words before the ICRC's
  output logic      [DataW-1:0]  out_data_o
);

  localparam int unsigned MostHdr = (23 + BeatDw - 1) / BeatDw;  // beats that headers can reach into
  localparam int unsigned HdrW = MostHdr * DataW;

  logic [2:0]       beat_q;     // number of the beat that is made, 7 and more: 7
  logic [10:0]      left_q;     // words from it on, if it is not the first
  logic             ended_q;    // the payload's last beat was taken
  logic [DataW-1:0] rest_q;     // of the payload beat before, turned
  logic             go, need, first, last;
  logic [2:0]       turn_beat;
  logic [10:0]      left;

  assign turn_beat = 3'(hdr_words_i >> DwsW);
  assign first = beat_q == 3'd0;
  assign left  = first ? hdr_dws_i : left_q;
  assign last  = left <= 11'(BeatDw);
  assign need  = beat_q >= turn_beat && !ended_q;
  assign go    = hdr_valid_i && (!need || pay_valid_i) && (!valid_q || out_ready_i);
  assign hdr_ready_o = go && last;
  assign pay_ready_o = go && need;
  assign begin_o     = go && first;

  // ---- payload: cut off behind its end, turned so that its first word comes where the headers end ----
  logic [DataW-1:0] cut, turned, hdr, data;
  for (genvar i = 0; i < BeatBytes; i++) begin : gen_cut
    assign cut[8*i+:8] = need && 7'(i) < pay_i.bytes ? pay_i.data[8*i+:8] : 8'h00;
  end
  assign turned = DataW'({cut, cut} >> {DwsW'(-hdr_words_i[DwsW-1:0]), 5'd0});

  logic [HdrW-1:0] hdrs;
  assign hdrs = HdrW'(hdr_i);
  always_comb begin
    hdr = '0;
    for (int unsigned b = 0; b < MostHdr; b++) if (beat_q == 3'(b)) hdr = hdrs[DataW*b+:DataW];
    for (int unsigned i = 0; i < BeatDw; i++) begin
      // Words before rot: headers up to the beat in which they end, then the rest of the payload beat before.
      if (beat_q < turn_beat) data[32*i+:32] = hdr[32*i+:32];
      else if (DwsW'(i) >= hdr_words_i[DwsW-1:0]) data[32*i+:32] = turned[32*i+:32];
      else data[32*i+:32] = beat_q == turn_beat ? hdr[32*i+:32] : rest_q[32*i+:32];
    end
  end

  logic             valid_q, first_q, last_q;
  logic [DwsW-1:0]  dws_q;
  logic [DataW-1:0] data_q;
  assign out_valid_o = valid_q;
  assign out_first_o = first_q;
  assign out_last_o  = last_q;
  assign out_dws_o   = dws_q;
  assign out_data_o  = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      beat_q  <= 3'd0;
      ended_q <= 1'b0;
    end else begin
      if (go) valid_q <= 1'b1;
      else if (out_ready_i) valid_q <= 1'b0;
      if (go) begin
        beat_q  <= last ? 3'd0 : beat_q == 3'd7 ? 3'd7 : beat_q + 3'd1;
        ended_q <= !last && (ended_q || (need && pay_i.last));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
      left_q  <= left - 11'(BeatDw);
      rest_q  <= turned;
      data_q  <= data;
      first_q <= first;
      last_q  <= last;
      dws_q   <= DwsW'(left - 11'd1);
    end
  end

  logic unused;
  assign unused = pay_i.err ^ pay_i.ur;  // who sends looks at it before

`ifdef FORMAL
`include "nic_tx_beat_props.svh"
`endif

endmodule

`default_nettype wire
