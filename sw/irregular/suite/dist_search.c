// SPDX-License-Identifier: Apache-2.0
// Searches in rounds: what a vertex has learned in one it tells its neighbours in the next. A delegate offers a vertex
// a value, whose home keeps the least.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "dist_graph.h"

// ---- breadth-first search: the first who comes is the parent, all others come too late ------------------------------

typedef struct visit {
  uint32_t here, parent;
} visit;

static irr_status visited(void *ctx, const irr_arrival *a, irr_answer *answer) {
  dist_part *p = ctx;
  visit v;
  (void)answer;
  const irr_status status = dist_graph_take(p, a, &v, sizeof v);
  if (status != IRR_OK) return status;
  if (p->parent[v.here] != NO_VERTEX) return IRR_OK;
  p->parent[v.here] = v.parent;
  p->value[v.here] = p->level + 1;
  dist_graph_queue(p, v.here);
  return IRR_OK;
}

static void visit_neighbours(dist_part *p, uint32_t here) {
  for (uint64_t k = p->rows.first[here]; k < p->rows.first[here + 1]; k++) {
    visit v = {.parent = here * p->d->ranks + p->rank};
    dist_graph_send(p, p->rows.to[k], &v, sizeof v);
  }
}

static bool bfs_check_parts(dist_graph *g, const suite_job *job, suite_result *r) {
  const size_t n = (size_t)g->vertices + 1;
  uint32_t *parent = malloc(n * sizeof *parent), *level = malloc(n * sizeof *level);
  bool good = parent && level;
  for (uint32_t v = 0; v < g->vertices && good; v++) {
    const dist_part *p = &g->part[v % g->d.ranks];
    parent[v] = p->parent[v / g->d.ranks];
    level[v] = parent[v] == NO_VERTEX ? NO_VERTEX : (uint32_t)p->value[v / g->d.ranks];
  }
  good = good && check_bfs(job, parent, level, r);
  free(parent);
  free(level);
  return good;
}

suite_end dist_bfs(const suite_job *job, suite_result *r) {
  dist_graph g;
  if (dist_graph_open(&g, job, &(csr_how){0}, visited, r)) {
    for (unsigned i = 0; i < g.d.ranks; i++)
      for (uint32_t k = 0; k < g.part[i].rows.vertices; k++) g.part[i].parent[k] = NO_VERTEX;
    dist_part *p = &g.part[job->root % g.d.ranks];
    if (dist_here(&g.d, p->rank)) {
      p->parent[job->root / g.d.ranks] = job->root;
      dist_graph_queue(p, job->root / g.d.ranks);
    }
    dist_start(&g.d);
    dist_graph_rounds(&g, visit_neighbours);
    dist_stop(&g.d, r);
    if (!g.d.end && dist_graph_gather(&g)) (void)dist_have(&g.d, bfs_check_parts(&g, job, r));
  }
  return dist_graph_close(&g, r);
}

// ---- components and shortest paths: offers that are less than what is there -----------------------------------------

// A kernel keeps a lesser value while the rank's thread reads it (xtq). The thread may read the new one: then it tells
// that now, and again in the next round, in which the vertex is because of it.
static uint64_t value_of(const dist_part *p, uint32_t here) {
  return __atomic_load_n(&p->value[here], __ATOMIC_RELAXED);
}

typedef struct offer {
  uint32_t here, pad;
  uint64_t value;
} offer;

static irr_status offered(void *ctx, const irr_arrival *a, irr_answer *answer) {
  dist_part *p = ctx;
  offer o;
  (void)answer;
  const irr_status status = dist_graph_take(p, a, &o, sizeof o);
  if (status != IRR_OK) return status;
  if (o.value >= p->value[o.here]) return IRR_OK;
  __atomic_store_n(&p->value[o.here], o.value, __ATOMIC_RELAXED);
  dist_graph_queue(p, o.here);
  return IRR_OK;
}

static void offer_label(dist_part *p, uint32_t here) {
  for (uint64_t k = p->rows.first[here]; k < p->rows.first[here + 1]; k++) {
    offer o = {.value = value_of(p, here)};
    dist_graph_send(p, p->rows.to[k], &o, sizeof o);
  }
}

void dist_check_cc(dist_graph *g, const suite_job *job, uint64_t *value, suite_result *r) {
  uint32_t *label = value ? malloc(((size_t)g->vertices + 1) * sizeof *label) : NULL;
  if (value && dist_have(&g->d, label)) {
    for (uint32_t v = 0; v < g->vertices; v++) label[v] = (uint32_t)value[v];
    (void)dist_have(&g->d, check_cc(job, label, r));
  }
  free(label);
  free(value);
}

suite_end dist_cc(const suite_job *job, suite_result *r) {
  dist_graph g;
  if (dist_graph_open(&g, job, &(csr_how){0}, offered, r)) {
    for (unsigned i = 0; i < g.d.ranks; i++)
      for (uint32_t here = 0; here < g.part[i].rows.vertices; here++) {
        g.part[i].value[here] = (uint64_t)here * g.d.ranks + i;
        dist_graph_queue(&g.part[i], here);
      }
    dist_start(&g.d);
    dist_graph_rounds(&g, offer_label);
    dist_stop(&g.d, r);
    dist_check_cc(&g, job, dist_graph_values(&g), r);
  }
  return dist_graph_close(&g, r);
}

// Bits of doubles of 0 or more are ordered as they are.
static double number(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
static uint64_t bits(double d) {
  uint64_t b;
  memcpy(&b, &d, sizeof b);
  return b;
}

static void offer_way(dist_part *p, uint32_t here) {
  const double so_far = number(value_of(p, here));
  for (uint64_t k = p->rows.first[here]; k < p->rows.first[here + 1]; k++) {
    offer o = {.value = bits(so_far + p->rows.weight[k])};
    dist_graph_send(p, p->rows.to[k], &o, sizeof o);
  }
}

void dist_check_sssp(dist_graph *g, const suite_job *job, uint64_t *value, suite_result *r) {
  double *distance = value ? malloc(((size_t)g->vertices + 1) * sizeof *distance) : NULL;
  if (value && dist_have(&g->d, distance)) {
    for (uint32_t v = 0; v < g->vertices; v++) distance[v] = number(value[v]);
    (void)dist_have(&g->d, check_sssp(job, distance, r));
  }
  free(distance);
  free(value);
}

suite_end dist_sssp(const suite_job *job, suite_result *r) {
  dist_graph g;
  const csr_how how = {.one_way = true, .weights = true, .seed = job->seed};
  if (dist_graph_open(&g, job, &how, offered, r)) {
    for (unsigned i = 0; i < g.d.ranks; i++)
      for (uint32_t here = 0; here < g.part[i].rows.vertices; here++) g.part[i].value[here] = bits(INFINITY);
    dist_part *p = &g.part[job->root % g.d.ranks];
    if (dist_here(&g.d, p->rank)) {
      p->value[job->root / g.d.ranks] = bits(0);
      dist_graph_queue(p, job->root / g.d.ranks);
    }
    dist_start(&g.d);
    dist_graph_rounds(&g, offer_way);
    dist_stop(&g.d, r);
    dist_check_sssp(&g, job, dist_graph_values(&g), r);
  }
  return dist_graph_close(&g, r);
}
