// SPDX-License-Identifier: Apache-2.0
// Theorems of aa_leaf_bits. The table is written out once more, a row a kind and outcome, straight from README.md and
// without a word of the design's own equations: f_row = {allowed, access log, put data, get data,
// stock record, stock code}.
// Rules of README.md: DEC-11, DEC-12.
  logic [12:0] f_row;
  logic [3:0]  f_l;  // {WL, WLD, RL, RLD}
  logic        f_known;
  assign f_l     = {wl_i, wld_i, rl_i, rld_i};
  assign f_known = kind_i == aa_pkg::ReqWrite || kind_i == aa_pkg::ReqRead || kind_i == aa_pkg::ReqAtomic;

  always_comb begin
    f_row = 13'b0_0_0_0_0_00000000;
    if (poisoned_i && (kind_i == aa_pkg::ReqWrite || kind_i == aa_pkg::ReqAtomic)) begin  // DEC-7
      f_row[11] = !bypass_i && e_i && (f_l[3:2] != 2'b00 || (kind_i == aa_pkg::ReqAtomic && f_l[1:0] != 2'b00));
    end else if (bypass_i) begin  // DEC-8
      f_row[12] = 1'b1;
    end else if (kind_i == aa_pkg::ReqWrite) begin  // DEC-10 from here
      case ({w_i, e_i, wl_i, wld_i})
        4'b0_0_00, 4'b0_0_01, 4'b0_0_10, 4'b0_0_11: f_row = {5'b0_0_0_0_0, 8'h05};
        4'b0_1_00: f_row = {5'b0_0_0_0_0, 8'h00};
        4'b0_1_10: f_row = {5'b0_1_0_0_0, 8'h00};
        4'b0_1_01, 4'b0_1_11: f_row = {1'b0, 1'b1, !zero_i, 2'b00, 8'h00};  // the active put
        4'b1_0_00, 4'b1_1_00: f_row = {5'b1_0_0_0_0, 8'h00};
        4'b1_0_01, 4'b1_0_10, 4'b1_0_11: f_row = {5'b1_0_0_0_1, 8'hA0};
        4'b1_1_10: f_row = {5'b1_1_0_0_0, 8'h00};
        default: f_row = {1'b1, 1'b1, !zero_i, 2'b00, 8'h00};
      endcase
    end else if (kind_i == aa_pkg::ReqRead) begin
      case ({r_i | (zero_i & w_i), e_i, rl_i, rld_i})
        4'b0_0_00, 4'b0_0_01, 4'b0_0_10, 4'b0_0_11: f_row = {5'b0_0_0_0_0, 8'h06};
        4'b0_1_00: f_row = {5'b0_0_0_0_0, 8'h00};
        4'b0_1_01, 4'b0_1_10, 4'b0_1_11: f_row = {5'b0_1_0_0_0, 8'h00};
        4'b1_0_00, 4'b1_1_00: f_row = {5'b1_0_0_0_0, 8'h00};
        4'b1_0_01, 4'b1_0_10, 4'b1_0_11: f_row = {5'b1_0_0_0_1, 8'hA0};
        4'b1_1_10: f_row = {5'b1_1_0_0_0, 8'h00};
        default: f_row = {3'b1_1_0, !zero_i, 1'b0, 8'h00};
      endcase
    end else if (kind_i == aa_pkg::ReqAtomic) begin
      case ({r_i, w_i, e_i})
        3'b00_0, 3'b10_0: f_row = {5'b0_0_0_0_0, 8'h05};
        3'b01_0: f_row = {5'b0_0_0_0_0, 8'h06};
        3'b00_1, 3'b01_1, 3'b10_1: f_row = {1'b0, f_l != 4'h0, wld_i, 2'b00, 8'h00};
        3'b11_0: f_row = f_l == 4'h0 ? {5'b1_0_0_0_0, 8'h00} : {5'b1_0_0_0_1, 8'hA0};
        default: f_row = {1'b1, f_l != 4'h0, wld_i, !wld_i && rld_i, 1'b0, 8'h00};
      endcase
    end
  end

  always_comb begin
    p1_needs: assert (!allowed_o || bypass_i || f_known);
    if (poisoned_i && f_known && kind_i != aa_pkg::ReqRead) p1_poison: assert (!allowed_o);
    p2_one: assert (32'(log_o) + 32'(stock_log_o) + 32'(stock_fault_o) <= 32'd1);
    if (bypass_i) p2_bypass: assert (!log_o && !stock_log_o && !stock_fault_o);
    if (log_o) p2_log: assert (e_i && f_l != 4'h0);
    if (data_put_o || data_get_o) p3_data: assert (log_o && !(data_put_o && data_get_o) && !poisoned);
    if (data_get_o) p3_get: assert (allowed_o);
    p4_table: assert ({allowed_o, log_o, data_put_o, data_get_o, stock_log_o, stock_code_o} == f_row);
    p4_fault: assert (stock_fault_o == (f_row[7:0] == 8'h05 || f_row[7:0] == 8'h06));
    c_put: cover (data_put_o && !allowed_o);
    c_get: cover (data_get_o && is_atomic);
    c_record: cover (stock_log_o);
    c_poison: cover (log_o && poisoned);
    c_no_read: cover (stock_fault_o && is_atomic && stock_code_o == 8'h06);
    c_count: cover (log_o && allowed_o && !data_put_o && !data_get_o);
  end
