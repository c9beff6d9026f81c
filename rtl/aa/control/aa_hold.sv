// SPDX-License-Identifier: Apache-2.0
// aa_hold: stops decisions and translations for one of N users at a time (a register write, an invalidation).
//
//   req_i ---> owner ---> hold_o ---> pick, decide, translate
//               gnt_o <-- idle_i (nothing is being decided)
//
// P1  At most one grant, and only while decisions and translations stand still.
// P2  A grant stays until its request falls; nobody is granted in the cycle in which another lets go.
// P3  A request is granted as soon as it is alone and all has stood still for a cycle; users take turns.
// P4  The hold outlasts the request by a cycle: what a user does in its last cycle may arrive a cycle later.
//
// idle_i is late and the grant goes far, so a register is between them: what stands still under hold stays so; and the
// hold itself comes from a register. Cost: N + 4 flip-flops. A hold costs its user four cycles or more before the
// grant.
// Rules of README.md: INV-12.
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
  logic         done, calm_q;
  logic [1:0]   still_q;  // cycles under hold: the look-up pipe has run dry after two

  cm_rr_arb #(
    .N(N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i,
    .advance_i(owner_q == '0),
    .valid_o(),
    .gnt_o(turn),
    .idx_o()
  );

  assign done = (owner_q & req_i) == '0;
  assign hold_o = owner_q != '0;  // a cycle after the request: what waits for it begins at a register
  assign gnt_o = calm_q && still_q[1] ? owner_q & req_i : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owner_q <= '0;
      still_q <= '0;
      calm_q <= 1'b0;
    end else begin
      if (owner_q == '0) owner_q <= turn;
      else if (done) owner_q <= '0;
      if (!hold_o) still_q <= '0;
      else if (!still_q[1]) still_q <= still_q + 2'd1;
      calm_q <= hold_o && idle_i;
    end
  end

`ifdef FORMAL
`include "aa_hold_props.svh"
`endif

endmodule

`default_nettype wire
