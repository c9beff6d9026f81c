// SPDX-License-Identifier: Apache-2.0
// cm_uart_tx: bytes onto a serial line: 8 data bits, lowest first, no parity, one stop bit.
//
//   in_* --> shift --> tx_o      one bit each Div cycles: start 0, d0 .. d7, stop 1
//
// P1  The line is 1 while nothing is sent; a byte makes ten bits of Div cycles each: 0, its bits, 1.
// P2  Each byte taken is sent once, in order; the next is taken when the stop bit is over.
//
// Cost: 28 LUT4, 5 CCU2C, 22 flip-flops (Yosys 0.23, synth_ecp5 -nowidelut -abc9).
`default_nettype none

module cm_uart_tx #(
  parameter int unsigned Div = 434  // cycles of a bit, 2 or more: 50 MHz / 115200
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       in_valid_i,
  output logic            in_ready_o,
  input  wire logic [7:0] in_data_i,
  output logic            tx_o
);

  if (Div < 2 || Div > 65536) begin : gen_bad_div $error("cm_uart_tx: Div must be 2 to 65536"); end

  localparam int unsigned CntW = $clog2(Div);

  logic [8:0]      shift_q;  // what comes after the present bit
  logic            line_q;
  logic [3:0]      left_q;   // bits still to send, the present one included
  logic [CntW-1:0] cnt_q;

  assign in_ready_o = left_q == 4'd0;
  assign tx_o       = line_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      line_q <= 1'b1;
      left_q <= 4'd0;
      cnt_q  <= '0;
    end else if (in_ready_o) begin
      line_q <= !in_valid_i;
      left_q <= in_valid_i ? 4'd10 : 4'd0;
      cnt_q  <= CntW'(Div - 1);
    end else if (cnt_q != '0) begin
      cnt_q <= cnt_q - 1'b1;
    end else begin
      line_q <= left_q == 4'd1 ? 1'b1 : shift_q[0];
      left_q <= left_q - 4'd1;
      cnt_q  <= CntW'(Div - 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (in_ready_o) shift_q <= {1'b1, in_data_i};
    else if (cnt_q == '0) shift_q <= {1'b1, shift_q[8:1]};
  end

`ifdef FORMAL
`include "cm_uart_tx_props.svh"
`endif

endmodule

`default_nettype wire
