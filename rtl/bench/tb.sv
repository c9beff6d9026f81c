// SPDX-License-Identifier: Apache-2.0
// tb: the smallest bench of a top, for build systems' own tests. It reads two registers; with TB_PUT, of aa_iommu, a
// put of a device must come out at the host as it went in, since nothing is translated after reset. Pins that it does
// not name rest at 0.
//
//   TB_TOP: the top; TB_ADDR0, TB_WANT0, TB_ADDR1, TB_WANT1: addresses of registers and their values, hexadecimal
//   without prefix.
`default_nettype none

`define TB_HEX(text) 64'h``text

module tb;

  logic        clk = 0, rst_n = 0, arvalid = 0, arready, rvalid;
  logic [20:0] araddr = 0;
  logic [63:0] rdata;

  always #5 clk = !clk;

`ifdef TB_PUT
  logic         put_valid = 0, put_ready, host_valid;
  cm_pkg::tlp_req_t put_hdr, host_hdr;
  logic [cm_pkg::DataW-1:0] put_data, host_data;
  int unsigned  puts = 0;
`endif

  `TB_TOP u_dut (
`ifdef TB_PUT
    .dev_req_valid_i(put_valid),
    .dev_req_ready_o(put_ready),
    .dev_req_hdr_i(put_hdr),
    .dev_req_data_i(put_data),
    .dev_req_strb_i(cm_pkg::StrbW'(3)),
    .dev_req_seq_i(8'd1),
    .dev_req_sop_i(1'b1),
    .dev_req_eop_i(1'b1),
    .host_req_valid_o(host_valid),
    .host_req_ready_i(1'b1),
    .host_req_hdr_o(host_hdr),
    .host_req_data_o(host_data),
    .host_np_ready_i(1'b1),
`endif
    .clk_i(clk),
    .rst_ni(rst_n),
    .s_axil_awvalid(1'b0),
    .s_axil_wvalid(1'b0),
    .s_axil_bready(1'b1),
    .s_axil_arvalid(arvalid),
    .s_axil_arready(arready),
    .s_axil_araddr(araddr),
    .s_axil_rvalid(rvalid),
    .s_axil_rready(1'b1),
    .s_axil_rdata(rdata)
  );

  task automatic read(input [63:0] addr, input [63:0] want);
    araddr = addr[20:0];
    arvalid = 1;
    do @(posedge clk); while (!arready);
    @(negedge clk) arvalid = 0;
    while (!rvalid) @(negedge clk);
    if (rdata !== want) $fatal(1, "register %h: got %h, want %h", addr, rdata, want);
    @(negedge clk);
  endtask

`ifdef TB_PUT
  always @(posedge clk) if (host_valid) begin
    if (host_hdr !== put_hdr || host_data[63:0] !== put_data[63:0])
      $fatal(1, "the host got %h %h", host_hdr, host_data[63:0]);
    puts <= puts + 1;
  end

  task automatic put;  // 8 bytes at 1000_0000h, from 01:00.0
    put_hdr = '0;
    put_hdr.op = cm_pkg::OpWrite;
    put_hdr.len = 10'd2;
    put_hdr.rid = 16'h0100;
    put_hdr.lbe = 4'hF;
    put_hdr.fbe = 4'hF;
    put_hdr.addr = {32'h1000_0000, 32'd0};
    put_data = cm_pkg::DataW'(64'h0123_4567_89ab_cdef);
    put_valid = 1;
    do @(posedge clk); while (!put_ready);
    @(negedge clk) put_valid = 0;
    repeat (20) @(negedge clk);
    if (puts != 1) $fatal(1, "%0d puts at the host, want 1", puts);
  endtask
`endif

  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1;
    repeat (600) @(negedge clk);  // the caches clear themselves
    read(`TB_HEX(`TB_ADDR0), `TB_HEX(`TB_WANT0));
    read(`TB_HEX(`TB_ADDR1), `TB_HEX(`TB_WANT1));
`ifdef TB_PUT
    put();
`endif
    $display("tb: what was read and passed is right");
    $finish;
  end

endmodule

`default_nettype wire
