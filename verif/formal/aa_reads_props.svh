// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_reads: what its parts assume of their inputs (env_* of aa_tag_buf, aa_lane, aa_pay_fifo) holds here.
`include "fv.svh"

  `FV_INIT
  `FV_SEES(f_ready, 1, alloc_ready_o)
  `FV_SEES(f_live, 1, look_live_o)

  logic         f_looked_q;  // since the reset: before, what aa_tag_buf remembers of a look is nothing in particular
  logic [25:0]  f_look_q;
  always_ff @(posedge clk_i) begin
    if (look_i) f_look_q <= look_key_i;
    f_looked_q <= rst_ni && (f_looked_q || look_i);
  end
  logic [255:0] f_flush_q;  // entries that are flushes and have not been freed
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_flush_q <= '0;
    else begin
      if (alloc_valid_i && alloc_ready_o && alloc_i.flush) f_flush_q[alloc_idx_o] <= 1'b1;
      if (flush_free_valid_i) f_flush_q[flush_free_idx_i] <= 1'b0;
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_flush: assume (!flush_free_valid_i || f_flush_q[flush_free_idx_i]);
    env_look: assume (!alloc_valid_i || (f_looked_q && f_look_q == {alloc_i.rid, alloc_i.tag}));
    env_unique: assume (!alloc_valid_i || !f_live);
    env_may: assume (!alloc_valid_i || alloc_may_i);
    env_ready: assume (!alloc_valid_i || f_ready);
    env_port: assume (!alloc_valid_i || 32'(alloc_i.port) < NumPorts);
    p1_record: assert (!(err_valid_o || abort_valid_o || ev_bad_o || ev_timeout_o) || ret_valid_o);
    p1_events: assert (!(ev_bad_o && ev_timeout_o) && err_valid_o == (ev_bad_o || ev_timeout_o));
    c_ret: cover (ret_valid_o);
  end
