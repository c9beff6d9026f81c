// SPDX-License-Identifier: Apache-2.0
// A rank that adds what it is sent to a vector of its own: by its accelerator (XtqPut), or naively by its CPU, which is told by an
// immediate that a message lies in a slot. What accumulate, reduce and allreduce are made of.
#ifndef TOCSIN_SUMS_H
#define TOCSIN_SUMS_H

#include "app.h"

enum { SUMS_MOST = 500 };  // words of one message

typedef struct sums {
  app *a;
  unsigned rank;
  uint64_t *vector;  // the result
  uint64_t words, expected, came;
  aql_signal *left;  // accelerator: messages still to come
  // naive: a slot for each sender
  uint64_t *slots;
  toc_remote slot_mem;
} sums;

// `messages` will come.
toc_status sums_open(sums *s, app *a, unsigned rank, uint64_t words, uint64_t messages);

// What a sender has: a lane to the rank.
typedef struct sender {
  sums *to;
  unsigned from;
  app_lane lane;
} sender;
toc_status sender_open(sender *x, sums *to, unsigned from);
// Adds words [at, at + n) to the vector; values may be changed when it returns.
toc_status sums_send(sender *x, uint64_t at, const uint64_t *values, unsigned n);
void sender_close(sender *x);

// Returns when all messages have been added.
toc_status sums_wait(sums *s);
#endif
