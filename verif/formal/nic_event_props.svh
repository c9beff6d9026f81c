// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_event. f_* follow the event between its source and its record, and what has to be
// written for a record.
`include "fv.svh"
// Rules of README.md: EVT-2, EVT-4, EVT-5.
  `FV_INIT
  `FV_SEES(f_ask_wait, 1, rsv_wait_o)
  `FV_ANYCONST(f_proc, ProcW)
  `FV_BELOW(def_proc, f_proc, NumProcs)

  logic [Sources-1:0]   f_due_q;  // with an event in the cycle before that did not go, when a turn was given
  logic [Sources-1:0]   f_took, f_strange;  // strange: no source sends such a kind
  nic_pkg::event_t      f_ev_q;
  logic                 f_busy_q, f_give, f_job_q, f_pay_q, f_jwait_q, f_pwait_q;
  nic_pkg::dma_t        f_wjob_q;
  nic_pkg::bytes_t      f_wpay_q;
  logic [1:0]           f_given, f_spare;
  logic [2:0]           f_mine;
  logic [NumProcs-1:0]  f_its;
  logic [15:0]          f_rid_q;

  always_comb for (int unsigned p = 0; p < NumProcs; p++) f_its[p] = ev_q.proc == ProcW'(p);
  assign f_give = decide && f_busy_q && f_ev_q.kind == 8'd0;
  assign f_took = ev_valid_i & ev_ready_o;
  nic_pkg::event_t f_in;
  always_comb begin
    for (int unsigned k = 0; k < Sources; k++) begin
      f_in = ev_i[EventW*k+:EventW];
      f_strange[k] = f_in.kind >= 8'd9;
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
    f_due_q   <= rst_ni && turn ? ev_valid_i & ~ev_ready_o : {Sources{1'b1}};
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

  // Places of each process that its sources have, by the ports: taken, and neither given back nor with an event that
  // has come (has); those given back in the cycle before, and one that came with the event in hand, or with one that
  // was not written in the cycle before. Together they are what nic_ring has in resv_q (nic_event_sim).
  localparam int unsigned HasW = 34;  // as in nic_ring
  logic [HasW*NumProcs-1:0] f_has_q, f_gets, f_puts, f_waits, f_comes;
  logic [NumProcs-1:0]      f_over;
  logic                     f_overdrawn;
  (* keep *) logic [HasW*NumProcs-1:0] f_hand;  // for nic_event_sim alone
  (* keep *) logic                     f_overdrew_q;
  nic_pkg::event_t          f_of;
  always_comb begin
    {f_gets, f_puts, f_waits, f_comes, f_hand} = '0;
    for (int unsigned p = 0; p < NumProcs; p++) begin
      for (int unsigned k = 0; k < 3; k++) begin
        if (rsv_valid_i[k] && rsv_ok_o[k] && rsv_proc_i[ProcW*k+:ProcW] == ProcW'(p))
          f_gets[HasW*p+:HasW] = f_gets[HasW*p+:HasW] + HasW'(1);
        if (back_valid_i[k] && back_proc_i[ProcW*k+:ProcW] == ProcW'(p))
          f_puts[HasW*p+:HasW] = f_puts[HasW*p+:HasW] + HasW'(back_num_i[6*k+:6]);
      end
      for (int unsigned k = 0; k < Sources; k++) begin
        f_of = ev_i[EventW*k+:EventW];
        if (ev_valid_i[k] && f_of.proc == ProcW'(p) && (f_of.kept || f_of.kind == 8'd0)) begin
          f_waits[HasW*p+:HasW] = f_waits[HasW*p+:HasW] + HasW'(1);
          if (ev_ready_o[k]) f_comes[HasW*p+:HasW] = f_comes[HasW*p+:HasW] + HasW'(1);
        end
      end
      f_hand[HasW*p+:HasW] = HasW'(judge_q && !msi_q && ev_q.proc == ProcW'(p) &&
                                   (ev_q.kept || ev_q.kind == 8'd0)) + HasW'(free_q[p]) + HasW'(back_q[8*p+:8]);
      f_over[p] = f_has_q[HasW*p+HasW-1] || f_puts[HasW*p+:HasW] + f_waits[HasW*p+:HasW] > f_has_q[HasW*p+:HasW];
    end
  end
  assign f_overdrawn = f_over != '0;
  always_ff @(posedge clk_i) begin
    f_overdrew_q <= rst_ni && (f_overdrew_q || f_overdrawn);
    for (int unsigned p = 0; p < NumProcs; p++) begin
      if (!rst_ni) f_has_q[HasW*p+:HasW] <= '0;
      else f_has_q[HasW*p+:HasW] <= f_has_q[HasW*p+:HasW] + f_gets[HasW*p+:HasW] - f_puts[HasW*p+:HasW] -
                                    f_comes[HasW*p+:HasW];
    end
  end

  // Of process f_proc: what software wrote, and what a record of it must bring to memory, laid out as README.md says.
  // A word of a process on the bus: {FTable, the process, one of these}.
  localparam logic [8:0] FTable = 9'(nic_reg_pkg::RegEQ_BASE >> 11);
  localparam logic [3:0] FBase = 4'(nic_reg_pkg::RegEQ_BASE >> 3), FMsia = 4'(nic_reg_pkg::RegEQ_MSIA >> 3),
                         FMsid = 4'(nic_reg_pkg::RegEQ_MSID >> 3);
  logic         f_here, f_on, f_known, f_its_q, f_msi_q;
  logic [63:0]  f_base_q, f_msia_q, f_msid_q, f_va_q;
  logic [4:0]   f_size, f_beat_q;
  logic [31:0]  f_prod, f_value_q;
  logic [255:0] f_image, f_image_q;
  logic [63:0]  f_keep_base, f_keep_msia;  // bits of the registers
  assign f_here      = 32'(f_proc) < NumProcs;
  assign f_keep_base = ~64'h3f;
  assign f_keep_msia = ~64'h3;
  always_comb begin
    f_on    = 1'b0;
    f_known = 1'b0;
    f_size  = '0;
    f_prod  = '0;
    for (int unsigned p = 0; p < NumProcs; p++) if (f_proc == ProcW'(p)) begin
      f_on    = en[p];
      f_known = known_q[p];
      f_size  = size[5*p+:5];
      f_prod  = prod[32*p+:32];
    end
    f_image          = '0;
    f_image[7:0]     = f_ev_q.kind;
    f_image[15:8]    = f_ev_q.status;
    f_image[27:16]   = f_ev_q.qp;
    f_image[63:32]   = f_ev_q.word;
    f_image[95:64]   = f_ev_q.len;
    f_image[127:96]  = f_ev_q.bytes;
    f_image[191:128] = f_ev_q.addr;
    f_image[248]     = !f_prod[f_size];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_base_q <= '0;
      f_msia_q <= '0;
      f_msid_q <= '0;
    end else if (rb_i.we && rb_i.addr[16:4] == {FTable, f_proc}) begin
      for (int unsigned i = 0; i < 8; i++) if (rb_i.wstrb[i]) begin
        if (rb_i.addr[3:0] == FBase && !f_on) f_base_q[8*i+:8] <= rb_i.wdata[8*i+:8] & f_keep_base[8*i+:8];
        if (rb_i.addr[3:0] == FMsia) f_msia_q[8*i+:8] <= rb_i.wdata[8*i+:8] & f_keep_msia[8*i+:8];
        if (rb_i.addr[3:0] == FMsid && i < 4) f_msid_q[8*i+:8] <= rb_i.wdata[8*i+:8];
      end
    end
    if (ret_valid_o) begin
      f_its_q   <= ret_o.idx == 8'(f_proc);
      f_msi_q   <= ret_o.code == 4'd0;
      f_va_q    <= ret_o.code == 4'd0 ? f_msia_q : f_base_q + {27'd0, f_prod & ~(~32'd0 << f_size), 5'd0};
      f_value_q <= f_msid_q[31:0];
      f_image_q <= f_image;
      f_beat_q  <= '0;
    end else if (pay_valid_o && pay_ready_i) f_beat_q <= f_beat_q + 5'd1;
  end

  logic [19:3] f_addr_q, f_addr2_q;
  logic [63:0] f_data_q;
  logic [7:0]  f_strb_q;
  logic        f_we_q;
  always_ff @(posedge clk_i) begin
    f_addr_q  <= rb_i.addr;
    f_addr2_q <= f_addr_q;
    f_data_q <= rb_i.wdata;
    f_strb_q <= rb_i.wstrb;
    f_we_q   <= rb_i.we;
  end
  // What a write would make of the word that was on the bus in the cycle before.
  logic [63:0] f_was;
  logic        f_word, f_at, f_same;
  assign f_same = f_rst_q && !f_we_q && f_addr_q == f_addr2_q;
  assign f_at = f_addr_q[19:11] == FTable &&
                32'(nic_reg_pkg::idx_EQ_BASE(f_addr_q)) < NumProcs;
  always_comb begin
    f_was  = f_addr_q[6:3] == FBase ? f_base_q : f_addr_q[6:3] == FMsia ? f_msia_q : f_msid_q;
    f_word = f_addr_q[19:7] == {FTable, f_proc} &&
             (f_addr_q[6:3] == FBase || f_addr_q[6:3] == FMsia || f_addr_q[6:3] == FMsid);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_setup: assume (!rb_i.we ||
                       (f_rst_q && rb_i.addr == f_addr_q && rb_i.wdata == f_data_q && rb_i.wstrb == f_strb_q &&
                        !f_we_q));
    if (rb_i.we && rb_i.addr[16:8] == FTable) env_held: assume (rb_i.addr == f_addr2_q);
    env_kind: assume ((ev_valid_i & f_strange) == '0);
    if (rsv_valid_i[0]) env_wait: assume (!f_ask_wait);
    if (f_jwait_q) env_rid: assume (cfg_rid_i == f_rid_q);
    env_places: assume (!f_overdrawn);  // a source gives back, or says of an event that it has, a place that it has

    if (f_same && f_here && f_word) p6_next: assert (next_q == cm_pkg::merge(f_strb_q, f_data_q, f_was));
    p6_decoded: assert ({is_base_q, is_ctl_q, is_cons_q, is_sts_q, is_msia_q, is_msid_q} ==
        ({6{f_at}} & {nic_reg_pkg::at_EQ_BASE(f_addr_q), nic_reg_pkg::at_EQ_CTL(f_addr_q),
        nic_reg_pkg::at_EQ_CONS(f_addr_q), nic_reg_pkg::at_EQ_STS(f_addr_q), nic_reg_pkg::at_EQ_MSIA(f_addr_q),
        nic_reg_pkg::at_EQ_MSID(f_addr_q)}) && bus_proc_q == nic_reg_pkg::idx_EQ_BASE(f_addr_q) && mine_q == f_at);
    if (f_same) p6_on: assert (bus_en_q == rb_en);
    p1_one: assert ((ev_ready_o & ~ev_valid_i) == '0 && (f_took & (f_took - Sources'(1))) == '0);
    p1_state: assert (f_busy_q == (judge_q && !msi_q));
    if (f_busy_q) p1_same: assert (ev_q == f_ev_q && ev_q.kind < 8'd9);
    if (judge_q) p1_its: assert (its_q == f_its);
    p3_none: assert (bare_q == (judge_q && !msi_q && !ev_q.kept && ev_q.kind != 8'd0));
    p4_room: assert (room_q == (!job_q && !pay_q));
    p3_its: assert (first_q == (bare_q && room_q ? f_its : '0));
    p1_turn: assert ((gnt_q & (gnt_q - Sources'(1))) == '0);
    p1_due: assert ((gnt_q & ~f_due_q) == '0);
    if (f_took != '0) p1_next: assert (!f_busy_q || ret_valid_o || f_give);
    if (ret_valid_o)
      p2_ret: assert (ret_o.idx == 8'(ev_q.proc) && (ret_o.code == 4'd0 ? msi_q && !ret_o.flag : f_busy_q));
    if (ret_valid_o && !ret_o.flag) p2_on: assert (p_en);
    if (ret_valid_o && !ret_o.flag && f_busy_q) p2_room: assert (!p_full && (f_ev_q.kept || p_spare));
    p2_writes: assert (job_valid_o == f_job_q && pay_valid_o == f_pay_q);
    if (ret_valid_o) p4_before: assert (!f_job_q && !f_pay_q);
    if (ret_valid_o && ret_o.idx == 8'(f_proc))
      p2_prod: assert (ret_o.kind == nic_pkg::RetEvent && ret_o.a == {32'd0, f_prod});
    if (ret_valid_o && ret_o.code != 4'd0)
      p2_code: assert (ret_o.code == f_ev_q.kind[3:0] && ret_o.idx == 8'(f_ev_q.proc) &&
      ret_o.b == (f_ev_q.kind == nic_pkg::EvTaskDone ? {56'd0, f_ev_q.word[7:0]} : {52'd0, f_ev_q.qp}));
    if (f_here && f_its_q && job_valid_o)
      p2_job: assert (job_o.va == f_va_q && job_o.len == (f_msi_q ? 13'd4 : 13'd32) &&
      job_o.rid == cfg_rid_i + 16'(f_proc) && job_o.src == nic_pkg::SrcEvent);
    if (f_here && f_its_q && pay_valid_o)
      p2_bytes: assert (f_msi_q ? pay_o.data[31:0] == f_value_q && pay_o.bytes == 7'd4 && pay_o.last :
      pay_o.data[PayW-1:0] == PayW'(f_image_q >> (PayW * 32'(f_beat_q))) && pay_o.bytes == 7'(PayW / 8) &&
      pay_o.last == (32'(f_beat_q) == Beats - 1));
    if (f_here && f_its_q && (f_job_q || f_pay_q)) p2_kept: assert (short_q == f_msi_q &&
      proc_q == f_proc && va_q == f_va_q &&
      (short_q ? !f_pay_q || data_q[256-PayW+:32] == f_value_q : data_q == f_image_q));
    if (f_pay_q) p2_beat: assert (32'(left_q) + 32'(f_beat_q) == (short_q ? 0 : Beats - 1));
    if (f_here) p6_row: assert (f_known ? row_q[f_proc[IdxW-1:0]] == {f_base_q[63:6], f_msia_q[63:2], f_msid_q[31:0]} :
      {f_base_q, f_msia_q, f_msid_q} == '0);
    p6_low: assert (f_base_q[5:0] == '0 && f_msia_q[1:0] == '0 && f_msid_q[63:32] == '0);
    if (f_here && f_addr_q == {FTable, f_proc, FBase}) p6_base: assert (rb_rdata_o == f_base_q);
    if (f_here && f_addr_q == {FTable, f_proc, FMsia}) p6_msia: assert (rb_rdata_o == f_msia_q);
    if (f_here && f_addr_q == {FTable, f_proc, FMsid}) p6_msid: assert (rb_rdata_o == f_msid_q);
    p3_places: assert (f_given <= f_spare);
    if (rsv_valid_i[2] && rsv_proc_i[2*ProcW+:ProcW] == f_proc && f_spare != 2'd0) p3_first: assert (rsv_ok_o[2]);
    if (rsv_valid_i[0] && rsv_proc_i[0+:ProcW] == f_proc && f_spare > 2'(f_mine[2])) p3_second: assert (rsv_ok_o[0]);
    p3_bare: assert (bare_q == (f_busy_q && f_ev_q.kind != 8'd0 && !f_ev_q.kept));
    if (f_busy_q && f_ev_q.kind != 8'd0 && !f_ev_q.kept && f_ev_q.proc == f_proc && !f_job_q && !f_pay_q)
      p3_before: assert (!f_mine[0] && !f_mine[1] && !(decide && f_mine[2]));
    if (ret_valid_o && msi_q) p4_msi: assert (p_want && p_en);
    if (f_jwait_q) p5_job: assert (job_valid_o && job_o == f_wjob_q);
    if (f_pwait_q) p5_pay: assert (pay_valid_o && pay_o == f_wpay_q);

    c_give: cover (f_give);
    c_kept: cover (ret_valid_o && f_busy_q && ev_q.kept && !ret_o.flag);
    c_drop: cover (ret_valid_o && ret_o.flag && p_en);
    c_msi: cover (pay_valid_o && pay_ready_i && msi_q);
    c_lap: cover (ret_valid_o && !ret_o.flag && f_busy_q && p_prod == 32'd2 && p_size == 5'd1);
  end
