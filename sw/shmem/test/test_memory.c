// SPDX-License-Identifier: Apache-2.0
// The symmetric heap and static data: puts and gets of every length, from and to memory of every kind,
// against an image.
#include "check.h"

enum { BYTES = 20000, ROUNDS = 40 };

static uint8_t in_data[BYTES];  // static data is symmetric
static uint8_t own_data[BYTES];
static uint64_t state;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// Lengths about the sizes at which something changes, and any.
static size_t length(void) {
  static const size_t edges[] = {0, 1, 7, 8, 9, 215, 216, 217, 255, 256, 257, 4095, 4096, 4097, 8192, BYTES};
  return next() % 2 ? edges[next() % (sizeof edges / sizeof *edges)] : next() % BYTES;
}

// Each PE writes into its neighbour and reads back; the neighbour compares with what it should have got.
static void moves(uint8_t *far, uint8_t *near, const char *what) {
  const int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n, from = (me + n - 1) % n;
  uint8_t *image = calloc(1, BYTES), *back = malloc(BYTES);
  memset(far, 0, BYTES);
  shmem_barrier_all();
  state = 77;  // all PEs do the same, with other bytes
  for (int r = 0; r < ROUNDS; r++) {
    const size_t len = length(), at = len < BYTES ? next() % (BYTES - len) : 0;
    for (size_t i = 0; i < len; i++) near[i] = (uint8_t)(next() + (uint64_t)me * 31);
    for (size_t i = 0; i < len; i++) image[at + i] = (uint8_t)(near[i] - me * 31 + from * 31);
    if (r % 2)
      shmem_putmem(far + at, near, len, to);
    else
      shmem_putmem_nbi(far + at, near, len, to);
    shmem_quiet();
    memset(near, 0, len);
    if (r % 3)
      shmem_getmem(near, far + at, len, to);
    else
      shmem_getmem_nbi(near, far + at, len, to);
    shmem_quiet();
    for (size_t i = 0; i < len; i++) back[i] = (uint8_t)(image[at + i] - from * 31 + me * 31);
    CHECK(!memcmp(near, back, len));
    if (check_wrong) fprintf(stderr, "  %s, round %d: %zu bytes at %zu\n", what, r, len, at);
  }
  shmem_barrier_all();
  CHECK(!memcmp(far, image, BYTES));
  shmem_barrier_all();
  free(image);
  free(back);
}

static void heap(void) {
  uint8_t *a = shmem_malloc(100), *b = shmem_align(4096, 5000), *c = shmem_calloc(100, 10);
  CHECK(a && b && c && (uintptr_t)b % 4096 == 0 && (uintptr_t)a % 16 == 0);
  for (int i = 0; i < 1000; i++) CHECK(c[i] == 0);
  CHECK(shmem_malloc(0) == NULL && shmem_calloc(0, 3) == NULL && shmem_malloc((size_t)1 << 40) == NULL);
  memset(a, 5, 100);
  uint8_t *d = shmem_realloc(a, 100000);
  CHECK(d && d[0] == 5 && d[99] == 5);
  const size_t most = 60u << 20;
  CHECK(shmem_realloc(d, most) == d && shmem_malloc(most) == NULL && d[0] == 5 && d[99] == 5);
  CHECK(shmem_realloc(d, 2 * most) == NULL && shmem_realloc(d, SIZE_MAX) == NULL);
  CHECK(shmem_realloc(d, 50) == d);
  uint8_t *e = shmem_malloc(most - 100000);  // what has become shorter leaves the rest
  uint8_t *f = shmem_realloc(d, 65);
  CHECK(e && f && f != d && f[0] == 5);
  shmem_free(e);
  CHECK(shmem_realloc(NULL, 0) == NULL);
  CHECK(shmem_realloc(f, 0) == NULL);
  shmem_free(b);
  shmem_free(c);
  shmem_free(NULL);
  // all of it is there again
  e = shmem_malloc_with_hints(most, SHMEM_MALLOC_ATOMICS_REMOTE);
  CHECK(e && shmem_malloc(most) == NULL);
  shmem_putmem(e + most - 1, "x", 1, (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  CHECK(e[most - 1] == 'x');
  shmem_free(e);
  CHECK(shmem_ptr(e, shmem_my_pe()) == (void *)e);
  CHECK(shmem_addr_accessible(in_data, 0) && !shmem_addr_accessible(&most, 0) && !shmem_addr_accessible(in_data, 99));
  if (shmem_n_pes() > 1) CHECK(shmem_ptr(in_data, (shmem_my_pe() + 1) % shmem_n_pes()) == NULL);
}

int main(void) {
  shmem_init();
  uint8_t *far = shmem_malloc(BYTES), *near = shmem_malloc(BYTES), *own = malloc(BYTES);
  moves(far, near, "heap to heap");
  moves(far, own, "private to heap");
  moves(far, own_data, "static to heap");
  moves(in_data, near, "heap to static");
  moves(in_data, own, "private to static");
  shmem_free(far);
  shmem_free(near);
  free(own);
  heap();
  return check_end("memory");
}
