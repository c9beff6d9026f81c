// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_reg_hold: against the addresses where registers and arrays of them begin and end.
`include "fv.svh"

  `FV_INIT_NO_RESET
  logic [19:3] f_addr_q;
  logic [3:0]  f_strb_q;
  logic        f_forgets, f_late, f_held;
  always_ff @(posedge clk_i) begin
    f_addr_q <= rb_i.addr;
    f_strb_q <= rb_i.wstrb[3:0];
  end
  logic [19:0] f_at;  // of the word, in bytes
  assign f_at      = {rb_i.addr, 3'd0};
  assign f_forgets = rb_i.wstrb[3:0] != 4'd0 && (f_at == aa_reg_pkg::RegGCMD || f_at == aa_reg_pkg::RegAA_CTL);
  assign f_late    = f_at == (aa_reg_pkg::RegFSTS & 20'hFFFF8) || f_at == aa_reg_pkg::RegFECTL ||
                     (f_at >= aa_reg_pkg::RegFRCDL &&
                      f_at < aa_reg_pkg::RegFRCDL + 20'(aa_reg_pkg::RegFRCDLNum) * aa_reg_pkg::RegFRCDLStride) ||
                     (f_at >= aa_reg_pkg::RegCNT &&
                      f_at < aa_reg_pkg::RegCNT + 20'(aa_reg_pkg::RegCNTNum) * aa_reg_pkg::RegCNTStride);
  assign f_held    = f_late || f_forgets || f_at == aa_reg_pkg::RegAA_RESET ||
                     (f_at >= aa_reg_pkg::RegAA_PORT &&
                      f_at < aa_reg_pkg::RegAA_PORT + 20'(aa_reg_pkg::RegAA_PORTNum) * aa_reg_pkg::RegAA_PORTStride) ||
                     (f_at >= aa_reg_pkg::RegAA_FLP &&
                      f_at < aa_reg_pkg::RegAA_FLP + 20'(aa_reg_pkg::RegAA_FLPNum) * aa_reg_pkg::RegAA_FLPStride) ||
                     (f_at >= aa_reg_pkg::RegLOG_BASE && f_at < aa_reg_pkg::RegLOG_BASE + 20'h01000);  // a page

  `FV_COMB if (f_past_q) begin
    p1_read: assert (held_r_o == f_late);
    p1_write: assert (held_w_o == f_held);
    if (!rb_i.we || (rb_i.addr == f_addr_q && rb_i.wstrb[3:0] == f_strb_q))
      p2_forget: assert (forget_o == (rb_i.we && f_forgets));
    c_forget: cover (forget_o);
    c_held: cover (rb_i.we && held_w_o && !held_r_o && !forget_o);
  end
