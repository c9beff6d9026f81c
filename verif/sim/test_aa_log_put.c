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
  int ring;   // >= 0: this ring only
} state;

static void make(tb *t, state *st) {
  unsigned r = st->ring >= 0 ? (unsigned)st->ring : (unsigned)rnd_below(t, RINGS);
  bool data = st->fixed ? st->fixed > 0 || rnd_chance(t, 70) : false;
  unsigned len = st->fixed >= 0 ? (unsigned)st->fixed : 1 + (unsigned)rnd_below(t, rnd_chance(t, 80) ? 20 : 1024);
  if (rnd_below(t, 50) == 0 && st->fixed < 0) len = 1024;
  if (!data && !len) len = 1;
  unsigned bytes = 16 + (data ? (len * 4 + 15) / 16 * 16 : 0);
  unsigned off = st->next[r], pad = 0;
  if (off + bytes > RING) pad = RING - off;
  uint64_t base = SINK_BASE + (uint64_t)r * RING, addr = base + (pad ? 0 : off);
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
  st->f.s.log = 9 * r + 3;
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

static void cycle(tb *t, dut *d, state *st, bool more) {
  if (!st->f.have && more) make(t, st);
  feed_cycle(t, d, &st->f);
}

static void drain(tb *t, dut *d, state *st) {
  for (unsigned i = 0; i < 20000 && (st->f.have || st->f.head != st->f.tail); i++) cycle(t, d, st, false);
  feed_check_drained(t, &st->f);
}

// Entries of `dw` DWs of data in one ring: entries or bus words a cycle, in percent, must reach `want`.
static void rate(tb *t, dut *d, state *st, int dw, unsigned skew, bool words, unsigned want) {
  st->fixed = dw, st->ring = 0;
  st->f.cmd_pct = st->f.data_pct = st->f.s.aw_pct = st->f.s.w_pct = 100;
  st->f.s.b_delay = 0;
  st->f.s.done_pct = 100;
  st->next[0] = skew;
  for (unsigned i = 0; i < 20; i++) cycle(t, d, st, true);
  unsigned done = st->f.done;
  uint64_t beats = st->f.s.beats;
  for (unsigned i = 0; i < 1000; i++) cycle(t, d, st, true);
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
  dut_reset(d, 2);
  st.fixed = st.ring = -1;
  bool tight = P_Outstanding < 4;
  if (!tight) {
    rate(&t, d, &st, 2, 0, BEAT < 32, 95);   // entries of 32 bytes
    rate(&t, d, &st, 2, 16, BEAT < 32, 95);  // the same between the bus words: neighbours share a word
    rate(&t, d, &st, 64, 0, true, 94);
    rate(&t, d, &st, 1024, 16, true, 95);
  }
  st.ring = st.fixed = -1;
  while (dut_cycle(d) < t.cycles) {
    static const unsigned pct[] = {100, 100, 80, 50, 15};
    st.f.cmd_pct = pct[rnd_below(&t, 5)];
    st.f.data_pct = pct[rnd_below(&t, 5)];
    st.f.s.aw_pct = pct[rnd_below(&t, 5)];
    st.f.s.w_pct = pct[rnd_below(&t, 5)];
    st.f.s.done_pct = pct[rnd_below(&t, 5)];
    st.f.s.b_delay = (unsigned)rnd_below(&t, 2) * (unsigned)rnd_below(&t, 100);
    st.fixed = rnd_chance(&t, 40) ? (int)rnd_below(&t, 9) : -1;
    st.ring = rnd_chance(&t, 50) ? (int)rnd_below(&t, RINGS) : -1;
    for (unsigned i = 0; i < 300; i++) cycle(&t, d, &st, true);
    if (rnd_chance(&t, 20)) drain(&t, d, &st);
  }
  drain(&t, d, &st);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
