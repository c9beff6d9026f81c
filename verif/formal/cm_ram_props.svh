// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_ram: one address, chosen freely, stands for all.
`include "fv.svh"

  `FV_INIT_NO_RESET
  `FV_ANYCONST(f_addr, AddrW)

  logic             f_known_q, f_hit_q, f_re_q;
  logic [Width-1:0] f_word_q, f_want_q, f_rdata_q;
  initial f_known_q = 1'b0;
  initial f_hit_q   = 1'b0;
  always_ff @(posedge clk_i) begin
    if (f_past_q && we_i && waddr_i == f_addr) begin
      f_known_q <= 1'b1;
      f_word_q  <= wdata_i;
    end
    if (re_i) f_hit_q <= f_known_q && raddr_i == f_addr && !(we_i && waddr_i == raddr_i);
    if (re_i) f_want_q <= f_word_q;
    f_re_q    <= re_i;
    f_rdata_q <= rdata_o;
  end

  `FV_COMB begin
    if (f_past_q && !Collides) env_collision: assume (!(we_i && re_i && waddr_i == raddr_i));
    if (f_past_q) env_waddr: assume (!we_i || 32'(waddr_i) < Depth);
    if (!f_past_q) p3_first: assert (!f_known_q && !f_hit_q);
    if (32'(f_addr) < Depth) begin
      if (f_hit_q) p1_read: assert (rdata_o == f_want_q);
      if (f_past_q && !f_re_q) p2_keep: assert (rdata_o == f_rdata_q);
      if (f_known_q) p3_kept: assert (mem_q[f_addr] == f_word_q);
    end
    c_read: cover (f_past_q && f_hit_q && f_re_q && rdata_o != '0);
    c_keep: cover (f_past_q && f_hit_q && !f_re_q && f_word_q != f_want_q);
  end
