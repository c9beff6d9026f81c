// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_regs: one bit of NIC_CTX is followed.
`include "fv.svh"
// Rules of README.md: CTX-1, CTX-9.
  `FV_INIT
  `FV_SEES(f_closes, 1, close_valid_o)
  `FV_ANYCONST(f_bit, 6)

  localparam logic [16:0] FCtx = 17'(nic_reg_pkg::RegNIC_CTX >> 3), FBell = 17'(nic_reg_pkg::RegNIC_BELL >> 3),
                          FClose = 17'(nic_reg_pkg::RegNIC_CLOSE >> 3);
  nic_reg_pkg::nic_ctx_t  f_fields;  // all ones where it has a field
  nic_reg_pkg::nic_bell_t f_w_bell;
  logic f_want_q, f_there, f_close;
  always_comb begin
    f_fields      = '0;
    f_fields.EN   = '1;
    f_fields.PROC = '1;
    f_fields.ADDR = '1;
  end
  always_comb
    for (int unsigned b = 0; b < 8; b++) f_w_bell[8*b+:8] = rb_i.wstrb[b] ? rb_i.wdata[8*b+:8] : 8'd0;
  assign f_there = 1'(f_fields >> f_bit);
  assign f_close = rb_i.we && rb_i.addr == FClose;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_want_q <= 1'b0;
    else begin
      if (rb_i.we && rb_i.addr == FCtx && rb_i.wstrb[f_bit[5:3]] && !some_on_i && !close_valid_o)
        f_want_q <= rb_i.wdata[f_bit];
    end
  end
  logic f_was_q, f_tried_q, f_done_q;
  always_ff @(posedge clk_i) begin
    f_was_q   <= rst_ni && close_valid_o;
    f_tried_q <= rst_ni && f_close && en_o && rb_i.wstrb[1:0] != '0;
    f_done_q  <= rst_ni && close_done_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_done: assume (!close_done_i || f_closes);
    if (f_there) p1_kept: assert (at_ctx[f_bit] == f_want_q);
    if (f_rst_q && rb_i.addr == FCtx && f_there) p1_reads: assert (rb_rdata_o[f_bit] == f_want_q);
    if (rb_i.addr == FCtx && !f_there) p1_none: assert (!rb_rdata_o[f_bit]);
    p1_we: assert (cfg_we_o == (rb_i.we && rb_i.addr == FCtx && !some_on_i && !close_valid_o));
    p2_bell: assert (!bell_valid_o || (rb_i.we && rb_i.addr == FBell && en_o));
    if (bell_valid_o)
      p2_what: assert (12'(bell_ctx_o) == f_w_bell.CTX && bell_prod_o == f_w_bell.PROD);
    if (rb_i.wstrb[3:0] == '0) p4_half: assert (!bell_valid_o);
    if (close_valid_o && !f_was_q && f_rst_q) p3_begins: assert (f_tried_q);
    if (f_was_q && !f_done_q) p3_stays: assert (close_valid_o);
    if (f_was_q && f_done_q) p3_ends: assert (!close_valid_o);
    if (rb_i.addr == FClose) p3_reads: assert (rb_rdata_o == {close_valid_o, 51'd0, 12'(close_ctx_o)});
    if (rb_i.addr != FCtx && rb_i.addr != FClose) p1_else: assert (rb_rdata_o == '0);
    c_close: cover (close_done_i);
    c_bell: cover (bell_valid_o && bell_prod_o == 16'd5);
  end
