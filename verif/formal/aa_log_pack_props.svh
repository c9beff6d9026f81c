// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log_pack. One granule of memory, at any address f_at, is followed from the beat that brings it (whose
// data are found from the segment's address alone) to the beat that writes it.
`include "fv.svh"
// Rules of README.md: ERR-1.
  `FV_INIT
  localparam int unsigned AtW = aa_pkg::HostAddrW - $clog2(Gran);  // address of a granule
  `FV_ANYCONST(f_at, AtW)
  `FV_ANYCONST(f_byte_any, 4)

  logic [10:0]        f_left_q, f_left, f_now;    // granules of the segment from this beat on; in this beat
  logic [10:0]        f_head;                     // of these, header
  logic [10:0]        f_past_g, f_total_q;        // granules of it before this beat
  logic [AtW-1:0]     f_from, f_rel;
  logic [31:0]        f_g, f_b, f_src;
  logic               f_brought, f_written, f_held, f_in_q, f_twice, f_twice_q, f_seg_q;
  logic [7:0]         f_byte_q, f_byte;
  logic               f_aw_wait_q, f_w_wait_q, f_in_wait_q, f_first_wait_q;
  logic [71+aa_pkg::LogIdxW:0] f_aw_q;
  logic [cm_pkg::DataW/8:0] f_w_q;
  logic [8:0]         f_beats_q, f_beats;         // of the open burst, still to come
  logic [aa_pkg::LogIdxW-1:0] f_log_q, f_of_q, f_seg_log_q;  // of the granule, of the open burst, of the segment

  assign f_left  = f_seg_q ? f_left_q : in_total_i;
  assign f_head  = in_head_i && !f_seg_q ? 11'(H) : 11'd0;
  assign f_now   = 11'(in_cnt_i) + f_head;
  assign f_past_g = in_total_i - f_left;
  assign f_from  = in_addr_i[aa_pkg::HostAddrW-1:$clog2(Gran)];
  assign f_rel   = f_at - f_from - AtW'(f_past_g);          // granule of this beat that belongs at f_at
  assign f_brought = in_valid_i && in_ready_o && f_rel < AtW'(f_now);
  assign f_b     = 32'(f_byte_any) & (Gran - 1);
  assign f_src   = 32'(f_rel) - 32'(f_head);
  assign f_byte  = f_rel < AtW'(f_head) ? in_hdr_i[(8 * (Gran * 32'(f_rel) + f_b)) & 127+:8] :
                   in_keep_i[(Gran * f_src + f_b) & (cm_pkg::DataW / 8 - 1)] ?
                   in_data_i[(8 * (Gran * f_src + f_b)) & (cm_pkg::DataW - 1)+:8] : 8'd0;
  assign f_g     = 32'(f_at) & (N - 1);                     // its place in the bus word
  assign f_written = fire && word == WordW'(f_at >> LgN) && low_valid[f_g[CntW-1:0] & CntW'(N - 1)];
  assign f_held  = word_q == WordW'(f_at >> LgN) && res_valid_q[f_g[CntW-1:0] & CntW'(N - 1)];
  // The writers never bring a granule again before it has left (their entries are disjoint); if so, nothing is claimed
  // of it.
  assign f_twice = f_twice_q || (in_valid_i && f_rel < AtW'(f_now) && f_in_q);
  assign f_beats = open_q ? f_beats_q : 9'(aw_len_o) + 9'd1;

  always_ff @(posedge clk_i) begin
    f_aw_wait_q <= rst_ni && aw_valid_o && !aw_ready_i;
    f_w_wait_q  <= rst_ni && w_valid_o && !fire;
    f_in_wait_q <= rst_ni && in_valid_i && !in_ready_o;
    f_aw_q      <= {aw_log_o, aw_addr_o, aw_len_o};
    f_w_q       <= {w_strb_o, w_last_o};
    f_total_q   <= in_total_i;
    f_twice_q <= rst_ni && f_twice;
    if (!rst_ni) f_in_q <= 1'b0;
    else if (f_brought != f_written) f_in_q <= f_brought;
    if (!rst_ni) f_seg_q <= 1'b0;
    else if (in_valid_i && in_ready_o) f_seg_q <= !in_last_i;
    if (f_brought) f_byte_q <= f_byte;
    if (f_brought) f_log_q <= in_id_i.log;
    if (fire && !open_q) f_of_q <= aw_log_o;
    if (in_valid_i && in_ready_o) f_left_q <= f_left - f_now;
    if (fire) f_beats_q <= f_beats - 9'd1;
  end

  logic [aa_pkg::HostAddrW-1:0] f_addr_q;
  logic [CntW-1:0] f_cnt_q;
  logic [aa_pkg::LogIdxW-1:0] f_in_log_q;
  logic f_last_q, f_done_q, f_head_q, f_seg_head_q;
  always_ff @(posedge clk_i) begin
    f_addr_q <= in_addr_i;
    f_cnt_q  <= in_cnt_i;
    f_last_q <= in_last_i;
    f_done_q <= in_done_i;
    f_head_q <= in_head_i;
    f_in_log_q <= in_id_i.log;
  end

  // ---- environment: beats are full but the last; a beat stays as it is  ----------
  `FV_COMB if (f_past_q && rst_ni) begin
    env_total: assume (!in_valid_i || (in_total_i != '0 && in_total_i <= 11'd1028 && (in_addr_i & (Gran - 1)) == '0));
    env_head: assume (!in_valid_i || !in_head_i || (in_total_i >= 11'(H) && in_addr_i[3:0] == '0));
    env_count: assume (!in_valid_i || (f_now == (f_left - f_head < 11'(N) ? f_left : 11'(N) + f_head) &&
                                       in_last_i == (f_left == f_now)));
    env_done_last: assume (!in_valid_i || !in_done_i || in_last_i);
    // so that the entries of a bus word can be counted in ended_q
    env_done_least: assume (!in_done_i || !in_valid_i || 32'(in_total_i) * Gran >= 16);
    env_hold: assume (!f_in_wait_q ||
                      (in_valid_i && in_addr_i == f_addr_q && in_total_i == f_total_q && in_cnt_i == f_cnt_q &&
                                       in_head_i == f_head_q && in_last_i == f_last_q && in_done_i == f_done_q &&
                                       in_id_i.log == f_in_log_q));
    env_segment: assume (!(f_seg_q && in_valid_i) || (in_addr_i == f_seg_addr_q && in_total_i == f_seg_total_q &&
                                                   in_head_i == f_seg_head_q &&
                                                  in_id_i.log == f_seg_log_q));
  end
  logic [aa_pkg::HostAddrW-1:0] f_seg_addr_q;
  logic [10:0] f_seg_total_q;
  always_ff @(posedge clk_i) if (in_valid_i && in_ready_o) begin
    f_seg_addr_q  <= in_addr_i;
    f_seg_total_q <= in_total_i;
    f_seg_head_q  <= in_head_i;
    f_seg_log_q   <= in_id_i.log;
  end

  // ---- state: inside a segment the residue ends where the next beat begins -----------------------------------------
  logic [31:0] f_pos;
  logic [10:0] f_seg_past;
  assign f_pos = ((32'(f_seg_addr_q) >> $clog2(Gran)) & (N - 1)) + (f_seg_head_q ? H : 32'd0);
  assign f_seg_past = f_seg_total_q - f_left_q;
  `FV_COMB if (f_past_q) begin
    if (seg_q) begin
      p1_residue: assert (res_valid_q == N'((64'd1 << f_pos) - 64'd1));
      p1_place: assert ({word_q, {LgN{1'b0}}} + AtW'(f_pos) == f_seg_addr_q[aa_pkg::HostAddrW-1:$clog2(Gran)] +
                        AtW'(f_seg_past));
      p2_left: assert (32'(left_q) == (f_pos + 32'(f_left_q)) / N && f_left_q != '0 && f_left_q <= 11'd1028);
      p1_total: assert (f_left_q < f_seg_total_q && f_seg_total_q <= 11'd1028);
    end
    if (f_held && !f_twice_q) p6_held: assert (log_q == f_log_q);
    if (seg_q) p6_segment: assert (log_q == f_seg_log_q);
    if (open_q) p6_open: assert (f_of_q == log_q);
    if (!f_twice_q) p1_held: assert (f_in_q == f_held);
    if (f_held && !f_twice_q)
      p1_byte: assert ((res_keep_q[Gran*f_g+f_b] ? res_q[8*(Gran*f_g+f_b)+:8] : 8'd0) == f_byte_q);
    if (open_q && seg_q)
      p2_open: assert (left_q != '0 && f_beats_q == ((1 << PageW) - 32'(word_q[PageW-1:0]) < 32'(left_q) ?
                       9'((1 << PageW) - 32'(word_q[PageW-1:0])) : 9'(left_q)) && word_q[PageW-1:0] != '0);
    p1_seg: assert (f_seg_q == seg_q);
    if (open_q && !seg_q) p2_drain: assert (res_valid_q[N-1] && f_beats_q == 9'd1 && word_q[PageW-1:0] != '0);
    if (flush_q) p3_flush: assert (!seg_q && |res_valid_q);
    if (aw_done_q) p3_aw_done: assert (f_w_wait_q && !open_q);
    p4_bursts: assert (bfull_q == (32'(bfifo_level) == Outstanding) &&
                       bnear_q == (32'(bfifo_level) + 32'd1 == Outstanding));
    p4_ids: assert (ifull_q == (32'(ids_level) == Ids) && inear_q == (32'(ids_level) + 32'd1 == Ids));
    p4_room: assert (!(burst_q && bfull_q) && !(id_q && ifull_q));
  end

  // ---- outputs -----------------------------------------------------------------------------------------------------
  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_written && !f_twice) begin
      p1_once: assert (f_in_q || f_brought);
      p6_log: assert ((open_q ? f_of_q : aw_log_o) == (f_in_q ? f_log_q : in_id_i.log));
      p1_value: assert (w_data_o[8*(Gran*f_g+f_b)+:8] == (f_in_q ? f_byte_q : f_byte));
    end
    if (aw_valid_o) p2_page: assert (32'(aw_addr_o[11:0]) + (32'(aw_len_o) + 32'd1) * (cm_pkg::DataW / 8) <= 32'd4096);
    if (w_valid_o) p2_last: assert (w_last_o == (f_beats == 9'd1));
    if (f_aw_wait_q) p3_aw: assert (aw_valid_o && {aw_log_o, aw_addr_o, aw_len_o} == f_aw_q);
    if (f_w_wait_q) p3_w: assert (w_valid_o && {w_strb_o, w_last_o} == f_w_q);
    if (!in_valid_i && !seg_q && |res_valid_q && bfifo_ready) p5_leaves: assert (w_valid_o);
    c_long: cover (fire && w_last_o && f_beats_q == 9'd1 && open_q);
    c_merge: cover (fire && !flush && !seg_q && |res_valid_q && f_in_q && f_written);
    c_flush: cover (fire && flush && f_written);
    c_done: cover (done_valid_o && done_ready_i);
  end
