// SPDX-License-Identifier: Apache-2.0
// cm_rr_arb: round-robin arbiter.
//
//   req_i --+--> & mask --> lowest --+--> gnt_o, idx_o     mask: requests above the last one served
//           +-------------> lowest --+
//
// P1  gnt_o is one-hot when valid_o, else zero; it is a subset of req_i; idx_o is its number.
// P2  valid_o is high whenever any request is (work-conserving).
// P3  A grant that is not taken (valid_o without advance_i) stays where it is for as long as its request stays.
// P4  Fair: a request that stays is granted before N advances have gone to others.
//
// The grant is combinational from req_i; advance_i (ignored without valid_o) says that the granted item has gone.
// Cost: N flip-flops, 5 to 6 LUT4 a request (N = 4: 21, 8: 44, 16: 86; Yosys 0.23, -nowidelut -abc9), no cycle.
`default_nettype none

module cm_rr_arb #(
  parameter int unsigned N = 4,
  localparam int unsigned IdxW = N > 1 ? $clog2(N) : 1
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic [N-1:0]    req_i,
  input  wire logic            advance_i,
  output logic                 valid_o,
  output logic      [N-1:0]    gnt_o,
  output logic      [IdxW-1:0] idx_o
);

  if (N < 1) begin : gen_bad_n $error("cm_rr_arb: N must be at least 1"); end

  logic [N-1:0] mask_q, high, pool;
  logic [N-1:0] under;  // under[i]: a request of the pool below i

  assign high    = req_i & mask_q;
  assign pool    = |high ? high : req_i;
  assign gnt_o   = pool & ~under;
  assign valid_o = |req_i;

  assign under[0] = 1'b0;
  for (genvar i = 1; i < N; i++) begin : gen_under
    assign under[i] = |pool[i-1:0];
  end

  always_comb begin
    idx_o = '0;
    for (int unsigned i = 0; i < N; i++) if (gnt_o[i]) idx_o = idx_o | IdxW'(i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mask_q <= '0;
    // Taken: the granted request gets the worst place. Not taken: it keeps the best (P3).
    else if (valid_o) mask_q <= advance_i ? under : under | gnt_o;
  end

`ifdef FORMAL
`include "cm_rr_arb_props.svh"
`endif

endmodule

`default_nettype wire
