// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_table: one kernel or function and one queue, chosen freely, stand for all. f_ker_q and f_que_q hold
// what was last committed to them; memory, where the tables are cached, answers with what was written there. That lines
// and memory never disagree with them is the invariant.
`include "fv.svh"
// Rules of README.md: TBL-2, TBL-5, TBL-6.
  `FV_INIT
  `FV_ANYCONST(f_ker_at, KerAddrW)
  `FV_ANYCONST(f_que_at, QueAddrW)

  logic [EntryW-1:0]   f_ker_q, f_que_q, f_want, f_data;
  logic                f_ker_valid, f_que_valid, f_use_q, f_asked_q, f_reads_ker_q, f_reads_que_q, f_wait_q, f_busy_q;
  logic                f_ker_mine, f_que_mine;
  logic [7:0]          f_left_q;
  logic [KerLineW-1:0] f_kline;
  logic [PlaceW-1:0]   f_place;
  logic                f_known_q;  // the place of the queue that is followed holds it, and nothing has come since
  logic [WordW-1:0]    f_kword, f_qword;
  nic_pkg::dma_t       f_rd_q;

  assign f_kline     = f_ker_at[KerLineW-1:0];
  assign f_place     = f_que_at[PlaceW-1:0];
  assign f_kword     = ker_mem_q[f_kline];
  assign f_qword     = que_mem_q[f_place];
  assign f_ker_valid = f_ker_q[xtq_pkg::KerValid];
  assign f_que_valid = f_que_q[xtq_pkg::QueValid];
  assign f_want      = f_reads_ker_q ? f_ker_q : f_que_q;
  assign f_data      = EntryW'(rdata_i.data);
  assign f_ker_mine  = ker_now == f_ker_at;
  assign f_que_mine  = que_now == f_que_at;
  // What READ brings of memory is what was committed, unless software has spoilt it.
  logic f_got;
`ifdef YOSYS
  assign f_got = !get_err_q;
`else
  assign f_got = 1'b0;
`endif

  // The register bus: the address of the cycle before, and what software has written to one XT_BASE.
  `FV_ANYCONST(f_proc, ProcW)
  logic [16:0] f_addr_q;
  logic        f_words, f_base;
  logic [63:0] f_base_q;
  assign f_words = {f_addr_q[16:2], 2'd0} == 17'(nic_reg_pkg::RegXT_W >> 3);
  assign f_base  = f_addr_q[16:8] == 9'(nic_reg_pkg::RegXT_BASE >> 11) && 32'(f_addr_q[7:4]) < NumProcs &&
                   f_addr_q[3:0] == 4'(nic_reg_pkg::RegXT_BASE >> 3);
  always_ff @(posedge clk_i) begin
    f_addr_q <= rb_i.addr;
    if (!rst_ni) f_base_q <= '0;
    else if (!(busy_q && 32'(cmd.PROC) == 32'(f_proc)) && rb_i.we &&
             rb_i.addr == {9'(nic_reg_pkg::RegXT_BASE >> 11), 4'(f_proc), 4'(nic_reg_pkg::RegXT_BASE >> 3)})
      for (int unsigned i = 0; i < 8; i++) if (rb_i.wstrb[i]) f_base_q[8*i+:8] <= rb_i.wdata[8*i+:8];
  end

  // Where the last commit's entry goes.
  logic        f_put_q;
  logic [63:0] f_put_va_q;
  always_ff @(posedge clk_i) if (commit)
    {f_put_q, f_put_va_q} <= {cmd_proc == f_proc, f_base_q + 64 * 64'({cmd.TABLE, cmd_index})};

  always_ff @(posedge clk_i) begin
    f_wait_q  <= rst_ni && rd_valid_o && !rd_ready_i && !(rb_i.we && rb_base_q && !for_cmd_q);
    f_rd_q    <= rd_o;
    f_busy_q  <= rst_ni && busy_q && !ret_valid_o;
    if (!rst_ni) begin
      f_ker_q   <= '0;
      f_que_q   <= '0;
      f_use_q   <= 1'b0;
      f_asked_q <= 1'b0;
      f_left_q  <= '0;
      f_known_q <= 1'b0;
    end else begin
      if (commit && !cmd_que && {cmd_proc, cmd_func, cmd_index} == f_ker_at) f_ker_q <= words;
      if (commit && cmd_que && {cmd_proc, cmd_index} == f_que_at) f_que_q <= words;
      if (look) f_use_q <= 1'b1;
      else if (f_use_q && !hold_i && state_q == StIdle) f_use_q <= 1'b0;
      if (rd_valid_o && rd_ready_i) f_asked_q <= 1'b1;
      else if (get && rdata_i.last) f_asked_q <= 1'b0;
      f_left_q <= f_left_q + 8'(wr_valid_o && wr_ready_i) - 8'(wr_done_i);
      if (forget_o && forget_place_o == f_place) f_known_q <= !sweep && que_waddr == f_que_at;
    end
`ifndef YOSYS
    // In a test, software may have spoilt memory: what counts then is what came, valid if it makes sense.
    if (fill && f_reads_ker_q) f_ker_q <= get_q;
    if (fill && f_reads_que_q) f_que_q <= {get_q[EntryW-1:xtq_pkg::QueValid+1],
                                             get_q[xtq_pkg::QueValid] && !senseless(get_q),
                                             get_q[xtq_pkg::QueValid-1:0]};
`endif
    if (rd_valid_o && rd_ready_i) begin
      f_reads_ker_q <= !part_q && ker_now == f_ker_at;
      f_reads_que_q <= part_q && que_now == f_que_at;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (look_valid_i) env_proc: assume (32'(look_proc_i) < NumProcs);
    if (look_valid_i) env_soon: assume (soon_i);
    if (rb_i.we) env_setup: assume (rb_i.addr == f_addr_q);
    env_apart: assume (!(soon_i && hold_i));
    env_answer: assume (!rdata_valid_i || f_asked_q);
    env_done: assume (!wr_done_i || f_left_q != '0);
    // Memory (one beat here): what was committed.
    if (Beats == 1 && rdata_valid_i) env_last: assume (rdata_i.last);
`ifdef YOSYS
    if (rdata_valid_i && !rdata_i.err && (f_reads_ker_q || f_reads_que_q)) env_memory: assume (f_data == f_want);
`endif

    p4_decoded: assert ({rb_word_q, rb_cmd_q, rb_sts_q, rb_base_q} == {f_words,
        f_addr_q == 17'(nic_reg_pkg::RegXT_CMD >> 3), f_addr_q == 17'(nic_reg_pkg::RegXT_STS >> 3), f_base});
    if (f_words) p4_nth: assert (rb_nth_q == f_addr_q[1:0] && rb_rdata_o == word_q[f_addr_q[1:0]]);
    if (f_base) p4_proc: assert (32'(rb_proc_q) == 32'(f_addr_q[7:4]) && rb_oh_q == NumProcs'(1) << rb_proc_q);
    if (32'(f_proc) < NumProcs) p4_kept: assert (f_base_q == (base_known_q[f_proc] ? base_q[f_proc] : '0));
    if (f_base && 32'(f_addr_q[7:4]) == 32'(f_proc)) p4_base: assert (rb_rdata_o == f_base_q);
    if (!f_words && !f_base && f_addr_q != 17'(nic_reg_pkg::RegXT_CMD >> 3) &&
        f_addr_q != 17'(nic_reg_pkg::RegXT_STS >> 3)) p4_other: assert (rb_rdata_o == '0);
    if (asked) p4_asked: assert (rb_i.addr == 17'(nic_reg_pkg::RegXT_CMD >> 3));
    if (found_o && want_ker_q && ker_now == f_ker_at && !ker_err_o) begin
      p1_kernel: assert (ker_ok_o == f_ker_valid);
      if (f_ker_valid) p1_same: assert (ker_o == f_ker_q);
    end
    if (found_o && want_que_q && que_now == f_que_at && !que_err_o && (!want_ker_q || ker_ok_o)) begin
      p1_queue: assert (que_ok_o == f_que_valid);
      if (f_que_valid) p1_entry: assert (que_o == f_que_q);
      p3_known: assert (f_known_q || !Cached);
      p3_place: assert (que_place_o == f_place);
    end
    if (f_que_valid)
      p1_sense: assert (f_que_q[xtq_pkg::QueBase+:6] == '0 && f_que_q[xtq_pkg::QueDoorbell+:3] == '0 &&
                        f_que_q[xtq_pkg::QueBlock+:3] == '0 &&
                        f_que_q[xtq_pkg::QueSize+:5] <= 5'd16);
    if (f_que_valid && Cached) p1_follows: assert (f_que_q[xtq_pkg::QueMulti+:2] != 2'd0);
    if (commit) p2_apart: assert ((!f_use_q || !hold_i) && !soon_i);
    if (commit) p2_record: assert (ret_valid_o && busy_q && !look);
    if (read_end && !cmd_que && {cmd_proc, cmd_func, cmd_index} == f_ker_at && (ker_hit || f_got))
      p1_read: assert (seen == f_ker_q);
    if (read_end && cmd_que && {cmd_proc, cmd_index} == f_que_at && (que_hit || f_got))
      p1_read_queue: assert (seen == f_que_q);
    if ((commit || fill) && que_we) p3_forget: assert (forget_o && forget_place_o == que_waddr[PlaceW-1:0]);
    if (asked && refuse && !busy_q) p4_quiet: assert (!commit && !reread);
    if (f_busy_q) p4_busy: assert (busy_q);
    if (busy_q) p4_of_somebody: assert (32'(cmd.PROC) < NumProcs);
    if (rd_valid_o) p5_left: assert (f_left_q == '0 && !wr_valid_o);
    if (!Cached) p5_none: assert (!rd_valid_o && !wr_valid_o && !wdata_valid_o);
    if (wr_valid_o && f_put_q) p5_where: assert (wr_o.va == f_put_va_q);
    if (f_wait_q) p5_stays: assert (rd_valid_o && rd_o.va == f_rd_q.va && rd_o.len == 13'd32);
    p6_one: assert ((hits_o & misses_o) == 2'd0 && ((hits_o | misses_o) & ~{want_que_q, want_ker_q}) == 2'd0);

`ifdef YOSYS
    // What keeps the proof together. The lines:
    if (sweep)
      p1_begins: assert (f_ker_q == '0 && f_que_q == '0 && !f_asked_q && away_q == '0 && !put_job_q && !put_pay_q);
    if (sweep && 32'(sweep_q) > 32'(f_kline)) p1_swept: assert (f_kword == '0);
    if (sweep && 32'(sweep_q) > 32'(f_place)) p3_swept: assert (f_qword == '0 && !f_known_q);
    if (!sweep && !Cached) p1_lines: assert (f_kword[EntryW-1:0] == f_ker_q && f_qword[EntryW-1:0] == f_que_q);
    if (!sweep && Cached && f_kword[WordW-1] && f_kword[EntryW+:TagW] == TagW'(f_ker_at >> LineW))
      p1_cached: assert (f_kword[EntryW-1:0] == f_ker_q);
    if (!sweep && Cached && f_qword[WordW-1] && f_qword[EntryW+:TagW] == TagW'(f_que_at >> LineW))
      p3_cached: assert (f_qword[EntryW-1:0] == f_que_q && f_known_q);
    // What was read of them, and of memory:
    if ((state_q == StHit || state_q == StRead) && f_ker_mine) p1_word: assert (ker_word_q == f_kword);
    if ((state_q == StHit || state_q == StRead) && f_que_mine) p1_queue_word: assert (que_word_q == f_qword);
    if (state_q == StWait || state_q == StFill)
      p1_reads: assert (f_reads_ker_q == (!part_q && f_ker_mine) && f_reads_que_q == (part_q && f_que_mine));
    if (state_q == StFill && (f_reads_ker_q || f_reads_que_q)) p1_fill: assert (get_q == f_want);
    if (state_q == StWait) p1_first: assert (first_q == !got_q);
    if (got_q) p1_got: assert (state_q == StWait);
    if (got_q && !get_err_q && (f_reads_ker_q || f_reads_que_q)) p1_came: assert (get_q == f_want);
    p1_asked: assert (f_asked_q == (state_q == StWait && !got_q));
    if (!Cached) p5_never: assert (state_q != StAsk && state_q != StWait && state_q != StFill && state_q != StAgain);
    // Commands:
    if (state_q == StRead) p4_read: assert (for_cmd_q);
    if (state_q == StHit || state_q == StFill || state_q == StAgain) p4_look: assert (!for_cmd_q);
    if (for_cmd_q && (state_q == StRead || state_q == StAsk || state_q == StWait))
      p4_same: assert (busy_q && cmd_read && que_now == {cmd_proc, cmd_index} &&
                       ker_now == {cmd_proc, cmd_func, cmd_index});
    if (for_cmd_q && (state_q == StAsk || state_q == StWait))
      p4_part: assert (part_q == cmd_que && !(part_q ? que_hit : ker_hit));
    if (busy_q && !cmd_read && cmd_que) p4_sense: assert (!senseless(words));
    p5_away: assert ((Cached || away_q == '0) && f_left_q == 8'(away_q) - 8'(put_job_q) &&
                     (away_q != '0 || !put_job_q));
`endif
    c_found: cover (found_o && want_ker_q && want_que_q && ker_ok_o && que_ok_o && ker_now == f_ker_at &&
                    que_now == f_que_at);
    c_read: cover (read_end && cmd_que && f_que_valid);
    c_miss: cover (found_o && want_que_q && que_ok_o && Cached && misses_o == '0 && que_cnt_q);
  end
