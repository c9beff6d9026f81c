// SPDX-License-Identifier: Apache-2.0
/* aa_xlt: context cache, IOTLB, superpage TLB, paging-structure cache and the walk. Caches hold exactly what
 * the hardware's hold.
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
/* In place of a leaf: blocked. Bits 7:0 are the reason; 0: there is nothing, which is 5 or 6 as the access is. */
#define AA_LEAF_NONE 0x8000000000000000ull

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
  uint32_t key;   /* 0: invalid; else 1:sid */
  uint64_t owner; /* AA_TAG_VALID and the domain: what the tags of its pages begin with */
  uint8_t tt;
  bool nointr, fpd;
  uint64_t seen;  /* of a leaf: all, or all but Active Access */
  uint64_t table; /* of level 4, and R and W in bits 1:0 */
} aa_ctx_entry;

typedef struct aa_walk {
  bool active;
  bool ctx_hit;
  uint8_t lane;
  uint8_t level; /* where it starts; the table read there is `table`, with R and W accumulated so far */
  uint32_t num;  /* of the request in its lane */
  uint64_t table;
  aa_lookup look;
  aa_ctx_entry ctx; /* valid when ctx_hit, or once read */
} aa_walk;

typedef struct aa_psc_entry {
  uint64_t key;   /* 0: invalid */
  uint64_t table; /* frame, and R and W accumulated in bits 1:0 */
} aa_psc_entry;

typedef struct aa_tlb_way {
  uint64_t tag; /* 0: invalid */
  uint64_t leaf;
  struct aa_tlb_way *older, *newer; /* in the ring of the set: older than the oldest is the newest */
} aa_tlb_way;

typedef struct aa_tlb_set {
  aa_tlb_way *newest; /* used last */
  unsigned invalid;   /* ways */
} aa_tlb_set;

typedef struct aa_tlb {
  aa_tlb_way *way; /* those of set 0, of set 1 ... */
  aa_tlb_set *set; /* found by the tag's lowest bits */
  unsigned ways, set_mask;
  bool random;
  uint16_t lfsr;
} aa_tlb;

#define AA_GEN 0x10000ull

/* Reads memory: false is an error response. */
typedef bool aa_read_fn(void *ctx, unsigned src, uint64_t addr, void *buf, size_t n);

typedef struct aa_xlt {
  bool te;       /* GSTS.TES */
  uint64_t seen; /* the same by AA_CTL.AAE */
  uint64_t root; /* root table */
  uint64_t gen;  /* goes up by AA_GEN with every change of what a look-up may say */
  unsigned ctx_mask, psc_mask, walkers;
  bool psc_on; /* otherwise psc is filled, and nobody looks */
  aa_ctx_entry *ctx;
  aa_tlb iotlb, sp;
  bool sp_used;         /* sp was ever filled */
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

static inline uint64_t aa_tag_owner(unsigned did) { return AA_TAG_VALID | (uint64_t)did << 36; }
static inline uint16_t aa_tag_did(uint64_t tag) { return (uint16_t)(tag >> 36); }

static inline unsigned aa_ctx_index(const aa_xlt *x, unsigned sid) { return (sid ^ sid >> 8) & x->ctx_mask; }

/* The context cache's entry; NULL: it has none. */
static inline const aa_ctx_entry *aa_xlt_context(const aa_xlt *x, unsigned sid) {
  const aa_ctx_entry *c = &x->ctx[aa_ctx_index(x, sid)];
  return c->key == (0x10000u | sid) ? c : NULL;
}

static inline uint64_t aa_leaf_all(bool aa) { return aa ? ~0ull : ~AA_LEAF_AA; }

/* Of a leaf, what a requester may see of it. */
static inline uint64_t aa_leaf_seen(const aa_xlt *x, const aa_ctx_entry *c, uint64_t leaf) {
  return leaf & c->seen & x->seen;
}

static inline aa_tlb_set *aa_tlb_set_of(const aa_tlb *t, uint64_t tag) { return &t->set[tag & t->set_mask]; }

/* NULL: it is not there. */
static inline aa_tlb_way *aa_tlb_find(const aa_tlb *t, uint64_t tag) {
  aa_tlb_way *newest = aa_tlb_set_of(t, tag)->newest, *w = newest;
  do {
    if (w->tag == tag) return w;
    w = w->older;
  } while (w != newest);
  return NULL;
}
aa_tlb_way *aa_xlt_find_large(const aa_xlt *x, uint64_t tag);
static inline uint64_t aa_tag_inside_large(uint64_t tag) { return (tag & AA_TAG_1G) ? 0x3ffff000u : 0x1ff000u; }

/* Looks up a page, of an address below 2^48, without touching: AA_HIT_IOTLB, _SP or _MISS. */
static inline unsigned aa_xlt_peek_page(const aa_xlt *x, const aa_ctx_entry *c, uint64_t iova, uint64_t *leaf,
                                        aa_tlb_way **where) {
  uint64_t tag = c->owner | iova >> 12;
  aa_tlb_way *w = aa_tlb_find(&x->iotlb, tag);
  if ((*where = w)) {
    *leaf = aa_leaf_seen(x, c, w->leaf);
    return AA_HIT_IOTLB;
  }
  if (!x->sp_used || !(*where = w = aa_xlt_find_large(x, tag))) return AA_HIT_MISS;
  *leaf = aa_leaf_seen(x, c, w->leaf | (iova & aa_tag_inside_large(w->tag)));
  return AA_HIT_SP;
}

/* Looks up without touching. AA_HIT_MISS: a walk is needed (r is then undefined). *where is for aa_xlt_touch. */
static inline unsigned aa_xlt_peek(const aa_xlt *x, const aa_lookup *k, aa_xlate *r, aa_tlb_way **where) {
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
  const aa_ctx_entry *c = aa_xlt_context(x, k->sid);
  if (!c) return AA_HIT_MISS;
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
  return k->iova >> 48 ? AA_HIT_MISS : aa_xlt_peek_page(x, c, k->iova, &r->leaf, where);
}

/* A way becomes the one used last: its age 0, ages below its old one go up by one. */
static inline void aa_tlb_touch(aa_tlb_set *s, aa_tlb_way *w) {
  aa_tlb_way *old = s->newest;
  if (w == old) return;
  aa_tlb_way *oldest = old->newer;
  s->newest = w;
  if (w == oldest) return; /* the ring turns */
  w->newer->older = w->older;
  w->older->newer = w->newer;
  w->newer = oldest;
  w->older = old;
  oldest->older = old->newer = w;
}

static inline void aa_xlt_touch(aa_xlt *x, unsigned hit, aa_tlb_way *where) {
  if (hit == AA_HIT_IOTLB)
    aa_tlb_touch(aa_tlb_set_of(&x->iotlb, where->tag), where);
  else if (hit == AA_HIT_SP)
    aa_tlb_touch(x->sp.set, where);
}

/* Starts a walk in a free slot: looks up the context and the paging-structure cache. */
void aa_xlt_walk_start(aa_xlt *x, unsigned slot, unsigned lane, uint32_t num, const aa_lookup *k);

/* What the end of a walk did, for the counters. */
enum { AA_WALK_FAULT = 4, AA_WALK_TLB = 8, AA_WALK_CTX = 16 };
typedef struct aa_walk_stat {
  bool fault, tlb_fill, ctx_fill;
} aa_walk_stat;

/* Ends it: reads memory (source = slot), fills the caches, and says what the request gets. */
void aa_xlt_walk_end(aa_xlt *x, unsigned slot, aa_read_fn *rd, void *ctx, aa_xlate *r, aa_walk_stat *st);

/* What a request gets of it. */
static inline void aa_xlate_set(aa_xlate *r, uint64_t leaf, bool write) {
  bool none = leaf & AA_LEAF_NONE;
  r->fault = (uint8_t)(!none ? 0 : (uint8_t)leaf ? leaf : write ? 5 : 6);
  r->leaf = none ? 0 : leaf;
}

/* All at once: look-up and touch, or if it misses a walk by walker 0 with x->rd. What hit,
 * or AA_HIT_MISS and AA_WALK_... */
unsigned aa_xlt_now(aa_xlt *x, const aa_lookup *k, aa_xlate *r);

/* True if a walk for this (sid, page) is under way. */
bool aa_xlt_walking(const aa_xlt *x, const aa_lookup *k);

void aa_xlt_forget_walks(aa_xlt *x);
void aa_xlt_invalidate(aa_xlt *x, const aa_inval *v);

#endif
