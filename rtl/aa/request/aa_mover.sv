// SPDX-License-Identifier: Apache-2.0
// aa_mover: carries out decisions on the payload: to the host, to the access log, to both, or away.
//
//   move --> [ FIFO ] --> head --+-- header + payload beats --> host
//   payload of the lane ---------+-- entry + payload beats ---> aa_log_put
//                                +-- (dropped)
//
// P1  A forwarded TLP leaves whole and in the order of decisions: max(1, beats) beats, sop first, eop last.
// P2  A beat that is offered stays until it is taken.
// P3  The log gets the entry, and each payload beat if it wants data, exactly once.
// P4  The payload of one decision is taken before that of the next, exactly `beats` of its lane.
// P5  drained_o: all that was decided up to the last snap_i has left.
//
// Latency 1, rate one beat a cycle whatever the targets. Cost: a FIFO of Depth move_t in LUT RAM.
// Rules of README.md: DEC-19, LOG-4, INV-5, DUE-5.
`default_nettype none

module aa_mover #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Depth = 4,
  localparam int unsigned NumLanes = 2 * NumPorts
) (
  input  wire logic                                clk_i,
  input  wire logic                                rst_ni,

  // Decisions
  input  wire logic                                move_valid_i,
  output logic                                     move_ready_o,
  input  wire aa_pkg::move_t                       move_i,

  // Payload, one FIFO a lane
  input  wire logic [NumLanes-1:0]                 pay_valid_i,
  output logic      [NumLanes-1:0]                 pay_ready_o,
  input  wire logic [NumLanes*cm_pkg::DataW-1:0]   pay_data_i,

  // Host
  output logic                                     host_valid_o,
  input  wire logic                                host_ready_i,
  output cm_pkg::tlp_t                             host_beat_o,

  // Log
  output logic                                     put_valid_o,
  input  wire logic                                put_ready_i,
  output aa_pkg::put_log_t                         put_o,
  output logic                                     data_valid_o,
  input  wire logic                                data_ready_i,
  output logic      [cm_pkg::DataW-1:0]            data_o,

  // Drain
  input  wire logic                                snap_i,
  output logic                                     drained_o
);

  localparam int unsigned LenW = $clog2(cm_pkg::BeatDw);

  aa_pkg::move_t head;
  logic head_valid, head_done;
  logic [aa_pkg::MoveW-1:0] head_bits;
  logic [$clog2(Depth+1)-1:0] level;

  cm_fifo #(
    .Width(aa_pkg::MoveW),
    .Depth(Depth)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(move_valid_i),
    .in_ready_o(move_ready_o),
    .in_data_i(move_i),
    .out_valid_o(head_valid),
    .out_ready_i(head_done),
    .out_data_o(head_bits),
    .level_o(level)
  );
  assign head = head_bits;

  // ---- one step: a payload beat, or the only step of a decision without payload ----
  logic [8:0] beat_q;
  logic first, last, pay, pay_valid, room, step;
  logic [cm_pkg::DataW-1:0] data;

  always_comb begin
    pay_valid = 1'b0;
    data = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (head.lane == 4'(l)) begin
        pay_valid = pay_valid_i[l];
        data = data | pay_data_i[cm_pkg::DataW*l+:cm_pkg::DataW];
      end
    end
  end

  assign first = beat_q == '0;
  assign pay = head.beats != '0;
  assign last = !pay || beat_q == head.beats - 9'd1;

  // The log's side keeps its room once it has offered it, so it may gate the host's valid without making it drop.
  logic put_here, data_here, data_room, put_room;
  assign put_here = head.put && first;
  assign data_here = head.put && head.log.hdr.data && pay;
  assign room = (!put_here || put_room) && (!data_here || data_room);
  assign host_valid_o = head_valid && head.fwd && (!pay || pay_valid) && room;
  assign step = head_valid && (!pay || pay_valid) && room && (!head.fwd || host_ready_i);
  assign head_done = step && last;

  always_comb begin
    for (int unsigned l = 0; l < NumLanes; l++) pay_ready_o[l] = step && pay && head.lane == 4'(l);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) beat_q <= '0;
    else if (step) beat_q <= last ? '0 : beat_q + 9'd1;
  end

  // Only the last beat can be partly filled: Length modulo the beat says how far.
  cm_pkg::tlp_req_t head_hdr;
  logic [LenW-1:0]  rest;
  logic             unused;
  assign head_hdr = head.hdr;
  assign unused   = &{1'b0, head_hdr};
  assign rest = head_hdr.len[LenW-1:0];
  always_comb begin
    host_beat_o = '0;
    host_beat_o.sop = first;
    host_beat_o.eop = last;
    host_beat_o.seq = head.seq;
    host_beat_o.hdr = head.hdr;
    host_beat_o.data = pay ? data : '0;
    for (int unsigned i = 0; i < cm_pkg::BeatDw; i++) begin
      host_beat_o.strb[i] = pay && (!last || rest == '0 || LenW'(i) < rest);
    end
  end

  // ---- the log's side, decoupled so that its ready never falls without a push ----
  logic [aa_pkg::PutLogW-1:0] put_bits;

  cm_fifo #(
    .Width(aa_pkg::PutLogW),
    .Depth(2)
  ) u_put (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(step && put_here),
    .in_ready_o(put_room),
    .in_data_i(head.log),
    .out_valid_o(put_valid_o),
    .out_ready_i(put_ready_i),
    .out_data_o(put_bits),
    .level_o()
  );
  assign put_o = put_bits;

  cm_fifo #(
    .Width(cm_pkg::DataW),
    .Depth(4)
  ) u_data (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(step && data_here),
    .in_ready_o(data_room),
    .in_data_i(data),
    .out_valid_o(data_valid_o),
    .out_ready_i(data_ready_i),
    .out_data_o(data_o),
    .level_o()
  );

  // ---- drain: at most Depth decisions are inside, so a short running count tells old from new ----
  localparam int unsigned CountW = $clog2(Depth) + 2;
  logic [CountW-1:0] in_q, out_q, mark_q;
  logic pending_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
      mark_q <= '0;
      pending_q <= 1'b0;
    end else begin
      in_q <= in_q + CountW'(move_valid_i && move_ready_o);
      out_q <= out_q + CountW'(head_done);
      if (snap_i) begin
        mark_q <= in_q;
        pending_q <= 1'b1;
      end else if (out_q == mark_q) pending_q <= 1'b0;
    end
  end
  assign drained_o = !pending_q && !snap_i;

`ifdef FORMAL
`include "aa_mover_props.svh"
`endif

endmodule

`default_nettype wire
