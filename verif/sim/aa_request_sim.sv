// SPDX-License-Identifier: Apache-2.0
// aa_request_sim: aa_request alone, as the top of a proof that aa_port, aa_xlt and aa_pick are what aa_xlt takes its
// neighbours to be. Wires only, credits and payload left open; no part of the product.
`default_nettype none

module aa_request_sim #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Window = 2,
  parameter int unsigned PayDw = 64,
  parameter int unsigned Walkers = 2,
  parameter int unsigned IotlbEntries = 2,
  parameter int unsigned IotlbWays = 2,
  parameter bit          IotlbRandom = 0,
  parameter int unsigned SpEntries = 1,
  parameter int unsigned CtxEntries = 2,
  parameter int unsigned PscEntries = 2,
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

  // Records
  output logic                                ret_walk_valid_o,
  output aa_pkg::retire_t                     ret_walk_o,
  output logic                                ret_xlate_valid_o,
  output aa_pkg::retire_t                     ret_xlate_o,
  output aa_pkg::xlt_event_t                  xlt_event_o,
  output logic                                wait_o  // level: a request waits for its translation
);

  aa_request #(
    .NumPorts(NumPorts),
    .Window(Window),
    .PayDw(PayDw),
    .Walkers(Walkers),
    .IotlbEntries(IotlbEntries),
    .IotlbWays(IotlbWays),
    .IotlbRandom(IotlbRandom),
    .SpEntries(SpEntries),
    .CtxEntries(CtxEntries),
    .PscEntries(PscEntries),
    .ActiveAccess(ActiveAccess)
  ) u_request (
    .clk_i,
    .rst_ni,
    .te_i,
    .aae_i,
    .root_i,
    .mps_i,
    .mrrs_i,
    .np_wr_o,
    .np_rd_o,
    .np_done_o,
    .hold_i,
    .forget_i,
    .inv_valid_i,
    .inv_i,
    .inv_done_o,
    .inv_wait_o,
    .dev_valid_i,
    .dev_ready_o,
    .dev_beat_i,
    .crd_ph_o(),
    .crd_pd_o(),
    .crd_nph_o(),
    .crd_npd_o(),
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
    .pick_valid_o,
    .pick_ready_i,
    .pick_lane_o,
    .pick_req_o,
    .pick_res_o,
    .done_valid_i,
    .done_lane_i,
    .back_i,
    .rest_i,
    .back_lane_i,
    .wake_i,
    .pay_valid_o,
    .pay_ready_i,
    .pay_data_o(),
    .ret_walk_valid_o,
    .ret_walk_o,
    .ret_xlate_valid_o,
    .ret_xlate_o,
    .xlt_event_o,
    .wait_o
  );

`ifdef FORMAL
`include "aa_request_sim_props.svh"
`endif

endmodule

`default_nettype wire
