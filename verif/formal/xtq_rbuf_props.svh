// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_rbuf: one place in the store, chosen freely, is followed from the posting to the using up of its
// buffer; it stands for all. f_live_q: it holds a buffer that is posted and not used up; f_end_q: the end of what lies
// in it.
`include "fv.svh"
// Rules of README.md: RBF-2, RBF-3, RCV-2, RCV-10.
  `FV_INIT
  `FV_ANYCONST(f_slot, ProcW + PtrW)

  logic [ProcW-1:0] f_proc;
  logic [PtrW-1:0]  f_ptr, f_dist;
  logic             f_live_q, f_here, f_in, f_posted, f_find_q, f_wait_q;
  logic [57:0]      f_addr_q;
  logic [31:0]      f_len_q, f_least_q, f_bytes_q;
  logic [32:0]      f_end_q;
  logic [3:0]       f_proc_q;
  logic             f_all_q, f_drop_q, f_begun_q;
  logic [PtrW:0]    f_count_q;
  logic [31:0]      f_was_q;
  nic_pkg::event_t  f_event_q;
  logic             f_fit_q, f_far_q;

  assign {f_proc, f_ptr} = f_slot;
  assign f_dist   = f_ptr - head_q[f_proc];
  assign f_in     = {1'b0, f_dist} < count_q[f_proc];
  assign f_here   = look_q && valid_q && proc == f_proc && at == f_ptr;
  assign f_posted = post && {rb_proc_q, free_at} == f_slot;

  // The registers of f_proc: what software has written to RB_ADDR and RB_POST.
  logic [16:0] f_bus_q;
  logic        f_rb, f_mine;
  logic [63:0] f_radr_q, f_rpost_q;
  assign f_rb   = f_bus_q[16:8] == 9'(nic_reg_pkg::RegRB_ADDR >> 11) && 32'(f_bus_q[7:4]) < NumProcs;
  assign f_mine = f_rb && 32'(f_bus_q[7:4]) == 32'(f_proc);
  always_ff @(posedge clk_i) begin
    f_bus_q <= rb_i.addr;
    if (!rst_ni) begin
      f_radr_q  <= '0;
      f_rpost_q <= '0;
    end else if (rb_i.we && rb_i.addr[16:4] == {9'(nic_reg_pkg::RegRB_ADDR >> 11), 4'(f_proc)}) begin
      for (int unsigned i = 0; i < 8; i++) if (rb_i.wstrb[i]) begin
        if (rb_i.addr[3:0] == 4'(nic_reg_pkg::RegRB_ADDR >> 3)) f_radr_q[8*i+:8] <= rb_i.wdata[8*i+:8];
        if (rb_i.addr[3:0] == 4'(nic_reg_pkg::RegRB_POST >> 3)) f_rpost_q[8*i+:8] <= rb_i.wdata[8*i+:8];
      end
    end
  end

  logic f_counts, f_look;
  logic [31:0] f_owed;
  always_comb begin
    f_counts = 1'b1;
    for (int unsigned p = 0; p < NumProcs; p++) if (32'(count_q[p]) > RecvDepth) f_counts = 1'b0;
  end
  assign f_owed = number_q[turn_q] - told_q[turn_q];
  assign f_look = look_q && find_i && f_find_q;

  always_ff @(posedge clk_i) begin
    f_find_q  <= rst_ni && find_i && !take_i;
    f_proc_q  <= proc_i;
    f_bytes_q <= bytes_i;
    f_all_q   <= all_i;
    f_drop_q  <= rst_ni && drop && rb_proc_q == f_proc;
    f_begun_q <= offset_q[f_proc] != '0;
    f_count_q <= count_q[f_proc];
    f_was_q   <= number_q[f_proc];
    f_far_q   <= rst_ni && (f_far_q || f_owed[31]);
    f_fit_q   <= rst_ni && fit_o && find_i && !take_i;
    // The count of events not yet told wraps only after 2^32 buffers that nobody was told of.
    f_wait_q  <= rst_ni && event_valid_o && !event_ready_i && !f_owed[31];
    f_event_q <= event_o;
    if (!rst_ni) f_live_q <= 1'b0;
    else if (f_posted) f_live_q <= 1'b1;
    else if (drop && rb_proc_q == f_proc) f_live_q <= 1'b0;
    else if (take_i && proc == f_proc && {1'b0, f_dist} < gone) f_live_q <= 1'b0;
    if (f_posted) begin
      f_addr_q  <= adr[63:6];
      f_len_q   <= merged[31:0];
      f_least_q <= merged[63:32];
      f_end_q   <= '0;
    end else if (take_i && f_here) begin
      f_end_q <= {1'b0, va_o[31:0] - {f_addr_q[25:0], 6'd0}} + {1'b0, bytes_i};
    end
  end

  `FV_COMB if (f_past_q && rst_ni && 32'(f_proc) < NumProcs) begin
    if (find_i) env_proc: assume (32'(proc_i) < NumProcs && bytes_i != '0);
    if (f_find_q && find_i) env_same: assume (proc_i == f_proc_q && bytes_i == f_bytes_q && all_i == f_all_q);
    if (find_i) env_drop: assume (!rb_i.we || rb_i.addr[3:0] != 4'(nic_reg_pkg::RegRB_DROP >> 3) ||
                               rb_i.addr[16:8] != 9'(nic_reg_pkg::RegRB_DROP >> 11));
    if (take_i) env_take: assume (f_fit_q && find_i);

    if (rb_i.we) env_setup: assume (rb_i.addr == f_bus_q);

    if (f_rb) p4_decoded: assert ({rb_drop_q, rb_sts_q, rb_post_q, rb_adr_q} ==
        {f_bus_q[3:0] == 4'(nic_reg_pkg::RegRB_DROP >> 3), f_bus_q[3:0] == 4'(nic_reg_pkg::RegRB_STS >> 3),
         f_bus_q[3:0] == 4'(nic_reg_pkg::RegRB_POST >> 3), f_bus_q[3:0] == 4'(nic_reg_pkg::RegRB_ADDR >> 3)} &&
        32'(rb_proc_q) == 32'(f_bus_q[7:4]) && rb_oh_q == NumProcs'(1) << rb_proc_q);
    if (!f_rb) p4_other: assert ({rb_drop_q, rb_sts_q, rb_post_q, rb_adr_q} == '0 && rb_rdata_o == '0);
    if (f_mine && f_bus_q[3:0] == 4'(nic_reg_pkg::RegRB_ADDR >> 3)) p4_adr: assert (rb_rdata_o == f_radr_q);
    if (f_mine && f_bus_q[3:0] == 4'(nic_reg_pkg::RegRB_POST >> 3)) p4_post: assert (rb_rdata_o == f_rpost_q);
    p4_radr: assert (f_radr_q == (adr_known_q[f_proc] ? radr_q[f_proc] : '0));
    p4_rpost: assert (f_rpost_q == (post_known_q[f_proc] ? rpost_q[f_proc] : '0));
    if (f_posted) p4_posted: assert (f_mine && rb_i.addr[3:0] == 4'(nic_reg_pkg::RegRB_POST >> 3) &&
        {adr[63:6], 6'd0} == f_radr_q);

    // What keeps the proof together.
    p4_count: assert (f_counts);
    if (!f_find_q) p3_new: assert (pos_q == '0 && !look_q);
    p3_turn: assert (32'(turn_q) < NumProcs);
    p4_live: assert (f_live_q == f_in);
    if (f_live_q) p4_kept: assert (buf_q[f_slot] == {f_addr_q, f_len_q, f_least_q} && f_len_q != '0);
    if (find_i && f_find_q) p3_search: assert (pos_q <= count_q[proc]);
    if (f_look) p3_valid: assert (!valid_q || pos_q < count_q[proc]);
    if (f_look && valid_q) p1_off: assert (off_q == (pos_q == '0 ? offset_q[proc] : 32'd0));
    if (f_live_q && f_dist == '0) p2_off: assert ({1'b0, offset_q[f_proc]} >= f_end_q && offset_q[f_proc] <= f_len_q);
    if (f_live_q && f_dist == '0) p1_round: assert (offset_q[f_proc][5:0] == '0 || offset_q[f_proc] == f_len_q);
    if (count_q[f_proc] == '0) p2_empty: assert (offset_q[f_proc] == '0);
    if (f_live_q && f_dist != '0) p2_new: assert (f_end_q == '0);
    if (f_here && f_look) p1_buffer: assert (f_live_q && {addr_q, len_q, least_q} == {f_addr_q, f_len_q, f_least_q});
    if (f_fit_q) p1_end: assert (!find_i || (next_q == {1'b0, off_q} + {1'b0, bytes_i} + 33'd63 &&
        limit_q == {1'b0, len_q} - {1'b0, least_q}));

    if (f_here && fit_o && f_look) begin
      p1_inside: assert (va_o == {f_addr_q, 6'd0} + {32'd0, off_q} &&
                         {1'b0, off_q} + {1'b0, bytes_i} <= {1'b0, f_len_q});
      p1_round64: assert (va_o[5:0] == '0);
      p2_apart: assert ({1'b0, off_q} >= f_end_q);
    end
    if (none_o && f_look) p1_none: assert (pos_q >= count_q[proc]);
    if (f_fit_q && find_i) p1_stays: assert (fit_o && f_find_q);
    if (f_drop_q)
      p5_none: assert (count_q[f_proc] == '0 && offset_q[f_proc] == '0 &&
                       number_q[f_proc] == f_was_q + 32'(f_begun_q) &&
        32'(gone_q[f_proc]) == 32'(f_count_q) - 32'(f_begun_q));
    if (f_here && fit_o && f_look) p6_room: assert ({1'b0, off_q} + {1'b0, room_o} == {1'b0, f_len_q} &&
        number_o == number_q[f_proc] + 32'(f_dist));
    if (take_i && all_i) p3_all: assert (used);
    if (!f_far_q) p3_owed: assert (!event_valid_o || f_owed != '0);
    if (f_wait_q) p3_waits: assert (event_valid_o && event_o == f_event_q);
    c_drop: cover (f_drop_q && f_begun_q && f_count_q == (PtrW+1)'(2));
    c_second: cover (take_i && f_here && f_end_q != '0);
    c_passed: cover (take_i && pos_q != '0);
    c_event: cover (event_valid_o && event_o.word == 32'd1);
    c_none: cover (none_o && find_i && pos_q != '0);
  end

  // A search without take_i leaves every process as it is.
  logic                f_quiet_q;
  logic [PtrW-1:0]     f_head_q;
  logic [31:0]         f_offset_q, f_number_q;
  always_ff @(posedge clk_i) begin
    f_quiet_q  <= rst_ni && !take_i && !(drop && rb_proc_q == f_proc);
    f_head_q   <= head_q[f_proc];
    f_offset_q <= offset_q[f_proc];
    f_number_q <= number_q[f_proc];
  end
  `FV_COMB if (f_past_q && rst_ni && f_quiet_q && 32'(f_proc) < NumProcs)
    p2_nothing: assert (head_q[f_proc] == f_head_q && offset_q[f_proc] == f_offset_q && number_q[f_proc] == f_number_q);
