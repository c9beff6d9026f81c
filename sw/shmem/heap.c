// SPDX-License-Identifier: Apache-2.0
// The symmetric heap. Every PE does the same with a list of its own, kept outside the heap, so that an object lies at
// the same offset at all. That they do the same is looked at: each call tells the others what it was asked for.
#include <stdlib.h>
#include <string.h>

#include "coll.h"
#include "heap.h"

enum { LEAST_ALIGN = 64, MOST_ALIGN = SHM_HEAP_ALIGN };

typedef struct piece {
  size_t at, bytes;
  bool used;
  struct piece *next;
} piece;

static piece *first;

static piece *new_piece(size_t at, size_t bytes, piece *next) {
  piece *p = malloc(sizeof *p);
  if (!p) shm_die("no memory");
  *p = (piece){.at = at, .bytes = bytes, .next = next};
  return p;
}

void shm_heap_open(void) { first = new_piece(0, shm.heap_bytes, NULL); }

void shm_heap_close(void) {
  while (first) {
    piece *p = first;
    first = p->next;
    free(p);
  }
}

static void cut(piece *p, size_t bytes) {
  if (p->bytes == bytes) return;
  p->next = new_piece(p->at + bytes, p->bytes - bytes, p->next);
  p->bytes = bytes;
}

static size_t whole(size_t size) { return (size + LEAST_ALIGN - 1) / LEAST_ALIGN * LEAST_ALIGN; }

// The first that is long enough.
static void *take(size_t align, size_t size) {
  const size_t bytes = whole(size);
  if (bytes < size) return NULL;
  for (piece *p = first; p; p = p->next) {
    const size_t skip = (align - p->at % align) % align;
    if (p->used || p->bytes < skip || p->bytes - skip < bytes) continue;
    if (skip) {
      cut(p, skip);
      p = p->next;
    }
    cut(p, bytes);
    p->used = true;
    return shm.heap + p->at;
  }
  return NULL;
}

static piece *piece_of(const void *ptr, const char *what) {
  for (piece *p = first; p; p = p->next)
    if (p->used && shm.heap + p->at == (const uint8_t *)ptr) return p;
  shm_die("%s: %p was not given out by shmem_malloc, or is free already", what, ptr);
}

// With what is free behind it.
static void join(piece *p) {
  for (piece *n; (n = p->next) && !n->used; free(n)) {
    p->bytes += n->bytes;
    p->next = n->next;
  }
}

static void give(piece *gone) {
  gone->used = false;
  for (piece *p = first; p; p = p->next)
    if (!p->used) join(p);
}

// ---- what all do together
static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9e3779b97f4a7c15ull; }

static void agree(const char *what, uint64_t a, uint64_t b) {
  shm_quiet();
  shm_agree(&tocsin_shmem_team_world, mix(mix(1, a), b), what);
}

void *shmem_align(size_t alignment, size_t size) {
  shm_need_open("shmem_align");
  if (!size) return NULL;
  if (alignment & (alignment - 1) || !alignment || alignment > MOST_ALIGN)
    shm_die("shmem_align: an alignment of %zu; it is a power of two, at most %d", alignment, MOST_ALIGN);
  void *p = take(alignment < LEAST_ALIGN ? LEAST_ALIGN : alignment, size);
  agree("shmem_malloc or shmem_align", alignment, size);
  return p;
}

void *shmem_malloc(size_t size) { return shmem_align(LEAST_ALIGN, size); }

void *shmem_malloc_with_hints(size_t size, long hints) {
  (void)hints;  // all of the heap is the same to the device
  return shmem_malloc(size);
}

void *shmem_calloc(size_t count, size_t size) {
  shm_need_open("shmem_calloc");
  if (!count || !size) return NULL;
  const bool fits = count <= SIZE_MAX / size;
  void *p = fits ? take(LEAST_ALIGN, count * size) : NULL;
  if (p) memset(p, 0, count * size);
  agree("shmem_calloc", count, size);
  return p;
}

void shmem_free(void *ptr) {
  shm_need_open("shmem_free");
  if (!ptr) return;
  piece *p = piece_of(ptr, "shmem_free");
  agree("shmem_free", p->at, 0);
  give(p);
}

void *shmem_realloc(void *ptr, size_t size) {
  shm_need_open("shmem_realloc");
  if (!ptr) return shmem_malloc(size);
  if (!size) {
    shmem_free(ptr);
    return NULL;
  }
  piece *p = piece_of(ptr, "shmem_realloc");
  const size_t at = p->at, had = p->bytes;
  agree("shmem_realloc", at, size);
  join(p);
  const bool fits = size <= p->bytes;
  cut(p, fits ? whole(size) : had);
  if (fits) return ptr;
  void *to = take(LEAST_ALIGN, size);
  if (to) {
    memcpy(to, ptr, p->bytes);
    give(p);
  }
  agree("shmem_realloc", at, size);
  return to;
}

void *shmalloc(size_t size) { return shmem_malloc(size); }
void shfree(void *ptr) { shmem_free(ptr); }
void *shrealloc(void *ptr, size_t size) { return shmem_realloc(ptr, size); }
void *shmemalign(size_t alignment, size_t size) { return shmem_align(alignment, size); }
