// SPDX-License-Identifier: Apache-2.0
// Theorems of ax_rd: jobs ask for what the burst asks, a beat has its bytes in their lanes (f_lane: any), bursts have
// their beats.
`include "fv.svh"

  `FV_INIT
  `FV_ANYCONST(f_lane, ByteW)

  logic                       f_r_wait_q, f_ar_hold_q, f_item_hold_q, f_step_q, f_in_q, f_last_q, f_open_q, f_err_q;
  logic [IdW+DataW+2:0]       f_r_q;
  logic [IdW+64+8+3+2+16-1:0] f_ar_q;
  nic_pkg::bytes_t            f_item_q;
  logic [7:0]                 f_byte_q, f_due;
  logic [ByteW-1:0]           f_from;

  assign f_from = f_lane - lane;
  assign f_due  = mask[f_lane] ? win_data[8*f_from+:8] : 8'd0;

  // Items: as long as their jobs, one after the other, none before its job.
  logic [4:0]  f_jobs_q, f_items_q;
  logic [13*16-1:0] f_lens_q;
  logic [12:0] f_have_q, f_len;
  logic [13:0] f_now;
  assign f_len = f_lens_q[13*f_items_q[3:0]+:13];
  assign f_now = 14'(f_have_q) + 14'(item_i.bytes);

  always_ff @(posedge clk_i) begin
    f_r_wait_q    <= rst_ni && rvalid_o && !rready_i;
    f_ar_hold_q   <= rst_ni && arvalid_i && !arready_o;
    f_item_hold_q <= rst_ni && item_valid_i && !item_ready_o;
    f_step_q      <= rst_ni && step;
    f_in_q        <= mask[f_lane];
    f_last_q      <= last;
    f_byte_q      <= f_due;
    f_r_q         <= {rid_o, rdata_o, rresp_o, rlast_o};
    f_ar_q        <= {arid_i, araddr_i, arlen_i, arsize_i, arburst_i, aruser_i};
    f_item_q      <= item_i;
    if (job_valid_o && job_ready_i) f_lens_q[13*f_jobs_q[3:0]+:13] <= job_o.len;
    if (item_valid_i && item_ready_o) f_err_q <= item_i.err;
    if (!rst_ni) begin
      f_jobs_q  <= '0;
      f_items_q <= '0;
      f_have_q  <= '0;
      f_open_q  <= 1'b0;
    end else begin
      f_jobs_q <= f_jobs_q + 5'(job_valid_o && job_ready_i);
      if (item_valid_i && item_ready_o) begin
        f_items_q <= f_items_q + 5'(item_i.last);
        f_have_q  <= item_i.last ? '0 : f_now[12:0];
        f_open_q  <= !item_i.last;
      end
    end
  end

  `FV_COMB if (f_past_q && rst_ni) begin
    env_ar: assume (!f_ar_hold_q ||
                    (arvalid_i && {arid_i, araddr_i, arlen_i, arsize_i, arburst_i, aruser_i} == f_ar_q));
    env_item: assume (!f_item_hold_q || (item_valid_i && item_i == f_item_q));
    env_full: assume (!item_valid_i ||
                      (32'(item_i.bytes) <= BeatBytes && (item_i.last || 32'(item_i.bytes) == BeatBytes)));
    env_err: assume (!(item_valid_i && f_open_q) || item_i.err == f_err_q);
    env_job: assume (!item_valid_i || f_jobs_q != f_items_q);
    env_length: assume (!item_valid_i || (f_now <= 14'(f_len) && item_i.last == (f_now == 14'(f_len))));
    env_some: assume (!(item_valid_i && f_open_q) || item_i.bytes != '0);
  end

  logic [31:0] f_border, f_end;  // in the page: where the burst begins, with its first beat's border, and where it ends
  assign f_border = (32'(araddr_i[11:0]) >> arsize_i) << arsize_i;
  assign f_end    = f_border + ((32'(arlen_i) + 32'd1) << arsize_i);
  `FV_COMB if (f_past_q && rst_ni) begin
    if (arvalid_i) begin
      p4_bad: assert (bad == (arburst_i != 2'd1 || (32'd1 << arsize_i) > BeatBytes || f_end > 32'd4096));
      if (!bad)
        p3_bytes: assert (32'(araddr_i[11:0]) + 32'(job_o.len) == f_end && job_o.va == araddr_i &&
                          job_o.rid == aruser_i);
      if (bad) p4_none: assert (job_o.len == '0);
    end
    if (f_r_wait_q) p5_hold: assert (rvalid_o && {rid_o, rdata_o, rresp_o, rlast_o} == f_r_q);
    if (f_step_q) p1_lane: assert (rvalid_o && rdata_o[8*f_lane+:8] == f_byte_q && rlast_o == f_last_q);
    if (o_valid && !o_bad && 32'(bytes) <= BeatBytes && mask[f_lane])
      p1_beat: assert ((32'(f_lane) / 32'(bytes)) == (32'(lane) / 32'(bytes)) && f_lane >= lane);
    if (o_bad) p1_none: assert (!mask[f_lane]);
    c_many: cover (rvalid_o && rlast_o && f_in_q && rready_i);
    c_bad: cover (rvalid_o && rresp_o == 2'd2);
  end
