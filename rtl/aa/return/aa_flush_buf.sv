// SPDX-License-Identifier: Apache-2.0
// aa_flush_buf: reads of a flush page wait here until the consumer has passed what was reserved when they came.
//
//   page, iuid --> [ AA_FLP x FlushPages ] --> m_hit
//   alloc --> [ waiters ] --> scanner: age --> S1: cons - snapshot, tear-down --> due? --> answer --> | reg | --> CplD
//                                |                ^ qry log -> cons, open, closing           \--> note, free, error
//                                +----------------+
//
// P1  m_hit_o: an enabled page register holds exactly this page and IUID.
// P2  A waiter is answered exactly once, and never before one of: cons - snapshot >= 0 (signed), AA_FLUSH_TMO cycles
//     have gone (by the register as it was when the scanner came by, and is not 0 now), its log is being or has been
//     torn down (even if it has been opened anew since), its port has been reset since it came, or fn_i asks for its
//     requester.
// P3  The answer is marked "done" exactly if cons - snapshot >= 0 and its log was not torn down, nor its port reset;
//     cons is the consumer pointer at the beginning of the cycle of the record. A time-out without either is an error.
// P4  Record, free of the tag entry and hand-over of the answer are in one cycle; the CplD follows from a register and
//     never changes while it waits. A waiter whose port has been reset leaves a record, and no CplD.
// P5  alloc_idx_o is the lowest waiter that is free for alloc_port_i; alloc_ready_o: there is one. None is ever
//     overwritten. Waiters Share * port and up are that port's own, those above all shares common: a port that holds
//     fewer than Share gets one.
// P6  A waiter that may be answered is, within 2 x FlushWaiters + 1 cycles in which records are accepted, CplDs
//     leave and AA_FLUSH_TMO is not written. One that was reset waits for no CplD of its own.
//
// Whether a waiter in S1 is due takes a cycle of its own: what was due stays so, since a consumer only moves forward
// (env_forward). Cost: FlushPages x 63 and FlushWaiters x 7 + 190 flip-flops, 197 bits of LUT RAM a waiter.
// One file: P2, answered exactly once, is an invariant over the waiters that allocation, scanner and answer share.
// Rules of README.md: FLU-1, FLU-2, FLU-3, FLU-4, TAG-8, TMO-3, TMO-5, DUE-2.
`default_nettype none

module aa_flush_buf #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned NumLogs = 8,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  localparam int unsigned Share = aa_pkg::share(FlushWaiters, NumPorts),
  localparam int unsigned LogW = aa_pkg::LogIdxW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [31:0]                flush_tmo_i,  // 0 = never
  input  wire logic                       flush_tmo_on_i,  // it is not 0

  input  wire logic [NumPorts-1:0]        dev_reset_i,  // ends the waiters that came before this cycle

  input  wire logic                       fn_i,         // end those of requester fn_rid_i,
  input  wire logic [15:0]                fn_rid_i,
  output logic                            fn_pass_o,    // all that were there when fn_i rose have been

  // Registers AA_FLP
  input  wire cm_pkg::reg_bus_t           rb_i,
  output logic      [63:0]                rb_rdata_o,

  // Match, combinational
  input  wire logic [63:12]               m_page_i,
  input  wire logic [9:0]                 m_iuid_i,
  output logic                            m_hit_o,

  // A held flush (OutFlush)
  input  wire logic                       alloc_valid_i,
  output logic                            alloc_ready_o,
  output logic      [7:0]                 alloc_idx_o,
  input  wire logic [LogW-1:0]            alloc_log_i,
  input  wire logic [31:0]                alloc_snap_i,     // rsvd of the log
  input  wire logic [7:0]                 alloc_tag_idx_i,  // tag-buffer entry
  input  wire logic [1:0]                 alloc_port_i,
  input  wire logic [cm_pkg::SeqW-1:0]    alloc_seq_i,
  input  wire logic [127:0]               alloc_hdr_i,
  input  wire logic [9:0]                 alloc_iuid_i,

  // Logs: state, and qry_log_o -> consumer pointer in the same cycle
  input  wire logic [NumLogs-1:0]         open_i,  // closing included
  input  wire logic [NumLogs-1:0]         closing_i,
  output logic      [LogW-1:0]            qry_log_o,
  input  wire logic [31:0]                qry_cons_i,

  // Answer
  output logic                            gen_valid_o,
  input  wire logic                       gen_ready_i,
  output cm_pkg::tlp_t                    gen_beat_o,
  output logic      [1:0]                 gen_port_o,
  output logic                            flush_free_valid_o,
  output logic      [7:0]                 flush_free_idx_o,
  output logic                            note_valid_o,
  input  wire logic                       note_ready_i,
  output aa_pkg::retire_t                 note_o,
  output logic                            err_valid_o,
  output aa_pkg::err_t                    err_o,
  output logic                            ev_late_o  // answered "not done"
);

  if (FlushPages < 1 || FlushPages > 8) begin : gen_bad_flush_pages
    $error("aa_flush_buf: FlushPages must be 1 to 8");
  end
  if (FlushWaiters < 1 || FlushWaiters > 32) begin : gen_bad_flush_waiters
    $error("aa_flush_buf: FlushWaiters must be 1 to 32");
  end
  if (FlushWaiters < NumPorts) begin : gen_bad_flush_waiters_num_ports
    $error("aa_flush_buf: FlushWaiters must be at least NumPorts");
  end
  if (NumLogs < 1 || NumLogs > 32) begin : gen_bad_num_logs $error("aa_flush_buf: NumLogs must be 1 to 32"); end

  localparam int unsigned IdxW = FlushWaiters > 1 ? $clog2(FlushWaiters) : 1;

  // ---- page registers: {page, iuid, enable} ----
  logic [FlushPages*63-1:0] page_q;
  logic                     rb_hit, unused;
  logic [31:0]              ahead;
  logic [2:0]               rb_idx;
  aa_reg_pkg::aa_flp_t      merged;

  assign rb_hit = aa_reg_pkg::at_AA_FLP(rb_i.addr);
  assign rb_idx = aa_reg_pkg::idx_AA_FLP(rb_i.addr);
  assign unused = &{1'b0, merged.rsv1, alloc_hdr, alloc_addr[1:0], ahead[30:0]};

  always_comb begin
    rb_rdata_o = '0;
    for (int unsigned i = 0; i < FlushPages; i++) begin
      if (rb_hit && rb_idx == 3'(i)) rb_rdata_o = {page_q[63*i+1+:62], 1'b0, page_q[63*i]};
    end
    merged = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, rb_rdata_o);
    m_hit_o = 1'b0;
    for (int unsigned i = 0; i < FlushPages; i++) begin
      if (page_q[63*i+:63] == {m_page_i, m_iuid_i, 1'b1}) m_hit_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      page_q <= '0;
    end else if (rb_i.we && rb_hit) begin
      for (int unsigned i = 0; i < FlushPages; i++) begin
        if (rb_idx == 3'(i)) page_q[63*i+:63] <= {merged.PAGE, merged.IUID, merged.EN};
      end
    end
  end

  // ---- waiters ----
  localparam int unsigned HeldW = 32 + 8 + 2 + cm_pkg::SeqW + 10 + 26 + 16 + 62;
  logic [FlushWaiters-1:0]      valid_q, torn_q, kill_q, ended, gone, free, first;
  logic [FlushWaiters*LogW-1:0] log_q;
  logic [IdxW-1:0]              pick, scan_q, s1_idx_q;
  logic                         answer, s1_valid_q, hold;
  logic [LogW-1:0]              s1_log_q;
  logic                         s1_late_q, sure_q, slow_q, due;
  logic [32:0]                  now_q, birth, age;
  logic [HeldW-1:0]             held;
  logic [HeldW-1:0]             held_q [FlushWaiters];
  logic [32:0]                  birth_q [FlushWaiters];

  for (genvar i = 0; i < FlushWaiters; i++) begin : gen_free
    if (i >= NumPorts * Share) begin : gen_common
      assign free[i] = !valid_q[i];
    end else begin : gen_own
      assign free[i] = !valid_q[i] && alloc_port_i == 2'(i / Share);
    end
  end
  assign alloc_ready_o = |free;
  assign alloc_idx_o   = 8'(pick);

  always_comb begin
    pick = '0;
    for (int i = FlushWaiters - 1; i >= 0; i--) if (free[i]) pick = IdxW'(i);
    for (int unsigned i = 0; i < FlushWaiters; i++) first[i] = free[i] && pick == IdxW'(i);
    gone = '0;
    for (int unsigned i = 0; i < FlushWaiters; i++) begin
      for (int unsigned l = 0; l < NumLogs; l++) begin
        if (log_q[LogW*i+:LogW] == LogW'(l)) gone[i] = !open_i[l] || closing_i[l];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      torn_q  <= '0;
      kill_q  <= '0;
    end else begin
      torn_q <= (torn_q | gone) & valid_q;
      kill_q <= ended & valid_q;
      // The decision comes last: who would be taken is known before.
      for (int unsigned i = 0; i < FlushWaiters; i++)
        valid_q[i] <= (valid_q[i] && !(answer && s1_idx_q == IdxW'(i))) || (alloc_valid_i && first[i]);
    end
  end

  logic [2*FlushWaiters-1:0] port_q;  // whose they are
  for (genvar i = 0; i < FlushWaiters; i++) begin : gen_ended
    if (NumPorts == 1) begin : gen_one_port
      assign ended[i] = kill_q[i] || dev_reset_i[0];
      logic unused_port;
      assign port_q[2*i+:2] = 2'd0;
      assign unused_port = &port_q[2*i+:2];
    end else begin : gen_ports
      logic [3:0] resets;
      assign resets = 4'(dev_reset_i);
      assign ended[i] = kill_q[i] || resets[port_q[2*i+:2]];
      always_ff @(posedge clk_i) if (first[i]) port_q[2*i+:2] <= alloc_port_i;
    end
  end

  // A free waiter may be written in every cycle: only valid_q waits for the decision.
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < FlushWaiters; i++) if (first[i]) log_q[LogW*i+:LogW] <= alloc_log_i;
  end

  cm_pkg::tlp_req_t alloc_hdr;
  logic [63:0]      alloc_addr;
  assign alloc_hdr  = alloc_hdr_i;
  assign alloc_addr = cm_pkg::tlp_addr(alloc_hdr_i);

  always_ff @(posedge clk_i) begin
    if (alloc_ready_o) begin
      birth_q[pick] <= now_q;
      held_q[pick]  <= {alloc_snap_i, alloc_tag_idx_i, alloc_port_i, alloc_seq_i, alloc_iuid_i, alloc_hdr.rid,
                        alloc_hdr.t9, alloc_hdr.t8, alloc_hdr.tag, alloc_hdr.tc, alloc_hdr.ido, alloc_hdr.ro,
                        alloc_hdr.ns, alloc_hdr.len[1:0],
                        alloc_hdr.lbe, alloc_hdr.fbe, alloc_addr[63:2]};
    end
  end
  assign birth = birth_q[scan_q];
  assign held  = held_q[s1_idx_q];

  // ---- scanner: S0 looks at the age, S1 at the consumer ----
  assign age = now_q - birth;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      scan_q     <= '0;
      s1_valid_q <= 1'b0;
      now_q      <= '0;
    end else begin
      now_q <= now_q + 33'd1;
      if (!hold) begin
        scan_q     <= scan_q == IdxW'(FlushWaiters - 1) ? '0 : scan_q + IdxW'(1);
        s1_valid_q <= valid_q[scan_q];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!hold) begin
      s1_idx_q  <= scan_q;
      s1_late_q <= flush_tmo_on_i && age >= {1'b0, flush_tmo_i};
      s1_log_q  <= log_q[LogW*scan_q+:LogW];
    end
  end

  // A whole round of S0, and S1 behind it.
  logic [5:0] fn_left_q;
  assign fn_pass_o = fn_i && fn_left_q == '0;
  always_ff @(posedge clk_i) begin
    if (!fn_i) fn_left_q <= 6'(FlushWaiters + 1);
    else if (!hold && fn_left_q != '0) fn_left_q <= fn_left_q - 6'd1;
  end

  logic        live, torn, dead, done, late, gen_q;
  logic [31:0] snap;
  logic [7:0]  tag_idx;
  logic [1:0]  port;
  logic [9:0]  iuid, tag;
  logic [15:0] rid;
  logic [2:0]  tc;
  logic [2:0]  attr;
  logic [1:0]  len;
  logic [7:0]  be;
  logic [63:2] iova;
  logic [cm_pkg::SeqW-1:0] seq;

  assign {snap, tag_idx, port, seq, iuid, rid, tag, tc, attr, len, be, iova} = held;

  assign qry_log_o = s1_log_q;
  assign live  = s1_valid_q && valid_q[s1_idx_q];
  assign torn  = torn_q[s1_idx_q] || gone[s1_idx_q];
  assign dead  = ended[s1_idx_q] || (fn_i && fn_left_q != '0 && rid == fn_rid_i);
  assign ahead = qry_cons_i - snap;
  assign done  = !torn && !dead && !ahead[31];
  assign late  = s1_late_q && flush_tmo_on_i;
  assign due   = live && (torn || dead || done || late);

  // Whoever is due keeps S1 until its record is taken.
  assign note_valid_o = (sure_q || (slow_q && flush_tmo_on_i)) && (dead || !gen_q);
  assign answer       = note_valid_o && note_ready_i;
  assign hold         = due && !answer;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sure_q <= 1'b0;
      slow_q <= 1'b0;
    end else begin
      sure_q <= hold && (torn || dead || done);
      slow_q <= hold && late;
    end
  end

  assign flush_free_valid_o = answer;
  assign flush_free_idx_o   = tag_idx;
  assign ev_late_o          = answer && !done;
  assign err_valid_o        = answer && !done && !torn && !dead;

  always_comb begin
    note_o      = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.code = aa_pkg::NoteFlush;
    note_o.flag = !done;
    note_o.slot = 8'(dead);
    note_o.idx  = 8'(s1_idx_q);
    note_o.a    = {32'd0, qry_cons_i};
    err_o.code  = aa_pkg::ErrFlushTimeout;
    err_o.sid   = rid;
    err_o.iuid  = iuid;
    err_o.addr  = {iova, 2'b00};
  end

  // ---- the answer ----
  logic [31:0]             gen_cons_q;
  logic                    gen_done_q;
  logic [1:0]              gen_port_q, gen_len_q;
  logic [cm_pkg::SeqW-1:0] gen_seq_q;
  logic [44:0]             gen_req_q;  // rid, tag, TC, attributes, byte enables, address 6:2
  logic [9:0]              gen_length;
  cm_pkg::tlp_req_t        gen_req;
  cm_pkg::tlp_cpl_t        gen_hdr;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) gen_q <= 1'b0;
    else if (answer && !dead) gen_q <= 1'b1;
    else if (gen_ready_i) gen_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (answer && !dead) begin
      gen_cons_q <= qry_cons_i;
      gen_done_q <= done;
      gen_port_q <= port;
      gen_seq_q  <= seq;
      gen_len_q  <= len;
      gen_req_q  <= {rid, tag, tc, attr, be, iova[6:2]};
    end
  end

  // The request's header again, as far as a completion needs it: MRd64, Length 1 to 4.
  assign gen_length = {7'd0, gen_len_q == 2'd0, gen_len_q};
  always_comb begin
    gen_req     = '0;
    gen_req.op  = cm_pkg::OpRead | 8'(1 << cm_pkg::OpFour);
    gen_req.len = gen_length;
    {gen_req.rid, gen_req.t9, gen_req.t8, gen_req.tag, gen_req.tc, gen_req.ido, gen_req.ro, gen_req.ns, gen_req.lbe,
     gen_req.fbe,
     gen_req.addr[6:2]} = gen_req_q;
  end

  aa_cpl_gen u_cpl_gen (
    .data_i(1'b1),
    .req_i(gen_req),
    .cpl_o(gen_hdr)
  );

  assign gen_valid_o = gen_q;
  assign gen_port_o  = gen_port_q;

  always_comb begin
    gen_beat_o     = '0;
    gen_beat_o.sop = 1'b1;
    gen_beat_o.eop = 1'b1;
    gen_beat_o.seq = gen_seq_q;
    gen_beat_o.hdr = gen_hdr;
    for (int unsigned i = 0; i < 4; i++) begin
      if (10'(i) < gen_length) begin
        gen_beat_o.strb[i]       = 1'b1;
        gen_beat_o.data[32*i+:32] = gen_req_q[0] == 1'(i) ? gen_cons_q : {!gen_done_q, 31'd0};
      end
    end
  end

`ifdef FORMAL
`include "aa_flush_buf_props.svh"
`endif

endmodule

`default_nettype wire
