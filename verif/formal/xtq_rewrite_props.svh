// SPDX-License-Identifier: Apache-2.0
// Theorems of xtq_rewrite: each of the eight words of the packet has its own line of the
// specification, for every input.
// Rules of README.md: RBF-5, RBF-6, RBF-7.
  logic [7:0]  f_word_ok;
  logic [63:0] f_sent [8];
  logic [63:0] f_got [8];
  logic        f_kernel;
  assign f_kernel = !func_i;

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      f_sent[i] = cmd_i[64*i+:64];
      f_got[i]  = cmd_o[64*i+:64];
    end
    f_word_ok[0] = f_got[0] == f_sent[0];
    f_word_ok[1] = f_got[1] == (f_kernel ? f_sent[1] : entry_i[xtq_pkg::KerCode+:64]);
    f_word_ok[2] = f_got[2] == (f_kernel || !entry_i[xtq_pkg::KerHasTarget] ? f_sent[2] :
                                entry_i[xtq_pkg::KerTarget+:64]);
    f_word_ok[3] = f_got[3] == (f_kernel ? f_sent[3] : has_pay_i ? pay_va_i : 64'd0);
    f_word_ok[4] = f_got[4] == (f_kernel ? entry_i[xtq_pkg::KerCode+:64] : f_sent[4]);
    f_word_ok[5] = f_got[5] == (!f_kernel ? f_sent[5] : has_args_i ? args_va_i : 64'd0);
    f_word_ok[6] = f_got[6] == 64'd0;
    f_word_ok[7] = f_got[7] == entry_i[xtq_pkg::KerSignal+:64];
  end

  always_comb begin
    if (f_kernel) p1_kernel: assert (f_word_ok[4] && f_word_ok[5]);
    if (!f_kernel) p2_function: assert (f_word_ok[1] && f_word_ok[2] && f_word_ok[3]);
    p3_rest: assert (&f_word_ok);
    p4_target: assert (swap_o[0] == (f_kernel && has_args_i && entry_i[xtq_pkg::KerHasTarget]));
    p4_payload: assert (swap_o[1] == (f_kernel && has_args_i));
    if (swap_o[0]) p4_arg0: assert (arg_o[63:0] == entry_i[xtq_pkg::KerTarget+:64]);
    if (swap_o[1]) p4_arg1: assert (arg_o[127:64] == (has_pay_i ? pay_va_i : 64'd0));
    c_both: cover (swap_o == 2'b11 && has_pay_i);
    c_payload: cover (swap_o == 2'b10 && has_pay_i);
    c_function: cover (func_i && entry_i[xtq_pkg::KerHasTarget] && cmd_o != cmd_i);
  end
