// SPDX-License-Identifier: Apache-2.0
// aa_regs: the registers that belong to no other block: identification, global command, root table, invalidation by
// register, Active Access control, time limits, port filter, and the first error.
//
//   rb --> GCMD --> TES, root, QIES            errors (slot order) --> first one: AA_ERR_STS, AA_ERR_ADDR
//      --> CCMD / IOTLB, IVA --> aa_inval --> drained --> ICC / IVT = 0
//
// P1  A read-write field holds what its strobed bytes were last written with, after reset the value of aa_regs.rdl; all
//     else reads as is said there, reserved bits as 0.
// P2  GCMD acts on a write of its byte 3: TES and QIES follow it, SRTP takes RTADDR and sets RTPS. te_clr_o marks TES
//     falling.
// P3  Writing CCMD.ICC (IOTLB.IVT) with a granularity starts one invalidation: it is handed to aa_inval, then drained,
//     then retires its end (r_fin, the cycle after drained_i), which clears the bit and says what was done. CCMD comes
//     first. Meanwhile writes to CCMD (IOTLB, IVA) are ignored. With granularity 0 the bit stays 0 and CAIG (IAIG)
//     becomes 0.
// P4  AA_ERR_STS keeps the first error until VALID is written with 1; MORE: another came after it. In one cycle the
//     lowest slot comes first, and the register write last. WERR is set by every error of slot 3 (aa_axi_err),
//     werr_set_o tells when it rises; it is cleared with VALID (werr_clr_o).
//
// Cost: about 650 + 33 * NumPorts flip-flops, an error of each source, a 6:1 mux of an error.
// One file: five small machines that share one decoder, one merge of strobes and one word that is read.
// Rules of README.md: INV-8, INV-10, XLT-20, DEC-20.
`default_nettype none

module aa_regs #(
  parameter int unsigned NumPorts = 1,
  // For AA_CAP
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  parameter int unsigned ScratchWords = 16
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t                rb_i,
  output logic      [63:0]                     rb_rdata_o,

  // Settings
  output logic                                 te_o,
  output logic                                 te_clr_o,
  output logic                                 qie_o,
  output logic      [63:12]                    root_o,
  output logic                                 aae_o,
  output logic      [2:0]                      mps_o,
  output logic      [2:0]                      mrrs_o,
  output logic      [31:0]                     cpl_tmo_o,
  output logic      [31:0]                     wdog_o,
  output logic      [31:0]                     flush_tmo_o,
  output logic                                 flush_tmo_on_o,  // it is not 0: 32 bits are far from who asks
  output logic      [NumPorts*33-1:0]          port_filter_o,  // {EN, MASK, ID} of each port

  // Errors, in the order of the retire slots of their records
  input  wire logic [5:0]                      err_valid_i,
  input  wire logic [6*aa_pkg::ErrW-1:0]       err_i,
  output logic                                 werr_set_o,
  output logic                                 werr_clr_o,

  // Invalidation by register (aa_inval)
  output logic                                 r_valid_o,
  output logic                                 r_sel_o,  // 0 CCMD, 1 IOTLB
  output logic      [63:0]                     r_a_o,
  output logic      [63:0]                     r_b_o,
  input  wire logic                            r_done_i,
  output logic                                 r_fin_valid_o,
  input  wire logic                            r_fin_ready_i,
  input  wire logic                            drained_i
);

  if (NumPorts < 1 || NumPorts > aa_reg_pkg::RegAA_PORTNum) begin : gen_bad_num_ports
    $error("aa_regs: NumPorts must be 1 to 4");
  end
  if (NumLogs > 32 || FlushPages > 8 || ScratchWords > 64) begin : gen_bad_num_logs
    $error("aa_regs: more logs, pages or words than registers");
  end

  localparam int unsigned ErrW = aa_pkg::ErrW;
  localparam logic [5:0] Mamv = aa_reg_pkg::ResetCAP[aa_reg_pkg::CAP_MAMV_Lsb+:aa_reg_pkg::CAP_MAMV_W];

  // ---- which register ----
  logic is_gcmd, is_rtaddr, is_ccmd, is_iva, is_iotlb, is_ctl, is_cpl, is_wdog, is_flush, is_port;
  logic is_err_sts, is_err_addr;
  logic is_ver, is_cap, is_ecap, is_id, is_aacap;
  assign is_ver      = aa_reg_pkg::at_VER(rb_i.addr);
  assign is_cap      = aa_reg_pkg::at_CAP(rb_i.addr);
  assign is_ecap     = aa_reg_pkg::at_ECAP(rb_i.addr);
  assign is_id       = aa_reg_pkg::at_AA_ID(rb_i.addr);
  assign is_aacap    = aa_reg_pkg::at_AA_CAP(rb_i.addr);
  assign is_gcmd     = aa_reg_pkg::at_GCMD(rb_i.addr);
  assign is_rtaddr   = aa_reg_pkg::at_RTADDR(rb_i.addr);
  assign is_ccmd     = aa_reg_pkg::at_CCMD(rb_i.addr);
  assign is_iva      = aa_reg_pkg::at_IVA(rb_i.addr);
  assign is_iotlb    = aa_reg_pkg::at_IOTLB(rb_i.addr);
  assign is_ctl      = aa_reg_pkg::at_AA_CTL(rb_i.addr);
  assign is_cpl      = aa_reg_pkg::at_AA_CPL_TMO(rb_i.addr);
  assign is_wdog     = aa_reg_pkg::at_AA_WDOG(rb_i.addr);
  assign is_flush    = aa_reg_pkg::at_AA_FLUSH_TMO(rb_i.addr);
  assign is_err_sts  = aa_reg_pkg::at_AA_ERR_STS(rb_i.addr);
  assign is_err_addr = aa_reg_pkg::at_AA_ERR_ADDR(rb_i.addr);
  assign is_port     = aa_reg_pkg::at_AA_PORT(rb_i.addr);

  // ---- the word as each register has it: as it is (at_), and what is written to it (to_), by its strobes ----
  aa_reg_pkg::gcmd_t       to_gcmd;
  aa_reg_pkg::gsts_t       at_gsts;
  aa_reg_pkg::rtaddr_t     at_rtaddr, to_rtaddr;
  aa_reg_pkg::ccmd_t       at_ccmd, to_ccmd;
  aa_reg_pkg::iva_t        at_iva, to_iva;
  aa_reg_pkg::iotlb_t      at_iotlb, to_iotlb;
  aa_reg_pkg::aa_ctl_t     at_ctl, to_ctl;
  aa_reg_pkg::aa_err_sts_t at_err_sts, to_err_sts;
  aa_reg_pkg::aa_cap_t     at_aacap;
  assign to_gcmd    = rb_i.wdata[31:0];
  assign to_rtaddr  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_rtaddr);
  assign to_ccmd    = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_ccmd);
  assign to_iva     = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_iva);
  assign to_iotlb   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_iotlb);
  assign to_ctl     = rb_i.wdata[31:0];
  assign to_err_sts = rb_i.wdata;
  always_comb begin
    at_aacap         = '0;
    at_aacap.LOGS    = 8'(NumLogs);
    at_aacap.DEPTH   = 8'(LogDepth);
    at_aacap.TAGS    = 16'(TagEntries);
    at_aacap.PAGES   = 8'(FlushPages);
    at_aacap.WAITERS = 8'(FlushWaiters);
    at_aacap.SCRATCH = 8'(ScratchWords);
    at_aacap.PORTS   = 4'(NumPorts);
  end

  // ---- global command ----
  logic         te_q, rtps_q, qie_q;
  logic [63:12] rtaddr_q, root_q;
  logic         gcmd;

  assign gcmd     = rb_i.we && is_gcmd && rb_i.wstrb[3];
  assign te_clr_o = gcmd && te_q && !to_gcmd.TE;
  assign te_o     = te_q;
  assign qie_o    = qie_q;
  assign root_o   = root_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      te_q     <= 1'b0;
      rtps_q   <= 1'b0;
      qie_q    <= 1'b0;
      rtaddr_q <= '0;
      root_q   <= '0;
    end else begin
      if (gcmd) te_q <= to_gcmd.TE;
      if (gcmd) qie_q <= to_gcmd.QIE;
      if (gcmd && to_gcmd.SRTP) begin
        rtps_q <= 1'b1;
        root_q <= rtaddr_q;
      end
      if (rb_i.we && is_rtaddr) rtaddr_q <= to_rtaddr.RTA;
    end
  end

  always_comb begin
    at_gsts       = '0;
    at_gsts.TES   = te_q;
    at_gsts.RTPS  = rtps_q;
    at_gsts.QIES  = qie_q;
    at_rtaddr     = '0;
    at_rtaddr.RTA = rtaddr_q;
  end

  // ---- Active Access settings ----
  logic                   aae_q;
  logic [2:0]             mps_q, mrrs_q;
  logic [31:0]            cpl_q, wdog_q, flush_q, cpl_next, wdog_next, flush_next;
  logic                   flush_on_q;
  logic [NumPorts*33-1:0] port_q;

  assign aae_o         = aae_q;
  assign mps_o         = mps_q > 3'd5 ? 3'd5 : mps_q;
  assign mrrs_o        = mrrs_q > 3'd5 ? 3'd5 : mrrs_q;
  assign cpl_tmo_o     = cpl_q;
  assign wdog_o        = wdog_q;
  assign flush_tmo_o   = flush_q;
  assign flush_tmo_on_o = flush_on_q;
  assign cpl_next   = 32'(cm_pkg::merge(rb_i.wstrb, rb_i.wdata, 64'(cpl_q)));
  assign wdog_next  = 32'(cm_pkg::merge(rb_i.wstrb, rb_i.wdata, 64'(wdog_q)));
  assign flush_next = 32'(cm_pkg::merge(rb_i.wstrb, rb_i.wdata, 64'(flush_q)));
  assign port_filter_o = port_q;
  always_comb begin
    at_ctl      = '0;
    at_ctl.MRRS = mrrs_q;
    at_ctl.MPS  = mps_q;
    at_ctl.AAE  = aae_q;
  end

  // A filter: {EN, MASK, ID}.
  logic [NumPorts-1:0]    port_here;
  logic [64*NumPorts-1:0] at_ports;
  logic [33*NumPorts-1:0] port_next;
  aa_reg_pkg::aa_port_t   at_port, to_port;
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p++) begin
      at_port = '0;
      {at_port.EN, at_port.MASK, at_port.ID} = port_q[33*p+:33];
      to_port = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_port);
      port_here[p]        = is_port && aa_reg_pkg::idx_AA_PORT(rb_i.addr) == 2'(p);
      at_ports[64*p+:64]  = at_port;
      port_next[33*p+:33] = {to_port.EN, to_port.MASK, to_port.ID};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aae_q   <= aa_reg_pkg::ResetAA_CTL[aa_reg_pkg::AA_CTL_AAE_Lsb];
      mps_q   <= aa_reg_pkg::ResetAA_CTL[aa_reg_pkg::AA_CTL_MPS_Lsb+:aa_reg_pkg::AA_CTL_MPS_W];
      mrrs_q  <= aa_reg_pkg::ResetAA_CTL[aa_reg_pkg::AA_CTL_MRRS_Lsb+:aa_reg_pkg::AA_CTL_MRRS_W];
      cpl_q   <= aa_reg_pkg::ResetAA_CPL_TMO;
      wdog_q  <= aa_reg_pkg::ResetAA_WDOG;
      flush_q <= aa_reg_pkg::ResetAA_FLUSH_TMO;
      flush_on_q <= aa_reg_pkg::ResetAA_FLUSH_TMO != '0;
      port_q  <= '0;
    end else begin
      if (rb_i.we && is_ctl && rb_i.wstrb[0]) aae_q <= to_ctl.AAE;
      if (rb_i.we && is_ctl && rb_i.wstrb[0]) mps_q <= to_ctl.MPS;
      if (rb_i.we && is_ctl && rb_i.wstrb[1]) mrrs_q <= to_ctl.MRRS;
      if (rb_i.we && is_cpl) cpl_q <= cpl_next;
      if (rb_i.we && is_wdog) wdog_q <= wdog_next;
      if (rb_i.we && is_flush) begin
        flush_q    <= flush_next;
        flush_on_q <= flush_next != '0;
      end
      for (int unsigned p = 0; p < NumPorts; p++) if (rb_i.we && port_here[p]) port_q[33*p+:33] <= port_next[33*p+:33];
    end
  end

  // ---- invalidation by register ----
  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StReq = 2'd1;
  localparam logic [1:0] StDrain = 2'd2;

  logic [1:0]   state_q;
  logic         sel_q, icc_q, ivt_q, ih_q;
  logic [1:0]   cirg_q, caig_q, iirg_q, iaig_q, fm_q, drain_q;
  logic [15:0]  csid_q, cdid_q, idid_q;
  logic [63:12] iva_q;
  logic [5:0]   am_q;
  logic         drained_q;  // drained_i is late: it follows the end of any other invalidation
  logic         fin, ccmd_we, iotlb_we, iva_we;
  assign fin      = r_fin_valid_o && r_fin_ready_i;
  assign ccmd_we  = rb_i.we && is_ccmd && (!icc_q || (fin && !sel_q));
  assign iotlb_we = rb_i.we && is_iotlb && (!ivt_q || (fin && sel_q));
  assign iva_we   = rb_i.we && is_iva && (!ivt_q || (fin && sel_q));

  always_comb begin
    {at_ccmd, at_iotlb, at_iva} = '0;
    at_ccmd.ICC   = icc_q;
    at_ccmd.CIRG  = cirg_q;
    at_ccmd.CAIG  = caig_q;
    at_ccmd.FM    = fm_q;
    at_ccmd.SID   = csid_q;
    at_ccmd.DID   = cdid_q;
    at_iotlb.IVT  = ivt_q;
    at_iotlb.IIRG = iirg_q;
    at_iotlb.IAIG = iaig_q;
    {at_iotlb.DR, at_iotlb.DW} = drain_q;
    at_iotlb.DID  = idid_q;
    at_iva.ADDR   = iva_q;
    at_iva.IH     = ih_q;
    at_iva.AM     = am_q;
  end
  assign r_valid_o     = state_q == StReq;
  assign r_sel_o       = sel_q;
  assign r_a_o         = sel_q ? at_iotlb : at_ccmd;
  assign r_b_o         = sel_q ? at_iva : 64'd0;
  assign r_fin_valid_o = drained_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      drained_q <= 1'b0;
      sel_q     <= 1'b0;
      icc_q     <= 1'b0;
      ivt_q     <= 1'b0;
      cirg_q    <= '0;
      caig_q    <= '0;
      iirg_q    <= '0;
      iaig_q    <= '0;
      fm_q      <= '0;
      drain_q   <= '0;
      csid_q    <= '0;
      cdid_q    <= '0;
      idid_q    <= '0;
      iva_q     <= '0;
      ih_q      <= 1'b0;
      am_q      <= '0;
    end else begin
      drained_q <= state_q == StDrain && drained_i && !fin;
      unique case (state_q)
        StIdle:
          if (icc_q || ivt_q) begin
            state_q <= StReq;
            sel_q   <= !icc_q;
          end
        StReq:   if (r_done_i) state_q <= StDrain;
        default: if (fin) state_q <= StIdle;
      endcase

      // The end of one comes before a write of the same cycle.
      if (fin && !sel_q) begin
        icc_q  <= 1'b0;
        caig_q <= cirg_q;
      end
      if (fin && sel_q) begin
        ivt_q  <= 1'b0;
        iaig_q <= iirg_q == 2'd3 && am_q > Mamv ? 2'd1 : iirg_q;
      end
      if (ccmd_we && rb_i.wstrb[7]) begin
        icc_q  <= to_ccmd.ICC && to_ccmd.CIRG != 2'd0;
        cirg_q <= to_ccmd.CIRG;
        if (to_ccmd.ICC && to_ccmd.CIRG == 2'd0) caig_q <= 2'd0;
      end
      if (iotlb_we && rb_i.wstrb[7]) begin
        ivt_q  <= to_iotlb.IVT && to_iotlb.IIRG != 2'd0;
        iirg_q <= to_iotlb.IIRG;
        if (to_iotlb.IVT && to_iotlb.IIRG == 2'd0) iaig_q <= 2'd0;
      end
      if (ccmd_we) {fm_q, csid_q, cdid_q} <= {to_ccmd.FM, to_ccmd.SID, to_ccmd.DID};
      if (iotlb_we) {drain_q, idid_q} <= {to_iotlb.DR, to_iotlb.DW, to_iotlb.DID};
      if (iva_we) {iva_q, ih_q, am_q} <= {to_iva.ADDR, to_iva.IH, to_iva.AM};
    end
  end

  // ---- the first error ----
  // They come late, so all wait in registers (come_*) and meet what is kept a cycle later; a read sees both.
  logic              valid_q, more_q, werr_q, valid, more, err_clr, several;
  logic [5:0]        come_q, lowest;
  logic [6*ErrW-1:0] come_err_q;
  logic [ErrW-1:0]   err_q, first;
  aa_pkg::err_t      err;

  always_comb begin
    first   = '0;
    several = 1'b0;
    for (int unsigned k = 0; k < 6; k++) begin
      lowest[k] = come_q[k] && (come_q & ((6'd1 << k) - 6'd1)) == 6'd0;
      several   = several || (come_q[k] && !lowest[k]);
      first     = first | ({ErrW{lowest[k]}} & come_err_q[ErrW*k +: ErrW]);
    end
  end

  assign err_clr = rb_i.we && is_err_sts && rb_i.wstrb[0] && to_err_sts.VALID;

  assign valid = valid_q || come_q != '0;
  assign more  = more_q || several || (valid_q && come_q != '0);
  assign err   = valid_q ? err_q : first;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || err_clr) begin
      come_q  <= '0;
      valid_q <= 1'b0;
      more_q  <= 1'b0;
    end else begin
      come_q  <= err_valid_i;
      valid_q <= valid;
      more_q  <= more;
    end
  end
  // What a failed write of our own leaves is there at once: the event waits for nothing.
  always_ff @(posedge clk_i) werr_q <= rst_ni && !err_clr && (werr_q || err_valid_i[3]);
  assign werr_set_o = err_valid_i[3] && !werr_q;
  assign werr_clr_o = err_clr;
  always_ff @(posedge clk_i) begin
    err_q      <= err;
    come_err_q <= err_i;
  end

  // ---- read ----
  always_comb begin
    at_err_sts       = '0;
    at_err_sts.IUID  = err.iuid;
    at_err_sts.SID   = err.sid;
    at_err_sts.CODE  = err.code;
    at_err_sts.WERR  = werr_q;
    at_err_sts.MORE  = more;
    at_err_sts.VALID = valid;
    // Words in use are disjoint, so they are ORed.
    rb_rdata_o = ({64{is_gcmd}} & {at_gsts, 32'd0}) | ({64{is_rtaddr}} & at_rtaddr) |
                 ({64{is_ccmd}} & at_ccmd) | ({64{is_iotlb}} & at_iotlb) |
                 ({64{is_ctl}} & {32'd0, at_ctl}) | ({64{is_cpl}} & {32'd0, cpl_q}) |
                 ({64{is_wdog}} & {32'd0, wdog_q}) | ({64{is_flush}} & {32'd0, flush_q}) |
                 ({64{is_err_sts}} & at_err_sts) | ({64{is_err_addr}} & err.addr) |
                 ({64{is_ver}} & {32'd0, aa_reg_pkg::ResetVER}) |
                 ({64{is_cap}} & aa_reg_pkg::ResetCAP) | ({64{is_ecap}} & aa_reg_pkg::ResetECAP) |
                 ({64{is_id}} & aa_reg_pkg::ResetAA_ID) | ({64{is_aacap}} & at_aacap);
    for (int unsigned p = 0; p < NumPorts; p++) rb_rdata_o = rb_rdata_o | ({64{port_here[p]}} & at_ports[64*p+:64]);
  end

`ifdef FORMAL
`include "aa_regs_props.svh"
`endif

endmodule

`default_nettype wire
