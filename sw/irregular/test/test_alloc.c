// SPDX-License-Identifier: Apache-2.0
// Who has which part of the heap: runs against a map, ranks that allocate at once and give back elsewhere,
// and what is refused.
#include "buddy.h"
#include "heap_here.h"

// ---- runs of a power of two, against a map
static void buddies(uint32_t units, unsigned turns) {
  static uint32_t at[4096], length[4096];
  static bool map[5000];
  buddy b;
  uint64_t r = seed + units;
  unsigned held = 0;
  CHECK(irr_i_buddy_open(&b, units));
  memset(map, 0, sizeof map);
  for (unsigned n = 0; n < turns; n++) {
    const uint32_t most = scene_random(&r) % 8 ? 4 : 64, want = 1 + scene_random(&r) % most;
    if (held && scene_random(&r) % 3 == 0) {
      const unsigned k = scene_random(&r) % held;
      for (uint32_t i = 0; i < length[k]; i++) map[at[k] + i] = false;
      CHECK(irr_i_buddy_give(&b, at[k]));
      CHECK(!irr_i_buddy_give(&b, at[k]));
      at[k] = at[--held];
      length[k] = length[held];
    } else if (held < 4096 && irr_i_buddy_take(&b, want, &at[held])) {
      CHECK(at[held] + want <= units);
      for (uint32_t i = 0; i < want; i++) {
        CHECK(!map[at[held] + i]);
        map[at[held] + i] = true;
      }
      length[held++] = want;
    }
  }
  while (held) CHECK(irr_i_buddy_give(&b, at[--held]));
  uint32_t first, whole = 1;
  while (2 * whole <= units) whole *= 2;
  CHECK(irr_i_buddy_take(&b, whole, &first));  // all halves have met again
  EQ(first, 0);
  CHECK(!irr_i_buddy_give(&b, units));
  irr_i_buddy_close(&b);
}

// ---- allocation: every rank out of its own part, without a message; what is given back elsewhere goes home
typedef struct held {
  irr_address at;
  uint64_t bytes;
} held;

static bool apart(const held *a, unsigned n, const held *x) {
  for (unsigned i = 0; i < n; i++)
    if (a[i].at < x->at + x->bytes && x->at < a[i].at + a[i].bytes) return false;
  return true;
}

static void allocation(void) {
  enum { EACH = 24 };
  global g;
  held a[4 * EACH];
  unsigned n = 0;
  uint64_t r = seed;
  ended e = {0};
  if (!global_open(&g, 4, (irr_heap_options){0})) return;
  for (unsigned i = 0; i < 4 * EACH; i++) {
    held x = {.bytes = 1 + scene_random(&r) % 300};
    FINE(irr_global_malloc(g.heap[i % 4], x.bytes, &x.at));
    CHECK(x.at % 64 == 0 && x.at + x.bytes <= irr_heap_bytes(g.heap[0]) && apart(a, n, &x));
    a[n++] = x;
  }
  EQ(here_counts(&g.h).sent, 0);
  FINE(irr_global_free(g.heap[0], a[0].at + 8, on_done, &e, &e.status));  // in the first block
  ENDS(e.status, IRR_E_RANGE);
  e.times = 0;
  for (unsigned i = 0; i < n; i++) {
    FINE(irr_global_free(g.heap[(i + i / 4) % 4], a[i].at, on_done, &e, &e.status));
    CHECK(here_settle(&g.h, 100));
    EQ(e.times, i + 1);
    FINE(e.status);
  }
  FINE(irr_global_free(g.heap[1], a[0].at, on_done, &e, &e.status));  // twice
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_RANGE);
  FINE(irr_global_free(g.heap[0], a[1].at + 64, on_done, &e, &e.status));  // in the middle
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_RANGE);
  ENDS(irr_global_free(g.heap[0], 0, NULL, NULL, NULL), IRR_E_RANGE);  // of the part for all
  ENDS(irr_global_free(g.heap[0], irr_heap_bytes(g.heap[0]), NULL, NULL, NULL), IRR_E_RANGE);
  irr_address whole, none;
  FINE(irr_global_malloc(g.heap[2], RANK_BYTES / 2, &whole));  // everything has come back
  ENDS(irr_global_malloc(g.heap[2], 1, &none), IRR_E_NOMEM);
  EQ(none, IRR_ADDRESS_NONE);
  FINE(irr_global_malloc_from(g.heap[0], 2, 64, on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_NOMEM);
  FINE(irr_global_malloc_from(g.heap[0], 3, 64, on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  FINE(e.status);
  EQ(e.value, whole + RANK_BYTES / 2);  // the first of rank 3's part
  global_close(&g);
}

// The own part first, without a message; then those of the ranks behind, in their order; then none.
static void anywhere(void) {
  global g;
  ended e = {0};
  irr_address whole[4];
  if (!global_open(&g, 4, (irr_heap_options){0})) return;
  const uint64_t part = RANK_BYTES / 2, all = 4 * part;
  ENDS(irr_global_malloc_any(g.heap[1], 64, NULL, NULL, NULL), IRR_E_ARG);
  ENDS(irr_global_malloc_any(NULL, 64, on_done, &e, NULL), IRR_E_ARG);
  FINE(irr_global_malloc_any(g.heap[1], part, on_done, &e, &e.status));
  EQ(e.times, 1);
  FINE(e.status);
  EQ(e.value, all + part);
  EQ(here_counts(&g.h).sent, 0);
  whole[1] = e.value;
  static const unsigned order[] = {2, 3, 0};
  for (unsigned i = 0; i < 3; i++) {
    FINE(irr_global_malloc_any(g.heap[1], part, on_done, &e, &e.status));
    CHECK(here_settle(&g.h, 100));
    EQ(e.times, i + 2);
    FINE(e.status);
    EQ(e.value, all + order[i] * part);
    whole[order[i]] = e.value;
  }
  e.status = IRR_OK;
  FINE(irr_global_malloc_any(g.heap[1], 1, on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  EQ(e.times, 5);
  ENDS(e.status, IRR_E_NOMEM);
  EQ(e.value, IRR_ADDRESS_NONE);
  for (unsigned i = 0; i < 4; i++) FINE(irr_global_free(g.heap[1], whole[i], on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  EQ(e.times, 9);
  unsigned many = 0;  // more at once than there is room for on the way
  irr_address got[300];
  ended each[300] = {{0}};
  for (; many < 300; many++)
    FINE(irr_global_malloc_any(g.heap[3], part / 64, on_done, &each[many], &each[many].status));
  CHECK(here_settle(&g.h, 1000));
  unsigned good = 0;
  for (unsigned i = 0; i < many; i++) {
    EQ(each[i].times, 1);
    if (each[i].status == IRR_OK)
      got[good++] = each[i].value;
    else
      ENDS(each[i].status, IRR_E_NOMEM);
  }
  EQ(good, 256);
  for (unsigned i = 0; i < good; i++)
    for (unsigned k = 0; k < i; k++) CHECK(got[i] != got[k]);
  global_close(&g);
}

// What this rank has a copy of is not given back; what lies beside it is.
static void borrowed(void) {
  global g;
  ended e = {0};
  irr_address a[3];
  uint8_t local[3][512];
  if (!global_open(&g, 2, (irr_heap_options){0})) return;
  for (unsigned i = 0; i < 3; i++) FINE(irr_global_malloc(g.heap[1], 1024, &a[i]));
  CHECK(a[1] == a[0] + 1024 && a[2] == a[1] + 1024);
  irr_cache c[3] = {{.at = a[0] + 512, .bytes = 512, .data = local[0]},  // to its end
                    {.at = a[1] - 8, .bytes = 8, .data = local[1]},
                    {.at = a[2], .bytes = 1, .data = local[2], .mode = IRR_CACHE_WRITE}};
  for (unsigned i = 0; i < 3; i++) FINE(irr_cache_acquire(g.heap[0], &c[i], on_done, &e));
  CHECK(here_settle(&g.h, 100));
  EQ(e.times, 3);
  FINE(irr_global_free(g.heap[0], a[0], on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_IN_USE);
  FINE(irr_global_free(g.heap[0], a[2], on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_IN_USE);
  FINE(irr_global_free(g.heap[0], a[1], on_done, &e, &e.status));  // between them
  CHECK(here_settle(&g.h, 100));
  FINE(e.status);
  FINE(irr_cache_release(&c[1], on_done, &e));
  CHECK(here_settle(&g.h, 100));
  FINE(irr_global_free(g.heap[0], a[2], on_done, &e, &e.status));  // the last is still there
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_IN_USE);
  FINE(irr_cache_release(&c[2], on_done, &e));
  CHECK(here_settle(&g.h, 100));
  FINE(irr_global_free(g.heap[0], a[0], on_done, &e, &e.status));
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_IN_USE);  // the first is left
  FINE(irr_cache_release(&c[0], on_done, &e));
  for (unsigned i = 0; i < 3; i += 2) {
    FINE(irr_global_free(g.heap[0], a[i], on_done, &e, &e.status));
    CHECK(here_settle(&g.h, 100));
    FINE(e.status);
  }
  irr_address of_all[2];
  for (unsigned i = 0; i < 2; i++) FINE(irr_global_malloc_all(g.heap[i], 4096, &of_all[i]));
  c[0] = (irr_cache){.at = of_all[0] + 4095, .bytes = 1, .data = local[0]};
  FINE(irr_cache_acquire(g.heap[0], &c[0], on_done, &e));
  CHECK(here_settle(&g.h, 100));
  ENDS(irr_global_free_all(g.heap[0], of_all[0]), IRR_E_IN_USE);
  FINE(irr_global_free_all(g.heap[1], of_all[1]));
  FINE(irr_cache_release(&c[0], on_done, &e));
  CHECK(here_settle(&g.h, 100));
  FINE(irr_global_free_all(g.heap[0], of_all[0]));
  global_close(&g);
}

static void together(void) {
  global g;
  irr_address at[2][4], none;
  if (!global_open(&g, 4, (irr_heap_options){0})) return;
  for (unsigned i = 0; i < 4; i++) {
    FINE(irr_global_malloc_all(g.heap[i], 3 * RANK_BYTES / 4, &at[0][i]));
    FINE(irr_global_malloc_all(g.heap[i], 1, &at[1][i]));
    ENDS(irr_global_malloc_all(g.heap[i], 2 * RANK_BYTES, &none), IRR_E_NOMEM);
    EQ(at[0][i], at[0][0]);
    EQ(at[1][i], at[1][0]);
    EQ(irr_address_rank(g.heap[i], at[1][i]), 0);
  }
  CHECK(at[1][0] >= at[0][0] + 3 * RANK_BYTES / 4 || at[0][0] > at[1][0]);
  for (unsigned i = 0; i < 4; i++) {
    FINE(irr_global_free_all(g.heap[i], at[0][i]));
    ENDS(irr_global_free_all(g.heap[i], at[0][i]), IRR_E_RANGE);
    FINE(irr_global_free_all(g.heap[i], at[1][i]));
    FINE(irr_global_malloc_all(g.heap[i], 2 * RANK_BYTES, &at[0][i]));
    EQ(at[0][i], 0);
  }
  EQ(here_counts(&g.h).sent, 0);
  global_close(&g);
}

static void refused(void) {
  here h;
  irr_heap *heap, *second;
  ended e = {0};
  uint64_t word;
  if (!here_open(&h, 2, NULL, NULL)) return;
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){0}, &heap), IRR_E_ARG);
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 4096, .block = 48}, &heap), IRR_E_ARG);
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 4096, .block = 4}, &heap), IRR_E_ARG);
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 100}, &heap), IRR_E_ARG);
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 4096, .all_bytes = 8192}, &heap), IRR_E_ARG);
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 1u << 28}, &heap), IRR_E_NOMEM);
  FINE(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 4096}, &heap));
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 4096}, &second), IRR_E_IN_USE);
  CHECK(!second);
  // Nor by one that could not be opened anyhow, whose end takes nothing from the first.
  ENDS(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 100}, &second), IRR_E_IN_USE);
  CHECK(!second);
  FINE(here_word(&h, 1, 0, IRR_WORD_READ, (irr_word_args){.place = 8}, &word));
  FINE(irr_global_malloc_from(heap, 0, 64, on_done, &e, &e.status));
  FINE(e.status);
  CHECK(irr_address_pointer(heap, 0));
  irr_heap_close(heap);
  FINE(irr_heap_open(h.net[0], &(irr_heap_options){.rank_bytes = 4096}, &heap));
  irr_heap_close(heap);
  here_close(&h);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  buddies(1, 20);
  buddies(4096, 20000);
  buddies(3001, 20000);
  allocation();
  anywhere();
  borrowed();
  together();
  refused();
  return report();
}
