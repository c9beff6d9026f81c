// SPDX-License-Identifier: Apache-2.0
#include "tocsin/xtq_rbuf.h"

#define AT(r, n) ((r)->buf[(n) % XTQ_RBUFS_MAX])

/* RBF-1. */
bool xtq_rbuf_post(xtq_rbufs *r, unsigned depth, uint64_t addr, uint32_t len, uint32_t least) {
  if (addr % 64 || !len || r->next - r->oldest >= depth) return false;
  AT(r, r->next).addr = addr;
  AT(r, r->next).len = len;
  AT(r, r->next).least = least;
  r->next++;
  return true;
}

/* RBF-2. */
bool xtq_rbuf_find(const xtq_rbufs *r, uint64_t n, uint32_t *number, uint64_t *addr) {
  for (uint32_t i = r->oldest; i != r->next; i++) {
    uint32_t offset = i == r->oldest ? r->offset : 0;
    if (offset + n > AT(r, i).len) continue;
    *number = i;
    *addr = AT(r, i).addr + offset;
    return true;
  }
  return false;
}

/* RBF-2, RBF-3. */
uint32_t xtq_rbuf_take(xtq_rbufs *r, uint64_t n, uint32_t number) {
  if (number != r->oldest) r->offset = 0;
  r->oldest = number;
  uint64_t used = (r->offset + n + 63) & ~63ull, len = AT(r, number).len;
  r->offset = (uint32_t)(used < len ? used : len);
  if (len - r->offset < AT(r, number).least) {
    r->oldest++;
    r->offset = 0;
  }
  return r->oldest;
}

uint32_t xtq_rbuf_room(const xtq_rbufs *r, uint32_t number) {
  return AT(r, number).len - (number == r->oldest ? r->offset : 0);
}

uint32_t xtq_rbuf_take_all(xtq_rbufs *r, uint32_t number) {
  r->oldest = number + 1;
  r->offset = 0;
  return r->oldest;
}

/* RBF-4, RCV-10. */
uint32_t xtq_rbuf_drop(xtq_rbufs *r) {
  if (r->offset) r->oldest++;
  r->gone = r->next - r->oldest;
  r->next = r->oldest;
  r->offset = 0;
  return r->oldest;
}
