// SPDX-License-Identifier: Apache-2.0
// aa_cpl_gen: the two golden reads of docs/formats.md 2.2, then random headers of every type, and of none; bytes
// counted one by one.
// Rules of rtl/aa/README.md: DEC-19.
// netlist: default
#include "tb.h"
#include "aa_cpl_gen_tb.h"

static void check(tb *t, dut *d, const uint32_t h[4], bool data) {  // h[3]: DW 0
  uint32_t want[4], got[4];
  uint32_t dw0 = h[3], dw1 = h[2];
  unsigned type = dw0 >> 24, len = dw0 & 1023 ? dw0 & 1023 : 1024, fbe = dw1 & 15, lbe = dw1 >> 4 & 15, count = 0,
           first = 0;
  bool mrd = type == 0x00 || type == 0x20, seen = false;
  uint32_t addr = type & 0x20 ? h[0] : h[1];
  if (mrd) {
    unsigned last = 0;
    for (unsigned b = 0; b < 4; b++)
      if (fbe >> b & 1 && !seen) first = b, seen = true;
    for (unsigned b = 0; b < 4; b++)
      if ((len == 1 ? fbe : lbe) >> b & 1) last = 4 * (len - 1) + b;
    count = fbe ? last - first + 1 : 1;
  } else {
    unsigned op = type & 0xdf;
    count = op == 0x4c || op == 0x4d ? 4 * len : op == 0x4e ? 2 * len : 4;
  }
  want[3] = (data ? 0x4a000000u : 0x0a000000u) | (dw0 & 0x00fc3000u) | (data ? dw0 & 1023 : 0);
  want[2] = (data ? 0u : 1u << 13) | (count & 0xfff);
  want[1] = (dw1 & 0xffffff00u) | (mrd ? (addr & 0x7c) | first : 0);
  want[0] = 0;
  dut_set_req_i(d, h);
  dut_set_data_i(d, data);
  dut_eval(d);
  dut_get_cpl_o(d, got);
  for (unsigned i = 0; i < 4; i++) CHECK_EQ(t, got[3 - i], want[3 - i], "DW %u for %08x %08x", i, dw0, dw1);
}

int main(int argc, char **argv) {
  static const uint8_t types[] = {0x00, 0x20, 0x00, 0x20, 0x4c, 0x6c, 0x4d, 0x6d,
                                  0x4e, 0x6e, 0x01, 0x21, 0x02, 0x42, 0x04, 0x45};
  tb t;
  tb_init(&t, argc, argv, "aa_cpl_gen", 20000);
  dut *d = dut_begin(&t);
  check(&t, d, (const uint32_t[4]){0x9abc1004, 0x12345678, 0x01135aff, 0x20000019}, true);
  check(&t, d, (const uint32_t[4]){0, 0x80001000, 0x01135a18, 0x00000003}, false);
  for (uint64_t i = 0; i < t.cycles; i++) {
    uint32_t h[4];
    rnd_words(&t, h, 128);
    unsigned type = rnd_chance(&t, 80) ? types[rnd_below(&t, sizeof types)] : (unsigned)rnd_bits(&t, 8),
             len = (unsigned)(rnd_chance(&t, 50) ? rnd_below(&t, 4) : rnd_below(&t, 1024));
    unsigned fbe = 1 + (unsigned)rnd_below(&t, 15), lbe = 1 + (unsigned)rnd_below(&t, 15);
    if (len == 1) lbe = 0, fbe = (unsigned)rnd_below(&t, 16);
    h[3] = (h[3] & 0x00fffc00u) | type << 24 | len;
    h[2] = (h[2] & 0xffffff00u) | lbe << 4 | fbe;
    check(&t, d, h, rnd_chance(&t, 50));
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
