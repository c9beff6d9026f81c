// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_queue: one place, chosen freely, stands for all. f_next_q: the index that the place's NIC-owned queue
// gives next, as an outsider counts it: set by what memory says when nothing is known, then one more with
// each that is given.
`include "fv.svh"
// Rules of README.md: ENQ-2, ENQ-3, ENQ-4.
  `FV_INIT
  `FV_ANYCONST(f_place, PlaceW)
  `FV_BELOW(def_place, f_place, Places)

  logic        f_busy_q, f_here, f_known_q, f_multi_q, f_asked_q, f_wait_q, f_have_q, f_seen_q, f_init_q;
  logic [63:0] f_next_q, f_read_q, f_found_q, f_compare_q;
  logic [4:0]  f_size_q;
  logic [1:0]  f_kind_q;
  nic_pkg::dma_t f_rd_q;

  assign f_here  = place_q == f_place;

  always_ff @(posedge clk_i) begin
    f_wait_q <= rst_ni && rd_valid_o && !rd_ready_i && quiet_i;
    f_rd_q   <= rd_o;
    if (!rst_ni) begin
      f_busy_q  <= 1'b0;
      f_asked_q <= 1'b0;
      f_known_q <= 1'b0;
      f_init_q  <= 1'b0;
    end else begin
      if (forget_i && forget_place_i == f_place) f_init_q <= 1'b1;
      if (take) f_busy_q <= 1'b1;
      else if (rsp_valid_o) f_busy_q <= 1'b0;
      if (rd_valid_o && rd_ready_i) f_asked_q <= 1'b1;
      else if (got) f_asked_q <= 1'b0;
      if (forget_i && forget_place_i == f_place) f_known_q <= 1'b0;
      else if (ram_we_q && f_here) f_known_q <= 1'b1;
    end
    if (take) begin
      f_multi_q <= req_multi_i;
      f_size_q  <= req_size_i;
      f_seen_q  <= 1'b0;
      f_have_q  <= 1'b0;
    end
    // What this request has been told by memory.
    if (got && !rdata_i.err) begin
      if (f_kind_q == 2'd0) begin
        f_read_q <= found;
        f_seen_q <= 1'b1;
      end else begin
        f_found_q <= found;
        f_have_q  <= 1'b1;
      end
    end
    if (rd_valid_o && rd_ready_i)
      f_kind_q <= rd_o.op == nic_pkg::DmaCas ? 2'd2 : rd_o.va == block_q + xtq_pkg::WriteIndexAt ? 2'd1 : 2'd0;
    if (rd_valid_o && rd_ready_i) f_compare_q <= rd_o.compare;
    // The outsider's count.
    if (ram_we_q && f_here) f_next_q <= write_q + 64'(give_q);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_forget: assume (!forget_i || (!f_busy_q && !req_valid_i));
    env_answer: assume (!rdata_valid_i || f_asked_q);
    if (32'(f_place) < Places) env_init: assume (!req_valid_i || f_init_q);
    env_place: assume (32'(req_place_i) < Places && 32'(forget_place_i) < Places);

    p4_busy: assert (f_busy_q == (state_q != StIdle || rsp_q));
    p4_answer: assert (!rsp_valid_o || f_busy_q);
    p4_once: assert (!rsp_q || state_q == StIdle);
    if (ram_we_q) p2_written: assert (rsp_q);
    p4_wait: assert (f_asked_q == (state_q == StWait));
    if (f_wait_q && quiet_i) p4_stays: assert (rd_valid_o && rd_o == f_rd_q);
    if (rd_valid_o) p4_read: assert (rd_o.len == 13'd8 && rd_o.src == nic_pkg::SrcQueue && rd_o.rid == rid_q);
    if (rd_valid_o && rd_o.va != block_q + xtq_pkg::ReadIndexAt)
      p4_place: assert (rd_o.va == block_q + xtq_pkg::WriteIndexAt);
    if (rd_valid_o && rd_o.op == nic_pkg::DmaCas)
      p2_cas: assert (multi_q && rd_o.va == block_q + xtq_pkg::WriteIndexAt &&
                   rd_o.swap == rd_o.compare + 64'd1 && f_have_q &&
                   rd_o.compare == f_found_q);
    if (rd_valid_o && ask_q == AskWrite) p3_quiet: assert (quiet_i);

    // NIC-owned: the RAM holds the outsider's count.
    if (32'(f_place) < Places && f_known_q && state_q == StKnown && f_here)
      p2_ram: assert (ram_known && ram_write == f_next_q);
    if (32'(f_place) < Places && !f_known_q && state_q == StKnown && f_here) p3_forgotten: assert (!ram_known);
    if (give && !won && f_here && f_known_q) p2_next: assert (now_write == f_next_q);
    if (give && !won && !(state_q == StKnown)) p1_read: assert (f_seen_q && now_read == f_read_q);
    if (give && !won) p1_space: assert (((now_write - now_read) >> f_size_q) == 64'd0 && !f_multi_q);
    if (won) p1_multi: assert (f_multi_q && f_seen_q && f_have_q && ((f_found_q - f_read_q) >> f_size_q) == 64'd0);
    if (won) p2_won: assert (now_write == f_found_q && f_compare_q == f_found_q && f_kind_q == 2'd2);
    if (full && !f_multi_q && state_q == StCheck)
      p2_full: assert (f_seen_q && ((now_write - f_read_q) >> f_size_q) != 64'd0);

    // What keeps the proof together.
    if (state_q != StIdle) p4_inside: assert (32'(place_q) < Places);
    p4_same: assert (state_q == StIdle || (f_multi_q == multi_q && beyond_q == ~64'd0 << f_size_q));
    if (state_q == StAsk || state_q == StWait || state_q == StCheck) begin
      p4_kind: assert (32'(ask_q) <= 2 && tries_q <= Tries);
      p4_both: assert (both_q || ask_q != AskRead || (!f_seen_q && !f_have_q));
      if (ask_q == AskCas && state_q != StCheck) p4_tries: assert (tries_q < Tries);
      if (multi_q) p4_multi: assert (!both_q);
      if (!multi_q) p4_single: assert (ask_q != AskCas);
      if (both_q && f_here) p4_known: assert (f_known_q && write_q == f_next_q);
      if (!both_q && f_here && !multi_q) p4_unknown: assert (!f_known_q);
      if (f_seen_q) p4_seen: assert (read_q == f_read_q);
      if (f_have_q) p4_have: assert (write_q == f_found_q);
      if (ask_q == AskCas) p4_cas: assert (f_seen_q && f_have_q && multi_q);
      if (ask_q == AskWrite && !both_q && state_q != StCheck) p4_second: assert (f_seen_q && !f_have_q);
      if (state_q == StCheck && !fail_q) p4_check: assert (f_seen_q && (f_have_q || both_q) && ask_q != AskRead);
      if (state_q == StCheck && fail_q) p4_failed: assert (!won_q);
      if (state_q == StWait) p4_asked: assert (f_kind_q == (ask_q == AskRead ? 2'd0 : ask_q == AskWrite ? 2'd1 : 2'd2));
      if (state_q == StAsk && ask_q == AskCas) p1_before: assert (((write_q - read_q) & beyond_q) == 64'd0);
      if (state_q == StWait && ask_q == AskCas)
        p1_during: assert (((write_q - read_q) & beyond_q) == 64'd0 && f_compare_q == write_q);
      if (state_q == StCheck && won_q) p1_after: assert (((write_q - read_q) & beyond_q) == 64'd0 && ask_q == AskCas &&
        multi_q && f_kind_q == 2'd2 && f_compare_q == write_q);
      if (both_q && state_q != StCheck) p4_again: assert (ask_q == AskRead && !f_seen_q);
      if (both_q && state_q == StCheck && !fail_q) p4_read_again: assert (ask_q == AskWrite && f_seen_q);
    end
    if (state_q == StKnown) p4_fresh: assert (!f_seen_q && !f_have_q && tries_q == '0);
    if (32'(f_place) < Places && f_init_q) begin
      p3_kept: assert (mem_q[f_place][128] == f_known_q);
      if (f_known_q) p2_kept: assert (mem_q[f_place][127:64] == f_next_q);
      if (state_q == StKnown && f_here) p2_word: assert (word_q == mem_q[f_place]);
    end
    p4_state: assert (32'(state_q) <= 4);
    if (32'(f_place) < Places && f_busy_q) p4_init: assert (f_init_q);
    c_given: cover (rsp_valid_o && rsp_why_o == nic_pkg::WhyNone && f_known_q && f_here && !f_seen_q);
    c_cas: cover (rsp_valid_o && rsp_why_o == nic_pkg::WhyNone && f_multi_q && tries_q == 5'd2);
    c_full: cover (rsp_valid_o && rsp_why_o == nic_pkg::WhyQueueFull && !f_multi_q);
  end
