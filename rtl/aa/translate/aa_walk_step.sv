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
// Rules of README.md: XLT-14, XLT-15, XLT-16, XLT-17, XLT-18, XLT-19.
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
  input  wire logic         half_i,   // bit 3 of the address read

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

  logic        root, ctx, lv4, lv1, lv32, half, ps, is_leaf, none, live, any_aa, ctx_end;
  logic [1:0]  table_bad, aa_set, low2, low3, down;  // of each half, before it is known which one counts
  logic        root_bad, ctx_bad, type_bad, pass;
  logic [8:0]  index;
  aa_pkg::page_t e;

  assign root = level_i == 3'd6;
  assign ctx  = level_i == 3'd5;
  assign lv4  = level_i == 3'd4;
  assign lv32 = level_i == 3'd3 || level_i == 3'd2;
  assign lv1  = level_i == 3'd1;

  // What was read, as each kind of entry.
  aa_pkg::root_t as_root;
  aa_pkg::ctx_t  as_ctx;
  aa_pkg::page_t as_page;
  assign as_root = data_i;
  assign as_ctx  = data_i;

  always_comb begin
    for (int unsigned h = 0; h < 2; h++) begin
      as_page      = data_i[64*h+:64];
      table_bad[h] = as_page.rsv62 || as_page.rsv48 != '0 || as_page.rsv11;
      low2[h]      = as_page.frame[8:0] != '0;
      low3[h]      = as_page.frame[17:9] != '0;
      aa_set[h]    = as_page.e || {as_page.rld, as_page.rl, as_page.wld} != '0;
      // A good entry of an upper level that is no leaf; PS, too, where it is reserved, makes it none.
      down[h]      = {as_page.w, as_page.r} != '0 && !as_page.ps && !table_bad[h] && !err_i;
    end
    unique case (level_i)
      3'd5:    index = iova_i[47:39];
      3'd4:    index = iova_i[38:30];
      3'd3:    index = iova_i[29:21];
      default: index = iova_i[20:12];
    endcase
  end

  assign half    = half_i && !root && !ctx;
  assign e       = half ? data_i[127:64] : data_i[63:0];
  assign entry_o = e;

  // Root and context entry: reserved bits, type and width.
  assign root_bad = {as_root.rsv1, as_root.rsv48, as_root.rsv64} != '0;
  assign ctx_bad  = {as_ctx.rsv4, as_ctx.rsv48, as_ctx.rsv71, as_ctx.rsv88} != '0;
  assign type_bad = as_ctx.tt[0] || as_ctx.aw != 3'b010;

  // Paging entry
  assign ps      = e.ps && lv32;
  assign is_leaf = lv1 || ps;
  assign any_aa  = (half ? aa_set[1] : aa_set[0]) || (lv1 ? e.ps : e.wl);
  assign none    = {e.w, e.r} == '0;
  assign live    = !none || (aa_i && any_aa);

  logic page_bad, ok_root, ok_ctx;
  assign page_bad = (half ? table_bad[1] : table_bad[0]) || (lv4 && e.ps) || (ps && (half ? low2[1] : low2[0])) ||
      (ps && level_i[0] && (half ? low3[1] : low3[0]));
  assign ok_root  = !err_i && as_root.p && !root_bad;
  assign ok_ctx   = !err_i && as_ctx.p && !ctx_bad && !type_bad;
  assign pass     = as_ctx.tt[1];

  // A good context ends the walk of these: translated requests, interrupts, pass-through (TT is not 11), wide
  // addresses.
  assign ctx_end  = at_i || intr_i || pass || big_i;
  assign ctx_ok_o = ctx && ok_ctx;
  assign leaf_o   = !root && !ctx && is_leaf && live && !page_bad && !err_i;
  assign next_o   = root ? ok_root : ctx ? ok_ctx && !ctx_end : !lv1 && (half_i ? down[1] : down[0]);

  always_comb begin
    fault_o  = '0;
    bypass_o = 1'b0;
    if (root) begin
      if (err_i) fault_o = aa_pkg::FltRootError;
      else if (!as_root.p) fault_o = aa_pkg::FltRootAbsent;
      else if (root_bad) fault_o = aa_pkg::FltRootReserved;
      bypass_o = intr_i && !at_i && !ok_root;
    end else if (ctx) begin
      if (err_i) fault_o = aa_pkg::FltCtxError;
      else if (!as_ctx.p) fault_o = aa_pkg::FltCtxAbsent;
      else if (ctx_bad) fault_o = aa_pkg::FltCtxReserved;
      else if (type_bad) fault_o = aa_pkg::FltCtxInvalid;
      else if (at_i) fault_o = aa_pkg::FltAt;
      else if (big_i && !pass) fault_o = aa_pkg::FltWide;
      bypass_o = !at_i && (intr_i || (ok_ctx && pass));
    end else begin
      if (err_i) fault_o = aa_pkg::FltPageError;
      else if (is_leaf ? !live : none) fault_o = write_i ? aa_pkg::FltWrite : aa_pkg::FltRead;
      else if (page_bad) fault_o = aa_pkg::FltPageReserved;
    end
    if (bypass_o) fault_o = '0;
  end

  assign level_o = level_i - 3'd1;
  assign addr_o  = {e.frame, root ? {devfn_i, 1'b0} : index};
  assign r_o     = ctx || root || (r_i && e.r);
  assign w_o     = ctx || root || (w_i && e.w);

`ifdef FORMAL
`include "aa_walk_step_props.svh"
`endif

endmodule

`default_nettype wire
