// SPDX-License-Identifier: Apache-2.0
// aa_log_get: reads whose completions come in chunks of any length, interleaved, some cut short, some in one piece with
// their header, against the bytes that memory must hold.
// Rules of rtl/aa/README.md: LOG-2, LOG-5.
// config: default
// config: w128 +define+TOCSIN_DATA_W=128
// config: w512 +define+TOCSIN_DATA_W=512
// config: tight -GOutstanding=1 -GIds=5
// netlist: default
#include "tb.h"
#include "aa_log_get_tb.h"
#include "log_feed.h"

#define OPEN 6U

typedef struct entry {
  uint64_t addr, pad_addr;
  unsigned dw, pos, pad, id, written;  // written: bytes from addr on that are to be written
  bool used;
} entry;

typedef struct state {
  feed f;
  unsigned next[RINGS];
  entry open[OPEN];
  unsigned wholes, chunk_max;
  int ring;  // >= 0: all reads go to this ring; InTurns
  unsigned turn;
  bool stream;     // one read after the other, chunks of chunk_max DWs, to the end
  unsigned whole;  // with stream: reads of so many DWs, each with its header in one command
} state;

enum { InTurns = -2, AtRandom = -1 };

static void start(tb *t, state *st, entry *e) {
  unsigned r = st->ring >= 0          ? (unsigned)st->ring
               : st->ring == AtRandom ? (unsigned)rnd_below(t, RINGS)
                                      : st->turn++ % RINGS;
  unsigned dw = st->whole ? st->whole : st->stream ? 1024 : 1 + (unsigned)rnd_below(t, rnd_chance(t, 70) ? 40 : 1024);
  unsigned bytes = 16 + (dw * 4 + 15) / 16 * 16, off = st->next[r], pad = 0;
  if (off + bytes > RING) pad = RING - off;
  uint64_t base = sink_place(&st->f.s, r, 0), addr = base + (pad ? 0 : off);
  if (!sink_free(&st->f.s, addr, bytes) || (pad && !sink_free(&st->f.s, base + off, 16))) return;
  for (unsigned i = 0; i < OPEN; i++) {  // an open entry owns bytes that are not yet due
    entry *o = &st->open[i];
    uint64_t o_end = o->addr + 16 + (o->dw * 4ULL + 15) / 16 * 16;
    if (o->used && ((addr < o_end && o->addr < addr + bytes) || (pad && base + off >= o->addr && base + off < o_end)))
      return;
    if (o->used && o->pad && o->pad_addr >= addr && o->pad_addr < addr + bytes) return;
  }
  e->addr = addr;
  e->pad_addr = base + off;
  e->pad = pad;
  e->dw = dw;
  e->pos = 0;
  e->written = 16;
  e->id = st->f.s.ring_log[r] << 5 | (unsigned)rnd_bits(t, 5);
  e->used = true;
  st->next[r] = (pad ? bytes : off + bytes) % RING;
}

static void make(tb *t, void *test) {
  state *st = test;
  entry *e = &st->open[st->stream ? 0 : rnd_below(t, OPEN)];
  if (!e->used) start(t, st, e);
  if (!e->used) return;
  bool whole = e->pos == 0 && (st->stream ? st->whole != 0 : rnd_chance(t, 40));
  bool close = whole || e->pos == e->dw || (!st->stream && rnd_below(t, 30) == 0), data = whole || !close;
  if (close && feed_full(&st->f)) return;
  rnd_words(t, st->f.cmd, 270);
  st->f.s.log = e->id >> 5;
  bits_set(st->f.cmd, 269, 1, close);
  bits_set(st->f.cmd, 259, 10, e->id);
  bits_set(st->f.cmd, 211, 48, e->addr + (close ? 0 : 16 + 4 * e->pos));
  bits_set(st->f.cmd, 200, 11, 0);
  bits_set(st->f.cmd, 190, 2, 0);
  st->f.nbeats = st->f.beat = 0;
  if (data) {
    unsigned left = e->dw - e->pos, n = st->stream ? st->chunk_max : 1 + (unsigned)rnd_below(t, st->chunk_max);
    if (n > left || whole) n = left;
    unsigned zeros = n == left ? (4 - e->dw % 4) % 4 : 0;
    unsigned fbe = (unsigned)rnd_bits(t, 4), lbe = (unsigned)rnd_bits(t, 4);
    uint8_t image[4112] = {0};
    st->f.nbeats = (n + W_DATA_O_WORDS - 1) / W_DATA_O_WORDS;
    for (unsigned i = 0; i < st->f.nbeats * W_DATA_O_WORDS; i++) st->f.beats[i] = (uint32_t)rnd(t);
    for (unsigned i = 0; i < n; i++) memcpy(image + 4 * i, &st->f.beats[i], 4);
    for (unsigned b = 0; b < 4; b++) {
      if (!(fbe >> b & 1)) image[b] = 0;
      if (!(lbe >> b & 1)) image[4 * n - 4 + b] = 0;
    }
    sink_expect(t, &st->f.s, e->addr + 16 + 4 * e->pos, image, 4 * (n + zeros));
    bits_set(st->f.cmd, 200, 11, n);
    bits_set(st->f.cmd, 196, 4, fbe);
    bits_set(st->f.cmd, 192, 4, lbe);
    bits_set(st->f.cmd, 190, 2, zeros);
    e->pos += n;
    e->written = 16 + 4 * (e->pos + zeros);
  }
  if (close) {
    uint8_t image[16];
    random_header(t, st->f.cmd, 2, true, e->dw, (unsigned)rnd_bits(t, 4), (unsigned)rnd_bits(t, 4));
    memcpy(image, st->f.cmd, 16);
    sink_expect(t, &st->f.s, e->addr, image, 16);
    if (e->pad) {
      pad_header(image, e->pad);
      sink_expect(t, &st->f.s, e->pad_addr, image, 16);
    }
    bits_set(st->f.cmd, 128, 13, e->pad ? e->pad : rnd_bits(t, 13));
    bits_set(st->f.cmd, 141, 48, e->pad ? e->pad_addr : rnd_bits(t, 48));
    bits_set(st->f.cmd, 189, 1, e->pad != 0);
    feed_ends(&st->f, e->id, e->addr, e->written, e->pad ? e->pad_addr : 0);
    e->used = false;
    st->wholes += whole;
  }
  st->f.have = true;
}

static void drain(tb *t, dut *d, state *st) {
  for (unsigned i = 0; i < 20000 && (st->f.have || st->f.head != st->f.tail || st->f.s.b_head != st->f.s.b_tail); i++)
    feed_step(t, d, &st->f, false);
  for (unsigned i = 0; i < 300; i++) feed_step(t, d, &st->f, false);
  feed_check_drained(t, &st->f);
  for (unsigned i = 0; i < SPAN; i++)
    CHECK(t, st->f.s.state[i] != ByteDue, "P1: byte %" PRIx64 " was never written",
          sink_place(&st->f.s, i / RING, i % RING));
}

// Other places, at the same position in each ring: neighbours in time may then differ in one bit of the address.
static void move(tb *t, state *st, unsigned bit, unsigned at) {
  sink_move(t, &st->f.s, bit);
  for (unsigned r = 0; r < RINGS; r++) st->next[r] = at;
}

static void fast(state *st, unsigned delay) {
  st->stream = true;
  feed_fast(&st->f, delay);
}

static void slow(tb *t, dut *d, state *st) {
  st->stream = false;
  st->whole = 0;
  st->ring = AtRandom;
  st->chunk_max = 1024;
  st->open[0].used = false;
  drain(t, d, st);
  memset(st->f.s.state, 0, sizeof st->f.s.state);  // the read that was cut is forgotten
}

// One read of 4 KiB after the other in chunks: data beats taken a cycle, in percent.
static void rate(tb *t, dut *d, state *st, unsigned chunk, unsigned want) {
  fast(st, 0);
  st->chunk_max = chunk;
  uint64_t beats = st->f.data_beats;
  for (unsigned i = 0; i < 1000; i++) feed_step(t, d, &st->f, true);
  unsigned got = (unsigned)(st->f.data_beats - beats);
  printf("  chunks of %u DW: %u.%u %% beats\n", chunk, got / 10, got % 10);
  CHECK(t, got / 10 >= want, "rate with chunks of %u DW: %u of 1000 cycles", chunk, got);
  slow(t, d, st);
}

// Reads of `dw` DWs, each in one piece with its header, the first `skew` bytes behind a bus word: data go in or a bus
// word goes out in all but a few cycles (a pad a ring), and no bus word goes out twice. Responses come `delay` cycles
// later.
static void rate_whole(tb *t, dut *d, state *st, unsigned dw, unsigned skew, unsigned delay) {
  unsigned bytes = 16 + (4 * dw + 15) / 16 * 16;
  fast(st, delay);
  move(t, st, sink_bit(t), skew);
  st->ring = 0;
  st->whole = dw;
  for (unsigned i = 0; i < 30; i++) feed_step(t, d, &st->f, true);
  uint64_t in = st->f.data_beats, out = st->f.s.beats, done = st->f.done;
  for (unsigned i = 0; i < 1000; i++) feed_step(t, d, &st->f, true);
  in = st->f.data_beats - in, out = st->f.s.beats - out, done = st->f.done - done;
  uint64_t most = in > out ? in : out, once = (done + 2) * bytes / BEAT + 4 * (done * bytes / RING + 1);
  printf("  whole, %u DW at %u: %" PRIu64 " entries, %" PRIu64 " beats in, %" PRIu64 " out\n", dw, skew, done, in, out);
  CHECK(t, most >= 970, "rate of entries with %u DW at %u: %" PRIu64 " of 1000 cycles", dw, skew, most);
  CHECK(t, out <= once, "%" PRIu64 " bus words for %" PRIu64 " entries with %u DW, want %" PRIu64, out, done, dw, once);
  slow(t, d, st);
}

// Reads of a DW, in turns of rings whose addresses differ in one bit: those of one log share no bus word either. The
// ring whose turn is next goes on where this one leaves half a word.
static void twins(tb *t, dut *d, state *st) {
  for (unsigned bit = SINK_BIT; bit < SINK_BITS; bit++) {
    fast(st, 0);
    move(t, st, bit, 16);
    st->f.s.ring_log[1] = st->f.s.ring_log[0];
    st->next[1] += 32, st->next[2] += 64;
    st->ring = InTurns, st->whole = 1, st->turn = 0;
    for (unsigned i = 0; i < 24; i++) feed_step(t, d, &st->f, true);
    drain(t, d, st);
  }
  slow(t, d, st);
}

static void stalls(tb *t, dut *d, state *st) {
  move(t, st, sink_bit(t), 0);
  st->stream = true, st->ring = InTurns, st->whole = 1;
  feed_no_response(t, d, &st->f);
  drain(t, d, st);
  feed_no_done(t, d, &st->f, 1);
  st->f.s.done_pct = 40;  // many are due, and some cycles pass without one that goes
  drain(t, d, st);
  slow(t, d, st);
}

static void restart(tb *t, dut *d, state *st) {
  feed_restart(t, d, &st->f);
  memset(st->open, 0, sizeof st->open);
  move(t, st, sink_bit(t), 16 * (unsigned)rnd_below(t, RING / 16));
}

int main(int argc, char **argv) {
  static state st;
  tb t;
  tb_init(&t, argc, argv, "aa_log_get", 30000);
  dut *d = dut_begin(&t);
  st.f.make = make;
  st.f.test = &st;
  st.ring = AtRandom;
  restart(&t, d, &st);
  if (P_Outstanding >= 4) {
    rate(&t, d, &st, 16, 90);
    rate(&t, d, &st, 64, 95);
    rate(&t, d, &st, 1024, 95);
    static const unsigned dw[] = {1, 2, 4, 5, 16, 64, 375, 1024};
    for (unsigned i = 0; i < 8; i++)
      for (unsigned skew = 0; skew < BEAT; skew += 16) rate_whole(&t, d, &st, dw[i], skew, 0);
    rate_whole(&t, d, &st, BEAT > 16 ? BEAT / 4 - 4 : 4, 0, P_Outstanding - 3);  // a word each
  }
  twins(&t, d, &st);
  stalls(&t, d, &st);
  uint64_t end = dut_cycle(d) + t.cycles;
  st.f.done = st.wholes = 0;
  while (dut_cycle(d) < end) {
    static const unsigned chunk[] = {3, 16, 40, 128, 1024};
    st.chunk_max = chunk[rnd_below(&t, 5)];
    feed_random(&t, &st.f);
    for (unsigned i = 0; i < 300; i++) feed_step(&t, d, &st.f, true);
    if (!rnd_chance(&t, 30)) continue;
    if (rnd_chance(&t, 60))
      drain(&t, d, &st);
    else
      restart(&t, d, &st);
  }
  drain(&t, d, &st);
  CHECK(&t, st.wholes > 50 && st.f.done > st.wholes + 50, "%u entries, %u of them whole", st.f.done, st.wholes);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
