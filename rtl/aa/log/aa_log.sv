// SPDX-License-Identifier: Apache-2.0
// aa_log: the access logs but for the writing of entries: table, space, order of publishing, consumers.
//
//   decide --> CAM: IUID -> log --> reserve (address, pad, slot) --> rsvd
//   aa_log_put, aa_log_get: done --> publish, in order, per log --> prod --> notify
//   registers --> table (open, close), cons --> notify, flush
//
// The contracts are those of aa_log_table and aa_log_ptr, and
// P1  rb_rdata_o is the word whose address was on the bus in the cycle before; zero if not LOG_BASE, LOG_CFG, LOG_STS
//     or LP_*.
// P2  A log that opens starts with rsvd = prod = cons = 0, and with no entry outstanding.
// P3  One that has stopped has its records dropped (rsv_o.drop), and its flushes and gets ended (closing_o).
//
// The register bus writes LOG_* only while no decision is under way (aa_regs); LP_* at any time.
// Rules of README.md: LOG-9, LOG-12, ERR-3.
`default_nettype none

module aa_log #(
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned ScratchWords = 16
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t              rb_i,
  input  wire logic                          rb_busy_i,
  output logic      [63:0]                   rb_rdata_o,

  // IUID to log: open and not closing
  input  wire logic [9:0]                    cam_iuid_i,
  output logic                               cam_hit_o,
  output logic      [4:0]                    cam_log_o,

  // Reserve: pointers are read a cycle ahead.
  input  wire aa_pkg::rsv_ask_t              rsv_ask_i,
  output aa_pkg::rsv_t                       rsv_o,
  input  wire aa_pkg::rsv_act_t              rsv_act_i,
  output logic      [31:0]                   rsv_ptr_o,    // rsvd before this reservation

  // Entries that are whole: 0 aa_log_put, 1 aa_log_get; one a cycle. Aborted ones are announced besides.
  input  wire logic [1:0]                    done_valid_i,
  output logic      [1:0]                    done_ready_o,
  input  wire logic [2*aa_pkg::EntryIdW-1:0] done_id_i,
  input  wire logic                          abort_valid_i,
  input  wire logic [4:0]                    abort_log_i,

  // Error responses (aa_axi_err)
  input  wire logic                          stop_i,
  input  wire logic                          fail_entry_valid_i,
  input  wire logic                          fail_ptr_valid_i,
  input  wire logic [4:0]                    fail_log_i,
  output logic      [9:0]                    fail_iuid_o,
  output logic                               alarm_valid_o,

  // Publish
  output logic                               pub_valid_o,
  output logic      [4:0]                    pub_log_o,
  output logic      [31:0]                   pub_prod_o,
  output logic      [13:0]                   pub_bytes_o,
  output aa_pkg::retire_t                    pub_retire_o,

  // Consumer pointer accepted; refused
  output logic                               cons_event_valid_o,
  output logic      [4:0]                    cons_event_log_o,
  output logic      [31:0]                   cons_event_o,
  output logic                               err_valid_o,
  output aa_pkg::err_t                       err_o,

  // Queries
  input  wire logic [4:0]                    qry_log_i,
  output logic      [31:0]                   qry_prod_o,
  output logic      [31:0]                   qry_cons_o,
  output logic      [4:0]                    qry_size_o,
  input  wire logic [4:0]                    qry2_log_i,
  output logic      [31:0]                   qry2_prod_o,
  output logic      [31:0]                   qry2_cons_o,
  output logic      [4:0]                    qry2_size_o,

  // Table
  input  wire logic [NumLogs-1:0]            ptr_ok_i,     // LOG_PTR, LOG_MSIA are aligned
  input  wire logic [NumLogs-1:0]            msi_ok_i,
  output logic      [NumLogs-1:0]            open_o,       // closing included
  output logic      [NumLogs-1:0]            closing_o,    // its flushes and gets end: it is torn down, or has stopped
  output logic                               open_event_valid_o,
  output logic      [4:0]                    open_event_log_o,
  output logic      [NumLogs-1:0]            cfg_ptr_o,
  output logic      [NumLogs-1:0]            cfg_msi_o,
  output logic      [NumLogs-1:0]            cfg_scr_o,
  output logic      [NumLogs-1:0]            cfg_task_o,
  output logic      [NumLogs*6-1:0]          cfg_scri_o,

  // Tear-down complete: the log is closed when this is taken
  output logic                               off_valid_o,
  output logic      [4:0]                    off_log_o,
  input  wire logic                          off_ready_i
);

  logic [63:0] rdata_table, rdata_ptr;
  logic [47:6] rsv_base;
  logic [29:4] next_mask;
  logic [4:0]  lp_log;
  logic [9:0]  lp_iuid;
  logic        lp_sel, drop, stopped;
  logic [NumLogs-1:0] closing, failed;

  assign rsv_o.drop   = drop || stopped;
  assign rsv_o.failed = stopped;
  assign closing_o  = closing | failed;

  aa_log_table #(
    .NumLogs(NumLogs),
    .ScratchWords(ScratchWords)
  ) u_table (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_rdata_o(rdata_table),
    .cam_iuid_i,
    .cam_hit_o,
    .cam_log_o,
    .rsv_log_i(rsv_ask_i.log),
    .rsv_base_o(rsv_base),
    .rsv_drop_o(drop),
    .next_log_i(cam_log_o),
    .next_mask_o(next_mask),
    .qry_log_i,
    .qry_size_o,
    .qry2_log_i,
    .qry2_size_o,
    .lp_log_i(lp_log),
    .lp_sel_i(lp_sel),
    .lp_iuid_o(lp_iuid),
    .fail_log_i,
    .fail_iuid_o,
    .ptr_ok_i,
    .msi_ok_i,
    .off_i(off_valid_o && off_ready_i),
    .off_log_i(off_log_o),
    .open_o,
    .closing_o(closing),
    .open_event_valid_o,
    .open_event_log_o,
    .cfg_ptr_o,
    .cfg_msi_o,
    .cfg_scr_o,
    .cfg_task_o,
    .cfg_scri_o
  );

  aa_log_ptr #(
    .NumLogs(NumLogs),
    .LogDepth(LogDepth)
  ) u_ptr (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_busy_i,
    .rb_rdata_o(rdata_ptr),
    .lp_sel_o(lp_sel),
    .lp_log_o(lp_log),
    .lp_iuid_i(lp_iuid),
    .open_i(open_o),
    .closing_i(closing),
    .open_event_valid_i(open_event_valid_o),
    .open_event_log_i(open_event_log_o),
    .rsv_base_i(rsv_base),
    .next_mask_i(next_mask),
    .next_i(rsv_act_i.next),
    .next_log_i(cam_log_o),
    .rsv_log_i(rsv_ask_i.log),
    .rsv_units_i(rsv_ask_i.units),
    .rsv_never_o(rsv_o.never),
    .rsv_space_o(rsv_o.space),
    .rsv_id_o(rsv_o.id),
    .rsv_addr_o(rsv_o.addr),
    .rsv_pad_o(rsv_o.pad),
    .rsv_pad_addr_o(rsv_o.pad_addr),
    .rsv_pad_bytes_o(rsv_o.pad_bytes),
    .rsv_ptr_o,
    .rsv_take_i(rsv_act_i.take),
    .lost_i(rsv_act_i.lost),
    .rsv_failed_o(stopped),
    .done_valid_i,
    .done_ready_o,
    .done_id_i,
    .abort_valid_i,
    .abort_log_i,
    .stop_i,
    .fail_entry_valid_i,
    .fail_ptr_valid_i,
    .fail_log_i,
    .failed_o(failed),
    .alarm_valid_o,
    .pub_valid_o,
    .pub_log_o,
    .pub_prod_o,
    .pub_bytes_o,
    .cons_event_valid_o,
    .cons_event_log_o,
    .cons_event_o,
    .err_valid_o,
    .err_o,
    .qry_log_i,
    .qry_prod_o,
    .qry_cons_o,
    .qry2_log_i,
    .qry2_prod_o,
    .qry2_cons_o,
    .off_valid_o,
    .off_log_o,
    .off_ready_i
  );

  assign rb_rdata_o = rdata_table | rdata_ptr;

  always_comb begin
    pub_retire_o      = '0;
    pub_retire_o.kind = aa_pkg::RetPublish;
    pub_retire_o.idx  = 8'(pub_log_o);
    pub_retire_o.a    = 64'(pub_prod_o);
  end

`ifdef FORMAL
`include "aa_log_props.svh"
`endif

endmodule

`default_nettype wire
