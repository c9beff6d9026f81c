// SPDX-License-Identifier: Apache-2.0
/* XTQ: the receive buffers that a process has posted, and where in them the next message goes. */
#ifndef TOCSIN_XTQ_RBUF_H
#define TOCSIN_XTQ_RBUF_H

#include <stdbool.h>
#include <stdint.h>

enum { XTQ_RBUFS_MAX = 64 };

/* Buffers are numbered from 0 in the order in which they were posted; those that were dropped are not counted. */
typedef struct xtq_rbufs {
  struct {
    uint64_t addr;
    uint32_t len, least;
  } buf[XTQ_RBUFS_MAX]; /* number n in [n % XTQ_RBUFS_MAX] */
  uint32_t oldest, next;
  uint32_t offset; /* bytes used of the oldest */
  uint32_t gone;   /* dropped by the last xtq_rbuf_drop */
} xtq_rbufs;

/* False: misaligned, empty, or `depth` are posted already. */
bool xtq_rbuf_post(xtq_rbufs *r, unsigned depth, uint64_t addr, uint32_t len, uint32_t least);

/* Where a message of n > 0 bytes would go. False: it fits in none. Changes nothing. */
bool xtq_rbuf_find(const xtq_rbufs *r, uint64_t n, uint32_t *number, uint64_t *addr);

/* Takes that room. Buffers up to but not including the returned number are used up by it. */
uint32_t xtq_rbuf_take(xtq_rbufs *r, uint64_t n, uint32_t number);

/* Bytes that buffer `number` has left, and takes all of them: likewise. */
uint32_t xtq_rbuf_room(const xtq_rbufs *r, uint32_t number);
uint32_t xtq_rbuf_take_all(xtq_rbufs *r, uint32_t number);

/* Forgets all in which nothing has begun: gone. The oldest, if something has, is used up: returns as xtq_rbuf_take. */
uint32_t xtq_rbuf_drop(xtq_rbufs *r);

#endif
