// SPDX-License-Identifier: Apache-2.0
// io_uring without a library. Each request is handed over at once; ends are read from the ring that the
// kernel shares with us.
#define _GNU_SOURCE
#include "page_ring.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/io_uring.h>)
#define HAVE_RING 1
#endif
#endif

#ifdef HAVE_RING
#include <errno.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct page_ring {
  int fd, file;
  uint8_t *ring; /* both rings are one piece of memory */
  size_t ring_bytes, entries_bytes;
  struct io_uring_sqe *entry;
  struct io_uring_params p;
};

static uint32_t *word(const page_ring *r, uint32_t at) { return (uint32_t *)(void *)(r->ring + at); }
static uint32_t look(const uint32_t *w) { return __atomic_load_n(w, __ATOMIC_ACQUIRE); }
static void say(uint32_t *w, uint32_t v) { __atomic_store_n(w, v, __ATOMIC_RELEASE); }

static void *shared(const page_ring *r, size_t bytes, uint64_t what) {
  void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, (off_t)what);
  return m == MAP_FAILED ? NULL : m;
}

static bool rings(page_ring *r) {
  const struct io_uring_params *p = &r->p;
  const size_t sq = p->sq_off.array + p->sq_entries * sizeof(uint32_t),
               cq = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
  /* the last says: since 5.6, with plain reads and writes */
  if (!(p->features & IORING_FEAT_SINGLE_MMAP) || !(p->features & IORING_FEAT_RW_CUR_POS)) return false;
  r->ring_bytes = sq > cq ? sq : cq;
  r->entries_bytes = p->sq_entries * sizeof *r->entry;
  r->ring = shared(r, r->ring_bytes, IORING_OFF_SQ_RING);
  r->entry = shared(r, r->entries_bytes, IORING_OFF_SQES);
  return r->ring && r->entry;
}

page_ring *irr_i_page_ring_open(int fd, unsigned depth) {
  page_ring *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  r->file = fd;
  r->fd = (int)syscall(__NR_io_uring_setup, depth, &r->p);
  if (r->fd >= 0 && rings(r)) return r;
  irr_i_page_ring_close(r);
  return NULL;
}

void irr_i_page_ring_close(page_ring *r) {
  if (!r) return;
  if (r->entry) munmap(r->entry, r->entries_bytes);
  if (r->ring) munmap(r->ring, r->ring_bytes);
  if (r->fd >= 0) close(r->fd);
  free(r);
}

bool irr_i_page_ring_begin(page_ring *r, bool write, void *memory, uint32_t bytes, uint64_t at, void *mark) {
  uint32_t *tail = word(r, r->p.sq_off.tail), mask = *word(r, r->p.sq_off.ring_mask), t = *tail;
  if (t - look(word(r, r->p.sq_off.head)) > mask) return false;
  struct io_uring_sqe *e = &r->entry[t & mask];
  memset(e, 0, sizeof *e);
  e->opcode = write ? IORING_OP_WRITE : IORING_OP_READ;
  e->fd = r->file;
  e->addr = (uint64_t)(uintptr_t)memory;
  e->len = bytes;
  e->off = at;
  e->user_data = (uint64_t)(uintptr_t)mark;
  word(r, r->p.sq_off.array)[t & mask] = t & mask;
  say(tail, t + 1);
  long n;
  do n = syscall(__NR_io_uring_enter, r->fd, 1, 0, 0, NULL, 0);
  while (n < 0 && errno == EINTR);
  if (n == 1) return true;
  say(tail, t); /* it was not taken */
  return false;
}

bool irr_i_page_ring_ended(page_ring *r, void **mark, int *said) {
  uint32_t *head = word(r, r->p.cq_off.head), h = *head;
  if (h == look(word(r, r->p.cq_off.tail))) return false;
  const struct io_uring_cqe *all = (const void *)(r->ring + r->p.cq_off.cqes),
                            *e = &all[h & *word(r, r->p.cq_off.ring_mask)];
  *mark = (void *)(uintptr_t)e->user_data;
  *said = e->res;
  say(head, h + 1);
  return true;
}

#else

page_ring *irr_i_page_ring_open(int fd, unsigned depth) { return (void)fd, (void)depth, NULL; }
void irr_i_page_ring_close(page_ring *r) { free(r); }
bool irr_i_page_ring_begin(page_ring *r, bool write, void *memory, uint32_t bytes, uint64_t at, void *mark) {
  return (void)r, (void)write, (void)memory, (void)bytes, (void)at, (void)mark, false;
}
bool irr_i_page_ring_ended(page_ring *r, void **mark, int *said) { return (void)r, (void)mark, (void)said, false; }

#endif
