// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_xlt.h"

#include <stdlib.h>
#include <string.h>

#include "../le.h"

/* IOTLB and superpage TLB: XLT-2, XLT-3. */
static aa_status tlb_init(aa_tlb *t, unsigned entries, unsigned ways, bool random) {
  t->ways = ways;
  t->set_mask = entries / ways - 1;
  t->random = random;
  t->lfsr = 0xace1;
  t->way_mask = t->set_mask ? ways - 1 : ~0u;
  t->tag = calloc(entries, sizeof *t->tag);
  t->leaf = calloc(entries, sizeof *t->leaf);
  t->next = calloc(3 * (size_t)entries, 1);
  t->invalid = calloc(entries, sizeof *t->invalid);
  if (!t->tag || !t->leaf || !t->next || !t->invalid) return AA_E_NOMEM;
  t->prev = t->next + entries;
  t->newest = t->prev + entries;
  for (unsigned i = 0; i < entries; i++) {
    t->next[i] = (uint8_t)((i + 1) % ways);
    t->prev[i] = (uint8_t)((i + ways - 1) % ways);
    t->invalid[i] = (uint16_t)ways;
  }
  return AA_OK;
}

static void tlb_free(aa_tlb *t) {
  free(t->tag);
  free(t->leaf);
  free(t->next);
  free(t->invalid);
}

/* The caches are empty at once, where hardware clears them: XLT-1, XLT-4, XLT-6. */
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

/* The way for a tag: the match (none if it is known to be absent), else the lowest invalid one, else by age or at random. */
/* XLT-5. */
static AA_HOT void tlb_fill(aa_tlb *t, unsigned set, uint64_t tag, uint64_t leaf, bool absent) {
  unsigned base = set * t->ways, way = absent ? t->ways : 0;
  const uint64_t *have = t->tag + base;
  while (way < t->ways && have[way] != tag) way++;
  if (way == t->ways) {
    if (t->invalid[base]) {
      t->invalid[base]--;
      for (way = 0; have[way];) way++;
    } else {
      way = t->random ? t->lfsr & (t->ways - 1) : t->prev[base + t->newest[base]];
    }
  }
  if (t->random) {
    unsigned q = t->lfsr;
    t->lfsr = (uint16_t)(q >> 1 | ((q ^ q >> 2 ^ q >> 3 ^ q >> 5) & 1u) << 15);
  }
  t->used = true;
  t->tag[base + way] = tag;
  t->leaf[base + way] = leaf;
  aa_tlb_touch_way(t, base, way);
}

/* ---- walk ----------------------------------------------------------------------------------------------------------- */

enum { SHIFT2 = 21, SHIFT3 = 30 }; /* of the address bits that a level's entries are found by */

static inline uint64_t owner(unsigned did) { return AA_TAG_VALID | (uint64_t)did << 36; }

/* Where a walk starts: below the lowest table pointer that the paging-structure cache has, or at the top. */
typedef struct start {
  uint64_t table; /* and R, W accumulated */
  unsigned level;
} start;

/* XLT-9. */
static AA_HOT start find_start(const aa_xlt *x, const aa_ctx_entry *c, uint64_t iova) {
  if (x->psc_on && !(iova >> 48)) {
    const aa_psc_entry *p = &x->psc[0][iova >> SHIFT2 & x->psc_mask];
    if (p->key == (owner(c->did) | iova >> SHIFT2)) return (start){p->table, 1};
    p = &x->psc[1][iova >> SHIFT3 & x->psc_mask];
    if (p->key == (owner(c->did) | iova >> SHIFT3)) return (start){p->table, 2};
  }
  return (start){c->table | 3, 4};
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
}

/* Root and context entry: 0 and *c, or the fault. XLT-14, XLT-15. */
static AA_RARE unsigned read_context(const aa_xlt *x, unsigned slot, unsigned sid, aa_read_fn *rd, void *ctx,
                                     aa_ctx_entry *c) {
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

/* A walk under way through the levels. */
typedef struct pass {
  aa_xlt *x;
  unsigned slot;
  uint64_t owner, iova;
  uint64_t table; /* to read */
  unsigned rw;    /* R and W accumulated */
  uint64_t entry;
} pass;
#define RESERVED 0x400f000000000800ull
enum { DOWN = 0, FAULT_READ = 0x7, FAULT_RESERVED = 0xc, LEAF = 0x100, NOTHING = 0x101 };

static AA_HOT bool read_entry(pass *s, unsigned shift) {
  uint8_t b[8];
  if (!s->x->rd(s->x->rd_ctx, s->slot, s->table + (s->iova >> (shift - 3) & 0xff8), b, 8)) return false;
  s->entry = le64(b);
  return true;
}

/* An entry of level 4, 3 or 2: down to the next table, or what ends the walk. XLT-17. */
static AA_HOT unsigned upper(pass *s, unsigned level) {
  unsigned shift = 12 + 9 * (level - 1);
  if (!read_entry(s, shift)) return FAULT_READ;
  uint64_t e = s->entry;
  if (level < 4 && (e & 0x80)) return LEAF;
  if (!(e & 3)) return NOTHING;
  if (e & (level == 4 ? RESERVED | 0x80 : RESERVED)) return FAULT_RESERVED;
  s->table = e & AA_LEAF_FRAME;
  s->rw &= (unsigned)e;
  if (level < 4 && s->x->psc_on) {
    uint64_t bits = s->iova >> shift;
    aa_psc_entry *p = &s->x->psc[level - 2][bits & s->x->psc_mask];
    p->key = s->owner | bits;
    p->table = s->table | s->rw;
  }
  return DOWN;
}

/* The levels, from where the walk starts: 0 and the leaf, or the fault. Fills the caches. XLT-8, XLT-18, XLT-19. */
static AA_HOT unsigned read_levels(aa_xlt *x, const aa_ctx_entry *c, start from, const aa_look *k, unsigned slot,
                                   bool absent, uint64_t *leaf) {
  pass s = {x, slot, owner(c->did), k->iova, from.table & AA_LEAF_FRAME, from.table & 3, 0};
  unsigned end = DOWN, level = from.level;
  switch (level) {
    case 4:
      if ((end = upper(&s, 4)) != DOWN) break;
      level = 3;
      /* fall through */
    case 3: /* a walk does not start here, but passes */
      if ((end = upper(&s, 3)) != DOWN) break;
      level = 2;
      /* fall through */
    case 2:
      if ((end = upper(&s, 2)) != DOWN) break;
      level = 1;
      /* fall through */
    default: end = read_entry(&s, 12) ? LEAF : FAULT_READ; break;
  }
  uint64_t e = s.entry, inside = (0x1000ull << 9 * (level - 1)) - 0x1000; /* address bits below the page size */
  if (end == LEAF) {
    uint64_t moved = level == 1 ? e : (e & ~0x80ull) | (e & 8) << 4; /* WL is elsewhere in a large page */
    uint64_t aa_bits = (moved >> 5 & 0x3c) | (e >> 57 & 0x40);
    bool aa = c->aa && x->aae;
    if ((e & 3) || (aa && aa_bits)) {
      if (e & (RESERVED | inside)) return FAULT_RESERVED;
      uint64_t kept = (e & (AA_LEAF_FRAME | AA_LEAF_IUID)) | aa_bits | (s.rw & (unsigned)e);
      uint64_t tag = s.owner | s.iova >> 12;
      if (level == 1)
        tlb_fill(&x->iotlb, (unsigned)(s.iova >> 12) & x->iotlb.set_mask, tag, kept, absent);
      else
        tlb_fill(&x->sp, 0, level == 2 ? tag & ~0x1ffull : (tag & ~0x3ffffull) | AA_TAG_1G, kept, absent);
      *leaf = (kept | (s.iova & inside)) & (aa ? ~0ull : ~AA_LEAF_AA);
      return 0;
    }
    end = NOTHING;
  }
  return end == NOTHING ? k->write ? 5 : 6 : end;
}

/* What a walk finds for a requester whose context is known (fault 0) or could not be read; AA_WALK_... */
static unsigned finish(aa_xlt *x, const aa_ctx_entry *c, unsigned fault, start from, const aa_look *k, unsigned slot,
                       aa_xlate *r) {
  x->gen += AA_GEN;
  r->leaf = 0;
  r->bypass = r->nointr = false;
  r->fpd = c->fpd;
  if (k->at) {
    fault = fault ? fault : 0xd;
  } else if (k->intr) {
    r->bypass = true;
    r->nointr = !fault && c->nointr;
    fault = 0;
  } else if (!fault) {
    if (c->tt == 2) {
      r->bypass = true;
    } else if (k->iova >> 48) { /* XLT-16 */
      fault = 0x4;
    } else {
      fault = read_levels(x, c, from, k, slot, false, &r->leaf);
      r->fault = (uint8_t)fault;
      return fault ? AA_WALK_FAULT : AA_WALK_TLB;
    }
  }
  r->fault = (uint8_t)fault;
  return fault ? AA_WALK_FAULT : 0;
}

/* XLT-8. */
void aa_xlt_walk_end(aa_xlt *x, unsigned slot, aa_read_fn *rd, void *ctx, aa_xlate *r, aa_walk_stat *st) {
  aa_walk *w = &x->walk[slot];
  unsigned fault = 0;
  x->rd = rd;
  x->rd_ctx = ctx;
  w->active = false;
  st->ctx_fill = false;
  if (!w->ctx_hit) {
    fault = read_context(x, slot, w->look.sid, rd, ctx, &w->ctx);
    if (!fault) {
      x->ctx[aa_ctx_index(x, w->look.sid)] = w->ctx;
      w->table = w->ctx.table | 3;
      w->level = 4;
      st->ctx_fill = true;
    }
  }
  unsigned did = finish(x, &w->ctx, fault, (start){w->table, w->level}, &w->look, slot, r);
  st->fault = did & AA_WALK_FAULT;
  st->tlb_fill = did & AA_WALK_TLB;
}

/* The same for a requester whose context is not in its cache. */
static AA_RARE unsigned walk_all(aa_xlt *x, const aa_look *k, aa_xlate *r) {
  aa_walk_stat st;
  aa_xlt_walk_start(x, 0, 0, 0, k);
  aa_xlt_walk_end(x, 0, x->rd, x->rd_ctx, r, &st);
  return (st.fault ? AA_WALK_FAULT : 0u) | (st.tlb_fill ? AA_WALK_TLB : 0u) | (st.ctx_fill ? AA_WALK_CTX : 0u);
}

/* XLT-11, XLT-12, XLT-13. */
unsigned aa_xlt_now(aa_xlt *x, const aa_look *k, aa_xlate *r, unsigned *where) {
  unsigned hit = aa_xlt_peek(x, k, r, where);
  if (hit != AA_HIT_MISS) {
    aa_xlt_touch(x, hit, *where);
    return hit;
  }
  const aa_ctx_entry *c = &x->ctx[aa_ctx_index(x, k->sid)];
  if (c->key != (0x10000u | k->sid)) return walk_all(x, k, r);
  /* The look-up has seen to everything but the levels. */
  x->gen += AA_GEN;
  unsigned fault = k->iova >> 48 ? 4 : read_levels(x, c, find_start(x, c, k->iova), k, 0, true, &r->leaf);
  r->fault = (uint8_t)fault;
  return fault ? AA_WALK_FAULT : AA_WALK_TLB;
}

/* XLT-10. */
bool aa_xlt_walking(const aa_xlt *x, const aa_look *k) {
  for (unsigned i = 0; i < x->walkers; i++)
    if (x->walk[i].active && x->walk[i].look.sid == k->sid && x->walk[i].look.iova >> 12 == k->iova >> 12) return true;
  return false;
}

/* ---- invalidation --------------------------------------------------------------------------------------------------- */

/* XLT-21. */
void aa_xlt_forget_walks(aa_xlt *x) {
  for (unsigned i = 0; i < x->walkers; i++) x->walk[i].active = false;
}

/* XLT-23. */
static void invalidate_tlb(aa_tlb *t, bool sp, const aa_inval *v) {
  size_t n = (size_t)(t->set_mask + 1) * t->ways;
  for (size_t i = 0; i < n; i++) {
    uint64_t tag = t->tag[i], page = tag & 0xfffffffffull;
    uint64_t span = !sp ? 0 : (tag & AA_TAG_1G) ? 0x3ffff : 0x1ff;
    uint64_t mask = span | ((1ull << v->am) - 1);
    bool same_did = (uint16_t)(tag >> 36) == v->did;
    bool overlap = (page & ~mask) == (v->addr >> 12 & ~mask);
    if (tag && (v->gran == 1 || (same_did && (v->gran == 2 || overlap)))) {
      t->tag[i] = 0;
      t->invalid[i - (i & t->way_mask)]++;
    }
  }
}

/* XLT-22, XLT-23. */
void aa_xlt_invalidate(aa_xlt *x, const aa_inval *v) {
  x->gen += AA_GEN;
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
