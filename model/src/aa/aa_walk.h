// SPDX-License-Identifier: Apache-2.0
/* The walk through the levels of the page tables: from the lowest pointer that the paging-structure cache has, to a
 * leaf or what else ends it, and into the caches. It stands in a header because two have a copy within themselves:
 * aa_xlt.c, where a walk of the hardware begins and ends, and the short way of aa_submit.c, for which a call would cost
 * more than a level. */
#ifndef TOCSIN_AA_WALK_H
#define TOCSIN_AA_WALK_H

#include "../le.h"
#include "tocsin/aa_xlt.h"

enum { AA_SHIFT2 = 21, AA_SHIFT3 = 30 }; /* of the address bits that a level's entries are found by */

/* Where a walk starts: below the lowest table pointer that the paging-structure cache has, or at the top. */
typedef struct aa_start {
  uint64_t table; /* and R, W accumulated */
  unsigned level;
} aa_start;

/* XLT-9. */
static AA_HOT aa_start aa_walk_from(const aa_xlt *x, const aa_ctx_entry *c, uint64_t iova) {
  if (x->psc_on) {
    const aa_psc_entry *p = &x->psc[0][iova >> AA_SHIFT2 & x->psc_mask];
    if (p->key == (c->owner | iova >> AA_SHIFT2)) return (aa_start){p->table, 1};
    p = &x->psc[1][iova >> AA_SHIFT3 & x->psc_mask];
    if (p->key == (c->owner | iova >> AA_SHIFT3)) return (aa_start){p->table, 2};
  }
  return (aa_start){c->table, 4};
}

/* Of a set that has an invalid way the lowest of those, else one at random. */
aa_tlb_way *aa_tlb_vacant(const aa_tlb *t, aa_tlb_set *s);

/* A tag gets its own way if it has one (absent: it has not), a vacant one, or the oldest. XLT-5. */
static AA_HOT void aa_tlb_fill(aa_tlb *t, uint64_t tag, uint64_t leaf, bool absent) {
  aa_tlb_set *s = aa_tlb_set_of(t, tag);
  aa_tlb_way *w = absent ? NULL : aa_tlb_find(t, tag);
  if (!w && !s->invalid && !t->random) {
    w = s->newest = s->newest->newer; /* the oldest: the ring turns */
  } else {
    if (!w) w = aa_tlb_vacant(t, s);
    aa_tlb_touch(s, w);
    if (t->random) {
      unsigned q = t->lfsr;
      t->lfsr = (uint16_t)(q >> 1 | ((q ^ q >> 2 ^ q >> 3 ^ q >> 5) & 1u) << 15);
    }
  }
  w->tag = tag;
  w->leaf = leaf;
}

/* A walk under way through the levels. */
typedef struct aa_pass {
  aa_xlt *x;
  const aa_ctx_entry *c;
  unsigned slot;
  uint64_t iova;
  uint64_t table;  /* to read */
  uint64_t rights; /* bits 1:0: R and W of all entries so far */
  uint64_t entry;
  uint64_t found; /* at the end: a leaf, or AA_LEAF_NONE */
} aa_pass;
#define AA_RESERVED 0x400f000000000800ull
enum { AA_LARGE = 0x80, AA_FAULT_READ = 0x7, AA_FAULT_RESERVED = 0xc };

static inline bool aa_walk_found(aa_pass *s, uint64_t what) {
  s->found = what;
  return false;
}

static AA_HOT bool aa_walk_read(aa_pass *s, unsigned level) {
  uint8_t b[8];
  uint64_t index = s->iova >> 9 * level & 0xff8;
  if (!s->x->rd(s->x->rd_ctx, s->slot, s->table | index, b, 8)) return aa_walk_found(s, AA_LEAF_NONE | AA_FAULT_READ);
  s->entry = le64(b);
  return true;
}

/* A leaf: into its TLB, if it is good. XLT-18, XLT-19. */
static AA_HOT bool aa_walk_leaf(aa_pass *s, unsigned level, bool absent) {
  aa_xlt *x = s->x;
  uint64_t e = s->entry, inside = (0x1000ull << 9 * (level - 1)) - 0x1000; /* address bits below the page size */
  uint64_t moved = level == 1 ? e : (e & ~0x80ull) | (e & 8) << 4;         /* WL is elsewhere in a large page */
  uint64_t aa_bits = (moved >> 5 & 0x3c) | (e >> 57 & 0x40);
  if (!(e & 3) && !aa_leaf_seen(x, s->c, aa_bits)) return aa_walk_found(s, AA_LEAF_NONE);
  if (e & (AA_RESERVED | inside)) return aa_walk_found(s, AA_LEAF_NONE | AA_FAULT_RESERVED);
  uint64_t kept = (e & (AA_LEAF_FRAME | AA_LEAF_IUID)) | aa_bits | (s->rights & e & 3);
  uint64_t tag = s->c->owner | s->iova >> 12;
  if (level == 1) {
    aa_tlb_fill(&x->iotlb, tag, kept, absent);
  } else {
    x->sp_used = true;
    aa_tlb_fill(&x->sp, level == 2 ? tag & ~0x1ffull : (tag & ~0x3ffffull) | AA_TAG_1G, kept, absent);
  }
  return aa_walk_found(s, aa_leaf_seen(x, s->c, kept | (s->iova & inside)));
}

/* The end at an entry of level 4, 3 or 2 that is no table: what was found. */
uint64_t aa_walk_no_table(aa_pass *s, unsigned level, bool absent);

/* An entry of level 4, 3 or 2: true, and down to the next table, or false with what was found. XLT-17. */
static AA_HOT bool aa_walk_down(aa_pass *s, unsigned level, bool absent) {
  if (!aa_walk_read(s, level)) return false;
  uint64_t e = s->entry;
  if ((e & (AA_RESERVED | AA_LARGE)) || !(e & 3)) {
    aa_pass end = {.x = s->x, .c = s->c, .iova = s->iova, .rights = s->rights, .entry = e};
    return aa_walk_found(s, aa_walk_no_table(&end, level, absent));
  }
  s->table = e & AA_LEAF_FRAME;
  s->rights &= e;
  if (level < 4) {
    uint64_t bits = s->iova >> (3 + 9 * level);
    aa_psc_entry *p = &s->x->psc[level - 2][bits & s->x->psc_mask];
    p->key = s->c->owner | bits;
    p->table = s->table | (s->rights & 3);
  }
  return true;
}

/* The levels, from where the walk starts: the leaf, or AA_LEAF_NONE. Fills the caches. XLT-8. */
static AA_HOT uint64_t aa_walk_levels(aa_xlt *x, const aa_ctx_entry *c, aa_start from, uint64_t iova, unsigned slot,
                                      bool absent) {
  aa_pass s = {x, c, slot, iova, from.table & AA_LEAF_FRAME, from.table, 0, 0};
  switch (from.level) {
    case 4:
      if (!aa_walk_down(&s, 4, absent)) return s.found;
      /* fall through */
    case 3: /* a walk does not start here, but passes */
      if (!aa_walk_down(&s, 3, absent)) return s.found;
      /* fall through */
    case 2:
      if (!aa_walk_down(&s, 2, absent)) return s.found;
      /* fall through */
    default:
      if (aa_walk_read(&s, 1)) aa_walk_leaf(&s, 1, absent);
      return s.found;
  }
}

/* At once, by walker 0 with x->rd, for a page below 2^48 that is in no TLB. */
static AA_HOT uint64_t aa_walk_page(aa_xlt *x, const aa_ctx_entry *c, uint64_t iova) {
  x->gen += AA_GEN;
  return aa_walk_levels(x, c, aa_walk_from(x, c, iova), iova, 0, true);
}

#endif
