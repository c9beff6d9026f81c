// SPDX-License-Identifier: Apache-2.0
// Theorems of px_cpl: what a beat becomes, by what its first beat said. Ours of a read's end: by counting bytes the
// other way round.
`include "fv.svh"

  `FV_INIT

  logic         f_mid_q, f_in_wait_q, f_out_wait_q, f_out_mid_q, f_nobody_q, f_nobody, f_over_q, f_over, f_end_q,
                f_end, f_took, f_hit_q;
  logic [3:0]   f_error_q;
  logic [7:0]   f_tag_q, f_tag;
  px_pkg::asked_t f_item_q, f_item;
  logic [12:0]  f_more;   // bytes that are to come after this completion
  cm_pkg::tlp_cpl_t f_rx, f_hdr_q, f_cpl;  // what comes, came a cycle ago, goes
  localparam int unsigned DataBits = cm_pkg::DataW + cm_pkg::StrbW + 2;
  logic [DataBits-1:0] f_data_q;
  cm_pkg::tlp_t f_out_q;
  assign f_rx     = rx_hdr_i;
  assign f_cpl    = cpl_o.hdr;
  assign f_more   = {f_rx.count == '0, f_rx.count} + 13'(f_rx.lower[1:0]) -
                    ({f_rx.len == '0, f_rx.len, 2'b00});
  assign f_nobody = f_mid_q ? f_nobody_q : !hit_i || (rx_error_i == 4'd3 && !f_end) || rx_error_i == 4'd6;
  assign f_over   = !f_nobody && (f_mid_q ? f_over_q : rx_error_i == 4'd3 || rx_error_i == 4'd4 ||
                                                       rx_error_i == 4'd8 || rx_error_i == 4'd15);
  assign f_end    = f_mid_q ? f_end_q : !f_rx.op[cm_pkg::OpData] || f_more[12] || f_more == '0;
  assign f_tag    = f_mid_q ? f_tag_q : f_rx.tag;
  assign f_item   = f_mid_q ? f_item_q : item_i;
  assign f_took   = rx_valid_i && rx_ready_o;

  always_ff @(posedge clk_i) begin
    f_in_wait_q  <= rst_ni && rx_valid_i && !rx_ready_o;
    f_out_wait_q <= rst_ni && cpl_valid_o && !cpl_ready_i;
    f_hdr_q      <= rx_hdr_i;
    f_error_q    <= rx_error_i;
    f_data_q     <= {rx_sop_i, rx_eop_i, rx_strb_i, rx_data_i};
    f_out_q      <= cpl_o;
    if (rx_valid_i) f_tag_q <= f_tag;
    if (rx_valid_i) f_item_q <= f_item;
    if (rx_valid_i) f_hit_q <= hit_i;
    if (!rst_ni) {f_mid_q, f_out_mid_q} <= '0;
    else begin
      if (f_took) f_mid_q <= !rx_eop_i;
      if (cpl_valid_o && cpl_ready_i) f_out_mid_q <= !cpl_o.eop;
    end
    if (rx_valid_i) {f_nobody_q, f_over_q, f_end_q} <= {f_nobody, f_over, f_end};
  end

  // A stream of whole TLPs; what is known of a tag stays while its completion waits or goes on.
  `FV_COMB if (f_past_q && rst_ni) begin
    env_hold: assume (!f_in_wait_q || (rx_valid_i && {rx_sop_i, rx_eop_i, rx_strb_i, rx_data_i} == f_data_q &&
                                       rx_hdr_i == f_hdr_q && rx_error_i == f_error_q));
    env_sop: assume (!rx_valid_i || rx_sop_i == !f_mid_q);
    env_tag: assume (!(f_in_wait_q || f_mid_q) || f_nobody_q || (f_mid_q && f_over_q) ||
                     f_tag != f_tag_q || {hit_i, item_i} == {f_hit_q, f_item_q});
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    if (f_in_wait_q) p1_waits: assert (!f_nobody_q);
    if (f_in_wait_q) p1_wait: assert (f_out_wait_q && f_tag_q == (f_mid_q ? tag_q : f_hdr_q.tag));
    if (f_out_wait_q) p1_out: assert (f_in_wait_q);
    p1_mid: assert (f_mid_q == mid_q);
    if (f_mid_q)
      p1_mode: assert ((mode_q == ModeDrop) == f_nobody_q && (mode_q == ModeRest) == (f_over_q && !f_nobody_q) &&
                       mode_q != ModeOver && tag_q == f_tag_q && (f_nobody_q || f_over_q || last_q == f_end_q));
    p1_frame: assert (f_out_mid_q == (f_mid_q && !f_nobody_q && !f_over_q));
    if (cpl_valid_o) p1_sop: assert (cpl_o.sop == !f_out_mid_q);
    if (rx_valid_i) p1_goes: assert (cpl_valid_o == !(f_nobody || (f_over && f_mid_q)));
    if (cpl_valid_o) p1_sync: assert (rx_ready_o == cpl_ready_i);
    if (!cpl_valid_o) p1_dropped: assert (rx_ready_o || !rx_valid_i);
    if (cpl_valid_o && cpl_o.sop)
      p1_whose: assert ({f_cpl.rid, f_cpl.t9, f_cpl.t8, f_cpl.tag} == item_i[25:0]);
    if (cpl_valid_o && cpl_o.sop && !f_over)
      p1_head: assert ({f_cpl.op, f_cpl.tc, f_cpl.ido, f_cpl.ln, f_cpl.th, f_cpl.td, f_cpl.ep, f_cpl.ro, f_cpl.ns,
                        f_cpl.at, f_cpl.len, f_cpl.cid, f_cpl.status, f_cpl.bcm, f_cpl.count, f_cpl.none, f_cpl.lower,
                        f_cpl.unused} ==
                       {f_rx.op, f_rx.tc, f_rx.ido, f_rx.ln, f_rx.th, f_rx.td, f_rx.ep, f_rx.ro, f_rx.ns,
                        f_rx.at, f_rx.len, f_rx.cid, f_rx.status, f_rx.bcm, f_rx.count, f_rx.none,
                        item_i.atomic ? 7'd0 : f_rx.lower,
                        f_rx.unused});
    if (cpl_valid_o && !f_over)
      p1_data: assert ({cpl_o.eop, cpl_o.strb, cpl_o.data} == {rx_eop_i, rx_strb_i, rx_data_i});
    if (cpl_valid_o && f_over)
      p1_over: assert (cpl_o.eop && cpl_o.strb == '0 && !cpl_o.err && f_cpl.op == cm_pkg::OpCpl &&
                       f_cpl.status == 3'd4 && f_cpl.len == '0);
    if (end_o) p2_end: assert (f_took && !f_nobody && look_tag_o == f_tag && (f_over ? !f_mid_q : f_end && rx_eop_i));
    if (end_o) p2_hold: assert (hold_o == f_over);
    if (f_took && !f_nobody && (f_over ? !f_mid_q : f_end && rx_eop_i)) p2_ends: assert (end_o);
    if (stray_o) p1_stray: assert (f_took && !f_mid_q && f_nobody);
    if (f_out_wait_q) p3_hold: assert (cpl_valid_o && cpl_o == f_out_q);
    c_two: cover (f_out_mid_q && cpl_valid_o && cpl_o.eop && end_o);
    c_over: cover (f_over && f_mid_q && f_took);
    c_stray: cover (stray_o && !rx_eop_i);
  end
