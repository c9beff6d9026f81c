// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_write. The jobs that an order must make are listed from the specification, and an outsider counts
// which of them (f_jobs_q), and which of their items (f_items_q), have been handed over, the jobs to u_job; what leaves
// u_job is followed by itself (f_late_q: the job that waits; f_behind_q: it is the last one of the event's order).
`include "fv.svh"
// Rules of README.md: ENQ-1.
  `FV_INIT

  localparam int unsigned DmaLastW = nic_pkg::DmaW + 1;
  logic [2:0] f_jobs_q, f_items_q, f_count;
  logic [2:0] f_kind [5];  // n-th job of the order: 0 data, 1 body, 2 header, 3 mirror, 4 doorbell
  logic       f_none, f_begun_q;  // begun: past its first segment
  logic       f_data, f_inside_q, f_job_wait_q, f_pay_wait_q, f_event_wait_q, f_ring, f_open_q, f_fresh;
  logic [2:0] f_n, f_job_kind, f_item_kind;
  logic            f_behind_q;
  logic [DmaLastW-1:0] f_job, f_job_q, f_late_q;
  nic_pkg::dma_t   f_dma;
  nic_pkg::bytes_t f_pay_q;
  nic_pkg::event_t f_event_q;

  assign f_data = order.beats && !order.drop;
  always_comb begin
    f_n = '0;
    for (int unsigned i = 0; i < 5; i++) f_kind[i] = 3'd7;
    if (f_data) begin
      f_kind[0] = 3'd0;
      f_n       = 3'd1;
    end
    if (order.enq) begin
      f_kind[f_n] = 3'd1;
      f_kind[f_n+3'd1] = 3'd2;
      if (order.mirror) f_kind[f_n+3'd2] = 3'd3;
      if (order.mirror) f_n = f_n + 3'd1;
      f_kind[f_n+3'd2] = 3'd4;
      f_n = f_n + 3'd3;
    end
    f_count = f_n;
  end
  assign f_job_kind  = f_jobs_q < f_count ? f_kind[f_jobs_q] : 3'd7;
  assign f_item_kind = f_items_q < f_count ? f_kind[f_items_q] : 3'd7;
  assign f_ring      = pop && (order.recv || (order.enq && order.event_on));

  always_comb begin
    f_dma     = '0;
    f_dma.rid = order.rid;
    f_dma.src = nic_pkg::SrcTask;
    f_dma.va  = va;
    f_dma.len = len;
  end
  assign f_job = {order.frame && last_seg, f_dma};

  always_ff @(posedge clk_i) begin
    f_job_wait_q   <= rst_ni && job_valid_o && !job_ready_i;
    f_pay_wait_q   <= rst_ni && pay_valid_o && !pay_ready_i;
    f_event_wait_q <= rst_ni && event_valid_o && !event_ready_i;
    f_job_q        <= {job_last_o, job_o};
    if (job_room) f_late_q <= f_job;
    f_behind_q     <= rst_ni && job_valid_o && !job_ready_i && (f_ring || f_behind_q);
    f_pay_q        <= pay_o;
    f_event_q      <= event_o;
    if (!rst_ni || pop) f_begun_q <= 1'b0;
    else if (seg_done) f_begun_q <= 1'b1;
    if (!rst_ni || pop) begin
      f_jobs_q   <= '0;
      f_items_q  <= '0;
      f_inside_q <= 1'b0;
      f_open_q   <= 1'b0;
    end else begin
      if (job_fire) f_jobs_q <= f_jobs_q + 3'd1;
      if (pay_fire && pay_o.last) f_items_q <= f_items_q + 3'd1;
      if (pay_fire) f_inside_q <= !pay_o.last;
      if (beat_valid_i && beat_ready_o) f_open_q <= beat_i.last;
    end
  end

  logic f_beat_wait_q, f_rang_q;
  xtq_pkg::order_t f_order_q;
  nic_pkg::bytes_t f_beat_q;
  always_ff @(posedge clk_i) begin
    f_beat_wait_q <= rst_ni && beat_valid_i && !beat_ready_o;
    f_beat_q      <= beat_i;
    f_rang_q      <= rst_ni && f_ring;
    f_order_q     <= order;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // A message that is received enqueues nothing.
    if (order_valid_i) env_recv: assume (!(order_i.recv && order_i.enq));
    if (have) p4_kind: assert (!(order.recv && order.enq));
    if (f_beat_wait_q) env_beat: assume (beat_valid_i && beat_i == f_beat_q);

    // Each job is the one whose turn it is.
    if (job_valid) begin
      p1_turn: assert (have && f_job_kind != 3'd7);
      if (f_job_kind == 3'd0) p1_data: assert (va == order.va && len == order.len);
      if (f_job_kind == 3'd1) p1_body: assert (va == order.slot + 64'd4 && len == 13'd60);
      if (f_job_kind == 3'd2) p1_header: assert (va == order.slot && len == 13'd4);
      if (f_job_kind == 3'd3) p1_mirror: assert (va == order.block + 64'd56 && len == 13'd8);
      if (f_job_kind == 3'd4) p1_doorbell: assert (va == order.doorbell && len == 13'd8);
    end
    // They leave so, one after the other.
    if (job_room) p1_leaves: assert (job_valid_o == job_valid && {job_last_o, job_o} == f_job);
    if (!job_room) p1_late: assert (job_valid_o && {job_last_o, job_o} == f_late_q);
    if (pop) p1_all: assert (f_jobs_q + 3'(job_fire) == f_count && f_items_q + 3'(pay_fire && pay_o.last) == f_count);
    if (pay_valid_o) begin
      p2_turn: assert (have && f_item_kind != 3'd7);
      if (f_item_kind == 3'd0)
        p3_beat: assert (beat_valid_i && pay_o.last == beat_i.last && pay_o.bytes == beat_i.bytes);
      if (f_item_kind == 3'd0) p3_rest: assert ((pay_o.data ^ beat_i.data) >> 128 == '0);
      if (f_item_kind == 3'd0)
        p3_swap0: assert (pay_o.data[63:0] == (order.swap[0] && !f_inside_q ? order.arg[63:0] : beat_i.data[63:0]));
      if (f_item_kind == 3'd0)
        p3_swap1: assert (pay_o.data[127:64] == (order.swap[1] && !f_inside_q ? order.arg[127:64] :
        beat_i.data[127:64]));
      if (f_item_kind == 3'd1)
        p2_body: assert (32'(pay_o.bytes) == (pay_o.last ? 60 - 32'(beat_q) * BeatBytes : BeatBytes));
      if (f_item_kind == 3'd1 && beat_q == '0) p2_first: assert (pay_o.data[127:0] == order.packet[159:32]);
      if (f_item_kind == 3'd2)
        p2_header: assert (pay_o.last && pay_o.bytes == 7'd4 && pay_o.data[31:0] == order.packet[31:0]);
      if (f_item_kind == 3'd3)
        p2_mirror: assert (pay_o.last && pay_o.bytes == 7'd8 && pay_o.data[63:0] == order.index + 64'd1);
      if (f_item_kind == 3'd4)
        p2_doorbell: assert (pay_o.last && pay_o.bytes == 7'd8 && pay_o.data[63:0] == order.index);
    end
    p2_apart: assert (f_jobs_q <= f_items_q + 3'd1 && f_items_q <= f_jobs_q + 3'd1);
    if (have && order.drop && order.beats && !f_begun_q) p3_dropped: assert (!job_valid && !pay_valid_o);
    if (beat_ready_o) p3_ready: assert (have && order.beats && !f_open_q);
    if (pop && order.beats) p3_all: assert (f_open_q || (beat_valid_i && beat_ready_o && beat_i.last));
    if (f_job_wait_q) p5_job: assert (job_valid_o && {job_last_o, job_o} == f_job_q);
    if (f_pay_wait_q) p5_pay: assert (pay_valid_o && pay_o == f_pay_q);
    if (f_event_wait_q) p5_event: assert (event_valid_o && event_o == f_event_q);
    if (f_ring) p4_room: assert (!event_due_q);
    if (event_valid_o) p4_behind: assert (!f_behind_q);
    if (f_behind_q) p4_waits: assert (event_due_q && !event_q && !job_room);
    if (event_q) p4_due: assert (event_due_q);
    if (f_rang_q) p4_at_once: assert (event_due_q && event_valid_o == !f_behind_q);
    if (f_rang_q)
      p4_event: assert (event_o.kept && event_o.kind == (f_order_q.recv ? nic_pkg::EvRecv :
          nic_pkg::EvTask) &&
        event_o.qp == f_order_q.qp && event_o.proc == f_order_q.proc);
    if (f_rang_q && f_order_q.recv)
      p4_message: assert ({event_o.status, event_o.word, event_o.len, event_o.bytes, event_o.addr} ==
        f_order_q.packet[167:0]);
    p7_idle: assert (idle_o == (!have && job_room));

    // What keeps the proof together.
    p1_state: assert (have || (!job_due_q && !pay_due_q && f_fresh));
    if (have && !f_begun_q) p1_first_seg: assert (seg_q == (order.beats ? SegData : SegBody));
    if (have) p4_ring: assert (ring_due_q == (order.recv || (seg_q == SegBell && order.event_on)));
    p1_seg: assert (!f_begun_q ||
                    (order.enq && seg_q != SegData && 32'(seg_q) <= 4 && (order.mirror || seg_q != SegMirror)));
    if (have && !nothing) begin
      p1_jobs: assert (f_jobs_q == f_before + 3'(!job_due_q && !f_none));
      p1_items: assert (f_items_q == f_before + 3'(!pay_due_q && !f_none));
      p1_sent: assert (job_due_q || pay_due_q);
      p1_dropped: assert (!f_none || !job_due_q);
      p1_beats: assert (f_inside_q == (pay_due_q && ((seg_q == SegData && !order.drop && !first_q) ||
                                                     (seg_q == SegBody && beat_q != '0))));
      p1_first: assert (first_q || seg_q != SegData || !order.drop);
      p1_beat: assert (seg_q == SegData || !pay_due_q || 32'(beat_q) < BodyBeats);
      p1_open: assert (f_open_q == (order.beats && (f_begun_q || !pay_due_q)));
      p1_one: assert (seg_q == SegData || seg_q == SegBody || beat_q == '0 || !pay_due_q);
    end
    if (have && nothing) p1_none: assert (f_fresh && !job_due_q && !pay_due_q);
    c_all: cover (pop && order.beats && !order.drop && order.mirror && order.event_on && order.enq);
    c_recv: cover (pop && order.recv && order.beats);
    c_drop: cover (pop && order.beats && order.drop);
    c_late: cover (have && event_valid_o && !event_room);
    c_behind: cover (f_behind_q && have);
  end

  assign f_fresh = !f_begun_q && f_jobs_q == '0 && f_items_q == '0 && !f_inside_q && !f_open_q;
  assign f_none  = seg_q == SegData && order.drop;  // no job, no item: its beats alone

  // Jobs before the segment at hand.
  logic [2:0] f_before;
  always_comb begin
    f_before = 3'(f_data);
    unique case (seg_q)
      SegData: f_before = 3'd0;
      SegBody: f_before = 3'(f_data);
      SegHead: f_before = 3'(f_data) + 3'd1;
      SegMirror: f_before = 3'(f_data) + 3'd2;
      default: f_before = 3'(f_data) + 3'd2 + 3'(order.mirror);
    endcase
  end
