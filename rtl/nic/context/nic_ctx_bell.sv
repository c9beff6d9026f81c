// SPDX-License-Identifier: Apache-2.0
// nic_ctx_bell: bells of contexts: the last producer of each, and the order in which they are served.
//
//   bell {context, producer} --> [ Contexts x {queued, rung, producer} ] --+--> producer (take)
//                                    | not queued                          |
//                                    v                                     |
//                                [ Contexts x context ] --> first ---------+--> behind the others, if it still rings
//
// P1  After a bell its context rings, with this producer, until it is taken: take_i answers with whether it rings and
//     with the last producer, and ends the ringing; peek_i answers the same and ends nothing.
// P2  A context that rings is in the queue, once. first_o is the one that came first; pop_i takes it out, and puts it
//     behind the others if it still rings.
// P3  done_o tells of the end of take_i, peek_i or pop_i, one of which stays until then; bells after the cycle of
//     begun_o come after it. A bell is never lost, whatever else is asked for: it waits for one of these at most.
// P4  After sweep_i, when busy_o falls, nothing rings and the queue is empty.
//
// Bells come 3 cycles apart at least, and none during a sweep (env). An answer comes 1 cycle after the asking, 2 more
// behind a bell. Cost: block RAM of Contexts x 18 and of Contexts x log2(Contexts) bits, 60 flip-flops.
// Rules of README.md: CTX-4.
`default_nettype none

module nic_ctx_bell #(
  parameter int unsigned Contexts = 64,
  localparam int unsigned CtxW = $clog2(Contexts)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic            sweep_i,
  output logic                 busy_o,

  input  wire logic            bell_valid_i,
  input  wire logic [CtxW-1:0] bell_ctx_i,
  input  wire logic [15:0]     bell_prod_i,

  // The queue
  output logic                 first_valid_o,
  output logic      [CtxW-1:0] first_o,

  // nic_ctx_swap: take and peek are of this context, pop of the first
  input  wire logic            take_i,
  input  wire logic            peek_i,
  input  wire logic            pop_i,
  input  wire logic [CtxW-1:0] ctx_i,
  output logic                 begun_o,
  output logic                 done_o,
  output logic                 rings_o,
  output logic      [15:0]     prod_o
);

  if (Contexts < 4 || (Contexts & (Contexts - 1)) != 0) begin : gen_bad_contexts
    $error("nic_ctx_bell: Contexts must be a power of two, at least 4");
  end

  // ---- one thing at a time: read a word, a cycle later write it ----
  logic            sweep_q, wait_q, step_q, bell_q, pop_q, take_q, asked, start, start_bell;
  logic [CtxW-1:0] at_q, ctx_q, start_ctx;  // of the step; of the bell that waits
  logic [15:0]     prod_q;
  logic [17:0]     was, becomes;
  logic            push_q, pop, queued, rings;  // push: a cycle later, when what goes back behind the others has left

  assign asked      = take_i || peek_i || pop_i;
  assign start      = !step_q && !sweep_q && !sweep_i && (start_bell || (asked && (!pop_i || first_valid_o)));
  assign start_bell = wait_q || bell_valid_i;
  assign start_ctx  = wait_q ? ctx_q : bell_valid_i ? bell_ctx_i : pop_i ? first_o : ctx_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || sweep_i) begin
      wait_q <= 1'b0;
      step_q <= 1'b0;
      push_q <= 1'b0;
    end else begin
      step_q <= start;
      push_q <= step_q && ((bell_q && !queued) || (pop_q && rings));
      if (bell_valid_i && (wait_q || !start)) wait_q <= 1'b1;
      else if (start) wait_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (start) begin
      {bell_q, pop_q, take_q} <= {start_bell, !start_bell && pop_i, !start_bell && take_i};
      at_q <= start_ctx;
    end
    if (bell_valid_i) {ctx_q, prod_q} <= {bell_ctx_i, bell_prod_i};
  end

  assign {queued, rings} = was[17:16];
  assign becomes = bell_q ? {2'b11, prod_q} : pop_q ? {rings, was[16:0]} : {queued, rings && !take_q, was[15:0]};
  assign pop     = step_q && pop_q;
  assign begun_o = start && !start_bell;
  assign done_o  = step_q && !bell_q;
  assign rings_o = rings;
  assign prod_o  = was[15:0];

  // ---- sweep ----
  logic [CtxW-1:0] all_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sweep_q <= 1'b0;
    else if (sweep_i) sweep_q <= 1'b1;
    else if (all_q == '1) sweep_q <= 1'b0;
  end
  always_ff @(posedge clk_i) all_q <= sweep_q && !sweep_i ? all_q + CtxW'(1) : '0;
  assign busy_o = sweep_q;

  cm_ram #(
    .Width(18),
    .Depth(Contexts)
  ) u_words (
    .clk_i,
    .we_i(step_q || sweep_q),
    .waddr_i(sweep_q ? all_q : at_q),
    .wdata_i(sweep_q ? 18'd0 : becomes),
    .re_i(start),
    .raddr_i(start_ctx),
    .rdata_o(was)
  );

  logic                   room;
  logic [$clog2(Contexts+1)-1:0] unused_level;
  cm_fifo_ram #(
    .Width(CtxW),
    .Depth(Contexts)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .clr_i(sweep_i),
    .in_valid_i(push_q),
    .in_ready_o(room),
    .in_data_i(at_q),
    .out_valid_o(first_valid_o),
    .out_ready_i(pop),
    .out_data_o(first_o),
    .level_o(unused_level)
  );
  logic unused;
  assign unused = room;  // P2: each is in it once

`ifdef FORMAL
`include "nic_ctx_bell_props.svh"
`endif

endmodule

`default_nettype wire
