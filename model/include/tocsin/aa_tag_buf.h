// SPDX-License-Identifier: Apache-2.0
/* aa_tag_buf: every outstanding non-posted request, found by {requester id, tag}. Held flushes are in it as well; which entry one
 * takes is not visible, so here they are known by their waiter: entries 0..255 are requests, 256 + waiter flushes. */
#ifndef TOCSIN_AA_TAG_BUF_H
#define TOCSIN_AA_TAG_BUF_H

#include "tocsin/aa_log.h"

enum { AA_TAG_MAX = 256, AA_WAITER_MAX = 32, AA_TAG_NONE = 0xffff };

typedef struct aa_tag {
  uint32_t key;  /* {rid, tag} */
  uint16_t next; /* in its bucket */
  bool live;
  bool logged; /* completions are copied to the log */
  bool old;    /* decided before the wait descriptor under way */
  bool reset;  /* its port was reset: may be given up */
  uint8_t port;
  uint16_t start; /* first enabled byte, offset in the page; atomics: 0 */
  uint32_t end;   /* start + ByteCount of a first completion */
  uint32_t left;  /* bytes still to come */
  aa_entry entry;
  aa_place place;
  uint64_t since; /* self-running: when it was forwarded */
} aa_tag;

typedef struct aa_tag_buf {
  aa_tag tag[AA_TAG_MAX + AA_WAITER_MAX];
  uint16_t bucket[256];
  uint64_t free[4]; /* self-running: entries not live */
  unsigned entries, used, old;
} aa_tag_buf;

void aa_tag_buf_init(aa_tag_buf *b, unsigned entries);
static inline uint32_t aa_tag_key(unsigned rid, unsigned tag) { return (uint32_t)rid << 10 | tag; }
static inline unsigned aa_tag_hash(uint32_t key) { return (key ^ key >> 8 ^ key >> 16) & 255u; }

/* The entry of a key, AA_TAG_NONE if it is not live. */
static inline unsigned aa_tag_find(const aa_tag_buf *b, uint32_t key) {
  unsigned i = b->bucket[aa_tag_hash(key)];
  while (i != AA_TAG_NONE && b->tag[i].key != key) i = b->tag[i].next;
  return i;
}
static inline bool aa_tag_full(const aa_tag_buf *b) { return b->used == b->entries; }
/* Lowest free entry; the buffer must not be full. */
static inline unsigned aa_tag_pick(const aa_tag_buf *b) {
  /* Flushes take entries without a number, so the lowest free one is one that no request has. */
  unsigned w = 0;
  while (!b->free[w]) w++;
#ifdef __GNUC__
  return 64 * w + (unsigned)__builtin_ctzll(b->free[w]);
#else
  unsigned i = 0;
  while (!(b->free[w] >> i & 1)) i++;
  return 64 * w + i;
#endif
}
/* Makes entry i live under the key; the caller fills in the rest. */
static inline aa_tag *aa_tag_take(aa_tag_buf *b, unsigned i, uint32_t key) {
  aa_tag *t = &b->tag[i];
  unsigned h = aa_tag_hash(key);
  t->key = key;
  t->next = b->bucket[h];
  b->bucket[h] = (uint16_t)i;
  t->live = true;
  t->old = t->reset = t->logged = false;
  if (i < AA_TAG_MAX) b->free[i / 64] &= ~(1ull << i % 64);
  b->used++;
  return t;
}
/* What a new entry keeps of its request (read or atomic). */
static inline void aa_tag_begin(aa_tag *t, const uint32_t hdr[4], uint64_t addr, unsigned len, unsigned port,
                                bool reset, uint64_t now) {
  unsigned fbe = hdr[1] & 15u, op = hdr[0] >> 24 & 0x1fu;
  t->port = (uint8_t)port;
  t->reset = reset;
  t->since = now;
  if (op == 0) {
    t->start = (uint16_t)((addr & 0xfffu) + tlp_first_byte(fbe));
    t->left = (hdr[1] & 0xffu) == 0xffu ? 4 * len : tlp_byte_count(len, fbe, hdr[1] >> 4 & 15u);
  } else {
    t->start = 0;
    t->left = op == 0x0eu ? 2 * len : 4 * len;
  }
  t->end = t->start + t->left;
}
void aa_tag_release(aa_tag_buf *b, unsigned i);
/* Marks all live requests (not flushes) as older than the wait descriptor. */
void aa_tag_mark_old(aa_tag_buf *b);

#endif
