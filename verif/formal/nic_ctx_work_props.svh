// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ctx_work: one place, chosen freely, and its producer and consumer by its own account.
`include "fv.svh"
// Rules of README.md: CTX-6, CTX-14.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)

  logic        f_on_q, f_task_q, f_err_q, f_known_q;  // known: turned on once
  logic [15:0] f_prod_q, f_cons_q;
  logic        f_start, f_two_q;
  logic [8:0]  f_spare;
  assign f_start = start_valid_i && start_qp_i == f_qp;
  always_comb begin
    f_spare = '0;
    for (int unsigned i = 0; i < NumQps; i++) f_spare = f_spare + 9'(!(on_o[i] && works_o[i]));
  end
  always_ff @(posedge clk_i) begin
    f_two_q <= f_spare >= 9'd2;
    if (!rst_ni) {f_on_q, f_task_q, f_known_q} <= '0;
    else begin
      if (f_start) {f_on_q, f_known_q} <= 2'b11;
      else if (stop_valid_i && stop_qp_i == f_qp) f_on_q <= 1'b0;
      if (f_start) f_task_q <= 1'b0;
      else if (resp_valid_i && resp_qp_i == f_qp) f_task_q <= resp_task_i;
      if (f_start) {f_prod_q, f_cons_q, f_err_q} <= {start_cons_i, start_cons_i, start_err_i};
      else begin
        if (bell_valid_i && bell_qp_i == f_qp) f_prod_q <= bell_prod_i;
        if (req_valid_i && req_qp_i == f_qp) {f_cons_q, f_err_q} <= {req_cons_i, req_err_i};
      end
    end
  end

  `FV_COMB begin
    env_range: assume ((!start_valid_i || 32'(start_qp_i) < NumQps) && (!bell_valid_i || 32'(bell_qp_i) < NumQps) &&
        (!req_valid_i || 32'(req_qp_i) < NumQps));
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_one: assume ({1'b0, start_valid_i} + {1'b0, stop_valid_i} + {1'b0, bell_valid_i} <= 2'd1);
    env_known: assume (f_known_q || !((bell_valid_i && bell_qp_i == f_qp) || (req_valid_i && req_qp_i == f_qp) ||
        (resp_valid_i && resp_qp_i == f_qp)));
    p1_on: assert (on_o[f_qp[IdxW-1:0]] == f_on_q);
    if (f_known_q) p2_works: assert (works_o[f_qp[IdxW-1:0]] == (f_task_q || (f_prod_q != f_cons_q && !f_err_q)));
    if (f_rst_q) p3_two: assert (two_o == f_two_q);
    if (f_spare >= 9'd2) p4_two: assert (other_o);
    if (f_spare == 9'd0) p4_none: assert (!other_o);
    c_works: cover (works_o == '1 && on_o == '1);
    c_stopped: cover (f_known_q && f_prod_q != f_cons_q && f_err_q && !works_o[f_qp[IdxW-1:0]]);
  end
