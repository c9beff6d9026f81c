// SPDX-License-Identifier: Apache-2.0
// cm_pkg: what every area shares.
`default_nettype none

package cm_pkg;

  // A write on the register bus: strobed bytes of what is written, the others of what is there.
  function automatic logic [63:0] merge(input logic [7:0] strb, input logic [63:0] written, input logic [63:0] there);
    for (int unsigned i = 0; i < 8; i++) merge[8*i+:8] = strb[i] ? written[8*i+:8] : there[8*i+:8];
  endfunction

endpackage

`default_nettype wire
