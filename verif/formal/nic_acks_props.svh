// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_acks. f_* follow one queue pair, chosen freely: what waits in its place, and the entries of
// nic_reply's queue that are its own. An entry counts until it is gone, or its queue pair has been turned off.
`include "fv.svh"
// Rules of README.md: RSP-12, RSP-13, RSP-14.
  `FV_INIT
  `FV_SEES(f_idle, 1, idle_o)
  `FV_ANYCONST(f_qp, 8)
  `FV_BELOW(def_qp, f_qp, NumQps)

  localparam int unsigned NumW = $clog2(RespDepth + 1);

  logic [PtrW-1:0]      f_head_q, f_tail_q;
  logic [NumW-1:0]      f_level_q, f_own, f_before_q;  // its entries in the queue; those before what waits
  logic [RespDepth-1:0] f_mine_q, f_live_q;            // entries of it; that count
  logic                 f_on_q, f_put, f_load, f_out, f_goes, f_met, f_newer, f_end, f_hold_q, f_load_q, f_cnp_q;
  logic                 f_ready, f_ready_q, f_look_q, f_first_q, f_asks, f_came_q, f_said_q;
  nic_pkg::ack_t        f_ack_q, f_out_q, f_new_q;  // new: put a cycle ago
  logic [7:0]           f_lost_q, f_cnps_q, f_cnp_lost_q;
  logic [NumQps-1:0]    f_bit, f_due_q;

  function automatic logic [PtrW-1:0] f_after(input logic [PtrW-1:0] p);
    f_after = 32'(p) == RespDepth - 1 ? '0 : p + PtrW'(1);
  endfunction

  assign f_bit   = NumQps'(1) << f_qp;
  assign f_asks  = put_valid_i && put_i.qp == f_qp;
  assign f_put   = f_came_q;
  assign f_load  = load && qp == f_qp;
  assign f_out   = head_valid_o && head_code_o != nic_pkg::TxCnp && head_qp_o == f_qp;
  assign f_goes  = gone_valid_i && f_live_q[gone_id_i];
  assign f_met   = f_on_q && !f_load;
  assign f_newer = f_new_q.psn - f_ack_q.psn < 24'h80_0000;
  assign f_ready = f_on_q && f_before_q == '0;
  assign f_end   = stop_valid_i && stop_qp_i == f_qp;
  always_comb begin
    f_own = '0;
    for (int unsigned i = 0; i < RespDepth; i++) f_own = f_own + NumW'(f_live_q[i]);
  end

  always_ff @(posedge clk_i) begin
    f_hold_q <= rst_ni && head_valid_o && !head_ready_i;
    f_load_q <= rst_ni && load;
    f_cnp_q  <= rst_ni && cnp_load;
    f_ready_q <= rst_ni && f_ready && !put_valid_i && !put_q && !fail_valid_i && !stop_valid_i;
    f_came_q  <= rst_ni && f_asks && !(fail_valid_i && fail_qp_i == f_qp);
    f_said_q  <= met_o;
    f_new_q   <= put_i;
    f_due_q   <= rst_ni ? cnp_due_i : '0;
    f_look_q  <= rst_ni && look_qp_i == f_qp;
    f_first_q <= f_ready || f_out;
    if (f_load) f_out_q <= f_ack_q;
    if (!rst_ni) begin
      f_head_q   <= '0;
      f_tail_q   <= '0;
      f_level_q  <= '0;
      f_mine_q   <= '0;
      f_live_q   <= '0;
      f_on_q     <= 1'b0;
      f_before_q <= '0;
      f_lost_q   <= '0;
      f_cnps_q   <= '0;
      f_cnp_lost_q <= '0;
    end else begin
      if (gone_valid_i) f_head_q <= f_after(f_head_q);
      if (reply_valid_i) f_tail_q <= f_after(f_tail_q);
      f_level_q <= f_level_q + NumW'(reply_valid_i) - NumW'(gone_valid_i);
      for (int unsigned i = 0; i < RespDepth; i++) begin
        if (gone_valid_i && 32'(gone_id_i) == i) begin
          f_mine_q[i] <= 1'b0;
          f_live_q[i] <= 1'b0;
        end
        if (reply_valid_i && 32'(reply_id_i) == i) begin
          f_mine_q[i] <= reply_qp_i == f_qp;
          f_live_q[i] <= reply_qp_i == f_qp;
        end
      end
      if (f_goes && f_before_q != '0) f_before_q <= f_before_q - NumW'(1);
      if (f_load) f_on_q <= 1'b0;
      if (f_put) begin
        f_on_q <= 1'b1;
        if (!f_met || f_newer) begin
          f_ack_q    <= f_new_q;
          f_before_q <= f_own - NumW'(f_goes);
        end
      end
      if (f_end || (fail_valid_i && fail_qp_i == f_qp)) f_on_q <= 1'b0;
      if (f_end) f_live_q <= '0;
      if (f_end) f_before_q <= '0;
      f_cnp_lost_q <= (cnp_due_i & f_bit) == '0 || (cnp_load && qp == f_qp) ? '0 : f_cnp_lost_q + 8'(cnp_load);
      f_lost_q <= !f_ready || f_load ? '0 : f_lost_q + 8'(load);
      f_cnps_q <= !f_ready || f_load ? '0 : f_cnps_q + 8'(cnp_load);
    end
  end

  `FV_COMB begin
    if (rst_ni && put_valid_i) env_put: assume (32'(put_i.qp) < NumQps);
    if (rst_ni && reply_valid_i)
      env_response: assume (!put_valid_i && 32'(reply_qp_i) < NumQps && 32'(f_level_q) < RespDepth &&
        reply_id_i == f_tail_q);
    if (rst_ni && gone_valid_i) env_gone: assume (32'(gone_qp_i) < NumQps && f_level_q != '0 && gone_id_i == f_head_q &&
        (gone_qp_i == f_qp) == f_mine_q[gone_id_i]);
    if (stop_valid_i) env_stop: assume (hold_i && f_idle && !put_valid_i && !reply_valid_i);

    if (f_past_q) begin
      p1_on: assert (|(pend_q & f_bit) == f_on_q);
      if (f_asks) p1_met: assert (met_o == (f_met || f_put));
      p1_came: assert (f_put == (put_q && came_q.qp == f_qp) && (!put_q || came_q == f_new_q));
      if (f_put) p1_said: assert (f_on_q == f_said_q && !f_load);
      if (!put_valid_i) p1_none: assert (!met_o);
      if (f_out)
        p1_what: assert ({head_o.psn, head_o.ext} == {f_out_q.psn, nic_pkg::TxExtW'({f_out_q.syndrome, f_out_q.msn})});
      if (f_load) p2_ready: assert (f_on_q && f_before_q == '0);
      if (f_on_q) p2_waits: assert (|(waits_q & f_bit) == (f_before_q != '0));
      if (f_look_q) p3_first: assert (first_o == f_first_q);
      if (head_valid_o) p4_some: assert (f_load_q || f_cnp_q || f_hold_q);
      if (f_hold_q) p5_stays: assert (head_valid_o);
      if (hold_i && idle_o) p5_held: assert (!load && !cnp_load);
      p5_idle: assert (idle_o == !head_valid_o);
      // Who is next was chosen a cycle ago, and the choice stands.
      if (any && idle_o) p6_next: assert (gnt_q == gnt && turn_q == turn && gnt_q == NumQps'(1) << turn_q);
      if (any_cnp && idle_o)
        p7_next: assert (cnp_gnt_q == cnp_gnt && cnp_turn_q == cnp_turn && cnp_gnt_q == NumQps'(1) << cnp_turn_q);
      if (f_ready_q && !hold_i && idle_o) p6_work: assert (load || cnp_load);
      // One that another meets just now goes a cycle later.
      if (any && cnp_q && !hold_i && idle_o && (gnt_q & put_bit) == '0) p6_after: assert (load);
      if (f_due_q != '0 && (f_due_q & ~cnp_due_i) == '0 && !hold_i && idle_o) begin
        if (!cnp_q) p7_after: assert (cnp_load);
        p7_work: assert (load || cnp_load || (gnt_q & put_bit) != '0);
      end
      if (cnp_load) p7_due: assert (|(cnp_due_i & (NumQps'(1) << qp)) && !load);
      p7_turn: assert (32'(f_cnp_lost_q) < NumQps);
      if (f_cnp_q)
        p7_offered: assert (head_valid_o && head_code_o == nic_pkg::TxCnp && head_o.opcode == 8'h81 &&
                            head_o.psn == '0 &&
          !head_o.ack_req);
      if (f_load_q) p7_not: assert (head_o.opcode == 8'h11);
      p7_sent: assert (cnp_sent_o == (head_valid_o && head_ready_i && head_o.opcode == 8'h81));
      p6_turn: assert (32'(f_lost_q) < NumQps);
      p6_cnps: assert (32'(f_cnps_q) <= NumQps);
      c_merged: cover (f_put && f_met && f_newer && put_i.psn != f_ack_q.psn && f_before_q == '0 && f_own != '0);
      c_kept: cover (f_put && f_met && !f_newer);
      c_waited: cover (f_goes && f_on_q && f_before_q == NumW'(1) && f_own > NumW'(1));
      c_cnp: cover (cnp_sent_o && any);
      c_leaving: cover (f_asks && f_load);
      c_falls: cover (|gnt_q && !any && !valid_q && any_cnp && ready != '0);
      c_cnps: cover (32'(f_cnps_q) == NumQps);
    end
  end
