// SPDX-License-Identifier: Apache-2.0
// What crosses processes besides delegates is told by TCP (sw/apps/ranks.h): who is who, votes, sums,
// and what is checked in the end. A vote waits in a thread of its own, so that its rank goes on polling: what others
// still want may need it.
#include "dist_procs.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mix.h"
#include "ranks.h"

enum { RESEND_US = 1000000, WAIT_US = 60000000, LEAST_QPS = 16 };

struct dist_procs {
  ranks *all;
  pthread_t thread;
  bool running, ended, heard;
  dist_votes mine, of[DIST_RANKS];
  char why[RANKS_WHY];
};

static bool gather(dist_procs *p, const void *mine, size_t bytes, void *all) {
  int status;
  return ranks_gather(p->all, mine, bytes, all, &status, p->why);
}

bool dist_gather(dist *d, const void *mine, size_t bytes, void *all) {
  if (!d->procs) return true;
  if (d->end) return false;
  if (!gather(d->procs, mine, bytes, all)) dist_broken(d, "the ranks", d->procs->why);
  return !d->end;
}

uint64_t dist_sum(dist *d, uint64_t mine) {
  uint64_t all[DIST_RANKS] = {0}, sum = 0;
  if (!d->procs) return mine;
  if (!dist_gather(d, &mine, sizeof mine, all)) return 0;
  for (unsigned i = 0; i < d->ranks; i++) sum += all[i];
  return sum;
}

// ---- votes
static void *wait_for_all(void *arg) {
  dist_procs *p = arg;
  p->heard = gather(p, &p->mine, sizeof p->mine, p->of);
  __atomic_store_n(&p->ended, true, __ATOMIC_RELEASE);
  return NULL;
}

static void begin(dist *d, const dist_votes *mine) {
  dist_procs *p = d->procs;
  irr_traffic c;
  irr_net_counts(d->net[d->me], &c);
  p->mine = *mine;
  p->mine.sent = c.sent + c.own;
  p->mine.run = c.run;
  p->ended = false;
  p->running = !pthread_create(&p->thread, NULL, wait_for_all, p);
  if (!p->running) dist_broken(d, "a vote", "this system starts no more threads");
}

bool dist_vote(dist *d, const dist_votes *mine, dist_votes *all) {
  dist_procs *p = d->procs;
  if (!p->running) {
    begin(d, mine);
    return false;
  }
  if (!__atomic_load_n(&p->ended, __ATOMIC_ACQUIRE)) return false;
  pthread_join(p->thread, NULL);
  p->running = false;
  *all = (dist_votes){0};
  for (unsigned i = 0; i < d->ranks && p->heard; i++) {
    all->busy += p->of[i].busy;
    all->nodes += p->of[i].nodes;
    all->sent += p->of[i].sent;
    all->run += p->of[i].run;
  }
  if (!p->heard) dist_broken(d, "the ranks", p->why);
  return p->heard;
}

bool dist_at_rest(const dist_votes *all, const dist_votes *before) {
  return !all->busy && !all->nodes && all->sent == all->run && !memcmp(all, before, sizeof *all);
}

void dist_procs_settle(dist *d) {
  dist_votes all, before = {.busy = 1};
  for (bool rest = false; !rest && !d->end;) {
    const dist_votes mine = {.busy = !irr_net_is_idle(d->net[d->me])};
    dist_poll(d);
    dist_flush(d);
    if (!dist_vote(d, &mine, &all)) continue;
    rest = dist_at_rest(&all, &before);
    before = all;
  }
}

// ---- the beginning and the end
static void connect_all(dist *d) {
  const unsigned me = d->me, n = d->ranks;
  irr_net *net = d->net[me];
  const irr_topology *t = irr_net_topology(net);
  irr_face *mine = calloc(n, sizeof *mine), *all = calloc((size_t)n * n, sizeof *all);
  irr_status s = mine && all ? IRR_OK : IRR_E_NOMEM;
  for (unsigned i = 0; i < irr_route_degree(t, me) && !s; i++) {
    const unsigned to = irr_route_neighbour(t, me, i);
    s = irr_net_face(net, to, &mine[to]);
  }
  if (!s && dist_gather(d, mine, n * sizeof *mine, all))
    for (unsigned i = 0; i < irr_route_degree(t, me) && !s; i++) {
      const unsigned to = irr_route_neighbour(t, me, i);
      s = irr_net_connect(net, to, &all[(size_t)to * n + me]);
    }
  free(mine);
  free(all);
  if (s) dist_broken(d, "ranks cannot be connected", irr_text(s));
}

static void open_node(dist *d, const suite_job *job) {
  char link[2 * RANKS_HOST];
  snprintf(link, sizeof link, "udp,local=%s:0", ranks_local(d->procs->all));
  const toc_options o = {.link = link,
                         .rank0 = d->me,
                         .qps = d->ranks > LEAST_QPS ? d->ranks : LEAST_QPS,
                         .node_bytes = dist_node_bytes(job),
                         .progress = TOC_PROGRESS_THREAD,
                         .timeout_us = WAIT_US};
  if (toc_open(&o, &d->f) || toc_proc_open(toc_node_at(d->f, 0), &d->p[d->me])) {
    dist_broken(d, "the fabric cannot be opened", toc_why());
    return;
  }
  const irr_net_options with = {
      .rank = d->me, .ranks = d->ranks, .timeout_us = RESEND_US, .probe_us = RESEND_US, .by = dist_by(job->way)};
  const irr_status s = irr_net_open(d->f, d->p[d->me], &with, &d->net[d->me]);
  if (s) dist_broken(d, "a rank cannot be opened", irr_text(s));
}

static uint64_t job_of(const suite_job *job) {
  uint64_t h = app_mix(job->ranks * 256ULL + job->way);
  h = app_mix(h ^ job->seed);
  h = app_mix(h ^ job->updates) ^ job->scale;
  h = app_mix(h ^ job->root);
  for (const char *c = job->tree ? job->tree->name : ""; *c; c++) h = app_mix(h ^ (uint8_t)*c);
  return job->list ? app_mix(h ^ job->list->count) ^ job->list->vertices : h;
}

void dist_procs_open(dist *d, const suite_job *job) {
  char why[RANKS_WHY];
  const ranks_asked asked = {.count = job->ranks, .rank = -1, .job = job_of(job)};
  dist_procs *p = calloc(1, sizeof *p);
  if (!dist_have(d, p)) return;
  fflush(NULL);  // before processes are made of this one
  p->all = ranks_join(&asked, why);
  if (!p->all) {
    free(p);
    dist_broken(d, "the ranks", why);
    return;
  }
  d->procs = p;
  d->me = ranks_rank(p->all);
  open_node(d, job);
  if (!d->end) connect_all(d);
  (void)dist_gather(d, NULL, 0, NULL);  // nobody sends before all are connected
}

void dist_procs_fail(dist *d, const char *why) { ranks_fail(d->procs->all, TOC_E_IO, why); }

void dist_procs_close(dist *d) {
  dist_procs *p = d->procs;
  if (!p) return;
  if (p->running) pthread_join(p->thread, NULL);
  if (!ranks_leave(p->all) && !d->end) dist_broken(d, "the ranks", "one of them has failed at its end");
  free(p);
  d->procs = NULL;
}
