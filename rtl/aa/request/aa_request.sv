// SPDX-License-Identifier: Apache-2.0
// aa_request: the way of a request until it is decided: port, lane, translation, choice. Wiring only.
//
//   dev_req[p] -> aa_port -> lanes -> aa_xlt -> aa_pick -> (aa_decide)
//                              +----- payload -----------> (aa_mover)
//
// Latency of a hit: last beat in at cycle 0, aa_port; look-up 1, 2 (aa_xlt); chosen in 2, for aa_decide in 3.
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
  output logic      [NumPorts*8-1:0]          np_wr_o,    // non-posted lanes, for aa_reset
  output logic      [NumPorts*8-1:0]          np_rd_o,
  output logic      [NumPorts-1:0]            np_done_o,

  // Hold, invalidation, drain
  input  wire logic                           hold_i,
  input  wire logic                           forget_i,
  input  wire logic                           inv_valid_i,
  input  wire aa_pkg::inval_t                 inv_i,
  output logic                                inv_done_o,
  output logic                                inv_wait_o,  // the next one waits for what the last one threw back

  // Devices
  input  wire logic [NumPorts-1:0]            dev_valid_i,
  output logic      [NumPorts-1:0]            dev_ready_o,
  input  wire logic [NumPorts*TlpW-1:0]       dev_beat_i,
  output logic      [NumPorts*8-1:0]          crd_ph_o,
  output logic      [NumPorts*12-1:0]         crd_pd_o,
  output logic      [NumPorts*8-1:0]          crd_nph_o,
  output logic      [NumPorts*12-1:0]         crd_npd_o,

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

  // To aa_decide: the request that is chosen, and what became of earlier ones
  output logic                                pick_valid_o,
  input  wire logic                           pick_ready_i,
  output logic      [3:0]                     pick_lane_o,
  output aa_pkg::req_t                        pick_req_o,
  output aa_pkg::xlate_t                      pick_res_o,
  input  wire logic                           done_valid_i,
  input  wire logic [3:0]                     done_lane_i,
  input  wire logic                           back_i,
  input  wire logic                           rest_i,
  input  wire logic [3:0]                     back_lane_i,
  input  wire logic                           wake_i,

  // To aa_mover: payload at the head of each lane
  output logic      [NumLanes-1:0]            pay_valid_o,
  input  wire logic [NumLanes-1:0]            pay_ready_i,
  output logic      [NumLanes*cm_pkg::DataW-1:0] pay_data_o,

  // Records
  output logic                                ret_walk_valid_o,
  output aa_pkg::retire_t                     ret_walk_o,
  output logic                                ret_xlate_valid_o,
  output aa_pkg::retire_t                     ret_xlate_o,
  output aa_pkg::xlt_event_t                  xlt_event_o,
  output logic                                wait_o  // level: a request waits for its translation
);

  logic [NumLanes*8-1:0] wr_ptr, rd_ptr, pk_ptr, xl_ptr, lk_idx;
  logic [NumLanes*aa_pkg::LookupW-1:0] lk;
  logic [NumLanes*aa_pkg::ReqW-1:0] req;

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
      .lk_o(lk[2*aa_pkg::LookupW*p+:2*aa_pkg::LookupW]),
      .rd_idx_i(pk_ptr[16*p+:16]),
      .req_o(req[2*aa_pkg::ReqW*p+:2*aa_pkg::ReqW]),
      .pay_valid_o(pay_valid_o[2*p+:2]),
      .pay_ready_i(pay_ready_i[2*p+:2]),
      .pay_data_o(pay_data_o[2*cm_pkg::DataW*p+:2*cm_pkg::DataW])
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

  aa_grace #(
    .NumLanes(NumLanes),
    .Window(Window)
  ) u_grace (
    .clk_i,
    .rst_ni,
    .forget_i,
    .wr_ptr_i(wr_ptr),
    .rd_ptr_i(rd_ptr),
    .xl_ptr_i(xl_ptr),
    .wait_o(inv_wait_o)
  );

  aa_pkg::xlate_t pick_res;

  aa_pick #(
    .NumPorts(NumPorts),
    .Window(Window)
  ) u_pick (
    .clk_i,
    .rst_ni,
    .hold_i,
    .wr_ptr_i(wr_ptr),
    .pk_ptr_o(pk_ptr),
    .rd_ptr_o(rd_ptr),
    .req_i(req),
    .xl_ptr_i(xl_ptr),
    .res_valid_i(res_valid),
    .res_write_i(res_write),
    .res_lane_i(res_lane),
    .res_idx_i(res_idx),
    .res_i(res),
    .pick_valid_o,
    .pick_ready_i,
    .pick_lane_o,
    .pick_req_o,
    .pick_res_o(pick_res),
    .done_valid_i,
    .done_lane_i,
    .back_i,
    .rest_i,
    .back_lane_i,
    .wake_i
  );

  // A memory keeps synthesis from seeing that these bits are never set without Active Access.
  always_comb begin
    pick_res_o = pick_res;
    if (!ActiveAccess) begin
      pick_res_o.wl = 1'b0;
      pick_res_o.wld = 1'b0;
      pick_res_o.rl = 1'b0;
      pick_res_o.rld = 1'b0;
      pick_res_o.e = 1'b0;
      pick_res_o.iuid = '0;
    end
  end

  assign wait_o = wr_ptr != xl_ptr;
  always_comb begin
    for (int unsigned p = 0; p < NumPorts; p++) begin
      np_wr_o[8*p+:8] = wr_ptr[16*p+8+:8];
      np_rd_o[8*p+:8] = rd_ptr[16*p+8+:8];
      np_done_o[p] = done_valid_i && done_lane_i == 4'(2 * p + 1);
    end
  end

endmodule

`default_nettype wire
