// SPDX-License-Identifier: Apache-2.0
/* What the specification calls deprecated and programs still use: active sets, atomics and constants under their first
 * names. Part of shmem.h. pSync and pWrk are looked at by nobody: collectives have memory of their own. */
#ifndef TOCSIN_SHMEM_OLD_H
#define TOCSIN_SHMEM_OLD_H

#include "tocsin/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEM_SYNC_VALUE (-1L)
#define SHMEM_SYNC_SIZE 8
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 8
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE

/* A program that begins with start_pes may end without shmem_finalize. */
void start_pes(int npes);
int _my_pe(void);
int _num_pes(void);
void *shmalloc(size_t size);
void shfree(void *ptr);
void *shrealloc(void *ptr, size_t size);
void *shmemalign(size_t alignment, size_t size);

/* Memory is coherent: these do nothing but look at their argument. */
void shmem_clear_cache_inv(void);
void shmem_set_cache_inv(void);
void shmem_clear_cache_line_inv(void *dest);
void shmem_set_cache_line_inv(void *dest);
void shmem_udcflush(void);
void shmem_udcflush_line(void *dest);

#define TOCSIN_SHMEM_SET int PE_start, int logPE_stride, int PE_size
void shmem_barrier(TOCSIN_SHMEM_SET, long *pSync);
void shmem_sync(TOCSIN_SHMEM_SET, long *pSync);
#define TOCSIN_SHMEM_X(B)                                                                                             \
  void shmem_broadcast##B(void *dest, const void *source, size_t nelems, int PE_root, TOCSIN_SHMEM_SET, long *pSync); \
  void shmem_collect##B(void *dest, const void *source, size_t nelems, TOCSIN_SHMEM_SET, long *pSync);                \
  void shmem_fcollect##B(void *dest, const void *source, size_t nelems, TOCSIN_SHMEM_SET, long *pSync);               \
  void shmem_alltoall##B(void *dest, const void *source, size_t nelems, TOCSIN_SHMEM_SET, long *pSync);               \
  void shmem_alltoalls##B(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,                \
                          TOCSIN_SHMEM_SET, long *pSync);
TOCSIN_SHMEM_X(32)
TOCSIN_SHMEM_X(64)
#undef TOCSIN_SHMEM_X

#define TOCSIN_SHMEM_TO_ALL_OF(NAME, T, OP) \
  void shmem_##NAME##_##OP##_to_all(T *dest, const T *source, int nreduce, TOCSIN_SHMEM_SET, T *pWrk, long *pSync);
#define TOCSIN_SHMEM_X(NAME, T)        \
  TOCSIN_SHMEM_TO_ALL_OF(NAME, T, and) \
  TOCSIN_SHMEM_TO_ALL_OF(NAME, T, or)  \
  TOCSIN_SHMEM_TO_ALL_OF(NAME, T, xor)
TOCSIN_SHMEM_OLD_INTEGERS(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T) TOCSIN_SHMEM_TO_ALL_OF(NAME, T, min) TOCSIN_SHMEM_TO_ALL_OF(NAME, T, max)
TOCSIN_SHMEM_OLD_ORDERED(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T) TOCSIN_SHMEM_TO_ALL_OF(NAME, T, sum) TOCSIN_SHMEM_TO_ALL_OF(NAME, T, prod)
TOCSIN_SHMEM_OLD_SUMMED(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X

#define TOCSIN_SHMEM_X(NAME, T)                      \
  T shmem_##NAME##_fetch(const T *dest, int pe);     \
  void shmem_##NAME##_set(T *dest, T value, int pe); \
  T shmem_##NAME##_swap(T *dest, T value, int pe);
TOCSIN_SHMEM_SIGNED_AMO(TOCSIN_SHMEM_X)
TOCSIN_SHMEM_REAL(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T)                             \
  T shmem_##NAME##_cswap(T *dest, T cond, T value, int pe); \
  T shmem_##NAME##_finc(T *dest, int pe);                   \
  void shmem_##NAME##_inc(T *dest, int pe);                 \
  T shmem_##NAME##_fadd(T *dest, T value, int pe);          \
  void shmem_##NAME##_add(T *dest, T value, int pe);
TOCSIN_SHMEM_SIGNED_AMO(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X

#define TOCSIN_SHMEM_X(NAME, T) void shmem_##NAME##_wait(T *ivar, T cmp_value);
TOCSIN_SHMEM_X(short, short)
TOCSIN_SHMEM_SIGNED_AMO(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
void shmem_wait(long *ivar, long cmp_value);
void shmem_wait_until(long *ivar, int cmp, long cmp_value);

#ifdef __cplusplus
}
#endif
#endif
