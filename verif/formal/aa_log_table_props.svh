// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log_table, for any log f_log and any other log f_other. The registers of f_log are kept a second time,
// from their description: f_base_q, f_cfg_q (as LOG_CFG reads, without EN).
`include "fv.svh"
// Rules of README.md: LOG-8, LOG-11.
  `FV_INIT
  `FV_ANYCONST(f_log_any, 5)
  `FV_BELOW(def_log, f_log_any, NumLogs)
  `FV_ANYCONST(f_other_any, 5)
  `FV_BELOW(def_other, f_other_any, NumLogs)
  `FV_SEES(f_closing, NumLogs, closing_o)

  localparam logic [8:0] FTable = 9'(aa_reg_pkg::RegLOG_BASE >> 11);  // what the registers of all logs have in front
  localparam logic [7:0] FPage = 8'(aa_reg_pkg::RegLOG_BASE >> 12);
  localparam logic [2:0] FBase = 3'(aa_reg_pkg::RegLOG_BASE >> 3), FCfg = 3'(aa_reg_pkg::RegLOG_CFG >> 3),
                         FSts = 3'(aa_reg_pkg::RegLOG_STS >> 3);
  // A word of the table: why it was not opened, and the fields of LOG_CFG.
  typedef struct packed {
    logic [3:0] WHY;
    logic [5:0] SCRI;
    logic [4:0] MODE;  // TASK to DROP
    logic [4:0] SIZE;
    logic [9:0] IUID;
  } f_kept_t;
  f_kept_t               f_kept, f_kept_was;
  aa_reg_pkg::log_cfg_t  f_keep, f_asked, f_new, f_has;  // what is kept; written; that and the rest of the word; there
  aa_reg_pkg::log_cfg_t  f_mixed;
  aa_reg_pkg::log_sts_t  f_sts;
  always_comb begin
    f_keep       = '1;
    f_keep.EN    = 1'b0;
    f_keep.rsv62 = '0;
    f_keep.rsv31 = '0;
    f_keep.rsv23 = '0;
    f_keep.rsv15 = '0;
  end

  logic [4:0]       f_log, f_other;
  logic [AddrW-1:0] f_a;
  logic [63:0]      f_base_q, f_cfg_q, f_merged, f_seen, f_ring;
  logic             f_open_q, f_closing_q, f_open, f_write, f_on, f_good, f_opens_q, f_event_q;
  logic [3:0]       f_why_q;
  logic [4:0]       f_size;
  logic             f_dup;

  // Any log that exists
  assign f_log   = 32'(f_log_any) < NumLogs ? f_log_any : 5'd0;
  assign f_other = 32'(f_other_any) < NumLogs ? f_other_any : 5'd0;
  assign f_a     = f_log[AddrW-1:0];

  // A write stands on the bus for a cycle before it is one, one of the table's page for two: it waits for a hold.
  localparam int unsigned FBusW = 17 + 64 + 8 + 2 * NumLogs;
  logic [FBusW-1:0] f_bus, f_bus_q, f_bus_q2;
  logic             f_rst_q2, f_off_q, f_off_q2;
  assign f_bus = {rb_i.addr, rb_i.wdata, rb_i.wstrb, ptr_ok_i, msi_ok_i};
  always_ff @(posedge clk_i) begin
    f_bus_q  <= f_bus;
    f_bus_q2 <= f_bus_q;
    f_rst_q2 <= rst_ni && f_rst_q;
    f_off_q  <= off_i;
    f_off_q2 <= f_off_q;
  end

  logic [19:3] f_was;  // the address a cycle ago
  logic        f_was_in, f_was_mine;
  assign f_was    = f_bus_q[FBusW-1-:17];
  assign f_was_in = f_was[19:11] == FTable && 32'(f_was[10:6]) < NumLogs;
  assign f_was_mine = f_was[19:11] == FTable && f_was[10:6] == f_log;

  // The fields that were merged in the cycle before, from what was on the bus then
  logic [63:0]      f_old, f_mix;
  logic [AddrW-1:0] f_wa;
  assign f_wa  = f_was[6+:AddrW];
  assign f_old = cfg_known_q[f_wa] ? {26'd0, f_kept_was.SCRI, 3'd0, f_kept_was.MODE, 3'd0, f_kept_was.SIZE, 6'd0,
                                      f_kept_was.IUID} : 64'd0;
  assign f_kept_was = cfg_q[f_wa];
  always_comb for (int unsigned b = 0; b < 8; b++)
    f_mix[8*b+:8] = f_bus_q[2*NumLogs+b] ? f_bus_q[2*NumLogs+8+8*b+:8] : f_old[8*b+:8];

  assign f_open  = f_open_q;
  assign f_write = rb_i.we && rb_i.addr[16:8] == FTable && rb_i.addr[7:3] == f_log;
  assign f_seen  = rb_i.addr[2:0] == FBase ? f_base_q : f_cfg_q;
  always_comb for (int unsigned b = 0; b < 8; b++)
    f_merged[8*b+:8] = rb_i.wstrb[b] ? rb_i.wdata[8*b+:8] : f_seen[8*b+:8];
  assign f_asked = rb_i.wdata;
  assign f_new   = f_merged;
  assign f_has   = f_cfg_q;
  assign f_on    = rb_i.wstrb[7] && f_asked.EN;
  assign f_size  = f_new.SIZE;
  assign f_ring  = 64'd1 << f_size;
  logic [31:0] f_ring_q;  // of the log as it is
  logic        f_ended_q;
  assign f_ring_q = 32'd1 << f_has.SIZE;
  always_ff @(posedge clk_i) f_ended_q <= rst_ni && (f_ended_q || (off_i && off_log_i == f_log));

  always_comb begin
    f_dup = 1'b0;
    for (int unsigned l = 0; l < NumLogs; l++)
      if (5'(l) != f_log && open_o[l] && iuid_q[10*l+:10] == f_new.IUID) f_dup = 1'b1;
  end
  // P3 in plain arithmetic
  assign f_good = f_size >= 5'd6 && f_size <= 5'd30 && (f_base_q & (f_ring - 64'd1)) == 64'd0 &&
                  f_base_q < 64'h1_0000_0000_0000 && f_base_q + f_ring <= 64'h1_0000_0000_0000 && !f_dup &&
                  (!f_new.PTR || ptr_ok_i[f_a]) && (!f_new.MSI || msi_ok_i[f_a]) &&
                  (!f_new.SCR || 32'(f_new.SCRI) < ScratchWords);

  always_ff @(posedge clk_i) begin
    f_event_q <= rst_ni && open_event_valid_o && open_event_log_o == f_log;
    if (!rst_ni) begin
      f_base_q    <= '0;
      f_cfg_q     <= '0;
      f_why_q     <= '0;
      f_open_q    <= 1'b0;
      f_closing_q <= 1'b0;
    end else begin
      if (off_i && off_log_i == f_log) {f_open_q, f_closing_q} <= 2'b00;
      if (f_write && rb_i.addr[2:0] == FBase && !f_open) f_base_q <= f_merged;
      if (f_write && rb_i.addr[2:0] == FCfg) begin
        if (!f_open) begin
          f_cfg_q <= f_merged & f_keep;
          if (f_on && f_good) f_open_q <= 1'b1;
        end else if (rb_i.wstrb[7] && !f_asked.EN) f_closing_q <= 1'b1;
        if (f_on && (!f_open || f_closing_q)) f_why_q <= why_d;
      end
    end
  end

  `FV_COMB if (f_past_q) begin
    env_setup: assume (!rb_i.we || !rst_ni || (f_rst_q && f_bus == f_bus_q &&
                                               (rb_i.addr[16:9] != FPage || (f_rst_q2 && f_bus == f_bus_q2))));
    env_off_alone: assume (!rb_i.we || !rst_ni || !(off_i || f_off_q || (rb_i.addr[16:9] == FPage && f_off_q2)));
    env_off: assume (!off_i || (32'(off_log_i) < NumLogs && f_closing[off_log_i[AddrW-1:0]]));
`ifdef YOSYS  // in the whole, a query that nobody looks at may name any log
    env_logs: assume (32'(qry_log_i) < NumLogs && 32'(qry2_log_i) < NumLogs);
`endif
    env_lp: assume (!lp_sel_i || (rb_i.addr[16:13] != 4'd0 && 32'(lp_log_i) < NumLogs));
  end

  // What the state is, for f_log
  logic [63:0] f_kept_cfg;
  assign f_kept_cfg = {26'd0, f_kept.SCRI, 3'd0, f_kept.MODE, 3'd0, f_kept.SIZE, 6'd0, f_kept.IUID};
  assign f_kept     = cfg_q[f_a];
  assign f_mixed    = f_mix;
  always_comb begin
    f_sts         = '0;
    f_sts.WHY     = f_why_q;
    f_sts.CLOSING = f_closing_q;
    f_sts.EN      = f_open_q;
  end

  `FV_COMB if (f_past_q) begin
    if (f_rst_q)
      p2_decoded: assert (sel_base_q == (f_was_in && f_was[5:3] == FBase) &&
                          sel_cfg_q == (f_was_in && f_was[5:3] == FCfg) &&
                          sel_sts_q == (f_was_in && f_was[5:3] == FSts) && (!f_was_in || log_q == f_was[10:6]));
    if (f_rst_q2 && f_was_in && f_bus_q == f_bus_q2 && !f_off_q)
      p2_closed: assert (closed_q == !open_q[log_q[AddrW-1:0]]);
    if (f_rst_q && f_was_in && f_was[5:3] == FCfg)
      p2_merged: assert (fields_q == {f_mixed.SCRI, f_mixed.TASK, f_mixed.SCR, f_mixed.MSI, f_mixed.PTR, f_mixed.DROP,
                                     f_mixed.SIZE, f_mixed.IUID});
    p5_base: assert (f_base_q == (base_known_q[f_a] ? base_q[f_a] : 64'd0));
    p5_cfg: assert (f_cfg_q == (cfg_known_q[f_a] ? f_kept_cfg : 64'd0));
    p5_why: assert (f_why_q == (cfg_known_q[f_a] ? f_kept.WHY : 4'd0));
    p4_open: assert (open_o[f_a] == f_open_q && closing_o[f_a] == f_closing_q && (f_open_q || !f_closing_q));
    p2_known: assert (!f_open_q || cfg_known_q[f_a]);
    p2_copies: assert (!cfg_known_q[f_a] || size_q[f_a] == {f_kept.MODE[0], f_kept.SIZE});
    p2_mask: assert (!cfg_known_q[f_a] ||
                     32'({mask_q[f_a], 4'd0}) == ((32'd1 << f_kept.SIZE) - 32'd1 & 32'h3FFF_FFF0));
    p2_fields: assert ((!cfg_known_q[f_a] ||
                        (iuid_q[10*f_log+:10] == f_has.IUID && scri_q[6*f_log+:6] == f_has.SCRI)) &&
                       {task_q[f_a], scr_q[f_a], msi_q[f_a], ptr_q[f_a]} == {f_has.TASK, f_has.SCR,
                       f_has.MSI, f_has.PTR});
    p2_base: assert (!f_open_q || base_rsv_q[f_a] == f_base_q[47:6]);
    p3_stays_good: assert (!f_open_q || (f_has.SIZE >= 5'd6 && f_has.SIZE <= 5'd30 && f_base_q[63:48] == '0 &&
                                         (f_base_q & ((64'd1 << f_has.SIZE) - 64'd1)) == '0));
    p1_distinct: assert (f_log == f_other || !open_o[f_a] || !open_o[f_other[AddrW-1:0]] ||
                         iuid_q[10*f_log+:10] != iuid_q[10*f_other+:10]);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_was_mine) begin
      p5_read: assert (rb_rdata_o == (f_was[5:3] == FBase ? f_base_q :
                                      f_was[5:3] == FCfg ? f_cfg_q | {f_open_q, 63'd0} :
                                      f_was[5:3] == FSts ? f_sts : 64'd0));
    end
    if (f_was[19:11] != FTable) p5_elsewhere: assert (rb_rdata_o == '0);
    if (wants && closed_q) p3_early: assert (why_q == why);
    if (cfg_we) p2_order: assert (fields_q == fields);
    if (f_write && rb_i.addr[2:0] == FCfg && f_on && !f_open) begin
      p3_opens: assert ((open_event_valid_o && open_event_log_o == f_log) == f_good);
      p3_why: assert (why_d == (f_size < 5'd6 || f_size > 5'd30 ? 4'd1 : (f_base_q & (f_ring - 64'd1)) != '0 ? 4'd2 :
                                f_base_q[63:48] != '0 ? 4'd3 : f_dup ? 4'd4 : f_new.PTR && !ptr_ok_i[f_a] ? 4'd5 :
                                f_new.MSI && !msi_ok_i[f_a] ? 4'd6 : f_good ? 4'd0 : 4'd7));
    end
    if (open_event_valid_o && open_event_log_o == f_log)
      p3_only: assert (f_write && rb_i.addr[2:0] == FCfg && f_on && !f_open && f_good);
    if (f_write && rb_i.addr[2:0] == FCfg && f_on && f_open && f_closing_q) p3_closing: assert (why_d == 4'd8);
    p1_hit: assert (!cam_hit_o || (32'(cam_log_o) < NumLogs));
    if (open_o[f_a] && !closing_o[f_a] && iuid_q[10*f_log+:10] == cam_iuid_i) begin
      p1_finds: assert (cam_hit_o && (f_other == f_log || cam_log_o == f_log ||
                                      cam_log_o == (f_log | f_other) || NumLogs > 2));
    end
    if (cam_hit_o && NumLogs <= 2 && f_other != f_log && cam_log_o == f_log)
      p1_right: assert (open_o[f_a] && !closing_o[f_a] &&
        iuid_q[10*f_log+:10] == cam_iuid_i);
    if (f_open_q && rsv_log_i == f_log) p2_rsv: assert (rsv_base_o == f_base_q[47:6] && rsv_drop_o == f_has.DROP);
    if (f_open_q && next_log_i == f_log) p2_next: assert (32'({next_mask_o, 4'd15}) == f_ring_q - 32'd1);
    if (f_open_q && qry_log_i == f_log) p2_qry: assert (qry_size_o == f_has.SIZE);
    if (f_open_q && qry2_log_i == f_log) p2_qry2: assert (qry2_size_o == f_has.SIZE);
    c_opened: cover (f_event_q && f_open_q && rsv_log_i == f_log);
    c_closed: cover (f_closing_q && off_i && off_log_i == f_log);
    c_reopen: cover (f_ended_q && open_event_valid_o && open_event_log_o == f_log);
    c_dup: cover (f_write && f_on && !f_open && rb_i.addr[2:0] == FCfg && why_d == 4'd4);
    c_high: cover (f_open_q && f_base_q[47] && f_has.SIZE == 5'd30);
  end
