// SPDX-License-Identifier: Apache-2.0
// The test of both FIFOs; they differ in latency only. Included after the generated header, whose functions it calls.
#ifndef TOCSIN_FIFO_TEST_H
#define TOCSIN_FIFO_TEST_H

#define WORDS ((P_Width + 31) / 32)

typedef struct fifo_ref {
  uint32_t item[P_Depth + 1][WORDS];
  uint64_t due[P_Depth + 1];  // cycle from which the item must be offered when it is first
  unsigned head, level;
} fifo_ref;

static void put_data(dut *d, const uint32_t *w) {
#ifdef IN_DATA_I_WORDS
  dut_set_in_data_i(d, w);
#else
  dut_set_in_data_i(d, P_Width > 32 ? w[0] | (uint64_t)w[WORDS - 1] << 32 : w[0]);
#endif
}

static void get_data(const dut *d, uint32_t *w) {
#ifdef IN_DATA_I_WORDS
  dut_get_out_data_o(d, w);
#else
  for (unsigned i = 0; i < WORDS; i++) w[i] = (uint32_t)(dut_get_out_data_o(d) >> (32 * i));
#endif
}

// One cycle: offers with `in` percent, takes with `out` percent; returns how many items moved out.
static unsigned fifo_cycle(tb *t, dut *d, fifo_ref *r, unsigned latency, unsigned in, unsigned out, bool clear) {
  uint32_t item[WORDS], got[WORDS];
  bool valid = rnd_chance(t, in), ready = rnd_chance(t, out);
  rnd_words(t, item, P_Width);
  dut_set_in_valid_i(d, valid);
  put_data(d, item);
  dut_set_out_ready_i(d, ready);
  dut_set_clr_i(d, clear);
  dut_eval(d);

  bool offered = dut_get_out_valid_o(d), taken = dut_get_in_ready_o(d);
  CHECK_EQ(t, dut_get_level_o(d), r->level, "level_o");
  CHECK_EQ(t, taken, r->level < P_Depth || (P_Depth == 1 && ready), "in_ready_o at level %u", r->level);
  if (r->level == 0) CHECK(t, !offered, "out_valid_o of an empty FIFO");
  if (r->level && r->due[r->head] <= dut_cycle(d)) CHECK(t, offered, "out_valid_o, item due");
  if (offered && r->level) {
    get_data(d, got);
    CHECK_MEM(t, got, r->item[r->head], sizeof got, "out_data_o");
  }

  unsigned moved = offered && ready;
  if (moved) {
    r->head = (r->head + 1) % (P_Depth + 1);
    r->level--;
  }
  if (valid && taken) {
    unsigned at = (r->head + r->level) % (P_Depth + 1);
    for (unsigned i = 0; i < WORDS; i++) r->item[at][i] = item[i];
    r->due[at] = dut_cycle(d) + latency;
    r->level++;
  }
  if (clear) r->level = 0;
  dut_tick(d);
  return moved;
}

static int fifo_test(int argc, char **argv, const char *block, unsigned latency) {
  static const unsigned mix[][2] = {{100, 100}, {100, 50}, {50, 100}, {50, 50}, {10, 90}, {90, 10}};
  static fifo_ref r;
  tb t;
  tb_init(&t, argc, argv, block, 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);

  for (unsigned i = 0; i < P_Depth + 3; i++) fifo_cycle(&t, d, &r, latency, 100, 0, false);  // fill
  CHECK_EQ(&t, r.level, P_Depth, "items that fit");
  for (unsigned i = 0; i < P_Depth + 3; i++) fifo_cycle(&t, d, &r, latency, 0, 100, false);  // drain
  CHECK_EQ(&t, r.level, 0, "items left");
  unsigned moved = 0;
  for (unsigned i = 0; i < 100 + latency; i++) moved += fifo_cycle(&t, d, &r, latency, 100, 100, false);
  CHECK_EQ(&t, moved, 100, "items in 100 cycles of full rate");

  while (dut_cycle(d) < t.cycles) {
    const unsigned *m = mix[rnd_below(&t, 6)];
    for (unsigned i = 0; i < 100; i++) fifo_cycle(&t, d, &r, latency, m[0], m[1], rnd_below(&t, 200) == 0);
    if (rnd_below(&t, 4) == 0) {
      dut_reset(d, 1);
      r.level = 0;
    }
  }
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}

#endif
