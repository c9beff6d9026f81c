// SPDX-License-Identifier: Apache-2.0
// Threads of a PE, all of them in the library at once: what each puts, adds and waits for is its own;
// none waits for another.
#include <pthread.h>

#include "check.h"

enum { THREADS = 3, ROUNDS = 20, BURST = 20 };

static int n, to;
static uint64_t count,
    burst;  // static data: all threads of all PEs add to PE 0's count, those of a PE to its neighbour's burst
static long word[THREADS];
static uint8_t *heap;
static int wrong[THREADS];

static void *thread(void *arg) {
  const int t = (int)(intptr_t)arg;
  uint8_t own[6000], got[6000];
  shmem_ctx_t ctx;
  wrong[t] += shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
  for (int r = 1; r <= ROUNDS; r++) {
    const size_t len = (size_t)(r * 997 + t) % sizeof own;
    memset(own, r + t, len);
    shmem_ctx_putmem(ctx, heap + (size_t)t * sizeof own, own, len, to);
    shmem_ctx_quiet(ctx);
    memset(got, 0, len);
    shmem_ctx_getmem(ctx, got, heap + (size_t)t * sizeof own, len, to);
    wrong[t] += memcmp(own, got, len) != 0;
    shmem_ctx_uint64_atomic_inc(ctx, &count, 0);
    for (int i = 0; i < BURST; i++) shmem_ctx_uint64_atomic_inc(ctx, &burst, to);  // more than may be under way
    // thread t of the neighbour waits for this one, in a ring around all PEs
    shmem_ctx_long_p(ctx, &word[t], r, to);
    shmem_long_wait_until(&word[t], SHMEM_CMP_GE, r);
  }
  shmem_ctx_destroy(ctx);
  return NULL;
}

int main(void) {
  int provided = -1;
  pthread_t threads[THREADS];
  CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
  n = shmem_n_pes();
  to = (shmem_my_pe() + 1) % n;
  heap = shmem_malloc(THREADS * 6000);
  for (int t = 0; t < THREADS; t++) CHECK(!pthread_create(&threads[t], NULL, thread, (void *)(intptr_t)t));
  for (int t = 0; t < THREADS; t++) CHECK(!pthread_join(threads[t], NULL));
  for (int t = 0; t < THREADS; t++) CHECK(wrong[t] == 0);
  shmem_barrier_all();
  CHECK(burst == THREADS * ROUNDS * BURST);
  if (!shmem_my_pe()) CHECK(count == (uint64_t)n * THREADS * ROUNDS);
  return check_end("threads");
}
