// SPDX-License-Identifier: Apache-2.0
// A volume of the hash table (Active Access 4.1, listings 2 and 3): a table of cells, each the head of a chain in
// the overflow heap, and for each the cell that was linked last. Which volume and cell an element belongs to is
// said by its hash, and so are collisions: an element that shall collide has the low bits of another one's hash.
#ifndef TOCSIN_CLUSTER_VOLUME_H
#define TOCSIN_CLUSTER_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  VOLUME_TABLE = 1 << 20,
  VOLUME_HEAP = 1 << 20,
  VOLUME_CELLS = VOLUME_TABLE + VOLUME_HEAP
};  // AA 5.2.1: 2^21 elements

typedef struct cell {
  uint64_t elem;  // 0: empty
  uint64_t next;  // index of a cell, 0: the end
} cell;

typedef struct volume {
  cell cells[VOLUME_CELLS];
  uint64_t last[VOLUME_TABLE];  // index of the cell that ends the chain, 0: the head itself
  uint64_t taken;               // cells of the heap
} volume;

// Zeroed memory that is there only where it is touched; NULL: none.
volume *volume_new(void);
void volume_free(volume *v);

unsigned volume_owner(uint64_t elem, unsigned volumes);
uint64_t volume_cell(uint64_t elem);  // of those that are used: volume_use
// From now on elements belong to the first 2^bits cells alone, for all volumes; new ones to low ones rather, with the
// 2^skew-th power of a uniform number as their place.
void volume_use(unsigned bits, unsigned skew);
// The i-th element of process r: with `collide` of 2^32 times in that many it has an earlier one's cell.
uint64_t volume_elem(uint64_t seed, unsigned r, unsigned i, uint32_t collide);

// By the processor that owns it. How many lines of memory it needed that no cache has; *collided counts. 0: the
// heap is full.
unsigned volume_insert(volume *v, uint64_t elem, uint64_t *collided);
// The element is there, once; *length counts its chain's cells up to it.
bool volume_has(const volume *v, uint64_t elem);
// Elements in all chains that begin in cells which `elem` names.
uint64_t volume_count(const volume *v, uint64_t elem);
#endif
