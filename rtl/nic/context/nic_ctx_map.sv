// SPDX-License-Identifier: Apache-2.0
// nic_ctx_map: which context is in which place.
//
//   look, find {context} --> [ Contexts x {here, place} ] --> hit, place (a cycle later)
//   place ----------------> [ NumQps x context ] ----------> context (same cycle)
//   set {context, here, place}, sweep: nothing is anywhere
//
// P1  What is looked for in one cycle is answered in the next: whether the context is in a place, and in which. It is
//     what the last set_i of that context said, and no, if none has been since the last sweep.
// P2  look_ready_o: look_valid_i is answered. It is low while find_valid_i or set_valid_i is up, and during a sweep.
// P3  at_ctx_o is the context that was last set to be at at_place_i.
// P4  busy_o from the cycle after sweep_i on, for Contexts cycles; nobody sets or finds then (env).
//
// Before the first sweep nothing is known (env: nobody asks). A set wins over the sweep's beginning.
// Cost: block RAM of Contexts x 9 bits, LUT RAM of NumQps x 12, a counter.
// Rules of README.md: CTX-1.
`default_nettype none

module nic_ctx_map #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Contexts = 64,
  localparam int unsigned CtxW = $clog2(Contexts)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic            sweep_i,
  output logic                 busy_o,

  // Frames: when there is nothing else to be done
  input  wire logic            look_valid_i,
  input  wire logic [CtxW-1:0] look_ctx_i,
  output logic                 look_ready_o,

  // nic_ctx_swap
  input  wire logic            find_valid_i,
  input  wire logic [CtxW-1:0] find_ctx_i,

  // The answer to either
  output logic                 hit_o,
  output logic      [7:0]      place_o,

  // Changes
  input  wire logic            set_valid_i,
  input  wire logic [CtxW-1:0] set_ctx_i,
  input  wire logic            set_here_i,
  input  wire logic [7:0]      set_place_i,

  input  wire logic [7:0]      at_place_i,
  output logic      [CtxW-1:0] at_ctx_o
);

  if (Contexts < 2 || (Contexts & (Contexts - 1)) != 0) begin : gen_bad_contexts
    $error("nic_ctx_map: Contexts must be a power of two, at least 2");
  end
  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_ctx_map: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);

  logic            busy_q, re;
  logic [CtxW-1:0] sweep_q, raddr;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (sweep_i) busy_q <= 1'b1;
    else if (sweep_q == '1) busy_q <= 1'b0;
  end
  always_ff @(posedge clk_i) sweep_q <= busy_q && !sweep_i ? sweep_q + CtxW'(1) : '0;
  assign busy_o = busy_q;

  assign look_ready_o = !find_valid_i && !set_valid_i && !busy_q;
  assign re           = find_valid_i || (look_valid_i && look_ready_o);
  assign raddr        = find_valid_i ? find_ctx_i : look_ctx_i;

  cm_ram #(
    .Width(9),
    .Depth(Contexts)
  ) u_places (
    .clk_i,
    .we_i(set_valid_i || busy_q),
    .waddr_i(busy_q ? sweep_q : set_ctx_i),
    .wdata_i(busy_q ? 9'd0 : {set_here_i, set_place_i}),
    .re_i(re && rst_ni),
    .raddr_i(raddr),
    .rdata_o({hit_o, place_o})
  );

  cm_lutram #(
    .Width(CtxW),
    .Depth(NumQps)
  ) u_contexts (
    .clk_i,
    .we_i(set_valid_i && set_here_i),
    .waddr_i(set_place_i[IdxW-1:0]),
    .wdata_i(set_ctx_i),
    .raddr_i(at_place_i[IdxW-1:0]),
    .rdata_o(at_ctx_o)
  );

  logic unused;
  assign unused = ^at_place_i;

`ifdef FORMAL
`include "nic_ctx_map_props.svh"
`endif

endmodule

`default_nettype wire
