// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_peer. One queue pair (f_qp), chosen freely, is followed: the peer of its last start, and the one that
// its requests have.
`include "fv.svh"
// Rules of README.md: QPR-2.
  `FV_INIT
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)

  nic_pkg::peer_t  f_now_q, f_req_q, f_out_q;
  logic            f_on_q, f_has_q, f_shows_q;  // there was a start; requests know of one; what is shown is of f_qp
  logic            f_start, f_through, f_look;
  logic [IdxW-1:0] f_at;
  assign f_at      = f_qp[IdxW-1:0];
  assign f_start   = start_valid_i && start_qp_i == f_qp;
  assign f_through = through_valid_i && through_qp_i == f_qp;
  assign f_look    = look_i && look_qp_i == f_qp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_on_q    <= 1'b0;
      f_has_q   <= 1'b0;
      f_shows_q <= 1'b0;
    end else begin
      f_on_q  <= f_on_q || f_start;
      f_has_q <= f_has_q || (f_through && f_on_q);
      if (look_i) f_shows_q <= f_look && (look_req_i ? f_has_q : f_on_q);
    end
    if (f_start) f_now_q <= start_peer_i;
    if (f_through) f_req_q <= f_now_q;
    if (look_i) f_out_q <= look_req_i ? f_req_q : f_now_q;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_start: assume (!start_valid_i || 32'(start_qp_i) < NumQps);
    env_through: assume (!through_valid_i || 32'(through_qp_i) < NumQps);
    env_look: assume (!look_i || 32'(look_qp_i) < NumQps);
    // nic_acks, nic_reply: while registers are written they have no head on offer. nic_req: what was before has left.
    env_hold: assume (!(start_valid_i && look_i && !look_req_i));
    env_left: assume (!(through_valid_i && look_i && look_req_i && look_qp_i == through_qp_i));
    p1_known: assert (f_on_q || !f_has_q);
    if (f_on_q) p1_now: assert (mem_q[{now_q[f_at], f_at}] == f_now_q);
    if (f_has_q) p1_req: assert (mem_q[{req_q[f_at], f_at}] == f_req_q);
    if (f_shows_q) p1_peer: assert (peer_o == f_out_q);
    if (start_valid_i && look_i) p2_apart: assert (put_at != get_at);
    if (f_start && !f_through) p2_other: assert (put_at != {req_q[f_at], f_at});
    c_two: cover (f_shows_q && f_has_q && now_q[f_at] != req_q[f_at] && f_now_q != f_req_q);
    c_both: cover (f_start && f_through && f_has_q);
  end
