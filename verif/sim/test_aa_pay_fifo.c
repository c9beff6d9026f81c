// SPDX-License-Identifier: Apache-2.0
// aa_pay_fifo against a queue in C: TLPs of random length, committed or taken back, with idle and back-pressure.
// config: default -GWidth=32 -GDepth=16
// config: lut -GWidth=32 -GDepth=4 -GRam=0
// netlist: lut
#include "tb.h"
#include "aa_pay_fifo_tb.h"

int main(int argc, char **argv) {
  static uint32_t item[4 * P_Depth];
  unsigned head = 0, sure = 0, all = 0, in = 50, out = 50, moved = 0, back = 0;
  tb t;
  tb_init(&t, argc, argv, "aa_pay_fifo", 30000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  while (dut_cycle(d) < t.cycles) {
    if (dut_cycle(d) % 100 == 0) {
      in = (unsigned)rnd_below(&t, 101);
      out = (unsigned)rnd_below(&t, 101);
    }
    dut_eval(d);
    bool room = dut_get_room_o(d), valid = room && rnd_chance(&t, in);
    bool full = all - head >= P_Depth;  // a beat that never fits with its TLP: take it back
    bool end = rnd_chance(&t, 25), rewind = (full && rnd_chance(&t, 50)) || (end && rnd_chance(&t, 30)),
         ready = rnd_chance(&t, out);
    uint32_t word = (uint32_t)rnd(&t);
    dut_set_in_valid_i(d, valid);
    dut_set_in_data_i(d, word);
    dut_set_commit_i(d, end && !rewind);
    dut_set_rewind_i(d, rewind);
    dut_set_out_ready_i(d, ready);
    dut_eval(d);
    CHECK(&t, room || all - head >= P_Depth, "no room with %u inside", all - head);
    CHECK(&t, all - head <= P_Depth + 1, "%u inside", all - head);
    if (dut_get_out_valid_o(d)) {
      CHECK(&t, head != sure, "a beat that was not committed is offered");
      CHECK_EQ(&t, dut_get_out_data_o(d), item[head % (4 * P_Depth)], "beat %u", head);
      if (ready) {
        head++;
        moved++;
      }
    }
    if (valid) item[all++ % (4 * P_Depth)] = word;
    if (rewind) {
      back += all - sure;
      all = sure;
    } else if (end) {
      sure = all;
    }
    dut_tick(d);
  }
  CHECK(&t, moved > 500 && back > 500, "%u beats left, %u were taken back", moved, back);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
