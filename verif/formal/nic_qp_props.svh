// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_qp. One QP (f_qp) and one of its plain words (f_word), chosen freely, are followed.
`include "fv.svh"
// Rules of README.md: QPR-2, QPR-4, QPR-9, REQ-1.
  `FV_INIT
  `FV_SEES(f_ready, 1, ready_o)
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)
  `FV_ANYCONST(f_word, 5)

  // The words of a queue pair, by their place among its 32.
  localparam logic [4:0] FCtl = 5'(nic_reg_pkg::RegQP_CTL >> 3);
  localparam logic [4:0] FMac = 5'(nic_reg_pkg::RegQP_MAC >> 3);
  localparam logic [4:0] FPeer = 5'(nic_reg_pkg::RegQP_PEER >> 3);
  localparam logic [4:0] FPsn = 5'(nic_reg_pkg::RegQP_PSN >> 3);
  localparam logic [4:0] FRing = 5'(nic_reg_pkg::RegQP_RING >> 3);
  localparam logic [4:0] FRingc = 5'(nic_reg_pkg::RegQP_RINGC >> 3);
  localparam logic [4:0] FProd = 5'(nic_reg_pkg::RegQP_PROD >> 3);
  localparam logic [4:0] FSts = 5'(nic_reg_pkg::RegQP_STS >> 3);
  localparam logic [4:0] FIp6Hi = 5'(nic_reg_pkg::RegQP_IP6_HI >> 3);
  localparam logic [4:0] FIp6Lo = 5'(nic_reg_pkg::RegQP_IP6_LO >> 3);
  localparam logic [4:0] FVlan = 5'(nic_reg_pkg::RegQP_VLAN >> 3);
  localparam logic [4:0] FRate = 5'(nic_reg_pkg::RegQP_RATE >> 3);
  localparam logic [4:0] FBegin = 5'(nic_reg_pkg::RegQP_BEGIN >> 3);
  localparam logic [4:0] FBeginMsg = 5'(nic_reg_pkg::RegQP_BEGIN_MSG >> 3);
  localparam logic [4:0] FBeginVa = 5'(nic_reg_pkg::RegQP_BEGIN_VA >> 3);
  localparam logic [4:0] FBeginRest = 5'(nic_reg_pkg::RegQP_BEGIN_REST >> 3);
  localparam logic [4:0] FName = 5'(nic_reg_pkg::RegQP_NAME >> 3);

  // What the RAMs hold of it: its words; what they say to the readers, and of its peer.
  logic [63:0]                 f_words [Words];
  logic [Words-1:0]            f_there;
  nic_reg_pkg::qp_ctl_t        f_ctl;
  nic_reg_pkg::qp_mac_t        f_mac;
  nic_reg_pkg::qp_peer_t       f_peer;
  nic_reg_pkg::qp_psn_t        f_psn;
  nic_reg_pkg::qp_ring_t       f_ring;
  nic_reg_pkg::qp_ringc_t      f_ringc;
  nic_reg_pkg::qp_vlan_t       f_vlan;
  nic_reg_pkg::qp_begin_t      f_begin;
  nic_reg_pkg::qp_begin_msg_t  f_bmsg;
  nic_reg_pkg::qp_begin_rest_t f_brest;
  nic_reg_pkg::qp_name_t       f_name;
  logic [63:0]                 f_ip6h, f_ip6l, f_bva;
  nic_pkg::qp_cfg_t            f_row;
  nic_pkg::peer_t              f_to;
  nic_reg_pkg::qp_ctl_t        f_new;  // QP_CTL as the write makes it
  nic_pkg::qp_go_t             f_go;
  logic [IdxW-1:0]             f_at;
  logic [63:0]                 f_mask, f_reset, f_val, f_word_q, f_word_d;
  logic                        f_mine, f_on_q, f_bad_q, f_turn, f_known;
  logic [15:0]                 f_prod_q, f_next, f_prod;

  assign f_at    = f_qp[IdxW-1:0];
  assign f_known = known_q[f_at];
  assign f_there = f_known ? there_q[f_at] : '0;
  for (genvar w = 0; w < Words; w++) begin : gen_f_word
    assign f_words[w] = f_there[w] ? word_q[{f_at, 4'(w)}] : w == 32'(WCtl) ? nic_reg_pkg::ResetQP_CTL :
                        w == 32'(WRingc) ? nic_reg_pkg::ResetQP_RINGC : w == 32'(WName) ? 64'(f_qp) : 64'd0;
  end
  assign f_ctl   = f_words[WCtl];
  assign f_mac   = f_words[WMac];
  assign f_peer  = f_words[WPeer];
  assign f_psn   = f_words[WPsn];
  assign f_ring  = f_words[WRing];
  assign f_ringc = f_words[WRingc];
  assign f_name  = f_words[WName];
  assign f_ip6h  = f_words[WIp6h];
  assign f_ip6l  = f_words[WIp6l];
  assign f_vlan  = f_words[WVlan];
  assign f_begin = f_words[WBegin];
  assign f_bmsg  = f_words[WBmsg];
  assign f_bva   = f_words[WBva];
  assign f_brest = f_words[WBrest];
  // A start may change QP_CTL with the same write, which waits while it is read; then all of it stands still.
  assign f_new = cm_pkg::merge(f_on_q ? 8'd0 : rb_i.wstrb, rb_i.wdata, f_ctl);
  always_comb begin
    f_to.mac  = f_mac.MAC;
    f_to.ip   = f_new.IPV6 ? {f_ip6h, f_ip6l} : {96'hFFFF, f_peer.IP};
    f_to.v6   = f_to.ip[127:32] != 96'hFFFF;
    f_to.tag  = f_new.VLAN;
    f_to.tci  = f_new.VLAN ? f_vlan.TCI : 16'd0;
    f_to.port = f_ringc.PORT;
    f_to.pkey = f_new.PKEY;
    f_to.qp   = f_peer.QP;
    f_row.en        = f_on_q;
    f_row.proc      = f_new.PROC;
    f_row.mtu       = f_new.MTU == 3'd0 ? 3'd1 : f_new.MTU > 3'd5 ? 3'd5 : f_new.MTU;
    f_row.rnr       = f_new.RNR;
    f_row.retry     = f_new.RETRY;
    f_row.rnr_retry = f_new.RNR_RETRY;
    f_row.timeout   = f_new.TIMEOUT;
    f_row.pkey      = f_new.PKEY;
    f_row.ip        = f_to.ip;
    f_row.tci       = f_to.tci;
    f_row.ring      = {f_ring.ADDR, 6'd0};
    f_row.ring_size = f_ringc.SIZE;
    f_row.recv      = f_new.RECV;
    f_row.name      = f_name.NAME;
  end
  assign f_go   = {f_begin.CONS, f_begin.SEND_ERR, f_begin.CODE, f_begin.RESP_ERR, f_bmsg.MSN, f_bmsg.AGAIN,
                   f_bmsg.TOLD, f_bmsg.WRITE, f_bva, f_brest.LEFT, f_brest.RKEY, f_bmsg.ANSWERS};
  assign f_prod = f_known ? prod_q[f_at] : 16'd0;

  // What the words hold, from nic_regs.rdl; the value at reset; where the RAMs keep it.
  always_comb begin
    f_mask  = 64'd0;
    f_reset = 64'd0;
    f_val   = 64'd0;
    unique case (f_word)
      FCtl: begin
        f_mask  = 64'hFFFF_001F_771F_07FE;
        f_reset = nic_reg_pkg::ResetQP_CTL;
        f_val   = {f_ctl.PKEY, 11'd0, f_ctl.TIMEOUT, 1'b0, f_ctl.RNR_RETRY, 1'b0, f_ctl.RETRY, 3'd0, f_ctl.RNR, 5'd0,
                   f_ctl.MTU, f_ctl.PROC, f_ctl.VLAN, f_ctl.IPV6, f_ctl.RECV, 1'b0};
      end
      FMac: begin
        f_mask = 64'h0000_FFFF_FFFF_FFFF;
        f_val  = {16'd0, f_mac.MAC};
      end
      FPeer: begin
        f_mask = 64'h00FF_FFFF_FFFF_FFFF;
        f_val  = {8'd0, f_peer.QP, f_peer.IP};
      end
      FPsn: begin
        f_mask = 64'h00FF_FFFF_00FF_FFFF;
        f_val  = {8'd0, f_psn.SPSN, 8'd0, f_psn.EPSN};
      end
      FRing: begin
        f_mask = 64'hFFFF_FFFF_FFFF_FFC0;
        f_val  = {f_ring.ADDR, 6'd0};
      end
      FRingc: begin
        f_mask  = 64'h0000_0000_FFFF_000F;
        f_reset = nic_reg_pkg::ResetQP_RINGC;
        f_val   = {32'd0, f_ringc.PORT, 12'd0, f_ringc.SIZE};
      end
      FIp6Hi: begin
        f_mask = 64'hFFFF_FFFF_FFFF_FFFF;
        f_val  = f_ip6h;
      end
      FIp6Lo: begin
        f_mask = 64'hFFFF_FFFF_FFFF_FFFF;
        f_val  = f_ip6l;
      end
      FVlan: begin
        f_mask = 64'h0000_0000_0000_FFFF;
        f_val  = {48'd0, f_vlan.TCI};
      end
      FBegin: begin
        f_mask = 64'h0000_0000_FF03_FFFF;
        f_val  = {32'd0, f_go.code, 6'd0, f_go.resp_err, f_go.send_err, f_go.cons};
      end
      FBeginMsg: begin
        f_mask = 64'h7FFF_FFFF_03FF_FFFF;
        f_val  = {1'b0, f_go.answers, f_go.again, 6'd0, f_go.msg, f_go.told, f_go.msn};
      end
      FBeginVa: begin
        f_mask = '1;
        f_val  = f_go.va;
      end
      FBeginRest: begin
        f_mask = '1;
        f_val  = {f_go.rkey, f_go.left};
      end
      FName: begin
        f_mask  = 64'h0000_0000_0000_0FFF;
        f_reset = 64'(f_qp);
        f_val   = {52'd0, f_name.NAME};
      end
      default: ;
    endcase
  end

  // The bus a cycle ago, its address two.
  logic [16:0] f_addr_q, f_addr2_q;
  logic [71:0] f_bits_q;  // data and strobes
  logic [15:0] f_cons_q;
  logic        f_we_q, f_ours, f_hold_q;
  assign f_ours   = f_addr_q[16:13] == 4'(nic_reg_pkg::RegQP_CTL >> 16) && 32'(f_addr_q[12:5]) < NumQps;
  always_ff @(posedge clk_i) begin
    f_addr_q  <= rb_i.addr;
    f_addr2_q <= f_addr_q;
    f_bits_q  <= {rb_i.wdata, rb_i.wstrb};
    f_cons_q  <= cons_i;
    f_we_q    <= rb_i.we;
    f_hold_q  <= rst_ni && hold_i;
  end

  // A producer by the consumer of the cycle before: an entry may end in this one (REQ-1).
  logic f_ok;
  assign f_ok = 16'(to_prod.PROD - f_cons_q) <= 16'd1 << size_q[at] &&
                16'(to_prod.PROD - f_cons_q) >= 16'(prod - f_cons_q);

  // Of the words that are read while a start waits, those that have been kept.
  logic [Words-1:0] f_got;
  logic             f_walk;  // and it is this queue pair's
  assign f_walk = (came_q || walked_q) && qp_q == f_qp && mine_q && hold_i;
  always_comb
    for (int unsigned w = 0; w < Words; w++)
      f_got[w] = f_walk && (came_q ? w < 32'(num_q) : walked_q);

  // Words that software writes while the QP is off.
  logic f_plain, f_here;  // one of its words has been on the bus in the cycle before
  nic_reg_pkg::qp_ctl_t f_w_ctl;
  nic_reg_pkg::qp_sts_t f_w_sts;
  assign f_w_ctl = rb_i.wdata;
  assign f_w_sts = rb_i.wdata;
  assign f_plain = f_word <= FRingc || (f_word >= FIp6Hi && f_word <= FVlan) || (f_word >= FBegin && f_word <= FName);
  assign f_here = {f_addr_q[16:5], 8'd0} == nic_reg_pkg::RegQP_CTL + 20'(f_qp) * nic_reg_pkg::RegQP_CTLStride;
  assign f_mine = rb_i.we && {rb_i.addr[16:5], 8'd0} == nic_reg_pkg::RegQP_CTL + 20'(f_qp) *
                  nic_reg_pkg::RegQP_CTLStride;
  assign f_turn = f_mine && rb_i.addr[4:0] == FCtl && rb_i.wstrb[0] && f_w_ctl.EN != f_on_q;
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
      if (f_turn && !f_on_q && f_word >= FBegin && f_word <= FBeginRest) f_word_q <= '0;
      if (f_turn && !f_on_q) {f_bad_q, f_prod_q} <= {1'b0, f_go.cons};
      if (f_mine && rb_i.addr[4:0] == FProd && f_on_q) begin
        if (f_ok) f_prod_q <= f_next;
        else f_bad_q <= 1'b1;
      end
      if (f_mine && rb_i.addr[4:0] == FSts && rb_i.wstrb[2] && f_w_sts.BAD_PROD) f_bad_q <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_setup: assume (!rb_i.we || (f_rst_q && rb_i.addr == f_addr_q && {rb_i.wdata, rb_i.wstrb} == f_bits_q &&
                                    !f_we_q));
    if (rb_i.we && rb_i.addr[4:0] == FProd)
      env_late: assume (rb_i.addr[16:13] != 4'(nic_reg_pkg::RegQP_CTL >> 16) || rb_i.addr == f_addr2_q);
    // What waits has been on the bus; a write of QP_CTL waits.
    if (hold_i)
      env_hold: assume (f_rst_q && rb_i.addr == f_addr_q && {rb_i.wdata, rb_i.wstrb} == f_bits_q && !f_we_q);
    if (rb_i.we && hold_i) env_ready: assume (f_ready);
    if (rb_i.we && rb_i.addr[4:0] == FCtl)
      env_held: assume (rb_i.addr[16:13] != 4'(nic_reg_pkg::RegQP_CTL >> 16) || hold_i);
    p1_decoded: assert (qp_q == f_addr_q[12:5] && mine_q == f_ours &&
        {is_name_q, is_brest_q, is_bva_q, is_bmsg_q, is_begin_q, is_rest_q, is_va_q, is_msg_q, 1'b0, is_vlan_q,
         is_ip6l_q, is_ip6h_q, is_now_q, is_sts_q, is_prod_q, is_ringc_q, is_ring_q, is_psn_q, is_peer_q, is_mac_q,
         is_ctl_q} == (21'(f_ours) << f_addr_q[4:0] & ~(21'd1 << FRate)));
    if (f_rst_q && !f_we_q)
      p3_known: assert (!mine_q || {known_w_q, on_q, had_q} == {known, en, known ? there_q[at] : 16'd0});
    if (f_rst_q && !f_we_q && mine_q) p1_out: assert (out_q == word_q[{at, num_q}]);
    if (f_rst_q && !came_q) p1_num: assert (num_q == number(f_addr_q[4:0]));
    if (f_rst_q && mine_q && en && f_addr_q == f_addr2_q && !f_we_q && f_bits_q == {rb_i.wdata, rb_i.wstrb})
      p4_known: assert (prod_ok_q == f_ok && next_prod_q == to_prod.PROD);
    // The walk over its words: one after the other, and each is kept.
    if (came_q) p6_one: assert (num_q == 4'(next_q - 4'd1) && (next_q == '0) == walked_q);
    if (!came_q) p6_begins: assert (next_q == '0);
    if (came_q || walked_q) p6_here: assert (f_hold_q && is_ctl_q);
    if (hold_i && (came_q || walked_q)) p6_wants: assert (wants);
    if (hold_i && f_ready && wants) p6_ready: assert (walked_q && !came_q);
    if (f_got[WCtl])
      p2_ctl: assert ({ipv6_q, vlan_q, peer_q.tag, peer_q.pkey, cfg_q.pkey} == {f_new.IPV6, f_new.VLAN, f_new.VLAN,
                       f_new.PKEY, f_new.PKEY} && {cfg_q.proc, cfg_q.mtu, cfg_q.rnr, cfg_q.retry, cfg_q.rnr_retry,
                       cfg_q.timeout, cfg_q.recv} == {f_row.proc, f_row.mtu, f_row.rnr, f_row.retry, f_row.rnr_retry,
                       f_row.timeout, f_row.recv});
    if (f_got[WMac]) p2_mac: assert (peer_q.mac == f_to.mac);
    if (f_got[WPeer]) p2_qp: assert (peer_q.qp == f_to.qp && (f_new.IPV6 || peer_q.ip == f_to.ip));
    if (f_got[WPsn]) p3_epsn: assert ({epsn_q, spsn_q} == {f_psn.EPSN, f_psn.SPSN});
    if (f_got[WRing]) p2_ring: assert (cfg_q.ring == f_row.ring);
    if (f_got[WRingc]) p2_port: assert (peer_q.port == f_to.port && cfg_q.ring_size == f_row.ring_size);
    if (f_got[WName]) p2_name: assert (cfg_q.name == f_row.name);
    if (f_got[WIp6h]) p2_high: assert (peer_q.ip[127:64] == f_to.ip[127:64]);
    if (f_got[WIp6l]) p2_low: assert (peer_q.ip[63:0] == f_to.ip[63:0]);
    if (f_got[WVlan]) p2_tci: assert (peer_q.tci == f_to.tci && peer_q.v6 == f_to.v6 && cfg_q.ip == f_to.ip);
    if (f_got[WBegin]) p2_late: assert (cfg_q.tci == f_to.tci);
    if (f_got[WBegin]) p5_begin: assert ({go_q.cons, go_q.send_err, go_q.code, go_q.resp_err} ==
                                         {f_go.cons, f_go.send_err, f_go.code, f_go.resp_err});
    if (f_got[WBmsg]) p5_msg: assert ({go_q.msn, go_q.again, go_q.told, go_q.msg, go_q.answers} ==
                                      {f_go.msn, f_go.again, f_go.told, f_go.msg, f_go.answers});
    if (f_got[WBva]) p5_va: assert (go_q.va == f_go.va);
    if (f_got[WBrest]) p5_rest: assert ({go_q.left, go_q.rkey} == {f_go.left, f_go.rkey});
    p1_word: assert (f_val == f_word_q);
    if (f_rst_q && !f_we_q && !came_q && f_here && f_addr_q[4:0] == f_word && f_plain)
      p1_read: assert (rb_rdata_o == (f_word_q | 64'(f_word == FCtl && f_on_q)));
    if (f_addr_q[16:13] != 4'(nic_reg_pkg::RegQP_CTL >> 16) || 32'(f_addr_q[12:5]) >= NumQps ||
        f_addr_q[4:0] > FName || f_addr_q[4:0] == FRate)
      p1_other: assert (rb_rdata_o == 64'd0);
    if (idx_i[7:0] == f_qp) p2_on: assert (cfg_o[CfgW-1] == f_on_q);
    if (f_on_q) p2_row: assert (row_q[f_at] == f_row[CfgW-2:0]);
    if (idx_i[15:8] == f_qp && f_on_q) p2_cfg: assert (cfg_o[CfgW+:CfgW] == f_row);
    if (32'(idx_i[31:24]) >= NumQps) p2_none: assert (!cfg_o[4*CfgW-1]);
    if (f_turn && !f_on_q) p2_start: assert (start_row == f_row[CfgW-2:0] && start_peer_o == f_to);
    p3_row: assert (en_q[f_at] == f_on_q && (f_known || !f_on_q) && (!f_on_q || size_q[f_at] == f_ringc.SIZE));
    p3_start: assert ((start_valid_o && start_qp_o == f_qp) == (f_turn && !f_on_q));
    p3_stop: assert ((stop_valid_o && stop_qp_o == f_qp) == (f_turn && f_on_q));
    if (f_turn && !f_on_q) p3_psn: assert (start_epsn_o == f_psn.EPSN && start_spsn_o == f_psn.SPSN);
    if (f_turn && !f_on_q) p5_go: assert (start_go_o == f_go);
    p4_prod: assert (f_prod == f_prod_q && bad_q[f_at] == f_bad_q);
    if (bell_valid_o && bell_qp_o == f_qp) p4_bell: assert (f_on_q && f_mine && bell_prod_o == f_next);

    if (f_mine && rb_i.addr[4:0] == FProd) p4_same: assert (prod == f_prod_q && to_prod.PROD == f_next);
    if (mine_q && en) p4_rule: assert (prod_ok == (16'(to_prod.PROD - cons_i) <= 16'd1 << size_q[at] &&
                                 16'(to_prod.PROD - cons_i) >= 16'(prod - cons_i)));

    c_bell: cover (bell_valid_o && bell_qp_o == f_qp && f_prod_q != 16'd0);
    c_bad: cover (f_bad_q && f_on_q);
    c_six: cover (f_turn && !f_on_q && start_peer_o.v6 && start_peer_o.tag);
    c_again: cover (start_valid_o && start_qp_o == f_qp && f_prod_q != 16'd0);
  end
