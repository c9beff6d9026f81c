// SPDX-License-Identifier: Apache-2.0
// What begins and ends with the library besides the world.
#ifndef TOCSIN_SHMEM_HEAP_H
#define TOCSIN_SHMEM_HEAP_H

#include "world.h"

void shm_heap_open(void) SHM_PRIVATE;
void shm_heap_close(void) SHM_PRIVATE;
void shm_team_open(void) SHM_PRIVATE;
void shm_team_close(void) SHM_PRIVATE;

#endif
