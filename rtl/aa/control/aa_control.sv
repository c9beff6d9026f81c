// SPDX-License-Identifier: Apache-2.0
// aa_control: what software sees: registers, faults, invalidation, and the holds that they need. Wiring only.
//
//   AXI4-Lite -> cm_axil_regs -> register bus -> aa_regs, aa_fault, aa_qi (and the blocks outside, rb_ext)
//   aa_qi, aa_regs -> aa_inval -> hold, invalidate, forget, snap, drained
// One file: it only wires, and each pin has a line.
`default_nettype none

module aa_control #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  parameter int unsigned ScratchWords = 16
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // AXI4-Lite
  input  wire logic                        s_awvalid_i,
  output logic                             s_awready_o,
  input  wire logic [19:0]                 s_awaddr_i,
  input  wire logic                        s_wvalid_i,
  output logic                             s_wready_o,
  input  wire logic [63:0]                 s_wdata_i,
  input  wire logic [7:0]                  s_wstrb_i,
  output logic                             s_bvalid_o,
  input  wire logic                        s_bready_i,
  output logic      [1:0]                  s_bresp_o,
  input  wire logic                        s_arvalid_i,
  output logic                             s_arready_o,
  input  wire logic [19:0]                 s_araddr_i,
  output logic                             s_rvalid_o,
  input  wire logic                        s_rready_i,
  output logic      [63:0]                 s_rdata_o,
  output logic      [1:0]                  s_rresp_o,

  // Register bus to the other blocks
  output cm_pkg::reg_bus_t                 rb_o,
  output logic                             rb_busy_o,  // a write is on its way: in its cycle and since it was taken
  input  wire logic [63:0]                 rb_ext_i,      // their data, or'ed
  input  wire logic                        wr_wait_i,     // one of them quotes a register in a message under way

  // Settings
  output logic                             te_o,
  output logic                             aae_o,
  output logic      [63:12]                root_o,
  output logic      [2:0]                  mps_o,
  output logic      [2:0]                  mrrs_o,
  output logic      [31:0]                 cpl_tmo_o,
  output logic      [31:0]                 wdog_o,
  output logic      [31:0]                 flush_tmo_o,
  output logic                             flush_tmo_on_o,
  output logic      [NumPorts*33-1:0]      port_filter_o,

  // Hold, invalidation, drain
  output logic                             hold_o,
  input  wire logic                        idle_i,
  output logic                             forget_o,
  output logic                             inv_valid_o,
  output aa_pkg::inval_t                   inv_o,
  input  wire logic                        inv_done_i,
  input  wire logic                        inv_wait_i,
  output logic                             snap_o,
  input  wire logic                        drained_i,

  // Faults and errors
  input  wire logic                        fault_valid_i,
  input  wire aa_pkg::fault_t              fault_i,
  output logic                             fault_stored_o,
  output logic                             fault_lost_o,
  input  wire logic [5:0]                  err_valid_i,
  input  wire logic [6*aa_pkg::ErrW-1:0]   err_i,

  // Queue fetch
  output logic                             ar_valid_o,
  input  wire logic                        ar_ready_i,
  output logic      [63:0]                 ar_addr_o,
  input  wire logic                        r_valid_i,
  input  wire logic [127:0]                r_data_i,
  input  wire logic                        r_err_i,

  // Messages and notes: 0 aa_fault, 1 aa_qi
  output logic      [1:0]                  msg_valid_o,
  input  wire logic [1:0]                  msg_ready_i,
  output logic      [127:0]                msg_addr_o,
  output logic      [127:0]                msg_data_o,
  output logic      [7:0]                  msg_bytes_o,
  input  wire logic [1:0]                  msg_done_i,
  input  wire logic                        msg_fail_i,
  output logic      [1:0]                  note_valid_o,
  output logic      [2*aa_pkg::RetireW-1:0] note_o,
  input  wire logic [1:0]                  note_ready_i,

  // Retire
  output logic                             ret_read_valid_o,
  output aa_pkg::retire_t                  ret_read_o,
  output logic                             ret_write_valid_o,
  output aa_pkg::retire_t                  ret_write_o,
  output logic                             ret_inval_valid_o,
  output aa_pkg::retire_t                  ret_inval_o
);

  logic [63:0] rd_regs, rd_fault, rd_qi, rdata;
  logic held_w, held_r;  // what the register bus addresses needs a hold
  logic hold_req_reg, hold_req_inv, hold_gnt_reg, hold_gnt_inv, forget_reg, forget_inv, wait_fault, wait_qi;

  aa_hold #(
    .N(2)
  ) u_hold (
    .clk_i,
    .rst_ni,
    .req_i({hold_req_inv, hold_req_reg}),
    .gnt_o({hold_gnt_inv, hold_gnt_reg}),
    .hold_o,
    .idle_i
  );
  // All that is translated is forgotten a cycle late: the hold lasts as long (P4 of aa_hold).
  always_ff @(posedge clk_i) begin
    if (!rst_ni) forget_o <= 1'b0;
    else forget_o <= forget_reg || forget_inv;
  end

  cm_axil_regs u_axil (
    .clk_i,
    .rst_ni,
    .s_awvalid_i,
    .s_awready_o,
    .s_awaddr_i,
    .s_wvalid_i,
    .s_wready_o,
    .s_wdata_i,
    .s_wstrb_i,
    .s_bvalid_o,
    .s_bready_i,
    .s_bresp_o,
    .s_arvalid_i,
    .s_arready_o,
    .s_araddr_i,
    .s_rvalid_o,
    .s_rready_i,
    .s_rdata_o,
    .s_rresp_o,
    .rb_o,
    .rb_rdata_i(rd_regs | rd_fault | rd_qi),
    .rb_far_i(rb_ext_i),
    .rb_late_i(64'd0),
    .rb_re_o(ret_read_valid_o),
    .rb_rdata_o(rdata),
    .held_w_i(held_w),
    .held_r_i(held_r),
    .hold_req_o(hold_req_reg),
    .hold_gnt_i(hold_gnt_reg),
    .wr_wait_i(wait_fault || wait_qi || wr_wait_i)
  );

  aa_reg_hold u_reg_hold (
    .clk_i,
    .rb_i(rb_o),
    .held_w_o(held_w),
    .held_r_o(held_r),
    .forget_o(forget_reg)
  );

  assign ret_write_valid_o = rb_o.we;
  always_comb begin
    ret_read_o       = '0;
    ret_read_o.kind  = aa_pkg::RetRegRead;
    ret_read_o.a     = 64'({rb_o.addr, 3'd0});
    ret_read_o.b     = rdata;
    ret_write_o      = '0;
    ret_write_o.kind = aa_pkg::RetRegWrite;
    ret_write_o.idx  = rb_o.wstrb;
    ret_write_o.a    = 64'({rb_o.addr, 3'd0});
    ret_write_o.b    = rb_o.wdata;
  end

  // When a write comes is known late. What must not happen beside one (publishes, ends of logs) keeps away from the
  // cycle after it was taken on, which is before the write by one at least. No write waits for any of that: it waits
  // for a hold, which decisions and invalidations give whatever the logs do, and for messages to be handed over, which
  // need aa_msg and AXI W alone. Two cycles lie between two writes (response, taking), as many as aa_retire_arb needs
  // to give a turn.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) rb_busy_o <= 1'b0;
    else if (s_awready_o) rb_busy_o <= s_wstrb_i != 8'd0;
    else if (rb_o.we) rb_busy_o <= 1'b0;
  end

  logic werr_set, werr_clr, te_clr, qie, r_valid, r_sel, r_done, r_fin_valid, r_fin_ready;
  logic [63:0] r_a, r_b;

  aa_regs #(
    .NumPorts(NumPorts),
    .NumLogs(NumLogs),
    .LogDepth(LogDepth),
    .TagEntries(TagEntries),
    .FlushPages(FlushPages),
    .FlushWaiters(FlushWaiters),
    .ScratchWords(ScratchWords)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .rb_i(rb_o),
    .rb_rdata_o(rd_regs),
    .te_o,
    .te_clr_o(te_clr),
    .qie_o(qie),
    .root_o,
    .aae_o,
    .mps_o,
    .mrrs_o,
    .cpl_tmo_o,
    .wdog_o,
    .flush_tmo_o,
    .flush_tmo_on_o,
    .port_filter_o,
    .err_valid_i,
    .err_i,
    .werr_set_o(werr_set),
    .werr_clr_o(werr_clr),
    .r_valid_o(r_valid),
    .r_sel_o(r_sel),
    .r_a_o(r_a),
    .r_b_o(r_b),
    .r_done_i(r_done),
    .r_fin_valid_o(r_fin_valid),
    .r_fin_ready_i(r_fin_ready),
    .drained_i
  );

  logic iqe, iqe_set;

  aa_fault u_fault (
    .clk_i,
    .rst_ni,
    .rb_i(rb_o),
    .rb_rdata_o(rd_fault),
    .wr_wait_o(wait_fault),
    .fault_valid_i,
    .fault_i,
    .stored_o(fault_stored_o),
    .lost_o(fault_lost_o),
    .iqe_set_i(iqe_set),
    .iqe_o(iqe),
    .te_clr_i(te_clr),
    .werr_set_i(werr_set),
    .werr_clr_i(werr_clr),
    .note_valid_o(note_valid_o[0]),
    .note_o(note_o[0+:aa_pkg::RetireW]),
    .note_ready_i(note_ready_i[0]),
    .msg_valid_o(msg_valid_o[0]),
    .msg_ready_i(msg_ready_i[0]),
    .msg_addr_o(msg_addr_o[63:0]),
    .msg_data_o(msg_data_o[63:0]),
    .msg_bytes_o(msg_bytes_o[3:0])
  );

  logic q_valid, q_done, q_rec_valid, q_rec_flag, q_rec_ready;
  logic [63:0] q_a, q_b;

  aa_qi u_qi (
    .clk_i,
    .rst_ni,
    .rb_i(rb_o),
    .rb_rdata_o(rd_qi),
    .wr_wait_o(wait_qi),
    .qie_i(qie),
    .iqe_i(iqe),
    .iqe_set_o(iqe_set),
    .drained_i,
    .ar_valid_o,
    .ar_ready_i,
    .ar_addr_o,
    .r_valid_i,
    .r_data_i,
    .r_err_i,
    .q_valid_o(q_valid),
    .q_a_o(q_a),
    .q_b_o(q_b),
    .q_done_i(q_done),
    .inv_wait_i,
    .q_rec_valid_o(q_rec_valid),
    .q_rec_flag_o(q_rec_flag),
    .q_rec_ready_i(q_rec_ready),
    .note_valid_o(note_valid_o[1]),
    .note_o(note_o[aa_pkg::RetireW+:aa_pkg::RetireW]),
    .note_ready_i(note_ready_i[1]),
    .msg_valid_o(msg_valid_o[1]),
    .msg_ready_i(msg_ready_i[1]),
    .msg_addr_o(msg_addr_o[127:64]),
    .msg_data_o(msg_data_o[127:64]),
    .msg_bytes_o(msg_bytes_o[7:4]),
    .msg_done_i(msg_done_i[1]),
    .msg_fail_i
  );

  aa_inval u_inval (
    .clk_i,
    .rst_ni,
    .r_valid_i(r_valid),
    .r_sel_i(r_sel),
    .r_a_i(r_a),
    .r_b_i(r_b),
    .r_done_o(r_done),
    .r_fin_valid_i(r_fin_valid),
    .r_fin_ready_o(r_fin_ready),
    .q_valid_i(q_valid),
    .q_a_i(q_a),
    .q_b_i(q_b),
    .q_done_o(q_done),
    .q_rec_valid_i(q_rec_valid),
    .q_rec_flag_i(q_rec_flag),
    .q_rec_ready_o(q_rec_ready),
    .hold_req_o(hold_req_inv),
    .hold_gnt_i(hold_gnt_inv),
    .inv_valid_o,
    .inv_o,
    .inv_done_i,
    .inv_wait_i,
    .forget_o(forget_inv),
    .snap_o,
    .ret_valid_o(ret_inval_valid_o),
    .ret_o(ret_inval_o)
  );

endmodule

`default_nettype wire
