// SPDX-License-Identifier: Apache-2.0
// nic_ctx_regs: NIC_CTX, NIC_BELL, NIC_CLOSE.
//
//   rb --+--> NIC_CTX --> en, table (address and process)
//        +--> NIC_BELL --> bell
//        +--> NIC_CLOSE --> close, busy
//
// P1  NIC_CTX reads as it was last written while some_on_i was low and nothing was being closed, 0 before; cfg_we_o in
//     the cycle of such a write.
// P2  bell_valid_o in the cycle of a write to NIC_BELL with contexts on, of a context that exists.
// P3  A write to NIC_CLOSE with contexts on, of one that exists, while nothing is being closed, makes close_valid_o,
//     until close_done_i. NIC_CLOSE reads the context, and BUSY.
// P4  A write of the upper half of NIC_BELL alone, or of no byte of NIC_CLOSE.CTX, does neither.
//
// Bytes of a word that are not written stay; those of NIC_BELL are 0. Cost: 80 flip-flops.
// That software writes a context only while the NIC's hand is not on it (CTX-3) is its own business: nothing here
// looks.
// Rules of README.md: CTX-1, CTX-3, CTX-4, CTX-9.
`default_nettype none

module nic_ctx_regs #(
  parameter int unsigned Contexts = 64,
  localparam int unsigned CtxW = $clog2(Contexts)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t rb_i,
  output logic      [63:0]      rb_rdata_o,

  input  wire logic             some_on_i,    // a place is on
  output logic                  en_o,
  output logic      [63:12]     table_o,
  output logic      [nic_pkg::ProcW-1:0] proc_o,
  output logic                  cfg_we_o,

  output logic                  bell_valid_o,
  output logic      [CtxW-1:0]  bell_ctx_o,
  output logic      [15:0]      bell_prod_o,

  output logic                  close_valid_o,
  output logic      [CtxW-1:0]  close_ctx_o,
  input  wire logic             close_done_i
);

  if (Contexts < 2 || Contexts > 4096 || (Contexts & (Contexts - 1)) != 0) begin : gen_bad_contexts
    $error("nic_ctx_regs: Contexts must be a power of two, 2 to 4096");
  end

  nic_reg_pkg::nic_ctx_t   at_ctx, to_ctx;
  nic_reg_pkg::nic_bell_t  to_bell;
  nic_reg_pkg::nic_close_t at_close, to_close;

  logic         en_q, busy_q, close;
  logic [3:0]   proc_q;
  logic [63:12] table_q;
  logic [CtxW-1:0] close_q;

  always_comb begin
    {at_ctx, at_close} = '0;
    at_ctx.EN     = en_q;
    at_ctx.PROC   = proc_q;
    at_ctx.ADDR   = table_q;
    at_close.CTX  = 12'(close_q);
    at_close.BUSY = busy_q;
  end
  assign to_ctx   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_ctx);
  assign to_bell  = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, 64'd0);
  assign to_close = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_close);

  assign cfg_we_o     = rb_i.we && nic_reg_pkg::at_NIC_CTX(rb_i.addr) && !some_on_i && !busy_q;
  assign bell_valid_o = rb_i.we && nic_reg_pkg::at_NIC_BELL(rb_i.addr) && en_q && rb_i.wstrb[3:0] != '0 &&
                        32'(to_bell.CTX) < Contexts;
  assign bell_ctx_o   = to_bell.CTX[CtxW-1:0];
  assign bell_prod_o  = to_bell.PROD;
  assign close        = rb_i.we && nic_reg_pkg::at_NIC_CLOSE(rb_i.addr) && en_q && !busy_q &&
                        rb_i.wstrb[1:0] != '0 && 32'(to_close.CTX) < Contexts;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {table_q, proc_q, en_q} <= '0;
      busy_q  <= 1'b0;
      close_q <= '0;
    end else begin
      if (cfg_we_o) {table_q, proc_q, en_q} <= {to_ctx.ADDR, to_ctx.PROC, to_ctx.EN};
      if (close) {busy_q, close_q} <= {1'b1, to_close.CTX[CtxW-1:0]};
      else if (close_done_i) busy_q <= 1'b0;
    end
  end

  assign en_o          = en_q;
  assign table_o       = table_q;
  assign proc_o        = proc_q;
  assign close_valid_o = busy_q;
  assign close_ctx_o   = close_q;
  assign rb_rdata_o    = ({64{nic_reg_pkg::at_NIC_CTX(rb_i.addr)}} & at_ctx) |
                         ({64{nic_reg_pkg::at_NIC_CLOSE(rb_i.addr)}} & at_close);

  logic unused;
  assign unused = ^{to_ctx, to_bell, to_close};

`ifdef FORMAL
`include "nic_ctx_regs_props.svh"
`endif

endmodule

`default_nettype wire
