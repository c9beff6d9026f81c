// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_qp. One QP (f_qp) and one of its plain words (f_word), chosen freely, are followed.
`include "fv.svh"
// Rules of README.md: QPR-2, QPR-4, QPR-9, REQ-1.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)
  `FV_ANYCONST(f_word, 5)

  nic_pkg::qp_cfg_t f_row;
  more_t            f_more;
  nic_pkg::qp_go_t  f_go;
  logic [IdxW-1:0]  f_at;
  logic [63:0]      f_mask, f_reset, f_val, f_word_q, f_word_d;
  logic             f_mine, f_on_q, f_bad_q, f_turn, f_known;
  logic [15:0]      f_prod_q, f_next, f_prod;

  assign f_at    = f_qp[IdxW-1:0];
  assign f_known = known_q[f_at];
  assign f_row   = f_known ? row_q[f_at] : {CfgReset, nic_pkg::NameW'(f_qp)};
  assign f_more  = f_known ? more_q[f_at] : MoreReset;
  assign f_go    = f_more.go;
  assign f_prod  = f_known ? prod_q[f_at] : 16'd0;

  // What the words hold, from nic_regs.rdl; the value at reset; where the RAMs keep it.
  always_comb begin
    f_mask  = 64'd0;
    f_reset = 64'd0;
    f_val   = 64'd0;
    unique case (f_word)
      5'd0: begin
        f_mask  = 64'hFFFF_001F_771F_07FE;
        f_reset = 64'hFFFF_0000_7700_0100;
        f_val   = {f_row.pkey, 11'd0, f_row.timeout, 1'b0, f_row.rnr_retry, 1'b0, f_row.retry, 3'd0, f_row.rnr, 5'd0,
                   f_more.mtu,
                   f_row.proc, f_more.vlan, f_more.v6, f_row.recv, 1'b0};
      end
      5'd1: begin
        f_mask = 64'h0000_FFFF_FFFF_FFFF;
        f_val  = {16'd0, f_row.mac};
      end
      5'd2: begin
        f_mask = 64'h00FF_FFFF_FFFF_FFFF;
        f_val  = {8'd0, f_row.qp, f_more.ip4};
      end
      5'd3: begin
        f_mask = 64'h00FF_FFFF_00FF_FFFF;
        f_val  = {8'd0, f_more.spsn, 8'd0, f_more.epsn};
      end
      5'd4: begin
        f_mask = 64'hFFFF_FFFF_FFFF_FFC0;
        f_val  = f_row.ring;
      end
      5'd5: begin
        f_mask  = 64'h0000_0000_FFFF_000F;
        f_reset = 64'h0000_0000_C000_0000;
        f_val   = {32'd0, f_row.port, 12'd0, f_row.ring_size};
      end
      5'd9: begin
        f_mask = 64'hFFFF_FFFF_FFFF_FFFF;
        f_val  = f_more.ip6[127:64];
      end
      5'd10: begin
        f_mask = 64'hFFFF_FFFF_FFFF_FFFF;
        f_val  = f_more.ip6[63:0];
      end
      5'd11: begin
        f_mask = 64'h0000_0000_0000_FFFF;
        f_val  = {48'd0, f_more.tci};
      end
      5'd16: begin
        f_mask = 64'h0000_0000_FF03_FFFF;
        f_val  = {32'd0, f_go.code, 6'd0, f_go.resp_err, f_go.send_err, f_go.cons};
      end
      5'd17: begin
        f_mask = 64'h7FFF_FFFF_03FF_FFFF;
        f_val  = {1'b0, f_go.answers, f_go.again, 6'd0, f_go.msg, f_go.told, f_go.msn};
      end
      5'd18: begin
        f_mask = '1;
        f_val  = f_go.va;
      end
      5'd19: begin
        f_mask = '1;
        f_val  = {f_go.rkey, f_go.left};
      end
      5'd20: begin
        f_mask  = 64'h0000_0000_0000_0FFF;
        f_reset = 64'(f_qp);
        f_val   = {52'd0, f_row.name};
      end
      default: ;
    endcase
  end

  // Words that software writes while the QP is off.
  logic f_plain;
  assign f_plain = f_word < 5'd6 || (f_word > 5'd8 && f_word < 5'd12) || (f_word > 5'd15 && f_word < 5'd21);
  assign f_mine = rb_i.we && {rb_i.addr[16:5], 8'd0} == 20'h10000 + {4'd0, f_qp, 8'd0};
  assign f_turn = f_mine && rb_i.addr[4:0] == 5'd0 && rb_i.wstrb[0] && rb_i.wdata[0] != f_on_q;
  assign f_next = {rb_i.wstrb[1] ? rb_i.wdata[15:8] : f_prod_q[15:8], rb_i.wstrb[0] ? rb_i.wdata[7:0] : f_prod_q[7:0]};

  always_comb for (int unsigned k = 0; k < 8; k++)
    f_word_d[8*k+:8] = rb_i.wstrb[k] ? rb_i.wdata[8*k+:8] : f_word_q[8*k+:8];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_word_q <= f_reset;
      f_on_q   <= 1'b0;
      f_bad_q  <= 1'b0;
      f_prod_q <= 16'd0;
    end else begin
      if (f_mine && rb_i.addr[4:0] == f_word && !f_on_q) f_word_q <= f_word_d & f_mask;
      if (f_turn) f_on_q <= !f_on_q;
      if (f_turn && !f_on_q && f_word > 5'd15 && f_word < 5'd20) f_word_q <= '0;
      if (f_turn && !f_on_q) f_prod_q <= f_go.cons;
      if (f_mine && rb_i.addr[4:0] == 5'd6 && f_on_q) begin
        if (prod_ok) f_prod_q <= f_next;
        else f_bad_q <= 1'b1;
      end
      if (f_mine && rb_i.addr[4:0] == 5'd7 && rb_i.wstrb[2] && rb_i.wdata[18]) f_bad_q <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_word: assert (f_val == f_word_q);
    if (rb_i.addr == 17'({1'b1, f_qp, f_word}) && f_plain)
      p1_read: assert (rb_rdata_o == (f_word_q | 64'(f_word == 5'd0 && f_on_q)));
    if (rb_i.addr[16:13] != 4'd1 || 32'(rb_i.addr[12:5]) >= NumQps || rb_i.addr[4:0] > 5'd20 ||
        rb_i.addr[4:0] == 5'd12)
      p1_other: assert (rb_rdata_o == 64'd0);
    if (idx_i[7:0] == f_qp) p2_on: assert (cfg_o[CfgW-1] == f_on_q);
    if (idx_i[15:8] == f_qp && f_known) p2_cfg: assert (cfg_o[CfgW+:CfgW] == f_row);
    if (32'(idx_i[31:24]) >= NumQps) p2_none: assert (!cfg_o[4*CfgW-1]);
    p2_mtu: assert (f_row.mtu == (f_more.mtu == 3'd0 ? 3'd1 : f_more.mtu > 3'd5 ? 3'd5 : f_more.mtu));
    p2_peer: assert (f_row.ip == (f_more.v6 ? f_more.ip6 : {96'hFFFF, f_more.ip4}) && f_row.tag == f_more.vlan &&
                     f_row.tci == (f_more.vlan ? f_more.tci : 16'd0));
    p3_row: assert (f_row.en == f_on_q && (f_known || !f_on_q));
    p3_start: assert ((start_valid_o && start_qp_o == f_qp) == (f_turn && !f_on_q));
    p3_stop: assert ((stop_valid_o && stop_qp_o == f_qp) == (f_turn && f_on_q));
    if (f_turn && !f_on_q) p3_psn: assert (start_epsn_o == f_more.epsn && start_spsn_o == f_more.spsn);
    if (f_turn && !f_on_q) p5_go: assert (start_go_o == f_go);
    p4_prod: assert (f_prod == f_prod_q && bad_q[f_at] == f_bad_q);
    if (bell_valid_o && bell_qp_o == f_qp) p4_bell: assert (f_on_q && f_mine && bell_prod_o == f_next);

    if (f_mine && rb_i.addr[4:0] == 5'd6) p4_same: assert (prod == f_prod_q && to_prod.PROD == f_next);
    p4_rule: assert (prod_ok == (16'(to_prod.PROD - cons_i) <= 16'd1 << row.ring_size &&
                                 16'(to_prod.PROD - cons_i) >= 16'(prod - cons_i)));

    c_bell: cover (bell_valid_o && bell_qp_o == f_qp && f_prod_q != 16'd0);
    c_bad: cover (f_bad_q && f_on_q);
    c_again: cover (start_valid_o && start_qp_o == f_qp && f_prod_q != 16'd0);
  end
