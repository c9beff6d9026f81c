// SPDX-License-Identifier: Apache-2.0
// aa_walk_step: what one entry of a walk means (README.md, Walk). Combinational.
//
//   {level, 16-byte chunk, error} --> next read (level, address)      or end: fault, bypass, leaf
//
//   level 6 root entry, 5 context entry, 4 to 1 paging entries
//
// P1  Exactly one of: next read, fault, bypass, leaf.
// P2  The fault is the first that applies: read error, not present (or no permission at all), reserved bits, context
//     type or width, then what the request itself is (AT, address width).
// P3  An interrupt write ends at the context, and no root or context fault stops it.
// P4  A leaf is live if its own R or W is set, or if aa_i and one of its Active Access bits is.
//
// Cost: about 200 LUTs, 6 levels.
`default_nettype none

module aa_walk_step (
  // State of the walk
  input  wire logic [2:0]   level_i,
  input  wire logic         aa_i,     // Active Access bits count for this device
  input  wire logic         r_i,      // R and W of the levels above
  input  wire logic         w_i,
  input  wire logic [7:0]   devfn_i,
  input  wire logic [47:12] iova_i,
  input  wire logic         big_i,    // the address has bits above 47
  input  wire logic         write_i,
  input  wire logic         intr_i,
  input  wire logic         at_i,

  // What was read: an 8-byte entry stands in its half
  input  wire logic         err_i,
  input  wire logic [127:0] data_i,

  // Next read
  output logic              next_o,
  output logic      [2:0]   level_o,
  output logic      [47:3]  addr_o,
  output logic              r_o,
  output logic              w_o,

  // End
  output logic      [3:0]   fault_o,
  output logic              bypass_o,
  output logic              ctx_ok_o,  // the context entry is good
  output logic              leaf_o,

  output logic      [63:0]  entry_o    // the paging entry
);

  logic        root, ctx, lv4, lv1, half, table_bad, frame_bad, hi_bad, ctx_hi_bad, any_aa, live, ps, is_leaf, none;
  logic [8:0]  index;
  logic [63:0] e;

  assign root = level_i == 3'd6;
  assign ctx  = level_i == 3'd5;
  assign lv4  = level_i == 3'd4;
  assign lv1  = level_i == 3'd1;

  // Which half of the chunk: bit 3 of the entry's address.
  always_comb begin
    unique case (level_i)
      3'd4:    half = iova_i[39];
      3'd3:    half = iova_i[30];
      3'd2:    half = iova_i[21];
      3'd1:    half = iova_i[12];
      default: half = 1'b0;
    endcase
    unique case (level_i)
      3'd5:    index = iova_i[47:39];
      3'd4:    index = iova_i[38:30];
      3'd3:    index = iova_i[29:21];
      default: index = iova_i[20:12];
    endcase
  end

  assign e       = half ? data_i[127:64] : data_i[63:0];
  assign entry_o = e;

  // Reserved bits. Upper half of a root entry: all; of a context entry: 127:88 and 71 (here 63:24 and 7).
  assign ctx_hi_bad = data_i[127:88] != '0 || data_i[71];
  assign hi_bad     = ctx_hi_bad || data_i[87:72] != '0 || data_i[70:64] != '0;
  assign table_bad  = e[62] || e[51:48] != '0 || e[11];
  assign frame_bad  = ps && (e[20:12] != '0 || (level_i == 3'd3 && e[29:21] != '0));

  assign ps      = e[7] && (level_i == 3'd3 || level_i == 3'd2);
  assign is_leaf = lv1 || ps;
  assign any_aa  = e[63] || e[10:8] != '0 || (lv1 ? e[7] : e[3]);
  assign none    = e[1:0] == 2'b00;
  assign live    = !none || (aa_i && any_aa);

  always_comb begin
    fault_o = 4'h0;
    if (root) begin
      if (err_i) fault_o = 4'h8;
      else if (!e[0]) fault_o = 4'h1;
      else if (e[11:1] != '0 || e[63:48] != '0 || hi_bad) fault_o = 4'hA;
    end else if (ctx) begin
      if (err_i) fault_o = 4'h9;
      else if (!e[0]) fault_o = 4'h2;
      else if (e[11:4] != '0 || e[63:48] != '0 || ctx_hi_bad) fault_o = 4'hB;
      else if (e[2] || data_i[66:64] != 3'b010) fault_o = 4'h3;
    end else begin
      if (err_i) fault_o = 4'h7;
      else if (is_leaf ? !live : none) fault_o = write_i ? 4'h5 : 4'h6;
      else if (table_bad || frame_bad || (lv4 && e[7])) fault_o = 4'hC;
    end

    ctx_ok_o = ctx && fault_o == 4'h0;
    bypass_o = 1'b0;
    if ((root || ctx) && intr_i && !at_i) begin
      bypass_o = ctx || fault_o != 4'h0;
      fault_o  = 4'h0;
    end else if (ctx_ok_o) begin
      bypass_o = !at_i && e[3];  // pass-through; e[2] is 0
      if (at_i) fault_o = 4'hD;
      else if (!e[3] && big_i) fault_o = 4'h4;
    end
  end

  assign leaf_o  = !root && !ctx && is_leaf && fault_o == 4'h0;
  assign next_o  = fault_o == 4'h0 && !bypass_o && !leaf_o;
  assign level_o = level_i - 3'd1;
  assign addr_o  = {e[47:12], root ? {devfn_i, 1'b0} : index};
  assign r_o     = ctx || root || (r_i && e[0]);
  assign w_o     = ctx || root || (w_i && e[1]);

`ifdef FORMAL
`include "aa_walk_step_props.svh"
`endif

endmodule

`default_nettype wire
