// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_reg_hold: against the addresses of REGISTERS.md, as numbers.
`include "fv.svh"

  `FV_INIT_NO_RESET
  logic [19:3] f_addr_q;
  logic [3:0]  f_strb_q;
  logic        f_forgets, f_late, f_held;
  always_ff @(posedge clk_i) begin
    f_addr_q <= rb_i.addr;
    f_strb_q <= rb_i.wstrb[3:0];
  end
  assign f_forgets = rb_i.wstrb[3:0] != 4'd0 && (rb_i.addr == 17'h00003 || rb_i.addr == 17'h00202);
  assign f_late    = rb_i.addr[16:1] == 16'h0003 || (rb_i.addr >= 17'h00044 && rb_i.addr < 17'h00054) ||
                     (rb_i.addr >= 17'h00800 && rb_i.addr < 17'h00840);
  assign f_held    = f_late || f_forgets || rb_i.addr == 17'h0020E || rb_i.addr[16:9] == 8'h02 ||
                     (rb_i.addr >= 17'h00210 && rb_i.addr < 17'h00214) ||
                     (rb_i.addr >= 17'h00220 && rb_i.addr < 17'h00228);

  `FV_COMB if (f_past_q) begin
    p1_read: assert (held_r_o == f_late);
    p1_write: assert (held_w_o == f_held);
    if (!rb_i.we || (rb_i.addr == f_addr_q && rb_i.wstrb[3:0] == f_strb_q))
      p2_forget: assert (forget_o == (rb_i.we && f_forgets));
    c_forget: cover (forget_o);
    c_held: cover (rb_i.we && held_w_o && !held_r_o && !forget_o);
  end
