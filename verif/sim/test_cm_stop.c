// SPDX-License-Identifier: Apache-2.0
// cm_stop against a queue of one in C: full rate, random idle and back-pressure, reset in the middle.
// config: default -GWidth=16
// config: bit -GWidth=1
// netlist: default
#include "tb.h"
#include "cm_stop_tb.h"

typedef struct slice {
  uint64_t beat;
  bool waits;
} slice;

static unsigned cycle(tb *t, dut *d, slice *s, unsigned in, unsigned out) {
  uint64_t beat = rnd_bits(t, P_Width);
  bool valid = rnd_chance(t, in), ready = rnd_chance(t, out);
  dut_set_in_valid_i(d, valid);
  dut_set_in_data_i(d, beat);
  dut_set_out_ready_i(d, ready);
  dut_eval(d);
  CHECK_EQ(t, dut_get_in_ready_o(d), !s->waits, "in_ready_o");
  CHECK_EQ(t, dut_get_out_valid_o(d), s->waits || valid, "out_valid_o");
  if (s->waits || valid) CHECK_EQ(t, dut_get_out_data_o(d), s->waits ? s->beat : beat, "out_data_o");

  unsigned moved = (s->waits || valid) && ready;
  if (!s->waits) s->beat = beat;
  s->waits = (s->waits || valid) && !ready;
  dut_tick(d);
  return moved;
}

int main(int argc, char **argv) {
  static const unsigned mix[][2] = {{100, 100}, {100, 50}, {50, 100}, {50, 50}, {10, 90}, {90, 10}};
  slice s = {0, false};
  tb t;
  tb_init(&t, argc, argv, "cm_stop", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  unsigned moved = 0;
  for (unsigned i = 0; i < 100; i++) moved += cycle(&t, d, &s, 100, 100);
  CHECK_EQ(&t, moved, 100, "beats in 100 cycles of full rate");
  while (dut_cycle(d) < t.cycles) {
    const unsigned *m = mix[rnd_below(&t, 6)];
    for (unsigned i = 0; i < 100; i++) cycle(&t, d, &s, m[0], m[1]);
    if (rnd_below(&t, 4) == 0) {
      dut_reset(d, 1);
      s.waits = false;
    }
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
