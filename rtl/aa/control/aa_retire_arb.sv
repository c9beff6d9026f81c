// SPDX-License-Identifier: Apache-2.0
// aa_retire_arb: lets one of N sources notify in a cycle, since RetNotify records have one retire slot a cycle.
//
//   note_valid_i[N] --> round robin --> turn --+--> note_ready_o: the source's action happens now
//   note_i[N] ---------------------------------+--> ret_valid_o, ret_o
//
// P1  At most one source is ready in a cycle, and its record is the one that retires. P2  Whenever one waits, somebody
//     has the turn in the next cycle; who then asks no more has wasted it.
// P3  A source that stays is served after N cycles at most.
//
// The sources are far from each other, so the turn is known a cycle ahead. Cost: a cycle, 2 N flip-flops.
`default_nettype none

module aa_retire_arb #(
  parameter int unsigned N = 4
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic [N-1:0]                  note_valid_i,
  output logic      [N-1:0]                  note_ready_o,
  input  wire logic [N*aa_pkg::RetireW-1:0]  note_i,
  output logic                               ret_valid_o,
  output aa_pkg::retire_t                    ret_o
);

  logic [aa_pkg::RetireW-1:0] sum;
  logic [N-1:0]               turn, turn_q;

  cm_rr_arb #(
    .N(N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(note_valid_i & ~turn_q),
    .advance_i(1'b1),
    .valid_o(),
    .gnt_o(turn),
    .idx_o()
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= '0;
    else turn_q <= turn;
  end
  assign note_ready_o = turn_q & note_valid_i;
  assign ret_valid_o  = |note_ready_o;

  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i < N; i++) if (note_ready_o[i]) sum = sum | note_i[aa_pkg::RetireW*i+:aa_pkg::RetireW];
  end
  assign ret_o = sum;

`ifdef FORMAL
`include "aa_retire_arb_props.svh"
`endif

endmodule

`default_nettype wire
