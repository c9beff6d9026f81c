// SPDX-License-Identifier: Apache-2.0
// cm_axil_regs: AXI4-Lite slave in front of a bus of registers. One access at a time.
//
//   AW, W --+                         +--> rb_o (address, write, data, strobes) --> register blocks
//           +--> one access --> wait -+
//   AR -----+                  (hold) +<-- rb_rdata, rb_far (OR of all blocks); rb_late a cycle later
//
// P1  One response for each access taken, OKAY; a waiting response never changes; reads and writes take turns.
// P2  A write makes exactly one rb_o.we with its address, data and strobes; a write without strobes does nothing.
// P3  A read makes exactly one rb_re_o, and returns rb_rdata_o of that cycle, which is rb_rdata_i | rb_far_i, ORed with
//     rb_late_i of the next one: what registers elsewhere have kept of the cycle of rb_re_o. rb_o.addr is stable from
//     the cycle before, as is what is written.
// P4  Who decodes rb_o says whether the access needs a hold: held_w_i of a write, held_r_i of a
//     read, looked at in the first cycle in which they are on the bus. Such an access is done only while hold_req_o and
//     hold_gnt_i are high, and hold_req_o is low in the next cycle; no other access asks for a hold. What is granted
//     later than in the cycle of the request has been on the bus for two cycles when it is written.
// P5  No write while wr_wait_i is high (a message that quotes registers is being handed over).
//
// Latency: 2 cycles from taking an access to rb_o.we or rb_re_o, 3 to its response, 4 for a read, the wait for a hold
// not counted: what comes from far away, or late, meets the rest a cycle later.
// Cost: address, data, strobes, and a register for what is read far away.
// Rules of rtl/aa/README.md: INV-11, INV-12.
`default_nettype none

module cm_axil_regs (
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
  output cm_pkg::reg_bus_t rb_o,
  input  wire logic [63:0] rb_rdata_i,  // two halves of one OR
  input  wire logic [63:0] rb_far_i,
  input  wire logic [63:0] rb_late_i,   // in the cycle behind rb_re_o

  output logic             rb_re_o,
  output logic      [63:0] rb_rdata_o,  // with rb_re_o: what is read, but for rb_late_i

  // Hold, and messages that quote registers
  input  wire logic        held_w_i,
  input  wire logic        held_r_i,
  output logic             hold_req_o,
  input  wire logic        hold_gnt_i,
  input  wire logic        wr_wait_i
);

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StSetup = 3'd1;  // rb_o.addr is there: decode
  localparam logic [2:0] StRead = 3'd2;
  localparam logic [2:0] StWrite = 3'd3;
  localparam logic [2:0] StMore = 3'd4;   // read: near, far and late together
  localparam logic [2:0] StResp = 3'd5;

  logic [2:0]  state_q, state_d;
  logic        write_q;              // the present access, and the last one: the next turn is the other kind's
  logic        hold_q, hold_d;       // in StRead or StWrite, and that needs a hold: a register, since it goes far
  logic [19:3] addr_q;
  logic [63:0] data_q;               // write: what to write; read: what was read
  logic [63:0] far_q;
  logic [7:0]  strb_q;
  logic        take_w, take_r, held, we;

  // Accesses are to whole words; the strobes say which bytes.
  logic unused;
  assign unused = ^{s_awaddr_i[2:0], s_araddr_i[2:0]};

  // Both halves of a write are taken together.
  assign take_w      = state_q == StIdle && s_awvalid_i && s_wvalid_i && !(s_arvalid_i && write_q);
  assign take_r      = state_q == StIdle && s_arvalid_i && !take_w;
  assign s_awready_o = take_w;
  assign s_wready_o  = take_w;
  assign s_arready_o = take_r;

  assign held        = !hold_q || hold_gnt_i;

  assign we         = state_q == StWrite && !wr_wait_i && held;
  assign rb_o       = {addr_q, we, data_q, strb_q};
  assign hold_req_o = hold_q;
  assign rb_re_o    = state_q == StRead && held;
  assign rb_rdata_o = rb_rdata_i | rb_far_i;

  assign s_bvalid_o = state_q == StResp && write_q;
  assign s_rvalid_o = state_q == StResp && !write_q;
  assign s_rdata_o  = data_q;
  assign s_bresp_o  = 2'b00;
  assign s_rresp_o  = 2'b00;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (take_w || take_r) state_d = StSetup;
      StSetup: state_d = !write_q ? StRead : strb_q == 8'd0 ? StResp : StWrite;
      StRead:  if (held) state_d = StMore;
      StMore:  state_d = StResp;
      StWrite: if (we) state_d = StResp;
      default: if (write_q ? s_bready_i : s_rready_i) state_d = StIdle;
    endcase
  end

  assign hold_d = (state_d == StRead || state_d == StWrite) &&
                  (state_q == StSetup ? (write_q ? held_w_i : held_r_i) : hold_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      write_q <= 1'b0;
      hold_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      hold_q  <= hold_d;
      if (take_w || take_r) write_q <= take_w;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_w || take_r) addr_q <= take_w ? s_awaddr_i[19:3] : s_araddr_i[19:3];
    if (take_w) strb_q <= s_wstrb_i;
    if (take_w) data_q <= s_wdata_i;
    else if (state_q == StRead) data_q <= rb_rdata_i;
    else if (state_q == StMore) data_q <= data_q | far_q | rb_late_i;
    far_q <= rb_far_i;
  end

`ifdef FORMAL
`include "cm_axil_regs_props.svh"
`endif

endmodule

`default_nettype wire
