// SPDX-License-Identifier: Apache-2.0
// aa_notify: tells the owner of a log that entries have been published: scratchpad, pointer in memory, MSI, task.
//
//   publish --> scratchpad word            +-- S0 --+   +-- S1 --+   +-- S2 ---+   +-- S3 --+   +-- act --+--> note
//          \--> dirty                scan->| prod,  |-->| free,  |-->| limits  |-->| what   |-->| value   |--> message
//   consumer write, open --> armed         | cons   |   | age    |   |         |   | is due |   |         |--> task
//                                          +--------+   +--------+   +---------+   +--------+   +---------+--> off
//
// P1  SCRATCH word SCRI is {log, prod} from the cycle after a publish of a log with SCR. Registers are 0 until written;
//     LOG_* writes are ignored while the log is open. rb_rdata_o is the word whose address was on the bus in the cycle
//     before, as it is now; what is written to LOG_* has been there for two cycles (env_setup_log), and is looked at in
//     the second.
// P2  NotePtr: only after a publish that no NotePtr has shown; its value is the producer of this very cycle.
// P3  NoteMsi: only if armed, only if what the consumer can see (PTR: the last pointer written; else the producer)
//     leaves less than FREE free or has been there for CYCLES cycles, and never while a message of this log waits for
//     its response. But once after an alarm of the log (an entry or its pointer could not be written), armed or not.
// P4  None is lost: armed is set by opening and by every consumer write, and cleared by NoteMsi alone; dirty is set by
//     every publish and cleared by NotePtr alone. Whoever is due when the scanner reads it is served, or a consumer
//     write in between has armed it anew and it is read again.
// P5  NoteTask: only if prod and cons differ and no task of the log is outstanding. A full task port holds nobody else.
// P6  NoteLogOff: the log has nothing dirty, no message without a response and no MSI due; not while a register write
//     is on its way (rb_busy_i) or an error response is being recorded (stop_i). It waits for one NoteTask at most: for
//     entries that none has told yet.
// P7  At most one message and one task of a log are under way.
//
// The scanner reads a log a cycle and stops for what it finds due: a dirty pointer is picked within max(NumLogs, 4) + 2
// cycles and one cycle for each other action. A consumer write is told late in its cycle, so what it makes stale is
// dropped from the action in the cycle after; an opening arms a cycle late, since the scanner takes longer to get
// there. The interval runs from the first cycle in which the scanner finds unread entries, and anew after each consumer
// write; a visit later than that at most, never earlier than CYCLES.
// Cost: about 10 flip-flops and 460 bits of LUT RAM a log, 500 flip-flops.
// One file: P4, that nothing is lost, is an invariant over scanner, action and register writes in the same cycle.
// Rules of README.md: NTF-1, NTF-2, NTF-3, NTF-4, NTF-5, NTF-6, NTF-7, LOG-10, ERR-7, TMO-4, DUE-3.
`default_nettype none

module aa_notify #(
  parameter int unsigned NumLogs = 8,       // 1 to 32
  parameter int unsigned ScratchWords = 16, // 1 to 64
  parameter int unsigned PtrW = 32          // bits of pointers, thresholds and times in sums; lower for proofs
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  // Register bus: LOG_PTR, LOG_MSIA, LOG_MSID, LOG_TIME, SCRATCH
  input  wire cm_pkg::reg_bus_t      rb_i,
  input  wire logic                  rb_busy_i,  // in the cycle of a write at least (env_busy)
  output logic      [63:0]           rb_rdata_o,

  // Events, each in the cycle of its record
  input  wire logic                  pub_valid_i,
  input  wire logic [4:0]            pub_log_i,
  input  wire logic [31:0]           pub_prod_i,
  input  wire logic                  cons_event_valid_i,  // a consumer pointer was accepted
  input  wire logic [4:0]            cons_event_log_i,
  input  wire logic                  alarm_valid_i,       // an entry or the pointer could not be written
  input  wire logic [4:0]            alarm_log_i,
  input  wire logic                  open_event_valid_i,
  input  wire logic [4:0]            open_event_log_i,

  // Log table
  input  wire logic [NumLogs-1:0]    open_i,  // closing included
  input  wire logic [NumLogs-1:0]    closing_i,
  input  wire logic [NumLogs-1:0]    ptr_en_i,
  input  wire logic [NumLogs-1:0]    msi_en_i,
  input  wire logic [NumLogs-1:0]    scr_en_i,
  input  wire logic [NumLogs-1:0]    task_en_i,
  input  wire logic [NumLogs*6-1:0]  scri_i,
  output logic      [NumLogs-1:0]    ptr_ok_o,  // LOG_PTR is aligned and below 2^48
  output logic      [NumLogs-1:0]    msi_ok_o,
  output logic      [4:0]            qry_log_o,  // -> state at the beginning of this cycle
  input  wire logic [31:0]           qry_prod_i,
  input  wire logic [31:0]           qry_cons_i,
  input  wire logic [4:0]            qry_size_i,

  // Messages (aa_msg)
  output logic                       msg_valid_o,
  input  wire logic                  msg_ready_i,
  output logic      [63:0]           msg_addr_o,
  output logic      [63:0]           msg_data_o,
  output logic      [3:0]            msg_bytes_o,
  output aa_pkg::owner_t             msg_owner_o,
  input  wire logic                  msg_done_i,

  // Tasks
  output logic                       task_valid_o,
  input  wire logic                  task_ready_i,
  output logic      [4:0]            task_log_o,
  output logic      [31:0]           task_prod_o,
  output logic      [31:0]           task_cons_o,
  input  wire logic                  task_done_valid_i,
  input  wire logic [4:0]            task_done_log_i,

  // Tear-down: all entries of the log are published
  input  wire logic                  off_valid_i,
  input  wire logic [4:0]            off_log_i,
  input  wire logic                  stop_i,
  output logic                       off_ready_o,

  // Record
  output logic                       note_valid_o,
  input  wire logic                  note_ready_i,
  output aa_pkg::retire_t            note_o,
  output logic                       ev_msi_o
);

  if (NumLogs < 1 || NumLogs > 32) begin : gen_bad_num_logs $error("aa_notify: NumLogs must be 1 to 32"); end
  if (ScratchWords < 1 || ScratchWords > 64) begin : gen_bad_scratch_words
    $error("aa_notify: ScratchWords must be 1 to 64");
  end
  if (PtrW < 4 || PtrW > 32) begin : gen_bad_ptr_w $error("aa_notify: PtrW must be 4 to 32"); end

  localparam int unsigned Period = NumLogs < 4 ? 4 : NumLogs;  // as long as the pipeline
  localparam int unsigned AddrW = NumLogs > 1 ? $clog2(NumLogs) : 1;
  localparam int unsigned ScrW = ScratchWords > 1 ? $clog2(ScratchWords) : 1;
  localparam int unsigned InFlight = 4;

  // ---- registers of a log: read by the bus, by S2 and by the action ----
  logic [63:0]        ptr_q [NumLogs];
  logic [63:0]        msia_q [NumLogs];
  logic [31:0]        data_q [NumLogs];
  logic [31:0]        free_q [NumLogs];
  logic [31:0]        time_q [NumLogs];
  logic [NumLogs-1:0] known_q, ptr_bad_q, msi_bad_q, rb_log_oh, rb_at;
  logic [4:0]         rb_log, rb_log_q;
  logic [3:0]         rb_sel, rb_sel_q;  // LOG_PTR, LOG_MSIA, LOG_MSID, LOG_TIME
  logic [AddrW-1:0]   rb_idx;
  logic               rb_known, rb_we, unused;
  logic [63:0]        rb_ptr, rb_msia, rb_msid, rb_old, merged;
  aa_reg_pkg::log_msid_t merged_msid;
  aa_reg_pkg::log_time_t merged_time;
  logic [31:0]        rb_time;

  // What the address selects waits in registers: it has been on the bus for a cycle before anything is read or written.
  assign rb_log = aa_reg_pkg::idx_LOG_PTR(rb_i.addr);
  assign rb_sel = {4{32'(rb_log) < NumLogs}} &
                  {aa_reg_pkg::at_LOG_TIME(rb_i.addr), aa_reg_pkg::at_LOG_MSID(rb_i.addr),
                   aa_reg_pkg::at_LOG_MSIA(rb_i.addr), aa_reg_pkg::at_LOG_PTR(rb_i.addr)};
  always_ff @(posedge clk_i) begin
    rb_log_q <= rb_log;
    rb_sel_q <= rb_sel;
  end

  assign rb_idx    = rb_log_q[AddrW-1:0];
  assign rb_log_oh = NumLogs'(1) << rb_log_q;
  assign rb_known  = |(known_q & rb_log_oh);
  assign rb_we     = rb_i.we && rb_sel_q != '0 && (open_i & rb_log_oh) == '0;
  assign rb_at     = rb_we ? rb_log_oh : '0;
  assign unused    = &{1'b0, closing_i, merged_time.rsv63};

  assign rb_ptr  = ptr_q[rb_idx];
  assign rb_msia = msia_q[rb_idx];
  assign rb_msid = {free_q[rb_idx], data_q[rb_idx]};
  assign rb_time = time_q[rb_idx];

  always_comb begin
    rb_old = ({64{rb_sel_q[0] && rb_known}} & rb_ptr) | ({64{rb_sel_q[1] && rb_known}} & rb_msia) |
             ({64{rb_sel_q[2] && rb_known}} & rb_msid) | ({64{rb_sel_q[3] && rb_known}} & {32'd0, rb_time});
    merged = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, rb_old);
  end
  assign merged_msid = merged;
  assign merged_time = merged;

  logic ptr_is_bad_q, msi_is_bad_q;  // what would be written
  always_ff @(posedge clk_i) begin
    ptr_is_bad_q <= merged[63:48] != '0 || merged[2:0] != '0;
    msi_is_bad_q <= merged[63:48] != '0 || merged[1:0] != '0;
  end

  // The first write to one of a log's registers clears the others.
  always_ff @(posedge clk_i) begin
    if (rb_we && (!rb_known || rb_sel_q[0])) ptr_q[rb_idx] <= rb_sel_q[0] ? merged : '0;
    if (rb_we && (!rb_known || rb_sel_q[1])) msia_q[rb_idx] <= rb_sel_q[1] ? merged : '0;
    if (rb_we && (!rb_known || rb_sel_q[2])) begin
      data_q[rb_idx] <= rb_sel_q[2] ? merged_msid.DATA : '0;
      free_q[rb_idx] <= rb_sel_q[2] ? merged_msid.FREE : '0;
    end
    if (rb_we && (!rb_known || rb_sel_q[3])) time_q[rb_idx] <= rb_sel_q[3] ? merged_time.CYCLES : '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q   <= '0;
      ptr_bad_q <= '0;
      msi_bad_q <= '0;
    end else begin
      known_q <= known_q | rb_at;
      if (rb_sel_q[0]) ptr_bad_q <= (ptr_bad_q & ~rb_at) | (ptr_is_bad_q ? rb_at : '0);
      if (rb_sel_q[1]) msi_bad_q <= (msi_bad_q & ~rb_at) | (msi_is_bad_q ? rb_at : '0);
    end
  end
  assign ptr_ok_o = ~ptr_bad_q;
  assign msi_ok_o = ~msi_bad_q;

  // ---- scratchpad: {log, producer} ----
  logic [36:0]             scr_q [ScratchWords];
  logic [ScratchWords-1:0] scr_known_q;
  logic [NumLogs-1:0]      pub_oh;
  logic [5:0]              scri, scr_idx;
  logic [ScrW-1:0]         scr_idx_q;
  logic                    scr_sel_q, scr_we;
  logic [36:0]             scr_word;

  assign pub_oh   = pub_valid_i ? NumLogs'(1) << pub_log_i : '0;
  assign scr_we   = |(pub_oh & scr_en_i);
  assign scr_word = scr_q[scr_idx_q];
  assign scr_idx  = aa_reg_pkg::idx_SCRATCH(rb_i.addr);
  always_ff @(posedge clk_i) begin
    scr_sel_q <= aa_reg_pkg::at_SCRATCH(rb_i.addr) && 32'(scr_idx) < ScratchWords;
    scr_idx_q <= scr_idx[ScrW-1:0];
  end

  // Its word is chosen by the log alone: that there is a publish is known late.
  always_comb begin
    scri = '0;
    for (int unsigned l = 0; l < NumLogs; l++) if (pub_log_i == 5'(l)) scri = scri | scri_i[6*l+:6];
  end

  always_ff @(posedge clk_i) if (scr_we) scr_q[scri[ScrW-1:0]] <= {pub_log_i, pub_prod_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) scr_known_q <= '0;
    else if (scr_we) scr_known_q[scri[ScrW-1:0]] <= 1'b1;
  end

  assign rb_rdata_o = rb_old | ({64{scr_sel_q && scr_known_q[scr_idx_q]}} & {27'd0, scr_word});

  // ---- state of a log ----
  logic [NumLogs-1:0] dirty_q;   // published, and no NotePtr since
  logic [NumLogs-1:0] wait_q;    // a message has no response yet
  logic [NumLogs-1:0] armed_q;   // no MSI since the last consumer write
  logic [NumLogs-1:0] timing_q;  // the interval runs since since_q
  logic [NumLogs-1:0] cover_q;   // the last pointer written shows what an MSI is due for
  logic [NumLogs-1:0] tasked_q;  // a task is outstanding
  logic [NumLogs-1:0] news_q;    // published, and no NoteTask since
  logic [NumLogs-1:0] alarm_q;   // alarm, and no MSI since
  logic [PtrW:0]      since_q [NumLogs];
  logic [PtrW:0]      now_q;

  logic [NumLogs-1:0] cons_oh, alarm_oh, opened_q, event_oh, act_oh, s3_oh, done_oh, task_done_oh;
  logic               step;  // the pipeline moves

  assign cons_oh      = cons_event_valid_i ? NumLogs'(1) << cons_event_log_i : '0;
  assign event_oh     = cons_oh | opened_q;
  always_ff @(posedge clk_i) opened_q <= rst_ni && open_event_valid_i ? NumLogs'(1) << open_event_log_i : '0;
  assign alarm_oh     = alarm_valid_i ? NumLogs'(1) << alarm_log_i : '0;
  assign task_done_oh = task_done_valid_i ? NumLogs'(1) << task_done_log_i : '0;

  // ---- S0: producer and consumer ----
  logic [4:0]         s0_q, s1_log_q, s2_log_q, s3_log_q, act_log_q;
  logic               s1_valid_q, s2_valid_q, s3_valid_q, act_q;
  logic               s1_stale_q, s2_stale_q, s3_stale_q, act_stale_q;  // a consumer write came after S0
  logic               s1_off_q, s2_off_q, s3_off_q;        // S0 saw the last producer of a log that is taken down
  logic               s0_open, s0_stale, s1_stale, s2_stale, s3_stale, act_stale;
  logic [PtrW-1:0]    s1_used_q, s2_free_q;
  logic [4:0]         s1_size_q;
  logic [PtrW:0]      s2_age_q;
  logic               s2_any_q, s3_any_q, s3_low_q, s3_old_q;

  assign qry_log_o = act_q ? act_log_q : s0_q;
  always_comb begin
    s0_open   = 1'b0;
    s0_stale  = 1'b0;
    s1_stale  = s1_stale_q;
    s2_stale  = s2_stale_q;
    s3_stale  = s3_stale_q;
    act_stale = act_stale_q;
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (s0_q == 5'(l) && open_i[l]) s0_open = 1'b1;
      if (s0_q == 5'(l) && cons_oh[l]) s0_stale = 1'b1;
      if (s1_log_q == 5'(l) && cons_oh[l]) s1_stale = 1'b1;
      if (s2_log_q == 5'(l) && cons_oh[l]) s2_stale = 1'b1;
      if (s3_log_q == 5'(l) && cons_oh[l]) s3_stale = 1'b1;
      if (act_log_q == 5'(l) && cons_oh[l]) act_stale = 1'b1;
    end
  end

  assign step = !act_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s0_q       <= '0;
      now_q      <= '0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s3_valid_q <= 1'b0;
    end else begin
      now_q <= now_q + (PtrW+1)'(1);
      if (step) begin
        s0_q       <= 32'(s0_q) == Period - 1 ? '0 : s0_q + 5'd1;
        s1_valid_q <= s0_open;
        s2_valid_q <= s1_valid_q;
        s3_valid_q <= s2_valid_q;
      end
    end
  end

  logic [PtrW-1:0] s2_low, s2_time;
  logic            s2_known;
  assign s2_known = |(known_q & (NumLogs'(1) << s2_log_q));
  assign s2_low   = s2_known ? free_q[s2_log_q[AddrW-1:0]][PtrW-1:0] : '0;
  assign s2_time  = s2_known ? time_q[s2_log_q[AddrW-1:0]][PtrW-1:0] : '0;

  always_ff @(posedge clk_i) begin
    if (step) begin
      s1_log_q   <= s0_q;
      s1_used_q  <= qry_prod_i[PtrW-1:0] - qry_cons_i[PtrW-1:0];
      s1_size_q  <= qry_size_i;
      s1_off_q   <= off_valid_i && off_log_i == s0_q;
      s1_stale_q <= s0_stale;
      s2_log_q   <= s1_log_q;
      s2_free_q  <= (PtrW'(1) << s1_size_q) - s1_used_q;
      s2_any_q   <= s1_used_q != '0;
      s2_age_q   <= now_q - since_q[s1_log_q[AddrW-1:0]];
      s2_off_q   <= s1_off_q;
      s2_stale_q <= s1_stale;
      s3_log_q   <= s2_log_q;
      s3_low_q   <= s2_free_q < s2_low;
      s3_old_q   <= s2_time != '0 && s2_age_q >= {1'b0, s2_time};
      s3_any_q   <= s2_any_q;
      s3_off_q   <= s2_off_q;
      s3_stale_q <= s2_stale;
      act_stale_q <= s3_stale;
    end else begin
      s1_stale_q <= s1_stale;
      s2_stale_q <= s2_stale;
      s3_stale_q <= s3_stale;
      act_stale_q <= act_stale;
    end
  end

  // ---- S3: what is due ----
  logic       s3_alarm, s3_dirty, s3_wait, s3_armed, s3_timing, s3_cover, s3_tasked, s3_news, s3_msi_en, s3_task_en;
  logic       reason, due_msi, due_ptr, due_task, due_off, take_task, take;
  logic       turn_q, owed_q, task_q;
  logic [4:0] turn_log_q;

  assign s3_oh      = s3_valid_q ? NumLogs'(1) << s3_log_q : '0;
  assign s3_dirty   = |(s3_oh & dirty_q);
  assign s3_wait    = |(s3_oh & wait_q);
  assign s3_armed   = |(s3_oh & armed_q);
  assign s3_timing  = |(s3_oh & timing_q);
  assign s3_cover   = |(s3_oh & cover_q);
  assign s3_tasked  = |(s3_oh & tasked_q);
  assign s3_news    = |(s3_oh & news_q);
  assign s3_alarm   = |(s3_oh & alarm_q);
  assign s3_msi_en  = |(s3_oh & msi_en_i);
  assign s3_task_en = |(s3_oh & task_en_i);

  assign reason    = !s3_stale_q && (s3_low_q || (s3_old_q && s3_timing && s3_any_q));
  assign due_msi   = s3_valid_q && s3_msi_en && !s3_wait &&
                     (s3_alarm || (s3_armed && reason && (!s3_dirty || s3_cover)));
  assign due_ptr   = s3_dirty && !s3_wait;
  assign due_task  = s3_valid_q && s3_task_en && s3_any_q && !s3_stale_q && !s3_tasked && (s3_news || !due_off);
  assign due_off   = s3_valid_q && s3_off_q && off_valid_i && off_log_i == s3_log_q && !s3_dirty && !s3_wait &&
                     !s3_stale_q;
  // A log that has found the task port full is remembered; from the second time on the port is kept for it.
  assign take_task = due_task && (!task_q || task_ready_i) && (!owed_q || turn_log_q == s3_log_q) && !due_msi &&
                     !due_ptr;
  assign take      = step && (due_msi || due_ptr || take_task || due_off);

  // ---- the action ----
  logic       act_msi_q, act_ptr_q, act_task_q, act_off_q, act_reason_q, msg_q, room, commit, drop, act_known;
  logic       act_alarm;
  logic [31:0] prod;
  logic [2:0] level_q;
  logic [4*5-1:0] order_q, order_d;
  logic       push, pop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) act_q <= 1'b0;
    else if (take) act_q <= 1'b1;
    else if (commit || drop) act_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (step) begin
      act_log_q    <= s3_log_q;
      act_msi_q    <= due_msi;
      act_ptr_q    <= due_ptr && !due_msi;
      act_task_q   <= take_task;
      act_off_q    <= due_off && !due_msi && !take_task;
      act_reason_q <= reason;
    end
  end

  assign act_oh = act_q ? NumLogs'(1) << act_log_q : '0;
  assign room   = !msg_q && level_q != 3'(InFlight);

  // What a consumer write has made stale is not done; the log is read again, and is armed.
  // A log never ends while a register write is on its way: what a write of LOG_* does is settled before.
  assign act_alarm    = |(act_oh & alarm_q & msi_en_i);  // came after S3: its MSI goes before the log ends
  assign drop         = act_q && ((act_stale_q && !act_ptr_q) || (act_alarm && act_off_q));
  assign note_valid_o = act_q && !drop && (act_off_q ? !rb_busy_i && !stop_i : act_task_q || room);
  assign commit       = note_valid_o && note_ready_i;
  assign off_ready_o  = commit && act_off_q;
  assign ev_msi_o     = commit && act_msi_q;

  assign prod      = pub_valid_i && pub_log_i == act_log_q ? pub_prod_i : qry_prod_i;
  assign act_known = |(known_q & act_oh);

  always_comb begin
    note_o      = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.code = act_msi_q ? aa_pkg::NoteMsi : act_ptr_q ? aa_pkg::NotePtr : act_task_q ? aa_pkg::NoteTask :
                  aa_pkg::NoteLogOff;
    note_o.idx  = {3'd0, act_log_q};
    if (act_msi_q) note_o.a[31:0] = act_known ? data_q[act_log_q[AddrW-1:0]] : '0;
    else if (!act_off_q) note_o.a[31:0] = prod;
  end

  // ---- message and task that leave ----
  logic [63:0] msg_addr_q;
  logic [31:0] msg_data_q;
  logic        msg_wide_q;
  logic [4:0]  msg_log_q;
  logic [4:0]  task_log_q;
  logic [31:0] task_prod_q, task_cons_q;

  assign push = commit && (act_msi_q || act_ptr_q);
  assign pop  = msg_done_i && level_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      msg_q   <= 1'b0;
      task_q  <= 1'b0;
      level_q <= '0;
    end else begin
      if (push) msg_q <= 1'b1;
      else if (msg_ready_i) msg_q <= 1'b0;
      if (commit && act_task_q) task_q <= 1'b1;
      else if (task_ready_i) task_q <= 1'b0;
      level_q <= level_q + 3'(push) - 3'(pop);
    end
  end

  // Whether it goes is known late: while nothing waits here, what would go is taken over in each cycle.
  always_ff @(posedge clk_i) begin
    if (!msg_q) begin
      msg_addr_q <= !act_known ? '0 : act_msi_q ? msia_q[act_log_q[AddrW-1:0]] : ptr_q[act_log_q[AddrW-1:0]];
      msg_data_q <= note_o.a[31:0];
      msg_wide_q <= act_ptr_q;
      msg_log_q  <= act_log_q;
    end
    if (!task_q) begin
      task_log_q  <= act_log_q;
      task_prod_q <= prod;
      task_cons_q <= qry_cons_i;
    end
  end

  assign msg_valid_o  = msg_q;
  assign msg_addr_o   = msg_addr_q;
  assign msg_data_o   = {32'd0, msg_data_q};
  assign msg_bytes_o  = msg_wide_q ? 4'd8 : 4'd4;
  assign msg_owner_o  = {1'b1, msg_wide_q, msg_log_q};
  assign task_valid_o = task_q;
  assign task_log_o   = task_log_q;
  assign task_prod_o  = task_prod_q;
  assign task_cons_o  = task_cons_q;

  // Responses come in order: whose is next?
  always_comb begin
    done_oh = '0;
    for (int unsigned l = 0; l < NumLogs; l++) if (pop && order_q[4:0] == 5'(l)) done_oh[l] = 1'b1;
    order_d = pop ? {5'd0, order_q[19:5]} : order_q;
    for (int unsigned i = 0; i < InFlight; i++) if (push && level_q == 3'(i) + 3'(pop)) order_d[5*i+:5] = act_log_q;
  end
  always_ff @(posedge clk_i) order_q <= order_d;

  // ---- next state of the logs; what a register write does comes last ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dirty_q    <= '0;
      wait_q     <= '0;
      armed_q    <= '0;
      timing_q   <= '0;
      cover_q    <= '0;
      tasked_q   <= '0;
      news_q     <= '0;
      alarm_q    <= '0;
      turn_q     <= 1'b0;
      owed_q     <= 1'b0;
    end else begin
      dirty_q  <= (dirty_q | (pub_oh & ptr_en_i)) & ~(commit && act_ptr_q ? act_oh : '0);
      wait_q   <= (wait_q & ~done_oh) | (push ? act_oh : '0);
      armed_q  <= (armed_q & ~(commit && act_msi_q ? act_oh : '0)) | event_oh;
      timing_q <= ((timing_q & ~(step && !s3_any_q ? s3_oh : '0)) |
                   (step && s3_any_q && !s3_stale_q ? s3_oh : '0)) & ~event_oh;
      cover_q  <= ((cover_q & ~(commit && act_ptr_q ? act_oh : '0)) |
                   (commit && act_ptr_q && act_reason_q && !act_stale_q ? act_oh : '0)) & ~event_oh;
      tasked_q <= (tasked_q & ~task_done_oh) | (commit && act_task_q ? act_oh : '0);
      news_q   <= (news_q | (pub_oh & task_en_i)) & ~(commit && act_task_q ? act_oh : '0);
      alarm_q  <= (alarm_q & ~(commit && act_msi_q ? act_oh : '0) & ~opened_q) | alarm_oh;
      if (step && turn_q && turn_log_q == s3_log_q) begin
        turn_q <= due_task && !take_task;
        owed_q <= due_task && !take_task;
      end else if (step && !turn_q) begin
        turn_q <= due_task && !take_task;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (step && !turn_q) turn_log_q <= s3_log_q;
    if (step && s3_valid_q && !s3_timing) since_q[s3_log_q[AddrW-1:0]] <= now_q;
  end

`ifdef FORMAL
`include "aa_notify_props.svh"
`endif

endmodule

`default_nettype wire
