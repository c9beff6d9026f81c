// SPDX-License-Identifier: Apache-2.0
// Which vertices hang together, found edge by edge. The checks use it, the programs walk.
#ifndef TOCSIN_SUITE_DISJOINT_H
#define TOCSIN_SUITE_DISJOINT_H

#include "edges.h"

// Of each vertex another one of its component, nearer to the one that names it; NULL: no memory. free() it.
uint32_t *disjoint_sets(const edge_list *l);
uint32_t disjoint_name(uint32_t *sets, uint32_t v);
#endif
