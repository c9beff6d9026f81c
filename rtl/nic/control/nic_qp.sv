// SPDX-License-Identifier: Apache-2.0
// nic_qp: the registers of the queue pairs: what software says of them, on and off, and the doorbell.
//
//   rb --> QP_CTL ... QP_NAME --> [ NumQps x 16 words ] --> | word | --> read
//                                                             |
//          a write of QP_CTL waits while all words are read: -'--> | psn, go, peer, cfg |
//                                                                        |        '--start--> [ NumQps ] --> cfg_o[4]:
//      --> QP_CTL.EN ------------------------------> start, stop <-------'         responder, responses, requester,
//      --> QP_PROD -- check -----------------------> bell (requester)              answers
//                                                    QP_STS, QP_NOW <-- sts_i, now_i of the addressed QP
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
// P6  ready_o: what the write on the bus wants is at hand, for as long as hold_i is high. A write that turns a QP on
//     waits for it (env_held, env_ready), 18 cycles; for another write it is there a cycle after hold_i.
//
// What is read or written has been on the bus in the cycle before, which is no write (env_setup), and QP_PROD in the
// one before that (env_late): what the write does is known, and kept, in the cycle before it.
// start_o, stop_o, bell_o and resume_o belong to the cycle of the write, cfg_o changes with the next.
// The words stand still while a QP is on, so the bus is their only reader: they are one block RAM, and what is looked
// at elsewhere is written there as a whole when it is turned on, by cfg_o's RAM and by nic_peer. Of a word that was not
// written since reset, or since QP_BEGIN was used, a bit says so, and it reads its reset value.
// Cost: block RAM of NumQps x 1024 bits, LUT RAM of 36 bits a QP and of what the readers look at (synthesis drops the
// rest); 775 LUT4 and 988 flip-flops of 4 QPs (Yosys 0.23, synth_ecp5 -nowidelut -abc9); 18 cycles once for a QP that
// is turned on.
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
  input  wire logic                            hold_i,      // a write waits
  output logic                                 ready_o,

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
  // What is kept of a QP: the words that software writes while it is off, by their number here; which of them have been
  // written; whether it is on.
  localparam int unsigned Words = 16;
  typedef enum logic [3:0] {
    WCtl = 4'd0, WMac = 4'd1, WPeer = 4'd2, WPsn = 4'd3, WRing = 4'd4, WRingc = 4'd5, WName = 4'd6,
    WIp6h = 4'd9, WIp6l = 4'd10, WVlan = 4'd11, WBegin = 4'd12, WBmsg = 4'd13, WBva = 4'd14, WBrest = 4'd15
  } word_e;
  localparam logic [Words-1:0] Begins = 16'hF000;  // those of where it begins
  // Their numbers on the bus are these up to QP_VLAN, then QP_BEGIN is 16.
  function automatic logic [3:0] number(input logic [4:0] w);
    number = !w[4] ? w[3:0] : w[2] ? WName : {2'b11, w[1:0]};
  endfunction

  // known: written once, so that the RAMs mean something
  (* ram_style = "block" *) logic [63:0] word_q [NumQps * Words];
  logic [Words-1:0]  there_q [NumQps];
  logic [15:0]       prod_q [NumQps];
  logic [3:0]        size_q [NumQps];
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
  logic             known, bad, en;
  logic [15:0]      prod;
  logic [IdxW-1:0]  at, rb_at;
  assign at    = qp_q[IdxW-1:0];
  assign rb_at = rb_qp[IdxW-1:0];
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
  assign prod = known ? prod_q[at] : 16'd0;

  // Whether it is known, and on, and which words are there, in the cycle before an access, when the bus has its number.
  logic             rb_known, rb_en, known_w_q, on_q;
  logic [Words-1:0] had_q;
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
    had_q     <= rb_known ? there_q[rb_at] : '0;
  end

  // ---- its words, one a cycle: the addressed one, or all before it is turned on ----
  logic        wants, walks, walked_q, came_q;  // all are wanted, are asked for, have been; one of them is at hand
  logic [3:0]  next_q, num, num_q;      // the next, the one that is asked for, the one at hand
  logic [63:0] out_q, word, put_data;
  logic        plain, first, put;        // what is written; the first of a QP
  logic [3:0]  put_num;
  logic [7:0]  put_strb;
  assign wants   = is_ctl_q && rb_i.wstrb[0] && rb_i.wdata[nic_reg_pkg::QP_CTL_EN_Lsb] && !on_q;
  assign walks   = wants && hold_i && !walked_q;
  always_ff @(posedge clk_i) ready_o <= rst_ni && hold_i && (!wants || (walked_q && !came_q));
  assign num     = walks ? next_q : number(rb_i.addr[4:0]);
  // A word that is written is not read in that cycle.
  always_ff @(posedge clk_i) begin
    out_q  <= put && {at, put_num} == {rb_at, num} ? 'x : word_q[{rb_at, num}];
    num_q  <= num;
    came_q <= rst_ni && walks;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !wants || !hold_i) begin
      next_q   <= '0;
      walked_q <= 1'b0;
    end else if (!walked_q) begin
      next_q   <= next_q + 4'd1;
      walked_q <= 32'(next_q) == Words - 1;
    end
  end
  // Before its first write; all others of its words are 0.
  function automatic logic [63:0] reset(input logic [3:0] w, input logic [7:0] qp);
    reset = w == WCtl ? nic_reg_pkg::ResetQP_CTL : w == WRingc ? nic_reg_pkg::ResetQP_RINGC :
            w == WName ? 64'(qp) : 64'd0;
  endfunction
  assign word = had_q[num_q] ? out_q : reset(num_q, qp_q);

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
  assign {has_ctl, has_mac, has_peer, has_psn, has_ring, has_ringc, has_vlan, has_begin, has_bmsg, has_brest,
          has_name} = {11{word}};

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
               ({64{is_prod_q}} & at_prod) | ({64{is_ip6h_q}} & word) |
               ({64{is_ip6l_q}} & word) | ({64{is_vlan_q}} & at_vlan) |
               ({64{is_begin_q}} & at_begin) | ({64{is_bmsg_q}} & at_bmsg) | ({64{is_bva_q}} & word) |
               ({64{is_brest_q}} & at_brest) | ({64{is_name_q}} & at_name);

  // ---- what a write makes of it ----
  // The strobed bytes of the addressed word, while the QP is off; all of it where it was not there.
  assign plain    = is_ctl_q || is_mac_q || is_peer_q || is_psn_q || is_ring_q || is_ringc_q || is_ip6h_q ||
                    is_ip6l_q || is_vlan_q || is_begin_q || is_bmsg_q || is_bva_q || is_brest_q || is_name_q;
  assign first    = we && !known_w_q;
  assign put      = we && plain && !on_q;
  assign put_num  = num_q;
  assign put_strb = rb_i.wstrb | {8{!had_q[num_q]}};
  assign put_data = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, reset(num_q, qp_q));
  always_ff @(posedge clk_i)
    for (int unsigned b = 0; b < 8; b++)
      if (put && put_strb[b]) word_q[{at, put_num}][8*b+:8] <= put_data[8*b+:8];
  always_ff @(posedge clk_i)
    if (first || put)
      there_q[at] <= (had_q | (put ? 16'd1 << put_num : 16'd0)) & ~(start_valid_o ? Begins : 16'd0);

  // ---- what turning on says of all words: each is kept as it comes by; QP_CTL, which says of which kind the others
  // are, comes first, with what the write makes of it ----
  logic [23:0]          epsn_q, spsn_q;
  nic_pkg::qp_go_t      go_q;
  logic                 ipv6_q, vlan_q;
  nic_reg_pkg::qp_ctl_t to_ctl;
  nic_pkg::qp_cfg_t     cfg_q;
  nic_pkg::peer_t       peer_q;
  logic                 unused;
  assign to_ctl = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, has_ctl);
  assign unused = ^{to_ctl, has_ctl, has_mac, has_peer, has_psn, has_ring, has_ringc, has_vlan, has_begin, has_bmsg,
                    has_brest, has_name};  // of the words what is there
  always_ff @(posedge clk_i) begin
    cfg_q.en <= 1'b0;  // that is en_q
    peer_q.v6 <= !nic_pkg::is_ip4(peer_q.ip);
    cfg_q.ip  <= peer_q.ip;
    cfg_q.tci <= peer_q.tci;
    if (came_q) begin
      unique case (num_q)
        WCtl: begin
          {ipv6_q, vlan_q, peer_q.tag} <= {to_ctl.IPV6, to_ctl.VLAN, to_ctl.VLAN};
          {cfg_q.pkey, peer_q.pkey}    <= {2{to_ctl.PKEY}};
          cfg_q.proc      <= to_ctl.PROC;
          cfg_q.mtu       <= to_ctl.MTU == 3'd0 ? 3'd1 : to_ctl.MTU > 3'd5 ? 3'd5 : to_ctl.MTU;
          cfg_q.rnr       <= to_ctl.RNR;
          cfg_q.retry     <= to_ctl.RETRY;
          cfg_q.rnr_retry <= to_ctl.RNR_RETRY;
          cfg_q.timeout   <= to_ctl.TIMEOUT;
          cfg_q.recv      <= to_ctl.RECV;
        end
        WMac: peer_q.mac <= has_mac.MAC;
        WPeer: begin
          peer_q.qp <= has_peer.QP;
          peer_q.ip <= nic_pkg::ip4(has_peer.IP);
        end
        WPsn: {epsn_q, spsn_q} <= {has_psn.EPSN, has_psn.SPSN};
        WRing: cfg_q.ring <= {has_ring.ADDR, 6'd0};
        WRingc: {cfg_q.ring_size, peer_q.port} <= {has_ringc.SIZE, has_ringc.PORT};
        WName: cfg_q.name <= has_name.NAME;
        WIp6h: if (ipv6_q) peer_q.ip[127:64] <= word;
        WIp6l: if (ipv6_q) peer_q.ip[63:0] <= word;
        WVlan: peer_q.tci <= vlan_q ? has_vlan.TCI : 16'd0;
        WBegin: {go_q.cons, go_q.send_err, go_q.code, go_q.resp_err} <=
          {has_begin.CONS, has_begin.SEND_ERR, has_begin.CODE, has_begin.RESP_ERR};
        WBmsg: {go_q.msn, go_q.again, go_q.told, go_q.msg, go_q.answers} <=
          {has_bmsg.MSN, has_bmsg.AGAIN, has_bmsg.TOLD, has_bmsg.WRITE, has_bmsg.ANSWERS};
        WBva: go_q.va <= word;
        WBrest: {go_q.left, go_q.rkey} <= {has_brest.LEFT, has_brest.RKEY};
        default: ;
      endcase
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
  assign start_peer_o  = peer_q;
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
  assign prod_ok = ahead <= 16'd1 << size_q[at] && ahead >= prod - cons_i;
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
  always_ff @(posedge clk_i) if (start_valid_o) size_q[at] <= cfg_q.ring_size;

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
