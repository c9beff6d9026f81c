// SPDX-License-Identifier: Apache-2.0
// Programs by remote memory access alone. A rank's words of a graph: the value of each of its vertices, a mark of each
// that waits in the queue, the queue, and how many are in it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "dist_graph.h"
#include "gups.h"

static void tried(dist *d, toc_status s) {
  if (s) dist_broken(d, toc_name(s), toc_why());
}

// ---- updates: get a word, put it back changed if nobody has been there meanwhile, else again ------------------------

static bool xor_next(void *ctx, rma_op *op, uint64_t was) {
  (void)ctx;
  if (op->kind == RMA_SWAP_IF && was == op->a) return false;
  op->kind = RMA_SWAP_IF;
  op->a = was;
  op->b = was ^ op->user;
  return true;
}

static uint64_t piece_begin(const dist *d, uint64_t words, unsigned rank) {
  return words / d->ranks * rank + words % d->ranks * rank / d->ranks;
}

static void update(dist *d, uint64_t words, uint64_t updates) {
  uint64_t ran[DIST_RANKS], left[DIST_RANKS];
  for (unsigned r = 0; r < d->ranks; r++) {
    const uint64_t from = piece_begin(d, updates, r);
    ran[r] = gups_start(from);
    left[r] = piece_begin(d, updates, r + 1) - from;
  }
  for (bool more = true; more && !d->end;) {
    more = false;
    for (unsigned r = 0; r < d->ranks; r++) {
      if (!left[r]) continue;
      more = --left[r] || more;
      ran[r] = gups_next(ran[r]);
      const uint64_t at = ran[r] & (words - 1);
      unsigned home = (unsigned)(at * d->ranks / words);  // or a neighbour of it, where the division is uneven
      while (home && piece_begin(d, words, home) > at) home--;
      while (home + 1 < d->ranks && piece_begin(d, words, home + 1) <= at) home++;
      const rma_op op = {.kind = RMA_GET, .to = home, .place = at - piece_begin(d, words, home), .user = ran[r]};
      tried(d, rma_do(&d->rma, r, &op, xor_next, NULL));
    }
    for (unsigned r = 0; r < d->ranks; r++) more |= left[r] > 0;
  }
  dist_settle(d);
}

suite_end rma_gups(const suite_job *job, suite_result *r) {
  dist d;
  const uint64_t words = 1ULL << job->scale;
  uint64_t digest = 0, errors = 0;
  const bool good = dist_open(&d, job, r);
  for (unsigned i = 0; i < d.ranks && good && !d.end; i++) {
    const uint64_t first = piece_begin(&d, words, i), n = piece_begin(&d, words, i + 1) - first;
    tried(&d, rma_share(&d.rma, i, n));
    if (!d.end) gups_fill(d.rma.rank[i].share, first, n);
  }
  dist_start(&d);
  if (!d.end) update(&d, words, job->updates);
  dist_stop(&d, r);
  for (unsigned i = 0; i < d.ranks && !d.end; i++) {
    const uint64_t first = piece_begin(&d, words, i), n = piece_begin(&d, words, i + 1) - first;
    digest += gups_digest(d.rma.rank[i].share, first, n);
    errors += gups_errors(d.rma.rank[i].share, first, n, words, job->updates);
  }
  if (!d.end) check_gups(job, digest, errors, r);
  return dist_close(&d, r);
}

// ---- searches -------------------------------------------------------------------------------------------------------

enum { OFFER, MARK, PLACE, ENTER };  // stages of a chain

static uint64_t marks(const dist_part *p) { return p->rows.vertices; }
static uint64_t queue(const dist_part *p) { return 2ULL * p->rows.vertices; }
static uint64_t tail(const dist_part *p) { return 3ULL * p->rows.vertices; }
static uint64_t *share(const dist_part *p) { return p->d->rma.rank[p->rank].share; }

// Less than what is there? Then it becomes that, and the vertex enters the queue, if it is not in it.
// op->user: the vertex there.
static bool offer_next(void *ctx, rma_op *op, uint64_t was) {
  const dist_graph *g = ctx;
  const dist_part *home = &g->part[op->to];
  switch (op->stage) {
    case OFFER:
      if (op->kind == RMA_SWAP_IF && was == op->a) {
        *op = (rma_op){RMA_SWAP_IF, op->to, MARK, marks(home) + op->user, 0, 1, op->user};
        return true;
      }
      op->kind = RMA_SWAP_IF;
      op->a = was;
      return op->b < was;
    case MARK: *op = (rma_op){RMA_ADD, op->to, PLACE, tail(home), 1, 0, op->user}; return !was;
    case PLACE: *op = (rma_op){RMA_PUT, op->to, ENTER, queue(home) + was, op->user, 0, 0}; return true;
    default: return false;
  }
}

static void offer(dist_graph *g, unsigned from, uint32_t v, uint64_t value) {
  dist *d = &g->d;
  const uint32_t there = v / d->ranks;
  const rma_op op = {.kind = RMA_GET, .to = v % d->ranks, .stage = OFFER, .place = there, .b = value, .user = there};
  if (!d->end) tried(d, rma_do(&d->rma, from, &op, offer_next, g));
}

static void enter(dist_part *p, uint32_t here) {
  uint64_t *s = share(p);
  s[marks(p) + here] = 1;
  s[queue(p) + s[tail(p)]++] = here;
}

static uint64_t turn_over(dist_part *p) {
  uint64_t *s = share(p);
  p->queued[0] = (uint32_t)s[tail(p)];
  for (uint32_t i = 0; i < p->queued[0]; i++) {
    p->queue[0][i] = (uint32_t)s[queue(p) + i];
    s[marks(p) + p->queue[0][i]] = 0;
  }
  s[tail(p)] = 0;
  return p->queued[0];
}

// What a neighbour along arc k of `here` is offered.
typedef uint64_t offered(const dist_part *p, uint32_t here, uint64_t k);

static void rounds(dist_graph *g, offered *what) {
  for (uint64_t all = 1; all && !g->d.end;) {
    all = 0;
    for (unsigned i = 0; i < g->d.ranks; i++) all += turn_over(&g->part[i]);
    for (unsigned i = 0; i < g->d.ranks; i++) {
      const dist_part *p = &g->part[i];
      for (uint32_t q = 0; q < p->queued[0]; q++)
        for (uint64_t k = p->rows.first[p->queue[0][q]]; k < p->rows.first[p->queue[0][q] + 1]; k++)
          offer(g, i, p->rows.to[k], what(p, p->queue[0][q], k));
    }
    dist_settle(&g->d);
  }
}

static uint64_t same_label(const dist_part *p, uint32_t here, uint64_t k) {
  (void)k;
  return share(p)[here];
}

// A level in the upper half, the parent in the lower: the least offer is of the least level.
static uint64_t next_level(const dist_part *p, uint32_t here, uint64_t k) {
  (void)k;
  return ((share(p)[here] >> 32) + 1) << 32 | (here * p->d->ranks + p->rank);
}

static uint64_t longer_way(const dist_part *p, uint32_t here, uint64_t k) {
  double way;
  uint64_t bits = share(p)[here];
  memcpy(&way, &bits, sizeof way);
  way += p->rows.weight[k];
  memcpy(&bits, &way, sizeof bits);
  return bits;
}

static bool searched(dist_graph *g, const suite_job *job, const csr_how *how, uint64_t unknown, suite_result *r) {
  if (!dist_graph_open(g, job, how, NULL, r)) return false;
  for (unsigned i = 0; i < g->d.ranks && !g->d.end; i++) {
    tried(&g->d, rma_share(&g->d.rma, i, tail(&g->part[i]) + 1));
    for (uint32_t here = 0; here < g->part[i].rows.vertices && !g->d.end; here++) share(&g->part[i])[here] = unknown;
  }
  return !g->d.end;
}

static void from_root(dist_graph *g, uint32_t root, uint64_t value) {
  dist_part *p = &g->part[root % g->d.ranks];
  share(p)[root / g->d.ranks] = value;
  enter(p, root / g->d.ranks);
}

static uint64_t *found(dist_graph *g) {
  for (unsigned i = 0; i < g->d.ranks && !g->d.end; i++)
    memcpy(g->part[i].value, share(&g->part[i]), g->part[i].rows.vertices * sizeof(uint64_t));
  return dist_graph_values(g);
}

suite_end rma_bfs(const suite_job *job, suite_result *r) {
  dist_graph g;
  if (searched(&g, job, &(csr_how){0}, UINT64_MAX, r)) {
    from_root(&g, job->root, job->root);
    dist_start(&g.d);
    rounds(&g, next_level);
    dist_stop(&g.d, r);
    uint64_t *value = found(&g);
    uint32_t *parent = value ? malloc(2 * ((size_t)g.vertices + 1) * sizeof *parent) : NULL;
    if (value && dist_have(&g.d, parent)) {
      uint32_t *level = parent + g.vertices;
      for (uint32_t v = 0; v < g.vertices; v++) {
        parent[v] = (uint32_t)value[v];
        level[v] = (uint32_t)(value[v] >> 32);
      }
      (void)dist_have(&g.d, check_bfs(job, parent, level, r));
    }
    free(parent);
    free(value);
  }
  return dist_graph_close(&g, r);
}

suite_end rma_cc(const suite_job *job, suite_result *r) {
  dist_graph g;
  if (searched(&g, job, &(csr_how){0}, 0, r)) {
    for (uint32_t v = 0; v < g.vertices; v++) from_root(&g, v, v);
    dist_start(&g.d);
    rounds(&g, same_label);
    dist_stop(&g.d, r);
    dist_check_cc(&g, job, found(&g), r);
  }
  return dist_graph_close(&g, r);
}

suite_end rma_sssp(const suite_job *job, suite_result *r) {
  dist_graph g;
  const double far = INFINITY;
  uint64_t unknown;
  memcpy(&unknown, &far, sizeof unknown);
  if (searched(&g, job, &(csr_how){.one_way = true, .weights = true, .seed = job->seed}, unknown, r)) {
    from_root(&g, job->root, 0);
    dist_start(&g.d);
    rounds(&g, longer_way);
    dist_stop(&g.d, r);
    dist_check_sssp(&g, job, found(&g), r);
  }
  return dist_graph_close(&g, r);
}
