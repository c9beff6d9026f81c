// SPDX-License-Identifier: Apache-2.0
/* What the backends in process share: a node's memory and interrupts, and the link between the nodes. */
#ifndef TOCSIN_INPROC_H
#define TOCSIN_INPROC_H

#include "frames.h"
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

/* ---- wire: between the nodes, and out of the process where toc_options.link says so */
enum { LINK_DELAY = 250, CYCLE_NS = 4 };
typedef struct frame {
  struct frame *next;
  uint64_t due;
  unsigned to;
  bool fcs_bad;
  size_t n;
  uint8_t bytes[FRAME_BYTES];
} frame;
typedef struct wire wire;
/* why: a sentence for failures, 160 bytes. */
toc_status toc_i_wire_new(const toc_options *o, wire **l, char *why);
void toc_i_wire_free(wire *l);
/* A register of the node has been written: who it is. */
void toc_i_wire_reg(wire *l, unsigned node, uint32_t addr, unsigned size, uint64_t v);
/* A frame leaves node `from`; where it goes is in its destination MAC. */
void toc_i_wire_send(wire *l, unsigned from, uint64_t cycle, const uint8_t *bytes, size_t n);
const frame *toc_i_wire_due(const wire *l, uint64_t cycle); /* the next one to arrive, NULL: none yet */
void toc_i_wire_pop(wire *l);
/* Takes in and sends out what the way out of the process has and wants. true: something has moved. */
bool toc_i_wire_pump(wire *l, uint64_t cycle);
/* *step: cycles until the next one, at least 1, `most` at most; with a way out some more, but no more than the clock
 * has gone on, which may be none. true: a frame is there then. */
bool toc_i_wire_next(wire *l, uint64_t cycle, uint64_t most, uint64_t *step);
/* Readable when a frame has come, after a step that the clock has cut short; else -1. */
int toc_i_wire_rest(const wire *l);
/* Of a way out that gives its one node its addresses; false: there is none such. The path to a peer, as `path`
 * has it; 0 bytes: any. */
bool toc_i_wire_who(const wire *l, toc_address *a);
void toc_i_wire_peer(wire *l, uint32_t number, uint64_t mac);
toc_status toc_i_wire_path(const wire *l, const toc_address *to, uint32_t *bytes, char *why);
void toc_i_wire_count(const wire *l, toc_link_count *c);

#endif
