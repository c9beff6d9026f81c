// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_inval.
`include "fv.svh"
// Rules of README.md: INV-3, INV-9.
  `FV_INIT
  `FV_SEES(f_inv_valid, 1, inv_valid_o)
  `FV_SEES(f_req, 1, hold_req_o)

  logic                      f_req_q, f_gnt_q, f_done_q, f_gone_q, f_held_q, f_late_q, f_reg_q, f_wait_q, f_r_q, f_q_q,
                             f_rfin_q;
  logic [63:0]              f_ra_q, f_rb_q, f_qa_q, f_qb_q;
  logic                     f_sel_q;
  logic [aa_pkg::InvalW-1:0] f_inv_q, f_inv;
  // What is asked for, by the registers or by a descriptor.
  aa_reg_pkg::ccmd_t        f_ccmd;
  aa_reg_pkg::iotlb_t       f_iotlb;
  aa_reg_pkg::iva_t         f_iva;
  aa_pkg::desc_ctx_t        f_ctx;
  aa_pkg::desc_iotlb_t      f_tlb;
  localparam logic [5:0]    FMamv = 6'(aa_reg_pkg::ResetCAP >> aa_reg_pkg::CAP_MAMV_Lsb);
  assign f_ccmd  = r_a_i;
  assign f_iotlb = r_a_i;
  assign f_iva   = r_b_i;
  assign f_ctx   = {q_b_i, q_a_i};
  assign f_tlb   = {q_b_i, q_a_i};

  assign f_inv = inv_o;
  always_ff @(posedge clk_i) begin
    f_req_q  <= rst_ni && hold_req_o;
    f_gnt_q  <= rst_ni && hold_req_o && hold_gnt_i;
    f_done_q <= rst_ni && inv_valid_o && inv_done_i;
    f_gone_q <= !here && !f_gnt_q;
    f_held_q <= inv_wait_i && state_q == StHold;
    f_late_q <= inv_wait_i || (rst_ni && f_done_q);
    f_reg_q  <= reg_q;
    f_wait_q <= rst_ni && inv_valid_o && !inv_done_i;
    f_inv_q  <= f_inv;
    f_r_q    <= rst_ni && r_valid_i && !r_done_o;
    f_q_q    <= rst_ni && q_valid_i && !q_done_o;
    f_sel_q  <= r_sel_i;
    f_ra_q   <= r_a_i;
    f_rb_q   <= r_b_i;
    f_qa_q   <= q_a_i;
    f_qb_q   <= q_b_i;
    f_rfin_q <= rst_ni && r_fin_valid_i && !r_fin_ready_o;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    // A grant stays until its request falls, and comes no earlier than a cycle after asking (P1, P2 of aa_hold).
    if (f_gnt_q && f_req) env_gnt: assume (hold_gnt_i);
    env_no_gnt: assume (!hold_gnt_i || f_req_q || f_gnt_q);
    // A register waits; the queue may be switched off, but not under our hold.
    if (f_r_q) env_reg: assume (r_valid_i && r_sel_i == f_sel_q && r_a_i == f_ra_q && r_b_i == f_rb_q);
    if (f_q_q && f_gnt_q && !f_done_q) env_queue: assume (q_valid_i);
    if (f_q_q && q_valid_i) env_queue_same: assume (q_a_i == f_qa_q && q_b_i == f_qb_q);
    if (r_valid_i) env_one: assume (!r_fin_valid_i);
    if (q_valid_i) env_one_q: assume (!q_rec_valid_i && (f_ctx.op == aa_pkg::DescCtx || f_ctx.op == aa_pkg::DescIotlb));
    if (inv_done_i) env_done: assume (f_inv_valid);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_inv: assert (state_q <= StAct && (state_q == StAct ? here && f_gnt_q : 1'b1));
    if (f_req_q && !hold_req_o) p1_stay: assert (f_done_q || f_gone_q || f_held_q);
    if (!f_req_q && f_req) p1_waits: assert (!f_late_q);
    if (f_done_q) p1_drop: assert (!hold_req_o);
    if (inv_valid_o) p2_hold: assert (hold_req_o && hold_gnt_i && here);
    if (f_wait_q) p3_same: assert (inv_valid_o && f_inv == f_inv_q);
    p3_done: assert ((r_done_o || q_done_o) == (inv_valid_o && inv_done_i) && !(r_done_o && q_done_o));
    p3_pulses: assert (forget_o == snap_o && snap_o == (r_done_o || q_done_o));
    if (r_done_o) begin
      p3_reg: assert (r_valid_i && ret_valid_o && ret_o.kind == aa_pkg::RetInval && !ret_o.flag && ret_o.a == r_a_i &&
                      ret_o.b == r_b_i && ret_o.code == (r_sel_i ? 4'd2 : 4'd1));
      if (!r_sel_i) p3_ccmd: assert (inv_o.ctx && inv_o.gran == f_ccmd.CIRG && inv_o.did == f_ccmd.DID &&
                                     inv_o.sid == f_ccmd.SID && inv_o.fm == f_ccmd.FM);
      if (r_sel_i) p3_iotlb: assert (!inv_o.ctx && inv_o.did == f_iotlb.DID && inv_o.am == f_iva.AM &&
                                     inv_o.ih == f_iva.IH && inv_o.addr == f_iva.ADDR &&
                                     inv_o.gran == (f_iotlb.IIRG == 2'd3 && f_iva.AM > FMamv ? 2'd1 : f_iotlb.IIRG));
    end
    if (q_done_o) begin
      p3_queue: assert (q_valid_i && ret_valid_o && ret_o.kind == aa_pkg::RetInval && !ret_o.flag && ret_o.a == q_a_i &&
                        ret_o.b == q_b_i && ret_o.code == 4'd0);
      p3_desc: assert (inv_o.ctx == (f_ctx.op == aa_pkg::DescCtx) && inv_o.did == f_ctx.did);
      if (inv_o.ctx) p3_ctx: assert (inv_o.gran == f_ctx.gran && inv_o.sid == f_ctx.sid && inv_o.fm == f_ctx.fm);
      if (!inv_o.ctx) p3_page: assert (inv_o.am == f_tlb.am && inv_o.ih == f_tlb.ih && inv_o.addr == f_tlb.addr &&
                                       inv_o.gran == (f_tlb.gran == 2'd3 && f_tlb.am > FMamv ? 2'd1 : f_tlb.gran));
    end
    if (f_req_q && hold_req_o) p4_client: assert (reg_q == f_reg_q);
    if (!f_req_q && f_r_q && r_valid_i && hold_req_o) p4_first: assert (reg_q);
    if (q_rec_valid_i && q_rec_ready_o) p5_q: assert (ret_valid_o && !(r_done_o || q_done_o) && ret_o.code == 4'd0 &&
                                                      ret_o.flag == q_rec_flag_i && ret_o.a == q_a_i &&
                                                          ret_o.b == q_b_i);
    if (r_fin_valid_i && r_fin_ready_o) p5_r: assert (ret_valid_o && !(r_done_o || q_done_o) && !q_rec_valid_i &&
        !ret_o.flag &&
                                                      ret_o.code == (r_sel_i ? 4'd4 : 4'd3) && ret_o.a == r_a_i);
    if (ret_valid_o) p5_one: assert (r_done_o || q_done_o || q_rec_valid_i || r_fin_valid_i);
    if (f_rfin_q && r_fin_valid_i && !q_rec_valid_i && state_q != StAct) p5_goes: assert (r_fin_ready_o);

    c_reg: cover (r_done_o && r_sel_i && q_valid_i);
    c_queue: cover (q_done_o && f_wait_q);
    c_gone: cover (state_q == StHold && !here);
    c_held: cover (f_held_q && !hold_req_o && here);
    c_fin: cover (r_fin_valid_i && !r_fin_ready_o);
  end
