// SPDX-License-Identifier: Apache-2.0
// nic_regs: what the whole NIC is told and tells: NIC_ID to NIC_RAISE, and the counters.
//
//   rb --> NIC_MAC, NIC_IP, ... --> cfg_*            ret --> kinds and codes --> cm_count --> NIC_CNT
//
// P1  A register reads as its strobed bytes were last written, its reset value before; NIC_ID and NIC_CAP are
//     constants, and what nic_regs.rdl does not name, or nic_ctx has, reads 0. What is read or written is on the bus in
//     the cycle before, which is no write (env_setup).
// P2  cfg_*_o are the registers' values; tag_free_o is high in the cycle of a write to NIC_TAG_FREE.
// P3  NIC_CNT[i] is the number of records, hits, misses, dropped completions and bad items that README.md gives it, in
//     the cycles before that of the read, since reset or the last write to it. What is counted waits in a register for
//     a cycle, so that no block's decision is on the way to a counter; a read adds what waits, and a write clears what
//     would come to wait.
// P4  rb_late_o is rb_rdata_o of the cycle before.
// P5  cnp_we_o and rate_we_o are high in the cycle of a write to NIC_CNP, and to NIC_RATE or NIC_RAISE.
//
// One file: registers and what the counters count are on one bus, and read as one word.
// Cost: 645 flip-flops and the counters. Rules of README.md: CNT-2.
`default_nettype none

module nic_regs #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned NumProcs = 4,
  parameter int unsigned Contexts = 0,
  parameter int unsigned NumMrs = 32,
  parameter int unsigned TableBits = 6,
  parameter int unsigned RecvDepth = 8,
  parameter int unsigned NumLogs = 8,
  localparam int unsigned Slots = nic_pkg::RetireSlots,
  localparam int unsigned RetireW = nic_pkg::RetireW
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t          rb_i,
  output logic      [63:0]               rb_rdata_o,
  output logic      [63:0]               rb_late_o,  // rb_rdata_o of the cycle before

  // What is counted
  input  wire logic [Slots-1:0]          ret_valid_i,
  input  wire logic [Slots*RetireW-1:0]  ret_i,
  input  wire logic [1:0]                hit_i,      // of either cache
  input  wire logic [1:0]                miss_i,
  input  wire logic                      stray_i,
  input  wire logic                      bad_item_i,
  input  wire logic                      marked_i,   // RetFrame of a marked frame (ECN-1)

  // What software says
  output logic      [47:0]               cfg_mac_o,
  output logic      [31:0]               cfg_ip_o,
  output logic      [127:0]              cfg_ip6_o,
  output logic      [7:0]                cfg_tos_o,
  output logic      [15:0]               cfg_qpn_o,
  output logic      [15:0]               cfg_rid_o,
  output logic      [2:0]                cfg_mps_o,
  output logic      [2:0]                cfg_mrrs_o,
  output logic      [31:0]               cfg_tmo_o,
  output logic      [31:0]               cfg_tick_o,
  output logic                           tag_free_o,
  output logic      [31:0]               cfg_cnp_o,
  output logic                           cnp_we_o,
  output nic_pkg::rate_cfg_t             cfg_rate_o,
  output logic                           rate_we_o
);

  logic [47:0] mac_q;
  logic [39:0] ip_q;
  logic [127:0] ip6_q;
  logic [15:0] qpn_q, rid_q;
  logic [2:0]  mps_q, mrrs_q;
  logic [31:0] tmo_q, tick_q, cnp_q;
  logic [10:0] full_q, least_q, add_q, hyper_q;
  logic [3:0]  g_q, fast_q;
  logic [7:0]  calm_q, raise_q;
  logic        mine_q, we;
  logic [3:0]  word_q;
  logic [63:0] now, next, count, shown;

  // The word as each register has it: as it is, and what would be written to it.
  nic_reg_pkg::nic_cap_t   at_cap;
  nic_reg_pkg::nic_ip_t    at_ip, to_ip, reset_ip;
  nic_reg_pkg::nic_dma_t   at_dma, to_dma, reset_dma;
  nic_reg_pkg::nic_rate_t  at_rate, to_rate, reset_rate;
  nic_reg_pkg::nic_raise_t at_raise, to_raise, reset_raise;
  assign to_ip       = next;
  assign to_dma      = next;
  assign to_rate     = next;
  assign to_raise    = next;
  assign reset_ip    = nic_reg_pkg::ResetNIC_IP;
  assign reset_dma   = nic_reg_pkg::ResetNIC_DMA;
  assign reset_rate  = nic_reg_pkg::ResetNIC_RATE;
  assign reset_raise = nic_reg_pkg::ResetNIC_RAISE;
  always_comb begin
    {at_cap, at_ip, at_dma, at_rate, at_raise} = '0;
    at_cap.QPS     = 9'(NumQps);
    at_cap.PROCS   = 5'(NumProcs);
    at_cap.MRS     = 9'(NumMrs);
    at_cap.TABLE   = 4'(TableBits);
    at_cap.RECV    = 8'(RecvDepth);
    at_cap.LOGS    = 6'(NumLogs);
    at_cap.CTX     = Contexts != 0 ? 4'($clog2(Contexts)) : 4'd0;
    at_dma.MRRS    = mrrs_q;
    at_dma.MPS     = mps_q;
    at_rate.FAST   = fast_q;
    at_rate.G      = g_q;
    at_rate.MIN    = least_q;
    at_rate.FULL   = full_q;
    at_raise.HYPER = hyper_q;
    at_raise.ADD   = add_q;
    at_raise.TIME  = raise_q;
    at_raise.CALM  = calm_q;
    {at_ip.TOS, at_ip.IP} = ip_q;
  end

  // The address is decoded a cycle before.
  always_ff @(posedge clk_i) {mine_q, word_q} <= {rb_i.addr[16:4] == 13'd0, rb_i.addr[3:0]};
  assign we = rb_i.we && mine_q;

  always_comb begin
    now = 64'd0;
    unique case (word_q)
      4'(nic_reg_pkg::RegNIC_ID >> 3): now = nic_reg_pkg::ResetNIC_ID;
      4'(nic_reg_pkg::RegNIC_CAP >> 3): now = at_cap;
      4'(nic_reg_pkg::RegNIC_MAC >> 3): now = {16'd0, mac_q};
      4'(nic_reg_pkg::RegNIC_IP >> 3): now = at_ip;
      4'(nic_reg_pkg::RegNIC_QPN >> 3): now = {48'd0, qpn_q};
      4'(nic_reg_pkg::RegNIC_RID >> 3): now = {48'd0, rid_q};
      4'(nic_reg_pkg::RegNIC_DMA >> 3): now = at_dma;
      4'(nic_reg_pkg::RegNIC_CPL_TMO >> 3): now = {32'd0, tmo_q};
      4'(nic_reg_pkg::RegNIC_TICK >> 3): now = {32'd0, tick_q};
      4'(nic_reg_pkg::RegNIC_IP6_HI >> 3): now = ip6_q[127:64];
      4'(nic_reg_pkg::RegNIC_IP6_LO >> 3): now = ip6_q[63:0];
      4'(nic_reg_pkg::RegNIC_CNP >> 3): now = {32'd0, cnp_q};
      4'(nic_reg_pkg::RegNIC_RATE >> 3): now = at_rate;
      4'(nic_reg_pkg::RegNIC_RAISE >> 3): now = at_raise;
      default: ;
    endcase
    next = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, now);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mac_q  <= nic_reg_pkg::ResetNIC_MAC[47:0];
      ip_q   <= {reset_ip.TOS, reset_ip.IP};
      qpn_q  <= nic_reg_pkg::ResetNIC_QPN[15:0];
      rid_q  <= nic_reg_pkg::ResetNIC_RID[15:0];
      mps_q  <= reset_dma.MPS;
      mrrs_q <= reset_dma.MRRS;
      tmo_q  <= nic_reg_pkg::ResetNIC_CPL_TMO[31:0];
      tick_q <= nic_reg_pkg::ResetNIC_TICK[31:0];
      ip6_q  <= {nic_reg_pkg::ResetNIC_IP6_HI, nic_reg_pkg::ResetNIC_IP6_LO};
      cnp_q  <= nic_reg_pkg::ResetNIC_CNP[31:0];
      {fast_q, g_q, least_q, full_q}    <= {reset_rate.FAST, reset_rate.G, reset_rate.MIN, reset_rate.FULL};
      {hyper_q, add_q, raise_q, calm_q} <= {reset_raise.HYPER, reset_raise.ADD, reset_raise.TIME, reset_raise.CALM};
    end else if (we) begin
      unique case (word_q)
        4'(nic_reg_pkg::RegNIC_MAC >> 3): mac_q <= next[47:0];
        4'(nic_reg_pkg::RegNIC_IP >> 3): ip_q <= {to_ip.TOS, to_ip.IP};
        4'(nic_reg_pkg::RegNIC_QPN >> 3): qpn_q <= next[15:0];
        4'(nic_reg_pkg::RegNIC_RID >> 3): rid_q <= next[15:0];
        4'(nic_reg_pkg::RegNIC_DMA >> 3): {mrrs_q, mps_q} <= {to_dma.MRRS, to_dma.MPS};
        4'(nic_reg_pkg::RegNIC_CPL_TMO >> 3): tmo_q <= next[31:0];
        4'(nic_reg_pkg::RegNIC_TICK >> 3): tick_q <= next[31:0];
        4'(nic_reg_pkg::RegNIC_IP6_HI >> 3): ip6_q[127:64] <= next;
        4'(nic_reg_pkg::RegNIC_IP6_LO >> 3): ip6_q[63:0] <= next;
        4'(nic_reg_pkg::RegNIC_CNP >> 3): cnp_q <= next[31:0];
        4'(nic_reg_pkg::RegNIC_RATE >> 3): {fast_q, g_q, least_q, full_q} <= {to_rate.FAST, to_rate.G, to_rate.MIN,
          to_rate.FULL};
        4'(nic_reg_pkg::RegNIC_RAISE >> 3):
          {hyper_q, add_q, raise_q, calm_q} <= {to_raise.HYPER, to_raise.ADD, to_raise.TIME, to_raise.CALM};
        default: ;
      endcase
    end
  end

  assign cfg_mac_o  = mac_q;
  assign cfg_ip_o   = ip_q[31:0];
  assign cfg_ip6_o  = ip6_q;
  assign cfg_tos_o  = ip_q[39:32];
  assign cfg_qpn_o  = qpn_q;
  assign cfg_rid_o  = rid_q;
  assign cfg_mps_o  = mps_q;
  assign cfg_mrrs_o = mrrs_q;
  assign cfg_tmo_o  = tmo_q;
  assign cfg_tick_o = tick_q;
  assign tag_free_o = we && word_q == 4'(nic_reg_pkg::RegNIC_TAG_FREE >> 3);

  assign cfg_cnp_o  = cnp_q;
  assign cnp_we_o   = we && rb_i.wstrb != '0 && word_q == 4'(nic_reg_pkg::RegNIC_CNP >> 3);
  assign cfg_rate_o = {full_q > 11'd1024 ? 11'd1024 : full_q, least_q == '0 ? 11'd1 : least_q,
                       g_q, fast_q, calm_q, raise_q, add_q,
                       hyper_q};
  assign rate_we_o  = we && rb_i.wstrb != '0 && (word_q == 4'(nic_reg_pkg::RegNIC_RATE >> 3) ||
                      word_q == 4'(nic_reg_pkg::RegNIC_RAISE >> 3));

  // ---- counters: of what was in the cycle before ----
  logic [Slots-1:0]         seen_q;
  logic [Slots*RetireW-1:0] ret_q;
  logic [1:0]               hit_q, miss_q;
  logic                     stray_q, bad_item_q, marked_q;
  always_ff @(posedge clk_i) begin
    seen_q <= rst_ni ? ret_valid_i : '0;
    ret_q  <= ret_i;
    {hit_q, miss_q, stray_q, bad_item_q, marked_q} <= rst_ni ? {hit_i, miss_i, stray_i, bad_item_i, marked_i} : '0;
  end

  localparam int unsigned NumCnt = nic_reg_pkg::RegNIC_CNTNum;
  nic_pkg::retire_t rx, frame, tx, task_r, event_r, timer, rate, ctx;
  logic [NumCnt-1:0] inc, more;
  assign rx      = ret_q[(32'(nic_pkg::RetRx)-1)*RetireW+:RetireW];
  assign frame   = ret_q[(32'(nic_pkg::RetFrame)-1)*RetireW+:RetireW];
  assign tx      = ret_q[(32'(nic_pkg::RetTx)-1)*RetireW+:RetireW];
  assign task_r  = ret_q[(32'(nic_pkg::RetTask)-1)*RetireW+:RetireW];
  assign event_r = ret_q[(32'(nic_pkg::RetEvent)-1)*RetireW+:RetireW];
  assign timer   = ret_q[(32'(nic_pkg::RetTimer)-1)*RetireW+:RetireW];

  assign rate    = ret_q[(32'(nic_pkg::RetRate)-1)*RetireW+:RetireW];
  assign ctx     = ret_q[(32'(nic_pkg::RetCtx)-1)*RetireW+:RetireW];

  always_comb begin
    inc = '0;
    for (int unsigned i = 0; i < 6; i++)
      inc[nic_reg_pkg::CntRxGood+i] = seen_q[32'(nic_pkg::RetRx)-1] && 32'(rx.code) == i;
    for (int unsigned i = 0; i < 12; i++)
      inc[nic_reg_pkg::CntFrForeign+i] = seen_q[32'(nic_pkg::RetFrame)-1] && 32'(frame.code) == i;
    inc[nic_reg_pkg::CntEntries] = seen_q[32'(nic_pkg::RetSend)-1];
    for (int unsigned i = 0; i < 5; i++)
      inc[nic_reg_pkg::CntTxAck+i] = seen_q[32'(nic_pkg::RetTx)-1] && !tx.flag && 32'(tx.code) == i;
    inc[nic_reg_pkg::CntTasks] = seen_q[32'(nic_pkg::RetTask)-1] && task_r.code == 4'd0;
    inc[nic_reg_pkg::CntEvents] = seen_q[32'(nic_pkg::RetEvent)-1] && event_r.code != 4'd0 && !event_r.flag;
    inc[nic_reg_pkg::CntEventsDropped] = seen_q[32'(nic_pkg::RetEvent)-1] && event_r.code != 4'd0 && event_r.flag;
    inc[nic_reg_pkg::CntNoProgress] = seen_q[32'(nic_pkg::RetTimer)-1] && timer.code == nic_pkg::TmNoProgress;
    inc[nic_reg_pkg::CntHit] = hit_q[0];
    inc[nic_reg_pkg::CntMiss] = miss_q[0];
    inc[nic_reg_pkg::CntStray] = stray_q;
    inc[nic_reg_pkg::CntErr] = bad_item_q;
    inc[nic_reg_pkg::CntMarked] = marked_q;
    inc[nic_reg_pkg::CntCnpSent] = seen_q[32'(nic_pkg::RetTx)-1] && tx.code == nic_pkg::TxCnp;
    inc[nic_reg_pkg::CntCnpCame] = seen_q[32'(nic_pkg::RetFrame)-1] && frame.code == nic_pkg::FrCnp;
    inc[nic_reg_pkg::CntCut] = seen_q[32'(nic_pkg::RetRate)-1] && rate.code == nic_pkg::RtCut;
    inc[nic_reg_pkg::CntAbsent] = seen_q[32'(nic_pkg::RetTx)-1] && tx.code == nic_pkg::TxAbsent;
    for (int unsigned i = 0; i < 5; i++)
      inc[nic_reg_pkg::CntCtxLoaded+i] = seen_q[32'(nic_pkg::RetCtx)-1] && 32'(ctx.code) == i;
    more = '0;
    more[nic_reg_pkg::CntHit] = hit_q[1];
    more[nic_reg_pkg::CntMiss] = miss_q[1];
  end

  logic        is_cnt_q;
  logic [5:0]  cnt_q;                // the counter that was on the bus in the cycle before
  logic        clear_q;              // a counter was cleared in the cycle before, and with it what came then
  logic [5:0]  clear_at_q;
  logic [NumCnt-1:0] one, two;
  logic [63:0] wait_one, wait_more;  // padded: a power of two is cheap to select from
  assign wait_one  = 64'(inc);
  assign wait_more = 64'(more);
  always_comb begin
    for (int unsigned i = 0; i < NumCnt; i++) begin
      one[i] = inc[i] && !(clear_q && clear_at_q == 6'(i));
      two[i] = more[i] && !(clear_q && clear_at_q == 6'(i));
    end
  end
  always_ff @(posedge clk_i) begin
    is_cnt_q <= nic_reg_pkg::at_NIC_CNT(rb_i.addr);
    cnt_q    <= nic_reg_pkg::idx_NIC_CNT(rb_i.addr);
    clear_q    <= rb_i.we && is_cnt_q;
    clear_at_q <= cnt_q;
  end
  cm_count #(
    .NumCnt(NumCnt),
    .CycleCnt(NumCnt + 1),
    .BytesACnt(NumCnt + 2),
    .BytesBCnt(NumCnt + 3),
    .BytesW(2),
    .Twice(NumCnt'(3) << nic_reg_pkg::CntHit)
  ) u_count (
    .clk_i,
    .rst_ni,
    .rb_sel_i(nic_reg_pkg::at_NIC_CNT(rb_i.addr)),
    .rb_idx_i(nic_reg_pkg::idx_NIC_CNT(rb_i.addr)),
    .rb_we_i(rb_i.we),
    .rb_rdata_o(count),
    .inc_i(one),
    .more_i(two),
    .bytes_a_i(2'd0),
    .bytes_b_i(2'd0)
  );

  // The bus of this cycle shows what was addressed in the cycle before, as cm_count does.
  logic [1:0] waits;
  assign waits      = is_cnt_q && !(clear_q && clear_at_q == cnt_q) ? 2'(wait_one[cnt_q]) + 2'(wait_more[cnt_q]) : 2'd0;
  assign shown      = mine_q ? now : count;
  assign rb_rdata_o = shown + 64'(waits);

  // What waits is found late, so it is added in the cycle behind.
  logic [63:0] read_q;
  logic [1:0]  waits_q;
  always_ff @(posedge clk_i) begin
    read_q  <= shown;
    waits_q <= waits;
  end
  assign rb_late_o = read_q + 64'(waits_q);

`ifdef FORMAL
`include "nic_regs_props.svh"
`endif

endmodule

`default_nettype wire
