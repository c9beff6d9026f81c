// SPDX-License-Identifier: Apache-2.0
// aa_ctx_cache: context entries by source id, direct-mapped.
//
//   idx --> [ valid | sid | entry ] --> sid equal? --> hit, entry (same cycle)
//   next_idx --> [ did ] --> next_did
//
// P1  hit_o: the entry last filled for sid_i at idx_i, if nothing has displaced or invalidated it since.
// P2  inv_i clears the entry at idx_i if it matches: all; its DID; its DID and SID under the mask. It clears no other.
// P3  next_did_o: the DID of the entry that will be at next_idx_i after this cycle's fill, so that the TLBs, which it
//     is compared with in the next cycle, need not wait for entry_o.
//
// Read, fill and invalidation work on idx_i; the user keeps one index for each sid (README.md) and sweeps all of them
// with inv_i for an invalidation, and after reset, when the valid bits are unknown. Cost: Entries x 94 bits of LUT RAM.
// Rules of README.md: XLT-1, XLT-22.
`default_nettype none

module aa_ctx_cache #(
  parameter int unsigned Entries = 16,
  localparam int unsigned IdxW = Entries > 1 ? $clog2(Entries) : 1
) (
  input  wire logic              clk_i,
  input  wire logic [IdxW-1:0]   idx_i,
  input  wire logic [15:0]       sid_i,

  // Look-up
  output logic                   hit_o,
  output aa_pkg::ctx_entry_t     entry_o,

  // Ahead of it
  input  wire logic [IdxW-1:0]   next_idx_i,
  output logic      [15:0]       next_did_o,

  // Fill
  input  wire logic              fill_i,
  input  wire aa_pkg::ctx_entry_t entry_i,

  // Invalidation of this index
  input  wire logic              inv_i,
  input  wire logic              inv_all_i,
  input  wire logic              inv_dev_i,  // compare the sid too
  input  wire logic [2:0]        inv_fm_i,   // bits of the sid that are ignored
  input  wire logic [15:0]       inv_did_i
);

  if (Entries < 1 || Entries > 256 || (Entries & (Entries - 1)) != 0) begin : gen_bad_entries
    $error("aa_ctx_cache: Entries must be 1, 2, 4 ... 256");
  end

  logic        valid, match;
  logic [15:0] sid, diff;

  cm_lutram #(
    .Width(1),
    .Depth(Entries)
  ) u_valid (
    .clk_i,
    .we_i(fill_i || (inv_i && match)),
    .waddr_i(idx_i),
    .wdata_i(fill_i),
    .raddr_i(idx_i),
    .rdata_o(valid)
  );

  cm_lutram #(
    .Width(16 + aa_pkg::CtxEntryW),
    .Depth(Entries)
  ) u_entry (
    .clk_i,
    .we_i(fill_i),
    .waddr_i(idx_i),
    .wdata_i({sid_i, entry_i}),
    .raddr_i(idx_i),
    .rdata_o({sid, entry_o})
  );

  logic [15:0] next_did;
  cm_lutram #(
    .Width(16),
    .Depth(Entries)
  ) u_did (
    .clk_i,
    .we_i(fill_i),
    .waddr_i(idx_i),
    .wdata_i(entry_i.did),
    .raddr_i(next_idx_i),
    .rdata_o(next_did)
  );
  assign next_did_o = fill_i && next_idx_i == idx_i ? entry_i.did : next_did;

  assign diff  = sid ^ sid_i;
  assign hit_o = valid && diff == '0;
  assign match = inv_all_i ||
      (entry_o.did == inv_did_i && (!inv_dev_i || {diff[15:3], diff[2:0] & ~inv_fm_i} == '0));

`ifdef FORMAL
`include "aa_ctx_cache_props.svh"
`endif

endmodule

`default_nettype wire
