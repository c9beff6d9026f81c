// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_lutram: one address, chosen freely, stands for all.
`include "fv.svh"

  `FV_INIT_NO_RESET
  `FV_ANYCONST(f_addr, AddrW)

  logic             f_known_q;
  logic [Width-1:0] f_word_q;
  initial f_known_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (we_i && waddr_i == f_addr) begin
      f_known_q <= 1'b1;
      f_word_q  <= wdata_i;
    end
  end

  `FV_COMB begin
    // Before the first edge registers hold anything.
    if (f_past_q) env_waddr: assume (!we_i || 32'(waddr_i) < Depth);
    if (f_known_q && 32'(f_addr) < Depth) begin
      if (raddr_i == f_addr) p1_last_write: assert (rdata_o == f_word_q);
      p2_kept: assert (mem_q[f_addr] == f_word_q);
    end
    c_read: cover (f_past_q && f_known_q && raddr_i == f_addr && rdata_o != '0);
    c_write_read: cover (f_past_q && f_known_q && we_i && waddr_i == f_addr && raddr_i == f_addr && wdata_i != rdata_o);
  end
