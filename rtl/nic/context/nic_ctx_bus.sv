// SPDX-License-Identifier: Apache-2.0
// nic_ctx_bus: registers for two masters: software, and the NIC itself (contexts).
//
//   s_* (software) ----+
//                      +--> m_* --> cm_axil_regs          want, own: the bus is the NIC's, for one access at least
//   access, done <-----+
//
// P1  Each access of software reaches m_* once, unchanged and in order, and its response comes back; none while own_o.
// P2  own_o rises only when software has no access under way, and falls when want_i does and no access is at hand.
// P3  An access that is offered with own_o is made once, with its address, data and strobes; acc_done_o tells of its
//     end, with what was read in acc_rdata_o.
// P4  Whoever waits comes next: software's access that is offered while own_o is low and want_i is low is taken at
//     once, and while want_i is high no access of software begins. A read and a write that software offers together
//     come by turns.
//
// What is offered to m_* is taken in the same cycle: cm_axil_regs is idle when nothing is under way. So software waits
// for one access of the NIC at a time, whatever the NIC waits for besides.
// Latency: a cycle from want_i to own_o, and none in software's way. Cost: a multiplexer, 4 flip-flops.
// Rules of README.md: CTX-11.
`default_nettype none

module nic_ctx_bus (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,

  // Software
  input  wire logic        s_awvalid_i,
  output logic             s_awready_o,
  input  wire logic [19:0] s_awaddr_i,
  input  wire logic        s_wvalid_i,
  output logic             s_wready_o,
  input  wire logic [63:0] s_wdata_i,
  input  wire logic [7:0]  s_wstrb_i,
  output logic             s_bvalid_o,
  input  wire logic        s_bready_i,
  input  wire logic        s_arvalid_i,
  output logic             s_arready_o,
  input  wire logic [19:0] s_araddr_i,
  output logic             s_rvalid_o,
  input  wire logic        s_rready_i,

  // The NIC
  input  wire logic        want_i,
  output logic             own_o,
  input  wire logic        acc_valid_i,  // with own_o, until acc_done_o; nothing of it changes meanwhile
  input  wire logic        acc_write_i,
  input  wire logic [19:3] acc_addr_i,
  input  wire logic [63:0] acc_wdata_i,
  input  wire logic [7:0]  acc_wstrb_i,
  output logic             acc_done_o,
  output logic      [63:0] acc_rdata_o,

  // cm_axil_regs
  output logic             m_awvalid_o,
  input  wire logic        m_awready_i,
  output logic      [19:0] m_awaddr_o,
  output logic             m_wvalid_o,
  input  wire logic        m_wready_i,
  output logic      [63:0] m_wdata_o,
  output logic      [7:0]  m_wstrb_o,
  input  wire logic        m_bvalid_i,
  output logic             m_bready_o,
  output logic             m_arvalid_o,
  input  wire logic        m_arready_i,
  output logic      [19:0] m_araddr_o,
  input  wire logic        m_rvalid_i,
  output logic             m_rready_o,
  input  wire logic [63:0] m_rdata_i
);

  logic own_q, busy_q, turn_q;  // busy: an access is under way; turn: software's next is a read
  logic free, begins, ends, sw_w, sw_r;

  // Of both that software may offer one at a time goes, by turns, so that what is offered is never taken back.
  assign free = !busy_q && (own_q ? acc_valid_i : !want_i);
  assign sw_w = s_awvalid_i && s_wvalid_i && !(s_arvalid_i && turn_q);
  assign sw_r = s_arvalid_i && !sw_w;

  assign m_awvalid_o = free && (own_q ? acc_write_i : sw_w);
  assign m_wvalid_o  = m_awvalid_o;
  assign m_arvalid_o = free && (own_q ? !acc_write_i : sw_r);
  assign m_awaddr_o  = own_q ? {acc_addr_i, 3'd0} : s_awaddr_i;
  assign m_araddr_o  = own_q ? {acc_addr_i, 3'd0} : s_araddr_i;
  assign m_wdata_o   = own_q ? acc_wdata_i : s_wdata_i;
  assign m_wstrb_o   = own_q ? acc_wstrb_i : s_wstrb_i;
  assign m_bready_o  = own_q || s_bready_i;
  assign m_rready_o  = own_q || s_rready_i;

  assign s_awready_o = !own_q && m_awvalid_o && m_awready_i;
  assign s_wready_o  = !own_q && m_wvalid_o && m_wready_i;
  assign s_arready_o = !own_q && m_arvalid_o && m_arready_i;
  assign s_bvalid_o  = !own_q && m_bvalid_i;
  assign s_rvalid_o  = !own_q && m_rvalid_i;

  assign own_o       = own_q;
  assign acc_done_o  = own_q && ends;
  assign acc_rdata_o = m_rdata_i;

  assign begins = (m_awvalid_o && m_awready_i) || (m_arvalid_o && m_arready_i);
  assign ends   = (m_bvalid_i && m_bready_o) || (m_rvalid_i && m_rready_o);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      own_q  <= 1'b0;
      busy_q <= 1'b0;
      turn_q <= 1'b0;
    end else begin
      if (begins) busy_q <= 1'b1;
      else if (ends) busy_q <= 1'b0;
      if (!own_q && begins) turn_q <= m_awvalid_o;
      if (!busy_q && !begins) own_q <= want_i;
    end
  end

`ifdef FORMAL
`include "nic_ctx_bus_props.svh"
`endif

endmodule

`default_nettype wire
