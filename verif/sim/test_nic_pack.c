// SPDX-License-Identifier: Apache-2.0
// nic_pack: items given in pieces of every size, empty ones as well, against the item itself; rates.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128
// config: wide +define+TOCSIN_DATA_W=512
// netlist: narrow
#include "tb.h"
#include "nic_pack_tb.h"
#include "aa_fields.h"

#define BEAT (NIC_BYTES_T_DATA_W / 8)
#define BYTES 65536U

typedef struct state {
  uint8_t byte[BYTES];              // what went in, one ring for all items
  bool tainted[BYTES];              // whether a piece of its item up to the one that brought it had err
  unsigned in, out;                 // bytes given and seen
  unsigned end[64], ended, closed;  // where items end: given, seen
  bool err[64], err_now, open, up, last;
  unsigned n;  // bytes of the piece that is offered
  uint32_t piece[IN_BEAT_I_WORDS];
  unsigned in_pct, out_pct, err_pct;
  uint64_t beats, first, final;
} state;

// The next piece: n bytes, junk behind them.
static void offer(tb *t, state *s, unsigned n, bool last) {
  rnd_words(t, s->piece, IN_BEAT_I_W);
  bool err = rnd_chance(t, s->err_pct);
  s->err_now = (s->open && s->err_now) || err;
  for (unsigned i = 0; i < n; i++) {
    s->byte[(s->in + i) % BYTES] = (uint8_t)bits_get(s->piece, 8 * i, 8);
    s->tainted[(s->in + i) % BYTES] = s->err_now;
  }
  bits_set(s->piece, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W, n);
  bits_set(s->piece, NIC_BYTES_T_LAST_LSB, 1, last);
  bits_set(s->piece, NIC_BYTES_T_ERR_LSB, 1, err);
  s->open = !last;
  s->n = n;
  s->last = last;
  s->up = true;
}

// A beat that was full already, and goes since a byte follows it, may also say what the piece of that byte had.
static void check_err(tb *t, const state *s, unsigned n, bool last, bool err) {
  if (last) {
    CHECK_EQ(t, err, s->err[s->closed % 64], "P4: err of the last beat");
    return;
  }
  if (s->tainted[(s->out + n - 1) % BYTES]) CHECK(t, err, "P4: err of a piece that brought bytes of a beat");
  if (!s->tainted[(s->out + n) % BYTES]) CHECK(t, !err, "P4: err without one");
}

static void check_beat(tb *t, dut *d, state *s) {
  uint32_t b[OUT_BEAT_O_WORDS];
  dut_get_out_beat_o(d, b);
  unsigned n = (unsigned)bits_get(b, NIC_BYTES_T_BYTES_LSB, NIC_BYTES_T_BYTES_W);
  bool last = bits_get(b, NIC_BYTES_T_LAST_LSB, 1), known = s->closed != s->ended;
  unsigned left = (known ? s->end[s->closed % 64] : s->in) - s->out, want = left < BEAT ? left : BEAT;
  CHECK_EQ(t, last, known && left <= BEAT, "P1: last with %u bytes left", left);
  CHECK_EQ(t, n, want, "P1: bytes of a beat");
  for (unsigned i = 0; i < n && i < BEAT; i++)
    CHECK_EQ(t, bits_get(b, 8 * i, 8), s->byte[(s->out + i) % BYTES], "P1: byte %u of a beat", i);
  check_err(t, s, n, last, bits_get(b, NIC_BYTES_T_ERR_LSB, 1));
  CHECK_EQ(t, bits_get(b, NIC_BYTES_T_UR_LSB, 1), 0, "P6: ur");
  s->out += n;
  s->closed += last;
  s->final = dut_cycle(d);
  if (!s->beats++) s->first = s->final;
}

static bool cycle(tb *t, dut *d, state *s) {
  bool up = s->up, ready = rnd_chance(t, s->out_pct);
  dut_set_in_valid_i(d, up);
  dut_set_in_beat_i(d, s->piece);
  dut_set_out_ready_i(d, ready);
  dut_eval(d);
  bool got = up && dut_get_in_ready_o(d), shown = dut_get_out_valid_o(d) && ready;
  if (!dut_get_out_valid_o(d) || ready) CHECK(t, dut_get_in_ready_o(d), "P5: nothing stops a piece");
  if (shown) check_beat(t, d, s);
  dut_tick(d);
  if (got) {
    s->in += s->n;
    if (s->last) {
      s->err[s->ended % 64] = s->err_now;
      s->end[s->ended++ % 64] = s->in;
    }
    s->up = false;
  }
  return got;
}

static void give(tb *t, dut *d, state *s, unsigned n, bool last) {
  offer(t, s, n, last);
  for (unsigned i = 0; i < 1000 && !cycle(t, d, s); i++) {
  }
}

static void drain(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 2000 && s->closed != s->ended; i++) cycle(t, d, s);
  CHECK_EQ(t, s->closed, s->ended, "P1: every item has left");
}

static void fast(state *s) { s->in_pct = s->out_pct = 100; }

// Two pieces of all sizes, a third that is empty or full, closed with or without bytes.
static void shapes(tb *t, dut *d, state *s) {
  fast(s);
  for (unsigned a = 0; a <= BEAT; a += BEAT < 64 ? 1 : 3)
    for (unsigned b = 0; b <= BEAT; b++) {
      give(t, d, s, a, false);
      give(t, d, s, b, (a + b) % 3 == 0);
      if ((a + b) % 3) give(t, d, s, (a + b) % 3 == 1 ? 0 : BEAT, true);
      if (b % 5 == 0) drain(t, d, s);
    }
  drain(t, d, s);
}

// P5: `items` of `pieces` pieces of n bytes: a piece a cycle, and a beat a cycle if they are full.
static void rate(tb *t, dut *d, state *s, unsigned items, unsigned pieces, unsigned n) {
  fast(s);
  drain(t, d, s);
  uint64_t from = dut_cycle(d);
  s->beats = 0;
  for (unsigned i = 0; i < items * pieces; i++) give(t, d, s, n, i % pieces == pieces - 1);
  CHECK_EQ(t, dut_cycle(d) - from, items * pieces, "P5: cycles for %u pieces of %u bytes", items * pieces, n);
  drain(t, d, s);
  if (n == BEAT) CHECK_EQ(t, s->final - s->first + 1, items * pieces, "P5: cycles for %u full beats", items * pieces);
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "nic_pack", 20000);
  dut *d = dut_begin(&t);
  dut_reset(d, 2);
  shapes(&t, d, &s);
  rate(&t, d, &s, 20, 1, BEAT);
  rate(&t, d, &s, 20, 2, BEAT);
  rate(&t, d, &s, 3, 40, BEAT);
  rate(&t, d, &s, 9, 7, BEAT - 1);
  rate(&t, d, &s, 20, 3, 1);
  s.err_pct = 5;
  shapes(&t, d, &s);
  uint64_t end = dut_cycle(d) + t.cycles, before = s.out;
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 70, 20};
    s.in_pct = pct[rnd_below(&t, 4)];
    s.out_pct = pct[rnd_below(&t, 4)];
    unsigned most = rnd_chance(&t, 50) ? BEAT + 1 : 6, ends = rnd_chance(&t, 50) ? 30 : 5;
    for (unsigned i = 0; i < 200; i++) {
      if (!s.up && rnd_chance(&t, s.in_pct)) {
        // an item has at most 4096 bytes and some
        unsigned begun = s.ended ? s.end[(s.ended - 1) % 64] : 0;
        offer(&t, &s, rnd_chance(&t, 20) ? BEAT : (unsigned)rnd_below(&t, most),
              rnd_chance(&t, ends) || s.in - begun > 4000);
      }
      cycle(&t, d, &s);
    }
  }
  fast(&s);
  if (s.open || s.up) {
    while (s.up) cycle(&t, d, &s);
    if (s.open) give(&t, d, &s, 3, true);
  }
  drain(&t, d, &s);
  printf("  random: %" PRIu64 " bytes in %u items\n", s.out - before, s.closed);
  CHECK(&t, s.out - before > t.cycles, "bytes go through");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
