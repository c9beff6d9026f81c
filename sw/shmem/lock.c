// SPDX-License-Identifier: Apache-2.0
// Locks: a queue of PEs, first come, first served. Of the `long` of each PE two halves are used: at PE 0 `tail`,
// who came last (a PE and one more, 0: the lock is free); at each PE `next`, who comes behind it, WAITS while
// its turn has not come, and HAS when it has the lock, or is about to.
#include "world.h"

_Static_assert(sizeof(long) == 8, "a lock has two halves of 4 bytes");

typedef struct lock {
  uint32_t tail, next;
} lock;

enum { HOME = 0 };
#define WAITS 0x80000000u
#define HAS 0x40000000u

static uint32_t word(uint32_t *w, shm_op op, uint32_t a, uint32_t b, int pe) {
  uint32_t was;
  shm_word(w, op, sizeof *w, a, b, pe, &was, false);
  return was;
}

static uint32_t load(uint32_t *w) { return __atomic_load_n(w, __ATOMIC_SEQ_CST); }

static uint32_t self(void) { return (uint32_t)shm.me + 1; }

void shmem_set_lock(long *l) {
  lock *k = (lock *)(void *)l;
  shm_watch w = {0};
  shm_need_open("shmem_set_lock");
  if (load(&k->next) & HAS) shm_die("shmem_set_lock: this PE has the lock already");
  __atomic_store_n(&k->next, WAITS | HAS, __ATOMIC_SEQ_CST);
  const uint32_t before = word(&k->tail, SHM_SET, self(), 0, HOME);
  if (!before) {
    (void)word(&k->next, SHM_AND, ~WAITS, 0, shm.me);
    return;
  }
  (void)word(&k->next, SHM_OR, self(), 0, (int)before - 1);
  while (load(&k->next) & WAITS) shm_pause_for_any(&w);
}

int shmem_test_lock(long *l) {
  lock *k = (lock *)(void *)l;
  shm_need_open("shmem_test_lock");
  shm_tried();
  if (load(&k->next) & HAS) return 1;
  __atomic_store_n(&k->next, HAS, __ATOMIC_SEQ_CST);
  if (!word(&k->tail, SHM_SWAP_IF, 0, self(), HOME)) return 0;
  __atomic_store_n(&k->next, 0, __ATOMIC_SEQ_CST);  // nobody comes behind who is not in the queue
  return 1;
}

void shmem_clear_lock(long *l) {
  lock *k = (lock *)(void *)l;
  shm_watch w = {0};
  shm_need_open("shmem_clear_lock");
  if (!(load(&k->next) & HAS)) shm_die("shmem_clear_lock: this PE does not have the lock");
  shm_quiet();
  if (load(&k->next) == HAS && word(&k->tail, SHM_SWAP_IF, self(), 0, HOME) == self()) {
    __atomic_store_n(&k->next, 0, __ATOMIC_SEQ_CST);
    return;
  }
  while (load(&k->next) == HAS) shm_pause_for_any(&w);  // who came behind us has not said so yet
  const int next = (int)(load(&k->next) & ~HAS) - 1;
  __atomic_store_n(&k->next, 0, __ATOMIC_SEQ_CST);
  (void)word(&k->next, SHM_AND, ~WAITS, 0, next);
}
