// SPDX-License-Identifier: Apache-2.0
// aa_fault: the primary fault log of VT-d: FSTS, FRCD ring, and the fault event (FECTL, FEDATA, FEADDR, FEUADDR).
//
//   fault --> same SID pending? PFO? next record taken? --> FRCD[next]      stored / lost
//                                                             |
//   iqe   --------------------------------------> FSTS: 0 -> not 0 --> IP --(IM = 0)--> NoteFault --> message
//
// P1  A fault is stored or lost, at once: lost while PFO is set, when a record of its SID is pending, or when the next
//     record is pending (that sets PFO). Stored in record next, which then moves on.
// P2  A record keeps what was stored until its F is written with 1; with F = 0 it reads as 0.
// P3  PPF is the OR of all F. FRI is the record that raised it, until PPF rises again.
// P4  The event: IP rises when FSTS leaves 0 (PPF, PFO or IQE), and falls at NoteFault, or when FSTS is 0 again.
// P5  NoteFault retires only with IP = 1 and IM = 0 (flag = 0), or for a write of our own that failed: once for each
//     time that werr_set_i, if IM = 0 and not cleared before (flag = 1); its message is offered from the next cycle on,
//     with the registers as they were then (wr_wait_o keeps writes away until it is taken). An event that waits to
//     retire keeps them away too.
// P6  In one cycle: fault, then NoteFault, then iqe, then the register write.
//
// Cost: 8 x 16 flip-flops and comparators (SID), 79 x 8 bits of LUT RAM, 96 bits of registers.
// Rules of README.md: INV-1, INV-2, ERR-7, DUE-4.
`default_nettype none

module aa_fault (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t rb_i,
  output logic      [63:0]      rb_rdata_o,
  output logic                  wr_wait_o,

  // Faults: of decisions; of the invalidation queue; te_clr_i: a write clears GSTS.TES
  input  wire logic             fault_valid_i,
  input  wire aa_pkg::fault_t   fault_i,
  output logic                  stored_o,
  output logic                  lost_o,
  input  wire logic             iqe_set_i,
  output logic                  iqe_o,
  input  wire logic             te_clr_i,
  input  wire logic             werr_set_i,  // AA_ERR_STS.WERR rises; is cleared (last in its cycle)
  input  wire logic             werr_clr_i,

  // Event
  output logic                  note_valid_o,
  output aa_pkg::retire_t       note_o,
  input  wire logic             note_ready_i,
  output logic                  msg_valid_o,
  input  wire logic             msg_ready_i,
  output logic      [63:0]      msg_addr_o,
  output logic      [63:0]      msg_data_o,
  output logic      [3:0]       msg_bytes_o
);

  localparam int unsigned Records = aa_reg_pkg::RegFRCDLNum;
  localparam int unsigned IdxW = $clog2(Records);

  logic [Records-1:0]    f_q, same, f_next, f_clr;
  logic [Records*16-1:0] sid_q;
  logic [IdxW-1:0]       next_q, fri_q, rd_idx;
  logic                  pfo_q, iqe_q, im_q, ip_q, wip_q, msg_q;
  logic [31:0]           data_q;
  logic [63:2]           addr_q;
  logic                  is_fsts, is_fectl, is_feaddr, is_frcd;
  logic                  ppf, any, any_hw, note, store, overflow, spare;
  typedef struct packed {
    logic [7:0]  reason;
    logic        read;
    logic [1:0]  at;
    logic [15:0] sid;
    logic [51:0] page;
  } rec_t;
  logic [78:0]           rec_q [Records];
  rec_t                  rec;

  // ---- a fault ----
  always_comb begin
    for (int unsigned k = 0; k < Records; k++) same[k] = f_q[k] && sid_q[16*k +: 16] == fault_i.sid;
  end

  assign ppf      = f_q != '0;
  assign store    = fault_valid_i && !pfo_q && same == '0 && !f_q[next_q];
  assign overflow = fault_valid_i && !pfo_q && same == '0 && f_q[next_q];
  assign stored_o = store;
  assign lost_o   = fault_valid_i && !store;
  assign iqe_o    = iqe_q;

  // Whether it is stored is known late; a record that is not pending may be written in any case.
  assign spare = !f_q[next_q];
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < Records; k++) if (spare && next_q == IdxW'(k)) sid_q[16*k +: 16] <= fault_i.sid;
  end

  always_ff @(posedge clk_i)
    if (spare) rec_q[next_q] <= {fault_i.reason, fault_i.read, fault_i.at, fault_i.sid, fault_i.page};
  assign rec = rec_q[rd_idx];

  // ---- registers ----
  // Words of two registers: FSTS is the upper half of its own, FEDATA of that of FECTL, FEUADDR of that of FEADDR.
  aa_reg_pkg::fsts_t   at_fsts, to_fsts;
  aa_reg_pkg::fectl_t  at_fectl, to_fectl;
  aa_reg_pkg::frcdl_t  at_frcdl;
  aa_reg_pkg::frcdh_t  at_frcdh, to_frcdh;
  logic [63:0]         to_event, to_addr;
  logic                is_high;
  assign is_fsts   = aa_reg_pkg::at_FSTS(rb_i.addr);
  assign is_fectl  = aa_reg_pkg::at_FECTL(rb_i.addr);
  assign is_feaddr = aa_reg_pkg::at_FEADDR(rb_i.addr);
  assign is_high   = aa_reg_pkg::at_FRCDH(rb_i.addr);
  assign rd_idx    = is_high ? aa_reg_pkg::idx_FRCDH(rb_i.addr) : aa_reg_pkg::idx_FRCDL(rb_i.addr);
  assign is_frcd   = (is_high || aa_reg_pkg::at_FRCDL(rb_i.addr)) && 32'(rd_idx) < Records;
  assign to_fsts   = rb_i.wdata[63:32];  // these by their strobes
  assign to_fectl  = rb_i.wdata[31:0];
  assign to_frcdh  = rb_i.wdata;
  assign to_event   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, {data_q, at_fectl});
  assign to_addr    = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, {addr_q, 2'd0});

  always_comb begin
    {at_fsts, at_fectl, at_frcdl, at_frcdh} = '0;
    at_fsts.FRI  = 8'(fri_q);
    at_fsts.IQE  = iqe_q;
    at_fsts.PPF  = ppf;
    at_fsts.PFO  = pfo_q;
    at_fectl.IM  = im_q;
    at_fectl.IP  = ip_q;
    at_frcdl.FI  = rec.page;
    at_frcdh.F   = 1'b1;
    at_frcdh.T   = rec.read;
    at_frcdh.AT  = rec.at;
    at_frcdh.FR  = rec.reason;
    at_frcdh.SID = rec.sid;
    rb_rdata_o = (is_fsts ? {at_fsts, 32'd0} : '0) | (is_fectl ? {data_q, at_fectl} : '0) |
                 (is_feaddr ? {addr_q, 2'd0} : '0) | (is_frcd && f_q[rd_idx] && !is_high ? at_frcdl : '0) |
                 (is_frcd && f_q[rd_idx] && is_high ? at_frcdh : '0);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      data_q <= '0;
      addr_q <= '0;
    end else begin
      if (rb_i.we && is_fectl) data_q <= to_event[63:32];
      if (rb_i.we && is_feaddr) addr_q <= to_addr[63:2];
    end
  end

  // ---- status: fault, note, iqe, write, in this order ----
  always_comb begin
    f_clr = '0;
    if (rb_i.we && is_frcd && is_high && rb_i.wstrb[7] && to_frcdh.F) f_clr[rd_idx] = 1'b1;
    f_next = f_q;
    if (store) f_next[next_q] = 1'b1;
  end

  logic w1c, left, pfo_hw, pfo_d, iqe_hw, iqe_d, ip_hw;
  logic [Records-1:0] f_d;
  assign w1c    = rb_i.we && is_fsts && rb_i.wstrb[4];
  assign any    = ppf || pfo_q || iqe_q;
  assign any_hw = store || overflow || iqe_set_i;
  assign note   = note_valid_o && note_ready_i;
  assign pfo_hw = pfo_q || overflow;
  assign iqe_hw = iqe_q || iqe_set_i;
  assign ip_hw  = (ip_q && !(note && !note_o.flag)) || (any_hw && !any);
  assign f_d    = f_next & ~f_clr;
  assign left   = (f_q & ~f_clr) != '0;
  assign pfo_d  = pfo_hw && !(w1c && to_fsts.PFO);
  assign iqe_d  = iqe_hw && !(w1c && to_fsts.IQE);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_q    <= '0;
      next_q <= '0;
      fri_q  <= '0;
      pfo_q  <= 1'b0;
      iqe_q  <= 1'b0;
      ip_q   <= 1'b0;
      wip_q  <= 1'b0;
      im_q   <= aa_reg_pkg::ResetFECTL[aa_reg_pkg::FECTL_IM_Lsb];
      msg_q  <= 1'b0;
    end else begin
      f_q   <= f_d;
      pfo_q <= pfo_d;
      iqe_q <= iqe_d;
      ip_q  <= ip_hw && (left || (store && !f_clr[next_q]) || pfo_d || iqe_d);
      wip_q <= ((wip_q && !(note && note_o.flag)) || werr_set_i) && !werr_clr_i;
      if (te_clr_i) next_q <= '0;
      else if (store) next_q <= next_q == IdxW'(Records - 1) ? '0 : next_q + IdxW'(1);
      if (store && !ppf) fri_q <= next_q;
      if (rb_i.we && is_fectl && rb_i.wstrb[3]) im_q <= to_fectl.IM;
      if (note) msg_q <= 1'b1;
      else if (msg_ready_i) msg_q <= 1'b0;
    end
  end

  // ---- event ----
  assign note_valid_o = (ip_q || wip_q) && !im_q && !msg_q;
  always_comb begin
    note_o      = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.flag = !ip_q;
    note_o.code = aa_pkg::NoteFault;
    note_o.a    = {32'd0, data_q};
  end
  assign msg_valid_o  = msg_q;
  assign msg_addr_o   = {addr_q, 2'd0};
  assign msg_data_o   = {32'd0, data_q};
  assign msg_bytes_o  = 4'd4;
  assign wr_wait_o    = note_valid_o || msg_q;

`ifdef FORMAL
`include "aa_fault_props.svh"
`endif

endmodule

`default_nettype wire
