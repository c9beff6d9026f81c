// SPDX-License-Identifier: Apache-2.0
// aa_log_pack: segments of every length at every place of a bus word, alone, in trains and at random, against a memory
// that knows for each byte whether it may be written, with what, and whether its response has come (log_sink.h).
// Rules of rtl/aa/README.md: ERR-1.
// config: default
// config: put512 +define+TOCSIN_DATA_W=512
// config: get -GGran=4
// config: get128 -GGran=4 +define+TOCSIN_DATA_W=128
// config: get512 -GGran=4 +define+TOCSIN_DATA_W=512
// config: tight -GGran=4 -GOutstanding=1 -GIds=5
// netlist: get
#include "tb.h"
#include "aa_log_pack_tb.h"
#include "log_sink.h"

#define GRAN ((unsigned)P_Gran)
#define PLACES (BEAT / GRAN)  // granules of a bus word
#define ENTRY (16U / GRAN)    // a header; no entry is shorter, so only a segment of so many granules can make one whole
#define MOST 1028U            // DWs of a segment, header included
#define LIVE 4096U

typedef struct seg {
  uint64_t addr;
  unsigned bytes, id;
  bool done;
} seg;

typedef struct state {
  sink s;
  seg live[LIVE];  // offered, in order; their bytes are in use until a done says that they are in memory
  unsigned head, tail;
  unsigned owed;  // of them: with a done that has not come
  bool have, up;  // a segment is offered; its beat is valid
  bool header, done;
  uint64_t addr;
  unsigned total, left, beat;  // granules: in all, of data from this beat on
  unsigned foreign;            // the next segment is of another log than its ring's
  uint32_t hdr[4], data[MOST + 16];
  uint64_t keep[MOST + 16];
  unsigned in_pct, taken, dones;
} state;

// Bus words that bytes [addr, addr + n) touch.
static unsigned words(uint64_t addr, unsigned n) { return (unsigned)((addr + n - 1) / BEAT - addr / BEAT + 1); }

static unsigned below(unsigned a, unsigned b) { return a < b ? a : b; }

// ---- one segment, one cycle -----------------------------------------------------------------------------------------

static void offer(tb *t, state *st, uint64_t addr, unsigned granules, bool header, bool done) {
  static uint8_t image[4 * MOST];
  seg *s = &st->live[st->tail];
  unsigned head = header ? 16 : 0;
  CHECK(t, !st->have && (st->tail + 1) % LIVE != st->head, "test: one segment at a time");
  st->tail = (st->tail + 1) % LIVE;
  st->s.log = st->s.ring_log[sink_index(&st->s, addr) / RING] ^ st->foreign;
  st->owed += done;
  *s = (seg){addr, granules * GRAN, st->s.log << 5 | (unsigned)rnd_bits(t, 5), done};
  rnd_words(t, st->hdr, 128);
  memcpy(image, st->hdr, head);
  for (unsigned i = 0; i < MOST + 16; i++) st->data[i] = (uint32_t)rnd(t);
  for (unsigned b = 0; b < MOST; b++) {
    st->keep[b] = rnd_chance(t, 60) ? ~0ULL : rnd(t);
    if (BEAT < 64) st->keep[b] &= (1ULL << BEAT % 64) - 1;
  }
  for (unsigned i = 0; i < s->bytes - head; i++)
    image[head + i] = st->keep[i / BEAT] >> i % BEAT & 1 ? (uint8_t)(st->data[i / 4] >> i % 4 * 8) : 0;
  sink_expect(t, &st->s, addr, image, s->bytes);
  st->have = true;
  st->addr = addr;
  st->total = granules;
  st->left = granules - head / GRAN;
  st->beat = 0;
  st->header = header;
  st->done = done;
}

// What is on the inputs means nothing without in_valid_i, be it that the last segment seems to go on.
static void drive_nothing(tb *t, dut *d, const state *st) {
  const seg *s = &st->live[(st->tail + LIVE - 1) % LIVE];
  bool near = rnd_chance(t, 50);
  uint32_t junk[W_DATA_O_WORDS], junk_hdr[4];
  rnd_words(t, junk, W_DATA_O_WORDS * 32);
  rnd_words(t, junk_hdr, 128);
  dut_set_in_addr_i(d, near ? s->addr + s->bytes : rnd_bits(t, IN_ADDR_I_W));
  dut_set_in_total_i(d, rnd_bits(t, IN_TOTAL_I_W));
  dut_set_in_data_i(d, junk);
  dut_set_in_keep_i(d, rnd_bits(t, IN_KEEP_I_W));
  dut_set_in_cnt_i(d, rnd_bits(t, IN_CNT_I_W));
  dut_set_in_last_i(d, 0);
  dut_set_in_done_i(d, 0);
  dut_set_in_id_i(d, near ? s->id : rnd_bits(t, IN_ID_I_W));
  dut_set_in_head_i(d, rnd_bits(t, 1));
  dut_set_in_hdr_i(d, junk_hdr);
}

static void drive_segment(tb *t, dut *d, const state *st) {
  unsigned id = st->live[(st->tail + LIVE - 1) % LIVE].id;
  bool last = st->left <= PLACES;
  uint32_t junk_hdr[4];
  rnd_words(t, junk_hdr, 128);
  dut_set_in_addr_i(d, st->addr);
  dut_set_in_total_i(d, st->total);
  dut_set_in_data_i(d, st->data + st->beat * W_DATA_O_WORDS);
  dut_set_in_keep_i(d, st->keep[st->beat]);
  dut_set_in_cnt_i(d, below(st->left, PLACES));
  dut_set_in_last_i(d, last);
  dut_set_in_done_i(d, last && st->done);
  dut_set_in_id_i(d, last ? id : (id & ~31U) | rnd_bits(t, 5));  // the log is there from the first beat on
  dut_set_in_head_i(d, st->header);
  dut_set_in_hdr_i(d, st->beat == 0 ? st->hdr : junk_hdr);
}

static void drive(tb *t, dut *d, const state *st) {
  dut_set_in_valid_i(d, st->up);
  if (st->up)
    drive_segment(t, d, st);
  else
    drive_nothing(t, d, st);
}

// Ids come in the order of their segments, each when its bytes and those of all segments before it are in memory.
static void check_done(tb *t, dut *d, state *st) {
  for (bool found = false; !found; st->head = (st->head + 1) % LIVE) {
    CHECK(t, st->head != st->tail, "P4: done without a segment");
    if (st->head == st->tail) return;
    const seg *s = &st->live[st->head];
    sink_release(t, &st->s, s->addr, s->bytes);
    if (s->done) CHECK_EQ(t, dut_get_done_id_o(d), s->id, "P4: done_id_o");
    found = s->done;
  }
  st->dones++, st->owed--;
}

static void cycle(tb *t, dut *d, state *st) {
  st->up = st->have && (st->up || rnd_chance(t, st->in_pct));
  drive(t, d, st);
  bool done_ready = rnd_chance(t, st->s.done_pct);
  dut_set_done_ready_i(d, done_ready);
  sink_cycle(t, d, &st->s);
  if (st->up && dut_get_in_ready_o(d)) {
    st->up = false;
    st->have = st->left > PLACES;
    st->left -= below(st->left, PLACES);
    st->beat++;
    st->taken += !st->have;
  }
  if (dut_get_done_valid_o(d) && done_ready) check_done(t, d, st);
  dut_tick(d);
}

static void give(tb *t, dut *d, state *st) {  // until the segment is taken
  for (unsigned i = 0; i < 5000 && st->have; i++) cycle(t, d, st);
  CHECK(t, !st->have, "a segment is never taken");
}

static void idle(tb *t, dut *d, state *st, unsigned n) {
  for (unsigned i = 0; i < n; i++) cycle(t, d, st);
}

// Everything that was taken is in memory, although nothing follows (P5); segments without done are forgotten.
static void drain(tb *t, dut *d, state *st) {
  give(t, d, st);
  st->s.aw_pct = st->s.w_pct = st->s.done_pct = 100;
  for (unsigned quiet = 0, i = 0; quiet < 8 && i < 20000; i++) {
    cycle(t, d, st);
    quiet = st->owed || sink_flying(&st->s) ? 0 : quiet + 1;
  }
  CHECK(t, !st->s.open, "P2: a burst is left open");
  for (; st->head != st->tail; st->head = (st->head + 1) % LIVE) {
    const seg *s = &st->live[st->head];
    CHECK(t, !s->done, "P4: the segment at %" PRIx64 " is never done", s->addr);
    sink_release(t, &st->s, s->addr, s->bytes);
  }
}

// Whatever is under way is forgotten, and something else begins.
static void restart(tb *t, dut *d, state *st) {
  dut_set_in_valid_i(d, 0);
  sink_reset(t, d, &st->s);
  st->have = st->up = false;
  st->head = st->tail = st->owed = 0;
}

static void fast(state *st) {
  st->in_pct = st->s.aw_pct = st->s.w_pct = st->s.done_pct = 100;
  st->s.b_delay = 0;
  st->s.b_hold = st->s.b_late = false;
  st->s.beats = st->s.bursts = 0;
  st->dones = st->taken = 0;
}

// ---- directed -------------------------------------------------------------------------------------------------------

// Alone: each bus word once; the full ones in one burst a page, the rest in one of its own.
static void alone(tb *t, dut *d, state *st, unsigned byte, unsigned granules, bool header) {
  unsigned first = byte % BEAT / GRAN, full = (first + granules) / PLACES, rest = (first + granules) % PLACES;
  unsigned to_page = (4096 - byte % 4096 / BEAT * BEAT) / BEAT;
  fast(st);
  offer(t, st, sink_place(&st->s, 0, byte), granules, header, granules >= ENTRY);
  drain(t, d, st);
  unsigned bursts = (full ? 1U : 0U) + (full > to_page ? 1U : 0U) + (rest ? 1U : 0U);
  CHECK_EQ(t, st->s.beats, words(sink_place(&st->s, 0, byte), granules * GRAN), "bus words of %u granules at %u",
           granules, byte);
  CHECK_EQ(t, st->s.bursts, bursts, "P2: bursts of %u granules at %u", granules, byte);
  CHECK_EQ(t, st->dones, granules >= ENTRY, "P4: dones of one segment");
}

static void shapes(tb *t, dut *d, state *st, bool header) {
  unsigned least = header ? ENTRY : 1;
  for (unsigned p = 0; p < PLACES; p += least)
    for (unsigned n = least; n <= 3 * PLACES + 1; n++) {
      alone(t, d, st, p * GRAN, n, header);
      alone(t, d, st, 4096 - BEAT + p * GRAN, n, header);  // over the end of a page
    }
  alone(t, d, st, 4096, 4096 / GRAN + least, header);
  alone(t, d, st, 8192 - 16, 4096 / GRAN, header);
  alone(t, d, st, RING / 2 - 64, 4096 / GRAN, header);  // where the address carries far
}

// Neighbours that wait share their bus words: no word leaves twice, and a beat goes in or out in every cycle.
static void trains(tb *t, dut *d, state *st, bool header) {
  unsigned least = header ? ENTRY : 1;
  if (P_Outstanding < 4) return;
  for (unsigned n = least; n <= 2 * PLACES + least; n += least) {
    unsigned from = least * GRAN, at = from, segs = 60, beats_in = (n - (header ? least : 0) + PLACES - 1) / PLACES;
    fast(st);
    uint64_t start = dut_cycle(d);
    for (unsigned i = 0; i < segs; i++, at += n * GRAN) {
      offer(t, st, sink_place(&st->s, 0, at), n, header, n >= ENTRY);
      give(t, d, st);
    }
    unsigned cycles = (unsigned)(dut_cycle(d) - start), touched = words(sink_place(&st->s, 0, from), segs * n * GRAN);
    drain(t, d, st);
    CHECK_EQ(t, st->s.beats, touched, "bus words of a train of %u granules each", n);
    CHECK_EQ(t, st->dones, n >= ENTRY ? segs : 0, "P4: dones of a train");
    unsigned most = segs * (beats_in ? beats_in : 1);
    if (most < touched) most = touched;
    CHECK(t, cycles <= most, "rate: %u cycles for a train of %u granules each, want %u", cycles, n, most);
  }
}

// What is left of a bus word goes when no neighbour waits; one that comes later writes its part alone.
static void late(tb *t, dut *d, state *st, bool header) {
  unsigned n = header ? ENTRY : 1;
  if (n == PLACES) return;
  for (unsigned gap = 0; gap < 4; gap++) {
    fast(st);
    offer(t, st, sink_place(&st->s, 0, 4096), n, header, false);
    give(t, d, st);
    CHECK_EQ(t, st->s.beats, 0, "a part of a word waits for its neighbour for a moment");
    idle(t, d, st, gap);
    CHECK_EQ(t, st->s.beats, gap > 0, "P5: it leaves in the next cycle");
    offer(t, st, sink_place(&st->s, 0, 4096 + n * GRAN), n, header, header);
    drain(t, d, st);
    CHECK_EQ(t, st->s.beats, gap ? 2 : 1, "bus words of two parts, %u cycles apart", gap);
  }
}

// The next segment is somewhere else, of the same log: in another word, whichever bit of the address says so, the rest
// leaves first. In the same word, but before it: one word.
static void elsewhere(tb *t, dut *d, state *st, bool header) {
  unsigned n = header ? ENTRY : 1;
  if (n == PLACES) return;
  for (unsigned bit = 4; bit < SINK_BITS; bit++) {
    if (1U << below(bit, 30) < BEAT) continue;
    sink_move(t, &st->s, bit < SINK_BIT ? SINK_BIT : bit);
    st->s.ring_log[1] = st->s.ring_log[0];
    fast(st);
    offer(t, st, sink_place(&st->s, 0, 4096), n, header, false);
    give(t, d, st);
    unsigned to = (bit < SINK_BIT ? 4096 ^ 1U << bit : 4096) + n * GRAN;
    offer(t, st, sink_place(&st->s, bit < SINK_BIT ? 0 : 1, to), n, header, header);
    drain(t, d, st);
    CHECK_EQ(t, st->s.beats, 2, "two parts of words that differ in bit %u", bit);
  }
  if (2 * n >= PLACES) return;
  fast(st);
  offer(t, st, sink_place(&st->s, 0, 4096 + n * GRAN), n, false, false);
  give(t, d, st);
  offer(t, st, sink_place(&st->s, 0, 4096), n, header, header);
  drain(t, d, st);
  CHECK_EQ(t, st->s.beats, 1, "a part before the one that waits");
}

// Two logs in one bus word: each writes its part in a burst of its own.
static void two_logs(tb *t, dut *d, state *st, bool header) {
  unsigned n = header ? ENTRY : 1;
  if (n == PLACES) return;
  for (unsigned bit = 0; bit < 5; bit++) {
    fast(st);
    offer(t, st, sink_place(&st->s, 0, 4096), n, header, false);
    give(t, d, st);
    st->foreign = 1U << bit;
    offer(t, st, sink_place(&st->s, 0, 4096 + n * GRAN), n, header, header);
    st->foreign = 0;
    drain(t, d, st);
    CHECK_EQ(t, st->s.bursts, 2, "bursts of two logs");
  }
}

// Responses are kept back: so many bursts, no more, and nothing is done. Each response then makes room for one.
static void no_response(tb *t, dut *d, state *st) {
  fast(st);
  st->s.b_hold = true;
  unsigned segs = 0;
  for (unsigned i = 0; i < 20 * P_Outstanding + 100; i++) {
    if (!st->have)
      offer(t, st, sink_place(&st->s, segs % RINGS, segs / RINGS * 2 * BEAT), ENTRY, segs & 1, true), segs++;
    cycle(t, d, st);
  }
  CHECK_EQ(t, st->s.bursts, P_Outstanding, "bursts without a response");
  CHECK_EQ(t, st->dones, 0, "P4: done without a response");
  for (unsigned i = 0; i < 3 * P_Outstanding; i++) {
    for (unsigned k = 0; k < 6; k++) {
      if (!st->have)
        offer(t, st, sink_place(&st->s, segs % RINGS, segs / RINGS * 2 * BEAT), ENTRY, false, true), segs++;
      st->s.b_hold = k != 0;
      cycle(t, d, st);
    }
    CHECK_EQ(t, st->s.bursts, P_Outstanding + i + 1, "bursts after %u responses", i + 1);
    CHECK_EQ(t, st->dones, i + 1, "P4: dones after %u responses", i + 1);
  }
  st->s.b_hold = false;
  drain(t, d, st);
  CHECK_EQ(t, st->dones, segs, "P4: dones after the responses");
}

// Whole words, each a burst, responses `delay` cycles later: one a cycle as long as there is room for so many.
static void steady(tb *t, dut *d, state *st, unsigned delay) {
  fast(st);
  st->s.b_late = true;
  st->s.b_delay = delay;
  uint64_t start = dut_cycle(d);
  for (unsigned i = 0; i < 200; i++) {
    offer(t, st, sink_place(&st->s, i % RINGS, i / RINGS * BEAT), PLACES, false, PLACES >= ENTRY);
    give(t, d, st);
  }
  CHECK(t, dut_cycle(d) - start <= 201, "rate: %u bursts with responses %u cycles later take %u cycles", 200, delay,
        (unsigned)(dut_cycle(d) - start));
  drain(t, d, st);
}

// Nobody takes the ids: so many segments, no more, and none is lost, whether one comes a cycle or they clash.
static void no_done(tb *t, dut *d, state *st, bool train) {
  fast(st);
  st->s.done_pct = 0;
  unsigned segs = 0;
  for (unsigned i = 0; i < 10 * P_Ids + 200; i++) {
    uint64_t at = train ? sink_place(&st->s, 0, 16 * segs) : sink_place(&st->s, segs % RINGS, segs / RINGS * BEAT);
    if (!st->have) offer(t, st, at, ENTRY, segs & 1, true), segs++;
    cycle(t, d, st);
  }
  CHECK_EQ(t, st->taken, P_Ids, "segments taken while nobody takes their ids");
  st->s.done_pct = 100;
  drain(t, d, st);
  CHECK_EQ(t, st->dones, segs, "P4: dones afterwards");
}

// ---- random: some streams of segments that mostly continue where the last one ended ---------------------------------

static void make(tb *t, state *st, unsigned next[RINGS], unsigned small) {
  unsigned r = (unsigned)rnd_below(t, RINGS), *at = &next[r];
  unsigned n = 1 + (unsigned)rnd_below(t, rnd_chance(t, small) ? 2 * PLACES : 4096 / GRAN);
  bool header = rnd_chance(t, 50);
  st->foreign = rnd_chance(t, 90) ? 0 : (unsigned)rnd_bits(t, 5);
  if (rnd_chance(t, 20)) *at += GRAN * (unsigned)rnd_below(t, 2 * PLACES);
  if (rnd_below(t, 40) == 0) *at = (*at / 4096 + 1) * 4096 - GRAN * (unsigned)rnd_below(t, 2 * PLACES);
  if (header) n += ENTRY - (n == 1);                       // no data at all now and then
  if (rnd_chance(t, 20)) *at = next[rnd_below(t, RINGS)];  // where another stream is
  if (header) *at = (*at + 15) / 16 * 16;
  if (*at + n * GRAN > RING) *at = 16 * (unsigned)rnd_below(t, 4);
  if (!sink_free(&st->s, sink_place(&st->s, r, *at), n * GRAN)) return;
  offer(t, st, sink_place(&st->s, r, *at), n, header, n >= ENTRY && rnd_chance(t, 60));
  *at += n * GRAN;
  st->foreign = 0;
}

int main(int argc, char **argv) {
  static state st;
  unsigned next[RINGS] = {0};
  tb t;
  tb_init(&t, argc, argv, "aa_log_pack", 30000);
  dut *d = dut_begin(&t);
  restart(&t, d, &st);
  sink_move(&t, &st.s, sink_bit(&t));
  for (unsigned header = 0; header < 2; header++) {
    shapes(&t, d, &st, header);
    trains(&t, d, &st, header);
    late(&t, d, &st, header);
    elsewhere(&t, d, &st, header);
    two_logs(&t, d, &st, header);
  }
  no_response(&t, d, &st);
  for (unsigned delay = 0; delay + 2 < P_Outstanding; delay++) steady(&t, d, &st, delay);
  no_done(&t, d, &st, false);
  no_done(&t, d, &st, true);
  uint64_t end = dut_cycle(d) + t.cycles;
  fast(&st);
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 80, 50, 15};
    st.in_pct = pct[rnd_below(&t, 5)];
    st.s.aw_pct = pct[rnd_below(&t, 5)];
    st.s.w_pct = pct[rnd_below(&t, 5)];
    st.s.done_pct = pct[rnd_below(&t, 5)];
    st.s.b_delay = (unsigned)rnd_below(&t, 2) * (unsigned)rnd_below(&t, 100);
    unsigned small = rnd_chance(&t, 50) ? 100 : 80;
    for (unsigned i = 0; i < 300; i++) {
      if (!st.have && (st.tail + LIVE - st.head) % LIVE < LIVE - 2) make(&t, &st, next, small);
      cycle(&t, d, &st);
    }
    if (!rnd_chance(&t, 40)) continue;
    if (rnd_chance(&t, 50))
      drain(&t, d, &st);
    else
      restart(&t, d, &st);
    sink_move(&t, &st.s, sink_bit(&t));
  }
  drain(&t, d, &st);
  printf("  random: %u segments, %u done, %" PRIu64 " bursts\n", st.taken, st.dones, st.s.bursts);
  CHECK(&t, st.taken > t.cycles / 50 && st.dones > st.taken / 10, "segments go through");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
