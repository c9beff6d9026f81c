// SPDX-License-Identifier: Apache-2.0
// A machine that plays traces (verif/traces/README.md) without hardware: the golden model, memory, a host that answers
// at once. After each record all is quiet.
#ifndef TOCSIN_MACHINE_H
#define TOCSIN_MACHINE_H

#include "mem.h"
#include "tocsin/aa.h"
#include "tocsin/table.h"
#include "tocsin/trace.h"

typedef struct machine machine;

// Parameters of P records must be known before the model is made: takes those that the trace begins with. *r is what
// comes behind them, *got what aa_trace_read says of it. NULL: why (of `whys` bytes) says what is wrong.
machine *machine_new(aa_trace *t, aa_trace_rec *r, int *got, char *why, size_t whys);
void machine_free(machine *m);

// Plays one record. False: it is not as the record wants it; machine_why says what came.
bool machine_play(machine *m, const aa_trace_rec *r);
const char *machine_why(const machine *m);

aa *machine_iommu(machine *m);
const aa_config *machine_config(const machine *m);
mem *machine_memory(machine *m);

// The tables as memory and RTADDR are now; reads work, nothing can be added.
void machine_table(machine *m, aa_table *t);

// What has been played.
typedef struct machine_count {
  uint64_t translations, waits, reads, writes, tlps, checks;
} machine_count;
machine_count machine_counts(const machine *m);
#endif
