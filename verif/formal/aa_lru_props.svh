// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_lru, for ages that are a permutation and one way touched.
// Rules of README.md: XLT-5.
  logic f_perm, f_perm_next, f_one;

  always_comb begin
    f_perm      = 1'b1;
    f_perm_next = 1'b1;
    f_one       = way_i != '0 && (way_i & (way_i - Ways'(1))) == '0;
    for (int unsigned a = 0; a < Ways; a++) begin
      if (32'(age_i[a*AgeW+:AgeW]) >= Ways) f_perm = 1'b0;
      if (32'(age_o[a*AgeW+:AgeW]) >= Ways) f_perm_next = 1'b0;
      for (int unsigned b = 0; b < a; b++) begin
        if (age_i[a*AgeW+:AgeW] == age_i[b*AgeW+:AgeW]) f_perm = 1'b0;
        if (age_o[a*AgeW+:AgeW] == age_o[b*AgeW+:AgeW]) f_perm_next = 1'b0;
      end
    end
  end

  logic f_touched, f_others;
  always_comb begin
    f_touched = 1'b1;
    f_others  = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned t = 0; t < Ways; t++) begin
        if (way_i[t] && w == t && age_o[w*AgeW+:AgeW] != '0) f_touched = 1'b0;
        if (way_i[t] && age_i[w*AgeW+:AgeW] < age_i[t*AgeW+:AgeW] &&
            age_o[w*AgeW+:AgeW] != age_i[w*AgeW+:AgeW] + AgeW'(1))
          f_others = 1'b0;
        if (way_i[t] && age_i[w*AgeW+:AgeW] > age_i[t*AgeW+:AgeW] && age_o[w*AgeW+:AgeW] != age_i[w*AgeW+:AgeW])
          f_others = 1'b0;
      end
    end
  end

  always_comb begin
    if (f_perm && f_one) begin
      p1_permutation: assert (f_perm_next);
      p2_touched: assert (f_touched);
      p2_others: assert (f_others);
    end
    p1_start: assert (32'(start_o[(Ways-1)*AgeW+:AgeW]) == Ways - 1);
    c_oldest: cover (f_perm && f_one && 32'(age_i[(Ways-1)*AgeW+:AgeW]) == Ways - 1 && way_i[Ways-1]);
  end
