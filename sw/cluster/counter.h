// SPDX-License-Identifier: Apache-2.0
// The access counter's schemes, who accesses what, and what has to be counted.
#ifndef TOCSIN_CLUSTER_COUNTER_H
#define TOCSIN_CLUSTER_COUNTER_H

#include "run.h"

// Of each process: pages of words, of which those with an even index are read and those with an odd one are written.
enum { COUNTER_PAGES = 16, COUNTER_WORDS = 512, COUNTER_ALL = COUNTER_PAGES * COUNTER_WORDS };
typedef enum counter_scheme {
  COUNT_NO,
  COUNT_AA,
  COUNT_KV,
  COUNT_RMA,
  COUNT_ALLREDUCE,
  COUNTER_SCHEMES
} counter_scheme;
counter_scheme counter_named(const char *name);

typedef struct counts {
  uint64_t put, get;
} counts;

typedef struct visit {
  unsigned to;  // process
  bool put;
  uint64_t index;  // word
} visit;
visit counter_visit(const run *r, unsigned id, unsigned i);
uint64_t counter_value(unsigned id, uint64_t index);  // of a word that was written, or that is read

typedef struct counter_own {
  uint64_t *word[4096];  // of each process
  counts *count[4096];   // its pages', or with allreduce those of all processes, and behind them the inbox
  unsigned *expected;    // accesses of others there
} counter_own;

bool counter_takes(const run *r, const char **why);
bool counter_prepare(const run *r, net *n);
void counter_check(const run *r, net *n, net_proc *p, share *s);
uint64_t counter_serial(const run *r);
#endif
