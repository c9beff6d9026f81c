// SPDX-License-Identifier: Apache-2.0
/* Delegates, caches and remote spawns as tasks use them: a call gives the core away until the answer is here, so that
 * thousands of them are under way at once, and each task has one at most.
 *
 *   irr_rank r = {.s = sched, .net = net, .heap = heap};
 *   irr_rank_begin(&r);
 *   ... in a task:
 *   uint64_t before;
 *   irr_status s = irr_fetch_add(&r, table + 8 * i, 1, &before);
 *
 * All of these are called by tasks of r->s and return when it is done, with how it ended: IRR_BUSY is none of it, they
 * wait for room. Inside a delegate they are refused (IRR_E_INSIDE). What a delegate for this rank itself runs must not
 * give the core away: what yields, blocks or waits there is a mistake as between irr_atomic_begin and irr_atomic_end
 * (task.h), which ends the program with a line that says so. */
#ifndef TOCSIN_IRREGULAR_DELEGATE_H
#define TOCSIN_IRREGULAR_DELEGATE_H

#include "tocsin/irregular/heap.h"
#include "tocsin/irregular/net.h"
#include "tocsin/irregular/task.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rank for its tasks. It is the program's, and stays while tasks use it. */
typedef struct irr_rank {
  irr_sched *s; /* and the net are of one thread */
  irr_net *net;
  irr_heap *heap; /* NULL: only what takes a rank works */
} irr_rank;

/* Lets the scheduler poll the net (irr_on_poll), and other ranks spawn tasks here. IRR_E_ARG: it has none;
 * IRR_E_IN_USE: the net has such a rank. */
irr_status irr_rank_begin(irr_rank *r);

/* Runs a delegate at d->to and waits for its answer. d->done, arg and status are not looked at. *value (may be NULL):
 * the first 8 bytes of the answer; d->into as it says. IRR_E_ARG, IRR_E_LONG: as irr_net_send; IRR_E_GONE;
 * IRR_E_FUNCTION; IRR_E_INSIDE; or what the function returned. */
irr_status irr_delegate_to(irr_rank *r, const irr_delegate *d, uint64_t *value);
/* Sends a delegate without an answer: waits for room alone. IRR_E_ARG, IRR_E_LONG, IRR_E_GONE: as
 * irr_net_send; IRR_E_INSIDE. */
irr_status irr_delegate_tell(irr_rank *r, const irr_delegate *d);

/* ---- words of global memory -------------------------------------------------------------------------------------- */

/* Each is done at its home, alone. IRR_E_ARG: the rank has no heap; IRR_E_ALIGN; IRR_E_RANGE: not in the heap, or not
 * exported; IRR_E_GONE; IRR_E_INSIDE. */

/* Reads a word. IRR_E_ARG, IRR_E_ALIGN, IRR_E_RANGE, IRR_E_GONE, IRR_E_INSIDE. */
irr_status irr_read(irr_rank *r, irr_address at, uint64_t *value);
/* Writes a word. IRR_E_ARG, IRR_E_ALIGN, IRR_E_RANGE, IRR_E_GONE, IRR_E_INSIDE. */
irr_status irr_write(irr_rank *r, irr_address at, uint64_t value);
/* Adds to a word; *old (may be NULL): what was there before. IRR_E_ARG, IRR_E_ALIGN, IRR_E_RANGE,
 * IRR_E_GONE, IRR_E_INSIDE. */
irr_status irr_fetch_add(irr_rank *r, irr_address at, uint64_t add, uint64_t *old);
/* Writes a word if it is what it has to be; *old (may be NULL): what was there before. IRR_E_ARG, IRR_E_ALIGN,
 * IRR_E_RANGE, IRR_E_GONE, IRR_E_INSIDE. */
irr_status irr_compare_swap(irr_rank *r, irr_address at, uint64_t compare, uint64_t swap, uint64_t *old);

/* ---- caches ------------------------------------------------------------------------------------------------------ */

/* Takes a copy and waits until it is here: irr_cache_acquire. IRR_E_ARG; IRR_E_IN_USE: it is held; IRR_E_RANGE: not in
 * the heap, or not exported; IRR_E_GONE; IRR_E_INSIDE. It is not held after an error. */
irr_status irr_cache_take(irr_rank *r, irr_cache *c);
/* Gives a copy back and waits until all of it has been written: irr_cache_release. IRR_E_ARG: it is not held;
 * IRR_E_RANGE: not exported any more; IRR_E_GONE; IRR_E_INSIDE. */
irr_status irr_cache_give(irr_rank *r, irr_cache *c);

/* ---- tasks elsewhere --------------------------------------------------------------------------------------------- */

/* Spawns a task at a rank; function: its number in irr_options.functions there. Returns when it is spawned,
 * which is not to say that it has run. IRR_E_ARG; IRR_E_FUNCTION: there is no such function; IRR_E_NOMEM: there;
 * IRR_E_GONE; IRR_E_INSIDE. */
irr_status irr_spawn_on(irr_rank *r, unsigned rank, unsigned function, const irr_args *a);
/* Spawns a task at the home of an address, as irr_spawn_on. IRR_E_ARG; IRR_E_RANGE: not in the heap; IRR_E_FUNCTION;
 * IRR_E_NOMEM; IRR_E_GONE; IRR_E_INSIDE. */
irr_status irr_spawn_at(irr_rank *r, irr_address at, unsigned function, const irr_args *a);

#ifdef __cplusplus
}
#endif
#endif
