// SPDX-License-Identifier: Apache-2.0
// A heap that lies in stores eight times their memory: random updates of words by delegates, caches, and a function of
// the program's, all of whose memory may be absent, are as on a heap in memory; so is their order.
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "ranks_here.h"
#include "tocsin/irregular/heap.h"

enum { RANKS = 2, PAGES = 64, FRAMES = PAGES / 8, RANK_BYTES = PAGES * IRR_PAGE_BYTES, WORDS = RANKS * RANK_BYTES / 8 };
enum { APPEND = IRR_FUNCTION_USER };

typedef struct world {
  here h;
  irr_paged *store[RANKS];
  irr_heap *heap[RANKS];
  uint64_t want[WORDS];
} world;

// A word becomes a number of which each delegate adds a digit: so the order in which they ran is seen.
static irr_status append(void *ctx, const irr_arrival *a, irr_answer *answer) {
  uint64_t w[2], *at = NULL;
  memcpy(w, a->args, sizeof w);
  at = irr_address_pointer(ctx, w[0]);
  if (!at) return IRR_BUSY;
  *at = *at * 7 + w[1];
  answer->word[0] = *at;
  return IRR_OK;
}

static bool begin(world *w) {
  memset(w, 0, sizeof *w);
  if (!here_open(&w->h, RANKS, NULL, NULL)) return false;
  for (unsigned i = 0; i < RANKS; i++) {
    const irr_paged_options o = {.bytes = RANK_BYTES, .memory = FRAMES * IRR_PAGE_BYTES, .threads = i & 1};
    FINE(irr_paged_open(w->h.f, w->h.p[i], &o, &w->store[i]));
    if (!w->store[i]) return false;
    FINE(irr_heap_open(w->h.net[i], &(irr_heap_options){.rank_bytes = RANK_BYTES, .store = w->store[i]}, &w->heap[i]));
    if (!w->heap[i]) return false;
    FINE(irr_net_register(w->h.net[i], APPEND, &(irr_function){.run = append, .ctx = w->heap[i]}));
  }
  return !failed;
}

static void updates(world *w, unsigned n) {
  uint64_t r = seed + 5;
  for (unsigned i = 0; i < n && !failed; i++) {
    const uint64_t at = scene_random(&r) % WORDS, by = scene_random(&r);
    const unsigned from = i % RANKS;
    irr_status s;
    w->want[at] += by;
    while ((s = irr_global_word(w->heap[from], &(irr_word_op){.function = IRR_WORD_ADD, .at = 8 * at, .a = by})) ==
           IRR_BUSY)
      here_poll(&w->h);
    ENDS(s, IRR_OK);
  }
  CHECK(here_settle(&w->h, 100000));
}

// Of one rank for one home: they run in the order in which they were sent, whatever they wait for.
static void in_order(world *w, unsigned n) {
  uint64_t r = seed + 9;
  for (unsigned i = 0; i < n && !failed; i++) {
    const uint64_t at = scene_random(&r) % 40 * (WORDS / 40), digit = scene_random(&r) % 7;
    const uint64_t args[2] = {8 * at, digit};
    irr_delegate d = {.function = APPEND, .args = args, .bytes = sizeof args};
    irr_status s;
    w->want[at] = w->want[at] * 7 + digit;
    while ((s = irr_global_send(w->heap[0], 8 * at, 8, &d)) == IRR_BUSY) here_poll(&w->h);
    ENDS(s, IRR_OK);
  }
  CHECK(here_settle(&w->h, 100000));
}

static void moved(world *w, irr_cache *c, bool gives) {
  ended e = {0};
  FINE(gives ? irr_cache_release(c, on_done, &e) : irr_cache_acquire(w->heap[1], c, on_done, &e));
  while (!e.times && !failed) here_poll(&w->h);
  FINE(irr_cache_ended(c));
}

// All of it, a piece at a time, there and back.
static void caches(world *w) {
  static uint64_t piece[WORDS / 16];
  for (unsigned k = 0; k < 16 && !failed; k++) {
    irr_cache c = {.mode = IRR_CACHE_READ_WRITE, .at = k * sizeof piece, .bytes = sizeof piece, .data = piece};
    moved(w, &c, false);
    unsigned wrong = 0;
    for (unsigned i = 0; i < WORDS / 16; i++) {
      wrong += piece[i] != w->want[k * WORDS / 16 + i];
      piece[i] ^= i;
      w->want[k * WORDS / 16 + i] ^= i;
    }
    EQ(wrong, 0);
    moved(w, &c, true);
  }
}

static void refused(world *w) {
  irr_heap *none;
  irr_heap_options o = {.rank_bytes = RANK_BYTES + 64, .store = w->store[0]};
  irr_heap_close(w->heap[0]);
  w->heap[0] = NULL;
  ENDS(irr_heap_open(w->h.net[0], &o, &none), IRR_E_ARG);
  o.rank_bytes = RANK_BYTES;
  o.block = 2 * IRR_PAGE_BYTES;
  ENDS(irr_heap_open(w->h.net[0], &o, &none), IRR_E_ARG);
}

// A file that grows no more breaks its store: what waits for a page then ends with that, and each poll says why.
static void full(void) {
  static world w;
  static ended e[PAGES];
  struct rlimit before, less;
  unsigned over = 0, polls = 0;
  if (!begin(&w)) return;
  CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
  CHECK(!getrlimit(RLIMIT_FSIZE, &before));
  less = before;
  less.rlim_cur = FRAMES * IRR_PAGE_BYTES;
  CHECK(!setrlimit(RLIMIT_FSIZE, &less));
  for (unsigned i = 0; i < PAGES; i++) {
    const uint64_t args[2] = {irr_address_of_place(w.heap[0], i % RANKS, i * IRR_PAGE_BYTES), 1};
    irr_delegate d = {.function = APPEND, .args = args, .bytes = sizeof args, .done = on_done, .arg = &e[i]};
    d.status = &e[i].status;
    while (irr_global_send(w.heap[0], args[0], 8, &d) == IRR_BUSY && ++polls < 100000) here_poll(&w.h);
  }
  while (!here_settle(&w.h, 100) && ++polls < 1000) here_poll(&w.h);
  for (unsigned i = 0; i < PAGES; i++) {
    EQ(e[i].times, 1);
    over += e[i].status == IRR_E_FILE;
  }
  CHECK(over > PAGES / 4);
  for (unsigned i = 0; i < RANKS; i++) {
    errno = 0;
    ENDS(irr_net_poll(w.h.net[i], NULL), IRR_E_FILE);
    EQ(errno, EFBIG);
    irr_heap_close(w.heap[i]);
    errno = 0;
    ENDS(irr_paged_close(w.store[i]), IRR_E_FILE);
    EQ(errno, EFBIG);
  }
  CHECK(!setrlimit(RLIMIT_FSIZE, &before));
  here_close(&w.h);
}

int main(int argc, char **argv) {
  static world w;
  scene_options(argc, argv);
  if (begin(&w)) {
    updates(&w, scene_few(4000));
    in_order(&w, scene_few(800));
    caches(&w);
    updates(&w, scene_few(1000));
    caches(&w);
    for (unsigned i = 0; i < RANKS; i++) {
      const irr_paged_counts c = irr_paged_count(w.store[i]);
      printf("rank %u: %" PRIu64 " pages brought, %" PRIu64 " written\n", i, c.brought, c.written);
      CHECK(c.brought > 2 * PAGES && c.written > PAGES);
    }
    const irr_traffic t = here_counts(&w.h);
    EQ(t.refused + t.lost + t.late + t.broken, 0);
    refused(&w);
  }
  for (unsigned i = 0; i < RANKS; i++) {
    irr_heap_close(w.heap[i]);
    FINE(irr_paged_close(w.store[i]));
  }
  here_close(&w.h);
  full();
  return report();
}
