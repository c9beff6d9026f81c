// SPDX-License-Identifier: Apache-2.0
// Puts and gets by all their names: each type, each size, with strides, one element, nbi, on a context, by _Generic.
#include "check.h"

enum { N = 37, DST = 3, SST = 2, WIDE = N * 3 };

static int me, n, to, from;
static shmem_ctx_t ctx;

// Element i of PE pe, of any type: small, so that each type has it.
static int value(int pe, int i) { return (pe * 7 + i * 3 + 1) % 100; }

#define TYPE(NAME, T)                                                                           \
  static void rma_##NAME(void) {                                                                \
    static T data[WIDE];                                                                        \
    T *heap = shmem_calloc(WIDE, sizeof(T)), own[WIDE], got[WIDE];                              \
    for (int i = 0; i < WIDE; i++) own[i] = (T)value(me, i);                                    \
    T *const places[] = {heap, data};                                                           \
    for (int k = 0; k < 2; k++) {                                                               \
      T *far = places[k];                                                                       \
      shmem_barrier_all();                                                                      \
      shmem_##NAME##_put(far, own, N, to);                                                      \
      shmem_barrier_all();                                                                      \
      for (int i = 0; i < WIDE; i++) CHECK(far[i] == (T)(i < N ? value(from, i) : 0));          \
      shmem_##NAME##_get(got, far, N, to);                                                      \
      CHECK(!memcmp(got, own, sizeof(T) * N) || sizeof(T) == 16);                               \
      for (int i = 0; i < N; i++) CHECK(got[i] == own[i]);                                      \
      shmem_barrier_all();                                                                      \
      shmem_ctx_##NAME##_iput(ctx, far, own, DST, SST, N / 2, to);                              \
      shmem_ctx_quiet(ctx);                                                                     \
      shmem_barrier_all();                                                                      \
      for (int i = 0; i < N / 2; i++) CHECK(far[i * DST] == (T)value(from, i * SST));           \
      CHECK(far[1] == (T)value(from, 1) && far[2] == (T)value(from, 2));                        \
      memset(got, 0, sizeof got);                                                               \
      shmem_##NAME##_iget(got, far, SST, DST, N / 2, to);                                       \
      for (int i = 0; i < N / 2; i++) CHECK(got[i * SST] == own[i * SST] && !got[i * SST + 1]); \
      shmem_barrier_all();                                                                      \
      shmem_p(&far[5], (T)(me + 50), to);                                                       \
      shmem_put_nbi(ctx, far + 10, own + 20, 3, to);                                            \
      shmem_quiet();                                                                            \
      CHECK(shmem_g(&far[5], to) == (T)(me + 50) && shmem_g(ctx, &far[12], to) == own[22]);     \
      shmem_##NAME##_get_nbi(got, far + 10, 3, to);                                             \
      shmem_quiet();                                                                            \
      for (int i = 0; i < 3; i++) CHECK(got[i] == own[20 + i]);                                 \
      shmem_barrier_all();                                                                      \
      CHECK(far[5] == (T)(from + 50) && far[10] == (T)value(from, 20));                         \
      memset(far, 0, sizeof(T) * WIDE);                                                         \
    }                                                                                           \
    shmem_free(heap);                                                                           \
  }
TOCSIN_SHMEM_RMA_DISTINCT(TYPE)

// The other names of these types have the same functions: that of each is there, and moves one element.
#define NAMED(NAME, T)                                \
  static void named_##NAME(void) {                    \
    static T far;                                     \
    far = 0;                                          \
    shmem_barrier_all();                              \
    shmem_ctx_##NAME##_p(ctx, &far, (T)(me + 9), to); \
    shmem_quiet();                                    \
    CHECK(shmem_##NAME##_g(&far, to) == (T)(me + 9)); \
    shmem_barrier_all();                              \
    CHECK(far == (T)(from + 9));                      \
  }
TOCSIN_SHMEM_SMALL_EXACT(NAMED)
TOCSIN_SHMEM_SIGNED_EXACT_AMO(NAMED)
TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(NAMED)
TOCSIN_SHMEM_SIZES(NAMED)

#define SIZE(BITS)                                                                                       \
  static void size_##BITS(void) {                                                                        \
    enum { BYTES = (BITS) / 8 };                                                                         \
    uint8_t *far = shmem_calloc(WIDE, BYTES), own[WIDE * BYTES], got[WIDE * BYTES];                      \
    for (int i = 0; i < WIDE * BYTES; i++) own[i] = (uint8_t)(value(me, i) + i / BYTES);                 \
    shmem_barrier_all();                                                                                 \
    shmem_put##BITS(far, own, N, to);                                                                    \
    shmem_quiet();                                                                                       \
    memset(got, 0, sizeof got);                                                                          \
    shmem_ctx_get##BITS##_nbi(ctx, got, far, N + 1, to);                                                 \
    shmem_ctx_quiet(ctx);                                                                                \
    CHECK(!memcmp(got, own, N * BYTES) && got[N * BYTES] == 0);                                          \
    shmem_iput##BITS(far, own + BYTES, DST, SST, N / 2, to);                                             \
    shmem_quiet();                                                                                       \
    shmem_iget##BITS(got, far, 1, DST, N / 2, to);                                                       \
    for (int i = 0; i < N / 2; i++) CHECK(!memcmp(got + i * BYTES, own + (i * SST + 1) * BYTES, BYTES)); \
    shmem_barrier_all();                                                                                 \
    shmem_free(far);                                                                                     \
  }
TOCSIN_SHMEM_BITS(SIZE)

// A stride that is larger than what is fetched at once.
static void wide_strides(void) {
  enum { FAR = 20000, COUNT = 5 };
  int *far = shmem_calloc(FAR * COUNT, sizeof *far), got[COUNT] = {0},
      own[COUNT] = {me, me + 1, me + 2, me + 3, me + 4};
  shmem_int_iput(far, own, FAR, 1, COUNT, to);
  shmem_quiet();
  shmem_int_iget(got, far, 1, FAR, COUNT, to);
  CHECK(!memcmp(got, own, sizeof own));
  shmem_barrier_all();
  CHECK(far[FAR * 4] == from + 4 && far[1] == 0 && far[FAR * 4 - 1] == 0);
  shmem_free(far);
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  n = shmem_n_pes();
  to = (me + 1) % n;
  from = (me + n - 1) % n;
  CHECK(!shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx));
#define RUN_TYPE(NAME, T) rma_##NAME();
  TOCSIN_SHMEM_RMA_DISTINCT(RUN_TYPE)
#define RUN_NAMED(NAME, T) named_##NAME();
  TOCSIN_SHMEM_SMALL_EXACT(RUN_NAMED)
  TOCSIN_SHMEM_SIGNED_EXACT_AMO(RUN_NAMED)
  TOCSIN_SHMEM_UNSIGNED_EXACT_AMO(RUN_NAMED)
  TOCSIN_SHMEM_SIZES(RUN_NAMED)
#define RUN_SIZE(BITS) size_##BITS();
  TOCSIN_SHMEM_BITS(RUN_SIZE)
  wide_strides();
  shmem_ctx_destroy(ctx);
  return check_end("rma");
}
