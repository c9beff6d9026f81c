// SPDX-License-Identifier: Apache-2.0
// nic_qp: the registers of the queue pairs: what software says of them, on and off, and the doorbell.
//
//   rb --> QP_CTL ... QP_NAME --> RAM [NumQps] -- start --> peer (nic_peer)
//                                     |            |
//                                     |            '--------> RAM [NumQps] --> cfg_o[4]: responder, responses,
//                                     v                                                 requester, answers
//      --> QP_CTL.EN --------------> start (psn, go), stop
//      --> QP_PROD -- check -------> bell (requester)         QP_STS, QP_NOW <-- sts_i, now_i of the addressed QP
//
// P1  A word reads as its strobed bytes were last written while the QP was off, its reset value before; what is not
//     named in nic_regs.rdl, and QPs beyond NumQps, read 0.
// P2  cfg_o[k] is, while QP idx_i[k] is on, what software says of it, with MTU put into 1 to 5, the peer's address as
//     one of 128 bits, and no TCI without a tag; a QP that does not exist is off. QP_NAME is the QP's index until it is
//     written. start_peer_o is what it says of the peer of the QP that is turned on.
// P3  start_o in the cycle of a write that turns a QP on, stop_o of one that turns it off; nothing else changes EN.
// P4  QP_PROD of a QP that is on takes a value between what it was and the consumer of the cycle before plus the ring,
//     with bell_valid_o; any other sets BAD_PROD, which is cleared by writing 1. Turning on makes it QP_BEGIN.CONS.
// P5  start_go_o is what QP_BEGIN to QP_BEGIN_REST of the QP that is turned on say; they are 0 after it.
//
// What is read or written has been on the bus in the cycle before, which is no write (env_setup), and QP_CTL and
// QP_PROD in the one before that (env_held): what the write does is known, and kept, in the cycle before it. No way
// goes from a RAM through a write back to it, nor to what is told of a write: each byte has a write enable of its own,
// and what a write looks at besides the bus is in registers.
// start_o, stop_o, bell_o and resume_o belong to the cycle of the write, cfg_o changes with the next.
// The words stand still while a QP is on, so the readers have a RAM of what they look at, and nic_peer has the rest:
// written as a whole when it is turned on, out of registers. The words themselves have one reader, the bus.
// Cost: NumQps x 802 bits of LUT RAM, and what a reader looks at once more each (synthesis drops the rest); 3 flip-flops
// a QP and 655; no cycle.
// One file: what a register says, what a write makes of it and which bytes of the RAM it is stand beside one another.
// Rules of README.md: QPR-2, QPR-3, QPR-4, QPR-9, QPR-11, CTX-12, REQ-1.
`default_nettype none

module nic_qp #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t                rb_i,
  output logic      [63:0]                     rb_rdata_o,

  // State of the QP that rb_i.addr has named in the cycle before
  output logic      [7:0]                      rb_qp_o,
  input  wire logic [15:0]                     cons_i,      // QP_STS
  input  wire logic                            send_err_i,
  input  wire logic [7:0]                      code_i,
  input  wire logic                            resp_err_i,
  input  wire nic_pkg::resp_state_t            resp_i,      // QP_NOW, QP_MSG, QP_VA, QP_REST
  input  wire logic [6:0]                      answers_i,
  input  wire logic [23:0]                     una_i,

  // What software says: 0 responder, 1 responses, 2 requester, 3 answers
  input  wire logic [4*8-1:0]                  idx_i,
  output logic      [4*nic_pkg::QpCfgW-1:0]    cfg_o,

  // On, off, doorbell
  output logic                                 start_valid_o,
  output logic      [7:0]                      start_qp_o,
  output logic      [23:0]                     start_epsn_o,
  output logic      [23:0]                     start_spsn_o,
  output nic_pkg::qp_go_t                      start_go_o,
  output nic_pkg::peer_t                       start_peer_o,
  output logic                                 stop_valid_o,
  output logic      [7:0]                      stop_qp_o,
  output logic                                 bell_valid_o,
  output logic      [7:0]                      bell_qp_o,
  output logic      [15:0]                     bell_prod_o,
  output logic                                 resume_valid_o,  // QP_STS.SEND_ERR written with 1
  output logic      [7:0]                      resume_qp_o
);

  if (NumQps < 1 || NumQps > nic_reg_pkg::RegQP_CTLNum) begin : gen_bad_num_qps
    $error("nic_qp: NumQps must be 1 to 256");
  end

  localparam int unsigned CfgW = nic_pkg::QpCfgW;
  localparam int unsigned IdxW = NumQps > 1 ? $clog2(NumQps) : 1;
  // What is kept of a QP: the words that software writes while it is off, each as it was written; whether it is on.
  localparam int unsigned Words = 14;
  localparam int unsigned Begins = 10;  // the first of them that is of where it begins

  // known: written once, so that the RAMs mean something
  logic [63:0]       ctl_q [NumQps], mac_q [NumQps], peer_q [NumQps], psn_q [NumQps], ring_q [NumQps], ringc_q [NumQps],
                     ip6h_q [NumQps], ip6l_q [NumQps], vlan_q [NumQps], name_q [NumQps], begin_q [NumQps],
                     bmsg_q [NumQps], bva_q [NumQps], brest_q [NumQps];
  logic [15:0]       prod_q [NumQps];
  logic [NumQps-1:0] known_q, en_q, bad_q;

  // ---- which register ----
  logic        mine, mine_q, is_ctl_q, is_mac_q, is_peer_q, is_psn_q, is_ring_q, is_ringc_q, is_prod_q, is_sts_q,
               is_now_q, is_ip6h_q, is_ip6l_q, is_vlan_q, is_msg_q, is_va_q, is_rest_q, is_begin_q, is_bmsg_q, is_bva_q,
               is_brest_q, is_name_q, we;
  logic [7:0]  rb_qp, qp_q;
  assign rb_qp = nic_reg_pkg::idx_QP_CTL(rb_i.addr);
  // its pages, whatever the word
  assign mine  = rb_i.addr[16:13] == 4'(nic_reg_pkg::RegQP_CTL >> 16) && 32'(rb_qp) < NumQps;
  // The address is decoded a cycle before.
  always_ff @(posedge clk_i) begin
    mine_q     <= mine;
    qp_q       <= rb_qp;
    is_ctl_q   <= mine && nic_reg_pkg::at_QP_CTL(rb_i.addr);
    is_mac_q   <= mine && nic_reg_pkg::at_QP_MAC(rb_i.addr);
    is_peer_q  <= mine && nic_reg_pkg::at_QP_PEER(rb_i.addr);
    is_psn_q   <= mine && nic_reg_pkg::at_QP_PSN(rb_i.addr);
    is_ring_q  <= mine && nic_reg_pkg::at_QP_RING(rb_i.addr);
    is_ringc_q <= mine && nic_reg_pkg::at_QP_RINGC(rb_i.addr);
    is_prod_q  <= mine && nic_reg_pkg::at_QP_PROD(rb_i.addr);
    is_sts_q   <= mine && nic_reg_pkg::at_QP_STS(rb_i.addr);
    is_now_q   <= mine && nic_reg_pkg::at_QP_NOW(rb_i.addr);
    is_ip6h_q  <= mine && nic_reg_pkg::at_QP_IP6_HI(rb_i.addr);
    is_ip6l_q  <= mine && nic_reg_pkg::at_QP_IP6_LO(rb_i.addr);
    is_vlan_q  <= mine && nic_reg_pkg::at_QP_VLAN(rb_i.addr);
    is_msg_q   <= mine && nic_reg_pkg::at_QP_MSG(rb_i.addr);
    is_va_q    <= mine && nic_reg_pkg::at_QP_VA(rb_i.addr);
    is_rest_q  <= mine && nic_reg_pkg::at_QP_REST(rb_i.addr);
    is_begin_q <= mine && nic_reg_pkg::at_QP_BEGIN(rb_i.addr);
    is_bmsg_q  <= mine && nic_reg_pkg::at_QP_BEGIN_MSG(rb_i.addr);
    is_bva_q   <= mine && nic_reg_pkg::at_QP_BEGIN_VA(rb_i.addr);
    is_brest_q <= mine && nic_reg_pkg::at_QP_BEGIN_REST(rb_i.addr);
    is_name_q  <= mine && nic_reg_pkg::at_QP_NAME(rb_i.addr);
  end
  assign we = rb_i.we && mine_q;

  // ---- the addressed QP ----
  logic                known, bad, en;
  logic [64*Words-1:0] reset_all, words;
  logic [15:0]         prod;
  logic [IdxW-1:0]     at;
  assign at = qp_q[IdxW-1:0];
  always_comb begin
    known = 1'b0;
    bad   = 1'b0;
    en    = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (qp_q == 8'(i)) begin
        known = known_q[i];
        bad   = bad_q[i];
        en    = en_q[i];
      end
    end
  end
  // Before its first write; all others of its words are 0.
  assign reset_all = {256'd0, 64'(qp_q), 192'd0, nic_reg_pkg::ResetQP_RINGC, 256'd0, nic_reg_pkg::ResetQP_CTL};
  assign words     = !known ? reset_all :
                     {brest_q[at], bva_q[at], bmsg_q[at], begin_q[at], name_q[at], vlan_q[at], ip6l_q[at], ip6h_q[at],
                      ringc_q[at], ring_q[at], psn_q[at], peer_q[at], mac_q[at], ctl_q[at]};
  assign prod      = known ? prod_q[at] : 16'd0;

  nic_reg_pkg::qp_ctl_t        has_ctl;
  nic_reg_pkg::qp_mac_t        has_mac;
  nic_reg_pkg::qp_peer_t       has_peer;
  nic_reg_pkg::qp_psn_t        has_psn;
  nic_reg_pkg::qp_ring_t       has_ring;
  nic_reg_pkg::qp_ringc_t      has_ringc;
  nic_reg_pkg::qp_vlan_t       has_vlan;
  nic_reg_pkg::qp_begin_t      has_begin;
  nic_reg_pkg::qp_begin_msg_t  has_bmsg;
  nic_reg_pkg::qp_begin_rest_t has_brest;
  nic_reg_pkg::qp_name_t       has_name;
  logic [63:0]                 has_ip6h, has_ip6l, has_bva;
  assign {has_brest, has_bva, has_bmsg, has_begin, has_name, has_vlan, has_ip6l, has_ip6h, has_ringc, has_ring, has_psn,
          has_peer, has_mac, has_ctl} = words;

  // The word as each register has it (at_).
  nic_reg_pkg::qp_ctl_t   at_ctl;
  nic_reg_pkg::qp_mac_t   at_mac;
  nic_reg_pkg::qp_peer_t  at_peer;
  nic_reg_pkg::qp_psn_t   at_psn;
  nic_reg_pkg::qp_ringc_t at_ringc;
  nic_reg_pkg::qp_prod_t  at_prod, to_prod;
  nic_reg_pkg::qp_vlan_t  at_vlan;
  nic_reg_pkg::qp_sts_t   at_sts, to_sts;
  nic_reg_pkg::qp_now_t   at_now;
  nic_reg_pkg::qp_msg_t   at_msg;
  nic_reg_pkg::qp_rest_t  at_rest;
  nic_reg_pkg::qp_begin_t at_begin;
  nic_reg_pkg::qp_begin_msg_t  at_bmsg;
  nic_reg_pkg::qp_begin_rest_t at_brest;
  nic_reg_pkg::qp_name_t       at_name;
  logic                   writing;  // in a write
  assign writing = resp_i.msg && !resp_i.xtq && !resp_i.send;
  logic [63:0]            old;
  always_comb begin
    {at_ctl, at_mac, at_peer, at_psn, at_ringc, at_prod, at_vlan, at_sts, at_now} = '0;
    {at_msg, at_rest, at_begin, at_bmsg, at_brest, at_name} = '0;
    at_ctl.PKEY      = has_ctl.PKEY;
    at_ctl.TIMEOUT   = has_ctl.TIMEOUT;
    at_ctl.RNR_RETRY = has_ctl.RNR_RETRY;
    at_ctl.RETRY     = has_ctl.RETRY;
    at_ctl.RNR       = has_ctl.RNR;
    at_ctl.MTU       = has_ctl.MTU;
    at_ctl.PROC      = has_ctl.PROC;
    at_ctl.VLAN      = has_ctl.VLAN;
    at_ctl.IPV6      = has_ctl.IPV6;
    at_ctl.RECV      = has_ctl.RECV;
    at_ctl.EN        = en;
    at_mac.MAC       = has_mac.MAC;
    at_peer.QP       = has_peer.QP;
    at_peer.IP       = has_peer.IP;
    at_psn.SPSN      = has_psn.SPSN;
    at_psn.EPSN      = has_psn.EPSN;
    at_ringc.PORT    = has_ringc.PORT;
    at_ringc.SIZE    = has_ringc.SIZE;
    at_prod.PROD     = prod;
    at_vlan.TCI      = has_vlan.TCI;
    at_sts.CODE      = code_i;
    at_sts.BAD_PROD  = bad;
    at_sts.RESP_ERR  = resp_err_i;
    at_sts.SEND_ERR  = send_err_i;
    at_sts.CONS      = cons_i;
    at_now.UNA       = una_i;
    at_now.EPSN      = resp_i.epsn;
    at_msg.ANSWERS   = answers_i;
    at_msg.AGAIN     = resp_i.again;
    at_msg.TASK      = resp_i.msg && !writing;
    at_msg.WRITE     = writing;
    at_msg.TOLD      = resp_i.told;
    at_msg.MSN       = resp_i.msn;
    if (writing) {at_rest.RKEY, at_rest.LEFT} = {resp_i.rkey, resp_i.left};
    at_begin.CODE     = has_begin.CODE;
    at_begin.RESP_ERR = has_begin.RESP_ERR;
    at_begin.SEND_ERR = has_begin.SEND_ERR;
    at_begin.CONS     = has_begin.CONS;
    at_bmsg.ANSWERS   = has_bmsg.ANSWERS;
    at_bmsg.AGAIN     = has_bmsg.AGAIN;
    at_bmsg.WRITE     = has_bmsg.WRITE;
    at_bmsg.TOLD      = has_bmsg.TOLD;
    at_bmsg.MSN       = has_bmsg.MSN;
    {at_brest.RKEY, at_brest.LEFT} = {has_brest.RKEY, has_brest.LEFT};
    at_name.NAME      = has_name.NAME;
  end
  assign old = ({64{is_ctl_q}} & at_ctl) | ({64{is_mac_q}} & at_mac) | ({64{is_peer_q}} & at_peer) |
               ({64{is_psn_q}} & at_psn) | ({64{is_ring_q}} & {has_ring.ADDR, 6'd0}) | ({64{is_ringc_q}} & at_ringc) |
               ({64{is_prod_q}} & at_prod) | ({64{is_ip6h_q}} & has_ip6h) |
               ({64{is_ip6l_q}} & has_ip6l) | ({64{is_vlan_q}} & at_vlan) |
               ({64{is_begin_q}} & at_begin) | ({64{is_bmsg_q}} & at_bmsg) | ({64{is_bva_q}} & has_bva) |
               ({64{is_brest_q}} & at_brest) | ({64{is_name_q}} & at_name);

  // ---- what a write makes of it ----
  // The strobed bytes of one word, while the QP is off, have a write enable of their own each; all of the QP's with its
  // first write. So nothing of it is read for that: whether it is known, and on, is looked up in the cycle before, when
  // the bus has its number.
  logic rb_known, rb_en, known_w_q, on_q;
  always_comb begin
    rb_known = 1'b0;
    rb_en    = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (rb_qp == 8'(i)) begin
        rb_known = known_q[i];
        rb_en    = en_q[i];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    known_w_q <= rb_known;
    on_q      <= rb_en;
  end
  // What turning on says of all words: QP_CTL, with what the write makes of it, has been on the bus for two cycles
  // (env_held).
  logic [23:0]          epsn_q, spsn_q;
  nic_pkg::qp_go_t      go, go_q;
  nic_pkg::qp_cfg_t     cfg, cfg_q;
  nic_pkg::peer_t       to_peer, to_peer_q;
  nic_reg_pkg::qp_ctl_t to_ctl;
  logic                 unused;
  assign go = {has_begin.CONS, has_begin.SEND_ERR, has_begin.CODE, has_begin.RESP_ERR, has_bmsg.MSN, has_bmsg.AGAIN,
               has_bmsg.TOLD, has_bmsg.WRITE, has_bva, has_brest.LEFT, has_brest.RKEY, has_bmsg.ANSWERS};
  assign to_ctl = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, has_ctl);
  assign unused = ^to_ctl;  // of the word what is there
  always_comb begin
    to_peer.mac  = has_mac.MAC;
    to_peer.ip   = to_ctl.IPV6 ? {has_ip6h, has_ip6l} : nic_pkg::ip4(has_peer.IP);
    to_peer.v6   = !nic_pkg::is_ip4(to_peer.ip);
    to_peer.tag  = to_ctl.VLAN;
    to_peer.tci  = to_ctl.VLAN ? has_vlan.TCI : 16'd0;
    to_peer.port = has_ringc.PORT;
    to_peer.pkey = to_ctl.PKEY;
    to_peer.qp   = has_peer.QP;
    cfg.en        = 1'b0;  // en_q
    cfg.proc      = to_ctl.PROC;
    cfg.mtu       = to_ctl.MTU == 3'd0 ? 3'd1 : to_ctl.MTU > 3'd5 ? 3'd5 : to_ctl.MTU;
    cfg.rnr       = to_ctl.RNR;
    cfg.retry     = to_ctl.RETRY;
    cfg.rnr_retry = to_ctl.RNR_RETRY;
    cfg.timeout   = to_ctl.TIMEOUT;
    cfg.pkey      = to_peer.pkey;
    cfg.ip        = to_peer.ip;
    cfg.tci       = to_peer.tci;
    cfg.ring      = {has_ring.ADDR, 6'd0};
    cfg.ring_size = has_ringc.SIZE;
    cfg.recv      = to_ctl.RECV;
    cfg.name      = has_name.NAME;
  end
  always_ff @(posedge clk_i) begin
    epsn_q <= has_psn.EPSN;
    spsn_q <= has_psn.SPSN;
    go_q   <= go;
    cfg_q  <= cfg;
    to_peer_q <= to_peer;
  end

  // Of each word what is written: its strobed bytes if it is addressed, else what it is at reset; and which bytes of it
  // (in_).
  logic [Words-1:0]     here;
  logic [64*Words-1:0]  to_all;
  logic [8*Words-1:0]   in_all;
  logic                 first;
  assign first = we && !known_w_q;
  assign here  = {is_brest_q, is_bva_q, is_bmsg_q, is_begin_q, is_name_q, is_vlan_q, is_ip6l_q, is_ip6h_q, is_ringc_q,
                  is_ring_q, is_psn_q, is_peer_q, is_mac_q, is_ctl_q};
  always_comb begin
    for (int unsigned i = 0; i < Words; i++) begin
      to_all[64*i+:64] = cm_pkg::merge(rb_i.wstrb & {8{here[i]}}, rb_i.wdata, reset_all[64*i+:64]);
      in_all[8*i+:8]   = ({8{we && !on_q && here[i]}} & rb_i.wstrb) |
                         {8{first || (i >= Begins && start_valid_o)}};
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned b = 0; b < 8; b++) begin
      if (in_all[8*0+b]) ctl_q[at][8*b+:8] <= to_all[64*0+8*b+:8];
      if (in_all[8*1+b]) mac_q[at][8*b+:8] <= to_all[64*1+8*b+:8];
      if (in_all[8*2+b]) peer_q[at][8*b+:8] <= to_all[64*2+8*b+:8];
      if (in_all[8*3+b]) psn_q[at][8*b+:8] <= to_all[64*3+8*b+:8];
      if (in_all[8*4+b]) ring_q[at][8*b+:8] <= to_all[64*4+8*b+:8];
      if (in_all[8*5+b]) ringc_q[at][8*b+:8] <= to_all[64*5+8*b+:8];
      if (in_all[8*6+b]) ip6h_q[at][8*b+:8] <= to_all[64*6+8*b+:8];
      if (in_all[8*7+b]) ip6l_q[at][8*b+:8] <= to_all[64*7+8*b+:8];
      if (in_all[8*8+b]) vlan_q[at][8*b+:8] <= to_all[64*8+8*b+:8];
      if (in_all[8*9+b]) name_q[at][8*b+:8] <= to_all[64*9+8*b+:8];
      if (in_all[8*10+b]) begin_q[at][8*b+:8] <= to_all[64*10+8*b+:8];
      if (in_all[8*11+b]) bmsg_q[at][8*b+:8] <= to_all[64*11+8*b+:8];
      if (in_all[8*12+b]) bva_q[at][8*b+:8] <= to_all[64*12+8*b+:8];
      if (in_all[8*13+b]) brest_q[at][8*b+:8] <= to_all[64*13+8*b+:8];
    end
  end
  // ---- on, off ----
  logic turns;
  assign turns         = is_ctl_q && rb_i.wstrb[0] && rb_i.wdata[nic_reg_pkg::QP_CTL_EN_Lsb] != on_q;
  assign start_valid_o = rb_i.we && turns && !on_q;
  assign stop_valid_o  = rb_i.we && turns && on_q;
  assign start_qp_o    = qp_q;
  assign stop_qp_o     = qp_q;
  assign start_epsn_o  = epsn_q;
  assign start_spsn_o  = spsn_q;
  assign start_go_o    = go_q;
  assign start_peer_o  = to_peer_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) en_q <= '0;
    else begin
      for (int unsigned i = 0; i < NumQps; i++)
        if ((start_valid_o || stop_valid_o) && qp_q == 8'(i)) en_q[i] <= start_valid_o;
    end
  end

  // ---- doorbell ----
  // Likewise what it would be, and whether that is right.
  logic        prod_we, prod_ok, prod_ok_q;
  logic [15:0] ahead, next_prod_q;
  assign to_prod = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_prod);
  assign ahead   = to_prod.PROD - cons_i;
  assign prod_ok = ahead <= 16'd1 << has_ringc.SIZE && ahead >= prod - cons_i;
  always_ff @(posedge clk_i) begin
    prod_ok_q   <= prod_ok;
    next_prod_q <= to_prod.PROD;
  end
  assign prod_we      = rb_i.we && is_prod_q && on_q;
  assign bell_valid_o = prod_we && prod_ok_q;
  assign bell_qp_o    = qp_q;
  assign bell_prod_o  = next_prod_q;

  assign to_sts         = rb_i.wdata;  // by its strobe
  assign resume_valid_o = we && is_sts_q && rb_i.wstrb[2] && to_sts.SEND_ERR && send_err_i;
  assign resume_qp_o    = qp_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
      bad_q   <= '0;
    end else begin
      for (int unsigned i = 0; i < NumQps; i++) begin
        if (we && qp_q == 8'(i)) begin
          known_q[i] <= 1'b1;
          if (prod_we && !prod_ok_q) bad_q[i] <= 1'b1;
          if (start_valid_o || (is_sts_q && rb_i.wstrb[2] && to_sts.BAD_PROD)) bad_q[i] <= 1'b0;
        end
      end
    end
  end

  always_ff @(posedge clk_i)
    if (first || start_valid_o || bell_valid_o)
      prod_q[at] <= start_valid_o ? go_q.cons : bell_valid_o ? next_prod_q : 16'd0;

  // ---- readers ----
  // One RAM, which synthesis copies for each reader and field that is looked at: of few queue pairs it would make
  // flip-flops of it by itself, and multiplexers, which are dearer. en is on top of qp_cfg_t, and comes from en_q.
  (* ram_style = "distributed" *) logic [CfgW-2:0] row_q [NumQps];
  logic [CfgW-2:0] start_row;
  logic            unused_en;
  assign {unused_en, start_row} = cfg_q;
  always_ff @(posedge clk_i) if (start_valid_o) row_q[at] <= start_row;
  for (genvar k = 0; k < 4; k++) begin : gen_read
    logic [7:0] idx;
    logic       on;
    assign idx = idx_i[8*k+:8];
    always_comb begin
      on = 1'b0;
      for (int unsigned i = 0; i < NumQps; i++) if (idx == 8'(i)) on = en_q[i];
    end
    assign cfg_o[CfgW*k+:CfgW] = {on, row_q[idx[IdxW-1:0]]};
  end

  // ---- read ----
  assign rb_qp_o    = qp_q;
  assign rb_rdata_o = old | ({64{is_sts_q}} & at_sts) | ({64{is_now_q}} & at_now) | ({64{is_msg_q}} & at_msg) |
                      ({64{is_va_q && writing}} & resp_i.va) | ({64{is_rest_q}} & at_rest);

`ifdef FORMAL
`include "nic_qp_props.svh"
`endif

endmodule

`default_nettype wire
