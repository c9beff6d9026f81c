// SPDX-License-Identifier: Apache-2.0
// nic_wr_mux: those that write memory onto one nic_wr.
//
//   job[Sources] --> round robin --> job_o        done_i --> [ order ] --> | register | --> done_o[Sources]
//                        | whose
//                        v
//                    [ order ]
//                        v
//   pay[Sources] --> | whose | --> pay_o          (the item of each job, in the order of the jobs)
//
// P1  Jobs leave unchanged, those of one source in order; sources that wait take turns.
// P2  The items leave whole, unchanged, in the order of their jobs.
// P3  done_i, the end of the oldest job, is passed a cycle later to the source whose job it is.
// P4  What is offered stays.
//
// Every job has bytes (env_bytes): one without would end without done. Up to Ahead jobs are under way, which is more
// than nic_wr holds, so that items follow each other without a gap. Whose item is next stands in a register, one bit a
// source: pay_ready_o is that and pay_ready_i. Latency: none, but of an end a cycle; rate 1. Cost: two multiplexers,
// 2 x Ahead numbers.
`default_nettype none

module nic_wr_mux #(
  parameter int unsigned Sources = 4,
  parameter int unsigned Ahead = 8,
  localparam int unsigned JobW = nic_pkg::DmaW,
  localparam int unsigned BytesW = nic_pkg::BytesW
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  // Those that write
  input  wire logic [Sources-1:0]          job_valid_i,
  output logic      [Sources-1:0]          job_ready_o,
  input  wire logic [Sources*JobW-1:0]     job_i,
  input  wire logic [Sources-1:0]          pay_valid_i,
  output logic      [Sources-1:0]          pay_ready_o,
  input  wire logic [Sources*BytesW-1:0]   pay_i,
  output logic      [Sources-1:0]          done_o,

  // To nic_wr
  output logic                             job_valid_o,
  input  wire logic                        job_ready_i,
  output nic_pkg::dma_t                    job_o,
  output logic                             pay_valid_o,
  input  wire logic                        pay_ready_i,
  output nic_pkg::bytes_t                  pay_o,
  input  wire logic                        done_i
);

  if (Sources < 1 || Ahead < 1) begin : gen_bad_sources $error("nic_wr_mux: Sources and Ahead must be at least 1"); end

  localparam int unsigned IdxW = Sources > 1 ? $clog2(Sources) : 1;
  localparam int unsigned LevelW = $clog2(Ahead + 1);

  logic [Sources-1:0] gnt, whose_q, behind, done, done_q;
  logic [IdxW-1:0]    pick, ends;
  logic [LevelW-1:0]  level, ends_level;  // jobs behind whose_q, jobs whose end is still to come: for the theorems
  logic               any, go, ends_room, behind_valid, ends_valid, over;

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

  // A job that nobody is in front of is whose_q in the next cycle. There is room for each that u_ends has room for: its
  // end comes after its item.
  cm_fifo #(
    .Width(Sources),
    .Depth(Ahead)
  ) u_pays (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(go && (!over || behind_valid)),
    .in_ready_o(),
    .in_data_i(gnt),
    .out_valid_o(behind_valid),
    .out_ready_i(over),
    .out_data_o(behind),
    .level_o(level)
  );
  assign over = whose_q == '0 || (pay_valid_o && pay_ready_i && pay_o.last);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) whose_q <= '0;
    else if (over) whose_q <= behind_valid ? behind : go ? gnt : '0;
  end

  cm_fifo #(
    .Width(IdxW),
    .Depth(Ahead)
  ) u_ends (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(go),
    .in_ready_o(ends_room),
    .in_data_i(pick),
    .out_valid_o(ends_valid),
    .out_ready_i(done_i),
    .out_data_o(ends),
    .level_o(ends_level)
  );

  assign job_valid_o = any && ends_room;
  assign go          = job_valid_o && job_ready_i;
  assign job_ready_o = ends_room && job_ready_i ? gnt : '0;

  assign pay_valid_o = (whose_q & pay_valid_i) != '0;
  assign pay_ready_o = pay_ready_i ? whose_q : '0;

  // A sum of products: from an index that varies Yosys makes a multiplier and shifts every bit by all of its bits.
  always_comb begin
    job_o = '0;
    pay_o = '0;
    for (int unsigned s = 0; s < Sources; s++) begin
      if (gnt[s]) job_o = job_o | job_i[s*JobW+:JobW];
      if (whose_q[s]) pay_o = pay_o | pay_i[s*BytesW+:BytesW];
    end
  end

  always_comb begin
    done       = '0;
    done[ends] = ends_valid && done_i;
  end
  always_ff @(posedge clk_i) done_q <= rst_ni ? done : '0;
  assign done_o = done_q;

`ifdef FORMAL
`include "nic_wr_mux_props.svh"
`endif

endmodule

`default_nettype wire
