// SPDX-License-Identifier: Apache-2.0
// Drains, through the ports of aa_iommu: an invalidation by register, or a wait behind one by queue, is not done while
// a request that was decided before it has not left or a read of before it has no end, and is done soon after that.
// What has left is counted here, by the beats that were taken and the completions that were sent.
// Rules of rtl/aa/README.md: INV-4, INV-5, INV-6, INV-9, DUE-5.
#include "directed.h"

// BEATS: of a put. LONG: cycles in which what must wait could have ended. BOUND: DUE-5, where no payload goes nowhere;
// the last words of a status write or a register read come within TAIL more.
enum { BEATS = 3, LONG = 100, BOUND = 64, TAIL = 16 };

#define STATUS (DRIVER_STATUS + 0x800)

// How software asks for it. A wait writes its status (SW), says that it is complete in ICS (IF), or both.
enum { CCMD, IOTLB, CTX_SW, TLB_SW_IF, TLB_IF, WAYS };
static const char *const way_name[] = {"ICC", "IVT", "a wait's status", "a wait's status and IWC", "IWC"};

static bool has_sw(unsigned way) { return way == CTX_SW || way == TLB_SW_IF; }
static bool has_if(unsigned way) { return way == TLB_SW_IF || way == TLB_IF; }

static uint32_t status_of(unsigned way) { return 0x600D0000u + way; }

static void ask(fix *f, unsigned way) {
  bench *b = f->b;
  bench_poke64(b, STATUS, 0);
  if (way == CCMD) {
    bench_write(b, AA_REG_CCMD, 8, AA_CCMD_ICC_MASK | 1ull << AA_CCMD_CIRG_LSB);
  } else if (way == IOTLB) {
    bench_write(b, AA_REG_IOTLB, 8, AA_IOTLB_IVT_MASK | 1ull << AA_IOTLB_IIRG_LSB);
  } else {
    bench_write(b, AA_REG_ICS, 4, 1);
    driver_push(b, f->s, way == CTX_SW ? 0x11 : 0xD2, 0);
    driver_push(b, f->s, 5 | (has_if(way) ? 0x10 : 0) | (has_sw(way) ? 0x20 | (uint64_t)status_of(way) << 32 : 0),
                has_sw(way) ? STATUS : 0);
    driver_kick(b, f->s);
  }
}

// What software sees of it, all of which is to come and none of which may come early.
static void done_is(fix *f, int line, unsigned way, bool want) {
  bench *b = f->b;
  bool got[3] = {want, want, want};
  if (way == CCMD) {
    got[0] = !(bench_read(b, AA_REG_CCMD, 8) & AA_CCMD_ICC_MASK);
  } else if (way == IOTLB) {
    got[0] = !(bench_read(b, AA_REG_IOTLB, 8) & AA_IOTLB_IVT_MASK);
  } else {
    got[0] = bench_read(b, AA_REG_IQH, 8) == f->s->iq_tail;
    if (has_sw(way)) got[1] = (uint32_t)bench_peek64(b, STATUS) == status_of(way);
    if (has_if(way)) got[2] = bench_read(b, AA_REG_ICS, 4) & 1;
  }
  for (unsigned i = 0; i < 3 && !b->failed; i++)
    if (got[i] != want)
      no(f, line, "%s: %s", way_name[way], want ? "not done in time" : "done before the drain is over");
}
#define NOT_DONE(way) done_is(f, __LINE__, way, false)
#define DONE(way)                    \
  do {                               \
    bench_run(b, BOUND + TAIL);      \
    done_is(f, __LINE__, way, true); \
  } while (0)

static unsigned beat_dw(const bench *b) { return b->hw.DataW / 32; }

// Beats that have been taken of the host's stream, where each TLP has BEATS.
static unsigned gone(const bench *b) {
  const pkt *part = b->col[BENCH_PORTS].p;
  return BEATS * b->host_seen.n + (part ? part->ndw / beat_dw(b) : 0);
}

// Takes beats until n are gone, and no more.
static void take_beats(fix *f, unsigned n) {
  bench *b = f->b;
  for (unsigned i = 0; i < 400 && gone(b) < n && !b->failed; i++) {
    b->prof.p_host_req = 256;
    bench_step(b);
    b->prof.p_host_req = 0;
  }
  IS("beats taken", gone(b), n);
}

// Until n more requests than `was` have been decided.
static void decided(fix *f, uint64_t was, unsigned n) {
  bench *b = f->b;
  for (unsigned i = 0; i < 400 && b->stats.retired[AA_RET_DECIDE] < was + n && !b->failed; i++) bench_step(b);
  IS("decided", b->stats.retired[AA_RET_DECIDE] - was, n);
}

// Fills the caches that a put and a read of GOOD need, and forgets what came.
static void warm(fix *f) {
  bench *b = f->b;
  profile_fast(&b->prof);
  host_mode_of(b)->manual = false;
  put(f, GOOD, 1);
  quiet(f);
  pktq_clear(&b->host_seen);
  pktq_clear(&b->dev_seen[0]);
  host_mode_of(b)->manual = true;
}

// Two puts that the host does not take, then beat by beat. A younger one, which it takes none of, delays nothing.
static void posted(fix *f, unsigned way, bool younger) {
  bench *b = f->b;
  enum { PUTS = 2 };
  warm(f);
  uint64_t was = b->stats.retired[AA_RET_DECIDE];
  b->prof.p_host_req = 0;
  for (unsigned i = 0; i < PUTS; i++) put(f, GOOD, BEATS * beat_dw(b));
  decided(f, was, PUTS);
  ask(f, way);
  bench_run(b, LONG);  // has taken effect
  if (younger) put(f, GOOD, BEATS * beat_dw(b));
  for (unsigned k = 0; k < PUTS * BEATS && !b->failed; k++) {
    take_beats(f, k);
    bench_run(b, LONG);
    NOT_DONE(way);
  }
  take_beats(f, PUTS * BEATS);
  DONE(way);
  IS("of the younger one", gone(b) - PUTS * BEATS, 0);
  b->prof.p_host_req = 256;
  quiet(f);
  IS("puts", b->host_seen.n, PUTS + younger);
}

// Two reads, each answered in two pieces, of which the host keeps the last back.
static void answered(fix *f, unsigned way) {
  bench *b = f->b;
  warm(f);
  for (unsigned i = 0; i < 2; i++) send_pkt(f, 0, rd(A, TAG + i, GOOD, 2));
  for (unsigned i = 0; i < 2; i++) HOST(PA(GOOD), TLP_MRD32);
  ask(f, way);
  for (unsigned k = 0; k < 4 && !b->failed; k++) {
    unsigned last = k >> 1;
    bench_run(b, LONG);
    NOT_DONE(way);
    complete(f, A, TAG + 1 - (k & 1), TLP_SC, last ? 4 : 8, last ? 4 : 0, 1, false);
  }
  DONE(way);
  quiet(f);
  IS("completions", b->dev_seen[0].n, 4);
}

// A put, and a read behind it that the host has not taken either; then the read's completion.
static void both(fix *f, unsigned way) {
  bench *b = f->b;
  warm(f);
  uint64_t was = b->stats.retired[AA_RET_DECIDE];
  b->prof.p_host_req = 0;
  put(f, GOOD, 1);
  send_pkt(f, 0, rd(A, TAG, GOOD, 1));
  decided(f, was, 2);
  ask(f, way);
  bench_run(b, LONG);
  NOT_DONE(way);
  b->prof.p_host_req = 256;
  HOST(PA(GOOD), TLP_MWR32);
  HOST(PA(GOOD), TLP_MRD32);
  bench_run(b, LONG);
  NOT_DONE(way);
  complete(f, A, TAG, TLP_SC, 4, 0, 1, false);
  DONE(way);
}

// A flush that is held does not delay it.
static void held(fix *f, unsigned way) {
  bench *b = f->b;
  if (!b->hw.FlushPages) return;
  warm(f);
  put(f, PUT, 1);
  quiet(f);
  send_pkt(f, 0, rd(A, TAG, FLUSH, 1));
  bench_run(b, LONG);
  ask(f, way);
  DONE(way);
  OK(!b->dev_seen[0].head);
  consume(f, 0, lp(f, 0, PROD));
  DEV(TLP_SC, 1, TAG);
}

static void each_way(fix *f, void (*one)(fix *f, unsigned way)) {
  if (!(f->b->backend & BENCH_RTL)) return;  // the model alone takes no time
  for (unsigned way = 0; way < WAYS && !f->b->failed; way++) one(f, way);
}

static void posted_alone(fix *f, unsigned way) { posted(f, way, false); }
static void posted_before(fix *f, unsigned way) { posted(f, way, true); }

static void drain_posted(fix *f) {
  each_way(f, posted_alone);
  each_way(f, posted_before);
}

static void drain_reads(fix *f) {
  each_way(f, answered);
  each_way(f, both);
  each_way(f, held);
}

// A wait is over when its status write is answered, and not before.
static void status_unanswered(fix *f) {
  bench *b = f->b;
  if (!(b->backend & BENCH_RTL)) return;
  for (unsigned way = CTX_SW; way <= TLB_SW_IF && !b->failed; way++) {
    warm(f);
    b->prof.p_b = 0;
    ask(f, way);
    for (unsigned k = 0; k < 4; k++) {
      bench_run(b, LONG);
      NOT_DONE(way);
    }
    b->prof.p_b = 256;
    DONE(way);
  }
}

static const directed_case cases[] = {
    {33, drain_posted, "a drain waits for posted requests"},
    {34, drain_reads, "a drain waits for reads"},
    {35, status_unanswered, "a wait's status that is not answered"},
};
const directed_suite drain_cases = SUITE("wiring", cases);
