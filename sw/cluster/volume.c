// SPDX-License-Identifier: Apache-2.0
#include "volume.h"

#include <sys/mman.h>

#include "mix.h"

// Of an element's hash: owner 24 bits, cell 20, the rest makes it differ from those that collide with it.
enum { OWNER_BITS = 24, CELL_BITS = 20, PLACE_BITS = OWNER_BITS + CELL_BITS };
#define PLACE ((1ull << PLACE_BITS) - 1)

volume *volume_new(void) {
  void *p = mmap(NULL, sizeof(volume), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
void volume_free(volume *v) {
  if (v) munmap(v, sizeof *v);
}

unsigned volume_owner(uint64_t elem, unsigned volumes) {
  return (unsigned)((app_mix(elem) & ((1u << OWNER_BITS) - 1)) % volumes);
}
static unsigned used_bits = CELL_BITS, squares;
static uint64_t used = VOLUME_TABLE - 1;

void volume_use(unsigned bits, unsigned skew) {
  used_bits = bits;
  used = (1ull << bits) - 1;
  squares = skew;
}
uint64_t volume_cell(uint64_t elem) { return app_mix(elem) >> OWNER_BITS & used; }

// A uniform number below 1, squared some times, as a cell.
static uint64_t skewed(uint64_t x) {
  uint64_t c = x >> OWNER_BITS & used;
  for (unsigned i = 0; i < squares; i++) c = c * c >> used_bits;
  return (x & ((1ull << OWNER_BITS) - 1)) | c << OWNER_BITS;
}

static uint64_t place(uint64_t seed, unsigned r, unsigned i, uint32_t collide) {
  for (;;) {
    uint64_t x = app_mix(app_mix(seed ^ (uint64_t)r << 32) + i);
    if (!i || (uint32_t)(x >> 32) >= collide) return squares ? skewed(app_mix(x)) : app_mix(x) & PLACE;
    i = (unsigned)(app_mix(x + 1) % i);
  }
}

uint64_t volume_elem(uint64_t seed, unsigned r, unsigned i, uint32_t collide) {
  return app_unmix(place(seed, r, i, collide) | (uint64_t)(i + 1) << PLACE_BITS);
}

unsigned volume_insert(volume *v, uint64_t elem, uint64_t *collided) {
  uint64_t at = volume_cell(elem);
  if (!v->cells[at].elem) {
    v->cells[at].elem = elem;
    return 1;
  }
  ++*collided;
  if (v->taken == VOLUME_HEAP) return 0;
  uint64_t mine = VOLUME_TABLE + v->taken++, prev = v->last[at];
  v->cells[mine].elem = elem;
  v->last[at] = mine;
  v->cells[prev ? prev : at].next = mine;
  return prev ? 4 : 3;
}

bool volume_has(const volume *v, uint64_t elem) {
  unsigned found = 0;
  for (uint64_t at = volume_cell(elem);; at = v->cells[at].next) {
    found += v->cells[at].elem == elem;
    if (!v->cells[at].next) return found == 1;
  }
}

uint64_t volume_count(const volume *v, uint64_t elem) {
  uint64_t at = volume_cell(elem), n = 0;
  do n += v->cells[at].elem != 0;
  while ((at = v->cells[at].next));
  return n;
}
