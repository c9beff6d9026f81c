// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_reply_read. f_owed_q: beats that were asked for and have not come; f_items_q: items
// that have not left.
`include "fv.svh"
// Rules of README.md: RSP-16.
  `FV_INIT

  logic          f_e_wait_q, f_e_wait2_q, f_job_wait_q, f_dead_q, f_ends;
  nic_pkg::reply_t f_e_q;
  nic_pkg::dma_t f_job_q;
  logic [31:0]   f_owed_q, f_items_q;
  logic          f_atomic_q;  // the last one that was asked for is an atomic: with items left, its answer is among them

  logic f_asks;
  assign f_asks = rd_job_valid_o && rd_job_ready_i;
  assign f_ends = item_valid_o && item_o.last;

  always_ff @(posedge clk_i) begin
    f_e_wait_q   <= rst_ni && e_valid_i && !e_next_o;
    f_job_wait_q <= rst_ni && rd_job_valid_o && !rd_job_ready_i;
    f_dead_q     <= e_dead_i;
    f_e_wait2_q  <= f_e_wait_q;
    f_e_q        <= e_i;
    f_job_q      <= rd_job_o;
    f_atomic_q   <= rst_ni && (f_asks ? rd_job_o.op != nic_pkg::DmaRead : f_atomic_q);
    if (!rst_ni) begin
      f_owed_q  <= '0;
      f_items_q <= '0;
    end else begin
      f_owed_q  <= f_owed_q + (f_asks ? (32'(rd_job_o.len) + BeatBytes - 32'd1) / BeatBytes : 32'd0) - 32'(rd_valid_i);
      f_items_q <= f_items_q + 32'(f_asks) - 32'(f_ends && item_ready_i);
    end
  end

  logic [31:0] f_asking;  // beats of the job that waits to be taken
  assign f_asking = job_valid_q ? (32'(job_q.len) + BeatBytes - 32'd1) / BeatBytes : 32'd0;

  `FV_COMB begin
    if (f_past_q && f_e_wait_q) env_entry: assume (e_valid_i && e_i == f_e_q);
    if (f_past_q && f_e_wait2_q && f_e_wait_q) env_dead: assume (e_dead_i >= f_dead_q);
    if (f_past_q && e_valid_i) env_mtu: assume (e_i.mtu >= 3'd1 && e_i.mtu <= 3'd5);
    // nic_rd gives the beats that it was asked for, and no item ends that has not begun.
    if (f_past_q && rd_valid_i) env_asked: assume (f_owed_q != 32'd0);
    if (f_past_q && f_ends) env_last: assume (!item_ready_i || f_items_q != 32'd0);

    if (f_past_q) begin
      if (run_q)
        p1_entry: assert (e_valid_i && e_q == e_i &&
                          memory_q == (atomic || (e_q.kind == nic_pkg::ReplyRead && e_q.len != 32'd0)));
      if (run_q && memory_q && !atomic) p1_left: assert (left_q != 32'd0 && left_q <= e_q.len);
      if (go) p1_job: assert (len >= 13'd1 && 32'(len) <= (atomic ? 32'd8 : mtu) && need != '0 && need <= room_q);
      if (go) p2_oldest: assert (!wait_q && (!atomic || e_oldest_i));
      if (wait_q) p2_alone: assert (run_q && atomic && !go);
      if (f_atomic_q && f_items_q != 32'd0) p2_behind: assert (!rd_job_valid_o);
      if (f_atomic_q && f_items_q != 32'd0) p2_held: assert (wait_q);
      if (job_valid_q) p2_waits: assert (wait_q == (job_q.op != nic_pkg::DmaRead));
      if (e_dead_i) p3_dead: assert (!go);
      p1_run: assert (run_q == f_e_wait_q);
      p4_count: assert (32'(room_q) + f_owed_q + f_asking + 32'(store_level) + 32'(keep_level) == 32'(Room) &&
                        f_owed_q <= 32'(Room) && f_asking <= 32'(Room));
      if (rd_valid_i) p4_room: assert (32'(store_level) < 32'(Room) && rd_ready_o);
      p5_some: assert (f_items_q <= 32'(own_level));
      p5_items: assert (f_items_q + 32'(job_valid_q) == 32'(own_level));
      if (f_job_wait_q) p5_job: assert (rd_job_valid_o && rd_job_o == f_job_q);
      c_read: cover (e_next_o && go && e_q.len == 32'd300);
      c_atomic: cover (wait_q && e_next_o && !e_dead_i);
      c_dead: cover (e_next_o && e_dead_i && rd_job_valid_o);
    end
  end
