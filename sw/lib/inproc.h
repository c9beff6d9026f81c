// SPDX-License-Identifier: Apache-2.0
/* What the backends in process share: a node's memory and interrupts, and the link between the nodes. */
#ifndef TOCSIN_INPROC_H
#define TOCSIN_INPROC_H

#include "internal.h"

/* ---- memory: bytes from MEMORY_AT on */
#define MEMORY_AT 0x0000000100000000ull
typedef struct memory {
  uint8_t *bytes;
  uint64_t size;
  toc_ranges free;
  int fd[TOC_VECTORS]; /* + 1; 0: none yet */
} memory;
bool toc_i_mem_new(memory *m, uint64_t size);
void toc_i_mem_free(memory *m);
uint8_t *toc_i_mem_at(memory *m, uint64_t addr, size_t n); /* NULL: outside */
bool toc_i_mem_alloc(memory *m, size_t bytes, size_t align, toc_dma *d);
void toc_i_mem_give(memory *m, const toc_dma *d);
/* Words whole, and before whatever is stored next. */
void toc_i_mem_store(uint8_t *to, const void *from, size_t n);
bool toc_i_mem_atomic(memory *m, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                      uint64_t *old);
int toc_i_mem_vector(memory *m, unsigned vector, uint64_t *addr, uint32_t *data);
void toc_i_mem_irq(memory *m, uint32_t vector);

/* ---- wire */
enum { FRAME_BYTES = 4200, LINK_DELAY = 250 };
typedef struct frame {
  struct frame *next;
  uint64_t due;
  unsigned to;
  bool fcs_bad;
  size_t n;
  uint8_t bytes[FRAME_BYTES];
} frame;
typedef struct wire wire;
wire *toc_i_wire_new(const toc_options *o);
void toc_i_wire_free(wire *l);
/* A frame leaves node `from`; where it goes is in its destination MAC. */
void toc_i_wire_send(wire *l, unsigned from, uint64_t cycle, const uint8_t *bytes, size_t n);
const frame *toc_i_wire_due(const wire *l, uint64_t cycle); /* the next one to arrive, NULL: none yet */
void toc_i_wire_pop(wire *l);
uint64_t toc_i_wire_next(const wire *l, uint64_t cycle, uint64_t most); /* cycles until the next one, at least 1 */

#endif
