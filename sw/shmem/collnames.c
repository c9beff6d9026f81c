// SPDX-License-Identifier: Apache-2.0
// Collectives that move data, by all their names, over teams and over active sets; barriers; and the calls that are
// only names any more.
#include <string.h>

#include "coll.h"

static shmem_team_t needed(shmem_team_t t, const char *what) {
  shm_need_open(what);
  if (!t) shm_die("%s: the team is SHMEM_TEAM_INVALID", what);
  return t;
}

struct tocsin_shmem_team shm_active(int start, int log_stride, int size, const char *what) {
  static shm_use use;  // of all active sets: nothing that all their PEs know tells one from another
  shm_need_open(what);
  const bool sane = start >= 0 && size > 0 && log_stride >= 0 && log_stride < 16;
  if (!sane || start + (long)(size - 1) * (1L << log_stride) >= shm.n)
    shm_die("%s: an active set of PE_start %d, logPE_stride %d, PE_size %d; there are %d PEs", what, start, log_stride,
            size, shm.n);
  struct tocsin_shmem_team t = {
      .start = start, .stride = 1 << log_stride, .size = size, .id = SHM_ID_ACTIVE, .use = &use};
  if (shm_team_index(&t, shm.me) < 0) shm_die("%s: this PE is not in the active set", what);
  return t;
}

// ---- barriers
void shmem_sync_all(void) {
  shm_need_open("shmem_sync_all");
  shm_sync(SHMEM_TEAM_WORLD);
}

void shmem_barrier_all(void) {
  shm_need_open("shmem_barrier_all");
  shm_quiet();
  shm_sync(SHMEM_TEAM_WORLD);
}

int shmem_team_sync(shmem_team_t team) {
  shm_sync(needed(team, "shmem_team_sync"));
  return 0;
}

void(shmem_sync)(TOCSIN_SHMEM_SET, long *pSync) {
  struct tocsin_shmem_team set = shm_active(PE_start, logPE_stride, PE_size, "shmem_sync");
  (void)pSync;
  shm_sync(&set);
}

void shmem_barrier(TOCSIN_SHMEM_SET, long *pSync) {
  struct tocsin_shmem_team set = shm_active(PE_start, logPE_stride, PE_size, "shmem_barrier");
  (void)pSync;
  shm_quiet();
  shm_sync(&set);
}

// ---- one to all
static void broadcast(shmem_team_t t, void *dest, const void *source, size_t bytes, int root, bool to_root) {
  if (root < 0 || root >= t->size) shm_die("shmem_broadcast: PE_root is %d; there are %d PEs", root, t->size);
  const bool is_root = shm_team_index(t, shm.me) == root;
  union {
    const void *in;
    void *out;
  } same = {source};
  if (!bytes) return;
  shm_broadcast(t, is_root ? same.out : dest, bytes, root);
  if (is_root && to_root) memmove(dest, source, bytes);
}

static const shm_blocks *blocks(shm_blocks *b, const char *what) {
  if (b->dst < 1 || b->sst < 1) shm_die("%s: strides of %td and %td; they are 1 at least", what, b->dst, b->sst);
  return b;
}

// ---- teams. A, F: the beginning and the end of the name, T: of the arguments, BYTES: of an element
#define DEFINE_COLL(A, F, T, BYTES)                                                                                \
  int A##alltoall##F(shmem_team_t team, T *dest, const T *source, size_t nelems) {                                 \
    shm_alltoall(needed(team, "shmem_alltoall"), dest, source, &(shm_blocks){BYTES, nelems, 1, 1});                \
    return 0;                                                                                                      \
  }                                                                                                                \
  int A##alltoalls##F(shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) {  \
    shm_alltoall(needed(team, "shmem_alltoalls"), dest, source,                                                    \
                 blocks(&(shm_blocks){BYTES, nelems, dst, sst}, "shmem_alltoalls"));                               \
    return 0;                                                                                                      \
  }                                                                                                                \
  int A##broadcast##F(shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root) {                   \
    broadcast(needed(team, "shmem_broadcast"), dest, source, shm_bytes(nelems, BYTES, "shmem_broadcast"), PE_root, \
              true);                                                                                               \
    return 0;                                                                                                      \
  }                                                                                                                \
  int A##collect##F(shmem_team_t team, T *dest, const T *source, size_t nelems) {                                  \
    shm_collect(needed(team, "shmem_collect"), dest, source, shm_bytes(nelems, BYTES, "shmem_collect"), false);    \
    return 0;                                                                                                      \
  }                                                                                                                \
  int A##fcollect##F(shmem_team_t team, T *dest, const T *source, size_t nelems) {                                 \
    shm_collect(needed(team, "shmem_fcollect"), dest, source, shm_bytes(nelems, BYTES, "shmem_fcollect"), true);   \
    return 0;                                                                                                      \
  }
#define DEFINE_COLL_TYPE(NAME, T) DEFINE_COLL(shmem_##NAME##_, , T, sizeof(T))
TOCSIN_SHMEM_RMA_TYPES(DEFINE_COLL_TYPE)
DEFINE_COLL(shmem_, mem, void, 1)

// ---- active sets
#define SET_OF(WHAT)                                                                \
  struct tocsin_shmem_team set = shm_active(PE_start, logPE_stride, PE_size, WHAT); \
  (void)pSync
#define DEFINE_SET_COLL(B)                                                                                             \
  void shmem_broadcast##B(void *dest, const void *source, size_t nelems, int PE_root, TOCSIN_SHMEM_SET, long *pSync) { \
    SET_OF("shmem_broadcast" #B);                                                                                      \
    broadcast(&set, dest, source, shm_bytes(nelems, (B) / 8, "shmem_broadcast" #B), PE_root, false);                   \
  }                                                                                                                    \
  void shmem_collect##B(void *dest, const void *source, size_t nelems, TOCSIN_SHMEM_SET, long *pSync) {                \
    SET_OF("shmem_collect" #B);                                                                                        \
    shm_collect(&set, dest, source, shm_bytes(nelems, (B) / 8, "shmem_collect" #B), false);                            \
  }                                                                                                                    \
  void shmem_fcollect##B(void *dest, const void *source, size_t nelems, TOCSIN_SHMEM_SET, long *pSync) {               \
    SET_OF("shmem_fcollect" #B);                                                                                       \
    shm_collect(&set, dest, source, shm_bytes(nelems, (B) / 8, "shmem_fcollect" #B), true);                            \
  }                                                                                                                    \
  void shmem_alltoall##B(void *dest, const void *source, size_t nelems, TOCSIN_SHMEM_SET, long *pSync) {               \
    SET_OF("shmem_alltoall" #B);                                                                                       \
    shm_alltoall(&set, dest, source, &(shm_blocks){(B) / 8, nelems, 1, 1});                                            \
  }                                                                                                                    \
  void shmem_alltoalls##B(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,                 \
                          TOCSIN_SHMEM_SET, long *pSync) {                                                             \
    SET_OF("shmem_alltoalls" #B);                                                                                      \
    shm_alltoall(&set, dest, source, blocks(&(shm_blocks){(B) / 8, nelems, dst, sst}, "shmem_alltoalls" #B));          \
  }
DEFINE_SET_COLL(32)
DEFINE_SET_COLL(64)

// ---- waits under their first names
#define DEFINE_OLD_WAIT(NAME, T) \
  void shmem_##NAME##_wait(T *ivar, T cmp_value) { shmem_##NAME##_wait_until(ivar, SHMEM_CMP_NE, cmp_value); }
DEFINE_OLD_WAIT(short, short)
TOCSIN_SHMEM_SIGNED_AMO(DEFINE_OLD_WAIT)
void shmem_wait(long *ivar, long cmp_value) { shmem_long_wait(ivar, cmp_value); }
void(shmem_wait_until)(long *ivar, int cmp, long cmp_value) { shmem_long_wait_until(ivar, cmp, cmp_value); }

// ---- caches: memory is coherent
static void look(const void *p, const char *what) {
  shm_place at;
  shm_need_open(what);
  if (!shm_find(p, 1, &at)) shm_die("%s: %p is not symmetric", what, p);
}

void shmem_clear_cache_inv(void) { shm_need_open("shmem_clear_cache_inv"); }
void shmem_set_cache_inv(void) { shm_need_open("shmem_set_cache_inv"); }
void shmem_udcflush(void) { shm_need_open("shmem_udcflush"); }
void shmem_clear_cache_line_inv(void *dest) { look(dest, "shmem_clear_cache_line_inv"); }
void shmem_set_cache_line_inv(void *dest) { look(dest, "shmem_set_cache_line_inv"); }
void shmem_udcflush_line(void *dest) { look(dest, "shmem_udcflush_line"); }
