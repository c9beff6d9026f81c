// SPDX-License-Identifier: Apache-2.0
// machine: 256 KiB of memory behind the AXI4 port, one read and one write at a time, and a host that answers reads with
// 4 bytes.
module machine (
  input wire logic clk_i,
  input wire logic [7:0] m_axi_arid, m_axi_awid,
  input wire logic [63:0] m_axi_araddr, m_axi_awaddr,
  input wire logic m_axi_arvalid, m_axi_rready, m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_bready,
  input wire logic [cm_pkg::DataW-1:0] m_axi_wdata,
  input wire logic [cm_pkg::DataW/8-1:0] m_axi_wstrb,
  input wire logic host_req_valid_o, host_req_ready_i,
  input wire logic [127:0] host_req_hdr_o,
  output logic [7:0] m_axi_rid, m_axi_bid,
  output logic [cm_pkg::DataW-1:0] m_axi_rdata,
  output logic m_axi_arready, m_axi_rvalid, m_axi_rlast, m_axi_awready, m_axi_wready, m_axi_bvalid, host_cpl_valid_i,
  output logic [127:0] host_cpl_hdr_i
);
  localparam int unsigned Bytes = cm_pkg::DataW / 8;
  logic [cm_pkg::DataW-1:0] mem [262144/Bytes];
  logic [31:0] waddr;
  logic writing;
  initial {m_axi_rvalid, m_axi_bvalid, writing, host_cpl_valid_i} = 0;
  initial begin : clear
    for (int i = 0; i < 262144 / int'(Bytes); i++) mem[i] = 0;
  end
  task automatic poke(input int unsigned addr, input [63:0] data);
    mem[addr/Bytes][8*(addr%Bytes)+:64] = data;
  endtask

  assign m_axi_arready = !m_axi_rvalid;
  assign m_axi_awready = !writing && !m_axi_bvalid;
  assign m_axi_wready = writing;
  assign m_axi_rlast = 1;
  always @(posedge clk_i) begin
    if (m_axi_rvalid) m_axi_rvalid <= !m_axi_rready;
    else begin
      m_axi_rvalid <= m_axi_arvalid;
      m_axi_rid <= m_axi_arid;
      m_axi_rdata <= mem[{14'd0, m_axi_araddr[17:0]}/Bytes];
    end
    if (m_axi_awvalid && m_axi_awready) begin
      writing <= 1;
      m_axi_bid <= m_axi_awid;
      waddr <= {14'd0, m_axi_awaddr[17:0]};
    end
    if (m_axi_wvalid && m_axi_wready) begin
      for (int k = 0; k < int'(Bytes); k++) if (m_axi_wstrb[k]) mem[waddr/Bytes][8*k+:8] <= m_axi_wdata[8*k+:8];
      waddr <= waddr + Bytes;
      writing <= !m_axi_wlast;
      m_axi_bvalid <= m_axi_wlast;
    end else if (m_axi_bready) m_axi_bvalid <= 0;
    host_cpl_valid_i <= host_req_valid_o && host_req_ready_i && host_req_hdr_o[127:120] == 8'h00;
    host_cpl_hdr_i <= {64'h4a00_0001_0000_0004, host_req_hdr_o[95:72], 1'b0, host_req_hdr_o[38:32], 32'd0};
  end
endmodule
