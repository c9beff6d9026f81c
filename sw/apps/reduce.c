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

// Rank r's words [from, to) into the vector of rank `target` that begins there.
static toc_status send_part(sums *s, uint64_t seed, unsigned r, unsigned target, uint64_t from, uint64_t to) {
  uint64_t value[SUMS_MOST];
  for (uint64_t at = from; at < to; at += SUMS_MOST) {
    unsigned n = (unsigned)(to - at < SUMS_MOST ? to - at : SUMS_MOST);
    for (unsigned k = 0; k < n; k++) value[k] = element(seed, r, at + k);
    TRY(sums_send(s, r, target, at - from, value, n));
  }
  return TOC_OK;
}

// When the others' messages have been added: until then the vector is the accelerator's.
static void own_part(adder *d, uint64_t seed, uint64_t from) {
  for (uint64_t k = 0; k < d->words; k++) d->vector[k] += element(seed, d->rank, from + k);
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

static toc_status reduce(app *a, sums *s) {
  uint64_t seed = app_random(a), messages = messages_of(a->n) * (a->nodes - 1);
  TRY(sums_open(s, a, 1, &a->n, &messages));
  uint64_t begin = toc_now(a->f);
  for (unsigned r = 1; r < a->nodes; r++) {
    if (app_plays(a, r)) TRY(send_part(s, seed, r, 0, 0, a->n));
    app_step(a, a->n * r / a->nodes);
  }
  TRY(sums_wait(s));
  TRY(app_together(a));
  app_number_add(a, "time", "us", (double)(toc_now(a->f) - begin) / 1000);
  if (!app_plays(a, 0)) return TOC_OK;
  own_part(&s->of[0], seed, 0);
  check(a, seed, s->of[0].vector, 0);
  app_digest(a, s->of[0].vector, a->n * 8);
  return TOC_OK;
}

toc_status app_reduce(app *a) {
  sums s = {0};
  toc_status e = reduce(a, &s);
  sums_close(&s);
  return e;
}

typedef struct all {
  sums part;  // rank r adds up words from[r] to from[r + 1]
  uint64_t from[APP_NODES + 1];
  uint64_t *result[APP_NODES];
  toc_remote where[APP_NODES];
} all;

static toc_status set_up(app *a, all *t) {
  uint64_t words[APP_NODES], messages[APP_NODES];
  for (unsigned r = 0; r <= a->nodes; r++) t->from[r] = a->n * r / a->nodes;
  for (unsigned r = 0; r < a->nodes; r++) {
    words[r] = t->from[r + 1] - t->from[r];
    messages[r] = messages_of(words[r]) * (a->nodes - 1);
    if (!app_plays(a, r)) continue;
    TRY(toc_alloc(a->p[r], a->n * 8, TOC_READ | TOC_WRITE, (void **)&t->result[r]));
    TRY(toc_expose(a->p[r], t->result[r], a->n * 8, TOC_READ | TOC_WRITE, &t->where[r]));
  }
  TRY(app_share(a, t->where, sizeof *t->where));
  return sums_open(&t->part, a, a->nodes, words, messages);
}

// Rank r gives its part to all others.
static toc_status give(app *a, const all *t, unsigned r) {
  uint64_t bytes = 8 * (t->from[r + 1] - t->from[r]);
  memcpy(t->result[r] + t->from[r], t->part.of[r].vector, bytes);
  for (unsigned k = 1; k < a->nodes; k++) {
    unsigned s = (r + k) % a->nodes;
    toc_req req;
    if (!bytes) continue;
    TRY(toc_put(a->qp[r][s], t->part.of[r].vector, toc_at(t->where[s], 8 * t->from[r]), (uint32_t)bytes, &req));
    TRY(toc_wait(req, 0));
  }
  return TOC_OK;
}

static toc_status allreduce(app *a, all *t) {
  uint64_t seed = app_random(a), begin;
  TRY(set_up(a, t));
  begin = toc_now(a->f);
  for (unsigned k = 1; k < a->nodes; k++)  // each round, everybody sends to another
    for (unsigned r = 0; r < a->nodes; r++) {
      unsigned s = (r + k) % a->nodes;
      if (app_plays(a, r)) TRY(send_part(&t->part, seed, r, s, t->from[s], t->from[s + 1]));
      app_step(a, a->n * k / a->nodes);
    }
  TRY(sums_wait(&t->part));
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r)) own_part(&t->part.of[r], seed, t->from[r]);
  TRY(app_together(a));
  app_number_add(a, "time of reduce-scatter", "us", (double)(toc_now(a->f) - begin) / 1000);

  begin = toc_now(a->f);
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r)) TRY(give(a, t, r));
  TRY(app_together(a));
  app_number_add(a, "time of allgather", "us", (double)(toc_now(a->f) - begin) / 1000);
  for (unsigned r = 0; r < a->nodes; r++)
    if (app_plays(a, r)) check(a, seed, t->result[r], r);
  app_digest(a, t->result[a->all ? a->rank : 0], a->n * 8);
  return TOC_OK;
}

toc_status app_allreduce(app *a) {
  all *t = calloc(1, sizeof *t);
  toc_status e = t ? allreduce(a, t) : TOC_E_NOMEM;
  if (t) sums_close(&t->part);
  free(t);
  return e;
}
