// SPDX-License-Identifier: Apache-2.0
// A mistake of the program, or a PE that is gone: a sentence, and the end of all.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "world.h"

void shm_die(const char *fmt, ...) {
  char text[400];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  fflush(stdout);
  fprintf(stderr, "shmem: PE %d: %s\n", shm.me, text);
  _exit(1);  // oshrun and mpirun end the others
}

void shm_must(toc_status s, const char *what, int pe) {
  if (s != TOC_OK) shm_die("%s, PE %d: %s: %s", what, pe, toc_name(s), toc_why());
}

void shm_leaves(void) {
  shm.leaves = pthread_self();
  __atomic_store_n(&shm.state, SHM_LEAVING, __ATOMIC_RELEASE);
}

void shm_need_open(const char *what) {
  const shm_state state = __atomic_load_n(&shm.state, __ATOMIC_ACQUIRE);
  if (state == SHM_OPEN) return;
  while (state == SHM_LEAVING && !pthread_equal(shm.leaves, pthread_self())) pause();
  shm_die("%s is called %s", what, state == SHM_BEFORE ? "before shmem_init" : "after shmem_finalize");
}

size_t shm_bytes(size_t n, size_t size, const char *what) {
  if (n > PTRDIFF_MAX / size) shm_die("%s: %zu elements of %zu bytes", what, n, size);
  return n * size;
}
