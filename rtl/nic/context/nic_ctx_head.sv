// SPDX-License-Identifier: Apache-2.0
// nic_ctx_head: frames meet their contexts: between nic_rx and nic_responder it puts places where contexts were.
//
//   head, next (QP numbers) --> look up, one frame ahead --> | head: place | | next: place | --> QP numbers
//                                  (nic_ctx_map)                 none: not shown
//
// P1  While en_i is low heads pass as they are. Else a number of ours whose context is at a place is shown as the one
//     that the place has, {cfg_qpn_i, place}; every other one as somebody's else, with bits 7:0 as they were.
// P2  A head is shown only when that is known, and stays as it is until it has left; likewise the one behind it, which
//     may be withdrawn.
// P3  miss_o: the context of the head that waits is in no place. drop_i: that head is shown as somebody's else.
//     waits_o: a head waits.
// P4  While claim_valid_i is high nothing new is shown at claim_place_i, and what is known of the one behind
//     the head is forgotten if it is there; claim_clear_o: nothing is. So what had been shown when it was claimed has
//     been decided then.
// P5  met_valid_o: a head at met_place_o leaves.
// P6  flush_i (in a cycle in which nothing is decided): all is looked up anew.
//
// Nothing here waits for anything but the map, and miss_o ends by a place or drop_i. A look-up takes 2 cycles; that of
// the next head is done 3 cycles after the one before has left, so a frame every 3 cycles is none too late.
// Cost: 40 flip-flops, a comparator.
// Rules of README.md: CTX-1, CTX-8.
`default_nettype none

module nic_ctx_head #(
  parameter int unsigned Contexts = 64,
  localparam int unsigned CtxW = $clog2(Contexts)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic            en_i,
  input  wire logic [15:0]     cfg_qpn_i,
  input  wire logic            flush_i,

  // Heads (nic_rx): valid and number of the first and of the one behind it
  input  wire logic            head_valid_i,
  input  wire logic [23:0]     head_qp_i,
  input  wire logic            next_valid_i,
  input  wire logic [23:0]     next_qp_i,

  // nic_responder
  output logic                 head_valid_o,
  input  wire logic            head_ready_i,
  output logic      [23:0]     head_qp_o,
  output logic                 next_valid_o,
  output logic      [23:0]     next_qp_o,

  // nic_ctx_map: the answer comes a cycle later
  output logic                 look_valid_o,
  output logic      [CtxW-1:0] look_ctx_o,
  input  wire logic            look_ready_i,
  input  wire logic            look_hit_i,
  input  wire logic [7:0]      look_place_i,

  // nic_ctx_swap
  output logic                 waits_o,
  output logic                 miss_o,
  output logic      [CtxW-1:0] miss_ctx_o,
  input  wire logic            drop_i,
  input  wire logic            claim_valid_i,
  input  wire logic [7:0]      claim_place_i,
  output logic                 claim_clear_o,

  // nic_ctx_seek
  output logic                 met_valid_o,
  output logic      [7:0]      met_place_o
);

  if (Contexts < 2 || Contexts > 4096 || (Contexts & (Contexts - 1)) != 0) begin : gen_bad_contexts
    $error("nic_ctx_head: Contexts must be a power of two, 2 to 4096");
  end

  // What is known of the head and of the one behind it.
  logic       h_here_q, h_theirs_q, n_here_q, n_theirs_q, miss_q;
  logic [7:0] h_place_q, n_place_q;
  // A look-up: whose it is, and whether it is needed at all
  logic       look_q, look_head_q, look_theirs_q;

  function automatic logic ours(input logic [23:0] qp, input logic [11:0] qpn);
    ours = qp[23:12] == qpn && 32'(qp[11:0]) < Contexts;
  endfunction

  logic pop, h_known, n_known, h_want, n_want, go, here, theirs, n_claimed;
  assign h_known = h_here_q || h_theirs_q;
  assign n_known = n_here_q || n_theirs_q;
  assign pop     = head_valid_i && head_valid_o && head_ready_i;

  // ---- look up: the head first, then the one behind it ----
  assign h_want       = en_i && head_valid_i && !h_known && !(look_q && look_head_q);
  assign n_want       = en_i && next_valid_i && !n_known && !(look_q && !look_head_q) && h_known;
  assign look_valid_o = h_want || n_want;
  assign look_ctx_o   = h_want ? head_qp_i[CtxW-1:0] : next_qp_i[CtxW-1:0];
  assign go           = look_valid_o && look_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) look_q <= 1'b0;
    else look_q <= go;
  end
  always_ff @(posedge clk_i) begin
    look_head_q   <= h_want || pop;  // the one behind becomes the head
    look_theirs_q <= !ours(h_want ? head_qp_i : next_qp_i, cfg_qpn_i[15:4]);
  end

  // ---- what it says ----
  assign theirs    = look_q && look_theirs_q;
  assign here      = look_q && !look_theirs_q && look_hit_i && !(claim_valid_i && look_place_i == claim_place_i);
  assign n_claimed = claim_valid_i && n_place_q == claim_place_i;

  logic       n_here, n_theirs;   // of the one behind, with what comes now
  logic [7:0] n_place;
  assign n_here   = n_here_q || (here && !look_head_q);
  assign n_theirs = n_theirs_q || (theirs && !look_head_q);
  assign n_place  = n_here_q ? n_place_q : look_place_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i) begin
      h_here_q   <= 1'b0;
      h_theirs_q <= 1'b0;
      n_here_q   <= 1'b0;
      n_theirs_q <= 1'b0;
      miss_q     <= 1'b0;
    end else if (pop) begin
      h_here_q   <= en_i && n_here;
      h_theirs_q <= en_i && n_theirs;
      n_here_q   <= 1'b0;
      n_theirs_q <= 1'b0;
      miss_q     <= 1'b0;
    end else begin
      if (here && look_head_q && !drop_i && !h_theirs_q) h_here_q <= 1'b1;
      if ((theirs && look_head_q) || drop_i) h_theirs_q <= 1'b1;
      n_here_q   <= n_here && !(n_here_q && n_claimed);
      n_theirs_q <= n_theirs;
      if (look_q && look_head_q) miss_q <= !look_theirs_q && !look_hit_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (pop) h_place_q <= n_place;
    else if (here && look_head_q) h_place_q <= look_place_i;
    if (!n_here_q) n_place_q <= look_place_i;
  end

  // ---- shown ----
  assign head_valid_o = head_valid_i && (!en_i || h_known);
  assign head_qp_o    = !en_i ? head_qp_i : h_here_q ? {cfg_qpn_i, h_place_q} : {~cfg_qpn_i, head_qp_i[7:0]};
  assign next_valid_o = next_valid_i && (!en_i || n_known);
  assign next_qp_o    = !en_i ? next_qp_i : n_here_q ? {cfg_qpn_i, n_place_q} : {~cfg_qpn_i, next_qp_i[7:0]};

  assign waits_o       = en_i && head_valid_i && !h_known;
  assign miss_o        = waits_o && miss_q;
  assign miss_ctx_o    = head_qp_i[CtxW-1:0];
  assign claim_clear_o = !(h_here_q && h_place_q == claim_place_i) && !(n_here_q && n_place_q == claim_place_i);
  assign met_valid_o   = pop && en_i && h_here_q;
  assign met_place_o   = h_place_q;

`ifdef FORMAL
`include "nic_ctx_head_props.svh"
`endif

endmodule

`default_nettype wire
