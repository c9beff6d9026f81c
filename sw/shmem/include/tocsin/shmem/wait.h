// SPDX-License-Identifier: Apache-2.0
/* Waiting for words of this PE that others write. Part of shmem.h. */
#ifndef TOCSIN_SHMEM_WAIT_H
#define TOCSIN_SHMEM_WAIT_H

#include "tocsin/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHMEM_CMP_EQ = 1, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE };

/* V: `T` or `T *` behind the arguments that all have; S: `_vector` or nothing. */
#define TOCSIN_SHMEM_WAIT_SET_OF(P, T, S, V)                                                              \
  void P##_wait_until_all##S(T *ivars, size_t nelems, const int *status, int cmp, V);                     \
  size_t P##_wait_until_any##S(T *ivars, size_t nelems, const int *status, int cmp, V);                   \
  size_t P##_wait_until_some##S(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, V); \
  int P##_test_all##S(T *ivars, size_t nelems, const int *status, int cmp, V);                            \
  size_t P##_test_any##S(T *ivars, size_t nelems, const int *status, int cmp, V);                         \
  size_t P##_test_some##S(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, V);
#define TOCSIN_SHMEM_X(NAME, T)                                  \
  void shmem_##NAME##_wait_until(T *ivar, int cmp, T cmp_value); \
  int shmem_##NAME##_test(T *ivar, int cmp, T cmp_value);        \
  TOCSIN_SHMEM_WAIT_SET_OF(shmem_##NAME, T, , T cmp_value)       \
  TOCSIN_SHMEM_WAIT_SET_OF(shmem_##NAME, T, _vector, T *cmp_values)
TOCSIN_SHMEM_WAIT_TYPES(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X

#ifdef __cplusplus
}
#endif
#endif
