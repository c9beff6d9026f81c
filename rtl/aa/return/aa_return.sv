// SPDX-License-Identifier: Apache-2.0
// aa_return: the way back to the devices: who waits for what (tag buffer), completions, UR, flush answers. Wiring, and
// the small queue of UR completions.
//
//   decide --> aa_reads (aa_tag_buf, aa_cpl) <-- host_cpl  ------------+
//         +--> UR queue --> aa_cpl_gen ------------------------------+--> aa_cpl_mux --> dev_cpl[p]
//         +--> aa_flush_buf (consumer pointers) ---------------------+
`default_nettype none

module aa_return #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned NumLogs = 8,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  parameter int unsigned PayDw = 2048,
  parameter bit          ActiveAccess = 1'b1,  // 0: no completion is logged, no flush is held
  localparam int unsigned TlpW = cm_pkg::TlpW
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  // Register bus (flush pages) and settings
  input  wire cm_pkg::reg_bus_t           rb_i,
  output logic      [63:0]                rb_rdata_o,
  input  wire logic [31:0]                cpl_tmo_i,
  input  wire logic [31:0]                flush_tmo_i,
  input  wire logic                       flush_tmo_on_i,
  input  wire logic [NumPorts-1:0]        dev_reset_i,  // a cycle late
  input  wire logic                       fn_i,
  input  wire logic [15:0]                fn_rid_i,
  output logic      [1:0]                 fn_pass_o,

  // Decisions
  input  wire aa_pkg::tag_ask_t           tag_ask_i,
  output aa_pkg::tag_t                    tag_o,
  input  wire aa_pkg::tag_act_t           tag_act_i,
  output logic                            flush_ready_o,
  output logic      [7:0]                 flush_idx_o,
  input  wire logic                       flush_valid_i,
  input  wire logic [4:0]                 flush_log_i,
  input  wire logic [31:0]                flush_snap_i,
  input  wire logic                       ur_valid_i,
  output logic                            ur_ready_o,
  input  wire aa_pkg::asker_t             asker_i,
  input  wire logic [63:12]               page_i,
  input  wire logic [9:0]                 iuid_i,
  output logic                            page_hit_o,
  output logic                            freed_o,
  input  wire logic                       snap_i,
  output logic                            drained_o,

  // Host and devices
  input  wire logic                       host_cpl_valid_i,
  output logic                            host_cpl_ready_o,
  input  wire cm_pkg::tlp_t               host_cpl_beat_i,
  output logic      [NumPorts-1:0]        dev_cpl_valid_o,
  input  wire logic [NumPorts-1:0]        dev_cpl_ready_i,
  output logic      [NumPorts*TlpW-1:0]   dev_cpl_beat_o,

  // Access log
  input  wire logic [NumLogs-1:0]         open_i,
  input  wire logic [NumLogs-1:0]         closing_i,
  output logic      [4:0]                 qry_log_o,
  input  wire logic [31:0]                qry_cons_i,
  output logic                            get_valid_o,
  input  wire logic                       get_ready_i,
  output aa_pkg::get_log_t                get_o,
  output logic                            get_data_valid_o,
  input  wire logic                       get_data_ready_i,
  output logic      [cm_pkg::DataW-1:0]   get_data_o,
  output logic                            abort_valid_o,
  output logic      [4:0]                 abort_log_o,

  // Records
  output logic                            note_valid_o,
  output aa_pkg::retire_t                 note_o,
  input  wire logic                       note_ready_i,
  output logic                            ret_valid_o,
  output aa_pkg::retire_t                 ret_o,
  output logic                            err_valid_o,
  output aa_pkg::err_t                    err_o,
  output logic                            flush_err_valid_o,
  output aa_pkg::err_t                    flush_err_o,
  output aa_pkg::return_event_t           event_o
);

  logic reads_free, flush_free_valid, fwd_valid, fwd_ready, ur_out_valid, ur_out_ready, ans_valid, ans_ready;
  logic [7:0] flush_free_idx;
  cm_pkg::tlp_t fwd_beat, ur_beat, ans_beat;
  logic [1:0] fwd_port, ur_port, ans_port;
  logic [27:0] unused_qf;

  aa_reads #(
    .TagEntries(TagEntries),
    .NumPorts(NumPorts),
    .PayDw(PayDw),
    .Logs(ActiveAccess)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .tmo_i(cpl_tmo_i),
    .dev_reset_i,
    .fn_i,
    .fn_rid_i,
    .fn_pass_o(fn_pass_o[0]),
    .log_close_i(32'(closing_i)),
    .snap_i,
    .drained_o,
    .look_i(tag_ask_i.look),
    .look_key_i(tag_ask_i.key),
    .look_live_o(tag_o.live),
    .alloc_may_i(tag_act_i.may),
    .alloc_valid_i(tag_act_i.valid),
    .alloc_ready_o(tag_o.ready),
    .alloc_hold_o(tag_o.hold),
    .alloc_i(tag_act_i.alloc),
    .alloc_idx_o(tag_o.idx),
    .flush_free_valid_i(flush_free_valid),
    .flush_free_idx_i(flush_free_idx),
    .qf_idx_i(8'd0),
    .qf_o(unused_qf),
    .host_cpl_valid_i,
    .host_cpl_ready_o,
    .host_cpl_beat_i,
    .fwd_valid_o(fwd_valid),
    .fwd_ready_i(fwd_ready),
    .fwd_beat_o(fwd_beat),
    .fwd_port_o(fwd_port),
    .gl_valid_o(get_valid_o),
    .gl_ready_i(get_ready_i),
    .gl_cmd_o(get_o),
    .gd_valid_o(get_data_valid_o),
    .gd_ready_i(get_data_ready_i),
    .gd_data_o(get_data_o),
    .ret_valid_o,
    .ret_o,
    .err_valid_o,
    .err_o,
    .abort_valid_o,
    .abort_log_o,
    .ev_bad_o(event_o.bad_cpl),
    .ev_timeout_o(event_o.timeout),
    .ev_late_o(event_o.late),
    .ev_over_o(event_o.over)
  );

  // ---- UR completions ----
  aa_pkg::asker_t ur;
  logic [aa_pkg::AskerW-1:0] ur_bits;
  logic [127:0] ur_hdr;
  assign ur = ur_bits;

  cm_fifo #(
    .Width(aa_pkg::AskerW),
    .Depth(4)
  ) u_ur (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(ur_valid_i),
    .in_ready_o(ur_ready_o),
    .in_data_i(asker_i),
    .out_valid_o(ur_out_valid),
    .out_ready_i(ur_out_ready),
    .out_data_o(ur_bits),
    .level_o()
  );

  aa_cpl_gen u_ur_gen (
    .data_i(1'b0),
    .req_i(ur.hdr),
    .cpl_o(ur_hdr)
  );

  always_comb begin
    ur_beat = '0;
    ur_beat.sop = 1'b1;
    ur_beat.eop = 1'b1;
    ur_beat.seq = ur.seq;
    ur_beat.hdr = ur_hdr;
    ur_port = ur.port;
  end

  // ---- flushes ----
  if (ActiveAccess) begin : gen_flush
    aa_flush_buf #(
      .NumPorts(NumPorts),
      .NumLogs(NumLogs),
      .FlushPages(FlushPages),
      .FlushWaiters(FlushWaiters)
    ) u_flush_buf (
      .clk_i,
      .rst_ni,
      .flush_tmo_i,
      .flush_tmo_on_i,
      .dev_reset_i,
      .fn_i,
      .fn_rid_i,
      .fn_pass_o(fn_pass_o[1]),
      .rb_i,
      .rb_rdata_o,
      .m_page_i(page_i),
      .m_iuid_i(iuid_i),
      .m_hit_o(page_hit_o),
      .alloc_valid_i(flush_valid_i),
      .alloc_ready_o(flush_ready_o),
      .alloc_idx_o(flush_idx_o),
      .alloc_log_i(flush_log_i),
      .alloc_snap_i(flush_snap_i),
      .alloc_tag_idx_i(tag_o.idx),
      .alloc_port_i(asker_i.port),
      .alloc_seq_i(asker_i.seq),
      .alloc_hdr_i(asker_i.hdr),
      .alloc_iuid_i(tag_act_i.alloc.hdr.iuid),
      .qry_log_o,
      .qry_cons_i,
      .open_i,
      .closing_i,
      .gen_valid_o(ans_valid),
      .gen_ready_i(ans_ready),
      .gen_beat_o(ans_beat),
      .gen_port_o(ans_port),
      .flush_free_valid_o(flush_free_valid),
      .flush_free_idx_o(flush_free_idx),
      .note_valid_o,
      .note_ready_i,
      .note_o,
      .err_valid_o(flush_err_valid_o),
      .err_o(flush_err_o),
      .ev_late_o(event_o.flush_late)
    );
  end else begin : gen_no_flush
    assign fn_pass_o[1] = 1'b1;
    assign rb_rdata_o = '0;
    assign page_hit_o = 1'b0;
    assign flush_ready_o = 1'b0;
    assign flush_idx_o = '0;
    assign qry_log_o = '0;
    assign ans_valid = 1'b0;
    assign ans_beat = '0;
    assign ans_port = '0;
    assign flush_free_valid = 1'b0;
    assign flush_free_idx = '0;
    assign note_valid_o = 1'b0;
    assign note_o = '0;
    assign flush_err_valid_o = 1'b0;
    assign flush_err_o = '0;
    assign event_o.flush_late = 1'b0;

    logic unused_flush;
    assign unused_flush = &{1'b0, rb_i, flush_tmo_i, flush_valid_i, flush_log_i,
                            flush_tmo_on_i, flush_snap_i, page_i, iuid_i, open_i, qry_cons_i, ans_ready,
                            note_ready_i};
  end

  aa_cpl_mux #(
    .NumPorts(NumPorts)
  ) u_cpl_mux (
    .clk_i,
    .rst_ni,
    .fwd_valid_i(fwd_valid),
    .fwd_ready_o(fwd_ready),
    .fwd_beat_i(fwd_beat),
    .fwd_port_i(fwd_port),
    .gen_valid_i(ur_out_valid),
    .gen_ready_o(ur_out_ready),
    .gen_beat_i(ur_beat),
    .gen_port_i(ur_port),
    .flush_valid_i(ans_valid),
    .flush_ready_o(ans_ready),
    .flush_beat_i(ans_beat),
    .flush_port_i(ans_port),
    .dev_cpl_valid_o,
    .dev_cpl_ready_i,
    .dev_cpl_beat_o
  );

  // A completion or a time-out may have freed a tag.
  assign reads_free = ret_valid_o;
  assign freed_o = reads_free || flush_free_valid;

endmodule

`default_nettype wire
