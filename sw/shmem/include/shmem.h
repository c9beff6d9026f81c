// SPDX-License-Identifier: Apache-2.0
/* OpenSHMEM 1.5 over Tocsin: a program of several processes (processing elements, PEs), each of which reads and writes
 * the others' memory.
 *
 *   #include <shmem.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     shmem_init();
 *     int *seen = shmem_calloc(1, sizeof *seen);
 *     shmem_atomic_inc(seen, 0);
 *     shmem_barrier_all();
 *     if (shmem_my_pe() == 0) printf("%d of %d PEs were here\n", *seen, shmem_n_pes());
 *     shmem_finalize();
 *   }
 *
 *   oshcc -o here here.c && oshrun -n 4 ./here
 *
 * The functions mean what the specification of OpenSHMEM 1.5 says; sw/shmem/README.md says which there are, and what is
 * different. What is not there has no declaration, and its name is missing at link. A mistake (a PE that there is not,
 * an address that is not symmetric, PEs in different collectives) ends the program with a sentence that names it.
 *
 * Threads of a PE may be in these functions at once if SHMEM_THREAD_MULTIPLE was asked for, in collectives if each has
 * another team; the symmetric heap's functions and barriers of all PEs are collectives of the world's team. A PE that
 * computes is read from and written to all the same: a thread of the library's does that. */
#ifndef TOCSIN_SHMEM_H
#define TOCSIN_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#include "tocsin/shmem/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "Tocsin"

/* ---- beginning, end, who is there -------------------------------------------------------------------------------- */

enum { SHMEM_THREAD_SINGLE = 0, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };

void shmem_init(void);
int shmem_init_thread(int requested, int *provided);
void shmem_query_thread(int *provided);
void shmem_finalize(void);
TOCSIN_SHMEM_NORETURN void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void *addr, int pe);
void *shmem_ptr(const void *dest, int pe); /* NULL but for this PE: PEs share no memory */
void shmem_info_get_version(int *major, int *minor);
void shmem_info_get_name(char *name);
void shmem_pcontrol(int level, ...);

/* ---- the symmetric heap ------------------------------------------------------------------------------------------ */

enum { SHMEM_MALLOC_ATOMICS_REMOTE = 1, SHMEM_MALLOC_SIGNAL_REMOTE = 2 };

/* All PEs, with the same arguments: others end the program. */
void *shmem_malloc(size_t size);
void *shmem_calloc(size_t count, size_t size);
void *shmem_align(size_t alignment, size_t size);
void *shmem_malloc_with_hints(size_t size, long hints);
void *shmem_realloc(void *ptr, size_t size);
void shmem_free(void *ptr);

/* ---- teams and contexts ------------------------------------------------------------------------------------------ */

#define SHMEM_TEAM_WORLD (&tocsin_shmem_team_world)
#define SHMEM_TEAM_SHARED (&tocsin_shmem_team_shared) /* this PE alone: PEs share no memory */
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_NUM_CONTEXTS 1L

typedef struct shmem_team_config_t {
  int num_contexts;
} shmem_team_config_t;

int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config);
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                             const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team);
int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
                        shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
                        shmem_team_t *yaxis_team);
void shmem_team_destroy(shmem_team_t team);

#define SHMEM_CTX_DEFAULT (&tocsin_shmem_ctx_default)
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_SERIALIZED 1L
#define SHMEM_CTX_PRIVATE 2L
#define SHMEM_CTX_NOSTORE 4L

int shmem_ctx_create(long options, shmem_ctx_t *ctx);
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx);
void shmem_ctx_destroy(shmem_ctx_t ctx);
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team);

/* ---- order, locks ------------------------------------------------------------------------------------------------ */

/* All contexts share their connections: each of these waits for all of them. */
void shmem_fence(void);
void shmem_quiet(void);
void shmem_ctx_fence(shmem_ctx_t ctx);
void shmem_ctx_quiet(shmem_ctx_t ctx);

void shmem_set_lock(long *lock);
void shmem_clear_lock(long *lock);
int shmem_test_lock(long *lock);

#ifdef __cplusplus
}
#endif

#include "tocsin/shmem/rma.h"
#include "tocsin/shmem/amo.h"
#include "tocsin/shmem/wait.h"
#include "tocsin/shmem/coll.h"
#include "tocsin/shmem/old.h"
#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#include "tocsin/shmem/generic.h"
#endif

#endif
