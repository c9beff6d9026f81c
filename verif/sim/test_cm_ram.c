// SPDX-License-Identifier: Apache-2.0
// cm_ram against an array in C. A read of the address that is being written is not allowed and not made.
// config: default -GWidth=32 -GDepth=512
// config: odd -GWidth=9 -GDepth=5
// netlist: odd
#include "tb.h"
#include "cm_ram_tb.h"

int main(int argc, char **argv) {
  static uint64_t word[P_Depth];
  static bool known[P_Depth];
  tb t;
  tb_init(&t, argc, argv, "cm_ram", 20000);
  dut *d = dut_begin(&t);
  uint64_t want = 0;
  bool sure = false;
  while (dut_cycle(d) < t.cycles) {
    bool we = rnd_chance(&t, 50), re = rnd_chance(&t, 50);
    unsigned waddr = (unsigned)rnd_below(&t, P_Depth),
             raddr = (unsigned)rnd_below(&t, rnd_chance(&t, 50) ? P_Depth : 4);
    uint64_t data = rnd_bits(&t, P_Width);
    if (we && waddr == raddr) re = false;
    dut_set_we_i(d, we);
    dut_set_waddr_i(d, waddr);
    dut_set_wdata_i(d, data);
    dut_set_re_i(d, re);
    dut_set_raddr_i(d, raddr);
    dut_tick(d);
    if (re) sure = known[raddr], want = word[raddr];
    if (we) known[waddr] = true, word[waddr] = data;
    if (sure) CHECK_EQ(&t, dut_get_rdata_o(d), want, "rdata_o");
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
