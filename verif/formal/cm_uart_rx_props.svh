// SPDX-License-Identifier: Apache-2.0
// Theorems of cm_uart_rx: beside it runs a sender of any bytes, with any pauses. As long as the line has been what that
// one sends, each byte comes out, once, in the middle of its stop bit. (From Div = 6 on: before, two registers of delay
// reach into the next start bit.)
`include "fv.svh"

  `FV_INIT

  localparam logic [31:0] FvMid = 32'(Div / 2 + 3);          // place in the frame at which the start bit is sampled
  localparam logic [31:0] FvEnd = FvMid + 32'd9 * 32'(Div);  // and the stop bit

  `FV_ANYSEQ(f_go, 1)
  `FV_ANYSEQ(f_any, 8)
  logic        f_good_q;
  logic [7:0]  f_byte_q;
  logic [31:0] f_place_q;  // in the frame, from 1; 0: nothing is sent
  logic [31:0] f_ago, f_took;

  function automatic logic f_line(input logic [31:0] place, input logic [7:0] data);
    f_line = place == 32'd0 || place > 32'd9 * 32'(Div) ? 1'b1
           : place <= 32'(Div) ? 1'b0
           : data[3'((place - 32'd1) / 32'(Div) - 32'd1)];
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_good_q  <= 1'b1;
      f_place_q <= 32'd0;
    end else begin
      f_good_q <= f_good_q && rx_i == f_line(f_place_q, f_byte_q);
      if (f_place_q == 32'd0 || f_place_q == 32'd10 * 32'(Div)) begin
        f_place_q <= 32'(f_go);
        f_byte_q  <= f_any;
      end else f_place_q <= f_place_q + 32'd1;
    end
  end
  assign f_ago  = f_place_q >= 32'd3 ? f_place_q - 32'd2 : 32'd0;
  assign f_took = 32'd9 - 32'(left_q);  // data bits sampled, if the start bit has been

  `FV_COMB if (f_past_q && Div >= 6) begin
    p3_cnt: assert (left_q <= 4'd10 && 32'(cnt_q) < 32'(Div) && f_place_q <= 32'd10 * 32'(Div));
    if (f_good_q) begin
      p3_sync: assert (line_q == f_line(f_ago, f_byte_q));
      p3_sync1: assert (sync_q == f_line(f_place_q >= 32'd2 ? f_place_q - 32'd1 : 32'd0, f_byte_q));
      if (f_place_q > 32'd3 && f_place_q <= FvEnd) begin
        p3_left: assert (left_q != 4'd0);
        p3_when: assert (f_place_q + 32'(cnt_q) == FvMid + (32'd10 - 32'(left_q)) * 32'(Div));
        if (left_q <= 4'd9) p3_bits: assert (shift_q >> (32'd8 - f_took) == (f_byte_q & ~(8'hFF << f_took)));
      end else begin
        p3_idle: assert (left_q == 4'd0);
      end
      p1_once: assert (out_valid_o == (f_place_q == FvEnd));
      p1_good: assert (!bad_o);
      if (out_valid_o) p1_byte: assert (out_data_o == f_byte_q);
    end
    if (f_good_q) p4_fresh: assert (!rest_q);
    if (rest_q) p4_rest: assert (left_q == 4'd0);
    p1_one: assert (!(out_valid_o && bad_o));
    c_byte: cover (f_good_q && out_valid_o && out_data_o == 8'hC5);
    c_bad: cover (bad_o);
  end
