// SPDX-License-Identifier: Apache-2.0
// xtq_table: the kernel, function and queue tables of all processes: on-chip, or two direct-mapped caches in front of
// memory.
//
//   look --> [ kernels, functions: lines ] --> hit? --> found: both entries, the queue's place
//        --> [ queues:             lines ] --> hit? --^       | miss: 32 bytes from memory --> line --> look again
//   XT_W, XT_CMD --> between look-ups: line (and memory)      forget: the place holds another queue now
//
// P1  found_o gives, of what was asked for, the entries that were last committed (through a cache: that memory holds).
//     An entry that XT_CMD would refuse is not valid, from memory either; a queue is not looked for if the kernel is
//     not valid or could not be read.
// P2  A commit takes effect in one cycle, that of its RetTable, and never between look_ready_o and the end of hold_i,
//     nor while soon_i says that a look-up may come: whether one does is known late, and a command need not wait to
//     see it.
// P3  Each line of the queues that gets another entry is forgotten (forget_o) in the same cycle; after reset, all of
//     them are.
// P4  A refused command changes nothing but XT_STS.BAD and what XT_CMD reads as. XT_STS.BUSY from a command to its
//     RetTable.
// P5  No entry is read from memory before all entries written there have left. A commit's goes where XT_BASE said at
//     its RetTable, whatever is written there later.
// P6  Hits and misses: one each entry looked for, a bit for either cache; none for XT_CMD.
//
// found_o is one cycle after look_ready_o if all hits; the entries stay until hold_i ends. What is read or written has
// been on the bus in the cycle before (env_setup).
// Cost: lines x 257 bits of block RAM, and a tag in a cache; about 490 flip-flops, 770 with a cache.
// One file: look-up, fill and commit take turns at one memory; P2 is about which of them it is.
// Rules of README.md: TBL-1, TBL-2, TBL-3, TBL-4, TBL-5, TBL-6, TBL-7.
`default_nettype none

module xtq_table #(
  parameter int unsigned NumProcs = 4,
  parameter int unsigned TableBits = 6,
  parameter int unsigned TableCache = 0,
  localparam int unsigned ProcW = NumProcs > 1 ? $clog2(NumProcs) : 1,
  localparam int unsigned QueAddrW = ProcW + TableBits,
  localparam int unsigned KerAddrW = QueAddrW + 1,
  localparam int unsigned LineW = TableCache != 0 ? $clog2(TableCache) : QueAddrW,
  localparam int unsigned PlaceW = LineW > 0 ? LineW : 1
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic [15:0]                 cfg_rid_i,

  // Look-up: of a kernel or function, of a queue, or of both
  input  wire logic                        look_valid_i,
  output logic                             look_ready_o,
  input  wire logic [3:0]                  look_proc_i,  // below NumProcs
  input  wire logic                        look_ker_i,
  input  wire logic                        look_func_i,
  input  wire logic [TableBits-1:0]        look_kidx_i,
  input  wire logic                        look_que_i,
  input  wire logic [TableBits-1:0]        look_qidx_i,
  input  wire logic                        soon_i,       // with look_valid_i, and perhaps before; not with hold_i
  input  wire logic                        hold_i,       // what was found is still in use
  output logic                             found_o,
  output logic                             ker_ok_o,
  output logic                             ker_err_o,
  output logic      [xtq_pkg::EntryW-1:0]  ker_o,
  output logic                             que_ok_o,
  output logic                             que_err_o,
  output logic      [xtq_pkg::EntryW-1:0]  que_o,
  output logic      [PlaceW-1:0]           que_place_o,
  output logic                             forget_o,
  output logic      [PlaceW-1:0]           forget_place_o,

  // Memory
  output logic                             rd_valid_o,
  input  wire logic                        rd_ready_i,
  output nic_pkg::dma_t                    rd_o,
  input  wire logic                        rdata_valid_i,
  output logic                             rdata_ready_o,
  input  wire nic_pkg::bytes_t             rdata_i,
  output logic                             wr_valid_o,
  input  wire logic                        wr_ready_i,
  output nic_pkg::dma_t                    wr_o,
  output logic                             wdata_valid_o,
  input  wire logic                        wdata_ready_i,
  output nic_pkg::bytes_t                  wdata_o,
  input  wire logic                        wr_done_i,    // one of the writes has left

  // Counters (0 kernel or function, 1 queue), record
  output logic      [1:0]                  hits_o,
  output logic      [1:0]                  misses_o,
  output logic                             ret_valid_o,
  output nic_pkg::retire_t                 ret_o,

  // Registers
  input  wire cm_pkg::reg_bus_t            rb_i,
  output logic      [63:0]                 rb_rdata_o
);

  if (NumProcs < 1 || NumProcs > 16) begin : gen_bad_num_procs $error("xtq_table: NumProcs must be 1 to 16"); end
  if (TableBits < 1 || TableBits > 12) begin : gen_bad_table_bits $error("xtq_table: TableBits must be 1 to 12"); end
  if ((TableCache & (TableCache - 1)) != 0 || TableCache == 1 || TableCache > 1 << QueAddrW) begin : gen_bad_table_cache
    $error("xtq_table: TableCache must be 0 or 2, 4 ... as many as there are queues");
  end

  localparam bit          Cached = TableCache != 0;
  localparam int unsigned EntryW = xtq_pkg::EntryW;
  localparam int unsigned KerLineW = Cached ? LineW : KerAddrW;
  localparam int unsigned TagW = KerAddrW - LineW + 1;  // one more than needed, so that it is never empty
  localparam int unsigned Beats = 32 / nic_pkg::BeatBytes > 0 ? 32 / nic_pkg::BeatBytes : 1;
  localparam int unsigned SweepW = KerLineW > LineW ? KerLineW : LineW;

  typedef enum logic [2:0] {
    StSweep = 3'd0,  // after reset: every line is emptied
    StIdle  = 3'd1,
    StHit   = 3'd2,  // the lines are there
    StAsk   = 3'd3,
    StWait  = 3'd4,
    StFill  = 3'd5,
    StAgain = 3'd6,
    StRead  = 3'd7   // XT_CMD.READ: the line is there
  } state_e;

  // ---- registers ----
  logic [63:0]         word_q [4];
  logic [63:0]         base_q [1 << ProcW];
  logic [NumProcs-1:0] base_known_q, rb_oh_q;
  logic [31:0]         cmd_q;  // XT_CMD, which has no field above
  logic                busy_q, bad_q, rb_word_q, rb_cmd_q, rb_sts_q, rb_base_q, asked, refuse, cmd_read;
  logic [63:0]         rb_old, merged;
  logic [3:0]          rb_idx;
  logic [1:0]          rb_nth_q;  // which XT_W
  nic_reg_pkg::xt_sts_t at_sts, to_sts;
  nic_reg_pkg::xt_cmd_t cmd, to_cmd;  // under way, as it is written
  logic [ProcW-1:0]    rb_proc_q, cmd_proc;
  logic                rb_base_we;
  logic [TableBits-1:0] cmd_index;
  logic                cmd_que, cmd_func;

  // The address is decoded a cycle before.
  assign rb_idx = nic_reg_pkg::idx_XT_BASE(rb_i.addr);
  always_ff @(posedge clk_i) begin
    rb_word_q <= nic_reg_pkg::at_XT_W(rb_i.addr);
    rb_nth_q  <= nic_reg_pkg::idx_XT_W(rb_i.addr);
    rb_cmd_q  <= nic_reg_pkg::at_XT_CMD(rb_i.addr);
    rb_sts_q  <= nic_reg_pkg::at_XT_STS(rb_i.addr);
    rb_base_q <= nic_reg_pkg::at_XT_BASE(rb_i.addr) && 32'(rb_idx) < NumProcs;
    rb_proc_q <= rb_idx[ProcW-1:0];
    rb_oh_q   <= NumProcs'(1) << rb_idx;
  end

  always_comb begin
    at_sts      = '0;
    at_sts.BAD  = bad_q;
    at_sts.BUSY = busy_q;
    rb_old = '0;
    if (rb_word_q) rb_old = word_q[rb_nth_q];
    if (rb_cmd_q) rb_old = cmd;
    if (rb_sts_q) rb_old = at_sts;
    if (rb_base_q && (base_known_q & rb_oh_q) != '0) rb_old = base_q[rb_proc_q];
  end
  assign merged = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, rb_old);
  assign rb_rdata_o = rb_old;

  // An entry of a queue that makes no sense.
  function automatic logic senseless(input logic [EntryW-1:0] e);
    senseless = e[xtq_pkg::QueValid] &&
        (e[xtq_pkg::QueBase+:6] != '0 || e[xtq_pkg::QueDoorbell+:3] != '0 || e[xtq_pkg::QueBlock+:3] != '0 ||
         e[xtq_pkg::QueSize+:5] > 5'd16 || (Cached && !e[xtq_pkg::QueMulti] && !e[xtq_pkg::QueMirror]));
  endfunction

  logic [EntryW-1:0] words;
  assign words   = {word_q[3], word_q[2], word_q[1], word_q[0]};
  assign to_sts  = rb_i.wdata;  // by its strobe
  always_comb begin
    to_cmd = merged;
    {to_cmd.rsv63, to_cmd.rsv30} = '0;  // what has no field
  end
  assign asked   = rb_i.we && rb_cmd_q && rb_i.wstrb[nic_reg_pkg::XT_CMD_READ_Lsb/8:0] != '0;
  assign refuse  = busy_q || to_cmd.TABLE > xtq_pkg::TableQueue || 32'(to_cmd.PROC) >= NumProcs ||
                   (to_cmd.INDEX >> TableBits) != '0 ||
                   (!to_cmd.READ && to_cmd.TABLE[xtq_pkg::TableIsQueue] && senseless(words));

  assign cmd       = 64'(cmd_q);
  assign cmd_index = cmd.INDEX[TableBits-1:0];
  assign cmd_func  = cmd.TABLE[xtq_pkg::TableIsFunc];
  assign cmd_que   = cmd.TABLE[xtq_pkg::TableIsQueue];
  assign cmd_proc  = cmd.PROC[ProcW-1:0];
  assign cmd_read  = cmd.READ;

  // What READ asks memory for stays where it was while it is under way.
  assign rb_base_we = rb_i.we && rb_base_q && !(busy_q && rb_proc_q == cmd_proc);

  // ---- lines ----
  state_e              state_q;
  logic                look, load, commit, reread, fill, ker_we, que_we, sweep_end;
  logic [SweepW-1:0]   sweep_q;
  logic                want_ker_q, want_que_q, func_q, part_q, for_cmd_q;
  logic [ProcW-1:0]    proc_q;
  logic [TableBits-1:0] kidx_q, qidx_q;
  logic [KerAddrW-1:0] ker_addr, ker_waddr;
  logic [QueAddrW-1:0] que_addr, que_waddr;
  logic                ker_here, que_here, ker_hit, que_hit;
  logic [TagW-1:0]     ker_tag, que_tag;
  logic [EntryW-1:0]   new_entry, get_q, got_entry;
  logic                room, unused;
  assign unused = &{1'b0, look_proc_i, rdata_i};

  assign look_ready_o = state_q == StIdle && room;
  assign look         = look_valid_i && look_ready_o;
  assign load         = soon_i && look_ready_o;  // as a look-up, which perhaps it is
  assign commit       = state_q == StIdle && busy_q && !cmd_read && !hold_i && !soon_i && room;
  assign reread       = state_q == StIdle && busy_q && cmd_read && !hold_i && !soon_i && room;
  assign fill         = state_q == StFill;

  // Read: a look-up, the same again after a miss, or XT_CMD.READ.
  always_comb begin
    ker_addr = {look_proc_i[ProcW-1:0], look_func_i, look_kidx_i};
    que_addr = {look_proc_i[ProcW-1:0], look_qidx_i};
    if (state_q == StAgain) begin
      ker_addr = {proc_q, func_q, kidx_q};
      que_addr = {proc_q, qidx_q};
    end else if (reread) begin
      ker_addr = {cmd_proc, cmd_func, cmd_index};
      que_addr = {cmd_proc, cmd_index};
    end
  end

  // Write: a commit, or what memory gave.
  always_comb begin
    got_entry = get_q;
    if (part_q && senseless(get_q)) got_entry[xtq_pkg::QueValid] = 1'b0;
  end
  assign new_entry = fill ? got_entry : words;
  assign ker_waddr = fill ? {proc_q, func_q, kidx_q} : {cmd_proc, cmd_func, cmd_index};
  assign que_waddr = fill ? {proc_q, qidx_q} : {cmd_proc, cmd_index};
  assign ker_we    = (fill && !part_q) || (commit && !cmd_que);
  assign que_we    = (fill && part_q) || (commit && cmd_que);
  assign sweep_end = &sweep_q;

  logic sweep;
  assign sweep = state_q == StSweep;

  logic [KerLineW-1:0] ker_rline, ker_wline;
  logic [PlaceW-1:0]   que_rline, que_wline;
  assign ker_rline = ker_addr[KerLineW-1:0];
  assign ker_wline = sweep ? sweep_q[KerLineW-1:0] : ker_waddr[KerLineW-1:0];
  assign que_rline = que_addr[PlaceW-1:0];
  assign que_wline = sweep ? sweep_q[PlaceW-1:0] : que_waddr[PlaceW-1:0];

  // Nothing is written in the cycle of a read.
  localparam int unsigned WordW = 1 + TagW + EntryW;
  logic [WordW-1:0] ker_mem_q [1 << KerLineW];
  logic [WordW-1:0] que_mem_q [1 << PlaceW];
  logic [WordW-1:0] ker_word_q, que_word_q, ker_new, que_new;
  logic             mem_re;
  assign mem_re  = load || state_q == StAgain || reread;
  assign ker_new = sweep ? '0 : {1'b1, TagW'(ker_waddr >> LineW), new_entry};
  assign que_new = sweep ? '0 : {1'b1, TagW'(que_waddr >> LineW), new_entry};

  always_ff @(posedge clk_i) if (sweep || ker_we) ker_mem_q[ker_wline] <= ker_new;
  always_ff @(posedge clk_i) if (mem_re) ker_word_q <= ker_mem_q[ker_rline];
  always_ff @(posedge clk_i) if (sweep || que_we) que_mem_q[que_wline] <= que_new;
  always_ff @(posedge clk_i) if (mem_re) que_word_q <= que_mem_q[que_rline];
  assign {ker_here, ker_tag, ker_o} = ker_word_q;
  assign {que_here, que_tag, que_o} = que_word_q;

  assign forget_o       = sweep || que_we;
  assign forget_place_o = que_wline;

  // ---- hits ----
  logic ker_err_q, que_err_q, ker_cnt_q, que_cnt_q, ker_go, que_go, ker_settled;
  logic [KerAddrW-1:0] ker_now;
  logic [QueAddrW-1:0] que_now;
  assign ker_now = {proc_q, func_q, kidx_q};
  assign que_now = {proc_q, qidx_q};
  assign ker_hit = !Cached || (ker_here && ker_tag == TagW'(ker_now >> LineW));
  assign que_hit = !Cached || (que_here && que_tag == TagW'(que_now >> LineW));

  assign ker_settled = !want_ker_q || ker_hit || ker_err_q;
  assign ker_ok_o    = ker_hit && !ker_err_q && ker_o[xtq_pkg::KerValid];
  assign ker_err_o   = ker_err_q;
  assign que_ok_o    = que_hit && !que_err_q && que_o[xtq_pkg::QueValid];
  assign que_err_o   = que_err_q;
  assign que_place_o = que_now[PlaceW-1:0];
  assign ker_go      = state_q == StHit && !ker_settled;
  assign que_go      = state_q == StHit && ker_settled && want_que_q && (!want_ker_q || ker_ok_o) && !que_hit &&
                       !que_err_q;
  assign found_o     = state_q == StHit && !ker_go && !que_go;

  always_comb begin
    hits_o   = '0;
    misses_o = '0;
    if (Cached && state_q == StHit) begin
      if (want_ker_q && !ker_cnt_q && ker_hit) hits_o[0] = 1'b1;
      if (want_ker_q && !ker_cnt_q && !ker_hit) misses_o[0] = 1'b1;
      if (want_que_q && !que_cnt_q && ker_settled && (!want_ker_q || ker_ok_o)) begin
        if (que_hit) hits_o[1] = 1'b1;
        else misses_o[1] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      want_ker_q <= look_ker_i;
      want_que_q <= look_que_i;
      func_q     <= look_func_i;
      proc_q     <= look_proc_i[ProcW-1:0];
      kidx_q     <= look_kidx_i;
      qidx_q     <= look_qidx_i;
      for_cmd_q  <= 1'b0;
      ker_err_q  <= 1'b0;
      que_err_q  <= 1'b0;
      ker_cnt_q  <= 1'b0;
      que_cnt_q  <= 1'b0;
    end else if (reread) begin
      func_q    <= cmd_func;
      proc_q    <= cmd_proc;
      kidx_q    <= cmd_index;
      qidx_q    <= cmd_index;
      for_cmd_q <= 1'b1;
    end else if (state_q == StHit) begin
      ker_cnt_q <= 1'b1;
      if (ker_settled && (!want_ker_q || ker_ok_o)) que_cnt_q <= 1'b1;
    end
    if (state_q == StHit) part_q <= que_go;
    if (state_q == StRead) part_q <= cmd_que;
    if (got_q && get_err_q && !for_cmd_q) begin
      if (part_q) que_err_q <= 1'b1;
      else ker_err_q <= 1'b1;
    end
  end

  // ---- memory: reads ----
  // Its bytes are kept in each cycle in which they may come, and are looked at in the cycle after the last of them:
  // that an item is ours is known late.
  logic             get, got_q, get_err_q, first_q;
  logic [63:0]      base, cmd_base;
  logic [2:0]       away_q;
  logic [TableBits+1:0] read_at;
  assign get           = rdata_valid_i && rdata_ready_o;
  assign rdata_ready_o = state_q == StWait && !got_q;
  assign rd_valid_o    = state_q == StAsk && away_q == '0;
  assign read_at       = part_q ? {xtq_pkg::TableQueue, qidx_q} : {1'b0, func_q, kidx_q};
  assign base          = base_known_q[proc_q] ? base_q[proc_q] : '0;
  assign cmd_base      = base_known_q[cmd_proc] ? base_q[cmd_proc] : '0;

  always_comb begin
    rd_o     = '0;
    rd_o.rid = cfg_rid_i + 16'(proc_q);
    rd_o.src = nic_pkg::SrcTable;
    rd_o.va  = base + (64'(read_at) << 6);
    rd_o.len = 13'd32;
  end

  localparam int unsigned BeatW = EntryW / Beats;
  always_ff @(posedge clk_i) got_q <= rst_ni && get && rdata_i.last;
  always_ff @(posedge clk_i) begin
    if (state_q == StAsk) first_q <= 1'b1;
    else if (get) first_q <= 1'b0;
    if (state_q == StWait && first_q) {get_err_q, get_q[BeatW-1:0]} <= {rdata_i.err, rdata_i.data[BeatW-1:0]};
    if (Beats > 1 && state_q == StWait && !first_q && !got_q) get_q[EntryW-1-:BeatW] <= rdata_i.data[BeatW-1:0];
  end

  // ---- memory: writes of commits ----
  logic put_job_q, put_pay_q, put_last;
  logic [EntryW-1:0]    put_q;
  logic [ProcW-1:0]     put_proc_q;
  logic [63:0]          put_va_q;
  assign room          = !put_job_q && !put_pay_q && away_q != 3'd7;
  assign wr_valid_o    = put_job_q;
  assign wdata_valid_o = put_pay_q;
  logic [2:0] put_beat_q;
  assign put_last = 32'(put_beat_q) == Beats - 1;
  always_comb begin
    wr_o          = '0;
    wr_o.rid      = cfg_rid_i + 16'(put_proc_q);
    wr_o.src      = nic_pkg::SrcTable;
    wr_o.va       = put_va_q;
    wr_o.len      = 13'd32;
    wdata_o       = '0;
    wdata_o.last  = put_last;
    wdata_o.bytes = 7'(32 / Beats);
    wdata_o.data  = nic_pkg::DataW'(put_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !Cached) begin
      put_job_q  <= 1'b0;
      put_pay_q  <= 1'b0;
      put_beat_q <= '0;
      away_q     <= '0;
    end else begin
      if (commit) put_job_q <= 1'b1;
      else if (wr_ready_i) put_job_q <= 1'b0;
      if (commit) put_pay_q <= 1'b1;
      else if (wdata_ready_i && put_last) put_pay_q <= 1'b0;
      if (wdata_valid_o && wdata_ready_i) put_beat_q <= put_last ? '0 : put_beat_q + 3'd1;
      away_q <= away_q + 3'(commit) - 3'(wr_done_i && away_q != '0);
    end
    if (commit) begin
      put_q      <= words;
      put_proc_q <= cmd_proc;
      put_va_q   <= cmd_base + (64'({cmd.TABLE, cmd_index}) << 6);
    end else if (wdata_valid_o && wdata_ready_i) begin
      put_q <= Beats > 1 ? put_q >> (EntryW / 2) : put_q;
    end
  end

  // ---- states ----
  logic read_hit, read_end, read_err;
  assign read_hit = state_q == StRead && (cmd_que ? que_hit : ker_hit);
  assign read_end = read_hit || (got_q && for_cmd_q);
  assign read_err = got_q && for_cmd_q && get_err_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      sweep_q <= '0;
    end else begin
      sweep_q <= sweep_q + SweepW'(sweep);
      unique case (state_q)
        StSweep: if (sweep_end) state_q <= StIdle;
        StIdle: if (look) state_q <= StHit;
                else if (reread) state_q <= StRead;
        StHit: state_q <= found_o ? StIdle : StAsk;
        StRead: state_q <= read_hit ? StIdle : StAsk;
        StAsk: if (rd_valid_o && rd_ready_i) state_q <= StWait;
        StWait: if (got_q) state_q <= for_cmd_q ? StIdle : get_err_q ? StAgain : StFill;
        StFill: state_q <= StAgain;
        default: state_q <= StHit;
      endcase
    end
  end

  assign ret_valid_o = commit || read_end;
  always_comb begin
    ret_o      = '0;
    ret_o.kind = nic_pkg::RetTable;
    ret_o.a    = cmd;
  end

  // ---- registers: next ----
  logic [EntryW-1:0] seen;
  assign seen = state_q == StRead ? (cmd_que ? que_o : ker_o) : get_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (!rst_ni) word_q[i] <= '0;
      else if (read_end && !read_err) word_q[i] <= seen[64*i+:64];
      else if (rb_i.we && rb_word_q && !busy_q && rb_nth_q == 2'(i)) word_q[i] <= merged;
    end
    if (rb_base_we) base_q[rb_proc_q] <= merged;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      base_known_q <= '0;
      cmd_q        <= '0;
      busy_q       <= 1'b0;
      bad_q        <= 1'b0;
    end else begin
      if (rb_base_we) base_known_q <= base_known_q | rb_oh_q;
      if (rb_i.we && rb_cmd_q && !busy_q) cmd_q <= 32'(to_cmd);
      if (asked && !refuse) busy_q <= 1'b1;
      else if (ret_valid_o) busy_q <= 1'b0;
      if ((asked && refuse) || read_err) bad_q <= 1'b1;
      else if (rb_i.we && rb_sts_q && rb_i.wstrb[nic_reg_pkg::XT_STS_BAD_Lsb/8] && to_sts.BAD) bad_q <= 1'b0;
    end
  end

`ifdef FORMAL
`include "xtq_table_props.svh"
`endif

endmodule

`default_nettype wire
