// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_regs: one bit of one register is followed; the codes of records choose one counter at most each. That
// counters count is cm_count's.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_word, 4)
  `FV_ANYCONST(f_bit, 6)

  logic f_want_q, f_known_q, f_there;
  logic [63:0] f_fields;
  always_comb begin
    f_fields = 64'd0;
    if (f_word == 4'd2) f_fields = 64'h0000_FFFF_FFFF_FFFF;
    if (f_word == 4'd3) f_fields = 64'h0000_00FF_FFFF_FFFF;
    if (f_word == 4'd4 || f_word == 4'd5) f_fields = 64'hFFFF;
    if (f_word == 4'd6) f_fields = 64'h77;
    if (f_word == 4'd7 || f_word == 4'd9) f_fields = 64'hFFFF_FFFF;
    if (f_word == 4'd10 || f_word == 4'd11) f_fields = '1;
    if (f_word == 4'd12) f_fields = 64'hFFFF_FFFF;
    if (f_word == 4'd13) f_fields = 64'hFF_07FF_07FF;
    if (f_word == 4'd14) f_fields = 64'h7FF_07FF_FFFF;
    f_there = f_fields[f_bit];
  end

  logic [19:3] f_addr_q;
  logic        f_we_q;
  always_ff @(posedge clk_i) begin
    f_addr_q <= rb_i.addr;
    f_we_q   <= rb_i.we;
    if (!rst_ni) begin
      f_known_q <= 1'b0;
      f_want_q  <= 1'b0;
    end else if (rb_i.we && rb_i.addr == {13'd0, f_word} && rb_i.wstrb[f_bit[5:3]]) begin
      f_known_q <= 1'b1;
      f_want_q  <= rb_i.wdata[f_bit];
    end
  end

  logic f_state, f_reset;
  logic [63:0] f_rates, f_raises;
  assign f_rates  = {24'd0, fast_q, g_q, 5'd0, least_q, 5'd0, full_q};
  assign f_raises = {21'd0, hyper_q, 5'd0, add_q, raise_q, calm_q};
  always_comb begin
    f_state = 1'b0;
    if (f_word == 4'd2) f_state = cfg_mac_o[f_bit] && f_there;
    if (f_word == 4'd3) f_state = f_there && (f_bit[5] ? cfg_tos_o[f_bit[2:0]] : cfg_ip_o[f_bit[4:0]]);
    if (f_word == 4'd4) f_state = f_there && cfg_qpn_o[f_bit[3:0]];
    if (f_word == 4'd5) f_state = f_there && cfg_rid_o[f_bit[3:0]];
    if (f_word == 4'd6) f_state = f_there && (f_bit[2] ? cfg_mrrs_o[f_bit[1:0]] : cfg_mps_o[f_bit[1:0]]);
    if (f_word == 4'd7) f_state = f_there && cfg_tmo_o[f_bit[4:0]];
    if (f_word == 4'd9) f_state = f_there && cfg_tick_o[f_bit[4:0]];
    if (f_word == 4'd10) f_state = cfg_ip6_o[{1'b1, f_bit}];
    if (f_word == 4'd11) f_state = cfg_ip6_o[{1'b0, f_bit}];
    if (f_word == 4'd12) f_state = f_there && cfg_cnp_o[f_bit[4:0]];
    if (f_word == 4'd13) f_state = f_there && f_rates[f_bit];
    if (f_word == 4'd14) f_state = f_there && f_raises[f_bit];
    f_reset = 1'b0;
    if (f_word == 4'd12) f_reset = 64'd5000 >> f_bit & 1'b1;
    if (f_word == 4'd13) f_reset = 64'h54_0001_0400 >> f_bit & 1'b1;
    if (f_word == 4'd14) f_reset = 64'hA_0001_0505 >> f_bit & 1'b1;
    if (f_word == 4'd4) f_reset = f_bit == 6'd0;
    if (f_word == 4'd6) f_reset = f_bit == 6'd0 || f_bit == 6'd5;
    if (f_word == 4'd9) f_reset = 64'd1000 >> f_bit & 1'b1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_there) p1_kept: assert (f_state == (f_known_q ? f_want_q : f_reset));
    env_setup: assume (!rb_i.we || (f_rst_q && rb_i.addr == f_addr_q && !f_we_q));
    if (rb_i.addr == {13'd0, f_word} && f_word != 4'd0 && f_word != 4'd1)
      p1_read: assert (rb_rdata_o[f_bit] == f_state);
    if (rb_i.addr == 17'd0) p1_id: assert (rb_rdata_o == 64'h0000_0001_4E43_4F54);
    p2_free: assert (tag_free_o == (rb_i.we && rb_i.addr == 17'd8));
    p2_rates: assert (cfg_rate_o.full == (full_q > 11'd1024 ? 11'd1024 : full_q) && cfg_rate_o.least != '0 &&
        cfg_rate_o.least - least_q <= 11'd1);
    p4_we: assert (cnp_we_o == (rb_i.we && rb_i.wstrb != '0 && rb_i.addr == 17'd12) &&
        rate_we_o == (rb_i.we && rb_i.wstrb != '0 && (rb_i.addr == 17'd13 || rb_i.addr == 17'd14)));
    p3_rx: assert ((inc[5:0] & (inc[5:0] - 6'd1)) == 6'd0);
    p3_frame: assert ((inc[17:6] & (inc[17:6] - 12'd1)) == 12'd0 && (ret_valid_i[2] || inc[17:6] == 12'd0));
    p3_tx: assert ((inc[23:19] & (inc[23:19] - 5'd1)) == 5'd0);
    p3_event: assert (!(inc[25] && inc[26]));
    c_kept: cover (f_known_q && f_there && !f_want_q && f_reset);
    c_count: cover (|inc[27:0] && inc[31:28] == 4'hF && &more[29:28]);
  end
