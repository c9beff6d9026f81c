// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_regs: one bit of NIC_CTX is followed.
`include "fv.svh"
// Rules of README.md: CTX-1, CTX-9.
  `FV_INIT
  `FV_SEES(f_closes, 1, close_valid_o)
  `FV_ANYCONST(f_bit, 6)

  logic f_want_q, f_there, f_close;
  assign f_there = f_bit == 6'd0 || (f_bit >= 6'd4 && f_bit <= 6'd7) || f_bit >= 6'd12;
  assign f_close = rb_i.we && rb_i.addr == 17'h11;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_want_q <= 1'b0;
    else begin
      if (rb_i.we && rb_i.addr == 17'h0F && rb_i.wstrb[f_bit[5:3]] && !some_on_i && !close_valid_o) f_want_q <= rb_i.wdata[f_bit];
    end
  end
  logic f_was_q, f_tried_q, f_done_q;
  always_ff @(posedge clk_i) begin
    f_was_q   <= rst_ni && close_valid_o;
    f_tried_q <= rst_ni && f_close && en_o;
    f_done_q  <= rst_ni && close_done_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_done: assume (!close_done_i || f_closes);
    if (f_there) p1_kept: assert (at_ctx[f_bit] == f_want_q);
    if (f_rst_q && rb_i.addr == 17'h0F && f_there) p1_reads: assert (rb_rdata_o[f_bit] == f_want_q);
    if (rb_i.addr == 17'h0F && !f_there) p1_none: assert (!rb_rdata_o[f_bit]);
    p1_we: assert (cfg_we_o == (rb_i.we && rb_i.addr == 17'h0F && !some_on_i && !close_valid_o));
    p2_bell: assert (!bell_valid_o || (rb_i.we && rb_i.addr == 17'h10 && en_o));
    if (bell_valid_o && rb_i.wstrb == 8'hFF) p2_what: assert (12'(bell_ctx_o) == rb_i.wdata[27:16] && bell_prod_o == rb_i.wdata[15:0]);
    if (close_valid_o && !f_was_q && f_rst_q) p3_begins: assert (f_tried_q);
    if (f_was_q && !f_done_q) p3_stays: assert (close_valid_o);
    if (f_was_q && f_done_q) p3_ends: assert (!close_valid_o);
    if (rb_i.addr == 17'h11) p3_reads: assert (rb_rdata_o == {close_valid_o, 51'd0, 12'(close_ctx_o)});
    if (rb_i.addr != 17'h0F && rb_i.addr != 17'h11) p1_else: assert (rb_rdata_o == '0);
    c_close: cover (close_done_i);
    c_bell: cover (bell_valid_o && bell_prod_o == 16'd5);
  end
