// SPDX-License-Identifier: Apache-2.0
// aa_iotlb: a set-associative TLB: 4K leaves (Lsb 12), or 2M and 1G leaves together in one set (Lsb 21).
//
//   idx --> [ Ways x { valid, age | did, iova, size, data } ] --> compare --> hit, data (same cycle)
//
// P1  hit_o: some valid way holds {did_i, iova_i}; of several (a 2M and a 1G leaf of one address) the lowest answers.
// P2  fill_i writes one way: the one that has this tag and size, else the lowest invalid one, else the victim.
// P3  The victim is the oldest (LRU) or the low bits of a 16-bit LFSR that each fill advances (Random).
// P4  Ages change by touch_i (the way that hits) and by fill_i only.
// P5  inv_i clears the matching ways at idx_i: all; of the DID; of the DID and overlapping the pages under mask_i.
// P6  A set never holds one tag twice.
//
// Read, write and sweep work on idx_i, which is iova_i[Lsb +: log2 sets] except in a sweep; mask_i is zero except in a
// sweep. init_i (all indices, after reset) clears valid bits and sets ages to their start; reset starts the LFSR.
// Cost: Entries x (data + 52 + iova tag) bits of LUT RAM (flip-flops in a single set), Sets x Ways x (1 + log2 Ways)
// bits.
// Rules of README.md: XLT-2, XLT-3, XLT-5, XLT-8, XLT-23.
`default_nettype none

module aa_iotlb #(
  parameter int unsigned Entries = 64,
  parameter int unsigned Ways = 4,
  parameter bit          Random = 1'b0,
  parameter int unsigned Lsb = 12,       // 12, or 21: then one set, and each leaf is 2M or 1G
  parameter int unsigned DataW = 53,
  localparam int unsigned Sets = Entries / Ways,
  localparam int unsigned IdxW = Sets > 1 ? $clog2(Sets) : 1
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [IdxW-1:0]  idx_i,
  input  wire logic [15:0]      did_i,
  input  wire logic [47:12]     iova_i,

  // Look-up
  output logic                  hit_o,
  output logic                  giant_o,  // Lsb 21: it is a 1G leaf
  output logic      [DataW-1:0] data_o,
  input  wire logic             touch_i,

  // Fill
  input  wire logic             fill_i,
  input  wire logic             giant_i,
  input  wire logic [DataW-1:0] data_i,

  // Sweep
  input  wire logic             init_i,
  input  wire logic             inv_i,
  input  wire logic             inv_all_i,
  input  wire logic             inv_dom_i,
  input  wire logic [29:12]     mask_i
);

  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned TagLsb = Lsb + SetW;
  localparam int unsigned TagW = 16 + 48 - TagLsb;
  localparam int unsigned AgeW = Ways > 1 ? $clog2(Ways) : 1;
  localparam bit          Super = Lsb != 12;

  if (Ways < 1 || Entries < 1 || Entries % Ways != 0) begin : gen_bad_ways
    $error("aa_iotlb: Entries must be a multiple of Ways");
  end
  if ((Sets & (Sets - 1)) != 0 || Sets > 512) begin : gen_bad_sets $error("aa_iotlb: sets must be 1, 2, 4 ... 512"); end
  if (Lsb != 12 && (Lsb != 21 || Sets != 1)) begin : gen_bad_lsb
    $error("aa_iotlb: Lsb must be 12, or 21 with one set");
  end
  if (Random && (Ways & (Ways - 1)) != 0) begin : gen_bad_random
    $error("aa_iotlb: Random wants a power of two of ways");
  end

  logic [Ways-1:0]       valid, same_did, page_hit, giant, hit, fill_hit, free, first, victim, target, gone;
  logic [Ways*16-1:0]    did;
  logic [Ways*(48-TagLsb)-1:0] tag;
  logic [Ways*DataW-1:0] data;
  logic                  set_hit;

  // In a sweep the set's number itself is compared with the address under the mask.
  if (SetW > 0) begin : gen_set_hit
    assign set_hit = ((idx_i ^ iova_i[Lsb+:IdxW]) & ~mask_i[Lsb+:IdxW]) == '0;
  end else begin : gen_no_set
    assign set_hit = 1'b1;
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    logic [47:TagLsb] diff;

    if (Super) begin : gen_super
      cm_lutram #(
        .Width(1 + TagW + DataW),
        .Depth(Sets)
      ) u_way (
        .clk_i,
        .we_i(fill_i && target[w]),
        .waddr_i(idx_i),
        .wdata_i({giant_i, did_i, iova_i[47:TagLsb], data_i}),
        .raddr_i(idx_i),
        .rdata_o({giant[w], did[w*16+:16], tag[w*(48-TagLsb)+:48-TagLsb], data[w*DataW+:DataW]})
      );
    end else begin : gen_plain
      cm_lutram #(
        .Width(TagW + DataW),
        .Depth(Sets)
      ) u_way (
        .clk_i,
        .we_i(fill_i && target[w]),
        .waddr_i(idx_i),
        .wdata_i({did_i, iova_i[47:TagLsb], data_i}),
        .raddr_i(idx_i),
        .rdata_o({did[w*16+:16], tag[w*(48-TagLsb)+:48-TagLsb], data[w*DataW+:DataW]})
      );
      assign giant[w] = 1'b0;
    end

    always_comb begin
      diff = tag[w*(48-TagLsb)+:48-TagLsb] ^ iova_i[47:TagLsb];
      for (int unsigned b = TagLsb; b < 30; b++) diff[b] = diff[b] && !mask_i[b] && !giant[w];
    end

    assign same_did[w] = did[w*16+:16] == did_i;
    assign page_hit[w] = diff == '0;
  end

  assign hit      = valid & same_did & page_hit;
  assign fill_hit = Super ? hit & ~(giant ^ {Ways{giant_i}}) : hit;
  assign hit_o    = |hit;
  assign gone     = {Ways{inv_all_i}} | (same_did & ({Ways{inv_dom_i}} | (page_hit & {Ways{set_hit}})));

  always_comb begin
    data_o  = '0;
    giant_o = |(first & giant);
    for (int unsigned w = 0; w < Ways; w++) if (first[w]) data_o = data_o | data[w*DataW+:DataW];
  end

  // The lowest that hits (only superpages can hit twice), the lowest that is free.
  always_comb begin
    first = hit;
    free  = ~valid;
    for (int unsigned w = 1; w < Ways; w++) begin
      for (int unsigned v = 0; v < w; v++) begin
        if (Super && hit[v]) first[w] = 1'b0;
        if (!valid[v]) free[w] = 1'b0;
      end
    end
  end
  assign target = |fill_hit ? fill_hit : |free ? free : victim;

  cm_lutram #(
    .Width(Ways),
    .Depth(Sets)
  ) u_valid (
    .clk_i,
    .we_i(init_i || fill_i || inv_i),
    .waddr_i(idx_i),
    .wdata_i(init_i ? '0 : fill_i ? valid | target : valid & ~gone),
    .raddr_i(idx_i),
    .rdata_o(valid)
  );

  // Ages are written one cycle later, to keep the compare of the tags out of that path; the victim sees the pending
  // write.
  logic [Ways*AgeW-1:0] age, age_was, age_ram;
  logic [IdxW-1:0]      idx_q;
  logic [Ways-1:0]      way_q;
  logic                 init_q, used_q;
  if (!Random && Ways > 1) begin : gen_age
    logic [Ways*AgeW-1:0] age_new, age_start;
    logic                 age_we;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        init_q <= 1'b0;
        used_q <= 1'b0;
      end else begin
        init_q <= init_i;
        used_q <= fill_i || touch_i;
      end
      idx_q <= Sets > 1 ? idx_i : '0;
      way_q <= fill_i ? target : first;
    end

    aa_lru #(
      .Ways(Ways)
    ) u_lru (
      .age_i(age_was),
      .way_i(way_q),
      .age_o(age_new),
      .start_o(age_start)
    );
    assign age_we = init_q || used_q;

    cm_lutram #(
      .Width(Ways * AgeW),
      .Depth(Sets)
    ) u_age (
      .clk_i,
      .we_i(age_we),
      .waddr_i(Sets > 1 ? idx_q : '0),
      .wdata_i(init_q ? age_start : age_new),
      .raddr_i(Sets > 1 ? idx_q : '0),
      .rdata_o(age_was)
    );
    cm_lutram #(
      .Width(Ways * AgeW),
      .Depth(Sets)
    ) u_age_fill (
      .clk_i,
      .we_i(age_we),
      .waddr_i(Sets > 1 ? idx_q : '0),
      .wdata_i(init_q ? age_start : age_new),
      .raddr_i(idx_i),
      .rdata_o(age_ram)
    );
    assign age = used_q && (Sets == 1 || idx_q == idx_i) ? age_new : age_ram;
    for (genvar w = 0; w < Ways; w++) begin : gen_victim
      assign victim[w] = age[w*AgeW+:AgeW] == AgeW'(Ways - 1);
    end
  end

  if (Random || Ways == 1) begin : gen_no_age
    assign age     = '0;
    assign age_was = '0;
    assign age_ram = '0;
    assign idx_q   = '0;
    assign way_q   = '0;
    assign used_q  = 1'b0;
    assign init_q  = 1'b0;
  end

  if (Ways == 1) begin : gen_one
    assign victim = 1'b1;
  end else if (Random) begin : gen_random
    logic [15:0] lfsr_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) lfsr_q <= 16'hACE1;
      else if (fill_i) lfsr_q <= {lfsr_q[0] ^ lfsr_q[2] ^ lfsr_q[3] ^ lfsr_q[5], lfsr_q[15:1]};
    end
    always_comb begin
      victim = '0;
      victim[lfsr_q[AgeW-1:0]] = 1'b1;
    end
  end

`ifdef FORMAL
`include "aa_iotlb_props.svh"
`endif

endmodule

`default_nettype wire
