// SPDX-License-Identifier: Apache-2.0
#include "sort.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "choice.h"
#include "mix.h"

static const char *const names[SORT_SCHEMES + 1] = {"no-ft", "aa", "rma", "am"};

sort_scheme sort_named(const char *name) { return (sort_scheme)choice_index(names, name); }
unsigned sort_lost(const run *r) { return r->procs - 1; }

static uint64_t key(const run *r, unsigned id, uint64_t i) {
  return app_mix(app_mix(r->seed ^ (uint64_t)id << 40) + i);
}
static unsigned whose(const run *r, uint64_t k) { return (unsigned)((k >> 32) * r->procs >> 32); }

bool sort_takes(const run *r, const char **why) {
  *why = sort_named(r->variant) == SORT_SCHEMES        ? "no such variant of sort"
         : r->procs < 2 || r->procs > 4096             ? "procs: 2 to 4096"
         : r->window > NET_WINDOW                      ? "window: 1 to 64"
         : r->block < 8 || (r->block & (r->block - 1)) ? "block: 2^n bytes, from 8 on"
                                                       : NULL;
  return !*why;
}

bool sort_prepare(const run *r, net *n) {
  (void)r;
  return (n->own = calloc(1, sizeof(sort_own)));
}

// ---- memory ---------------------------------------------------------------------------------------------------------

void *sort_memory(size_t bytes) {
  void *p = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return net_must(p == MAP_FAILED ? NULL : p);
}
void sort_forget(void *p, size_t bytes) { memset(p, 0xDB, bytes); }

uint64_t *sort_ranges(const run *r, sort_rank *k) { return k->bucket + r->procs + 1; }
size_t sort_table_bytes(const run *r) { return (3 * (size_t)r->procs + 1) * sizeof(uint64_t); }

void sort_deal(const run *r, unsigned id, sort_rank *k) {
  uint64_t *next = net_must(calloc(r->procs, sizeof *next));
  memset(k->bucket, 0, sort_table_bytes(r));
  for (uint64_t i = 0; i < r->per; i++) k->bucket[whose(r, key(r, id, i)) + 1]++;
  for (unsigned d = 0; d < r->procs; d++) {
    k->bucket[d + 1] += k->bucket[d];
    next[d] = k->bucket[d];
  }
  for (uint64_t i = 0; i < r->per; i++) k->keys[next[whose(r, key(r, id, i))]++] = key(r, id, i);
  free(next);
}

unsigned sort_part(const run *r, uint64_t at, uint64_t end) {
  uint64_t border = r->block - 8 * at % r->block, left = 8 * (end - at);
  return (unsigned)(left < border ? left : border);
}

// ---- the result -----------------------------------------------------------------------------------------------------

// By 11 bits of the value after the other.
static void sort_here(uint64_t *keys, size_t n) {
  enum { BITS = 11, PLACES = 1 << BITS };
  uint64_t *to = sort_memory(n * sizeof *to), *from = keys;
  for (unsigned shift = 0; shift < 6 * BITS; shift += BITS) {
    size_t at[PLACES + 1] = {0};
    for (size_t i = 0; i < n; i++) at[(from[i] >> shift & (PLACES - 1)) + 1]++;
    for (unsigned i = 0; i < PLACES; i++) at[i + 1] += at[i];
    for (size_t i = 0; i < n; i++) to[at[from[i] >> shift & (PLACES - 1)]++] = from[i];
    uint64_t *old = from;
    from = to;
    to = old;
  }
  munmap(from == keys ? to : from, n * sizeof *to + 1);
}

// Sorted, all of its share of values, and together those that there were.
void sort_check(const run *r, net *n, net_proc *p, share *s) {
  sort_own *o = n->own;
  const sort_rank *k = &o->rank[p->id];
  sort_here(k->mine, k->got);
  for (uint64_t i = 0; i < k->got; i++) {
    s->wrong += whose(r, k->mine[i]) != p->id || (i && k->mine[i] < k->mine[i - 1]);
    s->digest += app_mix(k->mine[i]);
  }
}

uint64_t sort_serial(const run *r) {
  uint64_t digest = 0;
  for (unsigned id = 0; id < r->procs; id++)
    for (uint64_t i = 0; i < r->per; i++) digest += app_mix(key(r, id, i));
  return digest;
}
