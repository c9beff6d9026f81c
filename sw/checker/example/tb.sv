// SPDX-License-Identifier: Apache-2.0
// Sixteen puts and reads, of two devices at two ports, through aa_iommu. Nothing here looks at what comes out: the
// checkers do. machine.sv is memory and host, plant.sv bends a wire on request; an IOMMU of your own
// goes where u_iommu is.
module tb;
  localparam int unsigned NumPorts = 2;
  `include "aa_signals.svh"
  logic [127:0] host_hdr;
  logic [NumPorts*128-1:0] cpl_hdr;
  logic [cm_pkg::DataW-1:0] wdata;
  logic fail, fail_ports, done = 0;

  aa_iommu #(
    .NumPorts(NumPorts),
    .Window(4),
    .Walkers(2)
  ) u_iommu (
    .*
  );
  machine u_machine (
    .*
  );
  plant #(
    .NumPorts(NumPorts)
  ) u_plant (
    .*
  );
  aa_checker #(
    .NumPorts(NumPorts),
    .Window(4),
    .Walkers(2),
    .Finish(0)
  ) u_check (
    .fail_o(fail),
    .done_i(done),
    .host_req_hdr_o(host_hdr),
    .dev_cpl_hdr_o(cpl_hdr),
    .m_axi_wdata(wdata),
    .*
  );
  aa_checker #(
    .NumPorts(NumPorts),
    .Retire(0),
    .Finish(0)
  ) u_ports (  // as if there were no retire port
    .fail_o(fail_ports),
    .done_i(done),
    .host_req_hdr_o(host_hdr),
    .dev_cpl_hdr_o(cpl_hdr),
    .m_axi_wdata(wdata),
    .*
  );

  // Signals change at the falling edge.
  task automatic write(input [19:0] addr, input [63:0] data, input [7:0] strb);  // a register
    {s_axil_awvalid, s_axil_wvalid, s_axil_awaddr, s_axil_wdata, s_axil_wstrb} = {2'b11, addr, data, strb};
    do @(posedge clk_i); while (!s_axil_awready);
    @(negedge clk_i) {s_axil_awvalid, s_axil_wvalid} = 0;
    do @(posedge clk_i); while (!s_axil_bvalid);
    @(negedge clk_i);
  endtask
  task automatic send(input int p, input [127:0] hdr);  // a TLP of one beat, with 8 bytes of data if it has any
    {dev_req_valid_i, dev_req_hdr_i} = {NumPorts'(1) << p, {NumPorts{hdr}}};
    {dev_req_strb_i, dev_req_data_i} = {{NumPorts{cm_pkg::StrbW'(hdr[126] ? 3 : 0)}}, {NumPorts{cm_pkg::DataW'(hdr)}}};
    dev_req_seq_i = {NumPorts{dev_req_seq_i[7:0] + 8'd1}};
    do @(posedge clk_i); while (!dev_req_ready_o[p]);
    @(negedge clk_i) dev_req_valid_i = 0;
  endtask

  always #5 clk_i = !clk_i;
  initial begin
    u_machine.poke('h1010, 'h2001);   // root table at 1000h, bus 1; its contexts of 01:00.0 and 01:00.1: tables at
    for (int i = 0; i < 2; i++) begin  // 3000h, 4 levels, domain 1, Active Access
      u_machine.poke('h2000 + 16 * i, 'h3001);
      u_machine.poke('h2008 + 16 * i, 'h010a);
    end
    for (int i = 3; i < 6; i++) u_machine.poke(i << 12, 64'(i) * 4096 + 'h1003);
    u_machine.poke('h6080, 'h2_0003);                    // page 10h: read and write
    u_machine.poke('h6088, 64'h8050_0000_0002_1181);     // page 11h: read; writes go into the log of IUID 5
    {dev_req_sop_i, dev_req_eop_i, host_cpl_sop_i, host_cpl_eop_i, host_cpl_strb_i} = {6'h3f, cm_pkg::StrbW'(1)};
    {dev_cpl_ready_i, host_req_ready_i, host_np_ready_i, task_ready_i, s_axil_bready, s_axil_rready} = '1;
    repeat (4) @(negedge clk_i);
    rst_ni = 1;
    write('h00020, 'h1000, 8'hff);                       // RTADDR
    write('h00018, 64'h4000_0000, 8'h0f);                // GCMD: set root pointer, then translate
    write('h00018, 64'h8000_0000, 8'h0f);
    write('h01010, 64'h551, 8'h0f);                      // AA_CTL: Active Access on
    write('h02000, 'h8000, 8'hff);                       // log 0: 4 KiB at 8000h, IUID 5, open
    write('h02008, 64'h8000_0000_000c_0005, 8'hff);
    for (int i = 0; i < 16; i++)
      case (i / 2 % 4)  // even ones at port 0, odd ones at port 1
        0: send(i % 2, {32'h4000_0002, 16'h0100 + 16'(i % 2), 16'h00ff, 32'h0001_0000 + 8 * i, 32'd0});     // put
        // into the log
        1: send(i % 2, {32'h4000_0002, 16'h0100 + 16'(i % 2), 16'h00ff, 32'h0001_1000 + 8 * i, 32'd0});
        2: send(i % 2, {32'h0000_0001, 16'h0100 + 16'(i % 2), 8'(i), 8'h0f, 32'h0001_0100, 32'd0});         // get
        // get of nothing
        default: send(i % 2, {32'h0000_0001, 16'h0100 + 16'(i % 2), 8'(i), 8'h0f, 32'h0002_0000, 32'd0});
      endcase
    repeat (300) @(negedge clk_i);
    done = 1;
    repeat (3) @(negedge clk_i);
    if (fail || fail_ports) $fatal(1, "the IOMMU is not what the model says");
    $display("%0d TLPs to the host, %0d completions: all as the model says", u_plant.hosts, u_plant.cpls);
    $finish;
  end
endmodule
