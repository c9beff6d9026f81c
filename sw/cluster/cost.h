// SPDX-License-Identifier: Apache-2.0
// What things cost, in nanoseconds: read from a table (costs/*.txt), whose lines are "name value unit # where the value
// comes from". Units: ns, cycles (of `clock`, which is in MHz and stands above them), Gbit/s, and 1 of walkers. Every
// name below has to be there once, and no other.
#ifndef TOCSIN_CLUSTER_COST_H
#define TOCSIN_CLUSTER_COST_H

#include <stdbool.h>

enum { COST_WALKERS = 16 };  // at most

typedef struct cost {
  double mem;       // a processor loads a line that is in memory, or that a device wrote last
  double step;      // a processor's work on a line that it has in its cache
  double doorbell;  // a processor writes a register of a device
  double intr;      // an interrupt, until its handler runs
  double scratch;   // a processor reads a word of the scratchpad
  double wire;      // a byte on the wire
  double send;      // NIC: doorbell to the first bit of the frame
  double take;      // NIC: from a frame's last bit to its first request to memory
  double beat;      // NIC: 32 bytes of a received frame
  double message;   // NIC: a received message that takes a buffer, however short it is
  double hit;       // IOMMU: a translation that it has
  double miss;      // IOMMU: one that it has not, beside its loads
  double load;      // IOMMU: a load of its walk
  double walkers;   // IOMMU: how many walks at once; 0: they stop the process that they are for, and nobody else
  double entry;     // IOMMU: a record in the log, until the processor may see its pointer
  double word;      // IOMMU: the pointer in the scratchpad instead
  double write;     // a device's write to memory
  double atomic;    // a device's atomic on memory
  double packet;    // accelerator: from its doorbell until it has read the packet
  double gpuline;   // accelerator: 64 bytes of a vector added to another
  double cpuline;   // the same by a processor's core, after the first
} cost;

// Exits with a sentence if the table is not right.
void cost_read(cost *c, const char *path);
#endif
