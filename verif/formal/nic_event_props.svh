// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_event. f_* follow the event between its source and its record, and what has to be written for a record.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_proc, ProcW)

  logic [Sources-1:0]   f_took, f_strange;  // strange: no source sends such a kind
  nic_pkg::event_t      f_ev_q;
  logic                 f_busy_q, f_give, f_job_q, f_pay_q, f_jwait_q, f_pwait_q;
  nic_pkg::dma_t        f_wjob_q;
  nic_pkg::bytes_t      f_wpay_q;
  logic [1:0]           f_given, f_spare;
  logic [2:0]           f_mine;
  logic [15:0]          f_rid_q;

  assign f_give = decide && f_busy_q && f_ev_q.kind == 8'd0;
  assign f_took = ev_valid_i & ev_ready_o;
  nic_pkg::event_t f_in;
  always_comb begin
    for (int unsigned k = 0; k < Sources; k++) begin
      f_in = ev_i[EventW*k+:EventW];
      f_strange[k] = f_in.kind >= 8'd8;
    end
  end
  for (genvar k = 0; k < 3; k++) begin : gen_f_port
    assign f_mine[k] = rsv_valid_i[k] && rsv_ok_o[k] && rsv_proc_i[ProcW*k+:ProcW] == f_proc;
  end
  assign f_given = 2'(f_mine[0]) + 2'(f_mine[1]) + 2'(f_mine[2]);
  always_comb begin
    f_spare = '0;
    for (int unsigned p = 0; p < NumProcs; p++) if (f_proc == ProcW'(p)) f_spare = spare[2*p+:2];
  end

  always_ff @(posedge clk_i) begin
    f_jwait_q <= rst_ni && job_valid_o && !job_ready_i;
    f_pwait_q <= rst_ni && pay_valid_o && !pay_ready_i;
    f_wjob_q  <= job_o;
    f_rid_q   <= cfg_rid_i;
    f_wpay_q  <= pay_o;
    for (int unsigned k = 0; k < Sources; k++) if (f_took[k]) f_ev_q <= ev_i[EventW*k+:EventW];
    if (!rst_ni) begin
      f_busy_q <= 1'b0;
      f_job_q  <= 1'b0;
      f_pay_q  <= 1'b0;
    end else begin
      if (f_took != '0) f_busy_q <= 1'b1;
      else if ((ret_valid_o && ret_o.code != 4'd0) || f_give) f_busy_q <= 1'b0;
      // One job and one item for each record that is not a drop.
      if (ret_valid_o && !ret_o.flag) f_job_q <= 1'b1;
      else if (job_valid_o && job_ready_i) f_job_q <= 1'b0;
      if (ret_valid_o && !ret_o.flag) f_pay_q <= 1'b1;
      else if (pay_valid_o && pay_ready_i && pay_o.last) f_pay_q <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_kind: assume ((ev_valid_i & f_strange) == '0);
    if (f_jwait_q) env_rid: assume (cfg_rid_i == f_rid_q);

    p1_one: assert ((ev_ready_o & ~ev_valid_i) == '0 && (f_took & (f_took - Sources'(1))) == '0);
    p1_state: assert (f_busy_q == (state_q == StJudge && !msi_q) && state_q != 2'd3);
    if (f_busy_q) p1_same: assert (ev_q == f_ev_q && ev_q.kind < 8'd8);
    if (f_took != '0) p1_next: assert (!f_busy_q || ret_valid_o || f_give);
    if (ret_valid_o) p2_ret: assert (ret_o.idx == 8'(ev_q.proc) && (ret_o.code == 4'd0 ? msi_q && !ret_o.flag : f_busy_q));
    if (ret_valid_o && !ret_o.flag) p2_on: assert (p_en);
    if (ret_valid_o && !ret_o.flag && f_busy_q) p2_room: assert (!p_full && (f_ev_q.kept || p_spare));
    p2_writes: assert (job_valid_o == f_job_q && pay_valid_o == f_pay_q && (state_q == StSend || (!f_job_q && !f_pay_q)));
    p3_places: assert (f_given <= f_spare);
    if (rsv_valid_i[0] && rsv_proc_i[0+:ProcW] == f_proc && f_spare != 2'd0) p3_first: assert (rsv_ok_o[0]);
    if (ret_valid_o && msi_q) p4_msi: assert (p_want && p_en);
    if (f_jwait_q) p5_job: assert (job_valid_o && job_o == f_wjob_q);
    if (f_pwait_q) p5_pay: assert (pay_valid_o && pay_o == f_wpay_q);
    if (state_q == StSend && pay_valid_o) p5_beat: assert (32'(beat_q) < Beats && (!msi_q || beat_q == '0));

    c_give: cover (f_give);
    c_kept: cover (ret_valid_o && f_busy_q && ev_q.kept && !ret_o.flag);
    c_drop: cover (ret_valid_o && ret_o.flag && p_en);
    c_msi: cover (pay_valid_o && pay_ready_i && msi_q);
    c_lap: cover (ret_valid_o && !ret_o.flag && f_busy_q && p_prod == 32'd2 && p_size == 5'd1);
  end
