// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_regs: one bit of one register is followed; the codes of records choose one counter at most each. That
// counters count is cm_count's.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_word, 4)
  `FV_ANYCONST(f_bit, 6)

  // The registers, by their word.
  localparam logic [3:0] FId = 4'(nic_reg_pkg::RegNIC_ID >> 3);
  localparam logic [3:0] FCap = 4'(nic_reg_pkg::RegNIC_CAP >> 3);
  localparam logic [3:0] FMac = 4'(nic_reg_pkg::RegNIC_MAC >> 3);
  localparam logic [3:0] FIp = 4'(nic_reg_pkg::RegNIC_IP >> 3);
  localparam logic [3:0] FQpn = 4'(nic_reg_pkg::RegNIC_QPN >> 3);
  localparam logic [3:0] FRid = 4'(nic_reg_pkg::RegNIC_RID >> 3);
  localparam logic [3:0] FDma = 4'(nic_reg_pkg::RegNIC_DMA >> 3);
  localparam logic [3:0] FCplTmo = 4'(nic_reg_pkg::RegNIC_CPL_TMO >> 3);
  localparam logic [3:0] FTagFree = 4'(nic_reg_pkg::RegNIC_TAG_FREE >> 3);
  localparam logic [3:0] FTick = 4'(nic_reg_pkg::RegNIC_TICK >> 3);
  localparam logic [3:0] FIp6Hi = 4'(nic_reg_pkg::RegNIC_IP6_HI >> 3);
  localparam logic [3:0] FIp6Lo = 4'(nic_reg_pkg::RegNIC_IP6_LO >> 3);
  localparam logic [3:0] FCnp = 4'(nic_reg_pkg::RegNIC_CNP >> 3);
  localparam logic [3:0] FRate = 4'(nic_reg_pkg::RegNIC_RATE >> 3);
  localparam logic [3:0] FRaise = 4'(nic_reg_pkg::RegNIC_RAISE >> 3);

  logic f_want_q, f_known_q, f_there;
  logic [63:0] f_fields;
  always_comb begin
    f_fields = 64'd0;
    if (f_word == FMac) f_fields = 64'h0000_FFFF_FFFF_FFFF;
    if (f_word == FIp) f_fields = 64'h0000_00FF_FFFF_FFFF;
    if (f_word == FQpn || f_word == FRid) f_fields = 64'hFFFF;
    if (f_word == FDma) f_fields = 64'h77;
    if (f_word == FCplTmo || f_word == FTick) f_fields = 64'hFFFF_FFFF;
    if (f_word == FIp6Hi || f_word == FIp6Lo) f_fields = '1;
    if (f_word == FCnp) f_fields = 64'hFFFF_FFFF;
    if (f_word == FRate) f_fields = 64'hFF_07FF_07FF;
    if (f_word == FRaise) f_fields = 64'h7FF_07FF_FFFF;
    f_there = f_fields[f_bit];
  end

  logic [63:0] f_read_q;  // what was shown in the cycle before
  always_ff @(posedge clk_i) f_read_q <= rb_rdata_o;
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
    if (f_word == FMac) f_state = cfg_mac_o[f_bit] && f_there;
    if (f_word == FIp) f_state = f_there && (f_bit[5] ? cfg_tos_o[f_bit[2:0]] : cfg_ip_o[f_bit[4:0]]);
    if (f_word == FQpn) f_state = f_there && cfg_qpn_o[f_bit[3:0]];
    if (f_word == FRid) f_state = f_there && cfg_rid_o[f_bit[3:0]];
    if (f_word == FDma) f_state = f_there && (f_bit[2] ? cfg_mrrs_o[f_bit[1:0]] : cfg_mps_o[f_bit[1:0]]);
    if (f_word == FCplTmo) f_state = f_there && cfg_tmo_o[f_bit[4:0]];
    if (f_word == FTick) f_state = f_there && cfg_tick_o[f_bit[4:0]];
    if (f_word == FIp6Hi) f_state = cfg_ip6_o[{1'b1, f_bit}];
    if (f_word == FIp6Lo) f_state = cfg_ip6_o[{1'b0, f_bit}];
    if (f_word == FCnp) f_state = f_there && cfg_cnp_o[f_bit[4:0]];
    if (f_word == FRate) f_state = f_there && f_rates[f_bit];
    if (f_word == FRaise) f_state = f_there && f_raises[f_bit];
    f_reset = 1'b0;
    if (f_word == FCnp) f_reset = nic_reg_pkg::ResetNIC_CNP >> f_bit & 1'b1;
    if (f_word == FRate) f_reset = nic_reg_pkg::ResetNIC_RATE >> f_bit & 1'b1;
    if (f_word == FRaise) f_reset = nic_reg_pkg::ResetNIC_RAISE >> f_bit & 1'b1;
    if (f_word == FQpn) f_reset = nic_reg_pkg::ResetNIC_QPN >> f_bit & 1'b1;
    if (f_word == FDma) f_reset = nic_reg_pkg::ResetNIC_DMA >> f_bit & 1'b1;
    if (f_word == FTick) f_reset = nic_reg_pkg::ResetNIC_TICK >> f_bit & 1'b1;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_there) p1_kept: assert (f_state == (f_known_q ? f_want_q : f_reset));
    env_setup: assume (!rb_i.we || (f_rst_q && rb_i.addr == f_addr_q && !f_we_q));
    p1_decoded: assert (mine_q == (f_addr_q[19:7] == '0) && word_q == f_addr_q[6:3]);
    if (f_addr_q == {13'd0, f_word} && f_word != FId && f_word != FCap)
      p1_read: assert (rb_rdata_o[f_bit] == f_state);
    if (f_addr_q == 17'(FId)) p1_id: assert (rb_rdata_o == nic_reg_pkg::ResetNIC_ID);
    p4_late: assert (rb_late_o == f_read_q);
    p2_free: assert (tag_free_o == (rb_i.we && rb_i.addr == 17'(FTagFree)));
    p2_rates: assert (cfg_rate_o.full == (full_q > 11'd1024 ? 11'd1024 : full_q) && cfg_rate_o.least != '0 &&
        cfg_rate_o.least - least_q <= 11'd1);
    p5_we: assert (cnp_we_o == (rb_i.we && rb_i.wstrb != '0 && rb_i.addr == 17'(FCnp)) &&
        rate_we_o == (rb_i.we && rb_i.wstrb != '0 && (rb_i.addr == 17'(FRate) || rb_i.addr == 17'(FRaise))));
    p3_rx: assert ((inc[5:0] & (inc[5:0] - 6'd1)) == 6'd0);
    p3_frame: assert ((inc[17:6] & (inc[17:6] - 12'd1)) == 12'd0 && (seen_q[2] || inc[17:6] == 12'd0));
    p3_tx: assert ((inc[23:19] & (inc[23:19] - 5'd1)) == 5'd0);
    p3_event: assert (!(inc[25] && inc[26]));
    c_kept: cover (f_known_q && f_there && !f_want_q && f_reset);
    c_count: cover (|inc[27:0] && inc[31:28] == 4'hF && &more[29:28]);
  end
