// SPDX-License-Identifier: Apache-2.0
// xtq_task: turns the IOMMU's notices "access log l has entries" into tasks: a template, filled in and enqueued, one a
// log at a time.
//
//   notice --> | pending, producer, consumer | --turn--> | template: 8 words |
//                         ^                                                         |
//                         '--refused: again after one to two ticks-- task (xtq_target) --ok--> | out |
//                                                                                     XT_TASK_DONE --> done
//
// P1  Every notice is kept until it has been enqueued, and is enqueued once: refused ones are tried again.
// P2  A task bears its log, and producer and consumer of the latest notice, in arg[0] to arg[2]; all else is as in the
//     template.
// P3  done_o exactly when XT_TASK_DONE names a log whose task is enqueued and not done, at once: the IOMMU may give
//     notice in the next cycle, and it is kept. So between its last look at a log and the re-arming nothing is lost.
//     Event 7 then, if its place was kept, once, and before the log's next task.
// P4  A log without XT_LOG.EN, or whose task was refused, holds up no other: the others take turns.
// P5  What is offered stays until it is taken.
// P6  While hold_i is high no task is begun; with idle_o none is under way, so XT_LOG and the templates may change
//     (env_hold): a task is what they say in the cycle of its answer. What is read or written has been on the bus in
//     the cycle before (env_setup).
//
// notice_ready_o is always high: the IOMMU has one notice a log under way. A task takes 10 cycles and what xtq_target
// takes, one that comes alone a cycle more: whose turn it is is known before it begins. Cost: NumLogs x 600 bits of LUT
// RAM, 12 flip-flops a log, about 660.
// Rules of README.md: TSK-1, TSK-2, TSK-3, TIM-3.
`default_nettype none

module xtq_task #(
  parameter int unsigned NumLogs = 4,
  parameter int unsigned NumProcs = 4
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [31:0]       cfg_tick_i,  // cycles

  // Before a register write: hold_i until idle_o, and in the cycle of the write
  input  wire logic              hold_i,
  output logic                   idle_o,

  // The IOMMU's task port
  input  wire logic              notice_valid_i,
  output logic                   notice_ready_o,
  input  wire logic [4:0]        notice_log_i,   // below NumLogs
  input  wire logic [31:0]       notice_prod_i,
  input  wire logic [31:0]       notice_cons_i,
  output logic                   done_o,
  output logic      [4:0]        done_log_o,

  // xtq_target
  output logic                   task_valid_o,
  output logic      [4:0]        task_log_o,
  output logic      [3:0]        task_proc_o,
  output logic      [15:0]       task_queue_o,
  output logic      [511:0]      task_packet_o,
  input  wire logic              task_ans_i,
  input  wire logic              task_ok_i,
  input  wire logic              task_event_i,

  // Event 7
  output logic                   event_valid_o,
  input  wire logic              event_ready_i,
  output nic_pkg::event_t        event_o,

  // Registers
  input  wire cm_pkg::reg_bus_t  rb_i,
  output logic      [63:0]       rb_rdata_o
);

  if (NumLogs < 1 || NumLogs > 32) begin : gen_bad_num_logs $error("xtq_task: NumLogs must be 1 to 32"); end
  if (NumProcs < 1 || NumProcs > 16) begin : gen_bad_num_procs $error("xtq_task: NumProcs must be 1 to 16"); end

  localparam int unsigned LogW = NumLogs > 1 ? $clog2(NumLogs) : 1;

  // ---- registers ----
  logic [63:0]          tpl_q [NumLogs*8];
  logic [NumLogs*8-1:0] tpl_known_q;
  logic [19:0]          log_q [NumLogs];  // process, queue
  logic [NumLogs-1:0]   log_known_q, en_q;
  logic                 rb_log_q, rb_tpl_q, rb_done_q;
  logic [LogW-1:0]      rb_l_q;
  logic [LogW+2:0]      rb_t_q;
  logic [63:0]          rb_old, merged;
  logic [4:0]           log_idx;
  logic [7:0]           tpl_idx;  // log, word
  nic_reg_pkg::xt_log_t at_log, to_log;
  nic_reg_pkg::xt_task_done_t to_done;

  // The address is decoded a cycle before.
  assign log_idx = nic_reg_pkg::idx_XT_LOG(rb_i.addr);
  assign tpl_idx = nic_reg_pkg::idx_XT_TPL(rb_i.addr);
  always_ff @(posedge clk_i) begin
    rb_log_q  <= nic_reg_pkg::at_XT_LOG(rb_i.addr) && 32'(log_idx) < NumLogs;
    rb_tpl_q  <= nic_reg_pkg::at_XT_TPL(rb_i.addr) && 32'(tpl_idx[7:3]) < NumLogs;
    rb_done_q <= nic_reg_pkg::at_XT_TASK_DONE(rb_i.addr);
    rb_l_q    <= log_idx[LogW-1:0];
    rb_t_q    <= tpl_idx[LogW+2:0];
  end

  always_comb begin
    at_log    = '0;
    at_log.EN = en_q[rb_l_q];
    {at_log.PROC, at_log.QUEUE} = log_q[rb_l_q];
    rb_old = '0;
    if (rb_log_q && log_known_q[rb_l_q]) rb_old = at_log;
    if (rb_tpl_q && tpl_known_q[rb_t_q]) rb_old = tpl_q[rb_t_q];
  end
  assign merged     = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, rb_old);
  assign to_log     = merged;
  assign to_done    = rb_i.wdata;  // by its strobe
  assign rb_rdata_o = rb_old;

  always_ff @(posedge clk_i) begin
    if (rb_i.we && rb_log_q) log_q[rb_l_q] <= {to_log.PROC, to_log.QUEUE};
    if (rb_i.we && rb_tpl_q) tpl_q[rb_t_q] <= merged;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      log_known_q <= '0;
      en_q        <= '0;
      tpl_known_q <= '0;
    end else begin
      if (rb_i.we && rb_log_q) log_known_q[rb_l_q] <= 1'b1;
      if (rb_i.we && rb_log_q) en_q[rb_l_q] <= to_log.EN;
      if (rb_i.we && rb_tpl_q) tpl_known_q[rb_t_q] <= 1'b1;
    end
  end

  // ---- state of a log: idle, pending (perhaps waiting for ticks), out ----
  logic [NumLogs-1:0] pend_q, out_q, tell_q, event_q, hold0_q, hold1_q;
  logic [63:0]        news_q [NumLogs];  // consumer, producer
  logic [3:0]         out_proc_q [NumLogs];
  logic [NumLogs-1:0] notice_oh, done_oh, now_oh;
  logic               tick, notice;

  assign notice_ready_o = 1'b1;
  assign notice         = notice_valid_i;
  assign notice_oh      = notice ? NumLogs'(1) << notice_log_i : '0;
  assign done_oh        = rb_i.we && rb_done_q && rb_i.wstrb[nic_reg_pkg::XT_TASK_DONE_LOG_Lsb/8] ?
                          (NumLogs'(1) << to_done.LOG) & out_q : '0;
  assign done_o         = |done_oh;
  assign done_log_o     = to_done.LOG;

  always_ff @(posedge clk_i) if (notice) news_q[notice_log_i[LogW-1:0]] <= {notice_cons_i, notice_prod_i};

  // ---- ticks: what is refused waits for two of them ----
  logic [31:0] tick_q;
  assign tick = tick_q >= cfg_tick_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || tick) tick_q <= 32'd1;
    else tick_q <= tick_q + 32'd1;
  end

  // ---- one at a time: its template is read, then it is offered ----
  logic            busy_q, offer_q, turn_valid, turn_valid_q, choose;
  logic [LogW-1:0] now_q, turn, turn_q;
  logic [NumLogs-1:0] may;
  logic [3:0]      word_q;
  logic [511:0]    packet_q;
  logic [63:0]     word, news;
  logic [19:0]     conf_q;  // process, queue

  // A log whose event 7 has not been taken waits with its next task.
  logic               begins, ev_q;
  logic [NumLogs-1:0] ev_oh;
  logic [LogW-1:0]    ev_log_q, ev_low;
  assign may    = pend_q & en_q & ~hold0_q & ~hold1_q & ~event_q & ~ev_oh & ~(busy_q ? now_oh : '0);
  assign choose = !turn_valid_q;
  assign begins = !busy_q && !hold_i && turn_valid_q && may[turn_q];
  assign idle_o = !busy_q;

  cm_rr_arb #(
    .N(NumLogs)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .req_i(choose ? may : '0),  // no turn passes while nobody asks whose it is
    .advance_i(choose),
    .valid_o(turn_valid),
    .gnt_o(),
    .idx_o(turn)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_valid_q <= 1'b0;
    else turn_valid_q <= choose ? turn_valid : turn_valid_q && !begins && may[turn_q];
    if (choose) turn_q <= turn;
  end

  assign now_oh = NumLogs'(1) << now_q;
  assign news   = news_q[now_q];
  always_comb begin
    word = tpl_known_q[{now_q, word_q[2:0]}] ? tpl_q[{now_q, word_q[2:0]}] : '0;
    if (word_q == 4'd2) word = 64'(now_q);
    if (word_q == 4'd3) word = {32'd0, news[31:0]};
    if (word_q == 4'd4) word = {32'd0, news[63:32]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      offer_q <= 1'b0;
    end else if (!busy_q) begin
      busy_q <= begins;
    end else if (task_ans_i && offer_q) begin
      busy_q  <= 1'b0;
      offer_q <= 1'b0;
    end else if (word_q == 4'd7) begin
      offer_q <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      now_q  <= turn_q;
      word_q <= '0;
      conf_q <= log_q[turn_q];
    end else if (!word_q[3]) begin
      word_q <= word_q + 4'd1;
    end
  end
  // What moves before a task begins is away when its eight words are here.
  always_ff @(posedge clk_i) if (!word_q[3]) packet_q <= {word, packet_q[511:64]};

  assign task_valid_o  = offer_q;
  assign task_log_o    = 5'(now_q);
  assign {task_proc_o, task_queue_o} = conf_q;
  assign task_packet_o = packet_q;

  // ---- next state of the logs ----
  logic [NumLogs-1:0] won_oh, lost_oh, told_oh;
  assign won_oh  = offer_q && task_ans_i && task_ok_i ? now_oh : '0;
  assign lost_oh = offer_q && task_ans_i && !task_ok_i ? now_oh : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pend_q  <= '0;
      out_q   <= '0;
      tell_q  <= '0;
      event_q <= '0;
      hold0_q <= '0;
      hold1_q <= '0;
    end else begin
      pend_q  <= (pend_q & ~won_oh) | notice_oh;
      out_q   <= (out_q & ~done_oh) | won_oh;
      tell_q  <= (tell_q & ~won_oh) | (task_event_i ? won_oh : '0);
      event_q <= (event_q & ~told_oh) | (done_oh & tell_q);
      // Two ticks: 1x, 01, 00.
      hold1_q <= (hold1_q & ~{NumLogs{tick}}) | lost_oh;
      hold0_q <= tick ? (hold1_q & ~lost_oh) : hold0_q;
    end
  end
  always_ff @(posedge clk_i) if (won_oh != '0) out_proc_q[now_q] <= task_proc_o;

  // ---- event 7: the lowest log that waits; it stays the lowest chosen until it is taken ----
  logic [3:0]      ev_proc_q;
  always_comb begin
    ev_low = '0;
    for (int unsigned i = NumLogs; i > 0; i--) if (event_q[i-1]) ev_low = LogW'(i - 1);
  end
  assign ev_oh   = ev_q ? NumLogs'(1) << ev_log_q : '0;
  assign told_oh = !ev_q && event_q != '0 ? NumLogs'(1) << ev_low : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ev_q <= 1'b0;
    else if (!ev_q) ev_q <= event_q != '0;
    else if (event_ready_i) ev_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!ev_q) begin
      ev_log_q  <= ev_low;
      ev_proc_q <= out_proc_q[ev_low];
    end
  end
  assign event_valid_o = ev_q;
  always_comb begin
    event_o      = '0;
    event_o.proc = ev_proc_q;
    event_o.kept = 1'b1;
    event_o.kind = nic_pkg::EvTaskDone;
    event_o.word = 32'(ev_log_q);
  end

`ifdef FORMAL
`include "xtq_task_props.svh"
`endif

endmodule

`default_nettype wire
