// SPDX-License-Identifier: Apache-2.0
// nic_take: the front of a byte stream, of which any number of bytes is taken a cycle. The rotator that unaligned data
// need.
//
//   in --> | two beats | --> select --> rotate --> mask --> data_o, count_o, last_o
//                              ^ off_q      <---- step_i, take_i
//
// P1  The bytes taken, item by item, are those that came in: unchanged, in order, none lost, none twice; err_o is the
//     item's.
// P2  valid_o means that the window is as full as it gets: count_o = BeatBytes (at an item's start BeatBytes - lead_i),
//     or less and last_o, which says that the item's end is in the window. Bytes of data_o in front of lead_i and
//     behind count_o are 0.
// P3  With step_i (only while valid_o) the first take_i bytes go, at most count_o; all of them with last_o: the item
//     has ended. Who takes knows that without a look at what is here, and says so: end_i.
// P4  Without step_i the window stays as it is, as long as lead_i does.
// P5  Rate: a window in every cycle, as long as a beat comes in every cycle.
//
// At the start of an item (and only there) lead_i = 1 to 3 leaves so many empty bytes in front of its first: a payload
// whose address is not a multiple of 4. An item without bytes is a window with count_o = 0 and last_o; step_i ends it.
// The two beats are not moved: a byte of the window is at its place in the first beat, or, if that has been taken, in
// the second. A slot that is free, or will be, keeps whatever comes: that something comes is known late, and enables no
// beat's register. Latency 1, rate 1; in_ready_o follows step_i. Cost at 256 bits: 1795 LUT4, 539 flip-flops, 6 levels
// (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module nic_take (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  // In
  input  wire logic                       in_valid_i,
  output logic                            in_ready_o,
  input  wire nic_pkg::bytes_t            in_beat_i,

  // Window
  output logic                            valid_o,
  output logic      [nic_pkg::DataW-1:0]  data_o,
  output logic      [6:0]                 count_o,
  output logic                            last_o,
  output logic                            err_o,
  input  wire logic [1:0]                 lead_i,
  input  wire logic                       step_i,
  input  wire logic [6:0]                 take_i,
  input  wire logic                       end_i   // with step_i: these are the last bytes of the item
);

  localparam int unsigned DataW = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned ByteW = $clog2(BeatBytes);

  // Two beats: slot head_q is the first. off_q bytes of it have been taken; first_q: nothing of this item has.
  logic [DataW-1:0] data0_q, data1_q;
  logic [1:0]       last_q, err_q, level_q, drop;
  logic [6:0]       bytes0_q, bytes1_q;
  logic [1:0]       free;
  logic             head_q, first_q, push;
  logic [ByteW-1:0] off_q;

  logic             cur_last, nxt_last, nxt_valid;
  logic [6:0]       cur_bytes, nxt_bytes;
  assign cur_last  = last_q[head_q];
  assign nxt_last  = last_q[!head_q];
  assign cur_bytes = head_q ? bytes1_q : bytes0_q;
  assign nxt_bytes = head_q ? bytes0_q : bytes1_q;
  assign nxt_valid = level_q[1];

  // ---- how much is there ----
  // An item that ends in the second beat ends in the window if what it has there is no more than what was taken of the
  // first.
  logic [1:0] lead;
  logic [7:0] whole, stop;  // the item's end, counted in the two beats, and in the window
  logic       ends;
  assign lead    = first_q ? lead_i : 2'd0;
  assign ends    = cur_last || (nxt_valid && nxt_last);
  assign whole   = cur_last ? {1'b0, cur_bytes} : 8'(nxt_bytes) + 8'(BeatBytes);
  assign stop    = whole + (first_q ? {6'd0, lead_i} : 8'd0 - 8'(off_q));
  assign last_o  = ends && stop <= 8'(BeatBytes);
  assign count_o = (last_o ? stop[6:0] : 7'(BeatBytes)) - 7'(lead);
  assign valid_o = level_q != 2'd0 && (cur_last || off_q == '0 || nxt_valid);
  assign err_o   = err_q[head_q];

  // ---- select, rotate, mask ----
  logic [ByteW-1:0]     rot;
  logic [BeatBytes-1:0] from1, mask;
  logic [DataW-1:0]     merged, turned;
  assign rot = off_q | {{ByteW - 2{lead != 2'd0}}, ^lead, lead[0]};  // off_q - lead: one of the two is 0

  always_comb begin
    for (int unsigned p = 0; p < BeatBytes; p++) begin
      from1[p] = (ByteW'(p) < off_q) != head_q;
      merged[8*p+:8] = from1[p] ? data1_q[8*p+:8] : data0_q[8*p+:8];
    end
    turned = merged;
    for (int l = ByteW - 1; l >= 0; l--) begin
      if (rot[l]) turned = (turned >> (8 << l)) | (turned << (DataW - (8 << l)));
    end
    mask = ({BeatBytes{1'b1}} << lead) & ({BeatBytes{!ends}} | ~({BeatBytes{1'b1}} << stop));
    for (int unsigned p = 0; p < BeatBytes; p++) data_o[8*p+:8] = mask[p] ? turned[8*p+:8] : 8'd0;
  end

  logic unused;
  assign unused = in_beat_i.ur;

  // ---- what goes ----
  logic [7:0] sum;
  assign sum = 8'(off_q) + 8'(take_i);

  always_comb begin
    drop = 2'd0;
    if (step_i) begin
      if (end_i) drop = cur_last ? 2'd1 : 2'd2;
      else if (sum[ByteW]) drop = 2'd1;
    end
  end

  assign in_ready_o = !level_q[1] || drop != 2'd0;
  assign push       = in_valid_i && in_ready_o;
  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      free[s] = level_q == 2'd0 || drop[1] || (head_q == 1'(s) ? drop[0] : !level_q[1]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_q <= 2'd0;
      head_q  <= 1'b0;
      off_q   <= '0;
      first_q <= 1'b1;
    end else begin
      level_q <= level_q - drop + {1'b0, push};
      head_q  <= head_q ^ drop[0];
      if (step_i) begin
        off_q   <= end_i ? '0 : sum[ByteW-1:0];
        first_q <= end_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (free[0])
      {last_q[0], err_q[0], bytes0_q, data0_q} <= {in_beat_i.last, in_beat_i.err, in_beat_i.bytes, in_beat_i.data};
    if (free[1])
      {last_q[1], err_q[1], bytes1_q, data1_q} <= {in_beat_i.last, in_beat_i.err, in_beat_i.bytes, in_beat_i.data};
  end

`ifdef FORMAL
`include "nic_take_props.svh"
`endif

endmodule

`default_nettype wire
