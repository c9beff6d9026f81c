// SPDX-License-Identifier: Apache-2.0
// aa_log_table: the access-log table: configuration of each log, CAM over IUID, checks at opening, tear-down state.
//
//   LOG_BASE, LOG_CFG --> LUT RAM --> base, size, policy of the log asked for
//                    \--> flip-flops: open, closing, IUID --> CAM
//
// P1  cam_hit_o: an open log that is not closing has the IUID; cam_log_o is its number (0 without hit). No two match.
// P2  LOG_BASE and LOG_CFG but EN are fixed while the log is open, closing included.
// P3  A log opens only with 6 <= SIZE <= 30, BASE a multiple of 2^SIZE and below 2^48, an IUID that no other open log
//     has, and a pointer address, MSI address and scratchpad word that are good where they are used. Otherwise
//     LOG_STS.WHY says which was the first to fail, and the log stays as it was.
// P4  EN = 0 makes an open log closing; off_i ends it, never in the cycle of a write.
// P5  Bytes without strobe keep their value. Registers that were never written read 0. rb_rdata_o is the word whose
//     address was on the bus in the cycle before, as it is now; lp_iuid_o likewise.
//
// Whether the log may open is settled ahead: address, data and strobes are on the bus two cycles before rb_i.we, since
// such a write waits for a hold (env_setup); in the first the fields are merged, in the second they are looked at. No
// log ends in these cycles (env_off_alone). The ring is kept as a mask beside its SIZE, since aa_log_ptr has no time to
// make one.
//
// Cost a log: 28 flip-flops, 190 bits of LUT RAM; 30 flip-flops.
// One file: P3 judges the words in the very cycles in which they become what P2 keeps.
// Rules of README.md: LOG-8, LOG-9, LOG-11.
`default_nettype none

module aa_log_table #(
  parameter int unsigned NumLogs = 8,
  parameter int unsigned ScratchWords = 16
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t      rb_i,
  output logic      [63:0]           rb_rdata_o,

  // IUID to log
  input  wire logic [9:0]            cam_iuid_i,
  output logic                       cam_hit_o,
  output logic      [4:0]            cam_log_o,

  // What the log asked for is like
  input  wire logic [4:0]            rsv_log_i,
  output logic      [47:6]           rsv_base_o,
  output logic                       rsv_drop_o,
  input  wire logic [4:0]            next_log_i,
  output logic      [29:4]           next_mask_o,  // 2^SIZE - 1
  input  wire logic [4:0]            qry_log_i,
  output logic      [4:0]            qry_size_o,
  input  wire logic [4:0]            qry2_log_i,
  output logic      [4:0]            qry2_size_o,
  input  wire logic [4:0]            lp_log_i,     // the log whose page the register bus addresses
  input  wire logic                  lp_sel_i,
  output logic      [9:0]            lp_iuid_o,
  input  wire logic [4:0]            fail_log_i,   // whose IUID an error tells
  output logic      [9:0]            fail_iuid_o,

  // State
  input  wire logic [NumLogs-1:0]    ptr_ok_i,
  input  wire logic [NumLogs-1:0]    msi_ok_i,
  input  wire logic                  off_i,
  input  wire logic [4:0]            off_log_i,
  output logic      [NumLogs-1:0]    open_o,
  output logic      [NumLogs-1:0]    closing_o,
  output logic                       open_event_valid_o,
  output logic      [4:0]            open_event_log_o,
  output logic      [NumLogs-1:0]    cfg_ptr_o,
  output logic      [NumLogs-1:0]    cfg_msi_o,
  output logic      [NumLogs-1:0]    cfg_scr_o,
  output logic      [NumLogs-1:0]    cfg_task_o,
  output logic      [NumLogs*6-1:0]  cfg_scri_o
);

  if (NumLogs < 1 || NumLogs > 32) begin : gen_bad_num_logs $error("aa_log_table: NumLogs must be 1 to 32"); end
  if (ScratchWords > 64) begin : gen_bad_scratch_words $error("aa_log_table: ScratchWords must be at most 64"); end

  localparam int unsigned AddrW = NumLogs > 1 ? $clog2(NumLogs) : 1;

  // ---- which register -------------------------------------------------------------------------------------------
  logic [4:0] rb_log, log;
  logic in_table, sel_base, sel_cfg, sel_sts;
  assign rb_log   = aa_reg_pkg::idx_LOG_BASE(rb_i.addr);
  assign in_table = 32'(rb_log) < NumLogs;
  assign sel_base = in_table && aa_reg_pkg::at_LOG_BASE(rb_i.addr);
  assign sel_cfg  = in_table && aa_reg_pkg::at_LOG_CFG(rb_i.addr);
  assign sel_sts  = in_table && aa_reg_pkg::at_LOG_STS(rb_i.addr);
  assign log      = lp_sel_i ? lp_log_i : rb_log;

  // The address has been on the bus for a cycle before anything is read or written: what it selects waits in registers.
  logic       sel_base_q, sel_cfg_q, sel_sts_q;
  logic [4:0] log_q;
  always_ff @(posedge clk_i) begin
    sel_base_q <= sel_base;
    sel_cfg_q  <= sel_cfg;
    sel_sts_q  <= sel_sts;
    log_q      <= log;
  end

  // ---- storage --------------------------------------------------------------------------------------------------
  // What LOG_CFG keeps, and with it why the log did not open.
  typedef struct packed {
    logic [5:0] SCRI;
    logic       TASK;
    logic       SCR;
    logic       MSI;
    logic       PTR;
    logic       DROP;
    logic [4:0] SIZE;
    logic [9:0] IUID;
  } fields_t;
  typedef struct packed {
    logic [3:0] why;
    fields_t    f;
  } cfg_t;
  localparam int unsigned FieldsW = 26;
  localparam int unsigned CfgW = 4 + FieldsW;
  logic [NumLogs-1:0]   open_q, closing_q, base_known_q, cfg_known_q;
  logic [NumLogs*10-1:0] iuid_q;
  logic [NumLogs-1:0]   ptr_q, msi_q, scr_q, task_q;
  logic [NumLogs*6-1:0] scri_q;
  logic [63:0]          base_raw, base, base_d;
  logic [CfgW-1:0]      cfg_raw;
  cfg_t                 cfg, cfg_d;
  fields_t              cfg_bus, fields, fields_q;  // cfg_bus: of the address as it comes, for the merge
  logic [3:0]           why, why_q, why_d;
  logic [29:4]          cfg_mask;
  logic                 base_we, cfg_we, is_open, is_closing, wants, opens, closes;
  aa_reg_pkg::log_cfg_t merged, cfg_read, bus_read;
  aa_reg_pkg::log_sts_t sts_read;

  // Arrays and not cm_lutram, since the invariants that the theorems need speak of their words. The base for aa_decide
  // is copied at the opening: it has no bit that says whether it was ever written.
  logic [63:0]     base_q [NumLogs];
  logic [47:6]     base_rsv_q [NumLogs];
  logic [CfgW-1:0] cfg_q [NumLogs];
  logic [5:0]      size_q [NumLogs];  // {DROP, SIZE}
  logic [29:4]     mask_q [NumLogs];
  logic [AddrW-1:0] a;
  assign a = log_q[AddrW-1:0];

  always_ff @(posedge clk_i) begin
    if (base_we) base_q[a] <= base_d;
    if (opens) base_rsv_q[a] <= base[47:6];
    if (cfg_we) begin
      cfg_q[a]  <= cfg_d;
      size_q[a] <= {cfg_d.f.DROP, cfg_d.f.SIZE};
    end
    if (cfg_we && closed_q) mask_q[a] <= cfg_mask;
  end

  assign base_raw                 = base_q[a];
  assign cfg_raw                  = cfg_q[a];
  assign rsv_base_o               = base_rsv_q[rsv_log_i[AddrW-1:0]];
  assign rsv_drop_o               = size_q[rsv_log_i[AddrW-1:0]][5];
  assign next_mask_o              = mask_q[next_log_i[AddrW-1:0]];
  assign qry_size_o               = 5'(size_q[qry_log_i[AddrW-1:0]]);
  assign qry2_size_o              = 5'(size_q[qry2_log_i[AddrW-1:0]]);

  // ---- the log that the bus addresses ----------------------------------------------------------------------------
  logic base_known, cfg_known, bus_known, ptr_ok, msi_ok;
  always_comb begin
    base_known = 1'b0;
    cfg_known  = 1'b0;
    bus_known  = 1'b0;
    is_open    = 1'b0;
    is_closing = 1'b0;
    ptr_ok     = 1'b0;
    msi_ok     = 1'b0;
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (log == 5'(l)) bus_known = cfg_known_q[l];
      if (log_q == 5'(l)) begin
        base_known = base_known_q[l];
        cfg_known  = cfg_known_q[l];
        is_open    = open_q[l];
        is_closing = closing_q[l];
        ptr_ok     = ptr_ok_i[l];
        msi_ok     = msi_ok_i[l];
      end
    end
  end
  assign base      = base_known ? base_raw : '0;
  assign cfg       = cfg_known ? cfg_raw : '0;
  assign cfg_bus   = bus_known ? cfg_q[log[AddrW-1:0]][FieldsW-1:0] : '0;
  assign lp_iuid_o = cfg.f.IUID;

  // ---- read -----------------------------------------------------------------------------------------------------
  always_comb begin
    cfg_read    = '0;
    cfg_read.EN = is_open;
    {cfg_read.SCRI, cfg_read.TASK, cfg_read.SCR, cfg_read.MSI, cfg_read.PTR, cfg_read.DROP, cfg_read.SIZE,
     cfg_read.IUID} = cfg.f;
    sts_read         = '0;
    sts_read.EN      = is_open;
    sts_read.CLOSING = is_closing;
    sts_read.WHY     = cfg.why;
  end
  assign rb_rdata_o = (sel_base_q ? base : '0) | (sel_cfg_q ? cfg_read : '0) |
                      (sel_sts_q ? sts_read : '0);

  // ---- write ----------------------------------------------------------------------------------------------------
  logic closed_q;
  always_ff @(posedge clk_i) closed_q <= !opens && !is_open;

  always_comb begin
    bus_read = '0;
    {bus_read.SCRI, bus_read.TASK, bus_read.SCR, bus_read.MSI, bus_read.PTR, bus_read.DROP, bus_read.SIZE,
     bus_read.IUID} = cfg_bus;
    base_d = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, base);
    merged = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, bus_read);
  end

  // What is asked for is looked at before it is merged.
  aa_reg_pkg::log_cfg_t asked;
  assign asked = rb_i.wdata;

  logic unused_merged;  // reserved bits
  assign unused_merged = &{merged.EN, merged.rsv62, merged.rsv31, merged.rsv23, merged.rsv15, asked};

  assign base_we = rb_i.we && sel_base_q && closed_q;

  // Is the value that would be in force good? First failure wins. In time for the write of the next cycle.
  logic [29:6] span;  // address bits inside the ring
  logic dup, bad_base;
  always_comb begin
    for (int unsigned i = 6; i < 30; i++) span[i] = fields_q.SIZE > 5'(i);
    bad_base = |base[5:0] || (base[29:6] & span) != '0;
    dup      = 1'b0;
    for (int unsigned l = 0; l < NumLogs; l++)
      if (open_q[l] && log_q != 5'(l) && iuid_q[10*l+:10] == fields_q.IUID) dup = 1'b1;
    why = aa_pkg::WhyNot;
    if (fields_q.SCR && 32'(fields_q.SCRI) >= ScratchWords) why = aa_pkg::WhyScratch;
    if (fields_q.MSI && !msi_ok) why = aa_pkg::WhyMsi;
    if (fields_q.PTR && !ptr_ok) why = aa_pkg::WhyPtr;
    if (dup) why = aa_pkg::WhyIuid;
    if (base[63:48] != '0) why = aa_pkg::WhyWide;
    if (bad_base) why = aa_pkg::WhyAlign;
    if (fields_q.SIZE < 5'd6 || fields_q.SIZE > 5'd30) why = aa_pkg::WhySize;
  end
  always_ff @(posedge clk_i) begin
    fields_q <= fields;
    why_q    <= why;
  end

  assign fields = {merged.SCRI, merged.TASK, merged.SCR, merged.MSI, merged.PTR, merged.DROP, merged.SIZE, merged.IUID};
  assign wants  = rb_i.we && sel_cfg_q && rb_i.wstrb[7] && asked.EN;
  assign opens  = wants && closed_q && why_q == aa_pkg::WhyNot;
  assign closes = rb_i.we && sel_cfg_q && rb_i.wstrb[7] && !asked.EN && !closed_q;
  assign cfg_we = rb_i.we && sel_cfg_q;

  always_comb begin
    why_d = cfg.why;
    if (wants && closed_q) why_d = why_q;
    if (wants && !closed_q && is_closing) why_d = aa_pkg::WhyClosing;
    cfg_d = {why_d, closed_q ? fields_q : cfg.f};
    for (int unsigned i = 4; i < 30; i++) cfg_mask[i] = fields_q.SIZE > 5'(i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q       <= '0;
      closing_q    <= '0;
      base_known_q <= '0;
      cfg_known_q  <= '0;
      ptr_q        <= '0;
      msi_q        <= '0;
      scr_q        <= '0;
      task_q       <= '0;
    end else begin
      for (int unsigned l = 0; l < NumLogs; l++) begin
        if (off_i && off_log_i == 5'(l)) begin
          open_q[l]    <= 1'b0;
          closing_q[l] <= 1'b0;
        end
        if (log_q == 5'(l)) begin
          if (base_we) base_known_q[l] <= 1'b1;
          if (cfg_we) cfg_known_q[l] <= 1'b1;
          if (opens) open_q[l] <= 1'b1;
          if (closes) closing_q[l] <= 1'b1;
          if (cfg_we && closed_q)
            {task_q[l], scr_q[l], msi_q[l], ptr_q[l]} <= {fields_q.TASK, fields_q.SCR, fields_q.MSI, fields_q.PTR};
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (cfg_we && closed_q && log_q == 5'(l)) begin
        iuid_q[10*l+:10] <= fields_q.IUID;
        scri_q[6*l+:6]   <= fields_q.SCRI;
      end
    end
  end

  // ---- CAM ------------------------------------------------------------------------------------------------------
  always_comb begin
    cam_hit_o = 1'b0;
    cam_log_o = '0;
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (open_q[l] && !closing_q[l] && iuid_q[10*l+:10] == cam_iuid_i) begin
        cam_hit_o = 1'b1;
        cam_log_o = cam_log_o | 5'(l);
      end
    end
  end

  always_comb begin
    fail_iuid_o = '0;
    for (int unsigned l = 0; l < NumLogs; l++)
      if (fail_log_i == 5'(l)) fail_iuid_o = fail_iuid_o | iuid_q[10*l+:10];
  end

  logic unused_log_bits;  // the upper ones, with few logs
  assign unused_log_bits = &{rsv_log_i, next_log_i, qry_log_i, qry2_log_i};

  assign open_o             = open_q;
  assign closing_o          = closing_q;
  assign open_event_valid_o = opens;
  assign open_event_log_o   = log_q;
  assign cfg_ptr_o          = ptr_q;
  assign cfg_msi_o          = msi_q;
  assign cfg_scr_o          = scr_q;
  assign cfg_task_o         = task_q;
  assign cfg_scri_o         = scri_q;

`ifdef FORMAL
`include "aa_log_table_props.svh"
`endif

endmodule

`default_nettype wire
