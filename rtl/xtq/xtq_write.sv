// SPDX-License-Identifier: Apache-2.0
// xtq_write: carries out what xtq_check orders: DMA writes, each a job and its bytes, in the one order that an agent
// may see.
//
//   order --> | order | --> 1 arguments, payload <-- beats   2 body   3 header   4 write_index (MIRROR)   5 doorbell
//                           |---------- of every packet ---| |------- where a task is enqueued ------------------|
//                                 jobs --> | stop | --> job                                          `--> event
//
// P1  Jobs leave in the order of orders, and of one order in the order 1 to 5: body at slot + 4 (60 bytes), header at
//     slot (4), index + 1 at the index block + 56 (8), index at the doorbell (8). None is left out, none comes twice.
// P2  The bytes of a job are handed over after its predecessor's: items in the same order as jobs, at most two ahead or
//     one behind.
// P3  The beats of an order are taken up to the one with last: written, or thrown away if it is dropped. swap: of the
//     first 16 bytes, 0 to 7 (bit 0) and 8 to 15 (bit 1) are arg's.
// P4  The event of a task follows when its doorbell has been handed over, that of a SEND when its last bytes have been,
//     once.
// P5  What is offered stays until it is taken.
// P6  job_last_o marks the last job of each packet, which has one at least, and of no task of an access log.
// P7  idle_o: nothing is inside, all that was ordered has been handed over.
//
// The command is not written to the receive buffer, where the paper's III-C-2 has it before the arguments: its task has
// it in the slot, and with 64 bytes of payload memory would take 9 beats of 32 (10 with MIRROR) for the wire's 8 rather
// than 7 (8). README.md has the count.
//
// Rate: a beat a cycle, none lost between jobs, one between orders. Latency 1. What is due, and whether it has to wait
// for the event before, stands in registers: arbiters that are deep enough follow. That they have taken a job is heard
// a cycle later, by a cm_stop; an event looks at whether its job has left that. Cost: an order, a job and an event,
// 1320 flip-flops.
// Rules of README.md: ENQ-1, RBF-8.
`default_nettype none

module xtq_write (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Orders, and the arguments and payload of those that have some
  input  wire logic             order_valid_i,
  output logic                  order_ready_o,
  input  wire xtq_pkg::order_t  order_i,
  input  wire logic             beat_valid_i,
  output logic                  beat_ready_o,
  input  wire nic_pkg::bytes_t  beat_i,

  // DMA
  output logic                  job_valid_o,
  input  wire logic             job_ready_i,
  output nic_pkg::dma_t         job_o,
  output logic                  job_last_o,  // of a packet
  output logic                  pay_valid_o,
  input  wire logic             pay_ready_i,
  output nic_pkg::bytes_t       pay_o,

  // Events
  output logic                  event_valid_o,
  input  wire logic             event_ready_i,
  output nic_pkg::event_t       event_o,

  output logic                  idle_o
);

  localparam int unsigned DataW     = nic_pkg::DataW;
  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned BodyBytes = 60;
  localparam int unsigned BodyBeats = (BodyBytes + BeatBytes - 1) / BeatBytes;
  localparam int unsigned BodyRest  = BodyBytes - (BodyBeats - 1) * BeatBytes;

  typedef enum logic [2:0] {
    SegData = 3'd0,
    SegBody = 3'd1,
    SegHead = 3'd2,
    SegMirror = 3'd3,
    SegBell = 3'd4
  } seg_e;

  // ---- the order at hand ----
  logic            have, pop;
  logic [xtq_pkg::OrderW-1:0] order_q;
  xtq_pkg::order_t order;
  assign order         = order_q;
  assign order_ready_o = !have;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) have <= 1'b0;
    else if (order_ready_o) have <= order_valid_i;
    else if (pop) have <= 1'b0;
  end
  always_ff @(posedge clk_i) if (order_ready_o) order_q <= order_i;

  // ---- where in the order; job and bytes of the segment that are due; whether its end makes an event ----
  seg_e       seg_q, seg_next;
  logic       first_q, job_due_q, pay_due_q, ring_due_q;
  logic [1:0] beat_q;
  logic       nothing, event_room, job_fire, pay_fire, pay_last, job_done, pay_done, seg_done, last_seg;

  assign nothing = !order.beats && !order.enq;

  always_comb begin
    unique case (seg_q)
      SegData: seg_next = SegBody;
      SegBody: seg_next = SegHead;
      SegHead: seg_next = order.mirror ? SegMirror : SegBell;
      default: seg_next = SegBell;
    endcase
  end
  assign last_seg = seg_q == SegBell || (seg_q == SegData && !order.enq);

  // ---- job ----
  logic        event_due_q, job_valid, job_room;  // room: none waits
  logic [63:0] va, late_va;
  logic [12:0] len, late_len;
  logic [15:0] late_rid;
  assign event_room = !event_due_q || !ring_due_q;
  assign job_valid  = job_due_q && event_room;
  assign job_fire   = job_valid && job_room;
  assign job_done   = job_fire || !job_due_q;

  always_comb begin
    unique case (seg_q)
      SegData: begin
        va  = order.va;
        len = order.len;
      end
      SegBody: begin
        va  = order.slot + 64'd4;
        len = 13'(BodyBytes);
      end
      SegHead: begin
        va  = order.slot;
        len = 13'd4;
      end
      SegMirror: begin
        va  = order.block + xtq_pkg::WriteIndexAt;
        len = 13'd8;
      end
      default: begin
        va  = order.doorbell;
        len = 13'd8;
      end
    endcase
  end

  cm_stop #(
    .Width(1 + 16 + 64 + 13)
  ) u_job (
    .clk_i,
    .rst_ni,
    .in_valid_i(job_valid),
    .in_ready_o(job_room),
    .in_data_i({order.frame && last_seg, order.rid, va, len}),
    .out_valid_o(job_valid_o),
    .out_ready_i(job_ready_i),
    .out_data_o({job_last_o, late_rid, late_va, late_len})
  );
  always_comb begin
    job_o     = '0;
    job_o.rid = late_rid;
    job_o.src = nic_pkg::SrcTask;
    job_o.va  = late_va;
    job_o.len = late_len;
  end

  // ---- bytes ----
  logic [511:0] body;
  assign body = {32'd0, order.packet[511:32]};

  always_comb begin
    pay_o      = '0;
    pay_o.last = 1'b1;
    unique case (seg_q)
      SegData: begin
        pay_o     = beat_i;
        pay_o.err = 1'b0;
        if (first_q && order.swap[0]) pay_o.data[63:0] = order.arg[63:0];
        if (first_q && order.swap[1]) pay_o.data[127:64] = order.arg[127:64];
      end
      SegBody: begin
        pay_o.last  = 32'(beat_q) == BodyBeats - 1;
        pay_o.bytes = pay_o.last ? 7'(BodyRest) : 7'(BeatBytes);
        for (int unsigned i = 0; i < BodyBeats; i++) if (beat_q == 2'(i)) pay_o.data = body[DataW*i+:DataW];
      end
      SegHead: begin
        pay_o.bytes      = 7'd4;
        pay_o.data[31:0] = order.packet[31:0];
      end
      default: begin
        pay_o.bytes      = 7'd8;
        pay_o.data[63:0] = order.index + 64'(seg_q == SegMirror);
      end
    endcase
  end

  assign pay_valid_o  = pay_due_q && event_room && (seg_q != SegData || (beat_valid_i && !order.drop));
  assign pay_fire     = pay_valid_o && pay_ready_i;
  assign beat_ready_o = pay_due_q && seg_q == SegData && event_room && (order.drop || pay_ready_i);
  assign pay_last     = seg_q == SegData ? beat_valid_i && beat_ready_o && beat_i.last : pay_fire && pay_o.last;
  assign pay_done     = pay_last || !pay_due_q;
  assign seg_done     = have && !nothing && job_done && pay_done;
  assign pop          = have && ((nothing && event_room) || (seg_done && last_seg));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      job_due_q <= 1'b0;
      pay_due_q <= 1'b0;
    end else if (order_ready_o) begin
      job_due_q <= order_valid_i && (order_i.beats ? !order_i.drop : order_i.enq);
      pay_due_q <= order_valid_i && (order_i.beats || order_i.enq);
    end else if (seg_done) begin
      job_due_q <= !last_seg;
      pay_due_q <= !last_seg;
    end else begin
      if (job_fire) job_due_q <= 1'b0;
      if (pay_last) pay_due_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (order_ready_o) begin
      seg_q      <= order_i.beats ? SegData : SegBody;
      ring_due_q <= order_i.recv;
    end else if (seg_done) begin
      seg_q      <= seg_next;
      ring_due_q <= seg_next == SegBell && order.event_on;
    end
    if (order_ready_o) first_q <= 1'b1;
    else if (pay_fire) first_q <= 1'b0;
    if (order_ready_o || seg_done) beat_q <= '0;
    else if (pay_fire) beat_q <= beat_q + 2'd1;
  end

  // ---- event: offered when the doorbell, or the last byte of a SEND, has been handed over ----
  // Due when both are on their way, and shown when the job no longer waits; none follows it before that is seen.
  logic            event_q, ring;
  nic_pkg::event_t event_data_q;
  assign ring          = pop && (order.recv || (order.enq && order.event_on));
  assign event_valid_o = event_due_q && (event_q || job_room);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      event_due_q <= 1'b0;
      event_q     <= 1'b0;
    end else begin
      event_q <= event_valid_o && !event_ready_i;
      if (ring) event_due_q <= 1'b1;
      else if (event_valid_o && event_ready_i) event_due_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!event_due_q) begin
      event_data_q      <= '0;
      event_data_q.proc <= order.proc;
      event_data_q.kept <= 1'b1;
      event_data_q.kind <= nic_pkg::EvTask;
      event_data_q.qp   <= order.qp;
      event_data_q.word <= {16'd0, order.qidx};
      event_data_q.addr <= order.index;
      if (order.recv) begin
        event_data_q.kind   <= nic_pkg::EvRecv;
        event_data_q.status <= order.packet[xtq_pkg::RcvStatus+:8];
        event_data_q.word   <= order.packet[xtq_pkg::RcvWord+:32];
        event_data_q.len    <= order.packet[xtq_pkg::RcvLen+:32];
        event_data_q.bytes  <= order.packet[xtq_pkg::RcvBytes+:32];
        event_data_q.addr   <= order.packet[xtq_pkg::RcvAddr+:64];
      end
    end
  end
  assign event_o = event_data_q;

  assign idle_o = !have && job_room;

`ifdef FORMAL
`include "xtq_write_props.svh"
`endif

endmodule

`default_nettype wire
