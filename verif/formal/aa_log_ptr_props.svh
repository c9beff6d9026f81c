// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log_ptr, for any log f_log. Its table entry is played by the environment (aa_log_table keeps these
// rules): size fixed while it is open, reservations only while it is open and not closing. f_done_q says which slots
// are done.
`include "fv.svh"
// Rules of README.md: LOG-1, LOG-3, LOG-6, LOG-7, ERR-2.
  `FV_INIT
  `FV_ANYCONST(f_any, 5)
  `FV_BELOW(def_log, f_any, NumLogs)
  `FV_SEES(f_lp_sel, 1, lp_sel_o)
  `FV_SEES(f_off_valid, 1, off_valid_o)
  `FV_SEES(f_off_log, 5, off_log_o)
  logic                f_sized_q;       // the ring's size is known: it is learnt from the first look at an open log
  `FV_ANYSEQ(f_follow, 1)

  logic [4:0]          f_log;
  logic [31:0]         f_mask_q, f_mask_in;  // bytes of the ring, minus 1
  logic [4:0]          f_next_q;        // the log that rsv_log_i has to be now
  logic                f_read_q;        // its pointers have been read since it opened
  logic                f_ends;          // it ends, or opens, in this cycle
  logic                f_rsv;           // rsv_log_i is f_log, and what was read of it counts
  logic [AddrW-1:0]    f_a;
  logic                f_open_q, f_here, f_take;
  logic [LogDepth-1:0] f_done_q, f_bit, f_live;
  logic [CntW-1:0]     f_cnt, f_rcnt;
  logic                f_fl;         // an entry of f_log is between slot and producer
  logic [P-1:0]        f_sum;        // units reserved and not published
  logic                f_sizes_ok;
  logic [31:0]         f_used, f_ring, f_off, f_cons_off, f_pad, f_bytes, f_rsvd;
  logic                f_it_q;       // one reservation is followed: its slot and size
  logic [4:0]          f_it_slot_q;
  logic [U:0]          f_it_size_q;

  assign f_log  = 32'(f_any) < NumLogs ? f_any : 5'd0;
  assign f_a    = f_log[AddrW-1:0];
  assign f_rcnt = rcnt_q[CntW*f_log+:CntW];
  assign f_cnt  = wcnt_q[f_a] - f_rcnt;
  assign f_fl   = s1_valid_q && s1_log_q == f_log;
  assign f_take = s1_take && pick[f_a];
  assign f_rsvd = {rsvd_q[f_a], 4'd0};
  assign f_used = f_rsvd - cons_q[f_a];
  assign f_ring = f_mask_q + 32'd1;

  always_comb begin
    f_sum      = f_fl ? P'(size_q[s1_slot_q]) : '0;
    f_sizes_ok = !f_fl || (size_q[s1_slot_q] != '0 && size_q[s1_slot_q] <= (U + 1)'(513));
    for (int unsigned s = 0; s < LogDepth; s++) begin
      // The counter value that slot s stands for: the next one from f_rcnt on
      f_bit[s]  = done_q[LogDepth*32'(f_log)+s] != ((s >= (32'(f_rcnt) & (LogDepth - 1))) ?
                                                    f_rcnt[SlotW] : !f_rcnt[SlotW]);
      f_live[s] = ((s - 32'(f_rcnt)) & (LogDepth - 1)) < 32'(f_cnt);
      if (f_live[s]) begin
        f_sum = f_sum + P'(size_q[LogDepth*32'(f_log)+s]);
        if (size_q[LogDepth*32'(f_log)+s] == '0 || size_q[LogDepth*32'(f_log)+s] > (U + 1)'(513)) f_sizes_ok = 1'b0;
      end
    end
  end

  // Entries that are reserved and not done, by their slots.
  logic [LogDepth-1:0] f_out_q;
  aa_pkg::entry_id_t   f_id0, f_id1;
  assign f_id0 = done_id_i[0+:aa_pkg::EntryIdW];
  assign f_id1 = done_id_i[aa_pkg::EntryIdW+:aa_pkg::EntryIdW];
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < LogDepth; s++) begin
      if (!rst_ni) f_out_q[s] <= 1'b0;
      else if (rsv_take_i && rsv_space_o && rsv_log_i == f_log && 32'(rsv_id_o.slot) == s) f_out_q[s] <= 1'b1;
      else if ((done_valid_i[0] && done_ready_o[0] && f_id0.log == f_log && 32'(f_id0.slot) == s) ||
               (done_valid_i[1] && done_ready_o[1] && f_id1.log == f_log && 32'(f_id1.slot) == s)) f_out_q[s] <= 1'b0;
    end
  end

  assign f_here = done && done_log == f_log;
  assign f_ends = (f_off_valid && off_ready_i && f_off_log == f_log) ||
                  (open_event_valid_i && open_event_log_i == f_log);
  assign f_rsv  = rsv_log_i == f_log && f_read_q;

  logic [17+64+8-1:0] f_bus, f_bus_q;
  logic f_we_q, f_busy_q;
  localparam logic [7:0] FPage = 8'(aa_reg_pkg::RegLP_PROD >> 12);  // a log has a page of its own, from this one on
  localparam logic [1:0] FProd = 2'(aa_reg_pkg::RegLP_PROD >> 3), FCons = 2'(aa_reg_pkg::RegLP_CONS >> 3),
                         FRsvd = 2'(aa_reg_pkg::RegLP_RSVD >> 3), FSts = 2'(aa_reg_pkg::RegLP_STS >> 3);
  logic [19:3] f_was;  // the address a cycle ago
  logic [4:0]  f_was_log;
  logic        f_was_lp;
  assign f_was     = f_bus_q[17+64+8-1-:17];
  assign f_was_log = 5'(f_was[19:12] - FPage);
  assign f_was_lp  = f_was[19:12] >= FPage && 32'(f_was[19:12]) < 32'(FPage) + NumLogs && f_was[11:5] == 7'd0;
  assign f_bus = {rb_i.addr, rb_i.wdata, rb_i.wstrb};
  always_ff @(posedge clk_i) begin
    f_bus_q <= f_bus;
    f_we_q  <= rb_i.we;
    f_busy_q <= rb_busy_i;
  end
  assign f_mask_in = 32'({next_mask_i, 4'd15});

  // A ring of 2^SIZE bytes, SIZE 6 to 30.
  function automatic logic f_ring_mask(input logic [31:0] mask);
    f_ring_mask = (mask & (mask + 32'd1)) == '0 && mask >= 32'h3F && mask < 32'h4000_0000;
  endfunction

  // ABORTED and LOST as the specification has them: known at once.
  logic f_aborted_q, f_lost_q, f_failed_q, f_ptrerr_q, f_clear, f_opens;
  aa_reg_pkg::lp_sts_t f_w_sts, f_sts;
  assign f_w_sts = rb_i.wdata;
  always_comb begin
    f_sts         = '0;
    f_sts.EN      = open_i[f_a];
    f_sts.PTRERR  = f_ptrerr_q;
    f_sts.FAILED  = f_failed_q;
    f_sts.ABORTED = f_aborted_q;
    f_sts.LOST    = f_lost_q;
    f_sts.BAD     = bad_q[f_a];
  end
  assign f_opens = open_event_valid_i && open_event_log_i == f_log;
  assign f_clear = rb_i.we && f_was_lp && f_was_log == f_log && f_was[4:3] == FSts && rb_i.wstrb[0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni || f_opens || (f_clear && f_w_sts.LOST)) f_lost_q <= 1'b0;
    else if (lost_i && rsv_log_i == f_log) f_lost_q <= 1'b1;
    if (!rst_ni || f_opens || (f_clear && f_w_sts.ABORTED)) f_aborted_q <= 1'b0;
    else if (abort_valid_i && abort_log_i == f_log) f_aborted_q <= 1'b1;
    if (!rst_ni || f_opens) f_failed_q <= 1'b0;
    else if (fail_entry_valid_i && fail_log_i == f_log) f_failed_q <= 1'b1;
    if (!rst_ni || f_opens || (f_clear && f_w_sts.PTRERR)) f_ptrerr_q <= 1'b0;
    else if (fail_ptr_valid_i && fail_log_i == f_log) f_ptrerr_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    f_next_q <= next_i ? next_log_i : rsv_log_i;
    f_read_q <= rst_ni && !f_ends && (next_i ? next_log_i == f_log : f_read_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_open_q  <= 1'b0;
      f_sized_q <= 1'b0;
      f_done_q  <= '0;
      f_it_q    <= 1'b0;
    end else begin
      if (off_valid_o && off_ready_i && off_log_o == f_log) f_open_q <= 1'b0;
      if (open_event_valid_i && open_event_log_i == f_log) begin
        f_open_q <= 1'b1;
      end
      if (open_event_valid_i && open_event_log_i == f_log) f_sized_q <= 1'b0;
      else if (f_open_q && next_i && next_log_i == f_log && !f_ends) begin
        f_mask_q  <= f_mask_in;
        f_sized_q <= 1'b1;
      end
      for (int unsigned s = 0; s < LogDepth; s++) begin
        if (f_take && (32'(f_rcnt) & (LogDepth - 1)) == s) f_done_q[s] <= 1'b0;
        if (f_here && 32'(done_slot) == s) f_done_q[s] <= 1'b1;
      end
      if (!f_it_q && commit && rsv_log_i == f_log && f_follow) begin
        f_it_q      <= 1'b1;
        f_it_slot_q <= rsv_id_o.slot;
        f_it_size_q <= size_d;
      end else if ((pub_valid_o || s1_dead) && 32'(s1_slot_q) == LogDepth * 32'(f_log) + 32'(f_it_slot_q))
        f_it_q <= 1'b0;
    end
  end

  // ---- environment -------------------------------------------------------------------------------------------------
  `FV_COMB if (f_past_q && rst_ni) begin
`ifdef YOSYS  // in the whole, a query that nobody looks at may name any log
    env_logs: assume (32'(next_log_i) < NumLogs && 32'(rsv_log_i) < NumLogs && 32'(qry_log_i) < NumLogs &&
                      32'(qry2_log_i) < NumLogs &&
                      (!abort_valid_i || 32'(abort_log_i) < NumLogs) && 32'(fail_log_i) < NumLogs);
`endif
    env_setup: assume (!rb_i.we || !rst_ni || (f_rst_q && f_bus == f_bus_q && !f_we_q));
    env_busy: assume (!rb_i.we || (rb_busy_i && f_busy_q));
    env_open: assume (open_i[f_a] == f_open_q && (!closing_i[f_a] || f_open_q));
    env_open_event: assume (!open_event_valid_i || (32'(open_event_log_i) < NumLogs && rb_i.we && !f_lp_sel));
    env_open_closed: assume (!open_event_valid_i || open_event_log_i != f_log || !f_open_q ||
                             (f_off_valid && off_ready_i && f_off_log == f_log));
    // Only what is reserved or written to can fail (aa_axi_err; a log ends after the record).
    env_fail: assume (!(fail_entry_valid_i || fail_ptr_valid_i) || fail_log_i != f_log || f_open_q);
    env_stop: assume (!(fail_entry_valid_i || fail_ptr_valid_i) || stop_i);
    if (f_rst_q) env_rsv: assume (rsv_units_i <= 9'd256);  // what stands there after a reset is anything
    env_next: assume (rsv_log_i == f_next_q);
    env_next_size: assume (!next_i || next_log_i != f_log || !f_open_q || f_ends ||
                           ((!f_sized_q || f_mask_in == f_mask_q) && f_ring_mask(f_mask_in)));
    env_take: assume (!rsv_take_i || (next_i && !open_event_valid_i));
    env_take_open: assume (!rsv_take_i || rsv_log_i != f_log || (f_open_q && !closing_i[f_a] && f_read_q));
    env_done_id: assume ((!done_valid_i[0] || (32'(f_id0.log) < NumLogs && 32'(f_id0.slot) < LogDepth)) &&
                         (!done_valid_i[1] || (32'(f_id1.log) < NumLogs && 32'(f_id1.slot) < LogDepth)));
    // What is reserved and not yet done, and that once.
    env_done: assume ((!done_valid_i[0] || f_id0.log != f_log ||
                       (f_open_q && f_out_q[f_id0.slot & 5'(LogDepth - 1)])) &&
                      (!done_valid_i[1] || f_id1.log != f_log ||
                       (f_open_q && f_out_q[f_id1.slot & 5'(LogDepth - 1)])) &&
                      !(done_valid_i == 2'b11 && f_id0 == f_id1));
  end

  // ---- state -------------------------------------------------------------------------------------------------------
  `FV_COMB if (f_past_q) begin
    p2_known: assert (known_q[f_a] || (!f_open_q && !f_fl && f_done_q == '0));
    p2_size: assert (!known_q[f_a] || !f_sized_q || f_ring_mask(f_mask_q));
    p2_fresh: assert (!known_q[f_a] || f_sized_q ||
                      (rsvd_q[f_a] == '0 && prod_q[f_a] == '0 && cons_q[f_a] == '0 && f_cnt == '0 && !f_fl));
    p2_looked: assert (!f_open_q || f_sized_q || !f_read_q);
    p2_unread: assert (f_rst_q || !f_read_q);
    p2_slots: assert (!known_q[f_a] || 32'(f_cnt) + 32'(f_fl) <= LogDepth);
    p2_full: assert (full_q[f_a] == (known_q[f_a] && (f_failed_q || 32'(f_cnt) + 32'(f_fl) == LogDepth)));
    p2_sum: assert (!known_q[f_a] || f_failed_q || rsvd_q[f_a] == prod_q[f_a] + f_sum);
    p2_sizes: assert (!known_q[f_a] || f_sizes_ok);
    p2_order: assert (!known_q[f_a] || !f_sized_q || (f_used <= f_ring && {prod_q[f_a], 4'd0} - cons_q[f_a] <= f_used));
    p3_out: assert (!known_q[f_a] ? f_out_q == '0 : f_out_q == (f_live & ~f_done_q));
    p2_closed: assert (!known_q[f_a] || f_open_q || (f_cnt == '0 && !f_fl));
    p3_done: assert (f_bit == f_done_q && (f_done_q & ~f_live) == '0 || !known_q[f_a]);
    p3_none: assert (f_bit == f_done_q);
    p3_ready: assert (ready_q[f_a] == f_done_q[32'(f_rcnt) & (LogDepth - 1)]);
    p3_flight: assert (!f_fl || 32'(s1_slot_q) == LogDepth * 32'(f_log) + ((32'(f_rcnt) - 32'd1) & (LogDepth - 1)));
    p3_other: assert (!s1_valid_q || (32'(s1_log_q) < NumLogs && 32'(s1_slot_q) / LogDepth == 32'(s1_log_q)));
    p3_followed: assert (!f_it_q || known_q[f_a]);
    if (f_it_q)
      p3_kept: assert (32'(f_it_slot_q) < LogDepth && size_q[LogDepth*32'(f_log)+32'(f_it_slot_q)] == f_it_size_q &&
                       (f_live[f_it_slot_q & 5'(LogDepth - 1)] || (f_fl &&
                           32'(s1_slot_q) == LogDepth * 32'(f_log) + 32'(f_it_slot_q))));
    // What was read ahead is what it would be now, and is known to be here.
    p1_kept: assert (!rst_ni || !f_open_q || f_rsv == (kept_q && rsv_log_i == f_log));
    if (rst_ni && f_rsv && known_q[f_a] && f_open_q)
      p1_ahead: assert (d2_rsvd_q == rsvd_q[f_a] && d2_wcnt_q == wcnt_q[f_a] &&
        d2_left_q == (~d2_rsvd_q[25:0] & d2_mask_q[25:0]) && d2_lap_q == (d2_rsvd_q[26:0] & ring(d2_mask_q[25:0])) &&
        d2_cons_lap_q == (cons_q[f_a][30:4] & ring(d2_mask_q[25:0])) &&
        d2_off_q == (d2_rsvd_q[25:0] & d2_mask_q[25:0]) && d2_cons_off_q == (cons_q[f_a][29:4] & d2_mask_q[25:0]) &&
        (!f_sized_q || 32'({d2_mask_q, 4'd15}) == f_mask_q));
    p6_failed: assert (failed_q[f_a] == f_failed_q && ptrerr_q[f_a] == f_ptrerr_q && (!f_failed_q || known_q[f_a]));
    p7_lost: assert (f_lost_q == (lost_q[f_a] || (lose_q && lose_log_q == f_log)));
    p7_aborted: assert (f_aborted_q == (aborted_q[f_a] || (abort_q && abort_log_q == f_log)));
    p5_scan: assert (32'(off_log_q) < NumLogs);
    p4_decoded: assert (lp_sel_q == (f_was_lp ? 4'd1 << f_was[4:3] : 4'd0) && lp_log_q == f_was_log);
  end

  // ---- outputs -----------------------------------------------------------------------------------------------------
  assign f_bytes = 32'd16 + {19'd0, rsv_units_i, 4'd0};
  assign f_off   = f_rsvd & (f_ring - 32'd1);
  assign f_cons_off = cons_q[f_a] & (f_ring - 32'd1);
  assign f_pad   = f_off + f_bytes > f_ring ? f_ring - f_off : 32'd0;

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_open_q && f_sized_q && f_rsv) begin
      p1_either: assert (!(rsv_never_o && rsv_space_o));
      p1_never: assert (rsv_never_o == (f_pad + f_bytes > f_ring));
      // With SIZE the ring's bit, one bit tells whether the consumer is in the same lap, and how far behind it is then.
      p1_lap: assert (same_lap ? f_off >= f_cons_off && f_used == f_off - f_cons_off :
                                 f_off <= f_cons_off && f_used == f_off + f_ring - f_cons_off);
      p1_wraps: assert (wraps == (f_pad != '0) && f_off < f_ring && f_cons_off < f_ring);
      p1_space: assert (rsv_space_o == (f_pad + f_bytes <= f_ring && f_pad + f_bytes <= f_ring - f_used &&
                                        32'(f_cnt) + 32'(f_fl) < LogDepth && !f_failed_q));
      p1_ptr: assert (rsv_ptr_o == f_rsvd);
      p1_id: assert (rsv_id_o.log == f_log && 32'(rsv_id_o.slot) < LogDepth &&
          (!rsv_space_o || !f_live[rsv_id_o.slot & 5'(LogDepth - 1)]));
      if (rsv_space_o) p1_pad: assert (rsv_pad_o == (f_pad != '0) && (f_pad == '0 || 32'(rsv_pad_bytes_o) == f_pad));
      if (rsv_space_o) p1_addr: assert (rsv_addr_o == ({rsv_base_i, 6'd0} | 48'(f_pad != '0 ? 32'd0 : f_off)));
      if (rsv_space_o) p1_pad_addr: assert (f_pad == '0 || rsv_pad_addr_o == ({rsv_base_i, 6'd0} | 48'(f_off)));
      if (rsv_space_o)
        p1_next: assert ({rsvd_d, 4'd0} == f_rsvd + f_pad + f_bytes && 32'({size_d, 4'd0}) == f_pad + f_bytes);
    end
    if (f_take) p3_is_done: assert (f_done_q[f_rcnt & CntW'(LogDepth - 1)]);
    if (f_it_q && pub_valid_o && 32'(s1_slot_q) == LogDepth * 32'(f_log) + 32'(f_it_slot_q))
      p3_size: assert (pub_log_o == f_log && 32'(pub_bytes_o) == 32'({f_it_size_q, 4'd0}));
    if (pub_valid_o && pub_log_o == f_log) p3_prod: assert (pub_prod_o == {prod_q[f_a], 4'd0} + 32'(pub_bytes_o));
    p3_quiet: assert (!pub_valid_o || (!rb_busy_i && !stop_i));
    if (f_failed_q) begin
      p6_silent: assert (!pub_valid_o || pub_log_o != f_log);
      p6_still: assert (!commit || rsv_log_i != f_log);
      p6_told: assert (!open_i[f_a] || failed_o[f_a]);
      if (f_fl) p6_frees: assert (s1_take);
    end
    if (rsv_log_i == f_log) p6_drop: assert (rsv_failed_o == f_failed_q && !(rsv_failed_o && rsv_space_o));
    if (!f_failed_q) p6_only: assert (!failed_o[f_a]);
    if (fail_log_i == f_log)
      p6_alarm: assert (alarm_valid_o == ((fail_entry_valid_i && !f_failed_q) || (fail_ptr_valid_i && !f_ptrerr_q)));
    if (s1_take && |ready_q) p3_works: assert (|pick && (pick & ~ready_q) == '0);
    if (rb_i.we && lp_sel_o && lp_log_o == f_log && rb_i.addr[1:0] == FCons && rb_i.wstrb[3:0] != '0) begin
      if (known_q[f_a])
        p4_early: assert (step_q == cons_event_o - cons_q[f_a] && left_q == {prod_q[f_a], 4'd0} - cons_q[f_a]);
      p4_accept: assert (cons_event_valid_o == (cons_event_o - (known_q[f_a] ? cons_q[f_a] : 32'd0) <=
                         (known_q[f_a] ? {prod_q[f_a], 4'd0} - cons_q[f_a] : 32'd0)));
      p4_error: assert (err_valid_o == !cons_event_valid_o && err_o.addr == 64'(cons_event_o));
    end else begin
      if (cons_event_valid_o || err_valid_o) p4_only: assert (lp_log_o != f_log);
    end
    if (off_valid_o && off_log_o == f_log)
      p5_off: assert (closing_i[f_a] && f_cnt == '0 && !f_fl && (f_failed_q || rsvd_q[f_a] == prod_q[f_a]));
    if (!f_was_lp) p7_none: assert (rb_rdata_o == '0);
    if (f_was_lp && f_was_log == f_log) begin
      if (f_was[4:3] == FProd) p7_prod: assert (rb_rdata_o == (known_q[f_a] ? 64'({prod_q[f_a], 4'd0}) : 64'd0));
      if (f_was[4:3] == FCons) p7_cons: assert (rb_rdata_o == (known_q[f_a] ? 64'(cons_q[f_a]) : 64'd0));
      if (f_was[4:3] == FRsvd) p7_rsvd: assert (rb_rdata_o == (known_q[f_a] ? 64'(f_rsvd) : 64'd0));
      if (f_was[4:3] == FSts) p7_sts: assert (rb_rdata_o == f_sts);
    end
    c_pad: cover (commit && rsv_log_i == f_log && rsv_pad_o);
    c_never: cover (f_open_q && f_rsv && rsv_never_o);
    c_lap: cover (f_open_q && rsvd_q[f_a] > P'(f_ring >> 4) && pub_valid_o && pub_log_o == f_log);
    c_back_to_back: cover (f_cnt == CntW'(LogDepth) && f_open_q);
    c_followed: cover (f_it_q && pub_valid_o && 32'(s1_slot_q) == LogDepth * 32'(f_log) + 32'(f_it_slot_q));
    c_refused: cover (err_valid_o && lp_log_o == f_log && known_q[f_a]);
    c_failed: cover (f_failed_q && off_valid_o && off_log_o == f_log && rsvd_q[f_a] != prod_q[f_a]);
    c_off: cover (off_valid_o && off_log_o == f_log && rsvd_q[f_a] != '0);
  end
