// SPDX-License-Identifier: Apache-2.0
// What test_untie.py looks at: memories of four words, of sixteen, and of four that begin with something.
module untie (
  input  wire        clk_i,
  input  wire        we_i,
  input  wire [3:0]  waddr_i,
  input  wire [3:0]  raddr_i,
  input  wire [4:0]  data_i,
  output wire [14:0] data_o
);

  (* ram_style = "distributed" *) reg [4:0] few_q [0:3];
  (* ram_style = "distributed" *) reg [4:0] all_q [0:15];
  (* ram_style = "distributed" *) reg [4:0] set_q [0:3];
  integer i;
  initial for (i = 0; i < 4; i = i + 1) set_q[i] = i + 1;

  always @(posedge clk_i) begin
    if (we_i) few_q[waddr_i[1:0]] <= data_i;
    if (we_i) all_q[waddr_i] <= data_i;
    if (we_i) set_q[waddr_i[1:0]] <= data_i;
  end

  assign data_o = {set_q[raddr_i[1:0]], all_q[raddr_i], few_q[raddr_i[1:0]]};

endmodule
