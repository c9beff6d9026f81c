// SPDX-License-Identifier: Apache-2.0
// The hash table's schemes, who inserts what where in each, and what has to come of it.
#ifndef TOCSIN_CLUSTER_DHT_H
#define TOCSIN_CLUSTER_DHT_H

#include "run.h"
#include "volume.h"

typedef enum dht_family { AA, AM, RMA } dht_family;
typedef struct dht_variant {
  const char *name;
  dht_family family;
  node_tell tell;
  bool intr, backoff, onload, page, blocking;
  bool task;  // an accelerator handles
} dht_variant;
const dht_variant *dht_variant_named(const char *name);  // NULL: there is none

bool dht_serves(const run *r, const dht_variant *v, unsigned id);  // owns a volume
unsigned dht_owner(const run *r, const dht_variant *v, uint64_t elem);
unsigned dht_quota(const run *r, const dht_variant *v, unsigned id);  // elements that it inserts
uint64_t dht_elem(const run *r, unsigned id, unsigned i);

typedef struct dht_own {
  volume **at;         // of each process
  unsigned *expected;  // elements that others insert there
} dht_own;

bool dht_takes(const run *r, const char **why);
bool dht_prepare(const run *r, net *n);
void dht_check(const run *r, net *n, net_proc *p, share *s);
uint64_t dht_serial(const run *r);
#endif
