// SPDX-License-Identifier: Apache-2.0
// aa_reset: what is left of a requester that is reset: of a port by dev_reset_i, of one requester id by register
// AA_RESET.
//
//   dev_reset_i --> mark: all that is in the NP lane of the port --> old_o    (aa_decide drops what is old)
//   AA_RESET -----> mark: all that is in every NP lane ------------> old_fn_o (likewise, of that requester id)
//         +-------> fn_o, fn_rid_o --> aa_tag_buf, aa_flush_buf: end its reads and flushes --> pass_i --> note, GO = 0
//
// P1  old_o[p]: the oldest undecided non-posted request of port p, if there is one, was in its lane by the end of a
//     cycle before one with dev_reset_i[p]; old_fn_o[p]: by the end of the cycle in which GO was written. (With an
//     empty lane they mean nothing, so that no comparison of pointers is on the way to a decision.)
// P2  Writing GO with 1 while it is 0 takes RID of the same write and sets it. GO falls when every lane has decided
//     what was in it, and both buffers have passed (pass_i), in a cycle without a write to it; that leaves one record,
//     NoteReset, with RID. Meanwhile writes are ignored.
// P3  fn_o is high exactly while GO reads 1; fn_rid_o does not change meanwhile.
//
// Cost: 2 x 9 flip-flops a port, 18 for the register.
// Rules of README.md: RST-5, RST-6, DUE-1.
`default_nettype none

module aa_reset #(
  parameter int unsigned NumPorts = 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t      rb_i,
  output logic      [63:0]           rb_rdata_o,

  // Non-posted lanes: arrived, decided, and the next decision
  input  wire logic [NumPorts-1:0]   dev_reset_i,  // ends what had arrived by the end of the last cycle
  input  wire logic [NumPorts*8-1:0] wr_ptr_i,
  input  wire logic [NumPorts*8-1:0] rd_ptr_i,
  input  wire logic [NumPorts-1:0]   done_i,       // the oldest is decided: rd_ptr_i moves
  output logic      [NumPorts-1:0]   old_o,
  output logic      [NumPorts-1:0]   old_fn_o,

  // Tag buffer, flush buffer
  output logic                       fn_o,
  output logic      [15:0]           fn_rid_o,
  input  wire logic [1:0]            pass_i,  // what was there when fn_o rose has ended, if it is of that requester

  // Record
  output logic                       note_valid_o,
  input  wire logic                  note_ready_i,
  output aa_pkg::retire_t            note_o
);

  if (NumPorts < 1 || NumPorts > 4) begin : gen_bad_num_ports $error("aa_reset: NumPorts must be 1 to 4"); end

  logic        mine, take, go_q, start_q;
  logic [15:0] rid_q;

  aa_reg_pkg::aa_reset_t at, to;  // as it is, and what would be written to it
  always_comb begin
    at     = '0;
    at.GO  = go_q;
    at.RID = rid_q;
  end
  assign to   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at);
  assign mine = aa_reg_pkg::at_AA_RESET(rb_i.addr);
  assign take = rb_i.we && mine && !go_q && to.GO;
  assign rb_rdata_o = mine ? at : '0;
  assign fn_o = go_q;
  assign fn_rid_o = rid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      go_q    <= 1'b0;
      start_q <= 1'b0;
      rid_q   <= '0;
    end else begin
      start_q <= take;
      if (take) go_q <= 1'b1;
      else if (note_valid_o && note_ready_i) go_q <= 1'b0;
      if (rb_i.we && mine && !go_q) rid_q <= to.RID;
    end
  end

  // ---- marks: [rd, mark) is old; the mark is where the lane ends, a cycle after the reset or the write ----
  // Of port p: 2 p by the port, 2 p + 1 by the requester id.
  logic [2*NumPorts-1:0]   act_q;
  logic [2*NumPorts*8-1:0] mark_q;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [7:0] wr, rd, rd_up;
    logic       some, last;  // the lane has something; and only that one
    assign wr = wr_ptr_i[8*p+:8];
    assign rd = rd_ptr_i[8*p+:8];
    assign rd_up = rd + 8'd1;
    assign some = rd != wr;
    assign last = rd_up == wr;

    for (genvar k = 0; k < 2; k++) begin : gen_mark
      localparam int unsigned M = 2 * p + k;
      logic set;
      assign set = k == 0 ? dev_reset_i[p] : start_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) act_q[M] <= 1'b0;
        else if (set) act_q[M] <= some && !(done_i[p] && last);
        else act_q[M] <= act_q[M] && !(done_i[p] && rd_up == mark_q[8*M+:8]);
      end
      always_ff @(posedge clk_i) if (set) mark_q[8*M+:8] <= wr;
      if (k == 0) begin : gen_dev
        assign old_o[p] = set || act_q[M];
      end else begin : gen_fn
        assign old_fn_o[p] = set || act_q[M];
      end
    end
  end

  // ---- the end ----
  // Not in the cycle of a write to the register: that one comes while GO is still 1, and is ignored.
  assign note_valid_o = go_q && !start_q && old_fn_o == '0 && pass_i == 2'b11 && !(rb_i.we && mine);
  always_comb begin
    note_o      = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.code = aa_pkg::NoteReset;
    note_o.a    = {48'd0, rid_q};
  end

  logic unused;
  assign unused = &{1'b0, to};

`ifdef FORMAL
`include "aa_reset_props.svh"
`endif

endmodule

`default_nettype wire
