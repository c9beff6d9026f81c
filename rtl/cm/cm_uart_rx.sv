// SPDX-License-Identifier: Apache-2.0
// cm_uart_rx: bytes from a serial line: 8 data bits, lowest first, no parity, one stop bit.
//
//   rx_i --> two registers --> start found --> sample in the middle of each bit --> out_*
//
// P1  A byte is given after its stop bit has been seen as 1, once, for one cycle; with the stop bit 0 it is dropped
//     (bad_o).
// P2  A start bit that is 1 again in its middle is none.
// P3  Each bit is sampled once, Div cycles after the one before, the first one 1.5 bits after the edge.
// P4  After a stop bit that was 0 nothing starts until the line has been 1.
//
// Takes what differs up to 4 % in speed where Div is 10 or more; up to 2.5 % at Div = 4.
// Cost: 29 LUT4, 5 CCU2C, 24 flip-flops (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module cm_uart_rx #(
  parameter int unsigned Div = 434  // cycles of a bit, 4 or more
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       rx_i,
  output logic            out_valid_o,
  output logic      [7:0] out_data_o,
  output logic            bad_o
);

  if (Div < 4 || Div > 65536) begin : gen_bad_div $error("cm_uart_rx: Div must be 4 to 65536"); end

  localparam int unsigned CntW = $clog2(Div);

  logic            sync_q, line_q;
  logic [3:0]      left_q;  // bits still to sample, the stop bit included; 10: the start bit; 0: none
  logic [CntW-1:0] cnt_q;
  logic [7:0]      shift_q;
  logic            rest_q;  // a bad stop bit: wait for a 1
  logic            sample;

  assign sample      = left_q != 4'd0 && cnt_q == '0;
  assign out_valid_o = sample && left_q == 4'd1 && line_q;
  assign bad_o       = sample && left_q == 4'd1 && !line_q;
  assign out_data_o  = shift_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sync_q <= 1'b1;
      line_q <= 1'b1;
      left_q <= 4'd0;
      cnt_q  <= '0;
      rest_q <= 1'b0;
    end else begin
      sync_q <= rx_i;
      line_q <= sync_q;
      rest_q <= (rest_q || bad_o) && !line_q;
      if (left_q == 4'd0) begin
        left_q <= line_q || rest_q ? 4'd0 : 4'd10;
        cnt_q  <= CntW'(Div / 2 - 1);
      end else if (!sample) begin
        cnt_q <= cnt_q - 1'b1;
      end else begin
        left_q <= left_q == 4'd10 && line_q ? 4'd0 : left_q - 4'd1;
        cnt_q  <= CntW'(Div - 1);
      end
    end
  end

  always_ff @(posedge clk_i) if (sample && left_q != 4'd1) shift_q <= {line_q, shift_q[7:1]};

`ifdef FORMAL
`include "cm_uart_rx_props.svh"
`endif

endmodule

`default_nettype wire
