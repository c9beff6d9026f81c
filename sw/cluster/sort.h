// SPDX-License-Identifier: Apache-2.0
// The fault-tolerant sort's schemes, who has which keys, and what has to come of it.
#ifndef TOCSIN_CLUSTER_SORT_H
#define TOCSIN_CLUSTER_SORT_H

#include "player.h"

typedef enum sort_scheme { SORT_NO_FT, SORT_AA, SORT_RMA, SORT_AM, SORT_SCHEMES } sort_scheme;
sort_scheme sort_named(const char *name);

// What an owner knows of a message that it keeps.
typedef struct sort_kept {
  uint32_t at, bytes;  // in its keys
  uint64_t buffer;
} sort_kept;

// Of a process. A device writes and reads all of it but `kept`.
typedef struct sort_rank {
  uint64_t
      *bucket;     // first key of each process's bucket, and the end; behind it sort_range of all others' for this one
  uint64_t *keys;  // bucket behind bucket
  uint8_t *archive;  // by scheme: the log's ring, keys at their places, messages one behind the other
  size_t archive_bytes;
  uint64_t *mine;  // what it got, source behind source
  uint64_t got;
  sort_kept *kept;
  unsigned messages;
} sort_rank;
typedef struct sort_own {
  sort_rank rank[4096];
} sort_own;

// Begins again with nothing but its input: the keys are in their buckets, nothing is got.
void sort_deal(const run *r, unsigned id, sort_rank *k);
uint64_t *sort_ranges(const run *r, sort_rank *k);  // of each process: from, to
size_t sort_table_bytes(const run *r);
// Zeroed memory that is there only where it is touched. Exits without.
void *sort_memory(size_t bytes);
void sort_forget(void *p, size_t bytes);  // used for something else

// The next get of keys `at` to `end`: none crosses a multiple of `block` bytes.
unsigned sort_part(const run *r, uint64_t at, uint64_t end);

// A process that has lost everything, and those who help it.
void sort_recover(const run *r, net *n, net_proc *p);
unsigned sort_lost(const run *r);
bool sort_takes(const run *r, const char **why);
bool sort_prepare(const run *r, net *n);
void sort_check(const run *r, net *n, net_proc *p, share *s);
uint64_t sort_serial(const run *r);

// One process's part of moving keys: requests under way, each with where it belongs.
typedef struct sort_slot {
  bool again;  // what was got is being put or sent back
  unsigned from, bytes;
  uint64_t at, place;  // in the source's keys, in mine
} sort_slot;
typedef struct sorter {
  player d;
  sort_scheme by;
  sort_rank *k;
  sort_slot slot[NET_WINDOW];
  uint64_t at, end, place;  // of the bucket that is being got; d.left counts it and those behind it
  node_kind where;          // at the sources
  bool keep;                // back to the source
} sorter;
// A process's, which gets buckets from what is there of its kind.
sorter *sort_open(const run *r, net *n, net_proc *p, node_kind where);
void sort_ask_ranges(sorter *x);  // and makes room for what they say
void sort_get(sorter *x);         // all buckets
#endif
