// SPDX-License-Identifier: Apache-2.0
// Remote memory access alone, to be compared with delegates: gets, puts and atomics of words, which the target's CPU
// takes no part in. What takes several of them (a minimum: get, then compare and swap until it holds) goes to and fro.
// RMA_SLOTS such chains are under way from a rank at once.
#ifndef TOCSIN_SUITE_RMA_H
#define TOCSIN_SUITE_RMA_H

#include "tocsin/tocsin.h"

enum { RMA_SLOTS = 16 };

typedef enum rma_kind { RMA_GET, RMA_PUT, RMA_ADD, RMA_SWAP_IF } rma_kind;
typedef struct rma_op {
  rma_kind kind;
  unsigned to, stage;  // stage, user: the program's
  uint64_t place;      // number of the word in the share of `to`
  uint64_t a, b;       // put, added, compared: a; swapped in: b
  uint64_t user;
} rma_op;
// *op has been done, and the word was this before (not said of a put). True: *op is now what the chain goes on with.
typedef bool rma_next(void *ctx, rma_op *op, uint64_t was);

typedef struct rma_slot {
  bool busy;
  rma_op op;
  rma_next *next;
  void *ctx;
  toc_req req;
} rma_slot;

typedef struct rma_rank {
  toc_proc *p;
  toc_qp **qp;      // to each other
  uint64_t *word;   // of each slot, in memory that the device reaches
  uint64_t *share;  // words that all reach
  toc_remote at;
  rma_slot slot[RMA_SLOTS];
  unsigned turn;
} rma_rank;

typedef struct rma {
  unsigned ranks;
  rma_rank *rank;
  uint64_t done;  // operations that left
} rma;

// p[i] is rank i. rma_close in any case.
toc_status rma_open(rma *m, toc_proc *const *p, unsigned ranks);
void rma_close(rma *m);
toc_status rma_share(rma *m, unsigned rank, uint64_t words);  // they are 0

// Begins a chain of `from`; waits for the oldest one if as many are under way as may be.
toc_status rma_do(rma *m, unsigned from, const rma_op *op, rma_next *next, void *ctx);
toc_status rma_settle(rma *m);  // until none is under way
#endif
