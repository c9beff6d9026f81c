// SPDX-License-Identifier: Apache-2.0
// aa_regs: the registers that belong to no other block: identification, global command, root table, invalidation by
// register, Active Access control, time limits, port filter, and the first error.
//
//   rb --> GCMD --> TES, root, QIES            errors (slot order) --> first one: AA_ERR_STS, AA_ERR_ADDR
//      --> CCMD / IOTLB, IVA --> aa_inval --> drained --> ICC / IVT = 0
//
// P1  A read-write field holds what its strobed bytes were last written with, after reset the value of aa_regs.rdl; all else
//     reads as is said there, reserved bits as 0.
// P2  GCMD acts on a write of its byte 3: TES and QIES follow it, SRTP takes RTADDR and sets RTPS. te_clr_o marks TES
//     falling.
// P3  Writing CCMD.ICC (IOTLB.IVT) with a granularity starts one invalidation: it is handed to aa_inval, then drained,
//     then retires its end (r_fin, the cycle after drained_i), which clears the bit and says what was done. CCMD comes first.
//     Meanwhile writes to CCMD (IOTLB, IVA) are ignored. With granularity 0 the bit stays 0 and CAIG (IAIG) becomes 0.
// P4  AA_ERR_STS keeps the first error until VALID is written with 1; MORE: another came after it. In one cycle the
//     lowest slot comes first, and the register write last. WERR is set by every error of slot 3 (aa_axi_err), werr_set_o
//     tells when it rises; it is cleared with VALID (werr_clr_o).
//
// Cost: about 650 + 33 * NumPorts flip-flops, an error of each source, a 6:1 mux of an error.
// Rules of README.md: INV-8, INV-10, XLT-20.
`default_nettype none

module aa_regs #(
  parameter int unsigned NumPorts = 1,
  // For AA_CAP
  parameter int unsigned NumLogs = 4,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 2,
  parameter int unsigned FlushWaiters = 4,
  parameter int unsigned ScratchWords = 8
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_ni,

  // Register bus
  input  wire logic [19:3]                     rb_addr_i,
  input  wire logic                            rb_we_i,
  input  wire logic [63:0]                     rb_wdata_i,
  input  wire logic [7:0]                      rb_wstrb_i,
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
  localparam logic [5:0] Mamv = 6'd18;
  localparam logic [63:0] Cap = {4'd0, 4'(NumPorts), 8'(ScratchWords), 8'(FlushWaiters), 8'(FlushPages), 16'(TagEntries),
                                 8'(LogDepth), 8'(NumLogs)};

  // ---- which register ----
  logic is_gcmd, is_rtaddr, is_ccmd, is_iva, is_iotlb, is_ctl, is_cpl, is_wdog, is_flush, is_port;
  logic is_err_sts, is_err_addr;
  logic is_ver, is_cap, is_ecap, is_id, is_aacap;
  assign is_ver      = rb_addr_i == 17'(aa_reg_pkg::RegVER >> 3);
  assign is_cap      = rb_addr_i == 17'(aa_reg_pkg::RegCAP >> 3);
  assign is_ecap     = rb_addr_i == 17'(aa_reg_pkg::RegECAP >> 3);
  assign is_id       = rb_addr_i == 17'(aa_reg_pkg::RegAA_ID >> 3);
  assign is_aacap    = rb_addr_i == 17'(aa_reg_pkg::RegAA_CAP >> 3);
  assign is_gcmd     = rb_addr_i == 17'(aa_reg_pkg::RegGCMD >> 3);
  assign is_rtaddr   = rb_addr_i == 17'(aa_reg_pkg::RegRTADDR >> 3);
  assign is_ccmd     = rb_addr_i == 17'(aa_reg_pkg::RegCCMD >> 3);
  assign is_iva      = rb_addr_i == 17'(aa_reg_pkg::RegIVA >> 3);
  assign is_iotlb    = rb_addr_i == 17'(aa_reg_pkg::RegIOTLB >> 3);
  assign is_ctl      = rb_addr_i == 17'(aa_reg_pkg::RegAA_CTL >> 3);
  assign is_cpl      = rb_addr_i == 17'(aa_reg_pkg::RegAA_CPL_TMO >> 3);
  assign is_wdog     = rb_addr_i == 17'(aa_reg_pkg::RegAA_WDOG >> 3);
  assign is_flush    = rb_addr_i == 17'(aa_reg_pkg::RegAA_FLUSH_TMO >> 3);
  assign is_err_sts  = rb_addr_i == 17'(aa_reg_pkg::RegAA_ERR_STS >> 3);
  assign is_err_addr = rb_addr_i == 17'(aa_reg_pkg::RegAA_ERR_ADDR >> 3);
  assign is_port     = rb_addr_i[19:5] == 15'(aa_reg_pkg::RegAA_PORT >> 5);

  // ---- global command ----
  logic         te_q, rtps_q, qie_q;
  logic [63:12] rtaddr_q, root_q;
  logic         gcmd;

  assign gcmd     = rb_we_i && is_gcmd && rb_wstrb_i[3];
  assign te_clr_o = gcmd && te_q && !rb_wdata_i[31];
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
      if (gcmd) te_q <= rb_wdata_i[31];
      if (gcmd) qie_q <= rb_wdata_i[26];
      if (gcmd && rb_wdata_i[30]) begin
        rtps_q <= 1'b1;
        root_q <= rtaddr_q;
      end
      for (int unsigned k = 12; k < 64; k++)
        if (rb_we_i && is_rtaddr && rb_wstrb_i[k / 8]) rtaddr_q[k] <= rb_wdata_i[k];
    end
  end

  // ---- Active Access settings ----
  logic                   aae_q;
  logic [2:0]             mps_q, mrrs_q;
  logic [31:0]            cpl_q, wdog_q, flush_q, flush_next;
  logic                   flush_on_q;
  logic [NumPorts*33-1:0] port_q;

  assign aae_o         = aae_q;
  assign mps_o         = mps_q > 3'd5 ? 3'd5 : mps_q;
  assign mrrs_o        = mrrs_q > 3'd5 ? 3'd5 : mrrs_q;
  assign cpl_tmo_o     = cpl_q;
  assign wdog_o        = wdog_q;
  assign flush_tmo_o   = flush_q;
  assign flush_tmo_on_o = flush_on_q;
  always_comb for (int unsigned k = 0; k < 32; k++) flush_next[k] = rb_wstrb_i[k / 8] ? rb_wdata_i[k] : flush_q[k];
  assign port_filter_o = port_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aae_q   <= 1'b0;
      mps_q   <= 3'd5;
      mrrs_q  <= 3'd5;
      cpl_q   <= aa_reg_pkg::ResetAA_CPL_TMO;
      wdog_q  <= aa_reg_pkg::ResetAA_WDOG;
      flush_q <= aa_reg_pkg::ResetAA_FLUSH_TMO;
      flush_on_q <= aa_reg_pkg::ResetAA_FLUSH_TMO != '0;
      port_q  <= '0;
    end else begin
      if (rb_we_i && is_ctl && rb_wstrb_i[0]) aae_q <= rb_wdata_i[0];
      if (rb_we_i && is_ctl && rb_wstrb_i[0]) mps_q <= rb_wdata_i[6:4];
      if (rb_we_i && is_ctl && rb_wstrb_i[1]) mrrs_q <= rb_wdata_i[10:8];
      for (int unsigned k = 0; k < 32; k++) begin
        if (rb_we_i && is_cpl && rb_wstrb_i[k / 8]) cpl_q[k] <= rb_wdata_i[k];
        if (rb_we_i && is_wdog && rb_wstrb_i[k / 8]) wdog_q[k] <= rb_wdata_i[k];
      end
      if (rb_we_i && is_flush) begin
        flush_q    <= flush_next;
        flush_on_q <= flush_next != '0;
      end
      for (int unsigned p = 0; p < NumPorts; p++) begin
        for (int unsigned k = 0; k < 32; k++)
          if (rb_we_i && is_port && rb_addr_i[4:3] == 2'(p) && rb_wstrb_i[k / 8]) port_q[33*p+k] <= rb_wdata_i[k];
        if (rb_we_i && is_port && rb_addr_i[4:3] == 2'(p) && rb_wstrb_i[7]) port_q[33*p+32] <= rb_wdata_i[63];
      end
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
  logic [63:0]  ccmd, iotlb;

  assign fin      = r_fin_valid_o && r_fin_ready_i;
  assign ccmd_we  = rb_we_i && is_ccmd && (!icc_q || (fin && !sel_q));
  assign iotlb_we = rb_we_i && is_iotlb && (!ivt_q || (fin && sel_q));
  assign iva_we   = rb_we_i && is_iva && (!ivt_q || (fin && sel_q));

  assign ccmd          = {icc_q, cirg_q, caig_q, 25'd0, fm_q, csid_q, cdid_q};
  assign iotlb         = {ivt_q, 1'b0, iirg_q, 1'b0, iaig_q, 7'd0, drain_q, idid_q, 32'd0};
  assign r_valid_o     = state_q == StReq;
  assign r_sel_o       = sel_q;
  assign r_a_o         = sel_q ? iotlb : ccmd;
  assign r_b_o         = sel_q ? {iva_q, 5'd0, ih_q, am_q} : 64'd0;
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
      if (ccmd_we && rb_wstrb_i[7]) begin
        icc_q  <= rb_wdata_i[63] && rb_wdata_i[62:61] != 2'd0;
        cirg_q <= rb_wdata_i[62:61];
        if (rb_wdata_i[63] && rb_wdata_i[62:61] == 2'd0) caig_q <= 2'd0;
      end
      if (iotlb_we && rb_wstrb_i[7]) begin
        ivt_q  <= rb_wdata_i[63] && rb_wdata_i[61:60] != 2'd0;
        iirg_q <= rb_wdata_i[61:60];
        if (rb_wdata_i[63] && rb_wdata_i[61:60] == 2'd0) iaig_q <= 2'd0;
      end
      if (ccmd_we && rb_wstrb_i[4]) fm_q <= rb_wdata_i[33:32];
      if (iotlb_we && rb_wstrb_i[6]) drain_q <= rb_wdata_i[49:48];
      for (int unsigned k = 0; k < 16; k++) begin
        if (ccmd_we && rb_wstrb_i[k / 8]) cdid_q[k] <= rb_wdata_i[k];
        if (ccmd_we && rb_wstrb_i[2 + k / 8]) csid_q[k] <= rb_wdata_i[16 + k];
        if (iotlb_we && rb_wstrb_i[4 + k / 8]) idid_q[k] <= rb_wdata_i[32 + k];
      end
      for (int unsigned k = 12; k < 64; k++) if (iva_we && rb_wstrb_i[k / 8]) iva_q[k] <= rb_wdata_i[k];
      if (iva_we && rb_wstrb_i[0]) ih_q <= rb_wdata_i[6];
      if (iva_we && rb_wstrb_i[0]) am_q <= rb_wdata_i[5:0];
    end
  end

  // ---- the first error ----
  // They come late, so all wait in registers (come_*) and meet what is kept a cycle later; a read sees both.
  logic              valid_q, more_q, werr_q, valid, more, err_clr, several;
  logic [5:0]        come_q, lowest;
  logic [6*ErrW-1:0] come_err_q;
  logic [ErrW-1:0]   err_q, err, first;

  always_comb begin
    first   = '0;
    several = 1'b0;
    for (int unsigned k = 0; k < 6; k++) begin
      lowest[k] = come_q[k] && (come_q & ((6'd1 << k) - 6'd1)) == 6'd0;
      several   = several || (come_q[k] && !lowest[k]);
      first     = first | ({ErrW{lowest[k]}} & come_err_q[ErrW*k +: ErrW]);
    end
  end

  assign err_clr = rb_we_i && is_err_sts && rb_wstrb_i[0] && rb_wdata_i[0];

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
    // Words in use are disjoint, so they are ORed.
    rb_rdata_o = ({64{is_gcmd}} & {te_q, rtps_q, 3'd0, qie_q, 26'd0, 32'd0}) | ({64{is_rtaddr}} & {rtaddr_q, 12'd0}) |
                 ({64{is_ccmd}} & ccmd) | ({64{is_iotlb}} & iotlb) |
                 ({64{is_ctl}} & {53'd0, mrrs_q, 1'b0, mps_q, 3'd0, aae_q}) | ({64{is_cpl}} & {32'd0, cpl_q}) |
                 ({64{is_wdog}} & {32'd0, wdog_q}) | ({64{is_flush}} & {32'd0, flush_q}) |
                 ({64{is_err_sts}} & {22'd0, err[73:64], err[89:74], 3'd0, err[94:90], 5'd0, werr_q, more, valid}) |
                 ({64{is_err_addr}} & err[63:0]) | ({64{is_ver}} & {32'd0, aa_reg_pkg::ResetVER}) |
                 ({64{is_cap}} & aa_reg_pkg::ResetCAP) | ({64{is_ecap}} & aa_reg_pkg::ResetECAP) |
                 ({64{is_id}} & aa_reg_pkg::ResetAA_ID) | ({64{is_aacap}} & Cap);
    for (int unsigned p = 0; p < NumPorts; p++)
      rb_rdata_o = rb_rdata_o |
                   ({64{is_port && rb_addr_i[4:3] == 2'(p)}} & {port_q[33*p+32], 31'd0, port_q[33*p +: 32]});
  end

`ifdef FORMAL
`include "aa_regs_props.svh"
`endif

endmodule

`default_nettype wire
