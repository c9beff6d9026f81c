// SPDX-License-Identifier: Apache-2.0
// nic_ctx_work: which places are on, and which are at work: by what nic_qp, nic_req and nic_decide do, not by reading
// registers.
//
//   start, stop ----------------------> [ on ]
//   start, bell --> [ producer ] --+
//                                  +--> [ posts: producer is not the consumer, and not stopped ] --+--> works_o, two_o
//   state --------> [ consumer ] --+                                    message --> [ task ] ------+
//
// P1  on_o: the last of start and stop of a place was a start.
// P2  works_o, a cycle after what changes it: the place's producer is not its consumer and its requester has not
//     stopped, or its responder is in an XtqPut or a SEND.
// P3  two_o, two cycles after: of two places at least, each is off or not at work.
// P4  other_o, in the same cycle: so is one place that is not place_i.
//
// A start says consumer and producer and whether the requester is stopped, until its state comes, which says the same.
// Start, stop and bell come one at a time (env: writes of the register bus). A place that is off counts as on_o says.
// Cost: 5 flip-flops a place, LUT RAM of NumQps x 50 bits.
// Rules of README.md: CTX-6, CTX-14.
`default_nettype none

module nic_ctx_work #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // nic_qp
  input  wire logic              start_valid_i,
  input  wire logic [7:0]        start_qp_i,
  input  wire logic [15:0]       start_cons_i,
  input  wire logic              start_err_i,
  input  wire logic              stop_valid_i,
  input  wire logic [7:0]        stop_qp_i,
  input  wire logic              bell_valid_i,
  input  wire logic [7:0]        bell_qp_i,
  input  wire logic [15:0]       bell_prod_i,

  // nic_req: the state of a queue pair becomes
  input  wire logic              req_valid_i,
  input  wire logic [7:0]        req_qp_i,
  input  wire logic [15:0]       req_cons_i,
  input  wire logic              req_err_i,

  // nic_decide: after this frame a queue pair is in an XtqPut or a SEND, or in none
  input  wire logic              resp_valid_i,
  input  wire logic [7:0]        resp_qp_i,
  input  wire logic              resp_task_i,

  output logic      [NumQps-1:0] on_o,
  output logic      [NumQps-1:0] works_o,
  output logic                   two_o,
  input  wire logic [7:0]        place_i,
  output logic                   other_o
);

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_ctx_work: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);

  function automatic logic [NumQps-1:0] bit_of(input logic valid, input logic [7:0] qp);
    for (int unsigned i = 0; i < NumQps; i++) bit_of[i] = valid && qp == 8'(i);
  endfunction

  logic [NumQps-1:0] on_q, posts_q, task_q, begun_q, start_bit, stop_bit, bell_bit, req_bit, resp_bit;
  assign start_bit = bit_of(start_valid_i, start_qp_i);
  assign stop_bit  = bit_of(stop_valid_i, stop_qp_i);
  assign bell_bit  = bit_of(bell_valid_i, bell_qp_i);
  assign req_bit   = bit_of(req_valid_i, req_qp_i);
  assign resp_bit  = bit_of(resp_valid_i, resp_qp_i);

  // ---- producer and consumer: each is compared with the other when it changes ----
  logic [IdxW-1:0] bell_at, req_at;
  logic [15:0]     prod, cons, begun_cons, cons_now;
  logic            err, begun_err, err_now, begun, same, req_posts, bell_posts;
  assign bell_at = start_valid_i ? start_qp_i[IdxW-1:0] : bell_qp_i[IdxW-1:0];
  assign req_at  = req_qp_i[IdxW-1:0];
  assign same    = req_valid_i && req_qp_i == bell_qp_i;

  cm_lutram #(
    .Width(16),
    .Depth(NumQps)
  ) u_prod (
    .clk_i,
    .we_i(start_valid_i || bell_valid_i),
    .waddr_i(bell_at),
    .wdata_i(start_valid_i ? start_cons_i : bell_prod_i),
    .raddr_i(req_at),
    .rdata_o(prod)
  );
  cm_lutram #(
    .Width(17),
    .Depth(NumQps)
  ) u_cons (
    .clk_i,
    .we_i(req_valid_i),
    .waddr_i(req_at),
    .wdata_i({req_err_i, req_cons_i}),
    .raddr_i(bell_at),
    .rdata_o({err, cons})
  );
  cm_lutram #(
    .Width(17),
    .Depth(NumQps)
  ) u_begun (
    .clk_i,
    .we_i(start_valid_i),
    .waddr_i(bell_at),
    .wdata_i({start_err_i, start_cons_i}),
    .raddr_i(bell_at),
    .rdata_o({begun_err, begun_cons})
  );

  always_comb begin
    begun = 1'b0;
    for (int unsigned i = 0; i < NumQps; i++) if (bell_qp_i == 8'(i)) begun = begun_q[i];
  end
  assign {err_now, cons_now} = same ? {req_err_i, req_cons_i} : begun ? {begun_err, begun_cons} : {err, cons};
  assign bell_posts          = bell_prod_i != cons_now && !err_now;
  assign req_posts           = prod != req_cons_i && !req_err_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q    <= '0;
      posts_q <= '0;
      task_q  <= '0;
      begun_q <= '0;
    end else begin
      on_q    <= (on_q | start_bit) & ~stop_bit;
      begun_q <= (begun_q & ~req_bit) | start_bit;
      task_q  <= ((task_q & ~resp_bit) | (resp_bit & {NumQps{resp_task_i}})) & ~start_bit;
      posts_q <= ((posts_q & ~req_bit & ~bell_bit) | (req_bit & ~bell_bit & {NumQps{req_posts}}) |
                 (bell_bit & {NumQps{bell_posts}})) & ~start_bit;
    end
  end

  // ---- two that are not at work: in groups of 16, then of these ----
  localparam int unsigned Groups = (NumQps + 15) / 16;
  logic [NumQps-1:0]    spare;
  logic [16*Groups-1:0] padded;
  logic [Groups-1:0]    one, two;
  logic                 two_q;
  assign spare  = ~(on_q & works_o);
  assign padded = (16 * Groups)'(spare);
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      one[g] = padded[16*g+:16] != '0;
      two[g] = (padded[16*g+:16] & (padded[16*g+:16] - 16'd1)) != '0;
    end
  end
  always_ff @(posedge clk_i) two_q <= two != '0 || (one & (one - Groups'(1))) != '0;

  assign on_o    = on_q;
  assign works_o = posts_q | task_q;
  assign two_o   = two_q;
  assign other_o = (spare & ~bit_of(1'b1, place_i)) != '0;

`ifdef FORMAL
`include "nic_ctx_work_props.svh"
`endif

endmodule

`default_nettype wire
