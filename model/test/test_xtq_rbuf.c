// SPDX-License-Identifier: Apache-2.0
// xtq_rbuf by itself: where messages go, against buffers that are kept one by one with what has begun in each.
// Rules of rtl/xtq/README.md: RBF-1, RBF-2, RBF-3, RBF-4; of rtl/nic/README.md: RCV-1, RCV-2, RCV-10.
#include <string.h>

#include "check.h"
#include "tocsin/xtq_rbuf.h"

enum { DEPTH = 5, MANY = 64 };

// What the specification says of a process' buffers: those that are posted and not used up, oldest first.
typedef struct buffer {
  uint32_t number, len, least, used;
  uint64_t addr;
} buffer;

typedef struct list {
  buffer b[DEPTH];
  unsigned n;
  uint32_t next;  // number of the next that is posted
} list;

static uint64_t rnd_state;
static uint32_t below(uint32_t n) {
  rnd_state = rnd_state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(rnd_state >> 33) % n;
}

static void forget(list *l, unsigned n) { memmove(l->b, l->b + n, (l->n -= n) * sizeof *l->b); }

static bool post(list *l, uint64_t addr, uint32_t len, uint32_t least) {
  if (addr & 63 || !len || l->n == DEPTH) return false;
  l->b[l->n++] = (buffer){.number = l->next++, .len = len, .least = least, .addr = addr};
  return true;
}

// Of the buffer in which n bytes fit, oldest first; l->n: of none.
static unsigned fits(const list *l, uint64_t n) {
  unsigned i = 0;
  while (i < l->n && l->b[i].used + n > l->b[i].len) i++;
  return i;
}

static uint32_t oldest(const list *l) { return l->n ? l->b[0].number : l->next; }

static void take(list *l, unsigned i, uint64_t n) {
  forget(l, i);
  buffer *b = &l->b[0];
  uint64_t end = b->used + n;
  end += -end & 63;  // the next begins at a multiple of 64, if one does
  b->used = end < b->len ? (uint32_t)end : b->len;
  if (b->len - b->used < b->least) forget(l, 1);
}

static void same(const xtq_rbufs *r, const list *l) {
  EQ(r->oldest, oldest(l));
  EQ(r->next, l->next);
  for (unsigned i = 0; i < l->n; i++) EQ(xtq_rbuf_room(r, l->b[i].number), l->b[i].len - l->b[i].used);
}

static void at_random(void) {
  xtq_rbufs r;
  list l = {.next = 0xfffffff0};  // numbers have 32 bits
  memset(&r, 0, sizeof r);
  r.oldest = r.next = l.next;
  rnd_state = 5;
  for (unsigned turn = 0; turn < 20000; turn++) {
    unsigned what = below(16);
    if (what < 4) {
      uint64_t addr = 0x100000000ull * below(8) + (below(8) ? 64 : 8) * below(64);
      uint32_t len = below(8) ? 1 + below(1000) : 0, least = below(2) ? 0 : below(1200);
      EQ(xtq_rbuf_post(&r, DEPTH, addr, len, least), post(&l, addr, len, least));
    } else if (what == 4 && !below(4)) {
      bool begun = l.n && l.b[0].used;
      uint32_t gone = l.n - begun;
      forget(&l, begun);
      l.n = 0;
      l.next -= gone;
      EQ(xtq_rbuf_drop(&r), l.next);
      EQ(r.gone, gone);
    } else {
      uint64_t n = 1 + below(below(4) ? 300 : 1100), addr = 0;
      uint32_t number = 0;
      unsigned i = fits(&l, n);
      EQ(xtq_rbuf_find(&r, n, &number, &addr), i < l.n);
      if (i < l.n) {
        EQ(number, l.b[i].number);
        EQ(addr, l.b[i].addr + l.b[i].used);
        EQ(addr % 64, 0);
        if (what == 5) {  // all of it
          forget(&l, i + 1);
          EQ(xtq_rbuf_take_all(&r, number), oldest(&l));
        } else {
          take(&l, i, n);
          EQ(xtq_rbuf_take(&r, n, number), oldest(&l));
        }
      }
    }
    same(&r, &l);
    if (failed) return;
  }
}

// Lengths of 32 bits do not wrap.
static void longest(void) {
  xtq_rbufs r;
  uint32_t number = 9;
  uint64_t addr = 9;
  memset(&r, 0, sizeof r);
  CHECK(!xtq_rbuf_find(&r, 1, &number, &addr) && number == 9 && addr == 9);
  CHECK(xtq_rbuf_post(&r, 8, 64, 0xffffffff, 0));
  CHECK(!xtq_rbuf_find(&r, 0x100000000, &number, &addr) && !xtq_rbuf_find(&r, ~0ull >> 1, &number, &addr));
  CHECK(xtq_rbuf_find(&r, 0xffffffff, &number, &addr) && number == 0 && addr == 64);
  EQ(xtq_rbuf_take(&r, 0xffffffc1, 0), 0);
  EQ(xtq_rbuf_room(&r, 0), 0);
  CHECK(!xtq_rbuf_find(&r, 1, &number, &addr));
  CHECK(xtq_rbuf_post(&r, 8, 128, 100, 0xffffffff));
  CHECK(xtq_rbuf_find(&r, 0xffffffff, &number, &addr) == false && xtq_rbuf_find(&r, 100, &number, &addr));
  EQ(number, 1);
  EQ(xtq_rbuf_take(&r, 1, 1), 2);  // LEAST of more than its length: one message
}

// As many as there can be, and one more.
static void depth(void) {
  xtq_rbufs r;
  memset(&r, 0, sizeof r);
  for (unsigned i = 0; i < MANY; i++) CHECK(xtq_rbuf_post(&r, MANY, 64 * (i + 1), 1 + i, 0));
  CHECK(!xtq_rbuf_post(&r, MANY, 64, 64, 0));
  for (unsigned i = 0; i < MANY; i++) EQ(xtq_rbuf_room(&r, i), 1 + i);
  EQ(xtq_rbuf_take_all(&r, 0), 1);
  CHECK(xtq_rbuf_post(&r, MANY, 64, 64, 0) && !xtq_rbuf_post(&r, MANY, 64, 64, 0));
}

int main(void) {
  at_random();
  longest();
  depth();
  return report();
}
