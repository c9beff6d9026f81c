// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_rx_store. One payload beat, chosen freely (f_pick), is followed: f_ahead_q beats are before it,
// f_sure_q says that its frame was good. Items are counted by their last beats: as many good frames as heads. One head
// (f_pick_head) is followed as well.
`include "fv.svh"
// Rules of README.md: FRM-6.
  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)
  `FV_ANYSEQ(f_pick_head, 1)

  localparam int unsigned FW = PtrW + 2;
  logic                       f_most_q;  // shown_q at its end: more items than the RAM has beats; it gets nowhere near
  logic                       f_live_q, f_sure_q, f_wait_q, f_head_wait_q;
  logic [FW-1:0]              f_ahead_q, f_kept_q, f_new_q, f_new;
  logic [nic_pkg::BytesW-1:0] f_data_q, f_out_q;
  logic [nic_pkg::HeadW-1:0]  f_head_q;
  logic [FW-1:0]              f_heads_q, f_items_q;  // that have left, modulo some power
  logic [FW-1:0]              f_inside_q;           // heads inside
  logic                       f_good;
  logic [1:0]                 f_fetched_q, f_out;  // beats that have left the RAM, and wait
  logic                       f_hlive_q;
  logic [LevelW-1:0]          f_hahead_q;           // heads before it
  logic [23:0]                f_hqp_q;
  logic f_pops, f_hpops;

  // The place of a head, by how many are before it.
  function automatic logic [FrameW-1:0] f_place(input logic [FrameW-1:0] ahead, input logic [LevelW-1:0] n);
    logic [31:0] p;
    p = 32'(ahead) + Frames - 1 + 32'(n);
    if (p >= 2 * Frames) p = p - 2 * Frames;
    else if (p >= Frames) p = p - Frames;
    f_place = FrameW'(p);
  endfunction

  logic [nic_pkg::BytesW-3:0] f_kept_data;
  assign f_kept_data = {f_data_q[nic_pkg::BytesW-1], f_data_q[nic_pkg::BytesW-4:0]};
  assign f_out = 2'(valid_q) + 2'(full_q[0]) + 2'(full_q[1]);
  assign f_hpops = head_valid_o && head_ready_i;
  assign f_pops = pay_valid_o && pay_ready_i;
  assign f_good = judged_valid_i && judged_i == nic_pkg::RxGood;
  assign f_new = f_new_q + FW'(pay_valid_i);

  always_ff @(posedge clk_i) begin
    f_out_q       <= pay_o;
    f_head_q      <= head_o;
    f_most_q      <= &shown_q;
    f_wait_q      <= rst_ni && pay_valid_o && !pay_ready_i;
    f_head_wait_q <= rst_ni && head_valid_o && !head_ready_i;
    if (!rst_ni) begin
      f_kept_q  <= '0;
      f_new_q   <= '0;
      f_live_q  <= 1'b0;
      f_heads_q <= '0;
      f_items_q <= '0;
      f_inside_q <= '0;
      f_fetched_q <= '0;
      f_hlive_q   <= 1'b0;
    end else begin
      if (f_hlive_q) begin
        if (f_hpops) f_hahead_q <= f_hahead_q - LevelW'(1);
        if (f_hpops && f_hahead_q == '0) f_hlive_q <= 1'b0;
      end else if (f_good && f_pick_head) begin
        f_hlive_q  <= 1'b1;
        f_hahead_q <= LevelW'(f_inside_q) - LevelW'(f_hpops);
        f_hqp_q    <= head_i.qp;
      end
      f_kept_q  <= f_kept_q + (commit ? f_new : '0) - FW'(pay_pop);
      f_new_q   <= judged_valid_i ? '0 : f_new;
      f_heads_q <= f_heads_q + FW'(head_pop);
      f_items_q <= f_items_q + FW'(pay_pop && pay_o.last);
      f_fetched_q <= f_fetched_q + 2'(f_kept_q != FW'(f_fetched_q) && f_fetched_q != 2'd3) - 2'(f_pops);
      f_inside_q <= f_inside_q + FW'(f_good) - FW'(head_valid_o && head_ready_i);
      if (f_live_q) begin
        if (pay_pop) f_ahead_q <= f_ahead_q - FW'(1);
        if (pay_pop && f_ahead_q == '0) f_live_q <= 1'b0;
        if (commit) f_sure_q <= 1'b1;
        if (rewind && !f_sure_q) f_live_q <= 1'b0;
      end else if (pay_valid_i && f_pick && !rewind) begin
        f_live_q  <= 1'b1;
        f_sure_q  <= commit;
        f_data_q  <= {pay_i.last, 2'b00, pay_i.bytes, pay_i.data};
        f_ahead_q <= f_kept_q + f_new_q - FW'(pay_pop);
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // Slack is enough for who feeds this; nic_rx says why.
    if (pay_valid_i) env_room: assume (f_kept_q + f_new_q != FW'(Beats) + FW'(f_fetched_q));
    if (f_good) env_head_room: assume (f_inside_q != FW'(Frames));

    if (f_live_q && f_ahead_q == '0 && pay_valid_o) p1_order: assert (f_sure_q && pay_o == f_data_q);
    if (f_kept_q == '0) p1_good_only: assert (!pay_valid_o);
    p2_inside: assert (f_inside_q == FW'(heads) && f_fetched_q == f_out && (full_q[turn_q] || full_q == 2'b00));
    p2_counts: assert (f_new_q == {1'b0, (PtrW + 1)'(wptr_q - cptr_q)} &&
                       f_kept_q == {1'b0, (PtrW + 1)'(cptr_q - rptr_q)} + FW'(f_out));
    p2_bound: assert (f_kept_q + f_new_q <= FW'(Beats + 3) && used <= (PtrW + 1)'(Beats));
    if (f_live_q) p1_no_err: assert (f_data_q[nic_pkg::BytesW-2:nic_pkg::BytesW-3] == 2'b00);
    if (f_live_q)
      p1_inside: assert (f_sure_q ? f_ahead_q < f_kept_q : f_ahead_q >= f_kept_q && f_ahead_q < f_kept_q + f_new_q);
    if (f_live_q && f_ahead_q >= FW'(f_out))
      p1_stored: assert (mem_q[PtrW'(rptr_q + (PtrW + 1)'(f_ahead_q) - (PtrW + 1)'(f_out))] == f_kept_data);
    if (f_live_q && valid_q && f_ahead_q + FW'(1) == FW'(f_out)) p1_fetched: assert (rdata_q == f_kept_data);
    if (f_live_q && full_q == 2'b11 && f_ahead_q == FW'(1))
      p1_second: assert ((turn_q ? keep0_q : keep1_q) == f_kept_data);
    if (full_q != 2'b00) p1_last: assert (last_q == (turn_q ? keep1_q[nic_pkg::BytesW-3] : keep0_q[nic_pkg::BytesW-3]));
    if (f_live_q && full_q != 2'b00 && f_ahead_q == '0) p1_offered: assert ({last_q, keep} == f_kept_data);
    if (f_wait_q && !f_most_q) p4_hold: assert (pay_valid_o && pay_o == f_out_q);
    if (f_head_wait_q) p4_head: assert (head_valid_o && head_o == f_head_q);
    p5_next: assert (next_q == (shown_q != '0));
    p5_shown: assert (FW'(f_heads_q - f_items_q + FW'(1)) == shown_q);
    if (pay_valid_o) p5_not_before: assert (f_heads_q + FW'(1) != f_items_q);
    p6_no_collision: assert (!(pay_valid_i && take && wptr_q[PtrW-1:0] == rptr_q[PtrW-1:0]));
    p7_places: assert (32'(ahead_q) < Frames && put_q == f_place(ahead_q, heads));
    if (f_hlive_q) p7_inside: assert (f_hahead_q < heads && qp_q[f_place(ahead_q, f_hahead_q)] == f_hqp_q);
    if (f_hlive_q && f_hahead_q == LevelW'(1)) p7_next: assert (next_valid_o && next_qp_o == f_hqp_q);
    p7_only: assert (next_valid_o == (f_inside_q > FW'(1)));
    c_next: cover (f_hlive_q && f_hahead_q == LevelW'(1) && f_hpops && f_hqp_q != '0);
    c_rewind: cover (rewind && f_new_q != '0 && f_kept_q != '0);
    c_through: cover (f_live_q && f_ahead_q == '0 && pay_pop && f_data_q != '0);
    c_waits: cover (full_q != 2'b00 && !pay_valid_o);
    c_full: cover (f_out == 2'd3 && pay_pop);
    c_low: cover (!ready_o && head_valid_o);
  end
