// SPDX-License-Identifier: Apache-2.0
/* Atomics. Part of shmem.h. All of them are done by the PE that has the word, one at a time: they are atomic with each
 * other and with its own, whatever their types. */
#ifndef TOCSIN_SHMEM_AMO_H
#define TOCSIN_SHMEM_AMO_H

#include "tocsin/shmem/rma.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOCSIN_SHMEM_AMO_EXTENDED_OF(P, A, T)                     \
  T P##_atomic_fetch A(const T *source, int pe);                  \
  void P##_atomic_set A(T *dest, T value, int pe);                \
  T P##_atomic_swap A(T *dest, T value, int pe);                  \
  void P##_atomic_fetch_nbi A(T *fetch, const T *source, int pe); \
  void P##_atomic_swap_nbi A(T *fetch, T *dest, T value, int pe);
#define TOCSIN_SHMEM_AMO_OF(P, A, T)                                              \
  T P##_atomic_compare_swap A(T *dest, T cond, T value, int pe);                  \
  T P##_atomic_fetch_inc A(T *dest, int pe);                                      \
  void P##_atomic_inc A(T *dest, int pe);                                         \
  T P##_atomic_fetch_add A(T *dest, T value, int pe);                             \
  void P##_atomic_add A(T *dest, T value, int pe);                                \
  void P##_atomic_compare_swap_nbi A(T *fetch, T *dest, T cond, T value, int pe); \
  void P##_atomic_fetch_inc_nbi A(T *fetch, T *dest, int pe);                     \
  void P##_atomic_fetch_add_nbi A(T *fetch, T *dest, T value, int pe);
#define TOCSIN_SHMEM_AMO_BIT_OF(P, A, T, OP)           \
  T P##_atomic_fetch_##OP A(T *dest, T value, int pe); \
  void P##_atomic_##OP A(T *dest, T value, int pe);    \
  void P##_atomic_fetch_##OP##_nbi A(T *fetch, T *dest, T value, int pe);
#define TOCSIN_SHMEM_AMO_BITS_OF(P, A, T) \
  TOCSIN_SHMEM_AMO_BIT_OF(P, A, T, and)   \
  TOCSIN_SHMEM_AMO_BIT_OF(P, A, T, or)    \
  TOCSIN_SHMEM_AMO_BIT_OF(P, A, T, xor)

#define TOCSIN_SHMEM_X(NAME, T)                                    \
  TOCSIN_SHMEM_AMO_EXTENDED_OF(shmem_##NAME, TOCSIN_SHMEM_ARGS, T) \
  TOCSIN_SHMEM_AMO_EXTENDED_OF(shmem_ctx_##NAME, TOCSIN_SHMEM_CTX_ARGS, T)
TOCSIN_SHMEM_AMO_EXTENDED_TYPES(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T)                           \
  TOCSIN_SHMEM_AMO_OF(shmem_##NAME, TOCSIN_SHMEM_ARGS, T) \
  TOCSIN_SHMEM_AMO_OF(shmem_ctx_##NAME, TOCSIN_SHMEM_CTX_ARGS, T)
TOCSIN_SHMEM_AMO_TYPES(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T)                                \
  TOCSIN_SHMEM_AMO_BITS_OF(shmem_##NAME, TOCSIN_SHMEM_ARGS, T) \
  TOCSIN_SHMEM_AMO_BITS_OF(shmem_ctx_##NAME, TOCSIN_SHMEM_CTX_ARGS, T)
TOCSIN_SHMEM_AMO_BITS_TYPES(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X

#ifdef __cplusplus
}
#endif
#endif
