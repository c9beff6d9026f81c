// SPDX-License-Identifier: Apache-2.0
// aa_leaf_bits: what the Active Access bits of a leaf say about one request: the table of "Decision", DEC-7, DEC-8 and
// DEC-10.
//
//   kind, zero, poisoned, bypass --+--> allowed, log (data_put | data_get), stock_log, stock_fault, stock_code
//   R W WL WLD RL RLD E -----------+
//
//               needs        L            D
//   write       W            WL | WLD     WLD             as a put
//   read        R            RL | RLD     RLD             as a get, never when denied
//   read, zero  R | W        RL | RLD     0               (write, zero: W, WL | WLD, 0)
//   atomic      R & W        any of four  WLD, else RLD   operands as a put; else the result as a
//                                                         get, never when denied
//
// P1  allowed_o is the column "needs", or bypass; a poisoned write or atomic is never allowed.
// P2  E=1: log_o = L. E=0: an allowed access with L is a stock record (0xA0), a denied one a stock fault (5: no W; 6:
//     no R). bypass: none of these. Poisoned: at most an access-log record without data.
// P3  data_put_o and data_get_o only with log_o, never both.
// P4  Every output is what an independent table says, for every input.
//
// The caller has settled DEC-1 to DEC-6. Kinds other than write, read and atomic are allowed only under bypass and say
// nothing. Combinational; cost about 20 LUTs.
// Rules of README.md: DEC-7, DEC-8, DEC-10, DEC-11, DEC-12.
`default_nettype none

module aa_leaf_bits (
  // Request
  input  wire aa_pkg::req_kind_e kind_i,
  input  wire logic              zero_i,      // Length 1 and no byte enabled (ignored for atomics)
  input  wire logic              poisoned_i,  // EP (ignored for reads)

  // Translation
  input  wire logic              bypass_i,
  input  wire logic              r_i,
  input  wire logic              w_i,
  input  wire logic              wl_i,
  input  wire logic              wld_i,
  input  wire logic              rl_i,
  input  wire logic              rld_i,
  input  wire logic              e_i,

  // Verdict
  output logic                   allowed_o,
  output logic                   log_o,
  output logic                   stock_log_o,
  output logic                   stock_fault_o,
  output logic      [7:0]        stock_code_o,  // 5, 6 or 0xA0; 0 without stock_log_o and stock_fault_o
  output logic                   data_put_o,
  output logic                   data_get_o
);

  logic is_write, is_read, is_atomic, poisoned, perm, wants, table_on;

  assign is_write  = kind_i == aa_pkg::ReqWrite;
  assign is_read   = kind_i == aa_pkg::ReqRead;
  assign is_atomic = kind_i == aa_pkg::ReqAtomic;
  assign poisoned  = poisoned_i && (is_write || is_atomic);
  assign table_on  = !bypass_i && (is_write || is_read || is_atomic);

  assign perm  = (is_write && w_i) || (is_read && (r_i || (zero_i && w_i))) || (is_atomic && r_i && w_i);
  assign wants = (!is_read && (wl_i || wld_i)) || (!is_write && (rl_i || rld_i));

  assign allowed_o     = !poisoned && (bypass_i || perm);
  assign log_o         = table_on && e_i && wants;
  assign stock_log_o   = table_on && !poisoned && !e_i && wants && perm;
  assign stock_fault_o = table_on && !poisoned && !e_i && !perm;
  assign stock_code_o  = stock_log_o ? aa_pkg::FltLogged : !stock_fault_o ? aa_pkg::FltNone :
                         is_read || w_i ? 8'(aa_pkg::FltRead) : 8'(aa_pkg::FltWrite);

  assign data_put_o = log_o && !poisoned && wld_i && (is_atomic || (is_write && !zero_i));
  assign data_get_o = log_o && !poisoned && rld_i && perm && ((is_atomic && !wld_i) || (is_read && !zero_i));

`ifdef FORMAL
`include "aa_leaf_bits_props.svh"
`endif

endmodule

`default_nettype wire
