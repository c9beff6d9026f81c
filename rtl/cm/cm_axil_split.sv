// SPDX-License-Identifier: Apache-2.0
// cm_axil_split: one AXI4-Lite slave port in front of two slaves; the highest bit of the address chooses.
//
//   s_* --+-- address[AddrW-1] = 0 --> m_*[0]
//         +-- address[AddrW-1] = 1 --> m_*[1]
//
// P1  An access reaches the slave that its address names, unchanged, and no other; AW and W together.
// P2  Its response comes from that slave. One write and one read are under way at a time, so responses keep the order.
// P3  No access is taken before its response has been; a response that waits does not change (if the slave's does not).
//
// No cycle of latency. Cost: 4 flip-flops, multiplexers of the responses.
`default_nettype none

module cm_axil_split #(
  parameter int unsigned AddrW = 21,  // of s; the slaves have a bit less
  parameter int unsigned DataW = 64
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  // Slave
  input  wire logic               s_awvalid_i,
  output logic                    s_awready_o,
  input  wire logic [AddrW-1:0]   s_awaddr_i,
  input  wire logic               s_wvalid_i,
  output logic                    s_wready_o,
  output logic                    s_bvalid_o,
  input  wire logic               s_bready_i,
  output logic      [1:0]         s_bresp_o,
  input  wire logic               s_arvalid_i,
  output logic                    s_arready_o,
  input  wire logic [AddrW-1:0]   s_araddr_i,
  output logic                    s_rvalid_o,
  input  wire logic               s_rready_i,
  output logic      [DataW-1:0]   s_rdata_o,
  output logic      [1:0]         s_rresp_o,

  // To the two slaves; address, data and strobes are those of s
  output logic      [1:0]         m_awvalid_o,
  input  wire logic [1:0]         m_awready_i,
  output logic      [1:0]         m_wvalid_o,
  input  wire logic [1:0]         m_wready_i,
  input  wire logic [1:0]         m_bvalid_i,
  output logic      [1:0]         m_bready_o,
  input  wire logic [3:0]         m_bresp_i,
  output logic      [1:0]         m_arvalid_o,
  input  wire logic [1:0]         m_arready_i,
  input  wire logic [1:0]         m_rvalid_i,
  output logic      [1:0]         m_rready_o,
  input  wire logic [2*DataW-1:0] m_rdata_i,
  input  wire logic [3:0]         m_rresp_i
);

  // Under way, and whose.
  logic wr_q, wr_sel_q, rd_q, rd_sel_q, aw_sel, ar_sel, aw_ok, ar_ok;

  assign aw_sel = s_awaddr_i[AddrW-1];
  assign ar_sel = s_araddr_i[AddrW-1];
  assign aw_ok  = s_awvalid_i && s_wvalid_i && !wr_q;
  assign ar_ok  = s_arvalid_i && !rd_q;

  // A slave takes AW and W in one cycle or waits with both.
  assign m_awvalid_o = {aw_ok && aw_sel, aw_ok && !aw_sel};
  assign m_wvalid_o  = m_awvalid_o;
  assign s_awready_o = aw_ok && m_awready_i[aw_sel] && m_wready_i[aw_sel];
  assign s_wready_o  = s_awready_o;
  assign m_arvalid_o = {ar_ok && ar_sel, ar_ok && !ar_sel};
  assign s_arready_o = ar_ok && m_arready_i[ar_sel];

  assign s_bvalid_o = wr_q && m_bvalid_i[wr_sel_q];
  assign s_bresp_o  = wr_sel_q ? m_bresp_i[3:2] : m_bresp_i[1:0];
  assign m_bready_o = {wr_q && wr_sel_q && s_bready_i, wr_q && !wr_sel_q && s_bready_i};
  assign s_rvalid_o = rd_q && m_rvalid_i[rd_sel_q];
  assign s_rresp_o  = rd_sel_q ? m_rresp_i[3:2] : m_rresp_i[1:0];
  assign s_rdata_o  = rd_sel_q ? m_rdata_i[2*DataW-1:DataW] : m_rdata_i[DataW-1:0];
  assign m_rready_o = {rd_q && rd_sel_q && s_rready_i, rd_q && !rd_sel_q && s_rready_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= 1'b0;
      rd_q <= 1'b0;
    end else begin
      if (s_awready_o) wr_q <= 1'b1;
      else if (s_bvalid_o && s_bready_i) wr_q <= 1'b0;
      if (s_arready_o) rd_q <= 1'b1;
      else if (s_rvalid_o && s_rready_i) rd_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (s_awready_o) wr_sel_q <= aw_sel;
    if (s_arready_o) rd_sel_q <= ar_sel;
  end

`ifdef FORMAL
`include "cm_axil_split_props.svh"
`endif

endmodule

`default_nettype wire
