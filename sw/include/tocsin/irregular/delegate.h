// SPDX-License-Identifier: Apache-2.0
/* Delegates, caches and remote spawns as tasks use them: a call gives the core away until the answer is here, so that thousands of them are
 * under way at once, and each task has one at most.
 *
 *   irr_rank r = {.s = sched, .net = net, .heap = heap};
 *   irr_rank_begin(&r);
 *   ... in a task:
 *   uint64_t before;
 *   irr_status s = irr_fetch_add(&r, table + 8 * i, 1, &before);
 *
 * All of these are called by tasks of r->s and return when it is done, with how it ended: IRR_BUSY is none of it, they wait for room.
 * Inside a delegate they are refused (IRR_E_INSIDE). What a delegate for this rank itself runs must not give the core away: what yields,
 * blocks or waits there is a mistake as between irr_atomic_begin and irr_atomic_end (task.h), which ends the program with a line that says
 * so. */
#ifndef TOCSIN_IRREGULAR_DELEGATE_H
#define TOCSIN_IRREGULAR_DELEGATE_H

#include "tocsin/irregular/heap.h"
#include "tocsin/irregular/net.h"
#include "tocsin/irregular/task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The program's; stays while tasks use it. */
typedef struct irr_rank {
  irr_sched *s; /* and the net are of one thread */
  irr_net *net;
  irr_heap *heap; /* NULL: only what takes a rank works */
} irr_rank;

/* Lets the scheduler poll the net (irr_on_poll), and other ranks spawn tasks here. E_IN_USE: the net has such a rank. */
irr_status irr_rank_begin(irr_rank *r);

/* d->done, arg and status are not looked at. *value (may be NULL): the first 8 bytes of the answer; d->into as it says. */
irr_status irr_delegate_to(irr_rank *r, const irr_delegate *d, uint64_t *value);
/* Without an answer: waits for room alone. */
irr_status irr_delegate_tell(irr_rank *r, const irr_delegate *d);

/* Words of global memory. *old (may be NULL): what was there before. */
irr_status irr_read(irr_rank *r, irr_address at, uint64_t *value);
irr_status irr_write(irr_rank *r, irr_address at, uint64_t value);
irr_status irr_fetch_add(irr_rank *r, irr_address at, uint64_t add, uint64_t *old);
irr_status irr_compare_swap(irr_rank *r, irr_address at, uint64_t compare, uint64_t swap, uint64_t *old);

/* irr_cache_acquire and irr_cache_release. */
irr_status irr_cache_take(irr_rank *r, irr_cache *c);
irr_status irr_cache_give(irr_rank *r, irr_cache *c);

/* A task at a rank, or at the home of an address; function: its number in irr_options.functions there. Returns when it is spawned, which is
 * not to say that it has run. E_FUNCTION: there is no such function; E_NOMEM. */
irr_status irr_spawn_on(irr_rank *r, unsigned rank, unsigned function, const irr_args *a);
irr_status irr_spawn_at(irr_rank *r, irr_address at, unsigned function, const irr_args *a);

#ifdef __cplusplus
}
#endif
#endif
