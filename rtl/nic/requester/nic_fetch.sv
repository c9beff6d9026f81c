// SPDX-License-Identifier: Apache-2.0
// nic_fetch: reads the entries of the send rings ahead, checks them, and lays them into the slots of their queue pairs.
//
//   bell {qp, producer} --> turns --> place for an event? --> job (64 bytes)
//                           bytes --> check, count packets --> slot
//
//   cons <= have <= fetched <= producer        fetched - cons <= Requests        slot = entry mod Requests
//
// P1  Entries of a QP are read in order, each once after init; never one beyond its producer, nor beyond Requests from
//     cons.
// P2  Before an entry is read a place in the event ring of its process is reserved; without room the QP waits, others
//     do not.
// P3  have_o (of qp_i) counts what lies in slots; it moves in the cycle after the slot is written, with wake_o.
// P4  Behind an entry that is bad, or one with a packet that cannot be read, nothing is read until init, and what comes
//     back of it is forgotten. init begins at init_cons_i; behind a bad entry only one with init_stuck_i or init_all_i
//     (it has ended) lets go on.
// P5  Nothing is begun while hold_i; busy_o while anything begun has not come back.
// P6  A job that waits does not change, whatever becomes of its queue pair.
//
// Latency: that of memory; up to InFlight entries under way. Rate: an entry in 3 cycles, a turn for nothing 2, one that
// finds no place 3: that there is none is known late, so the turn ends in the next cycle.
// Cost: 4 LUT RAMs of NumQps x 16, 595 flip-flops.
// One file: cons <= have <= fetched <= producer is one invariant, which turns, answers and registers move.
// Rules of README.md: REQ-2, REQ-5.
`default_nettype none

module nic_fetch #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Requests = 8,   // slots a QP, a power of two
  parameter int unsigned InFlight = 16,
  localparam int unsigned SlotW = $clog2(NumQps) + $clog2(Requests)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,
  input  wire logic [15:0]       cfg_rid_i,

  // Doorbell: the producer of a QP; also when it is turned on
  input  wire logic              bell_valid_i,
  input  wire logic [7:0]        bell_qp_i,
  input  wire logic [15:0]       bell_prod_i,

  // nic_req: begin anew, entries done, how far it is
  input  wire logic              hold_i,
  output logic                   busy_o,
  input  wire logic              init_valid_i,
  input  wire logic              init_all_i,     // turned on or off: cons too
  input  wire logic              init_on_i,
  input  wire logic              init_stuck_i,   // nothing is read until the next init
  input  wire logic [15:0]       init_cons_i,
  input  wire logic              done_valid_i,
  input  wire logic [7:0]        qp_i,
  input  wire logic [15:0]       cons_i,
  output logic      [15:0]       have_o,
  output logic      [15:0]       fetched_o,
  output logic      [NumQps-1:0] wake_o,
  input  wire logic              stuck_valid_i,  // a packet's bytes could not be read
  input  wire logic [7:0]        stuck_qp_i,

  // What software says of a QP
  output logic      [7:0]        cfg_idx_o,
  input  wire nic_pkg::qp_cfg_t  cfg_i,

  // A place in the event ring: asked, answered at once
  output logic                   place_valid_o,
  output logic      [nic_pkg::ProcW-1:0] place_proc_o,
  input  wire logic              place_ok_i,

  // Reads
  output logic                   job_valid_o,
  input  wire logic              job_ready_i,
  output nic_pkg::dma_t          job_o,
  input  wire logic              in_valid_i,
  input  wire nic_pkg::bytes_t   in_beat_i,

  // Slots
  output logic                   slot_we_o,
  output logic      [SlotW-1:0]  slot_addr_o,
  output nic_pkg::send_t         slot_o,

  output logic                   ret_valid_o,
  output nic_pkg::retire_t       ret_o
);

  if (Requests < 2 || (Requests & (Requests - 1)) != 0) begin : gen_bad_requests
    $error("nic_fetch: Requests must be a power of two, at least 2");
  end

  localparam int unsigned IdxW = $clog2(NumQps);
  localparam int unsigned ReqW = $clog2(Requests);
  localparam int unsigned Beats = nic_pkg::SqEntryW / nic_pkg::DataW;

  // ---- whose turn ----
  logic [NumQps-1:0] on_q, stuck_q, bad_q, shut, told, wake;
  logic              turn_valid, turn_ready, again;
  logic [7:0]        turn_qp;
  logic [IdxW-1:0]   t_idx, r_idx;
  logic [15:0]       prod, fetched, cons, fetched_d;
  logic              work, work_q, looked_q, over, go_q, go, full_q;  // full: there was no place

  nic_sched #(
    .NumQps(NumQps)
  ) u_sched (
    .clk_i,
    .rst_ni,
    .wake_i(wake),
    .turn_valid_o(turn_valid),
    .turn_ready_i(turn_ready),
    .turn_qp_o(turn_qp)
  );
  // Whether a bell is one is known late, and so is the end of an entry.
  logic            bell_q, done_q;
  logic [IdxW-1:0] bell_idx_q, done_idx_q;
  logic [15:0]     prod_q, cons_q;
  always_ff @(posedge clk_i) begin
    bell_q     <= rst_ni && bell_valid_i;
    bell_idx_q <= bell_qp_i[IdxW-1:0];
    prod_q     <= bell_prod_i;
    done_q     <= rst_ni && done_valid_i;
    done_idx_q <= r_idx;
    cons_q     <= cons_i;
  end

  assign t_idx = turn_qp[IdxW-1:0];
  assign r_idx = qp_i[IdxW-1:0];

  cm_lutram #(
    .Width(16),
    .Depth(NumQps)
  ) u_prod (
    .clk_i,
    .we_i(bell_q),
    .waddr_i(bell_idx_q),
    .wdata_i(prod_q),
    .raddr_i(t_idx),
    .rdata_o(prod)
  );
  logic fetched_we;
  logic [IdxW-1:0] fetched_idx;
  assign fetched_we  = init_valid_i || go;
  assign fetched_idx = init_valid_i ? r_idx : t_idx;
  cm_lutram #(
    .Width(16),
    .Depth(NumQps)
  ) u_fetched (
    .clk_i,
    .we_i(fetched_we),
    .waddr_i(fetched_idx),
    .wdata_i(fetched_d),
    .raddr_i(t_idx),
    .rdata_o(fetched)
  );
  cm_lutram #(
    .Width(16),
    .Depth(NumQps)
  ) u_fetched_copy (
    .clk_i,
    .we_i(fetched_we),
    .waddr_i(fetched_idx),
    .wdata_i(fetched_d),
    .raddr_i(r_idx),
    .rdata_o(fetched_o)
  );
  cm_lutram #(
    .Width(16),
    .Depth(NumQps)
  ) u_cons (
    .clk_i,
    .we_i((init_valid_i && init_all_i) || done_q),
    .waddr_i(done_q ? done_idx_q : r_idx),
    .wdata_i(done_q ? cons_q : init_cons_i),
    .raddr_i(t_idx),
    .rdata_o(cons)
  );
  assign fetched_d = init_valid_i ? init_cons_i : fetched + 16'd1;

  assign shut = stuck_q | bad_q;

  // A turn: is there work, and a place for its event? Then the job, and the turn is over. Whether there is work is
  // looked at in a cycle of its own, since the place is asked for, and answered, in one; anew after what changes it.
  logic flight_room, flight_push;
  assign work          = looked_q && work_q && !hold_i && on_q[t_idx] && !shut[t_idx];
  assign place_valid_o = work && !go_q && !full_q && flight_room;
  assign place_proc_o  = proc_q;
  assign cfg_idx_o     = turn_qp;
  assign job_valid_o   = go_q;
  assign go            = go_q && job_ready_i;
  assign turn_ready    = go_q ? job_ready_i : full_q || (looked_q && !hold_i && !work);
  // Whose place it is, of the cycle in which there was work: a queue pair that goes off has hold_i before it changes.
  logic [nic_pkg::ProcW-1:0] proc_q;
  always_ff @(posedge clk_i) proc_q <= cfg_i.proc;
  // What the job says is kept: its queue pair may go off, and change, while it waits.
  logic [15:0] job_rid_q;
  logic [63:0] job_va_q;
  logic [2:0]  job_mtu_q;
  always_ff @(posedge clk_i) begin
    if (!go_q) begin
      job_rid_q <= cfg_rid_i + 16'(cfg_i.proc);
      job_va_q  <= cfg_i.ring + {42'd0, fetched & ~(16'hFFFF << cfg_i.ring_size), 6'd0};
      job_mtu_q <= cfg_i.mtu;
    end
  end
  // Without a place the QP asks again at its next turn.
  assign again         = go || full_q;
  assign over          = turn_ready || told[t_idx];

  always_comb begin
    job_o     = '0;
    job_o.rid = job_rid_q;
    job_o.src = nic_pkg::SrcReq;
    job_o.va  = job_va_q;
    job_o.len = 13'(nic_pkg::SqEntryW / 8);
  end

  always_comb begin
    told = '0;
    if (bell_q) told[bell_idx_q] = 1'b1;
    if (done_q) told[done_idx_q] = 1'b1;
    if (init_valid_i) told[r_idx] = 1'b1;
    wake = told;
    if (again) wake[t_idx] = 1'b1;
  end

  always_ff @(posedge clk_i) work_q <= prod != fetched && fetched - cons < 16'(Requests);

  // ---- under way ----
  localparam int unsigned FlightW = 8 + 16 + 3;
  logic [7:0]  f_qp;
  logic [15:0] f_entry;
  logic [2:0]  f_mtu;
  logic        f_valid, f_pop;
  cm_fifo #(
    .Width(FlightW),
    .Depth(InFlight)
  ) u_flight (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(flight_push),
    .in_ready_o(flight_room),
    .in_data_i({turn_qp, fetched, job_mtu_q}),
    .out_valid_o(f_valid),
    .out_ready_i(f_pop),
    .out_data_o({f_qp, f_entry, f_mtu}),
    .level_o()
  );
  assign flight_push = go;
  assign busy_o      = f_valid || go_q || f_pop;

  // ---- what comes back ----
  logic [nic_pkg::SqEntryW-1:0] entry_q;
  nic_pkg::sq_entry_t           e;
  logic                         err_q, in_last, whole_q, land;
  logic [2:0]                   beat_q;
  assign in_last = in_valid_i && in_beat_i.last;
  assign f_pop   = whole_q;
  assign e       = entry_q;

  always_ff @(posedge clk_i) begin
    // Kept in any cycle in which it may come: whose a beat is is known late.
    for (int unsigned b = 0; b < Beats; b++)
      if (32'(beat_q) == b) entry_q[b*nic_pkg::DataW+:nic_pkg::DataW] <= in_beat_i.data;
    err_q <= in_beat_i.err;
  end

  // ---- check and count ----
  logic [32:0] sum, sum_d;
  logic [2:0]  its_mtu;
  logic [31:0] mtu;
  logic [23:0] packets;
  logic        wrong, is_read, is_atomic, is_xtq;
  assign is_read   = e.op == 8'(nic_pkg::SqRead);
  assign is_atomic = e.op == 8'(nic_pkg::SqAdd) || e.op == 8'(nic_pkg::SqSwap);
  assign is_xtq    = e.op == 8'(nic_pkg::SqXtq);
  assign sum_d     = {1'b0, is_atomic ? 32'd8 : e.len1} + {1'b0, e.len2};
  // What its lengths make is known with the last beat, where they come before that.
  if (Beats > 1) begin : gen_early
    logic [32:0] sum_q;
    logic [2:0]  mtu_q;
    always_ff @(posedge clk_i) {sum_q, mtu_q} <= {sum_d, f_mtu};
    assign {sum, its_mtu} = {sum_q, mtu_q};
  end else begin : gen_now
    assign {sum, its_mtu} = {sum_d, f_mtu};
  end
  assign mtu       = 32'd128 << its_mtu;
  assign packets   = sum == 33'd0 ? 24'd1 : 24'((sum[31:0] + mtu - 32'd1) >> (5'd7 + {2'd0, its_mtu}));
  assign wrong     = e.op > 8'(nic_pkg::SqSendImm) || sum > 33'h8000_0000 ||
                     ((is_read || is_atomic) && e.len2 != 32'd0) ||
                     (is_read && packets > 24'h40_0000) || (is_xtq && (e.len1 < 32'd64 || e.len1[3:0] != 4'd0));
  always_comb begin
    slot_o.op        = e.op[2:0];
    slot_o.bad       = err_q ? nic_pkg::StLocalRead : wrong ? nic_pkg::StBadEntry : nic_pkg::StDone;
    slot_o.asks      = e.asks;
    slot_o.solicited = e.solicited;
    slot_o.inv       = e.inv && e.op == 8'(nic_pkg::SqSend);
    slot_o.target    = e.target;
    slot_o.imm       = e.imm;
    slot_o.va1       = e.va1;
    slot_o.len1      = is_atomic ? 32'd8 : e.len1;
    slot_o.va2       = e.va2;
    slot_o.rva       = e.rva;
    slot_o.rkey      = e.rkey;
    slot_o.swap      = e.swap;
    slot_o.compare   = e.compare;
    // what stands there then is not this entry, and maybe not for its owner
    slot_o.total     = err_q ? 32'd0 : sum[31:0];
    slot_o.packets   = packets;
  end
  assign land        = whole_q && !shut[f_qp[IdxW-1:0]];
  assign slot_we_o   = land;
  assign slot_addr_o = {f_qp[IdxW-1:0], f_entry[ReqW-1:0]};

  cm_lutram #(
    .Width(16),
    .Depth(NumQps)
  ) u_have (
    .clk_i,
    .we_i(init_valid_i || land),
    .waddr_i(init_valid_i ? r_idx : f_qp[IdxW-1:0]),
    .wdata_i(init_valid_i ? init_cons_i : f_entry + 16'd1),
    .raddr_i(r_idx),
    .rdata_o(have_o)
  );
  always_comb begin
    wake_o = '0;
    if (land) wake_o[f_qp[IdxW-1:0]] = 1'b1;
  end
  assign ret_valid_o = land;
  always_comb begin
    ret_o      = '0;
    ret_o.kind = nic_pkg::RetSend;
    ret_o.idx  = f_qp;
    ret_o.b    = 64'(f_entry);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      go_q     <= 1'b0;
      full_q   <= 1'b0;
      looked_q <= 1'b0;
      on_q    <= '0;
      stuck_q <= '0;
      bad_q   <= '0;
      beat_q  <= '0;
      whole_q <= 1'b0;
    end else begin
      looked_q <= turn_valid && !over;
      full_q   <= place_valid_o && !place_ok_i;
      if (place_valid_o && place_ok_i) go_q <= 1'b1;
      else if (job_ready_i) go_q <= 1'b0;
      if (land && slot_o.bad != nic_pkg::StDone) bad_q[f_qp[IdxW-1:0]] <= 1'b1;
      if (stuck_valid_i) stuck_q[stuck_qp_i[IdxW-1:0]] <= 1'b1;
      if (init_valid_i) begin
        on_q[r_idx]    <= init_on_i;
        stuck_q[r_idx] <= init_stuck_i;
        if (init_stuck_i || init_all_i) bad_q[r_idx] <= 1'b0;
      end
      if (in_valid_i) beat_q <= in_last ? '0 : beat_q + 3'd1;
      whole_q <= in_last;
    end
  end

`ifdef FORMAL
`include "nic_fetch_props.svh"
`endif

endmodule

`default_nettype wire
