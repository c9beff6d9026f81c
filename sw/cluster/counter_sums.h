// SPDX-License-Identifier: Apache-2.0
#ifndef TOCSIN_CLUSTER_COUNTER_SUMS_H
#define TOCSIN_CLUSTER_COUNTER_SUMS_H

#include "counter.h"
#include "player.h"

// Makes of all processes' counts of all pages their sums, at every process (allreduce), of 2^n processes.
// d: has done its accesses.
void counter_sums(player *d, counter_own *o);
#endif
