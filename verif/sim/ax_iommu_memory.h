// SPDX-License-Identifier: Apache-2.0
// The test of ax_iommu: its two memories, which answer late, out of order and with errors, and of which each write is
// looked at as it comes.
#ifndef TOCSIN_AX_IOMMU_MEMORY_H
#define TOCSIN_AX_IOMMU_MEMORY_H

#include "ax_iommu_state.h"

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

#endif
