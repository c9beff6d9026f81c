// SPDX-License-Identifier: Apache-2.0
// cm_axil_post: AXI4-Lite writes are answered when they have come, and done one after the other; reads wait for them.
//
//   s AW, W --> [Depth x {address, data, strobes}] --> m AW, W --> m B: the next
//   s B <-- OKAY, as soon as it is inside
//   s AR, R <----- when nothing is inside ------> m AR, R
//
// P1  Each write taken reaches m once, unchanged, in order, the next after the answer of the one before.
// P2  Whether a write is taken and answered depends on room alone, never on m: a slave that waits holds up nobody else
//     on a port that is shared, until Depth writes wait.
// P3  A read is shown to m when every write taken before it has been answered by m, and then stays; its response is
//     m's.
//
// m's answers to writes are dropped: in front of a slave that always says OKAY. A write takes a cycle more than
// without.
// Cost: 35 LUT4, 20 flip-flops, 23 LUT RAMs of 16 x 4, 3 levels (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module cm_axil_post #(
  parameter int unsigned AddrW = 20,
  parameter int unsigned DataW = 64,
  parameter int unsigned Depth = 16,
  localparam int unsigned StrbW = DataW / 8
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Slave
  input  wire logic             s_awvalid_i,
  output logic                  s_awready_o,
  input  wire logic [AddrW-1:0] s_awaddr_i,
  input  wire logic             s_wvalid_i,
  output logic                  s_wready_o,
  input  wire logic [DataW-1:0] s_wdata_i,
  input  wire logic [StrbW-1:0] s_wstrb_i,
  output logic                  s_bvalid_o,
  input  wire logic             s_bready_i,
  input  wire logic             s_arvalid_i,
  output logic                  s_arready_o,
  output logic                  s_rvalid_o,
  input  wire logic             s_rready_i,

  // Master; address, data and response of reads pass outside
  output logic                  m_awvalid_o,
  input  wire logic             m_awready_i,
  output logic      [AddrW-1:0] m_awaddr_o,
  output logic                  m_wvalid_o,
  input  wire logic             m_wready_i,
  output logic      [DataW-1:0] m_wdata_o,
  output logic      [StrbW-1:0] m_wstrb_o,
  input  wire logic             m_bvalid_i,
  output logic                  m_bready_o,
  output logic                  m_arvalid_o,
  input  wire logic             m_arready_i,
  input  wire logic             m_rvalid_i,
  output logic                  m_rready_o
);

  localparam int unsigned WriteW = AddrW + DataW + StrbW;

  logic b_q;      // an answer waits for the master
  logic doing_q;  // m has a write and has not answered
  logic asked_q;  // a read is shown to m
  logic push, room, some;

  // Both halves of a write are taken together, here and by m.
  assign push        = s_awvalid_i && s_wvalid_i && room && !b_q;
  assign s_awready_o = push;
  assign s_wready_o  = push;
  assign s_bvalid_o  = b_q;

  cm_fifo #(
    .Width(WriteW),
    .Depth(Depth)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .clr_i(1'b0),
    .in_valid_i(s_awvalid_i && s_wvalid_i && !b_q),
    .in_ready_o(room),
    .in_data_i({s_awaddr_i, s_wdata_i, s_wstrb_i}),
    .out_valid_o(some),
    .out_ready_i(m_awready_i && m_wready_i && !doing_q),
    .out_data_o({m_awaddr_o, m_wdata_o, m_wstrb_o}),
    .level_o()
  );
  assign m_awvalid_o = some && !doing_q;
  assign m_wvalid_o  = m_awvalid_o;
  assign m_bready_o  = doing_q;

  assign m_arvalid_o = s_arvalid_i && (asked_q || (!some && !doing_q));
  assign s_arready_o = m_arvalid_o && m_arready_i;
  assign s_rvalid_o  = m_rvalid_i;
  assign m_rready_o  = s_rready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_q     <= 1'b0;
      doing_q <= 1'b0;
      asked_q <= 1'b0;
    end else begin
      b_q     <= push || (b_q && !s_bready_i);
      doing_q <= doing_q ? !m_bvalid_i : m_awvalid_o && m_awready_i && m_wready_i;
      asked_q <= m_arvalid_o && !m_arready_i;
    end
  end

`ifdef FORMAL
`include "cm_axil_post_props.svh"
`endif

endmodule

`default_nettype wire
