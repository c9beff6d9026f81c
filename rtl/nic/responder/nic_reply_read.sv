// SPDX-License-Identifier: Apache-2.0
// nic_reply_read: reads memory for the responses that wait, ahead of their turn, and keeps what comes until then.
//
//   entry --> | entry | --packets--> | job | --> nic_rd ... items --> [ four packets' room ] --> item_o
//      next <---'                      `--> [ whose ] ---------------------------------------> id_o
//
// P1  Entries are taken in order. Of a read, each packet's bytes are a job; a read of length 0 and what needs no memory
//     have none.
// P2  An atomic goes only when it is the oldest entry, and nothing behind it before its answer has been taken.
// P3  An entry that is dead gets no further job, and is left behind.
// P4  A job leaves only with room for a packet of MTU: rd_ready_o is always 1, so who shares nic_rd never waits for the
//     wire.
// P5  Items are shown in the order of their jobs, each with its entry's id.
//
// Rate: a job in two cycles, a beat a cycle; an entry takes 2 cycles. Four, so that the next ones arrive while one
// leaves: two gave 0.96 of the wire at 4096 bytes, and an ECP5 needs the same 8 block RAMs. Cost: RAM of 16 KiB, an
// entry, a job, a beat.
// Rules of README.md: RSP-11, RSP-16.
`default_nettype none

module nic_reply_read #(
  parameter int unsigned IdW = 5,
  parameter int unsigned Ahead = 16   // jobs under way
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [15:0]      cfg_rid_i,

  // The oldest entry that has not been left behind; the writes before it have left
  input  wire logic             e_valid_i,
  input  wire nic_pkg::reply_t  e_i,
  input  wire logic [IdW-1:0]   e_id_i,
  input  wire logic             e_dead_i,    // from its second cycle on
  input  wire logic             e_oldest_i,
  output logic                  e_next_o,

  // Memory
  output logic                  rd_job_valid_o,
  input  wire logic             rd_job_ready_i,
  output nic_pkg::dma_t         rd_job_o,
  input  wire logic             rd_valid_i,
  output logic                  rd_ready_o,
  input  wire nic_pkg::bytes_t  rd_beat_i,

  // Items: owed_o as soon as there is a job for id_o whose item has not been taken
  output logic                  owed_o,
  output logic      [IdW-1:0]   id_o,
  output logic                  item_valid_o,
  input  wire logic             item_ready_i,
  output nic_pkg::bytes_t       item_o
);

  if (Ahead < 2) begin : gen_bad_ahead $error("nic_reply_read: Ahead must be at least 2"); end

  localparam int unsigned BeatBytes = nic_pkg::BeatBytes;
  localparam int unsigned ByteW = $clog2(BeatBytes);
  localparam int unsigned Room = 4 * 4096 / BeatBytes;
  localparam int unsigned RoomW = $clog2(Room + 1);

  // ---- the entry, as far as it has been asked for ----
  nic_pkg::reply_t  e_q;
  nic_pkg::dma_t    job, job_q;
  logic             run_q, wait_q, job_valid_q, memory_q, atomic, last, go, own_room, item_end;
  logic [63:0]      va_q;
  logic [31:0]      left_q, mtu;
  logic [12:0]      len;
  logic [RoomW-1:0] room_q, need;
  logic [$clog2(Ahead+1)-1:0] own_level;

  assign mtu    = 32'd128 << e_q.mtu;
  assign atomic = e_q.kind == nic_pkg::ReplyAtomic;
  assign last   = left_q <= mtu;
  assign len    = atomic ? 13'd8 : last ? left_q[12:0] : mtu[12:0];
  assign need   = RoomW'((14'(len) + 14'(BeatBytes - 1)) >> ByteW);

  // Not in the cycle in which a job leaves: whether it does is known late, and an entry takes two cycles in any case.
  assign go = run_q && memory_q && !e_dead_i && !wait_q && own_room && room_q >= RoomW'(mtu >> ByteW) &&
              !job_valid_q && (!atomic || e_oldest_i);
  assign e_next_o = run_q && (wait_q ? own_level == '0 : !memory_q || e_dead_i || (go && !atomic && last));

  always_comb begin
    job         = '0;
    job.rid     = cfg_rid_i + 16'(e_q.proc);
    job.src     = atomic ? nic_pkg::SrcAtomic : nic_pkg::SrcRead;
    job.va      = va_q;
    job.len     = len;
    job.op      = !atomic ? nic_pkg::DmaRead : e_q.cas ? nic_pkg::DmaCas : nic_pkg::DmaFetchAdd;
    job.swap    = atomic ? e_q.swap : 64'd0;
    job.compare = atomic && e_q.cas ? e_q.compare : 64'd0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q       <= 1'b0;
      wait_q      <= 1'b0;
      job_valid_q <= 1'b0;
      room_q      <= RoomW'(Room);
    end else begin
      run_q <= run_q ? !e_next_o : e_valid_i;
      if (go) wait_q <= atomic;
      else if (e_next_o) wait_q <= 1'b0;
      if (go) job_valid_q <= 1'b1;
      else if (rd_job_ready_i) job_valid_q <= 1'b0;
      room_q <= room_q - (go ? need : '0) + RoomW'(item_valid_o && item_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!run_q) begin
      e_q      <= e_i;
      va_q     <= e_i.va;
      left_q   <= e_i.len;
      memory_q <= e_i.kind == nic_pkg::ReplyAtomic || (e_i.kind == nic_pkg::ReplyRead && e_i.len != 32'd0);
    end else if (go) begin
      va_q   <= va_q + {32'd0, mtu};
      left_q <= left_q - mtu;
    end
    if (!job_valid_q) job_q <= job;
  end
  assign rd_job_valid_o = job_valid_q;
  assign rd_job_o       = job_q;

  // ---- what comes ----
  logic [RoomW-1:0] store_level;  // for the theorems
  logic [1:0]       keep_level;   // likewise
  logic             store_valid, moves;
  logic [nic_pkg::BytesW-1:0] store_item, keep_item;
  assign item_end = item_valid_o && item_ready_i && item_o.last;
  cm_fifo #(
    .Width(IdW),
    .Depth(Ahead)
  ) u_whose (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(go),
    .in_ready_o(own_room),
    .in_data_i(e_id_i),
    .out_valid_o(owed_o),
    .out_ready_i(item_end),
    .out_data_o(id_o),
    .level_o(own_level)
  );
  cm_fifo_ram #(
    .Width(nic_pkg::BytesW),
    .Depth(Room)
  ) u_store (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(rd_valid_i),
    .in_ready_o(),
    .in_data_i(rd_beat_i),
    .out_valid_o(store_valid),
    .out_ready_i(moves),
    .out_data_o(store_item),
    .level_o(store_level)
  );
  assign rd_ready_o = 1'b1;

  // What a block RAM says is known late in its cycle, and that an item leaves later still.
  cm_skid #(
    .Width(nic_pkg::BytesW)
  ) u_keep (
    .clk_i,
    .rst_ni,
    .in_valid_i(store_valid),
    .in_ready_o(moves),
    .in_data_i(store_item),
    .out_valid_o(item_valid_o),
    .out_ready_i(item_ready_i),
    .out_data_o(keep_item),
    .level_o(keep_level)
  );
  assign item_o = keep_item;

`ifdef FORMAL
`include "nic_reply_read_props.svh"
`endif

endmodule

`default_nettype wire
