// SPDX-License-Identifier: Apache-2.0
#include "dist_graph.h"

#include "dist_procs.h"

#include <stdlib.h>
#include <string.h>

static bool part_open(dist_graph *g, unsigned rank, const csr *whole) {
  dist_part *p = &g->part[rank];
  *p = (dist_part){.d = &g->d, .rank = rank};
  if (!dist_have(&g->d, dist_rows(&g->d, whole, rank, &p->rows))) return false;
  const size_t n = (size_t)p->rows.vertices + 1;
  p->value = calloc(n, sizeof *p->value);
  p->next = calloc(n, sizeof *p->next);
  p->parent = calloc(n, sizeof *p->parent);
  p->queue[0] = calloc(n, sizeof **p->queue);
  p->queue[1] = calloc(n, sizeof **p->queue);
  p->waits = calloc(n, 1);
  return dist_have(&g->d, p->value && p->next && p->parent && p->queue[0] && p->queue[1] && p->waits);
}

bool dist_graph_open(dist_graph *g, const suite_job *job, const csr_how *how, irr_function_run *run, suite_result *r) {
  csr whole = {0};
  *g = (dist_graph){.vertices = job->list->vertices};
  if (!dist_open(&g->d, job, r)) return false;
  g->part = calloc(g->d.ranks, sizeof *g->part);
  bool good = dist_have(&g->d, g->part) && dist_have(&g->d, csr_build(&whole, job->list, how));
  for (unsigned i = 0; i < g->d.ranks && good; i++) {
    g->part[i] = (dist_part){.d = &g->d, .rank = i};
    if (!dist_here(&g->d, i)) continue;
    good = part_open(g, i, &whole);
    if (good) dist_function(&g->d, i, run, &g->part[i], 0);
  }
  csr_free(&whole);
  return good && !g->d.end;
}

suite_end dist_graph_close(dist_graph *g, suite_result *r) {
  for (unsigned i = 0; i < g->d.ranks && g->part; i++) {
    dist_part *p = &g->part[i];
    csr_free(&p->rows);
    free(p->value);
    free(p->next);
    free(p->parent);
    free(p->queue[0]);
    free(p->queue[1]);
    free(p->waits);
  }
  free(g->part);
  return dist_close(&g->d, r);
}

void dist_graph_send(dist_part *p, uint32_t v, void *args, uint32_t bytes) {
  const uint32_t there = v / p->d->ranks;
  memcpy(args, &there, sizeof there);
  dist_send(p->d, p->rank, v % p->d->ranks, args, bytes);
}

irr_status dist_graph_take(const dist_part *p, const irr_arrival *a, void *args, uint32_t bytes) {
  uint32_t here;
  if (a->bytes != bytes) return IRR_E_ARG;
  memcpy(args, a->args, bytes);
  memcpy(&here, args, sizeof here);
  return here < p->rows.vertices ? IRR_OK : IRR_E_RANGE;
}

void dist_graph_queue(dist_part *p, uint32_t here) {
  if (p->waits[here]) return;
  p->waits[here] = 1;
  p->queue[1][p->queued[1]++] = here;
}

// What waits for the next round is what this round looks at.
static uint64_t turn_over(dist_graph *g) {
  uint64_t all = 0;
  for (unsigned i = 0; i < g->d.ranks; i++) {
    dist_part *p = &g->part[i];
    uint32_t *queue = p->queue[0];
    p->queue[0] = p->queue[1];
    p->queued[0] = p->queued[1];
    p->queue[1] = queue;
    p->queued[1] = 0;
    for (uint32_t k = 0; k < p->queued[0]; k++) p->waits[p->queue[0][k]] = 0;
    all += p->queued[0];
  }
  return dist_sum(&g->d, all);
}

void dist_graph_rounds(dist_graph *g, void (*look)(dist_part *p, uint32_t here)) {
  enum { TURN = 16 };  // vertices, before the next rank has its turn
  while (!g->d.end && turn_over(g)) {
    bool more = true;
    for (uint32_t from = 0; more && !g->d.end; from += TURN) {
      more = false;
      for (unsigned i = 0; i < g->d.ranks; i++) {
        dist_part *p = &g->part[i];
        for (uint32_t k = from; k < p->queued[0] && k < from + TURN && !g->d.end; k++) look(p, p->queue[0][k]);
        more |= from + TURN < p->queued[0];
      }
    }
    dist_settle(&g->d);
    for (unsigned i = 0; i < g->d.ranks; i++) g->part[i].level++;
  }
}

typedef struct told {
  uint64_t value;
  uint32_t parent, pad;
} told;

static bool spread(dist_graph *g, told *all, uint32_t most) {
  const dist_part *mine = &g->part[g->d.me];
  told *own = all + (size_t)g->d.me * most;
  for (uint32_t k = 0; k < mine->rows.vertices; k++) own[k] = (told){mine->value[k], mine->parent[k], 0};
  told *from = malloc((size_t)most * sizeof *from + 1);
  if (!dist_have(&g->d, from)) return false;
  memcpy(from, own, (size_t)most * sizeof *from);
  const bool good = dist_gather(&g->d, from, (size_t)most * sizeof *from, all);
  free(from);
  return good;
}

bool dist_graph_gather(dist_graph *g) {
  dist *d = &g->d;
  const uint32_t most = dist_count(d, g->vertices, 0);
  if (!d->procs) return true;
  told *all = calloc((size_t)most * d->ranks + 1, sizeof *all);
  bool good = dist_have(d, all) && spread(g, all, most);
  for (unsigned i = 0; i < d->ranks && good; i++) {
    dist_part *p = &g->part[i];
    const uint32_t n = dist_count(d, g->vertices, i);
    if (dist_here(d, i)) continue;
    p->value = malloc((size_t)n * sizeof *p->value + 1);
    p->parent = malloc((size_t)n * sizeof *p->parent + 1);
    good = dist_have(d, p->value && p->parent);
    for (uint32_t k = 0; k < n && good; k++) {
      p->value[k] = all[(size_t)i * most + k].value;
      p->parent[k] = all[(size_t)i * most + k].parent;
    }
  }
  free(all);
  return good;
}

uint64_t *dist_graph_values(dist_graph *g) {
  uint64_t *all = g->d.end || !dist_graph_gather(g) ? NULL : malloc(((size_t)g->vertices + 1) * sizeof *all);
  if (g->d.end || !dist_have(&g->d, all)) {
    free(all);
    return NULL;
  }
  for (uint32_t v = 0; v < g->vertices; v++) all[v] = g->part[v % g->d.ranks].value[v / g->d.ranks];
  return all;
}
