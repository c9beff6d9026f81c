// SPDX-License-Identifier: Apache-2.0
// nic_peer: what the frames of a queue pair have in common, looked up for each frame where it leaves.
//
//   start (nic_qp) --> [ 2 x NumQps peers ] --> peer_o, a cycle after look_i
//                           ^ which of the two: by the last start; requests: by the last start that they know of
//
// P1  From the cycle after look_i until the next one peer_o is that of look_qp_i: of its last start; for a request, of
//     the last start before the requester was last through with what was before (through_i): it has sent nothing of a
//     later one.
// P2  A start changes neither what was looked up nor what requests of before it get, however often a queue pair is
//     turned off and on while they wait for memory.
//
// So nobody carries an address with a frame, and none but nic_tx has it. Two peers are enough: a start takes the place
// that requests do not use, and until they are through they use no other.
// nic_acks and nic_reply forget what is of a queue pair that is turned off, and have no head on offer in the cycle of a
// start (hold_i), so of theirs there are none of before.
// Cost: block RAM of 2 x NumQps x 264 bits, 2 flip-flops a QP; no cycle.
// Rules of README.md: QPR-2, RSP-14.
`default_nettype none

module nic_peer #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  // nic_qp: turned on
  input  wire logic            start_valid_i,
  input  wire logic [7:0]      start_qp_i,
  input  wire nic_pkg::peer_t  start_peer_i,

  // nic_req: no packet of before this queue pair's last start or stop is under way, none of after it is decided on
  input  wire logic            through_valid_i,
  input  wire logic [7:0]      through_qp_i,

  // A head goes to nic_tx (nic_tx_mux)
  input  wire logic            look_i,
  input  wire logic [7:0]      look_qp_i,
  input  wire logic            look_req_i,
  output nic_pkg::peer_t       peer_o
);

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_peer: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);

  // Which of its two places a queue pair has: since its last start, and for requests.
  logic [NumQps-1:0] now_q, req_q;
  logic [IdxW-1:0]   start_at, through_at, look_at;
  logic              taken;  // the place that its requests have, from the next cycle on
  assign start_at   = start_qp_i[IdxW-1:0];
  assign through_at = through_qp_i[IdxW-1:0];
  assign look_at    = look_qp_i[IdxW-1:0];
  assign taken      = through_valid_i && through_at == start_at ? now_q[start_at] : req_q[start_at];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q <= '0;
      req_q <= '0;
    end else begin
      if (start_valid_i) now_q[start_at] <= !taken;
      if (through_valid_i) req_q[through_at] <= now_q[through_at];
    end
  end

  // A block RAM as cm_ram is, here so that the theorems can name its words. It never reads what it writes (env_hold,
  // env_left).
  (* ram_style = "block" *) logic [nic_pkg::PeerW-1:0] mem_q [2 << IdxW];
  logic [IdxW:0]             put_at, get_at;
  nic_pkg::peer_t            peer_q;
  assign put_at = {!taken, start_at};
  assign get_at = {look_req_i ? req_q[look_at] : now_q[look_at], look_at};
  always_ff @(posedge clk_i) if (start_valid_i) mem_q[put_at] <= start_peer_i;
  always_ff @(posedge clk_i) if (look_i) peer_q <= start_valid_i && put_at == get_at ? 'x : mem_q[get_at];
  assign peer_o = peer_q;

`ifdef FORMAL
`include "nic_peer_props.svh"
`endif

endmodule

`default_nettype wire
