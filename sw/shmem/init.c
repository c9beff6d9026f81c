// SPDX-License-Identifier: Apache-2.0
// Beginning and end of a PE, and what it can ask about itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap.h"
#include "world.h"

static const char *const variables[] = {
    "SHMEM_SYMMETRIC_SIZE=N[KMGT]  bytes of the symmetric heap of each PE; default 64M",
    "SHMEM_VERSION                 set: PE 0 prints the version of the library",
    "SHMEM_INFO                    set: PE 0 prints this", "SHMEM_DEBUG                   nothing",
    "TOCSIN_SHMEM_RANKS, _RANK, _ROOT   oshrun's: how many PEs, which this is, HOST:PORT of PE 0"};

static pid_t own;  // of this PE: a child that the program has forked is none

// A program that ends without shmem_finalize: well, as start_pes allows; or badly, and then all end.
static void at_exit(int status, void *arg) {
  (void)arg;
  if (shm.state != SHM_OPEN || getpid() != own) return;
  if (!status) {
    shmem_finalize();
    return;
  }
  shm_leaves();
  shm_tell_exit(status);
}

static void print_variables(void) {
  if (shm.me) return;
  if (getenv("SHMEM_VERSION") || getenv("SMA_VERSION"))
    printf("%s %s, OpenSHMEM %d.%d\n", SHMEM_VENDOR_STRING, toc_version_text(), SHMEM_MAJOR_VERSION,
           SHMEM_MINOR_VERSION);
  if (getenv("SHMEM_INFO") || getenv("SMA_INFO"))
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) puts(variables[i]);
}

int shmem_init_thread(int requested, int *provided) {
  if (shm.state != SHM_BEFORE)
    shm_die("shmem_init is called %s", shm.state == SHM_OPEN ? "twice" : "after shmem_finalize");
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
    shm_die("shmem_init_thread: there is no thread level %d", requested);
  shm_world_open();
  shm_heap_open();
  shm_team_open();
  shm.threads = requested;
  shm.state = SHM_OPEN;
  own = getpid();
  if (on_exit(at_exit, NULL)) shm_die("no memory");
  print_variables();
  if (provided) *provided = shm.threads;
  return 0;
}

void shmem_init(void) { (void)shmem_init_thread(SHMEM_THREAD_SINGLE, NULL); }

void start_pes(int npes) {
  (void)npes;  // how many there are is the launcher's matter
  if (shm.state == SHM_BEFORE) shmem_init();
}

void shmem_query_thread(int *provided) {
  shm_need_open("shmem_query_thread");
  *provided = shm.threads;
}

void shmem_finalize(void) {
  if (shm.state == SHM_CLOSED || (shm.state == SHM_LEAVING && pthread_equal(shm.leaves, pthread_self()))) return;
  shm_need_open("shmem_finalize");
  shmem_barrier_all();
  shm.state = SHM_CLOSED;
  shm_team_close();
  shm_heap_close();
  shm_world_close();
}

void shmem_global_exit(int status) {
  shm_need_open("shmem_global_exit");
  shm_leaves();
  shm_tell_exit(status);
  fflush(stdout);
  if (!status) shm_leave_ranks();
  exit(status);
}

int shmem_my_pe(void) {
  shm_need_open("shmem_my_pe");
  return shm.me;
}

int shmem_n_pes(void) {
  shm_need_open("shmem_n_pes");
  return shm.n;
}

int _my_pe(void) { return shmem_my_pe(); }
int _num_pes(void) { return shmem_n_pes(); }

int shmem_pe_accessible(int pe) {
  shm_need_open("shmem_pe_accessible");
  return pe >= 0 && pe < shm.n;
}

int shmem_addr_accessible(const void *addr, int pe) {
  shm_place at;
  return shmem_pe_accessible(pe) && shm_find(addr, 1, &at);
}

void *shmem_ptr(const void *dest, int pe) {
  union {
    const void *in;
    void *out;
  } same = {dest};
  return shmem_addr_accessible(dest, pe) && pe == shm.me ? same.out : NULL;
}

void shmem_info_get_version(int *major, int *minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char *name) { strcpy(name, SHMEM_VENDOR_STRING); }

void shmem_pcontrol(int level, ...) { (void)level; }
