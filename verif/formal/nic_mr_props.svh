// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_mr. One region (f_mr), chosen freely, is followed: what its words were last written with, and what
// was committed; the look-ups are judged by that copy.
`include "fv.svh"
// Rules of README.md: QPR-5, QPR-6.
  `FV_INIT
  `FV_ANYCONST(f_mr, 8)
  `FV_BELOW(def_mr, f_mr, NumMrs)

  logic [IdxW-1:0] f_at;
  logic            f_here, f_mine, f_k;  // one of its words was on the bus in the cycle before; is written
  logic [16:0]     f_addr_q;
  localparam logic [1:0] FBase = 2'(nic_reg_pkg::RegMR_BASE >> 3), FLen = 2'(nic_reg_pkg::RegMR_LEN >> 3),
                         FKey = 2'(nic_reg_pkg::RegMR_KEY >> 3);
  nic_reg_pkg::mr_len_t f_keep_len;
  nic_reg_pkg::mr_key_t f_keep_key, f_has;
  logic [63:0]     f_base_q, f_base, f_len_q, f_len, f_key_q, f_key;  // waiting; MR_KEY as read
  wait_t           f_held_q;                                          // base and length committed
  logic            f_v1_q, f_v2_q;
  logic [1:0]      f_my_q;
  logic            f_ok, f_ok1_q, f_ok2_q, f_paged1_q, f_paged2_q;
  wait_t           f_w;
  mr_t             f_m;

  assign f_at   = f_mr[IdxW-1:0];
  assign f_k    = known_q[f_at];
  assign f_w    = f_k ? wait_q[f_at] : '0;
  assign f_m    = f_k ? mr_q[f_at] : '0;
  always_ff @(posedge clk_i) f_addr_q <= rb_i.addr;
  assign f_here = {f_addr_q[16:2], 5'd0} == nic_reg_pkg::RegMR_BASE + 20'(f_mr) * nic_reg_pkg::RegMR_BASEStride;
  assign f_mine = rb_i.we && {rb_i.addr[16:2], 5'd0} == nic_reg_pkg::RegMR_BASE + 20'(f_mr) *
                  nic_reg_pkg::RegMR_BASEStride;
  assign f_has  = f_key_q;
  always_comb begin
    f_keep_len       = '0;
    f_keep_len.LEN   = '1;
    f_keep_key       = '1;
    f_keep_key.rsv62 = '0;
    f_keep_key.rsv39 = '0;
  end
  always_comb begin
    f_base = f_base_q;
    f_len  = f_len_q;
    f_key  = f_key_q;
    for (int unsigned k = 0; k < 8; k++) begin
      if (f_mine && rb_i.wstrb[k] && rb_i.addr[1:0] == FBase) f_base[8*k+:8] = rb_i.wdata[8*k+:8];
      if (f_mine && rb_i.wstrb[k] && rb_i.addr[1:0] == FLen) f_len[8*k+:8] = rb_i.wdata[8*k+:8];
      if (f_mine && rb_i.wstrb[k] && rb_i.addr[1:0] == FKey) f_key[8*k+:8] = rb_i.wdata[8*k+:8];
    end
    // Invalidated, unless committed anew.
    if (off_valid_i && off_idx_i == f_mr && !(f_mine && rb_i.addr[1:0] == FKey))
      f_key[nic_reg_pkg::MR_KEY_EN_Lsb] = 1'b0;
  end

  // The rule of P2, on the copy; p2_exact says that it is the one of exact numbers.
  logic [64:0] f_off;
  assign f_off = {1'b0, va_i} - {1'b0, f_held_q.base};
  assign f_ok = f_has.EN && f_has.KEY == key_i && f_has.PROC == proc_i &&
                (right_i == 3'd0 || (|({f_has.A, f_has.W, f_has.R} & right_i) &&
                f_off[64:49] == 16'd0 && {1'b0, f_off[48:0]} + {18'd0, len_i} <= {1'b0, f_held_q.len}));

  always_ff @(posedge clk_i) begin
    f_my_q  <= {f_my_q[0], key_i[7:0] == f_mr};
    f_ok1_q <= f_ok;
    f_ok2_q <= f_ok1_q;
    f_paged1_q <= f_has.PAGED;
    f_paged2_q <= f_paged1_q;
    f_v1_q  <= rst_ni && valid_i;
    f_v2_q  <= rst_ni && f_v1_q;
    if (!rst_ni) begin
      f_base_q <= '0;
      f_len_q  <= '0;
      f_key_q  <= '0;
      f_held_q <= '0;
    end else begin
      f_base_q <= f_base;
      f_len_q  <= f_len & f_keep_len;
      f_key_q  <= f_key & f_keep_key;
      if (f_mine && rb_i.addr[1:0] == FKey) f_held_q <= {f_base_q, f_len_q[48:0]};
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (rb_i.we) env_setup: assume (rb_i.addr == f_addr_q);
    p1_decoded: assert (idx_q == f_addr_q[9:2] && {is_key_q, is_len_q, is_base_q} ==
        ({3{f_addr_q[16:10] == 7'(nic_reg_pkg::RegMR_BASE >> 13) && 32'(f_addr_q[9:2]) < NumMrs}} &
         {f_addr_q[1:0] == FKey, f_addr_q[1:0] == FLen, f_addr_q[1:0] == FBase}));
    p1_waits: assert (f_w == {f_base_q, f_len_q[48:0]});
    p1_held: assert ({f_m.base, f_m.len, f_m.paged, f_m.right, f_m.proc, f_m.key} ==
                     {f_held_q, f_has.PAGED, f_has.A, f_has.W, f_has.R, f_has.PROC, f_has.KEY});
    p4_off: assert (f_has.EN == (f_m.en && !off_q[f_at]));
    if (!f_k) p4_fresh: assert (!f_has.EN);
    if (f_here)
      p1_read: assert (rb_rdata_o == (f_addr_q[1:0] == FBase ? f_base_q : f_addr_q[1:0] == FLen ? f_len_q :
                                      f_addr_q[1:0] == FKey ? f_key_q : 64'd0));
    if (f_addr_q[16:10] != 7'(nic_reg_pkg::RegMR_BASE >> 13) || 32'(f_addr_q[9:2]) >= NumMrs)
      p1_other: assert (rb_rdata_o == 64'd0);
    p2_done: assert (done_o == f_v2_q && valid1_q == f_v1_q);
    if (done_o && f_my_q[1]) p2_ok: assert (ok_o == f_ok2_q);
    if (done_o && ok_o && f_my_q[1]) p5_paged: assert (paged_o == f_paged2_q);
    if (valid1_q && hit1_q && f_my_q[0]) p5_half: assert (mr1_q.paged == f_paged1_q);
    if (valid1_q && f_my_q[0]) p2_half: assert (f_ok1_q == (match1 && (right1_q == 3'd0 || (offset[64:49] == 16'd0 &&
                                                {1'b0, offset[48:0]} + {18'd0, len1_q} <= {1'b0, mr1_q.len}))));
    p2_exact: assert ((offset[64:49] == 16'd0 && {1'b0, offset[48:0]} + {18'd0, len1_q} <= {1'b0, mr1_q.len}) ==
                      (!offset[64] && {2'b0, offset[63:0]} + {34'd0, len1_q} <= {17'd0, mr1_q.len}));

    c_ok: cover (done_o && ok_o && f_my_q[1] && f_held_q.len > 49'd4096);
    c_end: cover (done_o && !ok_o && match2_q && below2_q);
    c_off: cover (done_o && !ok_o && f_my_q[1] && f_m.en && off_q[f_at]);
    c_waits: cover (f_w.base != f_m.base && f_m.en);
  end
