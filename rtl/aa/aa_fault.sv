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
// P5  NoteFault retires only with IP = 1 and IM = 0 (flag = 0), or for a write of our own that failed: once for each time that
//     werr_set_i, if IM = 0 and not cleared before (flag = 1); its message is offered from the next cycle on, with the registers
//     as they were then (wr_wait_o keeps writes away until it is taken). An event that waits to retire keeps them away
//     too.
// P6  In one cycle: fault, then NoteFault, then iqe, then the register write.
//
// Cost: 8 x 16 flip-flops and comparators (SID), 79 x 8 bits of LUT RAM, 96 bits of registers.
// Rules of README.md: INV-1, INV-2, ERR-7, DUE-4.
`default_nettype none

module aa_fault (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  // Register bus
  input  wire logic [19:3]     rb_addr_i,
  input  wire logic            rb_we_i,
  input  wire logic [63:0]     rb_wdata_i,
  input  wire logic [7:0]      rb_wstrb_i,
  output logic      [63:0]     rb_rdata_o,
  output logic                 wr_wait_o,

  // Faults: of decisions; of the invalidation queue; te_clr_i: a write clears GSTS.TES
  input  wire logic            fault_valid_i,
  input  wire aa_pkg::fault_t  fault_i,
  output logic                 stored_o,
  output logic                 lost_o,
  input  wire logic            iqe_set_i,
  output logic                 iqe_o,
  input  wire logic            te_clr_i,
  input  wire logic            werr_set_i,  // AA_ERR_STS.WERR rises; is cleared (last in its cycle)
  input  wire logic            werr_clr_i,

  // Event
  output logic                 note_valid_o,
  output aa_pkg::retire_t      note_o,
  input  wire logic            note_ready_i,
  output logic                 msg_valid_o,
  input  wire logic            msg_ready_i,
  output logic      [63:0]     msg_addr_o,
  output logic      [63:0]     msg_data_o,
  output logic      [3:0]      msg_bytes_o
);

  localparam int unsigned Records = aa_reg_pkg::RegFRCDLNum;
  localparam int unsigned IdxW = $clog2(Records);

  logic [Records-1:0]    f_q, same, f_next, f_clr;
  logic [Records*16-1:0] sid_q;
  logic [IdxW-1:0]       next_q, fri_q, rd_idx;
  logic                  pfo_q, iqe_q, im_q, ip_q, wip_q, msg_q;
  logic [31:0]           data_q;
  logic [63:2]           addr_q;
  logic [3:0]            frcd_off;
  logic                  is_fsts, is_fectl, is_feaddr, is_frcd;
  logic                  ppf, any, any_hw, note, store, overflow, spare;
  logic [78:0]           rec_q [Records];
  logic [78:0]           rec;

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
  assign is_fsts   = rb_addr_i == 17'(aa_reg_pkg::RegFSTS >> 3);
  assign is_fectl  = rb_addr_i == 17'(aa_reg_pkg::RegFECTL >> 3);
  assign is_feaddr = rb_addr_i == 17'(aa_reg_pkg::RegFEADDR >> 3);
  assign frcd_off  = rb_addr_i[7:4] - 4'(aa_reg_pkg::RegFRCDL >> 4);
  assign rd_idx    = frcd_off[IdxW-1:0];
  assign is_frcd   = rb_addr_i[19:8] == 12'(aa_reg_pkg::RegFRCDL >> 8) && frcd_off < 4'(Records);

  always_comb begin
    rb_rdata_o = ({64{is_fsts}} & {16'd0, 8'(fri_q), 3'd0, iqe_q, 2'd0, ppf, pfo_q, 32'd0}) |
                 ({64{is_fectl}} & {data_q, im_q, ip_q, 30'd0}) | ({64{is_feaddr}} & {addr_q, 2'd0}) |
                 ({64{is_frcd && f_q[rd_idx] && !rb_addr_i[3]}} & {rec[51:0], 12'd0}) |
                 ({64{is_frcd && f_q[rd_idx] && rb_addr_i[3]}} &
                  {1'b1, rec[70], rec[69:68], 20'd0, rec[78:71], 16'd0, rec[67:52]});
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      data_q <= '0;
      addr_q <= '0;
    end else begin
      for (int unsigned k = 0; k < 32; k++)
        if (rb_we_i && is_fectl && rb_wstrb_i[4 + k / 8]) data_q[k] <= rb_wdata_i[32 + k];
      for (int unsigned k = 2; k < 64; k++) if (rb_we_i && is_feaddr && rb_wstrb_i[k / 8]) addr_q[k] <= rb_wdata_i[k];
    end
  end

  // ---- status: fault, note, iqe, write, in this order ----
  always_comb begin
    f_clr = '0;
    if (rb_we_i && is_frcd && rb_addr_i[3] && rb_wstrb_i[7] && rb_wdata_i[63]) f_clr[rd_idx] = 1'b1;
    f_next = f_q;
    if (store) f_next[next_q] = 1'b1;
  end

  logic w1c, left, pfo_hw, pfo_d, iqe_hw, iqe_d, ip_hw;
  logic [Records-1:0] f_d;
  assign w1c    = rb_we_i && is_fsts && rb_wstrb_i[4];
  assign any    = ppf || pfo_q || iqe_q;
  assign any_hw = store || overflow || iqe_set_i;
  assign note   = note_valid_o && note_ready_i;
  assign pfo_hw = pfo_q || overflow;
  assign iqe_hw = iqe_q || iqe_set_i;
  assign ip_hw  = (ip_q && !(note && !note_o.flag)) || (any_hw && !any);
  assign f_d    = f_next & ~f_clr;
  assign left   = (f_q & ~f_clr) != '0;
  assign pfo_d  = pfo_hw && !(w1c && rb_wdata_i[32]);
  assign iqe_d  = iqe_hw && !(w1c && rb_wdata_i[36]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_q    <= '0;
      next_q <= '0;
      fri_q  <= '0;
      pfo_q  <= 1'b0;
      iqe_q  <= 1'b0;
      ip_q   <= 1'b0;
      wip_q  <= 1'b0;
      im_q   <= 1'b1;
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
      if (rb_we_i && is_fectl && rb_wstrb_i[3]) im_q <= rb_wdata_i[31];
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
