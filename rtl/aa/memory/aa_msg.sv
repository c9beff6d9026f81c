// SPDX-License-Identifier: Apache-2.0
// aa_msg: the small writes of the IOMMU (pointers, MSIs, status words) as single-beat bursts, answered in order.
//
//   0 --+                      +--> aw, w          (both from one register)
//   1 --+--> round robin --> | reg | --+
//   N --+                              +--> order: [ source, source, ... ] <-- b
//   done[source] <-----------------------------------+
//
// P1  A message leaves as one aw and one w: its bytes in the lanes of its address, of which 48 bits count (STR-3),
//     strobes on exactly these.
// P2  aw and w never change while they wait; they go independently of each other, in the order in which messages came.
// P3  done_o[i] pulses with the response to source i's oldest message: responses come in order; fail_o beside it: it is
//     an error. aw_owner_o, beside aw, is what the source said of it.
// P4  Fair: a source that asks is taken before N messages of others.
// P5  At most InFlight messages wait for a response; ready depends on no input but the requests.
//
// An 8-byte message is 8-byte aligned, a 4-byte one 4-byte aligned (the low address bits are then ignored, never
// spilt).
// Latency 1, one message in 2 cycles. Cost: 117 flip-flops and InFlight x log2 N,
// 128 x N / 2 LUTs for the choice.
// Rules of README.md: NTF-7.
`default_nettype none

module aa_msg #(
  parameter int unsigned N = 3,
  parameter int unsigned InFlight = 8,
  parameter int unsigned DataW = cm_pkg::DataW
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  // Sources
  input  wire logic [N-1:0]       msg_valid_i,
  output logic      [N-1:0]       msg_ready_o,
  input  wire logic [N*64-1:0]    msg_addr_i,
  input  wire logic [N*64-1:0]    msg_data_i,
  input  wire logic [N*4-1:0]     msg_bytes_i,  // 4 or 8
  input  wire logic [N*aa_pkg::OwnerW-1:0] msg_owner_i,
  output logic      [N-1:0]       msg_done_o,
  output logic                    msg_fail_o,

  // Write channel
  output logic                    aw_valid_o,
  input  wire logic               aw_ready_i,
  output logic      [63:0]        aw_addr_o,
  output logic      [7:0]         aw_len_o,
  output aa_pkg::owner_t          aw_owner_o,
  output logic                    w_valid_o,
  input  wire logic               w_ready_i,
  output logic      [DataW-1:0]   w_data_o,
  output logic      [DataW/8-1:0] w_strb_o,
  output logic                    w_last_o,
  input  wire logic               b_valid_i,
  input  wire logic               b_err_i
);

  if (N < 1 || InFlight < 2) begin : gen_bad_n $error("aa_msg: N must be at least 1, InFlight at least 2"); end
  if (DataW < 64 || DataW % 64 != 0) begin : gen_bad_data_w $error("aa_msg: DataW must be a multiple of 64"); end

  localparam int unsigned IdxW = N > 1 ? $clog2(N) : 1;
  localparam int unsigned LevelW = $clog2(InFlight + 1);
  localparam int unsigned Words = DataW / 64;

  logic            aw_q, w_q, wide_q, take, pop, any, room, wide;
  logic [47:2]     addr_q, addr;
  logic [63:0]     data_q, data;
  aa_pkg::owner_t  owner_q, owner;
  logic [N-1:0]    gnt;
  logic [IdxW-1:0] idx;
  logic [LevelW-1:0] level_q;
  logic [InFlight*IdxW-1:0] order_q, order_d;

  cm_rr_arb #(
    .N(N)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i(msg_valid_i),
    .advance_i(take),
    .valid_o(any),
    .gnt_o(gnt),
    .idx_o(idx)
  );

  // Both halves gone: no path from the write channel's ready to a source's.
  assign room        = !aw_q && !w_q;
  assign msg_ready_o = gnt & {N{take}};

  assign take        = any && room && level_q != LevelW'(InFlight);
  assign pop         = b_valid_i && level_q != '0;

  // Place 0 is the oldest; the youngest goes behind what a response leaves.
  always_comb begin
    for (int unsigned i = 0; i < InFlight; i++) begin
      order_d[IdxW*i+:IdxW] = order_q[IdxW*i+:IdxW];
      if (pop) order_d[IdxW*i+:IdxW] = i + 1 < InFlight ? order_q[IdxW*((i+1)%InFlight)+:IdxW] : '0;
      if (take && level_q == LevelW'(i) + LevelW'(pop)) order_d[IdxW*i+:IdxW] = idx;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) level_q <= '0;
    else level_q <= level_q + LevelW'(take) - LevelW'(pop);
  end
  always_ff @(posedge clk_i) order_q <= order_d;

  always_comb begin
    msg_done_o = '0;
    for (int unsigned i = 0; i < N; i++) msg_done_o[i] = pop && order_q[IdxW-1:0] == IdxW'(i);
  end

  assign msg_fail_o = b_err_i;

  // ---- the message that leaves ----
  always_comb begin
    addr = '0;
    data = '0;
    wide = 1'b0;
    owner = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (gnt[i]) begin
        addr = addr | msg_addr_i[64*i+2+:46];
        data = data | msg_data_i[64*i+:64];
        owner = owner | msg_owner_i[aa_pkg::OwnerW*i+:aa_pkg::OwnerW];
        wide = wide | msg_bytes_i[4*i+3];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q  <= 1'b0;
    end else begin
      if (take) aw_q <= 1'b1;
      else if (aw_ready_i) aw_q <= 1'b0;
      if (take) w_q <= 1'b1;
      else if (w_ready_i) w_q <= 1'b0;
    end
  end

  // A 4-byte message is put in both halves of its 8 bytes: the strobes choose.
  always_ff @(posedge clk_i) begin
    if (take) begin
      addr_q <= addr;
      data_q <= wide ? data : {data[31:0], data[31:0]};
      wide_q <= wide;
      owner_q <= owner;
    end
  end

  assign aw_valid_o = aw_q;
  assign aw_addr_o  = {16'd0, addr_q[47:3], addr_q[2] && !wide_q, 2'b00};
  assign aw_len_o   = 8'd0;
  assign aw_owner_o = owner_q;
  assign w_valid_o  = w_q;
  assign w_data_o   = {Words{data_q}};
  assign w_last_o   = 1'b1;

  always_comb begin
    w_strb_o = '0;
    for (int unsigned i = 0; i < DataW / 32; i++) begin
      if (32'(addr_q[47:3]) % Words == i / 2 && (wide_q || addr_q[2] == 1'(i))) w_strb_o[4*i+:4] = 4'hF;
    end
  end

`ifdef FORMAL
`include "aa_msg_props.svh"
`endif

endmodule

`default_nettype wire
