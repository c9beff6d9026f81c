// SPDX-License-Identifier: Apache-2.0
// What the counters of both halves count, in the order of rtl/aa/README.md and rtl/nic/README.md.
#ifndef TOCSIN_COUNTER_H
#define TOCSIN_COUNTER_H

#include "tocsin/regs_table.h"

enum { AA_COUNTERS = 41, NIC_COUNTERS = 36 };

// NULL: there is none of that index.
const char *counter_aa(unsigned index);
const char *counter_nic(unsigned index);

// Of an element of a register that is an array of counters; NULL: it is no counter.
const char *counter_of(const tocsin_reg *r, unsigned index);
#endif
