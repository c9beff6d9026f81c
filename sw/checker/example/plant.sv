// SPDX-License-Identifier: Apache-2.0
// plant: bends one wire between the IOMMU and the checkers, to show that they notice: +plant=addr (third TLP to the
// host), cpl (second completion to device 1), log (first beat written for a log). It says in which cycle, counted as
// the checkers do.
module plant #(
  parameter int unsigned NumPorts = 2
) (
  input wire logic clk_i, rst_ni, host_req_valid_o, host_req_ready_i, m_axi_wvalid, m_axi_wready,
  input wire logic [NumPorts-1:0] dev_cpl_valid_o, dev_cpl_ready_i,
  input wire logic [127:0] host_req_hdr_o,
  input wire logic [NumPorts*128-1:0] dev_cpl_hdr_o,
  input wire logic [cm_pkg::DataW-1:0] m_axi_wdata,
  output logic [127:0] host_hdr,
  output logic [NumPorts*128-1:0] cpl_hdr,
  output logic [cm_pkg::DataW-1:0] wdata
);
  string what;
  int cycle = 0, hosts = 0, cpls = 0, seen = 0;
  logic told = 0, now;
  initial if (!$value$plusargs("plant=%s", what)) what = "nothing";

  // bit 12 of the address
  assign host_hdr = host_req_hdr_o ^ (what == "addr" && hosts >= 2 ? 128'h1000 << 32 : 128'd0);
  // the byte count
  assign cpl_hdr = dev_cpl_hdr_o ^ (what == "cpl" && seen >= 1 ? (NumPorts*128)'(1) << 128 + 69 : '0);
  assign wdata = m_axi_wdata ^ (what == "log" ? cm_pkg::DataW'(1) << 128 : '0);  // behind the entry's header
  assign now = (host_req_valid_o && host_req_ready_i && host_hdr != host_req_hdr_o) ||
               (dev_cpl_valid_o[1] && cpl_hdr != dev_cpl_hdr_o) ||
               (m_axi_wvalid && m_axi_wready && wdata != m_axi_wdata);
  always @(posedge clk_i) if (rst_ni) begin
    if (now && !told) $display("planted in cycle %0d", cycle);
    told <= told || now;
    cycle <= cycle + 1;
    if (host_req_valid_o && host_req_ready_i) hosts <= hosts + 1;
    cpls <= cpls + $countones(dev_cpl_valid_o & dev_cpl_ready_i);
    if (dev_cpl_valid_o[1]) seen <= seen + 1;
  end
endmodule
