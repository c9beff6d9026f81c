// SPDX-License-Identifier: Apache-2.0
// Records what a program causes at one node: a trace of its IOMMU (verif/traces/README.md: registers, TLPs, the memory
// that it reads), or of the whole node (record_node.h), and the frames of all nodes. The trace replays on model and
// hardware; needs backend `model`, where things happen one by one.
#ifndef TOCSIN_RECORD_H
#define TOCSIN_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "tocsin/tocsin.h"

typedef struct recorder recorder;

typedef struct record_options {
  const char *trace, *pcap;  // either may be NULL
  unsigned node, nodes;      // of which the trace is, how many there are
  bool whole;                // the node, not its IOMMU
  const char *what;          // for a reader
} record_options;

// NULL: a file cannot be made. The names stay until record_close.
recorder *record_open(const record_options *o);
void record_see(void *ctx, const toc_seen *s);  // a toc_see_fn, ctx: the recorder
// NULL, or the file that took no more; errno says why.
const char *record_close(recorder *r);
#endif
