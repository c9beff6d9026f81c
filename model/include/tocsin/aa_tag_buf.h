// SPDX-License-Identifier: Apache-2.0
/* aa_tag_buf: every outstanding non-posted request, found by {requester id, tag}. Held flushes are in it as well;
 * which entry one takes is not visible, so here they are known by their waiter: entries 0..255 are requests,
 * 256 + waiter flushes. */
#ifndef TOCSIN_AA_TAG_BUF_H
#define TOCSIN_AA_TAG_BUF_H

#include "tocsin/aa_log.h"

enum { AA_TAG_MAX = 256, AA_WAITER_MAX = 32, AA_TAG_NONE = 0xffff, AA_TAG_PORTS = 4 };

/* Of `all` entries of a kind that ports compete for, so many are each port's own, numbered from share * port; the rest,
 * behind them, is common. */
static inline unsigned aa_share(unsigned all, unsigned ports) {
  return ports == 1 ? 0 : all < 2 * ports ? 1 : all / (2 * ports);
}
/* May this port use entry i of them? */
static inline bool aa_share_has(unsigned share, unsigned ports, unsigned port, unsigned i) {
  return i >= share * ports || i / share == port;
}

typedef struct aa_tag {
  uint32_t key; /* aa_tag_key */
  bool logged;  /* completions are copied to the log */
  bool old;     /* decided before the wait descriptor under way */
  bool reset;   /* its requester was reset: its completions are dropped, and it must be given up */
  bool must;    /* was there when AA_RESET was asked to end it */
  bool dead;    /* given up: in quarantine, until its completion has come or cannot come any more */
  bool live;
  uint16_t next; /* in its bucket */
  uint8_t port;
  uint16_t home; /* self-running: its number, of a flush too */
  uint32_t end;  /* offset in the page of the first enabled byte (atomics: 0) + ByteCount of a first completion */
  uint32_t left; /* bytes still to come */
  aa_entry entry;
  aa_place place;
  uint64_t since; /* self-running: when it was forwarded */
} aa_tag;

/* Entries first to end - 1, of which those that are free stand in the stack from first to top - 1. */
typedef struct aa_tag_pool {
  uint16_t first, end, top;
} aa_tag_pool;

typedef struct aa_tag_buf {
  aa_tag tag[AA_TAG_MAX + AA_WAITER_MAX];
  uint16_t bucket[256];
  /* Self-running: entries not live: a stack for each port's own, and for the common ones.
   * In lockstep they stay full. */
  aa_tag_pool pool[AA_TAG_PORTS + 1];
  uint16_t stack[AA_TAG_MAX];
  unsigned entries, old, ports, share;
  unsigned used_by[AA_TAG_PORTS]; /* in use */
} aa_tag_buf;

void aa_tag_buf_init(aa_tag_buf *b, unsigned entries, unsigned ports);
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
static inline unsigned aa_tag_used(const aa_tag_buf *b) {
  return b->used_by[0] + b->used_by[1] + b->used_by[2] + b->used_by[3];
}
/* Of all that are in use, those beyond the shares. */
static inline unsigned aa_tag_common(const aa_tag_buf *b) {
  unsigned n = 0;
  for (unsigned p = 0; p < AA_TAG_PORTS; p++) n += b->used_by[p] > b->share ? b->used_by[p] - b->share : 0;
  return n;
}
/* Lockstep, which does not see the numbers of flushes: this port can have no entry, whatever the numbers are. */
static inline bool aa_tag_full(const aa_tag_buf *b, unsigned port) {
  return aa_tag_used(b) == b->entries ||
         (b->used_by[port] >= b->share && aa_tag_common(b) == b->entries - b->ports * b->share);
}
/* It may be that it can have none: common entries that others hold may be more than they need beyond their shares. */
static inline bool aa_tag_scarce(const aa_tag_buf *b, unsigned port) {
  return b->used_by[port] >= b->share && aa_tag_used(b) >= b->entries - b->ports * b->share;
}
static inline aa_tag_pool *aa_tag_pool_of(aa_tag_buf *b, unsigned port) {
  aa_tag_pool *own = &b->pool[port];
  return own->top != own->first ? own : &b->pool[AA_TAG_PORTS];
}
/* Self-running: a free entry for a port, the one that was freed last; AA_TAG_NONE: there is none. */
static inline unsigned aa_tag_pick(aa_tag_buf *b, unsigned port) {
  const aa_tag_pool *p = aa_tag_pool_of(b, port);
  return p->top != p->first ? b->stack[p->top - 1] : (unsigned)AA_TAG_NONE;
}
/* The one that was picked is taken. */
static inline void aa_tag_picked(aa_tag_buf *b, unsigned port) { aa_tag_pool_of(b, port)->top--; }
/* Makes entry i live under the key; the caller fills in the rest, of a flush its home too. */
static inline aa_tag *aa_tag_take(aa_tag_buf *b, size_t i, uint32_t key, unsigned port) {
  aa_tag *t = &b->tag[i];
  unsigned h = aa_tag_hash(key);
  t->key = key;
  t->logged = t->old = t->reset = t->must = t->dead = false;
  t->live = true;
  t->next = b->bucket[h];
  t->port = (uint8_t)port;
  b->bucket[h] = (uint16_t)i;
  b->used_by[port]++;
  return t;
}
/* What a new entry waits for: from an offset in the page, so many bytes. */
static inline void aa_tag_begin(aa_tag *t, unsigned start, unsigned bytes, uint64_t now) {
  t->since = now;
  t->left = bytes;
  t->end = start + bytes;
}
void aa_tag_release(aa_tag_buf *b, unsigned i);
/* The read ends early: nobody waits for it any more, and its entry is in quarantine until it is released. */
void aa_tag_kill(aa_tag_buf *b, unsigned i);
/* Marks all requests that are waited for (not flushes) as older than the wait descriptor. */
void aa_tag_mark_old(aa_tag_buf *b);

#endif
