// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_xlt.h"

#include <stdlib.h>
#include <string.h>

#include "le.h"

static aa_status tlb_init(aa_tlb *t, unsigned entries, unsigned ways, bool random) {
  t->ways = ways;
  t->set_mask = entries / ways - 1;
  t->random = random;
  t->lfsr = 0xace1;
  t->tag = calloc(entries, sizeof *t->tag);
  t->leaf = calloc(entries, sizeof *t->leaf);
  t->age = calloc(entries, sizeof *t->age);
  if (!t->tag || !t->leaf || !t->age) return AA_E_NOMEM;
  for (unsigned i = 0; i < entries; i++) t->age[i] = (uint8_t)(i % ways);
  return AA_OK;
}

static void tlb_free(aa_tlb *t) {
  free(t->tag);
  free(t->leaf);
  free(t->age);
}

aa_status aa_xlt_init(aa_xlt *x, const aa_config *cfg) {
  memset(x, 0, sizeof *x);
  x->ctx_mask = cfg->CtxEntries - 1;
  x->walkers = cfg->Walkers;
  x->psc_on = cfg->PscEntries != 0;
  x->psc_mask = x->psc_on ? cfg->PscEntries - 1 : 0;
  x->ctx = calloc(cfg->CtxEntries, sizeof *x->ctx);
  x->walk = calloc(cfg->Walkers, sizeof *x->walk);
  x->psc[0] = calloc(x->psc_mask + 1, sizeof *x->psc[0]);
  x->psc[1] = calloc(x->psc_mask + 1, sizeof *x->psc[1]);
  if (!x->ctx || !x->walk || !x->psc[0] || !x->psc[1] ||
      tlb_init(&x->iotlb, cfg->IotlbEntries, cfg->IotlbWays, cfg->IotlbRandom) != AA_OK ||
      tlb_init(&x->sp, cfg->SpEntries, cfg->SpEntries, false) != AA_OK)
    return AA_E_NOMEM;
  return AA_OK;
}

void aa_xlt_free(aa_xlt *x) {
  free(x->ctx);
  free(x->walk);
  free(x->psc[0]);
  free(x->psc[1]);
  tlb_free(&x->iotlb);
  tlb_free(&x->sp);
}

unsigned aa_xlt_peek_sp(const aa_xlt *x, const aa_look *k, uint64_t tag, uint64_t *leaf, unsigned *where) {
  const aa_tlb *t = &x->sp;
  if (!t->used) return AA_HIT_MISS;
  uint64_t tag2m = tag & ~0x1ffull, tag1g = (tag & ~0x3ffffull) | AA_TAG_1G;
  for (unsigned w = 0; w < t->ways; w++)
    if (t->tag[w] == tag2m || t->tag[w] == tag1g) {
      uint64_t inside = (t->tag[w] & AA_TAG_1G) ? 0x3ffff000u : 0x1ff000u;
      *where = w;
      *leaf = t->leaf[w] | (k->iova & inside);
      return AA_HIT_SP;
    }
  return AA_HIT_MISS;
}

/* ---- replacement ---------------------------------------------------------------------------------------------------- */

/* The way for a tag: the match, else the lowest invalid one, else by age or at random. */
static unsigned victim(const aa_tlb *t, const uint64_t *tag, const uint8_t *age, uint64_t want) {
  unsigned ways = t->ways, invalid = ways, oldest = 0;
  for (unsigned w = 0; w < ways; w++) {
    if (tag[w] == want) return w;
    if (!tag[w] && invalid == ways) invalid = w;
    if (age[w] == ways - 1) oldest = w;
  }
  return invalid < ways ? invalid : t->random ? t->lfsr & (ways - 1) : oldest;
}

static void tlb_fill(aa_tlb *t, unsigned set, uint64_t tag, uint64_t leaf) {
  unsigned base = set * t->ways, where = base + victim(t, t->tag + base, t->age + base, tag);
  if (t->random) {
    unsigned q = t->lfsr;
    t->lfsr = (uint16_t)(q >> 1 | ((q ^ q >> 2 ^ q >> 3 ^ q >> 5) & 1u) << 15);
  }
  t->used = true;
  t->tag[where] = tag;
  t->leaf[where] = leaf;
  aa_tlb_touch(t, where);
}

/* ---- walk ----------------------------------------------------------------------------------------------------------- */

static uint64_t psc_key(unsigned did, uint64_t iova, unsigned level) {
  return AA_TAG_VALID | (uint64_t)did << 36 | iova >> (level == 2 ? 21 : 30);
}

static aa_psc_entry *psc_at(const aa_xlt *x, uint64_t iova, unsigned level) {
  return &x->psc[level - 2][(iova >> (level == 2 ? 21 : 30)) & x->psc_mask];
}

/* Where a walk starts: below the lowest table pointer that the paging-structure cache has, or at the top. */
typedef struct start {
  uint64_t table;
  unsigned level, rw;
} start;

static inline start find_start(const aa_xlt *x, const aa_ctx_entry *c, uint64_t iova) {
  for (unsigned level = 2; level <= 3 && x->psc_on && !(iova >> 48); level++) {
    const aa_psc_entry *p = psc_at(x, iova, level);
    if (p->key == psc_key(c->did, iova, level)) return (start){p->table, level - 1, p->rw};
  }
  return (start){c->table, 4, 3};
}

void aa_xlt_walk_start(aa_xlt *x, unsigned slot, unsigned lane, uint32_t num, const aa_look *k) {
  aa_walk *w = &x->walk[slot];
  const aa_ctx_entry *c = &x->ctx[aa_ctx_index(x, k->sid)];
  w->active = true;
  w->lane = (uint8_t)lane;
  w->num = num;
  w->look = *k;
  w->ctx_hit = c->key == (0x10000u | k->sid);
  if (!w->ctx_hit) return;
  start from = find_start(x, c, k->iova);
  w->ctx = *c;
  w->table = from.table;
  w->level = (uint8_t)from.level;
  w->rw = (uint8_t)from.rw;
}

/* Root and context entry: 0 and *c, or the fault. */
static unsigned read_context(const aa_xlt *x, unsigned slot, unsigned sid, aa_read_fn *rd, void *ctx, aa_ctx_entry *c) {
  uint8_t b[16];
  c->fpd = false;
  if (!rd(ctx, slot, (x->root & AA_LEAF_FRAME) + (uint64_t)(sid >> 8) * 16, b, 16)) return 0x8;
  uint64_t lo = le64(b), hi = le64(b + 8);
  if (!(lo & 1)) return 0x1;
  if ((lo & 0xffff000000000ffeull) || hi) return 0xa;
  if (!rd(ctx, slot, (lo & AA_LEAF_FRAME) + (uint64_t)(sid & 0xff) * 16, b, 16)) return 0x9;
  lo = le64(b);
  hi = le64(b + 8);
  c->fpd = lo >> 1 & 1;
  if (!(lo & 1)) return 0x2;
  if ((lo & 0xffff000000000ff0ull) || (hi & 0xffffffffff000080ull)) return 0xb;
  c->tt = (uint8_t)(lo >> 2 & 3);
  if ((c->tt & 1) || (hi & 7) != 2) return 0x3;
  c->key = 0x10000u | sid;
  c->did = (uint16_t)(hi >> 8);
  c->aa = hi >> 3 & 1;
  c->nointr = hi >> 4 & 1;
  c->table = lo & AA_LEAF_FRAME;
  return 0;
}

/* The levels, from where the walk starts: 0 and the leaf, or the fault. Fills the caches. */
static inline unsigned read_levels(aa_xlt *x, const aa_ctx_entry *c, start from, uint64_t iova, bool write,
                                   unsigned slot, aa_read_fn *rd, void *ctx, uint64_t *leaf) {
  const uint64_t reserved = 0x400f000000000800ull;
  uint64_t table = from.table, e, inside;
  unsigned rw = from.rw, level = from.level, shift = 12 + 9 * (level - 1);
  bool aa = c->aa && x->aae;
  uint8_t b[8];

  for (;; level--, shift -= 9) {
    if (!rd(ctx, slot, table + (iova >> shift & 0x1ff) * 8, b, 8)) return 0x7;
    e = le64(b);
    if (level == 1 || ((e & 0x80) && level < 4)) break;
    if (!(e & 3)) return write ? 5 : 6;
    if (e & (level == 4 ? reserved | 0x80 : reserved)) return 0xc;
    rw &= (unsigned)e;
    table = e & AA_LEAF_FRAME;
    if (level < 4 && x->psc_on) {
      uint64_t upper = iova >> shift;
      aa_psc_entry *p = &x->psc[level - 2][upper & x->psc_mask];
      p->key = AA_TAG_VALID | (uint64_t)c->did << 36 | upper;
      p->table = table;
      p->rw = (uint8_t)rw;
    }
  }
  unsigned aa_bits = (unsigned)((e >> (level == 1 ? 7 : 3) & 1) << 2 | (e >> 8 & 7) << 3 | (e >> 63) << 6);
  if (!(e & 3) && !(aa && aa_bits)) return write ? 5 : 6;
  inside = (1ull << shift) - 0x1000; /* address bits below the page size */
  if (e & (reserved | inside)) return 0xc;
  uint64_t kept = (e & (AA_LEAF_FRAME | AA_LEAF_IUID)) | aa_bits | (rw & (unsigned)e & 3u);
  uint64_t tag = AA_TAG_VALID | (uint64_t)c->did << 36 | iova >> 12;
  if (level == 1)
    tlb_fill(&x->iotlb, (unsigned)(iova >> 12) & x->iotlb.set_mask, tag, kept);
  else
    tlb_fill(&x->sp, 0, level == 2 ? tag & ~0x1ffull : (tag & ~0x3ffffull) | AA_TAG_1G, kept);
  *leaf = (kept | (iova & inside)) & (aa ? ~0ull : ~AA_LEAF_AA);
  return 0;
}

unsigned aa_xlt_walk_now(aa_xlt *x, const aa_ctx_entry *c, uint64_t iova, bool write, aa_read_fn *rd, void *ctx,
                         uint64_t *leaf) {
  x->gen++;
  return read_levels(x, c, find_start(x, c, iova), iova, write, 0, rd, ctx, leaf);
}

void aa_xlt_walk_end(aa_xlt *x, unsigned slot, aa_read_fn *rd, void *ctx, aa_xlate *r, aa_walk_stat *st) {
  aa_walk *w = &x->walk[slot];
  const aa_look *k = &w->look;
  unsigned fault = 0;
  x->gen++;
  w->active = false;
  *r = (aa_xlate){0};
  st->tlb_fill = st->ctx_fill = false;
  if (!w->ctx_hit) {
    fault = read_context(x, slot, k->sid, rd, ctx, &w->ctx);
    if (!fault) {
      x->ctx[aa_ctx_index(x, k->sid)] = w->ctx;
      w->table = w->ctx.table;
      w->level = 4;
      w->rw = 3;
      st->ctx_fill = true;
    }
  }
  r->fpd = w->ctx.fpd;
  if (k->at) {
    fault = fault ? fault : 0xd;
  } else if (k->intr) {
    r->bypass = true;
    r->nointr = !fault && w->ctx.nointr;
    fault = 0;
  } else if (!fault && w->ctx.tt == 2) {
    r->bypass = true;
  } else if (!fault && k->iova >> 48) {
    fault = 0x4;
  } else if (!fault) {
    fault = read_levels(x, &w->ctx, (start){w->table, w->level, w->rw}, k->iova, k->write, slot, rd, ctx, &r->leaf);
    st->tlb_fill = !fault;
  }
  r->fault = (uint8_t)fault;
  st->fault = fault != 0;
}

bool aa_xlt_walking(const aa_xlt *x, const aa_look *k) {
  for (unsigned i = 0; i < x->walkers; i++)
    if (x->walk[i].active && x->walk[i].look.sid == k->sid && x->walk[i].look.iova >> 12 == k->iova >> 12) return true;
  return false;
}

/* ---- invalidation --------------------------------------------------------------------------------------------------- */

void aa_xlt_forget_walks(aa_xlt *x) {
  for (unsigned i = 0; i < x->walkers; i++) x->walk[i].active = false;
}

static void invalidate_tlb(aa_tlb *t, bool sp, const aa_inval *v) {
  size_t n = (size_t)(t->set_mask + 1) * t->ways;
  for (size_t i = 0; i < n; i++) {
    uint64_t tag = t->tag[i], page = tag & 0xfffffffffull;
    uint64_t span = !sp ? 0 : (tag & AA_TAG_1G) ? 0x3ffff : 0x1ff;
    uint64_t mask = span | ((1ull << v->am) - 1);
    bool same_did = (uint16_t)(tag >> 36) == v->did;
    bool overlap = (page & ~mask) == (v->addr >> 12 & ~mask);
    if (v->gran == 1 || (same_did && (v->gran == 2 || overlap))) t->tag[i] = 0;
  }
}

void aa_xlt_invalidate(aa_xlt *x, const aa_inval *v) {
  x->gen++;
  if (v->ctx) {
    static const uint16_t ignore[4] = {0, 4, 6, 7};
    uint16_t mask = (uint16_t)~ignore[v->fm & 3];
    for (unsigned i = 0; i <= x->ctx_mask; i++) {
      aa_ctx_entry *c = &x->ctx[i];
      bool dev = ((c->key ^ v->sid) & mask) == 0;
      if (v->gran == 1 || (c->did == v->did && (v->gran == 2 || dev))) c->key = 0;
    }
    return;
  }
  invalidate_tlb(&x->iotlb, false, v);
  invalidate_tlb(&x->sp, true, v);
  for (unsigned l = 0; l < 2 && !(v->gran == 3 && v->ih); l++)
    for (unsigned i = 0; i <= x->psc_mask; i++)
      if (v->gran == 1 || (uint16_t)(x->psc[l][i].key >> 36) == v->did) x->psc[l][i].key = 0;
}
