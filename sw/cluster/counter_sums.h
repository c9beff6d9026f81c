// SPDX-License-Identifier: Apache-2.0
#ifndef TOCSIN_CLUSTER_COUNTER_SUMS_H
#define TOCSIN_CLUSTER_COUNTER_SUMS_H

#include "counter.h"

// Makes of all processes' counts of all pages their sums, at every process (allreduce), of 2^n processes.
void counter_sums(const run *r, net *n, net_proc *p);
#endif
