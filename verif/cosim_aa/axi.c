// SPDX-License-Identifier: Apache-2.0
// Memory behind the AXI4 port. Reads: in order of one id, any order between ids. Writes: data in order of addresses;
// responses in order of one id, any between ids; a write takes effect when its response is put on the channel, so that
// whoever trusts a write before its response is found out.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#ifndef CFG_AxiCache
#define CFG_AxiCache 3
#endif

#define PROT 2 /* AxPROT: data, non-secure, unprivileged */
#define READS 64
#define WRITES 64
#define RECORD 8 /* cycles from an error response to its record: a register, and a turn of six that notify */

typedef struct rd {
  uint8_t id;
  uint64_t addr, due;
  unsigned len, size, beat;
} rd;

typedef struct wrt {
  uint8_t id;
  uint64_t addr, due;
  unsigned len, size;  // beats - 1
  bool full, bad;      // all data here
  unsigned beat, room;
  uint8_t *data, *strb;
} wrt;

struct axi {
  rd r[READS];
  unsigned nr;
  wrt w[WRITES];
  unsigned nw;
  int r_now, b_now;  // entry on the channel, -1 none
  uint64_t bad_lo, bad_hi, flawed_lo, flawed_hi;
  bool failed;  // an error response has no record yet
  uint64_t since;
};

struct axi *axi_new(void) {
  struct axi *a = calloc(1, sizeof *a);
  if (a) a->r_now = a->b_now = -1;
  return a;
}

void axi_free(struct axi *a) {
  if (!a) return;
  for (unsigned i = 0; i < WRITES; i++) free(a->w[i].data);
  free(a);
}

void axi_set_bad(bench *b, uint64_t lo, uint64_t hi) {
  b->axi->bad_lo = lo;
  b->axi->bad_hi = hi;
}

void axi_set_flawed(bench *b, uint64_t lo, uint64_t hi) {
  b->axi->flawed_lo = lo;
  b->axi->flawed_hi = hi;
}

bool axi_bad(const bench *b, uint64_t addr) {
  const struct axi *a = b->axi;
  return (addr >= a->bad_lo && addr < a->bad_hi) ||
         (addr >= a->flawed_lo && addr < a->flawed_hi && (addr >> 12 & 3) == 3);
}

bool axi_idle(const bench *b) { return !b->axi->nr && !b->axi->nw; }

bool axi_writes(const bench *b) { return b->axi->nw; }

// SLVERR in one cycle, DECERR in the next.
static uint8_t response(const bench *b, bool bad, unsigned slverr, unsigned decerr) {
  if (!bad) return 0;
  bool odd = b->cycle & 1;
  aa_reach(b, odd ? decerr : slverr);
  return odd ? 3 : 2;
}

// ERR-1: the record of an error response comes soon, and no other response is taken before it.
static void recorded_in_time(bench *b, bool answered) {
  struct axi *a = b->axi;
  if (!a->failed) return;
  if (answered) bench_fail(b, "aa_axi_err", "a response is taken\nwant the record of the one before, an error, first");
  if (b->cycle - a->since > RECORD)
    bench_fail(b, "aa_axi_err", "got no record of an error response for %u cycles\nwant one within %u",
               (unsigned)(b->cycle - a->since), RECORD);
}

void axi_recorded(bench *b) { b->axi->failed = false; }

// An entry that may be answered now: due, and the oldest of its id. Starts at a random place, so ids
// overtake each other.
static int pick_read(bench *b) {
  struct axi *a = b->axi;
  uint8_t seen[32] = {0};
  int best = -1;
  unsigned skip = a->nr > 1 ? rng_below(&b->rng, a->nr) : 0;
  for (unsigned i = 0; i < a->nr; i++) {
    uint8_t id = a->r[i].id;
    if (seen[id >> 3] >> (id & 7) & 1) continue;
    seen[id >> 3] |= (uint8_t)(1u << (id & 7));
    if (a->r[i].due > b->cycle) continue;
    best = (int)i;
    if (i >= skip) break;
  }
  return best;
}

static int pick_write(bench *b) {
  struct axi *a = b->axi;
  uint8_t seen[32] = {0};
  int best = -1;
  unsigned skip = a->nw > 1 ? rng_below(&b->rng, a->nw) : 0;
  for (unsigned i = 0; i < a->nw; i++) {
    uint8_t id = a->w[i].id;
    if (seen[id >> 3] >> (id & 7) & 1) continue;
    seen[id >> 3] |= (uint8_t)(1u << (id & 7));
    if (!a->w[i].full || a->w[i].due > b->cycle) continue;
    best = (int)i;
    if (i >= skip) break;
  }
  return best;
}

static void apply(bench *b, const wrt *w) {
  unsigned bytes = b->hw.DataW / 8, step = 1u << w->size;
  for (unsigned i = 0; i <= w->len; i++) {
    uint64_t base = (w->addr & ~(uint64_t)(step - 1)) + (uint64_t)i * step;
    base &= ~(uint64_t)(bytes - 1);
    for (unsigned k = 0; k < bytes;) {
      unsigned n = 0;
      while (k + n < bytes && w->strb[i * bytes + k + n]) n++;
      if (n && !w->bad) mem_write(b->mem, base + k, w->data + i * bytes + k, n);
      k += n ? n : 1;
    }
  }
}

void axi_drive(bench *b) {
  struct axi *a = b->axi;
  unsigned bytes = b->hw.DataW / 8;
  *b->pin.m_axi_arready = a->nr < READS && rng_p(&b->rng, b->prof.p_ar);
  *b->pin.m_axi_awready = a->nw < WRITES && rng_p(&b->rng, b->prof.p_aw);
  *b->pin.m_axi_wready = rng_p(&b->rng, b->prof.p_w);
  if (a->r_now < 0 && a->nr && rng_p(&b->rng, b->prof.p_r) && (a->r_now = pick_read(b)) >= 0) {
    rd *r = &a->r[a->r_now];
    uint64_t at = r->addr + ((uint64_t)r->beat << r->size);
    bool bad = axi_bad(b, at);
    uint8_t line[64];
    for (unsigned i = 0; i < bytes; i++) line[i] = (uint8_t)(0x5A ^ i);  // lanes that were not asked for
    unsigned n = 1u << r->size;
    mem_read(b->mem, at, line + (at & (bytes - 1)), n);  // what is answered with an error looks right all the same
    memcpy(b->pin.m_axi_rdata, line, bytes);
    *b->pin.m_axi_rid = r->id;
    *b->pin.m_axi_rresp = response(b, bad, AT_READ_SLVERR, AT_READ_DECERR);
    *b->pin.m_axi_rlast = r->beat == r->len;
    b->stats.axi_reads++;
    if (b->backend == BENCH_BOTH) aa_lock_axi_read(b->lock, r->id, at, line + (at & (bytes - 1)), n, bad);
    if (b->snoop) aa_snoop_axi_read(b->snoop, at, line + (at & (bytes - 1)), n, bad);
  }
  *b->pin.m_axi_rvalid = a->r_now >= 0;
  if (a->b_now < 0 && a->nw && rng_p(&b->rng, b->prof.p_b) && (a->b_now = pick_write(b)) >= 0) {
    wrt *w = &a->w[a->b_now];
    apply(b, w);
    *b->pin.m_axi_bid = w->id;
    *b->pin.m_axi_bresp = response(b, w->bad, AT_WRITE_SLVERR, AT_WRITE_DECERR);
    b->stats.axi_writes++;
  }
  *b->pin.m_axi_bvalid = a->b_now >= 0;
}

static uint64_t get64(const uint8_t *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

void axi_sample(bench *b) {
  struct axi *a = b->axi;
  unsigned bytes = b->hw.DataW / 8;
  if (*b->pin.m_axi_rvalid && *b->pin.m_axi_rready) {
    rd *r = &a->r[a->r_now];
    if (r->beat++ == r->len) {
      memmove(r, r + 1, (size_t)(a->nr - (unsigned)a->r_now - 1) * sizeof *r);
      a->nr--;
    }
    a->r_now = -1;
  }
  recorded_in_time(b, *b->pin.m_axi_bvalid && *b->pin.m_axi_bready);
  if (*b->pin.m_axi_bvalid && *b->pin.m_axi_bready) {
    wrt *w = &a->w[a->b_now], keep = *w;
    if (w->bad) a->failed = true, a->since = b->cycle;
    if (b->backend == BENCH_BOTH) aa_lock_axi_answer(b->lock, w->id, w->bad);
    memmove(w, w + 1, (size_t)(a->nw - (unsigned)a->b_now - 1) * sizeof *w);
    keep.full = false;
    a->w[--a->nw] = keep;  // its buffer is used again
    a->b_now = -1;
  }
  if (*b->pin.m_axi_arvalid && *b->pin.m_axi_arready) {
    rd r = {.id = *b->pin.m_axi_arid,
            .addr = get64(b->pin.m_axi_araddr),
            .len = *b->pin.m_axi_arlen,
            .size = *b->pin.m_axi_arsize,
            .due = b->cycle + rng_range(&b->rng, b->prof.axi_min, b->prof.axi_max)};
    if ((1u << r.size) > bytes || (r.addr & ((1u << r.size) - 1)) ||
        (r.addr & 4095) + ((uint64_t)(r.len + 1) << r.size) > 4096 || *b->pin.m_axi_arburst > 1)
      bench_fail(b, "m_axi", "read of %" PRIx64 ", len %u, size %u is not legal", r.addr, r.len, r.size);
    if (*b->pin.m_axi_arcache != CFG_AxiCache || *b->pin.m_axi_arprot != PROT)
      bench_fail(b, "m_axi", "read of %" PRIx64 ": arcache %x, arprot %x", r.addr, *b->pin.m_axi_arcache,
                 *b->pin.m_axi_arprot);
    a->r[a->nr++] = r;
  }
}

static void check_write(bench *b, wrt *w) {
  unsigned bytes = b->hw.DataW / 8, step = 1u << w->size;
  w->full = true;
  w->due = b->cycle + rng_range(&b->rng, b->prof.axi_min, b->prof.axi_max);
  w->bad = axi_bad(b, w->addr);
  if ((w->addr & 4095) + (uint64_t)(w->len + 1) * step - (w->addr & (step - 1)) > 4096)
    bench_fail(b, "m_axi", "write of %" PRIx64 ", len %u crosses 4 KiB", w->addr, w->len);
  if (b->backend != BENCH_BOTH) return;
  for (unsigned i = 0; i <= w->len; i++) {
    uint64_t base = ((w->addr & ~(uint64_t)(step - 1)) + (uint64_t)i * step) & ~(uint64_t)(bytes - 1);
    for (unsigned k = 0; k < bytes;) {
      unsigned n = 0;
      while (k + n < bytes && w->strb[i * bytes + k + n]) n++;
      if (n) {
        if (base + k < w->addr) bench_fail(b, "m_axi", "write strobes below the address %" PRIx64, w->addr);
        aa_lock_axi_write(b->lock, w->id, base + k, w->data + i * bytes + k, n, false);
      }
      k += n ? n : 1;
    }
  }
  aa_lock_axi_write(b->lock, w->id, w->addr, NULL, 0, true);
}

void axi_sample_writes(bench *b) {
  struct axi *a = b->axi;
  unsigned bytes = b->hw.DataW / 8;
  if (*b->pin.m_axi_awvalid && *b->pin.m_axi_awready) {
    wrt *w = NULL;
    for (unsigned i = 0; i < a->nw && !w; i++)
      if (a->w[i].len == ~0u) w = &a->w[i];  // its data came first
    if (!w) {
      w = &a->w[a->nw++];
      w->beat = 0;
    }
    w->id = *b->pin.m_axi_awid;
    w->addr = get64(b->pin.m_axi_awaddr);
    w->len = *b->pin.m_axi_awlen;
    w->size = *b->pin.m_axi_awsize;
    if ((1u << w->size) > bytes || *b->pin.m_axi_awburst != 1)
      bench_fail(b, "m_axi", "write of %" PRIx64 ": size %u, burst %u", w->addr, w->size, *b->pin.m_axi_awburst);
    if (*b->pin.m_axi_awcache != (w->addr >> 20 == 0xfee ? 0 : CFG_AxiCache) || *b->pin.m_axi_awprot != PROT)
      bench_fail(b, "m_axi", "write of %" PRIx64 ": awcache %x, awprot %x", w->addr, *b->pin.m_axi_awcache,
                 *b->pin.m_axi_awprot);
    if (w->full && w->beat != w->len + 1)
      bench_fail(b, "m_axi", "wlast in beat %u of %u", w->beat, w->len + 1);
    else if (w->full)
      check_write(b, w);
  }
  if (*b->pin.m_axi_wvalid && *b->pin.m_axi_wready) {
    wrt *w = NULL;
    for (unsigned i = 0; i < a->nw && !w; i++)
      if (!a->w[i].full) w = &a->w[i];
    if (!w) {
      if (a->nw == WRITES) {
        bench_fail(b, "m_axi", "write data runs far ahead of addresses");
        return;
      }
      w = &a->w[a->nw++];
      w->beat = 0;
      w->len = ~0u;
      w->due = ~0ULL;
    }
    if (w->beat == w->room) {
      w->room = w->room ? 2 * w->room : 4;
      uint8_t *d = realloc(w->data, (size_t)w->room * bytes * 2);
      if (!d) abort();
      w->data = d;
      w->strb = d + (size_t)w->room * bytes;
      if (w->beat) memmove(w->strb, d + (size_t)w->beat * bytes, (size_t)w->beat * bytes);
    }
    memcpy(w->data + w->beat * bytes, b->pin.m_axi_wdata, bytes);
    for (unsigned i = 0; i < bytes; i++) w->strb[w->beat * bytes + i] = b->pin.m_axi_wstrb[i >> 3] >> (i & 7) & 1;
    w->beat++;
    bool last = *b->pin.m_axi_wlast;
    if (w->len != ~0u && last != (w->beat == w->len + 1))
      bench_fail(b, "m_axi", "wlast %d in beat %u of %u", last, w->beat, w->len + 1);
    if (last) {
      w->full = true;
      if (w->len != ~0u) check_write(b, w);
    }
  }
}
