// SPDX-License-Identifier: Apache-2.0
// Atomics: what each does to a word of each type, and that none is lost when all PEs are at it, remote and at home.
#include "check.h"

enum { TIMES = 40 };

static int me, n, to;
static shmem_ctx_t ctx;

// Each PE has its neighbour's word for itself.
#define EXTENDED(NAME, T)                                                             \
  static void extended_##NAME(void) {                                                 \
    static T data[3];                                                                 \
    T old = 9, later = 9;                                                             \
    data[0] = data[1] = data[2] = (T)4;                                               \
    shmem_barrier_all();                                                              \
    CHECK(shmem_##NAME##_atomic_fetch(&data[1], to) == (T)4);                         \
    shmem_##NAME##_atomic_set(&data[1], (T)7, to);                                    \
    CHECK(shmem_ctx_##NAME##_atomic_swap(ctx, &data[1], (T)8, to) == (T)7);           \
    shmem_##NAME##_atomic_fetch_nbi(&old, &data[1], to);                              \
    shmem_atomic_swap_nbi(ctx, &later, &data[1], (T)11, to);                          \
    shmem_quiet();                                                                    \
    CHECK(old == (T)8 && later == (T)8 && shmem_atomic_fetch(&data[1], to) == (T)11); \
    shmem_barrier_all();                                                              \
    CHECK(data[0] == (T)4 && data[1] == (T)11 && data[2] == (T)4);                    \
  }
TOCSIN_SHMEM_AMO_EXTENDED_TYPES(EXTENDED)

#define STANDARD(NAME, T)                                                        \
  static void standard_##NAME(void) {                                            \
    T *w = shmem_malloc(3 * sizeof *w), old[3] = {9, 9, 9};                      \
    w[0] = w[1] = w[2] = (T)-1;                                                  \
    shmem_barrier_all();                                                         \
    CHECK(shmem_##NAME##_atomic_fetch_inc(&w[1], to) == (T)-1);                  \
    shmem_##NAME##_atomic_inc(&w[1], to);                                        \
    shmem_ctx_##NAME##_atomic_add(ctx, &w[1], (T)40, to);                        \
    CHECK(shmem_##NAME##_atomic_fetch_add(&w[1], (T)-2, to) == (T)41);           \
    CHECK(shmem_##NAME##_atomic_compare_swap(&w[1], (T)40, (T)50, to) == (T)39); \
    CHECK(shmem_atomic_compare_swap(&w[1], (T)39, (T)-5, to) == (T)39);          \
    shmem_##NAME##_atomic_fetch_inc_nbi(&old[0], &w[1], to);                     \
    shmem_##NAME##_atomic_fetch_add_nbi(&old[1], &w[1], (T)3, to);               \
    shmem_##NAME##_atomic_compare_swap_nbi(&old[2], &w[1], (T)-1, (T)6, to);     \
    shmem_quiet();                                                               \
    CHECK(old[0] == (T)-5 && old[1] == (T)-4 && old[2] == (T)-1);                \
    shmem_barrier_all();                                                         \
    CHECK(w[0] == (T)-1 && w[1] == (T)6 && w[2] == (T)-1);                       \
    shmem_free(w);                                                               \
  }
TOCSIN_SHMEM_AMO_TYPES(STANDARD)

#define BITWISE(NAME, T)                                                \
  static void bitwise_##NAME(void) {                                    \
    T *w = shmem_malloc(sizeof *w), old[3] = {1, 1, 1};                 \
    *w = (T)0x70;                                                       \
    shmem_barrier_all();                                                \
    shmem_##NAME##_atomic_or(w, (T)0x0f, to);                           \
    shmem_##NAME##_atomic_and(w, (T)~0x11, to);                         \
    shmem_ctx_##NAME##_atomic_xor(ctx, w, (T)0xff, to);                 \
    CHECK(shmem_##NAME##_atomic_fetch_or(w, (T)0x100, to) == (T)0x91);  \
    CHECK(shmem_atomic_fetch_and(w, (T)0x1f0, to) == (T)0x191);         \
    CHECK(shmem_atomic_fetch_xor(ctx, w, (T)0x101, to) == (T)0x190);    \
    shmem_##NAME##_atomic_fetch_or_nbi(&old[0], w, (T)2, to);           \
    shmem_##NAME##_atomic_fetch_and_nbi(&old[1], w, (T)0x82, to);       \
    shmem_##NAME##_atomic_fetch_xor_nbi(&old[2], w, (T)0x80, to);       \
    shmem_quiet();                                                      \
    CHECK(old[0] == (T)0x91 && old[1] == (T)0x93 && old[2] == (T)0x82); \
    shmem_barrier_all();                                                \
    CHECK(*w == (T)2);                                                  \
    shmem_free(w);                                                      \
  }
TOCSIN_SHMEM_AMO_BITS_TYPES(BITWISE)

// All PEs at the words of PE 0, and PE 0 itself at the same time. Words of 4 bytes lie side by side: what is done to
// one of them must not touch the other, which its PE writes as it likes.
static void together(void) {
  struct {
    uint32_t left, right;
    uint64_t sum, bits, taken;
  } *w = shmem_calloc(1, sizeof *w);
  uint64_t won = 0;
  uint32_t plain = 0, bad = 0;
  for (int i = 0; i < TIMES; i++) {
    shmem_atomic_inc(&w->left, 0);
    shmem_atomic_add(&w->sum, (uint64_t)me + 1, 0);
    shmem_atomic_xor(&w->bits, 1ull << ((me * TIMES + i) % 64), 0);
    if (shmem_atomic_compare_swap(&w->taken, (uint64_t)i, (uint64_t)i + 1, 0) == (uint64_t)i) won++;
    while (shmem_atomic_fetch(&w->taken, 0) < (uint64_t)i + 1) continue;
    if (me) continue;
    for (int k = 0; k < 1000; k++) {
      const uint32_t now = *(volatile uint32_t *)&w->right;
      bad += now != plain;
      *(volatile uint32_t *)&w->right = ++plain;
    }
  }
  shmem_barrier_all();
  uint64_t all, want = 0;
  for (int i = 0; i < n * TIMES; i++) want ^= 1ull << (i % 64);
  shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &all, &won, 1);
  CHECK(all == TIMES && bad == 0);
  if (!me) {
    CHECK(w->left == (uint32_t)(n * TIMES) && w->right == TIMES * 1000);
    CHECK(w->sum == (uint64_t)TIMES * (uint64_t)(n * (n + 1) / 2) && w->bits == want);
  }
  shmem_free(w);
}

static void first_names(void) {
  static long w;
  static double d;
  w = 5;
  d = 2.5;
  shmem_barrier_all();
  CHECK(shmem_long_fadd(&w, 2, to) == 5 && shmem_long_finc(&w, to) == 7 && shmem_long_cswap(&w, 8, 20, to) == 8);
  shmem_long_add(&w, 1, to);
  shmem_long_inc(&w, to);
  CHECK(shmem_long_swap(&w, 3, to) == 22 && shmem_long_fetch(&w, to) == 3 && shmem_fadd(&w, 1L, to) == 3);
  CHECK(shmem_double_swap(&d, -1.25, to) == 2.5 && shmem_double_fetch(&d, to) == -1.25);
  shmem_double_set(&d, 0.5, to);
  shmem_barrier_all();
  CHECK(w == 4 && d == 0.5);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  to = (me + 1) % n;
  CHECK(!shmem_ctx_create(0, &ctx));
#define RUN(KIND, NAME) KIND##_##NAME();
#define RUN_EXTENDED(NAME, T) RUN(extended, NAME)
#define RUN_STANDARD(NAME, T) RUN(standard, NAME)
#define RUN_BITWISE(NAME, T) RUN(bitwise, NAME)
  TOCSIN_SHMEM_AMO_EXTENDED_TYPES(RUN_EXTENDED)
  TOCSIN_SHMEM_AMO_TYPES(RUN_STANDARD)
  TOCSIN_SHMEM_AMO_BITS_TYPES(RUN_BITWISE)
  together();
  first_names();
  return check_end("amo");
}
