// SPDX-License-Identifier: Apache-2.0
// px_pkg: what is kept of a request while it is on the link.
`default_nettype none

package px_pkg;

  typedef struct packed {
    logic atomic;
    logic [2:0] tc;
    logic [2:0] attr;  // ido, ro, ns
    logic [15:0] rid;
    logic t9;
    logic t8;
    logic [7:0] tag;
  } asked_t;
  localparam int unsigned AskedW = 1 + 3 + 3 + 16 + 2 + 8;

endpackage

`default_nettype wire
