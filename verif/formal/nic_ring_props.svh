// SPDX-License-Identifier: Apache-2.0
// Theorems of nic_ring. f_left restates the sum that left_q is kept equal to. spare_o is made beside that sum and is
// wrong where the sum runs over (f_wild_q): with NIC_RING_BACK it is proved that it never does, if no more is given
// back than was taken, which nic_event_sim proves of nic_event's rings.
`include "fv.svh"
// Rules of README.md: EVT-3, EVT-5.
  `FV_INIT
  `FV_SEES(f_spare, 2, spare_o)
  `FV_SEES(f_full, 1, full_o)
  `FV_SEES(f_en, 1, en_o)

  logic signed [W+1:0] f_left;
  logic [W-1:0]        f_prod_q, f_cons_q;
  logic               f_moved_q, f_wild_q, f_on_q, f_cons_we_q, f_ok_q, f_msi_q, f_clr_q, f_unseen_q;
  // reserved, counted from the ports; what a cycle gives back or uses of it
  logic [W+1:0] f_left_d, f_resv_q, f_less, f_sum;
  logic [1:0]   f_places;
  assign f_less = (W+2)'(back_i) + (W+2)'(free_i) + (W+2)'(event_i && !drop_i);
  assign f_sum  = left_q + resv_q - (W+2)'(written_q) + (W+2)'(used);
  assign f_left_d = plus - (W+2)'(take_i);
  assign f_left = $signed(((W+2)'(1) << size_q) - (W+2)'(used) - resv_q + (W+2)'(written_q));
  assign f_places = !en_q || f_left <= $signed((W+2)'(0)) ? 2'd0 : f_left > $signed((W+2)'(3)) ? 2'd3 : f_left[1:0];
  always_ff @(posedge clk_i) begin
    f_wild_q    <= rst_ni && plus[W+1] != f_left_d[W+1] && plus[W:3] == {(W-2){!plus[W+1]}};  // left runs over
    if (!rst_ni) f_moved_q <= 1'b0;
    else f_moved_q <= (event_i && !drop_i) || start_i || stop_i || size_we_i || cons_we_i;
    f_resv_q    <= rst_ni ? f_resv_q + (W+2)'(take_i) - f_less : '0;
    f_prod_q    <= prod_q + W'(event_i && !drop_i);
    f_cons_q    <= cons_i;
    f_on_q      <= rst_ni && en_q && !start_i;
    f_unseen_q  <= start_i || cons_we_i;
    f_cons_we_q <= rst_ni && cons_we_i;
    f_ok_q      <= W'(cons_i - cons_q) <= W'(prod_q - cons_q);
    f_clr_q     <= bad_clr_i;
    f_msi_q     <= rst_ni && msi_i && !cons_we_i;
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_take: assume (take_i <= f_spare);
    env_event: assume (!event_i || drop_i || !f_full);
    env_apart: assume (!event_i || !(start_i || stop_i || size_we_i || cons_we_i));
    env_settled: assume (!event_i || !f_moved_q);
    env_start: assume (!start_i || (size_we_i && !f_en && !stop_i && !cons_we_i));
    env_stop: assume (!stop_i || !start_i);
    env_size: assume (!size_we_i || (!f_en && 32'(size_i) < W));
    env_msi: assume (!msi_i || !event_i);

`ifndef YOSYS
`define NIC_RING_BACK
`endif
`ifdef NIC_RING_BACK
    env_back: assume (f_less <= f_resv_q + (W+2)'(take_i));
    p1_resv: assert (resv_q == f_resv_q + (W+2)'(written_q) && f_resv_q <= (W+2)'(1) << (W - 1));
    p1_sum: assert (f_sum <= (W+2)'(1) << (W - 1) && 33'(used) <= 33'd1 << (W - 1));
    p1_whole: assert (!f_wild_q);
    if (f_unseen_q) p1_unseen: assert (spare_o <= f_places);
`endif

    if (written_q) p1_on: assert (en_q);
    p1_size: assert (32'(size_q) < W);
    if (en_q) p1_left: assert (left_q == f_left);
    if (!f_wild_q && !f_unseen_q) p1_spare: assert (spare_o == f_places);
    if (en_q) p2_fits: assert (33'(used) <= 33'd1 << size_q);
    p2_moved: assert (moved_o == f_moved_q);
    if (en_q && !moved_o) p2_full: assert (full_o == (33'(used) == 33'd1 << size_q));
    if (en_q && !moved_o) p2_ring: assert (ring_o == (armed_q && used != '0));
    if (f_on_q) p3_prod: assert (prod_q == f_prod_q);
    if (f_on_q && f_cons_we_q && f_ok_q) p3_taken: assert (cons_q == f_cons_q && armed_q);
    if (f_cons_we_q && !f_ok_q && !f_clr_q) p3_bad: assert (bad_q);
    if (f_msi_q) p4_once: assert (!armed_q && !ring_o);

    c_full: cover (en_q && full_o && size_q == 5'd1 && resv_q == '0);
    c_over: cover (en_q && f_left < $signed((W+2)'(0)) && resv_q != '0);
    c_ring: cover (ring_o && prod_q == W'(2));
  end
