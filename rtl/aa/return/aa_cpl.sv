// SPDX-License-Identifier: Apache-2.0
// aa_cpl: the completions of the devices' reads: matched, decided, forwarded, and copied to the log.
//
//   host_cpl --> aa_rx --> aa_lane --look--> A: CAM --> B: entry --> C: decide --+--> [ forward ] --> fwd, gd
//                                 |   tag buffer's close requests -^             +--> [ log ] ------> gl (chunk, close)
//                                 +--head, payload---------------------------------------^
//
// P1  Completions are consumed in order, whole; each retires once: 0, 1, 4 are forwarded unchanged, 2, 3, 5, 6 are
//     dropped. 5 and 6 are those of a read that ended early.
// P2  What the C stage decides is right for the state of the tag buffer in that very cycle (see below).
// P3  A logged completion without error sends one chunk and its beats; each log entry of a read is closed exactly once:
//     by the command of its only chunk, else by one after its last chunk. Its tag entry is not given out before.
// P4  A forwarded TLP leaves a beat a cycle, as long as its port and the log writer take them.
// P5  Retire record, error, abort and events are in the cycle in which the tag buffer changes.
// P6  Whatever completions come, alloc_hold_o is high for 2 cycles at most, and then low for 2: a miss keeps the next
//     completion out until it has left.
//
// A to C are a pipe that never stops: an operation enters when both queues have room for all that are in it. An entry
// that is freed while operations for it are in the pipe turns them into strays (hit_now), one that ends drops them. The
// reverse, an allocation for a key that missed, cannot happen: alloc_hold_o bars it while a miss is in B or C, and A
// waits where one may come in its own cycle.
//
// Latency 4 from the last beat to fwd, rate 1 beat a cycle. Cost: 4 KiB RAM or more, Window headers, two small queues.
// One file: P2 is true because A, B and C are one pipe that never stops and whose stages look at each other.
// Rules of README.md: TAG-1, TAG-2, TAG-3, TAG-4, TAG-5, TAG-10, TAG-11.
`default_nettype none

module aa_cpl #(
  parameter int unsigned TagEntries = 32,
  parameter int unsigned Window = 16,
  parameter int unsigned PayDw = 2048,
  parameter bit          Logs = 1'b1,
  localparam int unsigned IdxW = $clog2(TagEntries),
  localparam int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  input  wire logic [3:0]           dev_reset_i,  // as in aa_tag_buf

  // Host
  input  wire logic                 host_cpl_valid_i,
  output logic                      host_cpl_ready_o,
  input  wire cm_pkg::tlp_t         host_cpl_beat_i,

  // Tag buffer
  output logic                      alloc_hold_o,   // a miss is in B or C: no alloc now
  output logic      [25:0]          a_key_o,
  input  wire logic                 a_wait_i,  // the look-up does not count
  input  wire logic                 a_hit_i,
  input  wire logic [IdxW-1:0]      a_idx_i,
  input  wire logic                 a_same_i,  // it is c_idx_o
  output logic      [IdxW-1:0]      b_idx_o,
  input  wire logic [15:0]          b_rid_i,
  input  wire logic [1:0]           b_port_i,
  input  wire logic                 b_log0_i,
  input  wire logic                 b_logged_i,
  input  wire logic [4:0]           b_log_i,
  input  wire logic [12:0]          b_rem_i,
  input  wire logic [1:0]           b_pos_i,
  input  wire logic [4:0]           b_start_i,
  input  wire logic [9:0]           b_dw_i,
  input  wire logic                 b_ended_i,
  input  wire logic                 b_dead_i,
  output logic      [IdxW-1:0]      c_idx_o,
  output logic                      c_write_o,
  output logic      [12:0]          c_rem_o,
  output logic      [1:0]           c_pos_o,
  output logic      [9:0]           c_dw_o,
  output logic                      c_unlog_o,
  output logic                      c_kill_o,
  output logic                      c_free_o,
  output logic                      c_release_o,
  output logic      [IdxW-1:0]      g_idx_o,
  input  wire aa_pkg::get_log_t     g_i,
  output logic                      g_release_o,
  input  wire logic                 cl_valid_i,
  output logic                      cl_ready_o,
  input  wire logic [IdxW-1:0]      cl_idx_i,
  input  wire aa_pkg::tag_close_e   cl_why_i,

  // To the devices
  output logic                      fwd_valid_o,
  input  wire logic                 fwd_ready_i,
  output cm_pkg::tlp_t              fwd_beat_o,
  output logic      [1:0]           fwd_port_o,

  // To aa_log_get
  output logic                      gl_valid_o,
  input  wire logic                 gl_ready_i,
  output aa_pkg::get_log_t          gl_cmd_o,
  output logic                      gd_valid_o,
  input  wire logic                 gd_ready_i,
  output logic      [DataW-1:0]     gd_data_o,

  // Records
  output logic                      ret_valid_o,
  output aa_pkg::retire_t           ret_o,
  output logic                      err_valid_o,
  output aa_pkg::err_t              err_o,
  output logic                      abort_valid_o,  // the log entry of a read closes as aborted
  output logic      [4:0]           abort_log_o,
  output logic                      ev_bad_o,       // stray or malformed
  output logic                      ev_timeout_o,
  output logic                      ev_late_o,      // of a read that ended early
  output logic                      ev_over_o       // an entry is free again, and its completion never came
);

  localparam int unsigned BeatDw = cm_pkg::BeatDw;
  localparam int unsigned LowW = $clog2(BeatDw);
  localparam int unsigned Queue = 8;
  localparam int unsigned LevelW = $clog2(Queue + 1);

  if (PayDw < 1024) begin : gen_bad_pay_dw $error("aa_cpl: PayDw must be at least 1024"); end

  // ---- check and store ----
  logic       head, pay, done, whole, err;
  logic [7:0] wr_ptr, a_ptr_q, e_ptr_q;
  logic       ok;

  aa_rx #(
    .Completion(1'b1)
  ) u_rx (
    .clk_i,
    .rst_ni,
    .mps_i(3'd5),
    .mrrs_i(3'd5),
    .in_valid_i(host_cpl_valid_i),
    .in_ready_o(host_cpl_ready_o),
    .in_beat_i(host_cpl_beat_i),
    .p_ok_i(ok),
    .np_ok_i(1'b1),
    .np_o(),
    .head_o(head),
    .kind_o(),
    .pay_o(pay),
    .pay_units_o(),
    .done_o(done),
    .bad_o(),
    .good_o(whole),
    .err_o(err),
    .units_o()
  );

  // What the decision wants of a header. over: 0 fewer DW than ByteCount / 4, 1 as many, 2 one more, 3 two more, 4
  // beyond.
  cm_pkg::tlp_cpl_t in_hdr;
  logic [12:0]  in_bytes;
  logic [10:0]  in_len, in_more;
  logic [2:0]   in_over;
  assign in_hdr   = host_cpl_beat_i.hdr;
  assign in_bytes = {in_hdr.count == '0, in_hdr.count};
  assign in_len   = {in_hdr.len == '0, in_hdr.len};
  assign in_more  = in_len - in_bytes[12:2];
  assign in_over  = in_len < in_bytes[12:2] ? 3'd0 : in_more > 11'd2 ? 3'd4 : 3'd1 + in_more[2:0];

  localparam int unsigned LookupW = 26 + 13 + 3 + 10 + 7 + 1 + 1 + 1;
  logic [LookupW-1:0] look_data, look;
  logic [1:0]       look_stat, rd_stat;
  logic [cm_pkg::SeqW+127:0] rd_head;
  logic             pay_valid, pay_ready;
  logic [DataW-1:0] pay_data;
  assign look_data = {in_hdr.rid, in_hdr.t9, in_hdr.t8, in_hdr.tag, in_bytes, in_over, in_hdr.len - 10'd1, in_hdr.lower,
                      in_hdr.op[cm_pkg::OpData], in_hdr.status == 3'd0, in_hdr.ep};

  aa_lane #(
    .Window(Window),
    .HeadW(cm_pkg::SeqW + 128),
    .LookupW(LookupW),
    .StatW(2),
    .PayW(DataW),
    .PayDepth(PayDw / BeatDw),
    .PayRam(1'b1)
  ) u_lane (
    .clk_i,
    .rst_ni,
    .ok_o(ok),
    .head_i(head),
    .head_data_i({host_cpl_beat_i.seq, in_hdr}),
    .look_data_i(look_data),
    .pay_i(pay),
    .pay_data_i(host_cpl_beat_i.data),
    .done_i(done),
    .keep_i(whole),
    .stat_data_i({!whole, err}),
    .wr_ptr_o(wr_ptr),
    .rd_ptr_i(e_ptr_q),
    .lk_idx_i(a_ptr_q),
    .lk_o(look),
    .lk_stat_o(look_stat),
    .rd_idx_i(e_ptr_q),
    .rd_o(rd_head),
    .rd_stat_o(rd_stat),
    .pay_valid_o(pay_valid),
    .pay_ready_i(pay_ready),
    .pay_data_o(pay_data)
  );

  // ---- A: find the entry ----
  logic              a_go, a_cpl, a_room;
  logic [LevelW-1:0] f_level, g_level;
  logic [25:0]       a_key;
  logic [12:0]       a_bytes;
  logic [2:0]        a_over;
  logic [9:0]        a_lm1;
  logic [6:0]        a_low;
  logic              a_data, a_sc, a_ep;
  assign {a_key, a_bytes, a_over, a_lm1, a_low, a_data, a_sc, a_ep} = look;
  assign a_key_o = a_key;
  assign a_room  = f_level <= LevelW'(Queue - 3) && g_level <= LevelW'(Queue - 3);
  assign cl_ready_o = a_room;

  aa_pkg::tag_close_e b_why_q, c_why_q;
  logic            b_valid_q, b_close_q, b_hit_q, b_same_q, b_data_q, b_sc_q, b_bad_q, b_poison_q;
  logic [IdxW-1:0] b_idx_q;
  logic [15:0]     b_rid_q;
  logic [12:0]     b_bytes_q;
  logic [2:0]      b_over_q;
  logic [9:0]      b_lm1_q;
  logic [6:0]      b_low_q;
  logic            b_hit_now;

  logic            c_valid_q, c_close_q, c_hit_q, c_data_q, c_sc_q, c_bad_q, c_poison_q, c_log0_q;
  logic            c_logged_q, c_ended_q, c_dead_q, c_same_q;
  logic [IdxW-1:0] c_idx_q;
  logic [15:0]     c_rid_q;
  logic [12:0]     c_bytes_q, c_rem_q;
  logic [2:0]      c_over_q;
  logic [9:0]      c_lm1_q, c_dw_q;
  logic [4:0]      c_ahead_q;  // DWs by which LowerAddress is beyond the beginning of the read
  logic [1:0]      c_low_q;
  logic [1:0]      c_pos_q, c_port_q;
  logic [4:0]      c_log_q;
  logic            c_hit_now;

  // What C did in the last cycle; b_same_q, c_same_q: its entry was that of B, of C
  logic            l_free_q, l_kill_q, l_write_q, l_unlog_q, l_miss_q;
  logic [12:0]     l_rem_q;
  logic [9:0]      l_dw_q;
  logic [1:0]      l_pos_q;

  logic b_miss, c_miss;
  assign b_hit_now = b_hit_q && !(l_free_q && b_same_q);
  assign c_hit_now = c_hit_q && !(l_free_q && c_same_q);
  assign b_miss = b_valid_q && !b_close_q && !b_bad_q && !b_hit_now;
  assign c_miss = c_valid_q && !c_close_q && !c_bad_q && !c_hit_now;
  assign alloc_hold_o = b_miss || c_miss;

  assign a_cpl = a_room && !cl_valid_i && !a_wait_i && a_ptr_q != wr_ptr && !b_miss && !c_miss && !l_miss_q;
  assign a_go  = a_cpl || (cl_valid_i && a_room);
  assign b_idx_o = b_idx_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      c_valid_q <= 1'b0;
      l_free_q  <= 1'b0;
      l_kill_q  <= 1'b0;
      l_write_q <= 1'b0;
      l_miss_q  <= 1'b0;
      a_ptr_q   <= '0;
    end else begin
      b_valid_q <= a_go;
      c_valid_q <= b_valid_q;
      l_free_q  <= c_free_o;
      l_kill_q  <= c_kill_o;
      l_write_q <= c_write_o;
      l_miss_q  <= c_miss;
      if (a_cpl) a_ptr_q <= a_ptr_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    b_close_q  <= cl_valid_i;
    b_why_q    <= cl_why_i;
    b_hit_q    <= cl_valid_i || a_hit_i;
    b_idx_q    <= cl_valid_i ? cl_idx_i : a_idx_i;
    b_same_q   <= cl_valid_i ? cl_idx_i == c_idx_q : a_same_i;
    b_rid_q    <= a_key[25:10];
    b_bytes_q  <= a_bytes;
    b_over_q   <= a_over;
    b_lm1_q    <= a_lm1;
    b_low_q    <= a_low;
    b_data_q   <= a_data;
    b_sc_q     <= a_sc;
    b_bad_q    <= look_stat[1];
    b_poison_q <= a_ep || look_stat[0];

    c_close_q  <= b_close_q;
    c_why_q    <= b_why_q;
    c_ended_q  <= b_ended_i;
    c_dead_q   <= b_dead_i;
    c_hit_q    <= b_hit_now;
    c_idx_q    <= b_idx_q;
    c_rid_q    <= b_close_q ? b_rid_i : b_rid_q;
    c_bytes_q  <= b_bytes_q;
    c_over_q   <= b_over_q;
    c_lm1_q    <= b_lm1_q;
    c_ahead_q  <= b_low_q[6:2] - b_start_i;
    c_low_q    <= b_low_q[1:0];
    c_data_q   <= b_data_q;
    c_sc_q     <= b_sc_q;
    c_bad_q    <= b_bad_q;
    c_poison_q <= b_poison_q;
    c_port_q   <= b_port_i;
    c_log0_q   <= b_log0_i;
    c_logged_q <= b_logged_i;
    c_log_q    <= b_log_i;
    c_rem_q    <= b_rem_i;
    c_pos_q    <= b_pos_i;
    c_dw_q     <= b_dw_i;

    c_same_q   <= c_idx_q == b_idx_q;
    l_rem_q    <= c_rem_o;
    l_pos_q    <= c_pos_o;
    l_dw_q     <= c_dw_o;
    l_unlog_q  <= c_unlog_o;
  end

  // ---- C: decide ----
  logic        newer, logged, right, last, beyond, mal, stray, good, gone, chunk, close, aborted, fin, end_one, dead;
  logic        ended, over;
  logic [12:0] rem;
  logic [1:0]  pos;
  logic [9:0]  dw;
  logic [2:0]  sum;
  logic [2:0]  need;
  assign newer  = l_write_q && c_same_q;  // what B read is one update old
  assign rem    = newer ? l_rem_q : c_rem_q;
  assign pos    = newer ? l_pos_q : c_pos_q;
  assign dw     = newer ? l_dw_q : c_dw_q;
  assign logged = c_logged_q && !(newer && l_unlog_q);
  // ByteCount is what is to come, LowerAddress where it begins.
  assign right  = newer ? c_bytes_q == l_rem_q && c_ahead_q == l_dw_q[4:0] && c_low_q == l_pos_q :
                          c_bytes_q == c_rem_q && c_ahead_q == c_dw_q[4:0] && c_low_q == c_pos_q;

  // The read ends with DW number ceil((ByteCount + place) / 4): more by need than ByteCount / 4.
  assign sum    = {1'b0, c_bytes_q[1:0]} + {1'b0, pos};
  assign need   = sum == 3'd0 ? 3'd1 : sum <= 3'd4 ? 3'd2 : 3'd3;
  assign last   = c_over_q == need;
  assign beyond = c_over_q > need;

  // What B read of its end is one kill old, or one reset.
  logic op_cpl, op_close;
  assign dead     = c_dead_q || (l_kill_q && c_same_q);
  assign ended    = c_ended_q || (l_kill_q && c_same_q) || dev_reset_i[c_port_q];
  assign over     = c_why_q == aa_pkg::ClOver;
  assign op_cpl   = c_valid_q && !c_close_q;
  assign op_close = c_valid_q && c_close_q && c_hit_now && dead == over && (c_why_q != aa_pkg::ClLog || logged);
  assign stray    = !c_hit_now;
  // an error status ends the read, whatever its counts say
  assign mal      = c_sc_q && (!c_data_q || !right || beyond);
  assign good     = op_cpl && !c_bad_q && !stray && !mal;
  assign end_one  = !c_sc_q || last;  // frees the entry
  assign gone     = good ? end_one : op_close && over;

  assign chunk   = good && c_sc_q && logged && !c_poison_q && !ended;
  assign close   = logged && (op_close || (good && (end_one || c_poison_q || ended)));
  assign aborted = !chunk;
  assign fin     = gone && c_log0_q;

  assign c_idx_o     = c_idx_q;
  assign c_write_o   = (good && !end_one) || (op_close && !over);
  assign c_kill_o    = op_close && c_why_q == aa_pkg::ClEnd;
  assign c_free_o    = gone;
  assign c_release_o = gone && !c_log0_q;
  assign c_rem_o     = c_close_q ? rem : c_bytes_q - {1'b0, c_lm1_q, 2'b00} - 13'd4 + {11'd0, pos};
  assign c_pos_o     = c_close_q ? pos : 2'd0;
  assign c_dw_o      = c_close_q ? dw : dw + c_lm1_q + 10'd1;
  assign c_unlog_o   = !logged || close;

  logic [3:0] code;
  always_comb begin
    if (c_bad_q) code = 4'd3;
    else if (stray) code = 4'd2;
    else if (mal) code = 4'd3;
    else if (ended) code = end_one ? 4'd6 : 4'd5;
    else if (!c_sc_q) code = 4'd4;
    else code = last ? 4'd1 : 4'd0;
  end

  always_comb begin
    ret_o = '0;
    ret_o.kind = c_close_q ? aa_pkg::RetTimeout : aa_pkg::RetCpl;
    ret_o.flag = c_close_q && c_why_q == aa_pkg::ClLog;
    ret_o.code = c_close_q ? 4'(over) : code;
    ret_o.idx  = !c_close_q && (c_bad_q || stray) ? 8'hFF : 8'(c_idx_q);
    err_o = '0;
    err_o.code = c_close_q ? aa_pkg::ErrCplTimeout : code == 4'd3 ? aa_pkg::ErrCplLength : aa_pkg::ErrStray;
    err_o.sid = c_rid_q;
  end
  assign ret_valid_o   = op_cpl || op_close;
  assign ev_bad_o      = op_cpl && (!good || ended);
  assign ev_timeout_o  = c_kill_o;
  assign ev_late_o     = good && ended;
  assign ev_over_o     = op_close && over;
  assign err_valid_o   = ev_bad_o || ev_timeout_o;
  assign abort_valid_o = close && aborted;
  assign abort_log_o   = c_log_q;

  // ---- forward ----
  logic       f_valid, f_pop, f_drop, f_data, f_chunk, f_first_q, f_last, f_go, f_step, d_ready;
  logic [1:0] f_port;
  logic [9:0] f_lm1;
  logic [9-LowW:0] f_left_q, f_left;
  logic       unused_f_ready;

  cm_fifo #(
    .Width(1 + 1 + 1 + 2 + 10),
    .Depth(Queue)
  ) u_forward (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(op_cpl),
    .in_ready_o(unused_f_ready),
    .in_data_i({!good || ended, c_data_q && !c_bad_q, chunk, c_port_q, c_lm1_q}),
    .out_valid_o(f_valid),
    .out_ready_i(f_pop),
    .out_data_o({f_drop, f_data, f_chunk, f_port, f_lm1}),
    .level_o(f_level)
  );

  assign f_left = f_first_q ? f_lm1[9:LowW] : f_left_q;
  assign f_last = !f_data || f_left == '0;
  assign f_go   = f_valid && (!f_data || pay_valid) && (!f_chunk || d_ready);
  assign f_step = f_go && (f_drop || fwd_ready_i);
  assign f_pop  = f_step && f_last;
  assign pay_ready = f_step && f_data;
  assign fwd_valid_o = f_go && !f_drop;
  assign fwd_port_o  = f_port;
  always_comb begin
    fwd_beat_o.sop  = f_first_q;
    fwd_beat_o.eop  = f_last;
    fwd_beat_o.err  = rd_stat[0];
    fwd_beat_o.data = f_data ? pay_data : '0;  // a beat without data stays as it is while it waits
    {fwd_beat_o.seq, fwd_beat_o.hdr} = rd_head;
    for (int unsigned i = 0; i < BeatDw; i++) fwd_beat_o.strb[i] = f_data && (!f_last || LowW'(i) <= f_lm1[LowW-1:0]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_first_q <= 1'b1;
      e_ptr_q   <= '0;
    end else begin
      if (f_step) f_first_q <= f_last;
      if (f_pop) e_ptr_q <= e_ptr_q + 8'd1;
    end
  end
  always_ff @(posedge clk_i) if (f_step) f_left_q <= f_left - (10 - LowW)'(1);

  // ---- log ----
  if (Logs) begin : gen_log
    logic            g_valid, g_pop, g_chunk, g_close, g_aborted, g_fin, g_last, g_half_q;
    logic            g_whole, g_closing, unused_g_ready;
    logic [IdxW-1:0] g_idx;
    logic [9:0]      g_dw, g_lm1;
    logic [29:0]     place;
    logic [2:0]      unused_level;

    // Slack of the fork: a beat goes both ways at once, and each side waits for itself only.
    cm_fifo #(
      .Width(DataW),
      .Depth(4)
    ) u_data (
      .clk_i,
      .rst_ni,
      .clr_i(1'b0),
      .in_valid_i(f_step && f_chunk),
      .in_ready_o(d_ready),
      .in_data_i(pay_data),
      .out_valid_o(gd_valid_o),
      .out_ready_i(gd_ready_i),
      .out_data_o(gd_data_o),
      .level_o(unused_level)
    );

    cm_fifo #(
      .Width(IdxW + 5 + 20),
      .Depth(Queue)
    ) u_cmd (
      .clk_i,
      .rst_ni,
      .clr_i(1'b0),
      .in_valid_i(chunk || close || fin),
      .in_ready_o(unused_g_ready),
      .in_data_i({c_idx_q, chunk, close, aborted, fin, last, dw, c_lm1_q}),
      .out_valid_o(g_valid),
      .out_ready_i(g_pop),
      .out_data_o({g_idx, g_chunk, g_close, g_aborted, g_fin, g_last, g_dw, g_lm1}),
      .level_o(g_level)
    );

    // Data and header of an entry that one completion begins and ends go together. Else chunk first, then close; an
    // entry that was closed before only waits its turn to be given out.
    assign g_whole     = g_chunk && g_close && g_dw == '0;
    assign g_idx_o     = g_idx;
    assign g_closing   = !g_chunk || g_half_q;
    assign gl_valid_o  = g_valid && (g_chunk || g_close);
    assign g_pop       = g_valid && (gl_ready_i || !(g_chunk || g_close)) && (g_closing || g_whole || !g_close);
    assign g_release_o = g_pop && g_fin;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) g_half_q <= 1'b0;
      else if (gl_valid_o && gl_ready_i) g_half_q <= !g_closing && !g_whole && g_close;
    end

    // An entry lies within a ring of at most 2^30 bytes that is aligned to its size: bits above 29 stay.
    assign place = g_i.addr[29:0] + 30'd16 + {18'd0, g_dw, 2'b00};
    always_comb begin
      gl_cmd_o = g_i;
      gl_cmd_o.hdr.aborted = g_closing && g_aborted;
      gl_cmd_o.close = g_closing || g_whole;
      if (!g_closing) begin
        if (!g_whole) gl_cmd_o.addr = {g_i.addr[aa_pkg::HostAddrW-1:30], place};
        gl_cmd_o.ndw   = {1'b0, g_lm1} + 11'd1;
        gl_cmd_o.fbe   = g_dw == '0 ? g_i.hdr.fbe : 4'hF;
        gl_cmd_o.lbe   = g_last && g_i.hdr.len != 11'd1 ? g_i.hdr.lbe : 4'hF;
        gl_cmd_o.zeros = g_last ? 2'd0 - g_i.hdr.len[1:0] : 2'd0;
      end
    end
  end else begin : gen_no_log
    assign d_ready = 1'b1;
    assign g_level = '0;
    assign g_idx_o = '0;
    assign g_release_o = 1'b0;
    assign gl_valid_o = 1'b0;
    assign gl_cmd_o = '0;
    assign gd_valid_o = 1'b0;
    assign gd_data_o = '0;
  end

  logic unused;
  assign unused = rd_stat[1];

`ifdef FORMAL
`include "aa_cpl_props.svh"
`endif

endmodule

`default_nettype wire
