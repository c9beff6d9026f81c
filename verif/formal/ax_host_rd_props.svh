// SPDX-License-Identifier: Apache-2.0
// Theorems of ax_host_rd: there is room for all that memory was asked for, and a waiting AR stays. What the completions
// say, and that they wait as they should, is in the test.
`include "fv.svh"

  `FV_INIT

  logic                 f_ar_wait_q, f_req_hold_q;
  logic [87:0]          f_ar_q;
  logic [127:0]         f_req_q;
  logic [63:0]          f_lens_q;   // bursts under way, in order: at most Chunks and 8
  logic [2:0]           f_in_q, f_out_q;
  logic [7:0]           f_word_q;
  logic [15:0]          f_due_q;    // words that memory was asked for and has not brought

  always_ff @(posedge clk_i) begin
    f_ar_wait_q  <= rst_ni && arvalid_o && !arready_i;
    f_req_hold_q <= rst_ni && req_valid_i && !req_ready_o;
    f_ar_q       <= {araddr_o, arlen_o, aruser_o};
    f_req_q      <= req_hdr_i;
    if (arvalid_o && arready_i) f_lens_q[8*f_in_q+:8] <= arlen_o;
    if (!rst_ni) begin
      f_in_q   <= '0;
      f_out_q  <= '0;
      f_word_q <= '0;
    end else begin
      if (arvalid_o && arready_i) f_in_q <= f_in_q + 3'd1;
      if (rvalid_i) f_word_q <= rlast_i ? '0 : f_word_q + 8'd1;
      if (rvalid_i && rlast_i) f_out_q <= f_out_q + 3'd1;
    end
    if (!rst_ni) f_due_q <= '0;
    else f_due_q <= f_due_q + (arvalid_o && arready_i ? 16'(arlen_o) + 16'd1 : 16'd0) - 16'(rvalid_i);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_req: assume (!f_req_hold_q || (req_valid_i && req_hdr_i == f_req_q));
    env_r: assume (!rvalid_i || f_due_q != '0);
    env_last: assume (!rvalid_i || rlast_i == (f_word_q == f_lens_q[8*f_out_q+:8]));
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p5_sum: assert (32'(room_q) + (arvalid_o ? 32'(arlen_o) + 32'd1 : 32'd0) + 32'(f_due_q) +
                    32'(unused_level) == Words);
    if (rvalid_i && rlast_i) p5_ends: assert (unused_ends);
    if (rvalid_i) p5_room: assert (unused_words && rready_o);
    if (f_ar_wait_q) p6_ar: assert (arvalid_o && {araddr_o, arlen_o, aruser_o} == f_ar_q);
    c_ar: cover (arvalid_o && arready_i && arlen_o == 8'd1);
    c_none: cover (cpl_valid_o && d_empty && cpl_ready_i);
  end
