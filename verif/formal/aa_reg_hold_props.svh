// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_reg_hold: against the addresses of REGISTERS.md, as numbers.
`include "fv.svh"

  `FV_INIT_NO_RESET
  logic [19:3] f_addr_q;
  logic [3:0]  f_strb_q;
  logic        f_forgets, f_late, f_held;
  always_ff @(posedge clk_i) begin
    f_addr_q <= rb_addr_i;
    f_strb_q <= rb_wstrb_i;
  end
  assign f_forgets = rb_wstrb_i != 4'd0 && (rb_addr_i == 17'h00003 || rb_addr_i == 17'h00202);
  assign f_late    = rb_addr_i[19:4] == 16'h0003 || (rb_addr_i >= 17'h00044 && rb_addr_i < 17'h00054) ||
                     (rb_addr_i >= 17'h00800 && rb_addr_i < 17'h00840);
  assign f_held    = f_late || f_forgets || rb_addr_i == 17'h0020E || rb_addr_i[19:12] == 8'h02 ||
                     (rb_addr_i >= 17'h00210 && rb_addr_i < 17'h00214) || (rb_addr_i >= 17'h00220 && rb_addr_i < 17'h00228);

  `FV_COMB if (f_past_q) begin
    p1_read: assert (held_r_o == f_late);
    p1_write: assert (held_w_o == f_held);
    if (!rb_we_i || (rb_addr_i == f_addr_q && rb_wstrb_i == f_strb_q)) p2_forget: assert (forget_o == (rb_we_i && f_forgets));
    c_forget: cover (forget_o);
    c_held: cover (rb_we_i && held_w_o && !held_r_o && !forget_o);
  end
