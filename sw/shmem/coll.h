// SPDX-License-Identifier: Apache-2.0
// Collectives over a set of PEs, which is a team or an active set. All that are in it call them, in the same order.
#ifndef TOCSIN_SHMEM_COLL_IN_H
#define TOCSIN_SHMEM_COLL_IN_H

#include "world.h"

// What a message is of: channel.c compares them, and has their names. SHM_KIND_BITS hold it.
typedef enum shm_kind {
  SHM_SYNC = 1,
  SHM_AGREE,
  SHM_BROADCAST,
  SHM_COLLECT_SIZES,
  SHM_COLLECT,
  SHM_ALLTOALL,
  SHM_REDUCE_and,
  SHM_REDUCE_or,
  SHM_REDUCE_xor,
  SHM_REDUCE_min,
  SHM_REDUCE_max,
  SHM_REDUCE_sum,
  SHM_REDUCE_prod
} shm_kind;

// acc[i] = acc[i] op with[i]
typedef void shm_combine(void *acc, const void *with, size_t n);

typedef struct shm_reduction {
  shm_combine *combine;
  size_t size;  // of an element
  shm_kind kind;
} shm_reduction;

void shm_sync(shmem_team_t t) SHM_PRIVATE;
// The last collective of a team: at its first PE it returns when no message of the team is under way any more.
void shm_part(shmem_team_t t) SHM_PRIVATE;
// As shm_sync; a PE with another value ends the program.
void shm_agree(shmem_team_t t, uint64_t value, const char *call) SHM_PRIVATE;
void shm_broadcast(shmem_team_t t, void *bytes, size_t n, int root) SHM_PRIVATE;
// n bytes of each, n may differ (collect) or not.
void shm_collect(shmem_team_t t, void *dest, const void *source, size_t n, bool same) SHM_PRIVATE;
// Blocks of count elements of `size` bytes; in a block one lies dst or sst elements behind the other.
typedef struct shm_blocks {
  size_t size, count;
  ptrdiff_t dst, sst;
} shm_blocks;
void shm_alltoall(shmem_team_t t, void *dest, const void *source, const shm_blocks *b) SHM_PRIVATE;
void shm_reduce(shmem_team_t t, void *dest, const void *source, size_t n, const shm_reduction *r) SHM_PRIVATE;

// The team of an active set; this PE is in it.
struct tocsin_shmem_team shm_active(int start, int log_stride, int size, const char *what) SHM_PRIVATE;

#endif
