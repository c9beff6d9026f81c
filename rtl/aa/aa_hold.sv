// SPDX-License-Identifier: Apache-2.0
// aa_hold: stops decisions and translations for one of N users at a time (a register write, an invalidation).
//
//   req_i ---> owner ---> hold_o ---> pick, decide, translate
//               gnt_o <-- idle_i (nothing is being decided)
//
// P1  At most one grant, and only while decisions and translations stand still.
// P2  A grant stays until its request falls; nobody is granted in the cycle in which another lets go.
// P3  A request is granted as soon as it is alone and all stands still; users take turns.
//
// Cost: N + 3 flip-flops. A hold costs its user three cycles or more before the grant.
`default_nettype none

module aa_hold #(
  parameter int unsigned N = 2
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic [N-1:0]  req_i,
  output logic      [N-1:0]  gnt_o,
  output logic               hold_o,
  input  wire logic          idle_i
);

  logic [N-1:0] owner_q, turn;
  logic         any, done;
  logic [1:0]   still_q;  // cycles under hold: the look-up pipe has run dry after two

  cm_rr_arb #(
    .N(N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i,
    .advance_i(owner_q == '0),
    .valid_o(any),
    .gnt_o(turn),
    .idx_o()
  );

  assign done = (owner_q & req_i) == '0;
  assign hold_o = any;
  assign gnt_o = idle_i && still_q[1] ? owner_q & req_i : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q <= '0;
      still_q <= '0;
    end else begin
      if (owner_q == '0) owner_q <= turn;
      else if (done) owner_q <= '0;
      if (!any) still_q <= '0;
      else if (!still_q[1]) still_q <= still_q + 2'd1;
    end
  end

`ifdef FORMAL
`include "aa_hold_props.svh"
`endif

endmodule

`default_nettype wire
