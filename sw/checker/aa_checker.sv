// SPDX-License-Identifier: Apache-2.0
// aa_checker: listens to the ports of an IOMMU, ours or another's, and tells the first difference
// from the golden model.
//
//   devices <--> IOMMU <--> host, memory, software        aa_iommu   #(...) u_iommu (.*);
//                  |                                      aa_checker #(...) u_check (.fail_o(fail), .done_i(done), .*);
//                  +--> aa_checker --> tocsin_dpi.c --> libtocsin
//
// Every port is an input and bears the name of aa_iommu's; so do the parameters. README.md says what is compared.
//
// P1  It drives nothing but fail_o, which rises with the first difference and stays until reset. Later ones are not
//     looked for.
// P2  The report goes to standard output: instance, block, cycle, stream, what was got and what was wanted. Cycles
//     count from 0, the first rising edge of clk_i with rst_ni high.
// P3  Retire = 1: every decision is followed by its retire record. Retire = 0: only what does not depend on the order
//     of decisions; retire_* and task_* may be left open.
// P4  done_i says that all is idle: what one side still owes is then a difference.
// P5  With Retire = 0 a flush page, AA_RESET, and a device's reset amid a read end the comparison, with a message.
//
// Simulation only. Signals are sampled at the rising edge: drive them by nonblocking assignments, or
// away from the edge.
// Cost: up to 21 calls of C in a cycle in which everything moves, 2 when nothing does.
`default_nettype none

module aa_checker #(
  parameter int unsigned NumPorts = 1,
  parameter int unsigned Window = 8,
  parameter int unsigned Walkers = 4,
  parameter int unsigned IotlbEntries = 64,
  parameter int unsigned IotlbWays = 4,
  parameter bit          IotlbRandom = 0,
  parameter int unsigned SpEntries = 4,
  parameter int unsigned CtxEntries = 16,
  parameter int unsigned PscEntries = 8,
  parameter int unsigned NumLogs = 8,
  parameter int unsigned LogDepth = 16,
  parameter int unsigned TagEntries = 32,
  parameter int unsigned FlushPages = 4,
  parameter int unsigned FlushWaiters = 8,
  parameter int unsigned ScratchWords = 16,
  parameter bit          ActiveAccess = 1'b1,
  parameter bit          Retire = 1'b1,  // the IOMMU has our retire port
  parameter bit          Finish = 1'b1   // the first difference ends the simulation
) (
  // Clock and reset
  input  wire logic                                           clk_i,
  input  wire logic                                           rst_ni,

  // What the checker says, and when everything is over
  output logic                                                fail_o,
  input  wire logic                                           done_i,

  // Streams: device requests, completions to devices, host requests, host completions
  input  wire logic [NumPorts-1:0]                            dev_req_valid_i,
  input  wire logic [NumPorts-1:0]                            dev_req_ready_o,
  input  wire logic [NumPorts*128-1:0]                        dev_req_hdr_i,
  input  wire logic [NumPorts*cm_pkg::DataW-1:0]              dev_req_data_i,
  input  wire logic [NumPorts*cm_pkg::StrbW-1:0]              dev_req_strb_i,
  input  wire logic [NumPorts*cm_pkg::SeqW-1:0]               dev_req_seq_i,
  input  wire logic [NumPorts-1:0]                            dev_req_sop_i,
  input  wire logic [NumPorts-1:0]                            dev_req_eop_i,
  input  wire logic [NumPorts-1:0]                            dev_cpl_valid_o,
  input  wire logic [NumPorts-1:0]                            dev_cpl_ready_i,
  input  wire logic [NumPorts*128-1:0]                        dev_cpl_hdr_o,
  input  wire logic [NumPorts*cm_pkg::DataW-1:0]              dev_cpl_data_o,
  input  wire logic [NumPorts*cm_pkg::StrbW-1:0]              dev_cpl_strb_o,
  input  wire logic [NumPorts*cm_pkg::SeqW-1:0]               dev_cpl_seq_o,
  input  wire logic [NumPorts-1:0]                            dev_cpl_error_o,
  input  wire logic [NumPorts-1:0]                            dev_cpl_sop_o,
  input  wire logic [NumPorts-1:0]                            dev_cpl_eop_o,
  input  wire logic                                           host_req_valid_o,
  input  wire logic                                           host_req_ready_i,
  input  wire logic                                           host_np_ready_i,
  input  wire logic [128-1:0]                                 host_req_hdr_o,
  input  wire logic [cm_pkg::DataW-1:0]                       host_req_data_o,
  input  wire logic [cm_pkg::StrbW-1:0]                       host_req_strb_o,
  input  wire logic [cm_pkg::SeqW-1:0]                        host_req_seq_o,
  input  wire logic                                           host_req_sop_o,
  input  wire logic                                           host_req_eop_o,
  input  wire logic                                           host_cpl_valid_i,
  input  wire logic                                           host_cpl_ready_o,
  input  wire logic [128-1:0]                                 host_cpl_hdr_i,
  input  wire logic [cm_pkg::DataW-1:0]                       host_cpl_data_i,
  input  wire logic [cm_pkg::StrbW-1:0]                       host_cpl_strb_i,
  input  wire logic [cm_pkg::SeqW-1:0]                        host_cpl_seq_i,
  input  wire logic                                           host_cpl_error_i,
  input  wire logic                                           host_cpl_sop_i,
  input  wire logic                                           host_cpl_eop_i,
  input  wire logic [NumPorts-1:0]                            dev_reset_i,

  // AXI4 master
  input  wire logic [7:0]                                     m_axi_awid,
  input  wire logic [63:0]                                    m_axi_awaddr,
  input  wire logic [7:0]                                     m_axi_awlen,
  input  wire logic [2:0]                                     m_axi_awsize,
  input  wire logic                                           m_axi_awvalid,
  input  wire logic                                           m_axi_awready,
  input  wire logic [cm_pkg::DataW-1:0]                       m_axi_wdata,
  input  wire logic [cm_pkg::DataW/8-1:0]                     m_axi_wstrb,
  input  wire logic                                           m_axi_wlast,
  input  wire logic                                           m_axi_wvalid,
  input  wire logic                                           m_axi_wready,
  input  wire logic [7:0]                                     m_axi_bid,
  input  wire logic [1:0]                                     m_axi_bresp,
  input  wire logic                                           m_axi_bvalid,
  input  wire logic                                           m_axi_bready,
  input  wire logic [7:0]                                     m_axi_arid,
  input  wire logic [63:0]                                    m_axi_araddr,
  input  wire logic [7:0]                                     m_axi_arlen,
  input  wire logic [2:0]                                     m_axi_arsize,
  input  wire logic                                           m_axi_arvalid,
  input  wire logic                                           m_axi_arready,
  input  wire logic [7:0]                                     m_axi_rid,
  input  wire logic [cm_pkg::DataW-1:0]                       m_axi_rdata,
  input  wire logic [1:0]                                     m_axi_rresp,
  input  wire logic                                           m_axi_rvalid,
  input  wire logic                                           m_axi_rready,

  // AXI4-Lite slave
  input  wire logic [19:0]                                    s_axil_awaddr,
  input  wire logic                                           s_axil_awvalid,
  input  wire logic                                           s_axil_awready,
  input  wire logic [63:0]                                    s_axil_wdata,
  input  wire logic [7:0]                                     s_axil_wstrb,
  input  wire logic                                           s_axil_wvalid,
  input  wire logic                                           s_axil_wready,
  input  wire logic [1:0]                                     s_axil_bresp,
  input  wire logic                                           s_axil_bvalid,
  input  wire logic                                           s_axil_bready,
  input  wire logic [19:0]                                    s_axil_araddr,
  input  wire logic                                           s_axil_arvalid,
  input  wire logic                                           s_axil_arready,
  input  wire logic [63:0]                                    s_axil_rdata,
  input  wire logic [1:0]                                     s_axil_rresp,
  input  wire logic                                           s_axil_rvalid,
  input  wire logic                                           s_axil_rready,

  // Tasks, and retire records
  input  wire logic                                           task_valid_o,
  input  wire logic                                           task_ready_i,
  input  wire logic [4:0]                                     task_log_o,
  input  wire logic [31:0]                                    task_prod_o,
  input  wire logic                                           task_done_valid_i,
  input  wire logic [4:0]                                     task_done_log_i,
  input  wire logic [aa_pkg::RetireSlots-1:0]                 retire_valid_o,
  input  wire logic [aa_pkg::RetireSlots*aa_pkg::RetireW-1:0] retire_o
);

  import "DPI-C" function chandle tocsin_new(
    input int num_ports, input int window, input int walkers, input int iotlb_entries, input int iotlb_ways,
    input int iotlb_random, input int sp_entries, input int ctx_entries, input int psc_entries, input int num_logs,
    input int log_depth, input int tag_entries, input int flush_pages, input int flush_waiters, input int scratch_words,
    input int active_access, input int data_w, input int retire);
  import "DPI-C" function void tocsin_free(input chandle h);
  import "DPI-C" function void tocsin_reset(input chandle h);
  import "DPI-C" function void tocsin_cycle(input chandle h);
  import "DPI-C" function void tocsin_ar(input chandle h, input int id, input longint addr,
                                         input int len, input int size);
  import "DPI-C" function void tocsin_r(input chandle h, input int id, input int resp, input bit [511:0] data);
  import "DPI-C" function void tocsin_b(input chandle h, input int id, input int error);
  import "DPI-C" function void tocsin_aw(input chandle h, input int id, input longint addr,
                                         input int len, input int size);
  import "DPI-C" function void tocsin_w(input chandle h, input bit [511:0] data, input longint strb, input int last);
  import "DPI-C" function void tocsin_beat(
    input chandle h, input int stream, input int port, input int flags, input int seq, input int strb,
    input bit [127:0] hdr, input bit [511:0] data);
  import "DPI-C" function void tocsin_reg_ar(input chandle h, input int addr);
  import "DPI-C" function void tocsin_reg_r(input chandle h, input longint data, input int resp);
  import "DPI-C" function void tocsin_reg_aw(input chandle h, input int addr);
  import "DPI-C" function void tocsin_reg_w(input chandle h, input longint data, input int strb);
  import "DPI-C" function void tocsin_reg_b(input chandle h, input int resp);
  import "DPI-C" function void tocsin_level(input chandle h, input int port, input int level);
  import "DPI-C" function void tocsin_task(input chandle h, input int log, input int prod);
  import "DPI-C" function void tocsin_task_done(input chandle h, input int log);
  import "DPI-C" function void tocsin_retire(input chandle h, input bit [159:0] record);
  import "DPI-C" function void tocsin_shown(input chandle h, input int shown);
  import "DPI-C" function void tocsin_end(input chandle h);
  import "DPI-C" function int tocsin_blind(input chandle h);
  import "DPI-C" function int tocsin_failed(input chandle h);
  import "DPI-C" function string tocsin_report(input chandle h);

  localparam int unsigned DataW = cm_pkg::DataW;
  localparam int unsigned StrbW = cm_pkg::StrbW;
  localparam int unsigned SeqW = cm_pkg::SeqW;
  localparam int DevReq = 0;  // streams of tocsin_beat
  localparam int HostCpl = 1;
  localparam int HostReq = 2;
  localparam int DevCpl = 3;

  chandle h;
  bit was_reset, was_done, was_blind;
  bit [NumPorts-1:0] was_dev_reset;

  initial begin
    h = tocsin_new(int'(NumPorts), int'(Window), int'(Walkers), int'(IotlbEntries), int'(IotlbWays), int'(IotlbRandom),
                   int'(SpEntries), int'(CtxEntries), int'(PscEntries), int'(NumLogs), int'(LogDepth), int'(TagEntries),
                   int'(FlushPages), int'(FlushWaiters), int'(ScratchWords), int'(ActiveAccess),
                   int'(DataW), int'(Retire));
    fail_o = 1'b0;
    was_reset = 1'b1;
    was_done = 1'b0;
    was_blind = 1'b0;
    was_dev_reset = '0;
  end
  final tocsin_free(h);

  // A beat with its flags {taken, err, eop, sop}.
  function automatic int flags(input bit taken, input bit err, input bit eop, input bit sop);
    flags = {28'd0, taken, err, eop, sop};
  endfunction

  // The order within a cycle is that of tocsin/aa_lock.h: what memory answered, what comes in, records, what goes out.
  task automatic answers;
    if (m_axi_rvalid && m_axi_rready) tocsin_r(h, int'(m_axi_rid), int'(m_axi_rresp), 512'(m_axi_rdata));
    if (m_axi_bvalid && m_axi_bready) tocsin_b(h, int'(m_axi_bid), int'(m_axi_bresp >= 2'b10));
    if (m_axi_arvalid && m_axi_arready)
      tocsin_ar(h, int'(m_axi_arid), m_axi_araddr, int'(m_axi_arlen), int'(m_axi_arsize));
  endtask

  task automatic arrivals;
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (dev_reset_i[p] || was_dev_reset[p]) tocsin_level(h, int'(p), int'(dev_reset_i[p]));
      if (dev_req_valid_i[p])
        tocsin_beat(h, DevReq, int'(p), flags(dev_req_ready_o[p], 1'b0, dev_req_eop_i[p], dev_req_sop_i[p]),
                    int'(dev_req_seq_i[SeqW*p+:SeqW]), int'(dev_req_strb_i[StrbW*p+:StrbW]), dev_req_hdr_i[128*p+:128],
                    512'(dev_req_data_i[DataW*p+:DataW]));
    end
    if (host_cpl_valid_i)
      tocsin_beat(h, HostCpl, 0, flags(host_cpl_ready_o, host_cpl_error_i, host_cpl_eop_i, host_cpl_sop_i),
                  int'(host_cpl_seq_i),
                  int'(host_cpl_strb_i), host_cpl_hdr_i, 512'(host_cpl_data_i));
    if (s_axil_awvalid && s_axil_awready) tocsin_reg_aw(h, int'(s_axil_awaddr));
    if (s_axil_wvalid && s_axil_wready) tocsin_reg_w(h, s_axil_wdata, int'(s_axil_wstrb));
    if (s_axil_arvalid && s_axil_arready) tocsin_reg_ar(h, int'(s_axil_araddr));
  endtask

  task automatic departures;
    if (m_axi_awvalid && m_axi_awready)
      tocsin_aw(h, int'(m_axi_awid), m_axi_awaddr, int'(m_axi_awlen), int'(m_axi_awsize));
    if (m_axi_wvalid && m_axi_wready) tocsin_w(h, 512'(m_axi_wdata), 64'(m_axi_wstrb), int'(m_axi_wlast));
    if (host_req_valid_o && host_req_ready_i)
      tocsin_beat(h, HostReq, 0, flags(1'b1, 1'b0, host_req_eop_o, host_req_sop_o), int'(host_req_seq_o),
                  int'(host_req_strb_o),
                  host_req_hdr_o, 512'(host_req_data_o));
    for (int unsigned p = 0; p < NumPorts; p++)
      if (dev_cpl_valid_o[p] && dev_cpl_ready_i[p])
        tocsin_beat(h, DevCpl, int'(p), flags(1'b1, dev_cpl_error_o[p], dev_cpl_eop_o[p], dev_cpl_sop_o[p]),
                    int'(dev_cpl_seq_o[SeqW*p+:SeqW]), int'(dev_cpl_strb_o[StrbW*p+:StrbW]), dev_cpl_hdr_o[128*p+:128],
                    512'(dev_cpl_data_o[DataW*p+:DataW]));
    if (s_axil_bvalid && s_axil_bready) tocsin_reg_b(h, int'(s_axil_bresp));
    if (s_axil_rvalid && s_axil_rready) tocsin_reg_r(h, s_axil_rdata, int'(s_axil_rresp));
    if (Retire && task_valid_o && task_ready_i) tocsin_task(h, int'(task_log_o), int'(task_prod_o));
    if (Retire && task_done_valid_i) tocsin_task_done(h, int'(task_done_log_i));
    if (Retire)
      tocsin_shown(h, {28'd0, !host_np_ready_i, m_axi_awvalid || m_axi_wvalid, dev_cpl_valid_o != '0,
                       host_req_valid_o});
  endtask

  always @(posedge clk_i) begin
    was_reset <= !rst_ni;
    was_dev_reset <= dev_reset_i;
    was_done <= done_i;
    if (!rst_ni) begin
      fail_o <= 1'b0;
      was_dev_reset <= '0;
      was_blind <= 1'b0;
    end else if (!fail_o) begin
      if (was_reset) tocsin_reset(h);
      else tocsin_cycle(h);
      answers();
      arrivals();
      if (Retire)
        for (int unsigned i = 0; i < aa_pkg::RetireSlots; i++)
          if (retire_valid_o[i]) tocsin_retire(h, 160'(retire_o[aa_pkg::RetireW*i+:aa_pkg::RetireW]));
      departures();
      if (done_i && !was_done) tocsin_end(h);
      if (tocsin_blind(h) != 0 && !was_blind) begin
        was_blind <= 1'b1;
        $display("%m: flush page, AA_RESET or reset amid a read, without retire port: nothing is compared from here");
      end
      if (tocsin_failed(h) != 0) begin
        fail_o <= 1'b1;
        $display("%m: first difference\n%s", tocsin_report(h));
        if (Finish) $finish;
      end
    end
  end

endmodule
`default_nettype wire
