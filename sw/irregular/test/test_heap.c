// SPDX-License-Identifier: Apache-2.0
// Global memory: addresses bit by bit and byte by byte, caches and delegates against a reference.
#include "heap_here.h"

// ---- addresses
static void two_dimensions(void) {
  const irr_address a = irr_address_2d(0x5a5a, (void *)(uintptr_t)0x123456789abc);
  EQ(a, 0xda5a123456789abc);
  CHECK(irr_address_is_2d(a) && !irr_address_is_2d(a & ~IRR_ADDRESS_2D));
  EQ(irr_address_2d_rank(a), 0x5a5a);
  EQ((uintptr_t)irr_address_local(a), 0x123456789abc);
  const uintptr_t high = (uintptr_t)0xffff800000001230;
  EQ(irr_address_2d(0x7fff, (void *)high), 0xffff800000001230);
  EQ((uintptr_t)irr_address_local(irr_address_2d(0, (void *)high)), high);
  EQ(irr_address_2d_rank(irr_address_2d(1, (void *)high)), 1);
}

// Blocks go round the ranks; every byte has one place, and the way back leads to its address.
static void linear(unsigned n, uint32_t block) {
  global g;
  enum { BYTES = 8192 };
  if (!global_open(&g, n, (irr_heap_options){.block = block, .rank_bytes = BYTES})) return;
  const uint32_t size = irr_heap_block(g.heap[0]);
  uint64_t place[HERE_MOST] = {0}, wrong = 0;
  EQ(size, block ? block : 64);
  EQ(irr_heap_bytes(g.heap[0]), BYTES * n);
  for (irr_address a = 0; a < BYTES * n; a++) {
    const unsigned r = (unsigned)(a / size % n);
    wrong += irr_address_rank(g.heap[0], a) != r || irr_address_place(g.heap[0], a) != place[r];
    wrong += irr_address_of_place(g.heap[0], r, place[r]) != a || irr_address_run(g.heap[0], a) != size - a % size;
    for (unsigned i = 0; i < n; i++) wrong += (irr_address_pointer(g.heap[i], a) != NULL) != (i == r);
    place[r]++;
  }
  EQ(wrong, 0);
  CHECK((uint8_t *)irr_address_pointer(g.heap[0], 1) == (uint8_t *)irr_address_pointer(g.heap[0], 0) + 1);
  CHECK(!irr_address_pointer(g.heap[0], BYTES * n));
  global_close(&g);
}

// ---- words by address, and caches of any place and length, against an image
static void copy(const global *g, unsigned rank, irr_cache_mode mode, irr_address at, uint64_t bytes, uint8_t *image,
                 uint64_t *r) {
  static uint8_t local[RANK_BYTES];
  irr_cache c = {.at = at, .bytes = bytes, .data = local, .mode = mode};
  ended e = {0};
  for (uint64_t i = 0; i < bytes; i++) local[i] = 0xee;
  FINE(irr_cache_acquire(g->heap[rank], &c, on_done, &e));
  CHECK(here_settle(&g->h, 500));
  EQ(e.times, 1);
  FINE(irr_cache_ended(&c));
  ENDS(irr_cache_acquire(g->heap[rank], &c, on_done, &e), IRR_E_IN_USE);
  for (uint64_t i = 0; mode == IRR_CACHE_WRITE && i < bytes; i++) CHECK(local[i] == 0xee);
  if (mode != IRR_CACHE_WRITE) CHECK(!memcmp(local, image + at, bytes));
  for (uint64_t i = 0; i < bytes; i++) local[i] = (uint8_t)scene_random(r);
  if (mode != IRR_CACHE_READ) memcpy(image + at, local, bytes);
  FINE(irr_cache_release(&c, on_done, &e));
  CHECK(here_settle(&g->h, 500));
  EQ(e.times, 2);
  EQ(e.value, 0);
  ENDS(irr_cache_release(&c, on_done, &e), IRR_E_ARG);
}

static void caches(unsigned n, uint32_t block) {
  static uint8_t image[HERE_MOST * RANK_BYTES];
  global g;
  uint64_t r = seed + n + block, got;
  if (!global_open(&g, n, (irr_heap_options){.block = block})) return;
  const uint64_t all = irr_heap_bytes(g.heap[0]);
  memset(image, 0, sizeof image);
  for (unsigned i = 0; i < 60; i++) {
    const uint64_t bytes = scene_random(&r) % (i % 8 ? 700 : 20000), at = scene_random(&r) % (all - bytes);
    const unsigned rank = scene_random(&r) % n;
    copy(&g, rank, (irr_cache_mode)(i % 3), at, bytes, image, &r);
    const irr_address word = scene_random(&r) % (all / 8) * 8;
    ended e = {0};
    uint64_t was, add = scene_random(&r);
    memcpy(&was, image + word, 8);
    FINE(irr_global_word(g.heap[i % n],
                         &(irr_word_op){.function = IRR_WORD_ADD, .at = word, .a = add, .done = on_done, .arg = &e}));
    CHECK(here_settle(&g.h, 100));
    EQ(e.value, was);
    add += was;
    memcpy(image + word, &add, 8);
  }
  copy(&g, 0, IRR_CACHE_READ, all, 0, image, &r);
  unsigned wrong = 0;
  for (irr_address a = 0; a < all; a++)
    wrong += *(uint8_t *)irr_address_pointer(g.heap[irr_address_rank(g.heap[0], a)], a) != image[a];
  EQ(wrong, 0);
  irr_cache c = {.at = all - 7, .bytes = 8, .data = &got};
  ENDS(irr_cache_acquire(g.heap[0], &c, on_done, NULL), IRR_E_RANGE);
  ENDS(irr_global_word(g.heap[0], &(irr_word_op){.function = IRR_WORD_READ, .at = 4}), IRR_E_ALIGN);
  ENDS(irr_global_word(g.heap[0], &(irr_word_op){.function = IRR_WORD_READ, .at = all}), IRR_E_RANGE);
  irr_delegate d = {.function = IRR_BYTES_READ};
  ENDS(irr_global_send(g.heap[0], irr_heap_block(g.heap[0]) - 8, 9, &d), IRR_E_RANGE);
  global_close(&g);
}

// Much more than there is room for at once: what is not taken is sent later.
static void large(void) {
  enum { BYTES = 3 * RANK_BYTES };
  static uint8_t from[BYTES], to[BYTES];
  global g;
  ended e = {0};
  if (!global_open(&g, 3, (irr_heap_options){0})) return;
  for (unsigned i = 0; i < BYTES; i++) from[i] = (uint8_t)(i * 31 + i / 251);
  irr_cache w = {.bytes = BYTES, .data = from, .mode = IRR_CACHE_WRITE}, c = {.bytes = BYTES, .data = to};
  FINE(irr_cache_acquire(g.heap[0], &w, on_done, &e));
  FINE(irr_cache_release(&w, on_done, &e));
  EQ(e.times, 1);
  CHECK(here_settle(&g.h, 2000));
  EQ(e.times, 2);
  FINE(irr_cache_acquire(g.heap[2], &c, on_done, &e));
  CHECK(here_settle(&g.h, 2000));
  EQ(e.times, 3);
  CHECK(!memcmp(from, to, BYTES));
  CHECK(here_counts(&g.h).busy > 0);
  global_close(&g);
}

// ---- 2-D: memory that a rank has exported, and nothing beside it
static void exported(void) {
  global g;
  uint64_t local[4] = {1, 2, 3, 4};
  uint8_t got[16];
  ended e = {0};
  if (!global_open(&g, 2, (irr_heap_options){0})) return;
  const irr_address at = irr_address_2d(1, &local[1]);
  irr_word_op w = {.function = IRR_WORD_ADD, .at = at, .a = 40, .done = on_done, .arg = &e, .status = &e.status};
  FINE(irr_global_word(g.heap[0], &w));
  CHECK(here_settle(&g.h, 100));
  ENDS(e.status, IRR_E_RANGE);
  FINE(irr_net_export(g.h.net[1], &local[1], 16));
  ENDS(irr_net_export(g.h.net[1], &local[2], 16), IRR_E_IN_USE);
  FINE(irr_global_word(g.heap[0], &w));
  CHECK(here_settle(&g.h, 100));
  FINE(e.status);
  EQ(e.value, 2);
  EQ(local[1], 42);
  for (unsigned side = 0; side < 2; side++) {
    w.at = irr_address_2d(1, &local[side ? 3 : 0]);
    FINE(irr_global_word(g.heap[0], &w));
    CHECK(here_settle(&g.h, 100));
    ENDS(e.status, IRR_E_RANGE);
  }
  w.at = irr_address_2d(0, &local[1]);  // not of rank 0
  FINE(irr_global_word(g.heap[0], &w));
  ENDS(e.status, IRR_E_RANGE);
  const irr_word_args other = {.place = irr_address_2d(0, &local[1])};  // rank 0's, asked of rank 1
  ENDS(here_word(&g.h, 0, 1, IRR_WORD_READ, other, NULL), IRR_E_RANGE);
  w.at = irr_address_2d(2, &local[1]);  // of nobody
  ENDS(irr_global_word(g.heap[0], &w), IRR_E_ARG);
  irr_cache c = {.at = at, .bytes = sizeof got, .data = got};
  FINE(irr_cache_acquire(g.heap[0], &c, on_done, &e));
  CHECK(here_settle(&g.h, 100));
  CHECK(!memcmp(got, &local[1], sizeof got));
  FINE(irr_net_unexport(g.h.net[1], &local[1]));
  ENDS(irr_net_unexport(g.h.net[1], &local[1]), IRR_E_RANGE);
  c = (irr_cache){.at = at, .bytes = sizeof got, .data = got};
  FINE(irr_cache_acquire(g.heap[0], &c, on_done, &e));
  CHECK(here_settle(&g.h, 100));
  EQ(e.value, 1);
  ENDS(irr_cache_ended(&c), IRR_E_RANGE);
  EQ(local[0] + local[1] + local[2] + local[3], 1 + 42 + 3 + 4);
  global_close(&g);
}

int main(int argc, char **argv) {
  scene_options(argc, argv);
  two_dimensions();
  linear(1, 64);
  linear(3, 0);
  linear(4, 8);
  linear(5, 1024);
  caches(2, 64);
  caches(5, 0);
  caches(3, 4096);
  large();
  exported();
  return report();
}
