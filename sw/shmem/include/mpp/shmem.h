// SPDX-License-Identifier: Apache-2.0
/* Where programs of before OpenSHMEM 1.1 look for it. */
#ifndef TOCSIN_MPP_SHMEM_H
#define TOCSIN_MPP_SHMEM_H

#include "../shmem.h"

#endif
