// SPDX-License-Identifier: Apache-2.0
// aa_log_ptr: pointers of the access logs: reserve at the decision, publish in order, consume by register.
//
//            reserve                     done (put, get)                     LP_CONS
//   rsvd += pad + entry, slot taken --> done bit of the slot --> oldest slot done: prod += size, slot free    cons
//
// Rings are multiples of 16 bytes, so rsvd and prod are kept in units of 16. With off = rsvd mod ring, an entry crosses
// the end if off + bytes > ring (then pad = ring - off, and it can only fit if bytes <= off). Since cons is at most one
// lap behind, one bit tells whether rsvd and cons are in the same lap, and
//   no pad: fits  <=>  same lap, or bytes <= cons mod ring - off
//   pad:    fits  <=>  same lap and bytes <= cons mod ring
// are the same as pad + entry <= 2^SIZE - (rsvd - cons), with one carry chain. A decision waits for all of this: what
// is compared is at most one adder away from the pointers, and these are in registers: the log of the next decision is
// known a cycle ahead (next_log_i), and its pointers are read then, with what this cycle does to them.
//
// P1  rsv_never_o, rsv_space_o, rsv_pad*, rsv_addr_o, rsv_id_o say what the specification says, for the pointers as
//     they are before anything else that happens in the cycle. (Not before the first next_i after the log opened: no
//     decision is there yet.)
// P2  cons <= prod <= rsvd <= cons + 2^SIZE (free-running) for every open log.
// P3  Publishes are in reservation order of their log, each of an entry that is done; a log whose oldest entry is not
//     done delays no other log. At most one publish a cycle, none while a register write is on its way (rb_busy_i).
// P4  LP_CONS takes a value iff cons <= value <= prod; otherwise BAD is set and err_valid_o raised. What is to be
//     written is on the bus in the cycle before, which is no write (env_setup).
// P5  off_valid_o: a closing log has published all of its entries.
// P6  A log whose entry could not be written (fail_entry_valid_i) has stopped: nothing of it is published or reserved
//     from the next cycle on, its entries only free their slots; FAILED says so until it is opened anew.
//     fail_ptr_valid_i sets PTRERR. alarm_valid_o: one of the two rises. Nothing is published while stop_i.
// P7  rb_rdata_o is the word whose address was on the bus in the cycle before, as it is now; lp_sel_o, lp_log_o are of
//     now.
//
// Rate: one reservation and one publish a cycle, also of one log. Latency: done to publish 2.
// Cost: 161 flip-flops; a log LogDepth + 6 + log2 LogDepth more; pointers, slot numbers and sizes in LUT RAM.
// One file: P2 and P3 are one invariant over the pointers of a log, which reserve, publish and consume all move.
// Rules of README.md: LOG-1, LOG-3, LOG-6, LOG-7, ERR-2, DUE-3.
`default_nettype none

module aa_log_ptr #(
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Register bus: LP_*
  input  wire cm_pkg::reg_bus_t              rb_i,
  input  wire logic                          rb_busy_i,  // in the cycle of a write, and the one before (env_busy)
  output logic      [63:0]                   rb_rdata_o,
  output logic                               lp_sel_o,
  output logic      [4:0]                    lp_log_o,
  input  wire logic [9:0]                    lp_iuid_i,

  // Table
  input  wire logic [NumLogs-1:0]            open_i,
  input  wire logic [NumLogs-1:0]            closing_i,
  input  wire logic                          open_event_valid_i,
  input  wire logic [4:0]                    open_event_log_i,
  input  wire logic [47:6]                   rsv_base_i,
  input  wire logic [29:4]                   next_mask_i,  // 2^SIZE - 1

  // Reserve
  input  wire logic                          next_i,
  input  wire logic [4:0]                    next_log_i,  // with next_i, rsv_log_i of the next cycle; else it stays
  input  wire logic [4:0]                    rsv_log_i,
  input  wire logic [8:0]                    rsv_units_i,  // of 16 bytes that follow the entry's header, 0 to 256
  output logic                               rsv_never_o,
  output logic                               rsv_space_o,
  output aa_pkg::entry_id_t                  rsv_id_o,
  output logic      [aa_pkg::HostAddrW-1:0]  rsv_addr_o,
  output logic                               rsv_pad_o,
  output logic      [aa_pkg::HostAddrW-1:0]  rsv_pad_addr_o,
  output logic      [12:0]                   rsv_pad_bytes_o,
  output logic      [31:0]                   rsv_ptr_o,
  input  wire logic                          rsv_take_i,   // reserves, if rsv_space_o; only with next_i
  input  wire logic                          lost_i,
  output logic                               rsv_failed_o,  // its log has stopped: rsv_space_o is low

  // Done, aborted
  input  wire logic [1:0]                    done_valid_i,
  output logic      [1:0]                    done_ready_o,  // one a cycle, fairly: no more than that is published
  input  wire logic [2*aa_pkg::EntryIdW-1:0] done_id_i,
  input  wire logic                          abort_valid_i,
  input  wire logic [4:0]                    abort_log_i,

  // Error responses (aa_axi_err)
  input  wire logic                          stop_i,           // one is being recorded
  input  wire logic                          fail_entry_valid_i,
  input  wire logic                          fail_ptr_valid_i,
  input  wire logic [4:0]                    fail_log_i,
  output logic      [NumLogs-1:0]            failed_o,
  output logic                               alarm_valid_o,    // of fail_log_i

  // Publish
  output logic                               pub_valid_o,
  output logic      [4:0]                    pub_log_o,
  output logic      [31:0]                   pub_prod_o,
  output logic      [13:0]                   pub_bytes_o,

  // Consumer, error
  output logic                               cons_event_valid_o,
  output logic      [4:0]                    cons_event_log_o,
  output logic      [31:0]                   cons_event_o,
  output logic                               err_valid_o,
  output aa_pkg::err_t                       err_o,

  // Queries
  input  wire logic [4:0]                    qry_log_i,
  output logic      [31:0]                   qry_prod_o,
  output logic      [31:0]                   qry_cons_o,
  input  wire logic [4:0]                    qry2_log_i,
  output logic      [31:0]                   qry2_prod_o,
  output logic      [31:0]                   qry2_cons_o,

  // Tear-down complete
  output logic                               off_valid_o,
  output logic      [4:0]                    off_log_o,
  input  wire logic                          off_ready_i
);

  if (NumLogs < 1 || NumLogs > 32) begin : gen_bad_num_logs $error("aa_log_ptr: NumLogs must be 1 to 32"); end
  if (LogDepth < 1 || LogDepth > 32 || (LogDepth & (LogDepth - 1)) != 0) begin : gen_bad_log_depth
    $error("aa_log_ptr: LogDepth must be a power of two, 1 to 32");
  end

  localparam int unsigned AddrW = NumLogs > 1 ? $clog2(NumLogs) : 1;
  localparam int unsigned SlotW = $clog2(LogDepth);
  localparam int unsigned CntW = SlotW + 1;               // slot counters: a lap bit above the slot
  localparam int unsigned Slots = NumLogs * LogDepth;
  localparam int unsigned SizeAddrW = Slots > 1 ? $clog2(Slots) : 1;
  localparam int unsigned P = 28;                         // a pointer in units of 16 bytes
  localparam int unsigned U = 9;                          // an entry in units of 16 bytes, 1..257

  // ---- storage --------------------------------------------------------------------------------------------------
  logic [P-1:0]     d2_rsvd_q, rsvd_d, rsvd_rd, prod, prod_d, prod_rb, prod_rd, prod_wdata, rsvd_wdata;
  logic [31:0]      cons_rb, cons_rd, cons_d, cons_wdata;
  logic [CntW-1:0]  d2_wcnt_q, wcnt_off, wcnt_wdata, open_rcnt;
  logic [U:0]       size_d, size;
  logic [AddrW-1:0] next_a, rb_a, rd_a, pub_a, ptr_waddr, prod_waddr, cons_waddr;
  logic             commit, rsvd_we, prod_we, cons_we, cons_ok;

  logic             s1_valid_q;  // the log that publishes in this cycle, or waits for the register bus
  logic [4:0]       s1_log_q, off_log_q, lp_log_q;
  logic [SizeAddrW-1:0] s1_slot_q, rsv_slot;

  assign next_a     = next_log_i[AddrW-1:0];
  assign rb_a       = lp_log_o[AddrW-1:0];
  assign rd_a       = lp_log_q[AddrW-1:0];
  assign pub_a      = s1_log_q[AddrW-1:0];
  assign ptr_waddr  = open_event_valid_i ? open_event_log_i[AddrW-1:0] : rsv_log_i[AddrW-1:0];
  assign prod_waddr = open_event_valid_i ? open_event_log_i[AddrW-1:0] : pub_a;
  assign cons_waddr = open_event_valid_i ? open_event_log_i[AddrW-1:0] : rd_a;
  assign rsvd_we    = open_event_valid_i || commit;
  assign prod_we    = open_event_valid_i || pub_valid_o;
  assign cons_we    = open_event_valid_i || cons_event_valid_o;
  assign rsvd_wdata = open_event_valid_i ? '0 : rsvd_d;
  assign prod_wdata = open_event_valid_i ? '0 : prod_d;
  assign cons_wdata = open_event_valid_i ? '0 : cons_d;
  assign wcnt_wdata = open_event_valid_i ? open_rcnt : d2_wcnt_q + CntW'(1);

  // Written in one place each and read in several: Yosys makes a LUT RAM for each reader. Arrays and not cm_lutram,
  // since the invariants that the theorems need speak of their words.
  logic [P-1:0]    rsvd_q [NumLogs];
  logic [CntW-1:0] wcnt_q [NumLogs];
  logic [P-1:0]    prod_q [NumLogs];
  logic [31:0]     cons_q [NumLogs];
  logic [U:0]      size_q [Slots];

  always_ff @(posedge clk_i) begin
    if (rsvd_we) begin
      rsvd_q[ptr_waddr] <= rsvd_wdata;
      wcnt_q[ptr_waddr] <= wcnt_wdata;
    end
    if (prod_we) prod_q[prod_waddr] <= prod_wdata;
    if (cons_we) cons_q[cons_waddr] <= cons_wdata;
    if (commit) size_q[rsv_slot] <= size_d;
  end

  // 2^SIZE: this bit of a pointer tells the laps apart.
  function automatic logic [26:0] ring(input logic [25:0] mask);
    ring = ~{1'b0, mask} & {mask, 1'b1};
  endfunction

  // Of the log of the next decision: what is written to its words now counts. While the decision waits, nothing is
  // reserved, but a consumer pointer may come. Whether this decision reserves is known last of all. So what follows is
  // chosen without it: if the next decision is of the same log, its words are here already, and they are as this one's
  // would make them, or stay. `kept_q` says that they are here: a log that is opened is read anew.
  logic         kept_q, again, told;  // again: the next decision's words are kept; told: this cycle's consumer is its
  logic         load;
  logic [P-1:0] next_rsvd;
  logic [31:0]  next_cons;
  assign again     = kept_q && rsv_log_i == next_log_i;
  assign load      = commit || (next_i && !again);
  assign told      = cons_event_valid_o && lp_log_q == next_log_i;
  assign next_rsvd = again ? rsvd_d : rsvd_q[next_a];
  assign next_cons = told ? cons_d : cons_q[next_a];
  always_ff @(posedge clk_i) begin
    kept_q <= rst_ni && (next_i || kept_q) &&
              !(open_event_valid_i && open_event_log_i == (next_i ? next_log_i : rsv_log_i));
    if (load) begin
      d2_rsvd_q <= next_rsvd;
      d2_wcnt_q <= again ? d2_wcnt_q + CntW'(1) : wcnt_q[next_a];
      d2_off_q  <= next_rsvd[25:0] & next_mask_i;
      d2_left_q <= ~next_rsvd[25:0] & next_mask_i;
      d2_lap_q  <= next_rsvd[26:0] & ring(next_mask_i);
    end
    if (next_i) begin
      d2_mask_q     <= P'(next_mask_i);
      d2_cons_off_q <= next_cons[29:4] & next_mask_i;
      d2_cons_lap_q <= next_cons[30:4] & ring(next_mask_i);
    end else if (cons_event_valid_o && lp_log_q == rsv_log_i) begin
      d2_cons_off_q <= cons_d[29:4] & d2_mask_q[25:0];
      d2_cons_lap_q <= cons_d[30:4] & ring(d2_mask_q[25:0]);
    end
  end

  assign prod        = prod_q[pub_a];
  assign size        = size_q[s1_slot_q];
  assign wcnt_off    = wcnt_q[off_log_q[AddrW-1:0]];
  assign rsvd_rd     = rsvd_q[rd_a];
  assign prod_rd     = prod_q[rd_a];
  assign cons_rd     = cons_q[rd_a];
  assign prod_rb     = prod_q[rb_a];
  assign cons_rb     = cons_q[rb_a];
  assign qry_prod_o  = {prod_q[qry_log_i[AddrW-1:0]], 4'd0};
  assign qry_cons_o  = cons_q[qry_log_i[AddrW-1:0]];
  assign qry2_prod_o = {prod_q[qry2_log_i[AddrW-1:0]], 4'd0};
  assign qry2_cons_o = cons_q[qry2_log_i[AddrW-1:0]];
  assign rsv_slot    = SizeAddrW'(32'(rsv_log_i) * LogDepth + 32'(rsv_id_o.slot));

  // ---- reserve --------------------------------------------------------------------------------------------------
  logic [U-1:0] less1;          // units of the entry, minus 1: compares with < and > need no more
  logic [P-1:0] d2_mask_q;      // bits inside the ring, units of 16; 2^SIZE is 2^30 at most
  logic [25:0]  d2_off_q, d2_cons_off_q;
  logic [25:0]  d2_left_q;      // units from rsvd to the end of the ring, minus 1
  logic [26:0]  d2_lap_q, d2_cons_lap_q;  // the bit that tells the laps apart, in its place, of rsvd and of cons
  logic [27:0]  not_off, not_units, gap_sum, gap_carry;  // added without carries first:
  logic [27:0]  gap;            // cons_off - off - units, negative with bit 27
  logic [P-1:0] straight, lap;  // rsvd without, with a pad
  logic [U-1:0] room;           // to the end of the ring, where it matters
  logic [1:0]   unused_sum;
  logic         same_lap, wraps, fits_off, fits_gap, fits_cons, full;

  assign less1     = rsv_units_i;
  assign not_off   = {2'b11, ~d2_off_q};
  assign not_units = {19'h7FFFF, ~less1};
  assign gap_sum   = {2'b00, d2_cons_off_q} ^ not_off ^ not_units;
  assign gap_carry = ({2'b00, d2_cons_off_q} & not_off) | (({2'b00, d2_cons_off_q} | not_off) & not_units);
  // Two's complements want a 1 each; one of them is the 1 of less1.
  assign gap       = gap_sum + {gap_carry[26:0], 1'b1};
  assign wraps     = d2_left_q[25:U] == '0 && d2_left_q[U-1:0] < less1;
  assign fits_off  = d2_off_q[25:U] != '0 || d2_off_q[U-1:0] > less1;
  assign fits_gap  = !gap[27];
  assign fits_cons = d2_cons_off_q[25:U] != '0 || d2_cons_off_q[U-1:0] > less1;
  assign room      = U'(~d2_off_q + 26'd1) & d2_mask_q[U-1:0];
  assign {straight, unused_sum[0]} = {d2_rsvd_q, 1'b1} + {P'(less1), 1'b1};
  assign lap       = (d2_rsvd_q | d2_mask_q) + P'(1);

  assign same_lap  = d2_lap_q == d2_cons_lap_q;

  assign full = |(full_q & (NumLogs'(1) << rsv_log_i));  // a log that has stopped is full

  assign rsv_never_o     = wraps && !fits_off;
  assign rsv_space_o     = !full && (wraps ? fits_off && same_lap && fits_cons : same_lap || fits_gap);
  assign commit          = rsv_take_i && rsv_space_o;
  assign rsv_pad_o       = wraps;
  assign rsv_pad_bytes_o = {room, 4'd0};
  assign rsv_pad_addr_o  = {rsv_base_i, 6'd0} | 48'({d2_off_q, 4'd0});
  assign rsv_addr_o      = {rsv_base_i, 6'd0} | (wraps ? 48'd0 : 48'({d2_off_q, 4'd0}));
  assign rsv_ptr_o       = {d2_rsvd_q, 4'd0};
  assign rsv_id_o        = {rsv_log_i, SlotW == 0 ? 5'd0 : 5'(d2_wcnt_q) & 5'(LogDepth - 1)};
  assign rsvd_d          = wraps ? lap | (P'(less1) + P'(1)) : straight;
  assign {size_d, unused_sum[1]} = {(U + 1)'(less1), 1'b1} + {wraps ? (U + 1)'(room) : (U + 1)'(0), 1'b1};

  // ---- done and publish -----------------------------------------------------------------------------------------
  // A done bit toggles once a lap of the slots: a slot is done when its bit differs from the lap bit of the read
  // counter.
  logic [Slots-1:0]        done_q;
  logic [NumLogs*CntW-1:0] rcnt_q;
  logic [NumLogs-1:0]      ready_q, pick;
  logic [AddrW-1:0]        pick_log;
  logic                    pick_valid, s1_take, s1_failed, s1_dead;
  logic [SizeAddrW-1:0]    pick_slot;
  logic                    done_turn_q, done;
  logic [4:0]              done_log, done_slot;

  assign done_ready_o = {!done_valid_i[0] || done_turn_q, !done_valid_i[1] || !done_turn_q};
  assign done         = |done_valid_i;
  assign {done_log, done_slot} = done_valid_i[1] && done_ready_o[1] ? done_id_i[aa_pkg::EntryIdW+:aa_pkg::EntryIdW] :
                                                                     done_id_i[0+:aa_pkg::EntryIdW];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q      <= '0;
      done_turn_q <= 1'b0;
    end else begin
      if (done) done_turn_q <= done_ready_o[0] && done_valid_i[0];
      for (int unsigned l = 0; l < NumLogs; l++)
        for (int unsigned s = 0; s < LogDepth; s++)
          done_q[LogDepth*l+s] <= done_q[LogDepth*l+s] ^ (done && done_log == 5'(l) && done_slot == 5'(s));
    end
  end

  // Known at the beginning of the cycle: the oldest slot's bit is looked up when it becomes the oldest, and heard from
  // then on.
  logic [NumLogs-1:0]      ready_next;   // of the slot after the oldest
  logic [NumLogs*CntW-1:0] rcnt_next;
  always_comb begin
    for (int unsigned l = 0; l < NumLogs; l++) begin
      rcnt_next[CntW*l+:CntW] = rcnt_q[CntW*l+:CntW] + CntW'(1);
      ready_next[l] = 1'b0;
      for (int unsigned s = 0; s < LogDepth; s++)
        if ((32'(rcnt_next[CntW*l+:CntW]) & (LogDepth - 1)) == s)
          ready_next[l] = done_q[LogDepth*l+s] != rcnt_next[CntW*l+SlotW];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (!rst_ni) ready_q[l] <= 1'b0;
      else if (s1_take && pick[l])
        ready_q[l] <= ready_next[l] ||
            (done && done_log == 5'(l) && done_slot == (5'(rcnt_next[CntW*l+:CntW]) & 5'(LogDepth - 1)));
      else if (done && done_log == 5'(l) && done_slot == (5'(rcnt_q[CntW*l+:CntW]) & 5'(LogDepth - 1)))
        ready_q[l] <= 1'b1;
    end
  end

  cm_rr_arb #(
    .N(NumLogs)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(ready_q),
    .advance_i(s1_take),
    .valid_o(pick_valid),
    .gnt_o(pick),
    .idx_o(pick_log)
  );

  assign s1_take = !s1_valid_q || pub_valid_o || s1_dead;

  always_comb begin
    pick_slot = '0;
    open_rcnt = '0;
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (pick[l])
        pick_slot = pick_slot | SizeAddrW'(LogDepth * l + (32'(rcnt_q[CntW*l+:CntW]) & (LogDepth - 1)));
      if (open_event_log_i == 5'(l)) open_rcnt = rcnt_q[CntW*l+:CntW];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s1_valid_q <= 1'b0;
      rcnt_q     <= '0;
    end else begin
      if (s1_take) s1_valid_q <= pick_valid;
      for (int unsigned l = 0; l < NumLogs; l++)
        if (s1_take && pick[l]) rcnt_q[CntW*l+:CntW] <= rcnt_next[CntW*l+:CntW];
    end
  end

  always_ff @(posedge clk_i) begin
    if (s1_take) begin
      s1_log_q  <= 5'(pick_log);
      s1_slot_q <= pick_slot;
    end
  end

  // Whether all slots of a log are taken: rsv_space_o has no time to count. One that is taken now may be the last.
  logic [NumLogs-1:0] full_q, takes, frees, fails, opens;
  logic [CntW-1:0]    rsv_rcnt;
  logic               last;
  always_comb begin
    rsv_rcnt = '0;
    for (int unsigned l = 0; l < NumLogs; l++) if (rsv_log_i == 5'(l)) rsv_rcnt = rsv_rcnt | rcnt_q[CntW*l+:CntW];
  end
  assign takes = commit ? NumLogs'(1) << rsv_log_i : '0;
  assign frees = pub_valid_o ? NumLogs'(1) << s1_log_q : '0;
  assign fails = fail_entry_valid_i ? NumLogs'(1) << fail_log_i : '0;
  assign opens = open_event_valid_i ? NumLogs'(1) << open_event_log_i : '0;
  assign last  = d2_wcnt_q + CntW'(1) + CntW'(s1_valid_q && s1_log_q == rsv_log_i) == rsv_rcnt + CntW'(LogDepth);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_q <= '0;
    else full_q <= ((~frees & ((takes & {NumLogs{last}}) | full_q)) | fails) & ~opens;
  end

  // LP_CONS is checked a cycle before it is written, against the right producer: nothing is published since.
  // What is left of a log that has stopped goes without a word.
  assign s1_failed   = |(failed_q & (NumLogs'(1) << s1_log_q));
  assign s1_dead     = s1_valid_q && s1_failed;
  assign pub_valid_o = s1_valid_q && !s1_failed && !rb_busy_i && !stop_i;
  assign pub_log_o   = s1_log_q;
  assign prod_d      = prod + P'(size);
  assign pub_prod_o  = {prod_d, 4'd0};
  assign pub_bytes_o = {size, 4'd0};

  // ---- tear-down: look at one closing log after the other ---------------------------------------------------------
  logic off_closing;
  logic [CntW-1:0] off_rcnt;
  always_comb begin
    off_closing = 1'b0;
    off_rcnt    = '0;
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (off_log_q == 5'(l)) begin
        off_closing = closing_i[l];
        off_rcnt    = rcnt_q[CntW*l+:CntW];
      end
    end
  end

  assign off_valid_o = off_closing && wcnt_off == off_rcnt && !(s1_valid_q && s1_log_q == off_log_q);
  assign off_log_o   = off_log_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) off_log_q <= '0;
    else if (!off_valid_o || off_ready_i) off_log_q <= 32'(off_log_q) == NumLogs - 1 ? '0 : off_log_q + 5'd1;
  end

  // ---- registers ------------------------------------------------------------------------------------------------
  logic [NumLogs-1:0] known_q, bad_q, lost_q, aborted_q, failed_q, ptrerr_q;
  logic [NumLogs-1:0] lp_here;
  logic               lp_known, rd_known, lp_write, abort_q, lose_q;
  logic [4:0]         abort_log_q, lose_log_q;
  logic [3:0]         lp_sel;
  aa_reg_pkg::lp_sts_t sts, wr;

  assign lp_log_o = aa_reg_pkg::idx_LP_PROD(rb_i.addr);
  assign lp_sel   = {4{32'(lp_log_o) < NumLogs}} &
                    {aa_reg_pkg::at_LP_STS(rb_i.addr), aa_reg_pkg::at_LP_RSVD(rb_i.addr),
                     aa_reg_pkg::at_LP_CONS(rb_i.addr), aa_reg_pkg::at_LP_PROD(rb_i.addr)};
  assign lp_sel_o = |lp_sel;

  // The address has been on the bus for a cycle before anything is read or written: what it selects waits in registers.
  logic [3:0] lp_sel_q;  // LP_PROD, LP_CONS, LP_RSVD, LP_STS
  always_ff @(posedge clk_i) begin
    lp_log_q <= lp_log_o;
    lp_sel_q <= lp_sel;
  end

  always_comb begin
    lp_known = 1'b0;
    for (int unsigned l = 0; l < NumLogs; l++) begin
      lp_here[l] = lp_log_q == 5'(l);
      if (lp_log_o == 5'(l)) lp_known = known_q[l];
    end
  end
  assign rd_known = |(known_q & lp_here);

  always_comb begin
    sts         = '0;
    sts.EN      = |(open_i & lp_here);
    sts.PTRERR  = |(ptrerr_q & lp_here);
    sts.FAILED  = |(failed_q & lp_here);
    sts.ABORTED = |(aborted_q & lp_here) || (abort_q && abort_log_q == lp_log_q);
    sts.LOST    = |(lost_q & lp_here) || (lose_q && lose_log_q == lp_log_q);
    sts.BAD     = |(bad_q & lp_here);
  end
  assign rb_rdata_o = (lp_sel_q[0] && rd_known ? 64'({prod_rd, 4'd0}) : '0) |
                      (lp_sel_q[1] && rd_known ? 64'(cons_rd) : '0) |
                      (lp_sel_q[2] && rd_known ? 64'({rsvd_rd, 4'd0}) : '0) | (lp_sel_q[3] ? sts : '0);

  // Consumer: accepted iff cons <= new <= prod. A log that was never opened has cons = prod = 0.
  assign cons_d = 32'(cm_pkg::merge(rb_i.wstrb, rb_i.wdata, lp_known ? 64'(cons_rb) : '0));
  // How far the write goes, and how far it may, are made in the cycle before: from the address as it comes.
  logic [31:0] step_q, left_q;
  logic        zero_q, lp_known_q;
  always_ff @(posedge clk_i) begin
    lp_known_q <= lp_known;
    zero_q <= cons_d == '0;
    step_q <= cons_d - cons_rb;
    left_q <= {prod_rb, 4'd0} - cons_rb;
  end

  assign lp_write           = rb_i.we && lp_sel_q[1] && rb_i.wstrb[3:0] != '0;
  assign cons_ok            = lp_known_q ? step_q <= left_q : zero_q;
  assign cons_event_valid_o = lp_write && cons_ok;
  assign cons_event_log_o   = lp_log_q;
  assign cons_event_o       = cons_d;
  assign err_valid_o        = lp_write && !cons_ok;
  always_comb begin
    err_o      = '0;
    err_o.code = aa_pkg::ErrConsumer;
    err_o.iuid = lp_iuid_i;
    err_o.addr = 64'(cons_d);
  end

  logic unused_bits;  // upper log bits with few logs; sizes are multiples of 16; rings are shorter than pointers
  assign unused_bits = &{wr, qry_log_i, qry2_log_i, next_cons[31], next_cons[3:0], gap[26:0], gap_carry[27],
                         unused_sum};

  // What happens in the cycle of a register write happens before it, so clearing wins.
  // Aborts and losses are told late and wait a cycle; a write clears what waits or is just told.
  logic clr_sts;
  assign clr_sts = rb_i.we && lp_sel_q[3];
  assign wr      = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, '0);  // a bit without its strobe is no 1
  always_ff @(posedge clk_i) begin
    abort_q     <= rst_ni && abort_valid_i && !(clr_sts && wr.ABORTED && abort_log_i == lp_log_q) &&
                   !(open_event_valid_i && abort_log_i == open_event_log_i);
    abort_log_q <= abort_log_i;
    lose_q      <= rst_ni && lost_i && !(clr_sts && wr.LOST && rsv_log_i == lp_log_q) &&
                   !(open_event_valid_i && rsv_log_i == open_event_log_i);
    lose_log_q  <= rsv_log_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q   <= '0;
      bad_q     <= '0;
      lost_q    <= '0;
      aborted_q <= '0;
      failed_q  <= '0;
      ptrerr_q  <= '0;
    end else begin
      for (int unsigned l = 0; l < NumLogs; l++) begin
        if (err_valid_o && lp_here[l]) bad_q[l] <= 1'b1;
        if (lose_q && lose_log_q == 5'(l)) lost_q[l] <= 1'b1;
        if (abort_q && abort_log_q == 5'(l)) aborted_q[l] <= 1'b1;
        if (fails[l]) failed_q[l] <= 1'b1;
        if (fail_ptr_valid_i && fail_log_i == 5'(l)) ptrerr_q[l] <= 1'b1;
        if (clr_sts && lp_here[l]) begin
          if (wr.BAD) bad_q[l] <= 1'b0;
          if (wr.LOST) lost_q[l] <= 1'b0;
          if (wr.ABORTED) aborted_q[l] <= 1'b0;
          if (wr.PTRERR) ptrerr_q[l] <= 1'b0;
        end
        if (open_event_valid_i && open_event_log_i == 5'(l)) begin
          known_q[l]   <= 1'b1;
          bad_q[l]     <= 1'b0;
          lost_q[l]    <= 1'b0;
          aborted_q[l] <= 1'b0;
          failed_q[l]  <= 1'b0;
          ptrerr_q[l]  <= 1'b0;
        end
      end
    end
  end

  logic [NumLogs-1:0] fail_here;
  assign fail_here     = NumLogs'(1) << fail_log_i;
  assign failed_o      = failed_q & open_i;
  assign rsv_failed_o  = |(failed_q & (NumLogs'(1) << rsv_log_i));
  assign alarm_valid_o = (fail_entry_valid_i && (failed_q & fail_here) == '0) ||
                         (fail_ptr_valid_i && (ptrerr_q & fail_here) == '0);

`ifdef FORMAL
`include "aa_log_ptr_props.svh"
`endif

endmodule

`default_nettype wire
