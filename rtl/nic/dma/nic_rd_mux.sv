// SPDX-License-Identifier: Apache-2.0
// nic_rd_mux: those that read memory onto one nic_rd.
//
//   job[Sources] --> turn --> job_o
//                        | whose
//                        v
//   item[Sources] <-- | whose | <-- [ order ]     (nic_rd's items come in the order of the jobs)
//                         ^-- item_i
//
// P1  Jobs leave unchanged, those of one source in order; sources that wait take turns: the turn goes to the next that
//     has a job, when the source that had it has given one or has none.
// P2  The items arrive whole, unchanged, at the sources of their jobs, in order.
// P3  What is offered stays.
// P4  A job that waits alone is offered in the next cycle, and at once if the last turn was its source's.
//
// Whose turn it is stands in a register: that a source has a job is known late, and is none of the others' business.
// So does whose the next item is, since the order is deep; an item waits if it comes in the two cycles behind its job.
// An item that its source does not take holds up those behind it: a source must take each whatever else it waits for,
// and may wait for nothing that another source's item brings. Jobs and one are under way: as many as nic_rd may have on
// the way. A cycle of latency where the turn was another's, rate 1. Cost: a multiplexer of jobs, Jobs numbers.
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

  logic [IdxW-1:0]    turn_q, next, behind, whose_q;
  logic [LevelW-1:0]  level;  // jobs behind whose_q: for the theorems
  logic               has, go, room, behind_valid, whose_valid_q, over;

  // The next one behind turn_q that has a job, else those before it.
  always_comb begin
    next = turn_q;
    for (int unsigned i = Sources; i > 0; i--) if (job_valid_i[i-1] && IdxW'(i - 1) < turn_q) next = IdxW'(i - 1);
    for (int unsigned i = Sources; i > 0; i--) if (job_valid_i[i-1] && IdxW'(i - 1) > turn_q) next = IdxW'(i - 1);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= '0;
    else if (go || !has) turn_q <= next;
  end

  cm_fifo #(
    .Width(IdxW),
    .Depth(Jobs)
  ) u_order (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(go),
    .in_ready_o(room),
    .in_data_i(turn_q),
    .out_valid_o(behind_valid),
    .out_ready_i(over),
    .out_data_o(behind),
    .level_o(level)
  );
  assign over = !whose_valid_q || (item_valid_i && item_ready_o && item_i.last);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) whose_valid_q <= 1'b0;
    else if (over) whose_valid_q <= behind_valid;
  end
  always_ff @(posedge clk_i) if (over) whose_q <= behind;

  assign has         = job_valid_i[turn_q];
  assign job_valid_o = has && room;
  assign go          = job_valid_o && job_ready_i;
  assign job_o       = job_i[32'(turn_q)*JobW+:JobW];
  always_comb begin
    job_ready_o = '0;
    job_ready_o[turn_q] = room && job_ready_i;
  end

  assign item_o       = item_i;
  assign item_ready_o = whose_valid_q && item_ready_i[whose_q];

  always_comb begin
    item_valid_o = '0;
    item_valid_o[whose_q] = whose_valid_q && item_valid_i;
  end

`ifdef FORMAL
`include "nic_rd_mux_props.svh"
`endif

endmodule

`default_nettype wire
