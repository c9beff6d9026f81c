// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_reset. f_p is any port. A request is known by its number; f_cut_q, f_fn_q: how many requests at the
// head of its lane are old.
`include "fv.svh"
// Rules of README.md: RST-1, RST-5, RST-6.
  `FV_INIT
  `FV_ANYCONST(f_any_p, 2)
  logic [1:0] f_p;
  assign f_p = 2'(32'(f_any_p) % NumPorts);

  logic [1:0]  f_act;
  logic [15:0] f_mark;
  logic [7:0]  f_wr, f_rd, f_wr_q, f_rd_q, f_cut_q, f_fn_q, f_cut, f_fn, f_len;
  logic        f_done, f_done_q, f_take_q, f_go_q;
  logic [15:0] f_rid_q;
  always_comb begin
    f_wr = '0;
    f_rd = '0;
    f_done = 1'b0;
    f_act = '0;
    f_mark = '0;
    f_cut = f_cut_q;
    for (int unsigned p = 0; p < NumPorts; p++) if (f_p == 2'(p)) begin
      f_wr = wr_ptr_i[8*p+:8];
      f_rd = rd_ptr_i[8*p+:8];
      f_done = done_i[p];
      f_act = act_q[2*p+:2];
      f_mark = mark_q[16*p+:16];
    end
    f_len = f_wr - f_rd;
    for (int unsigned p = 0; p < NumPorts; p++) if (f_p == 2'(p) && dev_reset_i[p]) f_cut = f_len;
    f_fn = f_take_q ? f_len : f_fn_q;
  end

  always_ff @(posedge clk_i) begin
    f_wr_q <= f_wr;
    f_rd_q <= f_rd;
    f_done_q <= rst_ni && f_done;
    f_take_q <= rst_ni && take;
    if (!rst_ni) begin
      f_cut_q <= '0;
      f_fn_q <= '0;
      f_go_q <= 1'b0;
      f_rid_q <= '0;
    end else begin
      f_cut_q <= f_cut - 8'(f_done && f_cut != '0);
      f_fn_q <= f_fn - 8'(f_done && f_fn != '0);
      if (take) f_go_q <= 1'b1;
      else if (note_valid_o && note_ready_i) f_go_q <= 1'b0;
      if (!f_go_q) for (int unsigned k = 0; k < 16; k++)
        if (rb_i.we && rb_i.addr == 17'(aa_reg_pkg::RegAA_RESET >> 3) && rb_i.wstrb[k/8]) f_rid_q[k] <= rb_i.wdata[k];
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // A lane is decided in order, one at a time, and never longer than 128 (aa_iommu).
    env_len: assume (f_len <= 8'd128);
    env_done: assume (!f_done || f_len != '0);
    if (f_rst_q) env_moves: assume (f_rd == f_rd_q + 8'(f_done_q) && f_wr - f_wr_q <= 8'd1);
    if (f_len != '0) p1_old: assert (old_o[NumPorts == 1 ? 2'd0 : f_p] == (f_cut != '0));
    if (f_len != '0) p1_fn: assert (old_fn_o[NumPorts == 1 ? 2'd0 : f_p] == (f_fn != '0));
    p1_within: assert (f_cut_q <= f_len && f_fn_q <= f_len);
    p1_mark: assert (f_act == {f_fn_q != '0, f_cut_q != '0} && (!f_act[0] || f_mark[7:0] == f_rd + f_cut_q) &&
                     (!f_act[1] || f_mark[15:8] == f_rd + f_fn_q));
    p2_go: assert (go_q == f_go_q && rid_q == f_rid_q && start_q == f_take_q && (!start_q || go_q));
    if (note_valid_o) p2_end: assert (f_go_q && f_fn == '0 && pass_i == 2'b11 && note_o.code == aa_pkg::NoteReset &&
                                      note_o.kind == aa_pkg::RetNotify && note_o.a == 64'(f_rid_q));
    if (f_go_q && !f_take_q && old_fn_o == '0 && pass_i == 2'b11) p2_ends: assert (note_valid_o == !(rb_i.we && mine));
    p2_read: assert (rb_rdata_o == (rb_i.addr == 17'(aa_reg_pkg::RegAA_RESET >> 3) ? {f_go_q, 47'd0, f_rid_q} : 64'd0));
    p3_fn: assert (fn_o == f_go_q && fn_rid_o == f_rid_q);
    c_old: cover (old_o != '0 && f_cut_q == 8'd1 && f_len == 8'd3);
    c_end: cover (note_valid_o && f_rid_q == 16'h1234);
  end
