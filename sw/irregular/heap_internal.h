// SPDX-License-Identifier: Apache-2.0
#ifndef TOCSIN_IRREGULAR_HEAP_INTERNAL_H
#define TOCSIN_IRREGULAR_HEAP_INTERNAL_H

#include "buddy.h"
#include "tocsin/irregular/heap.h"

struct irr_heap {
  irr_net *net;
  irr_heap_options o;
  unsigned rank, ranks;
  uint64_t all, part;  // bytes of the address space: for all, and for each rank behind that
  buddy own, common;
  uint8_t *memory;
  bool ours;            // the heap has taken the memory itself
  irr_cache *borrowed;  // this rank's caches, from the beginning of acquire to the end of release
};

void irr_i_cache_borrow(irr_cache *c);
void irr_i_cache_return(irr_cache *c);
// The first byte from `at` on of which this rank has a copy; IRR_ADDRESS_NONE: there is none.
irr_address irr_i_cache_first(const irr_heap *h, irr_address at);

#endif
