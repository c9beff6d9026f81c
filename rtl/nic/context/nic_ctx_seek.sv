// SPDX-License-Identifier: Apache-2.0
// nic_ctx_seek: which place a context is loaded into.
//
//   start --> a free one? --> walk: those that nobody would miss --> walk: all others --> none, or once more
//                                    |                                 |
//                                    +--> try (nic_ctx_swap) <---------+
//   works, responses, acks, slow, met: a bit a place
//
// P1  A search ends with a place that is off, if there is one (free_o), or with one whose try was answered by try_ok_i,
//     or with none. With none only in a cycle in which all places are on and at work, or, without again_i, after both
//     walks.
// P2  A try is of a place that is on, not at work and without responses under way when it begins.
// P3  In the first walk, which begins behind the place that was taken last, it also owes no acknowledgement, is not
//     slow, and has met no frame and no bell since a search last came by. The second walk looks at all. Each comes by
//     every place, and passes none that may be tried.
//
// A step of a walk is a cycle, besides its try. With again_i a search goes on while a place is not at work: what keeps
// such a place are its responses, which leave by themselves, and a frame that is being decided on.
// Cost: a flip-flop a place and 30, five multiplexers of a bit a place.
// Rules of README.md: CTX-6.
`default_nettype none

module nic_ctx_seek #(
  parameter int unsigned NumQps = 16
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Places
  input  wire logic [NumQps-1:0] on_i,
  input  wire logic [NumQps-1:0] works_i,
  input  wire logic [NumQps-1:0] acks_i,       // owes an acknowledgement
  input  wire logic [NumQps-1:0] responses_i,  // has some under way
  input  wire logic [NumQps-1:0] slow_i,
  input  wire logic              met_valid_i,  // a frame
  input  wire logic [7:0]        met_place_i,
  input  wire logic              rung_valid_i,
  input  wire logic [7:0]        rung_place_i,

  // A search: start_i while none is under way
  input  wire logic              start_i,
  input  wire logic              again_i,      // until it is done
  output logic                   done_o,
  output logic                   found_o,      // with done_o
  output logic                   free_o,       // it was off: nothing is to be saved
  output logic      [7:0]        place_o,

  // Tries of place_o
  output logic                   try_valid_o,
  input  wire logic              try_done_i,
  input  wire logic              try_ok_i
);

  if (NumQps < 2 || NumQps > 256) begin : gen_bad_num_qps $error("nic_ctx_seek: NumQps must be 2 to 256"); end

  localparam int unsigned IdxW = $clog2(NumQps);

  localparam logic [2:0] StIdle = 3'd0;
  localparam logic [2:0] StFree = 3'd1;
  localparam logic [2:0] StStep = 3'd2;
  localparam logic [2:0] StTry = 3'd3;
  localparam logic [2:0] StOver = 3'd4;  // both walks have been in vain
  localparam logic [2:0] StDone = 3'd5;
  logic [2:0] state_q;

  logic [NumQps-1:0] met_q;
  logic [IdxW-1:0]   at_q, free_at, after;
  logic [IdxW:0]     left_q;                // steps of this walk
  logic              all_q, found_q, free_q, free, over;  // all: the second walk

  function automatic logic [NumQps-1:0] bit_of(input logic valid, input logic [7:0] place);
    for (int unsigned i = 0; i < NumQps; i++) bit_of[i] = valid && place == 8'(i);
  endfunction

  always_comb begin
    free    = 1'b0;
    free_at = '0;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (!on_i[i] && !free) begin
        free    = 1'b1;
        free_at = IdxW'(i);
      end
    end
  end

  // ---- the place at hand ----
  logic met, rests, quiet, tries, last, next;
  always_comb begin
    {met, rests, quiet} = '0;
    for (int unsigned i = 0; i < NumQps; i++) begin
      if (at_q == IdxW'(i)) begin
        met   = met_q[i];
        rests = !works_i[i] && !responses_i[i];
        quiet = !acks_i[i] && !slow_i[i] && !met_q[i];
      end
    end
  end
  assign tries = rests && (all_q || quiet);
  assign over  = !again_i || (on_i & works_i) == '1;  // without a place: none is free or not at work
  assign last  = left_q == (IdxW + 1)'(1);
  assign next  = (state_q == StStep && !tries) || (state_q == StTry && try_done_i && !try_ok_i);
  assign after = at_q == IdxW'(NumQps - 1) ? '0 : at_q + IdxW'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else begin
      unique case (state_q)
        StIdle:  if (start_i) state_q <= StFree;
        StFree:  state_q <= free ? StDone : StStep;
        StStep:  if (tries) state_q <= StTry;
                 else if (last && all_q) state_q <= StOver;
        StTry:   if (try_done_i) state_q <= try_ok_i ? StDone : !last || !all_q ? StStep : StOver;
        StOver:  state_q <= over ? StDone : StFree;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_q <= '0;
    else if (state_q == StFree && free) at_q <= free_at;
    else if (next || (state_q == StDone && found_q)) at_q <= after;
  end
  always_ff @(posedge clk_i) begin
    if (state_q == StFree) begin
      left_q  <= (IdxW + 1)'(NumQps);
      all_q   <= 1'b0;
      found_q <= free;
      free_q  <= free;
    end else begin
      if (next) left_q <= last ? (IdxW + 1)'(NumQps) : left_q - (IdxW + 1)'(1);
      if (next && last) all_q <= 1'b1;
      if (state_q == StTry && try_done_i && try_ok_i) found_q <= 1'b1;
    end
  end

  // What a walk comes by has not been met since, unless just now.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) met_q <= '0;
    else met_q <= (met_q & ~bit_of(next && met && !all_q, 8'(at_q))) | bit_of(met_valid_i, met_place_i) |
                  bit_of(rung_valid_i, rung_place_i);
  end

  assign try_valid_o = state_q == StTry;
  assign done_o      = state_q == StDone;
  assign found_o     = found_q;
  assign free_o      = free_q;
  assign place_o     = 8'(at_q);

`ifdef FORMAL
`include "nic_ctx_seek_props.svh"
`endif

endmodule

`default_nettype wire
