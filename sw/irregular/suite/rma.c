// SPDX-License-Identifier: Apache-2.0
#include "rma.h"

#include <stdlib.h>
#include <string.h>

#define TRY(x)                       \
  do {                               \
    toc_status try_ = (x);           \
    if (try_ != TOC_OK) return try_; \
  } while (0)

toc_status rma_open(rma *m, toc_proc *const *p, unsigned ranks) {
  *m = (rma){.ranks = ranks, .rank = calloc(ranks, sizeof *m->rank)};
  if (!m->rank) return TOC_E_NOMEM;
  for (unsigned i = 0; i < ranks; i++) {
    m->rank[i].p = p[i];
    if (!(m->rank[i].qp = calloc(ranks, sizeof(toc_qp *)))) return TOC_E_NOMEM;
    TRY(toc_alloc(p[i], RMA_SLOTS * sizeof(uint64_t), TOC_READ | TOC_WRITE, (void **)&m->rank[i].word));
  }
  for (unsigned i = 0; i < ranks; i++)
    for (unsigned to = i + 1; to < ranks; to++) TRY(toc_connect(p[i], p[to], &m->rank[i].qp[to], &m->rank[to].qp[i]));
  return TOC_OK;
}

void rma_close(rma *m) {
  for (unsigned i = 0; i < m->ranks && m->rank; i++) free(m->rank[i].qp);
  free(m->rank);
  m->rank = NULL;
}

toc_status rma_share(rma *m, unsigned rank, uint64_t words) {
  rma_rank *r = &m->rank[rank];
  const size_t bytes = (size_t)(words ? words : 1) * sizeof *r->share;
  TRY(toc_alloc(r->p, bytes, TOC_READ | TOC_WRITE, (void **)&r->share));
  memset(r->share, 0, bytes);
  return toc_expose(r->p, r->share, bytes, TOC_READ | TOC_WRITE | TOC_ATOMIC, &r->at);
}

// A rank's own word: devices do nothing meanwhile, since this thread moves them.
static uint64_t local(rma_rank *r, const rma_op *op) {
  uint64_t *w = &r->share[op->place];
  const uint64_t was = *w;
  if (op->kind == RMA_PUT) *w = op->a;
  if (op->kind == RMA_ADD) *w += op->a;
  if (op->kind == RMA_SWAP_IF && was == op->a) *w = op->b;
  return was;
}

static toc_status start(rma *m, rma_rank *r, rma_slot *s) {
  uint64_t *w = &r->word[s - r->slot];
  const rma_op *op = &s->op;
  toc_qp *q = r->qp[op->to];
  const toc_remote at = toc_at(m->rank[op->to].at, op->place * sizeof *w);
  s->busy = true;
  m->done++;
  switch (op->kind) {
    case RMA_GET: return toc_get(q, w, at, sizeof *w, &s->req);
    case RMA_ADD: return toc_fetch_add(q, w, at, op->a, &s->req);
    case RMA_SWAP_IF: return toc_compare_swap(q, w, at, op->a, op->b, &s->req);
    default: *w = op->a; return toc_put(q, w, at, sizeof *w, &s->req);
  }
}

// The chain goes on after what has been done: with its own words here, then with another's.
static toc_status go_on(rma *m, unsigned from, rma_slot *s, uint64_t was) {
  rma_rank *r = &m->rank[from];
  while (s->next(s->ctx, &s->op, was)) {
    if (s->op.to != from) return start(m, r, s);
    was = local(r, &s->op);
  }
  s->busy = false;
  return TOC_OK;
}

static toc_status finish(rma *m, unsigned from, rma_slot *s) {
  TRY(toc_wait(s->req, 0));
  return go_on(m, from, s, m->rank[from].word[s - m->rank[from].slot]);
}

toc_status rma_do(rma *m, unsigned from, const rma_op *op, rma_next *next, void *ctx) {
  rma_rank *r = &m->rank[from];
  rma_slot *s = &r->slot[r->turn++ % RMA_SLOTS];
  while (s->busy) TRY(finish(m, from, s));
  *s = (rma_slot){.op = *op, .next = next, .ctx = ctx};
  return op->to == from ? go_on(m, from, s, local(r, op)) : start(m, r, s);
}

toc_status rma_settle(rma *m) {
  for (unsigned i = 0; i < m->ranks; i++)
    for (rma_slot *s = m->rank[i].slot; s < m->rank[i].slot + RMA_SLOTS; s++)
      while (s->busy) TRY(finish(m, i, s));
  return TOC_OK;
}
