// SPDX-License-Identifier: Apache-2.0
// One run: what is asked for, and what came of it. A program plays one process's part and puts what it saw into its
// own `share`; rank 0 adds these up, and prints them with what the nodes' models did as one line of JSON.
#ifndef TOCSIN_CLUSTER_RUN_H
#define TOCSIN_CLUSTER_RUN_H

#include "net.h"

typedef struct run {
  const char *variant;
  unsigned procs, per, window;  // elements a process on average; requests under way at most
  double collide, compute;      // share of inserts; ns of computation an insert
  bool pair;                    // process 0 alone does, and only to process 32, on another node
  unsigned servers;             // of a node, AM-Onload
  unsigned block;               // bytes of a get, sort
  uint64_t seed;
  // Of the suite of irregular programs (graph/): hops of a delegate; bytes of an aggregate; log2 of all words or
  // vertices, or a tree's depth, 0: by procs, or as it is published; name of a tree
  unsigned levels, most, scale;
  const char *tree;
  double tolerance;  // of pagerank: the last turn changes no more
  const void *rule;  // the program's
} run;

// What a program does. Several programs may do it alike, each by a rule of its own: r->rule.
typedef struct program_does {
  unsigned most;  // elements a process, at most
  bool (*takes)(const run *r, const char **why);
  bool (*prepare)(const run *r, net *n);                       // by rank 0 alone: n->own; false: no memory
  void (*open)(const run *r, net *n, net_proc *p);             // maps memory, before anybody begins
  void (*play)(const run *r, net *n, net_proc *p);             // may say when its own part was over: its share's `end`
  void (*after)(const run *r, net *n, net_proc *p);            // may be NULL: when all have played, and before
  void (*check)(const run *r, net *n, net_proc *p, share *s);  // when all have played: s->digest and s->wrong
  uint64_t (*serial)(const run *r);                            // the digest, by one process without any of this
} program_does;

typedef struct program {
  const char *name;
  const program_does *does;
  const void *rule;
  const char *options;  // of those that not all programs have, with blanks between them
} program;

extern const program dht, getlog, counter, sort, gups, bfs, uts, pagerank, cc, sssp, triangle_count;
#endif
