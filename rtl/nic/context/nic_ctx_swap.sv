// SPDX-License-Identifier: Apache-2.0
// nic_ctx_swap: sees to what contexts are wanted for, one thing at a time: a frame, a close, a bell.
//
//   frame's miss --+                                  +--> nowhere: read --> closed, broken: RetCtx
//   close ---------+--> find (nic_ctx_map) --> here --|                |
//   bell ----------+          |                       |                +--> seek --> take --> off --> save --> load
//                             +--> close: take, off, save, shut        bell: ring
//
// P1  A frame first, then a close, then the bell that is the first; each is seen to until its end.
// P2  A context is in one place at most, and each place has one at most: it is set to be here when it has been loaded,
//     and no longer before its place is turned off.
// P3  A place is turned off for another context only when it is not at work and has no responses under way, after
//     claim_valid_o has kept new frames from it and the last one of before is decided on.
// P4  A context is read only when all writes of before have left; what is turned on, or closed, has been read and
//     written as README.md says. A drop for a frame, and nothing for a bell, follows Closed, Broken, NoPlace.
// P5  A bell is served only when another place than its own is not at work.
// P6  After cfg_we_i (no place is on, nothing is closed) nothing is turned on for what went before; a save goes on.
//
// What is waited for, each of which ends by itself: the bus (an access of software, and its response being taken);
// decisions under way (hold); memory (reads, writes); the wire, by which responses leave and TmQuiet comes. None of
// these waits for nic_ctx_swap: while a frame waits here, nothing that has been decided on needs it.
// Cost: 100 flip-flops, an adder of 52 bits.
// One file: each state is a step of one job, and what may go on beside it is said in P1 to P6.
// Rules of README.md: CTX-2, CTX-5, CTX-6, CTX-7, CTX-8, CTX-9, CTX-10, CTX-11, CTX-14, TIM-11.
`default_nettype none

module nic_ctx_swap #(
  parameter int unsigned Contexts = 64,
  localparam int unsigned CtxW = $clog2(Contexts)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  // NIC_CTX, NIC_CLOSE
  input  wire logic            en_i,
  input  wire logic [63:12]    table_i,
  input  wire logic [nic_pkg::ProcW-1:0] proc_i,
  input  wire logic            cfg_we_i,
  input  wire logic            sweeps_i,       // nic_ctx_map or nic_ctx_bell is being swept
  input  wire logic            close_valid_i,
  input  wire logic [CtxW-1:0] close_ctx_i,
  output logic                 close_done_o,
  output logic      [63:0]     va_o,           // of the context that is read or written
  output logic      [nic_pkg::ProcW-1:0] proc_o,

  // nic_ctx_head
  input  wire logic            waits_i,
  input  wire logic            miss_i,
  input  wire logic [CtxW-1:0] miss_ctx_i,
  output logic                 drop_o,
  output logic                 claim_valid_o,
  input  wire logic            claim_clear_i,

  // nic_ctx_map
  output logic                 find_valid_o,
  output logic      [CtxW-1:0] ctx_o,          // of the job: also for nic_ctx_bell, and QP_NAME
  input  wire logic            hit_i,
  input  wire logic [7:0]      hit_place_i,
  output logic                 set_valid_o,
  output logic      [CtxW-1:0] set_ctx_o,
  output logic                 set_here_o,
  input  wire logic [CtxW-1:0] at_ctx_i,       // of place_o

  // nic_ctx_bell
  input  wire logic            bell_valid_i,
  input  wire logic [CtxW-1:0] bell_ctx_i,
  output logic                 take_o,
  output logic                 peek_o,
  output logic                 pop_o,
  input  wire logic            begun_i,        // take_i, peek_i or pop_i is being done: bells from now on come after it
  input  wire logic            bell_done_i,
  input  wire logic            rings_i,

  // nic_ctx_seek, nic_ctx_work
  output logic                 seek_o,
  output logic                 again_o,
  input  wire logic            seek_done_i,
  input  wire logic            found_i,
  input  wire logic            free_i,
  input  wire logic [7:0]      seek_place_i,
  input  wire logic            try_valid_i,
  output logic                 try_done_o,
  output logic                 try_ok_o,
  input  wire logic            rests_i,        // place_o: not at work, no responses under way
  input  wire logic            two_i,
  input  wire logic            other_i,        // than place_o
  output logic                 rung_o,         // place_o meets a bell

  // nic_ctx_move, nic_ctx_load, nic_ctx_save
  output logic                 off_o,
  output logic                 save_o,
  output logic                 load_o,
  output logic                 ring_o,
  output logic      [7:0]      place_o,
  input  wire logic            moved_i,
  input  wire logic            off_we_i,       // QP_CTL is being written
  output logic                 read_o,
  output logic                 read_more_o,
  input  wire logic            read_done_i,
  input  wire logic            err_i,
  input  wire logic            open_i,
  input  wire logic            some_i,         // it has answers
  output logic                 shut_begin_o,
  output logic                 shut_valid_o,
  input  wire logic            shut_ready_i,
  input  wire logic            put_idle_i,
  input  wire logic            drained_i,

  // RetTimer: TmQuiet of a place
  input  wire logic            quiet_valid_i,
  input  wire logic [7:0]      quiet_place_i,

  output logic                 ret_valid_o,
  output nic_pkg::retire_t     ret_o
);

  if (Contexts < 2 || Contexts > 4096 || (Contexts & (Contexts - 1)) != 0) begin : gen_bad_contexts
    $error("nic_ctx_swap: Contexts must be a power of two, 2 to 4096");
  end

  typedef enum logic [4:0] {
    StIdle,
    StPeek,    // bell: does it still ring
    StFind,
    StFound,
    StAllow,   // bell of a context that is in a place: P5
    StRead,    // until what was written has left
    StPage,
    StMore,    // its answers
    StSeek,
    StTake,    // the place is no longer its context's
    StClear,   // until no frame of it is being decided on
    StLook,
    StJudge,
    StGive,    // it was at work: its context has it again
    StFree,    // it was off: P5
    StOff,
    StQuiet,
    StSave,
    StSaved,
    StLoad,
    StHere,
    StRing,
    StPop,
    StShut,    // OPEN <- 0
    StLeft,
    StForget   // its bell
  } state_e;
  typedef enum logic [1:0] {JobFrame, JobClose, JobBell} job_e;

  state_e          state_q, state_d;
  job_e            job_q;
  logic [CtxW-1:0] ctx_q, was_q;    // of the job; that which was in the place
  logic [7:0]      place_q;
  logic [63:12]    table_q;         // as when the job began
  logic [nic_pkg::ProcW-1:0] proc_q;
  logic            gone_q, quiet_q, claim_q, bad_q;  // gone: NIC_CTX has been written; bad: the context came with err
  logic            refuses, nowhere;

  assign refuses = job_q == JobBell && !other_i;
  assign nowhere = state_q == StSeek && seek_done_i && !found_i && job_q == JobFrame && !gone_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: begin
        if (!en_i || sweeps_i || cfg_we_i) state_d = StIdle;
        else if (waits_i) state_d = miss_i ? StFind : StIdle;
        else if (close_valid_i) state_d = StFind;
        else if (bell_valid_i) state_d = StPeek;
      end
      StPeek:  if (bell_done_i) state_d = rings_i ? StFind : StPop;
      StFind:  state_d = StFound;
      StFound: begin
        unique case (job_q)
          JobFrame: state_d = hit_i ? StIdle : StRead;
          JobClose: state_d = hit_i ? StTake : StShut;
          default:  state_d = hit_i ? StAllow : two_i ? StRead : StPop;
        endcase
      end
      StAllow: state_d = refuses ? StPop : StRing;
      StRead:  if (drained_i) state_d = StPage;
      StPage:  if (read_done_i) state_d = gone_q ? StIdle : err_i || !open_i ? StForget : some_i ? StMore : StSeek;
      StMore:  if (read_done_i) state_d = gone_q ? StIdle : err_i ? StForget : StSeek;
      StSeek: begin
        if (try_valid_i) state_d = StTake;
        else if (seek_done_i) state_d = !found_i ? (job_q == JobBell ? StPop : StIdle) : free_i ? StFree : StOff;
      end
      StTake:  state_d = StClear;
      StClear: if (claim_clear_i) state_d = job_q == JobClose ? StOff : StLook;
      StLook:  state_d = StJudge;
      StJudge: state_d = rests_i && !refuses ? StSeek : StGive;
      StGive:  state_d = StSeek;
      StFree:  state_d = refuses ? StPop : StLoad;
      StOff:   if (moved_i) state_d = job_q == JobClose ? StQuiet : StSave;
      StQuiet: if (quiet_q) state_d = StSave;
      StSave:  if (moved_i) state_d = StSaved;
      StSaved: if (put_idle_i) state_d = job_q == JobClose ? StShut : StLoad;
      StLoad:  if (moved_i) state_d = StHere;
      StHere:  state_d = job_q == JobBell ? StRing : StIdle;
      StRing:  if (moved_i) state_d = StPop;
      StPop:   if (bell_done_i) state_d = StIdle;
      StShut:  if (shut_valid_o && shut_ready_i) state_d = StLeft;
      StLeft:  if (drained_i) state_d = StForget;
      StForget: if (bell_done_i) state_d = job_q == JobBell ? StPop : StIdle;
      default: state_d = StIdle;
    endcase
    // Nothing has been changed yet, and nothing of this is there any more.
    if (gone_q && (state_q == StPeek || state_q == StFind || state_q == StFound || state_q == StRead ||
                   state_q == StSeek || state_q == StFree || state_q == StLoad || state_q == StForget ||
                   state_q == StPop)) state_d = StIdle;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      gone_q  <= 1'b0;
      claim_q <= 1'b0;
    end else begin
      state_q <= state_d;
      gone_q  <= state_q != StIdle && (gone_q || cfg_we_i);
      if (state_q == StTake) claim_q <= 1'b1;
      else if (state_q == StGive || (state_q == StOff && moved_i)) claim_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      job_q   <= waits_i ? JobFrame : close_valid_i ? JobClose : JobBell;
      ctx_q   <= waits_i ? miss_ctx_i : close_valid_i ? close_ctx_i : bell_ctx_i;
      table_q <= table_i;
      proc_q  <= proc_i;
    end
    if (state_q == StFound) place_q <= hit_place_i;
    else if (state_q == StSeek && (try_valid_i || seek_done_i)) place_q <= seek_place_i;
    if (state_q == StTake) was_q <= at_ctx_i;
    if (read_done_i) bad_q <= err_i;
    quiet_q <= !off_we_i && (quiet_q || (quiet_valid_i && quiet_place_i == place_q));
  end

  // ---- where a context is ----
  logic [CtxW-1:0] at;
  assign at   = state_q == StSave || state_q == StSaved ? was_q : ctx_q;
  assign va_o = {table_q + 52'(at[CtxW-1:1]), at[0], 11'd0};

  assign proc_o = proc_q;

  // ---- what the others do ----
  assign find_valid_o  = state_q == StFind;
  assign ctx_o         = ctx_q;
  assign set_valid_o   = state_q == StTake || state_q == StGive || state_q == StHere;
  assign set_ctx_o     = state_q == StTake ? at_ctx_i : state_q == StGive ? was_q : ctx_q;
  assign set_here_o    = state_q != StTake;
  assign claim_valid_o = state_q == StTake || claim_q;
  assign peek_o        = state_q == StPeek && !gone_q;
  assign take_o        = state_q == StForget && !gone_q;
  assign pop_o         = state_q == StPop && !gone_q;
  assign seek_o        = (state_q == StPage || state_q == StMore) && state_d == StSeek;
  assign again_o       = job_q == JobFrame;
  assign try_done_o    = (state_q == StJudge && state_d == StSeek) || state_q == StGive;
  assign try_ok_o      = state_q == StJudge;
  assign rung_o        = state_q == StRing;
  assign off_o         = state_q == StOff;
  assign save_o        = state_q == StSave;
  assign load_o        = state_q == StLoad && !gone_q;
  assign ring_o        = state_q == StRing;
  assign place_o       = place_q;
  assign read_o        = !gone_q && ((state_q == StRead && drained_i) || (state_q == StPage && state_d == StMore));
  assign read_more_o   = state_q == StPage;
  assign shut_begin_o  = shut_valid_o;
  assign shut_valid_o  = state_q == StShut && put_idle_i;
  assign close_done_o  = begun_i && state_q == StForget && job_q == JobClose;

  // ---- what has become of it ----
  // A bell is forgotten in the cycle of the record that says so (bells of the same cycle come first).
  logic over;
  assign over   = state_q == StForget && begun_i;
  assign drop_o = ((over && job_q != JobClose) || nowhere) && waits_i && miss_ctx_i == ctx_q;
  always_comb begin
    ret_valid_o = 1'b0;
    ret_o       = '0;
    ret_o.kind  = nic_pkg::RetCtx;
    ret_o.a     = 64'(ctx_q);
    if (state_q == StHere) begin
      ret_valid_o = 1'b1;
      ret_o.code  = nic_pkg::CtxLoaded;
      ret_o.idx   = place_q;
    end
    if (state_q == StSaved && put_idle_i) begin
      ret_valid_o = 1'b1;
      ret_o.code  = nic_pkg::CtxSaved;
      ret_o.idx   = place_q;
      ret_o.a     = 64'(was_q);
    end
    if (over) begin
      ret_valid_o = 1'b1;
      ret_o.code  = job_q != JobClose && bad_q ? nic_pkg::CtxBroken : nic_pkg::CtxClosed;
      ret_o.flag  = job_q == JobClose;
    end
    if (nowhere) begin
      ret_valid_o = 1'b1;
      ret_o.code  = nic_pkg::CtxNoPlace;
    end
  end

`ifdef FORMAL
`include "nic_ctx_swap_props.svh"
`endif

endmodule

`default_nettype wire
