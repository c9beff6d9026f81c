// SPDX-License-Identifier: Apache-2.0
// aa_request: the way of a request: port, translation, decision, and out to the host. Wiring only.
//
//   dev_req[p] -> aa_port -> lanes -> aa_xlt -> aa_pick -> aa_decide -> aa_mover -> host, log
//
// Hit latency: last beat in at cycle 0, aa_port; look-up 1, 2 (aa_xlt); judged 3, settled 4 (aa_decide); out at 5.
`default_nettype none

module aa_request #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Window = 8,
  parameter int unsigned PayDw = 2048,
  parameter int unsigned Walkers = 4,
  parameter int unsigned IotlbEntries = 64,
  parameter int unsigned IotlbWays = 4,
  parameter bit          IotlbRandom = 0,
  parameter int unsigned SpEntries = 4,
  parameter int unsigned CtxEntries = 16,
  parameter int unsigned PscEntries = 8,
  parameter bit          ActiveAccess = 1'b1,
  localparam int unsigned NumLanes = 2 * NumPorts,
  localparam int unsigned TlpW = cm_pkg::TlpW
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  // Settings
  input  wire logic                           te_i,
  input  wire logic                           aae_i,
  input  wire logic [63:12]                   root_i,
  input  wire logic [2:0]                     mps_i,
  input  wire logic [2:0]                     mrrs_i,
  input  wire logic [NumPorts*33-1:0]         filter_i,
  input  wire logic [31:0]                    wdog_i,
  input  wire logic [NumPorts-1:0]            old_i,
  input  wire logic [NumPorts-1:0]            old_fn_i,
  input  wire logic [15:0]                    fn_rid_i,
  output logic      [NumPorts*8-1:0]          np_wr_o,    // non-posted lanes, for aa_reset
  output logic      [NumPorts*8-1:0]          np_rd_o,
  output logic      [NumPorts-1:0]            np_done_o,

  // Hold, invalidation, drain
  input  wire logic                           hold_i,
  output logic                                idle_o,
  input  wire logic                           forget_i,
  input  wire logic                           inv_valid_i,
  input  wire aa_pkg::inval_t                 inv_i,
  output logic                                inv_done_o,
  input  wire logic                           snap_i,
  output logic                                drained_o,
  input  wire logic                           freed_i,

  // Devices
  input  wire logic [NumPorts-1:0]            dev_valid_i,
  output logic      [NumPorts-1:0]            dev_ready_o,
  input  wire logic [NumPorts*TlpW-1:0]       dev_beat_i,
  output logic      [NumPorts*8-1:0]          crd_ph_o,
  output logic      [NumPorts*12-1:0]         crd_pd_o,
  output logic      [NumPorts*8-1:0]          crd_nph_o,
  output logic      [NumPorts*12-1:0]         crd_npd_o,

  // Host
  output logic                                host_valid_o,
  input  wire logic                           host_ready_i,
  output cm_pkg::tlp_t                        host_beat_o,
  input  wire logic                           host_np_ready_i,

  // Walks
  output logic                                ar_valid_o,
  input  wire logic                           ar_ready_i,
  output logic      [63:0]                    ar_addr_o,
  output logic      [7:0]                     ar_id_o,
  output logic                                ar_wide_o,
  input  wire logic                           r_valid_i,
  output logic                                r_ready_o,
  input  wire logic [7:0]                     r_id_i,
  input  wire logic [127:0]                   r_data_i,
  input  wire logic                           r_err_i,

  // Access log and flush pages
  output logic      [9:0]                     cam_iuid_o,
  input  wire logic                           cam_hit_i,
  input  wire logic [4:0]                     cam_log_i,
  output logic      [63:12]                   page_o,
  input  wire logic                           page_hit_i,
  output logic                                rsv_next_o,
  output logic      [4:0]                     rsv_log_o,
  output logic      [8:0]                     rsv_units_o,
  input  wire logic                           rsv_never_i,
  input  wire logic                           rsv_space_i,
  input  wire logic                           rsv_drop_i,
  input  wire logic                           rsv_failed_i,
  input  wire aa_pkg::entry_id_t              rsv_id_i,
  input  wire logic [aa_pkg::HostAddrW-1:0]   rsv_addr_i,
  input  wire logic                           rsv_pad_i,
  input  wire logic [aa_pkg::HostAddrW-1:0]   rsv_pad_addr_i,
  input  wire logic [12:0]                    rsv_pad_bytes_i,
  output logic                                rsv_take_o,
  output logic                                rsv_lost_o,
  output logic                                put_valid_o,
  input  wire logic                           put_ready_i,
  output aa_pkg::put_log_t                    put_o,
  output logic                                put_data_valid_o,
  input  wire logic                           put_data_ready_i,
  output logic      [cm_pkg::DataW-1:0]       put_data_o,

  // Tag and flush buffers, UR
  output logic                                tag_look_o,
  output logic      [25:0]                    tag_key_o,
  input  wire logic                           tag_live_i,
  input  wire logic                           tag_ready_i,
  input  wire logic [7:0]                     tag_idx_i,
  output logic                                tag_may_o,
  output logic                                tag_valid_o,
  output aa_pkg::tag_alloc_t                  tag_o,
  input  wire logic                           flush_ready_i,
  input  wire logic [7:0]                     flush_idx_i,
  output logic                                flush_valid_o,
  output logic                                ur_valid_o,
  input  wire logic                           ur_ready_i,
  output logic      [1:0]                     d2_port_o,
  output logic      [cm_pkg::SeqW-1:0]        d2_seq_o,
  output logic      [127:0]                   d2_hdr_o,

  // Records
  output logic                                fault_valid_o,
  output aa_pkg::fault_t                      fault_o,
  output logic                                err_valid_o,
  output aa_pkg::err_t                        err_o,
  output logic                                ret_walk_valid_o,
  output aa_pkg::retire_t                     ret_walk_o,
  output logic                                ret_xlate_valid_o,
  output aa_pkg::retire_t                     ret_xlate_o,
  output logic                                ret_decide_valid_o,
  output aa_pkg::retire_t                     ret_decide_o,
  output aa_pkg::decide_event_t               event_o,
  output aa_pkg::xlt_event_t                  xlt_event_o,
  output logic      [4:0]                     wait_o         // levels: log space, tag, flush, host, translation
);

  logic [NumLanes*8-1:0] wr_ptr, rd_ptr, pk_ptr, xl_ptr, lk_idx;
  logic [NumLanes*aa_pkg::LookW-1:0] lk;
  logic [NumLanes*aa_pkg::ReqW-1:0] req;
  logic [NumPorts*8-1:0] after;
  logic [NumLanes-1:0] pay_valid, pay_ready;
  logic [NumLanes*cm_pkg::DataW-1:0] pay_data;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    aa_port #(
      .Window(Window),
      .PayDw(PayDw)
    ) u_port (
      .clk_i,
      .rst_ni,
      .mps_i,
      .mrrs_i,
      .dev_req_valid_i(dev_valid_i[p]),
      .dev_req_ready_o(dev_ready_o[p]),
      .dev_req_beat_i(dev_beat_i[TlpW*p+:TlpW]),
      .crd_ph_o(crd_ph_o[8*p+:8]),
      .crd_pd_o(crd_pd_o[12*p+:12]),
      .crd_nph_o(crd_nph_o[8*p+:8]),
      .crd_npd_o(crd_npd_o[12*p+:12]),
      .wr_ptr_o(wr_ptr[16*p+:16]),
      .rd_ptr_i(rd_ptr[16*p+:16]),
      .lk_idx_i(lk_idx[16*p+:16]),
      .lk_o(lk[2*aa_pkg::LookW*p+:2*aa_pkg::LookW]),
      .rd_idx_i(pk_ptr[16*p+:16]),
      .req_o(req[2*aa_pkg::ReqW*p+:2*aa_pkg::ReqW]),
      .after_o(after[8*p+:8]),
      .pay_valid_o(pay_valid[2*p+:2]),
      .pay_ready_i(pay_ready[2*p+:2]),
      .pay_data_o(pay_data[2*cm_pkg::DataW*p+:2*cm_pkg::DataW])
    );
  end

  logic res_valid, res_write;
  logic [3:0] res_lane;
  logic [7:0] res_idx;
  aa_pkg::xlate_t res;

  aa_xlt #(
    .NumLanes(NumLanes),
    .Window(Window),
    .Walkers(Walkers),
    .IotlbEntries(IotlbEntries),
    .IotlbWays(IotlbWays),
    .IotlbRandom(IotlbRandom),
    .SpEntries(SpEntries),
    .CtxEntries(CtxEntries),
    .PscEntries(PscEntries)
  ) u_xlt (
    .clk_i,
    .rst_ni,
    .te_i,
    .aae_i(aae_i && ActiveAccess),
    .root_i,
    .hold_i,
    .forget_i,
    .inv_valid_i,
    .inv_i,
    .inv_done_o,
    .wr_ptr_i(wr_ptr),
    .rd_ptr_i(rd_ptr),
    .lk_idx_o(lk_idx),
    .lk_i(lk),
    .xl_ptr_o(xl_ptr),
    .res_valid_o(res_valid),
    .res_write_o(res_write),
    .res_lane_o(res_lane),
    .res_idx_o(res_idx),
    .res_o(res),
    .ar_valid_o,
    .ar_ready_i,
    .ar_addr_o,
    .ar_id_o,
    .ar_wide_o,
    .r_valid_i,
    .r_ready_o,
    .r_id_i,
    .r_data_i,
    .r_err_i,
    .ret_walk_valid_o,
    .ret_walk_o,
    .ret_xlate_valid_o,
    .ret_xlate_o,
    .ev_hit_o(xlt_event_o.hit),
    .ev_fill_o(xlt_event_o.walk_ended),
    .ev_fault_o(xlt_event_o.walk_fault),
    .ev_tlb_fill_o(xlt_event_o.tlb_fill),
    .ev_ctx_fill_o(xlt_event_o.ctx_fill),
    .ev_walk_o(xlt_event_o.walk_begun)
  );

  logic pick_valid, pick_ready, done_valid, back, rest, wake;
  logic [3:0] pick_lane, done_lane, back_lane;
  aa_pkg::req_t pick_req;
  aa_pkg::xlate_t pick_res, dec_res;

  aa_pick #(
    .NumPorts(NumPorts),
    .Window(Window)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .hold_i,
    .pk_ptr_o(pk_ptr),
    .rd_ptr_o(rd_ptr),
    .req_i(req),
    .after_i(after),
    .xl_ptr_i(xl_ptr),
    .res_valid_i(res_valid),
    .res_write_i(res_write),
    .res_lane_i(res_lane),
    .res_idx_i(res_idx),
    .res_i(res),
    .pick_valid_o(pick_valid),
    .pick_ready_i(pick_ready),
    .pick_lane_o(pick_lane),
    .pick_req_o(pick_req),
    .pick_res_o(pick_res),
    .done_valid_i(done_valid),
    .done_lane_i(done_lane),
    .back_i(back),
    .rest_i(rest),
    .back_lane_i(back_lane),
    .wake_i(wake)
  );

  // A memory keeps synthesis from seeing that these bits are never set without Active Access.
  always_comb begin
    dec_res = pick_res;
    if (!ActiveAccess) begin
      dec_res.wl = 1'b0;
      dec_res.wld = 1'b0;
      dec_res.rl = 1'b0;
      dec_res.rld = 1'b0;
      dec_res.e = 1'b0;
      dec_res.iuid = '0;
    end
  end

  logic move_valid, move_ready;
  aa_pkg::move_t move;

  aa_decide #(
    .NumPorts(NumPorts)
  ) u_decide (
    .clk_i,
    .rst_ni,
    .hold_i,
    .idle_o,
    .filter_i,
    .wdog_i,
    .old_i,
    .old_fn_i,
    .fn_rid_i,
    .pick_valid_i(pick_valid),
    .pick_ready_o(pick_ready),
    .pick_lane_i(pick_lane),
    .pick_req_i(pick_req),
    .pick_res_i(dec_res),
    .done_valid_o(done_valid),
    .done_lane_o(done_lane),
    .back_o(back),
    .rest_o(rest),
    .back_lane_o(back_lane),
    .wake_o(wake),
    .freed_i,
    .cam_iuid_o,
    .cam_hit_i,
    .cam_log_i,
    .page_o,
    .page_hit_i,
    .rsv_next_o,
    .rsv_log_o,
    .rsv_units_o,
    .rsv_never_i,
    .rsv_space_i,
    .rsv_drop_i,
    .rsv_failed_i,
    .rsv_id_i,
    .rsv_addr_i,
    .rsv_pad_i,
    .rsv_pad_addr_i,
    .rsv_pad_bytes_i,
    .rsv_take_o,
    .rsv_lost_o,
    .tag_look_o,
    .tag_key_o,
    .tag_live_i,
    .tag_ready_i,
    .tag_idx_i,
    .tag_may_o,
    .tag_valid_o,
    .tag_o,
    .flush_ready_i,
    .flush_idx_i,
    .flush_valid_o,
    .ur_valid_o,
    .ur_ready_i,
    .d2_port_o,
    .d2_seq_o,
    .d2_hdr_o,
    .move_valid_o(move_valid),
    .move_ready_i(move_ready),
    .move_o(move),
    .host_np_ready_i,
    .fault_valid_o,
    .fault_o,
    .err_valid_o,
    .err_o,
    .ret_valid_o(ret_decide_valid_o),
    .ret_o(ret_decide_o),
    .event_o,
    .wait_o(wait_o[3:0])
  );
  assign wait_o[4] = wr_ptr != xl_ptr;
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p++) begin
      np_wr_o[8*p+:8] = wr_ptr[16*p+8+:8];
      np_rd_o[8*p+:8] = rd_ptr[16*p+8+:8];
      np_done_o[p] = done_valid && done_lane == 4'(2 * p + 1);
    end
  end

  aa_mover #(
    .NumPorts(NumPorts)
  ) u_mover (
    .clk_i,
    .rst_ni,
    .move_valid_i(move_valid),
    .move_ready_o(move_ready),
    .move_i(move),
    .pay_valid_i(pay_valid),
    .pay_ready_o(pay_ready),
    .pay_data_i(pay_data),
    .host_valid_o,
    .host_ready_i,
    .host_beat_o,
    .put_valid_o,
    .put_ready_i,
    .put_o,
    .data_valid_o(put_data_valid_o),
    .data_ready_i(put_data_ready_i),
    .data_o(put_data_o),
    .snap_i,
    .drained_o
  );

endmodule

`default_nettype wire
