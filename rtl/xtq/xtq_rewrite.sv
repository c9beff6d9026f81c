// SPDX-License-Identifier: Apache-2.0
// xtq_rewrite: puts what only the target knows into a command and into the first 16 bytes of its arguments.
//
//            0      8         16      24       32       40       48      56
//   kernel   |  as sent                       | code   | kernarg | 0     | signal | arguments: target, payload, as sent
//   function | sent | code    | target | payload | as sent       | 0     | signal | arguments: as sent
//
// P1  Kernel: kernel_object = the entry's code; kernarg_address = args_va_i, 0 without arguments.
// P2  Function: return_address = code; arg[0] = target buffer, if the entry has one; arg[1] = pay_va_i, 0 without
//     payload.
// P3  Both: completion_signal = the entry's (0: none), never the initiator's; bytes 48 to 55 = 0; all other bytes as
//     sent.
// P4  A kernel with arguments: their bytes 8 to 15 become those of arg_o (swap_o[1]), the address of the payload, 0
//     without payload; bytes 0 to 7 (swap_o[0]) the target buffer, if the entry has one, and otherwise they are as
//     sent. Nobody else's arguments change.
//
// Combinational. Cost: two multiplexers of 64 bits for the words that mean something else in a function, one for
// arg[0].
// Rules of README.md: RBF-5, RBF-6, RBF-7.
`default_nettype none

module xtq_rewrite (
  input  wire logic                        func_i,     // function; else kernel
  input  wire logic [511:0]                cmd_i,
  input  wire logic [xtq_pkg::EntryW-1:0]  entry_i,
  input  wire logic                        has_args_i,
  input  wire logic                        has_pay_i,
  input  wire logic [63:0]                 args_va_i,
  input  wire logic [63:0]                 pay_va_i,
  output logic      [511:0]                cmd_o,
  output logic      [1:0]                  swap_o,
  output logic      [127:0]                arg_o
);

  logic [63:0] code, target, pay;
  logic        has_target, unused;

  assign code       = entry_i[xtq_pkg::KerCode+:64];
  assign target     = entry_i[xtq_pkg::KerTarget+:64];
  assign has_target = entry_i[xtq_pkg::KerHasTarget];
  assign pay        = has_pay_i ? pay_va_i : '0;
  assign unused     = &{1'b0, entry_i[xtq_pkg::EntryW-1:xtq_pkg::KerHasTarget+1], entry_i[xtq_pkg::KerValid]};

  always_comb begin
    cmd_o = cmd_i;
    if (func_i) begin
      cmd_o[xtq_pkg::CmdReturn+:64] = code;
      if (has_target) cmd_o[xtq_pkg::CmdArg0+:64] = target;
      cmd_o[xtq_pkg::CmdArg1+:64] = pay;
    end else begin
      cmd_o[xtq_pkg::CmdKernel+:64]  = code;
      cmd_o[xtq_pkg::CmdKernarg+:64] = has_args_i ? args_va_i : '0;
    end
    cmd_o[xtq_pkg::CmdQueue+:64]  = '0;
    cmd_o[xtq_pkg::CmdSignal+:64] = entry_i[xtq_pkg::KerSignal+:64];
  end

  assign swap_o = {2{!func_i && has_args_i}} & {1'b1, has_target};
  assign arg_o  = {pay, target};

`ifdef FORMAL
`include "xtq_rewrite_props.svh"
`endif

endmodule

`default_nettype wire
