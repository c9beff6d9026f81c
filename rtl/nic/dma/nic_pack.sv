// SPDX-License-Identifier: Apache-2.0
// nic_pack: packs pieces of any number of bytes into full beats: the way back of nic_take.
//
//   piece --> rotate --+--> select --> | beat | --> out
//                      |      ^                        fill_q bytes wait in the rest
//                      +--> | rest |
//
// P1  An item is the bytes of its pieces up to the one with last, in order, none lost, none twice; its beats are full
//     but the last.
// P2  An item of which all pieces are empty is one beat without bytes.
// P3  A waiting beat never changes, and out_valid_o falls only when it has left.
// P4  err of a beat says whether a piece up to the one that pushes it out had err, which is the next one for a beat
//     that was full before; of the last beat: whether any had.
// P5  Rate: a piece a cycle; an item that ends leaves nothing of its own behind that could stop the next one's pieces.
// P6  ur of a beat is 0: who refused a read is told with its pieces.
//
// A piece is nic_pkg::bytes_t with 0 to BeatBytes bytes from byte 0 on; its last ends the item. So several reads, each
// an item, are gathered into one by passing on the last of the last read only. Since a byte is not shown before it is
// known whether another follows, a full rest waits. Bytes behind `bytes` are anything.
// Latency 2 at most from the piece with last, ready follows out_ready_i.
// Cost at 256 bits: 2108 LUT4, 531 flip-flops, 6 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module nic_pack (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  // Pieces
  input  wire logic            in_valid_i,
  output logic                 in_ready_o,
  input  wire nic_pkg::bytes_t in_beat_i,

  // Packed
  output logic                 out_valid_o,
  input  wire logic            out_ready_i,
  output nic_pkg::bytes_t      out_beat_o
);

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned ByteW = $clog2(BeatBytes);

  // The rest: fill_q bytes of an item (0 to BeatBytes); over_q: the item has ended, they are its last beat.
  logic [DataW-1:0]     rest_q, out_q, turned, merged;
  logic [6:0]           fill_q, sum_fill;
  logic [7:0]           sum;
  logic                 over_q, err_q, err, load, take, emit;
  logic                 out_valid_q, out_last_q, out_err_q;
  logic [6:0]           out_bytes_q;
  logic [ByteW-1:0]     rot;
  logic [BeatBytes-1:0] kept;  // bytes of the rest that stay where they are

  assign load       = !out_valid_q || out_ready_i;
  assign in_ready_o = load;
  assign take       = in_valid_i && in_ready_o;

  assign rot  = over_q ? '0 : fill_q[ByteW-1:0];
  assign kept = over_q ? '1 : ~({BeatBytes{1'b1}} << fill_q);
  assign sum  = {1'b0, fill_q} + {1'b0, in_beat_i.bytes};
  logic unused;
  assign unused = in_beat_i.ur;
  assign err  = in_beat_i.err || (err_q && !over_q);

  // The rest is shown when it is over, or when the piece has more bytes than it has room for.
  assign emit = over_q || (in_valid_i && sum > 8'(BeatBytes));

  always_comb begin
    turned = in_beat_i.data;
    for (int l = ByteW - 1; l >= 0; l--) begin
      if (rot[l]) turned = (turned << (8 << l)) | (turned >> (DataW - (8 << l)));
    end
    for (int unsigned p = 0; p < BeatBytes; p++) merged[8*p+:8] = kept[p] ? rest_q[8*p+:8] : turned[8*p+:8];
  end

  assign sum_fill = over_q ? in_beat_i.bytes : emit ? 7'(sum - 8'(BeatBytes)) : sum[6:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q      <= '0;
      over_q      <= 1'b0;
      err_q       <= 1'b0;
      out_valid_q <= 1'b0;
    end else if (load) begin
      out_valid_q <= emit;
      if (take) begin
        fill_q <= sum_fill;
        over_q <= in_beat_i.last;
        err_q  <= err;
      end else if (over_q) begin
        fill_q <= '0;
        over_q <= 1'b0;
        err_q  <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      out_q       <= merged;
      out_last_q  <= over_q;
      out_bytes_q <= over_q ? fill_q : 7'(BeatBytes);
      out_err_q   <= over_q ? err_q : err;
    end
    for (int unsigned p = 0; p < BeatBytes; p++)
      if (!kept[p] || (load && emit)) rest_q[8*p+:8] <= turned[8*p+:8];
  end

  assign out_valid_o = out_valid_q;
  assign out_beat_o  = {out_last_q, out_err_q, 1'b0, out_bytes_q, out_q};

`ifdef FORMAL
`include "nic_pack_props.svh"
`endif

endmodule

`default_nettype wire
