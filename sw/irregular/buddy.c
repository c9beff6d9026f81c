// SPDX-License-Identifier: Apache-2.0
#include "buddy.h"

#include <stdlib.h>
#include <string.h>

enum { INSIDE = 0xff, USED = 0x80 };  // of a run; the order of a run that begins here, and is in use
#define NONE UINT32_MAX

static void push(buddy *b, uint32_t at, unsigned order) {
  b->state[at] = (uint8_t)order;
  b->prev[at] = NONE;
  b->next[at] = b->head[order];
  if (b->head[order] != NONE) b->prev[b->head[order]] = at;
  b->head[order] = at;
}

static void unlink_run(buddy *b, uint32_t at, unsigned order) {
  if (b->next[at] != NONE) b->prev[b->next[at]] = b->prev[at];
  if (b->prev[at] != NONE)
    b->next[b->prev[at]] = b->next[at];
  else
    b->head[order] = b->next[at];
  b->state[at] = INSIDE;
}

bool irr_i_buddy_open(buddy *b, uint32_t units) {
  *b = (buddy){.units = units};
  b->state = malloc(units + 1ull);
  b->next = malloc((units + 1ull) * sizeof *b->next);
  b->prev = malloc((units + 1ull) * sizeof *b->prev);
  if (!b->state || !b->next || !b->prev) return false;
  memset(b->state, INSIDE, units + 1ull);
  for (unsigned o = 0; o < BUDDY_ORDERS; o++) b->head[o] = NONE;
  for (uint32_t at = 0; at < units;) {  // as few runs as alignment and end allow
    unsigned order = 0;
    while (order + 1 < BUDDY_ORDERS && !(at >> order & 1) && (2ull << order) <= units - at) order++;
    push(b, at, order);
    at += 1u << order;
  }
  return true;
}

void irr_i_buddy_close(buddy *b) {
  free(b->state);
  free(b->next);
  free(b->prev);
  *b = (buddy){0};
}

bool irr_i_buddy_take(buddy *b, uint64_t units, uint32_t *at) {
  unsigned want = 0, order;
  while (want < BUDDY_ORDERS && 1ull << want < units) want++;
  for (order = want; order < BUDDY_ORDERS && b->head[order] == NONE; order++) continue;
  if (order >= BUDDY_ORDERS) return false;
  *at = b->head[order];
  unlink_run(b, *at, order);
  while (order-- > want) push(b, *at + (1u << order), order);
  b->state[*at] = (uint8_t)(USED | want);
  return true;
}

uint32_t irr_i_buddy_units(const buddy *b, uint32_t at) {
  if (at >= b->units || b->state[at] == INSIDE || !(b->state[at] & USED)) return 0;
  return 1u << (b->state[at] & (USED - 1u));
}

bool irr_i_buddy_give(buddy *b, uint32_t at) {
  if (!irr_i_buddy_units(b, at)) return false;
  unsigned order = b->state[at] & (USED - 1u);
  b->state[at] = INSIDE;
  for (; order + 1 < BUDDY_ORDERS; order++) {
    const uint32_t other = at ^ 1u << order;
    if (other >= b->units || b->state[other] != order) break;
    unlink_run(b, other, order);
    if (other < at) at = other;
  }
  push(b, at, order);
  return true;
}
