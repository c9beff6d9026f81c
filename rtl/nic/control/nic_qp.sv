// SPDX-License-Identifier: Apache-2.0
// nic_qp: the registers of the queue pairs: what software says of them, on and off, and the doorbell.
//
//   rb --> QP_CTL ... QP_NAME --> RAM [NumQps] ----> cfg_o[5]: responder, responses, acknowledgements, requester,
//                                                                answers
//      --> QP_CTL.EN -----------> start (psn), stop
//      --> QP_PROD -- check ----> bell (requester)         QP_STS, QP_NOW <-- sts_i, now_i of the addressed QP
//
// P1  A word reads as its strobed bytes were last written while the QP was off, its reset value before; what is not
//     named in nic_regs.rdl, and QPs beyond NumQps, read 0.
// P2  cfg_o[k] is what software says of QP idx_i[k], with MTU put into 1 to 5, the peer's address as one of 128 bits,
//     and no TCI without a tag; a QP that does not exist is off. QP_NAME is the QP's index until it is written.
// P3  start_o in the cycle of a write that turns a QP on, stop_o of one that turns it off; nothing else changes EN.
// P4  QP_PROD of a QP that is on takes a value between what it was and the consumer of the cycle before plus the ring,
//     with bell_valid_o; any other sets BAD_PROD, which is cleared by writing 1. Turning on makes it QP_BEGIN.CONS.
// P5  start_go_o is what QP_BEGIN to QP_BEGIN_REST of the QP that is turned on say; they are 0 after it.
//
// What is read or written has been on the bus in the cycle before, which is no write (env_setup), and QP_CTL and
// QP_PROD in the one before that (env_held): what the write does is known, and kept, in the cycle before it.
// start_o, stop_o, bell_o and resume_o belong to the cycle of the write, cfg_o changes with the next.
// Cost: NumQps x 810 bits of LUT RAM, once a reader (synthesis drops the fields that a reader does not
// use), 2 flip-flops a QP and 50; no cycle.
// One file: what a register says, what a write makes of it and which bytes of the row it is stand beside one another.
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

  // What software says: 0 responder, 1 responses, 2 acknowledgements, 3 requester, 4 answers
  input  wire logic [5*8-1:0]                  idx_i,
  output logic      [5*nic_pkg::QpCfgW-1:0]    cfg_o,

  // On, off, doorbell
  output logic                                 start_valid_o,
  output logic      [7:0]                      start_qp_o,
  output logic      [23:0]                     start_epsn_o,
  output logic      [23:0]                     start_spsn_o,
  output nic_pkg::qp_go_t                      start_go_o,
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

  // A QP in the RAM: what the readers see, and what else the registers say.
  typedef struct packed {
    logic [2:0]  mtu;  // as written
    logic        v6, vlan;
    logic [31:0] ip4;
    logic [127:0] ip6;
    logic [15:0] tci;
    logic [23:0] epsn;
    logic [23:0] spsn;
    logic [nic_pkg::QpGoW-1:0] go;  // a qp_go_t
  } more_t;
  localparam int unsigned MoreW = 3 + 2 + 32 + 128 + 16 + 24 + 24 + nic_pkg::QpGoW;

  // known: written once, so that the RAMs mean something
  logic [CfgW-1:0]   row_q [NumQps];
  logic [MoreW-1:0]  more_q [NumQps];
  logic [15:0]       prod_q [NumQps];
  logic [NumQps-1:0] known_q, bad_q;

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
  logic             known, bad;
  nic_pkg::qp_cfg_t row, row_d;
  more_t            more, more_d;
  logic [15:0]      prod;
  always_comb begin
    known = 1'b0;
    bad   = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (qp_q == 8'(i)) begin
        known = known_q[i];
        bad   = bad_q[i];
      end
    end
  end
  // Before its first write; all others of its registers are 0.
  nic_reg_pkg::qp_ctl_t   reset_ctl;
  nic_reg_pkg::qp_ringc_t reset_ringc;
  nic_pkg::qp_cfg_t       row_reset;
  more_t                  more_reset;
  assign reset_ctl   = nic_reg_pkg::ResetQP_CTL;
  assign reset_ringc = nic_reg_pkg::ResetQP_RINGC;
  always_comb begin
    row_reset           = '0;
    row_reset.en        = reset_ctl.EN;
    row_reset.proc      = reset_ctl.PROC;
    row_reset.mtu       = reset_ctl.MTU;
    row_reset.rnr       = reset_ctl.RNR;
    row_reset.retry     = reset_ctl.RETRY;
    row_reset.rnr_retry = reset_ctl.RNR_RETRY;
    row_reset.timeout   = reset_ctl.TIMEOUT;
    row_reset.pkey      = reset_ctl.PKEY;
    row_reset.recv      = reset_ctl.RECV;
    row_reset.tag       = reset_ctl.VLAN;
    row_reset.ip        = nic_pkg::ip4(32'd0);
    row_reset.port      = reset_ringc.PORT;
    row_reset.ring_size = reset_ringc.SIZE;
    row_reset.name      = nic_pkg::NameW'(qp_q);
    more_reset      = '0;
    more_reset.mtu  = reset_ctl.MTU;
    more_reset.v6   = reset_ctl.IPV6;
    more_reset.vlan = reset_ctl.VLAN;
  end
  localparam int unsigned IdxW = NumQps > 1 ? $clog2(NumQps) : 1;
  logic [IdxW-1:0] at;
  assign at   = qp_q[IdxW-1:0];
  assign row  = known ? row_q[at] : row_reset;
  assign more = known ? more_q[at] : more_reset;
  assign prod = known ? prod_q[at] : 16'd0;

  // The word as each register has it: as it is (at_), and what would be written to it (to_).
  nic_reg_pkg::qp_ctl_t   at_ctl, to_ctl;
  nic_reg_pkg::qp_mac_t   at_mac, to_mac;
  nic_reg_pkg::qp_peer_t  at_peer, to_peer;
  nic_reg_pkg::qp_psn_t   at_psn, to_psn;
  nic_reg_pkg::qp_ring_t  to_ring;
  nic_reg_pkg::qp_ringc_t at_ringc, to_ringc;
  nic_reg_pkg::qp_prod_t  at_prod, to_prod;
  nic_reg_pkg::qp_vlan_t  at_vlan, to_vlan;
  nic_reg_pkg::qp_sts_t   at_sts, to_sts;
  nic_reg_pkg::qp_now_t   at_now;
  nic_reg_pkg::qp_msg_t   at_msg;
  nic_reg_pkg::qp_rest_t  at_rest;
  nic_reg_pkg::qp_begin_t at_begin, to_begin;
  nic_reg_pkg::qp_begin_msg_t  at_bmsg, to_bmsg;
  nic_reg_pkg::qp_begin_rest_t at_brest, to_brest;
  nic_reg_pkg::qp_name_t       at_name, to_name;
  nic_pkg::qp_go_t        go;
  logic                   writing;  // in a write
  assign go      = more.go;
  assign writing = resp_i.msg && !resp_i.xtq && !resp_i.send;
  logic [63:0]            old;
  always_comb begin
    {at_ctl, at_mac, at_peer, at_psn, at_ringc, at_prod, at_vlan, at_sts, at_now} = '0;
    {at_msg, at_rest, at_begin, at_bmsg, at_brest, at_name} = '0;
    at_ctl.PKEY      = row.pkey;
    at_ctl.TIMEOUT   = row.timeout;
    at_ctl.RNR_RETRY = row.rnr_retry;
    at_ctl.RETRY     = row.retry;
    at_ctl.RNR       = row.rnr;
    at_ctl.MTU       = more.mtu;
    at_ctl.PROC      = row.proc;
    at_ctl.VLAN      = more.vlan;
    at_ctl.IPV6      = more.v6;
    at_ctl.RECV      = row.recv;
    at_ctl.EN        = row.en;
    at_mac.MAC       = row.mac;
    at_peer.QP       = row.qp;
    at_peer.IP       = more.ip4;
    at_psn.SPSN      = more.spsn;
    at_psn.EPSN      = more.epsn;
    at_ringc.PORT    = row.port;
    at_ringc.SIZE    = row.ring_size;
    at_prod.PROD     = prod;
    at_vlan.TCI      = more.tci;
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
    at_begin.CODE     = go.code;
    at_begin.RESP_ERR = go.resp_err;
    at_begin.SEND_ERR = go.send_err;
    at_begin.CONS     = go.cons;
    at_bmsg.ANSWERS   = go.answers;
    at_bmsg.AGAIN     = go.again;
    at_bmsg.WRITE     = go.msg;
    at_bmsg.TOLD      = go.told;
    at_bmsg.MSN       = go.msn;
    {at_brest.RKEY, at_brest.LEFT} = {go.rkey, go.left};
    at_name.NAME      = row.name;
  end
  assign old = ({64{is_ctl_q}} & at_ctl) | ({64{is_mac_q}} & at_mac) | ({64{is_peer_q}} & at_peer) |
               ({64{is_psn_q}} & at_psn) | ({64{is_ring_q}} & row.ring) | ({64{is_ringc_q}} & at_ringc) |
               ({64{is_prod_q}} & at_prod) | ({64{is_ip6h_q}} & more.ip6[127:64]) |
               ({64{is_ip6l_q}} & more.ip6[63:0]) | ({64{is_vlan_q}} & at_vlan) |
               ({64{is_begin_q}} & at_begin) | ({64{is_bmsg_q}} & at_bmsg) | ({64{is_bva_q}} & go.va) |
               ({64{is_brest_q}} & at_brest) | ({64{is_name_q}} & at_name);
  // Each word from its own bytes: which of them is addressed only chooses.
  assign to_ctl   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_ctl);
  assign to_mac   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_mac);
  assign to_peer  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_peer);
  assign to_psn   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_psn);
  assign to_ring  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, row.ring);
  assign to_ringc = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_ringc);
  assign to_prod  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_prod);
  assign to_vlan  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_vlan);
  assign to_begin = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_begin);
  assign to_bmsg  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_bmsg);
  assign to_brest = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_brest);
  assign to_name  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_name);
  assign to_sts   = rb_i.wdata;  // by its strobe

  // What the row becomes: strobed bytes of one word, and only while the QP is off.
  nic_pkg::qp_go_t go_d;
  always_comb begin
    go_d = go;
    if (!row.en) begin
      if (is_begin_q)
        {go_d.cons, go_d.send_err, go_d.code, go_d.resp_err} = {to_begin.CONS, to_begin.SEND_ERR, to_begin.CODE,
          to_begin.RESP_ERR};
      if (is_bmsg_q)
        {go_d.msn, go_d.again, go_d.told, go_d.msg, go_d.answers} = {to_bmsg.MSN, to_bmsg.AGAIN, to_bmsg.TOLD,
          to_bmsg.WRITE, to_bmsg.ANSWERS};
      if (is_bva_q) go_d.va = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, go.va);
      if (is_brest_q) {go_d.rkey, go_d.left} = {to_brest.RKEY, to_brest.LEFT};
    end
  end
  always_comb begin
    row_d  = row;
    more_d = more;
    more_d.go = start_valid_o ? '0 : go_d;
    if (is_ctl_q) row_d.en = to_ctl.EN;
    if (is_ctl_q && !row.en) begin
      row_d.recv      = to_ctl.RECV;
      more_d.v6       = to_ctl.IPV6;
      more_d.vlan     = to_ctl.VLAN;
      row_d.proc      = to_ctl.PROC;
      row_d.mtu       = to_ctl.MTU == 3'd0 ? 3'd1 : to_ctl.MTU > 3'd5 ? 3'd5 : to_ctl.MTU;
      more_d.mtu      = to_ctl.MTU;
      row_d.rnr       = to_ctl.RNR;
      row_d.retry     = to_ctl.RETRY;
      row_d.rnr_retry = to_ctl.RNR_RETRY;
      row_d.timeout   = to_ctl.TIMEOUT;
      row_d.pkey      = to_ctl.PKEY;
    end
    if (is_mac_q && !row.en) row_d.mac = to_mac.MAC;
    if (is_peer_q && !row.en) {row_d.qp, more_d.ip4} = {to_peer.QP, to_peer.IP};
    if (is_psn_q && !row.en) {more_d.spsn, more_d.epsn} = {to_psn.SPSN, to_psn.EPSN};
    if (is_ring_q && !row.en) row_d.ring = {to_ring.ADDR, 6'd0};
    if (is_ringc_q && !row.en) {row_d.port, row_d.ring_size} = {to_ringc.PORT, to_ringc.SIZE};
    if (is_ip6h_q && !row.en) more_d.ip6[127:64] = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, more.ip6[127:64]);
    if (is_ip6l_q && !row.en) more_d.ip6[63:0] = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, more.ip6[63:0]);
    if (is_vlan_q && !row.en) more_d.tci = to_vlan.TCI;
    if (is_name_q && !row.en) row_d.name = to_name.NAME;
    row_d.ip     = more_d.v6 ? more_d.ip6 : nic_pkg::ip4(more_d.ip4);
    row_d.tag = more_d.vlan;
    row_d.tci    = more_d.vlan ? more_d.tci : 16'd0;
  end

  // ---- on, off ----
  // Whether it is on, and would be turned: of what is on the bus still when it is written.
  logic en_q, turn_q;
  always_ff @(posedge clk_i) begin
    en_q   <= row.en;
    turn_q <= to_ctl.EN != row.en;
  end
  assign start_valid_o = rb_i.we && is_ctl_q && turn_q && !en_q;
  assign stop_valid_o  = rb_i.we && is_ctl_q && turn_q && en_q;
  assign start_qp_o    = qp_q;
  assign stop_qp_o     = qp_q;
  assign start_epsn_o  = more.epsn;
  assign start_spsn_o  = more.spsn;
  assign start_go_o    = go;

  // ---- doorbell ----
  // Likewise what it would be, and whether that is right.
  logic        prod_we, prod_ok, prod_ok_q;
  logic [15:0] ahead, next_prod_q;
  assign ahead   = to_prod.PROD - cons_i;
  assign prod_ok = ahead <= 16'd1 << row.ring_size && ahead >= prod - cons_i;
  always_ff @(posedge clk_i) begin
    prod_ok_q   <= prod_ok;
    next_prod_q <= to_prod.PROD;
  end
  assign prod_we      = rb_i.we && is_prod_q && en_q;
  assign bell_valid_o = prod_we && prod_ok_q;
  assign bell_qp_o    = qp_q;
  assign bell_prod_o  = next_prod_q;

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

  always_ff @(posedge clk_i) if (we) row_q[at] <= row_d;
  always_ff @(posedge clk_i) if (we) more_q[at] <= more_d;
  always_ff @(posedge clk_i) if (we) prod_q[at] <= start_valid_o ? go.cons : bell_valid_o ? next_prod_q : prod;

  // ---- readers ----
  for (genvar k = 0; k < 5; k++) begin : gen_read
    logic [7:0]      idx;
    logic            on;
    logic [CfgW-1:0] r;
    assign idx = idx_i[8*k+:8];
    always_comb begin
      on = 1'b0;
      for (int unsigned i = 0; i < NumQps; i++) if (idx == 8'(i)) on = known_q[i];
    end
    assign r = row_q[idx[IdxW-1:0]];
    assign cfg_o[CfgW*k+:CfgW] = {on && r[CfgW-1], r[CfgW-2:0]};
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
