// SPDX-License-Identifier: Apache-2.0
// aa_note: lets one of N sources notify in a cycle, since RetNotify records have one retire slot a cycle.
//
//   note_valid_i[N], note_i[N] --> round robin --> ret_valid_o, ret_o        note_ready_o: the source's action happens now
//
// P1  At most one source is ready in a cycle, and its record is the one that retires. P2  Whenever one waits, one goes.
// P3  A source that stays is served within N cycles.
//
// Cost: no cycle, N flip-flops.
`default_nettype none

module aa_note #(
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

  cm_rr_arb #(
    .N(N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(note_valid_i),
    .advance_i(1'b1),
    .valid_o(ret_valid_o),
    .gnt_o(note_ready_o),
    .idx_o()
  );

  always_comb begin
    sum = '0;
    for (int unsigned i = 0; i < N; i++) if (note_ready_o[i]) sum = sum | note_i[aa_pkg::RetireW*i+:aa_pkg::RetireW];
  end
  assign ret_o = sum;

`ifdef FORMAL
`include "aa_note_props.svh"
`endif

endmodule

`default_nettype wire
