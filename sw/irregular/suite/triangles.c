// SPDX-License-Identifier: Apache-2.0
#include "triangles.h"

#include <stdlib.h>

#include "mix.h"

void triangles_see(triangles *t, uint32_t a, uint32_t b, uint32_t c) {
  t->count++;
  t->digest += app_mix(app_mix(a) + app_mix(b) + app_mix(c));
}

// An edge is looked at from the end with fewer neighbours, so that those with very many have few to look at.
static bool before(const csr *g, uint32_t a, uint32_t b) {
  const uint64_t of_a = g->first[a + 1] - g->first[a], of_b = g->first[b + 1] - g->first[b];
  return of_a < of_b || (of_a == of_b && a < b);
}

// Of each vertex the neighbours that come behind it in that order.
static bool ordered(const csr *g, csr *o) {
  *o = (csr){.vertices = g->vertices,
             .first = malloc(((size_t)g->vertices + 1) * sizeof *o->first),
             .to = malloc((g->arcs / 2 + 1) * sizeof *o->to)};
  if (!o->first || !o->to) {
    csr_free(o);
    return false;
  }
  for (uint32_t v = 0; v < g->vertices; v++) {
    o->first[v] = o->arcs;
    for (uint64_t k = g->first[v]; k < g->first[v + 1]; k++)
      if (before(g, v, g->to[k])) o->to[o->arcs++] = g->to[k];
  }
  o->first[g->vertices] = o->arcs;
  return true;
}

bool triangles_count(const csr *g, triangles *t) {
  csr o;
  uint32_t *near = malloc(((size_t)g->vertices + 1) * sizeof *near);
  *t = (triangles){0};
  if (!near || !ordered(g, &o)) {
    free(near);
    return false;
  }
  for (uint32_t v = 0; v < g->vertices; v++) near[v] = NO_VERTEX;
  for (uint32_t a = 0; a < o.vertices; a++) {
    for (uint64_t k = o.first[a]; k < o.first[a + 1]; k++) near[o.to[k]] = a;
    for (uint64_t k = o.first[a]; k < o.first[a + 1]; k++) {
      const uint32_t b = o.to[k];
      for (uint64_t j = o.first[b]; j < o.first[b + 1]; j++)
        if (near[o.to[j]] == a) triangles_see(t, a, b, o.to[j]);
    }
  }
  csr_free(&o);
  free(near);
  return true;
}

// The neighbours of v that are greater than it begin here.
static uint64_t above(const csr *g, uint32_t v) {
  uint64_t low = g->first[v], high = g->first[v + 1];
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (g->to[middle] > v)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void triangles_check(const csr *g, triangles *t) {
  *t = (triangles){0};
  for (uint32_t a = 0; a < g->vertices; a++)
    for (uint64_t k = above(g, a); k < g->first[a + 1]; k++) {
      const uint32_t b = g->to[k];
      uint64_t i = k + 1, j = above(g, b);
      while (i < g->first[a + 1] && j < g->first[b + 1]) {
        if (g->to[i] == g->to[j]) triangles_see(t, a, b, g->to[i]);
        const bool first = g->to[i] <= g->to[j], second = g->to[j] <= g->to[i];
        i += first;
        j += second;
      }
    }
}
