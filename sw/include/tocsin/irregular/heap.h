// SPDX-License-Identifier: Apache-2.0
/* Global memory: a heap that is spread over all ranks, and copies of it that are taken and given back explicitly.
 *
 *   irr_heap *heap;                                               // at every rank, with the same options
 *   irr_heap_open(net, &(irr_heap_options){.rank_bytes = 1 << 20}, &heap);
 *   irr_address table;
 *   irr_global_malloc_all(heap, words * 8, &table);               // all ranks, in the same order
 *   irr_global_word(heap, &(irr_word_op){.function = IRR_WORD_ADD, .at = table + 8 * i, .a = 1, .done = seen});
 *
 * BLOCKS of `block` bytes (64 by default) go round the ranks: byte a of the heap is in block a / block, block k is at
 * rank k mod n, as the (k / n)-th block of its memory. Small ones spread what lies together over all ranks, large ones
 * let a rank have long runs of it.
 *
 * WHO ALLOCATES. The heap's address space has a part for each rank and one for all. A rank allocates out of its
 * own part without a word to anybody; the memory is spread over all ranks nevertheless. What is given back
 * goes to the part that it came from, by a delegate to its rank. The part for all is for what is larger than
 * that: every rank makes the same calls in the same order, and all come to the same result without a message.
 * There is no rank that all have to ask.
 *
 * CACHES are copies, not coherent ones: who fetches one while another changes the memory gets some of the old and some
 * of the new; READ_WRITE gives back all of it, also what it has not changed. What is shared is for delegates, each of
 * which runs alone at its home. */
#ifndef TOCSIN_IRREGULAR_HEAP_H
#define TOCSIN_IRREGULAR_HEAP_H

#include "tocsin/irregular/address.h"
#include "tocsin/irregular/net.h"
#include "tocsin/irregular/paged.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a heap ------------------------------------------------------------------------------------------------------ */

typedef struct irr_heap irr_heap;

/* 0: default. All but `memory` and `store` must be the same at all ranks. */
typedef struct irr_heap_options {
  uint64_t rank_bytes; /* at each rank, a multiple of the block */
  uint32_t block;      /* bytes, a power of two, 8 to 65536, default 64 */
  uint64_t
      all_bytes; /* at each rank, of rank_bytes: for irr_global_malloc_all. Default: half; rounded down to 16 blocks */
  void *memory;  /* rank_bytes, aligned to 8, zeroed; default: the heap takes it from the driver (toc_alloc) */
  /* Instead: the heap lies in a store (paged.h) of rank_bytes at least, whose content it has; blocks of 4096 bytes at
   * most. irr_net_poll polls it, it stays the caller's, and is closed behind the heap. */
  irr_paged *store;
} irr_heap_options;

/* Opens the heap of a net, which has one. No rank may use it before all have opened it. IRR_E_ARG: options that make no
 * sense; IRR_E_NOMEM; IRR_E_IN_USE: the net has a heap. */
irr_status irr_heap_open(irr_net *net, const irr_heap_options *o, irr_heap **heap);
/* Closes a heap, before irr_net_close, when no rank uses it any more. NULL is fine. */
void irr_heap_close(irr_heap *heap);

/* The net of a heap, its bytes at all ranks together (linear addresses are below), and its block. */
irr_net *irr_heap_net(const irr_heap *heap);
uint64_t irr_heap_bytes(const irr_heap *heap);
uint32_t irr_heap_block(const irr_heap *heap);

/* At which rank an address is, linear or 2-D. */
unsigned irr_address_rank(const irr_heap *heap, irr_address a);
/* The place of an address, as functions at its rank call it (net.h). */
uint64_t irr_address_place(const irr_heap *heap, irr_address a);
/* The linear address of a place, an offset into the share of a rank. */
irr_address irr_address_of_place(const irr_heap *heap, unsigned rank, uint64_t place);
/* The pointer of an address at its own rank, NULL elsewhere. Good for the rest of the block.
 * Of a heap in a store: until the next poll, NULL also if the page is absent, which is wanted then: a function returns
 * IRR_BUSY, and runs again. */
void *irr_address_pointer(const irr_heap *heap, irr_address a);
/* How many bytes from here on are at the same rank, without a gap; 2-D: UINT64_MAX. */
uint64_t irr_address_run(const irr_heap *heap, irr_address a);

/* ---- allocation -------------------------------------------------------------------------------------------------- */

/* What is given is at least one block, and not zeroed. */

/* Allocates from this rank's part, at once. IRR_E_ARG; IRR_E_NOMEM: no run of so many blocks is left in it. *a is
 * IRR_ADDRESS_NONE then. */
irr_status irr_global_malloc(irr_heap *heap, uint64_t bytes, irr_address *a);
/* Allocates from the part of another rank. The address is the value with which done is called, if *status is IRR_OK
 * then; IRR_E_NOMEM: nothing is left there. IRR_BUSY, IRR_E_ARG, IRR_E_GONE: done is not called. */
irr_status irr_global_malloc_from(irr_heap *heap, unsigned rank, uint64_t bytes, irr_done *done, void *arg,
                                  irr_status *status);
/* Allocates from this rank's part, and where that is full from those of the ranks behind, which are asked one by one.
 * The address is the value with which done is called, if *status is IRR_OK then; IRR_E_NOMEM: no rank that is there has
 * so much. done may be called before this returns, and is if there is room here. IRR_E_ARG; IRR_E_NOMEM: there was no
 * memory to ask: done is not called. */
irr_status irr_global_malloc_any(irr_heap *heap, uint64_t bytes, irr_done *done, void *arg, irr_status *status);
/* Gives memory back to the part that it came from; a is as an allocation gave it, at any rank. done may be NULL;
 * *status is IRR_E_RANGE if nothing begins there, or it was given back already; IRR_E_IN_USE if this rank has caches of
 * some of it, and nothing was given back (what other ranks have is not asked). IRR_BUSY, IRR_E_GONE: nothing was given
 * back. IRR_E_ARG; IRR_E_RANGE: at once, for what is no address of a rank's part. */
irr_status irr_global_free(irr_heap *heap, irr_address a, irr_done *done, void *arg, irr_status *status);
/* Allocates from the part for all: by all ranks, in the same order. It begins at rank 0, and takes the same memory of
 * each. IRR_E_ARG; IRR_E_NOMEM: no such run is left; *a is IRR_ADDRESS_NONE then. */
irr_status irr_global_malloc_all(irr_heap *heap, uint64_t bytes, irr_address *a);
/* Gives memory back to the part for all: by all ranks, in the same order. IRR_E_ARG; IRR_E_RANGE: nothing begins there;
 * IRR_E_IN_USE: this rank has caches of some of it, and did not give it back: it has to, before it allocates or gives
 * back anything else of the part. */
irr_status irr_global_free_all(irr_heap *heap, irr_address a);

/* ---- delegates to an address ------------------------------------------------------------------------------------- */

/* Sends a delegate to the home of an address: sets d->to. What it does is for `bytes` bytes, which lie in one block,
 * or at a 2-D address. IRR_BUSY; IRR_E_RANGE: they do not, or lie outside of the heap; IRR_E_ARG, IRR_E_LONG,
 * IRR_E_GONE: as irr_net_send. */
irr_status irr_global_send(irr_heap *heap, irr_address at, uint64_t bytes, irr_delegate *d);

/* What is done to a word. */
typedef struct irr_word_op {
  unsigned function; /* IRR_WORD_... */
  irr_address at;    /* a multiple of 8 (IRR_E_ALIGN) */
  uint64_t a, b;
  irr_done *done; /* as in irr_delegate */
  void *arg;
  irr_status *status;
} irr_word_op;
/* Sends what is done to a word. IRR_BUSY; IRR_E_ALIGN: no multiple of 8; IRR_E_RANGE: not in the heap; IRR_E_ARG,
 * IRR_E_GONE: as irr_net_send. */
irr_status irr_global_word(irr_heap *heap, const irr_word_op *w);

/* ---- caches ------------------------------------------------------------------------------------------------------ */

/* What a copy is for. */
typedef enum irr_cache_mode {
  IRR_CACHE_READ,       /* acquire fetches, release forgets */
  IRR_CACHE_READ_WRITE, /* acquire fetches, release gives back */
  IRR_CACHE_WRITE       /* acquire fetches nothing, release gives back: all of it has to be written before */
} irr_cache_mode;

/* A copy. The first four are the program's, and stay between acquire and the end of release;
 * the rest is zero at first. */
typedef struct irr_cache {
  irr_address at;
  uint64_t bytes;
  void *data; /* the copy: bytes of local memory */
  irr_cache_mode mode;
  struct { /* the library's */
    irr_heap *heap;
    irr_later later;
    uint64_t next;
    uint64_t open;
    irr_done *done;
    void *arg;
    irr_status piece, ended;
    bool held, gives, stepping, queued;
    struct irr_cache *before, *behind;
  } i;
} irr_cache;

/* Takes a copy: calls done with 0 when all of it has come, and 1 if not, with the first error in irr_cache_ended. done
 * may be called before this returns. *c was zeroed, or released, before. IRR_E_ARG; IRR_E_IN_USE: it is held;
 * IRR_E_RANGE: not (wholly) in the heap: done is not called. */
irr_status irr_cache_acquire(irr_heap *heap, irr_cache *c, irr_done *done, void *arg);
/* Gives a copy back: calls done, as irr_cache_acquire does, when all has been written at home; at once for
 * IRR_CACHE_READ. IRR_E_ARG: it is not held. */
irr_status irr_cache_release(irr_cache *c, irr_done *done, void *arg);
/* How the last acquire or release of a cache ended: IRR_OK, or the first error of a piece. IRR_E_GONE: a home is gone;
 * IRR_E_RANGE: a home has not exported that. */
irr_status irr_cache_ended(const irr_cache *c);

#ifdef __cplusplus
}
#endif
#endif
