// SPDX-License-Identifier: Apache-2.0
// nic_rd_mux: those that read memory onto one nic_rd.
//
//   job[Sources] --> round robin --> job_o
//                        | whose
//                        v
//   item[Sources] <-- [ order ] <--- item_i       (nic_rd's items come in the order of the jobs)
//
// P1  Jobs leave unchanged, those of one source in order; sources that wait take turns.
// P2  The items arrive whole, unchanged, at the sources of their jobs, in order.
// P3  What is offered stays.
//
// An item that its source does not take holds up those behind it: a source must take each whatever else it waits for,
// and may wait for nothing that another source's item brings. Up to Jobs are under way: as many as nic_rd may have on
// the way. No cycle of latency, rate 1. Cost: a multiplexer of jobs, Jobs numbers.
`default_nettype none

module nic_rd_mux #(
  parameter int unsigned Sources = 4,
  parameter int unsigned Jobs = 32,
  localparam int unsigned JobW = nic_pkg::DmaW
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,

  // Those that read
  input  wire logic [Sources-1:0]        job_valid_i,
  output logic      [Sources-1:0]        job_ready_o,
  input  wire logic [Sources*JobW-1:0]   job_i,
  output logic      [Sources-1:0]        item_valid_o,
  input  wire logic [Sources-1:0]        item_ready_i,
  output nic_pkg::bytes_t                item_o,        // of all: valid says whose it is

  // To nic_rd
  output logic                           job_valid_o,
  input  wire logic                      job_ready_i,
  output nic_pkg::dma_t                  job_o,
  input  wire logic                      item_valid_i,
  output logic                           item_ready_o,
  input  wire nic_pkg::bytes_t           item_i
);

  if (Sources < 1 || Jobs < 1) begin : gen_bad_sources $error("nic_rd_mux: Sources and Jobs must be at least 1"); end

  localparam int unsigned IdxW = Sources > 1 ? $clog2(Sources) : 1;
  localparam int unsigned LevelW = $clog2(Jobs + 1);

  logic [Sources-1:0] gnt;
  logic [IdxW-1:0]    pick, whose;
  logic [LevelW-1:0]  level;  // jobs whose item has not gone: for the theorems
  logic               any, go, room, whose_valid;

  cm_rr_arb #(
    .N(Sources)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .req_i(job_valid_i),
    .advance_i(go),
    .valid_o(any),
    .gnt_o(gnt),
    .idx_o(pick)
  );

  cm_fifo #(
    .Width(IdxW),
    .Depth(Jobs)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(go),
    .in_ready_o(room),
    .in_data_i(pick),
    .out_valid_o(whose_valid),
    .out_ready_i(item_valid_i && item_ready_o && item_i.last),
    .out_data_o(whose),
    .level_o(level)
  );

  assign job_valid_o = any && room;
  assign go          = job_valid_o && job_ready_i;
  assign job_o       = job_i[32'(pick)*JobW+:JobW];
  assign job_ready_o = room && job_ready_i ? gnt : '0;

  assign item_o       = item_i;
  assign item_ready_o = whose_valid && item_ready_i[whose];

  always_comb begin
    item_valid_o = '0;
    item_valid_o[whose] = whose_valid && item_valid_i;
  end

`ifdef FORMAL
`include "nic_rd_mux_props.svh"
`endif

endmodule

`default_nettype wire
