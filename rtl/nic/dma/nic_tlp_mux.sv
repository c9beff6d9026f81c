// SPDX-License-Identifier: Apache-2.0
// nic_tlp_mux: merges posted and non-posted requests onto one stream, a whole TLP at a time.
//
//   p  (nic_wr) --+--> turn --> | register | --> dev_req
//   np (nic_rd) --+
//
// P1  TLPs leave whole, unchanged, each source's in order.
// P2  A non-posted TLP does not overtake a posted one that was offered before it, or together with it (PCIe: a read
//     pushes the writes before it).
// P3  Fair: of two that wait, neither lets more than one TLP of the other begin before it.
// P4  A waiting beat never changes, and req_valid_o falls only when it has left.
//
// PCIe also lets posted requests pass a non-posted one that is stalled. On one stream nothing can pass what is in front
// of it: who takes this stream must not stall it for non-posted requests alone while it wants posted ones (aa_port has
// a lane for each). Latency 1, rate 1, ready follows req_ready_i. Cost: a beat and 4 flip-flops.
// Rules of README.md: MEM-6.
`default_nettype none

module nic_tlp_mux (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,

  // Posted
  input  wire logic         p_valid_i,
  output logic              p_ready_o,
  input  wire cm_pkg::tlp_t p_i,

  // Non-posted
  input  wire logic         np_valid_i,
  output logic              np_ready_o,
  input  wire cm_pkg::tlp_t np_i,

  // Both
  output logic              req_valid_o,
  input  wire logic         req_ready_i,
  output cm_pkg::tlp_t      req_o
);

  // in_p_q, in_np_q: in the middle of a TLP. np_old_q: the non-posted TLP that waits has been there for longer than the
  // posted one.
  logic         in_p_q, in_np_q, np_old_q, valid_q, load, pick_np, p_take, np_take;
  cm_pkg::tlp_t req_q;

  assign load       = !valid_q || req_ready_i;
  assign pick_np    = in_np_q || (!in_p_q && np_valid_i && (np_old_q || !p_valid_i));
  assign p_ready_o  = load && !pick_np;
  assign np_ready_o = load && pick_np;
  assign p_take     = p_valid_i && p_ready_o;
  assign np_take    = np_valid_i && np_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      in_p_q   <= 1'b0;
      in_np_q  <= 1'b0;
      np_old_q <= 1'b0;
    end else begin
      if (load) valid_q <= p_take || np_take;
      if (p_take) in_p_q <= !p_i.eop;
      if (np_take) in_np_q <= !np_i.eop;
      // It gets older than what comes: when nothing posted waits, or what did has gone.
      if (np_take) np_old_q <= 1'b0;
      else if (np_valid_i && !in_np_q && ((!p_valid_i && !in_p_q) || (p_take && p_i.eop))) np_old_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) if (load) req_q <= pick_np ? np_i : p_i;

  assign req_valid_o = valid_q;
  assign req_o       = req_q;

`ifdef FORMAL
`include "nic_tlp_mux_props.svh"
`endif

endmodule

`default_nettype wire
