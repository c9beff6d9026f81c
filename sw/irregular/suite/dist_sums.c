// SPDX-License-Identifier: Apache-2.0
// PageRank and triangles by delegates.
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "dist_graph.h"
#include "dist_procs.h"
#include "pagerank.h"

// ---- PageRank: a delegate adds to a vertex's next rank --------------------------------------------------------------

typedef struct gift {
  uint32_t here, pad;
  uint64_t share;
} gift;

static irr_status given(void *ctx, const irr_arrival *a, irr_answer *answer) {
  dist_part *p = ctx;
  gift s;
  (void)answer;
  const irr_status status = dist_graph_take(p, a, &s, sizeof s);
  if (status != IRR_OK) return status;
  p->next[s.here] += s.share;
  return IRR_OK;
}

// By remote memory access next ranks lie in the words that all reach, and nothing follows an addition.
static uint64_t *next_of(const dist_part *p) {
  return p->d->way == SUITE_RMA ? p->d->rma.rank[p->rank].share : p->next;
}
static bool added(void *ctx, rma_op *op, uint64_t was) {
  (void)ctx, (void)op, (void)was;
  return false;
}

static void give_one(dist_part *p, uint32_t v, gift *s) {
  dist *d = p->d;
  if (d->way != SUITE_RMA) {
    dist_graph_send(p, v, s, sizeof *s);
    return;
  }
  const rma_op op = {.kind = RMA_ADD, .to = v % d->ranks, .place = v / d->ranks, .a = s->share};
  if (rma_do(&d->rma, p->rank, &op, added, NULL)) dist_broken(d, "an addition has failed", toc_why());
}

// What the part has left for all.
static uint64_t give(dist_part *p) {
  uint64_t pot = 0, left;
  const csr *g = &p->rows;
  for (uint32_t here = 0; here < g->vertices; here++) {
    gift s = {.share = pagerank_share(p->value[here], g->first[here + 1] - g->first[here], &left)};
    pot += left;
    for (uint64_t k = g->first[here]; k < g->first[here + 1] && !p->d->end; k++) give_one(p, g->to[k], &s);
  }
  return pot;
}

static uint64_t take(dist_graph *g, dist_part *p, uint64_t pot) {
  uint64_t change = 0, *next = next_of(p);
  for (uint32_t here = 0; here < p->rows.vertices; here++) {
    const uint64_t was = p->value[here];
    const uint64_t is = next[here] + pagerank_common(pot, g->vertices, here * p->d->ranks + p->rank);
    change += is > was ? is - was : was - is;
    p->value[here] = is;
    next[here] = 0;
  }
  return change;
}

static unsigned turns_of(dist_graph *g) {
  unsigned turns = 0;
  uint64_t change;
  do {
    uint64_t pot = 0;
    change = 0;
    for (unsigned i = 0; i < g->d.ranks; i++) pot += give(&g->part[i]);
    dist_settle(&g->d);
    pot = dist_sum(&g->d, pot);
    for (unsigned i = 0; i < g->d.ranks; i++) change += take(g, &g->part[i], pot);
    change = dist_sum(&g->d, change);
  } while (++turns < PAGERANK_TURNS && (double)change > PAGERANK_TOLERANCE * (double)PAGERANK_ONE && !g->d.end);
  return turns;
}

suite_end dist_pagerank(const suite_job *job, suite_result *r) {
  dist_graph g;
  if (dist_graph_open(&g, job, &(csr_how){.one_way = true, .loops = true}, given, r)) {
    for (uint32_t v = 0; v < g.vertices; v++)
      if (dist_here(&g.d, v % g.d.ranks))
        g.part[v % g.d.ranks].value[v / g.d.ranks] = pagerank_common(PAGERANK_ONE, g.vertices, v);
    for (unsigned i = 0; i < g.d.ranks && g.d.way == SUITE_RMA; i++)
      if (!g.d.end && rma_share(&g.d.rma, i, g.part[i].rows.vertices)) dist_broken(&g.d, "no shared memory", toc_why());
    dist_start(&g.d);
    const unsigned turns = g.d.end ? 0 : turns_of(&g);
    dist_stop(&g.d, r);
    uint64_t *rank = dist_graph_values(&g);
    if (rank) (void)dist_have(&g.d, check_pagerank(job, rank, turns, r));
    free(rank);
  }
  return dist_graph_close(&g, r);
}

// ---- triangles: a delegate brings a part of one vertex's row to another, who looks which of them are in its own -----

enum { NAMES = IRR_ARGS_MOST / sizeof(uint32_t) - 3 };
typedef struct brought {
  uint32_t here, from, n, name[NAMES];
} brought;

static irr_status compared(void *ctx, const irr_arrival *a, irr_answer *answer) {
  dist_part *p = ctx;
  brought b;
  (void)answer;
  if (a->bytes < 3 * sizeof *b.name || a->bytes > sizeof b) return IRR_E_ARG;
  memcpy(&b, a->args, a->bytes);
  if (b.n != a->bytes / sizeof *b.name - 3 || b.here >= p->rows.vertices) return IRR_E_ARG;
  for (uint32_t i = 0; i < b.n; i++)
    if (csr_has(&p->rows, b.here, b.name[i], NULL))
      triangles_see(&p->found, b.from, b.here * p->d->ranks + p->rank, b.name[i]);
  return IRR_OK;
}

// Each triangle a < b < c is found once, at b: a brings those of its neighbours that are greater than b.
static void bring(dist_part *p, uint32_t here) {
  const csr *g = &p->rows;
  const uint32_t a = here * p->d->ranks + p->rank, most = p->d->way == SUITE_NAIVE ? 1 : NAMES;
  brought b = {.from = a};
  for (uint64_t k = g->first[here]; k < g->first[here + 1]; k++) {
    if (g->to[k] < a) continue;
    for (uint64_t i = k + 1; i < g->first[here + 1]; i += b.n) {
      const uint64_t left = g->first[here + 1] - i;
      b.n = left < most ? (uint32_t)left : most;
      memcpy(b.name, g->to + i, b.n * sizeof *b.name);
      dist_graph_send(p, g->to[k], &b, (uint32_t)((3 + b.n) * sizeof *b.name));
    }
  }
}

suite_end dist_triangles(const suite_job *job, suite_result *r) {
  dist_graph g;
  triangles found = {0};
  if (dist_graph_open(&g, job, &(csr_how){.merge = true}, compared, r)) {
    for (unsigned i = 0; i < g.d.ranks; i++)
      for (uint32_t here = 0; here < g.part[i].rows.vertices; here++) dist_graph_queue(&g.part[i], here);
    dist_start(&g.d);
    dist_graph_rounds(&g, bring);
    dist_stop(&g.d, r);
    for (unsigned i = 0; i < g.d.ranks; i++) {
      found.count += g.part[i].found.count;
      found.digest += g.part[i].found.digest;
    }
    found.count = dist_sum(&g.d, found.count);
    found.digest = dist_sum(&g.d, found.digest);
    if (!g.d.end) (void)dist_have(&g.d, check_triangles(job, &found, r));
  }
  return dist_graph_close(&g, r);
}
