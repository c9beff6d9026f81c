// SPDX-License-Identifier: Apache-2.0
// Collectives (XTQ, section V-C2). Each rank has a vector of n words.
//
//   reduce      rank 0 gets the sum: every rank sends it its vector in messages of up to 500 words
//   allreduce   everybody gets it: reduce-scatter (rank r adds up the r-th part of all vectors), then allgather by puts
#include <stdlib.h>
#include <string.h>

#include "sums.h"

// Element k of rank r's vector.
static uint64_t element(uint64_t seed, unsigned r, uint64_t k) { return app_mix(seed + (uint64_t)r * 0x10000000 + k); }

static uint64_t messages_of(uint64_t words) { return (words + SUMS_MOST - 1) / SUMS_MOST; }

// Rank r's words [from, to) into a vector that begins there.
static toc_status send_part(sender *x, uint64_t seed, unsigned r, uint64_t from, uint64_t to) {
  uint64_t value[SUMS_MOST];
  for (uint64_t at = from; at < to; at += SUMS_MOST) {
    unsigned n = (unsigned)(to - at < SUMS_MOST ? to - at : SUMS_MOST);
    for (unsigned k = 0; k < n; k++) value[k] = element(seed, r, at + k);
    TRY(sums_send(x, at - from, value, n));
  }
  return TOC_OK;
}

static void own_part(sums *s, uint64_t seed, uint64_t from) {
  for (uint64_t k = 0; k < s->words; k++) s->vector[k] += element(seed, s->rank, from + k);
}

static void check(app *a, uint64_t seed, const uint64_t *got, unsigned rank) {
  for (uint64_t k = 0; k < a->n; k++) {
    uint64_t want = 0;
    for (unsigned r = 0; r < a->nodes; r++) want += element(seed, r, k);
    if (got[k] != want) {
      app_wrong(a, "rank %u, element %llu: not the sum", rank, (unsigned long long)k);
      return;
    }
  }
}

static toc_status reduce(app *a, sums *s, sender *x) {
  uint64_t seed = app_random(a);
  TRY(sums_open(s, a, 0, a->n, messages_of(a->n) * (a->nodes - 1)));
  for (unsigned r = 1; r < a->nodes; r++) TRY(sender_open(&x[r], s, r));
  uint64_t begin = toc_now(a->f);
  own_part(s, seed, 0);
  for (unsigned r = 1; r < a->nodes; r++) {
    TRY(send_part(&x[r], seed, r, 0, a->n));
    app_step(a, a->n * r / a->nodes);
  }
  TRY(sums_wait(s));
  app_number_add(a, "time", "us", (double)(toc_now(a->f) - begin) / 1000);
  check(a, seed, s->vector, 0);
  app_digest(a, s->vector, a->n * 8);
  return TOC_OK;
}

toc_status app_reduce(app *a) {
  sums s = {0};
  sender x[APP_NODES] = {{0}};
  toc_status e = reduce(a, &s, x);
  for (unsigned r = 0; r < APP_NODES; r++) sender_close(&x[r]);
  return e;
}

typedef struct all {
  sums part[APP_NODES];
  sender x[APP_NODES][APP_NODES];  // [from][to]
  uint64_t *result[APP_NODES];
  toc_remote where[APP_NODES];
} all;

static toc_status allreduce(app *a, all *t) {
  uint64_t seed = app_random(a), from[APP_NODES + 1], begin;
  for (unsigned r = 0; r <= a->nodes; r++) from[r] = a->n * r / a->nodes;
  for (unsigned r = 0; r < a->nodes; r++) {
    uint64_t words = from[r + 1] - from[r];
    TRY(sums_open(&t->part[r], a, r, words ? words : 1, messages_of(words) * (a->nodes - 1)));
    TRY(toc_alloc(a->p[r], a->n * 8, TOC_READ | TOC_WRITE, (void **)&t->result[r]));
    TRY(toc_expose(a->p[r], t->result[r], a->n * 8, TOC_READ | TOC_WRITE, &t->where[r]));
  }
  for (unsigned r = 0; r < a->nodes; r++)
    for (unsigned s = 0; s < a->nodes; s++)
      if (r != s) TRY(sender_open(&t->x[r][s], &t->part[s], r));
  begin = toc_now(a->f);
  for (unsigned r = 0; r < a->nodes; r++) {
    t->part[r].words = from[r + 1] - from[r];
    own_part(&t->part[r], seed, from[r]);
  }
  for (unsigned k = 1; k < a->nodes; k++)  // each round, everybody sends to another
    for (unsigned r = 0; r < a->nodes; r++) {
      unsigned s = (r + k) % a->nodes;
      TRY(send_part(&t->x[r][s], seed, r, from[s], from[s + 1]));
      app_step(a, a->n * k / a->nodes);
    }
  for (unsigned r = 0; r < a->nodes; r++) TRY(sums_wait(&t->part[r]));
  app_number_add(a, "time of reduce-scatter", "us", (double)(toc_now(a->f) - begin) / 1000);

  begin = toc_now(a->f);
  for (unsigned r = 0; r < a->nodes; r++) {
    uint64_t bytes = 8 * (from[r + 1] - from[r]);
    memcpy(t->result[r] + from[r], t->part[r].vector, bytes);
    for (unsigned k = 1; k < a->nodes; k++) {
      unsigned s = (r + k) % a->nodes;
      toc_req req;
      if (!bytes) continue;
      TRY(toc_put(a->qp[r][s], t->part[r].vector, toc_at(t->where[s], 8 * from[r]), (uint32_t)bytes, &req));
      TRY(toc_wait(req, 0));
    }
  }
  app_number_add(a, "time of allgather", "us", (double)(toc_now(a->f) - begin) / 1000);
  for (unsigned r = 0; r < a->nodes; r++) check(a, seed, t->result[r], r);
  app_digest(a, t->result[a->nodes - 1], a->n * 8);
  return TOC_OK;
}

toc_status app_allreduce(app *a) {
  all *t = calloc(1, sizeof *t);
  toc_status e = t ? allreduce(a, t) : TOC_E_NOMEM;
  for (unsigned r = 0; t && r < APP_NODES; r++)
    for (unsigned s = 0; s < APP_NODES; s++) sender_close(&t->x[r][s]);
  free(t);
  return e;
}
