// SPDX-License-Identifier: Apache-2.0
// aa_axil: AXI4-Lite slave in front of the registers. One access at a time.
//
//   AW, W --+                         +--> rb_addr, rb_we, rb_wdata, rb_wstrb --> register blocks
//           +--> one access --> wait -+
//   AR -----+                  (hold) +<-- rb_rdata, rb_far (OR of all blocks)
//
// P1  One response for each access taken, OKAY; a waiting response never changes; reads and writes take turns.
// P2  A write makes exactly one rb_we_o with its address, data and strobes, and in that cycle the record RetRegWrite;
//     a write without strobes does nothing and makes no record.
// P3  A read returns rb_rdata_i | rb_far_i of the cycle of its record RetRegRead. rb_addr_o is stable from the cycle before, as
//     is what is written.
// P4  A write to GCMD, AA_CTL, AA_PORT, AA_FLP or the page 0x2000, and any access to FSTS, FECTL, FRCD or the counters
//     (HoldAll: any write, no read), is done only while hold_req_o and hold_gnt_i are high, and hold_req_o is low in the
//     next cycle; no other access asks for a hold. (What a decision records gets there late: under hold it has.) So what waits
//     for a hold has been on the bus for two cycles when it is written (env_grant: no grant in the cycle of the request).
// P5  forget_o marks the rb_we_o of GCMD and AA_CTL.
// P6  No write while wr_wait_i is high (a message that quotes registers is being handed over).
//
// Records carry the address of the 64-bit word. Latency: 2 cycles from taking an access to its record, 3 to its
// response, 4 for a read, the wait for a hold not counted: what comes from far away meets the rest a cycle later.
// Cost: address, data, strobes, and a register for what is read far away.
// Rules of README.md: INV-11, INV-12.
`default_nettype none

module aa_axil #(
  parameter bit HoldAll = 1'b0  // every write asks for a hold, as the NIC's do
) (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // AXI4-Lite slave
  input  wire logic        s_awvalid_i,
  output logic             s_awready_o,
  input  wire logic [19:0] s_awaddr_i,
  input  wire logic        s_wvalid_i,
  output logic             s_wready_o,
  input  wire logic [63:0] s_wdata_i,
  input  wire logic [7:0]  s_wstrb_i,
  output logic             s_bvalid_o,
  input  wire logic        s_bready_i,
  output logic      [1:0]  s_bresp_o,
  input  wire logic        s_arvalid_i,
  output logic             s_arready_o,
  input  wire logic [19:0] s_araddr_i,
  output logic             s_rvalid_o,
  input  wire logic        s_rready_i,
  output logic      [63:0] s_rdata_o,
  output logic      [1:0]  s_rresp_o,

  // Register bus
  output logic      [19:3] rb_addr_o,
  output logic             rb_we_o,
  output logic      [63:0] rb_wdata_o,
  output logic      [7:0]  rb_wstrb_o,
  input  wire logic [63:0] rb_rdata_i,  // two halves of one OR
  input  wire logic [63:0] rb_far_i,

  // Quiesce (aa_inval), and messages that quote registers (aa_fault, aa_qi)
  output logic             hold_req_o,
  input  wire logic        hold_gnt_i,
  output logic             forget_o,
  input  wire logic        wr_wait_i,

  // Retire: slots RegRead and RegWrite
  output logic             ret_read_valid_o,
  output aa_pkg::retire_t  ret_read_o,
  output logic             ret_write_valid_o,
  output aa_pkg::retire_t  ret_write_o
);

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StSetup = 3'd1;  // rb_addr_o is there: decode
  localparam logic [2:0] StRead = 3'd2;
  localparam logic [2:0] StWrite = 3'd3;
  localparam logic [2:0] StMore = 3'd4;   // read: near and far together
  localparam logic [2:0] StResp = 3'd5;

  logic [2:0]  state_q, state_d;
  logic        write_q;              // the present access, and the last one: the next turn is the other kind's
  logic        hold_q, forget_q;     // the present access needs a hold, forgets translations
  logic [19:3] addr_q;
  logic [63:0] data_q;               // write: what to write; read: what was read
  logic [63:0] far_q;
  logic [7:0]  strb_q;
  logic        take_w, take_r, is_gcmd, is_ctl, is_held, is_late, held;

  // Accesses are to whole words; the strobes say which bytes.
  logic unused;
  assign unused = ^{s_awaddr_i[2:0], s_araddr_i[2:0]};

  // Both halves of a write are taken together.
  assign take_w      = state_q == StIdle && s_awvalid_i && s_wvalid_i && !(s_arvalid_i && write_q);
  assign take_r      = state_q == StIdle && s_arvalid_i && !take_w;
  assign s_awready_o = take_w;
  assign s_wready_o  = take_w;
  assign s_arready_o = take_r;

  assign is_gcmd = addr_q == 17'(aa_reg_pkg::RegGCMD >> 3) && strb_q[3:0] != 4'd0;
  assign is_ctl  = addr_q == 17'(aa_reg_pkg::RegAA_CTL >> 3) && strb_q[3:0] != 4'd0;
  assign is_held = addr_q == 17'(aa_reg_pkg::RegAA_RESET >> 3) || addr_q[19:5] == 15'(aa_reg_pkg::RegAA_PORT >> 5) ||
                   addr_q[19:6] == 14'(aa_reg_pkg::RegAA_FLP >> 6) || addr_q[19:12] == 8'(aa_reg_pkg::RegLOG_BASE >> 12);

  // FSTS and FECTL are neighbours; so are the fault records, and the counters.
  assign is_late = addr_q[19:4] == 16'(aa_reg_pkg::RegFSTS >> 4) ||
                   (addr_q[19:8] == 12'(aa_reg_pkg::RegFRCDL >> 8) && addr_q[7:4] - 4'(aa_reg_pkg::RegFRCDL >> 4) < 4'd8) ||
                   addr_q[19:9] == 11'(aa_reg_pkg::RegCNT >> 9);
  assign held    = !hold_q || hold_gnt_i;

  assign rb_addr_o  = addr_q;
  assign rb_wdata_o = data_q;
  assign rb_wstrb_o = strb_q;
  assign rb_we_o    = state_q == StWrite && !wr_wait_i && held;
  assign hold_req_o = (state_q == StWrite || state_q == StRead) && hold_q;
  assign forget_o   = rb_we_o && forget_q;

  assign s_bvalid_o = state_q == StResp && write_q;
  assign s_rvalid_o = state_q == StResp && !write_q;
  assign s_rdata_o  = data_q;
  assign s_bresp_o  = 2'b00;
  assign s_rresp_o  = 2'b00;

  assign ret_read_valid_o  = state_q == StRead && held;
  assign ret_write_valid_o = rb_we_o;
  always_comb begin
    ret_read_o       = '0;
    ret_read_o.kind  = aa_pkg::RetRegRead;
    ret_read_o.a     = 64'({addr_q, 3'd0});
    ret_read_o.b     = rb_rdata_i | rb_far_i;
    ret_write_o      = '0;
    ret_write_o.kind = aa_pkg::RetRegWrite;
    ret_write_o.idx  = strb_q;
    ret_write_o.a    = 64'({addr_q, 3'd0});
    ret_write_o.b    = data_q;
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (take_w || take_r) state_d = StSetup;
      StSetup: state_d = !write_q ? StRead : strb_q == 8'd0 ? StResp : StWrite;
      StRead:  if (held) state_d = StMore;
      StMore:  state_d = StResp;
      StWrite: if (rb_we_o) state_d = StResp;
      default: if (write_q ? s_bready_i : s_rready_i) state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      write_q <= 1'b0;
    end else begin
      state_q <= state_d;
      if (take_w || take_r) write_q <= take_w;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_w || take_r) addr_q <= take_w ? s_awaddr_i[19:3] : s_araddr_i[19:3];
    if (take_w) strb_q <= s_wstrb_i;
    if (take_w) data_q <= s_wdata_i;
    else if (state_q == StRead) data_q <= rb_rdata_i;
    else if (state_q == StMore) data_q <= data_q | far_q;
    far_q <= rb_far_i;
    if (state_q == StSetup) begin
      hold_q   <= write_q ? HoldAll || is_late || is_gcmd || is_ctl || is_held : is_late && !HoldAll;
      forget_q <= is_gcmd || is_ctl;
    end
  end

`ifdef FORMAL
`include "aa_axil_props.svh"
`endif

endmodule

`default_nettype wire
