// SPDX-License-Identifier: Apache-2.0
#include "disjoint.h"

#include <stdlib.h>

uint32_t disjoint_name(uint32_t *sets, uint32_t v) {
  while (sets[v] != v) v = sets[v] = sets[sets[v]];
  return v;
}

uint32_t *disjoint_sets(const edge_list *l) {
  uint32_t *sets = malloc(((size_t)l->vertices + 1) * sizeof *sets);
  if (!sets) return NULL;
  for (uint32_t v = 0; v < l->vertices; v++) sets[v] = v;
  for (uint64_t i = 0; i < l->count; i++) {
    const uint32_t a = disjoint_name(sets, l->edge[i].a), b = disjoint_name(sets, l->edge[i].b);
    sets[a < b ? b : a] = a < b ? a : b;  // the least vertex names the component
  }
  return sets;
}
