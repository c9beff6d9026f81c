// SPDX-License-Identifier: Apache-2.0
// ax_host: random TLPs against a memory behind AXI that takes its time. A write counts when its response has been
// given, so a read that passes one is seen; a page is written only while no read of it is under way. An interrupt is
// shown when memory has answered every write before it, and is no memory to its interconnect. What memory
// refuses (a page for SLVERR, one for DECERR), what is no memory request, and reads of nothing have their answers.
// config: default
// config: narrow +define+TOCSIN_DATA_W=128 -GMaxCpl=128 -GWords=8 -GChunks=2 -GWrites=2
// config: wide +define+TOCSIN_DATA_W=512 -GMaxCpl=4096 -GWords=128
// netlist: narrow
#include <string.h>

#include "tb.h"
#include "ax_host_tb.h"
#include "aa_fields.h"

#define BEAT (CM_TLP_T_DATA_W / 8)
#define BEAT_DW (BEAT / 4)
#define PAGES 12
#define SLVERR (PAGES - 2)  // pages that refuse
#define DECERR (PAGES - 1)
#define QUEUE 64
#define INTR 0xFEEu         // address 63:20 of an interrupt
#define ANSWERED 0xfc3000u  // what of a request's first DW its answer has: T9, T8, TC, attributes

typedef enum kind { WRITE, READ, ATOMIC, MESSAGE, COMPLETION, KINDS } kind;

typedef struct want {  // an answer that must come
  uint32_t attributes, ids;
  unsigned count;           // without data: ByteCount
  unsigned at, left, page;  // next byte in its page; bytes; 0 left with `data`: a read of nothing
  bool refused, ur, data;
  uint8_t bytes[4096];
} want;

typedef struct burst {
  uint64_t addr;
  unsigned len, got, worst;  // worst: the beat that is refused for certain, in a page that refuses
  bool alone;                // and no other one as badly
  uint8_t data[4096 + BEAT];
  bool on[4096 + BEAT];
} burst;

typedef struct start {  // what AW or AR must say
  uint64_t addr;
  unsigned len, user;
} start;

typedef struct held {  // what waits may not change
  bool up;
  uint32_t now[CPL_O_WORDS + 4];
} held;

typedef struct state {
  uint64_t base[PAGES];  // where each page lies
  uint8_t memory[PAGES * 4096], ref[PAGES * 4096];
  unsigned reads[PAGES], wrote_page, wrote_at;
  // the TLP that is sent
  bool up, offered;  // there is one; its beat is valid
  kind kind;
  uint32_t beat[REQ_I_WORDS], payload[1024], attributes;
  unsigned dws, dw, shown;  // shown: the beat whose header, which counts in the first alone, was made
  // what is expected
  want want[QUEUE];
  unsigned asked, ended;
  bool mid;
  uint32_t hdr[4];
  unsigned got_dw;
  // AXI
  burst wr[QUEUE], rd[QUEUE];
  start aw[QUEUE], ar[4096];
  unsigned aw_made, ar_made;
  held aw_held, w_held, ar_held, cpl_held;
  unsigned aw_in, w_in, b_out, ar_in, r_out, r_beat, wait_b, wait_r;
  bool b_up, r_up;
  unsigned pct[5], mps;
  unsigned made[KINDS], refused, drops, dropped, bad_writes, write_errs, pass, intrs;  // intrs: behind other writes
  uint64_t first, last;
  unsigned words;  // written, or of completions, since first
  unsigned bit;    // of an address above 4 GiB, next
  bool only_writes, aligned, brief;
} state;

static uint64_t place(const state *s, unsigned page, unsigned at) { return s->base[page] + at; }
static unsigned page_of(const state *s, uint64_t addr) {
  unsigned page = 0;
  while (page < PAGES && addr - s->base[page] >= 4096) page++;
  return page;
}
static unsigned offset(const state *s, uint64_t addr) { return page_of(s, addr) % PAGES * 4096 + addr % 4096; }
static bool up(tb *t, state *s, unsigned what) { return rnd_chance(t, s->pct[what]); }

static void header(state *s, uint32_t form, uint64_t addr, unsigned dws, unsigned fbe, unsigned lbe, uint32_t ids) {
  bool quad = addr >> 32;
  uint32_t h[4] = {(form | (quad ? 0x20u : 0)) << 24 | s->attributes | (dws & 0x3ff), ids | lbe << 4 | fbe,
                   quad ? (uint32_t)(addr >> 32) : (uint32_t)addr, quad ? (uint32_t)addr : 0};
  for (unsigned i = 0; i < 4; i++) bits_set(s->beat, CM_TLP_T_HDR_LSB + 96 - 32 * i, 32, h[i]);
}

static void expect(state *s, uint32_t ids, unsigned page, unsigned at, unsigned left, bool ur, bool data) {
  want *w = &s->want[s->asked++ % QUEUE];
  *w = (want){.attributes = s->attributes & ANSWERED,
              .ids = ids & 0xffffff00u,
              .at = at,
              .left = left,
              .page = page,
              .ur = ur,
              .data = data};
  if (page < PAGES) {
    memcpy(w->bytes, s->ref + 4096 * page, 4096);
    s->reads[page]++;
    w->refused = page >= SLVERR && left;
    if (w->refused) w->ur = page == DECERR;
  }
}

// The bus words of n bytes at an address.
static start words_of(uint64_t addr, unsigned n, uint32_t ids) {
  return (start){addr / BEAT * BEAT, (unsigned)((addr + n - 1) / BEAT - addr / BEAT), ids >> 16};
}

// Length and byte enables of n bytes at `at`.
static unsigned cover(unsigned at, unsigned n, unsigned *fbe, unsigned *lbe) {
  unsigned dws = ((at & 3) + n + 3) / 4, low = 0xfu << (at & 3) & 0xf, high = 0xfu >> (3 - ((at + n - 1) & 3));
  *fbe = dws == 1 ? low & high : low;
  *lbe = dws == 1 ? 0 : high;
  return dws;
}

static unsigned size(tb *t, unsigned most) {
  unsigned pick = (unsigned)rnd_below(t, 10), some = pick < 3 ? 6 : pick < 8 ? 64 : 4096;
  return 1 + (unsigned)rnd_below(t, some < most ? some : most);
}

// A device's interrupt is a write of one DW, which no table translates.
static bool make_intr(tb *t, state *s, uint32_t ids) {
  uint64_t addr = (uint64_t)INTR << 20 | (rnd_bits(t, 20) & ~3u);
  s->dws = 1;
  s->payload[0] = (uint32_t)rnd(t);
  header(s, 0x40, addr, 1, 15, 0, ids);
  s->intrs += s->aw_made != s->b_out;
  s->aw[s->aw_made++ % QUEUE] = words_of(addr, 4, ids);
  return true;
}

static bool make_write(tb *t, state *s, uint32_t ids) {
  if (!s->aligned && rnd_chance(t, 15)) return make_intr(t, s, ids);
  unsigned page = (unsigned)rnd_below(t, PAGES), at = (unsigned)rnd_below(t, 4096), fbe, lbe;
  if (s->aligned) page = 1 + (unsigned)rnd_below(t, 8), at = 0;
  if (s->reads[page]) return false;
  unsigned most = 4096 - at, n = size(t, most);
  if (s->aligned) n = s->brief ? BEAT * (2 + (unsigned)rnd_below(t, 4)) : 4096;
  s->dws = cover(at, n, &fbe, &lbe);
  if (s->dws <= 2 && rnd_chance(t, 50)) {  // holes, which PCIe allows here; none at all
    fbe &= (unsigned)rnd_bits(t, 4);
    if (s->dws == 2) lbe &= (unsigned)rnd_bits(t, 4);
    if (s->dws == 2 && ((at & 4) || !fbe || !lbe)) fbe = lbe = 0xf;
  }
  for (unsigned i = 0; i < s->dws; i++) {
    s->payload[i] = (uint32_t)rnd(t);
    unsigned be = i == 0 ? fbe : i == s->dws - 1 ? lbe : 15;
    for (unsigned k = 0; k < 4 && page < SLVERR; k++)
      if (be >> k & 1) s->ref[4096 * page + (at & ~3u) + 4 * i + k] = (uint8_t)(s->payload[i] >> 8 * k);
  }
  s->wrote_page = page;
  s->wrote_at = at;
  header(s, 0x40, place(s, page, at & ~3u), s->dws, fbe, lbe, ids);
  s->aw[s->aw_made++ % QUEUE] = words_of(place(s, page, at & ~3u), 4 * s->dws, ids);
  s->bad_writes += page >= SLVERR;
  return true;
}

static unsigned largest(const state *s) {  // completion
  return 128u << s->mps < P_MaxCpl ? 128u << s->mps : P_MaxCpl;
}

static bool make_read(tb *t, state *s, uint32_t ids) {
  unsigned page = (unsigned)rnd_below(t, PAGES), at = (unsigned)rnd_below(t, 4096), most = 4096 - at, fbe, lbe;
  if (rnd_chance(t, 30) && s->made[WRITE])
    page = s->wrote_page, at = s->wrote_at, most = 4096 - at;  // what is on its way
  else if (rnd_chance(t, 20))
    page = SLVERR + (unsigned)rnd_below(t, 2);
  if (s->aligned) page = 1 + (unsigned)rnd_below(t, 8), at = 0;
  unsigned n = size(t, most);
  if (s->aligned) n = 4096;
  if (s->asked - s->ended >= QUEUE - 2) return false;
  unsigned dws = cover(at, n, &fbe, &lbe);
  bool none = dws == 1 && rnd_chance(t, 30);
  header(s, 0x00, place(s, page, at & ~3u), dws, none ? 0 : fbe, lbe, ids);
  expect(s, ids, page, none ? at & ~3u : at, none ? 0 : n, false, true);
  for (unsigned cut = largest(s), now; !none && n; at += now, n -= now) {
    now = n < cut - at % cut ? n : cut - at % cut;
    s->ar[s->ar_made++ % 4096] = words_of(place(s, page, at), now, ids);
  }
  s->dws = 0;
  return true;
}

// No memory read, but answered: AtomicOps, locked, I/O and configuration requests.
static void make_refused(tb *t, state *s, uint32_t ids) {
  static const uint8_t form[] = {0x4c, 0x4d, 0x4e, 0x01, 0x02, 0x42, 0x04, 0x44, 0x05, 0x45};
  unsigned f = form[rnd_below(t, rnd_chance(t, 50) ? 3 : 10)], dws = f == 0x4e ? 2u << rnd_below(t, 3) : 1;
  if (f == 0x4c || f == 0x4d) dws = 1 + (unsigned)rnd_below(t, 2);
  uint64_t addr = place(s, (unsigned)rnd_below(t, PAGES), 64);
  header(s, f, f < 0x4c && f != 0x01 ? addr & 0xfffff000u : addr, dws, 15, dws > 1 ? 15 : 0, ids);
  expect(s, ids, PAGES, 0, 0, true, false);
  s->want[(s->asked - 1) % QUEUE].count = f == 0x4e ? 2 * dws : f >= 0x4c ? 4 * dws : 4;
  s->dws = f & 0x40 ? dws : 0;
}

static void make_dropped(tb *t, state *s) {
  static const uint8_t form[] = {0x0a, 0x4a, 0x0b, 0x4b};
  uint32_t f = s->kind == COMPLETION ? form[rnd_below(t, 4)] : 0x30 | (uint32_t)(rnd(t) & 0x47);
  s->dws = f & 0x40 ? 1 + (unsigned)rnd_below(t, 20) : 0;
  bits_set(s->beat, CM_TLP_T_HDR_LSB + 96, 32, f << 24 | s->attributes | s->dws);
  s->drops++;
}

static bool make(tb *t, state *s) {
  if (s->asked - s->ended >= QUEUE - 2) return false;
  uint32_t ids = (uint32_t)rnd(t) & 0xffffff00u;
  unsigned pick = (unsigned)rnd_below(t, 100);
  s->attributes = (uint32_t)rnd(t) & 0xfffc00u;
  memset(s->beat, 0, sizeof s->beat);
  rnd_words(t, s->beat, REQ_I_W);
  s->kind = s->only_writes || pick < 45 ? WRITE
            : pick < 85                 ? READ
            : pick < 90                 ? ATOMIC
            : pick < 95                 ? MESSAGE
                                        : COMPLETION;
  if (s->aligned && !s->only_writes) s->kind = READ;
  if (s->kind == WRITE && !make_write(t, s, ids)) return false;
  if (s->kind == READ && !make_read(t, s, ids)) return false;
  if (s->kind == ATOMIC) make_refused(t, s, ids);
  if (s->kind == MESSAGE || s->kind == COMPLETION) make_dropped(t, s);
  if (s->kind != WRITE)
    for (unsigned i = 0; i < s->dws; i++) s->payload[i] = (uint32_t)rnd(t);
  s->made[s->kind]++;
  s->dw = s->shown = 0;
  return s->up = true;
}

static void drive_tlp(tb *t, dut *d, state *s, bool more) {
  if (!s->up && more && up(t, s, 0)) make(t, s);
  unsigned n = s->dws - s->dw < BEAT_DW ? s->dws - s->dw : BEAT_DW;
  if (s->up) {
    for (unsigned i = 0; i < n; i++) bits_set(s->beat, 32 * i, 32, s->payload[s->dw + i]);
    bits_set(s->beat, CM_TLP_T_STRB_LSB, BEAT_DW, (1u << n) - 1);
    bits_set(s->beat, CM_TLP_T_SOP_LSB, 1, s->dw == 0);
    bits_set(s->beat, CM_TLP_T_EOP_LSB, 1, s->dw + n == s->dws);
    for (unsigned k = 0; k < 2 && s->dw && s->shown != s->dw; k++)
      bits_set(s->beat, CM_TLP_T_HDR_LSB + 64 * k, 64, rnd(t));
    s->shown = s->dw;
  }
  s->offered = s->up && (s->offered || up(t, s, 0));
  dut_set_req_valid_i(d, s->offered);
  dut_set_req_i(d, s->beat);
}

static void drive_axi(tb *t, dut *d, state *s) {
  dut_set_m_axi_awready(d, up(t, s, 1));
  dut_set_m_axi_wready(d, up(t, s, 1));
  dut_set_m_axi_arready(d, up(t, s, 1));
  if (!s->b_up) s->b_up = s->b_out != s->w_in && s->b_out != s->aw_in && up(t, s, 2);
  const burst *b = &s->wr[s->b_out % QUEUE];
  unsigned page = page_of(s, b->addr);
  dut_set_m_axi_bvalid(d, s->b_up);
  dut_set_m_axi_bresp(d, page == SLVERR ? 2 : page == DECERR ? 3 : 0);
  if (!s->r_up) s->r_up = s->r_out != s->ar_in && up(t, s, 3);
  const burst *r = &s->rd[s->r_out % QUEUE];
  uint32_t data[M_AXI_RDATA_WORDS];
  rnd_words(t, data, M_AXI_RDATA_W);
  page = page_of(s, r->addr);
  if (s->r_up) memcpy(data, s->memory + (offset(s, r->addr) + s->r_beat * BEAT) % sizeof s->memory, BEAT);
  unsigned worst = page == SLVERR ? 2 : page == DECERR ? 3 : 0;  // one beat of a burst is enough
  unsigned other = rnd_chance(t, 50) ? 0 : worst && (r->alone || rnd_chance(t, 50)) ? 2 : worst;
  dut_set_m_axi_rvalid(d, s->r_up);
  dut_set_m_axi_rdata(d, data);
  dut_set_m_axi_rlast(d, s->r_beat == r->len);
  dut_set_m_axi_rresp(d, s->r_beat == r->worst ? worst : other);
  dut_set_m_axi_rid(d, rnd_bits(t, 8));
  dut_set_m_axi_bid(d, rnd_bits(t, 8));
}

static void take_w(tb *t, dut *d, state *s) {
  burst *b = &s->wr[s->w_in % QUEUE];
  uint32_t data[M_AXI_WDATA_WORDS];
  uint64_t strb = (uint64_t)dut_get_m_axi_wstrb(d);
  dut_get_m_axi_wdata(d, data);
  if (b->got > 4096 / BEAT) return;
  for (unsigned i = 0; i < BEAT; i++) {
    b->on[b->got * BEAT + i] = strb >> i & 1;
    b->data[b->got * BEAT + i] = (uint8_t)bits_get(data, 8 * i, 8);
  }
  b->got++;
  CHECK(t, s->aw_in > s->w_in || dut_get_m_axi_awvalid(d), "P2: AW not later than its data");
  if (!s->first) s->first = dut_cycle(d);
  s->last = dut_cycle(d);
  s->words++;
  if (!dut_get_m_axi_wlast(d)) return;
  s->w_in++;
}

static void take_ar(tb *t, dut *d, state *s) {
  burst *b = &s->rd[s->ar_in++ % QUEUE];
  *b = (burst){.addr = dut_get_m_axi_araddr(d), .len = (unsigned)dut_get_m_axi_arlen(d)};
  b->worst = (unsigned)rnd_below(t, b->len + 1);
  b->alone = rnd_chance(t, 70);
  CHECK(t, s->ar_in <= s->ar_made, "P1: a burst that nobody wants");
  const start *want = &s->ar[(s->ar_in - 1) % 4096];
  CHECK_EQ(t, b->addr, want->addr, "P2: m_axi_araddr");
  CHECK_EQ(t, b->len, want->len, "P2: m_axi_arlen");
  CHECK_EQ(t, dut_get_m_axi_aruser(d), want->user, "m_axi_aruser: requester id");
  uint64_t end = b->addr + (b->len + 1) * BEAT;
  CHECK(t, b->addr % BEAT == 0 && b->addr >> 12 == (end - 1) >> 12, "P2: whole words of a page, %" PRIx64, b->addr);
  CHECK(t, (b->len + 1) * BEAT <= P_MaxCpl, "P1: at most MaxCpl");
  // all writes that came before it have had their effect
  CHECK_MEM(t, s->memory + offset(s, b->addr), s->ref + offset(s, b->addr), (b->len + 1) * BEAT,
            "P2: a read passed a write, %" PRIx64, b->addr);
}

// Every bit: what no rule names is 0.
static void check_header(tb *t, const state *s, const want *w, bool bad, unsigned dws) {
  bool plain = w->data && !bad;
  unsigned count = w->left ? w->left : w->data ? 1 : w->count, length = !plain ? 0 : w->left ? dws : 1;
  CHECK_EQ(t, s->hdr[0] >> 24, plain ? 0x4a : 0x0a, "P3, P4: form of the answer");
  CHECK_EQ(t, s->hdr[0] & 0xfffc00, w->attributes, "T9, TC, T8, attributes");
  CHECK_EQ(t, s->hdr[0] & 0x3ff, length & 0x3ff, "P1: Length, at %x left %u", w->at, w->left);
  CHECK_EQ(t, s->hdr[1] >> 12, (plain ? 0 : w->ur ? 1 : 4) << 1, "P3, P4: completer id and status");
  CHECK_EQ(t, s->hdr[1] & 0xfff, count & 0xfff, "P1: ByteCount");
  CHECK_EQ(t, s->hdr[2] & 0xffffff00u, w->ids, "P1: requester id and tag");
  CHECK_EQ(t, s->hdr[2] & 0xff, w->data ? w->at & 0x7f : 0, "P1: LowerAddress");
  CHECK_EQ(t, s->hdr[3], 0, "DW 3");
}

static void take_cpl(tb *t, dut *d, state *s) {
  uint32_t b[CPL_O_WORDS];
  dut_get_cpl_o(d, b);
  CHECK(t, s->ended != s->asked, "P1: a completion that nobody wants");
  if (s->ended == s->asked) return;
  want *w = &s->want[s->ended % QUEUE];
  unsigned n = 0;
  for (unsigned i = 0; i < BEAT_DW; i++) n += (unsigned)bits_get(b, CM_TLP_T_STRB_LSB + i, 1);
  CHECK_EQ(t, bits_get(b, CM_TLP_T_STRB_LSB, BEAT_DW), (1u << n) - 1, "strb");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_SOP_LSB, 1), !s->mid, "sop");
  CHECK_EQ(t, bits_get(b, CM_TLP_T_ERR_LSB, 1), 0, "err");
  if (!s->mid) {
    for (unsigned i = 0; i < 4; i++) s->hdr[i] = (uint32_t)bits_get(b, CM_TLP_T_HDR_LSB + 96 - 32 * i, 32);
    s->got_dw = 0;
  }
  bool eop = bits_get(b, CM_TLP_T_EOP_LSB, 1), bad = w->refused && s->hdr[0] >> 24 == 0x0a;
  unsigned dws = s->hdr[0] & 0x3ff ? s->hdr[0] & 0x3ff : 1024, cut = largest(s);
  unsigned lead = w->at & 3, rest = cut - w->at % cut, now = w->left < rest ? w->left : rest;
  if (!s->mid) check_header(t, s, w, bad, (lead + now + 3) / 4);
  for (unsigned i = 0; i < 4 * n && w->left; i++) {
    unsigned k = 4 * s->got_dw + i;
    if (k >= lead && k - lead < now)
      CHECK_EQ(t, bits_get(b, 8 * i, 8), w->bytes[w->at - lead + k], "P1: byte %u at %x", k, w->at);
  }
  s->got_dw += n;
  s->mid = !eop;
  if (!s->first) s->first = dut_cycle(d);
  s->last = dut_cycle(d);
  s->words++;
  if (!eop) return;
  CHECK_EQ(t, s->got_dw, s->hdr[0] >> 30 & 1 ? dws : 0, "Length");
  bool ends = bad || !w->data || now == w->left;
  s->refused += bad;
  if (w->refused && ends) CHECK(t, bad, "P3: a read with an error ends in an answer without data");
  w->at += now;
  w->left -= now;
  if (!ends) return;
  if (w->page < PAGES) s->reads[w->page]--;
  s->ended++;
}

// P2, P6: what waits stays.
static void hold(tb *t, held *h, bool valid, bool ready, const uint32_t *now, unsigned words, const char *what) {
  CHECK(t, !h->up || (valid && !memcmp(now, h->now, words * sizeof *now)), "%s changed while it waits", what);
  h->up = valid && !ready;
  memcpy(h->now, now, words * sizeof *now);
}

static void check_held(tb *t, dut *d, state *s, bool cpl_ready) {
  uint64_t aw[] = {dut_get_m_axi_awaddr(d), (uint64_t)dut_get_m_axi_awlen(d) << 16 | dut_get_m_axi_awuser(d)};
  uint64_t ar[] = {dut_get_m_axi_araddr(d), (uint64_t)dut_get_m_axi_arlen(d) << 16 | dut_get_m_axi_aruser(d)};
  uint32_t w[M_AXI_WDATA_WORDS + 3] = {0}, cpl[CPL_O_WORDS], a[4];
  uint64_t strb = (uint64_t)dut_get_m_axi_wstrb(d);
  dut_get_m_axi_wdata(d, w);
  w[M_AXI_WDATA_WORDS] = (uint32_t)strb, w[M_AXI_WDATA_WORDS + 1] = (uint32_t)(strb >> 32);
  w[M_AXI_WDATA_WORDS + 2] = (uint32_t)dut_get_m_axi_wlast(d);
  dut_get_cpl_o(d, cpl);
  memcpy(a, aw, sizeof a);
  hold(t, &s->aw_held, dut_get_m_axi_awvalid(d), dut_get_m_axi_awready(d), a, 4, "AW");
  memcpy(a, ar, sizeof a);
  hold(t, &s->ar_held, dut_get_m_axi_arvalid(d), dut_get_m_axi_arready(d), a, 4, "AR");
  hold(t, &s->w_held, dut_get_m_axi_wvalid(d), dut_get_m_axi_wready(d), w, M_AXI_WDATA_WORDS + 3, "W");
  hold(t, &s->cpl_held, dut_get_cpl_valid_o(d), cpl_ready, cpl, CPL_O_WORDS, "a completion");
}

static void take_aw(tb *t, dut *d, state *s) {
  burst *b = &s->wr[s->aw_in++ % QUEUE];
  b->addr = dut_get_m_axi_awaddr(d);
  b->len = (unsigned)dut_get_m_axi_awlen(d);
  CHECK(t, s->aw_in <= s->aw_made, "P1: a burst that nobody wants");
  const start *want = &s->aw[(s->aw_in - 1) % QUEUE];
  CHECK_EQ(t, b->addr, want->addr, "P1: m_axi_awaddr");
  CHECK_EQ(t, b->len, want->len, "P1: m_axi_awlen");
  CHECK_EQ(t, dut_get_m_axi_awuser(d), want->user, "m_axi_awuser: requester id");
  CHECK(t, s->aw_in - s->b_out <= P_Writes, "P3: at most Writes under way");
  bool intr = b->addr >> 20 == INTR;
  CHECK_EQ(t, dut_get_m_axi_awcache(d), intr ? 0 : 3, "P3: m_axi_awcache of %" PRIx64, b->addr);
  if (intr) CHECK_EQ(t, s->b_out, s->aw_in - 1, "P2: writes answered before an interrupt is shown");
}

static void take_b(tb *t, state *s) {
  burst *b = &s->wr[s->b_out++ % QUEUE];
  unsigned page = page_of(s, b->addr);
  CHECK_EQ(t, b->got, b->len + 1, "P1: WLAST at AWLEN");
  for (unsigned i = 0; i < b->got * BEAT && page < SLVERR; i++)
    if (b->on[i]) s->memory[offset(s, b->addr) + i] = b->data[i];
  b->got = 0;
  s->b_up = false;
}

static void cycle(tb *t, dut *d, state *s, bool more) {
  drive_tlp(t, d, s, more);
  drive_axi(t, d, s);
  bool cpl = up(t, s, 4);
  dut_set_cpl_ready_i(d, cpl);
  dut_set_cfg_mps_i(d, s->mps);
  dut_eval(d);
  bool gone = s->offered && dut_get_req_ready_o(d);
  CHECK(t, dut_get_m_axi_bready(d) && dut_get_m_axi_rready(d), "P5: room for what was asked for");
  s->dropped += (unsigned)dut_get_drop_o(d);
  s->write_errs += (unsigned)dut_get_err_write_o(d);
  check_held(t, d, s, cpl);
  if (dut_get_m_axi_awvalid(d) && dut_get_m_axi_awready(d)) take_aw(t, d, s);
  if (dut_get_m_axi_wvalid(d) && dut_get_m_axi_wready(d)) take_w(t, d, s);
  if (s->b_up) take_b(t, s);
  if (dut_get_m_axi_arvalid(d) && dut_get_m_axi_arready(d)) take_ar(t, d, s);
  if (s->r_up) {
    s->r_up = false;
    if (s->r_beat++ == s->rd[s->r_out % QUEUE].len) s->r_beat = 0, s->r_out++;
  }
  if (cpl && dut_get_cpl_valid_o(d)) take_cpl(t, d, s);
  dut_tick(d);
  if (gone) {
    s->offered = false;
    s->dw += BEAT_DW;
    if (s->dw >= s->dws) s->up = false;
  }
}

// AXI slaves may leave ready low until valid: so the widths of bursts are looked at before they are taken, in `cycle`.
static void drain(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 5; i++) s->pct[i] = 100;
  for (unsigned i = 0; i < 20000 && (s->up || s->ended != s->asked || s->b_out != s->aw_made ||
                                     s->ar_in != s->ar_made || s->r_out != s->ar_in);
       i++)
    cycle(t, d, s, false);
  for (unsigned i = 0; i < 60; i++) cycle(t, d, s, false);
  CHECK_EQ(t, s->ended, s->asked, "P1: every read is answered");
  CHECK_EQ(t, s->b_out, s->aw_made, "P1: every write is a burst");
  CHECK_EQ(t, s->ar_in, s->ar_made, "P1: every read is asked for");
  CHECK_EQ(t, s->dropped, s->drops, "P1: what is dropped is told");
  CHECK_EQ(t, s->write_errs, s->bad_writes, "P4: what memory refuses is told");
  CHECK_MEM(t, s->memory, s->ref, sizeof s->memory, "P1: memory at rest");
  CHECK(t,
        !dut_get_cpl_valid_o(d) && !dut_get_m_axi_arvalid(d) && !dut_get_m_axi_awvalid(d) && !dut_get_m_axi_wvalid(d),
        "nothing is left");
}

// Pages lie anywhere, the first one below 4 GiB, most have one of the bits above, each bit in its turn.
static void places(tb *t, state *s) {
  for (unsigned i = 0; i < PAGES; i++) {
    uint64_t low = i == 0 ? 0xfffff000 : i < 4 ? rnd(t) : 1ULL << (32 + s->bit++ % 32) | rnd_bits(t, 32);
    s->base[i] = (uint64_t)-1;
    s->base[i] = page_of(s, low) == PAGES ? low & ~4095ull : low;
    if (s->base[i] % 4096) i--;  // another one is there
  }
}

// What is under way is forgotten.
static void restart(tb *t, dut *d, state *s) {
  dut_set_req_valid_i(d, 0);
  dut_set_m_axi_bvalid(d, 0);
  dut_set_m_axi_rvalid(d, 0);
  dut_reset(d, 1);
  dut_eval(d);
  CHECK(t,
        !dut_get_cpl_valid_o(d) && !dut_get_m_axi_arvalid(d) && !dut_get_m_axi_awvalid(d) && !dut_get_m_axi_wvalid(d),
        "nothing is left after reset");
  memcpy(s->memory, s->ref, sizeof s->memory);
  memset(s->reads, 0, sizeof s->reads);
  memset(s->wr, 0, sizeof s->wr);
  s->up = s->offered = s->mid = s->b_up = s->r_up = false;
  s->aw_held.up = s->w_held.up = s->ar_held.up = s->cpl_held.up = false;
  s->aw_in = s->w_in = s->b_out = s->aw_made;
  s->ar_in = s->r_out = s->ar_made;
  s->asked = s->ended;
  s->r_beat = 0;
  s->dropped = s->drops;
  s->write_errs = s->bad_writes;
  places(t, s);
}

// Pages written, writes of a few words, pages read, one after the other: words and cycles from the first to the last.
static void rate(tb *t, dut *d, state *s) {
  for (unsigned i = 0; i < 5; i++) s->pct[i] = 100;
  s->mps = 5;
  s->aligned = true;
  for (unsigned w = 0; w < 3; w++) {
    static const char *const what[] = {"8 pages written", "32 writes", "8 pages read"};
    s->only_writes = w < 2;
    s->brief = w == 1;
    s->first = s->words = 0;
    unsigned from = s->made[WRITE] + s->made[READ];
    while (s->made[WRITE] + s->made[READ] != from + (s->brief ? 32 : 8)) cycle(t, d, s, true);
    drain(t, d, s);
    unsigned words = s->words, cycles = (unsigned)(s->last - s->first + 1);
    bool two = P_Words * BEAT >= 2 * P_MaxCpl + 4 * BEAT;  // room for two completions and memory's latency
    CHECK(t,
          cycles <= (w < 2 ? words
                     : two ? words + words / 4
                           : 3 * words),
          "rate: %u cycles for %u words: %s", cycles, words, what[w]);
    CHECK(t, s->brief || words == 8 * 4096 / BEAT, "%s in %u words", what[w], words);
    printf("  %s: %u words in %u cycles\n", what[w], words, cycles);
  }
  s->aligned = s->only_writes = s->brief = false;
}

// One TLP after nothing, whatever the cycle: nobody waits for long.
static void lone(tb *t, dut *d, state *s) {
  drain(t, d, s);
  for (unsigned i = 0; i < 40; i++) {
    for (unsigned k = (unsigned)rnd_below(t, 4) + 40; k--;) cycle(t, d, s, false);
    places(t, s);
    while (!s->up) make(t, s);
    unsigned words = s->dws / BEAT_DW + 2, asked = s->asked;
    if (s->kind == READ) words += 3 * s->want[(asked - 1) % QUEUE].left / BEAT + 10;
    for (unsigned k = 0; k < words + 4; k++) cycle(t, d, s, false);
    CHECK(t, !s->up && s->ended == s->asked && s->b_out == s->aw_made, "kind %u alone takes long", s->kind);
  }
}

int main(int argc, char **argv) {
  static state s;
  tb t;
  tb_init(&t, argc, argv, "ax_host", 20000);
  dut *d = dut_begin(&t);
  for (unsigned i = 0; i < sizeof s.memory; i++) s.memory[i] = s.ref[i] = (uint8_t)rnd(&t);
  restart(&t, d, &s);
  CHECK_EQ(&t, dut_get_m_axi_awid(d) | dut_get_m_axi_arid(d), 0, "P1, P2: id 0");
  CHECK(&t, 1u << dut_get_m_axi_awsize(d) == BEAT && 1u << dut_get_m_axi_arsize(d) == BEAT, "whole words");
  CHECK(&t, dut_get_m_axi_awburst(d) == 1 && dut_get_m_axi_arburst(d) == 1, "INCR");
  CHECK_EQ(&t, dut_get_m_axi_arcache(d), 3, "AxiCache");
  CHECK(&t, dut_get_m_axi_awprot(d) == 2 && dut_get_m_axi_arprot(d) == 2, "AxiProt");
  rate(&t, d, &s);
  lone(&t, d, &s);
  uint64_t end = dut_cycle(d) + t.cycles;
  while (dut_cycle(d) < end) {
    static const unsigned pct[] = {100, 100, 70, 20};
    for (unsigned i = 0; i < 5; i++) s.pct[i] = pct[rnd_below(&t, 4)];
    s.mps = (unsigned)rnd_below(&t, 6);
    for (unsigned i = 100 + (unsigned)rnd_below(&t, 400); i > 0; i--) cycle(&t, d, &s, true);
    if (rnd_chance(&t, 30)) restart(&t, d, &s);
    drain(&t, d, &s);
    places(&t, &s);
  }
  printf("  %u writes, %u reads, %u atomics, %u dropped, %u refused reads\n", s.made[WRITE], s.made[READ],
         s.made[ATOMIC], s.drops, s.refused);
  for (unsigned k = 0; k < KINDS; k++) CHECK(&t, s.made[k] > tb_least(&t, 5), "kind %u happened", k);
  CHECK(&t, s.refused > tb_least(&t, 10) && s.bad_writes > tb_least(&t, 5), "errors happened");
  CHECK(&t, s.intrs > tb_least(&t, 10), "interrupts came behind writes");
  dut_free(d);
  tb_unwatch(&t);
  return tb_end(&t);
}
