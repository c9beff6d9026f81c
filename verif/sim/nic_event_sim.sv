// SPDX-License-Identifier: Apache-2.0
// nic_event_sim: nic_event alone, as the top of a proof that looks into its rings (fv_see). Wires only; no part of
// the product.
`default_nettype none

module nic_event_sim #(
  parameter int unsigned NumProcs = 2,
  parameter int unsigned Sources = 2
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_ni,
  input  wire logic [15:0]                          cfg_rid_i,

  // Register bus
  input  wire cm_pkg::reg_bus_t                     rb_i,
  output logic      [63:0]                          rb_rdata_o,

  // Places: 0 responder, 1 requester, 2 tasks
  input  wire logic [2:0]                           rsv_valid_i,
  input  wire logic [3*nic_pkg::ProcW-1:0]          rsv_proc_i,
  output logic      [2:0]                           rsv_ok_o,
  output logic                                      rsv_wait_o,   // the responder asks for none of its process now
  input  wire logic [2:0]                           back_valid_i,
  input  wire logic [3*nic_pkg::ProcW-1:0]          back_proc_i,
  input  wire logic [3*6-1:0]                       back_num_i,

  // Events
  input  wire logic [Sources-1:0]                   ev_valid_i,
  output logic      [Sources-1:0]                   ev_ready_o,
  input  wire logic [Sources*nic_pkg::EventW-1:0]   ev_i,

  // Writes
  output logic                                      job_valid_o,
  input  wire logic                                 job_ready_i,
  output nic_pkg::dma_t                             job_o,
  output logic                                      pay_valid_o,
  input  wire logic                                 pay_ready_i,
  output nic_pkg::bytes_t                           pay_o,

  output logic                                      ret_valid_o,
  output nic_pkg::retire_t                          ret_o
);

  nic_event #(
    .NumProcs(NumProcs),
    .Sources(Sources)
  ) u_event (
    .clk_i,
    .rst_ni,
    .cfg_rid_i,
    .rb_i,
    .rb_rdata_o,
    .rsv_valid_i,
    .rsv_proc_i,
    .rsv_ok_o,
    .rsv_wait_o,
    .back_valid_i,
    .back_proc_i,
    .back_num_i,
    .ev_valid_i,
    .ev_ready_o,
    .ev_i,
    .job_valid_o,
    .job_ready_i,
    .job_o,
    .pay_valid_o,
    .pay_ready_i,
    .pay_o,
    .ret_valid_o,
    .ret_o
  );

`ifdef FORMAL
`include "nic_event_sim_props.svh"
`endif

endmodule

`default_nettype wire
