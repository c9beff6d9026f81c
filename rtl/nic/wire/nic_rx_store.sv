// SPDX-License-Identifier: Apache-2.0
// nic_rx_store: where frames wait. Payload is written as it comes; a good verdict shows it with its head, a bad one
// takes it back.
//
//   pay --> [ read .. committed .. written ] --> | fetched | --> | 0 | 1 | -- turn --> pay out
//   head --> [ FIFO ] --> head out
//
// P1  Payload of good frames leaves unchanged and in order, none lost, none twice; of others nothing leaves.
// P2  A verdict includes the payload beat of its own cycle.
// P3  ready_o is low only when fewer than Slack beats or heads are free: what may be on its way here when it falls.
// P4  A waiting beat or head never changes, and valid falls only when it has left.
// P5  The payload of a head is not shown before the head is.
// P6  The RAM never reads and writes one address in one cycle.
// P7  next_valid_o: behind the head that is shown another waits, and its QP number is next_qp_o: it is shown when this
//     one has left.
//
// One beat a cycle in and out; payload is shown three cycles after the verdict, a head after one. What a block RAM says
// is known late in its cycle, so payload is shown from one of two registers, as in cm_skid; and what reads the RAM asks
// registers alone. That a beat leaves is known later still, and enables no beat's register.
// Cost: RAM of Beats x (DataW + 8) bits, two beats, LUT RAM of Frames heads and QP numbers, five pointers.
// Rules of README.md: FRM-6.
`default_nettype none

module nic_rx_store #(
  parameter int unsigned Beats = 512,  // power of two
  parameter int unsigned Frames = 16,
  parameter int unsigned Slack = 5
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // In
  output logic                   ready_o,
  input  wire logic              pay_valid_i,
  input  wire nic_pkg::bytes_t   pay_i,
  input  wire logic              judged_valid_i,
  input  wire nic_pkg::rx_e      judged_i,
  input  wire nic_pkg::head_t    head_i,

  // Heads
  output logic                   head_valid_o,
  input  wire logic              head_ready_i,
  output nic_pkg::head_t         head_o,
  output logic                   next_valid_o,  // there is one behind it, of this QP number
  output logic      [23:0]       next_qp_o,

  // Payload
  output logic                   pay_valid_o,
  input  wire logic              pay_ready_i,
  output nic_pkg::bytes_t        pay_o
);

  if (Beats < 8 || (Beats & (Beats - 1)) != 0) begin : gen_bad_beats
    $error("nic_rx_store: Beats must be a power of two, at least 8");
  end
  if (Frames <= Slack || Beats <= Slack) begin : gen_bad_frames
    $error("nic_rx_store: Frames and Beats must be more than Slack");
  end

  localparam int unsigned PtrW = $clog2(Beats);
  localparam int unsigned LevelW = $clog2(Frames + 1);
  localparam int unsigned FrameW = $clog2(Frames);

  logic                       commit, rewind, ready_q, head_ready;
  logic [LevelW-1:0]          heads;
  logic [PtrW:0]              wptr_q, cptr_q, rptr_q, wnext, used;
  logic                       take, valid_q, moves, pay_pop, head_pop, turn_q, free;
  logic                       last_q, last_d;  // of the beat that is shown: much hangs on it
  logic [1:0]                 full_q;  // beats that are shown, or will be: turn_q's next
  logic [nic_pkg::BytesW-3:0] mem_q [Beats];
  logic [nic_pkg::BytesW-3:0] rdata_q, keep0_q, keep1_q;  // without err and ur
  logic [nic_pkg::BytesW-4:0] keep;  // nor last
  // heads that have left, less items that have, and one: 0 if the next item must wait
  logic [PtrW+1:0]            shown_q;
  logic                       next_q, shows, ends;  // next: it need not, known at the beginning of the cycle

  assign commit = judged_valid_i && judged_i == nic_pkg::RxGood;
  assign rewind = judged_valid_i && judged_i != nic_pkg::RxGood;
  assign wnext  = wptr_q + (PtrW + 1)'(pay_valid_i);
  assign used   = wptr_q - rptr_q;
  // What was fetched goes on unless both places are taken.
  assign moves  = valid_q && full_q != 2'b11;
  assign take   = cptr_q != rptr_q && (!valid_q || moves);
  assign free   = turn_q ^ full_q[turn_q];
  assign keep   = turn_q ? keep1_q[nic_pkg::BytesW-4:0] : keep0_q[nic_pkg::BytesW-4:0];

  assign ready_o     = ready_q;
  assign pay_valid_o = full_q != 2'b00 && next_q;
  assign pay_o       = {last_q, 2'b00, keep};
  assign pay_pop     = pay_valid_o && pay_ready_i;
  assign head_pop    = head_valid_o && head_ready_i;
  assign ends        = pay_pop && pay_o.last;
  assign shows       = head_pop != ends;  // else their number stays

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      cptr_q  <= '0;
      rptr_q  <= '0;
      {valid_q, turn_q} <= '0;
      full_q  <= 2'b00;
      ready_q <= 1'b0;
      shown_q <= (PtrW + 2)'(1);
      next_q  <= 1'b1;
    end else begin
      wptr_q <= rewind ? cptr_q : wnext;
      if (commit) cptr_q <= wnext;
      if (take) rptr_q <= rptr_q + (PtrW + 1)'(1);
      if (take) valid_q <= 1'b1;
      else if (moves) valid_q <= 1'b0;
      if (moves) full_q[free] <= 1'b1;
      if (pay_pop) full_q[turn_q] <= 1'b0;
      if (pay_pop) turn_q <= !turn_q;
      ready_q <= used <= (PtrW + 1)'(Beats - Slack) && heads <= LevelW'(Frames - Slack);
      if (shows) shown_q <= shown_q + (head_pop ? (PtrW + 2)'(1) : '1);
      if (shows) next_q <= shown_q != (head_pop ? '1 : (PtrW + 2)'(1));
    end
  end

  always_ff @(posedge clk_i) if (pay_valid_i) mem_q[wptr_q[PtrW-1:0]] <= {pay_i.last, pay_i.bytes, pay_i.data};

  // The 'x tells synthesis that a collision does not matter (P6: there is none).
  always_ff @(posedge clk_i)
    if (take) rdata_q <= pay_valid_i && wptr_q[PtrW-1:0] == rptr_q[PtrW-1:0] ? 'x : mem_q[rptr_q[PtrW-1:0]];

  always_comb begin
    last_d = rdata_q[nic_pkg::BytesW-3];
    if (pay_pop && full_q[!turn_q]) last_d = turn_q ? keep0_q[nic_pkg::BytesW-3] : keep1_q[nic_pkg::BytesW-3];
    if (!pay_pop && full_q[turn_q]) last_d = last_q;
  end
  always_ff @(posedge clk_i) begin
    last_q <= last_d;
    if (!full_q[0]) keep0_q <= rdata_q;
    if (!full_q[1]) keep1_q <= rdata_q;
  end

  cm_fifo #(
    .Width(nic_pkg::HeadW),
    .Depth(Frames)
  ) u_heads (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(commit),
    .in_ready_o(head_ready),
    .in_data_i(head_i),
    .out_valid_o(head_valid_o),
    .out_ready_i(head_ready_i),
    .out_data_o(head_o),
    .level_o(heads)
  );

  // QP numbers once more, read one place ahead.
  logic [FrameW-1:0] put_q, ahead_q;
  logic [23:0]       qp_q [Frames];
  function automatic logic [FrameW-1:0] after(input logic [FrameW-1:0] p);
    after = 32'(p) == Frames - 1 ? '0 : p + FrameW'(1);
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q   <= '0;
      ahead_q <= FrameW'(1);
    end else begin
      if (commit) put_q <= after(put_q);
      if (head_pop) ahead_q <= after(ahead_q);
    end
  end
  always_ff @(posedge clk_i) if (commit) qp_q[put_q] <= head_i.qp;
  assign next_valid_o = heads > LevelW'(1);
  assign next_qp_o    = qp_q[ahead_q];

  logic unused;
  assign unused = head_ready ^ pay_i.err ^ pay_i.ur;  // there is room: ready_o

`ifdef FORMAL
`include "nic_rx_store_props.svh"
`endif

endmodule

`default_nettype wire
