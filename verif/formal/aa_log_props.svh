// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log: what the two parts are to each other. Their own are in aa_log_table_props.svh and
// aa_log_ptr_props.svh; each finds in the other, and in the environment below, what
// it assumes (u_table.env_*, u_ptr.env_*).
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_hit_log, 5, cam_log_o)
  `FV_SEES(f_open, NumLogs, open_o)
  `FV_SEES(f_off_valid, 1, off_valid_o)

  localparam logic [8:0] FTable = 9'(aa_reg_pkg::RegLOG_BASE >> 11);  // what the registers of all logs have in front
  localparam logic [2:0] FBase = 3'(aa_reg_pkg::RegLOG_BASE >> 3), FCfg = 3'(aa_reg_pkg::RegLOG_CFG >> 3),
                         FSts = 3'(aa_reg_pkg::RegLOG_STS >> 3);
  localparam logic [7:0] FPage = 8'(aa_reg_pkg::RegLP_PROD >> 12);  // a log's own page, from this one on
  logic f_table, f_pages;
  logic [19:3] f_was_q;  // the address a cycle ago: what is read belongs to it
  assign f_table = f_was_q[19:11] == FTable &&
                   (f_was_q[5:3] == FBase || f_was_q[5:3] == FCfg || f_was_q[5:3] == FSts) &&
                   32'(f_was_q[10:6]) < NumLogs;
  assign f_pages = f_was_q[19:12] >= FPage && 32'(f_was_q[19:12]) < 32'(FPage) + NumLogs && f_was_q[11:5] == '0;

  // The register bus: a write stands there for a cycle before it is one, one of the table's page for two.
  localparam int unsigned FBusW = 17 + 64 + 8 + 2 * NumLogs;
  logic [FBusW-1:0] f_bus, f_bus_q, f_bus_q2;
  logic             f_rst_q2, f_we_q, f_busy_q, f_off, f_off_q, f_off_q2, f_page;
  assign f_bus  = {rb_i.addr, rb_i.wdata, rb_i.wstrb, ptr_ok_i, msi_ok_i};
  assign f_page = rb_i.addr[16:9] == 8'(aa_reg_pkg::RegLOG_BASE >> 12);
  assign f_off  = f_off_valid && off_ready_i;
  always_ff @(posedge clk_i) begin
    f_was_q  <= rb_i.addr;
    f_bus_q  <= f_bus;
    f_bus_q2 <= f_bus_q;
    f_rst_q2 <= rst_ni && f_rst_q;
    f_we_q   <= rb_i.we;
    f_busy_q <= rb_busy_i;
    f_off_q  <= f_off;
    f_off_q2 <= f_off_q;
  end

  // Logs that are being torn down: closing_o says it of those that have stopped, too.
  logic [NumLogs-1:0] f_close_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < NumLogs; l++) begin
      if (!rst_ni || (f_off && off_log_o == 5'(l))) f_close_q[l] <= 1'b0;
      else if (rb_i.we && rb_i.addr == {FTable, 5'(l), FCfg} && rb_i.wstrb[7] && !rb_i.wdata[63] && open_o[l])
        f_close_q[l] <= 1'b1;
    end
  end

  // The log that a reservation is of has been looked at since it opened. Entries that are out, by log and slot.
  logic                        f_read_q;
  logic [4:0]                  f_next, f_next_q;
  logic [NumLogs*LogDepth-1:0] f_out_q;
  logic [1:0]                  f_done_bad;
  logic [1:0]                  f_dones;
  assign f_dones = done_valid_i;
  assign f_next  = rsv_act_i.next ? f_hit_log : rsv_ask_i.log;
  always_ff @(posedge clk_i) begin
    f_next_q  <= f_next;
    f_read_q  <= rst_ni && (rsv_act_i.next || f_read_q) && !(open_event_valid_o && open_event_log_o == f_next) &&
                 !(f_off && off_log_o == f_next);
    for (int unsigned i = 0; i < NumLogs * LogDepth; i++) begin
      if (!rst_ni) f_out_q[i] <= 1'b0;
      else if (rsv_act_i.take && rsv_o.space && LogDepth * 32'(rsv_ask_i.log) + 32'(rsv_o.id.slot) == i)
        f_out_q[i] <= 1'b1;
      else begin
        for (int unsigned k = 0; k < 2; k++)
          if (done_valid_i[k] && done_ready_o[k] && LogDepth * 32'(done_id_i[k*aa_pkg::EntryIdW+5+:5]) +
                                                    32'(done_id_i[k*aa_pkg::EntryIdW+:5]) == i) f_out_q[i] <= 1'b0;
      end
    end
  end
  always_comb begin
    f_done_bad = f_dones;
    for (int unsigned k = 0; k < 2; k++)
      for (int unsigned l = 0; l < NumLogs; l++)
        for (int unsigned s = 0; s < LogDepth; s++)
          if (done_id_i[k*aa_pkg::EntryIdW+:10] == {5'(l), 5'(s)} && f_out_q[LogDepth*l+s] && f_open[l])
            f_done_bad[k] = 1'b0;
  end

`ifdef YOSYS  // in the whole, a query that nobody looks at may name any log
  always_comb if (f_past_q)
    env_logs: assume (32'(rsv_ask_i.log) < NumLogs && 32'(qry_log_i) < NumLogs && 32'(qry2_log_i) < NumLogs &&
                      (!abort_valid_i || 32'(abort_log_i) < NumLogs) && 32'(fail_log_i) < NumLogs);
`endif
  `FV_COMB if (f_past_q && rst_ni) begin
    env_setup: assume (!rb_i.we ||
                       (f_rst_q && f_bus == f_bus_q && !f_we_q && (!f_page || (f_rst_q2 && f_bus == f_bus_q2))));
    env_busy: assume (!rb_i.we || (rb_busy_i && f_busy_q));
    env_off_alone: assume (!rb_i.we || !(f_off || f_off_q || (f_page && f_off_q2)));
    if (f_rst_q) env_rsv: assume (rsv_ask_i.units <= 9'd256);  // what stands there after a reset is anything
    env_next: assume (rsv_ask_i.log == f_next_q);
    env_take: assume (!rsv_act_i.take || (rsv_act_i.next && f_read_q &&
                                           !(rb_i.we && rb_i.addr[16:8] == FTable && rb_i.addr[2:0] == FCfg) &&
                                           (f_open & ~f_close_q & (NumLogs'(1) << rsv_ask_i.log)) != '0));
    env_done: assume (f_done_bad == '0 && !(done_valid_i == 2'b11 && done_id_i[0+:aa_pkg::EntryIdW] ==
                                                                     done_id_i[aa_pkg::EntryIdW+:aa_pkg::EntryIdW]));
    env_fail: assume (!(fail_entry_valid_i || fail_ptr_valid_i) ||
                      (stop_i && (f_open & (NumLogs'(1) << fail_log_i)) != '0));
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_elsewhere: assert (f_table || f_pages || rb_rdata_o == '0);
    p1_one: assert (rdata_table == '0 || rdata_ptr == '0);
    p2_event: assert (!open_event_valid_o || (rb_i.we && f_table && !cons_event_valid_o && !err_valid_o));
    p3_failed: assert (rsv_o.drop || !rsv_o.failed);
    p3_closing: assert ((closing & ~closing_o) == '0);
    p3_only: assert ((closing_o & ~(closing | failed)) == '0 && (!rsv_o.drop || drop || rsv_o.failed));
    p2_retire: assert (pub_retire_o.idx == 8'(pub_log_o) && pub_retire_o.a == 64'(pub_prod_o));
    c_open: cover (open_event_valid_o);
    c_table: cover (f_table && rb_rdata_o != '0);
    c_page: cover (f_pages && rb_rdata_o != '0);
    c_taken: cover (rsv_act_i.take && rsv_o.space && f_out_q != '0);
    c_off: cover (f_off);
  end
