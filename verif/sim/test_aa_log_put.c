// SPDX-License-Identifier: Apache-2.0
// aa_log_put: entries of all shapes into three rings, against the bytes that memory must hold.
// Rules of rtl/aa/README.md: LOG-2, LOG-3, LOG-4.
// config: default
// config: w128 +define+TOCSIN_DATA_W=128
// config: w512 +define+TOCSIN_DATA_W=512
// config: tight -GOutstanding=1 -GIds=5
// netlist: default
#include "tb.h"
#include "aa_fields.h"
#include "aa_log_put_tb.h"
#include "log_feed.h"

typedef struct state {
  feed f;
  unsigned next[RINGS];
  int fixed;  // >= 0: this many DWs of data
  int ring;   // >= 0: this ring only; InTurns
  unsigned turn;
} state;

enum { InTurns = -2, AtRandom = -1 };

static void make(tb *t, void *test) {
  state *st = test;
  unsigned r = st->ring >= 0          ? (unsigned)st->ring
               : st->ring == AtRandom ? (unsigned)rnd_below(t, RINGS)
                                      : st->turn++ % RINGS;
  bool data = st->fixed ? st->fixed > 0 || rnd_chance(t, 70) : false;
  unsigned len = st->fixed >= 0 ? (unsigned)st->fixed : 1 + (unsigned)rnd_below(t, rnd_chance(t, 80) ? 20 : 1024);
  if (rnd_chance(t, 10) && st->fixed < 0) len = 1 + (unsigned)((1ULL << rnd_below(t, 11)) - rnd_below(t, 2)) % 1024;
  if (!data && !len) len = 1;
  unsigned bytes = 16 + (data ? (len * 4 + 15) / 16 * 16 : 0);
  unsigned off = st->next[r], pad = 0;
  if (off + bytes > RING) pad = RING - off;
  uint64_t base = sink_place(&st->f.s, r, 0), addr = base + (pad ? 0 : off);
  if (!sink_free(&st->f.s, addr, bytes) || (pad && !sink_free(&st->f.s, base + off, 16))) return;
  if (feed_full(&st->f)) return;

  unsigned fbe = (unsigned)rnd_bits(t, 4), lbe = len == 1 ? 0 : (unsigned)rnd_bits(t, 4);
  uint8_t image[4112] = {0};
  random_header(t, st->f.cmd, data ? 1 : (unsigned)rnd_below(t, 4), data, len, fbe, lbe);
  memcpy(image, st->f.cmd, 16);
  st->f.nbeats = data ? (len + W_DATA_O_WORDS - 1) / W_DATA_O_WORDS : 0;
  for (unsigned i = 0; i < st->f.nbeats * W_DATA_O_WORDS; i++) st->f.beats[i] = (uint32_t)rnd(t);
  if (data) {
    for (unsigned i = 0; i < len; i++) memcpy(image + 16 + 4 * i, &st->f.beats[i], 4);
    for (unsigned b = 0; b < 4; b++) {
      if (!(fbe >> b & 1)) image[16 + b] = 0;
      if (len > 1 && !(lbe >> b & 1)) image[16 + 4 * len - 4 + b] = 0;
    }
  }
  st->f.s.log = st->f.s.ring_log[r];
  unsigned id = st->f.s.log << 5 | (unsigned)rnd_bits(t, 5);
  feed_ends(&st->f, id, addr, bytes, pad ? base + off : 0);
  sink_expect(t, &st->f.s, addr, image, bytes);
  if (pad) {
    uint8_t p[16];
    pad_header(p, pad);
    sink_expect(t, &st->f.s, base + off, p, 16);
  }
  bits_set(st->f.cmd, AA_PUT_LOG_T_TOTAL_LSB, AA_PUT_LOG_T_TOTAL_W, bytes / 16);
  bits_set(st->f.cmd, AA_PUT_LOG_T_PAD_BYTES_LSB, AA_PUT_LOG_T_PAD_BYTES_W, pad ? pad : rnd_bits(t, 13));
  bits_set(st->f.cmd, AA_PUT_LOG_T_PAD_ADDR_LSB, AA_PUT_LOG_T_PAD_ADDR_W, pad ? base + off : rnd_bits(t, 48));
  bits_set(st->f.cmd, AA_PUT_LOG_T_PAD_LSB, AA_PUT_LOG_T_PAD_W, pad != 0);
  bits_set(st->f.cmd, AA_PUT_LOG_T_ADDR_LSB, AA_PUT_LOG_T_ADDR_W, addr);
  bits_set(st->f.cmd, AA_PUT_LOG_T_ID_LSB, AA_PUT_LOG_T_ID_W, id);
  st->next[r] = (pad ? bytes : off + bytes) % RING;
  st->f.beat = 0;
  st->f.have = true;
}

static void drain(tb *t, dut *d, state *st) {
  for (unsigned i = 0; i < 20000 && (st->f.have || st->f.head != st->f.tail); i++) feed_step(t, d, &st->f, false);
  feed_check_drained(t, &st->f);
}

// Other places, at the same position in each ring: neighbours in time may then differ in one bit of the address.
static void move(tb *t, state *st, unsigned bit, unsigned at) {
  sink_move(t, &st->f.s, bit);
  for (unsigned r = 0; r < RINGS; r++) st->next[r] = at;
}

// Headers alone, in turns of rings whose addresses differ in one bit: those of one log share no bus word either.
static void twins(tb *t, dut *d, state *st) {
  st->fixed = 0, st->ring = InTurns;
  for (unsigned bit = SINK_BIT; bit < SINK_BITS; bit++) {
    move(t, st, bit, 0);
    st->f.s.ring_log[1] = st->f.s.ring_log[0];
    feed_fast(&st->f, 0);
    for (unsigned i = 0; i < 24; i++) feed_step(t, d, &st->f, true);
    drain(t, d, st);
  }
}

static void stalls(tb *t, dut *d, state *st) {
  st->fixed = 0, st->ring = InTurns;
  move(t, st, sink_bit(t), 0);
  feed_no_response(t, d, &st->f);
  drain(t, d, st);
  feed_no_done(t, d, &st->f, 0);
  drain(t, d, st);
}

// Entries of `dw` DWs of data in one ring: entries or bus words a cycle, in percent, must reach `want`, with
// responses `delay` cycles after their bursts.
static void rate(tb *t, dut *d, state *st, int dw, unsigned skew, unsigned delay, bool words, unsigned want) {
  st->fixed = dw, st->ring = 0;
  move(t, st, sink_bit(t), skew);
  feed_fast(&st->f, delay);
  for (unsigned i = 0; i < 20; i++) feed_step(t, d, &st->f, true);
  unsigned done = st->f.done;
  uint64_t beats = st->f.s.beats;
  for (unsigned i = 0; i < 1000; i++) feed_step(t, d, &st->f, true);
  unsigned got = words ? (unsigned)(st->f.s.beats - beats) : st->f.done - done;
  printf("  %d DW at %u: %u.%u %% %s, %" PRIu64 " bursts\n", dw, skew, got / 10, got % 10, words ? "beats" : "entries",
         st->f.s.bursts);
  CHECK(t, got / 10 >= want, "rate of entries with %d DW at %u: %u of 1000 cycles", dw, skew, got);
  drain(t, d, st);
}

int main(int argc, char **argv) {
  static state st;
  tb t;
  tb_init(&t, argc, argv, "aa_log_put", 30000);
  dut *d = dut_begin(&t);
  st.f.make = make;
  st.f.test = &st;
  feed_restart(&t, d, &st.f);
  if (P_Outstanding >= 4) {
    rate(&t, d, &st, 2, 0, 0, BEAT < 32, 95);                  // entries of 32 bytes
    rate(&t, d, &st, 2, 0, P_Outstanding - 3, BEAT < 32, 95);  // so many bursts under way
    rate(&t, d, &st, 2, 16, 0, BEAT < 32, 95);                 // between the bus words: neighbours share a word
    rate(&t, d, &st, 64, 0, 0, true, 94);
    rate(&t, d, &st, 1024, 16, 0, true, 95);
  }
  twins(&t, d, &st);
  stalls(&t, d, &st);
  for (uint64_t end = dut_cycle(d) + t.cycles; dut_cycle(d) < end;) {
    feed_random(&t, &st.f);
    st.fixed = rnd_chance(&t, 40) ? (int)rnd_below(&t, 9) : -1;
    st.ring = rnd_chance(&t, 50) ? (int)rnd_below(&t, RINGS) : -1 - (int)rnd_below(&t, 2);
    for (unsigned i = 0; i < 300; i++) feed_step(&t, d, &st.f, true);
    if (!rnd_chance(&t, 30)) continue;
    if (rnd_chance(&t, 50))
      drain(&t, d, &st);
    else
      feed_restart(&t, d, &st.f);
    move(&t, &st, sink_bit(&t), 16 * (unsigned)rnd_below(&t, RING / 16));
  }
  drain(&t, d, &st);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
