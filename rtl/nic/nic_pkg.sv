// SPDX-License-Identifier: Apache-2.0
// Types and constants of the NIC: byte streams, the head of a frame, DMA jobs, the retire record. README.md tells the
// story. TLP beats are cm_pkg::tlp_t; the width of a beat is the same everywhere (`TOCSIN_DATA_W`).
// One file: a package can name no other one (Yosys), and these types are built of each other.
// Rules of README.md: FRM-4.
`default_nettype none
`ifndef TOCSIN_DATA_W
`define TOCSIN_DATA_W 256
`endif

package nic_pkg;

  localparam int unsigned AskedDataW = `TOCSIN_DATA_W;  // anything but 128, 256 and 512 is refused by the top
  localparam int unsigned DataW = AskedDataW == 128 || AskedDataW == 512 ? AskedDataW : 256;
  localparam int unsigned BeatBytes = DataW / 8;
  localparam int unsigned BeatDw = DataW / 32;

  // ---- byte streams ---------------------------------------------------------------------------------------------
  // Inside, data travel as packed bytes: byte 0 of the item in 7:0 of its first beat, every beat full but the last. An
  // item without bytes is one beat with last and bytes 0. err and ur are valid with the first beat and the same in all
  // of an item.
  typedef struct packed {
    logic last;
    logic err;
    logic ur;           // with err: memory has refused it (UR), and nothing else went wrong
    logic [6:0] bytes;  // 0 to BeatBytes
    logic [DataW-1:0] data;
  } bytes_t;
  localparam int unsigned BytesW = 10 + DataW;

  // ---- frames ---------------------------------------------------------------------------------------------------
  // Opcodes: transport in 7:5, operation in 4:0. Reliable connection is 0; XtqPut mirrors WRITE in the manufacturer's
  // range.
  localparam logic [2:0] TransRc = 3'd0;
  localparam logic [2:0] TransCnp = 3'd4;  // OpCnp alone
  localparam logic [2:0] TransXtq = 3'd6;
  localparam logic [4:0] OpSendFirst = 5'h00;
  localparam logic [4:0] OpSendMiddle = 5'h01;
  localparam logic [4:0] OpSendLast = 5'h02;
  localparam logic [4:0] OpSendLastImm = 5'h03;
  localparam logic [4:0] OpSendOnly = 5'h04;
  localparam logic [4:0] OpSendOnlyImm = 5'h05;
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
  localparam logic [4:0] OpSendLastInv = 5'h16;
  localparam logic [4:0] OpSendOnlyInv = 5'h17;
  localparam logic [4:0] OpFlush = 5'h1C;
  localparam logic [4:0] OpAtomicWrite = 5'h1D;
  localparam logic [4:0] OpCnp = 5'h01;

  // UDP and BTH, the first byte of the wire on top.
  localparam logic [7:0] ProtoUdp = 8'd17;      // of IPv4, and as IPv6's next header
  localparam logic [15:0] PortRoce = 16'd4791;  // destination port
  typedef struct packed {
    logic [15:0] from;
    logic [15:0] to;
    logic [15:0] bytes;     // of UDP and all behind it, without Ethernet's own
    logic [15:0] sum;
  } udp_t;
  typedef struct packed {
    logic [7:0] opcode;
    logic se;
    logic mig;
    logic [1:0] pad;
    logic [3:0] version;
    logic [15:0] pkey;
    logic rsv63;
    logic becn;
    logic [5:0] rsv61;
    logic [23:0] qp;
    logic ack_req;
    logic [6:0] rsv30;
    logic [23:0] psn;
  } bth_t;

  // AETH's syndrome: class in 7:5, value in 4:0. We tell of no credits; the value of an RNR NAK is a timer code.
  localparam logic [2:0] SynAck = 3'd0;
  localparam logic [2:0] SynRnr = 3'd1;
  localparam logic [2:0] SynNak = 3'd3;
  localparam logic [4:0] AckNoCredits = 5'h1F;
  localparam logic [4:0] NakSequence = 5'd0;
  localparam logic [4:0] NakInvalid = 5'd1;
  localparam logic [4:0] NakAccess = 5'd2;
  localparam logic [4:0] NakOperation = 5'd3;

  // An IPv4 address as one of 128 bits, ::ffff:a.b.c.d, which no IPv6 frame can have; the family of an address.
  function automatic logic [127:0] ip4(input logic [31:0] ip);
    ip4 = {80'd0, 16'hFFFF, ip};
  endfunction
  function automatic logic is_ip4(input logic [127:0] ip);
    is_ip4 = ip == {80'd0, 16'hFFFF, ip[31:0]};
  endfunction

  // What a frame says before its payload, parsed (nic_rx). Fields that an opcode does not carry are 0.
  typedef struct packed {
    logic [47:0] mac;       // peer: source of what came
    logic [127:0] ip;       // peer; IPv4: see ip4
    logic tag;              // behind an 802.1Q tag,
    logic [15:0] tci;       // which says this; untagged: 0
    logic ce;               // congestion experienced
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
    logic [31:0] imm;       // ImmDt, IETH
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
  localparam int unsigned HeadW = 48 + 128 + 18 + 16 + 8 + 2 + 16 + 24 + 24 + 64 + 32 + 32 + 32 + 64 + 64 + 8 + 24 + 8 +
                                  16 + 32 + 32 + 13;

  // The same of a frame to be built (nic_tx), without what is of its queue pair: that is its peer's. Its extension is
  // there as the wire has it, word by word: RETH and AtomicETH begin with va and rkey, and no opcode has all fields.
  localparam int unsigned TxExtW = 32 * 7;  // an eighth word, of XtqETH, is 0
  typedef struct packed {
    logic [7:0] opcode;
    logic se;
    logic ack_req;
    logic [23:0] psn;
    logic [TxExtW-1:0] ext;  // word 0 in 31:0, each as a number; those that an opcode does not have are 0
    logic [12:0] bytes;
  } tx_head_t;
  localparam int unsigned TxHeadW = 8 + 2 + 24 + TxExtW + 13;

  // What the frames of a queue pair have in common, from when it is turned on (nic_peer).
  typedef struct packed {
    logic [47:0] mac;       // destination
    logic [127:0] ip;       // IPv4: see ip4
    logic v6;               // and that it is not that
    logic tag;              // they have an 802.1Q tag,
    logic [15:0] tci;       // which says this; else 0
    logic [15:0] port;      // our UDP source port
    logic [15:0] pkey;
    logic [23:0] qp;
  } peer_t;
  localparam int unsigned PeerW = 48 + 129 + 17 + 16 + 16 + 24;

  // Why a frame was not taken (retire code of RetRx, and counters): the first that applies.
  typedef enum logic [3:0] {
    RxGood = 4'd0,
    // shorter than its headers, or lengths of Ethernet, IP and UDP disagree, or over 4096 bytes of payload
    RxShort = 4'd1,
    RxForeign = 4'd2,  // not IP without options, not whole (fragment), not UDP 4791, not for our MAC and IP, two tags
    RxSum = 4'd3,      // checksum of the IPv4 header
    RxIcrc = 4'd4,
    RxBth = 4'd5       // transport version, or an opcode that has no form here
  } rx_e;

  // ---- DMA ------------------------------------------------------------------------------------------------------
  // Write: `len` bytes of a byte stream to va. Read: len bytes from va, as one item of a byte stream. Atomic (nic_rd):
  // on the 8 bytes at va, whose value before is an item of 8 bytes; operands as integers, byte 0 of memory in 7:0.
  localparam logic [1:0] DmaRead = 2'd0;
  localparam logic [1:0] DmaFetchAdd = 2'd1;  // adds `swap`
  localparam logic [1:0] DmaCas = 2'd2;       // writes `swap` if memory holds `compare`
  typedef struct packed {
    logic [15:0] rid;      // requester id: the base plus the process
    logic [7:0] src;       // who asks (Src*): goes into the TLP's seq
    logic [63:0] va;
    logic [12:0] len;      // 0 to 4096 (0: a job without TLP; an atomic has 8)
    logic [1:0] op;        // nic_rd
    logic [63:0] swap;     // atomics
    logic [63:0] compare;
  } dma_t;
  localparam int unsigned DmaW = 16 + 8 + 64 + 13 + 2 + 64 + 64;

  localparam logic [7:0] SrcResp = 8'd0;   // writes of requests
  localparam logic [7:0] SrcTask = 8'd1;   // XTQ: arguments, payload, body, header, doorbell
  localparam logic [7:0] SrcEvent = 8'd2;  // events
  // requester: answers of reads and atomics into local memory; send ring, gather
  localparam logic [7:0] SrcReq = 8'd3;
  localparam logic [7:0] SrcRead = 8'd4;   // responder: data of read responses
  localparam logic [7:0] SrcTable = 8'd5;  // table entries
  localparam logic [7:0] SrcQueue = 8'd6;  // queue indices
  localparam logic [7:0] SrcAtomic = 8'd7; // responder: AtomicOps
  localparam logic [7:0] SrcCtx = 8'd8;    // contexts in memory

  // ---- queue pairs ----------------------------------------------------------------------------------------------
  localparam int unsigned QpW = 8;
  localparam int unsigned NameW = 12;  // QP_NAME: what events call a queue pair (CTX-12)
  localparam int unsigned ProcW = 4;

  // What software says of a QP, but the peer's part that only frames have (peer_t); fixed while it is enabled.
  typedef struct packed {
    logic en;
    logic [ProcW-1:0] proc;
    logic [2:0] mtu;        // 1 to 5: 256 << (mtu - 1)
    logic [4:0] rnr;        // timer code of our RNR NAKs
    logic [2:0] retry;
    logic [2:0] rnr_retry;  // 7: for ever
    logic [4:0] timeout;    // 2^timeout cycles, 0: never
    logic [15:0] pkey;
    logic [127:0] ip;       // peer; IPv4: see ip4
    logic [15:0] tci;       // of the 802.1Q tag; without one: 0
    logic [63:0] ring;      // send ring
    logic [3:0] ring_size;  // log2 of its entries
    logic recv;             // takes SENDs
    logic [NameW-1:0] name;
  } qp_cfg_t;
  localparam int unsigned QpCfgW = 1 + ProcW + 3 + 5 + 3 + 3 + 5 + 16 + 128 + 16 + 64 + 4 + 1 + NameW;

  // From where a queue pair goes on when it is turned on, besides its PSNs: all 0, afresh (QPR-9).
  typedef struct packed {
    logic [15:0] cons;
    logic send_err;
    logic [7:0] code;
    logic resp_err;
    logic [23:0] msn;
    logic [23:0] again;
    logic told;
    logic msg;              // in a write
    logic [63:0] va;
    logic [31:0] left;
    logic [31:0] rkey;
    logic [6:0] answers;    // stored answers of atomics that count (QPR-11)
  } qp_go_t;
  localparam int unsigned QpGoW = 16 + 10 + 48 + 2 + 128 + 7;

  // ---- the requester's state of a queue pair --------------------------------------------------------------------
  typedef struct packed {
    logic err;           // stopped by a request that ended badly: code
    logic [7:0] code;
    logic rnr;           // waits
    logic lost;          // the packet at lpsn could not be read
    logic asked;         // an answer has asked for una again since it moved, or since its time-out
    logic [3:0] proc;
    logic [7:0] epoch;   // of going back, with packets decided on since
    logic [2:0] tries;   // time-outs without progress
    logic [2:0] rtries;  // RNR NAKs of una
    logic [15:0] cons;
    logic [15:0] cur;
    logic [23:0] first;
    logic [23:0] cfirst;
    logic [23:0] una;
    logic [23:0] psn;
    logic [23:0] max;
    logic [23:0] lpsn;
  } req_state_t;
  localparam int unsigned ReqStateW = 1 + 8 + 3 + 4 + 8 + 6 + 32 + 6 * 24;

  // From where it goes on that is turned on.
  typedef struct packed {
    logic [23:0] psn;
    logic [15:0] cons;
    logic err;
    logic [7:0] code;
  } req_begin_t;
  localparam int unsigned ReqBeginW = 24 + 16 + 9;

  // ---- congestion -----------------------------------------------------------------------------------------------
  // NIC_RATE and NIC_RAISE as nic_rate uses them: ranges are kept.
  typedef struct packed {
    logic [10:0] full;   // 0 to 1024 beats in 1024 cycles
    logic [10:0] least;  // 1 and more
    logic [3:0] g;
    logic [3:0] fast;
    logic [7:0] calm;    // visits, 0 is as 1
    logic [7:0] raise;
    logic [10:0] add;
    logic [10:0] hyper;
  } rate_cfg_t;

  // ---- events ---------------------------------------------------------------------------------------------------
  localparam logic [7:0] EvSend = 8'd1;         // request ended: status, word = entry, len = bytes
  localparam logic [7:0] EvImm = 8'd2;          // write with immediate: len = immediate
  localparam logic [7:0] EvTask = 8'd3;         // task enqueued: word = queue, addr = index
  localparam logic [7:0] EvRefused = 8'd4;      // status = syndrome, word = reason, addr = PSN
  localparam logic [7:0] EvRespFailed = 8'd5;
  localparam logic [7:0] EvBuffer = 8'd6;       // receive buffer used up: word = its index
  localparam logic [7:0] EvTaskDone = 8'd7;
  localparam logic [7:0] EvRecv = 8'd8;         // message received: word = buffer, len = immediate or key, bytes, addr
  typedef struct packed {
    logic [ProcW-1:0] proc;
    logic kept;             // its place was reserved; otherwise dropped when the ring is full
    logic [7:0] kind;
    logic [7:0] status;
    logic [NameW-1:0] qp;   // its QP_NAME
    logic [31:0] word;
    logic [31:0] len;
    logic [63:0] addr;
    logic [31:0] bytes;     // of a message received
  } event_t;
  localparam int unsigned EventW = ProcW + 1 + 8 + 8 + NameW + 32 + 32 + 64 + 32;

  // Status of EvSend.
  localparam logic [7:0] StDone = 8'd0;
  localparam logic [7:0] StBadEntry = 8'd1;
  localparam logic [7:0] StLocalRead = 8'd2;
  localparam logic [7:0] StTimeout = 8'd3;
  localparam logic [7:0] StRnr = 8'd4;          // RNR_RETRY used up
  localparam logic [7:0] StRemInvalid = 8'd5;
  localparam logic [7:0] StRemAccess = 8'd6;
  localparam logic [7:0] StRemOperation = 8'd7;
  localparam logic [7:0] StRemOther = 8'd8;

  // Status of EvRecv.
  localparam logic [7:0] RcvPlain = 8'd0;
  localparam logic [7:0] RcvImm = 8'd1;
  localparam logic [7:0] RcvInv = 8'd2;
  localparam logic [7:0] RcvLost = 8'd3;        // given up before its end

  // ---- requester ------------------------------------------------------------------------------------------------
  localparam logic [2:0] SqWrite = 3'd0;
  localparam logic [2:0] SqWriteImm = 3'd1;
  localparam logic [2:0] SqRead = 3'd2;
  localparam logic [2:0] SqAdd = 3'd3;
  localparam logic [2:0] SqSwap = 3'd4;
  localparam logic [2:0] SqXtq = 3'd5;
  localparam logic [2:0] SqSend = 3'd6;
  localparam logic [2:0] SqSendImm = 3'd7;

  // An entry of a send ring in memory, byte 0 in 7:0 (the table under REQ-1).
  typedef struct packed {
    logic [63:0] compare;
    logic [63:0] swap;      // or add
    logic [31:0] rsv44;
    logic [31:0] rkey;
    logic [63:0] rva;
    logic [63:0] va2;       // second buffer
    logic [31:0] len2;
    logic [31:0] len1;      // first buffer
    logic [63:0] va1;
    logic [31:0] imm;       // immediate; key; XtqPut: kind
    logic [15:0] target;    // XtqPut: process
    logic [4:0]  rsv1;
    logic inv;              // SEND: with invalidate
    logic solicited;
    logic asks;             // an event when done
    logic [7:0] op;         // Sq*
  } sq_entry_t;
  localparam int unsigned SqEntryW = 512;

  // An entry of a send ring as it waits in its slot: read, checked, counted.
  typedef struct packed {
    logic [2:0] op;
    logic [7:0] bad;        // StDone: good; else the status with which it ends
    logic asks;             // an event when done
    logic solicited;
    logic inv;              // SEND: with invalidate
    logic [15:0] target;    // XtqPut: process
    logic [31:0] imm;       // XtqPut: kind; the key of inv
    logic [63:0] va1;
    logic [31:0] len1;
    logic [63:0] va2;
    logic [63:0] rva;
    logic [31:0] rkey;
    logic [63:0] swap;
    logic [63:0] compare;
    logic [31:0] total;     // bytes of both buffers; atomics: 8
    logic [23:0] packets;   // PSNs
  } send_t;
  localparam int unsigned SendW = 3 + 8 + 3 + 16 + 32 + 64 + 32 + 64 + 64 + 32 + 64 + 64 + 32 + 24;

  // ---- responder and tasks --------------------------------------------------------------------------------------
  // nic_decide asks xtq_target about each packet of an XtqPut or a SEND; the payload of the packet is xtq_target's from
  // then on.
  typedef struct packed {
    logic [QpW-1:0] qp;
    logic [NameW-1:0] name; // of the QP, for events
    logic [ProcW-1:0] proc;
    logic first;            // First or Only
    logic last;             // Last or Only
    logic [31:0] length;    // first: RETH, XtqETH
    logic [7:0] kind;
    logic [15:0] target;    // process in XtqETH
    logic [31:0] args;
    logic [31:0] pay;
    logic [12:0] bytes;     // payload of this packet
    logic send;             // of a SEND
    logic imm_on;           // which has an immediate at its end,
    logic inv;              // or a key
    logic [31:0] imm;
  } xtq_ask_t;
  localparam int unsigned XtqAskW = QpW + NameW + ProcW + 2 + 32 + 8 + 16 + 32 + 32 + 13 + 3 + 32;

  // Why an XtqPut or any other request was refused (event EvRefused, word).
  localparam logic [3:0] WhyNone = 4'd0;
  localparam logic [3:0] WhyBadProcess = 4'd1;
  localparam logic [3:0] WhyBadKind = 4'd2;
  localparam logic [3:0] WhyBadLength = 4'd3;
  localparam logic [3:0] WhyBadType = 4'd4;
  localparam logic [3:0] WhyBadIndex = 4'd5;
  localparam logic [3:0] WhyBadQueue = 4'd6;
  localparam logic [3:0] WhyNoBuffer = 4'd7;    // RNR
  localparam logic [3:0] WhyQueueFull = 4'd8;   // RNR
  localparam logic [3:0] WhyTable = 4'd9;       // a table or queue index could not be read: NAK 3
  localparam logic [3:0] WhySequence = 4'd10;   // order or size of packets, lengths, alignment
  localparam logic [3:0] WhyRegion = 4'd11;     // key, bounds, rights, process
  localparam logic [3:0] WhyNoEvent = 4'd12;    // event ring full: RNR
  localparam logic [3:0] WhyOpcode = 4'd13;     // an operation that nothing here takes
  localparam logic [3:0] WhyTooLong = 4'd14;    // a SEND outgrows its receive buffer

  // A QP's responder.
  typedef struct packed {
    logic [23:0] epsn;
    logic [23:0] msn;
    // PSNs from epsn on that have been taken before: a page was absent, and it went back to epsn
    logic [23:0] again;
    logic told;             // a NAK or RNR NAK of epsn has gone: no NAK 0 after it
    logic msg;              // in a message
    logic xtq;              // which is an XtqPut,
    logic send;             // or a SEND
    logic [63:0] va;        // where it goes on, and what is left of it
    logic [31:0] left;
    logic [31:0] rkey;
  } resp_state_t;
  localparam int unsigned RespStateW = 3 * 24 + 4 + 64 + 2 * 32;

  // nic_decide to nic_acks: ACK, NAK, RNR NAK.
  typedef struct packed {
    logic [QpW-1:0] qp;
    logic [23:0] psn;
    logic [23:0] msn;
    logic [7:0] syndrome;
  } ack_t;
  localparam int unsigned AckW = QpW + 24 + 24 + 8;

  // nic_decide to nic_reply: a response with data.
  localparam logic [1:0] ReplyRead = 2'd0;
  localparam logic [1:0] ReplyAtomic = 2'd1;
  localparam logic [1:0] ReplyReplay = 2'd2;  // AtomicAck from the store: swap
  typedef struct packed {
    logic [1:0] kind;
    logic [QpW-1:0] qp;
    logic [ProcW-1:0] proc;
    logic [2:0] mtu;
    logic [23:0] psn;
    logic [23:0] msn;
    logic cas;
    logic [63:0] va;
    logic [31:0] len;
    logic [23:0] packets;
    logic [63:0] swap;
    logic [63:0] compare;
    logic paged;            // of a region whose pages may be absent: what memory refuses is asked for again
    logic fresh;            // ePSN was moved by it,
    logic [23:0] from;      // from here: it does not go back to what is before
    logic [15:0] wr;        // writes that must have left before memory is read: jobs of nic_decide,
    logic [15:0] task_wr;   // and packets of XtqPuts and SENDs that have bytes
  } reply_t;
  localparam int unsigned ReplyW = 2 + QpW + ProcW + 3 + 24 + 24 + 1 + 64 + 32 + 24 + 64 + 64 + 2 + 24 + 32;

  // ---- retire record --------------------------------------------------------------------------------------------
  // As in aa_pkg: records of one cycle happen in the order of the slots, which is the order of the values here.
  typedef enum logic [3:0] {
    RetNone = 4'd0,
    RetRegRead = 4'd1,   // a: byte address, b: data (flag: of the NIC itself, CTX-11)
    RetRx = 4'd2,        // a frame has been judged: code = rx_e
    // the oldest stored frame is taken: code = Fr*, idx = QP, a = {opcode, PSN}, b = why refused; answer: epoch
    RetFrame = 4'd3,
                         // (flag: its acknowledgement met one that waits)
    RetSend = 4'd4,      // an entry of a send ring has been read: idx = QP, b = entry
    // a frame is given to nic_tx: code = Tx*, idx = QP, a = {opcode, PSN}, b = n-th, 39:32 epoch (flag: no frame)
    RetTx = 4'd5,
    // a task is enqueued: idx = queue, a = index, b = process (flag: of an access log; code: why refused)
    RetTask = 4'd6,
    // an event is written (flag: dropped, no room): code = kind, idx = process, a = its index, b = QP_NAME (7: log)
    RetEvent = 4'd7,
    // a requester by itself: idx = QP, code = Tm* or the status that ends the oldest request (flag), b = epoch then
    RetTimer = 4'd8,
    RetRegWrite = 4'd9,  // a: byte address, b: data, idx: byte strobes (flag: of the NIC itself, CTX-11)
    RetTable = 4'd10,    // XT_CMD takes effect. a: XT_CMD
    RetRate = 4'd11,     // a visit changed the rate of QP idx: code = Rt*, a = QP_RATE after it (flag: no longer slow)
    RetCtx = 4'd12       // what has become of context a: code = Ctx*, idx = its place (flag: NIC_CLOSE is done)
  } ret_kind_e;

  // The epoch counts, modulo 256, how often a requester has gone back or ended a request badly after it had decided on
  // a packet, or been turned off or on: it says which packets were decided on before.
  localparam logic [3:0] TmNoProgress = 4'd0;  // flag: given up
  // a packet's bytes could not be read, a = PSN (flag: of an older epoch, goes back)
  localparam logic [3:0] TmLost = 4'd13;
  localparam logic [3:0] TmRnr = 4'd14;        // the time of an RNR NAK is over: goes back
  localparam logic [3:0] TmQuiet = 4'd15;  // turned off or on, and nothing of what was before is on its way any more

  localparam logic [3:0] FrForeign = 4'd0;
  localparam logic [3:0] FrAhead = 4'd1;
  localparam logic [3:0] FrDup = 4'd2;
  localparam logic [3:0] FrInvalid = 4'd3;
  localparam logic [3:0] FrAccess = 4'd4;
  localparam logic [3:0] FrNotReady = 4'd5;
  localparam logic [3:0] FrNoRoom = 4'd6;
  localparam logic [3:0] FrDone = 4'd7;
  localparam logic [3:0] FrStale = 4'd8;   // answers: of nothing under way, or a read response that is not the next
  localparam logic [3:0] FrAnswer = 4'd9;  // answer taken
  localparam logic [3:0] FrBack = 4'd10;   // answer that sends the requester back: NAK 0, RNR, a read skipped
  localparam logic [3:0] FrEnd = 4'd11;    // answer that ends a request badly
  localparam logic [3:0] FrCnp = 4'd12;

  localparam logic [3:0] TxAck = 4'd0;
  localparam logic [3:0] TxNak = 4'd1;     // NAK and RNR NAK
  localparam logic [3:0] TxRead = 4'd2;    // read response
  localparam logic [3:0] TxAtomic = 4'd3;
  localparam logic [3:0] TxRequest = 4'd4;
  localparam logic [3:0] TxCnp = 4'd5;
  localparam logic [3:0] TxAbsent = 4'd6;  // RNR NAK in the place of a response: a page is absent

  localparam logic [3:0] RtCut = 4'd0;     // after a CNP
  localparam logic [3:0] RtCalm = 4'd1;    // ALPHA fell
  localparam logic [3:0] RtRaised = 4'd2;
  localparam logic [3:0] RtBoth = 4'd3;

  localparam logic [3:0] CtxLoaded = 4'd0;
  localparam logic [3:0] CtxSaved = 4'd1;
  localparam logic [3:0] CtxClosed = 4'd2;
  localparam logic [3:0] CtxBroken = 4'd3;
  localparam logic [3:0] CtxNoPlace = 4'd4;

  typedef struct packed {
    ret_kind_e kind;
    logic flag;
    logic [3:0] code;
    logic [7:0] idx;
    logic [63:0] a;
    logic [63:0] b;
  } retire_t;
  localparam int unsigned RetireW = 4 + 1 + 4 + 8 + 64 + 64;
  localparam int unsigned RetireSlots = 12;

endpackage
`default_nettype wire
