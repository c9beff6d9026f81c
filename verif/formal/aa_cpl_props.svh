// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_cpl that need no tag buffer: its pipe and queues. aa_reads' test and the lockstep look at the whole.
`include "fv.svh"

  `FV_INIT

  logic [7:0] f_in_pipe, f_wait_q;
  logic       f_hold_q, f_sop_q;
  logic [1:0] f_port_q;
  assign f_in_pipe = 8'(b_valid_q) + 8'(c_valid_q);

  logic [1:0] f_bars_q;  // alloc_hold_o of the last two cycles, the older one above
  logic f_gl_q, f_gd_q;
  logic [DataW-1:0] f_gd_data_q;
  always_ff @(posedge clk_i) begin
    f_hold_q <= rst_ni && fwd_valid_o && !fwd_ready_i;
    f_port_q <= fwd_port_o;
    f_bars_q <= rst_ni ? {f_bars_q[0], alloc_hold_o} : 2'b00;
    f_gl_q   <= rst_ni && gl_valid_o && !gl_ready_i;
    f_gd_q   <= rst_ni && gd_valid_o && !gd_ready_i;
    f_gd_data_q <= gd_data_o;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_entry: assume (g_i.ndw == '0 && g_i.zeros == '0);  // what aa_tag_buf does not keep
    p1_queue_fwd: assert (8'(f_level) + f_in_pipe <= 8'(Queue));
    p1_queue_log: assert (8'(g_level) + f_in_pipe <= 8'(Queue));
    p1_fwd_taken: assert (!op_cpl || unused_f_ready);
    if (f_hold_q) p1_hold: assert (fwd_valid_o && fwd_port_o == f_port_q);
    if (f_gl_q) p3_hold: assert (gl_valid_o);
    // an entry that comes in one piece is neither aborted nor moved; a mere closing has no data
    if (gl_valid_o && gl_cmd_o.close && gl_cmd_o.ndw != '0)
      p3_whole: assert (!gl_cmd_o.hdr.aborted && gl_cmd_o.addr == g_i.addr);
    if (f_gd_q) p3_hold_data: assert (gd_valid_o && gd_data_o == f_gd_data_q);
    if (ret_valid_o) p5_kind: assert (ret_o.kind == aa_pkg::RetCpl || ret_o.kind == aa_pkg::RetTimeout);
    p5_free: assert (!c_free_o || ret_valid_o);
    p5_write: assert (!c_write_o || ret_valid_o);
    p5_abort: assert (!abort_valid_o || ret_valid_o);
    p5_error: assert (!err_valid_o || ret_valid_o);
    if (f_bars_q == 2'b11) p6_ends: assert (!alloc_hold_o);
    if (f_bars_q == 2'b10) p6_rests: assert (!alloc_hold_o);
    c_last: cover (ret_valid_o && ret_o.kind == aa_pkg::RetCpl && ret_o.code == 4'd1);
    c_stray: cover (ret_valid_o && ret_o.code == 4'd2);
    c_timeout: cover (ret_valid_o && ret_o.kind == aa_pkg::RetTimeout);
    c_whole: cover (gl_valid_o && gl_cmd_o.close && gl_cmd_o.ndw != '0);
    c_busy: cover (b_valid_q && c_valid_q && f_level != '0);
  end
