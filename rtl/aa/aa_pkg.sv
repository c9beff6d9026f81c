// SPDX-License-Identifier: Apache-2.0
// Types and constants of the Active Access IOMMU: what a request looks like while it waits, what a translation says,
// what a decision is, and the retire record. rtl/aa/README.md tells the story. Beats are cm_pkg::tlp_t.
// One file: a package can name no other one (Yosys), and these types are built of each other.
// Rules of README.md: RET-1.
`default_nettype none

package aa_pkg;

  // Of `all` entries of a kind that ports compete for, so many are each port's own; the rest is common.
  function automatic int unsigned share(input int unsigned all, input int unsigned ports);
    share = ports == 1 ? 0 : all < 2 * ports ? 1 : all / (2 * ports);
  endfunction

  localparam int unsigned SeqW = 8;  // cm_pkg::SeqW: no package can name another one (Yosys); aa_iommu compares
  localparam int unsigned HostAddrW = 48;  // host address width (HAW) and guest width: 4 levels

  // ---- a request in its lane ------------------------------------------------------------------------------------
  typedef enum logic [2:0] {
    ReqPass  = 3'd0,  // Msg, MsgD, Cpl, CplD: forwarded as they are
    ReqWrite = 3'd1,
    ReqRead  = 3'd2,
    ReqAtomic = 3'd3,
    ReqRefuse = 3'd4  // I/O, configuration, locked reads, unknown types: UR
  } req_kind_e;

  // Error codes (register AA_ERR_STS.CODE). 1 to 7 are found by aa_rx and travel with the request.
  localparam logic [4:0] ErrNone = 5'd0;
  localparam logic [4:0] ErrLength = 5'd1;       // payload disagrees with Length, or strb / sop / eop out of form
  localparam logic [4:0] ErrCross4k = 5'd2;      // address and length cross a 4 KiB border
  localparam logic [4:0] ErrMaxSize = 5'd3;      // payload over MPS, read over MRRS
  localparam logic [4:0] ErrByteEn = 5'd4;       // byte enables break the rules of PCIe
  localparam logic [4:0] ErrAtomic = 5'd5;       // AtomicOp misaligned or of a wrong size (answered UR)
  localparam logic [4:0] ErrType = 5'd6;         // unsupported type (answered UR when non-posted)
  localparam logic [4:0] ErrPortId = 5'd7;       // requester id not allowed on this port
  localparam logic [4:0] ErrPoison = 5'd8;       // poisoned write
  localparam logic [4:0] ErrTagLive = 5'd9;      // tag reused while outstanding
  localparam logic [4:0] ErrNoLog = 5'd10;       // IUID missing from the access-log table
  localparam logic [4:0] ErrLogDrop = 5'd11;     // record dropped, log full (policy drop)
  localparam logic [4:0] ErrLogWdog = 5'd12;     // record dropped, log full (watchdog)
  localparam logic [4:0] ErrLogFit = 5'd13;      // record dropped, entry can never fit the ring
  localparam logic [4:0] ErrStray = 5'd14;       // completion that nobody waits for
  localparam logic [4:0] ErrCplLength = 5'd15;   // completion malformed, or beyond its read
  localparam logic [4:0] ErrCplTimeout = 5'd16;  // read never completed
  localparam logic [4:0] ErrConsumer = 5'd17;    // bad consumer pointer written
  localparam logic [4:0] ErrFlushLen = 5'd18;    // flush get longer than 16 bytes (answered UR)
  localparam logic [4:0] ErrAxiWrite = 5'd19;    // error response to one of our own memory writes
  localparam logic [4:0] ErrFlushTimeout = 5'd20;
  localparam logic [4:0] ErrLogFailed = 5'd21;   // record dropped, its log has stopped (a write of its entries failed)

  typedef struct packed {
    req_kind_e kind;
    logic [4:0] bad;  // ErrNone, or why the request is malformed (then it has no payload in the lane)
    logic [SeqW-1:0] seq;
    logic [127:0] hdr;
  } req_t;
  localparam int unsigned ReqW = 3 + 5 + SeqW + 128;

  // What the translation engine needs of a request.
  typedef struct packed {
    logic skip;   // needs no translation: ReqPass, ReqRefuse or bad
    logic intr;   // a write to 0xFEEx_xxxx
    logic write;  // the fault code of a walk that ends early: 5 (write, atomic) or 6
    logic at;     // AT is not 00
    logic [15:0] sid;
    logic [63:12] iova;
  } lookup_t;
  localparam int unsigned LookupW = 4 + 16 + 52;

  // Addresses [63:20] of interrupts: a write to them is one, and nothing translates to them.
  localparam logic [63:20] MsiRange = 44'hFEE;

  // ---- a translation --------------------------------------------------------------------------------------------
  // Reasons of faults (docs/formats.md 1.7): those that end a walk, and the others.
  localparam logic [3:0] FltRootAbsent = 4'h1;
  localparam logic [3:0] FltCtxAbsent = 4'h2;
  localparam logic [3:0] FltCtxInvalid = 4'h3;   // its AW or TT
  localparam logic [3:0] FltWide = 4'h4;         // the address
  localparam logic [3:0] FltWrite = 4'h5;        // without W
  localparam logic [3:0] FltRead = 4'h6;         // without R
  localparam logic [3:0] FltPageError = 4'h7;    // cannot be read
  localparam logic [3:0] FltRootError = 4'h8;
  localparam logic [3:0] FltCtxError = 4'h9;
  localparam logic [3:0] FltRootReserved = 4'hA;
  localparam logic [3:0] FltCtxReserved = 4'hB;
  localparam logic [3:0] FltPageReserved = 4'hC;
  localparam logic [3:0] FltAt = 4'hD;           // AT is not 00
  localparam logic [7:0] FltNone = 8'h00;
  localparam logic [7:0] FltToIntr = 8'h0E;      // translates to MsiRange
  localparam logic [7:0] FltNoIntr = 8'h25;      // an interrupt that the context forbids
  localparam logic [7:0] FltLogged = 8'hA0;      // none: a stock record of an access

  // Recorded even where the context asks for silence.
  function automatic logic unqualified(input logic [7:0] reason);
    unqualified = reason == 8'(FltRootAbsent) || reason == 8'(FltRootError) || reason == 8'(FltCtxError) ||
                  reason == 8'(FltRootReserved) || reason == 8'(FltCtxReserved);
  endfunction

  // fault != 0: blocked by the walk (docs/formats.md 1.7: 1-4, 5/6 before a leaf, 7-0xE). Otherwise the leaf's bits,
  // already masked by the context's opt-in, and the 4 KiB frame of the address (superpage offset included).
  typedef struct packed {
    logic [7:0] fault;
    logic fpd;     // context says: do not record qualified faults
    logic bypass;  // address passes untranslated: translation off, pass-through, interrupt, skip
    logic nointr;  // interrupt write that the context forbids
    logic r;
    logic w;
    logic wl;
    logic wld;
    logic rl;
    logic rld;
    logic e;
    logic [9:0] iuid;
    logic [HostAddrW-1:12] pfn;
  } xlate_t;
  localparam int unsigned XlateW = 8 + 3 + 7 + 10 + HostAddrW - 12;

  // ---- invalidation ---------------------------------------------------------------------------------------------
  typedef struct packed {
    logic ctx;            // 1: context cache (and all that hangs on it), 0: IOTLB and paging-structure cache
    logic [1:0] gran;     // 1 global, 2 domain, 3 device (ctx) or page (IOTLB)
    logic [15:0] did;
    logic [15:0] sid;
    logic [1:0] fm;
    logic [5:0] am;
    logic ih;
    logic [63:12] addr;
  } inval_t;
  localparam int unsigned InvalW = 1 + 2 + 16 + 16 + 2 + 6 + 1 + 52;

  // Descriptors of the queue (docs/formats.md 1.6).
  localparam logic [3:0] DescCtx = 4'd1;
  localparam logic [3:0] DescIotlb = 4'd2;
  localparam logic [3:0] DescWait = 4'd5;
  typedef struct packed {
    logic [63:0] rsv64;
    logic [13:0] rsv50;
    logic [1:0] fm;
    logic [15:0] sid;
    logic [15:0] did;
    logic [9:0] rsv6;
    logic [1:0] gran;
    logic [3:0] op;
  } desc_ctx_t;
  typedef struct packed {
    logic [51:0] addr;     // [63:12]
    logic [4:0] rsv71;
    logic ih;
    logic [5:0] am;
    logic [31:0] rsv32;
    logic [15:0] did;
    logic [7:0] rsv8;
    logic dr;
    logic dw;
    logic [1:0] gran;
    logic [3:0] op;
  } desc_iotlb_t;
  typedef struct packed {
    logic [61:0] addr;     // [63:2]
    logic [1:0] rsv64;
    logic [31:0] data;
    logic [24:0] rsv7;
    logic fn;
    logic sw;              // writes `data` to `addr`
    logic intf;            // sets IWC
    logic [3:0] op;
  } desc_wait_t;

  // ---- entries of tables (docs/formats.md 1.1 to 1.3) ------------------------------------------------------------
  typedef struct packed {
    logic [63:0] rsv64;
    logic [15:0] rsv48;
    logic [35:0] frame;
    logic [10:0] rsv1;
    logic p;
  } root_t;
  typedef struct packed {
    logic [39:0] rsv88;
    logic [15:0] did;
    logic rsv71;
    logic [1:0] ign69;
    logic nointr;
    logic aa;              // the opt-in to Active Access
    logic [2:0] aw;
    logic [15:0] rsv48;
    logic [35:0] frame;
    logic [7:0] rsv4;
    logic [1:0] tt;        // 10: pass-through
    logic fpd;
    logic p;
  } ctx_t;
  typedef struct packed {
    logic e;
    logic rsv62;
    logic [9:0] iuid;
    logic [3:0] rsv48;
    logic [35:0] frame;
    logic rsv11;
    logic rld;
    logic rl;
    logic wld;
    logic ps;              // in a leaf of level 1: WL
    logic [2:0] ign4;
    logic wl;              // in a superpage
    logic ign2;
    logic w;
    logic r;
  } page_t;

  // ---- what is kept of them -------------------------------------------------------------------------------------
  // Of a leaf, by the TLBs: R and W are those of all levels; WL stands at one place.
  typedef struct packed {
    logic r;
    logic w;
    logic wl;
    logic rld;
    logic rl;
    logic wld;
    logic e;
    logic [9:0] iuid;
  } rights_t;
  localparam int unsigned RightsW = 7 + 10;
  typedef struct packed {
    logic [35:0] frame;    // [47:12]
    rights_t rights;
  } leaf_t;
  localparam int unsigned LeafW = 36 + RightsW;
  typedef struct packed {
    logic [26:0] frame;    // [47:21]
    rights_t rights;
  } big_leaf_t;            // of 2M or 1G
  localparam int unsigned BigLeafW = 27 + RightsW;

  // Of an entry of an upper level, by the paging-structure cache: the next table; R and W of all levels to here.
  typedef struct packed {
    logic [35:0] frame;
    logic r;
    logic w;
  } psc_t;
  localparam int unsigned PscW = 36 + 2;

  // Of a context entry: by a walk, and by the context cache.
  typedef struct packed {
    logic [35:0] frame;    // the table of level 4
    logic aa;
    logic nointr;
    logic fpd;
    logic pass;            // pass-through
  } known_t;
  localparam int unsigned KnownW = 36 + 4;
  typedef struct packed {
    logic [15:0] did;
    known_t known;
  } ctx_entry_t;
  localparam int unsigned CtxEntryW = 16 + KnownW;

  // How a walk ends.
  typedef struct packed {
    logic [3:0] fault;
    logic bypass;
    logic ctx_ok;          // the context entry is good
    logic leaf;
    logic [2:0] level;     // 6 root, 5 context, 4 to 1
    leaf_t data;
  } walk_end_t;
  localparam int unsigned WalkEndW = 4 + 3 + 3 + LeafW;

  // ---- access log -----------------------------------------------------------------------------------------------
  // Why an opening is refused (LOG_STS.WHY).
  localparam logic [3:0] WhyNot = 4'd0;        // it is not
  localparam logic [3:0] WhySize = 4'd1;
  localparam logic [3:0] WhyAlign = 4'd2;      // base not aligned to size
  localparam logic [3:0] WhyWide = 4'd3;       // base beyond 48 bits
  localparam logic [3:0] WhyIuid = 4'd4;       // another open log has it
  localparam logic [3:0] WhyPtr = 4'd5;        // address of its pointer
  localparam logic [3:0] WhyMsi = 4'd6;        // of its MSI
  localparam logic [3:0] WhyScratch = 4'd7;    // its word is none of those that there are
  localparam logic [3:0] WhyClosing = 4'd8;    // it is still closing

  localparam int unsigned LogIdxW = 5;   // up to 32 logs
  localparam int unsigned LogSlotW = 5;  // up to 32 outstanding entries a log
  typedef struct packed {
    logic [LogIdxW-1:0] log;
    logic [LogSlotW-1:0] slot;
  } entry_id_t;
  localparam int unsigned EntryIdW = LogIdxW + LogSlotW;

  // Whose a burst of our own writes is: what an error response to it means.
  typedef struct packed {
    logic of_log;  // a log's: entries (AXI id 0, 1), pointer or MSI (id 2)
    logic ptr;     // its pointer
    logic [LogIdxW-1:0] log;
  } owner_t;
  localparam int unsigned OwnerW = 2 + LogIdxW;

  localparam logic [2:0] KindPut = 3'd1;
  localparam logic [2:0] KindGet = 3'd2;
  localparam logic [2:0] KindAtomic = 3'd3;
  localparam logic [2:0] KindPad = 3'd7;

  // The 16-byte header of an entry, little-endian in memory: address first, then the upper word.
  typedef struct packed {
    logic [15:0] rid;
    logic [9:0] tag;
    logic [3:0] lbe;
    logic [3:0] fbe;
    logic [10:0] len;  // DW of the request, 1..1024; pad: DW that follow this header
    logic data;        // len DW of data follow, padded to 16 bytes
    logic poisoned;
    logic aborted;
    logic denied;
    logic [2:0] kind;
    logic [1:0] zero;
    logic [9:0] iuid;
    logic [63:0] addr;  // I/O virtual address of the first DW; 1:0 = first enabled byte of it
  } entry_t;

  // ---- retire record --------------------------------------------------------------------------------------------
  // Several records may retire in one cycle; their order is that of the slots, which is the order of the values here.
  typedef enum logic [3:0] {
    RetNone = 4'd0,
    RetRegRead = 4'd1,    // a: byte address, b: data
    RetWalk = 4'd2,       // a walk begins. lane, idx = position in the lane, slot = walker
    RetXlate = 4'd3,      // the oldest untranslated request of a lane was translated by a hit (or skip / bypass)
    RetFill = 4'd4,       // a walk ended (slot). flag: it also translates the oldest untranslated request of its lane
    RetDecide = 4'd5,     // the oldest undecided request of a lane is decided. code = outcome, flag = watchdog drop
    RetCpl = 4'd6,        // the oldest waiting completion is consumed. code = outcome
    RetTimeout = 4'd7,    // idx = tag entry whose read is given up (flag: its log entry alone; code 1: free again)
    RetPublish = 4'd8,    // idx = log; a = new producer
    RetNotify = 4'd9,     // code = what is sent (Note*), idx = log or flush waiter, a = its value
    RetInval = 4'd10,     // an invalidation took effect. a, b = the descriptor, or the register value (code 1)
    RetRegWrite = 4'd11   // a: byte address, b: data, idx: byte strobes
  } ret_kind_e;

  localparam logic [3:0] NotePtr = 4'd1;        // producer pointer written to memory (idx = log)
  localparam logic [3:0] NoteMsi = 4'd2;        // log MSI (idx = log)
  localparam logic [3:0] NoteFault = 4'd3;      // fault event MSI
  localparam logic [3:0] NoteInvDone = 4'd4;    // invalidation event MSI
  localparam logic [3:0] NoteWait = 4'd5;       // wait descriptor's status write
  localparam logic [3:0] NoteTask = 4'd6;       // task handed to XTQ (idx = log)
  localparam logic [3:0] NoteFlush = 4'd7;      // flush answered (idx = waiter, flag: not done, slot 1: by a reset)
  localparam logic [3:0] NoteLogOff = 4'd8;     // a log's teardown is complete (idx = log)
  localparam logic [3:0] NoteAxiErr = 4'd9;     // memory refused a write (idx = AXI id, slot = log, a = address)
  localparam logic [3:0] NoteReset = 4'd10;     // AA_RESET is done (a = requester id)

  typedef struct packed {
    ret_kind_e kind;
    logic flag;
    logic [3:0] code;
    logic [3:0] lane;  // 2 * port + non-posted
    logic [7:0] slot;
    logic [7:0] idx;
    logic [63:0] a;
    logic [63:0] b;
  } retire_t;
  localparam int unsigned RetireW = 4 + 1 + 4 + 4 + 8 + 8 + 64 + 64;
  localparam int unsigned RetireSlots = 9;  // read, walk, translate, decide, completion, publish, notify, inval, write

  // Outcome of a decision (retire code).
  typedef enum logic [3:0] {
    OutPass = 4'd0,     // forwarded, no record
    OutLog = 4'd1,      // forwarded, recorded in an access log
    OutBlock = 4'd2,    // blocked (dropped or UR), no access-log record
    OutRedirect = 4'd3, // blocked, recorded in an access log
    OutFlush = 4'd4,    // held as a flush
    OutLost = 4'd5,     // forwarded, its record dropped
    OutBlockLost = 4'd6 // blocked, its record dropped
  } outcome_e;

  // ---- what the blocks hand each other --------------------------------------------------------------------------
  // An error for AA_ERR_STS.
  typedef struct packed {
    logic [4:0] code;
    logic [15:0] sid;
    logic [9:0] iuid;
    logic [63:0] addr;
  } err_t;
  localparam int unsigned ErrW = 5 + 16 + 10 + 64;

  // aa_decide and aa_log, for the decision in D2. Asked for: room for a record.
  typedef struct packed {
    logic [LogIdxW-1:0] log;
    logic [8:0] units;       // of 16 bytes that follow the header
  } rsv_ask_t;
  // The answer, in the same cycle: whether there is room, and where.
  typedef struct packed {
    logic never;             // pad and entry are more than the ring
    logic space;
    logic drop;              // by policy, or since its log has stopped:
    logic failed;
    entry_id_t id;
    logic [HostAddrW-1:0] addr;
    logic pad;
    logic [HostAddrW-1:0] pad_addr;
    logic [12:0] pad_bytes;
  } rsv_t;
  // What is done. In the cycle after `next` the log asked for is the one that the IUID finds now.
  typedef struct packed {
    logic next;
    logic take;              // reserves, if there is space
    logic lost;              // the record is dropped
  } rsv_act_t;
  localparam int unsigned RsvW = 4 + EntryIdW + HostAddrW + 1 + HostAddrW + 13;

  // aa_axi_err to the access logs: a write of theirs has failed.
  typedef struct packed {
    logic entry;             // its entry: the log stops
    logic ptr;               // its pointer
    logic [LogIdxW-1:0] log;
  } axi_fail_t;

  // A stock fault for the primary fault log.
  typedef struct packed {
    logic [7:0] reason;
    logic read;  // FRCD.T
    logic [1:0] at;
    logic [15:0] sid;
    logic [63:12] page;
  } fault_t;
  localparam int unsigned FaultW = 8 + 1 + 2 + 16 + 52;

  // aa_decide / aa_mover to aa_log_put: one entry (and the pad before it); its payload beats follow on a stream.
  typedef struct packed {
    entry_id_t id;
    logic [HostAddrW-1:0] addr;
    logic pad;
    logic [HostAddrW-1:0] pad_addr;
    logic [12:0] pad_bytes;  // header of the pad included
    logic [8:0] total;       // words of 16 bytes, header included; without the pad
    entry_t hdr;             // data = 1: hdr.len DW of payload follow, byte enables hdr.fbe / hdr.lbe
  } put_log_t;
  localparam int unsigned PutLogW = EntryIdW + HostAddrW + 1 + HostAddrW + 13 + 9 + 128;

  // What a decision, or a look-up, leaves for the counters: one cycle each.
  typedef struct packed {
    logic old;         // dropped for a reset
    logic filter;      // refused by the port filter
    logic poisoned;
    logic pad;
    logic no_log;
    logic tag_live;
    logic malformed;
    logic flush;       // held
    logic dropped;     // its record
    logic reserved;
    logic denied;
    logic ur;
    logic passed;
    logic atomic;
    logic read;
    logic write;
    logic request;
  } decide_event_t;
  typedef struct packed {
    logic walk_begun;
    logic ctx_fill;
    logic tlb_fill;
    logic walk_fault;
    logic walk_ended;
    logic hit;
  } xlt_event_t;

  typedef struct packed {
    logic over;        // an entry is free again, and its completion never came
    logic late;        // a completion of a read that had ended early
    logic timeout;
    logic bad_cpl;
    logic flush_late;  // a flush answered, not done
  } return_event_t;

  // aa_decide to aa_tag_buf: one outstanding non-posted request.
  typedef struct packed {
    logic [15:0] rid;
    logic [9:0] tag;
    logic [1:0] port;
    logic flush;
    logic [11:0] start;      // first enabled byte, page offset (atomics: 0)
    logic [12:0] bytes;      // ByteCount of a first completion, 1..4096
    logic logged;            // completions are copied to the log: the rest is valid
    logic pad;               // a pad record precedes the entry; aa_log_get writes it
    logic [HostAddrW-1:0] pad_addr;
    logic [12:0] pad_bytes;
    entry_id_t id;
    logic [HostAddrW-1:0] addr;
    entry_t hdr;
  } tag_alloc_t;

  // aa_decide and aa_tag_buf: in the next cycle D2 will have the request of `key` with `look`, else the one that it
  // has.
  typedef struct packed {
    logic look;
    logic [25:0] key;        // {rid, tag}
  } tag_ask_t;
  typedef struct packed {
    logic live;              // the request in D2 reuses a tag
    logic ready;
    logic hold;              // not ready since a stray is under way: for 2 cycles at most
    logic [7:0] idx;         // the entry that is free
  } tag_t;
  typedef struct packed {
    logic may;               // early: valid may be high; never of a request that needs no entry
    logic valid;
    tag_alloc_t alloc;
  } tag_act_t;

  // Whose request is in D2: where an answer of the IOMMU itself goes, and what to.
  typedef struct packed {
    logic [1:0] port;
    logic [SeqW-1:0] seq;
    logic [127:0] hdr;
  } asker_t;
  localparam int unsigned AskerW = 2 + SeqW + 128;

  // aa_tag_buf to aa_cpl: why an entry is closed.
  typedef enum logic [1:0] {
    ClEnd = 2'd0,   // the read ends early: time-out or reset
    ClLog = 2'd1,   // its log is being torn down: the read goes on
    ClOver = 2'd2   // it ended early long ago: its completion does not come any more
  } tag_close_e;

  // aa_cpl to aa_log_get: a chunk of data (ndw != 0; its beats follow on a stream), the closing of an entry, or both:
  // an entry whose data are this one chunk, which then lies behind the header.
  typedef struct packed {
    logic close;             // write pad (if any) and hdr at addr, then the entry is whole
    entry_id_t id;
    logic [HostAddrW-1:0] addr;  // close: the entry; else: where the chunk's first DW goes (DW-aligned)
    logic [10:0] ndw;        // chunk: DWs in the beats, first DW in lane 0 of the first beat
    logic [3:0] fbe;         // chunk: bytes kept of its first DW, others are written as zero
    logic [3:0] lbe;         // chunk: bytes kept of its last DW (ndw = 1: fbe & lbe)
    logic [1:0] zeros;       // chunk: zero DWs to append (padding to 16 bytes)
    logic pad;
    logic [HostAddrW-1:0] pad_addr;
    logic [12:0] pad_bytes;
    entry_t hdr;
  } get_log_t;

  // aa_wanted to aa_decide: what shall happen to a request, before resources and the tag check have their say.
  typedef struct packed {
    logic pre;            // decided before the tag check (DEC-1 to DEC-3)
    logic fwd;            // goes to the host
    logic ur;             // answered with UR
    logic flush;          // becomes a flush
    logic tag;            // when forwarded or held, needs a tag entry
    logic np;             // non-posted: a live tag refuses it, host_np_ready_i holds it
    logic denied;         // counted as denied
    logic poisoned;
    logic fault;          // stock record
    logic [7:0] reason;
    logic [4:0] err;      // ErrNone or an error to record
    logic put;            // a record written at once
    logic get;            // a record whose data are the completions
    logic [4:0] log;      // its log
    logic [8:0] units;    // its size: 16-byte units of data after the header
    logic [8:0] beats;    // payload in the lane
    logic read;           // FRCD.T
    logic [11:0] start;   // for the tag entry: first byte, byte count
    logic [12:0] count;
    logic [63:0] pa;      // where it goes, DW-aligned
    logic [127:0] hdr;    // the header that leaves
    entry_t entry;
  } wanted_t;
  localparam int unsigned WantedW = 9 + 8 + 5 + 2 + 5 + 13 + 9 + 1 + 12 + 13 + 64 + 128 + 128;

  // aa_decide to aa_mover: what happens to the payload at the head of a lane.
  typedef struct packed {
    logic [3:0] lane;
    logic [8:0] beats;
    logic fwd;
    logic put;
    logic [SeqW-1:0] seq;
    logic [127:0] hdr;
    put_log_t log;
  } move_t;
  localparam int unsigned MoveW = 4 + 9 + 2 + SeqW + 128 + PutLogW;

endpackage
`default_nettype wire
