// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_lane. One TLP, chosen freely (f_pick), is followed from its head to the moment
// when rd_ptr_i passes it.
`include "fv.svh"

  `FV_INIT
  `FV_ANYSEQ(f_pick, 1)
  `FV_SEES(f_ok, 1, ok_o)
  `FV_SEES(f_wr, 8, wr_ptr_o)

  logic             f_open_q, f_mine_q, f_live_q;
  logic [7:0]       f_num_q, f_rd_q, f_in;
  logic [HeadW-1:0] f_head_q;
  logic [LookupW-1:0] f_look_q;
  logic [StatW-1:0] f_stat_q;
  assign f_in = wr_ptr_o - rd_ptr_i;

  always_ff @(posedge clk_i) begin
    f_rd_q <= rst_ni ? rd_ptr_i : 8'd0;
    if (!rst_ni) begin
      f_open_q <= 1'b0;
      f_mine_q <= 1'b0;
      f_live_q <= 1'b0;
    end else begin
      f_open_q <= (f_open_q || head_i) && !done_i;
      if (head_i && f_pick && !f_live_q && !f_mine_q) begin
        f_mine_q <= 1'b1;
        f_num_q  <= wr_ptr_o;
        f_head_q <= head_data_i;
        f_look_q <= look_data_i;
      end
      if (done_i && (f_mine_q || (head_i && f_pick && !f_live_q))) begin
        f_mine_q <= 1'b0;
        f_live_q <= 1'b1;
        f_stat_q <= stat_data_i;
      end
      if (f_live_q && rd_ptr_i - f_num_q - 8'd1 < 8'(Window)) f_live_q <= 1'b0;
    end
  end

  `FV_COMB begin
    if (f_past_q && rst_ni) begin
      env_head: assume (!head_i || (f_ok && !f_open_q));
      env_pay: assume (!pay_i || (f_ok && (f_open_q || head_i)));
      env_done: assume (!done_i || f_open_q || head_i);
    end
    if (f_past_q && rst_ni) env_rd: assume (rd_ptr_i == f_rd_q || (rd_ptr_i == f_rd_q + 8'd1 && f_rd_q != f_wr));
    if (f_past_q && rst_ni) begin
      p1_window: assert (f_in <= 8'(Window));
      if (f_live_q && f_num_q - rd_ptr_i < f_in) begin
        if (rd_idx_i == f_num_q) p1_read: assert (rd_o == f_head_q && rd_stat_o == f_stat_q);
        if (lk_idx_i == f_num_q) p1_look: assert (lk_o == f_look_q && lk_stat_o == f_stat_q);
      end
      if (f_open_q) p2_space: assert (f_in < 8'(Window));
      if (ok_o) p2_room: assert (f_in < 8'(Window));
      c_full: cover (f_in == 8'(Window) && f_live_q && rd_idx_i == f_num_q);
      c_wrap: cover (f_live_q && f_num_q == 8'd2 && rd_idx_i == f_num_q);
    end
  end
