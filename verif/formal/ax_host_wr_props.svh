// SPDX-License-Identifier: Apache-2.0
// Theorems of ax_host_wr: what AXI wants of its channels, and that idle_o is the truth. The words are ax_align's P1,
// and the test's; that AW waits as it should is cm_fifo's P3.
`include "fv.svh"

  `FV_INIT

  logic                       f_in_hold_q, f_in_mid_q, f_w_wait_q;
  cm_pkg::tlp_t               f_in_q;
  logic [DataW+DataW/8:0]     f_w_q;
  logic [10:0]                f_beats_q, f_beats;   // words of the TLP that comes, from this one on
  logic [15:0]                f_starts_q, f_aws_q, f_wlasts_q, f_bs_q;
  logic [10:0]                f_len;
  logic [63:0]                f_at;
  cm_pkg::tlp_req_t           f_hdr;
  assign f_hdr   = in_i.hdr;
  assign f_at    = cm_pkg::tlp_addr(f_hdr);
  assign f_len   = {f_hdr.len == '0, f_hdr.len};
  assign f_beats = f_in_mid_q ? f_beats_q : (f_len + 11'(BeatDw - 1)) >> LaneW;

  always_ff @(posedge clk_i) begin
    f_in_hold_q <= rst_ni && in_valid_i && !in_ready_o;
    f_w_wait_q  <= rst_ni && wvalid_o && !wready_i;
    f_in_q      <= in_i;
    f_w_q       <= {wlast_o, wstrb_o, wdata_o};
    if (!rst_ni) begin
      f_in_mid_q <= 1'b0;
      f_starts_q <= '0;
      f_aws_q    <= '0;
      f_wlasts_q <= '0;
      f_bs_q     <= '0;
    end else begin
      if (in_valid_i && in_ready_o) f_in_mid_q <= !in_i.eop;
      if (in_valid_i && in_ready_o) f_beats_q <= f_beats - 11'd1;
      f_starts_q <= f_starts_q + 16'(start);
      f_aws_q    <= f_aws_q + 16'(awvalid_o && awready_i);
      f_wlasts_q <= f_wlasts_q + 16'(wvalid_o && wready_i && wlast_o);
      f_bs_q     <= f_bs_q + 16'(bvalid_i);
    end
  end

  // A well-formed TLP, as the IOMMU lets none else out; a response to a burst that is with memory as a whole.
  logic [15:0] f_whole;
  assign f_whole = (f_aws_q - f_bs_q < f_wlasts_q - f_bs_q) ? f_aws_q - f_bs_q : f_wlasts_q - f_bs_q;
  `FV_COMB if (f_past_q && rst_ni) begin
    env_in: assume (!f_in_hold_q || (in_valid_i && in_i == f_in_q));
    env_sop: assume (!in_valid_i || in_i.sop == !f_in_mid_q);
    env_eop: assume (!in_valid_i || in_i.eop == (f_beats == 11'd1));
    env_page: assume (!in_valid_i || f_in_mid_q ||
                      32'({f_at[11:2], 2'b00}) + 4 * 32'(f_len) <= 32'd4096);
    env_b: assume (!bvalid_i || f_whole != '0);
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    p1_page: assert (!mid_q || (32'(addr[11:0]) + 4 * 32'(dws) <= 32'd4096));
    if (start) p1_len: assert (32'(words) * BeatDw <= 32'(addr[LaneW+1:2]) + 32'(dws) - 1 &&
                               (32'(words) + 1) * BeatDw >= 32'(addr[LaneW+1:2]) + 32'(dws));
    if (f_w_wait_q) p2_w: assert (wvalid_o && {wlast_o, wstrb_o, wdata_o} == f_w_q);
    p3_count: assert (16'(count_q) == f_starts_q - f_bs_q && 32'(count_q) <= Writes);
    p3_last: assert (f_starts_q - f_wlasts_q == 16'(mid_q) + 16'(w_valid_q && w_last_q));
    p3_aw: assert (f_starts_q - f_aws_q == 16'(unused_aw) && unused_aw <= 2'd2);
    p3_order: assert (f_wlasts_q - f_bs_q <= 16'(count_q) && f_aws_q - f_bs_q <= 16'(count_q));
    if (idle_o) p3_idle: assert (!wvalid_o && f_starts_q == f_wlasts_q && f_starts_q == f_aws_q);
    p4_err: assert (err_o == (bvalid_i && bresp_i >= 2'd2));
    c_two: cover (wvalid_o && wlast_o && wready_i && count_q == 8'd2 && awlen_o != '0);
    c_idle: cover (idle_o && f_bs_q == 16'd2);
  end
