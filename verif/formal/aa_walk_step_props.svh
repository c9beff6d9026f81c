// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_walk_step: the walk written out once more from README.md, entry by entry, as masks over 64-bit words.
// Rules of README.md: XLT-14, XLT-15, XLT-16, XLT-17, XLT-18, XLT-19.
  logic [63:0] f_lo, f_hi, f_e, f_in;
  logic        f_leaf, f_intr, f_known;
  logic [3:0]  f_fault;

  assign f_lo    = data_i[63:0];
  assign f_hi    = data_i[127:64];
  assign f_e     = half_i ? f_hi : f_lo;
  assign f_known = level_i >= 3'd1 && level_i <= 3'd6;
  assign f_leaf  = level_i == 3'd1 || ((level_i == 3'd2 || level_i == 3'd3) && (f_e & 64'h80) != 0);
  assign f_in    = level_i == 3'd3 ? 64'h3ffff000 : level_i == 3'd2 ? 64'h001ff000 : 64'h0;  // inside the page
  assign f_intr  = intr_i && !at_i && level_i >= 3'd5;

  always_comb begin
    case (level_i)
      3'd6: f_fault = err_i ? 4'h8 : (f_lo & 64'h1) == 0 ? 4'h1 :
          (f_lo & 64'hffff000000000ffe) != 0 || f_hi != 0 ? 4'hA : 4'h0;
      3'd5: f_fault = err_i ? 4'h9 : (f_lo & 64'h1) == 0 ? 4'h2 :
          (f_lo & 64'hffff000000000ff0) != 0 || (f_hi & 64'hffffffffff000080) != 0 ? 4'hB :
          (f_lo & 64'h4) != 0 || (f_hi & 64'h7) != 64'h2 ? 4'h3 :
          at_i ? 4'hD : (f_lo & 64'h8) == 0 && big_i ? 4'h4 : 4'h0;
      default: begin
        f_fault = 4'h0;
        if (err_i) f_fault = 4'h7;
        else if ((f_e & 64'h3) == 0 &&
                 !(f_leaf && aa_i && (f_e & (level_i == 3'd1 ? 64'h8000000000000780 : 64'h8000000000000708)) != 0))
          f_fault = write_i ? 4'h5 : 4'h6;
        else if ((f_e & (64'h400f000000000800 | (f_leaf ? f_in : 64'h0) | (level_i == 3'd4 ? 64'h80 : 64'h0))) != 0)
          f_fault = 4'hC;
      end
    endcase
  end

  always_comb begin
    if (f_known) begin
      p1_one: assert (3'(next_o) + 3'(fault_o != 4'h0) + 3'(bypass_o) + 3'(leaf_o) == 3'd1);
      if (!f_intr) p2_fault: assert (fault_o == f_fault);
      p2_leaf: assert (leaf_o == (level_i <= 3'd4 && f_leaf && f_fault == 4'h0));
      p2_ctx_ok: assert (ctx_ok_o == (level_i == 3'd5 && (f_fault == 4'h0 || f_fault == 4'hD || f_fault == 4'h4)));
      if (f_intr) p3_intr: assert (fault_o == 4'h0 && bypass_o == (level_i == 3'd5 || f_fault != 4'h0));
      if (!f_intr) p3_plain: assert (bypass_o == (level_i == 3'd5 && f_fault == 4'h0 && f_lo[3]));
      if (leaf_o) p4_live: assert (f_e[1:0] != 2'b00 || aa_i);
      if (next_o)
        p1_next: assert (level_o == level_i - 3'd1 && addr_o[47:12] == (level_i >= 3'd5 ? f_lo[47:12] : f_e[47:12]));
      if (next_o && level_i == 3'd6) p1_ctx: assert (addr_o[11:3] == {devfn_i, 1'b0});
      if (next_o && level_i == 3'd5) p1_l4: assert (addr_o[11:3] == iova_i[47:39]);
      if (next_o && level_i == 3'd4) p1_l3: assert (addr_o[11:3] == iova_i[38:30]);
      if (next_o && level_i == 3'd3) p1_l2: assert (addr_o[11:3] == iova_i[29:21]);
      if (next_o && level_i == 3'd2) p1_l1: assert (addr_o[11:3] == iova_i[20:12]);
      if (level_i <= 3'd4) p1_rw: assert (r_o == (r_i && f_e[0]) && w_o == (w_i && f_e[1]) && entry_o == f_e);
    end
    c_leaf: cover (leaf_o && level_i == 3'd3);
    c_active: cover (leaf_o && f_e[1:0] == 2'b00);
    c_reserved: cover (fault_o == 4'hC && level_i == 3'd4);
    c_denied: cover (fault_o == 4'h5);
    c_wide: cover (fault_o == 4'h4);
    c_intr: cover (f_intr && level_i == 3'd6 && bypass_o && !err_i && f_lo[0]);
  end
