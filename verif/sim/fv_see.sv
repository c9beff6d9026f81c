// SPDX-License-Identifier: Apache-2.0
// fv_see: lets a proof look at registers inside the blocks of its top, by Yosys' attribute hierconn. No part of the
// product.
//
//   (* hierconn *) wire [2:0] \u_block.state_q ;      `flatten` joins it with the wire of that name
//   fv_see #(.W(3)) u_f_see (.inside_io(\u_block.state_q ), .seen_o(f_state));
//
// The port is an inout because `check`, which comes before `flatten`, wants a driver. A name that does not exist leaves
// the wire free, and a theorem about it fails. For theorems alone: an env_ that looked at it would say what the module
// does.
`default_nettype none

module fv_see #(
  parameter int unsigned W = 1
) (
  inout  wire [W-1:0] inside_io,
  output wire [W-1:0] seen_o
);

  assign seen_o = inside_io;

endmodule

`default_nettype wire
