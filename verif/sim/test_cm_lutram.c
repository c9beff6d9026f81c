// SPDX-License-Identifier: Apache-2.0
// cm_lutram against an array in C: any read in any cycle, of the word that is being written too (old value).
// config: default -GWidth=8 -GDepth=16
// config: odd -GWidth=33 -GDepth=5
// config: one -GWidth=3 -GDepth=1
// netlist: default
// netlist: odd
#include "tb.h"
#include "cm_lutram_tb.h"

int main(int argc, char **argv) {
  static uint64_t word[P_Depth];
  static bool known[P_Depth];
  tb t;
  tb_init(&t, argc, argv, "cm_lutram", 20000);
  dut *d = dut_begin(&t);
  while (dut_cycle(d) < t.cycles) {
    bool we = rnd_chance(&t, 50);
    unsigned waddr = (unsigned)rnd_below(&t, P_Depth);
    uint64_t data = rnd_bits(&t, P_Width);
    dut_set_we_i(d, we);
    dut_set_waddr_i(d, waddr);
    dut_set_wdata_i(d, data);
    for (unsigned raddr = 0; raddr < P_Depth; raddr++) {
      dut_set_raddr_i(d, raddr);
      dut_eval(d);
      if (known[raddr]) CHECK_EQ(&t, dut_get_rdata_o(d), word[raddr], "rdata_o of %u", raddr);
    }
    dut_tick(d);
    if (we) known[waddr] = true, word[waddr] = data;
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
