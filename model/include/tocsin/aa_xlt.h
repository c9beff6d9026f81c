// SPDX-License-Identifier: Apache-2.0
/* aa_xlt: context cache, IOTLB, superpage TLB, paging-structure cache and the walk. Caches hold exactly what the hardware's hold.
 *
 * A look-up (aa_xlt_peek) changes nothing; aa_xlt_touch and the end of a walk (aa_xlt_walk_end) do, and nothing else.
 */
#ifndef TOCSIN_AA_XLT_H
#define TOCSIN_AA_XLT_H

#include "tocsin/aa_rx.h"

/* A leaf as the TLB keeps it: effective R and W, Active Access bits, IUID (61:52) and frame (47:12). */
enum {
  AA_LEAF_R = 0x01,
  AA_LEAF_W = 0x02,
  AA_LEAF_WL = 0x04,
  AA_LEAF_WLD = 0x08,
  AA_LEAF_RL = 0x10,
  AA_LEAF_RLD = 0x20,
  AA_LEAF_E = 0x40
};
#define AA_LEAF_FRAME 0x0000fffffffff000ull
#define AA_LEAF_IUID 0x3ff0000000000000ull
#define AA_LEAF_AA (AA_LEAF_IUID | 0x7cull)

/* A translation. fault != 0: blocked. */
typedef struct aa_xlate {
  uint64_t leaf;
  uint8_t fault;
  bool fpd;
  bool bypass; /* the address passes untranslated */
  bool nointr; /* interrupt write that the context forbids */
} aa_xlate;

typedef struct aa_inval {
  bool ctx;
  uint8_t gran; /* 1 global, 2 domain, 3 device or page */
  uint16_t did, sid;
  uint8_t fm, am;
  bool ih;
  uint64_t addr;
} aa_inval;

typedef struct aa_ctx_entry {
  uint32_t key; /* 0: invalid; else 1:sid */
  uint16_t did;
  uint8_t tt;
  bool aa, nointr, fpd;
  uint64_t table;
} aa_ctx_entry;

typedef struct aa_walk {
  bool active;
  bool ctx_hit;
  uint8_t lane;
  uint8_t level; /* where it starts; the table read there is `table`, with R and W accumulated so far */
  uint32_t num;  /* of the request in its lane */
  uint64_t table;
  aa_look look;
  aa_ctx_entry ctx; /* valid when ctx_hit, or once read */
} aa_walk;

typedef struct aa_psc_entry {
  uint64_t key;   /* 0: invalid */
  uint64_t table; /* frame, and R and W accumulated in bits 1:0 */
} aa_psc_entry;

typedef struct aa_tlb {
  uint64_t *tag; /* 0: invalid */
  uint64_t *leaf;
  uint8_t *next, *prev; /* the ways of a set in a ring, from the one used last (age 0) to the oldest (age ways-1) */
  uint8_t *newest;      /* of a set, at its first way */
  uint16_t *invalid;    /* ways of a set, at its first way */
  unsigned ways;
  unsigned set_mask;
  unsigned way_mask; /* index in the arrays -> way */
  bool random;
  bool used; /* was ever filled */
  uint16_t lfsr;
} aa_tlb;

#define AA_GEN 0x10000ull

/* Reads memory: false is an error response. */
typedef bool aa_read_fn(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n);

typedef struct aa_xlt {
  bool te;       /* GSTS.TES */
  bool aae;      /* AA_CTL.AAE */
  uint64_t root; /* root table */
  uint64_t gen;  /* goes up by AA_GEN with every change of what a look-up may say */
  unsigned ctx_mask, psc_mask, walkers;
  bool psc_on;
  aa_ctx_entry *ctx;
  aa_tlb iotlb, sp;
  aa_psc_entry *psc[2]; /* [0] level 2, [1] level 3 */
  aa_walk *walk;
  aa_read_fn *rd; /* of the walk under way */
  void *rd_ctx;
} aa_xlt;

aa_status aa_xlt_init(aa_xlt *x, const aa_config *cfg);
void aa_xlt_free(aa_xlt *x);

/* Result of a look-up. */
enum { AA_HIT_MISS = 0, AA_HIT_PLAIN = 1, AA_HIT_IOTLB = 2, AA_HIT_SP = 3 };

#define AA_TAG_VALID 0x8000000000000000ull
#define AA_TAG_1G 0x4000000000000000ull

static inline unsigned aa_ctx_index(const aa_xlt *x, unsigned sid) { return (sid ^ sid >> 8) & x->ctx_mask; }

unsigned aa_xlt_peek_sp(const aa_xlt *x, const aa_look *k, uint64_t tag, uint64_t *leaf, unsigned *where);

/* Looks up without touching. AA_HIT_MISS: a walk is needed (r is then undefined). *where is for aa_xlt_touch. */
static inline unsigned aa_xlt_peek(const aa_xlt *x, const aa_look *k, aa_xlate *r, unsigned *where) {
  r->leaf = 0;
  r->fault = 0;
  r->fpd = r->bypass = r->nointr = false;
  if (k->skip || !x->te) {
    if (k->at && !k->skip)
      r->fault = 0x0d;
    else
      r->bypass = true;
    return AA_HIT_PLAIN;
  }
  const aa_ctx_entry *c = &x->ctx[aa_ctx_index(x, k->sid)];
  if (c->key != (0x10000u | k->sid)) return AA_HIT_MISS;
  r->fpd = c->fpd;
  if (k->at) {
    r->fault = 0x0d;
    return AA_HIT_PLAIN;
  }
  if (k->intr || c->tt == 2) {
    r->bypass = true;
    r->nointr = k->intr && c->nointr;
    return AA_HIT_PLAIN;
  }
  uint64_t page = k->iova >> 12;
  if (page >> 36) return AA_HIT_MISS;
  uint64_t tag = AA_TAG_VALID | (uint64_t)c->did << 36 | page;
  const aa_tlb *t = &x->iotlb;
  const uint64_t *p = t->tag + ((unsigned)page & t->set_mask) * t->ways, *end = p + t->ways;
  unsigned hit = AA_HIT_MISS;
  while (*p != tag && ++p != end) continue;
  if (p != end) {
    *where = (unsigned)(p - t->tag);
    r->leaf = t->leaf[*where];
    hit = AA_HIT_IOTLB;
  } else if (x->sp.used) {
    hit = aa_xlt_peek_sp(x, k, tag, &r->leaf, where);
  }
  if (!(c->aa && x->aae)) r->leaf &= ~AA_LEAF_AA;
  return hit;
}

/* The way there becomes the one used last: its age 0, ages below its old one go up by one. */
static inline void aa_tlb_touch_way(aa_tlb *t, unsigned base, unsigned way) {
  unsigned old = t->newest[base];
  if (way == old) return;
  uint8_t *next = t->next + base, *prev = t->prev + base;
  t->newest[base] = (uint8_t)way;
  if (prev[old] == way) return; /* it was the oldest: the ring turns */
  next[prev[way]] = next[way];
  prev[next[way]] = prev[way];
  prev[way] = prev[old];
  next[prev[old]] = (uint8_t)way;
  next[way] = (uint8_t)old;
  prev[old] = (uint8_t)way;
}
static inline void aa_tlb_touch(aa_tlb *t, unsigned where) {
  aa_tlb_touch_way(t, where - (where & t->way_mask), where & t->way_mask);
}

static inline void aa_xlt_touch(aa_xlt *x, unsigned hit, unsigned where) {
  if (hit == AA_HIT_IOTLB)
    aa_tlb_touch(&x->iotlb, where);
  else if (hit == AA_HIT_SP)
    aa_tlb_touch(&x->sp, where);
}

/* Starts a walk in a free slot: looks up the context and the paging-structure cache. */
void aa_xlt_walk_start(aa_xlt *x, unsigned slot, unsigned lane, uint32_t num, const aa_look *k);

/* What the end of a walk did, for the counters. */
enum { AA_WALK_FAULT = 4, AA_WALK_TLB = 8, AA_WALK_CTX = 16 };
typedef struct aa_walk_stat {
  bool fault, tlb_fill, ctx_fill;
} aa_walk_stat;

/* Ends it: reads memory (source = slot), fills the caches, and says what the request gets. */
void aa_xlt_walk_end(aa_xlt *x, unsigned slot, aa_read_fn *rd, void *ctx, aa_xlate *r, aa_walk_stat *st);

/* All at once: look-up and touch, or if it misses a walk by walker 0 with x->rd. What hit, or AA_HIT_MISS and AA_WALK_... */
unsigned aa_xlt_now(aa_xlt *x, const aa_look *k, aa_xlate *r, unsigned *where);

/* True if a walk for this (sid, page) is under way. */
bool aa_xlt_walking(const aa_xlt *x, const aa_look *k);

void aa_xlt_forget_walks(aa_xlt *x);
void aa_xlt_invalidate(aa_xlt *x, const aa_inval *v);

#endif
