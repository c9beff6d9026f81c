// SPDX-License-Identifier: Apache-2.0
// Numbers 0 to units - 1, allocated in runs of a power of two that begin at a multiple of their length.
// Free halves become one again.
#ifndef TOCSIN_IRREGULAR_BUDDY_H
#define TOCSIN_IRREGULAR_BUDDY_H

#include <stdbool.h>
#include <stdint.h>

enum { BUDDY_ORDERS = 32 };

typedef struct buddy {
  uint32_t units;
  uint8_t *state;         // of each unit: what begins there
  uint32_t *next, *prev;  // of free runs of one length
  uint32_t head[BUDDY_ORDERS];
} buddy;

bool irr_i_buddy_open(buddy *b, uint32_t units);
void irr_i_buddy_close(buddy *b);
bool irr_i_buddy_take(buddy *b, uint64_t units, uint32_t *at);
bool irr_i_buddy_give(buddy *b, uint32_t at);             // false: nothing that is in use begins there
uint32_t irr_i_buddy_units(const buddy *b, uint32_t at);  // of the run in use that begins there; 0: there is none

#endif
