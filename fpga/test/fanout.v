// SPDX-License-Identifier: Apache-2.0
// Twelve stages of a handshake without a register in its ready, and a register that both it and a word look at: what
// scripts/fanout.py is for.
module fanout (
  input  wire        clk_i,
  input  wire        valid_i,
  output wire        ready_o,
  input  wire [79:0] data_i,
  output wire        valid_o,
  input  wire        ready_i,
  input  wire        turn_i,
  output wire [79:0] data_o
);
  reg ready_q, turn_q;
  reg [11:0] valid_q;
  reg [79:0] data_q [0:11];
  wire [12:0] ready;

  assign ready[12] = ready_q || turn_q;
  assign ready_o = ready[0];
  assign valid_o = valid_q[11];
  assign data_o = turn_q ? {data_q[11][39:0], data_q[11][79:40]} : data_q[11];
  always @(posedge clk_i) begin
    ready_q <= ready_i;
    turn_q <= turn_i;
  end

  genvar i;
  generate
    for (i = 0; i < 12; i = i + 1) begin : gen_stage
      assign ready[i] = ready[i+1] || !valid_q[i];
      always @(posedge clk_i) begin
        if (ready[i]) begin
          valid_q[i] <= i == 0 ? valid_i : valid_q[i?i-1:0];
          data_q[i] <= i == 0 ? data_i : data_q[i?i-1:0] ^ {20{4'(i)}};
        end
      end
    end
  endgenerate
endmodule
