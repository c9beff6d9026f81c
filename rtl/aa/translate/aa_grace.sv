// SPDX-License-Identifier: Apache-2.0
// aa_grace: how long the next invalidation waits for the requests that the last one has thrown back.
//
//   forget_i --> owed: lanes with a request --+--> oldest one translated? --> all are: 32 cycles more --> wait_o
//   decided  --> no more owed ----------------+
//
// P1  wait_o is high from the cycle after forget_i on, as long as the oldest request of a lane that had one then has
//     not been translated, nor decided. (A cycle longer: it is a register.)
// P2  It is high for 34 cycles at most that are not so, and falls as soon as all of these requests are decided.
//
// An invalidation forgets all walks under way. If the next one could come before they end, a queue full of them would
// keep every miss from its walk. What is translated has 32 cycles to be decided: who rests is woken every 16.
// What is decided, and what comes later, is owed nothing: it waits for no more than the next invalidation.
//
// Cost: 2 flip-flops and a comparison a lane, 6 flip-flops.
// Rules of README.md: XLT-24.
`default_nettype none

module aa_grace #(
  parameter int unsigned NumLanes = 2,
  parameter int unsigned Window = 8
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  forget_i,

  // Lanes: arrived, decided, translated
  input  wire logic [NumLanes*8-1:0] wr_ptr_i,
  input  wire logic [NumLanes*8-1:0] rd_ptr_i,
  input  wire logic [NumLanes*8-1:0] xl_ptr_i,

  output logic                       wait_o
);

  if (Window < 1 || Window > 128 || (Window & (Window - 1)) != 0) begin : gen_bad_window
    $error("aa_grace: Window must be 1, 2, 4 ... 128");
  end

  localparam int unsigned PtrW = $clog2(Window) + 1;
  localparam logic [4:0] Grace = 5'd31;

  logic [NumLanes-1:0] owed_q, rd_q, some, moved, late;  // rd_q: bit 0, since decisions come one by one
  logic [4:0]          left_q;

  // At most Window are inside, so that bits above tell nothing new.
  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    assign some[l]  = wr_ptr_i[8*l+:PtrW] != rd_ptr_i[8*l+:PtrW];
    assign moved[l] = rd_ptr_i[8*l] != rd_q[l];
    assign late[l]  = owed_q[l] && !moved[l] && xl_ptr_i[8*l+:PtrW] == rd_ptr_i[8*l+:PtrW];
    always_ff @(posedge clk_i) rd_q[l] <= rst_ni && rd_ptr_i[8*l];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q <= '0;
      left_q <= '0;
      wait_o <= 1'b0;
    end else begin
      owed_q <= forget_i ? some : owed_q & ~moved;
      if (forget_i || late != '0) left_q <= Grace;
      else if (left_q != '0) left_q <= left_q - 5'd1;
      wait_o <= forget_i || late != '0 || ((owed_q & ~moved) != '0 && left_q != '0);
    end
  end

  logic unused;
  assign unused = ^{wr_ptr_i, rd_ptr_i, xl_ptr_i};

`ifdef FORMAL
`include "aa_grace_props.svh"
`endif

endmodule

`default_nettype wire
