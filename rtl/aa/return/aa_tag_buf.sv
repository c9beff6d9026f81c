// SPDX-License-Identifier: Apache-2.0
// aa_tag_buf: the outstanding non-posted requests, found by {requester id, tag}.
//
//   alloc --> [ key, live, dead, busy | static fields | remaining | log fields | birthday ]
//               |  |                 |               |           |            |
//       look ---+  +--- a_key (CAM)  +---- b_idx ----+   g_idx --+   scanner -+--> cl_* : close this one
//                                          c_* : update, free
//
// P1  No two live entries have one key, if nobody allocates a live one (env_unique).
// P2  look_live_o tells whether the key that was on look_key_i in the last cycle with look_i is live, and not dead,
//     at the start of this one: the compare takes a cycle of its own, and without look_i the answer is kept, and kept
//     true. If it is dead, or under alloc_hold_i, alloc_ready_o is low. a_hit_o knows no flushes. a_wait_o: the key
//     may be allocated in this very cycle, which is known too late to look: ask again.
// P3  An entry is given out only when it is neither live nor busy: busy lasts until its log entry's close has been
//     read, or its flush answered, and a cycle more. A read that ended early (c_kill_i) stays live as a dead one: in
//     quarantine until it is freed.
// P4  What is read is what was allocated, or updated last.
// P5  drained_o (from the cycle after snap_i on): no entry that was live, neither a flush nor dead, when snap_i was
//     high is that still.
// P6  cl_*: an entry that is live and no flush: timed out, reset or of requester fn_rid_i (ClEnd), of a log that is
//     being torn down (ClLog), or dead for long enough: tmo_i has passed twice since it was allocated (ClOver).
//     The scanner sees each entry within 2 x TagEntries cycles, and who is overdue stays so for 2^(TmoW+1); an entry
//     allocated after a reset is not closed by it.
// P7  b_ended_o: the entry of b_idx_i is dead, or its port was reset since it was allocated.
// P8  Shares: a port that has fewer than Share entries in use finds one free (alloc_ready_o, but for what P2 says of
//     keys), one cycle after it had. Entries Share * port and up are its own, those above all shares common; its own
//     come first.
//
// An alloc and its RetDecide, a free and its RetCpl / RetTimeout are in one cycle; in that cycle the decision comes
// first.
//
// What is allocated and what is freed in a cycle come late: the looks are settled without them, for each of them, and
// they choose last. For the same reason an entry is busy as soon as it is the next one of its pool, given out or not.
// Cost: 2 comparators of 26 bits and about 33 flip-flops an entry, the rest in LUT RAM.
// One file: P3 and P7 are invariants over the entries, which allocation, closings and the scanner change in one cycle.
// Rules of README.md: TAG-2, TAG-6, TAG-7, TAG-9, RST-3, TMO-2, TMO-5, DUE-1.
`default_nettype none

module aa_tag_buf #(
  parameter int unsigned TagEntries = 32,  // 2 to 255, and no fewer than ports
  parameter int unsigned NumPorts = 1,
  parameter bit          Logs = 1'b1,      // 0: no entry is ever logged
  parameter int unsigned TmoW = 32,        // bits of tmo_i: fewer in a test that sees the longest time-out pass
  localparam int unsigned N = TagEntries,
  localparam int unsigned IdxW = $clog2(TagEntries),
  localparam int unsigned TimeW = TmoW + 2,  // twice the longest time-out, and as long again to see that it has passed
  localparam int unsigned Share = aa_pkg::share(TagEntries, NumPorts),
  localparam int unsigned HostAddrW = aa_pkg::HostAddrW
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [TmoW-1:0]        tmo_i,  // cycles, 0 = never
  input  wire logic [NumPorts-1:0]    dev_reset_i,  // ends what was allocated before this cycle
  input  wire logic                   fn_i,         // end those of requester fn_rid_i,
  input  wire logic [15:0]            fn_rid_i,
  output logic                        fn_pass_o,    // all that were there when fn_i rose have been
  input  wire logic [31:0]            log_close_i,
  input  wire logic                   snap_i,
  output logic                        drained_o,

  // Decision
  input  wire logic                   look_i,       // the next cycle's alloc, if any, has the key look_key_i;
  input  wire logic [25:0]            look_key_i,   // else that of this one
  output logic                        look_live_o,
  input  wire logic                   alloc_may_i,  // early: alloc_valid_i may be high now
  input  wire logic                   alloc_valid_i,  // late: only with alloc_ready_o
  output logic                        alloc_ready_o,
  input  wire aa_pkg::tag_alloc_t     alloc_i,
  output logic      [7:0]             alloc_idx_o,

  // Flush buffer
  input  wire logic                   flush_free_valid_i,
  input  wire logic [7:0]             flush_free_idx_i,
  input  wire logic [7:0]             qf_idx_i,
  output logic      [27:0]            qf_o,  // rid, tag, port

  // Completions: look-up
  input  wire logic                   alloc_hold_i,  // a completion that missed is under way: no alloc now
  input  wire logic [25:0]            a_key_i,
  output logic                        a_wait_o,
  output logic                        a_hit_o,
  output logic      [IdxW-1:0]        a_idx_o,
  output logic                        a_same_o,    // it is c_idx_i

  // Completions: contents
  input  wire logic [IdxW-1:0]        b_idx_i,
  output logic      [15:0]            b_rid_o,
  output logic      [1:0]             b_port_o,
  output logic                        b_log0_o,    // was logged when it was allocated
  output logic                        b_logged_o,  // and its log entry is still open
  output logic      [4:0]             b_log_o,
  output logic      [12:0]            b_rem_o,     // bytes to come
  output logic      [1:0]             b_pos_o,     // place of the next byte in its DW
  output logic      [4:0]             b_start_o,   // DW in which the read begins, address bits 6:2
  output logic      [9:0]             b_dw_o,      // DW of the read that comes next
  output logic                        b_ended_o,
  output logic                        b_dead_o,

  // Completions: effect
  input  wire logic [IdxW-1:0]        c_idx_i,
  input  wire logic                   c_write_i,   // new remaining, place, DW, unlog
  input  wire logic [12:0]            c_rem_i,
  input  wire logic [1:0]             c_pos_i,
  input  wire logic [9:0]             c_dw_i,
  input  wire logic                   c_unlog_i,
  input  wire logic                   c_kill_i,    // it is dead from now on
  input  wire logic                   c_free_i,
  input  wire logic                   c_release_i, // with c_free_i: nothing of it is under way, it can be given out

  // Log writer
  input  wire logic [IdxW-1:0]        g_idx_i,
  output aa_pkg::get_log_t            g_o,         // id, addr, pad, pad_addr, pad_bytes, hdr; the rest is zero
  input  wire logic                   g_release_i,

  // To be closed
  output logic                        cl_valid_o,
  input  wire logic                   cl_ready_i,
  output logic      [IdxW-1:0]        cl_idx_o,
  output aa_pkg::tag_close_e          cl_why_o
);

  if (TagEntries < 2 || TagEntries > 255) begin : gen_bad_tag_entries
    $error("aa_tag_buf: TagEntries must be 2 to 255");
  end
  if (NumPorts < 1 || NumPorts > 4) begin : gen_bad_num_ports $error("aa_tag_buf: NumPorts must be 1 to 4"); end
  if (TagEntries < NumPorts) begin : gen_bad_tag_entries_num_ports
    $error("aa_tag_buf: TagEntries must be at least NumPorts");
  end

  logic [N-1:0]      live_q, dead_q, busy_q, flush_q, fresh_q, kill_q, mark_q;
  logic [2*N-1:0]    port_q;  // whose they are
  logic [N*26-1:0]   keys_q;
  logic [N-1:0]      next_at, held_at, c_at, free_at, kill_at, flush_at, release_at, look_match, a_match;
  logic [N-1:0]      reset_at;
  logic              fire, free_valid, ff_q, gr_q;
  logic [IdxW-1:0]   free_idx, ff_idx_q, gr_idx_q;
  logic [25:0]       alloc_key;

  assign alloc_key = {alloc_i.rid, alloc_i.tag};
  assign alloc_ready_o = free_valid && !alloc_hold_i && !look_dead_q;
  assign alloc_idx_o = 8'(free_idx);
  assign fire = alloc_valid_i;

  // A flush that was answered is told late, and so is a log entry that was read: their entries are freed a cycle after.
  // Of a flush only the look has to know at once.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ff_q <= 1'b0;
      gr_q <= 1'b0;
    end else begin
      ff_q <= flush_free_valid_i;
      gr_q <= g_release_i;
    end
  end
  always_ff @(posedge clk_i) begin
    ff_idx_q <= flush_free_idx_i[IdxW-1:0];
    gr_idx_q <= g_idx_i;
  end

  // The next entry to be given out to this port is written in every cycle, taken or not: only given_q waits for the
  // decision, one bit for all entries, and live_q follows it.
  logic         given_q;
  logic [N-1:0] next_q, live;
  always_ff @(posedge clk_i) given_q <= rst_ni && fire;
  always_ff @(posedge clk_i) next_q <= next_at;
  assign live = live_q | ({N{given_q}} & next_q);

  // ---- CAM ----
  for (genvar e = 0; e < N; e++) begin : gen_entry
    assign c_at[e]       = c_idx_i == IdxW'(e);
    assign flush_at[e]   = ff_q && ff_idx_q == IdxW'(e);
    assign free_at[e]    = (c_free_i && c_at[e]) || flush_at[e];
    assign kill_at[e]    = c_kill_i && c_at[e];
    assign release_at[e] = (c_release_i && c_at[e]) || (gr_q && gr_idx_q == IdxW'(e)) || flush_at[e];
    assign look_match[e] = live[e] && !flush_at[e] && keys_q[26*e+:26] == look_key_i;
    assign a_match[e]    = live[e] && !flush_q[e] && keys_q[26*e+:26] == a_key_i;
    assign next_at[e] = free_valid && free_idx == IdxW'(e);
    always_ff @(posedge clk_i) if (next_at[e]) keys_q[26*e+:26] <= alloc_key;
    if (NumPorts == 1) begin : gen_one_port
      assign reset_at[e] = dev_reset_i[0];
      logic unused_port;
      assign port_q[2*e+:2] = 2'd0;
      assign unused_port = &port_q[2*e+:2];
    end else begin : gen_ports
      logic [3:0] resets;
      assign resets = 4'(dev_reset_i);
      assign reset_at[e] = resets[port_q[2*e+:2]];
      always_ff @(posedge clk_i) if (next_at[e]) port_q[2*e+:2] <= alloc_i.port;
    end
  end

  // The look: who has the key (no two have), whether that is the one that a completion or a flush may free now, and
  // whether it is the one that may be allocated. look_idx_q: who has the key that was looked up, or who gets it.
  logic            look_live_q, look_dead_q, was, was_dead, is_c, is_f, is_new;
  logic [N-1:0]    f_at;
  logic [IdxW-1:0] look_idx_q, look_idx;
  assign look_live_o = look_live_q;
  always_comb begin
    look_idx = '0;
    for (int unsigned e = 0; e < N; e++) begin
      f_at[e] = flush_free_idx_i == 8'(e);
      if (look_match[e]) look_idx = look_idx | IdxW'(e);
    end
    if (look_i) begin
      was    = |(look_match & ~dead_q);
      was_dead = |(look_match & dead_q);
      is_c   = |(look_match & c_at);
      is_f   = |(look_match & f_at);
      is_new = look_key_i == alloc_key;
    end else begin
      was    = look_live_q;
      was_dead = look_dead_q;
      is_c   = look_idx_q == c_idx_i;
      is_f   = 8'(look_idx_q) == flush_free_idx_i;
      is_new = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_live_q <= 1'b0;
      look_dead_q <= 1'b0;
    end else begin
      look_live_q <= (was && !((c_free_i || c_kill_i) && is_c) && !(flush_free_valid_i && is_f)) || (fire && is_new);
      look_dead_q <= (was_dead && !(c_free_i && is_c)) || (was && c_kill_i && is_c);
    end
  end
  always_ff @(posedge clk_i) begin
    if (look_i) look_idx_q <= |look_match ? look_idx : free_idx;
    else if (!look_live_q && !look_dead_q) look_idx_q <= free_idx;
  end
  // A key that is live is not allocated: who sends it again and again keeps nobody waiting.
  assign a_wait_o = alloc_may_i && alloc_ready_o && !look_live_q && alloc_key == a_key_i;
  assign a_hit_o  = |a_match;
  assign a_same_o = |(a_match & c_at);
  always_comb begin
    a_idx_o = '0;
    for (int unsigned e = 0; e < N; e++) if (a_match[e]) a_idx_o = a_idx_o | IdxW'(e);
  end

  // ---- state ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      dead_q <= '0;
      busy_q <= '0;
      mark_q <= '0;
    end else begin
      live_q <= live & ~free_at;
      dead_q <= (dead_q | kill_at) & ~free_at;
      busy_q <= (busy_q | held_at) & ~release_at;
      mark_q <= (snap_i ? live & ~flush_q & ~dead_q : mark_q) & ~({N{c_free_i || c_kill_i}} & c_at);
    end
  end
  always_ff @(posedge clk_i) begin
    flush_q <= (flush_q & ~next_at) | ({N{alloc_i.flush}} & next_at);
    kill_q  <= ~next_at & (kill_q | reset_at);
    for (int unsigned e = 0; e < N; e++) begin
      if (next_at[e]) fresh_q[e] <= 1'b1;
      else if (c_write_i && c_idx_i == IdxW'(e)) fresh_q[e] <= 1'b0;
    end
  end
  assign drained_o = mark_q == '0;

  // ---- the next one to give out: chosen a cycle ahead, in each pool: NumPorts shares and what is common ----
  logic [NumPorts:0]          pool_valid_q, pool_taken;
  logic [(NumPorts+1)*IdxW-1:0] pool_idx_q;
  logic [N-1:0]               avail;
  assign avail = ~(busy_q | held_at);

  for (genvar k = 0; k <= NumPorts; k++) begin : gen_pool
    localparam int unsigned First = k * Share;
    localparam int unsigned Size = k == NumPorts ? N - First : Share;
    if (Size == 0) begin : gen_none
      logic unused_taken;
      assign unused_taken = pool_taken[k];
      assign pool_valid_q[k] = 1'b0;
      assign pool_idx_q[IdxW*k+:IdxW] = '0;
    end else begin : gen_some
      // The lowest bit alone by a subtraction: carries are faster than a chain of 32 choices.
      logic [Size-1:0] mine, lowest;
      logic [IdxW-1:0] pick, idx_q;
      logic            valid_q;
      assign mine = avail[First+:Size];
      assign lowest = mine & ~(mine - Size'(1));
      always_comb begin
        pick = '0;  // an if would be a late set or reset
        for (int unsigned e = 0; e < Size; e++) pick = pick | ({IdxW{lowest[e]}} & IdxW'(First + e));
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) valid_q <= 1'b0;
        else if (!valid_q || pool_taken[k]) valid_q <= |mine;
      end
      always_ff @(posedge clk_i) if (!valid_q || pool_taken[k]) idx_q <= pick;
      assign pool_valid_q[k] = valid_q;
      assign pool_idx_q[IdxW*k+:IdxW] = idx_q;
    end
  end

  always_comb begin
    free_valid = pool_valid_q[NumPorts];
    free_idx = pool_idx_q[IdxW*NumPorts+:IdxW];
    pool_taken = '0;
    pool_taken[NumPorts] = fire;
    for (int unsigned p = 0; p < NumPorts; p++) if (pool_valid_q[p] && alloc_i.port == 2'(p)) begin
      free_valid = 1'b1;
      free_idx = pool_idx_q[IdxW*p+:IdxW];
      pool_taken[NumPorts] = 1'b0;
      pool_taken[p] = fire;
    end
    held_at = '0;
    for (int unsigned k = 0; k <= NumPorts; k++)
      for (int unsigned e = 0; e < N; e++)
        if (pool_valid_q[k] && pool_idx_q[IdxW*k+:IdxW] == IdxW'(e)) held_at[e] = 1'b1;
  end

  // ---- contents ----
  localparam int unsigned StaticW = 16 + 2 + 1 + 5 + 13 + 7;
  logic [12:0] bytes, rem;
  logic [1:0]  start, pos;
  logic [9:0]  dw;
  logic        unlog, log0, fresh;
  logic [4:0]  log;

  cm_lutram #(
    .Width(StaticW),
    .Depth(N)
  ) u_static (
    .clk_i,
    .we_i(free_valid),
    .waddr_i(free_idx),
    .wdata_i({alloc_i.rid, alloc_i.port, alloc_i.logged, alloc_i.id.log, alloc_i.bytes, alloc_i.start[6:0]}),
    .raddr_i(b_idx_i),
    .rdata_o({b_rid_o, b_port_o, log0, log, bytes, b_start_o, start})
  );

  cm_lutram #(
    .Width(26),
    .Depth(N)
  ) u_moving (
    .clk_i,
    .we_i(c_write_i),
    .waddr_i(c_idx_i),
    .wdata_i({c_rem_i, c_pos_i, c_dw_i, c_unlog_i}),
    .raddr_i(b_idx_i),
    .rdata_o({rem, pos, dw, unlog})
  );

  always_comb begin
    fresh = 1'b0;
    b_ended_o = 1'b0;
    b_dead_o = 1'b0;
    for (int unsigned e = 0; e < N; e++) if (b_idx_i == IdxW'(e)) begin
      fresh = fresh_q[e];
      b_ended_o = dead_q[e] || kill_q[e] || reset_at[e];
      b_dead_o = dead_q[e];
    end
  end
  assign b_rem_o    = fresh ? bytes : rem;
  assign b_pos_o    = fresh ? start : pos;
  assign b_dw_o     = fresh ? 10'd0 : dw;
  assign b_log0_o   = Logs && log0;
  assign b_logged_o = b_log0_o && (fresh || !unlog);
  assign b_log_o    = Logs ? log : 5'd0;

  cm_lutram #(
    .Width(28),
    .Depth(N)
  ) u_flush (
    .clk_i,
    .we_i(free_valid),
    .waddr_i(free_idx),
    .wdata_i({alloc_key, alloc_i.port}),
    .raddr_i(qf_idx_i[IdxW-1:0]),
    .rdata_o(qf_o)
  );

  if (Logs) begin : gen_logs
    localparam int unsigned LogW = aa_pkg::EntryIdW + 2 * HostAddrW + 1 + 13 + 128;
    logic [LogW-1:0] word;
    cm_lutram #(
      .Width(LogW),
      .Depth(N)
    ) u_log (
      .clk_i,
      .we_i(free_valid),
      .waddr_i(free_idx),
      .wdata_i({alloc_i.id, alloc_i.addr, alloc_i.pad, alloc_i.pad_addr, alloc_i.pad_bytes, alloc_i.hdr}),
      .raddr_i(g_idx_i),
      .rdata_o(word)
    );
    always_comb begin
      g_o = '0;
      {g_o.id, g_o.addr, g_o.pad, g_o.pad_addr, g_o.pad_bytes, g_o.hdr} = word;
    end
  end else begin : gen_no_logs
    assign g_o = '0;
  end

  // ---- scanner: S1 reads, S2 judges, then one request waits ----
  logic [TimeW-1:0] now_q, born, age_q;
  logic            s_log0, s2_valid_q, s2_kill_q, s2_close_q, s2_dead_q, cl_valid_q, late, step, l_free_q;
  aa_pkg::tag_close_e cl_why_q;
  logic [4:0]      s_log;
  logic [15:0]     s_rid;
  logic [8:0]      fn_left_q;
  logic [IdxW-1:0] s_q, s2_idx_q, cl_idx_q, l_idx_q;
  logic            s_live, s_kill, s_dead;

  cm_lutram #(
    .Width(TimeW + 1 + 5 + 16),
    .Depth(N)
  ) u_scan (
    .clk_i,
    .we_i(free_valid),
    .waddr_i(free_idx),
    .wdata_i({now_q, alloc_i.logged, alloc_i.id.log, alloc_i.rid}),
    .raddr_i(s_q),
    .rdata_o({born, s_log0, s_log, s_rid})
  );

  always_comb begin
    s_live = 1'b0;
    s_kill = 1'b0;
    s_dead = 1'b0;
    for (int unsigned e = 0; e < N; e++) if (s_q == IdxW'(e)) begin
      s_live = live[e] && !flush_q[e];
      s_kill = kill_q[e];
      s_dead = dead_q[e];
    end
  end

  assign step = !cl_valid_q && !s2_valid_q;
  assign late = tmo_i != '0 && age_q >= (s2_dead_q ? {1'b0, tmo_i, 1'b0} : {2'b00, tmo_i});
  assign cl_valid_o = cl_valid_q;
  assign cl_idx_o = cl_idx_q;
  assign cl_why_o = cl_why_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q      <= '0;
      s_q        <= '0;
      s2_valid_q <= 1'b0;
      cl_valid_q <= 1'b0;
      l_free_q   <= 1'b0;
    end else begin
      now_q    <= now_q + TimeW'(1);
      l_free_q <= c_free_i;
      if (step) s_q <= s_q == IdxW'(N - 1) ? '0 : s_q + IdxW'(1);
      s2_valid_q <= step && s_live;
      // An entry that was freed meanwhile is none of ours any more.
      if (s2_valid_q) cl_valid_q <= (late || (!s2_dead_q && (s2_kill_q || s2_close_q))) &&
                                    !(l_free_q && l_idx_q == s2_idx_q) &&
                                    !(c_free_i && c_idx_i == s2_idx_q);
      else if (cl_ready_i || (c_free_i && c_idx_i == cl_idx_q)) cl_valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    l_idx_q    <= c_idx_i;
    s2_idx_q   <= s_q;
    s2_kill_q  <= s_kill || (fn_i && fn_left_q > 9'd4 && s_rid == fn_rid_i);
    s2_dead_q  <= s_dead;
    s2_close_q <= Logs && s_log0 && log_close_i[s_log];
    age_q      <= now_q - born;
    if (s2_valid_q) begin
      cl_idx_q  <= s2_idx_q;
      cl_why_q <= s2_dead_q ? aa_pkg::ClOver : late || s2_kill_q ? aa_pkg::ClEnd : aa_pkg::ClLog;
    end
  end

  // A whole round, and the steps in which its last request goes through aa_cpl.
  assign fn_pass_o = fn_i && fn_left_q == '0;
  always_ff @(posedge clk_i) begin
    if (!fn_i) fn_left_q <= 9'(N + 4);
    else if (step && fn_left_q != '0) fn_left_q <= fn_left_q - 9'd1;
  end

  logic unused;
  assign unused = ^{qf_idx_i, alloc_i};

`ifdef FORMAL
`include "aa_tag_buf_props.svh"
`endif

endmodule

`default_nettype wire
