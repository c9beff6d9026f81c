// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_notify. One log, chosen freely (f_l), is followed: its pointers, its registers, what it has been told
// (f_ptr_q: last pointer written), how long it has had unread entries (f_run_q). f_why(x): an MSI is due to a consumer
// that sees the producer x. The pointers come from outside (qry_*), so what depends on them is for the prover only; the
// test checks it against a model of the log.
`include "fv.svh"
// Rules of README.md: NTF-1, NTF-2, NTF-3, NTF-5, NTF-6, NTF-7, LOG-10, ERR-7.
  `FV_INIT
  // The words of the bus: of log f_l, {FTable, f_l, one of these}.
  localparam logic [8:0] FTable = 9'(aa_reg_pkg::RegLOG_BASE >> 11);  // what the registers of all logs have in front
  localparam logic [10:0] FScratch = 11'(aa_reg_pkg::RegSCRATCH >> 9);
  localparam logic [2:0] FPtr = 3'(aa_reg_pkg::RegLOG_PTR >> 3), FMsia = 3'(aa_reg_pkg::RegLOG_MSIA >> 3),
                         FMsid = 3'(aa_reg_pkg::RegLOG_MSID >> 3), FTime = 3'(aa_reg_pkg::RegLOG_TIME >> 3);
  `FV_ANYCONST(f_l_any, 5)
  `FV_SEES(f_off_ready, 1, off_ready_o)
  `FV_SEES(f_qry_log, 5, qry_log_o)
  logic [4:0] f_l;
  assign f_l = 5'(32'(f_l_any) % NumLogs);
  `FV_ANYCONST(f_s_any, 6)
  logic [5:0] f_s;
  assign f_s = 6'(32'(f_s_any) % ScratchWords);

  logic               f_mine, f_commit, f_pub, f_event, f_off, f_out, f_scr_q, f_msg_q, f_task_q, f_told_q;
  logic               f_dirty_q, f_armed_q, f_wait_q, f_tasked_q, f_news_q, f_alarm_q, f_en_q;
  logic [63:0]        f_reg2_q, f_reg3_q, f_reg4_q, f_reg5_q, f_word_q, f_addr_q;
  logic [31:0]        f_data_q, f_tprod_q;
  logic [NumLogs-1:0] f_open_q, f_given_q;  // given: tasks handed over and not done
  logic [2:0]         f_flight_q;           // messages handed over and not done
  logic [2:0]         f_cfg_q;
  logic [31:0]        f_in_order;
  logic [19:3]        f_bus_q, f_bus2_q;  // the address a cycle ago, and two
  logic [71:0]        f_data_now, f_bits_q, f_bits2_q;  // data and strobes
  logic               f_we_q;  // written, or reset, a cycle ago
  logic [63:0]        f_value;  // what would be written
  logic [4:0]         f_back1, f_back2, f_back3, f_back4;

  logic       f_scr_we;
  logic [5:0] f_scri;
  always_comb begin
    f_scr_we = 1'b0;
    f_scri   = '0;
    for (int unsigned l = 0; l < NumLogs; l++) if (pub_log_i == 5'(l)) begin
      f_scr_we = pub_valid_i && scr_en_i[l];
      f_scri   = scri_i[6*l+:6];
    end
  end
  assign f_data_now = {rb_i.wdata, rb_i.wstrb};
  always_comb for (int unsigned i = 0; i < 8; i++) f_value[8*i+:8] = f_bits_q[i] ? f_bits_q[8+8*i+:8] : rb_old[8*i+:8];
  assign f_mine   = act_log_q == f_l;
  assign f_commit = commit && f_mine;
  assign f_pub    = pub_valid_i && pub_log_i == f_l;
  assign f_event  = |(event_oh & (NumLogs'(1) << f_l));
  assign f_off    = off_ready_o && f_mine;

  always_comb begin
    f_in_order = 32'd0;
    for (int unsigned i = 0; i < InFlight; i++)
      if (i < 32'(level_q) && order_q[5*i+:5] == f_l) f_in_order = f_in_order + 32'd1;
    f_back1 = s0_q == '0 ? 5'(Period - 1) : s0_q - 5'd1;
    f_back2 = f_back1 == '0 ? 5'(Period - 1) : f_back1 - 5'd1;
    f_back3 = f_back2 == '0 ? 5'(Period - 1) : f_back2 - 5'd1;
    f_back4 = f_back3 == '0 ? 5'(Period - 1) : f_back3 - 5'd1;
  end

  always_ff @(posedge clk_i) begin
    f_bus_q   <= rb_i.addr;
    f_bus2_q  <= f_bus_q;
    f_bits_q  <= f_data_now;
    f_bits2_q <= f_bits_q;
    f_we_q    <= !rst_ni || rb_i.we;
    f_cfg_q  <= {ptr_en_i[f_l[AddrW-1:0]], msi_en_i[f_l[AddrW-1:0]], task_en_i[f_l[AddrW-1:0]]};
    f_en_q   <= rst_ni && open_i[f_l[AddrW-1:0]] && !f_off;
    f_msg_q  <= rst_ni && f_commit && (act_msi_q || act_ptr_q);
    f_task_q <= rst_ni && f_commit && act_task_q;
    f_told_q <= act_ptr_q;
    f_addr_q <= act_ptr_q ? f_reg2_q : f_reg3_q;
    f_data_q <= act_ptr_q ? prod : f_reg4_q[31:0];
    f_tprod_q <= prod;
    if (!rst_ni) begin
      f_open_q   <= '0;
      f_given_q  <= '0;
      f_flight_q <= '0;
      f_dirty_q  <= 1'b0;
      f_armed_q  <= 1'b0;
      f_wait_q   <= 1'b0;
      f_tasked_q <= 1'b0;
      f_news_q   <= 1'b0;
      f_alarm_q  <= 1'b0;
      f_scr_q    <= 1'b0;
      f_reg2_q   <= '0;
      f_reg3_q   <= '0;
      f_reg4_q   <= '0;
      f_reg5_q   <= '0;
    end else begin
      f_flight_q <= f_flight_q + 3'(msg_valid_o && msg_ready_i) - 3'(msg_done_i);
      f_given_q  <= (f_given_q & ~(task_done_valid_i ? NumLogs'(1) << task_done_log_i : '0)) |
                    (task_valid_o && task_ready_i ? NumLogs'(1) << task_log_o : '0);
      f_open_q <= (open_i & ~(off_ready_o ? NumLogs'(1) << off_log_i : '0)) |
                  (open_event_valid_i ? NumLogs'(1) << open_event_log_i : '0);
      // In the order of a cycle's records: publish, notify, register write.
      if (f_commit && act_ptr_q) f_dirty_q <= 1'b0;
      else if (f_pub && ptr_en_i[f_l[AddrW-1:0]]) f_dirty_q <= 1'b1;
      if (f_event) f_armed_q <= 1'b1;
      else if (f_commit && act_msi_q) f_armed_q <= 1'b0;
      if (f_commit && (act_msi_q || act_ptr_q)) f_wait_q <= 1'b1;
      else if (pop && order_q[4:0] == f_l) f_wait_q <= 1'b0;
      if (f_commit && act_task_q) f_tasked_q <= 1'b1;
      else if (task_done_valid_i && task_done_log_i == f_l) f_tasked_q <= 1'b0;
      if (f_commit && act_task_q) f_news_q <= 1'b0;
      else if (f_pub && task_en_i[f_l[AddrW-1:0]]) f_news_q <= 1'b1;
      if (alarm_valid_i && alarm_log_i == f_l) f_alarm_q <= 1'b1;
      else if ((f_commit && act_msi_q) || opened_q[f_l[AddrW-1:0]]) f_alarm_q <= 1'b0;
      if (scr_we && scri == f_s) begin
        f_scr_q  <= 1'b1;
        f_word_q <= {27'd0, pub_log_i, pub_prod_i};
      end
      if (rb_i.we && rb_i.addr[16:3] == {FTable, f_l} && (!open_i[f_l[AddrW-1:0]] || f_off)) begin
        for (int unsigned i = 0; i < 8; i++) begin
          if (rb_i.addr[2:0] == FPtr && rb_i.wstrb[i]) f_reg2_q[8*i+:8] <= rb_i.wdata[8*i+:8];
          if (rb_i.addr[2:0] == FMsia && rb_i.wstrb[i]) f_reg3_q[8*i+:8] <= rb_i.wdata[8*i+:8];
          if (rb_i.addr[2:0] == FMsid && rb_i.wstrb[i]) f_reg4_q[8*i+:8] <= rb_i.wdata[8*i+:8];
          if (rb_i.addr[2:0] == FTime && rb_i.wstrb[i] && i < 4) f_reg5_q[8*i+:8] <= rb_i.wdata[8*i+:8];
        end
      end
    end
  end

  `FV_COMB if (f_past_q) begin
    env_busy: assume (!rb_i.we || rb_busy_i);
    // Whatever is written has had its address on the bus for a cycle; what waits for a hold, as the page
    // of logs, for two.
    env_setup: assume (!rb_i.we || !rst_ni || (rb_i.addr == f_bus_q && f_data_now == f_bits_q && !f_we_q));
    env_setup_log: assume (!rb_i.we || !rst_ni || rb_i.addr[16:9] != 8'(aa_reg_pkg::RegLOG_BASE >> 12) ||
                           (rb_i.addr == f_bus2_q && f_data_now == f_bits2_q));
    env_open: assume (open_i == f_open_q);
    env_pub: assume (!pub_valid_i || (32'(pub_log_i) < NumLogs && |((NumLogs'(1) << pub_log_i) & open_i)));
    env_alarm: assume (!alarm_valid_i || 32'(alarm_log_i) < NumLogs);
    env_scri: assume (!f_scr_we || 32'(f_scri) < ScratchWords);
    env_event: assume (!(cons_event_valid_i && open_event_valid_i));
    env_event_log: assume ((!cons_event_valid_i || 32'(cons_event_log_i) < NumLogs) &&
                           (!open_event_valid_i || 32'(open_event_log_i) < NumLogs));
    env_opens: assume (!open_event_valid_i || ((NumLogs'(1) << open_event_log_i) & open_i) == '0 ||
                       (f_off_ready && off_log_i == open_event_log_i));
    if (f_en_q)
      env_cfg: assume (f_cfg_q == {ptr_en_i[f_l[AddrW-1:0]], msi_en_i[f_l[AddrW-1:0]], task_en_i[f_l[AddrW-1:0]]});
    env_done: assume (!msg_done_i || f_flight_q != '0);
    env_task: assume (!task_done_valid_i || (32'(task_done_log_i) < NumLogs &&
                      |((NumLogs'(1) << task_done_log_i) & f_given_q)));
    env_off: assume (!off_valid_i || (32'(off_log_i) < NumLogs && |((NumLogs'(1) << off_log_i) & open_i & closing_i) &&
                                      !(pub_valid_i && pub_log_i == off_log_i)));

    p2_flight: assert (f_flight_q == level_q - 3'(msg_q));
    if (task_q) p5_pending: assert (|(tasked_q & (NumLogs'(1) << task_log_q)));
    if (act_q && act_task_q) p5_alone: assert (!task_q && (tasked_q & (NumLogs'(1) << act_log_q)) == '0);
    p5_given: assert (f_given_q == (tasked_q & ~(task_q ? NumLogs'(1) << task_log_q : '0)));
    p1_decoded: assert (rb_log_q == f_bus_q[10:6] &&
                        rb_sel_q == (f_bus_q[19:11] != FTable || 32'(f_bus_q[10:6]) >= NumLogs ||
      f_bus_q[5:3] < FPtr || f_bus_q[5:3] > FTime ? 4'd0 : 4'd1 << (f_bus_q[5:3] - FPtr)));
    if (f_bus_q[19:11] != FTable && f_bus_q[19:9] != FScratch) p1_elsewhere: assert (rb_rdata_o == '0);
    if (f_bus_q == {FScratch, f_s}) p1_scratch: assert (rb_rdata_o == (f_scr_q ? f_word_q : 64'd0));
    if (f_bus_q == {FTable, f_l, FPtr}) p1_ptr: assert (rb_rdata_o == f_reg2_q);
    if (f_bus_q == {FTable, f_l, FMsia}) p1_msia: assert (rb_rdata_o == f_reg3_q);
    if (f_bus_q == {FTable, f_l, FMsid}) p1_msid: assert (rb_rdata_o == f_reg4_q);
    if (f_bus_q == {FTable, f_l, FTime}) p1_time: assert (rb_rdata_o == f_reg5_q);
    p1_ok: assert (ptr_ok_o[f_l[AddrW-1:0]] == (f_reg2_q[2:0] == '0 && f_reg2_q[63:48] == '0) &&
                   msi_ok_o[f_l[AddrW-1:0]] == (f_reg3_q[1:0] == '0 && f_reg3_q[63:48] == '0));
    if (f_bus_q == f_bus2_q && !f_we_q)
      p1_early: assert (ptr_is_bad_q == (f_value[63:48] != '0 || f_value[2:0] != '0) &&
                        msi_is_bad_q == (f_value[63:48] != '0 || f_value[1:0] != '0));
    p1_unknown: assert (known_q[f_l[AddrW-1:0]] || {f_reg2_q, f_reg3_q, f_reg4_q, f_reg5_q} == '0);
    if (known_q[f_l[AddrW-1:0]])
      p1_kept: assert ({ptr_q[f_l[AddrW-1:0]], msia_q[f_l[AddrW-1:0]], free_q[f_l[AddrW-1:0]],
      data_q[f_l[AddrW-1:0]], 32'd0, time_q[f_l[AddrW-1:0]]} == {f_reg2_q, f_reg3_q, f_reg4_q, f_reg5_q});
    p1_word: assert (scr_known_q[f_s[ScrW-1:0]] == f_scr_q && (!f_scr_q || scr_q[f_s[ScrW-1:0]] == f_word_q[36:0]));
    if (f_scr_q) p1_high: assert (f_word_q[63:37] == '0);

    if (f_commit && act_ptr_q)
      p2_due: assert (f_dirty_q && note_o.code == aa_pkg::NotePtr && note_o.a == {32'd0, prod});
    if (f_msg_q) p2_message: assert (msg_valid_o && msg_addr_o == f_addr_q && msg_data_o == {32'd0, f_data_q} &&
                                     msg_bytes_o == (f_told_q ? 4'd8 : 4'd4) && msg_owner_o == {1'b1, f_told_q, f_l});
    if (f_commit && act_msi_q)
      p3_note: assert ((f_armed_q || f_alarm_q) && !f_wait_q && msi_en_i[f_l[AddrW-1:0]] && ev_msi_o &&
                       note_o.code == aa_pkg::NoteMsi && note_o.a == {32'd0, f_reg4_q[31:0]});
    if (note_valid_o)
      p3_form: assert (note_o.kind == aa_pkg::RetNotify && note_o.idx == {3'd0, act_log_q} && !note_o.flag);
    p4_state: assert (dirty_q[f_l[AddrW-1:0]] == f_dirty_q && armed_q[f_l[AddrW-1:0]] == f_armed_q &&
                      wait_q[f_l[AddrW-1:0]] == f_wait_q && tasked_q[f_l[AddrW-1:0]] == f_tasked_q &&
                      news_q[f_l[AddrW-1:0]] == f_news_q && alarm_q[f_l[AddrW-1:0]] == f_alarm_q);
    if (step && s3_valid_q && s3_log_q == f_l && f_alarm_q && msi_en_i[f_l[AddrW-1:0]] && !f_wait_q)
      p4_alarm: assert (due_msi && take);
    if (step && s3_valid_q && s3_log_q == f_l && f_dirty_q && !f_wait_q) p4_pointer: assert (due_ptr && take);
    if (f_commit && act_task_q) p5_note: assert (!f_tasked_q && task_en_i[f_l[AddrW-1:0]] &&
                                                 note_o.code == aa_pkg::NoteTask && note_o.a == {32'd0, prod});
    if (f_task_q) p5_task: assert (task_valid_o && task_log_o == f_l && task_prod_o == f_tprod_q);
    if (act_q && !act_msi_q && !act_ptr_q && !act_stale_q && !(act_off_q && (rb_busy_i || stop_i || act_alarm)))
      p5_free: assert (note_valid_o);
    if (step && s3_valid_q && s3_log_q == f_l && due_off && !f_news_q) p6_soon: assert (take && !take_task);
    p6_alone: assert (!off_ready_o || (!rb_busy_i && !stop_i));
    if (owed_q) p5_owed: assert (turn_q);
    if (task_q && task_log_q == f_l) p5_held: assert (f_tasked_q);
    if (f_commit && act_off_q)
      p6_quiet: assert (!f_dirty_q && !f_wait_q && !(f_alarm_q && msi_en_i[f_l[AddrW-1:0]]) && off_valid_i &&
                        off_log_i == f_l &&
                                                 note_o.code == aa_pkg::NoteLogOff);
    if (f_dirty_q) p7_enabled: assert (ptr_en_i[f_l[AddrW-1:0]]);
    p7_order: assert (f_in_order == 32'(f_wait_q) && 32'(level_q) <= InFlight && (!msg_q || level_q != '0));
    p7_stages: assert (32'(s0_q) < Period && (!s1_valid_q || s1_log_q == f_back1) &&
                       (!s2_valid_q || s2_log_q == f_back2) &&
                       (!s3_valid_q || s3_log_q == f_back3) && (!act_q || act_log_q == f_back4));
    p7_open: assert ((!s1_valid_q || 32'(s1_log_q) < NumLogs) && (!s2_valid_q || 32'(s2_log_q) < NumLogs) &&
                     (!s3_valid_q || 32'(s3_log_q) < NumLogs) && (!act_q || 32'(act_log_q) < NumLogs));
    p7_one: assert (!act_q || 32'(act_msi_q) + 32'(act_ptr_q) + 32'(act_task_q) + 32'(act_off_q) == 32'd1);
    if (act_q && f_mine) p7_act: assert (!((act_msi_q || act_ptr_q) && f_wait_q) && (!act_ptr_q || f_dirty_q) &&
      (!act_msi_q || ((f_armed_q || f_alarm_q) && msi_en_i[f_l[AddrW-1:0]])) &&
      (!act_task_q || (!f_tasked_q && !task_q && task_en_i[f_l[AddrW-1:0]])));
    if (f_dirty_q || f_wait_q || (act_q && f_mine) || (s1_valid_q && s1_log_q == f_l) ||
        (s2_valid_q && s2_log_q == f_l) ||
        (s3_valid_q && s3_log_q == f_l)) p7_live: assert (open_i[f_l[AddrW-1:0]]);
    if (act_q && act_off_q) p7_off: assert (off_valid_i && off_log_i == act_log_q);
    if (act_q && act_off_q && f_mine) p7_still: assert (!f_dirty_q && !f_wait_q);
    c_msi: cover (f_commit && act_msi_q && ptr_en_i[f_l[AddrW-1:0]]);
    c_task: cover (f_task_q && f_wait_q);
    c_off: cover (f_off && f_told_q);
    c_alarm: cover (f_commit && act_msi_q && !f_armed_q);
    c_share: cover (f_commit && act_ptr_q && f_pub);
  end

`ifdef YOSYS
  // ---- with the log's pointers ----
  `FV_ANYCONST(f_size, 5)
  `FV_ANYSEQ(f_new, PtrW)
  logic [PtrW-1:0] f_prod_q, f_cons_q, f_ptr_q, f_now, f_ring, f_s1_q, f_s2_q, f_s3_q, f_seen, f_free, f_time;
  logic [PtrW+1:0] f_run_q;
  logic        f_have, f_msi_en, f_ptr_en, f_due_now, f_due_seen, f_due_ptr, f_due_s3, f_aged, f_hold_q, f_was_q;
  logic [4:0]  f_offlog_q;

  assign f_ring   = PtrW'(1) << f_size;
  assign f_now    = f_pub ? pub_prod_i[PtrW-1:0] : f_prod_q;
  assign f_free   = f_reg4_q[32+:PtrW];
  assign f_time   = f_reg5_q[PtrW-1:0];
  assign f_ptr_en = ptr_en_i[f_l[AddrW-1:0]];
  assign f_msi_en = msi_en_i[f_l[AddrW-1:0]];
  assign f_seen   = f_ptr_en ? f_ptr_q : f_now;
  assign f_aged   = f_time != '0 && f_run_q >= {2'd0, f_time};
  assign f_due_now  = f_ring - (f_prod_q - f_cons_q) < f_free || (f_aged && f_prod_q != f_cons_q);
  assign f_due_seen = f_ring - (f_seen - f_cons_q) < f_free || (f_aged && f_seen != f_cons_q);
  assign f_due_ptr  = f_ring - (f_ptr_q - f_cons_q) < f_free || (f_aged && f_ptr_q != f_cons_q);
  assign f_due_s3   = f_ring - (f_s3_q - f_cons_q) < f_free;

  always_ff @(posedge clk_i) begin
    f_hold_q   <= rst_ni && off_valid_i && !off_ready_o;
    f_offlog_q <= off_log_i;
    if (step) begin
      f_s1_q <= f_prod_q;
      f_s2_q <= f_s1_q;
      f_s3_q <= f_s2_q;
    end
    if (f_commit && act_ptr_q) f_ptr_q <= f_now;
    f_prod_q <= f_now;
    f_run_q  <= f_prod_q == f_cons_q ? '0 : f_run_q[PtrW+1] ? f_run_q : f_run_q + (PtrW+2)'(1);
    if (cons_event_valid_i && cons_event_log_i == f_l) f_cons_q <= f_new;
    if (open_event_valid_i && open_event_log_i == f_l) begin
      f_prod_q <= '0;
      f_cons_q <= '0;
      f_ptr_q  <= '0;
    end
    if (f_event || (open_event_valid_i && open_event_log_i == f_l)) f_run_q <= '0;
  end

  always_comb if (f_past_q) begin
    def_size: assume (32'(f_size) <= PtrW - 2);
    if (f_qry_log == f_l)
      env_qry: assume (qry_prod_i == 32'(f_prod_q) && qry_cons_i == 32'(f_cons_q) && qry_size_i == f_size);
    if (f_pub)
      env_prod: assume (pub_prod_i == 32'(f_now) && f_now - f_cons_q > f_prod_q - f_cons_q &&
                        f_now - f_cons_q <= f_ring);
    if (cons_event_valid_i && cons_event_log_i == f_l)
      env_cons: assume (open_i[f_l[AddrW-1:0]] && f_new - f_cons_q <= f_now - f_cons_q);
    if (f_hold_q) env_hold: assume (off_valid_i && off_log_i == f_offlog_q);

    if (f_commit && act_ptr_q) p2_value: assert (note_o.a == 64'(f_now));
    if (f_commit && act_msi_q) p3_reason: assert (f_alarm_q || (f_due_seen && f_seen - f_cons_q <= f_ring));
    if (step && s3_valid_q && s3_log_q == f_l && !s3_stale && f_due_s3 && f_armed_q && f_msi_en && !f_wait_q &&
        !f_dirty_q)
      p4_msi: assert (take && due_msi);
    if (f_commit && act_task_q) p5_reason: assert (f_now != f_cons_q && note_o.a == 64'(f_now));
    if (f_commit && act_off_q) p6_last: assert (!(f_armed_q && f_msi_en && f_ring - (f_prod_q - f_cons_q) < f_free));

    if (act_q && act_off_q) p3_inv_held: assert (f_hold_q && f_offlog_q == act_log_q);

    // ---- invariants, while the log is open ----
    if (opened_q[f_l[AddrW-1:0]])
      p3_inv_opened: assert (!(s1_valid_q && s1_log_q == f_l) && !(s2_valid_q && s2_log_q == f_l) &&
      !(s3_valid_q && s3_log_q == f_l) && !(act_q && f_mine));
    if (open_i[f_l[AddrW-1:0]]) begin
      p3_inv_ring: assert (f_prod_q - f_cons_q <= f_ring);
      if (f_ptr_en && !f_dirty_q) p3_inv_told: assert (f_ptr_q == f_prod_q);
      if (cover_q[f_l[AddrW-1:0]] && !opened_q[f_l[AddrW-1:0]]) p3_inv_cover: assert (f_ptr_en && f_due_ptr &&
        f_ptr_q - f_cons_q <= f_prod_q - f_cons_q);
      if (timing_q[f_l[AddrW-1:0]] && !opened_q[f_l[AddrW-1:0]]) p3_inv_timing: assert (f_prod_q != f_cons_q &&
        (f_run_q[PtrW+1] || now_q - since_q[f_l[AddrW-1:0]] <= f_run_q[PtrW:0]));
      if (s1_valid_q && s1_log_q == f_l && !s1_stale_q)
        p3_inv_s1: assert (s1_used_q == f_s1_q - f_cons_q && s1_size_q == f_size &&
        f_s1_q - f_cons_q <= f_prod_q - f_cons_q && (!s1_off_q || f_s1_q == f_prod_q));
      if (s2_valid_q && s2_log_q == f_l && !s2_stale_q) p3_inv_s2: assert (s2_free_q == f_ring - (f_s2_q - f_cons_q) &&
        s2_any_q == (f_s2_q != f_cons_q) && f_s2_q - f_cons_q <= f_prod_q - f_cons_q &&
        (!timing_q[f_l[AddrW-1:0]] || {1'b0, s2_age_q} <= f_run_q) && (!s2_off_q || f_s2_q == f_prod_q));
      if (s3_valid_q && s3_log_q == f_l && !s3_stale_q) p3_inv_s3: assert (s3_low_q == f_due_s3 &&
        s3_any_q == (f_s3_q != f_cons_q) && f_s3_q - f_cons_q <= f_prod_q - f_cons_q &&
        (!timing_q[f_l[AddrW-1:0]] || !s3_old_q || f_aged) && (!s3_off_q || f_s3_q == f_prod_q));
      if ((s1_valid_q && s1_log_q == f_l && s1_off_q) || (s2_valid_q && s2_log_q == f_l && s2_off_q) ||
          (s3_valid_q && s3_log_q == f_l && s3_off_q)) p3_inv_off: assert (f_hold_q && f_offlog_q == f_l);
      if (act_q && f_mine && act_reason_q && act_ptr_q && !act_stale_q) p3_inv_reason: assert (f_due_now);
      if (act_q && f_mine && act_msi_q && !act_stale_q) p3_inv_msi: assert (f_alarm_q ||
        (f_due_seen && f_seen - f_cons_q <= f_now - f_cons_q));
      if (f_prod_q == f_cons_q) p3_inv_run: assert (f_run_q == '0);
      if (act_q && f_mine && act_task_q && !act_stale_q) p3_inv_task: assert (f_prod_q != f_cons_q);
      if (act_q && f_mine && act_off_q && !act_stale_q) p3_inv_last: assert (f_hold_q && f_offlog_q == f_l &&
        !(f_armed_q && f_msi_en && f_ring - (f_prod_q - f_cons_q) < f_free));
    end
    c_interval: cover (f_commit && act_msi_q && f_free == '0 && f_reg5_q == 64'd3);
    c_cover: cover (f_commit && act_msi_q && f_dirty_q);
  end
`endif
