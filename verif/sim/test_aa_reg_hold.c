// SPDX-License-Identifier: Apache-2.0
// aa_reg_hold: every address of the register space, with all strobes, with some and with one, against a list of INV-11
// and INV-12.
// config: default
// netlist: default
#include "tb.h"
#include "aa_reg_hold_tb.h"
#include "reg_bus.h"

typedef struct {
  uint32_t from, to;  // to: the first byte after it
} range;

static bool in(const range *r, unsigned n, uint32_t a) {
  for (unsigned i = 0; i < n; i++)
    if (a >= r[i].from && a < r[i].to) return true;
  return false;
}

// GCMD, AA_CTL: with strobes of the register alone.
static bool forgets(uint32_t a, unsigned strb) { return (strb & 15) && (a == 0x18 || a == 0x1010); }

// What a decision records late: FSTS, FECTL, the fault records, the counters.
static bool late(uint32_t a) {
  static const range r[] = {{0x30, 0x40}, {0x220, 0x2a0}, {0x4000, 0x4200}};
  return in(r, 3, a);
}

// AA_RESET, AA_PORT, AA_FLP, the logs.
static bool held(uint32_t a, unsigned strb) {
  static const range r[] = {{0x1070, 0x1078}, {0x1080, 0x10a0}, {0x1100, 0x1140}, {0x2000, 0x3000}};
  return late(a) || forgets(a, strb) || in(r, 4, a);
}

// Every word in turn, and as often a word below 20000h, where the registers are, or one of those that forget.
static uint32_t address(tb *t, uint32_t n) {
  if (!(n & 1)) return 8 * (n / 2 & 0x1ffff);
  return rnd_chance(t, 80) ? 8 * (uint32_t)rnd_below(t, 1u << 14) : rnd_chance(t, 50) ? 0x18 : 0x1010;
}

static unsigned strobes(tb *t) {
  unsigned how = (unsigned)rnd_below(t, 10);
  return how < 2 ? 0xf0 : how < 5 ? 0xff : how < 8 ? (unsigned)rnd_bits(t, 8) : 1u << rnd_below(t, 8);
}

int main(int argc, char **argv) {
  tb t;
  tb_init(&t, argc, argv, "aa_reg_hold", 4u << 17);
  dut *d = dut_begin(&t);
  for (uint32_t n = 0; n < t.cycles; n++) {
    uint32_t a = address(&t, n);
    unsigned strb = strobes(&t);
    dut_set_rb_i(d, reg_bus_of(a, false, 0, strb).words);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_held_r_o(d), late(a), "a read of 0x%x", a);
    CHECK_EQ(&t, dut_get_held_w_o(d), held(a, strb), "a write of 0x%x strobes 0x%x", a, strb);
    CHECK_EQ(&t, dut_get_forget_o(d), 0, "no write of 0x%x", a);
    dut_tick(d);
    dut_set_rb_i(d, reg_bus_of(a, true, 0, strb).words);
    dut_eval(d);
    CHECK_EQ(&t, dut_get_forget_o(d), forgets(a, strb), "the write of 0x%x strobes 0x%x", a, strb);
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
