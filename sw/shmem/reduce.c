// SPDX-License-Identifier: Apache-2.0
// Reductions by all their names, over teams and over active sets. Integers are added and multiplied as they wrap.
#include "coll.h"

#define DEFINE_COMBINE(NAME, T, OP, EXPR)                                                           \
  static void OP##_##NAME(void *acc, const void *with, size_t n) {                                  \
    T *a = acc;                                                                                     \
    const T *b = with;                                                                              \
    for (size_t i = 0; i < n; i++) a[i] = (T)(EXPR);                                                \
  }                                                                                                 \
  int shmem_##NAME##_##OP##_reduce(shmem_team_t team, T *dest, const T *source, size_t nreduce) {   \
    reduce(team, dest, source, nreduce, &(shm_reduction){OP##_##NAME, sizeof(T), SHM_REDUCE_##OP}); \
    return 0;                                                                                       \
  }

static void reduce(shmem_team_t team, void *dest, const void *source, size_t n, const shm_reduction *r) {
  shm_need_open("a reduction");
  if (!team) shm_die("a reduction: the team is SHMEM_TEAM_INVALID");
  shm_reduce(team, dest, source, n, r);
}

#define WRAPS(T, A, OP, B) ((unsigned long long)(A)OP(unsigned long long)(B))

#define BITWISE(NAME, T)                    \
  DEFINE_COMBINE(NAME, T, and, a[i] & b[i]) \
  DEFINE_COMBINE(NAME, T, or, a[i] | b[i])  \
  DEFINE_COMBINE(NAME, T, xor, a[i] ^ b[i])
#define ORDERED(NAME, T)                                  \
  DEFINE_COMBINE(NAME, T, min, b[i] < a[i] ? b[i] : a[i]) \
  DEFINE_COMBINE(NAME, T, max, b[i] > a[i] ? b[i] : a[i])
#define SUMMED_INTEGERS(NAME, T)                        \
  DEFINE_COMBINE(NAME, T, sum, WRAPS(T, a[i], +, b[i])) \
  DEFINE_COMBINE(NAME, T, prod, WRAPS(T, a[i], *, b[i]))
#define SUMMED(NAME, T)                     \
  DEFINE_COMBINE(NAME, T, sum, a[i] + b[i]) \
  DEFINE_COMBINE(NAME, T, prod, a[i] * b[i])

TOCSIN_SHMEM_INTEGERS(BITWISE)
TOCSIN_SHMEM_ORDERED(ORDERED)
TOCSIN_SHMEM_INTEGERS(SUMMED_INTEGERS)
TOCSIN_SHMEM_REAL(SUMMED)
SUMMED(longdouble, long double)
TOCSIN_SHMEM_COMPLEX(SUMMED)

// ---- over an active set
#define DEFINE_TO_ALL(NAME, T, OP)                                                                                   \
  void shmem_##NAME##_##OP##_to_all(T *dest, const T *source, int nreduce, TOCSIN_SHMEM_SET, T *pWrk, long *pSync) { \
    struct tocsin_shmem_team set = shm_active(PE_start, logPE_stride, PE_size, "shmem_" #NAME "_" #OP "_to_all");    \
    (void)pWrk;                                                                                                      \
    (void)pSync;                                                                                                     \
    if (nreduce < 0) shm_die("shmem_" #NAME "_" #OP "_to_all: %d elements", nreduce);                                \
    shm_reduce(&set, dest, source, (size_t)nreduce, &(shm_reduction){OP##_##NAME, sizeof(T), SHM_REDUCE_##OP});      \
  }
#define OLD_BITWISE(NAME, T) DEFINE_TO_ALL(NAME, T, and) DEFINE_TO_ALL(NAME, T, or) DEFINE_TO_ALL(NAME, T, xor)
#define OLD_ORDERED(NAME, T) DEFINE_TO_ALL(NAME, T, min) DEFINE_TO_ALL(NAME, T, max)
#define OLD_SUMMED(NAME, T) DEFINE_TO_ALL(NAME, T, sum) DEFINE_TO_ALL(NAME, T, prod)
TOCSIN_SHMEM_OLD_INTEGERS(OLD_BITWISE)
TOCSIN_SHMEM_OLD_ORDERED(OLD_ORDERED)
TOCSIN_SHMEM_OLD_SUMMED(OLD_SUMMED)
