// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_grace. f_old: lanes whose request was there at the last forget_i and is not decided since, by whole
// pointers, where the module has a bit of them. f_calm_q: cycles since one of these was not translated.
`include "fv.svh"
// Rules of README.md: XLT-24.
  `FV_INIT

  logic [NumLanes-1:0]   f_in, f_fwd, f_old, f_late, f_bit, f_old_q;
  logic [NumLanes*8-1:0] f_rd_q, f_mark_q;
  logic [5:0]            f_calm_q;
  logic                  f_forget_q, f_late_q, f_some_q;

  for (genvar l = 0; l < NumLanes; l++) begin : gen_f_lane
    logic [7:0] wr, rd, xl;
    assign wr = wr_ptr_i[8*l+:8];
    assign rd = rd_ptr_i[8*l+:8];
    assign xl = xl_ptr_i[8*l+:8];
    assign f_in[l]   = 8'(wr - rd) <= 8'(Window) && 8'(xl - rd) <= 8'(wr - rd);
    assign f_fwd[l]  = rd == f_rd_q[8*l+:8] || rd == f_rd_q[8*l+:8] + 8'd1;
    assign f_bit[l]  = f_rd_q[8*l];
    assign f_old[l]  = f_old_q[l] && rd == f_mark_q[8*l+:8];
    assign f_late[l] = f_old[l] && xl == rd;
  end

  always_ff @(posedge clk_i) begin
    f_rd_q <= rst_ni ? rd_ptr_i : '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      f_old_q[l] <= rst_ni && (forget_i ? wr_ptr_i[8*l+:8] != rd_ptr_i[8*l+:8] : f_old[l]);
      if (forget_i) f_mark_q[8*l+:8] <= rd_ptr_i[8*l+:8];
    end
    f_calm_q   <= !rst_ni ? '1 : forget_i || f_late != '0 ? '0 : f_calm_q == '1 ? '1 : f_calm_q + 6'd1;
    f_forget_q <= rst_ni && forget_i;
    f_late_q   <= rst_ni && f_late != '0;
    f_some_q   <= rst_ni && f_old != '0;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_lanes: assume (f_in == '1);
    env_forward: assume (f_fwd == '1);

    p1_same: assert (rd_q == f_bit && (owed_q & ~moved) == f_old);
    if (f_forget_q || f_late_q) p1_wait: assert (wait_o);
    p2_left: assert (left_q == (f_calm_q < 6'd31 ? 5'(6'd31 - f_calm_q) : 5'd0));
    if (f_calm_q > 6'd31) p2_over: assert (!wait_o);
    if (!f_some_q && !f_forget_q) p2_decided: assert (!wait_o);
    c_late: cover (f_late_q && f_calm_q == '0 && !f_forget_q);
    c_grace: cover (wait_o && f_calm_q == 6'd8);
    c_decided: cover (!wait_o && f_calm_q == 6'd3);
  end
