// SPDX-License-Identifier: Apache-2.0
// What the tests of the IOMMU's model share: 4 MiB of memory with translation tables, and ears for
// everything that comes out.
#ifndef TOCSIN_TEST_WORLD_H
#define TOCSIN_TEST_WORLD_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "tocsin/aa.h"
#include "tocsin/aa_count.h"
#include "tocsin/aa_regs.h"

enum {
  MEM = 4 << 20,
  ROOT = 0x1000,
  CTX = 0x2000,      // context table of bus 1
  L4 = 0x3000,       // level-4 table of domain 7
  TABLES = 0x10000,  // further tables, taken as needed
  RING = 0x100000,   // log n: RING + n * 0x10000
  PTRS = 0x200000,   // log n's producer pointer: PTRS + 8 * n
  QUEUE = 0x210000,  // invalidation queue
  STATUS = 0x220000,
  SID = 0x0113,
  DID = 7,
  KEEP = 64
};

typedef struct out {
  tlp t;
  unsigned port, src;
  uint8_t data[TLP_MAX_BYTES];
} out;

typedef struct write_rec {
  unsigned src;
  uint64_t addr;
  uint32_t n;
  uint8_t head[16];
} write_rec;

typedef struct world {
  aa *m;
  uint8_t *mem;
  out req[KEEP], cpl[KEEP];
  write_rec wr[KEEP];
  unsigned reqs, cpls, writes, reads;  // all that ever came; the arrays keep the last KEEP
  aa_retire_rec *rec;
  unsigned recs, rec_cap;
  uint64_t bad;        // reads of this address get an error
  uint64_t bad_write;  // so do writes
  uint64_t next_table;
  uint64_t sum;  // of everything that came out, in order
} world;

static inline uint64_t peek64(const world *w, uint64_t at) {
  uint64_t v;
  memcpy(&v, w->mem + at, 8);
  return v;
}
static inline void poke64(world *w, uint64_t at, uint64_t v) { memcpy(w->mem + at, &v, 8); }

static inline void mix(world *w, const void *p, size_t n) {
  const uint8_t *b = p;
  for (size_t i = 0; i < n; i++) w->sum = (w->sum ^ b[i]) * 0x100000001b3ull;
}

static bool world_read(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n) {
  world *w = ctx;
  uint64_t at[2] = {src == AA_SRC_QI, addr};
  mix(w, at, sizeof at);
  w->reads++;
  memset(buf, 0, n);
  if (addr + n > MEM || addr == w->bad) return false;
  memcpy(buf, w->mem + addr, n);
  return true;
}

static bool world_write(void *ctx, unsigned src, uint64_t addr, const void *buf, size_t n) {
  world *w = ctx;
  write_rec *r = &w->wr[w->writes++ % KEEP];
  uint64_t at[2] = {src, addr};
  mix(w, at, sizeof at);
  mix(w, buf, n);
  r->src = src;
  r->addr = addr;
  r->n = (uint32_t)n;
  memcpy(r->head, buf, n < 16 ? n : 16);
  if (addr == w->bad_write) return false;
  if (addr + n <= MEM) memcpy(w->mem + addr, buf, n);
  return true;
}

static inline void keep(world *w, out *o, const tlp *t, unsigned port, unsigned src) {
  uint32_t about[8] = {t->hdr[0], t->hdr[1], t->hdr[2], t->hdr[3], t->ndw, t->seq, port, src | (uint32_t)t->err << 8};
  mix(w, about, sizeof about);
  o->t = *t;
  o->port = port;
  o->src = src;
  if (t->ndw) {
    mix(w, t->data, 4 * (size_t)t->ndw);
    memcpy(o->data, t->data, 4 * (size_t)t->ndw);
  }
  o->t.data = o->data;
}

static void world_req(void *ctx, const tlp *t) {
  world *w = ctx;
  keep(w, &w->req[w->reqs++ % KEEP], t, 0, 0);
}
static void world_cpl(void *ctx, unsigned port, unsigned src, const tlp *t) {
  world *w = ctx;
  keep(w, &w->cpl[w->cpls++ % KEEP], t, port, src);
}
static void world_retire(void *ctx, const aa_retire_rec *r) {
  world *w = ctx;
  if (w->recs == w->rec_cap) {
    w->rec_cap = w->rec_cap ? 2 * w->rec_cap : 256;
    w->rec = realloc(w->rec, w->rec_cap * sizeof *w->rec);
    if (!w->rec) exit(2);
  }
  w->rec[w->recs++] = *r;
}

static const aa_ops world_ops = {world_read, world_write, world_req, world_cpl, world_retire};

static inline out *last_req(world *w) { return &w->req[(w->reqs + KEEP - 1) % KEEP]; }
static inline out *last_cpl(world *w) { return &w->cpl[(w->cpls + KEEP - 1) % KEEP]; }
static inline write_rec *last_write(world *w) { return &w->wr[(w->writes + KEEP - 1) % KEEP]; }

// ---- registers ------------------------------------------------------------------------------------------------------

static inline uint64_t rd(world *w, uint32_t addr) {
  uint64_t v = 0;
  if (aa_reg_read(w->m, addr, 8, &v) != AA_OK) exit(3);
  return v;
}
static inline uint32_t rd32(world *w, uint32_t addr) {
  uint64_t v = 0;
  if (aa_reg_read(w->m, addr, 4, &v) != AA_OK) exit(3);
  return (uint32_t)v;
}
static inline void wr(world *w, uint32_t addr, uint64_t v) {
  if (aa_reg_write(w->m, addr, 8, v) != AA_OK) exit(3);
}
static inline void wr32(world *w, uint32_t addr, uint32_t v) {
  if (aa_reg_write(w->m, addr, 4, v) != AA_OK) exit(3);
}
static inline uint64_t cnt(world *w, unsigned i) { return rd(w, AA_REG_CNT + 8 * i); }
static inline unsigned err_code(world *w) { return (unsigned)(rd(w, AA_REG_AA_ERR_STS) >> 8) & 31; }
static inline unsigned take_err(world *w) {
  unsigned e = err_code(w);
  wr(w, AA_REG_AA_ERR_STS, 1);
  return e;
}
// Reason of the newest fault record, 0 if none; clears all.
static inline unsigned take_fault(world *w) {
  unsigned reason = 0;
  for (unsigned i = 0; i < 8; i++) {
    uint64_t hi = rd(w, AA_REG_FRCDH + 16 * i);
    if (hi >> 63) reason = hi >> 32 & 0xff;
    wr(w, AA_REG_FRCDH + 16 * i, 1ull << 63);
  }
  wr32(w, AA_REG_FSTS, 1);
  return reason;
}

// ---- tables ---------------------------------------------------------------------------------------------------------

#define PTE_R 1ull
#define PTE_W 2ull
#define PTE_WL 0x80ull
#define PTE_WLD 0x100ull
#define PTE_RL 0x200ull
#define PTE_RLD 0x400ull
#define PTE_E (1ull << 63)
#define PTE_IUID(i) ((uint64_t)(i) << 52)

// Address of the entry for iova at a level; makes the tables above it (R = W = 1).
static inline uint64_t entry_at(world *w, uint64_t iova, unsigned level) {
  uint64_t table = L4;
  for (unsigned l = 4; l > level; l--) {
    uint64_t at = table + (iova >> (12 + 9 * (l - 1)) & 511) * 8;
    if (!(peek64(w, at) & 3)) {
      poke64(w, at, w->next_table | 3);
      w->next_table += 0x1000;
    }
    table = peek64(w, at) & 0xfffffffff000ull;
  }
  return table + (iova >> (12 + 9 * (level - 1)) & 511) * 8;
}
static inline void map(world *w, uint64_t iova, uint64_t pte) { poke64(w, entry_at(w, iova, 1), pte); }

static inline void context(world *w, unsigned sid, uint64_t lo, uint64_t hi) {
  poke64(w, CTX + (uint64_t)(sid & 255) * 16, lo);
  poke64(w, CTX + (uint64_t)(sid & 255) * 16 + 8, hi);
}

static inline uint64_t leaf_bits(unsigned v) {  // R W WL WLD RL RLD E, from bit 0
  return (v & 3u) | (uint64_t)(v >> 2 & 15u) << 7 | (uint64_t)(v >> 6 & 1u) << 63;
}

static inline void invalidate_all(world *w) {
  wr(w, AA_REG_CCMD, 1ull << 63 | 1ull << 61);
  wr(w, AA_REG_IVA, 0);
  wr(w, AA_REG_IOTLB, 1ull << 63 | 1ull << 60);
}

// A world with tables, translation and Active Access on. A second one shares nothing with it.
static inline void world_init(world *w, const aa_config *cfg) {
  memset(w, 0, sizeof *w);
  w->mem = calloc(1, MEM);
  w->bad = w->bad_write = ~0ull;
  w->next_table = TABLES;
  if (!w->mem || aa_new(cfg, &world_ops, w, &w->m) != AA_OK) exit(2);
  poke64(w, ROOT + 16, CTX | 1);
  context(w, SID, L4 | 1, 2 | 1 << 3 | DID << 8);
}
static inline void world_on(world *w) {
  wr(w, AA_REG_RTADDR, ROOT);
  wr32(w, AA_REG_GCMD, 1u << 30);
  wr32(w, AA_REG_GCMD, 1u << 31);
  wr32(w, AA_REG_AA_CTL, 0x551);
}
static inline void world_free(world *w) {
  aa_free(w->m);
  free(w->mem);
  free(w->rec);
}

static inline void log_open(world *w, unsigned n, unsigned iuid, unsigned size, uint64_t more) {
  wr(w, AA_REG_LOG_BASE + 64 * n, RING + 0x10000ull * n);
  wr(w, AA_REG_LOG_PTR + 64 * n, PTRS + 8ull * n);
  wr(w, AA_REG_LOG_CFG + 64 * n, iuid | size << 16 | more | 1ull << 63);
}
static inline void log_close(world *w, unsigned n) { wr(w, AA_REG_LOG_CFG + 64 * n, 0); }
static inline uint32_t prod(world *w, unsigned n) { return (uint32_t)rd(w, AA_REG_LP_PROD + 4096 * n); }
static inline uint32_t rsvd(world *w, unsigned n) { return (uint32_t)rd(w, AA_REG_LP_RSVD + 4096 * n); }
static inline uint32_t cons(world *w, unsigned n) { return (uint32_t)rd(w, AA_REG_LP_CONS + 4096 * n); }
static inline void consume(world *w, unsigned n, uint32_t to) { wr(w, AA_REG_LP_CONS + 4096 * n, to); }

// ---- requests -------------------------------------------------------------------------------------------------------

static uint8_t payload[TLP_MAX_BYTES];

static inline tlp request(uint8_t type, unsigned sid, unsigned tag, uint64_t addr, unsigned len, unsigned be) {
  tlp_fields f = {.type = (uint8_t)(type | (addr >> 32 ? TLP_4DW : 0)),
                  .length = (uint16_t)len,
                  .rid = (uint16_t)sid,
                  .tag = (uint16_t)tag,
                  .fbe = be & 15,
                  .lbe = be >> 4 & 15,
                  .addr = addr};
  tlp t = {.seq = (uint8_t)(tag + 1)};
  tlp_pack(&f, t.hdr);
  t.ndw = tlp_data_dw(t.hdr);
  t.data = payload;
  return t;
}
static inline aa_status put(world *w, uint64_t addr, unsigned len, unsigned be) {
  tlp t = request(TLP_MWR32, SID, 0, addr, len, be);
  return aa_submit(w->m, 0, &t);
}
static inline aa_status get(world *w, unsigned tag, uint64_t addr, unsigned len, unsigned be) {
  tlp t = request(TLP_MRD32, SID, tag, addr, len, be);
  return aa_submit(w->m, 0, &t);
}
static inline tlp completion(unsigned sid, unsigned tag, unsigned status, unsigned count, unsigned lower, unsigned ndw,
                             const uint8_t *data) {
  tlp_fields f = {.type = ndw ? TLP_CPLD : TLP_CPL,
                  .length = (uint16_t)ndw,
                  .rid = (uint16_t)sid,
                  .tag = (uint16_t)tag,
                  .status = (uint8_t)status,
                  .byte_count = (uint16_t)count,
                  .lower_addr = (uint8_t)lower};
  tlp t = {.seq = (uint8_t)tag};
  tlp_pack(&f, t.hdr);
  t.ndw = ndw;
  t.data = data ? data : payload;
  return t;
}
// LowerAddress of the completion with which `count` bytes of the answer to a request are still to come; atomics: 0.
static inline unsigned lower_at(const uint32_t h[4], unsigned count) {
  unsigned fbe = h[1] & 15u, all = tlp_byte_count(tlp_length(h), fbe, h[1] >> 4 & 15u);
  if ((tlp_type(h) & ~(unsigned)TLP_4DW) != TLP_MRD32) return 0;
  return ((unsigned)tlp_addr(h) + tlp_first_byte(fbe) + all - count) & 0x7f;
}
// Of the newest request with this tag that wants one.
static inline unsigned lower_of(const world *w, unsigned tag, unsigned count) {
  for (unsigned i = w->reqs; i && i + KEEP > w->reqs; i--) {
    const uint32_t *h = w->req[(i - 1) % KEEP].t.hdr;
    if (tlp_req_tag(h) == tag && (tlp_type(h) & ~(unsigned)TLP_4DW) != TLP_MWR32) return lower_at(h, count);
  }
  return 0;
}
static inline void complete(world *w, unsigned tag, unsigned status, unsigned count, unsigned ndw) {
  tlp t = completion(SID, tag, status, count, lower_of(w, tag, count), ndw, NULL);
  if (aa_complete(w->m, &t) != AA_OK) exit(3);
}

// The ring entry of log n at a free-running position.
typedef struct entry {
  uint64_t addr;
  unsigned iuid, kind, len, fbe, lbe, tag, rid, zero;
  bool denied, aborted, poisoned, data;
} entry;
static inline entry entry_of(const world *w, unsigned n, uint32_t at, unsigned size) {
  uint64_t p = RING + 0x10000ull * n + (at & ((1u << size) - 1)), a = peek64(w, p), i = peek64(w, p + 8);
  entry e = {.addr = a,
             .iuid = i & 1023,
             .zero = i >> 10 & 3,
             .kind = i >> 12 & 7,
             .denied = i >> 15 & 1,
             .aborted = i >> 16 & 1,
             .poisoned = i >> 17 & 1,
             .data = i >> 18 & 1,
             .len = i >> 19 & 0x7ff,
             .fbe = i >> 30 & 15,
             .lbe = i >> 34 & 15,
             .tag = i >> 38 & 1023,
             .rid = (unsigned)(i >> 48)};
  return e;
}

// xorshift, for repeatable randomness
static inline uint32_t rnd(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (uint32_t)(*s >> 16);
}

#endif
