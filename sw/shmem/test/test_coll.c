// SPDX-License-Identifier: Apache-2.0
// Collectives, of all PEs, of teams and of active sets, by type and by size, short and longer than any buffer; source
// and destination the same, or in private memory.
#include <complex.h>

#include "check.h"

enum { LONG = 3000 };

static int me, n;
static long psync[SHMEM_ALLTOALL_SYNC_SIZE];

static int value(int pe, int i) { return (pe * 7 + i * 3 + 1) % 50; }

// `count` elements of a type, of all PEs.
#define MOVE(NAME, T)                                                                                         \
  static void move_##NAME(int count) {                                                                        \
    T *own = malloc(sizeof(T) * (size_t)(count * n * 3)), *got = malloc(sizeof(T) * (size_t)(count * n * 3)); \
    const size_t len = (size_t)count;                                                                         \
    for (int i = 0; i < count * n * 3; i++) own[i] = (T)value(me, i), got[i] = 0;                             \
    for (int root = 0; root < n; root += n < 3 ? 1 : n - 1) {                                                 \
      CHECK(shmem_##NAME##_broadcast(SHMEM_TEAM_WORLD, got, own, len, root) == 0);                            \
      for (int i = 0; i < count; i++) CHECK(got[i] == (T)value(root, i));                                     \
    }                                                                                                         \
    CHECK(shmem_##NAME##_fcollect(SHMEM_TEAM_WORLD, got, own, len) == 0);                                     \
    for (int i = 0; i < count * n; i++) CHECK(got[i] == (T)value(i / count, i % count));                      \
    CHECK(shmem_##NAME##_collect(SHMEM_TEAM_WORLD, got, own, me % 2 ? len : len - 1) == 0);                   \
    for (int pe = 0, at = 0; pe < n; pe++)                                                                    \
      for (int i = 0; i < (pe % 2 ? count : count - 1); i++, at++) CHECK(got[at] == (T)value(pe, i));         \
    CHECK(shmem_alltoall(SHMEM_TEAM_WORLD, got, own, len) == 0);                                              \
    for (int i = 0; i < count * n; i++) CHECK(got[i] == (T)value(i / count, me * count + i % count));         \
    memset(got, 0, sizeof(T) * (size_t)(count * n * 3));                                                      \
    CHECK(shmem_##NAME##_alltoalls(SHMEM_TEAM_WORLD, got, own, 3, 2, len) == 0);                              \
    for (int i = 0; i < count * n; i++)                                                                       \
      CHECK(got[i * 3] == (T)value(i / count, (me * count + i % count) * 2) && got[i * 3 + 1] == 0);          \
    free(own);                                                                                                \
    free(got);                                                                                                \
  }
TOCSIN_SHMEM_RMA_DISTINCT(MOVE)

#define REDUCE(NAME, T, OP, EXPR)                                                    \
  do {                                                                               \
    for (int i = 0; i < count; i++) a[i] = (T)value(me, i);                          \
    CHECK(shmem_##NAME##_##OP##_reduce(SHMEM_TEAM_WORLD, b, a, (size_t)count) == 0); \
    for (int i = 0; i < count; i++) {                                                \
      T want = (T)value(0, i);                                                       \
      for (int pe = 1; pe < n; pe++) {                                               \
        const T x = (T)value(pe, i);                                                 \
        want = (T)(EXPR);                                                            \
      }                                                                              \
      CHECK(b[i] == want && a[i] == (T)value(me, i));                                \
    }                                                                                \
  } while (0)
#define BITWISE(NAME, T)                  \
  static void bitwise_##NAME(int count) { \
    static T a[LONG], b[LONG];            \
    REDUCE(NAME, T, and, want &x);        \
    REDUCE(NAME, T, or, want | x);        \
    REDUCE(NAME, T, xor, want ^ x);       \
  }
#define ORDERED(NAME, T)                       \
  static void ordered_##NAME(int count) {      \
    static T a[LONG], b[LONG];                 \
    REDUCE(NAME, T, min, want < x ? want : x); \
    REDUCE(NAME, T, max, want > x ? want : x); \
  }
#define SUMMED(NAME, T)                  \
  static void summed_##NAME(int count) { \
    static T a[LONG], b[LONG];           \
    REDUCE(NAME, T, sum, want + x);      \
    REDUCE(NAME, T, prod, want *x);      \
  }
TOCSIN_SHMEM_INTEGERS(BITWISE)
TOCSIN_SHMEM_ORDERED(ORDERED)
TOCSIN_SHMEM_SUMMED(SUMMED)

// The active set of every second PE from PE 1 on, and of all.
static void set(int start, int log_stride) {
  const int stride = 1 << log_stride, size = (n - start + stride - 1) / stride;
  static double wrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  double complex z = (double)me + (double complex)I, zs = 0;
  long own[12], got[64] = {0}, sum = 0;
  int32_t small[4] = {me, me + 1, me + 2, me + 3}, all[64] = {0};
  if (me < start || (me - start) % stride) return;
  const int index = (me - start) / stride;
  for (int i = 0; i < 12; i++) own[i] = me * 100 + i;
  shmem_broadcast64(got, own, 3, size - 1, start, log_stride, size, psync);
  const int root = start + (size - 1) * stride;
  CHECK(got[2] == (me == root ? 0 : root * 100 + 2));
  shmem_fcollect64(got, own, 3, start, log_stride, size, psync);
  for (int i = 0; i < 3 * size; i++) CHECK(got[i] == (start + i / 3 * stride) * 100 + i % 3);
  shmem_collect32(all, small, (size_t)index % 2 + 1, start, log_stride, size, psync);
  CHECK(all[0] == start && (size < 2 || (all[1] == start + stride && all[2] == start + stride + 1)));
  shmem_long_sum_to_all(&sum, own, 1, start, log_stride, size, (long *)wrk, psync);
  long want = 0;
  double complex zwant = 1;
  for (int i = 0; i < size; i++)
    want += (start + i * stride) * 100, zwant *= (double)(start + i * stride) + (double complex)I;
  CHECK(sum == want);
  shmem_complexd_prod_to_all(&zs, &z, 1, start, log_stride, size, (double complex *)wrk, psync);
  CHECK(zs == zwant);
  if (size <= 4) {
    shmem_alltoall64(got, own, 2, start, log_stride, size, psync);
    for (int i = 0; i < 2 * size; i++) CHECK(got[i] == (start + i / 2 * stride) * 100 + index * 2 + i % 2);
    shmem_alltoalls32(all, small, 2, 1, 1, start, log_stride, size, psync);
    for (int i = 0; i < size; i++) CHECK(all[i * 2] == start + i * stride + index);
  }
}

// Sets that overlap, one after the other, without a barrier between them.
static void overlapping(void) {
  for (int r = 0; r < 4; r++) {
    set(0, 0);
    set(0, 1);
    if (n > 1) set(1, r % 2);
  }
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
#define RUN_MOVE(NAME, T) move_##NAME(5);
  TOCSIN_SHMEM_RMA_DISTINCT(RUN_MOVE)
  move_int(LONG);
  move_longdouble(1);
#define RUN_BITWISE(NAME, T) bitwise_##NAME(4);
#define RUN_ORDERED(NAME, T) ordered_##NAME(4);
#define RUN_SUMMED(NAME, T) summed_##NAME(4);
  TOCSIN_SHMEM_INTEGERS(RUN_BITWISE)
  TOCSIN_SHMEM_ORDERED(RUN_ORDERED)
  TOCSIN_SHMEM_SUMMED(RUN_SUMMED)
  summed_long(LONG);
  int same[2] = {me, 1};
  shmem_sum_reduce(SHMEM_TEAM_WORLD, same, same, 2);
  CHECK(same[0] == n * (n - 1) / 2 && same[1] == n);
  char mem[8] = "none", from[8];
  snprintf(from, sizeof from, "PE %d", me);
  CHECK(shmem_broadcastmem(SHMEM_TEAM_WORLD, mem, from, 5, n - 1) == 0 && atoi(mem + 3) == n - 1);
  overlapping();
  return check_end("coll");
}
