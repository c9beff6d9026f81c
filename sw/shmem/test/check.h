// SPDX-License-Identifier: Apache-2.0
// Checks of a PE; all of them end together, with 1 if one of them has found something.
#ifndef TOCSIN_SHMEM_CHECK_H
#define TOCSIN_SHMEM_CHECK_H

#include <inttypes.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long check_wrong, check_done;

#define CHECK(...)                                                                                    \
  do {                                                                                                \
    check_done++;                                                                                     \
    if (!(__VA_ARGS__) && check_wrong++ < 5)                                                          \
      fprintf(stderr, "PE %d: %s:%d: not so: %s\n", shmem_my_pe(), __FILE__, __LINE__, #__VA_ARGS__); \
  } while (0)

static inline int check_end(const char *name) {
  long all[2], own[2] = {check_wrong, check_done};
  const int first = shmem_my_pe() == 0, n = shmem_n_pes();
  // The collectives may be what is broken: what this PE has seen counts in any case.
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, own, 2);
  shmem_finalize();
  if (first) printf("%s: %d PEs, %ld checks, %ld wrong\n", name, n, all[1], all[0]);
  return all[0] || own[0];
}

#endif
