// SPDX-License-Identifier: Apache-2.0
// aa_logs: the access logs whole: table and pointers, the writers of entries, who tells their owners. Wiring only.
//
//   put --> aa_log_put --+                       aa_log: table, reserve, publish <-- done, consumer
//   get --> aa_log_get --+--> (aa_axi_writer)    aa_notify --> messages --> (aa_axi_writer)
//   a write that failed (aa_axi_writer) --> aa_log (it stops), aa_notify (MSI)
//
// FIFOs of two cut what would be one path from the entry of a read to the arbiter of AXI and back: before aa_log_get,
// and behind both writers. They cost a cycle on the way to memory, and no rate.
// One file: it only wires, and each pin has a line.
`default_nettype none

module aa_logs #(
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned ScratchWords = 16,
  localparam int unsigned GetLogW = 1 + aa_pkg::EntryIdW + 2 * aa_pkg::HostAddrW + 11 + 4 + 4 + 2 + 1 + 13 + 128
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t              rb_i,
  input  wire logic                          rb_busy_i,
  output logic      [63:0]                   rb_rdata_o,

  // Decisions
  input  wire logic [9:0]                    cam_iuid_i,
  output logic                               cam_hit_o,
  output logic      [4:0]                    cam_log_o,
  input  wire aa_pkg::rsv_ask_t              rsv_ask_i,
  output aa_pkg::rsv_t                       rsv_o,
  input  wire aa_pkg::rsv_act_t              rsv_act_i,
  output logic      [31:0]                   rsv_ptr_o,
  output logic                               freed_o,

  // Entries
  input  wire logic                          put_valid_i,
  output logic                               put_ready_o,
  input  wire aa_pkg::put_log_t              put_i,
  input  wire logic                          put_data_valid_i,
  output logic                               put_data_ready_o,
  input  wire logic [cm_pkg::DataW-1:0]      put_data_i,
  input  wire logic                          get_valid_i,
  output logic                               get_ready_o,
  input  wire aa_pkg::get_log_t              get_i,
  input  wire logic                          get_data_valid_i,
  output logic                               get_data_ready_o,
  input  wire logic [cm_pkg::DataW-1:0]      get_data_i,
  input  wire logic                          abort_valid_i,
  input  wire logic [4:0]                    abort_log_i,

  // Flushes
  output logic      [NumLogs-1:0]            open_o,
  output logic      [NumLogs-1:0]            closing_o,
  input  wire logic [4:0]                    qry_log_i,
  output logic      [31:0]                   qry_cons_o,

  // Writers of entries, to aa_axi_writer: 0 at once, 1 when completions have come
  output logic      [1:0]                    aw_valid_o,
  input  wire logic [1:0]                    aw_ready_i,
  output logic      [2*64-1:0]               aw_addr_o,
  output logic      [2*8-1:0]                aw_len_o,
  output logic      [2*aa_pkg::OwnerW-1:0]   aw_owner_o,
  output logic      [1:0]                    w_valid_o,
  input  wire logic [1:0]                    w_ready_i,
  output logic      [2*cm_pkg::DataW-1:0]    w_data_o,
  output logic      [2*(cm_pkg::DataW/8)-1:0] w_strb_o,
  output logic      [1:0]                    w_last_o,
  input  wire logic [1:0]                    b_valid_i,
  input  wire logic                          axi_busy_i,  // a failure is being recorded: publish nothing
  input  wire aa_pkg::axi_fail_t             fail_i,
  output logic      [9:0]                    fail_iuid_o,

  // Messages, to aa_axi_writer
  output logic                               msg_valid_o,
  input  wire logic                          msg_ready_i,
  output logic      [63:0]                   msg_addr_o,
  output logic      [63:0]                   msg_data_o,
  output logic      [3:0]                    msg_bytes_o,
  output aa_pkg::owner_t                     msg_owner_o,
  input  wire logic                          msg_done_i,

  // Tasks
  output logic                               task_valid_o,
  input  wire logic                          task_ready_i,
  output logic      [4:0]                    task_log_o,
  output logic      [31:0]                   task_prod_o,
  output logic      [31:0]                   task_cons_o,
  input  wire logic                          task_done_valid_i,
  input  wire logic [4:0]                    task_done_log_i,

  // Records
  output logic                               note_valid_o,
  output aa_pkg::retire_t                    note_o,
  input  wire logic                          note_ready_i,
  output logic                               pub_valid_o,
  output aa_pkg::retire_t                    pub_retire_o,
  output logic      [13:0]                   pub_bytes_o,
  output logic                               err_valid_o,     // bad consumer pointer
  output aa_pkg::err_t                       err_o,
  output logic                               ev_msi_o
);

  logic cons_valid, open_valid, off_valid, off_ready, alarm;
  logic [4:0] pub_log, cons_log, open_log, off_log, qry_log;
  logic [31:0] pub_prod, cons, qry_prod, qry_cons, unused_prod2;
  logic [4:0] qry_size, unused_size2;
  logic [NumLogs-1:0] ptr_ok, msi_ok, cfg_ptr, cfg_msi, cfg_scr, cfg_task;
  logic [NumLogs*6-1:0] cfg_scri;
  logic [63:0] rd_log, rd_notify;
  logic put_done, get_done, put_done_ready, get_done_ready;
  aa_pkg::entry_id_t put_done_id, get_done_id;

  aa_log #(
    .NumLogs(NumLogs),
    .LogDepth(LogDepth),
    .ScratchWords(ScratchWords)
  ) u_log (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_busy_i,
    .rb_rdata_o(rd_log),
    .cam_iuid_i,
    .cam_hit_o,
    .cam_log_o,
    .rsv_ask_i,
    .rsv_o,
    .rsv_act_i,
    .rsv_ptr_o,
    .done_valid_i({get_done, put_done}),
    .done_id_i({get_done_id, put_done_id}),
    .done_ready_o({get_done_ready, put_done_ready}),
    .abort_valid_i,
    .abort_log_i,
    .stop_i(axi_busy_i),
    .fail_entry_valid_i(fail_i.entry),
    .fail_ptr_valid_i(fail_i.ptr),
    .fail_log_i(fail_i.log),
    .fail_iuid_o,
    .alarm_valid_o(alarm),
    .pub_valid_o,
    .pub_log_o(pub_log),
    .pub_prod_o(pub_prod),
    .pub_bytes_o,
    .pub_retire_o,
    .cons_event_valid_o(cons_valid),
    .cons_event_log_o(cons_log),
    .cons_event_o(cons),
    .err_valid_o,
    .err_o,
    .qry_log_i(qry_log),
    .qry_prod_o(qry_prod),
    .qry_cons_o(qry_cons),
    .qry_size_o(qry_size),
    .qry2_log_i(qry_log_i),
    .qry2_prod_o(unused_prod2),
    .qry2_cons_o(qry_cons_o),
    .qry2_size_o(unused_size2),
    .ptr_ok_i(ptr_ok),
    .msi_ok_i(msi_ok),
    .open_o,
    .closing_o,
    .open_event_valid_o(open_valid),
    .open_event_log_o(open_log),
    .cfg_ptr_o(cfg_ptr),
    .cfg_msi_o(cfg_msi),
    .cfg_scr_o(cfg_scr),
    .cfg_task_o(cfg_task),
    .cfg_scri_o(cfg_scri),
    .off_valid_o(off_valid),
    .off_log_o(off_log),
    .off_ready_i(off_ready)
  );
  assign freed_o = pub_valid_o || cons_valid || fail_i.entry;

  logic [1:0] l_aw_valid, l_aw_ready, l_w_valid, l_w_ready, l_w_room, l_w_last;
  logic [2*64-1:0] l_aw_addr;
  logic [2*8-1:0] l_aw_len;
  logic [2*aa_pkg::LogIdxW-1:0] l_aw_log;
  logic [2*cm_pkg::DataW-1:0] l_w_data;
  logic [2*(cm_pkg::DataW/8)-1:0] l_w_strb;
  logic g_valid, g_ready;
  logic [GetLogW-1:0] g_bits;

  cm_fifo #(
    .Width(GetLogW),
    .Depth(2)
  ) u_get (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(get_valid_i),
    .in_ready_o(get_ready_o),
    .in_data_i(get_i),
    .out_valid_o(g_valid),
    .out_ready_i(g_ready),
    .out_data_o(g_bits),
    .level_o()
  );

  // A writer takes it that w is never taken before its aw: w goes in only when an aw could.
  assign l_w_ready = l_w_room & l_aw_ready;

  for (genvar s = 0; s < 2; s++) begin : gen_writer
    cm_fifo #(
      .Width(72 + aa_pkg::LogIdxW),
      .Depth(2)
    ) u_aw (
      .clk_i,
      .rst_ni,
      .clr_i(1'b0),
      .in_valid_i(l_aw_valid[s]),
      .in_ready_o(l_aw_ready[s]),
      .in_data_i({l_aw_log[aa_pkg::LogIdxW*s+:aa_pkg::LogIdxW], l_aw_addr[64*s+:64], l_aw_len[8*s+:8]}),
      .out_valid_o(aw_valid_o[s]),
      .out_ready_i(aw_ready_i[s]),
      .out_data_o({aw_owner_o[aa_pkg::OwnerW*s+:aa_pkg::LogIdxW], aw_addr_o[64*s+:64], aw_len_o[8*s+:8]}),
      .level_o()
    );
    assign aw_owner_o[aa_pkg::OwnerW*s+aa_pkg::LogIdxW+:2] = 2'b10;

    cm_fifo #(
      .Width(cm_pkg::DataW + cm_pkg::DataW / 8 + 1),
      .Depth(2)
    ) u_w (
      .clk_i,
      .rst_ni,
      .clr_i(1'b0),
      .in_valid_i(l_w_valid[s] && l_aw_ready[s]),
      .in_ready_o(l_w_room[s]),
      .in_data_i({l_w_data[cm_pkg::DataW*s+:cm_pkg::DataW], l_w_strb[cm_pkg::DataW/8*s+:cm_pkg::DataW/8], l_w_last[s]}),
      .out_valid_o(w_valid_o[s]),
      .out_ready_i(w_ready_i[s]),
      .out_data_o({w_data_o[cm_pkg::DataW*s+:cm_pkg::DataW], w_strb_o[cm_pkg::DataW/8*s+:cm_pkg::DataW/8],
                   w_last_o[s]}),
      .level_o()
    );
  end

  // Ids for all entries that are not done, and for more than a bus word has.
  localparam int unsigned Places = NumLogs * LogDepth;
  localparam int unsigned AWord = cm_pkg::DataW / 128;
  aa_log_put #(
    .Ids(Places > AWord ? Places : AWord + 1)
  ) u_log_put (
    .clk_i,
    .rst_ni,
    .cmd_valid_i(put_valid_i),
    .cmd_ready_o(put_ready_o),
    .cmd_i(put_i),
    .data_valid_i(put_data_valid_i),
    .data_ready_o(put_data_ready_o),
    .data_i(put_data_i),
    .aw_valid_o(l_aw_valid[0]),
    .aw_ready_i(l_aw_ready[0]),
    .aw_addr_o(l_aw_addr[64*0+:64]),
    .aw_len_o(l_aw_len[8*0+:8]),
    .aw_log_o(l_aw_log[aa_pkg::LogIdxW*0+:aa_pkg::LogIdxW]),
    .w_valid_o(l_w_valid[0]),
    .w_ready_i(l_w_ready[0]),
    .w_data_o(l_w_data[cm_pkg::DataW*0+:cm_pkg::DataW]),
    .w_strb_o(l_w_strb[cm_pkg::DataW/8*0+:cm_pkg::DataW/8]),
    .w_last_o(l_w_last[0]),
    .b_valid_i(b_valid_i[0]),
    .done_valid_o(put_done),
    .done_ready_i(put_done_ready),
    .done_id_o(put_done_id)
  );

  aa_log_get u_log_get (
    .clk_i,
    .rst_ni,
    .cmd_valid_i(g_valid),
    .cmd_ready_o(g_ready),
    .cmd_i(g_bits),
    .data_valid_i(get_data_valid_i),
    .data_ready_o(get_data_ready_o),
    .data_i(get_data_i),
    .aw_valid_o(l_aw_valid[1]),
    .aw_ready_i(l_aw_ready[1]),
    .aw_addr_o(l_aw_addr[64*1+:64]),
    .aw_len_o(l_aw_len[8*1+:8]),
    .aw_log_o(l_aw_log[aa_pkg::LogIdxW*1+:aa_pkg::LogIdxW]),
    .w_valid_o(l_w_valid[1]),
    .w_ready_i(l_w_ready[1]),
    .w_data_o(l_w_data[cm_pkg::DataW*1+:cm_pkg::DataW]),
    .w_strb_o(l_w_strb[cm_pkg::DataW/8*1+:cm_pkg::DataW/8]),
    .w_last_o(l_w_last[1]),
    .b_valid_i(b_valid_i[1]),
    .done_valid_o(get_done),
    .done_ready_i(get_done_ready),
    .done_id_o(get_done_id)
  );

  aa_notify #(
    .NumLogs(NumLogs),
    .ScratchWords(ScratchWords)
  ) u_notify (
    .clk_i,
    .rst_ni,
    .rb_i,
    .rb_busy_i,
    .rb_rdata_o(rd_notify),
    .pub_valid_i(pub_valid_o),
    .pub_log_i(pub_log),
    .pub_prod_i(pub_prod),
    .cons_event_valid_i(cons_valid),
    .cons_event_log_i(cons_log),
    .alarm_valid_i(alarm),
    .alarm_log_i(fail_i.log),
    .open_event_valid_i(open_valid),
    .open_event_log_i(open_log),
    .open_i(open_o),
    .closing_i(closing_o),
    .ptr_en_i(cfg_ptr),
    .msi_en_i(cfg_msi),
    .scr_en_i(cfg_scr),
    .task_en_i(cfg_task),
    .scri_i(cfg_scri),
    .ptr_ok_o(ptr_ok),
    .msi_ok_o(msi_ok),
    .qry_log_o(qry_log),
    .qry_prod_i(qry_prod),
    .qry_cons_i(qry_cons),
    .qry_size_i(qry_size),
    .msg_valid_o,
    .msg_ready_i,
    .msg_addr_o,
    .msg_data_o,
    .msg_bytes_o,
    .msg_owner_o,
    .msg_done_i,
    .task_valid_o,
    .task_ready_i,
    .task_log_o,
    .task_prod_o,
    .task_cons_o,
    .task_done_valid_i,
    .task_done_log_i,
    .off_valid_i(off_valid),
    .off_log_i(off_log),
    .stop_i(axi_busy_i),
    .off_ready_o(off_ready),
    .note_valid_o,
    .note_o,
    .note_ready_i,
    .ev_msi_o
  );

  assign rb_rdata_o = rd_log | rd_notify;

  logic unused_bits;
  assign unused_bits = &{unused_prod2, unused_size2, cons};

endmodule

`default_nettype wire
