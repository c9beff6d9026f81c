// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_uart_tx: the line is compared, cycle by cycle, with the frame of the byte that was taken.
`include "fv.svh"

  `FV_INIT

  logic [7:0]  f_byte_q;  // taken last
  logic [31:0] f_age_q;   // cycles since then
  logic [31:0] f_bit;     // of the frame: 0 start, 1 to 8 data, 9 stop

  always_ff @(posedge clk_i) begin
    if (in_valid_i && in_ready_o) begin
      f_byte_q <= in_data_i;
      f_age_q  <= 32'd0;
    end else f_age_q <= f_age_q + 32'd1;
  end
  assign f_bit = 32'd10 - 32'(left_q);

  `FV_COMB if (f_past_q) begin
    p1_left: assert (left_q <= 4'd10 && 32'(cnt_q) < 32'(Div));
    if (left_q == 4'd0) begin
      p1_idle: assert (tx_o);
    end else begin
      p1_shift: assert (shift_q == ~(~{1'b1, f_byte_q} >> f_bit[3:0]));
      p1_time: assert (f_age_q == f_bit * 32'(Div) + 32'(Div) - 32'd1 - 32'(cnt_q));
      if (f_bit == 32'd0) p1_start: assert (!tx_o);
      if (f_bit >= 32'd1 && f_bit <= 32'd8) p1_data: assert (tx_o == f_byte_q[3'(f_bit - 32'd1)]);
      if (f_bit == 32'd9) p1_stop: assert (tx_o);
    end
    p2_ready: assert (in_ready_o == (left_q == 4'd0));
    c_second: cover (left_q == 4'd9 && f_byte_q == 8'hA5 && f_age_q == 32'(Div));
  end
