// SPDX-License-Identifier: Apache-2.0
// Types and constants of task queuing: where things stand in a table entry and a command, and what xtq_check orders
// from xtq_write. README.md tells the story; frames, DMA jobs and events are nic_pkg's.
`default_nettype none

package xtq_pkg;

  // ---- the 64-byte command: lowest bit of a field ----
  localparam int unsigned CmdType = 0;          // 8 bits of AQL's header
  localparam int unsigned CmdTop = 13;          // 3 bits of AQL's header: 0
  localparam int unsigned CmdReturn = 8 * 8;    // function: return_address
  localparam int unsigned CmdArg0 = 8 * 16;     // function: arg[0]
  localparam int unsigned CmdArg1 = 8 * 24;     // function: arg[1]
  localparam int unsigned CmdArg2 = 8 * 32;     // function: arg[2]
  localparam int unsigned CmdKernel = 8 * 32;   // kernel: kernel_object
  localparam int unsigned CmdKernarg = 8 * 40;  // kernel: kernarg_address
  localparam int unsigned CmdQueue = 8 * 48;    // index of the queue, 16 bits; 0 when it is enqueued
  localparam int unsigned CmdSignal = 8 * 56;   // completion_signal

  localparam logic [7:0] TypeKernel = 8'd2;     // AQL: kernel dispatch
  localparam logic [7:0] TypeAgent = 8'd4;      // AQL: agent dispatch, here a function

  // ---- a table entry: 4 words ----
  localparam int unsigned EntryW = 256;
  localparam int unsigned KerCode = 0;
  localparam int unsigned KerTarget = 64;
  localparam int unsigned KerSignal = 128;
  localparam int unsigned KerFlags = 192;
  localparam int unsigned KerValid = KerFlags;
  localparam int unsigned KerHasTarget = KerFlags + 1;
  localparam int unsigned QueBase = 0;
  localparam int unsigned QueDoorbell = 64;
  localparam int unsigned QueBlock = 128;
  localparam int unsigned QueFlags = 192;
  localparam int unsigned QueValid = QueFlags;
  localparam int unsigned QueSize = QueFlags + 1;  // 5 bits: log2
  localparam int unsigned QueMulti = QueFlags + 6;
  localparam int unsigned QueMirror = QueFlags + 7;
  localparam int unsigned QueEvents = QueFlags + 8;

  // XT_CMD.TABLE: 0 kernels, and which bit says that it is not.
  localparam int unsigned TableIsFunc = 0;
  localparam int unsigned TableIsQueue = 1;
  localparam logic [1:0] TableQueue = 2'd1 << TableIsQueue;  // the last there is

  // In the index block.
  localparam logic [63:0] WriteIndexAt = 64'd56;
  localparam logic [63:0] ReadIndexAt = 64'd128;

  // ---- what event 8 says, in the place of a packet ----
  localparam int unsigned RcvAddr = 0;      // 64
  localparam int unsigned RcvBytes = 64;    // 32
  localparam int unsigned RcvLen = 96;      // 32: immediate, key
  localparam int unsigned RcvWord = 128;    // 32: buffer
  localparam int unsigned RcvStatus = 160;  // 8

  // ---- what a packet comes to ----
  // One a packet of a message, in order; also one a task of xtq_task (without beats).
  typedef struct packed {
    logic [15:0] rid;
    logic frame;          // of a packet that was not refused, not of a task of xtq_task
    logic beats;          // arguments or payload stand in the beat FIFO, up to a beat with last
    logic drop;           // refused: they go nowhere
    logic [63:0] va;      // or here
    logic [12:0] len;
    logic [1:0] swap;     // of their first 16 bytes: bit 0: 0 to 7, bit 1: 8 to 15 become those of `arg`
    logic [127:0] arg;
    logic enq;            // then the packet is enqueued: the rest is valid
    logic recv;           // a SEND has ended: its event, which stands in `packet` (Rcv*)
    logic [511:0] packet;
    logic [63:0] slot;
    logic [63:0] doorbell;
    logic [63:0] index;
    logic mirror;         // write_index in memory becomes index + 1
    logic [63:0] block;
    logic event_on;
    logic [3:0] proc;
    logic [15:0] qidx;
    logic [11:0] qp;      // its QP_NAME
  } order_t;
  localparam int unsigned OrderW = 16 + 3 + 64 + 13 + 2 + 128 + 2 + 512 + 3 * 64 + 1 + 64 + 1 + 4 + 16 + 12;

endpackage
`default_nettype wire
