// SPDX-License-Identifier: Apache-2.0
/* Puts and gets, by type, by size, of bytes; with strides; of one element; that need not be over (nbi);
 * that signal. Part of shmem.h. */
#ifndef TOCSIN_SHMEM_RMA_H
#define TOCSIN_SHMEM_RMA_H

#include "tocsin/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SHMEM_SIGNAL_SET = 1, SHMEM_SIGNAL_ADD = 2 };

/* A: which of these makes the list of arguments; P: the beginning of the names. */
#define TOCSIN_SHMEM_ARGS(...) (__VA_ARGS__)
#define TOCSIN_SHMEM_CTX_ARGS(...) (shmem_ctx_t ctx, __VA_ARGS__)
#define TOCSIN_SHMEM_RMA_OF(P, A, T)                                                                                  \
  void P##_put A(T *dest, const T *source, size_t nelems, int pe);                                                    \
  void P##_get A(T *dest, const T *source, size_t nelems, int pe);                                                    \
  void P##_put_nbi A(T *dest, const T *source, size_t nelems, int pe);                                                \
  void P##_get_nbi A(T *dest, const T *source, size_t nelems, int pe);                                                \
  void P##_iput A(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);                     \
  void P##_iget A(T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);                     \
  void P##_p A(T *dest, T value, int pe);                                                                             \
  T P##_g A(const T *source, int pe);                                                                                 \
  void P##_put_signal A(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op,     \
                        int pe);                                                                                      \
  void P##_put_signal_nbi A(T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, \
                            int pe);
#define TOCSIN_SHMEM_RMA_BYTES_OF(P, B, A)                                                                           \
  void P##_put##B A(void *dest, const void *source, size_t nelems, int pe);                                          \
  void P##_get##B A(void *dest, const void *source, size_t nelems, int pe);                                          \
  void P##_put##B##_nbi A(void *dest, const void *source, size_t nelems, int pe);                                    \
  void P##_get##B##_nbi A(void *dest, const void *source, size_t nelems, int pe);                                    \
  void P##_put##B##_signal A(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal,     \
                             int sig_op, int pe);                                                                    \
  void P##_put##B##_signal_nbi A(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, \
                                 int sig_op, int pe);
#define TOCSIN_SHMEM_RMA_STRIDED_OF(P, B, A)                                                               \
  void P##_iput##B A(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe); \
  void P##_iget##B A(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);

#define TOCSIN_SHMEM_X(NAME, T)                           \
  TOCSIN_SHMEM_RMA_OF(shmem_##NAME, TOCSIN_SHMEM_ARGS, T) \
  TOCSIN_SHMEM_RMA_OF(shmem_ctx_##NAME, TOCSIN_SHMEM_CTX_ARGS, T)
TOCSIN_SHMEM_RMA_TYPES(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X

#define TOCSIN_SHMEM_X(BITS)                                        \
  TOCSIN_SHMEM_RMA_BYTES_OF(shmem, BITS, TOCSIN_SHMEM_ARGS)         \
  TOCSIN_SHMEM_RMA_BYTES_OF(shmem_ctx, BITS, TOCSIN_SHMEM_CTX_ARGS) \
  TOCSIN_SHMEM_RMA_STRIDED_OF(shmem, BITS, TOCSIN_SHMEM_ARGS)       \
  TOCSIN_SHMEM_RMA_STRIDED_OF(shmem_ctx, BITS, TOCSIN_SHMEM_CTX_ARGS)
TOCSIN_SHMEM_BITS(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
TOCSIN_SHMEM_RMA_BYTES_OF(shmem, mem, TOCSIN_SHMEM_ARGS)
TOCSIN_SHMEM_RMA_BYTES_OF(shmem_ctx, mem, TOCSIN_SHMEM_CTX_ARGS)

uint64_t shmem_signal_fetch(const uint64_t *sig_addr);
uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value);

#ifdef __cplusplus
}
#endif
#endif
