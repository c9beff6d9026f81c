// SPDX-License-Identifier: Apache-2.0
#include "cc.h"

#include <stdlib.h>

#include "disjoint.h"
#include "mix.h"

bool cc_label(const csr *g, uint32_t *label) {
  uint32_t *left = malloc(((size_t)g->vertices + 1) * sizeof *left);
  if (!left) return false;
  for (uint32_t v = 0; v < g->vertices; v++) label[v] = NO_VERTEX;
  for (uint32_t least = 0; least < g->vertices; least++) {
    uint32_t n = 0;
    if (label[least] != NO_VERTEX) continue;
    label[least] = least;
    left[n++] = least;
    while (n) {
      const uint32_t v = left[--n];
      for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++) {
        if (label[g->to[k]] != NO_VERTEX) continue;
        label[g->to[k]] = least;
        left[n++] = g->to[k];
      }
    }
  }
  free(left);
  return true;
}

uint32_t cc_count(const uint32_t *label, uint32_t vertices) {
  uint32_t n = 0;
  for (uint32_t v = 0; v < vertices; v++) n += label[v] == v;
  return n;
}

cc_verdict cc_check(const edge_list *l, const uint32_t *label, edge *where) {
  for (uint64_t i = 0; i < l->count; i++) {
    *where = l->edge[i];
    if (label[where->a] != label[where->b]) return CC_EDGE;
  }
  uint32_t *sets = disjoint_sets(l);
  if (!sets) return CC_NO_MEMORY;
  cc_verdict verdict = CC_RIGHT;
  for (uint32_t v = 0; v < l->vertices && verdict == CC_RIGHT; v++) {
    *where = (edge){v, label[v]};
    if (label[v] != disjoint_name(sets, v)) verdict = CC_VERTEX;
  }
  free(sets);
  return verdict;
}

uint64_t cc_digest(const uint32_t *label, uint32_t first, uint32_t vertices) {
  uint64_t sum = 0;
  for (uint32_t v = 0; v < vertices; v++) sum += app_mix((uint64_t)(first + v) << 32 | label[v]);
  return sum;
}
