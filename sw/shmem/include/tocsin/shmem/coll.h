// SPDX-License-Identifier: Apache-2.0
/* Collectives of teams, and the barrier of all PEs. Part of shmem.h. Data need not be symmetric here. */
#ifndef TOCSIN_SHMEM_COLL_H
#define TOCSIN_SHMEM_COLL_H

#include "tocsin/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

void shmem_barrier_all(void);
void shmem_sync_all(void);
int shmem_team_sync(shmem_team_t team);

/* A, F: the beginning and the end of the names. */
#define TOCSIN_SHMEM_COLL_OF(A, F, T)                                                                            \
  int A##alltoall##F(shmem_team_t team, T *dest, const T *source, size_t nelems);                                \
  int A##alltoalls##F(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems); \
  int A##broadcast##F(shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root);                  \
  int A##collect##F(shmem_team_t team, T *dest, const T *source, size_t nelems);                                 \
  int A##fcollect##F(shmem_team_t team, T *dest, const T *source, size_t nelems);
#define TOCSIN_SHMEM_X(NAME, T) TOCSIN_SHMEM_COLL_OF(shmem_##NAME##_, , T)
TOCSIN_SHMEM_RMA_TYPES(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
TOCSIN_SHMEM_COLL_OF(shmem_, mem, void)

#define TOCSIN_SHMEM_REDUCE_OF(NAME, T, OP) \
  int shmem_##NAME##_##OP##_reduce(shmem_team_t team, T *dest, const T *source, size_t nreduce);
#define TOCSIN_SHMEM_X(NAME, T)        \
  TOCSIN_SHMEM_REDUCE_OF(NAME, T, and) \
  TOCSIN_SHMEM_REDUCE_OF(NAME, T, or)  \
  TOCSIN_SHMEM_REDUCE_OF(NAME, T, xor)
TOCSIN_SHMEM_INTEGERS(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T) TOCSIN_SHMEM_REDUCE_OF(NAME, T, min) TOCSIN_SHMEM_REDUCE_OF(NAME, T, max)
TOCSIN_SHMEM_ORDERED(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X
#define TOCSIN_SHMEM_X(NAME, T) TOCSIN_SHMEM_REDUCE_OF(NAME, T, sum) TOCSIN_SHMEM_REDUCE_OF(NAME, T, prod)
TOCSIN_SHMEM_SUMMED(TOCSIN_SHMEM_X)
#undef TOCSIN_SHMEM_X

#ifdef __cplusplus
}
#endif
#endif
