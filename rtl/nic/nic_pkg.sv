// SPDX-License-Identifier: Apache-2.0
// Types and constants of the NIC: byte streams, the head of a frame, DMA jobs, the retire record. README.md tells the story.
// TLP beats are aa_pkg::tlp_t; the width of a beat is the same everywhere (`TOCSIN_DATA_W`).
`default_nettype none
`ifndef TOCSIN_DATA_W
`define TOCSIN_DATA_W 256
`endif

package nic_pkg;

  localparam int unsigned DataW = `TOCSIN_DATA_W;
  localparam int unsigned BeatBytes = DataW / 8;
  localparam int unsigned BeatDw = DataW / 32;

  // ---- byte streams ---------------------------------------------------------------------------------------------
  // Inside, data travel as packed bytes: byte 0 of the item in 7:0 of its first beat, every beat full but the last. An item
  // without bytes is one beat with last and bytes 0. err is valid with the first beat and the same in all of an item.
  typedef struct packed {
    logic last;
    logic err;
    logic [6:0] bytes;  // 0 to BeatBytes
    logic [DataW-1:0] data;
  } bytes_t;
  localparam int unsigned BytesW = 9 + DataW;

  // ---- frames ---------------------------------------------------------------------------------------------------
  // Opcodes: transport in 7:5, operation in 4:0. Reliable connection is 0; XtqPut mirrors WRITE in the manufacturer's range.
  localparam logic [2:0] TransRc = 3'd0;
  localparam logic [2:0] TransXtq = 3'd6;
  localparam logic [4:0] OpWriteFirst = 5'h06;
  localparam logic [4:0] OpWriteMiddle = 5'h07;
  localparam logic [4:0] OpWriteLast = 5'h08;
  localparam logic [4:0] OpWriteLastImm = 5'h09;
  localparam logic [4:0] OpWriteOnly = 5'h0A;
  localparam logic [4:0] OpWriteOnlyImm = 5'h0B;
  localparam logic [4:0] OpReadReq = 5'h0C;
  localparam logic [4:0] OpReadFirst = 5'h0D;
  localparam logic [4:0] OpReadMiddle = 5'h0E;
  localparam logic [4:0] OpReadLast = 5'h0F;
  localparam logic [4:0] OpReadOnly = 5'h10;
  localparam logic [4:0] OpAck = 5'h11;
  localparam logic [4:0] OpAtomicAck = 5'h12;
  localparam logic [4:0] OpCmpSwap = 5'h13;
  localparam logic [4:0] OpFetchAdd = 5'h14;

  // What a frame says before its payload, parsed (nic_rx) or to be built (nic_tx). Fields that an opcode does not carry are 0.
  typedef struct packed {
    logic [47:0] mac;       // peer: source of what came, destination of what goes
    logic [31:0] ip;        // peer
    logic [15:0] port;      // UDP source port
    logic [7:0] opcode;
    logic se;               // solicited event
    logic ack_req;
    logic [15:0] pkey;
    logic [23:0] qp;        // destination QP
    logic [23:0] psn;
    logic [63:0] va;        // RETH, AtomicETH
    logic [31:0] rkey;
    logic [31:0] length;    // RETH: DMA length
    logic [31:0] imm;
    logic [63:0] swap;      // AtomicETH: swap or add data; AtomicAckETH: original data
    logic [63:0] compare;
    logic [7:0] syndrome;   // AETH
    logic [23:0] msn;
    logic [7:0] xtq_kind;   // XTQ extension header: 0 kernel, 1 function
    logic [15:0] xtq_proc;
    logic [31:0] xtq_args;  // bytes of kernel arguments
    logic [31:0] xtq_pay;   // bytes of payload
    logic [12:0] bytes;     // payload of this frame, without pad
  } head_t;
  localparam int unsigned HeadW = 48 + 32 + 16 + 8 + 2 + 16 + 24 + 24 + 64 + 32 + 32 + 32 + 64 + 64 + 8 + 24 + 8 + 16 + 32 + 32 + 13;

  // Why a frame was not taken (retire code of RetRx, and counters): the first that applies.
  typedef enum logic [3:0] {
    RxGood = 4'd0,
    RxShort = 4'd1,    // shorter than its headers, or lengths of Ethernet, IP and UDP disagree, or over 4096 bytes of payload
    RxForeign = 4'd2,  // not IPv4 without options, not whole (fragment), not UDP 4791, not for our MAC and IP
    RxSum = 4'd3,      // checksum of the IP header
    RxIcrc = 4'd4,
    RxBth = 4'd5       // transport version, or an opcode that has no form here
  } rx_e;

  // ---- DMA ------------------------------------------------------------------------------------------------------
  // Write: `len` bytes of a byte stream to va. Read: len bytes from va, as one item of a byte stream.
  typedef struct packed {
    logic [15:0] rid;   // requester id: the base plus the process
    logic [7:0] src;    // who asks (Src*): goes into the TLP's seq
    logic [63:0] va;
    logic [12:0] len;   // 1 to 4096 (0: a job without TLP)
  } dma_t;
  localparam int unsigned DmaW = 16 + 8 + 64 + 13;

  localparam logic [7:0] SrcResp = 8'd0;   // writes of requests
  localparam logic [7:0] SrcTask = 8'd1;   // XTQ: arguments, payload, body, header, doorbell
  localparam logic [7:0] SrcEvent = 8'd2;  // events
  localparam logic [7:0] SrcReq = 8'd3;    // requester: answers of reads and atomics into local memory; send ring, gather
  localparam logic [7:0] SrcRead = 8'd4;   // responder: data of read responses
  localparam logic [7:0] SrcTable = 8'd5;  // table entries
  localparam logic [7:0] SrcQueue = 8'd6;  // queue indices
  localparam logic [7:0] SrcAtomic = 8'd7; // responder: AtomicOps

endpackage
`default_nettype wire
