// SPDX-License-Identifier: Apache-2.0
// nic_gather: brings the bytes of a packet from one or two places in memory, and lets its head go when all of them are
// there.
//
//   packet --+--> [ heads ] -------------------------------------------------------------+--> head_o, lost_o
//            +--> [ pieces ] --> jobs ... bytes --> | skid | --> nic_pack --> [ room ] --+--> pay_o
//
// P1  Packets leave in order, each with head.bytes bytes: those of its pieces, one behind the other.
// P2  A packet of which a byte could not be read leaves as lost_o with its head and without an item; later packets of
//     its QP vanish until clear_valid_i names it. Those of other QPs go on.
// P3  What is offered stays until it is taken. busy_o while a packet is inside.
// P4  Inside are Ahead packets at most, and of no more bytes than eight of the longest: with 8 beats for its head each,
//     8 x (4096 bytes + 8 beats). So no packet waits here longer than NIC_LATE says, however slow memory is.
// P5  pkt_room_o: there is room for one more packet after the one that is taken in this cycle. From reset on there is.
//
// Jobs run ahead of the packet that leaves, as far as P4 lets them, and a packet is taken whether or not memory takes
// jobs. There is room for two packets of the longest. Whose bytes come is known late, and so is that they are taken:
// neither goes further than a cm_skid. Packets of 64 bytes leave every five beats of 256 bits: 64 of them cover 300
// cycles of memory. Rate: a job a cycle, a beat a cycle.
// Cost: RAM of 8 KiB and of Ahead heads, pieces of 16 packets in LUT RAM, nic_pack.
// One file: room, jobs, order and verdicts are of the same packets; nearly all of it is FIFOs that hang on each other.
`default_nettype none

module nic_gather #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Ahead = 64,
  parameter int unsigned NoteW = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // A packet: head, where its bytes are, and a note that comes back if it is lost
  input  wire logic             pkt_valid_i,
  output logic                  pkt_ready_o,
  output logic                  pkt_room_o,
  input  wire nic_pkg::tx_head_t pkt_head_i,
  input  wire logic [7:0]       pkt_qp_i,
  input  wire logic [23:0]      pkt_nth_i,
  input  wire logic [NoteW-1:0] pkt_note_i,
  input  wire logic [15:0]      pkt_rid_i,
  input  wire logic [63:0]      pkt_va1_i,
  input  wire logic [12:0]      pkt_len1_i,
  input  wire logic [63:0]      pkt_va2_i,
  input  wire logic [12:0]      pkt_len2_i,

  // Reads
  output logic                  job_valid_o,
  input  wire logic             job_ready_i,
  output nic_pkg::dma_t         job_o,
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire nic_pkg::bytes_t  in_beat_i,

  // To nic_tx
  output logic                  head_valid_o,
  input  wire logic             head_ready_i,
  output nic_pkg::tx_head_t     head_o,
  output logic      [7:0]       qp_o,
  output logic      [23:0]      nth_o,
  output logic                  lost_o,
  output logic      [NoteW-1:0] note_o,
  output logic                  pay_valid_o,
  input  wire logic             pay_ready_i,
  output nic_pkg::bytes_t       pay_o,

  input  wire logic             clear_valid_i,
  input  wire logic [7:0]       clear_qp_i,
  output logic                  busy_o
);

  localparam int unsigned IdxW = $clog2(NumQps);
  localparam int unsigned HeadW = nic_pkg::TxHeadW + 8 + 24 + NoteW;
  localparam int unsigned Room = 2 * 4096 / nic_pkg::BeatBytes;

  if (Ahead < 3) begin : gen_bad_ahead $error("nic_gather: Ahead must be at least 3"); end

  localparam int unsigned AheadW = $clog2(Ahead + 1);
  localparam int unsigned Longest = 4096 / nic_pkg::BeatBytes + 8;  // a packet, in beats
  localparam int unsigned LoadW = $clog2(8 * Longest + 1);
  localparam int unsigned Pieces = 16;                              // packets whose jobs wait
  localparam int unsigned PiecesW = $clog2(Pieces + 1);

  // ---- room: packets, pieces, beats ----
  logic               take, front_valid, front_pop, gone, took_q, left_q, load_ok_q, load_more_q;
  logic [12:0]        took_bytes_q, left_bytes_q, gone_bytes;
  logic [LoadW-1:0]   load_q, load_d;
  logic [AheadW-1:0]  heads;
  logic [PiecesW-1:0] pieces;

  // What a packet counts for is known a cycle after it has come, so two may come before it does.
  assign load_d      = load_q + (took_q ? weight(took_bytes_q) : '0) - (left_q ? weight(left_bytes_q) : '0);
  assign take        = pkt_valid_i && pkt_ready_o;
  assign pkt_ready_o = heads != AheadW'(Ahead) && pieces != PiecesW'(Pieces) && load_ok_q;
  assign pkt_room_o  = 32'(heads) + 32'd1 < Ahead && 32'(pieces) + 32'd1 < Pieces && load_more_q && !took_q;

  function automatic logic [LoadW-1:0] weight(input logic [12:0] bytes);
    weight = LoadW'((32'(bytes) + nic_pkg::BeatBytes - 32'd1) / nic_pkg::BeatBytes) + LoadW'(8);
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      took_q    <= 1'b0;
      left_q    <= 1'b0;
      load_q    <= '0;
      load_ok_q <= 1'b1;
      load_more_q <= 1'b1;
    end else begin
      took_q    <= take;
      left_q    <= gone;
      load_q    <= load_d;
      load_ok_q <= 32'(load_d) <= 6 * Longest;
      load_more_q <= 32'(load_d) <= 5 * Longest;
    end
  end
  always_ff @(posedge clk_i) begin
    took_bytes_q <= pkt_head_i.bytes;
    left_bytes_q <= gone_bytes;
  end

  // ---- in: the head waits, the pieces are asked for ----
  logic        ask, second_q, done, order_room, order_push, none, one, two, unused_heads, unused_pieces;
  logic [15:0] rid;
  logic [63:0] va1, va2;
  logic [12:0] len1, len2;

  cm_fifo_ram #(
    .Width(HeadW),
    .Depth(Ahead)
  ) u_heads (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(take),
    .in_ready_o(unused_heads),
    .in_data_i({pkt_head_i, pkt_qp_i, pkt_nth_i, pkt_note_i}),
    .out_valid_o(front_valid),
    .out_ready_i(front_pop),
    .out_data_o({head_o, qp_o, nth_o, note_o}),
    .level_o(heads)
  );
  cm_fifo #(
    .Width(2 + 16 + 2 * (64 + 13)),
    .Depth(Pieces)
  ) u_pieces (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(take),
    .in_ready_o(unused_pieces),
    .in_data_i({pkt_len1_i != 13'd0, pkt_len2_i != 13'd0, pkt_rid_i, pkt_va1_i, pkt_len1_i, pkt_va2_i, pkt_len2_i}),
    .out_valid_o(ask),
    .out_ready_i(done),
    .out_data_o({one, two, rid, va1, len1, va2, len2}),
    .level_o(pieces)
  );

  logic first;
  assign first       = !second_q && one;
  assign none        = !one && !two;
  assign job_valid_o = ask && !none && order_room;
  assign order_push  = ask && order_room && (none || job_ready_i);
  assign done        = order_push && (!first || !two);
  always_comb begin
    job_o     = '0;
    job_o.rid = rid;
    job_o.src = nic_pkg::SrcReq;
    job_o.va  = first ? va1 : va2;
    job_o.len = first ? len1 : len2;
  end

  // ---- back: pieces joined, the item stored until its last beat ----
  logic            order_valid, order_pop, piece_none, piece_last, piece_valid, piece_ready, item_valid, item_ready,
                   here_valid, here_ready;
  nic_pkg::bytes_t here, piece, item;
  cm_skid #(
    .Width(nic_pkg::BytesW)
  ) u_in (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_data_i(in_beat_i),
    .out_valid_o(here_valid),
    .out_ready_i(here_ready),
    .out_data_o(here),
    .level_o()
  );
  cm_fifo #(
    .Width(2),
    .Depth(2 * Ahead)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(order_push),
    .in_ready_o(order_room),
    .in_data_i({none, done}),
    .out_valid_o(order_valid),
    .out_ready_i(order_pop),
    .out_data_o({piece_none, piece_last}),
    .level_o()
  );
  assign piece_valid = order_valid && (piece_none || here_valid);
  assign here_ready  = order_valid && !piece_none && piece_ready;
  assign order_pop   = piece_valid && piece_ready && (piece_none || here.last);
  always_comb begin
    piece       = here;
    piece.last  = here.last && piece_last;
    if (piece_none) begin
      piece.last  = 1'b1;
      piece.err   = 1'b0;
      piece.bytes = '0;
    end
  end
  nic_pack u_pack (
    .clk_i,
    .rst_ni,
    .in_valid_i(piece_valid),
    .in_ready_o(piece_ready),
    .in_beat_i(piece),
    .out_valid_o(item_valid),
    .out_ready_i(item_ready),
    .out_beat_o(item)
  );
  logic store_valid, store_pop, verdict_valid, unused_room, bad;
  logic store_room;
  assign item_ready = store_room;  // a verdict has room, since its head has (p5_verdict)
  nic_pkg::bytes_t store;
  cm_fifo_ram #(
    .Width(nic_pkg::BytesW),
    .Depth(Room)
  ) u_store (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(item_valid),
    .in_ready_o(store_room),
    .in_data_i(item),
    .out_valid_o(store_valid),
    .out_ready_i(store_pop),
    .out_data_o(store),
    .level_o()
  );
  cm_fifo #(
    .Width(1),
    .Depth(Ahead)
  ) u_verdict (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(item_valid && store_room && item.last),
    .in_ready_o(unused_room),
    .in_data_i(item.err),
    .out_valid_o(verdict_valid),
    .out_ready_i(front_pop),
    .out_data_o(bad),
    .level_o()
  );

  // ---- out: the head in front, whose bytes are all here; its item behind it, or nowhere ----
  logic [NumQps-1:0] drop_q;
  logic              front, drop, leave_room, leaves, leaves_good;
  assign front        = front_valid && verdict_valid && leave_room;
  assign drop         = drop_q[qp_o[IdxW-1:0]];
  assign lost_o       = bad;
  assign head_valid_o = front && !drop;
  assign front_pop    = front && (drop || head_ready_i);

  // Heads run ahead of items, so that nic_tx makes a frame's header beside the payload of the one before.
  cm_fifo #(
    .Width(14),
    .Depth(4)
  ) u_leaving (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(front_pop),
    .in_ready_o(leave_room),
    .in_data_i({!bad && !drop, head_o.bytes}),
    .out_valid_o(leaves),
    .out_ready_i(gone),
    .out_data_o({leaves_good, gone_bytes}),
    .level_o()
  );
  assign pay_valid_o = leaves && leaves_good && store_valid;
  always_comb begin
    pay_o     = store;
    pay_o.err = 1'b0;
  end
  assign store_pop = leaves && (!leaves_good || pay_ready_i);
  assign gone      = store_pop && store_valid && store.last;
  assign busy_o    = heads != '0 || leaves;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      drop_q   <= '0;
    end else begin
      if (order_push) second_q <= !done;
      if (head_valid_o && head_ready_i && lost_o) drop_q[qp_o[IdxW-1:0]] <= 1'b1;
      if (clear_valid_i) drop_q[clear_qp_i[IdxW-1:0]] <= 1'b0;
    end
  end

`ifdef FORMAL
`include "nic_gather_props.svh"
`endif

endmodule

`default_nettype wire
