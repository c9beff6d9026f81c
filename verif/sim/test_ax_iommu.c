// SPDX-License-Identifier: Apache-2.0
// ax_iommu at its ports: an accelerator that reads and writes pages of several requesters, two memories that take their
// time, and software at the registers. Some pages are plain; accesses of some are logged, puts of one are redirected;
// some refuse writes, or all; memory refuses one. A page belongs to one burst at a time, and a read must see all
// that was written. What is logged has to be in the ring byte by byte, in order, before its pointer passes it.
// Behind the random part: how bursts are cut, faults and their records, errors of both memories, reads without answer.
// config: default +define+TOCSIN_DATA_W=128 -GWindow=2 -GPayDw=1024 -GWalkers=2 -GIotlbEntries=4 -GIotlbWays=2 -GCtxEntries=2 -GPscEntries=1 -GSpEntries=1 -GNumLogs=2 -GLogDepth=4 -GTagEntries=6 -GFlushPages=1 -GFlushWaiters=1 -GScratchWords=2 -GBursts=4 -GReadTags=4 -GMaxRead=2048 -GMaxWrite=1024 -GWrites=4 -GAxiCache=10 -GAxiProt=5
// config: wide +define+TOCSIN_DATA_W=256 -GIdW=6 -GWalkers=3 -GIotlbEntries=8 -GNumLogs=3 -GLogDepth=8 -GTagEntries=12 -GReadTags=8 -GMaxRead=1024 -GMaxWrite=4096 -GMaxCpl=512 -GAxiCache=7 -GAxiProt=3
// no netlist: it only wires, and the netlists of its three blocks are run by their own tests
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "ax_iommu_tb.h"
#include "aa_fields.h"

#define BEAT (S_AXI_WDATA_W / 8)
#define TOP (BEAT == 16 ? 4u : BEAT == 32 ? 5u : 6u)  // AxSIZE of a whole word
#define QUEUE 32u                                     // bursts of the accelerator
#define DEPTH 64u                                     // bursts at a memory
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

// The IOMMU's own memory: pointer and messages, tables, the ring of log 0.
enum { PTR = 0x10, MSI = 0x24, EVENT = 0x3c, ROOT = 0x1000, CONTEXT = 0x2000, TABLE = 0x4000, RING = 0xc000 };
enum { OWN_BYTES = 0x10000, RING_BYTES = 0x4000, RING_SIZE = 14, IUID = 0x155 };
enum { READ_W = 1, WRITE_W = 2, WLD = 1 << 8, RLD = 1 << 10 };  // bits of a leaf
enum {                                                          // registers
  GCMD = 0x18,
  RTADDR = 0x20,
  FSTS = 0x30,
  FECTL = 0x38,
  FEADDR = 0x40,
  FRCD = 0x220,
  AA_CTL = 0x1010,
  ERR_STS = 0x1030,
  ERR_ADDR = 0x1038,
  LOG = 0x2000,
  SPARE = 0x2060,  // LOG_MSID of log 1, which stays closed: 64 bits that are kept
  PROD = 0x10000,
  CONS = 0x10008,
  LP_STS = 0x10018
};

typedef enum kind { PLAIN, BOTH, REDIRECT, READ_ONLY, NONE, BAD, KINDS } kind;
static const struct {
  kind kind;
  unsigned who;  // 2: a requester without tables
} plan[] = {{PLAIN, 0}, {PLAIN, 0}, {BOTH, 0}, {REDIRECT, 0}, {READ_ONLY, 0}, {NONE, 0}, {BAD, 0},  {PLAIN, 1},
            {PLAIN, 1}, {BOTH, 1},  {BOTH, 1}, {REDIRECT, 1}, {NONE, 1},      {BAD, 1},  {NONE, 2}, {PLAIN, 1}};
#define PAGES (sizeof plan / sizeof *plan)

typedef struct page {
  kind kind;
  unsigned who;
  uint64_t va, host;
  bool busy;
} page;

typedef struct burst {  // of the accelerator
  uint64_t addr;
  unsigned id, len, size, type, page;
  bool bad, crosses;
  uint8_t data[16384];
  bool on[16384];
} burst;

typedef struct channel {  // AW or AR of a memory
  bool valid;
  uint64_t addr, id, len, size, type, cache, prot, user;
} channel;

typedef struct pins {  // what a memory is shown
  channel aw, ar;
  bool wvalid, wlast, bready, rready;
  uint32_t wdata[16];
  uint64_t wstrb;
} pins;

typedef struct held {  // what waits may not change
  bool up;
  uint32_t now[24];
} held;

typedef struct work {  // a burst at a memory
  channel a;
  bool gone;
  uint64_t due;
  unsigned beats;
  uint8_t data[4096 + 64];
  bool on[4096 + 64];
} work;

typedef struct port {
  work wr[DEPTH], rd[DEPTH];
  unsigned aw_in, w_in, b_low, ar_in, r_low, beat;
  int b, r;                                   // what is being answered, or -1
  bool aw_ready, w_ready, ar_ready, b_error;  // b_error: of this response
  held aw, w, ar;
  unsigned pct[5], delay;  // chances of AW, W, AR, B, R
  bool hold_b, hold_r;     // nothing is answered
} port;

typedef struct byte {  // that has to be in the log
  uint64_t addr;
  uint8_t value, who;
  bool denied;
} byte;
typedef struct bytes {
  byte at[1 << 17];
  unsigned in, out;
} bytes;

typedef enum asked { BY_HAND, FOR_PROD, FOR_SPARE } asked;
typedef struct registers {
  bool aw_left, w_left, ar_left, aw_up, w_up, ar_up, b_up, r_up, writing, reading, hands;
  uint64_t waddr, wdata, raddr, got;
  unsigned strobes;
  asked what;
  held b, r;
  unsigned pct;
} registers;

typedef struct state {
  page pages[PAGES];
  unsigned rid[3];
  uint8_t memory[PAGES * 4096], want[PAGES * 4096], own[OWN_BYTES];
  uint64_t base;  // of the IOMMU's own memory
  uint32_t msi_data, event_data;
  burst wr[QUEUE], rd[QUEUE];
  unsigned wr_made, aw_out, w_out, w_beat, b_in, rd_made, ar_out, r_in, r_beat;
  bool aw_up, w_up, ar_up, b_up, r_up;
  held b_held, r_held;
  unsigned pct[4];  // chances of AW and AR, W, B, R
  port data, mine;
  bool fail_ring, fail_ptr, fail_walk;  // the IOMMU's memory refuses
  bytes puts, gets;
  registers reg;
  uint64_t spare;
  uint32_t cons;
  bool cons_due;
  unsigned sleep;  // cycles for which software looks at nothing
  unsigned mps, mrrs, tmo;
  bool free_tags;
  unsigned write_errors, strays, timeouts;  // that are to be told
  struct {
    uint64_t addr;
    uint32_t value;
    unsigned user;
  } intr[DEPTH];
  unsigned intr_made, intr_in;
  unsigned longest_aw, longest_ar;  // bytes of bursts of d_axi
  unsigned kind_wr[KINDS], kind_rd[KINDS], refused, entries[2], pads, msis, events, pointers, walks, spares, errors;
} state;

// ---- places ----
static unsigned page_at(const state *s, uint64_t host) {
  unsigned p = 0;
  while (p < PAGES && host - s->pages[p].host >= 4096) p++;
  return p;
}
static bool up(tb *t, unsigned percent) { return rnd_chance(t, percent); }
static bool maps(kind k) { return k != NONE; }
static bool writes(kind k) { return k == PLAIN || k == BOTH; }
static uint64_t border(const burst *b) { return b->addr & ~((1ull << b->size) - 1); }

// Nothing goes on: the run ends here.
static void stop(tb *t, const char *what) {
  CHECK(t, false, "%s", what);
  exit(tb_end(t));
}

// ---- bursts of the accelerator ----
static int page_take(tb *t, state *s) {
  unsigned first = (unsigned)rnd_below(t, PAGES);
  for (unsigned i = 0; i < PAGES; i++)
    if (!s->pages[(first + i) % PAGES].busy) return (int)((first + i) % PAGES);
  return -1;
}

static void log_byte(bytes *b, const state *s, const burst *x, unsigned i, uint8_t value) {
  const page *p = &s->pages[x->page];
  b->at[b->in++ % (1u << 17)] =
      (byte){.addr = border(x) + i, .value = value, .who = (uint8_t)p->who, .denied = p->kind == REDIRECT};
}

// What of a burst comes into the log: of a put at once, of a get what is in its page until the burst has ended.
static void log_burst(state *s, const burst *b, bool write) {
  kind k = s->pages[b->page].kind;
  unsigned n = (b->len + 1) << b->size, lead = (unsigned)(b->addr - border(b));
  if (b->bad || (k != BOTH && !(k == REDIRECT && write))) return;
  for (unsigned i = lead; i < n; i++) {
    unsigned at = 4096 * b->page + (unsigned)((border(b) + i) & 4095);
    if (write && b->on[i]) log_byte(&s->puts, s, b, i, b->data[i]);
    if (!write) log_byte(&s->gets, s, b, i, s->want[at]);
  }
}

static void fill(tb *t, burst *b, unsigned pattern) {
  unsigned n = (b->len + 1) << b->size, lead = (unsigned)(b->addr - border(b));
  memset(b->on, 0, sizeof b->on);
  for (unsigned i = 0; i < n; i++) {
    b->data[i] = (uint8_t)rnd(t);
    b->on[i] = i >= lead && (pattern == 0 ? rnd_chance(t, 80) : pattern == 1 ? rnd_chance(t, 98) : pattern != 2);
  }
}

// A burst that lies in a page: len + 1 beats of 1 << size bytes at its offset `at`.
static burst *place(tb *t, state *s, bool write, unsigned pg, unsigned at, unsigned len, unsigned size) {
  burst *b = write ? &s->wr[s->wr_made % QUEUE] : &s->rd[s->rd_made % QUEUE];
  b->page = pg;
  b->addr = s->pages[pg].va + at;
  b->len = len;
  b->size = size;
  b->type = 1;
  b->id = (unsigned)rnd_bits(t, P_IdW);
  b->bad = b->crosses = false;
  s->pages[pg].busy = true;
  return b;
}

static void issue(state *s, burst *b, bool write) {
  kind k = s->pages[b->page].kind;
  log_burst(s, b, write);
  if (write) s->wr_made++, s->kind_wr[k]++;
  if (!write) s->rd_made++, s->kind_rd[k]++;
}

static void make(tb *t, state *s, bool write) {
  int pg = page_take(t, s);
  if (pg < 0) return;
  unsigned size = rnd_chance(t, 60) ? TOP : (unsigned)rnd_below(t, TOP + 1), room = 4096 >> size;
  unsigned len = rnd_chance(t, 70) ? (unsigned)rnd_below(t, 9) : (unsigned)rnd_below(t, LEAST(room, 256));
  unsigned at = (unsigned)rnd_below(t, room - len) << size;
  if (rnd_chance(t, 50)) at += (unsigned)rnd_below(t, 1ull << size);
  burst *b = place(t, s, write, (unsigned)pg, at, len, size);
  if (rnd_chance(t, 6)) b->type = rnd_chance(t, 50) ? 0 : 2;
  if (!write && rnd_chance(t, 3) && len) {
    b->addr = (b->addr | 0xfff) & ~(uint64_t)(BEAT - 1);
    b->size = TOP;
    b->crosses = true;
  }
  b->bad = b->type != 1 || b->crosses;
  if (write) fill(t, b, (unsigned)rnd_below(t, 8));
  issue(s, b, write);
}

static void drive_write(tb *t, dut *d, state *s) {
  if (!s->aw_up) s->aw_up = s->aw_out != s->wr_made && up(t, s->pct[0]);
  const burst *a = &s->wr[s->aw_out % QUEUE];
  dut_set_s_axi_awvalid(d, s->aw_up);
  dut_set_s_axi_awaddr(d, s->aw_up ? a->addr : rnd(t));
  dut_set_s_axi_awid(d, s->aw_up ? a->id : rnd_bits(t, P_IdW));
  dut_set_s_axi_awlen(d, s->aw_up ? a->len : rnd_bits(t, 8));
  dut_set_s_axi_awsize(d, s->aw_up ? a->size : rnd_bits(t, 3));
  dut_set_s_axi_awburst(d, s->aw_up ? a->type : rnd_bits(t, 2));
  dut_set_s_axi_awuser(d, s->aw_up ? s->rid[s->pages[a->page].who] : rnd_bits(t, 16));
  if (!s->w_up) s->w_up = s->w_out != s->wr_made && up(t, s->pct[1]);
  const burst *w = &s->wr[s->w_out % QUEUE];
  uint32_t data[S_AXI_WDATA_WORDS], strb[2] = {0};
  rnd_words(t, data, S_AXI_WDATA_W);
  unsigned n = 1u << w->size, lane = (unsigned)(border(w) + s->w_beat * n) % BEAT;
  for (unsigned i = 0; s->w_up && i < n; i++) {
    if (w->on[s->w_beat * n + i]) bits_set(data, 8 * (lane + i), 8, w->data[s->w_beat * n + i]);
    bits_set(strb, lane + i, 1, w->on[s->w_beat * n + i]);
  }
  dut_set_s_axi_wvalid(d, s->w_up);
  dut_set_s_axi_wdata(d, data);
  dut_set_s_axi_wstrb(d, s->w_up ? strb[0] | (uint64_t)strb[1] << 32 : rnd_bits(t, BEAT));
  dut_set_s_axi_wlast(d, s->w_up ? s->w_beat == w->len : rnd_bits(t, 1));
  s->b_up = up(t, s->pct[2]);
  dut_set_s_axi_bready(d, s->b_up);
}

static void drive_read(tb *t, dut *d, state *s) {
  if (!s->ar_up) s->ar_up = s->ar_out != s->rd_made && up(t, s->pct[0]);
  const burst *a = &s->rd[s->ar_out % QUEUE];
  dut_set_s_axi_arvalid(d, s->ar_up);
  dut_set_s_axi_araddr(d, s->ar_up ? a->addr : rnd(t));
  dut_set_s_axi_arid(d, s->ar_up ? a->id : rnd_bits(t, P_IdW));
  dut_set_s_axi_arlen(d, s->ar_up ? a->len : rnd_bits(t, 8));
  dut_set_s_axi_arsize(d, s->ar_up ? a->size : rnd_bits(t, 3));
  dut_set_s_axi_arburst(d, s->ar_up ? a->type : rnd_bits(t, 2));
  dut_set_s_axi_aruser(d, s->ar_up ? s->rid[s->pages[a->page].who] : rnd_bits(t, 16));
  s->r_up = up(t, s->pct[3]);
  dut_set_s_axi_rready(d, s->r_up);
}

static void take_b(tb *t, dut *d, state *s) {
  CHECK(t, s->b_in != s->w_out && s->b_in != s->aw_out, "P1: a response before the burst was here");
  burst *b = &s->wr[s->b_in++ % QUEUE];
  CHECK_EQ(t, dut_get_s_axi_bid(d), b->id, "BID");
  CHECK_EQ(t, dut_get_s_axi_bresp(d), b->bad ? 2 : 0, "P2: BRESP");
  for (unsigned i = 0; !b->bad && writes(s->pages[b->page].kind) && i < (b->len + 1) << b->size; i++)
    if (b->on[i]) s->want[4096 * b->page + (unsigned)((border(b) + i) & 4095)] = b->data[i];
  s->pages[b->page].busy = false;
}

static void check_lanes(tb *t, dut *d, const state *s, const burst *b, uint64_t at) {
  uint32_t data[S_AXI_RDATA_WORDS];
  dut_get_s_axi_rdata(d, data);
  for (unsigned i = 0; i < BEAT; i++) {
    uint64_t a = (at & ~(uint64_t)(BEAT - 1)) + i;
    bool in = a >= at && a < at + (1u << b->size) && a >= b->addr;
    CHECK_EQ(t, bits_get(data, 8 * i, 8), in ? s->want[4096 * b->page + (a & 4095)] : 0, "P1: lane %u, %" PRIx64, i,
             b->addr);
  }
}

static void take_r(tb *t, dut *d, state *s) {
  CHECK(t, s->r_in != s->ar_out, "a beat that nobody asked for");
  if (s->r_in == s->ar_out) return;
  burst *b = &s->rd[s->r_in % QUEUE];
  kind k = s->pages[b->page].kind;
  bool bad = b->bad || k == NONE || k == BAD;
  CHECK_EQ(t, dut_get_s_axi_rid(d), b->id, "RID");
  CHECK_EQ(t, dut_get_s_axi_rlast(d), s->r_beat == b->len, "RLAST");
  CHECK_EQ(t, dut_get_s_axi_rresp(d), bad ? 2 : 0, "P2: RRESP of %" PRIx64 ", page of kind %u", b->addr, (unsigned)k);
  if (!bad) check_lanes(t, d, s, b, border(b) + ((uint64_t)s->r_beat << b->size));
  if (s->r_beat++ != b->len) return;
  s->r_beat = 0;
  s->pages[b->page].busy = false;
  s->refused += bad;
  s->r_in++;
}

// ---- memories ----
static bool done(const work *w, unsigned at, unsigned from, unsigned to) {
  return at - from < to - from && !w[at % DEPTH].gone;
}

// One that may be answered: of an id the oldest.
static int pick(tb *t, const work *w, unsigned from, unsigned to, uint64_t now) {
  unsigned n = to - from, first = n ? (unsigned)rnd_below(t, n) : 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned at = from + (first + i) % n;
    bool oldest = !w[at % DEPTH].gone && now >= w[at % DEPTH].due;
    for (unsigned k = from; oldest && k != at; k++)
      oldest = !done(w, k, from, at) || w[k % DEPTH].a.id != w[at % DEPTH].a.id;
    if (oldest) return (int)(at % DEPTH);
  }
  return -1;
}

static bool in_ring(const state *s, uint64_t addr) { return addr - s->base - RING < RING_BYTES; }

// Whether a memory refuses what is asked of an address.
static unsigned answer(state *s, const port *m, const work *w, bool write) {
  unsigned pg = page_at(s, w->a.addr);
  if (m == &s->data) return pg < PAGES && s->pages[pg].kind == BAD ? (w->a.addr & 256 ? 3 : 2) : 0;
  if (write && s->fail_ring && in_ring(s, w->a.addr)) return 2;
  if (write && s->fail_ptr && w->a.addr == s->base + PTR) return 3;
  if (!write && s->fail_walk && w->a.addr - s->base - TABLE < 0x4000) return 2;
  return 0;
}

// Address of a beat, and of its first byte that lies in the lanes of the size.
static uint64_t beat_at(const channel *a, unsigned beat) {
  uint64_t size = 1ull << a->size;
  return beat ? (a->addr & ~(size - 1)) + beat * size : a->addr;
}
static bool lane_of(const channel *a, unsigned beat, uint64_t addr) {
  uint64_t at = beat_at(a, beat), size = 1ull << a->size;
  return addr >= at && addr < (at & ~(size - 1)) + size;
}

static uint8_t *stored(state *s, const port *m, uint64_t addr) {
  if (m == &s->mine) return addr - s->base < OWN_BYTES ? &s->own[addr - s->base] : NULL;
  unsigned pg = page_at(s, addr);
  return pg < PAGES ? &s->memory[4096 * pg + (addr & 4095)] : NULL;
}

static void answers(tb *t, state *s, port *m, uint64_t now) {
  m->aw_ready = m->aw_in - m->b_low < DEPTH - 1 && up(t, m->pct[0]);
  m->w_ready = m->w_in - m->b_low < DEPTH - 1 && up(t, m->pct[1]);
  m->ar_ready = m->ar_in - m->r_low < DEPTH - 1 && up(t, m->pct[2]);
  unsigned whole = m->aw_in - m->b_low < m->w_in - m->b_low ? m->aw_in : m->w_in;
  if (m->b < 0 && !m->hold_b && up(t, m->pct[3])) m->b = pick(t, m->wr, m->b_low, whole, now);
  if (m->r < 0 && !m->hold_r && up(t, m->pct[4])) m->r = pick(t, m->rd, m->r_low, m->ar_in, now), m->beat = 0;
  (void)s;
}

static void read_word(tb *t, state *s, const port *m, uint32_t *data) {
  rnd_words(t, data, S_AXI_RDATA_W);
  if (m->r < 0) return;
  const channel *a = &m->rd[m->r].a;
  uint64_t word = beat_at(a, m->beat) & ~(uint64_t)(BEAT - 1);
  for (unsigned i = 0; i < BEAT; i++) {
    const uint8_t *from = stored(s, m, word + i);
    if (lane_of(a, m->beat, word + i) && from) bits_set(data, 8 * i, 8, *from);
  }
}

static void wait_same(tb *t, held *h, bool valid, bool ready, const uint32_t *now, unsigned words, const char *what) {
  CHECK(t, !h->up || (valid && !memcmp(now, h->now, words * sizeof *now)), "%s changed while it waits", what);
  h->up = valid && !ready;
  memcpy(h->now, now, words * sizeof *now);
}

static void wait_channel(tb *t, held *h, const channel *a, bool ready, const char *what) {
  uint32_t now[] = {(uint32_t)a->addr, (uint32_t)(a->addr >> 32),
                    (uint32_t)(a->id << 16 | a->len << 8 | a->size << 4 | a->type),
                    (uint32_t)(a->user << 16 | a->cache << 4 | a->prot)};
  wait_same(t, h, a->valid, ready, now, 4, what);
}

static void wait_w(tb *t, port *m, const pins *p, const char *what) {
  uint32_t now[19] = {(uint32_t)p->wstrb, (uint32_t)(p->wstrb >> 32), p->wlast};
  memcpy(now + 3, p->wdata, BEAT);
  wait_same(t, &m->w, p->wvalid, m->w_ready, now, 3 + BEAT / 4, what);
}

static void check_channel(tb *t, const state *s, const port *m, const channel *a, bool write) {
  bool data = m == &s->data, intr = data && a->addr >> 20 == 0xfee;
  CHECK_EQ(t, a->type, 1, "INCR");
  CHECK_EQ(t, a->cache, intr ? 0 : P_AxiCache, "AxCACHE of %" PRIx64, a->addr);
  CHECK_EQ(t, a->prot, P_AxiProt, "AxPROT");
  CHECK(t, (1u << a->size) <= BEAT && (a->addr & 4095) + ((a->len + 1) << a->size) <= 4096 + BEAT, "a burst in a page");
  if (!data) {
    CHECK(t, a->addr - s->base < OWN_BYTES, "m_axi: nothing is at %" PRIx64, a->addr);
    return;
  }
  CHECK_EQ(t, a->size, TOP, "d_axi: whole words");
  unsigned pg = page_at(s, a->addr);
  CHECK(t, intr || (pg < PAGES && maps(s->pages[pg].kind)), "d_axi: no page at %" PRIx64, a->addr);
  if (intr || pg >= PAGES) return;
  kind k = s->pages[pg].kind;
  CHECK(t, !write || writes(k) || k == BAD, "d_axi: a write of a page of kind %u", (unsigned)k);
  CHECK_EQ(t, a->user, s->rid[s->pages[pg].who], "AxUSER of d_axi: requester id");
}

static void take_aw(tb *t, state *s, port *m, const channel *a, uint64_t due) {
  work *w = &m->wr[m->aw_in++ % DEPTH];
  check_channel(t, s, m, a, true);
  w->a = *a;
  w->gone = false;
  w->due = due;
  if (m == &s->data)
    s->longest_aw = s->longest_aw < (a->len + 1) * BEAT ? (unsigned)(a->len + 1) * BEAT : s->longest_aw;
}

static void take_ar(tb *t, state *s, port *m, const channel *a, uint64_t due) {
  work *w = &m->rd[m->ar_in++ % DEPTH];
  check_channel(t, s, m, a, false);
  w->a = *a;
  w->gone = false;
  w->due = due;
  if (m == &s->data)
    s->longest_ar = s->longest_ar < (a->len + 1) * BEAT ? (unsigned)(a->len + 1) * BEAT : s->longest_ar;
  s->walks += m == &s->mine;
}

static void take_w(tb *t, port *m, const pins *p) {
  work *w = &m->wr[m->w_in % DEPTH];
  CHECK(t, w->beats < 4096 / BEAT + 1, "a burst of writes without end");
  if (w->beats > 4096 / BEAT) stop(t, "WLAST never comes");
  for (unsigned i = 0; i < BEAT; i++) {
    w->on[w->beats * BEAT + i] = p->wstrb >> i & 1;
    w->data[w->beats * BEAT + i] = (uint8_t)bits_get(p->wdata, 8 * i, 8);
  }
  w->beats++;
  if (p->wlast) m->w_in++;
}

// A device's interrupt is one word, which no table translates.
static void take_intr(tb *t, state *s, const work *w) {
  unsigned lane = w->a.addr % BEAT, n = 0;
  CHECK(t, s->intr_in != s->intr_made, "an interrupt that nobody sent");
  if (s->intr_in == s->intr_made) return;
  uint64_t want = s->intr[s->intr_in % DEPTH].addr;
  CHECK_EQ(t, w->a.addr, want & ~(uint64_t)(BEAT - 1), "address of an interrupt");
  CHECK_EQ(t, w->a.user, s->intr[s->intr_in % DEPTH].user, "requester of an interrupt");
  lane = (unsigned)(want % BEAT);
  for (unsigned i = 0; i < BEAT; i++) n += w->on[i];
  CHECK(t, n == 4 && !memcmp(w->data + lane, &s->intr[s->intr_in % DEPTH].value, 4), "data of an interrupt");
  s->intr_in++;
}

// Messages of the IOMMU, known by where they go.
static void take_message(tb *t, state *s, const work *w) {
  uint64_t at = w->a.addr - s->base;
  bool ptr = at == PTR, msi = at == MSI, event = at == EVENT;
  CHECK(t, ptr || msi || event || in_ring(s, w->a.addr), "m_axi: a write of %" PRIx64, w->a.addr);
  unsigned n = 0;
  for (unsigned i = 0; i < w->beats * BEAT; i++) n += w->on[i];
  if (ptr || msi || event) CHECK(t, n == (ptr ? 8 : 4) && w->beats == 1, "bytes of a message");
  if (msi) CHECK(t, !memcmp(w->data + MSI % BEAT, &s->msi_data, 4), "data of an MSI");
  if (event) CHECK(t, !memcmp(w->data + EVENT % BEAT, &s->event_data, 4), "data of the fault event");
  s->msis += msi;
  s->events += event;
  s->pointers += ptr;
}

// A write has its effect when its response is shown.
static void do_write(tb *t, state *s, port *m, work *w) {
  bool intr = m == &s->data && w->a.addr >> 20 == 0xfee;
  CHECK_EQ(t, w->beats, w->a.len + 1, "WLAST at AWLEN");
  if (intr) take_intr(t, s, w);
  if (m == &s->mine) take_message(t, s, w);
  for (unsigned i = 0; !intr && !m->b_error && i < w->beats * BEAT; i++) {
    uint64_t addr = (beat_at(&w->a, i / BEAT) & ~(uint64_t)(BEAT - 1)) + i % BEAT;
    uint8_t *to = stored(s, m, addr);
    if (!w->on[i]) continue;
    CHECK(t, lane_of(&w->a, i / BEAT, addr), "a strobe beside the lanes of the size");
    if (to) *to = w->data[i];
  }
}

static void take_answers(tb *t, state *s, port *m, const pins *p) {
  if (m->b >= 0 && p->bready) {
    work *w = &m->wr[m->b];
    do_write(t, s, m, w);
    s->write_errors += m == &s->data && m->b_error;
    s->errors += m->b_error;
    w->gone = true;
    w->beats = 0;
    m->b = -1;
    while (m->b_low != m->aw_in && m->b_low != m->w_in && m->wr[m->b_low % DEPTH].gone) m->b_low++;
  }
  if (m->r >= 0 && p->rready && m->beat++ == m->rd[m->r].a.len) {
    m->rd[m->r].gone = true;
    m->r = -1;
    while (m->r_low != m->ar_in && m->rd[m->r_low % DEPTH].gone) m->r_low++;
  }
}

// After the cycle: what was taken in it.
static void take_port(tb *t, state *s, port *m, const pins *p, uint64_t now) {
  const char *const name = m == &s->data ? "d_axi" : "m_axi";
  wait_channel(t, &m->aw, &p->aw, m->aw_ready, name);
  wait_channel(t, &m->ar, &p->ar, m->ar_ready, name);
  wait_w(t, m, p, name);
  take_answers(t, s, m, p);
  if (p->aw.valid && m->aw_ready) take_aw(t, s, m, &p->aw, now + 1 + rnd_below(t, m->delay));
  if (p->wvalid && m->w_ready) take_w(t, m, p);
  if (p->ar.valid && m->ar_ready) take_ar(t, s, m, &p->ar, now + 1 + rnd_below(t, m->delay));
}

// The pins of a memory: AXI is its prefix, USER whether it has one.
#define CHANNEL(d, axi)                                                                            \
  (channel) {                                                                                      \
    .valid = dut_get_##axi##valid(d), .addr = dut_get_##axi##addr(d), .id = dut_get_##axi##id(d),  \
    .len = dut_get_##axi##len(d), .size = dut_get_##axi##size(d), .type = dut_get_##axi##burst(d), \
    .cache = dut_get_##axi##cache(d), .prot = dut_get_##axi##prot(d)                               \
  }
#define PORT_PINS(axi)                                                                \
  static void drive_##axi(tb *t, dut *d, state *s, port *m) {                         \
    uint32_t data[S_AXI_RDATA_WORDS];                                                 \
    bool b = m->b >= 0, r = m->r >= 0;                                                \
    unsigned bad = b ? answer(s, m, &m->wr[m->b], true) : 0;                          \
    read_word(t, s, m, data);                                                         \
    m->b_error = bad;                                                                 \
    dut_set_##axi##_awready(d, m->aw_ready);                                          \
    dut_set_##axi##_wready(d, m->w_ready);                                            \
    dut_set_##axi##_arready(d, m->ar_ready);                                          \
    dut_set_##axi##_bvalid(d, b);                                                     \
    dut_set_##axi##_bid(d, b ? m->wr[m->b].a.id : rnd_bits(t, 8));                    \
    dut_set_##axi##_bresp(d, b ? bad : rnd_bits(t, 2));                               \
    dut_set_##axi##_rvalid(d, r);                                                     \
    dut_set_##axi##_rid(d, r ? m->rd[m->r].a.id : rnd_bits(t, 8));                    \
    dut_set_##axi##_rdata(d, data);                                                   \
    dut_set_##axi##_rresp(d, r ? answer(s, m, &m->rd[m->r], false) : rnd_bits(t, 2)); \
    dut_set_##axi##_rlast(d, r ? m->beat == m->rd[m->r].a.len : rnd_bits(t, 1));      \
  }                                                                                   \
  static pins pins_##axi(dut *d) {                                                    \
    pins p = {.aw = CHANNEL(d, axi##_aw),                                             \
              .ar = CHANNEL(d, axi##_ar),                                             \
              .wvalid = dut_get_##axi##_wvalid(d),                                    \
              .wlast = dut_get_##axi##_wlast(d),                                      \
              .bready = dut_get_##axi##_bready(d),                                    \
              .rready = dut_get_##axi##_rready(d),                                    \
              .wstrb = dut_get_##axi##_wstrb(d)};                                     \
    dut_get_##axi##_wdata(d, p.wdata);                                                \
    return p;                                                                         \
  }
PORT_PINS(d_axi)
PORT_PINS(m_axi)

// ---- software ----
static void start_write(registers *r, uint64_t addr, uint64_t v, unsigned strobes) {
  r->waddr = addr;
  r->wdata = v;
  r->strobes = strobes;
  r->aw_left = r->w_left = r->writing = true;
}
static void start_read(registers *r, uint64_t addr, asked what) {
  r->raddr = addr;
  r->what = what;
  r->ar_left = r->reading = true;
}

static uint64_t ring_word(const state *s, uint32_t at) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8; i++) v |= (uint64_t)s->own[RING + (at + i) % RING_BYTES] << 8 * i;
  return v;
}

// The next byte of the log has to be this one.
static void check_byte(tb *t, const state *s, bytes *b, uint64_t addr, uint8_t value, uint64_t head) {
  CHECK(t, b->out != b->in, "an entry that nobody made");
  if (b->out == b->in) return;
  const byte *w = &b->at[b->out++ % (1u << 17)];
  CHECK_EQ(t, addr, w->addr, "address of a byte in the log");
  CHECK_EQ(t, value, w->value, "a byte in the log, of %" PRIx64, addr);
  CHECK_EQ(t, head >> 48, s->rid[w->who], "requester in the log");
  CHECK_EQ(t, head >> 15 & 1, w->denied, "denied");
}

// An entry of the ring; returns its bytes.
static uint32_t check_entry(tb *t, state *s, uint32_t at) {
  uint64_t addr = ring_word(s, at), head = ring_word(s, at + 8);
  unsigned what = head >> 12 & 7, len = head >> 19 & 0x7ff, fbe = head >> 30 & 15, lbe = head >> 34 & 15;
  if (what == 7) {
    s->pads++;
    return 16 + 4 * len;
  }
  CHECK(t, what == 1 || what == 2, "kind of an entry: %u", what);
  CHECK_EQ(t, head & 0x70fff, 0x40000 | IUID, "IUID, flags: data, not poisoned, not aborted");
  for (unsigned i = 0; i < 4 * len; i++) {
    unsigned be = i < 4 ? fbe : i >= 4 * len - 4 ? lbe : 15;
    uint8_t value = s->own[RING + (at + 16 + i) % RING_BYTES];
    if (be >> (i & 3) & 1)
      check_byte(t, s, what == 1 ? &s->puts : &s->gets, (addr & ~3ull) + i, value, head);
    else
      CHECK_EQ(t, value, 0, "a byte in the log that is not of the request");
  }
  s->entries[what - 1]++;
  return 16 + (4 * len + 15) / 16 * 16;
}

static void consume(tb *t, state *s, uint32_t prod) {
  CHECK(t, prod - s->cons <= RING_BYTES, "producer %x beyond the ring of consumer %x", prod, s->cons);
  if (prod - s->cons > RING_BYTES) return;
  s->cons_due |= prod != s->cons;
  while (prod != s->cons && prod - s->cons <= RING_BYTES) s->cons += check_entry(t, s, s->cons);
  CHECK_EQ(t, s->cons, prod, "an entry ends at the producer");
}

// What software does by itself: it follows the log, and uses a register of which nobody else takes notice.
static void software(tb *t, state *s) {
  registers *r = &s->reg;
  if (s->sleep) s->sleep--;
  if (r->hands || s->sleep) return;
  if (!r->writing && up(t, r->pct / 2)) {
    bool spare = !(r->reading && r->what == FOR_SPARE) && rnd_chance(t, 50);
    if (s->cons_due) {
      start_write(r, CONS, (rnd(t) & 0xffffffff00000000) | s->cons, 0xff);
      s->cons_due = false;
    } else if (spare) {
      start_write(r, SPARE | rnd_bits(t, 3), rnd(t), (unsigned)rnd_bits(t, 8));
      for (unsigned i = 0; i < 8; i++)
        if (r->strobes >> i & 1) s->spare = (s->spare & ~(255ull << 8 * i)) | (r->wdata & 255ull << 8 * i);
    }
  }
  if (!r->reading && up(t, r->pct / 2)) {
    bool spare = !(r->writing && r->waddr >> 3 == SPARE >> 3) && rnd_chance(t, 30);
    if (spare) start_read(r, SPARE | rnd_bits(t, 3), FOR_SPARE);
    if (!spare) start_read(r, PROD, FOR_PROD);
  }
}

static void drive_registers(tb *t, dut *d, state *s) {
  registers *r = &s->reg;
  if (r->aw_left && !r->aw_up) r->aw_up = up(t, r->pct);
  if (r->w_left && !r->w_up) r->w_up = up(t, r->pct);
  if (r->ar_left && !r->ar_up) r->ar_up = up(t, r->pct);
  r->b_up = up(t, r->pct);
  r->r_up = up(t, r->pct);
  dut_set_s_axil_awvalid(d, r->aw_up);
  dut_set_s_axil_awaddr(d, r->aw_up ? r->waddr : rnd_bits(t, 20));
  dut_set_s_axil_wvalid(d, r->w_up);
  dut_set_s_axil_wdata(d, r->w_up ? r->wdata : rnd(t));
  dut_set_s_axil_wstrb(d, r->w_up ? r->strobes : rnd_bits(t, 8));
  dut_set_s_axil_arvalid(d, r->ar_up);
  dut_set_s_axil_araddr(d, r->ar_up ? r->raddr : rnd_bits(t, 20));
  dut_set_s_axil_bready(d, r->b_up);
  dut_set_s_axil_rready(d, r->r_up);
}

static void read_done(tb *t, state *s, uint64_t v) {
  registers *r = &s->reg;
  CHECK(t, r->reading && !r->ar_left, "a register's value that nobody asked for");
  r->reading = false;
  r->got = v;
  if (r->what == FOR_PROD) consume(t, s, (uint32_t)v);
  if (r->what != FOR_SPARE) return;
  CHECK_EQ(t, v, s->spare, "a register's bytes");
  s->spares++;
}

static void take_registers(tb *t, dut *d, state *s) {
  registers *r = &s->reg;
  bool b = dut_get_s_axil_bvalid(d), rv = dut_get_s_axil_rvalid(d);
  uint64_t v = dut_get_s_axil_rdata(d);
  uint32_t now[] = {(uint32_t)v, (uint32_t)(v >> 32), (uint32_t)dut_get_s_axil_rresp(d)};
  uint32_t resp = (uint32_t)dut_get_s_axil_bresp(d);
  wait_same(t, &r->b, b, r->b_up, &resp, 1, "s_axil B");
  wait_same(t, &r->r, rv, r->r_up, now, 3, "s_axil R");
  if (b && r->b_up) {
    CHECK(t, r->writing && !r->aw_left && !r->w_left, "a register's response that nobody waits for");
    CHECK_EQ(t, resp, 0, "s_axil_bresp");
    r->writing = false;
  }
  if (rv && r->r_up) {
    CHECK_EQ(t, now[2], 0, "s_axil_rresp");
    read_done(t, s, v);
  }
  if (r->aw_up && dut_get_s_axil_awready(d)) r->aw_up = r->aw_left = false;
  if (r->w_up && dut_get_s_axil_wready(d)) r->w_up = r->w_left = false;
  if (r->ar_up && dut_get_s_axil_arready(d)) r->ar_up = r->ar_left = false;
}

// ---- a cycle ----
static void check_accelerator(tb *t, dut *d, state *s) {
  uint32_t r[S_AXI_RDATA_WORDS + 1];
  uint32_t b[1] = {(uint32_t)(dut_get_s_axi_bid(d) << 2 | dut_get_s_axi_bresp(d))};
  dut_get_s_axi_rdata(d, r);
  r[S_AXI_RDATA_WORDS] = (uint32_t)(dut_get_s_axi_rid(d) << 3 | dut_get_s_axi_rresp(d) << 1 | dut_get_s_axi_rlast(d));
  wait_same(t, &s->b_held, dut_get_s_axi_bvalid(d), s->b_up, b, 1, "s_axi B");
  wait_same(t, &s->r_held, dut_get_s_axi_rvalid(d), s->r_up, r, S_AXI_RDATA_WORDS + 1, "s_axi R");
}

static void take_pulses(tb *t, dut *d, state *s) {
  s->write_errors -= (unsigned)dut_get_err_write_o(d);
  s->strays -= (unsigned)dut_get_err_stray_o(d);
  s->timeouts -= (unsigned)dut_get_err_timeout_o(d);
  CHECK(t, !dut_get_err_malformed_o(d) && !dut_get_drop_o(d), "nothing malformed, nothing dropped");
}

static void drive(tb *t, dut *d, state *s) {
  drive_write(t, d, s);
  drive_read(t, d, s);
  answers(t, s, &s->data, dut_cycle(d));
  answers(t, s, &s->mine, dut_cycle(d));
  drive_d_axi(t, d, s, &s->data);
  drive_m_axi(t, d, s, &s->mine);
  software(t, s);
  drive_registers(t, d, s);
  dut_set_cfg_mps_i(d, s->mps);
  dut_set_cfg_mrrs_i(d, s->mrrs);
  dut_set_cfg_tmo_i(d, s->tmo);
  dut_set_tag_free_i(d, s->free_tags);
}

static void cycle(tb *t, dut *d, state *s) {
  drive(t, d, s);
  dut_eval(d);
  bool aw = s->aw_up && dut_get_s_axi_awready(d), w = s->w_up && dut_get_s_axi_wready(d),
       ar = s->ar_up && dut_get_s_axi_arready(d);
  pins data = pins_d_axi(d), mine = pins_m_axi(d);
  data.aw.user = dut_get_d_axi_awuser(d);
  data.ar.user = dut_get_d_axi_aruser(d);
  check_accelerator(t, d, s);
  if (dut_get_s_axi_bvalid(d) && s->b_up) take_b(t, d, s);
  if (dut_get_s_axi_rvalid(d) && s->r_up) take_r(t, d, s);
  take_port(t, s, &s->data, &data, dut_cycle(d));
  take_port(t, s, &s->mine, &mine, dut_cycle(d));
  take_registers(t, d, s);
  take_pulses(t, d, s);
  dut_tick(d);
  if (aw) s->aw_out++, s->aw_up = false;
  if (ar) s->ar_out++, s->ar_up = false;
  if (!w) return;
  s->w_up = false;
  if (s->w_beat++ == s->wr[s->w_out % QUEUE].len) s->w_beat = 0, s->w_out++;
}

static void reg_write(tb *t, dut *d, state *s, uint64_t addr, uint64_t v, unsigned strobes) {
  registers *r = &s->reg;
  r->hands = true;
  unsigned n = 0;
  for (; r->writing && n < 5000; n++) cycle(t, d, s);
  start_write(r, addr, v, strobes);
  for (; r->writing && n < 5000; n++) cycle(t, d, s);
  if (r->writing) stop(t, "a write of a register is never answered");
  r->hands = false;
}

static uint64_t reg_read(tb *t, dut *d, state *s, uint64_t addr) {
  registers *r = &s->reg;
  r->hands = true;
  unsigned n = 0;
  for (; r->reading && n < 5000; n++) cycle(t, d, s);
  start_read(r, addr, BY_HAND);
  for (; r->reading && n < 5000; n++) cycle(t, d, s);
  if (r->reading) stop(t, "a read of a register is never answered");
  r->hands = false;
  return r->got;
}

// ---- setting up ----
static void put64(state *s, unsigned at, uint64_t v) {
  for (unsigned i = 0; i < 8; i++) s->own[at + i] = (uint8_t)(v >> 8 * i);
}

static uint64_t leaf(kind k) {
  static const unsigned bits[KINDS] = {READ_W | WRITE_W, READ_W | WRITE_W | WLD | RLD, READ_W | WLD, READ_W, 0,
                                       READ_W | WRITE_W};
  bool logged = k == BOTH || k == REDIRECT;
  return bits[k] | (logged ? 1ull << 63 | (uint64_t)IUID << 52 : 0);
}

// Requesters, pages and memories lie anywhere; each requester has a way of four tables.
static void places(tb *t, state *s) {
  s->base = rnd_bits(t, 48) & ~(uint64_t)(OWN_BYTES - 1);
  memset(s->own, 0, sizeof s->own);
  for (unsigned w = 0; w < 3; w++) s->rid[w] = (unsigned)(rnd_bits(t, 16) & 0x3fff) | w << 14;  // buses differ
  for (unsigned w = 0; w < 2; w++) {
    uint64_t space = rnd_bits(t, 48) & ~0x1fffffull;
    unsigned ctx = CONTEXT + 0x1000 * w, top = TABLE + 0x4000 * w;
    put64(s, ROOT + 16 * (s->rid[w] >> 8), (s->base + ctx) | 1);
    put64(s, ctx + 16 * (s->rid[w] & 255), (s->base + top) | 1);
    put64(s, ctx + 16 * (s->rid[w] & 255) + 8, (uint64_t)(w + 1) << 8 | 8 | 2);
    for (unsigned l = 4; l > 1; l--)
      put64(s, top + 0x1000 * (4 - l) + 8 * (unsigned)(space >> (12 + 9 * (l - 1)) & 511),
            (s->base + top + 0x1000 * (5 - l)) | 3);
    for (unsigned p = 0; p < PAGES; p++) {
      if (plan[p].who != w && plan[p].who + w != 2) continue;
      page *g = &s->pages[p];
      *g = (page){.kind = plan[p].kind, .who = plan[p].who};
      g->va = space | (uint64_t)(p << 5 | rnd_bits(t, 5)) << 12;
      g->host = (p & 3 ? rnd_bits(t, 48) : rnd_bits(t, 31)) & ~4095ull;
      if (g->who == w && maps(g->kind))
        put64(s, top + 0x3000 + 8 * (unsigned)(g->va >> 12 & 511), g->host | leaf(g->kind));
    }
  }
}

static void open_log(tb *t, dut *d, state *s) {
  reg_write(t, d, s, LOG, s->base + RING, 0xff);
  reg_write(t, d, s, LOG + 0x10, s->base + PTR, 0xff);
  reg_write(t, d, s, LOG + 0x18, s->base + MSI, 0xff);
  reg_write(t, d, s, LOG + 0x20, (uint64_t)(RING_BYTES - 64) << 32 | s->msi_data, 0xff);
  reg_write(t, d, s, LOG + 8, 1ull << 63 | 3 << 25 | RING_SIZE << 16 | IUID, 0xff);
  CHECK_EQ(t, reg_read(t, d, s, LOG + 0x30), 1, "LOG-8: the log is open");
  s->cons = 0;
  s->cons_due = false;
  s->puts.out = s->puts.in;
  s->gets.out = s->gets.in;
  put64(s, PTR, 0);
}

static void sizes(tb *t, dut *d, state *s, unsigned mps, unsigned mrrs) {
  s->mps = mps;
  s->mrrs = mrrs;
  reg_write(t, d, s, AA_CTL, 1 | mps << 4 | mrrs << 8, 0x0f);
}

// What is under way is forgotten.
static void forget(state *s) {
  s->aw_out = s->w_out = s->b_in = s->wr_made;
  s->ar_out = s->r_in = s->rd_made;
  s->w_beat = s->r_beat = 0;
  s->aw_up = s->w_up = s->ar_up = s->b_held.up = s->r_held.up = false;
  memset(&s->data, 0, sizeof s->data);
  memset(&s->mine, 0, sizeof s->mine);
  s->data.b = s->data.r = s->mine.b = s->mine.r = -1;
  s->data.delay = s->mine.delay = 1;
  unsigned pct = s->reg.pct;
  memset(&s->reg, 0, sizeof s->reg);
  s->reg.pct = pct;
  s->write_errors = s->strays = s->timeouts = 0;
  s->intr_in = s->intr_made;
  s->fail_ring = s->fail_ptr = s->fail_walk = s->free_tags = false;
  s->tmo = s->sleep = 0;
}

static void chances(state *s, unsigned pct, unsigned delay) {
  for (unsigned i = 0; i < 4; i++) s->pct[i] = pct;
  for (unsigned i = 0; i < 5; i++) s->data.pct[i] = s->mine.pct[i] = pct;
  s->data.delay = s->mine.delay = delay;
  s->reg.pct = pct;
}

static void restart(tb *t, dut *d, state *s) {
  dut_set_s_axi_awvalid(d, 0);
  dut_set_s_axi_wvalid(d, 0);
  dut_set_s_axi_arvalid(d, 0);
  dut_set_s_axil_awvalid(d, 0);
  dut_set_s_axil_wvalid(d, 0);
  dut_set_s_axil_arvalid(d, 0);
  dut_set_d_axi_bvalid(d, 0);
  dut_set_d_axi_rvalid(d, 0);
  dut_set_m_axi_bvalid(d, 0);
  dut_set_m_axi_rvalid(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  CHECK(t,
        !dut_get_s_axi_bvalid(d) && !dut_get_s_axi_rvalid(d) && !dut_get_s_axil_bvalid(d) && !dut_get_s_axil_rvalid(d),
        "no response after reset");
  CHECK(t, !dut_get_d_axi_awvalid(d) && !dut_get_d_axi_wvalid(d) && !dut_get_d_axi_arvalid(d), "d_axi after reset");
  CHECK(t, !dut_get_m_axi_awvalid(d) && !dut_get_m_axi_wvalid(d) && !dut_get_m_axi_arvalid(d), "m_axi after reset");
  forget(s);
  places(t, s);
  memcpy(s->memory, s->want, sizeof s->memory);
  s->msi_data = (uint32_t)rnd(t);
  s->event_data = (uint32_t)rnd(t);
  chances(s, 100, 1);
  for (unsigned i = 0; i < 9; i++) reg_write(t, d, s, SPARE, s->spare = rnd(t), 0xff);
  reg_write(t, d, s, RTADDR, s->base + ROOT, 0xff);
  reg_write(t, d, s, GCMD, 0x40000000, 0x0f);
  reg_write(t, d, s, GCMD, 0x80000000, 0x0f);
  CHECK_EQ(t, reg_read(t, d, s, GCMD) >> 32, 0xc0000000, "GSTS: translation is on");
  sizes(t, d, s, 5, 5);
  open_log(t, d, s);
}

static bool quiet(const state *s) {
  return s->b_in == s->wr_made && s->r_in == s->rd_made && s->data.b_low == s->data.aw_in &&
         s->data.r_low == s->data.ar_in && s->mine.b_low == s->mine.aw_in && s->mine.r_low == s->mine.ar_in &&
         s->data.w_in == s->data.aw_in && s->mine.w_in == s->mine.aw_in && s->puts.in == s->puts.out &&
         s->gets.in == s->gets.out && !s->cons_due && s->intr_in == s->intr_made;
}

static bool pointed(const state *s) {
  uint32_t v = 0;
  for (unsigned i = 0; i < 4; i++) v |= (uint32_t)s->own[PTR + i] << 8 * i;
  return v == s->cons;
}

static void drain(tb *t, dut *d, state *s) {
  chances(s, 100, 8);
  s->sleep = 0;
  unsigned still = 0;
  for (unsigned i = 0; i < 30000 && still < 40; i++) {
    cycle(t, d, s);
    still = quiet(s) && pointed(s) && !(s->reg.writing && s->reg.waddr == CONS) ? still + 1 : 0;
  }
  CHECK_EQ(t, s->b_in, s->wr_made, "every write burst is answered");
  CHECK_EQ(t, s->r_in, s->rd_made, "every read burst is answered");
  CHECK(t, s->puts.in == s->puts.out && s->gets.in == s->gets.out, "all that is logged is in the log: %u, %u missing",
        s->puts.in - s->puts.out, s->gets.in - s->gets.out);
  CHECK(t, pointed(s), "NTF-2: the pointer in memory");
  CHECK_EQ(t, s->intr_in, s->intr_made, "every interrupt came");
  if (still < 40) stop(t, "it does not come to rest");
  CHECK(t, !s->write_errors && !s->strays && !s->timeouts, "what is wrong is told: %d %d %d", (int)s->write_errors,
        (int)s->strays, (int)s->timeouts);
  for (unsigned p = 0; p < PAGES; p++)
    CHECK_MEM(t, s->memory + 4096 * p, s->want + 4096 * p, 4096, "page %u at rest, of kind %u", p,
              (unsigned)plan[p].kind);
}

// ---- by itself: one burst, then rest ----
static unsigned page_of(kind k, unsigned who) {
  unsigned p = 0;
  while (p < PAGES - 1 && (plan[p].kind != k || plan[p].who != who)) p++;
  return p;
}

static void one(tb *t, dut *d, state *s, bool write, unsigned pg, unsigned at, unsigned len, unsigned size) {
  burst *b = place(t, s, write, pg, at, len, size);
  if (write) fill(t, b, 9);
  issue(s, b, write);
  drain(t, d, s);
}

// P3 of ax_dev, P1 of ax_host: a page is cut as MPS and MRRS say, in memory and in the log.
static void cut(tb *t, dut *d, state *s) {
  static const unsigned char pairs[][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 1}, {1, 3}, {3, 1}, {5, 2}, {0, 5}, {5, 5}};
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    unsigned mps = 128u << pairs[i][0], mrrs = 128u << pairs[i][1], beats = 4096 / BEAT,
             e[2] = {s->entries[0], s->entries[1]};
    unsigned write = LEAST(mps, P_MaxWrite), read = LEAST(mrrs, P_MaxRead), cpl = LEAST(mps, P_MaxCpl);
    sizes(t, d, s, pairs[i][0], pairs[i][1]);
    s->longest_aw = s->longest_ar = 0;
    one(t, d, s, true, page_of(BOTH, i & 1), 0, LEAST(beats, 256) - 1, TOP);
    one(t, d, s, false, page_of(BOTH, i & 1), 0, LEAST(beats, 256) - 1, TOP);
    CHECK_EQ(t, s->longest_aw, write, "bytes of a write, MPS %u", mps);
    CHECK_EQ(t, s->longest_ar, LEAST(read, cpl), "bytes of a read, MPS %u, MRRS %u", mps, mrrs);
    CHECK_EQ(t, s->entries[0] - e[0], 4096 / write, "entries of a page that is written, MPS %u", mps);
    CHECK_EQ(t, s->entries[1] - e[1], 4096 / read, "entries of a page that is read, MRRS %u", mrrs);
  }
}

// The fault record, which is then cleared.
static void fault(tb *t, dut *d, state *s, uint64_t va, unsigned who, unsigned reason, bool read) {
  uint64_t sts = reg_read(t, d, s, FSTS) >> 32;
  CHECK_EQ(t, sts & 0xff, 2, "FSTS: one fault is pending, reason %u", reason);
  unsigned at = FRCD + 16 * (unsigned)(sts >> 8 & 7);
  uint64_t low = reg_read(t, d, s, at), high = reg_read(t, d, s, at + 8);
  CHECK_EQ(t, low, va & ~4095ull, "FI of reason %u", reason);
  CHECK_EQ(t, high, 1ull << 63 | (uint64_t)read << 62 | (uint64_t)reason << 32 | s->rid[who], "FRCD of reason %u",
           reason);
  reg_write(t, d, s, at + 8, 1ull << 63, 0x80);
  CHECK_EQ(t, reg_read(t, d, s, FSTS) >> 32 & 0xff, 0, "FSTS: no fault is left");
}

// P2: what is refused, and who hears of it.
static void faults(tb *t, dut *d, state *s) {
  static const struct {
    kind kind;
    unsigned who, reason;
    bool write;
  } all[] = {{NONE, 0, 6, 0}, {NONE, 0, 5, 1}, {READ_ONLY, 0, 5, 1}, {NONE, 2, 1, 0}, {NONE, 2, 1, 1}, {NONE, 1, 6, 0}};
  reg_write(t, d, s, FEADDR, s->base + EVENT, 0xff);
  reg_write(t, d, s, FECTL, (uint64_t)s->event_data << 32, 0xff);
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    unsigned pg = page_of(all[i].kind, all[i].who), events = s->events;
    one(t, d, s, all[i].write, pg, 64 * i, 0, TOP);
    CHECK_EQ(t, s->events - events, 1, "INV-1: the fault event");
    fault(t, d, s, s->pages[pg].va, all[i].who, all[i].reason, !all[i].write);
  }
  s->fail_walk = true;  // memory refuses a read of a table
  one(t, d, s, false, page_of(NONE, 0), 0, 0, TOP);
  fault(t, d, s, s->pages[page_of(NONE, 0)].va, 0, 7, true);
  s->fail_walk = false;
}

// A device's interrupt leaves as what it is.
static void interrupts(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 8; i++) {
    unsigned pg = page_of(NONE, i & 1);
    burst *b = place(t, s, true, pg, 0, 0, 2);
    uint64_t addr = 0xfee00000 | (rnd_bits(t, 20) & ~3u);
    b->addr = addr;
    fill(t, b, 9);
    s->intr[s->intr_made % DEPTH].addr = addr;
    s->intr[s->intr_made % DEPTH].user = s->rid[i & 1];
    memcpy(&s->intr[s->intr_made++ % DEPTH].value, b->data, 4);
    issue(s, b, true);
    drain(t, d, s);
  }
}

static void close_log(tb *t, dut *d, state *s) {
  reg_write(t, d, s, LOG + 8, 0, 0x80);
  unsigned n = 0;
  while (reg_read(t, d, s, LOG + 0x30) && n < 200) n++;
  if (n == 200) stop(t, "LOG-9: the log does not close");
}

static void error(tb *t, dut *d, state *s, uint64_t addr) {
  CHECK_EQ(t, reg_read(t, d, s, ERR_STS) & ~2ull, (uint64_t)IUID << 32 | 19 << 8 | 5, "ERR-1: ErrAxiWrite");
  CHECK_EQ(t, reg_read(t, d, s, ERR_ADDR), addr, "AA_ERR_ADDR");
  reg_write(t, d, s, ERR_STS, 1, 0x01);
  CHECK_EQ(t, reg_read(t, d, s, ERR_STS), 0, "AA_ERR_STS is cleared");
}

// ERR-2: memory refuses an entry, the responses behind it come at once. The log stops, and is opened anew.
static void lost_entry(tb *t, dut *d, state *s, unsigned round) {
  unsigned pg = page_of(round & 1 ? BOTH : REDIRECT, 1);
  uint64_t at = s->base + RING + (s->cons % RING_BYTES & ~(BEAT - 1));
  s->mine.hold_b = true;
  for (unsigned i = 0; i < 3; i++) {
    burst *b = place(t, s, true, pg, 1024 * i, 1 + round % 3, TOP);
    fill(t, b, 9);
    issue(s, b, true);
  }
  for (unsigned i = 0; i < 600; i++) cycle(t, d, s);
  CHECK(t, s->mine.aw_in != s->mine.b_low, "writes wait for their responses");
  s->fail_ring = true;
  s->mine.hold_b = false;
  for (unsigned i = 0; i < 600; i++) {
    cycle(t, d, s);
    s->fail_ring &= !s->errors || s->mine.b_low == s->mine.aw_in || !(round & 2);
  }
  s->fail_ring = false;
  error(t, d, s, at);
  CHECK_EQ(t, reg_read(t, d, s, LP_STS) & 8, 8, "LP_STS.FAILED");
  close_log(t, d, s);
  open_log(t, d, s);
  CHECK_EQ(t, reg_read(t, d, s, LP_STS), 0x100, "LP_STS of a log that is opened anew");
  one(t, d, s, true, pg, 256, 3, TOP);
}

// ERR-4: memory refuses a pointer; the next one is right.
static void lost_pointer(tb *t, dut *d, state *s) {
  burst *b = place(t, s, true, page_of(REDIRECT, 0), 128, 1, TOP);
  s->fail_ptr = true;
  fill(t, b, 9);
  issue(s, b, true);
  for (unsigned i = 0; i < 400; i++) cycle(t, d, s);
  s->fail_ptr = false;
  error(t, d, s, s->base + PTR);
  CHECK_EQ(t, reg_read(t, d, s, LP_STS), 0x110, "LP_STS.PTRERR");
  CHECK(t, !pointed(s), "an older pointer in memory");
  one(t, d, s, true, page_of(REDIRECT, 0), 512, 1, TOP);
}

static void lost(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 6; i++) lost_entry(t, d, s, i);
  lost_pointer(t, d, s);
}

static burst *silent_read(tb *t, dut *d, state *s, unsigned i) {
  (void)d;
  burst *b = place(t, s, false, page_of(PLAIN, i & 1), BEAT * i, 0, TOP);
  b->bad = true;
  issue(s, b, false);
  return b;
}

// Reads that memory does not answer in time: each keeps its tag until tags are given back; late completions are strays.
static void silence(tb *t, dut *d, state *s) {
  s->data.hold_r = true;
  s->tmo = 300 + (unsigned)rnd_below(t, 100);
  for (unsigned i = 0; i < P_ReadTags; i++) {
    silent_read(t, d, s, i);
    uint64_t from = dut_cycle(d);
    s->timeouts++;
    while (s->r_in != s->rd_made && dut_cycle(d) - from < 2 * s->tmo) cycle(t, d, s);
    CHECK(t, dut_cycle(d) - from >= s->tmo, "a read is given up early");
    if (s->r_in != s->rd_made) stop(t, "a read is never given up");
    CHECK_EQ(t, s->timeouts, 0, "err_timeout_o");
  }
  burst *b = silent_read(t, d, s, 0);
  b->bad = false;
  for (unsigned i = 0; i < 100; i++) cycle(t, d, s);
  CHECK(t, s->r_in != s->rd_made, "a tag that was given up is used again");
  s->strays = P_ReadTags;
  s->data.hold_r = false;
  for (unsigned i = 0; i < 100; i++) cycle(t, d, s);
  CHECK_EQ(t, s->strays, 0, "err_stray_o");
  CHECK(t, s->r_in != s->rd_made, "a tag is used again before it is given back");
  s->free_tags = true;
  cycle(t, d, s);
  s->free_tags = false;
  drain(t, d, s);
  s->tmo = 0;
}

// One channel after the other rests for long, while the others do what they can.
static void rests(tb *t, dut *d, state *s) {
  unsigned *pct[] = {&s->pct[2],      &s->pct[3],      &s->data.pct[0], &s->data.pct[1], &s->data.pct[2],
                     &s->data.pct[3], &s->data.pct[4], &s->mine.pct[0], &s->mine.pct[1], &s->mine.pct[2],
                     &s->mine.pct[3], &s->mine.pct[4], &s->reg.pct};
  for (unsigned k = 0; k < sizeof pct / sizeof *pct; k++) {
    chances(s, 100, 1);
    *pct[k] = 1;
    for (unsigned i = 0; i < 400; i++) {
      if (s->wr_made - s->b_in < 6) make(t, s, true);
      if (s->rd_made - s->r_in < 6) make(t, s, false);
      cycle(t, d, s);
    }
    drain(t, d, s);
  }
}

static void random_part(tb *t, dut *d, state *s) {
  static const unsigned pct[] = {100, 100, 70, 20};
  uint64_t end = dut_cycle(d) + t->cycles;
  while (dut_cycle(d) < end) {
    sizes(t, d, s, (unsigned)rnd_below(t, 6), (unsigned)rnd_below(t, 6));
    chances(s, 100, rnd_chance(t, 50) ? 2 : 100);
    for (unsigned i = 0; i < 4; i++) s->pct[i] = pct[rnd_below(t, 4)];
    for (unsigned i = 0; i < 5; i++) s->data.pct[i] = pct[rnd_below(t, 4)], s->mine.pct[i] = pct[rnd_below(t, 4)];
    s->reg.pct = pct[rnd_below(t, 4)];
    if (rnd_chance(t, 30)) s->sleep = 400;
    for (unsigned i = 0; i < 600; i++) {
      if (s->wr_made - s->b_in < 6) make(t, s, true);
      if (s->rd_made - s->r_in < 6) make(t, s, false);
      cycle(t, d, s);
    }
    if (rnd_chance(t, 30)) restart(t, d, s);
    drain(t, d, s);
  }
}

static void happened(tb *t, const state *s) {
  printf("  %u writes, %u reads, %u refused, %u and %u entries, %u pads, %u pointers, %u MSIs, %u loads\n", s->wr_made,
         s->rd_made, s->refused, s->entries[0], s->entries[1], s->pads, s->pointers, s->msis, s->walks);
  for (unsigned k = 0; k < KINDS; k++)
    CHECK(t, s->kind_wr[k] > tb_least(t, 10) && s->kind_rd[k] > tb_least(t, 10), "pages of kind %u: %u, %u", k,
          s->kind_wr[k], s->kind_rd[k]);
  CHECK(t, s->refused > tb_least(t, 30) && s->errors > tb_least(t, 10), "errors happened: %u, %u", s->refused,
        s->errors);
  CHECK(t, s->entries[0] > tb_least(t, 100) && s->entries[1] > tb_least(t, 50), "entries happened");
  CHECK(t, s->pads > tb_least(t, 2) && s->pointers > tb_least(t, 50) && s->msis > tb_least(t, 10), "messages happened");
  CHECK(t, s->walks > tb_least(t, 200) && s->spares > tb_least(t, 50), "walks and registers happened");
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "ax_iommu", 20000);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < sizeof s.memory; i++) s.want[i] = (uint8_t)rnd(&t);
  restart(&t, d, &s);
  random_part(&t, d, &s);
  restart(&t, d, &s);
  rests(&t, d, &s);

  cut(&t, d, &s);
  restart(&t, d, &s);
  faults(&t, d, &s);
  interrupts(&t, d, &s);
  lost(&t, d, &s);
  silence(&t, d, &s);
  happened(&t, &s);
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
