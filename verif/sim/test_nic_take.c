// SPDX-License-Identifier: Apache-2.0
// nic_take: items of every length, taken in pieces of every size and with every lead, against the item itself.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// netlist: wide
#include <string.h>

#include "tb.h"
#include "nic_take_tb.h"
#include "aa_fields.h"

#define BEAT (DATA_O_W / 8)
#define ITEMS 8
#define MOST 2048

typedef struct item {
  uint8_t byte[MOST];
  unsigned len;
  bool err;
} item;

typedef struct state {
  item ring[ITEMS];
  unsigned made, in, out;  // items made, brought in whole, taken whole
  unsigned at_in, at_out;  // bytes of the current ones
  bool up;
  uint32_t beat[IN_BEAT_I_WORDS];
  unsigned in_pct, step_pct, lead;
  uint64_t taken, steps;
} state;

static void make(tb *t, state *s, unsigned len) {
  item *x = &s->ring[s->made++ % ITEMS];
  x->len = len;
  x->err = rnd_chance(t, 30);
  for (unsigned i = 0; i < len; i++) x->byte[i] = (uint8_t)rnd(t);
}

// The next beat of what comes in: full but the last, junk behind it.
static void bring(tb *t, state *s) {
  if (s->up || s->in == s->made || !rnd_chance(t, s->in_pct)) return;
  const item *x = &s->ring[s->in % ITEMS];
  unsigned n = x->len - s->at_in < BEAT ? x->len - s->at_in : BEAT;
  rnd_words(t, s->beat, IN_BEAT_I_W);
  for (unsigned i = 0; i < n; i++) bits_set(s->beat, 8 * i, 8, x->byte[s->at_in + i]);
  bits_set(s->beat, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
  bits_set(s->beat, NIC_BYTES_T_ERR_LSB, 1, x->err);
  bits_set(s->beat, NIC_BYTES_T_LAST_LSB, 1, s->at_in + n == x->len);
  s->up = true;
}

// One cycle; want 0: take as much as there is, else at most so many.
static unsigned cycle(tb *t, dut *d, state *s, unsigned want) {
  uint32_t data[DATA_O_WORDS];
  bring(t, s);
  dut_set_in_valid_i(d, s->up);
  dut_set_in_beat_i(d, s->beat);
  if (s->at_out) s->lead = (unsigned)rnd_below(t, 4);  // means nothing then
  dut_set_lead_i(d, s->lead);
  dut_set_step_i(d, 0);
  dut_set_take_i(d, rnd_below(t, 128));
  dut_set_end_i(d, rnd_below(t, 2));
  dut_eval(d);
  unsigned take = 0, lead = s->at_out ? 0 : s->lead;
  if (dut_get_valid_o(d)) {
    const item *x = &s->ring[s->out % ITEMS];
    unsigned left = x->len - s->at_out, n = left < BEAT - lead ? left : BEAT - lead;
    CHECK_EQ(t, dut_get_count_o(d), n, "P2: bytes in the window, byte %u of %u, lead %u", s->at_out, x->len, lead);
    CHECK_EQ(t, dut_get_last_o(d), n == left, "P2: last_o, byte %u of %u", s->at_out, x->len);
    CHECK_EQ(t, dut_get_err_o(d), x->err, "P1: err_o");
    dut_get_data_o(d, data);
    for (unsigned k = 0; k < BEAT; k++) {
      bool in = k >= lead && k < lead + n;
      CHECK_EQ(t, bits_get(data, 8 * k, 8), in ? x->byte[s->at_out + k - lead] : 0,
               "%s: byte %u of the window, byte %u of %u", in ? "P1" : "P2", k, s->at_out, x->len);
    }
    if (rnd_chance(t, s->step_pct)) {
      take = want && want < n ? want : n;
      dut_set_step_i(d, 1);
      dut_set_take_i(d, take);
      dut_set_end_i(d, take == left);
      s->steps++;
      s->taken += take;
      s->at_out += take;
      if (s->at_out == x->len) {
        s->out++;
        s->at_out = 0;
        s->lead = (unsigned)rnd_below(t, 4);
      }
    }
  }
  dut_eval(d);
  bool got = s->up && dut_get_in_ready_o(d);
  dut_tick(d);
  if (got) {
    item *x = &s->ring[s->in % ITEMS];
    s->at_in += BEAT;
    if (s->at_in >= x->len) s->in++, s->at_in = 0;
    s->up = false;
  }
  return take;
}

// An item of every length, with every lead, taken in equal pieces; then the same cold and fast: a window a cycle.
static void shapes(tb *t, dut *d, state *s) {
  for (unsigned len = 0; len <= 3 * BEAT + 1; len += len < 4 || BEAT < 64 ? 1 : 3)
    for (unsigned piece = 1; piece <= BEAT; piece += piece < 3 || piece > BEAT - 3 ? 1 : BEAT / 5) {
      make(t, s, len);
      for (unsigned i = 0; i < 4 * len + 10 && s->out != s->made; i++) cycle(t, d, s, piece);
      CHECK_EQ(t, s->out, s->made, "P3: the item of %u bytes has gone, in pieces of %u", len, piece);
    }
}

// P5: after `first` bytes, full windows follow each other without a gap.
static void rate(tb *t, dut *d, state *s, unsigned first, unsigned len) {
  make(t, s, len);
  make(t, s, len);
  unsigned cycles = 0, each = 1 + (len - first + BEAT - 1) / BEAT, steps0 = (unsigned)s->steps;
  for (; s->out != s->made && cycles < 1000; cycles++) {
    if (!s->at_out) s->lead = 0;  // of both, so that `first` bytes fit into the window
    cycle(t, d, s, s->at_out ? 0 : first);
  }
  CHECK_EQ(t, s->steps - steps0, 2 * each, "windows of two items of %u bytes", len);
  CHECK(t, cycles <= 2 * each + 1, "P5: %u cycles for %u windows (%u bytes, then full ones)", cycles, 2 * each, first);
}

static unsigned length(tb *t) {
  return (unsigned)rnd_below(t, rnd_chance(t, 70) ? 2 * BEAT + 2 : rnd_chance(t, 50) ? BEAT : MOST);
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "nic_take", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  s.in_pct = s.step_pct = 100;
  shapes(&t, d, &s);
  for (unsigned first = 1; first <= BEAT; first += BEAT / 8)
    rate(&t, d, &s, first, 20 * BEAT), rate(&t, d, &s, first, 20 * BEAT + first);
  uint64_t end = dut_cycle(d) + t.cycles, before = s.taken;
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 70, 20};
    s.in_pct = pct[rnd_below(&t, 4)];
    s.step_pct = pct[rnd_below(&t, 4)];
    unsigned small = rnd_chance(&t, 50) ? 3 : BEAT;
    for (unsigned i = 0; i < 200; i++) {
      while (s.made - s.out < ITEMS) make(&t, &s, rnd_chance(&t, 20) ? 0 : length(&t));
      cycle(&t, d, &s, rnd_chance(&t, 50) ? 0 : 1 + (unsigned)rnd_below(&t, small));
    }
  }
  printf("  random: %" PRIu64 " bytes in %u items\n", s.taken - before, s.out);
  CHECK(&t, s.taken - before > t.cycles, "bytes go through");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
