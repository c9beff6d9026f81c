// SPDX-License-Identifier: Apache-2.0
// aa_axi_err: remembers where each of our own write bursts went and whose it is, and turns an error response into a
// record (NoteAxiErr, ErrAxiWrite).
//
//   AW --> [ RAM: a ring an AXI id ] --> response --> | id, owner, address | --> note, error, fail_*
//
// P1  Every error response that is taken is recorded, with the id, address and owner of its burst (responses of one id
//     come in the order of its AWs); nothing else is.
// P2  busy_o from the cycle after the response up to the one of the record: no response is taken, nothing is published
//     and no log ends meanwhile, so that nobody acts on what has failed before it is known.
// P3  fail_*_valid_o in the cycle of the record: the entries (fail_entry_valid_o), or the pointer, of log fail_log_o.
//
// No id has more than Depth0, Depth1, Depth2 bursts without response (env_room). Two cycles or so of the response
// channel an error. Cost: block RAM of 64 x 55 bits, 36 flip-flops.
// Rules of README.md: ERR-1, ERR-2, ERR-4, ERR-5, ERR-6.
`default_nettype none

module aa_axi_err #(
  parameter int unsigned Depth0 = 32,
  parameter int unsigned Depth1 = 16,
  parameter int unsigned Depth2 = 8
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  // Bursts that leave
  input  wire logic                           aw_valid_i,  // taken by the memory
  input  wire logic [7:0]                     aw_id_i,     // 0 to 2
  input  wire logic [aa_pkg::HostAddrW-1:0]   aw_addr_i,
  input  wire aa_pkg::owner_t                 aw_owner_i,

  // Responses that are taken
  input  wire logic                           b_valid_i,
  input  wire logic [7:0]                     b_id_i,
  input  wire logic                           b_err_i,
  output logic                                busy_o,

  // Record
  output logic                                note_valid_o,
  output aa_pkg::retire_t                     note_o,
  input  wire logic                           note_ready_i,
  output logic                                err_valid_o,
  output aa_pkg::err_t                        err_o,
  output logic                                fail_entry_valid_o,
  output logic                                fail_ptr_valid_o,
  output logic      [aa_pkg::LogIdxW-1:0]     fail_log_o,
  input  wire logic [9:0]                     fail_iuid_i  // of log fail_log_o
);

  if (Depth0 > 32 || Depth1 > 16 || Depth2 > 8) begin : gen_bad_depth0
    $error("aa_axi_err: Depth0, 1, 2 must be at most 32, 16, 8");
  end

  localparam int unsigned Width = aa_pkg::HostAddrW + aa_pkg::OwnerW;

  // Rings of 32, 16 and 8 places: 0xxxxx, 10xxxx, 110xxx.
  logic [4:0] w0_q, r0_q;
  logic [3:0] w1_q, r1_q;
  logic [2:0] w2_q, r2_q;
  logic [5:0] waddr, raddr;
  logic [2:0] aw_oh, b_oh;
  logic [Width-1:0] word_q;

  always_comb for (int unsigned i = 0; i < 3; i++) begin
    aw_oh[i] = aw_valid_i && aw_id_i == 8'(i);
    b_oh[i]  = b_valid_i && b_id_i == 8'(i);
  end
  assign waddr = aw_id_i[1] ? {3'b110, w2_q} : aw_id_i[0] ? {2'b10, w1_q} : {1'b0, w0_q};
  assign raddr = b_id_i[1] ? {3'b110, r2_q} : b_id_i[0] ? {2'b10, r1_q} : {1'b0, r0_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {w0_q, r0_q} <= '0;
      {w1_q, r1_q} <= '0;
      {w2_q, r2_q} <= '0;
    end else begin
      w0_q <= w0_q + 5'(aw_oh[0]);
      w1_q <= w1_q + 4'(aw_oh[1]);
      w2_q <= w2_q + 3'(aw_oh[2]);
      r0_q <= r0_q + 5'(b_oh[0]);
      r1_q <= r1_q + 4'(b_oh[1]);
      r2_q <= r2_q + 3'(b_oh[2]);
    end
  end

  // An array and not cm_ram, since the invariants that the theorems need speak of its words. No response comes while a
  // record waits, so the word read stays; one comes a cycle after its AW at least (env_room), so none is read while it
  // is written.
  logic [Width-1:0] where_q [64];
  always_ff @(posedge clk_i) if (aw_oh != '0) where_q[waddr] <= {aw_owner_i, aw_addr_i};
  always_ff @(posedge clk_i) if (b_oh != '0) word_q <= aw_oh != '0 && waddr == raddr ? 'x : where_q[raddr];

  logic                         busy_q;
  logic [1:0]                   id_q;
  aa_pkg::owner_t               owner;
  logic [aa_pkg::HostAddrW-1:0] addr;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= busy_q ? !note_ready_i : b_oh != '0 && b_err_i;
  end
  always_ff @(posedge clk_i) if (!busy_q) id_q <= b_id_i[1:0];

  assign {owner, addr}      = word_q;
  assign busy_o             = busy_q;
  assign note_valid_o       = busy_q;
  assign err_valid_o        = busy_q && note_ready_i;
  assign fail_entry_valid_o = err_valid_o && owner.of_log && !id_q[1];
  assign fail_ptr_valid_o   = err_valid_o && owner.of_log && owner.ptr && id_q[1];
  assign fail_log_o         = owner.log;

  always_comb begin
    note_o      = '0;
    note_o.kind = aa_pkg::RetNotify;
    note_o.code = aa_pkg::NoteAxiErr;
    note_o.flag = owner.ptr && id_q[1];
    note_o.idx  = {6'd0, id_q};
    note_o.slot = owner.of_log ? {3'd0, owner.log} : 8'hFF;
    note_o.a    = 64'(addr);
    err_o       = '0;
    err_o.code  = aa_pkg::ErrAxiWrite;
    err_o.iuid  = owner.of_log ? fail_iuid_i : 10'd0;
    err_o.addr  = 64'(addr);
  end

`ifdef FORMAL
`include "aa_axi_err_props.svh"
`endif

endmodule

`default_nettype wire
