// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_axil_regs. The access that was taken is remembered (f_*) beside the module's own copy.
`include "fv.svh"

  `FV_INIT

  logic        f_busy_q, f_write_q, f_done_q, f_we_q, f_rd_q, f_hold_q, f_rwait_q, f_bwait_q, f_setup_q,
               f_last_q, f_other_q;
  logic [19:3] f_addr_q, f_rb_q, f_rb2_q;  // the address on the bus a cycle ago, and two
  logic [71:0] f_bits_q, f_bits2_q;        // data and strobes
  logic        f_ask_q;                    // hold_req_o
  logic [63:0] f_data_q, f_read_q, f_rdata_q;
  logic [7:0]  f_strb_q;
  logic        f_first_q, f_held_q;        // first cycle on the bus; it needs a hold
  logic        f_aw_q, f_ar_q, f_w_q;
  logic [19:0] f_awaddr_q, f_araddr_q;
  logic [71:0] f_wbeat_q;

  always_ff @(posedge clk_i) begin
    f_aw_q     <= rst_ni && s_awvalid_i && !s_awready_o;
    f_ar_q     <= rst_ni && s_arvalid_i && !s_arready_o;
    f_w_q      <= rst_ni && s_wvalid_i && !s_wready_o;
    f_awaddr_q <= s_awaddr_i;
    f_araddr_q <= s_araddr_i;
    f_wbeat_q  <= {s_wstrb_i, s_wdata_i};
    f_rwait_q  <= rst_ni && s_rvalid_o && !s_rready_i;
    f_bwait_q  <= rst_ni && s_bvalid_o && !s_bready_i;
    f_rdata_q  <= s_rdata_o;
    f_we_q     <= rst_ni && rb_o.we;
    f_rd_q     <= rst_ni && rb_re_o;
    f_rb_q     <= rb_o.addr;
    f_rb2_q    <= f_rb_q;
    f_bits_q   <= {rb_o.wdata, rb_o.wstrb};
    f_bits2_q  <= f_bits_q;
    f_ask_q    <= rst_ni && hold_req_o;
    f_setup_q  <= rst_ni && f_busy_q;
    f_first_q  <= rst_ni && (s_awready_o || s_arready_o);
    if (f_first_q) f_held_q <= f_write_q ? held_w_i : held_r_i;
    if (!rst_ni) begin
      f_busy_q  <= 1'b0;
      f_done_q  <= 1'b0;
      f_other_q <= 1'b0;
    end else begin
      if (s_awready_o || s_arready_o) begin
        f_busy_q  <= 1'b1;
        f_done_q  <= 1'b0;
        f_write_q <= s_awready_o;
        f_addr_q  <= s_awready_o ? s_awaddr_i[19:3] : s_araddr_i[19:3];
        f_data_q  <= s_wdata_i;
        f_strb_q  <= s_wstrb_i;
        // the other kind was passed over
        f_other_q <= s_awready_o ? s_arvalid_i : s_awvalid_i && s_wvalid_i;
      end
      if (rb_o.we || rb_re_o) f_done_q <= 1'b1;
      if (rb_re_o) f_read_q <= rb_rdata_i | rb_far_i;
      else if (f_rd_q) f_read_q <= f_read_q | rb_late_i;
      if ((s_bvalid_o && s_bready_i) || (s_rvalid_o && s_rready_i)) f_busy_q <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_aw_q) env_aw: assume (s_awvalid_i && s_awaddr_i == f_awaddr_q);
    if (f_ar_q) env_ar: assume (s_arvalid_i && s_araddr_i == f_araddr_q);
    if (f_w_q) env_w: assume (s_wvalid_i && {s_wstrb_i, s_wdata_i} == f_wbeat_q);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // One at a time, both halves of a write together, and a response only for what was taken and done.
    p1_one: assert (!(s_awready_o && s_arready_o) && s_awready_o == s_wready_o &&
        !(f_busy_q && (s_awready_o || s_arready_o)));
    p1_state: assert (f_busy_q == (state_q != StIdle) && state_q <= StResp);
    if (s_awready_o) p1_take: assert (s_awvalid_i && s_wvalid_i);
    if (s_arready_o) p1_take_r: assert (s_arvalid_i);
    p1_resp: assert (!(s_bvalid_o && s_rvalid_o) && s_bresp_o == 2'b00 && s_rresp_o == 2'b00);
    if (s_bvalid_o) p1_b: assert (f_busy_q && f_write_q && (f_done_q || f_strb_q == 8'd0));
    if (s_rvalid_o) p1_r: assert (f_busy_q && !f_write_q && f_done_q);
    if (f_bwait_q) p1_b_hold: assert (s_bvalid_o);
    if (f_rwait_q) p1_r_hold: assert (s_rvalid_o && s_rdata_o == f_rdata_q);
    if (!f_busy_q && f_other_q) p1_turn: assert (f_write_q ? !s_awready_o || !s_arvalid_i : !s_arready_o ||
        !s_awvalid_i || !s_wvalid_i);
    if (f_other_q) p1_turn_inv: assert (write_q == f_write_q && (f_write_q ? f_ar_q : f_aw_q && f_w_q));
    if (f_busy_q) p1_inv: assert (write_q == f_write_q && addr_q == f_addr_q &&
        (!f_write_q || (data_q == f_data_q && strb_q == f_strb_q)));
    if (f_busy_q)
      p1_done: assert (f_done_q == (state_q == StMore || (state_q == StResp && !(f_write_q && f_strb_q == 8'd0))));
    if (state_q == StRead || state_q == StMore) p1_read: assert (!f_write_q);
    if (f_busy_q && state_q == StWrite) p1_write: assert (f_write_q && f_strb_q != 8'd0);

    if (rb_o.we) p2_write: assert (f_busy_q && f_write_q && !f_done_q && rb_o.addr == f_addr_q &&
        rb_o.wdata == f_data_q &&
                                   rb_o.wstrb == f_strb_q && rb_o.wstrb != 8'd0);
    if (f_we_q) p2_once: assert (!rb_o.we);

    if (rb_re_o) p3_read: assert (f_busy_q && !f_write_q && !f_done_q && rb_o.addr == f_addr_q && f_rb_q == f_addr_q &&
                                  rb_rdata_o == (rb_rdata_i | rb_far_i));
    if (f_rd_q) p3_once: assert (!rb_re_o);
    if (rb_o.we) p3_setup: assert (f_setup_q && f_rb_q == rb_o.addr && f_bits_q == {rb_o.wdata, rb_o.wstrb});
    if (state_q == StWrite) p3_bus: assert (f_rb_q == addr_q && f_bits_q == {data_q, strb_q});
    // What is granted later than in the cycle of the request (aa_hold) has been on the bus for two cycles before.
    if (rb_o.we && f_held_q && f_ask_q)
      p4_setup: assert (f_rb2_q == rb_o.addr && f_bits2_q == {rb_o.wdata, rb_o.wstrb});
    if (state_q == StWrite && f_ask_q) p4_bus: assert (f_rb2_q == addr_q && f_bits2_q == {data_q, strb_q});
    if (s_rvalid_o) p3_data: assert (s_rdata_o == f_read_q);
    p3_next: assert (f_rd_q == (state_q == StMore));
    if (state_q == StMore) p3_more: assert ((data_q | far_q) == f_read_q);

    p4_first: assert (f_first_q == (state_q == StSetup));
    if ((rb_o.we || rb_re_o) && f_held_q) p4_held: assert (hold_req_o && hold_gnt_i);
    if (hold_req_o) p4_ask: assert (f_busy_q && f_held_q && !f_done_q);
    if (f_we_q || f_rd_q) p4_drop: assert (!hold_req_o);
    p4_inv: assert (hold_q == ((state_q == StWrite || state_q == StRead) && f_held_q));
    if (wr_wait_i) p5_wait: assert (!rb_o.we);

    c_held: cover (rb_o.we && hold_req_o && f_ask_q);
    c_held_r: cover (rb_re_o && hold_req_o);
    c_at_once: cover (rb_o.we && hold_req_o && !f_ask_q);
    c_read: cover (s_rvalid_o && s_rready_i && s_rdata_o != 64'd0);
    c_nothing: cover (s_bvalid_o && f_strb_q == 8'd0);
    c_turn: cover (f_other_q && s_arready_o && s_awvalid_i && s_wvalid_i);
  end
