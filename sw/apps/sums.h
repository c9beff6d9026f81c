// SPDX-License-Identifier: Apache-2.0
// Ranks that add what they are sent to a vector of their own: by their accelerators (XtqPut), or naively by their CPUs,
// which are told by an immediate that a message lies in a slot, and say by a put that it is free again. What
// accumulate, reduce and allreduce are made of.
#ifndef TOCSIN_SUMS_H
#define TOCSIN_SUMS_H

#include "app.h"

enum { SUMS_MOST = 500 };  // words of one message

typedef struct adder {  // a rank that adds; what is behind `at` is for who plays it
  app *a;
  unsigned rank;
  uint64_t words, expected;
  struct {
    toc_remote slots;
    uint64_t process;
  } at;              // what the others have to know of it
  uint64_t *vector;  // the result
  uint64_t came;
  aql_signal *left;  // accelerator: messages still to come
  uint8_t *buffers;
  uint64_t *slots;  // naive: SLOTS of them for each sender
  uint64_t *taken;  // naive: how many of each sender's
} adder;

typedef struct sums {
  app *a;
  unsigned adders;  // ranks 0 to that less one
  adder *of;
  app_lane *lane;               // [from * nodes + to]
  uint64_t *sent;               // the same: messages so far
  uint64_t *credit[APP_NODES];  // naive, of a sender: how many of its messages each has taken
  toc_remote credit_at[APP_NODES];
} sums;

// Rank r has a vector of words[r], to which messages[r] will come. All ranks call it.
toc_status sums_open(sums *s, app *a, unsigned adders, const uint64_t *words, const uint64_t *messages);
void sums_close(sums *s);

// Adds words [at, at + n) to the vector of rank `to`; values may be changed when it returns.
toc_status sums_send(sums *s, unsigned from, unsigned to, uint64_t at, const uint64_t *values, unsigned n);

// Returns when all messages have been added by the ranks that this process plays.
toc_status sums_wait(sums *s);
#endif
