// SPDX-License-Identifier: Apache-2.0
// aa_cpl_mux: merges what goes back to the devices, a whole TLP at a time.
//
//   fwd (completions) ----+
//   gen (UR) -------------+--> round robin --> | register | --> dev_cpl[port]
//   flush (answers) ------+
//
// P1  Each source's TLPs leave whole, unchanged, in order, on the port that came with them.
// P2  Sources that wait take turns, a TLP each.
// P3  A waiting beat never changes, and dev_cpl_valid_o falls only when it has left.
//
// One register serves all ports, since the completions of all ports come in one order: a port that takes nothing
// holds the
// others (PCIe: an endpoint always takes its completions). gen and flush TLPs are single beats.
// Latency 1, rate 1. Cost: one beat, NumPorts + 5 flip-flops.
// Rules of README.md: RST-4.
`default_nettype none

module aa_cpl_mux #(
  parameter int unsigned NumPorts = 1,
  localparam int unsigned TlpW = cm_pkg::TlpW
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_ni,

  // Forwarded
  input  wire logic                     fwd_valid_i,
  output logic                          fwd_ready_o,
  input  wire cm_pkg::tlp_t             fwd_beat_i,
  input  wire logic [1:0]               fwd_port_i,

  // Generated
  input  wire logic                     gen_valid_i,
  output logic                          gen_ready_o,
  input  wire cm_pkg::tlp_t             gen_beat_i,
  input  wire logic [1:0]               gen_port_i,

  // Flush answers
  input  wire logic                     flush_valid_i,
  output logic                          flush_ready_o,
  input  wire cm_pkg::tlp_t             flush_beat_i,
  input  wire logic [1:0]               flush_port_i,

  // Devices
  output logic      [NumPorts-1:0]      dev_cpl_valid_o,
  input  wire logic [NumPorts-1:0]      dev_cpl_ready_i,
  output logic      [NumPorts*TlpW-1:0] dev_cpl_beat_o
);

  if (NumPorts < 1 || NumPorts > 4) begin : gen_bad_num_ports $error("aa_cpl_mux: NumPorts must be 1 to 4"); end

  logic [2:0]          req, turn;
  logic                lock_q, load, any, unused_valid;
  logic [1:0]          port, unused_idx;
  logic [NumPorts-1:0] valid_q;
  logic [TlpW-1:0]     beat_q, beat;

  // In the middle of a forwarded TLP nobody else is asked.
  assign req = lock_q ? {2'b00, fwd_valid_i} : {flush_valid_i, gen_valid_i, fwd_valid_i};
  assign load = (valid_q & ~dev_cpl_ready_i) == '0;
  assign any = |req;

  cm_rr_arb #(
    .N(3)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(req),
    .advance_i(load),
    .valid_o(unused_valid),
    .gnt_o(turn),
    .idx_o(unused_idx)
  );

  assign fwd_ready_o   = load && turn[0];
  assign gen_ready_o   = load && turn[1];
  assign flush_ready_o = load && turn[2];
  assign beat = turn[2] ? flush_beat_i : turn[1] ? gen_beat_i : fwd_beat_i;
  assign port = turn[2] ? flush_port_i : turn[1] ? gen_port_i : fwd_port_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      lock_q  <= 1'b0;
    end else if (load) begin
      for (int unsigned p = 0; p < NumPorts; p++) valid_q[p] <= any && port == 2'(p);
      if (turn[0]) lock_q <= !fwd_beat_i.eop;
    end
  end
  always_ff @(posedge clk_i) if (load) beat_q <= beat;

  assign dev_cpl_valid_o = valid_q;
  assign dev_cpl_beat_o  = {NumPorts{beat_q}};

`ifdef FORMAL
`include "aa_cpl_mux_props.svh"
`endif

endmodule

`default_nettype wire
