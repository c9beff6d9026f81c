// SPDX-License-Identifier: Apache-2.0
// What a node is made of; node.c says what its devices do, node_memory.c what they find, node_when.c when it is done.
#ifndef TOCSIN_CLUSTER_NODE_STATE_H
#define TOCSIN_CLUSTER_NODE_STATE_H

#include "node.h"
#include "tocsin/tlp.h"
#include "tocsin/tocsin_root.h"

// Physical addresses of a process's memory are its I/O addresses and this; tables, which are made when a walk reads
// them, are above both.
#define OF_MEMORY (1ull << 40)
#define OF_MSI 0xfee00000ull
enum { RID = 0x0100, KEPT = 20 };  // requester of process 0; completions of one request

typedef struct memory {
  uint8_t *at;
  size_t bytes;
  node_rule rule;
} memory;

typedef struct kept {
  tlp t;
  uint8_t data[256];
} kept;

typedef struct unit {
  aa *iommu;
  double last, walker[COST_WALKERS];  // when what is under way has left, and when each walker is free
  double log;                         // when the last record of a get is published
} unit;

struct node {
  unit unit[NODE_UNITS];
  unsigned units, each;  // IOMMUs that there are; processes, and logs, of each
  const cost *c;
  memory mem[NODE_PROCS][NODE_KINDS];
  node_kind ring[NODE_PROCS];
  node_tell tell[NODE_PROCS];
  bool task[NODE_PROCS];  // asked for
  unsigned called;        // unit whose model is called
  node_did *did;          // of the access under way
  node_did sum, spare;    // all; of what no access caused
  bool refused;
  uint8_t got[TLP_MAX_BYTES];  // what the last completion brought
  unsigned got_bytes;
  tocsin_root_ops root;
  kept cpl[KEPT];
  unsigned cpls;
  uint8_t tag;
  size_t bytes;
  // when things are free
  double out, in, nic, proc[NODE_PROCS];
};

extern const aa_ops node_aa_ops;
extern const tocsin_root_ops node_root_ops;  // but for `to`
uint64_t node_tables(void);                  // the root's address
#endif
