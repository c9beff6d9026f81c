// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "counter.h"
#include "mix.h"

static const char *const names[COUNTER_SCHEMES + 1] = {"no-cnt", "aa", "a-kv", "rma", "allreduce"};

counter_scheme counter_named(const char *name) { return (counter_scheme)choice_index(names, name); }

visit counter_visit(const run *r, unsigned id, unsigned i) {
  uint64_t v = app_mix(app_mix(r->seed ^ (uint64_t)id << 32) + i);
  unsigned to = (id + 1 + (unsigned)(v >> 32) % (r->procs - 1)) % r->procs;
  return (visit){to, v & 1, v % COUNTER_ALL};
}
uint64_t counter_value(unsigned id, uint64_t index) { return app_mix((uint64_t)id << 32 | index); }

bool counter_takes(const run *r, const char **why) {
  counter_scheme by = counter_named(r->variant);
  *why = by == COUNTER_SCHEMES                                  ? "no such variant of counter"
         : r->procs < 2 || r->procs > 4096                      ? "procs: 2 to 4096"
         : r->window > NET_WINDOW / 2                           ? "window: 1 to 32"
         : by == COUNT_ALLREDUCE && (r->procs & (r->procs - 1)) ? "allreduce: 2^n processes"
                                                                : NULL;
  return !*why;
}

bool counter_prepare(const run *r, net *n) {
  counter_own *o = calloc(1, sizeof *o);
  n->own = o;
  if (!o || !(o->expected = calloc(r->procs, sizeof *o->expected))) return false;
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < r->per; i++) o->expected[counter_visit(r, id, i).to]++;
  return true;
}

// ---- the result -----------------------------------------------------------------------------------------------------

static uint64_t fold(uint64_t page, counts c) { return app_mix(c.put ^ app_mix(c.get ^ app_mix(page))); }

// Its own pages' counts, and that all words are what they should be after all puts.
void counter_check(const run *r, net *n, net_proc *p, share *s) {
  counter_own *o = n->own;
  counter_scheme by = counter_named(r->variant);
  const uint64_t *w = o->word[p->id];
  uint8_t *written = net_must(calloc(COUNTER_ALL, 1));
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < r->per; i++) {
      visit a = counter_visit(r, id, i);
      if (a.to == p->id && a.put) written[a.index] = 1;
    }
  for (uint64_t i = 1; i < COUNTER_ALL; i += 2) s->wrong += w[i] != (written[i] ? counter_value(p->id, i) : 0);
  free(written);
  for (unsigned page = 0; by != COUNT_NO && page < COUNTER_PAGES; page++)
    s->digest +=
        fold(p->id * COUNTER_PAGES + page, o->count[p->id][(by == COUNT_ALLREDUCE ? p->id * COUNTER_PAGES : 0) + page]);
  // with allreduce all processes know all sums
  for (unsigned i = 0; by == COUNT_ALLREDUCE && i < r->procs * COUNTER_PAGES; i++)
    s->wrong += o->count[p->id][i].put != o->count[0][i].put || o->count[p->id][i].get != o->count[0][i].get;
}

uint64_t counter_serial(const run *r) {
  size_t pages = (size_t)r->procs * COUNTER_PAGES;
  counts *c = calloc(pages, sizeof *c);
  uint64_t digest = 0;
  if (!c || counter_named(r->variant) == COUNT_NO) {
    free(c);
    return 0;
  }
  for (unsigned id = 0; id < r->procs; id++)
    for (unsigned i = 0; i < r->per; i++) {
      visit a = counter_visit(r, id, i);
      counts *at = &c[a.to * COUNTER_PAGES + a.index / COUNTER_WORDS];
      ++*(a.put ? &at->put : &at->get);
    }
  for (size_t i = 0; i < pages; i++) digest += fold(i, c[i]);
  free(c);
  return digest;
}
