// SPDX-License-Identifier: Apache-2.0
/* aa_tag_buf: every outstanding non-posted request, found by {requester id, tag}. Held flushes are in it as well; which entry one
 * takes is not visible, so here they are known by their waiter: entries 0..255 are requests, 256 + waiter flushes. */
#ifndef TOCSIN_AA_TAG_BUF_H
#define TOCSIN_AA_TAG_BUF_H

#include "tocsin/aa_log.h"

enum { AA_TAG_MAX = 256, AA_WAITER_MAX = 32, AA_TAG_NONE = 0xffff };

typedef struct aa_tag {
  uint32_t key; /* aa_tag_key */
  bool live;
  bool logged;    /* completions are copied to the log */
  bool old;       /* decided before the wait descriptor under way */
  bool reset;     /* its port was reset: may be given up */
  bool cut;       /* ... and it was live then: must be given up */
  uint16_t next;  /* in its bucket */
  uint16_t start; /* first enabled byte, offset in the page; atomics: 0 */
  uint8_t port;
  uint32_t end;  /* start + ByteCount of a first completion */
  uint32_t left; /* bytes still to come */
  aa_entry entry;
  aa_place place;
  uint64_t since; /* self-running: when it was forwarded */
} aa_tag;

typedef struct aa_tag_buf {
  aa_tag tag[AA_TAG_MAX + AA_WAITER_MAX];
  uint16_t bucket[256];
  uint16_t stack[AA_TAG_MAX]; /* self-running: entries not live, `free` of them; in lockstep it stays full */
  unsigned free;
  unsigned entries, used, old;
} aa_tag_buf;

void aa_tag_buf_init(aa_tag_buf *b, unsigned entries);
/* {T9, T8, requester id, tag 7:0}, so that it is nearly the header's second word. */
static inline uint32_t aa_tag_key(unsigned rid, unsigned tag) {
  return (tag & 0x300u) << 16 | (uint32_t)rid << 8 | (tag & 0xffu);
}
static inline uint16_t aa_tag_rid(uint32_t key) { return (uint16_t)(key >> 8); }
static inline unsigned aa_tag_hash(uint32_t key) { return (key ^ key >> 8) & 255u; }

/* The entry of a key, AA_TAG_NONE if it is not live. */
static inline unsigned aa_tag_find(const aa_tag_buf *b, uint32_t key) {
  unsigned i = b->bucket[aa_tag_hash(key)];
  while (i != AA_TAG_NONE && b->tag[i].key != key) i = b->tag[i].next;
  return i;
}
static inline bool aa_tag_full(const aa_tag_buf *b) { return b->used == b->entries; }
/* Self-running: a free entry, the one that was freed last; the buffer must not be full. (Flushes take entries without a number, so
 * there is one that no request has.) */
static inline unsigned aa_tag_pick(const aa_tag_buf *b) { return b->stack[b->free - 1]; }
/* The one that was picked is taken. */
static inline void aa_tag_picked(aa_tag_buf *b) { b->free--; }
/* Makes entry i live under the key; the caller fills in the rest. */
static inline aa_tag *aa_tag_take(aa_tag_buf *b, unsigned i, uint32_t key) {
  aa_tag *t = &b->tag[i];
  unsigned h = aa_tag_hash(key);
  t->key = key;
  t->next = b->bucket[h];
  b->bucket[h] = (uint16_t)i;
  t->live = true;
  t->old = t->reset = t->cut = t->logged = false;
  b->used++;
  return t;
}
/* What a new entry waits for: from an offset in the page, so many bytes. */
static inline void aa_tag_begin(aa_tag *t, unsigned start, unsigned bytes, unsigned port, bool reset, uint64_t now) {
  t->port = (uint8_t)port;
  t->reset = reset;
  t->since = now;
  t->start = (uint16_t)start;
  t->left = bytes;
  t->end = start + bytes;
}
void aa_tag_release(aa_tag_buf *b, unsigned i);
/* Marks all live requests (not flushes) as older than the wait descriptor. */
void aa_tag_mark_old(aa_tag_buf *b);

#endif
