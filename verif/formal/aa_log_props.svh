// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_log: what the two parts are to each other. Their own are in aa_log_table_props.svh and aa_log_ptr_props.svh.
`include "fv.svh"

  `FV_INIT
  logic f_table, f_pages;
  logic [19:3] f_was_q;  // the address a cycle ago: what is read belongs to it
  always_ff @(posedge clk_i) f_was_q <= rb_addr_i;
  assign f_table = f_was_q[19:11] == 9'h004 && (f_was_q[5:3] < 3'd2 || f_was_q[5:3] == 3'd6) && 32'(f_was_q[10:6]) < NumLogs;
  assign f_pages = f_was_q[19:12] >= 8'h10 && 32'(f_was_q[19:12]) < 32'h10 + NumLogs && f_was_q[11:5] == '0;
  `FV_COMB if (f_past_q && rst_ni) begin
    p1_elsewhere: assert (f_table || f_pages || rb_rdata_o == '0);
    p1_one: assert (rdata_table == '0 || rdata_ptr == '0);
    p2_event: assert (!open_event_valid_o || (rb_we_i && f_table && !cons_event_valid_o && !err_valid_o));
    p3_failed: assert (rsv_drop_o || !rsv_failed_o);
    p3_closing: assert ((closing & ~closing_o) == '0);
    p2_retire: assert (pub_retire_o.idx == 8'(pub_log_o) && pub_retire_o.a == 64'(pub_prod_o));
    c_open: cover (open_event_valid_o);
    c_table: cover (f_table && rb_rdata_o != '0);
    c_page: cover (f_pages && rb_rdata_o != '0);
  end
