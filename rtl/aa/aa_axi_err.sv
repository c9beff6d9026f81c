// SPDX-License-Identifier: Apache-2.0
// aa_axi_err: turns error responses to our own memory writes into records (NoteAxiErr, ErrAxiWrite).
//
// P1  Every AXI id that saw an error is reported after it. P2  Errors of one id that come before its record share it.
//
// Cost: three flip-flops.
`default_nettype none

module aa_axi_err (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,
  input  wire logic            axi_err_valid_i,
  input  wire logic [7:0]      axi_err_id_i,  // 0 to 2
  output logic                 note_valid_o,
  output aa_pkg::retire_t      note_o,
  input  wire logic            note_ready_i,
  output logic                 err_valid_o,
  output aa_pkg::err_t         err_o
);

  logic [2:0] wait_q, set, first;

  assign set = {axi_err_id_i == 8'd2, axi_err_id_i == 8'd1, axi_err_id_i == 8'd0} & {3{axi_err_valid_i}};
  assign first = wait_q & (~wait_q + 3'd1);
  assign note_valid_o = |wait_q;
  assign err_valid_o = note_valid_o && note_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wait_q <= '0;
    else wait_q <= (wait_q & ~(first & {3{note_ready_i}})) | set;
  end

  always_comb begin
    note_o = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.code = aa_pkg::NoteAxiErr;
    note_o.idx = {6'b0, first[2], first[1]};
    err_o = '0;
    err_o.code = aa_pkg::ErrAxiWrite;
  end

`ifdef FORMAL
`include "aa_axi_err_props.svh"
`endif

endmodule

`default_nettype wire
