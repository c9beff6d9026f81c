// SPDX-License-Identifier: Apache-2.0
#include "tocsin/aa_xlt.h"

#include <stdlib.h>
#include <string.h>

#include "aa_walk.h"

/* IOTLB and superpage TLB: XLT-2, XLT-3. */
static aa_status tlb_init(aa_tlb *t, unsigned entries, unsigned ways, bool random) {
  t->ways = ways;
  t->set_mask = entries / ways - 1;
  t->random = random;
  t->lfsr = 0xace1;
  t->way = calloc(entries, sizeof *t->way);
  t->set = calloc(entries / ways, sizeof *t->set);
  if (!t->way || !t->set) return AA_E_NOMEM;
  for (unsigned i = 0; i < entries; i++) {
    aa_tlb_way *first = &t->way[i - i % ways];
    t->way[i].older = &first[(i + 1) % ways];
    t->way[i].newer = &first[(i + ways - 1) % ways];
    t->set[i / ways] = (aa_tlb_set){first, ways};
  }
  return AA_OK;
}

static void tlb_free(aa_tlb *t) {
  free(t->way);
  free(t->set);
}

/* The caches are empty at once, where hardware clears them: XLT-1, XLT-4, XLT-6. */
aa_status aa_xlt_init(aa_xlt *x, const aa_config *cfg) {
  memset(x, 0, sizeof *x);
  x->ctx_mask = cfg->CtxEntries - 1;
  x->walkers = cfg->Walkers;
  x->seen = aa_leaf_all(false);
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

aa_tlb_way *aa_xlt_find_large(const aa_xlt *x, uint64_t tag) {
  uint64_t tag2m = tag & ~0x1ffull, tag1g = (tag & ~0x3ffffull) | AA_TAG_1G;
  for (aa_tlb_way *w = x->sp.way; w != x->sp.way + x->sp.ways; w++)
    if (w->tag == tag2m || w->tag == tag1g) return w;
  return NULL;
}

/* XLT-5. */
aa_tlb_way *aa_tlb_vacant(const aa_tlb *t, aa_tlb_set *s) {
  aa_tlb_way *w = t->way + (size_t)(s - t->set) * t->ways;
  if (!s->invalid) return w + (t->lfsr & (t->ways - 1));
  s->invalid--;
  while (w->tag) w++;
  return w;
}

/* ---- walk -------------------------------------------------------------------------------------------------------- */

void aa_xlt_walk_start(aa_xlt *x, unsigned slot, unsigned lane, uint32_t num, const aa_lookup *k) {
  aa_walk *w = &x->walk[slot];
  const aa_ctx_entry *c = aa_xlt_context(x, k->sid);
  w->active = true;
  w->lane = (uint8_t)lane;
  w->num = num;
  w->look = *k;
  w->ctx_hit = c != NULL;
  if (!c) return;
  w->ctx = *c;
  if (k->iova >> 48) return; /* no walk */
  aa_start from = aa_walk_from(x, c, k->iova);
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
  c->owner = aa_tag_owner((uint16_t)(hi >> 8));
  c->seen = aa_leaf_all(hi >> 3 & 1);
  c->nointr = hi >> 4 & 1;
  c->table = (lo & AA_LEAF_FRAME) | 3;
  return 0;
}

/* XLT-17. */
uint64_t aa_walk_no_table(aa_pass *s, unsigned level, bool absent) {
  if (level == 4 || !(s->entry & AA_LARGE))
    aa_walk_found(s, AA_LEAF_NONE | ((s->entry & 3) ? AA_FAULT_RESERVED : 0));
  else
    aa_walk_leaf(s, level, absent);
  return s->found;
}

/* What a walk finds for a requester whose context is known (fault 0) or could not be read; AA_WALK_... */
static unsigned finish(aa_xlt *x, const aa_ctx_entry *c, unsigned fault, aa_start from, const aa_lookup *k,
                       unsigned slot, aa_xlate *r) {
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
      uint64_t leaf = aa_walk_levels(x, c, from, k->iova, slot, false);
      aa_xlate_set(r, leaf, k->write);
      return r->fault ? AA_WALK_FAULT : AA_WALK_TLB;
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
      w->table = w->ctx.table;
      w->level = 4;
      st->ctx_fill = true;
    }
  }
  unsigned did = finish(x, &w->ctx, fault, (aa_start){w->table, w->level}, &w->look, slot, r);
  st->fault = did & AA_WALK_FAULT;
  st->tlb_fill = did & AA_WALK_TLB;
}

/* The same for a requester whose context is not in its cache. */
static AA_RARE unsigned walk_all(aa_xlt *x, const aa_lookup *k, aa_xlate *r) {
  aa_walk_stat st;
  aa_xlt_walk_start(x, 0, 0, 0, k);
  aa_xlt_walk_end(x, 0, x->rd, x->rd_ctx, r, &st);
  return (st.fault ? AA_WALK_FAULT : 0u) | (st.tlb_fill ? AA_WALK_TLB : 0u) | (st.ctx_fill ? AA_WALK_CTX : 0u);
}

/* XLT-11, XLT-12, XLT-13. */
unsigned aa_xlt_now(aa_xlt *x, const aa_lookup *k, aa_xlate *r) {
  aa_tlb_way *where;
  unsigned hit = aa_xlt_peek(x, k, r, &where);
  if (hit != AA_HIT_MISS) {
    aa_xlt_touch(x, hit, where);
    return hit;
  }
  const aa_ctx_entry *c = aa_xlt_context(x, k->sid);
  if (!c) return walk_all(x, k, r);
  /* The look-up has seen to everything but the levels. */
  aa_xlate_set(r, k->iova >> 48 ? AA_LEAF_NONE | 4 : aa_walk_page(x, c, k->iova), k->write);
  return r->fault ? AA_WALK_FAULT : AA_WALK_TLB;
}

/* XLT-10. */
bool aa_xlt_walking(const aa_xlt *x, const aa_lookup *k) {
  for (unsigned i = 0; i < x->walkers; i++)
    if (x->walk[i].active && x->walk[i].look.sid == k->sid && x->walk[i].look.iova >> 12 == k->iova >> 12) return true;
  return false;
}

/* ---- invalidation ------------------------------------------------------------------------------------------------ */

/* XLT-21. */
void aa_xlt_forget_walks(aa_xlt *x) {
  for (unsigned i = 0; i < x->walkers; i++) x->walk[i].active = false;
}

/* XLT-23. */
static void invalidate_tlb(aa_tlb *t, bool sp, const aa_inval *v) {
  size_t n = (size_t)(t->set_mask + 1) * t->ways;
  for (size_t i = 0; i < n; i++) {
    uint64_t tag = t->way[i].tag, page = tag & 0xfffffffffull;
    uint64_t span = !sp ? 0 : aa_tag_inside_large(tag) >> 12;
    uint64_t mask = span | ((1ull << v->am) - 1);
    bool same_did = aa_tag_did(tag) == v->did;
    bool overlap = (page & ~mask) == (v->addr >> 12 & ~mask);
    if (tag && (v->gran == 1 || (same_did && (v->gran == 2 || overlap)))) {
      t->way[i].tag = 0;
      t->set[i / t->ways].invalid++;
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
      if (v->gran == 1 || (aa_tag_did(c->owner) == v->did && (v->gran == 2 || dev))) c->key = 0;
    }
    return;
  }
  invalidate_tlb(&x->iotlb, false, v);
  invalidate_tlb(&x->sp, true, v);
  for (unsigned l = 0; l < 2 && !(v->gran == 3 && v->ih); l++)
    for (unsigned i = 0; i <= x->psc_mask; i++)
      if (v->gran == 1 || aa_tag_did(x->psc[l][i].key) == v->did) x->psc[l][i].key = 0;
}
