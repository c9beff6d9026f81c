// SPDX-License-Identifier: Apache-2.0
// nic_replay: the answers of the last atomics of each queue pair, for those that are asked again.
//
//   put {qp, psn, value} --> [ NumQps x Replay ] <-- look {qp, psn} --> hit, value (same cycle)
//
// P1  A look-up hits if the PSN is that of one of the last Replay answers put for this QP since it was started; value_o
//     is that answer. (Of two answers with one PSN, 2^24 requests apart, the one in the higher place.)
// P2  A put is seen from the next cycle on. It takes the place of the oldest one.
// P3  After start_valid_i the QP has none.
//
// Cost: NumQps x Replay x 88 bits of LUT RAM, Replay comparators; no cycle.
// Rules of README.md: QPR-10, RSP-3, RSP-11.
`default_nettype none

module nic_replay #(
  parameter int unsigned NumQps = 16,
  parameter int unsigned Replay = 16
) (
  input  wire logic         clk_i,

  // A QP begins afresh; never together with a put
  input  wire logic         start_valid_i,
  input  wire logic [7:0]   start_qp_i,

  // An answer
  input  wire logic         put_valid_i,
  input  wire logic [7:0]   put_qp_i,
  input  wire logic [23:0]  put_psn_i,
  input  wire logic [63:0]  put_value_i,

  // Look-up
  input  wire logic [7:0]   look_qp_i,
  input  wire logic [23:0]  look_psn_i,
  output logic              hit_o,
  output logic      [63:0]  value_o
);

  if (NumQps < 1 || NumQps > 256) begin : gen_bad_num_qps $error("nic_replay: NumQps must be 1 to 256"); end
  if (Replay < 1 || Replay > 64) begin : gen_bad_replay $error("nic_replay: Replay must be 1 to 64"); end

  localparam int unsigned IdxW = NumQps > 1 ? $clog2(NumQps) : 1;
  localparam int unsigned WayW = Replay > 1 ? $clog2(Replay) : 1;
  localparam int unsigned NumW = $clog2(Replay + 1);

  // ---- how many there are, and where the next goes ----
  logic [IdxW-1:0] put_at, look_at;
  logic [NumW-1:0] put_num, look_num;
  logic [WayW-1:0] put_next, unused_next;
  logic [WayW+NumW-1:0] row_d;
  assign put_at  = start_valid_i ? start_qp_i[IdxW-1:0] : put_qp_i[IdxW-1:0];
  assign look_at = look_qp_i[IdxW-1:0];
  assign row_d   = start_valid_i ? '0 : {32'(put_next) == Replay - 1 ? WayW'(0) : put_next + WayW'(1),
                                         32'(put_num) == Replay ? put_num : put_num + NumW'(1)};

  cm_lutram #(
    .Width(WayW + NumW),
    .Depth(NumQps)
  ) u_put (
    .clk_i,
    .we_i(start_valid_i || put_valid_i),
    .waddr_i(put_at),
    .wdata_i(row_d),
    .raddr_i(put_at),
    .rdata_o({put_next, put_num})
  );
  cm_lutram #(
    .Width(WayW + NumW),
    .Depth(NumQps)
  ) u_look (
    .clk_i,
    .we_i(start_valid_i || put_valid_i),
    .waddr_i(put_at),
    .wdata_i(row_d),
    .raddr_i(look_at),
    .rdata_o({unused_next, look_num})
  );

  // ---- their PSNs, a RAM for each place ----
  logic [24*Replay-1:0] psn;
  logic [WayW-1:0]      way;
  for (genvar w = 0; w < Replay; w++) begin : gen_way
    cm_lutram #(
      .Width(24),
      .Depth(NumQps)
    ) u_psn (
      .clk_i,
      .we_i(put_valid_i && 32'(put_next) == w),
      .waddr_i(put_at),
      .wdata_i(put_psn_i),
      .raddr_i(look_at),
      .rdata_o(psn[24*w+:24])
    );
  end
  always_comb begin
    hit_o = 1'b0;
    way   = '0;
    for (int unsigned w = 0; w < Replay; w++) begin
      if (w < 32'(look_num) && psn[24*w+:24] == look_psn_i) begin
        hit_o = 1'b1;
        way   = WayW'(w);
      end
    end
  end

  // ---- their values ----
  localparam int unsigned Rows = NumQps << WayW;
  localparam int unsigned RowW = Rows > 1 ? $clog2(Rows) : 1;
  cm_lutram #(
    .Width(64),
    .Depth(Rows)
  ) u_value (
    .clk_i,
    .we_i(put_valid_i),
    .waddr_i(RowW'({put_at, put_next})),
    .wdata_i(put_value_i),
    .raddr_i(RowW'({look_at, way})),
    .rdata_o(value_o)
  );

`ifdef FORMAL
`include "nic_replay_props.svh"
`endif

endmodule

`default_nettype wire
