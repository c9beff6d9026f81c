// SPDX-License-Identifier: Apache-2.0
// Connected components. Edges have no direction here; a component is called by its least vertex.
#ifndef TOCSIN_SUITE_CC_H
#define TOCSIN_SUITE_CC_H

#include "csr.h"

bool cc_label(const csr *g, uint32_t *label);  // false: no memory
uint32_t cc_count(const uint32_t *label, uint32_t vertices);

// True: the labels are right. Else *where has an edge whose ends have two labels, or a vertex and the label
// that it should not have.
typedef enum cc_verdict { CC_RIGHT, CC_EDGE, CC_VERTEX, CC_NO_MEMORY } cc_verdict;
cc_verdict cc_check(const edge_list *l, const uint32_t *label, edge *where);

uint64_t cc_digest(const uint32_t *label, uint32_t first, uint32_t vertices);
#endif
