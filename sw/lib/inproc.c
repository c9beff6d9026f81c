// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "inproc.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

// ---- memory
bool toc_i_mem_new(memory *m, uint64_t size) {
  *m = (memory){.size = toc_i_up(size, PAGE)};
  void *p = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  m->bytes = p;
  return toc_i_ranges_init(&m->free, MEMORY_AT, m->size);
}

void toc_i_mem_free(memory *m) {
  if (m->bytes) munmap(m->bytes, m->size);
  for (unsigned i = 0; i < TOC_VECTORS; i++)
    if (m->fd[i]) close(m->fd[i] - 1);
  toc_i_ranges_free(&m->free);
}

uint8_t *toc_i_mem_at(memory *m, uint64_t addr, size_t n) {
  if (addr < MEMORY_AT || addr - MEMORY_AT > m->size || n > m->size - (addr - MEMORY_AT)) return NULL;
  return m->bytes + (addr - MEMORY_AT);
}

bool toc_i_mem_alloc(memory *m, size_t bytes, size_t align, toc_dma *d) {
  *d = (toc_dma){.bytes = toc_i_up(bytes, PAGE)};
  if (!toc_i_range_take(&m->free, d->bytes, align, &d->bus)) return false;
  d->ptr = toc_i_mem_at(m, d->bus, d->bytes);
  memset(d->ptr, 0, d->bytes);
  return true;
}

void toc_i_mem_give(memory *m, const toc_dma *d) { toc_i_range_give(&m->free, d->bus, d->bytes); }

void toc_i_mem_store(uint8_t *to, const void *from, size_t n) {
  if (n == 8 && (uintptr_t)to % 8 == 0) {
    uint64_t v;
    memcpy(&v, from, 8);
    __atomic_store_n((uint64_t *)(void *)to, v, __ATOMIC_SEQ_CST);
    return;
  }
  memcpy(to, from, n);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

bool toc_i_mem_atomic(memory *m, uint64_t addr, unsigned size, bool cas, uint64_t swap, uint64_t compare,
                      uint64_t *old) {
  void *p = toc_i_mem_at(m, addr, size);
  if (!p || addr % size) return false;
  if (size == 8) {
    uint64_t *w = p, was = compare;
    if (cas)
      __atomic_compare_exchange_n(w, &was, swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    else
      was = __atomic_fetch_add(w, swap, __ATOMIC_SEQ_CST);
    *old = was;
  } else {
    uint32_t *w = p, was = (uint32_t)compare;
    if (cas)
      __atomic_compare_exchange_n(w, &was, (uint32_t)swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    else
      was = __atomic_fetch_add(w, (uint32_t)swap, __ATOMIC_SEQ_CST);
    *old = was;
  }
  return true;
}

// ---- interrupts: MSIs to FEE0_0000h, the data is the vector
int toc_i_mem_vector(memory *m, unsigned v, uint64_t *addr, uint32_t *data) {
  *addr = 0xfee00000;
  *data = v;
  if (v >= TOC_VECTORS) return -1;
  if (!m->fd[v]) m->fd[v] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) + 1;
  return m->fd[v] - 1;
}

void toc_i_mem_irq(memory *m, uint32_t v) {
  uint64_t one = 1;
  if (v < TOC_VECTORS && m->fd[v] && write(m->fd[v] - 1, &one, sizeof one) < 0) one = 0; /* the counter is full: fine */
}

// ---- link: frames by time of arrival; the same time: in the order in which they were sent
struct wire {
  frame *first, *spare;
  uint64_t rng;
  unsigned nodes, drop, twice, swap, bend;
};

wire *toc_i_wire_new(const toc_options *o) {
  wire *l = calloc(1, sizeof *l);
  if (l)
    *l = (wire){.rng = o->seed * 0x9e3779b97f4a7c15u | 1,
                .nodes = o->nodes,
                .drop = o->drop,
                .twice = o->twice,
                .swap = o->swap,
                .bend = o->bend};
  return l;
}

void toc_i_wire_free(wire *l) {
  if (!l) return;
  for (frame *f = l->first, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  for (frame *f = l->spare, *next; f; f = next) {
    next = f->next;
    free(f);
  }
  free(l);
}

static unsigned below(wire *l, unsigned n) {
  l->rng ^= l->rng << 13;
  l->rng ^= l->rng >> 7;
  l->rng ^= l->rng << 17;
  return (unsigned)((l->rng >> 16) % n);
}

static frame *launch(wire *l, unsigned to, uint64_t due, const uint8_t *bytes, size_t n) {
  frame *f = l->spare;
  if (f)
    l->spare = f->next;
  else
    f = malloc(sizeof *f);
  if (!f) return NULL; /* lost, as frames are */
  f->due = due;
  f->to = to;
  f->fcs_bad = false;
  f->n = n;
  memcpy(f->bytes, bytes, n);
  frame **at = &l->first;
  while (*at && (*at)->due <= due) at = &(*at)->next;
  f->next = *at;
  *at = f;
  return f;
}

void toc_i_wire_send(wire *l, unsigned from, uint64_t cycle, const uint8_t *bytes, size_t n) {
  unsigned to = n > 6 ? (unsigned)bytes[4] << 8 | bytes[5] : l->nodes;
  if (n < 14 || n > FRAME_BYTES || to >= l->nodes || to == from) return;
  uint64_t due = cycle + LINK_DELAY;
  unsigned luck = below(l, 1000);
  if (luck < l->drop) return;
  luck -= l->drop;
  if (luck < l->twice) {
    launch(l, to, due + below(l, 500), bytes, n);
  } else if ((luck -= l->twice) < l->swap) {
    due += 1 + below(l, 500);
  } else if ((luck -= l->swap) < l->bend) {
    frame *f = launch(l, to, due, bytes, n);
    if (f && below(l, 4))
      f->bytes[below(l, (unsigned)n)] ^= (uint8_t)(1u << below(l, 8));
    else if (f)
      f->fcs_bad = true;
    return;
  }
  launch(l, to, due, bytes, n);
}

const frame *toc_i_wire_due(const wire *l, uint64_t cycle) {
  return l->first && l->first->due <= cycle ? l->first : NULL;
}

void toc_i_wire_pop(wire *l) {
  frame *f = l->first;
  l->first = f->next;
  f->next = l->spare;
  l->spare = f;
}

uint64_t toc_i_wire_next(const wire *l, uint64_t cycle, uint64_t most) {
  if (!l->first || l->first->due >= cycle + most) return most;
  return l->first->due > cycle ? l->first->due - cycle : 1;
}
