// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of this process: their nodes are on one fabric.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "team_internal.h"

typedef struct crew {
  unsigned ranks, ready, left;  // that have opened, and whose loops have ended
  bool failed;
  toc_fabric *f;
  member *at;
} crew;

typedef struct seat {
  crew *all;
  member *m;
  pthread_t thread;
  bool started;
} seat;

static void count(unsigned *what) { __atomic_fetch_add(what, 1, __ATOMIC_ACQ_REL); }
static bool all_have(const crew *c, const unsigned *what) {
  return __atomic_load_n(what, __ATOMIC_ACQUIRE) == c->ranks;
}
static void fail(crew *c) { __atomic_store_n(&c->failed, true, __ATOMIC_RELEASE); }
static bool has_failed(const crew *c) { return __atomic_load_n(&c->failed, __ATOMIC_ACQUIRE); }

// Nobody runs before all have opened, and nobody stops polling before all have stopped.
static void *sit(void *arg) {
  const seat *s = arg;
  crew *c = s->all;
  if (irr_i_team_open(s->m) != TOC_OK) fail(c);
  count(&c->ready);
  while (!all_have(c, &c->ready) && !has_failed(c)) irr_i_team_poll(s->m);
  if (!has_failed(c)) irr_i_team_loop(s->m);
  count(&c->left);
  while (!all_have(c, &c->left) && !has_failed(c)) irr_i_team_poll(s->m);
  irr_i_team_close(s->m);
  return NULL;
}

static toc_status nets(crew *c, const irr_team_options *o) {
  toc_options with = irr_i_team_fabric(o, c->ranks);
  irr_net *net[IRR_TEAM_RANKS_MOST];
  with.nodes = c->ranks;
  if (toc_open(&with, &c->f) != TOC_OK) return irr_fails(TOC_E_IO, "the fabric: %s", toc_why());
  for (unsigned i = 0; i < c->ranks; i++) {
    toc_proc *p;
    if (toc_proc_open(toc_node_at(c->f, i), &p) != TOC_OK) return irr_fails(TOC_E_IO, "rank %u: %s", i, toc_why());
    if (irr_i_team_net(&c->at[i], c->f, p, i, c->ranks, false) != TOC_OK)
      return irr_fails(c->at[i].status, "%s", c->at[i].why);
    net[i] = c->at[i].m.r.net;
  }
  const irr_status s = irr_net_join(net, c->ranks);
  return s == IRR_OK ? TOC_OK : irr_fails(TOC_E_IO, "the ranks cannot be connected: %s", irr_text(s));
}

// Rank 0 is this thread.
static toc_status run(crew *c, seat *seats) {
  toc_status s = TOC_OK;
  for (unsigned i = 1; i < c->ranks && s == TOC_OK; i++) {
    seats[i].started = !pthread_create(&seats[i].thread, NULL, sit, &seats[i]);
    if (seats[i].started) continue;
    s = irr_fails(TOC_E_NOMEM, "rank %u: this system starts no more threads", i);
    fail(c);
  }
  if (s == TOC_OK) (void)sit(&seats[0]);
  for (unsigned i = 1; i < c->ranks; i++)
    if (seats[i].started) pthread_join(seats[i].thread, NULL);
  for (unsigned i = 0; i < c->ranks && s == TOC_OK; i++)
    if (c->at[i].status != TOC_OK) s = irr_fails(c->at[i].status, "%s", c->at[i].why);
  return s;
}

toc_status irr_i_team_threads(const irr_team_options *o, unsigned ranks) {
  crew c = {.ranks = ranks, .at = calloc(ranks, sizeof *c.at)};
  seat *seats = calloc(ranks, sizeof *seats);
  toc_status s = c.at && seats ? TOC_OK : irr_fails(TOC_E_NOMEM, "irr_team_run: no memory");
  for (unsigned i = 0; i < ranks && s == TOC_OK; i++) {
    c.at[i].o = o;
    seats[i] = (seat){.all = &c, .m = &c.at[i]};
  }
  if (s == TOC_OK) s = nets(&c, o);
  if (s == TOC_OK) s = run(&c, seats);
  for (unsigned i = 0; i < ranks && c.at; i++) irr_i_team_net_close(&c.at[i]);
  toc_close(c.f);
  free(c.at);
  free(seats);
  return s;
}
