// SPDX-License-Identifier: Apache-2.0
// nic_rx_pay: payload out of IP beats, with its first byte in byte 0 of a beat.
//
//   IP beats --> | c | --+--[ words rot .. rot + BeatDw - 1 of both ]--> pay      rot = words of headers mod BeatDw
//           \____________+
//
// P1  Of a frame whose payload fits, beats of it leave until there are as many as its length says, or the frame ends;
//     the last has last. A payload of no bytes is one beat. What is behind the payload in its last beat is anything.
// P2  Beat i leaves in the cycle in which IP beat (start + i + 1) of the same frame is shown, or the one after the
//     frame's last.
//
// The second IP beat is always waited for, also if rot is 0 (15 to 23 words of IPv6 have it), and the ICRC stands
// behind the payload, so the beats of two frames never meet. Cost: DataW + 25 flip-flops, about 4 LUT4 a bit of data, 6
// levels.
`default_nettype none

module nic_rx_pay #(
  localparam int unsigned DataW = nic_pkg::DataW,
  localparam int unsigned BeatDw = nic_pkg::BeatDw,
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes,
  localparam int unsigned DwsW = $clog2(BeatDw)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // IP beats
  input  wire logic              ip_valid_i,
  input  wire logic              ip_last_i,
  input  wire logic [2:0]        ip_beat_i,
  input  wire logic [DataW-1:0]  ip_data_i,

  // Of the frame of the beat before (nic_rx_head)
  input  wire logic [4:0]        words_i,  // of headers
  input  wire logic              fits_i,
  input  wire logic [12:0]       bytes_i,

  // Out
  output logic                   pay_valid_o,
  output nic_pkg::bytes_t        pay_o
);

  logic             full_q, last_q, emit, start, last;
  logic [2:0]       beat_q;
  logic [DataW-1:0] data_q, data;
  logic [12:0]      left_q, left;
  logic [6:0]       bytes;

  assign emit  = full_q && (last_q || ip_valid_i);
  assign start = fits_i && {1'b0, beat_q} == 4'(words_i >> DwsW);  // fits_i is 0 until words_i are this frame's
  assign left  = start ? bytes_i : left_q;
  assign last  = left <= 13'(BeatBytes);
  assign bytes = last ? left[6:0] : 7'(BeatBytes);
  assign data  = DataW'({ip_data_i, data_q} >> {words_i[DwsW-1:0], 5'd0});

  assign pay_valid_o = emit && fits_i && (start || left_q != '0);
  assign pay_o       = {last, 2'b00, bytes, data};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      full_q <= 1'b0;
      left_q <= '0;
    end else begin
      if (ip_valid_i) full_q <= 1'b1;
      else if (emit) full_q <= 1'b0;
      if (emit) left_q <= last_q ? '0 : left - 13'(bytes);
    end
  end

  always_ff @(posedge clk_i) begin
    if (ip_valid_i) begin
      data_q <= ip_data_i;
      last_q <= ip_last_i;
      beat_q <= ip_beat_i;
    end
  end

`ifdef FORMAL
`include "nic_rx_pay_props.svh"
`endif

endmodule

`default_nettype wire
