// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_pay_fifo. One beat, chosen freely (f_pick), is followed through: f_ahead_q counts the beats before it,
// f_sure_q says that its TLP has been committed. f_kept_q counts committed beats inside, f_new_q those
// that are not yet.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)
  `FV_SEES(f_room, 1, room_o)

  logic             f_pop, f_live_q, f_sure_q, f_wait_q, f_due_q, f_due2_q;
  logic [PtrW+1:0]  f_ahead_q, f_kept_q, f_new_q, f_new;
  logic [Width-1:0] f_data_q, f_out_q;
  assign f_pop = out_valid_o && out_ready_i;
  assign f_new = f_new_q + (PtrW + 2)'(in_valid_i);

  always_ff @(posedge clk_i) begin
    f_out_q  <= out_data_o;
    f_wait_q <= rst_ni && out_valid_o && !out_ready_i;
    f_due_q  <= rst_ni && commit_i && f_new != '0;
    f_due2_q <= rst_ni && f_due_q;
    if (!rst_ni) begin
      f_kept_q <= '0;
      f_new_q  <= '0;
      f_live_q <= 1'b0;
    end else begin
      f_kept_q <= f_kept_q + (commit_i ? f_new : '0) - (PtrW + 2)'(f_pop);
      f_new_q  <= commit_i || rewind_i ? '0 : f_new;
      if (f_live_q) begin
        if (f_pop) f_ahead_q <= f_ahead_q - (PtrW + 2)'(1);
        if (f_pop && f_ahead_q == '0) f_live_q <= 1'b0;
        if (commit_i) f_sure_q <= 1'b1;
        if (rewind_i && !f_sure_q) f_live_q <= 1'b0;
      end else if (in_valid_i && f_pick && !rewind_i) begin
        f_live_q  <= 1'b1;
        f_sure_q  <= commit_i;
        f_data_q  <= in_data_i;
        f_ahead_q <= f_kept_q + f_new_q - (PtrW + 2)'(f_pop);
      end
    end
  end

  `FV_COMB begin
    if (f_past_q && rst_ni) env_room: assume (!(in_valid_i && !f_room));
    if (f_past_q && rst_ni) env_one: assume (!(commit_i && rewind_i));
    if (f_past_q) begin
      if (f_live_q && f_ahead_q == '0 && out_valid_o) p1_order: assert (f_sure_q && out_data_o == f_data_q);
      if (f_kept_q == '0) p1_committed_only: assert (!out_valid_o);
      p3_room: assert (f_kept_q + f_new_q >= (PtrW + 2)'(Depth) || room_o);
      p3_full: assert (full_q == (wptr_q == end_ptr));
      p3_pointers: assert (f_new_q == {1'b0, (PtrW + 1)'(wptr_q - cptr_q)} &&
                           f_kept_q == {1'b0, (PtrW + 1)'(cptr_q - rptr_q)} + (PtrW + 2)'(Ram && out_valid_o));
      p3_bound: assert (f_kept_q + f_new_q <= (PtrW + 2)'(Depth + 1));
      if (f_wait_q) p4_hold: assert (out_valid_o && out_data_o == f_out_q);
      if (!Ram && f_due_q) p6_latency: assert (out_valid_o);
      if (Ram && f_due2_q && f_kept_q != '0 && !f_due_q) p6_latency_ram: assert (out_valid_o);
      c_full: cover (!room_o && f_kept_q == (PtrW + 2)'(Depth + (Ram ? 1 : 0)));
      c_rewind: cover (rewind_i && f_new_q != '0 && f_kept_q != '0);
      c_through: cover (f_live_q && f_ahead_q == '0 && f_pop && f_data_q != '0);
      c_stream: cover (in_valid_i && commit_i && f_pop && f_kept_q == (PtrW + 2)'(1 + (Ram ? 1 : 0)));
    end
  end
