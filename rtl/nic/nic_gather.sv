// SPDX-License-Identifier: Apache-2.0
// nic_gather: brings the bytes of a packet from one or two places in memory, and lets its head go when all of them are there.
//
//   packet --+--> [ heads ] ----------------------------------------------+--> head_o, lost_o
//            +--> jobs ... bytes --> nic_pack --> [ two packets' room ] --+--> pay_o
//
// P1  Packets leave in order, each with head.bytes bytes: those of its pieces, one behind the other.
// P2  A packet of which a byte could not be read leaves as lost_o with its head and without an item; later packets of its QP
//     vanish until clear_valid_i names it. Those of other QPs go on.
// P3  What is offered stays until it is taken. busy_o while a packet is inside.
//
// Jobs run ahead of the packet that leaves by up to Ahead packets. Rate: a job a cycle, a beat a cycle.
// Cost: RAM of 8 KiB, Ahead heads in LUT RAM, nic_pack.
`default_nettype none

module nic_gather #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Ahead = 8,
  parameter int unsigned NoteW = 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // A packet: head, where its bytes are, and a note that comes back if it is lost
  input  wire logic             pkt_valid_i,
  output logic                  pkt_ready_o,
  input  wire nic_pkg::head_t   pkt_head_i,
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
  output nic_pkg::head_t        head_o,
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
  localparam int unsigned HeadW = nic_pkg::HeadW + 8 + 24 + NoteW;
  localparam int unsigned Room = 2 * 4096 / nic_pkg::BeatBytes;

  // ---- in: the head waits, the pieces are asked for ----
  logic        head_room, front_valid, front_pop, ask_q, take, done, order_room, order_push, none;
  logic [15:0] rid_q;
  logic [63:0] va1_q, va2_q;
  logic [12:0] len1_q, len2_q;

  assign pkt_ready_o = head_room && (!ask_q || done);
  assign take        = pkt_valid_i && pkt_ready_o;
  cm_fifo #(.Width(HeadW), .Depth(Ahead)) u_heads (
    .clk_i, .rst_ni, .clr_i(1'b0), .in_valid_i(take), .in_ready_o(head_room),
    .in_data_i({pkt_head_i, pkt_qp_i, pkt_nth_i, pkt_note_i}), .out_valid_o(front_valid), .out_ready_i(front_pop),
    .out_data_o({head_o, qp_o, nth_o, note_o}), .level_o()
  );

  assign none        = len1_q == 13'd0 && len2_q == 13'd0;
  assign job_valid_o = ask_q && !none && order_room;
  assign order_push  = ask_q && order_room && (none || job_ready_i);
  assign done        = order_push && (none || len1_q == 13'd0 || len2_q == 13'd0);
  always_comb begin
    job_o     = '0;
    job_o.rid = rid_q;
    job_o.src = nic_pkg::SrcReq;
    job_o.va  = len1_q != 13'd0 ? va1_q : va2_q;
    job_o.len = len1_q != 13'd0 ? len1_q : len2_q;
  end

  // ---- back: pieces joined, the item stored until its last beat ----
  logic            order_valid, order_pop, piece_none, piece_last, piece_valid, piece_ready, item_valid, item_ready;
  nic_pkg::bytes_t piece, item;
  cm_fifo #(.Width(2), .Depth(2 * Ahead)) u_order (
    .clk_i, .rst_ni, .clr_i(1'b0), .in_valid_i(order_push), .in_ready_o(order_room), .in_data_i({none, done}),
    .out_valid_o(order_valid), .out_ready_i(order_pop), .out_data_o({piece_none, piece_last}), .level_o()
  );
  assign piece_valid = order_valid && (piece_none || in_valid_i);
  assign in_ready_o  = order_valid && !piece_none && piece_ready;
  assign order_pop   = piece_valid && piece_ready && (piece_none || in_beat_i.last);
  always_comb begin
    piece       = in_beat_i;
    piece.last  = in_beat_i.last && piece_last;
    if (piece_none) begin
      piece.last  = 1'b1;
      piece.err   = 1'b0;
      piece.bytes = '0;
    end
  end
  nic_pack u_pack (
    .clk_i, .rst_ni, .in_valid_i(piece_valid), .in_ready_o(piece_ready), .in_beat_i(piece),
    .out_valid_o(item_valid), .out_ready_i(item_ready), .out_beat_o(item)
  );
  logic store_valid, store_pop, verdict_valid, verdict_room, bad;
  logic store_room;
  assign item_ready = store_room && verdict_room;
  nic_pkg::bytes_t store;
  cm_fifo_ram #(.Width(nic_pkg::BytesW), .Depth(Room)) u_store (
    .clk_i, .rst_ni, .clr_i(1'b0), .in_valid_i(item_valid && verdict_room), .in_ready_o(store_room), .in_data_i(item),
    .out_valid_o(store_valid), .out_ready_i(store_pop), .out_data_o(store), .level_o()
  );
  cm_fifo #(.Width(1), .Depth(Ahead)) u_verdict (
    .clk_i, .rst_ni, .clr_i(1'b0), .in_valid_i(item_valid && store_room && item.last), .in_ready_o(verdict_room),
    .in_data_i(item.err), .out_valid_o(verdict_valid), .out_ready_i(front_pop), .out_data_o(bad), .level_o()
  );

  // ---- out: head and item of the packet in front ----
  logic [NumQps-1:0] drop_q;
  logic              front, drop, good, head_sent_q, pay_sent_q, head_done, pay_done;
  assign front        = front_valid && verdict_valid;
  assign drop         = drop_q[qp_o[IdxW-1:0]] && !head_sent_q;
  assign good         = !bad && !drop_q[qp_o[IdxW-1:0]];
  assign lost_o       = bad;
  assign head_valid_o = front && !head_sent_q && !drop;
  assign pay_valid_o  = front && good && !pay_sent_q && store_valid;
  always_comb begin
    pay_o     = store;
    pay_o.err = 1'b0;
  end
  assign store_pop    = front && !pay_sent_q && (!good || pay_ready_i);
  assign head_done    = head_sent_q || drop || head_ready_i;
  assign pay_done     = pay_sent_q || (store_valid && store.last && store_pop);
  assign front_pop    = front && head_done && pay_done;
  assign busy_o       = front_valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_q       <= 1'b0;
      head_sent_q <= 1'b0;
      pay_sent_q  <= 1'b0;
      drop_q      <= '0;
    end else begin
      if (take) ask_q <= 1'b1;
      else if (done) ask_q <= 1'b0;
      head_sent_q <= front && head_done && !front_pop;
      pay_sent_q  <= front && pay_done && !front_pop;
      if (head_valid_o && head_ready_i && lost_o) drop_q[qp_o[IdxW-1:0]] <= 1'b1;
      if (clear_valid_i) drop_q[clear_qp_i[IdxW-1:0]] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      rid_q  <= pkt_rid_i;
      va1_q  <= pkt_va1_i;
      len1_q <= pkt_len1_i;
      va2_q  <= pkt_va2_i;
      len2_q <= pkt_len2_i;
    end else if (order_push) len1_q <= '0;
  end

`ifdef FORMAL
`include "nic_gather_props.svh"
`endif

endmodule

`default_nettype wire
