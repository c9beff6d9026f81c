// SPDX-License-Identifier: Apache-2.0
/* A queue of tasks that have not begun, after Chase and Lev: its owner pushes and pops at one end,
 * thieves take at the other.
 *
 * Why no task is lost or run twice. `top` only grows, and each step of it is one compare-and-swap by the one who takes
 * that entry: no two take the same through `top`. The owner takes without it only an entry above the top that it has
 * seen after it lowered `bottom`; both are sequentially consistent, so that a thief who reads `bottom` later sees the
 * entry gone, and one who read it before has a top that is below. For the last entry both must swap `top`. A thief
 * reads an entry before it swaps: the owner may then be writing another task over it, but only if top has moved on, and
 * then the swap fails. Arrays that were outgrown stay until the end, since thieves may still read them. `make
 * irrtsan-deque` tries all of this. */
#ifndef TOCSIN_IRREGULAR_DEQUE_H
#define TOCSIN_IRREGULAR_DEQUE_H

#include "tocsin/irregular/task.h"

typedef struct irr_record {
  irr_task_fn *fn;
  irr_args args;
  union {
    irr_counter *join;
    uint64_t function; /* of one that may go anywhere: its number in the table */
  } u;
} irr_record;
enum { IRR_RECORD_WORDS = 5 };

typedef struct irr_deque_array {
  struct irr_deque_array *older;
  size_t mask;
  uint64_t words[][IRR_RECORD_WORDS];
} irr_deque_array;

typedef struct irr_deque {
  int64_t top __attribute__((aligned(64)));
  int64_t bottom __attribute__((aligned(64)));
  irr_deque_array *array;
} irr_deque;

typedef enum irr_taken { IRR_TAKEN, IRR_EMPTY, IRR_LOST /* to another one: try again */ } irr_taken;

toc_status irr_deque_open(irr_deque *d);
void irr_deque_close(irr_deque *d);
toc_status irr_deque_push(irr_deque *d, const irr_record *r); /* the owner; E_NOMEM */
bool irr_deque_pop(irr_deque *d, irr_record *r);              /* the owner: the newest */
irr_taken irr_deque_steal(irr_deque *d, irr_record *r);       /* anybody: the oldest */
int64_t irr_deque_count(const irr_deque *d);                  /* about */

#endif
