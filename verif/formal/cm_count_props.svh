// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_count. One counter, chosen freely (f_c), is counted again in 64 bits (f_val_q). f_due: cycles until
// the sweep clears its carry, this one included, which bounds how far its low bits can run before: 2 or 1 for a carry
// that is taken (f_add, f_put), else 2 more than to the next taking.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_c_any, 6)
  logic [5:0] f_c;
  assign f_c = 6'(32'(f_c_any) % NumCnt);
  `FV_BELOW(def_c, f_c, NumCnt)

  logic [63:0]      f_val_q, f_inc, f_low, f_most, f_top;
  logic [HighW-1:0] f_word, f_base;
  logic [31:0]      f_due;
  logic             f_big, f_clr_q, f_add, f_put, f_set, f_we_q, f_cleared_q;
  logic [6:0]       f_at, f_at_q;  // what the bus says of the counters: at one, and which

  assign f_big  = f_c == 6'(BytesACnt) || f_c == 6'(BytesBCnt);
  assign f_low  = 64'(low[{f_c, 5'd0}+:32]);
  assign f_most = f_big ? (64'd1 << BytesW) - 64'd1 : 64'd2;
  assign f_top  = f_big ? 64'd1 << BigW : 64'd1 << LowW;
  assign f_base = fresh_q[f_c[IdxW-1:0]] ? '0 : read_q[f_c[IdxW-1:0]];
  assign f_word = f_base + HighW'(carry[f_c]);

  logic [63:0] f_ev;  // those of bytes may be beyond the last
  assign f_ev = 64'(inc_i);
  always_comb begin
    f_inc = 64'd0;
    for (int unsigned i = 0; i < NumCnt; i++) begin
      if (f_c == 6'(i)) f_inc = Twice[i] ? 64'(inc_i[i]) + 64'(more_i[i]) : 64'(inc_i[i]);
    end
    if (f_c == 6'(BytesACnt)) f_inc = f_ev[BytesACnt] ? 64'(bytes_a_i) : 64'd0;
    if (f_c == 6'(BytesBCnt)) f_inc = f_ev[BytesBCnt] ? 64'(bytes_b_i) : 64'd0;
    if (f_c == 6'(CycleCnt)) f_inc = 64'd1;
  end

  always_ff @(posedge clk_i) begin
    f_clr_q     <= rb_we_i && f_at == {1'b1, f_c};
    f_at_q      <= f_at;
    f_we_q      <= rb_we_i;
    f_cleared_q <= rst_ni && (f_cleared_q || (rb_we_i && f_at == {1'b1, f_c}));
    if (!rst_ni || (rb_we_i && f_at == {1'b1, f_c})) f_val_q <= 64'd0;
    else f_val_q <= f_val_q + f_inc;
  end

  // In the first cycles after reset the sweep's place is 1 behind s0 all the same, but takes nothing yet.
  logic [31:0] f_place;
  assign f_place = s0_q == '0 ? NumCnt - 32'd1 : 32'(s0_q) - 32'd1;
  assign f_add   = s2_valid_q && s2_q == f_c[IdxW-1:0];
  assign f_put   = s3_valid_q && s3_q == f_c[IdxW-1:0];
  always_comb begin
    f_due = (32'(f_c) >= f_place ? 32'(f_c) - f_place : 32'(f_c) + NumCnt - f_place) + 32'd3;
    if (f_add && s2_carry_q) f_due = 32'd2;
    if (f_put && s3_carry_q) f_due = 32'd1;
  end

  // The bus: what is read or written is there in the cycle before, which is no write.
  assign f_at  = {rb_sel_i, rb_idx_i};
  assign f_set = f_rst_q && f_at == f_at_q && !f_we_q;
  `FV_COMB if (f_past_q) begin
    env_setup: assume (!rb_we_i || !rst_ni || f_set);
  end

  `FV_COMB if (f_past_q) begin
    if (f_set && f_at == {1'b1, f_c}) p1_read: assert (rb_rdata_o == f_val_q);
    p1_value: assert (f_val_q == (f_big ? {f_word[63-BigW:0], f_low[BigW-1:0]} : {f_word, f_low[LowW-1:0]}));
    if (f_set && !rb_sel_i) p1_other: assert (rb_rdata_o == '0);
    if (f_set && 32'(rb_idx_i) >= NumCnt) p2_none: assert (rb_rdata_o == '0);
    p1_index: assert (idx_q == (f_at_q[6] && 32'(f_at_q[5:0]) < NumCnt ? f_at_q[5:0] : 6'd63));
    if (f_rst_q && !f_we_q && idx_q == f_c) begin
      p1_high: assert (high_q == (f_big ? {f_base[63-BigW:0], BigW'(0)} : {f_base, LowW'(0)}));
      p1_one: assert (one_q == (f_big ? 64'd1 << BigW : 64'd1 << LowW));
    end
    if (f_clr_q) p2_clear: assert (f_val_q == '0);
    p3_low: assert (f_low < f_top);
    if (carry[f_c]) p3_once: assert (f_low + f_most * 64'(f_due) < f_top + f_most);
    p3_sweep: assert (32'(s0_q) < NumCnt && (!s2_valid_q || s1_valid_q) && (!s3_valid_q || s1_valid_q));
    if (s1_valid_q) p3_place: assert (32'(s1_q) == f_place);
    if (s2_valid_q) p3_next: assert (32'(s2_q) == (f_place == 32'd0 ? NumCnt - 32'd1 : f_place - 32'd1));
    if (s3_valid_q) p3_last: assert (32'(s3_q) == (f_place < 32'd2 ? f_place + NumCnt - 32'd2 : f_place - 32'd2));
    if (!s1_valid_q) p3_start: assert (s0_q == '0 && !carry[f_c] && fresh_q == '1 && f_low == 64'd0);
    if ((f_add && s2_carry_q) || (f_put && s3_carry_q)) p3_taken: assert (carry[f_c]);
    if (!fresh_q[f_c[IdxW-1:0]]) p3_copy: assert (sweep_q[f_c] == read_q[f_c[IdxW-1:0]]);
    if (!fresh_q[f_c[IdxW-1:0]] && s1_valid_q && s1_q == f_c[IdxW-1:0]) p3_base: assert (base == read_q[f_c[IdxW-1:0]]);
    if (f_add) p3_held: assert (base_q == f_base);
    if (f_put) p3_sum: assert (sum_q == f_base + HighW'(s3_carry_q));
    c_carry: cover (f_word != '0 && !f_big && f_c != 6'(CycleCnt) && !carry[f_c]);
    c_clear: cover (f_cleared_q && f_set && f_at == {1'b1, f_c} && rb_rdata_o == 64'd3);
    c_bytes: cover (f_big && f_word != '0 && f_at == {1'b1, f_c});
  end
