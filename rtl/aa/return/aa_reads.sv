// SPDX-License-Identifier: Apache-2.0
// aa_reads: the outstanding reads and what becomes of them: aa_tag_buf and aa_cpl, wired together.
//
//   decide --> aa_tag_buf <--> aa_cpl <-- host_cpl
//                                +--> fwd, gl / gd, records
//
// P1  Seen from outside, allocations, completions and time-outs act one at a time: those of one cycle in the order
//     allocation, then completion or time-out. Every record is right in the state that the earlier ones left.
`default_nettype none

module aa_reads #(
  parameter int unsigned TagEntries = 32,
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Window = 16,
  parameter int unsigned PayDw = 2048,
  parameter bit          Logs = 1'b1,
  parameter int unsigned TmoW = 32,  // as of aa_tag_buf
  localparam int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [TmoW-1:0]        tmo_i,
  input  wire logic [NumPorts-1:0]    dev_reset_i,
  input  wire logic                   fn_i,
  input  wire logic [15:0]            fn_rid_i,
  output logic                        fn_pass_o,
  input  wire logic [31:0]            log_close_i,
  input  wire logic                   snap_i,
  output logic                        drained_o,

  // Decision
  input  wire logic                   look_i,
  input  wire logic [25:0]            look_key_i,
  output logic                        look_live_o,
  input  wire logic                   alloc_may_i,
  input  wire logic                   alloc_valid_i,
  output logic                        alloc_ready_o,
  output logic                        alloc_hold_o,  // it is low since a stray is under way: P6 of aa_cpl
  input  wire aa_pkg::tag_alloc_t     alloc_i,
  output logic      [7:0]             alloc_idx_o,

  // Flush buffer
  input  wire logic                   flush_free_valid_i,
  input  wire logic [7:0]             flush_free_idx_i,
  input  wire logic [7:0]             qf_idx_i,
  output logic      [27:0]            qf_o,

  // Host
  input  wire logic                   host_cpl_valid_i,
  output logic                        host_cpl_ready_o,
  input  wire cm_pkg::tlp_t           host_cpl_beat_i,

  // To the devices
  output logic                        fwd_valid_o,
  input  wire logic                   fwd_ready_i,
  output cm_pkg::tlp_t                fwd_beat_o,
  output logic      [1:0]             fwd_port_o,

  // To aa_log_get
  output logic                        gl_valid_o,
  input  wire logic                   gl_ready_i,
  output aa_pkg::get_log_t            gl_cmd_o,
  output logic                        gd_valid_o,
  input  wire logic                   gd_ready_i,
  output logic      [DataW-1:0]       gd_data_o,

  // Records
  output logic                        ret_valid_o,
  output aa_pkg::retire_t             ret_o,
  output logic                        err_valid_o,
  output aa_pkg::err_t                err_o,
  output logic                        abort_valid_o,
  output logic      [4:0]             abort_log_o,
  output logic                        ev_bad_o,
  output logic                        ev_timeout_o,
  output logic                        ev_late_o,
  output logic                        ev_over_o
);

  localparam int unsigned IdxW = $clog2(TagEntries);

  logic            a_wait, a_hit, a_same, b_log0, b_logged;
  logic            c_write, c_unlog, c_kill, c_free, c_release, g_release;
  logic            cl_valid, cl_ready, b_ended, b_dead;
  aa_pkg::tag_close_e cl_why;
  logic [25:0]     a_key;
  logic [IdxW-1:0] a_idx, b_idx, c_idx, g_idx, cl_idx;
  logic [15:0]     b_rid;
  logic [1:0]      b_port, b_pos, c_pos;
  logic [4:0]      b_start;
  logic [4:0]      b_log;
  logic [12:0]     b_rem, c_rem;
  logic [9:0]      b_dw, c_dw;
  aa_pkg::get_log_t g;

  aa_tag_buf #(
    .TagEntries(TagEntries),
    .NumPorts(NumPorts),
    .Logs(Logs),
    .TmoW(TmoW)
  ) u_tag_buf (
    .clk_i,
    .rst_ni,
    .tmo_i,
    .dev_reset_i,
    .fn_i,
    .fn_rid_i,
    .fn_pass_o,
    .log_close_i,
    .snap_i,
    .drained_o,
    .look_i,
    .look_key_i,
    .look_live_o,
    .alloc_may_i,
    .alloc_valid_i,
    .alloc_ready_o,
    .alloc_i,
    .alloc_idx_o,
    .flush_free_valid_i,
    .flush_free_idx_i,
    .qf_idx_i,
    .qf_o,
    .alloc_hold_i(alloc_hold_o),
    .a_key_i(a_key),
    .a_wait_o(a_wait),
    .a_hit_o(a_hit),
    .a_idx_o(a_idx),
    .a_same_o(a_same),
    .b_idx_i(b_idx),
    .b_rid_o(b_rid),
    .b_port_o(b_port),
    .b_log0_o(b_log0),
    .b_logged_o(b_logged),
    .b_log_o(b_log),
    .b_rem_o(b_rem),
    .b_pos_o(b_pos),
    .b_start_o(b_start),
    .b_dw_o(b_dw),
    .b_ended_o(b_ended),
    .b_dead_o(b_dead),
    .c_idx_i(c_idx),
    .c_write_i(c_write),
    .c_rem_i(c_rem),
    .c_pos_i(c_pos),
    .c_dw_i(c_dw),
    .c_unlog_i(c_unlog),
    .c_kill_i(c_kill),
    .c_free_i(c_free),
    .c_release_i(c_release),
    .g_idx_i(g_idx),
    .g_o(g),
    .g_release_i(g_release),
    .cl_valid_o(cl_valid),
    .cl_ready_i(cl_ready),
    .cl_idx_o(cl_idx),
    .cl_why_o(cl_why)
  );

  aa_cpl #(
    .TagEntries(TagEntries),
    .Window(Window),
    .PayDw(PayDw),
    .Logs(Logs)
  ) u_cpl (
    .clk_i,
    .rst_ni,
    .dev_reset_i(4'(dev_reset_i)),
    .host_cpl_valid_i,
    .host_cpl_ready_o,
    .host_cpl_beat_i,
    .alloc_hold_o,
    .a_key_o(a_key),
    .a_wait_i(a_wait),
    .a_hit_i(a_hit),
    .a_idx_i(a_idx),
    .a_same_i(a_same),
    .b_idx_o(b_idx),
    .b_rid_i(b_rid),
    .b_port_i(b_port),
    .b_log0_i(b_log0),
    .b_logged_i(b_logged),
    .b_log_i(b_log),
    .b_rem_i(b_rem),
    .b_pos_i(b_pos),
    .b_start_i(b_start),
    .b_dw_i(b_dw),
    .b_ended_i(b_ended),
    .b_dead_i(b_dead),
    .c_idx_o(c_idx),
    .c_write_o(c_write),
    .c_rem_o(c_rem),
    .c_pos_o(c_pos),
    .c_dw_o(c_dw),
    .c_unlog_o(c_unlog),
    .c_kill_o(c_kill),
    .c_free_o(c_free),
    .c_release_o(c_release),
    .g_idx_o(g_idx),
    .g_i(g),
    .g_release_o(g_release),
    .cl_valid_i(cl_valid),
    .cl_ready_o(cl_ready),
    .cl_idx_i(cl_idx),
    .cl_why_i(cl_why),
    .fwd_valid_o,
    .fwd_ready_i,
    .fwd_beat_o,
    .fwd_port_o,
    .gl_valid_o,
    .gl_ready_i,
    .gl_cmd_o,
    .gd_valid_o,
    .gd_ready_i,
    .gd_data_o,
    .ret_valid_o,
    .ret_o,
    .err_valid_o,
    .err_o,
    .abort_valid_o,
    .abort_log_o,
    .ev_bad_o,
    .ev_timeout_o,
    .ev_late_o,
    .ev_over_o
  );

`ifdef FORMAL
`include "aa_reads_props.svh"
`endif

endmodule

`default_nettype wire
