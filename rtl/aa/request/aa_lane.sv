// SPDX-License-Identifier: Apache-2.0
// aa_lane: where checked TLPs wait: a window of headers that can be read at two places, and their payload.
//
//   head (at sop) --> [ head, look ]  --> lk_o at lk_idx_i (looks only), rd_o at rd_idx_i
//   done          --> [ stat ] -- wr_ptr_o moves
//   pay           --> [ payload FIFO ] --> pay_*        done with keep_i: committed, without: taken back
//
// P1  wr_ptr_o counts whole TLPs; between rd_ptr_i and wr_ptr_o every one can be read, by its number.
// P2  ok_o: a header and a beat fit. No header is overwritten before rd_ptr_i has passed it.
// P3  Payload comes out in order, of kept TLPs only.
//
// Numbers are free-running, modulo 256. Cost: (2 x HeadW + LookupW + 3 x StatW) x Window bits of LUT RAM at most, the
// payload
// memory, 8 flip-flops and 3 pointers.
// Rules of README.md: STR-5.
`default_nettype none

module aa_lane #(
  parameter int unsigned Window = 8,    // power of two, 2 to 64
  parameter int unsigned HeadW = 136,
  parameter int unsigned LookupW = 72,
  parameter int unsigned StatW = 5,
  parameter int unsigned PayW = 256,
  parameter int unsigned PayDepth = 16,
  parameter bit          PayRam = 1'b1
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  // In
  output logic                  ok_o,
  input  wire logic             head_i,
  input  wire logic [HeadW-1:0] head_data_i,
  input  wire logic [LookupW-1:0] look_data_i,
  input  wire logic             pay_i,
  input  wire logic [PayW-1:0]  pay_data_i,
  input  wire logic             done_i,
  input  wire logic             keep_i,
  input  wire logic [StatW-1:0] stat_data_i,

  // Window
  output logic      [7:0]       wr_ptr_o,
  input  wire logic [7:0]       rd_ptr_i,
  input  wire logic [7:0]       lk_idx_i,
  output logic      [LookupW-1:0] lk_o,
  output logic      [StatW-1:0] lk_stat_o,
  input  wire logic [7:0]       rd_idx_i,
  output logic      [HeadW-1:0] rd_o,
  output logic      [StatW-1:0] rd_stat_o,

  // Payload
  output logic                  pay_valid_o,
  input  wire logic             pay_ready_i,
  output logic      [PayW-1:0]  pay_data_o
);

  if (Window < 2 || Window > 64 ||
      (Window & (Window - 1)) != 0) begin : gen_bad_window
    $error("aa_lane: Window must be 2, 4, 8, 16, 32 or 64");
  end

  localparam int unsigned IdxW = $clog2(Window);

  logic [7:0] wr_q;
  logic       room;

  assign wr_ptr_o = wr_q;
  // No more than Window are ever inside, so that bits above tell nothing new.
  assign ok_o = room && !((wr_q[IdxW-1:0] == rd_ptr_i[IdxW-1:0]) && (wr_q[IdxW] != rd_ptr_i[IdxW]));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wr_q <= '0;
    else if (done_i) wr_q <= wr_q + 8'd1;
  end

  cm_lutram #(
    .Width(HeadW),
    .Depth(Window)
  ) u_head (
    .clk_i,
    .we_i(head_i),
    .waddr_i(wr_q[IdxW-1:0]),
    .wdata_i(head_data_i),
    .raddr_i(rd_idx_i[IdxW-1:0]),
    .rdata_o(rd_o)
  );

  cm_lutram #(
    .Width(LookupW),
    .Depth(Window)
  ) u_look (
    .clk_i,
    .we_i(head_i),
    .waddr_i(wr_q[IdxW-1:0]),
    .wdata_i(look_data_i),
    .raddr_i(lk_idx_i[IdxW-1:0]),
    .rdata_o(lk_o)
  );

  cm_lutram #(
    .Width(StatW),
    .Depth(Window)
  ) u_rd_stat (
    .clk_i,
    .we_i(done_i),
    .waddr_i(wr_q[IdxW-1:0]),
    .wdata_i(stat_data_i),
    .raddr_i(rd_idx_i[IdxW-1:0]),
    .rdata_o(rd_stat_o)
  );

  cm_lutram #(
    .Width(StatW),
    .Depth(Window)
  ) u_lk_stat (
    .clk_i,
    .we_i(done_i),
    .waddr_i(wr_q[IdxW-1:0]),
    .wdata_i(stat_data_i),
    .raddr_i(lk_idx_i[IdxW-1:0]),
    .rdata_o(lk_stat_o)
  );

  aa_pay_fifo #(
    .Width(PayW),
    .Depth(PayDepth),
    .Ram(PayRam)
  ) u_pay (
    .clk_i,
    .rst_ni,
    .room_o(room),
    .in_valid_i(pay_i),
    .in_data_i(pay_data_i),
    .commit_i(done_i && keep_i),
    .rewind_i(done_i && !keep_i),
    .out_valid_o(pay_valid_o),
    .out_ready_i(pay_ready_i),
    .out_data_o(pay_data_o)
  );

  logic unused;
  assign unused = ^{lk_idx_i, rd_idx_i};

`ifdef FORMAL
`include "aa_lane_props.svh"
`endif

endmodule

`default_nettype wire
