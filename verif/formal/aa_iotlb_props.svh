// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_iotlb: one tag, chosen freely, stands for all; the proof looks at one index only (an index goes
// nowhere but to the addresses of the RAMs and into two compares with it; cm_lutram, P2).
`include "fv.svh"
// Rules of README.md: XLT-2, XLT-3.
  `FV_INIT
  `FV_ANYCONST(f_did, 16)
  `FV_ANYCONST(f_page, 48 - Lsb)
  `FV_ANYCONST(f_giant, 1)
  `FV_SEES(f_hit, 1, hit_o)

  localparam int unsigned FTagW = 48 - TagLsb;
  logic [IdxW-1:0]  f_idx;
  logic             f_here, f_mine, f_gone, f_known_q, f_valid_q, f_twice, f_one, f_first;
  logic [Ways-1:0]  f_way_q, f_is;
  logic [DataW-1:0] f_data_q, f_read;
  logic [47:Lsb]    f_span, f_addr;
  initial f_known_q = 1'b0;
  logic f_big;
  assign f_big = Super && f_giant;
  logic f_init_q, f_perm;

  assign f_idx  = Sets > 1 ? f_page[0+:IdxW] : '0;
  assign f_here = Sets <= 1 || idx_i == f_idx;
  // A fill of the chosen tag.
  assign f_span = f_big ? (48 - Lsb)'('h1ff) : '0;  // address bits inside a 1G leaf
  assign f_addr = iova_i[47:Lsb];
  assign f_mine = fill_i && did_i == f_did && (!Super || giant_i == f_big) && ((f_addr ^ f_page) & ~f_span) == '0;
  // An invalidation of it.
  logic [47:Lsb] f_mask;
  always_comb begin
    f_mask = f_span;
    for (int unsigned b = Lsb; b < 30; b++) f_mask[b] = f_mask[b] || mask_i[b];
  end
  assign f_gone = inv_all_i || (did_i == f_did && (inv_dom_i || ((f_addr ^ f_page) & ~f_mask) == '0));

  // The ways that hold the tag, what they hold, and whether some tag stands twice.
  always_comb begin
    f_read  = '0;
    f_twice = 1'b0;
    f_first = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) begin
      f_is[w] = valid[w] && did[w*16+:16] == f_did && giant[w] == (Super && f_big) &&
          ((tag[w*FTagW+:FTagW] ^ f_page[47-Lsb-:FTagW]) & ~f_span[47-:FTagW]) == '0;
      if (f_is[w]) f_read = f_read | data[w*DataW+:DataW];
      for (int unsigned v = 0; v < w; v++) begin
        if (valid[v] && valid[w] && did[v*16+:16] == did[w*16+:16] && giant[v] == giant[w] &&
            ((tag[v*FTagW+:FTagW] ^ tag[w*FTagW+:FTagW]) & ~(giant[w] ? FTagW'('h1ff) : '0)) == '0)
          f_twice = 1'b1;
        if (!valid[v] && target[w] && fill_hit == '0) f_first = 1'b0;
      end
    end
    f_one = target != '0 && (target & (target - Ways'(1))) == '0;
  end

  // Ages are a permutation, from the second cycle after init_i on.
  always_comb begin
    f_perm = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (32'(age_was[w*AgeW+:AgeW]) >= Ways) f_perm = 1'b0;
      for (int unsigned v = 0; v < w; v++) if (age_was[v*AgeW+:AgeW] == age_was[w*AgeW+:AgeW]) f_perm = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    f_init_q <= rst_ni && init_i;
    if (!rst_ni) begin
      f_known_q <= 1'b0;
    end else if (f_here && init_i) begin
      f_known_q <= 1'b1;
      f_valid_q <= 1'b0;
    end else if (f_here && fill_i) begin
      if (f_mine) begin
        f_valid_q <= 1'b1;
        f_data_q  <= data_i;
        f_way_q   <= target;
      end else if ((f_way_q & target) != '0) begin
        f_valid_q <= 1'b0;
      end
    end else if (f_here && inv_i && f_gone) begin
      f_valid_q <= 1'b0;
    end
  end

  `FV_COMB begin
    env_index: assume (32'(idx_i) < Sets);
    if (f_past_q && rst_ni) begin
      env_one_job: assume (!(fill_i && (init_i || inv_i || touch_i)) && !(touch_i && (init_i || inv_i)));
      env_touch: assume (!touch_i || f_hit);
      env_own_index: assume (!(fill_i || touch_i) || (mask_i == '0 && (Sets <= 1 || idx_i == iova_i[Lsb+:IdxW])));
      // after a reset init_i is high until every index, in rising order, has been there
      env_init: assume (f_known_q || (init_i && (Sets <= 1 || 32'(idx_i) <= 32'(f_idx))));
    end
`ifdef YOSYS
    slice_index: assume (f_here);
`endif
    if (rst_ni && f_known_q && f_here) begin
`ifdef YOSYS
      if (!f_init_q && !Random && Ways > 1) begin
        p3_ages: assert (f_perm && age_was == age_ram);
        if (used_q) p3_pending: assert (way_q != '0 && (way_q & (way_q - Ways'(1))) == '0);
      end
      if (!Random && Ways > 1) p3_init: assert (init_q == f_init_q);
      if (!Random && Ways > 1) p3_index: assert (Sets <= 1 || idx_q == f_idx);
`endif
      p6_once: assert (!f_twice);
      p1_kept: assert (f_valid_q == (f_is != '0));
      if (f_valid_q) p1_way: assert (f_is == f_way_q && f_read == f_data_q);
      if (f_valid_q && !inv_i && did_i == f_did && f_addr == f_page && mask_i == '0) p1_hit: assert (hit_o);
      // Only what was filled and not taken back hits, with the data of that fill.
      if (hit_o && did_i == f_did && ((f_addr ^ f_page) & ~f_span) == '0 && mask_i == '0 && giant_o == f_big)
        p1_only: assert (f_valid_q && data_o == f_data_q);
      if (fill_i) p2_target: assert (f_one && f_first && (fill_hit == '0 || target == fill_hit));
      if (fill_i && fill_hit == '0 && valid != '1) p2_free: assert ((target & valid) == '0);
    end
    c_evict: cover (f_past_q && f_known_q && fill_i && f_valid_q && valid == '1 && !f_mine && (f_way_q & target) != '0);
    c_again: cover (f_past_q && f_known_q && f_mine && f_valid_q);
    c_inv: cover (f_past_q && f_known_q && inv_i && f_gone && !inv_all_i && !inv_dom_i && f_valid_q &&
                  f_addr != f_page);
  end
