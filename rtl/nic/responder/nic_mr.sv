// SPDX-License-Identifier: Apache-2.0
// nic_mr: the memory regions, and whether an access lies in one.
//
//   rb --> MR_BASE, MR_LEN (wait) --MR_KEY--> RAM [NumMrs] --> | entry | --> va - base --> | offset | --> ok
//                                       key[7:0] -----^
//
// P1  The three words read as their strobed bytes were last written (P4), 0 after reset and beyond NumMrs. A write of
//     MR_KEY commits the three of its region at once: a look-up sees all of the old region or all of the new one. What
//     is read or written has been on the bus in the cycle before (env_setup).
// P2  Two cycles after valid_i, done_o with ok_o: the region that key_i[7:0] names is valid, has the whole key, the
//     process and the right, va >= base, and va - base + len <= its length, in exact numbers. Without any right in
//     right_i only the name counts: valid, key and process.
// P5  paged_o with ok_o: that region's PAGED.
// P3  A look-up in the cycle of a commit sees the old region.
// P4  off_valid_i: the region that off_idx_i names is no longer valid, in its register too; a commit in the same cycle
//     wins.
//
// Latency 2, one look-up a cycle; ok_o is one LUT behind its registers. Cost: NumMrs x (113 + 154) bits of LUT RAM, two
// readers; 3 flip-flops a region and about 340; a subtractor and a sum of four.
// Rules of README.md: QPR-5, QPR-6, RSP-17.
`default_nettype none

module nic_mr #(
  parameter int unsigned NumMrs = 16
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,

  // Register bus
  input  wire cm_pkg::reg_bus_t           rb_i,
  output logic      [63:0]                rb_rdata_o,

  // Look-up
  input  wire logic                       valid_i,
  input  wire logic [31:0]                key_i,
  input  wire logic [nic_pkg::ProcW-1:0]  proc_i,
  input  wire logic [63:0]                va_i,
  input  wire logic [31:0]                len_i,
  input  wire logic [2:0]                 right_i,  // one of R 0, W 1, A 2, or none
  output logic                            done_o,
  output logic                            ok_o,
  output logic                            paged_o,  // with ok_o: its pages may be absent

  // A peer has invalidated it
  input  wire logic                       off_valid_i,
  input  wire logic [7:0]                 off_idx_i
);

  if (NumMrs < 1 || NumMrs > nic_reg_pkg::RegMR_KEYNum) begin : gen_bad_num_mrs
    $error("nic_mr: NumMrs must be 1 to 256");
  end

  localparam int unsigned IdxW = NumMrs > 1 ? $clog2(NumMrs) : 1;
  localparam int unsigned ProcW = nic_pkg::ProcW;

  // What waits, and what holds.
  typedef struct packed {
    logic [63:0] base;
    logic [48:0] len;
  } wait_t;
  localparam int unsigned WaitW = 64 + 49;
  typedef struct packed {
    logic [63:0]      base;
    logic [48:0]      len;
    logic             en;
    logic             paged;
    logic [2:0]       right;
    logic [ProcW-1:0] proc;
    logic [31:0]      key;
  } mr_t;
  localparam int unsigned MrW = WaitW + 1 + 1 + 3 + ProcW + 32;

  logic [WaitW-1:0]  wait_q [NumMrs];
  logic [MrW-1:0]    mr_q [NumMrs];
  logic [NumMrs-1:0] known_q;  // written once, so that the RAMs mean something
  logic [NumMrs-1:0] off_q;    // invalidated since its last commit

  // ---- registers ----
  logic            we, known, off;
  logic [IdxW-1:0] at;
  wait_t           w, w_d;
  mr_t             mr, mr_d;
  logic [63:0]     old, next;
  logic [7:0]      rb_idx, idx_q;
  logic            rb_there, is_base_q, is_len_q, is_key_q;
  nic_reg_pkg::mr_len_t at_len, to_len;
  nic_reg_pkg::mr_key_t at_key, to_key;

  // The address is decoded a cycle before.
  assign rb_idx   = nic_reg_pkg::idx_MR_BASE(rb_i.addr);
  assign rb_there = 32'(rb_idx) < NumMrs;
  always_ff @(posedge clk_i) begin
    is_base_q <= rb_there && nic_reg_pkg::at_MR_BASE(rb_i.addr);
    is_len_q  <= rb_there && nic_reg_pkg::at_MR_LEN(rb_i.addr);
    is_key_q  <= rb_there && nic_reg_pkg::at_MR_KEY(rb_i.addr);
    idx_q     <= rb_idx;
  end
  assign we = rb_i.we && (is_base_q || is_len_q || is_key_q);
  assign at = idx_q[IdxW-1:0];

  always_comb begin
    known = 1'b0;
    off   = 1'b0;
    for (int unsigned i = 0; i < NumMrs; i++) if (idx_q == 8'(i)) {known, off} = {known_q[i], off_q[i]};
  end
  assign w  = known ? wait_q[at] : '0;
  assign mr = known ? mr_q[at] : '0;
  always_comb begin
    {at_len, at_key} = '0;
    at_len.LEN   = w.len;
    at_key.EN    = mr.en && !off;
    at_key.PAGED = mr.paged;
    at_key.PROC  = mr.proc;
    at_key.KEY   = mr.key;
    {at_key.A, at_key.W, at_key.R} = mr.right;
  end
  assign old = ({64{is_base_q}} & w.base) | ({64{is_len_q}} & at_len) | ({64{is_key_q}} & at_key);
  assign rb_rdata_o = old;

  // Each word from its own bytes: which of them is addressed only chooses.
  assign next   = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, w.base);
  assign to_len = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_len);
  assign to_key = cm_pkg::merge(rb_i.wstrb, rb_i.wdata, at_key);
  always_comb begin
    w_d  = w;
    mr_d = mr;
    if (is_base_q) w_d.base = next;
    if (is_len_q) w_d.len = to_len.LEN;
    if (is_key_q)
      mr_d = {w.base, w.len, to_key.EN, to_key.PAGED, to_key.A, to_key.W, to_key.R, to_key.PROC, to_key.KEY};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else for (int unsigned i = 0; i < NumMrs; i++) if (we && idx_q == 8'(i)) known_q[i] <= 1'b1;
    for (int unsigned i = 0; i < NumMrs; i++) begin
      if (!rst_ni || (we && is_key_q && idx_q == 8'(i))) off_q[i] <= 1'b0;
      else if (off_valid_i && off_idx_i == 8'(i)) off_q[i] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) if (we) wait_q[at] <= w_d;
  always_ff @(posedge clk_i) if (we) mr_q[at] <= mr_d;

  // ---- look-up: the entry ----
  logic             valid1_q, valid2_q, hit1_q, match1, match2_q, below2_q, over2_q, there, name2_q, paged2_q;
  mr_t              mr1_q;
  logic [31:0]      key1_q, len1_q;
  logic [ProcW-1:0] proc1_q;
  logic [63:0]      va1_q;
  logic [2:0]       right1_q;

  // Not a choice but a sum of products: the key comes late.
  logic [NumMrs-1:0] named;
  for (genvar i = 0; i < NumMrs; i++) begin : gen_named
    assign named[i] = key_i[7:0] == 8'(i) && known_q[i] && !off_q[i];
  end
  assign there = |named;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
    end else begin
      valid1_q <= valid_i;
      valid2_q <= valid1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    hit1_q   <= there;
    mr1_q    <= mr_q[key_i[IdxW-1:0]];
    key1_q   <= key_i;
    proc1_q  <= proc_i;
    va1_q    <= va_i;
    len1_q   <= len_i;
    right1_q <= right_i;
  end

  // ---- the offset ----
  // What the region has behind the access, at once and not from the offset: its sign is all that is kept. Where the
  // offset is below 2^49 it has no more than 51 bits.
  logic [64:0] offset;
  logic [50:0] behind;
  logic        unused;  // how far in, and how much there is behind
  assign unused = ^{offset[48:0], behind[49:0]};
  assign offset = {1'b0, va1_q} - {1'b0, mr1_q.base};
  assign behind = {2'd0, mr1_q.len} - {19'd0, len1_q} - va1_q[50:0] + mr1_q.base[50:0];
  assign match1 = hit1_q && mr1_q.en && mr1_q.key == key1_q && mr1_q.proc == proc1_q &&
                  (right1_q == 3'd0 || (mr1_q.right & right1_q) != 3'd0);
  always_ff @(posedge clk_i) begin
    match2_q <= match1;
    name2_q  <= right1_q == 3'd0;
    paged2_q <= mr1_q.paged;
    below2_q <= offset[64:49] == 16'd0;
    over2_q  <= behind[50];
  end

  assign done_o  = valid2_q;
  assign paged_o = paged2_q;
  assign ok_o    = match2_q && (name2_q || (below2_q && !over2_q));

`ifdef FORMAL
`include "nic_mr_props.svh"
`endif

endmodule

`default_nettype wire
