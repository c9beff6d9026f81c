// SPDX-License-Identifier: Apache-2.0
// aa_psc: one level of the paging-structure cache: pointers to the tables of the next level, direct-mapped.
//
//   idx --> [ valid | did | upper iova | frame, R, W ] --> tag equal? --> hit (same cycle)
//
// P1  hit_o: the pointer last filled for {did_i, iova_i[47:Lsb]}, if nothing has displaced or invalidated it since.
// P2  inv_i clears the entry at idx_i if inv_all_i or its DID matches did_i. It clears no other.
//
// Read, fill and invalidation work on idx_i, which is iova_i[Lsb +: log2 Entries] except in a sweep. All indices are
// swept after reset. Entries = 0: no cache, never a hit. Cost: Entries x (92 - Lsb) bits of LUT RAM or so.
// Rules of README.md: XLT-4, XLT-23.
`default_nettype none

module aa_psc #(
  parameter int unsigned Entries = 8,
  parameter int unsigned Lsb = 21,
  localparam int unsigned IdxW = Entries > 1 ? $clog2(Entries) : 1
) (
  input  wire logic            clk_i,
  input  wire logic [IdxW-1:0] idx_i,
  input  wire logic [15:0]     did_i,
  input  wire logic [47:Lsb]   iova_i,

  // Look-up
  output logic                 hit_o,
  output aa_pkg::psc_t         data_o,

  // Fill, invalidation of this index
  input  wire logic            fill_i,
  input  wire aa_pkg::psc_t    data_i,
  input  wire logic            inv_i,
  input  wire logic            inv_all_i
);

  if ((Entries & (Entries - 1)) != 0 || Entries > 512) begin : gen_bad_entries
    $error("aa_psc: Entries must be 0, 1, 2, 4 ... 512");
  end

  localparam int unsigned TagLsb = Lsb + (Entries > 1 ? $clog2(Entries) : 0);

  logic             valid, same;
  logic [15:0]      did;
  logic [47:TagLsb] tag;

  assign same  = did == did_i;
  assign hit_o = valid && same && tag == iova_i[47:TagLsb];

  if (Entries == 0) begin : gen_none
    assign valid  = 1'b0;
    assign did    = '0;
    assign tag    = '0;
    assign data_o = '0;
  end else begin : gen_cache
    cm_lutram #(
      .Width(1),
      .Depth(Entries)
    ) u_valid (
      .clk_i,
      .we_i(fill_i || (inv_i && (inv_all_i || same))),
      .waddr_i(idx_i),
      .wdata_i(fill_i),
      .raddr_i(idx_i),
      .rdata_o(valid)
    );

    cm_lutram #(
      .Width(16 + 48 - TagLsb + aa_pkg::PscW),
      .Depth(Entries)
    ) u_entry (
      .clk_i,
      .we_i(fill_i),
      .waddr_i(idx_i),
      .wdata_i({did_i, iova_i[47:TagLsb], data_i}),
      .raddr_i(idx_i),
      .rdata_o({did, tag, data_o})
    );
  end

`ifdef FORMAL
`include "aa_psc_props.svh"
`endif

endmodule

`default_nettype wire
