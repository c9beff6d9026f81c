// SPDX-License-Identifier: Apache-2.0
// aa_leaf_bits for every input there is, kinds that are none as well, against a third telling of the table: rules in
// the order in which one would say them.
// Rules of rtl/aa/README.md: DEC-10, DEC-11, DEC-12.
// netlist: default
#include "tb.h"
#include "aa_leaf_bits_tb.h"

enum { WRITE = 1, READ = 2, ATOMIC = 3 };

typedef struct out {
  bool allowed, log, stock_log, stock_fault, put, get;
  unsigned code;
} out;

static out want(unsigned kind, bool zero, bool poisoned, bool bypass, unsigned bits) {
  bool r = bits & 1, w = bits & 2, wl = bits & 4, wld = bits & 8, rl = bits & 16, rld = bits & 32, e = bits & 64;
  bool known = kind == WRITE || kind == READ || kind == ATOMIC, logged;
  out o = {0};
  if (kind == READ) poisoned = false;
  if (kind == ATOMIC) zero = false;
  if (bypass || !known) {
    o.allowed = bypass && !(poisoned && known);
    return o;
  }
  if (kind == WRITE) {
    o.allowed = w;
    logged = wl || wld;
  } else if (kind == READ) {
    o.allowed = zero ? r || w : r;
    logged = rl || rld;
  } else {
    o.allowed = r && w;
    logged = wl || wld || rl || rld;
  }
  if (poisoned) {
    o.allowed = false;
    o.log = e && logged;
    return o;
  }
  if (e && logged) {
    o.log = true;
    if (kind == WRITE) o.put = wld && !zero;
    if (kind == READ) o.get = rld && !zero && o.allowed;
    if (kind == ATOMIC && wld) o.put = true;
    if (kind == ATOMIC && !wld && rld) o.get = o.allowed;
  }
  if (!e && !o.allowed) {
    o.stock_fault = true;
    o.code = kind == READ || (kind == ATOMIC && w) ? 6 : 5;
  } else if (!e && logged) {
    o.stock_log = true;
    o.code = 0xA0;
  }
  return o;
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_leaf_bits", 1);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < 8 << 10; i++) {
    unsigned kind = i >> 10;
    bool zero = i >> 9 & 1, poisoned = i >> 8 & 1, bypass = i >> 7 & 1;
    dut_set_kind_i(d, kind);
    dut_set_zero_i(d, zero);
    dut_set_poisoned_i(d, poisoned);
    dut_set_bypass_i(d, bypass);
    dut_set_r_i(d, i & 1);
    dut_set_w_i(d, i >> 1 & 1);
    dut_set_wl_i(d, i >> 2 & 1);
    dut_set_wld_i(d, i >> 3 & 1);
    dut_set_rl_i(d, i >> 4 & 1);
    dut_set_rld_i(d, i >> 5 & 1);
    dut_set_e_i(d, i >> 6 & 1);
    dut_eval(d);
    out o = want(kind, zero, poisoned, bypass, i & 127);
    CHECK_EQ(&t, dut_get_allowed_o(d), o.allowed, "allowed_o, input %x", i);
    CHECK_EQ(&t, dut_get_log_o(d), o.log, "log_o, input %x", i);
    CHECK_EQ(&t, dut_get_stock_log_o(d), o.stock_log, "stock_log_o, input %x", i);
    CHECK_EQ(&t, dut_get_stock_fault_o(d), o.stock_fault, "stock_fault_o, input %x", i);
    CHECK_EQ(&t, dut_get_stock_code_o(d), o.code, "stock_code_o, input %x", i);
    CHECK_EQ(&t, dut_get_data_put_o(d), o.put, "data_put_o, input %x", i);
    CHECK_EQ(&t, dut_get_data_get_o(d), o.get, "data_get_o, input %x", i);
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
