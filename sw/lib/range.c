// SPDX-License-Identifier: Apache-2.0
// Free ranges of an address space: sorted, never touching each other, first fit.
#include <stdlib.h>

#include "internal.h"

static bool insert(toc_ranges *r, size_t i, toc_range v) {
  if (r->n == r->room) {
    size_t room = r->room ? 2 * r->room : 8;
    toc_range *more = realloc(r->free, room * sizeof *more);
    if (!more) return false;
    r->free = more;
    r->room = room;
  }
  memmove(&r->free[i + 1], &r->free[i], (r->n - i) * sizeof *r->free);
  r->free[i] = v;
  r->n++;
  return true;
}

static void erase(toc_ranges *r, size_t i) {
  memmove(&r->free[i], &r->free[i + 1], (r->n - i - 1) * sizeof *r->free);
  r->n--;
}

bool toc_i_ranges_init(toc_ranges *r, uint64_t at, uint64_t bytes) {
  *r = (toc_ranges){0};
  return insert(r, 0, (toc_range){at, bytes});
}

void toc_i_ranges_free(toc_ranges *r) {
  free(r->free);
  *r = (toc_ranges){0};
}

static bool cut(toc_ranges *r, size_t i, uint64_t at, uint64_t bytes) {
  toc_range v = r->free[i];
  uint64_t before = at - v.at, after = v.bytes - before - bytes;
  if (before && after && !insert(r, i + 1, (toc_range){at + bytes, after})) return false;
  if (before)
    r->free[i].bytes = before;
  else if (after)
    r->free[i] = (toc_range){at + bytes, after};
  else
    erase(r, i);
  return true;
}

bool toc_i_range_take(toc_ranges *r, uint64_t bytes, uint64_t align, uint64_t *at) {
  for (size_t i = 0; i < r->n; i++) {
    uint64_t from = toc_i_up(r->free[i].at, align), lead = from - r->free[i].at;
    if (lead > r->free[i].bytes || r->free[i].bytes - lead < bytes) continue;
    *at = from;
    return cut(r, i, from, bytes);
  }
  return false;
}

/* In which free range it lies; n: not in one. */
static size_t holder(const toc_ranges *r, uint64_t at, uint64_t bytes) {
  size_t i = 0;
  while (i < r->n && (at < r->free[i].at || at - r->free[i].at > r->free[i].bytes ||
                      bytes > r->free[i].bytes - (at - r->free[i].at)))
    i++;
  return i;
}

bool toc_i_range_is_free(const toc_ranges *r, uint64_t at, uint64_t bytes) { return holder(r, at, bytes) < r->n; }

bool toc_i_range_take_at(toc_ranges *r, uint64_t at, uint64_t bytes) {
  size_t i = holder(r, at, bytes);
  return i < r->n && cut(r, i, at, bytes);
}

void toc_i_range_give(toc_ranges *r, uint64_t at, uint64_t bytes) {
  size_t i = 0;
  while (i < r->n && r->free[i].at < at) i++;
  bool left = i && r->free[i - 1].at + r->free[i - 1].bytes == at;
  bool right = i < r->n && at + bytes == r->free[i].at;
  if (left && right) {
    r->free[i - 1].bytes += bytes + r->free[i].bytes;
    erase(r, i);
  } else if (left) {
    r->free[i - 1].bytes += bytes;
  } else if (right) {
    r->free[i].at = at;
    r->free[i].bytes += bytes;
  } else {
    (void)insert(r, i, (toc_range){at, bytes}); /* without memory the range is lost, nothing worse */
  }
}
